package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// checkScan reads data to its end and checks what holds for every input: records count from 1, start further and further
// on, stand where they say, and those that are good are valid by themselves and bring their own bytes.
func checkScan(tb rapid.TB, data []byte, lim Limits) {
	tb.Helper()
	s := NewScanner(bytes.NewReader(data), lim)
	before := int64(-1)
	for number := uint64(1); ; number++ {
		v, err := s.Next()
		if err == io.EOF {
			return
		}
		var f *Fault
		if err != nil && !errors.As(err, &f) {
			tb.Fatalf("Next() = %v in %q", err, data)
		}
		if v.Number != number || v.Offset <= before || v.Offset > int64(len(data)) {
			tb.Fatalf("Next() = record %d at %d behind record %d at %d in %q", v.Number, v.Offset, number-1, before, data)
		}
		before = v.Offset
		if line := int64(1 + bytes.Count(data[:v.Offset], []byte{'\n'})); v.Line != line {
			tb.Fatalf("record %d at %d: line %d, want %d in %q", number, v.Offset, v.Line, line, data)
		}
		if f != nil {
			if f.At < v.Offset || f.At > int64(len(data)) || kindOf(f) == "?" {
				tb.Fatalf("record %d at %d: fault %v in %q", number, v.Offset, f, data)
			}
			continue
		}
		if !bytes.HasPrefix(data[v.Offset:], v.Bytes) {
			tb.Fatalf("record %d at %d: %q does not stand there in %q", number, v.Offset, v.Bytes, data)
		}
		if err := Validate(v.Bytes, lim); err != nil {
			tb.Fatalf("record %d: %q is given as good: %v", number, v.Bytes, err)
		}
		if cap(v.Bytes) != len(v.Bytes) {
			tb.Fatalf("record %d: %q shares room with what follows it", number, v.Bytes)
		}
		if len(v.Bytes) == 0 || isSpace(v.Bytes[0]) || isSpace(v.Bytes[len(v.Bytes)-1]) {
			tb.Fatalf("record %d: white space around %q", number, v.Bytes)
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in, uint16(3))
	}
	f.Fuzz(func(t *testing.T, data []byte, piece uint16) {
		if len(data) > 1<<16 {
			return
		}
		for _, lim := range []Limits{small, {}} {
			checkScan(t, data, lim)
			pieces := &chunked{r: bytes.NewReader(data), sizes: []int{int(piece) + 1}}
			if diff := cmp.Diff(details(t, bytes.NewReader(data), lim), details(t, pieces, lim)); diff != "" {
				t.Fatalf("scan of %q in pieces of %d (-whole +pieces):\n%s", data, piece+1, diff)
			}
		}
	})
}

// goodLine draws an object in one line with a name that says which one it is.
func goodLine(t *rapid.T, i int) string {
	value := rapid.SampledFrom([]string{`1`, `"}{"`, `[]`, `[{"a":"\\\""},{}]`, `{"b":[1,2,"]"]}`, `"é"`}).Draw(t, "value")
	end := rapid.SampledFrom([]string{"\n", "\r\n", " \n"}).Draw(t, "end")
	return fmt.Sprintf(`{"good":%d,"v":%s}%s`, i, value, end)
}

// TestScannerFindsGoodLines inserts unreadable lines between good ones: all good ones come out, where they are and as they are.
func TestScannerFindsGoodLines(t *testing.T) {
	garbage := func(t *rapid.T) string {
		line := rapid.OneOf(
			// What can start no value, and then anything.
			rapid.StringMatching(`[^\s{\["0-9tfn\-][^\n]*`),
			rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 20), func(b []byte) string { return "\xff" + strings.ReplaceAll(string(b), "\n", "") }),
			rapid.StringMatching(`[\]}):,x'+.][\[{}\]",:a1\\ ]{0,20}`),
			// Records that were cut. None of these lines closes a bracket, or one could be the rest of another.
			rapid.StringMatching(`\{("a":(1,|"b",|\[|\[1,|\{|\[\{"c":2,)){0,3}`),
			rapid.SampledFrom([]string{`{"type":"frames","result":{"frames":[`, `{"a":"`, `{"a":"\`, `{"a"`, `{"a":1,"a":1,`, `{,`, `{`}),
			// Scalars, good or bad, without brackets.
			rapid.StringMatching(`["0-9tfn\-][0-9a-z" \\.]{0,10}`),
		).Filter(func(s string) bool { return !strings.HasPrefix(s, byteOrderMark) }).Draw(t, "garbage")
		return line + "\n"
	}
	rapid.Check(t, func(t *rapid.T) {
		var in string
		var want, got []string
		closes := false
		for i := range rapid.IntRange(1, 6).Draw(t, "lines") {
			for range rapid.IntRange(0, 3).Draw(t, "garbage lines") {
				line := garbage(t)
				if closes = closes || strings.ContainsAny(line, "]}"); closes && line[0] == '{' {
					continue
				}
				in += line
			}
			line := goodLine(t, i)
			want = append(want, fmt.Sprintf("%d %s", len(in), strings.TrimSpace(line)))
			in += line
		}
		s := NewScanner(strings.NewReader(in), Limits{})
		for {
			v, err := s.Next()
			if err == io.EOF {
				break
			}
			if err == nil && bytes.Contains(v.Bytes, []byte(`"good"`)) {
				got = append(got, fmt.Sprintf("%d %s", v.Offset, v.Bytes))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("good lines of %q (-want +got):\n%s", in, diff)
		}
	})
}

// TestScannerWork bounds the bytes that are looked at, those read again included: a byte is read once for each bracket open
// around it that starts a line, so never more often than the depth limit allows.
func TestScannerWork(t *testing.T) {
	const lines = 20_000
	for _, test := range []struct {
		name, line string
		times      int64 // how often a byte may be looked at
	}{
		{"good", `{"a":1}`, 1},
		{"cut behind a comma", `{"type":"frames",`, 3},
		{"cut in a string", `{"type":"fra`, 3},
		{"cut in an array", `{"result":{"frames":[{"id":1},`, 64},
		{"cut behind a bracket", `{"frames":[`, 80},
		{"cut behind a colon", `{"result":`, 140},
		{"a bracket", `{`, 3},
		{"an array", `[`, 140},
		{"elements of an array that is cut", `[{"a":1},{"a":`, 3},
		{"elements of a record that is cut", `{"a":1},`, 2},
		{"closed and opened", `{"a":1},{"b":[`, 3},
		{"garbage", `x{[`, 2},
		{"trailing", `{} x`, 2},
		{"large", `{"a":"` + strings.Repeat("x", 300) + `",`, 3},
	} {
		for name, in := range map[string]string{
			test.name:                              strings.Repeat(test.line+"\n", lines),
			test.name + " in a record that is cut": `{"a":[` + "\n" + strings.Repeat(test.line+"\n", lines),
			test.name + " in an array":             "[\n" + strings.Repeat(test.line+"\n", lines),
			test.name + " and brackets that close": strings.Repeat(test.line+"\n ]}],\n", lines),
		} {
			t.Run(name, func(t *testing.T) {
				s := NewScanner(strings.NewReader(in), Limits{Bytes: 1 << 20})
				for {
					if _, err := s.Next(); err == io.EOF {
						break
					}
				}
				extra := int64(0)
				if name != test.name {
					extra = 3 * int64(len(in))
				}
				if most := test.times*int64(len(in)) + extra; s.work > most {
					t.Errorf("%d bytes looked at for %d of input: %.1f times, want at most %d", s.work, len(in), float64(s.work)/float64(len(in)), most/int64(len(in)))
				}
			})
		}
	}
}

// endless repeats a text after a beginning, up to a length.
type endless struct {
	first, text string
	left        int
	at          int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) && e.left > 0 {
		if e.first != "" {
			c := copy(p[n:], e.first)
			e.first = e.first[c:]
			n += c
			continue
		}
		c := copy(p[n:min(len(p), n+e.left)], e.text[e.at:])
		e.at = (e.at + c) % len(e.text)
		e.left -= c
		n += c
	}
	return n, nil
}

// TestScannerMemory reads much more than the limit in every state that could keep it.
func TestScannerMemory(t *testing.T) {
	for _, test := range []struct{ name, first, text string }{
		{"lines", "", "{\"a\":1}\n"},
		{"a string", `{"a":"`, "x"},
		{"a top-level string", `"`, "x"},
		{"a number", "", "1"},
		{"an element", `[{"a":"`, "x"},
		{"an array in a record", `{"a":[`, "1,"},
		{"an array in a record over lines", `{"a":[`, "1,\n"},
		{"elements", "[", "{},"},
		{"bad elements", "[", `{"a"},`},
		{"empty elements", "[", ","},
		{"junk in an array", "[x", "x"},
		{"open brackets", "", "["},
		{"open brackets in a record", `{"a":`, "["},
		{"open brackets in an element", `[{"a":`, "["},
		{"open objects in junk", `[x`, "{"},
		{"garbage", "x", "x"},
		{"white space", "", " "},
		{"empty lines", "", "\n"},
		{"white space behind a value", "{}", " "},
		{"white space behind a value over lines", "{\n}", " "},
		{"white space behind an element", "[{}", " \n"},
		{"white space behind an array", "[]", " "},
		{"white space in a record", "{", " "},
		{"records that are cut", "", "{\"a\":[\n"},
		{"lines behind one that is cut", "{,\n", "x\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			lim := Limits{Bytes: 100_000}
			if test.text == "[" || test.text == "{" {
				lim.Depth = maxDepth // or the scan stops early
			}
			s := NewScanner(&endless{first: test.first, text: test.text, left: 2_000_000}, lim)
			for {
				if _, err := s.Next(); err == io.EOF {
					break
				}
			}
			if most := int(lim.Bytes) + slack; cap(s.buf) > most || cap(s.pairs.open) > 2*maxDepth || cap(s.machine.open) > 2*maxDepth {
				t.Errorf("the buffer grew to %d bytes, want at most %d; brackets: %d and %d", cap(s.buf), most, cap(s.pairs.open), cap(s.machine.open))
			}
		})
	}
}

// TestScannerKeepsItsBuffer reads records that fit into the first buffer, without a limit.
func TestScannerKeepsItsBuffer(t *testing.T) {
	s := NewScanner(&endless{text: "{\"a\":\"" + strings.Repeat("x", 1000) + "\"}\n", left: 1_000_000}, Limits{Bytes: math.MaxInt64})
	for {
		if _, err := s.Next(); err == io.EOF {
			break
		}
	}
	if cap(s.buf) != firstBuffer {
		t.Errorf("the buffer has %d bytes, want %d", cap(s.buf), firstBuffer)
	}
}

// TestScannerSpaceBehind pins what happens where a value and the white space behind it do not fit into memory: nobody can
// say whether something stands behind it, so it is not given as good.
func TestScannerSpaceBehind(t *testing.T) {
	lim := Limits{Bytes: 10}
	for _, test := range []struct {
		name   string
		spaces int
		want   []string
	}{
		{"fits", int(lim.Bytes) + windowSize - 3, []string{`1@0:1 {}`}},
		{"does not fit", int(lim.Bytes) + windowSize - 2, []string{`1@0:1 {}`}},
		{"far too long", 3 * windowSize, []string{fmt.Sprintf(`1@0:1 !large %d`, lim.Bytes+windowSize)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := events(t, strings.NewReader("{}"+strings.Repeat(" ", test.spaces)+"\n"), lim)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("scan of {} and %d blanks (-want +got):\n%s", test.spaces, diff)
			}
		})
	}
}
