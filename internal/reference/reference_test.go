package main

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

func generated(t *testing.T) []file {
	t.Helper()
	all, err := files()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// elsewhere is what cgp-attest man writes from the help of the commands.
var elsewhere = []string{"reference/commands", "reference/environment.md"}

// What stands in docs is what the tables say now.
func TestFilesAreUpToDate(t *testing.T) {
	docs := filepath.Join(publicdata.Root(t), "docs")
	names := make(map[string]bool)
	for _, f := range generated(t) {
		names[f.name] = true
		have, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(f.name)))
		if err != nil {
			t.Fatalf("%v: run go generate ./internal/reference", err)
		}
		if !bytes.Equal(have, f.text) {
			t.Errorf("docs/%s is not what the tables say: run go generate ./internal/reference", f.name)
		}
	}
	found, err := filepath.Glob(filepath.Join(docs, "reference", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range found {
		if name = "reference/" + filepath.Base(name); !names[name] && !slices.Contains(elsewhere, name) {
			t.Errorf("docs/%s is in the folder of generated pages and not generated", name)
		}
	}
}

func TestRunWritesEveryFile(t *testing.T) {
	dir := t.TempDir()
	if err := run([]string{dir}); err != nil {
		t.Fatal(err)
	}
	for _, f := range generated(t) {
		have, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.name)))
		if err != nil || !bytes.Equal(have, f.text) {
			t.Errorf("%s: written text differs or is missing (%v)", f.name, err)
		}
	}
	for _, args := range [][]string{nil, {dir, dir}} {
		if err := run(args); err == nil {
			t.Errorf("run(%q) = nil, want an error", args)
		}
	}
}

// Every set stands on one page, and every entry with each of its texts.
func TestPagesHoldEverything(t *testing.T) {
	shown := make(map[string]int)
	for _, p := range pages {
		for _, s := range p.sets {
			shown[s]++
		}
	}
	for _, s := range archive.Catalog() {
		if shown[s.Name] != 1 {
			t.Errorf("set %s stands on %d pages, want 1", s.Name, shown[s.Name])
		}
	}
	all := generated(t)
	for _, p := range pages {
		i := slices.IndexFunc(all, func(f file) bool { return path.Base(f.name) == p.file })
		text := string(all[i].text)
		for _, s := range archive.Catalog() {
			if !slices.Contains(p.sets, s.Name) {
				continue
			}
			for _, e := range s.Entries {
				for _, part := range append([]string{e.Proves, e.ProvesNot, e.Then, e.Rule}, e.Causes...) {
					if !strings.Contains(text, plain(part)) {
						t.Errorf("%s lacks of %s: %s", p.file, e.Code, part)
					}
				}
				if !strings.Contains(text, "\n### `"+e.Code+"`\n") || !strings.Contains(text, "`"+e.Next+"`") {
					t.Errorf("%s lacks the heading or the command line of %s", p.file, e.Code)
				}
			}
		}
	}
}

func TestRenderUnknownSet(t *testing.T) {
	p := page{file: "x.md", title: "X", sets: []string{"unheard_of"}}
	if _, err := p.render(archive.Catalog()); err == nil {
		t.Error("a page of a set that does not exist was rendered")
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"A *b* <c> [d] `e` \\u": "A \\*b\\* \\<c> \\[d] \\`e\\` \\\\u",
		"see too_large: KEY_ID": "see `too_large`: KEY\\_ID",
		"leaf_count":            "`leaf_count`",
		"":                      "",
	} {
		if got := plain(text); got != want {
			t.Errorf("plain(%q) = %q, want %q", text, got, want)
		}
	}
}

// The table of limits repeats two numbers of packages that it cannot import.
func TestRepeatedLimits(t *testing.T) {
	for code, want := range map[string]uint64{"max_echoed": terminal.MaxEchoed, "max_listed": report.DefaultLimit} {
		e := archive.Explain(code)
		if len(e) != 1 || e[0].Limit != want {
			t.Errorf("limit %s is not the %d that is enforced: %+v", code, want, e)
		}
	}
}
