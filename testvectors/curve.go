package testvectors

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"

	"filippo.io/edwards25519"
)

// What it takes to make signatures that nobody should make. Nothing here judges one.

// groupOrder is L = 2^252 + 27742317777372353535851937790883648493.
var groupOrder, _ = new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)

// fieldOrder is p = 2^255 − 19.
var fieldOrder = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))

func hexBytes(text string) ([]byte, error) { return hex.DecodeString(text) }

// littleEndian reads an integer whose low byte comes first.
func littleEndian(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// scalarBytes are the 32 bytes of an integer, the low one first.
func scalarBytes(n *big.Int) []byte {
	b := n.FillBytes(make([]byte, 32))
	slices.Reverse(b)
	return b
}

func scalar(n *big.Int) *edwards25519.Scalar {
	s, err := new(edwards25519.Scalar).SetCanonicalBytes(scalarBytes(new(big.Int).Mod(n, groupOrder)))
	if err != nil {
		panic(err)
	}
	return s
}

func seeded(n byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32)) }

func publicHex(k ed25519.PrivateKey) string { return hexOf(k.Public().(ed25519.PublicKey)) }

// secret is the scalar of a key (RFC 8032 §5.1.5).
func secret(k ed25519.PrivateKey) *big.Int {
	h := sha512.Sum512(k.Seed())
	h[0] &= 248
	h[31] = h[31]&63 | 64
	return littleEndian(h[:32])
}

// torsion returns the eight points of small order, 0·T to 7·T for a point T of order eight: L times some point of the curve.
func torsion() []*edwards25519.Point {
	identity := edwards25519.NewIdentityPoint()
	for y := byte(2); ; y++ {
		p, err := new(edwards25519.Point).SetBytes(append([]byte{y}, make([]byte, 31)...))
		if err != nil {
			continue
		}
		t := multiply(groupOrder, p)
		if multiply(big.NewInt(4), t).Equal(identity) == 1 {
			continue
		}
		points := []*edwards25519.Point{identity}
		for len(points) < 8 {
			points = append(points, new(edwards25519.Point).Add(points[len(points)-1], t))
		}
		return points
	}
}

// multiply is n·P by doubling and adding, for a P of any order and an n that is not reduced.
func multiply(n *big.Int, p *edwards25519.Point) *edwards25519.Point {
	out := edwards25519.NewIdentityPoint()
	for i := n.BitLen() - 1; i >= 0; i-- {
		out.Add(out, out)
		if n.Bit(i) == 1 {
			out.Add(out, p)
		}
	}
	return out
}

// smallEncodings returns every encoding of a point of small order: y as it is and, where that fits into 255 bits, plus p, and
// for x = 0 both signs. There are fourteen.
func smallEncodings() [][]byte {
	var out [][]byte
	seen := map[string]bool{}
	for _, p := range torsion() {
		canonical := p.Bytes()
		y := littleEndian(canonical)
		sign := y.Bit(255)
		y.SetBit(y, 255, 0)
		for _, v := range []*big.Int{y, new(big.Int).Add(y, fieldOrder)} {
			if v.BitLen() > 255 {
				continue
			}
			for _, s := range []uint{sign, 1 - sign} {
				e := scalarBytes(new(big.Int).SetBit(v, 255, s))
				q, err := new(edwards25519.Point).SetBytes(e)
				if err == nil && q.Equal(p) == 1 && !seen[string(e)] {
					seen[string(e)] = true
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// challenge is k = SHA-512(R ‖ A ‖ M) mod L.
func challenge(r, a, m []byte) *big.Int {
	h := sha512.Sum512(slices.Concat(r, a, m))
	return new(big.Int).Mod(littleEndian(h[:]), groupOrder)
}

// A mixedKey is a·B + T, T of small order.
type mixedKey struct {
	a       *big.Int
	torsion int // T is so many times a point of order eight
	encoded []byte
}

func newMixedKey(t int) mixedKey {
	a := secret(seeded(byte(0x60 + t)))
	p := new(edwards25519.Point).ScalarBaseMult(scalar(a))
	return mixedKey{a, t, p.Add(p, torsion()[t]).Bytes()}
}

// sign makes a signature of the form R = r·B, S = r + k·a. The equation without cofactor holds exactly where k·T is the identity;
// holds says which kind is wanted. With cofactor it holds always.
func (m mixedKey) sign(message []byte, holds bool) []byte {
	for n := uint64(0); ; n++ {
		nonce := sha512.Sum512(fmt.Appendf(nil, "nonce %d", n))
		r := new(big.Int).Mod(littleEndian(nonce[:]), groupOrder)
		encodedR := new(edwards25519.Point).ScalarBaseMult(scalar(r)).Bytes()
		k := challenge(encodedR, m.encoded, message)
		vanishes := multiply(k, torsion()[m.torsion]).Equal(edwards25519.NewIdentityPoint()) == 1
		if vanishes != holds {
			continue
		}
		s := new(big.Int).Mod(new(big.Int).Add(r, new(big.Int).Mul(k, m.a)), groupOrder)
		return append(encodedR, scalarBytes(s)...)
	}
}

// smallR makes a message and a signature over it whose R is the torsion point of that index and for which the equation without
// cofactor holds: S = k·a, R = −k·T. Only the rule on the order of R refuses it.
func (m mixedKey) smallR(index int) (message, signature []byte) {
	r := torsion()[index]
	for n := uint64(0); ; n++ {
		message = fmt.Appendf(nil, "message %d", n)
		k := challenge(r.Bytes(), m.encoded, message)
		if new(edwards25519.Point).Negate(multiply(k, torsion()[m.torsion])).Equal(r) != 1 {
			continue
		}
		s := new(big.Int).Mod(new(big.Int).Mul(k, m.a), groupOrder)
		return message, append(r.Bytes(), scalarBytes(s)...)
	}
}
