package archive

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// FormatArchive is the format of an archive line that hosts write when they store a message.
const FormatArchive = "cgp-archive/1"

// FormatEvidence is the format of a retained subset of a signed answer, which [Retain] writes. Sign refuses it: a subset has
// no root of its own.
const FormatEvidence = "cgp-evidence/1"

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
	result, frames, envelope, provider, attesterKeys jsontext.Value // nil where missing
	resultAt, envelopeAt, attesterKeysAt             int            // offsets within the object
	localIDFault, receivedAtFault                    bool
	misplaced                                        string // first evidence member found here
}

func readTopLevel(v jsontext.Value) (t topLevel) {
	optional := func(m strictjson.Member) (commitment.Optional, bool) {
		s, present, ok := strictjson.OptionalString(m.Value)
		if !ok || !present {
			return commitment.Optional{}, !ok
		}
		return commitment.Some(s), false
	}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "type":
			t.typ, _ = optional(m)
		case "format":
			t.format, _ = optional(m)
		case "id":
			t.id, _ = optional(m)
		case "local_id":
			t.localID, t.localIDFault = optional(m)
		case "received_at":
			t.receivedAt, t.receivedAtFault = optional(m)
		case "provider_id":
			t.providerID, _ = optional(m)
		case "result":
			t.result, t.resultAt = m.Value, m.Start
		case "frames":
			t.frames = m.Value
		case "envelope":
			t.envelope, t.envelopeAt = m.Value, m.Start
		case "provider":
			t.provider = m.Value
		case "attester_keys":
			t.attesterKeys, t.attesterKeysAt = m.Value, m.Start
		default:
			if isEvidenceMember(m.Name) && t.misplaced == "" && !isNull(m.Value) {
				t.misplaced = m.Name
			}
		}
	}
	return t
}

// decodeRecord classifies a validated JSON value: an object with a string type is a message, else one with a string format
// is an archive line, else one with a frames array is a bare result. Everything else is unreadable, never passed over.
func decodeRecord(v jsontext.Value, lim Limits) (*record, *RecordError) {
	if strictjson.Kind(v) != '{' {
		return nil, recordError(ErrorNotAMessage, 0, "the record is %s, want an object", strictjson.KindName(v))
	}
	t := readTopLevel(v)
	switch {
	case t.typ.Present():
		return decodeMessage(v, 0, t, lim)
	case t.format.Present():
		return decodeFormat(v, t, lim)
	case isKind(t.frames, '['):
		a, err := decodeResult(v, 0, lim)
		if err != nil {
			return nil, err
		}
		return &record{kind: recordAnswer, answer: a, message: span{0, len(v)}}, nil
	}
	return nil, recordError(ErrorNotAMessage, 0, "the object has no string type or format and no frames array")
}

func decodeMessage(v jsontext.Value, base int, t topLevel, lim Limits) (*record, *RecordError) {
	r := &record{typ: t.typ.OrEmpty(), message: span{base, base + len(v)}}
	switch r.typ {
	case "frames":
		if !isKind(t.result, '{') {
			return nil, recordError(ErrorMalformedRecord, base, "a frames message without a result object")
		}
		a, err := decodeResult(t.result, base+t.resultAt, lim)
		if err != nil {
			return nil, err
		}
		a.id, a.envelopeEvidence = t.id, t.misplaced
		r.kind, r.answer = recordAnswer, a
	case typeHandshake:
		h, err := decodeHandshake(base, t)
		if err != nil {
			return nil, err
		}
		r.kind, r.handshake = recordHandshake, h
	}
	return r, nil
}

// decodeFormat reads a record in a format of ours.
func decodeFormat(v jsontext.Value, t topLevel, lim Limits) (*record, *RecordError) {
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
		return decodeEvidence(v, t, lim)
	}
	return decodeArchiveLine(t, lim)
}

// decodeEvidence reads a retained subset. What it says of its provider is its own claim, as are its keys.
func decodeEvidence(v jsontext.Value, t topLevel, lim Limits) (*record, *RecordError) {
	if !t.providerID.Present() {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without a string provider_id", FormatEvidence)
	}
	if !isKind(t.result, '{') {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without a result object", FormatEvidence)
	}
	a, err := decodeResult(t.result, t.resultAt, lim)
	if err != nil {
		return nil, err
	}
	a.id, a.envelopeEvidence = t.id, t.misplaced
	r := &record{
		kind: recordAnswer, answer: a, message: span{0, len(v)}, retained: true,
		providerID: t.providerID, localID: t.localID, receivedAt: t.receivedAt,
	}
	if t.attesterKeys != nil {
		r.keys, r.keyFaults = decodeAttesterKeys(t.attesterKeys)
	}
	return r, nil
}

func decodeArchiveLine(t topLevel, lim Limits) (*record, *RecordError) {
	if !isKind(t.envelope, '{') {
		return nil, recordError(ErrorMalformedRecord, 0, "%s without an envelope object", FormatArchive)
	}
	inner := readTopLevel(t.envelope)
	if !inner.typ.Present() {
		return nil, recordError(ErrorMalformedRecord, t.envelopeAt, "the envelope has no string type")
	}
	r, err := decodeMessage(t.envelope, t.envelopeAt, inner, lim)
	if err != nil {
		return nil, err
	}
	r.localID, r.receivedAt = t.localID, t.receivedAt
	return r, nil
}

func decodeHandshake(base int, t topLevel) (*handshake, *RecordError) {
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
		return nil, recordError(ErrorMalformedHandshake, base, "a handshake_ack without a string provider.name")
	}
	if t.attesterKeys != nil {
		h.keysAt = span{base + t.attesterKeysAt, base + t.attesterKeysAt + len(t.attesterKeys)}
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
	what := fmt.Sprintf("attester_keys[%d]", n)
	if strictjson.Kind(v) != '{' {
		return k, fault{ReasonIllTyped, what + " is " + strictjson.KindName(v) + ", want an object"}
	}
	r := required{names: []string{"key_id", "algorithm", "public_key"}}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "key_id":
			r.text(m, &k.keyID)
		case "algorithm":
			r.text(m, &k.algorithm)
		case "public_key":
			r.text(m, &k.publicKey)
		}
	}
	r.missing(what)
	return k, r.fault
}

func isKind(v jsontext.Value, kind jsontext.Kind) bool { return v != nil && strictjson.Kind(v) == kind }
