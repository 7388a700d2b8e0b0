package strictjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// verdict writes what Validate returned: "" for nil, else the kind of the fault and its place.
func verdict(tb testing.TB, err error) (kind string, at int64) {
	tb.Helper()
	if err == nil {
		return "", 0
	}
	var f *Fault
	if !errors.As(err, &f) {
		tb.Fatalf("Validate() = %T, want a *Fault", err)
	}
	return kindOf(f), f.At
}

func TestValidate(t *testing.T) {
	deep := strings.Repeat
	for _, test := range []struct {
		name, in string
		kind     string // "" is valid
		at       int64
	}{
		{"object", `{"a":[1,-2.5e-7,"x",true,false,null,{}]}`, "", 0},
		{"array", `[]`, "", 0},
		{"scalar", ` 12 `, "", 0},
		{"zero", `0`, "", 0},
		{"minus zero", `-0`, "", 0},
		{"white space around", "\r\n\t {} \n", "", 0},
		{"names in other case", `{"id":1,"ID":2,"Id":3}`, "", 0},
		{"same name in several objects", `{"a":{"a":{"a":[{"a":1},{"a":2}]}}}`, "", 0},
		{"empty name", `{"":1}`, "", 0},
		{"NUL in a string", `{"\u0000":"\u0000"}`, "", 0},
		{"noncharacters", `["\uffff","\ufffe","\ufdd0"]`, "", 0},
		{"replacement character", `["\ufffd","` + "\ufffd" + `"]`, "", 0},
		{"mark in a string", "\"\ufeff\"", "", 0},
		{"DEL and C1 in a string", "\"\x7f\u0080\u2028\"", "", 0},
		{"number of any size", deep("9", 400) + "E" + deep("9", 30), "", 0},

		{"nothing", "", "syntax", 0},
		{"white space", " \n", "syntax", 2},
		{"byte order mark", "\ufeff{}", "mark", 0},
		{"mark behind a blank", " \ufeff{}", "syntax", 1},
		{"two values", `{} {}`, "trailing", 3},
		{"two lines", "{}\n{}", "trailing", 3},
		{"bracket behind", " {}]", "trailing", 3},
		{"NUL behind", "{}\x00", "trailing", 2},
		{"mark behind", "{}\ufeff", "trailing", 2},
		{"cut object", `{"a":1`, "cut", 6},
		{"cut array", ` [1,`, "cut", 4},
		{"cut string", `"a`, "cut", 2},
		{"cut escape", `"\u00`, "cut", 5},
		{"cut literal", ` tru`, "cut", 4},
		{"cut number", `[-`, "cut", 2},
		{"vertical tab", "[\v]", "syntax", 1},
		{"no-break space", "[\u00a0]", "syntax", 1},
		{"plus", `[+1]`, "syntax", 1},
		{"point first", `[.5]`, "syntax", 1},
		{"point last", `[5.]`, "syntax", 3},
		{"leading zero", `[01]`, "syntax", 2},
		{"minus and leading zero", `[-01]`, "syntax", 3},
		{"hexadecimal", `[0x1]`, "syntax", 2},
		{"NaN", `[NaN]`, "syntax", 1},
		{"Infinity", `[-Infinity]`, "syntax", 2},
		{"literal in other case", `[True]`, "syntax", 1},
		{"longer literal", `[nulls]`, "syntax", 5},
		{"comment", "[/**/]", "syntax", 1},
		{"single quotes", `['a']`, "syntax", 1},
		{"unquoted name", `{a:1}`, "syntax", 1},
		{"comma last", `{"a":1,}`, "syntax", 7},
		{"comma first", `[,1]`, "syntax", 1},
		{"bad escape", `["\a"]`, "syntax", 2},
		{"bad hexadecimal escape", `["ab\u12g4"]`, "syntax", 4},
		{"short escape", `"\u1"`, "syntax", 1},
		{"short escape like a surrogate", `"\ud8"`, "syntax", 1},
		{"upper-case U escape", `["\U0041"]`, "syntax", 2},
		{"line end in a string", "[\"a\n\"]", "syntax", 3},
		{"DEL outside strings", "[\x7f]", "syntax", 1},

		{"duplicate", ` {"a":1,"a":1}`, "duplicate", 8},
		{"duplicate of an escaped name", `{"\u0069d":1,"id":2}`, "duplicate", 13},
		{"duplicate of a pair", `{"` + "\U0001F600" + `":1, "\ud83d\ude00":2}`, "duplicate", 11},
		{"duplicate empty name", `{"":1,"":2}`, "duplicate", 6},
		{"third of a name", `{"a":1,"b":1,"b":2,"a":2}`, "duplicate", 13},
		{"duplicate deep inside", `{"x":[[{"y":{"a":1,"a":1}}]]}`, "duplicate", 19},
		{"duplicate among many", `{` + names(0, 5000) + `,"n17":0}`, "duplicate", int64(len(names(0, 5000)) + 2)},

		{"byte FF", "[\"ab\xff\"]", "utf8", 4},
		{"lone continuation", "[\"\x80\"]", "utf8", 2},
		{"overlong", "[\"\xc0\x80\"]", "utf8", 2},
		{"surrogate in UTF-8", "[\"\xed\xa0\x80\"]", "utf8", 2},
		{"above U+10FFFF", "[\"\xf4\x90\x80\x80\"]", "utf8", 2},
		{"short sequence", "[\"\xe2\x82\"]", "utf8", 2},
		{"bad byte in a name", "{\"a\":1,\"\xff\":2}", "utf8", 8},
		{"bad byte outside strings", "[\xff]", "utf8", 1},
		{"UTF-16", "\xff\xfe{\x00}\x00", "utf8", 0},

		{"high surrogate", `["x\ud83d"]`, "surrogate", 3},
		{"low surrogate", `["\ude00"]`, "surrogate", 2},
		{"pair in the wrong order", `["\ude00\ud83d"]`, "surrogate", 2},
		{"pair and a half", `["\ud83d\ude00\ud83dx"]`, "surrogate", 14},
		{"surrogate in upper case", `["\uDBFF"]`, "surrogate", 2},
		{"surrogate in a name", `{"\udfff":1}`, "surrogate", 2},
		{"last before the surrogates", `["\ud7ff\ue000"]`, "", 0},

		{"fault in front of the end", `{"a":1,"a":`, "duplicate", 7},
		{"fault in front of a bad byte", "{\"a\":1,\"a\":\"\xff\"}", "duplicate", 7},
		{"fault in front of trailing bytes", `{"a":1,"a":1} x`, "duplicate", 7},

		{"depth 128", deep("[", 128) + deep("]", 128), "", 0},
		{"depth 129", deep("[", 129) + deep("]", 129), "deep", 128},
		{"depth 128 in an unknown member", `{"x":` + deep(`{"y":`, 127) + `1` + deep("}", 128), "", 0},
		{"depth 129 in an unknown member", `{"x":` + deep(`{"y":`, 128) + `1` + deep("}", 129), "deep", 5 * 128},
		{"members 99,999", `{` + names(0, 99_999) + `}`, "", 0},
		{"members 100,000", `[{` + names(0, 100_000) + `}]`, "", 0},
		{"members 100,001", `[{` + names(0, 100_001) + `}]`, "members", int64(len(names(0, 100_000)) + 3)},
		{"members go before duplicates", `{` + names(0, 100_000) + `,"n0":0}`, "members", int64(len(names(0, 100_000)) + 2)},
	} {
		t.Run(test.name, func(t *testing.T) {
			kind, at := verdict(t, Validate(slices.Clip([]byte(test.in)), Limits{}))
			if kind != test.kind || at != test.at {
				t.Errorf("Validate(%.80q) = %s at %d, want %s at %d", test.in, kind, at, test.kind, test.at)
			}
		})
	}
}

// names returns the members "n<from>":0 to "n<to-1>":0.
func names(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		if i > from {
			b.WriteByte(',')
		}
		b.WriteString(`"n` + strconv.Itoa(i) + `":0`)
	}
	return b.String()
}

func TestValidateLimits(t *testing.T) {
	value := `{"a":{"b":[{}],"c":"` + strings.Repeat("x", 20) + `"}}`
	for _, test := range []struct {
		name string
		lim  Limits
		kind string
		at   int64
	}{
		{"at every limit", Limits{Bytes: int64(len(value)), Depth: 4, Members: 2}, "", 0},
		{"one byte less", Limits{Bytes: int64(len(value)) - 1, Depth: 4, Members: 2}, "large", int64(len(value)) - 1},
		{"one level less", Limits{Bytes: int64(len(value)), Depth: 3, Members: 2}, "deep", 11},
		{"one member less", Limits{Bytes: int64(len(value)), Depth: 4, Members: 1}, "members", 15},
		{"one more of each", Limits{Bytes: int64(len(value)) + 1, Depth: 5, Members: 3}, "", 0},
		{"the first of several", Limits{Bytes: 12, Depth: 3, Members: 1}, "deep", 11},
		{"defaults", Limits{Bytes: -1, Depth: -1, Members: -1}, "", 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			const around = "\n"
			kind, at := verdict(t, Validate([]byte(around+value+around), test.lim))
			if test.kind != "" {
				at -= int64(len(around))
			}
			if kind != test.kind || at != test.at {
				t.Errorf("Validate() = %s at %d, want %s at %d", kind, at, test.kind, test.at)
			}
		})
	}
}

// TestDepthOfDecoder pins the depth to which Limits.Depth is clamped: jsontext must read all of it.
func TestDepthOfDecoder(t *testing.T) {
	for depth, want := range map[int]string{maxDepth: "", maxDepth + 1: "deep"} {
		in := strings.Repeat("[", depth) + strings.Repeat("]", depth)
		if kind, _ := verdict(t, Validate([]byte(in), Limits{Depth: math.MaxInt})); kind != want {
			t.Errorf("Validate(depth %d) = %q, want %q", depth, kind, want)
		}
	}
}

func TestDefaultLimits(t *testing.T) {
	want := Limits{Bytes: 67_108_864, Depth: 128, Members: 100_000}
	if got := DefaultLimits(); got != want {
		t.Errorf("DefaultLimits() = %+v, want %+v", got, want)
	}
	if got := (Limits{}).orDefaults(); got != want {
		t.Errorf("limits of the zero value = %+v, want %+v", got, want)
	}
	most := Limits{Bytes: math.MaxInt64, Depth: math.MaxInt, Members: math.MaxInt}.orDefaults()
	if want := (Limits{Bytes: math.MaxInt - slack, Depth: 10_000, Members: math.MaxInt32}); most != want {
		t.Errorf("the highest limits = %+v, want %+v", most, want)
	}
}

func TestFaultText(t *testing.T) {
	for _, test := range []struct {
		name, in string
		lim      Limits
		want     string
	}{
		{"mark", "\ufeff1", Limits{}, `byte order mark at byte 0: the input starts with EF BB BF, want UTF-8 without a mark`},
		{"empty", "", Limits{}, `not JSON at byte 0: there is no value`},
		{"UTF-8", "\"\xff\"", Limits{}, `invalid UTF-8 at byte 1: found byte 0xFF`},
		{"UTF-16", "\xff\xfe{\x00}\x00", Limits{}, `invalid UTF-8 at byte 0: found FF FE, with which UTF-16 text begins`},
		{"UTF-16, the other order", " \xfe\xff\x00{\x00}", Limits{}, `invalid UTF-8 at byte 1: found FE FF, with which UTF-16 text begins`},
		{"UTF-16 in a string", "\"\xff\xfe\"", Limits{}, `invalid UTF-8 at byte 1: found byte 0xFF`},
		{"PEM", "-----BEGIN PRIVATE KEY-----\n", Limits{}, `not JSON at byte 1: found a PEM block, as keys come in`},
		{"surrogate", `"\uD800"`, Limits{}, `lone surrogate at byte 1: "\\uD800"`},
		{"duplicate", `{"a\nb":1,"a\nb":2}`, Limits{}, `duplicate member name at byte 10: "a\nb"`},
		{"long duplicate", `{"` + strings.Repeat("é", 50) + `":1,"` + strings.Repeat("é", 50) + `":2}`, Limits{}, `duplicate member name at byte 106: "` + strings.Repeat("é", 32) + `"…`},
		{"long duplicate, cut inside a character", `{"a` + strings.Repeat("é", 50) + `":1,"a` + strings.Repeat("é", 50) + `":2}`, Limits{}, `duplicate member name at byte 107: "a` + strings.Repeat("é", 31) + `"…`},
		{"trailing", "1 \x1b", Limits{}, `more bytes behind the value at byte 2: found '\x1b'`},
		{"depth", "[[[]]]", Limits{Depth: 2}, `nested too deep at byte 2: more than 2 levels`},
		{"members", `{"a":1,"b":2}`, Limits{Members: 1}, `too many members at byte 7: more than 1 in one object`},
		{"members of open objects", `{"a":{"b":{"c":{"d":{"e":1}}}}}`, Limits{Members: 1},
			`too many members at byte 21: more than 4 in the objects that are open at one place`},
		{"size", `"abc"`, Limits{Bytes: 4}, `value too large at byte 4: more than 4 bytes`},
		{"value", `{"a":}`, Limits{}, `not JSON at byte 5: found '}', expected a value`},
		{"element", `[,]`, Limits{}, `not JSON at byte 1: found ',', expected a value or ]`},
		{"element behind a comma", `[1,]`, Limits{}, `not JSON at byte 3: found ']', expected a value`},
		{"member", `{,}`, Limits{}, `not JSON at byte 1: found ',', expected a member name or }`},
		{"name", `{"a":1,}`, Limits{}, `not JSON at byte 7: found '}', expected a member name`},
		{"colon", `{"a"}`, Limits{}, `not JSON at byte 4: found '}', expected a colon`},
		{"comma in an object", `{"a":1]`, Limits{}, `not JSON at byte 6: found ']', expected a comma or }`},
		{"comma in an array", `[1}`, Limits{}, `not JSON at byte 2: found '}', expected a comma or ]`},
		{"control character", "\"\n\"", Limits{}, `not JSON at byte 1: found '\n', control characters in a string are written as escapes`},
		{"escape", `"\x"`, Limits{}, `not JSON at byte 1: no such escape sequence`},
		{"number", `[1.e]`, Limits{}, `not JSON at byte 3: found 'e' in a number or literal`},
		{"number before a blank", `1. `, Limits{}, `not JSON at byte 2: found ' ', inside a number or literal`},
		{"cut in a string", `"a`, Limits{}, `input ends inside a value at byte 2: inside a string`},
		{"cut in a literal", `[t`, Limits{}, `input ends inside a value at byte 2: inside a number or literal`},
		{"cut literal", `t`, Limits{}, `input ends inside a value at byte 1: inside a number or literal`},
		{"cut array", `[{}`, Limits{}, `input ends inside a value at byte 3: expected a comma or ]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := Validate([]byte(test.in), test.lim)
			if err == nil || err.Error() != test.want {
				t.Errorf("Validate(%q) = %v, want %s", test.in, err, test.want)
			}
		})
	}
}

// escapes finds the escape sequences of well-formed JSON strings.
var escapes = regexp.MustCompile(`\\(u[0-9A-Fa-f]{4}|.)`)

var pair = regexp.MustCompile(`^u[Dd][89ABab]..u[Dd][C-Fc-f]..$`)

// hasLoneSurrogate is an oracle for well-formed JSON: an escape of U+D800 to U+DFFF is lone unless it stands directly in
// front of its other half or behind it.
func hasLoneSurrogate(data []byte) bool {
	places := escapes.FindAllIndex(data, -1)
	half := func(i int) bool {
		e := data[places[i][0]+1 : places[i][1]]
		return len(e) == 5 && (e[1] == 'd' || e[1] == 'D') && strings.IndexByte("89abcdefABCDEF", e[2]) >= 0
	}
	for i := 0; i < len(places); i++ {
		if !half(i) {
			continue
		}
		if i+1 == len(places) || places[i][1] != places[i+1][0] || !half(i+1) {
			return true
		}
		both := string(data[places[i][0]+1:places[i][1]]) + string(data[places[i+1][0]+1:places[i+1][1]])
		if !pair.MatchString(both) {
			return true
		}
		i++
	}
	return false
}

// hasDuplicate is an oracle for well-formed JSON, after unescaping as encoding/json does it.
func hasDuplicate(tb testing.TB, data []byte) bool {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	type object struct {
		names map[string]bool // nil for an array
		name  bool            // a name comes next
	}
	open := []object{{}}
	duplicate := false
	for {
		token, err := d.Token()
		if err == io.EOF {
			return duplicate
		}
		if err != nil {
			tb.Fatalf("Token() = %v", err)
		}
		top := &open[len(open)-1]
		switch {
		case token == json.Delim('{'):
			top.name = true
			open = append(open, object{names: map[string]bool{}, name: true})
		case token == json.Delim('['):
			top.name = true
			open = append(open, object{})
		case token == json.Delim('}'), token == json.Delim(']'):
			open = open[:len(open)-1]
		case top.names != nil && top.name:
			name := token.(string)
			duplicate = duplicate || top.names[name]
			top.names[name] = true
			top.name = false
		default:
			top.name = true
		}
	}
}

// FuzzValidate compares Validate with encoding/json, which knows the grammar and nothing of the rest, and with oracles for
// the rest; and with jsontext, which must agree within the limits.
func FuzzValidate(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in)
	}
	f.Add([]byte(`{"a":{"a":[1,{"b":"\u0061\\","b":-0.5E+3}]},"c":[true,false,null,""],"\u0063":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		kind, at := verdict(t, Validate(data, Limits{Depth: maxDepth}))
		if at < 0 || at > int64(len(data)) {
			t.Fatalf("Validate(%q) = %s at %d, outside the input", data, kind, at)
		}
		if got, want := kind == "", jsontext.Value(data).IsValid(); got != want {
			t.Fatalf("Validate(%q) = %q at %d, jsontext says valid is %v", data, kind, at, want)
		}
		if bad := bytes.HasPrefix(data, []byte("\ufeff")); bad || kind == "mark" {
			if !bad || kind != "mark" {
				t.Fatalf("Validate(%q) = %s", data, kind)
			}
			return
		}

		// encoding/json stops at its first fault of grammar, or at the end; ours cannot stand behind that.
		grammar := int64(-1)
		var raw json.RawMessage
		var syntax *json.SyntaxError
		if err := json.Unmarshal(data, &raw); errors.As(err, &syntax) {
			grammar = syntax.Offset - 1
		}
		switch kind {
		case "":
			if grammar >= 0 || !utf8.Valid(data) || hasDuplicate(t, data) || hasLoneSurrogate(data) {
				t.Fatalf("Validate(%q) = nil", data)
			}
		case "syntax", "trailing":
			escape := at < int64(len(data)) && data[at] == '\\' && at < grammar && grammar <= at+5
			if at != grammar && !escape && at != int64(len(data)) {
				t.Fatalf("Validate(%q) = %s at %d, encoding/json finds a fault at %d", data, kind, at, grammar)
			}
		case "cut":
			if at != int64(len(data)) || json.Valid(data) {
				t.Fatalf("Validate(%q) = cut at %d", data, at)
			}
		case "utf8":
			if utf8.Valid(data) || !utf8.Valid(data[:at]) || grammar >= 0 && at > grammar {
				t.Fatalf("Validate(%q) = utf8 at %d", data, at)
			}
		case "duplicate":
			if data[at] != '"' || grammar >= 0 && at > grammar || grammar < 0 && !hasDuplicate(t, data) {
				t.Fatalf("Validate(%q) = duplicate at %d", data, at)
			}
		case "surrogate":
			if data[at] != '\\' || grammar >= 0 && at > grammar || grammar < 0 && !hasLoneSurrogate(data) {
				t.Fatalf("Validate(%q) = surrogate at %d", data, at)
			}
		default:
			if kind != "deep" && kind != "members" {
				t.Fatalf("Validate(%q) = %s at %d", data, kind, at)
			}
		}
	})
}

// seeds returns what the fuzz targets start from, and fails where that is next to nothing.
func seeds(f *testing.F) (in [][]byte) {
	for _, test := range scans {
		in = append(in, []byte(test.in))
	}
	if len(in) < 100 {
		f.Fatalf("%d seeds", len(in))
	}
	return in
}

// TestPlainEnd compares the search by words with one by bytes, with every byte at every place and neighbours that borrow.
func TestPlainEnd(t *testing.T) {
	plain := func(c byte) bool { return c >= ' ' && c != '"' && c != '\\' }
	for c := range 256 {
		for _, around := range []byte{' ', '!', '#', '[', ']', 'x', 0x7f, 0x80, 0xa2, 0xff} {
			for size := 1; size <= 20; size++ {
				for at := range size {
					b := bytes.Repeat([]byte{around}, size)
					b[at] = byte(c)
					want := size
					if !plain(byte(c)) {
						want = at
					}
					if got := plainEnd(b, 0); got != want {
						t.Fatalf("plainEnd(%q) = %d, want %d", b, got, want)
					}
				}
			}
		}
	}
}

// The names of all objects that are open at one place are remembered at once: together they have a limit too, of four times
// the one of an object. Objects that are closed, and arrays, do not count.
func TestOpenMembers(t *testing.T) {
	// nest is an object inside another, each with n members, the last of which holds the next.
	var nest func(n int, rest ...int) string
	nest = func(n int, rest ...int) string {
		var b strings.Builder
		for i := range n - 1 {
			fmt.Fprintf(&b, `"%d":[],`, i)
		}
		inner := "0"
		if len(rest) > 0 {
			inner = "[" + nest(rest[0], rest[1:]...) + "]"
		}
		return "{" + b.String() + `"last":` + inner + "}"
	}
	for _, test := range []struct {
		name, in string
		want     bool
	}{
		{"below", nest(3, 3, 3, 2), true},
		{"at the limit", nest(3, 3, 3, 3), true},
		{"at the limit, deeper", nest(2, 2, 2, 2, 2, 2), true},
		{"one more", nest(3, 3, 3, 3, 1), false},
		{"one more, in one of them", nest(3, 3, 2, 2, 3), false},
		{"side by side", "[" + nest(3, 3, 3, 3) + "," + nest(3, 3, 3, 3) + "]", true},
		{"closed in front", `{"a":` + nest(3, 3, 3) + `,"b":` + nest(3, 3, 3) + `,"c":` + nest(3, 3, 3) + "}", true},
		{"closed in front, one more", `{"a":` + nest(3, 3, 3) + `,"b":` + nest(3, 3, 3) + `,"c":` + nest(3, 3, 3, 1) + "}", false},
	} {
		err := Validate([]byte(test.in), Limits{Members: 3})
		if test.want && err != nil || !test.want && !errors.Is(err, ErrTooManyMembers) {
			t.Errorf("%s: Validate(%s) = %v, want it good: %v", test.name, test.in, err, test.want)
		}
	}
}
