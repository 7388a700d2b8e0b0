package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// SARIFVersion is the version of the format that SARIF writes.
const SARIFVersion = "2.1.0"

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// What code-scanning hosts take. GitHub shows 5,000 results of a run and refuses a file of more than 10 MB after gzip, which
// never makes one larger by more than what is spared here.
const (
	maxSARIFResults = 5_000
	maxSARIFBytes   = 9_500_000
)

// maxMessage is how many characters of a message are shown.
const maxMessage = 4_096

// fingerprintKey is the key of our fingerprints. Another way to compute them gets another key.
const fingerprintKey = "cgpAttest/v1"

// standardInput is the name of the source that standard input is.
const standardInput = "-"

// SARIFOptions say how much a SARIF shows.
type SARIFOptions struct {
	Limit int // how many frames to list, and how many findings and errors; 0 is 1,000, more than 5,000 is 5,000
}

// SARIF writes a run as one SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): a result for each finding, each
// frame or answer without frames that did not meet the policy, and each source or record that could not be read, the gravest
// first. Everything is written in Close: until then SARIF keeps no more than its limit shows.
type SARIF struct {
	w      io.Writer
	header archive.Header
	tool   Tool
	rules  []archive.Entry
	frames keeper[sarifResult] // by the place of the class in classRanks; answers without frames among them
	found  keeper[sarifResult] // by the ranks of findings; errors of reading among them
	codes  oneCode
}

// A sarifResult is one result before its fingerprint is known.
type sarifResult struct {
	set, code  string // of a rule
	level      string
	message    string
	source     string
	line       int64 // 0: not known
	offset     int64 // -1: in no record
	pointer    string
	identity   [sha256.Size]byte
	properties []byte // members, without the braces
}

// size is how many bytes a result holds, about.
func (r sarifResult) size() int { return 300 + len(r.message) + len(r.source) + len(r.properties) }

// NewSARIF starts a report.
func NewSARIF(w io.Writer, h archive.Header, tool Tool, opt SARIFOptions) *SARIF {
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	limit := min(opt.Limit, maxSARIFResults)
	return &SARIF{
		w: w, header: h, tool: tool, rules: ruleEntries(),
		frames: newKeeper[sarifResult](limit, len(classRanks)), found: newKeeper[sarifResult](limit, len(findingRanks)),
	}
}

// Answer implements archive.Sink.
func (s *SARIF) Answer(a *archive.Answer) error {
	for i := range a.Frames {
		f := &a.Frames[i]
		if f.Class != archive.ClassGood {
			s.frames.add(rankOfClass(f.Class), func() sarifResult { return frameResult(a, f) })
		}
	}
	if len(a.Frames) == 0 && a.Class != archive.ClassGood {
		s.frames.add(rankOfClass(a.Class), func() sarifResult { return emptyResult(a) })
	}
	s.codes.each(a, func(rank int, f *archive.Finding) {
		s.found.add(rank, func() sarifResult { return findingResult(a, f) })
	}, s.found.skip)
	return nil
}

// Error implements archive.Sink.
func (s *SARIF) Error(e *archive.RecordError) error {
	s.found.add(rankUnread, func() sarifResult { return errorResult(e) })
	return nil
}

// Close writes the report.
func (s *SARIF) Close(sum *archive.Summary) error {
	for i := range sum.Inputs {
		f := &sum.Inputs[i]
		s.found.add(rankOf(f.Severity), func() sarifResult { return inputResult(f) })
	}
	b := append([]byte(nil), `{"$schema":"`+sarifSchema+`","version":"`+SARIFVersion+`","runs":[{`...)
	b = terminal.AppendJSON(append(b, "\n\"tool\":{\"driver\":{\"name\":"...), s.tool.Name)
	b = terminal.AppendJSON(append(b, `,"version":`...), s.tool.Version)
	b = append(b, `,"rules":[`...)
	for i := range s.rules {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRule(append(b, '\n'), &s.rules[i])
	}
	b = append(b, "\n]}},\n\"results\":["...)
	b, listed := s.appendResults(b)
	b = append(b, "\n],\n\"invocations\":["...)
	b = s.appendInvocation(b, sum, s.leftOut(listed))
	b = append(b, "],\n\"properties\":"...)
	b = s.appendProperties(b, sum, listed)
	b = append(b, "}]}\n"...)
	if _, err := s.w.Write(b); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// A sarifGroup is the results of one rank; groups stand in the order in which they are written.
type sarifGroup struct {
	what    string // in words
	results []sarifResult
	total   uint64
}

// groups orders what is kept as the exit codes do: error findings, negative frames, what could not be read, malformed frames,
// unchecked ones, warnings, notes.
func (s *SARIF) groups() []sarifGroup {
	found := func(rank int) sarifGroup {
		return sarifGroup{findingRanks[rank], s.found.kept[rank], s.found.total[rank]}
	}
	frames := func(c archive.Class) sarifGroup {
		rank := rankOfClass(c)
		return sarifGroup{"frames or answers of class " + string(c), s.frames.kept[rank], s.frames.total[rank]}
	}
	return []sarifGroup{
		found(rankError), frames(archive.ClassNegative), found(rankUnread), frames(archive.ClassUnreadable),
		frames(archive.ClassUnchecked), found(rankWarning), found(rankNote),
	}
}

// appendResults appends as many results as a host takes, and returns how many of each group they are.
func (s *SARIF) appendResults(b []byte) (_ []byte, listed []int) {
	met := make(map[[sha256.Size]byte]int)
	written, full := 0, false
	for _, g := range s.groups() {
		n := 0
		for i := range g.results {
			r := &g.results[i]
			start := len(b)
			if written > 0 {
				b = append(b, ',')
			}
			met[r.identity]++
			b = s.appendResult(append(b, '\n'), r, met[r.identity])
			if full = full || written == maxSARIFResults || len(b) > maxSARIFBytes; full {
				b = b[:start]
				break
			}
			written++
			n++
		}
		listed = append(listed, n)
	}
	return b, listed
}

func (s *SARIF) appendResult(b []byte, r *sarifResult, nth int) []byte {
	b = terminal.AppendJSON(append(b, `{"ruleId":`...), ruleID(r.set, r.code))
	if i := slices.IndexFunc(s.rules, func(e archive.Entry) bool { return e.Set == r.set && e.Code == r.code }); i >= 0 {
		b = strconv.AppendInt(append(b, `,"ruleIndex":`...), int64(i), 10)
	}
	b = terminal.AppendJSON(append(b, `,"level":`...), r.level)
	b = terminal.AppendJSON(append(b, `,"message":{"text":`...), r.message)
	b = append(b, `},"locations":[{"physicalLocation":{"artifactLocation":{"uri":`...)
	if r.source == standardInput {
		b = append(b, `"stdin","description":{"text":"standard input"}`...)
	} else {
		b = append(appendURI(append(b, '"'), r.source), '"')
	}
	b = append(b, '}')
	switch {
	case r.line > 0:
		b = append(strconv.AppendInt(append(b, `,"region":{"startLine":`...), r.line, 10), '}')
	case r.offset >= 0:
		b = append(strconv.AppendInt(append(b, `,"region":{"byteOffset":`...), r.offset, 10), '}')
	}
	b = append(b, '}')
	if r.pointer != "" {
		b = terminal.AppendJSON(append(b, `,"logicalLocations":[{"fullyQualifiedName":`...), r.pointer)
		b = append(b, `,"kind":"value"}]`...)
	}
	b = append(b, `}],"partialFingerprints":{"`+fingerprintKey+`":"`...)
	b = append(hex.AppendEncode(b, r.identity[:]), ':')
	b = append(strconv.AppendInt(b, int64(nth), 10), `"},"properties":{`...)
	b = append(b, r.properties...)
	return append(b, "}}"...)
}

// leftOut says in words what is not listed.
func (s *SARIF) leftOut(listed []int) string {
	var out []string
	for i, g := range s.groups() {
		if n := g.total - uint64(listed[i]); n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, g.what))
		}
	}
	text := strings.Join(out, ", ")
	if why := s.codes.reason(); why != "" {
		text += " (" + why + ")"
	}
	return text
}

// appendInvocation appends how the run ended.
func (s *SARIF) appendInvocation(b []byte, sum *archive.Summary, leftOut string) []byte {
	code, why := sum.ExitCode, sum.ExitReason
	if sum.ExitZeroApplied {
		code, why = archive.ExitGood, fmt.Sprintf("exit %d, turned into 0 by --exit-zero: %s", sum.ExitCode, sum.ExitReason)
	}
	whole := sum.Finished && sum.ExitCode != archive.ExitInternal
	b = strconv.AppendBool(append(b, `{"executionSuccessful":`...), whole)
	if !sum.Finished && s.header.Policy.Require == archive.RequireConstructed { // the reason of a whole run says so itself
		why += "; of what is merely constructed, " + notEstablished
	}
	b = strconv.AppendInt(append(b, `,"exitCode":`...), int64(code), 10)
	b = terminal.AppendJSON(append(b, `,"exitCodeDescription":`...), why)
	b = append(b, `,"toolExecutionNotifications":[`...)
	if !whole {
		b = appendNotification(b, archive.SeverityError, sum.ExitReason)
	}
	if leftOut != "" {
		if !whole {
			b = append(b, ',')
		}
		b = appendNotification(b, archive.SeverityWarning, "Not listed here, the gravest being listed first: "+leftOut+
			". The counts in the properties of the run, and the exit code, are of everything.")
	}
	return append(b, "]}"...)
}

func appendNotification(b []byte, level archive.Severity, text string) []byte {
	b = terminal.AppendJSON(append(b, `{"level":`...), string(level))
	b = terminal.AppendJSON(append(b, `,"message":{"text":`...), messageText(text))
	return append(b, "}}"...)
}

// appendProperties appends what is so of the whole run, as a JSON report spells it.
func (s *SARIF) appendProperties(b []byte, sum *archive.Summary, listed []int) []byte {
	b = appendPolicy(append(b, `{"policy":`...), &s.header)
	b = append(b, `,"received_at":`...)
	if s.header.ReceivedAt == nil {
		b = append(b, "null"...)
	} else {
		b = appendReceivedAt(b, s.header.ReceivedAt)
	}
	b = appendStrings(append(b, `,"not_covered":`...), archive.NotCovered())
	b = append(appendSummary(append(b, `,"summary":{`...), sum), '}')
	results, out := 0, uint64(0)
	for i, g := range s.groups() {
		results += listed[i]
		out += g.total - uint64(listed[i])
	}
	b = strconv.AppendInt(append(b, `,"results":{"listed":`...), int64(results), 10)
	b = strconv.AppendUint(append(b, `,"left_out":`...), out, 10)
	return append(b, "}}"...)
}
