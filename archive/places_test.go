package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Answers and errors say on which line their record starts, and answers where in it their frames stand.
func TestPlaces(t *testing.T) {
	const result = `{"frames":[{"id":"a"}]}`
	r := verify(t, &archive.Verifier{}, []byte(strings.Join([]string{
		`{"type":"frames","result":` + result + `}`,
		`{"format":"cgp-archive/1","envelope":{"type":"frames","result":` + result + `}}`,
		`{"format":"cgp-evidence/1","provider_id":"p","result":` + result + `}`,
		"\n{\n" + `"frames":[{"id":"a"}]}`, // pretty-printed
		`[` + result + `,`,
		result + `]`,
		`7`,
		`{`,
	}, "\n")))
	var got []string
	for _, a := range r.Answers {
		got = append(got, fmt.Sprint(a.Line, " ", a.FramesAt))
	}
	want := []string{"1 /result/frames", "2 /envelope/result/frames", "3 /result/frames", "5 /frames", "7 /frames", "8 /frames"}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("answers at %q, want %q", got, want)
	}
	got = nil
	for _, e := range r.Errors {
		got = append(got, fmt.Sprint(e.Line))
	}
	if strings.Join(got, " ") != "9 10" {
		t.Errorf("errors on lines %q, want 9 and 10", got)
	}
}
