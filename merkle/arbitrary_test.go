package merkle_test

import (
	"math"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"pgregory.net/rapid"
)

// attempt is any claim about a tree of n leaves: a commitment and a proof put together from hashes that occur in the tree and
// from others. Each pair of bytes in steps gives one step: its hash and its side.
type attempt struct {
	n, leaf      byte
	index, count uint64
	steps        []byte
}

// check fails the test if the claim verifies and is not what the tree itself proves.
func (a attempt) check(t interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}) (verified bool) {
	t.Helper()
	c := leaves(1 + int(a.n%20))
	n := uint64(len(c))
	leaf := uint64(a.leaf) % n
	tree := merkle.NewTree(c)
	pool := hashPool(c)

	proof := merkle.Proof{LeafIndex: a.index, LeafCount: a.count}
	for i := 0; i+1 < len(a.steps); i += 2 {
		proof.Path = append(proof.Path, merkle.Step{
			Sibling:       pool[int(a.steps[i])%len(pool)],
			SiblingIsLeft: a.steps[i+1]%2 == 1,
		})
	}
	own, err := tree.Prove(leaf)
	if err != nil {
		t.Fatal(err)
	}
	isOwnPath := slices.Equal(proof.Path, own.Path)
	shaped := proof.LeafIndex < proof.LeafCount &&
		slices.Equal(literalShape(proof.LeafIndex, proof.LeafCount), literalShape(leaf, n))

	err = proof.Verify(c[leaf], tree.Root())
	if got, want := err == nil, isOwnPath && shaped; got != want {
		t.Fatalf("leaf %d of %d: Verify of %+v = %v, want nil: %t", leaf, n, proof, err, want)
	}
	if err == nil && proof.LeafCount == n && proof.LeafIndex != leaf {
		t.Fatalf("leaf %d of %d verifies as leaf %d", leaf, n, proof.LeafIndex)
	}
	return err == nil
}

// hashPool returns all hashes of a tree, its commitments and two hashes that are not in it.
func hashPool(c []commitment.Digest) []commitment.Digest {
	pool := append(slices.Clone(c), commitment.Digest{}, merkle.EmptyRoot(), literalRoot(c))
	for i := range c {
		for _, step := range literalPath(i, c) {
			if !slices.Contains(pool, step.Sibling) {
				pool = append(pool, step.Sibling)
			}
		}
	}
	return pool
}

// ownAttempt is the tree's own proof as an attempt.
func ownAttempt(n, leaf byte) attempt {
	c := leaves(1 + int(n%20))
	pool := hashPool(c)
	a := attempt{n: n, leaf: leaf, index: uint64(leaf) % uint64(len(c)), count: uint64(len(c))}
	for _, step := range literalPath(int(a.index), c) {
		side := byte(0)
		if step.SiblingIsLeft {
			side = 1
		}
		a.steps = append(a.steps, byte(slices.Index(pool, step.Sibling)), side)
	}
	return a
}

func TestArbitraryProofs(t *testing.T) {
	verified, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a := ownAttempt(rapid.Byte().Draw(t, "n"), rapid.Byte().Draw(t, "leaf"))
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			switch rapid.IntRange(0, 5).Draw(t, "edit") {
			case 0:
				a.leaf = rapid.Byte().Draw(t, "other leaf")
			case 1:
				a.index = rapid.Uint64Max(20).Draw(t, "index")
			case 2:
				a.count = rapid.OneOf(rapid.Uint64Max(40), rapid.Uint64()).Draw(t, "count")
			case 3:
				a.steps = rapid.SliceOfN(rapid.Byte(), 0, 14).Draw(t, "steps")
			case 4:
				if len(a.steps) > 0 {
					a.steps[rapid.IntRange(0, len(a.steps)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
				}
			case 5:
				a.steps = append(a.steps, rapid.SliceOfN(rapid.Byte(), 2, 2).Draw(t, "more")...)
			}
		}
		if a.check(t) {
			verified++
		} else {
			refused++
		}
	})
	if verified == 0 || refused == 0 {
		t.Errorf("%d proofs verified and %d did not, want some of both", verified, refused)
	}
}

func FuzzProof(f *testing.F) {
	seeds := 0
	for n := range byte(20) {
		for leaf := range n + 1 {
			a := ownAttempt(n, leaf)
			if !a.check(f) {
				f.Fatalf("the tree's own proof of leaf %d of %d does not verify", leaf, n+1)
			}
			f.Add(a.n, a.leaf, a.index, a.count, a.steps)
			seeds++
		}
	}
	if seeds != 210 {
		f.Fatalf("%d seeds, want 210", seeds)
	}
	f.Add(byte(6), byte(3), uint64(math.MaxUint64-1), uint64(math.MaxUint64), make([]byte, 2*65))
	f.Fuzz(func(t *testing.T, n, leaf byte, index, count uint64, steps []byte) {
		attempt{n, leaf, index, count, steps}.check(t)
	})
}
