package strictjson

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// An acceptor recognises in one pass most objects that machine and checker together find nothing wrong with, and says nothing of
// any other: those two alone refuse a record, and say why. What it accepts has the grammar of RFC 8259 without a line end between
// tokens, with
//
//   - names spelt without escapes, no two alike in one object, at most acceptNames in each;
//   - strings of UTF-8 in which the escapes are the short ones and \u with four hexadecimal digits that are no surrogate's;
//   - numbers and literals in full;
//   - everything within the limits, and depth within acceptDepth.
//
// Each of these is at least as narrow as what the other two ask. Tests hold it against them.
type acceptor struct {
	b       []byte
	lim     Limits
	names   []acceptName // of all open objects
	pending int          // brackets that are open
}

const (
	acceptNames = 64 // each is compared with all in front of it
	acceptDepth = 128
)

// An acceptName is a name by its place, and its length and first bytes, by which nearly all are told apart.
type acceptName struct {
	key        uint64 // the first eight bytes, fewer filled up with zeros
	start, end int
}

// object returns the length of the object that starts at b[0], or 0 where it is not certain. b ends with the line end of the line
// on which the object starts, so that nothing reads beyond it.
func (a *acceptor) object(b []byte, lim Limits) int {
	a.b, a.lim, a.names, a.pending = b, lim, a.names[:0], 0
	n := a.value(0)
	a.b = nil
	if int64(n) > lim.Bytes {
		return 0
	}
	return n
}

// value returns the index behind the value that starts at i, or 0. So do those below.
func (a *acceptor) value(i int) int {
	switch c := a.b[i]; {
	case c == '"':
		return a.text(i)
	case c == '{':
		return a.members(i)
	case c == '[':
		return a.elements(i)
	case c == '-' || isDigit(c):
		return a.number(i)
	case c == 't':
		return a.literal(i, "true")
	case c == 'f':
		return a.literal(i, "false")
	case c == 'n':
		return a.literal(i, "null")
	}
	return 0
}

func (a *acceptor) open() bool {
	a.pending++
	return a.pending <= min(a.lim.Depth, acceptDepth)
}

func (a *acceptor) members(i int) int {
	if !a.open() {
		return 0
	}
	outer := len(a.names)
	most := min(a.lim.Members, acceptNames)
	i = a.blanks(i + 1)
	for first := true; ; first = false {
		if a.b[i] == '}' && first {
			break
		}
		if len(a.names)-outer >= most || int64(len(a.names)) >= a.lim.openMembers() {
			return 0
		}
		end := a.name(i)
		if end == 0 || !a.unlike(outer, i+1, end-1) {
			return 0
		}
		i = a.blanks(end)
		if a.b[i] != ':' {
			return 0
		}
		if i = a.value(a.blanks(i + 1)); i == 0 {
			return 0
		}
		if i = a.blanks(i); a.b[i] == '}' {
			break
		}
		if a.b[i] != ',' {
			return 0
		}
		i = a.blanks(i + 1)
	}
	a.names = a.names[:outer]
	a.pending--
	return i + 1
}

func (a *acceptor) elements(i int) int {
	if !a.open() {
		return 0
	}
	if i = a.blanks(i + 1); a.b[i] == ']' {
		a.pending--
		return i + 1
	}
	for {
		if i = a.value(i); i == 0 {
			return 0
		}
		if i = a.blanks(i); a.b[i] == ']' {
			a.pending--
			return i + 1
		}
		if a.b[i] != ',' {
			return 0
		}
		i = a.blanks(i + 1)
	}
}

// name is text without escapes.
func (a *acceptor) name(i int) int {
	if a.b[i] != '"' {
		return 0
	}
	end := a.text(i)
	for k := i + 1; k < end; k++ {
		if a.b[k] == '\\' {
			return 0
		}
	}
	return end
}

// unlike adds the name b[start:end] to those from the one with the number outer on, and reports whether it is unlike them all.
func (a *acceptor) unlike(outer, start, end int) bool {
	var first [8]byte
	copy(first[:], a.b[start:end])
	n := acceptName{binary.LittleEndian.Uint64(first[:]), start, end}
	for _, other := range a.names[outer:] {
		if other.key == n.key && string(a.b[other.start:other.end]) == string(a.b[start:end]) {
			return false
		}
	}
	a.names = append(a.names, n)
	return true
}

func (a *acceptor) text(i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	b := a.b
	for i++; ; {
		for i+8 <= len(b) {
			// As in plainEnd; bytes of characters beyond ASCII are marked too.
			w := binary.LittleEndian.Uint64(b[i:])
			quote, escape := w^ones*'"', w^ones*'\\'
			marks := ((w-ones*' ')&^w | (quote-ones)&^quote | (escape-ones)&^escape | w) & highs
			if marks != 0 {
				i += bits.TrailingZeros64(marks) / 8
				break
			}
			i += 8
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			n := escapeAt(b[i:])
			if n == 0 {
				return 0
			}
			i += n
		case c < ' ':
			return 0
		case c < utf8.RuneSelf:
			i++
		default:
			for b[i] >= utf8.RuneSelf {
				r, n := utf8.DecodeRune(b[i:])
				if r == utf8.RuneError && n <= 1 {
					return 0
				}
				i += n
			}
		}
	}
}

// escapeAt returns the length of the escape at the start of b, or 0.
func escapeAt(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if b[1] != 'u' {
		if unescaped(b[1]) == 0 {
			return 0
		}
		return 2
	}
	if len(b) < escapeLen || isSurrogate(b) {
		return 0
	}
	for _, c := range b[2:escapeLen] {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			return 0
		}
	}
	return escapeLen
}

func (a *acceptor) number(i int) int {
	b := a.b
	if b[i] == '-' {
		i++
	}
	if b[i] == '0' {
		i++
	} else if i = digits(b, i); i == 0 {
		return 0
	}
	if b[i] == '.' {
		if i = digits(b, i+1); i == 0 {
			return 0
		}
	}
	if b[i] == 'e' || b[i] == 'E' {
		if i++; b[i] == '+' || b[i] == '-' {
			i++
		}
		return digits(b, i)
	}
	return i
}

// digits returns the index behind one digit or more, or 0. b ends with another byte.
func digits(b []byte, i int) int {
	if !isDigit(b[i]) {
		return 0
	}
	for isDigit(b[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func (a *acceptor) literal(i int, word string) int {
	if len(a.b)-i < len(word) || string(a.b[i:i+len(word)]) != word {
		return 0
	}
	return i + len(word)
}

// blanks returns the index of the first byte from i on that is no white space, or a line end.
func (a *acceptor) blanks(i int) int {
	for a.b[i] == ' ' || a.b[i] == '\t' || a.b[i] == '\r' {
		i++
	}
	return i
}
