package main

import (
	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// verifying are the states of evidence that verifies, with the tier of its key.
var verifying = []struct {
	state archive.State
	tier  archive.Tier
}{
	{archive.StateAttested, archive.TierConfigured},
	{archive.StatePinned, archive.TierPinned},
	{archive.StateConstructed, archive.TierPublished},
}

// keyed are the states of evidence for which a key was found, which the evidence or the root then names.
func keyed() []archive.State {
	states := []archive.State{archive.StateKeyNotInService}
	for _, v := range verifying {
		states = append(states, v.state)
	}
	return states
}

func evidenceStates() object {
	return about("constructed: it is built as specified; "+unknownSigner, codes("evidence_states"))
}

func verdictCodes() object {
	s := codes("verdicts")
	for i := range s {
		if s[i].name == "enum" {
			s[i].value = append(s[i].value.(list), "")
		}
	}
	return about("Empty where none could be reached.", s)
}

func rootSchema() object {
	s := closed(
		need("recomputed", orNull(pattern(digestPattern))),
		need("signed", about("As it stands in the answer; null where the attestation cannot be read.", orNull(text()))),
		need("state", evidenceStates()),
		need("verdict", verdictCodes()),
		may("reason", codes("reasons")),
		may("key_id", text()),
		may("tier", codes("tiers")),
		may("trusted_for", text()),
		may("unverified_claims", ref("claims")),
		may("detail", text()),
		may("diagnosis", ref("diagnosis")),
	)
	rules := append(stateRules(sign.Valid), explained())
	for _, s := range keyed() {
		rules = append(rules, when(holds("state", is(s)), required("tier", "unverified_claims")))
	}
	return append(s, member{"allOf", rules})
}

func evidenceSchema() object {
	s := closed(
		need("kind", codes("evidence_kinds")),
		need("state", evidenceStates()),
		need("verdict", verdictCodes()),
		may("reason", codes("reasons")),
		may("leaf_count", about("What the proof states, a decimal number up to 2^64-1. Nothing signs it.", pattern(uint64Pattern))),
		may("key_id", text()),
		may("tier", codes("tiers")),
		may("trusted_for", text()),
		may("expected", about("The value recomputed from what is in hand.", pattern(digestPattern))),
		may("signed", about("The value that was signed.", pattern(digestPattern))),
		may("unverified_claims", ref("claims")),
		may("detail", text()),
		may("diagnosis", ref("diagnosis")),
	)
	rules := append(stateRules(sign.Valid, sign.ValidIdentityOnly), explained())
	root := holds("kind", is(archive.KindRoot))
	rules = append(rules,
		when(root, without("leaf_count", "key_id", "tier", "trusted_for", "expected", "signed", "unverified_claims", "diagnosis")),
		when(holds("kind", is(archive.KindSignature)), without("leaf_count")),
		when(holds("kind", is(archive.KindInclusion)), without("unverified_claims")),
		when(holds("kind", is(archive.KindEntry)), object{
			{"properties", object{{"state", is(archive.StateUnusable)}, {"reason", is(archive.ReasonEmptyEntry)}}},
		}),
		object{
			{"if", holds("verdict", is(sign.CommitmentMismatch))},
			{"then", object{{"if", root}, {"else", required("expected", "signed")}}},
			{"else", without("expected", "signed")},
		},
	)
	for _, s := range keyed() {
		rules = append(rules, when(holds("state", is(s)), object{{"if", root}, {"else", required("key_id", "tier")}}))
	}
	return append(s, member{"allOf", rules})
}

func diagnosisSchema() object {
	return about("What would explain the mismatch, where verify --diagnose was asked: a hint, never an acceptance.", closed(
		need("cause", codes("causes")),
		need("detail", text()),
	))
}

// explained says which verdicts have a diagnosis.
func explained() object {
	return when(required("diagnosis"), holds("verdict", object{{"enum", words(sign.CommitmentMismatch, sign.BadSignature)}}))
}

// stateRules say what stands beside each state of evidence or of a root. good are the verdicts of one that verifies.
func stateRules(good ...sign.Verdict) list {
	var negative []sign.Verdict
	for _, v := range sign.Verdicts() {
		if v.Negative() {
			negative = append(negative, v)
		}
	}
	rule := func(s archive.State, verdicts list, more ...member) object {
		return when(holds("state", is(s)), object{
			{"properties", append(object{{"verdict", object{{"enum", verdicts}}}}, more...)},
		})
	}
	noKey := []member{{"tier", false}, {"trusted_for", false}}
	noReason := member{"reason", false}
	var rules list
	for _, v := range verifying {
		rules = append(rules, rule(v.state, words(good...), member{"tier", is(v.tier)}, noReason))
	}
	return append(rules,
		rule(archive.StateInvalid, words(negative...), noReason),
		rule(archive.StateUncheckable, words(sign.UnknownAlgorithm), append(noKey, noReason)...),
		rule(archive.StateNoTrustedKey, words[sign.Verdict](""), append(noKey, noReason)...),
		rule(archive.StateKeyNotInService, words[sign.Verdict](""),
			member{"tier", object{{"enum", words(archive.TierConfigured, archive.TierPinned)}}}),
		rule(archive.StateUnusable, words[sign.Verdict](""), noKey...),
		when(holds("state", is(archive.StateUnusable)), required("reason")),
		when(holds("state", is(archive.StateKeyNotInService)), required("reason")),
	)
}

func frameSchema() object {
	s := closed(
		need("position", about("As carried, from 0.", count())),
		need("leaf_index", about("In canonical order, of a retained frame as proven; null where the frame has no commitment or its place is not proven.", orNull(count()))),
		need("provider_id", orNull(text())),
		need("frame_id", text()),
		need("content_digest", orNull(text())),
		need("state", about("constructed: the evidence is built as specified; "+unknownSigner, codes("frame_states"))),
		may("reason", codes("reasons")),
		may("tier", codes("tiers")),
		need("class", codes("classes")),
		need("commitment", orNull(pattern(digestPattern))),
		need("content", codes("content_states")),
		need("evidence", arrayOf(ref("evidence"))),
		may("provenance", about("One for each link, in order, where the files of provenance were read again (--source-root).", arrayOf(ref("link")))),
		may("detail", text()),
	)
	return append(s, member{"allOf", frameRules()})
}

// frameRules say what stands beside each state of a frame.
func frameRules() list {
	null := object{{"type", "null"}}
	none := object{{"maxItems", 0}}
	some := object{{"minItems", 1}}
	rule := func(s archive.State, classes []archive.Class, more ...member) object {
		properties := object{{"class", object{{"enum", words(classes...)}}}}
		if s != archive.StateMalformedFrame {
			properties = append(properties, member{"reason", false})
		}
		return when(holds("state", is(s)), object{{"properties", append(properties, more...)}})
	}
	open := []archive.Class{archive.ClassGood, archive.ClassUnchecked}
	unchecked := []archive.Class{archive.ClassUnchecked}
	negative := []archive.Class{archive.ClassNegative}
	var rules list
	for _, v := range verifying {
		rules = append(rules,
			rule(v.state, open, member{"tier", is(v.tier)}, member{"content_digest", text()}, member{"evidence", some}))
	}
	rules = append(rules,
		rule(archive.StateIdentityOnly, open, member{"content_digest", null}, member{"evidence", some}),
		rule(archive.StateContentMismatch, negative, member{"content", is(archive.ContentMismatch)}, member{"evidence", some}),
		rule(archive.StateInvalid, negative, member{"tier", false}, member{"evidence", some}),
		rule(archive.StateUnattested, unchecked, member{"tier", false}, member{"evidence", none}),
		rule(archive.StateMalformedFrame, []archive.Class{archive.ClassUnreadable}, member{"tier", false}, member{"evidence", none},
			member{"commitment", null}, member{"leaf_index", null}, member{"provenance", false}),
		when(holds("state", is(archive.StateMalformedFrame)), required("reason")),
	)
	for _, s := range []archive.State{
		archive.StateKeyNotInService, archive.StateUncheckable, archive.StateNoTrustedKey, archive.StateUnusable,
	} {
		rules = append(rules, rule(s, unchecked, member{"tier", false}, member{"evidence", some}))
	}
	proven := object{{"enum", words(archive.StateAttested, archive.StatePinned, archive.StateConstructed,
		archive.StateIdentityOnly, archive.StateContentMismatch)}}
	return append(rules, when(holds("state", proven), required("tier")))
}
