package pq

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// tlv is a DER value.
func tlv(tag byte, parts ...[]byte) []byte {
	content := bytes.Join(parts, nil)
	switch n := len(content); {
	case n < 0x80:
		return append([]byte{tag, byte(n)}, content...)
	case n < 0x100:
		return append([]byte{tag, 0x81, byte(n)}, content...)
	default:
		return append([]byte{tag, 0x82, byte(n >> 8), byte(n)}, content...)
	}
}

// identifiers are the algorithm identifiers in DER, by hand.
var identifiers = map[string]string{
	Ed448:   "300506032b6571",
	MLDSA44: "300b0609608648016503040311",
	MLDSA65: "300b0609608648016503040312",
	MLDSA87: "300b0609608648016503040313",
}

// Files built by hand: each part of them in turn is another one.
func TestKeyFiles(t *testing.T) {
	parser := keys.Parser{Algorithms: everything()}
	version := []byte{2, 1, 0}
	for _, s := range Schemes() {
		form, id := s.Form(), unhex(t, identifiers[s.Name()])
		seed := seedOf(s, 9)
		q := signed(t, s, 9, []byte("message"))
		tagged := tlv(form.SeedTag, seed)
		public := tlv(0x81, append([]byte{0}, q.key...))
		other := signed(t, s, 10, []byte("message"))
		next := unhex(t, map[string]string{Ed448: "300506032b6570", MLDSA44: "300b0609608648016503040312", MLDSA65: "300b0609608648016503040313", MLDSA87: "300b0609608648016503040311"}[s.Name()])
		pkcs8 := func(parts ...[]byte) []byte { return block("PRIVATE KEY", tlv(0x30, parts...)) }
		for _, row := range []struct {
			name string
			file []byte
			want error
		}{
			{"good", pkcs8(version, id, tlv(4, tagged)), nil},
			{"with attributes", pkcs8(version, id, tlv(4, tagged), tlv(0xa0)), nil},
			{"with its public key", pkcs8([]byte{2, 1, 1}, id, tlv(4, tagged), public), nil},
			{"a public key in version 0", pkcs8(version, id, tlv(4, tagged), public), keys.ErrMalformedFile},
			{"another public key", pkcs8([]byte{2, 1, 1}, id, tlv(4, tagged), tlv(0x81, append([]byte{0}, other.key...))), keys.ErrMalformedFile},
			{"half a public key", pkcs8([]byte{2, 1, 1}, id, tlv(4, tagged), tlv(0x81, append([]byte{0}, q.key[1:]...))), keys.ErrMalformedFile},
			{"version 2", pkcs8([]byte{2, 1, 2}, id, tlv(4, tagged)), keys.ErrMalformedFile},
			{"parameters", pkcs8(version, tlv(0x30, id[2:], []byte{5, 0}), tlv(4, tagged)), keys.ErrMalformedFile},
			{"something behind", append(pkcs8(version, id, tlv(4, tagged)), 'x'), keys.ErrMalformedFile},
			{"something behind inside", pkcs8(version, id, tlv(4, tagged), []byte{5, 0}), keys.ErrMalformedFile},
			{"the seed bare", pkcs8(version, id, tlv(4, seed)), keys.ErrMalformedFile},
			{"the seed short", pkcs8(version, id, tlv(4, tlv(form.SeedTag, seed[1:]))), keys.ErrMalformedFile},
			{"the seed long", pkcs8(version, id, tlv(4, tlv(form.SeedTag, seed, []byte{0}))), keys.ErrMalformedFile},
			{"behind the seed", pkcs8(version, id, tlv(4, tagged, []byte{0})), keys.ErrMalformedFile},
			{"the other tag", pkcs8(version, id, tlv(4, tlv(form.SeedTag^0x84, seed))), nil}, // below
			{"the label of a public key", block("PUBLIC KEY", tlv(0x30, version, id, tlv(4, tagged))), sign.ErrUnsupportedKey},
		} {
			key, err := parser.ParsePrivateKey(row.file)
			if row.name == "the other tag" {
				if err == nil {
					t.Errorf("%s: the seed under the tag of others is read", s.Name())
				}
				continue
			}
			if !errors.Is(err, row.want) || (err == nil) != (key != nil) || err != nil && row.want == nil {
				t.Errorf("%s, %s: %v, %v, want %v", s.Name(), row.name, key, err, row.want)
			}
			if err == nil && (key.PublicKey() != sign.PublicKey{Algorithm: s.Name(), Bytes: string(q.key)}) {
				t.Errorf("%s, %s: its public key is that of %s", s.Name(), row.name, key.PublicKey().Algorithm)
			}
			if err != nil && strings.Contains(err.Error(), hex.EncodeToString(seed[:8])) {
				t.Errorf("%s, %s: the error shows the seed: %v", s.Name(), row.name, err)
			}
		}
		if key, err := parser.ParsePrivateKey(pkcs8(version, next, tlv(4, tagged))); err == nil && key.PublicKey().Algorithm == s.Name() {
			t.Errorf("%s: under the identifier of another it is one of %s", s.Name(), s.Name())
		}
		good := tlv(0x30, version, id, tlv(4, tagged))
		for i := range good {
			if key, err := parser.ParsePrivateKey(block("PRIVATE KEY", good[:i])); err == nil {
				t.Errorf("%s: cut after %d bytes it is %v", s.Name(), i, key)
			}
		}

		// RFC 9881 §6: the other two choices, and what a file with them is told to become.
		if form.SeedTag == 0x80 {
			expanded := make([]byte, 2560)
			for name, private := range map[string][]byte{"expanded": tlv(4, expanded), "both": tlv(0x30, tlv(4, seed), tlv(4, expanded))} {
				_, err := parser.ParsePrivateKey(pkcs8(version, id, tlv(4, private)))
				if !errors.Is(err, sign.ErrUnsupportedKey) || !strings.Contains(err.Error(), "seed-only") {
					t.Errorf("%s, %s: %v, want ErrUnsupportedKey that says how to get the seed", s.Name(), name, err)
				}
			}
		}

		// Without the scheme the kind is refused by its name.
		for _, file := range [][]byte{pkcs8(version, id, tlv(4, tagged))} {
			if _, err := keys.ParsePrivateKey(file); !errors.Is(err, sign.ErrUnsupportedKey) || !strings.Contains(err.Error(), form.Title) {
				t.Errorf("%s without the scheme: %v, want ErrUnsupportedKey that names it", s.Name(), err)
			}
		}

		spki := func(parts ...[]byte) []byte { return block("PUBLIC KEY", tlv(0x30, parts...)) }
		bits := tlv(3, append([]byte{0}, q.key...))
		digits := hex.EncodeToString(q.key)
		element := fmt.Sprintf(`{"key_id":"k","algorithm":%q,"public_key":%q}`, s.Name(), digits)
		for _, row := range []struct {
			name string
			file string
			want error
		}{
			{"PKIX", string(spki(id, bits)), nil},
			{"digits", s.Name() + ":" + digits, nil},
			{"digits in uppercase", s.Name() + ":" + strings.ToUpper(digits) + "\n", nil},
			{"an element", element, nil},
			{"attester_keys", "[" + element + "]", nil},
			{"parameters", string(spki(tlv(0x30, id[2:], []byte{5, 0}), bits)), keys.ErrMalformedFile},
			{"a byte too few", string(spki(id, tlv(3, append([]byte{0}, q.key[1:]...)))), sign.ErrMalformedKey},
			{"a byte too many", string(spki(id, tlv(3, append([]byte{0}, append(q.key, 0)...)))), sign.ErrMalformedKey},
			{"bits unused", string(spki(id, tlv(3, append([]byte{1}, q.key...)))), keys.ErrMalformedFile},
			{"the name of another", map[bool]string{true: MLDSA44, false: Ed448}[s.Name() == Ed448] + ":" + digits, keys.ErrMalformedFile},
			{"the name in capitals", strings.ToUpper(s.Name()) + ":" + digits, keys.ErrMalformedFile},
			{"no name", digits, keys.ErrMalformedFile},
			{"no digits", s.Name() + ":", keys.ErrMalformedFile},
			{"two colons", s.Name() + "::" + digits, keys.ErrMalformedFile},
			{"two elements", "[" + element + "," + element + "]", keys.ErrMalformedFile},
			{"another algorithm", strings.Replace(element, s.Name(), "ml-dsa-99", 1), sign.ErrUnsupportedKey},
			{"a private key", string(pkcs8(version, id, tlv(4, tagged))), sign.ErrUnsupportedKey},
		} {
			key, err := parser.ParsePublicKey([]byte(row.file))
			if !errors.Is(err, row.want) || err != nil && row.want == nil {
				t.Errorf("%s, %s: %v, want %v", s.Name(), row.name, err, row.want)
			}
			if err == nil && (key != sign.PublicKey{Algorithm: s.Name(), Bytes: string(q.key)}) {
				t.Errorf("%s, %s: the key is another one", s.Name(), row.name)
			}
			if key, err := keys.ParsePublicKey([]byte(row.file)); err == nil {
				t.Errorf("%s, %s: without the scheme it is a key of %s", s.Name(), row.name, key.Algorithm)
			}
		}
		// The fingerprint is the SHA-256 of the raw bytes, as of every key.
		key, err := parser.ParsePublicKey(spki(id, bits))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := keys.Fingerprint(key), "sha256:"+sha256Hex(q.key); got != want {
			t.Errorf("%s: fingerprint %s, want %s", s.Name(), got, want)
		}
		private, err := parser.ParsePrivateKey(pkcs8(version, id, tlv(4, tagged)))
		if err != nil {
			t.Fatal(err)
		}
		for name, write := range map[string]func() ([]byte, error){
			"OpenSSH":                   func() ([]byte, error) { return private.MarshalOpenSSH("") },
			"OpenSSH with a passphrase": func() ([]byte, error) { return private.MarshalOpenSSHWithPassphrase("", []byte("x")) },
			"JWK":                       func() ([]byte, error) { return keys.MarshalJWK(key) },
		} {
			if text, err := write(); !errors.Is(err, sign.ErrUnsupportedKey) {
				t.Errorf("%s as %s: %q, %v, want ErrUnsupportedKey", s.Name(), name, text, err)
			}
		}
		for _, format := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			if text := fmt.Sprintf(format, private); text != keys.Fingerprint(key) {
				t.Errorf("%s: a private key prints as %s", s.Name(), text)
			}
		}
	}
}

// The trust file admits no such key, added, pinned or read.
func TestTrustFileRefuses(t *testing.T) {
	for _, s := range Schemes() {
		q := signed(t, s, 9, nil)
		key := sign.PublicKey{Algorithm: s.Name(), Bytes: string(q.key)}
		store := &keys.Store{}
		var fault *keys.TrustFault
		if _, err := store.Configure("docs", "k", key, keys.Window{}); !errors.As(err, &fault) || fault.Rule != keys.RuleUnsupportedAlgorithm {
			t.Errorf("%s configured: %v, want %s", s.Name(), err, keys.RuleUnsupportedAlgorithm)
		}
		if _, err := store.Pin("docs", "k", key); !errors.As(err, &fault) || fault.Rule != keys.RuleUnsupportedAlgorithm {
			t.Errorf("%s pinned: %v, want %s", s.Name(), err, keys.RuleUnsupportedAlgorithm)
		}
		file := fmt.Sprintf(`{"format":"contextgraph-trust/1","providers":{"docs":[{"key_id":"k","algorithm":%q,"public_key":"%x"}]}}`, s.Name(), q.key)
		if _, err := keys.ParseStore([]byte(file)); !errors.As(err, &fault) || fault.Rule != keys.RuleUnsupportedAlgorithm {
			t.Errorf("%s in a file: %v, want %s", s.Name(), err, keys.RuleUnsupportedAlgorithm)
		}
	}
}

func sha256Hex(b []byte) string { return fmt.Sprintf("%x", sha256.Sum256(b)) }
