// Package mutant is the switch of the kill matrix. Nothing that is shipped imports it: the overlay that internal/kill builds puts
// its calls into copies of the sources, and one binary then is every mutant in turn.
package mutant

import (
	"cmp"
	"os"
	"strconv"
	"sync/atomic"
)

// Variable names the environment variable that says which mutant a process is: a number from 1, none for the code as it is.
// TraceVariable names the one with the name of a file to which the number of each site is written that the process comes to.
const (
	Variable      = "CGP_ATTEST_MUTANT"
	TraceVariable = "CGP_ATTEST_MUTANT_TRACE"
)

var active, _ = strconv.Atoi(os.Getenv(Variable))

// trace is nil unless the environment asks for it.
var trace, _ = os.OpenFile(os.Getenv(TraceVariable), os.O_WRONLY|os.O_APPEND, 0)

var met [1 << 14]atomic.Bool

// is reports whether a process is the mutant of a site that it comes to.
func is(site int) bool {
	if trace != nil && !met[site].Swap(true) {
		trace.WriteString(strconv.Itoa(site) + "\n")
	}
	return active == site
}

// Take is the condition of a refusal, which in its mutant is never met.
func Take(site int, condition bool) bool { return condition && !is(site) }

// Pick is a constant, and in its mutant another one.
func Pick[T any](site int, right, flipped T) T {
	if is(site) {
		return flipped
	}
	return right
}

// Nil is an error that is returned, and in its mutant none.
func Nil[T any](site int, err T) T {
	if is(site) {
		var none T
		return none
	}
	return err
}

// Less is a < b, and in its mutant a <= b.
func Less[T cmp.Ordered](site int, a, b T) bool { return a < b || a == b && is(site) }

// AtMost is a <= b, and in its mutant a < b.
func AtMost[T cmp.Ordered](site int, a, b T) bool { return a < b || a == b && !is(site) }

// Greater is a > b, and in its mutant a >= b.
func Greater[T cmp.Ordered](site int, a, b T) bool { return Less(site, b, a) }

// AtLeast is a >= b, and in its mutant a > b.
func AtLeast[T cmp.Ordered](site int, a, b T) bool { return AtMost(site, b, a) }
