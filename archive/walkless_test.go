package archive

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A proof that is compared with the tree leads to the root of the tree when it is walked; one that is walked to the root is the
// tree's own. Every part of good proofs is changed, mostly into one of a sibling.
func TestComparedProofsAreWalkedOnes(t *testing.T) {
	held, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "leaves")
		c := &commitments{complete: true}
		for i := range n {
			c.of = append(c.of, commitment.ContentDigest(fmt.Sprint("leaf ", i%rapid.SampledFrom([]int{n, 3}).Draw(t, "distinct"))))
			c.order = append(c.order, i)
		}
		g := grow(c)
		root := merkle.Root(c.of)
		wire := func(leaf int) proof {
			p, err := merkle.NewTree(c.of).Prove(uint64(leaf))
			if err != nil {
				t.Fatal(err)
			}
			out := proof{leafIndex: p.LeafIndex, leafCount: p.LeafCount}
			for _, s := range p.Path {
				out.path = append(out.path, proofStep{s.Sibling.String(), s.SiblingIsLeft})
			}
			return out
		}
		leaf := rapid.IntRange(0, n-1).Draw(t, "leaf")
		other := rapid.IntRange(0, n-1).Draw(t, "other")
		p, q := wire(leaf), wire(other)
		of := c.of[leaf]
		switch rapid.IntRange(0, 9).Draw(t, "change") {
		case 0:
			p.leafIndex = q.leafIndex
		case 1:
			p.leafCount++
		case 2:
			p.leafIndex = uint64(n)
		case 3:
			p.path = q.path
		case 4:
			p.path = append(p.path, proofStep{root.String(), true})
		case 5:
			p.path = p.path[:max(0, len(p.path)-1)]
		case 6:
			of = c.of[other]
		case 7:
			for i := range p.path {
				p.path[i].siblingIsLeft = !p.path[i].siblingIsLeft
			}
		case 8:
			for i := range p.path {
				p.path[i].sibling = "SHA256" + p.path[i].sibling[len("sha256"):]
			}
		}
		got, err := p.root(of)
		walked := err == nil && got == root && p.leafCount == uint64(n)
		if holds := g.holds(&p, of); holds != walked {
			t.Fatalf("compared: %t, walked: %t (%v) for leaf %d of %d, %+v", holds, walked, err, leaf, n, p)
		}
		if walked {
			held++
		} else {
			refused++
		}
	})
	if held == 0 || refused == 0 {
		t.Errorf("%d proofs held, %d did not: want some of each", held, refused)
	}
}
