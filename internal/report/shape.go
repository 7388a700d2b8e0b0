package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"github.com/go-json-experiment/json/jsontext"
)

// A shape is the members of an object of the report, in the order in which they are written. One that ends in a question mark
// may be absent.
type shape struct {
	names    []string
	optional []bool
}

// maxMembers is how many members the largest shape has.
const maxMembers = 21

func shapeOf(members string) *shape {
	s := new(shape)
	for _, m := range strings.Fields(members) {
		name, optional := strings.CutSuffix(m, "?")
		s.names, s.optional = append(s.names, name), append(s.optional, optional)
	}
	return s
}

// find returns the place of a member, -1 where the shape has none of this name. It looks at the expected place first.
func (s *shape) find(name string, expected int) int {
	for i := range s.names {
		if k := (expected + i) % len(s.names); s.names[k] == name {
			return k
		}
	}
	return -1
}

// A decoder turns values of a report, each of which is known to be JSON, into what they were made of. It remembers the first
// fault; after that everything it returns is empty.
type decoder struct {
	at    []step
	err   error
	codes map[string]map[string]archive.Severity // of each set; severities of findings
}

// catalogCodes are the codes of each set of the catalog.
var catalogCodes = sync.OnceValue(func() map[string]map[string]archive.Severity {
	sets := make(map[string]map[string]archive.Severity)
	for _, set := range archive.Catalog() {
		codes := make(map[string]archive.Severity, len(set.Entries))
		for _, e := range set.Entries {
			codes[e.Code] = e.Severity
		}
		sets[set.Name] = codes
	}
	return sets
})

// A step is a member, or an element of an array where the name is empty.
type step struct {
	name  string
	index int
}

func newDecoder() *decoder {
	return &decoder{codes: catalogCodes()}
}

// fail remembers a fault of the value at hand.
func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s%s", ErrMalformed, d.place(), fmt.Sprintf(format, args...))
	}
}

// place says where the value at hand stands, with a colon behind it.
func (d *decoder) place() string {
	var place strings.Builder
	for _, s := range d.at {
		switch {
		case s.name == "":
			fmt.Fprintf(&place, "[%d]", s.index)
		case place.Len() > 0:
			place.WriteString("." + s.name)
		default:
			place.WriteString(s.name)
		}
	}
	if place.Len() > 0 {
		place.WriteString(": ")
	}
	return place.String()
}

// members are those of one object, taken one after the other in the order of its shape.
type members struct {
	d      *decoder
	shape  *shape
	values [maxMembers]jsontext.Value // nil: absent
	next   int
	depth  int
}

// object begins an object: a value that is none, or has a member twice, too few or too many, is a fault.
func (d *decoder) object(v jsontext.Value, s *shape) members {
	m := members{d: d, shape: s, depth: len(d.at)}
	if d.err == nil && strictjson.Kind(v) != jsontext.KindBeginObject {
		d.fail("it is %s, want an object", strictjson.KindName(v))
	}
	expected := 0
	if d.err == nil {
		for member := range strictjson.Members(v) {
			k := s.find(member.Name, expected)
			if k < 0 {
				d.fail("unknown member %s", quote(member.Name))
				break
			}
			if m.values[k] != nil {
				d.fail("member %s stands twice", quote(member.Name))
				break
			}
			m.values[k], expected = member.Value, k+1
		}
	}
	for k, name := range s.names {
		if d.err == nil && m.values[k] == nil && !s.optional[k] {
			d.fail("member %s is missing", quote(name))
		}
	}
	d.at = append(d.at, step{})
	return m
}

// take returns the next member of the shape, nil where it is absent or something is wrong already.
func (m *members) take() jsontext.Value {
	i := m.next
	m.next++
	m.d.at[m.depth] = step{name: m.shape.names[i]}
	if m.d.err != nil {
		return nil
	}
	return m.values[i]
}

// end leaves the object.
func (m *members) end() { m.d.at = m.d.at[:m.depth] }

// elements gives each element of an array.
func (d *decoder) elements(v jsontext.Value, each func(jsontext.Value)) {
	if d.err == nil && strictjson.Kind(v) != jsontext.KindBeginArray {
		d.fail("it is %s, want an array", strictjson.KindName(v))
	}
	if d.err != nil {
		return
	}
	i := 0
	d.at = append(d.at, step{})
	for e := range strictjson.Elements(v) {
		d.at[len(d.at)-1].index = i
		if each(e.Value); d.err != nil {
			return
		}
		i++
	}
	d.at = d.at[:len(d.at)-1]
}

func (m *members) text() string { return m.d.text(m.take()) }

func (d *decoder) text(v jsontext.Value) string {
	if d.err != nil {
		return ""
	}
	s, ok := strictjson.String(v)
	if !ok {
		d.fail("it is %s, want a string", strictjson.KindName(v))
	}
	return s
}

// optional returns a string that may be null.
func (m *members) optional() commitment.Optional {
	v := m.take()
	if m.d.err != nil || null(v) {
		return commitment.Optional{}
	}
	return commitment.Some(m.d.text(v))
}

// orNull returns a string, "" for null.
func (m *members) orNull() string { return m.optional().OrEmpty() }

// may returns the text of a member that may be absent.
func (m *members) may() string {
	v := m.take()
	if v == nil {
		return ""
	}
	return m.d.text(v)
}

func (m *members) texts() (list []string) {
	m.d.elements(m.take(), func(v jsontext.Value) { list = append(list, m.d.text(v)) })
	return list
}

func (m *members) boolean() bool {
	v := m.take()
	if m.d.err != nil {
		return false
	}
	b, ok := strictjson.Bool(v)
	if !ok {
		m.d.fail("it is %s, want true or false", strictjson.KindName(v))
	}
	return b
}

// count returns a whole number of at most this.
func (m *members) count(most uint64) uint64 {
	v := m.take()
	if m.d.err != nil {
		return 0
	}
	n, ok := strictjson.Uint64(v)
	if !ok || n > most {
		m.d.fail("it is %s, want a whole number from 0 to %d", terminal.Escape(string(v[:min(len(v), terminal.MaxEchoed)]), terminal.MaxEchoed), most)
		return 0
	}
	return n
}

func (m *members) offset() int64 { return int64(m.count(math.MaxInt64)) }

// index returns an index, -1 for null.
func (m *members) index() int {
	if v := m.values[m.next]; v != nil && null(v) {
		m.take()
		return -1
	}
	return int(m.count(math.MaxInt))
}

// decimal returns a number that stands as text.
func (d *decoder) decimal(v jsontext.Value) string {
	text := d.text(v)
	if _, ok := strictjson.Uint64(jsontext.Value(text)); !ok && d.err == nil {
		d.fail("it is %s, want a decimal number", quote(text))
	}
	return text
}

func (d *decoder) uint64s(v jsontext.Value) (list []uint64) {
	d.elements(v, func(v jsontext.Value) {
		n, _ := strconv.ParseUint(d.decimal(v), 10, 64) // a fault is remembered
		list = append(list, n)
	})
	return list
}

// code returns a code of a set of the catalog; of the sets in which a code may be missing "" is one.
func code[K ~string](m *members, set string) K { return K(m.d.code(m.text(), set)) }

// mayCode returns a code of a member that may be absent.
func mayCode[K ~string](m *members, set string) K {
	text := m.may()
	if text == "" {
		return ""
	}
	return K(m.d.code(text, set))
}

func (d *decoder) code(text, set string) string {
	if _, known := d.codes[set][text]; !known && d.err == nil {
		d.fail("%s is none of the %s of this version", quote(text), strings.ReplaceAll(set, "_", " "))
	}
	return text
}

func null(v jsontext.Value) bool { return strictjson.Kind(v) == jsontext.KindNull }
