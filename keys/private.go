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

// PrivateKey is a signing key. It implements crypto.Signer, and every way of printing it gives the fingerprint of its public
// key. It is immutable and safe for concurrent use. The zero value is no key: its methods panic, but for String and Format.
type PrivateKey struct {
	// A function, because fmt prints the unexported fields of a structure around this one without asking Format. It follows
	// even pointers where the verb does not suit them, but not functions.
	secret func() secretKey
}

type secretKey struct {
	*kind
	seed   []byte
	signer crypto.Signer
}

// ParsePrivateKey reads a signing key: one PEM block with an unencrypted Ed25519 key as OpenSSH writes it or in PKCS#8 (RFC
// 8410 §7), or the 32-byte seed (RFC 8032 §5.1.5) as 64 hexadecimal digits of either case. White space may follow, and stand
// before a PEM block.
//
// The error wraps [ErrTooLarge], [ErrMalformedFile], [ErrPassphraseMissing] for an OpenSSH key that is protected by a
// passphrase, [ErrEncrypted] for other encrypted keys or, for a known kind of key or file that is not read here,
// sign.ErrUnsupportedKey, which names the kind. It never quotes the text.
func ParsePrivateKey(data []byte) (*PrivateKey, error) { return Parser{}.ParsePrivateKey(data) }

// ParsePrivateKey is the function of that name for more kinds of keys; those beside Ed25519 stand in PKCS#8.
func (p Parser) ParsePrivateKey(data []byte) (*PrivateKey, error) {
	key, err := p.parsePrivate(data, nil)
	if err != nil {
		return nil, fmt.Errorf("keys: private key: %w", err)
	}
	return key, nil
}

// GeneratePrivateKey makes an Ed25519 key of the next 32 bytes of rand, which must be cryptographically random.
func GeneratePrivateKey(rand io.Reader) (*PrivateKey, error) {
	return Parser{}.GeneratePrivateKey(sign.Ed25519, rand)
}

// GeneratePrivateKey makes a key of the named algorithm of the next bytes of rand, as many as its seed has, which must be
// cryptographically random. The error wraps sign.ErrUnsupportedKey for an algorithm whose keys are not made here.
func (p Parser) GeneratePrivateKey(algorithm string, rand io.Reader) (*PrivateKey, error) {
	k := p.named(algorithm)
	if k == nil {
		return nil, fmt.Errorf("keys: %w: no key of the algorithm %.80q is made here", sign.ErrUnsupportedKey, algorithm)
	}
	seed := make([]byte, k.form.SeedSize)
	if _, err := io.ReadFull(rand, seed); err != nil {
		return nil, fmt.Errorf("keys: random bytes for a private key: %w", err)
	}
	key, err := k.fromSeed(seed)
	if err != nil {
		return nil, fmt.Errorf("keys: private key: %w", err)
	}
	return key, nil
}

// fromSeed returns the key of a seed, of which it keeps a copy.
func (k *kind) fromSeed(seed []byte) (*PrivateKey, error) {
	signer, err := k.newKey(seed)
	if err != nil {
		return nil, err
	}
	secret := secretKey{kind: k, seed: bytes.Clone(seed), signer: signer}
	return &PrivateKey{secret: func() secretKey { return secret }}, nil
}

// PublicKey returns the public key.
func (k PrivateKey) PublicKey() sign.PublicKey {
	switch public := k.Public().(type) {
	case ed25519.PublicKey:
		return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(public)}
	case sign.PublicKey:
		return public
	}
	return sign.PublicKey{} // of a scheme that breaks its promise: a key of no algorithm
}

// Public implements crypto.Signer. It returns an ed25519.PublicKey, and for a key of another algorithm a sign.PublicKey.
func (k PrivateKey) Public() crypto.PublicKey {
	return k.secret().signer.Public()
}

// Sign implements crypto.Signer on the terms of ed25519.PrivateKey: with options whose HashFunc is zero it signs the message
// as it is and reads nothing from rand.
func (k PrivateKey) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	return k.secret().signer.Sign(rand, message, opts)
}

// MarshalPKCS8 returns the key as one PEM block, PKCS#8 without a public key in it (RFC 8410 §7, RFC 9881 §6). It is secret.
func (k PrivateKey) MarshalPKCS8() ([]byte, error) {
	secret := k.secret()
	der, err := secret.marshalPKCS8(secret.seed)
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemPrivate, Bytes: der}), nil
}

// MarshalSeed returns the seed in lowercase hexadecimal digits and a line feed. It is secret. Only that of an Ed25519 key can be
// read again: a seed does not say which algorithm it is for.
func (k PrivateKey) MarshalSeed() []byte {
	return append(hex.AppendEncode(nil, k.secret().seed), '\n')
}

// ed25519 returns the key as one of Ed25519, for the forms that no other key has. The error wraps sign.ErrUnsupportedKey.
func (k PrivateKey) ed25519() (ed25519.PrivateKey, error) {
	secret := k.secret()
	key, ok := secret.signer.(ed25519.PrivateKey)
	if !ok {
		return nil, fmt.Errorf("%w: OpenSSH has no form of %s keys", sign.ErrUnsupportedKey, secret.form.Title)
	}
	return key, nil
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

// parsePrivate returns the key in a text. A nil passphrase is none.
func (p Parser) parsePrivate(data, passphrase []byte) (*PrivateKey, error) {
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
		if block.Type != pemOpenSSH {
			return p.parsePKCS8(block.Bytes)
		}
		seed, err := parseOpenSSH(block, passphrase)
		if err != nil {
			return nil, err
		}
		return ed25519Kind().fromSeed(seed)
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
	return ed25519Kind().fromSeed(seed)
}
