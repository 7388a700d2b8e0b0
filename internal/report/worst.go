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

// worst keeps the items of the worst ranks, as many as its limit shows, in the order in which they came.
type worst struct {
	limit int
	kept  [][]item
	total []uint64 // what the items of a rank stand for, kept or not
}

func newWorst[R any](limit int, ranks []R) worst {
	return worst{limit: limit, kept: make([][]item, len(ranks)), total: make([]uint64, len(ranks))}
}

// room reports whether another item of a rank may still be shown.
func (w *worst) room(rank int) bool {
	n := 0
	for _, items := range w.kept[:rank+1] {
		n += len(items)
	}
	return n < w.limit
}

// add keeps an item for which there is room.
func (w *worst) add(rank int, it item) {
	w.kept[rank] = append(w.kept[rank], it)
	w.total[rank] += it.stands
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
