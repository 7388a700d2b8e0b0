package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

const (
	maxTrees  = 20  // trees on a page
	maxLeaves = 256 // frames of a tree
)

// A part says what evidence shows of a leaf, or of what stands above leaves.
type part string

const (
	partProven      part = "proven"
	partFailing     part = "failing"
	partOpen        part = "open"
	partUndisclosed part = "undisclosed"
)

// parts are the parts of a tree, and what each of them means. In a retained answer a node has the first of those below it.
var parts = []struct {
	part    part
	meaning string
}{
	{partProven, "proven: leads to the signed root, whose signature verifies"},
	{partFailing, "failing: evidence or content is wrong"},
	{partOpen, "open: neither proven nor wrong, the key is not held or cannot be used"},
	{partUndisclosed, "undisclosed: known by a hash alone"},
}

// A tree is what is drawn of an answer with a signed root.
type tree struct {
	place    string
	provider string
	root     shownEvidence
	part     part   // of the root
	total    uint64 // leaves; in a retained answer a claim
	retained bool
	proven   string // of a retained answer: what its proofs prove
	leaves   []leaf // in the order of the leaves, without an index last
	untold   string // why there is no drawing
}

// A leaf is a frame under a tree.
type leaf struct {
	index      int // -1: it has no place
	frameID    string
	short      string // the frame id, cut for the drawing
	position   int
	state      archive.State
	part       part
	commitment string
}

// maxLabel is how many characters of a frame id the drawing shows.
const maxLabel = 36

func treeOf(a *archive.Answer) tree {
	f := showFrame(a, nil)
	t := tree{
		place: f.place(), retained: a.Retained, total: uint64(len(a.Frames)),
		root: shownEvidence{a.Root.State, rootText(a, false), rootClaims(a)}, part: partOf(a.Root.State),
	}
	if name, ok := a.ProviderID.Text(); ok {
		t.provider = quote(name)
	}
	if a.Proven != nil {
		t.proven = a.Proven.String()
		if len(a.Proven.Claimed) == 1 {
			t.total = a.Proven.Claimed[0]
		}
	}
	if len(a.Frames) > maxLeaves {
		t.untold = fmt.Sprintf("The answer carries %d frames, and trees of at most %d are drawn.", len(a.Frames), maxLeaves)
		return t
	}
	for i := range a.Frames {
		f := &a.Frames[i]
		t.leaves = append(t.leaves, leaf{
			index: f.LeafIndex, frameID: quote(f.FrameID), short: terminal.Quote(f.FrameID, maxLabel), position: f.Position,
			state: f.State, part: leafPart(f), commitment: terminal.Escape(f.Commitment, terminal.MaxEchoed),
		})
	}
	slices.SortStableFunc(t.leaves, func(a, b leaf) int { return cmp.Compare(uint64(a.index), uint64(b.index)) })
	t.untold = t.fault(a)
	return t
}

// fault says why a tree cannot be drawn.
func (t *tree) fault(a *archive.Answer) string {
	placed := t.placed()
	switch {
	case len(t.leaves) == 0:
		return "The answer carries no frames: its root is that of the empty tree."
	case t.retained && len(a.Proven.Claimed) != 1:
		return "No drawing: the proofs do not state one number of leaves."
	case !t.retained && uint64(len(placed)) < t.total:
		return "No drawing: not every frame has a place among the leaves."
	}
	for i := range placed {
		if uint64(placed[i].index) >= t.total || i > 0 && placed[i].index == placed[i-1].index {
			return "No drawing: two frames have one place among the leaves, or one stands behind the last."
		}
	}
	return ""
}

// placed are the leaves that have a place.
func (t *tree) placed() []leaf {
	end := slices.IndexFunc(t.leaves, func(l leaf) bool { return l.index < 0 })
	if end < 0 {
		end = len(t.leaves)
	}
	return t.leaves[:end]
}

func (t tree) size() (n int) {
	for i := range t.leaves {
		n += 150 + len(t.leaves[i].frameID) + len(t.leaves[i].short) + len(t.leaves[i].commitment)
	}
	return n
}

func partOf(s archive.State) part {
	switch {
	case s.Verifies():
		return partProven
	case s == archive.StateInvalid:
		return partFailing
	}
	return partOpen
}

// leafPart says what shows that a frame is a leaf of the signed tree: its own proof, else the recomputed root. Content that is not
// what was signed fails whatever they show.
func leafPart(f *archive.Frame) part {
	if f.State == archive.StateContentMismatch {
		return partFailing
	}
	proof, root := partOpen, partOpen
	for i := range f.Evidence {
		switch ev := &f.Evidence[i]; {
		case ev.Kind == archive.KindRoot:
			root = partOf(ev.State)
		case ev.Kind == archive.KindInclusion && proof != partFailing && partOf(ev.State) != partOpen:
			proof = partOf(ev.State)
		}
	}
	return cmp.Or(proof.known(), root)
}

// known is p, "" where it is open.
func (p part) known() part {
	if p == partOpen {
		return ""
	}
	return p
}

func (h *HTML) writeTrees(m *markup) {
	m.section("trees")
	defer m.sectionEnd()
	if h.trees.size == 0 {
		m.element("p", "No answer carries a signed root, so there is no tree to show.")
		return
	}
	if n := h.trees.sum(); n > uint64(h.trees.size) {
		m.element("p", fmt.Sprintf("The %d worst of %d answers with a signed root, the worst first. The others are not shown here.", h.trees.size, n))
	} else {
		m.element("p", "The answers with a signed root, the worst first.")
	}
	m.raw("<ul class=\"legend\" aria-label=\"Legend\">")
	for _, p := range parts {
		m.raw("<li><svg aria-hidden=\"true\" width=\"20\" height=\"20\">")
		m.mark(p.part, 10, 10)
		m.raw("</svg>", p.meaning, "</li>")
	}
	m.raw("</ul>\n")
	open := " open"
	h.trees.each(func(_ int, t *tree) bool {
		m.tree(t, open)
		open = ""
		return true
	})
}

// tree writes one answer: its root, the drawing, and the same as a table.
func (m *markup) tree(t *tree, open string) {
	m.raw("<details", open, "><summary>")
	m.text(t.place)
	m.raw(": root ", string(t.part), "</summary>\n<p>")
	m.text("Signed " + t.root.text + ".")
	if t.provider != "" {
		m.text(" Declared name " + t.provider + ".")
	}
	m.raw("</p>\n")
	if t.root.claims != "" {
		m.raw("<p>")
		m.claims(t.root.claims)
		m.raw("</p>\n")
	}
	if t.proven != "" {
		m.element("p", "Retained subset: "+t.proven+".")
	}
	if t.untold != "" {
		m.element("p", t.untold)
	} else {
		m.drawing(t)
	}
	if len(t.leaves) > 0 {
		m.leafTable(t)
	}
	m.raw("</details>\n")
}

func (m *markup) leafTable(t *tree) {
	m.raw("<details><summary>The leaves as a table</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Leaves of ")
	m.attr(t.place)
	m.raw("\"><table><caption>Leaves of ")
	m.text(t.place)
	m.raw("</caption><thead><tr><th scope=\"col\" class=\"n\">leaf</th><th scope=\"col\">part</th><th scope=\"col\">frame</th>",
		"<th scope=\"col\">state</th><th scope=\"col\">commitment</th></tr></thead><tbody>\n")
	for i := range t.leaves {
		l := &t.leaves[i]
		index := "no place"
		if l.index >= 0 {
			index = strconv.Itoa(l.index)
		}
		m.raw("<tr><th scope=\"row\" class=\"n\">", index, "</th><td>", string(l.part), "</td><td>", strconv.Itoa(l.position), " <span class=\"id\">")
		m.text(l.frameID)
		m.raw("</span></td><td>")
		m.text(beside(l.state))
		m.raw("</td><td class=\"hash\">")
		m.text(l.commitment)
		m.raw("</td></tr>\n")
	}
	m.raw("</tbody></table></div></details>\n")
}
