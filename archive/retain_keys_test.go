package archive_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
)

// published is an attester_keys array of one key under key-1.
func published(key ed25519.PrivateKey) []byte {
	return fmt.Appendf(nil, `[{"key_id":"key-1","algorithm":"ed25519","public_key":"%s"}]`,
		hex.EncodeToString(key.Public().(ed25519.PublicKey)))
}

// A subset carries no published key under which its evidence would be wrong, whatever the session published; its receiver, who
// holds no other key, finds it as good as it was.
func TestRetainCarriesTheKeyThatFits(t *testing.T) {
	signed := signedAnswers(t, "docs", signingKey(7), archive.ShapeBoth, answerOf(numberedFrames(3)...))[0]
	otherAlgorithm := strings.Replace(ackWithKey("docs", signingKey(9)), `"algorithm":"ed25519"`, `"algorithm":"foo"`, 1)
	for name, ack := range map[string]string{
		"other bytes in the session":       ackWithKey("docs", signingKey(9)),
		"another algorithm in the session": otherAlgorithm,
		"no keys in the session":           ackOf("docs"),
	} {
		ring := &archive.Keyring{}
		if err := ring.Publish(published(signingKey(7)), "keys.json"); err != nil {
			t.Fatal(err)
		}
		s := mustRetain(t, ack+signed, archive.RetainOptions{Keys: ring, Keep: refs("f1")})
		if want := string(published(signingKey(7))); !bytes.Contains(s.Output, []byte(want)) {
			t.Errorf("%s: the subset does not carry %s: %s", name, want, s.Output)
		}
		v := &archive.Verifier{Policy: archive.Policy{Require: archive.RequireConstructed}}
		r, err := v.VerifyReader(context.Background(), "subset", bytes.NewReader(s.Output))
		if err != nil || r.Summary.ExitCode != archive.ExitGood {
			t.Errorf("%s: the receiver's exit code is %d (%s), %v, want 0", name, r.Summary.ExitCode, r.Summary.ExitReason, err)
		}
	}

	// Under a trusted key that differs from the published one, none is carried.
	ring := &archive.Keyring{}
	if err := ring.Trust("docs", "key-1", publicKey(signingKey(7)), "test"); err != nil {
		t.Fatal(err)
	}
	s := mustRetain(t, ackWithKey("docs", signingKey(9))+signed, archive.RetainOptions{Keys: ring, Keep: refs("f1")})
	if bytes.Contains(s.Output, []byte("attester_keys")) {
		t.Errorf("a key is carried under which the evidence is wrong: %s", s.Output)
	}
}

// A signature that is wrong under the key at hand refuses: also where the key is out of service, and wherever the entry stands.
func TestRetainRefusesEveryBadSignature(t *testing.T) {
	signed := signedAnswers(t, "docs", signingKey(7), archive.ShapeBoth, answerOf(numberedFrames(3)...))[0]
	_, root := evidenceOf(t, []byte(signed))
	at := strings.Index(root, `"signature":"`) + len(`"signature":"`)
	badRoot := strings.Replace(signed, root, root[:at]+flip(root[at:at+1])+root[at+1:], 1)

	lapsed := &archive.Keyring{}
	trusted := configured("key-1", publicKey(signingKey(7)), windowOf(t, "", "2020-01-01T00:00:00Z"))
	if err := lapsed.TrustKey("docs", trusted, "test"); err != nil {
		t.Fatal(err)
	}
	inService := &archive.Keyring{}
	if err := inService.TrustKey("docs", configured("key-1", publicKey(signingKey(7)), keys.Window{}), "test"); err != nil {
		t.Fatal(err)
	}
	entries, _ := evidenceOf(t, []byte(signed))
	first := entries[1 : strings.Index(entries, `},{"frame"`)+1]
	sig := strings.Index(first, `"signature":"`) + len(`"signature":"`)
	bad := first[:sig] + flip(first[sig:sig+1]) + first[sig+1:]
	id := "f3" // the first entry is the first frame's

	for name, tc := range map[string]struct {
		input string
		keys  *archive.Keyring
	}{
		"root, key out of service": {badRoot, lapsed},
		"bad entry in front":       {strings.Replace(signed, first, bad+","+first, 1), inService},
		"bad entry behind":         {strings.Replace(signed, first, first+","+bad, 1), inService},
	} {
		_, err := archive.Retain(strings.NewReader(ackOf("docs")+tc.input), archive.RetainOptions{
			Keys: tc.keys, Keep: refs(id), ReceivedAt: archive.ReceivedAt{Instant: instant(t, "2026-11-30T00:00:00Z")},
		})
		var refused *archive.RetainRefusal
		if !errors.As(err, &refused) || refused.Rule != archive.RetainInvalidEvidence {
			t.Errorf("%s: %v, want the refusal %s", name, err, archive.RetainInvalidEvidence)
		}
	}
}

// An id that names several frames, equal in identity and commitment, names the first to be kept. To be dropped it names all:
// what was dropped must not stand in what is written.
func TestRetainNamesTheFirstOfEqualFrames(t *testing.T) {
	twin := frameOf("a", "x")
	signed := signedAnswers(t, "docs", signingKey(7), archive.ShapeRoot, answerOf(twin, frameOf("b", "y"), twin))[0]
	input := ackWithKey("docs", signingKey(7)) + signed
	kept := mustRetain(t, input, archive.RetainOptions{Keep: refs("a")})
	if kept.Kept != 1 || kept.Dropped != 2 || kept.Proofs != 1 {
		t.Errorf("kept %d, dropped %d, %d proofs, want 1, 2, 1", kept.Kept, kept.Dropped, kept.Proofs)
	}
	rest := mustRetain(t, input, archive.RetainOptions{Drop: refs("a")})
	if rest.Kept != 1 || bytes.Contains(rest.Output, []byte(twin)) {
		t.Errorf("kept %d, want only b: %s", rest.Kept, rest.Output)
	}
}
