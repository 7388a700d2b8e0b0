package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// What stands in docs/reference of commands and variables is what the help says now, and nothing else.
func TestManualIsUpToDate(t *testing.T) {
	env, _, _ := testEnvironment("")
	dir := filepath.Join(t.TempDir(), "commands")
	if code := run(context.Background(), env, []string{"man", "--format", "markdown", "--output-dir", dir}); code != 0 {
		t.Fatalf("man exits %d", code)
	}
	reference := filepath.Join(publicdata.Root(t), "docs", "reference")
	for _, folders := range []struct{ want, have, pattern string }{
		{dir, filepath.Join(reference, "commands"), "*"},
		{filepath.Dir(dir), reference, "environment.md"},
	} {
		want, have := readPages(t, folders.want, folders.pattern), readPages(t, folders.have, folders.pattern)
		if len(want) == 0 {
			t.Errorf("no page %s was written", folders.pattern)
		}
		for name, text := range want {
			if have[name] != text {
				t.Errorf("%s is not what the help says: run go generate ./cmd/cgp-attest", name)
			}
		}
		for name := range have {
			if _, ok := want[name]; !ok {
				t.Errorf("%s is the page of no command", name)
			}
		}
	}
}

func readPages(t *testing.T, dir, pattern string) map[string]string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]string)
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all[filepath.Base(path)] = string(text)
	}
	return all
}

// roffPages returns the pages of all commands as a release has them, by name.
func roffPages() map[string][]byte {
	env, _, _ := testEnvironment("")
	pages := make(map[string][]byte)
	for _, m := range everyManual(newRootCmd(env)) {
		pages[m.page()+".1"] = m.appendRoff(nil, "cgp-attest v1.2.3", "2026-08-29")
	}
	return pages
}

// Both readers of manual pages find nothing wrong with them.
func TestRoffIsClean(t *testing.T) {
	dir := t.TempDir()
	for _, reader := range [][]string{{"groff", "-man", "-ww", "-z"}, {"mandoc", "-T", "lint", "-W", "warning"}} {
		t.Run(reader[0], func(t *testing.T) {
			if ok, err := haveOracle(reader[0]); err != nil {
				t.Fatal(err)
			} else if !ok {
				t.Skipf("%s is not installed", reader[0])
			}
			for name, text := range roffPages() {
				path := filepath.Join(dir, name)
				if err := os.WriteFile(path, text, 0o644); err != nil {
					t.Fatal(err)
				}
				out, err := exec.Command(reader[0], append(reader[1:], path)...).CombinedOutput()
				if err != nil || len(out) > 0 {
					t.Errorf("%s: %v\n%s", name, err, out)
				}
			}
		})
	}
}

// A page shows every flag, and every line of its examples, as they are to be typed.
func TestRoffShowsWhatToType(t *testing.T) {
	if ok, err := haveOracle("mandoc"); err != nil {
		t.Fatal(err)
	} else if !ok {
		t.Skip("mandoc is not installed")
	}
	env, _, _ := testEnvironment("")
	for _, m := range everyManual(newRootCmd(env)) {
		mandoc := exec.Command("mandoc", "-T", "utf8", "-O", "width=200")
		mandoc.Stdin = bytes.NewReader(m.appendRoff(nil, "cgp-attest v1.2.3", "2026-08-29"))
		out, err := mandoc.Output()
		if err != nil {
			t.Fatalf("%s: %v", m.page(), err)
		}
		text := regexp.MustCompile(".\b").ReplaceAllString(string(out), "") // bold and underlined characters are struck twice
		for _, line := range m.examples {
			if !strings.Contains(text, line+"\n") {
				t.Errorf("%s does not show the line %q of its examples", m.page(), line)
			}
		}
		for _, f := range m.flags {
			if !strings.Contains(text, "--"+f.name) {
				t.Errorf("%s does not show --%s", m.page(), f.name)
			}
		}
	}
}

// Of every command help and the page say the same.
func TestManualHoldsTheHelp(t *testing.T) {
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	env, _, _ := testEnvironment("")
	for _, m := range everyManual(newRootCmd(env)) {
		env, help, _ := testEnvironment("")
		if code := run(context.Background(), env, append(strings.Fields(m.command)[1:], "--help")); code != 0 {
			t.Fatalf("%s --help exits %d", m.command, code)
		}
		all := words(help.String())
		for _, p := range m.passages {
			if text := words(p.text + strings.Join(p.fixed, " ")); !strings.Contains(all, text) {
				t.Errorf("the help of %s lacks: %s", m.command, text)
			}
		}
		for _, f := range m.flags {
			if text := words("--" + f.name + " " + f.value + " " + f.does); !strings.Contains(all, text) {
				t.Errorf("the help of %s lacks: %s", m.command, text)
			}
		}
	}
}

func TestRoffText(t *testing.T) {
	for text, want := range map[string]string{
		`a\nb`: `a\enb`, "--key": `\-\-key`, "it's": `it\(aqs`, `"x"`: `\(dqx\(dq`, "`x`": `\(gax\(ga`, "~/^": `\(ti/\(ha`, "§ 6": `\[u00A7] 6`,
	} {
		if got := roffText(text); got != want {
			t.Errorf("roffText(%q) = %q, want %q", text, got, want)
		}
	}
	for line, want := range map[string]string{".nf": "\\&.nf\n", "'x": "\\(aqx\n", "x": "x\n"} {
		if got := string(appendRoffLine(nil, line)); got != want {
			t.Errorf("appendRoffLine(%q) = %q, want %q", line, got, want)
		}
	}
}
