// Package fileio writes files so that whoever opens one sees the old bytes or all of the new ones, never a part.
//
// [Create] begins a result, [File.Commit] puts it in its place. [WriteNew] creates a file that must not be there yet. [Lock] makes
// those who read a file to write it again wait for each other. [OpenLog] is for files that grow by whole lines.
//
// # Security
//
// Nothing here follows a name twice to decide what it is: what is replaced is the regular file that a name, through its
// symbolic links, led to. A device, a pipe or a descriptor of this process is written to and never replaced by a file, whoever
// asks for it. [WriteNew] opens with O_EXCL: it never writes to what somebody else put there, a dangling link included.
package fileio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// A File is a result under way. It is not safe for concurrent use.
type File struct {
	out    *os.File    // nil where a temporary file is not there yet
	target string      // what Commit replaces; "" where out is written straight through
	old    fs.FileInfo // of what it replaces, nil where there is nothing
	done   bool        // the temporary file is whole, durable and closed
	closed bool
}

const (
	maxLinks    = 40 // symbolic links from one name to its file, as on Linux
	maxAttempts = 100
)

// Create begins to write the file of this name. Where the name leads, through symbolic links, to a regular file or to nothing,
// the bytes go to a temporary file in the same folder until [File.Commit]. Everything else that is there (a device, a pipe, a
// descriptor such as /dev/stdout or /dev/fd/3) is opened and written straight through.
//
// Opening a pipe waits for its reader, until ctx ends.
func Create(ctx context.Context, name string) (*File, error) {
	target, err := follow(name)
	if err != nil {
		return nil, err
	}
	if fd, ok := descriptor(target); ok {
		out, err := duplicate(fd)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &File{out: out}, nil
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return begin(target, nil)
	case err != nil:
		return nil, err
	case info.Mode().IsRegular():
		return begin(target, info)
	}
	out, err := openThrough(ctx, target)
	if err != nil {
		return nil, err
	}
	return &File{out: out}, nil
}

// openThrough opens what is there and is no regular file. An open under way cannot be taken back: when ctx ends it is left behind.
func openThrough(ctx context.Context, name string) (*os.File, error) {
	var out *os.File
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, err = os.OpenFile(name, os.O_WRONLY, 0)
	}()
	select {
	case <-done:
		return out, err
	case <-ctx.Done():
		go func() {
			if <-done; err == nil {
				out.Close()
			}
		}()
		return nil, &fs.PathError{Op: "open", Path: name, Err: ctx.Err()}
	}
}

// follow returns what a name leads to when its last element is a symbolic link, also where nothing stands there yet. A link
// below /proc is no path to go on with: it is left as it is.
func follow(name string) (string, error) {
	target := name
	for range maxLinks {
		if _, ok := descriptor(target); ok {
			return target, nil
		}
		info, err := os.Lstat(target)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return target, nil // whatever err says, opening says it too
		}
		next, err := os.Readlink(target)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			next = filepath.Join(filepath.Dir(target), next)
		}
		target = next
	}
	return "", &fs.PathError{Op: "open", Path: name, Err: fmt.Errorf("more than %d symbolic links", maxLinks)}
}

func begin(target string, old fs.FileInfo) (*File, error) {
	f := &File{target: target, old: old}
	if err := f.createTemp(); err != nil {
		return nil, err
	}
	return f, nil
}

// Postpone removes the temporary file until there is something to write, so that a process that is killed in the work before that
// leaves nothing behind. That the file can be created is known already. Nothing may have been written.
func (f *File) Postpone() {
	if f.target != "" {
		f.removeTemp()
	}
}

// createTemp creates the temporary file that is to become target. The mode is that of the file it replaces; a new one has
// what the umask leaves.
func (f *File) createTemp() error {
	dir := filepath.Dir(f.target)
	for range maxAttempts {
		name := filepath.Join(dir, fmt.Sprintf(".cgp-attest-%016x.tmp", rand.Uint64()))
		out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return &fs.PathError{Op: "create", Path: f.target, Err: errors.Unwrap(err)}
		}
		f.out = out
		if f.old != nil {
			if err := out.Chmod(f.old.Mode().Perm()); err != nil {
				f.removeTemp()
				return err
			}
		}
		return nil
	}
	return &fs.PathError{Op: "create", Path: f.target, Err: errors.New("no free name for a temporary file")}
}

func (f *File) removeTemp() {
	f.out.Close()
	os.Remove(f.out.Name())
	f.out = nil
}

// Write implements io.Writer.
func (f *File) Write(p []byte) (int, error) {
	if f.out == nil {
		if err := f.createTemp(); err != nil {
			return 0, err
		}
	}
	return f.out.Write(p)
}

// Finish makes the bytes durable and leaves the old file as it is, so that of several files none is put in its place before all
// are whole. Nothing may be written behind it, and Commit or Discard must follow.
func (f *File) Finish() error {
	if f.target == "" || f.done {
		return nil
	}
	if f.out == nil {
		if err := f.createTemp(); err != nil {
			return err
		}
	}
	f.done = true
	return errors.Join(f.out.Sync(), f.out.Close())
}

// Commit makes the bytes durable and puts them in place of the file. Where it fails, the old file is as it was and the
// temporary one is gone. It may be called once.
func (f *File) Commit() error {
	if err := f.Finish(); err != nil {
		f.Discard()
		return err
	}
	f.closed = true
	if f.target == "" {
		return f.out.Close()
	}
	temp := f.out.Name()
	if err := os.Rename(temp, f.target); err != nil {
		os.Remove(temp)
		return err
	}
	return syncFolder(filepath.Dir(f.target))
}

// Discard drops the bytes and leaves the old file as it was. What was written straight through cannot be taken back. After
// Commit, and the second time, it does nothing.
func (f *File) Discard() {
	if f.closed {
		return
	}
	f.closed = true
	switch {
	case f.target == "":
		f.out.Close()
	case f.out != nil:
		f.removeTemp()
	}
}

// Same reports whether what is written to two names would end in one file.
func Same(a, b string) bool {
	a, errA := follow(a)
	b, errB := follow(b)
	if errA != nil || errB != nil {
		return false // whoever creates them hears of it
	}
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil || errB == nil {
		return errA == nil && errB == nil && os.SameFile(infoA, infoB)
	}
	same := filepath.Base(a) == filepath.Base(b)
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" { // most file systems there do not tell case apart
		same = strings.EqualFold(filepath.Base(a), filepath.Base(b))
	}
	infoA, errA = os.Stat(filepath.Dir(a))
	infoB, errB = os.Stat(filepath.Dir(b))
	return same && errA == nil && errB == nil && os.SameFile(infoA, infoB)
}

// WriteNew creates a file with the given permissions, less what the umask takes, writes data to it and makes it durable. What
// is there already, be it a dangling symbolic link, is an error that wraps fs.ErrExist and stays as it is. After any other
// error there is no file.
func WriteNew(name string, data []byte, perm fs.FileMode) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = out.Write(data)
	if err := errors.Join(err, out.Sync(), out.Close()); err != nil {
		os.Remove(name)
		return err
	}
	return syncFolder(filepath.Dir(name))
}

// syncFolder makes a new or replaced name durable. Windows knows no such call; a folder that may not be read, and a file system
// that refuses the call, leave it to chance: the file itself is whole either way.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
