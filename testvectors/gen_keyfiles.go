package testvectors

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/pem"
	"strings"

	"contextgraphprotocol.org/cgp-attest/keys"
)

// A variation is one other text in the place of a case's file, and the error that it leads to, "" where it is read all the same.
type variation struct{ slug, title, file, error string }

// vary adds a case for each variation of a base.
func (c *class) vary(base, why, flag string, list []variation) {
	for _, v := range list {
		var opts []option
		if v.error != "" {
			opts = []option{fails(v.error)}
		}
		c.twist(base, base+"-"+v.slug, v.title, why, replace("/file", v.file), append(opts, flagged(flag))...)
	}
}

// pemBlock is the text of a PEM block, headers in pairs.
func pemBlock(label string, der []byte, headers ...string) string {
	b := &pem.Block{Type: label, Bytes: der, Headers: map[string]string{}}
	for i := 0; i+1 < len(headers); i += 2 {
		b.Headers[headers[i]] = headers[i+1]
	}
	return string(pem.EncodeToMemory(b))
}

// tagged is an ASN.1 value shorter than 128 bytes.
func tagged(tag byte, parts ...string) string {
	body := strings.Join(parts, "")
	return string([]byte{tag, byte(len(body))}) + body
}

const (
	asn1Ed25519 = "\x06\x03\x2b\x65\x70" // 1.3.101.112
	asn1X25519  = "\x06\x03\x2b\x65\x6e"
	asn1Null    = "\x05\x00"
)

// asn1Integer is an integer of one byte.
func asn1Integer(b byte) string { return tagged(2, string([]byte{b})) }

// pkcs8 puts a private key together (RFC 5958 §2, RFC 8410 §7).
func pkcs8(version byte, algorithm, private string, tail ...string) string {
	parts := append([]string{asn1Integer(version), tagged(0x30, algorithm), private}, tail...)
	return pemBlock("PRIVATE KEY", []byte(tagged(0x30, parts...)))
}

// sshText is a string of SSH: its length and its bytes (RFC 4251 §5).
func sshText(parts ...string) string {
	text := strings.Join(parts, "")
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + text
}

func sshNumber(n uint32) string { return string(binary.BigEndian.AppendUint32(nil, n)) }

// An opensshFile is the parts of an OpenSSH private key (PROTOCOL.key of OpenSSH).
type opensshFile struct {
	magic, cipher, kdf, options string
	keys                        uint32
	public, private, rest       string
}

func (f opensshFile) pem() string {
	text := f.magic + sshText(f.cipher) + sshText(f.kdf) + sshText(f.options) + sshNumber(f.keys) + sshText(f.public) + sshText(f.private) + f.rest
	return pemBlock("OPENSSH PRIVATE KEY", []byte(text))
}

// opensshPrivate is the part that a passphrase protects, here one that none does: its padding ends at a multiple of eight.
func opensshPrivate(check2 uint32, kind, public, private string) string {
	text := sshNumber(0x01020304) + sshNumber(check2) + sshText(kind) + sshText(public) + sshText(private) + sshText("docs")
	for i := byte(1); len(text)%8 != 0; i++ {
		text += string([]byte{i})
	}
	return text
}

// opensshECDSA is the private part of an ECDSA key: the number 1, whose public key is the base point of P-256 (SEC 2 §2.4.2).
func opensshECDSA() string {
	const base = "\x04" +
		"\x6b\x17\xd1\xf2\xe1\x2c\x42\x47\xf8\xbc\xe6\xe5\x63\xa4\x40\xf2\x77\x03\x7d\x81\x2d\xeb\x33\xa0\xf4\xa1\x39\x45\xd8\x98\xc2\x96" +
		"\x4f\xe3\x42\xe2\xfe\x1a\x7f\x9b\x8e\xe7\xeb\x4a\x7c\x0f\x9e\x16\x2b\xce\x33\x57\x6b\x31\x5e\xce\xcb\xb6\x40\x68\x37\xbf\x51\xf5"
	text := sshNumber(0x01020304) + sshNumber(0x01020304) + sshText("ecdsa-sha2-nistp256") + sshText("nistp256") + sshText(base) + sshText("\x01") + sshText("docs")
	for i := byte(1); len(text)%8 != 0; i++ {
		text += string([]byte{i})
	}
	return text
}

const kindEd25519 = "ssh-ed25519"

func opensshOf(k ed25519.PrivateKey) opensshFile {
	public := string(k.Public().(ed25519.PublicKey))
	return opensshFile{
		magic: "openssh-key-v1\x00", cipher: "none", kdf: "none", keys: 1, public: sshText(kindEd25519) + sshText(public),
		private: opensshPrivate(0x01020304, kindEd25519, public, string(k)),
	}
}

// protectedCTR and protectedCBC were made by ssh-keygen -t ed25519 -a 1 under the passphrase "open sesame", the second with -Z
// aes256-cbc. They are nobody's keys.
const (
	protectedCTR = "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jdHIAAAAGYmNyeXB0AAAAGAAAABC6HSVpFkbPq3CKieRLwP1vAAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NT" +
		"E5AAAAIP0C0bKecd3V28HgSQJS/U1abMH21kDem6txpXMzbUq1AAAAkBnVdzbAClhxcsbpO1xEJMojgZI0j8TzQVRZBkANJAaFrDonlvHwUnmb0VeqCc1d" +
		"1p6EvSo6TxkcT8Fkh2ZPteISop66WcIQ/sqPOWim6pnY2mH1B2ZOHMBPIhfD978aFeE2LBVOBYLKBuZTCz5bgMqu58/+YRDPHu1XdbehFpe8Ob6r/wsxn9" +
		"iqThVi+BRmCw=="
	protectedCBC = "b3BlbnNzaC1rZXktdjEAAAAACmFlczI1Ni1jYmMAAAAGYmNyeXB0AAAAGAAAABDcn07uI07mMr4L2EKJZ2K5AAAAAQAAAAEAAAAzAAAAC3NzaC1lZDI1NT" +
		"E5AAAAIJ27+z0mNnTcV0OJHhusXM2u3YSwzttaNgVLMxneelfEAAAAkNn4BJMErLbWynGBt2dkjZdmL/8kLKnC5wdH01RLbGkNSSXnmcOVPgR35D/RZCZU" +
		"cJj5xJoggF5forq6UDX7oRQ5U+7R0CKij4BoHq2pwiA0ktYBI0+k2d9qD15dDRhmET4ZO3qeWslMp8dxshJqPQNkroZ1fcVtxkGpI4+EqN+G4/1V4keu4p" +
		"E+2aGfF1E2gw=="
)

func (c *class) protected(body string) string {
	der, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		c.fail("key: %w", err)
	}
	return pemBlock("OPENSSH PRIVATE KEY", der)
}

func generateKeyFiles(c *class) {
	c.rules, c.flags = []string{"§6.5.4"}, []string{"PrivateKey"}
	generateSeeds(c)
	generatePKCS8(c)
	generateOpenSSH(c)
	generateProtected(c)
	generatePublicKeys(c)
	generatePublicForms(c)
	generatePublished(c)
}

const whyPrivate = "A file that is no signing key, or whose parts contradict each other, is refused before anything is signed with it."

func generateSeeds(c *class) {
	digits := hexOf(seeded(1).Seed())
	c.pass("private-seed", "a seed in hex", "The seed of RFC 8032 §5.1.5 in digits is the shortest form of a key.", "private_key", object("file", digits))
	c.vary("private-seed", whyPrivate, "PrivateKey", []variation{
		{"upper", "digits in uppercase", strings.ToUpper("ab" + digits[2:]), ""},
		{"line", "a line feed behind the digits", digits + "\r\n", ""},
		{"front", "a space in front of the digits", " " + digits, malformedFile},
		{"short", "62 digits", digits[2:], malformedFile},
		{"long", "66 digits", digits + "00", malformedFile},
		{"odd", "63 digits", digits[1:], malformedFile},
		{"letter", "a letter that is no digit", "g" + digits[1:], malformedFile},
		{"empty", "an empty file", "", malformedFile},
		{"jwk", "a JSON Web Key with its private part", `{"kty":"OKP","crv":"Ed25519","x":"` + strings.Repeat("A", 43) + `","d":"` + strings.Repeat("A", 43) + `"}`, malformedFile},
		{"jwk-public", "a JSON Web Key without a private part", `{"kty":"OKP","crv":"Ed25519","x":"` + strings.Repeat("A", 43) + `"}`, malformedFile},
		{"line-public", "the line of a public key", opensshKey(seeded(1)), unsupportedKey},
		{"line-rsa", "the line of an RSA key", "ssh-rsa " + opensshKey(seeded(1))[12:], unsupportedKey},
	})
	const reason = "how large a key file may be is an implementation's own; 64 KiB is this one's"
	for _, m := range []struct {
		slug, title string
		size        int
		opts        []option
	}{
		{"limit", "a seed and white space, 64 KiB in all", keys.MaxFile, nil},
		{"limit-more", "a seed and white space, a byte more than 64 KiB", keys.MaxFile + 1, []option{fails(tooLarge)}},
	} {
		file := repeated(digits, 1, repeated(" ", m.size-len(digits)))
		c.twist("private-seed", "private-seed-"+m.slug, m.title, "More than a key file can hold is not read.", replace("/file", file),
			append(m.opts, flagged("Limit"), mayDiffer(reason))...)
	}
}

func generatePKCS8(c *class) {
	k := seeded(1)
	seed, public := string(k.Seed()), string(k.Public().(ed25519.PublicKey))
	private := tagged(4, tagged(4, seed))
	shown := tagged(0x81, "\x00"+public)
	whole := pkcs8(0, asn1Ed25519, private)
	c.pass("private-pkcs8", "a key in PKCS#8", "RFC 8410 §7 has the form.", "private_key", object("file", whole))
	der := tagged(0x30, asn1Integer(0), tagged(0x30, asn1Ed25519), private)
	block := func(der string) string { return pemBlock("PRIVATE KEY", []byte(der)) }
	c.vary("private-pkcs8", whyPrivate, "PrivateKey", []variation{
		{"one", "version 1 without a public key", pkcs8(1, asn1Ed25519, private), ""},
		{"public", "version 1 with the public key", pkcs8(1, asn1Ed25519, private, shown), ""},
		{"attributes", "attributes, and the public key", pkcs8(1, asn1Ed25519, private, tagged(0xa0), shown), ""},
		{"white-space", "white space around the block", "\n \t" + whole + "\n", ""},
		{"version", "version 2", pkcs8(2, asn1Ed25519, private), malformedFile},
		{"version-minus", "version −1", pkcs8(0xff, asn1Ed25519, private), malformedFile},
		{"public-zero", "a public key in version 0", pkcs8(0, asn1Ed25519, private, shown), malformedFile},
		{"public-other", "the public key of another key", pkcs8(1, asn1Ed25519, private, tagged(0x81, "\x00"+string(seeded(2).Public().(ed25519.PublicKey)))), malformedFile},
		{"public-short", "a public key of 31 bytes", pkcs8(1, asn1Ed25519, private, tagged(0x81, "\x00"+public[1:])), malformedFile},
		{"public-bits", "a public key with unused bits", pkcs8(1, asn1Ed25519, private, tagged(0x81, "\x01"+public)), malformedFile},
		{"public-constructed", "a public key as a constructed value", pkcs8(1, asn1Ed25519, private, tagged(0xa1, "\x00"+public)), malformedFile},
		{"attributes-primitive", "attributes that are no set", pkcs8(0, asn1Ed25519, private, tagged(0x80, "x")), malformedFile},
		{"order", "the public key in front of the attributes", pkcs8(1, asn1Ed25519, private, shown, tagged(0xa0)), malformedFile},
		{"more", "a member too many", pkcs8(0, asn1Ed25519, private, asn1Null), malformedFile},
		{"x25519", "a key of X25519", pkcs8(0, asn1X25519, private), unsupportedKey},
		{"parameters", "algorithm parameters where there are none", pkcs8(0, asn1Ed25519+asn1Null, private), malformedFile},
		{"no-private", "no private key", block(tagged(0x30, asn1Integer(0), tagged(0x30, asn1Ed25519))), malformedFile},
		{"private-integer", "a private key that is an integer", pkcs8(0, asn1Ed25519, asn1Integer(1)), malformedFile},
		{"private-bare", "a seed that is not wrapped twice", pkcs8(0, asn1Ed25519, tagged(4, seed)), malformedFile},
		{"private-short", "a seed of 31 bytes", pkcs8(0, asn1Ed25519, tagged(4, tagged(4, seed[1:]))), malformedFile},
		{"private-behind", "a byte behind the seed", pkcs8(0, asn1Ed25519, tagged(4, tagged(4, seed), "\x00")), malformedFile},
		{"behind", "a byte behind the structure", block(der + "\x00"), malformedFile},
		{"cut", "a structure that is cut", block(der[:20]), malformedFile},
		{"set", "a set in place of the sequence", block("\x31" + der[1:]), malformedFile},
		{"no-version", "no version", block(tagged(0x30, tagged(0x30, asn1Ed25519), private)), malformedFile},
		{"encrypted", "an encrypted key", pemBlock("ENCRYPTED PRIVATE KEY", []byte(der)), encrypted},
		{"encrypted-header", "a block that says that it is encrypted", pemBlock("PRIVATE KEY", []byte(der), "Proc-Type", "4,ENCRYPTED", "DEK-Info", "AES-256-CBC,00"), encrypted},
		{"header", "a block with another header", pemBlock("PRIVATE KEY", []byte(der), "Comment", "docs"), malformedFile},
		{"rsa", "a block of an RSA key", pemBlock("RSA PRIVATE KEY", []byte(der)), unsupportedKey},
		{"ec", "a block of an ECDSA key", pemBlock("EC PRIVATE KEY", []byte(der)), unsupportedKey},
		{"dsa", "a block of a DSA key", pemBlock("DSA PRIVATE KEY", []byte(der)), unsupportedKey},
		{"label-public", "the block of a public key", pemBlock("PUBLIC KEY", []byte(der)), unsupportedKey},
		{"front", "text in front of the block", "key:\n" + whole, malformedFile},
		{"text-behind", "text behind the block", whole + "key\n", malformedFile},
		{"twice", "two blocks", whole + whole, malformedFile},
		{"cut-block", "a block without its end", whole[:len(whole)-10], malformedFile},
	})
}

func generateOpenSSH(c *class) {
	k, other := seeded(1), seeded(2)
	public, foreign := string(k.Public().(ed25519.PublicKey)), string(other.Public().(ed25519.PublicKey))
	whole := opensshOf(k)
	c.pass("private-openssh", "a key as OpenSSH writes it", "PROTOCOL.key of OpenSSH has the form.", "private_key", object("file", whole.pem()))
	with := func(change func(*opensshFile)) string {
		f := whole
		change(&f)
		return f.pem()
	}
	inside := func(check2 uint32, kind, public, private string) string {
		return with(func(f *opensshFile) { f.private = opensshPrivate(check2, kind, public, private) })
	}
	const check = 0x01020304
	options := sshText("0123456789abcdef") + sshNumber(16)
	protected := func(change func(*opensshFile)) string {
		return with(func(f *opensshFile) {
			f.cipher, f.kdf, f.options = "aes256-ctr", "bcrypt", options
			change(f)
		})
	}
	c.vary("private-openssh", whyPrivate, "PrivateKey", []variation{
		{"magic", "another version", with(func(f *opensshFile) { f.magic = "openssh-key-v2\x00" }), malformedFile},
		{"two", "two keys in one file", with(func(f *opensshFile) { f.keys = 2 }), malformedFile},
		{"behind", "a byte behind the key", with(func(f *opensshFile) { f.rest = "\x00" }), malformedFile},
		{"cut", "a file that is cut", pemBlock("OPENSSH PRIVATE KEY", []byte("openssh-key-v1\x00\x00\x00\x00\x04no")), malformedFile},
		{"kdf", "a key derivation, and no cipher", with(func(f *opensshFile) { f.kdf = "bcrypt" }), malformedFile},
		{"options", "options of no key derivation", with(func(f *opensshFile) { f.options = options }), malformedFile},
		{"rsa", "a public key of RSA", with(func(f *opensshFile) { f.public = sshText("ssh-rsa") + sshText(public) }), unsupportedKey},
		{"security", "a security key", with(func(f *opensshFile) { f.public = sshText("sk-ssh-ed25519@openssh.com") + sshText(public) }), unsupportedKey},
		{"public-cut", "a public key that is cut", with(func(f *opensshFile) { f.public = f.public[:20] }), malformedFile},
		{"public-type-cut", "a public key that is cut inside its type", with(func(f *opensshFile) { f.public = f.public[:10] }), malformedFile},
		{"inner-ecdsa", "a whole key of ECDSA inside", with(func(f *opensshFile) { f.private = opensshECDSA() }), malformedFile},
		{"public-other", "the public key of another key in front", with(func(f *opensshFile) { f.public = sshText(kindEd25519) + sshText(foreign) }), malformedFile},
		{"inner-other", "the public key of another key inside", inside(check, kindEd25519, foreign, string(k[:32])+foreign), malformedFile},
		{"seed-other", "the seed of another key", inside(check, kindEd25519, public, string(other[:32])+public), malformedFile},
		{"check", "numbers that are to be equal and are not", inside(check+1, kindEd25519, public, string(k)), malformedFile},
		{"inner-kind", "a key of ECDSA inside", inside(check, "ecdsa-sha2-nistp256", public, string(k)), malformedFile},
		{"private-short", "a private key of 63 bytes", inside(check, kindEd25519, public, string(k[:63])), malformedFile},
		{"padding", "padding that does not count up", with(func(f *opensshFile) { f.private += "\x07" }), malformedFile},
		{"cipher", "a cipher that is not read", protected(func(f *opensshFile) { f.cipher = "chacha20-poly1305@openssh.com" }), unsupportedKey},
		{"derivation", "a key derivation that is not read", protected(func(f *opensshFile) { f.kdf = "argon2id" }), unsupportedKey},
		{"protected", "a passphrase, and none is given", protected(func(*opensshFile) {}), passphraseMissing},
		{"protected-behind", "a byte behind a protected key", protected(func(f *opensshFile) { f.rest = "\x00" }), malformedFile},
		{"no-salt", "a key derivation without salt", protected(func(f *opensshFile) { f.options = sshText() + sshNumber(16) }), malformedFile},
		{"no-rounds", "a key derivation without rounds", protected(func(f *opensshFile) { f.options = sshText("0123456789abcdef") + sshNumber(0) }), malformedFile},
		{"options-cut", "options that are cut", protected(func(f *opensshFile) { f.options = f.options[:10] }), malformedFile},
	})
	const reason = "how much work a file may demand is an implementation's own; 2,048 rounds of bcrypt are this one's"
	for _, m := range []struct {
		slug, title string
		rounds      uint32
		error       string
	}{{"rounds", "2,048 rounds of bcrypt", 2048, passphraseMissing}, {"rounds-more", "2,049 rounds of bcrypt", 2049, unsupportedKey}} {
		file := protected(func(f *opensshFile) { f.options = sshText("0123456789abcdef") + sshNumber(m.rounds) })
		c.twist("private-openssh", "private-openssh-"+m.slug, m.title, "What a file demands is bounded before a passphrase is known to be right.",
			replace("/file", file), fails(m.error), flagged("Limit"), mayDiffer(reason))
	}
}

func generateProtected(c *class) {
	const why = "What a passphrase protects is read with it alone, and a wrong one is told from a broken file."
	c.pass("private-passphrase", "a key that a passphrase protects", why, "private_key", object("file", c.protected(protectedCTR), "passphrase", "open sesame"))
	c.pass("private-passphrase-cbc", "a key that a passphrase protects, with aes256-cbc", why, "private_key", object("file", c.protected(protectedCBC), "passphrase", "open sesame"))
	c.pass("private-passphrase-unused", "a passphrase for a key that needs none", why, "private_key", object("file", opensshOf(seeded(1)).pem(), "passphrase", "open sesame"))
	for _, m := range []struct {
		slug, title string
		m           Mutation
		error       string
	}{
		{"wrong", "another passphrase", replace("/passphrase", "open  sesame"), wrongPassphrase},
		{"empty", "an empty passphrase", replace("/passphrase", ""), wrongPassphrase},
		{"none", "no passphrase", removed("/passphrase"), passphraseMissing},
		{"null", "a passphrase that is null", replace("/passphrase", nil), passphraseMissing},
	} {
		c.twist("private-passphrase", "private-passphrase-"+m.slug, m.title, why, m.m, fails(m.error))
	}
}

const (
	whyPublic    = "What is no key, or a weak one, is refused before anyone comes to trust it."
	whyPublished = "A list of published keys that a person gives is whole or refused: a key that is left out unseen would be missed later."
)

func generatePublicKeys(c *class) {
	c.flags = []string{"KeyForm"}
	k := publicKey(seeded(1))
	digits := publicHex(seeded(1))
	small := "01" + strings.Repeat("0", 62)
	pem, errPEM := keys.MarshalPKIX(k)
	jwk, errJWK := keys.MarshalJWK(k)
	if errPEM != nil || errJWK != nil {
		c.fail("key: %w, %w", errPEM, errJWK)
		return
	}
	of := func(algorithm, key string) string {
		return string(marshal(object("key_id", "docs", "algorithm", algorithm, "public_key", key)))
	}
	one := of("ed25519", digits)
	ack := func(list string) string {
		return `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":` + list + `}`
	}
	c.pass("public-hex", "a key in hex", "The form of a key is told by its text.", "public_key", object("file", digits))
	c.vary("public-hex", whyPublic, "KeyForm", []variation{
		{"upper", "digits in uppercase, and a line feed", strings.ToUpper(digits) + "\n", ""},
		{"pem", "a key in PEM", string(pem), ""},
		{"openssh", "the line of an OpenSSH key, with a comment", opensshKey(seeded(1)) + " docs@example\n", ""},
		{"jwk", "a JSON Web Key", " " + string(jwk) + "\n", ""},
		{"element", "an element of attester_keys", one, ""},
		{"array", "attester_keys with one key", "[" + one + "]", ""},
		{"object", "an object with attester_keys", `{"attester_keys":[` + one + `]}`, ""},
		{"ack", "a handshake_ack with one key", ack("[" + one + "]"), ""},
		{"short", "62 digits", digits[2:], malformedFile},
		{"odd", "63 digits", digits[1:], malformedFile},
		{"letter", "a letter that is no digit", "g" + digits[1:], malformedFile},
		{"empty", "an empty file", "", malformedFile},
		{"small", "a key of small order", small, malformedKey},
		{"element-small", "an element with a key of small order", of("ed25519", small), malformedKey},
		{"array-small", "attester_keys with a key of small order", "[" + of("ed25519", small) + "]", malformedKey},
		{"element-upper", "an element with a key in uppercase digits", of("ed25519", strings.ToUpper(digits)), malformedKey},
		{"element-other", "an element with a key of another algorithm", of("ml-dsa-44", digits), unsupportedKey},
		{"array-other", "attester_keys with a key of another algorithm", "[" + of("ml-dsa-44", digits) + "]", unsupportedKey},
		{"element-number", "an element whose key is a number", `{"key_id":"docs","algorithm":"ed25519","public_key":7}`, malformedFile},
		{"array-two", "attester_keys with two keys", "[" + one + "," + strings.Replace(one, "docs", "code", 1) + "]", malformedFile},
		{"array-none", "attester_keys without a key", "[]", malformedFile},
		{"ack-none", "a handshake_ack without a key", ack("null"), malformedFile},
		{"json-cut", "JSON that is cut", one[:20], malformedFile},
		{"json-twice", "a member twice", `{"key_id":"x",` + one[1:], malformedFile},
		{"json-other", "an object that holds no key", `{"key":"` + digits + `"}`, malformedFile},
		{"jwk-private", "a JSON Web Key with its private part", strings.Replace(string(jwk), `"}`, `","d":"`+strings.Repeat("A", 43)+`"}`, 1), unsupportedKey},
		{"jwk-curve", "a JSON Web Key of another curve", strings.Replace(string(jwk), "Ed25519", "Ed448", 1), unsupportedKey},
		{"jwk-short", "a JSON Web Key of 31 bytes", strings.Replace(string(jwk), jwkText(string(jwk)), base64.RawURLEncoding.EncodeToString(make([]byte, 31)), 1), malformedFile},
		{"private", "the block of a private key", pkcs8(0, asn1Ed25519, tagged(4, tagged(4, digits[:32]))), unsupportedKey},
		{"private-encrypted", "the block of an encrypted private key", pemBlock("ENCRYPTED PRIVATE KEY", []byte(digits)), unsupportedKey},
		{"private-openssh", "the block of an OpenSSH private key", opensshOf(seeded(1)).pem(), unsupportedKey},
		{"rsa", "the block of an RSA key", pemBlock("RSA PUBLIC KEY", []byte(digits)), unsupportedKey},
		{"ec", "the block of an ECDSA key", pemBlock("EC PARAMETERS", []byte(digits)), unsupportedKey},
		{"dsa", "the block of a DSA key", pemBlock("DSA PARAMETERS", []byte(digits)), unsupportedKey},
		{"certificate", "a certificate", pemBlock("CERTIFICATE", []byte(digits)), unsupportedKey},
		{"line-rsa", "the line of an RSA key", strings.Replace(opensshKey(seeded(1)), kindEd25519, "ssh-rsa", 1), unsupportedKey},
		{"line-security", "the line of a security key", strings.Replace(opensshKey(seeded(1)), kindEd25519, "sk-ssh-ed25519@openssh.com", 1), unsupportedKey},
		{"line-cut", "the line of a key that is cut inside its type", "ssh-ed25519 " + base64.StdEncoding.EncodeToString([]byte(sshText(kindEd25519)[:10])), malformedFile},
		{"line-inner", "the line of a key whose type inside is another", "ssh-ed25519 " + base64.StdEncoding.EncodeToString([]byte(sshText("ssh-dss")+sshText("x"))), unsupportedKey},
		{"pkix-x25519", "a key of X25519 in PEM", pemBlock("PUBLIC KEY", []byte(tagged(0x30, tagged(0x30, asn1X25519), tagged(3, "\x00"+k.Bytes)))), unsupportedKey},
		{"pkix-bits", "a key in PEM with unused bits", pemBlock("PUBLIC KEY", []byte(tagged(0x30, tagged(0x30, asn1Ed25519), tagged(3, "\x01"+k.Bytes[:31]+"\x02")))), malformedFile},
		{"pkix-short", "a key of 31 bytes in PEM", pemBlock("PUBLIC KEY", []byte(tagged(0x30, tagged(0x30, asn1Ed25519), tagged(3, "\x00"+k.Bytes[1:])))), malformedKey},
	})
	const reason = "how large a key file may be is an implementation's own; 64 KiB is this one's"
	for _, m := range []struct {
		slug, title string
		size        int
		opts        []option
	}{
		{"limit", "a key and white space, 64 KiB in all", keys.MaxFile, nil},
		{"limit-more", "a key and white space, a byte more than 64 KiB", keys.MaxFile + 1, []option{fails(tooLarge)}},
	} {
		file := repeated(digits, 1, repeated(" ", m.size-len(digits)))
		c.twist("public-hex", "public-hex-"+m.slug, m.title, "More than a key file can hold is not read.", replace("/file", file),
			append(m.opts, flagged("Limit"), mayDiffer(reason))...)
	}
}

// jwkText is x of a JSON Web Key.
func jwkText(jwk string) string {
	_, rest, _ := strings.Cut(jwk, `"x":"`)
	x, _, _ := strings.Cut(rest, `"`)
	return x
}

func generatePublicForms(c *class) {
	const why = "A key that a reader would refuse is not written."
	c.pass("forms", "a key in the forms that are written", "One key has several forms.", "public_forms", object("algorithm", "ed25519", "public_key", publicHex(seeded(1))), flagged("KeyForm"))
	for _, m := range []struct{ slug, title, path, value, error, flag string }{
		{"small", "a key of small order", "/public_key", "01" + strings.Repeat("0", 62), malformedKey, "SmallOrder"},
		{"off-curve", "a key that is no point", "/public_key", hexOf(offCurve()), malformedKey, "NonCanonical"},
		{"short", "31 bytes", "/public_key", publicHex(seeded(1))[2:], malformedKey, "KeyForm"},
		{"empty", "no bytes", "/public_key", "", malformedKey, "KeyForm"},
		{"algorithm", "another algorithm", "/algorithm", "ml-dsa-44", unsupportedKey, "Algorithm"},
		{"upper", "the algorithm in another case", "/algorithm", "Ed25519", unsupportedKey, "Algorithm"},
	} {
		c.twist("forms", "forms-"+m.slug, m.title, why, replace(m.path, m.value), fails(m.error), flagged(m.flag))
	}
}

func generatePublished(c *class) {
	digits := publicHex(seeded(1))
	one := `{"key_id":"docs","algorithm":"ed25519","public_key":"` + digits + `"}`
	other := `{"key_id":"docs-pq","algorithm":"ml-dsa-44","public_key":"00ff"}`
	list := "[" + one + "]"
	c.pass("published-array", "an array of keys", "The list is what attester_keys holds.", "published", object("file", list), flagged("Published"))
	edit := func(old, new string) string { return strings.Replace(list, old, new, 1) }
	ack := func(more string) string { return `{"type":"handshake_ack","provider":{"name":"docs"}` + more + `}` }
	c.vary("published-array", whyPublished, "Published", []variation{
		{"object", "an object with attester_keys", `{"attester_keys":` + list + `,"note":1}`, ""},
		{"ack", "a handshake_ack", ack(`,"attester_keys":` + list), ""},
		{"ack-none", "a handshake_ack without keys", ack(``), ""},
		{"ack-null", "a handshake_ack whose keys are null", ack(`,"attester_keys":null`), ""},
		{"ack-empty", "a handshake_ack with no keys in the list", ack(`,"attester_keys":[]`), ""},
		{"other", "a key of another algorithm", "[" + one + "," + other + "]", ""},
		{"twice", "one key_id twice", "[" + one + "," + one + "]", ""},
		{"members", "members that nobody knows", edit(`"key_id"`, `"use":"sign","key_id"`), ""},
		{"empty-id", "an empty key_id", edit(`"docs"`, `""`), ""},
		{"number", "a number", "7", malformedPublished},
		{"text", "a string", `"x"`, malformedPublished},
		{"cut", "an array that is cut", list[:30], malformedPublished},
		{"behind", "a value behind it", list + "{}", malformedPublished},
		{"duplicate", "a member twice", edit(`"key_id"`, `"key_id":"x","key_id"`), malformedPublished},
		{"message", "a message of another type", `{"type":"frames","attester_keys":` + list + `}`, malformedPublished},
		{"message-name", "a message of another type with a provider's name", strings.Replace(ack(`,"attester_keys":`+list), "handshake_ack", "frames", 1), malformedPublished},
		{"no-name", "a handshake_ack without a provider's name", `{"type":"handshake_ack","attester_keys":` + list + `}`, malformedPublished},
		{"name-number", "a handshake_ack whose provider's name is a number", `{"type":"handshake_ack","provider":{"name":7},"attester_keys":` + list + `}`, malformedPublished},
		{"no-keys", "an object without attester_keys", `{"keys":` + list + `}`, malformedPublished},
		{"null-keys", "an object whose attester_keys is null", `{"attester_keys":null}`, malformedPublished},
		{"keys-object", "attester_keys that is an object", `{"attester_keys":` + one + `}`, malformedPublished},
		{"keys-text", "attester_keys of a handshake_ack that is a string", ack(`,"attester_keys":"x"`), malformedPublished},
		{"element-text", "an element that is a string", `["x",` + one + `]`, malformedPublished},
		{"element-null", "an element that is null", `[null]`, malformedPublished},
		{"no-key-id", "no key_id", edit(`"key_id":"docs",`, ``), malformedPublished},
		{"key-id-number", "a key_id that is a number", edit(`"docs"`, `7`), malformedPublished},
		{"no-algorithm", "no algorithm", edit(`"algorithm":"ed25519",`, ``), malformedPublished},
		{"no-public-key", "no public_key", edit(`,"public_key":"`+digits+`"`, ``), malformedPublished},
		{"null-public-key", "a public_key that is null", edit(`"`+digits+`"`, `null`), malformedPublished},
		{"upper", "a key in uppercase digits", edit(digits, strings.ToUpper(digits)), malformedPublished},
		{"other-upper", "a key of another algorithm in uppercase digits", "[" + one + "," + strings.Replace(other, "00ff", "00FF", 1) + "]", malformedPublished},
		{"other-empty", "a key of another algorithm without digits", "[" + one + "," + strings.Replace(other, "00ff", "", 1) + "]", malformedPublished},
		{"other-odd", "a key of another algorithm of three digits", "[" + one + "," + strings.Replace(other, "00ff", "0ff", 1) + "]", malformedPublished},
		{"short", "a key of 31 bytes", edit(digits, digits[2:]), malformedPublished},
		{"small", "a key of small order", edit(digits, "01"+strings.Repeat("0", 62)), malformedPublished},
		{"second", "a fault in the second key", "[" + one + ",{}]", malformedPublished},
	})
	const reason = "how large a list may be is an implementation's own; 64 KiB is this one's"
	for _, m := range []struct {
		slug, title string
		size        int
		opts        []option
	}{
		{"limit", "a list and white space, 64 KiB in all", keys.MaxFile, nil},
		{"limit-more", "a list and white space, a byte more than 64 KiB", keys.MaxFile + 1, []option{fails(tooLarge)}},
	} {
		file := repeated(list, 1, repeated(" ", m.size-len(list)))
		c.twist("published-array", "published-array-"+m.slug, m.title, "More than a list of keys can hold is not read.", replace("/file", file),
			append(m.opts, flagged("Limit"), mayDiffer(reason))...)
	}
}
