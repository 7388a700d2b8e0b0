package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// An output is where the data of a command goes: standard output, or a file that stands in its place only when it is whole.
type output struct {
	*bufio.Writer
	name string
	file *fileio.File // nil for standard output
}

const outputBuffer = 64 << 10

// create begins the output that -o names; "" and - are standard output. What keeps a file from being written is found here,
// before any work is done.
func (env *environment) create(ctx context.Context, path string) (*output, error) {
	return env.createFor(ctx, "-o", path)
}

// createFor begins the output that a flag names.
func (env *environment) createFor(ctx context.Context, flag, path string) (*output, error) {
	if path == "" || path == standardInput {
		return &output{Writer: bufio.NewWriterSize(env.stdout, outputBuffer), name: "standard output"}, nil
	}
	file, err := fileio.Create(ctx, path)
	if err != nil {
		return nil, cannotCreate(flag, path, err)
	}
	file.Postpone()
	return &output{Writer: bufio.NewWriterSize(file, outputBuffer), name: fmt.Sprintf("%q", path), file: file}, nil
}

// cannotCreate says why the file that a flag names cannot be begun, and what helps.
func cannotCreate(flag, path string, err error) *failure {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return misuse("%s: %q is a directory, want a file", flag, path)
	}
	f := misuse("%s: %w", flag, err)
	folder := filepath.Dir(path)
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
		f.hint("the folder %q is not there: make it first", folder)
	}
	return f
}

// finish makes the output whole without putting it in its place.
func (o *output) finish() error {
	err := o.Flush()
	if err == nil && o.file != nil {
		err = o.file.Finish()
	}
	if err != nil {
		return cannotWrite(o.name, err)
	}
	return nil
}

// commit puts the output in its place.
func (o *output) commit() error {
	err := o.Flush()
	if err == nil && o.file != nil {
		err = o.file.Commit()
	}
	if err != nil {
		return cannotWrite(o.name, err)
	}
	return nil
}

// discard drops an output that was not committed.
func (o *output) discard() {
	if o.file != nil {
		o.file.Discard()
	}
}

// addOutput adds the flag -o, which may name no file that the command reads but those of inPlace.
func addOutput(cmd *cobra.Command, env *environment, path *string, inPlace ...string) {
	guard(cmd, env, inPlace...)
	cmd.Flags().StringVarP(path, "output", "o", "", "write to `FILE` instead of standard output; whole or not at all")
}

// writeWhole writes a file, and the folders that it lies in.
func writeWhole(ctx context.Context, path string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	file, err := fileio.Create(ctx, path)
	if err != nil {
		return err
	}
	defer file.Discard()
	if _, err := file.Write(text); err != nil {
		return err
	}
	return file.Commit()
}
