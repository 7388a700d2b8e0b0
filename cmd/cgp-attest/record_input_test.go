package main

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"
)

// pieces gives one string a read and says so, and then blocks.
type pieces struct {
	rest []string
	read chan int // how many are left
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		select {}
	}
	n := copy(b, p.rest[0])
	p.rest = p.rest[1:]
	p.read <- len(p.rest)
	return n, nil
}

// What was read when an interruption comes is delivered, also what nobody has asked for yet; nothing more is read.
func TestReadToEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := &pieces{rest: []string{"a", "b", "c"}, read: make(chan int)}
	r := readToEnd(ctx, in)
	if left := <-in.read; left != 2 {
		t.Fatalf("%d pieces are left, want 2", left)
	}
	if left := <-in.read; left != 1 {
		t.Fatalf("%d pieces are left, want 1", left)
	}
	for ahead, reading := r.(*toEnd), true; reading; { // until the second piece is in hand
		ahead.mu.Lock()
		reading = ahead.reading
		ahead.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
	cancel()
	if got, err := io.ReadAll(r); string(got) != "ab" || !errors.Is(err, context.Canceled) {
		t.Errorf("read %q, %v, want %q and then %v", got, err, "ab", context.Canceled)
	}
	ctx, cancel = context.WithCancel(context.Background())
	r = readToEnd(ctx, &pieces{})
	cancel()
	if got, err := io.ReadAll(r); len(got) > 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("of an input that gives nothing: %q, %v, want %v", got, err, context.Canceled)
	}
}
