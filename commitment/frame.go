package commitment

import (
	"cmp"
	"slices"
	"strings"
)

// An Optional is a string that may be absent. The zero value is absent, and it is not the empty string: the two encode
// differently (CGP §6.5.1). On the wire null and a missing member are both absent. Optionals are equal where == says so.
type Optional struct {
	text    string // empty where absent, so that == compares
	present bool
}

// Some returns a present string, which may be empty.
func Some(s string) Optional { return Optional{text: s, present: true} }

// Text returns the string and whether it is present. An absent one is "".
func (o Optional) Text() (s string, present bool) { return o.text, o.present }

// Present reports whether there is a string, the empty one included.
func (o Optional) Present() bool { return o.present }

// OrEmpty returns the string, or "" where it is absent. Use it only where absent and empty need not be told apart.
func (o Optional) OrEmpty() string { return o.text }

// compare orders absent before present, then by bytes (CGP §6.3).
func (o Optional) compare(p Optional) int {
	switch {
	case o.present == p.present:
		return strings.Compare(o.text, p.text)
	case p.present:
		return -1
	}
	return 1
}

// A Link is one step in the provenance of a frame. Range is an opaque string here, whatever its grammar.
type Link struct {
	Type   string
	URI    Optional
	Range  Optional
	Digest Optional
	Method Optional
	By     Optional
}

// A Frame is what a commitment covers of a frame, and no more.
type Frame struct {
	ID            string
	ContentDigest Optional // opaque: real signed answers hold digests that are not in the form of Digest
	Provenance    []Link   // in the order carried; nil and empty are the same
}

// Identity returns the triple that names the frame in an answer of the provider with that declared name.
func (f *Frame) Identity(provider string) FrameID {
	return FrameID{ProviderID: provider, FrameID: f.ID, ContentDigest: f.ContentDigest}
}

// A FrameID names a frame: by the provider's declared name, the frame's id and its content_digest, always all three.
// FrameIDs are equal where == says so; an absent and an empty content_digest are two different ones.
type FrameID struct {
	ProviderID    string
	FrameID       string
	ContentDigest Optional
}

// Compare returns -1, 0 or +1 for the canonical order of CGP §6.3: provider, frame id, content_digest, each by its UTF-8
// bytes (UTF-16 units order some characters differently), an absent content_digest before every present one.
func (a FrameID) Compare(b FrameID) int { return compareIDs(&a, &b) }

func compareIDs(a, b *FrameID) int {
	if c := strings.Compare(a.ProviderID, b.ProviderID); c != 0 {
		return c
	}
	if c := strings.Compare(a.FrameID, b.FrameID); c != 0 {
		return c
	}
	return a.ContentDigest.compare(b.ContentDigest)
}

// CanonicalOrder returns the permutation that puts frames into the order of an answer's Merkle leaves (CGP §6.3): order[k]
// is the position in ids of the frame at leaf k. Frames with equal triples keep the order in which they arrived. ids is
// not changed.
func CanonicalOrder(ids []FrameID) []int {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	// Ties are broken by arrival, which makes the order total and an unstable sort stable.
	slices.SortFunc(order, func(i, j int) int {
		if c := compareIDs(&ids[i], &ids[j]); c != 0 {
			return c
		}
		return cmp.Compare(i, j)
	})
	return order
}
