package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/keys"
)

const (
	// scaleBytes is the environment variable with the size, in bytes, of the archive that the program reads under a limit.
	scaleBytes = "CGP_ATTEST_SCALE_BYTES"
	// usualScale is that size where nothing is said: too small to show that memory is bounded, enough to show that it runs.
	usualScale = 16 << 20

	// What the program may use in KiB. The Go runtime alone reserves more than 1 GiB of addresses before a program starts, which
	// are no memory; dataSegment counts what can be written to. A record of 64 MiB has to fit in.
	addressSpace = 1_700_000
	dataSegment  = 300_000
)

// writeScale writes a corpus and its trust file, and returns the paths and what is to be found.
func writeScale(t *testing.T, spec corpus.Spec) (input, trust string, expected *corpus.Expected) {
	t.Helper()
	dir := t.TempDir()
	input, trust = filepath.Join(dir, "archive.ndjson"), filepath.Join(dir, "trust.json")
	if err := os.WriteFile(trust, corpus.Trust(), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(input)
	if err != nil {
		t.Fatal(err)
	}
	if expected, err = corpus.Write(file, spec); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return input, trust, expected
}

// In little memory the program finds in an archive what is there, in every format.
func TestScaleUnderALimit(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("ulimit -v bounds a process on Linux alone")
	}
	size := int64(usualScale)
	if text := os.Getenv(scaleBytes); text != "" {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", scaleBytes, err)
		}
		size = n
	}
	input, trust, expected := writeScale(t, corpus.Spec{Seed: 11, Bytes: size})
	binary := static(t)
	formats := newVerifyCmd(systemEnvironment()).Flags().Lookup("format").Value.(*choice).of
	for _, format := range formats {
		t.Run(format, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "report")
			code := limited(t, binary, dataSegment, "verify", "--trust", trust, "--local-id", "archive", "--received-at", "archive",
				"--format", format, "-o", out, input)
			if code != expected.ExitCode {
				t.Errorf("exit code %d, want %d", code, expected.ExitCode)
			}
			checkSummary(t, format, out, expected)
		})
	}
	t.Run("less is too little", func(t *testing.T) {
		if code := limited(t, binary, dataSegment/100, "version"); code == archive.ExitGood {
			t.Errorf("a hundredth suffices: the limit does not hold")
		}
	})
}

// static builds the program as it is released: one that links C, as tests may, reserves more for each thread.
func static(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), program)
	cmd := exec.Command("go", "build", "-trimpath", "-o", binary, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// limited runs the program with limits on its address space and on the data in it, in KiB, and returns its exit code.
func limited(t *testing.T, binary string, data int, args ...string) int {
	t.Helper()
	script := fmt.Sprintf(`ulimit -v %d && ulimit -d %d && exec "$0" "$@"`, addressSpace, data)
	cmd := exec.Command("sh", append([]string{"-c", script, binary}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(stderr.String(), "\n")
	t.Logf("%s: exit code %d after %v of work %s", args[0], cmd.ProcessState.ExitCode(), cmd.ProcessState.UserTime(), first)
	return cmd.ProcessState.ExitCode()
}

// checkSummary compares the counts in a report with what is expected. A format for people must name the most important ones.
func checkSummary(t *testing.T, format, path string, e *corpus.Expected) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	switch format {
	case "json", "jsonl":
		checkCounts(t, text, e)
	case "text":
		read := fmt.Sprintf("records %d, answers %d, frames %d, unreadable %d, passed_over %d", e.Records, e.Answers, e.Frames, e.Unreadable, e.PassedOver)
		if plain := strings.Join(strings.Fields(string(text)), " "); !strings.Contains(plain, read) {
			t.Errorf("the report does not say %q", read)
		}
	default:
		for _, n := range []uint64{e.Frames, e.Answers} {
			if !strings.Contains(string(text), strconv.FormatUint(n, 10)) {
				t.Errorf("the report does not say %d", n)
			}
		}
	}
}

// checkCounts compares the summary that stands last in a JSON report, or on the last line of one in lines.
func checkCounts(t *testing.T, text []byte, e *corpus.Expected) {
	t.Helper()
	at := max(bytes.LastIndex(text, []byte(`{"sources":`)), bytes.LastIndex(text, []byte(`{"line":"summary",`)))
	if at < 0 {
		t.Fatal("the report has no summary")
	}
	var got struct {
		Sources, Records, Answers, Frames, Unreadable uint64
		PassedOver                                    uint64            `json:"passed_over"`
		EmptyAnswers                                  map[string]uint64 `json:"empty_answers"`
		Classes, States, Evidence, Content            map[string]uint64
		ExitCode                                      int `json:"exit_code"`
		Finished                                      bool
	}
	if err := json.NewDecoder(bytes.NewReader(text[at:])).Decode(&got); err != nil {
		t.Fatal(err)
	}
	found := &corpus.Expected{
		Sources: got.Sources, Records: got.Records, Answers: got.Answers, Frames: got.Frames, Unreadable: got.Unreadable,
		PassedOver: got.PassedOver, EmptyAnswers: nonzero(got.EmptyAnswers), Classes: nonzero(got.Classes), States: nonzero(got.States),
		Evidence: nonzero(got.Evidence), Content: nonzero(got.Content), ExitCode: got.ExitCode,
		Findings: codesIn(text, "severity"), Errors: codesIn(text, "detail"),
	}
	if diff := cmp.Diff(e, found); diff != "" {
		t.Errorf("what the report counts (-want +got):\n%s", diff)
	}
	if !got.Finished {
		t.Error("the report is not finished")
	}
}

// nonzero drops what was counted as 0.
func nonzero(counts map[string]uint64) map[string]uint64 {
	maps.DeleteFunc(counts, func(_ string, n uint64) bool { return n == 0 })
	return counts
}

// codesIn counts the codes in a JSON report behind which a member stands: "severity" behind those of findings, "detail" behind
// those of errors.
func codesIn(text []byte, next string) map[string]uint64 {
	counts := make(map[string]uint64)
	behind := []byte(`","` + next + `":`)
	for {
		at := bytes.Index(text, behind)
		if at < 0 {
			return counts
		}
		start := bytes.LastIndexByte(text[:at], '"') + 1
		if bytes.HasSuffix(text[:start], []byte(`"code":"`)) {
			counts[string(text[start:at])]++
		}
		text = text[at+len(behind):]
	}
}

// Every byte of a JSON report is the same however many records are judged at a time.
func TestScaleJobsChangeNoByte(t *testing.T) {
	store, err := keys.ParseStore(corpus.Trust())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(4) {
		var input bytes.Buffer
		if _, err := corpus.Write(&input, corpus.Spec{Seed: seed, Bytes: 1 << 20, Every: 2}); err != nil {
			t.Fatal(err)
		}
		render := func(jobs int) string {
			v := &archive.Verifier{
				Keys: &archive.Keyring{}, Jobs: jobs,
				Policy: archive.Policy{LocalIDFromArchive: true, ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromArchive}},
			}
			if err := v.Keys.TrustStore(store, archive.KeySource{Name: "trust.json"}); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			r := report.NewJSON(&out, v.Header(), report.Tool{Name: program, Version: "test"})
			source := archive.Source{Name: "archive", Open: func() (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(input.Bytes())), nil
			}}
			summary, err := v.Verify(context.Background(), slices.Values([]archive.Source{source}), r)
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Close(summary); err != nil {
				t.Fatal(err)
			}
			return out.String()
		}
		want := render(1)
		for _, jobs := range []int{2, 7} {
			if got := render(jobs); got != want {
				at := 0
				for at < min(len(got), len(want)) && got[at] == want[at] {
					at++
				}
				t.Errorf("seed %d: with %d jobs the report differs from byte %d on: %.200q, want %.200q", seed, jobs, at, got[at:], want[at:])
			}
		}
	}
}
