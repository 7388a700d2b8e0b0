package keys

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// PrivateKey is an Ed25519 signing key. It implements crypto.Signer, and every way of printing it gives the fingerprint of
// its public key. It is immutable and safe for concurrent use. The zero value is no key: its methods panic, but for String
// and Format.
type PrivateKey struct {
	// A function, because fmt prints the unexported fields of a structure around this one without asking Format. It follows
	// even pointers where the verb does not suit them, but not functions.
	secret func() ed25519.PrivateKey
}

// ParsePrivateKey reads a signing key: one PEM block with an unencrypted Ed25519 key as OpenSSH writes it or in PKCS#8 (RFC
// 8410 §7), or the 32-byte seed (RFC 8032 §5.1.5) as 64 hexadecimal digits of either case. White space may follow, and stand
// before a PEM block.
//
// The error wraps [ErrTooLarge], [ErrMalformedFile], [ErrPassphraseMissing] for an OpenSSH key that is protected by a
// passphrase, [ErrEncrypted] for other encrypted keys or, for a known kind of key or file that is not read here,
// sign.ErrUnsupportedKey, which names the kind. It never quotes the text.
func ParsePrivateKey(data []byte) (*PrivateKey, error) {
	seed, err := parseSeed(data, nil)
	if err != nil {
		return nil, fmt.Errorf("keys: private key: %w", err)
	}
	return fromSeed(seed), nil
}

// GeneratePrivateKey makes a key of the next 32 bytes of rand, which must be cryptographically random.
func GeneratePrivateKey(rand io.Reader) (*PrivateKey, error) {
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(rand, seed); err != nil {
		return nil, fmt.Errorf("keys: random bytes for a private key: %w", err)
	}
	return fromSeed(seed), nil
}

func fromSeed(seed []byte) *PrivateKey {
	key := ed25519.NewKeyFromSeed(seed)
	return &PrivateKey{secret: func() ed25519.PrivateKey { return key }}
}

// PublicKey returns the public key.
func (k PrivateKey) PublicKey() sign.PublicKey {
	return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(k.secret()[ed25519.SeedSize:])}
}

// Public implements crypto.Signer. It returns an ed25519.PublicKey.
func (k PrivateKey) Public() crypto.PublicKey {
	return k.secret().Public()
}

// Sign implements crypto.Signer on the terms of ed25519.PrivateKey: with options whose HashFunc is zero it signs the message
// as it is and reads nothing from rand.
func (k PrivateKey) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	return k.secret().Sign(rand, message, opts)
}

// MarshalPKCS8 returns the key as one PEM block, PKCS#8 without a public key in it (RFC 8410 §7). It is secret.
func (k PrivateKey) MarshalPKCS8() ([]byte, error) {
	der, err := marshalPKCS8(k.secret().Seed())
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemPrivate, Bytes: der}), nil
}

// MarshalSeed returns the seed as 64 lowercase hexadecimal digits and a line feed. It is secret.
func (k PrivateKey) MarshalSeed() []byte {
	return append(hex.AppendEncode(nil, k.secret().Seed()), '\n')
}

// String returns the fingerprint of the public key.
func (k PrivateKey) String() string {
	if k.secret == nil {
		return "no key"
	}
	return Fingerprint(k.PublicKey())
}

// Format implements fmt.Formatter: every verb and flag prints String.
func (k PrivateKey) Format(f fmt.State, _ rune) {
	io.WriteString(f, k.String())
}

// parseSeed returns the 32 bytes of the seed. A nil passphrase is none.
func parseSeed(data, passphrase []byte) ([]byte, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	if isJSON(data) { // first: some of it may look like PEM
		return nil, refusePrivateJSON(data)
	}
	if isPEM(data) {
		block, err := parsePEM(data, pemPrivate, pemOpenSSH)
		if err != nil {
			return nil, err
		}
		if block.Type == pemOpenSSH {
			return parseOpenSSH(block, passphrase)
		}
		return parsePKCS8(block.Bytes)
	}
	if isOpenSSHLine(data) {
		return nil, refuseOpenSSHLine(data)
	}
	seed, err := parseHex(bytes.TrimRight(data, whiteSpace))
	if err != nil {
		return nil, err
	}
	if len(seed) != ed25519.SeedSize {
		return nil, malformed("%d hexadecimal digits, want the %d of a seed", 2*len(seed), 2*ed25519.SeedSize)
	}
	return seed, nil
}
