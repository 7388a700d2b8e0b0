package archive

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A fault says why a piece of an answer cannot be used. The zero value means that nothing is wrong.
type fault struct {
	reason Reason
	detail string
}

func (f fault) found() bool { return f.reason != "" }

// A piece is a part of an answer that may be absent, present, or present but unusable. One unusable piece never spoils its
// neighbours.
type piece[T any] struct {
	present bool
	fault   fault
	value   T
}

func (p *piece[T]) usable() bool { return p.present && !p.fault.found() }

// span is a half-open range of bytes within the record.
type span struct{ start, end int }

// A frame is a carried frame as decoded from its own raw value.
type frame struct {
	commitment.Frame
	at             span
	identified     bool  // id and content_digest could be read, whatever else is wrong
	fault          fault // malformed frame: no commitment
	content        commitment.Optional
	representation commitment.Optional
	evidenceInside string // name of the first attestation member found inside the frame, "" for none
	fileNoDigest   int    // file links without a digest in D1 form
	members        frameMembers
}

// The representations of a frame (CGP P1 to P3). Without the member a frame is full.
const (
	representationFull      = "full"
	representationCompact   = "compact"
	representationReference = "reference"
)

// frameMembers records which members that P1 to P3 speak of are there and not null.
type frameMembers struct {
	contentRef, transform, canonicalHash bool
}

// An answer is the decoded result of one record.
type answer struct {
	result           span // the result object within the record
	id               commitment.Optional
	frames           []frame
	entries          []entry
	entriesFault     fault // frame_attestations is no array
	root             piece[sign.Attestation]
	envelopeEvidence string // name of the first evidence member misplaced on the envelope, "" for none
	bare             bool   // carries no evidence at all
	links            int    // provenance links of all frames
}

// linkedFrames is how many frames of one answer may have as many provenance links each as one may have.
const linkedFrames = 100

// isEvidenceMember reports whether a name carries evidence on a result, and nowhere else (CGP §6.5.5, F6, F11).
func isEvidenceMember(name string) bool {
	switch name {
	case "attestation", "attestations", "frame_attestations", "result_attestation", "inclusion_proof":
		return true
	}
	return false
}

func isNull(v jsontext.Value) bool { return strictjson.Kind(v) == 'n' }

// decodeResult reads a result object. base is its offset within the record.
func decodeResult(result jsontext.Value, base int, lim Limits) (*answer, *RecordError) {
	a := &answer{result: span{base, base + len(result)}}
	found := false
	for m := range strictjson.Members(result) {
		switch m.Name {
		case "frames":
			if strictjson.Kind(m.Value) != '[' {
				return nil, recordError(ErrorMalformedRecord, base+m.Start, "frames is %s, want an array", strictjson.KindName(m.Value))
			}
			found = true
			if err := a.decodeFrames(m.Value, base+m.Start, lim); err != nil {
				return nil, err
			}
		case "frame_attestations":
			if err := a.decodeEntries(m.Value, base+m.Start, lim); err != nil {
				return nil, err
			}
		case "result_attestation":
			a.root = decodeAttestation(m.Value)
		}
	}
	if !found {
		return nil, recordError(ErrorMalformedRecord, base, "the result has no frames array")
	}
	a.bare = !a.root.present && len(a.entries) == 0 && !a.entriesFault.found()
	return a, nil
}

func (a *answer) decodeFrames(frames jsontext.Value, base int, lim Limits) *RecordError {
	n, over := countElements(frames, lim.Frames)
	if over >= 0 {
		return recordError(ErrorTooManyFrames, base+over, "more than %d frames in one answer", lim.Frames)
	}
	a.frames = make([]frame, 0, n) // growing would cost their memory again
	for e := range strictjson.Elements(frames) {
		f, err := decodeFrame(e.Value, base+e.Start, lim)
		if err != nil {
			return err
		}
		if a.links += len(f.Provenance); a.links > linkedFrames*lim.Links {
			return recordError(ErrorTooManyLinks, base+e.Start, "more than %d provenance links in one answer", linkedFrames*lim.Links)
		}
		a.frames = append(a.frames, f)
	}
	return nil
}

// countElements returns the number of elements of an array, and the offset of the first one beyond a limit, at which it
// stops, or -1.
func countElements(arr jsontext.Value, limit int) (n, over int) {
	for e := range strictjson.Elements(arr) {
		if n == limit {
			return n, e.Start
		}
		n++
	}
	return n, -1
}

// decodeFrame reads one frame. A frame that breaks the wire's types is kept with its fault: it has no commitment, but it is
// counted and named.
func decodeFrame(v jsontext.Value, base int, lim Limits) (frame, *RecordError) {
	f := frame{at: span{base, base + len(v)}}
	if strictjson.Kind(v) != '{' {
		f.fault = fault{ReasonNotAnObject, "the frame is " + strictjson.KindName(v) + ", want an object"}
		return f, nil
	}
	hasID, identified := false, true
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "id":
			id, ok := strictjson.String(m.Value)
			if !ok {
				f.spoil(ReasonIllTyped, "id is %s, want a string", strictjson.KindName(m.Value))
				identified = false
			}
			f.ID, hasID = id, true
		case "content":
			f.content = f.optional(m.Name, m.Value)
		case "content_digest":
			f.ContentDigest = f.optional(m.Name, m.Value)
			if !isNull(m.Value) && !f.ContentDigest.Present() {
				identified = false
			}
		case "representation":
			if s, ok := strictjson.String(m.Value); ok {
				f.representation = commitment.Some(s)
			}
		case "content_ref":
			f.members.contentRef = !isNull(m.Value)
		case "transform":
			f.members.transform = !isNull(m.Value)
		case "canonical_content_hash":
			f.members.canonicalHash = !isNull(m.Value)
		case "provenance":
			if err := f.decodeProvenance(m.Value, base+m.Start, lim); err != nil {
				return f, err
			}
		default:
			if isEvidenceMember(m.Name) && f.evidenceInside == "" && !isNull(m.Value) {
				f.evidenceInside = m.Name
			}
		}
	}
	if !hasID {
		f.spoil(ReasonMissingMember, "id is missing, want a string")
	}
	f.identified = hasID && identified
	return f, nil
}

// spoil records the first thing that is wrong with the frame.
func (f *frame) spoil(r Reason, format string, args ...any) {
	if !f.fault.found() {
		f.fault = fault{r, fmt.Sprintf(format, args...)}
	}
}

func (f *frame) optional(name string, v jsontext.Value) commitment.Optional {
	s, present, ok := strictjson.OptionalString(v)
	if !ok {
		f.spoil(ReasonIllTyped, "%s is %s, want a string or null", name, strictjson.KindName(v))
		return commitment.Optional{}
	}
	if !present {
		return commitment.Optional{}
	}
	return commitment.Some(s)
}

func (f *frame) decodeProvenance(v jsontext.Value, base int, lim Limits) *RecordError {
	if isNull(v) {
		return nil
	}
	if strictjson.Kind(v) != '[' {
		f.spoil(ReasonIllTyped, "provenance is %s, want an array", strictjson.KindName(v))
		return nil
	}
	n := 0
	for e := range strictjson.Elements(v) {
		if n >= lim.Links {
			return recordError(ErrorTooManyLinks, base+e.Start, "more than %d provenance links in one frame", lim.Links)
		}
		f.decodeLink(n, e.Value)
		n++
	}
	return nil
}

func (f *frame) decodeLink(n int, v jsontext.Value) {
	if strictjson.Kind(v) != '{' {
		f.spoil(ReasonNotAnObject, "provenance link %d is %s, want an object", n, strictjson.KindName(v))
		return
	}
	var l commitment.Link
	hasType := false
	for m := range strictjson.Members(v) {
		var to *commitment.Optional
		switch m.Name {
		case "type":
			s, ok := strictjson.String(m.Value)
			if !ok {
				f.spoil(ReasonIllTyped, "type of provenance link %d is %s, want a string", n, strictjson.KindName(m.Value))
			}
			l.Type, hasType = s, true
			continue
		case "uri":
			to = &l.URI
		case "range":
			to = &l.Range
		case "digest":
			to = &l.Digest
		case "method":
			to = &l.Method
		case "by":
			to = &l.By
		default:
			continue
		}
		s, present, ok := strictjson.OptionalString(m.Value)
		if !ok {
			f.spoil(ReasonIllTyped, "%s of provenance link %d is %s, want a string or null", m.Name, n, strictjson.KindName(m.Value))
		}
		if present {
			*to = commitment.Some(s)
		}
	}
	if !hasType {
		f.spoil(ReasonMissingMember, "type of provenance link %d is missing, want a string", n)
	}
	if _, err := commitment.ParseDigest(l.Digest.OrEmpty()); err != nil && l.Type == "file" {
		f.fileNoDigest++
	}
	f.Provenance = append(f.Provenance, l)
}

func recordError(code ErrorCode, at int, format string, args ...any) *RecordError {
	return &RecordError{Code: code, At: int64(at), Detail: fmt.Sprintf(format, args...)}
}
