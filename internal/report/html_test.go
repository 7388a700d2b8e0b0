package report_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Hostile text changes no element and no attribute that is not read out, whatever it is and wherever it stands.
func TestHTMLHostileText(t *testing.T) {
	want := parsePage(t, inText(t, harmless).html(t, 0)).shape()
	for name, text := range hostiles {
		t.Run(name, func(t *testing.T) {
			out := inText(t, text).html(t, 0)
			checkVisible(t, string(out))
			p := parsePage(t, out)
			if got := p.shape(); got != want {
				a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Fatalf("tag %d is %s, want %s", i, a[i], b[i])
					}
				}
				t.Fatalf("%d tags, want %d", len(a), len(b))
			}
			if len(p.Declared) != 1 {
				t.Errorf("declarations and comments are %q, want the one of the type of the document", p.Declared)
			}
		})
	}
}

// Letters that are written from right to left stand in an isolate of their own: what stands around them keeps its order.
func TestHTMLIsolatesRightToLeft(t *testing.T) {
	const arabic = "\u0645\u0644\u0641 \u0623"
	out := string(inText(t, arabic+"9").html(t, 0))
	if !strings.Contains(out, "<bdi>"+arabic+"</bdi>9") {
		t.Error("the letters stand in no isolate")
	}
	rest := regexp.MustCompile(`<bdi>[^<]*</bdi>|aria-label="[^"]*"`).ReplaceAllString(out, "")
	if i := strings.IndexFunc(rest, func(r rune) bool { return 0x590 <= r && r <= 0x8ff }); i >= 0 {
		t.Errorf("letters stand outside of an isolate: %q", rest[max(i-40, 0):i+40])
	}
}

// The page asks for nothing: its policy admits its own style sheet and script by their hashes and closes everything else, no
// attribute leads out of it, and no style sheet names an address.
func TestHTMLAsksForNothing(t *testing.T) {
	out := inText(t, harmless).html(t, 0)
	p := parsePage(t, out)
	hash := func(s string) string {
		sum := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	want := "default-src 'none'; style-src " + hash(p.Style) + "; script-src " + hash(p.Script) + "; base-uri 'none'; form-action 'none'"
	if p.CSP != want {
		t.Errorf("the policy is %s, want %s", p.CSP, want)
	}
	for _, tag := range p.Tags {
		for _, a := range tag.attrs {
			switch name := a[0]; {
			case name == "href" && strings.HasPrefix(a[1], "#"):
			case name == "src", name == "href", name == "style", name == "srcset", name == "action", name == "data", strings.HasPrefix(name, "on"):
				t.Errorf("<%s> has %s=%q", tag.name, name, a[1])
			}
		}
	}
	for _, address := range []string{"http:", "https:", "url(", "@import", "//example", "data:"} {
		if bytes.Contains(bytes.ToLower(out), []byte(address)) {
			t.Errorf("the page holds %q", address)
		}
	}
}

// The page and its title begin with what the exit code means, in words.
func TestHTMLHeadline(t *testing.T) {
	for code, want := range map[int]string{
		archive.ExitGood: "Everything met the policy", archive.ExitNegative: "Something is wrong", archive.ExitUnchecked: "Not everything is proven",
		archive.ExitUnreadable: "Some of it could not be read", archive.ExitInterrupted: "Interrupted: partial", archive.ExitInternal: "Internal error",
	} {
		out := string(ended(code, code != archive.ExitInterrupted, false).html(t, 0))
		title := fmt.Sprintf("<title>%s (exit code %d): ", want, code)
		head := fmt.Sprintf("<p class=\"exit\">%s <small>exit code <data id=\"exit-code\" value=\"%d\">", want, code)
		if !strings.Contains(out, title) || !strings.Contains(out, head) {
			t.Errorf("exit code %d: the page lacks %q or %q", code, title, head)
		}
	}
}

// The counts and the exit code read back out of the page are those of the summary.
func TestHTMLCounts(t *testing.T) {
	r := inText(t, harmless)
	p := parsePage(t, r.html(t, 1))
	s := r.summary
	if got := p.Values["exit-code"]; got != strconv.Itoa(s.ExitCode) {
		t.Errorf("the exit code is %q, want %d", got, s.ExitCode)
	}
	for caption, want := range summaryCounts(s) {
		if got := p.counts(t, caption); !maps.Equal(got, want) {
			t.Errorf("%s: counts are %v, want %v", caption, got, want)
		}
	}
}

// summaryCounts are the counts of a summary that are not zero, under the captions of the page.
func summaryCounts(s *archive.Summary) map[string]map[string]uint64 {
	all := map[string]map[string]uint64{
		"Classes of frames": named(s.Classes), "States of frames": named(s.States), "Answers without frames": named(s.EmptyAnswers),
		"Evidence": named(s.Evidence), "Content": named(s.Content), "Findings by severity": named(s.Findings),
		"Read": {
			"sources": uint64(s.Sources), "records": s.Records, "answers": s.Answers, "frames": s.Frames, "unreadable": s.Unreadable,
			"passed_over": s.PassedOver, "ignored_files": s.IgnoredFiles,
		},
	}
	for _, counts := range all {
		maps.DeleteFunc(counts, func(_ string, n uint64) bool { return n == 0 })
	}
	return all
}

func named[K ~string](counts map[K]uint64) map[string]uint64 {
	out := make(map[string]uint64)
	for k, n := range counts {
		out[string(k)] = n
	}
	return out
}

// What nothing proves stands beside the word that says so, and what must be said is said.
func TestHTMLSaysWhatItOwes(t *testing.T) {
	r := inText(t, harmless)
	r.summary.Finished = false
	out := string(r.html(t, 0))
	text := parsePage(t, []byte(out)).Text
	for _, want := range []string{
		"Partial: the run was interrupted", "require pinned", "constructed (who signed is not established)", `"markignored", 2 more`,
		"duplicate_input", `trusted for "mark", declared name "mark"`, "1 of 7 proven, 7 is the provider's claim: nothing signs it",
		"0 to 1: undisclosed", "3: undisclosed", "4 to 6: undisclosed", "archive_completeness",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	// The detail of a finding may speak of these members; their values stand nowhere else.
	for _, m := range regexp.MustCompile(`(.{60})attester_id &#34;`).FindAllStringSubmatch(out, -1) {
		if !strings.HasSuffix(m[1], `<span class="claims"><b>Unverified claims</b> `) {
			t.Fatalf("a claim stands behind %q", m[1])
		}
	}
	if n := strings.Count(text, "archive_completeness"); n != 1 {
		t.Errorf("what is not covered stands %d times", n)
	}
}

// A source has one bar, also in a report that was read again: there the errors stand behind all answers.
func TestHTMLChartErrorsLast(t *testing.T) {
	r := ended(4, true, false)
	for _, source := range []string{"a", "b"} {
		r.answers = append(r.answers, unmet(source, "f", "x"))
	}
	for _, source := range []string{"a", "b", "c"} {
		r.errors = append(r.errors, &archive.RecordError{Source: source, Record: 2, Code: archive.ErrorSyntax})
	}
	out := string(r.html(t, 0))
	table := out[strings.Index(out, "The chart as a table"):]
	table = table[:strings.Index(table, "</table>")]
	for source, cells := range map[string]string{
		"a": `<td class="n">1</td><td class="n">1</td><td class="n">1</td>`, "b": `<td class="n">1</td><td class="n">1</td><td class="n">1</td>`,
		"c": `<td class="n">0</td><td class="n">0</td><td class="n">1</td>`,
	} {
		if row := `<tr><th scope="row" class="id">&#34;` + source + `&#34;</th>` + cells + "</tr>"; !strings.Contains(table, row) {
			t.Errorf("the chart lacks %s:\n%s", row, table)
		}
	}
	if n := strings.Count(out, `<figure class="chart">`); n != 3 {
		t.Errorf("%d bars for 3 sources", n)
	}
}

// A list shows as many as its limit, the worst, and says what it leaves out.
func TestHTMLLimit(t *testing.T) {
	r := many(30)
	p := parsePage(t, r.html(t, 10))
	var rows int
	for _, tag := range p.Tags {
		if tag.attr("data-class") != "" {
			rows++
			if got := tag.attr("data-class"); got != string(archive.ClassNegative) {
				t.Errorf("a frame that is shown is %s, and negative ones are left out", got)
			}
		}
	}
	if rows != 10 {
		t.Errorf("%d frames are shown, want 10", rows)
	}
	for _, want := range []string{
		"Not shown here: 5 frames or answers of class negative, 15 frames or answers of class good.",
		"Not shown here: 5 findings of severity error.",
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
