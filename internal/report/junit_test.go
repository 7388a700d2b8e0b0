package report_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

type junitSuites struct {
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	ID        int    `xml:"id,attr"`
	Timestamp string `xml:"timestamp,attr"`
	Tests     int    `xml:"tests,attr"`
	Failures  int    `xml:"failures,attr"`
	Errors    int    `xml:"errors,attr"`
	Skipped   int    `xml:"skipped,attr"`
	Property  []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"properties>property"`
	Cases []junitCase `xml:"testcase"`
	Out   string      `xml:"system-out"`
}

type junitCase struct {
	Name      string        `xml:"name,attr"`
	ClassName string        `xml:"classname,attr"`
	Failure   *junitOutcome `xml:"failure"`
	Error     *junitOutcome `xml:"error"`
	Skipped   *junitOutcome `xml:"skipped"`
}

type junitOutcome struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func (r *run) junit(t testing.TB, limit int) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewJUnit(&out, r.header, testTool, report.JUnitOptions{Limit: limit}))
	return out.Bytes()
}

// readJUnit reads a report back and checks that each suite counts the cases that stand in it.
func readJUnit(t testing.TB, data []byte) []junitSuite {
	t.Helper()
	var all junitSuites
	if err := xml.Unmarshal(data, &all); err != nil {
		t.Fatalf("%v in %s", err, data)
	}
	for i, s := range all.Suites {
		var failures, errors, skipped int
		for _, c := range s.Cases {
			if c.Failure != nil {
				failures++
			}
			if c.Error != nil {
				errors++
			}
			if c.Skipped != nil {
				skipped++
			}
		}
		if s.ID != i || s.Tests != len(s.Cases) || s.Failures != failures || s.Errors != errors || s.Skipped != skipped {
			t.Errorf("suite %d: %+v, want %d tests, %d failures, %d errors, %d skipped", i, s, len(s.Cases), failures, errors, skipped)
		}
	}
	return all.Suites
}

// checkJUnit validates a report against the schema of Ant's tasks, with xmllint.
func checkJUnit(t testing.TB, data []byte) []junitSuite {
	t.Helper()
	xmllint, err := exec.LookPath("xmllint")
	if err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal(err)
		}
		t.Skip("no xmllint")
	}
	file := filepath.Join(t.TempDir(), "report.xml")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(xmllint, "--noout", "--nonet", "--schema", publicdata.SharedPath(t, "schemas/junit-ant.xsd"), file).CombinedOutput()
	if err != nil {
		t.Errorf("xmllint: %v: %s", err, out)
	}
	return readJUnit(t, data)
}

func TestJUnitSchema(t *testing.T) {
	for name, r := range map[string]*run{
		"everything": everything(t, "x"), "hostile": everything(t, "]]><script>&#0;"+hostile), "nothing": ended(3, true, false),
		"interrupted": ended(130, false, false), "internal": ended(5, false, false),
	} {
		t.Run(name, func(t *testing.T) { checkJUnit(t, r.junit(t, 0)) })
	}
}

// All of a run is a case or a line, and comes to what its class says.
func TestJUnitCases(t *testing.T) {
	r := everything(t, "x")
	suites := readJUnit(t, r.junit(t, 0))
	bySource := map[string]junitSuite{}
	for _, s := range suites {
		bySource[s.Name] = s
	}
	outcome := func(where string, c *junitCase, class archive.Class, what string) {
		t.Helper()
		want := map[archive.Class]*junitOutcome{"negative": c.Failure, "unreadable": c.Error, "unchecked": c.Skipped, "good": nil}[class]
		if class != archive.ClassGood && (want == nil || !strings.Contains(want.Message, what) || class != archive.ClassUnchecked && want.Type != what) ||
			class == archive.ClassGood && (c.Failure != nil || c.Error != nil || c.Skipped != nil) {
			t.Errorf("%s, %s %s: %+v", where, class, what, c)
		}
	}
	for _, a := range r.answers {
		s := bySource[a.Source]
		next := func(name string) *junitCase {
			i := slices.IndexFunc(s.Cases, func(c junitCase) bool { return c.Name == name })
			if i < 0 {
				t.Fatalf("there is no case %q among %+v", name, s.Cases)
			}
			return &s.Cases[i]
		}
		for _, f := range a.Frames {
			name := fmt.Sprintf("record %d, frame %d %q", a.Record, f.Position, f.FrameID)
			outcome(name, next(name), f.Class, string(f.State))
			if f.Class == archive.ClassGood && !strings.Contains(s.Out, name+": "+string(f.State)) {
				t.Errorf("system-out says nothing of %s", name)
			}
		}
		if len(a.Frames) == 0 {
			name := fmt.Sprintf("record %d, no frames", a.Record)
			outcome(name, next(name), a.Class, string(a.EmptyState()))
		}
		for _, f := range a.Findings {
			if f.Severity != archive.SeverityError && !strings.Contains(s.Out, string(f.Severity)+" "+string(f.Code)) {
				t.Errorf("system-out says nothing of the %s %s", f.Severity, f.Code)
			}
		}
		failed := 0
		for _, c := range s.Cases {
			if strings.Contains(c.Name, ", finding ") && c.Failure != nil {
				failed++
			}
		}
		if want := len(slices.DeleteFunc(slices.Clone(a.Findings), func(f archive.Finding) bool { return f.Severity != archive.SeverityError })); failed != want {
			t.Errorf("%d findings of severity error failed, want %d", failed, want)
		}
	}
	for _, e := range r.errors {
		if s := bySource[e.Source]; len(s.Cases) != 1 || s.Cases[0].Error == nil || s.Cases[0].Error.Type != string(e.Code) {
			t.Errorf("%+v has the suite %+v", e, s)
		}
	}
	for _, f := range r.summary.Inputs {
		if s := bySource[f.Source]; !strings.Contains(s.Out, string(f.Code)) {
			t.Errorf("%+v has the suite %+v", f, s)
		}
	}
}

func properties(s *junitSuite) map[string]string {
	got := map[string]string{}
	for _, p := range s.Property {
		got[p.Name] += p.Value
	}
	return got
}

// The properties of the first suite count everything, listed or not, and say once what is not covered.
func TestJUnitRun(t *testing.T) {
	r := everything(t, "x")
	data := r.junit(t, 2)
	suites := readJUnit(t, data)
	got, s := properties(&suites[0]), r.summary
	want := map[string]string{
		"records": fmt.Sprint(s.Records), "answers": fmt.Sprint(s.Answers), "frames": fmt.Sprint(s.Frames), "unreadable": fmt.Sprint(s.Unreadable),
		"sources": fmt.Sprint(s.Sources), "passed_over": fmt.Sprint(s.PassedOver), "ignored_files": fmt.Sprint(s.IgnoredFiles),
		"exit_code": "1", "exit_zero_applied": "false", "finished": "true", "received_at.instant": "2026-08-29T12:00:60.5Z",
	}
	for title, counts := range map[string]map[string]uint64{
		"classes": texts(s.Classes), "states": texts(s.States), "evidence": texts(s.Evidence), "content": texts(s.Content),
		"findings": texts(s.Findings), "empty_answers": texts(s.EmptyAnswers),
	} {
		for code, n := range counts {
			want[title+"."+code] = strconv.FormatUint(n, 10)
		}
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s = %q, want %q", name, got[name], value)
		}
	}
	if want := fmt.Sprintf("%q, %q, %d more", s.Ignored[0], s.Ignored[1], s.IgnoredFiles-2); got["ignored"] != want {
		t.Errorf("ignored = %s, want %s", got["ignored"], want)
	}
	for _, n := range archive.NotCovered() {
		if !slices.Contains(strings.Split(got["not_covered"], ", "), n) {
			t.Errorf("not_covered has no %s", n)
		}
	}
	if n := bytes.Count(data, []byte("replay_under_another_id")); n != 1 {
		t.Errorf("what is not covered stands %d times", n)
	}
	if suites[0].Timestamp != "2026-08-29T12:00:59" {
		t.Errorf("timestamp %s", suites[0].Timestamp)
	}
	listed := 0
	for _, s := range suites {
		listed += s.Tests
	}
	if listed != 2+2 || !strings.Contains(got["not_listed"], "at most 2,") {
		t.Errorf("%d cases, not listed are %q", listed, got["not_listed"])
	}
}

func texts[K ~string](counts map[K]uint64) map[string]uint64 {
	out := map[string]uint64{}
	for k, n := range counts {
		out[string(k)] = n
	}
	return out
}

// A run that does not end well is not green: where no case tells of it, one is added.
func TestJUnitNeverGreenByAccident(t *testing.T) {
	for _, tt := range []struct {
		code int
		done bool
		want string
	}{{0, true, ""}, {1, true, "failure"}, {3, true, "skipped"}, {4, true, "error"}, {5, false, "error"}, {130, false, "error"}} {
		r := ended(tt.code, tt.done, tt.code == 3)
		var got []string
		for _, c := range readJUnit(t, r.junit(t, 0))[0].Cases {
			switch {
			case c.Failure != nil:
				got = append(got, "failure")
			case c.Error != nil:
				got = append(got, "error")
			case c.Skipped != nil:
				got = append(got, "skipped")
			default:
				got = append(got, "passed")
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("exit %d: %q, want %q", tt.code, got, tt.want)
		}
	}
	// A good frame beside damaged evidence.
	a := unmet("s", "f", "q")
	a.Frames[0].Class, a.Frames[0].State = archive.ClassGood, archive.StateAttested
	a.Findings = []archive.Finding{{Code: archive.FindingInvalidEvidence, Severity: archive.SeverityError, Entry: 1, Position: 0}}
	r := &run{answers: []*archive.Answer{a}}
	r.count(1, "")
	if s := readJUnit(t, r.junit(t, 0)); s[0].Tests != 0 || s[1].Tests != 2 || s[1].Failures != 1 {
		t.Errorf("suites %+v", s)
	}
}

func TestJUnitTimestamp(t *testing.T) {
	for _, tt := range []struct{ at, want string }{
		{"", "1970-01-01T00:00:00"}, {"2026-08-29T12:00:00.123Z", "2026-08-29T12:00:00"}, {"2016-12-31T23:59:60Z", "2016-12-31T23:59:59"},
		{"0000-01-01T00:00:00Z", "1970-01-01T00:00:00"}, {"9999-12-31T23:59:59Z", "9999-12-31T23:59:59"},
	} {
		r := ended(0, true, false)
		r.header.ReceivedAt = &archive.ReceivedAt{Source: archive.InstantFromFlag}
		if tt.at != "" {
			var err error
			if r.header.ReceivedAt.Instant, err = commitment.ParseInstant(tt.at); err != nil {
				t.Fatal(err)
			}
		}
		if got := checkJUnit(t, r.junit(t, 0))[0].Timestamp; got != tt.want {
			t.Errorf("at %q: %s, want %s", tt.at, got, tt.want)
		}
	}
}

// What an input says shows, and says nothing but itself.
func TestJUnitHostileText(t *testing.T) {
	data := everything(t, "]]><script>"+hostile).junit(t, 0)
	if i := bytes.IndexFunc(data, func(r rune) bool { return r != '\n' && !terminal.Visible(r) }); i >= 0 {
		t.Errorf("%q stands in the report", data[i:i+10])
	}
	if bytes.Contains(data, []byte("<script")) || bytes.Contains(data, []byte("]]>")) {
		t.Error("markup of an input stands in the report")
	}
	for _, s := range readJUnit(t, data) {
		for line := range strings.Lines(s.Out) {
			if strings.HasPrefix(line, "exit 0") {
				t.Errorf("a line of an input stands as ours: %q", line)
			}
		}
		if strings.IndexFunc(s.Name, unicode.IsControl) >= 0 {
			t.Errorf("a suite is called %q", s.Name)
		}
	}
	// The claims of every kept piece of evidence stand behind the word.
	text := string(everything(t, "x").junit(t, 0))
	if n, m := strings.Count(text, "attester_id"), strings.Count(text, "unverified claims: attester_id"); n != m+1 || m < 20 { // once as not covered
		t.Errorf("attester_id stands %d times, %d times behind the word", n, m)
	}
}

// Suites stand in the order of the input, also where errors come behind all answers.
func TestJUnitSuites(t *testing.T) {
	r := &run{
		answers: []*archive.Answer{unmet("b", "f", "q"), unmet("a", "f", "q"), unmet("b", "g", "q")},
		errors:  []*archive.RecordError{{Source: "a", Record: 2, Code: archive.ErrorSyntax}, {Source: "-", Code: archive.ErrorUnreadableSource}},
	}
	r.count(4, "")
	var got []string
	for _, s := range readJUnit(t, r.junit(t, 0)) {
		got = append(got, fmt.Sprintf("%s %d", s.Name, s.Tests))
	}
	if diff := cmp.Diff([]string{"cgp-attest 0", "b 2", "a 2", "standard input 1"}, got); diff != "" {
		t.Errorf("suites (-want +got):\n%s", diff)
	}
}
