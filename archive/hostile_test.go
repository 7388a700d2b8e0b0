package archive_test

import (
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A streamed is text that is repeated between a beginning and an end, and is never in memory as a whole.
type streamed struct {
	head, text, tail string
	size             int // bytes of repeated text, in whole repetitions
}

func (s streamed) open() io.Reader {
	return io.MultiReader(strings.NewReader(s.head), &repeating{text: s.text, left: s.size / len(s.text) * len(s.text)}, strings.NewReader(s.tail))
}

type repeating struct {
	text     string
	at, left int
}

func (r *repeating) Read(p []byte) (n int, err error) {
	for n < len(p) && r.left > 0 {
		k := copy(p[n:min(len(p), n+r.left)], r.text[r.at:])
		r.at = (r.at + k) % len(r.text)
		r.left -= k
		n += k
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// A hostile is a record made to cost many times its size.
type hostile struct {
	name   string
	record streamed
	code   archive.ErrorCode // "" where the record can be read
	detail string
}

// hostiles are records of about a size each. Those with a code are over a limit whatever the size, from 5 MiB on.
func hostiles(size int) []hostile {
	ack := `{"type":"handshake_ack","provider":{"name":"p"},"attester_keys":[`
	links := `{"provenance":[` + strings.Repeat(`{},`, 9_999) + `{}]},`
	return []hostile{
		{"entries", streamed{`{"frames":[],"frame_attestations":[`, `0,`, `0]}`, size}, archive.ErrorTooManyFrames, "entries"},
		{"entry objects", streamed{`{"frames":[],"frame_attestations":[`, `{},`, `0]}`, size}, archive.ErrorTooManyFrames, "entries"},
		{"frames", streamed{`{"frames":[`, `0,`, `0]}`, size}, archive.ErrorTooManyFrames, "frames"},
		{"links", streamed{`{"frames":[`, links, `0]}`, size}, archive.ErrorTooManyLinks, "in one answer"},
		{"keys", streamed{ack, `0,`, `0]}`, size}, "", ""},
		{"key objects", streamed{ack, `{},`, `0]}`, size}, "", ""},
		{"steps", streamed{`{"frames":[],"frame_attestations":[{"inclusion_proof":{"path":[`, `0,`, `0]}}]}`, size}, "", ""},
		{"nested objects", streamed{nested(size), "x", "", 0}, archive.ErrorTooManyMembers, "400000 in the objects that are open"},
	}
}

// nested is an object with almost as many members as one may have, the last of which is another such object, and so on.
func nested(size int) string {
	var b strings.Builder
	b.WriteString(`{"frames":[]`)
	depth := 1
	for n := 0; b.Len() < size && depth < 127; n++ {
		if fmt.Fprintf(&b, `,"%d":0`, n); n == 99_990 {
			b.WriteString(`,"d":{"":0`)
			depth++
			n = 0
		}
	}
	return b.String() + strings.Repeat("}", depth)
}

// peak runs f and returns how far what is in use on the heap rose meanwhile, in bytes. What is not in use is collected at once.
func peak(f func()) uint64 {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	debug.FreeOSMemory()
	inUse := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	before := inUse()
	var most atomic.Uint64
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			most.Store(max(most.Load(), inUse()))
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most.Load() - min(before, most.Load())
}

// Records made to cost many times their size are errors of their own, or cost little; the record behind them is judged.
func TestHostileRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("the records are as large as the limits")
	}
	const size, most = 5 << 20, 192 << 20
	for _, tc := range hostiles(size) {
		t.Run(tc.name, func(t *testing.T) {
			var r *archive.Report
			rose := peak(func() {
				r = verifyReader(t, &archive.Verifier{}, io.MultiReader(tc.record.open(), strings.NewReader("\n"+answerOf()+"\n")))
			})
			wantHostile(t, r, tc)
			if rose > most {
				t.Errorf("the heap rose by %d MiB, want at most %d", rose>>20, most>>20)
			}
		})
	}
}

func wantHostile(t *testing.T, r *archive.Report, tc hostile) {
	t.Helper()
	errors := 0
	if tc.code != "" {
		errors = 1
	}
	if len(r.Errors) != errors || len(r.Answers) == 0 || r.Summary.Records != 2 || r.Answers[len(r.Answers)-1].Record != 2 {
		t.Fatalf("%d records, %d answers, errors %v, want 2, the last one judged, %d errors", r.Summary.Records, len(r.Answers), r.Errors, errors)
	}
	if errors == 0 {
		return
	}
	if e := r.Errors[0]; e.Code != tc.code || e.Record != 1 || e.Offset != 0 || !strings.Contains(e.Detail, tc.detail) {
		t.Errorf("%+v, want %s of record 1 with %q", e, tc.code, tc.detail)
	}
}

// Records far larger than the limit, in every shape that could be kept: a named error each, and memory stays within what one
// record may take.
func TestEndlessRecords(t *testing.T) {
	const most = 24 << 20
	size, limit := 64<<20, int64(4<<20)
	if testing.Short() {
		size, limit = 2<<20, 1<<20
	}
	v := &archive.Verifier{Limits: archive.Limits{Record: limit}}
	for _, tc := range []hostile{
		{"a string", streamed{`{"a":"`, "x", `"}`, size}, archive.ErrorTooLarge, ""},
		{"a string of escapes", streamed{`{"a":"`, `\u0061`, `"}`, size}, archive.ErrorTooLarge, ""},
		{"a number", streamed{`{"a":`, "1", `}`, size}, archive.ErrorTooLarge, ""},
		{"members", streamed{`{`, `"a":0,`, `"b":0}`, size}, archive.ErrorTooManyMembers, "100000 in one object"},
		{"elements", streamed{`{"a":[`, `0,`, `0]}`, size}, archive.ErrorTooLarge, ""},
		{"a line without brackets", streamed{"", "x", "", size}, archive.ErrorSyntax, ""},
		{"brackets in a record", streamed{`{"a":`, "[", "", size}, archive.ErrorTooDeep, "128"},
		{"objects in a record", streamed{"", `{"a":`, "", size}, archive.ErrorTooDeep, "128"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r *archive.Report
			rose := peak(func() {
				r = verifyReader(t, v, io.MultiReader(tc.record.open(), strings.NewReader("\n"+answerOf()+"\n")))
			})
			wantHostile(t, r, tc)
			if rose > most {
				t.Errorf("the heap rose by %d MiB, want at most %d", rose>>20, most>>20)
			}
		})
	}
}

// Entries and links at their limit for one answer and one over it.
func TestAnswerLimits(t *testing.T) {
	entries := func(n int) string {
		return `{"frames":[],"frame_attestations":[` + strings.TrimSuffix(strings.Repeat(`{},`, n), ",") + `]}`
	}
	links := func(n int) string {
		frames := slices.Repeat([]string{`{"id":"f","provenance":[{"type":"t"},{"type":"t"}]}`}, n/2)
		if n%2 == 1 {
			frames = append(frames, `{"id":"f","provenance":[{"type":"t"}]}`)
		}
		return answerOf(frames...)
	}
	for _, tc := range []struct {
		name   string
		code   archive.ErrorCode
		limits archive.Limits
		limit  int
		record func(n int) string
	}{
		{"entries", archive.ErrorTooManyFrames, archive.Limits{Frames: 7}, 7, entries},
		{"links", archive.ErrorTooManyLinks, archive.Limits{Links: 2}, 200, links},
	} {
		for _, more := range []int{-1, 0, 1} {
			r := verify(t, &archive.Verifier{Limits: tc.limits}, []byte(tc.record(tc.limit+more)+"\n"+answerOf()+"\n"))
			if over := more > 0; (len(r.Errors) == 1 && r.Errors[0].Code == tc.code) != over || len(r.Answers) == 2 == over {
				t.Errorf("%s: limit %+d: errors %v, %d answers", tc.name, more, r.Errors, len(r.Answers))
			}
		}
	}
}

// Elements of attester_keys that cannot be read are told of one by one up to a bound, and all are counted.
func TestManyKeyFaults(t *testing.T) {
	ack := func(n int) string {
		return `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + strings.Repeat(`0,`, n-1) + `0]}` + "\n"
	}
	for _, tc := range []struct {
		faults, findings int
		last             string
	}{
		{100, 100, "attester_keys[99] is a number"},
		{101, 101, "1 more element of attester_keys cannot be read"},
		{1100, 101, "1000 more elements of attester_keys cannot be read"},
	} {
		r := verify(t, &archive.Verifier{}, []byte(ack(tc.faults)+answerOf(numberedFrames(1)...)))
		var details []string
		for _, f := range r.Answers[0].Findings {
			if f.Code == archive.FindingMalformedPublishedKey {
				details = append(details, f.Detail)
			}
		}
		if len(details) != tc.findings || !strings.Contains(details[len(details)-1], tc.last) {
			t.Errorf("%d elements: %d findings, the last %q, want %d, %q", tc.faults, len(details), details[len(details)-1:], tc.findings, tc.last)
		}
	}
}

// Handshakes that replace each other's key add nothing to the session, and those under way are bounded by their bytes like every
// other record.
func TestLongHandshakesUnderWay(t *testing.T) {
	if testing.Short() {
		t.Skip("the handshakes are long")
	}
	const each, count, most = 1 << 20, 100, 48 << 20
	var session []io.Reader
	end := ""
	for n := range count {
		session = append(session, streamed{ // the next one has begun when one ends: a reader that finds nothing more waits for nothing
			end + fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"k","algorithm":"a","public_key":"%08d`, n),
			"0", "", each,
		}.open())
		end = `"}]}` + "\n"
	}
	session = append(session, strings.NewReader(end))
	var r *archive.Report
	rose := peak(func() { r = verifyReader(t, &archive.Verifier{Jobs: 1}, io.MultiReader(session...)) })
	if r.Summary.Records != count || len(r.Errors) != 0 {
		t.Errorf("%d records, errors %v, want %d and none", r.Summary.Records, r.Errors, count)
	}
	if rose > most {
		t.Errorf("the heap rose by %d MiB, want at most %d", rose>>20, most>>20)
	}
}

func BenchmarkHostileRecord(b *testing.B) {
	for _, h := range hostiles(16 << 20) {
		b.Run(strings.ReplaceAll(h.name, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var err error
				rose := peak(func() {
					_, err = (&archive.Verifier{}).VerifyReader(context.Background(), "hostile", h.record.open())
				})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(rose), "peak-B")
			}
		})
	}
}
