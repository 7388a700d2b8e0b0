package report

import (
	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// classRanks orders frames, the worst first, as their exit codes do.
var classRanks = []archive.Class{
	archive.ClassNegative, archive.ClassUnreadable, archive.ClassUnchecked, archive.ClassGood,
}

// The ranks of findings and errors of reading, in the order of their exit codes.
const (
	rankError = iota
	rankUnread
	rankWarning
	rankNote
)

var findingRanks = []string{
	"findings of severity error", "sources or records that could not be read", "findings of severity warning",
	"findings of severity note",
}

func rankOf(s archive.Severity) int {
	switch s {
	case archive.SeverityNote:
		return rankNote
	case archive.SeverityWarning:
		return rankWarning
	}
	return rankError
}

// An item is one entry of a list: its mark, what is so, where, and lines that say more.
type item struct {
	mark   string // severity or class
	color  terminal.Color
	what   string
	source string // quoted
	record uint64
	where  string // within the record, a comma in front
	body   []string
	stands uint64 // for how many frames, answers or findings
}

// size is how many bytes an item holds, about.
func (it *item) size() int {
	n := 200 + len(it.what) + len(it.source) + len(it.where)
	for _, line := range it.body {
		n += 16 + len(line)
	}
	return n
}

// maxKept is how many bytes of items a worst keeps: a hostile archive makes each of them as large as it can.
const maxKept = 16 << 20

// worst keeps the items of the worst ranks, as many as its limit shows, in the order in which they came. A worse one takes the
// place of the last of the least grave.
type worst struct {
	limit int
	kept  [][]item
	total []uint64 // what the items of a rank stand for, kept or not
	held  []load   // of each rank
	full  bool     // maxKept left something out that the limit would have shown
}

// A load is how much items of a rank take up.
type load struct{ items, bytes int }

func newWorst[R any](limit int, ranks []R) worst {
	return worst{
		limit: limit, kept: make([][]item, len(ranks)), total: make([]uint64, len(ranks)), held: make([]load, len(ranks)),
	}
}

// room reports whether another item of a rank may still be shown, beside those of pending, by rank, that were not added yet.
func (w *worst) room(rank int, pending ...load) bool {
	var all load
	for _, list := range [][]load{w.held, pending} {
		for _, l := range list[:min(len(list), rank+1)] {
			all.items, all.bytes = all.items+l.items, all.bytes+l.bytes
		}
	}
	w.full = w.full || all.items < w.limit && all.bytes >= maxKept
	return all.items < w.limit && all.bytes < maxKept
}

// add keeps an item for which there is room, and drops of the least grave ones what there is no room for any more.
func (w *worst) add(rank int, it item) {
	w.kept[rank] = append(w.kept[rank], it)
	w.total[rank] += it.stands
	w.held[rank].items++
	w.held[rank].bytes += it.size()
	for last := len(w.kept) - 1; last > rank && !w.fits(); {
		n := len(w.kept[last]) - 1
		if n < 0 {
			last--
			continue
		}
		w.held[last].items--
		w.held[last].bytes -= w.kept[last][n].size()
		w.kept[last][n] = item{}
		w.kept[last] = w.kept[last][:n]
	}
}

// fits reports whether no more is kept than may be.
func (w *worst) fits() bool {
	var all load
	for _, l := range w.held {
		all.items, all.bytes = all.items+l.items, all.bytes+l.bytes
	}
	w.full = w.full || all.items <= w.limit && all.bytes > maxKept
	return all.items <= w.limit && all.bytes <= maxKept
}

// skip counts what is not kept.
func (w *worst) skip(rank int, stands uint64) { w.total[rank] += stands }

// show returns the items of the ranks from first to last that are shown, and for each of these ranks what is left out.
func (w *worst) show(first, last int) (items []item, leftOut []uint64) {
	room := w.limit
	for rank, kept := range w.kept[:last+1] {
		kept = kept[:min(len(kept), room)]
		room -= len(kept)
		if rank < first {
			continue
		}
		rest := w.total[rank]
		for i := range kept {
			rest -= kept[i].stands
		}
		items = append(items, kept...)
		leftOut = append(leftOut, rest)
	}
	return items, leftOut
}
