package corpus

import "fmt"

// keyCases are about whose the keys are, and who answered.
var keyCases = []Case{
	answerCase("pinned key", func(g *generator) *answer {
		g.comeForward(wiki)
		return g.signed(wiki, shape(g.below(int(shapes))), g.count())
	}),
	answerCase("published key", func(g *generator) *answer {
		g.comeForward(mail)
		return g.signed(mail, shape(g.below(int(shapes))), g.count())
	}),
	answerCase("never signs", func(g *generator) *answer {
		g.comeForward(plain)
		return g.unsigned(plain, g.below(5))
	}),
	answerCase("key out of service", func(g *generator) *answer {
		g.comeForward(tickets)
		a := g.signed(tickets, shape(g.below(int(shapes))), g.count())
		a.receivedAt = []string{"2025-12-31T23:59:59.999Z", "2027-01-01T00:00:00Z", "", "2026-02-30T00:00:00Z"}[g.below(4)]
		a.allEvidence(stateKeyNotInService)
		return a
	}),
	answerCase("unknown local id", func(g *generator) *answer {
		g.comeForward(docs)
		a := g.signed(docs, shape(g.below(int(shapes))), g.count())
		a.localID = "elsewhere"
		a.allEvidence(stateConstructed) // under the key that the session published
		return a
	}),
	answerCase("other bytes than the trusted key", func(g *generator) *answer {
		g.comeForward(rekeyed)
		a := g.signed(rekeyed, shape(g.below(int(shapes))), g.count())
		a.findings = append(a.findings, publishedKeyConflict)
		return a
	}),
	answerCase("published key that changed", func(g *generator) *answer {
		name := g.unique("moved")
		p := publishing(name, stateConstructed, newKey("k", name))
		g.acknowledgeWith(name, array{newKey("k", "before "+name).published()})
		g.acknowledge(p)
		a := g.signed(p, shape(g.below(int(shapes))), g.count())
		a.findings = append(a.findings, publishedKeyConflict)
		return a
	}),
	answerCase("malformed published key", func(g *generator) *answer {
		name := g.unique("odd")
		p := publishing(name, stateConstructed, newKey("k", name))
		bad := []any{raw("17"), object{{"key_id", "k2"}}, object{{"key_id", nil}, {"algorithm", "ed25519"}, {"public_key", ""}}}
		p.publishes = append(p.publishes, bad[g.below(len(bad))])
		g.acknowledge(p)
		a := g.signed(p, shape(g.below(int(shapes))), g.count())
		a.findings = append(a.findings, malformedPublishedKey)
		return a
	}),
	answerCase("weak published key", func(g *generator) *answer {
		name := g.unique("weak")
		p := &provider{name: name, keys: []*key{newKey("k", name)}}
		hex := []string{fmt.Sprintf("01%062d", 0), fmt.Sprintf("%062d80", 0), fmt.Sprintf("%064d", 0), "AB", "zz"}[g.below(5)]
		p.publishes = array{object{{"key_id", "k"}, {"algorithm", "ed25519"}, {"public_key", hex}}}
		g.acknowledge(p)
		a := g.signed(p, shape(g.below(int(shapes))), g.count())
		a.allEvidence(stateInvalid)
		return a
	}),
	answerCase("stripped evidence", func(g *generator) *answer {
		p := g.one()
		g.comeForward(p)
		a := g.unsigned(p, g.below(6))
		a.findings = append(a.findings, strippedEvidence)
		return a
	}),
	{Name: "stripped evidence shown later", write: func(g *generator) {
		name := g.unique("late")
		p := &provider{name: name, keys: []*key{newKey("k", name)}, state: stateNoTrustedKey}
		g.acknowledge(p)
		a := g.unsigned(p, 1+g.below(3))
		a.findings = append(a.findings, strippedEvidence)
		g.line(a)
		g.line(g.signed(p, shape(g.below(int(shapes))), 1+g.below(3)))
	}},
	answerCase("provider that nobody declared", func(g *generator) *answer {
		g.comeForward(docs)
		name := g.unique("ghost")
		p := &provider{name: name, keys: []*key{newKey("k", name)}, state: stateUnusable}
		a := g.signed(p, g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())
		a.findings = append(a.findings, providerMismatch)
		return a
	}),
}

// allEvidence gives every piece of evidence a state.
func (a *answer) allEvidence(state string) {
	if a.root != nil {
		a.rootState = state
	}
	for i := range a.frames {
		a.spoilFrame(i, state)
	}
}
