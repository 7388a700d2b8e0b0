package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/kill/mutant"
)

const (
	processes = 2
	patience  = 20 * time.Second // for one mutant over all cases
)

// overlayName is the file that tells go build which sources have a copy with switches.
const overlayName = "overlay.json"

// A verdict is what became of one mutant.
type verdict struct {
	killer string // the case that turned red, "" where none did
	how    string // "" for a wrong answer, else hangs or crashes
	test   string // the Go test that fails where no case turned red, "" for none
}

func (v verdict) String() string {
	if v.how == "" {
		return v.killer
	}
	return v.killer + " (" + v.how + ")"
}

// build compiles the worker with a switch at every site, into a folder.
func build(ctx context.Context, root, folder string, p *program) (worker string, err error) {
	replace := make(map[string]string)
	for name, text := range p.copies {
		at := filepath.Join(folder, strings.ReplaceAll(name, "/", "_"))
		if err := os.WriteFile(at, text, 0o600); err != nil {
			return "", err
		}
		replace[filepath.Join(root, filepath.FromSlash(name))] = at
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(folder, overlayName)
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	worker = filepath.Join(folder, "worker")
	cmd := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-o", worker, "./internal/kill/worker")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("the sources with their switches: %w", err)
	}
	return worker, nil
}

// ask runs one mutant, the named cases first. Number 0 is the code as it is.
func ask(ctx context.Context, worker string, number int, first ...string) (verdict, error) {
	inner, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(inner, worker, first...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", mutant.Variable, number))
	var out bytes.Buffer
	cmd.Stdout = &out
	failed := cmd.Run()
	lines := strings.Fields(out.String())
	last := func(n int) string {
		if len(lines) < n {
			return "before the first case"
		}
		return lines[len(lines)-n]
	}
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return verdict{}, ctx.Err()
	case errors.Is(inner.Err(), context.DeadlineExceeded):
		return verdict{killer: last(1), how: "hangs"}, nil
	case errors.As(failed, &exited) && exited.ExitCode() >= 0: // not ended by somebody else, which says nothing of the mutant
		return verdict{killer: last(1), how: "crashes"}, nil
	case failed != nil:
		return verdict{}, failed
	case last(1) == "red":
		return verdict{killer: last(2)}, nil
	case last(1) == "green":
		return verdict{}, nil
	}
	return verdict{}, fmt.Errorf("mutant %d ends without an answer", number)
}

// askAll runs the mutants with these numbers. likely gives the cases to try first.
func askAll(ctx context.Context, worker string, numbers []int, likely func(number int) []string) (map[int]verdict, error) {
	switch v, err := ask(ctx, worker, 0); {
	case err != nil:
		return nil, err
	case v.killer != "":
		return nil, fmt.Errorf("the code as it is, with a switch at every site, is not green: case %s", v)
	}
	return inParallel(numbers, func(n int) (verdict, error) { return ask(ctx, worker, n, likely(n)...) })
}

// inParallel asks about each number.
func inParallel(numbers []int, ask func(number int) (verdict, error)) (map[int]verdict, error) {
	work := make(chan int)
	found := make(map[int]verdict)
	var (
		mu      sync.Mutex
		fault   error
		workers sync.WaitGroup
	)
	for range processes {
		workers.Go(func() {
			for n := range work {
				v, err := ask(n)
				mu.Lock()
				found[n] = v
				fault = errors.Join(fault, err)
				mu.Unlock()
			}
		})
	}
	for _, n := range numbers {
		work <- n
	}
	close(work)
	workers.Wait()
	return found, fault
}
