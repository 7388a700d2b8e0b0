package archive_test

import (
	"fmt"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// recheck demands that no answer of a run contradicts itself.
func recheck(t testing.TB, r *archive.Report) {
	t.Helper()
	for _, a := range r.Answers {
		if err := r.Header.Policy.Recheck(a); err != nil {
			t.Errorf("record %d of %s: %v", a.Record, a.Source, err)
		}
	}
}

// edits are what somebody may do to an answer that leaves it saying less of what is wrong, or more.
func edits(a *archive.Answer, try func(name string, change, undo func())) {
	for _, c := range archive.Classes() {
		was := a.Class
		try(fmt.Sprintf("class %s", c), func() { a.Class = c }, func() { a.Class = was })
	}
	was := a.Findings
	for i := range was {
		if f := &was[i]; f.Severity == archive.SeverityError {
			without := slices.Concat(was[:i], was[i+1:])
			told := func(g archive.Finding) bool { return g.Code == f.Code && g.FrameID == f.FrameID }
			if f.Code != archive.FindingContradictingProofs && !slices.ContainsFunc(without, told) {
				try(fmt.Sprintf("without %s", f.Code), func() { a.Findings = without }, func() { a.Findings = was })
			}
			try(fmt.Sprintf("%s as a note", f.Code), func() { f.Severity = archive.SeverityNote }, func() { f.Severity = archive.SeverityError })
		}
	}
	if r := a.Root; r != nil {
		was := *r
		for _, s := range archive.EvidenceStates() {
			if was.Verdict != "" || s.Verifies() || s == archive.StateInvalid || s == archive.StateUncheckable {
				try(fmt.Sprintf("root state %s", s), func() { r.State = s }, func() { r.State = was.State })
			}
		}
		for _, v := range append(sign.Verdicts(), "") {
			if !v.Negative() || !was.Verdict.Negative() {
				try(fmt.Sprintf("root verdict %s", v), func() { r.Verdict = v }, func() { r.Verdict = was.Verdict })
			}
		}
		try("no root", func() { a.Root = nil }, func() { a.Root = r })
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		was := *f
		at := fmt.Sprintf("frame %d ", i)
		for _, s := range archive.States() {
			try(at+"state "+string(s), func() { f.State = s }, func() { f.State = was.State })
		}
		for _, tier := range []archive.Tier{archive.TierConfigured, archive.TierPinned, archive.TierPublished, ""} {
			try(at+"tier "+string(tier), func() { f.Tier = tier }, func() { f.Tier = was.Tier })
		}
		for _, c := range archive.Classes() {
			try(at+"class "+string(c), func() { f.Class = c }, func() { f.Class = was.Class })
		}
		for _, c := range archive.Contents() {
			if was.Class == archive.ClassGood || was.Content == archive.ContentMismatch {
				try(at+"content "+string(c), func() { f.Content = c }, func() { f.Content = was.Content })
			}
		}
		try(at+"in another place", func() { f.Position++ }, func() { f.Position-- })
		try(at+"twice", func() { a.Frames = slices.Insert(slices.Clone(a.Frames), i, was) }, func() { a.Frames = slices.Delete(a.Frames, i, i+1) })
		for k := range f.Evidence {
			ev := &f.Evidence[k]
			was := *ev
			at := fmt.Sprintf("%sevidence %d ", at, k)
			for _, s := range archive.EvidenceStates() {
				if was.Verdict != "" || s.Verifies() || s == archive.StateInvalid || s == archive.StateUncheckable {
					try(at+string(s), func() { ev.State = s }, func() { ev.State = was.State })
				}
			}
			for _, v := range append(sign.Verdicts(), "") {
				if !v.Negative() || !was.Verdict.Negative() {
					try(at+"verdict "+string(v), func() { ev.Verdict = v }, func() { ev.Verdict = was.Verdict })
				}
			}
		}
	}
}

// Nothing that decides what an answer comes to can be changed alone.
func TestRecheckFindsEdits(t *testing.T) {
	for n, name := range corpus.Cases() {
		spec := smallSpec(uint64(n), 8<<10)
		spec.Cases, spec.Every = []string{name}, 1
		w := writeCorpus(t, spec)
		v := corpusVerifier(t, spec.Limits, 1)
		r := verify(t, v, w.text)
		for _, a := range r.Answers[:min(len(r.Answers), 10)] {
			whole := func() string { return fmt.Sprintf("%+v %+v", *a, a.Root) }
			before := whole()
			edits(a, func(edit string, change, undo func()) {
				change()
				err := r.Header.Policy.Recheck(a)
				changed := whole() != before
				undo()
				if changed && err == nil {
					t.Errorf("%s, record %d: %s: no contradiction", name, a.Record, edit)
				}
			})
			if err := r.Header.Policy.Recheck(a); err != nil {
				t.Fatalf("%s, record %d: %v", name, a.Record, err)
			}
		}
	}
}

// Under a selection frames stand in their order, and none but those selected.
func TestRecheckSelection(t *testing.T) {
	input := []byte(answerOf(numberedFrames(4)...))
	id := func(r *archive.Report, i int) string { return r.Answers[0].Frames[i].FrameID }
	whole := verify(t, &archive.Verifier{}, input)
	v := &archive.Verifier{Policy: archive.Policy{Frames: []string{id(whole, 1), id(whole, 3)}}}
	r := verify(t, v, input)
	p, a := &r.Header.Policy, r.Answers[0]
	if len(a.Frames) != 2 || a.Frames[1].Position != 3 {
		t.Fatalf("%+v", a.Frames)
	}
	slices.Reverse(a.Frames)
	if p.Recheck(a) == nil {
		t.Error("frames that are out of order are no contradiction")
	}
	slices.Reverse(a.Frames)
	a.Frames[1].FrameID = id(whole, 2)
	if p.Recheck(a) == nil {
		t.Error("a frame that is not selected is no contradiction")
	}
	a.Frames = nil
	if p.Recheck(a) == nil {
		t.Error("an answer without a selected frame is no contradiction")
	}
	if whole.Header.Policy.Recheck(whole.Answers[0]) != nil || p.Recheck(whole.Answers[0]) == nil {
		t.Error("a whole answer is one of a run without a selection alone")
	}
}

// What decides nothing by itself has to fit as well: it is what a reader of the report takes the rest for.
func TestRecheckFindsWhatDecidesNothing(t *testing.T) {
	contradicts := func(name string, p *archive.Policy, a *archive.Answer) {
		t.Helper()
		if p.Recheck(a) == nil {
			t.Errorf("%s is no contradiction", name)
		}
	}

	unsigned := verify(t, &archive.Verifier{}, []byte(answerOf(numberedFrames(2)...)))
	p, a := &unsigned.Header.Policy, unsigned.Answers[0]
	a.Retained = true
	contradicts("a retained answer of which nothing is proven", p, a)
	a.Retained = false
	a.Frames[0].Content = archive.ContentOpaque
	contradicts("an opaque digest that is none", p, a)

	malformed := verify(t, &archive.Verifier{}, []byte(answerOf(`{"id":3}`)))
	p, a = &malformed.Header.Policy, malformed.Answers[0]
	if a.Frames[0].Reason == "" || p.Recheck(a) != nil {
		t.Fatalf("%+v", a.Frames)
	}
	a.Frames[0].Evidence = []archive.Evidence{{Kind: archive.KindSignature, State: archive.StateNoTrustedKey}}
	contradicts("evidence of a malformed frame", p, a)

	selecting := &archive.Verifier{Policy: archive.Policy{Frames: []string{unsigned.Answers[0].Frames[1].FrameID}}}
	selected := verify(t, selecting, []byte(answerOf(numberedFrames(2)...)))
	p, a = &selected.Header.Policy, selected.Answers[0]
	a.Frames = append(a.Frames, a.Frames[0])
	contradicts("a selected frame that is listed twice", p, a)

	spec := smallSpec(1, 256<<10)
	signed := verify(t, corpusVerifier(t, spec.Limits, 1), writeCorpus(t, spec).text)
	under := slices.IndexFunc(signed.Answers, func(a *archive.Answer) bool { return a.Root != nil && len(a.Frames) > 0 })
	if under < 0 {
		t.Fatal("the archive has no root over a frame")
	}
	p, a = &signed.Header.Policy, signed.Answers[under]
	f := &a.Frames[0]
	if p.Recheck(a) != nil || len(f.Evidence) < 2 {
		t.Fatalf("%+v", f.Evidence)
	}
	f.Evidence = slices.DeleteFunc(slices.Clone(f.Evidence), func(ev archive.Evidence) bool { return ev.Kind == archive.KindRoot })
	contradicts("a frame under a root without the evidence of the root", p, a)
}
