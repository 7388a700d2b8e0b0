package report

import (
	"math/rand/v2"
	"slices"
	"testing"
)

type number int

func (number) size() int { return 1 }

// A keeper keeps what sorting everything by rank, stably, and cutting it would.
func TestKeeper(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		const ranks = 4
		limit := random.IntN(6) + 1
		k := newKeeper[number](limit, ranks)
		var want [][2]int
		var total [ranks]uint64
		for i := range random.IntN(20) {
			rank := random.IntN(ranks)
			want = append(want, [2]int{rank, i})
			total[rank]++
			k.add(rank, func() number { return number(i) })
		}
		slices.SortStableFunc(want, func(a, b [2]int) int { return a[0] - b[0] })
		want = want[:min(limit, len(want))]
		var got [][2]int
		for rank, kept := range k.kept {
			for _, i := range kept {
				got = append(got, [2]int{rank, int(i)})
			}
		}
		if !slices.Equal(got, want) || !slices.Equal(k.total, total[:]) {
			t.Fatalf("limit %d: kept %v of %v, want %v of %v", limit, got, k.total, want, total)
		}
	}
}

// What there is no room for is not made.
func TestKeeperMakesNothingInVain(t *testing.T) {
	k := newKeeper[number](1, 2)
	made := 0
	for range 3 {
		k.add(0, func() number { made++; return number(made) })
		k.add(1, func() number { made++; return number(made) })
	}
	if made != 1 {
		t.Errorf("%d things were made, want 1", made)
	}
}

type large struct{ bytes int }

func (l large) size() int { return l.bytes }

// What is kept has so many bytes at most, and the gravest goes last.
func TestKeeperBytes(t *testing.T) {
	k := newKeeper[large](100, 3)
	const half = maxListed/2 - 1
	for _, tt := range []struct {
		rank, bytes int
		want        [3]int
	}{
		{2, half, [3]int{0, 0, 1}}, {1, half, [3]int{0, 1, 1}}, {2, 3, [3]int{0, 1, 1}}, {2, 2, [3]int{0, 1, 2}}, {0, half, [3]int{1, 1, 0}},
		{1, maxListed, [3]int{1, 1, 0}}, {0, half, [3]int{2, 0, 0}}, {0, 3, [3]int{2, 0, 0}},
	} {
		k.add(tt.rank, func() large { return large{tt.bytes} })
		if got := [3]int{len(k.kept[0]), len(k.kept[1]), len(k.kept[2])}; got != tt.want {
			t.Errorf("after %d bytes of rank %d: %v, want %v", tt.bytes, tt.rank, got, tt.want)
		}
	}
}
