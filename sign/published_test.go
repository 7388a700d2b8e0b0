package sign

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// reasons are the names under which the public cases and the Python oracle know the errors of the strict rule.
var reasons = map[string]error{
	"ok":                nil,
	"key_not_on_curve":  errKeyOffCurve,
	"key_non_canonical": errKeyNonCanonical,
	"key_small_order":   errKeySmallOrder,
	"key_length":        ErrMalformedKey,
	"sig_form":          ErrMalformedSignature,
	"r_not_on_curve":    errROffCurve,
	"r_non_canonical":   errRNonCanonical,
	"r_small_order":     errRSmallOrder,
	"s_out_of_range":    errSOutOfRange,
	"equation":          errEquation,
}

// verdictOf is the verdict that a result of VerifyEd25519 stands for.
func verdictOf(t *testing.T, err error) Verdict {
	t.Helper()
	switch {
	case err == nil:
		return Valid
	case errors.Is(err, ErrMalformedKey):
		return MalformedKey
	case errors.Is(err, ErrMalformedSignature):
		return MalformedSignature
	case errors.Is(err, ErrBadSignature):
		return BadSignature
	}
	t.Fatalf("error %v wraps none of the three sentinels", err)
	return ""
}

// verifyWire is VerifyEd25519 with the signature as it stands in an attestation, which a key judges alike when it is new and when
// it has been used often.
func verifyWire(key, message []byte, signature string) error {
	k, err := newEd25519Key(key)
	if err != nil {
		return err
	}
	raw, err := parseSignature(signature)
	if err != nil {
		return err
	}
	first := k.Verify(message, raw)
	k.uses.Store(fewUses)
	if again := k.Verify(message, raw); again != first {
		return fmt.Errorf("%w when it has been used often, else %w", again, first)
	}
	return first
}

// TestPublishedCases runs the cases of C2SP/CCTV, C2SP/wycheproof, novifinancial/ed25519-speccheck and RFC 8032 §7.1, whose
// verdicts under the strict rule were computed independently.
func TestPublishedCases(t *testing.T) {
	const want = 1081
	var file struct {
		Count int `json:"count"`
		Cases []struct {
			ID, Pub, Msg, Sig string
			Expected          Verdict
			Reason            string
		} `json:"cases"`
	}
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/ed25519-strict-public.json"), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != want || file.Count != want {
		t.Fatalf("the file has %d cases and counts %d, want %d", len(file.Cases), file.Count, want)
	}
	seen := map[Verdict]int{}
	evaluated := 0
	for _, c := range file.Cases {
		key, err := hex.DecodeString(c.Pub)
		if err != nil {
			t.Fatalf("%s: key: %v", c.ID, err)
		}
		message, err := hex.DecodeString(c.Msg)
		if err != nil {
			t.Fatalf("%s: message: %v", c.ID, err)
		}
		reason, ok := reasons[c.Reason]
		if !ok {
			t.Fatalf("%s: unknown reason %q", c.ID, c.Reason)
		}
		seen[c.Expected]++
		err = verifyWire(key, message, c.Sig)
		if got := verdictOf(t, err); got != c.Expected || !errors.Is(err, reason) {
			t.Errorf("%s: got %s (%v), want %s (%s)", c.ID, got, err, c.Expected, c.Reason)
		}
		if raw, err := hex.DecodeString(c.Sig); err == nil && c.Reason != "sig_form" {
			err := VerifyEd25519(key, message, raw)
			if got := verdictOf(t, err); got != c.Expected || !errors.Is(err, reason) {
				t.Errorf("%s: VerifyEd25519 = %v, want %s (%s)", c.ID, err, c.Expected, c.Reason)
			}
			if err == nil && !ed25519.Verify(key, message, raw) {
				t.Errorf("%s: crypto/ed25519 declines what the strict rule accepts", c.ID)
			}
		}
		if len(message) != len(commitment.Digest{}) {
			continue
		}
		evaluated++
		subject := Subject{Commitment: commitment.Digest(message), BindsContent: true}
		att := Attestation{SignedCommitment: subject.Commitment.String(), Algorithm: Ed25519, Signature: c.Sig}
		set := Ed25519Only()
		out := set.Verify(&att, subject, set.Prepare(PublicKey{Ed25519, string(key)}))
		if out.Verdict != c.Expected || !errors.Is(out.Detail, reason) {
			t.Errorf("%s: Verify gives %s (%v), want %s (%s)", c.ID, out.Verdict, out.Detail, c.Expected, c.Reason)
		}
	}
	for _, v := range []Verdict{Valid, BadSignature, MalformedKey, MalformedSignature} {
		if seen[v] == 0 {
			t.Errorf("no case is %s", v)
		}
	}
	if evaluated == 0 {
		t.Error("no message has the length of a commitment")
	}
}
