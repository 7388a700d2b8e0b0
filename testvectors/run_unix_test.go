//go:build unix

package testvectors

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

// hasEnded reports whether a process has ended, at once or soon. One of ours must have been waited for; one that it started and
// that nobody waits for, as an orphan in a container, may still have its number.
func hasEnded(pid int) bool {
	for range 50 {
		if syscall.Kill(pid, 0) != nil {
			return true
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err == nil && strings.Contains(string(stat), ") Z ") && !strings.Contains(string(stat), fmt.Sprintf(") Z %d ", os.Getpid())) {
			return true
		}
		time.Sleep(20 * time.Millisecond)
	}
	return false
}
