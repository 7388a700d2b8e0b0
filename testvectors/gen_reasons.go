package testvectors

import "strings"

// moreJudged are keys that nothing is judged with, and the reasons that stand beside states.
func moreJudged(c *class) {
	refuseKeys(c)
	generateReasons(c)
}

// refuseKeys are trusted keys that contradict each other or name nobody: nothing is judged then.
func refuseKeys(c *class) {
	const why = "Where the keys that are trusted contradict each other, or one of them is none, nothing is judged: any answer would be a guess."
	s := documents()
	s.signRoot = true
	one := trustedKey(docs, docsKey, seeded(1), "not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z")
	c.pass("answer-trusted-twice", "a key that is trusted twice", "The same key from two sources is one key.", "answer",
		object("text", s.session(), "trusted", List{one, one}, "received_at", "2026-09-01T00:00:00Z"), flagged("OtherKey"))
	nothing := value(object("answers", List{}, "errors", List{}, "exit_code", integer(2)))
	for _, m := range []struct {
		slug, title, path string
		value             any
		flag              string
	}{
		{"bytes", "two keys under one key_id", "/trusted/1/public_key", publicHex(seeded(2)), "OtherKey"}, {"window", "one key with two windows", "/trusted/1/not_after", "2028-07-31T23:59:59Z", "WindowEnd"},
		{"key-id", "a trusted key whose key_id is empty", "/trusted/1/key_id", "", "Policy"}, {"local-id", "a trusted key of a provider whose id is empty", "/trusted/1/local_id", "", "LocalID"},
	} {
		c.twist("answer-trusted-twice", "answer-trusted-"+m.slug, m.title, why, replace(m.path, m.value), nothing, flagged(m.flag))
	}
	c.twist("answer-trusted-twice", "answer-trusted-tier", "one key with two tiers", why, added("/trusted/1/tier", pinned), nothing, flagged("Policy"))
	c.twist("answer-trusted-bytes", "answer-trusted-other-id", "two keys under two key_ids", "Two key_ids are two keys.", replace("/trusted/1/key_id", "docs-2025"), flagged("OtherKey"))
	c.twist("answer-trusted-other-id", "answer-trusted-weak", "a trusted key of small order", why, replace("/trusted/1/public_key", smallOrder), nothing, flagged("SmallOrder"))
}

func generateReasons(c *class) {
	const why = "Evidence that cannot be evaluated says why: whoever reads a report has to know whether to ask for the answer again, for a key, or for nothing."
	trusted := List{trustedKey(docs, docsKey, seeded(1), "not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z")}
	both := documents()
	both.signRoot, both.signFrames = true, true
	base := "reasons-none"
	c.pass(base, "an answer of which all evidence verifies", why, "reasons", object("text", both.session(), "trusted", trusted, "received_at", "2026-09-01T00:00:00Z"), flagged("EntryMatch"))
	for _, m := range []struct{ slug, title, at string }{{"early", "received in front of the key's window", "2026-07-31T23:59:59Z"}, {"late", "received behind the key's window", "2027-08-01T00:00:00Z"}} {
		c.twist(base, "reasons-"+m.slug, m.title, why, replace("/received_at", m.at), flagged("WindowEnd"))
	}
	c.twist(base, "reasons-no-instant", "no instant of receipt", why, removed("/received_at"), flagged("WindowEnd"))
	for _, m := range []struct{ slug, title, old, new string }{
		{"attestation-member", "an attestation without its key_id", `"attestation":{"signed_commitment":"`, `"attestation":{"signed":"`}, {"attestation-number", "an attestation whose signed commitment is a number", `"attestation":{"signed_commitment":"`, `"attestation":{"signed_commitment":7,"x":"`},
		{"attestation-null", "an attestation whose signed commitment is null", `"attestation":{"signed_commitment":"`, `"attestation":{"signed_commitment":null,"x":"`},
		{"proof-member", "a proof without its index", `"inclusion_proof":{"leaf_index"`, `"inclusion_proof":{"index"`}, {"proof-spelling", "a proof whose count is spelt 3.0", `"leaf_count":3`, `"leaf_count":3.0`},
		{"empty-entry", "an entry that holds nothing", `,"attestation":`, `},{"x":`}, {"root-member", "a root without its algorithm", `"result_attestation":{"signed_commitment"`, `"result_attestation":{"signed"`},
		{"no-root", "proofs without a root", `"result_attestation"`, `"root_attestation"`}, {"frame-id", "a frame without an id", `"id":"opening",`, ``}, {"frame-number", "a frame whose id is a number", `"id":"opening"`, `"id":7`},
		{"frame-null", "a frame whose id is null", `"id":"opening"`, `"id":null`},
		{"frame-text", "a frame that is a string", `"frames":[`, `"frames":["x",`}, {"link-text", "a link that is a string", `"provenance":[`, `"provenance":["x",`}, {"link-type", "a link without a type", `"type":"record",`, ``},
		{"link-type-null", "a link whose type is null", `"type":"record"`, `"type":null`},
	} {
		c.twist(base, "reasons-"+m.slug, m.title, why, c.edited(base, m.old, m.new), flagged("MissingMember"))
	}
	root := documents()
	root.signRoot = true
	c.twist(base, "reasons-nobody", "nothing says who answered", why, replace("/text", root.bare().message()), flagged("Identity"))
	c.twist(base, "reasons-other-name", "evidence under a name that nobody declared", why, replace("/text", served{provider: "code"}.ack()+"\n"+strings.TrimSpace(both.message())), flagged("Identity"))
}
