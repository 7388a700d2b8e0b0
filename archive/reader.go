package archive

import (
	"bytes"
	"errors"
	"io"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// A recordReader reads the records of one input and turns every fault into a *RecordError that says where it stands.
type recordReader struct {
	source string
	scan   *strictjson.Scanner
	limits Limits
	close  func() // to be called when reading ends early; leaves the input itself open
}

// newRecordReader returns a reader of an input that may be compressed; offsets are then in decompressed bytes.
func newRecordReader(source string, in io.Reader, limits Limits) *recordReader {
	plain := Decompress(in, limits)
	rd := newPlainReader(source, plain, limits)
	rd.close = func() { plain.Close() }
	return rd
}

// newPlainReader returns a reader of bytes as they stand, with offsets in them.
func newPlainReader(source string, in io.Reader, limits Limits) *recordReader {
	return &recordReader{source: source, scan: strictjson.NewScanner(in, limits.scanner()), limits: limits, close: func() {}}
}

// next returns the next record and its place, whose bytes are valid until the next call. After a *RecordError with a record number reading
// goes on; after one without, which is an error of the source, it does not, nor after any other error, which wraps
// ErrInternal. The end is io.EOF.
func (r *recordReader) next() (*record, strictjson.Value, error) {
	value, err := r.value()
	if err != nil {
		return nil, value, err
	}
	rec, fault := decodeRecord(bytes.Clone(value.Bytes), r.limits) // which refers to them
	if fault != nil {
		return nil, value, fault.in(r.source, value)
	}
	return rec, value, nil
}

// value returns what next does before it is decoded.
func (r *recordReader) value() (strictjson.Value, error) {
	value, err := r.scan.Next()
	var f *strictjson.Fault
	switch {
	case err == nil, errors.Is(err, io.EOF), errors.Is(err, ErrInternal):
		return value, err
	case errors.As(err, &f):
		return value, unreadable(r.source, value, f)
	}
	return value, r.sourceError(err)
}

// unreadable is the error of a record that is no JSON as evidence has to be.
func unreadable(source string, value strictjson.Value, f *strictjson.Fault) *RecordError {
	e := &RecordError{At: f.At - value.Offset, Code: faultCode(f), Detail: f.Err.Error() + because(f.Detail)}
	return e.in(source, value)
}

// in says where the record stands whose fault e is. So far its At counts from there.
func (e *RecordError) in(source string, value strictjson.Value) *RecordError {
	e.Source, e.Record, e.Offset, e.Line = source, value.Number, value.Offset, value.Line
	e.At += value.Offset
	return e
}

// sourceError is an error of the input itself, behind the last byte that came of it.
func (r *recordReader) sourceError(err error) *RecordError {
	fail := &RecordError{Code: ErrorUnreadableSource, Detail: err.Error()}
	var damaged *RecordError
	if errors.As(err, &damaged) {
		*fail = *damaged
	}
	fail.Source, fail.At = r.source, r.scan.BytesRead()
	return fail
}
