package archive

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// FormatArchive is the format of an archive line that hosts write when they store a message.
const FormatArchive = "cgp-archive/1"

// FormatEvidence is the format of a retained subset of a signed answer, which [Retain] writes. Sign refuses it: a subset has
// no root of its own.
const FormatEvidence = "cgp-evidence/1"

// typeFrames is the type of an answer.
const typeFrames = "frames"

// typeHandshake is the type of the message with which a provider begins a session.
const typeHandshake = "handshake_ack"

// recordKind says what a record is.
type recordKind int

const (
	recordPassedOver recordKind = iota // a message of another type
	recordAnswer
	recordHandshake
)

// A record is one JSON value of an input, classified and decoded.
type record struct {
	kind       recordKind
	typ        string // of a message
	answer     *answer
	handshake  *handshake
	localID    commitment.Optional // from an archive line or a retained subset
	receivedAt commitment.Optional // from one of these, as it stands there
	message    span                // the message or bare result within the record; of a retained subset all of it
	retained   bool                // a retained subset
	providerID commitment.Optional // of a retained subset
	keys       []publishedKey      // attester_keys of a retained subset
	keyFaults  []fault             // elements of them that cannot be read
	texts      *arena              // that those of the answer stand in
}

// framesAt is the JSON pointer (RFC 6901) from the record to the frames of its answer.
func (r *record) framesAt() string {
	switch {
	case r.typ == "" && !r.retained: // a bare result
		return "/frames"
	case r.message.start > 0: // an archive line
		return "/envelope/result/frames"
	}
	return "/result/frames"
}

// A handshake is what a handshake_ack says about its provider.
type handshake struct {
	provider string
	keys     []publishedKey
	faults   []fault // elements of attester_keys that cannot be read
	keysAt   span    // the value of attester_keys within the record, empty where it is missing
}

// A publishedKey is an element of attester_keys as it stands on the wire.
type publishedKey struct {
	keyID, algorithm, publicKey string
}

// topLevel are the members by which a record is told apart. Members have no order: all are read before any is judged.
type topLevel struct {
	typ, format, id, localID, receivedAt, providerID commitment.Optional
	at                                               span
	result, envelope                                 jsontext.Value // nil where missing
	provider, attesterKeys                           jsontext.Value // nil where missing
	resultAt, envelopeAt, attesterKeysAt             int            // offsets within the record
	frames                                           bool           // there is an array of this name
	localIDFault, receivedAtFault                    bool
	misplaced                                        string // first evidence member found here

	// What was read on the way, of a result behind a type that says that it is an answer, and of an envelope behind the format
	// that says that it is one.
	answer   *answer
	unusable *RecordError
	inner    *topLevel
}

// readTopLevel reads the object at hand.
func (d *decoder) readTopLevel() (t topLevel) {
	t.at.start = d.cur.At()
	for d.cur.Object(); ; {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "type":
			t.typ, _ = d.optional(&d.kept)
		case "format":
			t.format, _ = d.optional(&d.kept)
		case "id":
			t.id, _ = d.optional(&d.kept)
		case "local_id":
			t.localID, ok = d.optional(&d.kept)
			t.localIDFault = !ok
		case "received_at":
			t.receivedAt, ok = d.optional(&d.kept)
			t.receivedAtFault = !ok
		case "provider_id":
			t.providerID, _ = d.optional(&d.kept)
		case "result":
			d.readResult(&t)
			if t.unusable != nil {
				return t
			}
		case "frames":
			t.frames = d.cur.Kind() == '['
		case "envelope":
			d.readEnvelope(&t)
		case "provider":
			t.provider = d.cur.Raw()
		case "attester_keys":
			t.attesterKeysAt = d.cur.At()
			t.attesterKeys = d.cur.Raw()
		default:
			if t.misplaced == "" && isEvidenceMember(string(name)) && !d.cur.IsNull() {
				t.misplaced = string(name)
			}
		}
	}
	t.at.end = d.cur.At()
	return t
}

// readResult reads the result at hand: at once where the type in front of it says what it is. A fault of the result is then that
// of the record, whatever follows.
func (d *decoder) readResult(t *topLevel) {
	t.resultAt = d.cur.At()
	if !d.eager || d.cur.Kind() != '{' || t.typ != commitment.Some(typeFrames) {
		t.result = d.cur.Raw()
		return
	}
	t.answer, t.unusable = d.decodeResult()
	t.result = d.b[t.resultAt:d.cur.At()]
}

// readEnvelope reads the envelope at hand: at once where the format in front of it says that it is one. Whether that counts is
// not known before the whole record has been read, for it may still have a type.
func (d *decoder) readEnvelope(t *topLevel) {
	t.envelopeAt = d.cur.At()
	behind := d.cur
	if !d.eager || d.cur.Kind() != '{' || t.format != commitment.Some(FormatArchive) || t.typ.Present() {
		t.envelope = d.cur.Raw()
		return
	}
	inner := d.readTopLevel()
	t.inner = &inner
	if inner.unusable != nil { // it was not read to its end
		d.cur = behind
		t.envelope = d.cur.Raw()
		return
	}
	t.envelope = d.b[t.envelopeAt:d.cur.At()]
}

// record classifies the JSON value in the decoder: an object with a string type is a message, else one with a string format
// is an archive line, else one with a frames array is a bare result. Everything else is unreadable, never passed over.
func (d *decoder) record() (*record, *RecordError) {
	if d.cur.Kind() != '{' {
		return nil, recordError(ErrorNotAMessage, 0, "the record is %s, want an object", d.kindName())
	}
	d.eager = !d.plain
	t := d.readTopLevel()
	t.at = span{0, len(d.b)} // with the white space around it
	switch {
	case t.typ.Present():
		return d.decodeMessage(&t)
	case t.format.Present():
		return d.decodeFormat(&t)
	case t.frames:
		a, err := d.resultAt(0)
		if err != nil {
			return nil, err
		}
		a.result = t.at
		return &record{kind: recordAnswer, answer: a, message: t.at, texts: &d.kept}, nil
	}
	return nil, recordError(ErrorNotAMessage, 0, "the object has no string type or format and no frames array, want a message, an archive line or a bare result")
}

// decodeRecord reads one validated JSON value, which must stay as it is while the record is used.
func decodeRecord(v jsontext.Value, lim Limits) (*record, *RecordError) {
	return decoderOf(v, lim).record()
}

// resultAt reads the result object at an offset.
func (d *decoder) resultAt(at int) (*answer, *RecordError) {
	d.cur = strictjson.CursorAt(d.b, at)
	return d.decodeResult()
}

// decodeMessage reads a message, the record itself or its envelope.
func (d *decoder) decodeMessage(t *topLevel) (*record, *RecordError) {
	r := &record{typ: t.typ.OrEmpty(), message: t.at}
	switch r.typ {
	case typeFrames:
		if !isKind(t.result, '{') {
			return nil, recordError(ErrorMalformedRecord, t.at.start, "a frames message without a result object")
		}
		if err := d.answerOf(t); err != nil {
			return nil, err
		}
		r.kind, r.answer, r.texts = recordAnswer, t.answer, &d.kept
	case typeHandshake:
		h, err := decodeHandshake(t)
		if err != nil {
			return nil, err
		}
		r.kind, r.handshake = recordHandshake, h
	}
	return r, nil
}

// answerOf reads the result unless that was done on the way.
func (d *decoder) answerOf(t *topLevel) *RecordError {
	if t.answer == nil && t.unusable == nil {
		t.answer, t.unusable = d.resultAt(t.resultAt)
	}
	if t.unusable != nil {
		return t.unusable
	}
	t.answer.id, t.answer.envelopeEvidence = t.id, t.misplaced
	return nil
}

// decodeFormat reads a record in a format of ours.
func (d *decoder) decodeFormat(t *topLevel) (*record, *RecordError) {
	format := t.format.OrEmpty()
	switch format {
	case FormatArchive, FormatEvidence:
	default:
		return nil, recordError(ErrorUnsupportedFormat, 0, "format %.64q is not read here, want %q or %q", format, FormatArchive, FormatEvidence)
	}
	if t.localIDFault || t.receivedAtFault {
		return nil, recordError(ErrorMalformedRecord, 0, "local_id and received_at of %s are strings where they stand", format)
	}
	if format == FormatEvidence {
		return d.decodeEvidence(t)
	}
	return d.decodeArchiveLine(t)
}

// decodeEvidence reads a retained subset. What it says of its provider is its own claim, as are its keys.
func (d *decoder) decodeEvidence(t *topLevel) (*record, *RecordError) {
	if !t.providerID.Present() {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without a string provider_id", FormatEvidence)
	}
	if !isKind(t.result, '{') {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without a result object", FormatEvidence)
	}
	if err := d.answerOf(t); err != nil {
		return nil, err
	}
	r := &record{
		kind: recordAnswer, answer: t.answer, message: t.at, retained: true, texts: &d.kept,
		providerID: t.providerID, localID: t.localID, receivedAt: t.receivedAt,
	}
	if t.attesterKeys != nil {
		r.keys, r.keyFaults = decodeAttesterKeys(t.attesterKeys)
	}
	return r, nil
}

func (d *decoder) decodeArchiveLine(t *topLevel) (*record, *RecordError) {
	if !isKind(t.envelope, '{') {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without an envelope object", FormatArchive)
	}
	if t.inner == nil {
		d.cur = strictjson.CursorAt(d.b, t.envelopeAt)
		inner := d.readTopLevel()
		t.inner = &inner
	}
	if !t.inner.typ.Present() {
		return nil, recordError(ErrorMalformedRecord, t.envelopeAt, "the envelope has no string type")
	}
	r, err := d.decodeMessage(t.inner)
	if err != nil {
		return nil, err
	}
	r.localID, r.receivedAt = t.localID, t.receivedAt
	return r, nil
}

func decodeHandshake(t *topLevel) (*handshake, *RecordError) {
	h := &handshake{}
	named := false
	if isKind(t.provider, '{') {
		for m := range strictjson.Members(t.provider) {
			if m.Name == "name" {
				h.provider, named = strictjson.String(m.Value)
			}
		}
	}
	if !named {
		return nil, recordError(ErrorMalformedHandshake, t.at.start, "a handshake_ack without a string provider.name")
	}
	if t.attesterKeys != nil {
		h.keysAt = span{t.attesterKeysAt, t.attesterKeysAt + len(t.attesterKeys)}
		h.keys, h.faults = decodeAttesterKeys(t.attesterKeys)
	}
	return h, nil
}

// decodeAttesterKeys reads an attester_keys array. An element that cannot be read leaves the others standing; a key that
// can be read but not used is kept, so that what names it is judged under it.
func decodeAttesterKeys(v jsontext.Value) (keys []publishedKey, faults []fault) {
	switch strictjson.Kind(v) {
	case 'n':
		return nil, nil
	case '[':
	default:
		return nil, []fault{{ReasonIllTyped, "attester_keys is " + strictjson.KindName(v) + ", want an array"}}
	}
	n, untold := 0, uint64(0)
	for e := range strictjson.Elements(v) {
		k, f := decodeAttesterKey(n, e.Value)
		switch {
		case !f.found():
			keys = append(keys, k)
		case len(faults) < maxKeyFaults:
			faults = append(faults, f)
		default:
			untold++
		}
		n++
	}
	if untold > 0 {
		faults = append(faults, fault{ReasonIllTyped, counted(untold, "more element of attester_keys", "more elements of attester_keys") + " cannot be read"})
	}
	return keys, faults
}

// maxKeyFaults bounds how many elements of one attester_keys that cannot be read are told of one by one.
const maxKeyFaults = 100

func decodeAttesterKey(n int, v jsontext.Value) (k publishedKey, f fault) {
	d := decoderOf(v, Limits{})
	what := fmt.Sprintf("attester_keys[%d]", n)
	if !d.cur.Object() {
		return k, fault{ReasonIllTyped, what + " is " + d.kindName() + ", want an object"}
	}
	var r required
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "key_id":
			k.keyID = d.text(&r, 0, keyNames, &d.kept, "")
		case "algorithm":
			k.algorithm = d.text(&r, 1, keyNames, &d.kept, sign.Ed25519)
		case "public_key":
			k.publicKey = d.text(&r, 2, keyNames, &d.kept, "")
		}
	}
	r.missing(what, keyNames)
	return k, r.fault
}

func isKind(v jsontext.Value, kind jsontext.Kind) bool { return v != nil && strictjson.Kind(v) == kind }
