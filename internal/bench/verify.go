package bench

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check is the answer to one question about a frame. The zero value says that there was nothing to check.
type Check string

const (
	Fails Check = "fails"
	Holds Check = "holds"
)

func check(holds bool) Check {
	if holds {
		return Holds
	}
	return Fails
}

// or joins two pieces of evidence of one kind: one that holds is enough. Where frames share a triple, only what was made for
// a frame holds for it.
func (c Check) or(other Check) Check {
	if c == Holds || other == "" {
		return c
	}
	return other
}

// A FrameResult says what holds of one frame of an answer.
type FrameResult struct {
	Commitment string // "" for a frame without an id or with a link without a type: nothing then holds but perhaps Content
	Signature  Check  // the attestation of an entry that names the frame signs the commitment
	Inclusion  Check  // the proof of one leads from the commitment to the signed root
	Root       Check  // the root of all frames carried is the signed one
	RootMatch  Check  // the same, whoever signed it and whether his signature is good
	Content    Check  // the content has the digest that the frame declares; "" where there is no content or no digest in D1 form
}

var (
	errNoAnswer = errors.New("bench: the message is no frames message with a result.frames array")
	errNoName   = errors.New("bench: the handshake_ack does not name its provider")
)

// VerifyAnswer judges the frames of one frames message, as a complete answer of the provider with this declared name. keys
// are its Ed25519 keys by key_id. The results are in the order carried.
func VerifyAnswer(provider string, text []byte, keys map[string]ed25519.PublicKey) ([]FrameResult, error) {
	var m message
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	if m.Type != "frames" || m.Result == nil || m.Result.Frames == nil {
		return nil, errNoAnswer
	}
	return m.Result.verify(provider, keys), nil
}

// VerifySession judges every answer of a session, a message a line, as one of the provider that the last handshake_ack in
// front of it declares, under the keys that this provider has published until then. It ends at the first message that it
// cannot read.
func VerifySession(text []byte) ([][]FrameResult, error) {
	var answers [][]FrameResult
	provider, keys := "", map[string]map[string]ed25519.PublicKey{}
	for line := range bytes.Lines(text) {
		var m message
		if err := json.Unmarshal(line, &m); err != nil {
			return answers, fmt.Errorf("bench: %w", err)
		}
		switch m.Type {
		case "handshake_ack":
			if m.Provider.Name == nil {
				return answers, errNoName
			}
			provider = *m.Provider.Name
			if keys[provider] == nil {
				keys[provider] = map[string]ed25519.PublicKey{}
			}
			for _, k := range m.AttesterKeys {
				keys[provider][k.KeyID] = k.key()
			}
		case "frames":
			if m.Result == nil || m.Result.Frames == nil {
				return answers, errNoAnswer
			}
			answers = append(answers, m.Result.verify(provider, keys[provider]))
		}
	}
	return answers, nil
}

// key returns the public key, nil where it is none for Ed25519.
func (k *attesterKey) key() ed25519.PublicKey {
	raw, ok := parseHex(k.PublicKey)
	if !ok || k.Algorithm != "ed25519" {
		return nil
	}
	return raw
}

// A triple is what an entry names its frame by (CGP F11), and what leaves are ordered by (CGP §6.3).
type triple struct {
	provider, id string
	declared     bool // a content_digest
	digest       string
}

func newTriple(provider, id string, digest *string) triple {
	t := triple{provider: provider, id: id}
	if digest != nil {
		t.declared, t.digest = true, *digest
	}
	return t
}

// compare orders by the bytes of the three parts; an absent digest comes first.
func (t triple) compare(u triple) int {
	if c := strings.Compare(t.provider, u.provider); c != 0 {
		return c
	}
	if c := strings.Compare(t.id, u.id); c != 0 {
		return c
	}
	switch {
	case t.declared && !u.declared:
		return +1
	case !t.declared && u.declared:
		return -1
	}
	return strings.Compare(t.digest, u.digest)
}

// verify judges the frames of an answer, each on its own.
func (r *result) verify(provider string, keys map[string]ed25519.PublicKey) []FrameResult {
	keys = strongKeys(keys)
	commitments := make([]Hash, len(r.Frames))
	triples := make([]triple, len(r.Frames))
	var order []int // of those with a commitment
	for i := range r.Frames {
		if f := &r.Frames[i]; f.committed() {
			commitments[i] = Commitment(provider, f)
			triples[i] = newTriple(provider, *f.ID, f.ContentDigest)
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return triples[a].compare(triples[b]) })
	leaves := make([]Hash, len(order))
	for k, i := range order {
		leaves[k] = commitments[i]
	}
	root := Root(leaves)
	complete := len(leaves) == len(r.Frames)

	entries := map[triple][]*entry{}
	for i := range r.FrameAttestations {
		e := &r.FrameAttestations[i]
		if id := e.Frame; id != nil && id.ProviderID != nil && id.FrameID != nil {
			t := newTriple(*id.ProviderID, *id.FrameID, id.ContentDigest)
			entries[t] = append(entries[t], e)
		}
	}

	results := make([]FrameResult, len(r.Frames))
	for i := range r.Frames {
		f, out := &r.Frames[i], &results[i]
		out.Content = f.checkContent()
		if !f.committed() {
			continue
		}
		c := commitments[i]
		out.Commitment = c.String()
		signedRoot, signed := r.signedRoot(keys) // anew for every frame
		if a := r.ResultAttestation; a != nil {
			out.RootMatch = check(complete && a.whole() && *a.SignedCommitment == root.String())
			out.Root = check(complete && signed && signedRoot == root)
		}
		for _, e := range entries[triples[i]] {
			if a := e.Attestation; a != nil {
				out.Signature = out.Signature.or(check(a.signs(c, keys)))
			}
			if p := e.InclusionProof; p != nil {
				got, led := p.leads(c)
				holds := led && *p.LeafCount == uint64(len(r.Frames)) && signed && got == signedRoot
				out.Inclusion = out.Inclusion.or(check(holds))
			}
		}
	}
	return results
}

// strongKeys returns the keys without those that the strict rule declines.
func strongKeys(keys map[string]ed25519.PublicKey) map[string]ed25519.PublicKey {
	strong := map[string]ed25519.PublicKey{}
	for id, key := range keys {
		if StrongKey(key) {
			strong[id] = key
		}
	}
	return strong
}

// checkContent compares the content with the digest that the frame declares.
func (f *Frame) checkContent() Check {
	if f.Content == nil || f.ContentDigest == nil {
		return ""
	}
	digest, ok := parseHash(*f.ContentDigest)
	if !ok {
		return ""
	}
	return check(digest == sha256.Sum256([]byte(*f.Content)))
}

// signedRoot returns the root that the result attestation signs, where its signature is good.
func (r *result) signedRoot(keys map[string]ed25519.PublicKey) (Hash, bool) {
	a := r.ResultAttestation
	if a == nil || !a.whole() {
		return Hash{}, false
	}
	root, ok := parseHash(*a.SignedCommitment)
	return root, ok && a.signs(root, keys)
}

// leads returns the root that the proof leads to from a commitment, if it can be read and has its shape.
func (p *inclusionProof) leads(c Hash) (Hash, bool) {
	proof, ok := p.proof()
	if !ok {
		return Hash{}, false
	}
	root, err := proof.Root(c)
	return root, err == nil
}

// signs reports whether the attestation signs a commitment or root with one of the keys, which are strong.
func (a *attestation) signs(want Hash, keys map[string]ed25519.PublicKey) bool {
	if !a.whole() || *a.Algorithm != "ed25519" || *a.SignedCommitment != want.String() {
		return false
	}
	signature, ok := parseHex(*a.Signature)
	key, held := keys[*a.KeyID]
	return ok && held && verify(key, want[:], signature)
}

// parseHex decodes lowercase hexadecimal. encoding/hex alone takes uppercase.
func parseHex(text string) ([]byte, bool) {
	raw, err := hex.DecodeString(text)
	return raw, err == nil && text == strings.ToLower(text)
}

// parseHash reads a digest: "sha256:" and 64 lowercase hexadecimal digits (CGP D1).
func parseHash(text string) (Hash, bool) {
	digits, prefixed := strings.CutPrefix(text, "sha256:")
	raw, ok := parseHex(digits)
	if !prefixed || !ok || len(raw) != sha256.Size {
		return Hash{}, false
	}
	return Hash(raw), true
}
