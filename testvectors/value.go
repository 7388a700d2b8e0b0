package testvectors

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// A JSON value is nil, a bool, a string, a Number, a List or an Object. Objects keep the order of their members, numbers their
// spelling.
type (
	// Number is a JSON number as it is spelt.
	Number string
	// List is a JSON array.
	List []any
	// Object is a JSON object.
	Object []Member
	// Member is one member of an Object.
	Member struct {
		Name  string
		Value any
	}
)

// integer returns the number n.
func integer[N int | uint64](n N) Number { return Number(fmt.Sprint(n)) }

// object makes an object of names and values in turn.
func object(pairs ...any) Object {
	o := make(Object, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, Member{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// Find returns the value of a member, and whether there is one.
func (o Object) Find(name string) (any, bool) {
	for i := range o {
		if o[i].Name == name {
			return o[i].Value, true
		}
	}
	return nil, false
}

// with returns a copy of o with a member set.
func (o Object) with(name string, v any) Object {
	out := slices.Clone(o)
	for i := range out {
		if out[i].Name == name {
			out[i].Value = v
			return out
		}
	}
	return append(out, Member{name, v})
}

// without returns a copy of o without a member.
func (o Object) without(name string) Object {
	return slices.DeleteFunc(slices.Clone(o), func(m Member) bool { return m.Name == name })
}

// text returns a member that is a string; present is false where it is missing or null, ok false where it is anything else.
func (o Object) text(name string) (s string, present, ok bool) {
	switch v, _ := o.Find(name); v := v.(type) {
	case nil:
		return "", false, true
	case string:
		return v, true, true
	}
	return "", false, false
}

// parseValue reads one JSON value on the terms of strictjson, of any size up to that of the largest case.
func parseValue(text []byte) (any, error) {
	limits := strictjson.Limits{Bytes: 64 << 20, Depth: 1024, Members: 1 << 20}
	if err := strictjson.Validate(text, limits); err != nil {
		return nil, err
	}
	return valueOf(text), nil
}

// valueOf turns a value that was validated into a tree.
func valueOf(v jsontext.Value) any {
	switch strictjson.Kind(v) {
	case 'n':
		return nil
	case 't', 'f':
		b, _ := strictjson.Bool(v)
		return b
	case '"':
		s, _ := strictjson.String(v)
		return s
	case '[':
		list := List{}
		for e := range strictjson.Elements(v) {
			list = append(list, valueOf(e.Value))
		}
		return list
	case '{':
		o := Object{}
		for m := range strictjson.Members(v) {
			o = append(o, Member{m.Name, valueOf(m.Value)})
		}
		return o
	}
	return Number(strings.TrimSpace(string(v)))
}

// appendValue appends a value as JSON without white space: the one spelling in which values are written and compared.
func appendValue(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return appendText(dst, v)
	case Number:
		return append(dst, v...)
	case List:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, e)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, m.Name), ':')
			dst = appendValue(dst, m.Value)
		}
		return append(dst, '}')
	}
	panic(fmt.Sprintf("testvectors: %T is no JSON value", v))
}

// appendText appends a JSON string in ASCII: whatever an editor, a terminal or a normalising tool might change stands as an
// escape.
func appendText(dst []byte, s string) []byte {
	const digits = "0123456789abcdef"
	unit := func(u rune) {
		dst = append(dst, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	dst = append(dst, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r >= 0x10000:
			r -= 0x10000
			unit(0xd800 + r>>10)
			unit(0xdc00 + r&0x3ff)
		case r < ' ' || r > '~':
			unit(r)
		default:
			dst = append(dst, byte(r))
		}
	}
	return append(dst, '"')
}

func marshal(v any) []byte { return appendValue(nil, v) }

// equal reports whether two values are the same; members of objects have no order.
func equal(a, b any) bool {
	switch a := a.(type) {
	case List:
		b, ok := b.(List)
		return ok && slices.EqualFunc(a, b, equal)
	case Object:
		b, ok := b.(Object)
		if !ok || len(a) != len(b) {
			return false
		}
		for _, m := range a {
			v, ok := b.Find(m.Name)
			if !ok || !equal(m.Value, v) {
				return false
			}
		}
		return true
	}
	switch b.(type) {
	case List, Object:
		return false
	}
	return a == b
}

// maxExpanded bounds the bytes of one expanded string.
const maxExpanded = 16 << 20

// u64Suffix ends the name of a member whose value is an integer above 2^53−1, as a decimal string.
const u64Suffix = "_u64"

// Expand returns an input as it is meant: {"repeat":[TEXT,N]} is TEXT N times, with a member "then", a string or such an object
// again, followed by that; a member NAME_u64 with a decimal string is the member NAME with that integer.
func Expand(v any) (any, error) {
	switch v := v.(type) {
	case List:
		out := make(List, len(v))
		for i, e := range v {
			var err error
			if out[i], err = Expand(e); err != nil {
				return nil, err
			}
		}
		return out, nil
	case Object:
		if _, ok := v.Find("repeat"); ok {
			return expandRepeat(v)
		}
		out := make(Object, 0, len(v))
		for _, m := range v {
			if name, big := strings.CutSuffix(m.Name, u64Suffix); big {
				text, ok := m.Value.(string)
				if _, err := strconv.ParseUint(text, 10, 64); !ok || err != nil {
					return nil, fmt.Errorf("%s: %.40q is no decimal integer below 2^64", m.Name, text)
				}
				out = append(out, Member{name, Number(text)})
				continue
			}
			e, err := Expand(m.Value)
			if err != nil {
				return nil, err
			}
			out = append(out, Member{m.Name, e})
		}
		return out, nil
	}
	return v, nil
}

func expandRepeat(o Object) (any, error) {
	v, _ := o.Find("repeat")
	pair, ok := v.(List)
	if !ok || len(pair) != 2 {
		return nil, fmt.Errorf("repeat: want a text and how often it stands there")
	}
	text, isText := pair[0].(string)
	number, _ := pair[1].(Number)
	n, err := strconv.ParseUint(string(number), 10, 32)
	if !isText || err != nil || uint64(len(text))*n > maxExpanded {
		return nil, fmt.Errorf("repeat: want a text and how often it stands there, at most %d bytes in all", maxExpanded)
	}
	then, more := o.Find("then")
	if len(o) != 1 && !(more && len(o) == 2) {
		return nil, fmt.Errorf("repeat: no other member than then may stand beside it")
	}
	rest := ""
	if more {
		expanded, err := Expand(then)
		if err != nil {
			return nil, err
		}
		if rest, ok = expanded.(string); !ok {
			return nil, fmt.Errorf("then: want a text")
		}
	}
	return strings.Repeat(text, int(n)) + rest, nil
}
