//go:build unix

package keyref

import (
	"fmt"
	"os"
	"syscall"
)

// openDescriptor opens a descriptor of this process once more. The one that was given stays open: it may be one that the
// runtime uses and the caller named by mistake. No program that is started later inherits either.
func openDescriptor(n int) (*os.File, error) {
	// A program started between these two lines would inherit the copy: it starts after the key was read.
	copied, err := syscall.Dup(n)
	if err != nil {
		return nil, fmt.Errorf("descriptor %d: %w", n, err)
	}
	syscall.CloseOnExec(copied)
	if n > 2 {
		syscall.CloseOnExec(n)
	}
	return os.NewFile(uintptr(copied), fmt.Sprintf("descriptor %d", n)), nil
}
