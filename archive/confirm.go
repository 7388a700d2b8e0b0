package archive

import (
	"bytes"
	"context"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// confirmOutput judges the output as an auditor would who holds the key: every signed answer must be good, by every kind of
// evidence that was written. The provider is given only where the output itself does not say it.
func (s *signing) confirmOutput() error {
	trusted := &Keyring{Algorithms: s.opt.Algorithms}
	if err := trusted.Trust(s.result.Provider, s.signer.KeyID(), s.signer.PublicKey(), "signer"); err != nil {
		return err
	}
	v := Verifier{
		Keys: trusted, Limits: s.limits,
		Policy: Policy{Require: RequireAttested, AllowOpaqueDigest: s.opt.AllowOpaqueDigest},
	}
	signed := make(map[uint64]*signable, len(s.answers))
	for _, a := range s.answers {
		signed[a.number] = a
		if a.declared != commitment.Some(s.result.Provider) {
			v.Policy.Provider = commitment.Some(s.result.Provider)
		}
	}
	report, err := v.VerifyReader(context.Background(), s.opt.Source, bytes.NewReader(s.result.Output))
	if err != nil {
		return err
	}
	for _, e := range report.Errors {
		// What could not be read before was refused.
		if a := signed[e.Record]; a != nil {
			return s.refuse(RuleOverLimit, a.recordPlace, "with its evidence the record is unreadable: %s: %s", e.Code, e.Detail)
		}
	}
	for _, judged := range report.Answers {
		if signed[judged.Record] == nil {
			continue
		}
		if fault := s.unconfirmed(judged); fault != "" {
			return fmt.Errorf("archive: %w: record %d: %s", ErrUnconfirmed, judged.Record, fault)
		}
		s.result.Answers = append(s.result.Answers, judged)
	}
	if len(s.result.Answers) != len(s.answers) {
		return fmt.Errorf("archive: %w: %d of %d answers are in the output", ErrUnconfirmed, len(s.result.Answers), len(s.answers))
	}
	return nil
}

// unconfirmed says what is wrong with the judgement on a signed answer, "" where nothing is.
func (s *signing) unconfirmed(a *Answer) string {
	var want []EvidenceKind
	if s.opt.Shape.signsRoot() {
		want = append(want, KindRoot)
		if !s.opt.NoProofs {
			want = append(want, KindInclusion)
		}
	}
	if s.opt.Shape.signsFrames() {
		want = append(want, KindSignature)
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		for _, kind := range want {
			if !f.attestedBy(kind) {
				return fmt.Sprintf("frame %d is %s and not attested by its %s", i, f.State, kind)
			}
		}
	}
	if a.Class != ClassGood {
		return fmt.Sprintf("it is %s", a.Class)
	}
	return ""
}

func (f *Frame) attestedBy(kind EvidenceKind) bool {
	for i := range f.Evidence {
		if ev := &f.Evidence[i]; ev.Kind == kind && ev.State == StateAttested {
			return true
		}
	}
	return false
}
