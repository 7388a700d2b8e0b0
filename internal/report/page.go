package report

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// A page collects paragraphs. Only the first line of a paragraph or item starts at its margin: what an input says, quoted
// somewhere behind it, never does.
type page struct {
	text      []byte
	width     int
	color     bool
	oneSource bool // places name no source: there is one, and the table has named it
}

// paragraph adds s as a paragraph of its own.
func (p *page) paragraph(s string) {
	p.gap()
	p.line(s)
}

// gap separates what follows from what stands there.
func (p *page) gap() {
	if len(p.text) > 0 {
		p.text = append(p.text, '\n')
	}
}

func (p *page) line(s string) { p.text = terminal.Wrap(p.text, "", "    ", s, p.width) }

func (p *page) item(s string) { p.text = terminal.Wrap(p.text, "  ", "      ", s, p.width) }

func (p *page) detail(s string) { p.text = terminal.Wrap(p.text, "      ", "        ", s, p.width) }

// paint colours a word where colour is wanted.
func (p *page) paint(s string, c terminal.Color) string {
	if !p.color {
		return s
	}
	return terminal.Paint(s, c)
}

// place names a record; record 0 is the source itself.
func (p *page) place(quotedSource string, record uint64) string {
	switch {
	case record == 0:
		return quotedSource
	case p.oneSource:
		return fmt.Sprintf("record %d", record)
	}
	return fmt.Sprintf("%s record %d", quotedSource, record)
}

// items adds a list under a title.
func (p *page) items(title string, list []item) {
	p.paragraph(title)
	for i := range list {
		it := &list[i]
		p.item(fmt.Sprintf("%s %s at %s%s", p.paint(it.mark, it.color), it.what, p.place(it.source, it.record), it.where))
		for _, line := range it.body {
			p.detail(line)
		}
	}
}
