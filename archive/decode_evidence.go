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

// decodeEntries reads the value of frame_attestations, which is at hand.
func (d *decoder) decodeEntries(a *answer) *RecordError {
	if d.cur.IsNull() {
		return nil
	}
	if d.cur.Kind() != '[' {
		a.entriesFault = fault{ReasonIllTyped, "frame_attestations is " + d.kindName() + ", want an array"}
		return nil
	}
	n, at, ok := d.count(d.lim.Frames)
	if !ok {
		return recordError(ErrorTooManyFrames, at, "more than %d entries in one answer, which may have as many as frames", d.lim.Frames)
	}
	d.entries = slices.Grow(d.entries, n)
	var odd oddEntries
	for d.cur.Array(); d.cur.Element(); {
		d.entries = append(d.entries, d.decodeEntry(&odd))
	}
	a.entries = d.entries
	return nil
}

// oddEntries holds, for each kind that is no object, what stands for the FrameId of all entries of the kind.
type oddEntries map[jsontext.Kind]*piece[commitment.FrameID]

func (o *oddEntries) frameID(kind jsontext.Kind, name string) *piece[commitment.FrameID] {
	if *o == nil {
		*o = make(oddEntries)
	}
	if (*o)[kind] == nil {
		(*o)[kind] = &piece[commitment.FrameID]{fault: fault{ReasonNotAnObject, "the entry is " + name + ", want an object"}}
	}
	return (*o)[kind]
}

// decodeEntry reads the entry at hand. Each of its three parts stands or falls alone.
func (d *decoder) decodeEntry(odd *oddEntries) entry {
	e := entry{frame: &noFrameID, attestation: &noAttestation, proof: &noProof}
	if !d.cur.Object() {
		e.frame = odd.frameID(d.cur.Kind(), d.kindName())
		return e
	}
	for {
		name, ok := d.cur.Member()
		if !ok {
			return e
		}
		switch string(name) {
		case "frame":
			e.frame = d.ids.one()
			d.decodeFrameID(e.frame)
		case "attestation":
			if !d.cur.IsNull() {
				e.attestation = d.attestation.one()
				d.decodeAttestation(e.attestation)
			}
		case "inclusion_proof":
			if !d.cur.IsNull() {
				e.proof = d.proofs.one()
				d.decodeProof(e.proof)
			}
		}
	}
}

// required checks a set of required members in one pass: what is missing, and what was already found ill-typed.
type required struct {
	fault fault
	seen  uint64 // bit i: the member of index i in the list of names is there
}

// spoil notes that the value at hand is not what is wanted, unless something else is wrong already.
func (d *decoder) spoil(r *required, name, want string) {
	switch {
	case r.fault.found():
	case d.cur.IsNull():
		r.fault = fault{ReasonMissingMember, name + " is null, want " + want}
	default:
		r.fault = fault{ReasonIllTyped, name + " is " + d.kindName() + ", want " + want}
	}
}

// text reads the required string of index i in a list of names. before is what it is likely to be.
func (d *decoder) text(r *required, i int, names []string, in *arena, before string) string {
	r.seen |= 1 << i
	if d.cur.Kind() != '"' {
		d.spoil(r, names[i], "a string")
		return ""
	}
	return in.again(d.cur.Raw(), before)
}

// number reads a required integer in plain digits.
func (d *decoder) number(r *required, i int, names []string) uint64 {
	r.seen |= 1 << i
	if d.cur.Kind() == jsontext.KindNumber {
		if n, ok := strictjson.Uint64(d.b[d.cur.At():d.cur.End()]); ok {
			return n
		}
	}
	d.spoil(r, names[i], "an integer from 0 to 18446744073709551615 in plain digits")
	return 0
}

// missing names the first member that what lacks, unless something else is wrong already.
func (r *required) missing(what string, names []string) {
	if r.fault.found() {
		return
	}
	for i, name := range names {
		if r.seen&(1<<i) == 0 {
			r.fault = fault{ReasonMissingMember, name + " is missing from " + what}
			return
		}
	}
}

// The required members, in the order in which they are missed.
var (
	frameIDNames     = []string{"provider_id", "frame_id"}
	attestationNames = []string{"signed_commitment", "key_id", "algorithm", "attester_id", "signature", "issued_at"}
	proofNames       = []string{"leaf_index", "leaf_count", "path"}
	stepNames        = []string{"sibling", "sibling_is_left"}
	keyNames         = []string{"key_id", "algorithm", "public_key"}
)

func (d *decoder) decodeFrameID(p *piece[commitment.FrameID]) {
	if !d.cur.Object() {
		p.fault = fault{ReasonIllTyped, "frame is " + d.kindName() + ", want an object"}
		return
	}
	p.present = true
	var r required
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "provider_id":
			p.value.ProviderID = d.text(&r, 0, frameIDNames, &d.passing, d.lastName)
			d.lastName = p.value.ProviderID
		case "frame_id":
			p.value.FrameID = d.text(&r, 1, frameIDNames, &d.passing, "")
		case "content_digest":
			if p.value.ContentDigest, ok = d.optional(&d.passing); !ok {
				d.spoil(&r, "content_digest", "a string or null")
			}
		}
	}
	r.missing("the FrameId", frameIDNames)
	p.fault = r.fault
}

// decodeAttestation reads the attestation at hand.
func (d *decoder) decodeAttestation(p *piece[sign.Attestation]) {
	if d.cur.IsNull() {
		return
	}
	p.present = true
	if !d.cur.Object() {
		p.fault = fault{ReasonIllTyped, "the attestation is " + d.kindName() + ", want an object"}
		return
	}
	var r required
	v, last := &p.value, &d.last
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "signed_commitment":
			v.SignedCommitment = d.text(&r, 0, attestationNames, &d.kept, "")
		case "key_id":
			v.KeyID = d.text(&r, 1, attestationNames, &d.kept, last.KeyID)
		case "algorithm":
			v.Algorithm = d.text(&r, 2, attestationNames, &d.kept, sign.Ed25519)
		case "attester_id":
			v.AttesterID = d.text(&r, 3, attestationNames, &d.kept, last.AttesterID)
		case "signature":
			v.Signature = d.text(&r, 4, attestationNames, &d.passing, "")
		case "issued_at":
			v.IssuedAt = d.text(&r, 5, attestationNames, &d.kept, last.IssuedAt)
		}
	}
	r.missing("the attestation", attestationNames)
	p.fault = r.fault
	*last = *v
}

// decodeProof reads the inclusion proof at hand.
func (d *decoder) decodeProof(p *piece[proof]) {
	if d.cur.IsNull() {
		return
	}
	p.present = true
	if !d.cur.Object() {
		p.fault = fault{ReasonIllTyped, "inclusion_proof is " + d.kindName() + ", want an object"}
		return
	}
	var r required
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "leaf_index":
			p.value.leafIndex = d.number(&r, 0, proofNames)
		case "leaf_count":
			p.value.leafCount = d.number(&r, 1, proofNames)
		case "path":
			r.seen |= 1 << 2
			if !d.cur.Array() {
				d.spoil(&r, "path", "an array")
				continue
			}
			d.steps.begin(0)
			for d.cur.Element() {
				step := d.decodeStep(&r)
				if len(d.steps.list()) <= merkle.MaxPath { // one too many shows; no proof is longer
					d.steps.add(step)
				}
			}
			p.value.path = d.steps.list()
		}
	}
	r.missing("the inclusion proof", proofNames)
	p.fault = r.fault
}

func (d *decoder) decodeStep(outer *required) (s proofStep) {
	if !d.cur.Object() {
		d.spoil(outer, "a step of path", "an object")
		return s
	}
	var r required
	for {
		name, ok := d.cur.Member()
		if !ok {
			break
		}
		switch string(name) {
		case "sibling":
			s.sibling = d.text(&r, 0, stepNames, &d.passing, "")
		case "sibling_is_left":
			r.seen |= 1 << 1
			switch d.cur.Kind() {
			case jsontext.KindTrue:
				s.siblingIsLeft = true
			case jsontext.KindFalse:
			default:
				d.spoil(&r, "sibling_is_left", "true or false")
			}
		}
	}
	r.missing("a step of path", stepNames)
	if !outer.fault.found() {
		outer.fault = r.fault
	}
	return s
}
