package testvectors

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha512"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A key and a seed as they stand in an input.
func seedOf(n byte) string { return strings.Repeat(hexOf([]byte{n}), ed25519.SeedSize) }

// smallOrder is a key under which one signature fits every message.
const smallOrder = "0100000000000000000000000000000000000000000000000000000000000000"

// toSign is the input of sign: a text, and the key of the sample provider.
func toSign(text string, more ...any) Object {
	o := object("text", text, "seed", seedOf(1), "key_id", docsKey, "issued_at", sampleIssuedAt)
	return append(o, object(more...)...)
}

// signedAs is what sign answers for a session of one answer where the root, or each frame, is signed.
func (s served) signedAs(entries, root any) Result {
	return Result{Value: object("provider_id", s.provider, "answers", List{object("record", integer(2), "frame_attestations", entries, "result_attestation", root)},
		"skipped", List{}, "published", List{object("record", integer(1), "attester_keys", nil)})}
}

// entriesOf are the entries of signed frames, in the order carried.
func (s served) entriesOf(attest func(frame Object) Object) List {
	entries := List{}
	for _, f := range s.frames {
		id, _, _ := f.text("id")
		digest, _ := f.Find("content_digest")
		entries = append(entries, object("frame", identity(s.provider, id, digest), "attestation", attest(f)))
	}
	return entries
}

// commitmentsBy are the commitments of the frames, in an order of their positions.
func (s served) commitmentsBy(v variant, order List) (leaves []commitment.Digest) {
	for _, p := range order {
		leaves = append(leaves, v.commitment(s.provider, frameOf(s.frames[uintOf(p.(Number))])))
	}
	return leaves
}

func (s served) identities() (ids []commitment.FrameID) {
	for _, f := range s.frames {
		frame := frameOf(f)
		ids = append(ids, frame.Identity(s.provider))
	}
	return ids
}

// attestWrongly is an attestation whose signature is over something else than the 32 bytes.
func (s served) attestWrongly(d commitment.Digest, message []byte, opts crypto.SignerOpts) Object {
	signature, err := s.key.Sign(nil, message, opts)
	if err != nil {
		panic(err)
	}
	return s.attest(d).with("signature", hexOf(signature))
}

func (s served) attestHex(d commitment.Digest) Object {
	return s.attestWrongly(d, []byte(hexOf(d[:])), crypto.Hash(0))
}

// attestPrehashed signs with Ed25519ph (RFC 8032 §5.1).
func (s served) attestPrehashed(d commitment.Digest) Object {
	digest := sha512.Sum512(d[:])
	return s.attestWrongly(d, digest[:], crypto.SHA512)
}

func generateSign(c *class) {
	c.rules, c.flags = []string{"§6.5.4"}, []string{"Signing"}
	const why = "Ed25519 signatures are a function of the key and the message: whoever signs the same answer with the same key writes the same bytes."
	s := documents()
	session := s.session()
	c.pass("sign-root", "the root signed, with a proof for every frame", why, "sign", toSign(session))
	rootOf := func(leaves []commitment.Digest) any { return s.attest(merkle.Root(leaves)) }
	order := orderWith(s.identities(), strings.Compare)
	arrival := List{integer(0), integer(1), integer(2)}
	alone := func(leaves []commitment.Digest) Result { return s.signedAs(nil, rootOf(leaves)) }
	right := s.commitmentsBy(variant{}, order)
	c.twist("sign-root", "sign-root-alone", "the root signed, without proofs", why, added("/no_proofs", true), near(causeArrivalOrder, alone(s.commitmentsBy(variant{}, arrival))),
		near(causeDuplicateLast, s.signedAs(nil, s.attest(duplicateLastRoot(right)))), near(causePrefixes, s.signedAs(nil, s.attest(swappedPrefixRoot(right)))),
		near(causeLittleEndian, alone(s.commitmentsBy(asLittleEndian, order))), near(causePrehashed, s.signedAs(nil, s.attestPrehashed(merkle.Root(right)))),
		near(causeHexTextSigned, s.signedAs(nil, s.attestHex(merkle.Root(right)))), flagged("Signing", "SignedMessage"))
	c.twist("sign-root", "sign-shape-root", "the shape root, by its name", why, added("/shape", "root"))
	each := func(attest func(commitment.Digest) Object) Result {
		return s.signedAs(s.entriesOf(func(f Object) Object { return attest(commitmentOf(s.provider, f)) }), nil)
	}
	c.twist("sign-root", "sign-frames", "every frame signed", why, added("/shape", "frames"), near(causePrehashed, each(s.attestPrehashed)),
		near(causeHexTextSigned, each(s.attestHex)), flagged("Signing", "SignedMessage"))
	c.twist("sign-root", "sign-both", "the root and every frame signed", why, added("/shape", "both"))
	c.twist("sign-both", "sign-both-no-proofs", "the root and every frame signed, without proofs", why, added("/no_proofs", true))
	c.twist("sign-frames", "sign-frames-no-proofs", "every frame signed, without the proofs that there are none of", why, added("/no_proofs", true))
	c.twist("sign-root", "sign-other-seed", "another key", why, replace("/seed", seedOf(2)), near(causeOtherKey, c.cases["sign-root"].Expect))
	c.twist("sign-root", "sign-attester", "another attester_id", "attester_id is written as it is given; no signature covers it.", added("/attester_id", "notary"), flagged("Signing", "Unsigned"))
	c.twist("sign-root", "sign-issued-at", "another issued_at", "issued_at is written as it is given; no signature covers it.", replace("/issued_at", "2026-12-31T23:59:60.250Z"), flagged("Signing", "Unsigned"))
	c.twist("sign-root", "sign-key-id", "another key_id", "key_id is written as it is given; no signature covers it.", replace("/key_id", "d\u00f6cs"), flagged("Signing", "Unsigned"))
	signFrames(c)
	signProviders(c)
	signOptionally(c)
	refuseFrames(c)
	refuseAnswers(c)
	generatePublish(c)
}

// signFrames are frames whose commitments and order implementations get wrong.
func signFrames(c *class) {
	const why = "What is signed is the commitment, or the root over all of them in canonical order: a signer with a bug signs what nobody can verify."
	s := documents()
	s.frames = []Object{contentFrame("caf\u00e9-\U0001d11e", "x"), contentFrame("\uffee", "y").with("provenance", List{sampleLink().without("by").with("method", "")})}
	session := s.session()
	each := func(v variant) Result {
		return s.signedAs(s.entriesOf(func(f Object) Object { return s.attest(v.commitment(s.provider, frameOf(f))) }), nil)
	}
	var near16 []option
	for _, v := range []struct {
		cause string
		variant
	}{{causeUTF16Lengths, asUTF16}, {causeCodePoints, asCodePoints}, {causeAbsentEmpty, asAbsentEmpty}} {
		near16 = append(near16, near(v.cause, each(v.variant)))
	}
	c.pass("sign-text", "frames with text of every width", why, "sign", toSign(session, "shape", "frames"), append(near16, flagged("Signing", "LengthUnit"))...)
	s.frames = []Object{contentFrame("\U0001d11e", "x"), contentFrame("\uffee", "y")}
	order := orderWith(s.identities(), compareUTF16)
	c.pass("sign-order", "ids whose order differs in UTF-8 and UTF-16", why, "sign", toSign(s.session(), "no_proofs", true),
		near(causeUTF16Order, s.signedAs(nil, s.attest(merkle.Root(s.commitmentsBy(variant{}, order))))), flagged("Signing", "OrderUnit"))
	empty := documents()
	empty.frames = nil
	c.pass("sign-empty", "an answer without frames", why, "sign", toSign(empty.session()), flagged("Signing", "EmptyRoot"),
		near(causeRFC6962Empty, empty.signedAs(nil, empty.attest(rfc6962EmptyRoot()))))
	twice := documents()
	twice.frames = []Object{twice.frames[0], twice.frames[1], twice.frames[0]}
	c.pass("sign-equal", "a frame that is carried twice", "There is one entry for each distinct frame, and a leaf for each frame carried.", "sign", toSign(twice.session(), "shape", "both"), flagged("Signing", "StableTies"))
	for _, n := range []int{1, 2, 4, 7} {
		many := documents()
		many.frames = nil
		for i := range n {
			many.frames = append(many.frames, contentFrame(strings.Repeat("n", n-i), "x"))
		}
		c.pass("sign-leaves-"+string(integer(n)), plural(n, "frame"), why, "sign", toSign(many.session()), flagged("Signing", "TreeShape"))
	}
}

func rfc6962EmptyRoot() commitment.Digest { return commitment.ContentDigest("") }

// signProviders are sessions in which it has to be found out under which name is signed.
func signProviders(c *class) {
	const why = "An answer is signed under the name that its provider declares: the newest handshake_ack in front of it, or what is given."
	s := documents()
	message := s.message()
	c.pass("sign-given", "a message without a session, and the name given", why, "sign", toSign(message+"\n", "provider", docs), flagged("Signing", "Identity"))
	c.twist("sign-given", "sign-nobody", "nothing says who answers", why, removed("/provider"), fails("no_provider"), flagged("Signing", "Identity"))
	c.twist("sign-given", "sign-name-empty", "the name is empty", "An id that is empty names nothing.", replace("/provider", ""), fails("malformed_id"), flagged("Signing", "Identity"))
	c.pass("sign-given-attester", "a message without a session, and the name and the attester given", why, "sign", toSign(message+"\n", "provider", docs, "attester_id", "notary"), flagged("Signing", "Identity"))
	c.twist("sign-given-attester", "sign-attester-name-empty", "the name is empty, and the attester is not", "An id that is empty names nothing.", replace("/provider", ""), fails("malformed_id"), flagged("Signing", "Identity"))
	c.twist("sign-root", "sign-given-other", "another name given than declared", "A name that is given counts for the session of one provider.", added("/provider", "code"), flagged("Signing", "Identity"))
	bare := string(marshal(s.result()))
	c.pass("sign-bare", "a bare result", "A bare result is signed like a message.", "sign", toSign(bare, "provider", docs), flagged("Signing", "RecordKind"))
	line := `{"format":"cgp-archive/1","received_at":"2026-09-01T00:00:00Z","envelope":` + message + "}\n"
	c.pass("sign-archived", "a message in an archive line", "The message inside is signed.", "sign", toSign(s.ack()+"\n"+line), flagged("Signing", "RecordKind"))
	c.pass("sign-array", "messages in one array", "Each element is a record of its own.", "sign", toSign("["+s.ack()+","+message+","+message+"]"), flagged("Signing", "Framing"))
	other := served{provider: "code"}
	two := s.ack() + "\n" + message + "\n" + other.ack() + "\n" + message + "\n"
	c.pass("sign-two-named", "two providers, and one of them named", "Answers of another provider stay as they are.", "sign", toSign(two, "provider", docs), flagged("Signing", "Identity"))
	c.twist("sign-two-named", "sign-two-unnamed", "two providers, and none of them named", "Nobody can tell whose answers are meant.", removed("/provider"), fails("two_providers"), flagged("Signing", "Identity"))
	c.twist("sign-two-named", "sign-two-neither", "two providers, and a third named", "Nobody can tell whose answers are meant.", replace("/provider", "wiki"), fails("two_providers"), flagged("Signing", "Identity"))
	c.twist("sign-two-named", "sign-two-second", "two providers, and the second named", "Answers of another provider stay as they are.", replace("/provider", "code"), flagged("Signing", "Identity"))
	behind := s.ack() + "\n" + message + "\n" + other.ack() + "\n"
	c.pass("sign-none-of-two", "two providers, of which one answers", "Where none of the answers is the named provider's there is nothing to sign.", "sign", toSign(behind, "provider", docs), flagged("Signing", "Identity"))
	c.twist("sign-none-of-two", "sign-none-of-named", "two providers, and the one that does not answer named", "Where none of the answers is the named provider's there is nothing to sign.",
		replace("/provider", "code"), fails("nothing_to_sign"), flagged("Signing", "Identity"))
	c.twist("sign-root", "sign-no-answer", "a session without an answer", "Where there is no answer there is nothing to sign.", c.edited("sign-root", `"type":"frames"`, `"type":"query"`), fails("nothing_to_sign"), flagged("Signing", "RecordKind"))
	c.pass("sign-behind", "a message in front of the handshake_ack", "Who answered is said in front of an answer.", "sign", toSign(message+"\n"+s.ack()+"\n", "provider", docs), flagged("Signing", "Identity"))
	c.twist("sign-behind", "sign-behind-unnamed", "a message in front of the only handshake_ack, and no name", "Who answered is said in front of an answer.", removed("/provider"), fails("no_provider"), flagged("Signing", "Identity"))
}

// signOptionally are answers that need something else than to be signed as they are.
func signOptionally(c *class) {
	s := documents()
	const fill = "A signer fills in the digest of inline content where he is asked to, and signs what is then there."
	bare := documents()
	bare.frames[1] = bare.frames[1].without("content_digest")
	c.pass("sign-fill", "a frame without a digest, which is filled in", fill, "sign", toSign(bare.session(), "fill_digests", true, "shape", "both"), flagged("Signing", "IdentityOnly"))
	c.twist("sign-fill", "sign-unfilled", "a frame without a digest", "An attester populates content_digest on every frame that it signs (F14).", removed("/fill_digests"), fails("missing_digest"), rules("F14"), flagged("Signing", "IdentityOnly"))
	c.twist("sign-fill", "sign-fill-null", "a digest that is null, which is filled in", fill, c.edited("sign-fill", `"content":"Main Street 1",`, `"content":"Main Street 1","content_digest":null,`), flagged("Signing", "IdentityOnly"))

	old := s
	old.signRoot, old.key, old.keyID = true, seeded(2), "docs-2025"
	const again = "Evidence that is there is replaced where the signer is asked to: two kinds of evidence by two keys would tell nobody which is meant."
	c.pass("sign-replace", "an answer that was signed, signed again", again, "sign", toSign(old.session(), "replace", true))
	c.twist("sign-replace", "sign-signed", "an answer that was signed", again, removed("/replace"), fails("already_signed"))
	c.twist("sign-replace", "sign-replace-frames", "an answer with a signed root, of which the frames are signed", again, added("/shape", "frames"))
	c.twist("sign-replace", "sign-replace-alone", "an answer with proofs, of which the root alone is signed", again, added("/no_proofs", true))
	frames := old
	frames.signRoot, frames.signFrames = false, true
	c.pass("sign-replace-entries", "an answer whose frames were signed, signed again", again, "sign", toSign(frames.session(), "replace", true))
	c.twist("sign-replace-entries", "sign-signed-entries", "an answer whose frames were signed", again, removed("/replace"), fails("already_signed"))
	for _, m := range []struct{ slug, title, members string }{
		{"null", "evidence that is null", `"frame_attestations":null,"result_attestation":null`}, {"empty-array", "evidence that is an empty array", `"frame_attestations":[],"result_attestation":[]`},
	} {
		c.twist("sign-root", "sign-"+m.slug, m.title, "null and an empty array are no evidence.", c.edited("sign-root", `"truncated":false`, `"truncated":false,`+m.members), flagged("Signing", "MissingMember"))
	}
	c.twist("sign-frames", "sign-frames-array", "a root that is an empty array, and every frame signed", "An empty array is no evidence.", c.edited("sign-frames", `"truncated":false`, `"truncated":false,"result_attestation":[]`), flagged("Signing", "MissingMember"))

	unfit := documents()
	unfit.frames[2] = unfit.frames[2].without("content_digest")
	text := s.session() + unfit.message() + "\n"
	const skip = "An answer that may not be signed is left as it is where the signer is asked to, and said."
	c.pass("sign-skip", "two answers, of which one may not be signed", skip, "sign", toSign(text, "skip_unsignable", true))
	c.twist("sign-skip", "sign-unskipped", "two answers, of which one may not be signed, and none is to be left out", "Nothing is signed where one answer may not be.", removed("/skip_unsignable"), fails("missing_digest"), rules("F14"))
	c.pass("sign-skip-all", "the only answer may not be signed", "A key is published with what it signed: where nothing is, it is not.", "sign",
		toSign(unfit.session(), "skip_unsignable", true, "publish_key", true))

	opaque := documents()
	opaque.frames[0] = opaque.frames[0].with("content_digest", "md5:0123")
	digests := func(v variant) commitment.Digest {
		frame := frameOf(opaque.frames[0])
		frame.ContentDigest = commitment.Some(digestOf("open until 18"))
		return v.commitment(docs, frame)
	}
	each := opaque.signedAs(opaque.entriesOf(func(f Object) Object {
		if id, _, _ := f.text("id"); id == "opening" {
			return opaque.attest(digests(variant{}))
		}
		return opaque.attest(commitmentOf(docs, f))
	}), nil)
	c.pass("sign-opaque", "a digest in another form, which is allowed", "A commitment hashes the digest that is declared as it stands.", "sign",
		toSign(opaque.session(), "allow_opaque_digest", true, "shape", "frames"), near(causeDigestOfContent, each), flagged("Signing", "DigestForm"))
	c.twist("sign-opaque", "sign-opaque-refused", "a digest in another form", "Nobody can compare the content with a digest in another form.", removed("/allow_opaque_digest"), fails(opaqueDigest), rules("D1"), flagged("Signing", "DigestForm"))
	upper := documents()
	digest, _, _ := upper.frames[0].text("content_digest")
	upper.frames[0] = upper.frames[0].with("content_digest", "sha256:"+strings.ToUpper(digest[7:]))
	c.twist("sign-root", "sign-digest-upper", "a digest in uppercase", "Uppercase is another form.", replace("/text", upper.session()), fails(opaqueDigest), rules("D1"), flagged("Signing", "DigestForm"),
		near(causeUppercase, upper.rootSigned()))
}

// rootSigned is what sign answers in the shape root.
func (s served) rootSigned() Result {
	s.signRoot = true
	r := s.result()
	entries, _ := r.Find("frame_attestations")
	root, _ := r.Find("result_attestation")
	return s.signedAs(entries, root)
}

// refuseFrames are frames that may not be signed, one fault each.
func refuseFrames(c *class) {
	const why = "A signature says that the provider serves this frame: one that breaks a rule of the protocol is not signed."
	refused := func(base, slug, title, old, new, rule string, opts ...option) {
		c.twist(base, base+"-"+slug, title, why, c.edited(base, old, new), append([]option{fails(rule)}, opts...)...)
	}
	content := `"content":"open until 18"`
	refused("sign-root", "content", "content that is not the digest's", content, `"content":"open until 22"`, unsignableContent, rules("D1"), flagged("Signing", "Content"),
		near(causeContentUnchecked, c.cases["sign-root"].Expect))
	digest := `,"content_digest":"` + digestOf("open until 18") + `"`
	refused("sign-root", "no-digest", "a frame without a digest", digest, "", "missing_digest", rules("F14"), flagged("Signing", "IdentityOnly"))
	refused("sign-root", "null-digest", "a digest that is null", digest, `,"content_digest":null`, "missing_digest", rules("F14"), flagged("Signing", "IdentityOnly"))
	refused("sign-root", "id-empty", "a frame whose id is empty", `"id":"opening"`, `"id":""`, "empty_frame_id", rules("§6.3"), flagged("Signing", "Identity"))
	refused("sign-root", "id-number", "a frame whose id is a number", `"id":"opening"`, `"id":7`, malformedFrame, flagged("Signing", "MalformedFrame"))
	refused("sign-root", "id-missing", "a frame without an id", `"id":"opening",`, ``, malformedFrame, flagged("Signing", "MalformedFrame"))
	refused("sign-root", "link-type", "a link without a type", `"type":"record",`, ``, malformedFrame, flagged("Signing", "MalformedFrame"))
	full := rules("P1")
	refused("sign-root", "no-content", "a frame without content", content+",", "", "full_frame", full, flagged("Signing", "Representation"))
	for _, m := range []string{"content_ref", "transform", "canonical_content_hash"} {
		refused("sign-root", "full-"+strings.ReplaceAll(m, "_", "-"), "a full frame with "+m, content, content+`,"`+m+`":"x"`, "full_frame", full, flagged("Signing", "Representation"))
	}
	for _, m := range []struct{ slug, title, new, rule string }{
		{"reference", "a reference frame with a digest", `"representation":"reference"`, "reference_frame"}, {"unknown", "a representation that nobody knows", `"representation":"summary"`, "unknown_representation"},
		{"compact", "a frame that calls itself compact, and is full", `"representation":"compact"`, "compact_frame"},
	} {
		refused("sign-root", "representation-"+m.slug, m.title, content, m.new+","+content, m.rule, rules("P1", "P2", "P3", "F14"), flagged("Signing", "Representation"))
	}
	pure := documents()
	pure.frames[0] = object("id", "opening", "representation", "reference", "content_ref", "context://docs/opening", "canonical_content_hash", digestOf("open until 18"))
	c.twist("sign-root", "sign-reference", "a reference frame as P3 has it", "A reference frame carries no digest (P3), and without one nothing is signed (F14).", replace("/text", pure.session()),
		fails("reference_frame"), rules("P3", "F14"), flagged("Signing", "Representation"))
	c.twist("sign-root", "sign-full", "a frame that calls itself full", "Without the member a frame is full.", c.edited("sign-root", content, content+`,"representation":"full"`), flagged("Signing", "Representation"))
	c.twist("sign-root", "sign-full-null", "a full frame whose content_ref is null", "What is null is absent.", c.edited("sign-root", content, content+`,"content_ref":null`), flagged("Signing", "Representation"))
	compact := documents()
	compact.frames[0] = append(compact.frames[0], object("representation", "compact", "canonical_content_hash", digestOf("the original"), "transform", "summary", "content_ref", "context://docs/opening")...)
	c.pass("sign-compact", "a compact frame", "A compact frame is signed over the content that it carries.", "sign", toSign(compact.session()), rules("P2"), flagged("Signing", "Representation"))
	for _, m := range []struct{ slug, old string }{
		{"content", content + ","}, {"canonical-content-hash", `,"canonical_content_hash":"` + digestOf("the original") + `"`}, {"transform", `,"transform":"summary"`}, {"content-ref", `,"content_ref":"context://docs/opening"`},
	} {
		refused("sign-compact", "no-"+m.slug, "a compact frame without "+strings.ReplaceAll(m.slug, "-", "_"), m.old, "", "compact_frame", rules("P2"), flagged("Signing", "Representation"))
	}
	equal := documents()
	equal.frames = slices.Insert(equal.frames, 1, equal.frames[0])
	c.pass("sign-equal-twins", "two frames that are equal", "Equal frames have one commitment: their order does not matter.", "sign", toSign(equal.session()), flagged("Signing", "StableTies"))
	refused("sign-equal-twins", "provenance", "two frames of one identity with other provenance", `"uri":"context://docs/opening"`, `"uri":"context://docs/0pening"`, ambiguousOrder, rules("§6.3"), flagged("Signing", "StableTies"))
	later := c.editedLast("sign-equal-twins", `"uri":"context://docs/opening"`, `"uri":"context://docs/closing"`)
	c.twist("sign-equal-twins", "sign-equal-twins-later", "two frames of one identity with other provenance, the other one changed", why, later, fails(ambiguousOrder), rules("§6.3"), flagged("Signing", "StableTies"))
}

// refuseAnswers are answers, inputs, keys and options with which nothing is signed.
func refuseAnswers(c *class) {
	const why = "A signer refuses what he cannot sign as the protocol has it, and writes nothing."
	s := documents()
	empty := documents()
	empty.frames = nil
	c.twist("sign-empty", "sign-empty-frames", "an answer without frames, whose frames are to be signed", why, added("/shape", "frames"), fails("empty_answer"), flagged("Signing", "EmptyRoot"))
	c.twist("sign-empty", "sign-empty-both", "an answer without frames, in the shape both", why, added("/shape", "both"), flagged("Signing", "EmptyRoot"))
	part := string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", s.result())))
	c.twist("sign-root", "sign-part", "a retained part", "A root is made over the frames of a whole answer.", replace("/text", s.ack()+"\n"+part+"\n"), fails("retained_subset"), rules("F12", "F13"), flagged("Signing", "Retained"))
	for _, m := range []struct{ slug, title, old, new, code string }{
		{"duplicate", "a member twice", `"type":"frames"`, `"type":"frames","type":"frames"`, duplicateMember}, {"no-json", "an answer that is no JSON", `"truncated":false`, `"truncated":fals`, syntax},
		{"no-result", "an answer without a result", `"result":{`, `"results":{`, malformedRecord}, {"nameless", "an acknowledgement without a name", `"name":"docs"`, `"names":"docs"`, malformedHandshake},
		{"format", "a format that nobody knows", `"type":"handshake_ack"`, `"format":"x"`, unsupportedFormat},
	} {
		c.twist("sign-root", "sign-record-"+m.slug, m.title, "One record that cannot be read spoils the whole: nobody knows what it says of the others.", c.edited("sign-root", m.old, m.new), fails(m.code), flagged("Signing", "Framing"))
	}
	const key = "A key is judged before it signs, and a signature before it is written."
	c.twist("sign-root", "sign-stated", "a signer that states its own public key", key, added("/public_key", publicHex(seeded(1))), flagged("Signing", "OtherKey"))
	c.twist("sign-stated", "sign-stated-other", "a signer that states another public key", key, replace("/public_key", publicHex(seeded(2))), fails("signer_mismatch"), flagged("Signing", "OtherKey"))
	c.twist("sign-stated", "sign-stated-weak", "a signer whose public key is of small order", key, replace("/public_key", smallOrder), fails("weak_key"), flagged("Signing", "SmallOrder"))
	c.twist("sign-frames", "sign-frames-stated", "a signer that states its own public key, and every frame signed", key, added("/public_key", publicHex(seeded(1))), flagged("Signing", "OtherKey"))
	c.twist("sign-frames-stated", "sign-frames-stated-other", "a signer that states another public key, and every frame signed", key, replace("/public_key", publicHex(seeded(2))), fails("signer_mismatch"), flagged("Signing", "OtherKey"))
	const option = "An option that cannot be written as the protocol has it is refused."
	c.twist("sign-root", "sign-shape-unknown", "a shape that nobody knows", option, added("/shape", "leaves"), fails("unknown_shape"))
	c.twist("sign-root", "sign-key-id-empty", "a key_id that is empty", option, replace("/key_id", ""), fails("malformed_id"))
	for _, m := range []struct{ slug, title, text string }{
		{"offset", "an issued_at with an offset", "2026-08-29T12:00:00+00:00"}, {"day", "an issued_at on a day that does not exist", "2026-02-29T12:00:00Z"},
	} {
		c.twist("sign-root", "sign-issued-at-"+m.slug, m.title, option, replace("/issued_at", m.text), fails(malformedInstant), rules("F4"), flagged("Signing", "Instant"))
	}
	signCompressed(c, s)
	c.twist("sign-given", "sign-given-publish", "a key to be published, and nowhere to do it", "Keys are published in a handshake_ack.", added("/publish_key", true), fails("no_handshake"))
	elsewhere := toSign(s.session(), "provider", "code")
	c.pass("sign-elsewhere", "another name given than declared, once more", "A name that is given counts for the session of one provider.", "sign", elsewhere)
	c.twist("sign-elsewhere", "sign-elsewhere-publish", "a key to be published in the handshake_ack of another provider", "Keys are published in the provider's own handshake_ack.", added("/publish_key", true), fails("no_handshake"))
}

// signCompressed gives an input as bytes that say that they are compressed.
func signCompressed(c *class, s served) {
	const why = "What is compressed cannot be written again byte for byte."
	plain := toSign("").without("text").with("bytes", hexOf([]byte(s.session())))
	c.pass("sign-bytes", "an input as bytes", "An input is bytes.", "sign", plain)
	for _, m := range []struct{ slug, title, magic string }{
		{"gzip", "an input that begins as gzip does", "1f8b0800000000000000"}, {"zstd", "an input that begins as zstd does", "28b52ffd2400010000"},
	} {
		c.twist("sign-bytes", "sign-bytes-"+m.slug, m.title, why, replace("/bytes", m.magic), fails(unreadableSource))
	}
}

func generatePublish(c *class) {
	const why = "A key is added behind those that are there, and a key_id is never given to another key: rotation is a new key_id."
	s := documents()
	publish := func(text string) Object {
		return object("text", text, "key_id", docsKey, "public_key", publicHex(seeded(1)))
	}
	held := publishedKey("docs-2025", seeded(2))
	c.pass("publish-first", "a handshake_ack without keys", why, "publish", publish(s.session()), flagged("Publishing"))
	c.pass("publish-behind", "a handshake_ack with another key", why, "publish", publish(s.ack(held)+"\n"+s.message()+"\n"), flagged("Publishing"))
	c.twist("publish-behind", "publish-same", "a handshake_ack that publishes the key already", "What is there stays.", replace("/text", s.ack(publishedKey(docsKey, seeded(1)), held)+"\n"+s.message()+"\n"), flagged("Publishing"))
	c.twist("publish-behind", "publish-null", "keys that are null", "null is absent.", replace("/text", strings.Replace(s.ack(), `"type"`, `"attester_keys":null,"type"`, 1)+"\n"), flagged("Publishing"))
	c.twist("publish-behind", "publish-empty", "keys that are an empty array", why, replace("/text", strings.Replace(s.ack(), `"type"`, `"attester_keys":[],"type"`, 1)+"\n"), flagged("Publishing"))
	c.twist("publish-behind", "publish-twice", "two handshake_acks of one provider", "The key is published in each.", replace("/text", s.ack()+"\n"+s.ack(held)+"\n"), flagged("Publishing"))
	c.twist("publish-behind", "publish-conflict", "other bytes under the key_id", why, c.edited("publish-behind", `"key_id":"docs-2025"`, `"key_id":"docs-2026-08"`), fails("key_conflict"), flagged("Publishing", "OtherKey"))
	c.twist("publish-same", "publish-conflict-algorithm", "the same bytes under the key_id, for another algorithm", why, c.edited("publish-same", `"algorithm":"ed25519"`, `"algorithm":"ed448"`), fails("key_conflict"), flagged("Publishing", "Algorithm"))
	c.twist("publish-behind", "publish-object", "keys that are an object", "attester_keys is an array.", replace("/text", strings.Replace(s.ack(), `"type"`, `"attester_keys":{},"type"`, 1)+"\n"), fails("malformed_attester_keys"), flagged("Publishing", "MissingMember"))
	c.twist("publish-behind", "publish-object-first", "keys that are an object, in front of all other members", "attester_keys is an array.",
		replace("/text", `{"attester_keys":{},`+strings.TrimPrefix(s.ack(), "{")+"\n"), fails("malformed_attester_keys"), flagged("Publishing", "MissingMember"))
	other := served{provider: "code"}
	c.twist("publish-behind", "publish-two-providers", "handshake_acks of two providers", "Nobody can tell whose key it is.", replace("/text", s.ack()+"\n"+other.ack()+"\n"), fails("two_providers"), flagged("Publishing", "Identity"))
	c.twist("publish-behind", "publish-no-ack", "no handshake_ack", "Keys are published in a handshake_ack.", replace("/text", s.message()+"\n"), fails("no_handshake"), flagged("Publishing"))
	c.twist("publish-behind", "publish-unreadable", "a handshake_ack without a name", "One record that cannot be read spoils the whole.", c.edited("publish-behind", `"name":"docs"`, `"names":"docs"`), fails(malformedHandshake), flagged("Publishing", "Framing"))
	c.twist("publish-behind", "publish-key-id", "a key_id that is empty", "An id that is empty names nothing.", replace("/key_id", ""), fails("malformed_id"), flagged("Publishing"))
	c.twist("publish-behind", "publish-weak", "a key of small order", "A key that a strict verifier declines is of no use to anyone.", replace("/public_key", smallOrder), fails(malformedKey), flagged("Publishing", "SmallOrder"))
	c.twist("publish-behind", "publish-short", "a key of 31 bytes", "A key that a strict verifier declines is of no use to anyone.", replace("/public_key", publicHex(seeded(1))[:62]), fails(malformedKey), flagged("Publishing", "HexForm"))

	const publishing = "Whoever signs can publish the key in the provider's handshake_acks, as it is published alone."
	c.twist("sign-root", "sign-publish", "a key that is published in the session", publishing, added("/publish_key", true), flagged("Signing", "Publishing"))
	c.pass("sign-publish-behind", "a key that is published behind another", publishing, "sign", toSign(s.ack(held)+"\n"+s.message()+"\n", "publish_key", true), flagged("Signing", "Publishing"))
	c.twist("sign-publish-behind", "sign-publish-conflict", "a key whose key_id has other bytes in the session", publishing, c.edited("sign-publish-behind", `"key_id":"docs-2025"`, `"key_id":"docs-2026-08"`), fails("key_conflict"), flagged("Signing", "Publishing"))
	c.twist("sign-publish-behind", "sign-publish-array", "attester_keys that are an object", publishing, c.edited("sign-publish-behind", `"attester_keys":[`, `"attester_keys":{},"x":[`), fails("malformed_attester_keys"), flagged("Signing", "Publishing"))
	two := s.ack() + "\n" + s.message() + "\n" + other.ack() + "\n" + s.message() + "\n"
	c.pass("sign-publish-two", "a key that is published in the session of two providers", "The key goes to the provider that it signs for, and to no other.", "sign", toSign(two, "provider", docs, "publish_key", true), flagged("Signing", "Publishing"))
}
