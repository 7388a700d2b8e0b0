// Command api writes the exported surface of every package that others may import, docs/api.txt: what must not change without
// being meant. Comments are left out, so that a line changes only where a program could tell.
//
// go generate runs it. Its one argument is the folder of the module.
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

//go:generate go run . ../..

const head = "What packages of this module export: written by internal/api, run go generate ./... after a change.\n"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d arguments, want the folder of the module", len(args))
	}
	text, err := surface(args[0])
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(args[0], "docs", "api.txt"), text, 0o644)
}

// surface returns the exported surface of the packages below a folder, in order of path.
func surface(root string) ([]byte, error) {
	packages, err := importable(root)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(head)
	for _, name := range packages {
		lines, err := exported(filepath.Join(root, filepath.FromSlash(name)), name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&b, "\npackage %s\n\n", name)
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
	}
	return b.Bytes(), nil
}

// platform is the one whose files count, so that the surface is the same wherever it is written.
func platform() *build.Context {
	c := build.Default
	c.GOOS, c.GOARCH, c.CgoEnabled, c.BuildTags, c.ToolTags = "linux", "amd64", false, nil, nil
	return &c
}

// importable returns the folders of packages that a program of another module can import, by their path below root.
func importable(root string) ([]string, error) {
	var all []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || name == "." {
			return err
		}
		if base := path.Base(name); base == "internal" || base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
			return fs.SkipDir
		}
		pkg, err := platform().ImportDir(filepath.Join(root, filepath.FromSlash(name)), 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err == nil && pkg.Name != "main" {
			all = append(all, name)
		}
		return err
	})
	return all, err
}

// exported returns the declarations of a package without their comments: constants, variables, functions, then each type with what
// belongs to it.
func exported(dir, importPath string) ([]string, error) {
	found, err := platform().ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range found.GoFiles {
		f, err := parser.ParseFile(set, filepath.Join(dir, name), nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	pkg, err := doc.NewFromFiles(set, files, importPath)
	if err != nil {
		return nil, err
	}
	l := &lines{set: set}
	l.values(pkg.Consts, "")
	l.values(pkg.Vars, "")
	l.funcs(pkg.Funcs, "")
	slices.SortFunc(pkg.Types, func(a, b *doc.Type) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range pkg.Types {
		l.node(t.Decl, "")
		l.values(t.Consts, "\t")
		l.values(t.Vars, "\t")
		l.funcs(t.Funcs, "\t")
		l.funcs(t.Methods, "\t")
	}
	return l.all, l.err
}

type lines struct {
	set *token.FileSet
	all []string
	err error
}

func (l *lines) values(list []*doc.Value, indent string) {
	for _, v := range list {
		l.node(v.Decl, indent)
	}
}

func (l *lines) funcs(list []*doc.Func, indent string) {
	for _, f := range list {
		if f.Level == 0 { // not promoted from an embedded type
			l.node(f.Decl, indent)
		}
	}
}

// node adds the lines of a declaration. The blank ones between groups of a long one say nothing about it.
func (l *lines) node(n ast.Node, indent string) {
	var b bytes.Buffer
	if err := format.Node(&b, l.set, n); err != nil {
		l.err = err
		return
	}
	for line := range strings.Lines(b.String()) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			l.all = append(l.all, indent+line)
		}
	}
}
