package archive_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
	"contextgraphprotocol.org/cgp-attest/keys"
)

// jobs are the numbers of records judged at a time that every corpus is verified with.
var jobs = []int{1, 2, 7}

// lowLimits bring records over a limit into small corpora. What is honest stays below them.
var lowLimits = corpus.Limits{Record: 1 << 20, Members: 300, Frames: 200, Links: 40}

// wholly has reports compared whole: their texts and instants are values.
var wholly = cmpopts.EquateComparable(commitment.Optional{}, commitment.Instant{})

// seeds is how many corpora of n a test writes.
func seeds(n uint64) uint64 {
	if testing.Short() {
		return 1
	}
	return n
}

// smallSpec is a corpus of some size with every case in it that fits.
func smallSpec(seed uint64, size int64) corpus.Spec {
	return corpus.Spec{Seed: seed, Bytes: size, Every: 2, Limits: lowLimits}
}

// corpusVerifier is the Verifier that a corpus is written for.
func corpusVerifier(t testing.TB, limits corpus.Limits, jobs int) *archive.Verifier {
	t.Helper()
	store, err := keys.ParseStore(corpus.Trust())
	if err != nil {
		t.Fatal(err)
	}
	v := &archive.Verifier{
		Keys: &archive.Keyring{}, Jobs: jobs,
		Policy: archive.Policy{LocalIDFromArchive: true, ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromArchive}},
		Limits: archive.Limits{Record: limits.Record, Depth: limits.Depth, Members: limits.Members, Frames: limits.Frames, Links: limits.Links},
	}
	if err := v.Keys.TrustStore(store, archive.KeySource{Name: "trust.json"}); err != nil {
		t.Fatal(err)
	}
	return v
}

// A written corpus is in memory.
type written struct {
	spec     corpus.Spec
	text     []byte
	places   []corpus.Place
	expected *corpus.Expected
}

func writeCorpus(t testing.TB, spec corpus.Spec) *written {
	t.Helper()
	w := &written{spec: spec}
	spec.Place = func(p corpus.Place) { w.places = append(w.places, p) }
	var b bytes.Buffer
	expected, err := corpus.Write(&b, spec)
	if err != nil {
		t.Fatal(err)
	}
	w.text, w.expected = b.Bytes(), expected
	return w
}

// A found report has beside what a Report keeps the places of answers and errors in the order in which they came.
type found struct {
	archive.Report
	places []corpus.Place
}

func (f *found) Answer(a *archive.Answer) error {
	f.places = append(f.places, corpus.Place{Record: a.Record, Offset: a.Offset})
	return f.Report.Answer(a)
}

func (f *found) Error(e *archive.RecordError) error {
	f.places = append(f.places, corpus.Place{Record: e.Record, Offset: e.Offset, Error: string(e.Code)})
	return f.Report.Error(e)
}

// verifyCorpus verifies sources as one run.
func verifyCorpus(t testing.TB, limits corpus.Limits, jobs int, sources ...archive.Source) *found {
	t.Helper()
	v := corpusVerifier(t, limits, jobs)
	f := &found{}
	f.Header = v.Header()
	var err error
	if f.Summary, err = v.Verify(context.Background(), slices.Values(sources), f); err != nil {
		t.Fatal(err)
	}
	recheck(t, &f.Report)
	return f
}

func (w *written) verify(t testing.TB, in io.Reader, jobs int) *found {
	t.Helper()
	open := func() (io.ReadCloser, error) { return io.NopCloser(in), nil }
	return verifyCorpus(t, w.spec.Limits, jobs, archive.Source{Name: "corpus", Open: open})
}

// counted puts what a report found into the form of what was expected.
func counted(r *found) *corpus.Expected {
	s := r.Summary
	e := &corpus.Expected{
		Sources: uint64(s.Sources), Records: s.Records, Answers: s.Answers, Frames: s.Frames, Unreadable: s.Unreadable,
		PassedOver: s.PassedOver, EmptyAnswers: plainly(s.EmptyAnswers), Classes: plainly(s.Classes), States: plainly(s.States),
		Evidence: plainly(s.Evidence), Content: plainly(s.Content),
		Findings: make(map[string]uint64), Errors: make(map[string]uint64), ExitCode: s.ExitCode,
	}
	for _, a := range r.Answers {
		for _, f := range a.Findings {
			e.Findings[string(f.Code)]++
		}
	}
	for _, fault := range r.Errors {
		e.Errors[string(fault.Code)]++
	}
	return e
}

// plainly drops what was counted as 0.
func plainly[K ~string](counts map[K]uint64) map[string]uint64 {
	out := make(map[string]uint64)
	for code, n := range counts {
		if n > 0 {
			out[string(code)] = n
		}
	}
	return out
}

// check compares a report with what was written: how much of everything, and where every answer and every error stands.
func (w *written) check(t *testing.T, r *found) {
	t.Helper()
	if diff := cmp.Diff(w.expected, counted(r)); diff != "" {
		t.Errorf("what the report counts (-want +got):\n%s", diff)
	}
	if err := consistent(&r.Report); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(w.places, r.places); diff != "" {
		t.Errorf("where the report finds records (-want +got):\n%s", diff)
	}
}
