package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// fixtureKey is the key of the fixture as --public-key takes it.
const fixtureKey = "library:library-2026=" + fixturePublicKey

// A screen is a terminal of so many columns that knows carriage returns. Text that reaches the last column is a fault.
type screen struct {
	mu      sync.Mutex
	columns int
	lines   []string // as they stood after each write, without the spaces behind them
	row     []byte
	at      int
	fault   string
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, c := range p {
		switch {
		case c == '\r':
			s.at = 0
			continue
		case c < ' ' || c > '~':
			s.fault = "a character that is none of a line"
		case s.at >= s.columns-1:
			s.fault = "text in the last column"
		}
		for len(s.row) <= s.at {
			s.row = append(s.row, ' ')
		}
		s.row[s.at] = c
		s.at++
	}
	s.lines = append(s.lines, strings.TrimRight(string(s.row), " "))
	return len(p), nil
}

func (s *screen) width() int { return s.columns }

// With a clock of its own the line stands from the first second on, in place, cut to the terminal, and is gone at the end.
func TestProgressShow(t *testing.T) {
	begin := time.Date(2026, 8, 29, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name    string
		columns int
		want    []string
	}{
		{"wide", 80, []string{
			"0 records, 0 frames, 0 B of 2.0 MiB, 0 B/s",
			"3 records, 7 frames, 1.0 MiB of 2.0 MiB, 512.0 KiB/s, 0:02 left",
			"9 records, 9 frames, 2.0 MiB of 2.0 MiB, 819.2 KiB/s, 0:00 left",
			"9 records, 9 frames, 2.0 MiB of 2.0 MiB, 2.0 KiB/s, 0:00 left",
			"",
		}},
		{"narrow", 21, []string{"0 records, 0 frames,", "3 records, 7 frames,", "9 records, 9 frames,", "9 records, 9 frames,", ""}},
		{"no columns", 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &screen{columns: tt.columns}
			p := &progress{terminal: s, columns: s.width}
			p.total.Store(2 << 20)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ticks, done := make(chan time.Time), make(chan struct{})
			go func() {
				defer close(done)
				p.show(ctx, begin, ticks)
			}()
			// The tick behind each is taken when the one before it is shown.
			tick := func(d time.Duration) { ticks <- begin.Add(d) }
			tick(250 * time.Millisecond)
			tick(999 * time.Millisecond)
			tick(time.Second)
			tick(0)
			p.judged.Records.Store(3)
			p.judged.Frames.Store(7)
			p.bytes.Store(1 << 20)
			tick(2 * time.Second)
			tick(0)
			p.judged.Records.Store(9)
			p.judged.Frames.Store(9)
			p.bytes.Store(2 << 20)
			tick(2500 * time.Millisecond)
			tick(1024 * time.Second)
			tick(0)
			cancel()
			<-done
			s.mu.Lock()
			defer s.mu.Unlock()
			if strings.Join(s.lines, "\n") != strings.Join(tt.want, "\n") || s.at != 0 {
				t.Errorf("shows %q, ends in column %d, want %q, 0", s.lines, s.at, tt.want)
			}
			if s.fault != "" {
				t.Error(s.fault)
			}
		})
	}
}

// A run that ends within a second leaves the terminal alone.
func TestProgressOfShortRun(t *testing.T) {
	s := &screen{columns: 80}
	p := &progress{terminal: s, columns: s.width}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p.show(ctx, time.Time{}, nil)
	if len(s.lines) != 0 {
		t.Errorf("shows %q, want nothing", s.lines)
	}
}

func TestProgressLine(t *testing.T) {
	for _, tt := range []struct {
		name        string
		read, total int64
		elapsed     time.Duration
		want        string
	}{
		{"size unknown", 4096, 0, 2 * time.Second, "0 records, 0 frames, 4.0 KiB, 2.0 KiB/s"},
		{"hours left", 1 << 30, 11 << 30, time.Hour, "0 records, 0 frames, 1.0 GiB of 11.0 GiB, 291.3 KiB/s, 10:00:00 left"},
		{"minutes left", 100, 6100, time.Second, "0 records, 0 frames, 100 B of 6.0 KiB, 100 B/s, 1:00 left"},
		{"more than there was", 2048, 1024, time.Second, "0 records, 0 frames, 2.0 KiB of 1.0 KiB, 2.0 KiB/s"},
		{"tebibytes", 3 << 41, 0, time.Second, "0 records, 0 frames, 6.0 TiB, 6.0 TiB/s"},
	} {
		p := &progress{}
		p.bytes.Store(uint64(tt.read))
		p.total.Store(tt.total)
		if got := p.line(tt.elapsed); got != tt.want {
			t.Errorf("%s: line = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Where nothing is shown, nothing is counted and nothing stands in the way.
func TestProgressNone(t *testing.T) {
	wide := func() int { return 80 }
	for _, tt := range []struct {
		name             string
		env              environment
		outputIsTerminal bool
	}{
		{"no terminal", environment{}, false},
		{"the report streams there", environment{stderrColumns: wide}, true},
		{"the input is typed there", environment{stderrColumns: wide, stdinIsTerminal: true, stdinTakenFor: "PATH"}, false},
	} {
		p := tt.env.startProgress(t.Context(), nil, tt.outputIsTerminal)
		if p != nil {
			t.Errorf("%s: a progress", tt.name)
		}
		if in := io.NopCloser(strings.NewReader("")); p.counting(in) != in {
			t.Errorf("%s: counts", tt.name)
		}
		p.stop()
	}
}

// A whole run on a terminal: the line counts what is read, and nothing of it is left when the report and the words come.
func TestProgressOfVerify(t *testing.T) {
	dir := t.TempDir()
	if err := copyFixture(dir); err != nil {
		t.Fatal(err)
	}
	session, err := os.ReadFile(dir + "/signed.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for _, ending := range []struct {
		name, words string
		last        error
	}{{"", "", io.EOF}, {"interrupted", "cgp-attest: error: interrupted", nil}} {
		t.Run(ending.name, func(t *testing.T) {
			env, out, words := testEnvironment("")
			s := &screen{columns: 80}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			begin := time.Date(2026, 8, 29, 12, 0, 0, 0, time.UTC)
			ticks := make(chan time.Time)
			env.now = func() time.Time { return begin }
			env.ticks = func(time.Duration) <-chan time.Time { return ticks }
			env.stderrColumns = s.width
			env.stderr = screenAndWords{s, words}
			env.stdout.w = screenAndWords{s, out}
			env.stdin = io.MultiReader(bytes.NewReader(session), readerFunc(func([]byte) (int, error) {
				ticks <- begin.Add(2 * time.Second)
				ticks <- begin // the line is shown
				if ending.last == nil {
					cancel()
					select {}
				}
				return 0, ending.last
			}))
			run(ctx, env, []string{"verify", "--public-key", fixtureKey, "-"})
			if len(s.lines) < 2 || !regexp.MustCompile(`^\d records, \d frames, .*B/s$`).MatchString(s.lines[0]) || s.lines[len(s.lines)-1] != "" || s.at != 0 {
				t.Errorf("shows %q, ends in column %d, want counts, and nothing at the end", s.lines, s.at)
			}
			if !strings.HasPrefix(words.String(), ending.words) || out.Len() == 0 {
				t.Errorf("says %q, want %q; %d bytes of report", words, ending.words, out.Len())
			}
		})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// screenAndWords tells the progress, which begins with a carriage return, from the words and the report, which may come when the
// screen is empty.
type screenAndWords struct {
	screen *screen
	words  *bytes.Buffer
}

func (w screenAndWords) Write(p []byte) (int, error) {
	if p[0] == '\r' {
		return w.screen.Write(p)
	}
	if n := len(w.screen.lines); n > 0 && w.screen.lines[n-1] != "" {
		return 0, errors.New("the progress still stands there")
	}
	return w.words.Write(p)
}
