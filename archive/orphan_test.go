package archive_test

import (
	"bytes"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A digest of the form D1 stands without quotation marks and fits on a line; any other text of an input is quoted.
func TestOrphanDetail(t *testing.T) {
	input := readFile(t, "testdata/minimal/orphan_entry.ndjson")
	orphan := func(input []byte) archive.Finding {
		t.Helper()
		r := verify(t, minimalVerifier(t, "orphan_entry"), input)
		if n := len(r.Answers[0].Findings); n != 1 || r.Answers[0].Findings[0].Code != archive.FindingOrphanEntry {
			t.Fatalf("findings %v, want orphan_entry alone", r.Answers[0].Findings)
		}
		return r.Answers[0].Findings[0]
	}
	detail := orphan(input).Detail
	_, digest, found := strings.Cut(detail, ", digest sha256:")
	if !found || len(digest) != 64 || strings.ContainsAny(digest, `"\`) {
		t.Fatalf("detail %q, want a digest without quotation marks at its end", detail)
	}
	last := bytes.LastIndex(input, []byte("sha256:"+digest))
	odd := bytes.Clone(input)
	odd[last+len("sha256:")] = 'X'
	if got, want := orphan(odd).Detail, `, digest "sha256:X`+digest[1:]+`"`; !strings.HasSuffix(got, want) {
		t.Errorf("detail %q, want %q at its end", got, want)
	}
}
