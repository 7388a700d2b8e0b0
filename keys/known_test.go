package keys

import (
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// The example keys of RFC 8410 §10.1 and §10.3. The second private key has attributes and a public key.
const (
	rfc8410Public = `-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PUBLIC KEY-----
`
	rfc8410Private = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
`
	rfc8410PrivateWithPublic = `-----BEGIN PRIVATE KEY-----
MHICAQEwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
oB8wHQYKKoZIhvcNAQkJFDEPDA1DdXJkbGUgQ2hhaXJzgSEAGb9ECWmEzf6FQbrB
Z9w7lshQhqowtrbLDFw4rXAxZuE=
-----END PRIVATE KEY-----
`
	rfc8410Seed      = "d4ee72dbf913584ad5b6d8f1f769f8ad3afe7c28cbf1d4fbe097a88f44755842"
	rfc8410PublicHex = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
)

// RFC 8032 §7.1, TEST 1: the signature is over the empty message.
const (
	rfc8032Seed      = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
	rfc8032Public    = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
	rfc8032Signature = "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
)

// The fingerprint of rfc8032Public, by sha256sum of coreutils over the 32 raw bytes.
const rfc8032Fingerprint = "sha256:21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9"

// Encodings that a strict verifier declines, with the words that say why: RFC 8032 §5.1.3 decodes all but the last.
var weakKeys = []struct{ name, text, reason string }{
	{"identity", "0100000000000000000000000000000000000000000000000000000000000000", "small order"},
	{"y = 0", "0000000000000000000000000000000000000000000000000000000000000000", "small order"},
	{"order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05", "small order"},
	{"negative zero", "0100000000000000000000000000000000000000000000000000000000000080", "canonical"},
	{"y = p", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f", "canonical"},
	{"off the curve", "0200000000000000000000000000000000000000000000000000000000000000", "no point"},
}

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func ed25519Key(t testing.TB, text string) sign.PublicKey {
	t.Helper()
	return sign.PublicKey{Algorithm: "ed25519", Bytes: string(unhex(t, text))}
}

func testFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}
