package layout

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What a package of the library must not ask for, beside what its imports are closed to: the time and the environment come in
// as arguments, printing and ending the process are the command's.
var asking = map[string][]string{
	"fmt":  {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
	"time": {"After", "AfterFunc", "LoadLocation", "Local", "NewTicker", "NewTimer", "Now", "Since", "Sleep", "Tick", "Until"},
	"os": {
		"Args", "Clearenv", "Environ", "Exit", "Expand", "ExpandEnv", "Executable", "Getenv", "Getpid", "Getwd", "Hostname", "LookupEnv",
		"Setenv", "Stderr", "Stdin", "Stdout", "Unsetenv", "UserCacheDir", "UserConfigDir", "UserHomeDir",
	},
}

// Which packages the rule holds for; in those with filesByName only functions called Load… or Save… touch files.
const (
	filesByName = iota + 1
	filesAnywhere
)

var library = map[string]int{
	"commitment": filesByName, "merkle": filesByName, "sign": filesByName, "sign/pq": filesByName, "keys": filesByName,
	"internal/strictjson": filesByName, "archive": filesAnywhere,
}

// impurities names every place of the file that breaks the rule, in source order.
func (s *source) impurities() []string {
	imported := map[string]string{} // by the name that the file uses
	var out []string
	report := func(at ast.Node, format string, args ...any) {
		position := s.set.Position(at.Pos())
		out = append(out, fmt.Sprintf("%s:%d: %s", s.file, position.Line, fmt.Sprintf(format, args...)))
	}
	for _, spec := range s.ast.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // the parser takes string literals alone
		}
		name := path.Base(to)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." && asking[to] != nil {
			report(spec, "dot import of %s", to)
		}
		imported[name] = to
	}
	for _, decl := range s.ast.Decls {
		loads := false
		if f, ok := decl.(*ast.FuncDecl); ok {
			loads = strings.HasPrefix(f.Name.Name, "Load") || strings.HasPrefix(f.Name.Name, "Save")
		}
		ast.Inspect(decl, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.CallExpr:
				if f, ok := node.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
					report(node, "%s", f.Name)
				}
			case *ast.SelectorExpr:
				base, ok := node.X.(*ast.Ident)
				if !ok {
					return true
				}
				switch from := imported[base.Name]; {
				case slices.Contains(asking[from], node.Sel.Name):
					report(node, "%s.%s", from, node.Sel.Name)
				case from == "os" && library[s.pkg] == filesByName && !loads && !strings.HasPrefix(node.Sel.Name, "Err"):
					report(node, "os.%s outside a function called Load or Save", node.Sel.Name)
				}
			}
			return true
		})
	}
	return out
}

func TestPurity(t *testing.T) {
	read := 0
	for _, file := range sources(t) {
		if library[file.pkg] == 0 || file.test {
			continue
		}
		read++
		for _, place := range file.impurities() {
			t.Error(place)
		}
	}
	if read == 0 {
		t.Error("no file of the library was read")
	}
}

func TestImpurities(t *testing.T) {
	tests := []struct {
		name, pkg, text string
		want            []string
	}{
		{"arguments", "keys", `import "time"; func F(at time.Time) bool { return at.IsZero() || at.After(at) }`, nil},
		{"load", "keys", `import "os"; func LoadX(name string) ([]byte, error) { return os.ReadFile(name) }`, nil},
		{"save method", "keys", `import "os"; type S struct{}; func (S) Save(name string) error { return os.WriteFile(name, nil, 0o600) }`, nil},
		{"error value", "keys", `import "os"; func F(err error) bool { return err == os.ErrNotExist }`, nil},
		{"archive reads files", "archive", `import "os"; func F(name string) (*os.File, error) { return os.Open(name) }`, nil},
		{"other package's Now", "archive", `import time "x.test/clock"; var _ = time.Now()`, nil},

		{"clock", "sign", `import "time"; var _ = time.Now()`, []string{"f.go:2: time.Now"}},
		{"clock, not called", "sign", `import "time"; var now = time.Now`, []string{"f.go:2: time.Now"}},
		{"clock, renamed", "archive", `import t "time"; func F() { t.Sleep(1) }`, []string{"f.go:2: time.Sleep"}},
		{"clock, dot", "archive", `import . "time"; var _ = Now()`, []string{"f.go:2: dot import of time"}},
		{"environment", "keys", `import "os"; func LoadX() string { return os.Getenv("X") }`, []string{"f.go:2: os.Getenv"}},
		{"file", "keys", `import "os"; func Parse() { f := func() { os.Open("x") }; f() }`, []string{"f.go:2: os.Open outside a function called Load or Save"}},
		{"printing", "archive", "import (\"fmt\"; \"os\"); func F() { fmt.Println(1)\nfmt.Fprintln(os.Stderr)\nprintln(2) }",
			[]string{"f.go:2: fmt.Println", "f.go:3: os.Stderr", "f.go:4: println"}},
		{"exit", "archive", `import "os"; func F() { os.Exit(1) }`, []string{"f.go:2: os.Exit"}},
	}
	for _, tt := range tests {
		file, err := parse(tt.pkg, "f.go", []byte("package p\n"+tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := file.impurities(); !slices.Equal(got, tt.want) {
			t.Errorf("%s: impurities() = %q, want %q", tt.name, got, tt.want)
		}
	}
}
