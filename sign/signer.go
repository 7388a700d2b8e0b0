package sign

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// The ways in which a signer is refused, beside [ErrUnsupportedKey], [ErrMalformedKey] and commitment.ErrMalformedInstant.
var (
	// ErrMalformedID: a key_id or attester_id is empty or not valid UTF-8.
	ErrMalformedID = errors.New("malformed id")
	// ErrSignerMismatch: what the signer returned is no signature, by its own public key, over what it was to sign.
	ErrSignerMismatch = errors.New("signer does not fit its public key")
	// ErrPreimageMismatch: the preimage of a [Request] does not hash to its commitment.
	ErrPreimageMismatch = errors.New("preimage does not give the commitment")
)

// Signer makes attestations with one key. It is safe for concurrent use if the crypto.Signer is.
type Signer struct {
	// sign is the Sign method of the crypto.Signer and not that value: a private key in a field is what fmt would print.
	sign       func(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error)
	verifier   Verifier
	public     PublicKey
	keyID      string
	attesterID string
	issuedAt   commitment.Instant
}

// Request says what is to be signed. [Signer.Attest] passes it to the crypto.Signer as the options of its Sign method, so
// that a signer outside this process can show, check or record what it signs.
type Request struct {
	Commitment commitment.Digest   // the message: these 32 raw bytes
	Provider   string              // the provider's declared name
	Frame      *commitment.FrameID // nil for the root of an answer
	Preimage   []byte              // what SHA-256 takes to Commitment; nil where it is not at hand, as for a root
}

// HashFunc implements crypto.SignerOpts. It returns zero: the message is not hashed before it is signed.
func (Request) HashFunc() crypto.Hash { return 0 }

// NewSigner returns a Signer whose attestations carry keyID, attesterID and issuedAt. The ids may not be empty and issuedAt
// not the zero Instant. The key must be an Ed25519 key, whose Public method returns an ed25519.PublicKey, and one that a
// strict verifier takes. [Algorithms.NewSigner] takes keys of other algorithms.
//
// The error wraps [ErrUnsupportedKey] (also for nil), [ErrMalformedKey], [ErrMalformedID] or commitment.ErrMalformedInstant.
func NewSigner(key crypto.Signer, keyID, attesterID string, issuedAt commitment.Instant) (*Signer, error) {
	return Ed25519Only().NewSigner(key, keyID, attesterID, issuedAt)
}

// NewSigner is the function of that name for keys of any algorithm in a: the Public method of a key returns an
// ed25519.PublicKey, or a [PublicKey] with the name of its algorithm.
func (a Algorithms) NewSigner(key crypto.Signer, keyID, attesterID string, issuedAt commitment.Instant) (*Signer, error) {
	public, err := publicKeyOf(key)
	if err != nil {
		return nil, err
	}
	prepared := a.Prepare(public)
	if err := prepared.Err(); err != nil {
		return nil, fmt.Errorf("sign: %w", err)
	}
	if err := checkID("key_id", keyID); err != nil {
		return nil, err
	}
	if err := checkID("attester_id", attesterID); err != nil {
		return nil, err
	}
	if issuedAt.IsZero() {
		return nil, fmt.Errorf("sign: issued_at: %w: there is none", commitment.ErrMalformedInstant)
	}
	return &Signer{
		sign:       key.Sign,
		verifier:   prepared.verifier,
		public:     public,
		keyID:      keyID,
		attesterID: attesterID,
		issuedAt:   issuedAt,
	}, nil
}

func publicKeyOf(key crypto.Signer) (PublicKey, error) {
	if key == nil {
		return PublicKey{}, fmt.Errorf("sign: %w: there is none", ErrUnsupportedKey)
	}
	switch public := key.Public().(type) {
	case ed25519.PublicKey:
		return PublicKey{Algorithm: Ed25519, Bytes: string(public)}, nil
	case PublicKey:
		return public, nil
	default:
		return PublicKey{}, fmt.Errorf("sign: %w: its public key is a %T, want an ed25519.PublicKey", ErrUnsupportedKey, public)
	}
}

// checkID holds what is written to the minimum of the wire's schema, and to what JSON can carry.
func checkID(member, id string) error {
	if id == "" {
		return fmt.Errorf("sign: %s: %w: it is empty", member, ErrMalformedID)
	}
	if !utf8.ValidString(id) {
		return fmt.Errorf("sign: %s: %w: %.128q is not valid UTF-8", member, ErrMalformedID, id)
	}
	return nil
}

// PublicKey returns the key under which the attestations verify.
func (s *Signer) PublicKey() PublicKey { return s.public }

// KeyID returns the key_id that the attestations carry.
func (s *Signer) KeyID() string { return s.keyID }

// Attest signs req.Commitment and verifies the signature by the strict rule before it returns the attestation. Where
// req.Preimage is not nil it must hash to the commitment.
//
// The error wraps [ErrPreimageMismatch], what the crypto.Signer returned, or [ErrSignerMismatch] where that is no signature
// of the key over the commitment.
func (s *Signer) Attest(req Request) (Attestation, error) {
	if req.Preimage != nil && sha256.Sum256(req.Preimage) != req.Commitment {
		return Attestation{}, fmt.Errorf("sign: %w %s", ErrPreimageMismatch, req.Commitment)
	}
	message := req.Commitment // a copy: a signer that writes to its argument changes nothing here
	signature, err := s.sign(nil, message[:], req)
	if err != nil {
		return Attestation{}, fmt.Errorf("sign: signer of key %.128q: %w", s.keyID, err)
	}
	if err := s.verifier.Verify(req.Commitment[:], signature); err != nil {
		return Attestation{}, fmt.Errorf("sign: key %.128q: %w: %w", s.keyID, ErrSignerMismatch, err)
	}
	return Attestation{
		SignedCommitment: req.Commitment.String(),
		KeyID:            s.keyID,
		Algorithm:        s.public.Algorithm,
		AttesterID:       s.attesterID,
		Signature:        hex.EncodeToString(signature),
		IssuedAt:         s.issuedAt.String(),
	}, nil
}
