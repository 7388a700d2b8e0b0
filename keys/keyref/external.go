package keyref

import (
	"bufio"
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"contextgraphprotocol.org/cgp-attest/sign"
)

const (
	// maxAnswer is the longest line in bytes that an external signer may answer with.
	maxAnswer = 64 << 10
	// killDelay is how long an external signer that was told to end may take before it is killed.
	killDelay = 2 * time.Second
)

// An external is a program that signs. It is started once, reads requests from its standard input and answers each with a line
// on its standard output; protocol.go has the lines. After the first fault it is ended, and the fault is told again.
type external struct {
	ctx        context.Context
	timeout    time.Duration
	algorithms sign.Algorithms
	public     sign.PublicKey

	mu      sync.Mutex // one request at a time
	command *exec.Cmd
	end     context.CancelFunc // tells the program to end, and has it killed after killDelay
	input   io.WriteCloser
	answers <-chan answer
	says    *lineWriter
	fault   error
	ended   bool
}

// An answer is a line from the program, or why there is none.
type answer struct {
	line []byte
	err  error
}

// openExternal starts the program and asks it for its public key.
func openExternal(ctx context.Context, ref Reference, opt *Options) (*Key, error) {
	e, err := start(ctx, ref.Name, opt)
	if err != nil {
		return nil, err
	}
	if e.public, err = e.askPublicKey(); err != nil {
		e.close() // says nothing that err does not
		return nil, err
	}
	return newKey(ref, e, e.public, e.close), nil
}

// start starts the program at a path, which is not looked up anywhere. It has no arguments.
func start(ctx context.Context, path string, opt *Options) (*external, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSignerStart, err)
	}
	inner, end := context.WithCancel(ctx)
	e := &external{
		ctx: ctx, timeout: opt.requestTimeout(), algorithms: opt.algorithms(), end: end, says: &lineWriter{say: opt.SignerSays},
	}
	e.command = exec.CommandContext(inner, path)
	e.command.Env = signerEnvironment(os.Environ())
	e.command.Stderr = e.says
	e.command.WaitDelay = killDelay
	separate(e.command)
	output, err := e.command.StdoutPipe()
	if err == nil {
		e.input, err = e.command.StdinPipe()
	}
	if err == nil {
		err = e.command.Start()
	}
	if err != nil {
		end()
		return nil, fmt.Errorf("%w: %w", ErrSignerStart, unwrapPath(err))
	}
	answers := make(chan answer)
	e.answers = answers
	go readAnswers(inner, output, answers)
	return e, nil
}

// readAnswers sends each line, without the line feed, and closes the channel at the end of the output.
func readAnswers(ctx context.Context, output io.Reader, answers chan<- answer) {
	defer close(answers)
	in := bufio.NewReaderSize(output, maxAnswer)
	for {
		line, err := in.ReadSlice('\n')
		a := answer{line: bytes.Clone(bytes.TrimSuffix(line, []byte("\n")))}
		if errors.Is(err, bufio.ErrBufferFull) {
			a = answer{err: fmt.Errorf("%w: a line of more than %d bytes", ErrSignerProtocol, maxAnswer)}
		} else if len(line) == 0 {
			return
		}
		select {
		case answers <- a:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// Public implements crypto.Signer.
func (e *external) Public() crypto.PublicKey {
	if e.public.Algorithm == sign.Ed25519 {
		return ed25519.PublicKey(e.public.Bytes)
	}
	return e.public
}

// exchange sends one request, a line with its line feed, and returns the line that answers it.
func (e *external) exchange(request []byte) ([]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case e.fault != nil:
		return nil, e.fault
	case e.ended:
		return nil, errors.New("the external signer is closed")
	}
	limit := time.NewTimer(e.timeout)
	defer limit.Stop()
	written := make(chan struct{})
	go func() {
		defer close(written)
		e.input.Write(request) // where this fails the program has gone, and there is no answer
	}()
	line, err := e.next(limit.C)
	if err == nil {
		select { // an answer is none as long as its request was not read
		case <-written:
		case <-limit.C:
			err = e.late()
		case <-e.ctx.Done():
			err = e.ctx.Err()
		}
	}
	return line, e.note(err)
}

// note keeps the first fault, and ends the program for it.
func (e *external) note(fault error) error {
	if fault != nil {
		e.fault = fault
		e.end()
	}
	return fault
}

// next waits for a line.
func (e *external) next(limit <-chan time.Time) ([]byte, error) {
	select {
	case a, more := <-e.answers:
		if !more {
			return nil, e.early()
		}
		return a.line, a.err
	case <-limit:
		return nil, e.late()
	case <-e.ctx.Done():
		return nil, e.ctx.Err()
	}
}

func (e *external) late() error {
	return fmt.Errorf("%w: the external signer needs more than %s", ErrTimeout, e.timeout)
}

// early is the error of a program that has closed its output where an answer was due.
func (e *external) early() error {
	limit := time.NewTimer(killDelay)
	defer limit.Stop()
	if err := e.wait(limit.C); err != nil {
		return err
	}
	return fmt.Errorf("%w before it answered", ErrSignerEnded)
}

// close lets the program end by itself: its input ends, and it must follow with status 0 and without another word.
func (e *external) close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.ended {
		return nil
	}
	limit := time.NewTimer(e.timeout)
	defer limit.Stop()
	e.input.Close()
	select {
	case _, more := <-e.answers:
		if more && e.fault == nil {
			e.note(fmt.Errorf("%w: it says more than it was asked for", ErrSignerProtocol))
		}
	case <-limit.C:
		e.note(e.late())
	case <-e.ctx.Done():
		e.note(e.ctx.Err())
	}
	told := e.fault
	if err := e.wait(limit.C); told == nil {
		return err
	}
	return told
}

// wait waits for the end of the program, whose output has ended or which was told to end, and returns what is to be said of the
// way it went.
func (e *external) wait(limit <-chan time.Time) error {
	e.ended = true
	exited := make(chan error, 1)
	go func() { exited <- e.command.Wait() }()
	var err error
	select {
	case status := <-exited:
		// A program that it has left behind, with its standard error open, does not matter.
		if status != nil && !errors.Is(status, exec.ErrWaitDelay) {
			err = fmt.Errorf("%w: %w", ErrSignerEnded, status)
		}
	case <-limit:
		err = e.late()
		e.end()
		<-exited
	}
	if e.ctx.Err() != nil {
		err = e.ctx.Err()
	}
	e.end()
	e.says.flush()
	return err
}

// maxSaid is the length in bytes at which a line of an external signer's standard error is broken.
const maxSaid = 4 << 10

// A lineWriter hands on what is written to it line by line. It is for one goroutine.
type lineWriter struct {
	say     func(line string) // nil: nobody listens
	pending []byte
}

// Write implements io.Writer. It does not fail.
func (w *lineWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		line, rest, whole := bytes.Cut(p, []byte("\n"))
		if room := maxSaid - len(w.pending); len(line) > room {
			line, rest, whole = line[:room], p[room:], true
		}
		w.pending = append(w.pending, line...)
		if whole {
			w.flushLine()
		}
		p = rest
	}
	return n, nil
}

func (w *lineWriter) flushLine() {
	if w.say != nil {
		w.say(string(w.pending))
	}
	w.pending = w.pending[:0]
}

// flush hands on a last line without a line feed.
func (w *lineWriter) flush() {
	if len(w.pending) > 0 {
		w.flushLine()
	}
}
