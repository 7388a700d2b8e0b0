package archive

import (
	"cmp"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// badSignature explains a signature that is not one of the commitment under the key that the attestation names. Under a proof
// it is the root's.
func (d *diagnosing) badSignature(ev *Evidence) *Diagnosis {
	if ev.Kind == KindInclusion {
		return d.rootSignature()
	}
	return d.signature(&d.a.entries[ev.Entry].attestation.value)
}

// rootSignature explains the signature of the result attestation, once an answer.
func (d *diagnosing) rootSignature() *Diagnosis {
	if d.rootCause == nil {
		d.rootCause = d.signature(&d.a.root.value)
	}
	found := *d.rootCause
	return &found
}

// signature looks for the other message or the other key that a signature is of.
func (d *diagnosing) signature(att *sign.Attestation) *Diagnosis {
	if d.cut = d.checks == 0; d.cut {
		return d.nothing("")
	}
	signed, _ := commitment.ParseDigest(att.SignedCommitment) // it was compared
	named, _ := d.lookup(att.KeyID, att.Algorithm)            // it was found
	if found := d.otherMessage(att, signed, named.key); found != nil {
		return found
	}
	if found := d.otherKey(att, signed, named.key); found != nil {
		return found
	}
	return d.nothing("the signature")
}

// check takes one verification, and reports whether it was left.
func (d *diagnosing) check() bool {
	if d.checks == 0 {
		d.cut = true
		return false
	}
	d.checks--
	return true
}

// otherMessage tries what is signed in the place of the 32 bytes of the commitment, under the key that the attestation names.
func (d *diagnosing) otherMessage(att *sign.Attestation, signed commitment.Digest, key *sign.Key) *Diagnosis {
	signature, err := hex.DecodeString(att.Signature)
	if err != nil || att.Algorithm != sign.Ed25519 {
		return nil
	}
	public := []byte(key.PublicKey().Bytes)
	of256, of512 := sha256.Sum256(signed[:]), sha512.Sum512(signed[:])
	for _, other := range []struct {
		cause   Cause
		message []byte
		how     string
	}{
		{CauseHexTextSigned, []byte(hex.EncodeToString(signed[:])), "the signature is of the 64 hexadecimal digits, not of the 32 bytes"},
		{CauseHexTextSigned, []byte(signed.String()), "the signature is of the text with sha256: in front, not of the 32 bytes"},
		{CausePrehashed, of256[:], "the signature is of the SHA-256 of the commitment"},
		{CausePrehashed, of512[:], "the signature is of the SHA-512 of the commitment"},
	} {
		if !d.check() {
			return nil
		}
		if sign.VerifyEd25519(public, other.message, signature) == nil {
			return &Diagnosis{other.cause, other.how}
		}
	}
	// Ed25519ph (RFC 8032 §5.1). The key has passed the strict rule, and no verdict hangs on this.
	if d.check() && ed25519.VerifyWithOptions(public, of512[:], signature, &ed25519.Options{Hash: crypto.SHA512}) == nil {
		return &Diagnosis{CausePrehashed, "the signature is of Ed25519ph, not of Ed25519"}
	}
	return nil
}

// otherKey tries the keys at hand, the one that explained the last signature first.
func (d *diagnosing) otherKey(att *sign.Attestation, signed commitment.Digest, named *sign.Key) *Diagnosis {
	tried := map[sign.PublicKey]bool{named.PublicKey(): true}
	try := func(h *keyAtHand) (found *Diagnosis, goOn bool) {
		public := h.key.PublicKey()
		if public.Algorithm != att.Algorithm || h.key.Err() != nil || tried[public] {
			return nil, true
		}
		tried[public] = true
		if !d.check() {
			return nil, false
		}
		if !d.judge.keys.algorithms().Verify(att, sign.Subject{Commitment: signed, BindsContent: true}, h.key).Verdict.Verifies() {
			return nil, true
		}
		d.lastKey = h
		return &Diagnosis{CauseOtherKey, "the signature is of the key " + public.String() + ", " + h.said()}, false
	}
	if d.lastKey != nil {
		if found, goOn := try(d.lastKey); !goOn {
			return found
		}
	}
	published := d.ownKeys()
	for i := range published {
		if found, goOn := try(&published[i]); !goOn {
			return found
		}
	}
	for _, near := range []bool{true, false} {
		for i := range d.keys {
			h := &d.keys[i]
			if is := h.trustedFor == d.localID || h.trustedFor == d.provider.name || h.trustedFor == AnyProvider; is != near {
				continue
			}
			if found, goOn := try(h); !goOn {
				return found
			}
		}
	}
	return nil
}

// A keyAtHand is a key that may have been used in the place of another, and the id that it is held under.
type keyAtHand struct {
	heldKey
	keyID string
}

// ownKeys returns the keys of the record itself and those that the provider published in front of it.
func (d *diagnosing) ownKeys() []keyAtHand {
	if d.published == nil {
		own := sorted(d.own)
		d.published = append(own[:min(len(own), maxDiagnosisOthers)], d.view.publishedKeys(d.provider.name, maxDiagnosisOthers)...)
	}
	return d.published
}

// said says whose a key is.
func (h *keyAtHand) said() string {
	switch {
	case h.tier == TierPublished && h.trustedFor == AnyProvider:
		return fmt.Sprintf("published as %.128q", h.keyID)
	case h.tier == TierPublished:
		return fmt.Sprintf("published by %.128q as %.128q", h.trustedFor, h.keyID)
	case h.trustedFor == AnyProvider:
		return fmt.Sprintf("held as %.128q for every provider", h.keyID)
	}
	return fmt.Sprintf("held as %.128q for %.128q", h.keyID, h.trustedFor)
}

// atHand returns the keys that a run starts with, in an order that is always the same, the trusted ones first.
func (k *Keyring) atHand() []keyAtHand { return append(sorted(k.trusted), sorted(k.published)...) }

// sorted returns the keys of a set by their addresses.
func sorted(set map[keyAddress]heldKey) []keyAtHand {
	list := make([]keyAtHand, 0, len(set))
	for _, at := range slices.SortedFunc(maps.Keys(set), compareAddresses) {
		list = append(list, keyAtHand{set[at], at.keyID})
	}
	return list
}

// compareAddresses orders by key_id, keys for everyone in front of those of a holder.
func compareAddresses(a, b keyAddress) int {
	c := cmp.Or(cmp.Compare(a.keyID, b.keyID), cmp.Compare(a.holder.OrEmpty(), b.holder.OrEmpty()))
	switch {
	case c != 0 || a.holder == b.holder:
		return c
	case !a.holder.Present():
		return -1
	}
	return 1
}
