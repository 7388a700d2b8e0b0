package archive

// The same holds of every record that cannot be read.
const (
	notJudged = "Anything about what the record holds: nothing of it was judged. The records around it were."
	seeOffset = "offset is where the record starts, at where the fault is, both in bytes from the start of the input."
)

// readErrors is the table of why a source or a record cannot be read.
var readErrors = []Entry{
	{
		Code: string(ErrorUnreadableSource),
		Proves: "The input could not be opened, or reading it ended with an error. Records in front of that place " +
			"were judged. An input that is to be written again byte for byte is unreadable if it is compressed.",
		ProvesNot: "Anything about what stands behind it.",
		Causes: []string{
			"a path that does not exist, or that this user may not read",
			"a device or a file system that fails",
		},
		Next: "cgp-attest verify FILE",
		Then: "detail carries the words of the operating system. Run again once the input can be read.",
		Rule: ownRule,
	},
	{
		Code: string(ErrorCorruptCompression),
		Proves: "The input begins as gzip or zstd does and cannot be decompressed to its end: it is cut, a checksum is " +
			"wrong, its data is malformed, or other bytes stand behind its last member. Records in front of that " +
			"place were judged.",
		ProvesNot: "Anything about what stands behind it. A checksum that is right says nothing of who wrote the input.",
		Causes: []string{
			"a writer that was interrupted, or a copy that is not complete",
			"a file damaged where it was stored, or joined with another that is not compressed",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "at is how many bytes came out, detail what is wrong with those behind them.",
		Rule: "RFC 1952; RFC 8878",
	},
	{
		Code: string(ErrorExpansionLimit),
		Proves: "A compressed input gives more bytes for each of its own than the limit max_expansion, or wants more " +
			"memory than the limit max_window. It ends there; records in front of that place were judged.",
		ProvesNot: "Anything about what stands behind it.",
		Causes: []string{
			"an input made to exhaust its readers",
			"a file compressed with zstd --long or --ultra, which want a larger window",
		},
		Next: "cgp-attest explain max_window",
		Then: "detail says which limit it is. Decompress an input that you trust with other means, and verify what comes out.",
		Rule: "RFC 8878 §3.1.1.1.2, §8",
	},
	{
		Code:      string(ErrorByteOrderMark),
		Proves:    "The input starts with the bytes EF BB BF. The first record is unreadable, whatever it is.",
		ProvesNot: notJudged,
		Causes:    []string{"an editor or a script that writes UTF-8 with a byte order mark"},
		Next:      "cgp-attest verify FILE",
		Then:      "Save the file without the mark: it stands in front of every message and belongs to none.",
		Rule:      "RFC 8259 §8.1",
	},
	{
		Code:      string(ErrorInvalidUTF8),
		Proves:    "The record holds a byte that belongs to no UTF-8 character.",
		ProvesNot: notJudged,
		Causes: []string{
			"a file stored in another encoding, or cut inside a character",
			"binary content that was put into a string",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: seeOffset,
		Rule: "RFC 8259 §8.1; RFC 7493 §2.1",
	},
	{
		Code:      string(ErrorSyntax),
		Proves:    "The record is no JSON.",
		ProvesNot: notJudged,
		Causes: []string{
			"log lines or other text between the records",
			"JSON with comments, trailing commas or single quotes",
			"a record damaged where it was stored",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: seeOffset,
		Rule: "RFC 8259 §2",
	},
	{
		Code:      string(ErrorCut),
		Proves:    "The input ends inside a record or inside a top-level array.",
		ProvesNot: notJudged,
		Causes: []string{
			"a writer that was interrupted, or a copy that is not complete",
			"a bracket that is missing somewhere in front",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: seeOffset,
		Rule: "RFC 8259 §2",
	},
	{
		Code: string(ErrorDuplicateMember),
		Proves: "An object has two members of one name, compared after unescaping. Readers differ in which of them " +
			"they take.",
		ProvesNot: notJudged,
		Causes: []string{
			"a writer that adds a member without looking",
			"a file made to show different content to different readers",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "at is the place of the second name.",
		Rule: "RFC 8259 §4; RFC 7493 §2.3",
	},
	{
		Code: string(ErrorLoneSurrogate),
		Proves: "A string has a \\u escape for half of a character. It is no Unicode text, and readers differ in " +
			"what they make of it.",
		ProvesNot: notJudged,
		Causes:    []string{"a writer that cuts strings by UTF-16 units"},
		Next:      "cgp-attest verify --format json FILE",
		Then:      seeOffset,
		Rule:      "RFC 8259 §8.2; RFC 7493 §2.1",
	},
	{
		Code: string(ErrorTrailingBytes),
		Proves: "On the line on which the record ends something follows that starts no object or array. Nothing of " +
			"the record is judged.",
		ProvesNot: notJudged,
		Causes: []string{
			"a comma or other text between records that are no elements of an array",
			"two writers in one file",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: seeOffset,
		Rule: "RFC 8259 §2",
	},
	{
		Code:      string(ErrorTooDeep),
		Proves:    "The record is nested deeper than the limit max_depth, members that nobody reads included.",
		ProvesNot: notJudged,
		Causes:    []string{"a record made to exhaust its readers", "a member of a provider's own that nests deeply"},
		Next:      "cgp-attest explain max_depth",
		Then:      seeOffset,
		Rule:      "RFC 8259 §9",
	},
	{
		Code:      string(ErrorTooLarge),
		Proves:    "The record has more bytes than the limit max_record.",
		ProvesNot: notJudged,
		Causes:    []string{"an answer with large content", "a closing bracket that is missing, so that records run together"},
		Next:      "cgp-attest explain max_record",
		Then:      seeOffset,
		Rule:      "RFC 8259 §9",
	},
	{
		Code:      string(ErrorTooManyMembers),
		Proves:    "An object has more members than the limit max_members, or the objects that are open at one place have more than max_open_members.",
		ProvesNot: notJudged,
		Causes:    []string{"a record made to exhaust its readers", "a map that is stored as one object"},
		Next:      "cgp-attest explain max_members",
		Then:      seeOffset,
		Rule:      "RFC 8259 §9",
	},
	{
		Code:      string(ErrorTooManyFrames),
		Proves:    "An answer has more frames than the limit max_frames, or more entries in frame_attestations.",
		ProvesNot: notJudged,
		Causes:    []string{"answers that were joined into one", "a record made to exhaust its readers"},
		Next:      "cgp-attest explain max_frames",
		Then:      seeOffset,
		Rule:      "RFC 8259 §9",
	},
	{
		Code:      string(ErrorTooManyLinks),
		Proves:    "A frame has more provenance links than the limit max_links, or an answer more than max_answer_links.",
		ProvesNot: notJudged,
		Causes:    []string{"a provider that lists every source of an index", "a record made to exhaust its readers"},
		Next:      "cgp-attest explain max_links",
		Then:      seeOffset,
		Rule:      "RFC 8259 §9",
	},
	{
		Code: string(ErrorNotAMessage),
		Proves: "The record is JSON and neither a message nor a result: it is no object, or has no string type or " +
			"format and no frames array. record takes messages alone: to it a result, an archive line and a retained " +
			"subset are none either.",
		ProvesNot: notJudged,
		Causes: []string{
			"a file of another kind",
			"a message whose type is missing or no string",
			"frames taken out of their result",
		},
		Next: "cgp-attest inspect FILE",
		Then: "Compare with the records that were read.",
		Rule: ownRule,
	},
	{
		Code:      string(ErrorUnsupportedFormat),
		Proves:    "The record names a format, or a version of one, that is not read here.",
		ProvesNot: notJudged,
		Causes: []string{
			"a record written by a newer version",
			"a file of another kind, such as keys or a report",
		},
		Next: "cgp-attest version",
		Then: "detail names the format. See whether a newer version reads it.",
		Rule: ownRule,
	},
	{
		Code: string(ErrorMalformedRecord),
		Proves: "A frames message has no result object with a frames array, an archive line no envelope that is a " +
			"message, or a retained subset no provider_id or no such result.",
		ProvesNot: notJudged,
		Causes: []string{
			"result or frames is missing, null or of another type",
			"an archive line around something that is no message, or whose local_id or received_at is no string",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "detail names the member.",
		Rule: ownRule,
	},
	{
		Code:      string(ErrorMalformedHandshake),
		Proves:    "A handshake_ack has no string provider.name, so it declares no provider.",
		ProvesNot: notJudged,
		Causes:    []string{"provider or its name is missing, null or of another type"},
		Next:      "cgp-attest verify --provider NAME FILE",
		Then: "Answers behind it are judged under the next name that is found; NAME is the one that the provider " +
			"declares.",
		Rule: "CGP §6.5.2",
	},
}
