package testvectors

// A Cause is one bug that implementations have, and that a near miss shows.
type Cause struct {
	Name    string
	Meaning string // what an implementation with this bug does
}

// Causes returns every cause. The list is closed.
func Causes() []Cause { return causes }

const (
	causeLinkDropped         = "link_dropped"
	causeLinkAdded           = "link_added"
	causeLinkReordered       = "link_reordered"
	causeLinkEdited          = "link_edited"
	causeDigestOfContent     = "digest_of_content"
	causeAbsentEmpty         = "absent_empty_confusion"
	causeOtherProvider       = "other_provider_id"
	causeOtherFrame          = "attestation_of_another_frame"
	causeUTF16Lengths        = "utf16_lengths"
	causeCodePoints          = "code_point_lengths"
	causeLittleEndian        = "little_endian"
	causeFrameMissing        = "frame_missing"
	causeArrivalOrder        = "arrival_order"
	causeUTF16Order          = "utf16_order"
	causeDuplicateLast       = "duplicate_last_leaf_tree"
	causeRFC6962Empty        = "rfc6962_empty_root"
	causePrefixes            = "prefixes_swapped"
	causeOtherKey            = "other_key"
	causePrehashed           = "prehashed"
	causeHexTextSigned       = "hex_text_signed"
	causeBase64              = "base64_signature"
	causeLastDuplicate       = "last_duplicate_wins"
	causeCaseFolded          = "case_folded_members"
	causeEightKeys           = "eight_key_list"
	causeUppercase           = "uppercase_accepted"
	causeShapeUnchecked      = "shape_not_checked"
	causeCountUnchecked      = "count_not_compared"
	causePrecedence          = "precedence_swapped"
	causeContentUnchecked    = "content_not_checked"
	causeWindowIgnored       = "window_ignored"
	causeIssuedAt            = "issued_at_used"
	causeLocalIDInCommitment = "local_id_in_commitment"
	causeWholeFile           = "whole_file_fallback"
	causeRepaired            = "text_repaired"
	causeTrailing            = "trailing_bytes_ignored"
	causeEnded               = "reading_ended_at_fault"
	causePassedOver          = "record_passed_over"
	causeTierIgnored         = "tier_ignored"
	causePublishedFirst      = "published_key_preferred"
	causePartAsWhole         = "part_judged_as_whole"
	causeNumbersRounded      = "numbers_rounded"
)

var causes = []Cause{
	{causeLinkDropped, "leaves a provenance link out of the chain"},
	{causeLinkAdded, "hashes a provenance link that the frame does not carry"},
	{causeLinkReordered, "hashes the links in another order than the one carried"},
	{causeLinkEdited, "hashes another link, or another field of one, than the frame carries"},
	{causeDigestOfContent, "commits to the digest that it computes of the content instead of the content_digest that is declared"},
	{causeAbsentEmpty, "takes an absent member and an empty string for the same"},
	{causeOtherProvider, "commits under another provider's name"},
	{causeOtherFrame, "takes what was signed for one frame for another one"},
	{causeUTF16Lengths, "counts the length of a string in UTF-16 units"},
	{causeCodePoints, "counts the length of a string in code points"},
	{causeLittleEndian, "writes lengths with the low byte first"},
	{causeFrameMissing, "builds the tree over fewer frames than were carried"},
	{causeArrivalOrder, "takes frames as leaves in the order in which they arrived"},
	{causeUTF16Order, "compares strings as UTF-16 units"},
	{causeDuplicateLast, "pairs the last node of a level with itself where it has no neighbour"},
	{causeRFC6962Empty, "takes the hash of nothing for the root of an answer without frames"},
	{causePrefixes, "hashes leaves behind 01 and nodes behind 00"},
	{causeOtherKey, "verifies under another key than the one that is named"},
	{causePrehashed, "signs or verifies a hash of the message"},
	{causeHexTextSigned, "signs or verifies the hexadecimal digits of the message instead of its bytes"},
	{causeBase64, "reads or writes signatures in base64"},
	{causeLastDuplicate, "lets the last of two members of one name win"},
	{causeCaseFolded, "takes members whose names differ in case for the same"},
	{causeEightKeys, "declines the eight published keys of small order instead of every encoding of one"},
	{causeUppercase, "takes uppercase hexadecimal digits where lowercase is demanded"},
	{causeShapeUnchecked, "follows the sides that a proof states and does not compare its shape with index and count"},
	{causeCountUnchecked, "does not compare leaf_count with the number of frames carried"},
	{causePrecedence, "judges in another order, so that the second fault names the verdict"},
	{causeContentUnchecked, "does not compare the content with its digest"},
	{causeWindowIgnored, "reads the window of a key and does not apply it"},
	{causeIssuedAt, "compares the window of a key with issued_at, which nothing covers"},
	{causeLocalIDInCommitment, "commits under the local id of a provider instead of the name it declares"},
	{causeWholeFile, "takes the whole file where a range cannot be read"},
	{causeRepaired, "repairs bytes that are no text: a replacement character, a byte order mark that is skipped"},
	{causeTrailing, "judges a value in front of bytes that may not stand behind it"},
	{causeEnded, "reads nothing behind the first record that cannot be read"},
	{causePassedOver, "passes over a record that cannot be read, as if it were a message of another type"},
	{causeTierIgnored, "calls evidence good whatever tier of key the policy demands"},
	{causePublishedFirst, "asks for a published key in front of the trusted one"},
	{causePartAsWhole, "judges a retained part of an answer as if it were all of it"},
	{causeNumbersRounded, "takes a number with a fraction, an exponent or a sign for the integer of that value"},
}

func isCause(name string) bool {
	for _, c := range causes {
		if c.Name == name {
			return true
		}
	}
	return false
}
