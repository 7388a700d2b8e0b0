package archive

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// place says where in an answer a finding stands.
type place struct {
	entry, position int
	frameID         commitment.Optional
}

// nowhere is the place of a finding about the whole answer.
func nowhere() place { return place{entry: -1, position: -1} }

func (j *judge) find(code FindingCode, at place, format string, args ...any) {
	j.out.Findings = append(j.out.Findings, Finding{
		Code: code, Severity: code.Severity(), Detail: fmt.Sprintf(format, args...),
		Entry: at.entry, Position: at.position, FrameID: at.frameID,
	})
}

// reportAnswer adds the findings that need the whole judgement.
func (j *judge) reportAnswer() {
	j.reportProvider()
	j.reportKeys()
	j.reportRoot()
	if f := j.a.entriesFault; f.found() {
		j.find(FindingMalformedEntry, nowhere(), "%s", f.detail)
	}
	if j.a.envelopeEvidence != "" {
		j.find(FindingEnvelopeAttestationsIgnored, nowhere(),
			"%s stands on the envelope, where no evidence is read: it belongs on the result", j.a.envelopeEvidence)
	}
	j.reportAmbiguousOrder()
	j.reportRetained()
	j.reportIssuedAt(place{entry: -1, position: -1}, &j.a.root)
	for n := range j.a.entries {
		e := &j.a.entries[n]
		at := place{entry: n, position: -1}
		if e.frame.usable() {
			at.frameID = commitment.Some(e.frame.value.FrameID)
			if !e.attestation.present && !e.proof.present {
				j.find(FindingEmptyEntry, at, "the entry has neither an attestation nor an inclusion proof and asserts nothing")
			}
		}
		j.reportIssuedAt(at, e.attestation)
	}
	for i := range j.out.Frames {
		j.reportFrame(i)
	}
}

func (j *judge) reportProvider() {
	switch {
	case j.provider.source == ProviderFromNone:
		j.find(FindingProviderUnknown, nowhere(),
			"no handshake_ack precedes this answer and its entries do not name one provider: name it with --provider")
	case j.provider.mismatch != "":
		j.find(FindingProviderMismatch, nowhere(),
			"the evidence was made under the name %.128q, which no preceding handshake_ack declares (the newest declares %.128q): "+
				"if that is the provider, say so with --provider", j.provider.mismatch, j.provider.name)
	}
	if !j.verifiedUnderTrust() || j.localID == j.provider.name {
		return
	}
	j.find(FindingDeclaredNameDiffers, nowhere(),
		"trusted as %.128q, the provider declares the name %.128q", j.localID, j.provider.name)
}

// verifiedUnderTrust reports whether some evidence verified under a key trusted for this local id.
func (j *judge) verifiedUnderTrust() bool {
	trusted := func(s State, tier Tier, holder string) bool {
		return s.Verifies() && tier != TierPublished && holder == j.localID
	}
	if r := j.out.Root; r != nil && trusted(r.State, r.Tier, r.TrustedFor) {
		return true
	}
	for i := range j.out.Frames {
		for _, ev := range j.out.Frames[i].Evidence {
			if trusted(ev.State, ev.Tier, ev.TrustedFor) {
				return true
			}
		}
	}
	return false
}

// reportKeys names published keys that cannot be read, and those that an answer uses and that changed under one key_id.
func (j *judge) reportKeys() {
	j.faultsAt = len(j.out.Findings)
	for _, f := range j.ownFaults {
		j.find(FindingMalformedPublishedKey, nowhere(), "in the record itself: %s", f.detail)
	}
	seen := make(map[string]bool)
	check := func(at place, att *piece[sign.Attestation]) {
		if id := att.value.KeyID; att.usable() && !seen[id] {
			seen[id] = true
			j.reportConflict(at, id)
		}
	}
	check(nowhere(), &j.a.root)
	for n := range j.a.entries {
		check(place{entry: n, position: -1}, j.a.entries[n].attestation)
	}
}

func (j *judge) reportConflict(at place, keyID string) {
	trusted, isTrusted := j.keys.trustedUnder(j.localID, keyID)
	given, isGiven := j.keys.publishedUnder(j.provider.name, keyID)
	own, isOwn := j.own[addressOf(j.provider.name, keyID)]
	inSession, isInSession := j.view.published(j.provider.name, keyID)
	differ := func(a, b heldKey) bool { return a.key.PublicKey() != b.key.PublicKey() }
	switch {
	case isTrusted && (isGiven && differ(trusted, given) || isOwn && differ(trusted, own) || isInSession && differ(trusted, inSession)):
		j.find(FindingPublishedKeyConflict, at, "key_id %.128q is published with other bytes than the trusted key has", keyID)
	case isGiven && given.conflict || isOwn && own.conflict || isInSession && inSession.conflict:
		j.find(FindingPublishedKeyConflict, at,
			"key_id %.128q was published with different bytes, the latest count: rotation is a new key_id", keyID)
	case isGiven && isInSession && differ(given, inSession), isGiven && isOwn && differ(given, own):
		j.find(FindingPublishedKeyConflict, at, "key_id %.128q is published in the input with other bytes than in the given keys", keyID)
	case isOwn && isInSession && differ(own, inSession):
		j.find(FindingPublishedKeyConflict, at, "key_id %.128q is published in the record with other bytes than in front of it", keyID)
	}
}

func (j *judge) reportRoot() {
	r := j.out.Root
	if r == nil {
		return
	}
	switch {
	case r.State == StateInvalid && r.Verdict == sign.CommitmentMismatch:
		j.find(FindingRootMismatch, nowhere(),
			"the root over the %s carried is %s, the signed root is %s",
			counted(uint64(len(j.a.frames)), "frame", "frames"), r.Recomputed, r.Signed)
	case r.State == StateInvalid:
		j.find(FindingInvalidEvidence, nowhere(), "the result attestation is %s: %s", r.Verdict, r.Detail)
	case !r.State.Verifies() && j.verified:
		j.find(FindingUncheckedEvidence, nowhere(), "the result attestation is %s%s", r.State, because(r.Detail))
	}
}

// reportAmbiguousOrder names frames whose triples are equal and whose commitments are not: the root depends on the order of
// arrival.
func (j *judge) reportAmbiguousOrder() {
	order := j.commitments.order
	for k := 1; k < len(order); k++ {
		a, b := order[k-1], order[k]
		fa, fb := &j.a.frames[a], &j.a.frames[b]
		if fa.ID == fb.ID && fa.ContentDigest == fb.ContentDigest && j.commitments.of[a] != j.commitments.of[b] {
			j.find(FindingAmbiguousOrder, j.at(b),
				"frames %d and %d have equal identities and different commitments: the root depends on their order", a, b)
		}
	}
}

func (j *judge) reportIssuedAt(at place, p *piece[sign.Attestation]) {
	if !p.usable() {
		return
	}
	if _, err := commitment.ParseInstant(p.value.IssuedAt); err != nil {
		j.find(FindingMalformedIssuedAt, at, "issued_at (a claim that nothing covers): %v", err)
	}
}

func (j *judge) at(position int) place {
	return place{entry: -1, position: position, frameID: commitment.Some(j.out.Frames[position].FrameID)}
}

func (j *judge) reportFrame(i int) {
	in, f := &j.a.frames[i], &j.out.Frames[i]
	at := j.at(i)
	if in.evidenceInside != "" {
		j.find(FindingAttestationInsideFrame, at, "the frame has a member %s, where no evidence is read", in.evidenceInside)
	}
	switch {
	case f.Content == ContentMismatch:
		j.find(FindingContentMismatch, at, "the content's digest is %s, the frame declares %s",
			commitment.ContentDigest(in.content.OrEmpty()), f.ContentDigest.OrEmpty())
	case f.Content == ContentOpaque:
		j.find(FindingOpaqueDigest, at, "content_digest %.128q is not sha256: and 64 lowercase hex digits, so the content cannot be compared",
			f.ContentDigest.OrEmpty())
	case f.Content == ContentAbsent && f.ContentDigest.Present() && best(f.Evidence) != "":
		j.find(FindingUncomparedContent, at, "a digest is declared and signed, but no content stands in the frame")
	}
	if in.fileNoDigest > 0 {
		j.find(FindingFileLinkWithoutDigest, at, "%s no digest of the form sha256: and 64 lowercase hex digits", counted(uint64(in.fileNoDigest), "file link has", "file links have"))
	}
	for k := range f.Evidence {
		j.reportEvidence(at, &f.Evidence[k])
	}
}

// reportEvidence names evidence that is wrong, and evidence that could not be checked beside some that verifies. The root
// is reported once an answer.
func (j *judge) reportEvidence(at place, ev *Evidence) {
	if ev.Kind == KindRoot {
		return
	}
	at.entry = ev.Entry
	switch {
	case ev.State == StateInvalid && !j.tell(ev):
	case ev.State == StateInvalid:
		j.find(FindingInvalidEvidence, at, "%s evidence is %s%s", ev.Kind, ev.Verdict, because(ev.Detail))
	case !ev.State.Verifies() && j.verified && ev.Kind != KindEntry:
		j.find(FindingUncheckedEvidence, at, "%s evidence is %s%s", ev.Kind, ev.State, because(ev.Detail))
	}
}

// tell reports whether a piece of evidence has not been told of yet. Frames that share an entry share its evidence.
func (j *judge) tell(ev *Evidence) bool {
	at := evidenceAt{ev.Kind, ev.Entry}
	if j.told[at] {
		return false
	}
	if j.told == nil {
		j.told = make(map[evidenceAt]bool)
	}
	j.told[at] = true
	return true
}

func because(detail string) string {
	if detail == "" {
		return ""
	}
	return ": " + detail
}
