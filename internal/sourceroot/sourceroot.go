// Package sourceroot opens the files that links of provenance name (CGP §6.2), under folders that stand for the beginnings of
// uris: Add gives a folder, Open opens a file of one.
//
// # Security
//
// A uri comes from whoever made the answer. Nothing outside the folders is opened: neither .. nor a symbolic link leads out, and
// os.Root sees to it that this holds while others change the folder. What is no regular file is not opened for reading. A mount
// point inside a folder is a part of it, and a hard link cannot be told from the file.
package sourceroot

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Roots are folders that stand for the beginnings of uris. The zero value has none. Once they are added, Open may be called from
// several goroutines at once.
type Roots struct {
	list []root // the longest prefix first
}

var _ archive.Files = (*Roots)(nil)

type root struct {
	prefix address
	every  bool // for relative references, and for what of the scheme file no prefix begins
	dir    *os.Root
}

// ErrPrefix is a prefix that no uri begins with, or one that was added before.
var ErrPrefix = errors.New("sourceroot: no prefix of uris")

// Add opens a folder that stands for every uri that begins with prefix, up to the end of a name: file:///repo stands for
// file:///repo/a and not for file:///repository. The prefix "" is that of relative references and of uris of the scheme file on
// this machine. Errors are ErrPrefix and those of the file system.
func (r *Roots) Add(prefix, dir string) error {
	added := root{every: prefix == ""}
	if !added.every {
		a, refused := parseAddress(prefix)
		if refused != nil {
			return fmt.Errorf("%w: %.128q: %s", ErrPrefix, prefix, refused.Detail)
		}
		added.prefix = a
	}
	for i := range r.list {
		if old := &r.list[i]; old.every == added.every && old.prefix.same(&added.prefix) {
			return fmt.Errorf("%w: %.128q was given before, for %q", ErrPrefix, prefix, old.dir.Name())
		}
	}
	var err error
	if added.dir, err = os.OpenRoot(dir); err != nil {
		return fmt.Errorf("sourceroot: %w", err)
	}
	r.list = append(r.list, added)
	slices.SortStableFunc(r.list, func(a, b root) int { return cmp.Compare(b.rank(), a.rank()) })
	return nil
}

// rank orders roots by the length of their prefixes.
func (r *root) rank() int {
	if r.every {
		return -1
	}
	return len(r.prefix.names)
}

func (a *address) same(b *address) bool {
	rest, is := a.below(b)
	return is && len(rest) == 0
}

// Close gives the folders back.
func (r *Roots) Close() error {
	var errs []error
	for i := range r.list {
		errs = append(errs, r.list[i].dir.Close())
	}
	return errors.Join(errs...)
}

// Open implements archive.Files. The longest prefix counts, also where its folder lacks a file that another one has.
func (r *Roots) Open(uri string) (io.ReadCloser, error) {
	a, refused := parseAddress(uri)
	if refused != nil {
		return nil, refused
	}
	for i := range r.list {
		if names, is := r.list[i].holds(&a); is {
			return r.list[i].open(names, a.folder)
		}
	}
	switch {
	case a.scheme != "" && a.scheme != schemeFile:
		return nil, refuse(archive.LinkUnsupportedScheme, "scheme %.32q, and no source root is given for it", a.scheme)
	case a.authority != "":
		return nil, refuse(archive.LinkForeignHost, "host %.128q, and no source root is given for it", a.authority)
	}
	return nil, refuse(archive.LinkOutsideRoots, "the uri begins with no prefix that a source root is given for")
}

// holds returns the names of a file below the folder, and whether the folder stands for it.
func (r *root) holds(a *address) ([]string, bool) {
	if r.every {
		return a.names, a.authority == "" && (a.scheme == "" || a.scheme == schemeFile)
	}
	return a.below(&r.prefix)
}

// open opens a regular file. One that is replaced between the look and the opening is looked at again, and opening never waits.
func (r *root) open(names []string, folder bool) (io.ReadCloser, error) {
	path, refused := localPath(names, runtime.GOOS)
	if refused != nil {
		return nil, refused
	}
	info, err := r.dir.Stat(path)
	if err != nil {
		return nil, r.fault(path, err)
	}
	if folder || !info.Mode().IsRegular() {
		return nil, r.notRegular(path)
	}
	file, err := r.dir.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, r.fault(path, err)
	}
	if info, err = file.Stat(); err == nil && info.Mode().IsRegular() {
		return file, nil
	}
	file.Close()
	if err != nil {
		return nil, r.fault(path, err)
	}
	return nil, r.notRegular(path)
}

// localPath joins names as the system goos joins them, and refuses those that it does not keep apart from others.
func localPath(names []string, goos string) (string, *archive.FileError) {
	if len(names) == 0 {
		return ".", nil
	}
	if first := names[0]; len(first) == 2 && strings.ContainsAny(first[1:], ":|") && isScheme(first[:1]) {
		return "", refuse(archive.LinkUnaddressable, "the drive letter %q: a prefix with it says which folder stands for it", first)
	}
	path, err := filepath.Localize(strings.Join(names, "/"))
	if err != nil {
		return "", refuse(archive.LinkUnaddressable, "this system has no such path: %v", err)
	}
	for _, name := range names {
		if goos == "windows" && strings.TrimRight(name, ". ") != name {
			return "", refuse(archive.LinkUnaddressable, "the name %.64q ends in a dot or a space, which this system leaves out", name)
		}
	}
	return path, nil
}

func (r *root) notRegular(path string) error {
	return refuse(archive.LinkNotRegular, "%.128q in source root %.128q", path, r.dir.Name())
}

// fault says what an error of the file system means for a link. An error that is not the system's is os.Root's own: it was led
// out.
func (r *root) fault(path string, err error) error {
	var system syscall.Errno
	switch isSystem := errors.As(err, &system); {
	case errors.Is(err, fs.ErrNotExist), isSystem && system == syscall.ENOTDIR:
		return missing{fmt.Sprintf("%.128q does not exist in source root %.128q", path, r.dir.Name())}
	case isSystem:
		return refuse(archive.LinkUnreadable, "%.128q in source root %.128q: %v", path, r.dir.Name(), system)
	case errors.Is(err, fs.ErrClosed):
		return err
	}
	return refuse(archive.LinkOutsideRoots, "a symbolic link on the way to %.128q leads out of source root %.128q, or is absolute",
		path, r.dir.Name())
}

// missing is an error that is fs.ErrNotExist.
type missing struct{ text string }

func (m missing) Error() string        { return m.text }
func (m missing) Is(target error) bool { return target == fs.ErrNotExist }
