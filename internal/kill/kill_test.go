package main

import (
	"fmt"
	"path/filepath"
	"slices"
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
	for _, f := range m.unused(func(n int) bool { return isCase(page.shown[p.sites[n-1].name]) }) {
		t.Error(f)
	}
	for i := range p.sites {
		s := &p.sites[i]
		if page.shown[s.name] == "" {
			t.Errorf("%s has no row", s.name)
		}
		shown, reason := page.shown[s.name], m.reasonOf(s)
		if isCase(shown) {
			continue
		}
		test, number, tested := strings.Cut(shown, ", ")
		if !tested {
			number = shown
		}
		switch {
		case reason < 0, number != fmt.Sprintf("A%d", reason+1), tested && !isTest(test), !tested && !m.arguments[reason].beyond:
			t.Errorf("%s: the page says %s", s.name, shown)
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
		{"sign/ed25519.go:newEd25519Key:4", "guard", "smallOrder(encoded)", "false"},
		{"sign/ed25519.go:ed25519Key.Verify:4", "guard", "!bytes.Equal(key.equation(k, s).Bytes(), encodedR)", "false"},
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
	sites := []site{{name: "sign/a.go:F:1", kind: guard}, {name: "sign/a.go:F:2", kind: guard}, {name: "sign/a.go:G:1", kind: guard},
		{name: "sign/a.go:H:1", kind: guard}, {name: "sign/a.go:H:2", kind: guard}, {name: "sign/a.go:I:1", kind: guard}, {name: "sign/a.go:J:1", kind: guard}}
	const list = "= beyond\nsign/a.go:F:*\nsign/a.go:J:1\nsign/b.go:*\n~ a test\nsign/a.go:H:*\n"
	arguments, err := readArguments(list)
	if err != nil {
		t.Fatal(err)
	}
	m := &matrix{sites: sites, arguments: arguments, found: map[int]verdict{
		1: {}, 2: {killer: "case"}, 3: {}, 4: {test: "TestA"}, 5: {}, 6: {test: "TestB"}, 7: {killer: "case"},
	}}
	got := append(m.faults(), m.unused(func(n int) bool { return m.found[n].killer != "" })...)
	want := []string{
		"survives: sign/a.go:G:1", "survives, and argued.txt says that a test kills it: sign/a.go:H:2", "is killed by TestB alone",
		"argued.txt: a case shows every mutant that there is under sign/a.go:J:1", "argued.txt: a case shows every mutant that there is under sign/b.go:*",
	}
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Errorf("faults %q, want those that begin with %q", got, want)
	}
	old := &page{shown: map[string]string{"sign/a.go:F:1": "case", "sign/a.go:F:2": "case", "sign/a.go:G:1": "A1", "sign/a.go:J:1": "TestA, A1"}}
	m.found = map[int]verdict{1: {}, 2: {killer: "other"}, 3: {}, 7: {killer: "case"}}
	if got := m.differences(old); len(got) != 2 || !strings.HasPrefix(got[0], "sign/a.go:F:1 ") || !strings.HasPrefix(got[1], "sign/a.go:J:1 ") {
		t.Errorf("differences: %q", got)
	}
}

func TestCounts(t *testing.T) {
	m := &matrix{sites: make([]site, 7), found: map[int]verdict{1: {}, 2: {killer: "case"}, 3: {}, 4: {test: "TestA"}, 5: {}, 6: {test: "TestB"}, 7: {killer: "case"}}}
	m.sites[0].name = "sign/a.go:F:1"
	if all, shown, tested := m.counts(func(s *site) bool { return s.name != "sign/a.go:F:1" }); all != 6 || shown != 2 || tested != 2 {
		t.Errorf("counts: %d, %d by a case, %d by a test", all, shown, tested)
	}
}

// What the tests of a package write, and the test that is to blame for it.
func TestCulprit(t *testing.T) {
	for _, tt := range []struct {
		name, out string
		late      bool
		want      string
	}{
		{"a test fails", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n    --- FAIL: TestB/x (0.00s)\n--- FAIL: TestB (0.10s)\n", false, "TestB"},
		{"a goroutine panics", "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\npanic: x\n", false, "TestB"},
		{"it hangs", "=== RUN   TestA\n--- FAIL: TestA (0.00s)\n=== RUN   TestB\n", true, "TestB"},
		{"nothing began", "panic: x\n", false, "TestMain"},
	} {
		if got := culprit(tt.out, tt.late); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
