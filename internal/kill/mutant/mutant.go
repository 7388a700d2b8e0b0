// Package mutant is the switch of the kill matrix. Nothing that is shipped imports it: the overlay that internal/kill builds puts
// its calls into copies of the sources, and one binary then is every mutant in turn.
package mutant

import (
	"cmp"
	"os"
	"strconv"
)

// Variable names the environment variable that says which mutant a process is: a number from 1, none for the code as it is.
const Variable = "CGP_ATTEST_MUTANT"

var active, _ = strconv.Atoi(os.Getenv(Variable))

// Take is the condition of a refusal, which in its mutant is never met.
func Take(site int, condition bool) bool { return condition && active != site }

// Pick is a constant, and in its mutant another one.
func Pick[T any](site int, is, flipped T) T {
	if active == site {
		return flipped
	}
	return is
}

// Nil is an error that is returned, and in its mutant none.
func Nil[T any](site int, err T) T {
	if active == site {
		var none T
		return none
	}
	return err
}

// Less is a < b, and in its mutant a <= b.
func Less[T cmp.Ordered](site int, a, b T) bool { return a < b || active == site && a == b }

// AtMost is a <= b, and in its mutant a < b.
func AtMost[T cmp.Ordered](site int, a, b T) bool { return a < b || active != site && a == b }

// Greater is a > b, and in its mutant a >= b.
func Greater[T cmp.Ordered](site int, a, b T) bool { return Less(site, b, a) }

// AtLeast is a >= b, and in its mutant a > b.
func AtLeast[T cmp.Ordered](site int, a, b T) bool { return AtMost(site, b, a) }
