package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// A failure ends a command: its exit code, what is wrong in words, and what to do about it.
type failure struct {
	code  int
	err   error // nil where the report on standard output says it all
	hints []string
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit %d", f.code)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// hint adds a line that says what to do.
func (f *failure) hint(format string, args ...any) *failure {
	f.hints = append(f.hints, fmt.Sprintf(format, args...))
	return f
}

// usage adds the hint that shows how a command is used, on one line.
func (f *failure) usage(cmd *cobra.Command) *failure {
	return f.hint("usage: %s", strings.Join(strings.Fields(cmd.UseLine()), " "))
}

// fail ends a command with a code.
func fail(code int, format string, args ...any) *failure {
	return &failure{code: code, err: fmt.Errorf(format, args...)}
}

// misuse is a failure of usage: nothing was judged.
func misuse(format string, args ...any) *failure {
	return fail(archive.ExitUsage, format, args...)
}

// exit ends a command that has said all it had to say. A code of 0 is no failure.
func exit(code int) error {
	if code == archive.ExitGood {
		return nil
	}
	return &failure{code: code}
}

// explain writes what ended a command, and returns its exit code.
func explain(w io.Writer, err error) int {
	var f *failure
	switch {
	case err == nil:
		return archive.ExitGood
	case errors.Is(err, context.Canceled):
		f = fail(archive.ExitInterrupted, "interrupted")
	case errors.As(err, &f):
	default:
		// What the flag library says about a command line it cannot make sense of.
		f = misuse("%w", err)
	}
	if f.err != nil {
		complain(w, f.err.Error(), f.hints...)
	}
	return f.code
}

// complain writes an error and its hints, a line each. Text in them may come from an input or a file's name.
func complain(w io.Writer, message string, hints ...string) {
	fmt.Fprintf(w, "%s: error: %s\n", program, escape(message))
	advise(w, hints...)
}

func advise(w io.Writer, hints ...string) {
	for _, hint := range hints {
		fmt.Fprintf(w, "hint: %s\n", escape(hint))
	}
}

// cannotWrite is a failure of the place that a result goes to, found when part of it may be written.
func cannotWrite(place string, err error) *failure {
	return fail(archive.ExitInternal, "writing %s: %w", place, err).
		hint("the output is not whole: do not use what may stand there")
}

// crashed reports a fault of this program, and returns the exit code.
func crashed(w io.Writer, fault any) int {
	complain(w, fmt.Sprintf("internal error: %v", fault), "this is a fault of "+program+", not of its input: please report it with the lines below")
	for line := range strings.Lines(string(debug.Stack())) {
		fmt.Fprintln(w, escape(strings.TrimRight(line, "\n")))
	}
	return archive.ExitInternal
}

// escape makes a sentence safe for a terminal. Untrusted text in it was quoted and cut where the sentence was made.
func escape(sentence string) string { return terminal.Escape(sentence, math.MaxInt) }

// quote makes an identifier of unknown origin fit to be shown.
func quote(id string) string { return terminal.Quote(id, terminal.MaxEchoed) }
