package fileio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// lockRetry is how long Lock waits before it tries again.
const lockRetry = 20 * time.Millisecond

// Lock takes the lock that all who change the file of this name agree on, and waits for it until ctx ends. The file itself cannot
// carry the lock, for [File.Commit] puts another file in its place: what is locked is a file of the same name with .lock behind
// it, which is created empty and stays. The lock ends with unlock, or with the process.
//
// It keeps out only those who ask for it. Whoever reads needs none. What is there and is no regular file cannot be locked.
func Lock(ctx context.Context, name string) (unlock func() error, err error) {
	return lock(ctx, name, lockRetry)
}

func lock(ctx context.Context, name string, retry time.Duration) (unlock func() error, err error) {
	target, err := follow(name)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		return nil, &fs.PathError{Op: "lock", Path: name, Err: errors.New("is no regular file")}
	}
	const perm = 0o666 // less what the umask takes: who may write into the folder may wait for the lock
	held := flock.New(target+".lock", flock.SetPermissions(perm))
	if _, err := held.TryLockContext(ctx, retry); err != nil {
		return nil, fmt.Errorf("locking %q: %w", name, err)
	}
	return held.Unlock, nil
}
