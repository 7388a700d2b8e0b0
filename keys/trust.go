package keys

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Limits of a trust file.
const (
	MaxTrustFile = 1 << 20 // bytes
	MaxPinned    = 16      // pinned keys of one provider
)

// Tier is how a key came to be trusted. The set is closed, and the zero value is none of them.
type Tier string

const (
	TierConfigured Tier = "configured" // a person put it in the store
	TierPinned     Tier = "pinned"     // it was the first to be seen (trust on first use)
)

// A TrustedKey is a key that a store holds for one provider.
type TrustedKey struct {
	KeyID  string
	Key    sign.PublicKey
	Window Window
	Tier   Tier
}

// A Store says which keys a host trusts: by the id under which the host knows a provider, which need not be the name that the
// provider declares, and by key_id (CGP §6.5.4). It holds what a trust file can hold and nothing else. The zero value is empty.
// It is not safe for concurrent use while it is changed.
type Store struct {
	held map[string][]TrustedKey // by local id, each sorted by key_id and never empty
}

// Len returns the number of keys.
func (s *Store) Len() int {
	n := 0
	for _, list := range s.held {
		n += len(list)
	}
	return n
}

// All yields every key with the local id of its provider, sorted by local id, then by key_id, both as bytes.
func (s *Store) All() iter.Seq2[string, TrustedKey] {
	return func(yield func(string, TrustedKey) bool) {
		for _, localID := range slices.Sorted(maps.Keys(s.held)) {
			for _, k := range s.held[localID] {
				if !yield(localID, k) {
					return
				}
			}
		}
	}
}

// Find returns the key that is held for a provider under a key_id.
func (s *Store) Find(localID, keyID string) (TrustedKey, bool) {
	i, ok := s.search(localID, keyID)
	if !ok {
		return TrustedKey{}, false
	}
	return s.held[localID][i], true
}

// ConfigureOutcome says what Configure did. The set is closed.
type ConfigureOutcome string

const (
	Configured        ConfigureOutcome = "configured"
	Reconfigured      ConfigureOutcome = "reconfigured"       // the key was held; its tier or its window is another now
	ConfiguredAlready ConfigureOutcome = "already_configured" // nothing changed
)

// ErrKeyHeld means that another key is held under a key_id: rotation is a new key_id, never a reused one (CGP §6.5.4).
var ErrKeyHeld = errors.New("another key is held under this key_id")

// Configure trusts a key that a person vouches for. Of a key that is held already a pinned one becomes configured, and the ends
// of its window that w gives are set; ends that are open in w stay as they are, so that adding a key again never brings it back
// into service.
//
// The error is a *[TrustFault] that names the rule which the key breaks, or wraps [ErrKeyHeld]. Then nothing changed.
func (s *Store) Configure(localID, keyID string, key sign.PublicKey, w Window) (ConfigureOutcome, error) {
	k := TrustedKey{KeyID: keyID, Key: key, Window: w, Tier: TierConfigured}
	held, isHeld := s.Find(localID, keyID)
	if isHeld {
		if held.Key != key {
			return "", fmt.Errorf("keys: provider %.128q, key_id %.128q: %w: %s, given %s", localID, keyID, ErrKeyHeld,
				Fingerprint(held.Key), Fingerprint(key))
		}
		if w.NotBefore.IsZero() {
			k.Window.NotBefore = held.Window.NotBefore
		}
		if w.NotAfter.IsZero() {
			k.Window.NotAfter = held.Window.NotAfter
		}
		if held.Tier == k.Tier && held.Window.Equal(k.Window) {
			return ConfiguredAlready, nil
		}
	}
	if f := checkTrusted(localID, k); f != nil {
		return "", f
	}
	s.put(localID, k)
	if isHeld {
		return Reconfigured, nil
	}
	return Configured, nil
}

// Remove takes a key out and returns it. ok is false where none is held.
func (s *Store) Remove(localID, keyID string) (k TrustedKey, ok bool) {
	i, ok := s.search(localID, keyID)
	if !ok {
		return TrustedKey{}, false
	}
	list := s.held[localID]
	k = list[i]
	if s.held[localID] = slices.Delete(list, i, i+1); len(list) == 1 {
		delete(s.held, localID)
	}
	return k, true
}

// put holds a key, in the place of the one under its key_id.
func (s *Store) put(localID string, k TrustedKey) {
	if s.held == nil {
		s.held = make(map[string][]TrustedKey)
	}
	list := s.held[localID]
	if i, ok := s.search(localID, k.KeyID); ok {
		list[i] = k
	} else {
		s.held[localID] = slices.Insert(list, i, k)
	}
}

func (s *Store) search(localID, keyID string) (int, bool) {
	return slices.BinarySearchFunc(s.held[localID], keyID, func(k TrustedKey, id string) int { return strings.Compare(k.KeyID, id) })
}

// pinned counts the pinned keys of a provider.
func (s *Store) pinned(localID string) int {
	n := 0
	for _, k := range s.held[localID] {
		if k.Tier == TierPinned {
			n++
		}
	}
	return n
}

// checkTrusted returns the first rule that a key breaks by itself, nil for none.
func checkTrusted(localID string, k TrustedKey) *TrustFault {
	if f := cmp.Or(checkID(localID, RuleEmptyProviderID), checkID(k.KeyID, RuleEmptyKeyID), checkTrustedKey(k.Key)); f != nil {
		return f
	}
	if f := checkWindow(k.Window); f != nil {
		return f
	}
	return checkTier(k.Tier)
}

func checkID(id string, empty Rule) *TrustFault {
	switch {
	case id == "":
		return fault(empty, "it is empty")
	case !utf8.ValidString(id):
		return fault(RuleInvalidUTF8, "%.128q is not UTF-8", id)
	}
	return nil
}

func checkTrustedKey(k sign.PublicKey) *TrustFault {
	if f := checkAlgorithm(k.Algorithm); f != nil {
		return f
	}
	if len(k.Bytes) != publicKeyDigits/2 {
		return fault(RuleMalformedPublicKey, "%d bytes, want %d", len(k.Bytes), publicKeyDigits/2)
	}
	if err := checkStrict(k); err != nil {
		return fault(RuleWeakPublicKey, "%w", err)
	}
	return nil
}

func checkAlgorithm(name string) *TrustFault {
	if name != sign.Ed25519 {
		return fault(RuleUnsupportedAlgorithm, "%.80q, want %q", name, sign.Ed25519)
	}
	return nil
}

func checkWindow(w Window) *TrustFault {
	if w.isInverted() {
		return fault(RuleInvertedWindow, "not_after is %.80s, earlier than not_before, %.80s", w.NotAfter, w.NotBefore)
	}
	return nil
}

func checkTier(t Tier) *TrustFault {
	if t != TierConfigured && t != TierPinned {
		return fault(RuleUnknownTier, "%.80q, want %q or %q", t, TierConfigured, TierPinned)
	}
	return nil
}

// HasWindows reports whether some key has a window. Where none has, no instant is needed.
func (s *Store) HasWindows() bool {
	for _, k := range s.All() {
		if !k.Window.IsOpen() {
			return true
		}
	}
	return false
}

// parseEnd reads one end of a window.
func parseEnd(text string) (commitment.Instant, *TrustFault) {
	at, err := commitment.ParseInstant(text)
	if err != nil {
		f := fault(RuleMalformedWindow, "%s", strings.TrimPrefix(err.Error(), "commitment: "))
		f.Err = err
		return at, f
	}
	return at, nil
}
