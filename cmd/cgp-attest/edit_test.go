package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// scriptEdit changes one value of a file of JSON values and leaves every other byte as it is. A PLACE is the number of the
// value in the file, from 1, and a JSON pointer into it.
//
//	edit FILE set PLACE JSON    the value becomes JSON
//	edit FILE drop PLACE        the member or element goes
//	edit FILE add PLACE JSON    a member at the end of its object, or an element in front of that index; - is the end
//	edit FILE copy FROM TO      the value at TO becomes the one at FROM
//	edit FILE swap PLACE PLACE  the two values change places
//	edit FILE flip PLACE        the last bit of a string of hex digits is flipped
//	edit FILE upper PLACE       the hex digits of a string, behind sha256: where that is, become uppercase
func scriptEdit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: edit FILE set|drop|add|copy|swap|flip|upper PLACE [ARG]")
	}
	file := ts.MkAbs(args[0])
	data, err := os.ReadFile(file)
	ts.Check(err)
	data, err = edit(data, args[1], args[2:]...)
	if err != nil {
		ts.Fatalf("edit %s: %v", strings.Join(args, " "), err)
	}
	ts.Check(os.WriteFile(file, data, 0o644))
}

func edit(data []byte, verb string, args ...string) ([]byte, error) {
	if want := map[string]int{"set": 2, "drop": 1, "add": 2, "copy": 2, "swap": 2, "flip": 1, "upper": 1}[verb]; want != len(args) {
		return nil, fmt.Errorf("%s: found %d arguments, want %d", verb, len(args), want)
	}
	if verb == "add" {
		return add(data, args[0], args[1])
	}
	at, err := locate(data, args[0])
	if err != nil {
		return nil, err
	}
	switch verb {
	case "set":
		return replace(data, at.value, args[1]), nil
	case "drop":
		return replace(data, at.whole, ""), nil
	case "flip":
		return flip(data, at.value)
	case "upper":
		text, prefixed := strings.CutPrefix(at.value.of(data), `"sha256:`)
		if !prefixed {
			return replace(data, at.value, strings.ToUpper(text)), nil
		}
		return replace(data, at.value, `"sha256:`+strings.ToUpper(text)), nil
	}
	other, err := locate(data, args[1])
	if err != nil {
		return nil, err
	}
	first, second := at.value.of(data), other.value.of(data)
	if verb == "copy" {
		return replace(data, other.value, first), nil
	}
	if at.value.start > other.value.start {
		at, other, first, second = other, at, second, first
	}
	return replace(replace(data, other.value, first), at.value, second), nil
}

type extent struct{ start, end int }

func (e extent) of(data []byte) string { return string(data[e.start:e.end]) }

func replace(data []byte, e extent, by string) []byte {
	return append(append(append([]byte{}, data[:e.start]...), by...), data[e.end:]...)
}

// flip flips the last bit of the last hex digit of a string.
func flip(data []byte, e extent) ([]byte, error) {
	digit, err := strconv.ParseUint(string(data[e.end-2:e.end-1]), 16, 4)
	if err != nil {
		return nil, err
	}
	return replace(data, extent{e.end - 2, e.end - 1}, strconv.FormatUint(digit^1, 16)), nil
}

// A location is a value in a file, and what goes with it when it is dropped: its name, and the comma.
type location struct{ value, whole extent }

func locate(data []byte, place string) (location, error) {
	tokens, value, err := begin(data, place)
	at := location{value: value, whole: value}
	for _, token := range tokens {
		if err != nil {
			return at, err
		}
		at, err = step(data, at.value, token)
	}
	return at, err
}

// begin finds the value of a file that a place is in.
func begin(data []byte, place string) (tokens []string, value extent, err error) {
	number, pointer, _ := strings.Cut(place, "/")
	want, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		return nil, value, err
	}
	scan := strictjson.NewScanner(bytes.NewReader(data), strictjson.DefaultLimits())
	for {
		v, err := scan.Next()
		if errors.Is(err, io.EOF) {
			return nil, value, fmt.Errorf("the file has no value %d", want)
		}
		if err != nil {
			return nil, value, err
		}
		if v.Number == want {
			value = extent{int(v.Offset), int(v.Offset) + len(v.Bytes)}
			break
		}
	}
	if pointer != "" {
		tokens = strings.Split(pointer, "/")
	}
	return tokens, value, nil
}

// step goes from a value to its member or element.
func step(data []byte, in extent, token string) (location, error) {
	type item struct {
		name string
		location
	}
	var items []item
	v := data[in.start:in.end]
	for m := range strictjson.Members(v) {
		items = append(items, item{m.Name, location{
			value: extent{in.start + m.Start, in.start + m.End}, whole: extent{in.start + m.NameStart, in.start + m.End},
		}})
	}
	for e := range strictjson.Elements(v) {
		at := extent{in.start + e.Start, in.start + e.End}
		items = append(items, item{strconv.Itoa(len(items)), location{at, at}})
	}
	for i, it := range items {
		if it.name != token {
			continue
		}
		switch {
		case i+1 < len(items):
			it.whole.end = items[i+1].whole.start
		case i > 0:
			it.whole.start = items[i-1].whole.end
		}
		return it.location, nil
	}
	return location{}, fmt.Errorf("%q is not there", token)
}

func add(data []byte, place, json string) ([]byte, error) {
	above, token := place[:strings.LastIndexByte(place, '/')], place[strings.LastIndexByte(place, '/')+1:]
	in, err := locate(data, above)
	if err != nil {
		return nil, err
	}
	last := extent{in.value.end - 1, in.value.end - 1}
	inside := strings.TrimSpace(string(data[in.value.start+1 : last.end]))
	switch {
	case data[in.value.start] == '{':
		json = strconv.Quote(token) + ":" + json
	case token != "-":
		at, err := locate(data, place)
		if err != nil {
			return nil, err
		}
		return replace(data, extent{at.value.start, at.value.start}, json+","), nil
	}
	if inside != "" {
		json = "," + json
	}
	return replace(data, last, json), nil
}

func TestEdit(t *testing.T) {
	const in = `{"a":1} {"b" : [1, "0f", "sha256:ab"], "c":null}`
	tests := []struct{ name, args, want string }{
		{"set", `set 2/c {}`, `{"a":1} {"b" : [1, "0f", "sha256:ab"], "c":{}}`},
		{"set a whole value", `set 1 2`, `2 {"b" : [1, "0f", "sha256:ab"], "c":null}`},
		{"drop the first", `drop 2/b`, `{"a":1} {"c":null}`},
		{"drop the last", `drop 2/c`, `{"a":1} {"b" : [1, "0f", "sha256:ab"]}`},
		{"drop the only one", `drop 1/a`, `{} {"b" : [1, "0f", "sha256:ab"], "c":null}`},
		{"drop an element", `drop 2/b/1`, `{"a":1} {"b" : [1, "sha256:ab"], "c":null}`},
		{"add a member", `add 1/d true`, `{"a":1,"d":true} {"b" : [1, "0f", "sha256:ab"], "c":null}`},
		{"add an element", `add 2/b/0 9`, `{"a":1} {"b" : [9,1, "0f", "sha256:ab"], "c":null}`},
		{"add at the end", `add 2/b/- 9`, `{"a":1} {"b" : [1, "0f", "sha256:ab",9], "c":null}`},
		{"copy", `copy 1/a 2/c`, `{"a":1} {"b" : [1, "0f", "sha256:ab"], "c":1}`},
		{"swap", `swap 2/b/2 2/b/0`, `{"a":1} {"b" : ["sha256:ab", "0f", 1], "c":null}`},
		{"swap between values", `swap 2/c 1/a`, `{"a":null} {"b" : [1, "0f", "sha256:ab"], "c":1}`},
		{"flip", `flip 2/b/1`, `{"a":1} {"b" : [1, "0e", "sha256:ab"], "c":null}`},
		{"upper", `upper 2/b/2`, `{"a":1} {"b" : [1, "0f", "sha256:AB"], "c":null}`},
	}
	for _, tt := range tests {
		args := strings.Split(tt.args, " ")
		got, err := edit([]byte(in), args[0], args[1:]...)
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: edit(%s) = %s, %v, want %s", tt.name, tt.args, got, err, tt.want)
		}
	}
	for _, args := range []string{"set 2/x 1", "set 3/a 1", "set a 1", "drop 2/b/7", "flip 2/c", "turn 2/c", "set 2/c"} {
		list := strings.Split(args, " ")
		if got, err := edit([]byte(in), list[0], list[1:]...); err == nil {
			t.Errorf("edit(%s) = %s, want an error", args, got)
		}
	}
}
