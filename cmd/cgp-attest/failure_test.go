package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// A usage that help shows on several lines is a hint on one.
func TestUsageStandsOnOneLine(t *testing.T) {
	f := misuse("x").usage(&cobra.Command{Use: "check --a\n      (--b |\n\t--c)", DisableFlagsInUseLine: true})
	if got, want := strings.Join(f.hints, "|"), "usage: check --a (--b | --c)"; got != want {
		t.Errorf("usage = %q, want %q", got, want)
	}
}

// A line of data is whole where a program may read it, and fits a terminal where there is one.
func TestWriteLine(t *testing.T) {
	line := `configured provider "docs" key_id "docs-2026" sha256:` + strings.Repeat("0", 64)
	for _, row := range []struct {
		name           string
		columns, lines int
	}{{"no terminal", 0, 1}, {"terminal", 80, 2}, {"narrow terminal", 20, 2}, {"wide terminal", 200, 1}} {
		var out bytes.Buffer
		env := &environment{stdout: &sticky{w: &out}, columns: row.columns}
		env.writeLine(line)
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if len(lines) != row.lines {
			t.Errorf("%s: writeLine wrote %d lines, want %d", row.name, len(lines), row.lines)
		}
		for _, l := range lines {
			if row.columns > 0 && terminal.Width(l) > max(row.columns, defaultColumns) {
				t.Errorf("%s: writeLine wrote %q, which is too wide", row.name, l)
			}
		}
	}
}
