package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// reportSummary is what a JSON report says of a whole run.
type reportSummary struct {
	Answers []struct {
		Frames   []struct{ State string }
		Findings []struct{ Code string }
	}
	Summary struct {
		Classes, States, Evidence, Content, Provenance, Findings map[string]uint64
		ExitCode                                                 int    `json:"exit_code"`
		ExitReason                                               string `json:"exit_reason"`
		Inputs                                                   []struct{ Code string }
	}
}

// Every state and finding there is, in runs over all of the minimal inputs, the first of them twice: the counts and the exit code
// of text and JSON are the same, every report and every line is one of the generated schemas, and a report in one format is,
// converted, the one in another.
func TestFormatsAgree(t *testing.T) {
	inputs, err := filepath.Glob(filepath.Join(publicdata.Root(t), "archive", "testdata", "minimal", "*.ndjson"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("%d minimal inputs, %v", len(inputs), err)
	}
	dir := t.TempDir()
	trust := func(name, local, rest string) string {
		path := filepath.Join(dir, name)
		text := fmt.Sprintf(`{"format":"contextgraph-trust/1","providers":{%q:[{"key_id":"k1","algorithm":"ed25519","public_key":%q%s}]}}`,
			local, fixturePublicKey, rest)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	states, findings := make(map[string]bool), make(map[string]bool)
	for _, flags := range [][]string{
		{"--trust", trust("configured.json", "docs", "")},
		{"--trust", trust("pinned.json", "docs", `,"tier":"pinned"`), "--require", "pinned"},
		{"--trust", trust("lapsed.json", "docs", `,"not_after":"2026-07-31T23:59:59Z"`)},
		{"--trust", trust("ours.json", "our-docs", ""), "--local-id", "our-docs"},
		{"--trust", trust("again.json", "docs", ""), "--source-root", filepath.Join(publicdata.Root(t), "archive", "testdata", "sources")},
		nil,
	} {
		args := slices.Concat(flags, inputs, inputs[:1])
		raw, jsonCode := runVerify(t, append([]string{"--format", "json"}, args...))
		checkReportSchema(t, raw)
		var report reportSummary
		if err := json.Unmarshal(raw, &report); err != nil {
			t.Fatal(err)
		}
		for _, a := range report.Answers {
			for _, f := range a.Frames {
				states[f.State] = true
			}
			for _, f := range a.Findings {
				findings[f.Code] = true
			}
		}
		for _, f := range report.Summary.Inputs {
			findings[f.Code] = true
		}
		lines, linesCode := runVerify(t, append([]string{"--format", "jsonl"}, args...))
		checkLineSchema(t, lines)
		if !bytes.Equal(convertReportText(t, raw, "jsonl"), lines) || !bytes.Equal(convertReportText(t, lines, "json"), raw) || linesCode != jsonCode {
			t.Errorf("%v: converted, json and jsonl are not those that the runs write, or the exit codes %d and %d differ", flags, jsonCode, linesCode)
		}
		text, textCode := runVerify(t, args)
		if converted := convertReportText(t, raw, "text"); textOfCounts(converted) != textOfCounts(text) {
			t.Errorf("%v: converted to text the counts are\n%s\nwant\n%s", flags, textOfCounts(converted), textOfCounts(text))
		}
		s := report.Summary
		counts := map[string]map[string]uint64{
			"Classes": s.Classes, "States": s.States, "Evidence": s.Evidence, "Content": s.Content, "Findings": s.Findings,
			"Provenance": s.Provenance,
		}
		for title, want := range counts {
			maps.DeleteFunc(want, func(_ string, n uint64) bool { return n == 0 })
			if got := textCounts(t, string(text), title); !maps.Equal(got, want) {
				t.Errorf("%v: %s are %v as text, %v as JSON", flags, title, got, want)
			}
		}
		checkPeople(t, args, counts, s.ExitCode)
		ending := regexp.MustCompile(`(?m)^exit (\d+): `).FindStringSubmatch(string(text))
		if ending == nil || ending[1] != strconv.Itoa(s.ExitCode) || jsonCode != s.ExitCode || textCode != s.ExitCode {
			t.Errorf("%v: text ends with %q, the runs with %d and %d, JSON says %d", flags, ending, textCode, jsonCode, s.ExitCode)
		}
	}
	for _, s := range archive.States() {
		if !states[string(s)] {
			t.Errorf("no run shows the state %s", s)
		}
	}
	for _, set := range archive.Catalog() {
		for _, e := range set.Entries {
			if e.Severity != "" && !findings[e.Code] {
				t.Errorf("no run shows the finding %s", e.Code)
			}
		}
	}
}

// textOfCounts is the part of a text report behind its lists and hints.
func textOfCounts(text []byte) string {
	_, counts, _ := strings.Cut(string(text), "\nRead: ")
	return counts
}

// convertReportText runs report convert.
func convertReportText(t *testing.T, text []byte, format string) []byte {
	t.Helper()
	env, out, words := testEnvironment(string(text))
	if code := run(context.Background(), env, []string{"report", "convert", "--format", format, "-"}); code != 0 {
		t.Fatalf("report convert exits %d: %s", code, words)
	}
	return out.Bytes()
}

func runVerify(t *testing.T, args []string) (stdout []byte, code int) {
	t.Helper()
	env, out, words := testEnvironment("")
	env.now = func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) }
	code = run(context.Background(), env, append([]string{"verify"}, args...))
	if out.Len() == 0 {
		t.Fatalf("verify %v prints nothing and exits %d: %s", args, code, words)
	}
	return out.Bytes(), code
}

func checkReportSchema(t *testing.T, report []byte) {
	t.Helper()
	checkSchema(t, "report.schema.json", report)
}

// checkLineSchema checks every line of a report of lines.
func checkLineSchema(t *testing.T, report []byte) {
	t.Helper()
	lines := slices.Collect(bytes.Lines(report))
	if len(lines) < 10 {
		t.Errorf("the report has %d lines", len(lines))
	}
	checkSchema(t, "report-line.schema.json", lines...)
}

func checkSchema(t *testing.T, name string, texts ...[]byte) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(publicdata.Root(t), "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("what is written is none of %s: %v", name, err)
		}
	}
}

// textCounts reads the counts behind a title back out of a text report.
func textCounts(t *testing.T, text, title string) map[string]uint64 {
	t.Helper()
	counts := make(map[string]uint64)
	_, rest, found := strings.Cut(strings.ReplaceAll(text, "\n    ", " "), "\n"+title+": ")
	if !found {
		return counts
	}
	line, _, _ := strings.Cut(rest, "\n")
	for _, m := range regexp.MustCompile(`([a-z_]+) (\d+)`).FindAllStringSubmatch(line, -1) {
		n, err := strconv.ParseUint(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if n > 0 {
			counts[m[1]] = n
		}
	}
	return counts
}
