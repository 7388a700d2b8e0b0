// Package terminal prepares text of unknown origin for people: Quote makes it a quoted string that is safe on a terminal and
// Escape does the same for a sentence; Width, Fit and Wrap measure in columns, Paint colours.
//
// # Security
//
// Nothing that Quote, Fit or Escape returns moves the cursor, changes a colour, starts a line, turns the direction of writing or
// stays invisible. Letters that look like other letters pass: an identifier is compared by its bytes, never by its looks.
package terminal

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxEchoed is how many characters of an identifier text output shows.
const MaxEchoed = 128

// maxMarks is how many combining marks may follow one character before they are escaped.
const maxMarks = 4

// invisible are characters that print as nothing, or as a blank that is none, though Unicode calls them letters, marks or
// symbols.
var invisible = []*unicode.RangeTable{
	unicode.Other_Default_Ignorable_Code_Point,
	unicode.Variation_Selector,
	{R16: []unicode.Range16{{Lo: 0x2800, Hi: 0x2800, Stride: 1}}}, // the braille pattern without dots
}

// Visible reports whether r shows as itself. Control characters (C0, DEL, C1), the ones that turn the direction of writing,
// zero-width ones, every blank but the space, private use and unassigned ones do not.
func Visible(r rune) bool {
	if r < utf8.RuneSelf {
		return ' ' <= r && r <= '~'
	}
	return strconv.IsPrint(r) && !unicode.In(r, invisible...)
}

// Quote returns the first most characters of s between quotation marks, followed by … where s has more. What is not Visible, a
// backslash and a quotation mark are escaped as in Go (\n, \x1b, \u202e, \"), a byte that is not UTF-8 as \xff. Combining marks
// stand after a character of s alone, and at most four of them.
func Quote(s string, most int) string {
	var b strings.Builder
	b.WriteByte('"')
	rest := escape(&b, s, most, `"\`)
	b.WriteByte('"')
	if rest != "" {
		b.WriteRune('…')
	}
	return b.String()
}

// Escape returns the first most characters of s, followed by … where s has more, with what is not Visible escaped as in Quote.
// Quotation marks and backslashes stay: s is a sentence whose quotations were made by Quote or %q.
func Escape(s string, most int) string {
	var b strings.Builder
	if escape(&b, s, most, "") != "" {
		b.WriteRune('…')
	}
	return b.String()
}

// escape writes at most most characters of s, with a backslash in front of those of special, and returns what is left of it.
func escape(b *strings.Builder, s string, most int, special string) (rest string) {
	marks := maxMarks // none at the start, where it would join what stands in front
	for ; most > 0 && s != ""; most-- {
		r, size := utf8.DecodeRuneInString(s)
		if unicode.Is(unicode.M, r) {
			marks++
		} else {
			marks = 0
		}
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(b, `\x%02x`, s[0])
		case strings.ContainsRune(special, r):
			b.WriteByte('\\')
			b.WriteRune(r)
			marks = maxMarks
		case Visible(r) && marks <= maxMarks:
			b.WriteRune(r)
		default:
			escapeRune(b, r)
			marks = maxMarks
		}
		s = s[size:]
	}
	return s
}

func escapeRune(b *strings.Builder, r rune) {
	switch {
	case r == '\n':
		b.WriteString(`\n`)
	case r == '\r':
		b.WriteString(`\r`)
	case r == '\t':
		b.WriteString(`\t`)
	case r < utf8.RuneSelf:
		fmt.Fprintf(b, `\x%02x`, r)
	case r <= 0xffff:
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		fmt.Fprintf(b, `\U%08x`, r)
	}
}
