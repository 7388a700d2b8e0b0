package keys_test

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The first private key of RFC 8410 §10.3. What is printed is the fingerprint of its public key.
func ExampleParsePrivateKey() {
	key, err := keys.ParsePrivateKey([]byte(`-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
-----END PRIVATE KEY-----
`))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hex.EncodeToString([]byte(key.PublicKey().Bytes)))
	fmt.Printf("%v\n", key)
	// Output:
	// 19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1
	// sha256:e744c0791320c3285460eddb523f14c88d857ada46b97a5690d88cf978b9191f
}

// A key of small order is refused: under some of them one signature fits every message.
func ExampleParsePublicKey() {
	_, err := keys.ParsePublicKey([]byte("01" + strings.Repeat("00", 31)))
	fmt.Println(err)
	fmt.Println(errors.Is(err, sign.ErrMalformedKey))
	// Output:
	// keys: public key: malformed key: its point has small order
	// true
}

func ExampleParsePublished() {
	published, err := keys.ParsePublished([]byte(`{
		"type": "handshake_ack",
		"provider": {"name": "repo-graph", "version": "0.2.0"},
		"attester_keys": [{
			"key_id": "repo-graph-2026-08",
			"algorithm": "ed25519",
			"public_key": "197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"
		}]
	}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range published {
		fmt.Println(p.Provider, p.KeyID, p.Key.Algorithm)
	}
	// Output: repo-graph repo-graph-2026-08 ed25519
}

// A new key is written in the form that openssl reads, and published for the handshake.
func ExampleGeneratePrivateKey() {
	key, err := keys.GeneratePrivateKey(rand.Reader)
	if err != nil {
		log.Fatal(err)
	}
	secret, err := key.MarshalPKCS8() // for a file that nobody else may read
	if err != nil {
		log.Fatal(err)
	}
	public := keys.AppendPublished(nil, "docs-2026-08", key.PublicKey())
	fmt.Println(len(secret), len(public))
	// Output: 119 127
}

// A key is trusted for a time, and pinned ones are a tier of their own. A trust file holds both.
func ExampleStore() {
	key, err := keys.ParsePublicKey([]byte("197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"))
	if err != nil {
		log.Fatal(err)
	}
	until, err := commitment.ParseInstant("2027-07-31T23:59:59Z")
	if err != nil {
		log.Fatal(err)
	}
	var store keys.Store
	if _, err := store.Configure("repo", "repo-graph-2026-08", key, keys.Window{NotAfter: until}); err != nil {
		log.Fatal(err)
	}
	outcome, err := store.Pin("wiki", "wiki-1", key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(outcome)
	received, err := commitment.ParseInstant("2027-08-01T00:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	for localID, k := range store.All() {
		fmt.Println(localID, k.KeyID, k.Tier, k.Window.Service(received))
	}
	// Output:
	// pinned
	// repo repo-graph-2026-08 configured expired
	// wiki wiki-1 pinned in_service
}
