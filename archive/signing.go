package archive

import (
	"bytes"
	"crypto"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Shape is which evidence [Sign] writes on an answer.
type Shape string

const (
	ShapeRoot   Shape = "root"   // one signature over the root, an inclusion proof for every frame
	ShapeFrames Shape = "frames" // a signature for every frame
	ShapeBoth   Shape = "both"   // all of these
)

func (s Shape) signsRoot() bool   { return s != ShapeFrames }
func (s Shape) signsFrames() bool { return s != ShapeRoot }

// Errors of Sign beside *[Refusal], *[RecordError], [ErrNoProvider] and those of sign.NewSigner.
var (
	ErrUnknownShape  = errors.New("unknown shape, want root, frames or both")
	ErrNothingToSign = errors.New("nothing to sign")
	ErrNoHandshake   = errors.New("no handshake_ack of the provider to publish the key in")
	// ErrUnconfirmed means that what was written did not pass the check that Verify makes of it. It is not returned for
	// any input that is known: it is what stands between a mistake in this package and a file that claims to be signed.
	ErrUnconfirmed = errors.New("the signed answer does not verify")
)

// SignOptions say who signs what, and in which shape.
type SignOptions struct {
	Source     string             // names the input in errors
	Key        crypto.Signer      // a key of one of Algorithms, on the terms of sign.NewSigner
	Algorithms sign.Algorithms    // empty: Ed25519 alone, the one that CGP §6.5.4 defines
	KeyID      string             // not empty
	AttesterID string             // "" is the provider's name
	IssuedAt   commitment.Instant // not zero
	Shape      Shape              // "" is ShapeRoot
	NoProofs   bool               // writes no inclusion proofs; ShapeFrames has none anyway

	// Provider is the declared name to sign under. Absent: the one that the handshake_acks of the input declare. In an
	// input that declares several it selects the answers that are signed.
	Provider commitment.Optional

	FillDigests       bool // inserts the missing content_digest of frames with inline content
	Replace           bool // takes the place of evidence that an answer carries
	SkipUnsignable    bool // leaves an answer that is refused as it is
	PublishKey        bool // adds the key to the provider's handshake_acks
	AllowOpaqueDigest bool // signs digests that are not in D1 form: nobody can compare the content with them

	Limits Limits
}

// SignResult is the input with its answers signed.
type SignResult struct {
	Output   []byte
	Provider string    // the name that the answers were signed under
	Signed   int       // answers
	Copied   int       // answers of other providers, left as they were
	Skipped  []Refusal // answers that were refused and left as they were
	// Undeclared counts, of the signed answers, those whose session declares another provider than the one they were signed
	// under: whoever verifies them must be told the name.
	Undeclared int
	// Answers is the judgement of Verify on each signed answer in Output, under the signer's key. All are good; what else
	// an auditor would be told stands in their findings.
	Answers []*Answer
}

// Sign signs every answer of an input (CGP §6.5): frames messages, the ones in archive lines, and bare results. Every byte of
// the input outside of what is inserted stays as it was. The answers are signed under one provider's name: Provider, else
// the name that the handshake_acks in front of them declare. What the entries of an answer call its provider is not asked:
// they are evidence, and this makes it.
//
// Evidence goes into the result object behind its last member, frame_attestations first, as compact JSON. A member that is
// null or an empty array is absent and is filled in its place. The entries stand in the order in which their frames are
// carried, one for each distinct identity. With Replace what was there is replaced in its place, and a member that the shape
// does not write is removed together with its comma. A content_digest goes behind the last member of its frame, a key behind
// the last element of attester_keys.
//
// Nothing is signed before every answer was found fit to be, and the whole output is verified before it is returned: each
// signature under the key, then every signed answer as Verify judges it. On any error there is no result.
//
// The error is a *[RecordError] for the first record that cannot be read; a *[Refusal] for what may not be signed, or for a
// key that cannot sign it; ErrNothingToSign where no answer is there, or none of Provider; ErrNoProvider, ErrNoHandshake or
// ErrUnknownShape, or it wraps an error of sign.NewSigner, sign.ErrMalformedID for a provider's name too, where the options
// do not do; or what the key's own Sign returned.
//
// The input is held in memory as a whole.
func Sign(input []byte, opt SignOptions) (*SignResult, error) {
	s := newSigning(input, opt)
	err := s.run(s.checkOptions, s.read, s.chooseProvider, s.newSigner, s.judgeAnswers, s.publishKey, s.signAnswers, s.confirmOutput)
	if err != nil {
		return nil, err
	}
	return s.result, nil
}

// A signing is one Sign under way, or one step of the two that it can be taken in.
type signing struct {
	input   []byte
	opt     SignOptions
	limits  Limits
	answers []*signable
	acks    []*acknowledged
	names   []string // distinct declared names, in the order of the input
	signer  *sign.Signer
	edits   []edit
	result  *SignResult
}

func newSigning(input []byte, opt SignOptions) *signing {
	s := &signing{input: input, opt: opt, limits: opt.Limits.withDefaults(), result: &SignResult{}}
	if s.opt.Shape == "" {
		s.opt.Shape = ShapeRoot
	}
	return s
}

// run takes steps in turn, as far as the first error.
func (s *signing) run(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// A signable is an answer of the input and what is to become of it.
type signable struct {
	recordPlace
	answer      *answer             // nil: a retained subset
	declared    commitment.Optional // by the newest handshake_ack in front of it
	result      object
	filled      []int // positions of the frames whose digest is inserted
	commitments *commitments
}

// An acknowledged is a handshake_ack of the input.
type acknowledged struct {
	recordPlace
	*handshake
	message object
}

// A recordPlace says which record of the input is meant.
type recordPlace struct {
	number uint64
	offset int64
	id     commitment.Optional
}

func (s *signing) checkOptions() error {
	if _, err := parseShape(string(s.opt.Shape)); err != nil {
		return fmt.Errorf("archive: shape %w", err)
	}
	return nil
}

func parseShape(text string) (Shape, error) {
	switch shape := Shape(text); shape {
	case ShapeRoot, ShapeFrames, ShapeBoth:
		return shape, nil
	}
	return "", fmt.Errorf("%.32q: %w", text, ErrUnknownShape)
}

// checkPlain refuses an input that is compressed and is to be written again.
func checkPlain(source string, input []byte) error {
	if f, _ := recognise(input); f != nil {
		return &RecordError{
			Source: source, Code: ErrorUnreadableSource,
			Detail: fmt.Sprintf("the input is compressed with %s, and is to be written again byte for byte: decompress it first", f.name),
		}
	}
	return nil
}

// read reads every record before anything is decided: an acknowledgement at the end counts among the declared names, and
// one record that cannot be read spoils the whole, and so does compression.
func (s *signing) read() error {
	if err := checkPlain(s.opt.Source, s.input); err != nil {
		return err
	}
	records := newPlainReader(s.opt.Source, bytes.NewReader(s.input), s.limits)
	var newest commitment.Optional
	declared := make(map[string]bool)
	for {
		rec, at, err := records.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		here := recordPlace{number: at.Number, offset: at.Offset}
		if err != nil {
			return err
		}
		switch rec.kind {
		case recordHandshake:
			newest = commitment.Some(rec.handshake.provider)
			s.acks = append(s.acks, &acknowledged{here, rec.handshake, readObject(s.input, int(at.Offset), rec.message)})
			if !declared[rec.handshake.provider] {
				declared[rec.handshake.provider] = true
				s.names = append(s.names, rec.handshake.provider)
			}
		case recordAnswer:
			here.id = rec.answer.id
			if rec.retained {
				s.answers = append(s.answers, &signable{recordPlace: here, declared: newest})
				continue
			}
			s.answers = append(s.answers, &signable{
				recordPlace: here, answer: rec.answer, declared: newest,
				result: readObject(s.input, int(at.Offset), rec.answer.result),
			})
		}
	}
}

// chooseProvider settles the name that is signed under, and which answers and acknowledgements are that provider's.
func (s *signing) chooseProvider() error {
	if len(s.answers) == 0 {
		return fmt.Errorf("archive: %w: the input has no frames message and no bare result", ErrNothingToSign)
	}
	name, given := s.opt.Provider.Text()
	switch several := len(s.names) > 1; {
	case several && !slices.Contains(s.names, name):
		return s.refuseProviders()
	case several:
		s.copyOthers()
	case !given:
		for _, a := range s.answers {
			if !a.declared.Present() {
				return fmt.Errorf("archive: record %d at byte %d cannot be signed: %w", a.number, a.offset, ErrNoProvider)
			}
		}
		name = s.names[0]
	}
	if name == "" || !utf8.ValidString(name) {
		return fmt.Errorf("archive: provider %.128q: %w: want a name that is not empty, in UTF-8", name, sign.ErrMalformedID)
	}
	s.result.Provider = name
	if len(s.answers) == 0 {
		return fmt.Errorf("archive: %w: none of %d answers is of provider %.128q", ErrNothingToSign, s.result.Copied, name)
	}
	s.acks = slices.DeleteFunc(s.acks, func(a *acknowledged) bool { return a.provider != name })
	if s.opt.PublishKey && len(s.acks) == 0 {
		return fmt.Errorf("archive: %w: none declares %.128q", ErrNoHandshake, name)
	}
	return nil
}

// copyOthers leaves the answers out that the given provider did not make: who answered is the newest acknowledgement in front.
func (s *signing) copyOthers() {
	all := len(s.answers)
	s.answers = slices.DeleteFunc(s.answers, func(a *signable) bool { return a.declared != s.opt.Provider })
	s.result.Copied = all - len(s.answers)
}

func (s *signing) newSigner() error {
	if s.opt.AttesterID == "" {
		s.opt.AttesterID = s.result.Provider
	}
	signer, err := orEd25519(s.opt.Algorithms).NewSigner(s.opt.Key, s.opt.KeyID, s.opt.AttesterID, s.opt.IssuedAt)
	if errors.Is(err, sign.ErrMalformedKey) {
		r := s.refuse(RuleWeakKey, recordPlace{}, "%v", err)
		r.Err = err
		return r
	}
	if err != nil {
		return fmt.Errorf("archive: %w", err)
	}
	s.signer = signer
	return nil
}

// judgeAnswers finds out which answers may be signed, before the key is used for the first time.
func (s *signing) judgeAnswers() error {
	var fit []*signable
	for _, a := range s.answers {
		r := s.judgeSignable(a)
		switch {
		case r == nil:
			fit = append(fit, a)
		case s.opt.SkipUnsignable:
			s.result.Skipped = append(s.result.Skipped, *r)
		default:
			return r
		}
	}
	s.answers = fit
	return nil
}

// signAnswers signs, and puts the output together.
func (s *signing) signAnswers() error {
	for _, a := range s.answers {
		ev, err := s.attest(a)
		if err != nil {
			return err
		}
		s.write(a, ev)
		if a.declared.Present() && a.declared != commitment.Some(s.result.Provider) {
			s.result.Undeclared++
		}
	}
	s.result.Signed = len(s.answers)
	s.result.Output = splice(s.input, s.edits)
	return nil
}
