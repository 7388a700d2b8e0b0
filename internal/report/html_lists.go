package report

import (
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A choice of a filter: the attribute of the rows that it compares, and what it may be.
type choice struct {
	name, title string
	values      []string
}

// filter writes the controls of a table, which only the script shows.
func (m *markup) filter(table, title string, choices ...choice) {
	m.raw("<form class=\"filter\" role=\"search\" aria-label=\"", title, "\" data-table=\"", table, "\" hidden>\n",
		"<label>Text <input type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label>\n")
	for _, c := range choices {
		m.raw("<label>", c.title, " <select name=\"", c.name, "\"><option value=\"\">any</option>")
		for _, v := range c.values {
			m.raw("<option>", v, "</option>")
		}
		m.raw("</select></label>\n")
	}
	m.raw("<output aria-live=\"polite\"></output>\n</form>\n")
}

// tableHead starts a table of rows that the script may sort.
func (m *markup) tableHead(id, caption string, columns []string) {
	m.raw("<table class=\"rows\" role=\"table\" id=\"", id, "\"><caption>")
	m.text(caption)
	m.raw("</caption>\n<thead role=\"rowgroup\"><tr role=\"row\">")
	for _, c := range columns {
		m.raw("<th role=\"columnheader\" scope=\"col\">", c, "</th>")
	}
	m.raw("</tr></thead>\n<tbody role=\"rowgroup\">\n")
}

func (m *markup) tableEnd() { m.raw("</tbody></table>\n") }

// rank starts the first cell of a row, by which it is sorted as it stands.
func (m *markup) rank(rank int, name, word string) {
	class := strings.ReplaceAll(word, " ", "-")
	m.raw("<td role=\"cell\" data-name=\"", name, "\" data-rank=\"", strconv.Itoa(rank), "\"><b class=\"", class, "\">", word, "</b></td>")
}

// cell starts a cell under a column of the name.
func (m *markup) cell(name string) { m.raw("<td role=\"cell\" data-name=\"", name, "\">") }

func (m *markup) cellEnd() { m.raw("</td>") }

func (h *HTML) writeFindings(m *markup) {
	found := &h.run.found
	m.section("findings")
	defer m.sectionEnd()
	if found.sum() == 0 {
		m.element("p", "Nothing was found, and everything could be read.")
		return
	}
	marks := make([]string, 0, len(findingRanks))
	shown := make([]uint64, len(findingRanks))
	for rank, mark := range findingMarks {
		shown[rank] = uint64(len(found.kept[rank]))
		if shown[rank] > 0 {
			marks = append(marks, mark)
		}
	}
	m.filter("findings-table", "Filter the findings", choice{"mark", "Severity", marks})
	remedy := remedyOf(found.full())
	if why := h.run.codes.reason(); why != "" {
		remedy = why + ", --format json shows all"
	}
	m.writeLeftOut(leftOut(found.total, shown, findingsOut, findingRanks), remedy)
	m.tableHead("findings-table", "What was found and what could not be read, the gravest first",
		[]string{"Severity", "Code", "Where", "Detail"})
	found.each(func(rank int, f *shownFinding) bool {
		m.raw("<tr role=\"row\" data-mark=\"", findingMarks[rank], "\">")
		m.rank(rank, "Severity", findingMarks[rank])
		m.cell("Code")
		m.text(f.code)
		m.raw("</td><td role=\"cell\" data-name=\"Where\">")
		m.text(f.place())
		m.raw("</td><td role=\"cell\" data-name=\"Detail\">")
		m.text(f.detail)
		m.raw("</td></tr>\n")
		return true
	})
	m.tableEnd()
}

// findingMarks name the ranks of findings in the page.
var findingMarks = []string{
	rankError: string(archive.SeverityError), rankUnread: notRead, rankWarning: string(archive.SeverityWarning),
	rankNote: string(archive.SeverityNote),
}

// writeLeftOut says what a list leaves out, and what shows it.
func (m *markup) writeLeftOut(text, remedy string) {
	if text != "" {
		m.element("p", "Not shown here: "+text+". The counts are of everything; "+remedy+".")
	}
}

// remedyOf says what shows more of a list. A full one has no room for more, whatever its limit.
func remedyOf(full bool) string {
	if full {
		return "there is no room for more, --format json shows all"
	}
	return "--limit shows more"
}

func (h *HTML) writeFrames(m *markup) {
	frames := &h.run.frames
	m.section("frames")
	defer m.sectionEnd()
	if frames.sum() == 0 {
		m.element("p", "No frame was there to check.")
		return
	}
	var classes, states []string
	shown := make([]uint64, len(classRanks))
	present := make(map[archive.State]bool)
	frames.each(func(rank int, f *shownFrame) bool {
		shown[rank]++
		present[f.state] = true
		return true
	})
	for rank, c := range classRanks {
		if shown[rank] > 0 {
			classes = append(classes, string(c))
		}
	}
	for _, s := range archive.States() {
		if present[s] {
			states = append(states, string(s))
		}
	}
	m.filter("frames-table", "Filter the frames", choice{"class", "Class", classes}, choice{"state", "State", states})
	m.writeLeftOut(leftOut(frames.total, shown, framesOut, classRanks), remedyOf(frames.full()))
	m.tableHead("frames-table", "Frames, and answers without any, the worst first",
		[]string{"Class", "State", "Frame", "Answer", "Key", "Evidence"})
	frames.each(func(rank int, f *shownFrame) bool {
		m.frameRow(rank, f)
		return true
	})
	m.tableEnd()
	if present[archive.StateConstructed] {
		m.element("p", string(archive.StateConstructed)+": "+notEstablished+".")
	}
}

func (m *markup) frameRow(rank int, f *shownFrame) {
	class := string(classRanks[rank])
	m.raw("<tr role=\"row\" data-class=\"", class, "\" data-state=\"")
	m.attr(string(f.state))
	m.raw("\">")
	m.rank(rank, "Class", class)
	m.cell("State")
	m.text(beside(f.state))
	if f.content != "" {
		m.raw("<br><span class=\"quiet\">content ")
		m.text(string(f.content))
		m.raw("</span>")
	}
	m.cellEnd()
	m.cell("Frame")
	if f.position < 0 {
		m.raw("no frames")
	} else {
		m.text(strconv.Itoa(f.position))
		m.raw(" <span class=\"id\">")
		m.text(f.frameID)
		m.raw("</span>")
	}
	m.cellEnd()
	m.cell("Answer")
	m.text(f.place())
	m.cellEnd()
	m.cell("Key")
	if f.signer == "" {
		m.raw("none verified")
	}
	m.text(f.signer)
	m.cellEnd()
	m.cell("Evidence")
	m.evidence(f)
	m.raw("</td></tr>\n")
}

// evidence writes what stands behind the state of a frame, folded.
func (m *markup) evidence(f *shownFrame) {
	if len(f.evidence) == 0 && f.fault == "" && f.digest == "" && len(f.links) == 0 {
		m.raw("none")
		return
	}
	title := "no evidence"
	if n := len(f.evidence) + f.more; n > 0 {
		title = count(uint64(n), "piece", "pieces")
	}
	m.raw("<details><summary>", title, "</summary><ul class=\"evidence\">\n")
	if f.fault != "" {
		m.element("li", f.fault)
	}
	if f.digest != "" {
		m.raw("<li>content_digest <span class=\"hash\">")
		m.text(f.digest)
		m.raw("</span></li>\n")
	}
	for _, line := range f.links {
		m.element("li", line)
	}
	for i := range f.evidence {
		ev := &f.evidence[i]
		m.raw("<li>")
		m.text(ev.text)
		m.claims(ev.claims)
		m.raw("</li>\n")
	}
	if f.more > 0 {
		m.element("li", fmt.Sprintf("%s not shown here", count(uint64(f.more), "more piece is", "more pieces are")))
	}
	m.raw("</ul></details>")
}

// claims sets apart what an attestation says and nothing covers (CGP F18).
func (m *markup) claims(text string) {
	if text == "" {
		return
	}
	m.raw("<span class=\"claims\"><b>Unverified claims</b> ")
	m.text(text)
	m.raw("</span>")
}
