package testvectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// release is what stands in the since of a case that is made now.
const release = "1"

// A generation makes all cases, class by class.
type generation struct {
	files []*File
	cases map[string]*Case
	err   error
}

// A class collects the cases of one file.
type class struct {
	*generation
	file  *File
	rules []string // of cases that name none
	flags []string // of cases that name none
}

// generators make the classes, in the order of their files.
var generators = []struct {
	name string
	make func(*class)
}{
	{"encode", generateEncode},
	{"chain", generateChain},
	{"commitment", generateCommitment},
	{"order", generateOrder},
	{"merkle", generateMerkle},
	{"proof", generateProof},
	{"ed25519", generateEd25519},
	{"verify", generateVerify},
	{"content", generateContent},
	{"keys", generateKeyFiles},
	{"trust", generateTrust},
	{"edit", generateEdits},
	{"window", generateWindow},
	{"range", generateRange},
	{"wire", generateWire},
	{"storage", generateStorage},
	{"list", generateList},
	{"answer", generateAnswer},
	{"provenance", generateFileLinks},
	{"retain", generateRetain},
	{"sign", generateSign},
	{"request", generateRequest},
	{"algorithms", generateAlgorithms},
}

// Classes returns the names of the classes.
func Classes() []string {
	var names []string
	for _, g := range generators {
		names = append(names, g.name)
	}
	return names
}

// Make makes every case anew. The same program makes the same cases: there is no clock and no randomness in it. An error names a
// case whose answer is not what it was made for.
func Make() ([]*File, error) {
	g := &generation{cases: make(map[string]*Case)}
	for _, gen := range generators {
		c := &class{generation: g, file: &File{Name: gen.name}}
		g.files = append(g.files, c.file)
		gen.make(c)
		if make := more[gen.name]; make != nil {
			make(c)
		}
	}
	if g.err != nil {
		return nil, fmt.Errorf("testvectors: %w", g.err)
	}
	return g.files, nil
}

func (g *generation) fail(format string, args ...any) {
	g.err = errors.Join(g.err, fmt.Errorf(format, args...))
}

// An option says more about a case.
type option func(*Case)

func rules(names ...string) option { return func(c *Case) { c.Rules = names } }
func flagged(names ...string) option {
	return func(c *Case) { c.Flags = names }
}

// verdict and fails say what a case was made for. Where neither does, the op yields a value, which the library computes.
func verdict(name string) option { return func(c *Case) { c.Expect = Result{Verdict: name} } }
func fails(name string) option   { return func(c *Case) { c.Expect = Result{Error: name} } }

// value says what a case whose value can be written down was made for.
func value(v any) option { return func(c *Case) { c.Expect = Result{Value: v} } }

// near adds what an implementation with one bug answers, unless that is the right answer too.
func near(cause string, r Result) option {
	return func(c *Case) { c.NearMiss = append(c.NearMiss, NearMiss{r, cause}) }
}

func nearValue(cause string, v any) option         { return near(cause, Result{Value: v}) }
func nearVerdict(cause string, name string) option { return near(cause, Result{Verdict: name}) }

// mayDiffer leaves the answer to the implementation.
func mayDiffer(reason string) option {
	return func(c *Case) { c.Policy, c.Reason = MayDiffer, reason }
}

// good are the verdicts that accept something.
var good = []string{valid, validIdentityOnly, contentMatch, inService, "well_formed", "before", "equal", "after"}

// add completes a case and takes it into the file.
func (c *class) add(n *Case, opts []option) *Case {
	n.Since, n.Requires = release, []string{}
	for _, opt := range opts {
		opt(n)
	}
	if n.Rules == nil {
		n.Rules = c.rules
	}
	if n.Flags == nil {
		n.Flags = c.flags
	}
	got := Answer(n.Op, n.Input)
	switch {
	case n.Expect == (Result{}):
		if got.Error != "" || got.Verdict != "" {
			c.fail("%s: the library answers %s, want a value", n.ID, got)
		}
		n.Expect = got
	case !got.Equal(n.Expect):
		c.fail("%s: the library answers %s, the case was made for %s", n.ID, got, n.Expect)
	}
	n.NearMiss = slices.DeleteFunc(n.NearMiss, func(m NearMiss) bool { return m.Result.Equal(n.Expect) })
	n.Steps = stepsOf(n.Op, n.Input)
	if n.Policy == "" {
		n.Policy = MustAccept
		if n.Expect.Error != "" || n.Expect.Verdict != "" && !slices.Contains(good, n.Expect.Verdict) {
			n.Policy = MustReject
		}
	}
	if c.cases[n.ID] != nil {
		c.fail("%s: there are two cases of this id", n.ID)
	}
	c.cases[n.ID] = n
	c.file.Cases = append(c.file.Cases, n)
	return n
}

// pass adds a case that stands on its own: the twin that others are made of.
func (c *class) pass(id, title, why, op string, input Object, opts ...option) *Case {
	return c.add(&Case{ID: id, Title: title, Why: why, Op: op, Input: input}, opts)
}

// twist adds the case that one change makes of another.
func (c *class) twist(base, id, title, why string, m Mutation, opts ...option) *Case {
	from := c.cases[base]
	if from == nil {
		c.fail("%s: there is no base %s", id, base)
		return &Case{}
	}
	input, err := m.Apply(from.Input)
	if err != nil {
		c.fail("%s: %w", id, err)
		return &Case{}
	}
	return c.add(&Case{ID: id, Title: title, Why: why, Op: from.Op, Input: input, Base: base, Mutation: &m}, opts)
}

// Changes.

func replace(path string, v any) Mutation {
	return Mutation{Op: "replace", Path: inputPath + path, Value: v}
}
func added(path string, v any) Mutation { return Mutation{Op: "add", Path: inputPath + path, Value: v} }
func removed(path string) Mutation      { return Mutation{Op: "remove", Path: inputPath + path} }
func moved(from, path string) Mutation {
	return Mutation{Op: "move", From: inputPath + from, Path: inputPath + path}
}

// edited is the change of the first occurrence of old in the text of a case.
func (c *class) edited(base, old, new string) Mutation {
	var text string
	if from := c.cases[base]; from != nil {
		text, _, _ = from.Input.text("text")
	}
	at := strings.Index(text, old)
	if at < 0 {
		c.fail("%s: its text does not hold %q", base, old)
		at = 0
	}
	return Mutation{Path: inputPath + "/text", At: at, Delete: len(old), Insert: []byte(new)}
}

// editedLast is edited for the last occurrence.
func (c *class) editedLast(base, old, new string) Mutation {
	m := c.edited(base, old, new)
	text, _, _ := c.cases[base].Input.text("text")
	m.At = strings.LastIndex(text, old)
	return m
}

// repeated is a text n times, and then more of it.
func repeated(text string, n int, then ...any) Object {
	o := object("repeat", List{text, integer(n)})
	if len(then) > 0 {
		o = append(o, Member{"then", then[0]})
	}
	return o
}

// plural numbers things in titles.
func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}
