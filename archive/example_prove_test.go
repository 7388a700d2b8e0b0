package archive_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A host shows one frame of an answer to somebody who is not to see the others, with the proof that it was among them.
func ExampleProve() {
	answer := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"},{"id":"loans","content":"four weeks"}],` +
		`"truncated":false}}`
	proven, err := archive.Prove(strings.NewReader(answer), archive.ProveOptions{
		Source: "answer", Provider: commitment.Some("docs"), Frames: []archive.FrameRef{archive.RefText("hours")},
	})
	if err != nil {
		log.Fatal(err)
	}
	inclusion := proven.AppendJSON(nil)

	// Whoever is shown the frame has the proof and a root, and knows who served it.
	frame := []byte(`{"id":"hours","content":"open until 18"}`)
	subject, err := archive.FrameSubject(frame, "docs")
	if err != nil {
		log.Fatal(err)
	}
	result, err := archive.CheckProof(sign.Ed25519Only(), inclusion, subject, archive.ProofRoot{Root: proven.Root})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict) // of a frame without a content_digest nothing says what its content was
	fmt.Println("signed by anybody:", proven.Signed)
	// Output:
	// valid_identity_only
	// signed by anybody: false
}

// A proof that fits another frame leads to another root.
func ExampleCheckProof() {
	answer := `{"type":"frames","result":{"frames":[{"id":"hours"},{"id":"loans"}],"truncated":false}}`
	proven, err := archive.Prove(strings.NewReader(answer), archive.ProveOptions{
		Provider: commitment.Some("docs"), Frames: []archive.FrameRef{archive.RefText("hours")},
	})
	if err != nil {
		log.Fatal(err)
	}
	subject, err := archive.FrameSubject([]byte(`{"id":"loans"}`), "docs")
	if err != nil {
		log.Fatal(err)
	}
	result, err := archive.CheckProof(sign.Ed25519Only(), proven.AppendJSON(nil), subject, archive.ProofRoot{Root: proven.Root})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Verdict, result.Verdict.Negative())

	_, err = archive.CheckProof(sign.Ed25519Only(), []byte(`{"leaf_index":0}`), subject, archive.ProofRoot{Root: proven.Root})
	fmt.Println(errors.Is(err, archive.ErrNoProof))
	// Output:
	// commitment_mismatch true
	// true
}

// One attestation is judged over a commitment that the caller computed.
func ExampleCheckAttestation() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	digest := commitment.Some(commitment.ContentDigest("open until 18").String())
	c, err := commitment.Of("docs", &commitment.Frame{ID: "hours", ContentDigest: digest})
	if err != nil {
		log.Fatal(err)
	}
	attestation := fmt.Appendf(nil,
		`{"signed_commitment":%q,"key_id":"k","algorithm":"ed25519","attester_id":"docs","signature":"%x","issued_at":"2026-08-29T12:00:00Z"}`,
		c, ed25519.Sign(key, c[:]))
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}

	for _, want := range []commitment.Digest{c, commitment.ContentDigest("another")} {
		result, err := archive.CheckAttestation(sign.Ed25519Only(), attestation, want, public)
		if err != nil {
			log.Fatal(err) // no attestation: nothing was judged
		}
		fmt.Println(result.Verdict)
	}
	// Output:
	// valid
	// commitment_mismatch
}

// Frames of several answers are kept at once: of each answer what is needed, and each frame must be found somewhere.
func ExampleRetainAll() {
	refs, err := archive.ParseRefs("a\n")
	if err != nil {
		log.Fatal(err)
	}
	const name = "testdata/minimal/attested.ndjson"
	sources := []archive.Source{{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}}
	subsets, err := archive.RetainAll(sources, archive.RetainOptions{Keep: refs, Everywhere: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range subsets {
		fmt.Println("record", s.Record, "of", s.ProviderID, "kept", s.Kept)
	}
	refs = append(refs, archive.RefText("z"))
	_, err = archive.RetainAll(sources, archive.RetainOptions{Keep: refs, Everywhere: true})
	fmt.Println(errors.Is(err, archive.ErrUnknownFrame))
	// Output:
	// record 2 of docs kept 1
	// true
}
