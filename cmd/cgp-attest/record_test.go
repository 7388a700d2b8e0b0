package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// manyMessages returns n messages of one writer, a line each, of different lengths.
func manyMessages(writer string, n int) []byte {
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, `{"type":"frames","id":"%s %d","result":{"frames":[{"id":"f","content":"%s"}]}}`+"\n",
			writer, i, strings.Repeat("x", i*7919%1500))
	}
	return b.Bytes()
}

// startRecord starts a process that appends what stands in input to log.
func startRecord(t *testing.T, log string, input io.Reader) (cmd *exec.Cmd, words *bytes.Buffer) {
	t.Helper()
	words = &bytes.Buffer{}
	cmd = exec.Command("cgp-attest", "record", "-o", log)
	cmd.Stdin, cmd.Stderr = input, words
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, words
}

// checkLog reads a log with encoding/json, a line at a time, and with this project's reader. It fails unless every message of each
// writer stands in it once and in order. It returns the number of lines that cannot be read.
func checkLog(t *testing.T, log string, writers map[string]int) (cut int) {
	t.Helper()
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		t.Errorf("the log ends with %q, want a line feed", data[max(0, len(data)-80):])
	}
	next := make(map[string]int)
	good := 0
	for line := range bytes.Lines(data) {
		var record struct {
			Format   string
			Envelope struct{ ID string }
		}
		if err := json.Unmarshal(line, &record); err != nil {
			cut++
			continue
		}
		good++
		var writer string
		var i int
		if _, err := fmt.Sscanf(record.Envelope.ID, "%s %d", &writer, &i); err != nil || record.Format != "cgp-archive/1" {
			t.Fatalf("a line is %.80q, %v", line, err)
		}
		if _, counts := writers[writer]; counts && i != next[writer] {
			t.Fatalf("message %d of writer %s stands where number %d should", i, writer, next[writer])
		}
		next[writer]++
	}
	for writer, n := range writers {
		if next[writer] != n {
			t.Errorf("%d messages of writer %s, want %d", next[writer], writer, n)
		}
	}
	r, err := (&archive.Verifier{}).VerifyReader(context.Background(), "log", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if int(r.Summary.Answers) != good || int(r.Summary.Unreadable) != cut {
		t.Errorf("verify reads %d answers and %d unreadable records, want %d and %d", r.Summary.Answers, r.Summary.Unreadable, good, cut)
	}
	return cut
}

// TestRecordShared: two processes that append to one log lose nothing and mix nothing but lines.
func TestRecordShared(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	const n = 10_000
	first, firstWords := startRecord(t, log, bytes.NewReader(manyMessages("a", n)))
	second, secondWords := startRecord(t, log, bytes.NewReader(manyMessages("b", n)))
	for cmd, words := range map[*exec.Cmd]*bytes.Buffer{first: firstWords, second: secondWords} {
		if err := cmd.Wait(); err != nil || !strings.HasPrefix(words.String(), "appended 10000 messages to ") {
			t.Errorf("%v: %s", err, words)
		}
	}
	if cut := checkLog(t, log, map[string]int{"a": n, "b": n}); cut > 0 {
		t.Errorf("%d lines cannot be read", cut)
	}
}

// BenchmarkRecord appends messages of about 2 kB to a log on a disk, durably. one waits for the disk after each message, group as
// record does: what came in while the disk was waited for is the next group.
func BenchmarkRecord(b *testing.B) {
	message := []byte(`{"type":"frames","result":{"frames":[{"id":"f","content":"` + strings.Repeat("x", 2000) + `"}]}}`)
	for _, grouped := range []bool{false, true} {
		name := map[bool]string{false: "one", true: "group"}[grouped]
		b.Run(name, func(b *testing.B) {
			log, err := fileio.OpenLog(context.Background(), filepath.Join(b.TempDir(), "log"))
			if err != nil {
				b.Fatal(err)
			}
			out := &groupCommit{}
			write := func(lines []byte) error { return log.Append(context.Background(), lines) }
			w := archive.NewWriter(writerFunc(write))
			if grouped {
				out = newGroupCommit(write, func() {})
				w = archive.NewWriter(out)
			}
			b.SetBytes(int64(len(message)))
			for b.Loop() {
				if err := w.Append(message, archive.Receipt{}); err != nil {
					b.Fatal(err)
				}
			}
			if grouped {
				if _, err := out.close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

type writerFunc func([]byte) error

func (f writerFunc) Write(p []byte) (int, error) { return len(p), f(p) }
