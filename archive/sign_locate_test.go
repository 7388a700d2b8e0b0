package archive_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"
)

// A place is a JSON value of a text with its offsets, read with encoding/json: a second opinion on where something stands, for
// texts that hold no duplicate names.
type place struct {
	start, end int
	members    []placeMember // of an object
	elements   []*place      // of an array
}

type placeMember struct {
	name      string
	nameStart int
	value     *place
}

func (p *place) member(name string) *placeMember {
	i := slices.IndexFunc(p.members, func(m placeMember) bool { return m.name == name })
	if i < 0 {
		return nil
	}
	return &p.members[i]
}

// before returns the end of the member in front of the named one.
func (p *place) before(t fataler, name string) int {
	i := slices.IndexFunc(p.members, func(m placeMember) bool { return m.name == name })
	if i < 1 {
		t.Fatalf("%q is member %d, want one with another in front", name, i)
	}
	return p.members[i-1].value.end
}

// locate returns the records of a text: its values, of a top-level array the elements.
func locate(t fataler, text []byte) []*place {
	t.Helper()
	l := &locator{t: t, text: text, dec: json.NewDecoder(bytes.NewReader(text))}
	l.dec.UseNumber()
	var records []*place
	for {
		tok, start, err := l.token()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			t.Fatal(err)
		}
		p := l.value(tok, start)
		if text[p.start] == '[' {
			records = append(records, p.elements...)
		} else {
			records = append(records, p)
		}
	}
}

type locator struct {
	t    fataler
	text []byte
	dec  *json.Decoder
}

// token returns the next token and where it starts.
func (l *locator) token() (json.Token, int, error) {
	start := int(l.dec.InputOffset())
	tok, err := l.dec.Token()
	for err == nil && bytes.IndexByte([]byte(" \t\r\n,:"), l.text[start]) >= 0 {
		start++
	}
	return tok, start, err
}

func (l *locator) must() (json.Token, int) {
	tok, start, err := l.token()
	if err != nil {
		l.t.Fatal(err)
	}
	return tok, start
}

func (l *locator) value(tok json.Token, start int) *place {
	p := &place{start: start}
	switch tok {
	case json.Delim('{'):
		for l.dec.More() {
			name, at := l.must()
			v, begin := l.must()
			p.members = append(p.members, placeMember{name.(string), at, l.value(v, begin)})
		}
		l.must()
	case json.Delim('['):
		for l.dec.More() {
			v, begin := l.must()
			p.elements = append(p.elements, l.value(v, begin))
		}
		l.must()
	}
	p.end = int(l.dec.InputOffset())
	return p
}

// A cut is a span of a text and what stood in its place before.
type cut struct {
	start, end int
	original   string
}

// undo puts back what cuts replaced.
func undo(text []byte, cuts []cut) string {
	slices.SortFunc(cuts, func(a, b cut) int { return b.start - a.start })
	out := slices.Clone(text)
	for _, c := range cuts {
		out = slices.Replace(out, c.start, c.end, []byte(c.original)...)
	}
	return string(out)
}

// cutMember undoes the insertion of a member behind another one.
func cutMember(t fataler, in *place, name string) cut {
	t.Helper()
	return cut{in.before(t, name), in.member(name).value.end, ""}
}

func TestLocate(t *testing.T) {
	text := []byte("\n[{\"a\" : [1e400 , \"\\u00e9\"]\r\n,\"b\":{}}, 7 ] {\"c\":null}")
	records := locate(t, text)
	if len(records) != 3 {
		t.Fatalf("%d records, want 3", len(records))
	}
	at := func(p *place) string { return string(text[p.start:p.end]) }
	first := records[0]
	for _, row := range [][2]string{
		{at(first), "{\"a\" : [1e400 , \"\\u00e9\"]\r\n,\"b\":{}}"},
		{at(first.member("a").value), `[1e400 , "\u00e9"]`},
		{at(first.member("a").value.elements[1]), `"\u00e9"`},
		{string(text[first.before(t, "b"):first.member("b").value.end]), "\r\n,\"b\":{}"},
		{string(text[first.member("b").nameStart:]), `"b":{}}, 7 ] {"c":null}`},
		{at(records[1]), "7"},
		{at(records[2]), `{"c":null}`},
	} {
		if row[0] != row[1] {
			t.Errorf("located %q, want %q", row[0], row[1])
		}
	}
}
