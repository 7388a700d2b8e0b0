//go:build unix

package fileio_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// A log is made and grows where its links lead, with what the umask leaves; the lock stands beside the log itself.
func TestLogThroughLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	link(t, filepath.Join("below", "log"), filepath.Join(dir, "link"))
	old := syscall.Umask(0o027)
	l := openLog(t, filepath.Join(dir, "link"))
	syscall.Umask(old)
	appendTo(t, l, "a\n")
	appendTo(t, openLog(t, filepath.Join(dir, "below", "log")), "b\n")
	target := filepath.Join(dir, "below", "log")
	if got := read(t, target); got != "a\nb\n" || !isLink(t, filepath.Join(dir, "link")) {
		t.Errorf("the log holds %q, want two lines, behind a link", got)
	}
	if got := fmt.Sprint(names(t, filepath.Dir(target))); got != "[log log.lock]" {
		t.Errorf("beside the log stand %s", got)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the log has the mode %v, %v, want 0640", info.Mode(), err)
	}
}

// A device, a pipe and a descriptor are written straight through, and nobody makes a lock for them.
func TestLogThrough(t *testing.T) {
	l := openLog(t, os.DevNull)
	appendTo(t, l, "a\n")
	if l.Durable() {
		t.Error("what a device takes is said to be durable")
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode()&fs.ModeCharDevice == 0 {
		t.Fatalf("%s is now %v, %v", os.DevNull, info.Mode(), err)
	}
	if _, err := os.Lstat(os.DevNull + ".lock"); err == nil {
		t.Error("a lock stands beside the device")
	}

	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan string)
	go func() {
		data, err := os.ReadFile(pipe)
		if err != nil {
			data = []byte(err.Error())
		}
		got <- string(data)
	}()
	l, err := fileio.OpenLog(context.Background(), pipe)
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, l, "a\n")
	appendTo(t, l, "b\n")
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if got := <-got; got != "a\nb\n" {
		t.Errorf("the reader of the pipe got %q", got)
	}

	out, err := os.Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	fmt.Fprint(out, "cut")
	appendTo(t, openLog(t, fmt.Sprintf("/dev/fd/%d", out.Fd())), "a\n")
	fmt.Fprint(out, "after\n")
	if got := read(t, out.Name()); got != "cuta\nafter\n" {
		t.Errorf("the file behind the descriptor holds %q", got)
	}
	if got := fmt.Sprint(names(t, dir)); got != "[out pipe]" {
		t.Errorf("the folder holds %s", got)
	}
}
