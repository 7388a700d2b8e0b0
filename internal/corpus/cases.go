package corpus

import "slices"

// A Case is one thing that can be wrong, or that an auditor must be told of, and how it is written.
type Case struct {
	Name  string
	place place
	write func(*generator)
}

type place int

const (
	inSession place = iota
	atFront         // in front of the first handshake_ack
	atBack          // the last of an input
)

// Cases returns the names of all cases.
func Cases() []string {
	var names []string
	for i := range cases {
		names = append(names, cases[i].Name)
	}
	return names
}

var cases = slices.Concat(frontCases, tamperCases, evidenceCases, keyCases, tellingCases, unreadableCases, limitCases, backCases)

// answerCase is a case in which one answer is written on a line.
func answerCase(name string, spoil func(*generator) *answer) Case {
	return Case{Name: name, write: func(g *generator) { g.line(spoil(g)) }}
}

// fresh is an honest answer of a shape of some provider of the session, that no name but its own is found for.
func (g *generator) fresh(s shape, n int) *answer {
	p := g.one()
	g.comeForward(p)
	return g.signed(p, s, n)
}

// anyShape returns one at random of some.
func (g *generator) anyShape(of ...shape) shape { return of[g.below(len(of))] }

// pick returns the index of one of an answer's frames.
func (g *generator) pick(a *answer) int { return g.below(len(a.frames)) }

// invalidRoot says that the result attestation is bad, and with it every proof under it.
func (a *answer) invalidRoot(differs bool) {
	if a.root == nil {
		return
	}
	a.rootState, a.differs = stateInvalid, differs
}

// spoilProofs gives every proof a state. They stand last on their frames.
func (a *answer) spoilProofs(state string) {
	for i, f := range a.frames {
		if i < len(a.entries) && a.entries[i].proof != nil {
			f.evidence[len(f.evidence)-1] = state
		}
	}
}
