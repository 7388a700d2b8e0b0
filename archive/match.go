package archive

import (
	"fmt"
	"slices"

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
	g := j.groupFrames()
	named := make([]int, len(j.a.entries)) // by entry: its group, -1 for none
	counts := make([]int, len(g.all)+1)
	others := make(map[string]bool)
	for n := range j.a.entries {
		if named[n] = j.assign(n, g, others); named[n] >= 0 {
			counts[named[n]+1]++
		}
	}
	g.take(named, counts)
	c := claims{judge: j, walks: maxProofWalks, room: 4*(len(j.a.frames)+len(j.a.entries)) + 1024}
	for i := range j.a.frames {
		if g.of[i] < 0 {
			continue
		}
		f, g := &j.a.frames[i], &g.all[g.of[i]]
		if i != g.frames[0] {
			continue
		}
		c.settle(g)
		if len(g.entries) > len(g.frames) {
			j.find(FindingDuplicateEntry, place{entry: g.entries[len(g.frames)], position: i, frameID: commitment.Some(f.ID)},
				"%d entries name this frame, which is carried %s", len(g.entries), times(len(g.frames)))
		}
	}
}

// groups are the frames of an answer by their identity.
type groups struct {
	all  []group
	of   []int // by position: the group of a frame, -1 where its identity could not be read
	find func(commitment.FrameID) (int, bool)
}

// groupFrames groups the frames. Where all of them have a commitment they stand in order of their identity already.
func (j *judge) groupFrames() *groups {
	g := &groups{of: make([]int, len(j.a.frames))}
	if j.commitments.complete {
		j.groupInOrder(g)
		return g
	}
	at := make(map[commitment.FrameID]int, len(j.a.frames))
	for i := range j.a.frames {
		f := &j.a.frames[i]
		if g.of[i] = -1; !f.identified {
			continue
		}
		id := f.Identity(j.provider.name)
		n, known := at[id]
		if !known {
			n = len(g.all)
			at[id] = n
			g.all = append(g.all, group{})
		}
		g.of[i] = n
		g.all[n].frames = append(g.all[n].frames, i)
	}
	g.find = func(id commitment.FrameID) (int, bool) { n, ok := at[id]; return n, ok }
	return g
}

// groupInOrder groups frames that all have a place in the canonical order, where those with one identity stand side by side and
// in order of their position.
func (j *judge) groupInOrder(g *groups) {
	order, frames := j.commitments.order, j.a.frames
	g.all = make([]group, 0, len(order))
	for k := 0; k < len(order); {
		first := &frames[order[k]]
		end := k
		for end < len(order) && frames[order[end]].ID == first.ID && frames[order[end]].ContentDigest == first.ContentDigest {
			g.of[order[end]] = len(g.all)
			end++
		}
		g.all = append(g.all, group{frames: order[k:end:end]})
		k = end
	}
	g.find = func(id commitment.FrameID) (int, bool) {
		return slices.BinarySearchFunc(g.all, id, func(g group, id commitment.FrameID) int {
			return frames[g.frames[0]].Identity(j.provider.name).Compare(id)
		})
	}
}

// take gives the groups the entries that name them, in their order. counts[n+1] is how many name group n.
func (g *groups) take(named, counts []int) {
	for n := range g.all {
		counts[n+1] += counts[n]
	}
	entries := make([]int, counts[len(g.all)])
	for n := range g.all {
		g.all[n].entries = entries[counts[n]:counts[n]:counts[n+1]]
	}
	for entry, n := range named {
		if n >= 0 {
			g.all[n].entries = append(g.all[n].entries, entry)
		}
	}
}

// assign returns the group of the frames that an entry names, or reports why it belongs to none and returns -1.
func (j *judge) assign(n int, g *groups, others map[string]bool) int {
	id := j.a.entries[n].frame
	if !id.usable() {
		j.find(FindingMalformedEntry, place{entry: n, position: -1}, "%s", id.fault.detail)
		return -1
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
	at, carried := g.find(named)
	if !carried {
		j.find(FindingOrphanEntry, place{entry: n, position: -1, frameID: commitment.Some(named.FrameID)},
			"the entry names a frame that this answer does not carry: %s", describe(id.value))
		return -1
	}
	return at
}

// claims settles which entries count for which frames. Its bounds hold for one answer.
type claims struct {
	judge *judge
	walks int // proofs that may still be walked
	room  int // pairs of a frame and an entry that may still be made where frames share them
}

// settle assigns the entries of a group. A frame that is alone takes all that name it. Where frames share an identity, those
// count whose attestation signs the frame's commitment or whose proof leads from it to the signed root; a frame for which none
// does takes the first.
func (c *claims) settle(g *group) {
	j := c.judge
	if len(g.frames) == 1 || len(g.entries) < 2 {
		for _, i := range g.frames {
			j.matched[i] = g.entries
		}
		return
	}
	bySignature, byLeaf := c.index(g)
	twins := make(map[commitment.Digest][]int)
	for _, i := range g.frames {
		if !j.commitments.faults[i].found() {
			twins[j.commitments.of[i]] = append(twins[j.commitments.of[i]], i)
		}
	}
	for _, i := range g.frames {
		same := twins[j.commitments.of[i]]
		if len(same) == 0 || same[0] != i {
			continue
		}
		count := slices.Clone(bySignature[j.commitments.of[i].String()])
		count = append(count, c.proofsOf(g, same, byLeaf)...)
		slices.Sort(count)
		c.share(same, slices.Compact(count), g.entries[:1])
	}
}

// index finds the entries of a group by the commitment that they sign and by the leaf that they prove.
func (c *claims) index(g *group) (bySignature map[string][]int, byLeaf map[uint64][]int) {
	bySignature, byLeaf = make(map[string][]int), make(map[uint64][]int)
	for _, n := range g.entries {
		e := &c.judge.a.entries[n]
		if e.attestation.usable() {
			signed := e.attestation.value.SignedCommitment
			bySignature[signed] = append(bySignature[signed], n)
		}
		if e.proof.usable() {
			byLeaf[e.proof.value.leafIndex] = append(byLeaf[e.proof.value.leafIndex], n)
		}
	}
	return bySignature, byLeaf
}

// proofsOf returns the entries whose proof leads from the commitment of twins, frames that are alike, to the signed root: those
// for the twins' own leaves, and only where none of them does, any other of the group.
func (c *claims) proofsOf(g *group, twins []int, byLeaf map[uint64][]int) (count []int) {
	j := c.judge
	if !j.a.root.usable() {
		return nil
	}
	of := j.commitments.of[twins[0]]
	for _, i := range twins {
		for _, n := range byLeaf[uint64(j.commitments.leaf[i])] {
			if c.leads(n, of) {
				count = append(count, n)
			}
		}
	}
	if len(count) > 0 {
		return count
	}
	for _, n := range g.entries {
		if j.a.entries[n].proof.usable() && c.leads(n, of) {
			count = append(count, n)
		}
	}
	return count
}

// leads reports whether the proof of an entry leads from a commitment to the signed root.
func (c *claims) leads(n int, of commitment.Digest) bool {
	if c.walks == 0 {
		return false
	}
	c.walks--
	root, err := c.judge.a.entries[n].proof.value.root(of)
	return err == nil && root.String() == c.judge.a.root.value.SignedCommitment
}

// share gives twins the entries that count for them, all of them to each while there is room. After that each entry is one
// twin's, so that none goes unweighed.
func (c *claims) share(twins, count, otherwise []int) {
	if len(count) == 0 {
		count = otherwise
	}
	all := len(twins)*len(count) <= c.room
	if all {
		c.room -= len(twins) * len(count)
	}
	for t, i := range twins {
		switch {
		case all:
			c.judge.matched[i] = count
		case t < len(count):
			c.judge.matched[i] = count[t:min(t+1, len(count))]
		default:
			c.judge.matched[i] = count[:1]
		}
	}
	if !all && len(count) > len(twins) {
		last := twins[len(twins)-1]
		c.judge.matched[last] = count[len(twins)-1:]
	}
}

// describe names a frame by its triple. A digest of the form D1 needs no quotation, and so fits on a line.
func describe(id commitment.FrameID) string {
	digest := "without a digest"
	if d, ok := id.ContentDigest.Text(); ok {
		digest = fmt.Sprintf("digest %.128q", d)
		if _, err := commitment.ParseDigest(d); err == nil {
			digest = "digest " + d
		}
	}
	return fmt.Sprintf("provider %.128q, id %.128q, %s", id.ProviderID, id.FrameID, digest)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
