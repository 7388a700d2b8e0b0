package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Whatever comes of a command that could use it, the passphrase is in the environment no longer: nothing that is started later
// inherits it.
func TestPassphraseLeavesEnvironment(t *testing.T) {
	dir := t.TempDir()
	seed := filepath.Join(dir, "seed")
	if err := os.WriteFile(seed, []byte(fixtureSeed), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{
		"key show " + seed, "key show " + filepath.Join(dir, "missing"), "key generate -o " + filepath.Join(dir, "new"),
		"key generate --no-passphrase -o " + filepath.Join(dir, "other"), "sign --key " + seed + " --key-id k " + filepath.Join(dir, "missing"),
	} {
		t.Setenv(passphraseVariable, "correct horse")
		env, _, words := testEnvironment("")
		env.getenv, env.unsetenv, env.rand = os.Getenv, os.Unsetenv, zeros{}
		env.now = systemEnvironment().now
		run(t.Context(), env, strings.Fields(args))
		if value, present := os.LookupEnv(passphraseVariable); present {
			t.Errorf("%s leaves %s = %q; it says %s", args, passphraseVariable, value, words)
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What becomes of a question that is not answered.
func TestAsk(t *testing.T) {
	broken := errors.New("broken")
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	for _, row := range []struct {
		name   string
		ctx    context.Context
		answer string
		err    error
		want   string // what the error says, "" for none
	}{
		{"answered", t.Context(), "correct horse", nil, ""},
		{"empty", t.Context(), "", nil, "no passphrase was given"},
		{"at the end of the input", t.Context(), "", io.EOF, "no passphrase was given"},
		{"broken", t.Context(), "", broken, "broken"},
		{"interrupted", canceled, "", nil, "context canceled"},
	} {
		env, _, words := testEnvironment("")
		env.readPassword = func(context.Context) ([]byte, error) { return []byte(row.answer), row.err }
		got, err := env.ask(row.ctx, "passphrase: ")
		if row.want == "" && (err != nil || string(got) != row.answer) {
			t.Errorf("%s: ask = %q, %v, want %q", row.name, got, err, row.answer)
		}
		if row.want != "" && (got != nil || err == nil || !strings.Contains(err.Error(), row.want)) {
			t.Errorf("%s: ask = %q, %v, want an error that says %q", row.name, got, err, row.want)
		}
		if words.String() != "passphrase: \n" {
			t.Errorf("%s: it says %q", row.name, words)
		}
		if row.ctx == canceled && explain(io.Discard, err) != archive.ExitInterrupted {
			t.Errorf("%s: exits %d, want %d", row.name, explain(io.Discard, err), archive.ExitInterrupted)
		}
	}
}
