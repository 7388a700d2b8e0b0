package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// JUnitOptions say how much a JUnit shows.
type JUnitOptions struct {
	Limit int // how many frames to list, and how many findings and errors; 0 is 1,000
}

// JUnit writes a run as the report of a test run, in the form of Apache Ant's JUnit tasks: a suite for the run with the counts of
// everything, then one for each source, in which a frame is a case, and so are an answer without frames, a finding of severity
// error and what could not be read. Negative is a failure, unreadable an error, unchecked skipped. Everything is written in
// Close: until then JUnit keeps no more than its limit shows.
type JUnit struct {
	w      io.Writer
	header archive.Header
	tool   Tool
	calls  uint64
	frames keeper[junitItem] // by the place of the class in classRanks; answers without frames among them
	found  keeper[junitItem] // by the ranks of findings; errors of reading among them
	codes  oneCode
}

// An outcome is what became of a case, by the name of its element.
type outcome string

const (
	passed  outcome = ""
	failure outcome = "failure"
	errored outcome = "error"
	skipped outcome = "skipped"
)

// outcomes are those of the classes, in the order of classRanks.
var outcomes = []outcome{failure, errored, skipped, passed}

// A junitItem is a case of a suite, or a line of its system-out.
type junitItem struct {
	source  string
	call    uint64 // counts what the renderer was given
	outcome outcome
	name    string // of a case; "" where there is none
	typ     string
	message string
	lines   []string // of the case; of one that passed, and without a case, of system-out
}

// size is how many bytes an item holds, about.
func (it junitItem) size() int {
	n := 300 + len(it.source) + len(it.name) + len(it.message)
	for _, line := range it.lines {
		n += 16 + len(line)
	}
	return n
}

// NewJUnit starts a report.
func NewJUnit(w io.Writer, h archive.Header, tool Tool, opt JUnitOptions) *JUnit {
	if opt.Limit == 0 {
		opt.Limit = DefaultLimit
	}
	return &JUnit{
		w: w, header: h, tool: tool,
		frames: newKeeper[junitItem](opt.Limit, len(classRanks)), found: newKeeper[junitItem](opt.Limit, len(findingRanks)),
	}
}

// Answer implements archive.Sink.
func (j *JUnit) Answer(a *archive.Answer) error {
	j.calls++
	for i := range a.Frames {
		f := &a.Frames[i]
		rank := rankOfClass(f.Class)
		j.frames.add(rank, func() junitItem { return j.frameCase(a, f, outcomes[rank]) })
	}
	if len(a.Frames) == 0 {
		rank := rankOfClass(a.Class)
		j.frames.add(rank, func() junitItem { return j.emptyCase(a, outcomes[rank]) })
	}
	j.codes.each(a, func(rank int, f *archive.Finding) {
		j.found.add(rank, func() junitItem { return j.findingItem(a, f) })
	}, j.found.skip)
	return nil
}

// Error implements archive.Sink.
func (j *JUnit) Error(e *archive.RecordError) error {
	j.calls++
	j.found.add(rankUnread, func() junitItem {
		it := junitItem{source: e.Source, call: j.calls, outcome: errored, name: "source", typ: string(e.Code)}
		it.message = fmt.Sprintf("the source cannot be read: %s at byte %d", e.Code, e.At)
		if e.Record > 0 {
			it.name = fmt.Sprintf("record %d", e.Record)
			it.message = fmt.Sprintf("record %d cannot be read: %s at byte %d", e.Record, e.Code, e.At)
		}
		it.lines = bodyOf(e.Detail)
		return it
	})
	return nil
}

func (j *JUnit) frameCase(a *archive.Answer, f *archive.Frame, o outcome) junitItem {
	it := junitItem{source: a.Source, call: j.calls, outcome: o, typ: string(f.State)}
	it.name = fmt.Sprintf("record %d%s", a.Record, named(f))
	it.message = fmt.Sprintf("%s (%s)", beside(f.State), f.Class)
	it.lines = append(frameFault(f), contentText(f))
	for i := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		it.lines = append(it.lines, explained(a, &f.Evidence[i], true)...)
	}
	it.lines = append(it.lines, provenanceText(f.Provenance)...)
	return it
}

func (j *JUnit) emptyCase(a *archive.Answer, o outcome) junitItem {
	state := a.EmptyState()
	it := junitItem{source: a.Source, call: j.calls, outcome: o, typ: string(state)}
	it.name = fmt.Sprintf("record %d, no frames", a.Record)
	it.message = fmt.Sprintf("%s (%s)", beside(state), a.Class)
	if a.Root != nil {
		it.lines = []string{rootText(a, true)}
	}
	return it
}

// findingItem is a case that failed for a finding of severity error, a line for another.
func (j *JUnit) findingItem(a *archive.Answer, f *archive.Finding) junitItem {
	it := junitItem{source: a.Source, call: j.calls, typ: string(f.Code), lines: append(bodyOf(f.Detail), rootHint(a, f)...)}
	at := fmt.Sprintf("record %d%s", a.Record, placeOf(f))
	it.message = fmt.Sprintf("%s %s at %s", f.Severity, f.Code, at)
	if rankOf(f.Severity) == rankError {
		it.outcome, it.name = failure, fmt.Sprintf("%s, finding %s", at, f.Code)
	}
	return it
}

// Close writes the report.
func (j *JUnit) Close(s *archive.Summary) error {
	for i := range s.Inputs {
		f := &s.Inputs[i]
		j.calls++
		j.found.add(rankOf(f.Severity), func() junitItem {
			it := junitItem{source: f.Source, call: j.calls, typ: string(f.Code), lines: bodyOf(f.Detail)}
			it.message = fmt.Sprintf("%s %s", f.Severity, f.Code)
			if rankOf(f.Severity) == rankError {
				it.outcome, it.name = failure, fmt.Sprintf("finding %s", f.Code)
			}
			return it
		})
	}
	suites := j.suites()
	b := append([]byte(nil), "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"...)
	b = j.appendRun(b, s, runCase(s, suites))
	for i := range suites {
		if b = j.appendSuite(b, i+1, &suites[i]); len(b) >= flushAt {
			if _, err := j.w.Write(b); err != nil {
				return fmt.Errorf("report: %w", err)
			}
			b = b[:0]
		}
	}
	b = append(b, "</testsuites>\n"...)
	if _, err := j.w.Write(b); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// A suite is what is listed of one source.
type suite struct {
	source string
	items  []junitItem
}

// count returns how many cases came to an outcome.
func (su *suite) count(o outcome) (n int) {
	for i := range su.items {
		if su.items[i].name != "" && su.items[i].outcome == o {
			n++
		}
	}
	return n
}

// suites sorts what is kept by its source, in the order of the input; within one the gravest stand first.
func (j *JUnit) suites() []suite {
	var all []junitItem
	for _, of := range [][]junitItem{
		j.found.kept[rankError], j.frames.kept[0], j.found.kept[rankUnread], j.frames.kept[1], j.frames.kept[2],
		j.found.kept[rankWarning], j.found.kept[rankNote], j.frames.kept[3],
	} {
		all = append(all, of...)
	}
	places := make(map[string]int)
	var list []suite
	first := make(map[string]uint64) // the earliest call of each source
	for _, it := range all {
		k, seen := places[it.source]
		if !seen {
			k = len(list)
			places[it.source], first[it.source] = k, it.call
			list = append(list, suite{source: it.source})
		}
		first[it.source] = min(first[it.source], it.call)
		list[k].items = append(list[k].items, it)
	}
	slices.SortStableFunc(list, func(a, b suite) int { return cmp.Compare(first[a.source], first[b.source]) })
	return list
}

// runCase is the case that says how the run ended, where no other does: it was cut short, or nothing was there.
func runCase(s *archive.Summary, suites []suite) []junitItem {
	want := passed
	switch s.ExitCode {
	case archive.ExitGood:
	case archive.ExitNegative:
		want = failure
	case archive.ExitUnchecked:
		want = skipped
	default:
		want = errored
	}
	broken := !s.Finished || s.ExitCode == archive.ExitInternal
	told := want == passed || slices.ContainsFunc(suites, func(su suite) bool { return su.count(want) > 0 })
	if told && !broken {
		return nil
	}
	return []junitItem{{outcome: want, name: "run", typ: "exit " + strconv.Itoa(s.ExitCode), message: s.ExitReason}}
}
