package fileio_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// TestPostpone: between Postpone and the first byte the folder is as it was, and then all goes as it does without.
func TestPostpone(t *testing.T) {
	for _, row := range []struct {
		name, before, text string
		commit             bool
		want               string
	}{
		{"new", "", "new", true, "new"},
		{"replaced", "old", "new", true, "new"},
		{"nothing written", "old", "", true, ""},
		{"discarded", "old", "", false, "old"},
		{"discarded after a byte", "old", "n", false, "old"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "out")
		files := 0
		if row.before != "" {
			files = 1
			if err := os.WriteFile(name, []byte(row.before), 0o604); err != nil {
				t.Fatal(err)
			}
		}
		f, err := fileio.Create(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		f.Postpone()
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != files {
			t.Errorf("%s: the folder holds %v, %v, want %d files", row.name, entries, err, files)
		}
		if row.text != "" {
			if _, err := f.Write([]byte(row.text)); err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
		}
		if row.commit {
			if err := f.Commit(); err != nil {
				t.Errorf("%s: %v", row.name, err)
			}
		}
		f.Discard()
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%s: the folder holds %v, %v, want one file", row.name, entries, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != row.want {
			t.Errorf("%s: the file holds %q, %v, want %q", row.name, got, err, row.want)
		}
	}
}

// What is written straight through is not touched.
func TestPostponeThrough(t *testing.T) {
	f, err := fileio.Create(context.Background(), os.DevNull)
	if err != nil {
		t.Skip(err)
	}
	f.Postpone()
	if _, err := f.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if err := f.Commit(); err != nil {
		t.Error(err)
	}
}
