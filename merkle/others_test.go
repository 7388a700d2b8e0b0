package merkle_test

import (
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"github.com/transparency-dev/merkle/compact"
	"github.com/transparency-dev/merkle/proof"
	"github.com/transparency-dev/merkle/rfc6962"
	"golang.org/x/mod/sumdb/tlog"
)

// CGP's tree is that of RFC 6962 over 32-byte entries wherever there are leaves, so two implementations of transparency logs
// are second opinions. Without leaves they give SHA256(""), and CGP does not.

func TestTransparencyDev(t *testing.T) {
	hasher := rfc6962.DefaultHasher
	factory := compact.RangeFactory{Hash: hasher.HashChildren}
	for n := 1; n <= 65; n++ {
		c := leaves(n)
		nodes := map[compact.NodeID][]byte{}
		visit := func(id compact.NodeID, hash []byte) { nodes[id] = hash }
		whole := factory.NewEmptyRange(0)
		for i := range c {
			if err := whole.Append(hasher.HashLeaf(c[i][:]), visit); err != nil {
				t.Fatal(err)
			}
			visit(compact.NewNodeID(0, uint64(i)), hasher.HashLeaf(c[i][:]))
		}
		root, err := whole.GetRootHash(nil)
		if err != nil {
			t.Fatal(err)
		}
		tree := merkle.NewTree(c)
		if got := tree.Root(); got != commitment.Digest(root) {
			t.Errorf("root of %d leaves = %s, want %x", n, got, root)
		}
		for i := range uint64(n) {
			ours, err := tree.Prove(i)
			if err != nil {
				t.Fatal(err)
			}

			// Their verifier takes our proof.
			var path [][]byte
			for _, step := range ours.Path {
				path = append(path, step.Sibling[:])
			}
			if err := proof.VerifyInclusion(hasher, i, uint64(n), hasher.HashLeaf(c[i][:]), path, root); err != nil {
				t.Errorf("leaf %d of %d: their verifier says %v", i, n, err)
			}

			// Our verifier takes their proof.
			which, err := proof.Inclusion(i, uint64(n))
			if err != nil {
				t.Fatal(err)
			}
			var hashes [][]byte
			for _, id := range which.IDs {
				hashes = append(hashes, nodes[id])
			}
			theirs, err := which.Rehash(hashes, hasher.HashChildren)
			if err != nil {
				t.Fatal(err)
			}
			p := merkle.Proof{LeafIndex: i, LeafCount: uint64(n)}
			sides := shapeOf(t, i, uint64(n))
			if len(sides) != len(theirs) {
				t.Fatalf("leaf %d of %d: their proof has %d steps, ours %d", i, n, len(theirs), len(sides))
			}
			for k, hash := range theirs {
				p.Path = append(p.Path, merkle.Step{Sibling: commitment.Digest(hash), SiblingIsLeft: sides[k]})
			}
			if err := p.Verify(c[i], commitment.Digest(root)); err != nil {
				t.Errorf("leaf %d of %d: our verifier says %v", i, n, err)
			}
		}
	}
}

// Their arithmetic for counts that no tree in memory has.
func TestTransparencyDevHugeTrees(t *testing.T) {
	hasher := rfc6962.DefaultHasher
	c := leaves(65)
	for _, count := range hugeCounts {
		for _, index := range hugeIndexes(count) {
			p := merkle.Proof{LeafIndex: index, LeafCount: count}
			var path [][]byte
			for k, left := range shapeOf(t, index, count) {
				p.Path = append(p.Path, merkle.Step{Sibling: c[k+1], SiblingIsLeft: left})
				path = append(path, c[k+1][:])
			}
			want, err := proof.RootFromInclusionProof(hasher, index, count, hasher.HashLeaf(c[0][:]), path)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := p.RootFrom(c[0]); err != nil || got != commitment.Digest(want) {
				t.Errorf("leaf %d of %d: RootFrom = %s, %v, want %x", index, count, got, err, want)
			}
		}
	}
}

func TestTlog(t *testing.T) {
	for n := 1; n <= 65; n++ {
		c := leaves(n)
		var stored []tlog.Hash
		reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
			var hashes []tlog.Hash
			for _, i := range indexes {
				hashes = append(hashes, stored[i])
			}
			return hashes, nil
		})
		for i := range c {
			hashes, err := tlog.StoredHashes(int64(i), c[i][:], reader)
			if err != nil {
				t.Fatal(err)
			}
			stored = append(stored, hashes...)
		}
		root, err := tlog.TreeHash(int64(n), reader)
		if err != nil {
			t.Fatal(err)
		}
		tree := merkle.NewTree(c)
		if got := tree.Root(); got != commitment.Digest(root) {
			t.Errorf("root of %d leaves = %s, want %x", n, got, root[:])
		}
		for i := range c {
			ours, err := tree.Prove(uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := tlog.ProveRecord(int64(n), int64(i), reader)
			if err != nil {
				t.Fatal(err)
			}
			if len(ours.Path) != len(theirs) {
				t.Fatalf("leaf %d of %d: %d steps, want %d", i, n, len(ours.Path), len(theirs))
			}
			var path tlog.RecordProof
			for k, step := range ours.Path {
				if step.Sibling != commitment.Digest(theirs[k]) {
					t.Errorf("leaf %d of %d, step %d: sibling %s, want %x", i, n, k, step.Sibling, theirs[k][:])
				}
				path = append(path, tlog.Hash(step.Sibling))
			}
			if err := tlog.CheckRecord(path, int64(n), root, int64(i), tlog.RecordHash(c[i][:])); err != nil {
				t.Errorf("leaf %d of %d: their verifier says %v", i, n, err)
			}
		}
	}
}

func TestEmptyRootIsNotThatOfRFC6962(t *testing.T) {
	if got := merkle.EmptyRoot(); got == commitment.Digest(rfc6962.DefaultHasher.EmptyRoot()) {
		t.Errorf("EmptyRoot() = %s, want another than that of RFC 6962", got)
	}
}
