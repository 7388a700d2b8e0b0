package merkle

import (
	"errors"
	"fmt"
	"math/bits"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// MaxPath is the number of steps that the longest proof has: leaf_count is at most 2^64−1.
const MaxPath = 64

// What is wrong with a proof. The errors of this package wrap one of these.
var (
	ErrIndexRange   = errors.New("leaf index out of range")
	ErrPathLength   = errors.New("wrong number of steps")
	ErrSide         = errors.New("sibling on the wrong side")
	ErrRootMismatch = errors.New("root mismatch")
)

// A Proof states that a commitment is leaf LeafIndex of LeafCount, counted from 0. Path leads from the leaf up to the root.
type Proof struct {
	LeafIndex uint64
	LeafCount uint64
	Path      []Step
}

// A Step holds the hash that is joined to the one reached so far, and on which side it stands.
type Step struct {
	Sibling       commitment.Digest
	SiblingIsLeft bool
}

// Sides is the shape of a path: its number of steps and the side of the sibling in each.
type Sides struct {
	left uint64 // bit i is set where the sibling of step i is on the left
	n    int
}

// Len returns the number of steps, 0 to MaxPath.
func (s Sides) Len() int { return s.n }

// IsLeft reports whether the sibling of step i, 0 ≤ i < Len, is on the left. Step 0 is at the leaf.
func (s Sides) IsLeft(i int) bool {
	if i < 0 || i >= s.n {
		panic(fmt.Sprintf("merkle: side of step %d of %d", i, s.n))
	}
	return s.left>>i&1 == 1
}

// Shape returns the shape of the path from leaf index of count leaves, which RFC 6962 §2.1.1 fixes.
// The error is ErrIndexRange, where index ≥ count.
//
// At height b the path passes node ⌊index / 2^b⌋, and the last node there is ⌊(count−1) / 2^b⌋. Below height inner the two
// differ: the node has a sibling, on the left where bit b of index is 1. From there on the path passes the last node: where
// bit b is 1 it has a sibling, on the left; where it is 0 it has none, and moves up without a step.
//
//	inner = bit length of index XOR (count−1)
//	edge  = number of ones in ⌊index / 2^inner⌋
//	sides = the lowest inner bits of index, then edge times left
func Shape(index, count uint64) (Sides, error) {
	if index >= count {
		return Sides{}, fmt.Errorf("merkle: %w: %d of %d leaves", ErrIndexRange, index, count)
	}
	// inner + edge ≤ 64, and a shift by 64 gives 0: nothing overflows, whatever the count.
	inner := bits.Len64(index ^ (count - 1))
	edge := bits.OnesCount64(index >> inner)
	return Sides{
		left: index&(1<<inner-1) | (1<<edge-1)<<inner,
		n:    inner + edge,
	}, nil
}

// CheckShape compares the path with the shape that LeafIndex and LeafCount give, and hashes nothing.
// The error is ErrPathLength, ErrIndexRange or ErrSide.
func (p *Proof) CheckShape() error {
	if len(p.Path) > MaxPath {
		return fmt.Errorf("merkle: %w: inclusion proof has %d, want at most %d", ErrPathLength, len(p.Path), MaxPath)
	}
	sides, err := Shape(p.LeafIndex, p.LeafCount)
	if err != nil {
		return err
	}
	if len(p.Path) != sides.Len() {
		return fmt.Errorf("merkle: %w: inclusion proof of leaf %d of %d has %d, want %d",
			ErrPathLength, p.LeafIndex, p.LeafCount, len(p.Path), sides.Len())
	}
	for i, step := range p.Path {
		if step.SiblingIsLeft != sides.IsLeft(i) {
			return fmt.Errorf("merkle: %w: step %d in the inclusion proof of leaf %d of %d has sibling_is_left %t, want %t",
				ErrSide, i, p.LeafIndex, p.LeafCount, step.SiblingIsLeft, sides.IsLeft(i))
		}
	}
	return nil
}

// RootFrom returns the root that the proof leads to from a commitment. The shape is checked before anything is hashed; the
// error is one of CheckShape's.
//
//	h₀   = leaf(c)
//	hᵢ₊₁ = node(siblingᵢ, hᵢ) where the sibling is on the left, else node(hᵢ, siblingᵢ)
func (p *Proof) RootFrom(c commitment.Digest) (commitment.Digest, error) {
	if err := p.CheckShape(); err != nil {
		return commitment.Digest{}, err
	}
	h := LeafHash(c)
	for i := range p.Path {
		step := &p.Path[i]
		if step.SiblingIsLeft {
			h = NodeHash(step.Sibling, h)
		} else {
			h = NodeHash(h, step.Sibling)
		}
	}
	return h, nil
}

// Verify checks that the proof leads from a commitment to a root. Nil says that the commitment is a leaf under that root, at
// LeafIndex if LeafCount is true. The error is one of CheckShape's, or ErrRootMismatch with both roots.
func (p *Proof) Verify(c, root commitment.Digest) error {
	got, err := p.RootFrom(c)
	if err != nil {
		return err
	}
	if got != root {
		return fmt.Errorf("merkle: %w: inclusion proof of leaf %d of %d leads to %s, want %s",
			ErrRootMismatch, p.LeafIndex, p.LeafCount, got, root)
	}
	return nil
}
