package testvectors

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

const (
	sampleKeyID    = "repo-graph-2026-08"
	sampleIssuedAt = "2026-08-29T12:00:00Z"
)

// attestationOver is an attestation over a commitment, signed over its raw bytes.
func attestationOver(k ed25519.PrivateKey, d commitment.Digest) Object {
	return attestationWith(d.String(), hexOf(ed25519.Sign(k, d[:])))
}

func attestationWith(signedCommitment, signature string) Object {
	return object("signed_commitment", signedCommitment, "key_id", sampleKeyID, "algorithm", "ed25519", "attester_id", sampleProvider,
		"signature", signature, "issued_at", sampleIssuedAt)
}

func keyObject(algorithm, publicKey string) Object {
	return object("algorithm", algorithm, "public_key", publicKey)
}

func generateVerify(c *class) {
	c.rules = []string{"§6.5.4"}
	k, d := seeded(1), leafAt(9)
	in := object("attestation", attestationOver(k, d), "commitment", d.String(), "public_key", keyObject("ed25519", publicHex(k)), "content_digest", digestOf(sampleContent))
	c.pass("verify-valid", "an attestation over a frame with a digest", "The signature verifies, and the frame binds a digest.", "verify", in, verdict(valid), flagged("SignatureBytes"))
	c.twist("verify-valid", "verify-no-digest", "a frame without a digest", "It verifies, and binds identity and provenance, not content (F14).", removed("/content_digest"),
		verdict(validIdentityOnly), rules("§6.5.4", "F14"), flagged("IdentityOnly"))
	c.twist("verify-valid", "verify-null-digest", "a frame whose digest is null", "null is absent.", replace("/content_digest", nil),
		verdict(validIdentityOnly), rules("§6.5.4", "F14"), flagged("IdentityOnly"))
	c.twist("verify-valid", "verify-empty-digest", "a frame whose digest is empty", "The empty string is present.", replace("/content_digest", ""), verdict(valid),
		nearVerdict(causeAbsentEmpty, validIdentityOnly), flagged("IdentityOnly", "AbsentEmpty"))
	c.twist("verify-valid", "verify-opaque-digest", "a frame whose digest is not in D1 form", "The verdict does not ask for the digest's grammar.", replace("/content_digest", "sha256:9f2c3e7a1b"),
		verdict(valid), flagged("DigestForm"))
	generateVerifyAlgorithms(c)
	generateVerifyCommitments(c, d)
	generateVerifySignatures(c, k, d)
	generateUnsignedMembers(c)
	generatePrecedence(c)
	const missing = "An attestation with a missing or ill-typed member cannot be evaluated: unusable, not malformed."
	for _, m := range []string{"signed_commitment", "key_id", "algorithm", "attester_id", "signature", "issued_at"} {
		c.twist("verify-valid", "verify-missing-"+m, "no "+m, missing, removed("/attestation/"+m), fails(unusable), flagged("MissingMember"))
	}
	for _, m := range []struct {
		slug, member string
		value        any
	}{{"null-signature", "signature", nil}, {"number-key-id", "key_id", Number("1")}, {"null-issued-at", "issued_at", nil}, {"object-commitment", "signed_commitment", Object{}}} {
		c.twist("verify-valid", "verify-"+m.slug, "another type of "+m.member, missing, replace("/attestation/"+m.member, m.value), fails(unusable), flagged("MissingMember"))
	}
	c.twist("verify-valid", "verify-case-signature", "a member Signature and no signature", "Names are compared exactly.", moved("/attestation/signature", "/attestation/Signature"),
		fails(unusable), nearVerdict(causeCaseFolded, valid), rules("§6.5.4", "U1"), flagged("MemberCase"))
	c.twist("verify-valid", "verify-attestation-array", "an attestation that is an array", missing, replace("/attestation", List{}), fails(unusable), flagged("MissingMember"))
}

func generateVerifyAlgorithms(c *class) {
	const base = "verify-valid"
	const why = "A name is compared exactly; what a verifier was not told to check it cannot call good or bad (F8)."
	for _, m := range []struct{ slug, name string }{
		{"upper", "Ed25519"}, {"all-upper", "ED25519"}, {"jose", "EdDSA"}, {"ph", "ed25519ph"}, {"space", "ed25519 "}, {"empty", ""}, {"ml-dsa", "ml-dsa-65"}, {"none", "null"},
	} {
		opts := []option{verdict(unknownAlgorithm), rules("§6.5.4", "F8"), flagged("Algorithm")}
		c.twist(base, "verify-algorithm-"+m.slug, fmt.Sprintf("the algorithm %q", m.name), why, replace("/attestation/algorithm", m.name), opts...)
	}
	c.twist(base, "verify-algorithms-none", "a verifier that was told to check nothing", why, added("/algorithms", List{}), verdict(unknownAlgorithm), rules("F8"), flagged("Algorithm"))
	c.twist(base, "verify-algorithms-other", "a verifier that was told to check another algorithm", why, added("/algorithms", List{"ml-dsa-65"}),
		verdict(unknownAlgorithm), rules("F8"), flagged("Algorithm"))
	const own = "A key is used with its own algorithm and no other, and nothing is retried under another scheme."
	for _, name := range []string{"ml-dsa-65", "Ed25519", "", "ed448"} {
		c.twist(base, "verify-key-algorithm-"+map[string]string{"": "empty", "Ed25519": "upper"}[name]+strings.ToLower(strings.TrimPrefix(name, "Ed25519")), fmt.Sprintf("the same key bytes as a key of %q", name), own,
			replace("/public_key/algorithm", name), verdict(malformedKey), rules("F7"), flagged("Algorithm"))
	}
	key := publicHex(seeded(1))
	for _, m := range []struct{ slug, what, key string }{
		{"short", "a key of 31 bytes", key[:62]}, {"long", "a key of 33 bytes", key + "00"}, {"empty", "an empty key", ""},
		{"upper", "a key in uppercase digits", strings.ToUpper(key)}, {"no-hex", "a key with a letter that is no digit", "z" + key[1:]}, {"odd", "a key of 63 digits", key[:63]},
		{"pem", "a key in base64", base64.StdEncoding.EncodeToString(fromHex(key))},
		{"small", "a key of small order", "01" + strings.Repeat("0", 62)}, {"off-curve", "a key that is no point", hexOf(offCurve())},
	} {
		opts := []option{verdict(malformedKey), flagged("HexForm")}
		if m.slug == "upper" {
			opts = append(opts, nearVerdict(causeUppercase, valid))
		}
		c.twist(base, "verify-key-"+m.slug, m.what, "A published key is 64 lowercase hexadecimal digits, of a point that a strict verifier takes.", replace("/public_key/public_key", m.key), opts...)
	}
}

func generateVerifyCommitments(c *class, d commitment.Digest) {
	const base = "verify-valid"
	for _, m := range []struct{ slug, what, value string }{
		{"upper", "uppercase digits", upperDigest(d)}, {"bare", "no sha256:", d.String()[7:]}, {"short", "63 digits", d.String()[:70]}, {"long", "65 digits", d.String() + "0"},
		{"empty", "nothing in it", ""}, {"other-hash", "sha512: in front", "sha512:" + d.String()[7:]}, {"space", "a space in front", " " + d.String()},
	} {
		opts := []option{verdict(malformedCommitment), rules("D1", "§6.5.4"), flagged("DigestForm")}
		if m.slug == "upper" {
			opts = append(opts, nearVerdict(causeUppercase, valid))
		}
		c.twist(base, "verify-signed-"+m.slug, "a signed_commitment with "+m.what, "A digest is sha256: and 64 lowercase hexadecimal digits.", replace("/attestation/signed_commitment", m.value), opts...)
	}
	const why = "What was signed has to be what was recomputed from the frames in hand."
	c.twist(base, "verify-other-frame", "the attestation of another frame", why, replace("/attestation", attestationOver(seeded(1), leafAt(10))), verdict(commitmentMismatch),
		nearVerdict(causeOtherFrame, valid), flagged("Identity"))
	c.twist(base, "verify-recomputed-other", "a frame that was changed", why, replace("/commitment", leafAt(11).String()), verdict(commitmentMismatch),
		nearVerdict(causeOtherFrame, valid), flagged("Identity"))
	c.twist(base, "verify-signed-rewritten", "a signed_commitment that was rewritten to another", why, replace("/attestation/signed_commitment", leafAt(11).String()), verdict(commitmentMismatch), flagged("Identity"))
	c.twist("verify-recomputed-other", "verify-both-rewritten", "both rewritten to another", "Then the signature is of something else.", replace("/attestation/signed_commitment", leafAt(11).String()),
		verdict(badSignature), flagged("SignedMessage"))
}

func generateVerifySignatures(c *class, k ed25519.PrivateKey, d commitment.Digest) {
	const base = "verify-valid"
	signature := asked[string](asked[Object](c.cases[base].Input, "attestation"), "signature")
	h256, h512 := sha256.Sum256(d[:]), sha512.Sum512(d[:])
	ph, err := k.Sign(nil, h512[:], &ed25519.Options{Hash: crypto.SHA512})
	if err != nil {
		c.fail("verify: %w", err)
	}
	for _, m := range []struct {
		slug, what, signature, verdict, flag, cause string
	}{
		{"other-key", "a signature with another key", hexOf(ed25519.Sign(seeded(2), d[:])), badSignature, "OtherKey", causeOtherKey},
		{"prehash-sha256", "the SHA-256 of the commitment signed", hexOf(ed25519.Sign(k, h256[:])), badSignature, "SignedMessage", causePrehashed},
		{"prehash-sha512", "the SHA-512 of the commitment signed", hexOf(ed25519.Sign(k, h512[:])), badSignature, "SignedMessage", causePrehashed},
		{"ed25519ph", "Ed25519ph", hexOf(ph), badSignature, "SignedMessage", causePrehashed},
		{"hex", "the hexadecimal digits of the commitment signed", hexOf(ed25519.Sign(k, []byte(hexOf(d[:])))), badSignature, "SignedMessage", causeHexTextSigned},
		{"text", "the text of signed_commitment signed", hexOf(ed25519.Sign(k, []byte(d.String()))), badSignature, "SignedMessage", causeHexTextSigned},
		{"upper", "uppercase digits", strings.ToUpper(signature), malformedSignature, "HexForm", causeUppercase},
		{"base64", "base64", base64.StdEncoding.EncodeToString(fromHex(signature)), malformedSignature, "HexForm", causeBase64},
		{"base64url", "base64url without padding", base64.RawURLEncoding.EncodeToString(fromHex(signature)), malformedSignature, "HexForm", causeBase64},
		{"empty", "nothing", "", malformedSignature, "HexForm", ""},
		{"short", "63 bytes", signature[:126], malformedSignature, "HexForm", ""},
		{"zero", "64 zero bytes", strings.Repeat("0", 128), badSignature, "SignatureBytes", ""},
	} {
		opts := []option{verdict(m.verdict), flagged(m.flag)}
		if m.cause != "" {
			opts = append(opts, nearVerdict(m.cause, valid))
		}
		c.twist(base, "verify-signature-"+m.slug, "a signature: "+m.what, "The signature is 128 lowercase hexadecimal digits, over the 32 raw bytes of the commitment.", replace("/attestation/signature", m.signature), opts...)
	}
}

func generateUnsignedMembers(c *class) {
	const why = "No signature covers it: whoever relays an attestation can rewrite it, and it verifies all the same."
	for _, m := range [][2]string{{"key_id", "another"}, {"attester_id", "someone else"}, {"issued_at", "1999-01-01T00:00:00Z"}, {"issued_at", "yesterday"}, {"key_id", ""}} {
		slug := map[string]string{"another": "key-id", "someone else": "attester", "1999-01-01T00:00:00Z": "issued-early", "yesterday": "issued-malformed", "": "key-id-empty"}[m[1]]
		c.twist("verify-valid", "verify-unsigned-"+slug, m[0]+" rewritten", why, replace("/attestation/"+m[0], m[1]), verdict(valid), rules("F18"), flagged("Unsigned"))
	}
	c.twist("verify-valid", "verify-unsigned-unknown", "a member that nobody knows", why, added("/attestation/valid_until", "1999-01-01T00:00:00Z"), verdict(valid), rules("F18", "U1"), flagged("Unsigned"))
}

// generatePrecedence puts two faults and more into one attestation: the first in the order of the verdicts is the verdict.
func generatePrecedence(c *class) {
	const why = "The verdicts have an order, and the first that applies is the verdict."
	twist := func(base, slug, title string, m Mutation, want, swapped string) {
		opts := []option{verdict(want), flagged("Precedence")}
		if swapped != "" {
			opts = append(opts, nearVerdict(causePrecedence, swapped))
		}
		c.twist(base, "verify-order-"+slug, title, why, m, opts...)
	}
	twist("verify-other-frame", "mismatch-bad-signature", "another frame, and a signature of something else", replace("/attestation/signature", strings.Repeat("0", 128)), commitmentMismatch, badSignature)
	twist("verify-other-frame", "mismatch-malformed-signature", "another frame, and a signature of 63 bytes", replace("/attestation/signature", strings.Repeat("0", 126)), commitmentMismatch, malformedSignature)
	twist("verify-other-frame", "mismatch-malformed-key", "another frame, and a key of small order", replace("/public_key/public_key", "01"+strings.Repeat("0", 62)), commitmentMismatch, malformedKey)
	twist("verify-order-mismatch-malformed-key", "mismatch-key-signature", "another frame, a key of small order and a signature of 63 bytes", replace("/attestation/signature", strings.Repeat("0", 126)), commitmentMismatch, malformedKey)
	twist("verify-signed-upper", "malformed-commitment-bad-signature", "a malformed commitment and a signature of something else", replace("/attestation/signature", strings.Repeat("0", 128)), malformedCommitment, "")
	twist("verify-signed-upper", "malformed-commitment-malformed-key", "a malformed commitment and an empty key", replace("/public_key/public_key", ""), malformedCommitment, "")
	twist("verify-signed-upper", "malformed-commitment-other-frame", "a malformed commitment, and another frame", replace("/commitment", leafAt(11).String()), malformedCommitment, "")
	twist("verify-algorithm-upper", "unknown-malformed-commitment", "an unknown algorithm and a malformed commitment", replace("/attestation/signed_commitment", "x"), unknownAlgorithm, "")
	twist("verify-algorithm-upper", "unknown-mismatch", "an unknown algorithm, and another frame", replace("/commitment", leafAt(11).String()), unknownAlgorithm, "")
	twist("verify-order-unknown-mismatch", "unknown-mismatch-signature", "an unknown algorithm, another frame and an empty signature", replace("/attestation/signature", ""), unknownAlgorithm, "")
	twist("verify-key-small", "key-malformed-signature", "a key of small order and an empty signature", replace("/attestation/signature", ""), malformedKey, "")
	twist("verify-key-short", "key-bad-signature", "a key of 31 bytes and a signature of something else", replace("/attestation/signature", strings.Repeat("0", 128)), malformedKey, "")
	twist("verify-signature-upper", "signature-identity", "a malformed signature over a frame without a digest", removed("/content_digest"), malformedSignature, "")
	twist("verify-signature-zero", "bad-identity", "a bad signature over a frame without a digest", removed("/content_digest"), badSignature, "")
}

func generateContent(c *class) {
	c.rules, c.flags = []string{"D1", "§6.5.2"}, []string{"Content"}
	const why = "Nobody but the reader compares the content with its digest; without that a signature says nothing about the bytes in front of him."
	d := digestOf(sampleContent)
	c.pass("content-match", "content and its digest", why, "content", object("content", sampleContent, "content_digest", d), verdict(contentMatch))
	c.pass("content-unicode", "content of every width", why, "content", object("content", "na\u00efve \u65e5\u672c \U0001d11e\n", "content_digest", digestOf("na\u00efve \u65e5\u672c \U0001d11e\n")), verdict(contentMatch))
	c.pass("content-empty", "empty content and its digest", "Empty content is content.", "content", object("content", "", "content_digest", digestOf("")), verdict(contentMatch))
	differ := func(base, slug, title string, m Mutation, want string, opts ...option) {
		c.twist(base, "content-"+slug, title, why, m, append(opts, verdict(want), nearVerdict(causeContentUnchecked, contentMatch))...)
	}
	differ("content-match", "other", "other content", replace("/content", "Retry behaviour is set elsewhere."), contentMismatch)
	differ("content-match", "one-letter", "one letter changed", replace("/content", strings.Replace(sampleContent, "retry", "Retry", 1)), contentMismatch)
	differ("content-match", "newline", "a line feed behind it", replace("/content", sampleContent+"\n"), contentMismatch)
	differ("content-match", "space", "a space behind it", replace("/content", sampleContent+" "), contentMismatch)
	differ("content-match", "nul", "a NUL behind it", replace("/content", sampleContent+"\x00"), contentMismatch)
	differ("content-match", "emptied", "content emptied", replace("/content", ""), contentMismatch)
	differ("content-match", "digest-of-empty", "the digest of nothing", replace("/content_digest", digestOf("")), contentMismatch)
	differ("content-unicode", "decomposed", "a letter composed otherwise", replace("/content", "nai\u0308ve \u65e5\u672c \U0001d11e\n"), contentMismatch, flagged("Content", "Unchanged"))
	differ("content-unicode", "crlf", "CR and LF for LF", replace("/content", "na\u00efve \u65e5\u672c \U0001d11e\r\n"), contentMismatch, flagged("Content", "Unchanged"))
	differ("content-empty", "not-empty", "content under the digest of nothing", replace("/content", "x"), contentMismatch)
	differ("content-match", "upper", "a digest in uppercase digits", replace("/content_digest", "sha256:"+strings.ToUpper(d[7:])), opaqueDigest, nearVerdict(causeUppercase, contentMatch), flagged("DigestForm"))
	differ("content-match", "opaque", "a digest of another form", replace("/content_digest", "sha256:9f2c3e7a1b"), opaqueDigest, flagged("DigestForm"))
	differ("content-match", "bare", "a digest without sha256:", replace("/content_digest", d[7:]), opaqueDigest, flagged("DigestForm"))
	differ("content-match", "empty-digest", "an empty digest", replace("/content_digest", ""), opaqueDigest, nearVerdict(causeAbsentEmpty, noDigest), flagged("AbsentEmpty", "DigestForm"))
	differ("content-match", "no-digest", "no digest", removed("/content_digest"), noDigest)
	differ("content-match", "null-digest", "a digest that is null", replace("/content_digest", nil), noDigest)
	differ("content-match", "absent", "no content", removed("/content"), noContent)
	differ("content-match", "null", "content that is null", replace("/content", nil), noContent)
	differ("content-absent", "nothing", "neither", removed("/content_digest"), noContent, flagged("Precedence"))
	differ("content-absent", "absent-opaque", "no content, and a digest of another form", replace("/content_digest", "x"), noContent, flagged("Precedence"))
}
