package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/kill/mutant"
)

// testPatience is for one mutant over the tests of its package.
const testPatience = 3 * time.Minute

// slow is the time from which on a test is asked after those that take less.
const slow = 300 * time.Millisecond

// A suite is the tests of one package, compiled with a switch at every site.
type suite struct {
	binary, dir string
	quick, slow []string
}

// buildTests compiles the tests of a package with the overlay in folder, and runs them once to see how long each takes.
func buildTests(ctx context.Context, root, folder, pkg string) (*suite, error) {
	s := &suite{binary: filepath.Join(folder, pkg+".test"), dir: filepath.Join(root, filepath.FromSlash(pkg))}
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-overlay", filepath.Join(folder, overlayName), "-o", s.binary, "./"+pkg)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the tests of %s: %w", pkg, err)
	}
	out, failed := s.start(ctx, 0, ".")
	if failed != nil {
		return nil, fmt.Errorf("the tests of %s, with a switch at every site and none set: %w\n%s", pkg, failed, out)
	}
	for _, m := range ended.FindAllStringSubmatch(out, -1) {
		seconds, err := strconv.ParseFloat(m[3], 64)
		switch {
		case err != nil:
			return nil, err
		case m[1] != "PASS" || strings.HasPrefix(m[2], "Fuzz"):
		case seconds < slow.Seconds():
			s.quick = append(s.quick, m[2])
		default:
			s.slow = append(s.slow, m[2])
		}
	}
	if len(s.quick) == 0 {
		return nil, fmt.Errorf("the tests of %s: none is found", pkg)
	}
	return s, nil
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

// ask names a test that fails under a mutant, "" for none. likely, where it is one of the tests, is asked first.
func (s *suite) ask(ctx context.Context, number int, likely string, thorough bool) (verdict, error) {
	var rounds [][]string
	if slices.Contains(s.quick, likely) || slices.Contains(s.slow, likely) {
		rounds = append(rounds, []string{likely})
	}
	if rounds = append(rounds, s.quick); thorough {
		rounds = append(rounds, s.slow)
	}
	for _, names := range rounds {
		if len(names) == 0 {
			continue
		}
		inner, cancel := context.WithTimeout(ctx, testPatience)
		out, failed := s.start(inner, number, "^("+strings.Join(names, "|")+")$")
		late := errors.Is(inner.Err(), context.DeadlineExceeded)
		cancel()
		switch {
		case ctx.Err() != nil:
			return verdict{}, ctx.Err()
		case failed != nil:
			return verdict{test: culprit(out, late)}, nil
		}
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

// askTests asks the tests of its package about each mutant that no case shows.
func (m *matrix) askTests(ctx context.Context, root, folder string, old *page) error {
	byPackage := make(map[string][]int)
	for n, v := range m.found {
		if v.killer == "" {
			pkg := m.sites[n-1].pkg()
			byPackage[pkg] = append(byPackage[pkg], n)
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
		slices.SortFunc(numbers, cmp.Compare)
		found, err := inParallel(numbers, func(n int) (verdict, error) {
			site := &m.sites[n-1]
			reason := m.reasonOf(site)
			return s.ask(ctx, n, old.test(site.name), reason < 0 || !m.arguments[reason].beyond)
		})
		if err != nil {
			return err
		}
		for n, v := range found {
			m.found[n] = v
		}
	}
	return nil
}
