package archive

import (
	"errors"
	"io"
)

// RecordKind says what one record of an input is.
type RecordKind = recordKind

// The kinds of records that can be read.
const (
	RecordPassedOver = recordPassedOver // a message of another type
	RecordAnswer     = recordAnswer
	RecordHandshake  = recordHandshake
)

// A Surveyed is one record of an input: what it is, or why it cannot be read.
type Surveyed struct {
	Record uint64       // from 1; 0 for a fault of the source itself
	Kind   RecordKind   // where Fault is nil
	Fault  *RecordError // nil for a record that can be read
}

// Survey gives every record of a source to each, in order, and judges none. It ends at the first error of each.
func Survey(src Source, limits Limits, each func(Surveyed) error) error {
	in, err := src.Open()
	if err != nil {
		return each(Surveyed{Fault: &RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()}})
	}
	defer in.Close()
	rd := newRecordReader(src.Name, in, limits.withDefaults())
	defer rd.close()
	for {
		rec, at, err := rd.next()
		s := Surveyed{Record: at.Number}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &s.Fault):
			s.Record = s.Fault.Record
		case err != nil:
			return err
		default:
			s.Kind = rec.kind
		}
		if err := each(s); err != nil || s.Fault != nil && s.Record == 0 {
			return err
		}
	}
}
