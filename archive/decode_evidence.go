package archive

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// An entry is one element of frame_attestations. None of its pieces is nil, and pieces that entries share are never written:
// an answer may carry a million entries that hold nothing.
type entry struct {
	frame       *piece[commitment.FrameID]
	attestation *piece[sign.Attestation]
	proof       *piece[proof]
}

// What entries without them share.
var (
	noAttestation piece[sign.Attestation]
	noProof       piece[proof]
	noFrameID     = piece[commitment.FrameID]{fault: fault{ReasonMissingMember, "frame is missing, want an object"}}
)

// A proof is an inclusion proof as it stands on the wire; its siblings are not yet known to be digests.
type proof struct {
	leafIndex, leafCount uint64
	path                 []proofStep // at most one step more than a proof may have
}

type proofStep struct {
	sibling       string
	siblingIsLeft bool
}

func (a *answer) decodeEntries(v jsontext.Value, base int, lim Limits) *RecordError {
	if isNull(v) {
		return nil
	}
	if strictjson.Kind(v) != '[' {
		a.entriesFault = fault{ReasonIllTyped, "frame_attestations is " + strictjson.KindName(v) + ", want an array"}
		return nil
	}
	n, over := countElements(v, lim.Frames)
	if over >= 0 {
		return recordError(ErrorTooManyFrames, base+over, "more than %d entries in one answer, which may have as many as frames", lim.Frames)
	}
	a.entries = make([]entry, 0, n)
	odd := make(oddEntries)
	for e := range strictjson.Elements(v) {
		a.entries = append(a.entries, decodeEntry(e.Value, odd))
	}
	return nil
}

// oddEntries holds, for each kind that is no object, what stands for the FrameId of all entries of the kind.
type oddEntries map[jsontext.Kind]*piece[commitment.FrameID]

func (o oddEntries) frameID(v jsontext.Value) *piece[commitment.FrameID] {
	kind := strictjson.Kind(v)
	if o[kind] == nil {
		o[kind] = &piece[commitment.FrameID]{fault: fault{ReasonNotAnObject, "the entry is " + strictjson.KindName(v) + ", want an object"}}
	}
	return o[kind]
}

// decodeEntry reads one entry. Each of its three parts stands or falls alone.
func decodeEntry(v jsontext.Value, odd oddEntries) entry {
	e := entry{frame: &noFrameID, attestation: &noAttestation, proof: &noProof}
	if strictjson.Kind(v) != '{' {
		e.frame = odd.frameID(v)
		return e
	}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "frame":
			id := decodeFrameID(m.Value)
			e.frame = &id
		case "attestation":
			if att := decodeAttestation(m.Value); att.present {
				e.attestation = &att
			}
		case "inclusion_proof":
			if p := decodeProof(m.Value); p.present {
				e.proof = &p
			}
		}
	}
	return e
}

// required checks a set of required members in one pass: what is missing, and what was already found ill-typed.
type required struct {
	fault fault
	names []string // of the members, at most 64
	seen  uint64   // bit i: names[i] is there
}

func (r *required) see(name string) {
	if i := slices.Index(r.names, name); i >= 0 {
		r.seen |= 1 << i
	}
}

func (r *required) spoil(name string, v jsontext.Value, want string) {
	switch {
	case r.fault.found():
	case isNull(v):
		r.fault = fault{ReasonMissingMember, name + " is null, want " + want}
	default:
		r.fault = fault{ReasonIllTyped, name + " is " + strictjson.KindName(v) + ", want " + want}
	}
}

// text reads a required string.
func (r *required) text(m strictjson.Member, to *string) {
	r.see(m.Name)
	s, ok := strictjson.String(m.Value)
	if !ok {
		r.spoil(m.Name, m.Value, "a string")
	}
	*to = s
}

// count reads a required integer in plain digits.
func (r *required) count(m strictjson.Member, to *uint64) {
	r.see(m.Name)
	n, ok := strictjson.Uint64(m.Value)
	if !ok {
		r.spoil(m.Name, m.Value, "an integer from 0 to 18446744073709551615 in plain digits")
	}
	*to = n
}

// missing names the first member that what lacks, unless something else is wrong already.
func (r *required) missing(what string) {
	for i, name := range r.names {
		if r.seen&(1<<i) == 0 && !r.fault.found() {
			r.fault = fault{ReasonMissingMember, name + " is missing from " + what}
		}
	}
}

func decodeFrameID(v jsontext.Value) (p piece[commitment.FrameID]) {
	if strictjson.Kind(v) != '{' {
		p.fault = fault{ReasonIllTyped, "frame is " + strictjson.KindName(v) + ", want an object"}
		return p
	}
	p.present = true
	r := required{names: []string{"provider_id", "frame_id"}}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "provider_id":
			r.text(m, &p.value.ProviderID)
		case "frame_id":
			r.text(m, &p.value.FrameID)
		case "content_digest":
			s, present, ok := strictjson.OptionalString(m.Value)
			if !ok {
				r.spoil(m.Name, m.Value, "a string or null")
			}
			if present {
				p.value.ContentDigest = commitment.Some(s)
			}
		}
	}
	r.missing("the FrameId")
	p.fault = r.fault
	return p
}

func decodeAttestation(v jsontext.Value) (p piece[sign.Attestation]) {
	if isNull(v) {
		return p
	}
	p.present = true
	if strictjson.Kind(v) != '{' {
		p.fault = fault{ReasonIllTyped, "the attestation is " + strictjson.KindName(v) + ", want an object"}
		return p
	}
	r := required{names: []string{"signed_commitment", "key_id", "algorithm", "attester_id", "signature", "issued_at"}}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "signed_commitment":
			r.text(m, &p.value.SignedCommitment)
		case "key_id":
			r.text(m, &p.value.KeyID)
		case "algorithm":
			r.text(m, &p.value.Algorithm)
		case "attester_id":
			r.text(m, &p.value.AttesterID)
		case "signature":
			r.text(m, &p.value.Signature)
		case "issued_at":
			r.text(m, &p.value.IssuedAt)
		}
	}
	r.missing("the attestation")
	p.fault = r.fault
	return p
}

func decodeProof(v jsontext.Value) (p piece[proof]) {
	if isNull(v) {
		return p
	}
	p.present = true
	if strictjson.Kind(v) != '{' {
		p.fault = fault{ReasonIllTyped, "inclusion_proof is " + strictjson.KindName(v) + ", want an object"}
		return p
	}
	r := required{names: []string{"leaf_index", "leaf_count", "path"}}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "leaf_index":
			r.count(m, &p.value.leafIndex)
		case "leaf_count":
			r.count(m, &p.value.leafCount)
		case "path":
			r.see(m.Name)
			if strictjson.Kind(m.Value) != '[' {
				r.spoil(m.Name, m.Value, "an array")
				continue
			}
			for e := range strictjson.Elements(m.Value) {
				step := decodeStep(e.Value, &r)
				if len(p.value.path) <= merkle.MaxPath { // one too many shows; no proof is longer
					p.value.path = append(p.value.path, step)
				}
			}
		}
	}
	r.missing("the inclusion proof")
	p.fault = r.fault
	return p
}

func decodeStep(v jsontext.Value, outer *required) (s proofStep) {
	if strictjson.Kind(v) != '{' {
		outer.spoil("a step of path", v, "an object")
		return s
	}
	r := required{names: []string{"sibling", "sibling_is_left"}}
	for m := range strictjson.Members(v) {
		switch m.Name {
		case "sibling":
			r.text(m, &s.sibling)
		case "sibling_is_left":
			r.see(m.Name)
			left, ok := strictjson.Bool(m.Value)
			if !ok {
				r.spoil(m.Name, m.Value, "true or false")
			}
			s.siblingIsLeft = left
		}
	}
	r.missing("a step of path")
	if !outer.fault.found() {
		outer.fault = r.fault
	}
	return s
}
