package keyref_test

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A build step has its key in a variable, from the secrets of the machine it runs on. What it gets signs attestations.
func ExampleOpen() {
	if err := os.Setenv("DOCS_KEY", strings.Repeat("07", ed25519.SeedSize)); err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	ref, err := keyref.Parse("env:DOCS_KEY")
	if err != nil {
		log.Fatal(err)
	}
	key, err := keyref.Open(ctx, ref, keyref.Options{})
	if err != nil {
		log.Fatal(err)
	}
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	signer, err := sign.NewSigner(key, "docs-2026", "docs", at)
	if err != nil {
		log.Fatal(err)
	}
	_, err = signer.Attest(sign.Request{Commitment: commitment.ContentDigest("in place of a commitment"), Provider: "docs"})
	if err := errors.Join(err, key.Close()); err != nil {
		log.Fatal(err)
	}
	fmt.Println(key) // the fingerprint of its public key
	_, held := os.LookupEnv("DOCS_KEY")
	fmt.Println("still in the environment:", held)
	// Output:
	// sha256:fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889
	// still in the environment: false
}

// What stands for a key, and what must not stand there.
func ExampleParse() {
	for _, text := range []string{"docs.pem", "env:DOCS_KEY", "agent:docs@example", "exec:./signer", strings.Repeat("07", 32)} {
		ref, err := keyref.Parse(text)
		if errors.Is(err, keyref.ErrSecretGiven) {
			fmt.Println("a private key, which others can see on a command line")
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(ref.Kind, ref.Name, ref.HoldsText())
	}
	// Output:
	// path docs.pem true
	// env DOCS_KEY true
	// agent docs@example false
	// exec ./signer false
	// a private key, which others can see on a command line
}

// A text is read first and unlocked then, for a caller who wants to know what it is before asking for a passphrase.
func ExampleUnlock() {
	ctx := context.Background()
	ref := keyref.Reference{Kind: keyref.Stdin}
	opt := keyref.Options{Stdin: strings.NewReader(strings.Repeat("07", ed25519.SeedSize) + "\n")}
	text, err := keyref.Read(ctx, ref, opt)
	if err != nil {
		log.Fatal(err)
	}
	if text.Exposed != nil {
		log.Fatal(text.Exposed) // others may read the file
	}
	key, err := keyref.Unlock(ctx, text, opt)
	if err != nil {
		log.Fatal(err)
	}
	defer key.Close()
	fmt.Println(key.PublicKey().Algorithm, key)
	// Output: ed25519 sha256:fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889
}
