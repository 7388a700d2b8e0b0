//go:build unix

package archive_test

import (
	"os"
	"runtime"
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

// peakMemory is the largest resident set of a process that has ended.
func peakMemory(state *os.ProcessState) (bytes float64, known bool) {
	used, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" { // where it is counted in bytes
		return float64(used.Maxrss), true
	}
	return float64(used.Maxrss) * 1024, true
}
