package archive

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// Policy is what a run demands of a frame before it calls it good, and which frames it looks at. The zero value demands the
// Keyring's default level, with content compared, of every frame.
type Policy struct {
	// Require is the lowest tier that is good; "" is the Keyring's default level.
	Require Level
	// AllowIdentityOnly waives the content condition for frames that declare no digest. It never lowers the tier.
	AllowIdentityOnly bool
	// AllowOpaqueDigest waives the content condition for digests that are not in D1 form. It never lowers the tier.
	AllowOpaqueDigest bool
	// Provider is the declared name to compute commitments under, whatever the input says.
	Provider commitment.Optional
	// LocalID is the id to look up trust under; absent: the declared name.
	LocalID commitment.Optional
	// LocalIDFromArchive takes each archive line's own local_id where it has one. Whoever can write the archive chooses it.
	LocalIDFromArchive bool
	// ReceivedAt is the instant that windows of keys are compared with, and where it comes from. With InstantFromArchive each
	// archive line's own received_at counts, which whoever can write the archive chooses, and Instant is not used. "" is
	// InstantFromClock. An instant that is zero is in no window: set it where Keyring.HasWindows.
	ReceivedAt ReceivedAt
	// Retained judges every answer as a retained subset: the frames carried may be fewer than were signed. A record of the
	// format cgp-evidence/1 is one whatever this says.
	Retained bool
	// SourceRoots names what Verifier.Files reads, for the report; empty where no file is read again.
	SourceRoots []string
	// Frames selects frames by frame_id; nil selects all. An empty id is an id.
	Frames []string

	// plain judges everything in the plain way, which is slower and has to come to the same, as tests demand: no record is passed
	// by the short cut or handed on before it is judged, results are read when the whole record has been, every proof is walked.
	plain bool
}

// receipt returns the instant that the windows of keys are compared with for the answer of a record, and in words why there is
// none.
func (p *Policy) receipt(rec *record) (at ReceivedAt, fault string) {
	at = p.ReceivedAt
	if at.Source != InstantFromArchive {
		if at.Instant.IsZero() {
			fault = "no instant of receipt was given to compare the key's window with"
		}
		return at, fault
	}
	at.Instant = commitment.Instant{}
	text, recorded := rec.receivedAt.Text()
	if !recorded {
		return at, "the record states no received_at to compare the key's window with"
	}
	instant, err := commitment.ParseInstant(text)
	if err != nil {
		return at, fmt.Sprintf("received_at of the record: %v", err)
	}
	at.Instant = instant
	return at, ""
}

// contentSuffices reports whether a frame's content was compared, or the policy waives the comparison. Nothing waives a
// mismatch, nor content that is missing under a digest in D1 form.
func (p *Policy) contentSuffices(digest commitment.Optional, c Content) bool {
	if c == ContentMatch {
		return true
	}
	if c == ContentMismatch {
		return false
	}
	text, declared := digest.Text()
	if !declared {
		return p.AllowIdentityOnly
	}
	if _, err := commitment.ParseDigest(text); err != nil {
		return p.AllowOpaqueDigest
	}
	return false
}

// classOf turns a frame's state into its class. best is the best evidence state that verifies.
func (p *Policy) classOf(f *Frame, best State) Class {
	switch f.State {
	case StateMalformedFrame:
		return ClassUnreadable
	case StateInvalid, StateContentMismatch:
		return ClassNegative
	case StateAttested, StatePinned, StateConstructed, StateIdentityOnly:
		if p.Require.admits(best) && p.contentSuffices(f.ContentDigest, f.Content) {
			return ClassGood
		}
	}
	return ClassUnchecked
}

// classOfEmpty turns the state of an answer without frames into its class.
func (p *Policy) classOfEmpty(s State) Class {
	switch {
	case s == StateInvalid:
		return ClassNegative
	case p.Require.admits(s):
		return ClassGood
	}
	return ClassUnchecked
}

// answerClass is the class of an answer: the worst of its frames, of one without frames that of its state, and negative where
// a finding of severity error stands.
func (p *Policy) answerClass(a *Answer) Class {
	class := ClassGood
	if len(a.Frames) == 0 {
		class = p.classOfEmpty(a.EmptyState())
	}
	for i := range a.Frames {
		class = worse(class, a.Frames[i].Class)
	}
	for i := range a.Findings {
		if a.Findings[i].Severity == SeverityError {
			class = ClassNegative
		}
	}
	return class
}

// worse returns the worse of two classes: negative before unreadable before unchecked before good.
func worse(a, b Class) Class {
	if badness(b) > badness(a) {
		return b
	}
	return a
}

func badness(c Class) int {
	switch c {
	case ClassNegative:
		return 3
	case ClassUnreadable:
		return 2
	case ClassGood:
		return 0
	}
	return 1
}
