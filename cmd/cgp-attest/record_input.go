package main

import (
	"context"
	"io"
	"os"
	"sync"
)

// openToEnd opens an input whose bytes are all given on: what was read when ctx ends is delivered before the error of ctx.
func (env *environment) openToEnd(ctx context.Context, path string) (io.ReadCloser, error) {
	if path == standardInput {
		return readCloser{readToEnd(ctx, env.stdin), io.NopCloser(nil)}, nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return readCloser{readToEnd(ctx, &opening{path: path}), io.NopCloser(nil)}, nil
	}
	file, _, err := openFile(path)
	if err != nil {
		return nil, err
	}
	return readCloser{readToEnd(ctx, file), file}, nil
}

// An opening is what a path leads to, opened by the first Read, which waits: a pipe opens when somebody writes to it.
type opening struct {
	path string
	file *os.File
}

func (o *opening) Read(p []byte) (n int, err error) {
	if o.file == nil {
		if o.file, err = os.Open(o.path); err != nil {
			return 0, err
		}
	}
	return o.file.Read(p)
}

// A toEnd reads ahead of its reader by one chunk.
type toEnd struct {
	ctx context.Context
	in  io.Reader

	mu      sync.Mutex
	changed sync.Cond
	unread  []byte // what was read and not yet delivered
	err     error  // of in, or of ctx
	reading bool   // a read of in is under way, and may be for ever
}

const chunk = 64 << 10

func readToEnd(ctx context.Context, in io.Reader) io.Reader {
	r := &toEnd{ctx: ctx, in: in}
	r.changed.L = &r.mu
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.changed.Broadcast()
	})
	go r.ahead()
	return r
}

func (r *toEnd) ahead() {
	buffers := [2][]byte{make([]byte, chunk), make([]byte, chunk)}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := 0; r.err == nil; n ^= 1 {
		if r.err = r.ctx.Err(); r.err != nil {
			break
		}
		r.reading = true
		r.mu.Unlock()
		k, err := r.in.Read(buffers[n])
		r.mu.Lock()
		r.reading = false
		for len(r.unread) > 0 {
			r.changed.Wait()
		}
		r.unread, r.err = buffers[n][:k], err
		r.changed.Broadcast()
	}
	r.changed.Broadcast()
}

// Read implements io.Reader.
func (r *toEnd) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for len(r.unread) == 0 && r.err == nil && !(r.reading && r.ctx.Err() != nil) {
		r.changed.Wait()
	}
	if len(r.unread) > 0 {
		n := copy(p, r.unread)
		r.unread = r.unread[n:]
		r.changed.Broadcast()
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return 0, r.ctx.Err()
}
