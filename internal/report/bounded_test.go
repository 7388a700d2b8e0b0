package report_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// hostileAnswer is the nth of so many that have nothing in common, in every state and class in turn, the gravest findings
// last.
func hostileAnswer(n, of int, long string) (*archive.Answer, *archive.RecordError) {
	text := func(what string) string { return fmt.Sprintf("%s%d\x1b[31m%s", what, n, long) }
	states, classes := archive.States(), archive.Classes()
	severities := []archive.Severity{archive.SeverityNote, archive.SeverityWarning, archive.SeverityError}
	verifying := []archive.State{archive.StateAttested, archive.StatePinned, archive.StateConstructed}
	tiers := []archive.Tier{archive.TierConfigured, archive.TierPinned, archive.TierPublished, ""}
	a := &archive.Answer{
		Source: text("source"), Record: uint64(n + 1), ID: commitment.Some(text("id")), ProviderID: commitment.Some(text("provider")),
		LocalID: commitment.Some(text("local")), Class: classes[n%len(classes)],
		Root: &archive.Root{
			Signed: text("root"), State: archive.StateNoTrustedKey, KeyID: text("root key"), Detail: text("detail"),
			Unverified: &archive.Claims{AttesterID: text("attester"), IssuedAt: text("issued")},
		},
		Findings: []archive.Finding{{
			Code: archive.FindingOrphanEntry, Severity: severities[n*3/of], Detail: text("finding"), FrameID: commitment.Some(text("frame")),
		}},
	}
	if n%4 > 0 {
		f := archive.Frame{
			FrameID: text("frame"), ContentDigest: commitment.Some(text("digest")), State: states[n%len(states)], Tier: tiers[n%4],
			Class: classes[(n/2)%len(classes)], Detail: text("detail"), Content: archive.ContentMismatch,
		}
		for i := range 3 {
			f.Evidence = append(f.Evidence, archive.Evidence{
				Kind: archive.KindSignature, State: verifying[(n+i)%3], Verdict: sign.Valid, KeyID: text("key"), Tier: tiers[(n+i)%3], TrustedFor: text("holder"),
				Detail: text("detail"), Unverified: a.Root.Unverified,
			})
		}
		f.Evidence = append(f.Evidence, archive.Evidence{Kind: archive.KindSignature, State: archive.StateNoTrustedKey, KeyID: text("missing")})
		a.Frames = []archive.Frame{f}
	}
	return a, &archive.RecordError{Source: a.Source, Record: a.Record, Code: archive.ErrorSyntax, Detail: text("error")}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// What a Renderer holds does not grow with the archive, whatever stands in it.
func TestRenderersAreBounded(t *testing.T) {
	many, few := 1_000_000, 2_000
	if testing.Short() {
		many, few = 2_000, 50
	}
	long := strings.Repeat("\u202e", 1000)
	everything := report.TextOptions{Verbose: true, Limit: 1 << 30}
	for _, tt := range []struct {
		name    string
		answers int
		long    string
		opt     report.TextOptions
		bound   uint64
	}{
		{"answers", many, "", report.TextOptions{}, 16 << 20},
		{"long names", few, long, everything, 160 << 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var renderers []report.Renderer
			for _, format := range report.Formats() {
				renderers = append(renderers, report.New(format, io.Discard, archive.Header{}, report.Tool{}, tt.opt))
			}
			s := archive.NewSummary(archive.RequireAttested)
			before := heap()
			for n := range tt.answers {
				a, e := hostileAnswer(n, tt.answers, tt.long)
				s.CountAnswer(a)
				s.CountError()
				for _, render := range renderers {
					if err := errors.Join(render.Answer(a), render.Error(e)); err != nil {
						t.Fatal(err)
					}
				}
			}
			if after := heap(); after > before+tt.bound {
				t.Errorf("the heap grew by %d bytes over %d answers, want at most %d", after-before, tt.answers, tt.bound)
			} else {
				t.Logf("grew by %d bytes", int64(after)-int64(before))
			}
			s.Finished = true
			s.Conclude()
			for _, render := range renderers {
				if err := render.Close(s); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// One answer may hold a million frames that have nothing in common: the text keeps few of them.
func TestTextIsBoundedInOneAnswer(t *testing.T) {
	a := &archive.Answer{Source: "a", Record: 1, Class: archive.ClassNegative}
	for n := range 100_000 {
		a.Frames = append(a.Frames, archive.Frame{
			FrameID: "f", State: archive.StateInvalid, Class: archive.Classes()[n%4], Content: archive.ContentMatch,
			Evidence: []archive.Evidence{{Kind: archive.KindSignature, State: archive.StateInvalid, Detail: fmt.Sprint(n)}},
		})
	}
	text := report.NewText(io.Discard, archive.Header{}, report.TextOptions{})
	defer debug.SetGCPercent(debug.SetGCPercent(10)) // so that what is taken from the system is about what was held at once
	taken := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	debug.FreeOSMemory()
	before := taken()
	if err := text.Answer(a); err != nil {
		t.Fatal(err)
	}
	if after := taken(); after > before+24<<20 {
		t.Errorf("the heap grew by %d bytes", after-before)
	}
	runtime.KeepAlive(a)
}

// A piece of evidence more than is shown of a frame is counted.
func TestTextCutsEvidence(t *testing.T) {
	f := proven(archive.ClassGood, archive.StateAttested, archive.TierConfigured, "docs")
	for range 29 {
		f.Evidence = append(f.Evidence, f.Evidence[0])
	}
	text := one("attested", nil, f).text(t, report.TextOptions{Verbose: true})
	if n := strings.Count(text, "signature: attested"); n != 20 || !strings.Contains(text, "10 more pieces of evidence") {
		t.Errorf("%d pieces of evidence are shown of 30:\n%s", n, text)
	}
}

// Where a list is cut for want of room, the text says so, and a frame that is worse takes the place of others.
func TestTextSaysWhatIsCut(t *testing.T) {
	long := strings.Repeat("\u202e", 2000)
	text := new(strings.Builder)
	render := report.NewText(text, archive.Header{}, report.TextOptions{Limit: 1 << 30})
	s := archive.NewSummary(archive.RequireAttested)
	answer := func(n int, severity archive.Severity) {
		a := &archive.Answer{Source: "a", Record: 1, Class: archive.ClassUnchecked, Findings: []archive.Finding{{
			Code: archive.FindingOrphanEntry, Severity: severity, Detail: fmt.Sprint("number ", n, long),
		}}}
		s.CountAnswer(a)
		if err := render.Answer(a); err != nil {
			t.Fatal(err)
		}
	}
	const notes = 4_000
	for n := range notes {
		answer(n, archive.SeverityNote)
	}
	answer(notes, archive.SeverityError)
	s.Conclude()
	if err := render.Close(s); err != nil {
		t.Fatal(err)
	}
	shown := strings.Count(text.String(), "note orphan_entry")
	if want := fmt.Sprintf("%d findings of severity note", notes-shown); shown < 500 || !strings.Contains(strings.Join(unwrapped(text.String()), "\n"), want) {
		t.Errorf("%d notes are shown, and the text does not say %q", shown, want)
	}
	if joined := strings.Join(unwrapped(text.String()), "\n"); !strings.Contains(joined, fmt.Sprint("number ", notes)) || !strings.Contains(joined, "at most 16 MiB") {
		t.Error("the error is not shown, or not what bounds the list")
	}
	if text.Len() > 64<<20 {
		t.Errorf("the text has %d bytes", text.Len())
	}
}

// The temporary file that errors are kept in is gone, or without a name, before the report is; where none can be made the error says
// what to do.
func TestJSONSpills(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	var out strings.Builder
	j := report.NewJSON(&out, archive.Header{}, report.Tool{})
	s := archive.NewSummary(archive.RequireAttested)
	const errorsGiven = 20_000
	for n := range errorsGiven {
		s.CountError()
		if err := j.Error(&archive.RecordError{Source: fmt.Sprint("s", n), Record: 1, Code: archive.ErrorSyntax, Detail: strings.Repeat("x", 100)}); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || runtime.GOOS != "windows" && len(left) > 0 {
		t.Errorf("%v, %v stand in the folder while the report is written", left, err)
	}
	s.Finished = true
	s.Conclude()
	if err := j.Close(s); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v, %v stand in the folder behind the report", left, err)
	}
	got := read(t, []byte(out.String()))
	for n := range errorsGiven {
		if len(got.Errors) != errorsGiven || got.Errors[n].Source != fmt.Sprint("s", n) {
			t.Fatalf("%d errors, want %d in their order", len(got.Errors), errorsGiven)
		}
	}

	t.Setenv("TMPDIR", filepath.Join(dir, "none"))
	t.Setenv("TMP", filepath.Join(dir, "none"))
	j = report.NewJSON(io.Discard, archive.Header{}, report.Tool{})
	var err error
	for range errorsGiven {
		err = j.Error(&archive.RecordError{Detail: strings.Repeat("x", 100)})
	}
	if err == nil || !strings.Contains(err.Error(), "TMPDIR") || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Error = %v, want one that names TMPDIR", err)
	}
	if again := j.Close(s); !errors.Is(again, os.ErrNotExist) {
		t.Errorf("Close = %v, want %v", again, err)
	}
}
