package terminal

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// AppendJSON appends s as a JSON string. Whatever is not visible on a terminal stands as a \u escape, so that a report can be
// looked at without harm and still says exactly what was there. Bytes that are not UTF-8, which only a file's name can hold,
// become U+FFFD.
func AppendJSON(b []byte, s string) []byte {
	b = append(b, '"')
	at := len(b)
	if b = append(b, s...); isPlain(b[at:]) {
		return append(b, '"')
	}
	b = b[:at]
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; ' ' <= c && c <= '~' && c != '"' && c != '\\' {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r >= utf8.RuneSelf && Visible(r) && (r != utf8.RuneError || size > 1) {
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

// isPlain reports whether all bytes are printable ASCII that JSON does not escape. It may miss it, never claim it.
func isPlain(b []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(b); i += 8 {
		w := binary.LittleEndian.Uint64(b[i:])
		// (x - ones*n) &^ x & highs marks a byte of x below n; above it a borrow may mark others. Adding 1 makes 0x7F one with the
		// high bit, which w itself marks in what is no ASCII.
		quote, escape := w^ones*'"', w^ones*'\\'
		if (w|(w+ones)|(w-ones*' ')&^w|(quote-ones)&^quote|(escape-ones)&^escape)&highs != 0 {
			return false
		}
	}
	for ; i < len(b); i++ {
		if c := b[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
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
