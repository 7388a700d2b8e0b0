package testvectors

import (
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// digestOf is the D1 digest of a text.
func digestOf(text string) string { return commitment.ContentDigest(text).String() }

const (
	sampleProvider = "repo-graph"
	sampleContent  = "Retry behaviour is set in Config::retry."
)

// sampleFrame is a frame with all that a commitment covers, and some that it does not.
func sampleFrame() Object {
	return object("id", "retry-policy", "kind", "doc", "title", "Retry policy", "content", sampleContent,
		"content_digest", digestOf(sampleContent), "provenance", List{sampleLink()})
}

func frameOf(o Object) commitment.Frame {
	f := commitment.Frame{ID: asked[string](o, "id"), ContentDigest: optional(o, "content_digest")}
	if list, _ := o.Find("provenance"); list != nil {
		f.Provenance = linksOf(list.(List))
	}
	return f
}

func commitmentOf(provider string, o Object) commitment.Digest {
	return variant{}.commitment(provider, frameOf(o))
}

func generateCommitment(c *class) {
	c.rules, c.flags = []string{"§6.5.2"}, []string{"Identity"}
	const why = "A commitment binds the provider's declared name, the frame's id, its content_digest and its provenance, and nothing else."
	frame := sampleFrame()
	base := commitmentOf(sampleProvider, frame).String()
	c.pass("commitment-full", "a frame with all that is covered", why, "commitment", object("provider_id", sampleProvider, "frame", frame))
	c.pass("commitment-bare", "a frame with an id alone", why, "commitment", object("provider_id", sampleProvider, "frame", object("id", "f")),
		append(nearCommitments(sampleProvider, commitment.Frame{ID: "f"}), flagged("AbsentEmpty"))...)
	c.twist("commitment-full", "commitment-other-id", "another id", why, replace("/frame/id", "retry-policy-2"), nearValue(causeOtherFrame, base))
	c.twist("commitment-full", "commitment-empty-id", "an empty id", "The empty string is an id for readers.", replace("/frame/id", ""), nearValue(causeOtherFrame, base))
	c.twist("commitment-full", "commitment-other-provider", "another provider", why, replace("/provider_id", "cloud-docs"), nearValue(causeOtherProvider, base))
	c.twist("commitment-full", "commitment-provider-case", "the provider's name in another case", "Names are compared and hashed as bytes.",
		replace("/provider_id", "Repo-Graph"), nearValue(causeOtherProvider, base))
	c.twist("commitment-full", "commitment-local-id", "the host's own id for the provider", "Commitments are made under the declared name; trust is looked up under the local id.",
		replace("/provider_id", "repo"), nearValue(causeOtherProvider, base), flagged("LocalID"))
	c.twist("commitment-full", "commitment-other-digest", "another digest", why, replace("/frame/content_digest", digestOf("other")),
		nearValue(causeDigestOfContent, base), flagged("Identity", "Content"))
	f := frameOf(frame.without("content_digest"))
	c.twist("commitment-full", "commitment-no-digest", "no digest", "Absent is absent, whatever the content is.", removed("/frame/content_digest"),
		append(nearCommitments(sampleProvider, f), nearValue(causeDigestOfContent, base), flagged("AbsentEmpty", "Content"))...)
	c.twist("commitment-full", "commitment-null-digest", "a digest that is null", "null is absent.", replace("/frame/content_digest", nil),
		append(nearCommitments(sampleProvider, f), nearValue(causeDigestOfContent, base), flagged("AbsentEmpty", "Content"))...)
	f.ContentDigest = commitment.Some("")
	c.twist("commitment-full", "commitment-empty-digest", "a digest that is empty", "The empty string is present.", replace("/frame/content_digest", ""),
		append(nearCommitments(sampleProvider, f), nearValue(causeDigestOfContent, base), flagged("AbsentEmpty", "Content"))...)
	for _, d := range [][2]string{{"opaque", "sha256:9f2c3e7a1b"}, {"upper", strings.ToUpper(digestOf(sampleContent))}, {"words", "unknown"}} {
		c.twist("commitment-full", "commitment-digest-"+d[0], "a digest that is not in D1 form", "content_digest enters as an opaque string; its grammar is judged elsewhere.",
			replace("/frame/content_digest", d[1]), nearValue(causeDigestOfContent, base), flagged("DigestForm"))
	}
	c.twist("commitment-full", "commitment-content-changed", "another content under the same digest", "The content enters through its digest alone: whoever holds it has to compare.",
		replace("/frame/content", "other"), nearValue(causeDigestOfContent, commitmentOf(sampleProvider, frame.with("content_digest", digestOf("other"))).String()), flagged("Content"))
	generateUncovered(c)
	generateProvenance(c, frame)
	generateMalformed(c)
	c.pass("commitment-boundary", "provider repo-grap, id hretry-policy", "Lengths keep a boundary between members: the bytes of both names in a row are those of commitment-full.", "commitment",
		object("provider_id", "repo-grap", "frame", frame.with("id", "hretry-policy")), flagged("FieldPlace"))
	for _, s := range samples {
		const why = "Lengths count UTF-8 bytes, and nothing is normalised."
		c.twist("commitment-full", "commitment-id-"+s.slug, "an id with "+s.what, why, replace("/frame/id", s.text),
			append(nearCommitments(sampleProvider, frameOf(frame.with("id", s.text))), flagged("LengthUnit", "Unchanged"))...)
	}
	for _, s := range []sample{samples[2], samples[4]} {
		c.twist("commitment-full", "commitment-provider-"+s.slug, "a provider's name with "+s.what, "Lengths count UTF-8 bytes, and nothing is normalised.",
			replace("/provider_id", s.text), append(nearCommitments(s.text, frameOf(frame)), flagged("LengthUnit", "Unchanged"))...)
	}
	for _, s := range plain[:4] {
		c.twist("commitment-full", "commitment-id-"+s.slug, "an id with "+s.what, "Every character of JSON is an ordinary one.",
			replace("/frame/id", s.text), append(nearCommitments(sampleProvider, frameOf(frame.with("id", s.text))), flagged("Unchanged"))...)
	}
	for _, n := range []int{65_535, 65_536} {
		long := strings.Repeat("i", n)
		c.twist("commitment-full", fmt.Sprintf("commitment-id-%d", n), "an id of "+plural(n, "byte"), "Lengths are four bytes.",
			replace("/frame/id", repeated("i", n)), append(nearCommitments(sampleProvider, frameOf(frame.with("id", long))), flagged("LongText"))...)
	}
}

// generateUncovered are changes that no commitment notices.
func generateUncovered(c *class) {
	const why = "No other member of a frame enters the commitment."
	for _, m := range []struct {
		slug, member string
		value        any
	}{
		{"title", "title", "Another title"}, {"kind", "kind", "symbol"}, {"score", "score", Number("0.5")}, {"uri", "uri", "file:///x"},
		{"relations", "relations", List{}}, {"unknown", "confidence", "x"},
	} {
		c.twist("commitment-full", "commitment-uncovered-"+m.slug, "another "+m.member, why, added("/frame/"+m.member, m.value), flagged("NotCovered"))
	}
	frame := sampleFrame()
	for _, m := range []struct {
		slug, member, folded string
		value                any
	}{
		{"id", "ID", "id", "other"}, {"digest", "Content_Digest", "content_digest", "other"}, {"provenance", "Provenance", "provenance", List{}},
	} {
		c.twist("commitment-full", "commitment-case-"+m.slug, "a member "+m.member+" beside the known one", "Names are compared exactly; other members are ignored.",
			added("/frame/"+m.member, m.value), nearValue(causeCaseFolded, commitmentOf(sampleProvider, frame.with(m.folded, m.value)).String()),
			rules("§6.5.2", "U1"), flagged("MemberCase"))
	}
	c.twist("commitment-bare", "commitment-case-digest-alone", "a member Content_Digest and no content_digest", "Names are compared exactly; other members are ignored.",
		added("/frame/Content_Digest", "x"), nearValue(causeCaseFolded, commitmentOf(sampleProvider, object("id", "f", "content_digest", "x")).String()),
		rules("§6.5.2", "U1"), flagged("MemberCase"))
}

func generateProvenance(c *class, frame Object) {
	base := commitmentOf(sampleProvider, frame).String()
	const why = "The head of the provenance chain is part of the commitment."
	c.twist("commitment-full", "commitment-null-provenance", "provenance that is null", "null is absent: a chain without links.", replace("/frame/provenance", nil),
		nearValue(causeLinkDropped, base), flagged("EmptyChain"))
	c.twist("commitment-full", "commitment-no-provenance", "no provenance", "Absent is a chain without links.", removed("/frame/provenance"),
		nearValue(causeLinkDropped, base), flagged("EmptyChain"))
	c.twist("commitment-full", "commitment-empty-provenance", "provenance without links", why, replace("/frame/provenance", List{}),
		nearValue(causeLinkDropped, base), flagged("EmptyChain"))
	c.twist("commitment-full", "commitment-link-added", "another link behind the first", why, added("/frame/provenance/-", object("type", "record")),
		nearValue(causeLinkAdded, base), flagged("LinkChain"))
	c.twist("commitment-full", "commitment-link-edited", "another method in its link", why, replace("/frame/provenance/0/method", "other"),
		nearValue(causeLinkEdited, base), flagged("LinkChain"))
	c.twist("commitment-full", "commitment-link-case", "a member By in its link", "Names are compared exactly; other members are ignored.", added("/frame/provenance/0/By", "other"),
		nearValue(causeCaseFolded, commitmentOf(sampleProvider, frame.with("provenance", List{sampleLink().with("by", "other")})).String()),
		rules("§6.5.2", "U1"), flagged("MemberCase"))
}

func generateMalformed(c *class) {
	const why = "A frame that is not of the wire's types has no commitment: it is not repaired."
	for _, m := range []struct {
		slug, what string
		change     Mutation
	}{
		{"id-missing", "no id", removed("/frame/id")},
		{"id-null", "an id that is null", replace("/frame/id", nil)},
		{"id-number", "an id that is a number", replace("/frame/id", Number("7"))},
		{"digest-number", "a digest that is a number", replace("/frame/content_digest", Number("7"))},
		{"digest-object", "a digest that is an object", replace("/frame/content_digest", Object{})},
		{"content-number", "content that is a number", replace("/frame/content", Number("7"))},
		{"content-array", "content that is an array", replace("/frame/content", List{})},
		{"provenance-object", "provenance that is an object", replace("/frame/provenance", Object{})},
		{"provenance-text", "provenance that is a string", replace("/frame/provenance", "")},
		{"link-text", "a link that is a string", replace("/frame/provenance/0", "file")},
		{"link-null", "a link that is null", replace("/frame/provenance/0", nil)},
		{"link-no-type", "a link without a type", removed("/frame/provenance/0/type")},
		{"link-null-type", "a link whose type is null", replace("/frame/provenance/0/type", nil)},
		{"link-type-number", "a link whose type is a number", replace("/frame/provenance/0/type", Number("1"))},
		{"link-uri-number", "a link whose uri is a number", replace("/frame/provenance/0/uri", Number("1"))},
		{"link-by-false", "a link whose by is false", replace("/frame/provenance/0/by", false)},
		{"frame-array", "a frame that is an array", replace("/frame", List{})},
	} {
		c.twist("commitment-full", "commitment-malformed-"+m.slug, m.what, why, m.change, fails(malformedFrame), rules("§6.5.2", "F5"), flagged("MalformedFrame"))
	}
	c.twist("commitment-bare", "commitment-id-other-case", "a member ID and no id", "Names are compared exactly: the frame has no id.",
		moved("/frame/id", "/frame/ID"), fails(malformedFrame), nearValue(causeCaseFolded, commitmentOf(sampleProvider, object("id", "f")).String()),
		rules("§6.5.2", "U1"), flagged("MemberCase"))
}
