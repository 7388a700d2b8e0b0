package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
)

const (
	progressAfter = time.Second            // a run that ends before shows nothing
	progressEvery = 250 * time.Millisecond // between two looks at the counts
)

// A progress is the line on a terminal that says how far a run is. Nothing else may be written there before stop.
type progress struct {
	terminal io.Writer
	columns  func() int

	judged archive.Progress
	bytes  atomic.Uint64 // that were read, as they are stored
	total  atomic.Int64  // bytes of all inputs, 0 while that is not known

	shown int // columns of the line that stands there
	end   context.CancelFunc
	done  chan struct{}
}

// startProgress shows how far the run over args is, from its first second until stop or until ctx ends. It returns nil where
// nothing is to be shown: where standard error is no terminal, and where the output or an input is that terminal.
func (env *environment) startProgress(ctx context.Context, args []string, outputIsTerminal bool) *progress {
	if env.stderrColumns == nil || outputIsTerminal || env.stdinIsTerminal && env.stdinTakenFor != "" {
		return nil
	}
	p := &progress{terminal: env.stderr, columns: env.stderrColumns, done: make(chan struct{})}
	ctx, p.end = context.WithCancel(ctx)
	go func() {
		if n, known := inputs.Size(ctx, args); known {
			p.total.Store(n)
		}
	}()
	begin, ticks := env.now(), env.ticks(progressEvery)
	go func() {
		defer close(p.done)
		p.show(ctx, begin, ticks)
	}()
	return p
}

// stop takes the line away. What is written after it has the terminal for itself. It may be called again, and on nil.
func (p *progress) stop() {
	if p != nil {
		p.end()
		<-p.done
	}
}

// counts returns what the run is to count in, nil where nothing is shown.
func (p *progress) counts() *archive.Progress {
	if p == nil {
		return nil
	}
	return &p.judged
}

// show writes the line at every tick after the first second, and wipes it when ctx ends.
func (p *progress) show(ctx context.Context, begin time.Time, ticks <-chan time.Time) {
	defer p.write("")
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticks:
			if elapsed := now.Sub(begin); elapsed >= progressAfter && ctx.Err() == nil {
				p.write(p.line(elapsed))
			}
		}
	}
}

// write puts text, which is ASCII, in place of the line that stands there. The last column stays free: writing there moves some
// terminals on to the next line.
func (p *progress) write(text string) {
	room := max(p.columns()-1, 0)
	text = text[:min(len(text), room)]
	over := max(min(p.shown, room)-len(text), 0)
	if p.shown == 0 && text == "" {
		return
	}
	line := "\r" + text + strings.Repeat(" ", over)
	if text == "" {
		line += "\r"
	}
	p.shown = len(text)
	io.WriteString(p.terminal, line) // a terminal that is gone is no fault of the run
}

// line says how far the run is after so long.
func (p *progress) line(elapsed time.Duration) string {
	read, total := p.bytes.Load(), uint64(p.total.Load())
	rate := float64(read) / elapsed.Seconds()
	text := fmt.Sprintf("%d records, %d frames, %s", p.judged.Records.Load(), p.judged.Frames.Load(), byteText(float64(read)))
	if total > 0 {
		text += " of " + byteText(float64(total))
	}
	text += ", " + byteText(rate) + "/s"
	if total >= read && read > 0 {
		left := time.Duration(float64(total-read) / rate * float64(time.Second)).Round(time.Second)
		text += ", " + clockText(left) + " left"
	}
	return text
}

// byteText rounds a number of bytes for a person.
func byteText(n float64) string {
	if n < 1024 {
		return fmt.Sprintf("%.0f B", n)
	}
	for _, unit := range []string{"KiB", "MiB", "GiB"} {
		if n /= 1024; n < 1024 {
			return fmt.Sprintf("%.1f %s", n, unit)
		}
	}
	return fmt.Sprintf("%.1f TiB", n/1024)
}

// clockText spells a duration as m:ss, from an hour on as h:mm:ss.
func clockText(d time.Duration) string {
	s := int64(d / time.Second)
	if s < 3600 {
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
}

// counting counts what is read through it. On nil nothing is counted.
func (p *progress) counting(in io.ReadCloser) io.ReadCloser {
	if p == nil || in == nil {
		return in
	}
	return countingReader{in, &p.bytes}
}

type countingReader struct {
	io.ReadCloser
	bytes *atomic.Uint64
}

func (c countingReader) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	c.bytes.Add(uint64(n))
	return n, err
}

// isTerminal reports whether what is written to an output reaches a terminal at once: standard output, or a name such as
// /dev/tty or /dev/stdout.
func (env *environment) isTerminal(out *output, path string) bool {
	if out.file == nil {
		return env.columns > 0
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}
