package report

import (
	"unicode/utf16"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"strconv"
)

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. Whatever is not visible on a terminal stands as a \u escape, so that a report can be
// looked at without harm and still says exactly what was there. Bytes that are not UTF-8, which only a file's name can hold,
// become U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c <= '~' && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= utf8.RuneSelf && terminal.Visible(r) && (r != utf8.RuneError || size > 1) {
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, r)
		i += size
		start = i
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

func appendEscape(b []byte, r rune) []byte {
	if r == '"' || r == '\\' {
		return append(b, '\\', byte(r))
	}
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return appendUnit(appendUnit(b, high), low)
	}
	return appendUnit(b, r)
}

func appendUnit(b []byte, u rune) []byte {
	return append(b, '\\', 'u', hexDigits[u>>12&15], hexDigits[u>>8&15], hexDigits[u>>4&15], hexDigits[u&15])
}

// appendNonEmpty appends s, or null where there is none.
func appendNonEmpty(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

func appendOptional(b []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present {
		return append(b, "null"...)
	}
	return appendString(b, s)
}

// appendMember appends a member, with the comma in front of it, unless its value is empty.
func appendMember(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return appendString(append(b, name...), value)
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
		b = appendString(b, s)
	}
	return append(b, ']')
}
