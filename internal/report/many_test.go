package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// manyAnswer is the nth of many answers with one frame each. Those with an odd number are negative, and have a finding. What an
// input says in them begins with mark.
func manyAnswer(n int, mark string) *archive.Answer {
	text := fmt.Sprintf("%s-%d", mark, n)
	a := &archive.Answer{
		Source: fmt.Sprintf("%s-source-%d", mark, n/1_000), Record: uint64(n + 1), ID: commitment.Some(text),
		ProviderID: commitment.Some(text), LocalID: commitment.Some(text), Class: archive.ClassGood,
		Root: &archive.Root{
			State: archive.StateAttested, Verdict: sign.Valid, KeyID: text, Tier: archive.TierConfigured, TrustedFor: text,
			Unverified: &archive.Claims{AttesterID: text, IssuedAt: text},
		},
		Frames: []archive.Frame{{
			FrameID: text, ContentDigest: commitment.Some(text), State: archive.StateAttested, Tier: archive.TierConfigured,
			Class: archive.ClassGood, Content: archive.ContentMatch,
		}},
	}
	for range 12 {
		a.Frames[0].Evidence = append(a.Frames[0].Evidence, archive.Evidence{
			Kind: archive.KindSignature, State: archive.StateAttested, Verdict: sign.Valid, Detail: text, KeyID: text,
			Tier: archive.TierConfigured, TrustedFor: text, Unverified: &archive.Claims{AttesterID: text, IssuedAt: text},
		})
	}
	if n%2 == 1 {
		a.Class, a.Frames[0].Class, a.Frames[0].State = archive.ClassNegative, archive.ClassNegative, archive.StateInvalid
		a.Findings = []archive.Finding{{
			Code: archive.FindingInvalidEvidence, Severity: archive.SeverityError, Detail: strings.Repeat(text, 10), Entry: -1, Position: 0,
			FrameID: commitment.Some(text),
		}}
	}
	return a
}

func many(n int) *run {
	r := &run{header: archive.Header{Policy: archive.Policy{Require: archive.RequireAttested}}}
	for i := range n {
		a := manyAnswer(i, "many")
		a.Frames[0].Evidence = a.Frames[0].Evidence[:1]
		r.answers = append(r.answers, a)
	}
	r.count(archive.ExitNegative, "some are negative")
	return r
}

// manyFindings is a run in which answers of one frame have a thousand findings each.
func manyFindings(n int) *run {
	r := many(n / 1_000)
	for i := range n {
		a := r.answers[i/1_000]
		if i%1_000 == 0 {
			a.Findings = nil
		}
		a.Findings = append(a.Findings, archive.Finding{
			Code: archive.FindingOrphanEntry, Severity: archive.SeverityWarning, Detail: "an entry that names no frame of the answer",
			Entry: i % 1_000, Position: -1, FrameID: commitment.Some(fmt.Sprintf("id-%d", i)),
		})
	}
	r.count(archive.ExitNegative, "some are negative")
	return r
}

// A counter takes bytes and counts them.
type counter struct{ n int }

func (c *counter) Write(b []byte) (int, error) {
	c.n += len(b)
	return len(b), nil
}

// Neither what a report for people holds nor what it writes grows with the archive.
func TestReportsForPeopleAreBounded(t *testing.T) {
	sizes := []int{20_000, 1_000_000}
	if testing.Short() {
		sizes = []int{5_000, 25_000}
	}
	var held [2]int64
	var page, summary [2]int
	for i, n := range sizes {
		before := int64(heap())
		html, markdown := &counter{}, &counter{}
		into := []report.Renderer{
			report.NewHTML(html, archive.Header{}, testTool, 0),
			report.NewMarkdown(markdown, archive.Header{}, testTool, 0),
		}
		sum := archive.NewSummary(archive.RequireAttested)
		for k := range n {
			a := manyAnswer(k, "bounded")
			sum.CountAnswer(a)
			for _, r := range into {
				if err := r.Answer(a); err != nil {
					t.Fatal(err)
				}
			}
		}
		held[i] = int64(heap()) - before
		sum.Conclude()
		for _, r := range into {
			if err := r.Close(sum); err != nil {
				t.Fatal(err)
			}
		}
		page[i], summary[i] = html.n, markdown.n
	}
	t.Logf("holds %d and %d bytes, the page has %d and %d, the Markdown %d and %d", held[0], held[1], page[0], page[1], summary[0], summary[1])
	if held[1] > held[0]+held[0]/4+1<<20 {
		t.Errorf("holds %d bytes of %d answers and %d of %d", held[0], sizes[0], held[1], sizes[1])
	}
	if page[1] > page[0]+page[0]/10 {
		t.Errorf("the page has %d bytes for %d answers and %d for %d", page[0], sizes[0], page[1], sizes[1])
	}
	if most := max(summary[0], summary[1]); most > 1<<20 {
		t.Errorf("the Markdown has %d bytes, want at most 1 MiB", most)
	}
}

// What no limit shows is not said to be a matter of the limit, and no format but the whole ones shows it.
func TestLimitAlike(t *testing.T) {
	r := manyFindings(1_000)
	for _, code := range []archive.FindingCode{r.answers[0].Findings[0].Code, archive.FindingDeclaredNameDiffers} {
		for range 3 {
			f := r.answers[0].Findings[0]
			f.Code, f.Severity = code, code.Severity()
			r.answers[0].Findings = append(r.answers[0].Findings, f)
		}
	}
	r.count(archive.ExitNegative, "some are negative")
	const why = "of one code at most 1000 are shown of an answer"
	for format, want := range map[string][]string{
		report.FormatHTML:     {"Not shown here: 3 findings of severity warning. The counts are of everything; " + why},
		report.FormatMarkdown: {"3 findings of severity warning", why},
		report.FormatText:     {"Not shown here, beyond the limit of 5000, and " + why + ": 3 findings of severity warning. The counts"},
		report.FormatSARIF:    {"3 findings of severity warning (" + why + ")"},
		report.FormatJUnit:    {"3 findings of severity warning: of each list there are at most 5000, and 8388608 bytes, and " + why},
		report.FormatJSON:     nil,
		report.FormatJSONL:    nil,
	} {
		var out bytes.Buffer
		r.render(t, report.New(format, &out, r.header, testTool, report.TextOptions{Limit: 5_000, Width: 1_000}))
		text := out.String()
		for _, words := range want {
			if !strings.Contains(text, words) {
				t.Errorf("%s does not say %q", format, words)
			}
		}
		if want == nil && strings.Contains(text, why) {
			t.Errorf("%s is not whole", format)
		}
	}
}
