//go:build unix

package keyref

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
)

// separate says how a program is told to end: with SIGTERM. Where there is no terminal the program gets a process group of its
// own, so that what it has started ends with it. At a terminal it stays in the group of this process: in another it could ask
// for no PIN, and an interruption from the keyboard reaches all of the group anyway.
func separate(cmd *exec.Cmd) {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err == nil {
		terminal.Close()
		cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		err := syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM)
		if errors.Is(err, syscall.ESRCH) {
			return os.ErrProcessDone
		}
		return err
	}
}
