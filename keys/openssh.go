package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/internal/openssh"
)

// Names of the OpenSSH formats (PROTOCOL.key and PROTOCOL.u2f of OpenSSH, RFC 8709 §4).
const (
	pemOpenSSH     = "OPENSSH PRIVATE KEY"
	sshMagic       = openssh.Magic
	sshNone        = openssh.None
	sshBcrypt      = openssh.Bcrypt
	sshEd25519     = openssh.Ed25519
	sshSecurityKey = "sk-ssh-ed25519@openssh.com"
)

// maxSSHRounds bounds the work that a file can demand before its passphrase is known to be right: some seconds. ssh-keygen
// writes 16 or 24 rounds unless it is told otherwise.
const maxSSHRounds = 2048

// An openSSHFile is what the PEM block of an OpenSSH private key holds behind sshMagic.
type openSSHFile struct {
	Cipher     string
	KDF        string
	KDFOptions []byte
	Keys       uint32
	Public     []byte
	Private    []byte // encrypted unless Cipher is sshNone
	Rest       []byte `ssh:"rest"` // as golang.org/x/crypto/ssh writes it in the tests
}

// ParsePrivateKeyWithPassphrase reads what [ParsePrivateKey] reads, and OpenSSH keys that are protected by a passphrase. For a
// key that is not, the passphrase is not used.
//
// The error wraps what that of ParsePrivateKey does, or [ErrWrongPassphrase]. Of a key that is encrypted with another cipher
// than aes256-ctr or aes256-cbc, and of one that demands more than 2,048 rounds of bcrypt, it says how to encrypt it anew.
func ParsePrivateKeyWithPassphrase(data, passphrase []byte) (*PrivateKey, error) {
	return Parser{}.ParsePrivateKeyWithPassphrase(data, passphrase)
}

// ParsePrivateKeyWithPassphrase is the function of that name for more kinds of keys.
func (p Parser) ParsePrivateKeyWithPassphrase(data, passphrase []byte) (*PrivateKey, error) {
	key, err := p.parsePrivate(data, passphrase)
	if err != nil {
		return nil, fmt.Errorf("keys: private key: %w", err)
	}
	return key, nil
}

// MarshalOpenSSH returns the key as OpenSSH writes it, one PEM block without a passphrase. The comment may be empty. It is
// secret. Like the salt of [PrivateKey.MarshalOpenSSHWithPassphrase], two of its numbers come from the operating system's
// random source, so the same key gives other bytes each time. The error wraps sign.ErrUnsupportedKey for a key that is not one
// of Ed25519: OpenSSH has no form of it.
func (k PrivateKey) MarshalOpenSSH(comment string) ([]byte, error) {
	key, err := k.ed25519()
	if err != nil {
		return nil, fmt.Errorf("keys: OpenSSH private key: %w", err)
	}
	return encodeOpenSSH(openssh.MarshalPrivate(key, comment, nil))
}

// MarshalOpenSSHWithPassphrase returns the key as OpenSSH writes it, one PEM block protected by a passphrase (aes256-ctr, 16
// rounds of bcrypt). An empty passphrase is an error: it protects nothing.
func (k PrivateKey) MarshalOpenSSHWithPassphrase(comment string, passphrase []byte) ([]byte, error) {
	if len(passphrase) == 0 {
		return nil, errors.New("keys: OpenSSH private key: the passphrase is empty")
	}
	key, err := k.ed25519()
	if err != nil {
		return nil, fmt.Errorf("keys: OpenSSH private key: %w", err)
	}
	return encodeOpenSSH(openssh.MarshalPrivate(key, comment, passphrase))
}

func encodeOpenSSH(file []byte, err error) ([]byte, error) {
	if err != nil {
		return nil, fmt.Errorf("keys: OpenSSH private key: %w", err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: pemOpenSSH, Bytes: file}), nil
}

// parseOpenSSH returns the seed of a PEM block of the type pemOpenSSH. A nil passphrase is none. What is no Ed25519 key is
// refused before a passphrase is asked for.
func parseOpenSSH(block *pem.Block, passphrase []byte) ([]byte, error) {
	file, err := parseOpenSSHFile(block.Bytes)
	if err != nil {
		return nil, err
	}
	public, err := parseOpenSSHBlob(file.Public)
	if err != nil {
		return nil, err
	}
	protection, err := file.protection()
	if err != nil {
		return nil, err
	}
	encrypted := protection.Cipher != sshNone
	if encrypted && passphrase == nil {
		return nil, ErrPassphraseMissing
	}
	if encrypted && len(passphrase) == 0 {
		return nil, ErrWrongPassphrase
	}
	clear, err := protection.Decrypt(file.Private, passphrase)
	if errors.Is(err, openssh.ErrWrongPassphrase) {
		return nil, ErrWrongPassphrase
	}
	if err != nil {
		return nil, malformed("the private part of the OpenSSH key is broken")
	}
	kind, private, err := openssh.ReadPrivate(clear)
	if err != nil {
		return nil, malformed("the private part of the OpenSSH key is broken")
	}
	if kind != sshEd25519 {
		return nil, malformed("the private part of the OpenSSH key is of another kind than the public one")
	}
	// The file holds the public key three times, and nothing but this makes them one.
	seed := private.Seed()
	if whole := ed25519.NewKeyFromSeed(seed); !whole.Equal(private) || !bytes.Equal(whole[ed25519.SeedSize:], public) {
		return nil, malformed("its public key does not belong to its private key")
	}
	return seed, nil
}

func parseOpenSSHFile(data []byte) (*openSSHFile, error) {
	content, ok := bytes.CutPrefix(data, []byte(sshMagic))
	if !ok {
		return nil, malformed("it is no OpenSSH private key of version 1")
	}
	f := openssh.Read(content)
	file := &openSSHFile{
		Cipher: string(f.String()), KDF: string(f.String()), KDFOptions: f.String(), Keys: f.Uint32(), Public: f.String(),
		Private: f.String(), Rest: f.Rest(),
	}
	if f.Cut() {
		return nil, malformed("the OpenSSH private key is cut or broken")
	}
	if file.Keys != 1 {
		return nil, malformed("it holds %d keys, want one", file.Keys)
	}
	if len(file.Rest) != 0 && file.Cipher == sshNone {
		return nil, malformed("%d bytes after the OpenSSH private key", len(file.Rest))
	}
	return file, nil
}

// protection returns how the private part is encrypted, and refuses ways in which it is that are not read.
func (f *openSSHFile) protection() (openssh.Protection, error) {
	const anew = `encrypt it anew with "ssh-keygen -p -Z aes256-ctr -a 16 -f FILE"`
	p := openssh.Protection{Cipher: f.Cipher}
	switch f.Cipher {
	case sshNone:
		if f.KDF != sshNone || len(f.KDFOptions) != 0 {
			return p, malformed("an unencrypted OpenSSH key with the key derivation %.80q", f.KDF)
		}
		return p, nil
	case openssh.AES256CTR, openssh.AES256CBC:
	default:
		return p, unsupported("it is encrypted with %.80q, want aes256-ctr: %s", f.Cipher, anew)
	}
	if f.KDF != sshBcrypt {
		return p, unsupported("it is encrypted with the key derivation %.80q, want %s", f.KDF, sshBcrypt)
	}
	if len(f.Rest) != 0 {
		return p, malformed("%d bytes after the OpenSSH private key", len(f.Rest))
	}
	options := openssh.Read(f.KDFOptions)
	p.Salt, p.Rounds = options.String(), options.Uint32()
	if !options.Whole() || len(p.Salt) == 0 || p.Rounds == 0 {
		return p, malformed("the OpenSSH private key is cut or broken")
	}
	if p.Rounds > maxSSHRounds {
		return p, unsupported("it demands %d rounds of bcrypt, want at most %d: %s", p.Rounds, maxSSHRounds, anew)
	}
	return p, nil
}

// parseOpenSSHBlob returns the raw bytes of a public key on the wire: its type and, for Ed25519, the 32 bytes of the key.
func parseOpenSSHBlob(blob []byte) ([]byte, error) {
	f := openssh.Read(blob)
	kind := string(f.String())
	if f.Cut() {
		return nil, malformed("the OpenSSH public key is cut or broken")
	}
	if err := checkOpenSSHType(kind); err != nil {
		return nil, err
	}
	key := f.String()
	if !f.Whole() || len(key) != ed25519.PublicKeySize {
		return nil, malformed("the OpenSSH public key does not hold %d bytes", ed25519.PublicKeySize)
	}
	return key, nil
}

const wantOpenSSH = `want Ed25519, as "ssh-keygen -t ed25519" makes it`

// checkOpenSSHType refuses every type of key but sshEd25519 by its name.
func checkOpenSSHType(name string) error {
	switch name {
	case sshEd25519:
		return nil
	case sshSecurityKey, "sk-ecdsa-sha2-nistp256@openssh.com":
		// What it signs is not the message but a structure around its hash, so no attestation can come of it.
		return unsupported("it is a security key, %s, which signs no plain message; want another Ed25519 key", name)
	case "ssh-rsa":
		return unsupported("it is of the kind RSA, %s", wantOpenSSH)
	case "ssh-dss":
		return unsupported("it is of the kind DSA, %s", wantOpenSSH)
	case "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521":
		return unsupported("it is of the kind ECDSA, %s", wantOpenSSH)
	}
	return unsupported("it is an OpenSSH key of the type %.80q, want %s", name, sshEd25519)
}

// isOpenSSHLine reports whether data is meant to be an OpenSSH public key, as it stands in a .pub file.
func isOpenSSHLine(data []byte) bool {
	word, _, found := bytes.Cut(bytes.TrimLeft(data, whiteSpace), []byte(" "))
	return found && (bytes.HasPrefix(word, []byte("ssh-")) || bytes.HasPrefix(word, []byte("sk-")) || bytes.HasPrefix(word, []byte("ecdsa-")))
}

// refuseOpenSSHLine says why a public key is no private key, by its kind where that would do no better.
func refuseOpenSSHLine(data []byte) error {
	word, _, _ := bytes.Cut(bytes.TrimLeft(data, whiteSpace), []byte(" "))
	if err := checkOpenSSHType(string(word)); err != nil {
		return err
	}
	return unsupported("it is an OpenSSH public key line, want the private key that belongs to it")
}

// parseOpenSSHLine reads one line of a .pub file: the type, the key in base64 and a comment that may be missing.
func parseOpenSSHLine(data []byte) ([]byte, error) {
	line := bytes.Trim(data, whiteSpace)
	if bytes.ContainsAny(line, "\r\n") {
		return nil, malformed("more than one line, want one OpenSSH public key")
	}
	word, rest, _ := bytes.Cut(line, []byte(" "))
	if err := checkOpenSSHType(string(word)); err != nil {
		return nil, err
	}
	text, _, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	blob, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		return nil, malformed("the OpenSSH public key is not base64")
	}
	return parseOpenSSHBlob(blob)
}
