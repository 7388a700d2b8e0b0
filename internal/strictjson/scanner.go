package strictjson

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// A Value is one record of a stream: a top-level value, an element of a top-level array, or what stood in the place of
// one and could not be read.
type Value struct {
	Number  uint64 // counts from 1 in the stream; every value, every element and every fault takes the next one
	Offset  int64  // of the first byte, in bytes from the start of the stream
	Line    int64  // on which it starts, from 1; lines are split at LF only
	Bytes   []byte // the value without white space around it; valid until the next call of Next; nil beside a fault
	InArray bool   // an element of a top-level array

	// Unjudged says that the spelling of the value and the uniqueness of its names are left to a [Judge]. Its structure, the limits and
	// where it ends are settled.
	Unjudged bool
}

// A Judge judges what a Scanner left open. The zero value is ready; it is not safe for concurrent use.
type Judge struct{ checker checker }

// Check returns what Next would have returned beside the value, which is Unjudged.
func (j *Judge) Check(v Value) *Fault {
	f := j.checker.check(v.Bytes, false)
	if f != nil {
		f.At += v.Offset
	}
	return f
}

// A Scanner splits a stream into records and goes on behind those it cannot read. Make one with [NewScanner]. It is not
// safe for concurrent use.
//
// A record is any JSON value. A top-level array is none: its elements are, one by one, and the array itself may be of any
// size. White space, also none, stands between records. On the line on which a record ends nothing else may follow it but
// white space and the first byte of an object or array; anything else makes it unreadable (ErrTrailingBytes).
//
// Behind an unreadable record reading goes on
//
//   - where its brackets close, if they do so on the line on which it starts, or at what follows a number, string or
//     literal that was good in itself;
//   - if its brackets do not close on that line, at the first line below that starts with { or [: what looked like its
//     inside is then read again, for a record that was cut must not swallow the next one;
//   - at the next line, if it has no brackets of its own: garbage, or a number, string or literal that is misspelt.
//
// Inside a top-level array an unreadable element is skipped up to where its brackets close, on any line, and anything else
// up to the next comma or closing bracket. Where those do not come before the array closes or the input ends, the rest of
// the array is one fault, whose Detail says so.
type Scanner struct {
	window
	lim     Limits
	machine machine
	checker checker
	accept  acceptor
	number  uint64
	array   arrayState
	opened  int64 // offset of the [ of the top-level array that is being read
	started bool
	marked  bool // a byte order mark stands in front of the record to come
	defers  bool
	plain   bool
}

// Defer has Next leave objects that stand on one line, outside top-level arrays, Unjudged. Reading goes on behind such an object
// whatever a Judge says of it, so that others may judge while it does.
func (s *Scanner) Defer() { s.defers = true }

// Plain has every record framed and judged apart, without the short cut for those that are certainly good: the same records and
// faults, which tests compare.
func (s *Scanner) Plain() { s.plain = true }

// NewScanner returns a Scanner over r. It holds at most one record and a constant more in memory.
func NewScanner(r io.Reader, lim Limits) *Scanner {
	lim = lim.orDefaults()
	return &Scanner{window: window{src: r, line: 1, max: int(lim.Bytes) + slack}, lim: lim}
}

// BytesRead returns the number of bytes that were read so far, those behind the last record included: where the stream ended once
// Next returns [io.EOF] or an error of the reader.
func (s *Scanner) BytesRead() int64 { return s.off + int64(s.w-s.r) }

// Next returns the next record. Beside a *[Fault] the Value says which record cannot be read and where it starts; the
// records behind it are still to come. [io.EOF] is the end of the stream. Any other error is the reader's: every record
// that was complete in front of it has been returned, and it stays.
//
// A byte order mark makes the first record unreadable, whatever it is; that record then starts at the mark.
func (s *Scanner) Next() (Value, error) {
	if !s.started {
		s.started = true
		s.marked = s.skipByteOrderMark()
	}
	v, err := s.next()
	if !s.marked {
		return v, err
	}
	s.marked = false
	if v.Number == 0 {
		v = s.take(v)
	}
	v.Offset, v.Line, v.Bytes, v.Unjudged = 0, 1, nil, false
	return v, &Fault{Err: ErrByteOrderMark, Detail: markDetail}
}

// Buffered reports whether the beginning of another record has been read already.
func (s *Scanner) Buffered() bool { return skipSpace(s.unread(), 0) < len(s.unread()) }

// skipByteOrderMark consumes the mark at the start of the stream and reports whether there was one. It reads no further
// than it must.
func (s *Scanner) skipByteOrderMark() bool {
	n := 0
	for n < len(byteOrderMark) && s.has(n+1) && s.unread()[n] == byteOrderMark[n] {
		n++
	}
	if n < len(byteOrderMark) {
		return false
	}
	s.discard(n)
	return true
}

func (s *Scanner) next() (Value, error) {
	for s.skipSpace() {
		c := s.unread()[0]
		if s.array != outside {
			if v, ok, err := s.nextInArray(c); ok {
				return v, err
			}
			continue
		}
		if c != '[' {
			return s.nextRecord(c)
		}
		s.opened = s.off
		s.array = atFirst
		s.discard(1)
	}
	if s.array != outside && s.err == io.EOF {
		return s.cutArray()
	}
	return Value{}, s.err
}

// here returns the value that starts at the next byte, as yet without a number.
func (s *Scanner) here() Value {
	return Value{Offset: s.off, Line: s.line, InArray: s.array != outside}
}

// take gives a value the next number.
func (s *Scanner) take(v Value) Value {
	s.number++
	v.Number = s.number
	return v
}

// good consumes the n bytes of a value that can be read.
func (s *Scanner) good(v Value, n int) (Value, error) {
	v.Bytes = s.unread()[:n:n]
	s.discard(n)
	return s.take(v), nil
}

// nextRecord reads the record outside arrays that starts at the next byte, c.
func (s *Scanner) nextRecord(c byte) (Value, error) {
	v := s.here()
	if n := s.certain(c); n > 0 {
		v.Bytes = s.unread()[:n:n]
		s.pass(n)
		return s.take(v), nil
	}
	n, st, err := s.outline()
	if err != nil {
		return Value{}, err
	}
	if s.defers && c == '{' && st == framed && bytes.IndexByte(s.unread()[:n], '\n') < 0 && s.restOfLine(n) == nil {
		v.Unjudged = true
		return s.good(v, n)
	}
	f := s.judge(n, st)
	if f != nil {
		s.resume(c)
		return s.take(v), f
	}
	f = s.restOfLine(n)
	switch {
	case f == nil:
		return s.good(v, n)
	case bytes.IndexByte(s.unread()[:n], '\n') >= 0:
		s.resume(c)
	default:
		s.discard(n)
	}
	return s.take(v), f
}

// certain returns the length of the object that starts at the next byte, c, and stands alone on its line, or 0 where it is not
// certain that there is one. It consumes nothing, and reads only what belongs to the line for certain, or stands in front of its end.
func (s *Scanner) certain(c byte) int {
	if c != '{' || s.plain {
		return 0
	}
	end := s.lineEnd()
	if end == 0 {
		return 0
	}
	line := s.unread()[:end]
	n := s.accept.object(line, s.lim)
	if n == 0 {
		s.work += int64(end)
		return 0
	}
	s.work += int64(n)
	if s.accept.b = line; s.accept.blanks(n) != end-1 {
		return 0
	}
	return n
}

// lineEnd returns the index behind the end of the line in the unread bytes, or 0 where it does not come in front of the limit. It
// reads on only where no record can have ended that is waited for.
func (s *Scanner) lineEnd() int {
	for from := 0; ; {
		b := s.unread()
		if n := bytes.IndexByte(b[from:], '\n'); n >= 0 {
			return from + n + 1
		}
		if int64(len(b)) >= s.lim.Bytes || mayHaveEnded(b[from:]) || !s.fill() {
			return 0
		}
		from = len(b)
	}
}

// mayHaveEnded reports whether b holds a closing brace behind which another record, or the end of the line, may follow.
func mayHaveEnded(b []byte) bool {
	for {
		n := bytes.IndexByte(b, '}')
		if n < 0 {
			return false
		}
		if b = b[n+1:]; len(b) == 0 || isSpace(b[0]) || b[0] == '{' || b[0] == '[' {
			return true
		}
	}
}

// frame reads and judges the value that starts at the next byte, and consumes nothing. n is its length where f is nil. An
// error is the reader's, inside the value.
func (s *Scanner) frame() (n int, f *Fault, err error) {
	n, st, err := s.outline()
	if err != nil {
		return 0, nil, err
	}
	return n, s.judge(n, st), nil
}

// outline finds the end of the value that starts at the next byte, or where it breaks off, and consumes nothing. An error is the
// reader's, inside the value.
func (s *Scanner) outline() (n int, st status, err error) {
	m := &s.machine
	m.reset(s.lim)
	n, st = m.run(s.unread())
	for st == needMore {
		switch {
		case s.fill():
			n, st = m.run(s.unread())
		case s.err == io.EOF:
			n, st = m.finish()
		default:
			return 0, st, s.err
		}
	}
	s.work += int64(n)
	return n, st, nil
}

// judge judges what outline found.
func (s *Scanner) judge(n int, st status) *Fault {
	s.completeRune(n)
	f := s.checker.judge(s.unread(), n, st, &s.machine)
	if f != nil {
		f.At += s.off
	}
	return f
}

// completeRune reads on until the character at unread()[n] is whole, so that a fault reads the same however the input
// comes in.
func (s *Scanner) completeRune(n int) {
	for n < s.w-s.r && !utf8.FullRune(s.unread()[n:]) && s.fill() {
	}
}

// restOfLine looks at what follows the n bytes of a record on its line, and consumes nothing.
func (s *Scanner) restOfLine(n int) *Fault {
	end, f := s.blanksEnd(n, true)
	if f != nil || end == s.w-s.r {
		return f
	}
	if c := s.unread()[end]; c == '\n' || c == '{' || c == '[' {
		return nil
	}
	return s.trailing(end)
}

// blanksEnd returns the first index from n on in the unread bytes at which no white space stands, or also a line end where
// the search is for one line; their number where the input ends. White space that would not fit into the buffer is a fault
// of the value in front of it.
func (s *Scanner) blanksEnd(n int, oneLine bool) (int, *Fault) {
	for ; s.has(n + 1); n++ {
		c := s.unread()[n]
		if !isSpace(c) || oneLine && c == '\n' {
			return n, nil
		}
		if int64(n) >= s.lim.Bytes+windowSize {
			return n, &Fault{Err: ErrTooLarge, At: s.off + int64(n), Detail: "with the white space behind it"}
		}
	}
	return n, nil
}

// trailing is the fault of a value behind which the byte at unread()[at] may not stand.
func (s *Scanner) trailing(at int) *Fault {
	s.completeRune(at)
	return &Fault{Err: ErrTrailingBytes, At: s.off + int64(at), Detail: foundByte(s.unread()[at:])}
}

// resume goes on behind an unreadable record that starts at the next byte, c.
func (s *Scanner) resume(c byte) {
	if c != '{' {
		s.skipLine()
		return
	}
	if s.skipPairs(atLineEnd) {
		return
	}
	s.skipLine()
	for s.has(1) && s.unread()[0] != '{' && s.unread()[0] != '[' {
		s.skipLine()
	}
}
