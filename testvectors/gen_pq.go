package testvectors

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
	"contextgraphprotocol.org/cgp-attest/sign/pq"
)

// requires says which algorithm an implementation must have to be asked.
func requires(algorithm string) option {
	return func(c *Case) { c.Requires = []string{"algorithm:" + algorithm} }
}

// A schemeSample is a key of a scheme and its signature over a commitment.
type schemeSample struct {
	name              string
	key, signature    []byte
	form              sign.Form
	over              commitment.Digest
	otherKey, another []byte // another key of the scheme, and its signature over the same commitment
}

func (c *class) sampleOf(name string, over commitment.Digest) schemeSample {
	s, ok := pq.Lookup(name)
	if !ok {
		c.fail("there is no scheme %s", name)
		return schemeSample{}
	}
	made := func(n byte) (key, signature []byte) {
		k, err := s.NewKey(bytes.Repeat([]byte{n}, s.Form().SeedSize))
		if err != nil {
			c.fail("%s: %w", name, err)
			return nil, nil
		}
		signature, err = k.Sign(nil, over[:], nil)
		if err != nil {
			c.fail("%s: %w", name, err)
		}
		return []byte(k.Public().(sign.PublicKey).Bytes), signature
	}
	sample := schemeSample{name: name, form: s.Form(), over: over}
	sample.key, sample.signature = made(1)
	sample.otherKey, sample.another = made(2)
	return sample
}

// edited is the change of the signature to another, in the one place where they differ.
func (s *schemeSample) edited(signature []byte) Mutation {
	from, to := hexOf(s.signature), hexOf(signature)
	at := 0
	for at < min(len(from), len(to)) && from[at] == to[at] {
		at++
	}
	behind := 0
	for behind < min(len(from), len(to))-at && from[len(from)-1-behind] == to[len(to)-1-behind] {
		behind++
	}
	return Mutation{Path: inputPath + "/attestation/signature", At: at, Delete: len(from) - behind - at, Insert: []byte(to[at : len(to)-behind])}
}

// input is the question about the sample, for a verifier that was told to check these.
func (s *schemeSample) input(algorithms ...any) Object {
	att := attestationWith(s.over.String(), hexOf(s.signature))
	for i := range att {
		if att[i].Name == "algorithm" {
			att[i].Value = s.name
		}
	}
	return object("attestation", att, "commitment", s.over.String(), "public_key", keyObject(s.name, hexOf(s.key)),
		"content_digest", digestOf(sampleContent), "algorithms", List(algorithms))
}

// generateAlgorithms makes the cases of the schemes beside Ed25519, whose names contextgraph/1 does not define.
func generateAlgorithms(c *class) {
	c.rules, c.flags = []string{"F8"}, []string{"Algorithm"}
	samples := make(map[string]*schemeSample)
	for i, name := range pq.Names() {
		s := c.sampleOf(name, leafAt(40+i))
		samples[name] = &s
		c.generateScheme(&s)
	}
	if c.err != nil {
		return
	}
	c.generateEd448(samples[pq.Ed448])
	for _, name := range []string{pq.MLDSA44, pq.MLDSA65, pq.MLDSA87} {
		c.generateMLDSA(samples[name])
	}
	c.generateRelabelled(samples)
}

// generateScheme makes what every scheme has cases of: a good signature, one that nobody allowed, and what comes between.
func (c *class) generateScheme(s *schemeSample) {
	id := func(slug string) string { return "algorithms-" + s.name + "-" + slug }
	need := requires(s.name)
	const named = "The name is not defined by contextgraph/1: only a verifier that was told to check it says more than unknown_algorithm."
	base := id(valid)
	c.pass(base, "a signature of "+s.form.Title+", allowed by name", named, "verify", s.input("ed25519", s.name), verdict(valid), need, flagged("SignatureBytes"))
	c.twist(base, id("off"), "a signature of "+s.form.Title+" for a verifier that was told nothing", named, removed("/algorithms"), verdict(unknownAlgorithm))
	twist := func(slug, title, why string, m Mutation, want string, opts ...option) {
		c.twist(base, id(slug), title, why, m, append([]option{verdict(want), need}, opts...)...)
	}
	const bits = "The signature is over the 32 raw bytes, without a context, and every part of it counts."
	flipped := slices.Clone(s.signature)
	flipped[0] ^= 1
	twist("first-bit", "the first bit of the signature changed", bits, s.edited(flipped), badSignature, flagged("SignatureBytes"))
	twist("another-key", "a signature with another key", bits, replace("/attestation/signature", hexOf(s.another)), badSignature, flagged("OtherKey"), nearVerdict(causeOtherKey, valid))
	const lengths = "A length that the algorithm does not have is malformed, before anything is computed."
	twist("signature-short", "a byte of the signature missing", lengths, s.edited(s.signature[:len(s.signature)-1]), malformedSignature, flagged("HexForm"))
	twist("signature-64", "a signature of 64 bytes", lengths, replace("/attestation/signature", strings.Repeat("00", 64)), malformedSignature, flagged("HexForm"))
	twist("key-short", "a byte of the key missing", lengths,
		Mutation{Path: inputPath + "/public_key/public_key", At: 2*len(s.key) - 2, Delete: 2, Insert: []byte{}}, malformedKey, flagged("Algorithm"))
	if s.name == pq.MLDSA87 { // the largest: what follows is the same for all
		return
	}
	twist("other-allowed", "for a verifier that was told to check others", named, replace("/algorithms", List{"ed25519", s.name + "-x"}), unknownAlgorithm)
	twist("no-digest", "a frame without a digest", "It verifies, and binds identity and provenance, not content (F14).", removed("/content_digest"), validIdentityOnly, rules("F14"), flagged("IdentityOnly"))
	twist("another-frame", "another frame", "What is signed is compared before any key is asked for.", replace("/commitment", leafAt(39).String()), commitmentMismatch, flagged("Identity"))
}

// generateRelabelled makes attestations of one algorithm that call themselves another's.
func (c *class) generateRelabelled(samples map[string]*schemeSample) {
	const why = "A key is used with its own algorithm and no other, and nothing is retried under another scheme."
	for _, pair := range [][2]string{{pq.Ed448, pq.MLDSA44}, {pq.MLDSA44, pq.Ed448}, {pq.MLDSA65, pq.MLDSA44}} {
		from, to := samples[pair[0]], samples[pair[1]]
		slug := "algorithms-relabelled-" + from.name + "-as-" + to.name
		in := from.input("ed25519", from.name, to.name)
		both := func(k *Case) { k.Requires = []string{"algorithm:" + from.name, "algorithm:" + to.name} }
		c.pass(slug+"-base", "allowed both", why, "verify", in, verdict(valid), both)
		c.twist(slug+"-base", slug+"-key", "an attestation relabelled, under the key that signed", why, replace("/attestation/algorithm", to.name), verdict(malformedKey), both)
		c.twist(slug+"-key", slug+"-bytes", "the key relabelled too", why, replace("/public_key/algorithm", to.name), verdict(malformedKey), both)
		c.twist(slug+"-key", slug+"-other", "under a key of the other", why, replace("/public_key", keyObject(to.name, hexOf(to.key))), verdict(malformedSignature), both)
	}
	ed448 := samples[pq.Ed448]
	c.twist("algorithms-ed448-valid", "algorithms-ed448-as-ed25519", "an attestation of Ed448 relabelled ed25519", why, replace("/attestation/algorithm", "ed25519"),
		verdict(malformedKey), requires(ed448.name))
	c.twist("algorithms-ed448-valid", "algorithms-ed448-under-ed25519", "an attestation of Ed448 under a key of Ed25519", why,
		replace("/public_key", keyObject("ed25519", publicHex(seeded(1)))), verdict(malformedKey), requires(ed448.name))
}

// What RFC 8032 §5.2 has for Ed448, beside curve.go's for Ed25519.
var (
	ed448Order, _ = new(big.Int).SetString("181709681073901722637330951972001133588410340171829515070372549795146003961539585716195755291692375963310293709091662304773755859649779", 10)
	ed448Field    = new(big.Int).Sub(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 448), new(big.Int).Lsh(big.NewInt(1), 224)), big.NewInt(1))
	ed448Sign     = new(big.Int).Lsh(big.NewInt(1), 455)
)

// ed448Bytes are the 57 bytes of an integer, the low one first.
func ed448Bytes(n *big.Int) []byte {
	b := n.FillBytes(make([]byte, 57))
	slices.Reverse(b)
	return b
}

// generateEd448 makes the keys and signatures that a strict verifier declines.
func (c *class) generateEd448(s *schemeSample) {
	const base = "algorithms-ed448-valid"
	need := requires(s.name)
	const small = "Under a key of small order one signature fits every message; of the encodings of the four points one each is canonical."
	y := map[string]*big.Int{"identity": big.NewInt(1), "order-4": big.NewInt(0), "order-2": new(big.Int).Sub(ed448Field, big.NewInt(1))}
	for _, name := range []string{"identity", "order-2", "order-4"} {
		for _, m := range []struct {
			slug, what string
			text       *big.Int
		}{
			{"", "", y[name]}, {"-negative", ", the sign set", new(big.Int).Add(y[name], ed448Sign)},
			{"-unreduced", ", y not reduced", new(big.Int).Add(y[name], ed448Field)},
		} {
			text := ed448Bytes(m.text)
			c.twist(base, "algorithms-ed448-small-key-"+name+m.slug, "a key of small order: "+name+m.what, small, replace("/public_key/public_key", hexOf(text)),
				verdict(malformedKey), need, flagged("SmallOrder"))
			c.twist(base, "algorithms-ed448-small-r-"+name+m.slug, "an R of small order: "+name+m.what, small,
				replace("/attestation/signature", hexOf(slices.Concat(text, s.signature[57:]))), verdict(badSignature), need, flagged("SmallOrder"))
		}
	}
	c.twist("algorithms-ed448-small-key-identity", "algorithms-ed448-identity-any", "the identity as key, R the identity and S zero: the signature that fits every message", small,
		replace("/attestation/signature", hexOf(slices.Concat(ed448Bytes(big.NewInt(1)), make([]byte, 57)))), verdict(malformedKey), need, flagged("SmallOrder"))
	// (x, y) and the point of order two, (0, −1), give (−x, −y).
	key := littleEndian(s.key)
	signed := key.Bit(455)
	key.SetBit(key, 455, 0)
	mixed := new(big.Int).Sub(ed448Field, key)
	mixed.SetBit(mixed, 455, 1-signed)
	c.twist(base, "algorithms-ed448-mixed-key", "a key with a part of order two", "Libraries disagree under such a key, and no honest one has such a part: L times the key has to be the identity.",
		replace("/public_key/public_key", hexOf(ed448Bytes(mixed))), verdict(malformedKey), need, flagged("MixedOrder"))
	const canonical = "There is one text of each point and of each S."
	for _, m := range []struct {
		slug, what string
		s          *big.Int
	}{
		{"s-plus-order", "L added to S", new(big.Int).Add(littleEndian(s.signature[57:]), ed448Order)},
		{"s-order", "S is L", ed448Order},
		{"s-top", "a bit of the last byte of S", new(big.Int).SetBit(littleEndian(s.signature[57:]), 448, 1)},
	} {
		c.twist(base, "algorithms-ed448-"+m.slug, m.what, canonical, replace("/attestation/signature", hexOf(slices.Concat(s.signature[:57], ed448Bytes(m.s)))),
			verdict(badSignature), need, flagged("ScalarRange"))
	}
	for n := int64(2); n < 40; n++ {
		text := ed448Bytes(big.NewInt(n))
		if scheme, _ := pq.Lookup(pq.Ed448); !strings.Contains(errorOf(scheme.NewVerifier(text)), "no point") {
			continue
		}
		c.twist(base, "algorithms-ed448-key-off-curve", fmt.Sprintf("a key that is no point, y = %d", n), canonical, replace("/public_key/public_key", hexOf(text)),
			verdict(malformedKey), need, flagged("NonCanonical"))
		c.twist(base, "algorithms-ed448-r-off-curve", fmt.Sprintf("an R that is no point, y = %d", n), canonical,
			replace("/attestation/signature", hexOf(slices.Concat(text, s.signature[57:]))), verdict(badSignature), need, flagged("NonCanonical"))
		break
	}
}

func errorOf(_ sign.Verifier, err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// generateMLDSA makes signatures whose hint is not encoded as FIPS 204 demands, and a z that is too large.
func (c *class) generateMLDSA(s *schemeSample) {
	base, need := "algorithms-"+s.name+"-valid", requires(s.name)
	shape := map[string]struct{ challenge, omega, k int }{pq.MLDSA44: {32, 80, 4}, pq.MLDSA65: {48, 55, 6}, pq.MLDSA87: {64, 75, 8}}[s.name]
	ends := len(s.signature) - shape.k
	h := ends - shape.omega
	const why = "HintBitUnpack (FIPS 204, algorithm 21) takes one encoding of each hint: positions ascend, ends do not fall, what is left over is zero. Any other is malformed."
	for _, m := range []struct {
		slug, what string
		edit       func(signature []byte)
		want       string
	}{
		{"hint-exchanged", "two positions of the hint exchanged", func(b []byte) { b[h], b[h+1] = b[h+1], b[h] }, malformedSignature},
		{"hint-doubled", "a position of the hint twice", func(b []byte) { b[h+1] = b[h] }, malformedSignature},
		{"hint-ends-fall", "an end of the hint before the one in front of it", func(b []byte) { b[ends], b[ends+1] = b[ends+1], b[ends] }, malformedSignature},
		{"hint-too-many", "more positions in the hint than there may be", func(b []byte) { b[len(b)-1] = byte(shape.omega + 1) }, malformedSignature},
		{"hint-left-over", "a position of the hint behind the last end", func(b []byte) { b[len(b)-1]-- }, malformedSignature},
		{"hint-cleared", "an empty hint, encoded as it should be", func(b []byte) { clear(b[h:]) }, badSignature},
		{"z-large", "the first number of z as large as can be written", func(b []byte) { copy(b[shape.challenge:], []byte{0, 0, 0}) }, badSignature},
	} {
		if s.name == pq.MLDSA87 && m.slug != "hint-exchanged" && m.slug != "z-large" {
			continue
		}
		edited := slices.Clone(s.signature)
		m.edit(edited)
		c.twist(base, "algorithms-"+s.name+"-"+m.slug, m.what, why, s.edited(edited), verdict(m.want), need, flagged("SignatureBytes"))
	}
}
