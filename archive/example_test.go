package archive_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// An auditor verifies a saved archive: what is wrong, and what is not proven.
func ExampleVerifier_VerifyReader() {
	file, err := os.Open("testdata/minimal/content_mismatch.ndjson")
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	raw, err := hex.DecodeString("ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")
	if err != nil {
		log.Fatal(err)
	}
	keys := &archive.Keyring{}
	if err := keys.Trust("docs", "k1", sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)}, "auditor"); err != nil {
		log.Fatal(err)
	}
	report, err := (&archive.Verifier{Keys: keys}).VerifyReader(context.Background(), file.Name(), file)
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range report.Answers {
		for _, f := range a.Frames {
			fmt.Println(f.FrameID, f.State, f.Class)
		}
	}
	fmt.Println("exit code", report.Summary.ExitCode)
	// Output:
	// a content_mismatch negative
	// exit code 1
}

// A host checks each answer as it arrives and uses the frames that are good.
func ExampleVerifier() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	keys := &archive.Keyring{}
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
	if err := keys.Trust("docs", "docs-2026", public, "host configuration"); err != nil {
		log.Fatal(err)
	}
	// The host knows whom it asked: no handshake_ack need stand in front of the answer.
	host := &archive.Verifier{Keys: keys, Policy: archive.Policy{Provider: commitment.Some("docs")}}

	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	served := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}`
	signed, err := archive.Sign([]byte(served), archive.SignOptions{
		Key: key, KeyID: "docs-2026", IssuedAt: at, Provider: commitment.Some("docs"), FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, arrived := range []string{string(signed.Output), strings.Replace(string(signed.Output), "18", "22", 1)} {
		report, err := host.VerifyReader(context.Background(), "docs", strings.NewReader(arrived))
		if err != nil {
			log.Fatal(err)
		}
		for _, f := range report.Answers[0].Frames {
			fmt.Println(f.FrameID, f.State, "use it:", f.Class == archive.ClassGood)
		}
	}
	// Output:
	// hours attested use it: true
	// hours content_mismatch use it: false
}

// A provider's build step signs what it will serve.
func ExampleSign() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	session := `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}
`
	opt := archive.SignOptions{Source: "session", Key: key, KeyID: "docs-2026", IssuedAt: at}
	if _, err := archive.Sign([]byte(session), opt); err != nil {
		fmt.Println(err)
	}
	opt.FillDigests = true
	result, err := archive.Sign([]byte(session), opt)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("signed", result.Signed, "as", result.Provider)
	// Output:
	// archive: refused to sign session, record 2 at byte 52, frame 0 "hours": missing_digest: the frame declares no content_digest (CGP F14)
	// signed 1 as docs
}

// A host composes a context from a few frames of an answer. Before it drops the rest it keeps their proofs.
func ExampleRetain() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	served := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"},{"id":"loans","content":"four weeks"},` +
		`{"id":"fees","content":"none"}],"truncated":false}}`
	arrived, err := archive.Sign([]byte(served), archive.SignOptions{
		Key: key, KeyID: "docs-2026", IssuedAt: at, Provider: commitment.Some("docs"), FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}

	keys := &archive.Keyring{}
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
	if err := keys.Trust("docs", "docs-2026", public, "host configuration"); err != nil {
		log.Fatal(err)
	}
	// The composition step has chosen one frame.
	subsets, err := archive.Retain(bytes.NewReader(arrived.Output), archive.RetainOptions{
		Source: "docs", Keys: keys, Provider: commitment.Some("docs"), Keep: []archive.FrameRef{archive.RefText("hours")},
	})
	if err != nil {
		log.Fatal(err)
	}
	kept := subsets[0]
	fmt.Println("kept", kept.Kept, "of", kept.Kept+kept.Dropped, "verified:", kept.Verified)

	// Months later, with the evidence alone.
	report, err := (&archive.Verifier{Keys: keys}).VerifyReader(context.Background(), "kept", bytes.NewReader(kept.Output))
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range report.Answers {
		fmt.Println(a.Frames[0].FrameID, a.Frames[0].State, "-", a.Proven)
	}
	// Output:
	// kept 1 of 3 verified: true
	// hours attested - 1 of 3 proven, 3 is the provider's claim: nothing signs it
}
