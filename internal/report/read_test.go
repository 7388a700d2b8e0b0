package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
	"pgregory.net/rapid"
)

func (r *run) jsonl(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewJSONL(&out, r.header, report.Tool{Name: "cgp-attest", Version: "v0.0.0"}))
	return out.Bytes()
}

// readBack reads a report into a run. The error is the one of reading.
func readBack(in io.Reader) (*run, report.Tool, error) {
	reader, err := report.NewReader(in)
	if err != nil {
		return nil, report.Tool{}, err
	}
	var parts archive.Report
	summary, err := reader.Copy(&parts)
	return &run{header: reader.Header(), answers: parts.Answers, errors: parts.Errors, summary: summary}, reader.Tool(), err
}

// convert reads a report and writes it in a format.
func convert(t testing.TB, text []byte, format string) []byte {
	t.Helper()
	reader, err := report.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%.512s", err, text)
	}
	var out bytes.Buffer
	render := report.New(format, &out, reader.Header(), reader.Tool(), report.TextOptions{})
	summary, err := reader.Copy(render)
	if err != nil {
		t.Fatalf("%v\n%.512s", err, text)
	}
	if err := render.Close(summary); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// checkRoundTrip demands that a run is the same bytes whichever way it was read and written.
func checkRoundTrip(t testing.TB, r *run) {
	t.Helper()
	inJSON, lines := r.json(t), r.jsonl(t)
	for _, tt := range []struct {
		name      string
		from      []byte
		to        string
		want      []byte
		backAgain string
	}{
		{"json to jsonl", inJSON, report.FormatJSONL, lines, report.FormatJSON}, {"jsonl to json", lines, report.FormatJSON, inJSON, report.FormatJSONL},
	} {
		got := convert(t, tt.from, tt.to)
		if !bytes.Equal(got, tt.want) {
			t.Fatalf("%s:\n%.512s\nwant\n%.512s", tt.name, got, tt.want)
		}
		if again := convert(t, got, tt.backAgain); !bytes.Equal(again, tt.from) {
			t.Fatalf("%s and back:\n%.512s\nwant\n%.512s", tt.name, again, tt.from)
		}
	}
}

func TestReadBack(t *testing.T) {
	reasoned := func(mark string) *run { // no report holds a reason to exit that its counts do not lead to
		r := everything(t, mark)
		recount(r)
		return r
	}
	for _, mark := range []string{"x", hostile, "\u2028\\\"", ""} {
		checkRoundTrip(t, reasoned(mark))
	}
	empty := run{header: archive.Header{Policy: archive.Policy{Require: archive.RequireAttested, LocalIDFromArchive: true, Retained: true}}}
	empty.count(archive.ExitUnchecked, "no frame was there to check")
	checkRoundTrip(t, &empty)
	partial := reasoned("x")
	partial.header.ReceivedAt = nil
	partial.summary.Finished = false
	partial.summary.Conclude()
	checkRoundTrip(t, partial)
	partial.summary.ExitReason += ": " + hostile
	checkRoundTrip(t, partial)
	partial.summary.ExitCode = archive.ExitInternal
	checkRoundTrip(t, partial)
	excused := reasoned("x")
	excused.summary.ExitZeroApplied = true
	checkRoundTrip(t, excused)
}

// White space and the order of members in what stands in a report say nothing.
func TestReadIndented(t *testing.T) {
	r := everything(t, hostile)
	recount(r)
	indented := bytes.ReplaceAll(r.json(t), []byte(`,"`), []byte(" ,\r\n\t \""))
	if got := convert(t, indented, report.FormatJSON); !bytes.Equal(got, r.json(t)) {
		t.Errorf("%.512s", got)
	}
	moved := bytes.Replace(r.json(t), []byte(`,"finished":true`), nil, 1)
	moved = bytes.Replace(moved, []byte(`"summary":{`), []byte(`"summary":{"finished":true,`), 1)
	if got := convert(t, moved, report.FormatJSON); !bytes.Equal(got, r.json(t)) {
		t.Errorf("%.512s", got)
	}
}

// recount settles a run and counts it anew.
func recount(r *run) {
	s := archive.NewSummary(r.header.Policy.Require)
	for _, a := range r.settled().answers {
		s.CountAnswer(a)
	}
	for range r.errors {
		s.CountError()
	}
	s.Sources, s.Records, s.Finished = len(r.answers)+len(r.errors), s.Answers+s.Unreadable, true
	s.Conclude()
	r.summary = s
}

// drawRun makes a run up that a report can say everything of.
func drawRun(t *rapid.T) *run {
	text := rapid.OneOf(rapid.String(), rapid.Just(""), rapid.Just(hostile))
	some := func(name string) commitment.Optional {
		if rapid.Bool().Draw(t, name+" is there") {
			return commitment.Some(text.Draw(t, name))
		}
		return commitment.Optional{}
	}
	draw := func(name string) string { return text.Draw(t, name) }
	set := func(name string) string {
		for _, s := range archive.Catalog() {
			if s.Name == name {
				return s.Entries[rapid.IntRange(0, len(s.Entries)-1).Draw(t, name)].Code
			}
		}
		t.Fatalf("no set %s", name)
		return ""
	}
	may := func(name string) string {
		if rapid.Bool().Draw(t, name+" is there") {
			return set(name)
		}
		return ""
	}
	at := func() archive.ReceivedAt {
		var i commitment.Instant
		if rapid.Bool().Draw(t, "instant") {
			i, _ = commitment.ParseInstant(rapid.SampledFrom([]string{"0000-01-01T00:00:00Z", "2016-12-31T23:59:60.2500Z"}).Draw(t, "instant"))
		}
		return archive.ReceivedAt{Instant: i, Source: archive.InstantSource(set("instant_sources"))}
	}
	claims := func() *archive.Claims {
		if rapid.Bool().Draw(t, "claims") {
			return &archive.Claims{AttesterID: draw("attester"), IssuedAt: draw("issued")}
		}
		return nil
	}
	diagnosis := func() *archive.Diagnosis {
		if rapid.Bool().Draw(t, "diagnosis") {
			return &archive.Diagnosis{Cause: archive.Cause(set("causes")), Detail: draw("detail")}
		}
		return nil
	}
	index := func() int { return rapid.IntRange(-1, 1<<40).Draw(t, "index") }
	decimal := func() uint64 { return rapid.Uint64().Draw(t, "number") }
	list := func(name string, each func()) {
		for range rapid.IntRange(0, 3).Draw(t, name) {
			each()
		}
	}
	r := &run{header: archive.Header{Policy: archive.Policy{
		Require: archive.Level(set("levels")), AllowIdentityOnly: rapid.Bool().Draw(t, "b"), AllowOpaqueDigest: rapid.Bool().Draw(t, "b"),
		Provider: some("provider"), LocalID: some("local"), Retained: rapid.Bool().Draw(t, "b"),
	}}}
	list("frames", func() { r.header.Policy.Frames = append(r.header.Policy.Frames, draw("frame")) })
	list("trusted", func() {
		r.header.Trusted = append(r.header.Trusted, archive.KeySource{Name: draw("name"), SHA256: draw("sha"), Keys: index() + 1})
	})
	if rapid.Bool().Draw(t, "received_at") {
		received := at()
		r.header.ReceivedAt = &received
	}
	finding := func() (archive.FindingCode, archive.Severity) {
		code := archive.FindingCode(set("findings"))
		return code, code.Severity()
	}
	list("answers", func() {
		a := &archive.Answer{
			Source: draw("source"), Record: max(decimal(), 1), Offset: int64(index() + 1), ID: some("id"), ProviderID: some("provider"),
			ProviderSource: archive.ProviderSource(set("provider_sources")), LocalID: some("local"), Retained: rapid.Bool().Draw(t, "b"),
			ReceivedAt: at(), Class: archive.Class(set("classes")),
		}
		if rapid.Bool().Draw(t, "proven") {
			a.Proven = &archive.Proven{Leaves: decimal()}
			list("claimed", func() { a.Proven.Claimed = append(a.Proven.Claimed, decimal()) })
		}
		if rapid.Bool().Draw(t, "root") {
			a.Root = &archive.Root{
				Recomputed: draw("recomputed"), Signed: draw("signed"), State: archive.State(set("evidence_states")), Verdict: sign.Verdict(may("verdicts")),
				Reason: archive.Reason(may("reasons")), Detail: draw("detail"), KeyID: draw("key"), Tier: archive.Tier(may("tiers")),
				TrustedFor: draw("for"), Unverified: claims(), Diagnosis: diagnosis(),
			}
		}
		list("frames", func() {
			f := archive.Frame{
				Position: index() + 1, LeafIndex: index(), FrameID: draw("frame"), ContentDigest: some("digest"), State: archive.State(set("frame_states")),
				Tier: archive.Tier(may("tiers")), Class: archive.Class(set("classes")), Commitment: draw("commitment"),
				Content: archive.Content(set("content_states")), Reason: archive.Reason(may("reasons")), Detail: draw("detail"),
			}
			if a.ProviderID.Present() {
				f.ProviderID = draw("provider")
			}
			list("evidence", func() {
				ev := archive.Evidence{
					Kind: archive.EvidenceKind(set("evidence_kinds")), State: archive.State(set("evidence_states")), Verdict: sign.Verdict(may("verdicts")),
					Reason: archive.Reason(may("reasons")), Detail: draw("detail"), KeyID: draw("key"), Tier: archive.Tier(may("tiers")),
					TrustedFor: draw("for"), Expected: draw("expected"), Signed: draw("signed"), Unverified: claims(),
					Diagnosis: diagnosis(),
				}
				if rapid.Bool().Draw(t, "leaf_count") {
					ev.LeafCount = fmt.Sprint(decimal())
				}
				f.Evidence = append(f.Evidence, ev)
			})
			a.Frames = append(a.Frames, f)
		})
		list("findings", func() {
			code, severity := finding()
			a.Findings = append(a.Findings, archive.Finding{
				Code: code, Severity: severity, Detail: draw("detail"), Entry: index(), Position: index(), FrameID: some("frame"),
			})
		})
		r.answers = append(r.answers, a)
	})
	list("errors", func() {
		r.errors = append(r.errors, &archive.RecordError{
			Source: draw("source"), Record: decimal(), Offset: int64(index() + 1), At: int64(index() + 1), Code: archive.ErrorCode(set("errors")), Detail: draw("detail"),
		})
	})
	s := archive.NewSummary(r.header.Policy.Require)
	for _, a := range r.settled().answers {
		s.CountAnswer(a)
	}
	for range r.errors {
		s.CountError()
	}
	s.PassedOver = decimal() / 4 // those of several runs fit into one number
	s.Records = s.Answers + s.Unreadable + s.PassedOver + uint64(rapid.IntRange(0, 9).Draw(t, "records"))
	s.Sources = len(r.answers) + len(r.errors) + rapid.IntRange(0, 9).Draw(t, "sources")
	list("ignored", func() { s.Ignore(draw("ignored")) })
	list("inputs", func() {
		code, _ := finding()
		s.FindInput(draw("source"), code, draw("detail"))
	})
	s.Finished = rapid.Bool().Draw(t, "finished")
	s.Conclude()
	s.ExitZeroApplied = archive.Excusable(s.ExitCode) && rapid.Bool().Draw(t, "excused")
	r.summary = s
	return r
}

func TestReadBackAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) { checkRoundTrip(t, drawRun(rt)) })
}

// small is a run of a few parts, for tests that take it apart.
func small(t testing.TB) *run {
	t.Helper()
	r := one(archive.RequireAttested, nil, proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs"))
	r.answers[0].Record, r.answers[0].ProviderSource, r.answers[0].Class = 1, archive.ProviderFromEntries, archive.ClassGood
	r.answers[0].ReceivedAt.Source = archive.InstantFromClock
	r.answers[0].Frames[0].ContentDigest = commitment.Some(commitment.ContentDigest("x").String())
	second := *r.answers[0]
	second.Record = 2
	r.answers = append(r.answers, &second)
	for n := range 2 {
		r.errors = append(r.errors, &archive.RecordError{Source: "日本", Record: uint64(n + 3), Code: archive.ErrorSyntax, Detail: "\x1b"})
	}
	r.count(archive.ExitUnreadable, "2 sources or records could not be read")
	checkRoundTrip(t, r)
	return r
}

// Cut at any byte, a report is never called whole: it gives what is whole in front of the cut, or has no header.
func TestReadCut(t *testing.T) {
	r := small(t)
	for format, text := range map[string][]byte{report.FormatJSON: r.json(t), report.FormatJSONL: r.jsonl(t)} {
		most, headers := 0, 0
		for end := range len(text) - 1 { // the last byte is the end of the line
			readers := []io.Reader{bytes.NewReader(text[:end])}
			if end%31 == 0 {
				readers = append(readers, iotest.OneByteReader(bytes.NewReader(text[:end])))
			}
			for _, in := range readers {
				got, _, err := readBack(in)
				if got == nil {
					if headers > 0 || !errors.Is(err, report.ErrCut) && !errors.Is(err, report.ErrNotReport) {
						t.Fatalf("%s cut at %d: %v", format, end, err)
					}
					continue
				}
				headers++
				if !errors.Is(err, report.ErrCut) {
					t.Fatalf("%s cut at %d: %v, want %v", format, end, err, report.ErrCut)
				}
				s := got.summary
				if s.Finished || s.ExitCode != archive.ExitInterrupted || s.Answers != uint64(len(got.answers)) || s.Unreadable != uint64(len(got.errors)) {
					t.Fatalf("%s cut at %d: %+v for %d answers and %d errors", format, end, s, len(got.answers), len(got.errors))
				}
				parts := len(got.answers) + len(got.errors)
				if parts < most {
					t.Fatalf("%s cut at %d: %d parts, and %d before", format, end, parts, most)
				}
				if parts > most {
					checkRoundTrip(t, got)
				}
				most = parts
			}
		}
		if most != len(r.answers)+len(r.errors) || headers == 0 {
			t.Errorf("%s: %d parts stood in front of a cut, want all", format, most)
		}
	}
}

func TestReadRejects(t *testing.T) {
	r := small(t)
	inJSON, lines := string(r.json(t)), string(r.jsonl(t))
	last := func(text string) string { return text[strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1:] }
	tests := []struct {
		name, from string
		old, new   string
		want       error
		words      string
	}{
		{"empty", "", "", "", report.ErrNotReport, "empty"},
		{"white space", " \n", "", "", report.ErrNotReport, "begin"},
		{"no JSON", "report", "", "", report.ErrNotReport, "begin"},
		{"an array", "[" + inJSON + "]", "", "", report.ErrNotReport, "begin"},
		{"a byte order mark", "\ufeff" + inJSON, "", "", report.ErrNotReport, "begin"},
		{"another object", `{"type":"frames"}`, "", "", report.ErrNotReport, `"type"`},
		{"an archive", `{"format":"cgp-archive/1"}`, "", "", report.ErrNotReport, `"format"`},
		{"an inspection", inJSON, "report/1", "inspect/1", report.ErrUnsupported, "inspect"},
		{"another version", inJSON, "report/1", "report/2", report.ErrUnsupported, "report/2"},
		{"another version of lines", lines, "report/1", "report/2", report.ErrUnsupported, "report/2"},
		{"no schema first", inJSON, `"schema":"cgp-attest/report/1",`, "", report.ErrNotReport, `"tool"`},
		{"a schema that is a number", inJSON, `"cgp-attest/report/1"`, "1", report.ErrNotReport, ""},
		{"no header", last(lines), "", "", report.ErrNotReport, `"summary"`},
		{"no tool", inJSON, `"tool":{"name":"cgp-attest","version":"v0.0.0"},`, "", report.ErrMalformed, `"answers"`},
		{"two tools", inJSON, `"policy":{`, `"tool":{"name":"","version":""},"policy":{`, report.ErrMalformed, `"tool"`},
		{"an unknown member", inJSON, `"errors":[`, `"extra":1,"errors":[`, report.ErrMalformed, `"extra"`},
		{"an unknown member of the header", lines, `,"policy"`, `,"extra":1,"policy"`, report.ErrMalformed, `"extra"`},
		{"one more member of the header", lines, "]}\n", `],"extra":1}` + "\n", report.ErrMalformed, ""},
		{"errors in front of answers", inJSON, `"answers":[`, `"errors":[`, report.ErrMalformed, `"errors"`},
		{"no summary", inJSON, inJSON[strings.Index(inJSON, ",\n\"summary\""):], "}", report.ErrMalformed, "no summary"},
		{"answers of another type", inJSON, `"answers":[`, `"answers":{`, report.ErrMalformed, ""},
		{"another list of what is not covered", inJSON, `"query",`, "", report.ErrMalformed, "not_covered"},
		{"a policy that is an array", inJSON, `"policy":{`, `"policy":[],"x":{`, report.ErrMalformed, "policy: it is an array, want an object"},
		{"a level that does not exist", inJSON, `"require":"attested"`, `"require":"published"`, report.ErrMalformed, `policy.require: "published" is none of the levels`},
		{"an unknown member of an answer", inJSON, `"offset":0,`, `"offset":0,"size":1,`, report.ErrMalformed, `answers[0]: unknown member "size"`},
		{"a member of an answer twice", inJSON, `"offset":0,`, `"offset":0,"offse\u0074":0,`, report.ErrMalformed, `answers[0]: member "offset" stands twice`},
		{"an answer without an offset", inJSON, `"offset":0,`, "", report.ErrMalformed, `answers[0]: member "offset" is missing`},
		{"an offset that is a string", inJSON, `"offset":0,`, `"offset":"0",`, report.ErrMalformed, `answers[0].offset`},
		{"an offset with a fraction", inJSON, `"offset":0,`, `"offset":0.0,`, report.ErrMalformed, `answers[0].offset`},
		{"an offset below 0", inJSON, `"offset":0,`, `"offset":-1,`, report.ErrMalformed, `answers[0].offset`},
		{"an offset of 2^63", inJSON, `"offset":0,`, `"offset":9223372036854775808,`, report.ErrMalformed, `answers[0].offset`},
		{"record 0", inJSON, `"record":1,`, `"record":0,`, report.ErrMalformed, `answers[0].record`},
		{"a state that does not exist", inJSON, `"state":"attested","tier"`, `"state":"verified","tier"`, report.ErrMalformed, `answers[0].frames[0].state: "verified"`},
		{"a state of frames on evidence", inJSON, `"state":"attested","verdict"`, `"state":"unattested","verdict"`, report.ErrMalformed,
			`answers[0].frames[0].evidence[0].state: "unattested"`},
		{"a frame without the provider of its answer", inJSON, `"provider_id":"","frame_id"`, `"provider_id":null,"frame_id"`, report.ErrMalformed, `answers[0].frames[0].provider_id`},
		{"claims of an attestation that was not read", inJSON, `"root":null`,
			`"root":{"recomputed":null,"signed":null,"state":"unusable","verdict":"","unverified_claims":{"attester_id":"","issued_at":""}}`,
			report.ErrMalformed, `answers[0].root.unverified_claims: it stands beside a signed that is null`},
		{"an id that is a number", inJSON, `"id":null`, `"id":7`, report.ErrMalformed, `answers[0].id: it is a number, want a string`},
		{"null for frames", inJSON, `"frames":[{`, `"frames":null,"x":[{`, report.ErrMalformed, `"x"`},
		{"an error that does not exist", inJSON, `"code":"syntax"`, `"code":"typo"`, report.ErrMalformed, `errors[0].code: "typo"`},
		{"an unknown member of an error", lines, `"at":0,`, `"at":0,"line":"error",`, report.ErrMalformed, `line[3]: unknown member "line"`},
		{"a line of another kind", lines, `"line":"error"`, `"line":"warning"`, report.ErrMalformed, `line[3]: it is of the kind "warning"`},
		{"a line of no kind", lines, `"line":"error",`, ``, report.ErrMalformed, `line[3]`},
		{"a line with its kind behind", lines, `{"line":"error",`, `{"at":7,"line":"error",`, report.ErrMalformed, `line[3]`},
		{"a line that is a number", lines, `{"line":"error"`, "7\n" + `{"line":"error"`, report.ErrMalformed, `line[3]`},
		{"a line with its kind alone", lines, `{"line":"error"`, `{"line":"error"}` + "\n" + `{"line":"error"`, report.ErrMalformed, `"source" is missing`},
		{"a second header", lines, `{"line":"error"`, `{"line":"header"}{"line":"error"`, report.ErrMalformed, "header"},
		{"no JSON in the middle", lines, `{"line":"error"`, `]{"line":"error"`, report.ErrMalformed, ""},
		{"a lone surrogate", inJSON, `"detail":"\u001b"`, `"detail":"\ud800"`, report.ErrMalformed, ""},
		{"bytes that are no UTF-8", inJSON, `"detail":"\u001b"`, "\"detail\":\"\xff\"", report.ErrMalformed, ""},
		{"a comma too many", inJSON, "\n],\n\"errors\"", ",\n],\n\"errors\"", report.ErrMalformed, ""},
		{"something behind the object", inJSON + "{}", "", "", report.ErrMalformed, "behind its end"},
		{"two reports", inJSON + inJSON, "", "", report.ErrMalformed, "behind its end"},
		{"something behind the summary", lines + "\x00", "", "", report.ErrMalformed, "behind its end"},
		{"two summaries", lines + last(lines), "", "", report.ErrMalformed, "behind its end"},
		{"a count of nothing known", inJSON, `"match":`, `"equal":`, report.ErrMalformed, `summary.content: unknown member "equal"`},
		{"an exit code that is negative", inJSON, `"exit_code":4`, `"exit_code":-4`, report.ErrMalformed, "summary.exit_code"},
		{"an exit code that is good", inJSON, `"exit_code":4`, `"exit_code":0`, report.ErrDisagrees, "summary.exit_code is 0, and the counts lead to 4"},
		{"a whole run that was interrupted", inJSON, `"exit_code":4`, `"exit_code":130`, report.ErrDisagrees, "130"},
		{"a whole run that ended with a fault", inJSON, `"exit_code":4`, `"exit_code":5`, report.ErrDisagrees, "5"},
		{"a partial run that is unreadable", inJSON, `"finished":true`, `"finished":false`, report.ErrDisagrees, "130"},
		{"an excuse for a partial run", inJSON, `"finished":true,"exit_code":4,"exit_zero_applied":false`,
			`"finished":false,"exit_code":130,"exit_zero_applied":true`, report.ErrDisagrees, "exit_zero_applied"},
		{"an exit reason that is good", inJSON, `"2 sources or records could not be read"`, `"2 frames met the policy (attested)"`, report.ErrDisagrees,
			`summary.exit_reason is "2 frames met the policy (attested)", and the counts lead to "2 sources or records could not be read"`},
		{"an exit reason with more behind it", inJSON, `could not be read"`, `could not be read: all is well"`, report.ErrDisagrees, "summary.exit_reason"},
		{"another exit reason of a partial run", inJSON, `"finished":true,"exit_code":4`, `"finished":false,"exit_code":130`, report.ErrDisagrees,
			`the counts lead to "interrupted: this report is partial"`},
		{"a state that its evidence does not lead to", inJSON, `"state":"attested","tier":"configured","class"`, `"state":"pinned","tier":"configured","class"`,
			report.ErrDisagrees, `answers[0]: archive: frames[0].state is "pinned", and its evidence and content lead to "attested"`},
		{"another tier", inJSON, `"tier":"configured","class"`, `"tier":"pinned","class"`, report.ErrDisagrees, `frames[0].tier is "pinned"`},
		{"another class of a frame", lines, `"tier":"configured","class":"good"`, `"tier":"configured","class":"unchecked"`, report.ErrDisagrees,
			`line[1]: archive: frames[0].class is "unchecked", and its state and the policy lead to "good"`},
		{"another class of an answer", inJSON, `"class":"good","proven"`, `"class":"negative","proven"`, report.ErrDisagrees,
			`answers[0]: archive: class is "negative", and its frames and findings lead to "good"`},
		{"a verdict that its state does not go with", inJSON, `"verdict":"valid"`, `"verdict":"bad_signature"`, report.ErrDisagrees,
			`frames[0].evidence[0].state is "attested" beside the verdict "bad_signature"`},
		{"content that a finding would tell of", inJSON, `"content":"match"`, `"content":"mismatch"`, report.ErrDisagrees, `frames[0].state is "attested"`},
		{"content that is not there", inJSON, `"content":"match"`, `"content":"no_content"`, report.ErrDisagrees, `frames[0].class is "good"`},
		{"another place of a frame", inJSON, `"position":0`, `"position":1`, report.ErrDisagrees, "frames[0].position is 1"},
		{"an error finding in a good answer", inJSON, `"findings":[]`,
			`"findings":[{"code":"contradicting_proofs","severity":"error","detail":"","entry":null,"position":null,"frame_id":null}]`, report.ErrDisagrees,
			`class is "good", and its frames and findings lead to "negative"`},
		{"fewer sources", inJSON, `"sources":2`, `"sources":1`, report.ErrDisagrees, "summary.sources is 1, and 2"},
		{"more messages of other types than records", lines, `"passed_over":0`, `"passed_over":1`, report.ErrDisagrees, "summary.passed_over, which is 1"},
		{"fewer records", inJSON, `"records":4`, `"records":3`, report.ErrDisagrees, "summary.records is 3, and 4"},
		{"more answers", inJSON, `"answers":2`, `"answers":3`, report.ErrDisagrees, "summary.answers is 3, what stands in front of it comes to 2"},
		{"fewer frames", lines, `"frames":2,"unreadable"`, `"frames":1,"unreadable"`, report.ErrDisagrees, "summary.frames is 1"},
		{"more errors", inJSON, `"unreadable":2`, `"unreadable":3`, report.ErrDisagrees, "summary.unreadable"},
		{"another class", inJSON, `"classes":{"good":2,"unchecked":0`, `"classes":{"good":1,"unchecked":1`, report.ErrDisagrees, "summary.classes.good is 1, what stands in front of it comes to 2"},
		{"another state", inJSON, `"states":{"attested":2,"pinned":0`, `"states":{"attested":2,"pinned":1`, report.ErrDisagrees, "summary.states.pinned"},
		{"other evidence", inJSON, `"evidence":{"attested":2`, `"evidence":{"attested":4`, report.ErrDisagrees, "summary.evidence.attested"},
		{"other content", inJSON, `"content":{"match":2`, `"content":{"match":1`, report.ErrDisagrees, "summary.content.match"},
		{"a finding that is not there", inJSON, `"findings":{"error":0,"warning":0`, `"findings":{"error":0,"warning":1`, report.ErrDisagrees, "summary.findings.warning"},
		{"an answer without frames", inJSON, `"empty_answers":{"attested":0`, `"empty_answers":{"attested":1`, report.ErrDisagrees, "summary.empty_answers.attested"},
		{"a file that was not ignored", inJSON, `"ignored":[]`, `"ignored":["a"]`, report.ErrDisagrees, "ignored_files"},
		{"eleven files", inJSON, `"ignored":[]`, `"ignored":["","","","","","","","","","",""]`, report.ErrMalformed, "at most 10"},
		{"a finding of another severity", inJSON, `"inputs":[]`, `"inputs":[{"source":"","code":"duplicate_input","severity":"note","detail":""}]`, report.ErrMalformed,
			`summary.inputs[0].severity: it is "note", and duplicate_input is of severity warning`},
		{"a finding that is not counted", inJSON, `"inputs":[]`, `"inputs":[{"source":"","code":"duplicate_input","severity":"warning","detail":""}]`, report.ErrDisagrees, "findings"},
	}
	for _, tt := range tests {
		text := tt.from
		if tt.old != "" {
			if text = strings.Replace(tt.from, tt.old, tt.new, 1); text == tt.from {
				t.Errorf("%s: %q is not there", tt.name, tt.old)
				continue
			}
		}
		if got, _, err := readBack(strings.NewReader(text)); !errors.Is(err, tt.want) || !strings.Contains(fmt.Sprint(err), tt.words) || got != nil && got.summary != nil {
			t.Errorf("%s: %v, want %v that says %q", tt.name, err, tt.want, tt.words)
		}
	}
}

// The bound of a header is not that of the answer behind it.
func TestReadLongFirstAnswer(t *testing.T) {
	r := small(t)
	r.answers[0].ID = commitment.Some(strings.Repeat("x", 65<<20))
	for _, text := range [][]byte{r.json(t), r.jsonl(t)} {
		if got, _, err := readBack(bytes.NewReader(text)); err != nil || len(got.answers) != len(r.answers) {
			t.Errorf("an answer of %d bytes: %v", len(text), err)
		}
	}
}

// What a source says of itself when it fails, and what takes the parts, come through as they are.
func TestReadErrors(t *testing.T) {
	text := small(t).json(t)
	broken := errors.New("the disk is broken")
	for end := range len(text) {
		if _, _, err := readBack(io.MultiReader(bytes.NewReader(text[:end]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Fatalf("broken at %d: %v, want %v", end, err, broken)
		}
	}
	for _, text := range [][]byte{text, small(t).jsonl(t)} {
		for _, sink := range []failingSink{{answers: 1, err: broken}, {errors: 1, err: broken}, {errors: 2, err: io.ErrUnexpectedEOF}} {
			reader, err := report.NewReader(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if s, err := reader.Copy(&sink); s != nil || !errors.Is(err, sink.err) || errors.Is(err, report.ErrCut) {
				t.Errorf("Copy = %v, %v, want %v", s, err, sink.err)
			}
		}
	}
}

// A failingSink fails at an answer or an error, counted from 1.
type failingSink struct {
	answers, errors int
	err             error
}

func (f *failingSink) Answer(*archive.Answer) error { return f.count(&f.answers) }

func (f *failingSink) Error(*archive.RecordError) error { return f.count(&f.errors) }

func (f *failingSink) count(left *int) error {
	if *left--; *left == 0 {
		return f.err
	}
	return nil
}

// A Reader holds one answer at a time.
func TestReadIsBounded(t *testing.T) {
	pipe, feed := io.Pipe()
	answers := 50_000
	if testing.Short() {
		answers = 5_000
	}
	go func() {
		s := archive.NewSummary(archive.RequireAttested)
		render := report.NewJSONL(feed, archive.Header{Policy: archive.Policy{Require: archive.RequireAttested}}, report.Tool{})
		var err error
		for n := range answers {
			a, _ := hostileAnswer(n, answers, "")
			a.Source, a.ProviderSource, a.ReceivedAt.Source, a.Findings = "a", archive.ProviderFromEntries, archive.InstantFromClock, nil
			settle(&archive.Policy{Require: archive.RequireAttested}, a)
			s.CountAnswer(a)
			err = errors.Join(err, render.Answer(a))
		}
		s.Sources, s.Records, s.Finished = 1, s.Answers, true
		s.Conclude()
		feed.CloseWithError(errors.Join(err, render.Close(s)))
	}()
	reader, err := report.NewReader(pipe)
	if err != nil {
		t.Fatal(err)
	}
	before := heap()
	peak := &peakSink{}
	if _, err := reader.Copy(peak); err != nil || peak.answers != answers {
		t.Fatalf("%d answers, %v", peak.answers, err)
	}
	if peak.heap > before+8<<20 {
		t.Errorf("the heap grew by %d bytes", peak.heap-before)
	}
}

// A peakSink looks at the heap now and then.
type peakSink struct {
	answers int
	heap    uint64
}

func (p *peakSink) Answer(*archive.Answer) error {
	if p.answers++; p.answers%2_500 == 0 {
		p.heap = max(p.heap, heap())
	}
	return nil
}

func (p *peakSink) Error(*archive.RecordError) error { return nil }

// No header is so large that it fills the memory.
func TestReadBoundsHeader(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`{"schema":"cgp-attest/report/1","tool":{"name":"`), new(letters))
	before := heap()
	_, _, err := readBack(endless)
	if !errors.Is(err, report.ErrMalformed) || !strings.Contains(fmt.Sprint(err), "larger than") {
		t.Errorf("a name without end: %v", err)
	}
	if after := heap(); after > before+1<<20 {
		t.Errorf("the heap grew by %d bytes", after-before)
	}
}

// letters is a text without end.
type letters struct{ read int }

func (l *letters) Read(p []byte) (int, error) {
	if l.read += len(p); l.read > 1<<30 {
		return 0, errors.New("a GiB was read")
	}
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// What is read is read whole, and read again is the same, or is refused with one of the errors that say why.
func FuzzRead(f *testing.F) {
	r := small(f)
	all := everything(f, "x")
	recount(all)
	for _, text := range [][]byte{r.json(f), r.jsonl(f), all.json(f), all.jsonl(f)} {
		f.Add(text)
		f.Add(text[:len(text)/2])
	}
	f.Add([]byte(`{"line":"header","schema":"cgp-attest/report/1"`))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, _, err := readBack(bytes.NewReader(text))
		known := []error{report.ErrNotReport, report.ErrUnsupported, report.ErrMalformed, report.ErrDisagrees, report.ErrCut}
		if err != nil && !slices.ContainsFunc(known, func(k error) bool { return errors.Is(err, k) }) {
			t.Fatalf("an error of no kind: %v", err)
		}
		if got != nil && got.summary != nil {
			checkRoundTrip(t, got)
			got.text(t, report.TextOptions{Verbose: true})
		}
	})
}
