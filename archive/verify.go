package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// A Source is one input: a name for the report and a way to open it.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// A Sink takes what a run finds, in the order of the input. What it is given is its own to keep. An error ends the run.
type Sink interface {
	Answer(*Answer) error
	Error(*RecordError) error
}

// ErrInternal is a fault of this package, found out by a panic. The error's text has the panic and its stack.
var ErrInternal = errors.New("internal error")

// A Verifier judges saved answers. The zero value demands evidence under a trusted key, holds none, and calls nothing good.
type Verifier struct {
	Keys     *Keyring
	Policy   Policy
	Limits   Limits
	Files    Files     // of provenance, read again to compare them with the links' digests; nil: provenance is not checked
	Jobs     int       // how many records are judged at a time; 0 is runtime.GOMAXPROCS
	Progress *Progress // nil where nobody looks
	Diagnose bool      // look for what would explain a commitment_mismatch or a bad_signature; nothing else changes
}

// Progress is how far a run has come. It may be read while Verify runs.
type Progress struct {
	Records, Frames atomic.Uint64
}

// Header returns what the run knows before it reads: the policy in force, where its keys came from.
func (v *Verifier) Header() Header {
	keys := v.keys()
	h := Header{
		Policy: v.policy(), Algorithms: keys.algorithms().Names(),
		Trusted: keys.trustedFrom(), Published: slices.Clone(keys.publishedSources), Held: keys.held(),
	}
	if at := h.Policy.ReceivedAt; at.Source != InstantFromArchive {
		h.ReceivedAt = &at
	}
	return h
}

func (v *Verifier) keys() *Keyring {
	if v.Keys == nil {
		return &Keyring{}
	}
	return v.Keys
}

func (v *Verifier) policy() Policy {
	p := v.Policy
	if p.Require == "" {
		p.Require = v.Keys.DefaultLevel()
	}
	if p.ReceivedAt.Source == "" {
		p.ReceivedAt.Source = InstantFromClock
	}
	return p
}

// Verify judges every answer of the sources and gives what it finds to sink, in the order of the input whatever Jobs is. sources
// is run through once, in a goroutine that has ended when Verify returns, one source being open at a time. The Summary is whole
// whatever happened, and its exit code speaks for the run; an error is the sink's, ctx's where the run was interrupted, or wraps
// ErrInternal.
func (v *Verifier) Verify(ctx context.Context, sources iter.Seq[Source], sink Sink) (*Summary, error) {
	p := v.policy()
	r := &run{
		policy: p, keys: v.keys(), limits: v.Limits.withDefaults(), sink: sink, summary: NewSummary(p.Require),
		progress: v.Progress, files: v.Files,
	}
	if v.Files != nil {
		r.summary.Provenance = make(map[LinkStatus]uint64)
	}
	if r.progress == nil {
		r.progress = &Progress{}
	}
	if r.diagnose = v.Diagnose; r.diagnose {
		r.keysAtHand = r.keys.atHand()
	}
	jobs := v.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	err := r.all(ctx, sources, jobs)
	r.summary.Finished = err == nil
	r.summary.Conclude()
	if errors.Is(err, ErrInternal) {
		r.summary.exit(ExitInternal, "a fault of cgp-attest itself: this report is partial")
	}
	return r.summary, err
}

// A run is one Verify under way.
type run struct {
	policy   Policy
	keys     *Keyring
	limits   Limits
	files    Files
	sink     Sink
	summary  *Summary
	progress *Progress

	diagnose   bool
	keysAtHand []keyAtHand // for diagnoses
}

// caught turns a panic into an error that wraps ErrInternal: it ends the run and not the program, and what was found stands in
// the report. It is deferred.
func caught(err *error) {
	if fault := recover(); fault != nil {
		*err = fmt.Errorf("archive: %w: %v\n%s", ErrInternal, fault, debug.Stack())
	}
}

// An input is one source of a run, as the records of it are given back in their order.
type input struct {
	name   string
	ledger *ledger
	hold   *holdBack
}

// begin starts the next input.
func (r *run) begin(name string) *input {
	r.summary.Sources++
	in := &input{name: name, ledger: newLedger()}
	in.hold = &holdBack{run: r, ledger: in.ledger}
	return in
}

// take takes what became of the next record of an input: it is counted, and an answer is held back where it must be.
func (r *run) take(in *input, it *item) error {
	if it.fault == nil || it.fault.Record > 0 {
		r.summary.Records++
		r.progress.Records.Add(1)
	}
	switch {
	case it.fault != nil:
		return in.hold.fail(it.fault)
	case it.handshake != nil:
		it.view.settle()
		in.ledger.acknowledge(it.handshake)
		if len(it.handshake.keys)+len(it.handshake.faults) > 0 {
			in.hold.signed(it.handshake.provider)
		}
		return nil
	case it.answer == nil:
		r.summary.PassedOver++
		return nil
	}
	r.progress.Frames.Add(uint64(len(it.answer.Frames)))
	faults := in.ledger.takeFaults(it.answer.ProviderID.OrEmpty())
	it.answer.Findings = slices.Insert(it.answer.Findings, it.faultsAt, faults...)
	return in.hold.answer(it.answer, it.bare, it.size)
}

// end gives back what an input still holds.
func (r *run) end(in *input) error {
	if in.ledger.full {
		r.summary.FindInput(in.name, FindingStrippedEvidence, fmt.Sprintf("more than %d providers answer in this input: "+
			"for those beyond them it is not told whether an answer without evidence was stripped of it", maxWitnesses))
	}
	if n := in.hold.untold(); n > 0 {
		r.summary.FindInput(in.name, FindingStrippedEvidence, counted(n, "answer carries", "answers carry")+
			" no evidence, and later in this input their provider publishes keys: they are not marked one by one")
	}
	return in.hold.flush()
}

// faultCode names a reading fault for the report.
func faultCode(f *strictjson.Fault) ErrorCode {
	for sentinel, code := range map[error]ErrorCode{
		strictjson.ErrByteOrderMark:   ErrorByteOrderMark,
		strictjson.ErrInvalidUTF8:     ErrorInvalidUTF8,
		strictjson.ErrCut:             ErrorCut,
		strictjson.ErrDuplicateMember: ErrorDuplicateMember,
		strictjson.ErrLoneSurrogate:   ErrorLoneSurrogate,
		strictjson.ErrTrailingBytes:   ErrorTrailingBytes,
		strictjson.ErrTooDeep:         ErrorTooDeep,
		strictjson.ErrTooLarge:        ErrorTooLarge,
		strictjson.ErrTooManyMembers:  ErrorTooManyMembers,
	} {
		if errors.Is(f, sentinel) {
			return code
		}
	}
	return ErrorSyntax
}

func (r *run) fail(e *RecordError) error {
	r.summary.CountError()
	return r.sink.Error(e)
}

// deliver selects, counts and hands on a judged answer.
func (r *run) deliver(a *Answer) error {
	if r.policy.Frames != nil {
		if !a.selectFrames(r.policy.Frames) {
			return nil
		}
		a.Class = r.policy.answerClass(a)
	}
	r.summary.CountAnswer(a)
	return r.sink.Answer(a)
}

// selectFrames drops the frames that are not selected and the findings about them, and reports whether any is left.
// Findings about the answer stay.
func (a *Answer) selectFrames(ids []string) bool {
	kept := make(map[int]bool)
	named := make(map[commitment.Optional]bool)
	for _, id := range ids {
		named[commitment.Some(id)] = true
	}
	a.Frames = slices.DeleteFunc(a.Frames, func(f Frame) bool {
		kept[f.Position] = named[commitment.Some(f.FrameID)]
		return !kept[f.Position]
	})
	a.Findings = slices.DeleteFunc(a.Findings, func(f Finding) bool {
		return f.Position >= 0 && !kept[f.Position] || f.Position < 0 && f.FrameID.Present() && !named[f.FrameID]
	})
	return len(a.Frames) > 0
}

// Limits bound what one record may hold; a record over one is an error of its own and the run goes on. A zero field is the
// default.
type Limits struct {
	Record  int64 // bytes of one record: 64 MiB
	Members int   // of one object: 100,000; of all objects that are open at one place, four times as many
	Depth   int   // of nesting, members that nobody reads included: 128
	Frames  int   // of one answer, and entries of one answer: 1,000,000
	Links   int   // of one frame's provenance: 10,000; of one answer's, a hundred times as many
	Window  int64 // bytes that a zstd frame may have its reader hold: 8 MiB; over it the source ends. At most 2 GiB, at least 1 KiB
}

// DefaultLimits returns the limits that apply where nothing else is said.
func DefaultLimits() Limits {
	json := strictjson.DefaultLimits()
	return Limits{Record: json.Bytes, Members: json.Members, Depth: json.Depth, Frames: 1_000_000, Links: 10_000, Window: 8 << 20}
}

func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	if l.Record == 0 {
		l.Record = d.Record
	}
	if l.Members == 0 {
		l.Members = d.Members
	}
	if l.Depth == 0 {
		l.Depth = d.Depth
	}
	if l.Frames == 0 {
		l.Frames = d.Frames
	}
	if l.Links == 0 {
		l.Links = d.Links
	}
	if l.Window == 0 {
		l.Window = d.Window
	}
	return l
}

func (l Limits) scanner() strictjson.Limits {
	return strictjson.Limits{Bytes: l.Record, Members: l.Members, Depth: l.Depth}
}

// A Report is a whole run in memory: for a host that checks one answer, or a test.
type Report struct {
	Header  Header
	Answers []*Answer
	Errors  []*RecordError
	Summary *Summary
}

// Answer implements Sink.
func (r *Report) Answer(a *Answer) error { r.Answers = append(r.Answers, a); return nil }

// Error implements Sink.
func (r *Report) Error(e *RecordError) error { r.Errors = append(r.Errors, e); return nil }

// VerifyReader judges one input and keeps everything it finds. For archives of any size give Verify a Sink that does not.
func (v *Verifier) VerifyReader(ctx context.Context, name string, in io.Reader) (*Report, error) {
	report := &Report{Header: v.Header()}
	open := func() (io.ReadCloser, error) { return io.NopCloser(in), nil }
	summary, err := v.Verify(ctx, slices.Values([]Source{{Name: name, Open: open}}), report)
	report.Summary = summary
	if err != nil {
		return report, fmt.Errorf("archive: %s: %w", name, err)
	}
	return report, nil
}
