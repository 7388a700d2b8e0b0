// Command kill shows that the released test vectors bite: for every place in sign, merkle, keys and archive at which a verdict, a
// state or a refusal comes into being it makes a mutant, and asks which case turns red.
//
// A mutant is an edit of the source: a refusal whose condition is never met, a comparison in such a condition that is off by one,
// a constant of a closed set that becomes the most dangerous one of it, an error that becomes nil. The list of them is read from
// the code. All of them are in one binary, built with go build -overlay from copies of the sources; what is shipped has no switch.
//
// Without flags it runs every mutant and writes docs/kill-matrix.md. Of a mutant that no case shows argued.txt must have
// the reason, and a Go test of its package must fail with it, unless no input at all can show it.
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
)

// pageName is the page that this command writes, below the root.
const pageName = "docs/kill-matrix.md"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "kill:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	dir := flag.String("dir", ".", "the root of the checkout")
	sample := flag.Int("sample", 0, "run only so many mutants, drawn with -seed, and compare them with the page; 0 runs all")
	seed := flag.Int64("seed", 1, "what the sample is drawn with")
	survivors := flag.Bool("survivors", false, "write the mutants that no case shows to standard output, and no page")
	flag.Parse()
	at, err := filepath.Abs(*dir)
	if err != nil {
		return err
	}
	p, err := read(at)
	if err != nil {
		return err
	}
	arguments, err := readArguments(argued)
	if err != nil {
		return err
	}
	name := filepath.Join(at, filepath.FromSlash(pageName))
	old, err := readPage(name)
	if err != nil && (*sample > 0 || !os.IsNotExist(err)) {
		return err
	}
	if *sample > 0 {
		if err := old.checkSites(p.sites); err != nil {
			return err
		}
	}
	folder, err := os.MkdirTemp("", "kill")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	worker, err := build(ctx, at, folder, p)
	if err != nil {
		return err
	}
	numbers := make([]int, len(p.sites))
	for i := range numbers {
		numbers[i] = i + 1
	}
	if *sample > 0 {
		r := rand.New(rand.NewSource(*seed))
		r.Shuffle(len(numbers), func(i, k int) { numbers[i], numbers[k] = numbers[k], numbers[i] })
		numbers = numbers[:min(*sample, len(numbers))]
		slices.Sort(numbers)
	}
	found, err := askAll(ctx, worker, numbers, func(n int) []string { return old.likely(p.sites[n-1].name) })
	if err != nil {
		return err
	}
	m := &matrix{sites: p.sites, found: found, arguments: arguments}
	if err := m.askTests(ctx, at, folder, old, *sample > 0); err != nil {
		return err
	}
	if *survivors {
		for _, n := range numbers {
			if v := found[n]; v.killer == "" {
				fmt.Printf("%d\t%s\t%s", n, v.test, p.sites[n-1].line())
			}
		}
		return nil
	}
	faults := m.faults()
	if *sample == 0 {
		faults = append(faults, m.unused(func(n int) bool { return found[n].killer != "" })...)
	} else {
		faults = append(faults, m.differences(old)...)
	}
	if *sample == 0 { // with faults too: the next run asks first what showed a mutant in this one
		if err := os.WriteFile(name, m.page(), 0o644); err != nil {
			return err
		}
	}
	for _, f := range faults {
		fmt.Fprintln(os.Stderr, f)
	}
	if len(faults) > 0 {
		return fmt.Errorf("%d faults", len(faults))
	}
	all, shown, tested := m.counts(func(*site) bool { return true })
	if *sample > 0 {
		fmt.Printf("seed %d: %d of %d mutants run, ", *seed, all, len(p.sites))
	}
	fmt.Printf("%d mutants: %d killed by a case, %d by a Go test, %d argued\n", all, shown, tested, all-shown-tested)
	return nil
}
