package archive

import "contextgraphprotocol.org/cgp-attest/commitment"

// Bounds of what is held back while it may still turn out that evidence was stripped.
const (
	maxHeldItems  = 1_024
	maxHeldFrames = 8_192
	maxHeldBytes  = 16 << 20 // of the records that the items stand for
)

// holdBack delays answers without evidence until it is known whether their provider signs elsewhere in the input: evidence
// stripped from one of two answers must show, whichever comes first. What is held is bounded; order is kept.
type holdBack struct {
	run    *run
	ledger *ledger
	queue  []held
	frames int
	bytes  int
	passed map[commitment.Digest]uint64 // by the hash of the provider's name: unsigned answers that were delivered before their provider was seen to sign
}

// A held item is an answer or an error, in the order of the input.
type held struct {
	answer *Answer
	err    *RecordError
	bytes  int  // of the record
	waits  bool // an answer without evidence of a provider that was not seen to sign
}

func (h *holdBack) fail(e *RecordError) error { return h.push(held{err: e}) }

// answer takes a judged answer, made of a record of so many bytes. bare says that it carries no evidence.
func (h *holdBack) answer(a *Answer, bare bool, bytes int) error {
	provider, known := a.ProviderID.Text()
	item := held{answer: a, bytes: bytes}
	switch {
	case !known:
	case bare && h.ledger.isSigner(provider):
		a.stripped()
	case bare:
		item.waits = true
	default:
		h.signed(provider)
		at := commitment.ContentDigest(provider)
		if n := h.passed[at]; n > 0 {
			a.addFinding(FindingStrippedEvidence,
				counted(n, "earlier answer", "earlier answers")+" of this provider in this input carry no evidence, this one does")
			delete(h.passed, at)
		}
	}
	return h.push(item)
}

// signed notes that a provider signs or publishes keys: the answers of it that wait are stripped ones.
func (h *holdBack) signed(provider string) {
	if !h.ledger.signed(provider) {
		return
	}
	for i := range h.queue {
		if it := &h.queue[i]; it.waits && it.answer.ProviderID == commitment.Some(provider) {
			it.answer.stripped()
			it.waits = false
		}
	}
}

func (h *holdBack) push(it held) error {
	h.queue = append(h.queue, it)
	h.bytes += it.bytes
	if it.answer != nil {
		h.frames += len(it.answer.Frames)
	}
	for len(h.queue) > 0 && (!h.queue[0].waits || h.full()) {
		if err := h.pop(); err != nil {
			return err
		}
	}
	return nil
}

func (h *holdBack) full() bool {
	return len(h.queue) > maxHeldItems || h.frames > maxHeldFrames || h.bytes > maxHeldBytes
}

// pop delivers the oldest item.
func (h *holdBack) pop() error {
	it := h.queue[0]
	h.bytes -= it.bytes
	h.queue[0] = held{}
	h.queue = h.queue[1:]
	if it.err != nil {
		return h.run.fail(it.err)
	}
	h.frames -= len(it.answer.Frames)
	if it.waits {
		h.pass(it.answer.ProviderID.OrEmpty())
	}
	return h.run.deliver(it.answer)
}

// pass counts an unsigned answer that waits no longer.
func (h *holdBack) pass(provider string) {
	if h.passed == nil {
		h.passed = make(map[commitment.Digest]uint64)
	}
	at := commitment.ContentDigest(provider)
	if h.passed[at] == 0 && len(h.passed) >= maxWitnesses {
		h.ledger.full = true
		return
	}
	h.passed[at]++
}

// untold is how many answers were delivered before their provider was seen to publish keys, with no answer behind them to say so.
func (h *holdBack) untold() (sum uint64) {
	for at, n := range h.passed {
		if h.ledger.signs[at] {
			sum += n
		}
	}
	return sum
}

func (h *holdBack) flush() error {
	for len(h.queue) > 0 {
		if err := h.pop(); err != nil {
			return err
		}
	}
	return nil
}

func (a *Answer) stripped() {
	a.addFinding(FindingStrippedEvidence,
		"the answer carries no evidence, its provider publishes keys or signs elsewhere in this input")
}

func (a *Answer) addFinding(code FindingCode, detail string) {
	a.Findings = append(a.Findings, Finding{Code: code, Severity: code.Severity(), Detail: detail, Entry: -1, Position: -1})
}
