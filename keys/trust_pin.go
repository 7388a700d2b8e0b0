package keys

import "contextgraphprotocol.org/cgp-attest/sign"

// PinOutcome says what pinning a key came to. The set is closed, and the zero value is no outcome.
type PinOutcome string

const (
	Pinned                  PinOutcome = "pinned"                    // it is held now
	AlreadyPinned           PinOutcome = "already_pinned"            // the same bytes were held
	AlreadyConfigured       PinOutcome = "already_configured"        // the same bytes were held, in the higher tier
	KeyChanged              PinOutcome = "key_changed"               // alarm: other bytes are pinned under this key_id
	ConflictsWithConfigured PinOutcome = "conflicts_with_configured" // alarm: other bytes are configured under this key_id
	Refused                 PinOutcome = "refused"                   // the key breaks a rule
)

// Holds reports whether the store holds the key that was to be pinned. In every other case nothing changed.
func (o PinOutcome) Holds() bool {
	return o == Pinned || o == AlreadyPinned || o == AlreadyConfigured
}

// Pin trusts a key because it is the first that is seen for a provider under its key_id (trust on first use). It is an act of
// its own and a tier of its own: nobody has compared the key with anything. Bytes that are held are never replaced.
//
// Beside Refused there is a *[TrustFault] that names the rule; more than MaxPinned pinned keys of one provider is one.
func (s *Store) Pin(localID, keyID string, key sign.PublicKey) (PinOutcome, error) {
	k := TrustedKey{KeyID: keyID, Key: key, Tier: TierPinned}
	if held, ok := s.Find(localID, keyID); ok {
		return pinBeside(held, key), nil
	}
	if f := checkTrusted(localID, k); f != nil {
		return Refused, f
	}
	if s.pinned(localID) >= MaxPinned {
		return Refused, fault(RuleTooManyPinned, "%d keys of this provider are pinned, want at most %d", MaxPinned, MaxPinned)
	}
	s.put(localID, k)
	return Pinned, nil
}

// pinBeside is the outcome where a key is held under the key_id already.
func pinBeside(held TrustedKey, key sign.PublicKey) PinOutcome {
	switch same := held.Key == key; {
	case held.Tier == TierConfigured && same:
		return AlreadyConfigured
	case held.Tier == TierConfigured:
		return ConflictsWithConfigured
	case same:
		return AlreadyPinned
	}
	return KeyChanged
}
