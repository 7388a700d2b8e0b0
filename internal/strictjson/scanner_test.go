package strictjson

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// kinds are short names of the sentinels, for tables.
var kinds = []struct {
	err  error
	name string
}{
	{ErrByteOrderMark, "mark"}, {ErrInvalidUTF8, "utf8"}, {ErrSyntax, "syntax"}, {ErrCut, "cut"},
	{ErrDuplicateMember, "duplicate"}, {ErrLoneSurrogate, "surrogate"}, {ErrTrailingBytes, "trailing"},
	{ErrTooDeep, "deep"}, {ErrTooLarge, "large"}, {ErrTooManyMembers, "members"},
}

func kindOf(err error) string {
	name := "?"
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			if name != "?" {
				return "several sentinels"
			}
			name = k.name
		}
	}
	return name
}

// event writes what Next returned in one line: number, a star for an element, @offset, :line, then the bytes of the value or
// the kind of the fault, its place, and ~ where it says that the rest of an array was not read.
func event(v Value, err error) string {
	var f *Fault
	if err != nil && !errors.As(err, &f) {
		return err.Error()
	}
	star := ""
	if v.InArray {
		star = "*"
	}
	at := fmt.Sprintf("%d%s@%d:%d ", v.Number, star, v.Offset, v.Line)
	if f == nil {
		return at + string(v.Bytes)
	}
	rest := ""
	if strings.Contains(f.Detail, fmt.Sprintf("the rest of the array (from offset %d) was not read", v.Offset)) {
		rest = "~"
	}
	if v.Bytes != nil {
		rest += " and bytes"
	}
	return fmt.Sprintf("%s!%s %d%s", at, kindOf(f), f.At, rest)
}

// events returns what a Scanner makes of a stream, up to the end of the stream or the reader's error, which stays.
func events(tb rapid.TB, r io.Reader, lim Limits) []string {
	tb.Helper()
	return scan(tb, r, lim, event)
}

// details is events with the whole text of the faults.
func details(tb rapid.TB, r io.Reader, lim Limits) []string {
	tb.Helper()
	return scan(tb, r, lim, func(v Value, err error) string { return fmt.Sprintf("%s (%v)", event(v, err), err) })
}

func scan(tb rapid.TB, r io.Reader, lim Limits, show func(Value, error) string) []string {
	tb.Helper()
	s := NewScanner(r, lim)
	var got []string
	for {
		v, err := s.Next()
		var f *Fault
		if err == nil || errors.As(err, &f) {
			got = append(got, show(v, err))
			if len(got) > 1<<20 {
				tb.Fatal("the stream does not end")
			}
			continue
		}
		if diff := cmp.Diff(Value{}, v); diff != "" {
			tb.Errorf("Next() = a value beside %v: %s", err, diff)
		}
		if err != io.EOF {
			got = append(got, err.Error())
		}
		for range 2 {
			if _, again := s.Next(); again != err {
				tb.Errorf("Next() = %v after %v", again, err)
			}
		}
		return got
	}
}

func TestScanner(t *testing.T) {
	for _, test := range scans {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, events(t, strings.NewReader(test.in), small)); diff != "" {
				t.Errorf("scan of %q (-want +got):\n%s", test.in, diff)
			}
			if diff := cmp.Diff(test.want, events(t, iotest.OneByteReader(strings.NewReader(test.in)), small)); diff != "" {
				t.Errorf("scan of %q byte by byte (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// chunked reads in pieces of the given lengths, the last one for ever, with empty reads between them.
type chunked struct {
	r     io.Reader
	sizes []int
	empty bool
}

func (c *chunked) Read(p []byte) (int, error) {
	if c.empty = !c.empty; c.empty {
		return 0, nil
	}
	n := c.sizes[0]
	if len(c.sizes) > 1 {
		c.sizes = c.sizes[1:]
	}
	return c.r.Read(p[:min(n, len(p))])
}

func TestScannerChunks(t *testing.T) {
	var pieces []string
	for _, test := range scans {
		pieces = append(pieces, test.in, test.in+"\n")
	}
	rapid.Check(t, func(t *rapid.T) {
		in := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 4).Draw(t, "in"), "")
		sizes := rapid.SliceOfN(rapid.IntRange(1, 20), 1, 30).Draw(t, "sizes")
		want := details(t, strings.NewReader(in), small)
		if diff := cmp.Diff(want, details(t, &chunked{r: strings.NewReader(in), sizes: sizes}, small)); diff != "" {
			t.Errorf("scan of %q in pieces of %v (-whole +pieces):\n%s", in, sizes, diff)
		}
	})
}

func TestScannerReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"at once", "", nil},
		{"behind a line", "{}\n", []string{`1@0:1 {}`}},
		{"behind a value", "{}", []string{`1@0:1 {}`}},
		{"behind blanks", "{} \t", []string{`1@0:1 {}`}},
		{"in a value", "{}\n{\"a\":", []string{`1@0:1 {}`}},
		{"in a number, which may go on", "1\n2", []string{`1@0:1 1`}},
		{"in a literal, which may go on", "true", nil},
		{"behind a string", `"x"`, []string{`1@0:1 "x"`}},
		{"behind a faulty record", `{"a":1,"a":1}`, []string{`1@0:1 !duplicate 7`}},
		{"behind a fault in a record", `{"a":1,,`, []string{`1@0:1 !syntax 7`}},
		{"behind a duplicate in a record", `{"a":1,"a":1`, nil},
		{"in garbage", `x`, []string{`1@0:1 !syntax 0`}},
		{"in an array", `[1,{}`, []string{`1*@1:1 1`, `2*@3:1 {}`}},
		{"in an element", `[1,{`, []string{`1*@1:1 1`}},
		{"behind an array", `[1]`, []string{`1*@1:1 1`}},
		{"behind a faulty element", `[{"a"`, nil},
		{"behind a fault in an element", `[{,`, []string{`1*@1:1 !syntax 2~`}},
		{"behind a mark", "\ufeff", []string{`1@0:1 !mark 0`}},
		{"in a mark", "\ufeff"[:2], []string{`1@0:1 !utf8 0`}},
		{"below a cut record", "{\n,\n", []string{`1@0:1 !syntax 2`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			want := append(test.want, "broken")
			for name, r := range map[string]io.Reader{
				"after the bytes": io.MultiReader(strings.NewReader(test.in), iotest.ErrReader(broken)),
				"with the bytes":  iotest.DataErrReader(io.MultiReader(strings.NewReader(test.in), iotest.ErrReader(broken))),
				"byte by byte":    iotest.OneByteReader(io.MultiReader(strings.NewReader(test.in), iotest.ErrReader(broken))),
			} {
				if diff := cmp.Diff(want, events(t, r, small)); diff != "" {
					t.Errorf("scan of %q and an error %s (-want +got):\n%s", test.in, name, diff)
				}
			}
		})
	}
}

func TestScannerNoProgress(t *testing.T) {
	s := NewScanner(readerFunc(func([]byte) (int, error) { return 0, nil }), Limits{})
	for range 2 {
		if _, err := s.Next(); err != io.ErrNoProgress {
			t.Errorf("Next() = %v, want %v", err, io.ErrNoProgress)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestScannerReadsNoFurther pins that a record is returned as soon as its line is there: its writer may wait for an answer.
func TestScannerReadsNoFurther(t *testing.T) {
	lines := []string{"2\n", "{\"a\":1}\n", "x\n", "{\"a\":1,\"a\":2}\n", "{} {", "} [[] ", ",[{", "}]]\n"}
	want := []string{`1@0:1 2`, `2@2:2 {"a":1}`, `3@10:3 !syntax 10`, `4@12:4 !duplicate 19`, `5@26:5 {}`, `6@29:5 {}`, `7*@33:5 []`, `8*@37:5 [{}]`}
	reads := 0
	s := NewScanner(readerFunc(func(p []byte) (int, error) {
		if reads == len(lines) {
			return 0, io.EOF
		}
		reads++
		return copy(p, lines[reads-1]), nil
	}), Limits{})
	for i := range want {
		got := event(s.Next())
		if got != want[i] || reads != i+1 {
			t.Errorf("Next() = %s after %d reads, want %s after %d", got, reads, want[i], i+1)
		}
	}
}

func TestScannerFaultText(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     string // one of the faults
	}{
		{"array that is cut", "1\n [{}", `input ends inside a value at byte 6: the array from offset 3 is not closed`},
		{"rest of an array", "[{},{\"a\":,{}]", `not JSON at byte 9: found ',', expected a value; the rest of the array (from offset 4) was not read`},
		{"end in an element", "[{},{\"a\":1", `input ends inside a value at byte 10: inside a number or literal; the rest of the array (from offset 4) was not read`},
		{"missing element", "[{},,", `not JSON at byte 4: found a comma, expected an element`},
		{"missing last element", "[{},]", `not JSON at byte 4: found ], expected an element`},
		{"behind an array", "[{}]\u00e9", `more bytes behind the value at byte 4: found 'é'`},
		{"behind a value", "\n{}\u00e9", `more bytes behind the value at byte 3: found 'é'`},
		{"in a value behind others", "{}\n{\"a\":1,\"a\":2}", `duplicate member name at byte 10: "a"`},
		{"blanks", "{}" + strings.Repeat(" ", 3*windowSize), `value too large at byte 65576: with the white space behind it`},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := func(_ Value, err error) string { return fmt.Sprint(err) }
			if got := scan(t, iotest.OneByteReader(strings.NewReader(test.in)), small, text); !slices.Contains(got, test.want) {
				t.Errorf("faults of %.40q = %q, want %s", test.in, got, test.want)
			}
		})
	}
}
