package merkle

import (
	"encoding/binary"
	"runtime"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"pgregory.net/rapid"
)

// defined is MTH of CGP §6.5.3, of at least one leaf, as it is written there.
func defined(leaves []commitment.Digest) commitment.Digest {
	if len(leaves) == 1 {
		return LeafHash(leaves[0])
	}
	k := 1
	for 2*k < len(leaves) {
		k *= 2
	}
	return NodeHash(defined(leaves[:k]), defined(leaves[k:]))
}

func someLeaves(n int) []commitment.Digest {
	leaves := make([]commitment.Digest, n)
	for i := range leaves {
		binary.BigEndian.PutUint64(leaves[i][8:], uint64(i)+1)
	}
	return leaves
}

// TestShared: however many processors share the work, the root is the one of the definition, and a tree is the same.
func TestShared(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	leaves := someLeaves(4 * shareFrom)
	for _, n := range []int{
		1, shareFrom - 1, shareFrom, shareFrom + 1, shareFrom + shareFrom/2 - 1, 2*shareFrom - 1, 2 * shareFrom, 2*shareFrom + 1,
		3*shareFrom - 17, 3 * shareFrom, 4*shareFrom - 1, 4 * shareFrom,
	} {
		want := defined(leaves[:n])
		runtime.GOMAXPROCS(1)
		alone := NewTree(leaves[:n])
		for _, processors := range []int{1, 2, 3, 7, 64} {
			runtime.GOMAXPROCS(processors)
			if got := Root(leaves[:n]); got != want {
				t.Errorf("%d leaves, %d processors: root %s, want %s", n, processors, got, want)
			}
			tree := NewTree(leaves[:n])
			if tree.Root() != want || !slices.EqualFunc(tree.levels, alone.levels, slices.Equal) {
				t.Errorf("%d leaves, %d processors: another tree, of root %s, want %s", n, processors, tree.Root(), want)
			}
		}
	}
}

// TestSharedParts: parts of any number of leaves and workers come to the root of the definition.
func TestSharedParts(t *testing.T) {
	leaves := someLeaves(700)
	rapid.Check(t, func(t *rapid.T) {
		workers := rapid.IntRange(1, 9).Draw(t, "workers")
		n := rapid.IntRange(4*workers, len(leaves)).Draw(t, "leaves")
		if got, want := sharedRoot(leaves[:n], workers), defined(leaves[:n]); got != want {
			t.Fatalf("root %s, want %s", got, want)
		}
	})
}

// TestHasher: a hasher gives LeafHash and NodeHash, by the state of the hash and, where that is not to be had, without it.
func TestHasher(t *testing.T) {
	if newHasher().state == nil {
		t.Error("the state of SHA-256 is not in the form that is known: hashing is slow")
	}
	without := newHasher()
	without.state = nil
	for name, h := range map[string]*hasher{"with the state": newHasher(), "without": without} {
		rapid.Check(t, func(t *rapid.T) {
			var l, r commitment.Digest
			copy(l[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "left"))
			copy(r[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "right"))
			if h.leaf(&l) != LeafHash(l) || h.node(&l, &r) != NodeHash(l, r) {
				t.Fatalf("%s: leaf %s, node %s", name, h.leaf(&l), h.node(&l, &r))
			}
		})
	}
}
