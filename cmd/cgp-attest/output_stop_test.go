//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// An output that is a pipe without a reader does not hold up a program that is interrupted.
func TestOutputWithoutReader(t *testing.T) {
	dir := t.TempDir()
	in, pipe := filepath.Join(dir, "in"), filepath.Join(dir, "pipe")
	if err := os.WriteFile(in, []byte(`{"frames":[]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"verify", "-o", pipe, in}, {"verify", "--report", "json=" + pipe, in}, {"record", "-o", pipe, in},
		{"commit", "--provider", "docs", "-o", pipe, in}, {"inspect", "-o", pipe, in},
	} {
		env, _, words := testEnvironment("")
		ctx, interrupt := context.WithCancel(context.Background())
		code := make(chan int, 1)
		go func() { code <- run(ctx, env, args) }()
		time.Sleep(50 * time.Millisecond) // what comes too early to be noticed fails nothing
		interrupt()
		select {
		case got := <-code:
			if got != archive.ExitInterrupted || !strings.Contains(words.String(), "interrupted") {
				t.Errorf("%s: exit code %d, %q, want 130", args[0], got, words)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q goes on", args)
		}
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is %v, %v", info, err)
	}
}
