package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	bold   = "\x1b[1m"
	normal = "\x1b[0m"

	columns    = 80
	charWidth  = 8.4 // of a font of 14 pixels, which textLength below holds every viewer to
	lineHeight = 19
	margin     = 16
)

// styles are those of the sequences that a run sends and the picture knows: plain, bold, and the colours of package terminal.
var styles = map[string]string{
	"0": "", "39": "",
	"1":  ` font-weight="bold" fill="#ffffff"`,
	"31": ` fill="#ff7b72"`,
	"32": ` fill="#7ee787"`,
	"33": ` fill="#e3b341"`,
	"36": ` fill="#79c0ff"`,
}

var sequence = regexp.MustCompile(`\x1b\[([0-9;]*)m`)

// draw returns an SVG image of the lines. A sequence that it does not know, or a line of more columns than the picture has, is an
// error: it would show something else than the terminal.
func draw(lines []string) ([]byte, error) {
	width, height := int(2*margin+columns*charWidth), 2*margin+len(lines)*lineHeight
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="title">`+"\n", width, height)
	fmt.Fprintf(&b, `<title id="title">A terminal in which an answer is signed, verified, edited and verified again</title>`+"\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#0d1117"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14" fill="#c9d1d9">`+"\n")
	style := ""
	for i, line := range lines {
		column := 0
		for line != "" {
			text := line
			found := sequence.FindStringSubmatchIndex(line)
			if found != nil {
				text = line[:found[0]]
			}
			if text != "" {
				n := utf8.RuneCountInString(text)
				if strings.TrimSpace(text) != "" {
					write(&b, text, column, i, n, style)
				}
				column += n
			}
			if found == nil {
				break
			}
			code := line[found[2]:found[3]]
			known, ok := styles[code]
			if !ok {
				return nil, fmt.Errorf("line %d has the sequence %q, which the picture has no style for", i+1, code)
			}
			style, line = known, line[found[1]:]
		}
		if column > columns {
			return nil, fmt.Errorf("line %d has %d columns, the picture has %d", i+1, column, columns)
		}
	}
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes(), nil
}

// write places one run of equal style. Its outer spaces move it and the inner ones become such as do not break,
// for not every viewer keeps the others.
func write(b *bytes.Buffer, text string, column, row, n int, style string) {
	lead := n - utf8.RuneCountInString(strings.TrimLeft(text, " "))
	text = strings.ReplaceAll(strings.Trim(text, " "), " ", "\u00a0")
	fmt.Fprintf(b, `<text x="%.1f" y="%d" textLength="%.1f"%s>`, margin+float64(column+lead)*charWidth, margin+row*lineHeight+14,
		float64(utf8.RuneCountInString(text))*charWidth, style)
	_ = xml.EscapeText(b, []byte(text)) // a bytes.Buffer takes everything
	b.WriteString("</text>\n")
}
