package archive

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// Summary counts everything that a run read and judged. Its totals add up, and the exit code follows from it alone.
type Summary struct {
	Sources      int
	Records      uint64 // every value, unreadable ones too
	Answers      uint64 // judged; under a selection those with a selected frame
	Frames       uint64
	Unreadable   uint64   // entries in the report's errors
	PassedOver   uint64   // messages of other types
	IgnoredFiles uint64   // what stood in a folder and was no input: files of other names, symbolic links
	Ignored      []string // the first MaxIgnoredNamed of them

	EmptyAnswers map[State]uint64 // answers without frames, by state
	Classes      map[Class]uint64
	States       map[State]uint64 // frames
	Evidence     map[State]uint64 // pieces of evidence on frames
	Content      map[Content]uint64
	Provenance   map[LinkStatus]uint64 // links; nil where no file was read again
	Findings     map[Severity]uint64   // of the answers and of the inputs

	Inputs []InputFinding // what was found about the inputs themselves, in their order

	Finished        bool // false: the run was interrupted and the report is partial
	ExitCode        int
	ExitZeroApplied bool
	ExitReason      string

	require Level
}

// MaxIgnoredNamed is how many of the files that were ignored a Summary names.
const MaxIgnoredNamed = 10

// An InputFinding is something about an input as a whole that an auditor must be told. It stands in no answer.
type InputFinding struct {
	Source   string
	Code     FindingCode
	Severity Severity
	Detail   string
}

// NewSummary returns the summary of a run that has read nothing, under the level that it requires.
func NewSummary(require Level) *Summary {
	return &Summary{
		EmptyAnswers: make(map[State]uint64), Classes: make(map[Class]uint64), States: make(map[State]uint64),
		Evidence: make(map[State]uint64), Content: make(map[Content]uint64), Findings: make(map[Severity]uint64),
		require: require,
	}
}

// Ignore counts what stood in a folder and was no input.
func (s *Summary) Ignore(name string) {
	s.IgnoredFiles++
	if len(s.Ignored) < MaxIgnoredNamed {
		s.Ignored = append(s.Ignored, name)
	}
}

// FindInput adds a finding about an input.
func (s *Summary) FindInput(source string, code FindingCode, detail string) {
	f := InputFinding{Source: source, Code: code, Severity: code.Severity(), Detail: detail}
	s.Inputs = append(s.Inputs, f)
	s.Findings[f.Severity]++
}

// CountAnswer counts a judged answer with its frames and findings.
func (s *Summary) CountAnswer(a *Answer) {
	s.Answers++
	if len(a.Frames) == 0 {
		s.EmptyAnswers[a.EmptyState()]++
	}
	s.Frames += uint64(len(a.Frames))
	for i := range a.Frames {
		f := &a.Frames[i]
		s.Classes[f.Class]++
		s.States[f.State]++
		s.Content[f.Content]++
		for k := range f.Evidence {
			s.Evidence[f.Evidence[k].State]++
		}
		for k := range f.Provenance {
			s.CountLink(f.Provenance[k].Status)
		}
	}
	for i := range a.Findings {
		s.Findings[a.Findings[i].Severity]++
	}
}

// CountLink counts a provenance link whose file was read again.
func (s *Summary) CountLink(status LinkStatus) {
	if s.Provenance == nil {
		s.Provenance = make(map[LinkStatus]uint64)
	}
	s.Provenance[status]++
}

// UncheckedLinks is how many links of file provenance were to be checked and could not be.
func (s *Summary) UncheckedLinks() uint64 {
	return plus(s.Provenance[LinkUnverifiable], s.Provenance[LinkMissing])
}

// CountError counts a source or a record that could not be read.
func (s *Summary) CountError() { s.Unreadable++ }

// Add counts everything that another run counted, whose summary may come from anybody: a total that would not fit stays at its
// largest value. What its inputs showed is added behind what stands here. Finished and the exit code are left alone.
func (s *Summary) Add(o *Summary) {
	s.Sources += min(o.Sources, math.MaxInt-s.Sources)
	for _, n := range []struct{ to, from *uint64 }{
		{&s.Records, &o.Records}, {&s.Answers, &o.Answers}, {&s.Frames, &o.Frames}, {&s.Unreadable, &o.Unreadable},
		{&s.PassedOver, &o.PassedOver}, {&s.IgnoredFiles, &o.IgnoredFiles},
	} {
		*n.to = plus(*n.to, *n.from)
	}
	s.Ignored = append(s.Ignored, o.Ignored[:min(len(o.Ignored), MaxIgnoredNamed-len(s.Ignored))]...)
	addCounts(s.EmptyAnswers, o.EmptyAnswers)
	addCounts(s.Classes, o.Classes)
	addCounts(s.States, o.States)
	addCounts(s.Evidence, o.Evidence)
	addCounts(s.Content, o.Content)
	if o.Provenance != nil && s.Provenance == nil {
		s.Provenance = make(map[LinkStatus]uint64)
	}
	addCounts(s.Provenance, o.Provenance)
	addCounts(s.Findings, o.Findings)
	s.Inputs = append(s.Inputs, o.Inputs...)
}

func addCounts[K comparable](to, from map[K]uint64) {
	for k, n := range from {
		to[k] = plus(to[k], n)
	}
}

func plus(a, b uint64) uint64 {
	if sum, carry := bits.Add64(a, b, 0); carry == 0 {
		return sum
	}
	return math.MaxUint64
}

// Excusable reports whether --exit-zero turns an exit code into 0.
func Excusable(code int) bool {
	return code == ExitNegative || code == ExitUnchecked || code == ExitUnreadable
}

// emptyClass counts answers without frames that are of a class.
func (s *Summary) emptyClass(c Class) (n uint64) {
	p := Policy{Require: s.require}
	for state, k := range s.EmptyAnswers {
		if p.classOfEmpty(state) == c {
			n += k
		}
	}
	return n
}

// unknownSigner stands in the sentence of every whole run under the level constructed.
const unknownSigner = "; of what is merely constructed, who signed is not established"

// Conclude computes the exit code and the sentence that explains it, from the counts, the level and Finished and nothing else.
func (s *Summary) Conclude() {
	negative := s.Classes[ClassNegative] + s.emptyClass(ClassNegative)
	unchecked := s.Classes[ClassUnchecked] + s.emptyClass(ClassUnchecked)
	good := s.Classes[ClassGood]
	switch {
	case !s.Finished:
		s.exit(ExitInterrupted, "interrupted: this report is partial")
	case negative > 0 || s.Findings[SeverityError] > 0:
		s.exit(ExitNegative, listed(
			tally{negative, "frame or answer is negative", "frames or answers are negative"},
			tally{s.Findings[SeverityError], "finding of severity error", "findings of severity error"}))
	case s.Unreadable > 0 || s.Classes[ClassUnreadable] > 0:
		s.exit(ExitUnreadable, listed(
			tally{s.Unreadable, "source or record could not be read", "sources or records could not be read"},
			tally{s.Classes[ClassUnreadable], "frame is malformed", "frames are malformed"}))
	case unchecked > 0:
		s.exit(ExitUnchecked, fmt.Sprintf("%s not proven as the policy demands (%s)",
			counted(unchecked, "frame or answer is", "frames or answers are"), s.require))
	case good == 0:
		s.exit(ExitUnchecked, "no frame was there to check")
	case s.UncheckedLinks() > 0:
		s.exit(ExitUnchecked, fmt.Sprintf("%s met the policy (%s), but %s checked against its file",
			counted(good, "frame", "frames"), s.require,
			counted(s.UncheckedLinks(), "provenance link could not be", "provenance links could not be")))
	default:
		s.exit(ExitGood, fmt.Sprintf("%s met the policy (%s)", counted(good, "frame", "frames"), s.require))
	}
	if s.Finished && s.require == RequireConstructed {
		s.ExitReason += unknownSigner
	}
}

func (s *Summary) exit(code int, reason string) { s.ExitCode, s.ExitReason = code, reason }

func counted(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// A tally is a count with the words for one and for several.
type tally struct {
	n         uint64
	one, many string
}

// listed joins the tallies that are not zero.
func listed(tallies ...tally) string {
	var parts []string
	for _, t := range tallies {
		if t.n > 0 {
			parts = append(parts, counted(t.n, t.one, t.many))
		}
	}
	return strings.Join(parts, ", ")
}
