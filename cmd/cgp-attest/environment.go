package main

import (
	"context"
	"crypto/rand"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"contextgraphprotocol.org/cgp-attest/sign"
	"contextgraphprotocol.org/cgp-attest/sign/pq"
)

// environment is what a command may ask of the machine it runs on.
type environment struct {
	stdin           io.Reader
	stdout          *sticky
	stderr          io.Writer
	stdinIsTerminal bool
	columns         int        // of the terminal that standard output is, 0 where it is none
	stderrColumns   func() int // of the terminal that standard error is, as it is now; nil where it is none
	now             func() time.Time
	ticks           func(time.Duration) <-chan time.Time // until the program ends
	rand            io.Reader
	getenv          func(string) string // "" also for what is not set
	unsetenv        func(string) error
	readPassword    func(context.Context) ([]byte, error) // a line from the terminal that standard input is, without echo
	listen          func()                                // begins to listen for interruptions; nil where nobody interrupts
	schemes         []sign.Scheme                         // beside Ed25519; none is checked unless it is allowed by name

	color         choice // --color
	stdinTakenFor string // the argument or flag that has been given standard input, "" for none
}

func systemEnvironment() *environment {
	env := &environment{
		stdin: os.Stdin, stdout: &sticky{w: os.Stdout}, stderr: os.Stderr,
		stdinIsTerminal: term.IsTerminal(int(os.Stdin.Fd())),
		now:             time.Now, ticks: time.Tick, rand: rand.Reader, getenv: os.Getenv, unsetenv: os.Unsetenv,
		readPassword: readPassword, schemes: pq.Schemes(),
	}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		env.columns = columns(os.Stdout)
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		env.stderrColumns = func() int { return columns(os.Stderr) }
	}
	return env
}

// columns returns how wide a terminal is.
func columns(terminal *os.File) int {
	if width, _, err := term.GetSize(int(terminal.Fd())); err == nil && width > 0 {
		return width
	}
	return defaultColumns
}

// sticky remembers the first error of a writer, so that whoever drops it (the flag and completion library does) hides nothing.
type sticky struct {
	w   io.Writer
	err error
}

func (s *sticky) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.w.Write(p)
	s.err = err
	return n, err
}

const (
	defaultColumns = 80
	colorAuto      = "auto"
	colorAlways    = "always"
	colorNever     = "never"
)

// useColor reports whether text is coloured. Under auto it is where the output is a terminal, unless NO_COLOR is set and not
// empty (https://no-color.org).
func (env *environment) useColor(out *output) bool {
	switch env.color.value {
	case colorAlways:
		return true
	case colorNever:
		return false
	}
	return env.columnsOf(out) > 0 && env.getenv("NO_COLOR") == "" && env.getenv("TERM") != "dumb"
}

// columnsOf returns the width of the terminal that an output goes to, 0 where it is none.
func (env *environment) columnsOf(out *output) int {
	if out.file != nil {
		return 0
	}
	return env.columns
}
