package main

import (
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// appendTextOrNull appends s, or null where it is empty.
func appendTextOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return terminal.AppendJSON(dst, s)
}

func appendOptional(dst []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present {
		return append(dst, "null"...)
	}
	return terminal.AppendJSON(dst, s)
}
