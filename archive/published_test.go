package archive_test

import (
	"bytes"
	"context"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The published example: thirteen messages of two providers, three answers, the last of them signed.
func publishedExample(t *testing.T) []byte {
	return publicdata.Shared(t, "vectors/reference-messages.json")
}

func verify(t *testing.T, v *archive.Verifier, input []byte) *archive.Report {
	t.Helper()
	r, err := v.VerifyReader(context.Background(), "input", bytes.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	recheck(t, r)
	return r
}

func TestPublishedExampleIsConstructed(t *testing.T) {
	r := verify(t, &archive.Verifier{}, publishedExample(t))
	if r.Summary.Records != 13 || r.Summary.Answers != 3 || r.Summary.PassedOver != 7 || r.Summary.Unreadable != 0 {
		t.Errorf("read %d records, %d answers, %d passed over, %d unreadable, want 13, 3, 7, 0",
			r.Summary.Records, r.Summary.Answers, r.Summary.PassedOver, r.Summary.Unreadable)
	}
	for _, a := range r.Answers[:2] {
		for _, f := range a.Frames {
			if f.State != archive.StateUnattested {
				t.Errorf("record %d, frame %q is %s, want unattested", a.Record, f.FrameID, f.State)
			}
		}
	}
	signed := r.Answers[2]
	if signed.Root.State != archive.StateConstructed || signed.Root.Verdict != sign.Valid {
		t.Errorf("the root is %s, %s, want constructed, valid", signed.Root.State, signed.Root.Verdict)
	}
	// The commitment and the root are those that vectors/reference-messages.json publishes.
	if got, want := signed.Frames[0].Commitment, "sha256:7951637413208edb0ade6e2a26d3a4cae01cc7b89ff5274529551a417b7f442d"; got != want {
		t.Errorf("commitment of the first frame = %s, want %s", got, want)
	}
	if got, want := signed.Root.Recomputed, "sha256:a6eb9a20c7ef7b4fb633d073c3ca917253fa925a663a0176915c0643de7e75ed"; got != want {
		t.Errorf("root = %s, want %s", got, want)
	}
	evidence := 0
	for _, f := range signed.Frames {
		if f.State != archive.StateConstructed || f.Content != archive.ContentOpaque || f.Class != archive.ClassUnchecked {
			t.Errorf("frame %q is %s, content %s, %s, want constructed, opaque_digest, unchecked", f.FrameID, f.State, f.Content, f.Class)
		}
		evidence += len(f.Evidence)
	}
	if evidence != 5 || r.Summary.Evidence[archive.StateConstructed] != 5 {
		t.Errorf("%d pieces of evidence, %d constructed, want 5 of 5", evidence, r.Summary.Evidence[archive.StateConstructed])
	}
	if r.Summary.ExitCode != archive.ExitUnchecked {
		t.Errorf("exit code %d (%s), want 3", r.Summary.ExitCode, r.Summary.ExitReason)
	}
}

func TestPublishedExampleUnderItsKey(t *testing.T) {
	keys := &archive.Keyring{}
	// The key that the example's handshake_ack publishes, as if a person had configured it.
	raw := mustHex(t, "197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61")
	if err := keys.Trust("repo-graph", "repo-graph-2026-08", sign.PublicKey{Algorithm: sign.Ed25519, Bytes: raw}, "test"); err != nil {
		t.Fatal(err)
	}
	v := &archive.Verifier{Keys: keys, Policy: archive.Policy{AllowOpaqueDigest: true}}
	r := verify(t, v, publishedExample(t))
	for _, f := range r.Answers[2].Frames {
		if f.State != archive.StateAttested || f.Class != archive.ClassGood {
			t.Errorf("frame %q is %s, %s, want attested, good", f.FrameID, f.State, f.Class)
		}
	}
	if r.Summary.ExitCode != archive.ExitUnchecked {
		t.Errorf("exit code %d, want 3: two answers carry no evidence", r.Summary.ExitCode)
	}
	v.Policy.Provider = commitment.Some("cloud-docs")
	r = verify(t, v, publishedExample(t))
	if r.Summary.ExitCode != archive.ExitNegative {
		t.Errorf("as cloud-docs: exit code %d, want 1", r.Summary.ExitCode)
	}
}
