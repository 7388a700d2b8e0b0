package report

import (
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

const (
	maxHints   = 4 // hints on a page
	maxMissing = 5 // keys that are not held, and holders and key_ids beside them, that a hint names
)

// hints is what the hints are made of.
type hints struct {
	missing  []missing // keys that evidence names and nobody holds; more than maxMissing are not told apart
	lapsed   uint64    // frames and answers with evidence for a key out of service
	recorded uint64    // of these, the ones whose record states an instant of its own
	stripped uint64    // frames and answers without evidence of a provider whose key is held
}

// A missing key is one that evidence names and that is not held for its provider, and what is held in its place.
type missing struct {
	keyID, localID string   // clipped
	holders        []string // the local ids that the key_id is held for
	algorithm      bool     // it is held for the provider, with another algorithm
	heldFor        []string // the key_ids that are held for the provider
}

// note remembers what hints are made of. f is nil for an answer without frames.
func (t *Text) note(a *archive.Answer, p proof, f *archive.Frame) {
	h := &t.hints
	switch p.state {
	case archive.StateKeyNotInService:
		h.lapsed++
		if a.Recorded.Present() {
			h.recorded++
		}
	case archive.StateUnattested:
		if localID, known := a.LocalID.Text(); known && len(t.byHolder.of(localID)) > 0 {
			h.stripped++
		}
	case archive.StateConstructed, archive.StateNoTrustedKey:
		if p.state == archive.StateConstructed && len(t.header.Held) == 0 {
			return // whoever gave no key that a person trusts knows that
		}
		localID := a.LocalID.OrEmpty()
		same := func(m missing) bool { return m.keyID == p.keyID && m.localID == clip(localID) }
		if len(h.missing) > maxMissing || slices.ContainsFunc(h.missing, same) {
			return
		}
		holders := t.header.Held[rawKeyID(a, f)]
		h.missing = append(h.missing, missing{
			keyID: strings.Clone(p.keyID), localID: strings.Clone(clip(localID)), holders: holders,
			algorithm: slices.Contains(holders, localID) || slices.Contains(holders, archive.AnyProvider),
			heldFor:   t.byHolder.of(localID),
		})
	}
}

// rawKeyID is the whole key_id that evidence without a key names.
func rawKeyID(a *archive.Answer, f *archive.Frame) string {
	if f != nil {
		if ev := deciding(f); ev != nil {
			keyID, _, _ := keyOf(a, ev)
			return keyID
		}
	} else if a.Root != nil {
		return a.Root.KeyID
	}
	return ""
}

// holdings are the key_ids of the trusted keys by whom they are held for.
type holdings map[string][]string

func newHoldings(held map[string][]string) holdings {
	hs := make(holdings)
	for keyID, localIDs := range held {
		for _, localID := range localIDs {
			hs[localID] = append(hs[localID], keyID)
		}
	}
	for _, keyIDs := range hs {
		slices.Sort(keyIDs)
	}
	return hs
}

// of returns the key_ids held for a local id, else those held for every provider.
func (hs holdings) of(localID string) []string {
	if own := hs[localID]; len(own) > 0 {
		return own
	}
	return hs[archive.AnyProvider]
}

// writeHints says what to do next, in a few lines.
func (t *Text) writeHints(p *page, s *archive.Summary) {
	keys := t.keyHints(s)
	first := min(1, len(keys))
	list := slices.Clone(keys[:first])
	if n := t.hints.stripped; n > 0 {
		list = append(list, count(n, "frame or answer carries", "frames or answers carry")+" no evidence, and a trusted key is held for the "+
			"provider: evidence may have been stripped, or the provider never signed. Next: cgp-attest explain unattested")
	}
	if text := t.lapsedHint(); text != "" {
		list = append(list, text)
	}
	list = append(list, keys[first:]...) // where there is room
	if n := s.Provenance[archive.LinkMissing]; n > 0 {
		list = append(list, count(n, "file", "files")+" of provenance "+
			"did not exist where --source-root has them looked for. --source-root URI_PREFIX=DIR says which folder stands for "+
			"the URIs that begin with URI_PREFIX.")
	}
	if t.header.Policy.Frames != nil && s.Answers == 0 {
		list = append(list, "--frame selects by the whole frame_id; no answer that could be read carries one of those given.")
	}
	if t.header.Policy.Frames == nil && s.Answers == 0 && s.Unreadable == 0 && s.Finished {
		list = append(list, nothingToCheck(s))
	}
	if s.ExitCode != archive.ExitGood && (s.Answers > 0 || s.Unreadable > 0) || s.Findings[archive.SeverityWarning] > 0 {
		list = append(list[:min(len(list), maxHints-1)], "cgp-attest explain CODE says what each code proves.")
	}
	for i, h := range list {
		if i == 0 {
			p.gap()
		}
		p.line(p.paint("hint:", terminal.Cyan) + " " + h)
	}
}

// nothingToCheck says why there was no answer, and what is wanted.
func nothingToCheck(s *archive.Summary) string {
	switch {
	case s.Sources == 0:
		return "no file was read. Of a folder those named *.json, *.ndjson or *.jsonl are, each also with .gz or .zst behind it."
	case s.Records == 0:
		return "nothing stood in the input. Wanted are answers as they were saved: frames messages, archive lines or bare results."
	}
	return "only messages of other types were read, and no answer. Next: cgp-attest inspect PATH"
}

// keyHints says what to do about keys that are not held.
func (t *Text) keyHints(s *archive.Summary) []string {
	const ask = "Ask the provider for the key, compare its fingerprint over another channel, and give it with --trust or --public-key."
	merely := s.States[archive.StateConstructed]
	switch none := len(t.header.Trusted) == 0 && len(t.header.Published) == 0; {
	case s.Answers == 0: // no key would have helped
	case none && t.header.Policy.Require == archive.RequireConstructed:
		return []string{"no key was given, so only keys found inside the input were tried: whoever can rewrite the file can " +
			"rewrite the keys in it. --trust and --public-key name keys that you trust, --keys ones that the provider published " +
			"elsewhere."}
	case none:
		return []string{"no key was given. --trust and --public-key name keys that you trust, --keys ones that the provider published. An " +
			"explicit --require constructed settles for keys found inside the input, which show how an answer was built and never " +
			"who signed it: whoever can rewrite the file can rewrite the keys in it."}
	case len(t.hints.missing) > 0 && (merely == 0 || t.header.Policy.Require != archive.RequireConstructed):
		var list []string
		if text := t.hints.misplaced(); text != "" {
			list = append(list, text)
		}
		if text := t.hints.unheld(); text != "" {
			list = append(list, text+". "+ask)
		}
		if merely > 0 && len(list) > 0 {
			list[0] = count(merely, "frame", "frames") + " verified under published keys alone: " + list[0]
		}
		return list
	case merely > 0 && t.header.Policy.Require != archive.RequireConstructed:
		return []string{count(merely, "frame", "frames") + " verified under published keys alone. " + ask}
	}
	return nil
}

// misplaced tells of the first key that is held, but not as the evidence names it.
func (h *hints) misplaced() string {
	first, others := missing{}, uint64(0)
	for _, m := range h.missing {
		switch {
		case len(m.holders) == 0:
		case first.holders == nil:
			first = m
		default:
			others++
		}
	}
	var text string
	switch {
	case first.holders == nil:
		return ""
	case first.algorithm:
		text = fmt.Sprintf("key_id %s is held for %s with another algorithm than the evidence names: ask the provider "+
			"which one it signs with", quote(first.keyID), quote(first.localID))
	default:
		text = fmt.Sprintf("key_id %s is held for %s, this answer's provider is looked up as %s: check the spelling, or name it with "+
			"--local-id if it is that provider", quote(first.keyID), some(first.holders), quote(first.localID))
	}
	if others > 0 {
		text += fmt.Sprintf("; %s like it", count(others, "more key is", "more keys are"))
	}
	return text + "."
}

// unheld names the keys that are held for nobody, and what is held for the provider of the first of them.
func (h *hints) unheld() string {
	var keyIDs, localIDs, heldFor []string
	for _, m := range h.missing {
		if len(m.holders) > 0 {
			continue
		}
		if len(localIDs) == 0 {
			heldFor = m.heldFor
		}
		if !slices.Contains(keyIDs, m.keyID) {
			keyIDs = append(keyIDs, m.keyID)
		}
		if !slices.Contains(localIDs, m.localID) {
			localIDs = append(localIDs, m.localID)
		}
	}
	if len(keyIDs) == 0 {
		return ""
	}
	text := fmt.Sprintf("no key is held for %s under key_id %s", some(localIDs), some(keyIDs))
	if len(heldFor) > 0 {
		text += fmt.Sprintf("; held for %s: key_id %s", quote(localIDs[0]), some(heldFor))
	}
	return text
}

// some quotes the first of a list and says whether there are others.
func some(list []string) string {
	var quoted []string
	for _, s := range list[:min(len(list), maxMissing)] {
		quoted = append(quoted, quote(s))
	}
	text := strings.Join(quoted, ", ")
	if len(list) > maxMissing {
		text += " and others"
	}
	return text
}

// lapsedHint tells how to name another instant, where that may bring a key into service.
func (t *Text) lapsedHint() string {
	h, at := &t.hints, t.header.ReceivedAt
	if at == nil || h.lapsed == 0 || h.recorded == 0 && at.Source != archive.InstantFromClock {
		return ""
	}
	n := h.recorded
	if at.Source == archive.InstantFromClock {
		n = h.lapsed
	}
	text := fmt.Sprintf("%s for a key that was not in service at the instant compared with (%s).",
		count(n, "frame or answer has evidence", "frames or answers have evidence"), at.Source)
	if at.Source == archive.InstantFromClock {
		text += " --received-at INSTANT names when the evidence was received, as your own records have it."
	}
	if h.recorded > 0 {
		text += " The records state a received_at of their own, and --received-at archive compares with that: whoever can write " +
			"the archive chooses it."
	}
	return text
}
