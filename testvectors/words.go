package testvectors

// The answers that the cases expect, spelt as they stand in them: cases that took the library's constants would follow a change
// of these and notice nothing.
const (
	unknownAlgorithm    = "unknown_algorithm"
	malformedCommitment = "malformed_commitment"
	commitmentMismatch  = "commitment_mismatch"
	malformedKey        = "malformed_key"
	malformedSignature  = "malformed_signature"
	badSignature        = "bad_signature"
	validIdentityOnly   = "valid_identity_only"
	valid               = "valid"

	contentMatch    = "match"
	contentMismatch = "mismatch"
	opaqueDigest    = "opaque_digest"
	noDigest        = "no_digest"
	noContent       = "no_content"

	malformedFrame  = "malformed_frame"
	rootMismatch    = "root_mismatch"
	malformedRecord = "malformed_record"

	invalidEvidence      = "invalid_evidence"
	publishedKeyConflict = "published_key_conflict"
	attested             = "attested"
	pinned               = "pinned"
	configured           = "configured"
	constructed          = "constructed"
	invalid              = "invalid"
	negative             = "negative"

	inService        = "in_service"
	notYetValid      = "not_yet_valid"
	expired          = "expired"
	malformedInstant = "malformed_instant"
	malformedWindow  = "malformed_window"

	kindAnswer     = "answer"
	kindHandshake  = "handshake"
	kindPassedOver = "passed_over"

	unusable = "unusable"

	unsignableContent = "content_mismatch" // a refusal, spelt as the state of a frame
	providerMismatch  = "provider_mismatch"
	ambiguousOrder    = "ambiguous_order"
	unreadableSource  = "unreadable_source"
	otherKey          = "other_key"

	rangeUnrecognised = "unrecognised"
	rangeInverted     = "inverted"
	rangePastEnd      = "start_past_end"

	encrypted          = "encrypted"
	passphraseMissing  = "passphrase_missing"
	wrongPassphrase    = "wrong_passphrase"
	unsupportedKey     = "unsupported_key"
	malformedFile      = "malformed_file"
	malformedPublished = "malformed_published"

	corruptCompression = "corrupt_compression"
	expansionLimit     = "expansion_limit"
	noProvider         = "no_provider"
	malformedLocalID   = "malformed_local_id"

	byteOrderMark      = "byte_order_mark"
	invalidUTF8        = "invalid_utf8"
	syntax             = "syntax"
	cut                = "cut"
	duplicateMember    = "duplicate_member"
	loneSurrogate      = "lone_surrogate"
	trailingBytes      = "trailing_bytes"
	tooDeep            = "too_deep"
	notAMessage        = "not_a_message"
	unsupportedFormat  = "unsupported_format"
	malformedHandshake = "malformed_handshake"
	tooLarge           = "too_large"
	tooManyFrames      = "too_many_frames"
	tooManyLinks       = "too_many_links"
	missingMember      = "missing_member"
)
