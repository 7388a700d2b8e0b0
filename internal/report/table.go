package report

import (
	"bytes"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// maxTallies is how many rows the table of counts has.
const maxTallies = 20

// columnGap stands between the columns of a table.
const columnGap = 2

// A row is one frame of the table of frames, or an answer without any.
type row struct {
	source   string
	record   uint64
	position int // -1 without frames
	frameID  string
	state    archive.State
	content  archive.Content
	class    archive.Class
}

// addRow keeps a row while they are few. f is nil for an answer without frames.
func (t *Text) addRow(a *archive.Answer, f *archive.Frame) {
	if t.many || len(t.rows) == fewFrames {
		t.many, t.rows = true, nil
		return
	}
	r := row{source: clipSource(a.Source), record: a.Record, position: -1, state: archive.StateUnattested, class: a.Class}
	switch {
	case f != nil:
		r.position, r.frameID, r.state, r.content, r.class = f.Position, clip(f.FrameID), f.State, f.Content, f.Class
		r.frameID = strings.Clone(r.frameID)
	default:
		r.state = a.EmptyState()
	}
	t.rows = append(t.rows, r)
}

// maxSource is the longest name of a source that is told apart in full: longer ones no system opens.
const maxSource = 4096

func clipSource(s string) string {
	if len(s) <= maxSource {
		return s
	}
	return strings.Clone(clip(s))
}

// A column of a table. Where the table is too wide, what comes from an input gives way.
type column struct {
	name   string
	right  bool
	quoted bool // its cells are texts of an input, which the table quotes and cuts
}

// A cell is one place of a table.
type cell struct {
	text  string
	plain bool // of a quoted column: text of our own
	color terminal.Color
}

func (t *Text) writeTable(p *page) {
	if t.many {
		t.writeTallies(p)
		return
	}
	t.writeRows(p)
}

// writeRows writes a row a frame, under the name of the source.
func (t *Text) writeRows(p *page) {
	columns := []column{
		{name: "RECORD", right: true}, {name: "FRAME", right: true}, {name: "FRAME_ID", quoted: true}, {name: "STATE"},
		{name: "CONTENT"}, {name: "CLASS"},
	}
	var cells [][]cell
	constructed := false
	for _, r := range t.rows {
		position, id, content := strconv.Itoa(r.position), cell{text: r.frameID}, string(r.content)
		if r.position < 0 {
			position, id, content = "", cell{text: "(no frames)", plain: true}, ""
		}
		cells = append(cells, []cell{
			{text: strconv.FormatUint(r.record, 10)}, {text: position}, id, {text: string(r.state)}, {text: content},
			{text: string(r.class), color: classColor(r.class)},
		})
		constructed = constructed || r.state == archive.StateConstructed
	}
	lines := p.table(columns, cells)
	for i, r := range t.rows {
		if i == 0 || r.source != t.rows[i-1].source {
			p.paragraph("Source " + quote(r.source) + ":")
			p.text = append(p.text, lines[0]...)
		}
		p.text = append(p.text, lines[i+1]...)
	}
	p.explain(constructed)
}

// writeTallies writes a row for each state and key.
func (t *Text) writeTallies(p *page) {
	list := t.proofs.sum(func(pr proof) (proof, bool) {
		pr.content, pr.declared = "", proof{}.declared
		return pr, true
	})
	columns := []column{
		{name: "FRAMES", right: true}, {name: "STATE"}, {name: "CLASS"}, {name: "KEY_ID", quoted: true},
		{name: "TRUSTED FOR", quoted: true},
	}
	var cells [][]cell
	var rest, restKeys uint64
	constructed := false
	for i, l := range list {
		if i >= maxTallies {
			rest += l.frames
			restKeys++
			continue
		}
		cells = append(cells, []cell{
			{text: strconv.FormatUint(l.frames, 10)}, {text: string(l.state)},
			{text: string(l.class), color: classColor(l.class)}, l.keyCell(), l.holderCell(),
		})
		constructed = constructed || l.state == archive.StateConstructed
	}
	if len(cells) == 0 {
		return
	}
	p.gap()
	for _, line := range p.table(columns, cells) {
		p.text = append(p.text, line...)
	}
	if rest > 0 {
		p.item(count(rest, "more frame", "more frames") + " in " + count(restKeys, "more row", "more rows") + " like these.")
	}
	p.explain(constructed)
}

func (s signer) keyCell() cell {
	switch {
	case s.others:
		return cell{text: "(further keys)", plain: true}
	case s.tier == "" && s.keyID == "":
		return cell{plain: true}
	}
	return cell{text: s.keyID}
}

func (s signer) holderCell() cell {
	switch {
	case s.tier == "" || s.others:
		return cell{plain: true}
	case s.tier == archive.TierPublished:
		return cell{text: "nobody", plain: true}
	case s.trustedFor == archive.AnyProvider:
		return cell{text: "any provider", plain: true}
	}
	return cell{text: s.trustedFor}
}

// explain says what a table with constructed frames leaves open.
func (p *page) explain(constructed bool) {
	if constructed {
		p.line(string(archive.StateConstructed) + ": " + notEstablished + ".")
	}
}

// table lays cells out in the page's width and returns the lines, the header first. Cells come quoted and cut, so that they are
// one line each. Nothing stands behind the last word of a line.
func (p *page) table(columns []column, cells [][]cell) []string {
	widths := p.columnWidths(columns, cells)
	texts := make([][]cell, 1, 1+len(cells))
	for _, column := range columns {
		texts[0] = append(texts[0], cell{text: column.name})
	}
	for _, row := range cells {
		fitted := make([]cell, len(row))
		for c, cell := range row {
			fitted[c] = cell
			fitted[c].text = cell.fit(columns[c], widths[c])
		}
		texts = append(texts, fitted)
	}
	for c := range widths { // a quoted text may have been cut to less than there is room
		widths[c] = 0
		for _, row := range texts {
			widths[c] = max(widths[c], terminal.Width(row[c].text))
		}
	}
	lines := make([]string, len(texts))
	for i, row := range texts {
		var line []byte
		for c, cell := range row {
			padding := strings.Repeat(" ", widths[c]-terminal.Width(cell.text))
			if columns[c].right {
				line = append(line, padding...)
			}
			line = append(line, p.paint(cell.text, cell.color)...)
			if !columns[c].right {
				line = append(line, padding...)
			}
			line = append(line, strings.Repeat(" ", columnGap)...)
		}
		lines[i] = string(append(bytes.TrimRight(line, " "), '\n'))
	}
	return lines
}

// fit is the text of a cell in a column of so many columns of the terminal.
func (c cell) fit(in column, width int) string {
	if in.quoted && !c.plain {
		return terminal.Fit(c.text, width)
	}
	return c.text
}

// columnWidths gives every column what it needs, and where that is too much cuts the quoted ones down to equal shares.
func (p *page) columnWidths(columns []column, cells [][]cell) []int {
	widths := make([]int, len(columns))
	room := p.width - columnGap*(len(columns)-1)
	quoted := 0
	for c := range columns {
		widths[c] = terminal.Width(columns[c].name)
		for _, row := range cells {
			widths[c] = max(widths[c], terminal.Width(row[c].fit(columns[c], p.width)))
		}
		if columns[c].quoted {
			quoted++
		} else {
			room -= widths[c]
		}
	}
	for c := range columns {
		if !columns[c].quoted {
			continue
		}
		widths[c] = min(widths[c], max(room/quoted, 0))
		room -= widths[c]
		quoted--
	}
	return widths
}
