package merkle

import (
	"encoding/hex"
	"iter"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// textSize is the length of the text form of a hash.
const textSize = len(commitment.DigestPrefix) + 2*len(commitment.Digest{})

// Texts holds the hashes of a tree in text form, each rendered once however many proofs it stands in. It does not change after
// [Tree.Texts] and may be used concurrently.
type Texts struct {
	tree  *Tree
	texts [][]byte // by level: the texts of its nodes, one behind the other
}

// Texts renders the hashes of the tree.
func (t *Tree) Texts() *Texts {
	x := &Texts{tree: t, texts: make([][]byte, len(t.levels))}
	nodes := 0
	for _, level := range t.levels {
		nodes += len(level)
	}
	all := make([]byte, 0, nodes*textSize)
	for k, level := range t.levels {
		start := len(all)
		for i := range level {
			all = append(all, commitment.DigestPrefix...)
			all = hex.AppendEncode(all, level[i][:])
		}
		x.texts[k] = all[start:len(all):len(all)]
	}
	return x
}

// Path yields the steps of the inclusion proof of a leaf from the leaf upward: the text of the sibling, not to be changed, and
// whether it is on the left. The leaf is counted from 0; one that the tree does not have has no steps.
func (x *Texts) Path(leaf uint64) iter.Seq2[[]byte, bool] {
	return func(yield func([]byte, bool) bool) {
		if leaf >= x.tree.Len() {
			return
		}
		at := leaf
		for _, level := range x.texts[:len(x.texts)-1] {
			if sibling := at ^ 1; sibling < uint64(len(level)/textSize) {
				if !yield(level[sibling*uint64(textSize):][:textSize:textSize], sibling < at) {
					return
				}
			}
			at /= 2
		}
	}
}
