package main

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
)

// argued is kept by hand; its head says how.
//
//go:embed argued.txt
var argued string

// An argument is why no case shows some mutants.
type argument struct {
	reason   string
	beyond   bool // no input can show them; else a test has to
	patterns []string
}

func readArguments(text string) ([]argument, error) {
	var list []argument
	for n, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		mark, reason, _ := strings.Cut(line, " ")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case mark == "=" || mark == "~":
			list = append(list, argument{reason: reason, beyond: mark == "="})
		case len(list) == 0:
			return nil, fmt.Errorf("argued.txt:%d: a mutant without a reason", n+1)
		default:
			if _, err := path.Match(line, ""); err != nil {
				return nil, fmt.Errorf("argued.txt:%d: %w", n+1, err)
			}
			last := &list[len(list)-1]
			last.patterns = append(last.patterns, line)
		}
	}
	return list, nil
}

func matches(pattern, name string) bool {
	ok, _ := path.Match(pattern, name)
	return ok
}

// reasonOf returns the number of the argument for a mutant, -1 for none.
func (m *matrix) reasonOf(s *site) int {
	for i, a := range m.arguments {
		for _, pattern := range a.patterns {
			if matches(pattern, s.name) {
				return i
			}
		}
	}
	return -1
}

// A matrix is what became of the mutants that were run.
type matrix struct {
	sites     []site
	found     map[int]verdict
	arguments []argument
}

// counts are how many of some mutants a case shows, how many a test, and how many neither does.
func (m *matrix) counts(of func(*site) bool) (all, shown, tested int) {
	for n, v := range m.found {
		switch {
		case !of(&m.sites[n-1]):
			continue
		case v.killer != "":
			shown++
		case v.test != "":
			tested++
		}
		all++
	}
	return all, shown, tested
}

// faults are the mutants that no case shows without a reason for it, or without a test where an input could show them.
func (m *matrix) faults() []string {
	var faults []string
	for i := range m.sites {
		s := &m.sites[i]
		v, ran := m.found[i+1]
		if !ran || v.killer != "" {
			continue
		}
		what := fmt.Sprintf("%s (%s): %s → %s", s.name, s.kind, s.is, s.flip)
		switch reason := m.reasonOf(s); {
		case reason < 0 && v.test != "":
			faults = append(faults, fmt.Sprintf("is killed by %s alone, and argued.txt does not say why no case shows it: %s", v.test, what))
		case reason < 0:
			faults = append(faults, "survives: "+what)
		case v.test == "" && !m.arguments[reason].beyond:
			faults = append(faults, "survives, and argued.txt says that a test kills it: "+what)
		}
	}
	return faults
}

// unused are the patterns that stand for no mutant, or for none that no case shows.
func (m *matrix) unused(isShown func(number int) bool) []string {
	var faults []string
	for _, a := range m.arguments {
		for _, pattern := range a.patterns {
			used := false
			for i := range m.sites {
				used = used || matches(pattern, m.sites[i].name) && !isShown(i+1)
			}
			if !used {
				faults = append(faults, "argued.txt: a case shows every mutant that there is under "+pattern)
			}
		}
	}
	return faults
}

// differences are the mutants of a sample of which the page says something else.
func (m *matrix) differences(old *page) []string {
	var faults []string
	for n, v := range m.found {
		name := m.sites[n-1].name
		if shown := old.shown[name]; isCase(shown) != (v.killer != "") {
			faults = append(faults, fmt.Sprintf("%s is killed by %q, and %s says %s", name, v, pageName, shown))
		}
	}
	slices.Sort(faults)
	return faults
}
