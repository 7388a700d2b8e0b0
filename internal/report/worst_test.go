package report

import (
	"fmt"
	"strings"
	"testing"
)

// However many items of every rank come, lesser ones first, no more is kept than the limits say, the worst of them all.
func TestWorstEvicts(t *testing.T) {
	long := []string{strings.Repeat("x", 1<<20)}
	for _, tt := range []struct {
		limit int
		body  []string
		kept  int
		full  bool
	}{{5, nil, 5, false}, {1000, long, maxKept >> 20, true}} {
		w := newWorst(tt.limit, findingRanks)
		for rank := rankNote; rank >= rankError; rank-- {
			for n := range 40 {
				if !w.room(rank) {
					w.skip(rank, 1)
					continue
				}
				w.add(rank, item{what: fmt.Sprint(rank, n), body: tt.body, stands: 1})
				kept, bytes := 0, 0
				for r := range w.kept {
					kept += len(w.kept[r])
					for i := range w.kept[r] {
						bytes += w.kept[r][i].size()
					}
				}
				if kept > tt.limit || bytes > maxKept+2<<20 {
					t.Fatalf("%d items of %d bytes are kept, the limit is %d", kept, bytes, tt.limit)
				}
			}
		}
		items, leftOut := w.show(rankError, rankNote)
		if len(items) != tt.kept || items[0].what != "0 0" || w.full != tt.full {
			t.Errorf("%d items are shown, want %d; full = %v", len(items), tt.kept, w.full)
		}
		for rank, n := range leftOut {
			if want := uint64(40); rank == rankError && n != want-uint64(tt.kept) || rank != rankError && n != want {
				t.Errorf("%d of rank %d are left out", n, rank)
			}
		}
	}
}
