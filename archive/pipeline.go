package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"sync"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
)

// How a run goes about its work: one goroutine reads the sources one after the other and cuts them into batches of whole
// records, each record with a view of its session; as many as there are jobs judge batches; the one that called Verify takes the
// batches in the order in which they were read. What an answer comes to depends on its bytes and its view alone, so nothing
// depends on who is faster.

const (
	batchBytes = 256 << 10 // a batch is closed when it costs so much
	batchItems = 256

	// itemCost is what a record costs beside its bytes while it is under way.
	itemCost = 512

	// flightBytes is how many bytes of records may be under way for each job, records that are larger counting as one each.
	flightBytes = 1 << 20
)

// An item is one record of an input on its way, or the beginning or the end of an input.
type item struct {
	source string
	mark   mark

	at   strictjson.Value // without its bytes
	text span             // what is to be judged, within the batch; empty where nothing is
	view view
	size int // of the record in bytes

	fault     *RecordError
	handshake *handshake
	answer    *Answer // nil where the record is a message of another type
	bare      bool    // the answer carries no evidence
	faultsAt  int     // where in its findings those on unreadable keys of the session belong
}

// A mark tells items that are no record.
type mark int

const (
	isRecord mark = iota
	beginsInput
	endsInput
)

// A batch is items in the order of the input, which one worker judges.
type batch struct {
	items []item
	bytes []byte // of the records, one behind the other
	cost  int
	done  chan struct{} // closed when it is judged
	err   error         // of the worker
}

func (b *batch) full() bool { return len(b.items) >= batchItems || b.cost >= batchBytes }

// A flight bounds what is under way.
type flight struct {
	mu    sync.Mutex
	freed sync.Cond
	bytes int
	jobs  int
}

func newFlight(jobs int) *flight {
	f := &flight{jobs: jobs}
	f.freed.L = &f.mu
	return f
}

// board waits until there is room for n bytes. There always is when nothing is under way.
func (f *flight) board(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.bytes > 0 && f.bytes+n > f.jobs*max(n, flightBytes) {
		f.freed.Wait()
	}
	f.bytes += n
}

func (f *flight) land(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes -= n
	f.freed.Signal()
}

// all judges the sources. The error is the first one in the order of the input.
func (r *run) all(ctx context.Context, sources iter.Seq[Source], jobs int) (err error) {
	inner, cancel := context.WithCancel(ctx)
	p := &producer{
		run: r, flight: newFlight(jobs),
		work: make(chan *batch), ordered: make(chan *batch, 4*jobs),
	}
	var workers sync.WaitGroup
	for range jobs {
		workers.Go(func() {
			w := worker{run: r, dec: decoder{lim: r.limits, plain: r.policy.plain}}
			for b := range p.work {
				w.judgeBatch(inner, b)
			}
		})
	}
	read := make(chan error, 1)
	go func() { read <- p.readAll(inner, sources) }()
	defer func() {
		cancel()
		for b := range p.ordered { // what is left when the run ends early
			<-b.done
			p.landed(b)
		}
		workers.Wait()
		if readErr := <-read; err == nil {
			err = readErr
		}
	}()
	defer caught(&err)
	return r.takeAll(p)
}

// takeAll takes the batches in their order.
func (r *run) takeAll(p *producer) error {
	var in *input
	for b := range p.ordered {
		<-b.done
		if err := r.takeBatch(p, &in, b); err != nil {
			return err
		}
		if b.err != nil {
			return errors.Join(endOpen(r, in), b.err)
		}
	}
	return endOpen(r, in)
}

// takeBatch takes the items of a batch. It lands the batch whatever happens, a panic of the sink too: else the producer may wait for
// its room for ever.
func (r *run) takeBatch(p *producer, in **input, b *batch) error {
	defer p.landed(b)
	for i := range b.items {
		if err := r.takeItem(in, &b.items[i]); err != nil {
			return err
		}
	}
	return nil
}

// endOpen ends an input that was not read to its end.
func endOpen(r *run, in *input) error {
	if in == nil {
		return nil
	}
	return r.end(in)
}

func (r *run) takeItem(in **input, it *item) (err error) {
	switch it.mark {
	case beginsInput:
		*in = r.begin(it.source)
	case endsInput:
		err = r.end(*in)
		*in = nil
	default:
		err = r.take(*in, it)
	}
	return err
}

// A worker judges batches, one after the other.
type worker struct {
	*run
	syntax strictjson.Judge
	dec    decoder
}

// judgeBatch decodes and judges the records of a batch. A panic, or the end of ctx, keeps the items in front of it.
func (w *worker) judgeBatch(ctx context.Context, b *batch) {
	defer close(b.done)
	judged := 0
	defer func() {
		if b.err != nil {
			b.items = b.items[:judged]
		}
	}()
	defer caught(&b.err)
	for i := range b.items {
		if it := &b.items[i]; it.text.end > it.text.start {
			if b.err = w.judgeRecord(ctx, it, b.bytes[it.text.start:it.text.end]); b.err != nil {
				return
			}
		}
		judged++
	}
}

// judgeRecord fills in what becomes of one record. An error is ctx's.
func (w *worker) judgeRecord(ctx context.Context, it *item, text []byte) error {
	r := w.run
	if it.at.Unjudged {
		it.at.Bytes = text
		f := w.syntax.Check(it.at)
		if it.at.Bytes = nil; f != nil {
			it.fault = unreadable(it.source, it.at, f)
			return nil
		}
	}
	w.dec.begin(text)
	rec, fault := w.dec.record()
	if fault != nil {
		it.fault = fault.in(it.source, it.at)
		return nil
	}
	if rec.kind != recordAnswer {
		return nil
	}
	it.answer = &Answer{Source: it.source, Record: it.at.Number, Offset: it.at.Offset, Line: it.at.Line, FramesAt: rec.framesAt()}
	it.bare = rec.answer.bare
	j := judgeAnswer(&r.policy, r.keys, it.view, rec, it.answer)
	it.faultsAt = j.faultsAt
	if r.diagnose {
		j.diagnose(r.keysAtHand)
	}
	if r.files == nil {
		return nil
	}
	return j.checkProvenance(ctx, r.files)
}

// A producer reads sources and sends batches: to be judged, and to be taken in their order.
type producer struct {
	run     *run
	flight  *flight
	work    chan *batch
	ordered chan *batch
	spare   sync.Pool // of *[]byte, for the records of a batch
	next    *batch    // that is being filled, nil where nothing is in it
	syntax  strictjson.Judge
	begun   bool // there was a record before
}

// readAll reads the sources until they end or the run does.
func (p *producer) readAll(ctx context.Context, sources iter.Seq[Source]) (err error) {
	defer close(p.work)
	defer close(p.ordered)
	defer p.send()
	defer caught(&err)
	for src := range sources {
		if err := p.read(ctx, src); err != nil {
			return err
		}
	}
	return nil
}

// read reads one source.
func (p *producer) read(ctx context.Context, src Source) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	p.add(item{source: src.Name, mark: beginsInput}, nil)
	in, err := src.Open()
	if err != nil {
		p.add(item{source: src.Name, fault: &RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()}}, nil)
	} else if err := p.readRecords(ctx, src.Name, in); err != nil {
		return err
	}
	p.add(item{source: src.Name, mark: endsInput}, nil)
	if p.next.full() { // of inputs without records
		p.send()
	}
	return nil
}

// readRecords reads the records of one source. What stands in front of a fault of the source itself is judged; the fault is an
// error of the report.
func (p *producer) readRecords(ctx context.Context, name string, in io.ReadCloser) error {
	defer in.Close()
	s := newSession(p.run.keys.algorithms())
	s.ahead = true
	records := newRecordReader(name, in, p.run.limits)
	if p.run.policy.plain {
		records.scan.Plain()
	} else {
		records.scan.Defer()
	}
	defer records.close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		value, err := records.value()
		if errors.Is(err, io.EOF) {
			return nil
		}
		it := item{source: name, at: value, view: s.now(), size: len(value.Bytes)}
		it.at.Bytes = nil
		if err != nil {
			var unreadable *RecordError
			if !errors.As(err, &unreadable) {
				return err
			}
			if err := ctx.Err(); err != nil && unreadable.Record == 0 { // the source ended because the run did
				return err
			}
			it.fault = unreadable
			p.add(it, nil)
			if unreadable.Record == 0 {
				return nil
			}
		} else {
			p.admit(s, it, value)
		}
		// What is read is not kept waiting for a pipe that brings no more.
		if !records.scan.Buffered() || p.next.full() {
			p.send()
		}
	}
}

// admit adds a record. A handshake_ack is read here, for what follows is judged with what it says.
func (p *producer) admit(s *session, it item, value strictjson.Value) {
	text := value.Bytes
	if !mayBeHandshake(text) {
		p.add(it, text)
		return
	}
	if it.at.Unjudged {
		if f := p.syntax.Check(value); f != nil {
			it.fault = unreadable(it.source, it.at, f)
			p.add(it, nil)
			return
		}
		it.at.Unjudged = false
	}
	if !isHandshake(text) {
		p.add(it, text)
		return
	}
	rec, fault := decodeRecord(text, p.run.limits)
	if fault == nil {
		fault = s.acknowledge(rec.handshake)
	}
	if fault == nil {
		it.handshake, it.view = rec.handshake, s.now()
	} else {
		it.fault = fault.in(it.source, it.at)
	}
	p.add(it, nil)
}

// add puts an item, with what of it is to be judged, into the batch that is being filled.
func (p *producer) add(it item, text []byte) {
	if p.next == nil {
		p.next = &batch{done: make(chan struct{})}
		if spare, ok := p.spare.Get().(*[]byte); ok {
			p.next.bytes = *spare
		}
	}
	b := p.next
	if cap(b.bytes) == 0 && len(text) > 0 {
		b.bytes = make([]byte, 0, p.room(len(text)))
	}
	it.text.start = len(b.bytes)
	b.bytes = append(b.bytes, text...)
	it.text.end = len(b.bytes)
	b.cost += itemCost + it.size // of a handshake_ack too: what it was read to stays with the item
	b.items = append(b.items, it)
}

// room returns how many bytes a new batch has room for whose first record has n bytes: few in a run that may be short.
func (p *producer) room(n int) int {
	if p.begun {
		return max(n, batchBytes+batchBytes/4)
	}
	p.begun = true
	return n
}

// send hands on the batch that is being filled.
func (p *producer) send() {
	b := p.next
	if b == nil {
		return
	}
	p.next = nil
	p.flight.board(b.cost)
	p.ordered <- b
	p.work <- b
}

// landed gives back what a batch took up. Nothing that was made of its records refers to their bytes.
func (p *producer) landed(b *batch) {
	p.flight.land(b.cost)
	if cap(b.bytes) <= 2*batchBytes {
		spare := b.bytes[:0]
		p.spare.Put(&spare)
	}
}

// mayBeHandshake tells most records from a handshake_ack by their bytes, whether they pass or not: they say first that they are
// answers, or the word does not stand in them, nor an escape that could spell it.
func mayBeHandshake(text []byte) bool {
	c := strictjson.CursorAt(text, 0)
	if c.Object() {
		if name, ok := c.Member(); ok && string(name) == "type" && c.Kind() == '"' && string(c.Raw()) == `"`+typeFrames+`"` {
			return false
		}
	}
	return bytes.Contains(text, []byte(typeHandshake)) || bytes.Contains(text, []byte(`\u`))
}

// isHandshake reports whether a record is a handshake_ack, or an archive line that holds one.
func isHandshake(text []byte) bool {
	if !isKind(text, '{') {
		return false
	}
	d := decoderOf(text, Limits{})
	t := d.readTopLevel()
	if !t.typ.Present() && t.format == commitment.Some(FormatArchive) && isKind(t.envelope, '{') {
		d.cur = strictjson.CursorAt(text, t.envelopeAt)
		t = d.readTopLevel()
	}
	return t.typ == commitment.Some(typeHandshake)
}
