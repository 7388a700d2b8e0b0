package report

import (
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestAppendURI(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of POSIX")
	}
	tests := []struct{ name, path, want string }{
		{"relative", "archive/a.json", "archive/a.json"},
		{"this folder", "./a", "./a"},
		{"above", "../a", "../a"},
		{"absolute", "/srv/a b.json", "file:///srv/a%20b.json"},
		{"two slashes", "//srv/a", "file:////srv/a"},
		{"no scheme", "https:evil", "https%3Aevil"},
		{"neither query nor fragment", "a?b#c", "a%3Fb%23c"},
		{"percent", "100%25", "100%2525"},
		{"markup", `<script>"`, "%3Cscript%3E%22"},
		{"no UTF-8", "\xff", "%FF"},
		{"control", "\x00\n\x1b", "%00%0A%1B"},
		{"letters", "é", "%C3%A9"},
		{"a backslash is a character", `a\b`, "a%5Cb"},
	}
	for _, tt := range tests {
		got := string(appendURI(nil, tt.path))
		if got != tt.want {
			t.Errorf("%s: %q is %q, want %q", tt.name, tt.path, got, tt.want)
		}
		u, err := url.Parse(got)
		if err != nil || u.Path != tt.path || u.IsAbs() != filepath.IsAbs(tt.path) || u.RawQuery+u.Fragment+u.Host != "" {
			t.Errorf("%s: %q reads back as %+v, %v", tt.name, got, u, err)
		}
	}
	for c := range 256 {
		got := string(appendURI(nil, string([]byte{byte(c)})))
		if u, err := url.Parse(got); err != nil || strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r > '~' }) ||
			!strings.HasSuffix(u.Path, string([]byte{byte(c)})) {
			t.Errorf("the byte %#x is written %q", c, got)
		}
	}
}
