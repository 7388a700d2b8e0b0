package keys

import (
	"errors"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// RFC 8037 appendix A.2: the key of RFC 8032 §7.1, TEST 1, as a JSON Web Key.
const rfc8037Public = `{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}`

func TestMarshalJWK(t *testing.T) {
	got, err := MarshalJWK(ed25519Key(t, rfc8032Public))
	if err != nil || string(got) != rfc8037Public {
		t.Errorf("MarshalJWK = %s, %v, want %s", got, err, rfc8037Public)
	}
	if got, err := MarshalJWK(ed25519Key(t, weakKeys[0].text)); got != nil || !errors.Is(err, sign.ErrMalformedKey) {
		t.Errorf("of a weak key: %s, %v", got, err)
	}
	if got, err := MarshalJWK(sign.PublicKey{Algorithm: "ed448", Bytes: strings.Repeat("x", 57)}); got != nil || !errors.Is(err, sign.ErrUnsupportedKey) {
		t.Errorf("of another algorithm: %s, %v", got, err)
	}
}

func TestParsePublicJSON(t *testing.T) {
	element := `{"key_id":"k","algorithm":"ed25519","public_key":"` + rfc8032Public + `"}`
	for _, row := range []struct{ name, text string }{
		{"JWK", rfc8037Public},
		{"JWK with more members, in another order", ` {"x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","use":"sig","kid":"a","alg":"EdDSA","crv":"Ed25519","\u006bty":"OKP"}` + "\n"},
		{"element", element},
		{"array of one", "[" + element + "]"},
		{"object with one", `{"attester_keys":[` + element + `]}`},
		{"handshake_ack with one", `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + element + `]}`},
		{"what key show prints", `{"key_id":"k","algorithm":"ed25519","public_key":"` + rfc8032Public + `","pem":"-----BEGIN PUBLIC KEY-----\n","jwk":` + rfc8037Public + `}`},
	} {
		if got, err := ParsePublicKey([]byte(row.text)); err != nil || got != ed25519Key(t, rfc8032Public) {
			t.Errorf("%s: %v, %v", row.name, got, err)
		}
	}
	jwk := func(old, new string) string { return strings.Replace(rfc8037Public, old, new, 1) }
	for _, row := range []struct {
		name, text string
		want       error
		words      string
	}{
		{"private", jwk(`"x"`, `"d":"nWGxne_9WmC6hEr0kuwsxERJxXN7MmkZcDusAxyuf2A","x"`), sign.ErrUnsupportedKey, "it is a private key"},
		{"private, member d of another type", jwk(`"x"`, `"d":null,"x"`), sign.ErrUnsupportedKey, "it is a private key"},
		{"RSA", `{"kty":"RSA","n":"AQAB","e":"AQAB"}`, sign.ErrUnsupportedKey, `kty "RSA" and crv ""`},
		{"Ed448", jwk("Ed25519", "Ed448"), sign.ErrUnsupportedKey, `crv "Ed448"`},
		{"X25519", jwk("Ed25519", "X25519"), sign.ErrUnsupportedKey, `crv "X25519"`},
		{"case", jwk("OKP", "okp"), sign.ErrUnsupportedKey, `kty "okp"`},
		{"kty is no string", jwk(`"OKP"`, "1"), sign.ErrUnsupportedKey, `kty ""`},
		{"short x", jwk("HURo", ""), ErrMalformedFile, "want 32 bytes"},
		{"no x", jwk(`"x"`, `"y"`), ErrMalformedFile, `x is ""`},
		{"padded x", jwk("HURo", "HURo="), ErrMalformedFile, "want 32 bytes"},
		{"x in base64", jwk("_", "/"), ErrMalformedFile, "want 32 bytes"},
		{"loose bits in x", jwk("HURo", "HURp"), ErrMalformedFile, "want 32 bytes"},
		{"weak", `{"kty":"OKP","crv":"Ed25519","x":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`, sign.ErrMalformedKey, "small order"},
		{"element, uppercase", strings.Replace(element, "d75a98", "D75A98", 1), ErrMalformedFile, "lowercase"},
		{"element, another algorithm", strings.Replace(element, "ed25519", "ed448", 1), sign.ErrUnsupportedKey, `algorithm "ed448"`},
		{"two", "[" + element + "," + element + "]", ErrMalformedFile, "2 published keys, want one"},
		{"none", "[]", ErrMalformedFile, "0 published keys, want one"},
		{"ack without keys", `{"type":"handshake_ack","provider":{"name":"docs"}}`, ErrMalformedFile, "0 published keys"},
		{"duplicate member", jwk(`"x"`, `"kty":"OKP","x"`), ErrMalformedFile, "duplicate member name"},
		{"two values", rfc8037Public + rfc8037Public, ErrMalformedFile, "more bytes behind the value"},
		{"cut", rfc8037Public[:40], ErrMalformedFile, "input ends inside a value"},
		{"another object", `{"x":1}`, ErrMalformedFile, "attester_keys"},
	} {
		key, err := ParsePublicKey([]byte(row.text))
		if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%s: %v, %v, want %v: %s", row.name, key, err, row.want, row.words)
		}
	}
}
