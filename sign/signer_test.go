package sign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

var seven = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))

func mustInstant(t testing.TB, text string) commitment.Instant {
	t.Helper()
	at, err := commitment.ParseInstant(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestPublishedSignature makes the published attestation again, byte for byte.
func TestPublishedSignature(t *testing.T) {
	want := publishedAttestation()
	s, err := NewSigner(seven, want.KeyID, want.AttesterID, mustInstant(t, want.IssuedAt))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Attest(Request{Commitment: mustDigest(t, publishedCommitment)})
	if err != nil || got != want {
		t.Errorf("Attest = %+v, %v, want %+v", got, err, want)
	}
	if got := hex.EncodeToString([]byte(s.PublicKey().Bytes)); got != publishedKey || s.PublicKey().Algorithm != "ed25519" {
		t.Errorf("PublicKey() = %s of %s, want %s", got, s.PublicKey().Algorithm, publishedKey)
	}
	if s.KeyID() != want.KeyID {
		t.Errorf("KeyID() = %q, want %q", s.KeyID(), want.KeyID)
	}
}

// fakeSigner is a crypto.Signer outside anyone's control.
type fakeSigner struct {
	public crypto.PublicKey
	sign   func(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error)
}

func (f fakeSigner) Public() crypto.PublicKey { return f.public }

func (f fakeSigner) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	return f.sign(rand, message, opts)
}

// TestAttestRefuses: nothing leaves that does not verify under the signer's public key over the commitment.
func TestAttestRefuses(t *testing.T) {
	eight := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, ed25519.SeedSize))
	unplugged := errors.New("token unplugged")
	for _, row := range []struct {
		name string
		sign func(message []byte) ([]byte, error)
		want []error
	}{
		{"another key", func(m []byte) ([]byte, error) { return ed25519.Sign(eight, m), nil },
			[]error{ErrSignerMismatch, ErrBadSignature}},
		{"another message", func([]byte) ([]byte, error) { return ed25519.Sign(seven, other[:]), nil },
			[]error{ErrSignerMismatch, ErrBadSignature}},
		{"changed message", func(m []byte) ([]byte, error) { m[0] ^= 1; return ed25519.Sign(seven, m), nil },
			[]error{ErrSignerMismatch, ErrBadSignature}},
		{"text of the message", func(m []byte) ([]byte, error) {
			return ed25519.Sign(seven, []byte(commitment.Digest(m).String())), nil
		}, []error{ErrSignerMismatch, ErrBadSignature}},
		{"prehashed", func(m []byte) ([]byte, error) {
			return seven.Sign(nil, append(m, m...), crypto.SHA512)
		}, []error{ErrSignerMismatch, ErrBadSignature}},
		{"short", func(m []byte) ([]byte, error) { return ed25519.Sign(seven, m)[:63], nil },
			[]error{ErrSignerMismatch, ErrMalformedSignature}},
		{"long", func(m []byte) ([]byte, error) { return append(ed25519.Sign(seven, m), 0), nil },
			[]error{ErrSignerMismatch, ErrMalformedSignature}},
		{"hexadecimal", func(m []byte) ([]byte, error) {
			return []byte(hex.EncodeToString(ed25519.Sign(seven, m))), nil
		}, []error{ErrSignerMismatch, ErrMalformedSignature}},
		{"nothing", func([]byte) ([]byte, error) { return nil, nil }, []error{ErrSignerMismatch, ErrMalformedSignature}},
		{"error", func(m []byte) ([]byte, error) { return ed25519.Sign(seven, m), unplugged }, []error{unplugged}},
	} {
		signer := fakeSigner{seven.Public(), func(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
			return row.sign(message)
		}}
		s, err := NewSigner(signer, "key-1", "docs", mustInstant(t, "2026-08-27T00:00:00Z"))
		if err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		got, err := s.Attest(Request{Commitment: mustDigest(t, publishedCommitment)})
		if got != (Attestation{}) {
			t.Errorf("%s: Attest returns %+v beside its error", row.name, got)
		}
		for _, want := range row.want {
			if !errors.Is(err, want) {
				t.Errorf("%s: Attest = %v, want an error that wraps %q", row.name, err, want)
			}
		}
	}
}

// TestSignerSeesRequest: a signer gets the 32 raw bytes, no hash function, and the whole request.
func TestSignerSeesRequest(t *testing.T) {
	preimage := []byte("preimage")
	req := Request{
		Commitment: sha256.Sum256(preimage),
		Provider:   "docs",
		Frame:      &commitment.FrameID{ProviderID: "docs", FrameID: "f1"},
		Preimage:   preimage,
	}
	calls := 0
	signer := fakeSigner{seven.Public(), func(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
		calls++
		if !bytes.Equal(message, req.Commitment[:]) {
			t.Errorf("the message is %x, want %x", message, req.Commitment)
		}
		if opts.HashFunc() != 0 {
			t.Errorf("HashFunc() = %v, want 0", opts.HashFunc())
		}
		seen, ok := opts.(Request)
		if !ok || seen.Commitment != req.Commitment || seen.Provider != req.Provider || seen.Frame != req.Frame ||
			!bytes.Equal(seen.Preimage, preimage) {
			t.Errorf("the options are %#v, want %#v", opts, req)
		}
		return seven.Sign(rand, message, opts)
	}}
	s, err := NewSigner(signer, "key-1", "docs", mustInstant(t, "2026-08-27T00:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Attest(req); err != nil || calls != 1 {
		t.Errorf("Attest = %v after %d calls of the signer, want one", err, calls)
	}
	for _, wrong := range [][]byte{{}, []byte("other")} {
		req.Preimage = wrong
		if got, err := s.Attest(req); !errors.Is(err, ErrPreimageMismatch) || got != (Attestation{}) {
			t.Errorf("Attest with preimage %q = %+v, %v, want ErrPreimageMismatch", wrong, got, err)
		}
	}
	if calls != 1 {
		t.Error("the signer was asked although the preimage does not fit")
	}
}

func TestNewSignerRefuses(t *testing.T) {
	p256, err := ecdsa.GenerateKey(elliptic.P256(), cryptorand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	at := mustInstant(t, "2026-08-27T00:00:00Z")
	with := func(public crypto.PublicKey) crypto.Signer { return fakeSigner{public: public} }
	for _, row := range []struct {
		name              string
		key               crypto.Signer
		keyID, attesterID string
		at                commitment.Instant
		want              error
	}{
		{"good", seven, "k", "a", at, nil},
		{"no key", nil, "k", "a", at, ErrUnsupportedKey},
		{"no public key", with(nil), "k", "a", at, ErrUnsupportedKey},
		{"ECDSA", p256, "k", "a", at, ErrUnsupportedKey},
		{"bytes", with([]byte(seven.Public().(ed25519.PublicKey))), "k", "a", at, ErrUnsupportedKey},
		{"short public key", with(seven.Public().(ed25519.PublicKey)[:31]), "k", "a", at, ErrMalformedKey},
		{"weak public key", with(make(ed25519.PublicKey, 32)), "k", "a", at, errKeySmallOrder},
		{"no key_id", seven, "", "a", at, ErrMalformedID},
		{"key_id not UTF-8", seven, "k\xff", "a", at, ErrMalformedID},
		{"no attester_id", seven, "k", "", at, ErrMalformedID},
		{"attester_id not UTF-8", seven, "k", "\xc0\x80", at, ErrMalformedID},
		{"no instant", seven, "k", "a", commitment.Instant{}, commitment.ErrMalformedInstant},
	} {
		s, err := NewSigner(row.key, row.keyID, row.attesterID, row.at)
		if !errors.Is(err, row.want) || (s == nil) != (row.want != nil) {
			t.Errorf("%s: NewSigner = %v, %v, want %v", row.name, s != nil, err, row.want)
		}
	}
}

// TestSignerKeepsSecret: a Signer is printed without the private key in it.
func TestSignerKeepsSecret(t *testing.T) {
	s, err := NewSigner(seven, "key-1", "docs", mustInstant(t, "2026-08-27T00:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, value := range []any{s, *s, struct{ s *Signer }{s}, struct{ s Signer }{*s}} {
			text := strings.ToLower(fmt.Sprintf(format, value))
			for _, secret := range []string{"07070707", "7 7 7 7", "0x7, 0x7", `\a\a\a`, "\a\a\a"} {
				if strings.Contains(text, secret) {
					t.Errorf("%s of %T shows the seed: %s", format, value, text)
				}
			}
		}
	}
}
