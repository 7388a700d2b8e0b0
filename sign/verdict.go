package sign

// Verdict is the judgement on one attestation (CGP §6.5.4). The set is closed and spelt the same everywhere. The zero
// value means that none was reached; it is never good.
type Verdict string

// The verdicts, in order of precedence: the first that applies is the verdict.
const (
	// UnknownAlgorithm: the attestation names an algorithm that this verifier was not told to check (CGP F8).
	// Uncheckable: neither good nor negative.
	UnknownAlgorithm Verdict = "unknown_algorithm"
	// MalformedCommitment: signed_commitment is not a well-formed digest, or the inclusion proof that should yield the
	// root is malformed.
	MalformedCommitment Verdict = "malformed_commitment"
	// CommitmentMismatch: signed_commitment differs from the commitment recomputed from what is in hand.
	CommitmentMismatch Verdict = "commitment_mismatch"
	// MalformedKey: the public key is of the wrong length, of another algorithm, or declined by the strict rule.
	MalformedKey Verdict = "malformed_key"
	// MalformedSignature: the signature is not lowercase hexadecimal of the right length.
	MalformedSignature Verdict = "malformed_signature"
	// BadSignature: the strict rule does not accept the signature.
	BadSignature Verdict = "bad_signature"
	// ValidIdentityOnly: the signature verifies, but the frame declares no content_digest: it is bound to identity and
	// provenance, not to content.
	ValidIdentityOnly Verdict = "valid_identity_only"
	// Valid: the signature verifies and binds a content_digest.
	Valid Verdict = "valid"
)

// Verdicts returns the eight verdicts in order of precedence. The slice is the caller's.
func Verdicts() []Verdict {
	return []Verdict{
		UnknownAlgorithm, MalformedCommitment, CommitmentMismatch, MalformedKey,
		MalformedSignature, BadSignature, ValidIdentityOnly, Valid,
	}
}

// Verifies reports whether the signature was verified: v is [Valid] or [ValidIdentityOnly].
func (v Verdict) Verifies() bool {
	return v == Valid || v == ValidIdentityOnly
}

// Negative reports whether v says that the evidence is wrong. [UnknownAlgorithm] and the zero value do not: they say that
// it was not judged.
func (v Verdict) Negative() bool {
	switch v {
	case MalformedCommitment, CommitmentMismatch, MalformedKey, MalformedSignature, BadSignature:
		return true
	}
	return false
}
