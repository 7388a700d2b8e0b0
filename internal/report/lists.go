package report

import (
	"crypto/sha256"
	"fmt"
	"io"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

func classColor(c archive.Class) terminal.Color {
	switch c {
	case archive.ClassGood:
		return terminal.Green
	case archive.ClassUnchecked:
		return terminal.Yellow
	case archive.ClassUnreadable:
		return terminal.Magenta
	}
	return terminal.Red
}

func severityColor(s archive.Severity) terminal.Color {
	switch s {
	case archive.SeverityNote:
		return terminal.Cyan
	case archive.SeverityWarning:
		return terminal.Yellow
	}
	return terminal.Red
}

// rankOfClass is the place of a class among classRanks; an unknown one is the worst.
func rankOfClass(c archive.Class) int { return max(slices.Index(classRanks, c), 0) }

// listEmpty lists an answer without frames, unless it met the policy and nobody asked for everything.
func (t *Text) listEmpty(a *archive.Answer, p proof) {
	rank := rankOfClass(a.Class)
	switch {
	case a.Class == archive.ClassGood && !t.opt.Verbose:
		return
	case !t.frames.room(rank):
		t.frames.skip(rank, 1)
		return
	}
	it := frameItem(a, a.Class, p.state)
	it.where = ", no frames"
	if a.Root != nil {
		it.body = []string{rootText(a, t.opt.Verbose)}
	}
	t.frames.add(rank, it)
}

// rootText says what became of an answer's result attestation.
func rootText(a *archive.Answer, claims bool) string {
	r := a.Root
	ev := archive.Evidence{
		Kind: archive.KindRoot, State: r.State, Verdict: r.Verdict, Reason: r.Reason, Detail: r.Detail,
	}
	return evidence(a, &ev, claims)
}

// listEvery lists every frame with all that is known of it.
func (t *Text) listEvery(a *archive.Answer) {
	for i := range a.Frames {
		f := &a.Frames[i]
		rank := rankOfClass(f.Class)
		if !t.frames.room(rank) {
			t.frames.skip(rank, 1)
			continue
		}
		it := frameItem(a, f.Class, f.State)
		it.where = named(f)
		it.body = append(frameFault(f), contentText(f))
		if f.Commitment != "" {
			it.body = append(it.body, "commitment "+terminal.Escape(f.Commitment, terminal.MaxEchoed))
		}
		for k := range f.Evidence {
			if k == maxNamed {
				it.body = append(it.body, count(uint64(len(f.Evidence)-k), "more piece", "more pieces")+" of evidence")
				break
			}
			it.body = append(it.body, explained(a, &f.Evidence[k], true)...)
		}
		it.body = append(it.body, provenanceText(f.Provenance)...)
		t.frames.add(rank, it)
	}
}

// frameItem starts an entry of the list of frames.
func frameItem(a *archive.Answer, class archive.Class, state archive.State) item {
	return item{
		mark: string(class), color: classColor(class), what: beside(state), source: quote(a.Source), record: a.Record, stands: 1,
	}
}

// named says which frame it is. A malformed one may have no id.
func named(f *archive.Frame) string {
	if f.State == archive.StateMalformedFrame && f.FrameID == "" {
		return fmt.Sprintf(", frame %d", f.Position)
	}
	return fmt.Sprintf(", frame %d %s", f.Position, quote(f.FrameID))
}

func frameFault(f *archive.Frame) []string {
	if f.Reason == "" && f.Detail == "" {
		return nil
	}
	text := "reason " + string(f.Reason)
	if f.Detail != "" {
		text += ": " + terminal.Escape(f.Detail, maxDetail)
	}
	return []string{text}
}

// An alike is the frames of an answer that one entry of the list stands for.
type alike struct {
	first  *archive.Frame
	shared []string // what is so of all of them
	own    []string // what is so of the first, with its digests
	same   bool     // its digests are those of all of them
	frames uint64
}

// listUnmet lists the frames of an answer that did not meet the policy; those that are alike once, by the first of them.
func (t *Text) listUnmet(a *archive.Answer) {
	places := make(map[string]int)
	var groups []alike
	pending := make([]load, len(classRanks))
	for i := range a.Frames {
		f := &a.Frames[i]
		if f.Class == archive.ClassGood {
			continue
		}
		rank := rankOfClass(f.Class)
		if !t.frames.room(rank) {
			t.frames.skip(rank, 1)
			continue
		}
		common := withoutDigests(f)
		shared, own := whyUnmet(a, &common), whyUnmet(a, f)
		key := likeness(a, &common, shared)
		k, seen := places[key]
		if !seen && !t.frames.room(rank, pending...) {
			t.frames.skip(rank, 1)
			continue
		}
		if !seen {
			k = len(groups)
			places[key] = k
			it := item{body: append(slices.Clone(shared), own...)}
			pending[rank].items++
			pending[rank].bytes += it.size() + len(key)
			groups = append(groups, alike{first: f, shared: shared, own: own, same: true})
		}
		g := &groups[k]
		g.frames++
		g.same = g.same && slices.Equal(g.own, own)
	}
	for k := range groups {
		g := &groups[k]
		rank := rankOfClass(g.first.Class)
		if !t.frames.room(rank) {
			t.frames.skip(rank, g.frames)
			continue
		}
		it := frameItem(a, g.first.Class, g.first.State)
		it.where, it.body, it.stands = named(g.first), g.own, g.frames
		if n := g.frames - 1; n > 0 {
			it.where += " and " + count(n, "more frame", "more frames") + " of this answer"
		}
		if !g.same {
			it.where += ", the digests of each with --verbose"
			it.body = g.shared
		}
		t.frames.add(rank, it)
	}
}

// withoutDigests is a frame without the values and the words that hardly two frames have in common.
func withoutDigests(f *archive.Frame) archive.Frame {
	common := *f
	common.ContentDigest = commitment.Optional{}
	common.Evidence = slices.Clone(f.Evidence)
	for i := range common.Evidence {
		common.Evidence[i].Expected, common.Evidence[i].Signed = "", ""
		if d := common.Evidence[i].Diagnosis; d != nil {
			common.Evidence[i].Diagnosis = &archive.Diagnosis{Cause: d.Cause}
		}
	}
	return common
}

// likeness is equal for frames that one entry may stand for: in class, state and content, and in what became of every piece of
// evidence.
func likeness(a *archive.Answer, f *archive.Frame, why []string) string {
	h := sha256.New()
	for _, line := range append([]string{string(f.Class), string(f.State), string(f.Content), string(f.Reason)}, why...) {
		io.WriteString(h, line+"\n")
	}
	for i := range f.Evidence {
		io.WriteString(h, evidence(a, &f.Evidence[i], false)+"\n")
	}
	return string(h.Sum(nil))
}

// whyUnmet says what kept a frame from meeting the policy.
func whyUnmet(a *archive.Answer, f *archive.Frame) []string {
	body := frameFault(f)
	if f.Content != archive.ContentMatch {
		body = append(body, contentText(f))
	}
	if ev := deciding(f); ev != nil {
		body = append(body, explained(a, ev, false)...)
	}
	return body
}

func (t *Text) listFinding(a *archive.Answer, f *archive.Finding) {
	rank := rankOf(f.Severity)
	if !t.found.room(rank) {
		t.found.skip(rank, 1)
		return
	}
	it := item{
		mark: string(f.Severity), color: severityColor(f.Severity), what: string(f.Code), source: quote(a.Source), record: a.Record,
		where: placeOf(f), body: append(bodyOf(f.Detail), rootHint(a, f)...), stands: 1,
	}
	t.found.add(rank, it)
}

// rootHint is what would explain the result attestation, beside the finding that says that it is wrong.
func rootHint(a *archive.Answer, f *archive.Finding) []string {
	ofRoot := f.Code == archive.FindingRootMismatch || f.Code == archive.FindingInvalidEvidence && f.Position < 0 && f.Entry < 0
	if !ofRoot || a.Root == nil {
		return nil
	}
	return likely(a.Root.Diagnosis)
}

// listInput lists what was found about an input as a whole.
func (t *Text) listInput(f *archive.InputFinding) {
	rank := rankOf(f.Severity)
	if !t.found.room(rank) {
		t.found.skip(rank, 1)
		return
	}
	t.found.add(rank, item{
		mark: string(f.Severity), color: severityColor(f.Severity), what: string(f.Code), source: quote(f.Source),
		body: bodyOf(f.Detail), stands: 1,
	})
}

// placeOf says where in its answer a finding stands, a comma in front.
func placeOf(f *archive.Finding) (where string) {
	if f.Position >= 0 {
		where += fmt.Sprintf(", frame %d", f.Position)
	}
	if f.Entry >= 0 {
		where += fmt.Sprintf(", entry %d", f.Entry)
	}
	if id, ok := f.FrameID.Text(); ok {
		where += ", frame_id " + quote(id)
	}
	return where
}

// writeWrong writes what is wrong, in the order of the exit codes: error findings, what could not be read, frames that did not
// meet the policy, warnings, notes.
func (t *Text) writeWrong(p *page) {
	list, leftOut := t.found.show(rankError, rankUnread)
	var framesOut []uint64
	if !t.opt.Verbose {
		var frames []item
		frames, framesOut = t.frames.show(0, len(classRanks)-1)
		list = append(list, frames...)
	}
	rest, restOut := t.found.show(rankWarning, rankNote)
	list = append(list, rest...)
	if len(list) == 0 {
		return
	}
	p.items("What is wrong or left open, the gravest first:", list)
	t.writeLeftOut(p, append(leftOut, restOut...), framesOut)
}

// writeFrames lists every frame where that was asked for.
func (t *Text) writeFrames(p *page) {
	if !t.opt.Verbose {
		return
	}
	list, leftOut := t.frames.show(0, len(classRanks)-1)
	if len(list) == 0 {
		return
	}
	p.items("Every frame, the worst first:", list)
	t.writeLeftOut(p, nil, leftOut)
}

// writeLeftOut says what the limit kept from being shown.
func (t *Text) writeLeftOut(p *page, found, frames []uint64) {
	var out []string
	for rank, n := range found {
		if n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, findingRanks[rank]))
		}
	}
	for rank, n := range frames {
		if n > 0 {
			out = append(out, fmt.Sprintf("%s of class %s", count(n, "frame or answer", "frames or answers"), classRanks[rank]))
		}
	}
	switch {
	case len(out) == 0:
	case t.found.full || t.frames.full:
		p.item(fmt.Sprintf("Not shown here, for a list takes up at most %d MiB: %s. The counts below are of everything; --format json shows all.",
			maxKept>>20, strings.Join(out, ", ")))
	case t.codes.cut && slices.ContainsFunc(found, func(n uint64) bool { return n > 0 }):
		p.item(fmt.Sprintf("Not shown here, beyond the limit of %d, and %s: %s. The counts below are of everything; --format json shows all.",
			t.opt.Limit, t.codes.reason(), strings.Join(out, ", ")))
	default:
		p.item(fmt.Sprintf("Not shown here, beyond the limit of %d: %s. The counts below are of everything; --limit shows more.",
			t.opt.Limit, strings.Join(out, ", ")))
	}
}
