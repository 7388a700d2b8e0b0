package testvectors

// A Flag names the class of bug that a case is there to find.
type Flag struct {
	Name     string
	Meaning  string // what the case is about
	BugClass string // what an implementation gets wrong
	Effect   string // what comes of it
	Rule     string // of the specification
}

func (f *Flag) object() Object {
	return object("meaning", f.Meaning, "bug_class", f.BugClass, "effect", f.Effect, "rule", f.Rule)
}

// Flags returns every flag, in the order in which files list them.
func Flags() []Flag { return flags }

// What comes of the bugs.
const (
	effectTampered = "honest evidence is reported as tampered"
	effectForged   = "evidence that proves nothing is accepted"
	effectDisagree = "two readers of one message disagree"
	effectExpired  = "a key out of service is used, or one in service is not"
)

var flags = []Flag{
	{"AbsentEmpty", "an absent and an empty string", "one encoded as the other", effectTampered, "§6.5.1"},
	{"LengthUnit", "strings whose length differs in bytes, code points and UTF-16 units", "a length that is not the number of UTF-8 bytes", effectTampered, "§6.5.1"},
	{"ByteOrder", "lengths as four bytes", "the low byte first", effectTampered, "§6.5.1"},
	{"LongText", "lengths at the edges of one and two bytes", "a length cut to 16 bits", effectTampered, "§6.5.1"},
	{"Unchanged", "strings that must not be normalised, trimmed or cut", "normalisation, a NUL that ends a string", effectTampered, "§6.5.1"},
	{"FieldPlace", "the same text in another field", "fields left out, or in another order", effectForged, "§6.5.1"},
	{"LinkChain", "links inserted, dropped, moved, doubled and edited", "a chain that does not bind each link at its place", effectForged, "§6.5.2"},
	{"EmptyChain", "no provenance", "no head, or another one, for a chain without links", effectTampered, "§6.5.2"},
	{"Identity", "another frame id, provider or digest", "a commitment that does not bind the whole identity", effectForged, "§6.5.2"},
	{"LocalID", "the host's id for a provider beside the name that it declares", "the two mixed up", effectTampered, "§6.5.2"},
	{"NotCovered", "members that no commitment covers", "a member hashed that is not covered, or the reverse", effectTampered, "§6.5.2"},
	{"MemberCase", "member names in another case", "names compared without regard to case", effectDisagree, "U1"},
	{"MalformedFrame", "frames that have no commitment", "a frame repaired instead of refused", effectDisagree, "§6.5.2"},
	{"Content", "content beside its digest", "content not compared, or compared in another form", effectForged, "D1"},
	{"DigestForm", "digests that are not sha256: and 64 lowercase digits", "another spelling taken for the same digest", effectDisagree, "D1"},
	{"OrderUnit", "strings whose order differs in UTF-8 and UTF-16", "strings compared as UTF-16 units or by a locale", effectTampered, "§6.3"},
	{"AbsentFirst", "identities with and without a digest", "absent behind present, or equal to the empty string", effectTampered, "§6.3"},
	{"StableTies", "equal identities", "a sort that is not stable", effectTampered, "§6.3"},
	{"TreeShape", "trees of every small size", "another tree than RFC 6962's", effectTampered, "§6.5.3"},
	{"Prefixes", "leaves against inner nodes", "one prefix for both, or none", effectForged, "§6.5.3"},
	{"EmptyRoot", "an answer without frames", "RFC 6962's own empty root", effectTampered, "§6.5.3"},
	{"ProofShape", "proofs of another length or with another side", "a path that is followed as it states itself", effectForged, "§6.5.3"},
	{"ProofCount", "leaf_count against the frames carried", "a count that nobody compares", effectForged, "§6.5.3"},
	{"BigInteger", "indexes and counts near 2^53, 2^63 and 2^64", "overflow, or integers as floating point numbers", effectDisagree, "§6.5.3"},
	{"NumberSpelling", "numbers spelt 7.0, 7e0 and -0", "numbers that are rounded into integers", effectDisagree, "§6.5.3"},
	{"MissingMember", "members missing, null or of another type", "a default where a member is missing", effectDisagree, "§6.5.4"},
	{"SignatureBytes", "signatures with one bit, byte or half changed", "a part of the signature that is not checked", effectForged, "§6.5.4"},
	{"SignedMessage", "something else signed than the 32 bytes", "a prehash, hex text, another message", effectTampered, "§6.5.4"},
	{"OtherKey", "a signature under another key", "any key of the provider tried", effectForged, "F7"},
	{"SmallOrder", "keys and R of small order", "keys under which one signature fits every message", effectForged, "§6.5.4"},
	{"MixedOrder", "keys with a part of small order", "the equation with cofactor, or a key that is wrongly refused", effectDisagree, "§6.5.4"},
	{"NonCanonical", "encodings of points that are not reduced, or of none", "two encodings of one point", effectDisagree, "§6.5.4"},
	{"ScalarRange", "S at and above the group order", "malleable signatures", effectDisagree, "§6.5.4"},
	{"HexForm", "uppercase, odd, short and long hex", "a decoder that takes more than lowercase digits", effectDisagree, "§6.5.4"},
	{"Algorithm", "names of algorithms, and keys of another one", "a name that is not compared exactly, a key used with another algorithm", effectForged, "F8"},
	{"Precedence", "two and three faults at once", "another verdict for the same evidence", effectDisagree, "§6.5.4"},
	{"Unsigned", "members of an attestation that no signature covers", "a decision that reads them", effectForged, "F18"},
	{"IdentityOnly", "a signature over a frame without a digest", "identity taken for content", effectForged, "F14"},
	{"KeyForm", "one key in hex, PEM, OpenSSH and JWK", "a form read as another key, or a weak key taken", effectForged, "§6.5.4"},
	{"PrivateKey", "files of signing keys: OpenSSH, PKCS#8 and seeds, whole and broken", "a seed taken from a file whose parts contradict each other", effectForged, "§6.5.4"},
	{"Published", "lists of keys that providers publish", "a list that is read in part", effectForged, "§6.5.4"},
	{"TrustEdit", "changes of a trust file", "a key that is replaced, or a window that is opened, by adding a key again", effectForged, "§6.5.4"},
	{"Compressed", "gzip and zstd, whole, cut and damaged", "what is behind a fault taken for the whole, or what is in front of it lost", effectDisagree, "§6.5"},
	{"FileBytes", "files that provenance names, read again", "other bytes compared than those addressed, or none", effectForged, "F17"},
	{"ArchiveLine", "messages as lines of an archive", "a message changed by writing it down", effectTampered, "§6.5"},
	{"TrustRule", "trust files that break one rule", "a file that is loaded in part", effectForged, "§6.5.4"},
	{"Limit", "values at and over a limit", "a limit that is off by one, or none", effectDisagree, "§6.5.4"},
	{"WindowEnd", "instants at the ends of a window", "an end that is not included", effectExpired, "§6.5.4"},
	{"Instant", "spellings of instants, and their order", "a parser that takes or drops more than F4 has", effectExpired, "F4"},
	{"RangeForm", "spellings of ranges", "the whole file for a range that cannot be read", effectForged, "F17"},
	{"RangeLines", "which bytes lines are", "CR as a line end, a last line too many", effectTampered, "F17"},
	{"DuplicateMember", "two members of one name", "the first or the last taken", effectDisagree, "§6.5"},
	{"InvalidText", "bytes that are no UTF-8, lone surrogates, a byte order mark", "a replacement character where evidence was", effectDisagree, "§6.5"},
	{"Framing", "several values in one input, whole and cut", "one bad record that hides the others", effectDisagree, "§6.5"},
	{"RecordKind", "what a record is", "an answer passed over, or a record taken for an answer", effectDisagree, "§6.5"},
	{"EntryMatch", "entries that name other frames, none or several", "an entry matched by its place or its id alone", effectForged, "F11"},
	{"RootCover", "a root over all frames carried", "a root that is taken for some of them", effectForged, "F12"},
	{"Policy", "evidence and what a policy demands", "evidence of a lower tier called good", effectForged, "F7"},
	{"Retained", "a part of a signed answer", "a part judged as the whole, or the reverse", effectTampered, "F13"},
	{"Signing", "what a signer writes, and what it refuses", "a signature over something else, or over what may not be signed", effectTampered, "§6.5.4"},
	{"Representation", "full, compact and reference frames", "a frame signed that breaks the rules of its representation", effectDisagree, "P1"},
	{"Publishing", "a key in a handshake_ack", "a key_id given to another key", effectForged, "§6.5.4"},
	{"OwnFormat", "signing in two steps, in formats of cgp-attest", "a request or signatures taken that belong to something else", effectForged, "§6.5.4"},
}
