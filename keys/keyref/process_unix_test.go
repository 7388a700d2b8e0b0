//go:build unix

package keyref

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestExternalInterruptedWithChild: where nobody sits at a terminal, what the signer has started ends with it.
func TestExternalInterruptedWithChild(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("sleep is not there")
	}
	if terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0); err == nil {
		terminal.Close()
		t.Skip("there is a terminal")
	}
	ref, heard, opt := signer(t, "hangs with a child")
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(700*time.Millisecond, interrupt)
	key, err := Open(ctx, ref, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := signAll(key); !errors.Is(err, context.Canceled) {
		t.Errorf("signing: %v, want context.Canceled", err)
	}
	key.Close()
	var child int
	if !slices.ContainsFunc(heard.lines, func(line string) bool { n, _ := fmt.Sscanf(line, "child %d", &child); return n == 1 }) {
		t.Fatalf("the signer said %q, want the number of its child", heard.lines)
	}
	for range 100 {
		if gone(child) {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("process %d, the child of the signer, is still there", child)
}

// gone reports whether a process has ended. One that nobody has waited for, as an orphan in a container, still has its number.
func gone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}
