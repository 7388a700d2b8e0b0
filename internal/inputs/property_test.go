package inputs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A plain reading of the rules, which keeps every path that it has read: what is in the set is read no more.
type plain struct {
	seen                        map[string]bool // real paths, files and folders
	read, unreadable, duplicate []string
	ignored                     int
}

func (p *plain) argument(name string) {
	real, err := filepath.EvalSymlinks(name)
	info, statErr := os.Stat(name)
	switch {
	case err != nil || statErr != nil:
		p.unreadable = append(p.unreadable, name)
	case p.seen[real]:
		p.duplicate = append(p.duplicate, name)
	case info.IsDir():
		p.seen[real] = true
		p.folder(name, real)
	default:
		p.seen[real] = true
		p.read = append(p.read, name)
	}
}

func (p *plain) folder(name, real string) {
	err := filepath.WalkDir(real, func(at string, e fs.DirEntry, err error) error {
		if err != nil || at == real {
			return err
		}
		rel, err := filepath.Rel(real, at)
		if err != nil {
			return err
		}
		shown := filepath.Join(name, rel)
		if p.seen[at] {
			p.duplicate = append(p.duplicate, shown)
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if e.IsDir() {
			p.seen[at] = true
			return nil
		}
		for _, pattern := range []string{
			"*.json", "*.ndjson", "*.jsonl", "*.json.gz", "*.ndjson.gz", "*.jsonl.gz", "*.json.zst", "*.ndjson.zst", "*.jsonl.zst",
		} {
			if ok, _ := path.Match(pattern, e.Name()); ok && e.Type() == 0 {
				p.seen[at] = true
				p.read = append(p.read, shown)
				return nil
			}
		}
		p.ignored++
		return nil
	})
	if err != nil {
		panic(err)
	}
}

// Whatever the tree and the arguments, the walk that keeps nothing comes to what the set comes to.
func TestAgainstSet(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making a link needs a privilege")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	part := rapid.SampledFrom([]string{"a", "b", "a.json", "b.jsonl.gz", "c.ndjson"})
	duplicates, read := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		root, err := os.MkdirTemp(base, "")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(root)
		somewhere := rapid.Custom(func(rt *rapid.T) string {
			return filepath.Join(rapid.SliceOfN(part, 1, 4).Draw(rt, "parts")...)
		})
		all := []string{root}
		for range rapid.IntRange(1, 12).Draw(rt, "things") {
			at := filepath.Join(root, somewhere.Draw(rt, "place"))
			os.MkdirAll(filepath.Dir(at), 0o777) // what stands in the way stays: the tree has one thing less
			switch rapid.SampledFrom([]string{"file", "file", "file", "folder", "link"}).Draw(rt, "what") {
			case "file":
				if _, err := os.Lstat(at); err == nil {
					continue
				}
				err = os.WriteFile(at, nil, 0o666)
			case "folder":
				err = os.MkdirAll(at, 0o777)
			case "link":
				err = os.Symlink(filepath.Join(root, somewhere.Draw(rt, "target")), at)
			}
			if err == nil {
				all = append(all, at, filepath.Dir(at))
			}
		}
		args := rapid.SliceOfN(rapid.SampledFrom(all), 1, 6).Draw(rt, "arguments")

		want := &plain{seen: make(map[string]bool)}
		for _, arg := range args {
			want.argument(arg)
		}
		p := paths(args...)
		got := &plain{}
		for s := range p.Sources(t.Context()) {
			if in, err := s.Open(); err != nil {
				got.unreadable = append(got.unreadable, s.Name)
			} else {
				in.Close()
				got.read = append(got.read, s.Name)
			}
		}
		for _, f := range p.Findings() {
			got.duplicate = append(got.duplicate, f.Source)
		}
		n, _ := p.Ignored()
		if !slices.Equal(got.read, want.read) || !slices.Equal(got.unreadable, want.unreadable) ||
			!slices.Equal(got.duplicate, want.duplicate) || n != uint64(want.ignored) {
			rt.Errorf("%q:\n read %q\n want %q\n cannot read %q\n        want %q\n duplicates %q\n       want %q\n ignored %d, want %d", args,
				got.read, want.read, got.unreadable, want.unreadable, got.duplicate, want.duplicate, n, want.ignored)
		}
		duplicates, read = duplicates+len(got.duplicate), read+len(got.read)
	})
	if duplicates == 0 || read == 0 {
		t.Errorf("in all runs %d files were read and %d paths named twice", read, duplicates)
	}
}
