package commitment_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"pgregory.net/rapid"
)

// The literal functions read CGP §6.5.1 and §6.5.2 word for word and take nothing but types from the package.

func literalString(s string) string {
	n := len(s)
	return string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) + s
}

func literalOptional(o commitment.Optional) string {
	s, present := o.Text()
	if !present {
		return "\x00"
	}
	return "\x01" + literalString(s)
}

func literalLink(l commitment.Link) string {
	return literalString(l.Type) + literalOptional(l.URI) + literalOptional(l.Range) + literalOptional(l.Digest) +
		literalOptional(l.Method) + literalOptional(l.By)
}

func literalHash(parts ...string) commitment.Digest {
	h := sha256.New()
	for _, part := range parts {
		h.Write([]byte(part))
	}
	return commitment.Digest(h.Sum(nil))
}

func literalHeads(links []commitment.Link) []commitment.Digest {
	heads := []commitment.Digest{literalHash("contextgraph/attest/1/genesis")}
	for i, link := range links {
		previous := string(heads[i][:])
		heads = append(heads, literalHash("contextgraph/attest/1/link", previous, literalLink(link)))
	}
	return heads
}

func literalCommitment(provider string, f commitment.Frame) commitment.Digest {
	heads := literalHeads(f.Provenance)
	head := heads[len(heads)-1]
	return literalHash("contextgraph/attest/1/frame", literalString(provider), literalString(f.ID),
		literalOptional(f.ContentDigest), string(head[:]))
}

// Generators. Short strings of few letters make near misses likely: the same bytes in another field, absent beside empty.

func anyString() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "ab", "\x00", "é", "𝄞"}), rapid.String())
}

func anyOptional() *rapid.Generator[commitment.Optional] {
	return rapid.Custom(func(t *rapid.T) commitment.Optional {
		if rapid.Bool().Draw(t, "absent") {
			return commitment.Optional{}
		}
		return commitment.Some(anyString().Draw(t, "text"))
	})
}

func anyLink() *rapid.Generator[commitment.Link] {
	return rapid.Custom(func(t *rapid.T) commitment.Link {
		return commitment.Link{
			Type:   anyString().Draw(t, "type"),
			URI:    anyOptional().Draw(t, "uri"),
			Range:  anyOptional().Draw(t, "range"),
			Digest: anyOptional().Draw(t, "digest"),
			Method: anyOptional().Draw(t, "method"),
			By:     anyOptional().Draw(t, "by"),
		}
	})
}

func anyFrame() *rapid.Generator[commitment.Frame] {
	return rapid.Custom(func(t *rapid.T) commitment.Frame {
		return commitment.Frame{
			ID:            anyString().Draw(t, "id"),
			ContentDigest: anyOptional().Draw(t, "content_digest"),
			Provenance:    rapid.SliceOfN(anyLink(), 0, 5).Draw(t, "provenance"),
		}
	})
}

func mustDigest(tb testing.TB, s string) commitment.Digest {
	tb.Helper()
	d, err := commitment.ParseDigest(s)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func mustHex(tb testing.TB, s string) []byte {
	tb.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
