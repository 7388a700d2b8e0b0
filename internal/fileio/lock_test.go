package fileio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// One holder at a time, whoever asks first; the file itself is neither made nor touched.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	var group sync.WaitGroup
	holders, most := 0, 0
	var mu sync.Mutex
	count := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		holders += n
		most = max(most, holders)
	}
	for range 8 {
		group.Go(func() {
			unlock, err := Lock(context.Background(), name)
			if err != nil {
				t.Error(err)
				return
			}
			count(1)
			time.Sleep(time.Millisecond)
			count(-1)
			if err := unlock(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if most != 1 {
		t.Errorf("%d holders at once, want 1", most)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 || entries[0].Name() != "file.lock" {
		t.Errorf("in the folder stand %v, %v, want the lock alone", entries, err)
	}
}

func TestLockWaitsAsLongAsToldTo(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	unlock, err := Lock(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock = %v, want %v", err, context.DeadlineExceeded)
	}
	if err := unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := Lock(context.Background(), name)
	if err != nil {
		t.Fatal(err)
	}
	again()
	if _, err := Lock(context.Background(), filepath.Join(t.TempDir(), "nowhere", "file")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a folder that is not there: %v", err)
	}
	folder := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{folder, os.DevNull} {
		if _, err := Lock(context.Background(), name); err == nil {
			t.Errorf("%s was locked", name)
		}
		if _, err := os.Stat(name + ".lock"); err == nil {
			t.Errorf("beside %s stands a lock", name)
		}
	}
}
