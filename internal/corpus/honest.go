package corpus

import "slices"

// honest writes one of what a host honestly saves: a line in most cases.
func (g *generator) honest() {
	switch g.below(24) {
	case 0:
		g.write(g.signedAny(), style{newline: g.eol})
		g.endLine()
	case 1:
		g.write(g.signedAny(), style{escaped: true})
		g.endLine()
	case 2:
		g.array()
	case 3: // without white space between
		g.write(g.signedAny(), style{})
		g.line(g.signedAny())
	case 4:
		g.line(g.bare())
	case 5:
		g.line(g.retained(1 + g.below(3)))
	case 6, 7, 8:
		g.passed()
	case 9:
		g.acknowledge(g.one())
	case 10:
		g.logged()
	case 11: // nothing is carried and nothing else: the root of no frames is signed
		g.line(g.fresh(rootAlone, 0))
	default:
		g.line(g.signedAny())
	}
}

// one returns a provider of the session.
func (g *generator) one() *provider { return g.session[g.below(len(g.session))] }

// count returns a number of frames: mostly few.
func (g *generator) count() int {
	if g.oneIn(40) {
		return 30 + g.below(100)
	}
	return 1 + g.below(9)
}

// signedAny makes an honest answer of any shape.
func (g *generator) signedAny() *answer {
	s := shape(g.below(int(shapes)))
	return g.forRoot(g.signed(g.one(), s, g.count()), s)
}

// forRoot has the provider declare itself where nothing else would name it: an answer with a root alone finds it among the
// names that were declared last.
func (g *generator) forRoot(a *answer, s shape) *answer {
	if s == rootAlone && a.provider.name != g.newest && g.oneIn(2) {
		g.acknowledge(a.provider)
	}
	return a
}

// array writes an array whose elements are records.
func (g *generator) array() {
	g.put("[")
	for i := range 1 + g.below(4) {
		if i > 0 {
			g.put(",")
		}
		if g.oneIn(2) {
			g.put(g.eol + "  ")
		}
		if g.oneIn(5) {
			g.passOver(g.other())
			continue
		}
		g.write(g.elementAny(), style{})
	}
	g.put("]")
	g.endLine()
}

// elementAny is signedAny without a handshake_ack in front.
func (g *generator) elementAny() *answer {
	return g.signed(g.one(), shape(g.below(int(shapes))), g.count())
}

// bare makes a result without an envelope. A record of that form has no place for what some providers need.
func (g *generator) bare() *answer {
	p := g.one()
	if p.localID != "" || p.window {
		p = docs
		g.comeForward(p)
	}
	a := g.signed(p, shape(g.below(int(shapes))), g.count())
	a.bare = true
	return a
}

// retained makes a subset of a signed answer of which at most so many frames were kept.
func (g *generator) retained(keep int) *answer { return g.retainedOf(keep, keep+g.below(8)) }

func (g *generator) retainedOf(keep, n int) *answer {
	a := g.signed(g.one(), rootProofs, n)
	for len(a.frames) > keep {
		i := g.below(len(a.frames))
		a.frames = slices.Delete(a.frames, i, i+1)
		a.entries = slices.Delete(a.entries, i, i+1)
	}
	a.retained, a.rootOnFrame = true, false
	a.findings = append(a.findings, leafCountIsAClaim)
	return a
}

// other is a message of a type that is not judged.
func (g *generator) other() object {
	return []object{
		{{"type", "query"}, {"id", "q1"}, {"query", object{{"text", g.text()}}}},
		{{"type", "handshake"}, {"protocol_version", "contextgraph/1.0"}},
		{{"type", "cancel"}, {"id", "q1"}, {"format", "cgp-evidence/9"}},
		{{"type", "error"}, {"error", object{{"code", "unavailable"}, {"message", "try \"again\""}}}},
		{{"type", "x-frames"}, {"result", nil}},
	}[g.below(5)]
}

// passed writes a message that is passed over, as it is or as a line of a log.
func (g *generator) passed() {
	v := g.other()
	if g.oneIn(3) {
		v = object{{"format", "cgp-archive/1"}, {"received_at", "2026-08-29T12:00:00Z"}, {"envelope", v}}
	}
	g.passOver(v)
	g.endLine()
}

// logged writes an honest answer as a line of a log.
func (g *generator) logged() {
	a := g.signedAny()
	if a.receivedAt == "" {
		a.receivedAt = "2025-08-29T12:00:00.25Z"
	}
	if a.localID == "" && g.oneIn(2) {
		a.localID = a.provider.name
	}
	g.line(a)
}
