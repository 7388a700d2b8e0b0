package report_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

// onlyA has one file, a, with the text a.
type onlyA struct{}

func (onlyA) Open(uri string) (io.ReadCloser, error) {
	switch uri {
	case "a":
		return io.NopCloser(strings.NewReader("a")), nil
	case "\x1b[2J\u202e":
		return nil, &archive.FileError{Reason: archive.LinkOutsideRoots, Detail: "\x1b[2J\u202e"}
	}
	return nil, fs.ErrNotExist
}

const (
	digestA      = `"sha256:ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"`
	withSources  = `{"frames":[{"id":"f","provenance":[{"type":"file","uri":"a","digest":` + digestA + `},{"type":"file","uri":"b","digest":` + digestA + `},{"type":"x"},`
	hostileLink  = `{"type":"file","uri":"\u001b[2J\u202e","digest":` + digestA + `}]}],"truncated":false}`
	wantOfLinks  = `"evidence":[],"provenance":[{"link":0,"uri":"a","status":"match"},{"link":1,"uri":"b","status":"missing","detail":"file does not exist"},{"link":2,"uri":null,"status":"not_file"},{"link":3,"uri":"\u001b[2J\u202e","status":"unverifiable","reason":"outside_roots","detail":"\u001b[2J\u202e"}]}],"findings"`
	wantOfCounts = `"no_content":1},"provenance":{"match":1,"mismatch":0,"unverifiable":1,"missing":1,"not_file":1},"findings"`
)

// renderLinks verifies an unsigned frame with a link of every status but mismatch.
func renderLinks(t *testing.T, v *archive.Verifier, start func(io.Writer, archive.Header) report.Renderer) string {
	t.Helper()
	var out bytes.Buffer
	r := start(&out, v.Header())
	input := strings.NewReader(withSources + hostileLink)
	source := archive.Source{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(input), nil }}
	s, err := v.Verify(context.Background(), func(yield func(archive.Source) bool) { yield(source) }, r)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Every format says which folders were read, how many links came to what, and what became of those of a frame that has nothing
// else to show.
func TestProvenanceInEveryFormat(t *testing.T) {
	want := map[string][]string{
		report.FormatText: {"\nProvenance: match 1, unverifiable 1, missing 1, not_file 1.", `"rel/=."`},
		report.FormatJUnit: {
			`<property name="provenance.match" value="1"/>`, `<property name="provenance.mismatch" value="0"/>`,
			`<property name="source_roots" value="&#34;rel/=.&#34;"/>`, "\nprovenance match 1, unverifiable 1, missing 1, not_file 1.",
		},
		report.FormatMarkdown: {"| missing | 1 |", "`\"rel/=.\"`", "\n  - provenance match 1, unverifiable 1, missing 1, `not_file` 1.\n"},
		report.FormatHTML: {
			`<th scope="row">missing</th><td class="n">1</td>`, `&#34;rel/=.&#34;`,
			"<li>provenance match 1, unverifiable 1, missing 1, not_file 1.</li>",
		},
	}
	counts := []string{`"provenance":{"match":1,"mismatch":0,"unverifiable":1,"missing":1,"not_file":1}`, `"source_roots":["rel/=."]`}
	for _, format := range []string{report.FormatJSON, report.FormatJSONL, report.FormatSARIF} {
		want[format] = counts
	}
	v := &archive.Verifier{Files: onlyA{}, Policy: archive.Policy{SourceRoots: []string{"rel/=."}}}
	for _, format := range report.Formats() {
		got := renderLinks(t, v, func(w io.Writer, h archive.Header) report.Renderer {
			return report.New(format, w, h, report.Tool{}, report.TextOptions{Width: 1_000})
		})
		if len(want[format]) == 0 {
			t.Errorf("nothing is wanted of %s", format)
		}
		for _, part := range want[format] {
			if !strings.Contains(got, part) {
				t.Errorf("%s lacks %q", format, part)
			}
		}
	}
}

// What of a report says what became of links, in JSON and as text; a report that nobody asked for it has none of that.
func TestProvenance(t *testing.T) {
	render := func(v *archive.Verifier, start func(io.Writer, archive.Header) report.Renderer) string {
		return renderLinks(t, v, start)
	}
	asJSON := func(w io.Writer, h archive.Header) report.Renderer { return report.NewJSON(w, h, report.Tool{}) }
	asText := func(w io.Writer, h archive.Header) report.Renderer {
		return report.NewText(w, h, report.TextOptions{Verbose: true, Width: 1_000})
	}
	asked := &archive.Verifier{Files: onlyA{}, Policy: archive.Policy{SourceRoots: []string{"rel/=."}}}
	got := render(asked, asJSON)
	for _, want := range []string{wantOfLinks, wantOfCounts, `"published":[],"source_roots":["rel/=."]}`} {
		if !strings.Contains(got, want) {
			t.Errorf("the JSON report lacks %s:\n%s", want, got)
		}
	}
	text := render(asked, asText)
	for _, want := range []string{
		"; 2 file links of provenance could not be checked.", "\n      provenance match 1, unverifiable 1, missing 1, not_file 1.\n",
		"\nProvenance: match 1, unverifiable 1, missing 1, not_file 1.\n", `provenance link 1 (uri "b") is missing: file does not exist`,
		`files of provenance read again under "rel/=." (--source-root)`, "hint: 1 file of provenance did not exist where --source-root",
		`provenance link 3 (uri "\x1b[2J\u202e") is unverifiable, outside_roots: `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.ContainsAny(text+got, "\x1b\u202e") {
		t.Errorf("a control character comes through: %q", text+got)
	}
	for _, start := range []func(io.Writer, archive.Header) report.Renderer{asJSON, asText} {
		if got := render(&archive.Verifier{}, start); strings.Contains(strings.ToLower(got), "provenance") || strings.Contains(got, "source_roots") {
			t.Errorf("a report that was not asked speaks of provenance:\n%s", got)
		}
	}
}

// A report with links is read back for what it is, and shards that were compared with other files are not joined.
func TestProvenanceReadBack(t *testing.T) {
	made := func(roots ...string) *run {
		r := &run{header: archive.Header{Policy: archive.Policy{Require: archive.RequireAttested, SourceRoots: roots}, Algorithms: []string{"ed25519"}}}
		r.answers = []*archive.Answer{{
			Source: strings.Join(roots, "") + "in", Record: 1, ProviderSource: archive.ProviderFromNone, Class: archive.ClassUnchecked,
			ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromClock},
			Frames: []archive.Frame{{
				LeafIndex: -1, FrameID: "f", State: archive.StateUnattested, Class: archive.ClassUnchecked, Content: archive.ContentAbsent,
				Provenance: []archive.CheckedLink{{Status: archive.LinkMatch}, {Link: 1, Status: archive.LinkMissing}},
			}},
		}}
		r.header.ReceivedAt = &archive.ReceivedAt{Source: archive.InstantFromClock}
		recount(r)
		return r
	}
	text := made("a").json(t)
	edited := bytes.Replace(text, []byte(`"provenance":{"match":1`), []byte(`"provenance":{"match":2`), 1)
	if _, _, err := readBack(bytes.NewReader(edited)); !errors.Is(err, report.ErrDisagrees) || !strings.Contains(err.Error(), "summary.provenance.match is 2") {
		t.Errorf("with another count: error %v", err)
	}
	for _, other := range []*run{made(), made("b"), made("a", "b")} {
		for _, shards := range [][][]byte{{text, other.json(t)}, {other.json(t), text}} {
			if _, _, err := merge(shards...); !errors.Is(err, report.ErrPolicies) || !strings.Contains(err.Error(), "source_roots") {
				t.Errorf("roots a and %v: error %v", other.header.Policy.SourceRoots, err)
			}
		}
	}
	whole, _, err := merge(text, made("a").jsonl(t))
	if err != nil {
		t.Fatal(err)
	}
	if p := whole.summary.Provenance; p[archive.LinkMatch] != 2 || p[archive.LinkMissing] != 2 {
		t.Errorf("joined: %v", p)
	}
}
