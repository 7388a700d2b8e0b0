package report_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

var testTool = report.Tool{Name: "cgp-attest", Version: "v0.0.0"}

// A sarifLog is what the tests read of a SARIF log.
type sarifLog struct {
	Runs []sarifRun
}

type sarifRun struct {
	Tool struct {
		Driver struct {
			Rules []sarifRule
		}
	}
	Results     []sarifResult
	Invocations []struct {
		ExecutionSuccessful        bool
		ExitCode                   int
		ExitCodeDescription        string
		ToolExecutionNotifications []struct {
			Level   string
			Message struct{ Text string }
		}
	}
	Properties struct {
		Policy     struct{ Require string }
		NotCovered []string `json:"not_covered"`
		ReceivedAt any      `json:"received_at"`
		Summary    json.RawMessage
		Results    struct {
			Listed  int
			LeftOut int `json:"left_out"`
		}
	}
}

type sarifRule struct {
	ID                   string
	ShortDescription     struct{ Text string }
	FullDescription      struct{ Text string }
	Help                 struct{ Text, Markdown string }
	DefaultConfiguration struct{ Level string }
	Properties           struct{ Tags []string }
}

type sarifResult struct {
	RuleID    string
	RuleIndex *int
	Level     string
	Message   struct{ Text string }
	Locations []struct {
		PhysicalLocation struct {
			ArtifactLocation struct {
				URI         string
				Description struct{ Text string }
			}
			Region *struct{ StartLine, ByteOffset int64 }
		}
		LogicalLocations []struct{ FullyQualifiedName string }
	}
	PartialFingerprints map[string]string
	Properties          map[string]any
}

func (r *run) sarif(t testing.TB, limit int) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewSARIF(&out, r.header, testTool, report.SARIFOptions{Limit: limit}))
	return out.Bytes()
}

// checkSARIF validates a log against the schema of OASIS, and returns its one run.
func checkSARIF(t *testing.T, data []byte) *sarifRun {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile(publicdata.SharedPath(t, "schemas/sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("the log is none of its schema: %v", err)
	}
	return readSARIF(t, data)
}

func readSARIF(t testing.TB, data []byte) *sarifRun {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal(data, &log); err != nil {
		t.Fatal(err)
	}
	if len(log.Runs) != 1 {
		t.Fatalf("%d runs, want 1", len(log.Runs))
	}
	return &log.Runs[0]
}

// ended is a run of nothing that ended in a way.
func ended(code int, finished, exitZero bool) *run {
	r := &run{}
	r.count(code, "the reason")
	r.summary.Finished, r.summary.ExitZeroApplied = finished, exitZero
	return r
}

func TestSARIFSchema(t *testing.T) {
	for name, r := range map[string]*run{
		"everything": everything(t, "x"), "hostile": everything(t, hostile), "nothing": ended(3, true, false),
		"interrupted": ended(130, false, false), "internal": ended(5, false, false),
	} {
		t.Run(name, func(t *testing.T) { checkSARIF(t, r.sarif(t, 0)) })
	}
}

// Every result is of a rule that is there, and everything that did not go well is a result.
func TestSARIFResults(t *testing.T) {
	r := everything(t, "x")
	got := readSARIF(t, r.sarif(t, 0))
	want := map[string]int{}
	for _, a := range r.answers {
		for _, f := range a.Frames {
			if f.Class != archive.ClassGood {
				want["frame_states/"+string(f.State)]++
			}
		}
		if len(a.Frames) == 0 && a.Class != archive.ClassGood {
			want["frame_states/"+string(a.EmptyState())]++
		}
		for _, f := range a.Findings {
			want["findings/"+string(f.Code)]++
		}
	}
	for _, e := range r.errors {
		want["errors/"+string(e.Code)]++
	}
	for _, f := range r.summary.Inputs {
		want["findings/"+string(f.Code)]++
	}
	found := map[string]int{}
	for _, res := range got.Results {
		found[res.RuleID]++
		if res.RuleIndex == nil || got.Tool.Driver.Rules[*res.RuleIndex].ID != res.RuleID {
			t.Errorf("the rule of a result, %s, is at %v another one", res.RuleID, res.RuleIndex)
		}
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("results by rule (-want +got):\n%s", diff)
	}
	if out := got.Properties.Results; out.Listed != len(got.Results) || out.LeftOut != 0 {
		t.Errorf("results: %+v of %d", out, len(got.Results))
	}
	for _, code := range []string{"State", "FindingCode", "ErrorCode"} {
		set := map[string]string{"State": "frame_states", "FindingCode": "findings", "ErrorCode": "errors"}[code]
		for _, c := range constants(t, code) {
			if !slices.ContainsFunc(archive.Explain(c), func(e archive.Entry) bool { return e.Set == set }) {
				continue // a state of evidence alone
			}
			at := slices.IndexFunc(got.Tool.Driver.Rules, func(rule sarifRule) bool { return rule.ID == set+"/"+c })
			if at < 0 {
				t.Errorf("there is no rule %s/%s", set, c)
			}
		}
	}
}

// Limits of code-scanning hosts: https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
func TestSARIFRules(t *testing.T) {
	rules := readSARIF(t, ended(0, true, false).sarif(t, 0)).Tool.Driver.Rules
	if len(rules) < 50 || len(rules) > 25_000 {
		t.Errorf("%d rules", len(rules))
	}
	seen := map[string]bool{}
	for _, rule := range rules {
		if seen[rule.ID] || len(rule.ID) > 255 {
			t.Errorf("rule %s stands twice, or its name is too long", rule.ID)
		}
		seen[rule.ID] = true
		_, code, _ := strings.Cut(rule.ID, "/")
		entries := archive.Explain(code)
		for _, text := range []string{rule.ShortDescription.Text, rule.FullDescription.Text} {
			if text == "" || len(text) > 1024 || strings.ContainsAny(text, "{}") {
				t.Errorf("%s: a description of %d bytes: %s", rule.ID, len(text), text)
			}
		}
		if !slices.ContainsFunc(entries, func(e archive.Entry) bool {
			return rule.FullDescription.Text == e.Proves && strings.Contains(rule.Help.Text, e.ProvesNot) && strings.Contains(rule.Help.Text, e.Next) &&
				(e.Severity == "" || string(e.Severity) == rule.DefaultConfiguration.Level)
		}) {
			t.Errorf("%s does not say what explain says: %+v", rule.ID, rule)
		}
		if !strings.Contains(rule.Help.Markdown, "**What it does not:**") || len(rule.Properties.Tags) > 20 {
			t.Errorf("%s: help %q, tags %q", rule.ID, rule.Help.Markdown, rule.Properties.Tags)
		}
	}
}

// What a JSON report says of the whole run stands in the properties too, and the exit code where a consumer looks for it.
func TestSARIFRun(t *testing.T) {
	r := everything(t, hostile)
	got := readSARIF(t, r.sarif(t, 0))
	var whole struct {
		ReceivedAt any      `json:"received_at"`
		NotCovered []string `json:"not_covered"`
		Summary    any
	}
	if err := json.Unmarshal(r.json(t), &whole); err != nil {
		t.Fatal(err)
	}
	var summary any
	if err := json.Unmarshal(got.Properties.Summary, &summary); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.Summary, summary); diff != "" {
		t.Errorf("summary (-JSON +SARIF):\n%s", diff)
	}
	if diff := cmp.Diff(whole.ReceivedAt, got.Properties.ReceivedAt); diff != "" {
		t.Errorf("received_at (-JSON +SARIF):\n%s", diff)
	}
	if !slices.Equal(got.Properties.NotCovered, archive.NotCovered()) || !slices.Equal(whole.NotCovered, archive.NotCovered()) {
		t.Errorf("not_covered is %q", got.Properties.NotCovered)
	}
	for _, tt := range []struct {
		code               int
		finished, exitZero bool
		wantCode           int
		whole              bool
		notes              int
	}{
		{0, true, false, 0, true, 0}, {1, true, false, 1, true, 0}, {3, true, true, 0, true, 0}, {5, false, false, 5, false, 1},
		{130, false, false, 130, false, 1},
	} {
		inv := readSARIF(t, ended(tt.code, tt.finished, tt.exitZero).sarif(t, 0)).Invocations
		if len(inv) != 1 || inv[0].ExitCode != tt.wantCode || inv[0].ExecutionSuccessful != tt.whole ||
			!strings.Contains(inv[0].ExitCodeDescription, "the reason") || len(inv[0].ToolExecutionNotifications) != tt.notes {
			t.Errorf("exit %d: %+v", tt.code, inv)
		}
	}
}

// Where keys that were merely published suffice, a log that lists nothing says still what they leave open, and says it once.
func TestSARIFConstructed(t *testing.T) {
	const open = "who signed is not established"
	for require, want := range map[archive.Level]bool{archive.RequireAttested: false, archive.RequireConstructed: true} {
		for _, finished := range []bool{true, false} {
			r := ended(0, finished, false)
			r.header.Policy.Require = require
			r.summary = archive.NewSummary(require)
			r.summary.Finished = finished
			r.summary.Conclude()
			inv := readSARIF(t, r.sarif(t, 0)).Invocations
			if len(inv) != 1 || strings.Count(inv[0].ExitCodeDescription, open) != map[bool]int{true: 1}[want] {
				t.Errorf("require %s: %+v, says that %s: want %t", require, inv, open, want)
			}
		}
	}
}

// Nothing that an input says makes a link, a placeholder or a character that does not show; claims stand under their name.
func TestSARIFHostileText(t *testing.T) {
	r := everything(t, "[x](https://evil)<script>{0}]]>"+hostile)
	for _, res := range readSARIF(t, r.sarif(t, 0)).Results {
		if regexp.MustCompile(`\]\(|[{}\x00-\x1f\x7f-\x9f\x{202a}-\x{202e}\x{2066}-\x{2069}\x{200b}]`).MatchString(res.Message.Text) {
			t.Errorf("%s says %q", res.RuleID, res.Message.Text)
		}
		uri := res.Locations[0].PhysicalLocation.ArtifactLocation.URI
		if strings.ContainsFunc(uri, func(c rune) bool { return c <= ' ' || c > '~' || strings.ContainsRune(`<>"{}[]\^|`, c) }) {
			t.Errorf("%s is at %q", res.RuleID, uri)
		}
		claims(t, res.RuleID, res.Properties, false)
	}
}

// claims fails where attester_id or issued_at stands under another name than unverified_claims.
func claims(t *testing.T, where string, value any, inside bool) {
	t.Helper()
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			if (name == "attester_id" || name == "issued_at") && !inside {
				t.Errorf("%s: %s stands outside unverified_claims", where, name)
			}
			claims(t, where, v, name == "unverified_claims")
		}
	case []any:
		for _, v := range value {
			claims(t, where, v, false)
		}
	}
}

func TestSARIFProperties(t *testing.T) {
	a := unmet("docs.json", "f", "q")
	claim := &archive.Claims{AttesterID: "who", IssuedAt: "when"}
	a.Frames[0].State, a.Frames[0].Tier = archive.StateConstructed, archive.TierPublished
	a.Frames[0].Evidence = []archive.Evidence{
		{Kind: archive.KindInclusion, State: archive.StateUnusable, Entry: 0},
		{Kind: archive.KindSignature, State: archive.StateConstructed, Tier: archive.TierPublished, KeyID: "k", TrustedFor: "docs", Unverified: claim},
	}
	r := &run{answers: []*archive.Answer{a}}
	r.count(3, "")
	p := readSARIF(t, r.sarif(t, 0)).Results[0].Properties
	for name, want := range map[string]any{
		"class": "unchecked", "state": "constructed", "tier": "published", "key_id": "k", "trusted_for": "docs", "id": "q",
		"unverified_claims": map[string]any{"attester_id": "who", "issued_at": "when"},
	} {
		if diff := cmp.Diff(want, p[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if got := readSARIF(t, r.sarif(t, 0)).Results[0].Message.Text; !strings.Contains(got, "who signed is not established") {
		t.Errorf("constructed stands alone: %s", got)
	}
}

// unmet is an answer with one frame that nobody signed.
func unmet(source, frame, id string) *archive.Answer {
	return &archive.Answer{
		Source: source, Record: 1, Offset: 10, Line: 1, FramesAt: "/result/frames", ID: commitment.Some(id), ProviderID: commitment.Some("docs"),
		Class: archive.ClassUnchecked,
		Frames: []archive.Frame{{
			FrameID: frame, ProviderID: "docs", State: archive.StateUnattested, Class: archive.ClassUnchecked, Content: archive.ContentNoDigest,
			Commitment: commitment.ContentDigest(frame).String(),
		}},
	}
}

func TestSARIFLocations(t *testing.T) {
	line := func(a *archive.Answer, n int64) *archive.Answer { a.Line = n; return a }
	bare := unmet("a", "f", "q")
	bare.FramesAt, bare.Frames[0].Position = "/frames", 3
	orphan := unmet("a", "f", "q")
	orphan.Frames = nil
	orphan.Findings = []archive.Finding{{Code: archive.FindingOrphanEntry, Severity: archive.SeverityWarning, Entry: 2, Position: -1}}
	unknown := unmet("a", "f", "q")
	unknown.FramesAt = ""
	for _, tt := range []struct {
		name             string
		answer           *archive.Answer
		err              *archive.RecordError
		uri, where       string
		line, byteOffset int64 // -1: none
	}{
		{"a line", line(unmet("a", "f", "q"), 7), nil, "a", "/result/frames/0", 7, 0},
		{"no lines", line(unmet("a", "f", "q"), 0), nil, "a", "/result/frames/0", 0, 10},
		{"standard input", unmet("-", "f", "q"), nil, "stdin", "/result/frames/0", 1, 0},
		{"a bare result", bare, nil, "a", "/frames/3", 1, 0},
		{"an entry", orphan, nil, "a", "/result/frame_attestations/2", 1, 0},
		{"no pointer", unknown, nil, "a", "", 1, 0},
		{"a record", nil, &archive.RecordError{Source: "b", Record: 2, Line: 4, Code: archive.ErrorSyntax}, "b", "", 4, 0},
		{"a source", nil, &archive.RecordError{Source: "b", Code: archive.ErrorUnreadableSource}, "b", "", -1, -1},
	} {
		r := &run{}
		if tt.answer != nil {
			r.answers = append(r.answers, tt.answer)
		} else {
			r.errors = append(r.errors, tt.err)
		}
		r.count(3, "")
		results := checkSARIF(t, r.sarif(t, 0)).Results
		i := slices.IndexFunc(results, func(r sarifResult) bool { return tt.name != "an entry" || r.RuleID == "findings/orphan_entry" })
		at := results[i].Locations[0]
		if got := at.PhysicalLocation.ArtifactLocation.URI; got != tt.uri {
			t.Errorf("%s: URI %q, want %q", tt.name, got, tt.uri)
		}
		pointer := ""
		if len(at.LogicalLocations) > 0 {
			pointer = at.LogicalLocations[0].FullyQualifiedName
		}
		if pointer != tt.where {
			t.Errorf("%s: at %q, want %q", tt.name, pointer, tt.where)
		}
		region := at.PhysicalLocation.Region
		if (region == nil) != (tt.line < 0) || region != nil && (region.StartLine != tt.line || region.ByteOffset != tt.byteOffset) {
			t.Errorf("%s: region %+v, want line %d or byte %d", tt.name, region, tt.line, tt.byteOffset)
		}
	}
}

func fingerprints(t *testing.T, answers ...*archive.Answer) map[string]string {
	t.Helper()
	r := &run{answers: answers}
	r.count(3, "")
	prints := map[string]string{}
	for _, res := range readSARIF(t, r.sarif(t, 0)).Results {
		if len(res.PartialFingerprints) != 1 || res.PartialFingerprints["cgpAttest/v1"] == "" {
			t.Fatalf("fingerprints %v", res.PartialFingerprints)
		}
		prints[res.PartialFingerprints["cgpAttest/v1"]] = res.Message.Text
	}
	return prints
}

// A fingerprint stays when records are put in front of its own, and nothing else has it.
func TestSARIFFingerprints(t *testing.T) {
	withFindings := func(a *archive.Answer) *archive.Answer {
		a.Findings = []archive.Finding{
			{Code: archive.FindingOpaqueDigest, Severity: archive.SeverityWarning, Position: 0, Entry: -1, FrameID: commitment.Some("f")},
			{Code: archive.FindingProviderUnknown, Severity: archive.SeverityWarning, Position: -1, Entry: -1},
		}
		return a
	}
	later := func(a *archive.Answer) *archive.Answer {
		a.Record, a.Offset, a.Line = a.Record+1, a.Offset+100, a.Line+1
		return a
	}
	before := fingerprints(t, withFindings(unmet("s", "f", "q")))
	after := fingerprints(t, unmet("s", "other", "p"), later(withFindings(unmet("s", "f", "q"))))
	if len(before) != 3 || len(after) != 4 {
		t.Fatalf("%d and %d fingerprints, want 3 and 4", len(before), len(after))
	}
	for print := range before {
		if after[print] == "" {
			t.Errorf("%s is gone when a record is put in front", print)
		}
	}
	digest := unmet("s", "f", "q")
	digest.Frames[0].ContentDigest = commitment.Some("")
	root := unmet("s", "f", "q")
	root.Frames[0].Commitment = commitment.ContentDigest("links").String()
	provider := unmet("s", "f", "q")
	provider.ProviderID = commitment.Some("elsewhere")
	all := fingerprints(t, unmet("s", "f", "q"), unmet("t", "f", "q"), unmet("s", "g", "q"), unmet("s", "f", "r"), digest, root, provider)
	if len(all) != 7 {
		t.Errorf("%d fingerprints of seven things that differ: %v", len(all), all)
	}
	for print := range all {
		if !strings.HasSuffix(print, ":1") {
			t.Errorf("%s: nothing else is equal", print)
		}
	}
	twice := fingerprints(t, unmet("s", "f", "q"), unmet("s", "f", "q"))
	for print := range twice {
		if one := strings.TrimSuffix(print, ":2"); one != print && twice[one+":1"] == "" || len(twice) != 2 {
			t.Errorf("two things that are equal have the fingerprints %v", twice)
		}
	}
}

// The worst is listed, whatever comes first, and what is not is told.
func TestSARIFLimit(t *testing.T) {
	r := &run{}
	for i := range 50 {
		a := unmet("s", fmt.Sprint("f", i), "q")
		a.Findings = []archive.Finding{{Code: archive.FindingOpaqueDigest, Severity: archive.SeverityNote, Entry: -1, Position: 0}}
		if i == 49 {
			a.Frames[0].Class, a.Frames[0].State = archive.ClassNegative, archive.StateInvalid
			a.Findings[0] = archive.Finding{Code: archive.FindingInvalidEvidence, Severity: archive.SeverityError, Entry: -1, Position: 0}
		}
		r.answers = append(r.answers, a)
	}
	r.errors = append(r.errors, &archive.RecordError{Source: "s", Record: 51, Code: archive.ErrorSyntax})
	r.count(1, "")
	got := checkSARIF(t, r.sarif(t, 3))
	var rules []string
	for _, res := range got.Results {
		rules = append(rules, res.RuleID+" "+res.Level)
	}
	want := []string{
		"findings/invalid_evidence error", "frame_states/invalid error", "errors/syntax error", "frame_states/unattested warning",
		"frame_states/unattested warning", "findings/opaque_digest note",
	}
	if !slices.Equal(rules, want) {
		t.Errorf("listed are %q, want %q", rules, want)
	}
	notes := got.Invocations[0].ToolExecutionNotifications
	if len(notes) != 1 || !strings.Contains(notes[0].Message.Text, "47 frames or answers of class unchecked, 48 findings of severity note") {
		t.Errorf("of what is left out it says %+v", notes)
	}
	if got.Properties.Results.Listed != 6 || got.Properties.Results.LeftOut != 95 {
		t.Errorf("results: %+v", got.Properties.Results)
	}
}

// Whatever the limit and whatever text there is, a host takes the file: at most 5,000 results and 10 MB compressed.
func TestSARIFFitsHosts(t *testing.T) {
	many := &run{}
	for i := range 3_000 {
		a := unmet("s", fmt.Sprint(i), "q")
		a.Findings = []archive.Finding{{Code: archive.FindingOpaqueDigest, Severity: archive.SeverityNote, Entry: -1, Position: 0}}
		many.answers = append(many.answers, a)
	}
	many.count(3, "")
	got := readSARIF(t, many.sarif(t, 1_000_000))
	if len(got.Results) != 5_000 || got.Properties.Results.LeftOut != 1_000 {
		t.Errorf("%d results, %+v", len(got.Results), got.Properties.Results)
	}
	large := &run{}
	long := strings.Repeat("\U000e0001", 5_000)
	for i := range 2_000 {
		a := unmet("s", long, fmt.Sprint(i))
		a.Frames[0].Detail = long
		a.Findings = []archive.Finding{{Code: archive.FindingOpaqueDigest, Severity: archive.SeverityNote, Detail: long, Entry: -1, Position: 0}}
		large.answers = append(large.answers, a)
	}
	large.count(3, "")
	data := large.sarif(t, 1_000_000)
	got = checkSARIF(t, data)
	if n := len(got.Results); n == 0 || n == 4_000 || n+got.Properties.Results.LeftOut != 4_000 {
		t.Errorf("%d results, %+v", n, got.Properties.Results)
	}
	for _, res := range got.Results {
		if n := utf8.RuneCountInString(res.Message.Text); n > 4_100 {
			t.Fatalf("a message of %d characters", n)
		}
	}
	var packed bytes.Buffer
	zip, _ := gzip.NewWriterLevel(&packed, gzip.NoCompression)
	if _, err := zip.Write(data); err != nil || zip.Close() != nil || packed.Len() > 10_000_000 {
		t.Errorf("%d bytes, not compressed in %d, %v", len(data), packed.Len(), err)
	}
}
