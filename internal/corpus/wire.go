package corpus

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
)

// JSON as it is written here: objects keep the order of their members, and anything can stand anywhere.
type (
	object []member
	array  []any
	raw    string // text that is written as it is
)

type member struct {
	name  string
	value any
}

// set replaces a member's value, or adds the member.
func (o *object) set(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// get returns a member's value, nil where there is none.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// without returns a copy that lacks a member.
func (o object) without(name string) object {
	var out object
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

// A style is a way to spell a value; every style spells the same one.
type style struct {
	newline string // between members and elements; "" for none
	escaped bool   // member names, and what is not ASCII, with escapes
}

// encode spells a value on one line.
func (g *generator) encode(v any) string { return style{}.encode(v) }

func (s style) encode(v any) string {
	var b strings.Builder
	s.write(&b, v, 0)
	return b.String()
}

func (s style) write(b *strings.Builder, v any, depth int) {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case raw:
		b.WriteString(string(v))
	case string:
		s.quote(b, v)
	case *string:
		if v == nil {
			b.WriteString("null")
			return
		}
		s.quote(b, *v)
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int:
		b.WriteString(strconv.Itoa(v))
	case uint64:
		b.WriteString(strconv.FormatUint(v, 10))
	case array:
		b.WriteByte('[')
		for i, e := range v {
			s.separate(b, i, depth+1)
			s.write(b, e, depth+1)
		}
		s.close(b, len(v), depth, ']')
	case object:
		b.WriteByte('{')
		for i, m := range v {
			s.separate(b, i, depth+1)
			s.name(b, m.name)
			b.WriteByte(':')
			if s.newline != "" {
				b.WriteByte(' ')
			}
			s.write(b, m.value, depth+1)
		}
		s.close(b, len(v), depth, '}')
	default:
		panic(fmt.Sprintf("corpus: a value of type %T", v))
	}
}

func (s style) separate(b *strings.Builder, i, depth int) {
	if i > 0 {
		b.WriteByte(',')
	}
	s.breakLine(b, depth)
}

func (s style) close(b *strings.Builder, n, depth int, bracket byte) {
	if n > 0 {
		s.breakLine(b, depth)
	}
	b.WriteByte(bracket)
}

// breakLine indents what follows: at the start of a line a bracket is the start of a record.
func (s style) breakLine(b *strings.Builder, depth int) {
	if s.newline != "" {
		b.WriteString(s.newline)
		for range depth {
			b.WriteString("  ")
		}
	}
}

func (s style) name(b *strings.Builder, name string) {
	if !s.escaped || name == "" {
		s.quote(b, name)
		return
	}
	fmt.Fprintf(b, `"\u%04x%s"`, name[0], name[1:])
}

func (s style) quote(b *strings.Builder, text string) {
	b.WriteByte('"')
	from := 0
	flush := func(to int) { b.WriteString(text[from:to]) }
	for i, r := range text {
		if r >= ' ' && r != '"' && r != '\\' && (r < 0x7f || !s.escaped) {
			continue
		}
		flush(i)
		from = i + len(string(r))
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(b, `\u%04x\u%04X`, high, low)
		default:
			fmt.Fprintf(b, `\u%04x`, r)
		}
	}
	flush(len(text))
	b.WriteByte('"')
}
