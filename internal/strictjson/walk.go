package strictjson

import (
	"bytes"
	"iter"
	"math/bits"

	"github.com/go-json-experiment/json/jsontext"
)

// A Member is one member of an object, with its place: offsets in the bytes of the object that was walked.
type Member struct {
	Name       string         // unescaped
	Value      jsontext.Value // obj[Start:End]: a span of the object, without white space around it
	NameStart  int            // of the opening quote of the name
	Start, End int            // of the value
}

// An Element is one element of an array, with its place: offsets in the bytes of the array that was walked.
type Element struct {
	Value      jsontext.Value // arr[Start:End]: a span of the array, without white space around it
	Start, End int
}

// Members returns the members of an object in their order. obj must have passed [Validate] or come out of a [Scanner] or
// of a value that did; white space may stand around it. A value of another kind has none.
func Members(obj jsontext.Value) iter.Seq[Member] {
	return func(yield func(Member) bool) {
		i, ok := opened(obj, '{')
		for ok && i < len(obj) && obj[i] == '"' {
			var m Member
			m.NameStart = i
			nameEnd := stringEnd(obj, i)
			if m.Name, ok = String(obj[i:nameEnd]); !ok {
				return
			}
			i = skipSpace(obj, nameEnd)
			m.Start = skipSpace(obj, min(i+len(":"), len(obj)))
			m.End = valueEnd(obj, m.Start)
			m.Value = obj[m.Start:m.End:m.End]
			if !yield(m) {
				return
			}
			i, ok = nextItem(obj, m.End)
		}
	}
}

// Elements returns the elements of an array in their order, on the terms of [Members].
func Elements(arr jsontext.Value) iter.Seq[Element] {
	return func(yield func(Element) bool) {
		i, ok := opened(arr, '[')
		for ok && i < len(arr) && arr[i] != ']' {
			end := valueEnd(arr, i)
			if !yield(Element{Value: arr[i:end:end], Start: i, End: end}) {
				return
			}
			i, ok = nextItem(arr, end)
		}
	}
}

// String returns the text of a JSON string; ok is false for every other kind.
func String(v jsontext.Value) (s string, ok bool) {
	v = trimSpace(v)
	if len(v) < 2 || v[0] != '"' || v[len(v)-1] != '"' {
		return "", false
	}
	if bytes.IndexByte(v, '\\') < 0 {
		return string(v[1 : len(v)-1]), true
	}
	text, err := jsontext.AppendUnquote(nil, v)
	if err != nil {
		return "", false
	}
	return string(text), true
}

// OptionalString returns the text of a member that may be a string or null: null is absent, any other kind is not ok.
func OptionalString(v jsontext.Value) (s string, present, ok bool) {
	if Kind(v) == jsontext.KindNull {
		return "", false, true
	}
	s, ok = String(v)
	return s, ok, ok
}

// Uint64 returns an integer from 0 to 2^64−1 spelt in plain digits; a sign, a fraction, an exponent, a leading zero, a
// larger number and every other kind are not ok.
func Uint64(v jsontext.Value) (n uint64, ok bool) {
	v = trimSpace(v)
	if len(v) == 0 || len(v) > 1 && v[0] == '0' {
		return 0, false
	}
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		high, low := bits.Mul64(n, 10)
		sum, carry := bits.Add64(low, uint64(c-'0'), 0)
		if high != 0 || carry != 0 {
			return 0, false
		}
		n = sum
	}
	return n, true
}

// Bool returns a JSON boolean; ok is false for every other kind.
func Bool(v jsontext.Value) (b, ok bool) {
	switch Kind(v) {
	case jsontext.KindTrue:
		return true, true
	case jsontext.KindFalse:
		return false, true
	default:
		return false, false
	}
}

// Kind returns the kind of a value.
func Kind(v jsontext.Value) jsontext.Kind { return v.Kind() }

func trimSpace(v []byte) []byte {
	v = v[skipSpace(v, 0):]
	for len(v) > 0 && isSpace(v[len(v)-1]) {
		v = v[:len(v)-1]
	}
	return v
}

// opened returns the index of the first byte inside the brackets of v, and whether v starts with that bracket.
func opened(v []byte, bracket byte) (i int, ok bool) {
	i = skipSpace(v, 0)
	if i == len(v) || v[i] != bracket {
		return i, false
	}
	return skipSpace(v, i+1), true
}

// nextItem returns the start of the member or element behind the comma that follows v[:end], and whether there is one.
func nextItem(v []byte, end int) (i int, ok bool) {
	i = skipSpace(v, end)
	if i == len(v) || v[i] != ',' {
		return i, false
	}
	return skipSpace(v, i+1), true
}

// valueEnd returns the end of the value that starts at b[start].
func valueEnd(b []byte, start int) int {
	if start == len(b) {
		return start
	}
	switch b[start] {
	case '"':
		return stringEnd(b, start)
	case '{', '[':
		return bracketEnd(b, start)
	}
	i := start
	for i < len(b) && isScalar(b[i]) {
		i++
	}
	return i
}

// stringEnd returns the index behind the closing quote of the string that starts at b[start], or len(b).
func stringEnd(b []byte, start int) int {
	for i := start + 1; i < len(b); {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			break
		}
		// A quote is escaped where an odd number of backslashes stands in front of it. No backslash is looked at twice.
		quote := i + n
		escapes := 0
		for k := quote - 1; k >= i && b[k] == '\\'; k-- {
			escapes++
		}
		if i = quote + 1; escapes%2 == 0 {
			return i
		}
	}
	return len(b)
}

// bracketEnd returns the index behind the bracket that closes the one at b[start], or len(b).
func bracketEnd(b []byte, start int) int {
	depth := 0
	for i := start; i < len(b); i++ {
		switch b[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			i = stringEnd(b, i) - 1
		}
	}
	return len(b)
}

// KindName names the JSON type of a value with its article.
func KindName(v jsontext.Value) string {
	switch Kind(v) {
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case '{':
		return "an object"
	case '[':
		return "an array"
	}
	return "no JSON value"
}
