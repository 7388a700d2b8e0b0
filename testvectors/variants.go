package testvectors

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A variant is an encoder with one bug, of which near misses are made (CGP §6.5.1). The zero value has none.
type variant struct {
	length      func(string) int // of a string; nil counts UTF-8 bytes
	little      bool             // lengths with the low byte first
	absentEmpty bool             // absent encoded as the empty string
	emptyAbsent bool             // the empty string encoded as absent
}

var (
	asUTF16        = variant{length: func(s string) int { return len(utf16.Encode([]rune(s))) }}
	asCodePoints   = variant{length: utf8.RuneCountInString}
	asLittleEndian = variant{little: true}
	asAbsentEmpty  = variant{absentEmpty: true}
	asEmptyAbsent  = variant{emptyAbsent: true}
)

// variants are the encoders with a bug, by its cause.
var variants = []struct {
	cause string
	variant
}{
	{causeUTF16Lengths, asUTF16}, {causeCodePoints, asCodePoints}, {causeLittleEndian, asLittleEndian},
	{causeAbsentEmpty, asAbsentEmpty}, {causeAbsentEmpty, asEmptyAbsent},
}

func (v variant) text(b []byte, s string) []byte {
	n := len(s)
	if v.length != nil {
		n = v.length(s)
	}
	if v.little {
		return append(binary.LittleEndian.AppendUint32(b, uint32(n)), s...)
	}
	return append(binary.BigEndian.AppendUint32(b, uint32(n)), s...)
}

func (v variant) optional(b []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present && !v.absentEmpty || present && s == "" && v.emptyAbsent {
		return append(b, 0)
	}
	return v.text(append(b, 1), s)
}

func (v variant) link(l commitment.Link) []byte {
	b := v.text(nil, l.Type)
	for _, field := range []commitment.Optional{l.URI, l.Range, l.Digest, l.Method, l.By} {
		b = v.optional(b, field)
	}
	return b
}

func (v variant) chain(links []commitment.Link) commitment.Digest {
	head := sha256.Sum256([]byte("contextgraph/attest/1/genesis"))
	for _, l := range links {
		head = sha256.Sum256(slices.Concat([]byte("contextgraph/attest/1/link"), head[:], v.link(l)))
	}
	return head
}

func (v variant) commitment(provider string, f commitment.Frame) commitment.Digest {
	b := v.text([]byte("contextgraph/attest/1/frame"), provider)
	b = v.optional(v.text(b, f.ID), f.ContentDigest)
	head := v.chain(f.Provenance)
	return sha256.Sum256(append(b, head[:]...))
}

// duplicateLastRoot is the root of the tree that pairs the last node of a level with itself.
func duplicateLastRoot(leaves []commitment.Digest) commitment.Digest {
	if len(leaves) == 0 {
		return merkle.EmptyRoot()
	}
	var level []commitment.Digest
	for _, c := range leaves {
		level = append(level, merkle.LeafHash(c))
	}
	for len(level) > 1 {
		var above []commitment.Digest
		for pair := range slices.Chunk(level, 2) {
			above = append(above, merkle.NodeHash(pair[0], pair[len(pair)-1]))
		}
		level = above
	}
	return level[0]
}

// swappedPrefixRoot is RFC 6962's root with the prefixes of leaves and nodes changed about.
func swappedPrefixRoot(leaves []commitment.Digest) commitment.Digest {
	switch n := len(leaves); n {
	case 0:
		return merkle.EmptyRoot()
	case 1:
		return sha256.Sum256(append([]byte{1}, leaves[0][:]...))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		l, r := swappedPrefixRoot(leaves[:k]), swappedPrefixRoot(leaves[k:])
		return sha256.Sum256(slices.Concat([]byte{0}, l[:], r[:]))
	}
}

// orderWith sorts identities stably with another comparison of strings.
func orderWith(ids []commitment.FrameID, compare func(a, b string) int) List {
	positions := make([]int, len(ids))
	for i := range positions {
		positions[i] = i
	}
	slices.SortStableFunc(positions, func(i, j int) int {
		a, b := ids[i], ids[j]
		if c := compare(a.ProviderID, b.ProviderID); c != 0 {
			return c
		}
		if c := compare(a.FrameID, b.FrameID); c != 0 {
			return c
		}
		at, aHas := a.ContentDigest.Text()
		bt, bHas := b.ContentDigest.Text()
		switch {
		case aHas && !bHas:
			return 1
		case !aHas && bHas:
			return -1
		}
		return compare(at, bt)
	})
	out := List{}
	for _, p := range positions {
		out = append(out, integer(p))
	}
	return out
}

func compareUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}
