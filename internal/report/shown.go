package report

import (
	"fmt"
	"math"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// maxShownEvidence is how many pieces of evidence on one frame are shown.
const maxShownEvidence = 10

// each calls yield with what is kept, the gravest first, until it returns false.
func (k *keeper[T]) each(yield func(rank int, thing *T) bool) {
	for rank := range k.kept {
		for i := range k.kept[rank] {
			if !yield(rank, &k.kept[rank][i]) {
				return
			}
		}
	}
}

// sum is how many things of all ranks there are, kept or not.
func (k *keeper[T]) sum() (n uint64) {
	for _, of := range k.total {
		n += of
	}
	return n
}

// full reports whether something is left out that the limit would show, as there is no room for it.
func (k *keeper[T]) full() bool { return k.size < k.limit && k.sum() > uint64(k.size) }

// A shownFrame is what a list of frames has of one, or of an answer without any. What comes from an input is quoted and cut.
type shownFrame struct {
	class    archive.Class
	state    archive.State
	content  archive.Content // "" without a frame
	source   string
	record   uint64
	answer   string // the id of the answer, "" without one
	position int    // -1: the answer has no frames
	frameID  string
	digest   string // content_digest, "" where none is declared
	signer   string // the key under which evidence verified, and for whom it is held; "" where none did
	fault    string // what is wrong with the frame itself
	evidence []shownEvidence
	more     int      // pieces of evidence that are not shown
	links    []string // what became of its provenance, where files were read again
}

// A shownEvidence is one piece of evidence in words. The claims are apart: nothing covers them.
type shownEvidence struct {
	state        archive.State
	text, claims string
}

// showFrame takes down a frame of an answer; f is nil for an answer without frames.
func showFrame(a *archive.Answer, f *archive.Frame) shownFrame {
	s := shownFrame{source: quote(a.Source), record: a.Record, position: -1}
	if id, ok := a.ID.Text(); ok {
		s.answer = quote(id)
	}
	var p proof
	if f == nil {
		p = proofOfEmpty(a)
		s.class, s.state = a.Class, p.state
		if a.Root != nil {
			s.evidence = []shownEvidence{{a.Root.State, rootText(a, false), rootClaims(a)}}
		}
	} else {
		p = proofOf(a, f)
		s.class, s.state, s.content, s.position, s.frameID = f.Class, f.State, f.Content, f.Position, quote(f.FrameID)
		s.digest = digestText(f.ContentDigest)
		s.fault = strings.Join(frameFault(f), "")
		s.links = provenanceText(f.Provenance)
		for i := range f.Evidence {
			if i == maxShownEvidence {
				s.more = len(f.Evidence) - i
				break
			}
			s.evidence = append(s.evidence, showEvidence(a, &f.Evidence[i]))
		}
	}
	if p.tier != "" {
		s.signer = p.named()
	}
	return s
}

func showEvidence(a *archive.Answer, ev *archive.Evidence) shownEvidence {
	return shownEvidence{ev.State, strings.Join(explained(a, ev, false), "; "), claimsText(claimsOf(a, ev))}
}

// claimsOf returns the claims beside a piece of evidence. Those beside root evidence stand on the answer's root.
func claimsOf(a *archive.Answer, ev *archive.Evidence) *archive.Claims {
	if ev.Kind == archive.KindRoot && a.Root != nil {
		return a.Root.Unverified
	}
	return ev.Unverified
}

func rootClaims(a *archive.Answer) string { return claimsText(a.Root.Unverified) }

// claimsText names the claims of an attestation, without the word that says what they are.
func claimsText(c *archive.Claims) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("attester_id %s, issued_at %s", quote(c.AttesterID), quote(c.IssuedAt))
}

func digestText(d commitment.Optional) string {
	text, declared := d.Text()
	if !declared {
		return ""
	}
	return quote(text)
}

func (s shownFrame) size() int {
	n := 300 + len(s.source) + len(s.answer) + len(s.frameID) + len(s.digest) + len(s.signer) + len(s.fault)
	for i := range s.evidence {
		n += 50 + len(s.evidence[i].text) + len(s.evidence[i].claims)
	}
	for _, line := range s.links {
		n += 16 + len(line)
	}
	return n
}

// place says where a frame stands.
func (s *shownFrame) place() string {
	text := fmt.Sprintf("%s record %d", s.source, s.record)
	if s.answer != "" {
		text += ", id " + s.answer
	}
	return text
}

// A shownFinding is what a list of findings has of one, or of an error of reading.
type shownFinding struct {
	mark   string // the severity, or notRead
	code   string
	source string
	record uint64 // 0: the source itself
	where  string // within the record
	detail string
}

func (s shownFinding) size() int { return 150 + len(s.source) + len(s.where) + len(s.detail) }

// notRead marks what could not be read among the findings.
const notRead = "not read"

func (s *shownFinding) place() string {
	text := s.source
	if s.record > 0 {
		text += fmt.Sprintf(" record %d", s.record)
	}
	return text + s.where
}

// A digested run is what the formats for people keep of one: counts for the sentence, and the worst frames and findings.
type digested struct {
	told   *Text // counts for the sentence and the hints
	header archive.Header
	frames keeper[shownFrame]
	found  keeper[shownFinding]
	codes  oneCode
}

func digest(h archive.Header, limit int) digested {
	if limit == 0 {
		limit = DefaultLimit
	}
	return digested{
		told: NewText(nil, h, TextOptions{Width: math.MaxInt32}), header: h,
		frames: newKeeper[shownFrame](limit, len(classRanks)), found: newKeeper[shownFinding](limit, len(findingRanks)),
	}
}

// take keeps what is kept of an answer.
func (d *digested) take(a *archive.Answer) {
	d.told.tell(a)
	for i := range a.Frames {
		f := &a.Frames[i]
		d.frames.add(rankOfClass(f.Class), func() shownFrame { return showFrame(a, f) })
	}
	if len(a.Frames) == 0 {
		d.frames.add(rankOfClass(a.Class), func() shownFrame { return showFrame(a, nil) })
	}
	d.codes.each(a, func(rank int, f *archive.Finding) {
		d.found.add(rank, func() shownFinding { return showFinding(a, f) })
	}, d.found.skip)
}

func showFinding(a *archive.Answer, f *archive.Finding) shownFinding {
	s := shownFinding{
		mark: string(f.Severity), code: string(f.Code), source: quote(a.Source), record: a.Record,
		detail: strings.Join(append([]string{terminal.Escape(f.Detail, maxDetail)}, rootHint(a, f)...), "; "),
	}
	if f.Position >= 0 {
		s.where += fmt.Sprintf(", frame %d", f.Position)
	}
	if f.Entry >= 0 {
		s.where += fmt.Sprintf(", entry %d", f.Entry)
	}
	if id, ok := f.FrameID.Text(); ok {
		s.where += ", frame_id " + quote(id)
	}
	return s
}

// takeError keeps an error of reading.
func (d *digested) takeError(e *archive.RecordError) {
	d.found.add(rankUnread, func() shownFinding {
		return shownFinding{
			mark: notRead, code: string(e.Code), source: quote(e.Source), record: e.Record,
			where: fmt.Sprintf(", byte %d", e.At), detail: terminal.Escape(e.Detail, maxDetail),
		}
	})
}

// takeInputs keeps what was found about the inputs.
func (d *digested) takeInputs(s *archive.Summary) {
	for i := range s.Inputs {
		f := &s.Inputs[i]
		d.found.add(rankOf(f.Severity), func() shownFinding {
			return shownFinding{
				mark: string(f.Severity), code: string(f.Code), source: quote(f.Source), detail: terminal.Escape(f.Detail, maxDetail),
			}
		})
	}
}

// lines are the lines that a part of the text report has, each whole, without those between.
func (d *digested) lines(write func(*page)) []string {
	p := &page{width: math.MaxInt32}
	write(p)
	var list []string
	for line := range strings.Lines(string(p.text)) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// hints say what to do next.
func (d *digested) hints(s *archive.Summary) []string {
	list := d.lines(func(p *page) { d.told.writeHints(p, s) })
	for i := range list {
		list[i] = strings.TrimPrefix(list[i], "hint: ")
	}
	return list
}

// exitText says the exit code and why it is that.
func (d *digested) exitText(s *archive.Summary) string {
	return strings.Join(d.lines(func(p *page) { d.told.writeExit(p, s) }), " ")
}

// leftOut says how many entries beyond those shown there are, rank by rank.
func leftOut[R any](total []uint64, shown []uint64, name func(n uint64, rank R) string, ranks []R) string {
	var out []string
	for rank, n := range total {
		if n -= shown[rank]; n > 0 {
			out = append(out, name(n, ranks[rank]))
		}
	}
	return strings.Join(out, ", ")
}

func framesOut(n uint64, c archive.Class) string {
	return fmt.Sprintf("%s of class %s", count(n, "frame or answer", "frames or answers"), c)
}

func findingsOut(n uint64, rank string) string { return fmt.Sprintf("%d %s", n, rank) }
