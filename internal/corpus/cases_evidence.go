package corpus

import "slices"

// evidenceCases are evidence that cannot be checked, and entries that say nothing of a frame.
var evidenceCases = []Case{
	answerCase("unknown algorithm on a frame", func(g *generator) *answer {
		return g.spoilOne("algorithm", "ed448", stateUncheckable)
	}),
	answerCase("unknown algorithm on the root", func(g *generator) *answer {
		return g.spoilRoot("algorithm", "Ed25519", stateUncheckable)
	}),
	answerCase("unknown key on a frame", func(g *generator) *answer {
		return g.spoilOne("key_id", "nobody's", stateNoTrustedKey)
	}),
	answerCase("unknown key on the root", func(g *generator) *answer {
		return g.spoilRoot("key_id", "nobody's", stateNoTrustedKey)
	}),
	answerCase("incomplete attestation", func(g *generator) *answer {
		return g.spoilOne([]string{"signature", "key_id", "issued_at"}[g.below(3)], nil, stateUnusable)
	}),
	answerCase("incomplete root", func(g *generator) *answer {
		return g.spoilRoot([]string{"signature", "algorithm", "attester_id"}[g.below(3)], raw("17"), stateUnusable)
	}),
	answerCase("unusable proof", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, rootAndEach), g.count())
		i := g.pick(a)
		proof := slices.Clone(a.entries[i].proof.(object))
		proof.set("leaf_index", raw([]string{"7.0", "-0", "1e0", "18446744073709551616", `"0"`, "null"}[g.below(6)]))
		a.entries[i].proof = proof
		a.frames[i].evidence[len(a.frames[i].evidence)-1] = stateUnusable
		return a
	}),
	answerCase("proof without a root", func(g *generator) *answer {
		a := g.fresh(rootAndEach, g.count())
		a.root, a.rootState, a.rootOnFrame = nil, "", false
		a.spoilProofs(stateUnusable)
		return a
	}),
	answerCase("empty entry", func(g *generator) *answer {
		a := g.fresh(everyFrame, g.count())
		i := g.pick(a)
		a.entries[i].attestation, a.frames[i].evidence = nil, nil
		a.frames[i].asserted++
		a.findings = append(a.findings, emptyEntry)
		return a
	}),
	answerCase("orphan entry", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())
		orphan := *a.entries[g.pick(a)]
		id := slices.Clone(orphan.frame.(object))
		switch g.below(3) {
		case 0:
			id.set("frame_id", "doc:elsewhere")
		case 1:
			id = id.without("content_digest")
		default:
			id.set("content_digest", digestOf("another text"))
		}
		orphan.frame = id
		a.entries = slices.Insert(a.entries, g.below(len(a.entries)+1), &orphan)
		a.findings = append(a.findings, orphanEntry)
		return a
	}),
	answerCase("duplicate entry", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())
		i := g.pick(a)
		a.entries = append(a.entries, a.entries[i])
		a.frames[i].evidence = append(a.frames[i].evidence, a.frames[i].evidence...)
		a.findings = append(a.findings, duplicateEntry)
		return a
	}),
	answerCase("malformed entry", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())
		bad := &entry{attestation: a.entries[0].attestation, proof: a.entries[0].proof}
		switch g.below(4) {
		case 0:
			bad.inPlace = raw("17")
		case 1:
			bad.frame = nil
		case 2:
			bad.frame = "doc:1"
		default:
			bad.frame = object{{"provider_id", a.provider.name}, {"frame_id", nil}}
		}
		a.entries = slices.Insert(a.entries, g.below(len(a.entries)+1), bad)
		a.findings = append(a.findings, malformedEntry)
		return a
	}),
	answerCase("entries that are no list", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		a.entryAny = object{}
		for i := range a.frames {
			a.frames[i].evidence = nil
		}
		a.findings = append(a.findings, malformedEntry)
		return a
	}),
	answerCase("entry under another name", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())
		other := *a.entries[g.pick(a)]
		id := slices.Clone(other.frame.(object))
		id.set("provider_id", "somebody else")
		other.frame = id
		a.entries = append(a.entries, &other)
		a.findings = append(a.findings, orphanEntry, providerMismatch)
		return a
	}),
}

// spoilOne gives a member of the attestation of one frame among several another value; nil takes it out. Other evidence in
// the answer verifies.
func (g *generator) spoilOne(name string, value any, state string) *answer {
	a := g.fresh(g.anyShape(everyFrame, rootAndEach), 2+g.below(6))
	i := g.pick(a)
	att := slices.Clone(a.entries[i].attestation.(object))
	if att.set(name, value); value == nil {
		att = att.without(name)
	}
	a.entries[i].attestation = att
	a.frames[i].evidence[0] = state
	return a
}

// spoilRoot does the same to the result attestation, and to the proofs under it.
func (g *generator) spoilRoot(name string, value any, state string) *answer {
	a := g.fresh(g.anyShape(rootAlone, rootProofs, rootAndEach), g.count())
	att := slices.Clone(a.root.(object))
	att.set(name, value)
	a.root, a.rootState = att, state
	a.spoilProofs(state)
	return a
}
