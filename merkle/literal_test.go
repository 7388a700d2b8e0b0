package merkle_test

import (
	"crypto/sha256"
	"math/big"
	"strconv"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// The literal functions read CGP §6.5.3 and RFC 6962 §2.1 word for word, recursively, and take nothing but types from the
// packages under test.

func literalHash(parts ...string) commitment.Digest {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
	}
	return commitment.Digest(h.Sum(nil))
}

func literalNode(l, r commitment.Digest) commitment.Digest {
	return literalHash("\x01", string(l[:]), string(r[:]))
}

// literalRoot is MTH.
func literalRoot(c []commitment.Digest) commitment.Digest {
	switch len(c) {
	case 0:
		return literalHash("contextgraph/attest/1/merkle-empty")
	case 1:
		return literalHash("\x00", string(c[0][:]))
	}
	k := literalSplit(len(c))
	return literalNode(literalRoot(c[:k]), literalRoot(c[k:]))
}

// literalPath is PATH, with the side of each hash.
func literalPath(m int, c []commitment.Digest) []merkle.Step {
	if len(c) == 1 {
		return []merkle.Step{}
	}
	k := literalSplit(len(c))
	if m < k {
		return append(literalPath(m, c[:k]), merkle.Step{Sibling: literalRoot(c[k:]), SiblingIsLeft: false})
	}
	return append(literalPath(m-k, c[k:]), merkle.Step{Sibling: literalRoot(c[:k]), SiblingIsLeft: true})
}

// literalSplit returns the largest power of two smaller than n.
func literalSplit(n int) int {
	k := 1
	for 2*k < n {
		k *= 2
	}
	return k
}

// literalShape is the sides of PATH for any count, in numbers that cannot overflow.
func literalShape(index, count uint64) []bool {
	return bigShape(new(big.Int).SetUint64(index), new(big.Int).SetUint64(count))
}

func bigShape(m, n *big.Int) []bool {
	one := big.NewInt(1)
	if n.Cmp(one) == 0 {
		return []bool{}
	}
	k := new(big.Int).Set(one)
	for twice := big.NewInt(2); twice.Cmp(n) < 0; twice = new(big.Int).Lsh(twice, 1) {
		k = twice
	}
	if m.Cmp(k) < 0 {
		return append(bigShape(m, k), false)
	}
	return append(bigShape(new(big.Int).Sub(m, k), new(big.Int).Sub(n, k)), true)
}

func shapeOf(t testing.TB, index, count uint64) []bool {
	t.Helper()
	sides, err := merkle.Shape(index, count)
	if err != nil {
		t.Fatalf("Shape(%d, %d): %v", index, count, err)
	}
	left := make([]bool, sides.Len())
	for i := range left {
		left[i] = sides.IsLeft(i)
	}
	return left
}

// leaves returns n different commitments.
func leaves(n int) []commitment.Digest {
	c := make([]commitment.Digest, n)
	for i := range c {
		c[i] = literalHash("leaf " + strconv.Itoa(i))
	}
	return c
}
