package pq

import (
	"crypto"
	"fmt"

	circl "github.com/cloudflare/circl/sign"
	"github.com/cloudflare/circl/sign/mldsa/mldsa44"
	"github.com/cloudflare/circl/sign/mldsa/mldsa65"
	"github.com/cloudflare/circl/sign/mldsa/mldsa87"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// ML-DSA (FIPS 204): the pure variant, ML-DSA.Sign and ML-DSA.Verify of Algorithms 2 and 3, with the empty context; signing is
// deterministic, with rnd = 0^32.
//
//	public key  ρ, 32 bytes ‖ t1, k·320 bytes
//	signature   c̃ ‖ z ‖ h                         h: ω + k bytes
//	h           positions, ω bytes, ascending for each of the k polynomials, zero behind the last ‖ k ends, where in the
//	            positions the polynomial's part ends; none is below the one before it or above ω
//
//	key         its length: every text of it decodes, and FIPS 204 knows no weak key
//	signature   its length, and h is what HintBitUnpack (Algorithm 21) takes: else it is malformed
//	            ‖z‖∞ < γ1 − β, and c̃ is the hash that comes of it: else it is bad
//
// circl answers yes or no, so that the form is looked at here. There is one encoding of each signature: z and h leave no other.

// The names of the algorithms of this file.
const (
	MLDSA44 = "ml-dsa-44"
	MLDSA65 = "ml-dsa-65"
	MLDSA87 = "ml-dsa-87"
)

// An mlDSA is one of the parameter sets of FIPS 204 §4.
type mlDSA struct {
	name, title, oid string
	circl            func() circl.Scheme
	omega, k         int // ones in the hint at most; its polynomials
}

// The object identifiers are those of RFC 9881 §3.
var (
	mlDSA44 = mlDSA{MLDSA44, "ML-DSA-44", "2.16.840.1.101.3.4.3.17", mldsa44.Scheme, 80, 4}
	mlDSA65 = mlDSA{MLDSA65, "ML-DSA-65", "2.16.840.1.101.3.4.3.18", mldsa65.Scheme, 55, 6}
	mlDSA87 = mlDSA{MLDSA87, "ML-DSA-87", "2.16.840.1.101.3.4.3.19", mldsa87.Scheme, 75, 8}
)

func (m mlDSA) Name() string { return m.name }

func (m mlDSA) Form() sign.Form {
	s := m.circl()
	return sign.Form{
		Title: m.title, ObjectIdentifier: m.oid,
		PublicKeySize: s.PublicKeySize(), SignatureSize: s.SignatureSize(), SeedSize: s.SeedSize(),
		SeedTag: seedChoice,
	}
}

func (m mlDSA) NewKey(seed []byte) (crypto.Signer, error) {
	s := m.circl()
	if err := checkSeed(seed, s.SeedSize()); err != nil {
		return nil, err
	}
	public, private := s.DeriveKey(seed)
	raw, err := public.MarshalBinary()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sign.ErrMalformedKey, err)
	}
	return signer{
		public: sign.PublicKey{Algorithm: m.name, Bytes: string(raw)},
		sign:   func(message []byte) []byte { return s.Sign(private, message, nil) },
	}, nil
}

func (m mlDSA) NewVerifier(publicKey []byte) (sign.Verifier, error) {
	s := m.circl()
	if len(publicKey) != s.PublicKeySize() {
		return nil, wrongLength(sign.ErrMalformedKey, publicKey, s.PublicKeySize())
	}
	key, err := s.UnmarshalBinaryPublicKey(publicKey)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", sign.ErrMalformedKey, err)
	}
	return &mlDSAKey{mlDSA: m, key: key}, nil
}

// mlDSAKey is a public key, expanded once.
type mlDSAKey struct {
	mlDSA
	key circl.PublicKey
}

var (
	errHint         = fmt.Errorf("%w: its hint is not encoded as FIPS 204 demands", sign.ErrMalformedSignature)
	errMLDSAInvalid = fmt.Errorf("%w: z is too large, or c̃ is not the hash that comes of it", sign.ErrBadSignature)
)

// Verify implements [sign.Verifier].
func (k *mlDSAKey) Verify(message, signature []byte) error {
	s := k.circl()
	if len(signature) != s.SignatureSize() {
		return wrongLength(sign.ErrMalformedSignature, signature, s.SignatureSize())
	}
	if !isHint(signature[len(signature)-k.omega-k.k:], k.omega) {
		return errHint
	}
	if !s.Verify(k.key, message, signature, nil) {
		return errMLDSAInvalid
	}
	return nil
}

// isHint reports whether HintBitUnpack takes h, whose first omega bytes are positions and whose others are ends.
func isHint(h []byte, omega int) bool {
	positions, ends := h[:omega], h[omega:]
	start := 0
	for _, e := range ends {
		end := int(e)
		if end < start || end > omega {
			return false
		}
		for i := start + 1; i < end; i++ {
			if positions[i] <= positions[i-1] {
				return false
			}
		}
		start = end
	}
	for _, rest := range positions[start:] {
		if rest != 0 {
			return false
		}
	}
	return true
}
