package archive_test

import (
	"math"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// drawAnswer makes an answer of frames, evidence and findings of any kind.
func drawAnswer(t *rapid.T) *archive.Answer {
	a := new(archive.Answer)
	if rapid.Bool().Draw(t, "root") {
		a.Root = &archive.Root{State: rapid.SampledFrom(archive.EvidenceStates()).Draw(t, "root")}
	}
	for range rapid.IntRange(0, 3).Draw(t, "frames") {
		f := archive.Frame{
			State: rapid.SampledFrom(archive.States()).Draw(t, "state"), Class: rapid.SampledFrom(archive.Classes()).Draw(t, "class"),
			Content: rapid.SampledFrom(archive.Contents()).Draw(t, "content"),
		}
		for range rapid.IntRange(0, 2).Draw(t, "evidence") {
			f.Evidence = append(f.Evidence, archive.Evidence{State: rapid.SampledFrom(archive.EvidenceStates()).Draw(t, "evidence")})
		}
		a.Frames = append(a.Frames, f)
	}
	for range rapid.IntRange(0, 2).Draw(t, "findings") {
		a.Findings = append(a.Findings, archive.Finding{Severity: rapid.SampledFrom(archive.Severities()).Draw(t, "severity")})
	}
	return a
}

// Counting in parts and adding up comes to what counting everything at once does.
func TestSummaryAdd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		level := rapid.SampledFrom([]archive.Level{archive.RequireAttested, archive.RequireConstructed}).Draw(t, "level")
		whole, sum := archive.NewSummary(level), archive.NewSummary(level)
		for range rapid.IntRange(0, 3).Draw(t, "parts") {
			part := archive.NewSummary(level)
			for _, s := range []*archive.Summary{whole, part} {
				s.Sources += 2
				s.Records += 7
				s.PassedOver += 3
			}
			for range rapid.IntRange(0, 3).Draw(t, "answers") {
				a := drawAnswer(t)
				whole.CountAnswer(a)
				part.CountAnswer(a)
			}
			for range rapid.IntRange(0, 9).Draw(t, "others") {
				name := rapid.String().Draw(t, "name")
				for _, s := range []*archive.Summary{whole, part} {
					s.CountError()
					s.Ignore(name)
					s.FindInput(name, archive.FindingDuplicateInput, "twice")
				}
			}
			part.Finished = true
			part.Conclude()
			sum.Add(part)
		}
		whole.Finished, sum.Finished = true, true
		whole.Conclude()
		sum.Conclude()
		if diff := cmp.Diff(whole, sum, cmpopts.IgnoreUnexported(archive.Summary{}), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("at once, and added up:\n%s", diff)
		}
	})
}

// A total that would not fit does not start again at 0: summaries may come from anybody.
func TestSummaryAddOverflow(t *testing.T) {
	huge := archive.NewSummary(archive.RequireAttested)
	huge.Sources, huge.Records, huge.PassedOver, huge.IgnoredFiles = math.MaxInt, math.MaxUint64, math.MaxUint64-1, 1<<63
	huge.Findings[archive.SeverityError] = math.MaxUint64
	sum := archive.NewSummary(archive.RequireAttested)
	for range 3 {
		sum.Add(huge)
	}
	if sum.Sources != math.MaxInt || sum.Records != math.MaxUint64 || sum.PassedOver != math.MaxUint64 || sum.IgnoredFiles != math.MaxUint64 ||
		sum.Findings[archive.SeverityError] != math.MaxUint64 {
		t.Errorf("%+v", sum)
	}
}

// An exit code that is turned into 0 is one of a run that judged everything and found something.
func TestExcusable(t *testing.T) {
	for code, want := range map[int]bool{
		archive.ExitGood: false, archive.ExitNegative: true, archive.ExitUsage: false, archive.ExitUnchecked: true,
		archive.ExitUnreadable: true, archive.ExitInternal: false, archive.ExitInterrupted: false,
	} {
		if got := archive.Excusable(code); got != want {
			t.Errorf("Excusable(%d) = %v, want %v", code, got, want)
		}
	}
}
