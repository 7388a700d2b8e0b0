package testvectors

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"time"
)

// An Oracle is another implementation that answers cases.
type Oracle interface {
	Answer(c *Case) (Result, error)
}

// ErrOracle is an oracle that does not speak the conversation of cgp-attest-vectors/1.
var ErrOracle = errors.New("the oracle does not answer as the format has it")

// A Process is an Oracle that runs as a process of its own and speaks JSON lines.
type Process struct {
	Name, Version string
	Ops           []string
	Algorithms    []string
	Timeout       time.Duration // for one answer; 0 is OracleTimeout

	cmd  *exec.Cmd
	kill context.CancelFunc
	in   io.WriteCloser
	pipe io.Closer // that out reads from
	out  *bufio.Reader
}

// OracleTimeout is how long an oracle may take for one answer, hello too. It is not started again, so there is time for the
// largest case on a busy machine.
const OracleTimeout = time.Minute

// Start starts a command and asks it who it is. The command ends when ctx does, or by Close.
func Start(ctx context.Context, command []string, stderr io.Writer) (*Process, error) {
	if len(command) == 0 {
		return nil, fmt.Errorf("testvectors: %w: there is no command", ErrOracle)
	}
	inner, kill := context.WithCancel(ctx)
	p := &Process{cmd: exec.CommandContext(inner, command[0], command[1:]...), kill: kill}
	p.cmd.Stderr = stderr
	p.cmd.WaitDelay = holdDelay
	separate(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		kill()
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		kill()
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	p.in, p.pipe, p.out = in, out, bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		kill()
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	hello, err := p.ask(object(memberOp, "hello"))
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	r := &reader{where: "hello"}
	p.Name, p.Version, p.Ops = take[string](r, hello, "name"), take[string](r, hello, "version"), r.strings(hello, "ops")
	if _, said := hello.Find("algorithms"); said {
		p.Algorithms = r.strings(hello, "algorithms")
	}
	if r.err != nil {
		p.Close()
		return nil, fmt.Errorf("testvectors: %w: %w", ErrOracle, r.err)
	}
	return p, nil
}

// Close ends the process and waits for it.
func (p *Process) Close() error {
	defer p.kill()
	p.in.Close()
	return p.cmd.Wait()
}

// ask sends one line and reads one, within the time limit.
func (p *Process) ask(question Object) (o Object, err error) {
	limit := p.Timeout
	if limit == 0 {
		limit = OracleTimeout
	}
	// What ends the process ends the wait too: a write and a read that hang have an error then. The pipe may be held by
	// programs that the process has started.
	watch := time.AfterFunc(limit, func() {
		p.kill()
		p.pipe.Close()
	})
	defer func() {
		if !watch.Stop() {
			o, err = nil, fmt.Errorf("%w: no answer within %s", ErrOracle, limit)
		}
	}()
	if _, err := p.in.Write(append(marshal(question), '\n')); err != nil {
		return nil, fmt.Errorf("%w: it takes no question: %w", ErrOracle, err)
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return nil, fmt.Errorf("%w: it gives no answer: %w", ErrOracle, err)
	}
	v, err := parseValue(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrOracle, err)
	}
	o, ok := v.(Object)
	if !ok {
		return nil, fmt.Errorf("%w: a line is no object", ErrOracle)
	}
	return o, nil
}

// Answer implements Oracle. An op or an algorithm that the process does not have is unsupported.
func (p *Process) Answer(c *Case) (Result, error) {
	result, _, err := p.AnswerInSteps(c)
	return result, err
}

// AnswerInSteps returns the answer to a case and the intermediate values that came with it, nil for none.
func (p *Process) AnswerInSteps(c *Case) (Result, Object, error) {
	if !slices.Contains(p.Ops, c.Op) || !c.isFor(p.Algorithms) {
		return Result{Unsupported: true}, nil, nil
	}
	o, err := p.ask(object(memberID, c.ID, memberOp, c.Op, memberInput, c.Input))
	if err != nil {
		return Result{}, nil, err
	}
	if id, _ := o.Find(memberID); id != c.ID {
		return Result{}, nil, fmt.Errorf("%w: the answer is to %v", ErrOracle, id)
	}
	if v, _ := o.Find("unsupported"); v == true {
		return Result{Unsupported: true}, nil, nil
	}
	r := &reader{where: "answer"}
	result, steps := r.result(o), takeOr[Object](r, o, memberSteps)
	if r.err != nil {
		return Result{}, nil, fmt.Errorf("%w: %w", ErrOracle, r.err)
	}
	return result, steps, nil
}
