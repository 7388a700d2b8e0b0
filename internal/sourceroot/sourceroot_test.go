package sourceroot

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// tree makes a folder with a source root in it, beside a secret, and returns the path of the root.
func tree(t testing.TB, files ...string) string {
	t.Helper()
	top := t.TempDir()
	write(t, filepath.Join(top, "secret"), "secret")
	write(t, filepath.Join(top, "root-beside", "secret"), "secret")
	root := filepath.Join(top, "root")
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		write(t, filepath.Join(root, filepath.FromSlash(name)), "text of "+name)
	}
	return root
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// rooted opens roots given as prefix, folder, prefix, folder …
func rooted(t testing.TB, pairs ...string) *Roots {
	t.Helper()
	r := &Roots{}
	t.Cleanup(func() { r.Close() })
	for i := 0; i < len(pairs); i += 2 {
		if err := r.Add(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// outcome is what opening a uri comes to: the text of the file, missing, or the reason.
func outcome(t testing.TB, r *Roots, uri string) string {
	t.Helper()
	in, err := r.Open(uri)
	var refused *archive.FileError
	switch {
	case err == nil:
		defer in.Close()
		b, err := io.ReadAll(in)
		if err != nil {
			t.Errorf("%q: %v", uri, err)
		}
		return string(b)
	case errors.Is(err, fs.ErrNotExist):
		return "missing"
	case errors.As(err, &refused):
		if refused.Detail == "" {
			t.Errorf("%q: %s without a detail", uri, refused.Reason)
		}
		return string(refused.Reason)
	}
	t.Errorf("%q: error %v is neither missing nor a FileError", uri, err)
	return ""
}

func TestOpen(t *testing.T) {
	const (
		a, spaced      = "text of docs/a.md", "text of docs/with space.md"
		outside        = string(archive.LinkOutsideRoots)
		unaddressable  = string(archive.LinkUnaddressable)
		foreign, other = string(archive.LinkForeignHost), string(archive.LinkUnsupportedScheme)
		notRegular     = string(archive.LinkNotRegular)
	)
	r := rooted(t, "", tree(t, "docs/a.md", "docs/with space.md", "docs/é.md", "docs/100%.md", "a+b", "%2e%2e", "x.", "a:b"))
	tests := []struct{ uri, want string }{
		{"file:///docs/a.md", a},
		{"file://localhost/docs/a.md", a},
		{"file://LOCALHOST/docs/a.md", a},
		{"FILE:///docs/a.md", a},
		{"file:/docs/a.md", a},
		{"/docs/a.md", a},
		{"//localhost/docs/a.md", a},
		{"docs/a.md", a},
		{"./docs/a.md", a},
		{"docs//a.md", a},
		{"docs/./a.md", a},
		{"docs/../docs/a.md", a},
		{"nowhere/../docs/a.md", a},
		{"docs/%61.md", a},
		{"file:///%64ocs/a%2Emd", a},
		{"docs/with space.md", spaced},
		{"docs/with%20space.md", spaced},
		{"docs/%C3%A9.md", "text of docs/é.md"},
		{"docs/é.md", "text of docs/é.md"},
		{"docs/100%25.md", "text of docs/100%.md"},
		{"a+b", "text of a+b"},
		{"%252e%252e", "text of %2e%2e"},
		{"./a:b", "text of a:b"},
		{"/a:b", "text of a:b"},

		{"docs/A.md", "missing"},
		{"Docs/a.md", "missing"},
		{"docs/with+space.md", "missing"},
		{"docs/b.md", "missing"},
		{"docs/a.md/b", "missing"},
		{"%252e%252e/secret", "missing"},
		{"secret", "missing"},

		{"../secret", outside},
		{"docs/../../secret", outside},
		{"file:///../secret", outside},
		{"file:///docs/../../secret", outside},
		{"%2e%2e/secret", outside},
		{"%2E./secret", outside},
		{"docs/%2e%2e/%2e%2e/secret", outside},
		{"../root/docs/a.md", outside},
		{"../root-beside/secret", outside},

		{"docs%2fa.md", unaddressable},
		{"..%2fsecret", unaddressable},
		{"..%5csecret", unaddressable},
		{`..\secret`, unaddressable},
		{`docs\a.md`, unaddressable},
		{"docs/a.md%00", unaddressable},
		{"docs/a.md\x00", unaddressable},
		{"docs/100%.md", unaddressable},
		{"docs/%zz", unaddressable},
		{"docs/%", unaddressable},
		{"docs/%e9.md", unaddressable},
		{"docs/\xe9.md", unaddressable},
		{"docs/a.md#L1", unaddressable},
		{"docs/a.md?raw", unaddressable},
		{"file:///C:/docs/a.md", unaddressable},
		{"file:///c|/docs/a.md", unaddressable},
		{"file:///C%3A/docs/a.md", unaddressable},
		{"C:/docs/a.md", unaddressable},
		{`C:\docs\a.md`, unaddressable},
		{"c:docs/a.md", unaddressable},
		{"file:docs/a.md", unaddressable},
		{"file:", unaddressable},
		{"", unaddressable},
		{"file://", unaddressable},
		{"1a:b", unaddressable},
		{"file://\u212a/docs/a.md", unaddressable}, // strings.ToLower makes a k of it
		{"//h\u00f6st/docs/a.md", unaddressable},
		{":", unaddressable},

		{"file://server/docs/a.md", foreign},
		{"//server/docs/a.md", foreign},
		{"file:////server/docs/a.md", foreign},
		{"////docs/a.md", foreign},
		{"file://127.0.0.1/docs/a.md", foreign},

		{"https://example.org/docs/a.md", other},
		{"context://docs/a.md", other},
		{"https:///docs/a.md", other},
		{"urn:docs:a", other},
		{"a:b", unaddressable},

		{"docs", notRegular},
		{"file:///", notRegular},
		{"docs/", notRegular},
		{"docs/a.md/", notRegular},
		{"docs/a.md/.", notRegular},
		{".", notRegular},
		{"docs/..", notRegular},
	}
	for _, tt := range tests {
		if runtime.GOOS == "windows" && strings.ContainsAny(tt.want+tt.uri, ":%") && strings.HasPrefix(tt.want, "text of") {
			continue // such a name cannot be made there
		}
		if got := outcome(t, r, tt.uri); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.uri, got, tt.want)
		}
	}
}

func TestPrefixes(t *testing.T) {
	const outside = string(archive.LinkOutsideRoots)
	bare, repo, docs, share, web := tree(t, "a", "repo/a", "docs/a"), tree(t, "a", "x/a", "docs/b"), tree(t, "b"), tree(t, "a"), tree(t, "a")
	named := func(dir, name string) string { write(t, filepath.Join(dir, "which"), name); return dir }
	r := rooted(t, "", named(bare, "bare"), "file:///repo/", named(repo, "repo"), "FILE://localhost/repo/d%6Fcs", named(docs, "docs"),
		"file://Server/share", named(share, "share"), "https://example.org/w/", named(web, "web"), "file:///C:/", named(tree(t), "drive"),
		"rel/", named(tree(t), "rel"))
	tests := []struct{ uri, want string }{
		{"file:///which", "bare"},
		{"which", "bare"},
		{"file:///repo/which", "repo"},
		{"/repo/which", "repo"},
		{"file:///r%65po/which", "repo"},
		{"file:///x/../repo/which", "repo"},
		{"file:///repo/docs/which", "docs"},
		{"file:///repo/docs/../which", "repo"},
		{"file:///repo/docs/b", "text of b"},
		{"file:///repo/docs/a", "missing"}, // the longest prefix counts, whatever the others hold
		{"file:///repo/a", "text of a"},
		{"file:///repo", string(archive.LinkNotRegular)},
		{"file:///repository/which", "missing"}, // of bare
		{"file:///REPO/which", "missing"},
		{"repo/a", "text of repo/a"}, // a relative reference is not under file:///repo
		{"file:///repo/../which", "bare"},
		{"file:///repo/../../which", outside},
		{"file://server/share/which", "share"},
		{"file://SERVER/share/which", "share"},
		{"file://server/other/which", string(archive.LinkForeignHost)},
		{"https://example.org/w/which", "web"},
		{"HTTPS://Example.org/w/which", "web"},
		{"http://example.org/w/which", string(archive.LinkUnsupportedScheme)},
		{"https://example.org/which", string(archive.LinkUnsupportedScheme)},
		{"file:///C:/which", "drive"},
		{"file:///D:/which", string(archive.LinkUnaddressable)},
		{"rel/which", "rel"},
		{"file:///rel/which", "missing"},
	}
	for _, tt := range tests {
		if got := outcome(t, r, tt.uri); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.uri, got, tt.want)
		}
	}
	alone := rooted(t, "file:///repo/", repo)
	for _, uri := range []string{"file:///which", "which", "file:///repository/which", "file:///repo/../which"} {
		if got := outcome(t, alone, uri); got != outside {
			t.Errorf("with one prefix %q is %q, want %q", uri, got, outside)
		}
	}
	if got := outcome(t, &Roots{}, "file:///a"); got != outside {
		t.Errorf("without roots: %q", got)
	}
}

func TestAddFails(t *testing.T) {
	dir := tree(t, "a")
	r := rooted(t, "", dir, "file:///repo/", dir)
	for _, prefix := range []string{"", "file:///repo", "file://localhost/x/../repo/", "/repo", "file:///%", "file:x", `C:\repo`, "#", "file:///../"} {
		if err := r.Add(prefix, dir); !errors.Is(err, ErrPrefix) {
			t.Errorf("prefix %q: error %v, want ErrPrefix", prefix, err)
		}
	}
	for _, folder := range []string{filepath.Join(dir, "none"), filepath.Join(dir, "a")} {
		if err := r.Add("file:///other/", folder); err == nil || errors.Is(err, ErrPrefix) {
			t.Errorf("folder %q: error %v, want one of the file system", folder, err)
		}
	}
	if len(r.list) != 2 {
		t.Errorf("%d roots, want 2", len(r.list))
	}
}

// Names that Windows does not keep apart are refused there.
func TestLocalPath(t *testing.T) {
	for _, tt := range []struct {
		name    string
		windows bool
	}{{"a", true}, {"a.", false}, {"a ", false}, {"a. .", false}, {".a", true}} {
		if _, refused := localPath([]string{"x", tt.name}, "windows"); (refused == nil) != tt.windows {
			t.Errorf("localPath(%q, windows): %v", tt.name, refused)
		}
		if runtime.GOOS == "windows" {
			continue
		}
		if path, refused := localPath([]string{"x", tt.name}, runtime.GOOS); refused != nil || path != "x/"+tt.name {
			t.Errorf("localPath(%q) = %q, %v", tt.name, path, refused)
		}
	}
}

func TestOpenConcurrently(t *testing.T) {
	r := rooted(t, "", tree(t, "a", "b"))
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			for range 100 {
				name := []string{"a", "b"}[n%2]
				if got, want := outcome(t, r, name), "text of "+name; got != want {
					t.Errorf("%s is %q", name, got)
				}
				if got := outcome(t, r, fmt.Sprintf("none%d", n)); got != "missing" {
					t.Errorf("a file that is not there is %q", got)
				}
			}
		})
	}
	wait.Wait()
}
