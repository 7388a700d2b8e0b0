package bench_test

import (
	"crypto/sha256"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// leaves returns n distinct commitments, as either package has them.
func leaves(n int) ([]bench.Hash, []commitment.Digest) {
	naive, digests := make([]bench.Hash, n), make([]commitment.Digest, n)
	for i := range n {
		h := sha256.Sum256([]byte{byte(i), byte(i >> 8)})
		naive[i], digests[i] = h, h
	}
	return naive, digests
}

// plain is a proof of merkle as one of bench.
func plain(p merkle.Proof) bench.Proof {
	out := bench.Proof{Index: p.LeafIndex, Count: p.LeafCount}
	for _, s := range p.Path {
		out.Path = append(out.Path, bench.Step{Sibling: bench.Hash(s.Sibling), Left: s.SiblingIsLeft})
	}
	return out
}

func equalProofs(p, q bench.Proof) bool {
	return p.Index == q.Index && p.Count == q.Count && slices.Equal(p.Path, q.Path)
}

func TestTreeAgreesWithMerkle(t *testing.T) {
	for n := range 66 {
		naive, digests := leaves(n)
		want := bench.Root(naive)
		tree := merkle.NewTree(digests)
		if root := bench.Hash(merkle.Root(digests)); root != want {
			t.Errorf("n = %d: merkle.Root = %s, want %s", n, root, want)
		}
		if root := bench.Hash(tree.Root()); root != want {
			t.Errorf("n = %d: Tree.Root = %s, want %s", n, root, want)
		}
		all := tree.ProveAll()
		if len(all) != n {
			t.Fatalf("n = %d: ProveAll gives %d proofs", n, len(all))
		}
		for i := range n {
			proof := bench.Prove(naive, uint64(i))
			if root, err := proof.Root(naive[i]); err != nil || root != want {
				t.Errorf("n = %d: the naive proof of leaf %d leads to %s, %v, want %s", n, i, root, err, want)
			}
			one, err := tree.Prove(uint64(i))
			if err != nil || !equalProofs(plain(one), proof) {
				t.Errorf("n = %d: Prove(%d) = %+v, %v, want %+v", n, i, one, err, proof)
			}
			if !equalProofs(plain(all[i]), proof) {
				t.Errorf("n = %d: ProveAll()[%d] = %+v, want %+v", n, i, all[i], proof)
			}
		}
	}
}

func TestProveOutOfRange(t *testing.T) {
	for _, n := range []int{0, 1, 5} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Prove(%d leaves, %d) does not panic", n, n)
				}
			}()
			naive, _ := leaves(n)
			bench.Prove(naive, uint64(n))
		}()
	}
}

// sameRoot has both packages judge a proof: one root, or an error of both.
func sameRoot(t rapid.TB, what string, p merkle.Proof, c commitment.Digest) (accepted bool) {
	t.Helper()
	naive := plain(p)
	want, wantErr := naive.Root(bench.Hash(c))
	got, err := p.RootFrom(c)
	if (err == nil) != (wantErr == nil) || err == nil && bench.Hash(got) != want {
		t.Errorf("%s: merkle leads to %s, %v, the naive reading to %s, %v", what, got, err, want, wantErr)
	}
	return err == nil
}

func TestTamperedProofsAgree(t *testing.T) {
	accepted, refused := 0, 0
	judge := func(what string, p merkle.Proof, c commitment.Digest) {
		if sameRoot(t, what, p, c) {
			accepted++
		} else {
			refused++
		}
	}
	for n := range 34 {
		_, digests := leaves(n)
		proofs := merkle.NewTree(digests).ProveAll()
		for i, proof := range proofs {
			c := digests[i]
			judge("whole", proof, c)
			judge("of another leaf", proof, digests[(i+1)%n])
			for count := range uint64(n + 3) {
				p := proof
				p.LeafCount = count
				judge("other count", p, c)
			}
			for index := range uint64(n + 2) {
				p := proof
				p.LeafIndex = index
				judge("other index", p, c)
			}
			for s := range proof.Path {
				p := proof
				p.Path = slices.Delete(slices.Clone(proof.Path), s, s+1)
				judge("step missing", p, c)
				p.Path = slices.Insert(slices.Clone(proof.Path), s, proof.Path[s])
				judge("step twice", p, c)
				p.Path = slices.Clone(proof.Path)
				p.Path[s].SiblingIsLeft = !p.Path[s].SiblingIsLeft
				judge("side flipped", p, c)
				p.Path[s] = proof.Path[s]
				p.Path[s].Sibling[31] ^= 1
				judge("bit flipped", p, c)
			}
		}
	}
	if accepted == 0 || refused == 0 {
		t.Errorf("%d proofs are accepted, %d refused", accepted, refused)
	}
}

// Counts that no tree in memory has, up to the largest.
func TestProofsOfLargeTreesAgree(t *testing.T) {
	count := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(math.MaxUint64-3, math.MaxUint64), rapid.Custom(func(t *rapid.T) uint64 {
		return uint64(1)<<rapid.IntRange(0, 63).Draw(t, "log") + rapid.SampledFrom([]uint64{math.MaxUint64, 0, 1}).Draw(t, "beside")
	}))
	rapid.Check(t, func(rt *rapid.T) {
		n := count.Draw(rt, "count")
		index := rapid.OneOf(rapid.Uint64(), rapid.Just(n-1), rapid.Just(n), rapid.Uint64Range(0, 3)).Draw(rt, "index")
		p := merkle.Proof{LeafIndex: index, LeafCount: n}
		if sides, err := merkle.Shape(index, n); err == nil {
			for i := range sides.Len() {
				p.Path = append(p.Path, merkle.Step{Sibling: commitment.Digest{byte(i)}, SiblingIsLeft: sides.IsLeft(i)})
			}
			if !sameRoot(rt, "whole", p, commitment.Digest{}) {
				rt.Fatalf("the path of leaf %d of %d is refused", index, n)
			}
		}
		switch cut := rapid.IntRange(0, 2).Draw(rt, "fault"); {
		case cut == 0:
			p.Path = append(p.Path, merkle.Step{})
		case len(p.Path) > 0 && cut == 1:
			p.Path = p.Path[1:]
		case len(p.Path) > 0:
			p.Path[rapid.IntRange(0, len(p.Path)-1).Draw(rt, "step")].SiblingIsLeft = rapid.Bool().Draw(rt, "left")
		}
		sameRoot(rt, "with a fault", p, commitment.Digest{})
	})
}

func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "é", "\uffff", "𝄞"}), rapid.String())
}

func anyOptional() *rapid.Generator[*string] {
	return rapid.Custom(func(t *rapid.T) *string {
		if rapid.Bool().Draw(t, "absent") {
			return nil
		}
		return new(anyText().Draw(t, "text"))
	})
}

func optional(s *string) commitment.Optional {
	if s == nil {
		return commitment.Optional{}
	}
	return commitment.Some(*s)
}

func TestCommitmentsAgree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := anyText().Draw(t, "provider")
		id, digest := anyText().Draw(t, "id"), anyOptional().Draw(t, "digest")
		naive := bench.Frame{ID: &id, ContentDigest: digest}
		frame := commitment.Frame{ID: id, ContentDigest: optional(digest)}
		for range rapid.IntRange(0, 3).Draw(t, "links") {
			l := bench.Link{
				Type: new(anyText().Draw(t, "type")), URI: anyOptional().Draw(t, "uri"), Range: anyOptional().Draw(t, "range"),
				Digest: anyOptional().Draw(t, "digest"), Method: anyOptional().Draw(t, "method"), By: anyOptional().Draw(t, "by"),
			}
			naive.Provenance = append(naive.Provenance, l)
			frame.Provenance = append(frame.Provenance, commitment.Link{
				Type: *l.Type, URI: optional(l.URI), Range: optional(l.Range), Digest: optional(l.Digest),
				Method: optional(l.Method), By: optional(l.By),
			})
		}
		steps, err := commitment.Trace(provider, &frame)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := bench.Hash(steps.ChainHead), bench.ChainHead(naive.Provenance); got != want {
			t.Errorf("ChainHead = %s, want %s", got, want)
		}
		got, err := commitment.Of(provider, &frame)
		if want := bench.Commitment(provider, &naive); err != nil || bench.Hash(got) != want {
			t.Errorf("Of = %s, %v, want %s", got, err, want)
		}
	})
}
