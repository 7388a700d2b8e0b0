package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

const (
	// maxJSONShown is how much of a value is shown to people.
	maxJSONShown = 200
	// around is how much of a long string is shown on either side of the first character that differs.
	around = 24
)

func (r *vectorsRun) text(env *environment, out *output) []byte {
	width := env.columnsOf(out)
	if width == 0 {
		width = 1 << 16 // a file is not wrapped: its lines are found again
	}
	width = max(width, terminal.MinWidth)
	b := terminal.Wrap(nil, "", "    ", r.who(), width)
	for _, note := range r.Notes {
		b = terminal.Wrap(b, "", "    ", "note: "+note, width)
	}
	failed := r.failed()
	for i, c := range failed {
		if i == r.limit() {
			b = fmt.Appendf(b, "\n… and %d more, see --limit and --format json\n", len(failed)-i)
			break
		}
		head := escape(fmt.Sprintf("%s %s (%s): %s", strings.ToUpper(string(c.Outcome)), c.Case.ID, c.Case.Op, c.Case.Title))
		if env.useColor(out) {
			head = terminal.Paint(head, terminal.Red)
		}
		b = append(append(append(b, '\n'), head...), '\n')
		for _, line := range r.story(c) {
			b = terminal.Wrap(b, "  ", "      ", line, width)
		}
	}
	b = append(b, '\n')
	for _, line := range r.foot() {
		b = terminal.Wrap(b, "", "    ", line, width)
	}
	return b
}

// who says what was run. Its own words about itself are quoted.
func (r *vectorsRun) who() string {
	return fmt.Sprintf("%s %s: %s, algorithms %s", quote(r.Hello.Name), quote(r.Hello.Version), counted(len(r.Hello.Ops), "op"), quoteWords(r.Hello.Algorithms))
}

func quoteWords(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	var list []string
	for _, w := range words {
		list = append(list, quote(w))
	}
	return strings.Join(list, ", ")
}

// story says what is wrong with a case, a line each.
func (r *vectorsRun) story(c *testvectors.RunCase) []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	if c.Outcome == testvectors.OutcomeUnexpectedPass {
		return []string{"passes, and is on the list of expected failures"}
	}
	if c.Fault != testvectors.FaultAnswer {
		say("%s: %s", c.Fault, terminal.Escape(c.Detail, maxDetailShown))
	}
	for _, line := range c.Said {
		say("stderr: %s", terminal.Quote(line, maxJSONShown))
	}
	if c.Got != nil && c.Fault == testvectors.FaultAnswer {
		want, got := c.Case.Expect.String(), c.Got.String()
		long := max(len(want), len(got)) > maxJSONShown
		if long {
			say("%s", differenceText(c.Answer))
		} else {
			say("want %s", cut(want))
			say("got  %s", cut(got))
		}
		if c.Detail != "" {
			say("it says %s", terminal.Escape(c.Detail, maxDetailShown))
		}
	}
	for _, cause := range c.Causes {
		say("likely cause: %s: %s", cause, causeMeaning(cause))
	}
	switch {
	case len(c.Causes) > 0:
	case c.Step != nil:
		say("first step that differs: %s", differenceText(c.Step))
		if len(c.RightSteps) > 0 {
			say("right before it: %s", strings.Join(c.RightSteps, ", "))
		}
	case len(c.RightSteps) > 0:
		say("its steps are right (%s): the mistake is behind them", strings.Join(c.RightSteps, ", "))
	}
	say("why the case is there: %s (%s; %s)", c.Case.Why, strings.Join(c.Case.Rules, ", "), strings.Join(c.Case.Flags, ", "))
	return lines
}

// maxDetailShown is how much of a detail is shown: the words and what they quote.
const maxDetailShown = 1000

// causeMeaning is what the list of causes says of one.
func causeMeaning(cause string) string {
	for _, e := range archive.Explain(cause) {
		if e.Set == "causes" {
			return fmt.Sprintf("%s Seen in %s.", e.Proves, strings.Join(e.Causes, "; "))
		}
	}
	return "a cause that is not known here"
}

func cut(json string) string { return terminal.Escape(json, maxJSONShown) }

// differenceText says where two values differ.
func differenceText(d *testvectors.Difference) string {
	switch {
	case d.Want == "":
		return fmt.Sprintf("%s: want nothing there, got %s", d.Path, cut(d.Got))
	case d.Got == "":
		return fmt.Sprintf("%s: want %s, got nothing there", d.Path, cut(d.Want))
	case d.At < 0:
		return fmt.Sprintf("%s: want %s, got %s", d.Path, cut(d.Want), cut(d.Got))
	}
	return fmt.Sprintf("%s differs from character %d on: want %s, got %s", d.Path, d.At, window(d.Want, d.At), window(d.Got, d.At))
}

// window is the part of a JSON string around a character.
func window(json string, at int) string {
	text := strings.Trim(json, `"`)
	from, to := max(0, min(at-around, len(text))), min(at+around, len(text))
	part := text[from:to]
	if from > 0 {
		part = "…" + part
	}
	if to < len(text) {
		part += "…"
	}
	return terminal.Escape(part, maxJSONShown)
}

// foot says how many cases there were of each outcome, and what to do next.
func (r *vectorsRun) foot() []string {
	code, reason := r.Verdict()
	lines := []string{r.totals()}
	for _, l := range []struct {
		title string
		names func(*testvectors.RunCase) []string
	}{
		{"Likely causes", func(c *testvectors.RunCase) []string { return c.Causes }},
		{"Without a known cause", func(c *testvectors.RunCase) []string {
			if len(c.Causes) > 0 || c.Fault == "" {
				return nil
			}
			return []string{string(c.Fault)}
		}},
	} {
		if names := r.count(l.names); names != "" {
			lines = append(lines, l.title+": "+names)
		}
	}
	for _, l := range []struct {
		title   string
		outcome testvectors.Outcome
	}{
		{"Expected failures", testvectors.OutcomeExpectedFailure}, {"May differ, and do", testvectors.OutcomeMayDiffer},
		{"Skipped for want of an algorithm", testvectors.OutcomeSkipped},
	} {
		if ids := idsOf(r.with(l.outcome)); ids != "" {
			lines = append(lines, l.title+": "+ids)
		}
	}
	lines = append(lines, r.unsupported()...)
	if r.Restarts > 0 {
		lines = append(lines, fmt.Sprintf("Started again: %d times", r.Restarts))
	}
	if s := r.flags.shuffle.String(); s != "" {
		lines = append(lines, "Order: --shuffle "+s)
	}
	if failed := r.failed(); len(failed) > 0 {
		lines = append(lines, fmt.Sprintf("One case again: %s vectors run --only %s -- %s", program, failed[0].Case.ID, commandText(r.command)))
	}
	return append(lines, fmt.Sprintf("exit %d: %s", code, terminal.Escape(reason, maxDetailShown)))
}

func (r *vectorsRun) totals() string {
	t := r.Totals()
	parts := []string{}
	for _, o := range testvectors.Outcomes() {
		if t[o] > 0 || o == testvectors.OutcomePassed || o == testvectors.OutcomeFailed || o == testvectors.OutcomeUnsupported || o == testvectors.OutcomeMayDiffer {
			parts = append(parts, fmt.Sprintf("%s %d", o, t[o]))
		}
	}
	return fmt.Sprintf("Cases: %d: %s", len(r.Cases), strings.Join(parts, ", "))
}

// count counts failures by the names that each has, the most frequent first.
func (r *vectorsRun) count(namesOf func(*testvectors.RunCase) []string) string {
	counts := make(map[string]int)
	for _, c := range r.with(testvectors.OutcomeFailed, testvectors.OutcomeExpectedFailure) {
		for _, name := range namesOf(c) {
			counts[name]++
		}
	}
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int { return counts[b] - counts[a] })
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %d", name, counts[name])
	}
	return strings.Join(names, ", ")
}

// unsupported names the ops that the implementation does not list, and the cases of a listed op that it says it does not support.
func (r *vectorsRun) unsupported() []string {
	ops := make(map[string]int)
	var said []*testvectors.RunCase
	for _, c := range r.with(testvectors.OutcomeUnsupported) {
		if slices.Contains(r.Hello.Ops, c.Case.Op) {
			said = append(said, c)
			continue
		}
		ops[c.Case.Op]++
	}
	var lines []string
	if len(ops) > 0 {
		var parts []string
		for _, op := range slices.Sorted(maps.Keys(ops)) {
			parts = append(parts, fmt.Sprintf("%s (%d)", op, ops[op]))
		}
		lines = append(lines, "Ops that its hello does not list: "+strings.Join(parts, ", "))
	}
	if ids := idsOf(said); ids != "" {
		lines = append(lines, "Unsupported of ops that it lists: "+ids)
	}
	return lines
}

const maxIDs = 20

func idsOf(cases []*testvectors.RunCase) string {
	var ids []string
	for i, c := range cases {
		if i == maxIDs {
			return fmt.Sprintf("%s and %d more", strings.Join(ids, ", "), len(cases)-i)
		}
		ids = append(ids, c.Case.ID)
	}
	return strings.Join(ids, ", ")
}

// commandText is a command as a shell takes it, where its words need no more than blanks between them; others are quoted.
func commandText(words []string) string {
	list := slices.Clone(words)
	for i, w := range list {
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,@+") != "" {
			list[i] = quote(w)
		}
	}
	return strings.Join(list, " ")
}

func (r *vectorsRun) markdown() []byte {
	code, reason := r.Verdict()
	b := report.AppendMarkdown([]byte("## "), fmt.Sprintf("Vectors against %s: exit code %d", quote(r.Hello.Name), code))
	b = report.AppendMarkdown(append(b, "\n\n"...), reason)
	b = append(b, "\n\n|"...)
	t := r.Totals()
	for _, o := range testvectors.Outcomes() {
		b = fmt.Appendf(b, " %s |", strings.ReplaceAll(string(o), "_", " "))
	}
	b = append(append(b, "\n|"...), strings.Repeat(" ---: |", len(testvectors.Outcomes()))...)
	b = append(b, "\n|"...)
	for _, o := range testvectors.Outcomes() {
		b = fmt.Appendf(b, " %d |", t[o])
	}
	b = append(b, '\n')
	failed := r.failed()
	for i, c := range failed {
		if i == r.limit() {
			b = fmt.Appendf(b, "\nand %d more\n", len(failed)-i)
			break
		}
		b = report.AppendMarkdown(append(b, "\n### "...), fmt.Sprintf("%q: %s", c.Case.ID, c.Case.Title))
		b = append(b, "\n\n"...)
		for _, line := range r.story(c) {
			b = append(report.AppendMarkdown(append(b, "* "...), line), '\n')
		}
	}
	b = append(b, '\n')
	for _, line := range append(r.Notes, r.foot()...) {
		b = append(report.AppendMarkdown(append(b, "* "...), line), '\n')
	}
	return b
}
