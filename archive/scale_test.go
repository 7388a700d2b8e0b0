package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
)

// Of every case alone, among honest answers that meet the policy, the report says exactly what it must.
func TestScaleOfEachCase(t *testing.T) {
	for _, name := range corpus.Cases() {
		t.Run(name, func(t *testing.T) {
			for seed := range seeds(4) {
				spec := smallSpec(seed, 60_000)
				spec.Cases = []string{name}
				w := writeCorpus(t, spec)
				w.check(t, w.verify(t, bytes.NewReader(w.text), 1))
			}
		})
	}
}

// Of all cases mixed the report says the same however many records are judged at a time. The largest size is several batches of
// them.
func TestScale(t *testing.T) {
	for size, n := range map[int64]uint64{1 << 10: 12, 64 << 10: 12, 300 << 10: 6, 3 << 20: 2} {
		for seed := range seeds(n) {
			w := writeCorpus(t, smallSpec(seed, size))
			t.Run(fmt.Sprintf("%d bytes, seed %d", size, seed), func(t *testing.T) {
				for _, n := range jobs {
					w.check(t, w.verify(t, bytes.NewReader(w.text), n))
				}
			})
		}
	}
}

func TestScaleHonest(t *testing.T) {
	w := writeCorpus(t, corpus.Spec{Seed: 1, Bytes: 1 << 20, Cases: []string{}})
	for _, n := range jobs {
		r := w.verify(t, bytes.NewReader(w.text), n)
		w.check(t, r)
		if r.Summary.ExitCode != archive.ExitGood {
			t.Errorf("%d jobs: exit code %d (%s), want 0", n, r.Summary.ExitCode, r.Summary.ExitReason)
		}
	}
}

// Whatever the size of the pieces in which a reader gives its bytes, the report is the same.
func TestScaleInPieces(t *testing.T) {
	for seed := range seeds(4) {
		w := writeCorpus(t, smallSpec(seed, 64<<10))
		want := w.verify(t, bytes.NewReader(w.text), 1)
		for name, reader := range map[string]func(io.Reader) io.Reader{
			"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data with the error": iotest.DataErrReader,
		} {
			for _, n := range jobs {
				got := w.verify(t, reader(bytes.NewReader(w.text)), n)
				if diff := cmp.Diff(want.Answers, got.Answers, wholly); diff != "" {
					t.Errorf("seed %d, %s, %d jobs: answers (-whole +pieces):\n%s", seed, name, n, diff)
				}
				if diff := cmp.Diff(want.Errors, got.Errors); diff != "" {
					t.Errorf("seed %d, %s, %d jobs: errors (-whole +pieces):\n%s", seed, name, n, diff)
				}
				w.check(t, got)
			}
		}
	}
}

// Where reading ends with an error, everything that was complete in front of it stands in the report, and nothing else but
// the error.
func TestScaleReadingFails(t *testing.T) {
	broken := iotest.ErrReader(errors.New("the disk is broken"))
	for seed := range seeds(6) {
		w := writeCorpus(t, smallSpec(seed, 64<<10))
		for _, part := range []int{1, 3, 4, 7} {
			at := len(w.text) * part / 8
			for _, n := range jobs {
				in := io.MultiReader(bytes.NewReader(w.text[:at]), broken)
				r := w.verify(t, in, n)
				w.checkFront(t, r, int64(at), archive.ErrorUnreadableSource)
			}
		}
	}
}

// checkFront compares a report on an input that ended with a fault of its own with what was complete in front of that place.
func (w *written) checkFront(t *testing.T, r *found, end int64, code archive.ErrorCode) {
	t.Helper()
	n := len(r.places) - 1
	if n < 0 || r.places[n] != (corpus.Place{Error: string(code)}) {
		t.Errorf("the last of %d answers and errors is not %s of the source", n+1, code)
		return
	}
	complete := 0
	for complete+1 < len(w.places) && w.places[complete+1].Offset <= end {
		complete++ // the next one begins behind it
	}
	if n < complete || n > len(w.places) || !slices.Equal(r.places[:n], w.places[:n]) {
		t.Errorf("%d answers and errors, want the first %d or more of %d", n, complete, len(w.places))
	}
}

// A folder's files are inputs of their own: their order is that of the report and changes nothing in it.
func TestScaleFolder(t *testing.T) {
	dir := t.TempDir()
	spec := smallSpec(100, 40<<10)
	files := 9
	if testing.Short() {
		files = 3
	}
	expected, err := corpus.Folder(dir, files, spec, corpus.Uncompressed)
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) != files {
		t.Fatalf("%d files, %v", len(names), err)
	}
	want := bySource(verifyFiles(t, names, spec, expected, 1))
	for _, n := range jobs {
		for turn := range names {
			permuted := slices.Concat(names[turn:], names[:turn])
			if turn%2 == 1 {
				slices.Reverse(permuted)
			}
			r := verifyFiles(t, permuted, spec, expected, n)
			if diff := cmp.Diff(want, bySource(r), wholly); diff != "" {
				t.Errorf("%d jobs, turned by %d (-sorted +permuted):\n%s", n, turn, diff)
			}
			if order := sourcesOf(r); !slices.Equal(order, permuted) {
				t.Errorf("%d jobs: the report has the files in the order %q, want %q", n, order, permuted)
			}
		}
	}
}

// verifyFolder verifies the files of a folder in the order of their names.
func verifyFolder(t *testing.T, dir string, spec corpus.Spec, expected *corpus.Expected, jobs int) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(names) == 0 {
		t.Fatalf("%d files, %v", len(names), err)
	}
	verifyFiles(t, names, spec, expected, jobs)
}

// verifyFiles verifies files in the order given, as one run.
func verifyFiles(t *testing.T, names []string, spec corpus.Spec, expected *corpus.Expected, jobs int) *found {
	t.Helper()
	var sources []archive.Source
	for _, name := range names {
		sources = append(sources, archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	r := verifyCorpus(t, spec.Limits, jobs, sources...)
	if diff := cmp.Diff(expected, counted(r)); diff != "" {
		t.Errorf("%d jobs (-want +got):\n%s", jobs, diff)
	}
	return r
}

// ofSource is what a report has of one source.
type ofSource struct {
	Answers []*archive.Answer
	Errors  []*archive.RecordError
}

func bySource(r *found) map[string]ofSource {
	out := make(map[string]ofSource)
	for _, a := range r.Answers {
		f := out[a.Source]
		f.Answers = append(f.Answers, a)
		out[a.Source] = f
	}
	for _, e := range r.Errors {
		f := out[e.Source]
		f.Errors = append(f.Errors, e)
		out[e.Source] = f
	}
	return out
}

// sourcesOf returns the sources of a report's answers in order.
func sourcesOf(r *found) []string {
	var names []string
	for _, a := range r.Answers {
		names = append(names, a.Source)
	}
	return slices.Compact(names)
}

func TestScalePipe(t *testing.T) {
	w := writeCorpus(t, smallSpec(3, 200<<10))
	for _, n := range jobs {
		w.check(t, w.verify(t, pipeOf(t, w.text), n))
	}
}

// pipeOf returns the end of a pipe from which a text comes in small pieces.
func pipeOf(t *testing.T, text []byte) io.Reader {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	go func() {
		defer out.Close()
		for piece := range slices.Chunk(text, 1000) {
			if _, err := out.Write(piece); err != nil {
				return
			}
		}
	}()
	return in
}

// uncovered are the codes that no corpus can hold, each with the reason.
var uncovered = map[string]string{
	"findings/duplicate_input":      "it is about a path that is read twice, and of no record",
	"findings/provenance_mismatch":  "it is about files beside the records: TestMinimalInputs",
	"findings/provenance_unchecked": "it is about files beside the records: TestMinimalInputs",
	"errors/unreadable_source":      "it is about a source that cannot be read: TestScaleReadingFails",
	"errors/corrupt_compression":    "it is about how a source is stored: TestScaleCorruptCompression",
	"errors/expansion_limit":        "it is about how a source is stored, and takes 64 MiB",
}

// A code that is new in the catalog has a case here, or a reason why not.
func TestCorpusCoversTheCatalog(t *testing.T) {
	all := &corpus.Expected{
		EmptyAnswers: map[string]uint64{}, Classes: map[string]uint64{}, States: map[string]uint64{}, Evidence: map[string]uint64{},
		Content: map[string]uint64{}, Findings: map[string]uint64{}, Errors: map[string]uint64{},
	}
	for i, name := range corpus.Cases() {
		spec := smallSpec(uint64(i), 60_000)
		spec.Cases, spec.Every = []string{name}, 1
		all.Add(writeCorpus(t, spec).expected)
	}
	sets := map[string]map[string]uint64{
		"findings": all.Findings, "errors": all.Errors, "frame_states": all.States, "evidence_states": all.Evidence,
		"content_states": all.Content, "classes": all.Classes,
	}
	known := make(map[string]bool)
	for _, set := range archive.Catalog() {
		counts, is := sets[set.Name]
		if !is {
			continue
		}
		for _, e := range set.Entries {
			code := set.Name + "/" + e.Code
			known[code] = true
			_, excused := uncovered[code]
			switch n := counts[e.Code]; {
			case n == 0 && !excused:
				t.Errorf("%s is in no corpus: write a case, or say in uncovered why there is none", code)
			case n > 0 && excused:
				t.Errorf("%s is in a corpus %d times: remove its row from uncovered", code, n)
			}
		}
	}
	for name, counts := range sets {
		for code := range maps.Keys(counts) {
			if !known[name+"/"+code] {
				t.Errorf("a corpus expects %s, which the catalog does not have", name+"/"+code)
			}
		}
	}
	for code := range uncovered {
		if !known[code] {
			t.Errorf("%s in uncovered is no code", code)
		}
	}
}
