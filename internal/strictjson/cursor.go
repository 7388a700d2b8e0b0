package strictjson

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// A Cursor reads values that passed, each byte once: where Members and Elements look for the end of every value that they give,
// a Cursor finds it on the way. It stands at a value, which is read whole ([Cursor.Raw]), entered ([Cursor.Object],
// [Cursor.Array]) or left alone: going on skips it. The zero value stands at nothing. The bytes must have passed [Validate] or
// come out of a [Scanner] that judged them; those that did not still cause no panic.
type Cursor struct {
	b       []byte
	i       int  // of the value at hand, else of what follows the last one
	pending bool // a value is at hand
	entered bool // a bracket was entered and nothing behind it was read
}

// CursorAt returns a Cursor at the value that starts at b[i], behind white space.
func CursorAt(b []byte, i int) Cursor {
	i = skipSpace(b, i)
	return Cursor{b: b, i: i, pending: i < len(b)}
}

// At returns the offset of the value at hand; behind a value that was read, its end.
func (c *Cursor) At() int { return c.i }

// End returns the offset behind the value at hand, which stays there.
func (c *Cursor) End() int {
	if !c.pending {
		return c.i
	}
	return valueEnd(c.b, c.i)
}

// Kind returns the kind of the value at hand.
func (c *Cursor) Kind() jsontext.Kind {
	if !c.pending {
		return jsontext.KindInvalid
	}
	switch k := c.b[c.i]; {
	case k == '-', '0' <= k && k <= '9':
		return jsontext.KindNumber
	default:
		return Kind(c.b[c.i : c.i+1])
	}
}

// IsNull reports whether the value at hand is null.
func (c *Cursor) IsNull() bool { return c.pending && c.b[c.i] == 'n' }

// Raw reads the value at hand: a span of the bytes, without white space around it.
func (c *Cursor) Raw() jsontext.Value {
	start := c.i
	c.skip()
	return c.b[start:c.i:c.i]
}

// skip goes behind the value at hand.
func (c *Cursor) skip() {
	if c.pending {
		c.pending = false
		c.i = valueEnd(c.b, c.i)
	}
}

// Object enters the value at hand, and reports whether it is an object. Its members are to be read up to where Member says
// that there are no more.
func (c *Cursor) Object() bool { return c.enter('{') }

// Array enters the value at hand, and reports whether it is an array. Its elements are to be read up to where Element says that
// there are no more.
func (c *Cursor) Array() bool { return c.enter('[') }

func (c *Cursor) enter(bracket byte) bool {
	if !c.pending || c.b[c.i] != bracket {
		return false
	}
	c.pending, c.entered = false, true
	c.i++
	return true
}

// Member goes to the next member of the object that was entered, and returns its name as it is spelt without its quotes, an
// escaped one unescaped. The value is then at hand. ok is false behind the last one; the object has then been read.
func (c *Cursor) Member() (name []byte, ok bool) {
	if !c.next('}') {
		return nil, false
	}
	if c.b[c.i] != '"' {
		c.i = len(c.b)
		return nil, false
	}
	start := c.i
	c.i = stringEnd(c.b, start)
	raw := c.b[start:c.i]
	if len(raw) < len(`""`) {
		return nil, false
	}
	name = raw[1 : len(raw)-1]
	for _, b := range name {
		if b == '\\' {
			name, _ = jsontext.AppendUnquote(nil, raw)
			break
		}
	}
	if c.i < len(c.b) && c.b[c.i] == ':' { // nothing else stands between most names and values
		c.i++
	} else {
		c.i = skipSpace(c.b, min(skipSpace(c.b, c.i)+1, len(c.b)))
	}
	if c.i < len(c.b) && isSpace(c.b[c.i]) {
		c.i = skipSpace(c.b, c.i)
	}
	c.pending = c.i < len(c.b)
	return name, c.pending
}

// Element goes to the next element of the array that was entered, which is then at hand. It is false behind the last one; the
// array has then been read.
func (c *Cursor) Element() bool {
	c.pending = c.next(']')
	return c.pending
}

// next goes to what stands behind a comma or the opening bracket. It is false at the closing bracket, which is read.
func (c *Cursor) next(closing byte) bool {
	c.skip()
	entered := c.entered
	c.entered = false
	c.i = skipSpace(c.b, c.i)
	switch {
	case c.i == len(c.b):
		return false
	case c.b[c.i] == closing:
		c.i++
		return false
	case !entered && c.b[c.i] != ',':
		c.i = len(c.b)
		return false
	case !entered:
		c.i = skipSpace(c.b, c.i+1)
	}
	return c.i < len(c.b)
}

// AppendText appends the text of a JSON string that passed. Of escapes only those of one character are common; the others are
// jsontext's.
func AppendText(dst []byte, v jsontext.Value) []byte {
	if len(v) < len(`""`) {
		return dst
	}
	const ones, highs, word = 0x0101010101010101, 0x8080808080808080, 8
	text := v[1 : len(v)-1]
	start := len(dst)
	dst = slices.Grow(dst, len(text)+word)
	out := dst[start : start+len(text)+word] // a text is never longer than it is spelt
	i, n := 0, 0
	for i < len(text) {
		// Whole words are copied with what stands behind a backslash, which is written over.
		for i+word <= len(text) {
			w := binary.LittleEndian.Uint64(text[i:])
			binary.LittleEndian.PutUint64(out[n:], w)
			escape := w ^ ones*'\\'
			marks := (escape - ones) &^ escape & highs // the lowest mark is right
			if marks != 0 {
				k := bits.TrailingZeros64(marks) / 8
				i, n = i+k, n+k
				break
			}
			i, n = i+word, n+word
		}
		for i < len(text) && text[i] != '\\' && i+word > len(text) {
			out[n] = text[i]
			i, n = i+1, n+1
		}
		if i == len(text) {
			break
		}
		if text[i] != '\\' {
			continue
		}
		c := byte(0)
		if i+1 < len(text) {
			c = unescaped(text[i+1])
		}
		if c == 0 {
			dst, _ = jsontext.AppendUnquote(dst[:start], v)
			return dst
		}
		out[n] = c
		i, n = i+2, n+1
	}
	return dst[:start+n]
}

// unescaped returns the character that stands for \c, or 0 where that is \u or nothing.
func unescaped(c byte) byte {
	switch c {
	case '"', '\\', '/':
		return c
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return 0
}
