package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"pgregory.net/rapid"
)

// merge joins reports, called r0, r1 and so on.
func merge(texts ...[]byte) (*run, []string, error) {
	var shards []report.Shard
	for i, text := range texts {
		reader, err := report.NewReader(bytes.NewReader(text))
		if err != nil {
			return nil, nil, err
		}
		shards = append(shards, report.Shard{Name: fmt.Sprint("r", i), Report: reader})
	}
	m, err := report.NewMerger(shards)
	if err != nil {
		return nil, nil, err
	}
	var parts archive.Report
	s, err := m.Copy(&parts)
	return &run{header: m.Header(), answers: parts.Answers, errors: parts.Errors, summary: s}, m.Warnings(), err
}

// Whatever stands in the shards, the merged report is one that can be read back, and holds all of theirs in their order.
func TestMergeAnything(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		shards := []*run{drawRun(rt), drawRun(rt), drawRun(rt)}
		var texts [][]byte
		want := new(run)
		for i, r := range shards {
			r.header.Policy, r.header.Trusted, r.header.ReceivedAt = shards[0].header.Policy, shards[0].header.Trusted, shards[0].header.ReceivedAt
			finished := r.summary.Finished
			recount(r) // under the policy that is another's
			r.summary.Finished = finished
			r.summary.Conclude()
			want.answers, want.errors = append(want.answers, r.answers...), append(want.errors, r.errors...)
			texts = append(texts, [][]byte{r.json(t), r.jsonl(t)}[i%2])
		}
		got, words, err := merge(texts...)
		if err != nil || len(words) > 0 {
			t.Fatal(err, words)
		}
		checkRoundTrip(t, got)
		want.header, want.summary = got.header, got.summary
		if !bytes.Equal(got.json(t), want.json(t)) {
			t.Fatalf("the parts are not those of the shards:\n%.512s\nwant\n%.512s", got.json(t), want.json(t))
		}
		if all := shards[0].summary.Finished && shards[1].summary.Finished && shards[2].summary.Finished; got.summary.Finished != all {
			t.Errorf("finished = %v, want %v", got.summary.Finished, all)
		}
	})
}

// shard is a run over one source.
func shard(t testing.TB, source string) *run {
	t.Helper()
	r := small(t)
	for _, a := range r.answers {
		a.Source = source
	}
	r.errors = nil
	r.count(archive.ExitGood, "2 frames met the policy (attested)")
	return r
}

func TestMergeDuplicates(t *testing.T) {
	a, b := shard(t, "a").json(t), shard(t, "b").json(t)
	got, _, err := merge(a, b, a, a)
	if err != nil {
		t.Fatal(err)
	}
	s := got.summary
	if len(s.Inputs) != 2 || s.Findings[archive.SeverityWarning] != 2 || s.ExitCode != archive.ExitGood || s.Answers != 8 || s.Sources != 4 {
		t.Fatalf("%+v", s)
	}
	for i, want := range []string{`"r0" and "r2"`, `"r2" and "r3"`} {
		f := s.Inputs[i]
		if f.Source != "a" || f.Code != archive.FindingDuplicateInput || !strings.Contains(f.Detail, want) {
			t.Errorf("%+v, want a finding about a that names %s", f, want)
		}
	}
	checkRoundTrip(t, got)

	many := new(run)
	many.header.Policy.Require = archive.RequireAttested
	for n := range 1_500 {
		many.errors = append(many.errors, &archive.RecordError{Source: fmt.Sprint("s", n), Code: archive.ErrorUnreadableSource})
	}
	many.count(archive.ExitUnreadable, "1500 sources or records could not be read")
	got, _, err = merge(many.json(t), many.json(t))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(got.summary.Inputs); n != 1_001 {
		t.Fatalf("%d findings, want 1001", n)
	}
	if f := got.summary.Inputs[1_000]; f.Source != "r1" || !strings.Contains(f.Detail, "500 further inputs") {
		t.Errorf("%+v", f)
	}
}

func TestMergePartial(t *testing.T) {
	whole := shard(t, "a").json(t)
	interrupted, ended := shard(t, "b"), shard(t, "c")
	interrupted.summary.Finished = false
	interrupted.summary.Conclude()
	ended.summary.Finished, ended.summary.ExitCode = false, archive.ExitInternal
	lines := shard(t, "d").jsonl(t)
	cut := lines[:len(lines)-100]
	for _, tt := range []struct {
		name   string
		texts  [][]byte
		code   int
		reason []string
	}{
		{"cut", [][]byte{whole, cut}, archive.ExitInterrupted, []string{`"r1" is cut`}},
		{"interrupted", [][]byte{interrupted.json(t), whole}, archive.ExitInterrupted, []string{`"r0" was interrupted`}},
		{"both", [][]byte{interrupted.json(t), whole, cut}, archive.ExitInterrupted, []string{`"r0" was interrupted, "r2" is cut`}},
		{"fault", [][]byte{cut, ended.jsonl(t), whole}, archive.ExitInternal, []string{"fault", `"r1"`}},
	} {
		got, _, err := merge(tt.texts...)
		if err != nil {
			t.Fatal(err)
		}
		s := got.summary
		if s.Finished || s.ExitCode != tt.code {
			t.Errorf("%s: %+v", tt.name, s)
		}
		for _, words := range tt.reason {
			if !strings.Contains(s.ExitReason, words) {
				t.Errorf("%s: exit_reason %q does not say %q", tt.name, s.ExitReason, words)
			}
		}
		checkRoundTrip(t, got)
	}
	text, err := report.NewReader(bytes.NewReader(cut))
	if err != nil {
		t.Fatal(err)
	}
	_, err = text.Copy(new(archive.Report))
	if !errors.Is(err, report.ErrCut) || !strings.Contains(err.Error(), fmt.Sprint("byte ", len(cut))) {
		t.Errorf("Copy = %v, want %v with the length", err, report.ErrCut)
	}
}

// Every member of the policy counts.
func TestMergePolicies(t *testing.T) {
	change := map[string]func(*archive.Header){
		"require":             func(h *archive.Header) { h.Policy.Require = archive.RequirePinned },
		"allow_identity_only": func(h *archive.Header) { h.Policy.AllowIdentityOnly = true },
		"allow_opaque_digest": func(h *archive.Header) { h.Policy.AllowOpaqueDigest = true },
		"algorithms":          func(h *archive.Header) { h.Algorithms = []string{"other\x1b"} },
		"provider":            func(h *archive.Header) { h.Policy.Provider = commitment.Some("") },
		"local_id":            func(h *archive.Header) { h.Policy.LocalIDFromArchive = true },
		"retained":            func(h *archive.Header) { h.Policy.Retained = true },
		"frames":              func(h *archive.Header) { h.Policy.Frames = []string{""} },
		"trusted":             func(h *archive.Header) { h.Trusted = []archive.KeySource{{Name: "trust.json", SHA256: "0", Keys: 1}} },
		"published":           func(h *archive.Header) { h.Published = []archive.KeySource{{}} },
	}
	text := string(shard(t, "a").json(t))
	members := 0
	for name, f := range change {
		r := shard(t, "b")
		f(&r.header)
		_, _, err := merge([]byte(text), shard(t, "c").jsonl(t), r.json(t))
		if !errors.Is(err, report.ErrPolicies) || !strings.Contains(fmt.Sprint(err), ": "+name+" is ") || !strings.Contains(fmt.Sprint(err), `in "r2"`) {
			t.Errorf("%s differs: %v", name, err)
		}
		members++
	}
	if want := len(orders(t, []byte(text))[".policy"][0]); members != want {
		t.Errorf("%d members were changed, the policy has %d", members, want)
	}
}

func TestMergeHeader(t *testing.T) {
	at := func(r *run, text string, source archive.InstantSource) *run {
		instant, err := commitment.ParseInstant(text)
		if err != nil {
			t.Fatal(err)
		}
		r.header.ReceivedAt = &archive.ReceivedAt{Instant: instant, Source: source}
		return r
	}
	const noon, later = "2026-08-29T12:00:00Z", "2026-08-29T12:00:01Z"
	for _, tt := range []struct {
		name  string
		runs  []*run
		keeps bool
		words int
	}{
		{"none", []*run{shard(t, "a"), shard(t, "b")}, false, 0},
		{"the same", []*run{at(shard(t, "a"), noon, "flag"), at(shard(t, "b"), noon, "flag")}, true, 0},
		{"from elsewhere", []*run{at(shard(t, "a"), noon, "flag"), at(shard(t, "b"), noon, "clock")}, false, 1},
		{"later", []*run{at(shard(t, "a"), noon, "clock"), at(shard(t, "b"), later, "clock"), at(shard(t, "c"), noon, "clock")}, false, 1},
		{"one", []*run{shard(t, "a"), at(shard(t, "b"), noon, "flag"), shard(t, "c")}, false, 1},
	} {
		var texts [][]byte
		for _, r := range tt.runs {
			texts = append(texts, r.json(t))
		}
		got, words, err := merge(texts...)
		if err != nil || len(words) != tt.words || (got.header.ReceivedAt != nil) != tt.keeps {
			t.Errorf("%s: received_at %v, words %q, %v", tt.name, got.header.ReceivedAt, words, err)
		}
	}
	other := bytes.Replace(shard(t, "b").json(t), []byte("v0.0.0"), []byte("v0.0.1"), 1)
	if _, words, err := merge(shard(t, "a").json(t), other, other); err != nil || len(words) != 1 || !strings.Contains(words[0], "v0.0.1") {
		t.Errorf("two versions: %q, %v", words, err)
	}
}

// A shard that does not add up, or a sink that fails, ends the merge and is named.
func TestMergeErrors(t *testing.T) {
	bad := bytes.Replace(shard(t, "b").json(t), []byte(`"answers":2`), []byte(`"answers":3`), 1)
	got, _, err := merge(shard(t, "a").json(t), bad)
	if !errors.Is(err, report.ErrDisagrees) || !strings.Contains(fmt.Sprint(err), `"r1"`) || got.summary != nil {
		t.Errorf("%v, want %v that names the shard", err, report.ErrDisagrees)
	}
}
