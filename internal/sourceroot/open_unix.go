//go:build unix

package sourceroot

import "syscall"

// openFlags keep the opening of a pipe from waiting for its other end.
const openFlags = syscall.O_NONBLOCK
