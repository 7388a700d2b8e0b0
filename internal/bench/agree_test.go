package bench_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"filippo.io/edwards25519"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// verified joins an evidence kind of a frame as the naive reference does: one piece that verifies is enough.
func verified(f *archive.Frame, kind archive.EvidenceKind) bool {
	for i := range f.Evidence {
		if f.Evidence[i].Kind == kind && f.Evidence[i].State.Verifies() {
			return true
		}
	}
	return false
}

// An agreement has both readers judge sessions, and counts what they agree on.
type agreement struct {
	t    *testing.T
	seen map[string]int
}

func newAgreement(t *testing.T) *agreement { return &agreement{t: t, seen: map[string]int{}} }

// judge compares frame by frame. The provider is given to archive: the naive reference takes the last declared.
func (a *agreement) judge(what string, session []byte, provider commitment.Optional) {
	a.t.Helper()
	naive, err := bench.VerifySession(session)
	v := archive.Verifier{Policy: archive.Policy{Provider: provider}}
	report, verifyErr := v.VerifyReader(context.Background(), "session", bytes.NewReader(session))
	if verifyErr != nil {
		a.t.Fatal(verifyErr)
	}
	if len(naive) != len(report.Answers) {
		a.t.Errorf("%s: archive reads %d answers %v, the naive reference %d, %v\n%s",
			what, len(report.Answers), report.Errors, len(naive), err, session)
		return
	}
	if err != nil {
		a.seen["unreadable"]++
	}
	for n, results := range naive {
		answer := report.Answers[n]
		if len(answer.Frames) != len(results) {
			a.t.Errorf("%s: archive reads %d frames, the naive reference %d\n%s", what, len(answer.Frames), len(results), session)
			return
		}
		for i := range results {
			if a.differ(answer, &answer.Frames[i], &results[i]) {
				a.t.Errorf("%s: frame %d: archive %+v, root %+v; naive %+v\n%s", what, i, answer.Frames[i], answer.Root, results[i], session)
			}
		}
	}
}

// differ compares what the two say of one frame. Of evidence it compares whether it verifies: why it does not, the naive
// reference cannot say.
func (a *agreement) differ(answer *archive.Answer, got *archive.Frame, want *bench.FrameResult) bool {
	r := answer.Root
	differ := got.Commitment != want.Commitment || contentCheck(got.Content) != want.Content
	a.count("content", want.Content)
	for _, check := range []struct {
		name  string
		holds bool
		naive bench.Check
	}{
		{"signature", verified(got, archive.KindSignature), want.Signature},
		{"inclusion", verified(got, archive.KindInclusion), want.Inclusion},
		{"root", verified(got, archive.KindRoot), want.Root},
		{"root match", r != nil && r.Recomputed != "" && r.Recomputed == r.Signed, want.RootMatch},
	} {
		a.count(check.name, check.naive)
		differ = differ || check.holds != (check.naive == bench.Holds)
	}
	return differ
}

// contentCheck is what the naive reference calls the outcome.
func contentCheck(c archive.Content) bench.Check {
	switch c {
	case archive.ContentMatch:
		return bench.Holds
	case archive.ContentMismatch:
		return bench.Fails
	}
	return ""
}

func (a *agreement) count(name string, c bench.Check) {
	if c != "" {
		a.seen[name+" "+string(c)]++
	}
}

// checks are the names under which an agreement counts.
var checks = []string{"signature", "inclusion", "root", "root match", "content"}

var shapes = []bench.Shape{bench.ShapeRoot, bench.ShapeFrames, bench.ShapeBoth}

// Answers of every shape and of 0 to 20 frames, whole and with a fault each: all the faults of the small ones, some of those
// of the others.
func TestReadersAgree(t *testing.T) {
	const small, some = 2, 12
	a := newAgreement(t)
	provider := commitment.Some(declaredName)
	for n := range 21 {
		for s, shape := range shapes {
			m := newMaker(t, uint64(3*n+s))
			message := m.answer(n, shape)
			what := fmt.Sprintf("%d frames, shape %s", n, shape)
			a.judge(what, sessionOf(t, message), provider)
			all := faults(message)
			m.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
			if n > small {
				all = all[:some]
			}
			for _, f := range all {
				f.apply()
				a.judge(what+": "+f.what, sessionOf(t, message), provider)
				f.undo()
			}
		}
	}
	for _, check := range checks {
		if a.seen[check+" holds"] == 0 || a.seen[check+" fails"] == 0 {
			t.Errorf("%s holds for %d frames and fails for %d: want both", check, a.seen[check+" holds"], a.seen[check+" fails"])
		}
	}
	if a.seen["unreadable"] == 0 {
		t.Error("no fault made an answer unreadable")
	}
}

// The session says who the provider is, and which keys are his.
func TestReadersAgreeOnGenerated(t *testing.T) {
	a := newAgreement(t)
	for n := range 21 {
		for _, shape := range shapes {
			spec := bench.Spec{Seed: uint64(n), Answers: 2, Frames: n, ContentBytes: 10 * n, Shape: shape}
			a.judge(fmt.Sprintf("%+v", spec), session(t, spec), commitment.Optional{})
		}
	}
	for _, check := range checks {
		if a.seen[check+" holds"] == 0 || a.seen[check+" fails"] != 0 {
			t.Errorf("%s holds for %d frames and fails for %d, want none", check, a.seen[check+" holds"], a.seen[check+" fails"])
		}
	}
}

// Signatures that crypto/ed25519 takes and the strict rule does not: under the identity as key, for every message, and with
// the identity as R.
func TestReadersAgreeOnWeakSignatures(t *testing.T) {
	base := edwards25519.NewGeneratorPoint().Bytes()
	one := append([]byte{1}, make([]byte, 31)...)
	for _, tt := range []struct {
		name, keyID string
		key         []byte
		forge       func(message []byte) []byte
	}{
		// S·B = R + k·A, with A = O: R = B, S = 1.
		{"weak key", "identity", identity, func([]byte) []byte { return slices.Concat(base, one) }},
		// The same with R = O: S = k·a, where A = a·B.
		{"small order R", "signing", signingKey.Public().(ed25519.PublicKey), func(message []byte) []byte {
			return slices.Concat(identity, multiple(t, signingKey, identity, message))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAgreement(t)
			message := newMaker(t, 0).answer(3, bench.ShapeBoth)
			result := message["result"].(object)
			attestations := []object{result["result_attestation"].(object)}
			for _, e := range result["frame_attestations"].([]any) {
				attestations = append(attestations, e.(object)["attestation"].(object))
			}
			for _, attestation := range attestations {
				d, err := commitment.ParseDigest(attestation["signed_commitment"].(string))
				if err != nil {
					t.Fatal(err)
				}
				forged := tt.forge(d[:])
				if !ed25519.Verify(tt.key, d[:], forged) {
					t.Fatal("crypto/ed25519 declines the forged signature: nothing is tested")
				}
				attestation["key_id"], attestation["signature"] = tt.keyID, hex.EncodeToString(forged)
			}
			a.judge(tt.name, sessionOf(t, message), commitment.Some(declaredName))
			for _, check := range []string{"signature", "inclusion", "root"} {
				if a.seen[check+" fails"] != 3 || a.seen[check+" holds"] != 0 {
					t.Errorf("%s holds for %d frames and fails for %d, want 0 and 3", check, a.seen[check+" holds"], a.seen[check+" fails"])
				}
			}
		})
	}
}

// multiple returns k·a mod L, where a is the secret scalar of the key and k = SHA-512(R ‖ A ‖ M) mod L.
func multiple(t *testing.T, key ed25519.PrivateKey, r, message []byte) []byte {
	t.Helper()
	secret := sha512.Sum512(key.Seed())
	a, err := new(edwards25519.Scalar).SetBytesWithClamping(secret[:32])
	if err != nil {
		t.Fatal(err)
	}
	h := sha512.New()
	h.Write(r)
	h.Write(key.Public().(ed25519.PublicKey))
	h.Write(message)
	k, err := new(edwards25519.Scalar).SetUniformBytes(h.Sum(nil))
	if err != nil {
		t.Fatal(err)
	}
	return k.Multiply(k, a).Bytes()
}
