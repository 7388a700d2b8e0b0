package archive

// evidenceStates is the table of what can become of a piece of evidence or of a root.
var evidenceStates = []Entry{
	{
		Code: string(StateAttested),
		Proves: "It verifies under a key that a person configured for this provider, or for every provider: see " +
			"trusted_for.",
		ProvesNot: "That the content in hand is what was signed: the frame's content is compared on its own. " +
			"attester_id and issued_at are claims that anyone can rewrite.",
		Causes: []string{"the provider signed, and nothing that the signature covers has changed since"},
		Next:   "cgp-attest verify --format json FILE",
		Then:   "trusted_for says for which local id the key is held, unverified_claims what nothing covers.",
		Rule:   "CGP §6.5.4, F18",
	},
	{
		Code: string(StatePinned),
		Proves: "It verifies under a pinned key: one that was trusted because it was the first to be seen for this " +
			"provider.",
		ProvesNot: "That the first one was the provider's own. Nobody compared it by a second way.",
		Causes:    []string{"the same key signed as when it was pinned"},
		Next:      "cgp-attest trust list TRUST",
		Then: "Compare the key's fingerprint with the provider's, by another way than the session, and configure " +
			"the key.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(StateConstructed),
		Proves: "It verifies under a key that was merely published, in the input or in a file given as published: the evidence is " +
			"built as specified. Who signed is not established.",
		ProvesNot: "Whose key it is: whoever can rewrite the answer can rewrite the key beside it and sign again.",
		Causes:    []string{"no key is configured under this key_id, and the provider publishes one in its handshake_ack"},
		Next:      "cgp-attest verify --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then:      "Give the provider's key as you have it from the provider, by another way than this file.",
		Rule:      "CGP §6.5.4",
	},
	{
		Code:      string(StateInvalid),
		Proves:    "It carries a negative verdict, which says what is wrong.",
		ProvesNot: "Who did it, or that other evidence on the same frame is wrong: each piece is judged on its own.",
		Causes: []string{
			"commitment_mismatch: what is in hand is not what was signed",
			"bad_signature: another key signed, or the signature was changed",
			"a malformed signature, key, commitment or proof",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "Read verdict and detail of the evidence, then explain the verdict.",
		Rule: "CGP §6.5.4",
	},
	{
		Code:      string(StateUncheckable),
		Proves:    "It names an algorithm that this run was not told to check: verdict unknown_algorithm.",
		ProvesNot: "That it is good, or that it is wrong.",
		Causes: []string{
			"a signature scheme that this verifier does not have",
			"a misspelt or rewritten algorithm member",
		},
		Next: "cgp-attest explain unknown_algorithm",
		Then: "Ask the provider which algorithm it signs with.",
		Rule: "CGP F8, F9",
	},
	{
		Code: string(StateNoTrustedKey),
		Proves: "Nobody here holds a key under that key_id and algorithm, so the signature was not checked. What " +
			"the attestation states to have signed is what is in hand.",
		ProvesNot: "That anyone signed it: whoever has the frames can compute the value that they must commit to.",
		Causes: []string{
			"the provider's key was not given to this run",
			"it was given under another local id than the answer has here",
			"a key is trusted under that key_id, but for another algorithm",
			"a rewritten key_id: no signature covers it",
		},
		Next: "cgp-attest inspect FILE",
		Then: "It lists the key ids. Give the provider's key, obtained by another way than this file, with " +
			"--public-key LOCAL_ID:KEY_ID=HEX.",
		Rule: "CGP §6.5.4, F9",
	},
	{
		Code:   string(StateKeyNotInService),
		Proves: "A key is held under that key_id, and the answer was received outside the key's validity window.",
		ProvesNot: "That the signature is good or bad: it was not checked. The window is compared with the instant " +
			"of receipt, never with issued_at.",
		Causes: []string{
			"an old key that was replaced, in an archive judged at the present instant",
			"a key used before its window begins",
			"a record that does not say when it was received, where that was asked for",
		},
		Next: "cgp-attest trust list TRUST",
		Then: "It shows the window of each key; reason and detail of the evidence say how the instant of receipt " +
			"stands to it.",
		Rule: "CGP §6.5.4, F18",
	},
	{
		Code:      string(StateUnusable),
		Proves:    "It cannot be evaluated. reason says why.",
		ProvesNot: "That something was signed, or that it was tampered with.",
		Causes: []string{
			"a member is missing, null or of the wrong type",
			"an inclusion proof in an answer without a readable result attestation",
			"an entry with neither an attestation nor a proof",
			"a root beside a malformed frame, or an answer whose provider is not known",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "Read reason and detail of the evidence. The provider has to write the piece again.",
		Rule: "CGP F9",
	},
}

// frameStates is the table of what can become of a frame.
var frameStates = []Entry{
	{
		Code: string(StateAttested),
		Proves: "Evidence on the frame verifies under a key that a person configured, and the frame declares a " +
			"content_digest.",
		ProvesNot: "That the content was compared: only content match says that. Title, score, uri and every other " +
			"member are covered by nothing.",
		Causes: []string{"the provider signed the frame or the answer, and nothing that the signature covers has changed since"},
		Next:   "cgp-attest verify --format json FILE",
		Then:   "class says whether tier and content meet the policy; not_covered lists what nothing covers.",
		Rule:   "CGP §6.5.2, §6.5.4",
	},
	{
		Code: string(StatePinned),
		Proves: "Evidence on the frame verifies under a pinned key, none under a configured one, and the frame " +
			"declares a content_digest.",
		ProvesNot: "That the pinned key is the provider's: nobody compared it by a second way when it was first seen.",
		Causes:    []string{"the same key signed as when it was pinned"},
		Next:      "cgp-attest trust list TRUST",
		Then: "Compare the key's fingerprint with the provider's, by another way than the session, and configure " +
			"the key.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(StateConstructed),
		Proves: "Evidence on the frame verifies under a key that was merely published, and the frame declares a content_digest: " +
			"the evidence is built as specified. Who signed is not established.",
		ProvesNot: "Whose key it is: whoever can rewrite the answer can rewrite the key beside it and sign again.",
		Causes:    []string{"no key of the provider was configured, and the input, or a file given as published, holds one"},
		Next:      "cgp-attest verify --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then:      "Give the provider's key as you have it from the provider, by another way than this file.",
		Rule:      "CGP §6.5.4",
	},
	{
		Code:   string(StateInvalid),
		Proves: "No evidence on the frame verifies, and some of it carries a negative verdict.",
		ProvesNot: "Who did it. Where the answer's root is the only evidence, another frame than this one may be " +
			"the one that was changed.",
		Causes: []string{
			"the frame was edited after it was signed",
			"another frame of the answer was edited, dropped or added, and only the root is signed",
			"the evidence belongs to another frame, another answer or another provider's name",
		},
		Next: "cgp-attest commit FILE",
		Then: "Compare the frame's commitment and the root with expected and signed in the JSON report.",
		Rule: "CGP §6.5.2, §6.5.3, F12",
	},
	{
		Code: string(StateUncheckable),
		Proves: "No evidence on the frame verifies and none is invalid; some names an algorithm that this run was " +
			"not told to check.",
		ProvesNot: "That the frame is what was served, or that it was changed.",
		Causes:    []string{"a signature scheme that this verifier does not have"},
		Next:      "cgp-attest explain unknown_algorithm",
		Then:      "Ask the provider which algorithm it signs with.",
		Rule:      "CGP F8, F9",
	},
	{
		Code: string(StateNoTrustedKey),
		Proves: "No evidence on the frame verifies and none is invalid; for some of it nobody here holds the key. " +
			"What it states to have signed is what is in hand.",
		ProvesNot: "That anyone signed it: whoever has the frames can compute the value that they must commit to.",
		Causes: []string{
			"the provider's key was not given to this run, or under another local id",
			"a rewritten key_id: no signature covers it",
		},
		Next: "cgp-attest inspect FILE",
		Then: "It lists the key ids. Give the provider's key, obtained by another way than this file, with " +
			"--public-key LOCAL_ID:KEY_ID=HEX.",
		Rule: "CGP §6.5.4, F9",
	},
	{
		Code: string(StateKeyNotInService),
		Proves: "No evidence on the frame verifies and none is invalid; for some of it the answer was received " +
			"outside the key's validity window.",
		ProvesNot: "That the signature is good or bad: it was not checked.",
		Causes:    []string{"an old key that was replaced, in an archive judged at the present instant"},
		Next:      "cgp-attest trust list TRUST",
		Then: "It shows the window of each key; reason and detail of the evidence say how the instant of receipt " +
			"stands to it.",
		Rule: "CGP §6.5.4, F18",
	},
	{
		Code:      string(StateUnusable),
		Proves:    "There is evidence on the frame, and none of it can be evaluated.",
		ProvesNot: "That the frame is what was served, or that it was changed.",
		Causes: []string{
			"an entry, attestation or proof with a missing or ill-typed member",
			"the answer's provider is not known",
			"only the root is signed, and a frame beside this one is malformed",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "reason and detail of each piece of evidence say why.",
		Rule: "CGP F9",
	},
	{
		Code: string(StateContentMismatch),
		Proves: "Evidence on the frame verifies, so its content_digest is the one that was signed, and the content " +
			"in hand has another SHA-256.",
		ProvesNot: "What the content was. The tier of the evidence says whose digest it is: under a merely " +
			"published key even that is not established.",
		Causes: []string{
			"the content was edited after it was signed",
			"the content was stored again in another encoding, with other line ends or normalised",
			"the provider computed the digest over other bytes than the UTF-8 of content",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "The finding content_mismatch carries both digests. Ask the provider, or whoever stored the file, for " +
			"the content again.",
		Rule: "CGP F5, D1, §6.5.2",
	},
	{
		Code: string(StateIdentityOnly),
		Proves: "Evidence on the frame verifies, and the frame declares no content_digest: its id, the provider's " +
			"declared name and its provenance are what was signed. tier says under which key.",
		ProvesNot: "Anything about the content: nothing that was signed speaks of it.",
		Causes: []string{
			"a provider that signs frames without content_digest, against F14",
			"a reference frame, which may carry none (P3)",
		},
		Next: "cgp-attest sign --replace --fill-digests --key KEY --key-id ID FILE",
		Then: "The provider signs again with a digest on every frame that has content.",
		Rule: "CGP F14, P3",
	},
	{
		Code:   string(StateUnattested),
		Proves: "No evidence stands on the frame, or on an answer without frames.",
		ProvesNot: "That the provider does not sign: evidence can be removed from a file without a trace in the " +
			"answer itself.",
		Causes: []string{
			"a provider that signs nothing, or not this answer",
			"evidence that was stripped: see the finding stripped_evidence",
			"entries that name another frame or another provider: see orphan_entry and provider_mismatch",
		},
		Next: "cgp-attest inspect FILE",
		Then: "See whether the provider publishes keys, or signs other answers of the input.",
		Rule: "CGP §6.5, F9",
	},
	{
		Code: string(StateMalformedFrame),
		Proves: "The frame breaks the wire's types and has no commitment: nothing about it could be judged. reason " +
			"says what is wrong.",
		ProvesNot: "That the answer's other frames are wrong. They can be proven by their own signatures and " +
			"proofs, not by the recomputed root.",
		Causes: []string{
			"id missing or no string; content or content_digest neither string nor null; provenance no array",
			"a provenance link that is no object, has no type, or has a member of the wrong type",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "reason and detail of the frame name the member. The provider has to serve the frame again.",
		Rule: "CGP §6.5.2, F9",
	},
}

// contentStates is the table of outcomes of comparing content.
var contentStates = []Entry{
	{
		Code:      string(ContentMatch),
		Proves:    "The SHA-256 of the inline content, as UTF-8 bytes, is the content_digest that the frame declares.",
		ProvesNot: "That anyone signed that digest: the frame's state says so.",
		Causes:    []string{"content and digest are as the provider made them, or both were changed together"},
		Next:      "cgp-attest verify FILE",
		Then:      "Only a frame whose evidence verifies has a digest that somebody stands for.",
		Rule:      "CGP F5, D1; FIPS 180-4",
	},
	{
		Code:      string(ContentMismatch),
		Proves:    "The SHA-256 of the inline content is not the content_digest that the frame declares.",
		ProvesNot: "Which of the two was changed. Where evidence verifies, the digest is the one that was signed.",
		Causes: []string{
			"the content was edited, or stored again in another encoding or with other line ends",
			"the digest was edited; then evidence that covers the frame is invalid too",
			"the provider computed the digest over other bytes than the UTF-8 of content",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "The finding content_mismatch carries both digests.",
		Rule: "CGP F5, D1",
	},
	{
		Code:      string(ContentOpaque),
		Proves:    "content_digest is not sha256: and 64 lowercase hex digits, so the content cannot be compared with it.",
		ProvesNot: "That the content is wrong, or right.",
		Causes: []string{
			"a provider that writes a short or uppercase digest, or one of another algorithm",
			"the empty string, which is a digest that is declared and says nothing",
		},
		Next: "cgp-attest inspect FILE",
		Then: "Ask the provider for digests in D1 form.",
		Rule: "CGP F5, D1",
	},
	{
		Code:      string(ContentNoDigest),
		Proves:    "The frame has inline content and declares no content_digest.",
		ProvesNot: "Anything about the content: nothing that is signed speaks of it.",
		Causes:    []string{"a provider that does not declare digests; one that signs must (F14)"},
		Next:      "cgp-attest sign --fill-digests --key KEY --key-id ID FILE",
		Then:      "The provider signs again with a digest on every frame that has content.",
		Rule:      "CGP F14",
	},
	{
		Code:      string(ContentAbsent),
		Proves:    "The frame has no inline content, so there was nothing to compare.",
		ProvesNot: "That the frame never had any: content can be removed, and a declared digest stays behind.",
		Causes: []string{
			"a reference frame",
			"content that was removed: a frame that declares a digest has, or had, content (P3)",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "The finding uncompared_content names the signed frames that declare a digest and have no content.",
		Rule: "CGP P1, P3",
	},
}
