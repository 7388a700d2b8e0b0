package archive_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Keys come from a trust file, one by one, or from what a provider published. They are not worth the same.
func ExampleKeyring() {
	store, err := keys.ParseStore([]byte(`{"format":"contextgraph-trust/1","providers":{"docs":[{"key_id":"docs-2026","algorithm":"ed25519",
		"public_key":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}]}}`))
	if err != nil {
		log.Fatal(err)
	}
	ring := &archive.Keyring{}
	published := []byte(`[{"key_id":"docs-2026","algorithm":"ed25519",
		"public_key":"197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"}]`)
	if err := ring.Publish(published, "handshake.json"); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ring.DefaultLevel()) // nobody is trusted so far
	if err := ring.TrustStore(store, archive.KeySource{Name: "trust.json"}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ring.DefaultLevel())

	// One address, two keys: which of them counts is not for the library to choose.
	other := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(ed25519.NewKeyFromSeed(make([]byte, 32)).Public().(ed25519.PublicKey))}
	err = ring.Trust("docs", "docs-2026", other, "flag")
	fmt.Println(errors.Is(err, archive.ErrKeyConflict))
	// Output:
	// constructed
	// attested
	// true
}

// A diagnosis says what would explain that a signature is over another value. It changes no verdict.
func ExampleVerifier_diagnose() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	served := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open","provenance":[{"type":"file","uri":"a"},{"type":"web"}]}],"truncated":false}}`
	signed, err := archive.Sign([]byte(served), archive.SignOptions{
		Key: key, KeyID: "docs-2026", IssuedAt: at, Shape: archive.ShapeFrames, Provider: commitment.Some("docs"), FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	swapped := strings.Replace(string(signed.Output), `[{"type":"file","uri":"a"},{"type":"web"}]`, `[{"type":"web"},{"type":"file","uri":"a"}]`, 1)

	v := archive.Verifier{Policy: archive.Policy{Provider: commitment.Some("docs")}, Diagnose: true}
	report, err := v.VerifyReader(context.Background(), "served", strings.NewReader(swapped))
	if err != nil {
		log.Fatal(err)
	}
	evidence := report.Answers[0].Frames[0].Evidence[0]
	fmt.Println(evidence.Verdict, evidence.Diagnosis.Cause)
	// Output: commitment_mismatch link_reordered
}

// What a code of a report means, to show beside it.
func ExampleExplain() {
	for _, e := range archive.Explain("identity_only") {
		fmt.Printf("%s %s (%s)\n%s\n", e.Set, e.Code, e.Rule, e.ProvesNot)
	}
	fmt.Println(len(archive.Explain("no such code")))
	// Output:
	// frame_states identity_only (CGP F14, P3)
	// Anything about the content: nothing that was signed speaks of it.
	// 0
}

// A provider publishes the key that it will sign with, in the handshake that it answers with.
func ExamplePublishKey() {
	key, err := keys.ParsePublicKey([]byte("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"))
	if err != nil {
		log.Fatal(err)
	}
	ack := []byte(`{"type":"handshake_ack","provider":{"name":"docs"}}`)
	out, err := archive.PublishKey("ack.json", ack, "docs-2026", key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(out))
	// Rotation is a new key_id.
	other, err := keys.ParsePublicKey([]byte("197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = archive.PublishKey("ack.json", out, "docs-2026", other)
	var refusal *archive.Refusal
	fmt.Println(errors.As(err, &refusal), refusal.Rule)
	// Output:
	// {"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"docs-2026","algorithm":"ed25519","public_key":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}]}
	// true key_conflict
}
