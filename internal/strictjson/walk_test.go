package strictjson

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

func TestMembers(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"empty", `{}`, nil},
		{"blank", " { } ", nil},
		{"one", `{"a":1}`, []string{`a 1-5-6 1`}},
		{"several", ` { "a" : [1,"]}"] , "b":{"c":"\"}"},` + "\n" + `"\u0069d":"x\\" } `, []string{`a 3-9-17 [1,"]}"]`, `b 20-24-35 {"c":"\"}"}`, `id 37-47-52 "x\\"`}},
		{"scalars", `{"a":-1.5e3,"b":true,"c":null,"":"é"}`, []string{`a 1-5-11 -1.5e3`, `b 12-16-20 true`, `c 21-25-29 null`, ` 30-33-37 "é"`}},
		{"array", `[{"a":1}]`, nil},
		{"string", `"{}"`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for m := range Members([]byte(test.in)) {
				if span := test.in[m.Start:m.End]; span != string(m.Value) || test.in[m.NameStart] != '"' {
					t.Errorf("member %q: value %s, want its span %s", m.Name, m.Value, span)
				}
				got = append(got, fmt.Sprintf("%s %d-%d-%d %s", m.Name, m.NameStart, m.Start, m.End, m.Value))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Members(%s) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

func TestElements(t *testing.T) {
	for _, test := range []struct {
		name, in string
		want     []string
	}{
		{"empty", `[]`, nil},
		{"blank", " [\n] ", nil},
		{"several", ` [ 1 ,"]",[2,[3]],` + "\n" + `{"a":[]} ] `, []string{`3-4 1`, `6-9 "]"`, `10-17 [2,[3]]`, `19-27 {"a":[]}`}},
		{"object", `{"a":[1]}`, nil},
		{"null", `null`, nil},
		{"nothing", ``, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for e := range Elements([]byte(test.in)) {
				got = append(got, fmt.Sprintf("%d-%d %s", e.Start, e.End, e.Value))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("Elements(%s) (-want +got):\n%s", test.in, diff)
			}
		})
	}
}

// TestWalkStops leaves both loops early, and appends to a span without touching what stands behind it.
func TestWalkStops(t *testing.T) {
	obj, arr := jsontext.Value(`{"a":1,"b":2}`), jsontext.Value(`[1,2]`)
	for m := range Members(obj) {
		_ = append(m.Value, "xxx"...)
		break
	}
	for e := range Elements(arr) {
		_ = append(e.Value, "xxx"...)
		break
	}
	if string(obj) != `{"a":1,"b":2}` || string(arr) != `[1,2]` {
		t.Errorf("a span shares room with what follows it: %s %s", obj, arr)
	}
}

func TestString(t *testing.T) {
	for _, test := range []struct {
		name, in, text string
		present, ok    bool
	}{
		{"empty", `""`, "", true, true},
		{"text", ` "a b" `, "a b", true, true},
		{"escapes", `"\"\\\/\b\f\n\r\t\u0041\ud83d\ude00"`, "\"\\/\b\f\n\r\tA\U0001F600", true, true},
		{"NUL", `"\u0000"`, "\x00", true, true},
		{"null", `null`, "", false, true},
		{"number", `1`, "", false, false},
		{"literal", `true`, "", false, false},
		{"array", `["a"]`, "", false, false},
		{"object", `{"a":"b"}`, "", false, false},
		{"nothing", ``, "", false, false},
		{"a quote", `"`, "", false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := jsontext.Value(test.in)
			if s, ok := String(v); s != test.text || ok != (test.ok && test.present) {
				t.Errorf("String(%s) = %q, %v", test.in, s, ok)
			}
			if s, present, ok := OptionalString(v); s != test.text || present != test.present || ok != test.ok {
				t.Errorf("OptionalString(%s) = %q, %v, %v, want %q, %v, %v", test.in, s, present, ok, test.text, test.present, test.ok)
			}
		})
	}
}

func TestUint64(t *testing.T) {
	for _, test := range []struct {
		in   string
		want uint64
		ok   bool
	}{
		{"0", 0, true}, {"7", 7, true}, {" 10 ", 10, true},
		{"9007199254740993", 1<<53 + 1, true},
		{"9223372036854775808", 1 << 63, true},
		{"18446744073709551615", math.MaxUint64, true},
		{"18446744073709551616", 0, false}, {"18446744073709551620", 0, false}, {"99999999999999999999", 0, false}, {"184467440737095516150", 0, false},
		{"-0", 0, false}, {"-1", 0, false}, {"+1", 0, false}, {"00", 0, false}, {"01", 0, false},
		{"7.0", 0, false}, {"7e0", 0, false}, {"7E0", 0, false}, {"1e1", 0, false},
		{`"7"`, 0, false}, {"null", 0, false}, {"true", 0, false}, {"[7]", 0, false}, {"", 0, false},
	} {
		if got, ok := Uint64([]byte(test.in)); got != test.want && test.ok || ok != test.ok {
			t.Errorf("Uint64(%s) = %d, %v, want %d, %v", test.in, got, ok, test.want, test.ok)
		}
	}
}

func TestBoolAndKind(t *testing.T) {
	for _, test := range []struct {
		in    string
		b, ok bool
		kind  jsontext.Kind
	}{
		{"true", true, true, jsontext.KindTrue}, {"\nfalse ", false, true, jsontext.KindFalse},
		{"null", false, false, jsontext.KindNull}, {"-1", false, false, jsontext.KindNumber}, {`"true"`, false, false, jsontext.KindString},
		{"[true]", false, false, jsontext.KindBeginArray}, {" {}", false, false, jsontext.KindBeginObject}, {"", false, false, jsontext.KindInvalid},
	} {
		if b, ok := Bool([]byte(test.in)); b != test.b || ok != test.ok {
			t.Errorf("Bool(%s) = %v, %v, want %v, %v", test.in, b, ok, test.b, test.ok)
		}
		if kind := Kind([]byte(test.in)); kind != test.kind {
			t.Errorf("Kind(%s) = %v, want %v", test.in, kind, test.kind)
		}
	}
}

// walked builds with this package what encoding/json decodes into an any.
func walked(v jsontext.Value) any {
	switch Kind(v) {
	case jsontext.KindBeginObject:
		object := map[string]any{}
		for m := range Members(v) {
			object[m.Name] = walked(m.Value)
		}
		return object
	case jsontext.KindBeginArray:
		array := []any{}
		for e := range Elements(v) {
			array = append(array, walked(e.Value))
		}
		return array
	case jsontext.KindString:
		s, _ := String(v)
		return s
	case jsontext.KindTrue, jsontext.KindFalse:
		b, _ := Bool(v)
		return b
	case jsontext.KindNull:
		return nil
	default:
		return json.Number(strings.TrimSpace(string(v)))
	}
}

// FuzzWalk compares a walk with what encoding/json decodes. What did not pass Validate must still not panic.
func FuzzWalk(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in)
	}
	f.Add([]byte(` { "a" : [ 1 , "\"]" , { } ] , "\u0062" : { "c" : [ [ ] , null ] } } `))
	f.Fuzz(func(t *testing.T, data []byte) {
		got := walked(data)
		if Validate(data, Limits{}) != nil {
			return
		}
		var want any
		d := json.NewDecoder(strings.NewReader(string(data)))
		d.UseNumber()
		if err := d.Decode(&want); err != nil {
			t.Fatalf("Validate(%q) = nil, encoding/json: %v", data, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("walk of %q (-want +got):\n%s", data, diff)
		}
	})
}
