package keys

import (
	"bytes"
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"contextgraphprotocol.org/cgp-attest/sign"
)

func TestParsePrivateKey(t *testing.T) {
	for _, row := range []struct{ name, text, public string }{
		{"RFC 8410", rfc8410Private, rfc8410PublicHex},
		{"RFC 8410 with attributes and public key", rfc8410PrivateWithPublic, rfc8410PublicHex},
		{"RFC 8410 with CRLF", strings.ReplaceAll(rfc8410Private, "\n", "\r\n"), rfc8410PublicHex},
		{"RFC 8410 between white space", "\n \t" + rfc8410Private + "\r\n\n", rfc8410PublicHex},
		{"RFC 8410 without the last line feed", strings.TrimSpace(rfc8410Private), rfc8410PublicHex},
		{"RFC 8410 seed", rfc8410Seed, rfc8410PublicHex},
		{"RFC 8032", rfc8032Seed, rfc8032Public},
		{"RFC 8032 with line feed", rfc8032Seed + "\n", rfc8032Public},
		{"RFC 8032 with white space", rfc8032Seed + " \t\r\n\n", rfc8032Public},
		{"RFC 8032 uppercase", strings.ToUpper(rfc8032Seed), rfc8032Public},
		{"RFC 8032 at the limit", rfc8032Seed + strings.Repeat("\n", MaxFile-64), rfc8032Public},
		// tests/vectors/attestation-vectors.json of the Context Graph Protocol repository.
		{"CGP", strings.Repeat("07", 32), "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"},
	} {
		key, err := ParsePrivateKey([]byte(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		if want := ed25519Key(t, row.public); key.PublicKey() != want {
			t.Errorf("%s: public key %x, want %s", row.name, key.PublicKey().Bytes, row.public)
		}
		if public, ok := key.Public().(ed25519.PublicKey); !ok || hex.EncodeToString(public) != row.public {
			t.Errorf("%s: Public() = %T %x, want ed25519.PublicKey %s", row.name, key.Public(), public, row.public)
		}
	}
}

func TestSign(t *testing.T) {
	key, err := ParsePrivateKey([]byte(rfc8032Seed))
	if err != nil {
		t.Fatal(err)
	}
	var signer crypto.Signer = key
	got, err := signer.Sign(nil, nil, crypto.Hash(0))
	if err != nil || hex.EncodeToString(got) != rfc8032Signature {
		t.Errorf("Sign = %x, %v, want %s", got, err, rfc8032Signature)
	}
	if err := sign.VerifyEd25519([]byte(key.PublicKey().Bytes), nil, got); err != nil {
		t.Error(err)
	}
	if got, err := signer.Sign(nil, make([]byte, 32), crypto.SHA256); err == nil {
		t.Errorf("Sign with SHA-256 = %x, want an error", got)
	}
}

func pemOf(t testing.TB, label string, der []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: label, Bytes: der}))
}

func pkcs8Of(t testing.TB, key any) string {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pemOf(t, "PRIVATE KEY", der, err)
}

// otherKeys are keys of other kinds, made by the standard library.
type otherKeys struct {
	rsa    *rsa.PrivateKey
	ecdsa  *ecdsa.PrivateKey
	x25519 *ecdh.PrivateKey
}

func newOtherKeys(t testing.TB) (k otherKeys) {
	t.Helper()
	var err [3]error
	k.rsa, err[0] = rsa.GenerateKey(rand.Reader, 2048)
	k.ecdsa, err[1] = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	k.x25519, err[2] = ecdh.X25519().GenerateKey(rand.Reader)
	if err := errors.Join(err[:]...); err != nil {
		t.Fatal(err)
	}
	return k
}

// TestParsePrivateKeyRefuses: every refusal names what was found, and none shows any of it.
func TestParsePrivateKeyRefuses(t *testing.T) {
	other := newOtherKeys(t)
	ecDER, err := x509.MarshalECPrivateKey(other.ecdsa)
	ec := pemOf(t, "EC PRIVATE KEY", ecDER, err)
	body := strings.Split(rfc8410Private, "\n")[1]
	for _, row := range []struct {
		name, text string
		want       error
		words      string
	}{
		{"RSA in PKCS#8", pkcs8Of(t, other.rsa), sign.ErrUnsupportedKey, "RSA, want Ed25519"},
		{"ECDSA in PKCS#8", pkcs8Of(t, other.ecdsa), sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"X25519 in PKCS#8", pkcs8Of(t, other.x25519), sign.ErrUnsupportedKey, "X25519, want Ed25519"},
		// openssl genpkey -algorithm ed448
		{"Ed448 in PKCS#8", `-----BEGIN PRIVATE KEY-----
MEcCAQAwBQYDK2VxBDsEOe4ahOLg6Mf8GVXZy00LEU9xvT529AKUBVW4/7Ozybxa
gssUY/Vg/dwzS9nzcV3ElPaBqcXOx9C9Gg==
-----END PRIVATE KEY-----`, sign.ErrUnsupportedKey, "Ed448, want Ed25519"},
		{"RSA in PKCS#1", pemOf(t, "RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(other.rsa), nil), sign.ErrUnsupportedKey, "RSA, want"},
		{"ECDSA in SEC 1", ec, sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"ECDSA with parameters", pemOf(t, "EC PARAMETERS", []byte{5, 0}, nil) + ec, sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"DSA", pemOf(t, "DSA PRIVATE KEY", []byte{5, 0}, nil), sign.ErrUnsupportedKey, "DSA, want Ed25519"},
		{"encrypted PKCS#8", string(testFile(t, "encrypted-pkcs8.pem")), ErrEncrypted, "openssl pkey"},
		{"encrypted by headers", strings.Replace(rfc8410Private, "\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1),
			ErrEncrypted, "openssl pkey"},
		{"OpenSSH public key", string(testFile(t, "openssh-ed25519.pub")), sign.ErrUnsupportedKey, "OpenSSH public key line"},
		{"OpenSSH public security key", "sk-ssh-ed25519@openssh.com AAAA test", sign.ErrUnsupportedKey, "sk-ssh-ed25519"},
		{"OpenSSH public RSA key", "ssh-rsa AAAA test", sign.ErrUnsupportedKey, "RSA, want Ed25519"},
		{"public key", rfc8410Public, sign.ErrUnsupportedKey, `"PUBLIC KEY", want an OpenSSH private key, PKCS#8`},
		{"certificate", pemOf(t, "CERTIFICATE", []byte{5, 0}, nil), sign.ErrUnsupportedKey, `"CERTIFICATE", want an OpenSSH private key, PKCS#8`},

		{"empty", "", ErrMalformedFile, "the file is empty"},
		{"white space", " \n", ErrMalformedFile, "the file is empty"},
		{"the JSON of key show", `{"key_id":null,"public_key":"00","pem":"-----BEGIN PUBLIC KEY-----"}`, ErrMalformedFile, "it is a public key, want the private one"},
		{"published keys", `[{"public_key":"00"}]`, ErrMalformedFile, "it is a public key, want the private one"},
		{"a public JSON Web Key", `{"kty":"OKP","x":"AA"}`, ErrMalformedFile, "it is a public key, want the private one"},
		{"a private JSON Web Key", `{"kty":"OKP","x":"AA","d":"AA"}`, ErrMalformedFile, "JSON is not read as a private key"},
		{"one digit short", rfc8032Seed[:63], ErrMalformedFile, "odd number of hexadecimal digits, 63"},
		{"one byte short", rfc8032Seed[:62], ErrMalformedFile, "62 hexadecimal digits, want the 64"},
		{"one byte long", rfc8032Seed + "00", ErrMalformedFile, "66 hexadecimal digits, want the 64"},
		{"seed and public key", rfc8032Seed + rfc8032Public, ErrMalformedFile, "128 hexadecimal digits, want the 64"},
		{"not hexadecimal", rfc8032Seed[:63] + "g", ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"space in front", " " + rfc8032Seed, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"two lines", rfc8032Seed[:32] + "\n" + rfc8032Seed[32:], ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"with 0x", "0x" + rfc8032Seed[2:], ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"raw bytes", string(unhex(t, rfc8032Seed)), ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"base64", body, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"byte order mark", "\ufeff" + rfc8032Seed, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"too large", rfc8032Seed + strings.Repeat("\n", MaxFile-63), ErrTooLarge, "65537 bytes, want at most 65536"},

		{"two keys", rfc8410Private + rfc8410Private, ErrMalformedFile, "2 PEM blocks, want one"},
		{"broken block in front", "-----BEGIN PRIVATE KEY-----\n" + rfc8410Private, ErrMalformedFile, "2 PEM blocks, want one"},
		{"text in front", "key:\n" + rfc8410Private, ErrMalformedFile, "text in front"},
		{"text behind", rfc8410Private + "key", ErrMalformedFile, "text after"},
		{"headers", strings.Replace(rfc8410Private, "\n", "\nComment: mine\n\n", 1), ErrMalformedFile, "headers"},
		{"cut", rfc8410Private[:80], ErrMalformedFile, "cut or broken"},
		{"other base64", strings.Replace(rfc8410Private, "+", "*", 1), ErrMalformedFile, "cut or broken"},
		{"empty block", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n", ErrMalformedFile, "cut or broken"},
		{"public key's ASN.1", strings.ReplaceAll(rfc8410Public, "PUBLIC", "PRIVATE"), ErrMalformedFile, "ASN.1"},
	} {
		key, err := ParsePrivateKey([]byte(row.text))
		if key != nil || !errors.Is(err, row.want) {
			t.Errorf("%s: ParsePrivateKey = %v, %v, want %v", row.name, key, err, row.want)
			continue
		}
		text := err.Error()
		if !strings.Contains(text, row.words) || !strings.HasPrefix(text, "keys: private key: ") {
			t.Errorf("%s: error %q, want it to say %q", row.name, text, row.words)
		}
		for _, secret := range []string{rfc8032Seed[:8], rfc8410Seed[:8], body[:8], body[24:32], "\x9d\x61"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the error shows the key: %q", row.name, text)
			}
		}
	}
}

// TestPKCS8Tampered: no other bytes than DER of the key pass for it. The RFC's own encodings are changed bit by bit and cut
// and lengthened byte by byte.
func TestPKCS8Tampered(t *testing.T) {
	plain, _ := pem.Decode([]byte(rfc8410Private))
	full, _ := pem.Decode([]byte(rfc8410PrivateWithPublic))
	versionOne := bytes.Clone(plain.Bytes)
	versionOne[4] = 1
	seed := unhex(t, rfc8410Seed)
	// What may change: in the plain form the seed, for another key, and the version, as 0 and 1 both go without a public key;
	// in the full form what the attributes hold.
	attributes := bytes.Index(full.Bytes, []byte{0xa0, 0x1f})
	for _, form := range []struct {
		name     string
		der      []byte
		from, to int
	}{
		{"plain", plain.Bytes, bytes.Index(plain.Bytes, seed), len(plain.Bytes)},
		{"with public key", full.Bytes, attributes + 2, attributes + 2 + 0x1f},
	} {
		if got, err := parsePKCS8(form.der); err != nil || !bytes.Equal(got, seed) {
			t.Fatalf("%s: parsePKCS8 = %x, %v, want the seed", form.name, got, err)
		}
		for i := range form.der {
			if got, err := parsePKCS8(form.der[:i]); err == nil {
				t.Errorf("%s: cut after %d bytes it gives %x", form.name, i, got)
			}
			if i >= form.from && i < form.to {
				continue
			}
			for bit := range 8 {
				changed := bytes.Clone(form.der)
				changed[i] ^= 1 << bit
				if got, err := parsePKCS8(changed); err == nil && !bytes.Equal(changed, versionOne) {
					t.Errorf("%s: with bit %d of byte %d flipped it gives %x", form.name, bit, i, got)
				}
			}
		}
		if got, err := parsePKCS8(append(bytes.Clone(form.der), 0)); err == nil {
			t.Errorf("%s: with a byte after it, it gives %x", form.name, got)
		}
	}

	body := func(from []byte, tail ...byte) []byte {
		content := append(bytes.Clone(from[2:]), tail...)
		return append([]byte{0x30, byte(len(content))}, content...)
	}
	public := append([]byte{0x81, 0x21, 0x00}, unhex(t, rfc8410PublicHex)...)
	inner := bytes.Index(plain.Bytes, seed) - 4 // of 04 22 04 20 and the seed, which end the encoding
	octets := func(content ...byte) []byte {
		return body(plain.Bytes[:inner], append([]byte{0x04, byte(len(content))}, content...)...)
	}
	for _, row := range []struct {
		name string
		der  []byte
		good bool
	}{
		{"the parts put together again", octets(append([]byte{0x04, 0x20}, seed...)...), true},
		{"seed with a byte behind", octets(append(append([]byte{0x04, 0x20}, seed...), 0)...), false},
		{"seed of 31 bytes", octets(append([]byte{0x04, 0x1f}, seed[:31]...)...), false},
		{"seed of 33 bytes", octets(append(append([]byte{0x04, 0x21}, seed...), 0)...), false},
		{"seed cut", octets(append([]byte{0x04, 0x20}, seed[:31]...)...), false},
		{"seed without a frame", octets(seed...), false},
		{"public key without attributes", body(versionOne, public...), true},
		{"attributes without public key", body(plain.Bytes, 0xa0, 0x00), true},
		{"version 1 without public key", versionOne, true},
		{"public key in version 0", body(plain.Bytes, public...), false},
		{"two public keys", body(versionOne, append(public, public...)...), false},
		{"attributes behind the public key", body(versionOne, append(public, 0xa0, 0x00)...), false},
		{"attributes that are no set", body(plain.Bytes, 0x80, 0x00), false},
		{"member of another tag", body(plain.Bytes, 0xa2, 0x00), false},
		{"null behind", body(plain.Bytes, 0x05, 0x00), false},
		{"public key with unused bits", body(versionOne, append([]byte{0x81, 0x21, 0x01}, public[3:]...)...), false},
		{"short public key", body(versionOne, append([]byte{0x81, 0x20, 0x00}, public[4:]...)...), false},
	} {
		if got, err := parsePKCS8(row.der); (err == nil) != row.good {
			t.Errorf("%s: parsePKCS8 = %x, %v", row.name, got, err)
		}
	}
}

// TestPrivateKeyForms: what is written is what crypto/x509 writes and reads, and reads back as the same key.
func TestPrivateKeyForms(t *testing.T) {
	for range 20 {
		key, err := GeneratePrivateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		seed := key.MarshalSeed()
		standard := ed25519.NewKeyFromSeed(unhex(t, strings.TrimSuffix(string(seed), "\n")))
		if string(standard.Public().(ed25519.PublicKey)) != key.PublicKey().Bytes {
			t.Fatalf("the seed of %s gives another public key in crypto/ed25519", key)
		}
		pkcs8, err := key.MarshalPKCS8()
		if err != nil || string(pkcs8) != pkcs8Of(t, standard) {
			t.Errorf("MarshalPKCS8 of %s = %v, or not what crypto/x509 writes", key, err)
		}
		for _, form := range [][]byte{seed, pkcs8} {
			again, err := ParsePrivateKey(form)
			if err != nil || again.PublicKey() != key.PublicKey() {
				t.Errorf("%s reads back as %s, %v", key, again, err)
			}
		}
	}
	key, err := ParsePrivateKey([]byte(rfc8410PrivateWithPublic))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := key.MarshalPKCS8(); string(got) != rfc8410Private || err != nil {
		t.Errorf("MarshalPKCS8 = %s, %v, want the first example of RFC 8410 §10.3", got, err)
	}
	if got := string(key.MarshalSeed()); got != rfc8410Seed+"\n" {
		t.Errorf("MarshalSeed = %q, want %q", got, rfc8410Seed+"\n")
	}
}

func TestGeneratePrivateKey(t *testing.T) {
	key, err := GeneratePrivateKey(iotest.OneByteReader(bytes.NewReader(unhex(t, rfc8032Seed))))
	if err != nil || key.PublicKey() != ed25519Key(t, rfc8032Public) {
		t.Errorf("GeneratePrivateKey = %v, %v, want the key of these random bytes", key, err)
	}
	if key, err := GeneratePrivateKey(bytes.NewReader(make([]byte, 31))); key != nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("GeneratePrivateKey of 31 bytes = %v, %v, want io.ErrUnexpectedEOF", key, err)
	}
	broken := errors.New("no entropy")
	if key, err := GeneratePrivateKey(iotest.ErrReader(broken)); key != nil || !errors.Is(err, broken) {
		t.Errorf("GeneratePrivateKey of a broken source = %v, %v, want its error", key, err)
	}
}

// TestPrivateKeyPrints: every way to print a key, alone or in a structure, shows the fingerprint or an address.
func TestPrivateKeyPrints(t *testing.T) {
	key, err := ParsePrivateKey([]byte(rfc8032Seed))
	if err != nil {
		t.Fatal(err)
	}
	secret := unhex(t, rfc8032Seed)
	shown := []string{
		rfc8032Seed[:8], strings.ToUpper(rfc8032Seed[:8]), string(secret[:4]), base64.StdEncoding.EncodeToString(secret)[:8],
		"157 97 177", "157,97,177", "9d 61 b1", "0x9d, 0x61", `\x9d`, "10011101 1100001",
	}
	hides := func(what, text string) {
		for _, s := range shown {
			if strings.Contains(text, s) {
				t.Errorf("%s shows the seed: %s", what, text)
			}
		}
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "% x", "%d", "%b", "%o", "%c", "%U", "%p", "%T", "%t", "%20.3s"} {
		for _, value := range []any{key, *key} {
			text := fmt.Sprintf(format, value)
			hides(format, text)
			if format != "%T" && format != "%p" && text != rfc8032Fingerprint {
				t.Errorf("%s prints %q, want %q", format, text, rfc8032Fingerprint)
			}
		}
		for _, value := range []any{
			&key, map[string]any{"k": *key}, []any{key, *key}, []PrivateKey{*key}, map[string]PrivateKey{"k": *key},
			struct{ Key *PrivateKey }{key}, struct{ Key PrivateKey }{*key}, struct{ key *PrivateKey }{key}, struct{ key PrivateKey }{*key},
			struct{ PrivateKey }{*key}, &struct{ key []PrivateKey }{[]PrivateKey{*key}},
		} {
			hides(fmt.Sprintf("%s of %T", format, value), fmt.Sprintf(format, value))
		}
	}
	hides("String", key.String())
	for _, value := range []any{key, *key, struct{ Key PrivateKey }{*key}} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Error(err)
		}
		hides("JSON", string(text))
	}
	var none PrivateKey
	if got := fmt.Sprint(none); got != "no key" {
		t.Errorf("the zero key prints %q, want %q", got, "no key")
	}
}

// parsePKCS8 returns the seed of an Ed25519 key.
func parsePKCS8(der []byte) ([]byte, error) {
	key, err := Parser{}.parsePKCS8(der)
	if err != nil {
		return nil, err
	}
	return key.secret().seed, nil
}
