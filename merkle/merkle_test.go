package merkle_test

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"github.com/google/go-cmp/cmp"
)

// The known answers are published by the Context Graph Protocol repository in tests/vectors/attestation-vectors.json. They
// stand here as they are there; TestPublishedVectors reads the file.

var publishedRoots = map[int]string{
	0: "sha256:1d7896160c99d216069525861650366067ae242de9ee5e86730a36c80e57bcc2",
	1: "sha256:ca097914b0d358813bf20c3916fe1fcbc92695bf26cc94cae2df6bfc049072ae",
	3: "sha256:bb7a2c794a3f8de323372acf692a4cf95ea4015487caf761ff964d41e4eb15b2",
	4: "sha256:a29d4042e68ee59dd8713ec5361031add15e4814353da0bfca7a5bf59a96c869",
	7: "sha256:4b421f5b2831079accda2aea30aaa989e5dfb3cb01a01fdc3855f7d1d1ff1cb3",
}

// publishedLeaves returns the commitments of the published leaf frames f0 to f6 of repo-graph.
func publishedLeaves(t testing.TB) []commitment.Digest {
	t.Helper()
	var c []commitment.Digest
	for i := range 7 {
		frame := commitment.Frame{
			ID:            fmt.Sprintf("f%d", i),
			ContentDigest: commitment.Some("sha256:" + strings.Repeat("0e", 32)),
		}
		d, err := commitment.Of("repo-graph", &frame)
		if err != nil {
			t.Fatal(err)
		}
		c = append(c, d)
	}
	return c
}

// publishedProof is the proof of leaf 3 of 7.
func publishedProof(t testing.TB) merkle.Proof {
	return merkle.Proof{LeafIndex: 3, LeafCount: 7, Path: []merkle.Step{
		{Sibling: mustDigest(t, "sha256:dc1ae14ddfe6bd0fdc1b030179837fe1b8154201fe1060d4511bc07099536629"), SiblingIsLeft: true},
		{Sibling: mustDigest(t, "sha256:4162de7a1474da412cf29c4ff2f687122feb66d1cb554aaf743fdbe762f58d4b"), SiblingIsLeft: true},
		{Sibling: mustDigest(t, "sha256:761a1b093e5a4c6f5f1a2eb2d5378377e6b62291ec11ec0a9b99822121659cc3"), SiblingIsLeft: false},
	}}
}

func mustDigest(t testing.TB, s string) commitment.Digest {
	t.Helper()
	d, err := commitment.ParseDigest(s)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestPublishedRoots(t *testing.T) {
	c := publishedLeaves(t)
	for n, text := range publishedRoots {
		want := mustDigest(t, text)
		if got := merkle.Root(c[:n]); got != want {
			t.Errorf("Root of %d leaves = %s, want %s", n, got, want)
		}
		if got := merkle.NewTree(c[:n]).Root(); got != want {
			t.Errorf("root of the tree of %d leaves = %s, want %s", n, got, want)
		}
	}
	if got := merkle.EmptyRoot(); got != mustDigest(t, publishedRoots[0]) {
		t.Errorf("EmptyRoot() = %s, want %s", got, publishedRoots[0])
	}
	if got := merkle.Root(nil); got != merkle.EmptyRoot() {
		t.Errorf("Root(nil) = %s, want EmptyRoot, %s", got, merkle.EmptyRoot())
	}
}

func TestPublishedProof(t *testing.T) {
	c := publishedLeaves(t)
	want := publishedProof(t)
	got, err := merkle.NewTree(c).Prove(3)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Prove(3) (-want +got):\n%s", diff)
	}
	if err := want.Verify(c[3], mustDigest(t, publishedRoots[7])); err != nil {
		t.Errorf("the published proof: %v, want nil", err)
	}
}

func TestPublishedVectors(t *testing.T) {
	var file struct {
		DomainTags struct {
			MerkleEmpty string `json:"merkle_empty"`
			LeafPrefix  string `json:"merkle_leaf_prefix_hex"`
			NodePrefix  string `json:"merkle_node_prefix_hex"`
		} `json:"domain_tags"`
		Merkle struct {
			ProviderID string `json:"provider_id"`
			LeafFrames []struct {
				ID            string `json:"id"`
				ContentDigest string `json:"content_digest"`
				Provenance    []any  `json:"provenance"`
			} `json:"leaf_frames"`
			Roots          map[string]string `json:"roots_by_leaf_count"`
			InclusionProof struct {
				LeafCount uint64 `json:"leaf_count"`
				LeafIndex uint64 `json:"leaf_index"`
				Path      []struct {
					Sibling       string `json:"sibling"`
					SiblingIsLeft bool   `json:"sibling_is_left"`
				} `json:"path"`
			} `json:"inclusion_proof"`
		} `json:"merkle"`
	}
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/attestation-vectors.json"), &file); err != nil {
		t.Fatal(err)
	}

	var c []commitment.Digest
	for i, f := range file.Merkle.LeafFrames {
		if len(f.Provenance) != 0 {
			t.Fatalf("leaf frame %d has provenance, want none", i)
		}
		d, err := commitment.Of(file.Merkle.ProviderID, &commitment.Frame{ID: f.ID, ContentDigest: commitment.Some(f.ContentDigest)})
		if err != nil {
			t.Fatal(err)
		}
		c = append(c, d)
	}
	if want := publishedLeaves(t); !slices.Equal(c, want) {
		t.Errorf("published leaves = %v, want those of this test, %v", c, want)
	}

	roots := map[int]string{}
	for count, want := range file.Merkle.Roots {
		n, err := strconv.Atoi(count)
		if err != nil {
			t.Fatal(err)
		}
		roots[n] = want
		if got := merkle.Root(c[:n]).String(); got != want {
			t.Errorf("Root of %d leaves = %s, want %s", n, got, want)
		}
	}
	if !maps.Equal(roots, publishedRoots) {
		t.Errorf("published roots = %v, want those of this test, %v", roots, publishedRoots)
	}

	p := file.Merkle.InclusionProof
	proof := merkle.Proof{LeafIndex: p.LeafIndex, LeafCount: p.LeafCount}
	for _, step := range p.Path {
		proof.Path = append(proof.Path, merkle.Step{Sibling: mustDigest(t, step.Sibling), SiblingIsLeft: step.SiblingIsLeft})
	}
	if diff := cmp.Diff(publishedProof(t), proof); diff != "" {
		t.Errorf("published proof (-that of this test +file):\n%s", diff)
	}
	if err := proof.Verify(c[p.LeafIndex], merkle.Root(c)); err != nil {
		t.Errorf("Verify of the published proof: %v, want nil", err)
	}

	prefix := func(text string) string {
		b, err := hex.DecodeString(text)
		if err != nil || len(b) != 1 {
			t.Fatalf("prefix %q: %v, want one byte", text, err)
		}
		return string(b)
	}
	l, r := c[0], c[1]
	if got, want := merkle.LeafHash(l), literalHash(prefix(file.DomainTags.LeafPrefix), string(l[:])); got != want {
		t.Errorf("LeafHash = %s, want %s", got, want)
	}
	if got, want := merkle.NodeHash(l, r), literalHash(prefix(file.DomainTags.NodePrefix), string(l[:]), string(r[:])); got != want {
		t.Errorf("NodeHash = %s, want %s", got, want)
	}
	if got, want := merkle.EmptyRoot(), literalHash(file.DomainTags.MerkleEmpty); got != want {
		t.Errorf("EmptyRoot = %s, want %s", got, want)
	}
}

func TestLiteralReading(t *testing.T) {
	for n := range 66 {
		c := leaves(n)
		want := literalRoot(c)
		if got := merkle.Root(c); got != want {
			t.Errorf("Root of %d leaves = %s, want %s", n, got, want)
		}
		tree := merkle.NewTree(c)
		if got := tree.Root(); got != want {
			t.Errorf("root of the tree of %d leaves = %s, want %s", n, got, want)
		}
		if got := tree.Len(); got != uint64(n) {
			t.Errorf("Len of the tree of %d leaves = %d, want %d", n, got, n)
		}
		all := tree.ProveAll()
		if len(all) != n {
			t.Fatalf("ProveAll gives %d proofs of %d leaves", len(all), n)
		}
		for i := range n {
			want := merkle.Proof{LeafIndex: uint64(i), LeafCount: uint64(n), Path: literalPath(i, c)}
			got, err := tree.Prove(uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Prove(%d) of %d leaves (-want +got):\n%s", i, n, diff)
			}
			if diff := cmp.Diff(want, all[i]); diff != "" {
				t.Errorf("ProveAll()[%d] of %d leaves (-want +got):\n%s", i, n, diff)
			}
			if got, want := shapeOf(t, uint64(i), uint64(n)), literalShape(uint64(i), uint64(n)); !slices.Equal(got, want) {
				t.Errorf("Shape(%d, %d) = %v, want %v", i, n, got, want)
			}
			if err := want.Verify(c[i], tree.Root()); err != nil {
				t.Errorf("leaf %d of %d: Verify = %v, want nil", i, n, err)
			}
		}
	}
}

// Leaves in another order, or one leaf repeated, give another root.
func TestRootDependsOnOrder(t *testing.T) {
	c := leaves(7)
	swapped := slices.Clone(c)
	swapped[2], swapped[5] = swapped[5], swapped[2]
	repeated := append(slices.Clone(c), c[6]) // the duplicate-last-leaf tree makes these two equal
	seen := map[commitment.Digest]string{}
	for _, tt := range []struct {
		name string
		c    []commitment.Digest
	}{
		{"as they are", c}, {"swapped", swapped}, {"last repeated", repeated}, {"last dropped", c[:6]}, {"first dropped", c[1:]},
	} {
		root := merkle.Root(tt.c)
		if other, ok := seen[root]; ok {
			t.Errorf("leaves %q and %q have the root %s", tt.name, other, root)
		}
		seen[root] = tt.name
	}
}

func TestRootDoesNotAllocate(t *testing.T) {
	if underRace {
		t.Skip("the race detector allocates")
	}
	c := leaves(1000)
	if got := testing.AllocsPerRun(10, func() { merkle.Root(c) }); got != 0 {
		t.Errorf("Root of 1000 leaves allocates %v times, want 0", got)
	}
	proof, err := merkle.NewTree(c).Prove(999)
	if err != nil {
		t.Fatal(err)
	}
	root := merkle.Root(c)
	if got := testing.AllocsPerRun(10, func() {
		if err := proof.Verify(c[999], root); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Verify allocates %v times, want 0", got)
	}
}

var sizes = []int{2, 1000, 100_000}

func BenchmarkRoot(b *testing.B) {
	for _, n := range sizes {
		c := leaves(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				merkle.Root(c)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/leaf")
		})
	}
}

// BenchmarkProveAll is a tree with all its proofs.
func BenchmarkProveAll(b *testing.B) {
	for _, n := range sizes {
		c := leaves(n)
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				merkle.NewTree(c).ProveAll()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/leaf")
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	c := leaves(1000)
	tree := merkle.NewTree(c)
	proof, err := tree.Prove(500)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := proof.Verify(c[500], tree.Root()); err != nil {
			b.Fatal(err)
		}
	}
}
