package main

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// appendText appends s as a JSON string in which everything that a terminal would not show as itself is a \u escape. Bytes
// that are not valid UTF-8, which only a file's name can hold, become U+FFFD.
func appendText(dst []byte, s string) []byte {
	quoted, _ := jsontext.AppendQuote(nil, s)
	for len(quoted) > 0 {
		r, size := utf8.DecodeRune(quoted)
		if r < utf8.RuneSelf && r != 0x7f || terminal.Visible(r) {
			dst = append(dst, quoted[:size]...)
		} else if high, low := utf16.EncodeRune(r); high == utf8.RuneError {
			dst = appendUnit(dst, r)
		} else {
			dst = appendUnit(appendUnit(dst, high), low)
		}
		quoted = quoted[size:]
	}
	return dst
}

func appendUnit(dst []byte, unit rune) []byte {
	const digits = "0123456789abcdef"
	return append(dst, '\\', 'u', digits[unit>>12&15], digits[unit>>8&15], digits[unit>>4&15], digits[unit&15])
}

// appendTextOrNull appends s, or null where it is empty.
func appendTextOrNull(dst []byte, s string) []byte {
	if s == "" {
		return append(dst, "null"...)
	}
	return appendText(dst, s)
}

func appendOptional(dst []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present {
		return append(dst, "null"...)
	}
	return appendText(dst, s)
}
