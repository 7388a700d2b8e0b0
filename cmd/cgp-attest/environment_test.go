package main

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

func TestUseColor(t *testing.T) {
	toStdout := &output{}
	tests := []struct {
		name, color, noColor, term string
		columns                    int
		want                       bool
	}{
		{"terminal", colorAuto, "", "xterm", 80, true},
		{"terminal of unknown kind", colorAuto, "", "", 80, true},
		{"pipe", colorAuto, "", "xterm", 0, false},
		{"NO_COLOR", colorAuto, "1", "xterm", 80, false},
		{"dumb terminal", colorAuto, "", "dumb", 80, false},
		{"never", colorNever, "", "xterm", 80, false},
		{"always, pipe", colorAlways, "", "xterm", 0, true},
		{"always, NO_COLOR", colorAlways, "1", "dumb", 0, true},
	}
	for _, tt := range tests {
		env := &environment{columns: tt.columns, color: choice{value: tt.color}}
		env.getenv = func(name string) string { return map[string]string{"NO_COLOR": tt.noColor, "TERM": tt.term}[name] }
		if got := env.useColor(toStdout); got != tt.want {
			t.Errorf("%s: useColor() = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// The first error of a writer stays: what is written after it must not make the output look whole.
func TestSticky(t *testing.T) {
	broken := errors.New("broken")
	w := &failing{good: 1, err: broken}
	s := &sticky{w: w}
	if _, err := io.WriteString(s, "a"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := io.WriteString(s, "b"); err != broken {
			t.Errorf("Write = %v, want %v", err, broken)
		}
	}
	w.err = nil
	if _, err := io.WriteString(s, "c"); err != broken || s.err != broken {
		t.Errorf("Write after the fault is gone = %v, want %v", err, broken)
	}
	if got := w.String(); got != "a" {
		t.Errorf("written %q, want %q", got, "a")
	}
}

// failing is a writer that takes a number of writes and then fails.
type failing struct {
	bytes.Buffer
	good int
	err  error
}

func (f *failing) Write(p []byte) (int, error) {
	if f.good == 0 && f.err != nil {
		return 0, f.err
	}
	f.good--
	return f.Buffer.Write(p)
}
