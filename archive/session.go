package archive

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// maxRootNames bounds how many declared names are tried as the one under which a signed root is reproduced.
const maxRootNames = 64

// A session is what the records of one input have said so far: who declared himself, which keys he published, and whose
// answers carry evidence. An answer is judged with what stands before it; nothing reaches back.
type session struct {
	algorithms sign.Algorithms
	declared   map[string]bool
	recent     []string // the distinct names that were declared last, at most maxRootNames, the newest last
	published  map[keyAddress]heldKey
	pending    map[string][]fault // faults of published keys that no answer has reported yet
	signs      map[string]bool    // providers with an answer that carries evidence, or that publish keys
}

func newSession(algorithms sign.Algorithms) *session {
	return &session{
		algorithms: algorithms,
		declared:   make(map[string]bool),
		published:  make(map[keyAddress]heldKey),
		pending:    make(map[string][]fault),
		signs:      make(map[string]bool),
	}
}

func (s *session) acknowledge(h *handshake) {
	s.declared[h.provider] = true
	s.recent = append(slices.DeleteFunc(s.recent, func(n string) bool { return n == h.provider }), h.provider)
	s.recent = s.recent[max(0, len(s.recent)-maxRootNames):]
	for _, k := range h.keys {
		publish(s.published, s.algorithms, commitment.Some(h.provider), k)
	}
	s.pending[h.provider] = append(s.pending[h.provider], h.faults...)
	if len(h.keys)+len(h.faults) > 0 {
		s.signs[h.provider] = true
	}
}

func (s *session) declares(name string) bool { return s.declared[name] }

// newest returns the name that was declared last.
func (s *session) newest() (string, bool) {
	if len(s.recent) == 0 {
		return "", false
	}
	return s.recent[len(s.recent)-1], true
}

// takeFaults returns the faults of a provider's published keys that were not reported yet.
func (s *session) takeFaults(provider string) []fault {
	f := s.pending[provider]
	delete(s.pending, provider)
	return f
}
