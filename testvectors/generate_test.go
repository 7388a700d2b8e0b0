package testvectors

import (
	"bytes"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestGeneratedIsReleased fails where the embedded files are not what the program makes: run make generate.
func TestGeneratedIsReleased(t *testing.T) {
	released, err := Released()
	if err != nil {
		t.Fatal(err)
	}
	all, err := Generate(released)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		old, err := fs.ReadFile(FS(), name)
		if err != nil || !bytes.Equal(old, text) {
			t.Errorf("%s is stale (%v): run make generate", name, err)
		}
	}
	err = fs.WalkDir(FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && all[name] == nil {
			t.Errorf("%s is embedded, and no file of a release", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestMakeIsDeterministic(t *testing.T) {
	var sums [2]map[string][]byte
	for i := range sums {
		made, err := Make()
		if err != nil {
			t.Fatal(err)
		}
		if sums[i], err = files(made); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range sums[0] {
		if !bytes.Equal(text, sums[1][name]) {
			t.Errorf("%s is another each time", name)
		}
	}
}

// A released case stays: of its members only those that are words about it may change.
func TestReleasedCasesStay(t *testing.T) {
	load := func() []*File {
		released, err := Released()
		if err != nil {
			t.Fatal(err)
		}
		return released
	}
	find := func(files []*File, id string) *Case {
		for _, f := range files {
			for _, c := range f.Cases {
				if c.ID == id {
					return c
				}
			}
		}
		t.Fatalf("there is no case %s", id)
		return nil
	}
	const id = "proof-leafcount-8-7-3"
	for member, change := range map[string]func(*Case){
		memberInput:    func(c *Case) { c.Input = c.Input.with("frames", integer(8)) },
		memberExpect:   func(c *Case) { c.Expect = Result{Verdict: valid} },
		memberSteps:    func(c *Case) { c.Steps = object("leaf", "00") },
		memberBase:     func(c *Case) { c.Base = "proof-7-3" },
		memberMutation: func(c *Case) { c.Mutation.Op = "add" },
		memberNearMiss: func(c *Case) { c.NearMiss = nil },
		memberPolicy:   func(c *Case) { c.Policy = MayDiffer },
		memberRequires: func(c *Case) { c.Requires = []string{"algorithm:x"} },
		memberOp:       func(c *Case) { c.Op = "root" },
	} {
		released := load()
		change(find(released, id))
		_, err := Generate(released)
		var changed *ChangedError
		if !errors.As(err, &changed) || changed.ID != id || changed.Member != member {
			t.Errorf("Generate(released with another %s) = %v, want a ChangedError of %s", member, err, id)
		}
	}
	released := load()
	c := find(released, id)
	c.Title, c.Why, c.Since = "other", "words", "0"
	all, err := Generate(released)
	if err != nil {
		t.Fatal(err)
	}
	f, err := ParseFile(all["proof.json"])
	if err != nil {
		t.Fatal(err)
	}
	if got := find([]*File{f}, id); got.Title == "other" || got.Since != "0" {
		t.Errorf("title %q, since %q: want the new words and the old since", got.Title, got.Since)
	}
	// A case that the program makes no more is kept.
	released = load()
	gone := *find(released, id)
	gone.ID = "proof-of-old"
	released[5].Cases = append(released[5].Cases, &gone)
	if all, err = Generate(released); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(all["proof.json"]), `"proof-of-old"`) {
		t.Error("a released case was dropped")
	}
}

func TestGenerateOver(t *testing.T) {
	all, err := GenerateOver(fstest.MapFS{})
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{}
	for name, text := range all {
		folder[name] = &fstest.MapFile{Data: text}
	}
	again, err := GenerateOver(folder)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range all {
		if !bytes.Equal(again[name], text) {
			t.Errorf("%s is another over a folder that holds it", name)
		}
	}
	text := all["encode.json"]
	folder["encode.json"].Data = bytes.Replace(text, []byte(`"value":"0000000161"`), []byte(`"value":"0000000162"`), 1)
	_, err = GenerateOver(folder)
	var other *ChangedError
	if !errors.As(err, &other) || other.ID != "encode-text-a" {
		t.Errorf("GenerateOver(folder with another value) = %v, want a ChangedError of encode-text-a", err)
	}
}

// Every file is valid under its schema, and the schemas are closed.
func TestSchemas(t *testing.T) {
	c := jsonschema.NewCompiler()
	names, err := fs.Glob(FS(), "schema/*.json")
	if err != nil || len(names) < 3 {
		t.Fatalf("schemas: %v, %v", names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(FS(), name)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("mem:///"+path.Base(name), doc); err != nil {
			t.Fatal(err)
		}
		closed(t, name, doc)
	}
	validate := func(schema string, text []byte, name string) {
		s, err := c.Compile("mem:///" + schema)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, class := range Classes() {
		text, err := fs.ReadFile(FS(), class+".json")
		if err != nil {
			t.Fatal(err)
		}
		validate("file.json", text, class)
	}
	text, err := fs.ReadFile(FS(), ManifestName)
	if err != nil {
		t.Fatal(err)
	}
	validate("manifest.json", text, ManifestName)
	if text, err = fs.ReadFile(FS(), allName); err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range bytes.Lines(text) {
		validate("case.json", line, allName)
		n++
	}
	if n < minCases {
		t.Errorf("%s has %d lines", allName, n)
	}
}

// closed demands additionalProperties of every object schema: false, or a schema of what else may stand there.
func closed(t *testing.T, name string, v any) {
	t.Helper()
	switch v := v.(type) {
	case map[string]any:
		if _, has := v["properties"]; has && v["type"] == "object" {
			if _, ok := v["additionalProperties"]; !ok {
				t.Errorf("%s: an object without additionalProperties: %v", name, slices.Collect(keysOf(v["properties"])))
			}
		}
		for _, e := range v {
			closed(t, name, e)
		}
	case []any:
		for _, e := range v {
			closed(t, name, e)
		}
	}
}

func keysOf(v any) func(func(string) bool) {
	return func(yield func(string) bool) {
		m, _ := v.(map[string]any)
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
