//go:build unix

package testvectors

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// separate gives a program a process group of its own, so that what it has started ends with it.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return killAll(cmd.Process) }
}

// killAll kills a program and all of its group, what is left of it too.
func killAll(leader *os.Process) error {
	err := syscall.Kill(-leader.Pid, syscall.SIGKILL)
	if errors.Is(err, syscall.ESRCH) {
		return os.ErrProcessDone
	}
	return err
}
