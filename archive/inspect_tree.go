package archive

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// maxDrawn bounds how many nodes of a tree are drawn.
const maxDrawn = 128

// An InspectedTree is the tree over an answer as the answer itself has it: nothing of it was verified.
type InspectedTree struct {
	Leaves      uint64 // of a complete answer the frames carried; of a retained one what its proofs state, a claim
	Claimed     bool   // of a retained one
	Carried     uint64 // leaves whose frame is carried
	Undisclosed uint64 // leaves of which no frame is carried
	Nodes       []InspectedNode
	More        bool // nodes were left out
}

// An InspectedNode is a node of a tree, the left part of each before the right one. What is not disclosed is one node.
type InspectedNode struct {
	Depth      int // of the root 0
	First, End uint64
	Position   int // of a leaf's frame, as carried; else -1
	FrameID    commitment.Optional
	Signature  bool   // of a leaf: its entry has an attestation
	Proof      bool   // of a leaf: its entry has an inclusion proof
	Disclosed  bool   // some leaf below is carried
	Hash       string // of what is not disclosed: as a proof states it, "" where none does
}

// inspectTree draws the tree over an answer: over the frames carried, where they are all; of a retained subset by the places
// that its proofs state. Of several counts the first is drawn.
func inspectTree(rec *record, r resolution) *InspectedTree {
	a := rec.answer
	d := &drawing{tree: &InspectedTree{Claimed: rec.retained}, answer: a, hashes: make(map[node]string)}
	switch {
	case rec.retained:
		d.placeRetained(r.name)
	case a.root.present && r.known():
		d.placeComplete(r.name)
	}
	if d.tree.Leaves == 0 {
		return nil
	}
	slices.SortFunc(d.leaves, func(x, y drawnLeaf) int {
		switch {
		case x.index < y.index:
			return -1
		case x.index > y.index:
			return 1
		}
		return x.position - y.position
	})
	d.leaves = slices.CompactFunc(d.leaves, func(x, y drawnLeaf) bool { return x.index == y.index })
	d.tree.Carried = uint64(len(d.leaves))
	d.tree.Undisclosed = d.tree.Leaves - d.tree.Carried
	d.draw(node{0, d.tree.Leaves}, 0, d.leaves)
	return d.tree
}

// A drawing is a tree that is being drawn.
type drawing struct {
	tree   *InspectedTree
	answer *answer
	leaves []drawnLeaf // ascending by index
	hashes map[node]string
}

type drawnLeaf struct {
	index            uint64
	position         int
	signature, proof bool
}

// placeComplete gives every frame its place in canonical order.
func (d *drawing) placeComplete(provider string) {
	c := commit(d.answer, provider)
	if !c.complete {
		return
	}
	entries := d.entriesOf(provider)
	d.tree.Leaves = uint64(len(c.order))
	for k, i := range c.order {
		leaf := drawnLeaf{index: uint64(k), position: i}
		for _, n := range entries[d.answer.frames[i].Identity(provider)] {
			leaf.signature = leaf.signature || d.answer.entries[n].attestation.present
			leaf.proof = leaf.proof || d.answer.entries[n].proof.present
		}
		d.leaves = append(d.leaves, leaf)
	}
}

// placeRetained gives every frame the place that its proof states.
func (d *drawing) placeRetained(provider string) {
	entries := d.entriesOf(provider)
	for i := range d.answer.frames {
		f := &d.answer.frames[i]
		if !f.identified {
			continue
		}
		leaf := drawnLeaf{position: i}
		for _, n := range entries[f.Identity(provider)] {
			e := &d.answer.entries[n]
			leaf.signature = leaf.signature || e.attestation.present
			if !e.proof.usable() || leaf.proof {
				continue
			}
			p, err := e.proof.value.parse()
			if err != nil || p.CheckShape() != nil || d.tree.Leaves > 0 && p.LeafCount != d.tree.Leaves {
				continue
			}
			d.tree.Leaves = p.LeafCount
			leaf.index, leaf.proof = p.LeafIndex, true
			_, siblings := pathOf(p.LeafIndex, p.LeafCount)
			for s, at := range siblings {
				d.hashes[at] = p.Path[s].Sibling.String()
			}
		}
		if leaf.proof {
			d.leaves = append(d.leaves, leaf)
		}
	}
}

// entriesOf returns the entries that name each identity.
func (d *drawing) entriesOf(provider string) map[commitment.FrameID][]int {
	entries := make(map[commitment.FrameID][]int, len(d.answer.entries))
	for n := range d.answer.entries {
		if id := d.answer.entries[n].frame; id.usable() && id.value.ProviderID == provider {
			entries[id.value] = append(entries[id.value], n)
		}
	}
	return entries
}

// draw adds a node and what is below it. leaves are those below it, ascending.
func (d *drawing) draw(at node, depth int, leaves []drawnLeaf) {
	if len(d.tree.Nodes) == maxDrawn {
		d.tree.More = true
		return
	}
	n := InspectedNode{Depth: depth, First: at.first, End: at.end, Position: -1, Disclosed: len(leaves) > 0}
	switch {
	case !n.Disclosed:
		n.Hash = d.hashes[at]
	case at.end-at.first == 1:
		leaf := leaves[0]
		n.Position, n.Signature, n.Proof = leaf.position, leaf.signature, leaf.proof
		n.FrameID = commitment.Some(d.answer.frames[leaf.position].ID)
	}
	d.tree.Nodes = append(d.tree.Nodes, n)
	if !n.Disclosed || at.end-at.first == 1 {
		return
	}
	middle := at.first + split(at.end-at.first)
	right, _ := slices.BinarySearchFunc(leaves, middle, func(l drawnLeaf, m uint64) int {
		if l.index < m {
			return -1
		}
		return 1
	})
	d.draw(node{at.first, middle}, depth+1, leaves[:right])
	d.draw(node{middle, at.end}, depth+1, leaves[right:])
}
