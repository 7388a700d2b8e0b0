package terminal_test

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

func TestQuote(t *testing.T) {
	tests := []struct {
		name, in string
		most     int
		want     string
	}{
		{"plain", "repo-graph:retry-doc", 128, `"repo-graph:retry-doc"`},
		{"empty", "", 128, `""`},
		{"letters of many scripts", "größe 日本語 العربية 👍", 128, `"größe 日本語 العربية 👍"`},
		{"quotation mark and backslash", `a"b\c`, 128, `"a\"b\\c"`},
		{"line feed, return, tab", "a\nb\rc\td", 128, `"a\nb\rc\td"`},
		{"escape sequence", "\x1b[31mred\x1b[0m", 128, `"\x1b[31mred\x1b[0m"`},
		{"NUL and DEL", "a\x00b\x7f", 128, `"a\x00b\x7f"`},
		{"C1: CSI, OSC, next line", "\u009b31m\u009d\u0085", 128, `"\u009b31m\u009d\u0085"`},
		{"bidi override and isolates", "a\u202eb\u2066c\u2069\u200f\u061c", 128, `"a\u202eb\u2066c\u2069\u200f\u061c"`},
		{"zero width", "a\u200bb\u200dc\ufeffd\u2060\u00ad", 128, `"a\u200bb\u200dc\ufeffd\u2060\u00ad"`},
		{"line and paragraph separator", "a\u2028b\u2029", 128, `"a\u2028b\u2029"`},
		{"blanks that are not the space", "a\u00a0b\u3000c\u2800", 128, `"a\u00a0b\u3000c\u2800"`},
		{"letters that show nothing", "\u115f\u1160\u3164\uffa0\u17b4", 128, `"\u115f\u1160\u3164\uffa0\u17b4"`},
		{"variation selectors and tags", "a\ufe0f\U000e0100\U000e0041", 128, `"a\ufe0f\U000e0100\U000e0041"`},
		{"private use, unassigned", "\ue000\U0010fffd\u0378", 128, `"\ue000\U0010fffd\u0378"`},
		{"not UTF-8", "a\xff\xc3", 128, `"a\xff\xc3"`},
		{"the replacement character itself", "\ufffd", 128, `"` + "\ufffd" + `"`},
		{"a mark behind its letter", "e\u0301", 128, "\"e\u0301\""},
		{"a mark at the start", "\u0301a", 128, `"\u0301a"`},
		{"a mark behind an escape", "\n\u0301\"\u0301", 128, `"\n\u0301\"\u0301"`},
		{"too many marks", "e" + strings.Repeat("\u0301", 6), 128, "\"e" + strings.Repeat("\u0301", 4) + `\u0301\u0301"`},
		{"as many as allowed", "abc", 3, `"abc"`},
		{"one more", "abcd", 3, `"abc"…`},
		{"cut counts characters", "日本語日本", 3, `"日本語"…`},
		{"an ellipsis of its own stands inside", "abc…", 4, `"abc…"`},
		{"none allowed", "a", 0, `""…`},
	}
	for _, tt := range tests {
		if got := terminal.Quote(tt.in, tt.most); got != tt.want {
			t.Errorf("%s: Quote(%+q, %d) = %s, want %s", tt.name, tt.in, tt.most, got, tt.want)
		}
	}
}

func TestEscape(t *testing.T) {
	tests := []struct {
		name, in string
		most     int
		want     string
	}{
		{"a sentence with a quotation", `key "a\nb" is not held`, 128, `key "a\nb" is not held`},
		{"a path", "open \x1b]0;x\a/tmp\n: no such file", 128, `open \x1b]0;x\x07/tmp\n: no such file`},
		{"cut", "abcdef", 4, "abcd…"},
		{"not UTF-8", "\xff", 4, `\xff`},
	}
	for _, tt := range tests {
		if got := terminal.Escape(tt.in, tt.most); got != tt.want {
			t.Errorf("%s: Escape(%+q, %d) = %s, want %s", tt.name, tt.in, tt.most, got, tt.want)
		}
	}
}

// Every character that Unicode puts into a category of things that are not seen is escaped.
func TestVisibleKnowsTheCategories(t *testing.T) {
	unseen := []*unicode.RangeTable{
		unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs, unicode.Bidi_Control,
		unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point, unicode.Noncharacter_Code_Point,
	}
	seen := 0
	for r := range unicode.MaxRune + 1 {
		hidden := unicode.In(r, unseen...) || unicode.Is(unicode.Zs, r) && r != ' '
		if hidden && terminal.Visible(r) {
			t.Errorf("Visible(%U) = true", r)
		}
		if terminal.Visible(r) {
			seen++
		}
	}
	if seen < 100_000 {
		t.Errorf("%d characters are visible, want the letters of all scripts", seen)
	}
}

// checkSafe fails where s holds something that a terminal does not show as it is. In a quotation it must read back, by Go's own
// rules, as the start of what was quoted.
func checkSafe(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Errorf("%q is not UTF-8", s)
	}
	for _, r := range s {
		if r != ' ' && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Z, unicode.C)) {
			t.Errorf("%+q holds %U", s, r)
		}
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{
		"", "abc", "\x1b[2J", "a\u202eb", "\xff\xfe", strings.Repeat("\u0301", 9), "日本語", `"\"`, "a b  c\n", strings.Repeat("x", 300),
	} {
		f.Add(s, uint8(128), uint8(20))
	}
	f.Fuzz(func(t *testing.T, s string, most, columns uint8) {
		quoted := terminal.Quote(s, int(most))
		checkSafe(t, quoted)
		checkSafe(t, terminal.Escape(s, int(most)))
		body, cut := strings.CutSuffix(quoted, "\"…")
		if cut {
			body += `"`
		}
		back, err := strconv.Unquote(body)
		if err != nil {
			t.Fatalf("Quote(%q) = %s: %v", s, quoted, err)
		}
		if !strings.HasPrefix(s, back) || (back == s) == cut {
			t.Errorf("Quote(%q, %d) = %s, which reads as %q", s, most, quoted, back)
		}
		if columns >= 3 {
			fit := terminal.Fit(s, int(columns))
			checkSafe(t, fit)
			if w := terminal.Width(fit); w > int(columns) {
				t.Errorf("Fit(%q, %d) = %s takes %d columns", s, columns, fit, w)
			}
		}
	})
}
