package main

import (
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

// vectorsRunFormat is the format of a run as JSON.
const vectorsRunFormat = "cgp-attest-vectors-run/1"

// json is the whole run, every case of it.
func (r *vectorsRun) json() []byte {
	code, reason := r.Verdict()
	b := terminal.AppendJSON([]byte(`{"format":`), vectorsRunFormat)
	b = terminal.AppendJSON(append(b, ",\n\"tool\":{\"name\":"...), program)
	b = terminal.AppendJSON(append(b, `,"version":`...), readBuild().version)
	b = terminal.AppendJSON(append(b, "},\n\"vectors\":"...), testvectors.Format)
	b = appendWords(append(b, ",\n\"command\":"...), r.command)
	b = terminal.AppendJSON(append(b, ",\n\"implementation\":{\"name\":"...), r.Hello.Name)
	b = terminal.AppendJSON(append(b, `,"version":`...), r.Hello.Version)
	b = appendWords(append(b, `,"ops":`...), r.Hello.Ops)
	b = appendWords(append(b, `,"algorithms":`...), r.Hello.Algorithms)
	b = append(append(b, `,"limits":`...), r.Hello.Limits.String()...)
	b = appendWords(append(b, "},\n\"only\":"...), r.flags.only)
	b = fmt.Appendf(b, ",\n\"timeout_ms\":%d,\n\"shuffle\":", r.flags.timeout.Milliseconds())
	b = appendTextOrNull(b, r.flags.shuffle.String()) // a seed may be above 2^53−1
	b = append(b, ",\n\"cases\":["...)
	for i := range r.Cases {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRunCase(append(b, '\n'), &r.Cases[i])
	}
	b = appendWords(append(b, "],\n\"notes\":"...), r.Notes)
	b = fmt.Appendf(b, ",\n\"summary\":{\"cases\":%d", len(r.Cases))
	totals := r.Totals()
	for _, o := range testvectors.Outcomes() {
		b = fmt.Appendf(b, ",%q:%d", o, totals[o])
	}
	b = appendTextOrNull(fmt.Appendf(b, `,"restarts":%d,"given_up":`, r.Restarts), r.GaveUp)
	b = fmt.Appendf(b, `,"finished":%t,"exit_code":%d,"exit_reason":`, r.Finished, code)
	return append(terminal.AppendJSON(b, reason), "}}\n"...)
}

func appendWords(b []byte, words []string) []byte {
	b = append(b, '[')
	for i, w := range words {
		if i > 0 {
			b = append(b, ',')
		}
		b = terminal.AppendJSON(b, w)
	}
	return append(b, ']')
}

// appendRunCase appends a case; members that say nothing are left out.
func appendRunCase(b []byte, c *testvectors.RunCase) []byte {
	text := func(name, value string) {
		if value != "" {
			b = terminal.AppendJSON(fmt.Appendf(b, ",%q:", name), value)
		}
	}
	difference := func(name string, d *testvectors.Difference) {
		if d == nil {
			return
		}
		b = terminal.AppendJSON(fmt.Appendf(b, ",%q:{\"path\":", name), d.Path)
		if d.Want != "" {
			b = append(append(b, `,"want":`...), d.Want...)
		}
		if d.Got != "" {
			b = append(append(b, `,"got":`...), d.Got...)
		}
		if d.At >= 0 {
			b = fmt.Appendf(b, `,"at":%d`, d.At)
		}
		b = append(b, '}')
	}
	b = terminal.AppendJSON(append(b, `{"id":`...), c.Case.ID)
	text("class", c.Class)
	text("op", c.Case.Op)
	text("outcome", string(c.Outcome))
	text("fault", string(c.Fault))
	text("detail", c.Detail)
	if len(c.Said) > 0 {
		b = appendWords(append(b, `,"stderr":`...), c.Said)
	}
	if c.Fault != "" || c.Outcome == testvectors.OutcomeMayDiffer {
		b = append(append(b, `,"want":`...), c.Case.Expect.String()...)
		if c.Got != nil {
			b = append(append(b, `,"got":`...), c.Got.String()...)
		}
	}
	if len(c.Causes) > 0 {
		b = appendWords(append(b, `,"causes":`...), c.Causes)
	}
	difference("difference", c.Answer)
	difference("step", c.Step)
	if len(c.RightSteps) > 0 {
		b = appendWords(append(b, `,"right_steps":`...), c.RightSteps)
	}
	return append(b, '}')
}

// noTime stands where JUnit wants an instant or a duration: none is measured, so that equal runs have equal reports.
const noTime = `" timestamp="1970-01-01T00:00:00" hostname="localhost" time="0"`

// junit is the run for test reporters: a suite a class, a case a case, and one for what is wrong with the run itself.
func (r *vectorsRun) junit() []byte {
	b := []byte("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n")
	code, reason := r.Verdict()
	run := "passed"
	if code != 0 && len(r.failed()) == 0 {
		run = "error"
	}
	b = r.openSuite(b, 0, program+" vectors run", 1, 0, map[bool]int{true: 1}[run == "error"], 0)
	for _, p := range [][2]string{
		{"command", commandText(r.command)}, {"implementation", r.Hello.Name + " " + r.Hello.Version}, {"exit_code", strconv.Itoa(code)},
		{"exit_reason", reason}, {"shuffle", r.flags.shuffle.String()}, {"only", strings.Join(r.flags.only, " ")},
	} {
		b = report.AppendXML(fmt.Appendf(b, "<property name=%q value=\"", p[0]), p[1])
		b = append(b, "\"/>\n"...)
	}
	b = append(b, "</properties>\n"...)
	b = appendJUnitCase(b, "run", program, run, reason, nil)
	b = closeSuite(b, append(r.Notes, r.foot()...))
	var classes []string
	by := make(map[string][]*testvectors.RunCase)
	for i := range r.Cases {
		c := &r.Cases[i]
		if by[c.Class] == nil {
			classes = append(classes, c.Class)
		}
		by[c.Class] = append(by[c.Class], c)
	}
	for i, class := range classes {
		counts := make(map[string]int)
		for _, c := range by[class] {
			counts[junitOutcome(c)]++
		}
		b = r.openSuite(b, i+1, class, len(by[class]), counts["failure"], counts["error"], counts["skipped"])
		b = append(b, "</properties>\n"...)
		for _, c := range by[class] {
			message, lines := c.Case.Title, []string(nil)
			outcome := junitOutcome(c)
			switch outcome {
			case "failure", "error":
				lines = r.story(c)
			case "skipped":
				message = string(c.Outcome)
			}
			b = appendJUnitCase(b, c.Case.ID, class, outcome, message, lines)
		}
		b = closeSuite(b, nil)
	}
	return append(b, "</testsuites>\n"...)
}

// junitOutcome is a failure for a wrong answer, an error for none, skipped for what was not judged.
func junitOutcome(c *testvectors.RunCase) string {
	switch c.Outcome {
	case testvectors.OutcomePassed, testvectors.OutcomeMayDiffer:
		return "passed"
	case testvectors.OutcomeFailed, testvectors.OutcomeUnexpectedPass:
		if c.Fault == testvectors.FaultAnswer || c.Outcome == testvectors.OutcomeUnexpectedPass {
			return "failure"
		}
		return "error"
	}
	return "skipped"
}

func (r *vectorsRun) openSuite(b []byte, id int, name string, tests, failures, errors, skipped int) []byte {
	b = report.AppendXML(append(b, `<testsuite name="`...), name)
	b = append(b, noTime...)
	return fmt.Appendf(b, ` package="%s" id="%d" tests="%d" failures="%d" errors="%d" skipped="%d">`+"\n<properties>\n", program, id, tests, failures, errors, skipped)
}

func closeSuite(b []byte, lines []string) []byte {
	b = append(b, "<system-out>"...)
	for _, line := range lines {
		b = append(report.AppendXML(b, line), '\n')
	}
	return append(b, "</system-out>\n<system-err></system-err>\n</testsuite>\n"...)
}

func appendJUnitCase(b []byte, name, class, outcome, message string, lines []string) []byte {
	b = report.AppendXML(append(b, `<testcase name="`...), name)
	b = report.AppendXML(append(b, `" classname="`...), class)
	b = append(b, `" time="0"`...)
	if outcome == "passed" {
		return append(b, "/>\n"...)
	}
	b = report.AppendXML(append(append(append(b, "><"...), outcome...), ` message="`...), message)
	b = append(b, '"')
	if outcome != "skipped" {
		b = append(append(append(b, ` type="`...), outcome...), '"')
	}
	b = append(b, '>')
	for i, line := range lines {
		if i > 0 {
			b = append(b, '\n')
		}
		b = report.AppendXML(b, line)
	}
	return append(append(append(b, "</"...), outcome...), "></testcase>\n"...)
}
