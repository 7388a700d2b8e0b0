package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// Every command line that a text gives can be typed: the command is there, and so is each of its flags.
func TestExplainedCommandsExist(t *testing.T) {
	lines := make(map[string]string)
	for _, s := range archive.Catalog() {
		for _, e := range s.Entries {
			lines[e.Next] = e.Code
		}
	}
	for line, code := range lines {
		root := newRootCmd(&environment{stdout: &sticky{}})
		root.InitDefaultHelpCmd() // else it is added when a command runs
		words := strings.Fields(line)
		if words[0] != program {
			t.Errorf("%s: %q is not for %s", code, line, program)
			continue
		}
		cmd, rest, err := root.Find(words[1:])
		if err != nil || cmd == root || !cmd.Runnable() {
			t.Errorf("%s: %q names no command (%v)", code, line, err)
			continue
		}
		if err := cmd.ParseFlags(filled(rest)); err != nil {
			t.Errorf("%s: %q: %v", code, line, err)
			continue
		}
		if err := cmd.ValidateArgs(cmd.Flags().Args()); err != nil {
			t.Errorf("%s: %q: %v", code, line, err)
		}
	}
}

// filled puts numbers where a command line has a name for one.
func filled(words []string) []string {
	words = slices.Clone(words)
	for i, w := range words {
		if w == "BYTES" || w == "N" {
			words[i] = "1"
		}
	}
	return words
}

// Nothing runs over the edge, and nothing is lost at it.
func TestExplainFits(t *testing.T) {
	for _, width := range []int{1, terminal.MinWidth, 80, 200} {
		for _, word := range append(explainable(archive.Catalog()), "") {
			var args []string
			if word != "" {
				args = []string{word}
			}
			text, err := explainText(args, formatText, width)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				line = strings.TrimSuffix(line, "\n")
				if got, most := terminal.Width(line), max(width, terminal.MinWidth); got > most {
					t.Errorf("explain %s in %d columns: a line takes %d: %s", word, width, got, line)
				}
				if strings.HasSuffix(line, " ") {
					t.Errorf("explain %s: a line ends in a space: %q", word, line)
				}
			}
			for _, e := range archive.Explain(word) {
				for _, part := range append([]string{e.Code, e.Proves, e.ProvesNot, e.Next, e.Then, e.Rule}, e.Causes...) {
					if !strings.Contains(bare(string(text)), bare(part)) {
						t.Errorf("explain %s in %d columns lacks: %s", word, width, part)
					}
				}
			}
		}
	}
}

// bare drops white space, which wrapping changes.
func bare(s string) string { return strings.Join(strings.Fields(s), "") }

// What JSON says is what the library says. encoding/json is the second opinion.
func TestExplainJSON(t *testing.T) {
	type entry struct {
		Set, Code  string
		Severity   archive.Severity
		Limit      uint64
		Unit       string
		Proves     string
		ProvesNot  string `json:"proves_not"`
		Causes     []string
		Next, Then string
		Rule       string
	}
	for _, word := range explainable(archive.Catalog()) {
		text, err := explainText([]string{word}, formatJSON, 80)
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ Entries []entry }
		read := json.NewDecoder(bytes.NewReader(text))
		read.DisallowUnknownFields()
		if err := read.Decode(&got); err != nil {
			t.Fatalf("explain %s: %v", word, err)
		}
		want := archive.Explain(word)
		for _, s := range archive.Catalog() {
			if s.Name == word {
				want = s.Entries
			}
		}
		if len(got.Entries) != len(want) {
			t.Fatalf("explain %s: %d entries, want %d", word, len(got.Entries), len(want))
		}
		for i, e := range got.Entries {
			if len(e.Causes) == 0 {
				e.Causes = nil
			}
			have := archive.Entry{Set: e.Set, Code: e.Code, Severity: e.Severity, Limit: e.Limit, Unit: e.Unit, Proves: e.Proves,
				ProvesNot: e.ProvesNot, Causes: e.Causes, Next: e.Next, Then: e.Then, Rule: e.Rule}
			if diff := cmp.Diff(want[i], have); diff != "" {
				t.Errorf("explain %s, entry %d (-want +got):\n%s", word, i, diff)
			}
		}
	}
}

func TestAlike(t *testing.T) {
	known := []string{"valid", "invalid", "valid_identity_only", "0", "1", "130", "commitment_mismatch", "root_mismatch", "root"}
	tests := []struct {
		name string
		want []string
	}{
		{"valid", []string{"valid", "invalid", "valid_identity_only"}},
		{"VALID", []string{"valid", "invalid", "valid_identity_only"}},
		{"vald", []string{"valid"}},
		{"mismatch", []string{"commitment_mismatch", "root_mismatch"}},
		{"root mismatch", []string{"root_mismatch"}},
		{"roo", []string{"root"}},
		{"131", []string{"130"}},
		{"7", nil},
		{"x", nil},
		{"", nil},
	}
	for _, tt := range tests {
		if got := alike(tt.name, known); fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("alike(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
