package archive

import (
	"crypto/sha256"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf16"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A rootSearch looks for the one change to a complete answer that gives the root that was signed.
type rootSearch struct {
	*diagnosing
	signed commitment.Digest
	leaves []commitment.Digest // as recomputed
	tree   *merkle.Tree
	found  *Diagnosis

	proven  []bool // by position: a proof at hand shows the frame to be a leaf of the signed tree
	covered bool   // the proven leaves are all leaves of the signed tree
	stated  string // the number of leaves that these proofs state, "" where they disagree
}

// rootCauses are tried in this order.
var rootCauses = []func(*rootSearch){
	(*rootSearch).emptyTree, (*rootSearch).missingFrames, (*rootSearch).addedFrames, (*rootSearch).insertedFrame,
	(*rootSearch).otherOrders, (*rootSearch).duplicatedLeaf, (*rootSearch).otherProviders, (*rootSearch).otherEncodings,
	(*rootSearch).confusions, (*rootSearch).otherDigests, (*rootSearch).renamedFrame, (*rootSearch).leftOutFrame, (*rootSearch).oneFrame,
}

// root explains a result attestation that is of another root than the recomputed one.
func (d *diagnosing) root() *Diagnosis {
	signed, _ := commitment.ParseDigest(d.a.root.value.SignedCommitment) // it was compared
	r := &rootSearch{diagnosing: d, signed: signed, leaves: d.commitments.leaves()}
	for _, try := range rootCauses {
		if try(r); r.found != nil {
			return r.found
		}
		if r.left == 0 {
			break
		}
	}
	return d.nothing("the signed root")
}

// is reports whether a root is the signed one, and then keeps the explanation.
func (r *rootSearch) is(root commitment.Digest, cause Cause, format string, args ...any) bool {
	if root != r.signed {
		return false
	}
	r.found = &Diagnosis{cause, fmt.Sprintf(format, args...)}
	return true
}

// rootOf is the root over leaves, where there is room for hashing it: a block a leaf, two a node.
func (r *rootSearch) rootOf(leaves []commitment.Digest) (commitment.Digest, bool) {
	if !r.spend(1 + 3*len(leaves)) {
		return commitment.Digest{}, false
	}
	return merkle.Root(leaves), true
}

// emptyTree tries the root that RFC 6962 gives a tree without leaves.
func (r *rootSearch) emptyTree() {
	if len(r.leaves) == 0 {
		r.is(sha256.Sum256(nil), CauseRFC6962EmptyRoot, "it is SHA-256 of nothing, the root of no leaves in RFC 6962 and not in CGP §6.5.3")
	}
}

// A leafPlace is the way from a leaf up to the root: its number of steps, and which of them have the sibling on the left.
type leafPlace struct {
	steps int
	left  uint64
}

// provenAt is a commitment shown to be a leaf at a place.
type provenAt struct {
	commitment commitment.Digest
	at         leafPlace
}

// proveLeaves finds out by the proofs at hand which frames are leaves of the signed tree. No hash of a leaf is one of a node, so
// the places of different leaves are the ends of different ways down, and what they take up of the tree adds up.
func (r *rootSearch) proveLeaves() bool {
	places := make(map[commitment.Digest][]leafPlace)
	seen := make(map[provenAt]bool)
	counts := make(map[uint64]bool)
	for i, matched := range r.matched {
		c := r.commitments.of[i]
		for _, n := range matched {
			e := r.a.entries[n]
			if !e.proof.usable() {
				continue
			}
			p, err := e.proof.value.parse()
			if err != nil || p.CheckShape() != nil {
				continue
			}
			at := leafPlace{steps: len(p.Path)}
			for k := range p.Path {
				if p.Path[k].SiblingIsLeft {
					at.left |= 1 << k
				}
			}
			if seen[provenAt{c, at}] {
				continue
			}
			if !r.spend(1 + 2*len(p.Path)) {
				return false
			}
			if root, err := p.RootFrom(c); err == nil && root == r.signed {
				seen[provenAt{c, at}] = true
				places[c] = append(places[c], at)
				counts[p.LeafCount] = true
			}
		}
	}
	var share, full uint64 // of the tree, in units of 2^-64; full is 1 where that is all of it
	r.proven = make([]bool, len(r.a.frames))
	for i := range r.a.frames { // a place is one frame's
		c := r.commitments.of[i]
		if len(places[c]) == 0 {
			continue
		}
		r.proven[i] = true
		at := places[c][0]
		places[c] = places[c][1:]
		if at.steps == 0 {
			full = 1
			continue
		}
		var carry uint64
		share, carry = bits.Add64(share, 1<<(64-at.steps), 0)
		full += carry
	}
	r.covered = full > 0
	if len(counts) == 1 {
		for n := range counts {
			r.stated = fmt.Sprint(n)
		}
	}
	return true
}

// missingFrames finds out whether every frame is a leaf of the signed tree and there are leaves beside them.
func (r *rootSearch) missingFrames() {
	if !r.proveLeaves() || len(r.proven) == 0 || slices.Contains(r.proven, false) || r.covered {
		return
	}
	r.found = &Diagnosis{CauseFrameMissing, "the proofs at hand show every frame in the signed tree, and that it has more leaves"}
	if r.stated != "" {
		r.found.Detail += fmt.Sprintf(": they state %s, the answer carries %d", r.stated, len(r.proven))
	}
}

// addedFrames finds out whether the frames that are shown in the signed tree are all that it has.
func (r *rootSearch) addedFrames() {
	if !r.covered {
		return
	}
	var added []string
	for i, proven := range r.proven {
		if !proven && len(added) < 3 {
			added = append(added, r.named(i))
		}
	}
	if len(added) > 0 {
		r.found = &Diagnosis{CauseFrameAdded, "the signed tree has no leaf beside those of the other frames; not in it: " + strings.Join(added, "; ")}
	}
}

// insertedFrame puts what an orphan entry signs into its place.
func (r *rootSearch) insertedFrame() {
	r.carriedIdentities()
	for _, o := range r.orphans {
		att := r.a.entries[o.entry].attestation
		if !att.usable() {
			continue
		}
		c, err := commitment.ParseDigest(att.value.SignedCommitment)
		if err != nil {
			continue
		}
		at := r.placeOf(&o.id, -1)
		root, ok := r.rootOf(slices.Insert(slices.Clone(r.leaves), at, c))
		if !ok || r.is(root, CauseFrameMissing, "with the frame that entry %d names and signs it is the signed root: %s", o.entry, describe(o.id)) {
			return
		}
	}
}

// placeOf is where among the leaves an identity stands in canonical order, behind its equals. The frame at a position, if
// there is one, is left out.
func (r *rootSearch) placeOf(id *commitment.FrameID, without int) int {
	own := *id
	own.ProviderID = r.provider.name
	at := 0
	for _, i := range r.commitments.order {
		if i == without {
			continue
		}
		if r.a.frames[i].Identity(r.provider.name).Compare(own) > 0 {
			break
		}
		at++
	}
	return at
}

// leftOutFrame leaves one frame out that no proof shows in the tree.
func (r *rootSearch) leftOutFrame() {
	if n := len(r.leaves); n > r.left/6/max(n, 1) { // half of what is left, at three blocks a leaf
		r.cut = true
		return
	}
	for k, i := range r.commitments.order {
		if r.proven[i] {
			continue
		}
		root, ok := r.rootOf(slices.Delete(slices.Clone(r.leaves), k, k+1))
		if !ok || r.is(root, CauseFrameAdded, "without %s it is the signed root", r.named(i)) {
			return
		}
	}
}

// otherOrders puts the leaves into the orders that are taken for the canonical one.
func (r *rootSearch) otherOrders() {
	n := len(r.leaves)
	if n < 2 {
		return
	}
	arrived := make([]int, n)
	for i := range arrived {
		arrived[i] = i
	}
	if root, ok := r.rootOf(r.inOrder(arrived)); !ok || r.is(root, CauseArrivalOrder, "the leaves stand in the order in which the frames are carried") {
		return
	}
	units := make([][2][]uint16, n)
	for i := range r.a.frames {
		f := &r.a.frames[i]
		digest := f.ContentDigest.OrEmpty()
		if !r.spend(1 + (len(f.ID)+len(digest))/sha256.BlockSize) {
			return
		}
		units[i] = [2][]uint16{utf16.Encode([]rune(f.ID)), utf16.Encode([]rune(digest))}
	}
	slices.SortStableFunc(arrived, func(a, b int) int {
		if c := slices.Compare(units[a][0], units[b][0]); c != 0 {
			return c
		}
		x, y := r.a.frames[a].ContentDigest.Present(), r.a.frames[b].ContentDigest.Present()
		switch {
		case x == y:
			return slices.Compare(units[a][1], units[b][1])
		case y:
			return -1
		}
		return 1
	})
	if root, ok := r.rootOf(r.inOrder(arrived)); ok {
		r.is(root, CauseUTF16Order, "the leaves stand in the order of UTF-16 units, not of bytes")
	}
}

func (r *rootSearch) inOrder(order []int) []commitment.Digest {
	leaves := make([]commitment.Digest, len(order))
	for k, i := range order {
		leaves[k] = r.commitments.of[i]
	}
	return leaves
}

// duplicatedLeaf builds the tree in which the last node of an odd level is its own sibling.
func (r *rootSearch) duplicatedLeaf() {
	if len(r.leaves) == 0 || !r.spend(4*len(r.leaves)+2*64) {
		return
	}
	level := make([]commitment.Digest, len(r.leaves))
	for i := range level {
		level[i] = merkle.LeafHash(r.leaves[i])
	}
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		for i := range len(level) / 2 {
			level[i] = merkle.NodeHash(level[2*i], level[2*i+1])
		}
		level = level[:len(level)/2]
	}
	r.is(level[0], CauseDuplicateLastLeafTree, "the last node of every odd level is hashed with itself")
}

// all is the root with a change to every frame, where there is room for it. The change may reorder the frames.
func (r *rootSearch) all(change func(s *frameSearch) (commitment.FrameID, commitment.Digest, bool)) (root commitment.Digest, ok bool) {
	ids := make([]commitment.FrameID, len(r.leaves))
	of := make([]commitment.Digest, len(r.leaves))
	for i := range ids {
		s := r.frame(i)
		if !s.prepare() {
			return root, false
		}
		if ids[i], of[i], ok = change(s); !ok {
			return root, false
		}
	}
	leaves := make([]commitment.Digest, len(ids))
	for k, i := range commitment.CanonicalOrder(ids) {
		leaves[k] = of[i]
	}
	return r.rootOf(leaves)
}

// otherProviders tries other names of the provider.
func (r *rootSearch) otherProviders() {
	rest := r.left / 2 // for what comes after
	for _, name := range r.otherNames() {
		if r.left < rest {
			r.cut = true
			return
		}
		root, ok := r.all(func(s *frameSearch) (commitment.FrameID, commitment.Digest, bool) {
			id := s.id
			id.ProviderID = name
			c, ok := s.commit(canonical, &id, s.head())
			return id, c, ok
		})
		if !ok || r.is(root, CauseOtherProviderID, "%s", underName(name)) {
			return
		}
	}
}

// otherEncodings tries the encodings that are taken for the canonical one.
func (r *rootSearch) otherEncodings() {
	for _, e := range []struct {
		encoding
		cause Cause
		how   string
	}{
		{utf16Lengths, CauseUTF16Lengths, inUTF16Units}, {codePoints, CauseCodePointLengths, inCodePoints},
		{littleEndian, CauseLittleEndian, lowestByteFirst},
	} {
		root, ok := r.all(func(s *frameSearch) (commitment.FrameID, commitment.Digest, bool) {
			c, ok := s.commitWhole(e.encoding, &s.id, slices.Values(s.own))
			return s.id, c, ok
		})
		if !ok || r.is(root, e.cause, "%s", e.how) {
			return
		}
	}
}

// confusions takes absent and "" for one another in every frame.
func (r *rootSearch) confusions() {
	for _, all := range confusedEverywhere {
		root, ok := r.all(func(s *frameSearch) (commitment.FrameID, commitment.Digest, bool) {
			id, links := mapped(s.id, s.own, all.change)
			c, ok := s.commitWhole(canonical, &id, links)
			return id, c, ok
		})
		if !ok || r.is(root, CauseAbsentEmptyConfusion, "%s", all.how) {
			return
		}
	}
}

// otherDigests gives every frame the digest of its content, or none.
func (r *rootSearch) otherDigests() {
	bytes := 0
	for i := range r.a.frames {
		bytes += len(r.a.frames[i].content.OrEmpty()) + sha256.BlockSize
	}
	if blocksOf(bytes) > r.left/2 {
		r.cut = true
		return
	}
	for which, how := range []string{"every content_digest is that of the content", "no frame has a content_digest"} {
		root, ok := r.all(func(s *frameSearch) (commitment.FrameID, commitment.Digest, bool) {
			id := s.id
			if content, inline := s.a.frames[s.position].content.Text(); inline && which == 0 {
				if !s.spend(blocksOf(len(content))) {
					return id, commitment.Digest{}, false
				}
				id.ContentDigest = commitment.Some(commitment.ContentDigest(content).String())
			} else if which == 1 {
				id.ContentDigest = commitment.Optional{}
			}
			c, ok := s.commit(canonical, &id, s.head())
			return id, c, ok
		})
		if !ok || r.is(root, CauseDigestOfContent, "%s", how) {
			return
		}
	}
}

// renamedFrame gives one frame the identity that an orphan entry names, where the two have the id or the digest in common.
func (r *rootSearch) renamedFrame() {
	for _, o := range r.orphans {
		for i := range r.a.frames {
			f := &r.a.frames[i]
			if !r.spend(1) {
				return
			}
			if r.proven[i] || f.ID != o.id.FrameID && f.ContentDigest != o.id.ContentDigest {
				continue
			}
			s := r.frame(i)
			if !s.prepare() {
				return
			}
			c, ok := s.commit(canonical, &o.id, s.head())
			if !ok {
				return
			}
			k := r.commitments.leaf[i]
			leaves := slices.Delete(slices.Clone(r.leaves), k, k+1)
			root, ok := r.rootOf(slices.Insert(leaves, r.placeOf(&o.id, i), c))
			if !ok || r.is(root, CauseAttestationOfAnotherFrame, "%s is the one that entry %d names: %s", r.named(i), o.entry, describe(o.id)) {
				return
			}
		}
	}
}

// oneFrame tries the causes of frames on each frame that no proof shows in the tree, in its own place there.
func (r *rootSearch) oneFrame() {
	if !r.spend(1 + 3*len(r.leaves)) {
		return
	}
	r.tree = merkle.NewTree(r.leaves)
	for i := range r.leaves {
		if s := r.inPlace(i); s != nil {
			for _, e := range s.explained {
				if s.reproduces(e.commitment) {
					r.ofFrame(i, &e.diagnosis)
					return
				}
			}
		}
	}
	for cause := range frameCauses {
		for i := range r.leaves {
			if r.left == 0 {
				return
			}
			if s := r.inPlace(i); s != nil {
				if found := s.try(cause); found != nil {
					r.ofFrame(i, found)
					return
				}
			}
		}
	}
}

// inPlace is the search on a frame whose commitments are tried at its leaf; nil where a proof shows the frame as it is.
func (r *rootSearch) inPlace(i int) *frameSearch {
	if r.proven[i] {
		return nil
	}
	p, err := r.tree.Prove(uint64(r.commitments.leaf[i]))
	if err != nil {
		return nil
	}
	s := r.frame(i)
	s.inTree = true
	s.reproduces = func(c commitment.Digest) bool { return r.leads(&p, c, r.signed) }
	return s
}

// ofFrame tells what explains the root by one frame.
func (r *rootSearch) ofFrame(i int, found *Diagnosis) {
	r.found = &Diagnosis{found.Cause, r.named(i) + ": " + found.Detail}
}
