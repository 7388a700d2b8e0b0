package sign

import (
	"crypto/ed25519"
	"encoding/hex"
	"strings"
	"testing"
)

// FuzzVerify mutates the texts of a good attestation and the bytes of its key. The verdict is one of the eight, and good only
// while key, commitment, algorithm and signature are the ones that were signed.
func FuzzVerify(f *testing.F) {
	good := goodTrial(f)
	key := good.key.PublicKey().Bytes
	f.Add(good.att.SignedCommitment, good.att.KeyID, good.att.Algorithm, good.att.AttesterID, good.att.Signature, good.att.IssuedAt, key)
	f.Add(other.String(), "", "toy", "", strings.ToUpper(publishedSignature), "", "")
	f.Add(publishedCommitment, "", Ed25519, "", publishedSignature[:126], "", strings.Repeat("\x00", 32))
	f.Add(publishedCommitment, "", Ed25519, "", strings.Repeat("0", 128), "", "\x01"+strings.Repeat("\x00", 31))
	f.Fuzz(func(t *testing.T, signed, keyID, algorithm, attesterID, signature, issuedAt, key string) {
		tr := good
		tr.att = Attestation{signed, keyID, algorithm, attesterID, signature, issuedAt}
		tr.key = tr.set.Prepare(PublicKey{Ed25519, key})
		out := tr.verify()
		same := signed == good.att.SignedCommitment && algorithm == good.att.Algorithm && signature == good.att.Signature &&
			key == good.key.PublicKey().Bytes
		if out.Verdict.Verifies() != same {
			t.Errorf("verdict %q (%v), the signed parts unchanged: %v", out.Verdict, out.Detail, same)
		}
		if !out.Verdict.Verifies() && !out.Verdict.Negative() && out.Verdict != UnknownAlgorithm {
			t.Errorf("verdict %q is none of the eight", out.Verdict)
		}
	})
}

// FuzzVerifyEd25519: the strict rule accepts nothing that crypto/ed25519 declines, and declines for one of the three reasons.
func FuzzVerifyEd25519(f *testing.F) {
	key, signature := []byte(mustHex(f, publishedKey)), []byte(mustHex(f, publishedSignature))
	published := mustDigest(f, publishedCommitment)
	f.Add(key, published[:], signature)
	f.Add(key, []byte{}, signature)
	f.Add(key[:31], published[:], signature[:63])
	for _, encoded := range [][]byte{make([]byte, 32), append([]byte{1}, make([]byte, 31)...)} {
		f.Add(encoded, published[:], signature)
		f.Add(key, published[:], append(encoded, signature[32:]...))
	}
	f.Fuzz(func(t *testing.T, key, message, signature []byte) {
		err := VerifyEd25519(key, message, signature)
		verdict := verdictOf(t, err)
		if verdict == Valid && !ed25519.Verify(key, message, signature) {
			t.Errorf("accepted, and crypto/ed25519 declines: key %x, message %x, signature %x", key, message, signature)
		}
		if (verdict == MalformedKey) != (CheckEd25519Key(key) != nil) {
			t.Errorf("verdict %q, CheckEd25519Key(%x) = %v", verdict, key, CheckEd25519Key(key))
		}
		if wire := verdictOf(t, verifyWire(key, message, hex.EncodeToString(signature))); wire != verdict {
			t.Errorf("verdict %q on the wire, %q on bytes", wire, verdict)
		}
	})
}
