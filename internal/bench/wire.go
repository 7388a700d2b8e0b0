package bench

// The wire as structs (CGP §6.2, §6.5.5). What may be absent is a pointer, and so is what is required: nil says that it was
// missing or null. Members that nothing here reads are left out; the archives that are generated have more of them.

type message struct {
	Type         string        `json:"type"`
	Provider     providerInfo  `json:"provider"`
	AttesterKeys []attesterKey `json:"attester_keys"`
	Result       *result       `json:"result"`
}

type providerInfo struct {
	Name *string `json:"name"`
}

type attesterKey struct {
	KeyID     string `json:"key_id"`
	Algorithm string `json:"algorithm"`
	PublicKey string `json:"public_key"`
}

type result struct {
	Frames            []Frame      `json:"frames"` // nil where missing or null
	FrameAttestations []entry      `json:"frame_attestations,omitempty"`
	ResultAttestation *attestation `json:"result_attestation,omitempty"`
}

// A Frame is what of a frame a commitment covers, and its inline content.
type Frame struct {
	ID            *string `json:"id"`
	Content       *string `json:"content,omitempty"`
	ContentDigest *string `json:"content_digest,omitempty"`
	Provenance    []Link  `json:"provenance"`
}

// A Link is one provenance link.
type Link struct {
	Type   *string `json:"type"`
	URI    *string `json:"uri,omitempty"`
	Range  *string `json:"range,omitempty"`
	Digest *string `json:"digest,omitempty"`
	Method *string `json:"method,omitempty"`
	By     *string `json:"by,omitempty"`
}

type entry struct {
	Frame          *frameID        `json:"frame"`
	Attestation    *attestation    `json:"attestation,omitempty"`
	InclusionProof *inclusionProof `json:"inclusion_proof,omitempty"`
}

type frameID struct {
	ProviderID    *string `json:"provider_id"`
	FrameID       *string `json:"frame_id"`
	ContentDigest *string `json:"content_digest,omitempty"`
}

type attestation struct {
	SignedCommitment *string `json:"signed_commitment"`
	KeyID            *string `json:"key_id"`
	Algorithm        *string `json:"algorithm"`
	AttesterID       *string `json:"attester_id"`
	Signature        *string `json:"signature"`
	IssuedAt         *string `json:"issued_at"`
}

type inclusionProof struct {
	LeafIndex *uint64 `json:"leaf_index"`
	LeafCount *uint64 `json:"leaf_count"`
	Path      []step  `json:"path"` // nil where missing or null
}

type step struct {
	Sibling       *string `json:"sibling"`
	SiblingIsLeft *bool   `json:"sibling_is_left"`
}

// committed reports whether the frame has a commitment.
func (f *Frame) committed() bool {
	if f.ID == nil {
		return false
	}
	for i := range f.Provenance {
		if f.Provenance[i].Type == nil {
			return false
		}
	}
	return true
}

// whole reports whether all six members are there.
func (a *attestation) whole() bool {
	return a.SignedCommitment != nil && a.KeyID != nil && a.Algorithm != nil && a.AttesterID != nil && a.Signature != nil &&
		a.IssuedAt != nil
}

// proof returns the proof with its siblings read, or false where a member is missing or a sibling is not in the form of a
// digest.
func (p *inclusionProof) proof() (Proof, bool) {
	if p.LeafIndex == nil || p.LeafCount == nil || p.Path == nil {
		return Proof{}, false
	}
	out := Proof{Index: *p.LeafIndex, Count: *p.LeafCount}
	for _, s := range p.Path {
		if s.Sibling == nil || s.SiblingIsLeft == nil {
			return Proof{}, false
		}
		sibling, ok := parseHash(*s.Sibling)
		if !ok {
			return Proof{}, false
		}
		out.Path = append(out.Path, Step{Sibling: sibling, Left: *s.SiblingIsLeft})
	}
	return out, true
}
