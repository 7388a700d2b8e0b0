package archive

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// prove notes what a proof that verifies proves in a retained answer: the frame's place among the leaves. The number of leaves
// is the provider's claim.
func (j *judge) prove(f *Frame, p *proof) {
	if !j.retained {
		return
	}
	f.LeafIndex = int(min(p.leafIndex, maxLeafIndex))
	if p.leafIndex > maxLeafIndex {
		f.LeafIndex = -1
	}
	j.leaves[p.leafIndex] = true
	j.out.Proven.Leaves = uint64(len(j.leaves))
	if at, known := slices.BinarySearch(j.out.Proven.Claimed, p.leafCount); !known {
		j.out.Proven.Claimed = slices.Insert(j.out.Proven.Claimed, at, p.leafCount)
	}
}

// maxLeafIndex is the largest index that a report writes as a number: JSON numbers are exact as far as 2^53.
const maxLeafIndex = 1<<53 - 1

// reportRetained adds the findings that a retained answer has and a complete one has not.
func (j *judge) reportRetained() {
	if !j.retained {
		return
	}
	if p := j.out.Proven; p.Leaves > 0 {
		j.find(FindingLeafCountIsAClaim, nowhere(), "%s", p)
	}
	j.reportContradiction()
}

// String says what is proven of how many leaves, and whose word the number is.
func (p *Proven) String() string {
	claimed := make([]string, len(p.Claimed))
	for i, n := range p.Claimed {
		claimed[i] = fmt.Sprint(n)
	}
	if len(claimed) == 0 {
		return "no leaf is proven"
	}
	n := strings.Join(claimed, " or ")
	return fmt.Sprintf("%d of %s proven, %s is the provider's claim: nothing signs it", p.Leaves, n, n)
}

// A node of a tree is known by the leaves below it: a half-open range of indexes.
type node struct{ first, end uint64 }

// A placed hash is one that a proof puts at a node, and the entry that the proof stands in.
type placed struct {
	hash  commitment.Digest
	entry int
}

// reportContradiction names the first two proofs that cannot both be true of one tree. Proofs whose shape is wrong say
// nothing of any tree; of a proof whose frame is not carried the siblings alone count.
func (j *judge) reportContradiction() {
	leafOf := make([]int, len(j.a.entries)) // position of the frame that an entry counts for, -1 for none
	for n := range leafOf {
		leafOf[n] = -1
	}
	for i, entries := range j.matched {
		for _, n := range entries {
			if !j.commitments.faults[i].found() && leafOf[n] < 0 {
				leafOf[n] = i
			}
		}
	}
	tree := claimedTree{nodes: make(map[node]placed), first: -1}
	for n := range j.a.entries {
		e := &j.a.entries[n]
		if !e.proof.usable() {
			continue
		}
		p, err := e.proof.value.parse()
		if err != nil || p.CheckShape() != nil {
			continue
		}
		var leaf *commitment.Digest
		if i := leafOf[n]; i >= 0 {
			leaf = &j.commitments.of[i]
		}
		if other, what := tree.place(n, &p, leaf); what != "" {
			// It stands on the answer: whichever frames are selected, one of the two proofs may be theirs.
			j.find(FindingContradictingProofs, place{entry: n, position: -1}, "the proofs of entries %d and %d contradict each other: %s", other, n, what)
			return
		}
	}
}

// A claimedTree is what proofs say of one tree.
type claimedTree struct {
	count uint64
	first int // the entry that stated the count, -1 for none yet
	nodes map[node]placed
}

// place puts the hashes of a proof of the right shape into the tree. It returns the entry of an earlier proof that says
// otherwise, and how. A leaf of nil is not known.
func (t *claimedTree) place(entry int, p *merkle.Proof, leaf *commitment.Digest) (other int, what string) {
	if t.first < 0 {
		t.first, t.count = entry, p.LeafCount
	}
	if p.LeafCount != t.count {
		return t.first, fmt.Sprintf("they state %d and %d leaves", t.count, p.LeafCount)
	}
	put := func(at node, hash commitment.Digest) bool {
		was, known := t.nodes[at]
		switch {
		case !known:
			t.nodes[at] = placed{hash, entry}
		case was.hash != hash && at.end-at.first == 1:
			other, what = was.entry, fmt.Sprintf("they put different leaves at index %d", at.first)
		case was.hash != hash:
			other, what = was.entry, fmt.Sprintf("they put different hashes above leaves %d to %d", at.first, at.end-1)
		}
		return what == ""
	}
	own, siblings := pathOf(p.LeafIndex, p.LeafCount)
	var hash commitment.Digest
	if leaf != nil {
		hash = merkle.LeafHash(*leaf)
		if !put(own[0], hash) {
			return other, what
		}
	}
	for i, step := range p.Path {
		if !put(siblings[i], step.Sibling) {
			return other, what
		}
		if leaf == nil {
			continue
		}
		if step.SiblingIsLeft {
			hash = merkle.NodeHash(step.Sibling, hash)
		} else {
			hash = merkle.NodeHash(hash, step.Sibling)
		}
		if !put(own[i+1], hash) {
			return other, what
		}
	}
	return 0, ""
}

// pathOf returns the nodes from leaf index of count up to the root, and beside each but the root its sibling (RFC 6962 §2.1).
// index < count.
func pathOf(index, count uint64) (own, siblings []node) {
	at := node{0, count}
	own = append(own, at)
	for at.end-at.first > 1 {
		middle := at.first + split(at.end-at.first)
		left, right := node{at.first, middle}, node{middle, at.end}
		if index < middle {
			at = left
			siblings = append(siblings, right)
		} else {
			at = right
			siblings = append(siblings, left)
		}
		own = append(own, at)
	}
	slices.Reverse(own)
	slices.Reverse(siblings)
	return own, siblings
}

// split is the number of leaves in the left part of a tree of n: the largest power of two below n, which is 2 at least.
func split(n uint64) uint64 { return 1 << (bits.Len64(n-1) - 1) }
