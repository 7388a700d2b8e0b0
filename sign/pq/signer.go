package pq

import (
	"crypto"
	"errors"
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// How a seed stands in PKCS#8: sign.Form.SeedTag.
const (
	seedOctetString = 0x04
	seedChoice      = 0x80
)

// A signer is a private key. The secret is where no way of printing it leads.
type signer struct {
	public sign.PublicKey
	sign   func(message []byte) []byte
}

// Public implements crypto.Signer. It returns a [sign.PublicKey].
func (s signer) Public() crypto.PublicKey { return s.public }

var errHashed = errors.New("the message is signed as it is, want options whose HashFunc is zero")

// Sign implements crypto.Signer.
func (s signer) Sign(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts != nil && opts.HashFunc() != 0 {
		return nil, errHashed
	}
	return s.sign(message), nil
}

func checkSeed(seed []byte, want int) error {
	if len(seed) != want {
		return fmt.Errorf("%w: its seed is %d bytes, want %d", sign.ErrMalformedKey, len(seed), want)
	}
	return nil
}

func wrongLength(err error, got []byte, want int) error {
	return fmt.Errorf("%w: it is %d bytes, want %d", err, len(got), want)
}
