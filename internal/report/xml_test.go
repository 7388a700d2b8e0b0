package report

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// decodeXML reads a text back as an attribute and as character data.
func decodeXML(t *testing.T, written []byte) (attribute, text string) {
	t.Helper()
	var element struct {
		A string `xml:"a,attr"`
		T string `xml:",chardata"`
	}
	document := `<?xml version="1.0" encoding="UTF-8"?><e a="` + string(written) + `">` + string(written) + `</e>`
	if err := xml.Unmarshal([]byte(document), &element); err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	return element.A, element.T
}

func TestAppendXML(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"plain", "a b", "a b"},
		{"nothing", "", ""},
		{"markup", `<script>"&amp;'</script>`, `<script>"&amp;'</script>`},
		{"the end of CDATA", "]]>", "]]>"},
		{"a comment", "<!-- -->", "<!-- -->"},
		{"line ends", "a\nb\r\nc\td", `a\nb\r\nc\td`},
		{"NUL", "a\x00b", `a\x00b`},
		{"ANSI", "\x1b[31m", `\x1b[31m`},
		{"C1", "\u0085\u009b", `\u0085\u009b`},
		{"turned", "\u202egpj\u2066", `\u202egpj\u2066`},
		{"no characters", "\ufffe\uffff", `\ufffe\uffff`},
		{"a lone surrogate", "\xed\xa0\x80", `\xed\xa0\x80`},
		{"no UTF-8", "\xff", `\xff`},
		{"letters", "日本é𝄞", "日本é𝄞"},
	}
	for _, tt := range tests {
		attribute, text := decodeXML(t, appendXML(nil, tt.text))
		if attribute != tt.want || text != tt.want {
			t.Errorf("%s: %q reads as %q and %q, want %q", tt.name, tt.text, attribute, text, tt.want)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		written := string(appendXML(nil, string(r)))
		for _, c := range written {
			// XML 1.0 §2.2, less the controls that it merely discourages.
			if c < ' ' || 0x7f <= c && c <= 0x9f || c == 0xfffe || c == 0xffff || c == '<' || c == '>' {
				t.Fatalf("%U is written %q", r, written)
			}
		}
		if !strings.ContainsRune(written, r) && r > '>' && unicode.IsLetter(r) && r < 0x600 {
			t.Errorf("the letter %U is written %q", r, written)
		}
	}
}

// A name that is given as it is reads as no other name's, and white space says nothing in it.
func TestPlain(t *testing.T) {
	tests := []struct{ name, want string }{
		{"a/b c.json", "a/b c.json"},
		{"", `""`},
		{" a", `" a"`},
		{"a  b", `"a  b"`},
		{`a"`, `"a\""`},
		{`a\x1b`, `"a\\x1b"`},
		{"a\x1b", `"a\x1b"`},
		{"\xff", `"\xff"`},
		{"\u202e", `"\u202e"`},
	}
	for _, tt := range tests {
		if got := plain(tt.name); got != tt.want {
			t.Errorf("plain(%q) = %s, want %s", tt.name, got, tt.want)
		}
	}
}
