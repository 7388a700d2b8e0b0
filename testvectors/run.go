package testvectors

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
)

const (
	// DefaultTimeout is how long an implementation may take for one answer.
	DefaultTimeout = 10 * time.Second
	// maxHangs is how many cases in a row may run into the time limit before a run is given up.
	maxHangs = 5
)

// An Outcome is what became of one case.
type Outcome string

const (
	OutcomePassed          Outcome = "passed"
	OutcomeFailed          Outcome = "failed"
	OutcomeUnsupported     Outcome = "unsupported" // the implementation does not have the op, or says so of the case
	OutcomeSkipped         Outcome = "skipped"     // the implementation does not list the algorithm that the case requires
	OutcomeMayDiffer       Outcome = "may_differ"  // another answer than ours, where that is allowed
	OutcomeExpectedFailure Outcome = "expected_failure"
	OutcomeUnexpectedPass  Outcome = "unexpected_pass" // a case that is expected to fail passes
	OutcomeNotRun          Outcome = "not_run"         // the run ended in front of it
)

// Outcomes returns every outcome.
func Outcomes() []Outcome {
	return []Outcome{OutcomePassed, OutcomeFailed, OutcomeUnsupported, OutcomeSkipped, OutcomeMayDiffer, OutcomeExpectedFailure,
		OutcomeUnexpectedPass, OutcomeNotRun}
}

// A RunCase is one case of a run.
type RunCase struct {
	Class   string
	Case    *Case
	Outcome Outcome

	Got        *Result     // nil where there was no answer
	Fault      Fault       // of a case that did not pass
	Detail     string      // of a fault, or what an implementation says of its error
	Said       []string    // the last lines of standard error where the process ended
	Causes     []string    // near misses that are the answer; archive.Explain has their meaning
	Step       *Difference // the first intermediate value that differs, where the answer has some
	RightSteps []string    // names of the intermediate values in front of it that are right
	Answer     *Difference // the first place in which the answer differs
}

// RunOptions says how cases are run. Command is required.
type RunOptions struct {
	Command  []string      // the program and its arguments; no shell is between
	Timeout  time.Duration // for one answer; 0 is DefaultTimeout
	Expected []string      // ids of cases that are expected to fail
	Shuffle  *uint64       // a seed for the order of the cases; nil is the order of the files
}

// A RunReport is what came of a run.
type RunReport struct {
	Hello    Hello
	Cases    []RunCase // in the order in which they were run
	Notes    []string  // what is to be said of the implementation beside its answers
	Restarts int
	GaveUp   string // why cases were left out at the end, "" where none were
	Finished bool   // not interrupted
}

// Totals counts the cases by outcome; every outcome is there.
func (r *RunReport) Totals() map[Outcome]int {
	totals := make(map[Outcome]int)
	for _, o := range Outcomes() {
		totals[o] = 0
	}
	for i := range r.Cases {
		totals[r.Cases[i].Outcome]++
	}
	return totals
}

// Verdict returns the exit code of a run and its reason in words. A run that asked nothing, or to which nothing but "unsupported"
// was answered, is not good.
func (r *RunReport) Verdict() (code int, reason string) {
	t := r.Totals()
	bad := t[OutcomeFailed] + t[OutcomeUnexpectedPass]
	answered := t[OutcomePassed] + t[OutcomeMayDiffer] + t[OutcomeExpectedFailure]
	switch {
	case !r.Finished:
		return archive.ExitInterrupted, "interrupted"
	case r.GaveUp != "":
		return archive.ExitNegative, "given up: " + r.GaveUp
	case t[OutcomeUnexpectedPass] == bad && bad > 0:
		return archive.ExitNegative, fmt.Sprintf("%d of the expected failures passed: take them off the list", bad)
	case bad > 0:
		return archive.ExitNegative, fmt.Sprintf("%d of %d cases failed", bad, len(r.Cases))
	case len(r.Cases) == 0:
		return archive.ExitUnchecked, "no case was run"
	case answered == 0:
		return archive.ExitUnchecked, "no case was answered: the implementation supports none of them"
	}
	return archive.ExitGood, fmt.Sprintf("%d of %d cases passed, none failed", t[OutcomePassed], len(r.Cases))
}

// Run asks an implementation every case of some classes. It is started once, and again behind a case in which it crashed, hung or
// said what is no answer. The error is ErrStart, or a Command that is missing; a run that is interrupted has a report that says so.
func Run(ctx context.Context, classes []*File, opt *RunOptions) (*RunReport, error) {
	if len(opt.Command) == 0 {
		return nil, errors.New("testvectors: there is no command")
	}
	r := &runner{ctx: ctx, opt: opt, timeout: opt.Timeout, report: &RunReport{}}
	if r.timeout == 0 {
		r.timeout = DefaultTimeout
	}
	for _, f := range classes {
		for _, c := range f.Cases {
			r.report.Cases = append(r.report.Cases, RunCase{Class: f.Name, Case: c, Outcome: OutcomeNotRun})
		}
	}
	if opt.Shuffle != nil {
		cases := r.report.Cases
		rand.New(rand.NewPCG(*opt.Shuffle, 0)).Shuffle(len(cases), func(i, k int) { cases[i], cases[k] = cases[k], cases[i] })
	}
	if len(r.report.Cases) == 0 {
		r.report.Finished = true
		return r.report, nil
	}
	p, err := startPort(ctx, opt.Command, r.timeout)
	if err != nil {
		if ctx.Err() != nil {
			return r.report, nil
		}
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	r.port, r.report.Hello = p, p.hello
	r.noteHello()
	r.all()
	r.report.Finished = ctx.Err() == nil
	return r.report, nil
}

type runner struct {
	ctx     context.Context
	opt     *RunOptions
	timeout time.Duration
	report  *RunReport
	port    *port // nil behind a fault
	last    *RunCase
	hangs   int // in a row
}

// noteHello notes ops that no case asks.
func (r *runner) noteHello() {
	for _, op := range r.report.Hello.Ops {
		if !slices.Contains(Ops(), op) {
			r.note("its hello lists the op %.80q, which the format does not have", op)
		}
	}
}

func (r *runner) note(format string, args ...any) {
	r.report.Notes = append(r.report.Notes, fmt.Sprintf(format, args...))
}

func (r *runner) all() {
	for i := range r.report.Cases {
		if r.ctx.Err() != nil || r.report.GaveUp != "" {
			break
		}
		r.one(&r.report.Cases[i])
	}
	if r.port == nil {
		return
	}
	more := 0
	words := r.port.finish(func(line string) {
		if !r.again(line) {
			more++
		}
	})
	if words != "" {
		r.note("%s", words)
	}
	if more > 0 {
		r.note("it said more than it was asked for: lines behind its last answer, %d of them", more)
	}
}

// again takes a line behind the last answer, and reports whether it answers the last case once more.
func (r *runner) again(line string) bool {
	v, err := parseValue([]byte(line))
	o, ok := v.(Object)
	if err != nil || !ok || r.last == nil {
		return false
	}
	id, _ := o.Find(memberID)
	if id == r.last.Case.ID {
		r.twice(r.last, o)
		return true
	}
	return false
}

// twice takes one more answer to a case that was answered.
func (r *runner) twice(rc *RunCase, line Object) {
	if rc.Fault == "" {
		r.settle(rc, FaultTwice)
		rc.Detail = "it was answered once more: " + shown(marshal(line))
	}
}

// one runs one case.
func (r *runner) one(rc *RunCase) {
	switch {
	case !slices.Contains(r.report.Hello.Ops, rc.Case.Op):
		rc.Outcome = OutcomeUnsupported
		return
	case !rc.Case.isFor(r.report.Hello.Algorithms):
		rc.Outcome = OutcomeSkipped
		return
	}
	if r.port == nil {
		p, err := startPort(r.ctx, r.opt.Command, r.timeout)
		if err != nil {
			if r.ctx.Err() == nil {
				r.report.GaveUp = err.Error()
			}
			return
		}
		r.port = p
		r.report.Restarts++
	}
	before := ""
	if r.last != nil {
		before = r.last.Case.ID
	}
	line, f := r.port.answer(rc.Case, before, func(o Object) { r.twice(r.last, o) })
	if f == nil {
		f = r.judge(rc, line)
	}
	if f == nil {
		r.last, r.hangs = rc, 0
		return
	}
	r.port.stop()
	r.port, r.last = nil, nil
	if r.ctx.Err() != nil {
		return
	}
	rc.Detail, rc.Said = f.detail, f.said
	r.settle(rc, f.fault)
	if f.fault != FaultHang {
		r.hangs = 0
	} else if r.hangs++; r.hangs == maxHangs {
		r.report.GaveUp = fmt.Sprintf("%d cases in a row had no answer within %s", maxHangs, r.timeout)
	}
}

// isFor reports whether an implementation of these algorithms has what the case requires.
func (c *Case) isFor(algorithms []string) bool {
	return !slices.ContainsFunc(c.Requires, func(need string) bool {
		return !slices.ContainsFunc(algorithms, func(name string) bool { return need == "algorithm:"+name })
	})
}

// settle gives a case its outcome, from its fault and from whether it is expected to fail.
func (r *runner) settle(rc *RunCase, f Fault) {
	rc.Fault = f
	expected := slices.Contains(r.opt.Expected, rc.Case.ID)
	switch {
	case f != "" && expected:
		rc.Outcome = OutcomeExpectedFailure
	case f != "":
		rc.Outcome = OutcomeFailed
	case expected:
		rc.Outcome = OutcomeUnexpectedPass
	default:
		rc.Outcome = OutcomePassed
	}
}

// judge compares an answer. A line that is no answer is a fault of the conversation.
func (r *runner) judge(rc *RunCase, line Object) *fall {
	if v, _ := line.Find("unsupported"); v == true {
		rc.Outcome = OutcomeUnsupported
		return nil
	}
	rd := &reader{where: "answer"}
	got := rd.result(line)
	if rd.err != nil {
		return &fall{fault: FaultLine, detail: fmt.Sprintf("%v: %s", rd.err, shown(marshal(line)))}
	}
	rc.Got = &got
	if got.Equal(rc.Case.Expect) {
		r.settle(rc, "")
		return nil
	}
	rc.Answer = firstDifference("answer", rc.Case.Expect.object(), got.object())
	if rc.Case.Policy == MayDiffer {
		rc.Outcome = OutcomeMayDiffer
		return nil
	}
	rc.Causes = causesOf(rc.Case, got)
	if steps, ok := line.Find(memberSteps); ok {
		if o, ok := steps.(Object); ok {
			rc.Step, rc.RightSteps = differSteps(rc.Case.Steps, o)
		}
	}
	if detail, ok := line.Find("detail"); ok && got.Error != "" {
		rc.Detail = shown(marshal(detail))
	}
	r.settle(rc, FaultAnswer)
	return nil
}
