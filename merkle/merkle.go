// Package merkle builds the RFC 6962 tree over the frame commitments of an answer, with CGP's own root for an answer without
// frames, and makes and checks inclusion proofs (CGP §6.5.3).
//
// [Root] computes the root of commitments in canonical order. [Proof.Verify] checks that one commitment is a leaf under a
// root. [Tree] stores all hashes, for whoever needs proofs.
//
// # Where to start
//
//   - [Root]: the root over an answer's commitments
//   - [NewTree], [Tree.Prove]: the proofs under it
//   - [Proof.Verify]: whether a proof leads from a commitment to a root
//   - [Shape]: how a path must look, for whoever reads proofs elsewhere
//
// The functions, and a [Tree] that was built, may be used concurrently. An error wraps one of [ErrIndexRange], [ErrPathLength],
// [ErrSide] and [ErrRootMismatch]. No input from outside makes anything here panic, loop for long or overflow, counts near 2^64
// among them.
//
// # Security
//
// A proof that verifies shows that the commitment is a leaf of the tree with that root, as long as nobody finds a collision
// of SHA-256. It shows nothing about the root itself: only a signature over the root does.
//
// It does not establish the number of leaves, nor without it the position. The shape of a proof follows from leaf_index and
// leaf_count and is enforced, but several pairs have one shape (leaf 3 of 5, 6, 7 and 8; leaf 1 of 2 and leaf 2 of 3), and the
// root contains neither. Where all frames of an answer are in hand, compare leaf_count with their number; where they are not,
// it is the provider's claim.
//
// Leaves and inner nodes are hashed under different prefixes, so an inner node never passes for a commitment.
package merkle

import (
	"crypto/sha256"
	"math/bits"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

const (
	leafPrefix = 0x00
	nodePrefix = 0x01
	emptyTag   = "contextgraph/attest/1/merkle-empty"
)

// LeafHash returns the hash of a leaf (RFC 6962 §2.1).
//
//	leaf(c) = SHA256(0x00 ‖ c (32 bytes))
func LeafHash(c commitment.Digest) commitment.Digest {
	var b [1 + sha256.Size]byte
	b[0] = leafPrefix
	copy(b[1:], c[:])
	return sha256.Sum256(b[:])
}

// NodeHash returns the hash of an inner node over the hashes of its left and right child (RFC 6962 §2.1).
//
//	node(l, r) = SHA256(0x01 ‖ l (32 bytes) ‖ r (32 bytes))
func NodeHash(l, r commitment.Digest) commitment.Digest {
	var b [1 + 2*sha256.Size]byte
	b[0] = nodePrefix
	copy(b[1:], l[:])
	copy(b[1+sha256.Size:], r[:])
	return sha256.Sum256(b[:])
}

// EmptyRoot returns the root of no leaves (CGP §6.5.3), which is not the SHA256("") of RFC 6962.
//
//	MTH({}) = SHA256("contextgraph/attest/1/merkle-empty")
func EmptyRoot() commitment.Digest {
	return sha256.Sum256([]byte(emptyTag))
}

// Root returns the root of the tree over the commitments in the order given, which is to be the canonical one. Nil and empty
// give EmptyRoot. It allocates nothing, unless there are so many that several processors share the work.
//
//	MTH({c}) = leaf(c)
//	MTH(C)   = node(MTH(C[0:k]), MTH(C[k:n])),   k = the largest power of two smaller than n
func Root(leaves []commitment.Digest) commitment.Digest {
	if len(leaves) == 0 {
		return EmptyRoot()
	}
	if workers := sharers(len(leaves)); workers > 1 {
		return sharedRoot(leaves, workers)
	}
	h := takeHasher()
	defer h.put()
	return h.root(leaves)
}

// root is Root of at least one leaf.
func (h *hasher) root(leaves []commitment.Digest) commitment.Digest {
	var s subtrees
	for i := range leaves {
		s.add(h, h.leaf(&leaves[i]))
	}
	return s.root(h)
}

// subtrees are, of n nodes of one level, the roots of perfect trees over them, one for each 1 in the binary form of n, the largest
// first.
type subtrees struct {
	stack  [bits.UintSize]commitment.Digest
	height int
	n      uint
}

// add adds a node, which merges as many trees as n has trailing ones.
func (s *subtrees) add(h *hasher, sum commitment.Digest) {
	for range bits.TrailingZeros(^s.n) {
		s.height--
		sum = h.node(&s.stack[s.height], &sum)
	}
	s.stack[s.height] = sum
	s.height++
	s.n++
}

// root joins the trees, of which there is at least one. What is left of k is the largest; the others form the right side by the same
// rule.
func (s *subtrees) root(h *hasher) commitment.Digest {
	root := s.stack[s.height-1]
	for i := s.height - 2; i >= 0; i-- {
		root = h.node(&s.stack[i], &root)
	}
	return root
}
