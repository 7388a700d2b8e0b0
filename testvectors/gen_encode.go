package testvectors

import (
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A sample is a text that implementations get wrong, and why.
type sample struct{ slug, text, what string }

// samples are texts in which bytes, code points and UTF-16 units differ, or which somebody may want to change.
var samples = []sample{
	{"two-byte", "caf\u00e9", "a letter of two bytes"},
	{"three-byte", "\u65e5\u672c\u8a9e", "letters of three bytes"},
	{"four-byte", "\U0001d11e", "one code point, two UTF-16 units, four bytes"},
	{"emoji-joined", "\U0001f469\u200d\U0001f4bb", "code points that are shown as one sign"},
	{"combining", "e\u0301", "a letter with a combining accent, which must not be composed"},
	{"singleton", "\u212b", "the Angstrom sign, which must not be normalised"},
	{"hangul", "\u1112\u1161\u11ab", "Hangul in parts, which must not be composed"},
	{"noncharacter", "\uffff", "a noncharacter, which is a character of JSON all the same"},
	{"bom-inside", "a\ufeffb", "a byte order mark inside a string, which is a character"},
	{"private", "\ue000", "a private character"},
}

// plain are texts of ASCII that somebody may want to change.
var plain = []sample{
	{"nul", "a\x00b", "a NUL, which ends no string"},
	{"nul-alone", "\x00", "nothing but a NUL"},
	{"space-around", " a ", "white space around it, which must not be trimmed"},
	{"crlf", "a\r\nb", "CR and LF, which must not be changed"},
	{"escape-looking", `\u0061`, "an escape that was escaped"},
	{"percent", "a%20b", "a percent escape, which must not be decoded"},
	{"delete", "\x7f", "a control character"},
}

// nearEncodings are what the encoders with a bug make of one question.
func nearEncodings(encode func(v variant) []byte) []option {
	var out []option
	seen := map[string]bool{}
	for _, v := range variants {
		wrong := hexOf(encode(v.variant))
		if len(wrong) > 2*maxStepText || seen[v.cause+wrong] {
			continue
		}
		seen[v.cause+wrong] = true
		out = append(out, nearValue(v.cause, wrong))
	}
	return out
}

func generateEncode(c *class) {
	c.rules = []string{"§6.5.1"}
	text := func(s string) []option {
		return nearEncodings(func(v variant) []byte { return v.text(nil, s) })
	}
	const why = "enc_str(s) is the number of UTF-8 bytes of s as four bytes, the high one first, then the bytes as they are."
	c.pass("encode-text-empty", "the empty string", why, "encode", object("text", ""), flagged("AbsentEmpty"))
	c.twist("encode-text-empty", "encode-text-a", "one byte", why, replace("/text", "a"), append(text("a"), flagged("ByteOrder"))...)
	c.pass("encode-text-ascii", "plain text", why, "encode", object("text", "src/retry.rs"), flagged("ByteOrder"))
	for _, s := range samples {
		c.twist("encode-text-ascii", "encode-text-"+s.slug, "text with "+s.what, why, replace("/text", s.text),
			append(text(s.text), flagged("LengthUnit", "Unchanged"))...)
	}
	for _, s := range plain {
		c.twist("encode-text-ascii", "encode-text-"+s.slug, "text with "+s.what, why, replace("/text", s.text),
			append(text(s.text), flagged("Unchanged", "ByteOrder"))...)
	}
	for _, n := range []int{1, 127, 128, 255, 256, 257} {
		c.twist("encode-text-empty", fmt.Sprintf("encode-text-%d", n), plural(n, "byte"), why, replace("/text", repeated("a", n)),
			append(text(strings.Repeat("a", n)), flagged("LongText", "ByteOrder"))...)
	}
	for _, n := range []int{65_535, 65_536} {
		c.pass(fmt.Sprintf("encode-text-%d", n), plural(n, "byte"), why+" 65,535 is the last length that two bytes hold.", "encode",
			object("text", repeated("a", n)), flagged("LongText"))
	}
	generateOptional(c)
	generateLinks(c)
}

func generateOptional(c *class) {
	const why = "An absent value is the one byte 00; a present one is 01 and its enc_str, the empty string too."
	near := func(o commitment.Optional) []option {
		return append(nearEncodings(func(v variant) []byte { return v.optional(nil, o) }), flagged("AbsentEmpty"))
	}
	c.pass("encode-optional-text", "a value that is present", why, "encode", object("optional", "L1"), flagged("AbsentEmpty"))
	c.twist("encode-optional-text", "encode-optional-absent", "a value that is absent", why, replace("/optional", nil),
		near(commitment.Optional{})...)
	c.twist("encode-optional-text", "encode-optional-empty", "a value that is present and empty", why, replace("/optional", ""),
		near(commitment.Some(""))...)
	c.twist("encode-optional-text", "encode-optional-null-text", "the four letters null", why, replace("/optional", "null"),
		near(commitment.Some("null"))...)
	c.twist("encode-optional-text", "encode-optional-nul", "a NUL", why, replace("/optional", "\x00"), near(commitment.Some("\x00"))...)
}

// linkFields are the optional members of a link in the order of the encoding.
var linkFields = []string{"uri", "range", "digest", "method", "by"}

// sampleLink has every member.
func sampleLink() Object {
	return object("type", "file", "uri", "file:///repo/docs/retry.md", "range", "L1-20",
		"digest", "sha256:"+strings.Repeat("01", 32), "method", "file-read", "by", "repo-graph")
}

func generateLinks(c *class) {
	const why = "encode(link) is enc_str of type, then enc_opt of uri, range, digest, method and by, in this order, whatever the order of the members."
	near := func(o Object) []option {
		return nearEncodings(func(v variant) []byte { return v.link(linkOf(o)) })
	}
	full := sampleLink()
	c.pass("encode-link-full", "a link with every member", why, "encode", object("link", full), flagged("FieldPlace"))
	c.pass("encode-link-type", "a link with its type alone", why, "encode", object("link", object("type", "file")),
		append(near(object("type", "file")), flagged("AbsentEmpty"))...)
	backwards := slices.Clone(full)
	slices.Reverse(backwards)
	c.pass("encode-link-member-order", "the members in another order", "Members of a JSON object have no order; the encoding has one.", "encode",
		object("link", backwards), flagged("FieldPlace"))
	for _, f := range linkFields {
		c.twist("encode-link-full", "encode-link-no-"+f, "a link without "+f, why, removed("/link/"+f), append(near(full.without(f)), flagged("AbsentEmpty"))...)
		c.twist("encode-link-full", "encode-link-null-"+f, "a link whose "+f+" is null", "null is absent.", replace("/link/"+f, nil),
			append(near(full.with(f, nil)), flagged("AbsentEmpty"))...)
		c.twist("encode-link-full", "encode-link-empty-"+f, "a link whose "+f+" is empty", why, replace("/link/"+f, ""),
			append(near(full.with(f, "")), flagged("AbsentEmpty"))...)
		only := object("type", "file", f, "x")
		c.twist("encode-link-type", "encode-link-only-"+f, "a link with "+f+" alone", "The same text in another member is another encoding.",
			added("/link/"+f, "x"), append(near(only), flagged("FieldPlace"))...)
	}
	c.twist("encode-link-full", "encode-link-empty-type", "a link whose type is empty", "type is a string that is there; the empty one is one.",
		replace("/link/type", ""), append(near(full.with("type", "")), flagged("AbsentEmpty"))...)
	c.twist("encode-link-type", "encode-link-unknown", "a link with a member that nobody knows", "Members that are not known are ignored (U1).",
		added("/link/confidence", "x"), rules("§6.5.1", "U1"), flagged("NotCovered"))
	c.twist("encode-link-type", "encode-link-case", "a link with a member URI", "Names are compared exactly: URI is a member that nobody knows.",
		added("/link/URI", "x"), nearValue(causeCaseFolded, hexOf(variant{}.link(linkOf(object("type", "file", "uri", "x"))))),
		rules("§6.5.1", "U1"), flagged("MemberCase"))
	unicode := object("type", "file", "uri", "docs/na\u00efve/\u65e5\u672c\u8a9e.md", "range", "L1-L2", "method", "r\u00e9sum\u00e9", "by", "\U0001d11e-agent")
	c.pass("encode-link-unicode", "a link with text of every width", why, "encode", object("link", unicode), append(near(unicode), flagged("LengthUnit"))...)
}
