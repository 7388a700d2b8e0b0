package inputs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxNamed bounds how much of a path a detail repeats.
const maxNamed = 1024

// A place is an argument that leads to something.
type place struct {
	name string // as given
	real string // absolute, without symbolic links
	info fs.FileInfo

	index int // among the places that were read
}

// earlier holds the places that the arguments before have named. Its size is theirs: of what a walk has read nothing is kept.
// The zero value is empty.
type earlier struct {
	byPath map[string][]*place // by the real path in lower case
	count  int
}

func (e *earlier) add(p *place) {
	if e.byPath == nil {
		e.byPath = make(map[string][]*place)
	}
	p.index = e.count
	e.count++
	key := strings.ToLower(p.real)
	e.byPath[key] = append(e.byPath[key], p)
}

// at returns the place that was named by this real path, nil where none was. Spellings that differ in case alone are one path
// where they lead to one file.
func (e *earlier) at(real string, info func() (fs.FileInfo, error)) *place {
	for _, p := range e.byPath[strings.ToLower(real)] {
		if p.real == real {
			return p
		}
		if i, err := info(); err == nil && os.SameFile(i, p.info) {
			return p
		}
	}
	return nil
}

// covers reports whether what p names has been read already, because an argument before names the same or a folder whose walk
// comes by, and says so in words. The first such argument counts.
func (e *earlier) covers(p *place) (how string, ok bool) {
	first, inside := e.at(p.real, func() (fs.FileInfo, error) { return p.info, nil }), false
	if p.info.IsDir() || p.info.Mode().IsRegular() && IsInput(filepath.Base(p.real)) {
		for path, up := p.real, filepath.Dir(p.real); up != path && e.count > 0; path, up = up, filepath.Dir(up) {
			folder := e.at(up, func() (fs.FileInfo, error) { return os.Stat(up) })
			if folder != nil && (first == nil || folder.index < first.index) && listable(p.real, up) {
				first, inside = folder, true
			}
		}
	}
	switch {
	case first == nil:
		return "", false
	case inside:
		return fmt.Sprintf("read before: it lies in the folder %.*q", maxNamed, first.name), true
	case first.name == p.name:
		return "named before, and read once", true
	}
	return first.said(), true
}

// listable reports whether every folder from top down to the one that path lies in tells what it holds: one may be entered without
// being read, and then a walk of top does not come by.
func listable(path, top string) bool {
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		dir, err := os.Open(folder)
		if err != nil {
			return false
		}
		_, err = dir.Readdirnames(1)
		dir.Close()
		if err != nil || folder == top {
			return err == nil
		}
	}
}

// is reports whether what a walk meets was named by an argument before, and says so in words.
func (e *earlier) is(real string, entry fs.DirEntry) (how string, ok bool) {
	p := e.at(real, entry.Info)
	if p == nil {
		return "", false
	}
	return p.said(), true
}

func (p *place) said() string { return fmt.Sprintf("read before, named as %.*q", maxNamed, p.name) }

// realPath returns the path that a name leads to. Where that cannot be told it is the name itself, made absolute.
func realPath(name string) string {
	abs, err := filepath.Abs(name)
	if err != nil {
		return name
	}
	full := abs
	if runtime.GOOS != "windows" {
		// Abs cleans, and behind a symbolic link ".." is not where the spelling suggests; on Windows it is.
		if full = name; !filepath.IsAbs(name) {
			folder, err := os.Getwd()
			if err != nil {
				return abs
			}
			full = folder + string(filepath.Separator) + name
		}
	}
	if full, err = filepath.EvalSymlinks(full); err != nil {
		return abs
	}
	return full
}
