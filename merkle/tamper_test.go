package merkle_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

func cloneProof(p merkle.Proof) merkle.Proof {
	p.Path = slices.Clone(p.Path)
	return p
}

// Every part of a good proof replaced by a part of another good one: nothing verifies.
func TestTampering(t *testing.T) {
	otherRoot := merkle.Root(leaves(40))
	for n := 1; n <= 17; n++ {
		c := leaves(n)
		root := merkle.Root(c)
		proofs := merkle.NewTree(c).ProveAll()
		for i, good := range proofs {
			refuse := func(what string, p merkle.Proof, c, root commitment.Digest, want error) {
				t.Helper()
				if err := p.Verify(c, root); !errors.Is(err, want) {
					t.Errorf("leaf %d of %d, %s: Verify = %v, want %v", i, n, what, err, want)
				}
			}
			refuse("root of another tree", good, c[i], otherRoot, merkle.ErrRootMismatch)
			refuse("no root", good, c[i], commitment.Digest{}, merkle.ErrRootMismatch)
			refuse("no commitment", good, commitment.Digest{}, root, merkle.ErrRootMismatch)
			refuse("leaf hash for commitment", good, merkle.LeafHash(c[i]), root, merkle.ErrRootMismatch)
			if n > 1 {
				refuse("root for commitment", merkle.Proof{LeafCount: 1}, root, root, merkle.ErrRootMismatch)
			}
			for j, other := range proofs {
				if j == i {
					continue
				}
				refuse("commitment of another leaf", good, c[j], root, merkle.ErrRootMismatch)
				p := good
				p.Path = other.Path
				if slices.Equal(shapeOf(t, uint64(i), uint64(n)), shapeOf(t, uint64(j), uint64(n))) {
					t.Fatalf("leaves %d and %d of %d have one shape", i, j, n)
				}
				if err := p.Verify(c[i], root); !errors.Is(err, merkle.ErrSide) && !errors.Is(err, merkle.ErrPathLength) {
					t.Errorf("leaf %d of %d with the path of leaf %d: Verify = %v, want ErrSide or ErrPathLength", i, n, j, err)
				}
				p = good
				p.LeafIndex = uint64(j)
				if err := p.CheckShape(); err == nil {
					t.Errorf("the proof of leaf %d of %d has the shape of leaf %d", i, n, j)
				}
				for k := range min(len(good.Path), len(other.Path)) {
					if good.Path[k].Sibling == other.Path[k].Sibling {
						continue
					}
					p := cloneProof(good)
					p.Path[k].Sibling = other.Path[k].Sibling
					refuse("sibling of another leaf", p, c[i], root, merkle.ErrRootMismatch)
				}
			}

			for k := range good.Path {
				p := cloneProof(good)
				p.Path[k].SiblingIsLeft = !p.Path[k].SiblingIsLeft
				refuse("side flipped", p, c[i], root, merkle.ErrSide)

				for bit := range 256 {
					p := cloneProof(good)
					p.Path[k].Sibling[bit/8] ^= 1 << (bit % 8)
					refuse("sibling bit flipped", p, c[i], root, merkle.ErrRootMismatch)
				}

				p = cloneProof(good)
				p.Path = slices.Delete(p.Path, k, k+1)
				refuse("step dropped", p, c[i], root, merkle.ErrPathLength)

				p = cloneProof(good)
				p.Path = slices.Insert(p.Path, k, p.Path[k])
				refuse("step doubled", p, c[i], root, merkle.ErrPathLength)

				for l := range k {
					p := cloneProof(good)
					p.Path[k].Sibling, p.Path[l].Sibling = p.Path[l].Sibling, p.Path[k].Sibling
					refuse("siblings swapped", p, c[i], root, merkle.ErrRootMismatch)
				}
			}
			p := cloneProof(good)
			p.Path = append(p.Path, merkle.Step{Sibling: root})
			refuse("step added", p, c[i], root, merkle.ErrPathLength)
			p.Path = append(slices.Clone(good.Path), merkle.Step{Sibling: root, SiblingIsLeft: true})
			refuse("left step added", p, c[i], root, merkle.ErrPathLength)
			if len(good.Path) > 0 {
				p.Path = nil
				refuse("no steps", p, c[i], root, merkle.ErrPathLength)
			}

			for bit := range 256 {
				wrong := c[i]
				wrong[bit/8] ^= 1 << (bit % 8)
				refuse("commitment bit flipped", good, wrong, root, merkle.ErrRootMismatch)
				wrong = root
				wrong[bit/8] ^= 1 << (bit % 8)
				refuse("root bit flipped", good, c[i], wrong, merkle.ErrRootMismatch)
			}

			p = good
			p.LeafIndex = uint64(n)
			refuse("index one past the end", p, c[i], root, merkle.ErrIndexRange)
			p.LeafIndex = math.MaxUint64
			refuse("index max", p, c[i], root, merkle.ErrIndexRange)
			p = good
			p.LeafCount = 0
			refuse("count 0", p, c[i], root, merkle.ErrIndexRange)

			// A wrong count is noticed where it changes the shape and only there.
			for _, count := range []uint64{1, uint64(n) - 1, uint64(n) + 1, 2 * uint64(n), 1<<53 + 1, 1 << 63, math.MaxUint64} {
				if count <= uint64(i) || count == uint64(n) {
					continue
				}
				p := good
				p.LeafCount = count
				sameShape := slices.Equal(literalShape(uint64(i), count), literalShape(uint64(i), uint64(n)))
				if err := p.Verify(c[i], root); (err == nil) != sameShape {
					t.Errorf("leaf %d of %d, count %d: Verify = %v, want nil: %t", i, n, count, err, sameShape)
				}
			}
		}
	}
}
