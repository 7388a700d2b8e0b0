package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/kill/mutant"
)

const (
	testPatience = time.Minute // for one test, where it is not known how long it takes; else as many times as long, and some seconds
	timesAsLong  = 10
	grace        = 5 * time.Second
	brief        = time.Second // a test that takes longer is not asked where no input can show a mutant
	together     = 8           // tests that one process runs
)

// A suite is the tests of one package, compiled with a switch at every site.
type suite struct {
	pkg, binary, dir string
	traced           sync.Once
	reach            map[int][]timed // by site, the tests that come to it, the quickest first
	fault            error
}

// buildTests compiles the tests of a package with the overlay in folder.
func buildTests(ctx context.Context, root, folder, pkg string) (*suite, error) {
	s := &suite{pkg: pkg, binary: filepath.Join(folder, strings.ReplaceAll(pkg, "/", "-")+".test"), dir: filepath.Join(root, filepath.FromSlash(pkg))}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", filepath.Join(folder, overlayName), "-o", s.binary, "./"+pkg)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the tests of %s: %w", pkg, err)
	}
	return s, nil
}

// A timed is a test, the sites that it comes to and how long it takes.
type timed struct {
	name  string
	sites []int
	takes time.Duration
}

// trace runs each test once, alone, to see that it passes and to which sites it comes.
func (s *suite) trace(ctx context.Context) error {
	list := exec.CommandContext(ctx, s.binary, "-test.list", "^(Test|Example)")
	list.Dir = s.dir
	out, err := list.Output()
	if err != nil {
		return fmt.Errorf("the tests of %s: %w", s.pkg, err)
	}
	names := strings.Fields(string(out))
	all := make([]timed, len(names))
	numbers := make([]int, len(names))
	for i := range numbers {
		numbers[i] = i
	}
	if _, err := inParallel(numbers, func(i int) (verdict, error) {
		t, err := s.traceOne(ctx, names[i])
		all[i] = t
		return verdict{}, err
	}); err != nil {
		return err
	}
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.takes, b.takes) })
	s.reach = make(map[int][]timed)
	for _, t := range all {
		for _, site := range t.sites {
			s.reach[site] = append(s.reach[site], t)
		}
	}
	if len(s.reach) == 0 {
		return fmt.Errorf("the tests of %s come to no site", s.pkg)
	}
	return nil
}

func (s *suite) traceOne(ctx context.Context, name string) (timed, error) {
	t := timed{name: name}
	file := s.binary + "." + name
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		return t, err
	}
	began := time.Now()
	out, failed := s.start(ctx, 0, "^"+name+"$", mutant.TraceVariable+"="+file)
	if failed != nil {
		fmt.Fprintf(os.Stderr, "%s of %s is not asked: it fails with no mutant at all (%v)\n%s", name, s.pkg, failed, out)
		return t, ctx.Err()
	}
	t.takes = time.Since(began)
	text, err := os.ReadFile(file)
	for _, word := range strings.Fields(string(text)) {
		site, fault := strconv.Atoi(word)
		t.sites, err = append(t.sites, site), errors.Join(err, fault)
	}
	return t, err
}

var (
	ended   = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\w+) \(([0-9.]+)s\)$`)
	started = regexp.MustCompile(`(?m)^=== RUN +(\w+)`)
)

// start runs the tests that a pattern matches, until one fails.
func (s *suite) start(ctx context.Context, number int, pattern string, env ...string) (out string, failed error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.v", "-test.short", "-test.failfast", "-test.count=1", "-test.run", pattern)
	cmd.Dir = s.dir
	cmd.Env = append(append(os.Environ(), fmt.Sprintf("%s=%d", mutant.Variable, number)), env...)
	cmd.WaitDelay = time.Second
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	failed = cmd.Run()
	return b.String(), failed
}

// ask names a test that fails under a mutant, "" for none: the likely one, or the first of those that come to its site. Where no
// test has to fail those are left out that take long.
func (s *suite) ask(ctx context.Context, number int, likely string, hasTo bool) (verdict, error) {
	if isTest(likely) {
		if v, err := s.try(ctx, number, testPatience, likely); err != nil || v.test != "" {
			return v, err
		}
	}
	s.traced.Do(func() { s.fault = s.trace(ctx) })
	if s.fault != nil {
		return verdict{}, s.fault
	}
	tests := slices.DeleteFunc(slices.Clone(s.reach[number]), func(t timed) bool { return !hasTo && t.takes > brief })
	for some := range slices.Chunk(tests, together) {
		patience := grace
		var names []string
		for _, t := range some {
			patience += timesAsLong * t.takes
			names = append(names, t.name)
		}
		v, err := s.try(ctx, number, patience, names...)
		if err == nil && v.test != "" && len(names) > 1 {
			v, err = s.try(ctx, number, patience, v.test) // alone, so that it is this test and nothing before it
		}
		if err != nil || v.test != "" {
			return v, err
		}
	}
	return verdict{}, nil
}

func (s *suite) try(ctx context.Context, number int, patience time.Duration, names ...string) (verdict, error) {
	inner, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, failed := s.start(inner, number, "^("+strings.Join(names, "|")+")$")
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case failed != nil:
		return verdict{test: culprit(out, inner.Err() != nil)}, nil
	}
	return verdict{}, nil
}

// culprit is the test that failed, or the one that ran when all ended.
func culprit(out string, late bool) string {
	if !late {
		for _, m := range ended.FindAllStringSubmatch(out, -1) {
			if m[1] == "FAIL" {
				return m[2]
			}
		}
	}
	all := started.FindAllStringSubmatch(out, -1)
	if len(all) == 0 {
		return "TestMain"
	}
	return all[len(all)-1][1]
}

// askTests asks the tests of its package about each mutant that no case shows. Of a sample those are left out that no test
// showed before: all tests would have to be asked.
func (m *matrix) askTests(ctx context.Context, root, folder string, old *page, isSample bool) error {
	byPackage := make(map[string][]int)
	for n, v := range m.found {
		s := &m.sites[n-1]
		if v.killer == "" && !(isSample && m.isBeyond(s) && !isTest(old.test(s.name))) {
			byPackage[s.pkg()] = append(byPackage[s.pkg()], n)
		}
	}
	for _, pkg := range packages {
		numbers := byPackage[pkg]
		if len(numbers) == 0 {
			continue
		}
		s, err := buildTests(ctx, root, folder, pkg)
		if err != nil {
			return err
		}
		slices.Sort(numbers)
		found, err := inParallel(numbers, func(n int) (verdict, error) {
			site := &m.sites[n-1]
			return s.ask(ctx, n, old.test(site.name), !m.isBeyond(site))
		})
		if err != nil {
			return err
		}
		maps.Copy(m.found, found)
	}
	return nil
}

// isBeyond reports whether no input can show a mutant, as argued.txt has it.
func (m *matrix) isBeyond(s *site) bool {
	reason := m.reasonOf(s)
	return reason >= 0 && m.arguments[reason].beyond
}
