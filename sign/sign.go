// Package sign evaluates and makes provenance attestations: Ed25519 signatures over commitments (CGP §6.5.4, F7, F8).
//
// Most callers need two functions: [Algorithms.Verify], which evaluates one attestation against a recomputed commitment
// and returns a [Verdict], and [Signer.Attest], which makes an attestation. [VerifyEd25519] is the bare signature check.
//
// # Where to start
//
//   - [Ed25519Only], [With]: which algorithms to check
//   - [Algorithms.Verify], [Algorithms.Examine]: judge an [Attestation], with a key and before there is one
//   - [NewSigner], [Signer.Attest]: make one, with any crypto.Signer
//   - [VerifyEd25519], [CheckEd25519Key]: the strict rule alone (RFC 8032 §5.1.7 and CGP §6.5.4)
//
// Judging has no errors: every attestation, however it is made up, has a [Verdict], and the [Outcome] says why. Errors are those of
// keys and signers, and wrap one of the variables below. [Algorithms], [Key] and a [Signer] over a signer that can are safe for
// concurrent use.
//
// # Security
//
// The verdict [Valid] says that the holder of the private key signed the commitment that the caller recomputed, and that
// the commitment binds a content digest. It does not say whose key it was: that is for whoever chose the key. It says
// nothing about the other members of the attestation: key_id, algorithm, attester_id and issued_at are covered by no
// signature, and anyone who relays an attestation can rewrite them. It says nothing about the content itself, which the
// caller compares with its digest, nor about time.
//
// The signed message is a bare 32-byte hash without a context string. A key that signs commitments is to sign nothing
// else.
//
// An Ed25519 signature is judged by the strict rule in ed25519.go, on which two conforming verifiers cannot disagree.
// crypto/ed25519 alone accepts more, among it keys under which one signature fits every message.
package sign

import (
	"crypto/sha256"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// Attestation is a ProvenanceAttestation (CGP §6.5.4): its six members, each the text on the wire. Only SignedCommitment
// is covered by the signature.
type Attestation struct {
	SignedCommitment string // "sha256:" and 64 lowercase hexadecimal digits
	KeyID            string // a hint for looking the key up
	Algorithm        string // the exact name of an [Algorithm]
	AttesterID       string // claimed by whoever wrote it
	Signature        string // lowercase hexadecimal
	IssuedAt         string // claimed by whoever wrote it; no decision may read it (CGP F18)
}

// PublicKey is a public key of a named algorithm. It is comparable; equality is equality of name and bytes.
type PublicKey struct {
	Algorithm string
	Bytes     string // the raw key bytes, not their hexadecimal form
}

// String returns the key's fingerprint: "sha256:" and the hexadecimal SHA-256 of the raw key bytes. The algorithm does not
// enter it.
func (k PublicKey) String() string {
	return commitment.Digest(sha256.Sum256([]byte(k.Bytes))).String()
}
