package archive

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A resolution says which provider an answer is taken to come from.
type resolution struct {
	name   string
	source ProviderSource
	// mismatch is the name under which the evidence was made where that is neither declared nor given: the answer is
	// unchecked, neither tampered nor good.
	mismatch string
}

func (r *resolution) known() bool { return r.source != ProviderFromNone && r.mismatch == "" }

// resolve finds the provider in the order: policy, the record's own provider, the one name that all entries use (where no
// handshake_ack precedes the answer or one declares it), a declared name that reproduces the signed root, the newest
// declared name.
func resolve(p *Policy, v view, rec *record) resolution {
	a := rec.answer
	if name, ok := p.Provider.Text(); ok {
		return resolution{name: name, source: ProviderFromFlag}
	}
	if name, ok := rec.providerID.Text(); ok {
		return resolution{name: name, source: ProviderFromRecord}
	}
	common, unanimous := entriesName(a)
	if unanimous && (!v.anyDeclared() || v.declares(common)) {
		return resolution{name: common, source: ProviderFromEntries}
	}
	for _, name := range slices.Backward(v.recent) {
		if reproducesRoot(a, name) {
			return resolution{name: name, source: ProviderFromRoot}
		}
	}
	newest, declared := v.newest()
	if !declared {
		return resolution{source: ProviderFromNone}
	}
	r := resolution{name: newest, source: ProviderFromHandshake}
	if unanimous && (reproducesRoot(a, common) || reproducesSignature(a, common) || p.Retained && reproducesProof(a, common)) {
		r.mismatch = common
	}
	return r
}

// entriesName returns the one provider_id that all entries with a readable FrameId use.
func entriesName(a *answer) (name string, unanimous bool) {
	for i := range a.entries {
		id := a.entries[i].frame
		if !id.usable() {
			continue
		}
		if unanimous && id.value.ProviderID != name {
			return "", false
		}
		name, unanimous = id.value.ProviderID, true
	}
	return name, unanimous
}

// reproducesRoot reports whether the root over all carried frames under a provider's name is the one that was signed.
func reproducesRoot(a *answer, provider string) bool {
	if !a.root.usable() {
		return false
	}
	signed, err := commitment.ParseDigest(a.root.value.SignedCommitment)
	if err != nil {
		return false
	}
	c := commit(a, provider)
	root, ok := c.root()
	return ok && root == signed
}

// reproducesSignature reports whether some entry's attestation signs the commitment of the frame it names, under a
// provider's name.
func reproducesSignature(a *answer, provider string) bool {
	wanted := make(map[string]bool)
	for i := range a.entries {
		if e := &a.entries[i]; e.frame.usable() && e.attestation.usable() {
			wanted[e.attestation.value.SignedCommitment] = true
		}
	}
	if len(wanted) == 0 {
		return false
	}
	for i := range a.frames {
		f := &a.frames[i]
		if f.fault.found() {
			continue
		}
		c, err := commitment.Of(provider, &f.Frame)
		if err != nil {
			continue
		}
		if wanted[c.String()] {
			return true
		}
	}
	return false
}

// reproducesProof reports whether some entry's proof leads from the frame that it names, under a provider's name, to the
// signed root.
func reproducesProof(a *answer, provider string) bool {
	if !a.root.usable() {
		return false
	}
	of := make(map[commitment.FrameID]commitment.Digest, len(a.frames))
	for i := range a.frames {
		f := &a.frames[i]
		if f.fault.found() {
			continue
		}
		if c, err := commitment.Of(provider, &f.Frame); err == nil {
			of[f.Identity(provider)] = c
		}
	}
	for i := range a.entries {
		e := &a.entries[i]
		if !e.frame.usable() || !e.proof.usable() {
			continue
		}
		c, carried := of[e.frame.value]
		if !carried {
			continue
		}
		if root, err := e.proof.value.root(c); err == nil && root.String() == a.root.value.SignedCommitment {
			return true
		}
	}
	return false
}

// commitments are the frame commitments of one answer under one provider's name.
type commitments struct {
	of       []commitment.Digest
	faults   []fault // by position: why there is no commitment
	complete bool    // every frame has one
	order    []int   // order[k] is the position of leaf k, over all frames that have a commitment
	leaf     []int   // by position: leaf index; -1 for all where one has no commitment, as its place among them is not known
}

// commit computes the commitments and the canonical order of an answer's frames (CGP §6.3, §6.5.2).
func commit(a *answer, provider string) *commitments {
	n := len(a.frames)
	c := &commitments{
		of: make([]commitment.Digest, n), faults: make([]fault, n), leaf: make([]int, n), complete: true,
	}
	ids := make([]commitment.FrameID, 0, n)
	positions := make([]int, 0, n)
	for i := range a.frames {
		f := &a.frames[i]
		c.faults[i], c.leaf[i] = f.fault, -1
		if !f.fault.found() {
			d, err := commitment.Of(provider, &f.Frame)
			if err != nil {
				c.faults[i] = fault{ReasonFieldTooLong, err.Error()}
			}
			c.of[i] = d
		}
		if c.faults[i].found() {
			c.complete = false
			continue
		}
		ids = append(ids, f.Identity(provider))
		positions = append(positions, i)
	}
	for k, j := range commitment.CanonicalOrder(ids) {
		c.order = append(c.order, positions[j])
		if c.complete {
			c.leaf[positions[j]] = k
		}
	}
	return c
}

// leaves returns the commitments in canonical order.
func (c *commitments) leaves() []commitment.Digest {
	leaves := make([]commitment.Digest, len(c.order))
	for k, i := range c.order {
		leaves[k] = c.of[i]
	}
	return leaves
}

// root recomputes the root over all carried frames; there is none where a frame has no commitment.
func (c *commitments) root() (commitment.Digest, bool) {
	if !c.complete {
		return commitment.Digest{}, false
	}
	return merkle.Root(c.leaves()), true
}
