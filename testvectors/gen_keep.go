package testvectors

import "strings"

// moreKept are the refusals to keep, the proofs of frames of an answer, and the checks of one proof or attestation.
func moreKept(c *class) {
	keepSignatures(c)
	keepUnderKeys(c)
	refuseToKeep(c)
	keepNamed(c)
	keepAnswers(c)
	generateProveFrames(c)
	generateCheck(c)
}

// kept is the input of retain that keeps one frame.
func kept(text string, more ...any) Object {
	return append(object("text", text, "keep", List{"phone"}), object(more...)...)
}

// keepSignatures are answers whose frames have signatures of their own, with a root and without.
func keepSignatures(c *class) {
	const why = "A frame is kept with what proves it: its own signature, its proof under the signed root, or both."
	frames, both, root := documents(), documents(), documents()
	frames.signFrames, both.signFrames, both.signRoot, root.signRoot = true, true, true, true
	c.pass("retain-frames", "a frame with its own signature, without a root", why, "retain", kept(frames.session()))
	c.pass("retain-both", "a frame with its own signature, under a signed root", why, "retain", kept(both.session()))
	c.pass("retain-root-alone", "a signed root without proofs", "The proofs are made anew: nothing has to be there but the root.", "retain", kept(root.bare().session()))
	c.twist("retain-both", "retain-envelope", "a message with signatures alone", "A message carries neither root nor proofs of a part: hosts demand as many leaves as frames.", added("/form", "envelope"))
	c.twist("retain-both", "retain-evidence", "a retained part, by its name", why, added("/form", "evidence"))
	c.twist("retain-envelope", "retain-envelope-no-signature", "a message in which the frame has no signature", "Without a signature of its own a frame in a message proves nothing.",
		c.edited("retain-envelope", phoneEntry(both)+`,"attestation"`, phoneEntry(both)+`,"x"`), fails("unsigned_frame"))
	c.twist("retain-both", "retain-no-signature", "a frame without a signature, under a signed root", why, c.edited("retain-both", phoneEntry(both)+`,"attestation"`, phoneEntry(both)+`,"x"`))
	c.twist("retain-frames", "retain-unsigned-frame", "a frame without a signature, and no root", "Without a signature of its own a frame needs a signed root.", c.edited("retain-frames", phoneEntry(frames)+`,"attestation"`, phoneEntry(frames)+`,"x"`), fails("unsigned_frame"))
	c.twist("retain-frames", "retain-ill-typed", "a frame whose signature lacks a member, and no root", "What cannot be evaluated proves nothing.",
		c.edited("retain-frames", phoneEntry(frames)+`,"attestation":{"signed_commitment"`, phoneEntry(frames)+`,"attestation":{"signed"`), fails("unsigned_frame"), flagged("Retained", "MissingMember"))
	odd := strings.Replace(frames.session(), `"algorithm":"ed25519"`, `"algorithm":"ed448"`, 3)
	c.pass("retain-algorithm", "a frame with a signature of an algorithm that nobody here has, and a key of it", "What nobody here can check is kept for somebody who can (F8).", "retain",
		kept(odd, "published", List{object("provider", docs, "key_id", docsKey, "algorithm", "ed448", "public_key", publicHex(seeded(1)))}), rules("F8", "F13"), flagged("Retained", "Algorithm"))
	c.twist("retain-algorithm", "retain-algorithm-form", "the same, whose signed commitment is no digest", "The algorithm is judged first: what nobody here can check is not called wrong (F8).",
		c.editedLast("retain-algorithm", `"signed_commitment":"sha256:`, `"signed_commitment":"sha512:`), rules("F8", "F13"), flagged("Retained", "Precedence"))
	twice := both
	twice.frames = append(twice.frames[:3:3], twice.frames[2])
	c.pass("retain-equal", "a frame that is carried twice", "There is one entry for each distinct frame.", "retain", kept(twice.session()), flagged("Retained", "StableTies"))
	c.twist("retain-equal", "retain-equal-dropped", "all but a frame that is carried twice", "A frame is dropped as often as it is carried.", moved("/keep", "/drop"), flagged("Retained", "StableTies"))
}

// bare is the answer without proofs.
func (s served) bare() served {
	s.noProofs = true
	return s
}

// phoneEntry is how the entry of the frame that is kept begins.
func phoneEntry(s served) string {
	text := s.message()
	at := strings.Index(text, `{"frame":{"provider_id":"docs","frame_id":"phone"`)
	return text[at : at+strings.Index(text[at:], "}")+1]
}

// keepUnderKeys are keys at hand under which a signature is bad, in service or not.
func keepUnderKeys(c *class) {
	const why = "No key is needed to keep; a key at hand under which a signature is bad refuses, in service or not."
	root, frames := documents(), documents()
	root.signRoot, frames.signFrames = true, true
	right, wrong := List{trustedKey(docs, docsKey, seeded(1))}, List{trustedKey(docs, docsKey, seeded(2))}
	window := []any{"not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z"}
	for _, s := range []struct {
		slug, what string
		served
	}{{"root", "root", root}, {"signature", "frame", frames}} {
		base := "retain-key-" + s.slug
		c.pass(base, "a signed "+s.what+", and its key", why, "retain", kept(s.session(), "trusted", right))
		c.twist(base, base+"-other", "a signed "+s.what+", and another key under its key_id", why, replace("/trusted", wrong), fails(invalidEvidence), flagged("Retained", "OtherKey"))
		c.pass(base+"-late", "a signed "+s.what+", and its key out of service", why, "retain",
			kept(s.session(), "trusted", List{trustedKey(docs, docsKey, seeded(1), window...)}, "received_at", "2028-01-01T00:00:00Z"), flagged("Retained", "WindowEnd"))
		c.twist(base+"-late", base+"-late-other", "a signed "+s.what+", and another key under its key_id, out of service", why, replace("/trusted/0/public_key", publicHex(seeded(2))), fails(invalidEvidence), flagged("Retained", "OtherKey"))
		c.twist(base+"-late", base+"-late-local", "a signed "+s.what+", and a key of another provider", why, replace("/trusted/0/local_id", "code"), flagged("Retained", "LocalID"))
		c.twist(base+"-late-other", base+"-late-unknown", "a signed "+s.what+", and another key under another key_id", why, replace("/trusted/0/key_id", "docs-2025"), flagged("Retained", "OtherKey"))
		last := lastSignature(s.session())
		c.twist(base, base+"-digit", "a signature of a "+s.what+" with one digit changed", why, c.editedLast(base, last, strings.Repeat("0", 2)+last[2:]), fails(invalidEvidence), flagged("Retained", "SignatureBytes"))
	}
	given := kept(root.session(), "published", List{append(object("provider", docs), publishedKey(docsKey, seeded(1))...)})
	c.pass("retain-key-published", "a signed root, and its key published beside the input", why, "retain", given)
	c.twist("retain-key-published", "retain-key-published-other", "a signed root, and another key published under its key_id", why, replace("/published/0/public_key", publicHex(seeded(2))), fails(invalidEvidence), flagged("Retained", "OtherKey"))
	c.pass("retain-key-session", "a signed root, and its key in the session", why, "retain", kept(root.ack(publishedKey(docsKey, seeded(1)))+"\n"+root.message()+"\n"))
	c.twist("retain-key-session", "retain-key-session-other", "a signed root, and another key in the session under its key_id", why, replace("/text", root.ack(publishedKey(docsKey, seeded(2)))+"\n"+root.message()+"\n"),
		fails(invalidEvidence), flagged("Retained", "OtherKey"))
	c.twist("retain-key-root", "retain-key-algorithm", "a signed root of an algorithm that nobody here has", "What nobody here can check is kept for somebody who can.", c.edited("retain-key-root", `"algorithm":"ed25519"`, `"algorithm":"ed448"`), flagged("Retained", "Algorithm"))
}

// lastSignature is the signature that stands last in a text.
func lastSignature(text string) string {
	const before = `"signature":"`
	return text[strings.LastIndex(text, before)+len(before):][:128]
}

// refuseToKeep are answers that nothing is kept of, one fault each.
func refuseToKeep(c *class) {
	root, frames := documents(), documents()
	root.signRoot, frames.signFrames = true, true
	c.pass("retain-three", "one of three frames", "Before the rest is dropped, proofs are made for what is kept: afterwards nothing can recompute the root.", "retain", kept(root.session()))
	part := string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", root.result())))
	c.twist("retain-three", "retain-part", "a retained part", "Proofs are made from all frames of an answer.", replace("/text", part+"\n"), fails("retained_subset"))
	c.twist("retain-three", "retain-other-name", "evidence under a name that nobody declares", "Nothing is judged under a name that nobody declared.", replace("/text", served{provider: "code"}.ack()+"\n"+root.message()+"\n"), fails(providerMismatch), flagged("Retained", "Identity"))
	c.pass("retain-nobody", "a signed root without proofs, and the name given", "Where nothing says who answered, nothing can be recomputed.", "retain", kept(root.bare().message()+"\n", "provider", docs), flagged("Retained", "Identity"))
	c.twist("retain-nobody", "retain-nobody-named", "a signed root without proofs, and nothing that says who answered", "Where nothing says who answered, nothing can be recomputed.", removed("/provider"), fails("no_provider"), flagged("Retained", "Identity"))
	c.twist("retain-nobody", "retain-name-empty", "a name that is empty", "A name that is empty names nobody.", replace("/provider", ""), fails("malformed_id"), flagged("Retained", "Identity"))
	const root1 = "Where the root cannot be checked against the frames, nothing that leads to it proves anything."
	c.twist("retain-three", "retain-root-member", "a root without its key_id", root1, c.editedLast("retain-three", `"key_id"`, `"key"`), fails("unusable_root"), flagged("Retained", "MissingMember"))
	c.twist("retain-three", "retain-root-text", "a root that is a string", root1, c.edited("retain-three", `"result_attestation":{`, `"result_attestation":"x","x":{`), fails("unusable_root"), flagged("Retained", "MissingMember"))
	c.twist("retain-three", "retain-root-upper", "a root in uppercase", root1, replace("/text", strings.Replace(root.session(), signedRoot(root), "sha256:"+strings.ToUpper(signedRoot(root)[7:]), 1)), fails(rootMismatch), flagged("Retained", "DigestForm"))
	c.twist("retain-three", "retain-malformed", "another frame whose id is a number", "A root cannot be made over a frame that has no commitment.", c.edited("retain-three", `"id":"address"`, `"id":7`), fails(malformedFrame), flagged("Retained", "MalformedFrame"))
	const kept1 = "What is wrong in the answer would be wrong in what is kept of it."
	c.twist("retain-three", "retain-content", "content that is not the digest's", kept1, c.edited("retain-three", "555 0100", "555 0199"), fails(unsignableContent), flagged("Retained", "Content"), near(causeContentUnchecked, c.cases["retain-three"].Expect))
	c.twist("retain-three", "retain-other-content", "content of another frame that is not the digest's", "Of what is not kept nothing is judged but its commitment.", c.edited("retain-three", "until 18", "until 22"), flagged("Retained", "Content"))
	c.twist("retain-frames", "retain-frames-malformed", "a link without a type, and no root", kept1, c.editedLast("retain-frames", `"provenance":[{"type":"record",`, `"provenance":[{`), fails(malformedFrame), flagged("Retained", "MalformedFrame"))
	c.twist("retain-frames", "retain-frames-other-malformed", "a link of another frame without a type, and no root", "Without a root each frame stands alone.", c.edited("retain-frames", `"provenance":[{"type":"record",`, `"provenance":[{`), flagged("Retained", "MalformedFrame"))
	c.twist("retain-frames", "retain-frames-content", "content that is not the digest's, and no root", kept1, c.edited("retain-frames", "555 0100", "555 0199"), fails(unsignableContent), flagged("Retained", "Content"))
	c.twist("retain-frames", "retain-frames-edited", "a frame whose link was changed, and no root", kept1, c.edited("retain-frames", "context://docs/phone", "context://docs/ph0ne"), fails(invalidEvidence), flagged("Retained", "LinkChain"))
	c.twist("retain-frames", "retain-frames-other-edited", "another frame whose link was changed, and no root", "Without a root each frame stands alone.", c.edited("retain-frames", "context://docs/opening", "context://docs/0pening"), flagged("Retained", "LinkChain"))
	c.twist("retain-frames", "retain-frames-no-entries", "an answer whose signatures are gone", "Where nothing is signed there is nothing to prove.", c.edited("retain-frames", `"frame_attestations"`, `"attestations"`), fails(errorUnsigned))
	const option = "What is asked for has to make sense before anything is dropped."
	c.twist("retain-three", "retain-form", "a form that nobody knows", option, added("/form", "zip"), fails("unknown_form"))
	c.twist("retain-three", "retain-nothing", "nothing to keep", option, replace("/keep", List{}), fails("nothing_kept"))
	c.twist("retain-three", "retain-drop", "a frame to drop", "The others are kept.", moved("/keep", "/drop"))
	c.twist("retain-drop", "retain-drop-all", "all frames to drop", option, replace("/drop", List{"opening", "address", "phone"}), fails("nothing_kept"))
	c.twist("retain-drop", "retain-drop-unknown", "a frame to drop that is not there", option, replace("/drop/0", "fax"), fails(errorUnknownFrame))
	c.twist("retain-drop", "retain-drop-and-keep", "frames to drop and frames to keep", option, added("/keep", List{"opening"}), fails("keep_and_drop"))
	c.twist("retain-drop", "retain-drop-everywhere", "a frame to drop, in every answer", option, added("/everywhere", true), fails("keep_and_drop"))
}

// signedRoot is the root that an answer states.
func signedRoot(s served) string {
	return asked[string](asked[Object](s.result(), "result_attestation"), "signed_commitment")
}

// keepNamed are the ways in which frames are named.
func keepNamed(c *class) {
	const why = "A frame is named by its id; where several have it, by its digest too: ID@DIGEST, the whole text an id first."
	s := documents()
	s.signRoot = true
	s.frames = append(s.frames, contentFrame("phone", "555 0199"), contentFrame("phone@home", "555 0101"), object("id", "fax", "content", "none"))
	in := func(keep ...any) Object { return object("text", s.session(), "keep", List(keep)) }
	first, second := digestOf("555 0100"), digestOf("555 0199")
	c.pass("retain-at", "one of two frames of an id, by its digest", why, "retain", in("phone@"+first))
	c.twist("retain-at", "retain-at-other", "the other of two frames of an id, by its digest", why, replace("/keep/0", "phone@"+second))
	c.twist("retain-at", "retain-at-both", "both frames of an id", why, added("/keep/1", "phone@"+second))
	c.twist("retain-at", "retain-ambiguous", "an id that two frames have", why, replace("/keep/0", "phone"), fails("ambiguous_frame"))
	c.twist("retain-at", "retain-at-unknown", "an id with the digest of no frame", why, replace("/keep/0", "phone@"+digestOf("")), fails(errorUnknownFrame))
	c.twist("retain-at", "retain-at-in-id", "an id with an @ in it", why, replace("/keep/0", "phone@home"))
	c.twist("retain-at", "retain-at-nothing", "a frame without a digest, by that", why, replace("/keep/0", "fax@"))
	c.twist("retain-at", "retain-at-no-digest", "an id whose frame has a digest, as one without", why, replace("/keep/0", "opening@"), fails(errorUnknownFrame))
	c.twist("retain-at", "retain-identity", "a frame by its FrameId", why, replace("/keep/0", identity(docs, "phone", second)))
	c.twist("retain-identity", "retain-identity-provider", "a FrameId of another provider", why, replace("/keep/0/provider_id", "code"), fails(errorUnknownFrame))
	c.twist("retain-identity", "retain-identity-digest", "a FrameId without the digest", why, removed("/keep/0/content_digest"), fails(errorUnknownFrame))
	const lines = "A list has a frame a line: a FrameId where the line begins with a brace, else ID[@DIGEST]; empty lines are nothing."
	list := object("text", s.session(), "keep_from", "opening\n\n"+string(marshal(identity(docs, "phone", first)))+"\r\nfax@")
	c.pass("retain-list", "frames in a list", lines, "retain", list)
	for _, m := range []struct{ slug, title, line string }{
		{"cut", "a FrameId that is cut", `{"provider_id":"docs"`}, {"member", "a FrameId without its frame_id", `{"provider_id":"docs"}`}, {"twice", "a FrameId with a member twice", `{"provider_id":"docs","frame_id":"phone","frame_id":"fax"}`},
	} {
		c.twist("retain-list", "retain-list-"+m.slug, m.title, lines, replace("/keep_from", "opening\n"+m.line+"\n"), fails("malformed_reference"))
	}
	c.twist("retain-list", "retain-list-empty", "a list without a frame", lines, replace("/keep_from", "\n"), fails("nothing_kept"))
}

// keepAnswers are inputs with several answers, or none.
func keepAnswers(c *class) {
	const why = "Frames are kept of one answer; where an input has several, one is chosen, or all are."
	s := documents()
	s.signRoot = true
	other := s
	other.frames = []Object{contentFrame("fax", "none"), contentFrame("phone", "555 0100")}
	session := s.session() + other.message() + "\n"
	c.pass("retain-record", "the first of two answers", why, "retain", kept(session, "record", integer(2)))
	c.twist("retain-record", "retain-record-second", "the second of two answers", why, replace("/record", integer(3)))
	c.twist("retain-record", "retain-several", "two answers, and none chosen", why, removed("/record"), fails("several_answers"))
	c.twist("retain-record", "retain-record-handshake", "a record that is no answer", why, replace("/record", integer(1)), fails("no_answer"))
	c.twist("retain-record", "retain-record-behind", "a record that is not there", why, replace("/record", integer(9)), fails("no_answer"))
	c.twist("retain-record", "retain-record-cut", "the first of two answers, and the second cut", "What stands behind the answer that is chosen is not read.", c.editedLast("retain-record", `"truncated"`, `truncated`))
	c.twist("retain-record-second", "retain-record-second-cut", "the second of two answers, and the first cut", "Records that are not chosen may be anything.", c.edited("retain-record-second", `"truncated"`, `truncated`))
	c.twist("retain-record-second", "retain-record-chosen-cut", "an answer that is chosen, and cut", "What cannot be read is not kept.", c.editedLast("retain-record-second", `"truncated"`, `truncated`), fails(syntax), flagged("Retained", "Framing"))
	c.twist("retain-three", "retain-unreadable", "an answer that cannot be read", "What cannot be read is not kept.", c.editedLast("retain-three", `"truncated"`, `truncated`), fails(syntax), flagged("Retained", "Framing"))
	c.twist("retain-three", "retain-no-answer", "a session without an answer", why, c.edited("retain-three", `"type":"frames"`, `"type":"query"`), fails("no_answer"), flagged("Retained", "RecordKind"))
	all := object("text", session, "keep", List{"phone", "fax"}, "everywhere", true)
	c.pass("retain-everywhere", "frames of all answers", "Each frame has to be found somewhere.", "retain", all)
	c.twist("retain-everywhere", "retain-everywhere-one", "a frame of one of two answers", "Answers that have none of the frames are passed over.", replace("/keep", List{"fax"}))
	c.twist("retain-everywhere", "retain-everywhere-unknown", "a frame of no answer", "Each frame has to be found somewhere.", replace("/keep/1", "telex"), fails(errorUnknownFrame))
	c.twist("retain-everywhere", "retain-everywhere-edited", "frames of all answers, of which one was changed", "The root over all frames has to be the signed one.", c.edited("retain-everywhere", "context://docs/fax", "context://docs/f4x"), fails(rootMismatch), flagged("Retained", "RootCover"))
	c.twist("retain-everywhere", "retain-everywhere-no-answer", "no answer to look in", "Each frame has to be found somewhere.", replace("/text", s.ack()+"\n"), fails("no_answer"))
}

func generateProveFrames(c *class) {
	const why = "A proof needs all frames of an answer and no key; an answer that states another root than the one over its frames proves nothing."
	s := documents()
	s.signRoot = true
	signed, unsigned := object("text", s.session()), object("text", documents().session())
	c.pass("prove-frames", "all frames of a signed answer", why, "prove_frames", signed)
	c.twist("prove-frames", "prove-frames-one", "one frame of a signed answer", why, added("/frames", List{"phone"}))
	c.twist("prove-frames", "prove-frames-identity", "one frame by its FrameId", why, added("/frames", List{identity(docs, "phone", digestOf("555 0100"))}))
	c.twist("prove-frames-one", "prove-frames-unknown", "a frame that is not there", why, replace("/frames/0", "fax"), fails(errorUnknownFrame))
	c.pass("prove-frames-unsigned", "all frames of an answer that nobody signed", "A root can be made that is not signed; it is said.", "prove_frames", unsigned)
	twice := s
	twice.frames = append(twice.frames[:3:3], twice.frames[0], contentFrame("phone", "555 0199"))
	c.pass("prove-frames-equal", "a frame that is carried twice", "There is one proof for each distinct frame.", "prove_frames", object("text", twice.session()), flagged("Retained", "StableTies"))
	c.twist("prove-frames-equal", "prove-frames-ambiguous", "an id that two frames have", "An id has to name one frame.", added("/frames", List{"phone"}), fails("ambiguous_frame"))
	c.twist("prove-frames-equal", "prove-frames-equal-one", "the frame that is carried twice", "There is one proof for each distinct frame.", added("/frames", List{"opening"}), flagged("Retained", "StableTies"))
	part := string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", s.result())))
	c.twist("prove-frames", "prove-frames-part", "a retained part", "Proofs are made from all frames of an answer.", replace("/text", part), fails("retained_subset"))
	c.twist("prove-frames", "prove-frames-other-name", "evidence under a name that nobody declares", "Nothing is judged under a name that nobody declared.", replace("/text", served{provider: "code"}.ack()+"\n"+s.message()+"\n"), fails(providerMismatch), flagged("Retained", "Identity"))
	c.twist("prove-frames-unsigned", "prove-frames-nobody", "nothing says who answered", "Where nothing says who answered, nothing can be computed.", replace("/text", documents().message()), fails("no_provider"), flagged("Retained", "Identity"))
	c.twist("prove-frames-nobody", "prove-frames-named", "nothing says who answered, and the name given", "A name that is given counts.", added("/provider", docs), flagged("Retained", "Identity"))
	c.twist("prove-frames", "prove-frames-malformed", "a frame whose id is a number", "A root cannot be made over a frame that has no commitment.", c.edited("prove-frames", `"id":"address"`, `"id":7`), fails(malformedFrame), flagged("Retained", "MalformedFrame"))
	c.twist("prove-frames", "prove-frames-root-member", "a root without its key_id", why, c.editedLast("prove-frames", `"key_id"`, `"key"`), fails("unusable_root"), flagged("Retained", "MissingMember"))
	c.twist("prove-frames", "prove-frames-edited", "a frame whose link was changed", why, c.edited("prove-frames", "context://docs/opening", "context://docs/0pening"), fails(rootMismatch), flagged("Retained", "RootCover"))
	c.twist("prove-frames", "prove-frames-two", "two answers, and none chosen", "An input with several answers has one chosen.", replace("/text", s.session()+s.message()), fails("several_answers"))
	c.twist("prove-frames-two", "prove-frames-two-record", "two answers, and the first chosen", "An input with several answers has one chosen.", added("/record", integer(2)))
	c.twist("prove-frames", "prove-frames-no-answer", "no answer", "Where there is no answer there is nothing to prove.", replace("/text", s.ack()), fails("no_answer"))
	c.twist("prove-frames", "prove-frames-unreadable", "a handshake_ack without a name", "What cannot be read proves nothing.", c.edited("prove-frames", `"name":"docs"`, `"names":"docs"`), fails(malformedHandshake), flagged("Retained", "Framing"))
}

func generateCheck(c *class) {
	const why = "A proof is checked for a frame or a commitment, against a root that is given or that an attestation signs."
	s := documents()
	s.signRoot, s.signFrames = true, true
	r := s.result()
	entry := asked[List](r, "frame_attestations")[0].(Object)
	proof, attestation, root := string(marshal(asked[Object](entry, "inclusion_proof"))), string(marshal(asked[Object](entry, "attestation"))), asked[Object](r, "result_attestation")
	frame := string(marshal(s.frames[0]))
	key := keyObject("ed25519", publicHex(seeded(1)))
	c.pass("check-proof", "a proof for a frame, against a root", why, "check", object("proof", proof, "frame", frame, "provider_id", docs, "root", signedRoot(s)), verdict(valid))
	c.pass("check-proof-commitment", "a proof for a commitment, against a root", why, "check", object("proof", proof, "commitment", commitmentOf(docs, s.frames[0]).String(), "root", signedRoot(s)), verdict(valid))
	c.pass("check-proof-attested", "a proof for a frame, against the root that an attestation signs", why, "check", object("proof", proof, "frame", frame, "provider_id", docs, "attestation", string(marshal(root)), "public_key", key), verdict(valid))
	c.pass("check-attestation", "an attestation over a frame", why, "check", object("attestation", attestation, "frame", frame, "provider_id", docs, "public_key", key), verdict(valid))
	c.pass("check-attestation-commitment", "an attestation over a commitment", why, "check", object("attestation", attestation, "commitment", commitmentOf(docs, s.frames[0]).String(), "public_key", key), verdict(valid))
	for _, m := range []struct{ slug, title, text string }{
		{"object", "a proof in an object", `{"inclusion_proof":` + proof + `}`}, {"array", "a proof in an array of one object", `[{"frame":{},"inclusion_proof":` + proof + `}]`}, {"alone", "a proof in an array, alone", `[` + proof + `]`},
	} {
		c.twist("check-proof", "check-proof-in-"+m.slug, m.title, "A file holds a proof, an object that has one, or an array of one such.", replace("/proof", m.text), verdict(valid))
	}
	for _, m := range []struct{ slug, title, text string }{
		{"two", "two proofs in an array", `[` + proof + `,` + proof + `]`}, {"none", "an empty array", `[]`}, {"null", "a proof that is null", `null`}, {"cut", "a proof that is cut", proof[:len(proof)-1]}, {"behind", "a value behind a proof", proof + ` 1`},
		{"text", "a proof that is a string", `"x"`}, {"twice", "a proof with a member twice", strings.Replace(proof, `"leaf_index":1`, `"leaf_index":1,"leaf_index":1`, 1)}, {"member", "a proof without its path", strings.Replace(proof, `"path"`, `"steps"`, 1)},
	} {
		c.twist("check-proof", "check-proof-"+m.slug, m.title, "A file holds one JSON value, and what is asked for.", replace("/proof", m.text), fails(unusable), flagged("MissingMember"))
	}
	const shape = "A proof of another shape is refused before anything is hashed; one that leads to another root is told from it."
	for _, base := range []string{"check-proof", "check-proof-attested"} {
		c.twist(base, base+"-count", "another count", shape, c.editedIn(base, "proof", `"leaf_count":3`, `"leaf_count":5`), verdict(malformedCommitment), flagged("ProofShape"))
		c.twist(base, base+"-side", "a side changed", shape, c.editedIn(base, "proof", `"sibling_is_left":true`, `"sibling_is_left":false`), verdict(malformedCommitment), flagged("ProofShape"))
		c.twist(base, base+"-digest", "a sibling that is no digest", shape, c.editedIn(base, "proof", `"sibling":"sha256:`, `"sibling":"sha512:`), verdict(malformedCommitment), flagged("DigestForm"))
		c.twist(base, base+"-provider", "another provider", shape, replace("/provider_id", "code"), verdict(commitmentMismatch), flagged("Identity"))
		c.twist(base, base+"-frame", "another frame", shape, replace("/frame", string(marshal(s.frames[1]))), verdict(commitmentMismatch), nearVerdict(causeOtherFrame, valid), flagged("Identity"))
	}
	c.twist("check-proof", "check-proof-root", "another root", shape, replace("/root", commitmentOf(docs, s.frames[0]).String()), verdict(commitmentMismatch), flagged("RootCover"))
	for _, m := range []struct{ slug, title, text string }{
		{"cut", "a frame that is cut", frame[:len(frame)-1]}, {"id", "a frame whose id is a number", `{"id":7}`}, {"array", "a frame in an array", `[` + frame + `]`}, {"twice", "a frame with its id twice", `{"id":"opening","id":"opening"}`}, {"behind", "a value behind a frame", frame + ` {}`},
	} {
		c.twist("check-proof", "check-frame-"+m.slug, m.title, "A file holds one frame, and nothing after it.", replace("/frame", m.text), fails(malformedFrame), flagged("MalformedFrame"))
	}
	checkSigned(c)
	checkIdentity(c)
}

// checkSigned are attestations beside a proof, and alone.
func checkSigned(c *class) {
	const why = "The verdicts are those of verify; the root that an attestation is compared with is the one that the proof leads to."
	for _, base := range []string{"check-proof-attested", "check-attestation"} {
		signature := lastSignature(asked[string](c.cases[base].Input, "attestation"))
		c.twist(base, base+"-algorithm", "an attestation of an algorithm that nobody here has", why, c.editedIn(base, "attestation", `"ed25519"`, `"ed448"`), verdict(unknownAlgorithm), flagged("Algorithm"))
		c.twist(base, base+"-none", "no algorithm to be checked", why, added("/algorithms", List{}), verdict(unknownAlgorithm), flagged("Algorithm"))
		c.twist(base, base+"-other-key", "another key", why, replace("/public_key/public_key", publicHex(seeded(2))), verdict(badSignature), flagged("OtherKey"))
		c.twist(base, base+"-weak", "a key of small order", why, replace("/public_key/public_key", smallOrder), verdict(malformedKey), flagged("SmallOrder"))
		c.twist(base, base+"-key-algorithm", "a key of another algorithm", why, replace("/public_key/algorithm", "ml-dsa-65"), verdict(malformedKey), flagged("Algorithm"))
		c.twist(base, base+"-signature", "a signature in uppercase", why, replace("/attestation", strings.Replace(asked[string](c.cases[base].Input, "attestation"), signature, strings.ToUpper(signature), 1)), verdict(malformedSignature),
			nearVerdict(causeUppercase, valid), flagged("HexForm"))
		c.twist(base, base+"-form", "a signed commitment that is no digest", why, c.editedIn(base, "attestation", `"sha256:`, `"sha512:`), verdict(malformedCommitment), flagged("DigestForm"))
		text := asked[string](c.cases[base].Input, "attestation")
		for _, m := range []struct{ slug, title, text string }{
			{"cut", "an attestation that is cut", text[:len(text)-1]}, {"null", "an attestation that is null", "null"}, {"member", "an attestation without its key_id", strings.Replace(text, `"key_id"`, `"key"`, 1)},
			{"twice", "an attestation with a member twice", strings.Replace(text, `"key_id"`, `"key_id":"x","key_id"`, 1)}, {"behind", "a value behind an attestation", text + "[]"},
		} {
			c.twist(base, base+"-"+m.slug, m.title, "A file holds one attestation, and nothing after it.", replace("/attestation", m.text), fails(unusable), flagged("MissingMember"))
		}
	}
	c.twist("check-proof-attested-algorithm", "check-proof-attested-precedence", "an attestation of an algorithm that nobody here has, beside a proof of another shape", "The algorithm is judged first.",
		c.editedIn("check-proof-attested-algorithm", "proof", `"leaf_count":3`, `"leaf_count":5`), verdict(unknownAlgorithm), flagged("Precedence"))
}

// checkIdentity are frames without a digest: what verifies binds no content.
func checkIdentity(c *class) {
	const why = "A frame without a digest is bound to its identity and not to its content."
	s := documents()
	s.frames[0] = s.frames[0].without("content_digest")
	s.signRoot = true
	r := s.result()
	proof := string(marshal(asked[Object](asked[List](r, "frame_attestations")[0].(Object), "inclusion_proof")))
	frame, root := string(marshal(s.frames[0])), asked[Object](r, "result_attestation")
	c.pass("check-identity", "a proof for a frame without a digest, against a root", why, "check", object("proof", proof, "frame", frame, "provider_id", docs, "root", signedRoot(s)), verdict(validIdentityOnly), flagged("IdentityOnly"))
	c.pass("check-identity-attested", "a proof for a frame without a digest, against the root that an attestation signs", why, "check",
		object("proof", proof, "frame", frame, "provider_id", docs, "attestation", string(marshal(root)), "public_key", keyObject("ed25519", publicHex(seeded(1)))), verdict(validIdentityOnly), flagged("IdentityOnly"))
}
