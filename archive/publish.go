package archive

import (
	"encoding/hex"
	"fmt"
	"slices"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// PublishKey adds a key to every handshake_ack of an input, behind the last element of its attester_keys (CGP §6.5.4). Every
// other byte stays as it was; where the key is published already, all do. source names the input in errors.
//
// The error is a *[RecordError] for the first record that cannot be read; a *[Refusal] for an input that declares several
// providers, or one that publishes other bytes under the key_id: rotation is a new key_id; ErrNoHandshake; or it wraps
// sign.ErrMalformedID for a key_id that is empty or not UTF-8, or sign.ErrMalformedKey for a key that a strict verifier
// declines.
func PublishKey(source string, input []byte, keyID string, key sign.PublicKey) ([]byte, error) {
	return PublishKeyOf(sign.Ed25519Only(), source, input, keyID, key)
}

// PublishKeyOf is PublishKey for a key of one of the given algorithms.
func PublishKeyOf(algorithms sign.Algorithms, source string, input []byte, keyID string, key sign.PublicKey) ([]byte, error) {
	if keyID == "" || !utf8.ValidString(keyID) {
		return nil, fmt.Errorf("archive: key_id %.128q: %w: want one that is not empty, in UTF-8", keyID, sign.ErrMalformedID)
	}
	if err := algorithms.Prepare(key).Err(); err != nil {
		return nil, fmt.Errorf("archive: key %.128q: %w", keyID, err)
	}
	s := newSigning(input, SignOptions{Source: source})
	if err := s.read(); err != nil {
		return nil, err
	}
	switch {
	case len(s.acks) == 0:
		return nil, fmt.Errorf("archive: %w: the input has none", ErrNoHandshake)
	case len(s.names) > 1:
		return nil, s.refuse(RuleTwoProviders, recordPlace{}, "the input declares %d providers, want one", len(s.names))
	}
	for _, a := range s.acks {
		if err := s.publishIn(a, keyID, key); err != nil {
			return nil, err
		}
	}
	return splice(s.input, s.edits), nil
}

// publishIn adds a key to one acknowledgement, unless it stands there.
func (s *signing) publishIn(a *acknowledged, keyID string, key sign.PublicKey) error {
	if i := a.message.find(memberKeys); i >= 0 && !isKind(a.message.members[i].Value, '[') && !isNull(a.message.members[i].Value) {
		return s.refuse(RuleMalformedKeys, a.recordPlace, "%s is %s, want an array", memberKeys, strictjson.KindName(a.message.members[i].Value))
	}
	ours := publishedKey{keyID: keyID, algorithm: key.Algorithm, publicKey: hex.EncodeToString([]byte(key.Bytes))}
	for _, held := range a.keys {
		if held.keyID == ours.keyID && held != ours {
			return s.refuse(RuleKeyConflict, a.recordPlace, "key_id %.128q is published with algorithm %.64q and key %.128q, the key to publish is %s",
				held.keyID, held.algorithm, held.publicKey, ours.publicKey)
		}
	}
	if !slices.Contains(a.keys, ours) {
		s.edits = a.message.addElement(s.edits, memberKeys, keys.AppendPublished(nil, keyID, key))
	}
	return nil
}
