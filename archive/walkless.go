package archive

import (
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A grown is the tree over all frames of a complete answer, which proofs are compared with. A proof that holds what the tree has
// beside the way up from its leaf leads to the root of the tree: nothing is hashed for it. Every other proof is walked.
type grown struct {
	commitments *commitments
	tree        *merkle.Tree
	texts       *merkle.Texts // nil before the first proof
}

func grow(c *commitments) *grown { return &grown{commitments: c, tree: merkle.NewTree(c.leaves())} }

// holds reports whether a proof, which states as many leaves as the tree has, is the tree's own proof of the leaf that it states, and
// the leaf that of a commitment.
func (g *grown) holds(p *proof, of commitment.Digest) bool {
	if p.leafCount != g.tree.Len() || p.leafIndex >= p.leafCount || g.commitments.of[g.commitments.order[p.leafIndex]] != of {
		return false
	}
	if g.texts == nil {
		g.texts = g.tree.Texts()
	}
	n := 0
	for sibling, left := range g.texts.Path(p.leafIndex) {
		if n == len(p.path) || p.path[n].siblingIsLeft != left || p.path[n].sibling != string(sibling) {
			return false
		}
		n++
	}
	return n == len(p.path)
}
