package corpus

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// tellingCases are answers that verify, and of which an auditor must be told something, and frames that are none.
var tellingCases = []Case{
	answerCase("missing digest", func(g *generator) *answer {
		return g.altered(func(f *frame) { f.ContentDigest, f.content = nil, contentNoDigest })
	}),
	answerCase("opaque digest", func(g *generator) *answer {
		opaque := []string{"md5:d41d8cd98f00b204e9800998ecf8427e", "", "sha256:ABCD"}[g.below(3)]
		return g.altered(func(f *frame) { f.ContentDigest, f.content = &opaque, contentOpaque })
	}),
	answerCase("uncompared content", func(g *generator) *answer {
		return g.altered(func(f *frame) { f.Content, f.content = nil, contentAbsent })
	}),
	answerCase("reference frame", func(g *generator) *answer {
		return g.altered(func(f *frame) { f.Content, f.ContentDigest, f.content = nil, nil, contentAbsent })
	}),
	answerCase("file link without digest", func(g *generator) *answer {
		a := g.altered(func(f *frame) {
			f.Provenance = append(f.Provenance, bench.Link{Type: new("file"), URI: new("file:///srv/x")}, bench.Link{Type: new("file"), Digest: new("SHA256:0")})
		})
		a.findings = append(a.findings, fileLinkWithoutDigest)
		return a
	}),
	answerCase("ambiguous order", func(g *generator) *answer {
		p := g.one()
		g.comeForward(p)
		a := g.unsigned(p, 1+g.below(5))
		twin := g.frame(p.name, 0)
		twin.Content, twin.ContentDigest, twin.ID = a.frames[0].Content, a.frames[0].ContentDigest, a.frames[0].ID
		twin.Provenance[0].By = new("somebody else")
		a.frames = append(a.frames, twin)
		g.sign(a, g.anyShape(rootAlone, rootProofs, everyFrame, rootAndEach))
		a.findings = append(a.findings, ambiguousOrder)
		return a
	}),
	answerCase("attestation inside a frame", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		f := a.frames[g.pick(a)]
		f.more = append(f.more, member{[]string{"attestation", "inclusion_proof", "frame_attestations"}[g.below(3)], object{}})
		a.findings = append(a.findings, attestationInsideFrame)
		return a
	}),
	answerCase("evidence on the envelope", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), g.count())
		a.onEnvelope = object{{[]string{"attestations", "result_attestation"}[g.below(2)], array{}}}
		a.findings = append(a.findings, envelopeAttestationsIgnored)
		return a
	}),
	answerCase("malformed issued_at", func(g *generator) *answer {
		a := g.fresh(g.anyShape(rootAlone, rootProofs, everyFrame, rootAndEach), g.count())
		if a.root != nil {
			a.root.(object)[5].value = "2026-08-29 12:00:00Z"
			a.findings = append(a.findings, malformedIssuedAt)
		}
		if len(a.entries) > 0 && a.entries[0].attestation != nil {
			a.entries[0].attestation.(object)[5].value = "2026-02-30T12:00:00Z"
			a.findings = append(a.findings, malformedIssuedAt)
		}
		return a
	}),
	answerCase("malformed frame", func(g *generator) *answer {
		a := g.fresh(shape(g.below(int(shapes))), 1+g.below(6))
		i := g.pick(a)
		g.malform(a, i)
		if a.root != nil { // a root cannot be recomputed; proofs need none
			a.rootState = stateUnusable
		}
		return a
	}),
}

// altered makes an answer in which one frame was altered before the answer was signed.
func (g *generator) altered(alter func(*frame)) *answer {
	p := g.one()
	g.comeForward(p)
	a := g.unsigned(p, g.count())
	alter(a.frames[g.pick(a)])
	g.sign(a, shape(g.below(int(shapes))))
	return a
}

// malform makes the frame at a position one that has no commitment.
func (g *generator) malform(a *answer, i int) {
	f := a.frames[i]
	f.malformed = true
	o := slices.Clone(f.wire().(object))
	named := true // its entry still names it
	switch g.below(6) {
	case 0:
		o.set("id", raw("17"))
		named = false
	case 1:
		o, named = o.without("id"), false
	case 2:
		o.set("provenance", object{})
	case 3:
		o.set("provenance", array{object{{"type", nil}}})
	case 4:
		o.set("provenance", array{object{{"type", "derivation"}, {"by", raw("true")}}})
	default:
		f.inPlace, f.content, named = raw("null"), contentAbsent, false
	}
	if f.inPlace == nil {
		f.inPlace = o
	}
	if !named && a.entries != nil {
		a.findings = append(a.findings, orphanEntry)
	}
}
