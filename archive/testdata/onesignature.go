// A program that verifies one signature and nothing else: what a process costs.
package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"os"
)

func main() {
	// RFC 8032 §7.1, TEST 1: the empty message.
	key, _ := hex.DecodeString("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
	signature, _ := hex.DecodeString("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b")
	if !ed25519.Verify(key, nil, signature) {
		os.Exit(1)
	}
}
