package merkle

import (
	"math/bits"
	"runtime"
	"sync"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// shareFrom is the number of nodes of a level from which on processors share the work, of which each has at least half as many: it
// then takes a millisecond.
const shareFrom = 8192

// sharers returns how many processors share the work on n nodes.
func sharers(n int) int {
	if n < shareFrom {
		return 1
	}
	return min(runtime.GOMAXPROCS(0), n/(shareFrom/2))
}

// leaves hashes commitments, with others where they are many.
func (h *hasher) leaves(to, commitments []commitment.Digest) {
	if workers := sharers(len(to)); workers > 1 {
		share(len(to), workers, func(h *hasher, from, end int) { h.leaves(to[from:end], commitments[from:end]) })
		return
	}
	for i := range to {
		to[i] = h.leaf(&commitments[i])
	}
}

// parents hashes the nodes of a level in pairs, with others where they are many. A last one without a sibling is left.
func (h *hasher) parents(to, level []commitment.Digest) {
	if workers := sharers(len(to)); workers > 1 {
		share(len(to), workers, func(h *hasher, from, end int) { h.parents(to[from:end], level[2*from:2*end]) })
		return
	}
	for i := range to {
		to[i] = h.node(&level[2*i], &level[2*i+1])
	}
}

// share has do called for parts of 0 to n, at a time for all, each with a hasher of its own. No part is large enough to be shared.
func share(n, workers int, do func(h *hasher, from, end int)) {
	parts := max(workers, (n+shareFrom-2)/(shareFrom-1))
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			h := takeHasher()
			defer h.put()
			for p := w; p < parts; p += workers {
				do(h, n*p/parts, n*(p+1)/parts)
			}
		})
	}
	all.Wait()
}

// sharedRoot is Root of many leaves. Each worker takes the next part in turn. All parts but the last are of one size, a power of two,
// so that their roots are the nodes of one level of the tree, and that of the last the one that moves up to it.
func sharedRoot(leaves []commitment.Digest, workers int) commitment.Digest {
	const each = 4 // parts for each worker, so that all end at about the same time
	size := 1 << (bits.Len(uint(len(leaves)/(each*workers))) - 1)
	parts := make([]commitment.Digest, (len(leaves)+size-1)/size)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			h := takeHasher()
			defer h.put()
			for p := w; p < len(parts); p += workers {
				parts[p] = h.root(leaves[p*size : min((p+1)*size, len(leaves))])
			}
		})
	}
	all.Wait()
	h := takeHasher()
	defer h.put()
	var s subtrees
	for _, part := range parts {
		s.add(h, part)
	}
	return s.root(h)
}
