package archive

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// maxProofWalks bounds how many proofs of one answer are walked only to find out which of several frames with one identity
// an entry belongs to.
const maxProofWalks = 100_000

// A group is the frames that carry one identity and the entries that name it.
type group struct{ frames, entries []int }

// matchEntries finds the entries that count for each frame. An entry names its frame by the whole triple, never by its
// place; an entry that names no carried frame uses up nobody's place (CGP F11).
func (j *judge) matchEntries() {
	j.matched = make([][]int, len(j.a.frames))
	if len(j.a.entries) == 0 {
		return
	}
	groups := make(map[commitment.FrameID]*group, len(j.a.frames))
	for i := range j.a.frames {
		if f := &j.a.frames[i]; f.identified {
			id := f.Identity(j.provider.name)
			g := groups[id]
			if g == nil {
				g = &group{}
				groups[id] = g
			}
			g.frames = append(g.frames, i)
		}
	}
	others := make(map[string]bool)
	for n := range j.a.entries {
		j.assign(n, groups, others)
	}
	walks := maxProofWalks
	for i := range j.a.frames {
		f := &j.a.frames[i]
		if !f.identified {
			continue
		}
		g := groups[f.Identity(j.provider.name)]
		j.matched[i] = j.counting(g, i, &walks)
		if i == g.frames[0] && len(g.entries) > len(g.frames) {
			j.find(FindingDuplicateEntry, place{entry: g.entries[len(g.frames)], position: i, frameID: commitment.Some(f.ID)},
				"%d entries name this frame, which is carried %s", len(g.entries), times(len(g.frames)))
		}
	}
}

// assign puts an entry into the group of the frames that it names, or reports why it belongs to none.
func (j *judge) assign(n int, groups map[commitment.FrameID]*group, others map[string]bool) {
	id := &j.a.entries[n].frame
	if !id.usable() {
		j.find(FindingMalformedEntry, place{entry: n, position: -1}, "%s", id.fault.detail)
		return
	}
	named := id.value
	if named.ProviderID != j.provider.name {
		if _, is := j.blocked(); is {
			named.ProviderID = j.provider.name
		} else if !others[named.ProviderID] {
			others[named.ProviderID] = true
			j.find(FindingProviderMismatch, place{entry: n, position: -1},
				"entries name provider %.128q, the answer is judged as one of %.128q", named.ProviderID, j.provider.name)
		}
	}
	g := groups[named]
	if g == nil {
		j.find(FindingOrphanEntry, place{entry: n, position: -1, frameID: commitment.Some(named.FrameID)},
			"the entry names a frame that this answer does not carry: %s", describe(id.value))
		return
	}
	g.entries = append(g.entries, n)
}

// counting returns the entries of a group that count for one of its frames. Where frames and entries are several, those
// count whose attestation signs the frame's commitment or whose proof leads from it to the signed root; where none does, the
// first.
func (j *judge) counting(g *group, i int, walks *int) []int {
	if len(g.entries) < 2 {
		return g.entries
	}
	var count []int
	for _, n := range g.entries {
		if len(count) > 0 && len(g.entries)*len(g.frames) > maxProofWalks {
			break
		}
		if j.concerns(&j.a.entries[n], j.commitments.of[i], walks) {
			count = append(count, n)
		}
	}
	if len(count) == 0 {
		return g.entries[:1]
	}
	return count
}

// concerns reports whether an entry was made for the frame with commitment c, good or not.
func (j *judge) concerns(e *entry, c commitment.Digest, walks *int) bool {
	if e.attestation.usable() && e.attestation.value.SignedCommitment == c.String() {
		return true
	}
	if !e.proof.usable() || !j.a.root.usable() || *walks == 0 {
		return false
	}
	*walks--
	root, err := e.proof.value.root(c)
	return err == nil && root.String() == j.a.root.value.SignedCommitment
}

// describe names a frame by its triple.
func describe(id commitment.FrameID) string {
	digest := "without a digest"
	if d, ok := id.ContentDigest.Text(); ok {
		digest = fmt.Sprintf("digest %.128q", d)
	}
	return fmt.Sprintf("provider %.128q, id %.128q, %s", id.ProviderID, id.FrameID, digest)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
