package testvectors

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
)

// Format is the format of a file of cases, and of its manifest.
const Format = "cgp-attest-vectors/1"

// Policy says what an implementation owes to a case.
type Policy string

const (
	MustAccept Policy = "must_accept"
	MustReject Policy = "must_reject"
	MayDiffer  Policy = "may_differ" // for the reason that the case gives
)

// A Result is an answer to a case: exactly one of a value, a verdict and an error, or none where the op is not supported.
type Result struct {
	Value       any // of a Result that is neither a verdict nor an error; null is a value
	Verdict     string
	Error       string
	Unsupported bool
}

// Equal reports whether two results are the same answer.
func (r Result) Equal(other Result) bool {
	return r.Unsupported == other.Unsupported && r.Verdict == other.Verdict && r.Error == other.Error && equal(r.Value, other.Value)
}

// String is the answer as JSON.
func (r Result) String() string { return string(marshal(r.object())) }

func (r Result) object() Object {
	switch {
	case r.Unsupported:
		return object("unsupported", true)
	case r.Error != "":
		return object(memberError, r.Error)
	case r.Verdict != "":
		return object(memberVerdict, r.Verdict)
	}
	return object(memberValue, r.Value)
}

// A NearMiss is what an implementation with one typical bug answers.
type NearMiss struct {
	Result Result
	Cause  string // one of Causes
}

// A Case is one question and its answer. Every member is data: no case lives in code alone.
type Case struct {
	ID       string // for ever: what stands under it never changes once it is released
	Title    string
	Why      string
	Rules    []string // of the specification, as in §6.5.1 and F14
	Flags    []string // of Flags
	Since    string   // the first release that had it
	Requires []string // what an implementation must have to be asked, as in algorithm:NAME
	Op       string
	Input    Object
	Expect   Result
	Steps    Object // intermediate values, nil for none
	Base     string // the case that Mutation makes this one of, "" for none
	Mutation *Mutation
	NearMiss []NearMiss
	Policy   Policy
	Reason   string // of MayDiffer
}

// Negative reports whether the case is there to be refused, or, where its op yields a value, to be told from a near miss.
func (c *Case) Negative() bool {
	if c.Policy == MustReject {
		return true
	}
	return slices.ContainsFunc(c.NearMiss, func(n NearMiss) bool { return !n.Result.Equal(c.Expect) })
}

// Members of a case.
const (
	memberID       = "id"
	memberTitle    = "title"
	memberWhy      = "why"
	memberRules    = "rules"
	memberFlags    = "flags"
	memberSince    = "since"
	memberRequires = "requires"
	memberOp       = "op"
	memberInput    = "input"
	memberExpect   = "expect"
	memberSteps    = "steps"
	memberBase     = "base"
	memberMutation = "mutation"
	memberNearMiss = "near_miss"
	memberPolicy   = "policy"
	memberReason   = "reason"
	memberValue    = "value"
	memberVerdict  = "verdict"
	memberError    = "error"
	memberCause    = "cause"
)

// object returns the case as JSON, its members in their fixed order; members that say nothing are left out.
func (c *Case) object() Object {
	o := object(memberID, c.ID, memberTitle, c.Title, memberWhy, c.Why, memberRules, texts(c.Rules), memberFlags, texts(c.Flags),
		memberSince, c.Since, memberRequires, texts(c.Requires), memberOp, c.Op, memberInput, c.Input, memberExpect, c.Expect.object())
	if c.Steps != nil {
		o = append(o, Member{memberSteps, c.Steps})
	}
	if c.Base != "" {
		o = append(o, Member{memberBase, c.Base}, Member{memberMutation, c.Mutation.object()})
	}
	if len(c.NearMiss) > 0 {
		list := List{}
		for _, n := range c.NearMiss {
			list = append(list, append(n.Result.object(), Member{memberCause, n.Cause}))
		}
		o = append(o, Member{memberNearMiss, list})
	}
	o = append(o, Member{memberPolicy, string(c.Policy)})
	if c.Reason != "" {
		o = append(o, Member{memberReason, c.Reason})
	}
	return o
}

func texts(list []string) List {
	out := make(List, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func (m *Mutation) object() Object {
	switch m.Op {
	case "":
		return object("bytes", m.Path, "at", integer(m.At), "delete", integer(m.Delete), "insert", hex.EncodeToString(m.Insert))
	case "remove":
		return object(memberOp, m.Op, "path", m.Path)
	case "move", "copy":
		return object(memberOp, m.Op, "from", m.From, "path", m.Path)
	}
	return object(memberOp, m.Op, "path", m.Path, memberValue, m.Value)
}

// A reader takes a value apart and keeps the first thing that is wrong with it.
type reader struct {
	where string
	err   error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(r.where+": "+format, args...)
	}
}

// closed demands that an object has no member but those named.
func (r *reader) closed(o Object, names ...string) {
	for _, m := range o {
		if !slices.Contains(names, m.Name) {
			r.fail("unknown member %.80q", m.Name)
		}
	}
}

func (r *reader) object(v any) Object {
	o, ok := v.(Object)
	if !ok {
		r.fail("want an object")
	}
	return o
}

// take returns a member of type T, which must be there.
func take[T any](r *reader, o Object, name string) (v T) {
	found, _ := o.Find(name)
	v, ok := found.(T)
	if !ok {
		r.fail("member %s is missing or of another type", name)
	}
	return v
}

// takeOr returns a member of type T, or the zero value where it is missing.
func takeOr[T any](r *reader, o Object, name string) (v T) {
	if _, ok := o.Find(name); !ok {
		return v
	}
	return take[T](r, o, name)
}

func (r *reader) strings(o Object, name string) []string {
	var out []string
	for _, v := range take[List](r, o, name) {
		s, ok := v.(string)
		if !ok {
			r.fail("%s: want strings", name)
		}
		out = append(out, s)
	}
	return out
}

func (r *reader) integer(o Object, name string) int {
	var n int
	text := take[Number](r, o, name)
	if _, err := fmt.Sscanf(string(text), "%d", &n); err != nil || n < 0 || string(text) != fmt.Sprint(n) {
		r.fail("%s: want a number from 0 on", name)
	}
	return n
}

func (r *reader) result(o Object) (out Result) {
	found := 0
	for _, name := range []string{memberValue, memberVerdict, memberError} {
		if _, ok := o.Find(name); ok {
			found++
		}
	}
	if found != 1 {
		r.fail("want exactly one of value, verdict and error")
		return out
	}
	out.Value, _ = o.Find(memberValue)
	out.Verdict = takeOr[string](r, o, memberVerdict)
	out.Error = takeOr[string](r, o, memberError)
	return out
}

// parseCase reads one case. What it does not know is an error.
func parseCase(v any) (*Case, error) {
	r := &reader{where: "case"}
	o := r.object(v)
	c := &Case{ID: take[string](r, o, memberID)}
	r.where = fmt.Sprintf("case %.80q", c.ID)
	r.closed(o, memberID, memberTitle, memberWhy, memberRules, memberFlags, memberSince, memberRequires, memberOp, memberInput, memberExpect,
		memberSteps, memberBase, memberMutation, memberNearMiss, memberPolicy, memberReason)
	c.Title, c.Why = take[string](r, o, memberTitle), take[string](r, o, memberWhy)
	c.Rules, c.Flags = r.strings(o, memberRules), r.strings(o, memberFlags)
	c.Since, c.Requires = take[string](r, o, memberSince), r.strings(o, memberRequires)
	c.Op, c.Input = take[string](r, o, memberOp), take[Object](r, o, memberInput)
	expect := take[Object](r, o, memberExpect)
	r.closed(expect, memberValue, memberVerdict, memberError)
	c.Expect = r.result(expect)
	c.Steps = takeOr[Object](r, o, memberSteps)
	c.Base = takeOr[string](r, o, memberBase)
	if m := takeOr[Object](r, o, memberMutation); m != nil {
		c.Mutation = r.mutation(m)
	}
	if (c.Base != "") != (c.Mutation != nil) {
		r.fail("base and mutation come together")
	}
	for _, v := range takeOr[List](r, o, memberNearMiss) {
		n := r.object(v)
		r.closed(n, memberValue, memberVerdict, memberError, memberCause)
		c.NearMiss = append(c.NearMiss, NearMiss{Result: r.result(n), Cause: take[string](r, n, memberCause)})
	}
	c.Policy = Policy(take[string](r, o, memberPolicy))
	c.Reason = takeOr[string](r, o, memberReason)
	return c, r.err
}

func (r *reader) mutation(o Object) *Mutation {
	if _, ok := o.Find("bytes"); ok {
		r.closed(o, "bytes", "at", "delete", "insert")
		m := &Mutation{Path: take[string](r, o, "bytes"), At: r.integer(o, "at"), Delete: r.integer(o, "delete")}
		var err error
		if m.Insert, err = hex.DecodeString(take[string](r, o, "insert")); err != nil {
			r.fail("insert: %w", err)
		}
		return m
	}
	m := &Mutation{Op: take[string](r, o, memberOp), Path: take[string](r, o, "path")}
	switch m.Op {
	case "add", "replace":
		r.closed(o, memberOp, "path", memberValue)
		var ok bool
		if m.Value, ok = o.Find(memberValue); !ok {
			r.fail("%s without a value", m.Op)
		}
	case "move", "copy":
		r.closed(o, memberOp, "path", "from")
		m.From = take[string](r, o, "from")
	case "remove":
		r.closed(o, memberOp, "path")
	default:
		r.fail("unknown operation %.40q", m.Op)
	}
	return m
}

// A File is one class of cases.
type File struct {
	Name  string // of the class, and of the file without its ending
	Cases []*Case
}

// The members in front of the cases of every file.
const (
	spec      = "contextgraph/1.0"
	generator = "cgp-attest vectors generate"
)

// oracles are the independent implementations whose answers were compared with those of the library, and in which classes; nil is
// every class.
var oracles = []struct {
	name    string
	classes []string
}{
	{"testvectors/oracle/python (written from the text of the protocol alone)", nil},
	{"testvectors/oracle/node (written in the same way, in another language)", []string{
		"encode", "chain", "commitment", "order", "merkle", "proof", "ed25519", "verify", "content", "window", "range"}},
	{"internal/bench (the naive reference, where it has the question)", []string{
		"encode", "chain", "commitment", "order", "merkle", "proof", "ed25519", "verify", "content", "trust", "window", "range", "wire", "answer", "retain"}},
}

// oraclesOf returns the names of those that have a class.
func oraclesOf(class string) (names []string) {
	for _, o := range oracles {
		if o.classes == nil || slices.Contains(o.classes, class) {
			names = append(names, o.name)
		}
	}
	return names
}

// marshal returns the file: a member of a case a line.
func (f *File) marshal() []byte {
	used := make(map[string]bool)
	for _, c := range f.Cases {
		for _, flag := range c.Flags {
			used[flag] = true
		}
	}
	meanings := Object{}
	for _, flag := range Flags() {
		if used[flag.Name] {
			meanings = append(meanings, Member{flag.Name, flag.object()})
		}
	}
	b := []byte("{\n")
	head := object("format", Format, "spec", spec, "generator", generator, "class", f.Name, "oracles", texts(oraclesOf(f.Name)))
	for _, m := range head {
		b = append(appendValue(append(appendText(append(b, "  "...), m.Name), ": "...), m.Value), ",\n"...)
	}
	b = append(b, "  \"flags\": {"...)
	for i, m := range meanings {
		b = append(appendText(append(b, separator(i, "\n    ")...), m.Name), ": "...)
		b = appendValue(b, m.Value)
	}
	b = fmt.Appendf(b, "\n  },\n  \"count\": %d,\n  \"cases\": [", len(f.Cases))
	for i, c := range f.Cases {
		b = append(b, separator(i, "\n    {")...)
		for k, m := range c.object() {
			b = append(appendText(append(b, separator(k, "\n      ")...), m.Name), ": "...)
			b = appendValue(b, m.Value)
		}
		b = append(b, "\n    }"...)
	}
	return append(b, "\n  ]\n}\n"...)
}

// separator is what stands in front of element i.
func separator(i int, indent string) string {
	if i == 0 {
		return indent
	}
	return "," + indent
}

// ErrFormat is a file that is none of test vectors, or one that the format does not allow.
var ErrFormat = errors.New("no file of test vectors")

// ParseFile reads a file of cases strictly: what the format does not have is an error.
func ParseFile(text []byte) (*File, error) {
	v, err := parseValue(text)
	if err != nil {
		return nil, fmt.Errorf("testvectors: %w: %w", ErrFormat, err)
	}
	r := &reader{where: "file"}
	o := r.object(v)
	r.closed(o, "format", "spec", "generator", "class", "oracles", memberFlags, "count", "cases")
	if take[string](r, o, "format") != Format {
		r.fail("format: want %q", Format)
	}
	take[string](r, o, "spec")
	take[string](r, o, "generator")
	f := &File{Name: take[string](r, o, "class")}
	if len(r.strings(o, "oracles")) == 0 {
		r.fail("oracles: want one implementation at least")
	}
	flags := take[Object](r, o, memberFlags)
	for _, m := range flags {
		known := slices.IndexFunc(Flags(), func(flag Flag) bool { return flag.Name == m.Name })
		if known < 0 || !equal(Flags()[known].object(), m.Value) {
			r.fail("flag %.40q is not as it is known here", m.Name)
		}
	}
	count := r.integer(o, "count")
	for _, v := range take[List](r, o, "cases") {
		c, err := parseCase(v)
		if err != nil {
			r.fail("%w", err)
			break
		}
		for _, flag := range c.Flags {
			if _, ok := flags.Find(flag); !ok {
				r.fail("case %s: flag %.40q is not in the file's flags", c.ID, flag)
			}
		}
		f.Cases = append(f.Cases, c)
	}
	if count != len(f.Cases) {
		r.fail("count is %d, and there are %d cases", count, len(f.Cases))
	}
	if r.err != nil {
		return nil, fmt.Errorf("testvectors: %w: %w", ErrFormat, r.err)
	}
	return f, nil
}
