package testvectors

import "contextgraphprotocol.org/cgp-attest/archive"

// Causes of near misses. They are those of package archive: what verify --diagnose names and what a near miss comes from is one
// closed list.
const (
	causeLinkDropped         = string(archive.CauseLinkDropped)
	causeLinkAdded           = string(archive.CauseLinkAdded)
	causeLinkReordered       = string(archive.CauseLinkReordered)
	causeLinkEdited          = string(archive.CauseLinkEdited)
	causeDigestOfContent     = string(archive.CauseDigestOfContent)
	causeAbsentEmpty         = string(archive.CauseAbsentEmptyConfusion)
	causeOtherProvider       = string(archive.CauseOtherProviderID)
	causeOtherFrame          = string(archive.CauseAttestationOfAnotherFrame)
	causeUTF16Lengths        = string(archive.CauseUTF16Lengths)
	causeCodePoints          = string(archive.CauseCodePointLengths)
	causeLittleEndian        = string(archive.CauseLittleEndian)
	causeFrameMissing        = string(archive.CauseFrameMissing)
	causeArrivalOrder        = string(archive.CauseArrivalOrder)
	causeUTF16Order          = string(archive.CauseUTF16Order)
	causeDuplicateLast       = string(archive.CauseDuplicateLastLeafTree)
	causeRFC6962Empty        = string(archive.CauseRFC6962EmptyRoot)
	causePrefixes            = string(archive.CausePrefixesSwapped)
	causeOtherKey            = string(archive.CauseOtherKey)
	causePrehashed           = string(archive.CausePrehashed)
	causeHexTextSigned       = string(archive.CauseHexTextSigned)
	causeBase64              = string(archive.CauseBase64Signature)
	causeLastDuplicate       = string(archive.CauseLastDuplicateWins)
	causeCaseFolded          = string(archive.CauseCaseFoldedMembers)
	causeEightKeys           = string(archive.CauseEightKeyList)
	causeUppercase           = string(archive.CauseUppercaseAccepted)
	causeShapeUnchecked      = string(archive.CauseShapeNotChecked)
	causeCountUnchecked      = string(archive.CauseCountNotCompared)
	causePrecedence          = string(archive.CausePrecedenceSwapped)
	causeContentUnchecked    = string(archive.CauseContentNotChecked)
	causeWindowIgnored       = string(archive.CauseWindowIgnored)
	causeIssuedAt            = string(archive.CauseIssuedAtUsed)
	causeLocalIDInCommitment = string(archive.CauseLocalIDInCommitment)
	causeWholeFile           = string(archive.CauseWholeFileFallback)
	causeRepaired            = string(archive.CauseTextRepaired)
	causeTrailing            = string(archive.CauseTrailingBytesIgnored)
	causeEnded               = string(archive.CauseReadingEndedAtFault)
	causePassedOver          = string(archive.CauseRecordPassedOver)
	causeTierIgnored         = string(archive.CauseTierIgnored)
	causePublishedFirst      = string(archive.CausePublishedKeyPreferred)
	causePartAsWhole         = string(archive.CausePartJudgedAsWhole)
	causeNumbersRounded      = string(archive.CauseNumbersRounded)
	causeFrameAdded          = string(archive.CauseFrameAdded)
)

// isCause reports whether a near miss may come from the cause of this name. That nothing explains it is no cause.
func isCause(name string) bool {
	for _, e := range archive.Explain(name) {
		if e.Set == "causes" && name != string(archive.CauseNone) {
			return true
		}
	}
	return false
}
