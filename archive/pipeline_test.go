package archive_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// verifyJobs judges several inputs with so many jobs.
func verifyJobs(t *testing.T, v archive.Verifier, jobs int, inputs ...string) *archive.Report {
	t.Helper()
	v.Jobs = jobs
	report := &archive.Report{Header: v.Header()}
	sources := func(yield func(archive.Source) bool) {
		for n, in := range inputs {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(in)), nil }
			if !yield(archive.Source{Name: fmt.Sprintf("input %d", n), Open: open}) {
				return
			}
		}
	}
	summary, err := v.Verify(context.Background(), sources, report)
	if err != nil {
		t.Fatal(err)
	}
	report.Summary = summary
	return report
}

// rotations is a session in which two providers publish one key_id with ever other bytes, in front of and behind answers that are
// signed with them, with messages of other types, records that cannot be read, and answers without evidence between.
func rotations(t *testing.T, seed uint64, records int) []string {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	seeds := []byte{7, 9, 11}
	providers := []string{"docs", "web"}
	acks := make(map[string][]string)
	answers := make(map[string][]string)
	for _, p := range providers {
		for _, b := range seeds {
			key := signingKey(b)
			acks[p] = append(acks[p], ackWithKey(p, key))
			for _, shape := range []archive.Shape{archive.ShapeRoot, archive.ShapeBoth} {
				answers[p] = append(answers[p], signedAnswers(t, p, key, shape, answerOf(numberedFrames(3)...))...)
			}
		}
		acks[p] = append(acks[p], fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":%q},"attester_keys":[7,{}]}`, p))
	}
	var lines []string
	for range records {
		p := providers[random.IntN(len(providers))]
		switch random.IntN(10) {
		case 0, 1:
			lines = append(lines, acks[p][random.IntN(len(acks[p]))])
		case 2:
			lines = append(lines, strings.Replace(acks[p][0], "handshake_ack", `handshake\u005fack`, 1))
		case 3:
			lines = append(lines, `{"format":"cgp-archive/1","envelope":`+acks[p][1]+`}`)
		case 4:
			lines = append(lines, answerOf(numberedFrames(1+random.IntN(3))...))
		case 5:
			lines = append(lines, `{"type":"query"}`, `{"type":"frames","id":"a","id":"b"}`)
		default:
			lines = append(lines, answers[p][random.IntN(len(answers[p]))])
		}
	}
	return lines
}

// What a run reports does not depend on how many records it judges at a time.
func TestJobsChangeNothing(t *testing.T) {
	inputs := []string{strings.Join(rotations(t, 1, 1500), "\n"), "", strings.Join(rotations(t, 2, 40), "\n")}
	files, err := filepath.Glob("testdata/minimal/*.ndjson")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d minimal inputs, %v", len(files), err)
	}
	for _, name := range files {
		inputs = append(inputs, string(readFile(t, name)))
	}
	want := verifyJobs(t, archive.Verifier{}, 1, inputs...)
	states := want.Summary.States
	if states[archive.StateConstructed] < 100 || states[archive.StateInvalid] < 100 || want.Summary.Unreadable < 100 {
		t.Fatalf("the input is too plain: states %v, %d unreadable", states, want.Summary.Unreadable)
	}
	for _, jobs := range []int{2, 7} {
		if got := verifyJobs(t, archive.Verifier{}, jobs, inputs...); !reflect.DeepEqual(got, want) {
			t.Errorf("the report of %d jobs differs from that of one", jobs)
		}
	}
}

// An answer is judged with the handshakes in front of it and no others: alone behind them it comes to the same.
func TestNothingReachesBack(t *testing.T) {
	lines := rotations(t, 3, 700)
	whole := verifyJobs(t, archive.Verifier{}, 4, strings.Join(lines, "\n"))
	byRecord := make(map[uint64]*archive.Answer)
	for _, a := range whole.Answers {
		byRecord[a.Record] = a
	}
	var acks []string
	compared := 0
	for n, line := range lines {
		if strings.Contains(line, "handshake") {
			acks = append(acks, line)
			continue
		}
		a := byRecord[uint64(n+1)]
		if a == nil || n%5 != 0 { // each costs the acks in front of it
			continue
		}
		compared++
		alone := verifyJobs(t, archive.Verifier{}, 1, strings.Join(acks, "\n")+"\n"+line).Answers[0]
		if alone.ProviderID != a.ProviderID || !reflect.DeepEqual(alone.Root, a.Root) || !reflect.DeepEqual(alone.Frames, a.Frames) {
			t.Fatalf("record %d: in its session %+v, alone behind its handshakes %+v", n+1, a.Root, alone.Root)
		}
	}
	if compared < 50 {
		t.Errorf("%d answers compared", compared)
	}
}

// broken is an algorithm with a fault: it panics at the signature with the number after.
type broken struct {
	after int64
	seen  *atomic.Int64
}

func (broken) Name() string { return "broken" }

func (b broken) NewVerifier([]byte) (sign.Verifier, error) { return b, nil }

func (b broken) Verify([]byte, []byte) error {
	if b.seen.Add(1) > b.after {
		panic("a fault of the algorithm")
	}
	return nil
}

// A panic of a worker ends the run, what was judged in front of it is reported, and no goroutine is left.
func TestWorkerPanicIsReported(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	relabelled := strings.ReplaceAll(signedAnswers(t, "docs", signingKey(7), archive.ShapeRoot, answerOf(numberedFrames(2)...))[0],
		`"algorithm":"ed25519"`, `"algorithm":"broken"`)
	input := `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"key-1","algorithm":"broken","public_key":"00"}]}` +
		"\n" + strings.Repeat(relabelled+"\n", 2000)
	const good = 5
	v := archive.Verifier{
		Keys: &archive.Keyring{Algorithms: sign.With(broken{after: good, seen: new(atomic.Int64)})}, Jobs: 1,
	}
	r, err := v.VerifyReader(context.Background(), "input", strings.NewReader(input))
	if !errors.Is(err, archive.ErrInternal) || !strings.Contains(err.Error(), "a fault of the algorithm") {
		t.Errorf("Verify: %v, want ErrInternal with the panic", err)
	}
	if len(r.Answers) != good || r.Summary.Answers != good || r.Summary.ExitCode != archive.ExitInternal || r.Summary.Finished {
		t.Errorf("%d answers, summary %+v, want %d and exit code 5", len(r.Answers), r.Summary, good)
	}
	waitForGoroutines(t, goroutines)
}

// A panic of the sink ends the run, also where the record behind it alone takes all the room that there is.
func TestSinkPanicIsReported(t *testing.T) {
	goroutines := runtime.NumGoroutine()
	large := `{"type":"x","a":"` + strings.Repeat("x", 4<<20) + `"}`
	sink := &ending{at: 1, end: func() error { panic("a fault of the sink") }}
	src := archive.Source{Name: "input", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(answerOf() + "\n" + strings.Repeat(large+"\n", 9))), nil
	}}
	done := make(chan error)
	go func() {
		_, err := (&archive.Verifier{Jobs: 1}).Verify(context.Background(), slices.Values([]archive.Source{src}), sink)
		done <- err
	}()
	select {
	case err := <-done:
		if !errors.Is(err, archive.ErrInternal) || !strings.Contains(err.Error(), "a fault of the sink") {
			t.Errorf("Verify: %v, want ErrInternal with the panic", err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("Verify does not return")
	}
	waitForGoroutines(t, goroutines)
}

func waitForGoroutines(t *testing.T, want int) {
	t.Helper()
	for range 200 {
		if runtime.NumGoroutine() <= want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines, there were %d", runtime.NumGoroutine(), want)
}

// ending is a sink that calls end at an answer, and counts those behind it.
type ending struct {
	archive.Report
	at  int
	end func() error
}

func (e *ending) Answer(a *archive.Answer) error {
	e.Report.Answer(a)
	if len(e.Answers) == e.at {
		return e.end()
	}
	return nil
}

// An error of the sink ends the run at once, an interruption soon and with what was read; the source is closed either way.
func TestEndingEarly(t *testing.T) {
	lines := rotations(t, 4, 5000)
	full := errors.New("disk full")
	for _, tc := range []struct {
		name string
		end  func(cancel func()) error
		want error
		exit int
	}{
		{"sink", func(func()) error { return full }, full, archive.ExitInterrupted},
		{"interrupt", func(cancel func()) error { cancel(); return nil }, context.Canceled, archive.ExitInterrupted},
	} {
		t.Run(tc.name, func(t *testing.T) {
			goroutines := runtime.NumGoroutine()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var closed atomic.Bool
			src := archive.Source{Name: "input", Open: func() (io.ReadCloser, error) {
				return closer{strings.NewReader(strings.Join(lines, "\n")), &closed}, nil
			}}
			sink := &ending{at: 3, end: func() error { return tc.end(cancel) }}
			v := archive.Verifier{Jobs: 2}
			summary, err := v.Verify(ctx, slices.Values([]archive.Source{src, src}), sink)
			if !errors.Is(err, tc.want) {
				t.Errorf("Verify: %v, want %v", err, tc.want)
			}
			if summary.Finished || summary.ExitCode != tc.exit || summary.Answers != uint64(len(sink.Answers)) {
				t.Errorf("summary %+v, want an unfinished one with exit code %d and %d answers", summary, tc.exit, len(sink.Answers))
			}
			if tc.want == full && len(sink.Answers) != 3 {
				t.Errorf("%d answers were given behind the error", len(sink.Answers)-3)
			}
			if !closed.Load() {
				t.Error("the source was not closed")
			}
			waitForGoroutines(t, goroutines)
		})
	}
}

type closer struct {
	io.Reader
	closed *atomic.Bool
}

func (c closer) Close() error {
	c.closed.Store(true)
	return nil
}

// Handshakes past what a run remembers are errors, and what follows is judged with those in front.
func TestSessionIsBounded(t *testing.T) {
	long := strings.Repeat("n", 1<<20)
	signed := signedAnswers(t, "docs", signingKey(7), archive.ShapeRoot, answerOf(numberedFrames(2)...))[0]
	input := func(yield func(string) bool) {
		if !yield(ackWithKey("docs", signingKey(7))) {
			return
		}
		for n := range 70 {
			if !yield(ackOf(fmt.Sprint(long, n))) {
				return
			}
		}
		yield(ackWithKey("docs", signingKey(7))) // adds nothing, so there is room for it
		yield(ackWithKey("web", signingKey(9)))  // a short one: where a long one does not fit, it may
		yield(signed)
	}
	text := strings.Join(slices.Collect(input), "\n")
	if _, err := archive.Prove(strings.NewReader(text), archive.ProveOptions{}); !isTooLarge(err) {
		t.Errorf("Prove: %v, want too_large", err)
	}
	source := archive.Source{Name: "a", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	if _, err := archive.List(source, archive.ListOptions{}, func(*archive.Listing) error { return nil }); !isTooLarge(err) {
		t.Errorf("List: %v, want too_large", err)
	}
	r := verifyJobs(t, archive.Verifier{}, 2, text)
	if len(r.Errors) != 7 {
		t.Fatalf("%d errors, want 7: the last of 70 names of 1 MiB do not fit into 64 MiB", len(r.Errors))
	}
	for _, e := range r.Errors {
		if e.Code != archive.ErrorTooLarge || !strings.Contains(e.Detail, "67108864") {
			t.Errorf("error %s: %s, want too_large with the limit", e.Code, e.Detail)
		}
	}
	if s := r.Summary; s.States[archive.StateConstructed] != 2 || s.ExitCode != archive.ExitUnreadable || s.Records != 74 {
		t.Errorf("summary %+v, want 2 frames constructed, exit code 4, 74 records", s)
	}
}

// Keys that cannot be read are told of with the next answer of their provider, so many in words and the others by their number.
func TestManyMalformedKeys(t *testing.T) {
	ack := `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + strings.Repeat("0,", 99) + `0]}` + "\n"
	session := strings.Repeat(ack, 123) + answerOf(numberedFrames(1)...) + "\n"
	r := verifyJobs(t, archive.Verifier{}, 2, session+session)
	for _, a := range r.Answers {
		found := 0
		for _, f := range a.Findings {
			if f.Code == archive.FindingMalformedPublishedKey {
				found++
			}
		}
		if found != 10_001 || !strings.Contains(fmt.Sprint(a.Findings), "2300 more elements of attester_keys cannot be read") {
			t.Errorf("record %d has %d findings of malformed keys, want 10000 in words and one that counts 2300", a.Record, found)
		}
	}
}

// What just fits is remembered.
func TestSessionIsBoundedExactly(t *testing.T) {
	const each = archive.MaxSessionBytes/128 - archive.NameCost
	for _, tc := range []struct{ last, want int }{{each, 0}, {each + 1, 1}} {
		var lines []string
		for n := range 128 {
			size := each
			if n == 127 {
				size = tc.last
			}
			lines = append(lines, ackOf(fmt.Sprintf("%0*d", size, n)))
		}
		if r := verifyJobs(t, archive.Verifier{}, 1, strings.Join(lines, "\n")); len(r.Errors) != tc.want {
			t.Errorf("the last name has %d bytes: %d errors, want %d", tc.last, len(r.Errors), tc.want)
		}
	}
}

func isTooLarge(err error) bool {
	var e *archive.RecordError
	return errors.As(err, &e) && e.Code == archive.ErrorTooLarge
}

// Past the number of providers of which it is remembered that they sign, the run says so.
func TestManyProviders(t *testing.T) {
	var b strings.Builder
	line := func(n int) {
		fmt.Fprintf(&b, `{"frames":[],"frame_attestations":[{"frame":{"provider_id":"p%d","frame_id":"x"}}]}`+"\n", n)
	}
	for n := range 100_000 {
		line(n)
	}
	for _, tc := range []struct{ providers, want int }{{100_000, 0}, {100_001, 1}} {
		if tc.want == 1 {
			line(100_000)
		}
		s := verifyJobs(t, archive.Verifier{}, 2, b.String()).Summary
		if len(s.Inputs) != tc.want {
			t.Errorf("%d providers: findings about the input %v, %d warnings", tc.providers, s.Inputs, s.Findings[archive.SeverityWarning])
		}
		for _, f := range s.Inputs {
			if f.Code != archive.FindingStrippedEvidence {
				t.Errorf("%d providers: finding %s, want stripped_evidence", tc.providers, f.Code)
			}
		}
	}
}

// Inputs without records are not collected: as many as there are come to nothing while they are read.
func TestManyEmptyInputs(t *testing.T) {
	const inputs, atOnce = 20_000, 2_000
	var open, most atomic.Int64
	sources := func(yield func(archive.Source) bool) {
		for n := range inputs {
			most.Store(max(most.Load(), open.Add(1)))
			src := archive.Source{Name: "input", Open: func() (io.ReadCloser, error) {
				if n%2 == 0 {
					return nil, errors.New("gone")
				}
				return io.NopCloser(strings.NewReader("")), nil
			}}
			if !yield(src) {
				return
			}
		}
	}
	v := archive.Verifier{Jobs: 2}
	summary, err := v.Verify(context.Background(), sources, &errorsOf{func() { open.Add(-2) }})
	if err != nil || summary.Sources != inputs || summary.Unreadable != inputs/2 {
		t.Errorf("%d sources, %d unreadable, %v, want %d and half of them", summary.Sources, summary.Unreadable, err, inputs)
	}
	if most.Load() > atOnce {
		t.Errorf("%d inputs were read before the first of them was reported, want no more than %d", most.Load(), atOnce)
	}
}

// errorsOf calls told at each error.
type errorsOf struct{ told func() }

func (e *errorsOf) Answer(*archive.Answer) error { return nil }

func (e *errorsOf) Error(*archive.RecordError) error {
	e.told()
	return nil
}
