package report

import (
	"fmt"
	"io"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// MaxMarkdown is how many bytes a Markdown report has at most: what a CI system takes as the summary of a job.
const MaxMarkdown = 1 << 20

// markdownEnds is what is kept free of lists for what ends them and says what they leave out.
const markdownEnds = 4 << 10

// Markdown writes a run for the summary of a CI job, in the Markdown of GitHub and GitLab: counts, the verdict in one sentence,
// what is wrong with the gravest first, and folded what stands behind it. It is never larger than MaxMarkdown. Everything is
// written in Close.
type Markdown struct {
	w    io.Writer
	run  digested
	tool Tool
}

// NewMarkdown starts a report that lists at most limit frames, and as many findings; 0 is 1,000.
func NewMarkdown(w io.Writer, h archive.Header, tool Tool, limit int) *Markdown {
	return &Markdown{w: w, run: digest(h, limit), tool: tool}
}

// Answer implements archive.Sink.
func (m *Markdown) Answer(a *archive.Answer) error {
	m.run.take(a)
	return nil
}

// Error implements archive.Sink.
func (m *Markdown) Error(e *archive.RecordError) error {
	m.run.takeError(e)
	return nil
}

// Close writes the report. The lists get what room the rest leaves.
func (m *Markdown) Close(s *archive.Summary) error {
	m.run.takeInputs(s)
	b := m.head(s)
	foot := m.foot(s)
	room := MaxMarkdown - len(b) - len(foot)
	findings := m.findings(room * 2 / 3)
	b = append(b, findings...)
	b = append(b, m.frames(room-len(findings))...)
	b = append(b, foot...)
	if _, err := m.w.Write(b); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// head is what stands in front of the lists.
func (m *Markdown) head(s *archive.Summary) []byte {
	b := fmt.Appendf(nil, "## %s: exit code %d\n\n", m.toolName(), s.ExitCode)
	b = append(b, "| frames |"...)
	for _, c := range archive.Classes() {
		b = fmt.Appendf(b, " %s |", c)
	}
	b = append(b, " answers | not read |"...)
	for _, sev := range archive.Severities() {
		b = fmt.Appendf(b, " findings: %s |", sev)
	}
	b = append(b, "\n|"...)
	for range 3 + len(archive.Classes()) + len(archive.Severities()) {
		b = append(b, " ---: |"...)
	}
	b = fmt.Appendf(b, "\n| %d |", s.Frames)
	for _, c := range archive.Classes() {
		b = fmt.Appendf(b, " %d |", s.Classes[c])
	}
	b = fmt.Appendf(b, " %d | %d |", s.Answers, s.Unreadable)
	for _, sev := range archive.Severities() {
		b = fmt.Appendf(b, " %d |", s.Findings[sev])
	}
	b = append(b, "\n\n**Verdict:** "...)
	b = append(appendProse(b, m.run.told.sentence(s)), "\n\n**Why:** "...)
	b = append(appendProse(b, m.run.exitText(s)), "\n\n"...)
	if !s.Finished {
		b = append(b, "**Partial:** the run was interrupted, and this is what it had found by then.\n\n"...)
	}
	b = appendTally(b, "state of frames", archive.States(), s.States)
	return appendTally(b, "answers without frames", archive.EmptyAnswerStates(), s.EmptyAnswers)
}

// toolName is the tool's name where it is a plain word, as ours is.
func (m *Markdown) toolName() string { return string(appendProse(nil, m.tool.Name)) }

// appendTally appends a table of the counts that are not zero.
func appendTally[K ~string](b []byte, title string, keys []K, counts map[K]uint64) []byte {
	begun := false
	for _, k := range keys {
		n := counts[k]
		if n == 0 {
			continue
		}
		if !begun {
			b = fmt.Appendf(b, "| %s | number |\n| :--- | ---: |\n", title)
			begun = true
		}
		b = fmt.Appendf(b, "| %s | %d |\n", beside(k), n)
	}
	if begun {
		b = append(b, '\n')
	}
	return b
}

// A markdownList is a list in little room: it takes entries as long as they fit.
type markdownList struct {
	text  []byte
	room  int
	full  bool
	shown []uint64 // entries taken, by rank
}

// take appends an entry if it fits. After the first that does not, none does: an entry left out is never graver than one shown.
func (l *markdownList) take(rank int, entry []byte) bool {
	if l.full = l.full || len(l.text)+len(entry) > l.room; l.full {
		return false
	}
	l.text = append(l.text, entry...)
	l.shown[rank]++
	return true
}

// findings lists what was found and what could not be read.
func (m *Markdown) findings(room int) []byte {
	found := &m.run.found
	if found.sum() == 0 {
		return nil
	}
	l := markdownList{room: room - markdownEnds, shown: make([]uint64, len(findingRanks))}
	found.each(func(rank int, f *shownFinding) bool {
		b := append(appendProse([]byte("- **"), f.mark), "** "...)
		b = append(appendProse(b, f.code), " at "...)
		b = appendProse(b, f.place())
		if f.detail != "" {
			b = appendCode(append(b, ": "...), f.detail)
		}
		return l.take(rank, append(b, '\n'))
	})
	b := []byte("### Findings, the gravest first\n\n")
	b = append(b, l.text...)
	if text := leftOut(found.total, l.shown, findingsOut, findingRanks); text != "" {
		b = fmt.Appendf(b, "\nNot shown here: %s. The counts are of everything", text)
		if why := m.run.codes.reason(); why != "" {
			b = append(append(b, "; "...), why...)
		}
		b = append(b, ".\n"...)
	}
	return append(b, '\n')
}

// frames lists the frames that did not meet the policy, folded.
func (m *Markdown) frames(room int) []byte {
	good := len(classRanks) - 1
	total := m.run.frames.total[:good]
	var unmet uint64
	for _, n := range total {
		unmet += n
	}
	if unmet == 0 {
		return nil
	}
	l := markdownList{room: room - markdownEnds, shown: make([]uint64, good)}
	m.run.frames.each(func(rank int, f *shownFrame) bool { return rank < good && l.take(rank, appendFrameItem(nil, f)) })
	b := fmt.Appendf(nil, "<details>\n<summary>%s not met, the worst first</summary>\n\n",
		count(unmet, "frame or answer", "frames or answers"))
	b = append(b, l.text...)
	if text := leftOut(total, l.shown, framesOut, classRanks[:good]); text != "" {
		b = fmt.Appendf(b, "\nNot shown here: %s. The counts are of everything.\n", text)
	}
	return append(b, "\n</details>\n\n"...)
}

func appendFrameItem(b []byte, f *shownFrame) []byte {
	b = append(appendProse(append(b, "- **"...), string(f.class)), "** "...)
	b = appendProse(b, beside(f.state)+" at "+f.place())
	if f.position >= 0 {
		b = appendProse(b, fmt.Sprintf(", frame %d %s", f.position, f.frameID))
		b = appendProse(b, fmt.Sprintf(", content %s", f.content))
		if f.digest != "" {
			b = appendProse(b, ", content_digest "+f.digest)
		}
	} else {
		b = append(b, ", no frames"...)
	}
	b = append(b, '\n')
	if f.fault != "" {
		b = append(appendCode(append(b, "  - "...), f.fault), '\n')
	}
	if f.signer != "" {
		b = append(appendProse(append(b, "  - "...), f.signer), '\n')
	}
	for _, line := range f.links {
		b = append(appendProse(append(b, "  - "...), line), '\n')
	}
	for i := range f.evidence {
		ev := &f.evidence[i]
		b = append(appendProse(append(b, "  - "...), ev.text), '\n')
		if ev.claims != "" {
			b = append(appendProse(append(b, "    - unverified claims: "...), ev.claims), '\n')
		}
	}
	if f.more > 0 {
		b = fmt.Appendf(b, "  - %s\n", count(uint64(f.more), "more piece of evidence", "more pieces of evidence"))
	}
	return b
}

// foot is what stands behind the lists.
func (m *Markdown) foot(s *archive.Summary) []byte {
	var b []byte
	for _, part := range []struct {
		title string
		lines []string
	}{{"What to do next", m.run.hints(s)}, {"Keys", m.run.lines(m.run.told.writeKeys)}} {
		if len(part.lines) == 0 {
			continue
		}
		b = fmt.Appendf(b, "### %s\n\n", part.title)
		for _, line := range part.lines {
			b = append(appendProse(append(b, "- "...), line), '\n')
		}
		b = append(b, '\n')
	}
	b = append(b, "<details>\n<summary>All counts, policy, keys</summary>\n\n"...)
	b = appendTally(b, "class of frames", archive.Classes(), s.Classes)
	b = appendTally(b, "state of evidence", archive.EvidenceStates(), s.Evidence)
	b = appendTally(b, "content of frames", archive.Contents(), s.Content)
	b = appendTally(b, "provenance", archive.LinkStatuses(), s.Provenance)
	b = appendTally(b, "findings", archive.Severities(), s.Findings)
	b = appendTally(b, "read", readNames, readCounts(s))
	if len(s.Ignored) > 0 {
		b = append(appendProse(b, "Ignored in folders: "+quoteAll(s.Ignored)+others(s.IgnoredFiles, len(s.Ignored))+"."), "\n\n"...)
	}
	for _, line := range m.run.lines(m.run.told.writePolicy) {
		b = append(appendProse(append(b, "- "...), line), '\n')
	}
	b = append(appendProse(append(b, "- Made by "...), m.tool.Name+" "+strconv.Quote(m.tool.Version)+"."), "\n\n</details>\n\n"...)
	b = append(b, "**Not covered by any signature:** "...)
	return append(appendProse(b, join(archive.NotCovered())+"."), '\n')
}

// readNames are the counts of what was read, in their order.
var readNames = []string{"sources", "records", "answers", "frames", "unreadable", "passed_over", "ignored_files"}

func readCounts(s *archive.Summary) map[string]uint64 {
	return map[string]uint64{
		"sources": uint64(s.Sources), "records": s.Records, "answers": s.Answers, "frames": s.Frames, "unreadable": s.Unreadable,
		"passed_over": s.PassedOver, "ignored_files": s.IgnoredFiles,
	}
}
