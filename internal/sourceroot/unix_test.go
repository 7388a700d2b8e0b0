//go:build unix

package sourceroot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
)

func TestSymbolicLinks(t *testing.T) {
	const outside = string(archive.LinkOutsideRoots)
	root := tree(t, "docs/a.md", "deep/er/b")
	links := map[string]string{
		"inside": "docs/a.md", "deep/up": "../docs/a.md", "folder": "docs", "chain": "inside", "dangling": "none",
		"out": "../secret", "absolute": filepath.Join(root, "docs", "a.md"), "outfolder": "..", "chained": "out", "deep/out": "../../secret",
		"etc": "/etc", "loop": "loop", "outdangling": "../none", "back": "../root/docs/a.md", "beside": "../root-beside",
	}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	r := rooted(t, "", root)
	for _, tt := range []struct{ uri, want string }{
		{"inside", "text of docs/a.md"},
		{"deep/up", "text of docs/a.md"},
		{"folder/a.md", "text of docs/a.md"},
		{"chain", "text of docs/a.md"},
		{"deep/er/../up", "text of docs/a.md"},
		{"dangling", "missing"},
		{"out", outside},
		{"absolute", outside},
		{"outfolder/secret", outside},
		{"outfolder/root/docs/a.md", outside},
		{"chained", outside},
		{"deep/out", outside},
		{"etc/hostname", outside},
		{"etc/none", outside},
		{"outdangling", outside},
		{"back", outside},
		{"beside/secret", outside},
		{"folder", string(archive.LinkNotRegular)},
		{"outfolder/../docs/a.md", "text of docs/a.md"}, // dot segments go before anything is looked up
		{"loop", string(archive.LinkUnreadable)},
	} {
		if got := outcome(t, r, tt.uri); got != tt.want {
			t.Errorf("%q is %q, want %q", tt.uri, got, tt.want)
		}
	}
}

// What is no file is not waited for.
func TestSpecialFiles(t *testing.T) {
	root := tree(t, "a")
	for _, name := range []string{"pipe", "linked"} {
		if err := syscall.Mkfifo(filepath.Join(root, name+".fifo"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("pipe.fifo", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	socket, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(socket)
	t.Chdir(root) // a socket's path is short
	if err := syscall.Bind(socket, &syscall.SockaddrUnix{Name: "socket"}); err != nil {
		t.Fatal(err)
	}
	r := rooted(t, "", root, "file:///dev/", "/dev")
	done := make(chan bool)
	go func() {
		defer close(done)
		for _, uri := range []string{"pipe.fifo", "link", "socket", "/dev/null", "/dev/zero", "/dev/tty"} {
			if got := outcome(t, r, uri); got != string(archive.LinkNotRegular) {
				t.Errorf("%q is %q, want %q", uri, got, archive.LinkNotRegular)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Fatal("opening waits")
	}
}

func TestLongNames(t *testing.T) {
	r := rooted(t, "", tree(t))
	if got := outcome(t, r, string(bytes.Repeat([]byte("a"), 5_000))); got != string(archive.LinkUnreadable) {
		t.Errorf("a name that no file can have is %q", got)
	}
}

// Files larger than any memory: a range at the start reads that, and all of a large file is hashed in constant memory.
func TestLargeFiles(t *testing.T) {
	root := tree(t)
	sparse := func(name string, size int64) {
		write(t, filepath.Join(root, name), "first\n")
		if err := os.Truncate(filepath.Join(root, name), size); err != nil {
			t.Skipf("no sparse files here: %v", err)
		}
	}
	const whole = 128 << 20
	sparse("huge", 1<<40)
	sparse("large", whole)
	hash := sha256.New()
	hash.Write([]byte("first\n"))
	zeros := make([]byte, 1<<20)
	for left := whole - len("first\n"); left > 0; left -= len(zeros) {
		hash.Write(zeros[:min(left, len(zeros))])
	}
	link := func(uri, lines string, sum []byte) string {
		return fmt.Sprintf(`{"type":"file","uri":%q,"digest":"sha256:%x"%s}`, uri, sum, lines)
	}
	first := sha256.Sum256([]byte("first\n"))
	input := fmt.Sprintf(`{"frames":[{"id":"a","provenance":[%s,%s]}],"truncated":false}`,
		link("huge", `,"range":"L1"`, first[:]), link("large", "", hash.Sum(nil)))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := (&archive.Verifier{Files: rooted(t, "", root)}).VerifyReader(context.Background(), "test", bytes.NewReader([]byte(input)))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Summary.Provenance[archive.LinkMatch]; got != 2 {
		t.Errorf("%v, want 2 that match: %+v", r.Summary.Provenance, r.Answers[0].Frames[0].Provenance)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were allocated for a file of %d", grown, whole)
	}
}
