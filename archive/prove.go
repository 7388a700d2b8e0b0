package archive

import (
	"fmt"
	"io"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// ProveOptions say which frames of which answer [Prove] proves.
type ProveOptions struct {
	Source   string              // names the input in errors
	Provider commitment.Optional // the declared name, whatever the input says
	Record   uint64              // the answer's record, from 1; 0 is the only answer of the input
	Frames   []FrameRef          // nil proves every frame
	Limits   Limits
}

// A FrameProof is one frame's place in the tree over its answer.
type FrameProof struct {
	Frame      commitment.FrameID
	Commitment commitment.Digest
	Proof      merkle.Proof
}

// ProveResult is the proofs for frames of one answer.
type ProveResult struct {
	Record     uint64
	ProviderID string
	Root       commitment.Digest // over all frames carried
	Signed     bool              // the answer states this root as the signed one; its signature was not looked at
	Proofs     []FrameProof      // one for each distinct identity and commitment, in the order carried
}

// Prove makes the inclusion proofs for frames of a complete answer (CGP §6.5.3). No key is needed: whether anybody signed the
// root is Verify's question. An answer that states another root than the one over its frames is refused.
//
// The error is a *[RecordError] for a record that cannot be read, a *[RetainRefusal], or wraps [ErrNoProvider], [ErrNoAnswer],
// [ErrSeveralAnswers], [ErrUnknownFrame] or [ErrAmbiguousFrame].
func Prove(in io.Reader, opt ProveOptions) (result *ProveResult, err error) {
	c := choice{source: opt.Source, record: opt.Record, limits: opt.Limits.withDefaults(), algorithms: sign.Ed25519Only()}
	err = c.take(in, func(rec *record, at strictjson.Value, v view) error {
		w := &whole{act: actProve, source: opt.Source, at: at, rec: rec, provider: resolve(&Policy{Provider: opt.Provider}, v, rec)}
		result, err = w.prove(opt.Frames)
		return err
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// What is refused of an answer's frames.
const (
	actKeep  = "keep"
	actProve = "prove"
)

// A whole is a complete answer that frames are proven or kept of.
type whole struct {
	act         string // what is to be done with its frames, for refusals: keep or prove
	source      string
	at          strictjson.Value
	rec         *record
	provider    resolution
	commitments *commitments
	tree        *merkle.Tree // nil where no root is signed or some frame has no commitment
}

func (w *whole) refuse(rule RetainRule, position int, format string, args ...any) *RetainRefusal {
	r := &RetainRefusal{
		Rule: rule, Source: w.source, Record: w.at.Number, Offset: w.at.Offset, Position: position,
		Detail: fmt.Sprintf(format, args...), act: w.act,
	}
	if position >= 0 {
		r.FrameID = commitment.Some(w.rec.answer.frames[position].ID)
	}
	return r
}

// check refuses what is no complete answer of a known provider, before anything is computed.
func (w *whole) check() error {
	switch {
	case w.rec.retained:
		return w.refuse(RetainSubset, -1, "the record is a %s, a part of an answer that was signed whole", FormatEvidence)
	case w.provider.source == ProviderFromNone:
		return fmt.Errorf("archive: record %d at byte %d: %w", w.at.Number, w.at.Offset, ErrNoProvider)
	case w.provider.mismatch != "":
		return w.refuse(RetainProviderMismatch, -1, "the evidence was made under the name %.128q, the newest handshake_ack declares %.128q",
			w.provider.mismatch, w.provider.name)
	}
	return nil
}

// grow makes the tree over all frames, which has to be the one whose root is signed, where one is.
func (w *whole) grow() error {
	for i := range w.commitments.faults {
		if f := w.commitments.faults[i]; f.found() {
			return w.refuse(RetainMalformedFrame, i, "%s", f.detail)
		}
	}
	w.tree = merkle.NewTree(w.commitments.leaves())
	root := &w.rec.answer.root
	switch {
	case !root.present:
		return nil
	case root.fault.found():
		return w.refuse(RetainUnusableRoot, -1, "result_attestation: %s", root.fault.detail)
	case root.value.SignedCommitment != w.tree.Root().String():
		return w.refuse(RetainRootMismatch, -1, "the root over the %s carried, of provider %.128q, is %s, the signed root is %.128q",
			counted(w.tree.Len(), "frame", "frames"), w.provider.name, w.tree.Root(), root.value.SignedCommitment)
	}
	return nil
}

// distinctOf returns the positions without those whose frame stood among them before.
func (w *whole) distinctOf(positions []int) []int {
	seen := make(map[distinct]bool, len(positions))
	return slices.DeleteFunc(slices.Clone(positions), func(i int) bool {
		d := distinctFrame(w.rec.answer, w.commitments, w.provider.name, i)
		again := seen[d]
		seen[d] = true
		return again
	})
}

// proof is the proof of the frame at a position.
func (w *whole) proof(i int) (merkle.Proof, error) {
	p, err := w.tree.Prove(uint64(w.commitments.leaf[i]))
	if err != nil {
		return p, fmt.Errorf("archive: %w", err)
	}
	return p, nil
}

func (w *whole) prove(refs []FrameRef) (*ProveResult, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	a, name := w.rec.answer, w.provider.name
	w.commitments = commit(a, name)
	if err := w.grow(); err != nil {
		return nil, err
	}
	var positions []int
	index := newFrameIndex(a, w.commitments, name)
	for _, ref := range refs {
		named, err := index.find(ref)
		if err != nil {
			return nil, fmt.Errorf("archive: record %d: %w", w.at.Number, err)
		}
		positions = append(positions, named...)
	}
	if refs == nil {
		for i := range a.frames {
			positions = append(positions, i)
		}
	}
	slices.Sort(positions)
	result := &ProveResult{Record: w.at.Number, ProviderID: name, Root: w.tree.Root(), Signed: a.root.present}
	for _, i := range w.distinctOf(positions) {
		p, err := w.proof(i)
		if err != nil {
			return nil, err
		}
		result.Proofs = append(result.Proofs, FrameProof{a.frames[i].Identity(name), w.commitments.of[i], p})
	}
	return result, nil
}

// AppendJSON appends the proofs as a JSON array of {frame, inclusion_proof}, as frame_attestations has them (CGP §6.5.5).
func (r *ProveResult) AppendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i := range r.Proofs {
		if i > 0 {
			dst = append(dst, ",\n"...)
		}
		dst = appendFrameID(append(dst, `{"frame":`...), &r.Proofs[i].Frame)
		dst = appendProof(append(dst, `,"inclusion_proof":`...), &r.Proofs[i].Proof)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}
