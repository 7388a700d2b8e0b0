package report

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"github.com/go-json-experiment/json/jsontext"
)

var (
	// ErrNotReport means that an input is no report of JSON or of lines of JSON.
	ErrNotReport = errors.New("not a report of cgp-attest")
	// ErrUnsupported means that a report is of a version that is not known here.
	ErrUnsupported = errors.New("unsupported version of the report")
	// ErrMalformed means that what begins like a report breaks the rules of its schema.
	ErrMalformed = errors.New("malformed report")
	// ErrDisagrees means that a report does not add up: its summary is not that of its answers and errors, or an answer
	// contradicts itself.
	ErrDisagrees = errors.New("the report does not add up")
	// ErrCut means that a report ends before its end.
	ErrCut = errors.New("cut before its end")

	errElement = fmt.Errorf("%w: a part of it is larger than %d bytes", ErrMalformed, maxElement)
)

const (
	maxElement = 1 << 30 // bytes of an answer, an error, a summary
	maxHeader  = 64 << 20
)

// A Reader reads a report back, in JSON or in lines of JSON, which it tells apart by what stands there. It holds one answer at a
// time. What it reads may come from anybody: every member is checked for what it is, each answer against what its
// own evidence and findings lead to, and the summary against the answers and errors, so that nothing can be read out of a
// report that does not stand in its parts. Whether the parts are true nothing
// in a report can show.
type Reader struct {
	in     *limited
	most   int64 // bytes of the next value
	dec    *jsontext.Decoder
	decode *decoder
	lines  bool
	header archive.Header
	tool   Tool
}

// NewReader reads the header of a report. Its errors wrap ErrNotReport, ErrUnsupported, ErrMalformed or ErrCut, or are those of
// in.
func NewReader(in io.Reader) (*Reader, error) {
	l := &limited{in: in, left: maxHeader}
	r := &Reader{in: l, most: maxHeader, dec: jsontext.NewDecoder(l, jsontext.AllowDuplicateNames(true)), decode: newDecoder()}
	if err := r.readHeader(); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return r, nil
}

// Header is what the run knew before its first answer. A report does not say which keys were held for whom.
func (r *Reader) Header() archive.Header { return r.header }

// Tool is the program that made the report.
func (r *Reader) Tool() Tool { return r.tool }

// Copy gives the answers and errors of the report to sink and returns its summary. Of a report that is cut it gives whatever
// stands whole in front of the cut, and returns what that comes to, with Finished false, beside an error that wraps ErrCut.
// Other errors are those of sink or of the input, or wrap ErrMalformed or ErrDisagrees. Copy can be called once.
func (r *Reader) Copy(sink archive.Sink) (*archive.Summary, error) {
	c := &counter{sink: sink, reader: r, sources: make(map[[16]byte]struct{}), summary: archive.NewSummary(r.header.Policy.Require)}
	if len(r.header.Policy.SourceRoots) > 0 {
		c.summary.Provenance = make(map[archive.LinkStatus]uint64)
	}
	var s *archive.Summary
	var err error
	if r.lines {
		s, err = r.copyLines(c)
	} else {
		s, err = r.copyObject(c)
	}
	switch {
	case c.err != nil:
		return nil, c.err
	case errors.Is(err, ErrCut):
		return c.cut(), fmt.Errorf("report: %w", err)
	case err == nil:
		err = c.compare(s)
	}
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return s, nil
}

// headerShape is what stands in front of the answers. schema is judged before everything else.
var headerShape = shapeOf("schema tool policy received_at not_covered")

// readHeader reads up to the first answer.
func (r *Reader) readHeader() error {
	if _, err := r.open(jsontext.KindBeginObject); err != nil {
		return err
	}
	name, err := r.open(jsontext.KindString)
	if err != nil {
		return err
	}
	if r.lines = name == lineMember; r.lines {
		kind, err := r.open(jsontext.KindString)
		if err != nil {
			return err
		}
		if kind != lineHeader {
			return fmt.Errorf("%w: its first line is of the kind %s, want header", ErrNotReport, quote(kind))
		}
		if name, err = r.open(jsontext.KindString); err != nil {
			return err
		}
	}
	if name != headerShape.names[0] {
		return fmt.Errorf("%w: its first member is %s, want %q", ErrNotReport, quote(name), headerShape.names[0])
	}
	var schema string
	if schema, err = r.open(jsontext.KindString); err != nil {
		return err
	}
	if schema != Schema {
		return fmt.Errorf("%w: it is %s, want %q", ErrUnsupported, quote(schema), Schema)
	}
	var met [maxMembers]bool
	met[0] = true
	for range len(headerShape.names) - 1 {
		name, err := r.name()
		if err != nil {
			return err
		}
		k := headerShape.find(name, 0)
		if k < 0 || met[k] {
			return fmt.Errorf("%w: member %s stands twice, or before the header is whole, or is unknown", ErrMalformed, quote(name))
		}
		met[k] = true
		v, err := r.value()
		if err != nil {
			return err
		}
		r.readMember(k, v)
		if r.decode.err != nil {
			return r.decode.err
		}
	}
	r.most, r.in.left = maxElement, maxElement
	if r.lines {
		return r.close(jsontext.KindEndObject)
	}
	return nil
}

// readMember reads the member of the header that stands at a place of its shape.
func (r *Reader) readMember(k int, v jsontext.Value) {
	d := r.decode
	d.at = append(d.at[:0], step{name: headerShape.names[k]})
	switch k {
	case 1:
		r.tool = d.tool(v)
	case 2:
		d.policy(v, &r.header)
	case 3:
		if !null(v) {
			at := d.receivedAt(v)
			r.header.ReceivedAt = &at
			r.header.Policy.ReceivedAt = at
		} else {
			r.header.Policy.ReceivedAt.Source = archive.InstantFromArchive
		}
	case 4:
		var list []string
		d.elements(v, func(v jsontext.Value) { list = append(list, d.text(v)) })
		if !slices.Equal(list, archive.NotCovered()) {
			d.fail("it is not the list of what no signature covers")
		}
	}
}

// copyObject reads the rest of a report of JSON.
func (r *Reader) copyObject(c *counter) (s *archive.Summary, err error) {
	err = r.list("answers", func(v jsontext.Value) error { return c.answer(r.decode.answer(v), r.decode.err) })
	if err != nil {
		return nil, err
	}
	err = r.list("errors", func(v jsontext.Value) error { return c.unread(r.decode.recordError(v), r.decode.err) })
	if err != nil {
		return nil, err
	}
	if err := r.member("summary"); err != nil {
		return nil, err
	}
	v, err := r.value()
	if err != nil {
		return nil, err
	}
	r.decode.at = append(r.decode.at[:0], step{name: "summary"})
	if s = r.decode.summary(v, r.header.Policy.Require); r.decode.err != nil {
		return nil, r.decode.err
	}
	return s, errors.Join(r.close(jsontext.KindEndObject), r.atEnd())
}

// list reads a member that is an array.
func (r *Reader) list(name string, each func(jsontext.Value) error) error {
	if err := r.member(name); err != nil {
		return err
	}
	if err := r.close(jsontext.KindBeginArray); err != nil {
		return err
	}
	for i := 0; ; i++ {
		if r.dec.PeekKind() == jsontext.KindEndArray {
			return r.close(jsontext.KindEndArray)
		}
		v, err := r.value()
		if err != nil {
			return err
		}
		r.decode.at = append(r.decode.at[:0], step{name: name}, step{index: i})
		if err := each(v); err != nil {
			return err
		}
	}
}

// member reads the name of the next member, which must be this.
func (r *Reader) member(want string) error {
	name, err := r.name()
	if err == nil && name != want {
		return fmt.Errorf("%w: member %s stands where %q is written", ErrMalformed, quote(name), want)
	}
	return err
}

// The first member of a line, and its values.
const (
	lineMember  = "line"
	lineHeader  = "header"
	lineAnswer  = "answer"
	lineError   = "error"
	lineSummary = "summary"
)

// copyLines reads the rest of a report of lines.
func (r *Reader) copyLines(c *counter) (*archive.Summary, error) {
	d := r.decode
	for i := 1; ; i++ {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		d.at = append(d.at[:0], step{name: lineMember}, step{index: i})
		kind, rest := d.line(v)
		if d.err != nil {
			return nil, d.err
		}
		switch kind {
		case lineAnswer:
			err = c.answer(d.answer(rest), d.err)
		case lineError:
			err = c.unread(d.recordError(rest), d.err)
		case lineSummary:
			s := d.summary(rest, r.header.Policy.Require)
			if d.err != nil {
				return nil, d.err
			}
			return s, r.atEnd()
		default:
			d.fail("it is of the kind %s, want answer, error or summary", quote(kind))
			err = d.err
		}
		if err != nil {
			return nil, err
		}
	}
}

// line takes the first member off a line, in place.
func (d *decoder) line(v jsontext.Value) (kind string, rest jsontext.Value) {
	for m := range strictjson.Members(v) {
		if m.Name != lineMember {
			break
		}
		kind = d.text(m.Value)
		end := m.End
		for end < len(v) && v[end] != ',' && v[end] != '}' {
			end++
		}
		if rest = v[end:]; rest[0] == ',' {
			rest[0] = '{'
			return kind, rest
		}
		return kind, jsontext.Value("{}")
	}
	d.fail("it is no object whose first member is %q", lineMember)
	return "", nil
}

// open reads a token of this kind at the start of a header, and returns the text of a string.
func (r *Reader) open(kind jsontext.Kind) (string, error) {
	tok, err := r.dec.ReadToken()
	switch {
	case r.in.err != nil:
		return "", r.in.err
	case errors.Is(err, io.EOF) && r.in.read == 0:
		return "", fmt.Errorf("%w: it is empty", ErrNotReport)
	case err != nil || tok.Kind() != kind:
		return "", fmt.Errorf("%w: it does not begin as one", ErrNotReport)
	case kind != jsontext.KindString:
		return "", nil
	}
	return tok.String(), nil
}

// name reads the name of a member.
func (r *Reader) name() (string, error) {
	tok, err := r.dec.ReadToken()
	switch {
	case err != nil:
		return "", r.fault(err)
	case tok.Kind() != jsontext.KindString:
		return "", fmt.Errorf("%w: it ends at byte %d and has no summary", ErrMalformed, r.dec.InputOffset())
	}
	return tok.String(), nil
}

// close reads a bracket.
func (r *Reader) close(kind jsontext.Kind) error {
	tok, err := r.dec.ReadToken()
	switch {
	case err != nil:
		return r.fault(err)
	case tok.Kind() != kind:
		return fmt.Errorf("%w: want %s at byte %d", ErrMalformed, kind, r.dec.InputOffset())
	}
	return nil
}

// value reads a whole value, which is good until the next call.
func (r *Reader) value() (jsontext.Value, error) {
	v, err := r.dec.ReadValue()
	if err != nil {
		return nil, r.fault(err)
	}
	r.in.left = r.most
	return v, nil
}

// atEnd demands that nothing stands behind the report.
func (r *Reader) atEnd() error {
	switch _, err := r.dec.ReadToken(); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil && r.in.err != nil:
		return r.in.err
	}
	return fmt.Errorf("%w: something stands behind its end", ErrMalformed)
}

// fault says what an error of the JSON means for the report.
func (r *Reader) fault(err error) error {
	switch {
	case r.in.err != nil:
		return r.in.err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w, at byte %d", ErrCut, r.in.read)
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}

// limited is an input of which so much may be read before more is allowed. It remembers its error.
type limited struct {
	in         io.Reader
	read, left int64
	err        error
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		l.err = errElement
		return 0, l.err
	}
	n, err := l.in.Read(p[:min(int64(len(p)), l.left)])
	l.read += int64(n)
	l.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

// A counter counts what it hands on. Of each source it keeps 16 bytes of a hash.
type counter struct {
	sink    archive.Sink
	reader  *Reader
	sources map[[16]byte]struct{}
	summary *archive.Summary
	err     error // of the sink
}

// answer hands an answer on that was read without a fault.
func (c *counter) answer(a *archive.Answer, fault error) error {
	if fault != nil {
		return fault
	}
	if err := c.reader.header.Policy.Recheck(a); err != nil {
		return fmt.Errorf("%w: %s%w", ErrDisagrees, c.reader.decode.place(), err)
	}
	c.sources[hashOf(a.Source)] = struct{}{}
	c.summary.CountAnswer(a)
	c.summary.Records++
	c.err = c.sink.Answer(a)
	return c.err
}

// unread hands an error on that was read without a fault.
func (c *counter) unread(e *archive.RecordError, fault error) error {
	if fault != nil {
		return fault
	}
	c.sources[hashOf(e.Source)] = struct{}{}
	c.summary.CountError()
	if e.Record > 0 {
		c.summary.Records++
	}
	c.err = c.sink.Error(e)
	return c.err
}

// hashOf stands for the name of a source in memory.
func hashOf(source string) [16]byte {
	sum := sha256.Sum256([]byte(source))
	return [16]byte(sum[:])
}

// cut concludes what stands in front of a cut. How many sources and records were read nothing says any more: counted are those
// that the report names.
func (c *counter) cut() *archive.Summary {
	c.summary.Sources = len(c.sources)
	c.summary.Finished = false
	c.summary.Conclude()
	return c.summary
}

// compare says where a summary is not the one of what was handed on.
func (c *counter) compare(s *archive.Summary) error {
	own := c.summary
	for i := range s.Inputs {
		own.Findings[s.Inputs[i].Severity]++
	}
	for _, n := range []struct {
		name      string
		says, own uint64
	}{
		{"summary.answers", s.Answers, own.Answers}, {"summary.frames", s.Frames, own.Frames},
		{"summary.unreadable", s.Unreadable, own.Unreadable},
	} {
		if n.says != n.own {
			return fmt.Errorf("%w: %s is %d, what stands in front of it comes to %d", ErrDisagrees, n.name, n.says, n.own)
		}
	}
	if s.Records < own.Records || s.Records-own.Records < s.PassedOver {
		return fmt.Errorf("%w: summary.records is %d, and %d stand in front of it beside summary.passed_over, which is %d",
			ErrDisagrees, s.Records, own.Records, s.PassedOver)
	}
	if s.Sources < len(c.sources) {
		return fmt.Errorf("%w: summary.sources is %d, and %d are named in front of it", ErrDisagrees, s.Sources, len(c.sources))
	}
	if s.IgnoredFiles < uint64(len(s.Ignored)) {
		return fmt.Errorf("%w: summary.ignored_files is %d, and %d are named", ErrDisagrees, s.IgnoredFiles, len(s.Ignored))
	}
	if err := errors.Join(
		differ("empty_answers", archive.EmptyAnswerStates(), s.EmptyAnswers, own.EmptyAnswers),
		differ("classes", archive.Classes(), s.Classes, own.Classes),
		differ("states", archive.States(), s.States, own.States),
		differ("evidence", archive.EvidenceStates(), s.Evidence, own.Evidence),
		differ("content", archive.Contents(), s.Content, own.Content),
		differ("provenance", archive.LinkStatuses(), s.Provenance, own.Provenance),
		differ("findings", archive.Severities(), s.Findings, own.Findings),
	); err != nil {
		return err
	}
	return compareExit(s)
}

// differ says where counts differ.
func differ[K ~string](name string, keys []K, says, own map[K]uint64) error {
	for _, k := range keys {
		if says[k] != own[k] {
			return fmt.Errorf("%w: summary.%s.%s is %d, what stands in front of it comes to %d", ErrDisagrees, name, k, says[k], own[k])
		}
	}
	return nil
}

// compareExit says where an exit code or its reason is not the one that the counts lead to. That a run ended with a fault of the program stands in
// no count.
func compareExit(s *archive.Summary) error {
	again := *s
	again.Conclude()
	switch {
	case s.ExitCode == archive.ExitInternal && !s.Finished:
	case s.ExitCode != again.ExitCode:
		return fmt.Errorf("%w: summary.exit_code is %d, and the counts lead to %d", ErrDisagrees, s.ExitCode, again.ExitCode)
	}
	if s.ExitZeroApplied && !archive.Excusable(s.ExitCode) {
		return fmt.Errorf("%w: summary.exit_zero_applied stands beside an exit_code of %d, which nothing turns into 0", ErrDisagrees, s.ExitCode)
	}
	said := s.ExitReason == again.ExitReason
	if !s.Finished { // where it stands which shard was cut or ended with a fault of the program
		said = said || s.ExitCode == archive.ExitInternal || strings.HasPrefix(s.ExitReason, again.ExitReason+": ")
	}
	if !said {
		return fmt.Errorf("%w: summary.exit_reason is %s, and the counts lead to %s", ErrDisagrees, quote(s.ExitReason), quote(again.ExitReason))
	}
	return nil
}
