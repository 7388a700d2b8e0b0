package archive

import (
	"cmp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// An edit puts text in the place of a span of the input. An insertion has an empty span.
type edit struct {
	span
	text []byte
}

// splice applies edits, whose spans may touch and not overlap. What is inserted at one place stands in the order of edits, in
// front of what takes the place of the bytes there. The input is not changed.
func splice(input []byte, edits []edit) []byte {
	size := len(input)
	for i := range edits {
		size += len(edits[i].text) - (edits[i].end - edits[i].start)
	}
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end))
	})
	out := make([]byte, 0, size)
	at := 0
	for _, e := range sorted {
		out = append(out, input[at:e.start]...)
		out = append(out, e.text...)
		at = e.end
	}
	return append(out, input[at:]...)
}

// An object is a JSON object of the input, with its members at their places in it.
type object struct {
	value   jsontext.Value
	base    int // offset of value in the input
	members []strictjson.Member
}

// readObject reads the object at a span of the record that starts at offset. It has at least one member.
func readObject(input []byte, offset int, at span) object {
	o := object{base: offset + at.start}
	o.value = jsontext.Value(input[o.base : offset+at.end])
	o.members = slices.Collect(strictjson.Members(o.value))
	return o
}

// find returns the index of the member of that name, -1 where there is none.
func (o *object) find(name string) int {
	return slices.IndexFunc(o.members, func(m strictjson.Member) bool { return m.Name == name })
}

// isAbsent reports whether a member that is to hold evidence or keys holds nothing: it is null or an array without elements.
func isAbsent(v jsontext.Value) bool {
	if isNull(v) {
		return true
	}
	if strictjson.Kind(v) != '[' {
		return false
	}
	for range strictjson.Elements(v) {
		return false
	}
	return true
}

// has reports whether the member is there and not absent.
func (o *object) has(name string) bool {
	i := o.find(name)
	return i >= 0 && !isAbsent(o.members[i].Value)
}

// put makes value the member's value: in the place of what is there, else behind the last member.
func (o *object) put(edits []edit, name string, value []byte) []edit {
	if i := o.find(name); i >= 0 {
		return append(edits, edit{o.spanOf(i), value})
	}
	return append(edits, o.insertion(name, value))
}

// putElements makes elements, JSON values with commas between, the member's elements. An array keeps its brackets and the
// white space inside them.
func (o *object) putElements(edits []edit, name string, elements []byte) []edit {
	if i := o.find(name); i >= 0 && strictjson.Kind(o.members[i].Value) == '[' {
		return append(edits, edit{o.elementsOf(i), elements})
	}
	return o.put(edits, name, slices.Concat([]byte("["), elements, []byte("]")))
}

// addElement adds an element behind the last one of the member's array.
func (o *object) addElement(edits []edit, name string, element []byte) []edit {
	if !o.has(name) {
		return o.putElements(edits, name, element)
	}
	last := o.elementsOf(o.find(name)).end
	return append(edits, edit{span{last, last}, slices.Concat([]byte(","), element)})
}

// remove takes a member out, with the comma in front of it, or where it is the first the one behind it. It may not be the only
// one.
func (o *object) remove(edits []edit, name string) []edit {
	i := o.find(name)
	cut := span{o.base + o.members[i].NameStart, o.base + o.members[i].End}
	if i > 0 {
		cut.start = o.base + o.members[i-1].End
	} else {
		cut.end = o.base + o.members[i+1].NameStart
	}
	return append(edits, edit{span: cut})
}

// insertion writes a member behind the last one.
func (o *object) insertion(name string, value []byte) edit {
	end := o.base + o.members[len(o.members)-1].End
	return edit{span{end, end}, slices.Concat([]byte(`,"`+name+`":`), value)}
}

func (o *object) spanOf(i int) span {
	return span{o.base + o.members[i].Start, o.base + o.members[i].End}
}

// elementsOf returns the span from the first element of an array to its last; in an empty one the place behind its bracket.
func (o *object) elementsOf(i int) span {
	array := o.members[i]
	start := o.base + array.Start
	at := span{start + 1, start + 1}
	first := true
	for e := range strictjson.Elements(array.Value) {
		if first {
			at.start = start + e.Start
		}
		at.end, first = start+e.End, false
	}
	return at
}
