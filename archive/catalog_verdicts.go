package archive

import "contextgraphprotocol.org/cgp-attest/sign"

// verdicts is the table of verdicts, in the order in which they apply.
var verdicts = []Entry{
	{
		Code: string(sign.UnknownAlgorithm),
		Proves: "The attestation names an algorithm that this run was not told to check. Nothing else about it was " +
			"judged.",
		ProvesNot: "That the evidence is good, or that it is wrong.",
		Causes: []string{
			"a provider that signs under a scheme which this verifier does not have",
			"a scheme that it has, and that this run was not told to check: all but ed25519 are not defined by contextgraph/1",
			"another spelling: names are compared exactly, and Ed25519 is not ed25519",
			"a rewritten algorithm member: no signature covers it",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "policy.algorithms lists what this run could check. Ask the provider which algorithm it signs with.",
		Rule: "CGP §6.5.4, F8",
	},
	{
		Code: string(sign.MalformedCommitment),
		Proves: "signed_commitment is not sha256: and 64 lowercase hex digits, or the inclusion proof cannot be one " +
			"for the leaf that it states: its index, its count, its number of steps, a side or a sibling is wrong. " +
			"No signature was checked.",
		ProvesNot: "Who damaged it. Other evidence on the same frame is judged on its own.",
		Causes: []string{
			"frames were dropped or added after the proof was made: over a complete answer leaf_count is the number of frames carried",
			"uppercase hex: it is malformed, not equal",
			"a tree that is not the one of RFC 6962, for one that repeats its last leaf",
			"an edited proof",
		},
		Next: "cgp-attest commit FILE",
		Then: "Compare the leaf index of every frame and the number of frames with the entry that the report names.",
		Rule: "CGP §6.5.3, §6.5.4, F5; RFC 6962 §2.1.1",
	},
	{
		Code: string(sign.CommitmentMismatch),
		Proves: "What was signed is not what is in hand: the commitment recomputed from the frame, or the root " +
			"recomputed over the frames or through the proof, differs from signed_commitment. No key was asked for: " +
			"this holds whoever signed.",
		ProvesNot: "Which of the two was changed, nor by whom. The signature was not checked.",
		Causes: []string{
			"the frame's id, its content_digest or a provenance link was edited, or a link dropped, added or moved",
			"for a root: a frame was dropped, added or edited, or the evidence belongs to another answer",
			"the evidence was lifted from another frame",
			"the commitment was computed under another name than the one that the provider declares, such as a host's local id",
			"a signer that takes null for the empty string, or sorts by UTF-16 units instead of bytes",
		},
		Next: "cgp-attest commit --steps FILE",
		Then: "Compare every encoding, chain head and preimage with what the provider computed: the first that " +
			"differs names the cause.",
		Rule: "CGP §6.5.2, §6.5.3, F12",
	},
	{
		Code: string(sign.MalformedKey),
		Proves: "The public key that the attestation names cannot be used: it is not lowercase hex of the right " +
			"length, it encodes no point of the curve or not in the one canonical way, its point has small order, " +
			"or, where one key is given for one attestation, it belongs to another algorithm. No signature was " +
			"checked.",
		ProvesNot: "Anything about the signature. Under a key of small order a signature can verify for messages " +
			"that nobody signed, which is why nothing is tried under one.",
		Causes: []string{
			"a key published in another form: PEM, base64, uppercase hex, or cut short",
			"a placeholder, such as all zeros, or something that is no public key",
			"a weak key planted by someone who could write attester_keys",
		},
		Next: "cgp-attest key show FILE",
		Then: "It says why a strict verifier declines the key. Ask the provider for the right one, by another way " +
			"than this file.",
		Rule: "CGP §6.5.4; RFC 8032 §5.1.3",
	},
	{
		Code:      string(sign.MalformedSignature),
		Proves:    "The signature is not lowercase hex of the length that the algorithm has: 128 digits for ed25519.",
		ProvesNot: "Anything about who signed: nothing could be verified.",
		Causes: []string{
			"base64 or uppercase hex",
			"a signature cut short or padded",
		},
		Next: "cgp-attest check --commitment DIGEST --attestation ATTESTATION --public-key KEY",
		Then: "It repeats the verdict on the one attestation. The provider writes 64 bytes as 128 lowercase hex digits.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(sign.BadSignature),
		Proves: "The signature has the right form, and strict verification over the recomputed commitment declines " +
			"it under the key that the attestation names: S is not below the group order, R is not a canonical " +
			"point or has small order, or the equation does not hold.",
		ProvesNot: "That the frame was altered: signed_commitment is the recomputed one. The key, the signature or " +
			"the key_id is wrong.",
		Causes: []string{
			"it was made with another key than the key_id names",
			"the hex text of the commitment, or a hash of it, was signed instead of its 32 bytes",
			"the key was changed under one key_id: rotation is a new key_id",
			"a bit of the signature was changed",
		},
		Next: "cgp-attest check --commitment DIGEST --attestation ATTESTATION --public-key KEY",
		Then: "Check under the key that the provider says it signed with, and compare its fingerprint with that of " +
			"the key used here.",
		Rule: "CGP §6.5.4; RFC 8032 §5.1.7",
	},
	{
		Code: string(sign.ValidIdentityOnly),
		Proves: "The signature verifies over the frame's commitment, and the frame declares no content_digest: its " +
			"id, the provider's declared name and its provenance are what was signed.",
		ProvesNot: "Anything about the content: other content under the same id and provenance would verify too. " +
			"Whose key it was is said by the evidence state.",
		Causes: []string{
			"a provider that signs frames without content_digest, against F14",
			"a reference frame, which may carry none (P3). A digest removed after signing is commitment_mismatch instead",
		},
		Next: "cgp-attest sign --replace --fill-digests --key KEY --key-id ID FILE",
		Then: "The provider signs again with a digest on every frame that has content.",
		Rule: "CGP §6.5.4, F14, P3",
	},
	{
		Code: string(sign.Valid),
		Proves: "The signature verifies over the commitment recomputed here, which binds the provider's declared " +
			"name and, of the frame, id, content_digest and provenance; or over the root of all such commitments.",
		ProvesNot: "That the key is the provider's: the evidence state says whose it is. That the content has that " +
			"digest: the content state says so. attester_id, issued_at, the query, the order of frames and every " +
			"other member are covered by nothing.",
		Causes: []string{"the evidence was made as specified, and nothing that it covers has changed since"},
		Next:   "cgp-attest verify --format json FILE",
		Then:   "Read state and content of each frame, and not_covered.",
		Rule:   "CGP §6.5.4, F7, F18; RFC 8032 §5.1.7",
	},
}
