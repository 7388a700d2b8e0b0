// Package inputs turns the paths that a command line names into the inputs that the library reads, one after the other.
//
// [Paths.Sources] gives them lazily: files, standard input, and what lies in folders, walked in name order. [Paths.Tell] says
// afterwards what was passed over on the way. Neither keeps the names of more than one folder on each level of the walk.
//
// # Security
//
// A symbolic link is followed where an argument names it and nowhere else, so a walk stays in the folder and ends. What a walk
// skips is counted and named: a report never passes over a file in silence. Two names of one path are told apart from two files
// by the paths that they lead to, so that nobody's answers count twice; copies and hard links are files of their own.
package inputs

import (
	"context"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Stdin is the argument that stands for standard input.
const Stdin = "-"

var (
	endings      = []string{".json", ".ndjson", ".jsonl"}
	compressions = []string{".gz", ".zst"}
)

// IsInput reports whether a file of this name, without its folder, is read where it lies in a folder: *.json, *.ndjson and
// *.jsonl, each also with .gz or .zst behind it. Case counts.
func IsInput(name string) bool {
	for _, c := range compressions {
		if bare, ok := strings.CutSuffix(name, c); ok {
			name = bare
			break
		}
	}
	for _, e := range endings {
		if strings.HasSuffix(name, e) {
			return true
		}
	}
	return false
}

// Paths are the paths of one command line. It is not safe for concurrent use.
type Paths struct {
	Args []string // files, folders, Stdin
	// Open opens a file by the name that its Source has: an argument, or a path below one.
	Open func(name string) (io.ReadCloser, error)

	earlier  earlier
	ignored  uint64
	first    []string // of what was ignored
	findings []archive.InputFinding
}

// Sources gives the inputs in the order of the arguments, those of a folder in name order. A file that an argument names is an
// input whatever its name; in a folder [IsInput] and being a regular file decide. What cannot be read, a folder too, is a Source
// whose Open says why. When ctx ends in the midst of a folder, the last Source is one whose reader gives the error of ctx.
// Sources may be ranged over again: what was passed over is then counted anew.
func (p *Paths) Sources(ctx context.Context) iter.Seq[archive.Source] {
	return func(yield func(archive.Source) bool) {
		p.earlier, p.ignored, p.first, p.findings = earlier{}, 0, nil, nil
		for _, arg := range p.Args {
			if !p.argument(ctx, arg, yield) {
				return
			}
		}
	}
}

// Ignored returns how many files were passed over because they were no inputs, and the first archive.MaxIgnoredNamed of them.
func (p *Paths) Ignored() (n uint64, first []string) { return p.ignored, p.first }

// Findings returns what was found about the inputs themselves: paths that were read before.
func (p *Paths) Findings() []archive.InputFinding { return p.findings }

// Tell adds what was passed over to the summary of the run that has read the sources.
func (p *Paths) Tell(s *archive.Summary) {
	for _, f := range p.findings {
		s.FindInput(f.Source, f.Code, f.Detail)
	}
	for _, name := range p.first {
		s.Ignore(name)
	}
	s.IgnoredFiles += p.ignored - uint64(len(p.first))
}

// argument gives the inputs of one argument, and reports whether more are wanted.
func (p *Paths) argument(ctx context.Context, arg string, yield func(archive.Source) bool) bool {
	if arg == Stdin {
		return yield(p.file(arg))
	}
	info, err := os.Stat(arg)
	if err != nil {
		return yield(p.file(arg)) // opening it says what is wrong
	}
	place := &place{name: arg, real: realPath(arg), info: info}
	if before, ok := p.earlier.covers(place); ok {
		p.duplicate(arg, before)
		return true
	}
	p.earlier.add(place)
	if !info.IsDir() {
		return yield(p.file(arg))
	}
	return p.walk(ctx, filepath.FromSlash(arg), place.real, yield)
}

// walk gives the inputs below a folder, whose path without symbolic links is real.
func (p *Paths) walk(ctx context.Context, name, real string, yield func(archive.Source) bool) bool {
	entries, err := os.ReadDir(name)
	if err != nil && !yield(failing(name, err)) {
		return false
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			yield(archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return ended{err}, nil }})
			return false
		}
		below, realBelow := below(name, e.Name()), filepath.Join(real, e.Name())
		if before, ok := p.earlier.is(realBelow, e); ok {
			p.duplicate(below, before)
			continue
		}
		switch {
		case e.IsDir():
			if !p.walk(ctx, below, realBelow, yield) {
				return false
			}
		case e.Type().IsRegular() && IsInput(e.Name()):
			if !yield(p.file(below)) {
				return false
			}
		default:
			p.ignore(below)
		}
	}
	return true
}

// below joins a folder as its argument spells it with the name of what lies in it. It cleans nothing: behind a symbolic link
// ".." is not where the spelling suggests.
func below(folder, name string) string {
	if last := folder[len(folder)-1]; os.IsPathSeparator(last) || folder == filepath.VolumeName(folder) {
		return folder + name
	}
	return folder + string(filepath.Separator) + name
}

func (p *Paths) file(name string) archive.Source {
	return archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return p.Open(name) }}
}

func failing(name string, err error) archive.Source {
	return archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return nil, err }}
}

func (p *Paths) ignore(name string) {
	p.ignored++
	if len(p.first) < archive.MaxIgnoredNamed {
		p.first = append(p.first, name)
	}
}

func (p *Paths) duplicate(name, before string) {
	code := archive.FindingDuplicateInput
	p.findings = append(p.findings, archive.InputFinding{Source: name, Code: code, Severity: code.Severity(), Detail: before})
}

// ended is a reader of a run that was interrupted before there was anything to read.
type ended struct{ err error }

func (e ended) Read([]byte) (int, error) { return 0, e.err }

func (e ended) Close() error { return nil }

// Size returns how many bytes the inputs hold as they are stored. It is not known, and known is false, where one of them is no
// regular file or ctx ends. It is a walk of its own: what changes meanwhile is not in it.
func Size(ctx context.Context, args []string) (bytes int64, known bool) {
	p := Paths{Args: args}
	for s := range p.Sources(ctx) {
		info, err := os.Stat(s.Name)
		switch {
		case ctx.Err() != nil || s.Name == Stdin:
			return 0, false
		case err != nil || info.IsDir(): // there is nothing to be read
		case !info.Mode().IsRegular():
			return 0, false
		default:
			bytes += info.Size()
		}
	}
	return bytes, ctx.Err() == nil
}

// Holds reports whether the walk of a folder reads a file that is there. Where folder is none, it holds nothing.
func Holds(folder, file string) bool {
	dir, err := os.Stat(folder)
	if err != nil || !dir.IsDir() {
		return false
	}
	info, err := os.Stat(file)
	if err != nil {
		return false
	}
	var e earlier
	e.add(&place{name: folder, real: realPath(folder), info: dir})
	_, ok := e.covers(&place{name: file, real: realPath(file), info: info})
	return ok
}
