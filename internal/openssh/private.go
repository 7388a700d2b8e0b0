package openssh

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
)

// Names in a key file.
const (
	Magic     = "openssh-key-v1\x00"
	None      = "none" // the cipher and the key derivation of a key without a passphrase
	Bcrypt    = "bcrypt"
	AES256CTR = "aes256-ctr"
	AES256CBC = "aes256-cbc"
	Ed25519   = "ssh-ed25519"
)

const (
	aesKeySize = 32
	saltSize   = 16
	rounds     = 16 // as ssh-keygen did until version 9.4
	noBlock    = 8  // what the private part is padded to where no cipher is
)

var (
	// ErrBroken: the private part is not what its form demands. Where it was encrypted, the passphrase may be the reason.
	ErrBroken = errors.New("openssh: the private part is broken")
	// ErrWrongPassphrase: what decryption gave does not begin as a private part does.
	ErrWrongPassphrase = errors.New("openssh: wrong passphrase")
)

// A Protection is how the private part of a file is encrypted: by Cipher, with the key that Rounds of bcrypt make of a passphrase
// and the salt.
type Protection struct {
	Cipher string // None, AES256CTR or AES256CBC
	Salt   []byte
	Rounds uint32
}

// Decrypt returns the private part of a file in the clear; for None it is the same one.
func (p Protection) Decrypt(private, passphrase []byte) ([]byte, error) {
	if p.Cipher == None {
		return private, nil
	}
	block, iv, err := p.key(passphrase)
	if err != nil {
		return nil, err
	}
	clear := make([]byte, len(private))
	switch p.Cipher {
	case AES256CTR:
		cipher.NewCTR(block, iv).XORKeyStream(clear, private)
	case AES256CBC:
		if len(private)%aes.BlockSize != 0 {
			return nil, ErrBroken
		}
		cipher.NewCBCDecrypter(block, iv).CryptBlocks(clear, private)
	default:
		return nil, fmt.Errorf("openssh: cipher %.80q", p.Cipher)
	}
	f := Read(clear)
	if one, again := f.Uint32(), f.Uint32(); one != again || f.Cut() {
		return nil, ErrWrongPassphrase
	}
	return clear, nil
}

func (p Protection) key(passphrase []byte) (block cipher.Block, iv []byte, err error) {
	key, err := bcryptPBKDF(passphrase, p.Salt, p.Rounds, aesKeySize+aes.BlockSize)
	if err != nil {
		return nil, nil, err
	}
	block, err = aes.NewCipher(key[:aesKeySize])
	return block, key[aesKeySize:], err
}

// ReadPrivate reads a private part in the clear:
//
//	uint32 check ‖ uint32 the same ‖ string type ‖ string public key ‖ string private key ‖ string comment ‖ 1, 2, 3, …
//
// It returns the type, and the private key (64 bytes: seed ‖ public key) where the type is Ed25519.
func ReadPrivate(clear []byte) (kind string, key ed25519.PrivateKey, err error) {
	f := Read(clear)
	check, same := f.Uint32(), f.Uint32()
	kind = string(f.String())
	if f.Cut() || check != same {
		return "", nil, ErrBroken
	}
	if kind != Ed25519 {
		return kind, nil, nil
	}
	f.String() // the public key stands in the private one again
	private := f.String()
	f.String()
	padding := f.Rest()
	if f.Cut() || len(private) != ed25519.PrivateKeySize {
		return "", nil, ErrBroken
	}
	for i, b := range padding {
		if int(b) != i+1 {
			return "", nil, ErrBroken
		}
	}
	return kind, ed25519.PrivateKey(private), nil
}

// MarshalPrivate returns a key file, without the PEM around it. A nil passphrase is none; with one the private part is encrypted
// with aes256-ctr and 16 rounds of bcrypt. The two check numbers and the salt come from the system's random source.
//
//	magic ‖ string cipher ‖ string key derivation ‖ string (string salt ‖ uint32 rounds) ‖ uint32 1 ‖ string public part ‖ string private part
func MarshalPrivate(key ed25519.PrivateKey, comment string, passphrase []byte) ([]byte, error) {
	var random [4 + saltSize]byte
	rand.Read(random[:]) // never fails
	check, salt := random[:4], random[4:]
	public := AppendString(AppendString(nil, Ed25519), []byte(key[ed25519.SeedSize:]))

	private := append(append(append([]byte(nil), check...), check...), public...)
	private = AppendString(private, []byte(key))
	private = AppendString(private, comment)
	p, size := Protection{Cipher: None}, noBlock
	if passphrase != nil {
		p, size = Protection{AES256CTR, salt, rounds}, aes.BlockSize
	}
	for b := byte(1); len(private)%size != 0; b++ {
		private = append(private, b)
	}
	derivation, options := None, []byte(nil)
	if passphrase != nil {
		block, iv, err := p.key(passphrase)
		if err != nil {
			return nil, err
		}
		cipher.NewCTR(block, iv).XORKeyStream(private, private)
		derivation, options = Bcrypt, binary.BigEndian.AppendUint32(AppendString(nil, salt), rounds)
	}

	file := AppendString([]byte(Magic), p.Cipher)
	file = AppendString(file, derivation)
	file = AppendString(file, options)
	file = binary.BigEndian.AppendUint32(file, 1)
	file = AppendString(file, public)
	return AppendString(file, private), nil
}
