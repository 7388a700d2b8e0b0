package bench

import (
	"bytes"
	"crypto/ed25519"

	"filippo.io/edwards25519"
)

// VerifyEd25519 reports whether a signature is good by the strict rule of CGP §6.5.4. It is crypto/ed25519, and what that
// leaves out.
func VerifyEd25519(key ed25519.PublicKey, message, signature []byte) bool {
	return StrongKey(key) && verify(key, message, signature)
}

// StrongKey reports whether the strict rule takes a public key A: 32 bytes, which encode a point, and canonically, with
// 8·A ≠ O.
func StrongKey(key ed25519.PublicKey) bool {
	a, err := new(edwards25519.Point).SetBytes(key)
	return err == nil && bytes.Equal(a.Bytes(), key) && !smallOrder(a)
}

// verify is VerifyEd25519 under a key that is strong. crypto/ed25519 wants S < L and compares R with that of the equation
// without cofactor as bytes, so that it is canonical. It takes an R of small order.
func verify(key ed25519.PublicKey, message, signature []byte) bool {
	if !ed25519.Verify(key, message, signature) {
		return false
	}
	r, err := new(edwards25519.Point).SetBytes(signature[:32])
	return err == nil && !smallOrder(r)
}

// smallOrder reports whether 8·P = O.
func smallOrder(p *edwards25519.Point) bool {
	return new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 1
}
