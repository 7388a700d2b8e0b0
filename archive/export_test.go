package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// What the budgets and the comparison of ways reach inside this package.

// Plain makes a policy judge in the plain way.
func Plain(p Policy) Policy {
	p.plain = true
	return p
}

// What a session remembers at most, and what a name takes beside its bytes.
const (
	MaxSessionBytes = maxSessionBytes
	NameCost        = nameCost
)

// A FrameCounter reads sessions as a run does, and judges nothing.
type FrameCounter struct {
	syntax strictjson.Judge
	dec    decoder
}

// Count returns the number of frames of all answers.
func (c *FrameCounter) Count(session []byte) (frames int, err error) {
	c.dec.lim = DefaultLimits()
	records := newPlainReader("session", bytes.NewReader(session), c.dec.lim)
	records.scan.Defer()
	for {
		value, err := records.value()
		if errors.Is(err, io.EOF) {
			return frames, nil
		}
		if err != nil {
			return frames, err
		}
		if value.Unjudged {
			if f := c.syntax.Check(value); f != nil {
				return frames, f
			}
		}
		c.dec.begin(value.Bytes)
		rec, unreadable := c.dec.record()
		if unreadable != nil {
			return frames, unreadable
		}
		if rec.kind == recordAnswer {
			frames += len(rec.answer.frames)
		}
	}
}

// RenderProofs makes the proofs of all leaves and renders them as they stand on the wire.
func RenderProofs(leaves []commitment.Digest) error {
	texts := merkle.NewTree(leaves).Texts()
	var b []byte
	for i := range leaves {
		b = appendTreeProof(b[:0], texts, uint64(i), uint64(len(leaves)))
	}
	return nil
}

// A ProofCheck is a complete answer with a proof for each frame, all good.
type ProofCheck struct {
	leaves []commitment.Digest
	all    *commitments
	proofs []proof
}

func NewProofCheck(leaves []commitment.Digest) *ProofCheck {
	c := &ProofCheck{leaves: leaves, all: &commitments{of: leaves, complete: true}}
	for i := range leaves {
		c.all.order = append(c.all.order, i)
	}
	for _, p := range merkle.NewTree(leaves).ProveAll() {
		wire := proof{leafIndex: p.LeafIndex, leafCount: p.LeafCount}
		for _, s := range p.Path {
			wire.path = append(wire.path, proofStep{s.Sibling.String(), s.SiblingIsLeft})
		}
		c.proofs = append(c.proofs, wire)
	}
	return c
}

var errProof = errors.New("a good proof does not lead to the root")

// Walk computes the root, and hashes from each leaf up to it.
func (c *ProofCheck) Walk() error {
	root := merkle.Root(c.leaves)
	for i := range c.proofs {
		if got, err := c.proofs[i].root(c.leaves[i]); err != nil || got != root {
			return fmt.Errorf("leaf %d: %w: %v", i, errProof, err)
		}
	}
	return nil
}

// Compare does what a run does.
func (c *ProofCheck) Compare() error {
	g := grow(c.all)
	for i := range c.proofs {
		if !g.holds(&c.proofs[i], c.leaves[i]) {
			return fmt.Errorf("leaf %d: %w", i, errProof)
		}
	}
	return nil
}
