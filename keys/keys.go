// Package keys reads and writes the files and texts in which signing keys and public keys come (CGP §6.5.4): OpenSSH keys,
// PKCS#8 and hexadecimal seeds, PKIX and hexadecimal public keys, and the attester_keys that a provider publishes in its
// handshake_ack; and the file in which a host writes down whom it trusts (contextgraph-trust/1).
//
// [ParsePrivateKey] reads a signing key, [ParsePublicKey] one public key that a person names, [ParsePublished] what a
// provider publishes. [ParseStore] reads a trust file, [SaveChange] changes one. All are about Ed25519; a [Parser] reads keys
// of other algorithms too.
//
// # Where to start
//
//   - [ParsePrivateKey], [ParsePrivateKeyWithPassphrase], [GeneratePrivateKey]: keys to sign with; package keyref opens those
//     that are no file
//   - [ParsePublicKey], [MarshalPKIX], [MarshalJWK], [Fingerprint]: public keys, between the forms of other tools (RFC 8410,
//     RFC 8037, RFC 8709)
//   - [ParsePublished], [AppendPublished]: the keys in a handshake_ack
//   - [LoadStore], [SaveChange], [Store]: whom a host trusts; [ParseStore] and [LintStore] for a file in memory, [DiffStores] for two
//
// What was parsed is an immutable value and may be used concurrently, but for a [Store], which may not while it is changed. An
// error wraps a variable below, [sign.ErrMalformedKey] or [sign.ErrUnsupportedKey]; of a trust file it is a [*TrustFault] with a
// [Rule]. Nothing reads a file but what is called Load or Save, and nothing the clock or the environment.
//
// # Security
//
// A public key that this package returns is one that a strict verifier takes: package sign has the rule. A weak key
// is refused here, with the reason, before anyone can come to trust it.
//
// That a key could be read says nothing about whose it is. A published key settles that an attestation is built as specified
// and never who signed it: whoever can change the message can change the keys in it.
//
// That a key stands in a [Store] says that a person trusts it, or for a pinned key that it was the first to be seen, and in
// which [Window]. Of a file that breaks a rule nothing is loaded.
//
// A [PrivateKey] prints as the fingerprint of its public key, and no error quotes the text of a private key.
package keys

import (
	"errors"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// MaxFile is the size in bytes, 64 KiB, over which nothing is read as a key or a list of keys.
const MaxFile = 64 << 10

// Why a text is not read as a key, beside sign.ErrUnsupportedKey (of a kind, or in a form, that is not read) and
// sign.ErrMalformedKey (weak, or of the wrong length).
var (
	ErrTooLarge           = errors.New("key file too large")
	ErrMalformedFile      = errors.New("malformed key file")
	ErrEncrypted          = errors.New("encrypted private key")
	ErrPassphraseMissing  = errors.New("private key protected by a passphrase") // which ParsePrivateKeyWithPassphrase takes
	ErrWrongPassphrase    = errors.New("wrong passphrase")
	ErrMalformedPublished = errors.New("malformed published keys")
)

// Fingerprint returns "sha256:" and the 64 lowercase hexadecimal digits of the SHA-256 of the raw key bytes. The algorithm
// does not enter it.
func Fingerprint(k sign.PublicKey) string {
	return k.String()
}

func checkSize(data []byte) error {
	if len(data) > MaxFile {
		return fmt.Errorf("%w: %d bytes, want at most %d", ErrTooLarge, len(data), MaxFile)
	}
	return nil
}

// checkStrict returns why a strict verifier declines an Ed25519 key.
func checkStrict(k sign.PublicKey) error { return Parser{}.checkStrict(k) }
