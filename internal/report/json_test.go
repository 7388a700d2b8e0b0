package report_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
	"github.com/go-json-experiment/json/jsontext"
)

// orders collects, for every object of a JSON value, the names of its members in their order, under the path to the object.
func orders(t *testing.T, data []byte) map[string][][]string {
	t.Helper()
	found := make(map[string][][]string)
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	var value func(path string)
	value = func(path string) {
		tok, err := dec.ReadToken()
		if err != nil {
			t.Fatal(err)
		}
		switch tok.Kind() {
		case '{':
			var names []string
			for dec.PeekKind() != '}' {
				name, err := dec.ReadToken()
				if err != nil {
					t.Fatal(err)
				}
				names = append(names, name.String())
				value(path + "." + name.String())
			}
			found[path] = append(found[path], names)
		case '[':
			for dec.PeekKind() != ']' {
				value(path + "[]")
			}
		default:
			return
		}
		if _, err := dec.ReadToken(); err != nil {
			t.Fatal(err)
		}
	}
	value("")
	if _, err := dec.ReadToken(); !errors.Is(err, io.EOF) {
		t.Fatalf("behind the value: %v, want the end", err)
	}
	return found
}

// The members of every object of cgp-attest/report/1, in their order. Those with a question mark may be absent.
var members = map[string]string{
	"":      "schema tool policy received_at not_covered answers errors summary",
	".tool": "name version",
	".policy": "require allow_identity_only allow_opaque_digest algorithms provider local_id retained frames trusted " +
		"published source_roots? undefined_algorithms?",
	".policy.trusted[]":      "source sha256 keys",
	".policy.published[]":    "source sha256 keys",
	".received_at":           "instant source",
	".answers[]":             "source record offset id provider_id provider_source local_id retained received_at class proven root frames findings",
	".answers[].received_at": "instant source",
	".answers[].root": "recomputed signed state verdict reason? key_id? tier? trusted_for? unverified_claims? " +
		"detail? diagnosis?",
	".answers[].root.diagnosis":         "cause detail",
	".answers[].root.unverified_claims": "attester_id issued_at",
	".answers[].frames[]": "position leaf_index provider_id frame_id content_digest state reason? tier? class commitment content evidence " +
		"provenance? detail?",
	".answers[].frames[].evidence[]": "kind state verdict reason? leaf_count? key_id? tier? trusted_for? expected? signed? " +
		"unverified_claims? detail? diagnosis?",
	".answers[].frames[].evidence[].diagnosis":         "cause detail",
	".answers[].frames[].evidence[].unverified_claims": "attester_id issued_at",
	".answers[].findings[]":                            "code severity detail entry position frame_id",
	".errors[]":                                        "source record offset at code detail",
	".summary": "sources records answers empty_answers frames unreadable passed_over ignored_files ignored classes states evidence " +
		"content provenance? findings inputs finished exit_code exit_zero_applied exit_reason",
	".summary.empty_answers": "attested pinned constructed invalid uncheckable no_trusted_key key_not_in_service unusable unattested",
	".summary.classes":       "good unchecked negative unreadable",
	".summary.states": "attested pinned constructed invalid uncheckable no_trusted_key key_not_in_service unusable content_mismatch " +
		"identity_only unattested malformed_frame",
	".summary.evidence": "attested pinned constructed invalid uncheckable no_trusted_key key_not_in_service unusable",
	".summary.content":  "match mismatch opaque_digest no_digest no_content",
	".summary.findings": "error warning note",
	".summary.inputs[]": "source code severity detail",

	".summary.provenance":              "match mismatch unverifiable missing not_file",
	".answers[].frames[].provenance[]": "link uri status reason? detail?",
}

func TestJSONMemberOrder(t *testing.T) {
	found := orders(t, everything(t, "x").json(t))
	for path, objects := range found {
		want, known := members[path]
		if !known {
			t.Errorf("an object at %q", path)
			continue
		}
		met := make(map[string]bool)
		for _, names := range objects {
			rest := names
			for _, m := range strings.Fields(want) {
				name, optional := strings.CutSuffix(m, "?")
				if len(rest) > 0 && rest[0] == name {
					rest = rest[1:]
					met[name] = true
				} else if !optional {
					t.Fatalf("%q has the members %v, want %s in this place", path, names, name)
				}
			}
			if len(rest) > 0 {
				t.Fatalf("%q has the members %v, of which %v are out of order or unknown", path, names, rest)
			}
		}
		for _, m := range strings.Fields(strings.ReplaceAll(want, "?", "")) {
			if !met[m] && !(path == ".answers[].root" && m == "reason") {
				t.Errorf("%q never has %s: the test shows nothing about it", path, m)
			}
		}
	}
	for path := range members {
		if len(found[path]) == 0 {
			t.Errorf("no object at %q: the test shows nothing about it", path)
		}
	}
}

// A count stands under every constant of archive's sets and under nothing else.
func TestJSONCountsEveryKey(t *testing.T) {
	states := constants(t, "State")
	evidence := slices.DeleteFunc(slices.Clone(states), func(s string) bool {
		return slices.Contains([]string{"content_mismatch", "identity_only", "unattested", "malformed_frame"}, s)
	})
	want := map[string][]string{
		".summary.states": states, ".summary.evidence": evidence, ".summary.empty_answers": append(slices.Clone(evidence), "unattested"),
		".summary.classes": constants(t, "Class"), ".summary.content": constants(t, "Content"), ".summary.findings": constants(t, "Severity"),
	}
	empty := run{}
	empty.count(archive.ExitUnchecked, "no frame was there to check")
	found := orders(t, empty.json(t))
	for path, keys := range want {
		got := slices.Clone(found[path][0])
		slices.Sort(got)
		slices.Sort(keys)
		if !slices.Equal(got, keys) {
			t.Errorf("%s counts %q, want %q", path, got, keys)
		}
	}
}

// The report as a second reader sees it.
type readReport struct {
	Schema string
	Tool   struct{ Name, Version string }
	Policy struct {
		Require   string
		Provider  *string
		LocalID   *string  `json:"local_id"`
		Frames    []string `json:"frames"`
		Trusted   []struct{ Source, SHA256 *string }
		Published []struct{ Source, SHA256 *string }
	}
	ReceivedAt *struct{ Instant, Source *string } `json:"received_at"`
	NotCovered []string                           `json:"not_covered"`
	Answers    []struct {
		Source     string
		ID         *string
		ProviderID *string `json:"provider_id"`
		LocalID    *string `json:"local_id"`
		Proven     any
		Root       *struct {
			Recomputed, Signed *string
			State              string
			KeyID              *string   `json:"key_id"`
			Claims             *struct{} `json:"unverified_claims"`
		}
		Frames []struct {
			LeafIndex     *int    `json:"leaf_index"`
			ProviderID    *string `json:"provider_id"`
			FrameID       string  `json:"frame_id"`
			ContentDigest *string `json:"content_digest"`
			State         string
			Class         string
			Content       string
			Commitment    *string
			Evidence      []struct {
				State      string
				KeyID      *string `json:"key_id"`
				LeafCount  *string `json:"leaf_count"`
				Tier       *string
				TrustedFor *string `json:"trusted_for"`
			}
		}
		Findings []struct {
			Severity string
			Detail   string
			Entry    *int
			Position *int
			FrameID  *string `json:"frame_id"`
		}
	}
	Errors  []struct{ Source, Code, Detail string }
	Summary readSummary
}

type readSummary struct {
	Sources, Records, Answers, Frames, Unreadable uint64
	PassedOver                                    uint64 `json:"passed_over"`
	IgnoredFiles                                  uint64 `json:"ignored_files"`
	Ignored                                       []string
	EmptyAnswers                                  map[string]uint64 `json:"empty_answers"`
	Classes, States, Evidence, Content, Findings  map[string]uint64
	Inputs                                        []struct{ Source, Code, Severity, Detail string }
	Finished                                      bool
	ExitCode                                      int    `json:"exit_code"`
	ExitZeroApplied                               bool   `json:"exit_zero_applied"`
	ExitReason                                    string `json:"exit_reason"`
}

func read(t testing.TB, data []byte) *readReport {
	t.Helper()
	if !jsontext.Value(data).IsValid() {
		t.Fatalf("not one JSON value without duplicate members:\n%.4096s", data)
	}
	r := new(readReport)
	if err := json.Unmarshal(data, r); err != nil {
		t.Fatal(err)
	}
	return r
}

func sum(counts map[string]uint64) (n uint64) {
	for _, k := range counts {
		n += k
	}
	return n
}

func TestJSONTotalsAddUp(t *testing.T) {
	r := read(t, everything(t, "x").json(t))
	s := r.Summary
	again := map[string]map[string]uint64{"classes": {}, "states": {}, "content": {}, "evidence": {}, "findings": {}, "empty": {}}
	var frames, evidence, empty uint64
	for _, a := range r.Answers {
		frames += uint64(len(a.Frames))
		for _, f := range a.Frames {
			again["classes"][f.Class]++
			again["states"][f.State]++
			again["content"][f.Content]++
			for _, ev := range f.Evidence {
				again["evidence"][ev.State]++
				evidence++
			}
		}
		for _, f := range a.Findings {
			again["findings"][f.Severity]++
		}
		if len(a.Frames) == 0 {
			empty++
			if a.Root != nil {
				again["empty"][a.Root.State]++
			} else {
				again["empty"]["unattested"]++
			}
		}
	}
	for _, c := range []struct {
		name      string
		got, want uint64
	}{
		{"answers", s.Answers, uint64(len(r.Answers))}, {"frames", s.Frames, frames}, {"unreadable", s.Unreadable, uint64(len(r.Errors))},
		{"sum of states", sum(s.States), frames}, {"sum of classes", sum(s.Classes), frames}, {"sum of content", sum(s.Content), frames},
		{"sum of evidence", sum(s.Evidence), evidence}, {"sum of empty answers", sum(s.EmptyAnswers), empty},
	} {
		if c.got != c.want || c.want == 0 {
			t.Errorf("%s = %d, the report lists %d", c.name, c.got, c.want)
		}
	}
	for name, counts := range map[string]map[string]uint64{
		"classes": s.Classes, "states": s.States, "content": s.Content, "evidence": s.Evidence, "findings": s.Findings, "empty": s.EmptyAnswers,
	} {
		for key, n := range counts {
			if name == "findings" {
				for _, f := range s.Inputs {
					if f.Severity == key {
						n--
					}
				}
			}
			if n != again[name][key] {
				t.Errorf("%s of %s = %d, the report lists %d", name, key, n, again[name][key])
			}
		}
	}
}

func TestJSONNullAndAbsent(t *testing.T) {
	full := read(t, everything(t, "x").json(t))
	for _, f := range full.Answers[0].Frames {
		malformed := f.State == "malformed_frame"
		if (f.LeafIndex == nil) != malformed || (f.Commitment == nil) != malformed {
			t.Errorf("%s: leaf_index and commitment are null: %v, %v", f.State, f.LeafIndex == nil, f.Commitment == nil)
		}
		for _, ev := range f.Evidence {
			if ev.LeafCount != nil && *ev.LeafCount != "18446744073709551615" {
				t.Errorf("leaf_count = %q", *ev.LeafCount)
			}
		}
	}
	for _, a := range full.Answers {
		if a.Proven != nil {
			t.Errorf("proven = %v, want null", a.Proven)
		}
	}
	r := run{header: archive.Header{Policy: archive.Policy{LocalIDFromArchive: true}}, answers: []*archive.Answer{{
		Root: &archive.Root{State: archive.StateUnusable, Reason: archive.ReasonMissingMember},
		Frames: []archive.Frame{{
			LeafIndex: -1, State: archive.StateUnusable, Evidence: []archive.Evidence{{Kind: archive.KindSignature, State: archive.StateUnusable}},
		}},
		Findings: []archive.Finding{{Entry: -1, Position: -1}},
	}}}
	r.count(archive.ExitUnchecked, "")
	got := read(t, r.json(t))
	if got.Policy.Provider != nil || got.Policy.LocalID == nil || *got.Policy.LocalID != "archive" || got.Policy.Frames == nil || got.ReceivedAt != nil {
		t.Errorf("policy %+v, received_at %v, want a null provider, the local id archive, no frames and null", got.Policy, got.ReceivedAt)
	}
	a := got.Answers[0]
	if a.ID != nil || a.ProviderID != nil || a.LocalID != nil || a.Root.Recomputed != nil || a.Root.Signed != nil || a.Root.Claims != nil {
		t.Errorf("an answer without anything is %+v with the root %+v, want null members", a, a.Root)
	}
	f := a.Frames[0]
	if f.ProviderID != nil || f.ContentDigest != nil || f.Evidence[0].Tier != nil || f.Evidence[0].TrustedFor != nil || f.Evidence[0].LeafCount != nil ||
		f.Evidence[0].KeyID != nil || a.Root.KeyID != nil {
		t.Errorf("a frame without anything is %+v, want null or absent members", f)
	}
	if n := a.Findings[0]; n.Entry != nil || n.Position != nil || n.FrameID != nil {
		t.Errorf("a finding without a place is %+v, want null members", n)
	}
}

// present is not absent: an empty id is an id.
func TestJSONEmptyIsNotNull(t *testing.T) {
	some := commitment.Some("")
	r := run{answers: []*archive.Answer{{
		ID: some, ProviderID: some, LocalID: some, Root: &archive.Root{Unverified: &archive.Claims{}},
		Frames: []archive.Frame{{ContentDigest: some, Evidence: []archive.Evidence{
			{Kind: archive.KindSignature, Unverified: &archive.Claims{}}, {Kind: archive.KindInclusion, Tier: archive.TierPublished},
		}}},
		Findings: []archive.Finding{{FrameID: some}},
	}}}
	r.count(archive.ExitUnchecked, "")
	a := read(t, r.json(t)).Answers[0]
	for name, got := range map[string]*string{
		"id": a.ID, "provider_id": a.ProviderID, "local_id": a.LocalID, "signed": a.Root.Signed, "frame's provider_id": a.Frames[0].ProviderID,
		"content_digest": a.Frames[0].ContentDigest, "frame_id": a.Findings[0].FrameID,
		"root's key_id": a.Root.KeyID, "signature's key_id": a.Frames[0].Evidence[0].KeyID, "proof's key_id": a.Frames[0].Evidence[1].KeyID,
	} {
		if got == nil || *got != "" {
			t.Errorf("%s = %v, want an empty string", name, got)
		}
	}
}

// What comes from an input arrives unchanged, and nothing of it but visible characters stands in the report.
func TestJSONHostileText(t *testing.T) {
	data := everything(t, hostile).json(t)
	for _, r := range string(data) {
		if r == '\n' || r >= ' ' && r <= '~' || strings.ContainsRune("日本\u0301", r) {
			continue
		}
		t.Fatalf("%U stands in the report", r)
	}
	r := read(t, data)
	for name, got := range map[string]string{
		"source": r.Answers[0].Source, "id": *r.Answers[0].ID, "provider_id": *r.Answers[0].ProviderID, "local_id": *r.Answers[0].LocalID,
		"frame_id": r.Answers[0].Frames[0].FrameID, "detail": r.Answers[0].Findings[0].Detail, "error": r.Errors[0].Detail,
		"error's source": r.Errors[0].Source, "exit_reason": r.Summary.ExitReason, "selected frame": r.Policy.Frames[0],
		"key source": *r.Policy.Trusted[0].Source,
	} {
		if !strings.HasPrefix(got, hostile) {
			t.Errorf("%s = %q, want %q and a number", name, got, hostile)
		}
	}
	if !bytes.Contains(data, []byte(`\u202e`)) || !bytes.Contains(data, []byte(`\u001b[2J`)) || !bytes.Contains(data, []byte(`\u0085\u009b`)) {
		t.Error("the report holds no \\u escapes of what was hostile")
	}
}

func TestJSONStrings(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "abc/<&>", `"abc/<&>"`},
		{"quotation mark and backslash", `a"\`, `"a\"\\"`},
		{"controls", "\x00\n\t\x1f\x7f", `"\u0000\u000a\u0009\u001f\u007f"`},
		{"C1 and bidi", "\u0080\u202e", `"\u0080\u202e"`},
		{"beyond the first plane, seen", "👍", `"👍"`},
		{"beyond the first plane, unseen", "\U000e0041", `"\udb40\udc41"`},
		{"replacement character", "\ufffd", "\"\ufffd\""},
		{"not UTF-8", "a\xffb\xed\xa0\x80", `"a\ufffdb\ufffd\ufffd\ufffd"`},
	}
	for _, tt := range tests {
		r := run{errors: []*archive.RecordError{{Detail: tt.in}}}
		r.count(archive.ExitUnreadable, "")
		data := r.json(t)
		if !bytes.Contains(data, []byte(`"detail":`+tt.want+`}`)) {
			t.Errorf("%s: %q is not written as %s", tt.name, tt.in, tt.want)
		}
		if got, want := read(t, data).Errors[0].Detail, strings.ToValidUTF8(tt.in, "\ufffd"); !strings.Contains(tt.name, "UTF-8") && got != want {
			t.Errorf("%s: reads as %q, want %q", tt.name, got, want)
		}
	}
}

// A recorder notes what it is given.
type recorder struct {
	bytes.Buffer
	writes []int
}

func (r *recorder) Write(p []byte) (int, error) {
	r.writes = append(r.writes, len(p))
	return r.Buffer.Write(p)
}

// Answers are written while more come, an answer with many frames in pieces; errors wait for their place.
func TestJSONStreams(t *testing.T) {
	big := &archive.Answer{Source: "big", Frames: make([]archive.Frame, 10_000)}
	w := new(recorder)
	j := report.NewJSON(w, archive.Header{}, report.Tool{})
	if err := j.Error(&archive.RecordError{Source: "first error"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Answer(big); err != nil {
		t.Fatal(err)
	}
	if w.Len() < 1_000_000 {
		t.Errorf("after an answer of 10,000 frames %d bytes were written", w.Len())
	}
	for _, n := range w.writes {
		if n > 80<<10 {
			t.Errorf("%d bytes were held for one write", n)
		}
	}
	if bytes.Contains(w.Bytes(), []byte("first error")) {
		t.Error("an error was written in front of the end of the answers")
	}
	if err := j.Answer(&archive.Answer{Source: "second answer"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Error(&archive.RecordError{Source: "second error"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Close(&archive.Summary{}); err != nil {
		t.Fatal(err)
	}
	r := read(t, w.Bytes())
	if len(r.Answers) != 2 || len(r.Answers[0].Frames) != 10_000 || len(r.Errors) != 2 || r.Errors[1].Source != "second error" {
		t.Errorf("%d answers and %d errors, want 2 and 2 in their order", len(r.Answers), len(r.Errors))
	}
	if r.Summary.Finished {
		t.Error("an interrupted run is finished")
	}
}

// One answer, and one error, stand on a line of their own.
func TestJSONLines(t *testing.T) {
	r := everything(t, hostile)
	answers, errs := 0, 0
	for line := range bytes.Lines(r.json(t)) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte(","))
		if jsontext.Value(line).IsValid() && line[0] == '{' {
			if bytes.Contains(line, []byte(`"frames":[`)) {
				answers++
			} else {
				errs++
			}
		}
	}
	if answers != len(r.answers) || errs != len(r.errors) {
		t.Errorf("%d lines are an answer and %d an error, want %d and %d", answers, errs, len(r.answers), len(r.errors))
	}
}

// A full disk gives the same error from then on.
func TestJSONWriteError(t *testing.T) {
	full := errors.New("full")
	j := report.NewJSON(writerFunc(func([]byte) (int, error) { return 0, full }), archive.Header{}, report.Tool{})
	big := &archive.Answer{Frames: make([]archive.Frame, 10_000)}
	for name, err := range map[string]error{"Answer": j.Answer(big), "Error": j.Error(&archive.RecordError{}), "Close": j.Close(&archive.Summary{})} {
		if !errors.Is(err, full) {
			t.Errorf("%s = %v, want %v", name, err, full)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func FuzzJSON(f *testing.F) {
	f.Add("answers.ndjson", "repo-graph", "frame", "detail", uint64(7), -1)
	f.Add(hostile, "\xff", "\u2028", `\u0000"`, uint64(1)<<63, 3)
	f.Add("", "", "", "", uint64(0), 0)
	f.Fuzz(func(t *testing.T, source, name, id, detail string, record uint64, index int) {
		some := commitment.Some(name)
		claims := &archive.Claims{AttesterID: name, IssuedAt: detail}
		r := run{
			header: archive.Header{
				Policy:  archive.Policy{Require: archive.Level(detail), Provider: some, Frames: []string{id, name}},
				Trusted: []archive.KeySource{{Name: source, SHA256: detail, Keys: index}}, Algorithms: []string{detail},
			},
			answers: []*archive.Answer{{
				Source: source, Record: record, Offset: int64(index), ID: commitment.Some(id), ProviderID: some,
				ProviderSource: archive.ProviderSource(detail), Class: archive.Class(name),
				Root: &archive.Root{Signed: id, State: archive.State(detail), Verdict: sign.Verdict(name), KeyID: id, Unverified: claims},
				Frames: []archive.Frame{{
					Position: index, LeafIndex: index, ProviderID: name, FrameID: id, ContentDigest: some, State: archive.State(id), Detail: detail,
					Evidence: []archive.Evidence{{
						Kind: archive.EvidenceKind(name), Detail: detail, LeafCount: id, KeyID: name, TrustedFor: id, Expected: detail, Signed: name,
						Unverified: claims,
					}},
				}},
				Findings: []archive.Finding{{Code: archive.FindingCode(name), Detail: detail, Entry: index, Position: index, FrameID: some}},
			}},
			errors: []*archive.RecordError{{Source: source, Record: record, At: int64(index), Code: archive.ErrorCode(name), Detail: detail}},
		}
		r.count(index, detail)
		got := read(t, r.json(t))
		if len(got.Answers) != 1 || len(got.Answers[0].Frames) != 1 || len(got.Errors) != 1 {
			t.Fatalf("%d answers and %d errors, want one of each", len(got.Answers), len(got.Errors))
		}
		for _, s := range []struct{ name, got, want string }{
			{"source", got.Answers[0].Source, source}, {"provider_id", *got.Answers[0].ProviderID, name},
			{"frame_id", got.Answers[0].Frames[0].FrameID, id}, {"detail", got.Errors[0].Detail, detail},
		} {
			if utf8.ValidString(s.want) && s.got != s.want {
				t.Errorf("%s = %q, want %q", s.name, s.got, s.want)
			}
		}
		r.text(t, report.TextOptions{Verbose: index%2 == 0})
	})
}

// The exit code and its reason are the summary's.
func TestJSONSummary(t *testing.T) {
	r := run{}
	r.count(archive.ExitInterrupted, "interrupted: this report is partial")
	r.summary.Finished, r.summary.ExitZeroApplied, r.summary.PassedOver, r.summary.IgnoredFiles = false, true, 3, 4
	got := read(t, r.json(t)).Summary
	for _, m := range []map[string]uint64{got.Classes, got.States, got.Evidence, got.Content, got.Findings, got.EmptyAnswers} {
		if sum(m) != 0 || len(m) == 0 {
			t.Errorf("counts of nothing: %v", m)
		}
	}
	got.Classes, got.States, got.Evidence, got.Content, got.Findings, got.EmptyAnswers = nil, nil, nil, nil, nil, nil
	if len(got.Inputs) != 0 || len(got.Ignored) != 0 || !bytes.Contains(r.json(t), []byte(`"ignored":[],`)) || !bytes.Contains(r.json(t), []byte(`"inputs":[],`)) {
		t.Errorf("ignored %v and inputs %v, want empty arrays", got.Ignored, got.Inputs)
	}
	got.Ignored, got.Inputs = nil, nil
	want := readSummary{
		PassedOver: 3, IgnoredFiles: 4, ExitCode: 130, ExitZeroApplied: true, ExitReason: "interrupted: this report is partial",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("summary = %+v, want %+v", got, want)
	}
}

// benchAnswer is a signed answer of n frames as most are: all evidence on each.
func benchAnswer(n int) *archive.Answer {
	digest := commitment.ContentDigest("x").String()
	a := &archive.Answer{
		Source: "answers.ndjson", Record: 4, Offset: 1022, ID: commitment.Some("q3"), ProviderID: commitment.Some("repo-graph"),
		LocalID: commitment.Some("repo-graph"), Class: archive.ClassGood,
		Root: &archive.Root{
			Recomputed: digest, Signed: digest, State: archive.StateAttested, Verdict: sign.Valid, KeyID: "repo-graph-2026-08",
			Tier: archive.TierConfigured, TrustedFor: "repo-graph", Unverified: &archive.Claims{AttesterID: "repo-graph", IssuedAt: "2026-08-29T12:00:00Z"},
		},
	}
	for i := range n {
		key := archive.Evidence{
			State: archive.StateAttested, Verdict: sign.Valid, KeyID: "repo-graph-2026-08", Tier: archive.TierConfigured, TrustedFor: "repo-graph",
		}
		signature, inclusion := key, key
		signature.Kind, signature.Unverified = archive.KindSignature, a.Root.Unverified
		inclusion.Kind, inclusion.LeafCount = archive.KindInclusion, "1000"
		a.Frames = append(a.Frames, archive.Frame{
			Position: i, LeafIndex: i, ProviderID: "repo-graph", FrameID: fmt.Sprintf("repo-graph:src/file%d.go#L10-L20", i),
			ContentDigest: commitment.Some(digest), State: archive.StateAttested, Tier: archive.TierConfigured, Class: archive.ClassGood,
			Commitment: digest, Content: archive.ContentMatch,
			Evidence: []archive.Evidence{signature, inclusion, {Kind: archive.KindRoot, State: archive.StateAttested, Verdict: sign.Valid}},
		})
	}
	return a
}

func BenchmarkJSON(b *testing.B) {
	const frames = 1_000
	a := benchAnswer(frames)
	j := report.NewJSON(io.Discard, archive.Header{}, report.Tool{})
	b.ReportAllocs()
	for b.Loop() {
		if err := j.Answer(a); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/frames, "ns/frame")
}

func BenchmarkText(b *testing.B) {
	const frames = 1_000
	a := benchAnswer(frames)
	text := report.NewText(io.Discard, archive.Header{}, report.TextOptions{})
	b.ReportAllocs()
	for b.Loop() {
		if err := text.Answer(a); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/frames, "ns/frame")
}
