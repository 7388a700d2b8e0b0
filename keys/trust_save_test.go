package keys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// saveTo names, in the environment of a child process, the trust file that it is to add a key to, saveKey the key_id.
const (
	saveTo  = "CGP_ATTEST_TEST_SAVE_TO"
	saveKey = "CGP_ATTEST_TEST_SAVE_KEY"
)

func TestMain(m *testing.M) {
	if name := os.Getenv(saveTo); name != "" {
		if err := addKey(name, os.Getenv(saveKey)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func addKey(name, keyID string) error {
	key, err := ParsePublicKey([]byte(rfc8032Public))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return SaveChange(ctx, name, func(s *Store) error {
		_, err := s.Configure("docs", keyID, key, Window{})
		return err
	})
}

// child is this test binary, about to add a key.
func child(name, keyID string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), saveTo+"="+name, saveKey+"="+keyID)
	return cmd
}

func keyIDs(t *testing.T, name string) []string {
	t.Helper()
	s, err := LoadStore(name)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, k := range s.All() {
		ids = append(ids, k.KeyID)
	}
	return ids
}

// Writers at once, in several processes and in one, lose nothing.
func TestSaveChangeAtOnce(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trust.json")
	const processes, routines = 8, 8
	var running []*exec.Cmd
	done := make(chan error)
	var want []string
	for i := range processes {
		want = append(want, fmt.Sprint("process", i))
		cmd := child(name, want[len(want)-1])
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, cmd)
	}
	for i := range routines {
		keyID := fmt.Sprint("routine", i)
		want = append(want, keyID)
		go func() { done <- addKey(name, keyID) }()
	}
	for range routines {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for _, cmd := range running {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	slices.Sort(want)
	if got := keyIDs(t, name); !slices.Equal(got, want) {
		t.Errorf("held are %q, want %q", got, want)
	}
}

// Whoever waits for the lock stops waiting when he is told to, and nothing was written.
func TestSaveChangeWaits(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trust.json")
	err := SaveChange(context.Background(), name, func(s *Store) error {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		err := SaveChange(ctx, name, func(*Store) error { return errors.New("two writers at once") })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the second writer: %v, want that it waited in vain", err)
		}
		configure(t, s, "docs", "k", rfc8032Public, Window{})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := keyIDs(t, name); !slices.Equal(got, []string{"k"}) {
		t.Errorf("held are %q", got)
	}
}

func TestSaveChangeWritesNothing(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "trust.json")
	stop := errors.New("stop")
	change := func(s *Store) error {
		configure(t, s, "docs", "k", rfc8032Public, Window{})
		return stop
	}
	if err := SaveChange(context.Background(), name, change); !errors.Is(err, stop) {
		t.Errorf("SaveChange = %v, want %v", err, stop)
	}
	if err := SaveChange(context.Background(), name, func(*Store) error { return nil }); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file came to be: %v", err)
	}
	// A file that does not load is left as it is, and so is one that a person wrote, where nothing in it changed.
	for _, file := range []string{"trust/unknown_member.json", "trust/good/unsorted.json"} {
		data := testFile(t, file)
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		called := false
		err := SaveChange(context.Background(), name, func(*Store) error { called = true; return nil })
		var f *TrustFault
		if bad := strings.HasPrefix(file, "trust/unknown"); bad != errors.As(err, &f) || bad == called {
			t.Errorf("%s: SaveChange = %v, change was called: %v", file, err, called)
		}
		if got := readFile(t, name); !bytes.Equal(got, data) {
			t.Errorf("%s was written: %s", file, got)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("in the folder stand %v, %v, want the file and its lock", entries, err)
	}
}

func TestLoadStore(t *testing.T) {
	dir := t.TempDir()
	if s, err := LoadStore(filepath.Join(dir, "missing.json")); s != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v, %v", s, err)
	}
	if s, err := LoadStore(dir); s != nil || err == nil {
		t.Errorf("a folder: %v, %v", s, err)
	}
	large := filepath.Join(dir, "large.json")
	if err := os.WriteFile(large, bytes.Repeat([]byte(" "), 3*MaxTrustFile), 0o600); err != nil {
		t.Fatal(err)
	}
	var f *TrustFault
	if s, err := LoadStore(large); s != nil || !errors.As(err, &f) || f.Rule != RuleTooLarge {
		t.Errorf("a large file: %v, %v", s, err)
	}
	if s, err := LoadStore("testdata/trust/good/pinned.json"); err != nil || s.Len() != 17 {
		t.Errorf("a good file: %v, %v", s, err)
	}
}

// A symbolic link stays one, two names of one file have one lock, and the file keeps its permissions.
func TestSaveChangeThroughLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege")
	}
	dir := t.TempDir()
	name, link := filepath.Join(dir, "trust.json"), filepath.Join(dir, "link.json")
	if err := os.Symlink("trust.json", link); err != nil {
		t.Fatal(err)
	}
	if err := addKey(link, "a"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	err := SaveChange(context.Background(), link, func(*Store) error {
		ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
		defer cancel()
		return SaveChange(ctx, name, func(*Store) error { return nil })
	})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("two names are locked at once: %v", err)
	}
	if err := addKey(link, "b"); err != nil {
		t.Fatal(err)
	}
	if got := keyIDs(t, name); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("held are %q", got)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link became %v, %v", info, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file has %v, %v", info, err)
	}
}

// What keeps a trust file from being read or written is told, and nothing stands in its place.
func TestSaveFails(t *testing.T) {
	dir := t.TempDir()
	if s, err := LoadStore(dir); s != nil || err == nil {
		t.Errorf("LoadStore(a folder) = %v, %v, want an error", s, err)
	}
	s := &Store{}
	configure(t, s, "docs", "k", rfc8032Public, Window{})
	name := filepath.Join(dir, "none", "trust.json")
	if err := SaveStore(name, s); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("SaveStore(in a folder that is not there) = %v", err)
	}
	if runtime.GOOS == "linux" {
		if err := SaveStore("/dev/full", s); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("SaveStore(where nothing can be written) = %v, want %v", err, syscall.ENOSPC)
		}
	}
	name = filepath.Join(dir, "trust.json")
	var f *TrustFault
	err := SaveChange(context.Background(), name, func(s *Store) error {
		configure(t, s, strings.Repeat("x", MaxTrustFile), "k", rfc8032Public, Window{})
		return nil
	})
	if !errors.As(err, &f) || f.Rule != RuleTooLarge {
		t.Errorf("SaveChange(to what is too large) = %v, want %s", err, RuleTooLarge)
	}
	if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file came to be: %v", err)
	}
}
