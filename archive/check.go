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

// A CheckResult is the verdict on one attestation over one commitment.
type CheckResult struct {
	Verdict    sign.Verdict
	Detail     string            // why the verdict is not valid
	Expected   commitment.Digest // the commitment that was given
	Signed     string            // signed_commitment as it stands in the attestation
	KeyID      string            // a claim: only the signature is verified
	Unverified Claims
}

// CheckAttestation judges one attestation, given as JSON, over a commitment under one key. The key is the thing under test
// too: one that is weak or of another algorithm has its verdict. The error, where there is one, wraps ErrNoAttestation.
func CheckAttestation(algorithms sign.Algorithms, attestation []byte, want commitment.Digest, key sign.PublicKey) (CheckResult, error) {
	if err := strictjson.Validate(attestation, strictjson.DefaultLimits()); err != nil {
		return CheckResult{}, fmt.Errorf("archive: %w: %w", ErrNoAttestation, err)
	}
	p := decodeAttestation(attestation)
	switch {
	case !p.present:
		return CheckResult{}, fmt.Errorf("archive: %w: the value is null", ErrNoAttestation)
	case p.fault.found():
		return CheckResult{}, fmt.Errorf("archive: %w: %s", ErrNoAttestation, p.fault.detail)
	}
	subject := sign.Subject{Commitment: want, BindsContent: true}
	o := algorithms.Verify(&p.value, subject, algorithms.Prepare(key))
	r := CheckResult{
		Verdict: o.Verdict, Expected: want, Signed: p.value.SignedCommitment, KeyID: p.value.KeyID,
		Unverified: Claims{AttesterID: p.value.AttesterID, IssuedAt: p.value.IssuedAt},
	}
	if o.Detail != nil {
		r.Detail = o.Detail.Error()
	}
	return r, nil
}
