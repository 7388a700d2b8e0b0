package testvectors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// What a release owes.
const (
	minCases    = 600
	minNegative = 3  // of each class
	maxShare    = 15 // percent of all cases in one class
)

// A Checked says what a check found.
type Checked struct {
	Cases, Negative int
	Skipped         int      // for want of what they require
	Faults          []string // what is wrong, in words; nil for nothing
}

func (r *Checked) fault(format string, args ...any) {
	r.Faults = append(r.Faults, fmt.Sprintf(format, args...))
}

// Check recomputes everything in a folder of cases: each answer with this library and, where one is given, with an oracle; that
// every case is exactly one change away from its base; counts, flags, causes, and the sums of MANIFEST.json. The error is one of
// reading: then nothing was checked, or not all.
func Check(ctx context.Context, folder fs.FS, oracle Oracle) (*Checked, error) {
	classes, err := Load(folder)
	if err != nil {
		return nil, err
	}
	r := &Checked{}
	r.checkManifest(folder, classes)
	r.checkCounts(classes)
	all := make(map[string]*Case)
	for _, f := range classes {
		for _, c := range f.Cases {
			if all[c.ID] != nil {
				r.fault("%s: there are two cases of this id", c.ID)
			}
			all[c.ID] = c
		}
	}
	for _, f := range classes {
		for _, c := range f.Cases {
			if err := ctx.Err(); err != nil {
				return r, err
			}
			r.checkCase(c, all)
			if !supports(c) {
				r.Skipped++
				continue
			}
			if got := Answer(c.Op, c.Input); !got.Equal(c.Expect) {
				r.fault("%s: this library answers %s, want %s", c.ID, got, c.Expect)
			}
			if got := stepsOf(c.Op, c.Input); !equal(orNone(got), orNone(c.Steps)) {
				r.fault("%s: the steps are not those that this library takes", c.ID)
			}
			if oracle == nil {
				continue
			}
			got, err := oracle.Answer(c)
			if err != nil {
				return r, fmt.Errorf("testvectors: %s: %w", c.ID, err)
			}
			if !got.Equal(c.Expect) {
				r.fault("%s: the oracle answers %s, want %s", c.ID, got, c.Expect)
			}
		}
	}
	return r, nil
}

func orNone(o Object) any {
	if o == nil {
		return nil
	}
	return o
}

// checkCase judges what a case says of itself.
func (r *Checked) checkCase(c *Case, all map[string]*Case) {
	r.Cases++
	if c.Negative() {
		r.Negative++
	}
	if c.Title == "" || c.Why == "" || len(c.Rules) == 0 || len(c.Flags) == 0 || c.Since == "" {
		r.fault("%s: title, why, rules, flags and since may not be empty", c.ID)
	}
	if c.ID == "" || strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		r.fault("%q is no id: lowercase letters, digits, - and _", c.ID)
	}
	if !slices.Contains(Ops(), c.Op) {
		r.fault("%s: op %.40q is not known", c.ID, c.Op)
	}
	switch c.Policy {
	case MustAccept, MustReject:
		if c.Reason != "" {
			r.fault("%s: a reason belongs to %s", c.ID, MayDiffer)
		}
	case MayDiffer:
		if c.Reason == "" {
			r.fault("%s: %s without a reason", c.ID, MayDiffer)
		}
	default:
		r.fault("%s: policy %.40q is not known", c.ID, c.Policy)
	}
	for _, n := range c.NearMiss {
		if !isCause(n.Cause) {
			r.fault("%s: cause %.60q is not known", c.ID, n.Cause)
		}
		if n.Result.Equal(c.Expect) {
			r.fault("%s: the near miss %s is the answer", c.ID, n.Cause)
		}
	}
	if c.Base == "" {
		if c.Policy == MustReject && c.Reason == "" && !standsAlone[c.ID] {
			r.fault("%s: a case to be refused has a base", c.ID)
		}
		return
	}
	base := all[c.Base]
	if base == nil {
		r.fault("%s: there is no base %.80q", c.ID, c.Base)
		return
	}
	if base.Op != c.Op {
		r.fault("%s: its base asks another op", c.ID)
	}
	changed, err := c.Mutation.Apply(base.Input)
	if err != nil {
		r.fault("%s: %v", c.ID, err)
		return
	}
	if !equal(changed, c.Input) {
		r.fault("%s: its mutation does not make its input of that of %s", c.ID, c.Base)
	}
}

// standsAlone are cases to be refused that no one change makes of a case to be accepted.
var standsAlone = map[string]bool{"proof-inner-as-leaf": true, "retain-unsigned": true}

func (r *Checked) checkCounts(classes []*File) {
	total, negative := 0, 0
	used := make(map[string]bool)
	for _, f := range classes {
		n := 0
		for _, c := range f.Cases {
			if c.Negative() {
				n++
			}
			for _, flag := range c.Flags {
				used[flag] = true
			}
		}
		if n < minNegative || n == len(f.Cases) {
			r.fault("class %s: %d of %d cases are negative, want %d at least and some that pass", f.Name, n, len(f.Cases), minNegative)
		}
		total, negative = total+len(f.Cases), negative+n
	}
	for _, f := range classes {
		if 100*len(f.Cases) > maxShare*total {
			r.fault("class %s: %d of %d cases, want %d %% at most", f.Name, len(f.Cases), total, maxShare)
		}
	}
	if total < minCases || 2*negative < total {
		r.fault("%d cases, %d of them negative: want %d at least, and half of them negative", total, negative, minCases)
	}
	for _, flag := range Flags() {
		if !used[flag.Name] {
			r.fault("flag %s is used by no case", flag.Name)
		}
	}
}

// checkManifest compares the manifest with the folder: with every file's sum, and with the files that belong to these cases.
func (r *Checked) checkManifest(folder fs.FS, classes []*File) {
	found := make(map[string][]byte)
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		found[name], err = fs.ReadFile(folder, name)
		return err
	})
	if err != nil {
		r.fault("%v", err)
		return
	}
	stated, err := parseManifest(found[ManifestName])
	if err != nil {
		r.fault("%s: %v", ManifestName, err)
		return
	}
	delete(found, ManifestName)
	for name, text := range found {
		sum := sha256.Sum256(text)
		if want, ok := stated[name]; !ok || want != hexOf(sum[:]) {
			r.fault("%s: its SHA-256 is not the one in %s", name, ManifestName)
		}
		delete(stated, name)
	}
	for name := range stated {
		r.fault("%s stands in %s and is missing", name, ManifestName)
	}
	want, err := files(classes)
	if err != nil {
		r.fault("%v", err)
		return
	}
	for name, text := range want {
		if name != ManifestName && !strings.HasPrefix(name, schemaFolder) && !bytes.Equal(text, found[name]) {
			r.fault("%s is not what its cases give", name)
		}
	}
	slices.Sort(r.Faults)
}

var errManifest = errors.New("no manifest of test vectors")

// parseManifest returns the sums by name.
func parseManifest(text []byte) (map[string]string, error) {
	v, err := parseValue(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errManifest, err)
	}
	rd := &reader{where: ManifestName}
	o := rd.object(v)
	rd.closed(o, "format", "version", "count", "negative", "counts", "sha256")
	if take[string](rd, o, "format") != Format {
		rd.fail("format: want %q", Format)
	}
	take[string](rd, o, "version")
	total := 0
	for _, m := range take[Object](rd, o, "counts") {
		var n int
		number, _ := m.Value.(Number)
		if _, err := fmt.Sscan(string(number), &n); err != nil {
			rd.fail("counts.%s: want a number", m.Name)
		}
		total += n
	}
	if rd.integer(o, "count") != total {
		rd.fail("count is not the sum of counts")
	}
	rd.integer(o, "negative")
	sums := make(map[string]string)
	for _, m := range take[Object](rd, o, "sha256") {
		sums[m.Name], _ = m.Value.(string)
	}
	return sums, rd.err
}
