package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const lineID = schemaID + "/line"

func compiledLine(t *testing.T) *jsonschema.Schema {
	t.Helper()
	return compile(t, "report-line.schema.json", lineID, whole)
}

// checkLines judges an input and holds every line of the report against the schema of a line.
func checkLines(t *testing.T, v archive.Verifier, input []byte) {
	t.Helper()
	schema := compiledLine(t)
	var out bytes.Buffer
	w := report.NewJSONL(&out, v.Header(), report.Tool{Name: "cgp-attest", Version: "test"})
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(input)), nil }
	summary, err := v.Verify(context.Background(), slices.Values([]archive.Source{{Name: "input", Open: open}}), w)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(summary); err != nil {
		t.Fatal(err)
	}
	lines := 0
	for line := range bytes.Lines(out.Bytes()) {
		lines++
		if err := schema.Validate(decode(t, line)); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
	}
	if lines < 2 {
		t.Errorf("the report has %d lines", lines)
	}
}

// linesOf takes the example apart into the lines that it would be.
func linesOf(t *testing.T) map[string]map[string]any {
	t.Helper()
	whole := example(t).(map[string]any)
	first := func(name string) map[string]any { return whole[name].([]any)[0].(map[string]any) }
	lines := map[string]map[string]any{"answer": first("answers"), "error": first("errors"), "summary": whole["summary"].(map[string]any)}
	delete(whole, "answers")
	delete(whole, "errors")
	delete(whole, "summary")
	lines["header"] = whole
	for kind, line := range lines {
		line["line"] = kind
	}
	return lines
}

func TestLineSchema(t *testing.T) {
	schema := compiledLine(t)
	for kind, line := range linesOf(t) {
		if err := schema.Validate(line); err != nil {
			t.Errorf("%s: rejected: %v", kind, err)
		}
	}
	for kind := range linesOf(t) {
		for other := range linesOf(t) {
			line := linesOf(t)[kind]
			if line["line"] = other; kind != other && schema.Validate(line) == nil {
				t.Errorf("%s called %s: accepted", kind, other)
			}
		}
		line := linesOf(t)[kind]
		line["valid"] = true
		if schema.Validate(line) == nil {
			t.Errorf("%s with an unknown member: accepted", kind)
		}
		for name := range linesOf(t)[kind] {
			line := linesOf(t)[kind]
			delete(line, name)
			if schema.Validate(line) == nil {
				t.Errorf("%s without %s: accepted", kind, name)
			}
		}
	}
	for _, text := range []string{`7`, `{}`, `{"line":"trailer"}`, `{"line":null}`} {
		if schema.Validate(decode(t, []byte(text))) == nil {
			t.Errorf("%s: accepted", text)
		}
	}
	line := linesOf(t)["answer"]
	line["frames"].([]any)[0].(map[string]any)["state"] = "verified"
	if err := schema.Validate(line); err == nil || !strings.Contains(fmt.Sprint(err), "state") {
		t.Errorf("a state that does not exist: %v", err)
	}
}
