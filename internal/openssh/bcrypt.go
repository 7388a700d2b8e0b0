package openssh

import (
	"crypto/sha512"
	"encoding/binary"
	"errors"
	"fmt"

	"golang.org/x/crypto/blowfish" //lint:ignore SA1019 the format of OpenSSH demands it
)

// bcryptBlock is how many bytes bcryptHash gives.
const bcryptBlock = 32

// bcryptPBKDF derives size bytes from a passphrase, as bcrypt_pbkdf of OpenBSD does:
//
//	block c    T₁ ⊕ … ⊕ T_rounds,  T₁ = H(P, SHA512(salt ‖ uint32be c)),  Tᵢ = H(P, SHA512(Tᵢ₋₁)),  P = SHA512(passphrase)
//	output     byte i of block c stands at i·blocks + c − 1, so that every block reaches every part of it
func bcryptPBKDF(passphrase, salt []byte, rounds uint32, size int) ([]byte, error) {
	if len(passphrase) == 0 || len(salt) == 0 || rounds == 0 {
		return nil, errors.New("openssh: bcrypt without a passphrase, a salt or a round")
	}
	hashed := sha512.Sum512(passphrase)
	blocks := (size + bcryptBlock - 1) / bcryptBlock
	out := make([]byte, blocks*bcryptBlock)
	for c := range blocks {
		first := sha512.Sum512(binary.BigEndian.AppendUint32(append([]byte(nil), salt...), uint32(c+1)))
		t, err := bcryptHash(hashed, first)
		if err != nil {
			return nil, err
		}
		sum := t
		for range rounds - 1 {
			if t, err = bcryptHash(hashed, sha512.Sum512(t[:])); err != nil {
				return nil, err
			}
			for i := range sum {
				sum[i] ^= t[i]
			}
		}
		for i, b := range sum {
			out[i*blocks+c] = b
		}
	}
	return out[:size], nil
}

// bcryptHash is bcrypt with 64 expansions of the key and a text of 32 bytes.
func bcryptHash(passphrase, salt [sha512.Size]byte) (out [bcryptBlock]byte, err error) {
	c, err := blowfish.NewSaltedCipher(passphrase[:], salt[:])
	if err != nil {
		return out, fmt.Errorf("openssh: %w", err) // the sizes are right, so this is never reached
	}
	for range 64 {
		blowfish.ExpandKey(salt[:], c)
		blowfish.ExpandKey(passphrase[:], c)
	}
	copy(out[:], "OxychromaticBlowfishSwatDynamite")
	for i := 0; i < bcryptBlock; i += blowfish.BlockSize {
		for range 64 {
			c.Encrypt(out[i:], out[i:])
		}
	}
	for i := 0; i < bcryptBlock; i += 4 { // its words are little-endian
		binary.LittleEndian.PutUint32(out[i:], binary.BigEndian.Uint32(out[i:]))
	}
	return out, nil
}
