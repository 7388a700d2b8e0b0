package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

const (
	schemaID = "https://contextgraphprotocol.org/cgp-attest/report/1"
	whole    = ""
)

func decode(t *testing.T, text []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// compiled returns the generated schema, or one of its definitions. Compiling checks it against the meta-schema of its draft.
func compiled(t *testing.T, definition string) *jsonschema.Schema {
	t.Helper()
	return compile(t, "report.schema.json", schemaID, definition)
}

// compile returns a generated schema, or one of its definitions.
func compile(t *testing.T, name, id, definition string) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(id, decode(t, generatedText(t, name))); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id + definition)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// generatedText returns a generated file by its name.
func generatedText(t *testing.T, name string) []byte {
	t.Helper()
	for _, f := range generated(t) {
		if f.name == name {
			return f.text
		}
	}
	t.Fatalf("no %s is generated", name)
	return nil
}

func example(t *testing.T) any {
	t.Helper()
	text, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	return decode(t, text)
}

// An edit sets the value at a place, or removes it. A place is written as a/b/0/c; an object gains a member that it lacks.
type edit struct {
	at     string
	remove bool
	to     string // JSON
}

func (e edit) apply(t *testing.T, root any) {
	t.Helper()
	steps := strings.Split(e.at, "/")
	at := root
	for _, step := range steps[:len(steps)-1] {
		switch v := at.(type) {
		case map[string]any:
			at = v[step]
		case []any:
			at = v[index(t, step)]
		default:
			t.Fatalf("%s: nothing stands at %s", e.at, step)
		}
	}
	last := steps[len(steps)-1]
	switch v := at.(type) {
	case map[string]any:
		if _, there := v[last]; e.remove && !there {
			t.Fatalf("%s is not there to be removed", e.at)
		}
		if e.remove {
			delete(v, last)
			return
		}
		v[last] = decode(t, []byte(e.to))
	case []any:
		v[index(t, last)] = decode(t, []byte(e.to))
	default:
		t.Fatalf("%s: its holder is no object and no array", e.at)
	}
}

func index(t *testing.T, step string) int {
	t.Helper()
	n, err := strconv.Atoi(step)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func set(at, to string) edit { return edit{at: at, to: to} }

func TestSchemaAccepts(t *testing.T) {
	schema := compiled(t, whole)
	const (
		frame     = "answers/0/frames/0"
		signature = frame + "/evidence/0"
		inclusion = frame + "/evidence/1"
	)
	digest := `"sha256:` + strings.Repeat("0", 64) + `"`
	tests := []struct {
		name  string
		edits []edit
	}{
		{"as it stands", nil},
		{"an answer without an id", []edit{set("answers/0/id", "null")}},
		{"a retained answer", []edit{
			set("answers/0/retained", "true"), set("answers/0/proven", `{"leaves":1,"claimed":["7","18446744073709551615"]}`)}},
		{"an unsigned answer", []edit{set("answers/0/root", "null"), set("answers/0/frames", "[]")}},
		{"each record's own instant", []edit{set("received_at", "null")}},
		{"no instant needed", []edit{set("received_at/instant", "null"), set("answers/0/received_at/instant", "null")}},
		{"a leap second and a fraction", []edit{set("received_at/instant", `"2016-12-31T23:59:60.250Z"`)}},
		{"the largest leaf_count", []edit{set(inclusion+"/leaf_count", `"18446744073709551615"`)}},
		{"a digest of another form", []edit{set(frame+"/content_digest", `""`), set(frame+"/content", `"opaque_digest"`)}},
		{"a merely published key", []edit{
			set(signature+"/state", `"constructed"`), set(signature+"/tier", `"published"`), set(signature+"/trusted_for", `"*"`),
		}},
		{"evidence that does not match", []edit{
			set(signature+"/state", `"invalid"`), set(signature+"/verdict", `"commitment_mismatch"`),
			set(signature+"/expected", digest), set(signature+"/signed", digest), set(signature+"/detail", `"why"`),
			{at: signature + "/tier", remove: true}, {at: signature + "/trusted_for", remove: true},
		}},
		{"a malformed frame", []edit{set(frame, `{"position":0,"leaf_index":null,"provider_id":"p","frame_id":"","content_digest":null,
			"state":"malformed_frame","reason":"missing_member","class":"unreadable","commitment":null,"content":"no_content",
			"evidence":[],"detail":"id is missing, want a string"}`), set("answers/0/class", `"unreadable"`)}},
		{"an entry that asserts nothing", []edit{
			set(frame+"/evidence", `[{"kind":"entry","state":"unusable","verdict":"","reason":"empty_entry"}]`),
			set(frame+"/state", `"unusable"`), set(frame+"/class", `"unchecked"`), {at: frame + "/tier", remove: true}}},
		{"a source that cannot be opened", []edit{set("errors/0/code", `"unreadable_source"`), set("errors/0/record", "0")}},
		{"a source that cannot be decompressed", []edit{set("errors/0/code", `"corrupt_compression"`), set("errors/0/record", "0")}},
		{"a source that expands too much", []edit{set("errors/0/code", `"expansion_limit"`), set("errors/0/record", "0")}},
		{"an interrupted run", []edit{set("summary/finished", "false"), set("summary/exit_code", "130")}},
		{"a run excused", []edit{set("summary/exit_zero_applied", "true")}},
	}
	for _, tt := range tests {
		v := example(t)
		for _, e := range tt.edits {
			e.apply(t, v)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: rejected: %v", tt.name, err)
		}
	}
}

// Each row is the example with one fault.
func TestSchemaRejects(t *testing.T) {
	schema := compiled(t, whole)
	const (
		answer    = "answers/0"
		frame     = "answers/0/frames/0"
		signature = frame + "/evidence/0"
		inclusion = frame + "/evidence/1"
		root      = frame + "/evidence/2"
		finding   = "answers/0/findings/0"
		failure   = "errors/0"
	)
	remove := func(at string) edit { return edit{at: at, remove: true} }
	tests := []struct {
		name string
		edit edit
	}{
		{"a retained answer that says nothing of what is proven", set(answer+"/retained", "true")},
		{"a complete answer with a number proven", set(answer+"/proven", `{"leaves":1,"claimed":["7"]}`)},
		{"another version", set("schema", `"cgp-attest/report/2"`)},
		{"an unknown member", set("valid", "true")},
		{"an unknown member of a frame", set(frame+"/valid", "true")},
		{"an unknown member of evidence", set(signature+"/note", `""`)},
		{"an unknown member of the summary", set("summary/skipped", "0")},
		{"an unknown member of the policy", set("policy/allow", "true")},
		{"no policy", remove("policy")},
		{"no summary", remove("summary")},
		{"a level that does not exist", set("policy/require", `"published"`)},
		{"a shortened list of what is not covered", set("not_covered", `["query"]`)},
		{"an instant with an offset", set("received_at/instant", `"2026-08-02T10:00:00+00:00"`)},
		{"an instant from nowhere", set("received_at/source", `"envelope"`)},
		{"an answer without its place", remove(answer + "/record")},
		{"an answer at record 0", set(answer+"/record", "0")},
		{"an offset below 0", set(answer+"/offset", "-1")},
		{"an id that is a number", set(answer+"/id", "3")},
		{"an answer without a root member", remove(answer + "/root")},
		{"a class that does not exist", set(answer+"/class", `"attested"`)},
		{"a root that verifies without a tier", remove(answer + "/root/tier")},
		{"a root whose claims are not called unverified", remove(answer + "/root/unverified_claims")},
		{"a claim beside what is verified", set(answer+"/root/attester_id", `"repo-graph"`)},
		{"a root of identity only", set(answer+"/root/verdict", `"valid_identity_only"`)},
		{"a state of frames on a root", set(answer+"/root/state", `"identity_only"`)},
		{"a state in capitals", set(frame+"/state", `"Attested"`)},
		{"a state that does not exist", set(frame+"/state", `"verified"`)},
		{"a frame without content", remove(frame + "/content")},
		{"a frame without a tier", remove(frame + "/tier")},
		{"a frame of another tier", set(frame+"/tier", `"published"`)},
		{"a negative frame that is good", set(frame+"/state", `"content_mismatch"`)},
		{"an attested frame that is negative", set(frame+"/class", `"negative"`)},
		{"an attested frame without a digest", set(frame+"/content_digest", "null")},
		{"an attested frame without evidence", set(frame+"/evidence", "[]")},
		{"a reason on a frame that is none", set(frame+"/reason", `"missing_member"`)},
		{"a commitment in capitals", set(frame+"/commitment", `"sha256:`+strings.Repeat("B", 64)+`"`)},
		{"a position that is a string", set(frame+"/position", `"0"`)},
		{"evidence without a verdict", remove(signature + "/verdict")},
		{"a verdict that does not exist", set(signature+"/verdict", `"ok"`)},
		{"attested by a bad signature", set(signature+"/verdict", `"bad_signature"`)},
		{"attested without a verdict", set(signature+"/verdict", `""`)},
		{"attested by a published key", set(signature+"/tier", `"published"`)},
		{"attested by nobody's key", remove(signature + "/tier")},
		{"invalid with a good verdict", set(signature+"/state", `"invalid"`)},
		{"unusable without a reason", set(inclusion, `{"kind":"inclusion","state":"unusable","verdict":""}`)},
		{"a mismatch without its values", set(signature, `{"kind":"signature","state":"invalid",
			"verdict":"commitment_mismatch","key_id":"k","unverified_claims":{"attester_id":"a","issued_at":"i"}}`)},
		{"values without a mismatch", set(signature+"/signed", `"sha256:`+strings.Repeat("0", 64)+`"`)},
		{"a leaf_count that is a number", set(inclusion+"/leaf_count", "2")},
		{"a leaf_count with a leading zero", set(inclusion+"/leaf_count", `"02"`)},
		{"a leaf_count on a signature", set(signature+"/leaf_count", `"2"`)},
		{"a key on root evidence", set(root+"/key_id", `"repo-graph-2026-08"`)},
		{"an entry that proves", set(root+"/kind", `"entry"`)},
		{"claims on a proof", set(inclusion+"/unverified_claims", `{"attester_id":"a","issued_at":"b"}`)},
		{"half of the claims", remove(signature + "/unverified_claims/issued_at")},
		{"a finding that does not exist", set(finding+"/code", `"suspicious"`)},
		{"a finding of another severity", set(finding+"/severity", `"note"`)},
		{"an error finding in a good answer", set(finding, `{"code":"root_mismatch","severity":"error","detail":"",
			"entry":null,"position":null,"frame_id":null}`)},
		{"an entry of -1", set(finding+"/entry", "-1")},
		{"a finding without a place", remove(finding + "/position")},
		{"an error that does not exist", set(failure+"/code", `"bad_json"`)},
		{"a record error at record 0", set(failure+"/record", "0")},
		{"a source error at a record", set(failure+"/code", `"unreadable_source"`)},
		{"a compression error at a record", set(failure+"/code", `"corrupt_compression"`)},
		{"an error without its byte", remove(failure + "/at")},
		{"a count that is missing", remove("summary/states/pinned")},
		{"a count of nothing known", set("summary/content/fine", "1")},
		{"a count below 0", set("summary/frames", "-1")},
		{"a count that is a string", set("summary/records", `"7"`)},
		{"eleven files named that were ignored", set("summary/ignored", `["a","b","c","d","e","f","g","h","i","j","k"]`)},
		{"a finding about no input", remove("summary/inputs/0/source")},
		{"a finding about an input of another severity", set("summary/inputs/0/severity", `"error"`)},
		{"a finding about an input that does not exist", set("summary/inputs/0/code", `"twice"`)},
		{"a summary without inputs", remove("summary/inputs")},
		{"a run that judged nothing", set("summary/exit_code", "2")},
		{"good with something unreadable", set("summary/exit_code", "0")},
		{"unchecked with an error finding", set("summary/findings/error", "1")},
		{"unreadable with a negative frame", set("summary/classes/negative", "1")},
		{"partial and called unreadable", set("summary/finished", "false")},
		{"whole and called interrupted", set("summary/exit_code", "130")},
		{"an excuse that is no boolean", set("summary/exit_zero_applied", "0")},
	}
	for _, tt := range tests {
		v := example(t)
		tt.edit.apply(t, v)
		if err := schema.Validate(v); err == nil {
			t.Errorf("%s: accepted", tt.name)
		}
	}
}

// A run is excused from 1, 3 and 4 alone.
func TestSchemaExitZero(t *testing.T) {
	schema := compiled(t, whole)
	for code := range 6 {
		v := example(t)
		set("summary/exit_zero_applied", "true").apply(t, v)
		set("summary/exit_code", strconv.Itoa(code)).apply(t, v)
		if code == 0 { // what else 0 demands
			set("summary/unreadable", "0").apply(t, v)
		}
		got := schema.Validate(v) == nil
		if want := code == 1 || code == 3 || code == 4; got != want {
			t.Errorf("exit_code %d with exit_zero_applied: accepted %v, want %v", code, got, want)
		}
	}
}

// Nothing may stand in a report that the schema does not name: every object that lists its members is closed.
func TestSchemaIsClosed(t *testing.T) {
	objects := 0
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			if v["type"] == "object" {
				objects++
				if v["additionalProperties"] != false && at != "line" { // of a line each kind is closed
					t.Errorf("%s is open", at)
				}
			}
			for name, member := range v {
				walk(at+"/"+name, member)
			}
		case []any:
			for i, element := range v {
				walk(at+"/"+strconv.Itoa(i), element)
			}
		}
	}
	walk("report", decode(t, generatedText(t, "report.schema.json")))
	walk("line", decode(t, generatedText(t, "report-line.schema.json")))
	if objects < 40 {
		t.Errorf("%d objects were looked at", objects)
	}
}

// What is written is what the schema describes.
func TestSchemaAcceptsWhatIsWritten(t *testing.T) {
	schema := compiled(t, whole)
	for name, input := range map[string]string{
		"empty":     "",
		"no JSON":   "{]\n[1,",
		"no frames": `{"frames":[]}`,
		"unsigned":  `{"type":"frames","result":{"frames":[{"id":"a","content":"x"},{"id":3},7]}}`,
		"twice":     `{"type":"frames","result":{"frames":[{"id":"a","id":"b"}]}}`,
		"unusable": `{"frames":[{"id":"a"}],"result_attestation":{},
			"frame_attestations":[{"frame":{"provider_id":"p","frame_id":"a"},"attestation":{"key_id":"k"},"inclusion_proof":7}]}`,
	} {
		t.Run(name, func(t *testing.T) { checkWritten(t, schema, []byte(input)) })
	}
	for _, name := range []string{"leaf_count_is_a_claim", "contradicting_proofs"} {
		t.Run(name, func(t *testing.T) {
			kept, err := os.ReadFile(filepath.Join(publicdata.Root(t), "archive", "testdata", "minimal", name+".ndjson"))
			if err != nil {
				t.Fatal(err)
			}
			checkWritten(t, schema, kept)
		})
	}
	t.Run("published example", func(t *testing.T) {
		checkWritten(t, schema, publicdata.Shared(t, "vectors/reference-messages.json"))
	})
}

func checkWritten(t *testing.T, schema *jsonschema.Schema, input []byte) {
	t.Helper()
	for _, p := range []archive.Policy{
		{}, {Require: archive.RequireConstructed, AllowOpaqueDigest: true}, {Frames: []string{"a"}}, {Retained: true},
	} {
		v := archive.Verifier{Policy: p}
		var out bytes.Buffer
		w := report.NewJSON(&out, v.Header(), report.Tool{Name: "cgp-attest", Version: "test"})
		open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(input)), nil }
		summary, err := v.Verify(context.Background(), slices.Values([]archive.Source{{Name: "input", Open: open}}), w)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Close(summary); err != nil {
			t.Fatal(err)
		}
		checkLines(t, v, input)
		if err := schema.Validate(decode(t, out.Bytes())); err != nil {
			t.Errorf("%v\n%s", err, &out)
		}
	}
}

// The schema's lists are the tables: a code that is new, or gone, shows in it.
func TestSchemaEnumerates(t *testing.T) {
	text := string(generatedText(t, "report.schema.json"))
	ofNoReport := []string{"exit_codes", "limits", "sign_rules", "retain_rules", "trust_rules", "pin_outcomes"}
	for _, s := range archive.Catalog() {
		if slices.Contains(ofNoReport, s.Name) {
			continue
		}
		for _, e := range s.Entries {
			if !strings.Contains(text, `"`+e.Code+`"`) {
				t.Errorf("%s of %s is not in the schema", e.Code, s.Name)
			}
		}
	}
}
