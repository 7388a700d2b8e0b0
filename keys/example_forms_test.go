package keys_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	"contextgraphprotocol.org/cgp-attest/keys"
)

// The public key of RFC 8410 §10.1 in the forms that other tools read.
func ExampleMarshalPKIX() {
	key, err := keys.ParsePublicKey([]byte("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"))
	if err != nil {
		log.Fatal(err)
	}
	pem, err := keys.MarshalPKIX(key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s", pem)
	// Output:
	// -----BEGIN PUBLIC KEY-----
	// MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=
	// -----END PUBLIC KEY-----
}

// The public key of RFC 8037, Appendix A.2.
func ExampleMarshalJWK() {
	key, err := keys.ParsePublicKey([]byte("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
	if err != nil {
		log.Fatal(err)
	}
	jwk, err := keys.MarshalJWK(key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", jwk)
	// Output: {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
}

// Two people compare a key by its fingerprint, whatever file each of them has it in.
func ExampleFingerprint() {
	digits, err := keys.ParsePublicKey([]byte("19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"))
	if err != nil {
		log.Fatal(err)
	}
	pem, err := keys.ParsePublicKey([]byte("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(keys.Fingerprint(digits))
	fmt.Println(keys.Fingerprint(digits) == keys.Fingerprint(pem))
	// Output:
	// sha256:e744c0791320c3285460eddb523f14c88d857ada46b97a5690d88cf978b9191f
	// true
}

// A key that is protected by a passphrase is written, and read again with it.
func ExampleParsePrivateKeyWithPassphrase() {
	key, err := keys.GeneratePrivateKey(bytes.NewReader(bytes.Repeat([]byte{7}, 32))) // crypto/rand.Reader for a real key
	if err != nil {
		log.Fatal(err)
	}
	secret, err := key.MarshalOpenSSHWithPassphrase("docs-2026-08", []byte("correct horse"))
	if err != nil {
		log.Fatal(err)
	}
	_, err = keys.ParsePrivateKey(secret)
	fmt.Println("needs one:", errors.Is(err, keys.ErrPassphraseMissing))
	_, err = keys.ParsePrivateKeyWithPassphrase(secret, []byte("battery staple"))
	fmt.Println("wrong one:", errors.Is(err, keys.ErrWrongPassphrase))
	again, err := keys.ParsePrivateKeyWithPassphrase(secret, []byte("correct horse"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("same key:", again.PublicKey() == key.PublicKey())
	// Output:
	// needs one: true
	// wrong one: true
	// same key: true
}

// A trust file is changed under a lock, so that no change of another process is lost.
func ExampleSaveChange() {
	folder, err := os.MkdirTemp("", "trust")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	name := filepath.Join(folder, "trust.json")
	key, err := keys.ParsePublicKey([]byte("197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"))
	if err != nil {
		log.Fatal(err)
	}
	err = keys.SaveChange(context.Background(), name, func(s *keys.Store) error {
		outcome, err := s.Configure("docs", "docs-2026", key, keys.Window{})
		fmt.Println(outcome)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	store, err := keys.LoadStore(name)
	if err != nil {
		log.Fatal(err)
	}
	held, ok := store.Find("docs", "docs-2026")
	fmt.Println(ok, held.Tier, held.Key == key)
	// Output:
	// configured
	// true configured true
}

// A trust file is loaded whole or not at all. None is not an empty one: a host decides what that means.
func ExampleLoadStore() {
	_, err := keys.LoadStore(filepath.Join("testdata", "no such file.json"))
	fmt.Println(errors.Is(err, fs.ErrNotExist))
	// Output: true
}

// Of a file that breaks a rule the first is the error; LintStore has all of them.
func ExampleLintStore() {
	file := []byte(`{
  "format": "contextgraph-trust/1",
  "providers": {"docs": [{"key_id": "", "algorithm": "rsa", "public_key": "` + strings.Repeat("ab", 32) + `"}]}
}`)
	_, err := keys.ParseStore(file)
	var fault *keys.TrustFault
	if errors.As(err, &fault) {
		fmt.Println(fault.Rule)
	}
	for _, f := range keys.LintStore(file) {
		fmt.Println("line", f.Line, f.Rule)
	}
	// Output:
	// empty_key_id
	// line 3 empty_key_id
	// line 3 unsupported_algorithm
}

// What two trust files disagree about.
func ExampleDiffStores() {
	key, err := keys.ParsePublicKey([]byte("197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"))
	if err != nil {
		log.Fatal(err)
	}
	var before, after keys.Store
	if _, err := before.Pin("docs", "docs-2026", key); err != nil {
		log.Fatal(err)
	}
	if _, err := after.Configure("docs", "docs-2026", key, keys.Window{}); err != nil {
		log.Fatal(err)
	}
	for _, d := range keys.DiffStores(&before, &after) {
		fmt.Println(d.LocalID, d.Change, d.Old.Tier, d.New.Tier)
	}
	// Output: docs tier pinned configured
}
