package report

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

//go:embed assets/report.css
var styleSheet string

//go:embed assets/report.js
var script string

// HTML writes a run as one page for a browser, which needs nothing beside itself: the verdict, counts, a chart, tables that a
// script filters and sorts, the trees of the worst answers. The page is whole without the script. Everything is written in
// Close.
type HTML struct {
	w     io.Writer
	run   digested
	tool  Tool
	chart chart
	trees keeper[tree]
}

// NewHTML starts a report that lists at most limit frames, and as many findings; 0 is 1,000.
func NewHTML(w io.Writer, h archive.Header, tool Tool, limit int) *HTML {
	return &HTML{
		w: w, run: digest(h, limit), tool: tool, chart: newChart(), trees: newKeeper[tree](maxTrees, len(classRanks)),
	}
}

// Answer implements archive.Sink.
func (h *HTML) Answer(a *archive.Answer) error {
	h.run.take(a)
	h.chart.take(a)
	if a.Root != nil {
		h.trees.add(rankOfClass(a.Class), func() tree { return treeOf(a) })
	}
	return nil
}

// Error implements archive.Sink.
func (h *HTML) Error(e *archive.RecordError) error {
	h.run.takeError(e)
	h.chart.takeError(e)
	return nil
}

// Close writes the report.
func (h *HTML) Close(s *archive.Summary) error {
	h.run.takeInputs(s)
	h.chart.end()
	m := &markup{}
	h.writeHead(m, s)
	for _, part := range []func(){
		func() { h.writeVerdict(m, s) },
		func() { h.chart.write(m) },
		func() { h.writeFindings(m) },
		func() { h.writeFrames(m) },
		func() { h.writeTrees(m) },
		func() { writeTallies(m, s) },
		func() { h.writePolicy(m) },
		func() { h.writeFoot(m) },
	} {
		part()
		if _, err := h.w.Write(m.b); err != nil {
			return fmt.Errorf("report: %w", err)
		}
		m.b = m.b[:0]
	}
	return nil
}

// admitted is the source by which a policy of the page admits a style sheet or a script (CSP3 §2.3.1).
func admitted(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// sections are the parts of the page that its navigation leads to: the name of the anchor and the title.
var sections = [][2]string{
	{"verdict", "Verdict"}, {"sources", "States by source"}, {"findings", "Findings"}, {"frames", "Frames"},
	{"trees", "Trees"}, {"counts", "Counts"}, {"policy", "Policy and keys"}, {"limits", "Not covered"},
}

func (h *HTML) writeHead(m *markup, s *archive.Summary) {
	m.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src ", admitted(styleSheet), "; script-src ",
		admitted(script), "; base-uri 'none'; form-action 'none'\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n",
		"<meta name=\"referrer\" content=\"no-referrer\">\n<title>", headline(s), " (exit code ", strconv.Itoa(s.ExitCode), "): report on saved answers</title>\n",
		"<style>", styleSheet, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header>\n",
		"<h1>Report on saved answers</h1>\n<nav aria-label=\"Sections\">\n<ul>\n")
	for _, sec := range sections {
		m.raw("<li><a href=\"#", sec[0], "\">", sec[1], "</a></li>\n")
	}
	m.raw("</ul>\n</nav>\n</header>\n<main id=\"main\" tabindex=\"-1\">\n")
}

// section starts a section of the page under its title.
func (m *markup) section(anchor string) {
	for _, sec := range sections {
		if sec[0] == anchor {
			m.raw("<section aria-labelledby=\"", anchor, "\">\n<h2 id=\"", anchor, "\">", sec[1], "</h2>\n")
		}
	}
}

func (m *markup) sectionEnd() { m.raw("</section>\n") }

// tone is the class of the page's verdict.
func tone(s *archive.Summary) archive.Class {
	switch s.ExitCode {
	case archive.ExitGood:
		return archive.ClassGood
	case archive.ExitUnchecked:
		return archive.ClassUnchecked
	case archive.ExitUnreadable:
		return archive.ClassUnreadable
	}
	return archive.ClassNegative
}

// headline says in a few words what the exit code says with a number.
func headline(s *archive.Summary) string {
	switch s.ExitCode {
	case archive.ExitGood:
		return "Everything met the policy"
	case archive.ExitNegative:
		return "Something is wrong"
	case archive.ExitUnchecked:
		return "Not everything is proven"
	case archive.ExitUnreadable:
		return "Some of it could not be read"
	case archive.ExitInterrupted:
		return "Interrupted: partial"
	}
	return "Internal error"
}

func (h *HTML) writeVerdict(m *markup, s *archive.Summary) {
	m.section("verdict")
	m.raw("<div class=\"verdict ", string(tone(s)), "\">\n<p class=\"exit\">", headline(s), " <small>exit code <data id=\"exit-code\" value=\"",
		strconv.Itoa(s.ExitCode), "\">", strconv.Itoa(s.ExitCode), "</data></small></p>\n")
	if !s.Finished {
		m.element("p", "Partial: the run was interrupted, and this is what it had found by then.")
	}
	m.element(`p class="sentence"`, h.run.told.sentence(s))
	m.element("p", h.run.exitText(s))
	m.raw("</div>\n<dl class=\"counts\">\n")
	card := func(title string, n uint64) {
		m.raw("<div><dt>", title, "</dt><dd>")
		m.number(n)
		m.raw("</dd></div>\n")
	}
	card("frames", s.Frames)
	for _, c := range archive.Classes() {
		card(string(c), s.Classes[c])
	}
	card("answers", s.Answers)
	card("not read", s.Unreadable)
	for _, sev := range archive.Severities() {
		card(string(sev)+" findings", s.Findings[sev])
	}
	m.raw("</dl>\n")
	if hints := h.run.hints(s); len(hints) > 0 {
		m.raw("<h3>What to do next</h3>\n")
		m.list(hints)
	}
	if keys := h.run.lines(h.run.told.writeKeys); len(keys) > 0 {
		m.element("h3", keys[0])
		m.list(keys[1:])
	}
	m.sectionEnd()
}

// writeTallies writes every count.
func writeTallies(m *markup, s *archive.Summary) {
	m.section("counts")
	m.element("p", "These are of everything, whatever the lists above leave out. A name that is missing was counted 0 times.")
	m.raw("<div class=\"tallies\">\n")
	countTable(m, "Read", readNames, readCounts(s))
	countTable(m, "Classes of frames", archive.Classes(), s.Classes)
	countTable(m, "States of frames", archive.States(), s.States)
	countTable(m, "Answers without frames", archive.EmptyAnswerStates(), s.EmptyAnswers)
	countTable(m, "Evidence", archive.EvidenceStates(), s.Evidence)
	countTable(m, "Content", archive.Contents(), s.Content)
	if s.Provenance != nil {
		countTable(m, "Provenance", archive.LinkStatuses(), s.Provenance)
	}
	countTable(m, "Findings by severity", archive.Severities(), s.Findings)
	m.raw("</div>\n")
	if len(s.Ignored) > 0 {
		m.raw("<h3>Ignored in folders</h3>\n")
		m.element("p", quoteAll(s.Ignored)+others(s.IgnoredFiles, len(s.Ignored))+".")
	}
	m.sectionEnd()
}

// countTable writes a table of the counts that are not zero.
func countTable[K ~string](m *markup, title string, keys []K, counts map[K]uint64) {
	m.raw("<table><caption>", title, "</caption><thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"n\">number</th></tr></thead><tbody>\n")
	some := false
	for _, k := range keys {
		if n := counts[k]; n > 0 {
			some = true
			m.raw("<tr><th scope=\"row\">", beside(k), "</th><td class=\"n\">")
			m.number(n)
			m.raw("</td></tr>\n")
		}
	}
	if !some {
		m.raw("<tr><th scope=\"row\">all</th><td class=\"n\">0</td></tr>\n")
	}
	m.raw("</tbody></table>\n")
}

func (h *HTML) writePolicy(m *markup) {
	m.section("policy")
	m.list(h.run.lines(h.run.told.writePolicy))
	at := h.run.header.ReceivedAt
	if at != nil && at.Instant.String() == "" {
		m.element("p", fmt.Sprintf("received_at: the run took it from the %s and needed none, as no key has a window.", at.Source))
	}
	m.sectionEnd()
	m.section("limits")
	m.element("p", "No signature covers any of these:")
	m.list(archive.NotCovered())
	m.sectionEnd()
}

func (h *HTML) writeFoot(m *markup) {
	m.raw("</main>\n<footer>\n")
	m.element(`p class="quiet"`, fmt.Sprintf("Made by %s %s. This page asks for nothing from anywhere.",
		terminal.Escape(h.tool.Name, terminal.MaxEchoed), terminal.Escape(h.tool.Version, terminal.MaxEchoed)))
	m.raw("</footer>\n<script>", script, "</script>\n</body>\n</html>\n")
}
