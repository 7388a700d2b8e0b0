package sign_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The commitment of a frame is signed. The seed is one that is published for tests; a real one is random and secret.
func ExampleSigner_Attest() {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", ed25519.SeedSize)))
	issuedAt, err := commitment.ParseInstant("2026-08-27T00:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	signer, err := sign.NewSigner(key, "docs-2026-08", "docs", issuedAt)
	if err != nil {
		log.Fatal(err)
	}
	frame := commitment.Frame{ID: "retry-policy", ContentDigest: commitment.Some(commitment.ContentDigest("Retry.").String())}
	steps, err := commitment.Trace("docs", &frame)
	if err != nil {
		log.Fatal(err)
	}
	id := frame.Identity("docs")
	att, err := signer.Attest(sign.Request{
		Commitment: steps.Commitment,
		Provider:   "docs",
		Frame:      &id,
		Preimage:   steps.FramePreimage,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(att.Algorithm, att.KeyID, len(att.Signature), att.SignedCommitment == steps.Commitment.String())
	// Output: ed25519 docs-2026-08 128 true
}

// The attestation that the protocol publishes as a test vector is verified, then held against another frame.
func ExampleAlgorithms_Verify() {
	raw, err := hex.DecodeString("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")
	if err != nil {
		log.Fatal(err)
	}
	att := sign.Attestation{
		SignedCommitment: "sha256:cba5cb083177e61ce370ab586dbf7096508e5224ad18d213c902e014796c88ea",
		KeyID:            "key-1",
		Algorithm:        "ed25519",
		AttesterID:       "oxagen",
		Signature: "2f8af919196862e7f946a0117d65522da36592344cf46ffe00ab8e6ec0a6b5cd" +
			"b132800b71b5cd161609378d8ebd789a0adc971cdb8856cd195c9154fe2b2d04",
		IssuedAt: "2026-08-27T00:00:00Z",
	}

	algorithms := sign.Ed25519Only()
	key := algorithms.Prepare(sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)})
	link := commitment.Link{
		Type:   "file",
		URI:    commitment.Some("src/retry.rs"),
		Range:  commitment.Some("L10-L20"),
		Digest: commitment.Some("sha256:" + strings.Repeat("ab", 32)),
	}
	frame := commitment.Frame{
		ID:            "retry-policy",
		ContentDigest: commitment.Some("sha256:" + strings.Repeat("cd", 32)),
		Provenance:    []commitment.Link{link},
	}
	for _, id := range []string{"retry-policy", "retry-policies"} {
		frame.ID = id
		recomputed, err := commitment.Of("repo-graph", &frame)
		if err != nil {
			log.Fatal(err)
		}
		subject := sign.Subject{Commitment: recomputed, BindsContent: frame.ContentDigest.Present()}
		fmt.Println(id+":", algorithms.Verify(&att, subject, key).Verdict)
	}
	// Output:
	// retry-policy: valid
	// retry-policies: commitment_mismatch
}

// One bit of a signature is wrong.
func ExampleVerifyEd25519() {
	key := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", ed25519.SeedSize)))
	public := key.Public().(ed25519.PublicKey)
	message := []byte("message")
	signature := ed25519.Sign(key, message)
	fmt.Println(sign.VerifyEd25519(public, message, signature))
	signature[40] ^= 1
	err := sign.VerifyEd25519(public, message, signature)
	fmt.Println(err)
	fmt.Println(errors.Is(err, sign.ErrBadSignature))
	// Output:
	// <nil>
	// sign: bad signature: R is not S·B − k·A
	// true
}
