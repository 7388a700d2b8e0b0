package terminal_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"pgregory.net/rapid"
)

func TestWidth(t *testing.T) {
	tests := []struct {
		name, in string
		want     int
	}{
		{"empty", "", 0}, {"ASCII", "abc", 3}, {"wide", "日本", 4}, {"mark", "e\u0301", 1}, {"emoji", "👍", 2},
		{"ellipsis", "…", 1}, {"colour", terminal.Paint("abc", terminal.Red), 3},
	}
	for _, tt := range tests {
		if got := terminal.Width(tt.in); got != tt.want {
			t.Errorf("%s: Width(%+q) = %d, want %d", tt.name, tt.in, got, tt.want)
		}
	}
}

func TestFit(t *testing.T) {
	tests := []struct {
		name, in string
		columns  int
		want     string
	}{
		{"fits", "abc", 5, `"abc"`},
		{"one too few", "abcd", 5, `"ab"…`},
		{"wide characters go whole", "日本語", 7, `"日本"…`},
		{"escapes go whole", "ab\x1bc", 8, `"ab"…`},
		{"as little as there is", "abc", 3, `""…`},
		{"long", strings.Repeat("x", 200), 200, `"` + strings.Repeat("x", 128) + `"…`},
	}
	for _, tt := range tests {
		if got := terminal.Fit(tt.in, tt.columns); got != tt.want {
			t.Errorf("%s: Fit(%+q, %d) = %s, want %s", tt.name, tt.in, tt.columns, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	tests := []struct {
		name, first, rest, in string
		width                 int
		want                  string
	}{
		{"short", "", "  ", "a b", 10, "a b\n"},
		{"empty", "- ", "  ", "", 10, "- \n"},
		{"breaks at a space", "", "  ", "aaa bbb ccc", 7, "aaa bbb\n  ccc\n"},
		{"exactly full", "", "  ", "aaa bbb", 7, "aaa bbb\n"},
		{"one over", "", "  ", "aaa bbbb", 7, "aaa\n  bbbb\n"},
		{"breaks a long word", "", "  ", "abcdefghij", 6, "abcdef\n  ghij\n"},
		{"breaks a long word on a line of its own", "", "  ", "x abcdefghij", 6, "x\n  abcd\n  efgh\n  ij\n"},
		{"two spaces stay", "", "  ", "a  b", 10, "a  b\n"},
		{"wide characters", "", " ", "日本語", 4, "日本\n 語\n"},
		{"a wide character where there is no room", "", " ", "a日b", 1, "a\n 日\n b\n"},
		{"first and rest", "> ", "    ", "aa bb cc", 6, "> aa\n    bb\n    cc\n"},
	}
	for _, tt := range tests {
		got := string(terminal.Wrap([]byte("x"), tt.first, tt.rest, tt.in, tt.width))
		if got != "x"+tt.want {
			t.Errorf("%s: Wrap(%q, %d) = %q, want %q", tt.name, tt.in, tt.width, got, "x"+tt.want)
		}
	}
}

// Wrapping keeps every character but spaces, fits, and begins each line as asked.
func TestWrapKeepsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.SampledFrom([]rune("ab .,\"é日…"))).Draw(t, "text")
		width := rapid.IntRange(20, 60).Draw(t, "width")
		out := string(terminal.Wrap(nil, "", "    ", in, width))
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		for i, line := range lines {
			if w := terminal.Width(line); w > width {
				t.Fatalf("line %d of %q takes %d columns, want at most %d", i, out, w, width)
			}
			if i > 0 && !strings.HasPrefix(line, "    ") {
				t.Fatalf("line %d of %q does not begin with the indent", i, out)
			}
		}
		bare := func(s string) string { return strings.NewReplacer(" ", "", "\n", "").Replace(s) }
		if bare(out) != bare(in) {
			t.Fatalf("Wrap(%q) = %q", in, out)
		}
	})
}

func TestPaint(t *testing.T) {
	if got, want := terminal.Paint("bad", terminal.Red), "\x1b[31mbad\x1b[0m"; got != want {
		t.Errorf("Paint(bad, Red) = %q, want %q", got, want)
	}
	for _, got := range []string{terminal.Paint("x", terminal.Plain), terminal.Paint("", terminal.Red) + "x"} {
		if got != "x" {
			t.Errorf("Paint adds colour to nothing or none: %q", got)
		}
	}
}

// The width is that which tablewriter measures, of every character and of texts with colours.
func TestWidthAsTablewriter(t *testing.T) {
	twwidth.SetEastAsian(false)
	for r := rune(' '); r <= utf8.MaxRune; r++ {
		if got, want := terminal.Width(string(r)), twwidth.WidthNoCache(string(r)); got != want {
			t.Errorf("Width(%+q) = %d, want %d", r, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"a", "日", "\u0301", "👍", terminal.Paint("word", terminal.Cyan), "\x1b[0m", "\x1b[1;31m", "m", "[",
		})).Draw(t, "parts"), "")
		if got, want := terminal.Width(s), twwidth.WidthNoCache(s); got != want {
			t.Errorf("Width(%+q) = %d, want %d", s, got, want)
		}
	})
}
