package bench_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The provider of the answers that are made here, and the keys that it publishes. Its evidence is made with the one called
// signing.
const declaredName = "docs é"

var (
	signingKey    = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize))
	otherKey      = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{2}, ed25519.SeedSize))
	identity      = append([]byte{1}, make([]byte, 31)...) // the neutral point, of order 1
	publishedKeys = []struct{ id, algorithm, key string }{
		{"signing", "ed25519", fmt.Sprintf("%x", signingKey.Public())},
		{"other", "ed25519", fmt.Sprintf("%x", otherKey.Public())},
		{"renamed", "ed448", fmt.Sprintf("%x", signingKey.Public())},
		{"uppercase", "ed25519", fmt.Sprintf("%X", signingKey.Public())},
		{"short", "ed25519", fmt.Sprintf("%x", signingKey.Public())[:62]},
		{"identity", "ed25519", fmt.Sprintf("%x", identity)},
	}
)

type object = map[string]any

func marshal(tb testing.TB, v any) []byte {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// sessionOf is the session of a handshake_ack with the published keys and one message.
func sessionOf(tb testing.TB, message object) []byte {
	tb.Helper()
	var keys []object
	for _, k := range publishedKeys {
		keys = append(keys, object{"key_id": k.id, "algorithm": k.algorithm, "public_key": k.key})
	}
	ack := object{"type": "handshake_ack", "provider": object{"name": declaredName}, "attester_keys": keys}
	return slices.Concat(marshal(tb, ack), []byte("\n"), marshal(tb, message), []byte("\n"))
}

// A maker makes answers by commitment, merkle and sign, in whose code the naive reference has no part.
type maker struct {
	tb     testing.TB
	random *rand.Rand
	signer *sign.Signer
}

func newMaker(tb testing.TB, seed uint64) *maker {
	tb.Helper()
	issued, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		tb.Fatal(err)
	}
	signer, err := sign.NewSigner(signingKey, "signing", "somebody", issued)
	if err != nil {
		tb.Fatal(err)
	}
	return &maker{tb: tb, random: rand.New(rand.NewPCG(seed, 0)), signer: signer}
}

func (m *maker) pick(texts ...string) string { return texts[m.random.IntN(len(texts))] }

// put sets a member that may be absent: left out or null.
func (m *maker) put(o object, name string, value commitment.Optional) {
	if text, present := value.Text(); present {
		o[name] = text
	} else if m.random.IntN(2) == 0 {
		o[name] = nil
	}
}

// A carried frame is what enters its commitment, and its content.
type carried struct {
	commitment.Frame
	content commitment.Optional
}

// frame makes frame i of an answer. Now and then it has the identity of the one before, with the same provenance or with
// another.
func (m *maker) frame(i int, before []carried) carried {
	if n := len(before); n > 0 && m.random.IntN(8) == 0 {
		f := before[n-1]
		if m.random.IntN(2) == 0 {
			f.Provenance = m.links()
		}
		return f
	}
	f := carried{Frame: commitment.Frame{ID: fmt.Sprintf("f%d", i), Provenance: m.links()}}
	if m.random.IntN(3) == 0 {
		f.ID = m.pick("", "é", "\uffff", "𝄞", "\x00", "f", "F1") // U+FFFF is before U+1D11E in UTF-8 and after it in UTF-16
	}
	if m.random.IntN(8) > 0 {
		f.content = commitment.Some(m.pick("", "text", "naïve \"日本語\"\n\u2028", fmt.Sprint("content ", i)))
	}
	real := commitment.ContentDigest(f.content.OrEmpty()).String()
	if m.random.IntN(6) > 0 {
		f.ContentDigest = commitment.Some(m.pick(real, real, real, strings.ToUpper(real), "sha256:1a2b", "",
			commitment.ContentDigest("another").String()))
	}
	return f
}

func (m *maker) links() []commitment.Link {
	var links []commitment.Link
	text := func() commitment.Optional {
		if m.random.IntN(2) == 0 {
			return commitment.Optional{}
		}
		return commitment.Some(m.pick("", "a", "L1-20", "docs/naïve/日本語.md"))
	}
	for range m.random.IntN(4) {
		links = append(links, commitment.Link{
			Type: m.pick("file", "derivation", ""), URI: text(), Range: text(), Digest: text(), Method: text(), By: text(),
		})
	}
	return links
}

// wire is the frame as a message carries it.
func (m *maker) wire(f *carried) object {
	o := object{"id": f.ID, "title": "of no account"}
	m.put(o, "content", f.content)
	m.put(o, "content_digest", f.ContentDigest)
	links := []any{}
	for _, l := range f.Provenance {
		link := object{"type": l.Type}
		m.put(link, "uri", l.URI)
		m.put(link, "range", l.Range)
		m.put(link, "digest", l.Digest)
		m.put(link, "method", l.Method)
		m.put(link, "by", l.By)
		links = append(links, link)
	}
	if len(links) > 0 || m.random.IntN(2) == 0 {
		o["provenance"] = links
	}
	return o
}

func (m *maker) attest(c commitment.Digest) object {
	m.tb.Helper()
	a, err := m.signer.Attest(sign.Request{Commitment: c, Provider: declaredName})
	if err != nil {
		m.tb.Fatal(err)
	}
	return object{
		"signed_commitment": a.SignedCommitment, "key_id": a.KeyID, "algorithm": a.Algorithm, "attester_id": a.AttesterID,
		"signature": a.Signature, "issued_at": a.IssuedAt,
	}
}

// answer makes a signed frames message. Its entries do not have the order of its frames.
func (m *maker) answer(n int, shape bench.Shape) object {
	m.tb.Helper()
	var frames []carried
	var ids []commitment.FrameID
	var of []commitment.Digest
	wire := []any{}
	for i := range n {
		f := m.frame(i, frames)
		c, err := commitment.Of(declaredName, &f.Frame)
		if err != nil {
			m.tb.Fatal(err)
		}
		frames, of, ids, wire = append(frames, f), append(of, c), append(ids, f.Identity(declaredName)), append(wire, m.wire(&f))
	}
	order := commitment.CanonicalOrder(ids)
	leaves := make([]commitment.Digest, n)
	for k, i := range order {
		leaves[k] = of[i]
	}
	tree := merkle.NewTree(leaves)
	var entries []any
	for k, i := range order {
		id := object{"provider_id": declaredName, "frame_id": ids[i].FrameID}
		m.put(id, "content_digest", ids[i].ContentDigest)
		e := object{"frame": id}
		if shape != bench.ShapeRoot {
			e["attestation"] = m.attest(of[i])
		}
		if shape != bench.ShapeFrames {
			proof, err := tree.Prove(uint64(k))
			if err != nil {
				m.tb.Fatal(err)
			}
			path := []any{}
			for _, s := range proof.Path {
				path = append(path, object{"sibling": s.Sibling.String(), "sibling_is_left": s.SiblingIsLeft})
			}
			e["inclusion_proof"] = object{"leaf_index": proof.LeafIndex, "leaf_count": proof.LeafCount, "path": path}
		}
		entries = append(entries, e)
	}
	m.random.Shuffle(n, func(a, b int) { entries[a], entries[b] = entries[b], entries[a] })
	result := object{"frames": wire, "truncated": false, "frame_attestations": entries}
	if shape != bench.ShapeFrames {
		result["result_attestation"] = m.attest(tree.Root())
	}
	return object{"type": "frames", "id": "q1", "result": result}
}
