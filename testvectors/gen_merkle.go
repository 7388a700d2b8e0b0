package testvectors

import (
	"crypto/sha256"
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// leafAt is the i-th of the commitments that trees are built over: SHA-256 of "leaf i".
func leafAt(i int) commitment.Digest { return sha256.Sum256(fmt.Appendf(nil, "leaf %d", i)) }

func leavesOf(n int) []commitment.Digest {
	out := make([]commitment.Digest, n)
	for i := range out {
		out[i] = leafAt(i)
	}
	return out
}

func leafList(n int) List {
	out := List{}
	for _, d := range leavesOf(n) {
		out = append(out, d.String())
	}
	return out
}

// nearRoots are what trees with a bug make of commitments.
func nearRoots(leaves []commitment.Digest) []option {
	return []option{
		nearValue(causeDuplicateLast, duplicateLastRoot(leaves).String()),
		nearValue(causePrefixes, swappedPrefixRoot(leaves).String()),
	}
}

func generateMerkle(c *class) {
	c.rules, c.flags = []string{"§6.5.3"}, []string{"TreeShape"}
	const why = "The root is RFC 6962's: leaves behind 00, nodes behind 01, split at the largest power of two below n; no node stands twice."
	empty := commitment.Digest(sha256.Sum256(nil)).String()
	c.pass("root-1", "one leaf", why, "root", object("commitments", leafList(1)), append(nearRoots(leavesOf(1)), flagged("Prefixes"))...)
	c.twist("root-1", "root-0", "no leaf", "The root of no leaves is SHA256(\"contextgraph/attest/1/merkle-empty\"), not RFC 6962's hash of nothing.",
		removed("/commitments/0"), nearValue(causeRFC6962Empty, empty), flagged("EmptyRoot"))
	grow := func(n int) {
		c.twist(fmt.Sprintf("root-%d", n-1), fmt.Sprintf("root-%d", n), fmt.Sprintf("%d leaves", n), why, added("/commitments/-", leafAt(n-1).String()),
			append(nearRoots(leavesOf(n)), flagged("TreeShape", "Prefixes"))...)
	}
	for n := 2; n <= 17; n++ {
		grow(n)
	}
	for _, n := range []int{31, 33, 1000} {
		c.pass(fmt.Sprintf("root-%d", n-1), fmt.Sprintf("%d leaves", n-1), why, "root", object("commitments", leafList(n-1)))
		grow(n)
	}
	c.twist("root-5", "root-5-moved", "the last leaf in front", "The order of leaves is bound.", moved("/commitments/4", "/commitments/0"),
		nearValue(causeArrivalOrder, merkle.Root(leavesOf(5)).String()), flagged("StableTies"))
	doubled := append(leavesOf(3), leafAt(2))
	c.twist("root-3", "root-3-doubled", "the last leaf twice", "Four leaves, of which two are equal, are not three: under the tree that pairs the last node with itself they would be.",
		added("/commitments/-", leafAt(2).String()), nearValue(causeDuplicateLast, duplicateLastRoot(leavesOf(3)).String()),
		nearValue(causeFrameAdded, merkle.Root(leavesOf(3)).String()), nearValue(causePrefixes, swappedPrefixRoot(doubled).String()))
	c.twist("root-3", "root-3-missing", "without the last leaf", "A root is over all frames carried.", removed("/commitments/2"),
		nearValue(causeFrameMissing, merkle.Root(leavesOf(3)).String()), nearValue(causePrefixes, swappedPrefixRoot(leavesOf(2)).String()), flagged("RootCover"))
	for _, m := range []struct {
		slug, what string
		value      any
	}{
		{"upper", "uppercase digits", upperDigest(leafAt(0))}, {"prefix", "no sha256:", leafAt(0).String()[7:]},
		{"short", "63 digits", leafAt(0).String()[:70]}, {"long", "65 digits", leafAt(0).String() + "0"},
		{"empty", "nothing in it", ""}, {"space", "a space behind it", leafAt(0).String() + " "},
		{"prefix-upper", "SHA256: in front", "SHA256:" + leafAt(0).String()[7:]},
	} {
		opts := []option{fails(malformedCommitment), rules("D1"), flagged("DigestForm")}
		if m.slug == "upper" {
			opts = append(opts, nearValue(causeUppercase, merkle.Root(leavesOf(3)).String()))
		}
		c.twist("root-3", "root-malformed-"+m.slug, "a commitment with "+m.what, "A digest is sha256: and 64 lowercase hexadecimal digits.",
			replace("/commitments/0", m.value), opts...)
	}
	generateProve(c)
}

// upperDigest is a digest with uppercase digits.
func upperDigest(d commitment.Digest) string { return fmt.Sprintf("sha256:%X", d[:]) }

// duplicateLastProof is the proof in the tree that pairs the last node of a level with itself.
func duplicateLastProof(leaves []commitment.Digest, index int) Object {
	path, at := List{}, index
	var level []commitment.Digest
	for _, l := range leaves {
		level = append(level, merkle.LeafHash(l))
	}
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		path = append(path, object("sibling", level[at^1].String(), "sibling_is_left", at%2 == 1))
		var above []commitment.Digest
		for i := 0; i < len(level); i += 2 {
			above = append(above, merkle.NodeHash(level[i], level[i+1]))
		}
		level, at = above, at/2
	}
	return object("leaf_index", integer(index), "leaf_count", integer(len(leaves)), "path", path)
}

func generateProve(c *class) {
	const why = "The path of leaf i of n follows from i and n alone: RFC 6962's, from the leaf upward."
	for _, p := range [][2]int{{1, 0}, {2, 0}, {2, 1}, {3, 0}, {5, 0}, {6, 5}, {7, 0}, {8, 5}, {17, 0}} {
		n, i := p[0], p[1]
		c.pass(fmt.Sprintf("prove-%d-%d", n, i), fmt.Sprintf("leaf %d of %d", i, n), why, "prove",
			object("commitments", leafList(n), "leaf_index", integer(i)), flagged("ProofShape"))
	}
	for _, p := range [][3]int{{3, 0, 2}, {5, 0, 4}, {7, 0, 3}, {7, 0, 6}, {17, 0, 16}} {
		n, from, i := p[0], p[1], p[2]
		c.twist(fmt.Sprintf("prove-%d-%d", n, from), fmt.Sprintf("prove-%d-%d", n, i), fmt.Sprintf("leaf %d of %d", i, n), why,
			replace("/leaf_index", integer(i)), nearValue(causeDuplicateLast, duplicateLastProof(leavesOf(n), i)), flagged("ProofShape"))
	}
	for _, p := range [][2]int{{1, 1}, {3, 3}, {7, 7}, {7, 1000}} {
		n, i := p[0], p[1]
		c.twist(fmt.Sprintf("prove-%d-0", n), fmt.Sprintf("prove-%d-over-%d", n, i), fmt.Sprintf("leaf %d of %d", i, n), "There is no such leaf.",
			replace("/leaf_index", integer(i)), fails("out_of_range"), flagged("BigInteger"))
	}
	c.twist("prove-1-0", "prove-0-0", "leaf 0 of 0", "There is no such leaf.", removed("/commitments/0"), fails("out_of_range"), flagged("BigInteger"))
	c.pass("prove-1000-999", "leaf 999 of 1000", why, "prove", object("commitments", leafList(1000), "leaf_index", integer(999)), flagged("ProofShape"))
}
