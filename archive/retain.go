package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// RetainForm is what [Retain] writes.
type RetainForm string

const (
	RetainEvidence RetainForm = "evidence" // a record of the format cgp-evidence/1
	RetainEnvelope RetainForm = "envelope" // a frames message with signatures and neither root nor proofs
)

// Errors of Retain beside *[RetainRefusal], *[RecordError], [ErrNoProvider] and those of choosing answers and frames.
var (
	ErrUnknownForm = errors.New("unknown form, want evidence or envelope")
	ErrNothingKept = errors.New("no frame is to be kept")
	ErrKeepAndDrop = errors.New("frames to keep and frames to drop were both given, want one of them")
	// ErrUnverified means that what was to be written did not verify as the answer did. It is not returned for any input that
	// is known: it is what stands between a mistake in this package and evidence that proves nothing.
	ErrUnverified = errors.New("the retained subset does not verify as the answer did")
)

// RetainOptions say which frames are kept of which answers.
type RetainOptions struct {
	Source   string              // names the input in errors
	Keys     *Keyring            // keys at hand; nil holds none. It must not change while Retain runs
	Provider commitment.Optional // the declared name, whatever the input says
	LocalID  commitment.Optional // to look up trust under; absent: the declared name
	// ReceivedAt is the instant that windows of keys are compared with; as in Policy.
	ReceivedAt ReceivedAt
	Record     uint64     // the answer's record, from 1; 0 is the only answer of the input
	Keep       []FrameRef // the frames to keep, or
	Drop       []FrameRef // the frames not to keep
	// Everywhere looks for the frames to keep in every answer of the input, and passes answers over that have none of them.
	// Each must be found somewhere.
	Everywhere bool
	Form       RetainForm // "" is RetainEvidence
	Limits     Limits
}

// A Subset is what is kept of one answer.
type Subset struct {
	Record     uint64
	Offset     int64
	ID         commitment.Optional
	ProviderID string
	Output     []byte // one JSON value and a line feed
	Kept       int    // frames
	Dropped    int    // frames
	Signatures int    // distinct kept frames with a signature of their own
	Proofs     int    // distinct kept frames with an inclusion proof
	// Verified says that every kept frame verifies under some key at hand, were it merely a published one.
	Verified bool
	Answer   *Answer // the judgement on Output; Require is constructed
}

// Retain keeps a few frames of signed answers and what proves them: their own signatures, and inclusion proofs under the signed
// root (CGP F13). It is called before the rest is dropped: afterwards nothing can make the proofs. In Drop and Keep alike a
// frame that is carried several times is meant as often as it is carried.
//
// No key is needed: the root over all frames must be the signed one. A key at hand under which a signature is bad refuses.
// Frames are copied byte for byte, in the order carried; published keys that the evidence names go along. Of the frames that
// are not kept nothing is written but what proofs have: hashes, and how many frames there were. Each subset is judged as a
// receiver does before it is returned.
//
// The error is a *[RecordError] for a record that cannot be read, a *[RetainRefusal], or wraps [ErrNoProvider], [ErrNoAnswer],
// [ErrSeveralAnswers], [ErrUnknownFrame], [ErrAmbiguousFrame], ErrUnknownForm, ErrNothingKept or ErrKeepAndDrop. On any error
// there is no subset.
func Retain(in io.Reader, opt RetainOptions) ([]Subset, error) {
	open := func() (io.ReadCloser, error) { return io.NopCloser(in), nil }
	return RetainAll([]Source{{Name: opt.Source, Open: open}}, opt)
}

// RetainAll does what Retain does for several inputs, whose names take the place of Source. With Everywhere each frame has to
// be found in one of them, and an input without an answer is none to complain about where another has one.
func RetainAll(sources []Source, opt RetainOptions) ([]Subset, error) {
	r, err := newRetention(opt)
	if err != nil {
		return nil, fmt.Errorf("archive: %w", err)
	}
	var empty error
	answered := false
	for _, src := range sources {
		err := r.read(src)
		switch {
		case errors.Is(err, ErrNoAnswer):
			empty = err
		case err != nil:
			return nil, err
		default:
			answered = true
		}
	}
	if !answered && empty != nil {
		return nil, empty
	}
	for i, ref := range opt.Keep {
		if !r.found[i] {
			return nil, fmt.Errorf("archive: %s: %w in any answer", ref, ErrUnknownFrame)
		}
	}
	return r.subsets, nil
}

// read keeps what is to be kept of the answers of one source.
func (r *retention) read(src Source) error {
	in, err := src.Open()
	if err != nil {
		return &RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()}
	}
	defer in.Close()
	r.opt.Source = src.Name
	c := choice{
		source: src.Name, record: r.opt.Record, everywhere: r.opt.Everywhere, limits: r.opt.Limits,
		algorithms: r.keys.algorithms(),
	}
	return c.take(in, r.take)
}

// A retention is one Retain under way.
type retention struct {
	opt     RetainOptions
	policy  Policy
	keys    *Keyring
	found   []bool // by reference to keep
	subsets []Subset
}

func newRetention(opt RetainOptions) (*retention, error) {
	switch opt.Form {
	case "":
		opt.Form = RetainEvidence
	case RetainEvidence, RetainEnvelope:
	default:
		return nil, fmt.Errorf("%.32q: %w", opt.Form, ErrUnknownForm)
	}
	name, named := opt.Provider.Text()
	switch {
	case named && (name == "" || !utf8.ValidString(name)):
		return nil, fmt.Errorf("provider %.128q: %w: want a name that is not empty, in UTF-8", name, sign.ErrMalformedID)
	case len(opt.Keep) == 0 && len(opt.Drop) == 0:
		return nil, ErrNothingKept
	case len(opt.Keep) > 0 && len(opt.Drop) > 0, opt.Everywhere && len(opt.Drop) > 0:
		return nil, ErrKeepAndDrop
	}
	opt.Limits = opt.Limits.withDefaults()
	r := &retention{opt: opt, keys: opt.Keys, found: make([]bool, len(opt.Keep))}
	if r.keys == nil {
		r.keys = &Keyring{}
	}
	v := Verifier{Keys: r.keys, Policy: Policy{
		Require: RequireConstructed, Provider: opt.Provider, LocalID: opt.LocalID, ReceivedAt: opt.ReceivedAt,
	}}
	r.policy = v.policy()
	return r, nil
}

// take keeps what is to be kept of one answer.
func (r *retention) take(rec *record, at strictjson.Value, v view) error {
	w := &whole{act: actKeep, source: r.opt.Source, at: at, rec: rec, provider: resolve(&r.policy, v, rec)}
	index := newFrameIndex(rec.answer, nil, w.provider.name)
	if r.opt.Everywhere && !slices.ContainsFunc(r.opt.Keep, func(ref FrameRef) bool { return len(index.matches(ref)) > 0 }) {
		return nil
	}
	if err := w.check(); err != nil {
		return err
	}
	judged := &Answer{Source: r.opt.Source, Record: at.Number, Offset: at.Offset}
	k := &keeping{whole: w, judge: judgeAnswer(&r.policy, r.keys, v, rec, judged), form: r.opt.Form}
	w.commitments = k.judge.commitments
	index.commitments = w.commitments
	if err := r.choose(k, index); err != nil {
		return fmt.Errorf("archive: record %d: %w", at.Number, err)
	}
	if err := k.weigh(); err != nil {
		return err
	}
	output, err := k.write()
	if err != nil {
		return err
	}
	subset, err := r.confirm(k, output, v)
	if err != nil {
		return err
	}
	r.subsets = append(r.subsets, *subset)
	return nil
}

// choose finds the positions to keep.
func (r *retention) choose(k *keeping, index *frameIndex) error {
	chosen := make([]bool, len(k.rec.answer.frames))
	keep := len(r.opt.Keep) > 0
	refs := r.opt.Drop
	if keep {
		refs = r.opt.Keep
	}
	for n, ref := range refs {
		named, err := index.find(ref)
		if errors.Is(err, ErrUnknownFrame) && r.opt.Everywhere {
			continue
		}
		if err != nil {
			return err
		}
		if keep {
			r.found[n] = true
			named = named[:1] // frames that are equal in identity and commitment: the first is meant
		}
		for _, i := range named {
			chosen[i] = true
		}
	}
	for i := range chosen {
		if chosen[i] == keep {
			k.positions = append(k.positions, i)
		}
	}
	if len(k.positions) == 0 {
		return ErrNothingKept
	}
	return nil
}

// confirm judges what was written as a receiver does, who has it and nothing else of the input, with the keys at hand and with
// none but its own; of an envelope, which carries no keys, in its session.
func (r *retention) confirm(k *keeping, output []byte, v view) (*Subset, error) {
	policy := r.policy
	policy.Retained = true
	policy.Provider = commitment.Some(k.provider.name)
	if k.form == RetainEvidence {
		policy.Provider = commitment.Optional{}
		v = newSession(r.keys.algorithms()).now()
	}
	rec, at, err := newPlainReader("", bytes.NewReader(output), r.opt.Limits).next()
	var unreadable *RecordError
	if errors.As(err, &unreadable) {
		return nil, k.refuse(RetainOverLimit, -1, "with its proofs the record is unreadable: %s: %s", unreadable.Code, unreadable.Detail)
	}
	if err != nil {
		return nil, fmt.Errorf("archive: %w: %w", ErrUnverified, err)
	}
	out := &Answer{Source: r.opt.Source, Record: at.Number, Offset: at.Offset}
	judgeAnswer(&policy, r.keys, v, rec, out)
	fault := k.unverified(out)
	if fault == "" && k.form == RetainEvidence {
		stranger := &Answer{Source: r.opt.Source, Record: at.Number, Offset: at.Offset}
		judgeAnswer(&policy, &Keyring{Algorithms: r.keys.algorithms()}, newSession(r.keys.algorithms()).now(), rec, stranger)
		fault = k.unverifiedBy(stranger)
	}
	if fault != "" {
		return nil, fmt.Errorf("archive: %w: record %d: %s", ErrUnverified, k.at.Number, fault)
	}
	subset := &Subset{
		Record: k.at.Number, Offset: k.at.Offset, ID: k.rec.answer.id, ProviderID: k.provider.name, Output: output,
		Kept: len(k.positions), Dropped: len(k.rec.answer.frames) - len(k.positions), Proofs: k.proofs, Verified: true, Answer: out,
	}
	for _, i := range k.distinctOf(k.positions) {
		if k.signatures[i] != nil {
			subset.Signatures++
		}
	}
	for i := range out.Frames {
		if best(out.Frames[i].Evidence) == "" {
			subset.Verified = false
		}
	}
	return subset, nil
}

// unverifiedBy says what is wrong with what was written in the eyes of somebody who holds no key but those in it.
func (k *keeping) unverifiedBy(stranger *Answer) string {
	if stranger.Class == ClassNegative {
		return fmt.Sprintf("with its own keys it is %s: %s", stranger.Class, stranger.firstError())
	}
	return ""
}

// unverified says how the judgement on what was written differs from the one on the answer, "" where it does not.
func (k *keeping) unverified(out *Answer) string {
	if len(out.Frames) != len(k.positions) {
		return fmt.Sprintf("%d frames came back, want %d", len(out.Frames), len(k.positions))
	}
	if out.Class == ClassNegative {
		return fmt.Sprintf("it is %s: %s", out.Class, out.firstError())
	}
	for n, i := range k.positions {
		was, is := &k.judge.out.Frames[i], &out.Frames[n]
		if was.Commitment != is.Commitment || was.Content != is.Content {
			return fmt.Sprintf("frame %d is not what it was", i)
		}
		if want := k.signatures[i] != nil; want != is.hasEvidence(KindSignature) {
			return fmt.Sprintf("frame %d: signature evidence is %t, want %t", i, !want, want)
		}
		if k.form != RetainEvidence || k.tree == nil {
			continue
		}
		if p := is.evidenceOf(KindInclusion); p == nil || p.State != k.judge.out.Root.State {
			return fmt.Sprintf("frame %d is not proven as its root is", i)
		}
	}
	return ""
}

func (f *Frame) evidenceOf(kind EvidenceKind) *Evidence {
	for i := range f.Evidence {
		if f.Evidence[i].Kind == kind {
			return &f.Evidence[i]
		}
	}
	return nil
}

func (f *Frame) hasEvidence(kind EvidenceKind) bool { return f.evidenceOf(kind) != nil }

// firstError is what the first finding of severity error says, "" where there is none.
func (a *Answer) firstError() string {
	for i := range a.Findings {
		if f := &a.Findings[i]; f.Severity == SeverityError {
			return fmt.Sprintf("%s: %s", f.Code, f.Detail)
		}
	}
	return ""
}
