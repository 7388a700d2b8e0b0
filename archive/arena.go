package archive

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// An arena keeps the texts of one answer one behind the other, so that they cost one piece of memory and not one each.
type arena struct {
	piece   strings.Builder // never grown beyond its room: what it holds is not moved
	used    int             // bytes kept of this answer
	expect  int             // bytes that the next piece has room for at least
	scratch []byte
}

// leastPiece is the least room of a piece.
const leastPiece = 256

// begin starts another answer. It does not share memory with the last one, so that neither keeps the other alive.
func (a *arena) begin() {
	a.expect = a.used + a.used/8
	a.used = 0
	a.piece.Reset()
}

// text keeps the text of a JSON string that passed.
func (a *arena) text(v jsontext.Value) string {
	plain := v[1 : len(v)-1]
	if bytes.IndexByte(plain, '\\') >= 0 {
		a.scratch = strictjson.AppendText(a.scratch[:0], v)
		plain = a.scratch
	}
	return a.keep(plain)
}

// again is text where the answer is likely to have said the same before.
func (a *arena) again(v jsontext.Value, before string) string {
	if plain := v[1 : len(v)-1]; string(plain) == before && bytes.IndexByte(plain, '\\') < 0 {
		return before
	}
	return a.text(v)
}

// digest keeps the text form of a digest.
func (a *arena) digest(d commitment.Digest) string {
	a.scratch, _ = d.AppendText(a.scratch[:0])
	return a.keep(a.scratch)
}

// keep keeps a copy of b.
func (a *arena) keep(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if a.piece.Cap()-a.piece.Len() < len(b) {
		a.piece.Reset()
		a.piece.Grow(max(len(b), a.expect, a.used, leastPiece))
		a.expect = 0
	}
	a.used += len(b)
	start := a.piece.Len()
	a.piece.Write(b)
	return a.piece.String()[start:]
}

// A slab gives out values one by one or in lists, and all of them again after a reset. What it gave out stays where it is.
type slab[T any] struct {
	part  []T // the values given out of it, and room for more
	first int // where in part the list that is being made begins
}

// What a slab makes room for at once, and keeps for the next answer.
const (
	leastSlab = 16
	mostSlab  = 4096
)

func (s *slab[T]) reset() {
	if cap(s.part) > mostSlab {
		s.part = nil
	}
	s.part, s.first = s.part[:0], 0
}

// one returns a new zero value.
func (s *slab[T]) one() *T {
	s.begin(0)
	var zero T
	s.add(zero)
	return &s.part[s.first]
}

// begin begins a list of at least n values.
func (s *slab[T]) begin(n int) {
	if n > cap(s.part)-len(s.part) {
		s.part = make([]T, 0, max(n, leastSlab))
	}
	s.first = len(s.part)
}

// add adds a value to the list.
func (s *slab[T]) add(v T) {
	if len(s.part) == cap(s.part) {
		list := s.part[s.first:]
		part := make([]T, 0, max(leastSlab, min(2*cap(s.part), mostSlab), len(list)+len(list)/2))
		s.part, s.first = append(part, list...), 0
	}
	s.part = append(s.part, v)
}

// list returns what was added since begin.
func (s *slab[T]) list() []T { return s.part[s.first:len(s.part):len(s.part)] }
