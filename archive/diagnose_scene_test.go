package archive_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A scene is an answer of which something else was signed than what it carries. Commitments, orders and trees are made by the
// naive reference or spelt out here: the code under test has no part in what is signed.
type scene struct {
	declared string // by the handshake_ack, and in the entries
	acks     []string
	localID  string
	attester string

	signed  []bench.Frame // what was signed: entry i is on it
	carried []bench.Frame
	entryOf []int // by carried frame: the frame in signed whose evidence its entry has, -1 for no entry
	orphans []int // frames in signed whose entries name what was signed and is not carried

	commit     func(*bench.Frame) bench.Hash
	before     func(a, b *bench.Frame) int // the order of the leaves; nil is the order in which they are signed
	tree       func([]bench.Hash) bench.Hash
	signature  func(key ed25519.PrivateKey, h bench.Hash) []byte
	swap       [2]int // entries that exchange their attestations and proofs
	signatures bool
	proofs     bool
	root       bool
}

// newScene is an honest one of a provider.
func newScene(frames ...bench.Frame) *scene {
	s := &scene{
		declared: "docs", attester: "the attester", signed: frames, carried: cloneFrames(frames), before: canonically,
		tree: bench.Root, signatures: true, proofs: true, root: true,
		commit:    func(f *bench.Frame) bench.Hash { return bench.Commitment("docs", f) },
		signature: func(key ed25519.PrivateKey, h bench.Hash) []byte { return ed25519.Sign(key, h[:]) },
	}
	for i := range frames {
		s.entryOf = append(s.entryOf, i)
	}
	return s
}

func cloneFrames(frames []bench.Frame) []bench.Frame {
	list := slices.Clone(frames)
	for i := range list {
		list[i].Provenance = slices.Clone(list[i].Provenance)
	}
	return list
}

// canonically is the order of CGP §6.3.
func canonically(a, b *bench.Frame) int {
	if c := strings.Compare(*a.ID, *b.ID); c != 0 {
		return c
	}
	return strings.Compare(presence(a.ContentDigest), presence(b.ContentDigest))
}

func presence(s *string) string {
	if s == nil {
		return ""
	}
	return "+" + *s
}

type object = map[string]any

var (
	sceneKey = signingKey(7)
	otherKey = signingKey(8)
)

func (s *scene) attest(h bench.Hash) object {
	return object{
		"signed_commitment": h.String(), "key_id": "key-1", "algorithm": "ed25519", "attester_id": s.attester,
		"signature": hex.EncodeToString(s.signature(sceneKey, h)), "issued_at": "2026-08-29T12:00:00Z",
	}
}

// input writes the session.
func (s *scene) input(t testing.TB) []byte {
	t.Helper()
	order := make([]int, len(s.signed))
	for i := range order {
		order[i] = i
	}
	if s.before != nil {
		slices.SortStableFunc(order, func(a, b int) int { return s.before(&s.signed[a], &s.signed[b]) })
	}
	leaves := make([]bench.Hash, len(order))
	for k, i := range order {
		leaves[k] = s.commit(&s.signed[i])
	}
	evidenceOf := make([]object, len(order))
	for k, i := range order {
		e := object{}
		if s.signatures {
			e["attestation"] = s.attest(leaves[k])
		}
		if s.proofs {
			p := bench.Prove(leaves, uint64(k))
			steps := []object{}
			for _, step := range p.Path {
				steps = append(steps, object{"sibling": step.Sibling.String(), "sibling_is_left": step.Left})
			}
			e["inclusion_proof"] = object{"leaf_index": p.Index, "leaf_count": p.Count, "path": steps}
		}
		evidenceOf[i] = e
	}
	if a, b := s.swap[0], s.swap[1]; a != b {
		evidenceOf[a], evidenceOf[b] = evidenceOf[b], evidenceOf[a]
	}
	entry := func(f *bench.Frame, of object) object {
		id := object{"provider_id": s.declared, "frame_id": *f.ID}
		if f.ContentDigest != nil {
			id["content_digest"] = *f.ContentDigest
		}
		e := object{"frame": id}
		for name, v := range of {
			e[name] = v
		}
		return e
	}
	result := object{"frames": append([]bench.Frame{}, s.carried...), "truncated": false}
	if s.signatures || s.proofs {
		entries := []object{}
		for i, of := range s.entryOf {
			if of >= 0 {
				entries = append(entries, entry(&s.carried[i], evidenceOf[of]))
			}
		}
		for _, of := range s.orphans {
			entries = append(entries, entry(&s.signed[of], evidenceOf[of]))
		}
		result["frame_attestations"] = entries
	}
	if s.root {
		result["result_attestation"] = s.attest(s.tree(leaves))
	}
	var out bytes.Buffer
	write := func(v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	for _, name := range append(slices.Clone(s.acks), s.declared) {
		write(object{"type": "handshake_ack", "provider": object{"name": name}})
	}
	write(object{"type": "frames", "id": "q", "result": result})
	return out.Bytes()
}

// judge verifies the scene with diagnoses and without, and demands that nothing but the diagnoses differs.
func (s *scene) judge(t testing.TB) *archive.Answer {
	t.Helper()
	input := s.input(t)
	v := sceneVerifier(t)
	if s.localID != "" {
		v.Policy.LocalID = commitment.Some(s.localID)
	}
	plain := run(t, &v, input)
	v.Diagnose = true
	report := run(t, &v, input)
	if len(report.Answers) != 1 || len(report.Errors) != 0 {
		t.Fatalf("%d answers, errors %v\n%s", len(report.Answers), report.Errors, input)
	}
	found := *report.Answers[0]
	report.Answers[0] = withoutDiagnoses(&found)
	if diff := diffOf(plain.Answers, report.Answers); diff != "" {
		t.Errorf("the diagnoses changed the answer (-without +with):\n%s", diff)
	}
	if diff := diffOf(plain.Summary, report.Summary); diff != "" {
		t.Errorf("the diagnoses changed the summary (-without +with):\n%s", diff)
	}
	return &found
}

// diffOf compares parts of reports.
func diffOf(a, b any) string {
	return cmp.Diff(a, b, cmp.AllowUnexported(archive.Summary{}), wholly)
}

func sceneVerifier(t testing.TB) archive.Verifier {
	t.Helper()
	ring := &archive.Keyring{}
	for id, key := range map[string]ed25519.PrivateKey{"key-1": sceneKey, "key-2": otherKey} {
		public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
		if err := ring.Trust(archive.AnyProvider, id, public, "test"); err != nil {
			t.Fatal(err)
		}
	}
	return archive.Verifier{Keys: ring}
}

func run(t testing.TB, v *archive.Verifier, input []byte) *archive.Report {
	t.Helper()
	report, err := v.VerifyReader(context.Background(), "input", bytes.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func withoutDiagnoses(a *archive.Answer) *archive.Answer {
	plain := *a
	if a.Root != nil {
		root := *a.Root
		root.Diagnosis, plain.Root = nil, &root
	}
	plain.Frames = slices.Clone(a.Frames)
	for i := range plain.Frames {
		plain.Frames[i].Evidence = slices.Clone(plain.Frames[i].Evidence)
		for k := range plain.Frames[i].Evidence {
			plain.Frames[i].Evidence[k].Diagnosis = nil
		}
	}
	return &plain
}

// causeOf is the cause of a diagnosis, "" for none.
func causeOf(d *archive.Diagnosis) archive.Cause {
	if d == nil {
		return ""
	}
	return d.Cause
}

// evidenceCause is the cause on the evidence of one kind on a frame.
func evidenceCause(t testing.TB, a *archive.Answer, position int, kind archive.EvidenceKind) *archive.Diagnosis {
	t.Helper()
	for i := range a.Frames[position].Evidence {
		if ev := &a.Frames[position].Evidence[i]; ev.Kind == kind {
			return ev.Diagnosis
		}
	}
	t.Fatalf("frame %d has no evidence of kind %s", position, kind)
	return nil
}

// sceneFrame makes a frame with a content, its digest and links.
func sceneFrame(id, content string, links ...bench.Link) bench.Frame {
	digest := digestOf(content)
	return bench.Frame{ID: &id, Content: &content, ContentDigest: &digest, Provenance: append([]bench.Link{}, links...)}
}

// sceneLink makes a link of its type and the fields uri, range, digest, method and by, "-" for an absent one.
func sceneLink(typ string, fields ...string) bench.Link {
	l := bench.Link{Type: &typ}
	for i, to := range []**string{&l.URI, &l.Range, &l.Digest, &l.Method, &l.By} {
		if i < len(fields) && fields[i] != "-" {
			*to = &fields[i]
		}
	}
	return l
}

// plainFrames are three frames that have some links alike.
func plainFrames() []bench.Frame {
	return []bench.Frame{
		sceneFrame("b", "content of b 𝄞", sceneLink("file", "file:///b", "L1-2", digestOf("b"), "read", "docs"), sceneLink("derivation", "-", "-", "-", "split"), sceneLink("note", "é𝄞")),
		sceneFrame("a", "content of a", sceneLink("file", "file:///a", "L3", digestOf("a"), "read", "docs")),
		sceneFrame("c", "content of c", sceneLink("file", "file:///c", "L9", digestOf("c"), "scan", ""), sceneLink("derivation", "-", "-", "-", "merge")),
	}
}

// A miscount is an encoding with a fault, written out from CGP §6.5.1.
type miscount struct {
	length        func(string) int
	little        bool
	absentIsEmpty bool
	emptyIsAbsent bool
}

func (m miscount) text(b []byte, s string) []byte {
	var n [4]byte
	if m.little {
		binary.LittleEndian.PutUint32(n[:], uint32(m.length(s)))
	} else {
		binary.BigEndian.PutUint32(n[:], uint32(m.length(s)))
	}
	return append(append(b, n[:]...), s...)
}

func (m miscount) optional(b []byte, s *string) []byte {
	switch {
	case s == nil && m.absentIsEmpty:
		return m.text(append(b, 1), "")
	case s == nil, *s == "" && m.emptyIsAbsent:
		return append(b, 0)
	}
	return m.text(append(b, 1), *s)
}

func (m miscount) commit(f *bench.Frame) bench.Hash {
	head := sha256.Sum256([]byte("contextgraph/attest/1/genesis"))
	for _, l := range f.Provenance {
		b := append([]byte("contextgraph/attest/1/link"), head[:]...)
		b = m.text(b, *l.Type)
		for _, s := range []*string{l.URI, l.Range, l.Digest, l.Method, l.By} {
			b = m.optional(b, s)
		}
		head = sha256.Sum256(b)
	}
	b := m.text(m.text([]byte("contextgraph/attest/1/frame"), "docs"), *f.ID)
	return sha256.Sum256(append(m.optional(b, f.ContentDigest), head[:]...))
}

func bytesOf(s string) int      { return len(s) }
func unitsOf(s string) int      { return len(utf16.Encode([]rune(s))) }
func codePointsOf(s string) int { return len([]rune(s)) }

// duplicating is the tree of other protocols, in which the last node of an odd level is hashed with itself.
func duplicating(leaves []bench.Hash) bench.Hash {
	var level [][]byte
	for _, l := range leaves {
		h := sha256.Sum256(append([]byte{0}, l[:]...))
		level = append(level, h[:])
	}
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		var next [][]byte
		for i := 0; i < len(level); i += 2 {
			h := sha256.Sum256(slices.Concat([]byte{1}, level[i], level[i+1]))
			next = append(next, h[:])
		}
		level = next
	}
	return bench.Hash(level[0])
}

// inUTF16 orders by units of UTF-16.
func inUTF16(a, b *bench.Frame) int {
	return slices.Compare(utf16.Encode([]rune(*a.ID)), utf16.Encode([]rune(*b.ID)))
}

// Signatures with a fault.
func signedHex(key ed25519.PrivateKey, h bench.Hash) []byte {
	return ed25519.Sign(key, []byte(hex.EncodeToString(h[:])))
}
func signedText(key ed25519.PrivateKey, h bench.Hash) []byte {
	return ed25519.Sign(key, []byte(h.String()))
}
func signedSHA256(key ed25519.PrivateKey, h bench.Hash) []byte {
	sum := sha256.Sum256(h[:])
	return ed25519.Sign(key, sum[:])
}
func signedSHA512(key ed25519.PrivateKey, h bench.Hash) []byte {
	sum := sha512.Sum512(h[:])
	return ed25519.Sign(key, sum[:])
}
func signedPh(key ed25519.PrivateKey, h bench.Hash) []byte {
	sum := sha512.Sum512(h[:])
	signature, err := key.Sign(nil, sum[:], &ed25519.Options{Hash: crypto.SHA512})
	if err != nil {
		panic(err)
	}
	return signature
}
func signedOther(_ ed25519.PrivateKey, h bench.Hash) []byte { return ed25519.Sign(otherKey, h[:]) }

func describeScene(s *scene) string {
	return fmt.Sprintf("signed %+v\ncarried %+v", s.signed, s.carried)
}
