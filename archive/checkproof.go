package archive

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Errors of CheckProof beside ErrNoAttestation: a text is not what it is to be. Nothing was judged.
var (
	ErrNoProof = errors.New("no inclusion proof")
	ErrNoFrame = errors.New("no frame")
)

// FrameSubject returns what is signed or proven for a frame, given as JSON, of the provider that declares a name. The error
// wraps ErrNoFrame.
func FrameSubject(data []byte, provider string) (sign.Subject, error) {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return sign.Subject{}, fmt.Errorf("archive: %w: %w", ErrNoFrame, err)
	}
	var f frame
	unreadable := decoderOf(data, DefaultLimits()).decodeFrame(&f)
	switch {
	case unreadable != nil:
		return sign.Subject{}, fmt.Errorf("archive: %w: %s", ErrNoFrame, unreadable.Detail)
	case f.fault.found():
		return sign.Subject{}, fmt.Errorf("archive: %w: %s", ErrNoFrame, f.fault.detail)
	}
	c, err := commitment.Of(provider, &f.Frame)
	if err != nil {
		return sign.Subject{}, fmt.Errorf("archive: %w: %w", ErrNoFrame, err)
	}
	return sign.Subject{Commitment: c, BindsContent: f.ContentDigest.Present()}, nil
}

// A ProofRoot is the root that a proof is to lead to.
type ProofRoot struct {
	Root        commitment.Digest // with Attestation not used
	Attestation []byte            // nil: the root is Root, and whether anybody signed it is not asked
	Key         sign.PublicKey    // that Attestation is checked under
}

// CheckProof judges one inclusion proof, given as JSON, for a leaf: an inclusion_proof object, an object that has one, or an
// array with one such object, as Prove's result has it. Root of the result is where the proof leads. Where the shape of the
// proof is wrong the verdict is malformed_commitment and nothing was hashed; where it leads to another root it is
// commitment_mismatch. The error, where there is one, wraps ErrNoProof or ErrNoAttestation.
func CheckProof(algorithms sign.Algorithms, inclusion []byte, leaf sign.Subject, to ProofRoot) (CheckResult, error) {
	p, err := parseProof(inclusion)
	if err != nil {
		return CheckResult{}, fmt.Errorf("archive: %w", err)
	}
	r := CheckResult{}
	if to.Attestation == nil {
		r.Signed = to.Root.String()
		checkProofRoot(&r, p, leaf, to.Root)
		return r, nil
	}
	att, err := parseAttestation(to.Attestation)
	if err != nil {
		return CheckResult{}, fmt.Errorf("archive: %w", err)
	}
	r.describe(att)
	if _, known := algorithms.Lookup(att.Algorithm); !known {
		r.judge(algorithms.Examine(att, commitment.Digest{}))
		return r, nil
	}
	root, err := p.root(leaf.Commitment)
	if err != nil {
		r.Verdict, r.Detail = sign.MalformedCommitment, err.Error()
		return r, nil
	}
	r.Expected, r.Root = root, commitment.Some(root.String())
	r.judge(algorithms.Verify(att, sign.Subject{Commitment: root, BindsContent: leaf.BindsContent}, algorithms.Prepare(to.Key)))
	return r, nil
}

// checkProofRoot compares the root that a proof leads to with one that was given.
func checkProofRoot(r *CheckResult, p *proof, leaf sign.Subject, want commitment.Digest) {
	root, err := p.root(leaf.Commitment)
	if err != nil {
		r.Verdict, r.Detail = sign.MalformedCommitment, err.Error()
		return
	}
	r.Expected, r.Root = root, commitment.Some(root.String())
	switch {
	case root != want:
		r.Verdict, r.Detail = sign.CommitmentMismatch, fmt.Sprintf("the proof leads to the root %s, want %s", root, want)
	case !leaf.BindsContent:
		r.Verdict = sign.ValidIdentityOnly
	default:
		r.Verdict = sign.Valid
	}
}

// parseProof reads one inclusion proof.
func parseProof(data []byte) (*proof, error) {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoProof, err)
	}
	v := jsontext.Value(data)
	if strictjson.Kind(v) == '[' {
		list := slices.Collect(strictjson.Elements(v))
		if len(list) != 1 {
			return nil, fmt.Errorf("%w: an array of %d, want one", ErrNoProof, len(list))
		}
		v = list[0].Value
	}
	if strictjson.Kind(v) == '{' {
		for m := range strictjson.Members(v) {
			if m.Name == "inclusion_proof" {
				v = m.Value
			}
		}
	}
	var p piece[proof]
	decoderOf(v, DefaultLimits()).decodeProof(&p)
	switch {
	case !p.present:
		return nil, fmt.Errorf("%w: the value is null", ErrNoProof)
	case p.fault.found():
		return nil, fmt.Errorf("%w: %s", ErrNoProof, p.fault.detail)
	}
	return &p.value, nil
}
