package archive

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
	"github.com/go-json-experiment/json/jsontext"
)

// AnyProvider stands for the local id of a key that is held for every provider.
const AnyProvider = "*"

// Errors of a Keyring.
var (
	ErrKeyConflict   = errors.New("two trusted sources disagree about one local id and key_id")
	ErrMalformedKeys = errors.New("no attester_keys array, object with one, or handshake_ack")
	ErrReservedID    = errors.New("the local id * stands for every provider, and is none in a trust file")
	errNoKeyID       = errors.New("a key needs a key_id that is not empty")
	errNoLocalID     = errors.New("a key needs a local id that is not empty")
	errNoTier        = errors.New("a trusted key is configured or pinned")
)

// A heldKey is a public key that a run can use, and how it came to be believed.
type heldKey struct {
	key        *sign.Key
	raw        publishedKey // published keys: as they stand on the wire
	tier       Tier
	trustedFor string
	window     keys.Window // trusted keys: when the key is in service
	source     string      // trusted keys: where it was given
	conflict   bool        // published keys: the same key_id had other bytes before
}

// A keyAddress is where a key is looked up: under a holder, or for everyone where that is absent. A provider may call itself
// anything, AnyProvider too, and is a holder all the same.
type keyAddress struct {
	holder commitment.Optional
	keyID  string
}

func addressOf(holder, keyID string) keyAddress { return keyAddress{commitment.Some(holder), keyID} }

func forEveryone(keyID string) keyAddress { return keyAddress{keyID: keyID} }

// trustAddress is where a key is held that a person trusts for a local id, or for every provider.
func trustAddress(localID, keyID string) keyAddress {
	if localID == AnyProvider {
		return forEveryone(keyID)
	}
	return addressOf(localID, keyID)
}

// A Keyring holds the keys that a run starts with: the ones a person trusts, and published ones given beside the input.
// The zero value is empty and checks ed25519 only. It must not be changed while a Verifier uses it.
type Keyring struct {
	Algorithms sign.Algorithms

	trusted   map[keyAddress]heldKey
	published map[keyAddress]heldKey

	trustedSources, publishedSources []KeySource

	given map[string][]string // the keys of each source that TrustKey was given, a line each
}

// Trust adds a key that a person has configured for the provider known here as localID, or for every provider with
// AnyProvider. source is what the report names. A key that a strict verifier declines is refused with sign.ErrMalformedKey,
// other bytes under an address that is taken with ErrKeyConflict.
func (k *Keyring) Trust(localID, keyID string, key sign.PublicKey, source string) error {
	return k.TrustKey(localID, keys.TrustedKey{KeyID: keyID, Key: key, Tier: keys.TierConfigured}, source)
}

// TrustKey does what Trust does for a key of any tier that is in service for a time. Another tier or another window under an
// address that is taken is ErrKeyConflict too: which of them counts is not for this package to choose. A window that ends
// before it begins is taken, and the key is never in service.
func (k *Keyring) TrustKey(localID string, key keys.TrustedKey, source string) error {
	held, err := k.checkTrusted(localID, key, source)
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	k.hold(trustAddress(localID, key.KeyID), held)
	if k.given == nil {
		k.given = make(map[string][]string)
	}
	k.given[source] = append(k.given[source], lineOf(localID, key))
	for i := range k.trustedSources {
		if k.trustedSources[i].Name == source {
			k.trustedSources[i].Keys++
			return nil
		}
	}
	k.trustedSources = append(k.trustedSources, KeySource{Name: source, Keys: 1})
	return nil
}

// lineOf is a key in the text that a source of single keys is hashed by: a JSON array of the local id, the key_id, the algorithm
// and the key in lowercase hex, without white space, and a line feed.
func lineOf(localID string, key keys.TrustedKey) string {
	line := []byte{'['}
	for i, text := range []string{localID, key.KeyID, key.Key.Algorithm, hex.EncodeToString([]byte(key.Key.Bytes))} {
		if i > 0 {
			line = append(line, ',')
		}
		line, _ = jsontext.AppendQuote(line, text) // what is no UTF-8 is replaced
	}
	return string(append(line, "]\n"...))
}

// trustedFrom returns the sources of trusted keys, those of single keys with the SHA-256 over their lines: sorted, each once.
func (k *Keyring) trustedFrom() []KeySource {
	sources := slices.Clone(k.trustedSources)
	for i := range sources {
		if lines := k.given[sources[i].Name]; sources[i].SHA256 == "" && lines != nil {
			sum := sha256.Sum256([]byte(strings.Join(slices.Compact(slices.Sorted(slices.Values(lines))), "")))
			sources[i].SHA256 = hex.EncodeToString(sum[:])
		}
	}
	return sources
}

// TrustStore adds every key of a trust store, on the terms of TrustKey, or on an error none. source says what the report
// names; its keys are counted here. A provider * is refused with ErrReservedID.
func (k *Keyring) TrustStore(s *keys.Store, source KeySource) error {
	ready := make(map[keyAddress]heldKey, s.Len())
	for localID, key := range s.All() {
		if localID == AnyProvider {
			return fmt.Errorf("archive: %w", ErrReservedID)
		}
		held, err := k.checkTrusted(localID, key, source.Name)
		if err != nil {
			return fmt.Errorf("archive: %w", err)
		}
		ready[trustAddress(localID, key.KeyID)] = held
	}
	for at, held := range ready {
		k.hold(at, held)
	}
	source.Keys = s.Len()
	k.trustedSources = append(k.trustedSources, source)
	return nil
}

// checkTrusted makes a key ready, or says why it cannot be trusted here.
func (k *Keyring) checkTrusted(localID string, t keys.TrustedKey, source string) (held heldKey, err error) {
	held = heldKey{trustedFor: localID, window: t.Window, source: source}
	switch t.Tier {
	case keys.TierConfigured:
		held.tier = TierConfigured
	case keys.TierPinned:
		held.tier = TierPinned
	default:
		return held, fmt.Errorf("key %.128q: %w, found %.80q", t.KeyID, errNoTier, t.Tier)
	}
	switch {
	case t.KeyID == "":
		return held, errNoKeyID
	case localID == "":
		return held, errNoLocalID
	}
	held.key = k.algorithms().Prepare(t.Key)
	if err := held.key.Err(); err != nil {
		return held, fmt.Errorf("key %.128q: %w", t.KeyID, err)
	}
	if old, ok := k.trusted[trustAddress(localID, t.KeyID)]; ok {
		if differs := disagreement(old, held); differs != "" {
			return held, fmt.Errorf("%w: local id %.128q, key_id %.128q: %.128q and %.128q give different %s",
				ErrKeyConflict, localID, t.KeyID, old.source, source, differs)
		}
	}
	return held, nil
}

// disagreement names the first respect in which two trusted keys differ, "" for none.
func disagreement(a, b heldKey) string {
	switch {
	case a.key.PublicKey() != b.key.PublicKey():
		return "keys"
	case a.tier != b.tier:
		return "tiers"
	case !a.window.Equal(b.window):
		return "windows"
	}
	return ""
}

// hold keeps a key; the first of several that agree names its source.
func (k *Keyring) hold(at keyAddress, held heldKey) {
	if k.trusted == nil {
		k.trusted = make(map[keyAddress]heldKey)
	}
	if _, ok := k.trusted[at]; !ok {
		k.trusted[at] = held
	}
}

// HasWindows reports whether some trusted key has a window. Where none has, no instant of receipt is asked for, and a run has
// no use for a clock.
func (k *Keyring) HasWindows() bool {
	for _, held := range k.trusted {
		if !held.window.IsOpen() {
			return true
		}
	}
	return false
}

// Publish adds the keys of a file that a provider published: an attester_keys array or an object that has one (keys for every
// provider), or a handshake_ack (keys for the provider it names). Such keys show how an answer was built, never who signed
// it. A weak or malformed key in it is kept, so that evidence which names it gets its verdict.
func (k *Keyring) Publish(data []byte, source string) error {
	if err := strictjson.Validate(data, strictjson.DefaultLimits()); err != nil {
		return fmt.Errorf("archive: published keys: %w", err)
	}
	var holder commitment.Optional
	list := data
	if isKind(data, '{') {
		t := decoderOf(data, DefaultLimits()).readTopLevel()
		if typ, _ := t.typ.Text(); typ == typeHandshake {
			h, err := decodeHandshake(&t)
			if err != nil {
				return fmt.Errorf("archive: published keys: %w: %s", ErrMalformedKeys, err.Detail)
			}
			holder = commitment.Some(h.provider)
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

// publish puts a published key of a holder, or of everyone, into a set. The latest bytes under a key_id count.
func publish(set map[keyAddress]heldKey, algorithms sign.Algorithms, holder commitment.Optional, p publishedKey) {
	at := keyAddress{holder, p.keyID}
	old, seen := set[at]
	if held, changed := replace(old, seen, algorithms, holder, p); changed {
		set[at] = held
	}
}

// replace returns the key that stands where a published one is put, and whether it is another than before. Bytes that differ
// from what stood there mark the key, for rotation is a new key_id, never a reused one (CGP §6.5.4).
func replace(old heldKey, seen bool, algorithms sign.Algorithms, holder commitment.Optional, p publishedKey) (heldKey, bool) {
	if seen && old.raw == p {
		return old, false
	}
	name, named := holder.Text()
	if !named {
		name = AnyProvider
	}
	return heldKey{
		key: algorithms.PrepareHex(p.algorithm, p.publicKey), raw: p,
		tier: TierPublished, trustedFor: name, conflict: seen,
	}, true
}

// algorithms returns what evidence is checked under: ed25519 where nothing else was said.
func (k *Keyring) algorithms() sign.Algorithms {
	if k == nil {
		return sign.Ed25519Only()
	}
	return orEd25519(k.Algorithms)
}

// orEd25519 returns a, and where it is empty what CGP §6.5.4 defines.
func orEd25519(a sign.Algorithms) sign.Algorithms {
	if a.IsEmpty() {
		return sign.Ed25519Only()
	}
	return a
}

// DefaultLevel is the level that a run requires where nobody names one: constructed where published keys were given and no
// trusted ones, else attested. An empty trust store was given too.
func (k *Keyring) DefaultLevel() Level {
	if k != nil && len(k.trustedSources) == 0 && len(k.publishedSources) > 0 {
		return RequireConstructed
	}
	return RequireAttested
}

// trustedUnder returns the trusted key of a local id, else the one held for every provider.
func (k *Keyring) trustedUnder(localID, keyID string) (heldKey, bool) {
	if h, ok := k.trusted[addressOf(localID, keyID)]; ok {
		return h, true
	}
	h, ok := k.trusted[forEveryone(keyID)]
	return h, ok
}

// publishedUnder returns the published key of a provider, else the one given for every provider.
func (k *Keyring) publishedUnder(provider, keyID string) (heldKey, bool) {
	if h, ok := k.published[addressOf(provider, keyID)]; ok {
		return h, true
	}
	h, ok := k.published[forEveryone(keyID)]
	return h, ok
}

// held lists the local ids that trusted keys are held for, AnyProvider among them, by key_id.
func (k *Keyring) held() map[string][]string {
	held := make(map[string][]string)
	for at, key := range k.trusted {
		held[at.keyID] = append(held[at.keyID], key.trustedFor)
	}
	for _, localIDs := range held {
		slices.Sort(localIDs)
	}
	return held
}
