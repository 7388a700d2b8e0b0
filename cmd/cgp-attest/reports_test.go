package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// Readers of other makes: a line for each count, and for the exit code.
const (
	sarifReader = `
import json, sys
run = json.load(open(sys.argv[1], encoding="utf-8"))["runs"][0]
summary = run["properties"]["summary"]
for title in ("empty_answers", "classes", "states", "evidence", "content", "findings"):
    for code, n in summary[title].items(): print(title + "." + code, n)
for name in ("records", "answers", "frames", "unreadable"): print(name, summary[name])
print("exit_code", run["invocations"][0]["exitCode"])
`
	junitReader = `
import sys, xml.etree.ElementTree as ET
suites = ET.parse(sys.argv[1]).getroot()
wanted = ("empty_answers.", "classes.", "states.", "evidence.", "content.", "findings.")
for p in suites[0].find("properties"):
    if p.get("name").startswith(wanted) or p.get("name") in ("records", "answers", "frames", "unreadable", "exit_code"):
        print(p.get("name"), p.get("value"))
`
)

// foreign runs a reader that is no code of ours, and returns its lines by their first word.
func foreign(t *testing.T, script, file string) map[string]string {
	t.Helper()
	out, err := exec.Command("python3", "-c", script, file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		lines[name] = value
	}
	return lines
}

// Three formats of one run agree in every count and the exit code, are of their schemas, and can be read by others.
func TestReportsAgree(t *testing.T) {
	for _, tool := range []string{"python3", "xmllint"} {
		if ok, err := haveOracle(tool); err != nil {
			t.Fatal(err)
		} else if !ok {
			t.Skipf("no %s", tool)
		}
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	sarif, err := compiler.Compile(publicdata.SharedPath(t, "schemas/sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	inputs, err := filepath.Glob(filepath.Join(publicdata.Root(t), "archive", "testdata", "minimal", "*.ndjson"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%d minimal inputs, %v", len(inputs), err)
	}
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.ndjson")
	if err := os.WriteFile(broken, []byte("{\n"+`{"type":"frames","result":{"frames":[]}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	all := append([]string{broken, filepath.Join(dir, "missing.json")}, inputs...)
	sets := [][]string{all}
	for _, in := range all {
		sets = append(sets, []string{in})
	}
	var written []string // validated at once: starting xmllint for each takes most of the time
	for i, set := range sets {
		s, x := filepath.Join(dir, fmt.Sprintf("%d.sarif", i)), filepath.Join(dir, fmt.Sprintf("%d.xml", i))
		args := append([]string{"--keys", inputKeys(t, dir), "--format", "json", "--report", "sarif=" + s, "--report", "junit=" + x}, set...)
		raw, code := runVerify(t, args)
		data, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if err := sarif.Validate(value); err != nil {
			t.Errorf("%q: %v", set, err)
		}
		written = append(written, x)
		if i > 0 {
			continue
		}
		var report struct{ Summary map[string]any }
		if err := json.Unmarshal(raw, &report); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for title, value := range report.Summary {
			switch value := value.(type) {
			case map[string]any:
				for code, n := range value {
					want[title+"."+code] = fmt.Sprint(n)
				}
			case float64:
				want[title] = fmt.Sprint(value)
			}
		}
		for _, name := range []string{"sources", "passed_over", "ignored_files"} {
			delete(want, name)
		}
		if want["exit_code"] != fmt.Sprint(code) || want["frames"] == "0" {
			t.Fatalf("exit %d of %v", code, want)
		}
		for name, got := range map[string]map[string]string{"SARIF": foreign(t, sarifReader, s), "JUnit": foreign(t, junitReader, x)} {
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-JSON +%s):\n%s", name, name, diff)
			}
		}
	}
	schema := publicdata.SharedPath(t, "schemas/junit-ant.xsd")
	if out, err := exec.Command("xmllint", append([]string{"--noout", "--nonet", "--schema", schema}, written...)...).CombinedOutput(); err != nil {
		t.Errorf("xmllint: %v: %s", err, out)
	}
}

// inputKeys writes a file of published keys with that of the minimal inputs.
func inputKeys(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "keys.json")
	text := fmt.Sprintf(`[{"key_id":"k1","algorithm":"ed25519","public_key":%q}]`, fixturePublicKey)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Names of files that no format was made for.
func TestReportsOfHostileNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("file systems that refuse such names")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"<script>]]>.json", "\xff.json", "a\nb\x1b[2J\u202e.json", "[x](https:evil){0}.json", "-", " ", "stdin"} {
		path := name
		if name == "-" {
			path = "./-"
		}
		if err := os.WriteFile(path, []byte(`{"type":"frames","result":{"frames":[{"id":"]]>\u0000<b>\u202e"}]}}`), 0o644); err != nil {
			t.Fatal(err)
		}
		env, _, words := testEnvironment("")
		env.now = func() time.Time { return time.Time{} }
		if code := run(context.Background(), env, []string{"verify", "--report", "sarif=out.sarif", "--report", "junit=out.xml", path}); code != 3 {
			t.Fatalf("%q: exit %d: %s", name, code, words)
		}
		var log struct {
			Runs []struct {
				Results []struct {
					Locations []struct {
						PhysicalLocation struct{ ArtifactLocation struct{ URI string } }
					}
				}
			}
		}
		data, err := os.ReadFile("out.sarif")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &log); err != nil || len(log.Runs) != 1 || len(log.Runs[0].Results) == 0 {
			t.Fatalf("%q: %v in %s", name, err, data)
		}
		// The URI leads to the file again, as curl and browsers read it.
		uri := log.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation.URI
		var parts []byte
		for i := 0; i < len(uri); i++ {
			c := uri[i]
			if c == '%' {
				if _, err := fmt.Sscanf(uri[i+1:i+3], "%02X", &c); err != nil {
					t.Fatal(err)
				}
				i += 2
			}
			parts = append(parts, c)
		}
		if string(parts) != path {
			t.Errorf("%q is at %q", path, uri)
		}
		var suites struct {
			Suites []struct {
				Name string `xml:"name,attr"`
			} `xml:"testsuite"`
		}
		if data, err = os.ReadFile("out.xml"); err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(data, &suites); err != nil || len(suites.Suites) != 2 {
			t.Errorf("%q: %v, suites %+v", name, err, suites)
		}
	}
}
