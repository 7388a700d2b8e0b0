package merkle

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// The texts are those of the proofs, for every leaf of every small tree; a leaf beyond the tree has none.
func TestTexts(t *testing.T) {
	type step struct {
		Text string
		Left bool
	}
	for n := range 66 {
		leaves := make([]commitment.Digest, n)
		for i := range leaves {
			leaves[i] = commitment.ContentDigest(string(rune('a' + i)))
		}
		tree := NewTree(leaves)
		texts := tree.Texts()
		for leaf := range uint64(n + 2) {
			var want, got []step
			if p, err := tree.Prove(leaf); err == nil {
				for _, s := range p.Path {
					want = append(want, step{s.Sibling.String(), s.SiblingIsLeft})
				}
			}
			for text, left := range texts.Path(leaf) {
				got = append(got, step{string(text), left})
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("path of leaf %d of %d (-want +got):\n%s", leaf, n, diff)
			}
		}
	}
}
