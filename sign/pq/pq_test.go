package pq

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The sizes of FIPS 204 table 2 and of RFC 8032 §5.2, the object identifiers of RFC 9881 §3 and RFC 8410 §3.
func TestForms(t *testing.T) {
	want := map[string]sign.Form{
		"ed448":     {Title: "Ed448", ObjectIdentifier: "1.3.101.113", PublicKeySize: 57, SignatureSize: 114, SeedSize: 57, SeedTag: 0x04},
		"ml-dsa-44": {Title: "ML-DSA-44", ObjectIdentifier: "2.16.840.1.101.3.4.3.17", PublicKeySize: 1312, SignatureSize: 2420, SeedSize: 32, SeedTag: 0x80},
		"ml-dsa-65": {Title: "ML-DSA-65", ObjectIdentifier: "2.16.840.1.101.3.4.3.18", PublicKeySize: 1952, SignatureSize: 3309, SeedSize: 32, SeedTag: 0x80},
		"ml-dsa-87": {Title: "ML-DSA-87", ObjectIdentifier: "2.16.840.1.101.3.4.3.19", PublicKeySize: 2592, SignatureSize: 4627, SeedSize: 32, SeedTag: 0x80},
	}
	if names := Names(); len(names) != len(want) || !slices.IsSorted(names) {
		t.Errorf("Names() = %v", names)
	}
	for name, form := range want {
		s, ok := Lookup(name)
		if !ok || s.Name() != name || s.Form() != form {
			t.Errorf("Lookup(%q) = %v, %t, want %v", name, s, ok, form)
			continue
		}
		for _, n := range []int{0, 1, form.SeedSize - 1, form.SeedSize + 1} {
			if key, err := s.NewKey(make([]byte, n)); err == nil {
				t.Errorf("%s: a key of a seed of %d bytes, %v", name, n, key)
			}
		}
	}
	for _, name := range []string{"", "ed25519", "Ed448", "ML-DSA-65", "ml-dsa-65 ", "ml-dsa"} {
		if s, ok := Lookup(name); ok {
			t.Errorf("Lookup(%q) = %v", name, s)
		}
	}
}

// everything checks all schemes.
func everything() sign.Algorithms {
	all := sign.Ed25519Only()
	for _, s := range Schemes() {
		all = all.With(s)
	}
	return all
}

// An attestation that is relabelled from one algorithm to another is never good: not under the key that signed, not under its
// bytes as a key of the other, not under a key of the other. Nor is one whose algorithm nobody allowed.
func TestRelabelled(t *testing.T) {
	subject := sign.Subject{Commitment: commitment.Digest(bytes.Repeat([]byte{0xc3}, 32)), BindsContent: true}
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	signers := map[string]crypto.Signer{sign.Ed25519: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))}
	for _, s := range Schemes() {
		if signers[s.Name()], err = s.NewKey(seedOf(s, 7)); err != nil {
			t.Fatal(err)
		}
	}
	all := everything()
	public, attestations := make(map[string]sign.PublicKey), make(map[string]sign.Attestation)
	for name, key := range signers {
		signer, err := all.NewSigner(key, "k", "a", at)
		if err != nil {
			t.Fatal(err)
		}
		att, err := signer.Attest(sign.Request{Commitment: subject.Commitment})
		if err != nil {
			t.Fatal(err)
		}
		if att.Algorithm != name || signer.PublicKey().Algorithm != name {
			t.Errorf("%s: the attestation names %s, its key %s", name, att.Algorithm, signer.PublicKey().Algorithm)
		}
		public[name], attestations[name] = signer.PublicKey(), att
		if got := all.Verify(&att, subject, all.Prepare(public[name])); got.Verdict != sign.Valid {
			t.Errorf("%s: %s (%v), want valid", name, got.Verdict, got.Detail)
		}
		if name != sign.Ed25519 {
			only := sign.Ed25519Only()
			if got := only.Verify(&att, subject, only.Prepare(public[name])); got.Verdict != sign.UnknownAlgorithm {
				t.Errorf("%s by default: %s, want unknown_algorithm", name, got.Verdict)
			}
			if _, err := sign.NewSigner(key, "k", "a", at); !errors.Is(err, sign.ErrUnsupportedKey) {
				t.Errorf("NewSigner with a key of %s: %v, want ErrUnsupportedKey", name, err)
			}
		}
	}
	tried := 0
	for from, att := range attestations {
		for to := range attestations {
			if from == to {
				continue
			}
			att.Algorithm = to
			for _, row := range []struct {
				what string
				key  sign.PublicKey
				want sign.Verdict
			}{
				{"the key that signed", public[from], sign.MalformedKey},
				{"its bytes as a key of the other", sign.PublicKey{Algorithm: to, Bytes: public[from].Bytes}, sign.MalformedKey},
				{"a key of the other", public[to], sign.MalformedSignature},
				{"a key of the other as one of the first", sign.PublicKey{Algorithm: from, Bytes: public[to].Bytes}, sign.MalformedKey},
			} {
				tried++
				if got := all.Verify(&att, subject, all.Prepare(row.key)); got.Verdict != row.want || got.Verdict.Verifies() {
					t.Errorf("%s relabelled %s, under %s: %s (%v), want %s", from, to, row.what, got.Verdict, got.Detail, row.want)
				}
				// The signature cut or filled up to the length that the other has.
				form, _ := all.Form(to)
				fitted := att
				raw, _ := hex.DecodeString(att.Signature)
				fitted.Signature = hex.EncodeToString(append(raw, make([]byte, form.SignatureSize)...)[:form.SignatureSize])
				if got := all.Verify(&fitted, subject, all.Prepare(row.key)); got.Verdict.Verifies() {
					t.Errorf("%s relabelled %s and fitted, under %s: %s", from, to, row.what, got.Verdict)
				}
			}
		}
	}
	if tried != 5*4*4 {
		t.Errorf("%d were tried", tried)
	}
}

// The slices that come in are neither kept nor changed.
func TestSlicesStay(t *testing.T) {
	for _, s := range Schemes() {
		q := signed(t, s, 3, bytes.Repeat([]byte{1}, 32))
		key, message, signature := bytes.Clone(q.key), bytes.Clone(q.message), bytes.Clone(q.signature)
		v, err := s.NewVerifier(key)
		if err != nil {
			t.Fatal(err)
		}
		clear(key)
		if err := v.Verify(message, signature); err != nil {
			t.Errorf("%s: the verifier keeps the slice of its key: %v", s.Name(), err)
		}
		if !bytes.Equal(message, q.message) || !bytes.Equal(signature, q.signature) {
			t.Errorf("%s: Verify changes a slice", s.Name())
		}
		seed := seedOf(s, 3)
		k, err := s.NewKey(seed)
		if err != nil {
			t.Fatal(err)
		}
		clear(seed)
		if again, err := k.Sign(nil, message, nil); err != nil || !bytes.Equal(again, q.signature) {
			t.Errorf("%s: the key keeps the slice of its seed, or does not sign the same twice (%v)", s.Name(), err)
		}
	}
}

func FuzzVerify(f *testing.F) {
	for i := range Schemes() {
		f.Add(byte(i), uint16(0), byte(1), uint16(3), byte(0))
		f.Add(byte(i), uint16(700), byte(0), uint16(30), byte(0x80))
	}
	type good struct {
		s sign.Scheme
		question
	}
	var all []good
	for _, s := range Schemes() {
		key, err := s.NewKey(seedOf(s, 5))
		if err != nil {
			f.Fatal(err)
		}
		message := bytes.Repeat([]byte{5}, 32)
		signature, err := key.Sign(nil, message, nil)
		if err != nil {
			f.Fatal(err)
		}
		all = append(all, good{s, question{"", s.Name(), []byte(key.Public().(sign.PublicKey).Bytes), message, signature}})
	}
	// Mutated evidence is never good.
	f.Fuzz(func(t *testing.T, which byte, at uint16, flip byte, keyAt uint16, keyFlip byte) {
		g := all[int(which)%len(all)]
		q := g.changed("", func(q *question) {
			q.signature[int(at)%len(q.signature)] ^= flip
			q.key[int(keyAt)%len(q.key)] ^= keyFlip
		})
		if got, _ := judge(t, q); (got == sign.Valid) != (flip == 0 && keyFlip == 0) {
			t.Errorf("%s with byte %d of the signature changed by %x and byte %d of the key by %x: %s", q.algorithm, at, flip, keyAt, keyFlip, got)
		}
	})
}

func BenchmarkScheme(b *testing.B) {
	message := bytes.Repeat([]byte{5}, 32)
	for _, s := range Schemes() {
		key, err := s.NewKey(seedOf(s, 5))
		if err != nil {
			b.Fatal(err)
		}
		signature, err := key.Sign(nil, message, nil)
		if err != nil {
			b.Fatal(err)
		}
		public := []byte(key.Public().(sign.PublicKey).Bytes)
		verifier, err := s.NewVerifier(public)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("Verify/"+s.Name(), func(b *testing.B) {
			for b.Loop() {
				if err := verifier.Verify(message, signature); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Prepare/"+s.Name(), func(b *testing.B) {
			for b.Loop() {
				if _, err := s.NewVerifier(public); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("Sign/"+s.Name(), func(b *testing.B) {
			message := bytes.Clone(message)
			for b.Loop() {
				binary.LittleEndian.PutUint64(message, binary.LittleEndian.Uint64(message)+1) // how often ML-DSA tries hangs on it
				if _, err := key.Sign(nil, message, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
