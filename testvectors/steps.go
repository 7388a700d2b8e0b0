package testvectors

import (
	"crypto/sha512"
	"errors"
	"math/big"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// Beyond these sizes a case has no steps: they would be larger than all others together.
const (
	maxStepText   = 4096 // bytes of an encoding
	maxStepLeaves = 33
)

// stepsOf returns the intermediate values of an answer, nil where there are none to show.
func stepsOf(op string, input Object) Object {
	expanded, err := Expand(input)
	if err != nil {
		return nil
	}
	in := expanded.(Object)
	var steps Object
	switch op {
	case "chain":
		list, _ := in.Find("provenance")
		steps = chainSteps(linksOf(list.(List)))
	case "commitment":
		steps = commitmentSteps(in)
	case "root":
		steps = treeSteps(in)
	case "proof":
		steps = proofSteps(in)
	case "ed25519":
		steps = signatureSteps(asked[string](in, "public_key"), asked[string](in, "message"), asked[string](in, "signature"))
	case "verify":
		steps = verifySteps(in)
	}
	if len(marshal(steps)) > 8*maxStepText {
		return nil
	}
	return steps
}

func chainSteps(links []commitment.Link) Object {
	trace, err := commitment.Trace("", &commitment.Frame{Provenance: links})
	if err != nil {
		return nil
	}
	return linkSteps(&trace)
}

func linkSteps(trace *commitment.Steps) Object {
	encodings, preimages, heads := List{}, List{}, List{}
	for _, l := range trace.Links {
		encodings = append(encodings, hexOf(l.Encoding))
		preimages = append(preimages, hexOf(l.Preimage))
		heads = append(heads, hexOf(l.Head[:]))
	}
	return object("genesis", hexOf(trace.Genesis[:]), "encodings", encodings, "link_preimages", preimages, "link_heads", heads,
		"chain_head", hexOf(trace.ChainHead[:]))
}

func commitmentSteps(in Object) Object {
	if r := answerCommitment(in); r.Error != "" {
		return nil
	}
	o := asked[Object](in, "frame")
	frame := commitment.Frame{ID: asked[string](o, "id"), ContentDigest: optional(o, "content_digest")}
	if list, _ := o.Find("provenance"); list != nil {
		frame.Provenance = linksOf(list.(List))
	}
	trace, err := commitment.Trace(asked[string](in, "provider_id"), &frame)
	if err != nil {
		return nil
	}
	return append(linkSteps(&trace), object("preimage", hexOf(trace.FramePreimage), "commitment", hexOf(trace.Commitment[:]))...)
}

// treeSteps are the levels of the tree from the leaves up: a node without a neighbour stands in the next level as it is.
func treeSteps(in Object) Object {
	leaves, ok := digestsOf(asked[List](in, "commitments"))
	if !ok || len(leaves) == 0 || len(leaves) > maxStepLeaves {
		return nil
	}
	var level []commitment.Digest
	for _, c := range leaves {
		level = append(level, merkle.LeafHash(c))
	}
	levels := List{hexList(level)}
	for len(level) > 1 {
		var above []commitment.Digest
		for pair := range slices.Chunk(level, 2) {
			if len(pair) == 1 {
				above = append(above, pair[0])
				continue
			}
			above = append(above, merkle.NodeHash(pair[0], pair[1]))
		}
		level = above
		levels = append(levels, hexList(level))
	}
	return object("levels", levels, "root", hexOf(level[0][:]))
}

func hexList(digests []commitment.Digest) List {
	out := List{}
	for _, d := range digests {
		out = append(out, hexOf(d[:]))
	}
	return out
}

// proofSteps are the hashes from the leaf to the root, where the proof has its shape.
func proofSteps(in Object) Object {
	o, _ := in.Find("inclusion_proof")
	proof, ok := o.(Object)
	leaf, err := commitment.ParseDigest(asked[string](in, "commitment"))
	if r := answerProof(in); !ok || err != nil || r.Verdict != valid && r.Verdict != commitmentMismatch {
		return nil
	}
	h := merkle.LeafHash(leaf)
	nodes := List{}
	for _, s := range asked[List](proof, "path") {
		step := s.(Object)
		sibling, err := commitment.ParseDigest(asked[string](step, "sibling"))
		if err != nil {
			return nil
		}
		if asked[bool](step, "sibling_is_left") {
			h = merkle.NodeHash(sibling, h)
		} else {
			h = merkle.NodeHash(h, sibling)
		}
		nodes = append(nodes, hexOf(h[:]))
	}
	first := merkle.LeafHash(leaf)
	return object("leaf", hexOf(first[:]), "nodes", nodes, "root", hexOf(h[:]))
}

// signatureSteps are the parts of the equation: R, S and k = SHA-512(R ‖ A ‖ M) mod L, 32 bytes little-endian each.
func signatureSteps(key, message, signature string) Object {
	a, errA := hexBytes(key)
	m, errM := hexBytes(message)
	sig, errS := hexBytes(signature)
	if errors.Join(errA, errM, errS) != nil || len(a) != 32 || len(sig) != 64 {
		return nil
	}
	h := sha512.New()
	h.Write(sig[:32])
	h.Write(a)
	h.Write(m)
	k := new(big.Int).Mod(littleEndian(h.Sum(nil)), groupOrder)
	return object("message", message, "r", hexOf(sig[:32]), "s", hexOf(sig[32:]), "k", hexOf(scalarBytes(k)))
}

func verifySteps(in Object) Object {
	att, _ := in.Find("attestation")
	o, ok := att.(Object)
	if r := answerVerify(in); !ok || r.Error != "" {
		return nil
	}
	want, err := commitment.ParseDigest(asked[string](in, "commitment"))
	if err != nil {
		return nil
	}
	return signatureSteps(asked[string](asked[Object](in, "public_key"), "public_key"), hexOf(want[:]), asked[string](o, "signature"))
}
