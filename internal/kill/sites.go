package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// packages are those whose judgements are mutated, by their paths below the module. Their subpackages are not: keys/keyref asks
// the machine for private keys.
var packages = []string{"sign", "sign/pq", "merkle", "keys", "archive"}

// tables are files that hold words about codes and judge nothing.
const tables = "archive/catalog*.go"

// flips says for each closed set what its constants become: the most dangerous of the set, or "" where the blank one is, which
// stands for a refusal that is no more. A constant that is its own flip is good, and left alone.
var flips = map[string]string{
	"sign.Verdict":        "Valid",
	"archive.State":       "StateAttested",
	"archive.Class":       "ClassGood",
	"archive.Content":     "ContentMatch",
	"archive.LinkStatus":  "LinkMatch",
	"archive.Tier":        "TierConfigured",
	"archive.Level":       "RequireConstructed",
	"archive.Reason":      "",
	"archive.LinkReason":  "",
	"archive.FindingCode": "",
	"archive.ErrorCode":   "",
	"archive.RetainRule":  "",
	"archive.Rule":        "",
	"keys.Rule":           "",
	"keys.Tier":           "TierConfigured",
	"keys.Service":        "InService",
	"keys.PinOutcome":     "Pinned",
}

// A kind is a way in which a site is mutated.
type kind string

const (
	guard    kind = "guard"    // the condition of a refusal, never met
	boundary kind = "boundary" // a comparison in such a condition, off by one
	constant kind = "constant" // a constant of a closed set, flipped
	returned kind = "returned" // an error that is returned, nil
)

// A site is one place in the code and what its mutant has there.
type site struct {
	name string // file, function and number in it: what stays when lines move
	kind kind
	is   string // the source text
	flip string // what it becomes
}

func (s *site) pkg() string { return path.Dir(s.name) }

// line is the site in the list that is hashed.
func (s *site) line() string {
	return strings.Join([]string{s.name, string(s.kind), s.is, s.flip}, "\t") + "\n"
}

// fingerprint tells one list of sites from another.
func fingerprint(sites []site) string {
	h := sha256.New()
	for i := range sites {
		h.Write([]byte(sites[i].line()))
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// A program is the sources of the mutated packages, their sites, and the copies with a switch at each.
type program struct {
	sites  []site
	copies map[string][]byte // by path below the root
	consts map[string]string // name of a constant as its own package spells it, with the package in front, to its type
}

// read finds all sites below the root of the module.
func read(root string) (*program, error) {
	p := &program{copies: make(map[string][]byte), consts: make(map[string]string)}
	set := token.NewFileSet()
	var files []*source
	for _, pkg := range packages {
		names, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			short := path.Join(pkg, filepath.Base(name))
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			tree, err := parser.ParseFile(set, short, text, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			f := &source{program: p, set: set, pkg: pkg, name: short, text: text, tree: tree}
			f.declare()
			files = append(files, f)
		}
	}
	for _, f := range files {
		if isTable, _ := path.Match(tables, f.name); !isTable {
			f.mutate()
		}
	}
	return p, nil
}

// A source is one file.
type source struct {
	*program
	set  *token.FileSet
	pkg  string
	name string
	text []byte
	tree *ast.File

	function string // that is being read
	count    int    // of its sites
	inserts  []insert
}

// An insert is text that is put in at an offset, in place of so many bytes.
type insert struct {
	at, drop int
	text     string
}

// declare notes the constants of closed sets.
func (f *source) declare() {
	for _, d := range f.tree.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.CONST {
			continue
		}
		for _, s := range decl.Specs {
			spec := s.(*ast.ValueSpec)
			set, ok := spec.Type.(*ast.Ident)
			for _, name := range spec.Names {
				switch {
				case ok:
					f.consts[f.pkg+"."+name.Name] = f.pkg + "." + set.Name
				case strings.HasPrefix(name.Name, "Exit"):
					f.consts[f.pkg+"."+name.Name] = exitCode
				}
			}
		}
	}
}

// exitCode stands for the type of the exit codes, which have none.
const exitCode = "exit code"

func (f *source) offset(p token.Pos) int { return f.set.Position(p).Offset }

func (f *source) source(n ast.Node) string {
	return strings.Join(strings.Fields(string(f.text[f.offset(n.Pos()):f.offset(n.End())])), " ")
}

// add takes a site and returns its number, from 1.
func (f *source) add(k kind, is, flip string) int {
	f.count++
	f.sites = append(f.sites, site{fmt.Sprintf("%s:%s:%d", f.name, f.function, f.count), k, is, flip})
	return len(f.sites)
}

func (f *source) put(at token.Pos, text string) {
	f.inserts = append(f.inserts, insert{at: f.offset(at), text: text})
}

// call puts a call around an expression.
func (f *source) call(n ast.Expr, name string, number int, more string) {
	f.put(n.Pos(), callHead(name, number))
	f.put(n.End(), more+")")
}

func callHead(name string, number int) string { return fmt.Sprintf("mutant.%s(%d, ", name, number) }

func (f *source) mutate() {
	for _, d := range f.tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Body == nil {
				continue
			}
			f.function, f.count = functionName(d), 0
			w := &walker{source: f, results: d.Type.Results}
			w.block(d.Body.List, false)
		case *ast.GenDecl:
			if d.Tok == token.VAR {
				f.function, f.count = "var", f.countOf("var")
				w := &walker{source: f}
				w.values(d)
			}
		}
	}
	if len(f.inserts) == 0 {
		return
	}
	f.put(f.tree.Name.End(), "\n\nimport \"contextgraphprotocol.org/cgp-attest/internal/kill/mutant\"\n")
	// What is put in at one place stands in the order in which it was: an outer call comes in front of an inner one, and ends
	// behind it.
	slices.SortStableFunc(f.inserts, func(a, b insert) int { return a.at - b.at })
	var out bytes.Buffer
	done := 0
	for _, in := range f.inserts {
		out.Write(f.text[done:in.at])
		out.WriteString(in.text)
		done = in.at + in.drop
	}
	out.Write(f.text[done:])
	f.copies[f.name] = out.Bytes()
}

func (f *source) countOf(function string) (n int) {
	for i := range f.sites {
		if strings.HasPrefix(f.sites[i].name, f.name+":"+function+":") {
			n++
		}
	}
	return n
}

func functionName(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return d.Name.Name
	}
	t := d.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch g := t.(type) {
	case *ast.IndexExpr:
		t = g.X
	case *ast.IndexListExpr:
		t = g.X
	}
	return t.(*ast.Ident).Name + "." + d.Name.Name
}
