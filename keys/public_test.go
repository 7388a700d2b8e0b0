package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/sign"
)

func TestParsePublicKey(t *testing.T) {
	mixed := strings.ToUpper(rfc8032Public[:20]) + rfc8032Public[20:]
	for _, row := range []struct{ name, text, want string }{
		{"RFC 8410", rfc8410Public, rfc8410PublicHex},
		{"RFC 8410 between white space", "\n\t " + strings.ReplaceAll(rfc8410Public, "\n", "\r\n") + "\n", rfc8410PublicHex},
		{"RFC 8032", rfc8032Public, rfc8032Public},
		{"with line feed", rfc8032Public + "\n", rfc8032Public},
		{"with white space", rfc8032Public + " \t\r\n", rfc8032Public},
		{"uppercase", strings.ToUpper(rfc8032Public), rfc8032Public},
		{"mixed case", mixed, rfc8032Public},
		{"at the limit", rfc8032Public + strings.Repeat(" ", MaxFile-64), rfc8032Public},
	} {
		got, err := ParsePublicKey([]byte(row.text))
		if err != nil || got != ed25519Key(t, row.want) {
			t.Errorf("%s: ParsePublicKey = %s %x, %v, want %s", row.name, got.Algorithm, got.Bytes, err, row.want)
		}
	}
}

func TestParsePublicKeyRefuses(t *testing.T) {
	type row struct {
		name, text string
		want       error
		words      string
	}
	other := newOtherKeys(t)
	pkix := func(public any) string {
		der, err := x509.MarshalPKIXPublicKey(public)
		return pemOf(t, "PUBLIC KEY", der, err)
	}
	rows := []row{
		{"RSA", pkix(other.rsa.Public()), sign.ErrUnsupportedKey, "RSA, want Ed25519"},
		{"ECDSA", pkix(other.ecdsa.Public()), sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"X25519", pkix(other.x25519.Public()), sign.ErrUnsupportedKey, "X25519, want Ed25519"},
		{"RSA in PKCS#1", pemOf(t, "RSA PUBLIC KEY", x509.MarshalPKCS1PublicKey(&other.rsa.PublicKey), nil), sign.ErrUnsupportedKey, "RSA, want"},
		{"private key", rfc8410Private, sign.ErrUnsupportedKey, "openssl pkey -in FILE -pubout"},
		{"encrypted private key", string(testFile(t, "encrypted-pkcs8.pem")), sign.ErrUnsupportedKey, "openssl pkey -in FILE -pubout"},
		{"OpenSSH private key", string(testFile(t, "openssh-ed25519")), sign.ErrUnsupportedKey, `"ssh-keygen -y -f FILE"`},
		{"OpenSSH security key", "sk-ssh-ed25519@openssh.com AAAA test", sign.ErrUnsupportedKey, "sk-ssh-ed25519"},
		{"OpenSSH ECDSA", "ecdsa-sha2-nistp256 AAAA test", sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"certificate", pemOf(t, "CERTIFICATE", []byte{5, 0}, nil), sign.ErrUnsupportedKey, `"CERTIFICATE", want PKIX`},

		{"empty", "", ErrMalformedFile, "the file is empty"},
		{"short", rfc8032Public[2:], ErrMalformedFile, "62 hexadecimal digits, want the 64"},
		{"odd", rfc8032Public[1:], ErrMalformedFile, "odd number of hexadecimal digits, 63"},
		{"long", rfc8032Public + "00", ErrMalformedFile, "66 hexadecimal digits, want the 64"},
		{"not hexadecimal", "z" + rfc8032Public[1:], ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"fingerprint", rfc8032Fingerprint, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"two keys", rfc8032Public + "\n" + rfc8032Public, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"two blocks", rfc8410Public + rfc8410Public, ErrMalformedFile, "2 PEM blocks, want one"},
		{"text in front", "key: " + rfc8410Public, ErrMalformedFile, "text in front"},
		{"text behind", rfc8410Public + ".", ErrMalformedFile, "text after"},
		{"private key's ASN.1", strings.ReplaceAll(rfc8410Private, "PRIVATE", "PUBLIC"), ErrMalformedFile, "ASN.1"},
		{"too large", rfc8032Public + strings.Repeat(" ", MaxFile-63), ErrTooLarge, "65537 bytes, want at most 65536"},
		{"31 bytes in PKIX", pemOf(t, "PUBLIC KEY", mustPKIX(t, unhex(t, rfc8032Public)[:31]), nil), sign.ErrMalformedKey, "31 bytes, want 32"},
	}
	for _, weak := range weakKeys {
		rows = append(rows,
			row{weak.name, weak.text, sign.ErrMalformedKey, weak.reason},
			row{weak.name + " in PKIX", pemOf(t, "PUBLIC KEY", mustPKIX(t, unhex(t, weak.text)), nil), sign.ErrMalformedKey, weak.reason})
	}
	for _, row := range rows {
		got, err := ParsePublicKey([]byte(row.text))
		if got != (sign.PublicKey{}) || !errors.Is(err, row.want) {
			t.Errorf("%s: ParsePublicKey = %x, %v, want %v", row.name, got.Bytes, err, row.want)
			continue
		}
		if text := err.Error(); !strings.Contains(text, row.words) || !strings.HasPrefix(text, "keys: public key: ") {
			t.Errorf("%s: error %q, want it to say %q", row.name, text, row.words)
		}
	}
}

func mustPKIX(t testing.TB, key []byte) []byte {
	t.Helper()
	der, err := ed25519Kind().marshalPKIX(key)
	if err != nil {
		t.Fatal(err)
	}
	return der
}

// TestPKIXTampered: an Ed25519 key has one encoding. Any other bit before the key, and any other length, is refused.
func TestPKIXTampered(t *testing.T) {
	block, _ := pem.Decode([]byte(rfc8410Public))
	der, key := block.Bytes, unhex(t, rfc8410PublicHex)
	if got, err := parsePKIX(der); err != nil || !bytes.Equal(got, key) {
		t.Fatalf("parsePKIX = %x, %v, want %x", got, err, key)
	}
	for i := range der {
		if got, err := parsePKIX(der[:i]); err == nil {
			t.Errorf("cut after %d bytes it gives %x", i, got)
		}
		for bit := range 8 {
			changed := bytes.Clone(der)
			changed[i] ^= 1 << bit
			if got, err := parsePKIX(changed); err == nil && i < len(der)-len(key) {
				t.Errorf("with bit %d of byte %d flipped it gives %x", bit, i, got)
			}
		}
	}
	inside := append([]byte{0x30, byte(len(der))}, append(bytes.Clone(der[2:]), 0x05, 0x00)...)
	null := append([]byte{0x30, byte(len(der))}, append([]byte{0x30, 0x07, 6, 3, 0x2b, 0x65, 0x70, 5, 0}, der[9:]...)...)
	unused := mustPKIX(t, unhex(t, rfc8032Public)) // its last bit is 0, so that it could be left unused
	unused[11] = 1
	for name, wrong := range map[string][]byte{"unused bit": unused, "byte behind": append(bytes.Clone(der), 0), "null inside": inside, "parameters": null} {
		if got, err := parsePKIX(wrong); !errors.Is(err, ErrMalformedFile) {
			t.Errorf("%s: parsePKIX = %x, %v, want ErrMalformedFile", name, got, err)
		}
	}
}

// TestMarshalPKIX: what is written is the RFC's example, and what crypto/x509 writes and reads.
func TestMarshalPKIX(t *testing.T) {
	if got, err := MarshalPKIX(ed25519Key(t, rfc8410PublicHex)); string(got) != rfc8410Public || err != nil {
		t.Errorf("MarshalPKIX = %s, %v, want the example of RFC 8410 §10.1", got, err)
	}
	for range 20 {
		public, _, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		der, err := x509.MarshalPKIXPublicKey(public)
		want := pemOf(t, "PUBLIC KEY", der, err)
		key := sign.PublicKey{Algorithm: "ed25519", Bytes: string(public)}
		got, err := MarshalPKIX(key)
		if err != nil || string(got) != want {
			t.Errorf("MarshalPKIX(%x) = %s, %v, want %s", public, got, err, want)
		}
		if again, err := ParsePublicKey(got); err != nil || again != key {
			t.Errorf("%x reads back as %x, %v", public, again.Bytes, err)
		}
	}
	for _, row := range []struct {
		name string
		key  sign.PublicKey
		want error
	}{
		{"another algorithm", sign.PublicKey{Algorithm: "ed448", Bytes: string(unhex(t, rfc8032Public))}, sign.ErrUnsupportedKey},
		{"short", sign.PublicKey{Algorithm: "ed25519", Bytes: "short"}, sign.ErrMalformedKey},
		{"weak", ed25519Key(t, weakKeys[0].text), sign.ErrMalformedKey},
		{"zero", sign.PublicKey{}, sign.ErrUnsupportedKey},
	} {
		if got, err := MarshalPKIX(row.key); got != nil || !errors.Is(err, row.want) {
			t.Errorf("%s: MarshalPKIX = %s, %v, want %v", row.name, got, err, row.want)
		}
	}
}

func TestFingerprint(t *testing.T) {
	if got := Fingerprint(ed25519Key(t, rfc8032Public)); got != rfc8032Fingerprint {
		t.Errorf("Fingerprint = %s, want %s", got, rfc8032Fingerprint)
	}
	// SHA-256 of nothing, FIPS 180-4.
	if got, want := Fingerprint(sign.PublicKey{}), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"; got != want {
		t.Errorf("Fingerprint of no bytes = %s, want %s", got, want)
	}
}

// parsePKIX returns the bytes of an Ed25519 key.
func parsePKIX(der []byte) ([]byte, error) {
	key, err := Parser{}.parsePKIX(der)
	return []byte(key.Bytes), err
}
