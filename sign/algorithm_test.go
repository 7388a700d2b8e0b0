package sign

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// toy is an algorithm for tests: a signature is SHA-256(key ‖ message).
type toy struct{ name string }

type toyVerifier struct{ key []byte }

func (a toy) Name() string { return a.name }

func (toy) NewVerifier(key []byte) (Verifier, error) {
	if len(key) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrMalformedKey)
	}
	return toyVerifier{bytes.Clone(key)}, nil
}

func (v toyVerifier) Verify(message, signature []byte) error {
	if len(signature) != sha256.Size {
		return fmt.Errorf("%w: it is %d bytes", ErrMalformedSignature, len(signature))
	}
	if want := v.sign(message); !bytes.Equal(signature, want) {
		return ErrBadSignature
	}
	return nil
}

func (v toyVerifier) sign(message []byte) []byte {
	sum := sha256.Sum256(slices.Concat(v.key, message))
	return sum[:]
}

// TestRegisteredAlgorithm: an algorithm is checked by the set it was added to and by no other.
func TestRegisteredAlgorithm(t *testing.T) {
	key := PublicKey{"toy", "secret"}
	subject := Subject{Commitment: other, BindsContent: true}
	att := Attestation{
		SignedCommitment: other.String(),
		Algorithm:        "toy",
		Signature:        hex.EncodeToString(toyVerifier{[]byte("secret")}.sign(other[:])),
	}
	plain := Ed25519Only()
	set := plain.With(toy{name: "toy"})
	for _, row := range []struct {
		name string
		set  Algorithms
		key  PublicKey
		make func(*Attestation)
		want Verdict
	}{
		{"registered", set, key, func(*Attestation) {}, Valid},
		{"registered by With", With(toy{name: "toy"}), key, func(*Attestation) {}, Valid},
		{"not registered", plain, key, func(*Attestation) {}, UnknownAlgorithm},
		{"registered under another name", With(toy{name: "Toy"}), key, func(*Attestation) {}, UnknownAlgorithm},
		{"weak key", set, PublicKey{"toy", ""}, func(*Attestation) {}, MalformedKey},
		{"other key", set, PublicKey{"toy", "other"}, func(*Attestation) {}, BadSignature},
		{"short signature", set, key, func(a *Attestation) { a.Signature = a.Signature[2:] }, MalformedSignature},
		{"uppercase signature", set, key, func(a *Attestation) { a.Signature = strings.ToUpper(a.Signature) }, MalformedSignature},
		{"key of ed25519", set, PublicKey{Ed25519, mustHex(t, publishedKey)}, func(*Attestation) {}, MalformedKey},
	} {
		changed := att
		row.make(&changed)
		if out := row.set.Verify(&changed, subject, row.set.Prepare(row.key)); out.Verdict != row.want {
			t.Errorf("%s: verdict %q (%v), want %q", row.name, out.Verdict, out.Detail, row.want)
		}
	}
}

// lax is an algorithm that takes every signature.
type lax struct{ name string }

func (a lax) Name() string                                 { return a.name }
func (lax) NewVerifier([]byte) (Verifier, error)           { return laxVerifier{}, nil }
func (laxVerifier) Verify(message, signature []byte) error { return nil }

type laxVerifier struct{}

// TestSet: a set is a value, sorted, and what stands under a name stays.
func TestSet(t *testing.T) {
	names := func(a Algorithms) string { return strings.Join(a.Names(), " ") }
	plain := Ed25519Only()
	both := plain.With(toy{name: "toy"}, toy{name: "a"})
	more := both.With(toy{name: "b"}, toy{name: "toy"})
	for _, row := range []struct {
		name      string
		got, want string
	}{
		{"plain", names(plain), "ed25519"},
		{"both", names(both), "a ed25519 toy"},
		{"more", names(more), "a b ed25519 toy"},
		{"With", names(With(toy{name: "z"})), "ed25519 z"},
		{"zero", names(Algorithms{}), ""},
		{"zero with one", names(Algorithms{}.With(toy{name: "toy"})), "toy"},
	} {
		if row.got != row.want {
			t.Errorf("%s: names %q, want %q", row.name, row.got, row.want)
		}
	}
	for _, name := range []string{"", "Toy", "toy ", "ed25519ph", "\x00"} {
		if alg, ok := more.Lookup(name); ok || alg != nil {
			t.Errorf("Lookup(%q) = %v, %v, want nothing", name, alg, ok)
		}
	}
	if alg, ok := more.Lookup("toy"); !ok || alg.Name() != "toy" {
		t.Errorf("Lookup(%q) = %v, %v", "toy", alg, ok)
	}

	tr := goodTrial(t)
	tr.set = With(lax{Ed25519})
	tr.key = tr.set.Prepare(tr.key.PublicKey())
	tr.att.Signature = strings.Repeat("0", 128)
	if out := tr.verify(); out.Verdict != BadSignature {
		t.Errorf("with another algorithm added as ed25519 the verdict is %q, want bad_signature", out.Verdict)
	}
}

// broken is an algorithm that keeps to no contract.
type broken struct {
	name     string
	verifier Verifier
	err      error
}

func (b broken) Name() string                           { return b.name }
func (b broken) NewVerifier([]byte) (Verifier, error)   { return b.verifier, b.err }
func (b broken) Verify(message, signature []byte) error { return b.err }

// TestBrokenAlgorithm: an implementation that breaks its contract never makes evidence good.
func TestBrokenAlgorithm(t *testing.T) {
	strange := errors.New("strange")
	for _, row := range []struct {
		name string
		alg  broken
		want Verdict
	}{
		{"neither verifier nor error", broken{name: "x"}, MalformedKey},
		{"verifier and error", broken{name: "x", verifier: laxVerifier{}, err: strange}, MalformedKey},
		{"error of no kind", broken{name: "x", err: strange}, MalformedKey},
		{"verification error of no kind", broken{name: "x", verifier: broken{err: strange}}, BadSignature},
	} {
		set := With(row.alg)
		att := Attestation{SignedCommitment: other.String(), Algorithm: "x", Signature: "00"}
		out := set.Verify(&att, Subject{Commitment: other, BindsContent: true}, set.Prepare(PublicKey{"x", "key"}))
		if out.Verdict != row.want || out.Detail == nil {
			t.Errorf("%s: verdict %q (%v), want %q", row.name, out.Verdict, out.Detail, row.want)
		}
	}
}

func TestKeyErr(t *testing.T) {
	set := Ed25519Only()
	for _, row := range []struct {
		name string
		key  *Key
		want error
	}{
		{"good", set.Prepare(PublicKey{Ed25519, mustHex(t, publishedKey)}), nil},
		{"zero", new(Key), ErrMalformedKey},
		{"empty", set.Prepare(PublicKey{Ed25519, ""}), ErrMalformedKey},
		{"weak", set.Prepare(PublicKey{Ed25519, strings.Repeat("\x00", 32)}), errKeySmallOrder},
		{"algorithm unknown", set.Prepare(PublicKey{"toy", "key"}), ErrUnsupportedKey},
	} {
		if err := row.key.Err(); !errors.Is(err, row.want) {
			t.Errorf("%s: Err() = %v, want %v", row.name, err, row.want)
		}
	}
	public := PublicKey{"toy", "key"}
	if got := set.Prepare(public).PublicKey(); got != public {
		t.Errorf("PublicKey() = %+v, want %+v", got, public)
	}
}

// TestFingerprint: the value is what sha256sum of coreutils gives for the 32 raw bytes.
func TestFingerprint(t *testing.T) {
	const want = "sha256:fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889"
	if got := (PublicKey{Ed25519, mustHex(t, publishedKey)}).String(); got != want {
		t.Errorf("fingerprint %s, want %s", got, want)
	}
}
