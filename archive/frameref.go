package archive

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// Errors of a FrameRef: usage, nothing was done.
var (
	ErrUnknownFrame   = errors.New("no frame is named so")
	ErrAmbiguousFrame = errors.New("several frames are named so")
	ErrMalformedRef   = errors.New("no FrameId")
)

// A FrameRef names a frame of an answer.
type FrameRef struct {
	text  string
	exact *commitment.FrameID
}

// RefText returns a reference of the form ID[@DIGEST]. The whole text is taken as an id first; where no frame has that, it is
// split at the last @: "ID@" is the frame without a digest.
func RefText(text string) FrameRef { return FrameRef{text: text} }

// RefID returns a reference to the frame of one identity.
func RefID(id commitment.FrameID) FrameRef { return FrameRef{exact: &id} }

// ParseRefs reads references a line each: a FrameId as JSON (CGP §6.3) where the line begins with {, else ID[@DIGEST]. Empty
// lines are passed over. The error names the line and wraps ErrMalformedRef.
func ParseRefs(text string) ([]FrameRef, error) {
	var refs []FrameRef
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		switch {
		case line == "":
			continue
		case !strings.HasPrefix(line, "{"):
			refs = append(refs, RefText(line))
			continue
		}
		if err := strictjson.Validate([]byte(line), strictjson.DefaultLimits()); err != nil {
			return nil, fmt.Errorf("archive: line %d: %w: %w", n, ErrMalformedRef, err)
		}
		var id piece[commitment.FrameID]
		decoderOf(jsontext.Value(line), DefaultLimits()).decodeFrameID(&id)
		if !id.usable() {
			return nil, fmt.Errorf("archive: line %d: %w: %s", n, ErrMalformedRef, id.fault.detail)
		}
		refs = append(refs, RefID(id.value))
	}
	return refs, nil
}

// String shows the reference.
func (r FrameRef) String() string {
	if r.exact != nil {
		return describe(*r.exact)
	}
	return fmt.Sprintf("%.128q", r.text)
}

// A distinct frame is known by its identity and its commitment: frames that are equal in both are one.
type distinct struct {
	id commitment.FrameID
	c  commitment.Digest
}

// distinctFrame returns what is distinct about the frame at a position.
func distinctFrame(a *answer, c *commitments, provider string, i int) distinct {
	return distinct{a.frames[i].Identity(provider), c.of[i]}
}

// A frameIndex finds frames of one answer.
type frameIndex struct {
	answer      *answer
	commitments *commitments // may be set after matches was asked
	provider    string
	byID        map[string][]int // positions of frames with a readable identity
}

func newFrameIndex(a *answer, c *commitments, provider string) *frameIndex {
	x := &frameIndex{answer: a, commitments: c, provider: provider, byID: make(map[string][]int, len(a.frames))}
	for i := range a.frames {
		if f := &a.frames[i]; f.identified {
			x.byID[f.ID] = append(x.byID[f.ID], i)
		}
	}
	return x
}

// matches returns the positions that a reference names, be they of one frame or of several.
func (x *frameIndex) matches(r FrameRef) []int {
	if r.exact != nil {
		return x.only(r.exact.FrameID, func(f *frame) bool { return f.Identity(x.provider) == *r.exact })
	}
	if named := x.byID[r.text]; len(named) > 0 {
		return named
	}
	at := strings.LastIndexByte(r.text, '@')
	if at < 0 {
		return nil
	}
	digest := commitment.Optional{}
	if r.text[at+1:] != "" {
		digest = commitment.Some(r.text[at+1:])
	}
	return x.only(r.text[:at], func(f *frame) bool { return f.ContentDigest == digest })
}

func (x *frameIndex) only(id string, is func(*frame) bool) (positions []int) {
	for _, i := range x.byID[id] {
		if is(&x.answer.frames[i]) {
			positions = append(positions, i)
		}
	}
	return positions
}

// find returns the positions that a reference names: of one distinct frame, which may be carried several times.
func (x *frameIndex) find(r FrameRef) ([]int, error) {
	named := x.matches(r)
	if len(named) == 0 {
		return nil, fmt.Errorf("%s: %w", r, ErrUnknownFrame)
	}
	first := distinctFrame(x.answer, x.commitments, x.provider, named[0])
	for _, i := range named[1:] {
		if distinctFrame(x.answer, x.commitments, x.provider, i) != first {
			return nil, fmt.Errorf("%s: %w: frames %d and %d", r, ErrAmbiguousFrame, named[0], i)
		}
	}
	return named, nil
}
