//go:build unix

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignStopped: whatever stops sign while the signer works, what -o names is as it was before, and the signer ends.
func TestSignStopped(t *testing.T) {
	for _, row := range []struct {
		signal syscall.Signal
		code   int    // -1: ended by the signal
		signer string // what it does when it is to sign
	}{
		{syscall.SIGINT, 130, "hang"}, {syscall.SIGTERM, 130, "hang"},
		{syscall.SIGKILL, -1, "wait"}, // nobody is left to end a signer that does not watch its input
	} {
		for _, before := range []string{"", "before"} {
			t.Run(fmt.Sprintf("%v, %q", row.signal, before), func(t *testing.T) {
				stopSign(t, row.signer, row.signal, row.code, before)
			})
		}
	}
}

// stopSign signs with a signer of a mode that does not answer, and stops it there.
func stopSign(t *testing.T, mode string, signal syscall.Signal, code int, before string) {
	dir := t.TempDir()
	if err := copyFixture(dir); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	if before != "" {
		if err := os.WriteFile(out, []byte(before), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	listing := folder(t, dir)
	signer, err := exec.LookPath("signer")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("cgp-attest", "sign", "--key", "exec:"+signer, "--key-id", "k", "-o", "out", "session.ndjson")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGP_SIGNER_MODE="+mode)
	words, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pid := hanging(t, words)
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(words)
	if err != nil {
		t.Error(err)
	}
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != code {
		t.Errorf("exits %d, want %d: %s", got, code, rest)
	}
	if said := strings.Contains(string(rest), "error: interrupted\n"); said != (code == 130) {
		t.Errorf("says %q", rest)
	}
	if got, err := os.ReadFile(out); string(got) != before || err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("out holds %q, %v, want %q", got, err, before)
	}
	if got := folder(t, dir); got != listing {
		t.Errorf("the folder holds %s, want %s", got, listing)
	}
	for range 100 {
		if gone(pid) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Errorf("the signer, process %d, is still there", pid)
	syscall.Kill(pid, syscall.SIGKILL)
}

// hanging returns the number of the signer's process, which it says when it hangs.
func hanging(t *testing.T, words io.Reader) (pid int) {
	in := bufio.NewReader(io.LimitReader(words, 1<<20))
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			t.Fatalf("the signer does not hang: %v", err)
		}
		if n, _ := fmt.Sscanf(line, "signer: pid %d", &pid); n == 1 {
			return pid
		}
	}
}

func folder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(entries)
}

// gone reports whether a process has ended. One that nobody has waited for, as an orphan in a container, still has its number.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
