package report

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// ErrPolicies means that reports are not of one policy, so that one exit code cannot speak for both.
var ErrPolicies = errors.New("the policies differ")

// A Shard is the report on a part of the inputs, which was judged elsewhere.
type Shard struct {
	Name   string
	Report *Reader
}

// maxDuplicates is how many inputs that stand in several shards a merged report names.
const maxDuplicates = 1_000

// A Merger joins shards to the report on all their inputs.
type Merger struct {
	shards []Shard
	header archive.Header
	words  []string
}

// NewMerger compares what the shards say in front of their answers; there is at least one. The error wraps ErrPolicies.
func NewMerger(shards []Shard) (*Merger, error) {
	first := shards[0]
	m := &Merger{shards: shards, header: first.Report.Header()}
	instants, tools := false, false // said that they differ
	for _, s := range shards[1:] {
		h := s.Report.Header()
		if name, a, b := differing(&m.header, &h); name != "" {
			return nil, fmt.Errorf("report: %w: %s is %s in %s and %s in %s", ErrPolicies, name, a, quote(first.Name), b, quote(s.Name))
		}
		if !instants && !equalInstants(first.Report.Header().ReceivedAt, h.ReceivedAt) {
			instants, m.header.ReceivedAt = true, nil
			m.words = append(m.words, fmt.Sprintf("%s and %s compared windows of keys with different instants: received_at is null in the "+
				"merged report, and stands on each answer", quote(first.Name), quote(s.Name)))
		}
		if a, b := first.Report.Tool(), s.Report.Tool(); !tools && a != b {
			tools = true
			m.words = append(m.words, fmt.Sprintf("%s was made by %s %s, %s by %s %s", quote(first.Name), quote(a.Name), quote(a.Version),
				quote(s.Name), quote(b.Name), quote(b.Version)))
		}
	}
	return m, nil
}

func equalInstants(a, b *archive.ReceivedAt) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// differing returns the first member in which the policies of two headers differ, and what stands there, cut.
func differing(a, b *archive.Header) (name, ofA, ofB string) {
	next, stop := iter.Pull(strictjson.Members(appendPolicy(nil, b)))
	defer stop()
	for m := range strictjson.Members(appendPolicy(nil, a)) {
		if other, _ := next(); !bytes.Equal(m.Value, other.Value) {
			return m.Name, terminal.Escape(string(m.Value), terminal.MaxEchoed), terminal.Escape(string(other.Value), terminal.MaxEchoed)
		}
	}
	if m, more := next(); more { // the last member of a policy may be absent
		return m.Name, "absent", terminal.Escape(string(m.Value), terminal.MaxEchoed)
	}
	return "", "", ""
}

// Header is that of the merged report.
func (m *Merger) Header() archive.Header { return m.header }

// Warnings are what a person should know of the shards, a sentence each.
func (m *Merger) Warnings() []string { return m.words }

// Copy gives the answers and errors of every shard to sink, in the order of the shards, and returns their summary: totals added
// up, what stands in two shards as findings about inputs, Finished where every shard is. An error says which
// shard it came up in.
func (m *Merger) Copy(sink archive.Sink) (*archive.Summary, error) {
	total := archive.NewSummary(m.header.Policy.Require)
	total.Finished = true
	seen := &seenSources{Sink: sink, in: make(map[[16]byte]int32), shards: m.shards, total: total}
	var partial, internal []string
	for i, shard := range m.shards {
		seen.shard, seen.further = int32(i), 0
		s, err := shard.Report.Copy(seen)
		if s == nil {
			return nil, fmt.Errorf("%s: %w", quote(shard.Name), err)
		}
		seen.close()
		total.Add(s)
		switch {
		case err != nil:
			partial = append(partial, quote(shard.Name)+" is cut")
		case s.ExitCode == archive.ExitInternal:
			internal = append(internal, quote(shard.Name))
		case !s.Finished:
			partial = append(partial, quote(shard.Name)+" was interrupted")
		}
	}
	total.Finished = partial == nil && internal == nil
	total.Conclude()
	switch {
	case internal != nil:
		total.ExitCode = archive.ExitInternal
		total.ExitReason = "a fault of cgp-attest itself: this report is partial: " + someOf(internal) + " ended with it"
	case partial != nil:
		total.ExitReason += ": " + someOf(partial)
	}
	return total, nil
}

// someOf joins the first of a list and says how many others there are.
func someOf(list []string) string {
	text := strings.Join(list[:min(len(list), maxNamed)], ", ")
	if n := len(list) - maxNamed; n > 0 {
		text += fmt.Sprintf(", %d more", n)
	}
	return text
}

// seenSources finds the inputs that stand in more than one shard. Of each it keeps 16 bytes of a hash: what stands in no answer
// and no error of a shard it does not see.
type seenSources struct {
	archive.Sink
	in      map[[16]byte]int32 // the last shard that a source stood in
	shards  []Shard
	total   *archive.Summary
	shard   int32 // at hand
	named   int
	further uint64 // of the shard at hand, beyond those that are named
}

// Answer implements archive.Sink.
func (s *seenSources) Answer(a *archive.Answer) error {
	s.note(a.Source)
	return s.Sink.Answer(a)
}

// Error implements archive.Sink.
func (s *seenSources) Error(e *archive.RecordError) error {
	s.note(e.Source)
	return s.Sink.Error(e)
}

func (s *seenSources) note(source string) {
	key := hashOf(source)
	before, seen := s.in[key]
	s.in[key] = s.shard
	switch {
	case !seen || before == s.shard:
	case s.named < maxDuplicates:
		s.named++
		s.total.FindInput(source, archive.FindingDuplicateInput,
			fmt.Sprintf("it stands in the reports %s and %s, and is counted in both", quote(s.shards[before].Name), quote(s.shards[s.shard].Name)))
	default:
		s.further++
	}
}

// close says how many inputs of a shard stand in one before it and were not named.
func (s *seenSources) close() {
	if s.further > 0 {
		s.total.FindInput(s.shards[s.shard].Name, archive.FindingDuplicateInput,
			count(s.further, "further input", "further inputs")+" of this report stand in one before it, and are counted in both")
	}
}
