package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// appendRoff appends the page as man(7) of section 1. The date is a day, "" for none.
func (m *manual) appendRoff(dst []byte, version, date string) []byte {
	dst = fmt.Appendf(dst, ".TH %s 1 \"%s\" \"%s\" \"%s manual\"\n", roffText(strings.ToUpper(m.page())), date, roffText(version), roffText(program))
	dst = fmt.Appendf(dst, ".SH NAME\n%s \\- %s\n", roffText(m.page()), roffText(m.short))
	dst = append(dst, ".SH SYNOPSIS\n"...)
	dst = fmt.Appendf(dst, "\\fB%s\\fR%s\n", roffText(m.command), roffText(strings.TrimPrefix(m.usage, m.command)))
	dst = append(dst, ".SH DESCRIPTION\n"...)
	for i, p := range m.passages {
		if i > 0 {
			dst = append(dst, ".PP\n"...)
		}
		if p.fixed != nil {
			dst = appendRoffLines(dst, p.fixed)
		} else {
			dst = appendRoffLine(dst, p.text)
		}
	}
	if len(m.passages) == 0 {
		dst = appendRoffLine(dst, strings.ToUpper(m.short[:1])+m.short[1:]+".")
	}
	if len(m.commands) > 0 {
		dst = append(dst, ".SH COMMANDS\n"...)
		for _, sub := range m.commands {
			dst = fmt.Appendf(dst, ".TP\n\\fB%s\\fR(1)\n", roffText(pageOf(sub.CommandPath())))
			dst = appendRoffLine(dst, sub.Short)
		}
	}
	dst = append(dst, ".SH OPTIONS\n"...)
	for _, f := range m.flags {
		dst = append(dst, ".TP\n"...)
		if f.shorthand != "" {
			dst = fmt.Appendf(dst, "\\fB\\-%s\\fR, ", f.shorthand)
		}
		dst = fmt.Appendf(dst, "\\fB\\-\\-%s\\fR", roffText(f.name))
		if f.value != "" {
			dst = fmt.Appendf(dst, " \\fI%s\\fR", roffText(f.value))
		}
		dst = appendRoffLine(append(dst, '\n'), f.does)
	}
	if m.parent == "" {
		dst = append(dst, ".SH EXIT STATUS\nThe same for every command.\n"...)
		for _, e := range exitCodes() {
			dst = fmt.Appendf(dst, ".TP\n\\fB%s\\fR\n", e.Code)
			dst = appendRoffLine(dst, e.Proves)
		}
		dst = append(dst, ".SH ENVIRONMENT\n"...)
		for _, v := range variables() {
			dst = append(dst, ".TP\n"...)
			dst = appendRoffLine(dst, v.title())
			dst = appendRoffLine(dst, v.does)
		}
	}
	dst = append(dst, ".SH EXAMPLES\n"...)
	dst = appendRoffLines(dst, m.examples)
	dst = append(dst, ".SH SEE ALSO\n"...)
	if m.parent == "" {
		return fmt.Appendf(dst, "\\fB%s\\fR(1) says what a code proves and what it does not.\n", roffText(pageOf(program+" explain")))
	}
	return fmt.Appendf(dst, "\\fB%s\\fR(1)\n", roffText(pageOf(m.parent)))
}

func pageOf(command string) string { return strings.ReplaceAll(command, " ", "-") }

// appendRoffLines appends lines that are set as they are.
func appendRoffLines(dst []byte, lines []string) []byte {
	dst = append(dst, ".RS 4\n.nf\n"...)
	for _, line := range lines {
		dst = appendRoffLine(dst, line)
	}
	return append(dst, ".fi\n.RE\n"...)
}

// appendRoffLine appends a line of text, which no request begins.
func appendRoffLine(dst []byte, line string) []byte {
	text := roffText(line)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return append(append(dst, text...), '\n')
}

// roffText returns a text with what roff would read as its own replaced. The signs of a command line stay what they are when
// they are copied from a page, and characters outside of ASCII go by their numbers, which no locale changes.
func roffText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r == '\'':
			b.WriteString(`\(aq`)
		case r == '"':
			b.WriteString(`\(dq`)
		case r == '`':
			b.WriteString(`\(ga`)
		case r == '^':
			b.WriteString(`\(ha`)
		case r == '~':
			b.WriteString(`\(ti`)
		case r >= utf8.RuneSelf:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
