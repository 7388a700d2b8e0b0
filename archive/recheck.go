package archive

import (
	"fmt"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Recheck derives again what a judged answer says of itself: from each verdict the state of the evidence, from evidence and
// content the state, tier and class of each frame, from those and the findings the class of the answer, and which findings of
// severity error stand in it. Its error names the first contradiction. Nothing is verified again: an answer that does not
// contradict itself may have been made up. p is the policy of the run, as in its Header.
func (p *Policy) Recheck(a *Answer) error {
	c := recheck{policy: p, a: a, found: make(map[foundAt]int)}
	for i := range a.Findings {
		f := &a.Findings[i]
		if want := f.Code.Severity(); f.Severity != want {
			return fmt.Errorf("archive: findings[%d] is of severity %q, and %s is of severity %q", i, f.Severity, f.Code, want)
		}
		c.found[foundAt{f.Code, f.Position}]++
		if f.Code == FindingInvalidEvidence && f.Position >= 0 {
			c.told(f.FrameID)
		}
	}
	if err := c.answer(); err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	return nil
}

// A recheck is the second look at one answer.
type recheck struct {
	policy  *Policy
	a       *Answer
	found   map[foundAt]int
	invalid map[commitment.Optional]bool // the frame_ids of which invalid evidence is told: frames of one identity share their entries
}

// foundAt is a finding's code and the position of its frame, -1 for none.
type foundAt struct {
	code     FindingCode
	position int
}

func (c *recheck) told(id commitment.Optional) {
	if c.invalid == nil {
		c.invalid = make(map[commitment.Optional]bool)
	}
	c.invalid[id] = true
}

func (c *recheck) answer() error {
	a := c.a
	if a.Retained != (a.Proven != nil) {
		return fmt.Errorf("retained is %t, and proven stands only in a retained answer, and in each", a.Retained)
	}
	if err := c.root(); err != nil {
		return err
	}
	selected := len(c.policy.Frames) > 0
	if selected && len(a.Frames) == 0 {
		return fmt.Errorf("it has no frames, and frames were selected")
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		switch {
		case !selected && f.Position != i:
			return fmt.Errorf("frames[%d].position is %d, and every frame is listed in its place", i, f.Position)
		case i > 0 && f.Position <= a.Frames[i-1].Position:
			return fmt.Errorf("frames[%d].position is %d, behind %d", i, f.Position, a.Frames[i-1].Position)
		case selected && !slices.Contains(c.policy.Frames, f.FrameID):
			return fmt.Errorf("frames[%d].frame_id is %.128q, which was not selected", i, f.FrameID)
		}
		if err := c.frame(f); err != nil {
			return fmt.Errorf("frames[%d]%w", i, err)
		}
	}
	if want := c.policy.answerClass(a); a.Class != want {
		return fmt.Errorf("class is %q, and its frames and findings lead to %q", a.Class, want)
	}
	return nil
}

// root compares the state of the result attestation with its verdict, its tier and the finding on it.
func (c *recheck) root() error {
	r := c.a.Root
	if r == nil {
		return nil
	}
	if want := sign.Valid; r.Verdict.Verifies() && r.Verdict != want {
		return fmt.Errorf("root.verdict is %q, and of a root that verifies it is %q", r.Verdict, want)
	}
	if err := stateOf(r.State, r.Verdict, r.Tier); err != nil {
		return fmt.Errorf("root%w", err)
	}
	mismatch := r.Verdict == sign.CommitmentMismatch
	if (c.found[foundAt{FindingRootMismatch, -1}] > 0) != mismatch {
		return fmt.Errorf("root.verdict is %q, and %s stands beside %q alone", r.Verdict, FindingRootMismatch, sign.CommitmentMismatch)
	}
	if r.State == StateInvalid && !mismatch && c.found[foundAt{FindingInvalidEvidence, -1}] == 0 {
		return fmt.Errorf("root.state is %q, and no finding %s tells of it", r.State, FindingInvalidEvidence)
	}
	return nil
}

// stateOf compares the state of a piece of evidence with its verdict and the tier of its key.
func stateOf(s State, v sign.Verdict, tier Tier) error {
	var fits bool
	switch {
	case v.Verifies():
		fits = s.Verifies() && s.tier() == tier
	case v.Negative():
		fits = s == StateInvalid
	case v == sign.UnknownAlgorithm:
		fits = s == StateUncheckable
	default:
		fits = s == StateNoTrustedKey || s == StateKeyNotInService || s == StateUnusable
	}
	if !fits {
		return fmt.Errorf(".state is %q beside the verdict %q and the tier %q", s, v, tier)
	}
	return nil
}

func (c *recheck) frame(f *Frame) error {
	if err := contentFits(f); err != nil {
		return err
	}
	if err := c.evidence(f); err != nil {
		return err
	}
	state, tier := frameState(f)
	if f.Reason != "" {
		state, tier = StateMalformedFrame, ""
	}
	switch {
	case f.State != state:
		return fmt.Errorf(".state is %q, and its evidence and content lead to %q", f.State, state)
	case f.Tier != tier:
		return fmt.Errorf(".tier is %q, and its evidence leads to %q", f.Tier, tier)
	}
	if want := c.policy.classOf(f, best(f.Evidence)); f.Class != want {
		return fmt.Errorf(".class is %q, and its state and the policy lead to %q", f.Class, want)
	}
	return c.findings(f)
}

// contentFits compares the outcome on the content with the digest that the frame declares.
func contentFits(f *Frame) error {
	text, declared := f.ContentDigest.Text()
	_, err := commitment.ParseDigest(text)
	var fits bool
	switch f.Content {
	case ContentAbsent:
		fits = true
	case ContentNoDigest:
		fits = !declared
	case ContentOpaque:
		fits = declared && err != nil
	default:
		fits = declared && err == nil
	}
	if !fits {
		return fmt.Errorf(".content is %q beside the content_digest %.128q", f.Content, text)
	}
	return nil
}

// evidence compares the state of each piece with its verdict, and of what rests on the root with the root.
func (c *recheck) evidence(f *Frame) error {
	verdict, roots := sign.Valid, 0
	if !f.ContentDigest.Present() {
		verdict = sign.ValidIdentityOnly
	}
	for k := range f.Evidence {
		ev := &f.Evidence[k]
		if ev.Verdict.Verifies() && ev.Verdict != verdict {
			return fmt.Errorf(".evidence[%d].verdict is %q, and of this frame it is %q where evidence verifies", k, ev.Verdict, verdict)
		}
		tier := ev.Tier
		if ev.Kind == KindRoot {
			roots++
			if r := c.a.Root; r == nil || ev.State != r.State || ev.Verdict != r.Verdict && !(ev.Verdict.Verifies() && r.Verdict.Verifies()) {
				return fmt.Errorf(".evidence[%d] is not what root says", k)
			}
			tier = c.a.Root.Tier
		}
		if err := stateOf(ev.State, ev.Verdict, tier); err != nil {
			return fmt.Errorf(".evidence[%d]%w", k, err)
		}
		if ev.Kind == KindInclusion && ev.State != StateUnusable && c.a.Root == nil {
			return fmt.Errorf(".evidence[%d].state is %q, and root, on which it rests, is null", k, ev.State)
		}
	}
	want := 0
	if c.a.Root != nil && !c.a.Retained && f.Reason == "" {
		want = 1
	}
	if roots != want {
		return fmt.Errorf(" has %s of kind %s, want %d", counted(uint64(roots), "piece of evidence", "pieces of evidence"), KindRoot, want)
	}
	if f.Reason != "" && len(f.Evidence) > 0 {
		return fmt.Errorf(" is malformed for the reason %q and has evidence", f.Reason)
	}
	return nil
}

// findings compares what is wrong with a frame with the findings on it.
func (c *recheck) findings(f *Frame) error {
	mismatch := 0
	if f.Content == ContentMismatch {
		mismatch = 1
	}
	wrong, unchecked := 0, 0
	for i := range f.Provenance {
		switch f.Provenance[i].Status {
		case LinkMismatch:
			wrong++
		case LinkMissing, LinkUnverifiable:
			unchecked++
		}
	}
	for _, n := range []struct {
		code FindingCode
		want int
	}{{FindingContentMismatch, mismatch}, {FindingProvenanceMismatch, wrong}, {FindingProvenanceUnchecked, unchecked}} {
		if got := c.found[foundAt{n.code, f.Position}]; got != n.want {
			return fmt.Errorf(" leads to %d of the findings %s, and %d stand there", n.want, n.code, got)
		}
	}
	invalid := slices.ContainsFunc(f.Evidence, func(ev Evidence) bool { return ev.Kind != KindRoot && ev.State == StateInvalid })
	if id := commitment.Some(f.FrameID); invalid && !c.invalid[id] {
		return fmt.Errorf(" has invalid evidence, and no finding %s tells of it", FindingInvalidEvidence)
	}
	return nil
}
