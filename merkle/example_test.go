package merkle_test

import (
	"errors"
	"fmt"
	"log"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// answer returns the commitments of an answer's frames in canonical order.
func answer(ids ...string) []commitment.Digest {
	var c []commitment.Digest
	for _, id := range ids {
		d, err := commitment.Of("repo-graph", &commitment.Frame{ID: id})
		if err != nil {
			log.Fatal(err)
		}
		c = append(c, d)
	}
	return c
}

func ExampleRoot() {
	fmt.Println(merkle.Root(answer("a", "b", "c")) == merkle.Root(answer("a", "c", "b")))
	fmt.Println(merkle.Root(nil))
	// Output:
	// false
	// sha256:1d7896160c99d216069525861650366067ae242de9ee5e86730a36c80e57bcc2
}

func ExampleTree_Prove() {
	tree := merkle.NewTree(answer("a", "b", "c", "d", "e", "f", "g"))
	proof, err := tree.Prove(3)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("leaf %d of %d\n", proof.LeafIndex, proof.LeafCount)
	for _, step := range proof.Path {
		fmt.Println("sibling is left:", step.SiblingIsLeft)
	}
	// Output:
	// leaf 3 of 7
	// sibling is left: true
	// sibling is left: true
	// sibling is left: false
}

func ExampleProof_Verify() {
	c := answer("a", "b", "c")
	tree := merkle.NewTree(c)
	proof, err := tree.Prove(1)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("its own leaf:", proof.Verify(c[1], tree.Root()))
	fmt.Println("another leaf:", errors.Is(proof.Verify(c[2], tree.Root()), merkle.ErrRootMismatch))

	proof.Path[0].SiblingIsLeft = false
	fmt.Println("side flipped:", proof.Verify(c[1], tree.Root()))
	// Output:
	// its own leaf: <nil>
	// another leaf: true
	// side flipped: merkle: sibling on the wrong side: step 0 in the inclusion proof of leaf 1 of 3 has sibling_is_left false, want true
}

func ExampleShape() {
	for _, count := range []uint64{7, 8, 9} {
		sides, err := merkle.Shape(3, count)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("leaf 3 of %d: %d steps\n", count, sides.Len())
	}
	// Output:
	// leaf 3 of 7: 3 steps
	// leaf 3 of 8: 3 steps
	// leaf 3 of 9: 4 steps
}
