package report

import "slices"

// maxListed is how many bytes of things a keeper keeps: a hostile archive makes each of them as large as it can.
const maxListed = 8 << 20

// A keeper keeps the gravest of what it is given, of one rank the first, and counts all of it.
type keeper[T interface{ size() int }] struct {
	limit int
	size  int
	bytes int
	kept  [][]T    // by rank, the gravest first
	total []uint64 // by rank, kept or not
}

func newKeeper[T interface{ size() int }](limit, ranks int) keeper[T] {
	return keeper[T]{limit: limit, kept: make([][]T, ranks), total: make([]uint64, ranks)}
}

// add counts a thing and keeps it where there is room, or where something less grave can go for it. It is made only then.
func (k *keeper[T]) add(rank int, thing func() T) {
	k.total[rank]++
	if (k.size >= k.limit || k.bytes >= maxListed) && k.least() <= rank {
		return
	}
	t := thing()
	k.kept[rank] = append(k.kept[rank], t)
	k.size++
	k.bytes += t.size()
	for k.size > k.limit || k.bytes > maxListed {
		k.drop(k.least())
	}
}

// skip counts a thing that is not kept.
func (k *keeper[T]) skip(rank int) { k.total[rank]++ }

// least is the least grave rank of which something is kept, -1 where nothing is.
func (k *keeper[T]) least() int {
	last := len(k.kept) - 1
	for last >= 0 && len(k.kept[last]) == 0 {
		last--
	}
	return last
}

// drop drops the last thing of a rank.
func (k *keeper[T]) drop(rank int) {
	list := k.kept[rank]
	n := len(list) - 1
	k.size--
	k.bytes -= list[n].size()
	var none T
	list[n] = none
	k.kept[rank] = list[:n]
}

// take takes a thing out as if it had never been added.
func (k *keeper[T]) take(rank, i int) {
	k.size--
	k.bytes -= k.kept[rank][i].size()
	k.total[rank]--
	k.kept[rank] = slices.Delete(k.kept[rank], i, i+1)
}
