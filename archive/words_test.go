package archive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// Where the codes are spelt out. Everywhere else a constant stands for them.
var spelling = map[string]bool{"archive/codes.go": true, "sign/verdict.go": true, "archive/catalog_limits.go": true}

// Who says what to expect spells the codes for himself: where he took our constants he would follow them.
var oracles = []string{"internal/corpus/codes.go", "testvectors/words.go"}

// Words that are a code and, in these files and folders, something else that does not change with it.
var alsoElse = []struct{ under, word, what string }{
	{"archive/decode_evidence.go", "signature", "a member of an attestation on the wire"},
	{"archive/signatures.go", "signature", "a member of a file of signatures"},
	{"archive/signing.go", "root", "a shape of signing, as --shape spells it"},
	{"archive/inspect.go", "none", "a kind of digest that is counted, not judged"},
	{"archive/unsignable.go", "content_mismatch", "a rule of refusal: a set of its own, for what is to be signed"},
	{"archive/unsignable.go", "opaque_digest", "a rule of refusal"},
	{"archive/unsignable.go", "malformed_frame", "a rule of refusal"},
	{"archive/unsignable.go", "ambiguous_order", "a rule of refusal"},
	{"archive/withheld.go", "provider_mismatch", "a rule of refusal: a set of its own, for what is to be kept"},
	{"archive/withheld.go", "malformed_frame", "a rule of refusal"},
	{"archive/withheld.go", "root_mismatch", "a rule of refusal"},
	{"archive/withheld.go", "invalid_evidence", "a rule of refusal"},
	{"archive/withheld.go", "content_mismatch", "a rule of refusal"},
	{"keys/keyref/protocol.go", "signature", "a member of an external signer's answer"},
	{"keys/keyref/protocol.go", "error", "a member of an external signer's answer"},
	{"keys/trust.go", "configured", "a tier in a trust file, and what Configure did"},
	{"keys/trust.go", "pinned", "a tier in a trust file"},
	{"keys/trust_pin.go", "pinned", "what Pin did"},
	{"keys/trust_rules.go", "too_large", "a rule of trust files: a set of its own, of the format and not of a report"},
	{"keys/trust_rules.go", "invalid_utf8", "a rule of trust files"},
	{"keys/trust_rules.go", "duplicate_member", "a rule of trust files"},
	{"keys/trust_rules.go", "unsupported_format", "a rule of trust files"},
	{"keys/trust_rules.go", "missing_member", "a rule of trust files"},
	{"keys/trust_rules.go", "malformed_window", "a rule of trust files"},
	{"keys/window.go", "not_yet_valid", "how a key stands to an instant"},
	{"keys/window.go", "expired", "how a key stands to an instant"},
	{"keys/window.go", "malformed_instant", "how a key stands to an instant"},
	{"keys/window.go", "malformed_window", "how a key stands to an instant"},
	{"internal/bench", "root", "a shape of signing"},
	{"internal/corpus", "signature", "a member of an attestation on the wire"},
	{"internal/corpus", "handshake", "a type of message"},
	{"internal/corpus", "error", "a type of message, and a member of it"},
	{"internal/corpus", "pinned", "a tier in a trust file"},
	{"internal/corpus/generate", "none", "a value of a flag"},
	{"internal/kill", "archive", "the path of a package"},
	{"internal/kill", "error", "the name of a type of Go"},
	{"internal/report", "archive", "the value of --local-id that a report repeats"},
	{"internal/openssh", "none", "the name of no cipher"},
	{"internal/report", "none", "a word of text for people"},
	{"internal/report", "error", "a word of text for people"},
	{"internal/report", "published", "a property of a JUnit report"},
	{"internal/report", "unreadable", "a property of a JUnit report"},
	{"internal/reference", "entry", "a member of a report, or a definition of its schema"},
	{"internal/reference", "error", "a member of a report, or a definition of its schema"},
	{"internal/reference", "published", "a member of a report, or a definition of its schema"},
	{"internal/reference", "record", "a member of a report, or a definition of its schema"},
	{"internal/reference", "root", "a member of a report, or a definition of its schema"},
	{"internal/reference", "unreadable", "a member of a report, or a definition of its schema"},
	{"testvectors", "archive", "part of a case's id"},
	{"testvectors", "cut", "part of a case's id"},
	{"testvectors", "inverted", "part of a case's id"},
	{"testvectors", "none", "part of a case's id"},
	{"testvectors", "entries", "a member of what an op answers"},
	{"testvectors", "entry", "a member of what an op answers"},
	{"testvectors", "error", "a member of a case"},
	{"testvectors", "negative", "a member of the manifest"},
	{"testvectors", "published", "a member of a question"},
	{"testvectors", "record", "a member of what an op answers, and a type of links"},
	{"testvectors", "root", "an op, and a member of questions and answers"},
	{"testvectors", "signature", "a member of questions, and of an attestation on the wire"},
	{"cmd/cgp-attest", "error", "an element of a JUnit report"},
	{"cmd/cgp-attest", "archive", "a value of --local-id"},
	{"cmd/cgp-attest", "signature", "the name of a flag, and a word of text for people"},
	{"cmd/cgp-attest", "none", "a word of text for people"},
	{"cmd/cgp-attest", "root", "the name of a flag"},
	{"cmd/cgp-attest", "record", "the name of a flag"},
}

// A literal is a string constant of a source file that is spelt like a code.
type literal struct {
	word string
	line int
}

// literals returns the string constants of a file that are spelt like a code. Paths of imports are none.
func literals(name string, text []byte, codes map[string]bool) ([]literal, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	var out []literal
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				return true
			}
			if word, err := strconv.Unquote(n.Value); err == nil && codes[word] {
				out = append(out, literal{word, set.Position(n.Pos()).Line})
			}
		}
		return true
	})
	return out, nil
}

// sourceFiles gives every Go file of the module that is no test, by its path below the checkout.
func sourceFiles(t *testing.T, each func(name string, text []byte)) {
	t.Helper()
	root := os.DirFS(publicdata.Root(t))
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." &&
			(base == "testdata" || base == "vendor" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			each(name, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Sets whose codes stand in no report. Each is declared beside what it belongs to, and shares words with those of reports.
var ofNoReport = []string{"exit_codes", "sign_rules", "retain_rules", "trust_rules", "pin_outcomes"}

// words returns the codes that a source file may not spell out. Exit codes are numbers.
func words() map[string]bool {
	codes := make(map[string]bool)
	for _, s := range archive.Catalog() {
		for _, e := range s.Entries {
			if !slices.Contains(ofNoReport, s.Name) {
				codes[e.Code] = true
			}
		}
	}
	return codes
}

// A code is spelt in one place: what stands elsewhere is a constant, or a word that only looks like a code.
func TestCodesAreSpeltOnce(t *testing.T) {
	codes := words()
	spelt, met := make(map[string]bool), make([]bool, len(alsoElse))
	read := 0
	sourceFiles(t, func(name string, text []byte) {
		read++
		if slices.Contains(oracles, name) {
			return
		}
		found, err := literals(name, text, codes)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range found {
			row := slices.IndexFunc(alsoElse, func(row struct{ under, word, what string }) bool {
				return row.word == l.word && (name == row.under || strings.HasPrefix(name, row.under+"/"))
			})
			switch {
			case spelling[name]:
				spelt[l.word] = true
			case row >= 0:
				met[row] = true
			default:
				t.Errorf("%s:%d: %q is a code: use its constant, or say in alsoElse what else it is", name, l.line, l.word)
			}
		}
	})
	for code := range codes {
		if !spelt[code] {
			t.Errorf("code %s is spelt in none of the files that may", code)
		}
	}
	for i, row := range alsoElse {
		if !met[i] {
			t.Errorf("%s has no %q (%s) any more: remove its row", row.under, row.word, row.what)
		}
	}
	if read < 30 {
		t.Errorf("%d source files were read", read)
	}
}

func TestLiterals(t *testing.T) {
	const text = `package p

import _ "valid"

const a = "valid"
const b = ` + "`root_mismatch`" + `

var c = []string{"valid", "is valid", "Valid", "\x76alid"} // "valid"
`
	got, err := literals("p.go", []byte(text), map[string]bool{"valid": true, "root_mismatch": true})
	if err != nil {
		t.Fatal(err)
	}
	want := []literal{{"valid", 5}, {"root_mismatch", 6}, {"valid", 8}, {"valid", 8}}
	if len(got) != len(want) {
		t.Fatalf("literals() = %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("literals()[%d] = %v, want %v", i, got[i], want[i])
		}
	}
}
