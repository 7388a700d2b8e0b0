package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const root = "../.."

// Every place where a judgement comes into being has a row in the page, and the page has no others.
func TestPageIsOfThisCode(t *testing.T) {
	p, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.sites) < 900 {
		t.Errorf("%d sites", len(p.sites))
	}
	page, err := readPage(filepath.Join(root, filepath.FromSlash(pageName)))
	if err != nil {
		t.Fatal(err)
	}
	if err := page.checkSites(p.sites); err != nil {
		t.Error(err)
	}
	arguments, err := readArguments(argued)
	if err != nil {
		t.Fatal(err)
	}
	m := &matrix{sites: p.sites, arguments: arguments}
	for _, f := range m.unused() {
		t.Error(f)
	}
	for i := range p.sites {
		s := &p.sites[i]
		if page.shown[s.name] == "" {
			t.Errorf("%s has no row", s.name)
		}
		isArgued := !strings.Contains(page.shown[s.name], "-")
		if isArgued != (m.reasonOf(s) >= 0) {
			t.Errorf("%s: the page says %s", s.name, page.shown[s.name])
		}
	}
}

// What a few functions have, counted by hand.
func TestSites(t *testing.T) {
	p, err := read(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ name, kind, is, flip string }{
		{"sign/ed25519.go:newEd25519Key:4", "guard", "hasSmallOrder(a)", "false"},
		{"sign/ed25519.go:ed25519Key.Verify:4", "guard", "!bytes.Equal(want.Bytes(), encodedR)", "false"},
		{"sign/evaluate.go:Algorithms.Verify:10", "constant", "ValidIdentityOnly", "Valid"},
		{"merkle/proof.go:Shape:2", "boundary", "index >= count", "index > count"},
		{"keys/window.go:Window.Service:4", "constant", "MalformedInstant", "InService"},
		{"keys/file.go:refusePEM:5", "returned", "errPrivateGiven", "nil"},
		{"archive/judge.go:compareContent:7", "constant", "ContentMismatch", "ContentMatch"},
	} {
		found := false
		for i := range p.sites {
			s := &p.sites[i]
			found = found || *s == site{want.name, kind(want.kind), want.is, want.flip}
		}
		if !found {
			t.Errorf("no site %v", want)
		}
	}
}

func TestArguments(t *testing.T) {
	if _, err := readArguments("sign/*:1\n= late\n"); err == nil {
		t.Error("a mutant without a reason is taken")
	}
	sites := []site{{name: "sign/a.go:F:1", kind: guard}, {name: "sign/a.go:F:2", kind: guard}, {name: "sign/a.go:G:1", kind: guard}}
	m := &matrix{
		sites: sites, arguments: []argument{{reason: "r", patterns: []string{"sign/a.go:F:*", "sign/b.go:*"}}},
		found: map[int]verdict{1: {}, 2: {killer: "case"}, 3: {}},
	}
	if got := strings.Join(append(m.faults(), m.unused()...), "\n"); !strings.HasPrefix(got, "is argued and killed by case: sign/a.go:F:2") ||
		!strings.Contains(got, "survives: sign/a.go:G:1") || !strings.HasSuffix(got, "there is no mutant sign/b.go:*") || strings.Count(got, "\n") != 2 {
		t.Errorf("faults:\n%s", got)
	}
}
