package testvectors

import (
	"fmt"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// The naive reference, which shares no code with the library, gives the same values and steps wherever it has the question.
func TestReferenceAgrees(t *testing.T) {
	asked := make(map[string]int)
	for _, c := range released(t) {
		expanded, err := Expand(c.Input)
		if err != nil {
			t.Fatal(err)
		}
		in := expanded.(Object)
		got, has := reference(c, in)
		if !has {
			continue
		}
		asked[c.Op]++
		if !got.Equal(c.Expect) {
			t.Errorf("%s: the reference says %s, want %s", c.ID, got, c.Expect)
		}
	}
	for op, least := range map[string]int{"encode": 25, "chain": 40, "commitment": 50, "root": 20, "prove": 10, "proof": 30, "ed25519": 90} {
		if asked[op] < least {
			t.Errorf("%d cases of %s were compared, want %d at least", asked[op], op, least)
		}
	}
}

func benchLink(o Object) bench.Link {
	field := func(name string) *string {
		s, present, _ := o.text(name)
		if !present {
			return nil
		}
		return &s
	}
	return bench.Link{Type: field("type"), URI: field("uri"), Range: field("range"), Digest: field("digest"), Method: field("method"), By: field("by")}
}

func benchLinks(v any) []bench.Link {
	var out []bench.Link
	list, _ := v.(List)
	for _, l := range list {
		out = append(out, benchLink(l.(Object)))
	}
	return out
}

func benchHashes(list List) (out []bench.Hash, ok bool) {
	for _, v := range list {
		raw, err := hexBytes(v.(string)[min(7, len(v.(string))):])
		if err != nil || len(raw) != 32 || fmt.Sprintf("sha256:%x", raw) != v {
			return nil, false
		}
		out = append(out, bench.Hash(raw))
	}
	return out, true
}

// reference answers a case with package bench; has is false where it has not the question.
func reference(c *Case, in Object) (r Result, has bool) {
	switch c.Op {
	case "encode":
		link, ok := in.Find("link")
		if !ok {
			return r, false
		}
		l := benchLink(link.(Object))
		return Result{Value: hexOf(bench.EncodeLink(&l))}, true
	case "chain":
		head := bench.ChainHead(benchLinks(asked[List](in, "provenance")))
		return Result{Value: hexOf(head[:])}, true
	case "commitment":
		if c.Expect.Error != "" {
			return r, false
		}
		o := asked[Object](in, "frame")
		id := asked[string](o, "id")
		f := bench.Frame{ID: &id}
		if digest, present, _ := o.text("content_digest"); present {
			f.ContentDigest = &digest
		}
		provenance, _ := o.Find("provenance")
		f.Provenance = benchLinks(provenance)
		return Result{Value: bench.Commitment(asked[string](in, "provider_id"), &f).String()}, true
	case "root", "prove":
		leaves, ok := benchHashes(asked[List](in, "commitments"))
		if !ok || c.Expect.Error != "" || len(leaves) > 100 && c.Op == "prove" {
			return r, false
		}
		if c.Op == "root" {
			return Result{Value: bench.Root(leaves).String()}, true
		}
		p := bench.Prove(leaves, uintOf(asked[Number](in, "leaf_index")))
		path := List{}
		for _, s := range p.Path {
			path = append(path, object("sibling", s.Sibling.String(), "sibling_is_left", s.Left))
		}
		return Result{Value: object("leaf_index", integer(p.Index), "leaf_count", integer(p.Count), "path", path)}, true
	case "proof":
		return referenceProof(c, in)
	case "ed25519":
		key, message := fromHex(asked[string](in, "public_key")), fromHex(asked[string](in, "message"))
		text := asked[string](in, "signature")
		signature, err := hexBytes(text)
		switch {
		case len(key) != 32 || !bench.StrongKey(key):
			return Result{Verdict: malformedKey}, true
		case err != nil || len(signature) != 64 || hexOf(signature) != text:
			return Result{Verdict: malformedSignature}, true
		case !bench.VerifyEd25519(key, message, signature):
			return Result{Verdict: badSignature}, true
		}
		return Result{Verdict: valid}, true
	}
	return r, false
}

func referenceProof(c *Case, in Object) (r Result, has bool) {
	v, _ := in.Find("inclusion_proof")
	o, ok := v.(Object)
	leaf, okLeaf := benchHashes(List{asked[string](in, "commitment")})
	root, okRoot := benchHashes(List{asked[string](in, "root")})
	if !ok || !okLeaf || !okRoot || c.Expect.Error != "" {
		return r, false
	}
	p := bench.Proof{Index: uintOf(asked[Number](o, "leaf_index")), Count: uintOf(asked[Number](o, "leaf_count"))}
	for _, s := range asked[List](o, "path") {
		sibling, ok := benchHashes(List{asked[string](s.(Object), "sibling")})
		if !ok {
			return Result{Verdict: malformedCommitment}, true
		}
		p.Path = append(p.Path, bench.Step{Sibling: sibling[0], Left: asked[bool](s.(Object), "sibling_is_left")})
	}
	got, err := p.Root(leaf[0])
	frames, counted := in.Find("frames")
	switch {
	case err != nil, counted && uintOf(frames.(Number)) != p.Count:
		return Result{Verdict: malformedCommitment}, true
	case got != root[0]:
		return Result{Verdict: commitmentMismatch}, true
	}
	return Result{Verdict: valid}, true
}
