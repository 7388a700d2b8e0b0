package fileio_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

func write(t *testing.T, name, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, perm); err != nil { // the umask does not enter it
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// begin creates a file and writes text to it.
func begin(t *testing.T, name, text string) *fileio.File {
	t.Helper()
	f, err := fileio.Create(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.Write([]byte(text)); n != len(text) || err != nil {
		t.Fatalf("Write = %d, %v, want %d, nil", n, err, len(text))
	}
	return f
}

func TestCreate(t *testing.T) {
	for _, existing := range []bool{false, true} {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		if existing {
			write(t, name, "old", 0o640)
		}
		f := begin(t, name, "new")
		if existing {
			if got := read(t, name); got != "old" {
				t.Errorf("before Commit the file holds %q, want %q", got, "old")
			}
		} else if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("before Commit the file is there")
		}
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		f.Discard()
		if got := read(t, name); got != "new" {
			t.Errorf("after Commit the file holds %q, want %q", got, "new")
		}
		if got := names(t, dir); len(got) != 1 {
			t.Errorf("after Commit the folder holds %q, want the file alone", got)
		}
		if info, err := os.Stat(name); existing && runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
			t.Errorf("the new file has the mode %v, want the old one's, 0640", info.Mode())
		}
	}
}

func TestDiscard(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	write(t, name, "old", 0o644)
	f := begin(t, name, "new")
	f.Discard()
	f.Discard()
	if got := read(t, name); got != "old" {
		t.Errorf("after Discard the file holds %q, want %q", got, "old")
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("after Discard the folder holds %q, want the file alone", got)
	}
}

// What cannot take the place of the old file is gone, and the error is told.
func TestCommitFails(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "out")
	f := begin(t, name, "new")
	if err := os.Mkdir(name, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(name, "inside"), "", 0o644)
	if err := f.Commit(); err == nil {
		t.Error("Commit over a folder = nil, want an error")
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("the folder holds %q, want %q alone", got, "out")
	}
}

func TestCreateFails(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{dir, filepath.Join(dir, "missing", "out")} {
		if f, err := fileio.Create(context.Background(), name); err == nil {
			f.Discard()
			t.Errorf("Create(%q) = nil, want an error", name)
		}
	}
	if _, err := fileio.Create(context.Background(), filepath.Join(dir, "missing", "out")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Create in a missing folder = %v, want %v", err, fs.ErrNotExist)
	}
	if got := names(t, dir); len(got) != 0 {
		t.Errorf("the folder holds %q, want nothing", got)
	}
}

func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "key")
	if err := fileio.WriteNew(name, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := read(t, name); got != "secret" {
		t.Errorf("the file holds %q, want %q", got, "secret")
	}
	if info, err := os.Stat(name); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("the file has the mode %v, want 0600", info.Mode())
	}
	if err := fileio.WriteNew(name, []byte("other"), 0o600); !errors.Is(err, fs.ErrExist) {
		t.Errorf("WriteNew over a file = %v, want %v", err, fs.ErrExist)
	}
	if got := read(t, name); got != "secret" {
		t.Errorf("the old file holds %q, want %q", got, "secret")
	}
}

// After Finish the old file still stands; Commit puts the new one there, Discard leaves nothing.
func TestFinish(t *testing.T) {
	for _, commit := range []bool{true, false} {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		write(t, name, "old", 0o644)
		f := begin(t, name, "new")
		if err := f.Finish(); err != nil {
			t.Fatal(err)
		}
		if got := read(t, name); got != "old" || len(names(t, dir)) != 2 {
			t.Errorf("after Finish the file holds %q and the folder %q, want the old file and a temporary one", got, names(t, dir))
		}
		want := "old"
		if commit {
			want = "new"
			if err := f.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		f.Discard()
		if got := read(t, name); got != want || len(names(t, dir)) != 1 {
			t.Errorf("in the end the file holds %q and the folder %q, want %q alone", got, names(t, dir), want)
		}
	}
}

func TestSame(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "a", "", 0o644)
	write(t, "b", "", 0o644)
	if err := os.Mkdir("sub", 0o777); err != nil {
		t.Fatal(err)
	}
	rows := []struct {
		a, b string
		want bool
	}{
		{"a", "a", true}, {"a", "./sub/../a", true}, {"a", filepath.Join(dir, "a"), true}, {"a", "b", false}, {"a", "new", false},
		{"new", "./new", true}, {"new", filepath.Join(dir, "new"), true}, {"new", "other", false}, {"new", filepath.Join("sub", "new"), false},
		{filepath.Join("no", "new"), filepath.Join("no", "new"), false}, // neither can be created
	}
	if err := os.Symlink("new", "dangling"); err == nil {
		rows = append(rows, rows[0])
		rows[len(rows)-1].a, rows[len(rows)-1].b = "dangling", "new"
	}
	for _, tt := range rows {
		if got, back := fileio.Same(tt.a, tt.b), fileio.Same(tt.b, tt.a); got != tt.want || back != tt.want {
			t.Errorf("Same(%q, %q) = %v, the other way round %v, want %v", tt.a, tt.b, got, back, tt.want)
		}
	}
}
