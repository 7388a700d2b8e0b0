package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

const intro = `# Kill matrix

Do the test vectors bite? For every place in ` + "`sign`, `merkle`, `keys` and `archive`" + ` at which a verdict, a state or a refusal comes into
being there is a mutant of the code, and a case that turns red. Where none does the page says why, and names the Go test of the package that fails. The list is read from the code. ` + "`make kill-matrix`" + ` runs all mutants and writes this page; ` + "`go test ./internal/kill`" + ` fails where it is of other code.

| kind | the mutant |
|---|---|
| guard | the condition of a refusal is never met |
| boundary | a comparison in such a condition is off by one |
| constant | a verdict, state or code becomes the most dangerous of its set, or nothing |
| returned | an error that is returned is nil |

`

// page writes the matrix.
func (m *matrix) page() []byte {
	b := []byte(intro)
	b = fmt.Appendf(b, "%s%d, SHA-256 of their list %s.\n\n", headline, len(m.sites), fingerprint(m.sites))
	b = append(b, "| package | mutants | killed by a case | killed by a named Go test | no input can show it |\n|---|---|---|---|---|\n"...)
	for _, pkg := range packages {
		b = m.appendCounts(b, pkg, func(s *site) bool { return s.pkg() == pkg })
	}
	b = m.appendCounts(b, "all", func(*site) bool { return true })
	b = m.appendArguments(b, "No input can show it", true)
	b = m.appendArguments(b, "A Go test shows it, and no case", false)
	pkg := ""
	for i := range m.sites {
		s := &m.sites[i]
		if s.pkg() != pkg {
			pkg = s.pkg()
			b = fmt.Appendf(b, "\n## %s\n\n| where | kind | code | becomes | shown by |\n|---|---|---|---|---|\n", pkg)
		}
		v := m.found[i+1]
		shown := v.String()
		if shown == "" {
			shown = strings.TrimPrefix(fmt.Sprintf("%s, A%d", v.test, m.reasonOf(s)+1), ", ")
		}
		b = fmt.Appendf(b, "| %s | %s | %s | %s | %s |\n", s.name, s.kind, code(s.is), code(s.flip), shown)
	}
	return b
}

const headline = "Mutants: "

// appendCounts appends how many of some sites are killed by a case, by a test, and by neither.
func (m *matrix) appendCounts(b []byte, title string, of func(*site) bool) []byte {
	all, shown, tested := m.counts(of)
	return fmt.Appendf(b, "| %s | %d | %d | %d | %d |\n", title, all, shown, tested, all-shown-tested)
}

// appendArguments appends the arguments of one kind, numbered among all, each with the tests that kill mutants of it.
func (m *matrix) appendArguments(b []byte, title string, beyond bool) []byte {
	b = fmt.Appendf(b, "\n## %s\n\n| | why | mutants | killed by a test | tests |\n|---|---|---|---|---|\n", title)
	for k, a := range m.arguments {
		if a.beyond != beyond {
			continue
		}
		n, killed := 0, 0
		tests := make(map[string]bool)
		for i := range m.sites {
			if m.reasonOf(&m.sites[i]) != k {
				continue
			}
			n++
			if test := m.found[i+1].test; test != "" {
				killed++
				tests[test] = true
			}
		}
		b = fmt.Appendf(b, "| A%d | %s | %d | %d | %s |\n", k+1, cell(a.reason), n, killed, strings.Join(slices.Sorted(maps.Keys(tests)), ", "))
	}
	return b
}

func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// code is a text in a cell as code; backquotes in it need a longer fence.
func code(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + cell(s) + " ``"
	}
	return "`" + cell(s) + "`"
}

// A page is what was written before.
type page struct {
	head  string            // how many mutants, of which list
	shown map[string]string // by the name of a site, what shows it
}

func readPage(name string) (*page, error) {
	p := &page{shown: make(map[string]string)}
	text, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, headline) {
			p.head = line
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) >= 5 && strings.Contains(cells[0], ".go:") {
			p.shown[cells[0]] = cells[len(cells)-1]
		}
	}
	return p, nil
}

// isCase tells the id of a case from the name of a test and the number of an argument.
func isCase(shown string) bool { return shown != "" && strings.ToLower(shown) == shown }

// isTest tells the name of a test from the id of a case, which has no uppercase letter.
func isTest(shown string) bool {
	return strings.HasPrefix(shown, "Test") || strings.HasPrefix(shown, "Example")
}

// test is the test that showed a mutant before.
func (p *page) test(name string) string {
	test, _, _ := strings.Cut(p.shown[name], ",")
	return test
}

// likely is the case that showed a mutant before.
func (p *page) likely(name string) []string {
	id, _, _ := strings.Cut(p.shown[name], " ")
	return []string{id}
}

// checkSites fails where the page is of another list of sites.
func (p *page) checkSites(sites []site) error {
	want := fmt.Sprintf("%s%d, SHA-256 of their list %s.", headline, len(sites), fingerprint(sites))
	if p.head != want || len(p.shown) != len(sites) {
		return errors.New(pageName + " is of other code: run make kill-matrix")
	}
	return nil
}
