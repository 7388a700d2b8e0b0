package report

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A keeper keeps what sorting everything by rank, stably, and cutting it would.
func TestKeeper(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		const ranks = 4
		limit := random.IntN(6) + 1
		k := newKeeper[int](limit, ranks)
		var want [][2]int
		var total [ranks]uint64
		for i := range random.IntN(20) {
			rank := random.IntN(ranks)
			want = append(want, [2]int{rank, i})
			total[rank]++
			k.add(rank, func() int { return i })
		}
		slices.SortStableFunc(want, func(a, b [2]int) int { return a[0] - b[0] })
		want = want[:min(limit, len(want))]
		var got [][2]int
		for rank, kept := range k.kept {
			for _, i := range kept {
				got = append(got, [2]int{rank, i})
			}
		}
		if !slices.Equal(got, want) || !slices.Equal(k.total, total[:]) {
			t.Fatalf("limit %d: kept %v of %v, want %v of %v", limit, got, k.total, want, total)
		}
	}
}

// What there is no room for is not made.
func TestKeeperMakesNothingInVain(t *testing.T) {
	k := newKeeper[int](1, 2)
	made := 0
	for range 3 {
		k.add(0, func() int { made++; return made })
		k.add(1, func() int { made++; return made })
	}
	if made != 1 {
		t.Errorf("%d things were made, want 1", made)
	}
}
