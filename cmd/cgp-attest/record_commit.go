package main

import (
	"bytes"
	"sync"
)

// maxGroup is from how many bytes on a groupCommit takes no more before it has handed them on.
const maxGroup = 1 << 20

// A groupCommit hands whole lines on in groups: what came in while the last group was made durable is the next one. So a line that
// comes alone waits for nothing, and where many come the disk is waited for seldom.
type groupCommit struct {
	append func(lines []byte) error
	failed func() // called once, on an error of append
	done   chan struct{}

	mu       sync.Mutex
	changed  sync.Cond
	pending  []byte
	closed   bool
	err      error
	appended int // lines that append took
}

// newGroupCommit returns a groupCommit under way. It ends with close.
func newGroupCommit(append func(lines []byte) error, failed func()) *groupCommit {
	g := &groupCommit{append: append, failed: failed, done: make(chan struct{})}
	g.changed.L = &g.mu
	go g.run()
	return g
}

// Write takes whole lines. It implements io.Writer.
func (g *groupCommit) Write(lines []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(g.pending) >= maxGroup && g.err == nil {
		g.changed.Wait()
	}
	if g.err != nil {
		return 0, g.err
	}
	g.pending = append(g.pending, lines...)
	g.changed.Broadcast()
	return len(lines), nil
}

func (g *groupCommit) run() {
	defer close(g.done)
	var group []byte
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		for len(g.pending) == 0 && !g.closed {
			g.changed.Wait()
		}
		if len(g.pending) == 0 {
			return
		}
		group, g.pending = g.pending, group[:0]
		g.changed.Broadcast()
		g.mu.Unlock()
		err := g.append(group)
		g.mu.Lock()
		if err != nil {
			g.err = err
			g.changed.Broadcast()
			g.failed()
			return
		}
		g.appended += bytes.Count(group, []byte{'\n'})
	}
}

// close waits until everything is handed on. It returns the number of lines that append took, and its error.
func (g *groupCommit) close() (appended int, err error) {
	g.mu.Lock()
	g.closed = true
	g.changed.Broadcast()
	g.mu.Unlock()
	<-g.done
	return g.appended, g.err
}
