package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// accepted asks an acceptor about a line without its end, and checks that Validate agrees where it is certain.
func accepted(tb rapid.TB, a *acceptor, line []byte, lim Limits) int {
	tb.Helper()
	n := a.object(append(line[:len(line):len(line)], '\n'), lim.orDefaults())
	if n > len(line) {
		tb.Fatalf("object(%q) = %d of %d", line, n, len(line))
	}
	if n > 0 {
		if err := Validate(line[:n], lim); err != nil {
			tb.Fatalf("object(%q) = %d, Validate = %v", line, n, err)
		}
	}
	return n
}

// both asks an acceptor and Validate, and checks that they agree.
func both(tb rapid.TB, a *acceptor, line []byte) {
	tb.Helper()
	if n := accepted(tb, a, line, Limits{}); n != len(line) && Validate(line, Limits{}) == nil {
		tb.Fatalf("object(%q) = %d, but it is valid", line, n)
	}
}

// TestAcceptEveryText tries every text of few tokens in the place of a value and of a member: the acceptor takes those that Validate
// takes, no others.
func TestAcceptEveryText(t *testing.T) {
	tokens := []string{"{", "}", "[", "]", ":", ",", `"a"`, `"b"`, `"`, " ", "\t", "\x00", "0", "1", "-", "+", ".", "e", "E", "true", "null", "t", "\xff", "é"}
	longest := 4
	if testing.Short() {
		longest = 3
	}
	var a acceptor
	var fill func(line []byte, left int, behind string)
	fill = func(line []byte, left int, behind string) {
		both(t, &a, append(line[:len(line):len(line)], behind...))
		if left == 0 {
			return
		}
		for _, token := range tokens {
			fill(append(line[:len(line):len(line)], token...), left-1, behind)
		}
	}
	for _, around := range []struct{ front, behind string }{
		{"{", "}"}, {`{"a":`, "}"}, {`{"a":1`, "}"}, {`{"a":[`, `]}`}, {`{"a":-1`, `,"b":1}`}, {`{"a":{"b":1`, `},"b":1}`},
	} {
		fill([]byte(around.front), longest, around.behind)
	}
}

// TestAcceptEveryString tries every two bytes in a string, at every place in the words by which it is read, every character's first
// and last spellings, and the escapes.
func TestAcceptEveryString(t *testing.T) {
	var a acceptor
	try := func(text string) {
		for _, front := range []string{"", "x", "xxxxxx", "xxxxxxx"} {
			both(t, &a, []byte(`{"a":"`+front+text+`"}`))
			both(t, &a, []byte(`{"a":"`+front+text+`xxxxxxxx","b":2}`))
		}
	}
	for x := range 256 {
		for y := range 256 {
			if x != '\\' || y != 'u' {
				try(string([]byte{byte(x), byte(y)}))
			}
		}
	}
	edges := []byte{0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff}
	for first := 0xc0; first < 0x100; first++ {
		for _, x := range edges {
			for _, y := range edges {
				for _, z := range edges {
					text := []byte{byte(first), x, y, z}
					for n := 2; n <= 4; n++ {
						both(t, &a, []byte(`{"a":"`+string(text[:n])+`"}`))
					}
				}
			}
		}
	}
	digits := []byte("0189afAFgG@`/:\"\\")
	for _, w := range digits {
		for _, x := range digits {
			for _, y := range digits {
				for _, z := range digits {
					line := []byte(`{"a":"\u` + string([]byte{w, x, y, z}) + `"}`)
					if n := accepted(t, &a, line, Limits{}); n == 0 && Validate(line, Limits{}) == nil {
						t.Fatalf("%s is valid", line)
					}
				}
			}
		}
	}
	for _, text := range []string{`\ud800`, `\udfff`, `\uD83D\uDE00`, `\ud83d\ude00`} { // pairs are left to the others
		if n := accepted(t, &a, []byte(`{"a":"`+text+`"}`), Limits{}); n != 0 {
			t.Errorf("%s is accepted", text)
		}
	}
}

// TestAcceptLimits: every limit is kept, in the place where Validate keeps it, and the acceptor's own.
func TestAcceptLimits(t *testing.T) {
	names := func(n int) string {
		var all []string
		for i := range n {
			all = append(all, fmt.Sprintf(`"n%d":1`, i))
		}
		return strings.Join(all, ",")
	}
	nested := func(n int, inside string) string {
		return strings.Repeat(`{`+inside+`"o":`, n-1) + `{` + inside + `"o":1}` + strings.Repeat("}", n-1)
	}
	brackets := func(n int) string {
		return `{"a":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	for _, test := range []struct {
		name, line string
		lim        Limits
		want       bool
	}{
		{"as long as may be", `{"a":1}`, Limits{Bytes: 7}, true},
		{"longer", `{"a":1}`, Limits{Bytes: 6}, false},
		{"as deep as may be", nested(3, ""), Limits{Depth: 3}, true},
		{"deeper", nested(4, ""), Limits{Depth: 3}, false},
		{"arrays as deep as may be", brackets(3), Limits{Depth: 3}, true},
		{"arrays deeper", brackets(4), Limits{Depth: 3}, false},
		{"side by side", `{"a":{"b":{}},"c":{"d":[]},"e":[[],[]]}`, Limits{Depth: 3}, true},
		{"as deep as is accepted", brackets(acceptDepth), Limits{Depth: 1000}, true},
		{"deeper than is accepted", brackets(acceptDepth + 1), Limits{Depth: 1000}, false},
		{"as many members as may be", `{` + names(5) + `}`, Limits{Members: 5}, true},
		{"more members", `{` + names(6) + `}`, Limits{Members: 5}, false},
		{"as many members as are accepted", `{` + names(acceptNames) + `}`, Limits{}, true},
		{"more members than are accepted", `{` + names(acceptNames+1) + `}`, Limits{}, false},
		{"members one after the other", `{"a":[` + strings.Repeat(`{`+names(5)+`},`, 20) + `1]}`, Limits{Members: 5}, true},
		{"as many open members as may be", nested(5, names(3)+","), Limits{Members: 5}, true},
		{"one more open member", strings.Replace(nested(5, names(3)+","), `"o":1}`, `"o":1,"p":2}`, 1), Limits{Members: 5}, false},
		{"more open members", nested(6, names(3)+","), Limits{Members: 5}, false},
		{"a name again", `{"a":1,"b":2,"a":3}`, Limits{}, false},
		{"a long name again", `{"abcdefgh1":1,"abcdefgh2":2,"abcdefgh1":3}`, Limits{}, false},
		{"long names alike in front", `{"abcdefgh1":1,"abcdefgh2":2,"abcdefgh":3}`, Limits{}, true},
		{"names that differ in zeros", `{"a":1,"a` + "\u0000" + `":2}`, Limits{}, false}, // which are no characters of a string
		{"a name again behind an object", `{"a":{"b":1},"a":2}`, Limits{}, false},
		{"a name in another object", `{"a":{"a":[{"a":1},{"a":2}]}}`, Limits{}, true},
		{"the empty name again", `{"":1,"":2}`, Limits{}, false},
		{"an escaped name", `{"\u0061":1}`, Limits{}, false},
		{"white space", "{ \"a\"\t:\r[ 1 , { } , [ ] ] , \"b\" : 2 } ", Limits{}, true},
		{"a form feed", "{\f}", Limits{}, false},
	} {
		n := accepted(t, new(acceptor), []byte(test.line), test.lim)
		if n > 0 != test.want {
			t.Errorf("%s: object(%.80q) = %d, want certain %v", test.name, test.line, n, test.want)
		}
	}
}

// TestAcceptsWhatTheWireCarries: the short cut is taken for ordinary records, or it would spare nothing.
func TestAcceptsWhatTheWireCarries(t *testing.T) {
	var a acceptor
	n := 0
	for line := range bytes.Lines(ndjson(50)) {
		both(t, &a, bytes.TrimSuffix(line, []byte("\n")))
		n++
	}
	if n != 50 {
		t.Errorf("%d lines", n)
	}
	s := NewScanner(bytes.NewReader(ndjson(50)), Limits{})
	s.Defer()
	for range 50 {
		if v, err := s.Next(); err != nil || v.Unjudged {
			t.Fatalf("%v, %v", v, err)
		}
	}
	if s.machine.pos != 0 {
		t.Error("a record was framed by the machine")
	}
}

// TestAcceptChanged changes lines by few bytes: what the acceptor still takes is valid, and a Scanner finds the same with it as
// without.
func TestAcceptChanged(t *testing.T) {
	lines := bytes.Split(bytes.TrimSpace(ndjson(3)), []byte("\n"))
	for _, test := range scans {
		lines = append(lines, []byte(test.in))
	}
	pieces := []string{"", "\"", "\\", "\\u", "{", "}", "[", "]", ",", ":", "\n", " ", "0", "-", ".", "e", "\xc3", "é", "\x01", `"a":1,`, `"id":0,`, `\ud800`}
	rapid.Check(t, func(t *rapid.T) {
		line := bytes.Clone(rapid.SampledFrom(lines).Draw(t, "line"))
		for range rapid.IntRange(0, 3).Draw(t, "changes") {
			at := rapid.IntRange(0, len(line)).Draw(t, "at")
			cut := rapid.IntRange(0, min(2, len(line)-at)).Draw(t, "cut")
			line = append(append(line[:at:at], rapid.SampledFrom(pieces).Draw(t, "piece")...), line[at+cut:]...)
		}
		if len(line) > 0 && line[0] == '{' && !bytes.Contains(line, []byte("\n")) {
			accepted(t, new(acceptor), line, Limits{})
		}
		compareShortCut(t, append(line, "\n{\"z\":1}\n"...), Limits{})
		compareShortCut(t, line, small)
	})
}

// compareShortCut reads a stream with the short cut and without.
func compareShortCut(tb rapid.TB, data []byte, lim Limits) {
	tb.Helper()
	read := func(plain bool) (all []string) {
		s := NewScanner(bytes.NewReader(data), lim)
		s.plain = plain
		for {
			v, err := s.Next()
			all = append(all, fmt.Sprintf("%s (%v)", event(v, err), err))
			if _, faulty := err.(*Fault); err != nil && !faulty {
				return append(all, fmt.Sprint(s.BytesRead()))
			}
		}
	}
	if diff := cmp.Diff(read(true), read(false)); diff != "" {
		tb.Fatalf("%q without the short cut (-) and with it (+):\n%s", data, diff)
	}
}

func FuzzAccept(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in)
		f.Add(append(in[:len(in):len(in)], "\n{\"z\":1}\n"...))
	}
	for line := range bytes.Lines(ndjson(2)) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		for _, lim := range []Limits{{}, small} {
			compareShortCut(t, data, lim)
			if line, _, _ := bytes.Cut(data, []byte("\n")); len(line) > 0 && line[0] == '{' {
				accepted(t, new(acceptor), line, lim)
			}
		}
	})
}
