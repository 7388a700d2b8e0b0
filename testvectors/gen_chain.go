package testvectors

import (
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// chainLinks are three links that differ in every member.
func chainLinks() List {
	return List{
		sampleLink(),
		object("type", "derivation", "method", "extractive_summary", "by", "refprov/1.0"),
		object("type", "record", "uri", "context://docs/records/7", "digest", "sha256:"+strings.Repeat("ab", 32)),
	}
}

func chainOf(v variant, list List) string {
	h := v.chain(linksOf(list))
	return hexOf(h[:])
}

// nearChains are what the encoders with a bug make of a chain.
func nearChains(list List) []option {
	var out []option
	seen := map[string]bool{}
	for _, v := range variants {
		wrong := chainOf(v.variant, list)
		if seen[v.cause+wrong] {
			continue
		}
		seen[v.cause+wrong] = true
		out = append(out, nearValue(v.cause, wrong))
	}
	return out
}

func generateChain(c *class) {
	c.rules, c.flags = []string{"§6.5.2"}, []string{"LinkChain"}
	const why = "Each link is hashed behind the head of the links in front of it, in the order carried."
	links := chainLinks()
	c.pass("chain-empty", "no links", "The head of no links is SHA256(\"contextgraph/attest/1/genesis\").", "chain", object("provenance", List{}), flagged("EmptyChain"))
	c.pass("chain-three", "three links", why, "chain", object("provenance", links))
	c.pass("chain-two", "two links", why, "chain", object("provenance", links[:2]))
	for i, l := range links {
		one := List{l}
		c.twist("chain-empty", fmt.Sprintf("chain-one-%d", i), fmt.Sprintf("link %d alone", i), why, added("/provenance/-", l),
			append(nearChains(one), nearValue(causeLinkAdded, chainOf(variant{}, nil)))...)
	}
	whole := chainOf(variant{}, links)
	extra := object("type", "record", "uri", "context://docs/records/8")
	for i := range 4 {
		c.twist("chain-three", fmt.Sprintf("chain-inserted-%d", i), fmt.Sprintf("another link at place %d", i), why,
			added(fmt.Sprintf("/provenance/%d", i), extra), nearValue(causeLinkAdded, whole))
	}
	for i := range 3 {
		c.twist("chain-three", fmt.Sprintf("chain-dropped-%d", i), fmt.Sprintf("without link %d", i), why,
			removed(fmt.Sprintf("/provenance/%d", i)), nearValue(causeLinkDropped, whole))
		c.twist("chain-three", fmt.Sprintf("chain-doubled-%d", i), fmt.Sprintf("link %d twice", i), "Equal links are links all the same: each counts.",
			Mutation{Op: "copy", From: fmt.Sprintf("/input/provenance/%d", i), Path: fmt.Sprintf("/input/provenance/%d", i)}, nearValue(causeLinkAdded, whole))
	}
	for _, m := range [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 0}} {
		c.twist("chain-three", fmt.Sprintf("chain-moved-%d-%d", m[0], m[1]), fmt.Sprintf("link %d moved to place %d", m[0], m[1]),
			"The order carried is the order hashed: links are not sorted.",
			moved(fmt.Sprintf("/provenance/%d", m[0]), fmt.Sprintf("/provenance/%d", m[1])), nearValue(causeLinkReordered, whole))
	}
	for _, f := range append([]string{"type"}, linkFields...) {
		c.twist("chain-three", "chain-edited-"+f, "another "+f+" in the first link", "Every member of a link is bound.",
			replace("/provenance/0/"+f, "other"), nearValue(causeLinkEdited, whole))
	}
	for _, f := range linkFields {
		emptied := List{sampleLink().with(f, "")}
		c.twist("chain-one-0", "chain-empty-"+f, "a link whose "+f+" is empty", "Absent and empty are not the same.",
			replace("/provenance/0/"+f, ""), append(nearChains(emptied), flagged("AbsentEmpty"))...)
		gone := List{sampleLink().without(f)}
		c.twist("chain-one-0", "chain-no-"+f, "a link without "+f, "Absent and empty are not the same.",
			removed("/provenance/0/"+f), append(nearChains(gone), flagged("AbsentEmpty"))...)
	}
	for _, s := range samples[:4] {
		l := List{sampleLink().with("uri", s.text)}
		c.twist("chain-one-0", "chain-uri-"+s.slug, "a uri with "+s.what, "Lengths count UTF-8 bytes.", replace("/provenance/0/uri", s.text),
			append(nearChains(l), flagged("LengthUnit"))...)
	}
	for _, n := range []int{65_535, 65_536} {
		long := strings.Repeat("a", n)
		c.twist("chain-one-0", fmt.Sprintf("chain-uri-%d", n), "a uri of "+plural(n, "byte"), "Lengths are four bytes.",
			replace("/provenance/0/uri", repeated("a", n)), append(nearChains(List{sampleLink().with("uri", long)}), flagged("LongText"))...)
	}
	// A boundary may not move from one member to its neighbour.
	a, b := object("type", "file", "uri", "ab", "range", "c"), object("type", "file", "uri", "a", "range", "bc")
	c.pass("chain-boundary-left", "uri ab, range c", "Lengths stand in front of strings, so that no byte moves to a neighbour.", "chain",
		object("provenance", List{a}), flagged("FieldPlace"))
	c.pass("chain-boundary-right", "uri a, range bc", "Lengths stand in front of strings, so that no byte moves to a neighbour.", "chain",
		object("provenance", List{b}), flagged("FieldPlace"))
}

// nearCommitments are what the encoders with a bug make of a frame.
func nearCommitments(provider string, f commitment.Frame) []option {
	var out []option
	seen := map[string]bool{}
	for _, v := range variants {
		wrong := v.commitment(provider, f).String()
		if seen[v.cause+wrong] {
			continue
		}
		seen[v.cause+wrong] = true
		out = append(out, nearValue(v.cause, wrong))
	}
	return out
}
