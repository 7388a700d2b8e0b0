package report

import (
	"math"
	"strings"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// Markdown of GitHub and GitLab makes links, mentions and references even of plain words (www.…, @name, #1, a commit's hash), and
// no escape keeps them from it everywhere. Only a code span does. So whatever is quoted stands in one, and so does every word
// that is not letters alone, or digits alone.

// appendCode appends s, which has no line feed, as a code span (GFM §6.3): between more backticks than stand in a row in s.
func appendCode(b []byte, s string) []byte {
	if s == "" {
		s = " "
	}
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	fence := strings.Repeat("`", longest+1)
	b = append(b, fence...)
	// One space is stripped from both ends where both have one.
	padded := longest > 0 || s[0] == ' ' && s[len(s)-1] == ' ' && strings.Trim(s, " ") != ""
	if padded {
		b = append(b, ' ')
	}
	b = append(b, s...)
	if padded {
		b = append(b, ' ')
	}
	return append(b, fence...)
}

// appendProse appends words and quotations as one line. A quotation is what stands between quotation marks in which a backslash
// makes the next character one of its text, as terminal.Quote writes it; one that does not end goes to the end of s.
// What does not show as itself is escaped first.
func appendProse(b []byte, s string) []byte {
	s = terminal.Escape(s, math.MaxInt)
	for first := true; s != ""; first = false {
		if s[0] == ' ' {
			b = append(b, ' ')
			s = s[1:]
			continue
		}
		end := wordEnd(s)
		b = appendWord(b, s[:end], first)
		s = s[end:]
	}
	return b
}

// wordEnd is where the first word of s ends: at a space that stands in no quotation.
func wordEnd(s string) int {
	quoted := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == '\\' && quoted:
			i++
		case s[i] == ' ' && !quoted:
			return i
		}
	}
	return len(s)
}

// appendWord appends a word: as it is where it is a plain one, between what opens and ends a clause, else as code. A number at the
// start of a line would begin a list.
func appendWord(b []byte, word string, first bool) []byte {
	core := strings.TrimLeft(word, "(")
	opening := word[:len(word)-len(core)]
	core = strings.TrimRight(core, ".,;:)…")
	closing := word[len(opening)+len(core):]
	b = append(b, opening...)
	switch {
	case core == "":
	case isPlain(core) && !(first && core[0] <= '9' && closing != ""):
		b = append(b, core...)
	default:
		b = appendCode(b, core)
	}
	return append(b, closing...)
}

// isPlain reports whether a word is ASCII letters alone, or so few digits that they are no hash.
func isPlain(word string) bool {
	letters, digits := 0, 0
	for _, c := range []byte(word) {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
		case '0' <= c && c <= '9':
			digits++
		default:
			return false
		}
	}
	return letters == 0 && digits < 7 || digits == 0 && !strings.HasPrefix(strings.ToLower(word), "www")
}
