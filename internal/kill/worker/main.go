// Command worker asks the library every released case and stops at the first whose answer is wrong. Built with the overlay of
// internal/kill it is one mutant, which the environment names.
//
// It writes the id of each case before it asks it, so that whoever reads knows at which one it hung or crashed, and at the end
// red or green. The cases that the arguments name come first.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/testvectors"
)

func main() {
	files, err := testvectors.Released()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	var cases []*testvectors.Case
	for _, f := range files {
		for _, c := range f.Cases {
			if !slices.ContainsFunc(c.Requires, isMissing) {
				cases = append(cases, c)
			}
		}
	}
	first := os.Args[1:]
	slices.SortStableFunc(cases, func(a, b *testvectors.Case) int { return place(first, a) - place(first, b) })
	for _, c := range cases {
		fmt.Println(c.ID)
		if !testvectors.Answer(c.Op, c.Input).Equal(c.Expect) {
			fmt.Println("red")
			return
		}
	}
	fmt.Println("green")
}

// isMissing reports whether a case requires what this library alone has not.
func isMissing(need string) bool {
	name, isAlgorithm := strings.CutPrefix(need, "algorithm:")
	return !isAlgorithm || !slices.Contains(testvectors.Algorithms(), name)
}

// place puts the cases that are named in front.
func place(first []string, c *testvectors.Case) int {
	if slices.Contains(first, c.ID) {
		return 0
	}
	return 1
}
