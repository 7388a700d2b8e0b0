package archive

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/debug"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Over maxExpansion bytes out of each byte in, across any expansionSpan bytes of output, an input ends: nothing that
// anybody stores compresses so well, and what does is made to keep its reader busy. It is looked at every expansionStep
// bytes of output.
const (
	maxExpansion  = 1_000
	expansionSpan = 64 << 20
	expansionStep = 1 << 20
)

// aheadSize is how many decompressed bytes wait for the reader of an input.
const aheadSize = 1 << 20

// Decompress returns a reader of in that decompresses it if it begins as gzip (RFC 1952) or zstd (RFC 8878) does, whatever
// its name, and that gives every other input as it is. Several gzip members, or zstd frames, one behind the other are one
// input. It reads nothing before its first Read, and then no more than it needs to tell.
//
// What stands in front of a fault comes first, then the fault, which stays: an error of in itself; a *[RecordError] with the
// code [ErrorCorruptCompression] or [ErrorExpansionLimit], with At in decompressed bytes and without a Source; or what wraps
// [ErrInternal].
//
// Compressed input is read in a goroutine of its own, ahead of the reader, until it ends or the reader is closed. Closing
// leaves in open. No Read of in begins after Close, but one may be under way then: close in to end it.
func Decompress(in io.Reader, limits Limits) io.ReadCloser {
	return &opened{in: in, window: min(max(limits.withDefaults().Window, zstd.MinWindowSize), maxWindow)}
}

// An opened is an input of which the beginning has been looked at, or is about to be. It is not safe for concurrent use.
type opened struct {
	in     io.Reader
	window int64
	out    io.Reader      // nil before the first Read
	ahead  *decompression // nil unless the input is compressed
}

func (o *opened) Read(p []byte) (int, error) {
	if o.out == nil {
		o.open()
	}
	return o.out.Read(p)
}

func (o *opened) open() {
	head := &beginning{in: o.in}
	f := head.recognise()
	if f == nil {
		o.out = head
		return
	}
	o.ahead = newDecompression(head, f, o.window)
	o.out = o.ahead
	go o.ahead.run()
}

func (o *opened) Close() error {
	if o.ahead != nil {
		o.ahead.stop()
	}
	o.out = closed{}
	return nil
}

// closed is what a reader reads from once it is closed.
type closed struct{}

func (closed) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A format is a way of compressing.
type format struct {
	name   string
	decode func(d *decompression) error
	fault  func(d *decompression, err error) (ErrorCode, string) // what an error of decode comes to
}

var (
	gzipFormat = &format{"gzip", (*decompression).gunzip, (*decompression).gzipFault}
	zstdFormat = &format{"zstd", (*decompression).unzstd, (*decompression).zstdFault}
)

const (
	gzipMagic = "\x1f\x8b"
	zstdMagic = "\x28\xb5\x2f\xfd"
)

// magics are how compressed inputs begin. Of the first byte the bits in mask count.
var magics = []struct {
	format *format
	text   string
	mask   byte
}{
	{gzipFormat, gzipMagic, 0xff},
	{zstdFormat, zstdMagic, 0xff},
	{zstdFormat, "\x50\x2a\x4d\x18", 0xf0}, // a skippable frame
}

// recognise returns the format of an input that begins with b, nil for none, and whether that is certain: more bytes may
// have to be seen.
func recognise(b []byte) (f *format, certain bool) {
	certain = true
	for _, m := range magics {
		n := min(len(b), len(m.text))
		if n > 0 && (b[0]&m.mask != m.text[0] || string(b[1:n]) != m.text[1:n]) {
			continue
		}
		if n == len(m.text) {
			return m.format, true
		}
		certain = false
	}
	return nil, certain
}

// A beginning is an input of which the first bytes are read first, and are given all the same.
type beginning struct {
	in     io.Reader
	buf    [len(zstdMagic)]byte
	unread []byte // of buf
	err    error  // that came with the last of them
}

// recognise returns the format of the input, nil for none. It reads no byte that comes behind one that rules every magic out,
// and waits for none.
func (b *beginning) recognise() (f *format) {
	for n, empty := 0, 0; ; {
		var certain bool
		if f, certain = recognise(b.buf[:n]); certain || b.err != nil {
			return f
		}
		if empty == maxEmptyReads {
			b.err = io.ErrNoProgress
			return nil
		}
		read, err := b.in.Read(b.buf[n:])
		n, b.err = n+read, err
		b.unread = b.buf[:n]
		if empty++; read > 0 {
			empty = 0
		}
	}
}

// maxEmptyReads is the number of reads without bytes and without an error after which a reader is given up.
const maxEmptyReads = 100

func (b *beginning) Read(p []byte) (int, error) {
	if len(b.unread) > 0 {
		n := copy(p, b.unread)
		b.unread = b.unread[n:]
		return n, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	return b.in.Read(p)
}

// A decompression runs ahead of its reader: run fills a ring, Read empties it.
type decompression struct {
	in     *compressed
	format *format
	window int64 // the largest that a zstd frame may want
	meter  meter
	out    int64 // bytes that came out

	mu      sync.Mutex
	changed sync.Cond // something came into the ring or left it, or the end is near
	ring    []byte
	first   int   // index in ring of the first byte that waits
	waiting int   // bytes that wait
	err     error // behind them; nil while run goes on
	stopped bool
}

func newDecompression(in io.Reader, f *format, window int64) *decompression {
	d := &decompression{format: f, window: window, ring: make([]byte, aheadSize)}
	d.changed.L = &d.mu
	d.in = &compressed{source: in, goesOn: d.goesOn}
	d.in.Reader = bufio.NewReaderSize((*sourceReader)(d.in), 64<<10)
	return d
}

// Read takes what waits, and blocks where nothing does.
func (d *decompression) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.waiting == 0 && d.err == nil {
		d.changed.Wait()
	}
	if d.waiting == 0 {
		return 0, d.err
	}
	n := copy(p, d.ring[d.first:min(d.first+d.waiting, len(d.ring))])
	d.first = (d.first + n) % len(d.ring)
	d.waiting -= n
	d.changed.Broadcast()
	return n, nil
}

// errStopped ends a decompression that nobody reads any more.
var errStopped = errors.New("the reader is closed")

// Write puts b into the ring, as there is room, and ends the decompression where the input expands beyond measure.
func (d *decompression) Write(b []byte) (int, error) {
	for rest := b; len(rest) > 0; {
		n, err := d.put(rest)
		if err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	d.out += int64(len(b))
	return len(b), d.meter.check(d.in.taken, d.out)
}

func (d *decompression) put(b []byte) (int, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for d.waiting == len(d.ring) && !d.stopped {
		d.changed.Wait()
	}
	if d.stopped {
		return 0, errStopped
	}
	end := (d.first + d.waiting) % len(d.ring)
	n := copy(d.ring[end:min(end+len(d.ring)-d.waiting, len(d.ring))], b)
	d.waiting += n
	d.changed.Broadcast()
	return n, nil
}

// stop ends the decompression.
func (d *decompression) stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopped = true
	d.changed.Broadcast()
}

func (d *decompression) goesOn() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return !d.stopped
}

func (d *decompression) run() {
	err := d.decode()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
	d.changed.Broadcast()
}

// decode decompresses the input and returns what stands behind its last byte, io.EOF where all is well.
func (d *decompression) decode() (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("archive: %w: %v\n%s", ErrInternal, fault, debug.Stack())
		}
	}()
	err = d.format.decode(d)
	var expanded *expansion
	switch {
	case err == nil:
		return io.EOF
	case errors.As(err, &expanded):
		return &RecordError{At: d.out, Code: ErrorExpansionLimit, Detail: d.format.name + ": " + expanded.Error()}
	case d.in.err != nil && d.in.Buffered() == 0: // a decoder may give it under another name
		return d.in.err
	case errors.Is(err, errStopped):
		return err
	}
	code, detail := d.format.fault(d, err)
	return &RecordError{At: d.out, Code: code, Detail: d.format.name + ": " + detail}
}

// errTrailing means that behind the last member something stands that begins none.
var errTrailing = errors.New("bytes behind the last member")

// gunzip decompresses one member after the other (RFC 1952 §2.2).
func (d *decompression) gunzip() error {
	z := new(gzip.Reader)
	buf := make([]byte, 32<<10)
	for {
		if err := z.Reset(d.in); err != nil {
			return err
		}
		z.Multistream(false)
		if _, err := io.CopyBuffer(d, z, buf); err != nil {
			return err
		}
		switch head, err := d.in.Peek(len(gzipMagic)); {
		case len(head) == 0 && err == io.EOF:
			return nil
		case len(head) == 0 || len(head) < len(gzipMagic) && err != io.EOF:
			return err
		case string(head) != gzipMagic:
			return errTrailing
		}
	}
}

func (d *decompression) gzipFault(err error) (ErrorCode, string) {
	var malformed flate.CorruptInputError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrorCorruptCompression, "the input ends inside a member"
	case errors.As(err, &malformed):
		return ErrorCorruptCompression, fmt.Sprintf("the compressed data is malformed in front of compressed byte %d", d.in.taken)
	case errors.Is(err, gzip.ErrChecksum):
		return ErrorCorruptCompression, "a member's checksum or length is not that of what it holds"
	case errors.Is(err, gzip.ErrHeader):
		return ErrorCorruptCompression, "the header of a member is malformed"
	case errors.Is(err, errTrailing):
		return ErrorCorruptCompression, fmt.Sprintf("what stands at compressed byte %d, behind a member, begins no other", d.in.taken)
	}
	return ErrorCorruptCompression, err.Error()
}

// unzstd decompresses one frame after the other (RFC 8878 §3.1). The decoder holds a window and a block.
func (d *decompression) unzstd() error {
	dec, err := zstd.NewReader(d.in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(d.window)))
	if err != nil {
		return err
	}
	defer dec.Close()
	_, err = dec.WriteTo(d)
	return err
}

// maxWindow is the largest window that a decoder on every machine can be asked for.
const maxWindow = math.MaxInt32

func (d *decompression) zstdFault(err error) (ErrorCode, string) {
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return ErrorCorruptCompression, "the input ends inside a frame"
	case errors.Is(err, zstd.ErrCRCMismatch):
		return ErrorCorruptCompression, "a frame's checksum is not that of what it holds"
	case errors.Is(err, zstd.ErrMagicMismatch):
		return ErrorCorruptCompression,
			fmt.Sprintf("what stands at compressed byte %d, behind a frame, begins no other", d.in.taken-int64(len(zstdMagic)))
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		if window := d.in.lastWindow(); window > uint64(d.window) {
			return ErrorExpansionLimit, fmt.Sprintf("a frame wants a window of %d bytes, the limit is %d: --zstd-window raises it", window, d.window)
		}
	}
	return ErrorCorruptCompression, err.Error()
}

// compressed is the input of a decompression. A decoder takes no more than it needs of it.
type compressed struct {
	*bufio.Reader
	source io.Reader
	goesOn func() bool
	err    error  // of source, if it is none of a fault and not its end
	taken  int64  // bytes that the decoder took
	last   []byte // the last of them, at most zstd.HeaderMaxSize
}

func (c *compressed) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.taken += int64(n)
	if c.last = append(c.last, p[max(0, n-zstd.HeaderMaxSize):n]...); len(c.last) > zstd.HeaderMaxSize {
		c.last = append(c.last[:0], c.last[len(c.last)-zstd.HeaderMaxSize:]...)
	}
	return n, err
}

// ReadByte keeps compress/flate from reading ahead, so that taken is right.
func (c *compressed) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.taken++
	}
	return b, err
}

// lastWindow returns the window that the zstd frame wants whose header was taken last; 0 where none was.
func (c *compressed) lastWindow() uint64 {
	var h zstd.Header
	if i := bytes.LastIndex(c.last, []byte(zstdMagic)); i < 0 || h.Decode(c.last[i:]) != nil {
		return 0
	}
	if h.SingleSegment {
		return max(h.WindowSize, h.FrameContentSize)
	}
	return h.WindowSize
}

// A sourceReader is the side of a compressed that reads its source.
type sourceReader compressed

func (c *sourceReader) Read(p []byte) (int, error) {
	for range maxEmptyReads {
		if !c.goesOn() {
			return 0, errStopped
		}
		n, err := c.source.Read(p)
		if err != nil && err != io.EOF {
			c.err = err
		}
		if n > 0 || err != nil {
			return n, err
		}
	}
	c.err = io.ErrNoProgress
	return 0, c.err
}

// A meter watches how much comes out for what goes in.
type meter struct {
	marks  [expansionSpan/expansionStep + 1]int64 // bytes taken at the last multiples of expansionStep of output, as a ring
	passed int64                                  // multiples of expansionStep that came out
}

// An expansion says that an input gave more than the limit.
type expansion struct{ taken int64 }

func (e *expansion) Error() string {
	return fmt.Sprintf("%d compressed bytes gave the last %d, more than %d for each", e.taken, expansionSpan, maxExpansion)
}

// check takes note of the bytes taken and out so far.
func (m *meter) check(taken, out int64) error {
	for m.passed < out/expansionStep {
		m.passed++
		m.marks[m.passed%int64(len(m.marks))] = taken
		if m.passed < expansionSpan/expansionStep {
			continue
		}
		before := m.marks[(m.passed+1)%int64(len(m.marks))]
		if spent := taken - before; spent*maxExpansion < expansionSpan {
			return &expansion{spent}
		}
	}
	return nil
}
