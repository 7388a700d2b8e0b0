package keyref

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/keys"
)

func TestParse(t *testing.T) {
	for _, row := range []struct {
		text string
		want Reference
	}{
		{"-", Reference{Kind: Stdin}},
		{"docs.pem", Reference{Path, "docs.pem"}},
		{"./env:X", Reference{Path, "./env:X"}},
		{"/a/exec:b", Reference{Path, "/a/exec:b"}},
		{`C:\keys\docs`, Reference{Path, `C:\keys\docs`}},
		{"ENV:X", Reference{Path, "ENV:X"}},
		{"pkcs11:token=x", Reference{Path, "pkcs11:token=x"}},
		{"env:X", Reference{Environment, "X"}},
		{"env:A:B", Reference{Environment, "A:B"}},
		{"fd:0", Reference{Descriptor, "0"}},
		{"fd:3", Reference{Descriptor, "3"}},
		{"agent:SHA256:abc", Reference{Agent, "SHA256:abc"}},
		{"agent:a comment: of words", Reference{Agent, "a comment: of words"}},
		{"exec:./signer", Reference{External, "./signer"}},
		{"exec:exec:x", Reference{External, "exec:x"}},
		{strings.Repeat("a", 63), Reference{Path, strings.Repeat("a", 63)}},
		{strings.Repeat("g", 64), Reference{Path, strings.Repeat("g", 64)}},
		{"./" + strings.Repeat("a", 64), Reference{Path, "./" + strings.Repeat("a", 64)}},
	} {
		got, err := Parse(row.text)
		if err != nil || got != row.want || got.String() != row.text {
			t.Errorf("Parse(%q) = %+v, %v, want %+v", row.text, got, err, row.want)
		}
		if want := got.Kind != Agent && got.Kind != External; got.HoldsText() != want {
			t.Errorf("%s: HoldsText() = %v, want %v", got, !want, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	seed := strings.Repeat("0aF", 21) + "1"
	for _, row := range []struct {
		text string
		want error
	}{
		{"", ErrMalformedReference},
		{"env:", ErrMalformedReference},
		{"env:A=B", ErrMalformedReference},
		{"agent:", ErrMalformedReference},
		{"exec:", ErrMalformedReference},
		{"a\x00b", ErrMalformedReference},
		{"fd:", ErrMalformedReference},
		{"fd:1", ErrMalformedReference},
		{"fd:2", ErrMalformedReference},
		{"fd:-1", ErrMalformedReference},
		{"fd:+3", ErrMalformedReference},
		{"fd:03", ErrMalformedReference},
		{"fd:x", ErrMalformedReference},
		{"fd:2147483648", ErrMalformedReference},
		{seed, ErrSecretGiven},
		{"env:" + seed, ErrSecretGiven},
		{"agent:" + seed, ErrSecretGiven},
		{"-----BEGIN PRIVATE KEY-----\n", ErrSecretGiven},
	} {
		got, err := Parse(row.text)
		if got != (Reference{}) || !errors.Is(err, row.want) {
			t.Errorf("Parse(%q) = %+v, %v, want %v", row.text, got, err, row.want)
		} else if row.want == ErrSecretGiven && strings.Contains(err.Error(), seed[:8]) {
			t.Errorf("the error repeats the key: %v", err)
		}
	}
}

// TestKeyPrints: every way to print an opened key, alone or in a structure, hides the secret.
func TestKeyPrints(t *testing.T) {
	const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60" // RFC 8032 §7.1, TEST 1
	key, err := Unlock(t.Context(), &Text{Reference: Reference{Path, "docs"}, Bytes: []byte(seed)}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	private, err := keys.ParsePrivateKey([]byte(seed))
	if err != nil {
		t.Fatal(err)
	}
	if key.PublicKey() != private.PublicKey() || string(key.Public().(ed25519.PublicKey)) != private.PublicKey().Bytes {
		t.Errorf("the public key is %x", key.PublicKey().Bytes)
	}
	raw := private.MarshalSeed()
	secrets := []string{seed[:8], string(raw[:8]), "\x9d\x61\xb1", "157 97 177", base64.StdEncoding.EncodeToString([]byte("\x9d\x61\xb1\x9d\xef\xfd"))}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(format, key); got != keys.Fingerprint(key.PublicKey()) {
			t.Errorf("%s prints %q", format, got)
		}
		for _, value := range []any{struct{ k *Key }{key}, struct{ k Key }{*key}, []*Key{key}, *key} {
			text := fmt.Sprintf(format, value)
			for _, secret := range secrets {
				if strings.Contains(text, secret) {
					t.Errorf("%s of a %T shows the seed: %s", format, value, text)
				}
			}
		}
	}
	if err := key.Close(); err != nil {
		t.Error(err)
	}
}
