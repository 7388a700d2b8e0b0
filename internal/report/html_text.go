package report

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// A markup collects HTML. What markup itself is goes through raw, everything else through text or attr.
type markup struct{ b []byte }

// raw appends markup of our own, never anything from an input.
func (m *markup) raw(parts ...string) {
	for _, s := range parts {
		m.b = append(m.b, s...)
	}
}

// number appends a count.
func (m *markup) number(n uint64) { m.b = strconv.AppendUint(m.b, n, 10) }

// text appends s as text of an element. What does not show as itself is escaped first, so neither a control character nor one
// that turns the direction of writing is left; a run of letters that are written from right to left stands in an isolate, so that
// it cannot change the order of what stands around it (Unicode UAX 9 §2.4).
func (m *markup) text(s string) {
	isolated := false
	for rest := terminal.Escape(s, math.MaxInt); rest != ""; {
		run := leading(rest, !isolated)
		if isolated && run != "" {
			m.raw("<bdi>")
			m.attr(run)
			m.raw("</bdi>")
		} else {
			m.attr(run)
		}
		rest = rest[len(run):]
		isolated = !isolated
	}
}

// leading returns the start of s in which no letter is written from right to left, or, if that is not asked for, in which all
// are, with the spaces between them.
func leading(s string, without bool) string {
	end := 0
	for i, r := range s {
		switch right := unicode.In(r, rightToLeft...); {
		case without && right:
			return s[:i]
		case !without && right:
			end = i + len(string(r))
		case !without && r != ' ':
			return s[:end]
		}
	}
	if without {
		return s
	}
	return s[:end]
}

// rightToLeft are the scripts that are written so.
var rightToLeft = []*unicode.RangeTable{{
	R16: []unicode.Range16{{Lo: 0x0590, Hi: 0x08ff, Stride: 1}, {Lo: 0xfb1d, Hi: 0xfdff, Stride: 1}, {Lo: 0xfe70, Hi: 0xfefc, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x10800, Hi: 0x10fff, Stride: 1}, {Lo: 0x1e800, Hi: 0x1efff, Stride: 1}},
}}

// entities are the characters that could end a text or a value between quotation marks, or begin something else in it.
var entities = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;")

// attr appends s as text of an attribute's value between quotation marks.
func (m *markup) attr(s string) {
	m.b = append(m.b, entities.Replace(s)...)
}

// element appends an element that holds nothing but text. Its start tag is markup of our own, without the brackets.
func (m *markup) element(start, s string) {
	name, _, _ := strings.Cut(start, " ")
	m.raw("<", start, ">")
	m.text(s)
	m.raw("</", name, ">\n")
}

// list appends texts as a list, nothing where there are none.
func (m *markup) list(texts []string) {
	if len(texts) == 0 {
		return
	}
	m.raw("<ul>\n")
	for _, s := range texts {
		m.element("li", s)
	}
	m.raw("</ul>\n")
}
