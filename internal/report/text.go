package report

import (
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// DefaultLimit is how many frames, and how many findings, a text report lists where nobody says more.
const DefaultLimit = 1_000

// fewFrames is up to how many frames, and answers without frames, the table has a row for each.
const fewFrames = 20

// TextOptions say how a Text shows a run. The zero value fits 80 columns, is plain, and lists what did not meet the policy.
type TextOptions struct {
	Width   int  // columns to fit, at least 72; 0 is 80
	Color   bool // colour beside the words, never instead of them
	Verbose bool // every frame with every piece of evidence on it
	Limit   int  // how many frames to list, and how many findings and errors; 0 is 1,000
}

// Text writes a run for people: in one sentence what was proven for how many frames, under whose key, and what not; a table;
// what is wrong, the gravest first; hints; what no signature covers; the exit code. Everything is written in Close, for the
// sentence that stands first is known last: until then Text keeps counts and, of the lists, no more than its limit shows.
type Text struct {
	w      io.Writer
	header archive.Header
	opt    TextOptions

	proofs  proofs // frames
	empties proofs // answers without frames
	rows    []row  // while they are few
	many    bool   // they are not
	frames  worst  // by class; answers without frames among them
	found   worst  // by severity; errors of reading among them
	codes   oneCode
	hints   hints

	byHolder holdings // the trusted keys
}

// NewText starts a report.
func NewText(w io.Writer, h archive.Header, opt TextOptions) *Text {
	if opt.Width == 0 {
		opt.Width = terminal.DefaultWidth
	}
	opt.Width = max(opt.Width, terminal.MinWidth)
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	return &Text{
		w: w, header: h, opt: opt, proofs: make(proofs), empties: make(proofs), byHolder: newHoldings(h.Held),
		frames: newWorst(opt.Limit, classRanks), found: newWorst(opt.Limit, findingRanks),
	}
}

// Answer implements archive.Sink.
func (t *Text) Answer(a *archive.Answer) error {
	t.tell(a)
	for i := range a.Frames {
		t.addRow(a, &a.Frames[i])
	}
	switch {
	case len(a.Frames) == 0:
		t.addRow(a, nil)
		t.listEmpty(a, proofOfEmpty(a))
	case t.opt.Verbose:
		t.listEvery(a)
	default:
		t.listUnmet(a)
	}
	t.codes.each(a, func(_ int, f *archive.Finding) { t.listFinding(a, f) }, func(rank int) { t.found.skip(rank, 1) })
	return nil
}

// tell counts what an answer came to, for the sentence and the hints.
func (t *Text) tell(a *archive.Answer) {
	for i := range a.Frames {
		f := &a.Frames[i]
		p := proofOf(a, f)
		t.proofs.add(p)
		t.note(a, p, f)
	}
	if len(a.Frames) == 0 {
		p := proofOfEmpty(a)
		t.empties.add(p)
		t.note(a, p, nil)
	}
}

// Error implements archive.Sink.
func (t *Text) Error(e *archive.RecordError) error {
	if !t.found.room(rankUnread) {
		t.found.skip(rankUnread, 1)
		return nil
	}
	t.found.add(rankUnread, item{
		color: terminal.Red, mark: "error", what: string(e.Code), source: quote(e.Source), record: e.Record,
		where: fmt.Sprintf(", byte %d", e.At), body: bodyOf(e.Detail), stands: 1,
	})
	return nil
}

// Close writes the report.
func (t *Text) Close(s *archive.Summary) error {
	for i := range s.Inputs {
		t.listInput(&s.Inputs[i])
	}
	p := &page{width: t.opt.Width, color: t.opt.Color, oneSource: s.Sources == 1 && len(t.rows) > 0}
	p.paragraph(t.sentence(s))
	t.writeTable(p)
	t.writeKeys(p)
	t.writeWrong(p)
	t.writeFrames(p)
	t.writeHints(p, s)
	writeCounts(p, s)
	t.writePolicy(p)
	p.paragraph("Not covered by any signature: " + join(archive.NotCovered()) + ".")
	t.writeExit(p, s)
	if _, err := t.w.Write(p.text); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}
