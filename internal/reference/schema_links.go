package main

import "contextgraphprotocol.org/cgp-attest/archive"

// linkSchema is what became of a provenance link whose file was read again.
func linkSchema() object {
	s := closed(
		need("link", about("Index in the frame's provenance.", count())),
		need("uri", orNull(text())),
		need("status", codes("link_statuses")),
		may("reason", codes("link_reasons")),
		may("detail", text()),
	)
	return append(s,
		member{"if", holds("status", is(archive.LinkUnverifiable))},
		member{"then", required("reason")},
		member{"else", without("reason")},
	)
}
