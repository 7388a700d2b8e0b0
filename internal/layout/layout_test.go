// Package layout holds no code. Its tests read the source of every package of this module and fail where one imports what it
// must not, or where a package that is to depend on its arguments alone asks the machine it runs on.
//
// The tables are the rule: an edge that no row allows is an error, and so is a package without a row. Every file is read,
// whatever its build constraints say.
package layout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

const module = "contextgraphprotocol.org/cgp-attest"

// A row says what one package may import.
type row struct {
	own     []string // packages of this module, by their path below it
	modules []string // of other modules: the module's path
	denied  []string // of the standard library: what is closed to it; "net/..." is net and all below
	tests   []string // packages of this module that its tests may import besides
}

var (
	// What a function of its arguments has no use for. net/netip and net/url are values and stay open.
	pure = slices.Concat(outside, []string{"os", "path/filepath"})
	// What reaches further than files, and encoding/json, which folds the case of names, keeps the last of two members
	// and replaces bad bytes.
	outside = []string{
		"C", "crypto/rand", "encoding/json/...", "flag", "io/ioutil", "log/...", "net", "net/http/...", "net/rpc/...", "net/smtp",
		"os/exec", "os/signal", "os/user", "plugin", "syscall/...", "testing/...", "unsafe",
	}
)

var rows = map[string]row{
	"commitment": {denied: pure},
	"merkle":     {own: []string{"commitment"}, denied: pure},
	"sign":       {own: []string{"commitment"}, modules: []string{"filippo.io/edwards25519"}, denied: pure},
	"sign/pq":    {own: []string{"sign"}, modules: []string{"github.com/cloudflare/circl"}, denied: pure, tests: []string{"keys", "commitment"}},
	"keys": {
		own:     []string{"commitment", "sign", "internal/strictjson", "internal/fileio", "internal/openssh"},
		modules: []string{"github.com/go-json-experiment/json"},
		denied:  outside,
	},
	"keys/keyref": {
		own:     []string{"commitment", "sign", "keys", "internal/strictjson", "internal/openssh"},
		modules: []string{"github.com/go-json-experiment/json", "golang.org/x/term"},
	},
	"archive": {
		own:     []string{"commitment", "merkle", "sign", "keys", "internal/strictjson"},
		modules: []string{"github.com/go-json-experiment/json", "github.com/gofrs/flock", "github.com/klauspost/compress"},
		denied:  outside,
		tests:   []string{"internal/report"}, // what the budgets are of is a run with its report
	},
	"testvectors": {
		own:     []string{"commitment", "merkle", "sign", "sign/pq", "keys", "archive", "internal/strictjson"},
		modules: []string{"filippo.io/edwards25519", "github.com/go-json-experiment/json"},
	},
	"cmd/cgp-attest": {
		own: []string{
			"commitment", "merkle", "sign", "sign/pq", "keys", "keys/keyref", "archive", "testvectors",
			"internal/strictjson", "internal/report", "internal/terminal", "internal/fileio", "internal/inputs",
			"internal/sourceroot",
		},
		modules: []string{
			"github.com/go-json-experiment/json", "github.com/gofrs/flock", "github.com/spf13/cobra", "github.com/spf13/pflag", "golang.org/x/term",
		},
	},
	"internal/strictjson": {modules: []string{"github.com/go-json-experiment/json"}, denied: pure},
	"internal/bench": {
		own:     []string{"commitment", "merkle", "sign", "keys", "archive", "internal/strictjson"},
		modules: []string{"filippo.io/edwards25519", "github.com/go-json-experiment/json"},
	},
	"internal/corpus": {
		own:     []string{"internal/bench"},
		modules: []string{"github.com/klauspost/compress"},
	},
	"internal/corpus/generate": {own: []string{"internal/corpus"}},
	"internal/kill":            {own: []string{"internal/kill/mutant"}},
	"internal/kill/mutant":     {denied: []string{"net", "net/http/...", "os/exec"}},
	"internal/kill/worker":     {own: []string{"testvectors"}},
	"internal/layout":          {},
	"internal/api":             {},
	"internal/reference": {
		own:     []string{"sign", "archive", "internal/report", "internal/terminal"},
		modules: []string{"github.com/go-json-experiment/json"},
	},
	"internal/release": {
		own:     []string{"internal/terminal"},
		modules: []string{"github.com/go-json-experiment/json"},
		tests:   []string{"archive", "commitment", "sign", "internal/sourceroot"},
	},
	"internal/report": {
		own:     []string{"commitment", "sign", "archive", "internal/strictjson", "internal/fileio", "internal/terminal"},
		modules: []string{"github.com/go-json-experiment/json"},
	},
	"internal/terminal":   {modules: []string{"github.com/clipperhouse/displaywidth"}},
	"internal/fileio":     {modules: []string{"github.com/gofrs/flock", "golang.org/x/sys"}},
	"internal/inputs":     {own: []string{"archive"}, denied: outside},
	"internal/openssh":    {modules: []string{"golang.org/x/crypto"}},
	"internal/picture":    {},
	"internal/publicdata": {},
	"internal/sourceroot": {own: []string{"archive"}},
}

// What tests may import beside what their package may.
var (
	testPackages = []string{"internal/bench", "internal/corpus", "internal/publicdata"}
	testCommands = []string{"internal/corpus/generate"} // which nothing links and nobody installs
	testModules  = []string{
		"filippo.io/mldsa", "github.com/google/go-cmp", "github.com/olekukonko/tablewriter", "github.com/rogpeppe/go-internal", "github.com/santhosh-tekuri/jsonschema/v6",
		"github.com/transparency-dev/merkle", "golang.org/x/crypto", "golang.org/x/mod", "pgregory.net/rapid",
	}
)

// An edge is one import: from a package of this module, by its path below it, to the path that the source names.
type edge struct {
	from, to string
	test     bool
}

// fault says why the edge is forbidden, or nothing where it is not.
func (e edge) fault() string {
	from := rows[e.from] // without a row nothing of this module or another is allowed
	if e.to == module {
		return fmt.Sprintf("%s imports the root of the module, which is no package", e.from)
	}
	if own, ok := strings.CutPrefix(e.to, module+"/"); ok {
		switch {
		case own == "cmd" || strings.HasPrefix(own, "cmd/"):
			return fmt.Sprintf("%s imports %s, which nothing may import", e.from, own)
		case e.test && (own == e.from || slices.Contains(testPackages, own)):
			return ""
		case slices.Contains(testPackages, own) && !slices.Contains(testPackages, e.from) && !slices.Contains(testCommands, e.from):
			return fmt.Sprintf("%s imports %s, which is for tests", e.from, own)
		case !slices.Contains(from.own, own) && !(e.test && slices.Contains(from.tests, own)):
			return fmt.Sprintf("%s may not import %s", e.from, own)
		}
		return ""
	}
	if first, _, _ := strings.Cut(e.to, "/"); !strings.Contains(first, ".") {
		if !e.test && slices.ContainsFunc(from.denied, func(p string) bool { return matches(p, e.to) }) {
			return fmt.Sprintf("%s may not import %s of the standard library", e.from, e.to)
		}
		return ""
	}
	below := func(m string) bool { return matches(m+"/...", e.to) }
	if slices.ContainsFunc(from.modules, below) || e.test && slices.ContainsFunc(testModules, below) {
		return ""
	}
	return fmt.Sprintf("%s may not import %s of another module", e.from, e.to)
}

// matches reads a pattern as the go command does: "a/..." is a and all below it.
func matches(pattern, importPath string) bool {
	tree, ok := strings.CutSuffix(pattern, "/...")
	return importPath == tree || ok && strings.HasPrefix(importPath, tree+"/")
}

// A source is one parsed file of this module.
type source struct {
	pkg  string // path below the module
	file string // path below the checkout, for messages
	test bool
	set  *token.FileSet
	ast  *ast.File
}

func (s *source) edges() []edge {
	var out []edge
	for _, spec := range s.ast.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			panic(err) // the parser takes string literals alone
		}
		out = append(out, edge{from: s.pkg, to: to, test: s.test})
	}
	return out
}

func parse(pkg, file string, text []byte) (*source, error) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{pkg: pkg, file: file, test: strings.HasSuffix(file, "_test.go"), set: set, ast: tree}, nil
}

// sources parses every Go file of the checkout that belongs to a package of this module.
func sources(t *testing.T) []*source {
	t.Helper()
	root := os.DirFS(publicdata.Root(t))
	var out []*source
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return enter(root, name)
		}
		if path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		file, err := parse(path.Dir(name), name, text)
		if err != nil {
			return err
		}
		out = append(out, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// enter skips what the go command takes for no package of this module.
func enter(root fs.FS, dir string) error {
	base := path.Base(dir)
	if dir == "." {
		return nil
	}
	if base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return fs.SkipDir
	}
	if _, err := fs.Stat(root, path.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range sources(t) {
		if _, ok := rows[file.pkg]; !ok && !seen[file.pkg] {
			t.Errorf("%s: %s has no row in the table of imports", filepath.FromSlash(file.file), file.pkg)
		}
		seen[file.pkg] = true
		for _, edge := range file.edges() {
			if why := edge.fault(); why != "" {
				t.Errorf("%s: %s", filepath.FromSlash(file.file), why)
			}
		}
	}
	for _, pkg := range []string{"commitment", "merkle", "sign", "keys", "archive", "internal/strictjson", "internal/layout", "internal/publicdata"} {
		if !seen[pkg] {
			t.Errorf("no file of %s was read", pkg)
		}
	}
}

// The table itself has the order cmd → testvectors → archive → sign, keys, merkle → commitment, and no circle.
func TestTableHasNoCircle(t *testing.T) {
	var visit func(pkg string, above []string)
	visit = func(pkg string, above []string) {
		if slices.Contains(above, pkg) {
			t.Fatalf("the table allows a circle: %s", strings.Join(append(above, pkg), " → "))
		}
		row, ok := rows[pkg]
		if !ok {
			t.Errorf("%s is allowed somewhere and has no row", pkg)
		}
		for _, own := range row.own {
			visit(own, append(slices.Clone(above), pkg))
		}
	}
	for pkg := range rows {
		visit(pkg, nil)
	}
}

func TestFaults(t *testing.T) {
	const production, test = false, true
	tests := []struct {
		from, to string
		test     bool
		want     string
	}{
		{"merkle", module + "/commitment", production, ""},
		{"commitment", "crypto/sha256", production, ""},
		{"commitment", "net/netip", production, ""},
		{"sign", "filippo.io/edwards25519/field", production, ""},
		{"archive", "os", production, ""},
		{"archive", module + "/archive", test, ""},
		{"archive", module + "/internal/publicdata", test, ""},
		{"archive", "encoding/json", test, ""},
		{"merkle", "github.com/transparency-dev/merkle/rfc6962", test, ""},

		{"commitment", module + "/merkle", production, "commitment may not import merkle"},
		{"commitment", module + "/merkle", test, "commitment may not import merkle"},
		{"sign", module + "/keys", production, "sign may not import keys"},
		{"merkle", module + "/sign", production, "merkle may not import sign"},
		{"keys", module + "/keys/keyref", production, "keys may not import keys/keyref"},
		{"archive", module + "/sign/pq", production, "archive may not import sign/pq"},
		{"archive", module + "/testvectors", production, "archive may not import testvectors"},
		{"archive", module + "/commitmentx", production, "archive may not import commitmentx"},
		{"testvectors", module + "/cmd/cgp-attest", production, "testvectors imports cmd/cgp-attest, which nothing may import"},
		{"testvectors", module + "/cmd/cgp-attest", test, "testvectors imports cmd/cgp-attest, which nothing may import"},
		{"cmd/cgp-attest", module + "/internal/bench", production, "cmd/cgp-attest imports internal/bench, which is for tests"},
		{"archive", module + "/internal/publicdata", production, "archive imports internal/publicdata, which is for tests"},
		{"internal/corpus/generate", module + "/internal/corpus", production, ""},
		{"internal/corpus", module + "/internal/bench", production, ""},
		{"internal/corpus", module + "/archive", production, "internal/corpus may not import archive"},
		{"internal/report", module + "/internal/corpus", production, "internal/report imports internal/corpus, which is for tests"},
		{"archive", module, production, "archive imports the root of the module, which is no package"},
		{"util", module + "/commitment", production, "util may not import commitment"},
		{"commitment", "os", production, "commitment may not import os of the standard library"},
		{"sign", "encoding/json", production, "sign may not import encoding/json of the standard library"},
		{"keys", "encoding/json/jsontext", production, "keys may not import encoding/json/jsontext of the standard library"},
		{"keys", "os/exec", production, "keys may not import os/exec of the standard library"},
		{"archive", "net", production, "archive may not import net of the standard library"},
		{"archive", "net/http/httputil", production, "archive may not import net/http/httputil of the standard library"},
		{"archive", "log/slog", production, "archive may not import log/slog of the standard library"},
		{"archive", "github.com/spf13/cobra", production, "archive may not import github.com/spf13/cobra of another module"},
		{"archive", "pgregory.net/rapid", production, "archive may not import pgregory.net/rapid of another module"},
		{"sign", "filippo.io/edwards25519x", production, "sign may not import filippo.io/edwards25519x of another module"},
	}
	for _, tt := range tests {
		if got := (edge{from: tt.from, to: tt.to, test: tt.test}).fault(); got != tt.want {
			t.Errorf("fault(%s → %s, test %v) = %q, want %q", tt.from, tt.to, tt.test, got, tt.want)
		}
	}
}
