package bench

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Work is what nobody who verifies the answers of a session can do without.
type Work struct {
	Answers, Frames int
	Blocks          uint64 // of 64 bytes that SHA-256 has to take: contents, commitments, one tree an answer
	Signatures      uint64
}

// Measure counts the work in a session that Archive wrote.
func Measure(text []byte) (w Work, err error) {
	for line := range bytes.Lines(text) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return w, fmt.Errorf("bench: %w", err)
		}
		if m.Result == nil {
			continue
		}
		w.Answers++
		w.Frames += len(m.Result.Frames)
		for i := range m.Result.Frames {
			f := &m.Result.Frames[i]
			w.Blocks += blocks(len(*f.Content)) + commitmentBlocks(benchProvider, f)
		}
		w.Blocks += treeBlocks(len(m.Result.Frames))
		for i := range m.Result.FrameAttestations {
			if m.Result.FrameAttestations[i].Attestation != nil {
				w.Signatures++
			}
		}
		if m.Result.ResultAttestation != nil {
			w.Signatures++
		}
	}
	return w, nil
}

// blocks is how many blocks SHA-256 makes of n bytes: one byte and the length, eight bytes, stand behind them.
func blocks(n int) uint64 { return uint64(n+1+8+sha256.BlockSize-1) / sha256.BlockSize }

// treeBlocks is 3n − 2: a leaf is one block, a node two.
func treeBlocks(n int) uint64 { return uint64(max(1, 3*n-2)) }

func commitmentBlocks(provider string, f *Frame) (n uint64) {
	for i := range f.Provenance {
		n += blocks(len("contextgraph/attest/1/link") + sha256.Size + len(EncodeLink(&f.Provenance[i])))
	}
	preimage := appendOptional(appendString(appendString(nil, provider), *f.ID), f.ContentDigest)
	return n + blocks(len("contextgraph/attest/1/frame")+len(preimage)+sha256.Size)
}

// A Parser reads JSON with jsontext and nothing else, and allocates nothing once its buffers have their size: every token is
// seen, every string unescaped. The zero value is ready.
type Parser struct {
	src  bytes.Reader
	dec  jsontext.Decoder
	text []byte
}

// Parse reads a session to its end and returns the bytes of all its strings.
func (p *Parser) Parse(session []byte) (n int, err error) {
	p.src.Reset(session)
	p.dec.Reset(&p.src)
	for {
		switch k, err := p.value(); {
		case errors.Is(err, io.EOF):
			return n, nil
		case err != nil:
			return n, fmt.Errorf("bench: %w", err)
		default:
			n += k
		}
	}
}

func (p *Parser) value() (n int, err error) {
	switch kind := p.dec.PeekKind(); kind {
	case jsontext.KindBeginObject, jsontext.KindBeginArray:
		if _, err := p.dec.ReadToken(); err != nil {
			return n, err
		}
		for p.dec.PeekKind() != kind+2 { // the bracket that closes it
			if kind == jsontext.KindBeginObject {
				if _, err := p.dec.ReadValue(); err != nil { // a name stays raw
					return n, err
				}
			}
			k, err := p.value()
			if n += k; err != nil {
				return n, err
			}
		}
		_, err = p.dec.ReadToken()
		return n, err
	case jsontext.KindString:
		v, err := p.dec.ReadValue()
		if err != nil {
			return n, err
		}
		p.text, err = jsontext.AppendUnquote(p.text[:0], v)
		return len(p.text), err
	default:
		_, err := p.dec.ReadValue()
		return n, err
	}
}

// ReadSession reads the messages of a session into structs, judges nothing, and returns the number of frames.
func ReadSession(text []byte) (frames int, err error) {
	for line := range bytes.Lines(text) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return frames, fmt.Errorf("bench: %w", err)
		}
		if m.Result != nil {
			frames += len(m.Result.Frames)
		}
	}
	return frames, nil
}

// Render returns the proof as it stands on the wire.
func (p *Proof) Render() ([]byte, error) { return json.Marshal(wireProof(*p)) }
