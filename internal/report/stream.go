package report

import (
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/archive"
)

const (
	flushAt    = 64 << 10 // how many bytes a stream collects before it hands them to its writer
	keepAtMost = 1 << 20  // of a buffer that one frame made large
)

// A stream is where a report of JSON goes. After an error everything is thrown away.
type stream struct {
	w   io.Writer
	buf []byte
	err error
}

// flush hands on what is collected if it is at least so many bytes.
func (s *stream) flush(atLeast int) error {
	if len(s.buf) < atLeast {
		return s.err
	}
	if s.err == nil {
		if _, err := s.w.Write(s.buf); err != nil {
			s.err = fmt.Errorf("report: %w", err)
		}
	}
	if s.buf = s.buf[:0]; cap(s.buf) > keepAtMost {
		s.buf = nil
	}
	return s.err
}

// copy hands on what was kept elsewhere, behind what was flushed.
func (s *stream) copy(from io.WriterTo) {
	if s.err != nil {
		return
	}
	if _, err := from.WriteTo(s.w); err != nil {
		s.err = fmt.Errorf("report: %w", err)
	}
}

// answer writes the members of an answer and the bracket behind them, handing on what is there after every frame.
func (s *stream) answer(a *archive.Answer) error {
	s.buf = appendAnswerStart(s.buf, a)
	for i := range a.Frames {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = appendFrame(s.buf, a, &a.Frames[i])
		s.flush(flushAt)
	}
	s.buf = append(s.buf, `],"findings":[`...)
	for i := range a.Findings {
		if i > 0 {
			s.buf = append(s.buf, ',')
		}
		s.buf = appendFinding(s.buf, &a.Findings[i])
		s.flush(flushAt)
	}
	s.buf = append(s.buf, "]}"...)
	return s.flush(flushAt)
}
