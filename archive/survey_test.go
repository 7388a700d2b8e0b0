package archive_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

func TestSurvey(t *testing.T) {
	text := `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"query"}
{"type":}
[{"type":"frames","result":{"frames":[]}},7]
`
	src := archive.Source{Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	names := map[archive.RecordKind]string{archive.RecordAnswer: "answer", archive.RecordHandshake: "handshake", archive.RecordPassedOver: "passed over"}
	var got []string
	each := func(s archive.Surveyed) error {
		what := names[s.Kind]
		if s.Fault != nil {
			what = string(s.Fault.Code)
		}
		got = append(got, fmt.Sprint(s.Record, " ", what))
		return nil
	}
	if err := archive.Survey(src, archive.Limits{}, each); err != nil {
		t.Fatal(err)
	}
	want := []string{"1 handshake", "2 passed over", "3 syntax", "4 answer", "5 not_a_message"}
	if !slices.Equal(got, want) {
		t.Errorf("Survey() = %q, want %q", got, want)
	}
	stop := errors.New("enough")
	n := 0
	if err := archive.Survey(src, archive.Limits{}, func(archive.Surveyed) error { n++; return stop }); !errors.Is(err, stop) || n != 1 {
		t.Errorf("Survey() = %v after %d records, want the error of each after 1", err, n)
	}
	src.Open = func() (io.ReadCloser, error) { return nil, errors.New("no such file") }
	got = nil
	if err := archive.Survey(src, archive.Limits{}, each); err != nil || !slices.Equal(got, []string{"0 unreadable_source"}) {
		t.Errorf("Survey(no file) = %q, %v", got, err)
	}
}

func TestAddressed(t *testing.T) {
	const file = "alpha\nbeta\ngamma"
	for _, tt := range []struct {
		rng  commitment.Optional
		want string
		why  archive.LinkReason
	}{
		{commitment.Optional{}, file, ""},
		{commitment.Some("L2"), "beta\n", ""},
		{commitment.Some("L2-9"), "beta\ngamma", ""},
		{commitment.Some("L1-3"), file, ""},
		{commitment.Some("L4"), "", archive.LinkStartPastEnd},
		{commitment.Some("L3-2"), "", archive.LinkInverted},
		{commitment.Some(""), "", archive.LinkUnrecognised},
		{commitment.Some("L99999999999999999999"), "", archive.LinkStartPastEnd},
	} {
		got, why := archive.Addressed(tt.rng, []byte(file))
		if string(got) != tt.want || why != tt.why {
			t.Errorf("Addressed(%v) = %q, %q, want %q, %q", tt.rng, got, why, tt.want, tt.why)
		}
	}
	if got, why := archive.Addressed(commitment.Some("L1"), nil); got != nil || why != archive.LinkStartPastEnd {
		t.Errorf("Addressed(L1 of an empty file) = %q, %q", got, why)
	}
}

// Where a frame has no commitment the place of the others among the leaves is not known: it would be another than the one that
// their proofs were made for.
func TestLeafIndexBesideMalformedFrame(t *testing.T) {
	const answer = `{"type":"frames","result":{"frames":[{"id":"b"},%s{"id":"c"}],"truncated":false}}`
	for extra, want := range map[string][]int{"": {0, 1}, `{"id":7},`: {-1, -1, -1}} {
		report, err := (&archive.Verifier{Policy: archive.Policy{Provider: commitment.Some("docs")}}).VerifyReader(t.Context(), "", strings.NewReader(fmt.Sprintf(answer, extra)))
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, f := range report.Answers[0].Frames {
			got = append(got, f.LeafIndex)
		}
		if !slices.Equal(got, want) {
			t.Errorf("with %q the leaf indexes are %d, want %d", extra, got, want)
		}
	}
}
