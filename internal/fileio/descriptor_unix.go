//go:build unix

package fileio

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// descriptor reports whether a name stands for a descriptor of this process. Opening such a name anew may give a second file
// offset, 0, over what the process has already written; so it is told from other names by its spelling.
func descriptor(name string) (fd int, ok bool) {
	switch name = filepath.Clean(name); name {
	case "/dev/stdin":
		return 0, true
	case "/dev/stdout":
		return 1, true
	case "/dev/stderr":
		return 2, true
	}
	for _, folder := range []string{"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/", fmt.Sprintf("/proc/%d/fd/", os.Getpid())} {
		if number, found := strings.CutPrefix(name, folder); found {
			fd, err := strconv.ParseUint(number, 10, 31)
			return int(fd), err == nil
		}
	}
	return 0, false
}

// duplicate opens a descriptor of this process once more, at the same file offset.
func duplicate(fd int) (*os.File, error) {
	copied, err := syscall.Dup(fd)
	if err != nil {
		return nil, err
	}
	syscall.CloseOnExec(copied)
	return os.NewFile(uintptr(copied), fmt.Sprintf("/dev/fd/%d", fd)), nil
}
