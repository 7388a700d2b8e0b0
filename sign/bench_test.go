package sign

import (
	"crypto/ed25519"
	"testing"
)

// BenchmarkVerify has the floor beside it: one verification by crypto/ed25519, which decodes the key every time.
func BenchmarkVerify(b *testing.B) {
	tr := goodTrial(b)
	key, signature := []byte(mustHex(b, publishedKey)), []byte(mustHex(b, publishedSignature))
	b.Run("attestation", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out := tr.verify(); out.Verdict != Valid {
				b.Fatal(out.Verdict)
			}
		}
	})
	b.Run("key and signature", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := VerifyEd25519(key, tr.subject.Commitment[:], signature); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if !ed25519.Verify(key, tr.subject.Commitment[:], signature) {
				b.Fatal("declined")
			}
		}
	})
}
