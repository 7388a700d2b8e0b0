package archive

import (
	"errors"
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Errors of choosing an answer: usage, nothing was done.
var (
	ErrSeveralAnswers = errors.New("the input has several answers and none was chosen")
	ErrNoAnswer       = errors.New("no answer was there")
)

// A choice says which answers of an input are meant.
type choice struct {
	source     string
	record     uint64 // from 1; 0 is the only answer
	everywhere bool   // every answer
	limits     Limits
	algorithms sign.Algorithms
}

// take gives each chosen answer to use, with what the input said before it. The first record that cannot be read ends it with a
// *RecordError; where one record is chosen the others may be anything, and those behind it are not read.
func (c *choice) take(in io.Reader, use func(rec *record, at strictjson.Value, v view) error) error {
	s := newSession(c.algorithms)
	records := newRecordReader(c.source, in, c.limits)
	defer records.close()
	answers := 0
	var held error // of the first answer: that there are more of them is the graver news
	for {
		rec, at, err := records.next()
		var unreadable *RecordError
		switch {
		case errors.Is(err, io.EOF) && answers == 0:
			return c.noAnswer()
		case errors.Is(err, io.EOF):
			return held
		case c.record > 0 && errors.As(err, &unreadable) && unreadable.Record > 0 && unreadable.Record != c.record:
			continue
		case err != nil:
			return err
		}
		if c.record > 0 && at.Number > c.record {
			return c.noAnswer()
		}
		switch {
		case rec.kind == recordHandshake:
			if err := s.acknowledge(rec.handshake); err != nil {
				return err.in(c.source, at)
			}
		case rec.kind != recordAnswer || c.record > 0 && at.Number != c.record:
		case c.record > 0:
			return use(rec, at, s.now())
		case c.everywhere:
			answers++
			if err := use(rec, at, s.now()); err != nil {
				return err
			}
		case answers > 0:
			return fmt.Errorf("archive: %w: record %d is the second", ErrSeveralAnswers, at.Number)
		default:
			answers++
			held = use(rec, at, s.now())
		}
	}
}

func (c *choice) noAnswer() error {
	if c.record > 0 {
		return fmt.Errorf("archive: %w: record %d of the input is no answer", ErrNoAnswer, c.record)
	}
	return fmt.Errorf("archive: %w: the input has no frames message and no bare result", ErrNoAnswer)
}
