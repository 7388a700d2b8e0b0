package archive

import (
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// Over a limit of a record there is an error for that record.
const recordGoesOn = "Anything about the record: nothing of it was judged. The records around it were."

// Over a limit of compression the input ends.
const sourceEnds = "Anything about what stands behind that place in the input. What stands in front of it was judged."

// cutShort stands where a search for explanations ends early.
const cutShort = "Anything about the evidence: every piece is judged in full, whatever is found to explain it."

// ownTrust stands where the format of the trust file decides.
const ownTrust = "contextgraph-trust/1"

// limits is the table of limits. Their values are those that are enforced.
func limits() []Entry {
	d := DefaultLimits()
	return []Entry{
		{
			Code: "max_record", Limit: uint64(d.Record), Unit: "bytes",
			Proves:    "Bounds one record, from its first byte to its last. Over it the record is the error too_large.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"an answer with large content", "a closing bracket that is missing"},
			Next:      "cgp-attest verify --max-record BYTES FILE",
			Then:      "An input may be of any size: of its records one is held at a time.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_members", Limit: uint64(d.Members), Unit: "members",
			Proves:    "Bounds the members of one object. Over it the record is the error too_many_members.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"a record made to exhaust its readers"},
			Next:      "cgp-attest explain too_many_members",
			Then:      "Objects that nobody reads count too.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_open_members", Limit: uint64(strictjson.OpenObjects * d.Members), Unit: "members",
			Proves: "Bounds the members of all objects that are open at one place: of an object, of the one around it, " +
				"and so on. Over it the record is the error too_many_members.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"a record made to exhaust its readers"},
			Next:      "cgp-attest explain too_many_members",
			Then:      "The names of all of them are remembered at once, to find one that stands twice.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_depth", Limit: uint64(d.Depth), Unit: "open brackets",
			Proves:    "Bounds nesting, from the record's own bracket on. Over it the record is the error too_deep.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"a record made to exhaust its readers"},
			Next:      "cgp-attest explain too_deep",
			Then:      "Members that nobody reads count too.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_frames", Limit: uint64(d.Frames), Unit: "frames",
			Proves:    "Bounds the frames of one answer, and its entries in frame_attestations. Over it the record is the error too_many_frames.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"answers that were joined into one"},
			Next:      "cgp-attest explain too_many_frames",
			Then:      "An input may hold any number of answers.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_links", Limit: uint64(d.Links), Unit: "provenance links",
			Proves:    "Bounds the provenance of one frame. Over it the record is the error too_many_links.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"a provider that lists every source of an index"},
			Next:      "cgp-attest explain too_many_links",
			Then:      "at is the place of the first link over the limit.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_answer_links", Limit: uint64(linkedFrames * d.Links), Unit: "provenance links",
			Proves:    "Bounds the provenance of all frames of one answer. Over it the record is the error too_many_links.",
			ProvesNot: recordGoesOn,
			Causes:    []string{"a record made to exhaust its readers"},
			Next:      "cgp-attest explain too_many_links",
			Then:      "at is the place of the frame that is over the limit.",
			Rule:      "RFC 8259 §9",
		},
		{
			Code: "max_window", Limit: uint64(d.Window), Unit: "bytes",
			Proves: "Bounds how far back a zstd frame may refer, and so the memory that decompressing takes. Over it " +
				"the input is the error expansion_limit.",
			ProvesNot: sourceEnds,
			Causes:    []string{"a file compressed with zstd --long or --ultra"},
			Next:      "cgp-attest explain expansion_limit",
			Then:      "Raise it with --zstd-window for an input that you trust.",
			Rule:      "RFC 8878 §3.1.1.1.2",
		},
		{
			Code: "max_expansion", Limit: maxExpansion, Unit: "bytes out of each compressed byte, across 64 MiB",
			Proves: "Bounds what a compressed input expands to. Over it the input is the error expansion_limit. It is " +
				"looked at every 1 MiB of output.",
			ProvesNot: sourceEnds,
			Causes:    []string{"an input made to exhaust its readers"},
			Next:      "cgp-attest explain expansion_limit",
			Then:      "The first 64 MiB are read whatever they were compressed to: what the record limits allow of them is judged.",
			Rule:      ownRule,
		},
		{
			Code: "max_path", Limit: merkle.MaxPath, Unit: "steps",
			Proves: "Bounds an inclusion proof: no tree of at most 2^64−1 leaves has a longer path. Over it the " +
				"verdict is malformed_commitment.",
			ProvesNot: "Anything about the frame's other evidence.",
			Causes:    []string{"a lengthened path"},
			Next:      "cgp-attest explain malformed_commitment",
			Then:      "The path is refused before anything is hashed.",
			Rule:      "CGP §6.5.3; RFC 6962 §2.1.1",
		},
		{
			Code: "max_names", Limit: maxRootNames, Unit: "names",
			Proves: "Bounds how many names that preceding handshake_ack messages declare, the newest first, are " +
				"tried as the one under which the signed root is reproduced.",
			ProvesNot: "That no older name fits: name the provider where the input declares more.",
			Causes:    []string{"a log of sessions with many providers"},
			Next:      "cgp-attest verify --provider NAME FILE",
			Then:      "NAME is the name that the provider declares.",
			Rule:      "CGP §6.5.2",
		},
		{
			Code: "max_session", Limit: maxSessionBytes, Unit: "bytes",
			Proves: "Bounds the names and published keys that the handshake_ack messages of one input make a run " +
				"remember, a name counting 256 bytes and a key 1,024 beside their text. A handshake_ack over it is the " +
				"error too_large.",
			ProvesNot: "Anything about that handshake_ack: nothing of it is used. What follows is judged with those in front.",
			Causes:    []string{"an input made to exhaust its readers", "the logs of a great many providers joined into one file"},
			Next:      "cgp-attest verify FOLDER",
			Then:      "Each file of a folder is an input with a limit of its own.",
			Rule:      ownRule,
		},
		{
			Code: "max_providers", Limit: maxWitnesses, Unit: "providers of one input",
			Proves: "Bounds of how many providers it is remembered whether their answers carry evidence. Over it a finding " +
				"stripped_evidence about the input says so.",
			ProvesNot: "Anything about answers without evidence of the providers beyond it.",
			Causes:    []string{"an input made to exhaust its readers", "the logs of a great many providers joined into one file"},
			Next:      "cgp-attest explain stripped_evidence",
			Then:      "Keep a file for each provider, or for each day.",
			Rule:      ownRule,
		},
		{
			Code: "max_key_faults", Limit: maxPendingFaults, Unit: "elements of attester_keys",
			Proves: "Bounds how many published keys of one input that cannot be read are remembered in words until an answer " +
				"of their provider reports them. The others are counted.",
			ProvesNot: "That anything is left out of the count.",
			Causes:    []string{"an input made to exhaust its readers"},
			Next:      "cgp-attest explain malformed_published_key",
			Then:      "The count stands in the last of the findings.",
			Rule:      "CGP §6.5.4",
		},
		{
			Code: "max_proof_walks", Limit: maxProofWalks, Unit: "proofs",
			Proves: "Bounds how many proofs of one answer are followed only to find out which of several frames of " +
				"one identity an entry belongs to. Over it the first entry of the identity counts where none was " +
				"found to be the frame's.",
			ProvesNot: "Anything about evidence that counts: each piece is judged, over this limit too.",
			Causes:    []string{"an answer made to exhaust its readers, with many entries of one identity"},
			Next:      "cgp-attest explain duplicate_entry",
			Then:      "Give frames ids of their own.",
			Rule:      "CGP F11",
		},
		{
			Code: "max_held_answers", Limit: maxHeldItems, Unit: "answers and errors",
			Proves: "Bounds how many answers and errors wait behind an answer without evidence until it is known " +
				"whether its provider signs elsewhere in the input. Over it the finding stripped_evidence stands on " +
				"the provider's next signed answer, with a count.",
			ProvesNot: "That anything is left out: every answer is judged and reported.",
			Causes:    []string{"a long run of unsigned answers in front of a signed one"},
			Next:      "cgp-attest explain stripped_evidence",
			Then:      "Order and exit code do not depend on it.",
			Rule:      ownRule,
		},
		{
			Code: "max_held_frames", Limit: maxHeldFrames, Unit: "frames",
			Proves:    "Bounds the frames of the answers that wait, as max_held_answers bounds the answers.",
			ProvesNot: "That anything is left out: every answer is judged and reported.",
			Causes:    []string{"a long run of unsigned answers in front of a signed one"},
			Next:      "cgp-attest explain max_held_answers",
			Then:      "Order and exit code do not depend on it.",
			Rule:      ownRule,
		},
		{
			Code: "max_held_bytes", Limit: maxHeldBytes, Unit: "bytes",
			Proves:    "Bounds the records of the answers that wait, as max_held_answers bounds the answers.",
			ProvesNot: "That anything is left out: every answer is judged and reported.",
			Causes:    []string{"large unsigned answers in front of a signed one"},
			Next:      "cgp-attest explain max_held_answers",
			Then:      "Order and exit code do not depend on it.",
			Rule:      ownRule,
		},
		{
			Code: "max_diagnosis_blocks", Limit: maxDiagnosisBlocks, Unit: "blocks of SHA-256",
			Proves: "Bounds what verify --diagnose hashes for one answer, half of it for the root. Over it the cause is none, " +
				"and the detail says that the search was cut short.",
			ProvesNot: cutShort,
			Causes:    []string{"an answer with many frames that do not match", "frames with many provenance links"},
			Next:      "cgp-attest explain none",
			Then:      "A block is 64 bytes. Nothing is timed: two runs say the same.",
			Rule:      ownRule,
		},
		{
			Code: "max_diagnosis_piece", Limit: maxDiagnosisPiece, Unit: "blocks of SHA-256",
			Proves:    "Bounds the same for one piece of evidence on a frame, so that one leaves some to the others.",
			ProvesNot: cutShort,
			Causes:    []string{"a frame with many provenance links"},
			Next:      "cgp-attest explain max_diagnosis_blocks",
			Then:      "With about fifteen links of usual length on a frame everything is tried.",
			Rule:      ownRule,
		},
		{
			Code: "max_diagnosis_checks", Limit: maxDiagnosisChecks, Unit: "signatures",
			Proves: "Bounds the signatures that verify --diagnose checks for one answer. Over it the cause is none, and the " +
				"detail says that the search was cut short.",
			ProvesNot: cutShort,
			Causes:    []string{"many bad signatures beside many keys"},
			Next:      "cgp-attest explain none",
			Then:      "The key that explained the last one is tried first.",
			Rule:      ownRule,
		},
		{
			Code: "max_diagnosis_others", Limit: maxDiagnosisOthers, Unit: "of each kind",
			Proves: "Bounds how many names of providers, entries that name no frame, links of neighbours and published keys " +
				"verify --diagnose tries in place of one.",
			ProvesNot: "That none beyond them explains the mismatch.",
			Causes:    []string{"an answer with many different links"},
			Next:      "cgp-attest explain none",
			Then:      "Those of the frame itself come first, then those of the answer in its order.",
			Rule:      ownRule,
		},
		{
			Code: "max_key_file", Limit: keys.MaxFile, Unit: "bytes",
			Proves:    "Bounds a key file. Over it nothing of the file is read: exit code 2.",
			ProvesNot: "Anything about the key.",
			Causes:    []string{"another file was named in place of the key's"},
			Next:      "cgp-attest key show FILE",
			Then:      "A key file has a few hundred bytes.",
			Rule:      ownRule,
		},
		{
			Code: "max_trust_file", Limit: keys.MaxTrustFile, Unit: "bytes",
			Proves:    "Bounds a trust file. Over it nothing of the file is loaded: exit code 2.",
			ProvesNot: "Anything about the keys in it.",
			Causes:    []string{"another file was named in place of the trust file"},
			Next:      "cgp-attest trust lint TRUST",
			Then:      "A file at the limit holds some thousands of keys.",
			Rule:      ownTrust,
		},
		{
			Code: "max_pinned", Limit: keys.MaxPinned, Unit: "pinned keys of one provider",
			Proves: "Bounds how many keys of one provider are trusted on first use. One more is refused: exit code " +
				"1 of trust pin, and a trust file that has it is not loaded.",
			ProvesNot: "Anything about the key that was refused.",
			Causes:    []string{"a session made to fill the trust file", "a provider with a new key for every session"},
			Next:      "cgp-attest trust list TRUST",
			Then:      "Compare fingerprints with the provider's and configure the keys that match; remove the others.",
			Rule:      ownTrust,
		},
		{
			Code: "max_echoed", Limit: maxEchoed, Unit: "characters",
			Proves:    "Bounds how much of an identifier from an input stands in text and in sentences.",
			ProvesNot: "That two identifiers are one because what is shown of them is alike.",
			Causes:    []string{"an id made to hide what stands behind it"},
			Next:      "cgp-attest verify --format json FILE",
			Then:      "Members that hold an identifier have it whole; sentences do not.",
			Rule:      ownRule,
		},
		{
			Code: "max_listed", Limit: maxListed, Unit: "frames, and as many findings and errors",
			Proves:    "Bounds what a text report lists, the worst first. What is left out is counted.",
			ProvesNot: "That anything was left unjudged: counts and exit code are of everything.",
			Causes:    []string{"a large archive with many frames that did not meet the policy"},
			Next:      "cgp-attest verify --limit N FILE",
			Then:      "The JSON report lists everything.",
			Rule:      ownRule,
		},
	}
}

// What the renderers of reports enforce. They import this package, so the numbers are told here once more.
const (
	maxEchoed = 128
	maxListed = 1_000
)
