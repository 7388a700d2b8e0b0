package corpus

import "maps"

// Expected is what a report's summary must say, and how often each finding and each error stands in it.
type Expected struct {
	Sources, Records, Answers, Frames, Unreadable, PassedOver uint64

	EmptyAnswers, Classes, States, Evidence, Content map[string]uint64
	Findings, Errors                                 map[string]uint64 // by code

	ExitCode int
}

func newExpected() *Expected {
	return &Expected{
		EmptyAnswers: make(map[string]uint64), Classes: make(map[string]uint64), States: make(map[string]uint64),
		Evidence: make(map[string]uint64), Content: make(map[string]uint64), Findings: make(map[string]uint64),
		Errors: make(map[string]uint64),
	}
}

// Add adds what is expected of another input of the same run.
func (e *Expected) Add(other *Expected) {
	e.Sources += other.Sources
	e.Records += other.Records
	e.Answers += other.Answers
	e.Frames += other.Frames
	e.Unreadable += other.Unreadable
	e.PassedOver += other.PassedOver
	for to, from := range map[*map[string]uint64]map[string]uint64{
		&e.EmptyAnswers: other.EmptyAnswers, &e.Classes: other.Classes, &e.States: other.States, &e.Evidence: other.Evidence,
		&e.Content: other.Content, &e.Findings: other.Findings, &e.Errors: other.Errors,
	} {
		for code, n := range maps.All(from) {
			(*to)[code] += n
		}
	}
	e.conclude()
}

// errorFindings are the findings that alone make a run negative.
var errorFindings = []string{rootMismatch, invalidEvidence, contentMismatch, contradictingProofs}

// conclude sets the exit code: 1 before 4 before 3 before 0.
func (e *Expected) conclude() {
	negative := e.Classes[classNegative] + e.EmptyAnswers[stateInvalid]
	for _, code := range errorFindings {
		negative += e.Findings[code]
	}
	unchecked := e.Classes[classUnchecked]
	for state, n := range e.EmptyAnswers {
		if state != stateAttested && state != stateInvalid {
			unchecked += n
		}
	}
	switch {
	case negative > 0:
		e.ExitCode = 1
	case e.Unreadable > 0 || e.Classes[classUnreadable] > 0:
		e.ExitCode = 4
	case unchecked > 0 || e.Classes[classGood] == 0:
		e.ExitCode = 3
	default:
		e.ExitCode = 0
	}
}
