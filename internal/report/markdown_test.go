package report_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// rendered is what GitHub's own parser of Markdown makes of a report, with HTML let through.
func rendered(t testing.TB, markdown []byte) *page {
	t.Helper()
	return parsePage(t, ask(t, markdown, "cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist"))
}

// outline is the tree of elements, but for code spans: how many a text takes is its own affair.
func (p *page) outline() string {
	var b strings.Builder
	for _, tag := range p.Tags {
		if name := strings.TrimPrefix(tag.name, "/"); name == "code" {
			continue
		}
		b.WriteString(tag.name)
		for _, a := range tag.attrs {
			b.WriteString(" " + a[0] + "=" + a[1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Hostile text becomes no element but code, in which neither GitHub nor GitLab makes links, mentions or references of words.
func TestMarkdownHostileText(t *testing.T) {
	want := rendered(t, inText(t, harmless).markdown(t, 0)).outline()
	if strings.Count(want, "\nli\n") < 50 || strings.Count(want, "details") != 4 {
		t.Fatalf("the harmless report has another outline than it should:\n%s", want)
	}
	bare := regexp.MustCompile(`^[A-Za-z0-9_\s.,;:()…]*$`)
	link := regexp.MustCompile(`[A-Za-z0-9_][.:][A-Za-z0-9]|(?i)www|[0-9a-f]{7}|:[A-Za-z0-9_+]`)
	for name, text := range hostiles {
		t.Run(name, func(t *testing.T) {
			out := inText(t, text).markdown(t, 0)
			checkVisible(t, string(out))
			p := rendered(t, out)
			if got := p.outline(); got != want {
				a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Fatalf("tag %d is %s, want %s", i, a[i], b[i])
					}
				}
				t.Fatalf("%d tags, want %d", len(a), len(b))
			}
			if !bare.MatchString(p.Bare) {
				i := slices.IndexFunc([]rune(p.Bare), func(r rune) bool { return !bare.MatchString(string(r)) })
				t.Errorf("outside of code stands %q", string([]rune(p.Bare)[max(i-40, 0):i+1]))
			}
			if m := link.FindStringIndex(p.Bare); m != nil {
				t.Errorf("outside of code stands %q", p.Bare[max(m[0]-40, 0):m[1]])
			}
		})
	}
}

// What stands in a code span reads back as it was.
func TestMarkdownCodeSpans(t *testing.T) {
	ids := []string{"a", "`", "``", "`a", "a`", "a``b`c", " a ", "a | b", `a\|b`, "<b>&amp;", `\`}
	r := inText(t, harmless)
	for i, id := range ids {
		r.answers[0].Frames[i].FrameID, r.answers[0].Frames[i].Class = id, archive.ClassUnchecked
	}
	text := rendered(t, r.markdown(t, 0)).Text
	for i, id := range ids {
		want := fmt.Sprintf("frame %d \"%s\"", i, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(id))
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %s", want)
		}
	}
}

// The counts and the exit code read back out of the rendered report are those of the summary.
func TestMarkdownCounts(t *testing.T) {
	r := inText(t, harmless)
	p := rendered(t, r.markdown(t, 1))
	got := make(map[string]map[string]uint64)
	for i := range p.Tables {
		if head := p.Tables[i].Rows[0]; len(head) == 2 {
			p.Tables[i].Caption = head[0]
			got[head[0]] = p.counts(t, head[0])
		}
	}
	want := summaryCounts(r.summary)
	for title, caption := range map[string]string{
		"state of frames": "States of frames", "answers without frames": "Answers without frames", "class of frames": "Classes of frames",
		"state of evidence": "Evidence", "content of frames": "Content", "findings": "Findings by severity", "read": "Read",
	} {
		if !maps.Equal(got[title], want[caption]) {
			t.Errorf("%s: counts are %v, want %v", title, got[title], want[caption])
		}
	}
	if !regexp.MustCompile(`: exit code 1\n`).MatchString(p.Text) {
		t.Error("the title does not say the exit code")
	}
}

func TestMarkdownSaysWhatItOwes(t *testing.T) {
	r := inText(t, harmless)
	r.summary.Finished = false
	text := rendered(t, r.markdown(t, 0)).Text
	for _, want := range []string{
		"Partial: the run was interrupted", "require pinned", "constructed (who signed is not established)", `"markignored", 2 more`,
		"duplicate_input", "unverified claims: attester_id", "archive_completeness",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	for _, m := range regexp.MustCompile(`(?:(.{19}))attester_id "`).FindAllStringSubmatch(text, -1) {
		if m[1] != "unverified claims: " {
			t.Fatalf("a claim stands behind %q", m[1])
		}
	}
}

// However long everything is that an input says, the report fits, is whole, and says what it leaves out.
func TestMarkdownFits(t *testing.T) {
	long := strings.Repeat("\U000e0041", 2_000) // ten characters each, once it is escaped
	r := inText(t, long)
	for i := range 300 {
		r.answers = append(r.answers, manyAnswer(i, long))
	}
	r.count(archive.ExitNegative, long)
	for range 50 {
		r.header.Trusted = append(r.header.Trusted, archive.KeySource{Name: long, SHA256: long})
		r.header.Published = append(r.header.Published, archive.KeySource{Name: long, SHA256: long})
		r.header.Algorithms = append(r.header.Algorithms, long)
		r.header.Policy.Frames = append(r.header.Policy.Frames, long)
	}
	out := r.markdown(t, 500)
	if len(out) > 1<<20 || len(out) < 900_000 {
		t.Errorf("%d bytes, want nearly 1 MiB and not more", len(out))
	}
	p := rendered(t, out)
	if n := strings.Count(p.Text, "Not shown here: "); n != 2 {
		t.Errorf("the report says %d times that something is left out, want twice", n)
	}
	if !strings.HasSuffix(strings.TrimSpace(p.Text), "replay_under_another_id.") {
		t.Errorf("the report ends with %q", p.Text[len(p.Text)-100:])
	}
}
