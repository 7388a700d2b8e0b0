package strictjson

import (
	"encoding/binary"
	"math/bits"
)

// A machine finds the end of one JSON value in one pass over its bytes, which may come in pieces, and enforces the limits
// on the way. It judges structure: brackets, commas, colons, where names and values stand, and that no control character
// (so no line end) stands in a string, which keeps a string that was cut from running on over the lines below. The spelling
// of numbers, literals and escapes and the encoding of strings are left to the checker, which sees the bytes afterwards.
type machine struct {
	lim   Limits
	pos   int // bytes of the value that have been read
	state state
	name  bool    // the string being read is a member name
	open  []int32 // one for each open bracket: the members an object has so far, or inArray
	names int64   // the members that all open objects have so far
}

// OpenObjects is how many objects may be open at one place with as many members each as one may have. The names of all of
// them are remembered at once.
const OpenObjects = 4

// inArray marks an open [ in machine.open.
const inArray = -1

// state is what may stand at the next byte.
type state uint8

const (
	wantValue   state = iota // a value: at the start, after a colon, after a comma in an array
	wantElement              // a value or ]: after [
	wantMember               // a name or }: after {
	wantName                 // a name: after a comma in an object
	wantColon                // after a name
	wantComma                // a comma or the closing bracket: after a value inside brackets
	inString
	inEscape // behind the backslash
	inScalar // in a number or literal
)

// expected says in words what may stand at the next byte.
func (m *machine) expected() string {
	switch m.state {
	case wantElement:
		return "expected a value or ]"
	case wantMember:
		return "expected a member name or }"
	case wantName:
		return "expected a member name"
	case wantColon:
		return "expected a colon"
	case wantComma:
		if m.open[len(m.open)-1] == inArray {
			return "expected a comma or ]"
		}
		return "expected a comma or }"
	case inString:
		return "control characters in a string are written as escapes"
	default:
		return "expected a value"
	}
}

// inside says in words where the machine is when the input ends.
func (m *machine) inside() string {
	switch m.state {
	case inString, inEscape:
		return "inside a string"
	case inScalar:
		return "inside a number or literal"
	default:
		return m.expected()
	}
}

// status is what a run of the machine came to.
type status uint8

const (
	needMore       status = iota // every byte belongs to the value, and it goes on
	framed                       // the value ends; n is its length
	badByte                      // n is the offset of a byte that may not stand there
	ended                        // n is the end of the input, inside the value
	tooDeep                      // n is the offset of the bracket
	tooManyMembers               // n is the offset of the name
	tooManyOpen                  // n is the offset of the name that is too many in all open objects together
	tooLarge                     // n is the offset of the first byte beyond the limit
)

// reset makes the machine ready for the first byte of a value.
func (m *machine) reset(lim Limits) {
	m.lim, m.pos, m.state, m.name, m.open, m.names = lim, 0, wantValue, false, m.open[:0], 0
}

// run reads on in b, which holds the value from its first byte, from where the last run stopped. The first byte must not
// be white space.
func (m *machine) run(b []byte) (n int, st status) {
	whole := b
	if int64(len(b)) > m.lim.Bytes {
		b = b[:m.lim.Bytes]
	}
	n, st = m.step(b)
	m.pos = n
	if st == needMore && len(whole) > len(b) {
		if m.state == inScalar && len(m.open) == 0 && !isScalar(whole[n]) {
			return n, framed
		}
		return n, tooLarge
	}
	return n, st
}

// finish tells the machine that nothing follows the bytes it has read. Only a number or literal outside brackets ends there.
func (m *machine) finish() (n int, st status) {
	if m.state == inScalar && len(m.open) == 0 {
		return m.pos, framed
	}
	return m.pos, ended
}

func (m *machine) step(b []byte) (i int, st status) {
	for i = m.pos; i < len(b); {
		switch m.state {
		case inString:
			if i = plainEnd(b, i); i == len(b) {
				return i, needMore
			}
			switch b[i] {
			case '"':
				i++
				if m.name {
					m.state = wantColon
				} else if m.valueDone() {
					return i, framed
				}
			case '\\':
				i++
				m.state = inEscape
			default:
				return i, badByte
			}
			continue
		case inEscape:
			i++
			m.state = inString
			continue
		case inScalar:
			for isScalar(b[i]) {
				if i++; i == len(b) {
					return i, needMore
				}
			}
			if m.valueDone() {
				return i, framed
			}
			continue
		}
		c := b[i]
		if isSpace(c) {
			i++
			continue
		}
		if st := m.token(c); st != needMore {
			if st == framed {
				i++
			}
			return i, st
		}
		i++
	}
	return i, needMore
}

// token takes a byte that is not white space outside strings, numbers and literals.
func (m *machine) token(c byte) status {
	switch m.state {
	case wantValue, wantElement:
		switch {
		case c == '"':
			m.state, m.name = inString, false
		case c == '{' || c == '[':
			return m.push(c)
		case startsScalar(c):
			m.state = inScalar
		case c == ']' && m.state == wantElement:
			return m.pop()
		default:
			return badByte
		}
	case wantMember, wantName:
		switch {
		case c == '"':
			top := &m.open[len(m.open)-1]
			if int(*top) >= m.lim.Members {
				return tooManyMembers
			}
			if m.names >= m.lim.openMembers() {
				return tooManyOpen
			}
			*top++
			m.names++
			m.state, m.name = inString, true
		case c == '}' && m.state == wantMember:
			return m.pop()
		default:
			return badByte
		}
	case wantColon:
		if c != ':' {
			return badByte
		}
		m.state = wantValue
	case wantComma:
		array := m.open[len(m.open)-1] == inArray
		switch {
		case c == ',' && array:
			m.state = wantValue
		case c == ',':
			m.state = wantName
		case c == ']' && array, c == '}' && !array:
			return m.pop()
		default:
			return badByte
		}
	}
	return needMore
}

func (m *machine) push(c byte) status {
	if len(m.open) >= m.lim.Depth {
		return tooDeep
	}
	if c == '[' {
		m.open = append(m.open, inArray)
		m.state = wantElement
		return needMore
	}
	m.open = append(m.open, 0)
	m.state = wantMember
	return needMore
}

func (m *machine) pop() status {
	m.names -= int64(max(0, m.open[len(m.open)-1]))
	m.open = m.open[:len(m.open)-1]
	if m.valueDone() {
		return framed
	}
	return needMore
}

// valueDone notes that a value has ended and reports whether it was the outermost one.
func (m *machine) valueDone() bool {
	m.state = wantComma
	return len(m.open) == 0
}

// startsScalar reports whether a number or a literal can start with c.
func startsScalar(c byte) bool {
	return '0' <= c && c <= '9' || c == '-' || c == 't' || c == 'f' || c == 'n'
}

// isScalar reports whether numbers and literals, well spelt or not, can hold c.
func isScalar(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '+' || c == '-' || c == '.'
}

// plainEnd returns the first index from i on at which a quote, a backslash or a control character stands, or len(b).
func plainEnd(b []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		// For n up to 0x80, (x - ones*n) &^ x & highs marks the bytes of x below n. A borrow marks wrong bytes only above a right
		// one, so the lowest mark is right.
		quote, escape := w^ones*'"', w^ones*'\\'
		marks := ((w-ones*' ')&^w | (quote-ones)&^quote | (escape-ones)&^escape) & highs
		if marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
	}
	for i < len(b) && b[i] >= ' ' && b[i] != '"' && b[i] != '\\' {
		i++
	}
	return i
}
