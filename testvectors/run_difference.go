package testvectors

import (
	"fmt"
	"slices"
	"strings"
)

// A Difference is the first place in which two values differ.
type Difference struct {
	Path string // as in value.answers[0].class
	Want string // JSON, "" where nothing may stand
	Got  string // JSON, "" where nothing stands
	At   int    // the first character that differs, of strings that are both long; else -1
}

// longText is the length from which it is said where two strings differ.
const longText = 72

// firstDifference returns the first difference below a path, nil where there is none.
func firstDifference(path string, want, got any) *Difference {
	if equal(want, got) {
		return nil
	}
	switch w := want.(type) {
	case Object:
		g, ok := got.(Object)
		if !ok {
			break
		}
		for _, m := range w {
			v, ok := g.Find(m.Name)
			if !ok {
				return &Difference{path + "." + m.Name, string(marshal(m.Value)), "", -1}
			}
			if d := firstDifference(path+"."+m.Name, m.Value, v); d != nil {
				return d
			}
		}
		for _, m := range g {
			if _, ok := w.Find(m.Name); !ok {
				return &Difference{path + "." + m.Name, "", string(marshal(m.Value)), -1}
			}
		}
	case List:
		g, ok := got.(List)
		if !ok {
			break
		}
		for i := range max(len(w), len(g)) {
			place := fmt.Sprintf("%s[%d]", path, i)
			switch {
			case i >= len(g):
				return &Difference{place, string(marshal(w[i])), "", -1}
			case i >= len(w):
				return &Difference{place, "", string(marshal(g[i])), -1}
			}
			if d := firstDifference(place, w[i], g[i]); d != nil {
				return d
			}
		}
	case string:
		if g, ok := got.(string); ok && len(w) >= longText && len(g) >= longText {
			at := 0
			for at < min(len(w), len(g)) && w[at] == g[at] {
				at++
			}
			return &Difference{path, string(marshal(w)), string(marshal(g)), at}
		}
	}
	return &Difference{path, string(marshal(want)), string(marshal(got)), -1}
}

// differSteps compares the intermediate values that an implementation gives with those of a case, in the order of the case. Those
// that one of the two does not have say nothing; right are the names of those that are as they should be.
func differSteps(want, got Object) (d *Difference, right []string) {
	for _, m := range want {
		v, ok := got.Find(m.Name)
		if !ok {
			continue
		}
		if text, ok := v.(string); ok { // a hash may be written as a digest
			v = strings.TrimPrefix(text, "sha256:")
		}
		if d := firstDifference("steps."+m.Name, m.Value, v); d != nil {
			return d, right
		}
		right = append(right, m.Name)
	}
	return nil, right
}

// causesOf returns the causes of those near misses of a case that are an answer, each once.
func causesOf(c *Case, got Result) []string {
	var found []string
	for _, n := range c.NearMiss {
		if n.Result.Equal(got) && !slices.Contains(found, n.Cause) {
			found = append(found, n.Cause)
		}
	}
	return found
}

// String is the object as JSON; nil is an empty one.
func (o Object) String() string { return string(marshal(o)) }
