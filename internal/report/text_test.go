package report_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/sign"
)

var (
	quotation = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	counted   = regexp.MustCompile(`([a-z_]+) (\d+)`)
	exitLine  = regexp.MustCompile(`(?m)^exit (\d+)(, turned into 0 by --exit-zero)?: `)
	colours   = regexp.MustCompile("\x1b\\[[0-9]*m")
)

// unwrapped returns the paragraphs, list entries and lines of a page, each on one line.
func unwrapped(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(out) > 0 && out[len(out)-1] != "" && strings.HasPrefix(line, "    ") {
			out[len(out)-1] += " " + strings.TrimSpace(line)
			continue
		}
		out = append(out, line)
	}
	return out
}

// countsOf returns the counts behind a title.
func countsOf(t *testing.T, text, title string) map[string]uint64 {
	t.Helper()
	counts := make(map[string]uint64)
	for _, line := range unwrapped(text) {
		if rest, ok := strings.CutPrefix(line, title+": "); ok {
			for _, m := range counted.FindAllStringSubmatch(rest, -1) {
				n, err := strconv.ParseUint(m[2], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				counts[m[1]] = n
			}
		}
	}
	return counts
}

// The counts and the exit code of text and JSON are those of the summary.
func TestFormatsAgree(t *testing.T) {
	r := everything(t, hostile)
	r.summary.PassedOver, r.summary.IgnoredFiles, r.summary.Sources = 5, 16, 7
	text, fromJSON := r.text(t, report.TextOptions{}), read(t, r.json(t)).Summary
	s := r.summary
	readCounts := map[string]uint64{
		"sources": uint64(s.Sources), "records": s.Records, "answers": s.Answers, "frames": s.Frames, "unreadable": s.Unreadable,
		"passed_over": s.PassedOver, "ignored_files": s.IgnoredFiles,
	}
	tests := []struct {
		title          string
		want, fromJSON map[string]uint64
	}{
		{"Read", readCounts, map[string]uint64{
			"sources": fromJSON.Sources, "records": fromJSON.Records, "answers": fromJSON.Answers, "frames": fromJSON.Frames,
			"unreadable": fromJSON.Unreadable, "passed_over": fromJSON.PassedOver, "ignored_files": fromJSON.IgnoredFiles,
		}},
		{"Classes", plain(s.Classes), fromJSON.Classes}, {"States", plain(s.States), fromJSON.States},
		{"Empty answers", plain(s.EmptyAnswers), fromJSON.EmptyAnswers}, {"Evidence", plain(s.Evidence), fromJSON.Evidence},
		{"Content", plain(s.Content), fromJSON.Content}, {"Findings", plain(s.Findings), fromJSON.Findings},
	}
	for _, tt := range tests {
		got := countsOf(t, text, tt.title)
		if len(got) == 0 {
			t.Errorf("%s: the text has no counts", tt.title)
		}
		for key := range tt.fromJSON {
			if got[key] != tt.want[key] || tt.fromJSON[key] != tt.want[key] {
				t.Errorf("%s: %s is %d in text and %d in JSON, want %d", tt.title, key, got[key], tt.fromJSON[key], tt.want[key])
			}
		}
	}
	exits := exitLine.FindAllStringSubmatch(text, -1)
	if len(exits) != 1 || exits[0][1] != strconv.Itoa(s.ExitCode) || fromJSON.ExitCode != s.ExitCode {
		t.Errorf("exit codes: %q in text, %d in JSON, want %d", exits, fromJSON.ExitCode, s.ExitCode)
	}
	for _, what := range archive.NotCovered() {
		if !strings.Contains(strings.Join(unwrapped(text), "\n"), " "+what) {
			t.Errorf("the text does not say that %s is not covered", what)
		}
	}
	for _, code := range append(constants(t, "State"), constants(t, "ErrorCode")...) {
		if !strings.Contains(text, code) {
			t.Errorf("the text does not name %s", code)
		}
	}
}

// What was found about inputs stands among the warnings, and of the files that were ignored some are named.
func TestTextInputs(t *testing.T) {
	r := one("attested", nil, proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs"))
	for i := range 12 {
		r.summary.FindInput(fmt.Sprint("a", i, "\n.json"), archive.FindingDuplicateInput, "read before")
		r.summary.Ignore(fmt.Sprint("dir/x", i, "\x1b.txt"))
	}
	text := strings.Join(unwrapped(r.text(t, report.TextOptions{Limit: 10})), "\n")
	for _, want := range []string{
		`warning duplicate_input at "a0\n.json"`, `warning duplicate_input at "a9\n.json"`, "2 findings of severity warning",
		`Ignored in folders: "dir/x0\x1b.txt", "dir/x1\x1b.txt"`, `"dir/x9\x1b.txt", 2 more.`, "Findings: error 0, warning 12, note 0.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "a10") || strings.Contains(text, "x10") {
		t.Errorf("more is named than the limits allow:\n%s", text)
	}
}

func plain[K ~string](counts map[K]uint64) map[string]uint64 {
	out := make(map[string]uint64)
	for k, n := range counts {
		out[string(k)] = n
	}
	return out
}

func TestTextExitZero(t *testing.T) {
	r := run{}
	r.count(archive.ExitUnreadable, "1 source could not be read")
	r.summary.ExitZeroApplied = true
	text := r.text(t, report.TextOptions{})
	if m := exitLine.FindStringSubmatch(text); m == nil || m[1] != "4" || m[2] == "" {
		t.Errorf("the last line is not that of exit 4 turned into 0:\n%s", text)
	}
}

// Nothing of an input stands outside quotation marks, drives the terminal or starts a line, in any width, and every line fits.
func TestTextHostileText(t *testing.T) {
	const mark = "qx"
	for _, opt := range []report.TextOptions{
		{}, {Verbose: true}, {Width: 1}, {Width: 79, Verbose: true}, {Width: 200, Verbose: true}, {Limit: 1}, {Limit: 3, Verbose: true},
	} {
		for _, in := range []string{mark, hostile + mark, strings.Repeat(" exit 0: all is good ", 9) + mark, strings.Repeat("日", 300) + mark} {
			r := everything(t, in)
			for _, a := range r.answers { // details quote for themselves
				for i := range a.Findings {
					a.Findings[i].Detail = fmt.Sprintf("it is %.128q", a.Findings[i].Detail)
				}
				for i := range a.Frames {
					a.Frames[i].Detail = ""
					for k := range a.Frames[i].Evidence {
						a.Frames[i].Evidence[k].Detail, a.Frames[i].Evidence[k].Signed = "", ""
						if a.Frames[i].Evidence[k].Diagnosis != nil {
							a.Frames[i].Evidence[k].Diagnosis.Detail = "for a reason"
						}
					}
				}
				if a.Root != nil {
					a.Root.Detail = ""
					if a.Root.Diagnosis != nil {
						a.Root.Diagnosis.Detail = "for a reason"
					}
				}
			}
			for i := range r.header.Trusted {
				r.header.Trusted[i].SHA256 = ""
			}
			r.header.Published[0].SHA256 = ""
			for _, e := range r.errors {
				e.Detail = "bad"
			}
			r.summary.ExitReason = "for a reason"
			for i := range r.summary.Inputs {
				r.summary.Inputs[i].Detail = fmt.Sprintf("it is %.128q", r.summary.Inputs[i].Detail)
			}
			text := r.text(t, opt)
			checkPage(t, text, max(opt.Width, terminal.MinWidth, map[bool]int{true: terminal.DefaultWidth}[opt.Width == 0]))
			for _, line := range unwrapped(text) {
				if rest := quotation.ReplaceAllString(line, `""`); strings.Contains(rest, mark) || strings.Contains(rest, "all is good") {
					t.Errorf("%+v: text of the input outside quotation marks: %s", opt, line)
				}
			}
			if n := len(exitLine.FindAllString(text, -1)); n != 1 {
				t.Errorf("%+v: %d lines look like the exit line", opt, n)
			}
		}
	}
}

// A detail is a sentence of our own. What a system's error message carries into it does no harm either.
func TestTextHostileDetail(t *testing.T) {
	r := everything(t, hostile)
	for _, opt := range []report.TextOptions{{}, {Verbose: true}} {
		text := r.text(t, opt)
		checkPage(t, text, terminal.DefaultWidth)
		if n := len(exitLine.FindAllString(text, -1)); n != 1 {
			t.Errorf("%d lines look like the exit line", n)
		}
	}
}

func checkPage(t *testing.T, text string, width int) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && r != ' ' && (!unicode.IsGraphic(r) || unicode.In(r, unicode.Z, unicode.C)) {
			t.Fatalf("the text holds %U", r)
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if w := terminal.Width(line); w > width {
			t.Errorf("%d columns, want at most %d: %s", w, width, line)
		}
	}
}

// The claims of an attestation never stand without the word for what they are, constructed never without what it leaves open.
func TestTextMarksClaims(t *testing.T) {
	r := everything(t, "x")
	for _, a := range r.answers {
		for i := range a.Frames {
			for k := range a.Frames[i].Evidence {
				if c := a.Frames[i].Evidence[k].Unverified; c != nil {
					c.AttesterID, c.IssuedAt = "the-attester", "the-instant"
				}
			}
		}
		if a.Root != nil && a.Root.Unverified != nil {
			a.Root.Unverified = &archive.Claims{AttesterID: "the-attester", IssuedAt: "the-instant"}
		}
	}
	verbose := r.text(t, report.TextOptions{Verbose: true})
	if n := strings.Count(verbose, "the-attester"); n == 0 || strings.Count(verbose, "the-instant") != n {
		t.Errorf("the claims stand %d and %d times", n, strings.Count(verbose, "the-instant"))
	}
	for _, line := range details(verbose) {
		if bare := strings.TrimSpace(line); strings.HasPrefix(bare, "root: ") != strings.HasSuffix(bare, `"the-instant"`) &&
			!strings.HasPrefix(bare, "signature: ") {
			t.Errorf("the claims of the root are missing, or stand beside something else: %s", line)
		}
		if strings.Contains(line, "the-attester") && !strings.Contains(line, "unverified claims: attester_id") {
			t.Errorf("claims without a mark: %s", line)
		}
	}
	if short := r.text(t, report.TextOptions{}); strings.Contains(short, "the-attester") {
		t.Error("claims stand in the short form")
	}
	for _, level := range []archive.Level{archive.RequireAttested, archive.RequireConstructed} {
		r.header.Policy.Require = level
		for _, opt := range []report.TextOptions{{}, {Verbose: true}} {
			checkConstructed(t, r.text(t, opt))
			checkConstructed(t, one(level, nil, proven(archive.ClassGood, archive.StateConstructed, archive.TierPublished, "*")).text(t, opt))
		}
	}
}

// details returns the lines of a page, with list entries apart from the lines that say more.
func details(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(out) > 0 && strings.HasPrefix(line, "        ") {
			out[len(out)-1] += " " + strings.TrimSpace(line)
			continue
		}
		out = append(out, line)
	}
	return out
}

var whoSigned = regexp.MustCompile(`who\s+signed\s+is\s+not\s+established|never\s+who\s+signed\s+it|whoever can rewrite`)

func checkConstructed(t *testing.T, text string) {
	t.Helper()
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if strings.Contains(paragraph, "constructed") && !whoSigned.MatchString(paragraph) {
			t.Errorf("constructed stands alone in:\n%s", paragraph)
		}
	}
	for _, line := range unwrapped(text) {
		bare := quotation.ReplaceAllString(line, `""`)
		if strings.Contains(bare, "constructed") && !whoSigned.MatchString(bare) && !strings.Contains(bare, "  constructed  ") {
			t.Errorf("constructed stands alone in: %s", line)
		}
	}
}

// one is a run over one answer of one provider.
func one(level archive.Level, root *archive.Root, frames ...archive.Frame) *run {
	r := &run{header: archive.Header{Policy: archive.Policy{Require: level}, Trusted: []archive.KeySource{{Name: "trust.json", Keys: 1}}}}
	r.answers = []*archive.Answer{{
		Source: "a.ndjson", Record: 4, ProviderID: commitment.Some("repo-graph"), LocalID: commitment.Some("docs"), Root: root, Frames: frames,
	}}
	for i := range frames {
		frames[i].Position, frames[i].FrameID = i, fmt.Sprint("f", i)
	}
	r.count(archive.ExitGood, "1 frame met the policy (attested)")
	return r
}

func proven(class archive.Class, state archive.State, tier archive.Tier, trustedFor string) archive.Frame {
	states := map[archive.Tier]archive.State{
		archive.TierConfigured: archive.StateAttested, archive.TierPinned: archive.StatePinned, archive.TierPublished: archive.StateConstructed,
	}
	return archive.Frame{
		Class: class, State: state, Tier: tier, Content: archive.ContentMatch,
		Evidence: []archive.Evidence{{
			Kind: archive.KindSignature, State: states[tier], Verdict: sign.Valid, KeyID: "k1", Tier: tier, TrustedFor: trustedFor,
		}},
	}
}

// faulty is one with as many findings of severity error.
func faulty(findings int, frames ...archive.Frame) *run {
	r := one("attested", nil, frames...)
	for range findings {
		r.answers[0].Findings = append(r.answers[0].Findings,
			archive.Finding{Code: archive.FindingInvalidEvidence, Severity: archive.SeverityError, Entry: -1, Position: -1})
	}
	r.count(archive.ExitNegative, "findings of severity error")
	return r
}

// The first sentence says what was proven for how many frames, under whose key, and what not.
func TestTextSentence(t *testing.T) {
	const good, unchecked, negative = archive.ClassGood, archive.ClassUnchecked, archive.ClassNegative
	attested := proven(good, archive.StateAttested, archive.TierConfigured, "docs")
	forAll := proven(good, archive.StateAttested, archive.TierConfigured, archive.AnyProvider)
	unattested := archive.Frame{Class: unchecked, State: archive.StateUnattested, Content: archive.ContentMatch}
	unknown := archive.Frame{Class: unchecked, State: archive.StateNoTrustedKey, Content: archive.ContentMatch, Evidence: []archive.Evidence{
		{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: "k9"},
	}}
	uncompared := proven(unchecked, archive.StateAttested, archive.TierConfigured, "docs")
	uncompared.Content = archive.ContentAbsent
	uncomparedForAll := proven(unchecked, archive.StateAttested, archive.TierConfigured, archive.AnyProvider)
	uncomparedForAll.Content = archive.ContentAbsent
	waived := proven(good, archive.StateIdentityOnly, archive.TierConfigured, "docs")
	waived.Content = archive.ContentNoDigest
	tampered := proven(negative, archive.StateContentMismatch, archive.TierConfigured, "docs")
	tampered.Content = archive.ContentMismatch
	underRoot := archive.Frame{Class: good, State: archive.StateAttested, Tier: archive.TierConfigured, Content: archive.ContentMatch,
		Evidence: []archive.Evidence{{Kind: archive.KindRoot, State: archive.StateAttested, Verdict: sign.Valid}}}
	root := &archive.Root{State: archive.StateAttested, Verdict: sign.Valid, KeyID: "k-root", Tier: archive.TierConfigured, TrustedFor: "docs"}
	tests := []struct {
		name string
		run  *run
		want string
	}{
		{"all attested", one("attested", nil, attested, attested),
			`2 of 2 frames met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph".`},
		{"key for every provider", one("attested", nil, forAll),
			`1 of 1 frame met the policy (require attested): attested by key "k1", trusted for any provider, declared name "repo-graph".`},
		{"root evidence alone", one("attested", root, underRoot),
			`1 of 1 frame met the policy (require attested): attested by key "k-root", trusted for "docs", declared name "repo-graph".`},
		{"pinned", one("pinned", nil, proven(good, archive.StatePinned, archive.TierPinned, "docs")),
			`1 of 1 frame met the policy (require pinned): pinned by key "k1", trusted on first use for "docs", declared name "repo-graph".`},
		{"constructed, allowed", one("constructed", nil, proven(good, archive.StateConstructed, archive.TierPublished, "*")),
			`1 of 1 frame met the policy (require constructed): constructed under published key "k1" (who signed is not established), declared name "repo-graph".`},
		{"constructed allowed, attested", one("constructed", nil, attested),
			`1 of 1 frame met the policy (require constructed): attested by key "k1", trusted for "docs", declared name "repo-graph"; of what is merely constructed, who signed is not established.`},
		{"constructed, not enough", one("attested", nil, proven(unchecked, archive.StateConstructed, archive.TierPublished, "*")),
			`None of 1 frame met the policy (require attested): 1 constructed under published key "k1" (who signed is not established), declared name "repo-graph".`},
		{"partly", one("attested", nil, attested, unattested, unattested, unknown),
			`1 of 4 frames met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph"; not met: 2 unattested; 1 no_trusted_key, key_id "k9".`},
		{"two keys", one("attested", nil, attested, forAll),
			`2 of 2 frames met the policy (require attested): under 2 keys, listed below.`},
		{"attested, content not compared", one("attested", nil, uncompared),
			`None of 1 frame met the policy (require attested): 1 attested by key "k1", trusted for "docs", declared name "repo-graph", content not compared (no_content).`},
		{"content not compared under two keys", one("attested", nil, uncompared, uncomparedForAll),
			`None of 2 frames met the policy (require attested): 2 attested under 2 keys, content not compared (no_content).`},
		{"waived", one("attested", nil, waived),
			`1 of 1 frame met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph", content not compared in 1 as the policy allows.`},
		{"content edited", one("attested", nil, tampered),
			`None of 1 frame met the policy (require attested): 1 content_mismatch, its evidence attested by key "k1", trusted for "docs", declared name "repo-graph".`},
		{"all met, contradicted", faulty(3, attested, attested),
			`2 of 2 frames met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph", but evidence in the file is damaged or contradicts them: 3 findings of severity error.`},
		{"the one met, contradicted", faulty(1, attested),
			`1 of 1 frame met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph", but evidence in the file is damaged or contradicts it: 1 finding of severity error.`},
		{"not all met, error findings", faulty(1, attested, tampered),
			`1 of 2 frames met the policy (require attested): attested by key "k1", trusted for "docs", declared name "repo-graph"; not met: 1 content_mismatch, its evidence attested by key "k1", trusted for "docs", declared name "repo-graph"; 1 finding of severity error.`},
		{"no frames, root signed", one("attested", root),
			`No frame was there to check; answers without frames: 1 attested by key "k-root", trusted for "docs", declared name "repo-graph".`},
		{"no frames, nothing signed", one("attested", nil),
			`No frame was there to check; answers without frames: 1 unattested.`},
	}
	for _, tt := range tests {
		if got := unwrapped(tt.run.text(t, report.TextOptions{}))[0]; got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}

	two := one("attested", nil)
	two.answers = append(two.answers, &archive.Answer{Class: archive.ClassNegative})
	two.answers[0].Class = unchecked
	two.count(archive.ExitNegative, "x")
	want := `No frame was there to check; answers without frames: 2 unattested.`
	if got := unwrapped(two.text(t, report.TextOptions{}))[0]; got != want {
		t.Errorf("two classes of one state:\n got %s\nwant %s", got, want)
	}

	r := run{errors: []*archive.RecordError{{}, {}}}
	r.count(archive.ExitInterrupted, "interrupted")
	r.summary.Finished = false
	r.summary.Findings[archive.SeverityError] = 3
	want = `Interrupted, so this is a part: nothing was checked, no answer was found; 3 findings of severity error; 2 sources or records could not be read.`
	if got := unwrapped(r.text(t, report.TextOptions{}))[0]; got != want {
		t.Errorf("interrupted:\n got %s\nwant %s", got, want)
	}
}

// With no key given the hint names what helps; with one it does not ask for less.
func TestTextHints(t *testing.T) {
	unknown := archive.Frame{Class: archive.ClassUnchecked, State: archive.StateNoTrustedKey, Evidence: []archive.Evidence{
		{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: "k9"},
	}}
	given := one("attested", nil, unknown)
	none := one("attested", nil, unknown)
	none.header.Trusted = nil
	merely := one("attested", nil, proven(archive.ClassUnchecked, archive.StateConstructed, archive.TierPublished, "*"))
	enough := one("constructed", nil, proven(archive.ClassGood, archive.StateConstructed, archive.TierPublished, "*"))
	settled := one("constructed", nil, unknown)
	settled.header.Trusted = nil
	selected := &run{header: archive.Header{Policy: archive.Policy{Frames: []string{"x"}}, Published: []archive.KeySource{{Name: "k"}}}}
	selected.count(archive.ExitUnchecked, "no frame was there to check")
	lapsed := func(recorded string, at *archive.ReceivedAt) *run {
		r := one("attested", nil, archive.Frame{Class: archive.ClassUnchecked, State: archive.StateKeyNotInService})
		if recorded != "" {
			r.answers[0].Recorded = commitment.Some(recorded)
		}
		r.header.ReceivedAt = at
		return r
	}
	clock := &archive.ReceivedAt{Source: archive.InstantFromClock}
	holding := func(held map[string][]string, frames ...archive.Frame) *run {
		r := one("attested", nil, frames...)
		r.header.Held = held
		r.summary.ExitCode = archive.ExitUnchecked
		return r
	}
	unattested := archive.Frame{Class: archive.ClassUnchecked, State: archive.StateUnattested, Content: archive.ContentMatch}
	long := strings.Repeat("k", 2*terminal.MaxEchoed)
	longID := archive.Frame{Class: archive.ClassUnchecked, State: archive.StateNoTrustedKey, Evidence: []archive.Evidence{
		{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: long},
	}}
	k8, expired := unknown, archive.Frame{Class: archive.ClassUnchecked, State: archive.StateKeyNotInService}
	k8.Evidence = []archive.Evidence{{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: "k8"}}
	all := holding(map[string][]string{"k9": {"other"}, "k1": {"docs"}}, unknown, k8, unattested, expired)
	all.header.ReceivedAt = clock
	broken := one("attested", nil)
	broken.errors = []*archive.RecordError{{Code: archive.ErrorSyntax}}
	broken.answers = nil
	broken.count(archive.ExitUnreadable, "1 source or record could not be read")
	warned := one("attested", nil, proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs"))
	warned.answers[0].Findings = []archive.Finding{{Code: archive.FindingOrphanEntry, Severity: archive.SeverityWarning}}
	warned.count(archive.ExitGood, "x")
	tests := []struct {
		name      string
		run       *run
		want, not []string
	}{
		{"out of service, recorded", lapsed("2026-08-29T12:00:00Z", clock),
			[]string{"1 frame or answer has evidence for a key that was not in service", "(clock)", "--received-at archive", "whoever can write the archive"},
			[]string{"--require"}},
		{"out of service, not recorded", lapsed("", clock), []string{"--received-at INSTANT names when the evidence was received"},
			[]string{"archive compares", "--require"}},
		{"out of service at the instant given", lapsed("", &archive.ReceivedAt{Source: archive.InstantFromFlag}), nil, []string{"hint:"}},
		{"out of service at the instant given, recorded", lapsed("2026-08-29T12:00:00Z", &archive.ReceivedAt{Source: archive.InstantFromFlag}),
			[]string{"(flag)", "--received-at archive"}, []string{"INSTANT"}},
		{"out of service by the record", lapsed("2026-08-29T12:00:00Z", nil), nil, []string{"hint:"}},
		{"no key", none, []string{"--keys", "--trust", "explicit --require constructed", "never who signed it"}, nil},
		{"no key, settled for less", settled, []string{"--keys", "--trust", "whoever can rewrite the file"}, []string{"--require"}},
		{"unknown key", given, []string{`no key is held for "docs" under key_id "k9". Ask`, "--trust"}, []string{"--require", "; held for"}},
		{"held for another", holding(map[string][]string{"k9": {"kiln", "other"}}, unknown),
			[]string{`key_id "k9" is held for "kiln", "other", this answer's provider is looked up as "docs": check the spelling, or name it with --local-id`},
			[]string{"no key is held", "--require"}},
		{"a long key_id held for another", holding(map[string][]string{long: {"other"}}, longID), []string{`is held for "other"`}, []string{"no key is held"}},
		{"held with another algorithm", holding(map[string][]string{"k9": {"docs"}}, unknown),
			[]string{`key_id "k9" is held for "docs" with another algorithm`}, []string{"no key is held", "--local-id"}},
		{"held for every provider with another algorithm", holding(map[string][]string{"k9": {archive.AnyProvider}}, unknown),
			[]string{"with another algorithm"}, []string{"no key is held", "--local-id"}},
		{"other key_ids held", holding(map[string][]string{"k1": {"docs"}, "k2": {"docs", "other"}, "k3": {"other"}}, unknown),
			[]string{`no key is held for "docs" under key_id "k9"; held for "docs": key_id "k1", "k2". Ask`}, []string{"k3", "--local-id"}},
		{"no evidence, key held", holding(map[string][]string{"k1": {"docs"}}, unattested, unattested),
			[]string{"2 frames or answers carry no evidence", "may have been stripped, or the provider never signed", "cgp-attest explain unattested", "explain CODE"}, nil},
		{"no evidence, key held for every provider", holding(map[string][]string{"k1": {archive.AnyProvider}}, unattested), []string{"1 frame or answer carries"}, nil},
		{"no evidence, key held for another", holding(map[string][]string{"k1": {"other"}}, unattested), []string{"explain CODE"}, []string{"stripped"}},
		{"no frames, no evidence, key held", holding(map[string][]string{"k1": {"docs"}}), []string{"stripped"}, nil},
		{"more than fits", all, []string{`"k9" is held for "other"`, "stripped", "INSTANT", "explain CODE"}, []string{"k8"}},
		{"nothing could be read", broken, []string{"explain CODE"}, nil},
		{"a warning alone", warned, []string{"explain CODE"}, nil},
		{"published key beside trusted ones", merely, []string{"1 frame verified under published keys alone", "--trust"}, []string{"--require"}},
		{"published key is enough", enough, nil, []string{"hint:"}},
		{"nothing selected", selected, []string{"--frame"}, []string{"--require"}},
		{"all good", one("attested", nil, proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs")), nil, []string{"hint:"}},
	}
	for _, tt := range tests {
		var hints []string
		for _, line := range unwrapped(tt.run.text(t, report.TextOptions{})) {
			if strings.HasPrefix(line, "hint: ") {
				hints = append(hints, line)
			}
		}
		if len(hints) > 4 {
			t.Errorf("%s: %d hints, want at most 4", tt.name, len(hints))
		}
		got := strings.Join(hints, "\n")
		for _, w := range tt.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: the hint %q does not name %q", tt.name, got, w)
			}
		}
		for _, w := range tt.not {
			if strings.Contains(got, w) {
				t.Errorf("%s: the hint %q says %q", tt.name, got, w)
			}
		}
	}
}

// Lists end at the limit, the worst kept, and say what is left out; the counts are of everything.
func TestTextLimit(t *testing.T) {
	var frames []archive.Frame
	classes := []archive.Class{archive.ClassGood, archive.ClassUnchecked, archive.ClassUnreadable, archive.ClassNegative}
	for i := range 40 {
		frames = append(frames, archive.Frame{Class: classes[i%4], State: archive.StateUnattested})
	}
	r := one("attested", nil, frames...)
	for i := range 30 {
		severity := []archive.Severity{archive.SeverityNote, archive.SeverityWarning, archive.SeverityError}[i%3]
		r.answers[0].Findings = append(r.answers[0].Findings, archive.Finding{
			Code: archive.FindingOrphanEntry, Severity: severity, Entry: i, Position: -1,
		})
	}
	r.count(archive.ExitNegative, "x")
	text := r.text(t, report.TextOptions{Verbose: true, Limit: 15})
	shown := map[string]int{}
	order := []string{}
	for _, line := range unwrapped(text) {
		if mark, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), " "); ok && strings.HasPrefix(line, "  ") && line[2] != ' ' && mark != "Not" {
			shown[mark]++
			if len(order) == 0 || order[len(order)-1] != mark {
				order = append(order, mark)
			}
		}
	}
	want := map[string]int{"error": 10, "warning": 5, "negative": 10, "unreadable": 5}
	for mark, n := range want {
		if shown[mark] != n {
			t.Errorf("%d entries of %s are shown, want %d", shown[mark], mark, n)
		}
	}
	if got := strings.Join(order, " "); got != "error warning negative unreadable" {
		t.Errorf("the order is %s, want the gravest first", got)
	}
	joined := strings.Join(unwrapped(text), "\n")
	for _, left := range []string{
		"5 findings of severity warning", "10 findings of severity note", "5 frames or answers of class unreadable",
		"10 frames or answers of class unchecked", "10 frames or answers of class good",
	} {
		if !strings.Contains(joined, left) {
			t.Errorf("the text does not say that %s are left out", left)
		}
	}
	if got := countsOf(t, text, "Findings"); got["note"] != 10 || got["error"] != 10 {
		t.Errorf("findings counted: %v, want all of them", got)
	}
}

// An entry that stands for several frames, and one that gave way to worse ones, is left out as what it stands for.
func TestTextLimitCountsFrames(t *testing.T) {
	unchecked := archive.Frame{Class: archive.ClassUnchecked, State: archive.StateUnattested}
	r := one("attested", nil, unchecked, unchecked, unchecked, unchecked, unchecked)
	negative := archive.Frame{Class: archive.ClassNegative, State: archive.StateInvalid}
	for range 2 {
		r.answers = append(r.answers, one("attested", nil, negative).answers...)
	}
	r.answers = append(r.answers, one("attested", nil, negative, negative, negative).answers...)
	r.answers = append(r.answers, &archive.Answer{Class: archive.ClassUnchecked})
	for range 5 {
		r.errors = append(r.errors, &archive.RecordError{Record: 1, Code: archive.ErrorSyntax})
	}
	r.count(archive.ExitNegative, "x")
	joined := strings.Join(unwrapped(r.text(t, report.TextOptions{Limit: 2})), "\n")
	const want = "beyond the limit of 2: 3 sources or records that could not be read, 3 frames or answers of class negative, " +
		"6 frames or answers of class unchecked."
	if !strings.Contains(joined, want) {
		t.Errorf("the text does not say %q:\n%s", want, joined)
	}
	if n := strings.Count(joined, "\n  error syntax at "); n != 2 {
		t.Errorf("%d errors are shown, want 2", n)
	}
}

// Verbose shows every frame with every piece of evidence; else frames that are alike stand together and good ones not at all.
func TestTextVerbose(t *testing.T) {
	r := everything(t, "x")
	a := r.answers[0]
	text := r.text(t, report.TextOptions{Verbose: true})
	pieces, lines := 0, strings.Join(unwrapped(text), "\n")
	for _, f := range a.Frames {
		named := fmt.Sprintf(", frame %d %q", f.Position, f.FrameID)
		if !strings.Contains(lines, named) {
			t.Errorf("frame %d is not shown", f.Position)
		}
		pieces += len(f.Evidence)
		for _, ev := range f.Evidence {
			if ev.Kind == archive.KindSignature && !strings.Contains(lines, strconv.Quote(ev.KeyID)) {
				t.Errorf("frame %d: the evidence under %s is not shown", f.Position, ev.KeyID)
			}
		}
	}
	got := 0
	for _, kind := range constants(t, "EvidenceKind") {
		got += strings.Count(text, "\n      "+kind+": ")
	}
	if roots := len(r.answers) - 2; got != pieces+roots {
		t.Errorf("%d pieces of evidence are shown, want %d on frames and %d on answers without", got, pieces, roots)
	}

	var frames []archive.Frame
	for range 50 {
		frames = append(frames, archive.Frame{Class: archive.ClassUnchecked, State: archive.StateUnattested, Content: archive.ContentMatch})
	}
	frames = append(frames, proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs"))
	short := strings.Join(unwrapped(one("attested", nil, frames...).text(t, report.TextOptions{})), "\n")
	if !strings.Contains(short, `unchecked unattested at "a.ndjson" record 4, frame 0 "f0" and 49 more frames of this answer`) {
		t.Errorf("frames that are alike do not stand together:\n%s", short)
	}
	if strings.Contains(short, "good attested at") {
		t.Error("a good frame stands among what is wrong")
	}
}

// One entry stands for several frames only where all that it shows is so of each.
func TestTextAlike(t *testing.T) {
	digests := [2]string{commitment.ContentDigest("x").String(), commitment.ContentDigest("y").String()}
	base := func() archive.Frame {
		return archive.Frame{Class: archive.ClassNegative, State: archive.StateInvalid, Content: archive.ContentAbsent,
			ContentDigest: commitment.Some(digests[0]), Evidence: []archive.Evidence{
				{Kind: archive.KindSignature, State: archive.StateInvalid, Verdict: sign.CommitmentMismatch, KeyID: "k", Detail: "d",
					Expected: digests[0], Signed: digests[0]},
				{Kind: archive.KindInclusion, State: archive.StateNoTrustedKey, KeyID: "k", LeafCount: "3"},
			}}
	}
	tests := []struct {
		name   string
		change func(*archive.Frame)
		alike  bool
		not    string // what then stands nowhere, for it is so of the first frame only
	}{
		{"nothing", func(*archive.Frame) {}, true, "--verbose"},
		{"content_digest", func(f *archive.Frame) { f.ContentDigest = commitment.Some(digests[1]) }, true, "content_digest"},
		{"expected", func(f *archive.Frame) { f.Evidence[0].Expected = digests[1] }, true, "expected"},
		{"signed", func(f *archive.Frame) { f.Evidence[0].Signed = digests[1] }, true, "expected"},
		{"kind", func(f *archive.Frame) { f.Evidence[0].Kind = archive.KindInclusion }, false, ""},
		{"verdict", func(f *archive.Frame) { f.Evidence[0].Verdict = sign.BadSignature }, false, ""},
		{"detail", func(f *archive.Frame) { f.Evidence[0].Detail = "e" }, false, ""},
		{"key_id", func(f *archive.Frame) { f.Evidence[0].KeyID = "l" }, false, ""},
		{"state of other evidence", func(f *archive.Frame) { f.Evidence[1].State = archive.StateUncheckable }, false, ""},
		{"leaf_count of other evidence", func(f *archive.Frame) { f.Evidence[1].LeafCount = "4" }, false, ""},
		{"no other evidence", func(f *archive.Frame) { f.Evidence = f.Evidence[:1] }, false, ""},
		{"detail of the frame", func(f *archive.Frame) { f.Detail = "e" }, false, ""},
		{"content", func(f *archive.Frame) { f.Content = archive.ContentOpaque }, false, ""},
	}
	for _, tt := range tests {
		second := base()
		tt.change(&second)
		raw := one("attested", nil, base(), second).text(t, report.TextOptions{})
		text := strings.Join(unwrapped(raw), "\n")
		if got := strings.Contains(text, `"f0" and 1 more frame of this answer`); got != tt.alike {
			t.Errorf("frames that differ in %s: alike is %v, want %v:\n%s", tt.name, got, tt.alike, raw)
		}
		if tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("frames that differ in %s: the text says %q:\n%s", tt.name, tt.not, raw)
		}
		checkPage(t, raw, terminal.DefaultWidth)
	}
}

// What the clock says is not when an answer was received.
func TestTextNamesTheClock(t *testing.T) {
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[archive.InstantSource]string{
		archive.InstantFromClock: "compared with the present instant 2026-08-29T12:00:00Z (clock).",
		archive.InstantFromFlag:  "compared with 2026-08-29T12:00:00Z (flag).",
	} {
		r := one("attested", nil)
		r.header.ReceivedAt = &archive.ReceivedAt{Instant: at, Source: source}
		if text := strings.Join(unwrapped(r.text(t, report.TextOptions{})), "\n"); !strings.Contains(text, want) {
			t.Errorf("%s: the text does not say %q:\n%s", source, want, text)
		}
	}
}

// Colour adds nothing but colour.
func TestTextColour(t *testing.T) {
	r := everything(t, hostile)
	for _, opt := range []report.TextOptions{{}, {Verbose: true}, {Width: 120}} {
		plain := r.text(t, opt)
		if strings.Contains(plain, "\x1b") {
			t.Error("colour where none was asked for")
		}
		opt.Color = true
		coloured := r.text(t, opt)
		if !strings.Contains(coloured, "\x1b[31mnegative\x1b[0m") {
			t.Error("no colour where it was asked for")
		}
		if got := colours.ReplaceAllString(coloured, ""); got != plain {
			t.Errorf("without its colours the text is another:\n%s\nwant\n%s", got, plain)
		}
	}
}

// The table has a row a frame while they are few, then a row for each state and key.
func TestTextTable(t *testing.T) {
	few := make([]archive.Frame, 20)
	for i := range few {
		few[i] = proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs")
	}
	many := append(few, archive.Frame{Class: archive.ClassUnchecked, State: archive.StateUnattested})
	rows := regexp.MustCompile(`(?m)^ +4 +\d+  "f\d+" +attested +match +good$`)
	text := one("attested", nil, few...).text(t, report.TextOptions{})
	if n := len(rows.FindAllString(text, -1)); n != 20 || !strings.Contains(text, "RECORD  FRAME  FRAME_ID  STATE") || !strings.Contains(text, `Source "a.ndjson":`) {
		t.Errorf("%d rows of 20 frames:\n%s", n, text)
	}
	text = one("attested", nil, many...).text(t, report.TextOptions{})
	if n := len(rows.FindAllString(text, -1)); n != 0 {
		t.Errorf("%d rows of frames where there are many", n)
	}
	for _, line := range []string{
		`(?m)^FRAMES  STATE       CLASS      KEY_ID  TRUSTED FOR$`, `(?m)^     1  unattested  unchecked$`,
		`(?m)^    20  attested    good       "k1"    "docs"$`,
	} {
		if !regexp.MustCompile(line).MatchString(text) {
			t.Errorf("no row %s in\n%s", line, text)
		}
	}
}

// Of what may be many, some are named and the rest counted.
func TestTextNamesSome(t *testing.T) {
	var frames []archive.Frame
	for i := range 30 {
		f := proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs")
		f.Evidence[0].KeyID = fmt.Sprint("key", i)
		frames = append(frames, f)
	}
	r := one("attested", nil, frames...)
	r.header.Trusted = nil
	for i := range 31 {
		r.header.Trusted = append(r.header.Trusted, archive.KeySource{Name: fmt.Sprint("file", i)})
		r.header.Policy.Frames = append(r.header.Policy.Frames, fmt.Sprint("f", i))
	}
	text := strings.Join(unwrapped(r.text(t, report.TextOptions{})), "\n")
	for _, want := range []string{"10 more keys.", "10 more frames in 10 more rows like these.", `(0 keys), 11 more;`, `"f19", 11 more alone`} {
		if !strings.Contains(text, want) {
			t.Errorf("the text does not say %q", want)
		}
	}
	if got := strings.Count(text, `by key "key`); got != 20 {
		t.Errorf("%d keys are listed, want 20", got)
	}
}

// What is said where keys, answers or frames are of a kind that the other tests do not have.
func TestTextSays(t *testing.T) {
	const good, unchecked = archive.ClassGood, archive.ClassUnchecked
	var unknown, published, masses, mixed []archive.Frame
	for i := range 7 {
		unknown = append(unknown, archive.Frame{Class: unchecked, State: archive.StateNoTrustedKey, Evidence: []archive.Evidence{
			{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: fmt.Sprint("u", i)},
		}})
	}
	for i, holder := range []string{"*", "docs"} {
		published = append(published, proven(unchecked, archive.StateConstructed, archive.TierPublished, holder))
		published[i].Evidence[0].KeyID = fmt.Sprint("p", i)
	}
	for i := range 1_200 {
		f := proven(good, archive.StateAttested, archive.TierConfigured, "docs")
		f.Evidence[0].KeyID = fmt.Sprint("m", i)
		masses = append(masses, f)
	}
	for range 21 {
		mixed = append(mixed, proven(good, archive.StateAttested, archive.TierConfigured, archive.AnyProvider))
	}
	inService := proven(unchecked, archive.StateAttested, archive.TierConfigured, "docs")
	inService.Content = archive.ContentOpaque
	mixed = append(mixed, proven(unchecked, archive.StateConstructed, archive.TierPublished, "*"), inService)
	digest := commitment.ContentDigest("x").String()
	digested := archive.Frame{Class: unchecked, Content: archive.ContentAbsent, ContentDigest: commitment.Some(digest)}
	malformed := archive.Frame{Class: archive.ClassUnreadable, State: archive.StateMalformedFrame, Reason: archive.ReasonNotAnObject, Detail: "the frame is a number"}
	nameless := one("attested", nil, malformed)
	nameless.answers[0].Frames[0].FrameID = ""
	empties := &run{header: archive.Header{ReceivedAt: nil, Policy: archive.Policy{LocalIDFromArchive: true}}}
	for range 22 {
		empties.answers = append(empties.answers, &archive.Answer{Source: "s", Record: 1, Class: good, Root: &archive.Root{State: archive.StateAttested}})
	}
	empties.count(archive.ExitUnchecked, "x")
	tests := []struct {
		name string
		run  *run
		opt  report.TextOptions
		want []string
		not  string
	}{
		{"more unknown keys than are named", one("attested", nil, unknown...), report.TextOptions{},
			[]string{"7 no_trusted_key under 7 keys", `key_id "u0", "u1", "u2", "u3", "u4" and others. Ask`}, `"u5".`},
		{"several published keys", one("attested", nil, published...), report.TextOptions{},
			[]string{"2 constructed under 2 published keys (who signed is not established)"}, "trusted for"},
		{"more keys than are told apart", one("attested", nil, masses...), report.TextOptions{},
			[]string{"   200  attested  good   (further keys)", "200 frames attested by further keys."}, "m1100"},
		{"a digest in its form", one("attested", nil, digested), report.TextOptions{},
			[]string{"\n      content no_content, content_digest " + digest + "\n"}, ""},
		{"keys of all kinds in one table", one("attested", nil, mixed...), report.TextOptions{},
			[]string{"any provider\n", "nobody\n", `"docs"` + "\n", "constructed: who signed is not established."}, ""},
		{"a frame without an id", nameless, report.TextOptions{},
			[]string{"unreadable malformed_frame at record 4, frame 0\n", "reason not_an_object: the frame is a number"}, `frame 0 ""`},
		{"answers without frames that met the policy", empties, report.TextOptions{},
			[]string{"Empty answers: attested 22.", "the instant that each record gives", "--local-id archive"}, "good attested at"},
		{"the same, every one shown", empties, report.TextOptions{Verbose: true, Limit: 20},
			[]string{`good attested at "s" record 1, no frames`, "2 frames or answers of class good"}, ""},
		{"nothing at all", func() *run { r := &run{}; r.count(archive.ExitUnchecked, "x"); return r }(), report.TextOptions{Verbose: true},
			[]string{"Nothing was checked, no answer was found."}, "Every frame"},
	}
	for _, tt := range tests {
		raw := tt.run.text(t, tt.opt)
		text := strings.Join(unwrapped(raw), "\n") + "\n" + strings.Join(details(raw), "\n")
		for _, want := range tt.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the text does not say %q:\n%s", tt.name, want, raw)
			}
		}
		if tt.not != "" && strings.Contains(text, tt.not) {
			t.Errorf("%s: the text says %q:\n%s", tt.name, tt.not, raw)
		}
	}
}

// A Text does not grow with what it is given, however much differs in it.
func TestTextHoldsNoAnswers(t *testing.T) {
	text := report.NewText(io.Discard, archive.Header{}, report.TextOptions{Verbose: true, Limit: 10})
	feed := func(from, to int) {
		for n := from; n < to; n++ {
			a := &archive.Answer{Source: "a", Record: uint64(n), ProviderID: commitment.Some(fmt.Sprint("provider", n))}
			for i := range 100 {
				id := fmt.Sprintf("%d-%d-%0200d", n, i, i)
				f := proven(archive.ClassNegative, archive.StateContentMismatch, archive.TierConfigured, "docs")
				f.FrameID, f.Evidence[0].KeyID = id, id
				a.Frames = append(a.Frames, f)
				a.Findings = append(a.Findings, archive.Finding{Code: archive.FindingContentMismatch, Severity: archive.SeverityError, Detail: id})
			}
			if err := errors.Join(text.Answer(a), text.Error(&archive.RecordError{Source: a.Frames[0].FrameID})); err != nil {
				t.Fatal(err)
			}
		}
	}
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	feed(0, 100)
	before := heap()
	feed(100, 600)
	after := heap()
	if after > before+1<<20 {
		t.Errorf("the heap grew from %d to %d bytes over 50,000 frames", before, after)
	}
	runtime.KeepAlive(text)
}

func TestTextWriteError(t *testing.T) {
	full := errors.New("full")
	text := report.NewText(writerFunc(func([]byte) (int, error) { return 0, full }), archive.Header{}, report.TextOptions{})
	if err := text.Close(&archive.Summary{}); !errors.Is(err, full) {
		t.Errorf("Close = %v, want %v", err, full)
	}
}

// The same run gives the same bytes, though counts and keys stand in maps.
func TestTextIsReproducible(t *testing.T) {
	r := everything(t, "x")
	first := r.text(t, report.TextOptions{Verbose: true})
	for range 20 {
		if again := r.text(t, report.TextOptions{Verbose: true}); again != first {
			t.Fatal("two reports on one run differ")
		}
	}
	var alike []archive.Frame // but for one part of the key each
	for _, f := range []struct{ keyID, trustedFor string }{{"a", "a"}, {"a", "b"}, {"b", "a"}, {"b", "b"}} {
		frame := proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, f.trustedFor)
		frame.Evidence[0].KeyID = f.keyID
		alike = append(alike, frame)
	}
	r2 := one("attested", nil, alike...)
	for _, name := range []commitment.Optional{{}, commitment.Some(""), commitment.Some("other")} {
		a := *r2.answers[0]
		a.ProviderID = name
		r2.answers = append(r2.answers, &a)
	}
	r2.count(archive.ExitGood, "x")
	first = r2.text(t, report.TextOptions{})
	for range 20 {
		if again := r2.text(t, report.TextOptions{}); again != first {
			t.Fatalf("two reports on one run differ:\n%s\n%s", first, again)
		}
	}
	if !bytes.Equal(r.json(t), r.json(t)) {
		t.Error("two JSON reports on one run differ")
	}
}
