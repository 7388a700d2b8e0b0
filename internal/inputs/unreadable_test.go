//go:build linux

package inputs_test

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// asNobody gives up, on this thread and in this test, what lets root read every folder.
func asNobody(t *testing.T) {
	if os.Getuid() != 0 {
		return
	}
	runtime.LockOSThread()
	if err := syscall.Setfsuid(65534); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Setfsuid(0)
		runtime.UnlockOSThread()
	})
}

func mode(t *testing.T, perm os.FileMode, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.Chmod(name, perm); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(name, 0o777) })
	}
}

// A folder that cannot be read is an error in its place, and the walk goes on.
func TestUnreadable(t *testing.T) {
	plant(t, "d/a.json", "d/b/x.json", "d/c.json", "d/e/x.json", "d/f.json", "shut/x.json", "z.json")
	mode(t, 0o311, "d/b")
	mode(t, 0, "d/e", "d/f.json", "shut")
	mode(t, 0o755, ".", "..")
	asNobody(t)

	got := list(t, "d", "shut", "z.json")
	want := listing{Read: []string{"d/a.json", "d/c.json", "z.json"}, Unreadable: []string{"d/b", "d/e", "d/f.json", "shut"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	// A walk has not come by where it could not list: what lies there can be named.
	got = list(t, "d", "d/b/x.json", "d/b", "d/a.json")
	want = listing{Read: []string{"d/a.json", "d/c.json", "d/b/x.json"}, Unreadable: []string{"d/b", "d/e", "d/f.json"},
		Duplicates: []string{`d/b: read before: it lies in the folder "d"`, `d/a.json: read before: it lies in the folder "d"`}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What is no regular file is read where an argument names it, and ignored where a walk meets it.
func TestPipe(t *testing.T) {
	plant(t, "d/a.json")
	if err := syscall.Mkfifo("d/pipe.json", 0o666); err != nil {
		t.Fatal(err)
	}
	got := list(t, "d")
	if diff := cmp.Diff(listing{Read: []string{"d/a.json"}, Ignored: []string{"d/pipe.json"}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	writer, err := os.OpenFile("d/pipe.json", os.O_RDWR, 0) // reading does not wait
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	var names []string
	p := paths("d", "d/pipe.json", "d/pipe.json")
	for s := range p.Sources(t.Context()) {
		names = append(names, s.Name)
	}
	if diff := cmp.Diff([]string{"d/a.json", "d/pipe.json"}, names); diff != "" || len(p.Findings()) != 1 {
		t.Errorf("finds %v, sources (-want +got):\n%s", p.Findings(), diff)
	}
}
