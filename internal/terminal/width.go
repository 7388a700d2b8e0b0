package terminal

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// DefaultWidth is how many columns text output fits where nobody says more, MinWidth how many its tables need.
const (
	DefaultWidth = 80
	MinWidth     = 72
)

// Width returns how many columns s takes on a terminal: the sum over its characters, whatever the locale. Colours, as Paint
// sets them, take none.
func Width(s string) (columns int) {
	for len(s) > 0 {
		if n := colorLength(s); n > 0 {
			s = s[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		columns += displaywidth.Rune(r)
		s = s[n:]
	}
	return columns
}

// colorLength is the length of the ESC [ … m that s begins with, 0 if it begins with none.
func colorLength(s string) int {
	rest, ok := strings.CutPrefix(s, "\x1b[")
	if !ok {
		return 0
	}
	parameters := len(rest) - len(strings.TrimLeft(rest, "0123456789;"))
	if parameters == len(rest) || rest[parameters] != 'm' {
		return 0
	}
	return len(s) - len(rest) + parameters + 1
}

// Fit returns the longest Quote of s that takes at most columns, which must be three or more.
func Fit(s string, columns int) string {
	if q := Quote(s, MaxEchoed); Width(q) <= columns {
		return q
	}
	tooMany := sort.Search(MaxEchoed, func(n int) bool { return Width(Quote(s, n)) > columns })
	return Quote(s, max(tooMany-1, 0))
}

// Wrap appends s to dst as lines of at most width columns, broken at spaces, or inside a word that is longer than a line. The
// first line begins with first, every other with rest; each ends with a line feed. The space at a break is dropped, every other
// one stays. A rest that is not empty keeps whatever s quotes from standing at the start of a line.
func Wrap(dst []byte, first, rest, s string, width int) []byte {
	dst = append(dst, first...)
	used, fresh := Width(first), true
	room := width - Width(rest)
	for word := range strings.SplitSeq(s, " ") {
		w := Width(word)
		switch {
		case fresh:
		case used+1+w <= width:
			dst = append(dst, ' ')
			used++
		default:
			dst = append(append(dst, '\n'), rest...)
			used = width - room
		}
		for used+w > width {
			head, tail := split(word, width-used)
			if tail == "" { // one character that is wider than a line
				break
			}
			dst = append(append(append(dst, head...), '\n'), rest...)
			word, w, used = tail, Width(tail), width-room
		}
		dst = append(dst, word...)
		used, fresh = used+w, false
	}
	return append(dst, '\n')
}

// split cuts a word behind the last character that ends within columns, behind the first one if none does.
func split(word string, columns int) (head, tail string) {
	_, first := utf8.DecodeRuneInString(word)
	used := 0
	for i, r := range word {
		used += Width(string(r))
		if used > columns {
			cut := max(i, first)
			return word[:cut], word[cut:]
		}
	}
	return word, ""
}
