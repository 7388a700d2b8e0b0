package testvectors

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
	"contextgraphprotocol.org/cgp-attest/sign/pq"
)

// The errors of ops that no other set of names has.
const (
	errorOutOfRange     = "out_of_range"
	errorMalformedInput = "malformed_input" // the input is not one of this op: a fault of whoever asks
	errorInternal       = "internal"
)

// ops is every op and what answers it.
var ops = []struct {
	name   string
	answer func(input Object) Result
}{
	{"encode", answerEncode},
	{"chain", answerChain},
	{"commitment", answerCommitment},
	{"order", answerOrder},
	{"root", answerRoot},
	{"prove", answerProve},
	{"proof", answerProof},
	{"ed25519", answerEd25519},
	{"verify", answerVerify},
	{"key", answerKey},
	{"content", answerContent},
	{"instant", answerInstant},
	{"window", answerWindow},
	{"range", answerRange},
	{"private_key", answerPrivateKey},
	{"public_key", answerPublicKey},
	{"public_forms", answerPublicForms},
	{"published", answerPublished},
	{"trust", answerTrust},
	{"trust_edit", answerTrustEdit},
	{"decompress", answerDecompress},
	{"wire", answerWire},
	{"list", answerList},
	{"answer", answerAnswer},
	{"reasons", answerReasons},
	{"provenance", answerProvenance},
	{"archive_line", answerArchiveLine},
	{"retain", answerRetain},
	{"prove_frames", answerProveFrames},
	{"check", answerCheck},
	{"sign", answerSign},
	{"publish", answerPublish},
	{"prepare", answerPrepare},
	{"sign_request", answerSignRequest},
	{"attach", answerAttach},
}

// Ops returns the names of all ops.
func Ops() []string {
	var names []string
	for _, op := range ops {
		names = append(names, op.name)
	}
	return names
}

// Algorithms returns the names of the algorithms that Answer checks.
func Algorithms() []string { return allAlgorithms().Names() }

// allAlgorithms are Ed25519 and the schemes that a case may have checked by name.
func allAlgorithms() sign.Algorithms {
	all := sign.Ed25519Only()
	for _, s := range pq.Schemes() {
		all = all.With(s)
	}
	return all
}

// Answer is what this library answers to one question. The input is as it stands in a case, not expanded. It never panics.
func Answer(op string, input Object) (r Result) {
	defer func() {
		if fault := recover(); fault != nil {
			r = Result{Error: errorInternal}
		}
	}()
	for _, known := range ops {
		if known.name != op {
			continue
		}
		expanded, err := Expand(input)
		if err != nil {
			return Result{Error: errorMalformedInput}
		}
		return known.answer(expanded.(Object))
	}
	return Result{Unsupported: true}
}

// asked takes an input apart; an input that is none of the op panics, and Answer says so.
func asked[T any](o Object, name string) T {
	v, _ := o.Find(name)
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("input without %s", name))
	}
	return t
}

func fromHex(text string) []byte {
	raw, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return raw
}

func hexOf(b []byte) string { return hex.EncodeToString(b) }

// optional reads a member that may be absent: missing or null.
func optional(o Object, name string) commitment.Optional {
	s, present, ok := o.text(name)
	switch {
	case !ok:
		panic(fmt.Sprintf("%s is no string", name))
	case !present:
		return commitment.Optional{}
	}
	return commitment.Some(s)
}

func linkOf(o Object) commitment.Link {
	return commitment.Link{
		Type: asked[string](o, "type"), URI: optional(o, "uri"), Range: optional(o, "range"), Digest: optional(o, "digest"),
		Method: optional(o, "method"), By: optional(o, "by"),
	}
}

func linksOf(list List) []commitment.Link {
	links := make([]commitment.Link, len(list))
	for i, v := range list {
		links[i] = linkOf(v.(Object))
	}
	return links
}

func encodeLink(l *commitment.Link) []byte {
	b, err := commitment.AppendLink(nil, l)
	if err != nil {
		panic(err)
	}
	return b
}

// answerEncode gives an encoding. That of a single string is read off a link whose other fields have a known length.
func answerEncode(in Object) Result {
	const absent = 1 // byte of enc_opt(absent)
	if _, ok := in.Find("link"); ok {
		link := linkOf(asked[Object](in, "link"))
		return Result{Value: hexOf(encodeLink(&link))}
	}
	if _, ok := in.Find("optional"); ok {
		b := encodeLink(&commitment.Link{URI: optional(in, "optional")})
		return Result{Value: hexOf(b[4 : len(b)-4*absent])}
	}
	b := encodeLink(&commitment.Link{Type: asked[string](in, "text")})
	return Result{Value: hexOf(b[:len(b)-5*absent])}
}

func answerChain(in Object) Result {
	head, err := commitment.ChainHead(linksOf(asked[List](in, "provenance")))
	if err != nil {
		panic(err)
	}
	return Result{Value: hexOf(head[:])}
}

func answerCommitment(in Object) Result {
	frame, _ := in.Find("frame")
	subject, err := archive.FrameSubject(marshal(frame), asked[string](in, "provider_id"))
	if err != nil {
		return Result{Error: malformedFrame}
	}
	return Result{Value: subject.Commitment.String()}
}

func frameIDOf(o Object) commitment.FrameID {
	return commitment.FrameID{
		ProviderID: asked[string](o, "provider_id"), FrameID: asked[string](o, "frame_id"), ContentDigest: optional(o, "content_digest"),
	}
}

func answerOrder(in Object) Result {
	var ids []commitment.FrameID
	for _, v := range asked[List](in, "frames") {
		ids = append(ids, frameIDOf(v.(Object)))
	}
	positions := List{}
	for _, p := range commitment.CanonicalOrder(ids) {
		positions = append(positions, integer(p))
	}
	return Result{Value: positions}
}

// digestsOf reads digests; ok is false where an element is none.
func digestsOf(list List) (digests []commitment.Digest, ok bool) {
	for _, v := range list {
		text, _ := v.(string)
		d, err := commitment.ParseDigest(text)
		if err != nil {
			return nil, false
		}
		digests = append(digests, d)
	}
	return digests, true
}

func answerRoot(in Object) Result {
	leaves, ok := digestsOf(asked[List](in, "commitments"))
	if !ok {
		return Result{Error: malformedCommitment}
	}
	return Result{Value: merkle.Root(leaves).String()}
}

func answerProve(in Object) Result {
	leaves, ok := digestsOf(asked[List](in, "commitments"))
	if !ok {
		return Result{Error: malformedCommitment}
	}
	proof, err := merkle.NewTree(leaves).Prove(uintOf(asked[Number](in, "leaf_index")))
	if errors.Is(err, merkle.ErrIndexRange) {
		return Result{Error: errorOutOfRange}
	}
	return Result{Value: proofObject(&proof)}
}

func uintOf(n Number) uint64 {
	var u uint64
	if _, err := fmt.Sscanf(string(n), "%d", &u); err != nil {
		panic(err)
	}
	return u
}

func proofObject(p *merkle.Proof) Object {
	path := List{}
	for _, s := range p.Path {
		path = append(path, object("sibling", s.Sibling.String(), "sibling_is_left", s.SiblingIsLeft))
	}
	return object("leaf_index", integer(p.LeafIndex), "leaf_count", integer(p.LeafCount), "path", path)
}

// answerProof judges a proof. Whether the count is that of the frames carried is compared here as in package archive: it is part
// of the shape, which is judged before the root.
func answerProof(in Object) Result {
	var text []byte
	if raw, ok := in.Find("inclusion_proof_json"); ok {
		text = []byte(raw.(string))
	} else {
		proof, _ := in.Find("inclusion_proof")
		text = marshal(proof)
	}
	parsed, err := parseValue(text)
	proof, isObject := parsed.(Object)
	if err != nil || !isObject {
		return Result{Error: unusable}
	}
	want, wantErr := commitment.ParseDigest(asked[string](in, "root"))
	leaf, leafErr := commitment.ParseDigest(asked[string](in, "commitment"))
	r, err := archive.CheckProof(sign.Ed25519Only(), text, sign.Subject{Commitment: leaf, BindsContent: true}, archive.ProofRoot{Root: want})
	if err != nil {
		return Result{Error: unusable}
	}
	frames, counted := in.Find("frames")
	count, _ := proof.Find("leaf_count")
	if wantErr != nil || leafErr != nil || counted && !equal(frames, count) {
		return Result{Verdict: string(sign.MalformedCommitment)}
	}
	if own := proofOf(proof); own != nil && (own.Verify(leaf, want) == nil) != (r.Verdict == sign.Valid) {
		panic("packages merkle and archive disagree")
	}
	return Result{Verdict: string(r.Verdict)}
}

// proofOf is the proof that an object holds, nil where a member is another or a sibling no digest.
func proofOf(o Object) *merkle.Proof {
	if inner, ok := o.Find("inclusion_proof"); ok {
		o, _ = inner.(Object)
	}
	index, _ := o.Find("leaf_index")
	count, _ := o.Find("leaf_count")
	path, ok := o.Find("path")
	if !ok {
		return nil
	}
	p := &merkle.Proof{LeafIndex: uintOf(index.(Number)), LeafCount: uintOf(count.(Number))}
	for _, v := range path.(List) {
		step := v.(Object)
		sibling, err := commitment.ParseDigest(asked[string](step, "sibling"))
		if err != nil {
			return nil
		}
		p.Path = append(p.Path, merkle.Step{Sibling: sibling, SiblingIsLeft: asked[bool](step, "sibling_is_left")})
	}
	return p
}

func answerEd25519(in Object) Result {
	key, message := fromHex(asked[string](in, "public_key")), fromHex(asked[string](in, "message"))
	text := asked[string](in, "signature")
	if err := sign.CheckEd25519Key(key); err != nil {
		return Result{Verdict: string(sign.MalformedKey)}
	}
	signature, err := hex.DecodeString(text)
	if err != nil || text != hexOf(signature) {
		return Result{Verdict: string(sign.MalformedSignature)}
	}
	switch err := sign.VerifyEd25519(key, message, signature); {
	case errors.Is(err, sign.ErrMalformedSignature):
		return Result{Verdict: string(sign.MalformedSignature)}
	case errors.Is(err, sign.ErrBadSignature):
		return Result{Verdict: string(sign.BadSignature)}
	case err != nil:
		panic(err)
	}
	return Result{Verdict: string(sign.Valid)}
}

// algorithmsOf returns those of the named algorithms that this library has.
func algorithmsOf(in Object) sign.Algorithms {
	v, ok := in.Find("algorithms")
	if !ok {
		return sign.Ed25519Only()
	}
	var some sign.Algorithms
	for _, name := range v.(List) {
		if alg, ok := allAlgorithms().Lookup(name.(string)); ok {
			some = some.With(alg)
		}
	}
	return some
}

func answerVerify(in Object) Result {
	want, err := commitment.ParseDigest(asked[string](in, "commitment"))
	if err != nil {
		panic(err)
	}
	key := asked[Object](in, "public_key")
	algorithms := algorithmsOf(in)
	attestation, _ := in.Find("attestation")
	if _, err := archive.CheckAttestation(algorithms, marshal(attestation), want, sign.PublicKey{}); err != nil {
		return Result{Error: unusable}
	}
	a := attestation.(Object)
	att := sign.Attestation{
		SignedCommitment: asked[string](a, "signed_commitment"), KeyID: asked[string](a, "key_id"), Algorithm: asked[string](a, "algorithm"),
		AttesterID: asked[string](a, "attester_id"), Signature: asked[string](a, "signature"), IssuedAt: asked[string](a, "issued_at"),
	}
	subject := sign.Subject{Commitment: want, BindsContent: optional(in, "content_digest").Present()}
	outcome := algorithms.Verify(&att, subject, algorithms.PrepareHex(asked[string](key, "algorithm"), asked[string](key, "public_key")))
	return Result{Verdict: string(outcome.Verdict)}
}

// supports reports whether this library has what a case requires.
func supports(c *Case) bool {
	return !slices.ContainsFunc(c.Requires, func(need string) bool {
		return !slices.ContainsFunc(Algorithms(), func(name string) bool { return need == "algorithm:"+name })
	})
}
