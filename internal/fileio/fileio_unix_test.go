//go:build unix

package fileio_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

func link(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}

func isLink(t *testing.T, name string) bool {
	t.Helper()
	info, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()&fs.ModeSymlink != 0
}

// What a link leads to is replaced, or made; the link stays.
func TestCreateThroughLinks(t *testing.T) {
	dir := t.TempDir()
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(below, "there"), "old", 0o644)
	link(t, "below/there", filepath.Join(dir, "relative"))
	link(t, filepath.Join(dir, "relative"), filepath.Join(dir, "absolute"))
	link(t, "../new", filepath.Join(below, "up"))
	link(t, "below/up", filepath.Join(dir, "dangling"))
	tests := []struct{ name, target string }{
		{"relative", "below/there"}, {"absolute", "below/there"}, {"dangling", "new"},
	}
	for _, tt := range tests {
		if err := begin(t, filepath.Join(dir, tt.name), tt.name).Commit(); err != nil {
			t.Fatal(err)
		}
		if !isLink(t, filepath.Join(dir, tt.name)) || isLink(t, filepath.Join(dir, tt.target)) {
			t.Errorf("%s: the link was replaced", tt.name)
		}
		if got := read(t, filepath.Join(dir, tt.target)); got != tt.name {
			t.Errorf("%s: %s holds %q, want %q", tt.name, tt.target, got, tt.name)
		}
	}
	link(t, "circle", filepath.Join(dir, "circle"))
	if _, err := fileio.Create(context.Background(), filepath.Join(dir, "circle")); err == nil {
		t.Error("Create through a link to itself = nil, want an error")
	}
	link(t, "nowhere", filepath.Join(dir, "secret"))
	if err := fileio.WriteNew(filepath.Join(dir, "secret"), nil, 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("WriteNew through a dangling link = %v, want %v", err, fs.ErrExist)
	}
}

// A device is written to. Renamed over it, a file would take its place for everybody on the machine.
func TestCreateDevice(t *testing.T) {
	for _, name := range []string{os.DevNull, filepath.Join(t.TempDir(), "link")} {
		if name != os.DevNull {
			link(t, os.DevNull, name)
		}
		before, err := os.Stat(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		if err := begin(t, name, "x").Commit(); err != nil {
			t.Error(err)
		}
		begin(t, name, "x").Discard()
		after, err := os.Stat(os.DevNull)
		if err != nil || !os.SameFile(before, after) || after.Mode()&fs.ModeCharDevice == 0 {
			t.Fatalf("after writing to %s it is %v, want the device that it was", name, after.Mode())
		}
	}
}

func TestCreatePipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		data, err := os.ReadFile(name)
		if err != nil {
			data = []byte(err.Error())
		}
		got <- string(data)
	}()
	if err := begin(t, name, "through").Commit(); err != nil {
		t.Error(err)
	}
	if got := <-got; got != "through" {
		t.Errorf("the reader of the pipe got %q, want %q", got, "through")
	}
	if info, err := os.Lstat(name); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe is now %v, %v", info.Mode(), err)
	}
}

// A descriptor of this process is written at the offset where it stands, and stays open; the file behind it is not replaced.
func TestCreateDescriptor(t *testing.T) {
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	folders := []string{"/dev/fd/"}
	if _, err := os.Stat("/proc/self/fd"); err == nil {
		folders = append(folders, "/proc/self/fd/", "/dev/./fd/", fmt.Sprintf("/proc/%d/fd/", os.Getpid()))
	}
	want := ""
	for i, folder := range folders {
		name := fmt.Sprint(folder, out.Fd())
		if i%2 == 1 {
			link(t, name, filepath.Join(dir, "link"))
			name = filepath.Join(dir, "link")
		}
		fmt.Fprintf(out, "before %d\n", i)
		if err := begin(t, name, "data\n").Commit(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(out, "after %d\n", i)
		want += fmt.Sprintf("before %d\ndata\nafter %d\n", i, i)
		os.Remove(filepath.Join(dir, "link"))
	}
	if got := read(t, out.Name()); got != want {
		t.Errorf("the file holds %q, want %q", got, want)
	}
	if _, err := fileio.Create(context.Background(), "/dev/fd/987654"); err == nil {
		t.Error("Create of a descriptor that is not open = nil, want an error")
	}
}
