package archive

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// A Writer writes messages as lines of the format cgp-archive/1, each in one Write of a whole line. Make one with [NewWriter].
// It is not safe for concurrent use.
//
// A line carries every byte of a message's tokens (the spelling of numbers, escapes, the order of members, unknown members);
// white space between tokens is left out. It ends at its line feed: no line feed and no carriage return stands in it, but
// U+2028 and U+2029 do where the message has them in a string. What is written can be read under [DefaultLimits].
type Writer struct {
	out    io.Writer
	line   []byte
	limits Limits
}

// A Receipt is what a host knows of a message beside its bytes. Nothing signs it.
type Receipt struct {
	At      commitment.Instant  // when the message arrived; the zero value is left out
	LocalID commitment.Optional // what the host calls the provider; absent it is left out
}

// ErrMalformedLocalID says that a local id is empty or no UTF-8.
var ErrMalformedLocalID = errors.New("malformed local id")

// NewWriter returns a Writer over out.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, limits: DefaultLimits()}
}

// Append writes the line of one message: a JSON object with a string type, and white space around it. What is refused is a
// *RecordError, and nothing was written: bytes that are no JSON or over a limit, an object that is no message (a bare result,
// a record of ours), a frames message without frames, a handshake_ack without a provider. Other errors are those of the
// io.Writer and, for a local id, ErrMalformedLocalID.
func (w *Writer) Append(message []byte, r Receipt) error {
	err := w.appendLine(message, r, w.check(message))
	var refused *RecordError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		refused.Source, refused.Record = "message", 1
		return refused
	}
	return fmt.Errorf("archive: %w", err)
}

// check says why a message is none, or nil.
func (w *Writer) check(message []byte) *RecordError {
	var f *strictjson.Fault
	if errors.As(strictjson.Validate(message, w.limits.scanner()), &f) {
		return &RecordError{At: f.At, Code: faultCode(f), Detail: f.Err.Error() + because(f.Detail)}
	}
	rec, unreadable := decodeRecord(message, w.limits)
	if unreadable != nil {
		return unreadable
	}
	return refuseWrapped(rec)
}

// refuseWrapped says why a record that can be read is no message as it arrived, or nil.
func refuseWrapped(rec *record) *RecordError {
	const want = ", want a message: an object with a string type"
	switch {
	case rec.retained:
		return recordError(ErrorNotAMessage, 0, "the record is a retained subset (%s)%s", FormatEvidence, want)
	case rec.message.start > 0:
		return recordError(ErrorNotAMessage, 0, "the record is an archive line (%s) already%s", FormatArchive, want)
	case rec.kind == recordAnswer && rec.typ == "":
		return recordError(ErrorNotAMessage, 0, "the record is a bare result%s", want)
	}
	return nil
}

// AppendSource writes a line for each message of a source, in order, with the Receipt that receipt returns when the message was
// read. Each record that is none, or cannot be read, is given to bad and left out. It ends at the first error of bad or of
// [Writer.Append] that is no *RecordError, or with one that wraps ErrInternal.
func (w *Writer) AppendSource(src Source, receipt func() Receipt, bad func(*RecordError) error) error {
	in, err := src.Open()
	if err != nil {
		return bad(&RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()})
	}
	defer in.Close()
	records := newRecordReader(src.Name, in, w.limits)
	defer records.close()
	for {
		rec, at, err := records.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		var unreadable *RecordError
		if err == nil {
			err = w.appendLine(at.Bytes, receipt(), refuseWrapped(rec))
			if errors.As(err, &unreadable) {
				unreadable.in(src.Name, at)
			}
		}
		switch {
		case err == nil:
		case !errors.As(err, &unreadable):
			return err
		default:
			if err := bad(unreadable); err != nil || unreadable.Record == 0 {
				return err
			}
		}
	}
}

// appendLine writes the line of a message that passed, unless it is refused.
func (w *Writer) appendLine(message []byte, r Receipt, refused *RecordError) error {
	if refused != nil {
		return refused
	}
	line := append(w.line[:0], `{"format":"`+FormatArchive+`"`...)
	if !r.At.IsZero() {
		line = append(append(append(line, `,"received_at":"`...), r.At.String()...), '"')
	}
	if id, given := r.LocalID.Text(); given {
		if id == "" || !utf8.ValidString(id) {
			return fmt.Errorf("%w: %.80q, want UTF-8, and one character at least", ErrMalformedLocalID, id)
		}
		line, _ = jsontext.AppendQuote(append(line, `,"local_id":`...), id)
	}
	line, depth := appendCompact(append(line, `,"envelope":`...), message)
	line = append(line, "}\n"...)
	w.line = line
	if depth >= w.limits.Depth {
		return recordError(ErrorTooDeep, 0, "%d levels, and one for the line around them: more than %d", depth, w.limits.Depth)
	}
	if n := int64(len(line) - len("\n")); n > w.limits.Record {
		return recordError(ErrorTooLarge, 0, "its line has %d bytes, more than %d", n, w.limits.Record)
	}
	_, err := w.out.Write(line)
	return err
}

// appendCompact appends a JSON value that passed without the white space between its tokens (RFC 8259 §2), and returns how many
// brackets are open at its deepest place.
func appendCompact(dst, v []byte) (out []byte, depth int) {
	open, start := 0, 0
	for i := 0; i < len(v); i++ {
		switch v[i] {
		case ' ', '\t', '\n', '\r':
			dst = append(dst, v[start:i]...)
			start = i + 1
		case '{', '[':
			open++
			depth = max(depth, open)
		case '}', ']':
			open--
		case '"':
			for i++; v[i] != '"'; i++ {
				if v[i] == '\\' {
					i++
				}
			}
		}
	}
	return append(dst, v[start:]...), depth
}
