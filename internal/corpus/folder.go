package corpus

import (
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

// Compression is how the files of a folder are stored.
type Compression int

const (
	Uncompressed  Compression = iota
	EveryOneThird             // in turn: as it is, with gzip, with zstd
)

// extensions are those that the files of a folder have in turn.
var extensions = []string{".ndjson", ".jsonl.gz", ".json.zst"}

// Folder writes files into a folder that exists: inputs of spec.Bytes each, before compression, with seeds that count up
// from spec.Seed. spec.Place is not told of anything.
func Folder(dir string, files int, spec Spec, c Compression) (*Expected, error) {
	all := newExpected()
	spec.Place = nil
	for i := range files {
		extension := extensions[0]
		if c == EveryOneThird {
			extension = extensions[i%len(extensions)]
		}
		e, err := writeFile(filepath.Join(dir, fmt.Sprintf("%06d%s", i, extension)), spec)
		if err != nil {
			return nil, err
		}
		all.Add(e)
		spec.Seed++
	}
	return all, nil
}

func writeFile(path string, spec Spec) (e *Expected, err error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	defer func() {
		if closed := file.Close(); err == nil && closed != nil {
			err = fmt.Errorf("corpus: %w", closed)
		}
	}()
	w, err := Compress(file, filepath.Ext(path))
	if err != nil {
		return nil, err
	}
	if e, err = Write(w, spec); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return e, nil
}

// Compress returns a writer that compresses as the extension of a file's name says, and writes as it is under any but .gz and
// .zst. Closing it does not close w.
func Compress(w io.Writer, extension string) (io.WriteCloser, error) {
	switch extension {
	case ".gz":
		return gzip.NewWriter(w), nil
	case ".zst":
		z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
		if err != nil {
			return nil, fmt.Errorf("corpus: %w", err)
		}
		return z, nil
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
