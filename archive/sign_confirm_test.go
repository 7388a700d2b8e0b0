package archive

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// TestConfirmOutput tampers with the output between the signing and the check that stands behind it.
func TestConfirmOutput(t *testing.T) {
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	input := fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":"docs"}}{"frames":[{"id":"a","content":"x","content_digest":%q},`+
		`{"id":"b","content":"y","content_digest":%q}]}`, commitment.ContentDigest("x"), commitment.ContentDigest("y"))
	for _, row := range []struct {
		name     string
		old, new string
		want     error
	}{
		{"nothing", "", "", nil},
		{"content", `"content":"x"`, `"content":"z"`, ErrUnconfirmed},
		{"id", `"id":"a"`, `"id":"A"`, ErrUnconfirmed},
		{"signature of a frame", `"attestation":`, `"Attestation":`, ErrUnconfirmed},
		{"proof", `"inclusion_proof":`, `"Inclusion_proof":`, ErrUnconfirmed},
		{"side", `"sibling_is_left":true`, `"sibling_is_left":false`, ErrUnconfirmed},
		{"root", `"result_attestation":`, `"Result_attestation":`, ErrUnconfirmed},
		{"key_id", `"key_id":"k"`, `"key_id":"K"`, ErrUnconfirmed},
		{"frames", `{"frames":`, `{"type":"shutdown","frames":`, ErrUnconfirmed},
		{"provider", `"name":"docs"`, `"name":"code"`, ErrUnconfirmed},
	} {
		s := &signing{
			input: []byte(input), limits: DefaultLimits(), result: &SignResult{},
			opt: SignOptions{
				Key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize)), KeyID: "k", IssuedAt: at, Shape: ShapeBoth,
			},
		}
		for _, step := range []func() error{s.read, s.chooseProvider, s.newSigner, s.judgeAnswers, s.signAnswers} {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(string(s.result.Output), row.old) {
			t.Fatalf("%s: no %s in %s", row.name, row.old, s.result.Output)
		}
		s.result.Output = []byte(strings.Replace(string(s.result.Output), row.old, row.new, 1))
		if err := s.confirmOutput(); !errors.Is(err, row.want) {
			t.Errorf("%s: confirmOutput = %v, want %v", row.name, err, row.want)
		}
	}
}
