package archive

// Closed sets of the report: every value that a report can hold in one of these places is a constant of this file, spelt
// alike in Go, JSON and docs. The zero value of each is never good.

// Class is what a frame, or a whole answer, comes to under the policy of a run.
type Class string

const (
	ClassGood       Class = "good"       // met the policy
	ClassUnchecked  Class = "unchecked"  // nothing negative, but not proven as the policy demands
	ClassNegative   Class = "negative"   // evidence or content is wrong
	ClassUnreadable Class = "unreadable" // the frame has no commitment
)

// State is what became of one piece of evidence, of a root, or of a frame. Evidence and roots use the first eight.
type State string

const (
	StateAttested        State = "attested"           // verifies under a configured key
	StatePinned          State = "pinned"             // verifies under a pinned key
	StateConstructed     State = "constructed"        // verifies under a merely published key
	StateInvalid         State = "invalid"            // carries a negative verdict
	StateUncheckable     State = "uncheckable"        // unknown algorithm
	StateNoTrustedKey    State = "no_trusted_key"     // nobody holds a key under that key_id
	StateKeyNotInService State = "key_not_in_service" // received outside the key's window
	StateUnusable        State = "unusable"           // cannot be evaluated

	StateContentMismatch State = "content_mismatch" // frames: evidence verifies, the content is not what was signed
	StateIdentityOnly    State = "identity_only"    // frames: evidence verifies, no digest is declared
	StateUnattested      State = "unattested"       // frames and empty answers: no evidence
	StateMalformedFrame  State = "malformed_frame"  // frames: no commitment can be computed
)

// Verifies reports whether evidence in state s verified under some key.
func (s State) Verifies() bool {
	return s == StateAttested || s == StatePinned || s == StateConstructed
}

// Tier is how a key came to be believed.
type Tier string

const (
	TierConfigured Tier = "configured" // a person put it in a trust store or on the command line
	TierPinned     Tier = "pinned"     // trusted on first use
	TierPublished  Tier = "published"  // found in the input or given as published: says nothing about who signed
)

// state is the evidence state of what verifies under a key of tier t.
func (t Tier) state() State {
	switch t {
	case TierConfigured:
		return StateAttested
	case TierPinned:
		return StatePinned
	case TierPublished:
		return StateConstructed
	}
	return StateUnusable
}

// tier is the tier of the key under which evidence in state s verified.
func (s State) tier() Tier {
	switch s {
	case StateAttested:
		return TierConfigured
	case StatePinned:
		return TierPinned
	case StateConstructed:
		return TierPublished
	}
	return ""
}

// Level is the lowest tier that a policy calls good, named by the evidence state it yields.
type Level string

const (
	RequireAttested    Level = "attested"
	RequirePinned      Level = "pinned"
	RequireConstructed Level = "constructed"
)

// rank orders what verifies; 0 does not verify.
func (s State) rank() int {
	switch s {
	case StateAttested:
		return 3
	case StatePinned:
		return 2
	case StateConstructed:
		return 1
	}
	return 0
}

// admits reports whether evidence in state s reaches the level. An unknown level admits nothing.
func (l Level) admits(s State) bool {
	need := State(l).rank()
	return need > 0 && s.rank() >= need
}

// Content is the outcome of comparing a frame's inline content with its content_digest.
type Content string

const (
	ContentMatch    Content = "match"
	ContentMismatch Content = "mismatch"
	ContentOpaque   Content = "opaque_digest" // the digest is not in D1 form
	ContentNoDigest Content = "no_digest"
	ContentAbsent   Content = "no_content" // nothing inline
)

// LinkStatus is what became of a provenance link whose file was read again.
type LinkStatus string

const (
	LinkMatch        LinkStatus = "match"
	LinkMismatch     LinkStatus = "mismatch"
	LinkUnverifiable LinkStatus = "unverifiable" // nothing to compare, or nothing to compare with
	LinkMissing      LinkStatus = "missing"      // the file does not exist
	LinkNotFile      LinkStatus = "not_file"     // of another type than file
)

// LinkReason says why a provenance link is unverifiable.
type LinkReason string

const (
	LinkUnrecognised LinkReason = "unrecognised"   // the range is none of the grammar
	LinkInverted     LinkReason = "inverted"       // the range ends in front of its start
	LinkStartPastEnd LinkReason = "start_past_end" // the range starts past the last line

	LinkNoDigest     LinkReason = "no_digest"
	LinkOpaqueDigest LinkReason = "opaque_digest" // the digest is not in D1 form

	LinkNoURI             LinkReason = "no_uri"
	LinkUnsupportedScheme LinkReason = "unsupported_scheme" // no file: and under no prefix of a source root
	LinkForeignHost       LinkReason = "foreign_host"       // a file of another machine
	LinkUnaddressable     LinkReason = "unaddressable_uri"  // systems would read it in different ways
	LinkOutsideRoots      LinkReason = "outside_roots"
	LinkNotRegular        LinkReason = "not_a_regular_file"
	LinkUnreadable        LinkReason = "unreadable_file"
)

// EvidenceKind says what a piece of evidence is.
type EvidenceKind string

const (
	KindSignature EvidenceKind = "signature" // an entry's attestation over the frame's commitment
	KindInclusion EvidenceKind = "inclusion" // an entry's proof under the result attestation
	KindRoot      EvidenceKind = "root"      // the recomputed root under the result attestation
	KindEntry     EvidenceKind = "entry"     // an entry with neither
)

// Reason says why evidence is unusable, why a key is out of service, or what is wrong with a malformed frame.
type Reason string

const (
	ReasonMissingMember    Reason = "missing_member"    // a required member is missing or null
	ReasonIllTyped         Reason = "ill_typed_member"  // a member has the wrong type or spelling
	ReasonNoSignedRoot     Reason = "no_signed_root"    // a proof without a usable result attestation
	ReasonEmptyEntry       Reason = "empty_entry"       // neither attestation nor proof
	ReasonMalformedFrame   Reason = "malformed_frame"   // a frame beside it has no commitment, so no root can be recomputed
	ReasonProviderUnknown  Reason = "provider_unknown"  // nothing says who answered
	ReasonProviderMismatch Reason = "provider_mismatch" // the evidence was made under a name that nobody declared
	ReasonNotAnObject      Reason = "not_an_object"     // a frame, or a link of it, is not an object
	ReasonFieldTooLong     Reason = "field_too_long"    // a field is longer than the encoding can count

	ReasonNotYetValid      Reason = "not_yet_valid"     // received before the key's window begins
	ReasonExpired          Reason = "expired"           // received after the key's window ended
	ReasonMalformedInstant Reason = "malformed_instant" // there is no instant of receipt to compare the key's window with
	ReasonMalformedWindow  Reason = "malformed_window"  // the key's window ends before it begins
)

// ProviderSource says where the provider of an answer was found.
type ProviderSource string

const (
	ProviderFromFlag      ProviderSource = "flag"
	ProviderFromRecord    ProviderSource = "record"
	ProviderFromEntries   ProviderSource = "entries"
	ProviderFromRoot      ProviderSource = "root"
	ProviderFromHandshake ProviderSource = "handshake"
	ProviderFromNone      ProviderSource = "none"
)

// InstantSource says where the instant of receipt was found.
type InstantSource string

const (
	InstantFromFlag    InstantSource = "flag"
	InstantFromArchive InstantSource = "archive"
	InstantFromClock   InstantSource = "clock"
)

// Severity ranks findings. An error makes the run negative.
type Severity string

const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityNote    Severity = "note"
)

// FindingCode names something in an answer that an auditor must be told.
type FindingCode string

const (
	FindingRootMismatch        FindingCode = "root_mismatch"
	FindingInvalidEvidence     FindingCode = "invalid_evidence"
	FindingContentMismatch     FindingCode = "content_mismatch"
	FindingProvenanceMismatch  FindingCode = "provenance_mismatch"
	FindingContradictingProofs FindingCode = "contradicting_proofs"

	FindingOrphanEntry            FindingCode = "orphan_entry"
	FindingDuplicateEntry         FindingCode = "duplicate_entry"
	FindingEmptyEntry             FindingCode = "empty_entry"
	FindingMalformedEntry         FindingCode = "malformed_entry"
	FindingUncheckedEvidence      FindingCode = "unchecked_evidence"
	FindingAmbiguousOrder         FindingCode = "ambiguous_order"
	FindingProviderUnknown        FindingCode = "provider_unknown"
	FindingProviderMismatch       FindingCode = "provider_mismatch"
	FindingAttestationInsideFrame FindingCode = "attestation_inside_frame"
	FindingPublishedKeyConflict   FindingCode = "published_key_conflict"
	FindingMalformedPublishedKey  FindingCode = "malformed_published_key"
	FindingOpaqueDigest           FindingCode = "opaque_digest"
	FindingUncomparedContent      FindingCode = "uncompared_content"
	FindingMalformedIssuedAt      FindingCode = "malformed_issued_at"
	FindingProvenanceUnchecked    FindingCode = "provenance_unchecked"
	FindingStrippedEvidence       FindingCode = "stripped_evidence"
	FindingDuplicateInput         FindingCode = "duplicate_input"

	FindingDeclaredNameDiffers         FindingCode = "declared_name_differs"
	FindingEnvelopeAttestationsIgnored FindingCode = "envelope_attestations_ignored"
	FindingLeafCountIsAClaim           FindingCode = "leaf_count_is_a_claim"
	FindingFileLinkWithoutDigest       FindingCode = "file_link_without_digest"
)

// ErrorCode names why a source or a record could not be read.
type ErrorCode string

const (
	ErrorUnreadableSource   ErrorCode = "unreadable_source"
	ErrorCorruptCompression ErrorCode = "corrupt_compression"
	ErrorExpansionLimit     ErrorCode = "expansion_limit"
	ErrorByteOrderMark      ErrorCode = "byte_order_mark"
	ErrorInvalidUTF8        ErrorCode = "invalid_utf8"
	ErrorSyntax             ErrorCode = "syntax"
	ErrorCut                ErrorCode = "cut"
	ErrorDuplicateMember    ErrorCode = "duplicate_member"
	ErrorLoneSurrogate      ErrorCode = "lone_surrogate"
	ErrorTrailingBytes      ErrorCode = "trailing_bytes"
	ErrorTooDeep            ErrorCode = "too_deep"
	ErrorTooLarge           ErrorCode = "too_large"
	ErrorTooManyMembers     ErrorCode = "too_many_members"
	ErrorTooManyFrames      ErrorCode = "too_many_frames"
	ErrorTooManyLinks       ErrorCode = "too_many_links"
	ErrorNotAMessage        ErrorCode = "not_a_message"
	ErrorUnsupportedFormat  ErrorCode = "unsupported_format"
	ErrorMalformedRecord    ErrorCode = "malformed_record"
	ErrorMalformedHandshake ErrorCode = "malformed_handshake"
)

// Cause is what would explain that a value is not the one that was signed: what a diagnosis names, and what a near miss of a
// test vector comes from.
type Cause string

const (
	CauseLinkDropped               Cause = "link_dropped"
	CauseLinkAdded                 Cause = "link_added"
	CauseLinkReordered             Cause = "link_reordered"
	CauseLinkEdited                Cause = "link_edited"
	CauseDigestOfContent           Cause = "digest_of_content"
	CauseAbsentEmptyConfusion      Cause = "absent_empty_confusion"
	CauseOtherProviderID           Cause = "other_provider_id"
	CauseAttestationOfAnotherFrame Cause = "attestation_of_another_frame"
	CauseUTF16Lengths              Cause = "utf16_lengths"
	CauseCodePointLengths          Cause = "code_point_lengths"
	CauseLittleEndian              Cause = "little_endian"
	CauseFrameMissing              Cause = "frame_missing"
	CauseFrameAdded                Cause = "frame_added"
	CauseArrivalOrder              Cause = "arrival_order"
	CauseUTF16Order                Cause = "utf16_order"
	CauseDuplicateLastLeafTree     Cause = "duplicate_last_leaf_tree"
	CauseRFC6962EmptyRoot          Cause = "rfc6962_empty_root"
	CauseOtherKey                  Cause = "other_key"
	CausePrehashed                 Cause = "prehashed"
	CauseHexTextSigned             Cause = "hex_text_signed"
	CauseBase64Signature           Cause = "base64_signature"
	CauseLastDuplicateWins         Cause = "last_duplicate_wins"
	CauseCaseFoldedMembers         Cause = "case_folded_members"
	CauseEightKeyList              Cause = "eight_key_list"
	CauseUppercaseAccepted         Cause = "uppercase_accepted"
	CauseShapeNotChecked           Cause = "shape_not_checked"
	CauseCountNotCompared          Cause = "count_not_compared"
	CausePrecedenceSwapped         Cause = "precedence_swapped"
	CauseContentNotChecked         Cause = "content_not_checked"
	CauseWindowIgnored             Cause = "window_ignored"
	CauseIssuedAtUsed              Cause = "issued_at_used"
	CauseLocalIDInCommitment       Cause = "local_id_in_commitment"
	CauseWholeFileFallback         Cause = "whole_file_fallback"
	CausePrefixesSwapped           Cause = "prefixes_swapped"
	CauseNumbersRounded            Cause = "numbers_rounded"
	CauseTextRepaired              Cause = "text_repaired"
	CauseTrailingBytesIgnored      Cause = "trailing_bytes_ignored"
	CauseReadingEndedAtFault       Cause = "reading_ended_at_fault"
	CauseRecordPassedOver          Cause = "record_passed_over"
	CauseTierIgnored               Cause = "tier_ignored"
	CausePublishedKeyPreferred     Cause = "published_key_preferred"
	CausePartJudgedAsWhole         Cause = "part_judged_as_whole"
	CauseNone                      Cause = "none"
)

// Exit codes: the same for every command, and for a report computed from the report alone.
const (
	ExitGood        = 0
	ExitNegative    = 1
	ExitUsage       = 2
	ExitUnchecked   = 3
	ExitUnreadable  = 4
	ExitInternal    = 5
	ExitInterrupted = 130
)
