package archive_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
)

// compressions are the extensions of the files that are read as they were before they were compressed.
var compressions = []string{".gz", ".zst"}

// compressed returns the text compressed as the extension says.
func compressed(t testing.TB, extension string, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := corpus.Compress(&b, extension)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A compressed input is read as what it was: whole, in several members cut anywhere, from memory, a file and a pipe.
func TestScaleCompressed(t *testing.T) {
	for seed := range seeds(3) {
		w := writeCorpus(t, smallSpec(seed, 150<<10))
		third := len(w.text) / 3
		for _, extension := range compressions {
			members := slices.Concat(
				compressed(t, extension, w.text[:third]), compressed(t, extension, w.text[third:third]),
				compressed(t, extension, w.text[third:2*third]), compressed(t, extension, w.text[2*third:]))
			for name, text := range map[string][]byte{"one": compressed(t, extension, w.text), "four": members} {
				for _, n := range jobs {
					t.Run(fmt.Sprintf("seed %d, %s in %s, %d jobs", seed, extension, name, n), func(t *testing.T) {
						w.check(t, w.verify(t, bytes.NewReader(text), n))
						w.check(t, w.verify(t, fileOf(t, text), n))
						w.check(t, w.verify(t, pipeOf(t, text), n))
					})
				}
			}
		}
	}
}

// fileOf returns an open file with a text, whose name says nothing.
func fileOf(t *testing.T, text []byte) io.Reader {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// readByOthers returns what a reader of others makes of a compressed text up to its first fault.
func readByOthers(t *testing.T, extension string, text []byte) []byte {
	t.Helper()
	var in io.Reader
	var err error
	if extension == ".gz" {
		in, err = gzip.NewReader(bytes.NewReader(text))
	} else {
		in, err = zstd.NewReader(bytes.NewReader(text), zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(in)
	if err == nil {
		t.Fatal("the text is whole")
	}
	return out
}

// Of an input whose compression is cut or spoilt, everything stands in the report that can be decompressed in front of the fault.
func TestScaleCorruptCompression(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 5
	}
	for seed := range seeds(2) {
		w := writeCorpus(t, smallSpec(seed, 400<<10))
		for _, extension := range compressions {
			whole := compressed(t, extension, w.text)
			faulty := map[string][]byte{"spoilt at the end": slices.Clone(whole)}
			faulty["spoilt at the end"][len(whole)-2] ^= 1
			for part := 1; part < 8; part += step {
				faulty[fmt.Sprintf("cut at %d of 8", part)] = whole[:len(whole)*part/8]
			}
			faulty["without its last byte"] = whole[:len(whole)-1]
			for name, text := range faulty {
				there := int64(len(readByOthers(t, extension, text)))
				for _, n := range jobs {
					t.Run(fmt.Sprintf("seed %d, %s %s, %d jobs", seed, extension, name, n), func(t *testing.T) {
						r := w.verify(t, bytes.NewReader(text), n)
						w.checkFront(t, r, there, archive.ErrorCorruptCompression)
					})
				}
			}
		}
	}
}

func TestScaleCompressedFolder(t *testing.T) {
	dir := t.TempDir()
	spec := smallSpec(200, 60<<10)
	expected, err := corpus.Folder(dir, 6, spec, corpus.EveryOneThird)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range jobs {
		verifyFolder(t, dir, spec, expected, n)
	}
}
