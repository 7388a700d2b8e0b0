package keys

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// FuzzParsePrivateKey: what reads as a private key is the same key when it is written and read again and, in PKCS#8, in
// crypto/x509.
func FuzzParsePrivateKey(f *testing.F) {
	for _, seed := range []string{
		rfc8410Private, rfc8410PrivateWithPublic, rfc8410Public, rfc8032Seed + "\n", "", rfc8410Private + rfc8410Private,
		string(testFile(f, "encrypted-pkcs8.pem")), string(testFile(f, "openssh-ed25519")), string(testFile(f, "openssh-ctr")),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := ParsePrivateKey(data)
		if (key == nil) == (err == nil) {
			t.Fatalf("ParsePrivateKey = %v, %v", key, err)
		}
		if err != nil {
			return
		}
		if block, _ := pem.Decode(data); block != nil && block.Type == pemPrivate {
			standard, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				t.Fatalf("crypto/x509 does not read it: %v", err)
			}
			if private, ok := standard.(ed25519.PrivateKey); !ok || !private.Equal(key.secret().signer) {
				t.Errorf("crypto/x509 reads another key, a %T", standard)
			}
		}
		written, err := key.MarshalPKCS8()
		if err != nil {
			t.Fatal(err)
		}
		openSSH, err := key.MarshalOpenSSH("")
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range [][]byte{written, openSSH, key.MarshalSeed()} {
			if again, err := ParsePrivateKey(form); err != nil || again.PublicKey() != key.PublicKey() {
				t.Errorf("reads back as %v, %v", again, err)
			}
		}
	})
}

// FuzzParsePublicKey: what reads as a public key passes the strict rule, is the same in crypto/x509, and reads back.
func FuzzParsePublicKey(f *testing.F) {
	for _, seed := range []string{
		rfc8410Public, rfc8410Private, rfc8032Public + "\n", strings.ToUpper(rfc8032Public), weakKeys[0].text, "",
		string(testFile(f, "openssh-ed25519.pub")),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		key, err := ParsePublicKey(data)
		if (key == sign.PublicKey{}) == (err == nil) {
			t.Fatalf("ParsePublicKey = %x, %v", key.Bytes, err)
		}
		if err != nil {
			return
		}
		if err := sign.CheckEd25519Key([]byte(key.Bytes)); err != nil || key.Algorithm != sign.Ed25519 {
			t.Errorf("it is a key of %s: %v", key.Algorithm, err)
		}
		if block, _ := pem.Decode(data); block != nil {
			standard, err := x509.ParsePKIXPublicKey(block.Bytes)
			if public, ok := standard.(ed25519.PublicKey); !ok || string(public) != key.Bytes {
				t.Errorf("crypto/x509 reads a %T, %v", standard, err)
			}
		}
		written, err := MarshalPKIX(key)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := ParsePublicKey(written); err != nil || again != key {
			t.Errorf("reads back as %x, %v", again.Bytes, err)
		}
	})
}

// FuzzParsePublished: what reads as published keys is JSON of which every Ed25519 key passes the strict rule, and reads back.
func FuzzParsePublished(f *testing.F) {
	for _, seed := range []string{
		"[" + element + "," + otherElement + "]", `{"attester_keys":[` + element + `]}`, "[]", "", element,
		`{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + element + `]}`,
		`[{"key_id":"x","algorithm":"toy","public_key":"00"}]`, strings.Replace("["+element+"]", "docs", "\xff", 1),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		published, err := ParsePublished(data)
		if err != nil {
			if published != nil {
				t.Errorf("ParsePublished = %q beside %v", published, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Error("it is no JSON")
		}
		for _, p := range published {
			if err := sign.CheckEd25519Key([]byte(p.Key.Bytes)); p.Key.Algorithm == sign.Ed25519 && err != nil {
				t.Error(err)
			}
			text := AppendPublished([]byte("["), p.KeyID, p.Key)
			again, err := ParsePublished(append(bytes.Clone(text), ']'))
			p.Provider = ""
			if err != nil || len(again) != 1 || again[0] != p {
				t.Errorf("%s reads back as %q, %v", text, again, err)
			}
		}
	})
}
