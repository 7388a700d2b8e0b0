package bench_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

func mustHex(tb testing.TB, text string) []byte {
	tb.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

// tagged is "sha256:" and the hexadecimal SHA-256 of the parts, one after the other.
func tagged(parts ...[]byte) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256(bytes.Join(parts, nil)))
}

// published is tests/vectors/attestation-vectors.json of the Context Graph Protocol repository, as far as it can be computed.
type published struct {
	DomainTags struct {
		Genesis, Link, Frame string
		MerkleEmpty          string `json:"merkle_empty"`
		LeafPrefix           string `json:"merkle_leaf_prefix_hex"`
		NodePrefix           string `json:"merkle_node_prefix_hex"`
	} `json:"domain_tags"`
	Links         map[string]bench.Link
	LinkEncodings map[string]string `json:"link_encodings_hex"`
	UnicodeTrap   struct {
		URI, By struct {
			Bytes uint32 `json:"utf8_bytes"`
		}
	} `json:"unicode_length_trap"`
	ChainHeads      map[string]string `json:"chain_heads"`
	FrameCommitment struct {
		ProviderID string `json:"provider_id"`
		Frame      struct {
			ID            *string
			ContentDigest *string `json:"content_digest"`
			Provenance    []string
		}
		Commitment string
	} `json:"frame_commitment"`
	Merkle struct {
		ProviderID string            `json:"provider_id"`
		LeafFrames []bench.Frame     `json:"leaf_frames"`
		Roots      map[uint64]string `json:"roots_by_leaf_count"`
		Proof      struct {
			Count uint64 `json:"leaf_count"`
			Index uint64 `json:"leaf_index"`
			Path  []struct {
				Sibling string
				Left    bool `json:"sibling_is_left"`
			}
		} `json:"inclusion_proof"`
	}
	Signature struct {
		Seed        string `json:"signing_key_seed_hex"`
		PublicKey   string `json:"public_key_hex"`
		Attestation struct {
			SignedCommitment string `json:"signed_commitment"`
			KeyID            string `json:"key_id"`
			Signature        string
		}
	}
	Strictness struct {
		SmallOrder   []string `json:"small_order_public_keys_hex"`
		NonCanonical []string `json:"non_canonical_public_keys_hex"`
	} `json:"verifier_strictness"`
}

func readPublished(t *testing.T) *published {
	t.Helper()
	var p published
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/attestation-vectors.json"), &p); err != nil {
		t.Fatal(err)
	}
	return &p
}

// frame is the published frame with the links that it names.
func (p *published) frame() *bench.Frame {
	f := &bench.Frame{ID: p.FrameCommitment.Frame.ID, ContentDigest: p.FrameCommitment.Frame.ContentDigest}
	for _, name := range p.FrameCommitment.Frame.Provenance {
		f.Provenance = append(f.Provenance, p.Links[name])
	}
	return f
}

func TestPublishedEncodings(t *testing.T) {
	p := readPublished(t)
	if len(p.LinkEncodings) != 2 {
		t.Errorf("%d encodings are published, want 2", len(p.LinkEncodings))
	}
	for name, want := range p.LinkEncodings {
		if got := bench.EncodeLink(new(p.Links[name])); hex.EncodeToString(got) != want {
			t.Errorf("EncodeLink(%s) = %x, want %s", name, got, want)
		}
	}
	unicode := p.Links["unicode"]
	for text, want := range map[string]uint32{*unicode.URI: p.UnicodeTrap.URI.Bytes, *unicode.By: p.UnicodeTrap.By.Bytes} {
		before, _, found := bytes.Cut(bench.EncodeLink(&unicode), []byte(text))
		if !found || len(before) < 4 {
			t.Fatalf("%q is not in the encoding", text)
		}
		if got := binary.BigEndian.Uint32(before[len(before)-4:]); got != want {
			t.Errorf("the length in front of %q is %d, want %d", text, got, want)
		}
	}

	chains := map[string][]string{
		"empty": nil, "file": {"file"}, "file_then_derivation": {"file", "derivation"}, "unicode": {"unicode"},
	}
	if got, want := slices.Sorted(maps.Keys(p.ChainHeads)), slices.Sorted(maps.Keys(chains)); !slices.Equal(got, want) {
		t.Errorf("chain heads are published for %q, want %q", got, want)
	}
	for name, links := range chains {
		var chain []bench.Link
		for _, link := range links {
			chain = append(chain, p.Links[link])
		}
		if got := bench.ChainHead(chain).String(); got != p.ChainHeads[name] {
			t.Errorf("ChainHead(%s) = %s, want %s", name, got, p.ChainHeads[name])
		}
	}
	if got := bench.Commitment(p.FrameCommitment.ProviderID, p.frame()).String(); got != p.FrameCommitment.Commitment {
		t.Errorf("Commitment = %s, want %s", got, p.FrameCommitment.Commitment)
	}
}

// The published tags and prefixes are those that the values are made with.
func TestPublishedTags(t *testing.T) {
	p := readPublished(t)
	tags := p.DomainTags
	file := p.Links["file"]
	genesis, head := bench.ChainHead(nil), bench.ChainHead([]bench.Link{file})
	id, digest := *p.FrameCommitment.Frame.ID, *p.FrameCommitment.Frame.ContentDigest
	preimage := fmt.Sprintf("%s\x00\x00\x00\x0a%s\x00\x00\x00\x0c%s\x01\x00\x00\x00\x47%s%s",
		tags.Frame, p.FrameCommitment.ProviderID, id, digest, head[:])
	a, b := bench.Hash{1}, bench.Hash{2}
	leafA, leafB := bench.Root([]bench.Hash{a}), bench.Root([]bench.Hash{b})
	for _, tt := range []struct{ name, got, want string }{
		{"genesis", genesis.String(), tagged([]byte(tags.Genesis))},
		{"link", head.String(), tagged([]byte(tags.Link), genesis[:], bench.EncodeLink(&file))},
		{"frame", bench.Commitment(p.FrameCommitment.ProviderID, p.frame()).String(), tagged([]byte(preimage))},
		{"merkle_empty", bench.Root(nil).String(), tagged([]byte(tags.MerkleEmpty))},
		{"leaf prefix", leafA.String(), tagged(mustHex(t, tags.LeafPrefix), a[:])},
		{"node prefix", bench.Root([]bench.Hash{a, b}).String(), tagged(mustHex(t, tags.NodePrefix), leafA[:], leafB[:])},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}

func TestPublishedTree(t *testing.T) {
	p := readPublished(t).Merkle
	var leaves []bench.Hash
	for i := range p.LeafFrames {
		leaves = append(leaves, bench.Commitment(p.ProviderID, &p.LeafFrames[i]))
	}
	if got, want := slices.Sorted(maps.Keys(p.Roots)), []uint64{0, 1, 3, 4, 7}; !slices.Equal(got, want) {
		t.Errorf("roots are published for %d leaves, want %d", got, want)
	}
	for n, want := range p.Roots {
		if got := bench.Root(leaves[:n]).String(); got != want {
			t.Errorf("Root of %d leaves = %s, want %s", n, got, want)
		}
	}
	proof := bench.Prove(leaves[:p.Proof.Count], p.Proof.Index)
	if proof.Index != p.Proof.Index || proof.Count != p.Proof.Count || len(proof.Path) != len(p.Proof.Path) {
		t.Fatalf("Prove = leaf %d of %d in %d steps, want leaf %d of %d in %d",
			proof.Index, proof.Count, len(proof.Path), p.Proof.Index, p.Proof.Count, len(p.Proof.Path))
	}
	for i, want := range p.Proof.Path {
		if got := proof.Path[i]; got.Sibling.String() != want.Sibling || got.Left != want.Left {
			t.Errorf("step %d = %s, left %t, want %s, left %t", i, got.Sibling, got.Left, want.Sibling, want.Left)
		}
	}
	if got, err := proof.Root(leaves[p.Proof.Index]); err != nil || got.String() != p.Roots[p.Proof.Count] {
		t.Errorf("the proof leads to %s, %v, want %s", got, err, p.Roots[p.Proof.Count])
	}
}

func TestPublishedSignature(t *testing.T) {
	p := readPublished(t)
	seed := ed25519.NewKeyFromSeed(mustHex(t, p.Signature.Seed))
	key := seed.Public().(ed25519.PublicKey)
	if got := hex.EncodeToString(key); got != p.Signature.PublicKey {
		t.Errorf("the seed's public key is %s, want %s", got, p.Signature.PublicKey)
	}
	c := bench.Commitment(p.FrameCommitment.ProviderID, p.frame())
	if got := hex.EncodeToString(ed25519.Sign(seed, c[:])); got != p.Signature.Attestation.Signature {
		t.Errorf("the signature over the commitment is %s, want %s", got, p.Signature.Attestation.Signature)
	}
	if got := p.Signature.Attestation.SignedCommitment; got != c.String() {
		t.Errorf("%s is signed, want %s", got, c)
	}
	if !bench.VerifyEd25519(key, c[:], mustHex(t, p.Signature.Attestation.Signature)) {
		t.Error("the published signature does not verify")
	}
}

func TestPublishedWeakKeys(t *testing.T) {
	p := readPublished(t)
	weak := slices.Concat(p.Strictness.SmallOrder, p.Strictness.NonCanonical)
	if len(weak) != 10 {
		t.Errorf("%d weak keys are published, want 10", len(weak))
	}
	for _, text := range weak {
		if bench.StrongKey(mustHex(t, text)) {
			t.Errorf("StrongKey(%s) = true", text)
		}
	}
	if !bench.StrongKey(mustHex(t, p.Signature.PublicKey)) {
		t.Errorf("StrongKey(%s) = false", p.Signature.PublicKey)
	}
}

// TestPublishedEd25519Cases runs the cases of C2SP/CCTV, C2SP/wycheproof, novifinancial/ed25519-speccheck and RFC 8032 §7.1.
func TestPublishedEd25519Cases(t *testing.T) {
	var file struct {
		Cases []struct{ ID, Pub, Msg, Sig, Expected string }
	}
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/ed25519-strict-public.json"), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 1081 {
		t.Errorf("the file has %d cases, want 1081", len(file.Cases))
	}
	valid := 0
	for _, c := range file.Cases {
		signature, err := hex.DecodeString(c.Sig)
		got := err == nil && c.Sig == strings.ToLower(c.Sig) &&
			bench.VerifyEd25519(mustHex(t, c.Pub), mustHex(t, c.Msg), signature)
		if want := c.Expected == "valid"; got != want {
			t.Errorf("%s: verifies: %t, want %s", c.ID, got, c.Expected)
		}
		if got {
			valid++
		}
	}
	if valid == 0 || valid == len(file.Cases) {
		t.Errorf("%d of %d cases are valid", valid, len(file.Cases))
	}
}

// The signed answer among the published messages: a frame with a signature and a proof, one with a proof alone.
func TestPublishedAnswer(t *testing.T) {
	var messages []json.RawMessage
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/reference-messages.json"), &messages); err != nil {
		t.Fatal(err)
	}
	const publicKey = "197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61" // of the seed 32×2a
	keys := map[string]ed25519.PublicKey{"repo-graph-2026-08": mustHex(t, publicKey)}
	var answers [][]bench.FrameResult
	for _, message := range messages {
		if results, err := bench.VerifyAnswer("repo-graph", message, keys); err == nil {
			answers = append(answers, results)
		}
	}
	if len(answers) != 3 {
		t.Fatalf("%d messages are answers, want 3", len(answers))
	}
	for n, results := range answers[:2] {
		for i, r := range results {
			if r.Signature != "" || r.Inclusion != "" || r.Root != "" || r.RootMatch != "" {
				t.Errorf("answer %d, which is not signed, frame %d: %+v", n, i, r)
			}
		}
	}
	signed := answers[2]
	if len(signed) != 2 {
		t.Fatalf("the signed answer has %d frames, want 2", len(signed))
	}
	if got, want := signed[0].Commitment, "sha256:7951637413208edb0ade6e2a26d3a4cae01cc7b89ff5274529551a417b7f442d"; got != want {
		t.Errorf("commitment of the first frame = %s, want %s", got, want)
	}
	leaves := []bench.Hash{
		bench.Hash(mustHex(t, strings.TrimPrefix(signed[0].Commitment, "sha256:"))),
		bench.Hash(mustHex(t, strings.TrimPrefix(signed[1].Commitment, "sha256:"))),
	}
	if got, want := bench.Root(leaves).String(), "sha256:a6eb9a20c7ef7b4fb633d073c3ca917253fa925a663a0176915c0643de7e75ed"; got != want {
		t.Errorf("root = %s, want %s", got, want)
	}
	want := []bench.FrameResult{
		{Commitment: signed[0].Commitment, Signature: bench.Holds, Inclusion: bench.Holds, Root: bench.Holds, RootMatch: bench.Holds},
		{Commitment: signed[1].Commitment, Inclusion: bench.Holds, Root: bench.Holds, RootMatch: bench.Holds},
	}
	if !slices.Equal(signed, want) {
		t.Errorf("VerifyAnswer = %+v, want %+v", signed, want)
	}
}
