package sourceroot

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A file that may not be read is there: it is unreadable, and not missing.
func TestPermissionDenied(t *testing.T) {
	root := tree(t, "a", "closed/b", "open")
	for _, name := range []string{"a", "closed"} {
		path := filepath.Join(root, name)
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(path, 0o700) })
	}
	r := rooted(t, "", root)
	if os.Getuid() == 0 { // root may read everything; for this thread the file system takes it for another user
		const nobody = 65534
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		syscall.RawSyscall(syscall.SYS_SETFSUID, nobody, 0, 0)
		defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	}
	if got := outcome(t, r, "open"); got != "text of open" {
		t.Fatalf("a file that may be read is %q", got)
	}
	for _, uri := range []string{"a", "closed/b", "closed/none"} {
		if got := outcome(t, r, uri); got != string(archive.LinkUnreadable) {
			t.Errorf("%q is %q, want %q", uri, got, archive.LinkUnreadable)
		}
	}
}
