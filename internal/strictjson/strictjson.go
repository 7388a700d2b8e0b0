// Package strictjson reads JSON as evidence has to be read (RFC 8259 with the restrictions of RFC 7493): duplicate member
// names, invalid UTF-8, lone surrogates and a byte order mark are faults with a byte offset, never repaired, and limits
// are enforced before the work is done.
//
// [Validate] judges one value, [Scanner] splits a stream into records and goes on behind what it cannot read. [Members],
// [Elements] and the functions beside them walk a value that passed, without reflection: values are spans of the input.
//
// The grammar is judged by jsontext, but for objects that one pass over them has found to be good without a doubt. Framing, limits
// and going on after a fault are this package's own: a jsontext decoder has a fixed depth limit, none on members, and stays where it
// met its first fault.
//
// # Security
//
// A value that passed is one JSON value within the limits, in which every member name is unique in its object after
// unescaping and every string is valid Unicode: two conforming readers see the same members in it. Nothing is said about
// what it means. Numbers keep their spelling and may be of any size.
package strictjson

import (
	"bytes"
	"math"
)

// Limits bound one value. A field of zero or less stands for its default.
type Limits struct {
	Bytes   int64 // length of the value in bytes, from its first byte to its last
	Depth   int   // open brackets at one place; {} has depth 1; more than 10,000 counts as 10,000
	Members int   // members of one object; of all objects that are open at one place, four times as many
}

// maxDepth is the deepest nesting that jsontext reads.
const maxDepth = 10_000

// DefaultLimits returns the limits of a record: 64 MiB, 128 levels, 100,000 members an object.
func DefaultLimits() Limits {
	return Limits{Bytes: 64 << 20, Depth: 128, Members: 100_000}
}

// orDefaults returns the limits that hold: defaults filled in, nothing above what an int or jsontext can count.
func (l Limits) orDefaults() Limits {
	d := DefaultLimits()
	if l.Bytes <= 0 {
		l.Bytes = d.Bytes
	}
	if l.Depth <= 0 {
		l.Depth = d.Depth
	}
	if l.Members <= 0 {
		l.Members = d.Members
	}
	l.Bytes = min(l.Bytes, math.MaxInt-slack)
	l.Depth = min(l.Depth, maxDepth)
	l.Members = min(l.Members, math.MaxInt32)
	return l
}

// openMembers is the limit on the members of all objects that are open at one place.
func (l Limits) openMembers() int64 { return OpenObjects * int64(l.Members) }

// Validate checks that data holds exactly one JSON value within the limits and nothing else but white space around it.
// The error is nil or a *[Fault] that names the first fault, with its offset in data; limits are judged before anything
// else in the value. An input without a value is ErrSyntax.
func Validate(data []byte, lim Limits) error {
	lim = lim.orDefaults()
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		return &Fault{Err: ErrByteOrderMark, Detail: markDetail}
	}
	start := skipSpace(data, 0)
	if start == len(data) {
		return &Fault{Err: ErrSyntax, At: int64(start), Detail: "there is no value"}
	}
	value := data[start:]
	var m machine
	m.reset(lim)
	n, status := m.run(value)
	if status == needMore {
		n, status = m.finish()
	}
	var c checker
	if f := c.judge(value, n, status, &m); f != nil {
		f.At += int64(start)
		return f
	}
	if end := skipSpace(data, start+n); end < len(data) {
		return &Fault{Err: ErrTrailingBytes, At: int64(end), Detail: foundByte(data[end:])}
	}
	return nil
}

// skipSpace returns the first index from i on that is not white space (RFC 8259 §2), or len(b).
func skipSpace(b []byte, i int) int {
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t'
}

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\xEF\xBB\xBF"

const markDetail = "the input starts with EF BB BF, want UTF-8 without a mark"
