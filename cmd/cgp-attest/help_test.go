package main

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/sign/pq"
)

// testEnvironment is a program that reads in and writes to a buffer.
func testEnvironment(in string) (env *environment, out, words *bytes.Buffer) {
	out, words = new(bytes.Buffer), new(bytes.Buffer)
	return &environment{
		stdin: strings.NewReader(in), stdout: &sticky{w: out}, stderr: words,
		getenv: func(string) string { return "" }, unsetenv: func(string) error { return nil },
		schemes: pq.Schemes(),
	}, out, words
}

// everyCommand calls f with every command that help shows, groups and the root too.
func everyCommand(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			everyCommand(sub, f)
		}
	}
}

// Help begins with what a command is for and examples of it, fits 80 columns, and is no error.
func TestHelp(t *testing.T) {
	env, _, _ := testEnvironment("")
	seen := 0
	everyCommand(newRootCmd(env), func(cmd *cobra.Command) {
		seen++
		path := strings.Fields(cmd.CommandPath())[1:]
		env, out, words := testEnvironment("")
		if code := run(context.Background(), env, append(path, "--help")); code != 0 || words.Len() > 0 {
			t.Errorf("%s --help exits %d and says %q, want 0 and nothing", cmd.CommandPath(), code, words)
		}
		text := out.String()
		if want := cmd.CommandPath() + ": "; !strings.HasPrefix(text, want) {
			t.Errorf("%s --help does not begin with %q", cmd.CommandPath(), want)
		}
		if !strings.Contains(text, "\n\nExamples:\n  ") || strings.Index(text, "\nExamples:") > strings.Index(text, "\nUsage:") {
			t.Errorf("%s --help does not have examples in front of its usage", cmd.CommandPath())
		}
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > 80 || line != strings.TrimRight(line, " ") {
				t.Errorf("%s --help: a line of %d columns, want 80 at most and no space at its end: %q", cmd.CommandPath(), n, line)
			}
		}
		env, other, _ := testEnvironment("")
		if code := run(context.Background(), env, append([]string{"help"}, path...)); code != 0 || other.String() != text {
			t.Errorf("help %s exits %d, want 0 and the same text as --help", strings.Join(path, " "), code)
		}
	})
	if seen < 12 {
		t.Errorf("%d commands, want 12 at least", seen)
	}
}

// The scripts of all shells ask the program itself; what it answers are the words that the flags take.
func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		env, out, words := testEnvironment("")
		if code := run(context.Background(), env, []string{"completion", shell}); code != 0 || words.Len() > 0 {
			t.Errorf("completion %s exits %d and says %q", shell, code, words)
		}
		if !strings.Contains(out.String(), "cgp-attest") || !strings.Contains(out.String(), "__complete") {
			t.Errorf("completion %s prints %.200q, want a script that calls __complete", shell, out)
		}
	}
	tests := []struct{ args, want string }{
		{"verify --require ", "attested pinned constructed"},
		{"verify --format ", "text json jsonl sarif junit markdown html"},
		{"sign --shape ", "root frames both"},
		{"key generate --form ", "openssh pkcs8 seed"},
		{"verify --color ", "auto always never"},
		{"completion ", "bash zsh fish powershell"},
		{"key convert --to ", "hex pem openssh jwk attester_keys pkcs8 seed"},
		{"trust ", "add diff lint list pin remove"},
		{"key ", "convert generate publish show"},
		{"help key ", "convert generate publish show"},
	}
	for _, tt := range tests {
		env, out, _ := testEnvironment("")
		args := append([]string{"__complete"}, strings.Split(tt.args, " ")...)
		if code := run(context.Background(), env, args); code != 0 {
			t.Errorf("__complete %s exits %d", tt.args, code)
		}
		var got []string
		for line := range strings.Lines(out.String()) {
			if word, _, _ := strings.Cut(strings.TrimSpace(line), "\t"); word != "" && word[0] != ':' {
				got = append(got, word)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("__complete %s = %q, want %q", tt.args, got, tt.want)
		}
	}
}

func TestNearest(t *testing.T) {
	known := []string{"verify", "version", "sign", "key", "completion"}
	tests := []struct{ name, want string }{
		{"verfy", "verify"}, {"verif", "verify"}, {"vrsion", "version"}, {"sing", "sign"}, {"comp", "completion"}, {"kye", "key"},
		{"frobnicate", ""}, {"", ""}, {"VERIFY", ""},
	}
	for _, tt := range tests {
		if got := nearest(tt.name, known); got != tt.want {
			t.Errorf("nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestShellQuote(t *testing.T) {
	tests := []struct{ in, want string }{
		{"a/b.pem", "a/b.pem"}, {"my key", "'my key'"}, {"it's", `'it'\''s'`}, {"$(x)", "'$(x)'"}, {"-rf", "./-rf"}, {"", "''"},
		{"a\nb", "'a\nb'"},
	}
	for _, tt := range tests {
		if got := shellQuote(tt.in); got != tt.want {
			t.Errorf("shellQuote(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// The name by which a command is made alone is its own.
func TestCommandNames(t *testing.T) {
	env, _, _ := testEnvironment("")
	if got, want := len(newRootCmd(env).Commands()), len(commands()); got != want {
		t.Errorf("%d commands, want %d", got, want)
	}
	for _, c := range commands() {
		if got := c.make(env).Name(); got != c.name {
			t.Errorf("the command %s stands under %s", got, c.name)
		}
		alone := newRootCmd(env, c.name, "x").Commands()
		if c.name == aboutOthers {
			if len(alone) != len(commands()) {
				t.Errorf("%s: %d commands, want all", c.name, len(alone))
			}
		} else if len(alone) != 1 || alone[0].Name() != c.name {
			t.Errorf("%s: %d commands", c.name, len(alone))
		}
	}
}
