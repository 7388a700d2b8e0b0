package testvectors

import (
	"crypto/ed25519"
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func publicKey(k ed25519.PrivateKey) sign.PublicKey {
	return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(k.Public().(ed25519.PublicKey))}
}

// trustedEntry is one key of a trust file.
func trustedEntry(keyID string, k ed25519.PrivateKey, more ...any) Object {
	o := object("key_id", keyID, "algorithm", "ed25519", "public_key", publicHex(k), "fingerprint", keys.Fingerprint(publicKey(k)))
	return append(o, object(more...)...)
}

func trustFile(providers Object) string {
	return string(marshal(object("format", "contextgraph-trust/1", "providers", providers)))
}

func generateTrust(c *class) {
	c.rules, c.flags = []string{"§6.5.4"}, []string{"TrustRule"}
	const why = "A trust file that breaks one rule is refused as a whole, and the rule has a name."
	one := trustFile(object("docs", List{trustedEntry("docs-2026-08", seeded(1))}))
	window := trustFile(object("docs", List{trustedEntry("docs-2026-08", seeded(1), "not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z", "tier", pinned)}))
	two := trustFile(object("docs", List{trustedEntry("b", seeded(1)), trustedEntry("a", seeded(2))}, "code", List{trustedEntry("a", seeded(3))}))
	c.pass("trust-one", "one key", why, "trust", object("file", one))
	c.pass("trust-window", "a pinned key with a window", why, "trust", object("file", window))
	c.pass("trust-two", "two providers, out of order", "Providers and keys are sorted by bytes.", "trust", object("file", two))
	c.pass("trust-empty", "no providers", "providers is optional.", "trust", object("file", `{"format":"contextgraph-trust/1"}`))
	edit := func(base, slug, title, old, new string, opts ...option) {
		c.twist(base, "trust-"+slug, title, why, c.fileEdit(base, old, new), opts...)
	}
	ok := func(base, slug, title, old, new string) { edit(base, slug, title, old, new) }
	key, fingerprint := publicHex(seeded(1)), keys.Fingerprint(publicKey(seeded(1)))
	ok("trust-one", "upper-key", "a key in uppercase digits, which trust files alone take", key, strings.ToUpper(key))
	ok("trust-one", "no-fingerprint", "no fingerprint", `,"fingerprint":"`+fingerprint+`"`, "")
	ok("trust-one", "null-members", "optional members that are null", `}]`, `,"not_before":null,"not_after":null,"tier":null}]`)
	ok("trust-one", configured, "the tier written down", `}]`, `,"tier":"configured"}]`)
	ok("trust-one", "no-keys", "a provider without keys", `[{"key_id"`, `[],"more":[{"key_id"`)
	ok("trust-one", "escaped-member", "a member name with an escape", `"key_id"`, `"key\u005fid"`)
	ok("trust-one", "white-space", "white space around it", `{"format"`, " \r\n\t{\"format\"")
	ok("trust-window", "one-instant", "a window of one instant", "2027-07-31T23:59:59Z", "2026-08-01T00:00:00.000Z")
	ok("trust-two", "same-id-other-provider", "one key_id of two providers", `"b"`, `"c"`)
	ok("trust-empty", "null-providers", "providers that is null", `"}`, `","providers":null}`)

	broken := func(base, rule, slug, title, old, new string, opts ...option) {
		edit(base, slug, title, old, new, append([]option{fails(rule), flagged("TrustRule")}, opts...)...)
	}
	broken("trust-one", unsupportedFormat, "format-2", "another version", "trust/1", "trust/2")
	broken("trust-one", unsupportedFormat, "format-upper", "the format in another case", "contextgraph-trust", "ContextGraph-Trust")
	broken("trust-one", unsupportedFormat, "format-missing", "no format", `"format":"contextgraph-trust/1",`, "")
	broken("trust-one", unsupportedFormat, "format-null", "a format that is null", `"contextgraph-trust/1"`, "null")
	broken("trust-one", "unknown_member", "unknown-top", "a member of the file that nobody knows", `{"format"`, `{"version":1,"format"`)
	broken("trust-one", "unknown_member", "unknown-key", "a member of a key that nobody knows", `"key_id"`, `"comment":"x","key_id"`)
	broken("trust-one", duplicateMember, "duplicate-key-id", "key_id twice in one key", `"key_id"`, `"key_id":"other","key_id"`, nearValue(causeLastDuplicate, oneKey("docs", "docs-2026-08", key)), flagged("TrustRule", "DuplicateMember"))
	broken("trust-one", duplicateMember, "duplicate-provider", "a provider twice", `"docs"`, `"docs":[],"docs"`, nearValue(causeLastDuplicate, oneKey("docs", "docs-2026-08", key)), flagged("TrustRule", "DuplicateMember"))
	broken("trust-one", duplicateMember, "duplicate-escaped", "a member twice, once with an escape", `"key_id"`, `"key\u005fid":"other","key_id"`, nearValue(causeLastDuplicate, oneKey("docs", "docs-2026-08", key)), flagged("TrustRule", "DuplicateMember"))
	broken("trust-one", "empty_provider_id", "empty-provider", "a provider without a name", `"docs"`, `""`)
	broken("trust-one", "empty_key_id", "empty-key-id", "a key without a name", `"docs-2026-08"`, `""`)
	broken("trust-one", missingMember, "no-key-id", "no key_id", `"key_id":"docs-2026-08",`, "")
	broken("trust-one", missingMember, "null-key", "a public_key that is null", `"public_key":"`+key+`"`, `"public_key":null`)
	broken("trust-one", missingMember, "no-algorithm", "no algorithm", `"algorithm":"ed25519",`, "")
	broken("trust-one", "wrong_type", "key-number", "a key_id that is a number", `"docs-2026-08"`, `7`)
	broken("trust-one", "wrong_type", "key-text", "a key that is a string", `[{"key_id"`, `["x",{"key_id"`)
	broken("trust-empty", "wrong_type", "providers-text", "providers that is a string", `"}`, `","providers":""}`)
	broken("trust-one", "unsupported_algorithm", "algorithm-other", "another algorithm", `"ed25519"`, `"ed448"`, flagged("TrustRule", "Algorithm"))
	broken("trust-one", "unsupported_algorithm", "algorithm-upper", "the algorithm in another case", `"ed25519"`, `"Ed25519"`, flagged("TrustRule", "Algorithm"))
	broken("trust-no-fingerprint", "malformed_public_key", "key-short", "a key of 63 digits", key, key[:63])
	broken("trust-no-fingerprint", "malformed_public_key", "key-long", "a key of 66 digits", key, key+"00")
	broken("trust-no-fingerprint", "malformed_public_key", "key-letter", "a letter that is no digit", key, "g"+key[1:])
	broken("trust-no-fingerprint", "weak_public_key", "key-small", "a key of small order", key, "01"+strings.Repeat("0", 62), flagged("TrustRule", "SmallOrder"))
	broken("trust-no-fingerprint", "weak_public_key", "key-small-other", "a key of small order that is not on the published list", key, "ee"+strings.Repeat("f", 60)+"7f", flagged("TrustRule", "SmallOrder"))
	broken("trust-no-fingerprint", "weak_public_key", "key-off-curve", "a key that is no point", key, hexOf(offCurve()), flagged("TrustRule", "NonCanonical"))
	broken("trust-one", "fingerprint_mismatch", "fingerprint-other", "the fingerprint of another key", fingerprint, keys.Fingerprint(publicKey(seeded(2))))
	broken("trust-one", "fingerprint_mismatch", "fingerprint-upper", "a fingerprint in uppercase digits", fingerprint, "sha256:"+strings.ToUpper(fingerprint[7:]), nearValue(causeUppercase, oneKey("docs", "docs-2026-08", key)))
	broken("trust-window", "inverted_window", "window-inverted", "a window that ends before it begins", "2027-07-31T23:59:59Z", "2026-07-31T23:59:59Z", flagged("TrustRule", "WindowEnd"))
	broken("trust-window", "inverted_window", "window-inverted-fraction", "a window that ends a nanosecond too early", "2027-07-31T23:59:59Z", "2026-07-31T23:59:59.999999999Z", flagged("TrustRule", "WindowEnd"))
	broken("trust-window", malformedWindow, "window-offset", "an end with an offset", "2027-07-31T23:59:59Z", "2027-07-31T23:59:59+00:00", flagged("TrustRule", "Instant"))
	broken("trust-window", malformedWindow, "window-date", "an end that is a date", "2027-07-31T23:59:59Z", "2027-07-31", flagged("TrustRule", "Instant"))
	broken("trust-window", malformedWindow, "window-empty", "an empty end", "2026-08-01T00:00:00Z", "", flagged("TrustRule", "Instant"))
	broken("trust-window", "unknown_tier", "tier-unknown", "another tier", `"pinned"`, `"published"`)
	broken("trust-window", "unknown_tier", "tier-upper", "a tier in another case", `"pinned"`, `"Pinned"`)
	broken("trust-two", "duplicate_key_id", "same-id", "one key_id twice for one provider", `"key_id":"a","algorithm":"ed25519","public_key":"`+publicHex(seeded(2)), `"key_id":"b","algorithm":"ed25519","public_key":"`+publicHex(seeded(2)))
	broken("trust-one", "malformed_json", "cut", "a file that is cut", `}]}}`, `}]}`)
	broken("trust-one", "malformed_json", "trailing", "another value behind it", `}]}}`, `}]}} {}`, flagged("TrustRule", "Framing"))
	broken("trust-one", "malformed_json", "comma", "a comma behind the last member", `}]}}`, `}]},}`)
	broken("trust-one", "malformed_json", "comment", "a comment", `{"format"`, `/* */{"format"`)
	c.twist("trust-one", "trust-nothing", "an empty file", why, replace("/file", ""), fails("malformed_json"), flagged("TrustRule"))
	c.twist("trust-one", "trust-array", "a file that is an array", why, replace("/file", "[]"), fails("wrong_type"), flagged("TrustRule"))
	bytesOf := hexOf([]byte(one))
	c.pass("trust-bytes", "one key, as bytes", why, "trust", object("file_hex", bytesOf), flagged("InvalidText"))
	place := strings.Index(one, "docs-2026")
	c.twist("trust-bytes", "trust-invalid-utf8", "a byte that belongs to no character", why, Mutation{Path: "/input/file_hex", At: place, Delete: 1, Insert: []byte{0xff}}, fails(invalidUTF8), flagged("TrustRule", "InvalidText"))
	c.twist("trust-bytes", "trust-overlong", "an overlong form of a letter", why, Mutation{Path: "/input/file_hex", At: place, Delete: 1, Insert: []byte{0xc1, 0xa4}}, fails(invalidUTF8), flagged("TrustRule", "InvalidText"))
	c.twist("trust-bytes", "trust-mark", "a byte order mark in front", why, Mutation{Path: "/input/file_hex", Insert: []byte("\xef\xbb\xbf")}, fails("malformed_json"), flagged("TrustRule", "InvalidText"))
	generateTrustLimits(c, one)
	generateKeys(c)
}

// fileEdit is the change of the first occurrence of old in the file of a case.
func (c *class) fileEdit(base, old, new string) Mutation {
	var text string
	if from := c.cases[base]; from != nil {
		text, _, _ = from.Input.text("file")
	}
	at := strings.Index(text, old)
	if at < 0 {
		c.fail("%s: its file does not hold %q", base, old)
		at = 0
	}
	return Mutation{Path: inputPath + "/file", At: at, Delete: len(old), Insert: []byte(new)}
}

// oneKey is a store of one configured key.
func oneKey(provider, keyID, key string) Object {
	return object(provider, List{object("key_id", keyID, "public_key", key, "tier", configured)})
}

func generateTrustLimits(c *class, file string) {
	const limit = keys.MaxTrustFile
	c.pass("trust-limit", "a file of exactly 1 MiB", "1 MiB is read.", "trust", object("file", repeated(" ", limit-len(file), file)), flagged("Limit"))
	c.twist("trust-limit", "trust-limit-less", "a file of one byte less than 1 MiB", "1 MiB is read.", replace("/file/repeat/1", integer(limit-len(file)-1)), flagged("Limit"))
	c.twist("trust-limit", "trust-limit-more", "a file of one byte more than 1 MiB", "More than 1 MiB is not read, whatever it holds.", replace("/file/repeat/1", integer(limit-len(file)+1)), fails(tooLarge), flagged("Limit"))
	pins := func(n int) List {
		list := List{}
		for i := range n {
			list = append(list, trustedEntry(fmt.Sprintf("k%02d", i), seeded(byte(0x20+i)), "tier", pinned))
		}
		return list
	}
	sixteen := trustFile(object("docs", append(pins(16), trustedEntry("z", seeded(0x50)))))
	c.pass("trust-pinned-16", "sixteen pinned keys and a configured one", "At most sixteen keys of one provider are pinned.", "trust", object("file", sixteen), flagged("Limit"))
	c.twist("trust-pinned-16", "trust-pinned-17", "seventeen pinned keys", "At most sixteen keys of one provider are pinned.",
		c.editOfLast("trust-pinned-16", `}]`, `,"tier":"pinned"}]`), fails("too_many_pinned"), flagged("Limit"))
	c.pass("trust-pinned-two-providers", "sixteen pinned keys of each of two providers", "The limit is one provider's.", "trust",
		object("file", trustFile(object("a", pins(16), "b", pins(16)))), flagged("Limit"))
}

func (c *class) editOfLast(base, old, new string) Mutation {
	m := c.fileEdit(base, old, new)
	text, _, _ := c.cases[base].Input.text("file")
	m.At = strings.LastIndex(text, old)
	return m
}

func generateKeys(c *class) {
	const why = "One key has several forms, and one fingerprint: SHA-256 over its raw bytes."
	k := publicKey(seeded(1))
	pem, errPEM := keys.MarshalPKIX(k)
	jwk, errJWK := keys.MarshalJWK(k)
	if errPEM != nil || errJWK != nil {
		c.fail("key: %w, %w", errPEM, errJWK)
		return
	}
	digits := publicHex(seeded(1))
	c.pass("key-hex", "a key in hex", why, "key", object("public_key", digits, "form", "hex"), flagged("KeyForm"))
	c.pass("key-pem", "a key in PEM", why, "key", object("public_key", string(pem), "form", "pem"), flagged("KeyForm"))
	c.pass("key-openssh", "a key as OpenSSH writes it", why, "key", object("public_key", opensshKey(seeded(1)), "form", "openssh"), flagged("KeyForm"))
	c.pass("key-jwk", "a key as a JSON Web Key", why, "key", object("public_key", string(jwk), "form", "jwk"), flagged("KeyForm"))
	c.twist("key-hex", "key-hex-upper", "a key in uppercase digits", "A person may write either case; the bytes are the same.", replace("/public_key", strings.ToUpper(digits)), flagged("KeyForm"))
	for _, m := range []struct{ base, slug, what, key, flag string }{
		{"key-hex", "hex-short", "63 digits", digits[:63], "HexForm"},
		{"key-hex", "hex-long", "66 digits", digits + "00", "HexForm"},
		{"key-hex", "hex-letter", "a letter that is no digit", "g" + digits[1:], "HexForm"},
		{"key-hex", "hex-empty", "nothing", "", "HexForm"},
		{"key-hex", "hex-small", "a key of small order", "01" + strings.Repeat("0", 62), "SmallOrder"},
		{"key-hex", "hex-small-sign", "the identity with the sign set", "01" + strings.Repeat("0", 60) + "80", "SmallOrder"},
		{"key-hex", "hex-off-curve", "no point", hexOf(offCurve()), "NonCanonical"},
		{"key-hex", "hex-unreduced", "a y that is not below p", hexOf(highEncodings()[0]), "NonCanonical"},
		{"key-pem", "pem-cut", "a PEM block without its end", string(pem[:len(pem)-10]), "KeyForm"},
		{"key-pem", "pem-private", "another kind of block", strings.ReplaceAll(string(pem), "PUBLIC", "PRIVATE"), "KeyForm"},
		{"key-openssh", "openssh-type", "another type in front", strings.Replace(opensshKey(seeded(1)), "ssh-ed25519", "ssh-rsa", 1), "KeyForm"},
		{"key-openssh", "openssh-cut", "a blob that is cut", opensshKey(seeded(1))[:60], "KeyForm"},
		{"key-jwk", "jwk-curve", "another curve", strings.Replace(string(jwk), "Ed25519", "Ed448", 1), "KeyForm"},
		{"key-jwk", "jwk-kty", "another kind of key", strings.Replace(string(jwk), "OKP", "EC", 1), "KeyForm"},
	} {
		c.twist(m.base, "key-"+m.slug, m.what, "What is no key, or a weak one, is refused before anyone comes to trust it.", replace("/public_key", m.key), fails(malformedKey), flagged(m.flag))
	}
}
