package archive

import (
	"fmt"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

const (
	// maxRootNames bounds how many declared names are tried as the one under which a signed root is reproduced.
	maxRootNames = 64

	// maxSessionBytes bounds the names and keys that the handshake_acks of one input make a run remember, with nameCost and keyCost
	// for the room that each takes beside its text.
	maxSessionBytes = 64 << 20
	nameCost        = 256
	keyCost         = 1024
)

// A session is what the records of one input have said so far: who declared himself, and which keys he published. It is written
// by the reader of the input alone. Judges see it through a [view], as it stood in front of the answer that they judge: nothing
// reaches back, however far the reader is ahead of them.
type session struct {
	algorithms sign.Algorithms

	mu        sync.RWMutex
	declared  map[string]uint64 // by name, which handshake_ack declared it first: they are counted from 1
	published map[keyAddress][]publication
	keyIDs    map[string][]firstPublished // by name, in the order in which they were published first

	acks   uint64
	recent []string // the distinct names that were declared last, at most maxRootNames, the newest last; never changed in place
	bytes  int      // at most maxSessionBytes

	ahead   bool          // the reader goes on while views are in use; else the last one is over when it goes on
	settled atomic.Uint64 // where it is ahead: no view older than this handshake_ack is in use any more
}

// A publication is a key as it was published from one handshake_ack on.
type publication struct {
	since uint64
	held  heldKey
}

// firstPublished is a key_id and the handshake_ack that published it first.
type firstPublished struct {
	since uint64
	keyID string
}

// A view is a session as it stood at one place of its input.
type view struct {
	session *session
	acks    uint64
	recent  []string
}

func newSession(algorithms sign.Algorithms) *session {
	return &session{
		algorithms: algorithms, declared: make(map[string]uint64), published: make(map[keyAddress][]publication),
		keyIDs: make(map[string][]firstPublished),
	}
}

// acknowledge takes what a handshake_ack declares, or nothing of it where it would not fit.
func (s *session) acknowledge(h *handshake) *RecordError {
	cost := s.cost(h)
	if s.bytes+cost > maxSessionBytes {
		return recordError(ErrorTooLarge, 0, "the names and keys of the handshake_acks of this input take more than %d bytes; "+
			"nothing of this one is used", maxSessionBytes)
	}
	s.bytes += cost
	s.acks++
	if !slices.Equal(s.recent[max(0, len(s.recent)-1):], []string{h.provider}) {
		others := slices.DeleteFunc(slices.Clone(s.recent), func(n string) bool { return n == h.provider })
		s.recent = append(others[max(0, len(others)+1-maxRootNames):], h.provider)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.declared[h.provider]; !known {
		s.declared[h.provider] = s.acks
	}
	for _, k := range h.keys {
		at := addressOf(h.provider, k.keyID)
		if _, known := s.published[at]; !known {
			s.keyIDs[h.provider] = append(s.keyIDs[h.provider], firstPublished{s.acks, k.keyID})
		}
		s.publish(at, k)
	}
	return nil
}

// cost is what a handshake_ack adds to the bytes of the session. A key that stands there already costs what it is longer.
func (s *session) cost(h *handshake) int {
	cost := 0
	if _, known := s.declared[h.provider]; !known {
		cost += nameCost + len(h.provider)
	}
	for _, k := range h.keys {
		text := len(k.algorithm) + len(k.publicKey)
		if list := s.published[addressOf(h.provider, k.keyID)]; len(list) > 0 {
			raw := &list[len(list)-1].held.raw
			cost += max(0, text-len(raw.algorithm)-len(raw.publicKey))
			continue
		}
		cost += keyCost + len(k.keyID) + text
	}
	return cost
}

// publish adds a key; the latest bytes count. Publications that no view sees any more are dropped.
func (s *session) publish(at keyAddress, k publishedKey) {
	list := s.published[at]
	for len(list) > 1 && (!s.ahead || list[1].since <= s.settled.Load()) {
		list = list[1:]
	}
	var old heldKey
	seen := len(list) > 0
	if seen {
		old = list[len(list)-1].held
	}
	if held, changed := replace(old, seen, s.algorithms, at.holder, k); changed {
		if !s.ahead {
			list = nil
		}
		list = append(list, publication{s.acks, held})
	}
	s.published[at] = list
}

// now returns the session as it stands.
func (s *session) now() view { return view{session: s, acks: s.acks, recent: s.recent} }

// settle says that no view older than v is in use any more.
func (v view) settle() { v.session.settled.Store(v.acks) }

// declares reports whether a handshake_ack in front of the view declares a name.
func (v view) declares(name string) bool {
	v.session.mu.RLock()
	defer v.session.mu.RUnlock()
	since, ok := v.session.declared[name]
	return ok && since <= v.acks
}

// anyDeclared reports whether a handshake_ack stands in front of the view.
func (v view) anyDeclared() bool { return len(v.recent) > 0 }

// newest returns the name that was declared last.
func (v view) newest() (string, bool) {
	if len(v.recent) == 0 {
		return "", false
	}
	return v.recent[len(v.recent)-1], true
}

// published returns the key that a provider has published last under a key_id.
func (v view) published(provider, keyID string) (heldKey, bool) {
	v.session.mu.RLock()
	defer v.session.mu.RUnlock()
	list := v.session.published[addressOf(provider, keyID)]
	n := sort.Search(len(list), func(i int) bool { return list[i].since > v.acks })
	if n == 0 {
		return heldKey{}, false
	}
	return list[n-1].held, true
}

// publishedKeys returns the keys that a provider has published under the key_ids that came last, at most so many.
func (v view) publishedKeys(provider string, most int) []keyAtHand {
	v.session.mu.RLock()
	ids := v.session.keyIDs[provider]
	v.session.mu.RUnlock()
	n := sort.Search(len(ids), func(i int) bool { return ids[i].since > v.acks })
	var list []keyAtHand
	for _, id := range slices.Backward(ids[max(0, n-most):n]) {
		if h, ok := v.published(provider, id.keyID); ok {
			list = append(list, keyAtHand{h, id.keyID})
		}
	}
	return list
}

const (
	// maxPendingFaults bounds how many unreadable published keys of one input are remembered in words until an answer of their
	// provider reports them; the others are counted.
	maxPendingFaults = 10_000

	// maxWitnesses bounds of how many providers of one input it is remembered whether their answers carry evidence.
	maxWitnesses = 100_000
)

// A ledger is what the answers of one input have shown in their order, and what waits to be reported with one of them.
type ledger struct {
	signs   map[commitment.Digest]bool // by the hash of a provider's name: it has an answer with evidence, or publishes keys
	full    bool                       // a provider was not remembered
	pending map[string]*pendingFaults
	words   int // faults in words in pending
}

// pendingFaults are the faults of a provider's published keys that no answer has reported yet.
type pendingFaults struct {
	faults []fault
	more   uint64 // beyond them
}

func newLedger() *ledger {
	return &ledger{signs: make(map[commitment.Digest]bool), pending: make(map[string]*pendingFaults)}
}

// signed notes that a provider signs or publishes keys, and reports whether that is news.
func (l *ledger) signed(provider string) bool {
	at := commitment.ContentDigest(provider)
	if l.signs[at] {
		return false
	}
	if len(l.signs) >= maxWitnesses {
		l.full = true
		return true
	}
	l.signs[at] = true
	return true
}

func (l *ledger) isSigner(provider string) bool { return l.signs[commitment.ContentDigest(provider)] }

// acknowledge notes the keys of a handshake_ack that cannot be read. The session has taken it, so the names are bounded.
func (l *ledger) acknowledge(h *handshake) {
	if len(h.faults) == 0 {
		return
	}
	p := l.pending[h.provider]
	if p == nil {
		p = &pendingFaults{}
		l.pending[h.provider] = p
	}
	for _, f := range h.faults {
		if l.words >= maxPendingFaults {
			p.more++
			continue
		}
		l.words++
		p.faults = append(p.faults, f)
	}
}

// takeFaults returns findings on the faults of a provider's published keys that were not reported yet.
func (l *ledger) takeFaults(provider string) []Finding {
	p := l.pending[provider]
	if p == nil {
		return nil
	}
	delete(l.pending, provider)
	l.words -= len(p.faults)
	find := func(format string, args ...any) Finding {
		code := FindingMalformedPublishedKey
		return Finding{Code: code, Severity: code.Severity(), Detail: fmt.Sprintf(format, args...), Entry: -1, Position: -1}
	}
	findings := make([]Finding, 0, len(p.faults)+1)
	for _, f := range p.faults {
		findings = append(findings, find("published by %.128q: %s", provider, f.detail))
	}
	if p.more > 0 {
		findings = append(findings, find("published by %.128q: %s cannot be read", provider,
			counted(p.more, "more element of attester_keys", "more elements of attester_keys")))
	}
	return findings
}
