package keys

import (
	"bytes"
	"crypto/ed25519"
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
func ParsePublicKey(data []byte) (sign.PublicKey, error) {
	raw, err := parsePublic(data)
	if err != nil {
		return sign.PublicKey{}, fmt.Errorf("keys: public key: %w", err)
	}
	k := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)}
	if err := checkStrict(k); err != nil {
		return sign.PublicKey{}, fmt.Errorf("keys: public key: %w", err)
	}
	return k, nil
}

// MarshalPKIX returns an Ed25519 public key as one PEM block (RFC 8410 §4). The error wraps sign.ErrUnsupportedKey for
// another algorithm, and sign.ErrMalformedKey for a key that ParsePublicKey would refuse.
func MarshalPKIX(k sign.PublicKey) ([]byte, error) {
	if err := checkStrict(k); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	der, err := marshalPKIX([]byte(k.Bytes))
	if err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemPublic, Bytes: der}), nil
}

// parsePublic returns the raw bytes of the key, of a length that the caller is to check.
func parsePublic(data []byte) ([]byte, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	if isJSON(data) { // first: some of it may look like PEM
		return parsePublicJSON(data)
	}
	if isPEM(data) {
		block, err := parsePEM(data, pemPublic)
		if err != nil {
			return nil, err
		}
		return parsePKIX(block.Bytes)
	}
	if isOpenSSHLine(data) {
		return parseOpenSSHLine(data)
	}
	raw, err := parseHex(bytes.TrimRight(data, whiteSpace))
	if err != nil {
		return nil, err
	}
	if len(raw) != ed25519.PublicKeySize {
		return nil, malformed("%d hexadecimal digits, want the %d of a public key", 2*len(raw), 2*ed25519.PublicKeySize)
	}
	return raw, nil
}
