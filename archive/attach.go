package archive

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// The ways in which signatures and an input are refused by Attach, beside those of a [Request].
var (
	ErrInputChanged       = errors.New("the input is not the one that the request was made of")
	ErrRequestMismatch    = errors.New("the request is not what the input comes to")
	ErrUnknownItem        = errors.New("the request has no such item")
	ErrDuplicateSignature = errors.New("the item has two signatures")
	ErrMissingSignature   = errors.New("the item has no signature")
	ErrWrongSignature     = errors.New("the signature is not one of the request's key over the item's message")
)

// AttachOptions say how [Attach] reads. Everything else stands in the request.
type AttachOptions struct {
	Source string // names the input in errors
	Limits Limits
}

// Attach writes signatures into the input that a request was made of, the second of two steps. The result is that of [Sign]
// with the request's options and its key. Nothing is taken from the request that can be found in the input: what is to be
// signed is determined anew, and has to be exactly what the request asks for; every item needs one signature, and every
// signature is verified under the request's key before anything is written.
//
// The error wraps one of the sentinels beside this function, or is one of Sign.
func Attach(input []byte, r *Request, signatures []ItemSignature, opt AttachOptions) (*SignResult, error) {
	if err := checkPlain(opt.Source, input); err != nil {
		return nil, err
	}
	if digest := sha256.Sum256(input); digest != r.Input {
		return nil, fmt.Errorf("archive: %w: its SHA-256 is %x, and the request's input_sha256 %x", ErrInputChanged, digest, r.Input[:])
	}
	key := &signedElsewhere{publicOnly: publicOnly{r.Key}}
	s := newSigning(input, r.signOptions(key, opt))
	matchRequest := func() error { return s.matchRequest(r) }
	matchSignatures := func() (err error) {
		key.signatures, err = r.match(signatures)
		return err
	}
	err := s.run(s.checkOptions, s.read, s.chooseProvider, s.newSigner, s.judgeAnswers, s.publishKey, matchRequest, matchSignatures,
		s.signAnswers, s.confirmOutput)
	if err != nil {
		return nil, err
	}
	return s.result, nil
}

func (r *Request) signOptions(key crypto.Signer, opt AttachOptions) SignOptions {
	return SignOptions{
		Source: opt.Source, Limits: opt.Limits, Key: key, Algorithms: r.Algorithms, KeyID: r.KeyID, AttesterID: r.AttesterID, IssuedAt: r.IssuedAt, Shape: r.Shape,
		Provider: r.Options.Provider, NoProofs: r.Options.NoProofs, FillDigests: r.Options.FillDigests, Replace: r.Options.Replace,
		SkipUnsignable: r.Options.SkipUnsignable, PublishKey: r.Options.PublishKey, AllowOpaqueDigest: r.Options.AllowOpaqueDigest,
	}
}

// matchRequest compares a request with the one that the input and its options come to.
func (s *signing) matchRequest(r *Request) error {
	ours, err := s.request()
	if err != nil {
		return err
	}
	if len(ours.Items) != len(r.Items) {
		return fmt.Errorf("archive: %w: it has %d items, want %d", ErrRequestMismatch, len(r.Items), len(ours.Items))
	}
	for i := range ours.Items {
		if name := r.Items[i].differs(&ours.Items[i]); name != "" {
			return fmt.Errorf("archive: %w: %s of item %d differs", ErrRequestMismatch, name, i+1)
		}
	}
	// As in Check, the names last.
	for i := range ours.Items {
		if r.Items[i].Item != ours.Items[i].Item {
			return fmt.Errorf("archive: %w: item %d is called %.64q, and by the rest of the request it is %q", ErrRequestMismatch,
				i+1, r.Items[i].Item, ours.Items[i].Item)
		}
	}
	return nil
}

// differs returns the name of the first member, beside the item's name, in which two items differ, "" for none.
func (it *RequestItem) differs(other *RequestItem) string {
	switch {
	case it.Record != other.Record:
		return "answer"
	case it.kind() != other.kind():
		return "kind"
	case it.Frame != nil && *it.Frame != *other.Frame:
		return "frame"
	case it.Commitment != other.Commitment:
		return "commitment"
	case !bytes.Equal(it.Message, other.Message):
		return "message"
	case !bytes.Equal(it.Preimage, other.Preimage):
		return "preimage"
	case !slices.Equal(it.Leaves, other.Leaves):
		return "leaves"
	}
	return ""
}

// match brings signatures into the order of the items, and verifies each.
func (r *Request) match(signatures []ItemSignature) ([][]byte, error) {
	place := make(map[string]int, len(r.Items))
	for i := range r.Items {
		place[r.Items[i].Item] = i
	}
	ordered := make([][]byte, len(r.Items))
	verifier, err := r.verifier()
	if err != nil {
		return nil, err
	}
	for _, s := range signatures {
		i, known := place[s.Item]
		if !known {
			return nil, fmt.Errorf("archive: signature for item %.64q: %w", s.Item, ErrUnknownItem)
		}
		if ordered[i] != nil {
			return nil, fmt.Errorf("archive: item %q: %w", s.Item, ErrDuplicateSignature)
		}
		if err := verifier.Verify(r.Items[i].Message, s.Signature); err != nil {
			return nil, fmt.Errorf("archive: item %q: %w: %w", s.Item, ErrWrongSignature, err)
		}
		ordered[i] = s.Signature
	}
	for i := range ordered {
		if ordered[i] == nil {
			return nil, fmt.Errorf("archive: item %q: %w", r.Items[i].Item, ErrMissingSignature)
		}
	}
	return ordered, nil
}

func (r *Request) verifier() (sign.Verifier, error) {
	algorithm, known := orEd25519(r.Algorithms).Lookup(r.Key.Algorithm)
	if !known {
		return nil, fmt.Errorf("archive: algorithm %.64q: %w", r.Key.Algorithm, sign.ErrUnsupportedKey)
	}
	return algorithm.NewVerifier([]byte(r.Key.Bytes))
}

// A signedElsewhere is a key that has signed all it is going to be asked for.
type signedElsewhere struct {
	publicOnly
	signatures [][]byte // yet to be asked for, in the order in which they will be
}

// Sign implements crypto.Signer. That the signature is one over the message is verified by whoever asks.
func (k *signedElsewhere) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	if len(k.signatures) == 0 {
		return nil, errNoPrivateKey
	}
	next := k.signatures[0]
	k.signatures = k.signatures[1:]
	return next, nil
}
