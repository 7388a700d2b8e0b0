package keys

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// badTrust has, for every file of testdata/trust, the message of its one fault. A file is named after the rule that it breaks.
var badTrust = map[string]string{
	"duplicate_key_id":               `line 15, providers["docs"][2].key_id: duplicate_key_id: "k" stands in providers["docs"][0] already`,
	"duplicate_member":               `line 8, duplicate_member: duplicate member name at byte 216: "key_id"`,
	"duplicate_member_escaped":       `line 8, duplicate_member: duplicate member name at byte 216: "key_id"`,
	"duplicate_member_format":        `line 3, duplicate_member: duplicate member name at byte 40: "format"`,
	"duplicate_member_provider":      `line 5, duplicate_member: duplicate member name at byte 75: "docs"`,
	"empty_key_id":                   `line 5, providers["docs"][0].key_id: empty_key_id: it is empty`,
	"empty_provider_id":              `line 3, providers: empty_provider_id: it is empty`,
	"fingerprint_mismatch":           `line 8, providers["docs"][0].fingerprint: fingerprint_mismatch: "sha256:0000000000000000000000000000000000000000000000000000000000000000", the key beside it has ` + rfc8032Fingerprint,
	"fingerprint_mismatch_uppercase": `line 8, providers["docs"][0].fingerprint: fingerprint_mismatch: "sha256:21FE31DFA154A261626BF854046FD2271B7BED4B6ABE45AA58877EF47F9721B9", the key beside it has ` + rfc8032Fingerprint,
	"invalid_utf8":                   `line 3, invalid_utf8: invalid UTF-8 at byte 57: found byte 0xFF`,
	"inverted_window":                `line 9, providers["docs"][0].not_after: inverted_window: not_after is 2027-07-31T23:59:59.49Z, earlier than not_before, 2027-07-31T23:59:59.5Z`,
	"malformed_json":                 `line 9, malformed_json: not JSON at byte 218: found ']', expected a value`,
	"malformed_json_byte_order_mark": `line 1, malformed_json: byte order mark at byte 0: the input starts with EF BB BF, want UTF-8 without a mark`,
	"malformed_json_cut":             `line 9, malformed_json: input ends inside a value at byte 220: expected a comma or }`,
	"malformed_json_empty":           `line 1, malformed_json: not JSON at byte 0: there is no value`,
	"malformed_json_lone_surrogate":  `line 5, malformed_json: lone surrogate at byte 88: "\\ud800"`,
	"malformed_json_two_values":      `line 11, malformed_json: more bytes behind the value at byte 223: found '{'`,
	"malformed_public_key":           `line 7, providers["docs"][0].public_key: malformed_public_key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511", want 64 hexadecimal digits`,
	"malformed_public_key_long":      `line 7, providers["docs"][0].public_key: malformed_public_key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a00", want 64 hexadecimal digits`,
	"malformed_public_key_not_hex":   `line 7, providers["docs"][0].public_key: malformed_public_key: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511z", want 64 hexadecimal digits`,
	"malformed_window":               `line 8, providers["docs"][0].not_after: malformed_window: malformed instant "2027-02-29T00:00:00Z": day 29, want 1 to 28`,
	"malformed_window_empty":         `line 8, providers["docs"][0].not_before: malformed_window: malformed instant "": 0 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ`,
	"malformed_window_offset":        `line 8, providers["docs"][0].not_before: malformed_window: malformed instant "2027-02-28T00:00:00+00:00": want it to end with "Z"`,
	"missing_member":                 `line 4, providers["docs"][0]: missing_member: key_id is missing`,
	"missing_member_algorithm":       `line 4, providers["docs"][0]: missing_member: algorithm is missing`,
	"missing_member_null":            `line 4, providers["docs"][0]: missing_member: public_key is missing`,
	"too_many_pinned":                `line 100, providers["docs"][16]: too_many_pinned: more than 16 pinned keys of one provider`,
	"unknown_member":                 `line 8, providers["docs"][0]: unknown_member: "not_afer", want one of key_id, algorithm, public_key, fingerprint, not_before, not_after, tier`,
	"unknown_member_case":            `line 8, providers["docs"][0]: unknown_member: "Tier", want one of key_id, algorithm, public_key, fingerprint, not_before, not_after, tier`,
	"unknown_member_file":            `line 3, unknown_member: "comment", want format or providers`,
	"unknown_tier":                   `line 8, providers["docs"][0].tier: unknown_tier: "trusted", want "configured" or "pinned"`,
	"unsupported_algorithm":          `line 6, providers["docs"][0].algorithm: unsupported_algorithm: "ml-dsa-65", want "ed25519"`,
	"unsupported_algorithm_case":     `line 6, providers["docs"][0].algorithm: unsupported_algorithm: "Ed25519", want "ed25519"`,
	"unsupported_format":             `line 2, format: unsupported_format: "contextgraph-trust/2", want "contextgraph-trust/1"`,
	"unsupported_format_case":        `line 2, format: unsupported_format: "ContextGraph-Trust/1", want "contextgraph-trust/1"`,
	"unsupported_format_missing":     `line 1, format: unsupported_format: no format, want "contextgraph-trust/1"`,
	"unsupported_format_null":        `line 2, format: unsupported_format: null, want "contextgraph-trust/1"`,
	"weak_public_key":                `line 7, providers["docs"][0].public_key: weak_public_key: malformed key: its point has small order`,
	"weak_public_key_not_canonical":  `line 7, providers["docs"][0].public_key: weak_public_key: malformed key: its encoding is not canonical`,
	"weak_public_key_off_curve":      `line 7, providers["docs"][0].public_key: weak_public_key: malformed key: it encodes no point of the curve`,
	"wrong_type":                     `line 5, providers["docs"][0].key_id: wrong_type: a number, want a string`,
	"wrong_type_file":                `line 1, wrong_type: the file is an array, want an object`,
	"wrong_type_key":                 `line 4, providers["docs"][0]: wrong_type: a string, want an object`,
	"wrong_type_provider":            `line 3, providers["docs"]: wrong_type: null, want an array`,
	"wrong_type_providers":           `line 3, providers: wrong_type: an array, want an object`,
	"wrong_type_tier":                `line 8, providers["docs"][0].tier: wrong_type: a boolean, want a string`,
	"wrong_type_window":              `line 8, providers["docs"][0].not_after: wrong_type: a number, want a string`,
}

func trustFiles(t testing.TB, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "trust", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no file %s in testdata/trust (%v)", pattern, err)
	}
	return names
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func checkBad(t *testing.T, name string, data []byte, want string) *TrustFault {
	t.Helper()
	faults := LintStore(data)
	if len(faults) != 1 || faults[0].Error() != want {
		t.Fatalf("%s: LintStore = %q, want %q alone", name, faults, want)
	}
	s, err := ParseStore(data)
	var first *TrustFault
	if s != nil || !errors.As(err, &first) || err.Error() != "keys: trust file: "+want {
		t.Errorf("%s: ParseStore = %v, %v, want the same fault and no store", name, s, err)
	}
	return faults[0]
}

func TestTrustRules(t *testing.T) {
	covered := map[Rule]int{RuleTooLarge: 1} // TestTrustFileSize
	files := trustFiles(t, "*.json")
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		want, ok := badTrust[name]
		if !ok {
			t.Errorf("%s: no message in the table", file)
			continue
		}
		f := checkBad(t, name, readFile(t, file), want)
		if covered[f.Rule]++; !strings.HasPrefix(name, string(f.Rule)) {
			t.Errorf("%s breaks %s", name, f.Rule)
		}
	}
	if len(files) != len(badTrust) {
		t.Errorf("%d files for a table of %d", len(files), len(badTrust))
	}
	for _, rule := range TrustRules() {
		if covered[rule] == 0 {
			t.Errorf("no file breaks %s", rule)
		}
	}
	for rule := range covered {
		if !slices.Contains(TrustRules(), rule) {
			t.Errorf("TrustRules lacks %s", rule)
		}
	}
}

// The documents name every rule.
func TestTrustRulesAreDocumented(t *testing.T) {
	page := string(readFile(t, "../docs/formats.md"))
	for _, rule := range TrustRules() {
		if !strings.Contains(page, "`"+string(rule)+"`") {
			t.Errorf("docs/formats.md does not name %s", rule)
		}
	}
}

// The reason behind a fault can be asked for.
func TestTrustFaultUnwraps(t *testing.T) {
	for name, want := range map[string]error{
		"weak_public_key": sign.ErrMalformedKey, "malformed_window": commitment.ErrMalformedInstant,
		"duplicate_member": strictjson.ErrDuplicateMember, "malformed_json_cut": strictjson.ErrCut,
	} {
		if _, err := ParseStore(testFile(t, "trust/"+name+".json")); !errors.Is(err, want) {
			t.Errorf("%s: %v, want an error that wraps %v", name, err, want)
		}
	}
}

func TestTrustFileSize(t *testing.T) {
	data := testFile(t, "trust/good/nulls.json")
	padded := append(slices.Clone(data), strings.Repeat(" ", MaxTrustFile-len(data))...)
	if s, err := ParseStore(padded); err != nil || s.Len() != 1 {
		t.Errorf("at the limit: %v, want a store", err)
	}
	checkBad(t, "over the limit", append(padded, '\n'), "too_large: more than 1048576 bytes")
	// Where even the limit on the number of members is that of the size.
	var many strings.Builder
	many.WriteString(`{"format":"contextgraph-trust/1","providers":{`)
	for i := range 100_001 {
		fmt.Fprintf(&many, `"%x":[],`, i)
	}
	if s, err := ParseStore([]byte(strings.TrimSuffix(many.String(), ",") + "}}")); err != nil || s.Len() != 0 {
		t.Errorf("100,001 providers without keys: %v", err)
	}
}

// Every rule that is broken is named, in the order of the file.
func TestLintNamesAll(t *testing.T) {
	const file = `{"providers": {
 "": [],
 "docs": [ 7,
  {"key_id": "", "tier": "x", "usage": 1, "algorithm": "rsa", "public_key": "00"},
  {"key_id": "k", "algorithm": "ed25519", "public_key": "00", "not_before": "never"},
  {"key_id": "k", "algorithm": "ed25519"} ],
 "wiki": {}
}, "format": "contextgraph-trust/1", "x": 0}
`
	want := `line 2, providers: empty_provider_id: it is empty
line 3, providers["docs"][0]: wrong_type: a number, want an object
line 4, providers["docs"][1].key_id: empty_key_id: it is empty
line 4, providers["docs"][1].tier: unknown_tier: "x", want "configured" or "pinned"
line 4, providers["docs"][1]: unknown_member: "usage", want one of key_id, algorithm, public_key, fingerprint, not_before, not_after, tier
line 4, providers["docs"][1].algorithm: unsupported_algorithm: "rsa", want "ed25519"
line 5, providers["docs"][2].public_key: malformed_public_key: "00", want 64 hexadecimal digits
line 5, providers["docs"][2].not_before: malformed_window: malformed instant "never": 5 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ
line 6, providers["docs"][3]: missing_member: public_key is missing
line 6, providers["docs"][3].key_id: duplicate_key_id: "k" stands in providers["docs"][2] already
line 7, providers["wiki"]: wrong_type: an object, want an array
line 8, unknown_member: "x", want format or providers
`
	var got strings.Builder
	for _, f := range LintStore([]byte(file)) {
		fmt.Fprintln(&got, f)
	}
	if got.String() != want {
		t.Errorf("LintStore:\n%swant:\n%s", &got, want)
	}
}

// What a message repeats is quoted and cut.
func TestTrustFaultIsBounded(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, text := range []string{
		`{"format":"` + long + `"}`,
		`{"format":"contextgraph-trust/1","` + long + `":1}`,
		`{"format":"contextgraph-trust/1","providers":{"` + long + `":[{"` + long + `":1}]}}`,
		`{"format":"contextgraph-trust/1","providers":{"a":[{"key_id":"` + long + `","algorithm":"` + long + `","public_key":"` + long +
			`","fingerprint":"` + long + `","not_before":"` + long + `","tier":"` + long + `"},{"key_id":"` + long + `"}]}}`,
		`{"format":"contextgraph-trust/1","providers":{"a":[{"key_id":"k","algorithm":"ed25519","public_key":"` + long + `"}]}}`,
	} {
		for _, f := range LintStore([]byte(text)) {
			if len(f.Error()) > 600 {
				t.Errorf("%d bytes: %.200s", len(f.Error()), f)
			}
		}
	}
}

// strictReader runs testdata/trust_reader.py, which was written from the text of the format, and returns a line a file.
func strictReader(t *testing.T, files ...string) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal(err)
		}
		t.Skip("no python3 for the independent reader")
	}
	cmd := exec.Command(python, append([]string{"testdata/trust_reader.py"}, files...)...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != len(files) {
		t.Fatalf("the reader says %d lines of %d files", len(lines), len(files))
	}
	return lines
}

// A reader in another language refuses every bad file, and takes every good one as it is and as it is written here.
func TestStrictReader(t *testing.T) {
	bad := trustFiles(t, "*.json")
	for i, line := range strictReader(t, bad...) {
		if !strings.HasPrefix(line, "reject ") {
			t.Errorf("%s: the reader says %q", bad[i], line)
		}
	}
	good := trustFiles(t, "good/*.json")
	for _, name := range good {
		s, err := ParseStore(readFile(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		written := filepath.Join(t.TempDir(), filepath.Base(name))
		if err := SaveStore(written, s); err != nil {
			t.Fatal(err)
		}
		good = append(good, written)
	}
	for i, line := range strictReader(t, good...) {
		if line != "accept" {
			t.Errorf("%s: the reader says %q", good[i], line)
		}
	}
}
