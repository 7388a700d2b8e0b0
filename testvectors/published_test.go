package testvectors

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// The published values are read where they stand and reproduced through the ops of the vectors.

func published(t *testing.T, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/"+name), into); err != nil {
		t.Fatal(err)
	}
}

// tree turns what encoding/json read into a value of this package.
func tree(t *testing.T, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	out, err := parseValue(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// wants asks a question and compares the answer.
func wants(t *testing.T, what, op string, input Object, want Result) {
	t.Helper()
	if got := Answer(op, input); !got.Equal(want) {
		t.Errorf("%s: %s answers %s, published is %s", what, op, got, want)
	}
}

func TestPublishedAttestationVectors(t *testing.T) {
	var v struct {
		Links           map[string]map[string]string `json:"links"`
		Encodings       map[string]string            `json:"link_encodings_hex"`
		Heads           map[string]string            `json:"chain_heads"`
		FrameCommitment struct {
			ProviderID string `json:"provider_id"`
			Frame      struct {
				ID            string   `json:"id"`
				ContentDigest string   `json:"content_digest"`
				Provenance    []string `json:"provenance"`
			} `json:"frame"`
			Commitment string `json:"commitment"`
		} `json:"frame_commitment"`
		Merkle struct {
			ProviderID string            `json:"provider_id"`
			Frames     []map[string]any  `json:"leaf_frames"`
			Roots      map[string]string `json:"roots_by_leaf_count"`
			Proof      map[string]any    `json:"inclusion_proof"`
		} `json:"merkle"`
		Signature struct {
			PublicKey   string            `json:"public_key_hex"`
			Attestation map[string]string `json:"attestation"`
		} `json:"signature"`
		Strictness struct {
			Small        []string `json:"small_order_public_keys_hex"`
			NonCanonical []string `json:"non_canonical_public_keys_hex"`
		} `json:"verifier_strictness"`
	}
	published(t, "attestation-vectors.json", &v)
	link := func(name string) Object {
		l, ok := v.Links[name]
		if !ok {
			t.Fatalf("no link %q", name)
		}
		return tree(t, l).(Object)
	}
	for name, want := range v.Encodings {
		wants(t, name, "encode", object("link", link(name)), Result{Value: want})
	}
	for name, want := range v.Heads {
		list := List{}
		if name != "empty" {
			for _, l := range strings.Split(name, "_then_") {
				list = append(list, link(l))
			}
		}
		wants(t, name, "chain", object("provenance", list), Result{Value: strings.TrimPrefix(want, "sha256:")})
	}
	f := v.FrameCommitment
	provenance := List{}
	for _, name := range f.Frame.Provenance {
		provenance = append(provenance, link(name))
	}
	frame := object("id", f.Frame.ID, "content_digest", f.Frame.ContentDigest, "provenance", provenance)
	wants(t, "frame_commitment", "commitment", object("provider_id", f.ProviderID, "frame", frame), Result{Value: f.Commitment})

	leaves := List{}
	for _, frame := range v.Merkle.Frames {
		leaves = append(leaves, Answer("commitment", object("provider_id", v.Merkle.ProviderID, "frame", tree(t, frame))).Value)
	}
	for count, want := range v.Merkle.Roots {
		var n int
		fmt.Sscan(count, &n)
		wants(t, "root of "+count, "root", object("commitments", leaves[:n]), Result{Value: want})
	}
	proof := tree(t, v.Merkle.Proof).(Object)
	index, _ := proof.Find("leaf_index")
	wants(t, "proof", "prove", object("commitments", leaves, "leaf_index", index), Result{Value: proof})
	wants(t, "proof", "proof", object("commitment", leaves[3], "inclusion_proof", proof, "root", v.Merkle.Roots["7"], "frames", integer(7)), Result{Verdict: valid})

	question := object("attestation", tree(t, v.Signature.Attestation), "commitment", f.Commitment,
		"public_key", keyObject("ed25519", v.Signature.PublicKey), "content_digest", f.Frame.ContentDigest)
	wants(t, "signature", "verify", question, Result{Verdict: valid})
	for _, key := range append(v.Strictness.Small, v.Strictness.NonCanonical...) {
		wants(t, key, "verify", question.with("public_key", keyObject("ed25519", key)), Result{Verdict: malformedKey})
		wants(t, key, "key", object("public_key", key, "form", "hex"), Result{Error: malformedKey})
	}
	if len(v.Encodings) < 2 || len(v.Heads) < 4 || len(v.Merkle.Roots) < 5 || len(v.Strictness.Small) < 8 {
		t.Errorf("the file has %d encodings, %d heads, %d roots, %d keys", len(v.Encodings), len(v.Heads), len(v.Merkle.Roots), len(v.Strictness.Small))
	}
}

func TestPublishedEd25519(t *testing.T) {
	var v struct {
		Cases []struct{ ID, Pub, Msg, Sig, Expected string }
	}
	published(t, "ed25519-strict-public.json", &v)
	for _, c := range v.Cases {
		wants(t, c.ID, "ed25519", object("public_key", c.Pub, "message", c.Msg, "signature", c.Sig), Result{Verdict: c.Expected})
	}
	if len(v.Cases) < 1000 {
		t.Errorf("the file has %d cases", len(v.Cases))
	}
}

func TestPublishedRanges(t *testing.T) {
	var v struct {
		Resources map[string]string
		Cases     []struct {
			Resource             string
			Range, Bytes, Digest *string
			Unverifiable         string
		}
	}
	published(t, "range-vectors.json", &v)
	for _, c := range v.Cases {
		in := object("file", v.Resources[c.Resource])
		what := c.Resource
		if c.Range != nil {
			in = append(in, Member{"range", *c.Range})
			what += " " + *c.Range
		}
		want := Result{Error: c.Unverifiable}
		if c.Bytes != nil {
			want = Result{Value: object("bytes", hexOf([]byte(*c.Bytes)), "digest", *c.Digest)}
		}
		wants(t, what, "range", in, want)
	}
	if len(v.Cases) < 30 {
		t.Errorf("the file has %d cases", len(v.Cases))
	}
}

// The signed answer of the published example, judged as one input of several messages, with the key that signed it (its seed is
// 32 bytes of 2a) and the first digits of the commitment and the root that the specification prints.
func TestPublishedMessages(t *testing.T) {
	text := publicdata.Shared(t, "vectors/reference-messages.json")
	trusted := List{object("local_id", "repo-graph", "key_id", "repo-graph-2026-08", "algorithm", "ed25519", "public_key", publicHex(seeded(0x2a)))}
	r := Answer("answer", object("text", string(text), "trusted", trusted, "allow_opaque_digest", true))
	found := string(marshal(r.Value))
	for _, want := range []string{`"commitment":"sha256:79516374`, `"recomputed":"sha256:a6eb9a20`, `"state":"attested","verdict":"valid"`, `"kind":"signature"`, `"kind":"inclusion"`} {
		if !strings.Contains(found, want) {
			t.Errorf("the answer has no %s: %.2000s", want, found)
		}
	}
	for _, bad := range []string{`"invalid"`, `"root_mismatch"`} {
		if strings.Contains(found, bad) {
			t.Errorf("the answer has %s", bad)
		}
	}
}

// The example answer of the specification, signed again with its published seed, carries the published evidence (CGP §6.5.5,
// vectors/reference-messages.json).
func TestPublishedSigned(t *testing.T) {
	var messages []any
	published(t, "reference-messages.json", &messages)
	var answer Object
	for _, m := range messages {
		if o := tree(t, m).(Object); slices.ContainsFunc(o, func(m Member) bool { return m.Name == "type" && m.Value == "frames" }) {
			answer = o
		}
	}
	result := asked[Object](answer, "result")
	root := asked[Object](result, "result_attestation")
	entries := asked[List](result, "frame_attestations")
	in := object("text", string(marshal(answer)), "seed", strings.Repeat("2a", 32), "key_id", asked[string](root, "key_id"), "attester_id", asked[string](root, "attester_id"),
		"issued_at", asked[string](root, "issued_at"), "provider", "repo-graph", "shape", "both", "replace", true, "allow_opaque_digest", true)
	r := Answer("sign", in)
	value, ok := r.Value.(Object)
	if !ok {
		t.Fatalf("sign answers %s", r)
	}
	signed := asked[List](value, "answers")[0].(Object)
	if got := asked[Object](signed, "result_attestation"); !equal(got, root) {
		t.Errorf("the root's attestation is\n%s, published is\n%s", marshal(got), marshal(root))
	}
	got := asked[List](signed, "frame_attestations")
	if len(got) != len(entries) || len(entries) != 2 {
		t.Fatalf("%d entries, published are %d", len(got), len(entries))
	}
	for i := range entries {
		for _, m := range entries[i].(Object) { // not every frame of the example has both kinds of evidence
			if own, _ := got[i].(Object).Find(m.Name); !equal(own, m.Value) {
				t.Errorf("%s of entry %d is\n%s, published is\n%s", m.Name, i, marshal(own), marshal(m.Value))
			}
		}
	}
}
