package archive_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// fataler is what *testing.T and *rapid.T have in common.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

var shapes = []archive.Shape{archive.ShapeRoot, archive.ShapeFrames, archive.ShapeBoth}

// signingKey returns the key whose seed is 32 times one byte.
func signingKey(b byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, ed25519.SeedSize))
}

func publicKey(key ed25519.PrivateKey) sign.PublicKey {
	return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
}

func instant(t fataler, text string) commitment.Instant {
	t.Helper()
	at, err := commitment.ParseInstant(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// options are what the tests sign with where nothing else is at stake.
func options(t fataler, shape archive.Shape) archive.SignOptions {
	return archive.SignOptions{
		Source: "input", Key: signingKey(0x07), KeyID: "key-1", IssuedAt: instant(t, "2026-08-29T12:00:00Z"), Shape: shape,
	}
}

func mustSign(t fataler, input string, opt archive.SignOptions) *archive.SignResult {
	t.Helper()
	before := strings.Clone(input)
	r, err := archive.Sign([]byte(input), opt)
	if err != nil {
		t.Fatalf("Sign: %v\ninput: %s", err, input)
	}
	if input != before {
		t.Fatal("Sign changed its input")
	}
	return r
}

// ackOf, frameOf and answerOf write the messages of most tests. A frame's digest is its content's.
func ackOf(provider string) string {
	return fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":%q}}`, provider)
}

func digestOf(content string) string { return commitment.ContentDigest(content).String() }

func frameOf(id, content string) string {
	return fmt.Sprintf(`{"id":%q,"content":%q,"content_digest":%q}`, id, content, digestOf(content))
}

func answerOf(frames ...string) string {
	return `{"type":"frames","result":{"frames":[` + strings.Join(frames, ",") + `],"truncated":false},"id":"q"}`
}

func numberedFrames(n int) []string {
	frames := make([]string, n)
	for i := range frames {
		frames[i] = frameOf(fmt.Sprintf("f%d", n-i), fmt.Sprintf("content of %d", i))
	}
	return frames
}

// evidenceOf returns the raw evidence members of the result in a frames message, "" for one that is missing.
func evidenceOf(t fataler, message []byte) (entries, root string) {
	t.Helper()
	var m struct {
		Result struct {
			Entries json.RawMessage `json:"frame_attestations"`
			Root    json.RawMessage `json:"result_attestation"`
		} `json:"result"`
	}
	if err := json.Unmarshal(message, &m); err != nil {
		t.Fatalf("%v in %s", err, message)
	}
	return string(m.Result.Entries), string(m.Result.Root)
}

func compact(t *testing.T, raw []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestSignPublishedAnswer signs the unsigned answer q1 of ../shared/vectors/reference-messages.json, the example of the Context
// Graph Protocol repository, and compares with the evidence that the example publishes on the same frames in its answer q3.
// There the first frame has a signature beside its proof, as in the shape both, the second a proof alone, as in the shape root.
func TestSignPublishedAnswer(t *testing.T) {
	var messages []json.RawMessage
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/reference-messages.json"), &messages); err != nil {
		t.Fatal(err)
	}
	var published struct {
		Result struct {
			Entries []json.RawMessage `json:"frame_attestations"`
			Root    json.RawMessage   `json:"result_attestation"`
		} `json:"result"`
	}
	if err := json.Unmarshal(messages[12], &published); err != nil {
		t.Fatal(err)
	}
	if len(published.Result.Entries) != 2 {
		t.Fatalf("the example has %d entries, want 2", len(published.Result.Entries))
	}
	opt := archive.SignOptions{
		Key: signingKey(0x2a), KeyID: "repo-graph-2026-08", AttesterID: "repo-graph", IssuedAt: instant(t, "2026-08-29T12:00:00Z"),
		Provider: commitment.Some("repo-graph"), AllowOpaqueDigest: true,
	}
	got := make(map[archive.Shape][]json.RawMessage)
	for _, shape := range shapes {
		opt.Shape = shape
		entries, root := evidenceOf(t, mustSign(t, string(messages[4]), opt).Output)
		var each []json.RawMessage
		if err := json.Unmarshal([]byte(entries), &each); err != nil {
			t.Fatal(err)
		}
		got[shape] = each
		want := compact(t, published.Result.Root)
		if shape == archive.ShapeFrames {
			want = ""
		}
		if root != want {
			t.Errorf("shape %s: result_attestation = %s, want %s", shape, root, want)
		}
	}
	if first, want := string(got[archive.ShapeBoth][0]), compact(t, published.Result.Entries[0]); first != want {
		t.Errorf("shape both: first entry = %s, want %s", first, want)
	}
	if second, want := string(got[archive.ShapeRoot][1]), compact(t, published.Result.Entries[1]); second != want {
		t.Errorf("shape root: second entry = %s, want %s", second, want)
	}
	var entry, want struct{ Attestation json.RawMessage }
	unmarshal(t, got[archive.ShapeFrames][0], &entry)
	unmarshal(t, []byte(compact(t, published.Result.Entries[0])), &want)
	if string(entry.Attestation) != string(want.Attestation) {
		t.Errorf("shape frames: attestation = %s, want %s", entry.Attestation, want.Attestation)
	}
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// TestSignAgainstOracle compares the evidence on a session with that of testdata/sign/oracle.py, which computes encodings,
// order, tree and signatures from the text of the protocol and RFC 8032 with Python's standard library.
func TestSignAgainstOracle(t *testing.T) {
	session := readFile(t, "testdata/sign/session.ndjson")
	var want map[archive.Shape][]struct {
		Entries json.RawMessage `json:"frame_attestations"`
		Root    json.RawMessage `json:"result_attestation"`
	}
	unmarshal(t, readFile(t, "testdata/sign/expected.json"), &want)
	if len(want) != len(shapes) {
		t.Fatalf("the oracle has %d shapes, want %d", len(want), len(shapes))
	}
	for _, shape := range shapes {
		opt := options(t, shape)
		opt.SkipUnsignable = true // the empty answer in the shape frames
		signed := mustSign(t, string(session), opt)
		n := 0
		for line := range bytes.Lines(signed.Output) {
			if !bytes.Contains(line, []byte(`"type":"frames"`)) {
				continue
			}
			entries, root := evidenceOf(t, line)
			if !sameJSON(t, entries, string(want[shape][n].Entries)) {
				t.Errorf("shape %s, answer %d: frame_attestations = %s, want %s", shape, n, entries, want[shape][n].Entries)
			}
			if !sameJSON(t, root, string(want[shape][n].Root)) {
				t.Errorf("shape %s, answer %d: result_attestation = %s, want %s", shape, n, root, want[shape][n].Root)
			}
			n++
		}
		if n != len(want[shape]) || n == 0 {
			t.Errorf("shape %s: %d answers, want %d", shape, n, len(want[shape]))
		}
	}
}

// sameJSON compares two values as values; a missing one is "" or null.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	decode := func(text string) (v any) {
		if text != "" {
			unmarshal(t, []byte(text), &v)
		}
		return v
	}
	return reflect.DeepEqual(decode(a), decode(b))
}

// TestSignVerifies signs answers of several sizes in every shape and judges them with Verify.
func TestSignVerifies(t *testing.T) {
	trusted := &archive.Keyring{}
	if err := trusted.Trust("docs", "key-1", publicKey(signingKey(0x07)), "test"); err != nil {
		t.Fatal(err)
	}
	v := &archive.Verifier{Keys: trusted}
	// Pieces of evidence on a frame, by shape, with and without proofs. An answer with a root has it on every frame.
	pieces := map[archive.Shape][2]int{archive.ShapeRoot: {2, 1}, archive.ShapeFrames: {1, 1}, archive.ShapeBoth: {3, 2}}
	for _, shape := range shapes {
		for _, n := range []int{0, 1, 2, 3, 7} {
			for k, noProofs := range []bool{false, true} {
				name := fmt.Sprintf("shape %s, %d frames, no proofs %t", shape, n, noProofs)
				if n == 0 && shape == archive.ShapeFrames {
					continue // refused
				}
				opt := options(t, shape)
				opt.NoProofs = noProofs
				signed := mustSign(t, ackOf("docs")+"\n"+answerOf(numberedFrames(n)...)+"\n", opt)
				if signed.Signed != 1 || len(signed.Answers) != 1 || signed.Provider != "docs" || signed.Undeclared != 0 {
					t.Errorf("%s: signed %d, judged %d, provider %q, undeclared %d", name, signed.Signed, len(signed.Answers),
						signed.Provider, signed.Undeclared)
				}
				r := verify(t, v, signed.Output)
				a := r.Answers[0]
				if a.Class != archive.ClassGood || len(a.Findings) != 0 {
					t.Errorf("%s: %s, findings %v\n%s", name, a.Class, a.Findings, signed.Output)
				}
				if (a.Root != nil) != (shape != archive.ShapeFrames) {
					t.Errorf("%s: root %v", name, a.Root)
				}
				for _, f := range a.Frames {
					if f.State != archive.StateAttested || len(f.Evidence) != pieces[shape][k] {
						t.Errorf("%s: frame %q is %s with %d pieces of evidence, want attested with %d", name, f.FrameID, f.State,
							len(f.Evidence), pieces[shape][k])
					}
				}
				if entries, _ := evidenceOf(t, bytes.Split(signed.Output, []byte("\n"))[1]); entries == "[]" {
					t.Errorf("%s: an empty frame_attestations was written", name)
				}
			}
		}
	}
}

// TestSignEqualFrames: frames that are alike in all that a commitment covers share one entry; the tree has a leaf for each.
func TestSignEqualFrames(t *testing.T) {
	twin := frameOf("twin", "same")
	for _, shape := range shapes {
		signed := mustSign(t, answerOf(twin, frameOf("a", "other"), twin), withProvider(options(t, shape), "docs"))
		entries, _ := evidenceOf(t, signed.Output)
		if n := strings.Count(entries, `{"frame":`); n != 2 {
			t.Errorf("shape %s: %d entries, want 2: %s", shape, n, entries)
		}
		if strings.Index(entries, "twin") > strings.Index(entries, `"a"`) {
			t.Errorf("shape %s: the entries do not stand in the order carried: %s", shape, entries)
		}
		if shape != archive.ShapeFrames && !strings.Contains(entries, `"leaf_count":3`) {
			t.Errorf("shape %s: no leaf_count of 3: %s", shape, entries)
		}
		for _, f := range signed.Answers[0].Frames {
			if f.State != archive.StateAttested {
				t.Errorf("shape %s: frame %d is %s, want attested", shape, f.Position, f.State)
			}
		}
	}
}

func withProvider(opt archive.SignOptions, name string) archive.SignOptions {
	opt.Provider = commitment.Some(name)
	return opt
}

// TestSignEscapes: what must be escaped in JSON is, and nothing else.
func TestSignEscapes(t *testing.T) {
	id := `\u0000\u001f\"\\\/<&>` + "\u2028é\U0001d11e\x7f" + `\ud834\udd1e`
	want := `"frame_id":"\u0000\u001f\"\\/<&>` + "\u2028é\U0001d11e\x7f\U0001d11e" + `"`
	frame := `{"id":"` + id + `","content":"x","content_digest":"` + digestOf("x") + `"}`
	opt := withProvider(options(t, archive.ShapeRoot), "<docs>\n")
	opt.KeyID, opt.AttesterID = "k\t1", "über \"uns\""
	out := string(mustSign(t, answerOf(frame), opt).Output)
	for _, text := range []string{want, `"provider_id":"<docs>\n"`, `"key_id":"k\t1"`, `"attester_id":"über \"uns\""`} {
		if !strings.Contains(out, text) {
			t.Errorf("the output has no %s: %s", text, out)
		}
	}
}

// TestSignAttesterDefaultsToProvider: attester_id is the provider where none is named.
func TestSignAttesterDefaultsToProvider(t *testing.T) {
	input := ackOf("docs") + answerOf(frameOf("a", "x"))
	if out := mustSign(t, input, options(t, "")).Output; !bytes.Contains(out, []byte(`"attester_id":"docs"`)) {
		t.Errorf("the attester is not the provider: %s", out)
	}
	opt := options(t, "")
	opt.AttesterID = "audit"
	if out := mustSign(t, input, opt).Output; !bytes.Contains(out, []byte(`"attester_id":"audit"`)) {
		t.Errorf("the attester is not the one that was named: %s", out)
	}
}

func readFile(t fataler, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
