package archive

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// An Inspection says what one input holds. It judges nothing: whatever it counts may be forged.
type Inspection struct {
	Source     string
	Records    uint64
	Answers    uint64
	Unreadable uint64
	Messages   map[string]uint64 // other messages by type
	Providers  []InspectedProvider
}

// An InspectedProvider is what the handshake_acks of one input say of one provider.
type InspectedProvider struct {
	Name   string
	Acks   uint64
	Keys   []InspectedKey // the latest under each key_id, sorted by it
	Faults uint64         // elements of attester_keys that cannot be read
}

// An InspectedKey is a key as a handshake_ack publishes it. Whoever can write the input can write it.
type InspectedKey struct {
	KeyID, Algorithm, PublicKey string
	Unusable                    string // why a strict verifier declines it, else ""
	Changed                     bool   // other bytes stood under the key_id before: rotation is a new key_id
}

// An InspectedAnswer is what one answer carries. Everything in it is the sender's claim.
type InspectedAnswer struct {
	Source          string
	Record          uint64
	Offset          int64
	ID              commitment.Optional
	ProviderID      commitment.Optional
	ProviderSource  ProviderSource
	Frames          int
	Malformed       int // frames that have no commitment
	Links           int // provenance links
	FileNoDigest    int // file links without a digest in D1 form (CGP F5)
	InlineContent   int // frames with content
	Digests         map[string]int
	Representations map[string]int // by their text; a frame without one is full
	Root            *InspectedRoot // nil without a readable result attestation
	Entries         int
	Signatures      int // entries with an attestation
	Proofs          int // entries with an inclusion proof
	LeafCounts      []uint64
	Retained        bool           // a record of the format cgp-evidence/1
	Tree            *InspectedTree // nil without a root and proofs, or where no place in a tree is known
	KeyIDs          []string       // named by attestations, sorted
	Algorithms      []string       // named by attestations, sorted
	AttesterIDs     []string       // unverified, sorted
	IssuedFirst     string         // unverified: the earliest well-formed issued_at, "" for none
	IssuedLast      string         // unverified: the latest
}

// An InspectedRoot is a result attestation as it stands in an answer.
type InspectedRoot struct {
	SignedCommitment, KeyID, Algorithm string
	Unverified                         Claims
}

// The kinds of content_digest that an InspectedAnswer counts.
const (
	DigestD1     = "d1"     // sha256: and 64 lowercase hex digits
	DigestOpaque = "opaque" // any other text
	DigestNone   = "none"
)

// maxMessageTypes bounds how many types of other messages are told apart.
const maxMessageTypes = 64

// otherTypes counts the types beyond maxMessageTypes.
const otherTypes = "…"

// Inspect reads one source, gives each answer to each and each unreadable record to bad, in order, and returns what the
// source holds as a whole. It ends at the first error of either.
func Inspect(src Source, limits Limits, each func(*InspectedAnswer) error, bad func(*RecordError) error) (*Inspection, error) {
	total := &Inspection{Source: src.Name, Messages: make(map[string]uint64)}
	in, err := src.Open()
	if err != nil {
		total.Unreadable++
		return total, bad(&RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()})
	}
	defer in.Close()
	s := newSession(sign.Ed25519Only())
	providers := make(map[string]*InspectedProvider)
	rd := newRecordReader(src.Name, in, limits.withDefaults())
	defer rd.close()
	for {
		rec, at, err := rd.next()
		var unreadable *RecordError
		switch {
		case errors.Is(err, io.EOF):
			total.Providers = describeProviders(providers, s)
			return total, nil
		case errors.As(err, &unreadable):
			total.Unreadable++
			if err := bad(unreadable); err != nil || unreadable.Record == 0 {
				total.Providers = describeProviders(providers, s)
				return total, err
			}
			total.Records++
			continue
		case err != nil:
			return total, err
		}
		total.Records++
		switch rec.kind {
		case recordHandshake:
			if err := s.acknowledge(rec.handshake); err != nil {
				total.Unreadable++
				if err := bad(err.in(src.Name, at)); err != nil {
					return total, err
				}
				continue
			}
			p := providers[rec.handshake.provider]
			if p == nil {
				p = &InspectedProvider{Name: rec.handshake.provider}
				providers[p.Name] = p
			}
			p.Acks++
			p.Faults += uint64(len(rec.handshake.faults))
		case recordAnswer:
			total.Answers++
			a := inspectAnswer(rec, s.now())
			a.Source, a.Record, a.Offset = src.Name, at.Number, at.Offset
			if err := each(a); err != nil {
				return total, err
			}
		default:
			total.countMessage(rec.typ)
		}
	}
}

func (t *Inspection) countMessage(typ string) {
	if _, known := t.Messages[typ]; !known && len(t.Messages) >= maxMessageTypes {
		typ = otherTypes
	}
	t.Messages[typ]++
}

func describeProviders(providers map[string]*InspectedProvider, s *session) []InspectedProvider {
	list := make([]InspectedProvider, 0, len(providers))
	for at, list := range s.published {
		h := list[len(list)-1].held
		k := InspectedKey{KeyID: at.keyID, Algorithm: h.raw.algorithm, PublicKey: h.raw.publicKey, Changed: h.conflict}
		if err := h.key.Err(); err != nil {
			k.Unusable = err.Error()
		}
		p := providers[at.holder.OrEmpty()]
		p.Keys = append(p.Keys, k)
	}
	for _, name := range slices.Sorted(maps.Keys(providers)) {
		p := providers[name]
		slices.SortFunc(p.Keys, func(a, b InspectedKey) int { return strings.Compare(a.KeyID, b.KeyID) })
		list = append(list, *p)
	}
	return list
}

func inspectAnswer(rec *record, v view) *InspectedAnswer {
	in := rec.answer
	a := &InspectedAnswer{
		ID: in.id, Frames: len(in.frames), Entries: len(in.entries),
		Digests: make(map[string]int), Representations: make(map[string]int),
	}
	r := resolve(&Policy{}, v, rec)
	a.ProviderSource = r.source
	if r.source != ProviderFromNone {
		a.ProviderID = commitment.Some(r.name)
	}
	for i := range in.frames {
		a.countFrame(&in.frames[i])
	}
	claims := claimSet{keyIDs: make(map[string]bool), algorithms: make(map[string]bool), attesters: make(map[string]bool)}
	if in.root.usable() {
		att := &in.root.value
		a.Root = &InspectedRoot{
			SignedCommitment: att.SignedCommitment, KeyID: att.KeyID, Algorithm: att.Algorithm,
			Unverified: Claims{AttesterID: att.AttesterID, IssuedAt: att.IssuedAt},
		}
		claims.add(att)
	}
	counts := make(map[uint64]bool)
	for i := range in.entries {
		e := &in.entries[i]
		if e.attestation.present {
			a.Signatures++
		}
		if e.attestation.usable() {
			claims.add(&e.attestation.value)
		}
		if e.proof.present {
			a.Proofs++
		}
		if e.proof.usable() {
			counts[e.proof.value.leafCount] = true
		}
	}
	a.LeafCounts = slices.Sorted(maps.Keys(counts))
	a.Retained = rec.retained
	a.Tree = inspectTree(rec, r)
	a.KeyIDs = slices.Sorted(maps.Keys(claims.keyIDs))
	a.Algorithms = slices.Sorted(maps.Keys(claims.algorithms))
	a.AttesterIDs = slices.Sorted(maps.Keys(claims.attesters))
	a.IssuedFirst, a.IssuedLast = claims.first.String(), claims.last.String()
	return a
}

func (a *InspectedAnswer) countFrame(f *frame) {
	if f.fault.found() {
		a.Malformed++
	}
	a.Links += len(f.Provenance)
	a.FileNoDigest += f.fileNoDigest
	if f.content.Present() {
		a.InlineContent++
	}
	text, declared := f.ContentDigest.Text()
	kind := DigestNone
	if declared {
		kind = DigestD1
		if _, err := commitment.ParseDigest(text); err != nil {
			kind = DigestOpaque
		}
	}
	a.Digests[kind]++
	representation, given := f.representation.Text()
	if !given {
		representation = representationFull
	}
	a.Representations[representation]++
}

// A claimSet collects what attestations say of themselves.
type claimSet struct {
	keyIDs, algorithms, attesters map[string]bool
	first, last                   commitment.Instant
}

func (c *claimSet) add(att *sign.Attestation) {
	c.keyIDs[att.KeyID], c.algorithms[att.Algorithm], c.attesters[att.AttesterID] = true, true, true
	at, err := commitment.ParseInstant(att.IssuedAt)
	if err != nil {
		return
	}
	if c.first.IsZero() || at.Compare(c.first) < 0 {
		c.first = at
	}
	if c.last.IsZero() || at.Compare(c.last) > 0 {
		c.last = at
	}
}
