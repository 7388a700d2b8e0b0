package sign

import (
	"encoding/hex"
	"errors"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// Subject is what an attestation is to be about: a commitment that the caller recomputed from the artifact in hand.
type Subject struct {
	Commitment commitment.Digest
	// BindsContent says that the commitment binds a content digest: the frame declares one, or the subject is a root.
	// Without it a signature that verifies is [ValidIdentityOnly].
	BindsContent bool
}

// Outcome is the verdict on one attestation, with what explains it.
type Outcome struct {
	Verdict  Verdict
	Expected commitment.Digest // the recomputed commitment, as the caller gave it
	Signed   commitment.Digest // what the attestation signs; zero under unknown_algorithm and malformed_commitment
	Detail   error             // why the verdict is not [Valid]; nil where it is, and where none was reached
}

// The details of a verdict that no other error describes.
var (
	errUnknownAlgorithm = errors.New("algorithm is not among those to check")
	errMismatch         = errors.New("the signed commitment is not the recomputed one")
	errSignatureHex     = fmt.Errorf("%w: %w", ErrMalformedSignature, errNotLowercaseHex)
	errIdentityOnly     = errors.New("the frame declares no content_digest")
)

// Examine judges what can be judged without a key: the algorithm, the form of the signed commitment, and whether that is
// want, the recomputed one. The zero verdict means that nothing is wrong so far; then look the key up and call
// [Algorithms.Verify]. Tampering is named here, before any key is asked for.
func (a Algorithms) Examine(att *Attestation, want commitment.Digest) Outcome {
	out := Outcome{Expected: want}
	if _, ok := a.Lookup(att.Algorithm); !ok {
		return out.is(UnknownAlgorithm, fmt.Errorf("%w: %.128q", errUnknownAlgorithm, att.Algorithm))
	}
	signed, err := commitment.ParseDigest(att.SignedCommitment)
	if err != nil {
		return out.is(MalformedCommitment, err)
	}
	out.Signed = signed
	if signed != want {
		return out.is(CommitmentMismatch, errMismatch)
	}
	return out
}

// Verify evaluates an attestation over subject under key: [Algorithms.Examine], then the key, the form of the signature,
// the signature. The first of the verdicts that applies is the outcome, in the order of CGP §6.5.4; it is never the zero
// verdict. A key of another algorithm than the attestation names is [MalformedKey], and nothing is tried under another
// scheme. Key must have been prepared by a; nil is [MalformedKey].
func (a Algorithms) Verify(att *Attestation, subject Subject, key *Key) Outcome {
	out := a.Examine(att, subject.Commitment)
	if out.Verdict != "" {
		return out
	}
	if err := key.usableFor(att.Algorithm); err != nil {
		return out.is(MalformedKey, err)
	}
	signature, err := parseSignature(att.Signature)
	if err != nil {
		return out.is(MalformedSignature, err)
	}
	if err := key.verifier.Verify(subject.Commitment[:], signature); err != nil {
		if errors.Is(err, ErrMalformedSignature) {
			return out.is(MalformedSignature, err)
		}
		return out.is(BadSignature, err)
	}
	if !subject.BindsContent {
		return out.is(ValidIdentityOnly, errIdentityOnly)
	}
	return out.is(Valid, nil)
}

func (o Outcome) is(v Verdict, detail error) Outcome {
	o.Verdict, o.Detail = v, detail
	return o
}

// parseSignature decodes the text of a signature. Which length it must have is the algorithm's to say.
func parseSignature(text string) ([]byte, error) {
	raw, err := parseHex(text)
	if err != nil {
		return nil, errSignatureHex
	}
	return raw, nil
}

var errNotLowercaseHex = errors.New("it is not lowercase hexadecimal")

// parseHex decodes an even number of 0-9 and a-f. encoding/hex alone takes uppercase.
func parseHex(text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c >= 'A' && c <= 'F' {
			return nil, errNotLowercaseHex
		}
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return nil, errNotLowercaseHex
	}
	return raw, nil
}
