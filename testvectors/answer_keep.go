package testvectors

import (
	"bytes"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The errors of keeping that are not the library's own words.
const (
	errorUnknownFrame = "unknown_frame"
	errorUnsigned     = "unsigned"
)

// refsOf are references to frames: texts of the form ID[@DIGEST], and FrameIds.
func refsOf(in Object, name string) (refs []archive.FrameRef) {
	list, _ := in.Find(name)
	if list == nil {
		return nil
	}
	for _, v := range list.(List) {
		if id, ok := v.(string); ok {
			refs = append(refs, archive.RefText(id))
			continue
		}
		refs = append(refs, archive.RefID(frameIDOf(v.(Object))))
	}
	return refs
}

func recordOf(in Object) uint64 {
	if n, ok := in.Find("record"); ok {
		return uintOf(n.(Number))
	}
	return 0
}

func answerRetain(in Object) Result {
	keys, err := keyring(in)
	if err != nil {
		panic(err)
	}
	opt := archive.RetainOptions{
		Keys: keys, Provider: optional(in, "provider"), LocalID: optional(in, "local_id"), ReceivedAt: receivedAt(in), Record: recordOf(in),
		Keep: refsOf(in, "keep"), Drop: refsOf(in, "drop"), Everywhere: flag(in, "everywhere"), Form: archive.RetainForm(optional(in, "form").OrEmpty()),
	}
	if text, given := optional(in, "keep_from").Text(); given {
		refs, err := archive.ParseRefs(text)
		if err != nil {
			return refused(err)
		}
		opt.Keep = append(opt.Keep, refs...)
	}
	subsets, err := archive.Retain(bytes.NewReader(inputBytes(in)), opt)
	if err != nil {
		return refused(err)
	}
	list := List{}
	for i := range subsets {
		list = append(list, append(object("record", integer(subsets[i].Record)), keptObject(subsets[i].Output)...))
	}
	if opt.Everywhere {
		return Result{Value: list}
	}
	return Result{Value: keptObject(subsets[0].Output)}
}

// keptObject tells what was written of one answer.
func keptObject(output []byte) Object {
	result := resultOf(recordsOf(output)[0])
	var root any
	if attestation, ok := result.Find("result_attestation"); ok {
		root = asked[string](attestation.(Object), "signed_commitment")
	}
	return object("root", root, "entries", asked[List](result, "frame_attestations"))
}

func answerProveFrames(in Object) Result {
	r, err := archive.Prove(bytes.NewReader(inputBytes(in)), archive.ProveOptions{
		Provider: optional(in, "provider"), Record: recordOf(in), Frames: refsOf(in, "frames"),
	})
	if err != nil {
		return refused(err)
	}
	proofs := List{}
	for i := range r.Proofs {
		p := &r.Proofs[i]
		proofs = append(proofs, object("frame", frameIDObject(&p.Frame), "commitment", p.Commitment.String(), "inclusion_proof", proofObject(&p.Proof)))
	}
	return Result{Value: object("record", integer(r.Record), "provider_id", r.ProviderID, "root", r.Root.String(), "signed", r.Signed, "proofs", proofs)}
}

func frameIDObject(id *commitment.FrameID) Object {
	var digest any
	if text, present := id.ContentDigest.Text(); present {
		digest = text
	}
	return identity(id.ProviderID, id.FrameID, digest)
}

// answerCheck judges one file: an attestation over what is given, or a proof that leads from it to a root.
func answerCheck(in Object) Result {
	subject := sign.Subject{BindsContent: true}
	if frame, ok := in.Find("frame"); ok {
		var err error
		if subject, err = archive.FrameSubject([]byte(frame.(string)), asked[string](in, "provider_id")); err != nil {
			return Result{Error: malformedFrame}
		}
	} else {
		subject.Commitment = digestIn(in, "commitment")
	}
	var key sign.PublicKey
	attestation, attested := in.Find("attestation")
	if attested {
		o := asked[Object](in, "public_key")
		key = sign.PublicKey{Algorithm: asked[string](o, "algorithm"), Bytes: string(fromHex(asked[string](o, "public_key")))}
	}
	proof, proven := in.Find("proof")
	if !proven {
		r, err := archive.CheckAttestation(algorithmsOf(in), []byte(attestation.(string)), subject.Commitment, key)
		return checked(r, err)
	}
	to := archive.ProofRoot{Key: key}
	if attested {
		to.Attestation = []byte(attestation.(string))
	} else {
		to.Root = digestIn(in, "root")
	}
	r, err := archive.CheckProof(algorithmsOf(in), []byte(proof.(string)), subject, to)
	return checked(r, err)
}

func digestIn(in Object, name string) commitment.Digest {
	d, err := commitment.ParseDigest(asked[string](in, name))
	if err != nil {
		panic(err)
	}
	return d
}

func checked(r archive.CheckResult, err error) Result {
	if err != nil {
		return Result{Error: unusable}
	}
	return Result{Verdict: string(r.Verdict)}
}
