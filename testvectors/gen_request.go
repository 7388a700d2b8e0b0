package testvectors

import (
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// editedIn is the change of the first occurrence of old in one text of a case's input.
func (c *class) editedIn(base, name, old, new string) Mutation {
	var text string
	if from := c.cases[base]; from != nil {
		text, _, _ = from.Input.text(name)
	}
	at := strings.Index(text, old)
	if at < 0 {
		c.fail("%s: its %s does not hold %q", base, name, old)
		at = 0
	}
	return Mutation{Path: inputPath + "/" + name, At: at, Delete: len(old), Insert: []byte(new)}
}

// prepared is what prepare makes of an input of op prepare.
func (c *class) prepared(in Object) *archive.Request {
	r, err := archive.Prepare(inputBytes(in), publicKey(seeded(1)), signOptions(in))
	if err != nil {
		c.fail("request: %w", err)
		return &archive.Request{}
	}
	return r.Request
}

// forged returns a request that was changed, its items called as the rest of it has it: whoever can write a request can write
// names that fit.
func forged(r *archive.Request, change func(*archive.Request)) string {
	out := *r
	out.Items = nil
	for _, it := range r.Items {
		if it.Frame != nil {
			frame := *it.Frame
			it.Frame = &frame
		}
		out.Items = append(out.Items, it)
	}
	change(&out)
	for i := range out.Items {
		out.Items[i].Item = strconv.Itoa(i + 1)
	}
	tag := sha256.Sum256(out.Marshal())
	for i := range out.Items {
		out.Items[i].Item = fmt.Sprintf("%d-%x", i+1, tag[:8])
	}
	return string(out.Marshal())
}

// signatures are those of a key over the items of a request.
func signatures(r *archive.Request, k ed25519.PrivateKey) (list []archive.ItemSignature) {
	for _, it := range r.Items {
		list = append(list, archive.ItemSignature{Item: it.Item, Signature: ed25519.Sign(k, it.Message)})
	}
	return list
}

func generateRequest(c *class) {
	c.rules, c.flags = []string{"§6.5.4"}, []string{"OwnFormat"}
	generatePrepare(c)
	generateSignRequest(c)
	generateAttach(c)
	generateMalformedRequests(c)
}

// toPrepare is the input of prepare: that of sign, with the public key in place of the seed.
func toPrepare(text string, more ...any) Object {
	return append(toSign(text).without("seed"), append(object("public_key", publicHex(seeded(1))), object(more...)...)...)
}

func generatePrepare(c *class) {
	const why = "A request says what sign would sign, item by item, so that it can be signed where the input is not. Its text, and so the names of its items, is exact."
	s := documents()
	c.pass("prepare-root", "a request for the root", why, "prepare", toPrepare(s.session()))
	for _, m := range []struct{ slug, title, shape string }{{"frames", "a request for every frame", "frames"}, {"both", "a request for the root and every frame", "both"}} {
		c.twist("prepare-root", "prepare-"+m.slug, m.title, why, added("/shape", m.shape))
	}
	c.twist("prepare-root", "prepare-attester", "another attester_id", why, added("/attester_id", "notary"))
	for _, option := range []string{"no_proofs", "fill_digests", "replace", "skip_unsignable", "publish_key", "allow_opaque_digest"} {
		c.twist("prepare-root", "prepare-"+strings.ReplaceAll(option, "_", "-"), "a request with the option "+option, "What attach writes depends on the options: they go along.", added("/"+option, true))
	}
	c.twist("prepare-root", "prepare-provider", "a request with the provider named", "What attach writes depends on the options: they go along.", added("/provider", docs))
	odd := documents()
	odd.frames = []Object{contentFrame("caf\u00e9\u202e\u00a0\U0001d11e\U000e0001\x7f\t\"\\/<&", "x")}
	c.pass("prepare-text", "a frame's id with characters that do not show", "People read a request before they sign it: what does not print is escaped, and nothing else that JSON leaves alone.", "prepare", toPrepare(odd.session(), "shape", "frames"))
	empty := documents()
	empty.frames = nil
	c.pass("prepare-empty", "an answer without frames", why, "prepare", toPrepare(empty.session()))
	c.pass("prepare-two", "two answers", why, "prepare", toPrepare(s.session()+s.message()+"\n", "shape", "both"))
	twice := documents()
	twice.frames = append(twice.frames, twice.frames[0])
	c.pass("prepare-equal", "a frame that is carried twice", why, "prepare", toPrepare(twice.session(), "shape", "both"))
	const refused = "What sign refuses is not requested either."
	c.twist("prepare-root", "prepare-content", "content that is not the digest's", refused, c.edited("prepare-root", "until 18", "until 22"), fails(unsignableContent), near(causeContentUnchecked, c.preparedOf("prepare-root", "until 18", "until 22")))
	c.twist("prepare-root", "prepare-weak", "a key of small order", refused, replace("/public_key", smallOrder), fails("weak_key"))
	c.twist("prepare-root", "prepare-short", "a key of 31 bytes", refused, replace("/public_key", publicHex(seeded(1))[:62]), fails("weak_key"))
	c.twist("prepare-root", "prepare-key-id", "a key_id that is empty", refused, replace("/key_id", ""), fails("malformed_id"))
	c.twist("prepare-root", "prepare-shape", "a shape that nobody knows", refused, added("/shape", "leaves"), fails("unknown_shape"))
	c.twist("prepare-publish-key", "prepare-conflict", "a key whose key_id has other bytes in the session", refused, replace("/text", s.ack(publishedKey(docsKey, seeded(2)))+"\n"+s.message()+"\n"), fails("key_conflict"))
	c.twist("prepare-root", "prepare-cut", "an input that is cut", refused, c.edited("prepare-root", `"result":{`, `"result":`), fails(syntax))
}

// preparedOf is the request for an input in which a text was changed that no commitment covers.
func (c *class) preparedOf(base, old, new string) Result {
	in := c.cases[base].Input
	text, _, _ := in.text("text")
	r := c.prepared(in)
	r.Input = sha256.Sum256([]byte(strings.Replace(text, old, new, 1)))
	v, err := parseValue([]byte(forged(r, func(*archive.Request) {})))
	if err != nil {
		c.fail("%s: %w", base, err)
	}
	return Result{Value: v}
}

func generateSignRequest(c *class) {
	const why = "Whoever holds the key signs nothing that he cannot recompute: each item has to be what it says it is, and the names have to fit."
	s := documents()
	r := c.prepared(toPrepare(s.session(), "shape", "both"))
	in := func(request string) Object { return object("request", request, "seed", seedOf(1)) }
	c.pass("sign-request", "a request for the root and every frame", why, "sign_request", in(string(r.Marshal())))
	for _, shape := range []string{"root", "frames"} {
		c.pass("sign-request-"+shape, "a request in the shape "+shape, why, "sign_request", in(string(c.prepared(toPrepare(s.session(), "shape", shape)).Marshal())))
	}
	value, err := parseValue(r.Marshal())
	if err != nil {
		c.fail("request: %w", err)
		return
	}
	c.twist("sign-request", "sign-request-pretty", "the request in another layout", "White space and the order of members say nothing.", replace("/request", pretty(value.(Object))))
	c.twist("sign-request", "sign-request-other-key", "another key", why, replace("/seed", seedOf(2)), fails(otherKey))
	c.twist("sign-request", "sign-request-stated", "a signer that states its own key, which is the one of the request", why, added("/public_key", publicHex(seeded(1))))
	c.twist("sign-request-stated", "sign-request-mismatch", "a signer that states the key of the request, and has another", why, replace("/seed", seedOf(2)), fails("signer_mismatch"))
	c.twist("sign-request-stated", "sign-request-weak", "a signer that states a key of small order", "A key is judged before it signs.", replace("/public_key", smallOrder), fails(malformedKey))
	other := documents()
	other.frames[0] = contentFrame("opening", "open until 22")
	foreign := c.prepared(toPrepare(other.session(), "shape", "both"))
	root, frame, second := &r.Items[0], &r.Items[1], &r.Items[2]
	for _, m := range []struct {
		slug, title string
		change      func(*archive.Request)
	}{
		{"root", "another root over the same leaves", func(r *archive.Request) {
			r.Items[0].Commitment, r.Items[0].Message = foreign.Items[0].Commitment, foreign.Items[0].Message
		}},
		{"leaf", "another leaf under the same root", func(r *archive.Request) { r.Items[0].Leaves = foreign.Items[0].Leaves }},
		{"leaf-dropped", "a leaf dropped", func(r *archive.Request) { r.Items[0].Leaves = root.Leaves[1:] }},
		{"leaves-swapped", "two leaves swapped", func(r *archive.Request) {
			r.Items[0].Leaves = []commitment.Digest{root.Leaves[1], root.Leaves[0], root.Leaves[2]}
		}},
		{"root-message", "another message for the root", func(r *archive.Request) { r.Items[0].Message = frame.Message }},
		{"frame-message", "another message for a frame", func(r *archive.Request) { r.Items[1].Message = second.Message }},
		{"message-long", "a message that is longer than its commitment", func(r *archive.Request) { r.Items[1].Message = append(frame.Message[:32:32], 0) }},
		{"commitment", "another commitment for a frame", func(r *archive.Request) {
			r.Items[1].Commitment, r.Items[1].Message = second.Commitment, second.Message
		}},
		{"preimage", "the preimage of another frame", func(r *archive.Request) { r.Items[1].Preimage = second.Preimage }},
		{"frame", "another frame named", func(r *archive.Request) { r.Items[1].Frame.FrameID = "0pening" }},
		{"frame-provider", "another provider named", func(r *archive.Request) { r.Items[1].Frame.ProviderID = "code" }},
		{"frame-digest", "another digest named", func(r *archive.Request) { r.Items[1].Frame.ContentDigest = second.Frame.ContentDigest }},
		{"preimage-of-root", "the hash of a tree for the preimage of a frame", func(r *archive.Request) {
			left, right := merkle.LeafHash(root.Leaves[0]), merkle.LeafHash(root.Leaves[1])
			it := &r.Items[1]
			it.Preimage = append(append([]byte{1}, left[:]...), right[:]...)
			it.Commitment = sha256.Sum256(it.Preimage)
			it.Message = it.Commitment[:]
		}},
		{"shape-frames", "a root in the shape frames", func(r *archive.Request) { r.Shape = archive.ShapeFrames }},
		{"shape-root", "a frame in the shape root", func(r *archive.Request) { r.Shape = archive.ShapeRoot }},
	} {
		c.twist("sign-request", "sign-request-forged-"+m.slug, m.title, why, replace("/request", forged(r, m.change)), fails("item_mismatch"))
	}
	for _, m := range []struct{ slug, title, old, new string }{
		{"number", "an item of another number", `{"item":"1-`, `{"item":"2-`}, {"tag", "an item of another request", `{"item":"1-`, `{"item":"1-0`},
		{"options", "another option", `"items":[`, `"options":{"no_proofs":true},"items":[`}, {"key-id", "another key_id", `"key_id":"docs-2026-08"`, `"key_id":"docs-2026-09"`},
		{"answer", "another record", `"answer":2`, `"answer":3`},
	} {
		c.twist("sign-request", "sign-request-name-"+m.slug, m.title, why, c.editedIn("sign-request", "request", m.old, m.new), fails("item_mismatch"))
	}
}

// pretty spreads an object over lines, its members backwards.
func pretty(o Object) string {
	var b strings.Builder
	b.WriteString("{\n")
	for i := len(o) - 1; i >= 0; i-- {
		b.Write(appendText([]byte(" "), o[i].Name))
		b.WriteString(" :\t")
		b.Write(marshal(o[i].Value))
		if i > 0 {
			b.WriteString(",\r\n")
		}
	}
	b.WriteString("\n}\n")
	return b.String()
}

func generateAttach(c *class) {
	const why = "What is to be signed is determined anew from the input; a request or a signature that does not fit it is refused, and nothing is written."
	s := documents()
	asked := toPrepare(s.session(), "shape", "both")
	r := c.prepared(asked)
	list := signatures(r, seeded(1))
	in := func(text, request string, list []archive.ItemSignature) Object {
		return object("text", text, "request", request, "signatures", string(archive.MarshalSignatures(list)))
	}
	request := string(r.Marshal())
	c.pass("attach-both", "signatures over the root and every frame", why, "attach", in(s.session(), request, list))
	for _, m := range []struct {
		slug, title string
		more        []any
	}{
		{"root", "a signature over the root", nil}, {"frames", "signatures over every frame", []any{"shape", "frames"}}, {"no-proofs", "a signature over the root, without proofs", []any{"no_proofs", true}},
		{"publish", "a key to be published", []any{"publish_key", true}}, {"provider", "a provider that was named", []any{"provider", "code"}},
	} {
		r := c.prepared(toPrepare(s.session(), m.more...))
		c.pass("attach-"+m.slug, m.title, why, "attach", in(s.session(), string(r.Marshal()), signatures(r, seeded(1))))
	}
	bare := documents()
	bare.frames[1] = bare.frames[1].without("content_digest")
	filled := c.prepared(toPrepare(bare.session(), "fill_digests", true))
	c.pass("attach-fill", "a digest to be filled in", why, "attach", in(bare.session(), string(filled.Marshal()), signatures(filled, seeded(1))))
	backwards := []archive.ItemSignature{list[3], list[1], list[0], list[2]}
	c.twist("attach-both", "attach-order", "the signatures in another order", "Signatures go by the names of their items.", replace("/signatures", string(archive.MarshalSignatures(backwards))))
	with := func(slug, title, code string, list []archive.ItemSignature) {
		c.twist("attach-both", "attach-"+slug, title, why, replace("/signatures", string(archive.MarshalSignatures(list))), fails(code))
	}
	with("lacking", "an item without a signature", "missing_signature", list[:3])
	with("twice", "an item with two signatures", "duplicate_signature", append(list[:4:4], list[2]))
	with("unknown", "a signature for an item that is not there", "unknown_item", append(list[:4:4], archive.ItemSignature{Item: "5-0123456789abcdef", Signature: list[0].Signature}))
	with("swapped", "the signatures of two items swapped", "wrong_signature", []archive.ItemSignature{list[0], {Item: list[1].Item, Signature: list[2].Signature}, {Item: list[2].Item, Signature: list[1].Signature}, list[3]})
	with("other-key", "signatures of another key", "wrong_signature", signatures(r, seeded(2)))
	other := documents()
	other.frames[2] = contentFrame("phone", "555 0199")
	elsewhere := c.prepared(toPrepare(other.session(), "shape", "both"))
	with("other-request", "signatures for another request", "unknown_item", signatures(elsewhere, seeded(1)))

	c.twist("attach-both", "attach-input", "a blank behind the input", "The request is one for these bytes.", replace("/text", s.session()+" "), fails("input_changed"))
	c.twist("attach-both", "attach-other-input", "another input", "The request is one for these bytes.", replace("/text", other.session()), fails("input_changed"))
	attach := func(slug, title string, change func(*archive.Request)) {
		c.twist("attach-both", "attach-forged-"+slug, title, why, replace("/request", forged(r, change)), fails("request_mismatch"))
	}
	root, frame, second := &r.Items[0], &r.Items[1], &r.Items[2]
	attach("dropped", "an item dropped", func(r *archive.Request) { r.Items = r.Items[:3] })
	attach("added", "an item more", func(r *archive.Request) { r.Items = append(r.Items, *frame) })
	attach("order", "two items swapped", func(r *archive.Request) { r.Items[1], r.Items[2] = r.Items[2], r.Items[1] })
	attach("answer", "another record", func(r *archive.Request) { r.Items[1].Record = 3 })
	attach("kind", "a frame in place of the root", func(r *archive.Request) { r.Items[0] = *second; r.Items[0].Frame = frame.Frame })
	attach("frame", "another frame named", func(r *archive.Request) { r.Items[1].Frame.FrameID = "0pening" })
	attach("commitment", "another commitment", func(r *archive.Request) { r.Items[1].Commitment = second.Commitment })
	attach("message", "another message", func(r *archive.Request) { r.Items[1].Message = second.Message })
	attach("preimage", "another preimage", func(r *archive.Request) { r.Items[1].Preimage = second.Preimage })
	attach("leaves", "two leaves swapped", func(r *archive.Request) {
		r.Items[0].Leaves = []commitment.Digest{root.Leaves[1], root.Leaves[0], root.Leaves[2]}
	})
	attach("shape", "another shape", func(r *archive.Request) { r.Shape = archive.ShapeFrames })
	for _, m := range []struct{ slug, title, old, new string }{
		{"number", "an item of another number", `{"item":"1-`, `{"item":"9-`}, {"key-id", "another key_id, and the names as they were", `"key_id":"docs-2026-08"`, `"key_id":"docs-2026-09"`},
		{"issued-at", "another issued_at, and the names as they were", `"issued_at":"2026`, `"issued_at":"2027`},
	} {
		c.twist("attach-both", "attach-name-"+m.slug, m.title, why, c.editedIn("attach-both", "request", m.old, m.new), fails("request_mismatch"))
	}
	c.twist("attach-both", "attach-unsignable", "a request for an input that may not be signed", "What sign refuses is not signed in two steps either.", replace("/text", strings.Replace(s.session(), "until 18", "until 22", 1)), fails("input_changed"))
	changed := strings.Replace(s.session(), "until 18", "until 22", 1)
	lying := forged(r, func(r *archive.Request) { r.Input = sha256.Sum256([]byte(changed)) })
	c.twist("attach-unsignable", "attach-content", "content that is not the digest's, and a request that names these bytes", "What sign refuses is not signed in two steps either.", replace("/request", lying), fails(unsignableContent))
	attachCompressed(c, r)
	attachFiles(c, s, r, list)
}

// attachCompressed gives an input that says that it is compressed, with a request that names its bytes.
func attachCompressed(c *class, r *archive.Request) {
	packed := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0}
	request := forged(r, func(r *archive.Request) { r.Input = sha256.Sum256(packed) })
	base := c.cases["attach-both"].Input
	c.pass("attach-bytes", "an input as bytes", "An input is bytes.", "attach", append(object("bytes", hexOf([]byte(documents().session()))), base.without("text")...))
	c.twist("attach-bytes", "attach-bytes-other", "other bytes", "The request is one for these bytes.", replace("/bytes", "00"), fails("input_changed"))
	c.twist("attach-bytes", "attach-bytes-request", "a request that names other bytes", "The request is one for these bytes.", replace("/request", request), fails("input_changed"))
	c.twist("attach-bytes-request", "attach-bytes-gzip", "these bytes, which begin as gzip does", "What is compressed cannot be written again byte for byte.", replace("/bytes", hexOf(packed)), fails(unreadableSource))
}

// attachFiles gives each signature as the file that another tool wrote it to.
func attachFiles(c *class, s served, r *archive.Request, list []archive.ItemSignature) {
	const why = "Another tool writes 64 raw bytes or 128 hexadecimal digits of either case, with white space around them."
	files := List{}
	for i, sig := range list {
		digits := hexOf(sig.Signature)
		switch i {
		case 0:
			files = append(files, object("item", sig.Item, "file_hex", digits))
		case 1:
			files = append(files, object("item", sig.Item, "file", " "+strings.ToUpper(digits)+"\r\n"))
		default:
			files = append(files, object("item", sig.Item, "file", digits))
		}
	}
	c.pass("attach-files", "signatures as other tools write them", why, "attach", object("text", s.session(), "request", string(r.Marshal()), "files", files))
	for _, m := range []struct{ slug, title, hex string }{
		{"short", "63 bytes", hexOf(list[0].Signature[:63])}, {"long", "65 bytes", hexOf(append(list[0].Signature[:64:64], '\n'))}, {"empty", "no bytes", ""},
	} {
		c.twist("attach-files", "attach-file-"+m.slug, "a file of "+m.title, why, replace("/files/0/file_hex", m.hex), fails("no_signature"))
	}
	for _, m := range []struct{ slug, title, text string }{
		{"digits", "a file of 126 digits", hexOf(list[2].Signature)[:126]}, {"letters", "a file of 128 letters that are no digits", strings.Repeat("g", 128)}, {"twice", "a file with two signatures", hexOf(list[2].Signature) + "\n" + hexOf(list[2].Signature)},
	} {
		c.twist("attach-files", "attach-file-"+m.slug, m.title, why, replace("/files/2/file", m.text), fails("no_signature"))
	}
}

// generateMalformedRequests are texts that are no request, or no signatures: one thing is wrong with each.
func generateMalformedRequests(c *class) {
	const why = "A request is read strictly: what a member that is not known asks for would be signed unseen."
	request := func(slug, title, old, new string) {
		c.twist("sign-request", "request-"+slug, title, why, c.editedIn("sign-request", "request", old, new), fails("malformed_request"))
	}
	key := publicHex(seeded(1))
	for _, m := range []struct{ slug, title, old, new string }{
		{"format", "another version of the format", `cgp-signing-request/1`, `cgp-signing-request/2`}, {"format-number", "a format that is a number", `"format":"cgp-signing-request/1"`, `"format":1`},
		{"no-format", "no format", `"format":"cgp-signing-request/1",`, ``}, {"unknown", "a member that nobody knows", `"shape"`, `"note":"x","shape"`}, {"twice", "a member twice", `"shape"`, `"shape":"both","shape"`},
		{"cut", "a text that is cut", "\n]}\n", "\n]"}, {"behind", "a value behind it", "\n]}\n", "\n]}{}"}, {"array", "an array around it", `{"format"`, `[{"format"`},
		{"sha256-upper", "a hash in uppercase", `"input_sha256":"` + inputHash(c)[:8], `"input_sha256":"` + strings.ToUpper(inputHash(c)[:8])}, {"sha256-short", "a hash of 63 digits", `"input_sha256":"` + inputHash(c)[:1], `"input_sha256":"`},
		{"algorithm", "another algorithm", `"algorithm":"ed25519"`, `"algorithm":"ed448"`}, {"key-weak", "a key of small order", key, smallOrder}, {"key-upper", "a key in uppercase", key, strings.ToUpper(key)},
		{"key-short", "a key of 31 bytes", key, key[2:]}, {"key-id-empty", "a key_id that is empty", `"key_id":"docs-2026-08"`, `"key_id":""`}, {"key-id-null", "a key_id that is null", `"key_id":"docs-2026-08"`, `"key_id":null`},
		{"attester-empty", "an attester_id that is empty", `"attester_id":"docs"`, `"attester_id":""`}, {"no-attester", "no attester_id", `"attester_id":"docs",`, ``}, {"issued-at", "an issued_at with an offset", `12:00:00Z`, `12:00:00+00:00`},
		{"shape", "a shape that nobody knows", `"shape":"both"`, `"shape":"leaves"`}, {"options-array", "options that are an array", `"items"`, `"options":[],"items"`}, {"option-unknown", "an option that nobody knows", `"items"`, `"options":{"force":true},"items"`},
		{"option-text", "an option that is a string", `"items"`, `"options":{"no_proofs":"true"},"items"`}, {"option-provider", "a provider that is empty", `"items"`, `"options":{"provider":""},"items"`},
		{"option-provider-number", "a provider that is a number", `"items"`, `"options":{"provider":7},"items"`},
		{"item-text", "an item that is a string", `"items":[`, `"items":["x",`}, {"item-unknown", "a member of an item that nobody knows", `"answer"`, `"note":"x","answer"`},
		{"answer-zero", "a record 0", `"answer":2`, `"answer":0`}, {"answer-text", "a record that is a string", `"answer":2`, `"answer":"2"`}, {"answer-fraction", "a record spelt 2.0", `"answer":2`, `"answer":2.0`}, {"no-answer", "an item without a record", `"answer":2,`, ``},
		{"kind", "a kind that nobody knows", `"kind":"root"`, `"kind":"leaf"`}, {"kind-frame", "a frame that calls itself a root", `"kind":"frame"`, `"kind":"root"`}, {"kind-root", "a root that calls itself a frame", `"kind":"root"`, `"kind":"frame"`},
		{"commitment", "a commitment that is no digest", `"commitment":"sha256:`, `"commitment":"sha512:`}, {"message-upper", "a message that is no hex", `"message":"`, `"message":"G`},
		{"leaf", "a leaf that is no digest", `"leaves":["sha256:`, `"leaves":["sha256`},
		{"leaf-null", "a leaf that is null", `"leaves":[`, `"leaves":[null,`}, {"preimage", "a preimage of half a byte", `"preimage":"`, `"preimage":"0`}, {"root-preimage", "a root with a preimage", `"preimage":null`, `"preimage":""`},
		{"root-frame", "a root with a frame", `"frame":null`, `"frame":{"provider_id":"docs","frame_id":"opening","content_digest":""}`}, {"frame-unknown", "a member of a frame that nobody knows", `"frame":{`, `"frame":{"note":"x",`},
		{"frame-id-empty", "a frame whose id is empty", `"frame_id":"opening"`, `"frame_id":""`}, {"frame-provider-empty", "a frame whose provider is empty", `"frame":{"provider_id":"docs"`, `"frame":{"provider_id":""`},
	} {
		request(m.slug, m.title, m.old, m.new)
	}
	malformedValues(c, why)
	const signed = "Signatures are read as strictly as a request."
	sig := func(slug, title, old, new string) {
		c.twist("attach-both", "signatures-"+slug, title, signed, c.editedIn("attach-both", "signatures", old, new), fails("malformed_signatures"))
	}
	for _, m := range []struct{ slug, title, old, new string }{
		{"format", "another version of the format", `cgp-signatures/1`, `cgp-signatures/2`}, {"no-format", "no format", `"format":"cgp-signatures/1",`, ``}, {"unknown", "a member that nobody knows", `"signatures"`, `"note":"x","signatures"`},

		{"member", "a member of a signature that nobody knows", `"signature":`, `"note":"x","signature":`}, {"short", "a signature of 63 bytes and a half", `"signature":"`, `"signature":"0`},
		{"behind", "a value behind it", "\n]}\n", "\n]} 7"},
	} {
		sig(m.slug, m.title, m.old, m.new)
	}
	list, _, _ := c.cases["attach-both"].Input.text("signatures")
	at := strings.Index(list, `"signature":"`) + len(`"signature":"`)
	sig("long", "a signature of 65 bytes", `"signature":"`, `"signature":"00`)
	c.twist("attach-both", "signatures-upper", "a signature in uppercase", signed, replace("/signatures", list[:at]+strings.ToUpper(list[at:at+128])+list[at+128:]), fails("malformed_signatures"), near(causeUppercase, c.cases["attach-both"].Expect))
	c.twist("attach-both", "attach-request-cut", "a request that is cut", why, c.editedIn("attach-both", "request", "\n]}\n", "\n]"), fails("malformed_request"))
}

// inputHash is the input_sha256 of the request that malformed ones are made of.
func inputHash(c *class) string {
	request, _, _ := c.cases["sign-request"].Input.text("request")
	v, err := parseValue([]byte(request))
	if err != nil {
		c.fail("request: %w", err)
		return strings.Repeat("0", 64)
	}
	return asked[string](v.(Object), "input_sha256")
}

// malformedValues are requests and signatures in which one value is another.
func malformedValues(c *class, why string) {
	text, _, _ := c.cases["sign-request"].Input.text("request")
	for _, m := range []struct {
		slug, title, path string
		value             any
	}{
		{"items-object", "items that are an object", "items", Object{}}, {"item-name-empty", "an item without a name", "items/0/item", ""}, {"message-null", "a message that is null", "items/0/message", nil},
		{"leaves-null", "a root without leaves", "items/0/leaves", nil}, {"leaves-text", "leaves that are a string", "items/0/leaves", ""}, {"frame-array", "a frame that is an array", "items/1/frame", List{}},
		{"frame-null", "a frame that is null", "items/1/frame", nil}, {"preimage-null", "a frame without a preimage", "items/1/preimage", nil}, {"frame-digest-null", "a frame whose digest is null", "items/1/frame/content_digest", nil},
		{"options-null", "options that are null", "options", nil},
	} {
		c.twist("sign-request", "request-"+m.slug, m.title, why, replace("/request", c.valued(text, m.path, m.value)), fails("malformed_request"))
	}
	c.twist("request-leaves-null", "request-kind-alone", "an item of a kind that nobody knows, with nothing of the kinds that are known", why,
		replace("/request", c.valued(c.valued(text, "items/0/leaves", nil), "items/0/kind", "leaf")), fails("malformed_request"))
	list, _, _ := c.cases["attach-both"].Input.text("signatures")
	for _, m := range []struct {
		slug, title, path string
		value             any
	}{
		{"object", "signatures that are an object", "signatures", Object{}}, {"item-empty", "a signature without a name", "signatures/0/item", ""}, {"item-null", "a name that is null", "signatures/0/item", nil},
		{"signature-null", "a signature that is null", "signatures/0/signature", nil}, {"text", "a signature that is a string", "signatures/0", "x"},
	} {
		c.twist("attach-both", "signatures-"+m.slug, m.title, "Signatures are read as strictly as a request.", replace("/signatures", c.valued(list, m.path, m.value)), fails("malformed_signatures"))
	}
}

// valued is a text of JSON in which a value was put at a place.
func (c *class) valued(text, path string, value any) string {
	v, err := parseValue([]byte(text))
	if err == nil {
		v, err = insert(v, strings.Split(path, "/"), value)
	}
	if err != nil {
		c.fail("%s: %w", path, err)
	}
	return string(marshal(v))
}
