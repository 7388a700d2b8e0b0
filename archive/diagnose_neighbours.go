package archive

import (
	"fmt"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// neighbours are the links of an answer that may have stood in the place of one of a frame, or beside it.
type neighbours struct {
	links []neighbour // distinct
	seen  map[rawLink]bool
	whole bool // all frames were looked at, or there is no more room
}

// A neighbour is a link, and where it stands.
type neighbour struct {
	raw     rawLink
	encoded []byte
	whose   string
}

// A value is what a field may hold, and where it stands.
type value struct {
	text  commitment.Optional
	whose string
}

// neighbours returns the first distinct links of the frame itself, then those of the answer.
func (s *frameSearch) neighbours() []neighbour {
	if s.beside != nil {
		return s.beside
	}
	list := make([]neighbour, 0, maxDiagnosisOthers)
	seen := make(map[rawLink]bool)
	for k := range s.own[:min(len(s.own), maxDiagnosisOthers)] {
		if !seen[s.own[k]] {
			seen[s.own[k]] = true
			list = append(list, neighbour{s.own[k], s.encoded[k], fmt.Sprintf("link %d", k)})
		}
	}
	pool, whole := s.ofAnswer()
	for _, n := range pool {
		if !seen[n.raw] {
			list = append(list, n)
		}
	}
	if whole {
		s.beside = list
	}
	return list
}

// ofAnswer returns the first distinct links of the answer, and whether they are all that were to be found.
func (d *diagnosing) ofAnswer() (links []neighbour, whole bool) {
	if d.pool == nil {
		d.pool = &neighbours{seen: make(map[rawLink]bool)}
	}
	if p := d.pool; !p.whole {
		p.whole = d.gather(p)
	}
	return d.pool.links, d.pool.whole
}

// gather goes through the links of the answer, as far as there is room for them.
func (d *diagnosing) gather(p *neighbours) bool {
	p.links = p.links[:0]
	clear(p.seen)
	for i := range d.a.frames {
		links := d.a.frames[i].Provenance
		for k := range links {
			l := rawLinkOf(&links[k])
			if !d.spend(1 + l.size()/64) {
				return false
			}
			if p.seen[l] {
				continue
			}
			encoded, ok := d.encode(canonical, &l)
			if !ok {
				return false
			}
			p.seen[l] = true
			p.links = append(p.links, neighbour{l, encoded, fmt.Sprintf("link %d of frame %d", k, i)})
			if len(p.links) == maxDiagnosisOthers {
				return true
			}
		}
	}
	return true
}

// values returns what a field of a link may hold: what the frame itself says elsewhere, then what links of the answer hold.
func (s *frameSearch) values(field int) []value {
	if s.fields[field] != nil {
		return s.fields[field]
	}
	var list []value
	add := func(o commitment.Optional, whose string) {
		if !slices.ContainsFunc(list, func(v value) bool { return v.text == o }) {
			list = append(list, value{o, whose})
		}
	}
	switch field {
	case fieldDigest:
		if s.id.ContentDigest.Present() {
			add(s.id.ContentDigest, "the content_digest of the frame")
		}
	case fieldBy:
		add(commitment.Some(s.provider.name), "the answer's provider")
	}
	for _, n := range s.neighbours() {
		add(n.raw[field], n.whose)
	}
	if s.beside != nil {
		s.fields[field] = list
	}
	return list
}
