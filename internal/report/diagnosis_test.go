package report_test

import (
	"bytes"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// mismatched is a run with a root that is explained and a frame whose proof is not.
func mismatched() *run {
	root := &archive.Diagnosis{Cause: archive.CauseFrameMissing, Detail: "they state 2"}
	digest := commitment.ContentDigest("x").String()
	r := &run{answers: []*archive.Answer{{
		Source: "a", Record: 1, ProviderID: commitment.Some("docs"), ProviderSource: archive.ProviderFromHandshake, Class: archive.ClassNegative,
		ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromClock},
		Root:       &archive.Root{Recomputed: digest, Signed: digest, State: archive.StateInvalid, Verdict: sign.CommitmentMismatch, Diagnosis: root},
		Frames: []archive.Frame{{
			ProviderID: "docs", FrameID: "f", State: archive.StateInvalid, Class: archive.ClassNegative, Content: archive.ContentNoDigest, Commitment: digest,
			Evidence: []archive.Evidence{
				{Kind: archive.KindInclusion, State: archive.StateInvalid, Verdict: sign.CommitmentMismatch, Expected: digest, Signed: digest,
					Diagnosis: &archive.Diagnosis{Cause: archive.CauseLinkEdited, Detail: "by of link 0"}},
				{Kind: archive.KindRoot, State: archive.StateInvalid, Verdict: sign.CommitmentMismatch, Entry: -1},
			},
		}},
		Findings: []archive.Finding{
			{Code: archive.FindingRootMismatch, Severity: archive.SeverityError, Detail: "it differs", Entry: -1, Position: -1},
			{Code: archive.FindingInvalidEvidence, Severity: archive.SeverityError, Detail: "it is wrong", Entry: 0, Position: 0},
		},
	}}}
	r.count(archive.ExitNegative, "for a reason")
	return r
}

// Every format marks a diagnosis as a hint, beside what it explains; without one it says nothing of the kind.
func TestDiagnoses(t *testing.T) {
	r := mismatched()
	words := []string{
		"likely cause (a hint, the verdict stands): frame_missing: they state 2",
		"likely cause (a hint, the verdict stands): link_edited: by of link 0",
	}
	data := []string{
		`"diagnosis":{"cause":"frame_missing","detail":"they state 2"}`, `"diagnosis":{"cause":"link_edited","detail":"by of link 0"}`,
	}
	for _, tt := range []struct {
		format string
		write  func() []byte
		want   []string
	}{
		{"json", func() []byte { return r.json(t) }, data},
		{"jsonl", func() []byte { return r.jsonl(t) }, data},
		{"text", func() []byte { return []byte(strings.Join(unwrapped(r.text(t, report.TextOptions{})), "\n")) }, words},
		{"verbose text", func() []byte {
			return []byte(strings.Join(unwrapped(r.text(t, report.TextOptions{Verbose: true})), "\n"))
		}, words},
		{"junit", func() []byte { return r.junit(t, 0) }, words},
		{"html", func() []byte { return r.html(t, 0) }, words},
		{"markdown", func() []byte { return []byte(strings.NewReplacer("`", "", `\`, "").Replace(string(r.markdown(t, 0)))) }, words},
		{"sarif", func() []byte { return r.sarif(t, 0) }, append(words, data...)},
	} {
		text := tt.write()
		for _, want := range tt.want {
			if n := bytes.Count(text, []byte(want)); n != 1 {
				t.Errorf("%s has %q %d times, want once:\n%s", tt.format, want, n, text)
			}
		}
	}
	r.answers[0].Root.Diagnosis, r.answers[0].Frames[0].Evidence[0].Diagnosis = nil, nil
	for format, text := range map[string][]byte{
		"json": r.json(t), "text": []byte(r.text(t, report.TextOptions{Verbose: true})), "junit": r.junit(t, 0), "sarif": r.sarif(t, 0),
		"html": r.html(t, 0), "markdown": r.markdown(t, 0),
	} {
		if bytes.Contains(text, []byte(`"diagnosis"`)) || bytes.Contains(text, []byte("likely cause")) {
			t.Errorf("%s speaks of a diagnosis that was not made:\n%s", format, text)
		}
	}
}
