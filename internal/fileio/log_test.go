package fileio_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

func openLog(t *testing.T, name string) *fileio.Log {
	t.Helper()
	l, err := fileio.OpenLog(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func appendTo(t *testing.T, l *fileio.Log, lines string) {
	t.Helper()
	if err := l.Append(context.Background(), []byte(lines)); err != nil {
		t.Fatal(err)
	}
}

func TestLog(t *testing.T) {
	for _, row := range []struct{ name, before, want string }{
		{"new", "", "a\nb\n"},
		{"whole", "before\n", "before\na\nb\n"},
		{"cut", "before\ncu", "before\ncu\na\nb\n"},
		{"a line feed alone", "\n", "\na\nb\n"},
		{"a byte alone", "x", "x\na\nb\n"},
		{"what begins as zstd does", "P", "P\na\nb\n"},
	} {
		name := filepath.Join(t.TempDir(), "log")
		if row.before != "" {
			write(t, name, row.before, 0o644)
		}
		l := openLog(t, name)
		if got := read(t, name); got != row.before || !l.Durable() {
			t.Errorf("%s: opened, it holds %q, want %q", row.name, got, row.before)
		}
		appendTo(t, l, "a\n")
		appendTo(t, l, "b\n")
		if got := read(t, name); got != row.want {
			t.Errorf("%s: it holds %q, want %q", row.name, got, row.want)
		}
		if got, want := names(t, filepath.Dir(name)), []string{"log", "log.lock"}; !slices.Equal(got, want) {
			t.Errorf("%s: the folder holds %q, want %q", row.name, got, want)
		}
	}
}

// Lines behind compressed bytes could be read by nobody.
func TestLogCompressed(t *testing.T) {
	for name, head := range map[string]string{
		"gzip": "\x1f\x8b\x08\x00", "two bytes of gzip": "\x1f\x8b", "zstd": "\x28\xb5\x2f\xfd", "skippable zstd frame": "\x5a\x2a\x4d\x18\x00",
	} {
		file := filepath.Join(t.TempDir(), "log")
		write(t, file, head, 0o644)
		if _, err := fileio.OpenLog(context.Background(), file); !errors.Is(err, fileio.ErrCompressed) {
			t.Errorf("OpenLog of %s = %v, want %v", name, err, fileio.ErrCompressed)
		}
		if got := read(t, file); got != head {
			t.Errorf("%s: it holds %q, want %q", name, got, head)
		}
		later := filepath.Join(t.TempDir(), "log")
		l := openLog(t, later)
		write(t, later, head, 0o644)
		if err := l.Append(context.Background(), []byte("a\n")); !errors.Is(err, fileio.ErrCompressed) {
			t.Errorf("Append to %s = %v, want %v", name, err, fileio.ErrCompressed)
		}
		if got := read(t, later); got != head {
			t.Errorf("%s: it holds %q, want %q", name, got, head)
		}
	}
}

func TestOpenLogFails(t *testing.T) {
	dir := t.TempDir()
	if _, err := fileio.OpenLog(context.Background(), dir); err == nil {
		t.Error("OpenLog of a folder = nil, want an error")
	}
	if _, err := fileio.OpenLog(context.Background(), filepath.Join(dir, "missing", "log")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenLog in a missing folder = %v, want %v", err, fs.ErrNotExist)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder holds %q, want nothing", got)
	}
}

// A log that is moved away ends there, and a new one begins.
func TestLogMoved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "log")
	l := openLog(t, name)
	appendTo(t, l, "a\n")
	if err := os.Rename(name, name+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, l, "b\n")
	if old, fresh := read(t, name+".1"), read(t, name); old != "a\n" || fresh != "b\n" {
		t.Errorf("the old log holds %q, the new one %q, want a line each", old, fresh)
	}
}

// Whoever holds the lock is waited for, as long as ctx says.
func TestLogWaits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	l := openLog(t, name)
	unlock, err := fileio.Lock(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := l.Append(ctx, []byte("a\n")); !errors.Is(err, context.Canceled) || read(t, name) != "" {
		t.Errorf("Append under another's lock = %v, and the file holds %q", err, read(t, name))
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	appendTo(t, l, "b\n")
}

// Many writers lose nothing and mix nothing, each with its own opening of the file.
func TestLogShared(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	const writers, groups = 6, 30
	var group sync.WaitGroup
	for w := range writers {
		l := openLog(t, name)
		group.Go(func() {
			for g := range groups {
				line := fmt.Sprintf("%d-%d-%s\n", w, g, strings.Repeat("x", 100*g))
				if err := l.Append(context.Background(), []byte(line+line)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	next := make([]int, writers)
	lines := strings.Split(strings.TrimSuffix(read(t, name), "\n"), "\n")
	if len(lines) != 2*writers*groups {
		t.Fatalf("%d lines, want %d", len(lines), 2*writers*groups)
	}
	for i := 0; i < len(lines); i += 2 {
		var w, g int
		if _, err := fmt.Sscanf(lines[i], "%d-%d-", &w, &g); err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("%d-%d-%s", w, next[w], strings.Repeat("x", 100*g)); lines[i] != want || lines[i+1] != want {
			t.Fatalf("line %d is %.20q, then %.20q, want two of %.20q", i, lines[i], lines[i+1], want)
		}
		next[w]++
	}
}
