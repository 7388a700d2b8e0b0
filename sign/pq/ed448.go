package pq

import (
	"bytes"
	"crypto"
	"fmt"

	"github.com/cloudflare/circl/ecc/goldilocks"
	"github.com/cloudflare/circl/sign/ed448"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// Strict Ed448 (RFC 8032 §5.2 with the empty context, and every choice that it leaves decided).
//
//	A         public key, 57 bytes: y, 455 bits little-endian ‖ sign of x, 1 bit
//	R ‖ S     signature, 57 + 57 bytes: R encoded like A; S an integer, little-endian
//	k       = SHAKE256("SigEd448" ‖ 00 ‖ 00 ‖ R ‖ A ‖ M, 114 bytes) mod L
//	B, L, O   the base point, its prime order, the identity; p = 2^448 − 2^224 − 1
//
//	key       y < p,  not x = 0 with the sign set,  A decodes to a curve point,  4·A ≠ O,  L·A = O
//	signature S < L,  R by the first four rules of the key
//	equation  encode(S·B − k·A) = R               no cofactor; compared as bytes
//
// 4·P = O holds for the four points of the torsion subgroup and no others: the curve has 4·L points. Under such a key one
// signature fits every message, and circl takes it.
//
// L·A = O goes further than the rule for Ed25519, which takes keys of mixed order, a·B + T with T a torsion point. There the
// equation without cofactor multiplies the whole point. circl multiplies on an isogenous curve and drops T, OpenSSL does
// much the same, and the equation with cofactor, which RFC 8032 allows, forgets it too: each takes signatures under such a
// key that another refuses. No honest key has a T, as making a key multiplies B. So the key is refused, and for those that
// are left circl computes the equation exactly. Then R = S·B − k·A lies in the subgroup of order L too.
//
// Everything here but signing is public; nothing in it needs to run in constant time.

// Ed448 is the name of the algorithm of this file.
const Ed448 = "ed448"

// The reasons, in the order in which they are looked for.
var (
	errKeyNonCanonical = fmt.Errorf("%w: its encoding is not canonical", sign.ErrMalformedKey)
	errKeyOffCurve     = fmt.Errorf("%w: it encodes no point of the curve", sign.ErrMalformedKey)
	errKeySmallOrder   = fmt.Errorf("%w: its point has small order", sign.ErrMalformedKey)
	errKeyMixedOrder   = fmt.Errorf("%w: its point is not in the subgroup of the base point", sign.ErrMalformedKey)

	errSOutOfRange   = fmt.Errorf("%w: S is not below the group order", sign.ErrBadSignature)
	errRNonCanonical = fmt.Errorf("%w: the encoding of R is not canonical", sign.ErrBadSignature)
	errROffCurve     = fmt.Errorf("%w: R encodes no point of the curve", sign.ErrBadSignature)
	errRSmallOrder   = fmt.Errorf("%w: R has small order", sign.ErrBadSignature)
	errEquation      = fmt.Errorf("%w: R is not S·B − k·A", sign.ErrBadSignature)
)

type ed448Scheme struct{}

func (ed448Scheme) Name() string { return Ed448 }

func (ed448Scheme) Form() sign.Form {
	return sign.Form{
		Title: "Ed448", ObjectIdentifier: "1.3.101.113", // RFC 8410 §3
		PublicKeySize: ed448.PublicKeySize, SignatureSize: ed448.SignatureSize, SeedSize: ed448.SeedSize,
		SeedTag: seedOctetString,
	}
}

func (ed448Scheme) NewKey(seed []byte) (crypto.Signer, error) {
	if err := checkSeed(seed, ed448.SeedSize); err != nil {
		return nil, err
	}
	key := ed448.NewKeyFromSeed(seed)
	return signer{
		public: sign.PublicKey{Algorithm: Ed448, Bytes: string(key[ed448.SeedSize:])},
		sign:   func(message []byte) []byte { return ed448.Sign(key, message, "") },
	}, nil
}

func (ed448Scheme) NewVerifier(publicKey []byte) (sign.Verifier, error) {
	if len(publicKey) != ed448.PublicKeySize {
		return nil, wrongLength(sign.ErrMalformedKey, publicKey, ed448.PublicKeySize)
	}
	if !isCanonical(publicKey) {
		return nil, errKeyNonCanonical
	}
	a, err := goldilocks.FromBytes(publicKey)
	switch {
	case err != nil:
		return nil, errKeyOffCurve
	case hasSmallOrder(a):
		return nil, errKeySmallOrder
	case !hasPrimeOrder(a):
		return nil, errKeyMixedOrder
	}
	return ed448Key(publicKey), nil
}

// ed448Key is a public key that has passed the key rule.
type ed448Key [ed448.PublicKeySize]byte

// Verify implements [sign.Verifier].
func (key ed448Key) Verify(message, signature []byte) error {
	if len(signature) != ed448.SignatureSize {
		return wrongLength(sign.ErrMalformedSignature, signature, ed448.SignatureSize)
	}
	encodedR, encodedS := signature[:ed448.PublicKeySize], signature[ed448.PublicKeySize:]
	order := goldilocks.Curve{}.Order()
	if !isBelow(encodedS, order[:]) {
		return errSOutOfRange
	}
	verifies := ed448.Verify(key[:], message, signature, "")
	switch r, err := goldilocks.FromBytes(encodedR); {
	case !isCanonical(encodedR):
		return errRNonCanonical
	case err != nil:
		return errROffCurve
	case hasSmallOrder(r):
		return errRSmallOrder
	case !verifies:
		return errEquation
	}
	return nil
}

// modulus is p, little-endian.
var modulus = [56]byte{
	0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
	0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
}

// isCanonical reports whether 57 bytes are an encoding that RFC 8032 §5.2.3 decodes, were there a point to it: y < p, and not
// "negative zero", x = 0 with the sign set, which is where y is 1 or p − 1.
func isCanonical(encoded []byte) bool {
	y := bytes.Clone(encoded)
	negative := y[56]&0x80 != 0
	y[56] &= 0x7f
	if !isBelow(y, modulus[:]) {
		return false
	}
	minusOne := append(modulus[:], 0)
	minusOne[0]--
	return !negative || !bytes.Equal(y, append([]byte{1}, make([]byte, 56)...)) && !bytes.Equal(y, minusOne)
}

// isBelow compares little-endian integers; x is at least as long as limit.
func isBelow(x, limit []byte) bool {
	for i := len(x) - 1; i >= 0; i-- {
		var l byte
		if i < len(limit) {
			l = limit[i]
		}
		if x[i] != l {
			return x[i] < l
		}
	}
	return false
}

// hasSmallOrder reports whether 4·P = O.
func hasSmallOrder(p *goldilocks.Point) bool {
	four := *p
	four.Double()
	four.Double()
	return isIdentity(&four)
}

// hasPrimeOrder reports whether L·P = O. The multiplication is by additions alone: that of circl drops what is asked for.
func hasPrimeOrder(p *goldilocks.Point) bool {
	order := goldilocks.Curve{}.Order()
	product := goldilocks.Curve{}.Identity()
	for i := 8*len(order) - 1; i >= 0; i-- {
		product.Double()
		if order[i/8]>>(i%8)&1 == 1 {
			product.Add(p)
		}
	}
	return isIdentity(product)
}

// isIdentity compares encodings: circl's own comparison is one of limbs that need not be reduced.
func isIdentity(p *goldilocks.Point) bool {
	var encoded [ed448.PublicKeySize]byte
	affine := *p
	return affine.ToBytes(encoded[:]) == nil && encoded == [ed448.PublicKeySize]byte{1}
}
