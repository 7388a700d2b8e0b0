package archive

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"

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
	content        content
	representation commitment.Optional
	evidenceInside string // name of the first attestation member found inside the frame, "" for none
	fileNoDigest   int    // file links without a digest in D1 form
	members        frameMembers
}

// A content is the inline content of a frame as it is spelt, nil where it is absent.
type content struct{ raw jsontext.Value }

// Present reports whether there is a content, the empty one included.
func (c content) Present() bool { return c.raw != nil }

// Text returns the content and whether there is one. It is read anew with every call.
func (c content) Text() (s string, present bool) { return c.OrEmpty(), c.Present() }

// OrEmpty returns the content, or "" where it is absent.
func (c content) OrEmpty() string {
	if c.raw == nil {
		return ""
	}
	return string(strictjson.AppendText(nil, c.raw))
}

// digest returns the SHA-256 of the content, which is present. It may use the room of scratch, and returns it.
func (c content) digest(scratch []byte) (commitment.Digest, []byte) {
	text := c.raw[1 : len(c.raw)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		scratch = strictjson.AppendText(scratch[:0], c.raw)
		text = scratch
	}
	return sha256.Sum256(text), scratch
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

// hasProofs reports whether some entry has a proof that could be read.
func (a *answer) hasProofs() bool {
	for i := range a.entries {
		if a.entries[i].proof.usable() {
			return true
		}
	}
	return false
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

// A decoder reads the records of an input, one at a time. What it read last is overwritten by the next record; texts are not.
// The bytes of a record have to stay as they are while it is used.
type decoder struct {
	lim   Limits
	b     []byte // the record
	cur   strictjson.Cursor
	eager bool // results are read where they stand, as far as it is known what they are
	plain bool // they never are

	kept    arena // texts that a report may keep
	passing arena // texts that nobody keeps once the record is judged

	frames      []frame
	entries     []entry
	links       slab[commitment.Link]
	ids         slab[piece[commitment.FrameID]]
	attestation slab[piece[sign.Attestation]]
	proofs      slab[piece[proof]]
	steps       slab[proofStep]
	last        sign.Attestation // the last one read, whose texts the next one is likely to repeat
	lastName    string           // the provider of the last entry
}

// begin makes the decoder ready for a record that starts at the first byte of b.
func (d *decoder) begin(b []byte) {
	d.b, d.cur = b, strictjson.CursorAt(b, 0)
	d.kept.begin()
	d.passing.begin()
}

// clear takes back what was read of another result. Its texts stay.
func (d *decoder) clear() {
	if cap(d.frames) > mostSlab {
		d.frames = nil
	}
	if cap(d.entries) > mostSlab {
		d.entries = nil
	}
	d.frames, d.entries = d.frames[:0], d.entries[:0]
	d.links.reset()
	d.ids.reset()
	d.attestation.reset()
	d.proofs.reset()
	d.steps.reset()
	d.last, d.lastName = sign.Attestation{}, ""
}

// decoderOf returns a decoder for one value that passed.
func decoderOf(v jsontext.Value, lim Limits) *decoder {
	d := &decoder{lim: lim}
	d.begin(v)
	return d
}

// string keeps the string at hand. ok is false where it is of another kind, which is left alone.
func (d *decoder) string(in *arena) (s string, ok bool) {
	if d.cur.Kind() != '"' {
		return "", false
	}
	return in.text(d.cur.Raw()), true
}

// optional reads a string or null, which is absent. ok is false where it is of another kind, which is left alone.
func (d *decoder) optional(in *arena) (o commitment.Optional, ok bool) {
	if d.cur.IsNull() {
		return o, true
	}
	s, ok := d.string(in)
	if !ok {
		return o, false
	}
	return commitment.Some(s), true
}

// kindName names the kind of the value at hand.
func (d *decoder) kindName() string { return strictjson.KindName(d.b[d.cur.At():]) }

// decodeResult reads the result object at hand.
func (d *decoder) decodeResult() (*answer, *RecordError) {
	d.clear()
	start := d.cur.At()
	a := &answer{}
	found := false
	for d.cur.Object(); ; {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "frames":
			if d.cur.Kind() != '[' {
				return nil, recordError(ErrorMalformedRecord, d.cur.At(), "frames is %s, want an array", d.kindName())
			}
			found = true
			if err := d.decodeFrames(a); err != nil {
				return nil, err
			}
		case "frame_attestations":
			if err := d.decodeEntries(a); err != nil {
				return nil, err
			}
		case "result_attestation":
			d.decodeAttestation(&a.root)
		}
	}
	if !found {
		return nil, recordError(ErrorMalformedRecord, start, "the result has no frames array")
	}
	a.result = span{start, d.cur.At()}
	a.bare = !a.root.present && len(a.entries) == 0 && !a.entriesFault.found()
	return a, nil
}

// countFrom is the size of a record from which on the elements of its lists are counted before they are read: there may be more
// of them than the limit, and room for them is made once.
const countFrom = 1 << 20

// count returns how many elements the array at hand has where it is worth knowing, else 0. Beyond the limit it is not ok, and at
// is where the first of these elements stands.
func (d *decoder) count(limit int) (n, at int, ok bool) {
	if len(d.b) < min(countFrom, 2*limit) {
		return 0, 0, true
	}
	c := d.cur
	for c.Array(); c.Element(); n++ {
		if n == limit {
			return n, c.At(), false
		}
	}
	return n, 0, true
}

func (d *decoder) decodeFrames(a *answer) *RecordError {
	n, at, ok := d.count(d.lim.Frames)
	if !ok {
		return recordError(ErrorTooManyFrames, at, "more than %d frames in one answer", d.lim.Frames)
	}
	d.frames = slices.Grow(d.frames, n) // growing by and by would cost their memory again
	for d.cur.Array(); d.cur.Element(); {
		at := d.cur.At()
		d.frames = append(d.frames, frame{})
		f := &d.frames[len(d.frames)-1]
		if err := d.decodeFrame(f); err != nil {
			return err
		}
		if a.links += len(f.Provenance); a.links > linkedFrames*d.lim.Links {
			return recordError(ErrorTooManyLinks, at, "more than %d provenance links in one answer", linkedFrames*d.lim.Links)
		}
	}
	a.frames = d.frames
	return nil
}

// decodeFrame reads the frame at hand. A frame that breaks the wire's types is kept with its fault: it has no commitment, but it
// is counted and named.
func (d *decoder) decodeFrame(f *frame) *RecordError {
	start := d.cur.At()
	hasID, identified := false, true
	if !d.cur.Object() {
		f.fault = fault{ReasonNotAnObject, "the frame is " + d.kindName() + ", want an object"}
		f.at = span{start, start + len(d.cur.Raw())}
		return nil
	}
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "id":
			if f.ID, ok = d.string(&d.kept); !ok {
				f.spoil(d.notAString(), "id is %s, want a string", d.kindName())
				identified = false
			}
			hasID = true
		case "content":
			switch d.cur.Kind() {
			case '"':
				f.content = content{d.cur.Raw()}
			case 'n':
			default:
				f.spoil(ReasonIllTyped, "content is %s, want a string or null", d.kindName())
			}
		case "content_digest":
			if f.ContentDigest, ok = d.optional(&d.kept); !ok {
				f.spoil(ReasonIllTyped, "content_digest is %s, want a string or null", d.kindName())
				identified = false
			}
		case "representation":
			if s, ok := d.string(&d.passing); ok {
				f.representation = commitment.Some(s)
			}
		case "content_ref":
			f.members.contentRef = !d.cur.IsNull()
		case "transform":
			f.members.transform = !d.cur.IsNull()
		case "canonical_content_hash":
			f.members.canonicalHash = !d.cur.IsNull()
		case "provenance":
			if err := d.decodeProvenance(f); err != nil {
				return err
			}
		default:
			if f.evidenceInside == "" && isEvidenceMember(string(name)) && !d.cur.IsNull() {
				f.evidenceInside = string(name)
			}
		}
	}
	if !hasID {
		f.spoil(ReasonMissingMember, "id is missing, want a string")
	}
	f.at = span{start, d.cur.At()}
	f.identified = hasID && identified
	return nil
}

// spoil records the first thing that is wrong with the frame.
func (f *frame) spoil(r Reason, format string, args ...any) {
	if !f.fault.found() {
		f.fault = fault{r, fmt.Sprintf(format, args...)}
	}
}

// notAString says what is wrong with a required member at hand that is no string: null is as good as none.
func (d *decoder) notAString() Reason {
	if d.cur.IsNull() {
		return ReasonMissingMember
	}
	return ReasonIllTyped
}

func (d *decoder) decodeProvenance(f *frame) *RecordError {
	if d.cur.IsNull() {
		return nil
	}
	if d.cur.Kind() != '[' {
		f.spoil(ReasonIllTyped, "provenance is %s, want an array", d.kindName())
		return nil
	}
	n, _, _ := d.count(countFrom) // the limit is looked at below
	d.links.begin(n)
	n = 0
	for d.cur.Array(); d.cur.Element(); n++ {
		if n >= d.lim.Links {
			return recordError(ErrorTooManyLinks, d.cur.At(), "more than %d provenance links in one frame", d.lim.Links)
		}
		d.decodeLink(f, n)
	}
	if n > 0 {
		f.Provenance = d.links.list()
	}
	return nil
}

func (d *decoder) decodeLink(f *frame, n int) {
	if !d.cur.Object() {
		f.spoil(ReasonNotAnObject, "provenance link %d is %s, want an object", n, d.kindName())
		return
	}
	var l commitment.Link
	hasType := false
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		var to *commitment.Optional
		switch string(name) {
		case "type":
			if l.Type, ok = d.string(&d.passing); !ok {
				f.spoil(d.notAString(), "type of provenance link %d is %s, want a string", n, d.kindName())
			}
			hasType = true
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
		if *to, ok = d.optional(&d.passing); !ok {
			f.spoil(ReasonIllTyped, "%s of provenance link %d is %s, want a string or null", name, n, d.kindName())
		}
	}
	if !hasType {
		f.spoil(ReasonMissingMember, "type of provenance link %d is missing, want a string", n)
	}
	if l.Type == linkFile && !commitment.IsDigest(l.Digest.OrEmpty()) {
		f.fileNoDigest++
	}
	d.links.add(l)
}

func recordError(code ErrorCode, at int, format string, args ...any) *RecordError {
	return &RecordError{Code: code, At: int64(at), Detail: fmt.Sprintf(format, args...)}
}
