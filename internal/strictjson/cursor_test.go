package strictjson

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
)

// read builds with a Cursor what encoding/json decodes into an any. Members whose names pass is true for are left alone.
func read(c *Cursor, pass func(name string) bool) any {
	switch c.Kind() {
	case jsontext.KindBeginObject:
		object := map[string]any{}
		for c.Object(); ; {
			name, ok := c.Member()
			if !ok {
				return object
			}
			if key := string(name); !pass(key) {
				object[key] = read(c, pass)
			}
		}
	case jsontext.KindBeginArray:
		array := []any{}
		for c.Array(); c.Element(); {
			array = append(array, read(c, pass))
		}
		return array
	case jsontext.KindString:
		return string(AppendText(nil, c.Raw()))
	case jsontext.KindTrue:
		c.Raw()
		return true
	case jsontext.KindFalse:
		c.Raw()
		return false
	case jsontext.KindNull:
		c.Raw()
		return nil
	default:
		return json.Number(c.Raw())
	}
}

func TestCursorPlaces(t *testing.T) {
	in := ` { "a" : [ 1 , "]" ] ,"b":{}, "c" : -2 }x`
	c := CursorAt([]byte(in), 0)
	var got []string
	for c.Object(); ; {
		name, ok := c.Member()
		if !ok {
			break
		}
		got = append(got, fmt.Sprintf("%s %d-%d %v", name, c.At(), c.End(), c.Kind()))
	}
	want := []string{`a 9-20 [`, `b 26-28 {`, `c 36-38 number`}
	if diff := cmp.Diff(want, got); diff != "" || in[c.At():] != "x" {
		t.Errorf("members (-want +got):\n%s, rest %q", diff, in[c.At():])
	}
}

func TestAppendText(t *testing.T) {
	for _, text := range []string{
		``, `a`, `1234567`, `12345678`, `123456789`, `\\`, `\"`, `1234567\n`, `12345678\n`, `123456\n`, `12345678\n1`, `\b\f\n\r\t\/`,
		`\u0041`, `x\u00e9y`, `\ud83d\ude00`, `12345678\u0041\n`, `\n\n\n\n\n\n\n\n\n`, `naïve \n café`, strings.Repeat(`12345\n`, 50),
	} {
		v := `"` + text + `"`
		var want string
		if err := json.Unmarshal([]byte(v), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(AppendText([]byte("before"), []byte(v))); got != "before"+want {
			t.Errorf("AppendText(%s) = %q, want %q behind before", v, got, want)
		}
	}
}

// FuzzCursor compares a Cursor with encoding/json, whether it enters values or goes past them. What did not pass Validate must
// still not panic.
func FuzzCursor(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in)
	}
	f.Add([]byte(` { "a" : [ 1 , "\"]" , { } ] , "\u0062" : { "c" : [ [ ] , null ] } } `))
	f.Add([]byte(`"`))
	f.Add([]byte(`[}`))
	f.Add([]byte(`{"\\":"\\","\\\"":["\\\\\"",{"x":"}"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		all := func(string) bool { return false }
		long := func(name string) bool { return len(name) > 1 }
		c, past := CursorAt(data, 0), CursorAt(data, 0)
		got, some := read(&c, all), read(&past, long)
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
			t.Errorf("%q read by a Cursor (-want +got):\n%s", data, diff)
		}
		if diff := cmp.Diff(without(want, long), some); diff != "" {
			t.Errorf("%q read by a Cursor that passes names over (-want +got):\n%s", data, diff)
		}
		if c.At() != past.At() {
			t.Errorf("%q: the end is %d or %d", data, c.At(), past.At())
		}
	})
}

// without drops the members whose names pass is true for.
func without(v any, pass func(string) bool) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, value := range v {
			if !pass(name) {
				out[name] = without(value, pass)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, value := range v {
			out = append(out, without(value, pass))
		}
		return out
	}
	return v
}

// FuzzDefer compares a Scanner that takes the short cut and leaves values Unjudged, each of which is then judged, with one that
// frames and judges all itself.
func FuzzDefer(f *testing.F) {
	for _, in := range seeds(f) {
		f.Add(in)
	}
	for _, in := range []string{
		"{\"a\":1,\"a\":2} {\"b\":1}\n{\"c\":1}", "{\"a\":tru}x\n{}", "{\"a\":\"\\u\"}", "{\"a\":\"\\ud800\"}\n[{\"a\":1,\"a\":2},{}]", "\ufeff{\"a\":1,\"a\":2}\n{}",
		"{\n\"a\":1,\"a\":2}\n{}", "{\"a\":\"\xff\"} \n {}", "{\"a\":01}{}", "{\"a\":\"\x01\"}{\"b\":2}\n{}",
	} {
		f.Add([]byte(in))
	}
	lim := Limits{Bytes: 1 << 12, Depth: 8, Members: 8}
	f.Fuzz(func(t *testing.T, data []byte) {
		plain, deferring := NewScanner(strings.NewReader(string(data)), lim), NewScanner(strings.NewReader(string(data)), lim)
		plain.Plain()
		deferring.Defer()
		var judge Judge
		for {
			want, wantErr := plain.Next()
			got, err := deferring.Next()
			if got.Unjudged {
				if fault := judge.Check(got); fault != nil {
					got.Bytes, err = nil, fault
				}
				got.Unjudged = false
			}
			if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(wantErr) != fmt.Sprint(err) {
				t.Fatalf("%q: %v, want %v; value (-want +got):\n%s", data, err, wantErr, diff)
			}
			if _, faulty := wantErr.(*Fault); wantErr != nil && !faulty {
				return
			}
		}
	})
}
