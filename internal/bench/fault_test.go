package bench_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A fault changes one thing in a message, and takes it back.
type fault struct {
	what        string
	apply, undo func()
}

// faults returns every fault of a message that leaves each value of the type that the wire has for it, or null: what
// encoding/json reads too.
func faults(message object) []fault {
	var f faulter
	f.members("", message, nil)
	return f.found
}

type faulter struct{ found []fault }

// replace adds the fault that puts another value in the place of one.
func (f *faulter) replace(path, what string, set func(any), old, other any) {
	f.found = append(f.found, fault{path + " " + what, func() { set(other) }, func() { set(old) }})
}

// members visits the members of an object. The neighbour is the object next to it in an array, or nil.
func (f *faulter) members(path string, o, neighbour object) {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		value := o[name]
		set := func(v any) { o[name] = v }
		at := path + "." + name
		f.found = append(f.found, fault{at + " missing", func() { delete(o, name) }, func() { set(value) }})
		if other, ok := neighbour[name]; ok {
			f.replace(at, "of the neighbour", set, value, other)
		}
		for _, other := range elsewhere[name] {
			f.replace(at, "elsewhere", set, value, other)
		}
		f.value(at, value, neighbour[name], set)
	}
}

// elsewhere has values of members that mean something else than the honest one.
var elsewhere = map[string][]any{
	"key_id":     {"other", "renamed", "uppercase", "short", "identity", "nobody"},
	"algorithm":  {"Ed25519", "ed25519ph"},
	"leaf_index": {uint64(0), uint64(1<<53 + 1), uint64(1 << 63), uint64(math.MaxUint64)},
	"leaf_count": {uint64(0), uint64(1<<53 + 1), uint64(1 << 63), uint64(math.MaxUint64)},
}

// value visits one value.
func (f *faulter) value(path string, value, neighbour any, set func(any)) {
	f.replace(path, "null", set, value, nil)
	switch v := value.(type) {
	case string:
		f.replace(path, "empty", set, v, "")
		f.replace(path, "longer", set, v, v+"0")
		f.replace(path, "uppercase", set, v, strings.ToUpper(v))
		f.replace(path, "lowercase", set, v, strings.ToLower(v))
		f.replace(path, "without prefix", set, v, strings.TrimPrefix(v, "sha256:"))
		if runes := []rune(v); len(runes) > 0 {
			f.replace(path, "shorter", set, v, string(runes[1:]))
			last := 'a' + runes[len(runes)-1]&1 ^ 1 // in hexadecimal: another digit
			f.replace(path, "edited", set, v, string(runes[:len(runes)-1])+string(last))
		}
	case bool:
		f.replace(path, "flipped", set, v, !v)
	case uint64:
		f.replace(path, "one more", set, v, v+1)
		f.replace(path, "one less", set, v, v-1)
	case object:
		f.replace(path, "without members", set, v, object{})
		other, _ := neighbour.(object)
		f.members(path, v, other)
	case []any:
		f.array(path, v, set)
	case nil:
	default:
		panic(fmt.Sprintf("%s is a %T", path, v))
	}
}

func (f *faulter) array(path string, a []any, set func(any)) {
	f.replace(path, "without elements", set, a, []any{})
	reversed := slices.Clone(a)
	slices.Reverse(reversed)
	f.replace(path, "reversed", set, a, reversed)
	for i := range a {
		at, next := fmt.Sprintf("%s[%d]", path, i), (i+1)%len(a)
		f.replace(at, "dropped", set, a, slices.Delete(slices.Clone(a), i, i+1))
		f.replace(at, "doubled", set, a, slices.Insert(slices.Clone(a), i, a[i]))
		f.replace(at, "after a null", set, a, slices.Insert(slices.Clone(a), i, nil))
		var neighbour any
		if next != i {
			neighbour = a[next]
			swapped := slices.Clone(a)
			swapped[i], swapped[next] = swapped[next], swapped[i]
			f.replace(at, "swapped with the next", set, a, swapped)
			f.replace(at, "covered by the next", func(v any) { a[i] = v }, a[i], a[next])
		}
		f.value(at, a[i], neighbour, func(v any) { a[i] = v })
	}
}
