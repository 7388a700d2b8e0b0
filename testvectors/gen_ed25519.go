package testvectors

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"filippo.io/edwards25519"
)

// signedInput is the question about one signature.
func signedInput(key, message, signature []byte) Object {
	return object("public_key", hexOf(key), "message", hexOf(message), "signature", hexOf(signature))
}

func signed(k ed25519.PrivateKey, message []byte) Object {
	return signedInput(k.Public().(ed25519.PublicKey), message, ed25519.Sign(k, message))
}

func generateEd25519(c *class) {
	c.rules, c.flags = []string{"§6.5.4", "RFC 8032 §5.1.7"}, []string{"SignatureBytes"}
	message := leafAt(7)
	c.pass("ed25519-valid", "a signature over 32 bytes", "Pure Ed25519 over the raw bytes.", "ed25519", signed(seeded(1), message[:]), verdict(valid))
	for _, n := range []int{0, 1, 31, 33, 64, 200} {
		c.pass(fmt.Sprintf("ed25519-message-%d", n), "a message of "+plural(n, "byte"), "The message is hashed as it is, whatever its length.", "ed25519",
			signed(seeded(1), slices.Repeat([]byte{0xa5}, n)), verdict(valid), flagged("SignedMessage"))
	}
	generateSignatureBytes(c)
	generateSignedMessages(c, message[:])
	generateSmallOrder(c)
	generateMixedOrder(c)
	generatePoints(c)
}

func generateSignatureBytes(c *class) {
	const base = "ed25519-valid"
	text := asked[string](c.cases[base].Input, "signature")
	change := func(slug, title, value, want string, opts ...option) {
		c.twist(base, "ed25519-"+slug, title, "A signature is 128 lowercase hexadecimal digits, of which every bit counts.",
			replace("/signature", value), append([]option{flagged("SignatureBytes"), verdict(want)}, opts...)...)
	}
	flip := func(bit int) string {
		raw := fromHex(text)
		raw[bit/8] ^= 1 << (bit % 8)
		return hexOf(raw)
	}
	for _, bit := range []int{0, 7, 131, 255, 256, 300, 507} {
		change(fmt.Sprintf("bit-%d", bit), fmt.Sprintf("bit %d changed", bit), flip(bit), badSignature)
	}
	change("halves", "R and S changed about", text[64:]+text[:64], badSignature)
	change("zero", "64 zero bytes", strings.Repeat("0", 128), badSignature, flagged("SmallOrder"))
	other := hexOf(ed25519.Sign(seeded(2), fromHex(asked[string](c.cases[base].Input, "message"))))
	change("other-key", "a signature with another key", other, badSignature, flagged("OtherKey"))
	change("other-r", "R of a signature with another key", other[:64]+text[64:], badSignature)
	change("other-s", "S of a signature with another key", text[:64]+other[64:], badSignature)
	s := littleEndian(fromHex(text)[32:])
	for _, m := range []struct {
		slug, what string
		s          *big.Int
	}{
		{"s-plus-l", "S + L", new(big.Int).Add(s, groupOrder)}, {"s-plus-2l", "S + 2·L", new(big.Int).Add(s, new(big.Int).Lsh(groupOrder, 1))},
		{"s-is-l", "S = L", groupOrder}, {"s-is-l-minus-one", "S = L − 1", new(big.Int).Sub(groupOrder, big.NewInt(1))},
		{"s-all-ones", "S of 256 ones", new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 256), big.NewInt(1))}, {"s-zero", "S = 0", new(big.Int)},
	} {
		change(m.slug, m.what, text[:64]+hexOf(scalarBytes(m.s)), badSignature, flagged("ScalarRange"))
	}
	upper := func(s string) string { return strings.ToUpper(s) }
	change("upper", "uppercase digits", upper(text), malformedSignature, flagged("HexForm"), nearVerdict(causeUppercase, valid))
	change("upper-one", "one uppercase digit", oneUpper(text), malformedSignature, flagged("HexForm"), nearVerdict(causeUppercase, valid))
	change("short", "127 digits", text[:127], malformedSignature, flagged("HexForm"))
	change("63-bytes", "63 bytes", text[:126], malformedSignature, flagged("HexForm"))
	change("long", "129 digits", text+"0", malformedSignature, flagged("HexForm"))
	change("65-bytes", "65 bytes", text+"00", malformedSignature, flagged("HexForm"))
	change("empty", "nothing", "", malformedSignature, flagged("HexForm"))
	change("prefix", "0x in front", "0x"+text, malformedSignature, flagged("HexForm"))
	change("space", "a space behind it", text+" ", malformedSignature, flagged("HexForm"))
	change("no-hex", "a letter that is no digit", "g"+text[1:], malformedSignature, flagged("HexForm"))
	change("base64", "base64", base64.StdEncoding.EncodeToString(fromHex(text)), malformedSignature, flagged("HexForm"), nearVerdict(causeBase64, valid))
	change("base64url", "base64url without padding", base64.RawURLEncoding.EncodeToString(fromHex(text)), malformedSignature, flagged("HexForm"), nearVerdict(causeBase64, valid))
}

// oneUpper makes the first letter of a hexadecimal text uppercase.
func oneUpper(text string) string {
	i := strings.IndexAny(text, "abcdef")
	return text[:i] + strings.ToUpper(text[i:i+1]) + text[i+1:]
}

func generateSignedMessages(c *class, message []byte) {
	const base = "ed25519-valid"
	k := seeded(1)
	sign := func(slug, title string, signature []byte, opts ...option) {
		c.twist(base, "ed25519-"+slug, title, "The signature is over the raw bytes: no prehash, no text, no context.",
			replace("/signature", hexOf(signature)), append(opts, verdict(badSignature), flagged("SignedMessage"))...)
	}
	h256, h512 := sha256.Sum256(message), sha512.Sum512(message)
	ph, err := k.Sign(nil, h512[:], &ed25519.Options{Hash: crypto.SHA512})
	if err != nil {
		c.fail("ed25519: %w", err)
	}
	ctx, err := k.Sign(nil, message, &ed25519.Options{Context: "contextgraph/attest/1"})
	if err != nil {
		c.fail("ed25519: %w", err)
	}
	sign("prehash-sha256", "the SHA-256 of the message signed", ed25519.Sign(k, h256[:]))
	sign("prehash-sha512", "the SHA-512 of the message signed", ed25519.Sign(k, h512[:]))
	sign("ed25519ph", "Ed25519ph", ph)
	sign("ed25519ctx", "Ed25519ctx with a context", ctx)
	sign("hex-signed", "the hexadecimal digits of the message signed", ed25519.Sign(k, []byte(hexOf(message))))
	sign("digest-signed", "the text of the digest signed", ed25519.Sign(k, []byte("sha256:"+hexOf(message))))
	c.twist(base, "ed25519-message-bit", "one bit of the message", "Every bit of the message counts.", Mutation{Path: "/input/message", At: 0, Delete: 1, Insert: []byte("f")},
		verdict(badSignature), flagged("SignedMessage"))
	c.twist(base, "ed25519-message-longer", "a byte behind the message", "Every bit of the message counts.", replace("/message", hexOf(message)+"00"), verdict(badSignature), flagged("SignedMessage"))
	c.twist(base, "ed25519-message-shorter", "a message of 31 bytes", "Every bit of the message counts.", replace("/message", hexOf(message[:31])), verdict(badSignature), flagged("SignedMessage"))
	c.twist(base, "ed25519-other-public-key", "another key", "A signature belongs to one key.", replace("/public_key", publicHex(seeded(2))), verdict(badSignature), flagged("OtherKey"))
}

func generateSmallOrder(c *class) {
	const base = "ed25519-valid"
	const why = "A point P with 8·P = O is none to verify with: under such a key one signature fits many messages or all. There are fourteen encodings of them."
	encodings := smallEncodings()
	if len(encodings) != 14 {
		c.fail("ed25519: there are %d encodings of small order, want 14", len(encodings))
	}
	r := hexOf(fromHex(asked[string](c.cases[base].Input, "signature"))[32:])
	for i, e := range encodings {
		c.twist(base, fmt.Sprintf("ed25519-small-key-%d", i), fmt.Sprintf("the key %x", e), why, replace("/public_key", hexOf(e)), verdict(malformedKey), flagged("SmallOrder"))
		c.twist(base, fmt.Sprintf("ed25519-small-r-%d", i), fmt.Sprintf("R = %x", e), why, replace("/signature", hexOf(e)+r), verdict(badSignature), flagged("SmallOrder"))
	}
	// Under a key whose point is the identity the equation is R = S·B: the signature of no message, and so of every one. The
	// published list of eight keys has one of its four encodings.
	universal := append(edwards25519.NewGeneratorPoint().Bytes(), scalarBytes(big.NewInt(1))...)
	identity := edwards25519.NewIdentityPoint()
	c.twist(base, "ed25519-universal", "R = B and S = 1, which fit every message under the identity", "Under an honest key they fit none.",
		replace("/signature", hexOf(universal)), verdict(badSignature), flagged("SmallOrder"))
	for i, e := range encodings {
		p, err := new(edwards25519.Point).SetBytes(e)
		if err != nil || p.Equal(identity) != 1 {
			continue
		}
		opts := []option{verdict(malformedKey), flagged("SmallOrder")}
		if string(e) != string(identity.Bytes()) {
			opts = append(opts, nearVerdict(causeEightKeys, valid))
		}
		c.twist("ed25519-universal", fmt.Sprintf("ed25519-universal-%d", i), fmt.Sprintf("a signature that fits every message, under the key %x", e), why,
			replace("/public_key", hexOf(e)), opts...)
	}
}

func generateMixedOrder(c *class) {
	const why = "A key a·B + T with T of small order is no weak key. The equation without cofactor judges it the same way everywhere; the one with cofactor accepts more."
	for _, t := range []int{1, 2, 4} {
		k := newMixedKey(t)
		order := 8 / t
		message := leafAt(20 + t)
		id := fmt.Sprintf("ed25519-mixed-order-%d", order)
		c.pass(id+"-accepted", fmt.Sprintf("a key with a part of order %d, k a multiple of it", order), why, "ed25519", signedInput(k.encoded, message[:], k.sign(message[:], true)),
			verdict(valid), flagged("MixedOrder"))
		c.twist(id+"-accepted", id+"-rejected", fmt.Sprintf("a key with a part of order %d, k no multiple of it", order), why,
			replace("/signature", hexOf(k.sign(message[:], false))), verdict(badSignature), nearVerdict(causeEightKeys, valid), flagged("MixedOrder"))
	}
	k := newMixedKey(1)
	for i, p := range torsion() {
		message, signature := k.smallR(i)
		id := fmt.Sprintf("ed25519-equation-r-%d", i)
		c.pass(id+"-twin", "a good signature over the same message", why, "ed25519", signedInput(k.encoded, message, k.sign(message, true)), verdict(valid), flagged("MixedOrder"))
		c.twist(id+"-twin", id, fmt.Sprintf("R = %x, and the equation holds", p.Bytes()), "R of small order is refused even where the equation holds.",
			replace("/signature", hexOf(signature)), verdict(badSignature), nearVerdict(causeEightKeys, valid), flagged("SmallOrder"))
	}
}

func generatePoints(c *class) {
	const base = "ed25519-valid"
	const why = "An encoding is 32 bytes that decode to a point and encode to the same bytes again."
	off := offCurve()
	signature := asked[string](c.cases[base].Input, "signature")
	key := asked[string](c.cases[base].Input, "public_key")
	for _, m := range []struct{ slug, what, key string }{
		{"key-off-curve", "a key that is no point", hexOf(off)},
		{"key-31-bytes", "a key of 31 bytes", key[:62]},
		{"key-33-bytes", "a key of 33 bytes", key + "00"},
		{"key-empty", "an empty key", ""},
		{"key-64-bytes", "a key and its seed", key + key},
		{"key-ones", "a key of 256 ones", strings.Repeat("f", 64)},
	} {
		c.twist(base, "ed25519-"+m.slug, m.what, why, replace("/public_key", m.key), verdict(malformedKey), flagged("NonCanonical"))
	}
	for i, e := range highEncodings() {
		c.twist(base, fmt.Sprintf("ed25519-key-unreduced-%d", i), fmt.Sprintf("the key %x, whose y is not below p", e), why, replace("/public_key", hexOf(e)),
			verdict(malformedKey), flagged("NonCanonical"))
		c.twist(base, fmt.Sprintf("ed25519-r-unreduced-%d", i), fmt.Sprintf("R = %x, whose y is not below p", e), why, replace("/signature", hexOf(e)+signature[64:]),
			verdict(badSignature), flagged("NonCanonical"))
	}
	c.twist(base, "ed25519-r-off-curve", "R that is no point", why, replace("/signature", hexOf(off)+signature[64:]), verdict(badSignature), flagged("NonCanonical"))
	c.twist("ed25519-small-key-0", "ed25519-small-key-short-signature", "a key of small order and 127 digits", "The key is judged first.",
		replace("/signature", signature[:127]), verdict(malformedKey), flagged("Precedence"))
	c.twist("ed25519-key-31-bytes", "ed25519-short-key-bad-signature", "a key of 31 bytes and a signature of another message", "The key is judged first.",
		replace("/message", "00"), verdict(malformedKey), flagged("Precedence"))
	c.twist("ed25519-short", "ed25519-short-other-message", "127 digits and another message", "The form of a signature is judged before it is verified.",
		replace("/message", "00"), verdict(malformedSignature), flagged("Precedence"))
}

// offCurve is an encoding of no point: the smallest y without an x.
func offCurve() []byte {
	for y := byte(2); ; y++ {
		e := append([]byte{y}, make([]byte, 31)...)
		if _, err := new(edwards25519.Point).SetBytes(e); err != nil {
			return e
		}
	}
}

// highEncodings are two encodings with y ≥ p of points that have no small order.
func highEncodings() [][]byte {
	var out [][]byte
	for y := int64(2); len(out) < 2; y++ {
		e := scalarBytes(new(big.Int).Add(fieldOrder, big.NewInt(y)))
		p, err := new(edwards25519.Point).SetBytes(e)
		if err == nil && new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) != 1 {
			out = append(out, e)
		}
	}
	return out
}
