package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// maxInspected bounds how many answers of a source are listed as text; all are counted.
const maxInspected = 1000

// inspectText writes what a person reads.
type inspectText struct {
	width  int
	listed int
}

// newInspectText returns a form for a terminal of so many columns; 0 is no terminal.
func newInspectText(columns int) *inspectText {
	if columns == 0 {
		columns = terminal.DefaultWidth
	}
	return &inspectText{width: columns}
}

func (t *inspectText) line(b []byte, first, text string) []byte {
	return terminal.Wrap(b, first, strings.Repeat(" ", 4), text, t.width)
}

func (t *inspectText) start(source string) []byte {
	t.listed = 0
	return t.line(nil, "", fmt.Sprintf("Source %s. Nothing here was verified: whatever stands there may be forged.", quote(source)))
}

func (t *inspectText) answer(a *archive.InspectedAnswer) []byte {
	if t.listed++; t.listed > maxInspected {
		return nil
	}
	head := fmt.Sprintf("Answer at record %d", a.Record)
	if id, ok := a.ID.Text(); ok {
		head += ", id " + quote(id)
	}
	if name, ok := a.ProviderID.Text(); ok {
		head += fmt.Sprintf(", provider %s (from %s)", quote(name), a.ProviderSource)
	} else {
		head += ", provider unknown"
	}
	if a.Retained {
		head += ", a retained subset"
	}
	b := t.line([]byte("\n"), "", head)
	b = t.line(b, "  ", fmt.Sprintf("frames %d, malformed %d, with content %d; digests: %s; representations: %s",
		a.Frames, a.Malformed, a.InlineContent, listCounts(a.Digests), listCounts(a.Representations)))
	b = t.line(b, "  ", fmt.Sprintf("provenance links %d, file_link_without_digest %d", a.Links, a.FileNoDigest))
	if a.Root == nil && a.Entries == 0 {
		return t.line(b, "  ", "evidence: none")
	}
	if r := a.Root; r != nil {
		b = t.line(b, "  ", fmt.Sprintf("root: claims to sign %s, key_id %s, algorithm %s",
			escape(terminal.Quote(r.SignedCommitment, terminal.MaxEchoed)), quote(r.KeyID), quote(r.Algorithm)))
	}
	b = t.line(b, "  ", fmt.Sprintf("entries %d: signatures %d, inclusion proofs %d", a.Entries, a.Signatures, a.Proofs))
	if len(a.LeafCounts) > 0 {
		b = t.line(b, "  ", "leaf_count claimed: "+strings.Join(decimals(a.LeafCounts), ", "))
	}
	if len(a.KeyIDs) > 0 {
		b = t.line(b, "  ", "key ids: "+listTexts(a.KeyIDs)+"; algorithms: "+listTexts(a.Algorithms))
		claims := "unverified claims: attester_id " + listTexts(a.AttesterIDs)
		if a.IssuedFirst != "" {
			claims += fmt.Sprintf("; issued_at %s to %s", a.IssuedFirst, a.IssuedLast)
		}
		b = t.line(b, "  ", claims)
	}
	return t.tree(b, a)
}

func (t *inspectText) close() {}

func (t *inspectText) unreadable(w io.Writer, e *archive.RecordError) error {
	_, err := w.Write(t.line([]byte("\n"), "", "Unreadable: "+escape(recordText(e))))
	return err
}

func (t *inspectText) end(w io.Writer, total *archive.Inspection) error {
	b := []byte("\n")
	if t.listed > maxInspected {
		b = t.line(b, "", fmt.Sprintf("%d more answers are not listed; --format json lists all.", t.listed-maxInspected))
	}
	b = t.line(b, "", fmt.Sprintf("Read: records %d, answers %d, unreadable %d; other messages: %s.",
		total.Records, total.Answers, total.Unreadable, listCounts(total.Messages)))
	for _, p := range total.Providers {
		b = t.line(b, "", fmt.Sprintf("Provider %s: handshakes %d, published keys %d, malformed keys %d.",
			quote(p.Name), p.Acks, len(p.Keys), p.Faults))
		for _, k := range p.Keys {
			text := fmt.Sprintf("key_id %s, algorithm %s, %s", quote(k.KeyID), quote(k.Algorithm), quote(k.PublicKey))
			if k.Unusable != "" {
				text += ": " + escape(k.Unusable)
			}
			b = t.line(b, "  ", text)
		}
	}
	_, err := w.Write(append(b, '\n'))
	return err
}

func (t *inspectText) finish(in *inputs.Paths) (b []byte) {
	for _, f := range in.Findings() {
		b = t.line(b, "", fmt.Sprintf("%s: %s %s: %s", f.Severity, f.Code, quote(f.Source), escape(f.Detail)))
	}
	if n, first := in.Ignored(); n > 0 {
		b = t.line(b, "", fmt.Sprintf("Ignored files %d: %s.", n, listFirst(first, n)))
	}
	return b
}

// listCounts lists counts by name, sorted, the names quoted where they are not plain.
func listCounts[N int | uint64](counts map[string]N) string {
	if len(counts) == 0 {
		return "none"
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", strings.Trim(quote(name), `"`), counts[name]))
	}
	return strings.Join(parts, ", ")
}

func listTexts(list []string) string { return listFirst(list[:min(len(list), 10)], uint64(len(list))) }

// listFirst lists the first of so many texts, and says how many more there are.
func listFirst(first []string, of uint64) string {
	quoted := make([]string, 0, len(first))
	for _, s := range first {
		quoted = append(quoted, quote(s))
	}
	all := strings.Join(quoted, ", ")
	if more := of - uint64(len(first)); more > 0 {
		all += fmt.Sprintf(" and %d more", more)
	}
	return all
}
