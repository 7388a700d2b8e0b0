package fileio_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

func setTemp(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
}

// TestSpool: what was written is read back, however it was cut, and a file is there only for what does not fit in memory.
func TestSpool(t *testing.T) {
	const memory = fileio.SpoolMemory
	for _, sizes := range [][]int{
		nil, {0}, {1}, {memory}, {memory + 1}, {memory, 1}, {1, memory}, {memory, memory, 3}, {3 * memory, 5, 7}, {0, memory - 1, 1, 0, 1},
	} {
		dir := t.TempDir()
		setTemp(t, dir)
		var s fileio.Spool
		var want []byte
		for i, size := range sizes {
			p := bytes.Repeat([]byte{byte('a' + i)}, size)
			want = append(want, p...)
			if n, err := s.Write(p); n != size || err != nil {
				t.Fatalf("%v: Write = %d, %v", sizes, n, err)
			}
			clear(p) // it is the caller's again
		}
		if s.Size() != int64(len(want)) {
			t.Errorf("%v: Size = %d, want %d", sizes, s.Size(), len(want))
		}
		left, err := os.ReadDir(dir)
		if err != nil || runtime.GOOS != "windows" && len(left) > 0 {
			t.Errorf("%v: %v, %v stand in the folder while it is written", sizes, left, err)
		}
		for range 2 {
			var got bytes.Buffer
			if n, err := s.WriteTo(&got); n != int64(len(want)) || err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%v: WriteTo = %d, %v, want %d bytes", sizes, n, err, len(want))
			}
		}
		if err := s.Close(); err != nil {
			t.Errorf("%v: Close: %v", sizes, err)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%v: %v, %v stand in the folder behind it", sizes, left, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%v: Close again: %v", sizes, err)
		}
	}
}

// TestSpoolErrors: where there is no folder for temporary files the error says what to do, and stays.
func TestSpoolErrors(t *testing.T) {
	setTemp(t, filepath.Join(t.TempDir(), "none"))
	var s fileio.Spool
	if _, err := s.Write(make([]byte, fileio.SpoolMemory)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := s.Write([]byte{1})
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("Write = %v, want one that names TMPDIR", err)
		}
	}
	if _, err := s.WriteTo(io.Discard); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("WriteTo = %v", err)
	}
	full := errors.New("full")
	var kept fileio.Spool
	kept.Write([]byte("x"))
	if _, err := kept.WriteTo(failing{full}); !errors.Is(err, full) {
		t.Errorf("WriteTo = %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
