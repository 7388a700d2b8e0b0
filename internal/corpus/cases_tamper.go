package corpus

import (
	"encoding/hex"
	"slices"
	"strings"
)

// tamperCases are what somebody did to an answer after it was signed.
var tamperCases = []Case{
	answerCase("tampered content", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		f := a.frames[g.pick(a)]
		f.Content, f.content = new(*f.Content+" "), contentDiffers
		return a
	}),
	answerCase("tampered link", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		i := g.pick(a)
		links := a.frames[i].Provenance
		switch g.below(3) {
		case 0:
			links[0].By = new("somebody else")
		case 1:
			links[0].Range = new("L1-2")
		default:
			links[0].Method = nil
		}
		a.invalidRoot(true)
		a.spoilFrame(i, stateInvalid)
		return a
	}),
	answerCase("tampered content and digest", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		i := g.pick(a)
		f := a.frames[i]
		f.Content = new("another text")
		f.ContentDigest = new(digestOf(*f.Content))
		a.invalidRoot(true)
		if a.entries != nil { // which names a frame that is no longer there
			f.evidence = nil
			a.findings = append(a.findings, orphanEntry)
		}
		return a
	}),
	answerCase("dropped frame", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), 2+g.below(6))
		i := g.pick(a)
		a.frames = slices.Delete(a.frames, i, i+1)
		a.invalidRoot(true)
		if a.entries == nil {
			return a
		}
		dropped := a.entries[i]
		a.entries = slices.Delete(a.entries, i, i+1)
		if g.oneIn(2) {
			a.entries = append(a.entries, dropped)
			a.findings = append(a.findings, orphanEntry)
		}
		a.spoilProofs(stateInvalid) // they state more leaves than there are frames
		return a
	}),
	answerCase("added frame", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), 1+g.below(6))
		a.frames = append(a.frames, g.frame(a.provider.name, len(a.frames)))
		a.invalidRoot(true)
		a.spoilProofs(stateInvalid)
		return a
	}),
	answerCase("bad signature on a frame", func(g *generator) *answer {
		a := g.fresh(g.anyShape(everyFrame, rootAndEach), g.count())
		i := g.pick(a)
		a.entries[i].attestation = g.spoilSignature(a.entries[i].attestation.(object))
		a.frames[i].evidence[0] = stateInvalid
		return a
	}),
	answerCase("bad signature on the root", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootAlone, rootProofs, rootAndEach), g.count())
		a.root = g.spoilSignature(a.root.(object))
		a.invalidRoot(false)
		a.spoilProofs(stateInvalid)
		return a
	}),
	answerCase("lifted from a frame of the answer", func(g *generator) *answer {
		a := g.fresh(g.anyShape(everyFrame, rootAndEach), 2+g.below(6))
		i := g.pick(a)
		a.entries[i].attestation = a.entries[(i+1)%len(a.entries)].attestation
		a.frames[i].evidence[0] = stateInvalid
		return a
	}),
	answerCase("lifted from another answer", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootAlone, rootProofs, rootAndEach), g.count())
		a.root = g.signed(a.provider, rootAlone, g.count()).root
		a.invalidRoot(true)
		a.spoilProofs(stateInvalid)
		return a
	}),
	answerCase("malformed commitment", func(g *generator) *answer {
		a := g.fresh(everyFrame, g.count())
		i := g.pick(a)
		att := slices.Clone(a.entries[i].attestation.(object))
		att.set("signed_commitment", strings.ToUpper(att.get("signed_commitment").(string)))
		a.entries[i].attestation = att
		a.frames[i].evidence[0] = stateInvalid
		return a
	}),
	answerCase("malformed proof", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootProofs, rootAndEach), 3+g.below(6))
		i := g.pick(a)
		a.entries[i].proof = g.spoilProof(a.entries[i].proof.(object))
		f := a.frames[i]
		f.evidence[len(f.evidence)-1] = stateInvalid
		return a
	}),
	answerCase("tampered retained frame", func(g *generator) *answer {
		a := g.retainedOf(1, 2+g.below(6))
		a.findings = nil // no proof verifies
		a.frames[0].Provenance[0].By = new("somebody else")
		a.frames[0].evidence[0] = stateInvalid
		return a
	}),
	answerCase("contradicting proofs", func(g *generator) *answer {
		a := g.retainedOf(8, 8)
		kept := a.atLeaves(0, 3)
		proof := slices.Clone(a.entries[kept[1]].proof.(object))
		proof.set("leaf_count", 7) // leaf 3 of 7 has the path of leaf 3 of 8
		a.entries[kept[1]].proof = proof
		a.frames = []*frame{a.frames[kept[0]], a.frames[kept[1]]}
		a.entries = []*entry{a.entries[kept[0]], a.entries[kept[1]]}
		a.findings = append(a.findings, contradictingProofs)
		return a
	}),
}

// spoilFrame gives all evidence on a frame a state, but the root's.
func (a *answer) spoilFrame(i int, state string) {
	for k := range a.frames[i].evidence {
		a.frames[i].evidence[k] = state
	}
}

// atLeaves returns the positions of the frames that stand at leaf indexes.
func (a *answer) atLeaves(indexes ...int) []int {
	var at []int
	for _, index := range indexes {
		at = append(at, slices.IndexFunc(a.entries, func(e *entry) bool { return e.proof.(object).get("leaf_index") == index }))
	}
	return at
}

// spoilSignature returns the attestation with a signature that does not verify, or is none.
func (g *generator) spoilSignature(att object) object {
	att = slices.Clone(att)
	text := att.get("signature").(string)
	signature, _ := hex.DecodeString(text)
	switch g.below(4) {
	case 0:
		signature[g.below(32)] ^= 1 << g.below(8) // R
		text = hex.EncodeToString(signature)
	case 1:
		signature[32+g.below(32)] ^= 1 << g.below(8) // S
		text = hex.EncodeToString(signature)
	case 2:
		text = text[:len(text)-2]
	default:
		text = "AB" + text[2:]
	}
	att.set("signature", text)
	return att
}

// spoilProof returns a proof of at least one step that is none of its leaf.
func (g *generator) spoilProof(proof object) object {
	proof = slices.Clone(proof)
	path := slices.Clone(proof.get("path").(array))
	step := slices.Clone(path[0].(object))
	switch g.below(5) {
	case 0:
		step.set("sibling", strings.ToUpper(step.get("sibling").(string)))
		path[0] = step
	case 1:
		step.set("sibling_is_left", !step.get("sibling_is_left").(bool))
		path[0] = step
	case 2:
		path = path[1:]
	case 3:
		path = append(path, step)
	default:
		proof.set("leaf_count", proof.get("leaf_count").(int)+1)
	}
	proof.set("path", path)
	return proof
}
