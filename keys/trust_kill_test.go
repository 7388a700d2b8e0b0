//go:build linux && (amd64 || arm64)

package keys

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// ptrace(2), where package syscall has no name for it.
const (
	optionSysGood      = 1
	optionExitKill     = 1 << 20
	requestSyscallInfo = 0x420e
	infoEntry          = 1
)

// syscallInfo is struct ptrace_syscall_info of Linux for the entry of a system call.
type syscallInfo struct {
	op        uint8
	_         [7]byte // padding, architecture
	_         [2]uint64
	number    uint64
	arguments [6]uint64
}

func syscallOf(tid int) (info syscallInfo, err error) {
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, requestSyscallInfo, uintptr(tid), unsafe.Sizeof(info), uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno != 0 {
		return info, errno
	}
	return info, nil
}

// fileCalls are the system calls that can be seen in a file or a folder afterwards, with the argument that holds a descriptor or a
// path.
var fileCalls = map[uint64]struct {
	name string
	path bool
	arg  int
}{
	syscall.SYS_OPENAT:   {"open", true, 1},
	syscall.SYS_WRITE:    {"write", false, 0},
	syscall.SYS_FCHMOD:   {"chmod", false, 0},
	syscall.SYS_FSYNC:    {"fsync", false, 0},
	syscall.SYS_CLOSE:    {"close", false, 0},
	syscall.SYS_RENAMEAT: {"rename", true, 1},
	syscall.SYS_UNLINKAT: {"unlink", true, 1},
	syscall.SYS_FLOCK:    {"lock", false, 0},
}

// pathAt reads a path from the memory of a stopped thread.
func pathAt(tid int, address uint64) string {
	buf := make([]byte, 4096)
	n, err := syscall.PtracePeekData(tid, uintptr(address), buf)
	if err != nil && n == 0 {
		return ""
	}
	path, _, _ := bytes.Cut(buf[:n], []byte{0})
	return string(path)
}

// describe says what a system call is about to do in a folder, "" for nothing.
func describe(tid int, info *syscallInfo, dir string) string {
	call, ok := fileCalls[info.number]
	if !ok {
		return ""
	}
	var path string
	if call.path {
		path = pathAt(tid, info.arguments[call.arg])
	} else {
		path, _ = os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tid, int32(info.arguments[call.arg])))
	}
	switch rest, ok := strings.CutPrefix(path, dir); {
	case !ok:
		return ""
	case rest == "":
		return call.name + " folder"
	case strings.HasPrefix(rest, "/.cgp-attest-"):
		return call.name + " temporary"
	default:
		return call.name + " " + rest[1:]
	}
}

// killAt runs a child that adds a key to name. It stops the child at the n-th stop at one of the fileCalls in the folder of name,
// from 0, in front of the call or behind it, and kills it there. It returns the calls that it saw begin; with n < 0, which kills
// nothing, all of them.
func killAt(t *testing.T, name, keyID string, n int) (calls []string) {
	t.Helper()
	runtime.LockOSThread() // ptrace is asked by the thread that started the child
	defer runtime.UnlockOSThread()
	cmd := child(name, keyID)
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true, Setpgid: true}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		if errors.Is(err, syscall.EPERM) && os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") != "1" {
			t.Skipf("a child cannot be traced here: %v", err)
		}
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(pid, &status, 0, nil); err != nil || !status.Stopped() {
		t.Fatalf("the child did not stop when it began: %v, %v", status, err)
	}
	if err := syscall.PtraceSetOptions(pid, optionSysGood|optionExitKill|syscall.PTRACE_O_TRACECLONE); err != nil {
		t.Fatal(err)
	}
	inside := make(map[int]string) // by thread: the call that it is in
	stops := 0
	resume := func(tid, signal int) {
		if err := syscall.PtraceSyscall(tid, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			t.Fatal(err)
		}
	}
	resume(pid, 0)
	for {
		tid, err := syscall.Wait4(-pid, &status, syscall.WALL, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case status.Exited() || status.Signaled():
			if tid != pid {
				continue
			}
			cmd.Wait() // the process is gone already: this ends the copying of its words
			if status.Exited() != (n < 0) || status.Exited() && status.ExitStatus() != 0 {
				t.Fatalf("stop %d: the child ended with %v\n%s", n, status, &stderr)
			}
			return calls
		case status.StopSignal() == syscall.SIGTRAP|0x80:
			info, err := syscallOf(tid)
			if err != nil {
				t.Fatal(err)
			}
			if info.op == infoEntry {
				inside[tid] = describe(tid, &info, filepath.Dir(name))
				if inside[tid] != "" {
					calls = append(calls, inside[tid])
				}
			}
			if inside[tid] != "" {
				if stops == n {
					if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
						t.Fatal(err)
					}
					continue
				}
				stops++
			}
			resume(tid, 0)
		case status.StopSignal() == syscall.SIGTRAP || status.StopSignal() == syscall.SIGSTOP:
			resume(tid, 0) // a thread began
		default:
			resume(tid, int(status.StopSignal()))
		}
	}
}

// kill -9 at any place of a save leaves the old file whole, or the new one, and the next writer neither waits nor loses anything.
func TestSaveKilled(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	fresh := func(i int) string {
		sub := filepath.Join(dir, fmt.Sprint(i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(sub, "trust.json")
		if err := addKey(name, "old"); err != nil {
			t.Fatal(err)
		}
		return name
	}
	name := fresh(-1)
	old := readFile(t, name)
	calls := killAt(t, name, "new", -1)
	whole := readFile(t, name)
	want := []string{
		"open trust.json.lock", "lock trust.json.lock", "open trust.json", "close trust.json", "open temporary", "chmod temporary",
		"write temporary", "fsync temporary", "close temporary", "rename temporary", "open folder", "fsync folder", "close folder",
		"lock trust.json.lock", "close trust.json.lock",
	}
	if !slices.Equal(calls, want) {
		t.Fatalf("a save is\n%q, want\n%q", calls, want)
	}
	renamed := 2*slices.Index(calls, "rename temporary") + 1 // the stop behind the call
	for n := range 2 * len(calls) {
		name := fresh(n)
		if seen := killAt(t, name, "new", n); !slices.Equal(seen, calls[:n/2+1]) {
			t.Fatalf("stop %d: the calls were %q, want %q", n, seen, calls[:n/2+1])
		}
		want, held := old, []string{"next", "old"}
		if n >= renamed {
			want, held = whole, []string{"new", "next", "old"}
		}
		if got := readFile(t, name); !bytes.Equal(got, want) {
			t.Errorf("killed at stop %d, %s: the file is\n%s\nwant:\n%s", n, calls[n/2], got, want)
		}
		if err := addKey(name, "next"); err != nil {
			t.Errorf("killed at stop %d, %s: the next writer: %v", n, calls[n/2], err)
		}
		if got := keyIDs(t, name); !slices.Equal(got, held) {
			t.Errorf("killed at stop %d, %s: held are %q, want %q", n, calls[n/2], got, held)
		}
	}
}
