package report

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
)

// The drawing of a tree grows to the right: the root at the left, a row for each leaf and each part that is not disclosed.
const (
	rowHeight   = 26
	levelWidth  = 34
	drawingEdge = 16  // around the drawing
	labelWidth  = 420 // behind the last level
)

// A drawing is a tree under way.
type drawing struct {
	tree  *tree
	rows  int
	depth int
	lines []edge
	marks []mark
}

// An edge leads from a node to what stands below it, and looks like that.
type edge struct {
	fromX, fromY, toX, toY int
	part                   part
}

// A mark is a node, a leaf with its label among them.
type mark struct {
	x, y  int
	part  part
	label string // of what has nothing below it
}

// drawing draws the tree (RFC 6962 §2.1). What is not disclosed is drawn as the one hash that stands for it in the proofs. The
// nodes of a complete answer are recomputed from the leaves, and all of them are as good as the root.
func (m *markup) drawing(t *tree) {
	d := drawing{tree: t}
	counts := make(map[part]int)
	placed := t.placed()
	for i := range placed {
		counts[placed[i].part]++
	}
	root := d.subtree(0, t.total, placed, 0)
	d.marks[root].part = t.part
	width := 2*drawingEdge + d.depth*levelWidth + labelWidth
	height := d.rows*rowHeight + drawingEdge
	text := fmt.Sprintf("Merkle tree of %d leaves: root %s", t.total, t.part)
	for _, p := range parts[:3] {
		text += fmt.Sprintf(", %d %s", counts[p.part], p.part)
	}
	text += fmt.Sprintf(", %d %s", t.total-uint64(len(placed)), partUndisclosed)
	m.raw("<div class=\"tree wide\" tabindex=\"0\" role=\"region\" aria-label=\"Drawing of ")
	m.attr(t.place)
	m.raw("\">\n<svg role=\"img\" width=\"", strconv.Itoa(width), "\" height=\"", strconv.Itoa(height), "\" aria-label=\"")
	m.attr(text + ". The table below says the same.")
	m.raw("\">\n")
	for i := range d.lines {
		e := &d.lines[i]
		m.raw("<path class=\"line ", string(e.part), "\" d=\"M", strconv.Itoa(e.fromX), " ", strconv.Itoa(e.fromY), "V", strconv.Itoa(e.toY),
			"H", strconv.Itoa(e.toX), "\"/>\n")
	}
	for i := range d.marks {
		k := &d.marks[i]
		m.mark(k.part, k.x, k.y)
		if k.label != "" {
			m.raw("<text x=\"", strconv.Itoa(k.x+14), "\" y=\"", strconv.Itoa(k.y+4), "\">")
			m.text(k.label)
			m.raw("</text>")
		}
		m.raw("\n")
	}
	m.raw("</svg>\n</div>\n")
}

// subtree draws the n leaves from first, of which those of leaves are disclosed, and returns the number of its mark.
func (d *drawing) subtree(first, n uint64, leaves []leaf, depth int) int {
	x := drawingEdge + depth*levelWidth
	d.depth = max(d.depth, depth)
	if len(leaves) == 0 || n == 1 {
		k := mark{x: x, y: drawingEdge + d.rows*rowHeight}
		d.rows++
		switch {
		case len(leaves) > 0:
			l := &leaves[0]
			k.part, k.label = l.part, fmt.Sprintf("%d %s: %s, frame %s", l.index, l.short, l.part, l.state)
		case n == 1:
			k.part, k.label = partUndisclosed, fmt.Sprintf("%d: undisclosed", first)
		default:
			k.part, k.label = partUndisclosed, fmt.Sprintf("%d to %d: undisclosed", first, first+(n-1))
		}
		d.marks = append(d.marks, k)
		return len(d.marks) - 1
	}
	left := uint64(1) << (bits.Len64(n-1) - 1) // the largest power of two below n
	split := slices.IndexFunc(leaves, func(l leaf) bool { return uint64(l.index)-first >= left })
	if split < 0 {
		split = len(leaves)
	}
	a := d.subtree(first, left, leaves[:split], depth+1)
	b := d.subtree(first+left, n-left, leaves[split:], depth+1)
	k := mark{x: x, y: (d.marks[a].y + d.marks[b].y) / 2, part: d.tree.part}
	for _, p := range parts {
		if d.tree.retained && (d.marks[a].part == p.part || d.marks[b].part == p.part) {
			k.part = p.part
			break
		}
	}
	for _, child := range []int{a, b} {
		c := &d.marks[child]
		d.lines = append(d.lines, edge{x, k.y, c.x, c.y, c.part})
	}
	d.marks = append(d.marks, k)
	return len(d.marks) - 1
}

// mark draws a node: a filled circle with a tick, a square with a cross, a triangle, an empty dotted square. No two are told apart
// by colour alone.
func (m *markup) mark(p part, x, y int) {
	at := func(format string, args ...any) { m.b = fmt.Appendf(m.b, format, args...) }
	switch p {
	case partProven:
		at(`<circle class="mark proven" cx="%d" cy="%d" r="8"/><path class="glyph" d="M%d %dl3 3l5 -6"/>`, x, y, x-4, y)
	case partFailing:
		at(`<rect class="mark failing" x="%d" y="%d" width="16" height="16"/><path class="failing glyph" d="M%d %dl8 8m0 -8l-8 8"/>`,
			x-8, y-8, x-4, y-4)
	case partOpen:
		at(`<path class="mark open" d="M%d %dl9 16h-18z"/>`, x, y-9)
	default:
		at(`<rect class="mark undisclosed" x="%d" y="%d" width="14" height="14"/>`, x-7, y-7)
	}
}
