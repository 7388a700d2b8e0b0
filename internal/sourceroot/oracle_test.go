//go:build unix

package sourceroot

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// parts of uris that mean different things to different readers.
var (
	beginnings = []string{"", "", "/", "./", "//", "//localhost/", "////", "file:", "file:/", "file:///", "FILE://localhost/", "file:////", "file://host/", "https://h/", "C:/"}
	pieces     = []string{
		"docs", "docs", "a.md", "a.md", "..", ".", "", "%2e%2e", "%2E", ".%2e", "%252e%252e", "%2f", "%5c", `\`, "%00", "é", "%C3%A9", "%c3", "%61.md", "%64ocs",
		"folder", "inside", "deep", "up", "out", "outfolder", "absolute", "secret", "root", "root-beside", "C:", "%", "%zz", "a.md?x", "a.md#x", "a+b", "a%2Bb",
	}
)

func randomURI(r *rand.Rand) string {
	names := make([]string, 1+r.IntN(5))
	for i := range names {
		names[i] = pieces[r.IntN(len(pieces))]
	}
	return beginnings[r.IntN(len(beginnings))] + strings.Join(names, "/")
}

// hostile is a root with symbolic links in and out of it.
func hostile(t testing.TB) string {
	t.Helper()
	root := tree(t, "docs/a.md", "docs/é", "a.md", "a+b", "deep/docs/a.md", "%2e%2e/a.md", "secret")
	for name, to := range map[string]string{
		"folder": "docs", "inside": "docs/a.md", "deep/up": "../docs", "out": "../secret", "outfolder": "..", "docs/out": "../../root-beside",
		"absolute": filepath.Join(root, "docs"), "deep/docs/back": "../../../root/docs",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Another resolver, python3's urllib and realpath, and this one agree on which file a uri names: what opens is that file, within
// the root; what is missing is missing there too; what is refused for leading out leads out, or passes a link that os.Root takes
// for one that does.
func TestOpenAgreesWithAnotherResolver(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal("no python3 for the independent resolver")
		}
		t.Skip("no python3 for the independent resolver")
	}
	root := hostile(t)
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	r := rooted(t, "", root)
	random := rand.New(rand.NewPCG(6, 2))
	uris := make([]string, 20_000)
	var lines bytes.Buffer
	for i := range uris {
		uris[i] = randomURI(random)
		line, err := json.Marshal(uris[i])
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	cmd := exec.Command(python, "testdata/resolve.py", root)
	cmd.Stdin, cmd.Stderr = &lines, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewScanner(bytes.NewReader(out))
	outcomes := make(map[archive.LinkReason]int)
	for _, uri := range uris {
		var path *string
		if !answers.Scan() {
			t.Fatal("the oracle gave too few answers")
		}
		if err := json.Unmarshal(answers.Bytes(), &path); err != nil {
			t.Fatal(err)
		}
		within := path != nil && strings.HasPrefix(*path+"/", root+"/")
		file, err := r.Open(uri)
		var refused *archive.FileError
		switch {
		case err == nil:
			outcomes[archive.LinkReason(archive.LinkMatch)]++
			agree(t, uri, within, path, file.(*os.File))
			file.Close()
		case errors.Is(err, fs.ErrNotExist):
			outcomes[archive.LinkReason(archive.LinkMissing)]++
			if !within {
				t.Errorf("%q is missing, and leads out", uri)
			} else if _, err := os.Stat(*path); err == nil {
				t.Errorf("%q is missing, and is %s", uri, *path)
			}
		case errors.As(err, &refused):
			outcomes[refused.Reason]++
			if refused.Reason == archive.LinkOutsideRoots && within && !passesRefusedLink(uri) && !strings.Contains(uri, "..") && !strings.Contains(uri, "%2e") {
				t.Errorf("%q leads out, and is %s", uri, *path)
			}
		}
	}
	for _, reason := range []archive.LinkReason{
		archive.LinkReason(archive.LinkMatch), archive.LinkReason(archive.LinkMissing), archive.LinkOutsideRoots, archive.LinkUnaddressable,
		archive.LinkForeignHost, archive.LinkUnsupportedScheme, archive.LinkNotRegular,
	} {
		if outcomes[reason] < 50 {
			t.Errorf("%s came up %d times only", reason, outcomes[reason])
		}
	}
}

// passesRefusedLink reports whether a uri names a link that is absolute, or that leads out and in again.
func passesRefusedLink(uri string) bool {
	for _, name := range []string{"absolute", "back", "outfolder"} {
		if strings.Contains(uri, name) {
			return true
		}
	}
	return false
}

func agree(t *testing.T, uri string, within bool, path *string, file *os.File) {
	t.Helper()
	if !within {
		t.Errorf("%q opens, and leads out", uri)
		return
	}
	got, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if want, err := os.Stat(*path); err != nil || !os.SameFile(got, want) {
		t.Errorf("%q opens another file than %s (%v)", uri, *path, err)
	}
}

// No uri opens what stands outside of the root, whatever it is; and what a uri is taken apart into is a way downwards.
func FuzzOpen(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		f.Add(randomURI(random))
	}
	root := hostile(f)
	r := rooted(f, "", root, "file:///docs/", filepath.Join(root, "deep"))
	f.Fuzz(func(t *testing.T, uri string) {
		a, refused := parseAddress(uri)
		if refused != nil && (refused.Reason == "" || refused.Detail == "") {
			t.Errorf("%q is refused without a reason or a detail: %+v", uri, refused)
		}
		if refused == nil {
			for _, name := range a.names {
				if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
					t.Errorf("%q has the name %q", uri, name)
				}
			}
			if path, refused := localPath(a.names, "windows"); refused == nil && !filepath.IsLocal(path) {
				t.Errorf("%q has the path %q", uri, path)
			}
		}
		if text := outcome(t, r, uri); text == "secret" {
			t.Errorf("%q opens what is outside", uri)
		}
	})
}
