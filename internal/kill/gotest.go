package main

import (
	"bytes"
	"context"
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
	testPatience = 3 * time.Minute        // for one mutant over the tests of its package
	slow         = 300 * time.Millisecond // a test that takes so long is asked after those that take less
)

// A suite is the tests of one package, compiled with a switch at every site.
type suite struct {
	pkg, binary, dir string
	timed            sync.Once
	quick, slow      []string
	fault            error
}

// buildTests compiles the tests of a package with the overlay in folder.
func buildTests(ctx context.Context, root, folder, pkg string) (*suite, error) {
	s := &suite{pkg: pkg, binary: filepath.Join(folder, pkg+".test"), dir: filepath.Join(root, filepath.FromSlash(pkg))}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", filepath.Join(folder, overlayName), "-o", s.binary, "./"+pkg)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the tests of %s: %w", pkg, err)
	}
	return s, nil
}

// time runs all tests once, to see that they pass and how long each takes.
func (s *suite) time(ctx context.Context) error {
	out, failed := s.start(ctx, 0, ".")
	if failed != nil {
		return fmt.Errorf("the tests of %s, with a switch at every site and none set: %w\n%s", s.pkg, failed, out)
	}
	for _, m := range ended.FindAllStringSubmatch(out, -1) {
		seconds, err := strconv.ParseFloat(m[3], 64)
		switch {
		case err != nil:
			return err
		case m[1] != "PASS" || strings.HasPrefix(m[2], "Fuzz"):
		case seconds < slow.Seconds():
			s.quick = append(s.quick, m[2])
		default:
			s.slow = append(s.slow, m[2])
		}
	}
	if len(s.quick) == 0 {
		return fmt.Errorf("the tests of %s: none is found", s.pkg)
	}
	return nil
}

var (
	ended   = regexp.MustCompile(`(?m)^--- (PASS|FAIL|SKIP): (\w+) \(([0-9.]+)s\)$`)
	started = regexp.MustCompile(`(?m)^=== RUN +(\w+)`)
)

// start runs the tests that a pattern matches, until one fails.
func (s *suite) start(ctx context.Context, number int, pattern string) (out string, failed error) {
	cmd := exec.CommandContext(ctx, s.binary, "-test.v", "-test.short", "-test.failfast", "-test.count=1", "-test.run", pattern)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mutant.Variable, number))
	cmd.WaitDelay = time.Second
	var b bytes.Buffer
	cmd.Stdout, cmd.Stderr = &b, &b
	failed = cmd.Run()
	return b.String(), failed
}

// ask names a test that fails under a mutant, "" for none. The likely one is asked first, then some that may be, then those that are
// quick, then all.
func (s *suite) ask(ctx context.Context, number int, likely string, some []string) (verdict, error) {
	if isTest(likely) {
		some = append([]string{likely}, some...)
	}
	if v, err := s.find(ctx, number, some); err != nil || v.test != "" {
		return v, err
	}
	s.timed.Do(func() { s.fault = s.time(ctx) })
	if s.fault != nil {
		return verdict{}, s.fault
	}
	for _, names := range [][]string{s.quick, s.slow} {
		if v, err := s.find(ctx, number, names); err != nil || v.test != "" {
			return v, err
		}
	}
	return verdict{}, nil
}

// find names the first of some tests that fails under a mutant, alone too: so that it is this test and nothing before it.
func (s *suite) find(ctx context.Context, number int, names []string) (verdict, error) {
	v, err := s.try(ctx, number, names...)
	if err != nil || v.test == "" || len(names) == 1 {
		return v, err
	}
	return s.try(ctx, number, v.test)
}

func (s *suite) try(ctx context.Context, number int, names ...string) (verdict, error) {
	if len(names) == 0 {
		return verdict{}, nil
	}
	inner, cancel := context.WithTimeout(ctx, testPatience)
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
			var some []string
			if reason := m.reasonOf(site); reason >= 0 {
				some = m.arguments[reason].tests
			}
			return s.ask(ctx, n, old.test(site.name), some)
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
