// Package commitment computes the 32 bytes that an attestation signs for a frame: its commitment to the provider's name,
// the frame's id, its content_digest and its provenance (CGP §6.5.1, §6.5.2).
//
// [Of] computes the commitment of one frame. [CanonicalOrder] gives the order in which the commitments of an answer become
// the leaves of its Merkle tree (CGP §6.3). [Trace] computes the same as Of and keeps every byte string on the way.
//
// # Where to start
//
//   - [Of], [Trace]: the commitment of a [Frame], and every value on the way to it
//   - [AppendLink], [ChainHead]: its two parts, for whoever compares implementations
//   - [CanonicalOrder]: from frames to leaves
//   - [ParseDigest], [ContentDigest]: digests, and the one that inline content has
//   - [ParseInstant], [InstantOf]: timestamps (CGP F4)
//
// Every function is one of its arguments alone and may be called concurrently; none keeps a slice that it is given. An error wraps
// one of [ErrFieldTooLong], [ErrMalformedDigest] and [ErrMalformedInstant]. [Instant.Compare] panics for an instant that was never
// set: look at [Instant.IsZero].
//
// # Security
//
// Two frames with equal commitments have the same provider name, id, content_digest and provenance links in the same order,
// as long as nobody finds a collision of SHA-256. The encoding is injective: absent and empty fields differ, and no byte
// can move from one field to its neighbour.
//
// A commitment says nothing about the content itself. content_digest enters as an opaque string, so whoever holds the
// content must compare it with [ContentDigest]. Title, score, kind, relations and every other member of a frame are not
// covered, nor is the query that was answered. A commitment that nobody signed proves nothing: whoever changes a frame can
// compute it anew.
//
// The provider's name is the one that it declares about itself, never a host's local id for it. Strings are hashed as the
// bytes they hold; that they are valid UTF-8 is for the reader of the message to check.
package commitment

import (
	"crypto/sha256"
	"fmt"
)

// The domain tags of CGP §6.5.2. Each hash starts with its own, so that a value of one kind never passes for another.
const (
	genesisTag = "contextgraph/attest/1/genesis"
	linkTag    = "contextgraph/attest/1/link"
	frameTag   = "contextgraph/attest/1/frame"
)

// scratch is the size of the buffers on the stack in which preimages are put together. Longer ones go to the heap.
const scratch = 512

// genesis is the head of a chain without links. It is never assigned again.
//
//	h₋₁ = SHA256("contextgraph/attest/1/genesis")
var genesis = Digest(sha256.Sum256([]byte(genesisTag)))

// Of returns the commitment of a frame that the named provider serves (CGP §6.5.2). The provider's name is the declared
// one. An empty name and an empty id are hashed like any other.
//
// The error is ErrFieldTooLong, and names the field.
func Of(provider string, f *Frame) (Digest, error) {
	if err := checkFrame(provider, f); err != nil {
		return Digest{}, fmt.Errorf("commitment: %w", err)
	}
	head := chainHead(f.Provenance)
	var array [scratch]byte
	return sha256.Sum256(appendFramePreimage(array[:0], provider, f, head)), nil
}

// ChainHead returns the head of the hash chain over provenance links in the order given, which is the order carried
// (CGP §6.5.2). Without links, nil or empty, it is the hash of the genesis tag.
//
// The error is ErrFieldTooLong, and names the link, counted from 0, and the field.
func ChainHead(links []Link) (Digest, error) {
	if err := checkLinks(links); err != nil {
		return Digest{}, fmt.Errorf("commitment: %w", err)
	}
	return chainHead(links), nil
}

// chainHead computes ChainHead of links that have been checked.
//
//	hᵢ = SHA256(preimage of linkᵢ under hᵢ₋₁)
func chainHead(links []Link) Digest {
	head := genesis
	var array [scratch]byte
	buf := array[:0]
	for i := range links {
		buf = appendLinkPreimage(buf[:0], head, &links[i])
		head = sha256.Sum256(buf)
	}
	return head
}
