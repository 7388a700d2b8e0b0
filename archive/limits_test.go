package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Each limit of one record: what reaches it is read, one more is an error of that record, and the record behind it is judged.
func TestRecordLimits(t *testing.T) {
	links := func(n int) string {
		return `{"id":"f","provenance":[` + strings.TrimSuffix(strings.Repeat(`{"type":"t"},`, n), ",") + `]}`
	}
	members := func(n int) string {
		var b strings.Builder
		b.WriteString(`{"type":"frames","result":{"frames":[]},"unknown":{`)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"m%d":0`, i)
		}
		b.WriteString(`}}`)
		return b.String()
	}
	// nested is n deep: the message, and arrays in a member that nobody reads.
	nested := func(n int) string {
		return `{"type":"frames","result":{"frames":[]},"unknown":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}`
	}
	sized := func(n int) string {
		empty := `{"type":"frames","result":{"frames":[]},"pad":""}`
		return strings.Replace(empty, `"pad":""`, `"pad":"`+strings.Repeat("x", n-len(empty))+`"`, 1)
	}
	for _, tc := range []struct {
		name   string
		code   archive.ErrorCode
		limits archive.Limits
		limit  int
		record func(n int) string
	}{
		{"bytes", archive.ErrorTooLarge, archive.Limits{Record: 4096}, 4096, sized},
		{"members", archive.ErrorTooManyMembers, archive.Limits{Members: 50}, 50, members},
		{"members, default", archive.ErrorTooManyMembers, archive.Limits{}, 100_000, members},
		{"depth", archive.ErrorTooDeep, archive.Limits{Depth: 20}, 20, nested},
		{"depth, default", archive.ErrorTooDeep, archive.Limits{}, 128, nested},
		{"frames", archive.ErrorTooManyFrames, archive.Limits{Frames: 7}, 7,
			func(n int) string { return answerOf(numberedFrames(n)...) }},
		{"links", archive.ErrorTooManyLinks, archive.Limits{Links: 7}, 7, func(n int) string { return answerOf(links(n)) }},
		{"links, default", archive.ErrorTooManyLinks, archive.Limits{}, 10_000, func(n int) string { return answerOf(links(n)) }},
	} {
		for _, more := range []int{-1, 0, 1} {
			v := &archive.Verifier{Limits: tc.limits}
			r := verify(t, v, []byte(tc.record(tc.limit+more)+"\n"+answerOf()+"\n"))
			wantErrors, wantAnswers := 0, 2
			if more > 0 {
				wantErrors, wantAnswers = 1, 1
			}
			if len(r.Errors) != wantErrors || len(r.Answers) != wantAnswers {
				t.Errorf("%s: limit %+d: %d errors, %d answers, want %d, %d", tc.name, more, len(r.Errors), len(r.Answers), wantErrors, wantAnswers)
				continue
			}
			if wantErrors > 0 && (r.Errors[0].Code != tc.code || r.Errors[0].Record != 1 || r.Errors[0].Offset != 0) {
				t.Errorf("%s: limit %+d: %v, want %s of record 1 at 0", tc.name, more, r.Errors[0], tc.code)
			}
		}
	}
}

// A million frames are one answer, one more are an error; the default is too large to build in every run of the tests.
func TestDefaultLimits(t *testing.T) {
	want := archive.Limits{Record: 64 << 20, Members: 100_000, Depth: 128, Frames: 1_000_000, Links: 10_000, Window: 8 << 20}
	if got := archive.DefaultLimits(); got != want {
		t.Errorf("DefaultLimits() = %+v, want %+v", got, want)
	}
}
