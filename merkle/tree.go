package merkle

import (
	"fmt"
	"math/bits"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A Tree holds every hash of a Merkle tree, some 64 bytes a leaf, so that a proof costs no hashing. It does not change after
// NewTree and may be used concurrently. The zero value is the tree without leaves.
type Tree struct {
	// levels[0] has the leaf hashes. levels[k+1] has the parents of levels[k]; a last node without a sibling moves up as it
	// is, which gives the split of RFC 6962. The last level has the root alone. Without leaves there are no levels.
	levels [][]commitment.Digest
}

// NewTree builds the tree over the commitments in the order given, which is to be the canonical one. It hashes 2n−1 times for
// n leaves and does not keep the slice.
func NewTree(leaves []commitment.Digest) *Tree {
	if len(leaves) == 0 {
		return &Tree{}
	}
	// A level has at most half as many nodes as the one below, and one more where that is odd.
	depth := bits.Len(uint(len(leaves) - 1))
	nodes := make([]commitment.Digest, 0, 2*len(leaves)+depth)
	levels := make([][]commitment.Digest, 0, depth+1)

	nodes = nodes[:len(leaves)]
	h := takeHasher()
	defer h.put()
	h.leaves(nodes, leaves)
	level := nodes
	levels = append(levels, level)
	for len(level) > 1 {
		start := len(nodes)
		nodes = nodes[:start+len(level)/2]
		h.parents(nodes[start:], level)
		if len(level)%2 == 1 {
			nodes = append(nodes, level[len(level)-1])
		}
		level = nodes[start:]
		levels = append(levels, level)
	}
	return &Tree{levels: levels}
}

// Len returns the number of leaves.
func (t *Tree) Len() uint64 {
	if len(t.levels) == 0 {
		return 0
	}
	return uint64(len(t.levels[0]))
}

// Root returns the root, EmptyRoot for the tree without leaves. It is what the function Root gives for the same leaves.
func (t *Tree) Root() commitment.Digest {
	if len(t.levels) == 0 {
		return EmptyRoot()
	}
	return t.levels[len(t.levels)-1][0]
}

// Prove returns the inclusion proof of a leaf, counted from 0 in the order of the leaves. The error is ErrIndexRange.
// The caller may keep and change the path.
func (t *Tree) Prove(leaf uint64) (Proof, error) {
	if leaf >= t.Len() {
		return Proof{}, fmt.Errorf("merkle: %w: %d of %d leaves", ErrIndexRange, leaf, t.Len())
	}
	return t.prove(leaf, make([]Step, 0, len(t.levels)-1)), nil
}

// ProveAll returns the inclusion proofs of all leaves in their order; without leaves there are none. They hold n·log₂(n)
// steps of 33 bytes together, so for a large tree that is written out leaf by leaf Prove needs less memory.
func (t *Tree) ProveAll() []Proof {
	n := t.Len()
	if n == 0 {
		return nil
	}
	depth := uint64(len(t.levels) - 1)
	steps := make([]Step, n*depth)
	proofs := make([]Proof, n)
	for leaf := range n {
		// Each path has its own part of steps: appending to one never writes into the next.
		proofs[leaf] = t.prove(leaf, steps[leaf*depth:leaf*depth:(leaf+1)*depth])
	}
	return proofs
}

// prove appends the steps for a leaf of the tree to an empty path.
func (t *Tree) prove(leaf uint64, path []Step) Proof {
	at := leaf
	for _, level := range t.levels[:len(t.levels)-1] {
		// Of the two children of one parent the left one has the even index. The last node may have no sibling.
		if sibling := at ^ 1; sibling < uint64(len(level)) {
			path = append(path, Step{Sibling: level[sibling], SiblingIsLeft: sibling < at})
		}
		at /= 2
	}
	return Proof{LeafIndex: leaf, LeafCount: t.Len(), Path: path}
}
