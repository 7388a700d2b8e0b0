//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// reportFormats returns every format that verify writes.
func reportFormats() []string {
	env, _, _ := testEnvironment("")
	return newVerifyCmd(env).Flag("format").Value.(*choice).of
}

// archiveOf makes a folder of so many copies of the signed session, as links, which a walk reads each.
func archiveOf(t *testing.T, dir string, files int) {
	t.Helper()
	if err := copyFixture(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "log"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range files {
		if err := os.Link(filepath.Join(dir, "signed.ndjson"), filepath.Join(dir, "log", fmt.Sprintf("%05d.ndjson", i))); err != nil {
			t.Fatal(err)
		}
	}
}

// programIn is a command line of the program, in a folder.
func programIn(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("cgp-attest", args...)
	cmd.Dir = dir
	return cmd
}

// checkPartial fails unless a report is whole in form, and says that it is partial.
func checkPartial(t *testing.T, format string, report []byte) {
	t.Helper()
	switch {
	case format == formatText:
		if !bytes.Contains(report, []byte("\nexit 130: interrupted: this report is partial")) {
			t.Errorf("the text does not say that it is partial: …%s", report[max(0, len(report)-500):])
		}
	case format == "sarif":
		if !bytes.Contains(report, []byte(`"executionSuccessful":false,"exitCode":130,`)) || !json.Valid(report) {
			t.Errorf("%s is cut, or does not say that it is partial", format)
		}
	case format == "junit":
		if !bytes.Contains(report, []byte(` type="exit 130">`)) || !bytes.HasSuffix(report, []byte("</testsuites>\n")) {
			t.Errorf("%s is cut, or does not say that it is partial", format)
		}
	case format == "markdown":
		if !bytes.Contains(report, []byte("\n**Partial:** ")) || !bytes.HasSuffix(report, []byte("`replay_under_another_id`.\n")) {
			t.Errorf("%s is cut, or does not say that it is partial", format)
		}
	case format == "html":
		if !bytes.Contains(report, []byte("<p>Partial: ")) || !bytes.HasSuffix(report, []byte("</html>\n")) {
			t.Errorf("%s is cut, or does not say that it is partial", format)
		}
	case strings.HasPrefix(format, "json"):
		if !bytes.Contains(report, []byte(`"finished":false,"exit_code":130`)) {
			t.Errorf("%s does not say that it is partial: …%s", format, report[max(0, len(report)-500):])
		}
		for rest := json.NewDecoder(bytes.NewReader(report)); ; {
			var value any
			if err := rest.Decode(&value); errors.Is(err, io.EOF) {
				return
			} else if err != nil {
				t.Fatalf("%s is cut: %v", format, err)
			}
		}
	}
}

// interrupt sends SIGINT and returns how the process ended.
func interrupt(t *testing.T, cmd *exec.Cmd, times int) int {
	t.Helper()
	for i := range times {
		if i > 0 {
			time.Sleep(300 * time.Millisecond) // two signals at once are one
		}
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	cmd.Wait()
	return cmd.ProcessState.ExitCode()
}

// An interruption in the midst of a large folder: what was judged until then stands in the report.
func TestVerifyStoppedInFolder(t *testing.T) {
	const files = 20_000
	dir := t.TempDir()
	archiveOf(t, dir, files)
	cmd := programIn(dir, "verify", "--public-key", fixtureKey, "--format", "json", "log")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(out)
	if _, err := in.Peek(1); err != nil { // some answers are judged
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	report, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exits %d, want 130", code)
	}
	checkPartial(t, formatJSON, report)
	if n := bytes.Count(report, []byte(`"source":"log/`)); n == 0 || n >= files {
		t.Errorf("%d of %d files are judged", n, files)
	}
}

// An interruption at a pipe whose writer sends nothing more, and at one that nobody writes to. The report is put in its place in
// every format: it is whole in form.
func TestVerifyStoppedAtPipe(t *testing.T) {
	for _, format := range reportFormats() {
		for _, written := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, written %v", format, written), func(t *testing.T) {
				dir := t.TempDir()
				archiveOf(t, dir, 2)
				for _, name := range []string{"first", "pipe"} {
					if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				cmd := programIn(dir, "verify", "--public-key", fixtureKey, "--format", format, "-o", "report", "log", "first", "pipe")
				var words bytes.Buffer
				cmd.Stderr = &words
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				first := openPipe(t, filepath.Join(dir, "first"))
				if written {
					first.Close()
					defer openPipe(t, filepath.Join(dir, "pipe")).Close()
				} else {
					first.Close()
					time.Sleep(200 * time.Millisecond) // it waits for a writer of the next one
				}
				if code := interrupt(t, cmd, 1); code != 130 {
					t.Errorf("exits %d, want 130", code)
				}
				if want := "cgp-attest: error: interrupted: the report is whole in form and partial in content\n"; words.String() != want {
					t.Errorf("says %q, want %q", &words, want)
				}
				report, err := os.ReadFile(filepath.Join(dir, "report"))
				if err != nil {
					t.Fatal(err)
				}
				checkPartial(t, format, report)
				judged, others := map[string]string{
					formatText: "\nStates: attested 6.\n", "sarif": `"states":{"attested":6,`, "junit": `name="states.attested" value="6"`,
					"markdown": "\n| attested | 6 |\n", "html": `<th scope="row">attested</th><td class="n">6</td>`,
				}[format]
				if !others {
					judged = `"source":"log/00001.ndjson"`
				}
				if !bytes.Contains(report, []byte(judged)) {
					t.Errorf("the report lacks what was judged: %s", report)
				}
			})
		}
	}
}

// openPipe opens a pipe to write, which waits for its reader.
func openPipe(t *testing.T, path string) *os.File {
	t.Helper()
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// The second interruption ends the process where the first one cannot: here nobody reads what it writes.
func TestVerifyStoppedTwice(t *testing.T) {
	dir := t.TempDir()
	archiveOf(t, dir, 2_000)
	cmd := programIn(dir, "verify", "--public-key", fixtureKey, "--format", "json", "log")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if code := interrupt(t, cmd, 2); code != -1 {
		t.Errorf("exits %d, want an end by the signal", code)
	}
}

// A reader that goes away is no success, also where there is no report to speak of but its beginning.
func TestVerifyUnread(t *testing.T) {
	for _, format := range reportFormats() {
		dir := t.TempDir()
		archiveOf(t, dir, 300)
		// Without a key, so that every format has much to say.
		cmd := programIn(dir, "verify", "--format", format, "--verbose", "log")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		var words bytes.Buffer
		cmd.Stderr = &words
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(out, make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); code != 5 || !strings.Contains(words.String(), "writing standard output: ") {
			t.Errorf("%s: exits %d and says %q, want 5 and why", format, code, &words)
		}
	}
}
