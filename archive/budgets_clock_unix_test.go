//go:build unix

package archive_test

import (
	"syscall"
	"time"
)

// processor is the time that the processors have worked for this process, which others that run leave alone.
func processor() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return wall()
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
