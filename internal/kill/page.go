package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

const intro = `# Kill matrix

Do the test vectors bite? For every place in ` + "`sign`, `merkle`, `keys` and `archive`" + ` at which a verdict, a state or a refusal comes into
being there is a mutant of the code, and either a case that turns red or the reason why no input can show it. The list is read from the
code. ` + "`make kill-matrix`" + ` runs all mutants and writes this page; ` + "`go test ./internal/kill`" + ` fails where it is of other code.

| kind | the mutant |
|---|---|
| guard | the condition of a refusal is never met |
| boundary | a comparison in such a condition is off by one |
| constant | a verdict, state or code becomes the most dangerous of its set, or nothing |
| error | an error that is returned is nil |

`

// page writes the matrix.
func (m *matrix) page() []byte {
	b := []byte(intro)
	b = fmt.Appendf(b, "%s%d, SHA-256 of their list %s.\n\n", headline, len(m.sites), fingerprint(m.sites))
	b = append(b, "| package | mutants | killed | argued |\n|---|---|---|---|\n"...)
	for _, pkg := range packages {
		n, killed := m.count(func(s *site) bool { return s.pkg() == pkg })
		b = fmt.Appendf(b, "| %s | %d | %d | %d |\n", pkg, n, killed, n-killed)
	}
	n, killed := m.count(func(*site) bool { return true })
	b = fmt.Appendf(b, "| all | %d | %d | %d |\n\n## Argued\n\n| | why no input can show it | mutants |\n|---|---|---|\n", n, killed, n-killed)
	for i, a := range m.arguments {
		n, _ := m.count(func(s *site) bool { return m.reasonOf(s) == i })
		b = fmt.Appendf(b, "| A%d | %s | %d |\n", i+1, cell(a.reason), n)
	}
	pkg := ""
	for i := range m.sites {
		s := &m.sites[i]
		if s.pkg() != pkg {
			pkg = s.pkg()
			b = fmt.Appendf(b, "\n## %s\n\n| where | kind | code | becomes | shown by |\n|---|---|---|---|---|\n", pkg)
		}
		shown := m.found[i+1].String()
		if shown == "" {
			shown = fmt.Sprintf("A%d", m.reasonOf(s)+1)
		}
		b = fmt.Appendf(b, "| %s | %s | %s | %s | %s |\n", s.name, s.kind, code(s.is), code(s.flip), shown)
	}
	return b
}

const headline = "Mutants: "

func (m *matrix) count(of func(*site) bool) (n, killed int) {
	for i := range m.sites {
		if of(&m.sites[i]) {
			n++
			if m.found[i+1].killer != "" {
				killed++
			}
		}
	}
	return n, killed
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
