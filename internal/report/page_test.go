package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

// requireOracles is the environment variable that turns a missing oracle from a skipped test into a failed one.
const requireOracles = "CGP_ATTEST_REQUIRE_ORACLES"

// program returns the path of a program that a test asks for a second opinion.
func program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv(requireOracles) == "1" {
			t.Fatalf("%s=1, but there is no %s: %v", requireOracles, name, err)
		}
		t.Skipf("no %s for a second opinion", name)
	}
	return path
}

func ask(t testing.TB, stdin []byte, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(program(t, name), args...)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, stderr.Bytes())
	}
	return out
}

// A page is what Python's parser of HTML makes of one.
type page struct {
	Tags                 []tag
	Text, Bare           string // Bare: what stands in no code
	Style, Script, CSP   string
	Values               map[string]string
	Tables               []table
	Unbalanced, Declared []string
}

type table struct {
	Caption string
	Rows    [][]string
}

// A tag is a start tag with its attributes, or an end tag.
type tag struct {
	name  string
	attrs [][2]string
}

func (t *tag) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&t.name, &t.attrs})
}

func (t *tag) attr(name string) string {
	for _, a := range t.attrs {
		if a[0] == name {
			return a[1]
		}
	}
	return ""
}

func parsePage(t testing.TB, text []byte) *page {
	t.Helper()
	p := &page{}
	if err := json.Unmarshal(ask(t, text, "python3", "testdata/page_oracle.py"), p); err != nil {
		t.Fatal(err)
	}
	if len(p.Unbalanced) > 0 {
		t.Errorf("elements are not closed, or closed twice: %q", p.Unbalanced)
	}
	return p
}

// shape is the tree of elements with every attribute, but for the names that are read out.
func (p *page) shape() string {
	var b strings.Builder
	for _, tag := range p.Tags {
		b.WriteString(tag.name)
		for _, a := range tag.attrs {
			if a[0] != "aria-label" {
				fmt.Fprintf(&b, " %s=%q", a[0], a[1])
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// counts are the numbers of the first table of the caption, by name.
func (p *page) counts(t testing.TB, caption string) map[string]uint64 {
	t.Helper()
	for _, table := range p.Tables {
		if table.Caption != caption {
			continue
		}
		counts := make(map[string]uint64)
		for _, row := range table.Rows[1:] {
			n, err := strconv.ParseUint(row[1], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			name, _, _ := strings.Cut(row[0], " (")
			if n > 0 {
				counts[name] = n
			}
		}
		return counts
	}
	t.Fatalf("there is no table %q", caption)
	return nil
}

func (r *run) html(t testing.TB, limit int) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewHTML(&out, r.header, testTool, limit))
	return out.Bytes()
}

func (r *run) markdown(t testing.TB, limit int) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewMarkdown(&out, r.header, testTool, limit))
	return out.Bytes()
}

// hostiles are texts that try to become markup or a link, to end what they stand in, and to drive a terminal.
var hostiles = map[string]string{
	"terminal":   hostile,
	"elements":   `</script><script>alert(1)</script></style></title></svg></table></details><img src=x onerror=alert(1)>`,
	"attributes": `" onfocus="alert(1)" x='y' autofocus `,
	"sections":   `]]> --> <!-- <![CDATA[ <?php &lt; &#60; &amp;`,
	"code":       "` `` ```js\x60\x60\x60 \\` `a` ~~~",
	"markdown":   "**b** _i_ [l](https://example.org) ![i](x) | a | b | \\| <b> # h * l 1. l > q www.example.org a@example.org",
	"references": "@everyone #1 GH-1 !2 $3 %4 ~5 &6 :tada: org/repo#7 0123456789abcdef0123456789abcdef01234567 https://example.org",
	"lines":      "\n\n# h\r\n\r\n- l\n\n    code\n\n<b>\n\n---\n",
	"bytes":      "\xff\xfe\x80 \xc3( \x00\u009b\u202e\u2066",
	"quotations": `"" " \" "a" 'b' "`,
	"blank":      " ",
}

// inText makes a run in which every text that may come from an input begins with mark.
func inText(t testing.TB, mark string) *run {
	t.Helper()
	r := everything(t, mark)
	r.summary.Ignored = []string{mark + "ignored"}
	r.summary.IgnoredFiles = 3
	r.summary.Inputs = []archive.InputFinding{{
		Source: mark + "source", Code: archive.FindingDuplicateInput, Severity: archive.SeverityWarning, Detail: mark + "detail",
	}}
	r.summary.Findings[archive.SeverityWarning]++
	r.answers = append(r.answers, &archive.Answer{
		Source: mark + "kept", Record: 1, ID: commitment.Some(mark), ProviderID: commitment.Some(mark), LocalID: commitment.Some(mark),
		Findings: []archive.Finding{{Code: archive.FindingCode(mark), Severity: archive.SeverityNote, Position: -1, Entry: -1}},
		Class:    archive.ClassGood, Retained: true, Proven: &archive.Proven{Leaves: 1, Claimed: []uint64{7}},
		Root: &archive.Root{State: archive.StateAttested, KeyID: mark, TrustedFor: mark, Tier: archive.TierConfigured, Signed: mark},
		Frames: []archive.Frame{{
			LeafIndex: 2, FrameID: mark + "kept", State: archive.StateAttested, Class: archive.ClassGood, Tier: archive.TierConfigured,
			Commitment: mark, Content: archive.ContentMatch,
			Evidence: []archive.Evidence{{Kind: archive.KindInclusion, State: archive.StateAttested, LeafCount: mark, KeyID: mark, TrustedFor: mark, Tier: archive.TierConfigured}},
		}},
	})
	summary := r.summary
	r.count(archive.ExitNegative, mark+"reason")
	r.summary.Ignored, r.summary.IgnoredFiles, r.summary.Inputs = summary.Ignored, summary.IgnoredFiles, summary.Inputs
	r.summary.Findings[archive.SeverityWarning]++
	return r
}

// harmless is a text that nothing takes for anything.
const harmless = "mark"

func checkVisible(t testing.TB, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != '\t' && (unicode.Is(unicode.C, r) || r == '\u2028' || r == '\u2029') {
			t.Fatalf("the report holds %U", r)
		}
	}
}
