package archive

import "contextgraphprotocol.org/cgp-attest/commitment"

// Addressed returns the part of a resource that a link's range addresses (CGP §6.2.1, F17): a slice of it, all of it where the
// range is absent. Where it addresses nothing the reason is LinkUnrecognised, LinkInverted or LinkStartPastEnd.
func Addressed(text commitment.Optional, resource []byte) ([]byte, LinkReason) {
	r, reason := parseRange(text)
	switch {
	case reason != "":
		return nil, reason
	case r.whole:
		return resource, ""
	}
	skip, take := r.first-1, r.last-(r.first-1) // lines
	part := resource[linesEnd(resource, &skip):]
	if skip > 0 || len(part) == 0 {
		return nil, LinkStartPastEnd
	}
	return part[:linesEnd(part, &take)], ""
}
