// Package corpus writes archives in which every fault is known: sessions of several providers as a host saves them, mostly
// honest, with tampering, damage and broken records in between, of any size, and what a verifier must find in them. Only
// tests and the command in generate import it.
//
// [Write] writes one input, [Folder] a folder of them; both return what is to be expected of a run with the trust file of
// [Trust], the local id and the instant of receipt of each record (verify --trust FILE --local-id archive --received-at
// archive). Memory does not depend on the size.
//
// The package is an oracle: it shares no code with commitment, merkle, sign, keys and archive, spells their codes itself, and
// takes commitments and trees from the naive reference of package bench.
package corpus

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// A Spec says what is written. Equal ones give equal bytes, on every machine.
type Spec struct {
	Seed  uint64
	Bytes int64 // at least so many, and few more; above some 40 GiB more providers declare themselves than a verifier takes

	// Cases names what is mixed into the honest answers; nil is all of Cases, an empty list none.
	Cases []string
	// Every makes one record group of so many a case; 0 is 4. With 1 nothing but cases is written.
	Every int
	// Limits are those that the verifier is given. Records over them are written where they are small beside Bytes, or where
	// Cases names the case.
	Limits Limits
	// Place is told of every answer and error in the order of the input; nil for nobody.
	Place func(Place)
}

// Limits are the limits of a record; a zero field is the default of the contract.
type Limits struct {
	Record                        int64
	Depth, Members, Frames, Links int
}

func (l Limits) withDefaults() Limits {
	if l.Record == 0 {
		l.Record = 64 << 20
	}
	if l.Depth == 0 {
		l.Depth = 128
	}
	if l.Members == 0 {
		l.Members = 100_000
	}
	if l.Frames == 0 {
		l.Frames = 1_000_000
	}
	if l.Links == 0 {
		l.Links = 10_000
	}
	return l
}

// A Place is where a report must name an answer or an error.
type Place struct {
	Record uint64 // from 1
	Offset int64
	Error  string // its code; "" for an answer
}

// Write writes one input and returns what is to be found in it.
func Write(w io.Writer, spec Spec) (*Expected, error) {
	g, err := newGenerator(w, spec)
	if err != nil {
		return nil, err
	}
	g.input()
	if g.err == nil {
		g.err = g.w.Flush()
	}
	if g.err != nil {
		return nil, fmt.Errorf("corpus: %w", g.err)
	}
	g.expected.conclude()
	return g.expected, nil
}

// A generator writes one input.
type generator struct {
	spec     Spec
	limits   Limits
	random   *rand.PCG // its stream is specified; that of the methods of rand.Rand is not
	w        *bufio.Writer
	off      int64
	err      error // the first of w
	expected *Expected

	body, front, back []*Case // those that were asked for
	turn              []*Case // of body, shuffled: what is still to come before any of them comes again
	heavy             map[string]int
	newest            string // the name that was declared last
	names             int    // how many unique names were used
	session           []*provider
	eol               string
}

func newGenerator(w io.Writer, spec Spec) (*generator, error) {
	g := &generator{
		spec: spec, limits: spec.Limits.withDefaults(), random: rand.NewPCG(spec.Seed, 1), w: bufio.NewWriterSize(w, 1<<16),
		expected: newExpected(), heavy: make(map[string]int), eol: "\n",
	}
	if g.spec.Every == 0 {
		g.spec.Every = 4
	}
	for i := range cases {
		c := &cases[i]
		if spec.Cases != nil && !slices.Contains(spec.Cases, c.Name) {
			continue
		}
		switch c.place {
		case atFront:
			g.front = append(g.front, c)
		case atBack:
			g.back = append(g.back, c)
		default:
			g.body = append(g.body, c)
		}
	}
	for _, name := range spec.Cases {
		if !slices.ContainsFunc(cases, func(c Case) bool { return c.Name == name }) {
			return nil, fmt.Errorf("corpus: there is no case %q", name)
		}
	}
	g.expected.Sources = 1
	return g, nil
}

// below returns a number from 0 to n−1.
func (g *generator) below(n int) int { return int(g.random.Uint64() % uint64(n)) }

// oneIn reports true once in n times.
func (g *generator) oneIn(n int) bool { return g.below(n) == 0 }

// input writes what can only stand in front of the first handshake_ack, then sessions, then what only the end of an input
// makes a fault.
func (g *generator) input() {
	for _, c := range g.front { // in the order of the table: a byte order mark comes first
		if len(g.front) == 1 || g.oneIn(2) {
			c.write(g)
		}
	}
	for first := true; first || g.off < g.spec.Bytes; first = false {
		g.writeSession()
	}
	if len(g.back) > 0 {
		g.back[g.below(len(g.back))].write(g)
	}
}

// writeSession writes the handshake_acks of some providers and answers of theirs.
func (g *generator) writeSession() {
	g.eol = "\n"
	if g.oneIn(4) {
		g.eol = "\r\n"
	}
	g.session = nil
	for range 2 + g.below(3) {
		if p := pool[g.below(len(pool))]; !slices.Contains(g.session, p) {
			g.session = append(g.session, p)
			g.acknowledge(p)
		}
	}
	for n := 8 + g.below(12); n > 0 && (g.off < g.spec.Bytes || g.spec.Bytes == 0); n-- {
		if c := g.nextCase(); c != nil {
			c.write(g)
			continue
		}
		g.honest()
	}
}

// nextCase returns the next case, or nil where something honest is due. Every case comes before any comes again.
func (g *generator) nextCase() *Case {
	if len(g.body) == 0 || !g.oneIn(g.spec.Every) {
		return nil
	}
	if len(g.turn) == 0 {
		g.turn = slices.Clone(g.body)
		for i := range g.turn {
			j := i + g.below(len(g.turn)-i)
			g.turn[i], g.turn[j] = g.turn[j], g.turn[i]
		}
	}
	c := g.turn[0]
	g.turn = g.turn[1:]
	return c
}

// unique returns a name that nothing in this run of the verifier has used, whatever the input.
func (g *generator) unique(what string) string {
	g.names++
	return fmt.Sprintf("%s-%x-%d", what, g.spec.Seed, g.names)
}

// put writes bytes that are no record.
func (g *generator) put(text string) {
	if g.err == nil {
		_, g.err = g.w.WriteString(text)
	}
	g.off += int64(len(text))
}

func (g *generator) endLine() { g.put(g.eol) }

// place gives the record to come its number.
func (g *generator) place(isAnswer bool, code string) {
	g.expected.Records++
	if g.spec.Place != nil && (isAnswer || code != "") {
		g.spec.Place(Place{Record: g.expected.Records, Offset: g.off, Error: code})
	}
}

// passOver writes a record that is counted and not judged.
func (g *generator) passOver(v any) {
	g.place(false, "")
	g.expected.PassedOver++
	g.put(g.encode(v))
}

// fault writes the text of a record that cannot be read.
func (g *generator) fault(code, text string) {
	g.faultHere(code)
	g.put(text)
}

// faultHere expects an error at the place that was reached.
func (g *generator) faultHere(code string) {
	g.place(false, code)
	g.expected.Unreadable++
	g.expected.Errors[code]++
}
