package main

import (
	"fmt"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A reason stands beside unverifiable, and nowhere else.
func TestSchemaLinks(t *testing.T) {
	link := compiled(t, "#/$defs/link")
	reasons := []string{"", "start_past_end", "outside_roots"}
	n := 0
	for _, status := range archive.LinkStatuses() {
		for _, reason := range reasons {
			n++
			accepts(t, link, (status == "unverifiable") == (reason != ""),
				fmt.Sprintf(`{"link":0,"uri":null,"status":%q%s}`, status, optional("reason", reason)))
		}
	}
	if n != 15 {
		t.Errorf("%d pairs of status and reason were tried, want 15", n)
	}
	for _, bad := range []string{
		`{"uri":null,"status":"match"}`, `{"link":0,"status":"match"}`, `{"link":0,"uri":null}`, `{"link":-1,"uri":null,"status":"match"}`,
		`{"link":0,"uri":7,"status":"match"}`, `{"link":0,"uri":"u","status":"fine"}`, `{"link":0,"uri":"u","status":"unverifiable","reason":"expired"}`,
	} {
		accepts(t, link, false, bad)
	}
}

// Where links were read again, what they came to binds the exit code; where not, nothing is said of them.
func TestSchemaProvenance(t *testing.T) {
	schema := compiled(t, whole)
	const frame = "answers/0/frames/0"
	counts := func(mismatch, unverifiable, missing int) edit {
		return set("summary/provenance", fmt.Sprintf(`{"match":2,"mismatch":%d,"unverifiable":%d,"missing":%d,"not_file":1}`,
			mismatch, unverifiable, missing))
	}
	code := func(c int) []edit {
		return []edit{set("summary/exit_code", fmt.Sprint(c)), set("summary/unreadable", "0")}
	}
	malformed := []edit{
		set(frame+"/state", `"malformed_frame"`), set(frame+"/class", `"unreadable"`), set(frame+"/reason", `"missing_member"`),
		set(frame+"/evidence", "[]"), set(frame+"/commitment", "null"), set(frame+"/leaf_index", "null"), {at: frame + "/tier", remove: true},
	}
	tests := []struct {
		name  string
		edits []edit
		want  bool
	}{
		{"links", []edit{set(frame+"/provenance", `[{"link":0,"uri":"u","status":"match"},{"link":1,"uri":null,"status":"not_file"}]`)}, true},
		{"no links", []edit{set(frame+"/provenance", "[]")}, true},
		{"null", []edit{set(frame+"/provenance", "null")}, false},
		{"a malformed frame", malformed, true},
		{"links of a malformed frame", append(malformed, set(frame+"/provenance", "[]")), false},
		{"roots", []edit{set("policy/source_roots", `["file:///repo/=."]`)}, true},
		{"a root", []edit{set("policy/source_roots", `"."`)}, false},
		{"0, all match", append(code(0), counts(0, 0, 0)), true},
		{"0, a mismatch", append(code(0), counts(1, 0, 0)), false},
		{"0, unverifiable", append(code(0), counts(0, 1, 0)), false},
		{"0, missing", append(code(0), counts(0, 0, 1)), false},
		{"3, missing", append(code(3), counts(0, 0, 1)), true},
		{"3, a mismatch", append(code(3), counts(1, 0, 0)), false},
		{"1, a mismatch", append(code(1), counts(1, 0, 0)), true},
		{"a count is missing", []edit{set("summary/provenance", `{"match":2}`)}, false},
	}
	for _, tt := range tests {
		v := example(t)
		for _, e := range tt.edits {
			e.apply(t, v)
		}
		if err := schema.Validate(v); (err == nil) != tt.want {
			t.Errorf("%s: accepted %v, want %v\n%v", tt.name, err == nil, tt.want, err)
		}
	}
}
