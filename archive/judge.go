package archive

import (
	"fmt"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A judge weighs one answer: what its evidence proves, frame by frame, under the keys and the policy of a run. It is the
// only place where evidence is evaluated.
type judge struct {
	policy *Policy
	keys   *Keyring
	view   view
	a      *answer
	out    *Answer

	provider    resolution
	localID     string
	unreceived  string // why there is no instant of receipt, else ""
	commitments *commitments
	root        commitment.Digest      // recomputed; meaningful where commitments.complete
	grown       *grown                 // nil where proofs are walked
	matched     [][]int                // by position: the entries that count for the frame
	rootWeighed *weighed               // the root's key and signature, evaluated once
	retained    bool                   // the frames carried may be fewer than were signed
	own         map[keyAddress]heldKey // attester_keys of the record itself
	ownFaults   []fault
	leaves      map[uint64]bool     // leaf indexes that a proof of a retained answer proves
	told        map[evidenceAt]bool // invalid evidence that a finding stands for
	verified    bool                // some evidence of the answer verifies
	evidence    []Evidence          // room for all evidence on the frames
	claims      []Claims            // room for those of all signatures
	texts       *arena              // of the answer
	faultsAt    int                 // where in the findings those on the session's unreadable keys belong
}

// evidenceAt is where a piece of evidence stands in the answer.
type evidenceAt struct {
	kind  EvidenceKind
	entry int
}

// weighed is the outcome of one piece of evidence before it is told where it stands.
type weighed struct {
	state      State
	verdict    sign.Verdict
	reason     Reason
	detail     string
	tier       Tier
	trustedFor string
	expected   string
	signed     string
}

// judgeAnswer fills out, whose place in the input is already set.
func judgeAnswer(p *Policy, keys *Keyring, v view, rec *record, out *Answer) *judge {
	j := &judge{texts: rec.texts, policy: p, keys: keys, view: v, a: rec.answer, out: out, retained: p.Retained || rec.retained, ownFaults: rec.keyFaults}
	if j.retained {
		out.Retained, out.Proven, j.leaves = true, &Proven{}, make(map[uint64]bool)
	}
	out.Recorded = rec.receivedAt
	out.ReceivedAt, j.unreceived = p.receipt(rec)
	j.resolveProvider(rec)
	j.takeKeys(rec)
	j.commitments = commit(j.a, j.provider.name)
	j.growRoot()
	j.describeFrames()
	j.matchEntries()
	j.weighRoot()
	j.makeRoom()
	for i := range j.out.Frames {
		j.weighFrame(i)
	}
	j.reportAnswer()
	j.classify()
	return j
}

// growRoot recomputes the root over all frames, and keeps the tree where there are proofs to compare with it.
func (j *judge) growRoot() {
	if j.commitments.complete && !j.retained && j.a.root.usable() && j.a.hasProofs() && !j.policy.plain {
		j.grown = grow(j.commitments)
		j.root = j.grown.tree.Root()
		return
	}
	if root, ok := j.commitments.root(); ok {
		j.root = root
	}
}

// takeKeys makes the record's own keys ready: keys of the provider that the answer is judged as.
func (j *judge) takeKeys(rec *record) {
	if len(rec.keys) == 0 {
		return
	}
	j.own = make(map[keyAddress]heldKey, len(rec.keys))
	for _, k := range rec.keys {
		publish(j.own, j.keys.algorithms(), commitment.Some(j.provider.name), k)
	}
}

func (j *judge) resolveProvider(rec *record) {
	j.provider = resolve(j.policy, j.view, rec)
	if j.provider.source != ProviderFromNone {
		j.out.ProviderID = commitment.Some(j.provider.name)
	}
	j.out.ProviderSource = j.provider.source
	j.out.ID = j.a.id
	local := j.out.ProviderID
	if j.policy.LocalID.Present() {
		local = j.policy.LocalID
	} else if j.policy.LocalIDFromArchive && rec.localID.Present() {
		local = rec.localID
	}
	j.out.LocalID = local
	j.localID = local.OrEmpty()
}

// describeFrames sets what holds of each frame whatever its evidence says.
func (j *judge) describeFrames() {
	j.out.Frames = make([]Frame, len(j.a.frames))
	for i := range j.a.frames {
		in, out := &j.a.frames[i], &j.out.Frames[i]
		*out = Frame{
			Position: i, LeafIndex: -1, ProviderID: j.provider.name, FrameID: in.ID,
			ContentDigest: in.ContentDigest, Content: compareContent(in, &j.texts.scratch),
		}
		if f := j.commitments.faults[i]; f.found() {
			out.Reason, out.Detail = f.reason, f.detail
			continue
		}
		if j.provider.known() {
			if !j.retained {
				out.LeafIndex = j.commitments.leaf[i]
			}
			out.Commitment = j.texts.digest(j.commitments.of[i])
		}
	}
}

// compareContent checks the inline content against the digest that the frame declares: nobody else does, and without it a
// signature says nothing about the bytes in front of the reader.
func compareContent(f *frame, scratch *[]byte) Content {
	if !f.content.Present() {
		return ContentAbsent
	}
	text, declared := f.ContentDigest.Text()
	if !declared {
		return ContentNoDigest
	}
	declaredDigest, err := commitment.ParseDigest(text)
	if err != nil {
		return ContentOpaque
	}
	var digest commitment.Digest
	if digest, *scratch = f.content.digest(*scratch); digest == declaredDigest {
		return ContentMatch
	}
	return ContentMismatch
}

// weighKey looks the key of an attestation up and verifies the signature over what was found to be signed.
func (j *judge) weighKey(att *sign.Attestation, want commitment.Digest) weighed {
	held, ok := j.lookup(att.KeyID, att.Algorithm)
	if !ok {
		return weighed{state: StateNoTrustedKey}
	}
	if w, is := j.outOfService(&held); is {
		return w
	}
	o := j.keys.algorithms().Verify(att, sign.Subject{Commitment: want, BindsContent: true}, held.key)
	w := outcome(o)
	if o.Verdict.Verifies() {
		w.state = held.tier.state()
	}
	w.tier, w.trustedFor = held.tier, held.trustedFor
	return w
}

// outcome turns a verdict into a weighed one. A verdict that is neither negative nor unknown has no state yet.
func outcome(o sign.Outcome) weighed {
	w := weighed{verdict: o.Verdict, state: StateUnusable}
	if o.Detail != nil {
		w.detail = o.Detail.Error()
	}
	switch {
	case o.Verdict == sign.UnknownAlgorithm:
		w.state = StateUncheckable
	case o.Verdict.Negative():
		w.state = StateInvalid
	}
	if o.Verdict == sign.CommitmentMismatch {
		w.expected, w.signed = o.Expected.String(), o.Signed.String()
	}
	return w
}

// weighAttestation evaluates an attestation over a commitment recomputed here. What is signed is compared before any key is
// asked for, so that tampering is named even where no key is trusted.
func (j *judge) weighAttestation(att *sign.Attestation, want commitment.Digest) weighed {
	if o := j.keys.algorithms().Examine(att, want); o.Verdict != "" {
		return outcome(o)
	}
	return j.weighKey(att, want)
}

// weighSignedRoot does the same for the result attestation, whose key and signature are evaluated once an answer.
func (j *judge) weighSignedRoot(want commitment.Digest) weighed {
	att := &j.a.root.value
	if o := j.keys.algorithms().Examine(att, want); o.Verdict != "" {
		return outcome(o)
	}
	if j.rootWeighed == nil {
		w := j.weighKey(att, want)
		j.rootWeighed = &w
	}
	return *j.rootWeighed
}

// blocked says why nothing of the answer can be evaluated, if so.
func (j *judge) blocked() (weighed, bool) {
	switch {
	case j.provider.source == ProviderFromNone:
		return weighed{state: StateUnusable, reason: ReasonProviderUnknown, detail: "nothing says which provider answered"}, true
	case j.provider.mismatch != "":
		return weighed{state: StateUnusable, reason: ReasonProviderMismatch,
			detail: fmt.Sprintf("the evidence was made under the name %.128q", j.provider.mismatch)}, true
	}
	return weighed{}, false
}

// weighRoot evaluates the result attestation: over the root of all carried frames, in a retained answer over the root that it
// states itself.
func (j *judge) weighRoot() {
	if !j.a.root.present {
		return
	}
	r := &Root{}
	j.out.Root = r
	if j.commitments.complete && j.provider.known() && !j.retained {
		r.Recomputed = j.root.String()
	}
	w := j.weighCarriedRoot()
	r.State, r.Verdict, r.Reason, r.Detail = w.state, w.verdict, w.reason, w.detail
	r.Tier, r.TrustedFor = w.tier, w.trustedFor
	if att := &j.a.root.value; !j.a.root.fault.found() {
		r.Signed, r.KeyID = att.SignedCommitment, att.KeyID
		r.Unverified = &Claims{AttesterID: att.AttesterID, IssuedAt: att.IssuedAt}
	}
}

func (j *judge) weighCarriedRoot() weighed {
	if f := j.a.root.fault; f.found() {
		return weighed{state: StateUnusable, reason: f.reason, detail: f.detail}
	}
	if w, is := j.blocked(); is {
		return w
	}
	if j.retained {
		// A text that is no digest is malformed_commitment before it is compared with anything.
		stated, _ := commitment.ParseDigest(j.a.root.value.SignedCommitment)
		return j.weighSignedRoot(stated)
	}
	if !j.commitments.complete {
		return weighed{state: StateUnusable, reason: ReasonMalformedFrame,
			detail: "a frame has no commitment, so no root can be recomputed"}
	}
	return j.weighSignedRoot(j.root)
}

// makeRoom makes room for the evidence on all frames at once.
func (j *judge) makeRoom() {
	pieces, signatures := 0, 0
	for i := range j.matched {
		if j.commitments.faults[i].found() {
			continue
		}
		if j.out.Root != nil && !j.retained {
			pieces++
		}
		for _, n := range j.matched[i] {
			e := &j.a.entries[n]
			switch {
			case e.attestation.present && e.proof.present:
				pieces += 2
				signatures++
			case e.attestation.present:
				signatures++
				fallthrough
			default:
				pieces++
			}
		}
	}
	j.evidence, j.claims = make([]Evidence, 0, pieces), make([]Claims, 0, signatures)
}

// claim keeps what an attestation claims.
func (j *judge) claim(att *sign.Attestation) *Claims {
	j.claims = append(j.claims, Claims{AttesterID: att.AttesterID, IssuedAt: att.IssuedAt})
	return &j.claims[len(j.claims)-1]
}

// weighFrame collects the evidence on one frame and its state.
func (j *judge) weighFrame(i int) {
	f := &j.out.Frames[i]
	if j.commitments.faults[i].found() {
		f.State = StateMalformedFrame
		return
	}
	for _, n := range j.matched[i] {
		j.weighEntry(i, n)
	}
	if r := j.out.Root; r != nil && !j.retained {
		j.add(f, Evidence{Kind: KindRoot, Entry: -1}, weighed{
			state: r.State, verdict: r.Verdict, reason: r.Reason, tier: r.Tier,
		})
	}
	f.State, f.Tier = frameState(f)
}

// weighEntry evaluates what one entry says of one frame: its attestation and its proof, each on its own.
func (j *judge) weighEntry(i, n int) {
	f, e := &j.out.Frames[i], &j.a.entries[n]
	if e.attestation.present {
		att := &e.attestation.value
		ev := Evidence{Kind: KindSignature, Entry: n, KeyID: att.KeyID}
		if !e.attestation.fault.found() {
			ev.Unverified = j.claim(att)
		}
		j.add(f, ev, j.weighSignature(e, j.commitments.of[i]))
	}
	if e.proof.present {
		ev := Evidence{Kind: KindInclusion, Entry: n, KeyID: j.a.root.value.KeyID}
		if !e.proof.fault.found() {
			ev.LeafCount = strconv.FormatUint(e.proof.value.leafCount, 10)
		}
		w := j.weighInclusion(e, j.commitments.of[i])
		if w.state.Verifies() {
			j.prove(f, &e.proof.value)
		}
		j.add(f, ev, w)
	}
	if !e.attestation.present && !e.proof.present {
		j.add(f, Evidence{Kind: KindEntry, Entry: n}, weighed{
			state: StateUnusable, reason: ReasonEmptyEntry, detail: "the entry has neither an attestation nor an inclusion proof",
		})
	}
}

func (j *judge) weighSignature(e *entry, c commitment.Digest) weighed {
	if f := e.attestation.fault; f.found() {
		return weighed{state: StateUnusable, reason: f.reason, detail: f.detail}
	}
	if w, is := j.blocked(); is {
		return w
	}
	return j.weighAttestation(&e.attestation.value, c)
}

func (j *judge) weighInclusion(e *entry, c commitment.Digest) weighed {
	if f := e.proof.fault; f.found() {
		return weighed{state: StateUnusable, reason: f.reason, detail: f.detail}
	}
	if w, is := j.blocked(); is {
		return w
	}
	if !j.a.root.usable() {
		return weighed{state: StateUnusable, reason: ReasonNoSignedRoot,
			detail: "the answer has no result attestation that could be read"}
	}
	if _, known := j.keys.algorithms().Lookup(j.a.root.value.Algorithm); !known {
		return j.weighSignedRoot(commitment.Digest{})
	}
	root, err := j.rootFrom(&e.proof.value, c)
	if err != nil {
		return weighed{state: StateInvalid, verdict: sign.MalformedCommitment, detail: err.Error()}
	}
	return j.weighSignedRoot(root)
}

// rootFrom computes the root that a proof leads to. Over a complete answer the proof must state the number of frames
// carried, over a retained one at least as many: nothing signs leaf_count.
func (j *judge) rootFrom(p *proof, c commitment.Digest) (commitment.Digest, error) {
	if n := uint64(len(j.a.frames)); p.leafCount < n || p.leafCount > n && !j.retained {
		return commitment.Digest{}, fmt.Errorf("leaf_count is %d, the answer carries %s", p.leafCount, counted(n, "frame", "frames"))
	}
	if j.grown != nil && j.grown.holds(p, c) {
		return j.root, nil
	}
	return p.root(c)
}

// root checks the proof's shape and computes the root that it leads to from a leaf's commitment.
func (p *proof) root(c commitment.Digest) (commitment.Digest, error) {
	m, err := p.parse()
	if err != nil {
		return commitment.Digest{}, err
	}
	return m.RootFrom(c)
}

// parse reads the siblings. The proof's shape is not checked.
func (p *proof) parse() (m merkle.Proof, err error) {
	if len(p.path) > merkle.MaxPath {
		return m, fmt.Errorf("%w: more than %d steps", merkle.ErrPathLength, merkle.MaxPath)
	}
	m = merkle.Proof{LeafIndex: p.leafIndex, LeafCount: p.leafCount, Path: make([]merkle.Step, len(p.path))}
	for i, s := range p.path {
		d, err := commitment.ParseDigest(s.sibling)
		if err != nil {
			return m, fmt.Errorf("sibling of step %d: %w", i, err)
		}
		m.Path[i] = merkle.Step{Sibling: d, SiblingIsLeft: s.siblingIsLeft}
	}
	return m, nil
}

// add puts a piece of evidence on a frame.
func (j *judge) add(f *Frame, ev Evidence, w weighed) {
	ev.State, ev.Verdict, ev.Reason = w.state, w.verdict, w.reason
	ev.Detail, ev.Expected, ev.Signed = w.detail, w.expected, w.signed
	if ev.Kind != KindRoot {
		ev.Tier, ev.TrustedFor = w.tier, w.trustedFor
	}
	if ev.Verdict == sign.Valid && !f.ContentDigest.Present() {
		ev.Verdict = sign.ValidIdentityOnly
	}
	if ev.State.Verifies() {
		j.verified = true
	}
	// The pieces of one frame stand one behind the other.
	j.evidence = append(j.evidence, ev)
	last := len(j.evidence)
	f.Evidence = j.evidence[last-len(f.Evidence)-1 : last : last]
}

// best returns the best state among evidence that verifies, "" where none does.
func best(evidence []Evidence) State {
	var b State
	for i := range evidence {
		if s := evidence[i].State; s.rank() > b.rank() {
			b = s
		}
	}
	return b
}

// frameState derives a frame's state from its evidence and its content.
func frameState(f *Frame) (State, Tier) {
	if b := best(f.Evidence); b != "" {
		tier := b.tier()
		switch {
		case f.Content == ContentMismatch:
			return StateContentMismatch, tier
		case !f.ContentDigest.Present():
			return StateIdentityOnly, tier
		}
		return b, tier
	}
	for _, s := range []State{StateInvalid, StateKeyNotInService, StateUncheckable, StateNoTrustedKey, StateUnusable} {
		for i := range f.Evidence {
			if f.Evidence[i].State == s {
				return s, ""
			}
		}
	}
	return StateUnattested, ""
}

// classify sets the classes of the frames and of the answer.
func (j *judge) classify() {
	for i := range j.out.Frames {
		f := &j.out.Frames[i]
		f.Class = j.policy.classOf(f, best(f.Evidence))
	}
	j.out.Class = j.policy.answerClass(j.out)
}
