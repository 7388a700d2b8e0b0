package main

import (
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// maxDrawnDepth bounds how far a node of a tree is moved to the right.
const maxDrawnDepth = 16

// tree draws the tree over an answer, a line a node.
func (t *inspectText) tree(b []byte, a *archive.InspectedAnswer) []byte {
	tree := a.Tree
	if tree == nil {
		return b
	}
	claim := "leaves"
	if tree.Claimed {
		claim = "leaves claimed"
	}
	b = t.line(b, "  ", fmt.Sprintf("tree: %s %d, carried %d, undisclosed %d", claim, tree.Leaves, tree.Carried, tree.Undisclosed))
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		indent := strings.Repeat(" ", 4+2*min(n.Depth, maxDrawnDepth))
		b = terminal.Wrap(b, indent, indent+"    ", nodeText(n), t.width)
	}
	if tree.More {
		b = t.line(b, "    ", "… the rest of the tree is not drawn")
	}
	if a.Retained {
		b = t.line(b, "  ", whatIsLearnt)
	}
	return b
}

// whatIsLearnt says what a retained subset tells of the frames that are not in it.
const whatIsLearnt = "of undisclosed frames a receiver learns their claimed number and the hashes shown, no more; but whoever " +
	"can guess a frame whole can confirm the guess: commitments have no salt (docs/security.md)"

func nodeText(n *archive.InspectedNode) string {
	span := fmt.Sprintf("%d", n.First)
	if n.End-n.First > 1 {
		span = fmt.Sprintf("%d-%d", n.First, n.End-1)
	}
	switch {
	case !n.Disclosed && n.Hash == "":
		return span + " undisclosed"
	case !n.Disclosed:
		return span + " undisclosed, " + escape(n.Hash)
	case n.Position < 0:
		return span
	}
	var evidence []string
	if n.Signature {
		evidence = append(evidence, "signature")
	}
	if n.Proof {
		evidence = append(evidence, "inclusion proof")
	}
	if len(evidence) == 0 {
		evidence = append(evidence, "no entry of its own")
	}
	return fmt.Sprintf("%s %s: %s", span, quote(n.FrameID.OrEmpty()), strings.Join(evidence, ", "))
}

// appendTree appends the tree over an answer as JSON, null where there is none. Counts and indexes are texts: they go up to
// 2^64−1.
func appendTree(b []byte, tree *archive.InspectedTree) []byte {
	if tree == nil {
		return append(b, "null"...)
	}
	b = fmt.Appendf(b, `{"leaves":"%d","claimed":%t,"carried":"%d","undisclosed":"%d","more":%t,"nodes":[`,
		tree.Leaves, tree.Claimed, tree.Carried, tree.Undisclosed, tree.More)
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"depth":%d,"first":"%d","last":"%d","disclosed":%t`, n.Depth, n.First, n.End-1, n.Disclosed)
		if n.Position >= 0 {
			b = fmt.Appendf(b, `,"position":%d,"signature":%t,"proof":%t`, n.Position, n.Signature, n.Proof)
			b = appendOptional(append(b, `,"frame_id":`...), n.FrameID)
		}
		if n.Hash != "" {
			b = terminal.AppendJSON(append(b, `,"hash":`...), n.Hash)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}
