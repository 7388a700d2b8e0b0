package archive_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A sample is an input with keys that are trusted for it.
type sample struct {
	name string
	text []byte
	keys *archive.Keyring
}

// A vectorText is a text, or one that is repeated and then goes on.
type vectorText string

func (v *vectorText) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		return json.Unmarshal(raw, (*string)(v))
	}
	var parts struct {
		Repeat [2]json.RawMessage
		Then   vectorText
	}
	var text string
	var n int
	if err := errors.Join(json.Unmarshal(raw, &parts), json.Unmarshal(parts.Repeat[0], &text), json.Unmarshal(parts.Repeat[1], &n)); err != nil {
		return err
	}
	*v = vectorText(strings.Repeat(text, n)) + parts.Then
	return nil
}

// vectorSamples are the inputs of the test vectors that hold messages.
func vectorSamples(tb testing.TB) (all []sample) {
	tb.Helper()
	const dir = "../testvectors/v1"
	for _, class := range []string{"answer", "wire", "retain"} {
		raw, err := os.ReadFile(filepath.Join(dir, class+".json"))
		if err != nil {
			tb.Fatal(err)
		}
		var file struct {
			Count int
			Cases []struct {
				ID    string
				Input struct {
					Text    vectorText
					Bytes   string
					Trusted []struct {
						LocalID   string `json:"local_id"`
						KeyID     string `json:"key_id"`
						Algorithm string
						PublicKey string `json:"public_key"`
					}
				}
			}
		}
		if err := json.Unmarshal(raw, &file); err != nil || file.Count != len(file.Cases) || file.Count < 10 {
			tb.Fatalf("%s: %d of %d cases, %v", class, len(file.Cases), file.Count, err)
		}
		for _, c := range file.Cases {
			s := sample{name: c.ID, text: []byte(c.Input.Text), keys: &archive.Keyring{}}
			if c.Input.Bytes != "" {
				if s.text, err = hex.DecodeString(c.Input.Bytes); err != nil {
					tb.Fatal(err)
				}
			}
			for _, k := range c.Input.Trusted {
				key, err := hex.DecodeString(k.PublicKey)
				if err != nil {
					tb.Fatal(err)
				}
				// Some cases are of keys that are not taken.
				_ = s.keys.Trust(k.LocalID, k.KeyID, sign.PublicKey{Algorithm: k.Algorithm, Bytes: string(key)}, "vectors")
			}
			all = append(all, s)
		}
	}
	return all
}

// ways are policies under which the plain way and the fast one are compared.
func ways() []archive.Policy {
	return []archive.Policy{
		{},
		{Require: archive.RequireConstructed, AllowIdentityOnly: true, AllowOpaqueDigest: true, LocalIDFromArchive: true},
		{Retained: true, Provider: commitment.Some("docs")},
	}
}

// reportText judges an input and returns the report, whole.
func reportText(tb testing.TB, s sample, p archive.Policy, jobs int, diagnose bool) (string, *archive.Report) {
	tb.Helper()
	v := &archive.Verifier{Keys: s.keys, Policy: p, Jobs: jobs, Diagnose: diagnose}
	var text bytes.Buffer
	out := report.NewJSONL(&text, v.Header(), report.Tool{Name: "test"})
	sources := []archive.Source{{Name: "input", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(s.text)), nil }}}
	summary, err := v.Verify(context.Background(), slices.Values(sources), out)
	if err == nil {
		err = out.Close(summary)
	}
	if err != nil {
		tb.Fatal(err)
	}
	whole, err := v.VerifyReader(context.Background(), "input", bytes.NewReader(s.text))
	if err != nil {
		tb.Fatal(err)
	}
	return text.String(), whole
}

// compareWays judges an input in the plain way and in the fast one, alone and with others at a time, and recomputes its roots as
// they are defined. It returns the number of roots.
func compareWays(tb testing.TB, s sample) (roots int) {
	tb.Helper()
	for i, p := range ways() {
		plain, whole := reportText(tb, s, archive.Plain(p), 1, i == 0)
		for _, jobs := range []int{1, 3} {
			if fast, _ := reportText(tb, s, p, jobs, i == 0); fast != plain {
				tb.Fatalf("%s: under policy %d the report of %d jobs is another (-plain +fast):\n%s\n%q",
					s.name, i, jobs, cmp.Diff(strings.Split(plain, "\n"), strings.Split(fast, "\n")), s.text)
			}
		}
		for _, a := range whole.Answers {
			if a.Retained || a.Root == nil || a.Root.Recomputed == "" {
				continue
			}
			leaves := make([]commitment.Digest, len(a.Frames))
			for _, f := range a.Frames {
				d, err := commitment.ParseDigest(f.Commitment)
				if err != nil || f.LeafIndex < 0 {
					tb.Fatalf("%s: frame %q has the leaf index %d and the commitment %q, and there is a root", s.name, f.FrameID, f.LeafIndex, f.Commitment)
				}
				leaves[f.LeafIndex] = d
			}
			if want := definedRoot(leaves).String(); a.Root.Recomputed != want {
				tb.Fatalf("%s: the root is %s, by its definition %s", s.name, a.Root.Recomputed, want)
			}
			roots++
		}
	}
	return roots
}

// definedRoot is MTH of CGP §6.5.3.
func definedRoot(leaves []commitment.Digest) commitment.Digest {
	switch n := len(leaves); n {
	case 0:
		return commitment.ContentDigest("contextgraph/attest/1/merkle-empty")
	case 1:
		return commitment.ContentDigest("\x00" + string(leaves[0][:]))
	default:
		k := 1
		for 2*k < n {
			k *= 2
		}
		left, right := definedRoot(leaves[:k]), definedRoot(leaves[k:])
		return commitment.ContentDigest("\x01" + string(left[:]) + string(right[:]))
	}
}

// TestWaysAgreeOnVectors: on every message of the test vectors, in the spelling that they have and in others that mean the same, the
// fast way reports what the plain one does, byte for byte.
func TestWaysAgreeOnVectors(t *testing.T) {
	roots := 0
	for _, s := range vectorSamples(t) {
		line := bytes.TrimRight(s.text, "\n")
		for i, text := range [][]byte{
			s.text, append(line[:len(line):len(line)], '\n'), bytes.ReplaceAll(s.text, []byte("{"), []byte("{ ")),
			bytes.ReplaceAll(s.text, []byte(",\"result\""), []byte("\n,\"result\"")), append(bytes.Clone(s.text), "{\"type\":\"frames\"} x\n"...),
		} {
			if i > 1 && len(text) > 1<<20 {
				break
			}
			spelt := sample{fmt.Sprintf("%s, spelling %d", s.name, i), text, s.keys}
			roots += compareWays(t, spelt)
		}
	}
	if roots < 100 {
		t.Errorf("%d roots, want many", roots)
	}
}

// FuzzWays: a changed record is reported by the fast way as by the plain one.
func FuzzWays(f *testing.F) {
	all := vectorSamples(f)
	keys := &archive.Keyring{}
	trust := func(provider, keyID string, key sign.PublicKey) {
		if err := keys.Trust(provider, keyID, key, "fuzz"); err != nil {
			f.Fatal(err)
		}
	}
	trust(fuzzProvider, options(f, archive.ShapeRoot).KeyID, publicKey(signingKey(7)))
	for _, seed := range fuzzSeeds(f) {
		f.Add([]byte(seed))
	}
	for i := range all {
		if i%4 == 0 {
			f.Add(all[i].text)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) <= 1<<16 {
			compareWays(t, sample{"fuzz", text, keys})
		}
	})
}
