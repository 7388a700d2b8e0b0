package report

import (
	"strconv"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// appendNonEmpty appends s, or null where there is none.
func appendNonEmpty(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return terminal.AppendJSON(b, s)
}

func appendOptional(b []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present {
		return append(b, "null"...)
	}
	return terminal.AppendJSON(b, s)
}

// appendMember appends a member, with the comma in front of it, unless its value is empty.
func appendMember(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return terminal.AppendJSON(append(b, name...), value)
}

// appendIndex appends an index, or null for the -1 that says that there is none.
func appendIndex(b []byte, i int) []byte {
	if i < 0 {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, int64(i), 10)
}

func appendStrings(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = terminal.AppendJSON(b, s)
	}
	return append(b, ']')
}
