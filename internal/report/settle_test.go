package report_test

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// settled makes the answers of a run that was made up such as a run can give: what follows from the evidence, the content and
// the policy is set by the tables of the contract, and nothing else is changed. It counts nothing.
func (r *run) settled() *run {
	for _, a := range r.answers {
		settle(&r.header.Policy, a)
	}
	return r
}

func settle(p *archive.Policy, a *archive.Answer) {
	if a.Proven = map[bool]*archive.Proven{true: a.Proven}[a.Retained]; a.Retained && a.Proven == nil {
		a.Proven = &archive.Proven{}
	}
	derived := []archive.FindingCode{
		archive.FindingRootMismatch, archive.FindingInvalidEvidence, archive.FindingContentMismatch, archive.FindingProvenanceMismatch,
		archive.FindingProvenanceUnchecked,
	}
	a.Findings = slices.DeleteFunc(a.Findings, func(f archive.Finding) bool { return slices.Contains(derived, f.Code) })
	find := func(code archive.FindingCode, position int, id commitment.Optional) {
		a.Findings = append(a.Findings, archive.Finding{Code: code, Severity: code.Severity(), Entry: -1, Position: position, FrameID: id})
	}
	if a.Root != nil {
		settleEvidence(a.Root.State, &a.Root.Verdict, &a.Root.Tier, sign.Valid)
		switch {
		case a.Root.Verdict == sign.CommitmentMismatch:
			find(archive.FindingRootMismatch, -1, commitment.Optional{})
		case a.Root.State == archive.StateInvalid:
			find(archive.FindingInvalidEvidence, -1, commitment.Optional{})
		}
	}
	if len(p.Frames) > 0 && len(a.Frames) == 0 {
		a.Frames = []archive.Frame{{ProviderID: a.ProviderID.OrEmpty(), Content: archive.ContentAbsent}}
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		if f.Position = i; len(p.Frames) > 0 {
			f.Position, f.FrameID = 3*i+1, p.Frames[i%len(p.Frames)]
		}
		settleFrame(p, a, f)
		if f.Content == archive.ContentMismatch {
			find(archive.FindingContentMismatch, f.Position, commitment.Some(f.FrameID))
		}
		for _, ev := range f.Evidence {
			if ev.Kind != archive.KindRoot && ev.State == archive.StateInvalid {
				find(archive.FindingInvalidEvidence, f.Position, commitment.Some(f.FrameID))
			}
		}
		for _, l := range f.Provenance {
			switch l.Status {
			case archive.LinkMismatch:
				find(archive.FindingProvenanceMismatch, f.Position, commitment.Some(f.FrameID))
			case archive.LinkMissing, archive.LinkUnverifiable:
				find(archive.FindingProvenanceUnchecked, f.Position, commitment.Some(f.FrameID))
			}
		}
	}
	worst := []archive.Class{archive.ClassNegative, archive.ClassUnreadable, archive.ClassUnchecked, archive.ClassGood}
	classes := []archive.Class{archive.ClassGood}
	if len(a.Frames) == 0 {
		classes[0] = archive.ClassUnchecked
		switch {
		case a.Root == nil:
		case a.Root.State == archive.StateInvalid:
			classes[0] = archive.ClassNegative
		case !a.Retained && reaches(p, a.Root.State):
			classes[0] = archive.ClassGood
		}
	}
	for _, f := range a.Frames {
		classes = append(classes, f.Class)
	}
	for _, f := range a.Findings {
		if f.Severity == archive.SeverityError {
			classes = append(classes, archive.ClassNegative)
		}
	}
	a.Class = worst[slices.IndexFunc(worst, func(c archive.Class) bool { return slices.Contains(classes, c) })]
}

// settleEvidence sets the verdict and the tier that go with a state.
func settleEvidence(s archive.State, v *sign.Verdict, tier *archive.Tier, valid sign.Verdict) {
	switch s {
	case archive.StateAttested, archive.StatePinned, archive.StateConstructed:
		*v, *tier = valid, map[archive.State]archive.Tier{
			archive.StateAttested: archive.TierConfigured, archive.StatePinned: archive.TierPinned, archive.StateConstructed: archive.TierPublished,
		}[s]
	case archive.StateInvalid:
		if !v.Negative() {
			*v = sign.BadSignature
		}
	case archive.StateUncheckable:
		*v = sign.UnknownAlgorithm
	default:
		*v = ""
	}
}

func settleFrame(p *archive.Policy, a *archive.Answer, f *archive.Frame) {
	valid := sign.Valid
	switch _, declared := f.ContentDigest.Text(); {
	case !declared:
		valid = sign.ValidIdentityOnly
		if f.Content != archive.ContentAbsent {
			f.Content = archive.ContentNoDigest
		}
	case f.Content == archive.ContentNoDigest:
		f.Content = archive.ContentAbsent
	case f.Content == archive.ContentMatch, f.Content == archive.ContentMismatch:
		f.ContentDigest = commitment.Some(commitment.ContentDigest("x").String())
	}
	if f.State == archive.StateMalformedFrame {
		f.Tier, f.Class, f.Commitment, f.Evidence = "", archive.ClassUnreadable, "", nil
		if f.Reason == "" {
			f.Reason = archive.ReasonIllTyped
		}
		return
	}
	f.Reason = ""
	f.Evidence = slices.DeleteFunc(f.Evidence, func(ev archive.Evidence) bool { return ev.Kind == archive.KindRoot })
	if a.Root != nil && !a.Retained {
		f.Evidence = append(f.Evidence, archive.Evidence{Kind: archive.KindRoot, State: a.Root.State, Verdict: a.Root.Verdict, Entry: -1})
	}
	f.State, f.Tier = archive.StateUnattested, ""
	order := []archive.State{
		archive.StateAttested, archive.StatePinned, archive.StateConstructed, archive.StateInvalid, archive.StateKeyNotInService,
		archive.StateUncheckable, archive.StateNoTrustedKey, archive.StateUnusable, archive.StateUnattested,
	}
	for k := range f.Evidence {
		ev := &f.Evidence[k]
		if ev.Kind == archive.KindInclusion && a.Root == nil {
			ev.State = archive.StateUnusable
		}
		tier := ev.Tier
		if settleEvidence(ev.State, &ev.Verdict, &tier, valid); ev.Kind != archive.KindRoot {
			ev.Tier = tier
		}
		if slices.Index(order, ev.State) < slices.Index(order, f.State) {
			f.State = ev.State
			if f.Tier = ""; ev.State.Verifies() {
				f.Tier = tier
			}
		}
	}
	best := f.State
	switch {
	case !best.Verifies():
	case f.Content == archive.ContentMismatch:
		f.State = archive.StateContentMismatch
	case valid == sign.ValidIdentityOnly:
		f.State = archive.StateIdentityOnly
	}
	opaque := valid == sign.Valid && f.Content != archive.ContentMatch && f.ContentDigest.OrEmpty() != commitment.ContentDigest("x").String()
	switch f.Class = archive.ClassUnchecked; {
	case f.State == archive.StateInvalid || f.State == archive.StateContentMismatch:
		f.Class = archive.ClassNegative
	case best.Verifies() && reaches(p, best) &&
		(f.Content == archive.ContentMatch || valid == sign.ValidIdentityOnly && p.AllowIdentityOnly || opaque && p.AllowOpaqueDigest):
		f.Class = archive.ClassGood
	}
}

// reaches reports whether evidence that verifies is of the level that a policy requires.
func reaches(p *archive.Policy, s archive.State) bool {
	levels := []string{"constructed", "pinned", "attested"}
	need := slices.Index(levels, string(p.Require))
	return need >= 0 && slices.Index(levels, string(s)) >= need
}
