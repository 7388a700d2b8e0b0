package testvectors

import (
	"bytes"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
)

// folder returns the embedded folder for editing.
func folder(t *testing.T) fstest.MapFS {
	t.Helper()
	all, err := Export()
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{}
	for name, text := range all {
		out[name] = &fstest.MapFile{Data: text}
	}
	return out
}

// TestCheckFindsFaults spoils a release in one respect at a time.
func TestCheckFindsFaults(t *testing.T) {
	spoil := func(t *testing.T, change func(files []*File)) []string {
		t.Helper()
		files_, err := Released()
		if err != nil {
			t.Fatal(err)
		}
		change(files_)
		all, err := files(files_)
		if err != nil {
			t.Fatal(err)
		}
		out := fstest.MapFS{}
		for name, text := range all {
			out[name] = &fstest.MapFile{Data: text}
		}
		r, err := Check(t.Context(), out, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r.Faults
	}
	pick := func(files []*File, id string) *Case {
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
	const id = "proof-side-0-7-3"
	for _, tt := range []struct {
		name   string
		change func([]*File)
		want   string
	}{
		{"nothing", func([]*File) {}, ""},
		{"expect", func(f []*File) { pick(f, id).Expect = Result{Verdict: commitmentMismatch} }, "this library answers"},
		{"input", func(f []*File) { pick(f, id).Input = pick(f, id).Input.with("frames", integer(7)) }, "its mutation does not make its input"},
		{"mutation", func(f []*File) { pick(f, id).Mutation.Path += "x" }, "there is no such place"},
		{"base", func(f []*File) { pick(f, id).Base = "proof-8-3" }, "its mutation does not make its input"},
		{"base gone", func(f []*File) { pick(f, id).Base = "nowhere" }, "there is no base"},
		{"no base", func(f []*File) { pick(f, id).Base, pick(f, id).Mutation = "", nil }, "has a base"},
		{"steps", func(f []*File) {
			c := pick(f, "root-3")
			c.Steps = c.Steps.with("root", strings.Repeat("0", 64))
		}, "the steps are not"},
		{"cause", func(f []*File) { pick(f, id).NearMiss[0].Cause = "moon" }, "cause \"moon\""},
		{"near miss that is the answer", func(f []*File) { pick(f, id).NearMiss[0].Result = pick(f, id).Expect }, "is the answer"},
		{"policy", func(f []*File) { pick(f, id).Policy = "should" }, "policy"},
		{"no reason", func(f []*File) { pick(f, id).Policy = MayDiffer }, "without a reason"},
		{"no title", func(f []*File) { pick(f, id).Title = "" }, "title"},
		{"id", func(f []*File) { pick(f, id).ID = "Proof" }, "is no id"},
		{"id twice", func(f []*File) { pick(f, id).ID = "proof-7-3" }, "two cases of this id"},
		{"op", func(f []*File) { pick(f, "content-null").Op = "contents" }, "is not known"},
		{"share", func(f []*File) { f[0].Cases = append(f[0].Cases, many(f[0].Cases[0], 300)...) }, "want 15 % at most"},
		{"few", func(f []*File) {
			for _, class := range f {
				class.Cases = class.Cases[:min(10, len(class.Cases))]
			}
		}, "want 600 at least"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			faults := spoil(t, tt.change)
			if tt.want == "" {
				if len(faults) > 0 {
					t.Errorf("faults %q, want none", faults)
				}
				return
			}
			if !strings.Contains(strings.Join(faults, "\n"), tt.want) {
				t.Errorf("faults %.600q, want one with %q", faults, tt.want)
			}
		})
	}
}

// many copies a case under ids of their own.
func many(c *Case, n int) []*Case {
	var out []*Case
	for i := range n {
		other := *c
		other.ID = "copy-" + strings.Repeat("x", i+1)
		out = append(out, &other)
	}
	return out
}

func TestCheckFindsChangedFiles(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(fstest.MapFS)
		want   string
	}{
		{"a byte", func(f fstest.MapFS) { f["all.jsonl"].Data = append(f["all.jsonl"].Data, ' ') }, "all.jsonl: its SHA-256"},
		{"another file", func(f fstest.MapFS) { f["notes.txt"] = &fstest.MapFile{Data: []byte("x")} }, "notes.txt: its SHA-256"},
		{"a file gone", func(f fstest.MapFS) { delete(f, "bytes/wire-bytes-ff") }, "bytes/wire-bytes-ff"},
		{"a schema", func(f fstest.MapFS) { f["schema/case.json"].Data = []byte("{}") }, "schema/case.json"},
		{"no manifest", func(f fstest.MapFS) { delete(f, ManifestName) }, ManifestName},
		{"manifest", func(f fstest.MapFS) {
			f[ManifestName].Data = bytes.Replace(f[ManifestName].Data, []byte(`"count": `), []byte(`"count": 1`), 1)
		}, "count is not the sum"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := folder(t)
			tt.change(f)
			r, err := Check(t.Context(), f, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(strings.Join(r.Faults, "\n"), tt.want) {
				t.Errorf("faults %q, want one with %q", r.Faults, tt.want)
			}
		})
	}
	f := folder(t)
	delete(f, "order.json")
	if _, err := Check(t.Context(), f, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Check without order.json = %v, want fs.ErrNotExist", err)
	}
}

// A file is read strictly: what the format does not have is an error.
func TestParseFileIsStrict(t *testing.T) {
	text, err := fs.ReadFile(FS(), "content.json")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ParseFile(text); err != nil {
		t.Fatal(err)
	}
	for _, m := range [][2]string{
		{`"spec"`, `"more": 1, "spec"`}, {`"id"`, `"more": 1, "id"`}, {`"format": "cgp-attest-vectors/1"`, `"format": "cgp-attest-vectors/2"`},
		{`"count": `, `"count": 1`}, {`"verdict":"match"`, `"verdict":"match","value":1`}, {`"mutation": {"op":"replace"`, `"mutation": {"op":"swap"`},
		{`"base": `, `"basis": `}, {`"why": `, `"why": 1, "y": `}, {`"rules": [`, `"rules": [7,`}, {`"id": "content-null"`, `"id": "content-null", "id": "content-null"`},
		{`"meaning":`, `"meant":`},
	} {
		spoilt := strings.Replace(string(text), m[0], m[1], 1)
		if spoilt == string(text) {
			t.Fatalf("there is no %s", m[0])
		}
		if _, err := ParseFile([]byte(spoilt)); !errors.Is(err, ErrFormat) {
			t.Errorf("ParseFile(%s for %s) = %v, want ErrFormat", m[1], m[0], err)
		}
	}
}

func TestMutations(t *testing.T) {
	in := object("a", List{"x", "y"}, "b", object("c", "text"), "file_hex", "00ff", "s~/t", "u")
	for _, tt := range []struct {
		m    Mutation
		want string // "" for an error
	}{
		{replace("/a/1", "z"), `{"a":["x","z"],"b":{"c":"text"},"file_hex":"00ff","s~/t":"u"}`},
		{added("/a/1", "z"), `{"a":["x","z","y"],"b":{"c":"text"},"file_hex":"00ff","s~/t":"u"}`},
		{added("/a/-", nil), `{"a":["x","y",null],"b":{"c":"text"},"file_hex":"00ff","s~/t":"u"}`},
		{added("/b/d", true), `{"a":["x","y"],"b":{"c":"text","d":true},"file_hex":"00ff","s~/t":"u"}`},
		{removed("/a/0"), `{"a":["y"],"b":{"c":"text"},"file_hex":"00ff","s~/t":"u"}`},
		{moved("/a/0", "/a/1"), `{"a":["y","x"],"b":{"c":"text"},"file_hex":"00ff","s~/t":"u"}`},
		{Mutation{Op: "copy", From: "/input/a/0", Path: "/input/b/c"}, `{"a":["x","y"],"b":{"c":"x"},"file_hex":"00ff","s~/t":"u"}`},
		{replace("/s~0~1t", "v"), `{"a":["x","y"],"b":{"c":"text"},"file_hex":"00ff","s~/t":"v"}`},
		{Mutation{Path: "/input/b/c", At: 1, Delete: 2, Insert: []byte("o")}, `{"a":["x","y"],"b":{"c":"tot"},"file_hex":"00ff","s~/t":"u"}`},
		{Mutation{Path: "/input/file_hex", At: 1, Delete: 1, Insert: []byte{1, 2}}, `{"a":["x","y"],"b":{"c":"text"},"file_hex":"000102","s~/t":"u"}`},
		{replace("/a/2", "z"), ""}, {removed("/d"), ""}, {added("/a/4", "z"), ""}, {replace("/a/x", "z"), ""}, {Mutation{Op: "replace", Path: "/a/0"}, ""},
		{Mutation{Path: "/input/b/c", At: 4, Delete: 1}, ""}, {Mutation{Path: "/input/b/c", Insert: []byte{0xff}}, ""}, {Mutation{Op: "test", Path: "/input/a"}, ""},
		{Mutation{Path: "/input/a", At: 0}, ""},
	} {
		before := string(marshal(in))
		got, err := tt.m.Apply(in)
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("%s = %s, want an error", marshal(tt.m.object()), marshal(got))
		case tt.want != "" && (err != nil || string(marshal(got)) != tt.want):
			t.Errorf("%s = %s, %v, want %s", marshal(tt.m.object()), marshal(got), err, tt.want)
		}
		if string(marshal(in)) != before {
			t.Fatalf("%s changed what it was applied to", marshal(tt.m.object()))
		}
	}
}

func TestExpand(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"a":{"repeat":["ab",3]}}`, `{"a":"ababab"}`},
		{`{"a":[{"repeat":["x",0]}]}`, `{"a":[""]}`},
		{`{"a":{"repeat":["x",1],"then":{"repeat":["y",2],"then":"z"}}}`, `{"a":"xyyz"}`},
		{`{"p":{"leaf_index_u64":"18446744073709551615"}}`, `{"p":{"leaf_index":18446744073709551615}}`},
		{`{"a":{"repeat":["x"]}}`, ""}, {`{"a":{"repeat":["x",-1]}}`, ""}, {`{"a":{"repeat":["x",100000000]}}`, ""},
		{`{"a":{"repeat":["x",1],"other":1}}`, ""}, {`{"a":{"repeat":["x",1],"then":7}}`, ""}, {`{"n_u64":"18446744073709551616"}`, ""}, {`{"n_u64":"-1"}`, ""},
	} {
		v, err := parseValue([]byte(tt.in))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Expand(v)
		switch {
		case tt.want == "" && err == nil:
			t.Errorf("Expand(%s) = %s, want an error", tt.in, marshal(got))
		case tt.want != "" && (err != nil || string(marshal(got)) != tt.want):
			t.Errorf("Expand(%s) = %s, %v, want %s", tt.in, marshal(got), err, tt.want)
		}
	}
}

// An input that is none of an op, and an op that nobody knows, have answers too.
func TestAnswerNeverPanics(t *testing.T) {
	for _, op := range Ops() {
		for _, in := range []string{`{}`, `{"text":7}`, `{"frame":null}`, `{"provenance":[7]}`, `{"commitments":7,"leaf_index":"x"}`, `{"a":null}`, `{"file":{"repeat":[1,2]}}`} {
			v, err := parseValue([]byte(in))
			if err != nil {
				t.Fatal(err)
			}
			if r := Answer(op, v.(Object)); r.Unsupported {
				t.Errorf("Answer(%s) is unsupported", op)
			}
		}
	}
	if r := Answer("hello", Object{}); !r.Unsupported {
		t.Errorf("Answer(hello) = %s, want unsupported", r)
	}
}
