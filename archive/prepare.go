package archive

import (
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"io"

	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A PrepareResult is what is to be signed of an input, and what is not.
type PrepareResult struct {
	Request  *Request
	Provider string    // the name that the answers are to be signed under
	Prepared int       // answers
	Copied   int       // answers of other providers, to be left as they are
	Skipped  []Refusal // answers that were refused and are to be left as they are
}

// Prepare finds out what [Sign] would sign with a key that is not at hand: the first of two steps, for a key that cannot be
// reached from here. It decides by the same rules, with the same errors. opt.Key is not used.
func Prepare(input []byte, key sign.PublicKey, opt SignOptions) (*PrepareResult, error) {
	opt.Key = publicOnly{key}
	s := newSigning(input, opt)
	if err := s.run(s.checkOptions, s.read, s.chooseProvider, s.newSigner, s.judgeAnswers, s.publishKey); err != nil {
		return nil, err
	}
	request, err := s.request()
	if err != nil {
		return nil, err
	}
	return &PrepareResult{
		Request: request, Provider: s.result.Provider, Prepared: len(s.answers), Copied: s.result.Copied, Skipped: s.result.Skipped,
	}, nil
}

// A publicOnly is a key whose private half is somewhere else.
type publicOnly struct{ key sign.PublicKey }

// Public implements crypto.Signer.
func (p publicOnly) Public() crypto.PublicKey {
	if p.key.Algorithm != sign.Ed25519 {
		return p.key
	}
	return ed25519.PublicKey(p.key.Bytes)
}

// Sign implements crypto.Signer. It is never called by a step that has no signatures.
func (publicOnly) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return nil, errNoPrivateKey
}

var errNoPrivateKey = errors.New("there is no private key here")

// request lists what is to be signed of answers that were found fit for it, in the order of attest.
func (s *signing) request() (*Request, error) {
	r := &Request{
		Algorithms: s.opt.Algorithms, Input: sha256.Sum256(s.input), Key: s.signer.PublicKey(), KeyID: s.opt.KeyID, AttesterID: s.opt.AttesterID,
		IssuedAt: s.opt.IssuedAt, Shape: s.opt.Shape,
		Options: RequestOptions{
			Provider: s.opt.Provider, NoProofs: s.opt.NoProofs, FillDigests: s.opt.FillDigests, Replace: s.opt.Replace,
			SkipUnsignable: s.opt.SkipUnsignable, PublishKey: s.opt.PublishKey, AllowOpaqueDigest: s.opt.AllowOpaqueDigest,
		},
	}
	for _, a := range s.answers {
		if s.opt.Shape.signsRoot() {
			leaves := a.commitments.leaves()
			r.add(RequestItem{Record: a.number, Commitment: merkle.Root(leaves), Leaves: leaves})
		}
		if !s.opt.Shape.signsFrames() {
			continue
		}
		for i, id := range a.distinct(s.result.Provider) {
			req, err := s.frameRequest(a, i, &id)
			if err != nil {
				return nil, err
			}
			r.add(RequestItem{Record: a.number, Frame: req.Frame, Commitment: req.Commitment, Preimage: req.Preimage})
		}
	}
	for i, name := range r.names() {
		r.Items[i].Item = name
	}
	return r, nil
}

func (r *Request) add(it RequestItem) {
	it.Message = it.Commitment[:]
	r.Items = append(r.Items, it)
}
