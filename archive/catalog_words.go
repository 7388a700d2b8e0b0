package archive

// classes is the table of classes. In an answer the worst class of its frames counts: negative before unreadable before
// unchecked before good.
var classes = []Entry{
	{
		Code: string(ClassGood),
		Proves: "The evidence has the tier that the policy demands, and the content was compared or the policy " +
			"waives that.",
		ProvesNot: "More than the tier does: with the level constructed, who signed is not established. Nothing is " +
			"said of what no signature covers.",
		Next: "cgp-attest verify --format json FILE",
		Then: "policy says what was demanded and waived, not_covered what nothing covers.",
		Rule: ownRule,
	},
	{
		Code:      string(ClassUnchecked),
		Proves:    "Nothing is negative, and it is not proven as the policy demands.",
		ProvesNot: "That it was tampered with, or that it was not.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "Explain the frame's state and its content.",
		Rule:      "CGP F9",
	},
	{
		Code:      string(ClassNegative),
		Proves:    "A frame's state is negative, or an error finding stands on the answer.",
		ProvesNot: "Who did it. Frames of a negative answer that are good by themselves keep their class.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "Explain the state and the error findings.",
		Rule:      ownRule,
	},
	{
		Code:      string(ClassUnreadable),
		Proves:    "The frame is malformed and has no commitment; of an answer, the worst of its frames is.",
		ProvesNot: "Anything about what was served in its place.",
		Next:      "cgp-attest explain malformed_frame",
		Then:      "reason and detail of the frame name the member.",
		Rule:      ownRule,
	},
}

// tiers is the table of ways in which a key came to be believed.
var tiers = []Entry{
	{
		Code:      string(TierConfigured),
		Proves:    "A person gave the key for this provider, in a trust file or on the command line, or for every provider.",
		ProvesNot: "That the person had it from the provider.",
		Next:      "cgp-attest trust list TRUST",
		Then:      "Compare the fingerprint with the one that the provider tells by another way.",
		Rule:      "CGP §6.5.4",
	},
	{
		Code:      string(TierPinned),
		Proves:    "The key was trusted because it was the first to be seen for this provider.",
		ProvesNot: "That the first one was the provider's own.",
		Next:      "cgp-attest trust list TRUST",
		Then: "Compare the fingerprint with the one that the provider tells by another way, and configure the key: " +
			"cgp-attest trust add.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(TierPublished),
		Proves: "The key stands in the input, or in a file that was given as published. What verifies under it is " +
			"constructed: who signed is not established.",
		ProvesNot: "Whose key it is: whoever can rewrite the file can rewrite the keys in it.",
		Next:      "cgp-attest verify --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then:      "Give the provider's key as you have it from the provider, by another way than this file.",
		Rule:      "CGP §6.5.4",
	},
}

// levels is the table of what a policy can demand.
var levels = []Entry{
	{
		Code: string(RequireAttested),
		Proves: "Only evidence under a configured key is good. This is the default, but for a run that is given " +
			"published keys alone.",
		ProvesNot: "Anything about content: it has to match beside the tier, unless the policy waives that.",
		Next:      "cgp-attest verify --require attested --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then:      "policy.require in the JSON report says which level was in force.",
		Rule:      "CGP §6.5.4",
	},
	{
		Code:      string(RequirePinned),
		Proves:    "Evidence under a pinned key is good, and so is evidence under a configured one.",
		ProvesNot: "That a pinned key is the provider's.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "policy.require in the JSON report says which level was in force.",
		Rule:      "CGP §6.5.4",
	},
	{
		Code: string(RequireConstructed),
		Proves: "Evidence that is merely built as specified is good: constructed is the lowest tier, and who signed " +
			"is not established. It is the default where published keys are given and no trusted ones, and never " +
			"where no key is given at all.",
		ProvesNot: "Whose the answer is: at this level a run says that it was built as specified, and no more.",
		Next:      "cgp-attest verify --require attested --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then:      "Give the provider's key as you have it from the provider, and demand attested.",
		Rule:      "CGP §6.5.4",
	},
}

// evidenceKinds is the table of what a piece of evidence can be.
var evidenceKinds = []Entry{
	{
		Code:      string(KindSignature),
		Proves:    "An entry's attestation over the commitment of its frame.",
		ProvesNot: "Anything about other frames, or about how many there were.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "Read state and verdict; unverified_claims is covered by nothing.",
		Rule:      "CGP §6.5.2, §6.5.4, F11",
	},
	{
		Code: string(KindInclusion),
		Proves: "An entry's inclusion proof, which leads from the commitment of its frame to the root that the " +
			"result attestation signs.",
		ProvesNot: "How many frames there were: no signature covers leaf_count. Over a complete answer it has to be " +
			"the number of frames carried.",
		Next: "cgp-attest verify --format json FILE",
		Then: "leaf_count is the count that the proof states; the key stands on the answer's root.",
		Rule: "CGP §6.5.3; RFC 6962 §2.1.1",
	},
	{
		Code: string(KindRoot),
		Proves: "The root recomputed over all frames carried, under the result attestation. It covers every frame, " +
			"with or without an entry.",
		ProvesNot: "Which frame was changed, where it does not hold.",
		Next:      "cgp-attest commit FILE",
		Then:      "The verdict is that of the answer's root; recomputed and signed stand there.",
		Rule:      "CGP §6.5.3, F12; RFC 6962 §2.1",
	},
	{
		Code:      string(KindEntry),
		Proves:    "An entry that names the frame and has neither an attestation nor a proof.",
		ProvesNot: "Anything: it asserts nothing.",
		Next:      "cgp-attest explain empty_entry",
		Then:      "The finding of that name says which entry it is.",
		Rule:      "CGP F9, F11",
	},
}

// providerSources is the table of where the provider of an answer can be found.
var providerSources = []Entry{
	{
		Code:      string(ProviderFromFlag),
		Proves:    "The caller named the provider, whatever the input says.",
		ProvesNot: "That the provider declares that name: commitments under another come out as commitment_mismatch.",
		Next:      "cgp-attest verify --provider NAME FILE",
		Then:      "NAME is the name that the provider declares in its handshake_ack, never a host's local id.",
		Rule:      "CGP §6.5.2",
	},
	{
		Code:   string(ProviderFromRecord),
		Proves: "The record is one of ours that names the provider itself.",
		ProvesNot: "That the name is the provider's: whoever wrote the record chose it. Evidence under a wrong name " +
			"does not verify.",
		Next: "cgp-attest inspect FILE",
		Then: "It lists the names that the input declares and uses.",
		Rule: "CGP §6.5.2",
	},
	{
		Code: string(ProviderFromEntries),
		Proves: "All entries with a readable FrameId use this one name, and no handshake_ack precedes the answer, " +
			"or one of those that do declares it.",
		ProvesNot: "That the name is the provider's: entries can be rewritten. Evidence under a rewritten name does " +
			"not verify.",
		Next: "cgp-attest inspect FILE",
		Then: "It lists the names that the input declares and uses.",
		Rule: "CGP §6.5.2, F11",
	},
	{
		Code: string(ProviderFromRoot),
		Proves: "A handshake_ack in front of the answer declares this name, and under it the recomputed root is the " +
			"signed one.",
		ProvesNot: "Whose key signed the root.",
		Next:      "cgp-attest inspect FILE",
		Then:      "It lists the names that the input declares.",
		Rule:      "CGP §6.5.2, §6.5.3",
	},
	{
		Code:      string(ProviderFromHandshake),
		Proves:    "It is the name in the newest handshake_ack in front of the answer, in the same input.",
		ProvesNot: "That this provider gave the answer: nothing ties an answer to a handshake but its evidence.",
		Next:      "cgp-attest inspect FILE",
		Then:      "It lists the names that the input declares.",
		Rule:      "CGP §6.5.2",
	},
	{
		Code:      string(ProviderFromNone),
		Proves:    "Nothing says which provider answered, so no commitment could be computed.",
		ProvesNot: "That the answer is good, or that it was tampered with.",
		Next:      "cgp-attest verify --provider NAME FILE",
		Then:      "NAME is the name that the provider declares in its handshake_ack, never a host's local id.",
		Rule:      "CGP §6.5.2",
	},
}

// instantSources is the table of where the instant of receipt can be found.
var instantSources = []Entry{
	{
		Code:      string(InstantFromFlag),
		Proves:    "The caller named one instant for the whole run.",
		ProvesNot: "When the answers were received.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "received_at carries the instant.",
		Rule:      "CGP §6.5.4, F4, F18",
	},
	{
		Code:      string(InstantFromArchive),
		Proves:    "It is the instant that the record itself states.",
		ProvesNot: "When the answer was received: whoever can write the archive chooses it.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "received_at of each answer carries its instant.",
		Rule:      "CGP §6.5.4, F4, F18",
	},
	{
		Code: string(InstantFromClock),
		Proves: "The clock of the machine that judged, read once a run and only where a key has a validity window; " +
			"else instant is null.",
		ProvesNot: "When the answer was received.",
		Next:      "cgp-attest verify --format json FILE",
		Then:      "received_at carries the instant, or null where none was needed.",
		Rule:      "CGP §6.5.4, F4, F18",
	},
}

// severities is the table of how grave a finding can be.
var severities = []Entry{
	{
		Code: string(SeverityError),
		Proves: "Something is wrong. The answer is negative, whatever else verifies, and a run that comes to its " +
			"end has exit code 1.",
		ProvesNot: "Who did it.",
		Next:      "cgp-attest explain FINDING",
		Then:      "Explain each code that the report names.",
		Rule:      ownRule,
	},
	{
		Code: string(SeverityWarning),
		Proves: "Something that can mislead whoever relies on the answer. By itself it changes neither state nor " +
			"exit code.",
		ProvesNot: "That the answer was tampered with.",
		Next:      "cgp-attest explain FINDING",
		Then:      "Explain each code that the report names.",
		Rule:      ownRule,
	},
	{
		Code:      string(SeverityNote),
		Proves:    "Something worth knowing that is usual in good answers too.",
		ProvesNot: "That anything is wrong.",
		Next:      "cgp-attest explain FINDING",
		Then:      "Explain each code that the report names.",
		Rule:      ownRule,
	},
}

// reasons is the table of why something is unusable, a key out of service, or a frame malformed.
var reasons = []Entry{
	{
		Code:      string(ReasonMissingMember),
		Proves:    "A required member is missing, or, in evidence, null.",
		ProvesNot: "That it was removed on purpose. Nothing else of the piece was evaluated.",
		Causes:    []string{"a writer that leaves out what it does not know", "a member that somebody removed"},
		Next:      "cgp-attest verify --format json FILE",
		Then:      "detail names the member.",
		Rule:      "CGP §6.5.4, §6.5.5, F9",
	},
	{
		Code: string(ReasonIllTyped),
		Proves: "A member has another type than it must have, or is an integer that is not written in plain digits " +
			"below 2^64.",
		ProvesNot: "That its value is wrong: it was not read.",
		Causes: []string{
			"an integer written as 7.0, 7e0, -0 or in quotation marks",
			"a list in place of one value, or one value in place of a list",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "detail names the member and says what stands there.",
		Rule: "CGP §6.5.3, §6.5.5, F9",
	},
	{
		Code:      string(ReasonNotAnObject),
		Proves:    "The frame, or a provenance link of it, is no JSON object.",
		ProvesNot: "Anything about what should stand in its place.",
		Causes:    []string{"a list of ids where frames belong", "a link written as its uri alone"},
		Next:      "cgp-attest verify --format json FILE",
		Then:      "detail names the place.",
		Rule:      "CGP §6.5.2",
	},
	{
		Code: string(ReasonFieldTooLong),
		Proves: "A field of the frame has more bytes than the canonical encoding can count in 32 bits, so it has no " +
			"commitment.",
		ProvesNot: "That the frame was changed.",
		Causes:    []string{"a frame made to exhaust its readers"},
		Next:      "cgp-attest verify --format json FILE",
		Then:      "detail names the length.",
		Rule:      "CGP §6.5.1",
	},
	{
		Code: string(ReasonNoSignedRoot),
		Proves: "An inclusion proof stands in an answer whose result attestation is missing or cannot be read: " +
			"there is no signed root to prove against.",
		ProvesNot: "That the proof is wrong.",
		Causes:    []string{"a result_attestation that was removed, or is incomplete", "an entry copied without its answer"},
		Next:      "cgp-attest inspect FILE",
		Then:      "See whether other answers of the input have a result_attestation.",
		Rule:      "CGP §6.5.3, F9",
	},
	{
		Code:      string(ReasonEmptyEntry),
		Proves:    "The entry has neither an attestation nor an inclusion proof.",
		ProvesNot: "That anything was signed, or removed.",
		Causes:    []string{"a provider that lists frames which it does not sign", "evidence that was removed from its entry"},
		Next:      "cgp-attest inspect FILE",
		Then:      "Compare with the entries that do carry evidence.",
		Rule:      "CGP F9, F11",
	},
	{
		Code:      string(ReasonMalformedFrame),
		Proves:    "A frame of the answer has no commitment, so no root can be recomputed to hold against the signed one.",
		ProvesNot: "That the root is wrong. Frames with signatures or proofs of their own are judged by those.",
		Causes:    []string{"one frame that breaks the wire's types: its state is malformed_frame"},
		Next:      "cgp-attest verify --format json FILE",
		Then:      "Read reason and detail of the malformed frame.",
		Rule:      "CGP §6.5.3, F9, F12",
	},
	{
		Code:      string(ReasonProviderUnknown),
		Proves:    "Nothing says which provider answered, so no commitment could be computed.",
		ProvesNot: "That the evidence is good, or that it is wrong.",
		Causes:    []string{"a saved answer without the session around it, whose entries do not all name one provider"},
		Next:      "cgp-attest verify --provider NAME FILE",
		Then:      "NAME is the name that the provider declares in its handshake_ack, never a host's local id.",
		Rule:      "CGP §6.5.2",
	},
	{
		Code: string(ReasonProviderMismatch),
		Proves: "The evidence is right under a provider's name that no preceding handshake_ack declares, so it is " +
			"not counted for anyone.",
		ProvesNot: "That it was tampered with, or whose name it is.",
		Causes: []string{
			"an answer placed behind the handshake of another provider",
			"a provider that signs under another name than it declares",
		},
		Next: "cgp-attest verify --provider NAME FILE",
		Then: "Find out, by another way than this file, which name the provider declares, and name that one.",
		Rule: "CGP §6.5.2",
	},
	{
		Code: string(ReasonNotYetValid),
		Proves: "The answer was received before the window of the key begins: the trust file gives the key a " +
			"not_before that is later.",
		ProvesNot: "That the signature is good or bad: it was not checked. issued_at says nothing about it, and is " +
			"not read.",
		Causes: []string{
			"an instant of receipt that is wrong, in the archive or on the command line",
			"a not_before later than the first use of the key",
		},
		Next: "cgp-attest trust list TRUST",
		Then: "It shows the window of each key; detail has both instants.",
		Rule: "CGP §6.5.4, F4, F18",
	},
	{
		Code: string(ReasonExpired),
		Proves: "The answer was received after the window of the key ended: the trust file gives the key a " +
			"not_after that is earlier.",
		ProvesNot: "That the signature is good or bad: it was not checked. An issued_at inside the window proves " +
			"nothing, and is not read.",
		Causes: []string{
			"an archive from before a rotation, judged at the present instant",
			"a key that is still used after its time",
			"a key that was compromised, whose window was closed",
		},
		Next: "cgp-attest trust list TRUST",
		Then: "It shows the window of each key; detail has both instants. Where the archive is your own log, " +
			"cgp-attest verify --received-at archive compares with the instants that it recorded.",
		Rule: "CGP §6.5.4, F4, F18",
	},
	{
		Code: string(ReasonMalformedInstant),
		Proves: "The key has a window, and there is no instant of receipt to compare it with: the record states no " +
			"received_at or one that is no instant, or the caller gave none.",
		ProvesNot: "That the key was in service, or that it was not.",
		Causes: []string{
			"--received-at archive over messages that no archive line wraps",
			"a received_at with a time zone other than Z",
		},
		Next: "cgp-attest verify --received-at INSTANT FILE",
		Then: "INSTANT is when the answers were received, as your own records have it.",
		Rule: "CGP §6.5.4, F4",
	},
	{
		Code: string(ReasonMalformedWindow),
		Proves: "The window of the key ends before it begins, so the key is never in service. A trust file cannot " +
			"hold such a window; a program that uses the library can.",
		ProvesNot: "Anything about the signature.",
		Causes:    []string{"a host that exchanged the two ends of a window"},
		Next:      "cgp-attest trust lint TRUST",
		Then:      "A trust file with such a window is refused, by name and line.",
		Rule:      "CGP §6.5.4, F4",
	},
}
