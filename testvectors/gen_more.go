package testvectors

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// more makes cases that no others show: each was made for a judgement of the library that no case depended on.
var more = map[string]func(*class){
	"commitment": moreFrames, "proof": moreProofs, "verify": moreVerdicts, "trust": moreKeys, "wire": moreRecords, "answer": moreAnswers,
}

// moreFrames are frames whose last member is provenance of another type: behind it there is nothing to stumble over.
func moreFrames(c *class) {
	const why = "Provenance that is no array leaves the frame without a commitment, wherever it stands."
	c.pass("commitment-provenance-last", "provenance as the last member", why, "commitment",
		object("provider_id", "docs", "frame", object("id", "a", "provenance", List{})), flagged("EmptyChain"))
	for _, m := range []struct {
		slug, title string
		v           any
	}{{"object", "an empty object", Object{}}, {"text", "a string", ""}, {"number", "a number", Number("0")}, {"false", "false", false}} {
		c.twist("commitment-provenance-last", "commitment-provenance-last-"+m.slug, "the same as "+m.title, why, replace("/frame/provenance", m.v),
			fails(malformedFrame), flagged("MalformedFrame"))
	}
}

// moreProofs are proofs whose index is not below their count, with just the path that index arithmetic without that check asks for.
func moreProofs(c *class) {
	const why = "Index arithmetic gives a shape for an index that is not below the count too: the index has to be compared."
	for _, m := range []struct {
		leaf, leaves, count uint64
	}{{1, 2, 1}, {4, 8, 4}, {5, 8, 4}, {6, 8, 2}} {
		list := make([]commitment.Digest, m.leaves)
		for i := range list {
			list[i] = commitment.ContentDigest(fmt.Sprintf("leaf %d", i))
		}
		p, err := merkle.NewTree(list).Prove(m.leaf)
		if err != nil {
			c.fail("proof: %w", err)
			return
		}
		id := fmt.Sprintf("proof-inside-%d-of-%d", m.leaf, m.leaves)
		c.pass(id, fmt.Sprintf("leaf %d of %d", m.leaf, m.leaves), why, "proof", object("inclusion_proof", proofObject(&p),
			"commitment", list[m.leaf].String(), "root", merkle.Root(list).String()), verdict(valid), flagged("ProofShape"))
		c.twist(id, fmt.Sprintf("proof-outside-%d-of-%d", m.leaf, m.count), fmt.Sprintf("leaf %d of %d, with a path that fits", m.leaf, m.count), why,
			replace("/inclusion_proof/leaf_count", integer(m.count)), verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("ProofShape"))
	}
	c.twist("proof-inside-1-of-2", "proof-null-inside", "an object whose inclusion_proof is null", "What is null is absent.",
		replace("/inclusion_proof", object("inclusion_proof", nil)), fails(unusable), flagged("MissingMember"))
}

// moreVerdicts are signatures in which one digit is uppercase, the first or the last that there is.
func moreVerdicts(c *class) {
	const why = "Only 0-9 and a-f are digits: one uppercase digit is as malformed as all."
	for _, digit := range []string{"a", "f"} {
		signature, _, _ := asked[Object](c.cases["verify-valid"].Input, "attestation").text("signature")
		m := Mutation{Path: inputPath + "/attestation/signature", At: strings.Index(signature, digit), Delete: 1, Insert: []byte(strings.ToUpper(digit))}
		c.twist("verify-valid", "verify-one-upper-"+digit, "one digit "+digit+" of the signature in uppercase", why, m,
			verdict(malformedSignature), nearVerdict(causeUppercase, valid), flagged("HexForm"))
	}
	c.twist("verify-valid", "verify-attestation-null", "an attestation that is null", "What is null is absent, and nothing is verified.",
		replace("/attestation", nil), fails(unusable), flagged("MissingMember"))
}

// moreKeys are forms of public keys that are nearly right.
func moreKeys(c *class) {
	c.twist("trust-one", "trust-provider-object", "the keys of a provider as an object", "A trust file that breaks one rule is refused as a whole, and the rule has a name.",
		c.fileEdit("trust-one", `"docs":[`, `"code":{},"docs":[`), fails("wrong_type"), flagged("TrustRule"))
	refused := func(base, slug, title, key string) {
		c.twist("key-"+base, "key-"+slug, title, "What is no key, or another kind of key, is refused before anyone comes to trust it.",
			replace("/public_key", key), fails(malformedKey), flagged("KeyForm"))
	}
	raw := []byte(publicKey(seeded(1)).Bytes)
	block := func(kind string, headers map[string]string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Headers: headers, Bytes: der}))
	}
	// SEQUENCE { SEQUENCE { OBJECT IDENTIFIER 1.3.101.112 }, BIT STRING } (RFC 8410 §4), put together of its parts.
	oid, bits := "\x06\x03\x2b\x65\x70", "\x03\x21\x00"+string(raw)
	sequence := func(parts ...string) string {
		body := strings.Join(parts, "")
		return "\x30" + string(rune(len(body))) + body
	}
	good := sequence(sequence(oid), bits)
	whole := block("PUBLIC KEY", nil, []byte(good))
	for _, m := range []struct{ slug, title, text string }{
		{"in-front", "text in front of a PEM block", "key:\n" + whole},
		{"behind", "text behind a PEM block", whole + "key\n"},
		{"twice", "two PEM blocks", whole + whole},
		{"encrypted", "a PEM block that says that it is encrypted", block("PUBLIC KEY", map[string]string{"Proc-Type": "4,ENCRYPTED", "DEK-Info": "AES-256-CBC,00"}, []byte(good))},
		{"headers", "a PEM block with a header", block("PUBLIC KEY", map[string]string{"Comment": "docs"}, []byte(good))},
		{"rsa", "a block of an RSA key", block("RSA PUBLIC KEY", nil, []byte(good))},
		{"ec", "a block of an ECDSA key", block("EC PRIVATE KEY", nil, []byte(good))},
		{"dsa", "a block of a DSA key", block("DSA PRIVATE KEY", nil, []byte(good))},
		{"private-encrypted", "a block of an encrypted private key", block("ENCRYPTED PRIVATE KEY", nil, []byte(good))},
		{"openssh", "a block of an OpenSSH private key", block("OPENSSH PRIVATE KEY", nil, []byte(good))},
		{"certificate", "a block that is no key", block("CERTIFICATE", nil, []byte(good))},
		{"oid", "the identifier of Ed448", block("PUBLIC KEY", nil, []byte(sequence(sequence("\x06\x03\x2b\x65\x71"), bits)))},
		{"parameters", "algorithm parameters where there are none", block("PUBLIC KEY", nil, []byte(sequence(sequence(oid, "\x05\x00"), bits)))},
		{"der-behind", "a byte behind the structure", block("PUBLIC KEY", nil, []byte(good+"\x00"))},
		{"der-inside", "a member too many in the structure", block("PUBLIC KEY", nil, []byte(sequence(sequence(oid), bits, "\x05\x00")))},
		{"der-set", "a set in place of the sequence", block("PUBLIC KEY", nil, []byte("\x31"+good[1:]))},
		{"der-cut", "a structure that is cut", block("PUBLIC KEY", nil, []byte(good[:20]))},
	} {
		refused("pem", "pem-"+m.slug, m.title, m.text)
	}
	line := func(word string, fields ...string) string {
		var blob []byte
		for _, f := range fields {
			blob = append(binary.BigEndian.AppendUint32(blob, uint32(len(f))), f...)
		}
		return word + " " + base64.StdEncoding.EncodeToString(blob)
	}
	const kind = "ssh-ed25519"
	for _, m := range []struct{ slug, title, text string }{
		{"dss", "the type of DSA in front", line("ssh-dss", kind, string(raw))},
		{"ecdsa", "the type of ECDSA in front", line("ecdsa-sha2-nistp256", kind, string(raw))},
		{"security", "the type of a security key in front", line("sk-ssh-ed25519@openssh.com", kind, string(raw))},
		{"unknown", "a type that nobody knows in front", line("ssh-ed448", kind, string(raw))},
		{"inner", "another type inside", line(kind, "ssh-ed448", string(raw))},
		{"behind", "a field too many", line(kind, kind, string(raw), "x")},
		{"long", "a key of 33 bytes", line(kind, kind, string(raw)+"x")},
		{"lines", "two lines", line(kind, kind, string(raw)) + "\n" + line(kind, kind, string(raw))},
		{"folded", "a line that is folded", strings.Replace(line(kind, kind, string(raw)), "AAAA", "AAAA\n", 1)},
		{"base64", "a character that base64 does not have", line(kind, kind, string(raw)) + "!"},
	} {
		refused("openssh", "openssh-"+m.slug, m.title, m.text)
	}
	x := base64.RawURLEncoding.EncodeToString(raw)
	for _, m := range []struct{ slug, title, text string }{
		{"private", "a JSON Web Key with its private part", `{"kty":"OKP","crv":"Ed25519","x":"` + x + `","d":"` + x + `"}`},
		{"short", "x of 31 bytes", `{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(raw[:31]) + `"}`},
		{"padded", "x with padding", `{"kty":"OKP","crv":"Ed25519","x":"` + x + `="}`},
		{"twice", "x twice", `{"kty":"OKP","crv":"Ed25519","x":"` + base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{9}, ed25519.PublicKeySize)) + `","x":"` + x + `"}`},
		{"behind", "a value behind it", `{"kty":"OKP","crv":"Ed25519","x":"` + x + `"} {}`},
	} {
		refused("jwk", "jwk-"+m.slug, m.title, m.text)
	}
}

// moreRecords are records of our own formats with a fault inside, and the limits of what an answer holds.
func moreRecords(c *class) {
	one := func(word string) []string { return []string{word} }
	for _, m := range []struct{ base, slug, title, old, new string }{
		{"evidence", "no-result", "a retained subset without a result", `"result"`, `"results"`},
		{"evidence", "result-array", "a retained subset whose result is an array", `{"frames":[],"truncated":false}`, `[]`},
		{"archive", "envelope-no-result", "an archived message without a result", `"result"`, `"results"`},
	} {
		c.wireFault(m.base, m.base+"-"+m.slug, m.title, m.old, m.new, one(malformedRecord), one(kindPassedOver), causePassedOver, "RecordKind")
	}
	const reason = "how much an implementation reads is its own; these are this one's limits"
	limit := func(slug, title string, text any, want string) {
		c.pass("wire-"+slug, title, "What one record may hold is limited, before work is done for it.", "wire", object("text", text),
			value(records(want)), flagged("Limit"), mayDiffer(reason))
	}
	const links, frames = 10_000, 1_000_000
	linked := func(front, back string, n int) Object {
		return repeated(front, 1, repeated(`{"type":"x"},`, n-1, `{"type":"x"}`+back))
	}
	limit("links-10000", "10,000 links of one frame", linked(`{"type":"frames","result":{"frames":[{"id":"a","provenance":[`, `]}]}}`, links), kindAnswer)
	limit("links-10001", "10,001 links of one frame", linked(`{"type":"frames","result":{"frames":[{"id":"a","provenance":[`, `]}]}}`, links+1), tooManyLinks)
	limit("links-10001-bare", "10,001 links of one frame in a bare result", linked(`{"frames":[{"id":"a","provenance":[`, `]}]}`, links+1), tooManyLinks)
	limit("frames-1000001", "1,000,001 frames of one answer", repeated(`{"type":"frames","result":{"frames":[`, 1, repeated(`0,`, frames, `0]}}`)), tooManyFrames)
	limit("entries-1000001", "1,000,001 entries of one answer", repeated(`{"type":"frames","result":{"frames":[],"frame_attestations":[`, 1, repeated(`0,`, frames, `0]}}`)), tooManyFrames)
}

func moreAnswers(c *class) {
	const why = "A piece that cannot be evaluated degrades its own frame and stops nothing."
	trusted := List{trustedKey(docs, docsKey, seeded(1))}
	root := documents()
	root.signRoot = true
	only := root
	only.noProofs = true
	c.pass("answer-nobody-root", "a signed root, and nothing that says who answered", "Where nothing says who answered, nothing can be recomputed, and nothing is tampered with.",
		"answer", object("text", only.message(), "trusted", trusted), flagged("Identity"))
	c.twist("answer-entries-name", "answer-nobody-entry", "an entry that names no frame, and no other", "Where nothing says who answered, nothing can be recomputed, and nothing is tampered with.",
		c.edited("answer-entries-name", `{"frame":{"provider_id":"docs"`, `{"frame":{"provider":"docs"`), flagged("Identity", "MissingMember"))
	for _, m := range []struct{ slug, title, new string }{
		{"text", "a proof that is a string", `"x"`}, {"array", "a proof that is an array", `[]`},
	} {
		c.twist("answer-root", "answer-piece-root-proof-"+m.slug, m.title, why, c.edited("answer-root", `"inclusion_proof":{`, `"inclusion_proof":`+m.new+`,"x":{`), flagged("MissingMember"))
	}
	c.twist("answer-empty", "answer-empty-no-key", "no frames, and a root under a key that nobody trusts", "An answer without frames is good only where its root verifies.",
		removed("/trusted"), flagged("EmptyRoot", "Policy"))
	empty := only
	empty.frames, empty.keyID = nil, "docs-2025"
	c.pass("answer-empty-beside", "a good answer, and one without frames whose root nobody can check", "One unchecked answer makes the whole run unchecked.", "answer",
		object("text", root.session()+empty.message()+"\n", "trusted", trusted), flagged("EmptyRoot", "Policy"))
	unsigned := documents()
	unsigned.frames = nil
	c.pass("answer-empty-unsigned", "no frames, and no evidence", "An answer without frames is good only where its root verifies.", "answer",
		object("text", unsigned.session(), "trusted", trusted), flagged("EmptyRoot", "Policy"))
	file := documents()
	file.signRoot = true
	file.frames = []Object{contentFrame("opening", "open until 18").with("provenance", List{object("type", "file", "uri", "file:///opening.txt")})}
	c.pass("answer-file-no-digest", "a file link without a digest", "A file link has to carry a digest; it is said where one does not.", "answer", object("text", file.session(), "trusted", trusted), flagged("LinkChain"))
	moreAnswerKeys(c, root)
}

// moreAnswerKeys are keys that are published in two places, and elements that are none.
func moreAnswerKeys(c *class, s served) {
	const why = "Rotation is a new key_id: where one key_id has other bytes elsewhere, it is said."
	key, other := publishedKey(docsKey, seeded(1)), publishedKey(docsKey, seeded(3))
	given := List{append(object("provider", docs), key...)}
	c.pass("answer-key-given-conflict", "a key that is given, and another under its key_id in the session", why, "answer",
		object("text", s.ack(other)+"\n"+s.message()+"\n", "published", given), flagged("OtherKey"))
	text := s.ack(object("key_id", docsKey), publishedKey("x", seeded(1))) + "\n" + s.message() + "\n"
	c.pass("answer-key-missing-bytes", "a key without its bytes in the session", "An element that cannot be read is said, and is no key.", "answer", object("text", text, "require", constructed), flagged("MissingMember"))
	c.twist("answer-key-missing-bytes", "answer-key-text", "an element of attester_keys that is a string", "An element that cannot be read is said, and is no key.",
		c.edited("answer-key-missing-bytes", `{"key_id":"docs-2026-08"}`, `"docs-2026-08"`), flagged("MissingMember"))
	part := s.result()
	record := func(keys ...any) string {
		return string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", part, "attester_keys", List(keys))))
	}
	c.pass("answer-evidence-keys", "a retained part with its own key", why, "answer", object("text", record(key), "require", constructed), flagged("OtherKey", "Retained"))
	c.pass("answer-evidence-key-text", "a retained part with an element of attester_keys that is none", why, "answer", object("text", record("x", key), "require", constructed), flagged("MissingMember", "Retained"))
	c.pass("answer-evidence-key-conflict", "a retained part with its own key behind a handshake_ack with another", why, "answer",
		object("text", s.ack(other)+"\n"+record(key)+"\n", "require", constructed), flagged("OtherKey", "Retained"))
	c.pass("answer-evidence-given-conflict", "a retained part with its own key, and another given under its key_id", why, "answer",
		object("text", record(other), "published", given), flagged("OtherKey", "Retained"))
}
