package archive

import (
	"errors"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// ErrNoAttestation means that a text is no attestation: no JSON, or a required member is missing or of another type. Nothing
// was judged.
var ErrNoAttestation = errors.New("no attestation")

// A CheckResult is the verdict on one attestation over one commitment, or on one proof.
type CheckResult struct {
	Verdict    sign.Verdict
	Detail     string              // why the verdict is not valid
	Expected   commitment.Digest   // the commitment that was given; of a proof the root it leads to, zero where it leads nowhere
	Signed     string              // signed_commitment as it stands in the attestation; without one the root that was given
	KeyID      string              // a claim: only the signature is verified
	Root       commitment.Optional // of a proof: the root it leads to, absent where its shape is wrong
	Attested   bool                // an attestation was judged: KeyID and Unverified say something
	Unverified Claims
}

// CheckAttestation judges one attestation, given as JSON, over a commitment under one key. The key is the thing under test
// too: one that is weak or of another algorithm has its verdict. The error, where there is one, wraps ErrNoAttestation.
func CheckAttestation(algorithms sign.Algorithms, attestation []byte, want commitment.Digest, key sign.PublicKey) (CheckResult, error) {
	att, err := parseAttestation(attestation)
	if err != nil {
		return CheckResult{}, fmt.Errorf("archive: %w", err)
	}
	subject := sign.Subject{Commitment: want, BindsContent: true}
	r := CheckResult{Expected: want}
	r.describe(att)
	r.judge(algorithms.Verify(att, subject, algorithms.Prepare(key)))
	return r, nil
}

func parseAttestation(data []byte) (*sign.Attestation, error) {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoAttestation, err)
	}
	var p piece[sign.Attestation]
	decoderOf(data, DefaultLimits()).decodeAttestation(&p)
	switch {
	case !p.present:
		return nil, fmt.Errorf("%w: the value is null", ErrNoAttestation)
	case p.fault.found():
		return nil, fmt.Errorf("%w: %s", ErrNoAttestation, p.fault.detail)
	}
	return &p.value, nil
}

func (r *CheckResult) describe(att *sign.Attestation) {
	r.Signed, r.KeyID, r.Attested = att.SignedCommitment, att.KeyID, true
	r.Unverified = Claims{AttesterID: att.AttesterID, IssuedAt: att.IssuedAt}
}

func (r *CheckResult) judge(o sign.Outcome) {
	r.Verdict = o.Verdict
	if o.Detail != nil {
		r.Detail = o.Detail.Error()
	}
}
