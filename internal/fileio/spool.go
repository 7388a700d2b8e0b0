package fileio

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// SpoolMemory is how many bytes a Spool keeps in memory.
const SpoolMemory = 1 << 20

// A Spool keeps what is written to it until it is wanted: the first SpoolMemory bytes in memory, what is more in a temporary file
// that [Spool.Close] removes. Where the system lets a file go that is still open, it has no name from the start and nothing
// is left behind whatever becomes of the program. The zero value is empty and ready. It is not safe for concurrent use.
type Spool struct {
	buf     []byte // the end
	file    *os.File
	written int64 // what stands in the file
	named   bool
	err     error
}

// Size is how many bytes were written.
func (s *Spool) Size() int64 { return s.written + int64(len(s.buf)) }

// Write keeps p. Its errors are those of the temporary file; every call after the first returns the same.
func (s *Spool) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	if len(s.buf)+len(p) > SpoolMemory {
		if s.err = s.spill(p); s.err != nil {
			return 0, s.err
		}
		return len(p), nil
	}
	s.buf = append(s.buf, p...)
	return len(p), nil
}

// spill moves what is in memory to the file, and p behind it.
func (s *Spool) spill(p []byte) error {
	if s.file == nil {
		file, err := os.CreateTemp("", "cgp-attest-")
		if err != nil {
			return spoolError(err)
		}
		s.file, s.named = file, os.Remove(file.Name()) != nil
	}
	for _, b := range [][]byte{s.buf, p} {
		n, err := s.file.Write(b)
		s.written += int64(n)
		if err != nil {
			return spoolError(err)
		}
	}
	s.buf = s.buf[:0]
	return nil
}

// WriteTo writes everything that was kept, from its start.
func (s *Spool) WriteTo(w io.Writer) (n int64, err error) {
	if s.err != nil {
		return 0, s.err
	}
	if s.file != nil {
		if n, err = io.Copy(w, io.NewSectionReader(s.file, 0, s.written)); err != nil {
			return n, err
		}
		if n < s.written {
			return n, spoolError(io.ErrUnexpectedEOF)
		}
	}
	k, err := w.Write(s.buf)
	return n + int64(k), err
}

// Close removes the file.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	s.file, s.buf, s.written, s.err = nil, nil, 0, os.ErrClosed
	return err
}

func spoolError(err error) error {
	return fmt.Errorf("temporary file in %q: %w; set TMPDIR (on Windows TMP) to a folder with more room", os.TempDir(), err)
}
