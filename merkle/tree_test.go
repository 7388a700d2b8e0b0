package merkle_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

func TestProveOutOfRange(t *testing.T) {
	for _, tt := range []struct {
		name  string
		count int
		leaf  uint64
		want  string
	}{
		{"no leaves", 0, 0, "merkle: leaf index out of range: 0 of 0 leaves"},
		{"one leaf", 1, 1, "merkle: leaf index out of range: 1 of 1 leaves"},
		{"one past the end", 7, 7, "merkle: leaf index out of range: 7 of 7 leaves"},
		{"max", 7, math.MaxUint64, "merkle: leaf index out of range: 18446744073709551615 of 7 leaves"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := merkle.NewTree(leaves(tt.count)).Prove(tt.leaf)
			if !errors.Is(err, merkle.ErrIndexRange) || err.Error() != tt.want {
				t.Errorf("Prove(%d) = %+v, %v, want %s", tt.leaf, got, err, tt.want)
			}
		})
	}
}

func TestZeroTree(t *testing.T) {
	var tree merkle.Tree
	if got := tree.Root(); got != merkle.EmptyRoot() {
		t.Errorf("Root() = %s, want EmptyRoot", got)
	}
	if got := tree.Len(); got != 0 {
		t.Errorf("Len() = %d, want 0", got)
	}
	if got := tree.ProveAll(); len(got) != 0 {
		t.Errorf("ProveAll() = %v, want none", got)
	}
	if _, err := tree.Prove(0); !errors.Is(err, merkle.ErrIndexRange) {
		t.Errorf("Prove(0) = %v, want ErrIndexRange", err)
	}
}

// Neither the leaves that the tree was built from nor the paths that it gave out are part of it.
func TestTreeSharesNoMemory(t *testing.T) {
	c := leaves(7)
	tree := merkle.NewTree(c)
	root, first := tree.Root(), c[0]
	c[0] = commitment.Digest{}
	if got := tree.Root(); got != root {
		t.Errorf("the root is %s after a change of the leaves, want %s", got, root)
	}

	// A change or an addition to one path reaches neither the tree nor another path.
	given, want := tree.ProveAll(), tree.ProveAll()
	for i := range given {
		if !slices.Equal(given[i].Path, want[i].Path) {
			t.Errorf("leaf %d has the path %v after changes to others, want %v", i, given[i].Path, want[i].Path)
		}
		given[i].Path[0].Sibling = commitment.Digest{}
		_ = append(given[i].Path, make([]merkle.Step, 4)...)
	}
	for i, proof := range tree.ProveAll() {
		if !slices.Equal(proof.Path, want[i].Path) {
			t.Errorf("leaf %d has the path %v after changes to paths given out, want %v", i, proof.Path, want[i].Path)
		}
	}
	if err := want[0].Verify(first, root); err != nil {
		t.Errorf("Verify of leaf 0 = %v, want nil", err)
	}
}
