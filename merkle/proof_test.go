package merkle_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"pgregory.net/rapid"
)

// hugeCounts are the leaf counts at which careless arithmetic overflows.
var hugeCounts = []uint64{
	1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1<<32 + 1, 1<<53 + 1,
	1<<62 + 1, 1<<63 - 1, 1 << 63, 1<<63 + 1, 1<<63 + 1<<62, math.MaxUint64 - 1, math.MaxUint64,
}

func hugeIndexes(count uint64) []uint64 {
	return []uint64{0, 1, 2, count/2 - 1, count / 2, count/2 + 1, 1<<31 - 2, count - count/4, count - 2, count - 1}
}

func TestShapeOfHugeTrees(t *testing.T) {
	longest := 0
	for _, count := range hugeCounts {
		for _, index := range hugeIndexes(count) {
			got := shapeOf(t, index, count)
			if want := literalShape(index, count); !slices.Equal(got, want) {
				t.Errorf("Shape(%d, %d) = %v, want %v", index, count, got, want)
			}
			longest = max(longest, len(got))
		}
	}
	if longest != merkle.MaxPath {
		t.Errorf("the longest path has %d steps, want %d", longest, merkle.MaxPath)
	}
}

func TestShapeLiteralReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.Uint64Min(1).Draw(t, "count")
		index := rapid.Uint64Max(count-1).Draw(t, "index")
		sides, err := merkle.Shape(index, count)
		if err != nil {
			t.Fatal(err)
		}
		want := literalShape(index, count)
		if sides.Len() != len(want) {
			t.Fatalf("Shape(%d, %d) has %d steps, want %d", index, count, sides.Len(), len(want))
		}
		for i, left := range want {
			if sides.IsLeft(i) != left {
				t.Fatalf("Shape(%d, %d).IsLeft(%d) = %t, want %t", index, count, i, !left, left)
			}
		}
	})
}

func TestShapeOutOfRange(t *testing.T) {
	for _, tt := range []struct{ index, count uint64 }{
		{0, 0}, {1, 0}, {1, 1}, {7, 7}, {8, 7}, {math.MaxUint64, 0}, {math.MaxUint64, math.MaxUint64}, {math.MaxUint64, 1 << 63},
	} {
		got, err := merkle.Shape(tt.index, tt.count)
		want := fmt.Sprintf("merkle: leaf index out of range: %d of %d leaves", tt.index, tt.count)
		if !errors.Is(err, merkle.ErrIndexRange) || err.Error() != want || got.Len() != 0 {
			t.Errorf("Shape(%d, %d) = %+v, %v, want %s", tt.index, tt.count, got, err, want)
		}
	}
}

// Shapes do not tell counts apart: one of the published limits of a proof.
func TestShapesThatAgree(t *testing.T) {
	for _, count := range []uint64{6, 7, 8} {
		if got, want := shapeOf(t, 3, count), shapeOf(t, 3, 5); !slices.Equal(got, want) {
			t.Errorf("Shape(3, %d) = %v, want that of (3, 5), %v", count, got, want)
		}
	}
	if got, want := shapeOf(t, 1, 2), shapeOf(t, 2, 3); !slices.Equal(got, want) {
		t.Errorf("Shape(1, 2) = %v, want that of (2, 3), %v", got, want)
	}
	for _, count := range []uint64{4, 9} {
		if got, other := shapeOf(t, 3, count), shapeOf(t, 3, 5); slices.Equal(got, other) {
			t.Errorf("Shape(3, %d) = %v, want another than that of (3, 5)", count, got)
		}
	}
}

func TestIsLeftOutOfRange(t *testing.T) {
	sides, err := merkle.Shape(3, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{-1, 3, 64, math.MaxInt} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("IsLeft(%d) of 3 sides returned, want a panic", i)
				}
			}()
			sides.IsLeft(i)
		}()
	}
}

// A path with the shape of a huge tree verifies against the root that it leads to, and under no other index or count of
// another shape.
func TestVerifyInHugeTrees(t *testing.T) {
	c := leaves(1)[0]
	for _, count := range hugeCounts {
		for _, index := range hugeIndexes(count) {
			proof := merkle.Proof{LeafIndex: index, LeafCount: count}
			root := literalHash("\x00", string(c[:]))
			for i, left := range literalShape(index, count) {
				sibling := literalHash(fmt.Sprint("sibling ", i))
				proof.Path = append(proof.Path, merkle.Step{Sibling: sibling, SiblingIsLeft: left})
				if left {
					root = literalNode(sibling, root)
				} else {
					root = literalNode(root, sibling)
				}
			}
			if err := proof.Verify(c, root); err != nil {
				t.Errorf("leaf %d of %d: Verify = %v, want nil", index, count, err)
			}
			for _, other := range []uint64{index - 1, index + 1, index ^ 1<<63, ^index} {
				wrong := proof
				wrong.LeafIndex = other
				if err := wrong.Verify(c, root); err == nil {
					t.Errorf("leaf %d of %d verifies as leaf %d", index, count, other)
				}
			}
		}
	}
}

func TestErrorsHaveNumbers(t *testing.T) {
	good := publishedProof(t)
	c := publishedLeaves(t)
	root := mustDigest(t, publishedRoots[7])
	edited := func(edit func(*merkle.Proof)) merkle.Proof {
		p := cloneProof(good)
		edit(&p)
		return p
	}
	for _, tt := range []struct {
		name  string
		proof merkle.Proof
		is    error
		want  string
	}{
		{"short", edited(func(p *merkle.Proof) { p.Path = p.Path[:2] }), merkle.ErrPathLength,
			"merkle: wrong number of steps: inclusion proof of leaf 3 of 7 has 2, want 3"},
		{"long", edited(func(p *merkle.Proof) { p.Path = append(p.Path, p.Path[0]) }), merkle.ErrPathLength,
			"merkle: wrong number of steps: inclusion proof of leaf 3 of 7 has 4, want 3"},
		{"65 steps", edited(func(p *merkle.Proof) { p.Path = make([]merkle.Step, 65) }), merkle.ErrPathLength,
			"merkle: wrong number of steps: inclusion proof has 65, want at most 64"},
		{"64 steps", edited(func(p *merkle.Proof) { p.Path = make([]merkle.Step, 64) }), merkle.ErrPathLength,
			"merkle: wrong number of steps: inclusion proof of leaf 3 of 7 has 64, want 3"},
		{"index", edited(func(p *merkle.Proof) { p.LeafIndex = 7 }), merkle.ErrIndexRange,
			"merkle: leaf index out of range: 7 of 7 leaves"},
		{"left", edited(func(p *merkle.Proof) { p.Path[2].SiblingIsLeft = true }), merkle.ErrSide,
			"merkle: sibling on the wrong side: step 2 in the inclusion proof of leaf 3 of 7 has sibling_is_left true, want false"},
		{"right", edited(func(p *merkle.Proof) { p.Path[1].SiblingIsLeft = false }), merkle.ErrSide,
			"merkle: sibling on the wrong side: step 1 in the inclusion proof of leaf 3 of 7 has sibling_is_left false, want true"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for call, err := range map[string]error{
				"CheckShape": tt.proof.CheckShape(),
				"RootFrom":   second(tt.proof.RootFrom(c[3])),
				"Verify":     tt.proof.Verify(c[3], root),
			} {
				if !errors.Is(err, tt.is) || err.Error() != tt.want {
					t.Errorf("%s = %v, want %s", call, err, tt.want)
				}
			}
			if got, _ := tt.proof.RootFrom(c[3]); got != (commitment.Digest{}) {
				t.Errorf("RootFrom = %s beside an error, want zero", got)
			}
		})
	}
	err := good.Verify(c[3], mustDigest(t, publishedRoots[4]))
	want := "merkle: root mismatch: inclusion proof of leaf 3 of 7 leads to " + publishedRoots[7] + ", want " + publishedRoots[4]
	if !errors.Is(err, merkle.ErrRootMismatch) || err.Error() != want {
		t.Errorf("Verify under another root = %v, want %s", err, want)
	}
}

func second(_ commitment.Digest, err error) error { return err }

// No proof stands for a tree without leaves, and an empty path only for the one leaf of a tree.
func TestZeroProof(t *testing.T) {
	var p merkle.Proof
	c := leaves(1)[0]
	for _, root := range []commitment.Digest{{}, merkle.EmptyRoot(), merkle.LeafHash(c)} {
		if err := p.Verify(c, root); !errors.Is(err, merkle.ErrIndexRange) {
			t.Errorf("Verify of the zero Proof under %s = %v, want ErrIndexRange", root, err)
		}
	}
	p.LeafCount = 1
	if err := p.Verify(c, merkle.LeafHash(c)); err != nil {
		t.Errorf("Verify of leaf 0 of 1 without a path = %v, want nil", err)
	}
	if err := p.Verify(c, merkle.EmptyRoot()); !errors.Is(err, merkle.ErrRootMismatch) {
		t.Errorf("Verify of leaf 0 of 1 under the empty root = %v, want ErrRootMismatch", err)
	}
}
