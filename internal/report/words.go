package report

import (
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// notEstablished stands wherever constructed does: such a key was found beside what it signs.
const notEstablished = "who signed is not established"

// maxDetail is how many characters of a detail are shown. Details quote what an input says, cut.
const maxDetail = 1_024

func quote(s string) string { return terminal.Quote(s, terminal.MaxEchoed) }

func join[S ~string](list []S) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(s))
	}
	return b.String()
}

// count is a number and its noun.
func count(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatUint(n, 10) + " " + many
}

func bodyOf(detail string) []string {
	if detail == "" {
		return nil
	}
	return []string{terminal.Escape(detail, maxDetail)}
}

// holder says whom a key is held for.
func holder(trustedFor string) string {
	if trustedFor == archive.AnyProvider {
		return "any provider"
	}
	return quote(trustedFor)
}

// under says which key evidence verified under, and how far that goes.
func (s signer) under() string {
	if s.others {
		return beside(stateOf(s.tier)) + " by further keys"
	}
	switch s.tier {
	case archive.TierConfigured:
		return fmt.Sprintf("%s by key %s, trusted for %s", archive.StateAttested, quote(s.keyID), holder(s.trustedFor))
	case archive.TierPinned:
		return fmt.Sprintf("%s by key %s, trusted on first use for %s", archive.StatePinned, quote(s.keyID), holder(s.trustedFor))
	}
	return fmt.Sprintf("%s under published key %s (%s)", archive.StateConstructed, quote(s.keyID), notEstablished)
}

// named adds the declared name, which the provider chose, behind the id that the operator chose.
func (s signer) named() string {
	if name, ok := s.declared.Text(); ok {
		return s.under() + ", declared name " + quote(name)
	}
	return s.under()
}

// text says what a proof came to.
func (p proof) text() string {
	var b strings.Builder
	switch {
	case p.tier == "":
		b.WriteString(string(p.state))
		if p.keyID != "" {
			b.WriteString(", key_id " + quote(p.keyID))
		}
	case p.state == stateOf(p.tier):
		b.WriteString(p.named())
	default:
		fmt.Fprintf(&b, "%s, its evidence %s", p.state, p.named())
	}
	return b.String() + p.uncompared()
}

// uncompared says why the content of what verified was not compared, "" where it was.
func (p proof) uncompared() string {
	if p.tier == "" || p.content == archive.ContentMatch || p.content == archive.ContentMismatch {
		return ""
	}
	return fmt.Sprintf(", content not compared (%s)", p.content)
}

// sentence says what was proven for how many frames, under whose key, and what not.
func (t *Text) sentence(s *archive.Summary) string {
	var b strings.Builder
	if !s.Finished {
		b.WriteString("Interrupted, so this is a part: ")
	}
	switch good := s.Classes[archive.ClassGood]; {
	case s.Answers == 0:
		b.WriteString("nothing was checked, no answer was found")
	case s.Frames == 0:
		b.WriteString("no frame was there to check")
	case good == 0:
		fmt.Fprintf(&b, "none of %s met the policy (require %s)", count(s.Frames, "frame", "frames"), t.header.Policy.Require)
	default:
		fmt.Fprintf(&b, "%d of %s met the policy (require %s): %s", good, count(s.Frames, "frame", "frames"),
			t.header.Policy.Require, t.met())
	}
	contradicted := s.Findings[archive.SeverityError] > 0 && s.Frames > 0 && s.Classes[archive.ClassGood] == s.Frames
	if contradicted { // else nothing would say why the exit code is 1
		them := "them"
		if s.Frames == 1 {
			them = "it"
		}
		what := "evidence in the file is damaged or contradicts " + them
		if s.Findings[archive.SeverityError] == s.Provenance[archive.LinkMismatch] {
			what = "source files are not the ones that their provenance declares"
		}
		fmt.Fprintf(&b, ", but %s: %s of severity error", what,
			count(s.Findings[archive.SeverityError], "finding", "findings"))
	}
	if unmet := t.proofs.states(func(p proof) bool { return p.class != archive.ClassGood }); len(unmet) > 0 {
		if s.Classes[archive.ClassGood] > 0 {
			b.WriteString("; not met")
		}
		b.WriteString(": " + strings.Join(unmet, "; "))
	}
	if empty := t.empties.states(func(proof) bool { return true }); len(empty) > 0 {
		b.WriteString("; answers without frames: " + strings.Join(empty, "; "))
	}
	if n := s.Findings[archive.SeverityError]; n > 0 && !contradicted {
		b.WriteString("; " + count(n, "finding", "findings") + " of severity error")
	}
	if n := s.UncheckedLinks(); n > 0 {
		b.WriteString("; " + count(n, "file link", "file links") + " of provenance could not be checked")
	}
	if s.Unreadable > 0 {
		b.WriteString("; " + count(s.Unreadable, "source or record", "sources or records") + " could not be read")
	}
	if by := t.signers(); t.header.Policy.Require == archive.RequireConstructed && !(len(by) == 1 && by[0].tier == archive.TierPublished) {
		b.WriteString("; of what is merely constructed, " + notEstablished)
	}
	text := b.String() + "."
	return strings.ToUpper(text[:1]) + text[1:]
}

// signers are the keys under which frames met the policy.
func (t *Text) signers() []tally {
	return t.proofs.sum(func(p proof) (proof, bool) { return proof{signer: p.signer}, p.class == archive.ClassGood })
}

// met names the key under which frames met the policy, or says that there are several.
func (t *Text) met() string {
	good := t.signers()
	waived := t.proofs.sum(func(p proof) (proof, bool) {
		return proof{}, p.class == archive.ClassGood && p.content != archive.ContentMatch
	})
	text := fmt.Sprintf("under %d keys, listed below", len(good))
	if len(good) == 1 {
		text = good[0].named()
	}
	if len(waived) == 1 {
		text += fmt.Sprintf(", content not compared in %d as the policy allows", waived[0].frames)
	}
	return text
}

// states says how many are of each state, with the key where it is one, of those that keep chooses.
func (ps proofs) states(keep func(proof) bool) []string {
	keyed := ps.sum(func(p proof) (proof, bool) { return p.told(), keep(p) })
	var out []string
	for _, st := range ps.sum(func(p proof) (proof, bool) { return p.told().keyless(), keep(p) }) {
		var under []tally
		for _, k := range keyed {
			if k.keyless() == st.proof {
				under = append(under, k)
			}
		}
		text := string(st.state)
		switch {
		case len(under) == 1:
			text = under[0].text()
		case st.tier == archive.TierPublished:
			text = fmt.Sprintf("%s under %d published keys (%s)", st.state, len(under), notEstablished) + st.uncompared()
		case st.tier != "" || st.state == archive.StateNoTrustedKey:
			text = fmt.Sprintf("%s under %d keys", st.state, len(under)) + st.uncompared()
		}
		out = append(out, fmt.Sprintf("%d %s", st.frames, text))
	}
	return out
}

// told is what a sentence tells of a proof: where nothing verified, neither the content nor the declared name.
func (p proof) told() proof {
	p.class = ""
	if p.tier == "" {
		p.content, p.declared = "", commitment.Optional{}
	}
	return p
}

func (p proof) keyless() proof {
	p.signer = signer{tier: p.tier}
	return p
}

// beside names a state, constructed never without what it leaves open.
func beside[S ~string](state S) string {
	if string(state) == string(archive.StateConstructed) {
		return string(state) + " (" + notEstablished + ")"
	}
	return string(state)
}

// evidence says what became of one piece of evidence; with claims, what its attestation says and nothing covers.
func evidence(a *archive.Answer, ev *archive.Evidence, claims bool) string {
	keyID, tier, trustedFor := keyOf(a, ev)
	var b strings.Builder
	b.WriteString(string(ev.Kind) + ": ")
	if ev.State.Verifies() {
		b.WriteString(signer{tier: tier, keyID: keyID, trustedFor: trustedFor}.under())
	} else {
		b.WriteString(string(ev.State))
	}
	if ev.Verdict != "" {
		b.WriteString(", verdict " + string(ev.Verdict))
	}
	if ev.Reason != "" {
		b.WriteString(", reason " + string(ev.Reason))
	}
	if !ev.State.Verifies() && keyID != "" {
		b.WriteString(", key_id " + quote(keyID))
	}
	if ev.LeafCount != "" {
		b.WriteString(", leaf_count " + terminal.Escape(ev.LeafCount, terminal.MaxEchoed))
	}
	if ev.Detail != "" {
		b.WriteString(": " + terminal.Escape(ev.Detail, maxDetail))
	}
	if ev.Expected != "" || ev.Signed != "" {
		fmt.Fprintf(&b, "; expected %s, signed %s",
			terminal.Escape(ev.Expected, terminal.MaxEchoed), terminal.Escape(ev.Signed, terminal.MaxEchoed))
	}
	if claims {
		b.WriteString(claimed(ev, a))
	}
	return b.String()
}

// explained says the same, and on a line of its own what would explain it.
func explained(a *archive.Answer, ev *archive.Evidence, claims bool) []string {
	return append([]string{evidence(a, ev, claims)}, likely(ev.Diagnosis)...)
}

// likely marks a diagnosis as the hint that it is.
func likely(d *archive.Diagnosis) []string {
	if d == nil {
		return nil
	}
	text := "likely cause (a hint, the verdict stands): " + string(d.Cause)
	if d.Detail != "" {
		text += ": " + terminal.Escape(d.Detail, maxDetail)
	}
	return []string{text}
}

// claimed marks the claims of an attestation as what they are (CGP F18).
func claimed(ev *archive.Evidence, a *archive.Answer) string {
	c := ev.Unverified
	if ev.Kind == archive.KindRoot && a.Root != nil {
		c = a.Root.Unverified
	}
	if c == nil {
		return ""
	}
	return fmt.Sprintf("; unverified claims: attester_id %s, issued_at %s", quote(c.AttesterID), quote(c.IssuedAt))
}

// contentText says what became of a frame's content.
func contentText(f *archive.Frame) string {
	digest, declared := f.ContentDigest.Text()
	if !declared {
		return fmt.Sprintf("content %s", f.Content)
	}
	if _, err := commitment.ParseDigest(digest); err == nil { // needs no quotation, and so fits on a line
		return fmt.Sprintf("content %s, content_digest %s", f.Content, digest)
	}
	return fmt.Sprintf("content %s, content_digest %s", f.Content, quote(digest))
}
