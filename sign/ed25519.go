package sign

import (
	"bytes"
	"crypto/sha512"
	"errors"
	"fmt"
	"sync/atomic"

	"filippo.io/edwards25519"
)

// Strict Ed25519 (CGP §6.5.4; RFC 8032 §5.1.7 with every choice that it leaves decided).
//
//	A         public key, 32 bytes: y, 255 bits little-endian ‖ sign of x, 1 bit
//	R ‖ S     signature, 32 + 32 bytes: R encoded like A; S an integer, little-endian
//	k       = SHA-512(R ‖ A ‖ M) mod L            the 64 hash bytes read little-endian
//	B, L, O   the base point, its prime order, the identity
//
//	key       A decodes to a curve point,  encode(decode(A)) = A,  8·A ≠ O
//	signature S < L,  R decodes to a curve point,  encode(decode(R)) = R,  8·R ≠ O
//	equation  encode(S·B − k·A) = R               no cofactor; compared as bytes
//
// decode reduces y modulo p = 2^255−19 and ignores the sign where x = 0, as edwards25519.Point.SetBytes does. So decoding
// and encoding again gives other bytes exactly for y ≥ p and for "negative zero", x = 0 with the sign bit set.
//
// 8·P = O holds for the eight points of the torsion subgroup and no others: the curve has 8·L points and L is a prime other
// than 2. torsion has their encodings; the tests derive it from the arithmetic.
// A key of mixed order, a·B + T with T ≠ O a torsion point, passes. The equation without cofactor judges it the same
// way everywhere, as it multiplies the whole point.
//
// Everything here is public; nothing needs to run in constant time.

// Ed25519 is the one algorithm name that CGP §6.5.4 defines.
const Ed25519 = "ed25519"

const (
	ed25519KeySize       = 32
	ed25519SignatureSize = 64
)

// The three ways in which a signature check fails. Each is wrapped with the reason.
var (
	ErrMalformedKey       = errors.New("malformed key")
	ErrMalformedSignature = errors.New("malformed signature")
	ErrBadSignature       = errors.New("bad signature")
)

// The reasons, in the order in which they are looked for.
var (
	errKeyOffCurve     = fmt.Errorf("%w: it encodes no point of the curve", ErrMalformedKey)
	errKeyNonCanonical = fmt.Errorf("%w: its encoding is not canonical", ErrMalformedKey)
	errKeySmallOrder   = fmt.Errorf("%w: its point has small order", ErrMalformedKey)

	errSOutOfRange   = fmt.Errorf("%w: S is not below the group order", ErrBadSignature)
	errROffCurve     = fmt.Errorf("%w: R encodes no point of the curve", ErrBadSignature)
	errRNonCanonical = fmt.Errorf("%w: the encoding of R is not canonical", ErrBadSignature)
	errRSmallOrder   = fmt.Errorf("%w: R has small order", ErrBadSignature)
	errEquation      = fmt.Errorf("%w: R is not S·B − k·A", ErrBadSignature)
)

// VerifyEd25519 checks signature (64 bytes) over message (any length, hashed as it is) under publicKey (32 bytes) by the
// strict rule of CGP §6.5.4. The error is nil, or wraps [ErrMalformedKey], [ErrMalformedSignature] (wrong length) or
// [ErrBadSignature], judged in this order.
func VerifyEd25519(publicKey, message, signature []byte) error {
	key, err := newEd25519Key(publicKey)
	if err != nil {
		return fmt.Errorf("sign: %w", err)
	}
	if err := key.Verify(message, signature); err != nil {
		return fmt.Errorf("sign: %w", err)
	}
	return nil
}

// CheckEd25519Key reports why the strict rule declines a public key: an error that wraps [ErrMalformedKey], or nil.
func CheckEd25519Key(publicKey []byte) error {
	if _, err := newEd25519Key(publicKey); err != nil {
		return fmt.Errorf("sign: %w", err)
	}
	return nil
}

// ed25519Key is a public key that has passed the key rule. It is safe for concurrent use.
type ed25519Key struct {
	encoded  [ed25519KeySize]byte
	negative edwards25519.Point // −A, so that the equation is one double multiplication S·B + k·(−A)
	uses     atomic.Uint32      // how often equation was called, up to fewUses
}

// fewUses is how often a key is used before the multiples of B are made, which every process does but once and which takes as
// long as five signatures. Without them one signature takes a tenth longer.
const fewUses = 8

func newEd25519Key(encoded []byte) (*ed25519Key, error) {
	if len(encoded) != ed25519KeySize {
		return nil, fmt.Errorf("%w: it is %d bytes, want %d", ErrMalformedKey, len(encoded), ed25519KeySize)
	}
	a, err := new(edwards25519.Point).SetBytes(encoded)
	if err != nil {
		return nil, errKeyOffCurve
	}
	if !bytes.Equal(a.Bytes(), encoded) {
		return nil, errKeyNonCanonical
	}
	if smallOrder(encoded) {
		return nil, errKeySmallOrder
	}
	k := &ed25519Key{encoded: [ed25519KeySize]byte(encoded)}
	k.negative.Negate(a)
	return k, nil
}

// Verify implements [Verifier].
func (key *ed25519Key) Verify(message, signature []byte) error {
	if len(signature) != ed25519SignatureSize {
		return fmt.Errorf("%w: it is %d bytes, want %d", ErrMalformedSignature, len(signature), ed25519SignatureSize)
	}
	encodedR, encodedS := signature[:32], signature[32:]
	s, err := new(edwards25519.Scalar).SetCanonicalBytes(encodedS) // an error if S ≥ L
	if err != nil {
		return errSOutOfRange
	}
	h := sha512.New()
	h.Write(encodedR)
	h.Write(key.encoded[:])
	h.Write(message)
	k, err := new(edwards25519.Scalar).SetUniformBytes(h.Sum(nil))
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBadSignature, err) // SHA-512 gives 64 bytes, so this is never reached
	}
	if !bytes.Equal(key.equation(k, s).Bytes(), encodedR) {
		return whyNotR(encodedR)
	}
	// Bytes gives the one canonical encoding of a point. As R is these bytes, it decodes, to that point, and encodes to itself;
	// of the rules for R its order alone is left to ask.
	if smallOrder(encodedR) {
		return errRSmallOrder
	}
	return nil
}

// equation returns k·(−A) + S·B, with the multiples of B or, while the key has seen few uses, without.
func (key *ed25519Key) equation(k, s *edwards25519.Scalar) *edwards25519.Point {
	if key.uses.Load() < fewUses {
		key.uses.Add(1)
		return withoutTable(k, &key.negative, s)
	}
	return withTable(k, &key.negative, s)
}

func withTable(k *edwards25519.Scalar, p *edwards25519.Point, s *edwards25519.Scalar) *edwards25519.Point {
	return new(edwards25519.Point).VarTimeDoubleScalarBaseMult(k, p, s)
}

func withoutTable(k *edwards25519.Scalar, p *edwards25519.Point, s *edwards25519.Scalar) *edwards25519.Point {
	return new(edwards25519.Point).VarTimeMultiScalarMult(
		[]*edwards25519.Scalar{k, s}, []*edwards25519.Point{p, edwards25519.NewGeneratorPoint()})
}

// whyNotR returns the first rule that R breaks where the equation does not hold; the equation is the last.
func whyNotR(encoded []byte) error {
	r, err := new(edwards25519.Point).SetBytes(encoded)
	if err != nil {
		return errROffCurve
	}
	if !bytes.Equal(r.Bytes(), encoded) {
		return errRNonCanonical
	}
	if smallOrder(encoded) {
		return errRSmallOrder
	}
	return errEquation
}

// strictEd25519 is the [Algorithm] of this file.
type strictEd25519 struct{}

func (strictEd25519) Name() string { return Ed25519 }

func (strictEd25519) NewVerifier(publicKey []byte) (Verifier, error) {
	key, err := newEd25519Key(publicKey)
	if err != nil {
		return nil, err
	}
	return key, nil
}
