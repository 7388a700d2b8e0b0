package inputs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
)

// plant makes a tree in a new folder and goes there. A name that ends in a slash is a folder, one with "->" a symbolic link.
func plant(t *testing.T, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		if err := put(name); err != nil {
			t.Fatal(err)
		}
	}
}

func put(name string) error {
	link, target, linked := strings.Cut(name, "->")
	if err := os.MkdirAll(filepath.Dir(link), 0o777); err != nil {
		return err
	}
	switch {
	case linked:
		return os.Symlink(target, link)
	case strings.HasSuffix(name, "/"):
		return os.MkdirAll(name, 0o777)
	}
	return os.WriteFile(name, []byte(name), 0o666)
}

// A listing is what a run over paths comes to.
type listing struct {
	Read, Unreadable []string // in their order
	Ignored          []string
	Duplicates       []string // path: why
}

func paths(args ...string) *inputs.Paths {
	return &inputs.Paths{Args: args, Open: func(name string) (io.ReadCloser, error) { return os.Open(name) }}
}

// list reads all sources. What a source holds must be what stands in the file of its name.
func list(t *testing.T, args ...string) listing {
	t.Helper()
	p := paths(args...)
	var l listing
	for s := range p.Sources(t.Context()) {
		in, err := s.Open()
		if err != nil {
			l.Unreadable = append(l.Unreadable, filepath.ToSlash(s.Name))
			continue
		}
		got, err := io.ReadAll(in)
		if want, wantErr := os.ReadFile(s.Name); err != nil || wantErr != nil || string(got) != string(want) {
			t.Errorf("source %q holds %q, %v, want %q, %v", s.Name, got, err, want, wantErr)
		}
		in.Close()
		l.Read = append(l.Read, filepath.ToSlash(s.Name))
	}
	summary := archive.NewSummary(archive.RequireAttested)
	p.Tell(summary)
	n, first := p.Ignored()
	if summary.IgnoredFiles != n || !slices.Equal(summary.Ignored, first) || min(n, archive.MaxIgnoredNamed) != uint64(len(first)) {
		t.Errorf("the summary ignores %d, %q, the walk %d, %q", summary.IgnoredFiles, summary.Ignored, n, first)
	}
	for _, name := range first {
		l.Ignored = append(l.Ignored, filepath.ToSlash(name))
	}
	if !slices.Equal(summary.Inputs, p.Findings()) || summary.Findings[archive.SeverityWarning] != uint64(len(p.Findings())) {
		t.Errorf("the summary finds %v, %v, the walk %v", summary.Inputs, summary.Findings, p.Findings())
	}
	for _, f := range p.Findings() {
		if f.Code != archive.FindingDuplicateInput || f.Severity != archive.SeverityWarning {
			t.Errorf("finding %s, %s", f.Code, f.Severity)
		}
		l.Duplicates = append(l.Duplicates, filepath.ToSlash(f.Source)+": "+f.Detail)
	}
	return l
}

func TestSources(t *testing.T) {
	tests := []struct {
		name string
		tree []string
		args []string
		want listing
	}{
		{"none", nil, nil, listing{}},
		{"a file is read whatever its name", []string{"notes", "x.json"}, []string{"notes", "x.json"}, listing{Read: []string{"notes", "x.json"}}},
		{"what is missing", []string{"x.json"}, []string{"no", "x.json", "no/way"},
			listing{Read: []string{"x.json"}, Unreadable: []string{"no", "no/way"}}},
		{"an empty argument is no folder", []string{"x.json"}, []string{""}, listing{Unreadable: []string{""}}},
		{"an empty folder", []string{"d/"}, []string{"d"}, listing{}},
		{"names", []string{
			"d/a.json", "d/b.ndjson", "d/c.jsonl", "d/d.json.gz", "d/e.ndjson.zst", "d/f.jsonl.gz", "d/.json", "d/.hidden.json", "d/.h/x.json",
			"d/A.JSON", "d/g.json.bz2", "d/h.gz", "d/i.json.gz.gz", "d/json", "d/j.json~", "d/k.json.zst.gz",
		}, []string{"d"}, listing{
			Read:    []string{"d/.h/x.json", "d/.hidden.json", "d/.json", "d/a.json", "d/b.ndjson", "d/c.jsonl", "d/d.json.gz", "d/e.ndjson.zst", "d/f.jsonl.gz"},
			Ignored: []string{"d/A.JSON", "d/g.json.bz2", "d/h.gz", "d/i.json.gz.gz", "d/j.json~", "d/json", "d/k.json.zst.gz"},
		}},
		{"name order, folders under their own name", []string{"d/b.json", "d/a.json", "d/a/z.json", "d/a/10.json", "d/a/9.json", "d/a-.json", "d/c.json/x.json"},
			[]string{"d"}, listing{Read: []string{"d/a/10.json", "d/a/9.json", "d/a/z.json", "d/a-.json", "d/a.json", "d/b.json", "d/c.json/x.json"}}},
		{"the first ten that are ignored", []string{"d/z.json", "d/00", "d/01", "d/02", "d/03", "d/04", "d/05", "d/06", "d/07", "d/08", "d/09", "d/10"},
			[]string{"d"}, listing{Read: []string{"d/z.json"},
				Ignored: []string{"d/00", "d/01", "d/02", "d/03", "d/04", "d/05", "d/06", "d/07", "d/08", "d/09"}}},
		{"names as they would be written", []string{"d/x.json", "e/x.json", "f/x.json", "f/g/y.json"}, []string{"./d", "e/", "f/../f"},
			listing{Read: []string{"./d/x.json", "e/x.json", "f/../f/g/y.json", "f/../f/x.json"}}},

		{"a file twice", []string{"a", "b"}, []string{"a", "b", "a", "./a"}, listing{Read: []string{"a", "b"},
			Duplicates: []string{"a: named before, and read once", `./a: read before, named as "a"`}}},
		{"a folder twice", []string{"d/x.json", "d/note"}, []string{"d", "d/", "./d/."}, listing{Read: []string{"d/x.json"}, Ignored: []string{"d/note"},
			Duplicates: []string{`d/: read before, named as "d"`, `./d/.: read before, named as "d"`}}},
		{"below a folder", []string{"d/x.json", "d/note", "d/e/y.json", "d/e/z.json"}, []string{"d", "d/x.json", "d/e", "d/e/y.json", "d/note"},
			listing{Read: []string{"d/e/y.json", "d/e/z.json", "d/x.json", "d/note"}, Ignored: []string{"d/note"}, Duplicates: []string{
				`d/x.json: read before: it lies in the folder "d"`, `d/e: read before: it lies in the folder "d"`,
				`d/e/y.json: read before: it lies in the folder "d"`}}},
		{"a walk that comes by", []string{"d/x.json", "d/note", "d/e/y.json", "d/e/z.json", "d/f/a.json"},
			[]string{"d/note", "d/e/z.json", "d/e/y.json", "d/e", "d/f", "d"},
			listing{Read: []string{"d/note", "d/e/z.json", "d/e/y.json", "d/f/a.json", "d/x.json"}, Duplicates: []string{
				`d/e/y.json: read before, named as "d/e/y.json"`, `d/e/z.json: read before, named as "d/e/z.json"`,
				`d/e: read before, named as "d/e"`, `d/f: read before, named as "d/f"`, `d/note: read before, named as "d/note"`}}},
		{"the first that came by", []string{"d/x.json", "d/e/y.json"}, []string{"d/e", "d/x.json", "d", "d/e/y.json", "d/x.json", "./d/e"},
			listing{Read: []string{"d/e/y.json", "d/x.json"}, Duplicates: []string{
				`d/e: read before, named as "d/e"`, `d/x.json: read before, named as "d/x.json"`,
				`d/e/y.json: read before: it lies in the folder "d/e"`, `d/x.json: named before, and read once`,
				`./d/e: read before, named as "d/e"`}}},
		{"the folder around", []string{"d/x.json", "y.json"}, []string{"d", "."}, listing{Read: []string{"d/x.json", "./y.json"},
			Duplicates: []string{`./d: read before, named as "d"`}}},
		{"names that begin alike", []string{"d/x.json", "d.json", "dd/x.json"}, []string{"d", "d.json", "dd"},
			listing{Read: []string{"d/x.json", "d.json", "dd/x.json"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if slices.Contains(tt.args, "f/../f") && runtime.GOOS == "windows" {
				t.Skip("mixed slashes")
			}
			plant(t, tt.tree...)
			if diff := cmp.Diff(tt.want, list(t, tt.args...)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.args, diff)
			}
		})
	}
}

// A link is followed where an argument names it, and nowhere else.
func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making a link needs a privilege")
	}
	tests := []struct {
		name string
		tree []string
		args []string
		want listing
	}{
		{"to a file", []string{"x.json", "link->x.json"}, []string{"link", "x.json"}, listing{Read: []string{"link"},
			Duplicates: []string{`x.json: read before, named as "link"`}}},
		{"to a folder", []string{"d/x.json", "link->d"}, []string{"link", "d", "d/x.json"}, listing{Read: []string{"link/x.json"},
			Duplicates: []string{`d: read before, named as "link"`, `d/x.json: read before: it lies in the folder "link"`}}},
		{"in a folder", []string{"d/x.json", "d/link.json->x.json", "d/up->..", "d/loop->.", "d/dead.json->nowhere", "d/self.json->self.json"},
			[]string{"d"}, listing{Read: []string{"d/x.json"}, Ignored: []string{"d/dead.json", "d/link.json", "d/loop", "d/self.json", "d/up"}}},
		{"a loop that is named", []string{"d/x.json", "d/loop->."}, []string{"d/loop"}, listing{Read: []string{"d/loop/x.json"}, Ignored: []string{"d/loop/loop"}}},
		{"a loop that is named twice", []string{"d/x.json", "d/loop->."}, []string{"d/loop/loop", "d/loop/x.json"},
			listing{Read: []string{"d/loop/loop/x.json"}, Ignored: []string{"d/loop/loop/loop"},
				Duplicates: []string{`d/loop/x.json: read before: it lies in the folder "d/loop/loop"`}}},
		{"dead", []string{"dead->nowhere", "self->self"}, []string{"dead", "self"}, listing{Unreadable: []string{"dead", "self"}}},
		{"out of the folder", []string{"d/out->../e", "e/x.json"}, []string{"d", "d/out/x.json"},
			listing{Read: []string{"d/out/x.json"}, Ignored: []string{"d/out"}}},
		{"from one place of a folder to another", []string{"d/in->e", "d/e/x.json"}, []string{"d", "d/in/x.json", "d/in"},
			listing{Read: []string{"d/e/x.json"}, Ignored: []string{"d/in"}, Duplicates: []string{
				`d/in/x.json: read before: it lies in the folder "d"`, `d/in: read before: it lies in the folder "d"`}}},
		{"to a name that the walk skips", []string{"d/note", "x.json->d/note"}, []string{"d", "x.json"},
			listing{Read: []string{"x.json"}, Ignored: []string{"d/note"}}},
		{"up behind a link", []string{"a/b/link.json", "link->a/b", "a/x.json", "x.json"}, []string{"link/../x.json", "x.json", "a/x.json"},
			listing{Read: []string{"link/../x.json", "x.json"}, Duplicates: []string{`a/x.json: read before, named as "link/../x.json"`}}},
		{"a hard link is a path of its own", []string{"x.json", "h/"}, []string{"x.json", "h/y.json"}, listing{Read: []string{"x.json", "h/y.json"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			plant(t, tt.tree...)
			if slices.Contains(tt.tree, "h/") {
				if err := os.Link("x.json", "h/y.json"); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(tt.want, list(t, tt.args...)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", tt.args, diff)
			}
		})
	}
}

// The working folder itself may be reached through a link, and PWD says so.
func TestWorkingFolderBehindLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making a link needs a privilege")
	}
	plant(t, "deep/real/x.json", "link->deep/real", "x.json")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("link")
	t.Setenv("PWD", filepath.Join(here, "link"))
	got := list(t, "x.json", filepath.Join(here, "deep", "real", "x.json"), "../x.json", filepath.Join(here, "x.json"))
	if len(got.Read) != 2 || len(got.Duplicates) != 1 || !slices.Equal(got.Unreadable, []string{"../x.json"}) {
		t.Errorf("reads %q, finds %q, cannot read %q", got.Read, got.Duplicates, got.Unreadable)
	}
}

// A name that spells another case of a path is the same path where the file system says so, and only there.
func TestCase(t *testing.T) {
	plant(t, "Case/x.json", "case/")
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	got := list(t, "Case", "case", "CASE/x.json")
	want := listing{Read: []string{"Case/x.json"}, Unreadable: []string{"CASE/x.json"}}
	if len(entries) == 1 { // both are one folder
		want = listing{Read: []string{"Case/x.json"}, Duplicates: []string{
			`case: read before, named as "Case"`, `CASE/x.json: read before: it lies in the folder "Case"`}}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOddNames(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the file system takes no such names")
	}
	names := []string{"a\nb.json", "\u202egpj.json", "bad\xff\xfe.json", "esc\x1b[31m.json", "-o.json", "*.json", `quote".json`, "back\\slash.json", " .json"}
	var tree []string
	for _, n := range names {
		tree = append(tree, "d/"+n)
	}
	plant(t, tree...)
	slices.Sort(tree)
	if diff := cmp.Diff(listing{Read: tree}, list(t, "d")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	got := list(t, tree[0], "d")
	if len(got.Duplicates) != 1 || strings.Contains(got.Duplicates[0][len(tree[0]):], "\n") {
		t.Errorf("duplicates are %q", got.Duplicates)
	}
}

// Standard input is given to the opener like a name, and is no path that was read before.
func TestStdin(t *testing.T) {
	plant(t, "-")
	var opened []string
	p := &inputs.Paths{Args: []string{"./-", "-"}, Open: func(name string) (io.ReadCloser, error) {
		opened = append(opened, name)
		return nil, fs.ErrNotExist
	}}
	for s := range p.Sources(t.Context()) {
		if _, err := s.Open(); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q opens with %v", s.Name, err)
		}
	}
	if want := []string{"./-", "-"}; !slices.Equal(opened, want) || len(p.Findings()) != 0 {
		t.Errorf("opens %q, finds %v, want %q and nothing", opened, p.Findings(), want)
	}
}

// What vanishes between the walk and the opening is an error in its place; names that come later are not missed.
func TestVanishes(t *testing.T) {
	plant(t, "d/a.json", "d/b.json", "d/c/x.json", "d/d.json")
	p := paths("d")
	open := p.Open
	p.Open = func(name string) (io.ReadCloser, error) {
		if filepath.Base(name) == "a.json" {
			if err := errors.Join(os.Remove("d/b.json"), os.RemoveAll("d/c")); err != nil {
				t.Fatal(err)
			}
		}
		return open(name)
	}
	var got []string
	for s := range p.Sources(t.Context()) {
		in, err := s.Open()
		if err == nil {
			in.Close()
		}
		got = append(got, fmt.Sprintf("%s %v", filepath.ToSlash(s.Name), errors.Is(err, fs.ErrNotExist)))
	}
	if want := []string{"d/a.json false", "d/b.json true", "d/c true", "d/d.json false"}; !slices.Equal(got, want) {
		t.Errorf("sources, and whether they are gone: %q, want %q", got, want)
	}
}

// Whoever wants no more gets no more, and a second run begins anew.
func TestStopsAndStartsAnew(t *testing.T) {
	plant(t, "d/a.json", "d/b", "d/e/c.json", "d/f.json", "x.json")
	p := &inputs.Paths{Args: []string{"d", "x.json", "x.json"}}
	const all = 4
	for stop := 1; stop <= all+1; stop++ {
		n := 0
		for range p.Sources(t.Context()) {
			if n++; n == stop {
				break
			}
		}
		if want := min(stop, all); n != want {
			t.Errorf("stopped at %d: %d sources, want %d", stop, n, want)
		}
	}
	if n, _ := p.Ignored(); n != 1 || len(p.Findings()) != 1 {
		t.Errorf("ignored %d, found %v after the last run, want 1 of each", n, p.Findings())
	}
}

// An interruption ends the walk with a source that has the reason, so that nobody takes the folder for read.
func TestInterrupted(t *testing.T) {
	plant(t, "d/a.json", "d/b", "d/c.json")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := paths("d", "d/e")
	var names []string
	var last error
	for s := range p.Sources(ctx) {
		names = append(names, filepath.ToSlash(s.Name))
		cancel()
		in, err := s.Open()
		if err != nil {
			t.Fatal(err)
		}
		_, last = io.ReadAll(in)
		in.Close()
	}
	if !slices.Equal(names, []string{"d/a.json", "d"}) || !errors.Is(last, context.Canceled) {
		t.Errorf("sources %q, the last ends with %v", names, last)
	}
	if n, known := inputs.Size(ctx, []string{"d"}); known {
		t.Errorf("Size = %d, known, of a walk that was interrupted", n)
	}
}

func TestSize(t *testing.T) {
	plant(t, "d/a.json", "d/note", "d/e/b.json", "x")
	sum := func(names ...string) (n int64) {
		for _, name := range names {
			n += int64(len(name)) // plant writes a file's name into it
		}
		return n
	}
	tests := []struct {
		args  []string
		bytes int64
		known bool
	}{
		{[]string{"d"}, sum("d/a.json", "d/e/b.json"), true},
		{[]string{"x", "d", "./x", "d/e", "missing"}, sum("d/a.json", "d/e/b.json", "x"), true},
		{[]string{"d", "-"}, 0, false},
		{[]string{os.DevNull}, 0, false},
		{nil, 0, true},
	}
	for _, tt := range tests {
		if n, known := inputs.Size(t.Context(), tt.args); n != tt.bytes || known != tt.known {
			t.Errorf("Size(%q) = %d, %v, want %d, %v", tt.args, n, known, tt.bytes, tt.known)
		}
	}
}

func TestHolds(t *testing.T) {
	plant(t, "d/a.json", "d/note", "d/e/b.json", "x.json")
	for _, tt := range []struct {
		folder, file string
		want         bool
	}{
		{"d", "d/a.json", true}, {"d", "./d/e/../e/b.json", true}, {".", "x.json", true}, {"d/e", "d/a.json", false},
		{"d", "d/note", false}, {"d", "x.json", false}, {"d", "d/missing.json", false}, {"d/a.json", "d/a.json", false}, {"no", "x.json", false},
	} {
		if got := inputs.Holds(tt.folder, tt.file); got != tt.want {
			t.Errorf("Holds(%q, %q) = %v, want %v", tt.folder, tt.file, got, tt.want)
		}
	}
}

// Two thousand arguments and the folder that they lie in: none is looked for among all others.
func TestManyArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	var args []string
	for i := range 2_000 {
		name := fmt.Sprintf("%05d.json", i)
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, name)
	}
	p := &inputs.Paths{Args: append(args, ".")}
	n := 0
	for range p.Sources(t.Context()) {
		n++
	}
	if n != len(args) || len(p.Findings()) != len(args) {
		t.Errorf("%d sources, %d findings, want %d of each", n, len(p.Findings()), len(args))
	}
}
