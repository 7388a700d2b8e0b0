package bench

import (
	"crypto/sha256"
	"errors"
)

// errShape is the one thing that can be wrong with a proof before its root is known: it is not the path that RFC 6962 gives
// for its leaf.
var errShape = errors.New("bench: the proof has not the shape of its leaf's path")

// Root returns the root of the tree over commitments in canonical order (CGP §6.5.3, RFC 6962 §2.1).
//
//	MTH({})  = SHA256("contextgraph/attest/1/merkle-empty")
//	MTH({c}) = SHA256(0x00 ‖ c)
//	MTH(C)   = SHA256(0x01 ‖ MTH(C[0:k]) ‖ MTH(C[k:n])),   k = the largest power of two smaller than n
func Root(leaves []Hash) Hash {
	n := uint64(len(leaves))
	switch n {
	case 0:
		return sha256.Sum256([]byte("contextgraph/attest/1/merkle-empty"))
	case 1:
		return leafHash(leaves[0])
	}
	k := split(n)
	return nodeHash(Root(leaves[:k]), Root(leaves[k:]))
}

// A Proof is the path from leaf Index of Count up to the root.
type Proof struct {
	Index, Count uint64
	Path         []Step
}

// A Step is the hash beside the one reached so far, and whether it stands to the left of it.
type Step struct {
	Sibling Hash
	Left    bool
}

// Prove returns the proof of leaf i, 0 ≤ i < len(leaves), and panics for any other. It hashes all leaves.
func Prove(leaves []Hash, i uint64) Proof {
	return Proof{Index: i, Count: uint64(len(leaves)), Path: path(i, leaves)}
}

// path is the audit path of RFC 6962 §2.1.1.
//
//	PATH(0, {c}) = {}
//	PATH(m, C)   = PATH(m, C[0:k]) : MTH(C[k:n])       for m < k
//	PATH(m, C)   = PATH(m−k, C[k:n]) : MTH(C[0:k])     for m ≥ k
func path(m uint64, leaves []Hash) []Step {
	n := uint64(len(leaves))
	if m >= n {
		panic("bench: proof of a leaf that the tree does not have")
	}
	if n == 1 {
		return nil
	}
	k := split(n)
	if m < k {
		return append(path(m, leaves[:k]), Step{Sibling: Root(leaves[k:]), Left: false})
	}
	return append(path(m-k, leaves[k:]), Step{Sibling: Root(leaves[:k]), Left: true})
}

// Root returns the root that the proof leads to from the commitment of its leaf. The error is errShape: nothing is hashed
// where there is one, for the recursion reaches the leaf only after it has seen every step.
func (p *Proof) Root(c Hash) (Hash, error) {
	if p.Index >= p.Count {
		return Hash{}, errShape
	}
	return climb(c, p.Index, p.Count, p.Path)
}

// climb is PATH read backwards: its last step is what stands beside the half that leaf m of n is in.
func climb(c Hash, m, n uint64, path []Step) (Hash, error) {
	if n == 1 {
		if len(path) > 0 {
			return Hash{}, errShape
		}
		return leafHash(c), nil
	}
	if len(path) == 0 {
		return Hash{}, errShape
	}
	k := split(n)
	last, below := path[len(path)-1], path[:len(path)-1]
	switch {
	case last.Left != (m >= k):
		return Hash{}, errShape
	case last.Left:
		m, n = m-k, n-k
	default:
		n = k
	}
	half, err := climb(c, m, n, below)
	switch {
	case err != nil:
		return Hash{}, err
	case last.Left:
		return nodeHash(last.Sibling, half), nil
	}
	return nodeHash(half, last.Sibling), nil
}

// split returns the largest power of two smaller than n, for n ≥ 2.
func split(n uint64) uint64 {
	k := uint64(1)
	for k < n-k { // 2·k < n, which would overflow
		k *= 2
	}
	return k
}

func leafHash(c Hash) Hash {
	return sha256.Sum256(append([]byte{0x00}, c[:]...))
}

func nodeHash(l, r Hash) Hash {
	return sha256.Sum256(append(append([]byte{0x01}, l[:]...), r[:]...))
}
