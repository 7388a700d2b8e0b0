package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// sources opens what stands in testdata/sources as file:///.
type sources struct{}

func (sources) Open(uri string) (io.ReadCloser, error) {
	name, _ := strings.CutPrefix(uri, "file:///")
	return os.OpenInRoot("testdata/sources", name)
}

// held are files in memory. read makes how their bytes come, opened counts them.
type held struct {
	files  map[string]string
	fault  error // in place of every file
	read   func(io.Reader) io.Reader
	opened atomic.Int64
}

func (h *held) Open(uri string) (io.ReadCloser, error) {
	h.opened.Add(1)
	if h.fault != nil {
		return nil, h.fault
	}
	text, is := h.files[uri]
	if !is {
		return nil, fmt.Errorf("nothing there: %w", fs.ErrNotExist)
	}
	var r io.Reader = strings.NewReader(text)
	if h.read != nil {
		r = h.read(r)
	}
	return io.NopCloser(r), nil
}

func jsonText(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// withLinks is an unsigned answer of one frame for each list of links.
func withLinks(lists ...string) []byte {
	var frames []string
	for i, links := range lists {
		frames = append(frames, fmt.Sprintf(`{"id":"f%d","content":"x","content_digest":%q,"provenance":[%s]}`, i, digestOf("x"), links))
	}
	return []byte(`{"type":"handshake_ack","provider":{"name":"docs"}}` + "\n" +
		`{"type":"frames","result":{"frames":[` + strings.Join(frames, ",") + `],"truncated":false}}` + "\n")
}

func link(t testing.TB, members map[string]any) string { return jsonText(t, members) }

// checked verifies an answer against files and returns its report.
func checked(t testing.TB, files archive.Files, input []byte) *archive.Report {
	t.Helper()
	v := &archive.Verifier{Files: files}
	r, err := v.VerifyReader(context.Background(), "test", bytes.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Answers) == 0 {
		t.Fatalf("no answer; errors %v", r.Errors)
	}
	return r
}

// The published cases of which bytes a range addresses, whole and in the smallest pieces.
func TestPublishedRanges(t *testing.T) {
	var published struct {
		Resources map[string]string
		Reasons   map[string]string `json:"unverifiable_reasons"`
		Cases     []struct {
			Resource     string
			Range        *string
			Bytes        *string
			Digest       string
			Unverifiable string
			Note         string
		}
	}
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/range-vectors.json"), &published); err != nil {
		t.Fatal(err)
	}
	if len(published.Cases) != 31 || len(published.Reasons) != 3 {
		t.Fatalf("%d cases and %d reasons, want 31 and 3", len(published.Cases), len(published.Reasons))
	}
	other := digestOf("other bytes")
	for how, read := range map[string]func(io.Reader) io.Reader{
		"whole": nil, "byte by byte": iotest.OneByteReader, "data with the error": iotest.DataErrReader,
	} {
		files := &held{files: published.Resources, read: read}
		for i, c := range published.Cases {
			t.Run(fmt.Sprintf("%s/%d", how, i), func(t *testing.T) {
				members := map[string]any{"type": "file", "uri": c.Resource, "digest": c.Digest}
				if c.Range != nil {
					members["range"] = *c.Range
				}
				want := archive.LinkMatch
				if c.Unverifiable != "" {
					want = archive.LinkUnverifiable
					members["digest"] = other // nothing may be compared with it
				}
				frame := checked(t, files, withLinks(link(t, members))).Answers[0].Frames[0]
				got := frame.Provenance[0]
				if got.Status != want || string(got.Reason) != c.Unverifiable {
					t.Errorf("range %v of %s is %s %q (%s), want %s %q: %s",
						members["range"], c.Resource, got.Status, got.Reason, got.Detail, want, c.Unverifiable, c.Note)
				}
				if want != archive.LinkMatch {
					return
				}
				members["digest"] = other
				got = checked(t, files, withLinks(link(t, members))).Answers[0].Frames[0].Provenance[0]
				if got.Status != archive.LinkMismatch || !strings.Contains(got.Detail, c.Digest) || !strings.Contains(got.Detail, other) {
					t.Errorf("with another digest it is %s (%s), want mismatch with both digests", got.Status, got.Detail)
				}
			})
		}
	}
}

// linesOf is the definition of lines, read literally: each ends with its LF, a last one may lack it.
func linesOf(text string) []string {
	var lines []string
	for text != "" {
		before, after, found := strings.Cut(text, "\n")
		if found {
			before += "\n"
		}
		lines, text = append(lines, before), after
	}
	return lines
}

func TestRangeIsItsDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("a\n\n\rß"))).Draw(t, "text")
		first := rapid.IntRange(1, 12).Draw(t, "first")
		last := rapid.IntRange(1, 12).Draw(t, "last")
		lines := linesOf(text)
		want, reason := archive.LinkMatch, archive.LinkReason("")
		addressed := ""
		switch {
		case last < first:
			want, reason = archive.LinkUnverifiable, archive.LinkInverted
		case first > len(lines):
			want, reason = archive.LinkUnverifiable, archive.LinkStartPastEnd
		default:
			addressed = strings.Join(lines[first-1:min(last, len(lines))], "")
		}
		members := map[string]any{"type": "file", "uri": "u", "range": fmt.Sprintf("L%d-%d", first, last), "digest": digestOf(addressed)}
		raw, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		v := &archive.Verifier{Files: &held{files: map[string]string{"u": text}, read: iotest.HalfReader}}
		r, err := v.VerifyReader(context.Background(), "test", bytes.NewReader(withLinks(string(raw))))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Answers[0].Frames[0].Provenance[0]; got.Status != want || got.Reason != reason {
			t.Errorf("range %s of %q is %s %q, want %s %q", members["range"], text, got.Status, got.Reason, want, reason)
		}
	})
}

// Numbers that no machine integer holds are compared as numbers.
func TestRangeOfAnySize(t *testing.T) {
	huge := strings.Repeat("9", 5_000)
	max, over := "18446744073709551615", "18446744073709551616"
	tests := []struct {
		text   string
		reason archive.LinkReason
	}{
		{"L1-" + huge, ""},
		{"L1-" + max, ""},
		{"L1-" + over, ""},
		{"L2-" + max, ""},
		{"L" + max, archive.LinkStartPastEnd},
		{"L" + over, archive.LinkStartPastEnd},
		{"L" + huge, archive.LinkStartPastEnd},
		{"L" + huge + "-" + huge, archive.LinkStartPastEnd},
		{"L" + over + "-" + max, archive.LinkInverted},
		{"L" + huge + "0-" + huge, archive.LinkInverted},
		{"L" + huge + "-1", archive.LinkInverted},
		{"L1-0", archive.LinkUnrecognised},
		{"L1-2-3", archive.LinkUnrecognised},
		{"L1-2 ", archive.LinkUnrecognised},
		{"L1\n", archive.LinkUnrecognised},
		{"L１", archive.LinkUnrecognised},
		{"L-", archive.LinkUnrecognised},
		{"L", archive.LinkUnrecognised},
		{"LL1", archive.LinkUnrecognised},
		{"L1-L", archive.LinkUnrecognised},
		{"L-1", archive.LinkUnrecognised},
	}
	for _, tt := range tests {
		digest := digestOf("a\nb\n")
		if strings.HasPrefix(tt.text, "L2") {
			digest = digestOf("b\n")
		}
		members := map[string]any{"type": "file", "uri": "u", "range": tt.text, "digest": digest}
		got := checked(t, &held{files: map[string]string{"u": "a\nb\n"}}, withLinks(link(t, members))).Answers[0].Frames[0].Provenance[0]
		if want := map[bool]archive.LinkStatus{true: archive.LinkMatch, false: archive.LinkUnverifiable}[tt.reason == ""]; got.Status != want || got.Reason != tt.reason {
			t.Errorf("range %.40q is %s %q, want %s %q", tt.text, got.Status, got.Reason, want, tt.reason)
		}
	}
}

// What each fault comes to, and whether a file was opened for it.
func TestLinkStatus(t *testing.T) {
	good := digestOf("text")
	file := func(more map[string]any) map[string]any {
		members := map[string]any{"type": "file", "uri": "u", "digest": good}
		for name, v := range more {
			members[name] = v
		}
		return members
	}
	refused := &archive.FileError{Reason: archive.LinkOutsideRoots, Detail: "beyond"}
	tests := []struct {
		name    string
		members map[string]any
		fault   error
		status  archive.LinkStatus
		reason  archive.LinkReason
		opened  int64
	}{
		{"match", file(nil), nil, archive.LinkMatch, "", 1},
		{"mismatch", file(map[string]any{"digest": digestOf("else")}), nil, archive.LinkMismatch, "", 1},
		{"missing", file(map[string]any{"uri": "v"}), nil, archive.LinkMissing, "", 1},
		{"derivation", file(map[string]any{"type": "derivation"}), nil, archive.LinkNotFile, "", 0},
		{"type in other case", file(map[string]any{"type": "File"}), nil, archive.LinkNotFile, "", 0},
		{"no digest", file(map[string]any{"digest": nil}), nil, archive.LinkUnverifiable, archive.LinkNoDigest, 0},
		{"uppercase digest", file(map[string]any{"digest": strings.ToUpper(good)}), nil, archive.LinkUnverifiable, archive.LinkOpaqueDigest, 0},
		{"empty digest", file(map[string]any{"digest": ""}), nil, archive.LinkUnverifiable, archive.LinkOpaqueDigest, 0},
		{"empty range", file(map[string]any{"range": ""}), nil, archive.LinkUnverifiable, archive.LinkUnrecognised, 0},
		{"null range", file(map[string]any{"range": nil}), nil, archive.LinkMatch, "", 1},
		{"inverted", file(map[string]any{"range": "L2-1"}), nil, archive.LinkUnverifiable, archive.LinkInverted, 0},
		{"past the end", file(map[string]any{"range": "L2"}), nil, archive.LinkUnverifiable, archive.LinkStartPastEnd, 1},
		{"no uri", file(map[string]any{"uri": nil}), nil, archive.LinkUnverifiable, archive.LinkNoURI, 0},
		{"refused", file(nil), refused, archive.LinkUnverifiable, archive.LinkOutsideRoots, 1},
		{"refused, wrapped", file(nil), fmt.Errorf("root: %w", refused), archive.LinkUnverifiable, archive.LinkOutsideRoots, 1},
		{"another error", file(nil), errors.New("a disk"), archive.LinkUnverifiable, archive.LinkUnreadable, 1},
	}
	seen := make(map[archive.LinkStatus]bool)
	for _, tt := range tests {
		files := &held{files: map[string]string{"u": "text"}, fault: tt.fault}
		r := checked(t, files, withLinks(link(t, tt.members)))
		got := r.Answers[0].Frames[0].Provenance[0]
		seen[got.Status] = true
		if got.Status != tt.status || got.Reason != tt.reason || files.opened.Load() != tt.opened {
			t.Errorf("%s: %s %q after opening %d files, want %s %q after %d",
				tt.name, got.Status, got.Reason, files.opened.Load(), tt.status, tt.reason, tt.opened)
		}
		if (got.Status == archive.LinkUnverifiable || got.Status == archive.LinkMissing) && got.Detail == "" {
			t.Errorf("%s: no detail", tt.name)
		}
		if diff := cmp.Diff(map[archive.LinkStatus]uint64{tt.status: 1}, r.Summary.Provenance); diff != "" {
			t.Errorf("%s: summary (-want +got):\n%s", tt.name, diff)
		}
	}
	for _, s := range archive.LinkStatuses() {
		if !seen[s] {
			t.Errorf("no row is %s", s)
		}
	}
}

// A file that fails while it is read is no mismatch, and one that fails behind the range is none of the range's: the fault comes
// with the last bytes.
func TestLinkReadFails(t *testing.T) {
	for _, tt := range []struct {
		lines  string
		status archive.LinkStatus
	}{{"L1", archive.LinkMatch}, {"L2", archive.LinkUnverifiable}, {"L1-2", archive.LinkUnverifiable}} {
		files := &held{files: map[string]string{"u": "a\nb"}, read: func(r io.Reader) io.Reader {
			return iotest.DataErrReader(io.MultiReader(r, iotest.ErrReader(errors.New("a disk"))))
		}}
		members := map[string]any{"type": "file", "uri": "u", "range": tt.lines, "digest": digestOf("a\n")}
		got := checked(t, files, withLinks(link(t, members))).Answers[0].Frames[0].Provenance[0]
		if got.Status != tt.status || got.Status == archive.LinkUnverifiable && got.Reason != archive.LinkUnreadable {
			t.Errorf("range %s: %s %q (%s), want %s", tt.lines, got.Status, got.Reason, got.Detail, tt.status)
		}
	}
}

// The exit code under a good frame and under an unsigned one, and what a run that was not asked says.
func TestProvenanceConcludes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		asked bool
		exit  int
	}{
		{"provenance_unchecked", true, 3}, {"provenance_unchecked", false, 0},
		{"provenance_mismatch", true, 1}, {"provenance_mismatch", false, 0},
	} {
		v := minimalVerifier(t, tt.name)
		if !tt.asked {
			v.Files = nil
		}
		r := verify(t, v, readFile(t, "testdata/minimal/"+tt.name+".ndjson"))
		if r.Summary.ExitCode != tt.exit || (r.Summary.Provenance != nil) != tt.asked || (r.Answers[0].Frames[0].Provenance != nil) != tt.asked {
			t.Errorf("%s, asked %v: exit code %d (%s), summary %v, want %d",
				tt.name, tt.asked, r.Summary.ExitCode, r.Summary.ExitReason, r.Summary.Provenance, tt.exit)
		}
	}
	files := &held{files: map[string]string{"u": "text"}}
	bad := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("else")})
	r := checked(t, files, withLinks(bad))
	if a := r.Answers[0]; r.Summary.ExitCode != 1 || a.Class != archive.ClassNegative || a.Frames[0].State != archive.StateUnattested {
		t.Errorf("an unsigned frame with a mismatch: exit code %d, class %s, state %s", r.Summary.ExitCode, a.Class, a.Frames[0].State)
	}
	if r := checked(t, files, withLinks("")); r.Answers[0].Frames[0].Provenance == nil || len(r.Answers[0].Frames[0].Provenance) > 0 {
		t.Errorf("a frame without links: %#v, want an empty list", r.Answers[0].Frames[0].Provenance)
	}
	malformed := []byte(`{"type":"frames","result":{"frames":[{"id":7,"provenance":[` + bad + `]}],"truncated":false}}`)
	if r := checked(t, files, malformed); r.Answers[0].Frames[0].Provenance != nil || len(r.Summary.Provenance) > 0 {
		t.Errorf("a malformed frame: %v, %v", r.Answers[0].Frames[0].Provenance, r.Summary.Provenance)
	}
}

// Of frames that are not selected nothing is opened, counted or found.
func TestProvenanceOfSelectedFrames(t *testing.T) {
	files := &held{files: map[string]string{"u": "text"}}
	good := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("text")})
	bad := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("else")})
	v := &archive.Verifier{Files: files, Policy: archive.Policy{Frames: []string{"f1"}}}
	r, err := v.VerifyReader(context.Background(), "test", bytes.NewReader(withLinks(bad, good+","+good, bad)))
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Summary.Provenance[archive.LinkMatch]; got != 2 || r.Summary.ExitCode != 3 || files.opened.Load() != 2 || len(r.Answers[0].Findings) > 0 {
		t.Errorf("%v, exit code %d, %d files opened, findings %v", r.Summary.Provenance, r.Summary.ExitCode, files.opened.Load(), r.Answers[0].Findings)
	}
}

// A finding for each link, at its frame, that names the link.
func TestProvenanceFindings(t *testing.T) {
	good := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("text")})
	bad := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("else")})
	gone := link(t, map[string]any{"type": "file", "uri": "v\x1b", "digest": digestOf("else")})
	r := checked(t, &held{files: map[string]string{"u": "text"}}, withLinks(good, strings.Join([]string{good, bad, gone}, ",")))
	var got []string
	for _, f := range r.Answers[0].Findings {
		got = append(got, fmt.Sprintf("%s %d %s", f.Code, f.Position, f.Detail[:len("provenance link 1 (uri ")]))
	}
	want := []string{"provenance_mismatch 1 provenance link 1 (uri ", "provenance_unchecked 1 provenance link 2 (uri "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if detail := r.Answers[0].Findings[1].Detail; strings.ContainsRune(detail, 0x1b) || !strings.Contains(detail, strconv.Quote("v\x1b")) {
		t.Errorf("the uri is not quoted: %q", detail)
	}
}

// A run that is interrupted while it reads ends there, and nothing is said of the link.
func TestProvenanceInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(context.Background())
	reads := 0
	files := &held{files: map[string]string{"u": "text"}, read: func(io.Reader) io.Reader {
		return readFunc(func(p []byte) (int, error) { // without an end
			if reads++; reads == 3 {
				interrupt()
			}
			return len(p), nil
		})
	}}
	whole := link(t, map[string]any{"type": "file", "uri": "u", "digest": digestOf("text")})
	r, err := (&archive.Verifier{Files: files}).VerifyReader(ctx, "test", bytes.NewReader(withLinks(whole)))
	if !errors.Is(err, context.Canceled) || r.Summary.ExitCode != 130 || len(r.Answers) > 0 || reads != 3 {
		t.Errorf("error %v, exit code %d, %d answers after %d reads", err, r.Summary.ExitCode, len(r.Answers), reads)
	}
}

type readFunc func([]byte) (int, error)

func (f readFunc) Read(p []byte) (int, error) { return f(p) }

// Of a file no more is read than the range needs.
func TestRangeReadsWhatItMust(t *testing.T) {
	read := 0
	files := &held{files: map[string]string{"u": strings.Repeat("line\n", 1<<20)}, read: func(r io.Reader) io.Reader {
		return readFunc(func(p []byte) (int, error) {
			n, err := r.Read(p)
			read += n
			return n, err
		})
	}}
	members := map[string]any{"type": "file", "uri": "u", "range": "L3-4", "digest": digestOf("line\nline\n")}
	got := checked(t, files, withLinks(link(t, members))).Answers[0].Frames[0].Provenance[0]
	if got.Status != archive.LinkMatch || read > 1<<17 {
		t.Errorf("%s after reading %d bytes of 5 MiB", got.Status, read)
	}
}

// Several workers ask one Files at once, and the report is the same however many there are.
func TestProvenanceOfManyRecords(t *testing.T) {
	var input []byte
	for i := range 300 {
		uri := []string{"u", "v", "w"}[i%3]
		input = append(input, withLinks(link(t, map[string]any{"type": "file", "uri": uri, "digest": digestOf("text of u")}))...)
	}
	files := &held{files: map[string]string{"u": "text of u", "v": "text of v"}}
	want := map[archive.LinkStatus]uint64{archive.LinkMatch: 100, archive.LinkMismatch: 100, archive.LinkMissing: 100}
	for _, jobs := range []int{1, 8} {
		v := &archive.Verifier{Files: files, Jobs: jobs}
		r, err := v.VerifyReader(context.Background(), "test", bytes.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, r.Summary.Provenance); diff != "" {
			t.Errorf("%d jobs (-want +got):\n%s", jobs, diff)
		}
		for i, a := range r.Answers {
			status := []archive.LinkStatus{archive.LinkMatch, archive.LinkMismatch, archive.LinkMissing}[i%3]
			if got := a.Frames[0].Provenance[0].Status; got != status {
				t.Fatalf("%d jobs: answer %d is %s, want %s", jobs, i, got, status)
			}
		}
	}
}
