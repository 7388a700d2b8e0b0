package archive

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// refusedBy is what the tables of refusals do not say of a rule: what was found, and what usually leads to it.
type refusedBy struct{ found, cause string }

// signRules is what the rules of sign mean. What each cites, and what helps, stands in rules.
var signRules = []struct {
	rule Rule
	refusedBy
}{
	{RuleMissingDigest, refusedBy{
		"A frame declares no content_digest, so a signature would bind it to no content.",
		"a provider that computes no digests: the protocol leaves them out of unsigned frames"}},
	{RuleContentMismatch, refusedBy{
		"A frame's inline content is not what its content_digest says.",
		"content that was edited, or whose line ends or encoding were changed, after the digest was made"}},
	{RuleOpaqueDigest, refusedBy{
		"A frame's content_digest is not sha256: and 64 lowercase hexadecimal digits, so nobody can compare the content with it.",
		"a digest of another algorithm, in uppercase or in base64"}},
	{RuleReferenceFrame, refusedBy{
		"The answer holds a frame of representation reference, which may carry no content_digest; every signed frame must.",
		"an answer that mixes frames with content and references to it"}},
	{RuleFullFrame, refusedBy{
		"A full frame lacks inline content, or has a member that only other representations have.",
		"a representation that was left out: without the member a frame is full"}},
	{RuleCompactFrame, refusedBy{
		"A compact frame lacks one of the members that make it one.",
		"a provider that shortens content and does not say of what"}},
	{RuleUnknownRepresentation, refusedBy{
		"A frame's representation is none that the protocol has.",
		"another spelling: names are compared exactly"}},
	{RuleMalformedFrame, refusedBy{
		"A frame lacks its id, or a member that enters the commitment has the wrong type.",
		"a provenance link without type, or a number where a string is wanted"}},
	{RuleEmptyFrameID, refusedBy{
		"A frame's id is the empty string.",
		"a template that was not filled in"}},
	{RuleAmbiguousOrder, refusedBy{
		"Two frames have one identity and different commitments, so the root would depend on which stands first.",
		"one id given to two excerpts of a source, with provenance that differs"}},
	{RuleAlreadySigned, refusedBy{
		"The answer carries evidence already, and nobody asked to replace it.",
		"sign that was run on its own output"}},
	{RuleEmptyAnswer, refusedBy{
		"The answer has no frames, and the shape frames has nothing to sign in it.",
		"a query without a hit"}},
	{RuleRetainedSubset, refusedBy{
		"The record is a part of an answer that was signed whole (cgp-evidence/1): it has no root of its own.",
		"what retain wrote, given to sign"}},
	{RuleTwoProviders, refusedBy{
		"The session declares several providers, and nothing says which of them is to sign.",
		"sessions of several providers in one file"}},
	{RuleKeyConflict, refusedBy{
		"The provider publishes another key under the key_id that was given.",
		"a new key under an old key_id"}},
	{RuleMalformedKeys, refusedBy{
		"The attester_keys of the handshake_ack, into which the key was to go, are no list of keys.",
		"a list that was written by hand"}},
	{RuleWeakKey, refusedBy{
		"The key to sign with is one that a strict verifier declines.",
		"a test key of small order"}},
	{RuleSignerMismatch, refusedBy{
		"What the signer returned does not verify under the public key that it gave.",
		"an external signer or an agent that used another key, or hashed the message first"}},
	{RuleOverLimit, refusedBy{
		"With its evidence the record would be over a limit, and no reader would read it.",
		"an answer of very many frames in the shape both"}},
}

// keepRules is what the rules of retain and prove mean.
var keepRules = []struct {
	rule RetainRule
	refusedBy
}{
	{RetainUnsigned, refusedBy{
		"The answer carries no evidence: nothing of it can be proven.",
		"a provider that does not sign, or evidence that was stripped on the way"}},
	{RetainSubset, refusedBy{
		"The record is a part of an answer already (cgp-evidence/1): proofs are made from all frames.",
		"what retain wrote, given to retain or prove again"}},
	{RetainProviderMismatch, refusedBy{
		"The evidence was made under a name that nobody declared in front of the answer.",
		"a session without its handshake_ack, or with that of another provider"}},
	{RetainUnusableRoot, refusedBy{
		"The result attestation lacks a member, or has one of the wrong type.",
		"an answer that was rewritten by something that does not know the format"}},
	{RetainMalformedFrame, refusedBy{
		"A frame has no commitment, so there is no root over the answer.",
		"a provenance link without type, or a number where a string is wanted"}},
	{RetainRootMismatch, refusedBy{
		"The root over the frames carried is not the one that was signed: no proof would lead to it.",
		"a frame that was dropped, added or edited before"}},
	{RetainInvalidEvidence, refusedBy{
		"A signature of the answer, or of a frame that was to be kept, is wrong.",
		"evidence of another answer, or a frame that was edited"}},
	{RetainContentMismatch, refusedBy{
		"The content of a frame that was to be kept is not what its content_digest says.",
		"content that was edited, or whose line ends or encoding were changed"}},
	{RetainUnsignedFrame, refusedBy{
		"A frame that was to be kept has no signature of its own, and nothing else would prove it in what is written.",
		"an answer signed in the shape root, kept with --format envelope"}},
	{RetainOverLimit, refusedBy{
		"With its proofs the subset would be over a limit, and no reader would read it.",
		"very many frames kept at once"}},
}

func signEntries() []Entry {
	entries := make([]Entry, 0, len(signRules))
	for _, r := range signRules {
		known := rules[r.rule]
		entries = append(entries, Entry{
			Code: string(r.rule), Proves: r.found, Causes: []string{r.cause}, Then: sentence(known.hint), Rule: cited(known.cites),
			ProvesNot: "That the other answers of the input are fit to be signed, or that they are not.",
			Next:      "cgp-attest commit FILE",
		})
	}
	return entries
}

func keepEntries() []Entry {
	entries := make([]Entry, 0, len(keepRules))
	for _, r := range keepRules {
		known := retainRules[r.rule]
		entries = append(entries, Entry{
			Code: string(r.rule), Proves: r.found, Causes: []string{r.cause}, Then: sentence(known.hint), Rule: cited(known.cites),
			ProvesNot: "Who changed what: verify says what the answer comes to as it stands.",
			Next:      "cgp-attest verify FILE",
		})
	}
	return entries
}

// sentence makes one of a hint.
func sentence(hint string) string {
	first, size := utf8.DecodeRuneInString(hint)
	return string(unicode.ToUpper(first)) + strings.TrimSuffix(hint[size:], ".") + "."
}

func cited(rule string) string {
	if rule == "" {
		return ownRule
	}
	return rule
}
