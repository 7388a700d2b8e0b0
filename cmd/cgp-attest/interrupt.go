package main

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// interruptions returns a context that SIGINT and SIGTERM end, once it is listened for them, and what begins to listen. The second
// signal ends the process at once, as every one does in front of that.
func interruptions() (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	return ctx, sync.OnceFunc(func() {
		heard := make(chan os.Signal, 1)
		signal.Notify(heard, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-heard
			signal.Stop(heard)
			cancel()
		}()
	})
}

// Listening takes the runtime two more threads, a sixth of what the shortest runs take. A run that waits for nobody and leaves nothing
// behind when it ends at once begins to listen after a moment, for which it should not last.
const (
	moment     = 10 * time.Millisecond
	briefInput = 64 << 10 // bytes
)

// listenLate begins to listen, at once or, where the run is brief, after a moment.
func (env *environment) listenLate(brief bool) {
	if brief && env.listen != nil {
		time.AfterFunc(moment, env.listen)
		return
	}
	env.listenNow()
}

func (env *environment) listenNow() {
	if env.listen != nil {
		env.listen()
	}
}

// brief reports whether a run reads some small files and writes none.
func (f *verifyFlags) brief(paths []string) bool {
	if len(f.reports) > 0 || len(f.sourceRoots) > 0 || f.output != "" && f.output != os.DevNull {
		return false
	}
	size := int64(0)
	for _, name := range slices.Concat(paths, f.trustFiles, f.keyFiles) {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		size += info.Size()
	}
	return size <= briefInput
}
