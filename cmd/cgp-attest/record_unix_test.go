//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// TestRecordKilled: while two processes append to a log a third one is killed again and again. What stood in the log stays, each
// death leaves one line that cannot be read at most, and the two lose nothing.
func TestRecordKilled(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	const n = 10_000
	doomed := manyMessages("c", 30_000) // too many for the time that it has
	done := make(chan string)
	for _, writer := range []string{"a", "b"} {
		input, feed := io.Pipe()
		cmd, words := startRecord(t, log, input)
		go func() { // in pieces, so that the deaths fall into the time between
			for rest := manyMessages(writer, n); len(rest) > 0; {
				k := min(len(rest), 1+rand.IntN(100<<10))
				feed.Write(rest[:k])
				rest = rest[k:]
				time.Sleep(time.Duration(rand.IntN(10)) * time.Millisecond)
			}
			feed.Close()
			if err := cmd.Wait(); err != nil {
				words.WriteString(err.Error())
			}
			done <- words.String()
		}()
	}
	kills := 0
	for living := 2; living > 0; {
		select {
		case words := <-done:
			living--
			if !strings.HasPrefix(words, "appended 10000 messages to ") || strings.Count(words, "\n") != 1 {
				t.Errorf("a process says %q", words)
			}
			continue
		default:
		}
		cmd, _ := startRecord(t, log, bytes.NewReader(doomed))
		time.Sleep(time.Duration(rand.IntN(60)) * time.Millisecond)
		before, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		cmd.Process.Kill()
		cmd.Wait()
		kills++
		cutLine(t, log)
		after, err := os.ReadFile(log)
		if whole := before[:bytes.LastIndexByte(before, '\n')+1]; err != nil || !bytes.HasPrefix(after, whole) {
			t.Fatalf("%d bytes of whole lines do not stand in the log any more, %v", len(whole), err)
		}
	}
	last, words := startRecord(t, log, bytes.NewReader(manyMessages("d", 1)))
	if err := last.Wait(); err != nil {
		t.Errorf("%v: %s", err, words)
	}
	cut := checkLog(t, log, map[string]int{"a": n, "b": n, "d": 1})
	t.Logf("%d killed, %d lines cut", kills, cut)
	if cut == 0 || cut > 2*kills {
		t.Errorf("%d lines are cut after %d deaths, want one for each that cutLine left, and one at most for each of their own", cut, kills)
	}
}

// cutLine leaves what a process leaves that is killed inside its write, which seldom happens by chance: the beginning of a line.
func cutLine(t *testing.T, log string) {
	t.Helper()
	unlock, err := fileio.Lock(context.Background(), log)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	file, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	const line = `{"format":"cgp-archive/1","envelope":{"type":"frames","result":{"frames":[{"id":"f","content":"x"}]}}}`
	if _, err := file.WriteString(line[:1+rand.IntN(len(line)-1)]); err != nil {
		t.Fatal(err)
	}
}

// TestRecordPrompt: each message is in the log while the next one is waited for, also behind the cut beginning of one, and an
// interruption takes nothing back.
func TestRecordPrompt(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	words := &bytes.Buffer{}
	cmd := exec.Command("cgp-attest", "record", "-o", log)
	cmd.Stderr = words
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	want := ""
	for _, step := range []struct{ input, line string }{
		{"{\"type\":\"a\"}\n", "{\"type\":\"a\"}"}, {`{"type":`, ""}, {"\"b\"}\n", `{"type":"b"}`}, {"{\"type\":\"c\"}\n{\"ty", `{"type":"c"}`},
	} {
		if _, err := io.WriteString(in, step.input); err != nil {
			t.Fatal(err)
		}
		if step.line != "" {
			want += `{"format":"cgp-archive/1","envelope":` + step.line + "}\n"
		}
		var got []byte
		for range 1000 {
			if got, _ = os.ReadFile(log); string(got) == want {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if string(got) != want {
			t.Fatalf("after %q the log holds %q, want %q", step.input, got, want)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.HasPrefix(words.String(), "appended 3 messages to ") {
		t.Errorf("exits %d, want 130: %s", code, words)
	}
	if got, err := os.ReadFile(log); string(got) != want {
		t.Errorf("the log holds %q, %v, want %q", got, err, want)
	}
}

// TestRecordStoppedAtPipe: one interruption ends the wait for whoever writes to a pipe, before he opens it and behind what he wrote.
func TestRecordStoppedAtPipe(t *testing.T) {
	for _, written := range []bool{false, true} {
		dir := t.TempDir()
		pipe := filepath.Join(dir, "pipe")
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := programIn(dir, "record", "-o", "log", "pipe")
		var words bytes.Buffer
		cmd.Stderr = &words
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		want := "appended 0 messages to \"log\"\n"
		if written {
			feed := openPipe(t, pipe)
			defer feed.Close()
			feed.Write(manyMessages("a", 3))
			want = "appended 3 messages to \"log\"\n"
		}
		for range 1000 { // the log is there when signals are taken and the pipe is waited for
			if _, err := os.Stat(filepath.Join(dir, "log")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond) // what was written is read
		ended := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		if code := interrupt(t, cmd, 1); code != 130 {
			t.Errorf("written %v: exits %d, want 130", written, code)
		}
		ended.Stop()
		if want += "cgp-attest: error: interrupted\n"; words.String() != want {
			t.Errorf("written %v: says %q, want %q", written, &words, want)
		}
	}
}
