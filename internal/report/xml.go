package report

import (
	"math"
	"strings"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// appendXML appends s as character data or as the value of an attribute (XML 1.0 §2.2, §2.4). What does not show as itself, which
// includes all that XML cannot carry, stands as an escape that can be read: \x00, \u202e, \xff for a byte that is no UTF-8.
func appendXML(b []byte, s string) []byte {
	s = terminal.Escape(s, math.MaxInt)
	for i := range len(s) {
		switch c := s[i]; c {
		case '<':
			b = append(b, "&lt;"...)
		case '>': // also in ]]>
			b = append(b, "&gt;"...)
		case '&':
			b = append(b, "&amp;"...)
		case '"':
			b = append(b, "&#34;"...)
		default:
			b = append(b, c)
		}
	}
	return b
}

// appendAttribute appends an attribute with a blank in front of it.
func appendAttribute(b []byte, name, value string) []byte {
	b = append(append(append(b, ' '), name...), `="`...)
	return append(appendXML(b, value), '"')
}

// plain returns a name as it is where it reads as nothing else, not even after white space was collapsed; else quoted.
func plain(name string) string {
	shows := func(r rune) bool { return terminal.Visible(r) && r != utf8.RuneError && r != '"' && r != '\\' }
	if name == "" || strings.TrimSpace(name) != name || strings.Contains(name, "  ") || len(name) > terminal.MaxEchoed ||
		strings.IndexFunc(name, func(r rune) bool { return !shows(r) }) >= 0 {
		return terminal.Quote(name, maxDetail)
	}
	return name
}
