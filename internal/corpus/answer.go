package corpus

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// An answer is one that is about to be written, with the evidence that a case may spoil and what its parts come to.
type answer struct {
	provider *provider
	key      *key
	id       string
	frames   []*frame
	entries  []*entry
	root     any // result_attestation; nil for none
	entryAny any // what stands in the place of frame_attestations, nil for the entries

	onEnvelope object // more members of the envelope
	localID    string // of the record
	receivedAt string
	retained   bool
	bare       bool // a result without an envelope

	rootState   string // of the result attestation, "" for none
	differs     bool   // an invalid root is so because it differs from the recomputed one
	rootOnFrame bool   // the root is evidence on each frame
	findings    []string
}

// A frame is carried in an answer.
type frame struct {
	bench.Frame
	more      object // other members
	malformed bool
	inPlace   any // what stands in the place of the frame, nil for itself

	content  string   // what comparing its content comes to
	evidence []string // the states of its signatures and proofs, in any order
	asserted int      // entries on it that have neither
}

// An entry is one of frame_attestations.
type entry struct {
	frame              any // the FrameId
	attestation, proof any // nil for none
	inPlace            any
}

// A shape is what of an answer is signed.
type shape int

const (
	rootAlone   shape = iota // the root, without proofs
	rootProofs               // the root, a proof for every frame
	everyFrame               // every frame
	rootAndEach              // the root with proofs, and every frame
	shapes
)

func (s shape) root() bool   { return s != everyFrame }
func (s shape) proofs() bool { return s == rootProofs || s == rootAndEach }
func (s shape) frames() bool { return s >= everyFrame }

// unsigned makes an answer of n frames without evidence.
func (g *generator) unsigned(p *provider, n int) *answer {
	a := &answer{provider: p, id: fmt.Sprintf("q%d", g.below(1_000_000)), localID: p.localID}
	if p.window {
		a.receivedAt = fmt.Sprintf("2026-%02d-%02dT%02d:00:00Z", 1+g.below(12), 1+g.below(28), g.below(24))
	}
	for i := range n {
		a.frames = append(a.frames, g.frame(p.name, i))
	}
	return a
}

// signed makes an honest answer.
func (g *generator) signed(p *provider, s shape, n int) *answer {
	a := g.unsigned(p, n)
	g.sign(a, s)
	return a
}

// frame makes one that can be signed. The place in its id makes ids distinct, what stands in front of it mixes their order.
func (g *generator) frame(name string, i int) *frame {
	content := g.text()
	digest := digestOf(content)
	document := fmt.Sprintf("%08x", uint32(g.random.Uint64()))
	uri, lines := "file:///srv/"+document+".md", fmt.Sprintf("L%d-%d", 1+g.below(40), 41+g.below(40))
	f := &frame{content: contentMatch, Frame: bench.Frame{
		ID: new(fmt.Sprintf("doc:%s:%d", document, i)), Content: &content, ContentDigest: &digest,
		Provenance: []bench.Link{{Type: new("file"), URI: &uri, Range: &lines, Digest: &digest, Method: new("file-read"), By: &name}},
	}}
	if g.oneIn(4) {
		f.Provenance = append(f.Provenance, bench.Link{Type: new("derivation"), Method: new("section_split")})
	}
	f.more = object{
		{"kind", "doc"}, {"title", "Guide " + document}, {"uri", uri}, {"score", raw("0.920000")}, {"relations", array{}},
	}
	return f
}

func digestOf(content string) string { return bench.Hash(sha256.Sum256([]byte(content))).String() }

// sign puts honest evidence of a shape on an answer: entries stand in the order of the frames. What stood there before goes.
func (g *generator) sign(a *answer, s shape) {
	a.key = a.provider.keys[g.below(len(a.provider.keys))]
	state := a.provider.state
	commitments, order := a.commitments()
	leaves := make([]bench.Hash, len(order))
	for k, i := range order {
		leaves[k] = commitments[i]
	}
	root, paths := bench.Tree(leaves)
	a.entries, a.root = nil, nil
	if s.root() {
		a.root, a.rootState, a.rootOnFrame = a.attest(root), state, true
	}
	if s == rootAlone {
		return
	}
	a.entries = make([]*entry, len(a.frames))
	for k, i := range order {
		f := a.frames[i]
		e := &entry{frame: f.identity(a.provider.name)}
		f.evidence = nil
		if s.frames() {
			e.attestation = a.attest(commitments[i])
			f.evidence = append(f.evidence, state)
		}
		if s.proofs() {
			e.proof = proofOf(k, len(order), paths[k])
			f.evidence = append(f.evidence, state)
		}
		a.entries[i] = e
	}
}

// commitments returns those of all frames, and their canonical order.
func (a *answer) commitments() (of []bench.Hash, order []int) {
	for i, f := range a.frames {
		of = append(of, bench.Commitment(a.provider.name, &f.Frame))
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &a.frames[i].Frame, &a.frames[j].Frame
		if c := strings.Compare(*a.ID, *b.ID); c != 0 {
			return c
		}
		return strings.Compare(optional(a.ContentDigest), optional(b.ContentDigest))
	})
	return of, order
}

// optional orders absent before present.
func optional(s *string) string {
	if s == nil {
		return ""
	}
	return "+" + *s
}

func (f *frame) identity(providerName string) object {
	o := object{{"provider_id", providerName}, {"frame_id", *f.ID}}
	if f.ContentDigest != nil {
		o = append(o, member{"content_digest", *f.ContentDigest})
	}
	return o
}

// attest signs a commitment or a root with the answer's key.
func (a *answer) attest(h bench.Hash) object {
	return object{
		{"signed_commitment", h.String()}, {"key_id", a.key.id}, {"algorithm", "ed25519"}, {"attester_id", a.provider.name},
		{"signature", hex.EncodeToString(ed25519.Sign(a.key.private, h[:]))}, {"issued_at", "2026-08-29T12:00:00Z"},
	}
}

func proofOf(index, count int, path []bench.Step) object {
	steps := array{}
	for _, s := range path {
		steps = append(steps, object{{"sibling", s.Sibling.String()}, {"sibling_is_left", s.Left}})
	}
	return object{{"leaf_index", index}, {"leaf_count", count}, {"path", steps}}
}

// result is the answer as its result stands on the wire.
func (a *answer) result() object {
	frames := array{}
	for _, f := range a.frames {
		frames = append(frames, f.wire())
	}
	r := object{{"frames", frames}, {"truncated", false}}
	switch {
	case a.entryAny != nil:
		r = append(r, member{"frame_attestations", a.entryAny})
	case a.entries != nil:
		entries := array{}
		for _, e := range a.entries {
			entries = append(entries, e.wire())
		}
		r = append(r, member{"frame_attestations", entries})
	}
	if a.root != nil {
		r = append(r, member{"result_attestation", a.root})
	}
	return r
}

func (f *frame) wire() any {
	if f.inPlace != nil {
		return f.inPlace
	}
	o := object{{"id", f.ID}}
	if f.Content != nil {
		o = append(o, member{"content", f.Content})
	}
	if f.ContentDigest != nil {
		o = append(o, member{"content_digest", f.ContentDigest})
	}
	links := array{}
	for _, l := range f.Provenance {
		link := object{{"type", l.Type}}
		for _, m := range []struct {
			name  string
			value *string
		}{{"uri", l.URI}, {"range", l.Range}, {"digest", l.Digest}, {"method", l.Method}, {"by", l.By}} {
			if m.value != nil {
				link = append(link, member{m.name, m.value})
			}
		}
		links = append(links, link)
	}
	return append(append(o, member{"provenance", links}), f.more...)
}

func (e *entry) wire() any {
	if e.inPlace != nil {
		return e.inPlace
	}
	o := object{{"frame", e.frame}}
	if e.attestation != nil {
		o = append(o, member{"attestation", e.attestation})
	}
	if e.proof != nil {
		o = append(o, member{"inclusion_proof", e.proof})
	}
	return o
}

// record is the answer as the record that holds it.
func (a *answer) record() object {
	if a.bare {
		return a.result()
	}
	recorded := object{}
	if a.localID != "" {
		recorded = append(recorded, member{"local_id", a.localID})
	}
	if a.receivedAt != "" {
		recorded = append(recorded, member{"received_at", a.receivedAt})
	}
	if a.retained {
		o := append(object{{"format", "cgp-evidence/1"}, {"provider_id", a.provider.name}}, recorded...)
		return append(o, member{"id", a.id}, member{"result", a.result()}, member{"attester_keys", a.provider.publishes})
	}
	envelope := append(object{{"type", "frames"}, {"id", a.id}}, a.onEnvelope...)
	envelope = append(envelope, member{"result", a.result()})
	if len(recorded) == 0 {
		return envelope
	}
	return append(append(object{{"format", "cgp-archive/1"}}, recorded...), member{"envelope", envelope})
}

// text returns the content of a frame: mostly some hundred bytes, at times some thousand.
func (g *generator) text() string {
	n := 40 + g.below(800)
	if g.oneIn(5) {
		n += g.below(12_000)
	}
	from := g.below(len(prose) - n - 8)
	for !startsRune(prose[from]) {
		from++
	}
	end := from + n
	for !startsRune(prose[end]) {
		end++
	}
	// A number of its own makes every content another one.
	return fmt.Sprintf("%x %s", g.random.Uint64(), prose[from:end])
}

func startsRune(b byte) bool { return b&0xC0 != 0x80 }

// prose is text as documents have it: plain words, what JSON escapes, what is not ASCII.
var prose = strings.Repeat("the value of a request is retried with backoff when the connection ends before its default timeout, "+
	"and \"quoted\" text in C:\\temp has a\ttab\nand lines; naïve café – 日本語 𝄞, <T> a&b fn(x) => {} [not] a {bracket: \"} ", 120)
