package pq

import (
	"bytes"
	"compress/gzip"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	circled448 "github.com/cloudflare/circl/sign/ed448"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// RFC 8032 §7.4, those of pure Ed448 with the empty context up to 64 bytes: secret key, public key, message, signature.
var rfc8032Cases = []struct{ name, seed, public, message, signature string }{
	{"Blank",
		"6c82a562cb808d10d632be89c8513ebf6c929f34ddfa8c9f63c9960ef6e348a3528c8a3fcc2f044e39a3fc5b94492f8f032e7549a20098f95b",
		"5fd7449b59b461fd2ce787ec616ad46a1da1342485a70e1f8a0ea75d80e96778edf124769b46c7061bd6783df1e50f6cd1fa1abeafe8256180",
		"",
		"533a37f6bbe457251f023c0d88f976ae2dfb504a843e34d2074fd823d41a591f2b233f034f628281f2fd7a22ddd47d7828c59bd0a21bfd3980ff0d2028d4b18a9df63e006c5d1c2d345b925d8dc00b4104852db99ac5c7cdda8530a113a0f4dbb61149f05a7363268c71d95808ff2e652600"},
	{"1 octet",
		"c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e",
		"43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480",
		"03",
		"26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00"},
	{"11 octets",
		"cd23d24f714274e744343237b93290f511f6425f98e64459ff203e8985083ffdf60500553abc0e05cd02184bdb89c4ccd67e187951267eb328",
		"dcea9e78f35a1bf3499a831b10b86c90aac01cd84b67a0109b55a36e9328b1e365fce161d71ce7131a543ea4cb5f7e9f1d8b00696447001400",
		"0c3e544074ec63b0265e0c",
		"1f0a8888ce25e8d458a21130879b840a9089d999aaba039eaf3e3afa090a09d389dba82c4ff2ae8ac5cdfb7c55e94d5d961a29fe0109941e00b8dbdeea6d3b051068df7254c0cdc129cbe62db2dc957dbb47b51fd3f213fb8698f064774250a5028961c9bf8ffd973fe5d5c206492b140e00"},
	{"12 octets",
		"258cdd4ada32ed9c9ff54e63756ae582fb8fab2ac721f2c8e676a72768513d939f63dddb55609133f29adf86ec9929dccb52c1c5fd2ff7e21b",
		"3ba16da0c6f2cc1f30187740756f5e798d6bc5fc015d7c63cc9510ee3fd44adc24d8e968b6e46e6f94d19b945361726bd75e149ef09817f580",
		"64a65f3cdedcdd66811e2915",
		"7eeeab7c4e50fb799b418ee5e3197ff6bf15d43a14c34389b59dd1a7b1b85b4ae90438aca634bea45e3a2695f1270f07fdcdf7c62b8efeaf00b45c2c96ba457eb1a8bf075a3db28e5c24f6b923ed4ad747c3c9e03c7079efb87cb110d3a99861e72003cbae6d6b8b827e4e6c143064ff3c00"},
	{"13 octets",
		"7ef4e84544236752fbb56b8f31a23a10e42814f5f55ca037cdcc11c64c9a3b2949c1bb60700314611732a6c2fea98eebc0266a11a93970100e",
		"b3da079b0aa493a5772029f0467baebee5a8112d9d3a22532361da294f7bb3815c5dc59e176b4d9f381ca0938e13c6c07b174be65dfa578e80",
		"64a65f3cdedcdd66811e2915e7",
		"6a12066f55331b6c22acd5d5bfc5d71228fbda80ae8dec26bdd306743c5027cb4890810c162c027468675ecf645a83176c0d7323a2ccde2d80efe5a1268e8aca1d6fbc194d3f77c44986eb4ab4177919ad8bec33eb47bbb5fc6e28196fd1caf56b4e7e0ba5519234d047155ac727a1053100"},
	{"64 octets",
		"d65df341ad13e008567688baedda8e9dcdc17dc024974ea5b4227b6530e339bff21f99e68ca6968f3cca6dfe0fb9f4fab4fa135d5542ea3f01",
		"df9705f58edbab802c7f8363cfe5560ab1c6132c20a9f1dd163483a26f8ac53a39d6808bf4a1dfbd261b099bb03b3fb50906cb28bd8a081f00",
		"bd0f6a3747cd561bdddf4640a332461a4a30a12a434cd0bf40d766d9c6d458e5512204a30c17d1f50b5079631f64eb3112182da3005835461113718d1a5ef944",
		"554bc2480860b49eab8532d2a533b7d578ef473eeb58c98bb2d0e1ce488a98b18dfde9b9b90775e67f47d4a1c3482058efc9f40d2ca033a0801b63d45b3b722ef552bad3b4ccb667da350192b61c508cf7b6b5adadc2c8d9a446ef003fb05cba5f30e88e36ec2703b349ca229c2670833900"},
}

func TestEd448RFC8032(t *testing.T) {
	for _, row := range rfc8032Cases {
		key, err := ed448Scheme{}.NewKey(unhex(t, row.seed))
		if err != nil {
			t.Fatal(err)
		}
		if got := key.Public().(sign.PublicKey); hex.EncodeToString([]byte(got.Bytes)) != row.public || got.Algorithm != Ed448 {
			t.Errorf("%s: public key = %s %x, want %s", row.name, got.Algorithm, got.Bytes, row.public)
		}
		signature, err := key.Sign(nil, unhex(t, row.message), nil)
		if err != nil || hex.EncodeToString(signature) != row.signature {
			t.Errorf("%s: signature = %x, %v, want %s", row.name, signature, err, row.signature)
		}
		q := question{row.name, Ed448, unhex(t, row.public), unhex(t, row.message), unhex(t, row.signature)}
		if got, err := judge(t, q); got != sign.Valid {
			t.Errorf("%s: %s (%v), want valid", row.name, got, err)
		}
		for i := range q.signature {
			bad := q.changed("flipped", func(q *question) { q.signature[i] ^= 1 << (i % 8) })
			if got, _ := judge(t, bad); got != sign.BadSignature {
				t.Errorf("%s: byte %d of the signature changed: %s, want bad_signature", row.name, i, got)
			}
		}
		for _, other := range rfc8032Cases {
			if other.name == row.name {
				continue
			}
			for _, sibling := range []question{
				q.changed("other key", func(q *question) { q.key = unhex(t, other.public) }),
				q.changed("other message", func(q *question) { q.message = unhex(t, other.message) }),
				q.changed("other R", func(q *question) { copy(q.signature[:57], unhex(t, other.signature)[:57]) }),
				q.changed("other S", func(q *question) { copy(q.signature[57:], unhex(t, other.signature)[57:]) }),
			} {
				if got, _ := judge(t, sibling); got != sign.BadSignature {
					t.Errorf("%s with the %s of %s: %s, want bad_signature", row.name, sibling.family, other.name, got)
				}
			}
		}
	}
}

// Project Wycheproof's cases for Ed448, as github.com/cloudflare/circl ships them.
func TestEd448Wycheproof(t *testing.T) {
	zipped, err := gzip.NewReader(bytes.NewReader(publicdata.ModuleFile(t, "github.com/cloudflare/circl", "sign/ed448/testdata/wycheproof_Ed448.json.gz")))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		TestGroups []struct {
			Key   struct{ Pk string }
			Tests []struct {
				TcID             int
				Comment          string
				Msg, Sig, Result string
			}
		}
	}
	if err := json.NewDecoder(zipped).Decode(&file); err != nil {
		t.Fatal(err)
	}
	count := make(map[string]int)
	for _, g := range file.TestGroups {
		for _, row := range g.Tests {
			signature, err := hex.DecodeString(row.Sig)
			if err != nil {
				t.Fatal(err)
			}
			got, err := judge(t, question{row.Comment, Ed448, unhex(t, g.Key.Pk), unhex(t, row.Msg), signature})
			if (got == sign.Valid) != (row.Result == "valid") {
				t.Errorf("case %d, %s: %s (%v), want %s", row.TcID, row.Comment, got, err, row.Result)
			}
			count[row.Result]++
		}
	}
	if count["valid"] < 10 || count["invalid"] < 40 {
		t.Errorf("the file has %v", count)
	}
}

// littleEndian returns an integer in so many bytes.
func littleEndian(n *big.Int, size int) []byte {
	b := n.FillBytes(make([]byte, size))
	slices.Reverse(b)
	return b
}

func integer(b []byte) *big.Int {
	b = bytes.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

// L and p of RFC 8032 §5.2, as it writes them.
var (
	orderL, _  = new(big.Int).SetString("181709681073901722637330951972001133588410340171829515070372549795146003961539585716195755291692375963310293709091662304773755859649779", 10)
	modulusP   = new(big.Int).Sub(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 448), new(big.Int).Lsh(big.NewInt(1), 224)), big.NewInt(1))
	torsionY   = []*big.Int{big.NewInt(1), big.NewInt(0), new(big.Int).Sub(modulusP, big.NewInt(1))}
	limitOfY   = new(big.Int).Lsh(big.NewInt(1), 455)
	signOfX    = new(big.Int).Lsh(big.NewInt(1), 455)
	circlTakes = func(q question) bool { return circled448.Verify(q.key, q.message, q.signature, "") }
)

// torsionTexts returns every text of 57 bytes that some decoder takes for a point of small order: y of such a point and all that
// equals it modulo p, with either sign.
func torsionTexts() [][]byte {
	var all [][]byte
	for _, y := range torsionY {
		for y := new(big.Int).Set(y); y.Cmp(limitOfY) < 0; y.Add(y, modulusP) {
			all = append(all, littleEndian(y, 57), littleEndian(new(big.Int).Add(y, signOfX), 57))
		}
	}
	return all
}

// Every text of every point of small order, as the key and as R, is refused; four of them are the points themselves.
func TestEd448SmallOrder(t *testing.T) {
	good := signed(t, ed448Scheme{}, 7, []byte("message"))
	texts := torsionTexts()
	if want := 2 * (129 + 129 + 128); len(texts) != want { // y + n·p below 2^455, for y = 0, 1 and p − 1
		t.Errorf("%d texts, want %d", len(texts), want)
	}
	points := strings.Fields(ask(t, "points", good)[0])
	var questions []question
	small := 0
	for _, text := range texts {
		if slices.Contains(points, hex.EncodeToString(text)) {
			small++
		}
		questions = append(questions,
			// R = O and S = 0: what verifies under such a key for circl.
			question{"key", Ed448, text, good.message, append(append([]byte{1}, make([]byte, 56)...), make([]byte, 57)...)},
			good.changed("R", func(q *question) { copy(q.signature, text) }),
		)
	}
	if small != 4 || len(points) != 4 {
		t.Errorf("%d of the texts are encodings of the %d points, want 4", small, len(points))
	}
	demand(t, compare(t, questions), map[string]int{
		"key malformed_key:small_order": 4, "key malformed_key:not_canonical": len(texts) - 4,
		"R bad_signature:r_small_order": 4, "R bad_signature:r_not_canonical": len(texts) - 4,
	})
}

// Under the identity as key circl takes one signature for every message: what the rule is for.
func TestEd448IdentityKey(t *testing.T) {
	identity := append([]byte{1}, make([]byte, 56)...)
	for _, message := range []string{"", "one", "another"} {
		q := question{"identity", Ed448, identity, []byte(message), append(bytes.Clone(identity), make([]byte, 57)...)}
		if !circlTakes(q) {
			t.Errorf("%q: circl refuses it: the comments that say otherwise are out of date", message)
		}
		if got, err := judge(t, q); got != sign.MalformedKey {
			t.Errorf("%q: %s (%v), want malformed_key", message, got, err)
		}
	}
}

// A torsion point in the key or in R, and R = O for which the equation holds.
func TestEd448MixedOrder(t *testing.T) {
	var questions []question
	lenient := 0
	for n := range byte(4) {
		message := bytes.Repeat([]byte{n}, 32)
		for i, row := range strings.Fields(ask(t, "torsion", question{key: bytes.Repeat([]byte{n}, 57), message: message})[0]) {
			part := strings.Split(row, ":")
			family := []string{"key", "R"}[i%2]
			if i == 6 {
				family = "zero"
			}
			q := question{family, Ed448, unhex(t, part[0]), message, unhex(t, part[1])}
			if circlTakes(q) && part[2] == "no" {
				lenient++
			}
			if family == "zero" && (part[2] != "yes" || !circlTakes(q)) {
				t.Errorf("a signature with R = O: the equation holds: %s, circl: %t", part[2], circlTakes(q))
			}
			questions = append(questions, q)
		}
	}
	demand(t, compare(t, questions), map[string]int{
		"key malformed_key:mixed_order": 12, "R bad_signature:equation": 12, "zero bad_signature:r_small_order": 4,
	})
	if lenient == 0 {
		t.Error("circl takes no signature that the equation without cofactor refuses: the comment in ed448.go is out of date")
	}
}

// Other texts of a good signature and of a good key, and texts of no point.
func TestEd448Texts(t *testing.T) {
	var questions []question
	for n := byte(1); n <= 3; n++ {
		good := signed(t, ed448Scheme{}, n, bytes.Repeat([]byte{n}, 32))
		questions = append(questions, good)
		questions = append(questions, good.lengths()...)
		s := integer(good.signature[57:])
		for _, add := range []*big.Int{orderL, new(big.Int).Lsh(orderL, 1), new(big.Int).Lsh(big.NewInt(1), 448), new(big.Int).Lsh(big.NewInt(1), 455)} {
			questions = append(questions, good.changed("S", func(q *question) { copy(q.signature[57:], littleEndian(new(big.Int).Add(s, add), 57)) }))
		}
		for _, whole := range []*big.Int{orderL, new(big.Int).Add(orderL, big.NewInt(1)), new(big.Int).Sub(limitOfY, big.NewInt(1))} {
			questions = append(questions, good.changed("S", func(q *question) { copy(q.signature[57:], littleEndian(whole, 57)) }))
		}
		questions = append(questions, good.changed("S below", func(q *question) { copy(q.signature[57:], littleEndian(new(big.Int).Sub(orderL, big.NewInt(1)), 57)) }))
		for bit := uint(0); bit < 8; bit++ {
			questions = append(questions,
				good.changed("top of key", func(q *question) { q.key[56] ^= 1 << bit }),
				good.changed("top of R", func(q *question) { q.signature[56] ^= 1 << bit }))
		}
		for y := range int64(12) { // half of all y have no point
			text := littleEndian(big.NewInt(y+2), 57)
			questions = append(questions,
				good.changed("small y as key", func(q *question) { q.key = text }),
				good.changed("small y as R", func(q *question) { copy(q.signature, text) }))
		}
	}
	demand(t, compare(t, questions), map[string]int{
		"signed valid": 3, "S bad_signature:s_range": 21, "S below bad_signature:equation": 3,
		"top of key malformed_key:not_canonical": 21, "top of key valid": 0, "top of R bad_signature:r_not_canonical": 21,
		"small y as key malformed_key:off_curve": 9, "small y as key malformed_key:mixed_order": 3, "small y as R bad_signature:r_off_curve": 9,
		"key length malformed_key:length": 18, "signature length malformed_signature": 18,
	})
}

// Node signs and verifies under keys that are read and written here.
func TestEd448Node(t *testing.T) {
	node := program(t, "node")
	parser := keys.Parser{Algorithms: sign.With(ed448Scheme{})}
	const script = `
const crypto = require("crypto");
const [mode, pem, message, signature] = JSON.parse(require("fs").readFileSync(0));
const text = Buffer.from(message, "hex");
if (mode === "make") {
  const { publicKey, privateKey } = crypto.generateKeyPairSync("ed448");
  console.log(JSON.stringify([privateKey.export({ type: "pkcs8", format: "pem" }), publicKey.export({ type: "spki", format: "pem" }),
    crypto.sign(null, text, privateKey).toString("hex")]));
} else if (mode === "sign") console.log(JSON.stringify([crypto.sign(null, text, crypto.createPrivateKey(pem)).toString("hex")]));
else console.log(JSON.stringify([String(crypto.verify(null, text, crypto.createPublicKey(pem), Buffer.from(signature, "hex")))]));
`
	run := func(args ...string) []string {
		t.Helper()
		in, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, "-e", script)
		cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var answer []string
		if err := json.Unmarshal(out, &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	message := bytes.Repeat([]byte{0xa5}, 32)
	made := run("make", "", hex.EncodeToString(message), "")
	private, err := parser.ParsePrivateKey([]byte(made[0]))
	if err != nil {
		t.Fatal(err)
	}
	public, err := parser.ParsePublicKey([]byte(made[1]))
	if err != nil || public != private.PublicKey() {
		t.Fatalf("the public key of node is %v, %v, want %v", public, err, private)
	}
	ours, err := private.Sign(nil, message, sign.Request{})
	if err != nil || hex.EncodeToString(ours) != made[2] {
		t.Errorf("a signature = %x, %v, node makes %s", ours, err, made[2])
	}
	for n := range byte(3) {
		q := signed(t, ed448Scheme{}, n, message)
		key, err := parser.GeneratePrivateKey(Ed448, bytes.NewReader(seedOf(ed448Scheme{}, n)))
		if err != nil {
			t.Fatal(err)
		}
		secret, err := key.MarshalPKCS8()
		if err != nil {
			t.Fatal(err)
		}
		written, err := parser.MarshalPKIX(key.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if got := run("sign", string(secret), hex.EncodeToString(message), "")[0]; got != hex.EncodeToString(q.signature) {
			t.Errorf("node signs %s with our key, want %x", got, q.signature)
		}
		if got := run("verify", string(written), hex.EncodeToString(message), hex.EncodeToString(q.signature))[0]; got != "true" {
			t.Errorf("node's verdict on our signature under our key file is %s", got)
		}
	}
}

// OpenSSL reads the key files that are written here, signs the same and verifies; and what it makes is read here byte for byte.
func TestEd448OpenSSL(t *testing.T) {
	openssl := program(t, "openssl")
	parser := keys.Parser{Algorithms: sign.With(ed448Scheme{})}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command(openssl, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("openssl %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path(name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	message := bytes.Repeat([]byte{0x5a}, 32)
	write("message", message)
	run("genpkey", "-algorithm", "ed448", "-out", path("theirs.pem"))
	run("pkey", "-in", path("theirs.pem"), "-pubout", "-out", path("theirs.pub"))
	theirs, err := os.ReadFile(path("theirs.pem"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := parser.ParsePrivateKey(theirs)
	if err != nil {
		t.Fatal(err)
	}
	again, err := key.MarshalPKCS8()
	if err != nil || !bytes.Equal(again, theirs) {
		t.Errorf("the key file of openssl comes out as\n%s%v, want\n%s", again, err, theirs)
	}
	pub, err := os.ReadFile(path("theirs.pub"))
	if err != nil {
		t.Fatal(err)
	}
	if written, err := parser.MarshalPKIX(key.PublicKey()); err != nil || !bytes.Equal(written, pub) {
		t.Errorf("the public key is written as\n%s%v, want\n%s", written, err, pub)
	}
	run("pkeyutl", "-sign", "-rawin", "-inkey", path("theirs.pem"), "-in", path("message"), "-out", path("signature"))
	signature, err := os.ReadFile(path("signature"))
	if err != nil {
		t.Fatal(err)
	}
	if ours, err := key.Sign(nil, message, nil); err != nil || !bytes.Equal(ours, signature) {
		t.Errorf("a signature = %x, %v, openssl makes %x", ours, err, signature)
	}
	q := question{"openssl", Ed448, []byte(key.PublicKey().Bytes), message, signature}
	if got, err := judge(t, q); got != sign.Valid {
		t.Errorf("its signature is %s (%v)", got, err)
	}
}

// A key of Ed448 prints as nothing that leads to its seed.
func TestSignerKeepsSecret(t *testing.T) {
	for _, s := range Schemes() {
		key, err := s.NewKey(seedOf(s, 7))
		if err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"%v", "%+v", "%#v", "%x", "%d"} {
			for _, value := range []any{key, &key, struct{ k any }{key}} {
				if text := strings.ToLower(fmt.Sprintf(format, value)); strings.Contains(text, "07070707") || strings.Contains(text, "7 7 7 7 7") || strings.Contains(text, "0x7, 0x7, 0x7") {
					t.Errorf("%s of a key of %s shows the seed", format, s.Name())
				}
			}
		}
		if _, err := key.Sign(nil, []byte("message"), &ed25519.Options{Hash: 5}); err == nil {
			t.Errorf("%s signs a message that was hashed", s.Name())
		}
	}
}
