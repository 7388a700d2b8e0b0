package archive

import (
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The members that signing writes.
const (
	memberEntries = "frame_attestations"
	memberRoot    = "result_attestation"
	memberDigest  = "content_digest"
	memberKeys    = "attester_keys"
)

// evidence is what is written on one answer, as compact JSON; nil is not written.
type evidence struct {
	entries []byte // elements of frame_attestations, with commas between
	root    []byte // result_attestation
}

// attest signs an answer that was found fit for it: the root first, then the frames in the order carried.
func (s *signing) attest(a *signable) (ev evidence, err error) {
	tree := merkle.NewTree(a.commitments.leaves())
	if s.opt.Shape.signsRoot() {
		att, err := s.attestRoot(a, tree.Root())
		if err != nil {
			return ev, err
		}
		ev.root = appendAttestation(nil, &att)
	}
	proofs := s.opt.Shape.signsRoot() && !s.opt.NoProofs
	if !proofs && !s.opt.Shape.signsFrames() {
		return ev, nil
	}
	var texts *merkle.Texts
	if proofs {
		texts = tree.Texts()
	}
	for i, id := range a.distinct(s.result.Provider) {
		if len(ev.entries) > 0 {
			ev.entries = append(ev.entries, ',')
		}
		ev.entries = appendFrameID(append(ev.entries, `{"frame":`...), &id)
		if s.opt.Shape.signsFrames() {
			att, err := s.attestFrame(a, i, &id)
			if err != nil {
				return ev, err
			}
			ev.entries = appendAttestation(append(ev.entries, `,"attestation":`...), &att)
		}
		if proofs {
			ev.entries = appendTreeProof(append(ev.entries, `,"inclusion_proof":`...), texts, uint64(a.commitments.leaf[i]), tree.Len())
		}
		ev.entries = append(ev.entries, '}')
	}
	return ev, nil
}

// distinct yields the frames that evidence is written on, in the order carried, by position: the first of each identity.
// Frames with an equal identity have an equal commitment here: one entry speaks for all of them.
func (a *signable) distinct(provider string) iter.Seq2[int, commitment.FrameID] {
	return func(yield func(int, commitment.FrameID) bool) {
		seen := make(map[commitment.FrameID]bool, len(a.answer.frames))
		for i := range a.answer.frames {
			id := a.answer.frames[i].Identity(provider)
			if seen[id] {
				continue
			}
			seen[id] = true
			if !yield(i, id) {
				return
			}
		}
	}
}

func (s *signing) attestRoot(a *signable, root commitment.Digest) (sign.Attestation, error) {
	att, err := s.signer.Attest(sign.Request{Commitment: root, Provider: s.result.Provider})
	return att, s.signerFault(a, -1, err)
}

func (s *signing) attestFrame(a *signable, i int, id *commitment.FrameID) (sign.Attestation, error) {
	req, err := s.frameRequest(a, i, id)
	if err != nil {
		return sign.Attestation{}, err
	}
	att, err := s.signer.Attest(req)
	return att, s.signerFault(a, i, err)
}

// frameRequest is what is signed for the frame at a position.
func (s *signing) frameRequest(a *signable, i int, id *commitment.FrameID) (sign.Request, error) {
	steps, err := commitment.Trace(s.result.Provider, &a.answer.frames[i].Frame)
	if err != nil {
		return sign.Request{}, fmt.Errorf("archive: %w", err)
	}
	return sign.Request{
		Commitment: steps.Commitment, Provider: s.result.Provider, Frame: id, Preimage: steps.FramePreimage,
	}, nil
}

// signerFault tells a signature that does not verify, which is refused, from a signer that gave none. A position of -1 is
// the root's.
func (s *signing) signerFault(a *signable, position int, err error) error {
	if err == nil {
		return nil
	}
	if !errors.Is(err, sign.ErrSignerMismatch) {
		return fmt.Errorf("archive: record %d at byte %d: %w", a.number, a.offset, err)
	}
	r := s.refuse(RuleSignerMismatch, a.recordPlace, "%v", err)
	if position >= 0 {
		r = s.refuseFrame(RuleSignerMismatch, a, position, "%v", err)
	}
	r.Err = err
	return r
}

// write adds the edits that bring evidence and digests into an answer.
func (s *signing) write(a *signable, ev evidence) {
	for _, i := range a.filled {
		f := &a.answer.frames[i]
		o := readObject(s.input, int(a.offset), f.at)
		s.edits = o.put(s.edits, memberDigest, appendQuote(nil, f.ContentDigest.OrEmpty()))
	}
	o := &a.result
	if ev.entries == nil && o.has(memberEntries) {
		s.edits = o.remove(s.edits, memberEntries)
	}
	if ev.root == nil && o.has(memberRoot) {
		s.edits = o.remove(s.edits, memberRoot)
	}
	if ev.entries != nil {
		s.edits = o.putElements(s.edits, memberEntries, ev.entries)
	}
	if ev.root != nil {
		s.edits = o.put(s.edits, memberRoot, ev.root)
	}
}

// appendQuote appends a JSON string with no more escapes than JSON demands. s is valid UTF-8: it was read strictly, or
// checked with the options.
func appendQuote(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

func appendFrameID(dst []byte, id *commitment.FrameID) []byte {
	dst = appendQuote(append(dst, `{"provider_id":`...), id.ProviderID)
	dst = appendQuote(append(dst, `,"frame_id":`...), id.FrameID)
	if digest, declared := id.ContentDigest.Text(); declared {
		dst = appendQuote(append(dst, `,"content_digest":`...), digest)
	}
	return append(dst, '}')
}

func appendAttestation(dst []byte, att *sign.Attestation) []byte {
	dst = appendQuote(append(dst, `{"signed_commitment":`...), att.SignedCommitment)
	dst = appendQuote(append(dst, `,"key_id":`...), att.KeyID)
	dst = appendQuote(append(dst, `,"algorithm":`...), att.Algorithm)
	dst = appendQuote(append(dst, `,"attester_id":`...), att.AttesterID)
	dst = appendQuote(append(dst, `,"signature":`...), att.Signature)
	dst = appendQuote(append(dst, `,"issued_at":`...), att.IssuedAt)
	return append(dst, '}')
}

// appendTreeProof appends the proof of a leaf of a tree of count leaves.
func appendTreeProof(dst []byte, texts *merkle.Texts, leaf, count uint64) []byte {
	dst = strconv.AppendUint(append(dst, `{"leaf_index":`...), leaf, 10)
	dst = strconv.AppendUint(append(dst, `,"leaf_count":`...), count, 10)
	dst = append(dst, `,"path":[`...)
	first := true
	for sibling, left := range texts.Path(leaf) {
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = append(append(dst, `{"sibling":"`...), sibling...)
		if left {
			dst = append(dst, `","sibling_is_left":true}`...)
		} else {
			dst = append(dst, `","sibling_is_left":false}`...)
		}
	}
	return append(dst, `]}`...)
}

func appendProof(dst []byte, p *merkle.Proof) []byte {
	dst = strconv.AppendUint(append(dst, `{"leaf_index":`...), p.LeafIndex, 10)
	dst = strconv.AppendUint(append(dst, `,"leaf_count":`...), p.LeafCount, 10)
	dst = append(dst, `,"path":[`...)
	for i, step := range p.Path {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendQuote(append(dst, `{"sibling":`...), step.Sibling.String())
		dst = strconv.AppendBool(append(dst, `,"sibling_is_left":`...), step.SiblingIsLeft)
		dst = append(dst, '}')
	}
	return append(dst, `]}`...)
}
