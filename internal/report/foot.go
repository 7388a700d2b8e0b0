package report

import (
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// maxNamed is how many keys, key sources and selected frames are named.
const maxNamed = 20

// writeKeys lists the keys under which evidence verified, where the sentence could not name one alone.
func (t *Text) writeKeys(p *page) {
	keys := t.proofs.sum(func(pr proof) (proof, bool) { return proof{signer: pr.signer}, pr.tier != "" })
	if len(keys) < 2 {
		return
	}
	p.paragraph("Keys that evidence verified under:")
	for i, k := range keys {
		if i == maxNamed {
			p.item(count(uint64(len(keys)-i), "more key.", "more keys."))
			break
		}
		p.item(count(k.frames, "frame ", "frames ") + k.named() + ".")
	}
}

// writeCounts writes every count that is not zero, and those that an auditor looks for where they are.
func writeCounts(p *page, s *archive.Summary) {
	p.gap()
	p.line(fmt.Sprintf("Read: sources %d, records %d, answers %d, frames %d, unreadable %d, passed_over %d, ignored_files %d.",
		s.Sources, s.Records, s.Answers, s.Frames, s.Unreadable, s.PassedOver, s.IgnoredFiles))
	if len(s.Ignored) > 0 {
		p.line("Ignored in folders: " + quoteAll(s.Ignored) + others(s.IgnoredFiles, len(s.Ignored)) + ".")
	}
	p.line("Classes: " + tallied(archive.Classes(), s.Classes, true))
	for _, c := range []struct{ title, counts string }{
		{"States", tallied(archive.States(), s.States, false)},
		{"Empty answers", tallied(archive.EmptyAnswerStates(), s.EmptyAnswers, false)},
		{"Evidence", tallied(archive.EvidenceStates(), s.Evidence, false)},
		{"Content", tallied(archive.Contents(), s.Content, false)},
		{"Provenance", tallied(archive.LinkStatuses(), s.Provenance, false)},
	} {
		if c.counts != "" {
			p.line(c.title + ": " + c.counts)
		}
	}
	p.line("Findings: " + tallied(archive.Severities(), s.Findings, true))
}

// others says how many of n are not named, where some are.
func others(n uint64, named int) string {
	if n <= uint64(named) {
		return ""
	}
	return fmt.Sprintf(", %d more", n-uint64(named))
}

func tallied[K ~string](keys []K, counts map[K]uint64, zeros bool) string {
	var parts []string
	for _, k := range keys {
		if n := counts[k]; n > 0 || zeros {
			text := fmt.Sprintf("%s %d", k, n)
			if string(k) == string(archive.StateConstructed) {
				text += " (" + notEstablished + ")"
			}
			parts = append(parts, text)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, ", ") + "."
}

// writePolicy says what a frame had to meet, and with which keys.
func (t *Text) writePolicy(p *page) {
	pol := &t.header.Policy
	parts := []string{"require " + beside(pol.Require), "algorithms " + algorithms(t.header.Algorithms)}
	if pol.AllowIdentityOnly {
		parts = append(parts, "frames without a digest may meet it (--allow-identity-only)")
	}
	if pol.AllowOpaqueDigest {
		parts = append(parts, "digests of another form may meet it (--allow-opaque-digest)")
	}
	if name, ok := pol.Provider.Text(); ok {
		parts = append(parts, "provider "+quote(name)+" (--provider)")
	}
	if id, ok := pol.LocalID.Text(); ok {
		parts = append(parts, "local id "+quote(id)+" (--local-id)")
	} else if pol.LocalIDFromArchive {
		parts = append(parts, "local ids as the archive gives them (--local-id archive)")
	}
	if pol.Retained {
		parts = append(parts, "every answer as a retained subset (--retained)")
	}
	if pol.Frames != nil {
		parts = append(parts, "frames "+quoteAll(pol.Frames)+" alone")
	}
	if len(pol.SourceRoots) > 0 {
		parts = append(parts, "files of provenance read again under "+quoteAll(pol.SourceRoots)+" (--source-root)")
	}
	p.paragraph("Policy: " + strings.Join(parts, "; ") + ".")
	p.line("Keys: trusted " + sources(t.header.Trusted) + "; published " + sources(t.header.Published) + ".")
	if at := t.header.ReceivedAt; at == nil {
		p.line("Windows of keys are compared with the instant that each record gives.")
	} else if instant := at.Instant.String(); instant != "" {
		present := ""
		if at.Source == archive.InstantFromClock {
			present = "the present instant "
		}
		p.line(fmt.Sprintf("Windows of keys are compared with %s%s (%s).", present, terminal.Escape(instant, terminal.MaxEchoed), at.Source))
	}
}

// algorithms lists names, and says which of them are not the protocol's.
func algorithms(names []string) string {
	text := quoteAll(names)
	if undefined := sign.Undefined(names); len(undefined) > 0 {
		text += " (" + sign.NotDefined + ": " + quoteAll(undefined) + ")"
	}
	return text
}

func quoteAll(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	var quoted []string
	for i, s := range list {
		if i == maxNamed {
			quoted = append(quoted, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		quoted = append(quoted, quote(s))
	}
	return strings.Join(quoted, ", ")
}

// sources names where keys came from.
func sources(list []archive.KeySource) string {
	if len(list) == 0 {
		return "none"
	}
	var parts []string
	for i, src := range list {
		if i == maxNamed {
			parts = append(parts, fmt.Sprintf("%d more", len(list)-i))
			break
		}
		text := fmt.Sprintf("%s (%s", quote(src.Name), count(uint64(src.Keys), "key", "keys"))
		if src.SHA256 != "" {
			text += ", sha256 " + terminal.Escape(src.SHA256, terminal.MaxEchoed)
		}
		parts = append(parts, text+")")
	}
	return strings.Join(parts, ", ")
}

// writeExit ends the page with the exit code and why it is that.
func (t *Text) writeExit(p *page, s *archive.Summary) {
	color := terminal.Red
	switch s.ExitCode {
	case archive.ExitGood:
		color = terminal.Green
	case archive.ExitUnchecked:
		color = terminal.Yellow
	}
	text := p.paint(fmt.Sprintf("exit %d", s.ExitCode), color)
	if s.ExitZeroApplied {
		text += ", turned into 0 by --exit-zero"
	}
	text += ": " + terminal.Escape(s.ExitReason, maxDetail)
	if !s.Finished && t.header.Policy.Require == archive.RequireConstructed { // the reason of a whole run says so itself
		text += "; of what is merely constructed, " + notEstablished
	}
	p.paragraph(text + ".")
}
