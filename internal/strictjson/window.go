package strictjson

import (
	"bytes"
	"io"
)

const (
	// windowSize is the least room for one read, in bytes.
	windowSize = 64 << 10

	// firstBuffer is the size of the first buffer: what is unread is then seldom moved.
	firstBuffer = 4 * windowSize
	// slack is how far the buffer may grow beyond the longest value: white space behind it, and one read.
	slack = 2 * windowSize
)

// maxEmptyReads is the number of reads without bytes and without an error after which a reader is given up.
const maxEmptyReads = 100

// A window is the part of a stream that has been read and not yet consumed.
type window struct {
	src   io.Reader
	buf   []byte // buf[r:w] is unread
	r, w  int
	max   int   // the length to which buf may grow
	off   int64 // offset in the stream of buf[r]
	line  int64 // line on which buf[r] stands
	pairs pairs
	work  int64 // bytes that were looked at for structure, those read again included
	err   error // what the reader said last; io.EOF at the end; the bytes in front of it may still be unread
}

func (s *window) unread() []byte { return s.buf[s.r:s.w] }

// has reports whether n bytes are unread, reading more where it must.
func (s *window) has(n int) bool {
	for s.w-s.r < n {
		if !s.fill() {
			return false
		}
	}
	return true
}

// fill reads at least one byte more, or sets err and returns false. It keeps what is unread and invalidates every slice of
// the buffer. At most max-1 bytes may be unread.
func (s *window) fill() bool {
	if s.err != nil {
		return false
	}
	if s.w == len(s.buf) {
		s.makeRoom()
	}
	for range maxEmptyReads {
		n, err := s.src.Read(s.buf[s.w:])
		s.w += n
		s.err = err
		if n > 0 {
			return true
		}
		if err != nil {
			return false
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// makeRoom moves the unread bytes to the front, into a larger buffer where they fill more than half of it, so that each
// byte is moved a bounded number of times.
func (s *window) makeRoom() {
	to := s.buf
	if size := len(s.buf); s.w-s.r >= size/2 && size < s.max {
		to = make([]byte, min(max(2*size, firstBuffer), s.max))
	}
	s.w = copy(to, s.unread())
	s.buf, s.r = to, 0
}

// discard consumes n unread bytes.
func (s *window) discard(n int) {
	s.line += int64(bytes.Count(s.buf[s.r:s.r+n], []byte{'\n'}))
	s.r += n
	s.off += int64(n)
}

// pass consumes n unread bytes without a line end.
func (s *window) pass(n int) {
	s.r += n
	s.off += int64(n)
}

// skipSpace consumes white space and reports whether a byte stands behind it.
func (s *window) skipSpace() bool {
	for {
		b := s.unread()
		n := skipSpace(b, 0)
		s.discard(n)
		if n < len(b) {
			return true
		}
		if !s.fill() {
			return false
		}
	}
}

// skipBlanks consumes white space up to the end of the line and reports whether a byte stands behind it.
func (s *window) skipBlanks() bool {
	for s.has(1) {
		c := s.unread()[0]
		if !isSpace(c) || c == '\n' {
			return true
		}
		s.discard(1)
	}
	return false
}

// skipLine consumes the rest of the line and its line end.
func (s *window) skipLine() {
	for {
		b := s.unread()
		if n := bytes.IndexByte(b, '\n'); n >= 0 {
			s.discard(n + 1)
			return
		}
		s.discard(len(b))
		if !s.fill() {
			return
		}
	}
}

// skipPairs consumes bytes up to where the brackets make a stop, and reports whether all of them were closed there.
func (s *window) skipPairs(until stop) bool {
	s.pairs.reset()
	for {
		n, stopped := s.pairs.run(s.unread(), until)
		s.discard(n)
		s.work += int64(n)
		if stopped {
			return s.pairs.closed()
		}
		if !s.fill() {
			return false
		}
	}
}
