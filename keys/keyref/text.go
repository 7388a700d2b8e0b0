package keyref

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/keys"
)

// openToOthers are the permissions that nobody but its owner may have on a file with a private key.
const openToOthers fs.FileMode = 0o077

// Text is what a reference leads to where that is a text. It is secret, unless it turns out to be a public key.
type Text struct {
	Reference Reference
	Bytes     []byte
	// Exposed is why the text must not be used as a private key, an error that wraps [ErrExposed]; nil if nothing is wrong. A
	// file is exposed where others than its owner may read or write it. On Windows this is not judged.
	Exposed error
}

// Read reads the text that a reference leads to, at most keys.MaxFile bytes of it. A variable is removed from the environment
// once it was read.
func Read(ctx context.Context, ref Reference, opt Options) (*Text, error) {
	text, err := read(ctx, ref, &opt)
	if err != nil {
		return nil, fmt.Errorf("keyref: %.128q: %w", ref, err)
	}
	return text, nil
}

func read(ctx context.Context, ref Reference, opt *Options) (*Text, error) {
	switch ref.Kind {
	case Environment:
		return readEnvironment(ref)
	case Path:
		return await(ctx, func() (*Text, error) { return readPath(ref) })
	case Descriptor:
		return await(ctx, func() (*Text, error) { return readDescriptor(ref) })
	case Stdin:
		if opt.Stdin == nil {
			return nil, errors.New("standard input is not at hand")
		}
		return await(ctx, func() (*Text, error) { return readFrom(ref, opt.Stdin) })
	}
	return nil, fmt.Errorf("%w: a key of the kind %q has no text", ErrMalformedReference, ref.Kind)
}

func readEnvironment(ref Reference) (*Text, error) {
	value, present := os.LookupEnv(ref.Name)
	if !present {
		return nil, ErrNotSet
	}
	if err := os.Unsetenv(ref.Name); err != nil {
		return nil, err
	}
	if value == "" {
		return nil, ErrEmpty
	}
	return &Text{Reference: ref, Bytes: []byte(value)}, nil
}

func readPath(ref Reference) (*Text, error) {
	in, err := os.Open(ref.Name)
	if err != nil {
		return nil, unwrapPath(err)
	}
	defer in.Close()
	info, err := in.Stat() // of the file that was opened, not of what the name leads to by now
	if err != nil {
		return nil, unwrapPath(err)
	}
	if info.IsDir() {
		return nil, errors.New("it is a directory, want a file")
	}
	text, err := readFrom(ref, in)
	if err != nil {
		return nil, err
	}
	if mode := info.Mode(); runtime.GOOS != "windows" && mode.IsRegular() && mode.Perm()&openToOthers != 0 {
		text.Exposed = fmt.Errorf("%w: its permissions are %04o, want 0600", ErrExposed, mode.Perm())
	}
	return text, nil
}

func readDescriptor(ref Reference) (*Text, error) {
	n, err := strconv.Atoi(ref.Name)
	if err != nil {
		return nil, fmt.Errorf("%w: %.20q is no number", ErrMalformedReference, ref.Name)
	}
	in, err := openDescriptor(n)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readFrom(ref, in)
}

func readFrom(ref Reference, in io.Reader) (*Text, error) {
	data, err := io.ReadAll(io.LimitReader(in, keys.MaxFile+1))
	if err != nil {
		return nil, unwrapPath(err)
	}
	if len(data) > keys.MaxFile {
		return nil, fmt.Errorf("%w: larger than %d bytes", keys.ErrTooLarge, keys.MaxFile)
	}
	return &Text{Reference: ref, Bytes: data}, nil
}

// unwrapPath takes the name of a file off an error that is told beside the name of the key.
func unwrapPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("%s: %w", path.Op, path.Err)
	}
	return err
}
