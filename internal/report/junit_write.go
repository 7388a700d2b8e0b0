package report

import (
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// appendRun appends the suite of the run itself.
func (j *JUnit) appendRun(b []byte, s *archive.Summary, items []junitItem) []byte {
	b = j.openSuite(b, 0, j.tool.Name, &suite{items: items})
	b = append(b, "<properties>\n"...)
	for _, p := range j.properties(s) {
		b = append(b, "<property"...)
		b = appendAttribute(b, "name", p[0])
		b = append(appendAttribute(b, "value", p[1]), "/>\n"...)
	}
	b = append(b, "</properties>\n"...)
	return j.closeSuite(b, j.tool.Name, items)
}

func (j *JUnit) appendSuite(b []byte, id int, su *suite) []byte {
	name := plain(su.source)
	if su.source == standardInput {
		name = "standard input"
	}
	b = j.openSuite(b, id, name, su)
	b = append(b, "<properties/>\n"...)
	return j.closeSuite(b, name, su.items)
}

func (j *JUnit) openSuite(b []byte, id int, name string, su *suite) []byte {
	b = append(b, "<testsuite"...)
	b = appendAttribute(b, "name", name)
	b = appendAttribute(b, "package", j.tool.Name)
	b = appendAttribute(b, "id", strconv.Itoa(id))
	b = appendAttribute(b, "timestamp", timestamp(j.header.ReceivedAt))
	b = appendAttribute(b, "hostname", "localhost")
	bad := []int{su.count(failure), su.count(errored), su.count(skipped)}
	b = appendAttribute(b, "tests", strconv.Itoa(bad[0]+bad[1]+bad[2]+su.count(passed)))
	b = appendAttribute(b, "failures", strconv.Itoa(bad[0]))
	b = appendAttribute(b, "errors", strconv.Itoa(bad[1]))
	b = appendAttribute(b, "skipped", strconv.Itoa(bad[2]))
	b = appendAttribute(b, "time", noTime)
	return append(b, ">\n"...)
}

// closeSuite appends the cases of a suite, its system-out and its end.
func (j *JUnit) closeSuite(b []byte, class string, items []junitItem) []byte {
	for i := range items {
		if items[i].name != "" {
			b = items[i].appendCase(b, class)
		}
	}
	b = append(b, "<system-out>"...)
	for i := range items {
		if it := &items[i]; it.outcome == passed {
			b = it.appendLines(b)
		}
	}
	return append(b, "</system-out>\n<system-err></system-err>\n</testsuite>\n"...)
}

// noTime stands where the schema wants a duration: none is measured, so that equal runs have equal reports.
const noTime = "0"

func (it *junitItem) appendCase(b []byte, class string) []byte {
	b = append(b, "<testcase"...)
	b = appendAttribute(b, "name", it.name)
	b = appendAttribute(b, "classname", class)
	b = appendAttribute(b, "time", noTime)
	if it.outcome == passed {
		return append(b, "/>\n"...)
	}
	b = append(append(b, "><"...), it.outcome...)
	b = appendAttribute(b, "message", it.message)
	if it.outcome != skipped {
		b = appendAttribute(b, "type", it.typ)
	}
	b = append(b, '>')
	b = appendXML(b, it.message)
	for _, line := range it.lines {
		b = appendXML(append(b, '\n'), line)
	}
	b = append(append(b, "</"...), it.outcome...)
	return append(b, "></testcase>\n"...)
}

// appendLines appends what is said of a case that passed, or of what is no case.
func (it *junitItem) appendLines(b []byte) []byte {
	text := it.message
	if it.name != "" {
		text = it.name + ": " + it.message
	}
	b = appendXML(b, text)
	for _, line := range it.lines {
		b = appendXML(append(b, "\n  "...), line)
	}
	return append(b, '\n')
}

// properties are what is so of the whole run, by name.
func (j *JUnit) properties(s *archive.Summary) [][2]string {
	var list [][2]string
	add := func(name, value string) { list = append(list, [2]string{name, value}) }
	pol := &j.header.Policy
	add("version", j.tool.Version)
	add("require", beside(pol.Require))
	add("allow_identity_only", strconv.FormatBool(pol.AllowIdentityOnly))
	add("allow_opaque_digest", strconv.FormatBool(pol.AllowOpaqueDigest))
	add("retained", strconv.FormatBool(pol.Retained))
	add("algorithms", algorithms(j.header.Algorithms))
	if name, ok := pol.Provider.Text(); ok {
		add("provider", quote(name))
	}
	if id, ok := localID(pol).Text(); ok {
		add("local_id", quote(id))
	}
	if pol.Frames != nil {
		add("frames_selected", quoteAll(pol.Frames))
	}
	if len(pol.SourceRoots) > 0 {
		add("source_roots", quoteAll(pol.SourceRoots))
	}
	add("trusted", sources(j.header.Trusted))
	add("published", sources(j.header.Published))
	if at := j.header.ReceivedAt; at == nil {
		add("received_at.source", string(archive.InstantFromArchive))
	} else {
		add("received_at.instant", at.Instant.String())
		add("received_at.source", string(at.Source))
	}
	number := func(name string, n uint64) { add(name, strconv.FormatUint(n, 10)) }
	number("sources", uint64(s.Sources))
	number("records", s.Records)
	number("answers", s.Answers)
	number("frames", s.Frames)
	number("unreadable", s.Unreadable)
	number("passed_over", s.PassedOver)
	number("ignored_files", s.IgnoredFiles)
	if len(s.Ignored) > 0 {
		add("ignored", quoteAll(s.Ignored)+others(s.IgnoredFiles, len(s.Ignored)))
	}
	addCounts(number, "empty_answers", archive.EmptyAnswerStates(), s.EmptyAnswers)
	addCounts(number, "classes", archive.Classes(), s.Classes)
	addCounts(number, "states", archive.States(), s.States)
	addCounts(number, "evidence", archive.EvidenceStates(), s.Evidence)
	addCounts(number, "content", archive.Contents(), s.Content)
	if s.Provenance != nil {
		addCounts(number, "provenance", archive.LinkStatuses(), s.Provenance)
	}
	addCounts(number, "findings", archive.Severities(), s.Findings)
	add("finished", strconv.FormatBool(s.Finished))
	add("exit_code", strconv.Itoa(s.ExitCode))
	add("exit_zero_applied", strconv.FormatBool(s.ExitZeroApplied))
	add("exit_reason", s.ExitReason)
	add("not_listed", j.leftOut())
	add("not_covered", join(archive.NotCovered()))
	return list
}

func addCounts[K ~string](add func(string, uint64), title string, keys []K, counts map[K]uint64) {
	for _, k := range keys {
		add(title+"."+string(k), counts[k])
	}
}

// leftOut says what the limit kept from being listed.
func (j *JUnit) leftOut() string {
	var out []string
	for rank, total := range j.found.total {
		if n := total - uint64(len(j.found.kept[rank])); n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, findingRanks[rank]))
		}
	}
	for rank, total := range j.frames.total {
		if n := total - uint64(len(j.frames.kept[rank])); n > 0 {
			out = append(out, fmt.Sprintf("%d frames or answers of class %s", n, classRanks[rank]))
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	text := fmt.Sprintf("%s: of each list there are at most %d, and %d bytes", strings.Join(out, ", "), j.found.limit, maxListed)
	if why := j.codes.reason(); why != "" {
		text += ", and " + why
	}
	return text
}

// timestamp is the instant that windows of keys were compared with, as the schema wants one: without a zone, whole seconds, no
// leap second, no year 0. Where there was none it is a fixed one: no clock is read for a report.
func timestamp(at *archive.ReceivedAt) string {
	const none = "1970-01-01T00:00:00"
	if at == nil {
		return none
	}
	text := at.Instant.String()
	if len(text) < len(none) || strings.HasPrefix(text, "0000") {
		return none
	}
	text = text[:len(none)]
	if minute, leap := strings.CutSuffix(text, ":60"); leap {
		return minute + ":59"
	}
	return text
}
