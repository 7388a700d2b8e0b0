package fileio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Log is a file to which whole lines are appended, by any number of processes at once. Open one with [OpenLog]. It is not safe
// for concurrent use.
type Log struct {
	name    string
	target  string   // the regular file that name leads to; "" where through is written
	through *os.File // a device, a pipe or a descriptor, else nil
}

// ErrCompressed says that a file is compressed: what is appended to it as it is could not be read again.
var ErrCompressed = errors.New("is compressed: lines cannot be appended to it")

// logRetry is how long a Log waits before it tries again for the lock. It is held for one write, and whoever holds it may want it
// again at once: who looks seldom would wait long.
const logRetry = time.Millisecond

// OpenLog opens the log of this name, through symbolic links, and creates it where nothing is there. It refuses what is
// compressed (ErrCompressed). What is there and is no regular file is opened to be written straight through; that waits for
// the reader of a pipe, until ctx ends.
func OpenLog(ctx context.Context, name string) (*Log, error) {
	target, err := follow(name)
	if err != nil {
		return nil, err
	}
	if fd, ok := descriptor(target); ok {
		out, err := duplicate(fd)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: name, Err: err}
		}
		return &Log{name: name, through: out}, nil
	}
	if info, err := os.Stat(target); err == nil && !info.Mode().IsRegular() {
		out, err := openThrough(ctx, target)
		if err != nil {
			return nil, err
		}
		return &Log{name: name, through: out}, nil
	}
	l := &Log{name: name, target: target}
	end, err := l.open()
	if err != nil {
		return nil, err
	}
	return l, end.close()
}

// Append appends lines, each with its line feed, in one write, and makes them durable. It waits for other processes until ctx
// ends. Where the file does not end with a line feed, because who wrote it was killed, one is put in front of the lines: what
// was cut stands alone. After an error the file is as long as it was, unless another program that does not lock it has appended
// meanwhile, which the error says: then nothing is cut.
//
// The file is looked for anew each time: one that was moved away in between is not written to any more. What is written
// straight through is neither locked nor made durable, and a part of it may be written.
func (l *Log) Append(ctx context.Context, lines []byte) (err error) {
	if l.through != nil {
		_, err := l.through.Write(lines)
		return err
	}
	unlock, err := lock(ctx, l.target, logRetry)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	end, err := l.open()
	if err != nil {
		return err
	}
	return errors.Join(end.write(lines), end.close())
}

// Durable reports whether Append locks, makes lines durable and takes back what could not be written whole. What is written
// straight through it does not.
func (l *Log) Durable() bool { return l.through == nil }

// Close closes what is written straight through.
func (l *Log) Close() error {
	if l.through == nil {
		return nil
	}
	return l.through.Close()
}

// An openLog is a log's file while something is appended. On Windows a file that is opened for appending cannot be cut, so it is
// open twice: who appends without asking for the lock, as a shell does with >>, loses nothing to us.
type openLog struct {
	file *os.File // to read, cut and sync
	end  *os.File // to append
	size int64
	cut  bool // the file does not end with a line feed
}

func (l *Log) open() (*openLog, error) {
	_, err := os.Lstat(l.target)
	created := errors.Is(err, fs.ErrNotExist)
	const perm = 0o666 // less what the umask takes
	o := &openLog{}
	if o.file, err = os.OpenFile(l.target, os.O_RDWR|os.O_CREATE, perm); err != nil {
		return nil, err
	}
	if o.end, err = os.OpenFile(l.target, os.O_WRONLY|os.O_APPEND, 0); err == nil {
		err = o.look(l.name)
	}
	if err == nil && created {
		err = syncFolder(filepath.Dir(l.target))
	}
	if err != nil {
		return nil, errors.Join(err, o.close())
	}
	return o, nil
}

// look reads how long the file is, how it begins and how it ends.
func (o *openLog) look(name string) error {
	info, err := o.file.Stat()
	if err != nil {
		return err
	}
	if other, err := o.end.Stat(); err != nil || !os.SameFile(info, other) {
		return errors.Join(err, &fs.PathError{Op: "open", Path: name, Err: errors.New("was replaced at this moment")})
	}
	if o.size = info.Size(); o.size == 0 {
		return nil
	}
	var head, last [4]byte
	n, err := o.file.ReadAt(head[:min(o.size, int64(len(head)))], 0)
	if err == nil && compressed(head[:n]) {
		err = ErrCompressed
	}
	if err == nil {
		_, err = o.file.ReadAt(last[:1], o.size-1)
	}
	if err != nil {
		return &fs.PathError{Op: "open", Path: name, Err: err}
	}
	o.cut = last[0] != '\n'
	return nil
}

// compressed reports whether a file that begins so is gzip (RFC 1952 §2.3.1) or zstd (RFC 8878 §3.1.1, §3.1.2).
func compressed(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		len(head) == 4 && head[0]&0xf0 == 0x50 && bytes.HasSuffix(head, []byte{0x2a, 0x4d, 0x18})
}

func (o *openLog) write(lines []byte) error {
	if o.cut {
		lines = append([]byte{'\n'}, lines...)
	}
	n, err := o.end.Write(lines)
	if err == nil {
		err = o.file.Sync()
	}
	if err == nil {
		return nil
	}
	return o.takeBack(n, err)
}

// takeBack cuts off the n bytes of an append that failed with err. Where the file is not as long as they make it, somebody who asks
// for no lock has appended meanwhile, as a shell does with >>: nothing is cut.
func (o *openLog) takeBack(n int, err error) error {
	info, cut := o.file.Stat()
	if cut == nil && info.Size() != o.size+int64(n) {
		return fmt.Errorf("%w; another program has appended meanwhile, and a part of the lines may stand in front of that or behind it", err)
	}
	if cut == nil {
		cut = o.file.Truncate(o.size)
	}
	if cut != nil {
		return fmt.Errorf("%w; a part may stand at the end: %w", err, cut)
	}
	return err
}

func (o *openLog) close() error {
	err := o.file.Close()
	if o.end != nil {
		err = errors.Join(err, o.end.Close())
	}
	return err
}
