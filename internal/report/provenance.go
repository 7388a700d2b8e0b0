package report

import (
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// appendProvenance appends what became of a frame's links; nothing where no file was read again.
func appendProvenance(b []byte, links []archive.CheckedLink) []byte {
	if links == nil {
		return b
	}
	b = append(b, `,"provenance":[`...)
	for i := range links {
		if i > 0 {
			b = append(b, ',')
		}
		l := &links[i]
		b = strconv.AppendInt(append(b, `{"link":`...), int64(l.Link), 10)
		b = appendOptional(append(b, `,"uri":`...), l.URI)
		b = terminal.AppendJSON(append(b, `,"status":`...), string(l.Status))
		b = appendMember(b, `,"reason":`, string(l.Reason))
		b = append(appendMember(b, `,"detail":`, l.Detail), '}')
	}
	return append(b, ']')
}

// provenanceText counts what became of a frame's links.
func provenanceText(links []archive.CheckedLink) []string {
	if len(links) == 0 {
		return nil
	}
	counts := make(map[archive.LinkStatus]uint64)
	for i := range links {
		counts[links[i].Status]++
	}
	return []string{"provenance " + tallied(archive.LinkStatuses(), counts, false)}
}
