package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// AnyProvider stands for the local id of a key that is held for every provider.
const AnyProvider = "*"

// Errors of a Keyring.
var (
	ErrKeyConflict   = errors.New("two different keys under one local id and key_id")
	ErrMalformedKeys = errors.New("no attester_keys array, object with one, or handshake_ack")
	errNoKeyID       = errors.New("a key needs a key_id that is not empty")
	errNoLocalID     = errors.New("a key needs a local id that is not empty")
)

// A heldKey is a public key that a run can use, and how it came to be believed.
type heldKey struct {
	key        *sign.Key
	raw        publishedKey // published keys: as they stand on the wire
	tier       Tier
	trustedFor string
	conflict   bool // published keys: the same key_id had other bytes before
}

type keyAddress struct{ holder, keyID string }

// A Keyring holds the keys that a run starts with: the ones a person trusts, and published ones given beside the input.
// The zero value is empty and checks ed25519 only. It must not be changed while a Verifier uses it.
type Keyring struct {
	Algorithms sign.Algorithms

	trusted   map[keyAddress]heldKey
	published map[keyAddress]heldKey

	trustedSources, publishedSources []KeySource
}

// Trust adds a key that a person has configured for the provider known here as localID, or for every provider with
// AnyProvider. source is what the report names. A key that a strict verifier declines is refused with sign.ErrMalformedKey,
// other bytes under an address that is taken with ErrKeyConflict.
func (k *Keyring) Trust(localID, keyID string, key sign.PublicKey, source string) error {
	switch {
	case keyID == "":
		return fmt.Errorf("archive: %w", errNoKeyID)
	case localID == "":
		return fmt.Errorf("archive: %w", errNoLocalID)
	}
	ready := k.algorithms().Prepare(key)
	if err := ready.Err(); err != nil {
		return fmt.Errorf("archive: key %q: %w", keyID, err)
	}
	at := keyAddress{localID, keyID}
	if old, ok := k.trusted[at]; ok && old.key.PublicKey() != key {
		return fmt.Errorf("archive: %w: local id %q, key_id %q", ErrKeyConflict, localID, keyID)
	}
	if k.trusted == nil {
		k.trusted = make(map[keyAddress]heldKey)
	}
	k.trusted[at] = heldKey{key: ready, tier: TierConfigured, trustedFor: localID}
	for i := range k.trustedSources {
		if k.trustedSources[i].Name == source {
			k.trustedSources[i].Keys++
			return nil
		}
	}
	k.trustedSources = append(k.trustedSources, KeySource{Name: source, Keys: 1})
	return nil
}

// Publish adds the keys of a file that a provider published: an attester_keys array or an object that has one (keys for every
// provider), or a handshake_ack (keys for the provider it names). Such keys show how an answer was built, never who signed
// it. A weak or malformed key in it is kept, so that evidence which names it gets its verdict.
func (k *Keyring) Publish(data []byte, source string) error {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return fmt.Errorf("archive: published keys: %w", err)
	}
	holder, list := AnyProvider, data
	if isKind(data, '{') {
		t := readTopLevel(data)
		if typ, _ := t.typ.Text(); typ == "handshake_ack" {
			h, err := decodeHandshake(0, t)
			if err != nil {
				return fmt.Errorf("archive: published keys: %w: %s", ErrMalformedKeys, err.Detail)
			}
			holder = h.provider
		}
		list = t.attesterKeys
	}
	if !isKind(list, '[') {
		return fmt.Errorf("archive: published keys: %w", ErrMalformedKeys)
	}
	found, faults := decodeAttesterKeys(list)
	if len(faults) > 0 {
		return fmt.Errorf("archive: published keys: %w: %s", ErrMalformedKeys, faults[0].detail)
	}
	if k.published == nil {
		k.published = make(map[keyAddress]heldKey)
	}
	for _, p := range found {
		publish(k.published, k.algorithms(), holder, p)
	}
	sum := sha256.Sum256(data)
	k.publishedSources = append(k.publishedSources,
		KeySource{Name: source, SHA256: hex.EncodeToString(sum[:]), Keys: len(found)})
	return nil
}

// publish puts a published key into a set. The latest bytes under a key_id count; bytes that differ from what stood there
// mark the key, for rotation is a new key_id, never a reused one (CGP §6.5.4).
func publish(set map[keyAddress]heldKey, algorithms sign.Algorithms, holder string, p publishedKey) {
	at := keyAddress{holder, p.keyID}
	old, seen := set[at]
	if seen && old.raw == p {
		return
	}
	set[at] = heldKey{
		key: algorithms.PrepareHex(p.algorithm, p.publicKey), raw: p,
		tier: TierPublished, trustedFor: holder, conflict: seen,
	}
}

// algorithms returns what evidence is checked under: ed25519 where nothing else was said.
func (k *Keyring) algorithms() sign.Algorithms {
	if k == nil || len(k.Algorithms.Names()) == 0 {
		return sign.Ed25519Only()
	}
	return k.Algorithms
}

// DefaultLevel is the level that a run requires where nobody names one: constructed where only published keys were given,
// else attested.
func (k *Keyring) DefaultLevel() Level {
	if k != nil && len(k.trusted) == 0 && len(k.published) > 0 {
		return RequireConstructed
	}
	return RequireAttested
}

// trustedUnder returns the trusted key of a local id, else the one held for every provider.
func (k *Keyring) trustedUnder(localID, keyID string) (heldKey, bool) {
	if h, ok := k.trusted[keyAddress{localID, keyID}]; ok {
		return h, true
	}
	h, ok := k.trusted[keyAddress{AnyProvider, keyID}]
	return h, ok
}

// publishedUnder returns the published key of a provider, else the one given for every provider.
func (k *Keyring) publishedUnder(provider, keyID string) (heldKey, bool) {
	if h, ok := k.published[keyAddress{provider, keyID}]; ok {
		return h, true
	}
	h, ok := k.published[keyAddress{AnyProvider, keyID}]
	return h, ok
}
