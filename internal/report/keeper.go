package report

// A keeper keeps the gravest of what it is given, of one rank the first, and counts all of it.
type keeper[T any] struct {
	limit int
	size  int
	kept  [][]T    // by rank, the gravest first
	total []uint64 // by rank, kept or not
}

func newKeeper[T any](limit, ranks int) keeper[T] {
	return keeper[T]{limit: limit, kept: make([][]T, ranks), total: make([]uint64, ranks)}
}

// add counts a thing and keeps it where there is room, or where something less grave can go for it. It is made only then.
func (k *keeper[T]) add(rank int, thing func() T) {
	k.total[rank]++
	if k.size >= k.limit {
		last := len(k.kept) - 1
		for last > rank && len(k.kept[last]) == 0 {
			last--
		}
		if last == rank {
			return
		}
		var none T
		n := len(k.kept[last]) - 1
		k.kept[last][n] = none
		k.kept[last] = k.kept[last][:n]
		k.size--
	}
	k.kept[rank] = append(k.kept[rank], thing())
	k.size++
}
