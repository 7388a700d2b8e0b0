package testvectors

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	// maxAnswer is the longest line in bytes that an implementation may answer with: many times the longest answer of a case.
	maxAnswer = 4 << 20
	// endDelay is how long a program whose input has ended, or that has closed its output, may take to end.
	endDelay = 2 * time.Second
	// holdDelay is how long a program that was left behind may keep the standard error of one that has ended.
	holdDelay = 500 * time.Millisecond
	// maxShown is how many bytes of what a program says stand in a report.
	maxShown = 300
)

// ErrStart is a program that cannot be started, or that does not say hello.
var ErrStart = errors.New("the implementation cannot be started")

// A Hello is what an implementation says of itself.
type Hello struct {
	Name, Version string
	Ops           []string
	Algorithms    []string
	Limits        Object
}

// A Fault is a way in which an implementation fails a case. The zero value is none.
type Fault string

const (
	FaultAnswer Fault = "wrong_answer"
	FaultHang   Fault = "hang"           // no answer in time
	FaultCrash  Fault = "crash"          // it ended
	FaultClosed Fault = "closed_output"  // it goes on, and cannot answer any more
	FaultLine   Fault = "no_answer"      // a line that is none, or none to this case
	FaultTwice  Fault = "answered_twice" // more than one line for a case
)

// A fall is a fault with what there is to say about it.
type fall struct {
	fault  Fault
	detail string
	said   []string // the last lines of standard error, where the program has ended
}

// A port is an implementation that runs as a process of its own and speaks JSON lines.
type port struct {
	hello   Hello
	timeout time.Duration

	ctx     context.Context
	cmd     *exec.Cmd
	kill    context.CancelFunc
	in      io.WriteCloser
	lines   <-chan portLine
	written chan struct{} // closed once the last request was read
	said    tail
	ended   bool
}

// A portLine is a line without its line feed, or why there is none.
type portLine struct {
	text []byte
	long bool // it goes on behind text
}

// startPort starts a program and asks it who it is.
func startPort(ctx context.Context, command []string, timeout time.Duration) (*port, error) {
	inner, kill := context.WithCancel(ctx)
	p := &port{ctx: ctx, timeout: timeout, kill: kill, cmd: exec.CommandContext(inner, command[0], command[1:]...)}
	p.cmd.Stderr = &p.said
	p.cmd.WaitDelay = holdDelay
	separate(p.cmd)
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		p.in, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		kill()
		return nil, fmt.Errorf("%w: %w", ErrStart, err)
	}
	lines := make(chan portLine)
	p.lines = lines
	go readLines(inner, out, lines)
	if f := p.sayHello(); f != nil {
		p.stop()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("%w: hello: %s%s", ErrStart, f.detail, inWords(f.said))
	}
	return p, nil
}

// inWords is what a program has said on its standard error, for the end of a sentence.
func inWords(said []string) string {
	if len(said) == 0 {
		return ""
	}
	return fmt.Sprintf("; it said %q", said)
}

// readLines sends each line and closes the channel at the end of the output, or behind a line that is too long.
func readLines(ctx context.Context, out io.Reader, lines chan<- portLine) {
	defer close(lines)
	in := bufio.NewReaderSize(out, maxAnswer)
	for {
		text, err := in.ReadSlice('\n')
		if len(text) == 0 {
			return
		}
		line := portLine{bytes.Clone(bytes.TrimSuffix(text, []byte("\n"))), errors.Is(err, bufio.ErrBufferFull)}
		select {
		case lines <- line:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// sayHello asks who the program is. A short time limit is not one for starting an interpreter.
func (p *port) sayHello() *fall {
	within := max(p.timeout, DefaultTimeout)
	limit := time.NewTimer(within)
	defer limit.Stop()
	p.send(object(memberOp, "hello"))
	o, f := p.next(limit.C, within)
	if f != nil {
		return f
	}
	r := &reader{where: "hello"}
	p.hello = Hello{Name: take[string](r, o, "name"), Version: take[string](r, o, "version"), Ops: r.strings(o, "ops"),
		Limits: takeOr[Object](r, o, "limits")}
	if _, ok := o.Find("algorithms"); ok {
		p.hello.Algorithms = r.strings(o, "algorithms")
	}
	if r.err != nil {
		return &fall{fault: FaultLine, detail: fmt.Sprintf("%v: it answers %s", r.err, shown(marshal(o)))}
	}
	return nil
}

// send writes a request. It does not wait until the program has read it.
func (p *port) send(request Object) {
	text := append(marshal(request), '\n')
	written := make(chan struct{})
	p.written = written
	go func() {
		defer close(written)
		p.in.Write(text) // where this fails the program has gone, and there is no answer
	}()
}

// next waits for a line and reads it.
func (p *port) next(limit <-chan time.Time, within time.Duration) (Object, *fall) {
	select {
	case line, more := <-p.lines:
		switch {
		case !more:
			return nil, p.gone()
		case line.long:
			return nil, &fall{fault: FaultLine, detail: fmt.Sprintf("a line of more than %d bytes: %s", maxAnswer, shown(line.text))}
		}
		v, err := parseValue(line.text)
		if err != nil {
			return nil, &fall{fault: FaultLine, detail: fmt.Sprintf("a line that is no JSON (%v): %s", err, shown(line.text))}
		}
		o, ok := v.(Object)
		if !ok {
			return nil, &fall{fault: FaultLine, detail: "a line that is no object: " + shown(line.text)}
		}
		return o, nil
	case <-limit:
		return nil, late(within)
	case <-p.ctx.Done():
		return nil, &fall{fault: FaultHang, detail: "interrupted"}
	}
}

func late(within time.Duration) *fall {
	return &fall{fault: FaultHang, detail: fmt.Sprintf("no answer within %s; the process was killed", within)}
}

// gone says how a program has gone that has closed its output.
func (p *port) gone() *fall {
	status, inTime := p.wait(endDelay)
	if !inTime {
		return &fall{FaultClosed, "it closed its standard output and went on; the process was killed", p.said.lines()}
	}
	return &fall{FaultCrash, "the process ended: " + status, p.said.lines()}
}

// answer asks a case. Lines that answer the case before it once more go to again.
func (p *port) answer(c *Case, before string, again func(line Object)) (Object, *fall) {
	limit := time.NewTimer(p.timeout)
	defer limit.Stop()
	p.send(object(memberID, c.ID, memberOp, c.Op, memberInput, c.Input))
	for {
		o, f := p.next(limit.C, p.timeout)
		if f != nil {
			return nil, f
		}
		id, _ := o.Find(memberID)
		if id == before && before != "" {
			again(o)
			continue
		}
		if id != c.ID {
			return nil, &fall{fault: FaultLine, detail: "a line with another id: " + shown(marshal(o))}
		}
		select { // an answer is none as long as its question was not read
		case <-p.written:
			return o, nil
		case <-limit.C:
			return nil, late(p.timeout)
		case <-p.ctx.Done():
			return nil, &fall{fault: FaultHang, detail: "interrupted"}
		}
	}
}

// finish lets the program end by itself: its input ends. What it still says goes to more; the words say what is to be said of
// the way it went, "" for nothing.
func (p *port) finish(more func(line string)) string {
	if p.ended {
		return ""
	}
	p.in.Close()
	limit := time.NewTimer(endDelay)
	defer limit.Stop()
	for {
		select {
		case line, ok := <-p.lines:
			if ok {
				more(string(line.text))
				continue
			}
			status, inTime := p.wait(endDelay)
			switch {
			case !inTime:
				return "it closed its output at the end of its input and went on; it was killed"
			case status != exitedWell:
				return "at the end of its input it ended with " + status + inWords(p.said.lines())
			}
			return ""
		case <-limit.C:
			p.stop()
			return fmt.Sprintf("it went on for %s when its input had ended; it was killed", endDelay)
		case <-p.ctx.Done():
			p.stop()
			return ""
		}
	}
}

// stop kills the program and everything that it has started.
func (p *port) stop() {
	p.kill()
	p.wait(endDelay)
}

const exitedWell = "exit status 0"

// wait waits for the end of the program, and kills it where that is not in time. It kills what the program has left behind.
func (p *port) wait(limit time.Duration) (status string, inTime bool) {
	if p.ended {
		return "", true
	}
	p.ended, inTime = true, true
	exited := make(chan struct{})
	go func() {
		defer close(exited)
		p.cmd.Wait() // its state says what there is to say
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-exited:
	case <-timer.C:
		inTime = false
		p.kill()
		<-exited
	}
	p.kill()
	killAll(p.cmd.Process) // where its leader has ended, the group may live
	return p.cmd.ProcessState.String(), inTime
}

// shown is a line of a program as it stands in a report.
func shown(line []byte) string {
	if len(line) > maxShown {
		return fmt.Sprintf("%q and %d bytes more", line[:maxShown], len(line)-maxShown)
	}
	return fmt.Sprintf("%q", line)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const (
	maxTail      = 8 << 10
	maxTailLines = 10
)

// Write implements io.Writer. It does not fail.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// lines returns the last lines, each cut.
func (t *tail) lines() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []string
	for line := range strings.Lines(string(t.text)) {
		line = strings.TrimRight(line, "\r\n")
		if len(line) > maxShown {
			line = line[:maxShown] + "…"
		}
		list = append(list, line)
	}
	return list[max(0, len(list)-maxTailLines):]
}
