package archive

import (
	"crypto/sha256"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A Diagnosis says what would explain that evidence is not of what it stands on: the value that was signed was reproduced with
// this one change. It is a hint about the cause and never an acceptance: verdict, state and class are those of a run that asks
// for none.
type Diagnosis struct {
	Cause  Cause
	Detail string // what was changed, in words; under CauseNone what was tried
}

// Bounds of what an answer's diagnoses may cost, counted and not timed: two runs of one input say the same.
const (
	// maxDiagnosisBlocks bounds the blocks of SHA-256 (64 bytes) that are hashed for one answer. Half of them are its root's.
	maxDiagnosisBlocks = 200_000
	// maxDiagnosisPiece bounds them for one piece of evidence on a frame, so that one leaves some to the others.
	maxDiagnosisPiece = 50_000
	// maxDiagnosisChecks bounds the signatures that are verified for one answer.
	maxDiagnosisChecks = 256
	// maxDiagnosisOthers bounds how many names, orphan entries, links of neighbours and published keys are tried in place of one.
	maxDiagnosisOthers = 64
)

// diagnosing is the search for what explains the mismatches of one answer. Only what reproduces the signed value exactly is
// told: an equal hash cannot come from another change than one that gives the same bytes.
type diagnosing struct {
	*judge
	keys   []keyAtHand // the run's, for other_key
	blocks int         // of SHA-256 that the pieces of the frames have left
	left   int         // of SHA-256 that the piece under way has left
	checks int         // signatures that may still be verified
	spent  int         // blocks of SHA-256, for all of them
	cut    bool        // the search of the piece under way is not complete

	names     []string                   // that may stand in the place of the provider's; nil before they were collected
	orphans   []orphan                   // entries that name no carried frame; known where carried is
	carried   map[commitment.FrameID]int // the first position of each identity
	positions map[commitment.Digest]int  // the first position of each commitment
	pool      *neighbours
	frames    map[int]*frameSearch // by position
	lastKey   *keyAtHand           // that explained a signature
	published []keyAtHand          // the provider's own; nil before they were collected
	scratch   []byte
	rootCause *Diagnosis // of the root's signature
}

// An orphan is an entry that names a frame which the answer does not carry.
type orphan struct {
	entry int
	id    commitment.FrameID
}

// diagnose looks for the causes of every commitment_mismatch and bad_signature of a judged answer. Nothing but the diagnoses
// changes. It returns what was hashed and verified for it.
func (j *judge) diagnose(keys []keyAtHand) (blocks, checks int) {
	d := &diagnosing{judge: j, keys: keys, blocks: maxDiagnosisBlocks / 2, checks: maxDiagnosisChecks, frames: make(map[int]*frameSearch)}
	for i := range j.out.Frames {
		for k := range j.out.Frames[i].Evidence {
			ev := &j.out.Frames[i].Evidence[k]
			if ev.Kind != KindSignature && ev.Kind != KindInclusion {
				continue
			}
			switch ev.Verdict {
			case sign.CommitmentMismatch:
				ev.Diagnosis = d.mismatch(i, ev)
			case sign.BadSignature:
				ev.Diagnosis = d.badSignature(ev)
			}
		}
	}
	r := j.out.Root
	switch {
	case r == nil:
	case r.Verdict == sign.CommitmentMismatch:
		d.left, d.cut = maxDiagnosisBlocks/2, false
		r.Diagnosis = d.root()
	case r.Verdict == sign.BadSignature:
		r.Diagnosis = d.rootSignature()
	}
	return d.spent, maxDiagnosisChecks - d.checks
}

// mismatch explains a signature or a proof that is of something else than the frame at position i.
func (d *diagnosing) mismatch(i int, ev *Evidence) *Diagnosis {
	d.left, d.cut = min(d.blocks, maxDiagnosisPiece), false
	given := d.left
	s := d.frame(i)
	s.proof, s.reproduces = nil, nil
	if ev.Kind == KindSignature {
		signed, _ := commitment.ParseDigest(d.a.entries[ev.Entry].attestation.value.SignedCommitment) // it was compared
		s.signed = signed
		s.reproduces = func(c commitment.Digest) bool { return c == signed }
	} else {
		signed, _ := commitment.ParseDigest(d.a.root.value.SignedCommitment)
		p, _ := d.a.entries[ev.Entry].proof.value.parse() // it led to a root
		s.proof = &p
		s.reproduces = func(c commitment.Digest) bool { return d.leads(&p, c, signed) }
	}
	found := s.search()
	d.blocks -= given - d.left
	if found == nil {
		return d.nothing("the signed value")
	}
	return found
}

// leads reports whether a proof leads from a commitment to a root.
func (d *diagnosing) leads(p *merkle.Proof, c, root commitment.Digest) bool {
	if !d.spend(1 + 2*len(p.Path)) {
		return false
	}
	got, err := p.RootFrom(c)
	return err == nil && got == root
}

// nothing says that no explanation was found.
func (d *diagnosing) nothing(what string) *Diagnosis {
	if d.cut {
		return &Diagnosis{CauseNone, "no explanation found: the search was cut short at its limits"}
	}
	return &Diagnosis{CauseNone, "no explanation found: no single change that is tried gives " + what}
}

// spend takes so many blocks, and reports whether they were left.
func (d *diagnosing) spend(blocks int) bool {
	if blocks > d.left {
		d.left, d.cut = 0, true // what costs less is not tried either: a piece that cannot be afforded ends
		return false
	}
	d.left -= blocks
	d.spent += blocks
	return true
}

// blocksOf is how many blocks SHA-256 takes for so many bytes: it appends nine at least.
func blocksOf(bytes int) int { return (bytes + 9 + sha256.BlockSize - 1) / sha256.BlockSize }

// otherNames returns the names that may have stood in the provider's place, the likeliest first: the local id, those declared
// in front of the answer, those that its entries and attestations use.
func (d *diagnosing) otherNames() []string {
	if d.names != nil {
		return d.names
	}
	d.names = []string{}
	seen := map[string]bool{d.provider.name: true}
	add := func(name string) bool {
		if !seen[name] {
			seen[name] = true
			d.names = append(d.names, name)
		}
		return len(d.names) < maxDiagnosisOthers
	}
	if d.localID != "" {
		add(d.localID)
	}
	goOn := add(d.a.root.value.AttesterID)
	for i := range d.a.entries {
		e := &d.a.entries[i]
		goOn = goOn && add(e.frame.value.ProviderID) && add(e.attestation.value.AttesterID)
		if !goOn {
			break
		}
	}
	for i := len(d.view.recent) - 1; i >= 0 && goOn; i-- {
		goOn = add(d.view.recent[i])
	}
	return d.names
}

// carriedIdentities indexes the frames by their identity and finds the entries that name none of them.
func (d *diagnosing) carriedIdentities() map[commitment.FrameID]int {
	if d.carried != nil {
		return d.carried
	}
	d.carried = make(map[commitment.FrameID]int, len(d.a.frames))
	for i := range d.a.frames {
		if f := &d.a.frames[i]; f.identified {
			id := f.Identity(d.provider.name)
			if _, twice := d.carried[id]; !twice {
				d.carried[id] = i
			}
		}
	}
	for n := range d.a.entries {
		id := d.a.entries[n].frame
		if !id.usable() {
			continue
		}
		own := id.value
		own.ProviderID = d.provider.name // under another name it is other_provider_id that explains it
		if _, is := d.carried[own]; !is && len(d.orphans) < maxDiagnosisOthers {
			d.orphans = append(d.orphans, orphan{n, id.value})
		}
	}
	return d.carried
}

// whose returns the first frame with this commitment.
func (d *diagnosing) whose(c commitment.Digest) (position int, ok bool) {
	if d.positions == nil {
		d.positions = make(map[commitment.Digest]int, len(d.a.frames))
		for i := len(d.a.frames) - 1; i >= 0; i-- {
			if !d.commitments.faults[i].found() {
				d.positions[d.commitments.of[i]] = i
			}
		}
	}
	position, ok = d.positions[c]
	return position, ok
}

// named says which frame it is.
func (d *diagnosing) named(i int) string {
	return fmt.Sprintf("frame %d, id %.128q", i, d.a.frames[i].ID)
}
