package report

import (
	"io"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// JSONL writes a run as lines of JSON: a header, each answer and error as it comes, the summary last, so that a file that was
// cut shows. The first member of a line says which it is; the others are those of a JSON report.
type JSONL struct{ out stream }

// NewJSONL starts a report. Lines are handed on together once there are enough of them, at the latest in Close.
func NewJSONL(w io.Writer, h archive.Header, tool Tool) *JSONL {
	j := &JSONL{out: stream{w: w}}
	j.out.buf = append(appendHeader(append(j.out.buf, `{"line":"header",`...), &h, tool, ","), "}\n"...)
	return j
}

// Answer implements archive.Sink.
func (j *JSONL) Answer(a *archive.Answer) error {
	j.out.buf = append(j.out.buf, `{"line":"answer",`...)
	j.out.answer(a)
	j.out.buf = append(j.out.buf, '\n')
	return j.out.err
}

// Error implements archive.Sink.
func (j *JSONL) Error(e *archive.RecordError) error {
	j.out.buf = append(appendError(append(j.out.buf, `{"line":"error",`...), e), "}\n"...)
	return j.out.flush(flushAt)
}

// Close writes the summary.
func (j *JSONL) Close(s *archive.Summary) error {
	j.out.buf = append(appendSummary(append(j.out.buf, `{"line":"summary",`...), s), "}\n"...)
	return j.out.flush(0)
}
