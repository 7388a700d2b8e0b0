package archive_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// What speed and memory are held to. make bench prints the table, make bench-check fails where a budget is missed; neither is
// part of make test. Every figure is a ratio of two things that are measured in turns in one run, so that it says something on
// any machine; the median of at least rounds pairs counts.

// benchVariable asks for the measurement: "table", or "check", which fails where a must is missed.
const benchVariable = "CGP_ATTEST_BENCH"

// rounds is the number of pairs of which the median counts.
const rounds = 9

// A budget is what a figure must be and what it is to be.
type budget struct {
	name      string
	must, aim float64
	atMost    bool // else at least
	unit      string
	measure   func(*bencher) figure
}

// A figure is a median, and the least and the greatest of what it is the median of.
type figure struct{ median, least, greatest float64 }

func medianOf(values []float64) figure {
	slices.Sort(values)
	return figure{values[len(values)/2], values[0], values[len(values)-1]}
}

func exactly(v float64) figure { return figure{v, v, v} }

func (b *budget) misses(v, bound float64) bool {
	if b.atMost {
		return v > bound
	}
	return v < bound
}

// over says by how many per cent v misses a bound.
func over(v, bound float64) float64 {
	if bound == 0 {
		return 100
	}
	return 100 * max(v/bound-1, bound/max(v, 1e-9)-1)
}

// A bencher measures with the clock that fits.
type bencher struct{ tb testing.TB }

// A stopwatch tells what has been used up since the start of the program.
type stopwatch func() time.Duration

// start is a monotonic instant.
var start = time.Now()

func wall() time.Duration { return time.Since(start) }

// work is something that is measured; an error ends the run.
type work func() error

// least is how long one side of a pair is measured at least.
const least = 100 * time.Millisecond

// timed returns the time that one call takes, of as many as take some time.
func (b *bencher) timed(watch stopwatch, n int, w work) float64 {
	runtime.GC()
	begin := watch()
	for range n {
		if err := w(); err != nil {
			b.tb.Fatal(err)
		}
	}
	return float64(watch()-begin) / float64(n)
}

// often returns how many calls take long enough to be measured.
func (b *bencher) often(w work) int {
	begin := wall()
	n := 0
	for n == 0 || wall()-begin < least {
		if err := w(); err != nil {
			b.tb.Fatal(err)
		}
		n++
	}
	return n
}

// onOneCore measures the processor time of works in turns on one processor, and returns one figure of each round.
func (b *bencher) onOneCore(of func(times []float64) float64, works ...work) figure {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	return b.inTurns(processor, of, works...)
}

func (b *bencher) inTurns(watch stopwatch, of func(times []float64) float64, works ...work) figure {
	counts := make([]int, len(works))
	for i, w := range works {
		counts[i] = b.often(w)
	}
	var values []float64
	for range rounds {
		times := make([]float64, len(works))
		for i, w := range works {
			times[i] = b.timed(watch, counts[i], w)
		}
		values = append(values, of(times))
	}
	return medianOf(values)
}

// ratio is the first time over the second.
func ratio(times []float64) float64 { return times[0] / times[1] }

// TestBudgets measures every budget.
func TestBudgets(t *testing.T) {
	mode := os.Getenv(benchVariable)
	if mode == "" {
		t.Skip("make bench and make bench-check measure, with " + benchVariable)
	}
	only := os.Getenv(benchVariable + "_ONLY") // a part of the names
	b := &bencher{t}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', 0)
	fmt.Fprintf(os.Stdout, "%d processors, %s, %s/%s\n", runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintln(table, "| what\t| must\t| aim\t| measured\t| least … greatest\t|\t|")
	fmt.Fprintln(table, "|---\t|---:\t|---:\t|---:\t|---:\t|---\t|")
	for _, row := range budgets() {
		if !strings.Contains(row.name, only) {
			continue
		}
		got := row.measure(b)
		sign, verdict := "≥", "aim met"
		if row.atMost {
			sign = "≤"
		}
		switch {
		case row.misses(got.median, row.must):
			verdict = fmt.Sprintf("MISSED by %.1f %%", over(got.median, row.must))
			if mode == "check" {
				t.Errorf("%s: %.3g, must be %s %.3g: missed by %.1f %%", row.name, got.median, sign, row.must, over(got.median, row.must))
			}
		case row.misses(got.median, row.aim):
			verdict = fmt.Sprintf("met, %.1f %% short of the aim", over(got.median, row.aim))
		}
		fmt.Fprintf(table, "| %s\t| %s %.4g%s\t| %s %.4g%s\t| %.4g%s\t| %.4g … %.4g\t| %s\t|\n", row.name,
			sign, row.must, row.unit, sign, row.aim, row.unit, got.median, row.unit, got.least, got.greatest, verdict)
		table.Flush()
	}
}
