package archive

import (
	"bytes"
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// FormatSignatures is the format of the signatures over the items of a [Request].
const FormatSignatures = "cgp-signatures/1"

// An ItemSignature is the signature over the message of one item.
type ItemSignature struct {
	Item      string // its name in the request
	Signature []byte // of the length that the key's algorithm has: 64 bytes for Ed25519
}

// SignRequest signs every item of a request, in their order. Before the key is used the request is checked by [Request.Check],
// and every signature is verified before any is returned. The key sees what it signs as the options of its Sign method, a
// sign.Request; of a root the provider is not known here, and is "".
//
// The error wraps ErrItemMismatch, ErrOtherKey, an error of sign.NewSigner, or of sign.Signer.Attest.
func SignRequest(r *Request, key crypto.Signer) ([]ItemSignature, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	signer, err := orEd25519(r.Algorithms).NewSigner(key, r.KeyID, r.AttesterID, r.IssuedAt)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	if ours := signer.PublicKey(); ours != r.Key {
		return nil, fmt.Errorf("archive: %w: it has the fingerprint %s, want %s", ErrOtherKey, ours, r.Key)
	}
	signatures := make([]ItemSignature, len(r.Items))
	for i := range r.Items {
		it := &r.Items[i]
		req := sign.Request{Commitment: it.Commitment, Frame: it.Frame, Preimage: it.Preimage}
		if it.Frame != nil {
			req.Provider = it.Frame.ProviderID
		}
		att, err := signer.Attest(req)
		if err != nil {
			return nil, fmt.Errorf("archive: item %q: %w", it.Item, err)
		}
		signatures[i].Item = it.Item
		if signatures[i].Signature, err = hex.DecodeString(att.Signature); err != nil {
			return nil, fmt.Errorf("archive: item %q: %w", it.Item, err)
		}
	}
	return signatures, nil
}

// MarshalSignatures returns signatures as cgp-signatures/1: one JSON object, a line a signature, with a final newline.
func MarshalSignatures(signatures []ItemSignature) []byte {
	dst := []byte(`{"format":"` + FormatSignatures + `","signatures":[`)
	for i := range signatures {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendEscaped(append(dst, "\n"+`{"item":`...), signatures[i].Item)
		dst = hex.AppendEncode(append(dst, `,"signature":"`...), signatures[i].Signature)
		dst = append(dst, `"}`...)
	}
	return append(dst, tailOfItems...)
}

// ParseSignatures reads a cgp-signatures/1 on the terms of [ParseRequest], with signatures of Ed25519. Which items are named,
// and how often, is for [Attach].
func ParseSignatures(data []byte) ([]ItemSignature, error) { return ofEd25519.ParseSignatures(data) }

// ParseSignatures is the function of that name for signatures of the request's key.
func (r *Request) ParseSignatures(data []byte) ([]ItemSignature, error) {
	signatures := []ItemSignature{}
	err := readFile(data, FormatSignatures, []field{
		{name: "signatures", read: func(v jsontext.Value) error {
			return readElements(v, func(v jsontext.Value) error {
				var s ItemSignature
				err := readFields(v, []field{
					{name: "item", read: parsed(&s.Item, parseName)},
					{name: "signature", read: parsed(&s.Signature, r.parseSignatureHex)},
				})
				signatures = append(signatures, s)
				return err
			})
		}},
	})
	if err != nil {
		return nil, err
	}
	return signatures, nil
}

// ofEd25519 is a request whose signatures are those of Ed25519.
var ofEd25519 = &Request{Key: sign.PublicKey{Algorithm: sign.Ed25519}}

// signatureSize is the length of a signature of the request's key, 0 where the algorithm does not tell.
func (r *Request) signatureSize() int {
	form, _ := orEd25519(r.Algorithms).Form(r.Key.Algorithm)
	return form.SignatureSize
}

func (r *Request) parseSignatureHex(text string) ([]byte, error) {
	raw, err := parseLowerHex(text)
	if size := r.signatureSize(); err == nil && size > 0 && len(raw) != size {
		err = fmt.Errorf("it has %d bytes, want %d", len(raw), size)
	}
	return raw, err
}

// ErrNoSignature means that a file holds no signature.
var ErrNoSignature = errors.New("no signature")

// ParseSignature reads the file that another tool wrote a signature of Ed25519 to: 64 raw bytes, or 128 hexadecimal digits of
// either case with white space around them. The error wraps ErrNoSignature.
func ParseSignature(data []byte) ([]byte, error) { return ofEd25519.ParseSignature(data) }

// ParseSignature is the function of that name for a signature of the request's key. Where its algorithm does not tell how long
// one is, hexadecimal digits are taken as such.
func (r *Request) ParseSignature(data []byte) ([]byte, error) {
	size := r.signatureSize()
	if size > 0 && len(data) == size {
		return bytes.Clone(data), nil
	}
	raw, err := hex.AppendDecode(nil, bytes.TrimSpace(data))
	switch {
	case size == 0 && err != nil:
		return bytes.Clone(data), nil
	case err != nil, size > 0 && len(raw) != size:
		return nil, fmt.Errorf("archive: %w in %d bytes: want %d raw bytes or %d hexadecimal digits", ErrNoSignature, len(data),
			size, hex.EncodedLen(size))
	}
	return raw, nil
}
