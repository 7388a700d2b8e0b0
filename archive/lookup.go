package archive

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/keys"
)

// lookup finds the key that an attestation names, by key_id and algorithm: a trusted one, for the local id before one for every
// provider; then a key published beside the input, then the record's own, then one of the session. A trusted key hides every
// published one under its key_id, whatever its algorithm and in service or not.
func (j *judge) lookup(keyID, algorithm string) (heldKey, bool) {
	everyone, declared := forEveryone(keyID), addressOf(j.provider.name, keyID)
	hidden := false
	for _, place := range [...]struct {
		keys map[keyAddress]heldKey
		at   keyAddress
	}{
		{j.keys.trusted, addressOf(j.localID, keyID)}, {j.keys.trusted, everyone},
		{j.keys.published, declared}, {j.keys.published, everyone}, {j.own, declared},
	} {
		h, ok := place.keys[place.at]
		switch {
		case !ok || hidden && h.tier == TierPublished:
		case h.key.PublicKey().Algorithm == algorithm:
			return h, true
		case h.tier != TierPublished:
			hidden = true
		}
	}
	if hidden {
		return heldKey{}, false
	}
	h, ok := j.view.published(j.provider.name, keyID)
	return h, ok && h.key.PublicKey().Algorithm == algorithm
}

// outOfService compares a key's window with the instant of receipt, never with issued_at (CGP F18). What cannot be compared is
// not in service.
func (j *judge) outOfService(held *heldKey) (weighed, bool) {
	w := weighed{state: StateKeyNotInService, tier: held.tier, trustedFor: held.trustedFor}
	at, compared := j.out.ReceivedAt.Instant, "received"
	if j.out.ReceivedAt.Source == InstantFromClock { // which says nothing of when the answer was received
		compared = "compared with the present instant"
	}
	switch held.window.Service(at) {
	case keys.InService:
		return weighed{}, false
	case keys.NotYetValid:
		w.reason, w.detail = ReasonNotYetValid,
			fmt.Sprintf("%s %.80s, the key is in service from %.80s on", compared, at, held.window.NotBefore)
	case keys.Expired:
		w.reason, w.detail = ReasonExpired,
			fmt.Sprintf("%s %.80s, the key was in service until %.80s", compared, at, held.window.NotAfter)
	case keys.MalformedInstant:
		w.reason, w.detail = ReasonMalformedInstant, j.unreceived
	default:
		w.reason, w.detail = ReasonMalformedWindow, "the key's window ends before it begins"
	}
	return w, true
}
