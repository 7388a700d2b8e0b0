package layout

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// What a user of the library starts from: it has an example that runs, and the package's documentation names it.
var starts = map[string][]string{
	"commitment": {"AppendLink", "CanonicalOrder", "ChainHead", "ContentDigest", "InstantOf", "Of", "ParseDigest", "ParseInstant", "Trace"},
	"merkle":     {"Proof.Verify", "Root", "Shape", "Tree.Prove"},
	"sign":       {"Algorithms.Verify", "Signer.Attest", "VerifyEd25519"},
	"keys": {
		"DiffStores", "Fingerprint", "GeneratePrivateKey", "LintStore", "LoadStore", "MarshalJWK", "MarshalPKIX", "ParsePrivateKey",
		"ParsePrivateKeyWithPassphrase", "ParsePublicKey", "ParsePublished", "SaveChange", "Store",
	},
	"keys/keyref": {"Open", "Parse", "Unlock"},
	"archive": {
		"Attach", "CheckAttestation", "CheckProof", "Decompress", "Explain", "Inspect", "Keyring", "List", "ParseRequest", "ParseSignature",
		"Prepare", "Prove", "PublishKey", "Retain", "RetainAll", "Sign", "Survey", "Verifier.Verify", "Verifier.VerifyReader", "Writer",
	},
	"testvectors": {"Check", "Export", "Load", "Released", "Run", "Select", "Serve"},
}

// The other exported functions, each with the example or the type in which it is met. A new one is to be put here or above.
var met = map[string]map[string]string{
	"commitment": {"IsDigest": "ParseDigest", "Some": "Of"},
	"merkle":     {"EmptyRoot": "Root", "LeafHash": "Root", "NodeHash": "Root", "NewTree": "Tree.Prove"},
	"sign": {
		"CheckEd25519Key": "VerifyEd25519", "Ed25519Only": "Algorithms.Verify", "NewSigner": "Signer.Attest", "Verdicts": "Algorithms.Verify",
		"Undefined": "Algorithms.Verify", "With": "Algorithms.Verify",
	},
	"keys": {
		"AppendPublished": "GeneratePrivateKey", "ParseStore": "LintStore", "SaveStore": "SaveChange", "TrustRules": "LintStore",
	},
	"keys/keyref": {"Read": "Unlock", "SignerEnvironment": "Open"},
	"archive": {
		"Addressed": "Verifier.Verify", "Catalog": "Explain", "Classes": "Explain", "Contents": "Explain", "DefaultLimits": "Decompress",
		"EmptyAnswerStates": "Explain", "EvidenceStates": "Explain", "Excusable": "Verifier.Verify", "FrameSubject": "Prove",
		"LinkStatuses": "Explain", "MarshalSignatures": "Attach", "NewSummary": "Verifier.Verify", "NewWriter": "Writer",
		"NotCovered": "Verifier.Verify", "ParseRequestOf": "ParseRequest", "PublishKeyOf": "PublishKey", "ParseRefs": "RetainAll", "ParseSignatures": "Attach", "RefID": "Prove", "RefText": "Prove",
		"RetainRules": "Retain", "Rules": "Sign", "Severities": "Explain", "SignRequest": "Prepare", "States": "Explain",
	},
	"testvectors": {
		"Algorithms": "Serve", "Answer": "Released", "Classes": "Export", "Expand": "Released", "FS": "Load", "Flags": "Select",
		"Generate": "Check", "GenerateOver": "Check", "Make": "Check", "Ops": "Select", "Outcomes": "Run", "ParseExpected": "Run",
		"ParseFile": "Load", "Start": "Run",
	},
}

// documented reads a package with its examples as go doc does.
func documented(root, pkg string) (*doc.Package, error) {
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		texts[filepath.Base(name)] = string(text)
	}
	return documentedIn(pkg, texts)
}

func documentedIn(pkg string, texts map[string]string) (*doc.Package, error) {
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		file, err := parser.ParseFile(set, name, texts[name], parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return doc.NewFromFiles(set, files, path.Join(module, pkg))
}

// faultsOfExamples says what of a package is without an example, or in no table.
func faultsOfExamples(pkg *doc.Package, starts []string, met map[string]string) []string {
	var out []string
	functions := map[string]bool{} // exported ones that are no methods: false until a table has it
	examples := map[string][]*doc.Example{}
	note := func(f *doc.Func, receiver string) {
		examples[receiver+f.Name] = f.Examples
		if receiver == "" {
			functions[f.Name] = false
		}
	}
	for _, f := range pkg.Funcs {
		note(f, "")
	}
	for _, t := range pkg.Types {
		examples[t.Name] = t.Examples
		for _, f := range t.Funcs {
			note(f, "")
		}
		for _, m := range t.Methods {
			note(m, t.Name+".")
		}
	}
	for _, name := range starts {
		found, exported := examples[name]
		if _, ok := functions[name]; ok {
			functions[name] = true
		}
		runs := func(e *doc.Example) bool { return e.Output != "" || e.EmptyOutput }
		switch {
		case !exported:
			out = append(out, fmt.Sprintf("%s has no %s, which its users are to start from", pkg.Name, name))
		case len(found) == 0:
			out = append(out, fmt.Sprintf("%s.%s has no example", pkg.Name, name))
		case !slices.ContainsFunc(found, runs):
			out = append(out, fmt.Sprintf("%s.%s has no example with an output, so none that runs", pkg.Name, name))
		case !strings.Contains(pkg.Doc, "["+name+"]"):
			out = append(out, fmt.Sprintf("the documentation of package %s does not name [%s]", pkg.Name, name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(met)) {
		if _, ok := functions[name]; !ok {
			out = append(out, fmt.Sprintf("%s has no function %s", pkg.Name, name))
		}
		if functions[name] {
			out = append(out, fmt.Sprintf("%s.%s stands in both tables", pkg.Name, name))
		}
		if len(examples[met[name]]) == 0 {
			out = append(out, fmt.Sprintf("%s.%s is to be met in the example of %s, which there is not", pkg.Name, name, met[name]))
		}
		functions[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		if !functions[name] {
			out = append(out, fmt.Sprintf("%s.%s is in no table: give it an example, or say where it is met", pkg.Name, name))
		}
	}
	return out
}

func TestExamples(t *testing.T) {
	root := publicdata.Root(t)
	if len(starts) != len(met) {
		t.Errorf("%d packages to start from, and %d in the other table", len(starts), len(met))
	}
	for name := range rows {
		if _, ok := starts[name]; !ok && !strings.HasPrefix(name, "internal/") && !strings.HasPrefix(name, "cmd/") && name != "sign/pq" {
			t.Errorf("%s: users can import it, and nothing says what they start from", name)
		}
	}
	for name := range starts {
		pkg, err := documented(root, name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, fault := range faultsOfExamples(pkg, starts[name], met[name]) {
			t.Errorf("%s: %s", name, fault)
		}
		for _, part := range []string{"\n# Where to start\n", "\n# Security\n"} {
			if !strings.Contains(pkg.Doc, part) {
				t.Errorf("%s: its documentation has no heading %q", name, strings.TrimSpace(part))
			}
		}
	}
}

func TestFaultsOfExamples(t *testing.T) {
	const code = "// Package p has [A], [T.M], [N] and [S].\npackage p\n" +
		"func A() {}\nfunc B() {}\nfunc N() {}\nfunc S() {}\nfunc U() {}\ntype T struct{}\nfunc (T) M() {}\nfunc (T) Other() {}\nfunc lower() {}\n"
	const examples = "package p_test\n" +
		"func ExampleA() {\n\t// Output: 1\n}\nfunc ExampleB() {\n\t// Output: 1\n}\nfunc ExampleT_M() {\n\t// Output:\n}\nfunc ExampleS() {\n}\n"
	pkg, err := documentedIn("p", map[string]string{"p.go": code, "example_test.go": examples})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		starts []string
		met    map[string]string
		want   []string
	}{
		{"all is said", []string{"A", "T.M"}, map[string]string{"B": "A", "N": "A", "S": "T.M", "U": "A"}, nil},
		{"no example", []string{"A", "N"}, map[string]string{"B": "A", "S": "A", "U": "A"}, []string{"p.N has no example"}},
		{"none that runs", []string{"A", "S"}, map[string]string{"B": "A", "N": "A", "U": "A"}, []string{"p.S has no example with an output, so none that runs"}},
		{"not named", []string{"A", "B"}, map[string]string{"N": "A", "S": "A", "U": "A"}, []string{"the documentation of package p does not name [B]"}},
		{"gone", []string{"A", "T.Gone"}, map[string]string{"B": "A", "N": "A", "S": "A", "U": "A", "V": "A"},
			[]string{"p has no T.Gone, which its users are to start from", "p has no function V"}},
		{"twice", []string{"A"}, map[string]string{"A": "A", "B": "A", "N": "A", "S": "A", "U": "A"}, []string{"p.A stands in both tables"}},
		{"met nowhere", []string{"A"}, map[string]string{"B": "U", "N": "A", "S": "A", "U": "A"},
			[]string{"p.B is to be met in the example of U, which there is not"}},
		{"new", []string{"A"}, map[string]string{"B": "A", "N": "A", "S": "A"}, []string{"p.U is in no table: give it an example, or say where it is met"}},
	} {
		if got := faultsOfExamples(pkg, row.starts, row.met); !slices.Equal(got, row.want) {
			t.Errorf("%s:\n got %q\nwant %q", row.name, got, row.want)
		}
	}
}
