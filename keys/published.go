package keys

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Published is a key that a provider publishes. It tells how an attestation was built, not who signed it.
type Published struct {
	KeyID    string
	Key      sign.PublicKey
	Provider string // the declared name in the handshake_ack that the key stands in; "" where it stands in none
}

// ParsePublished reads published keys, in the order in which they stand: an array of attester_keys elements, an object with a
// member attester_keys, or a handshake_ack message (CGP §6.5.4). In an ack a missing attester_keys means that the provider
// offers none; in another object it is an error. Members that are not known are passed over. One key_id may come several
// times: which counts is for the caller.
//
// Each element must be whole: key_id, algorithm and public_key are strings, public_key is lowercase hexadecimal, and an
// Ed25519 key is one that a strict verifier takes. Keys of other algorithms are returned as they are. The error wraps
// [ErrTooLarge] or [ErrMalformedPublished], for a weak key sign.ErrMalformedKey too, and names the element, counted from 0.
func ParsePublished(data []byte) ([]Published, error) {
	if err := checkSize(data); err != nil {
		return nil, fmt.Errorf("keys: %w", err)
	}
	published, err := parsePublished(data)
	if err != nil {
		return nil, fmt.Errorf("keys: %w: %w", ErrMalformedPublished, err)
	}
	return published, nil
}

// AppendPublished appends one attester_keys element to dst: a JSON object of key_id, algorithm and public_key, without white
// space. Bytes of keyID that are not valid UTF-8 become U+FFFD.
func AppendPublished(dst []byte, keyID string, k sign.PublicKey) []byte {
	dst = append(dst, `{"key_id":`...)
	dst, _ = jsontext.AppendQuote(dst, keyID)
	dst = append(dst, `,"algorithm":`...)
	dst, _ = jsontext.AppendQuote(dst, k.Algorithm)
	dst = append(dst, `,"public_key":"`...)
	dst = hex.AppendEncode(dst, []byte(k.Bytes))
	return append(dst, `"}`...)
}

func parsePublished(data []byte) ([]Published, error) {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return nil, err
	}
	value := jsontext.Value(data)
	switch value.Kind() {
	case '[':
		return parseElements(value, "", "element")
	case '{':
		return parseObject(value)
	}
	return nil, errors.New("want an array or an object")
}

// parseObject reads an object that is to have a member attester_keys.
func parseObject(object jsontext.Value) ([]Published, error) {
	var kind, provider, list jsontext.Value
	for m := range strictjson.Members(object) {
		switch m.Name {
		case "type":
			kind = m.Value
		case "provider":
			provider = m.Value
		case "attester_keys":
			list = m.Value
		}
	}
	message, isMessage := strictjson.String(kind)
	if isMessage && message != "handshake_ack" {
		return nil, fmt.Errorf("a message of type %.128q publishes no keys", message)
	}
	var name string
	if isMessage {
		var err error
		if name, err = parseProviderName(provider); err != nil {
			return nil, err
		}
	}
	switch {
	case isAbsent(list) && isMessage:
		return nil, nil
	case isAbsent(list):
		return nil, errors.New("want a member attester_keys")
	case list.Kind() != '[':
		return nil, errors.New("attester_keys: want an array")
	}
	return parseElements(list, name, "attester_keys")
}

// parseProviderName returns the declared name in the provider member of a handshake_ack. What is no object has no members.
func parseProviderName(provider jsontext.Value) (string, error) {
	for m := range strictjson.Members(provider) {
		if m.Name != "name" {
			continue
		}
		if name, ok := strictjson.String(m.Value); ok {
			return name, nil
		}
	}
	return "", errors.New("provider.name: want a string")
}

// parseElements reads the elements of an array; errors call it what.
func parseElements(array jsontext.Value, provider, what string) ([]Published, error) {
	var all []Published
	for e := range strictjson.Elements(array) {
		p, err := parseElement(e.Value)
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", what, len(all), err)
		}
		p.Provider = provider
		all = append(all, p)
	}
	return all, nil
}

func parseElement(element jsontext.Value) (Published, error) {
	if element.Kind() != '{' {
		return Published{}, errors.New("want an object")
	}
	var keyID, algorithm, publicKey jsontext.Value
	for m := range strictjson.Members(element) {
		switch m.Name {
		case "key_id":
			keyID = m.Value
		case "algorithm":
			algorithm = m.Value
		case "public_key":
			publicKey = m.Value
		}
	}
	var p Published
	var text string
	var ok bool
	if p.KeyID, ok = strictjson.String(keyID); !ok {
		return Published{}, errors.New("key_id: want a string")
	}
	if p.Key.Algorithm, ok = strictjson.String(algorithm); !ok {
		return Published{}, errors.New("algorithm: want a string")
	}
	if text, ok = strictjson.String(publicKey); !ok {
		return Published{}, errors.New("public_key: want a string")
	}
	var err error
	if p.Key.Bytes, err = parsePublishedKey(p.Key.Algorithm, text); err != nil {
		return Published{}, fmt.Errorf("public_key of key %.128q: %w", p.KeyID, err)
	}
	return p, nil
}

// parsePublishedKey returns the raw bytes of a public_key. Uppercase is malformed here: encoding/hex alone takes it.
func parsePublishedKey(algorithm, text string) (string, error) {
	if text == "" || strings.ContainsAny(text, "ABCDEF") {
		return "", errNotLowercaseHex
	}
	raw, err := hex.DecodeString(text)
	if err != nil {
		return "", errNotLowercaseHex
	}
	if algorithm == sign.Ed25519 {
		if err := checkStrict(sign.PublicKey{Algorithm: algorithm, Bytes: string(raw)}); err != nil {
			return "", err
		}
	}
	return string(raw), nil
}

var errNotLowercaseHex = fmt.Errorf("%w: it is not lowercase hexadecimal", sign.ErrMalformedKey)

func isAbsent(v jsontext.Value) bool {
	return len(v) == 0 || v.Kind() == 'n'
}
