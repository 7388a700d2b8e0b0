package archive

import (
	"errors"
	"fmt"
	"io"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// ListOptions say how [List] reads.
type ListOptions struct {
	Provider commitment.Optional // the declared name to commit under, whatever the input says
	Limits   Limits
}

// A Listing is the commitments of one answer, judging nothing: what its provider would sign.
type Listing struct {
	Source     string
	Record     uint64
	ID         commitment.Optional
	ProviderID string
	Frames     []ListedFrame       // in the order carried
	Root       commitment.Optional // absent in a retained subset, and where a frame has no commitment
}

// A ListedFrame is one frame of a Listing.
type ListedFrame struct {
	Position  int
	LeafIndex int // in canonical order, -1 in a retained subset, and where a frame of the answer has no commitment
	commitment.Frame
	Steps commitment.Steps // every intermediate byte string; zero where the frame has no commitment
	Fault string           // why there is no commitment, else ""
}

// ErrNoProvider means that nothing says which provider an answer comes from.
var ErrNoProvider = errors.New("nothing says which provider the answer comes from")

// List reads one source and gives the commitments of each of its answers to each, in order. The provider of an answer is
// found as for verification. It ends at the first record that cannot be read, with a *RecordError; at the first answer
// whose provider is not known, with ErrNoProvider; and at the first error of each. It returns the number of answers given.
func List(src Source, opt ListOptions, each func(*Listing) error) (answers int, err error) {
	in, err := src.Open()
	if err != nil {
		return 0, &RecordError{Source: src.Name, Code: ErrorUnreadableSource, Detail: err.Error()}
	}
	defer in.Close()
	limits := opt.Limits.withDefaults()
	policy := Policy{Provider: opt.Provider}
	s := newSession((*Keyring)(nil).algorithms())
	rd := newRecordReader(src.Name, in, limits)
	defer rd.close()
	for {
		rec, at, err := rd.next()
		if errors.Is(err, io.EOF) {
			return answers, nil
		}
		if err != nil {
			return answers, err
		}
		switch rec.kind {
		case recordHandshake:
			if err := s.acknowledge(rec.handshake); err != nil {
				return answers, err.in(src.Name, at)
			}
		case recordAnswer:
			r := resolve(&policy, s.now(), rec)
			if !r.known() {
				return answers, fmt.Errorf("%s, record %d: %w", src.Name, at.Number, ErrNoProvider)
			}
			l, err := list(rec.answer, r.name)
			if err != nil {
				return answers, err
			}
			if rec.retained {
				l.retained()
			}
			l.Source, l.Record = src.Name, at.Number
			if err := each(l); err != nil {
				return answers, err
			}
			answers++
		}
	}
}

func list(a *answer, provider string) (*Listing, error) {
	c := commit(a, provider)
	l := &Listing{ID: a.id, ProviderID: provider}
	if root, ok := c.root(); ok {
		l.Root = commitment.Some(root.String())
	}
	for i := range a.frames {
		f := ListedFrame{Position: i, LeafIndex: c.leaf[i], Frame: a.frames[i].Frame, Fault: c.faults[i].detail}
		if !c.faults[i].found() {
			steps, err := commitment.Trace(provider, &a.frames[i].Frame)
			if err != nil {
				return nil, fmt.Errorf("archive: %w", err)
			}
			f.Steps = steps
		}
		l.Frames = append(l.Frames, f)
	}
	return l, nil
}

// retained takes back what a part of an answer does not tell: its frames' places in the whole, and the root.
func (l *Listing) retained() {
	l.Root = commitment.Optional{}
	for i := range l.Frames {
		l.Frames[i].LeafIndex = -1
	}
}
