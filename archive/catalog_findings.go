package archive

// findings is the table of findings, and the only place that says how grave each is.
var findings = []Entry{
	{
		Code:     string(FindingRootMismatch),
		Severity: SeverityError,
		Proves: "The root recomputed over all frames carried, in canonical order and under the provider's name, is " +
			"not the one that the result attestation states. No key was asked for. It is said once an answer and " +
			"stands for the root evidence of all its frames.",
		ProvesNot: "Which frame was changed. Frames with signatures of their own are judged by those too.",
		Causes: []string{
			"a frame was edited, dropped or added after the answer was signed",
			"the result attestation belongs to another answer",
			"the answer is a subset that a host kept without saying so: over a subset nothing can recompute the root, and " +
				"with --retained its proofs are judged instead",
			"a signer that keeps the order of arrival, or sorts by UTF-16 units instead of bytes",
		},
		Next: "cgp-attest commit FILE",
		Then: "Compare the number of frames, their order and the root with what the provider computed.",
		Rule: "CGP §6.3, §6.5.3, F12, F13; RFC 6962 §2.1",
	},
	{
		Code:     string(FindingInvalidEvidence),
		Severity: SeverityError,
		Proves: "A signature or an inclusion proof carries a negative verdict, or the result attestation carries " +
			"one other than a root that differs. It is said for each, even where other evidence on the same frame " +
			"verifies.",
		ProvesNot: "That the frame was changed: the verdict says what is wrong.",
		Causes: []string{
			"the frame was edited, or the evidence lifted from another one: commitment_mismatch",
			"another key signed, or the signature was changed: bad_signature",
			"a malformed signature, key, commitment or proof",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "entry and position say where it stands; explain the verdict.",
		Rule: "CGP §6.5.4",
	},
	{
		Code:     string(FindingContentMismatch),
		Severity: SeverityError,
		Proves: "The SHA-256 of a frame's inline content is not the content_digest that it declares. This is " +
			"checked with and without evidence.",
		ProvesNot: "Which of the two was changed. Where evidence on the frame verifies, the digest is the one that " +
			"was signed.",
		Causes: []string{
			"the content was edited, or stored again in another encoding or with other line ends",
			"the digest was edited; then evidence that covers the frame is invalid too",
			"the provider computed the digest over other bytes than the UTF-8 of content",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "detail carries both digests. Ask the provider, or whoever stored the file, for the content again.",
		Rule: "CGP F5, D1",
	},
	{
		Code:     string(FindingProvenanceMismatch),
		Severity: SeverityError,
		Proves: "The bytes that a file link of the frame's provenance addresses under the source root have another SHA-256 than " +
			"the link declares. It is said for each link, with and without evidence on the frame.",
		ProvesNot: "Which of the two was changed: the file may be a later version than the one that the provider read. The " +
			"frame's own content is judged by itself.",
		Causes: []string{
			"the file was edited since, or another version of it is checked out",
			"the file was stored with other line ends: CR is content",
			"a source root that stands for another folder than the provider's",
			"the link was edited; then evidence that covers the frame is invalid too",
		},
		Next: "cgp-attest verify --format json --source-root URI_PREFIX=DIR FILE",
		Then: "detail carries both digests. Bring the folder to the version that the provider served from, and verify again.",
		Rule: "CGP §6.2, F5, F17",
	},
	{
		Code:     string(FindingContradictingProofs),
		Severity: SeverityError,
		Proves: "Two inclusion proofs of a retained answer cannot both be true of one tree: they put different hashes at " +
			"one node, state different numbers of leaves, or give one index to two leaves. It is said once an answer, of " +
			"the first two.",
		ProvesNot: "Which of the two is wrong, or that no signature covers them: two proofs that state different numbers " +
			"of leaves can both lead to the signed root.",
		Causes: []string{
			"a proof that was edited after it was made; then it is invalid_evidence too",
			"a proof of another answer",
			"leaf_count or leaf_index that somebody rewrote",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "detail names both entries. Ask whoever kept the frames for the proofs as they were made.",
		Rule: "CGP §6.5.3, F13; RFC 6962 §2.1.1",
	},
	{
		Code:     string(FindingOrphanEntry),
		Severity: SeverityWarning,
		Proves: "An entry names a frame that the answer does not carry: no frame has the same provider name, id and " +
			"content_digest.",
		ProvesNot: "That a frame was removed, unless a signed root says so too. The entry takes no other frame's place.",
		Causes: []string{
			"a frame was dropped, or its id or content_digest edited",
			"entries for all candidates of a query whose answer was truncated",
			"entries made under another provider name: see provider_mismatch",
		},
		Next: "cgp-attest commit FILE",
		Then: "Compare the identities of the frames carried with the one that detail names.",
		Rule: "CGP F11, F12",
	},
	{
		Code:     string(FindingDuplicateEntry),
		Severity: SeverityWarning,
		Proves: "More entries name one identity than frames carry it. Those count for a frame whose attestation " +
			"signs its commitment or whose proof leads from it to the signed root; where none does, the first.",
		ProvesNot: "That the entries that count are wrong.",
		Causes: []string{
			"a provider that writes an entry twice",
			"an entry that somebody added beside the honest one",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "entry is the first that is too many; the evidence on the frame is what counted.",
		Rule: "CGP F11",
	},
	{
		Code:      string(FindingEmptyEntry),
		Severity:  SeverityWarning,
		Proves:    "An entry has neither an attestation nor an inclusion proof. It asserts nothing.",
		ProvesNot: "That anything was signed. A root over the whole answer covers the frame all the same.",
		Causes: []string{
			"a provider that lists frames which it does not sign",
			"evidence that was removed from its entry",
		},
		Next: "cgp-attest inspect FILE",
		Then: "Compare with the entries that do carry evidence.",
		Rule: "CGP F9, F11",
	},
	{
		Code:     string(FindingMalformedEntry),
		Severity: SeverityWarning,
		Proves: "An entry has no readable FrameId, or frame_attestations is no array. What it holds belongs to no " +
			"frame.",
		ProvesNot: "Anything about the frames: the other entries stand.",
		Causes: []string{
			"frame, provider_id or frame_id is missing, null or of another type",
			"content_digest of the FrameId is neither a string nor null",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "entry counts from 0 in frame_attestations; detail names the member.",
		Rule: "CGP F9, F11",
	},
	{
		Code:      string(FindingUncheckedEvidence),
		Severity:  SeverityWarning,
		Proves:    "Beside evidence that verifies, the answer carries some that could not be checked.",
		ProvesNot: "That it is wrong. What it would say is unknown.",
		Causes: []string{
			"several signers, of which some keys are held here",
			"an algorithm that this run was not told to check",
			"an attestation or a proof with a missing or ill-typed member",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "Explain the state and the reason of the evidence at entry and position.",
		Rule: "CGP F8, F9",
	},
	{
		Code:     string(FindingAmbiguousOrder),
		Severity: SeverityWarning,
		Proves: "Two frames have equal identities and different commitments, so the root depends on the order in " +
			"which they arrived.",
		ProvesNot: "That one of them was tampered with. Nothing that is signed says which of the two came first.",
		Causes: []string{
			"a provider that gives one id and digest to frames with different provenance",
			"a frame that was copied and then edited",
		},
		Next: "cgp-attest commit FILE",
		Then: "The provider has to give such frames ids of their own, and to sign again.",
		Rule: "CGP §6.3, §6.5.3",
	},
	{
		Code:     string(FindingProviderUnknown),
		Severity: SeverityWarning,
		Proves: "Nothing says which provider answered: no handshake_ack precedes the answer in its input, and its " +
			"entries do not all name one. No commitment could be computed.",
		ProvesNot: "That the answer is good, or that it was tampered with.",
		Causes: []string{
			"a saved answer without the session around it",
			"an answer without evidence",
		},
		Next: "cgp-attest verify --provider NAME FILE",
		Then: "NAME is the name that the provider declares in its handshake_ack, never a host's local id.",
		Rule: "CGP §6.5.2",
	},
	{
		Code:     string(FindingProviderMismatch),
		Severity: SeverityWarning,
		Proves: "Entries name another provider than the one that the answer is judged as. Where the evidence is " +
			"right under that other name and no handshake_ack declares it, the answer is unchecked; else those " +
			"entries name no frame of it.",
		ProvesNot: "That the answer was tampered with, or which of the names is the provider's.",
		Causes: []string{
			"a file joined from sessions of two providers",
			"a provider that signs under another name than it declares",
			"provider_id rewritten to a host's local id",
		},
		Next: "cgp-attest verify --provider NAME FILE",
		Then: "Find out, by another way than this file, which name the provider declares, and name that one.",
		Rule: "CGP §6.5.2, F11",
	},
	{
		Code:     string(FindingAttestationInsideFrame),
		Severity: SeverityWarning,
		Proves: "A frame has a member that carries evidence elsewhere. It was not read: evidence stands on the " +
			"result and nowhere else.",
		ProvesNot: "Anything about the frame: such a member is neither good nor bad evidence.",
		Causes: []string{
			"a provider that puts attestations where they are forbidden",
			"a member that somebody added in the hope that a reader takes it for evidence",
		},
		Next: "cgp-attest inspect FILE",
		Then: "The provider has to move the evidence to frame_attestations or result_attestation.",
		Rule: "CGP F6, F11, §6.5.5",
	},
	{
		Code:     string(FindingPublishedKeyConflict),
		Severity: SeverityWarning,
		Proves: "A key_id that this answer uses is published with different bytes in two places, or with other " +
			"bytes than the key that is trusted under it. The trusted key was used; among published ones the one " +
			"given beside the input, else the latest.",
		ProvesNot: "Which of them is the provider's.",
		Causes: []string{
			"someone rewrote attester_keys and signed with another key",
			"a provider that changed its key under one key_id: rotation is a new key_id",
		},
		Next: "cgp-attest inspect FILE",
		Then: "It lists the published keys. Compare them with the one that the provider tells by another way.",
		Rule: "CGP §6.5.4",
	},
	{
		Code:     string(FindingMalformedPublishedKey),
		Severity: SeverityWarning,
		Proves:   "An element of attester_keys cannot be read, or attester_keys is no array.",
		ProvesNot: "Anything about the other keys, which stand, nor about evidence. A weak key can be read: what " +
			"names it is malformed_key.",
		Causes: []string{
			"key_id, algorithm or public_key is missing, null or of another type",
		},
		Next: "cgp-attest inspect FILE",
		Then: "The provider has to publish the key as three strings.",
		Rule: "CGP §6.5.4",
	},
	{
		Code:     string(FindingOpaqueDigest),
		Severity: SeverityWarning,
		Proves: "A frame with inline content declares a content_digest that is not sha256: and 64 lowercase hex " +
			"digits, so the two were not compared.",
		ProvesNot: "That the content is wrong, or right. A signature over such a digest says nothing about the " +
			"bytes in hand.",
		Causes: []string{
			"a provider that writes a short or uppercase digest, or one of another algorithm",
			"content_digest is the empty string",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "Ask the provider for digests in D1 form.",
		Rule: "CGP F5, D1",
	},
	{
		Code:     string(FindingUncomparedContent),
		Severity: SeverityWarning,
		Proves: "Evidence on a frame verifies, the frame declares a content_digest, and no content stands in it: " +
			"nobody compared the two.",
		ProvesNot: "Anything about content that is shown beside the answer: it may be any.",
		Causes: []string{
			"the content was removed from a signed frame",
			"a reference frame with a digest, against P3",
		},
		Next: "cgp-attest inspect FILE",
		Then: "Get the frame with its content, and verify it again.",
		Rule: "CGP P1, P3, D1",
	},
	{
		Code:      string(FindingMalformedIssuedAt),
		Severity:  SeverityWarning,
		Proves:    "issued_at of an attestation is no timestamp in the protocol's form. No decision reads it.",
		ProvesNot: "That the signature is bad: no signature covers issued_at.",
		Causes: []string{
			"an offset in place of Z, a lowercase t or z, a date that does not exist",
			"a rewritten claim",
		},
		Next: "cgp-attest inspect FILE",
		Then: "It shows issued_at as the unverified claim that it is.",
		Rule: "CGP F4, F18",
	},
	{
		Code:     string(FindingProvenanceUnchecked),
		Severity: SeverityWarning,
		Proves: "A file link of the frame's provenance was to be checked against its file and could not be: the file is missing, " +
			"or the link is unverifiable. It is said for each link, and a run that would exit 0 exits 3.",
		ProvesNot: "That the file was changed, or that it was not.",
		Causes: []string{
			"a source root that stands for another folder than the provider's, or lacks its URI_PREFIX",
			"a file that was moved or removed since",
			"a link with a range, a uri or a digest that is not in the protocol's form",
		},
		Next: "cgp-attest verify --format json --source-root URI_PREFIX=DIR FILE",
		Then: "detail gives the reason and the path that was looked for; explain the reason.",
		Rule: "CGP §6.2.1, F5, F17",
	},
	{
		Code:     string(FindingStrippedEvidence),
		Severity: SeverityWarning,
		Proves: "The answer carries no evidence, and its provider publishes keys or signs other answers of the same " +
			"input.",
		ProvesNot: "That there ever was any: signing is optional, and a provider may sign some of its answers.",
		Causes: []string{
			"evidence was removed from the file",
			"a provider that began or ceased to sign within the session",
		},
		Next: "cgp-attest inspect FILE",
		Then: "Compare with the signed answers, and ask whoever stored the file for the answer as it arrived.",
		Rule: "CGP §6.5, F9",
	},
	{
		Code:     string(FindingDuplicateInput),
		Severity: SeverityWarning,
		Proves: "A path of this run leads to a file or folder that the run has read before, or a source stands in two of " +
			"the reports that were merged. A path is judged once, and counted once; of merged reports every answer is counted.",
		ProvesNot: "That two files of different paths differ: copies and hard links are read each.",
		Causes: []string{
			"a folder was named beside a file or a folder in it",
			"shards of an archive that overlap",
		},
		Next: "cgp-attest verify FOLDER",
		Then: "Name each file or folder once; give each shard files of its own.",
		Rule: ownRule,
	},
	{
		Code:     string(FindingDeclaredNameDiffers),
		Severity: SeverityNote,
		Proves: "Evidence verifies under a key that is trusted for a local id, and the provider declares another " +
			"name than that.",
		ProvesNot: "That anything is wrong: a host names its providers as it likes. Commitments are computed under " +
			"the declared name.",
		Causes: []string{
			"a host's own id for the provider",
			"a provider that changed the name that it declares",
		},
		Next: "cgp-attest verify --local-id ID FILE",
		Then: "ID is the one under which you trust the provider; provider_id in the report is the name that it declares.",
		Rule: "CGP §6.5.2",
	},
	{
		Code:      string(FindingEnvelopeAttestationsIgnored),
		Severity:  SeverityNote,
		Proves:    "The envelope has a member that carries evidence on the result. On the envelope none is read.",
		ProvesNot: "That the answer is unsigned: evidence on its result was judged.",
		Causes: []string{
			"a provider or host that follows an older draft",
		},
		Next: "cgp-attest inspect FILE",
		Then: "The provider has to put evidence on the result.",
		Rule: "CGP §6.5.5",
	},
	{
		Code:     string(FindingLeafCountIsAClaim),
		Severity: SeverityNote,
		Proves: "Inclusion proofs of a retained answer verify: so many leaves are proven under the signed root. It is " +
			"said once an answer.",
		ProvesNot: "How many frames the answer had. leaf_count is what the proofs state, and no signature covers it: " +
			"leaf 3 of 5 and leaf 3 of 8 have proofs of one shape.",
		Causes: []string{
			"a host kept a few frames of a signed answer: this is how it has to look",
		},
		Next: "cgp-attest inspect FILE",
		Then: "It draws the tree: which leaves are carried, and which parts are not disclosed.",
		Rule: "CGP §6.5.3, F13",
	},
	{
		Code:     string(FindingFileLinkWithoutDigest),
		Severity: SeverityNote,
		Proves: "A file link of the frame's provenance has no digest of the form sha256: and 64 lowercase hex " +
			"digits, so nothing ties the frame to the bytes of that file.",
		ProvesNot: "That the file is another one now. The link itself is covered by the frame's commitment, as it stands.",
		Causes: []string{
			"a provider that does not hash the files it reads",
			"an uppercase or shortened digest",
		},
		Next: "cgp-attest commit --steps FILE",
		Then: "The encoding of the link shows what of it is signed. The provider has to add the digest.",
		Rule: "CGP F5, D1",
	},
}

// Severity of the finding. An unknown code is an error: it can only make a run worse.
func (c FindingCode) Severity() Severity {
	for i := range findings {
		if findings[i].Code == string(c) {
			return findings[i].Severity
		}
	}
	return SeverityError
}
