package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Names in a JSON Web Key of an Ed25519 key (RFC 8037 §2).
const (
	jwkType  = "OKP"
	jwkCurve = "Ed25519"
)

// MarshalJWK returns an Ed25519 public key as a JSON Web Key without white space (RFC 8037 §2). The error wraps
// sign.ErrMalformedKey or sign.ErrUnsupportedKey on the terms of [MarshalPKIX].
func MarshalJWK(k sign.PublicKey) ([]byte, error) {
	if err := checkStrict(k); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	out := []byte(`{"kty":"` + jwkType + `","crv":"` + jwkCurve + `","x":"`)
	return append(base64.RawURLEncoding.AppendEncode(out, []byte(k.Bytes)), `"}`...), nil
}

// isJSON reports whether data is meant to be JSON.
func isJSON(data []byte) bool {
	data = bytes.TrimLeft(data, whiteSpace)
	return len(data) > 0 && (data[0] == '{' || data[0] == '[')
}

// parsePublicJSON returns the one key in a JSON Web Key, an element of attester_keys, or what ParsePublished
// reads.
func (p Parser) parsePublicJSON(data []byte) (sign.PublicKey, error) {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return sign.PublicKey{}, malformed("%w", err)
	}
	value := jsontext.Value(data)
	for m := range strictjson.Members(value) {
		switch m.Name {
		case "kty":
			raw, err := parseJWK(value)
			return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)}, err
		case "public_key":
			element, err := parseElement(value)
			if err != nil {
				return sign.PublicKey{}, malformed("%w", err)
			}
			return p.onlyKnown(element.Key)
		}
	}
	published, err := parsePublished(data)
	if err != nil {
		return sign.PublicKey{}, malformed("%w", err)
	}
	if len(published) != 1 {
		return sign.PublicKey{}, malformed("%d published keys, want one", len(published))
	}
	return p.onlyKnown(published[0].Key)
}

// refusePrivateJSON says what a JSON text is where a private key is wanted.
func refusePrivateJSON(data []byte) error {
	secret := bytes.Contains(data, []byte(`"d"`)) // RFC 8037 §2
	public := slices.ContainsFunc([]string{`"kty"`, `"public_key"`}, func(name string) bool { return bytes.Contains(data, []byte(name)) })
	if public && !secret {
		return malformed("it is a public key, want the private one")
	}
	return malformed("JSON is not read as a private key, want OpenSSH, PKCS#8 PEM or a seed")
}

func (p Parser) onlyKnown(k sign.PublicKey) (sign.PublicKey, error) {
	if p.named(k.Algorithm) == nil {
		return sign.PublicKey{}, unsupported("it is for the algorithm %.80q, want %s", k.Algorithm, sign.Ed25519)
	}
	return k, nil
}

func parseJWK(object jsontext.Value) ([]byte, error) {
	member := make(map[string]string)
	for m := range strictjson.Members(object) {
		member[m.Name], _ = strictjson.String(m.Value)
	}
	if _, private := member["d"]; private {
		return nil, unsupported("it is a private key, want its public key, a JSON Web Key without the member d")
	}
	if member["kty"] != jwkType || member["crv"] != jwkCurve {
		return nil, unsupported("it is a JSON Web Key with kty %.80q and crv %.80q, want %s and %s", member["kty"], member["crv"], jwkType, jwkCurve)
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(member["x"])
	if err != nil || len(raw) != ed25519.PublicKeySize {
		return nil, malformed("x is %.80q, want %d bytes in base64url without padding", member["x"], ed25519.PublicKeySize)
	}
	return raw, nil
}
