package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

func TestSurfaceIsUpToDate(t *testing.T) {
	root := publicdata.Root(t)
	want, err := surface(root)
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile(filepath.Join(root, "docs", "api.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Error("docs/api.txt is not what the packages export: run make api")
	}
}

// Every exported name that go doc lists of a package stands in the surface, and so does each of its packages.
func TestSurfaceHoldsWhatGoDocLists(t *testing.T) {
	root := publicdata.Root(t)
	packages, err := importable(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"archive", "commitment", "keys", "keys/keyref", "merkle", "sign", "testvectors"} {
		if !slices.Contains(packages, want) {
			t.Errorf("%s is not among the packages %q", want, packages)
		}
	}
	for _, name := range packages {
		if name == "cmd" || strings.HasPrefix(name, "internal") {
			t.Errorf("%s is no package for others", name)
		}
		godoc := exec.Command("go", "doc", "-short", "./"+name)
		godoc.Dir = root
		godoc.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
		out, err := godoc.Output()
		if err != nil {
			t.Fatalf("go doc %s: %v", name, err)
		}
		have, err := exported(filepath.Join(root, filepath.FromSlash(name)), name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(have, "\n")
		for line := range strings.Lines(string(out)) {
			words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t\n([=", r) })
			if len(words) < 2 || !slices.Contains([]string{"const", "var", "func", "type"}, words[0]) {
				continue
			}
			if !strings.Contains(text, words[1]) {
				t.Errorf("%s: the surface lacks %s %s", name, words[0], words[1])
			}
		}
	}
}

func TestSurface(t *testing.T) {
	root := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("docs/readme", "")
	put("a/a.go", `// Package a is one.
package a

// Limit is one.
const Limit = 3 // of something

const hidden = 1

// T is a type.
type T struct {
	// N is a number.
	N int
	m int

	O string // other
}

// New makes one.
func New(n int) *T { return &T{N: n} }

// M is a method.
func (t *T) M() error { return nil }

func (t *T) u() {}

type t2 struct{}
`)
	put("a/a_windows.go", "package a\n\nfunc OnWindows() {}\n")
	put("a/a_test.go", "package a\n\nfunc Tested() {}\n")
	put("b/c/c.go", "package c\n\nfunc F() {}\n")
	put("b/internal/d/d.go", "package d\n\nfunc F() {}\n")
	put("cmd/x/main.go", "package main\n\nfunc F() {}\n")
	put("a/testdata/e.go", "package e\n")
	if err := run([]string{root}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "api.txt"))
	if err != nil {
		t.Fatal(err)
	}
	want := head + `
package a

const Limit = 3
type T struct {
	N	int
	O	string
	// contains filtered or unexported fields
}
	func New(n int) *T
	func (t *T) M() error

package b/c

func F()
`
	squeeze := func(s string) string {
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' }), " ")
	}
	if squeeze(string(got)) != squeeze(want) {
		t.Errorf("the surface is\n%s\nwant\n%s", got, want)
	}
	for _, args := range [][]string{nil, {root, root}, {filepath.Join(root, "nowhere")}} {
		if err := run(args); err == nil {
			t.Errorf("run(%q) is no error", args)
		}
	}
}
