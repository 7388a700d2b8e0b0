package testvectors

import (
	"crypto/ed25519"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A served answer is what a provider sends: frames, and evidence over them.
type served struct {
	provider   string
	key        ed25519.PrivateKey
	keyID      string
	frames     []Object
	signFrames bool
	signRoot   bool // with a proof for every frame
	noProofs   bool
}

// contentFrame is a frame with content and its digest.
func contentFrame(id, content string) Object {
	return object("id", id, "kind", "doc", "title", "T", "content", content, "content_digest", digestOf(content),
		"provenance", List{object("type", "record", "uri", "context://docs/"+id)})
}

func (s served) attest(d commitment.Digest) Object {
	return attestationOver(s.key, d).with("key_id", s.keyID).with("attester_id", s.provider)
}

// result is the result of the answer's message.
func (s served) result() Object {
	identities, commitments := make([]commitment.FrameID, len(s.frames)), make([]commitment.Digest, len(s.frames))
	for i, f := range s.frames {
		frame := frameOf(f)
		identities[i], commitments[i] = frame.Identity(s.provider), commitmentOf(s.provider, f)
	}
	order := commitment.CanonicalOrder(identities)
	leafOf := make([]uint64, len(s.frames))
	var leaves []commitment.Digest
	for k, i := range order {
		leafOf[i] = uint64(k)
		leaves = append(leaves, commitments[i])
	}
	tree := merkle.NewTree(leaves)
	frames, entries := List{}, List{}
	for i, f := range s.frames {
		frames = append(frames, f)
		var digest any
		if text, present := identities[i].ContentDigest.Text(); present {
			digest = text
		}
		entry := object("frame", identity(s.provider, identities[i].FrameID, digest))
		if s.signFrames {
			entry = append(entry, Member{"attestation", s.attest(commitments[i])})
		}
		if s.signRoot && !s.noProofs {
			p, err := tree.Prove(leafOf[i])
			if err != nil {
				panic(err)
			}
			entry = append(entry, Member{"inclusion_proof", proofObject(&p)})
		}
		if len(entry) > 1 {
			entries = append(entries, entry)
		}
	}
	r := object("frames", frames, "truncated", false)
	if len(entries) > 0 {
		r = append(r, Member{"frame_attestations", entries})
	}
	if s.signRoot {
		r = append(r, Member{"result_attestation", s.attest(tree.Root())})
	}
	return r
}

// message is the answer's message, and session a handshake_ack in front of it.
func (s served) message() string {
	return string(marshal(object("type", "frames", "id", "q1", "result", s.result())))
}

func (s served) ack(keys ...Object) string {
	o := object("type", "handshake_ack", "protocol_version", "contextgraph/1.0", "provider", object("name", s.provider))
	list := List{}
	for _, k := range keys {
		list = append(list, k)
	}
	if len(list) > 0 {
		o = append(o, Member{"attester_keys", list})
	}
	return string(marshal(o))
}

func (s served) session() string { return s.ack() + "\n" + s.message() + "\n" }

func publishedKey(keyID string, k ed25519.PrivateKey) Object {
	return object("key_id", keyID, "algorithm", "ed25519", "public_key", publicHex(k))
}

func trustedKey(localID, keyID string, k ed25519.PrivateKey, more ...any) Object {
	o := append(object("local_id", localID), publishedKey(keyID, k)...)
	return append(o, object(more...)...)
}

const docs, docsKey = "docs", "docs-2026-08"

// documents is the answer that most cases are about: three frames, out of canonical order.
func documents() served {
	return served{provider: docs, key: seeded(1), keyID: docsKey, frames: []Object{
		contentFrame("opening", "open until 18"), contentFrame("address", "Main Street 1"), contentFrame("phone", "555 0100"),
	}}
}

func generateAnswer(c *class) {
	c.rules, c.flags = []string{"§6.5"}, []string{"EntryMatch"}
	const why = "Every piece of evidence is judged on its own; a frame's state follows from its evidence and its content."
	trusted := List{trustedKey(docs, docsKey, seeded(1))}
	root, frames, both := documents(), documents(), documents()
	root.signRoot, frames.signFrames, both.signRoot, both.signFrames = true, true, true, true
	only := root
	only.noProofs = true
	for _, a := range []struct {
		slug, title string
		s           served
	}{
		{"root", "a root and proofs", root}, {"frames", "a signature for every frame", frames}, {"both", "both", both}, {"root-only", "a signed root and no entries", only}, {"unsigned", "no evidence", documents()},
	} {
		c.pass("answer-"+a.slug, a.title, why, "answer", object("text", a.s.session(), "trusted", trusted), flagged("EntryMatch", "RootCover"))
	}
	empty := only
	empty.frames = nil
	c.pass("answer-empty", "no frames, and a signed root", "The root of no frames is one that can be signed.", "answer", object("text", empty.session(), "trusted", trusted), flagged("EmptyRoot"))
	generateTampering(c)
	generateAnswerKeys(c)
	generateAnswerPolicy(c)
	generateAnswerProviders(c)
	generateAnswerEntries(c)
	generateAnswerPieces(c)
	generateRetained(c)
}

// unnoticed is the answer of who does not notice a change: that to the base.
func (c *class) unnoticed(base, cause string) option {
	if from := c.cases[base]; from != nil {
		return near(cause, from.Expect)
	}
	return func(*Case) {}
}

// without asks the library itself with another input: what an implementation answers that judges as if the question were that.
func asIf(cause string, in Object) option { return near(cause, Answer("answer", in)) }

// withFindings is an answer whose first judged answer has other findings.
func withFindings(r Result, codes ...string) Result {
	v, err := edit(r.Value, []string{"answers", "0", "findings"}, func(any) (any, error) { return texts(codes), nil })
	if err != nil {
		panic(err)
	}
	return Result{Value: v}
}

func generateTampering(c *class) {
	const why = "What was changed after it was signed is named, and what was not is not."
	tamper := func(base, slug, title string, m Mutation, opts ...option) {
		c.twist("answer-"+base, "answer-"+base+"-"+slug, title, why, m, append([]option{flagged("Identity", "Content")}, opts...)...)
	}
	for _, base := range []string{"root", "frames", "both", "root-only"} {
		id := "answer-" + base
		tamper(base, "content", "content of one frame changed", c.edited(id, "until 18", "until 22"), c.unnoticed(id, causeContentUnchecked), flagged("Content"))
		tamper(base, "link", "a link of one frame edited", c.edited(id, `context://docs/opening`, `context://docs/0pening`), c.unnoticed(id, causeLinkEdited), flagged("LinkChain"))
		tamper(base, "title", "a title changed", c.edited(id, `"title":"T"`, `"title":"U"`), flagged("NotCovered"))
		tamper(base, "truncated", "truncated changed", c.edited(id, `"truncated":false`, `"truncated":true`), flagged("NotCovered"))
		tamper(base, "envelope-id", "the id of the envelope changed", c.edited(id, `"id":"q1"`, `"id":"q2"`), flagged("NotCovered"))
		tamper(base, "attester", "attester_id and issued_at are not covered", c.edited(id, `"attester_id":"docs"`, `"attester_id":"someone"`), flagged("Unsigned"))
	}
	text, _, _ := c.cases["answer-root-only"].Input.text("text")
	second := string(marshal(documents().frames[1])) + ","
	tamper("root-only", "dropped", "one frame dropped", c.edited("answer-root-only", second, ""), flagged("RootCover"))
	tamper("root", "dropped", "one frame dropped", c.edited("answer-root", second, ""), flagged("RootCover"))
	tamper("frames", "dropped", "one frame dropped", c.edited("answer-frames", second, ""), flagged("RootCover"))
	tamper("root-only", "doubled", "one frame twice", c.edited("answer-root-only", second, second+second), flagged("RootCover"))
	if i := strings.Index(text, second); i < 0 {
		c.fail("answer: the frame to drop is not there")
	}
	proof := `"leaf_count":3`
	tamper("root", "leafcount", "one leaf_count changed to 4", c.edited("answer-root", proof, `"leaf_count":4`), flagged("ProofCount"))
	for _, m := range []struct{ slug, title, old, new string }{
		{"signature", "one digit of a signature", `"signature":"`, `"signature":"0`}, {"upper", "uppercase in signed_commitment", `"signed_commitment":"sha256:`, `"signed_commitment":"SHA256:`},
		{"algorithm", "another algorithm", `"algorithm":"ed25519"`, `"algorithm":"ed448"`}, {"key-id", "a key_id that nobody holds", `"key_id":"docs-2026-08"`, `"key_id":"other"`},
		{"missing-signature", "no signature", `"signature"`, `"signatur"`}, {"null-issued", "issued_at that is null", `"issued_at":"2026-08-29T12:00:00Z"`, `"issued_at":null`},
		{"issued-malformed", "issued_at that is no instant", `"issued_at":"2026-08-29T12:00:00Z"`, `"issued_at":"yesterday"`},
	} {
		tamper("frames", m.slug, m.title, c.edited("answer-frames", m.old, m.new), flagged("SignatureBytes"))
		tamper("root", m.slug, m.title, c.edited("answer-root", m.old, m.new), flagged("SignatureBytes"))
	}
	seven := documents()
	seven.signRoot = true
	for _, n := range []string{"d", "e", "f", "g"} {
		seven.frames = append(seven.frames, contentFrame("zz-"+n, "content "+n))
	}
	c.pass("answer-seven", "seven frames under a root", why, "answer", object("text", seven.session(), "trusted", List{trustedKey(docs, docsKey, seeded(1))}), flagged("ProofCount"))
	m := c.edited("answer-seven", `"leaf_index":3,"leaf_count":7`, `"leaf_index":3,"leaf_count":8`)
	c.twist("answer-seven", "answer-seven-leafcount-8", "leaf 3 of a tree of 8, of which 7 are carried", "Leaf 3 has the same shape for 7 and 8: only the number of frames tells.", m,
		c.unnoticed("answer-seven", causeCountUnchecked), flagged("ProofCount"))
}

func generateAnswerKeys(c *class) {
	const why = "A trusted key settles who signed, a published one only that the evidence is built as specified."
	s := documents()
	s.signRoot = true
	key := seeded(1)
	session := s.ack(publishedKey(docsKey, key)) + "\n" + s.message() + "\n"
	in := object("text", session, "trusted", List{trustedKey(docs, docsKey, key)})
	c.pass("answer-key-trusted", "a trusted key that is published too", why, "answer", in, flagged("Policy"))
	c.twist("answer-key-trusted", "answer-key-published-only", "the key in the session alone", "Whoever can rewrite the input can rewrite the keys in it.", removed("/trusted"),
		asIf(causeTierIgnored, object("text", session, "require", constructed)), flagged("Policy"))
	c.twist("answer-key-published-only", "answer-key-constructed", "the same where constructed is enough", why, added("/require", constructed), flagged("Policy"))
	c.twist("answer-key-trusted", "answer-key-other-trusted", "another key trusted under that key_id", "The trusted key hides every published one under its id.",
		replace("/trusted/0/public_key", publicHex(seeded(2))), near(causePublishedFirst, withFindings(Answer("answer", object("text", session)), publishedKeyConflict)), flagged("OtherKey"))
	c.twist("answer-key-trusted", "answer-key-other-local", "the key trusted for another provider", why, replace("/trusted/0/local_id", "code"), flagged("Policy"))
	c.twist("answer-key-trusted", "answer-key-any", "the key trusted for every provider", why, replace("/trusted/0/local_id", "*"), flagged("Policy"))
	c.twist("answer-key-trusted", "answer-key-pinned", "the key merely pinned", why, added("/trusted/0/tier", pinned),
		asIf(causeTierIgnored, in.with("trusted", List{trustedKey(docs, docsKey, key, "tier", pinned)}).with("require", pinned)), flagged("Policy"))
	c.twist("answer-key-pinned", "answer-key-pinned-enough", "the same where pinned is enough", why, added("/require", pinned), flagged("Policy"))
	c.pass("answer-key-given", "a published key that is given beside the input", why, "answer", object("text", s.session(), "published", List{append(object("provider", docs), publishedKey(docsKey, key)...)}), flagged("Policy"))
	c.twist("answer-key-given", "answer-key-given-any", "a published key of every provider", why, replace("/published/0/provider", "*"), flagged("Policy"))
	c.twist("answer-key-given", "answer-key-given-attested", "a published key where attested is demanded", why, added("/require", attested), asIf(causeTierIgnored, object("text", s.session(), "published", List{append(object("provider", docs), publishedKey(docsKey, key)...)})), flagged("Policy"))
	c.twist("answer-key-given", "answer-key-given-upper", "a published key in uppercase digits", "A published key that is malformed gives what names it malformed_key.", replace("/published/0/public_key", strings.ToUpper(publicHex(key))), c.unnoticed("answer-key-given", causeUppercase), flagged("HexForm"))
	c.twist("answer-key-given", "answer-key-given-weak", "a published key of small order", "A published key that is weak gives what names it malformed_key.", replace("/published/0/public_key", "01"+strings.Repeat("0", 62)), flagged("SmallOrder"))

	const window = "A window is compared with the instant of receipt, never with issued_at."
	windowed := object("text", s.session(), "trusted", List{trustedKey(docs, docsKey, key, "not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z")}, "received_at", "2026-09-01T00:00:00Z")
	c.pass("answer-window", "received inside the key's window", window, "answer", windowed, flagged("WindowEnd"))
	late := []option{c.unnoticed("answer-window", causeWindowIgnored), c.unnoticed("answer-window", causeIssuedAt), flagged("WindowEnd")}
	c.twist("answer-window", "answer-window-late", "received after the window", window, replace("/received_at", "2027-08-01T00:00:00Z"), late...)
	c.twist("answer-window", "answer-window-early", "received before the window", window, replace("/received_at", "2026-07-31T23:59:60Z"), late...)
	c.twist("answer-window", "answer-window-no-instant", "no instant of receipt", window, removed("/received_at"), c.unnoticed("answer-window", causeWindowIgnored), flagged("WindowEnd"))
	c.twist("answer-window", "answer-window-issued-early", "issued before the window, received inside", window, c.edited("answer-window", `"issued_at":"2026-08-29`, `"issued_at":"2020-08-29`),
		c.unnoticed("answer-window-early", causeIssuedAt), flagged("WindowEnd", "Unsigned"))

	rotated := s.ack(publishedKey(docsKey, seeded(3))) + "\n" + s.ack(publishedKey(docsKey, key)) + "\n" + s.message() + "\n"
	c.pass("answer-key-conflict", "one key_id published with two keys", "Rotation is a new key_id; under one key_id the latest bytes count, and it is said.", "answer", object("text", rotated, "require", constructed), flagged("OtherKey"))
	after := s.ack(publishedKey(docsKey, key)) + "\n" + s.message() + "\n" + s.ack(publishedKey(docsKey, seeded(3))) + "\n"
	c.pass("answer-key-later-ack", "another key published behind the answer", "A handshake_ack counts for what stands behind it.", "answer", object("text", after, "require", constructed), flagged("OtherKey"))
	bad := s.ack(publishedKey(docsKey, key), object("key_id", "x", "algorithm", "ed25519")) + "\n" + s.message() + "\n"
	c.pass("answer-key-element", "an element of attester_keys that cannot be read", "The other keys stand.", "answer", object("text", bad, "require", constructed), flagged("MissingMember"))
}

func generateAnswerPolicy(c *class) {
	const why = "A frame is good where its best evidence has the tier demanded and its content is what its digest says, unless the policy waives that."
	s := documents()
	s.signFrames = true
	s.frames[0] = s.frames[0].without("content_digest")
	s.frames[1] = s.frames[1].with("content_digest", "sha256:9f2c3e7a1b")
	s.frames[2] = s.frames[2].without("content")
	in := object("text", s.session(), "trusted", List{trustedKey(docs, docsKey, seeded(1))})
	c.pass("answer-policy", "frames without a digest, with an opaque one, and without content", why, "answer", in, flagged("Policy", "IdentityOnly"))
	c.twist("answer-policy", "answer-policy-identity", "identity is enough", why, added("/allow_identity_only", true), flagged("Policy", "IdentityOnly"))
	c.twist("answer-policy", "answer-policy-opaque", "an opaque digest is enough", why, added("/allow_opaque_digest", true), flagged("Policy", "DigestForm"))
	c.twist("answer-policy-identity", "answer-policy-both", "both are enough; nothing waives content that is missing under a digest", why, added("/allow_opaque_digest", true), flagged("Policy"))
	c.twist("answer-policy-both", "answer-policy-tier", "nothing lowers the tier", why, added("/trusted/0/tier", pinned), flagged("Policy"))
}

func generateAnswerProviders(c *class) {
	const why = "Commitments are made under the declared name; trust is looked up under the local id."
	s := documents()
	s.signFrames, s.frames = true, s.frames[:1]
	trusted := List{trustedKey("d1", docsKey, seeded(1))}
	local := c.pass("answer-local-id", "a provider that the host knows under another name", why, "answer", object("text", s.session(), "trusted", trusted, "local_id", "d1"), flagged("LocalID"))
	local.NearMiss = append(local.NearMiss, NearMiss{localIDAnswer(local, "d1", s.frames[0]), causeLocalIDInCommitment})
	c.twist("answer-local-id", "answer-local-id-missing", "no local id: trust is looked up under the declared name", why, removed("/local_id"), flagged("LocalID"))
	c.twist("answer-local-id", "answer-local-id-other", "another local id", why, replace("/local_id", "d2"), flagged("LocalID"))
	c.pass("answer-entries-name", "no handshake_ack: the name that all entries use", why, "answer", object("text", s.message(), "trusted", trusted, "local_id", "d1"), flagged("LocalID"))
	c.twist("answer-entries-name", "answer-provider-other", "judged as one of another provider", why, added("/provider", "code"), flagged("Identity"))
	c.twist("answer-entries-name", "answer-provider-same", "judged as one of its own provider", why, added("/provider", docs), flagged("Identity"))
	unsigned := documents()
	c.pass("answer-provider-unknown", "no handshake_ack and no entries", "Where nothing says who answered, nothing can be recomputed.", "answer", object("text", unsigned.message(), "trusted", trusted), flagged("Identity"))
	other := s
	other.provider = "code"
	c.pass("answer-provider-mismatch", "a handshake_ack of one provider and evidence of another", "Evidence made under a name that nobody declared is neither good nor tampered with.", "answer",
		object("text", other.ack()+"\n"+s.message()+"\n", "trusted", List{trustedKey("*", docsKey, seeded(1))}), flagged("Identity"))
	root := documents()
	root.signRoot, root.noProofs = true, true
	second := root
	second.provider = "code"
	c.pass("answer-two-acks", "two handshake_acks, and a root of the first", "The name under which the recomputed root is the signed one.", "answer",
		object("text", root.ack()+"\n"+second.ack()+"\n"+root.message()+"\n", "trusted", List{trustedKey(docs, docsKey, seeded(1))}), flagged("Identity"))
	stripped := documents()
	c.pass("answer-stripped", "an answer without evidence of a provider that publishes keys", "Evidence that was taken away leaves no trace in the answer itself.", "answer",
		object("text", stripped.ack(publishedKey(docsKey, seeded(1)))+"\n"+stripped.message()+"\n", "trusted", List{trustedKey(docs, docsKey, seeded(1))}), flagged("EntryMatch"))
}

// localIDAnswer is the answer of who commits under the local id: one frame's signature is over something else.
func localIDAnswer(good *Case, localID string, frame Object) Result {
	v := good.Expect.Value.(Object)
	answer := asked[List](v, "answers")[0].(Object)
	f := asked[List](answer, "frames")[0].(Object)
	evidence := asked[List](f, "evidence")[0].(Object).with("state", invalid).with(memberVerdict, commitmentMismatch)
	f = f.without("tier").with("state", invalid).with("class", negative).
		with("commitment", commitmentOf(localID, frame).String()).with("evidence", List{evidence})
	answer = answer.with("class", negative).with("frames", List{f}).with("findings", List{invalidEvidence})
	return Result{Value: v.with("answers", List{answer}).with("exit_code", integer(1))}
}

func generateAnswerEntries(c *class) {
	const why = "An entry names its frame by the whole triple, never by its place; what fits no frame is told and hides nothing."
	base := "answer-frames"
	frames := documents()
	entry := func(id, content string) string {
		return string(marshal(object("frame", identity(docs, id, digestOf(content)))))[1:]
	}
	first := entry("opening", "open until 18")
	first = first[:len(first)-1]
	twist := func(slug, title, old, new string, flags ...string) {
		c.twist(base, "answer-entry-"+slug, title, why, c.edited(base, old, new), flagged(append([]string{"EntryMatch"}, flags...)...))
	}
	twist("other-id", "an entry whose id is another", first, strings.Replace(first, `"opening"`, `"0pening"`, 1))
	twist("other-provider", "an entry of another provider", first, strings.Replace(first, `"docs"`, `"code"`, 1))
	twist("no-digest", "an entry without the digest", first, strings.Replace(first, `,"content_digest":"`+digestOf("open until 18")+`"`, "", 1), "AbsentEmpty")
	twist("empty-digest", "an entry with an empty digest", first, strings.Replace(first, digestOf("open until 18"), "", 1), "AbsentEmpty")
	twist("frame-null", "an entry without a readable FrameId", first, `"frame":null`, "MissingMember")
	orphan := string(marshal(object("frame", identity(docs, "gone", nil), "attestation", frames.attest(leafAt(0)))))
	twist("orphan-front", "an entry for a frame that is not carried in front of all", `"frame_attestations":[`, `"frame_attestations":[`+orphan+`,`)
	again := string(marshal(object("frame", identity(docs, "opening", digestOf("open until 18")), "attestation", frames.attest(leafAt(0)))))
	twist("again-front", "two more entries for a frame in front of its own, which sign something else", `"frame_attestations":[`, `"frame_attestations":[`+again+`,`+again+`,`)
	twist("empty-front", "an entry with neither member in front", `"frame_attestations":[`, `"frame_attestations":[{`+first+`},`)
	twist("number-front", "an entry that is a number in front", `"frame_attestations":[`, `"frame_attestations":[7,`, "MissingMember")
	twist("list-object", "entries that are an object", `"frame_attestations":[`, `"frame_attestations":{},"x":[`, "MissingMember")
	twist("null", "entries that are null", `"frame_attestations":[`, `"frame_attestations":null,"x":[`, "AbsentEmpty")
	twist("inside-frame", "evidence inside a frame", `"id":"opening"`, `"attestation":{},"id":"opening"`)
	twist("on-envelope", "evidence on the envelope", `"id":"q1"`, `"id":"q1","attestations":[]`)
	swapped := documents()
	swapped.signFrames = true
	r := swapped.result()
	entries := asked[List](r, "frame_attestations")
	lifted := List{
		entries[0].(Object).with("attestation", asked[Object](entries[1].(Object), "attestation")),
		entries[1].(Object).with("attestation", asked[Object](entries[0].(Object), "attestation")), entries[2],
	}
	text := swapped.ack() + "\n" + string(marshal(object("type", "frames", "id", "q1", "result", r.with("frame_attestations", lifted)))) + "\n"
	c.twist(base, "answer-entry-lifted", "the attestations of two frames changed about", "An attestation lifted to another frame signs another commitment.", replace("/text", text),
		c.unnoticed(base, causeOtherFrame), flagged("Identity"))
	twins := documents()
	twins.signFrames, twins.signRoot = true, true
	twins.frames[1] = twins.frames[0]
	c.pass("answer-twins", "two frames that are equal", "Where frames share a triple, an entry counts for those whose commitment it signs.", "answer",
		object("text", twins.session(), "trusted", List{trustedKey(docs, docsKey, seeded(1))}), flagged("StableTies"))
	differing := documents()
	differing.signFrames = true
	differing.frames[1] = differing.frames[0].with("provenance", List{})
	c.pass("answer-ambiguous", "two frames of one identity and different links", "Equal triples with different commitments make the root depend on the order of arrival.", "answer",
		object("text", differing.session(), "trusted", List{trustedKey(docs, docsKey, seeded(1))}), flagged("StableTies"))
}

func generateAnswerPieces(c *class) {
	const why = "A piece that cannot be evaluated degrades its own frame and stops nothing."
	piece := func(base, slug, title, old, new string, flags ...string) {
		c.twist("answer-"+base, "answer-piece-"+base+"-"+slug, title, why, c.edited("answer-"+base, old, new), flagged(flags...))
	}
	for _, base := range []string{"root", "both"} {
		piece(base, "frame-malformed", "a frame without an id", `"id":"opening",`, ``, "MalformedFrame")
		piece(base, "index-fraction", "leaf_index spelt with a fraction", `"leaf_index":1`, `"leaf_index":1.0`, "NumberSpelling")
		piece(base, "index-negative-zero", "leaf_index spelt -0", `"leaf_index":0`, `"leaf_index":-0`, "NumberSpelling")
		piece(base, "count-huge", "leaf_count of 2^64−1", `"leaf_count":3`, `"leaf_count":18446744073709551615`, "BigInteger")
		piece(base, "count-over", "leaf_count of 2^64", `"leaf_count":3`, `"leaf_count":18446744073709551616`, "BigInteger")
		piece(base, "proof-null", "a proof that is null", `"inclusion_proof":{`, `"inclusion_proof":null,"x":{`, "MissingMember")
		piece(base, "root-null", "a result_attestation that is null", `"result_attestation":{`, `"result_attestation":null,"x":{`, "MissingMember")
		piece(base, "root-array", "a result_attestation that is an array", `"result_attestation":{`, `"result_attestation":[],"x":{`, "MissingMember")
	}
	piece("root", "duplicate", "a member twice", `"leaf_index":1`, `"leaf_index":0,"leaf_index":1`, "DuplicateMember")
	piece("root", "content-number", "content that is a number", `"content":"open until 18"`, `"content":18`, "MalformedFrame")
	piece("root-only", "frame-malformed", "a frame without an id under a root without entries", `"id":"opening",`, ``, "MalformedFrame")
	piece("unsigned", "frame-malformed", "a frame without an id and no evidence", `"id":"opening",`, ``, "MalformedFrame")
	piece("unsigned", "content", "content of an unsigned frame changed", "until 18", "until 22", "Content")
	c.twist("answer-root", "answer-broken-in-front", "a broken record in front", "One bad record never hides the others.", Mutation{Path: "/input/text", Insert: []byte("{\"type\":}\n")}, flagged("Framing"))
	c.twist("answer-root", "answer-nothing", "an empty input", "Where nothing is, nothing is good.", replace("/text", ""), flagged("Framing"))
	c.twist("answer-root", "answer-no-answer", "a session without an answer", "Where nothing is, nothing is good.", replace("/text", documents().ack()+"\n"), flagged("Framing"))
}

func generateRetained(c *class) {
	const why = "A retained part carries proofs for what it kept; how many frames there were is the provider's claim."
	s := documents()
	s.signRoot = true
	r := s.result()
	frames, entries := asked[List](r, "frames"), asked[List](r, "frame_attestations")
	part := r.with("frames", List{frames[0], frames[2]}).with("frame_attestations", List{entries[0], entries[2]})
	record := string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", part)))
	trusted := List{trustedKey(docs, docsKey, seeded(1))}
	c.pass("answer-evidence", "two of three frames as cgp-evidence/1", why, "answer", object("text", record, "trusted", trusted), flagged("Retained"))
	c.twist("answer-evidence", "answer-evidence-no-frames", "cgp-evidence/1 without frames, under a root that verifies", "No root is recomputed of a retained part: that some root is signed says nothing of an answer without frames.",
		replace("/text", string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", part.with("frames", List{}).without("frame_attestations"))))), flagged("Retained", "EmptyRoot"))
	message := s.ack() + "\n" + string(marshal(object("type", "frames", "id", "q1", "result", part))) + "\n"
	whole := object("text", message, "trusted", trusted, "retained", false)
	c.pass("answer-part-as-whole", "two of three frames in a message", "In a message the frames are the whole answer: the root is another.", "answer", whole, flagged("Retained"))
	c.twist("answer-part-as-whole", "answer-part-retained", "the same judged as a retained part", why, replace("/retained", true), asIf(causePartAsWhole, whole), flagged("Retained"))
	base := "answer-evidence"
	for _, m := range []struct{ slug, title, old, new, flag string }{
		{"content", "content changed", "until 18", "until 22", "Content"}, {"count", "a count below the frames carried", `"leaf_count":3`, `"leaf_count":1`, "ProofCount"},
		{"count-claim", "one count of two changed", `"leaf_count":3`, `"leaf_count":4`, "ProofCount"}, {"no-proof", "a frame without its proof", `"inclusion_proof":{"leaf_index":1`, `"x":{"leaf_index":1`, "Retained"},
		{"provider", "another provider_id", `"provider_id":"docs","result"`, `"provider_id":"code","result"`, "Identity"}, {"root-key", "another key_id", `"key_id":"docs-2026-08"`, `"key_id":"x"`, "OtherKey"},
	} {
		c.twist(base, "answer-evidence-"+m.slug, m.title, why, c.edited(base, m.old, m.new), flagged("Retained", m.flag))
	}
	moreJudged(c)
}

func generateRetain(c *class) {
	c.rules, c.flags = []string{"F13", "§6.5.3"}, []string{"Retained"}
	const why = "Before the rest is dropped, proofs are made for what is kept: afterwards nothing can recompute the root."
	s := documents()
	s.signRoot = true
	for _, n := range []string{"d", "e", "f", "g"} {
		s.frames = append(s.frames, contentFrame("zz-"+n, "content "+n))
	}
	keep := func(ids ...any) List { return ids }
	in := object("text", s.session(), "keep", keep("phone"))
	c.pass("retain-one", "one of seven frames", why, "retain", in)
	all := keep("opening", "address", "phone", "zz-d", "zz-e", "zz-f", "zz-g")
	for _, m := range []struct {
		slug, title string
		keep        List
	}{
		{"two", "two frames, named in another order", keep("zz-g", "opening")}, {"all", "all frames", all}, {"last", "the last leaf", keep("zz-g")}, {"first", "the first leaf", keep("address")},
		{"middle", "leaf 3", keep("zz-d")},
	} {
		c.twist("retain-one", "retain-"+m.slug, m.title, why, replace("/keep", m.keep), near(causeDuplicateLast, Result{Error: rootMismatch}))
	}
	c.twist("retain-one", "retain-unknown", "a frame that is not there", "Nothing is kept of what is not there.", replace("/keep/0", "fax"), fails(errorUnknownFrame))
	c.twist("retain-one", "retain-case", "a frame's id in another case", "Ids are compared as bytes.", replace("/keep/0", "Phone"), fails(errorUnknownFrame), flagged("MemberCase"))
	c.twist("retain-one", "retain-tampered", "a link of another frame changed", "The root over all frames has to be the signed one.", c.edited("retain-one", "context://docs/opening", "context://docs/0pening"), fails(rootMismatch), flagged("RootCover"))
	c.twist("retain-one", "retain-dropped", "another frame dropped before", "The root over all frames has to be the signed one.", c.edited("retain-one", string(marshal(s.frames[0]))+",", ""), fails(rootMismatch), flagged("RootCover"))
	c.twist("retain-one", "retain-id-changed", "another frame's id changed", "The root over all frames has to be the signed one.", c.edited("retain-one", `"id":"address"`, `"id":"addres5"`), fails(rootMismatch), flagged("RootCover"))
	c.twist("retain-one", "retain-digest-changed", "another frame's digest changed", "The root over all frames has to be the signed one.", c.edited("retain-one", `"content_digest":"sha256:`, `"content_digest":"sha256:0`), fails(rootMismatch), flagged("RootCover"))
	c.twist("retain-one", "retain-provider", "another provider", "The root over all frames has to be the signed one.", added("/provider", "code"), fails(rootMismatch), flagged("Identity"))
	c.twist("retain-one", "retain-provider-named", "its own provider", why, added("/provider", docs))
	c.pass("retain-unsigned", "no evidence", "Where nothing is signed there is nothing to prove.", "retain", object("text", documents().session(), "keep", keep("phone")), fails(errorUnsigned))
	one := served{provider: docs, key: seeded(1), keyID: docsKey, frames: documents().frames[:1], signRoot: true}
	c.pass("retain-only-frame", "the only frame", "The path of the only leaf has no steps.", "retain", object("text", one.session(), "keep", keep("opening")))
	moreKept(c)
}
