package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

// computedVariables are the places that read a variable whose name the source does not spell out, and how the page has it.
var computedVariables = map[string]string{
	"keys/keyref/text.go: ref.Name":                    "NAME",
	"cmd/cgp-attest/passphrase.go: passphraseVariable": passphraseVariable,
}

// readElsewhere are the variables of the page that this module does not read itself, and what does.
var readElsewhere = map[string]string{
	"TMPDIR": "os.TempDir", "TMP": "os.TempDir on Windows", "TEMP": "os.TempDir on Windows", "BASH_COMP_DEBUG_FILE": "cobra",
	"CGP_ATTEST_ACTIVE_HELP": "cobra", "COBRA_ACTIVE_HELP": "cobra", "CGP_ATTEST_COMPLETION_DESCRIPTIONS": "cobra", "COBRA_COMPLETION_DESCRIPTIONS": "cobra",
	keyref.SignerPrefix + "*": "the external signer", "LC_*": "the external signer",
}

// Every variable that the source of the program reads stands on the page of variables.
func TestVariablesAreComplete(t *testing.T) {
	listed := make(map[string]bool)
	for _, v := range variables() {
		for _, name := range v.names {
			listed[name] = true
		}
	}
	root := publicdata.Root(t)
	found, read := 0, make(map[string]bool)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		below, relErr := filepath.Rel(root, path)
		below = filepath.ToSlash(below)
		switch {
		case err != nil || relErr != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == ".git"):
			return fs.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(below, "internal/publicdata/") || strings.HasPrefix(below, "internal/kill/"): // for tests
			return nil
		}
		for _, name := range variablesRead(t, path, below) {
			found++
			read[name] = true
			if !listed[name] {
				t.Errorf("%s reads %s, which is not among the variables of the page", below, name)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variables() {
		for _, name := range v.names {
			if !read[name] && readElsewhere[name] == "" && !slices.Contains(keyref.SignerEnvironment(), name) {
				t.Errorf("%s stands on the page, and nothing here is known to read it", name)
			}
		}
	}
	if found < 6 {
		t.Errorf("%d readings of a variable were found, want 6 at least", found)
	}
}

// variablesRead returns the names of the variables that a source file reads.
func variablesRead(t *testing.T, path, below string) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		callee, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !slices.Contains([]string{"Getenv", "LookupEnv", "getenv"}, callee.Sel.Name) || len(call.Args) != 1 {
			return true
		}
		if text, ok := call.Args[0].(*ast.BasicLit); ok {
			name, err := strconv.Unquote(text.Value)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
			return true
		}
		place := below + ": " + spelled(call.Args[0])
		name, ok := computedVariables[place]
		if !ok {
			t.Errorf("%s: the variable that is read is not known; add it to the page and this test", place)
		}
		names = append(names, name)
		return true
	})
	return names
}

// spelled returns a name, or a member of something that has a name, as the source has it.
func spelled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return spelled(e.X) + "." + e.Sel.Name
	}
	return fmt.Sprintf("%T", e)
}

// librariesRead are the variables that linked libraries read and the page does not name, and why.
var librariesRead = map[string]string{
	"GODEBUG":     "of the Go runtime, as the page says behind its list",
	"GOOS_TARGET": "of a program that is not linked", "GOARCH_TARGET": "of a program that is not linked",
	"GOOS": "of a program that is not linked", "GOARCH": "of a program that is not linked", "GOLANG_SYS_BUILD": "of a program that is not linked",
}

// The libraries that are linked read no variable by its name that neither the page nor the table above has.
func TestLibrariesReadNoOtherVariable(t *testing.T) {
	root := publicdata.Root(t)
	list := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.Dir}}{{end}}", "./cmd/cgp-attest")
	list.Dir = root
	list.Env = append(os.Environ(), "GOPROXY=off")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	listed := make(map[string]bool)
	for _, v := range variables() {
		for _, name := range v.names {
			listed[name] = true
		}
	}
	reads := regexp.MustCompile(`\b(?:Getenv|LookupEnv)\("([^"]*)"\)`)
	seen := make(map[string]bool)
	for dir := range strings.FieldsSeq(string(out)) {
		if strings.HasPrefix(dir, root) {
			continue
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range reads.FindAllStringSubmatch(string(text), -1) {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				seen[m[1]] = true
				if !listed[m[1]] && librariesRead[m[1]] == "" {
					t.Errorf("%s reads %s, which neither the page nor this test has", file, m[1])
				}
			}
		}
	}
	for name := range librariesRead {
		if !seen[name] {
			t.Errorf("no linked library reads %s any more", name)
		}
	}
}
