package archive

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// Rule names why something may not be signed. The set is closed.
type Rule string

const (
	RuleMissingDigest         Rule = "missing_digest"
	RuleContentMismatch       Rule = "content_mismatch"
	RuleOpaqueDigest          Rule = "opaque_digest"
	RuleReferenceFrame        Rule = "reference_frame"
	RuleFullFrame             Rule = "full_frame"
	RuleCompactFrame          Rule = "compact_frame"
	RuleUnknownRepresentation Rule = "unknown_representation"
	RuleMalformedFrame        Rule = "malformed_frame"
	RuleEmptyFrameID          Rule = "empty_frame_id"
	RuleAmbiguousOrder        Rule = "ambiguous_order"
	RuleAlreadySigned         Rule = "already_signed"
	RuleEmptyAnswer           Rule = "empty_answer"
	RuleRetainedSubset        Rule = "retained_subset"
	RuleTwoProviders          Rule = "two_providers"
	RuleKeyConflict           Rule = "key_conflict"
	RuleMalformedKeys         Rule = "malformed_attester_keys"
	RuleWeakKey               Rule = "weak_key"
	RuleSignerMismatch        Rule = "signer_mismatch"
	RuleOverLimit             Rule = "over_limit"
)

// rules is the table of refusals: the rule of the protocol behind each, where there is one, and what to do.
var rules = map[Rule]struct{ cites, hint string }{
	RuleMissingDigest: {"CGP F14",
		"declare the SHA-256 of the content as content_digest; --fill-digests inserts it for frames with inline content"},
	RuleContentMismatch: {"CGP D1",
		"one of the two was changed after the other was made: find out which, and sign what the provider serves"},
	RuleOpaqueDigest: {"CGP D1",
		"declare sha256: and the SHA-256 of the content in 64 lowercase hexadecimal digits, so that a reader can compare it"},
	RuleReferenceFrame: {"CGP F14, P3",
		"sign answers whose frames are full or compact, and serve reference frames in answers of their own"},
	RuleFullFrame: {"CGP P1",
		"a full frame has inline content, and no content_ref, transform or canonical_content_hash"},
	RuleCompactFrame: {"CGP P2",
		"a compact frame has inline content, content_digest, canonical_content_hash, transform and content_ref"},
	RuleUnknownRepresentation: {"CGP P1-P3",
		"a representation is full, compact or reference; without the member a frame is full"},
	RuleMalformedFrame: {"",
		"repair the frame: it has no commitment, so neither it nor the answer around it can be signed"},
	RuleEmptyFrameID: {"CGP §6.3",
		"give the frame an id: evidence names its frame by it"},
	RuleAmbiguousOrder: {"CGP §6.3",
		"give one of the frames another id: the signed root would depend on the order in which they arrived"},
	RuleAlreadySigned: {"",
		"sign the answer as it was before it was signed, or replace its evidence with --replace"},
	RuleEmptyAnswer: {"",
		"an answer without frames can be signed in the shape root, which signs the empty root"},
	RuleRetainedSubset: {"CGP F12, F13",
		"sign the complete answer: its frames are what a root is made over"},
	RuleTwoProviders: {"",
		"name the provider whose answers are to be signed with --provider"},
	RuleKeyConflict: {"CGP §6.5.4",
		"sign under a new key_id: rotation is a new key_id, never a reused one"},
	RuleMalformedKeys: {"CGP §6.5.4",
		"repair attester_keys: it is an array of objects with key_id, algorithm and public_key"},
	RuleWeakKey: {"CGP §6.5.4",
		"make a new key: no strict verifier takes a signature under this one"},
	RuleSignerMismatch: {"CGP §6.5.4",
		"find out which key the signer used: its signature does not verify under the public key that it gave"},
	RuleOverLimit: {"",
		"sign without inclusion proofs, or serve fewer frames in one answer: with its evidence it would be unreadable"},
}

// Rules returns every rule.
func Rules() []Rule {
	return slices.Sorted(maps.Keys(rules))
}

// Hint says what helps against a refusal.
func (r Rule) Hint() string { return rules[r].hint }

// A Refusal says what may not be signed, and by which rule.
type Refusal struct {
	Rule     Rule
	Source   string
	Record   uint64              // from 1; 0 where the whole input is refused
	Offset   int64               // where the record starts
	ID       commitment.Optional // of the answer
	Position int                 // of the frame, from 0; -1 for none
	FrameID  commitment.Optional
	Detail   string // what was found, and what is wanted
	Err      error  // the cause, for a key or a signer
}

// Error names the record and the frame, the rule and what was found.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString("archive: refused to sign")
	if r.Source != "" {
		fmt.Fprintf(&b, " %s", r.Source)
	}
	if r.Record > 0 {
		fmt.Fprintf(&b, ", record %d at byte %d", r.Record, r.Offset)
	}
	if r.Position >= 0 {
		fmt.Fprintf(&b, ", frame %d %.128q", r.Position, r.FrameID.OrEmpty())
	}
	fmt.Fprintf(&b, ": %s: %s", r.Rule, r.Detail)
	if cites := rules[r.Rule].cites; cites != "" {
		fmt.Fprintf(&b, " (%s)", cites)
	}
	return b.String()
}

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// refuse makes a refusal of a record; the zero place is the whole input.
func (s *signing) refuse(rule Rule, at recordPlace, format string, args ...any) *Refusal {
	return &Refusal{
		Rule: rule, Source: s.opt.Source, Record: at.number, Offset: at.offset, ID: at.id, Position: -1,
		Detail: fmt.Sprintf(format, args...),
	}
}

// refuseFrame makes a refusal of a frame of an answer.
func (s *signing) refuseFrame(rule Rule, a *signable, position int, format string, args ...any) *Refusal {
	r := s.refuse(rule, a.recordPlace, format, args...)
	r.Position, r.FrameID = position, commitment.Some(a.answer.frames[position].ID)
	return r
}

func (s *signing) refuseProviders() *Refusal {
	which := "and none was named"
	if name, given := s.opt.Provider.Text(); given {
		which = fmt.Sprintf("and none is %.128q", name)
	}
	return s.refuse(RuleTwoProviders, recordPlace{}, "its handshake_acks declare %d providers, among them %.128q and %.128q, %s",
		len(s.names), s.names[0], s.names[1], which)
}

// judgeSignable returns why an answer may not be signed, nil where it may. With FillDigests its frames then hold the digests
// that are going to be inserted.
func (s *signing) judgeSignable(a *signable) *Refusal {
	if a.answer == nil {
		return s.refuse(RuleRetainedSubset, a.recordPlace, "the record is a %s, a part of an answer that was signed whole", FormatEvidence)
	}
	if !s.opt.Replace {
		for _, name := range []string{memberEntries, memberRoot} {
			if a.result.has(name) {
				return s.refuse(RuleAlreadySigned, a.recordPlace, "the answer carries %s", name)
			}
		}
	}
	if len(a.answer.frames) == 0 && s.opt.Shape == ShapeFrames {
		return s.refuse(RuleEmptyAnswer, a.recordPlace, "the answer has no frames, and the shape frames signs nothing else")
	}
	if s.opt.FillDigests {
		a.fillDigests()
	}
	a.commitments = commit(a.answer, s.result.Provider)
	for i := range a.answer.frames {
		if f := a.commitments.faults[i]; f.found() {
			return s.refuseFrame(RuleMalformedFrame, a, i, "%s", f.detail)
		}
		if rule, detail := s.judgeFrame(&a.answer.frames[i]); rule != "" {
			return s.refuseFrame(rule, a, i, "%s", detail)
		}
	}
	return s.judgeOrder(a)
}

// fillDigests declares the digests that are to be inserted.
func (a *signable) fillDigests() {
	for i := range a.answer.frames {
		f := &a.answer.frames[i]
		content, inline := f.content.Text()
		if !inline || f.ContentDigest.Present() {
			continue
		}
		f.ContentDigest = commitment.Some(commitment.ContentDigest(content).String())
		a.filled = append(a.filled, i)
	}
}

// judgeFrame returns the first rule that a frame with a commitment breaks, and how.
func (s *signing) judgeFrame(f *frame) (Rule, string) {
	representation, named := f.representation.Text()
	switch {
	case f.ID == "":
		return RuleEmptyFrameID, "the frame's id is empty"
	case representation == representationReference:
		return RuleReferenceFrame, "a reference frame may not declare a content_digest, and without one a frame may not be signed"
	case !f.ContentDigest.Present():
		return RuleMissingDigest, "the frame declares no content_digest"
	case !named, representation == representationFull:
		if wrong := brokenFull(f); wrong != "" {
			return RuleFullFrame, "a full frame " + wrong
		}
	case representation == representationCompact:
		if wrong := brokenCompact(f); wrong != "" {
			return RuleCompactFrame, "a compact frame " + wrong
		}
	default:
		return RuleUnknownRepresentation, fmt.Sprintf("nothing is known of a representation %.64q", representation)
	}
	switch compareContent(f, new([]byte)) {
	case ContentMatch:
		return "", ""
	case ContentOpaque:
		if s.opt.AllowOpaqueDigest {
			return "", ""
		}
		return RuleOpaqueDigest, fmt.Sprintf("content_digest is %.128q, want sha256: and 64 lowercase hexadecimal digits",
			f.ContentDigest.OrEmpty())
	}
	return RuleContentMismatch, fmt.Sprintf("content_digest is %s, the content's is %s",
		f.ContentDigest.OrEmpty(), commitment.ContentDigest(f.content.OrEmpty()))
}

// brokenFull says how a frame breaks CGP P1, "" where it does not.
func brokenFull(f *frame) string {
	switch {
	case !f.content.Present():
		return "without content"
	case f.members.contentRef:
		return "with content_ref"
	case f.members.transform:
		return "with transform"
	case f.members.canonicalHash:
		return "with canonical_content_hash"
	}
	return ""
}

// brokenCompact says how a frame breaks CGP P2, "" where it does not. That a digest is there was judged before.
func brokenCompact(f *frame) string {
	switch {
	case !f.content.Present():
		return "without content"
	case !f.members.canonicalHash:
		return "without canonical_content_hash"
	case !f.members.transform:
		return "without transform"
	case !f.members.contentRef:
		return "without content_ref"
	}
	return ""
}

// judgeOrder refuses frames with equal identities and different commitments.
func (s *signing) judgeOrder(a *signable) *Refusal {
	order := a.commitments.order
	for k := 1; k < len(order); k++ {
		i, j := order[k-1], order[k]
		f, g := &a.answer.frames[i], &a.answer.frames[j]
		if f.ID == g.ID && f.ContentDigest == g.ContentDigest && a.commitments.of[i] != a.commitments.of[j] {
			return s.refuseFrame(RuleAmbiguousOrder, a, j,
				"the frame has the id and content_digest of frame %d and another provenance", i)
		}
	}
	return nil
}

// publishKey adds the key to the provider's acknowledgements. Where nothing is signed it says nothing of a key.
func (s *signing) publishKey() error {
	if !s.opt.PublishKey || len(s.answers) == 0 {
		return nil
	}
	for _, a := range s.acks {
		if err := s.publishIn(a, s.signer.KeyID(), s.signer.PublicKey()); err != nil {
			return err
		}
	}
	return nil
}
