package keys

import (
	"bytes"
	"encoding/pem"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// ParsePublicKey reads one Ed25519 public key: the 32 raw bytes as 64 hexadecimal digits of either case, one PEM block in PKIX
// form (RFC 8410 §4), one line as in an OpenSSH .pub file (RFC 8709 §4), a JSON Web Key (RFC 8037 §2), an element of
// attester_keys, or the one key in what [ParsePublished] reads. White space may follow, and stand before all but digits. The
// text of a seed is read too: it looks like a public key.
//
// The error wraps [ErrTooLarge], [ErrMalformedFile], sign.ErrMalformedKey with the reason why a strict verifier declines the
// key, or, for a known kind of key or file that is not read here, sign.ErrUnsupportedKey, which names the kind.
func ParsePublicKey(data []byte) (sign.PublicKey, error) { return Parser{}.ParsePublicKey(data) }

// ParsePublicKey is the function of that name for more kinds of keys: those beside Ed25519 stand in PKIX form, in an element of
// attester_keys, or in hexadecimal digits behind the name of their algorithm and a colon, as in ed448:HEX.
func (p Parser) ParsePublicKey(data []byte) (sign.PublicKey, error) {
	k, err := p.parsePublic(data)
	if err == nil {
		err = p.checkStrict(k)
	}
	if err != nil {
		return sign.PublicKey{}, fmt.Errorf("keys: public key: %w", err)
	}
	return k, nil
}

// MarshalPKIX returns an Ed25519 public key as one PEM block (RFC 8410 §4). The error wraps sign.ErrUnsupportedKey for
// another algorithm, and sign.ErrMalformedKey for a key that ParsePublicKey would refuse.
func MarshalPKIX(k sign.PublicKey) ([]byte, error) { return Parser{}.MarshalPKIX(k) }

// MarshalPKIX is the function of that name for more kinds of keys (RFC 8410 §4, RFC 9881 §4).
func (p Parser) MarshalPKIX(k sign.PublicKey) ([]byte, error) {
	if err := p.checkStrict(k); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	form := p.named(k.Algorithm)
	if form == nil {
		return nil, fmt.Errorf("keys: %w: no form of %.80q keys is known here", sign.ErrUnsupportedKey, k.Algorithm)
	}
	der, err := form.marshalPKIX([]byte(k.Bytes))
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemPublic, Bytes: der}), nil
}

// parsePublic returns the key in a text, of a length that the caller is to check.
func (p Parser) parsePublic(data []byte) (sign.PublicKey, error) {
	if err := checkSize(data); err != nil {
		return sign.PublicKey{}, err
	}
	if isJSON(data) { // first: some of it may look like PEM
		return p.parsePublicJSON(data)
	}
	if isPEM(data) {
		block, err := parsePEM(data, pemPublic)
		if err != nil {
			return sign.PublicKey{}, err
		}
		return p.parsePKIX(block.Bytes)
	}
	if isOpenSSHLine(data) {
		raw, err := parseOpenSSHLine(data)
		return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)}, err
	}
	digits := bytes.TrimRight(data, whiteSpace)
	k := ed25519Kind()
	if name, rest, found := bytes.Cut(digits, []byte(":")); found && p.named(string(name)) != nil {
		k, digits = p.named(string(name)), rest
	}
	raw, err := parseHex(digits)
	if size := k.form.PublicKeySize; err == nil && len(raw) != size {
		err = malformed("%d hexadecimal digits, want the %d of a public key", 2*len(raw), 2*size)
	}
	return sign.PublicKey{Algorithm: k.algorithm, Bytes: string(raw)}, err
}
