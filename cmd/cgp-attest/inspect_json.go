package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

const inspectHead = `{"schema":"` + inspectSchema + `","judged":false,"sources":[`

// inspectJSON writes one object: an entry for each source, whose answers come before its errors and its counts; then what was
// passed over.
type inspectJSON struct {
	sources, answers int
	errors           *fileio.Spool // of the source at hand
}

func (j *inspectJSON) start(source string) []byte {
	var b []byte
	if j.sources == 0 {
		b = append(b, inspectHead...)
	} else {
		b = append(b, ',')
	}
	j.sources++
	j.close()
	j.answers, j.errors = 0, new(fileio.Spool)
	return append(terminal.AppendJSON(append(b, "\n{\"source\":"...), source), `,"answers":[`...)
}

func (j *inspectJSON) answer(a *archive.InspectedAnswer) []byte {
	b := []byte("\n")
	if j.answers > 0 {
		b = []byte(",\n")
	}
	j.answers++
	b = strconv.AppendUint(append(b, `{"record":`...), a.Record, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), a.Offset, 10)
	b = appendOptional(append(b, `,"id":`...), a.ID)
	b = appendOptional(append(b, `,"provider_id":`...), a.ProviderID)
	b = terminal.AppendJSON(append(b, `,"provider_source":`...), string(a.ProviderSource))
	b = fmt.Appendf(b, `,"frames":%d,"malformed_frames":%d,"links":%d,"file_link_without_digest":%d,"inline_content":%d`,
		a.Frames, a.Malformed, a.Links, a.FileNoDigest, a.InlineContent)
	b = appendCounts(append(b, `,"content_digests":`...), a.Digests)
	b = appendCounts(append(b, `,"representations":`...), a.Representations)
	b = append(b, `,"root":`...)
	if r := a.Root; r == nil {
		b = append(b, "null"...)
	} else {
		b = terminal.AppendJSON(append(b, `{"signed":`...), r.SignedCommitment)
		b = terminal.AppendJSON(append(b, `,"key_id":`...), r.KeyID)
		b = append(terminal.AppendJSON(append(b, `,"algorithm":`...), r.Algorithm), '}')
	}
	b = fmt.Appendf(b, `,"entries":%d,"signatures":%d,"proofs":%d`, a.Entries, a.Signatures, a.Proofs)
	b = appendTexts(append(b, `,"leaf_counts":`...), decimals(a.LeafCounts))
	b = appendTexts(append(b, `,"key_ids":`...), a.KeyIDs)
	b = appendTexts(append(b, `,"algorithms":`...), a.Algorithms)
	b = appendTexts(append(b, `,"unverified_claims":{"attester_ids":`...), a.AttesterIDs)
	b = appendTextOrNull(append(b, `,"issued_first":`...), a.IssuedFirst)
	b = appendTextOrNull(append(b, `,"issued_last":`...), a.IssuedLast)
	b = fmt.Appendf(b, `},"retained":%t,"tree":`, a.Retained)
	return append(appendTree(b, a.Tree), '}')
}

func (j *inspectJSON) close() {
	if j.errors != nil {
		j.errors.Close()
	}
}

func (j *inspectJSON) unreadable(_ io.Writer, e *archive.RecordError) error {
	var b []byte
	if j.errors.Size() > 0 {
		b = append(b, ',')
	}
	b = fmt.Appendf(append(b, '\n'), `{"record":%d,"offset":%d,"at":%d,"code":"%s"`, e.Record, e.Offset, e.At, e.Code)
	_, err := j.errors.Write(append(terminal.AppendJSON(append(b, `,"detail":`...), e.Detail), '}'))
	return err
}

func (j *inspectJSON) end(w io.Writer, t *archive.Inspection) error {
	if _, err := io.WriteString(w, "],\n\"errors\":["); err != nil {
		return err
	}
	if _, err := j.errors.WriteTo(w); err != nil {
		return err
	}
	b := fmt.Appendf(nil, "],\n\"records\":%d,\"answers_total\":%d,\"unreadable\":%d", t.Records, t.Answers, t.Unreadable)
	b = appendCounts(append(b, `,"other_messages":`...), t.Messages)
	b = append(b, `,"providers":[`...)
	for i, p := range t.Providers {
		if i > 0 {
			b = append(b, ',')
		}
		b = terminal.AppendJSON(append(b, "\n{\"name\":"...), p.Name)
		b = fmt.Appendf(b, `,"handshakes":%d,"malformed_keys":%d,"published_keys":[`, p.Acks, p.Faults)
		for k, key := range p.Keys {
			if k > 0 {
				b = append(b, ',')
			}
			b = terminal.AppendJSON(append(b, `{"key_id":`...), key.KeyID)
			b = terminal.AppendJSON(append(b, `,"algorithm":`...), key.Algorithm)
			b = terminal.AppendJSON(append(b, `,"public_key":`...), key.PublicKey)
			b = append(appendTextOrNull(append(b, `,"unusable":`...), key.Unusable), '}')
		}
		b = append(b, "]}"...)
	}
	_, err := w.Write(append(b, "]}"...))
	return err
}

func (j *inspectJSON) finish(in *inputs.Paths) []byte {
	var b []byte
	if j.sources == 0 {
		b = append(b, inspectHead...)
	}
	n, first := in.Ignored()
	b = fmt.Appendf(b, "\n],\n\"ignored_files\":%d", n)
	b = appendTexts(append(b, `,"ignored":`...), first)
	b = append(b, ",\n\"inputs\":["...)
	for i, f := range in.Findings() {
		if i > 0 {
			b = append(b, ',')
		}
		b = terminal.AppendJSON(append(b, "\n{\"source\":"...), f.Source)
		b = fmt.Appendf(b, `,"code":"%s","severity":"%s"`, f.Code, f.Severity)
		b = append(terminal.AppendJSON(append(b, `,"detail":`...), f.Detail), '}')
	}
	return append(b, "]}\n"...)
}

// appendCounts appends an object of counts, its members sorted by name.
func appendCounts[N int | uint64](b []byte, counts map[string]N) []byte {
	b = append(b, '{')
	for i, name := range slices.Sorted(maps.Keys(counts)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(append(terminal.AppendJSON(b, name), ':'), "%d", counts[name])
	}
	return append(b, '}')
}

// decimals spells counts as text: they go up to 2^64−1, which a JSON number does not hold everywhere.
func decimals(counts []uint64) []string {
	texts := make([]string, len(counts))
	for i, n := range counts {
		texts[i] = strconv.FormatUint(n, 10)
	}
	return texts
}
