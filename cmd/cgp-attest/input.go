package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
)

// standardInput is the argument that stands for standard input, and for standard output where a file is written.
const standardInput = "-"

// claimStdin gives standard input to one argument or flag. It can be read once.
func (env *environment) claimStdin(name string) error {
	if env.stdinTakenFor != "" {
		return misuse("standard input is wanted twice: for %s and for %s", env.stdinTakenFor, name).
			hint("name a file for one of them")
	}
	env.stdinTakenFor = name
	return nil
}

// claimStdinAmong gives standard input to the argument PATH that names it, if one does.
func (env *environment) claimStdinAmong(paths []string) error {
	for _, path := range paths {
		if path == standardInput {
			if err := env.claimStdin("PATH"); err != nil {
				return err
			}
		}
	}
	return nil
}

// open opens an input: a path, or standard input for -. What waits for a person or another process ends when ctx does, also where
// opening is what waits.
func (env *environment) open(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == standardInput {
		return interruptible(ctx, func() (io.ReadCloser, error) { return io.NopCloser(env.stdin), nil }), nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return interruptible(ctx, func() (io.ReadCloser, error) { return os.Open(path) }), nil
	}
	file, _, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return file, nil
}

// openFile opens what a path names and is no folder.
func openFile(path string) (*os.File, fs.FileInfo, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: errors.New("is a directory, want a file")}
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// interruptible returns a reader of what open opens that gives the error of ctx as soon as there is one. An open or a read under
// way cannot be taken back: it is left behind.
func interruptible(ctx context.Context, open func() (io.ReadCloser, error)) io.ReadCloser {
	out, feed := io.Pipe()
	context.AfterFunc(ctx, func() { feed.CloseWithError(ctx.Err()) })
	go func() {
		in, err := open()
		if err == nil {
			_, err = io.Copy(feed, in)
			in.Close()
		}
		feed.CloseWithError(err)
	}()
	return out
}

// source makes an input of a path for the library.
func (env *environment) source(ctx context.Context, path string) archive.Source {
	return archive.Source{Name: path, Open: func() (io.ReadCloser, error) { return env.open(ctx, path) }}
}

// maxInput bounds what is held in memory as a whole: the input of a command that writes it again, a request, its signatures.
const maxInput = 1 << 30

// readAll reads all of an input of at most maxInput bytes, decompressed where it is compressed.
func (env *environment) readAll(ctx context.Context, path string) ([]byte, error) {
	in, err := env.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	plain := archive.Decompress(in, archive.Limits{})
	defer plain.Close()
	data, err := readLimit(path, plain, maxInput)
	var damaged *archive.RecordError
	if errors.As(err, &damaged) {
		err = errors.New(recordText(damaged))
	}
	return data, err
}

// readRaw reads all of an input of at most maxInput bytes as it stands: to write it again, or because it is no text.
func (env *environment) readRaw(ctx context.Context, path string) ([]byte, error) {
	in, err := env.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readLimit(path, in, maxInput)
}

// readSmall reads a file that a flag or an argument of this name names: a key, a list of keys. Where that fails nothing was
// judged.
func (env *environment) readSmall(ctx context.Context, name, path string) ([]byte, error) {
	if path == standardInput {
		if err := env.claimStdin(name); err != nil {
			return nil, err
		}
	}
	data, err := env.readLimited(ctx, path)
	if err != nil {
		return nil, misuse("%s: %w", name, err)
	}
	return data, nil
}

// readLimited reads an input of at most keys.MaxFile bytes: no key, list of keys or attestation is larger.
func (env *environment) readLimited(ctx context.Context, path string) ([]byte, error) {
	in, err := env.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readLimit(path, in, keys.MaxFile)
}

func readLimit(path string, in io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%q is larger than %d bytes", path, limit)
	}
	return data, err
}

// shellQuote returns a path as a POSIX shell reads it back.
func shellQuote(path string) string {
	plain := func(r rune) bool {
		return r == '/' || r == '.' || r == '_' || r == '-' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z'
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 && path != "" {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
