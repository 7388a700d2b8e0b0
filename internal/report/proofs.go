package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// maxProofs bounds how many different keys and providers are told apart: an archive may hold as many as it has frames.
const maxProofs = 1_000

// A proof is what frames have in common that were proven, or not proven, in one way.
type proof struct {
	class   archive.Class
	state   archive.State
	content archive.Content
	signer
}

// A signer is the key under which evidence verified, or which it names where nobody holds it.
type signer struct {
	tier       archive.Tier // "" where nothing verified
	keyID      string
	trustedFor string
	declared   commitment.Optional // the provider's declared name
	others     bool                // keys beyond maxProofs, together
}

// proofs counts the frames of each.
type proofs map[proof]uint64

func (ps proofs) add(p proof) {
	if n, ok := ps[p]; ok {
		ps[p] = n + 1
		return
	}
	if len(ps) >= maxProofs {
		p.signer = signer{tier: p.tier, others: true}
	} else {
		p.keyID, p.trustedFor = strings.Clone(p.keyID), strings.Clone(p.trustedFor)
		if name, ok := p.declared.Text(); ok {
			p.declared = commitment.Some(strings.Clone(name))
		}
	}
	ps[p]++
}

// proofOf says how a frame of an answer came to its state: under the key of the evidence that decided.
func proofOf(a *archive.Answer, f *archive.Frame) proof {
	p := proof{class: f.Class, state: f.State, content: f.Content}
	p.tier, p.declared = f.Tier, declared(a)
	if ev := deciding(f); ev != nil {
		keyID, _, trustedFor := keyOf(a, ev)
		p.keyID, p.trustedFor = clip(keyID), clip(trustedFor)
	}
	return p
}

// proofOfEmpty says how an answer without frames came to the state of its root.
func proofOfEmpty(a *archive.Answer) proof {
	p := proof{class: a.Class, state: a.EmptyState(), content: archive.ContentMatch}
	if r := a.Root; r != nil {
		p.keyID = clip(r.KeyID)
		if r.State.Verifies() {
			p.tier, p.trustedFor, p.declared = r.Tier, clip(r.TrustedFor), declared(a)
		}
	}
	return p
}

// declared is the declared name of an answer's provider, absent where it is not known.
func declared(a *archive.Answer) commitment.Optional {
	name, known := a.ProviderID.Text()
	if !known {
		return commitment.Optional{}
	}
	return commitment.Some(clip(name))
}

// deciding returns the evidence that a frame's state comes from, nil where it comes from none.
func deciding(f *archive.Frame) *archive.Evidence {
	want := f.State
	if f.Tier != "" {
		want = stateOf(f.Tier)
	}
	for i := range f.Evidence {
		if f.Evidence[i].State == want {
			return &f.Evidence[i]
		}
	}
	return nil
}

// stateOf is the state of evidence that verifies under a key of the tier.
func stateOf(t archive.Tier) archive.State {
	switch t {
	case archive.TierConfigured:
		return archive.StateAttested
	case archive.TierPinned:
		return archive.StatePinned
	case archive.TierPublished:
		return archive.StateConstructed
	}
	return ""
}

// keyOf returns the key that evidence names and used. The key of root evidence stands on the answer's root.
func keyOf(a *archive.Answer, ev *archive.Evidence) (keyID string, tier archive.Tier, trustedFor string) {
	if ev.Kind == archive.KindRoot && a.Root != nil {
		return a.Root.KeyID, a.Root.Tier, a.Root.TrustedFor
	}
	return ev.KeyID, ev.Tier, ev.TrustedFor
}

// clip keeps as much of s as a Quote shows, and one character that says that there was more.
func clip(s string) string {
	if len(s) <= terminal.MaxEchoed {
		return s
	}
	end := 0
	for range terminal.MaxEchoed + 1 {
		if end >= len(s) {
			return s
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
	}
	return s[:end]
}

// A tally is a proof and its frames.
type tally struct {
	proof
	frames uint64
}

// sum adds up the proofs that are alike in what key keeps of them; the worst come first, of those the most frequent.
func (ps proofs) sum(key func(proof) (proof, bool)) []tally {
	sums := make(map[proof]uint64)
	for p, n := range ps {
		if k, ok := key(p); ok {
			sums[k] += n
		}
	}
	list := make([]tally, 0, len(sums))
	for p, n := range sums {
		list = append(list, tally{p, n})
	}
	states := archive.States()
	slices.SortFunc(list, func(a, b tally) int {
		return cmp.Or(
			cmp.Compare(slices.Index(classRanks, a.class), slices.Index(classRanks, b.class)),
			cmp.Compare(b.frames, a.frames),
			cmp.Compare(slices.Index(states, a.state), slices.Index(states, b.state)),
			cmp.Compare(a.content, b.content), cmp.Compare(a.tier, b.tier), cmp.Compare(a.keyID, b.keyID),
			cmp.Compare(a.trustedFor, b.trustedFor), compareBool(a.declared.Present(), b.declared.Present()),
			cmp.Compare(a.declared.OrEmpty(), b.declared.OrEmpty()), compareBool(a.others, b.others),
		)
	})
	return list
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
