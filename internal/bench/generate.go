package bench

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// Shape is what of an answer is signed.
type Shape string

const (
	ShapeRoot   Shape = "root"   // the root, with a proof for every frame
	ShapeFrames Shape = "frames" // every frame
	ShapeBoth   Shape = "both"
)

// A Spec says what sessions Archive writes. Equal ones give equal bytes, on every machine.
type Spec struct {
	Seed         uint64
	Answers      int
	Frames       int // in each answer
	ContentBytes int // in each frame, as UTF-8
	Shape        Shape
}

// Standard is the session that figures are given for: root-signed answers of 10 frames and 36 KB.
func Standard(answers int) Spec {
	return Spec{Seed: 1, Answers: answers, Frames: 10, ContentBytes: 2350, Shape: ShapeRoot}
}

const (
	benchProvider = "bench-docs"
	benchKeyID    = "bench-docs-2026-08"
	benchInstant  = "2026-08-29T12:00:00Z"
)

// Archive writes a session, a message a line: a handshake_ack with the key that signs, then the answers. Their frames are
// not carried in canonical order, and everything in them is good.
func Archive(w io.Writer, spec Spec) error {
	if !slices.Contains([]Shape{ShapeRoot, ShapeFrames, ShapeBoth}, spec.Shape) {
		return fmt.Errorf("bench: shape %q, want root, frames or both", spec.Shape)
	}
	g := newGenerator(spec)
	if _, err := fmt.Fprintf(w, handshakeAck, benchProvider, benchKeyID, g.key.Public()); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for n := range spec.Answers {
		message := answerMessage{Type: "frames", ID: fmt.Sprintf("q%d", n+1), Result: g.result()}
		if err := encoder.Encode(message); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return nil
}

const handshakeAck = `{"type":"handshake_ack","protocol_version":"contextgraph/1.0","provider":{"name":"%s","version":"1.0",` +
	`"data_flow":{"reads":true,"writes":false,"egress":false}},"capabilities":{"query":{"kinds":["doc"]},"correlation":true},` +
	`"attester_keys":[{"key_id":"%s","algorithm":"ed25519","public_key":"%x"}]}` + "\n"

type answerMessage struct {
	Type   string          `json:"type"`
	ID     string          `json:"id"`
	Result generatedResult `json:"result"`
}

type generatedResult struct {
	Frames            []generatedFrame `json:"frames"`
	Truncated         bool             `json:"truncated"`
	FrameAttestations []entry          `json:"frame_attestations,omitempty"`
	ResultAttestation *attestation     `json:"result_attestation,omitempty"`
}

// A generatedFrame is a Frame with the members that an answer carries for its reader.
type generatedFrame struct {
	Frame
	Kind          string     `json:"kind"`
	Title         string     `json:"title"`
	URI           string     `json:"uri"`
	Score         float64    `json:"score"`
	TokenCost     int        `json:"token_cost"`
	CitationLabel string     `json:"citation_label"`
	Relations     []struct{} `json:"relations"`
	RecordedAt    string     `json:"recorded_at"`
}

type generator struct {
	spec   Spec
	random *rand.PCG // its stream is specified; that of the methods of rand.Rand is not
	key    ed25519.PrivateKey
}

func newGenerator(spec Spec) *generator {
	g := &generator{spec: spec, random: rand.NewPCG(spec.Seed, 0)}
	seed := sha256.Sum256(fmt.Appendf(nil, "bench key %d", spec.Seed))
	g.key = ed25519.NewKeyFromSeed(seed[:])
	return g
}

// below returns a number from 0 to n−1.
func (g *generator) below(n int) int { return int(g.random.Uint64() % uint64(n)) }

func (g *generator) result() generatedResult {
	r := generatedResult{Frames: make([]generatedFrame, g.spec.Frames)}
	commitments := make([]Hash, g.spec.Frames)
	order := make([]int, g.spec.Frames)
	for i := range r.Frames {
		r.Frames[i] = g.frame(i)
		commitments[i] = Commitment(benchProvider, &r.Frames[i].Frame)
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(*r.Frames[a].ID, *r.Frames[b].ID) })
	leaves := make([]Hash, len(order))
	for k, i := range order {
		leaves[k] = commitments[i]
	}
	root, paths := Tree(leaves)
	for k, i := range order {
		f := &r.Frames[i].Frame
		e := entry{Frame: &frameID{ProviderID: new(benchProvider), FrameID: f.ID, ContentDigest: f.ContentDigest}}
		if g.spec.Shape != ShapeRoot {
			e.Attestation = g.attest(commitments[i])
		}
		if g.spec.Shape != ShapeFrames {
			e.InclusionProof = wireProof(Proof{Index: uint64(k), Count: uint64(len(leaves)), Path: paths[k]})
		}
		r.FrameAttestations = append(r.FrameAttestations, e)
	}
	if g.spec.Shape != ShapeFrames {
		r.ResultAttestation = g.attest(root)
	}
	return r
}

func (g *generator) frame(i int) generatedFrame {
	content := g.content()
	digest := Hash(sha256.Sum256([]byte(content))).String()
	document := fmt.Sprintf("%08x", uint32(g.random.Uint64()))
	uri := "file:///srv/docs/guides/" + document + ".md"
	first := 1 + g.below(400)
	lines := fmt.Sprintf("L%d-%d", first, first+strings.Count(content, "\n"))
	links := []Link{{
		Type: new("file"), URI: &uri, Range: &lines, Digest: &digest, Method: new("file-read"), By: new(benchProvider),
	}}
	if g.below(4) == 0 {
		links = append(links, Link{Type: new("derivation"), Method: new("section_split"), By: new("bench-docs/1.0")})
	}
	return generatedFrame{
		// The place makes ids distinct, the document in front of it mixes their order.
		Frame: Frame{
			ID: new(fmt.Sprintf("doc:%s:%d", document, i)), Content: &content, ContentDigest: &digest, Provenance: links,
		},
		Kind: "doc", Title: "Guide " + document, URI: uri, Score: float64(g.below(1001)) / 1000, TokenCost: (len(content) + 3) / 4,
		CitationLabel: document + ".md " + lines, Relations: []struct{}{}, RecordedAt: benchInstant,
	}
}

// vocabulary is text as documents have it: mostly plain words, some that JSON escapes, some that are not ASCII.
var vocabulary = strings.Split("the a of to and in is for with that on as by be are this it not or from at which when each only "+
	"value request policy retry backoff client server timeout connection configuration default maximum attempts interval error "+
	"result response stream record digest signature provider frame context token window memory thread process version release "+
	"returns contains describes changes requires ignores rejects accepts measured sorted written before after between without "+
	"`max_attempts` `backoff_ms` Config::retry fn(x) => {} <T> a&b \"quoted\" C:\\temp naïve café – 日本語 𝄞", " ")

// content returns running text of exactly the spec's number of bytes.
func (g *generator) content() string {
	var text []byte
	for column := 0; len(text) < g.spec.ContentBytes; {
		word := vocabulary[g.below(len(vocabulary))]
		text = append(text, word...)
		column += len(word) + 1
		switch {
		case column > 72:
			text, column = append(text, '\n'), 0
		case g.below(12) == 0:
			text = append(text, ". "...)
		default:
			text = append(text, ' ')
		}
	}
	cut := min(g.spec.ContentBytes, len(text))
	for cut > 0 && cut < len(text) && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return string(text[:cut]) + strings.Repeat(".", g.spec.ContentBytes-cut)
}

func (g *generator) attest(h Hash) *attestation {
	return &attestation{
		SignedCommitment: new(h.String()), KeyID: new(benchKeyID), Algorithm: new("ed25519"), AttesterID: new(benchProvider),
		Signature: new(hex.EncodeToString(ed25519.Sign(g.key, h[:]))), IssuedAt: new(benchInstant),
	}
}

// Tree returns the root and the paths of all leaves: what Root and Prove give, with each half hashed once, for answers too
// large for a recursion of its own for each leaf.
func Tree(leaves []Hash) (root Hash, paths [][]Step) {
	if len(leaves) < 2 {
		return Root(leaves), make([][]Step, len(leaves))
	}
	k := split(uint64(len(leaves)))
	left, leftPaths := Tree(leaves[:k])
	right, rightPaths := Tree(leaves[k:])
	for i := range leftPaths {
		leftPaths[i] = append(leftPaths[i], Step{Sibling: right, Left: false})
	}
	for i := range rightPaths {
		rightPaths[i] = append(rightPaths[i], Step{Sibling: left, Left: true})
	}
	return nodeHash(left, right), append(leftPaths, rightPaths...)
}

func wireProof(p Proof) *inclusionProof {
	out := &inclusionProof{LeafIndex: &p.Index, LeafCount: &p.Count, Path: []step{}}
	for _, s := range p.Path {
		out.Path = append(out.Path, step{Sibling: new(s.Sibling.String()), SiblingIsLeft: &s.Left})
	}
	return out
}
