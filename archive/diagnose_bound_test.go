package archive

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// hostileFrames are frames with evidence that nothing explains: signatures over anything.
func hostileFrames(t testing.TB, frames, links, entries int, link string) []byte {
	t.Helper()
	var provenance []string
	for k := range links {
		provenance = append(provenance, strings.Replace(link, "%d", fmt.Sprint(k), 1))
	}
	rest := `","content":"x","content_digest":"sha256:` + strings.Repeat("0", 64) + `","provenance":[` + strings.Join(provenance, ",") + "]}"
	att := `{"signed_commitment":"sha256:` + strings.Repeat("1", 64) + `","key_id":"k","algorithm":"ed25519","attester_id":"a","signature":"` +
		strings.Repeat("00", 64) + `","issued_at":"x"}`
	var b strings.Builder
	b.WriteString(`{"type":"frames","result":{"frames":[`)
	for i := range frames {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString(`{"id":"f` + fmt.Sprint(i) + rest)
	}
	b.WriteString(`],"frame_attestations":[`)
	for n := range entries {
		if n > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"frame":{"provider_id":"docs","frame_id":"f%d","content_digest":"sha256:%s"},"attestation":%s}`, n%frames, strings.Repeat("0", 64), att)
	}
	b.WriteString(`],"result_attestation":` + att + `}}`)
	return []byte(b.String())
}

// judgeText judges one record under a keyring.
func judgeText(t testing.TB, text []byte, keys *Keyring) *judge {
	t.Helper()
	rec, fault := decodeRecord(text, DefaultLimits())
	if fault != nil {
		t.Fatal(fault)
	}
	return judgeAnswer(&Policy{Require: RequireAttested}, keys, newSession(keys.algorithms()).now(), rec, &Answer{})
}

// Whatever an answer holds, its diagnoses cost no more than the limits say.
func TestDiagnosisIsBounded(t *testing.T) {
	plain, own := `{"type":"file"}`, `{"type":"file","uri":"u%d","by":"b"}`
	for _, tc := range []struct {
		name                   string
		frames, links, entries int
		link                   string
	}{
		{"10,000 frames of 100 links", 10_000, 100, 10_000, plain},
		{"100 frames of 1,000 links, all different", 100, 1_000, 100, own},
		{"a frame of 10,000 links", 1, 10_000, 1, own},
		{"a frame of 60 links with 10,000 entries", 1, 60, 10_000, own},
		{"30,000 frames without links", 30_000, 0, 30_000, plain},
		{"a link of 4 MiB with 5,000 entries", 1, 1, 5_000, `{"type":"%d` + strings.Repeat("x", 4<<20) + `"}`},
		{"three small frames", 3, 2, 3, own},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if testing.Short() && tc.frames > 3 {
				t.Skip("a large answer")
			}
			j := judgeText(t, hostileFrames(t, tc.frames, tc.links, tc.entries, tc.link), &Keyring{})
			blocks, checks := j.diagnose(nil)
			if blocks == 0 || blocks > maxDiagnosisBlocks || checks != 0 {
				t.Errorf("%d blocks and %d signatures, want at most %d and none", blocks, checks, maxDiagnosisBlocks)
			}
			d := j.out.Root.Diagnosis
			if d == nil || d.Cause != CauseNone {
				t.Fatalf("root: %+v, want none", d)
			}
			small := tc.frames == 3
			if cut := strings.Contains(d.Detail, "cut short"); cut == small && tc.links > 0 {
				t.Errorf("root: %q after %d blocks", d.Detail, blocks)
			}
			last := j.out.Frames[len(j.out.Frames)-1].Evidence
			if d := last[0].Diagnosis; d == nil || d.Cause != CauseNone || strings.Contains(d.Detail, "cut short") == small {
				t.Errorf("the last frame: %+v", d)
			}
		})
	}
}

// Signatures are bounded too, and two runs say the same.
func TestDiagnosisChecksAreBounded(t *testing.T) {
	ring := &Keyring{}
	for i := range 100 {
		seed := sha256.Sum256([]byte{byte(i)})
		public := ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey)
		if err := ring.Trust(AnyProvider, fmt.Sprintf("k%d", i), sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(public)}, "test"); err != nil {
			t.Fatal(err)
		}
	}
	var frames, entries []string
	for i := range 10 {
		id := fmt.Sprintf("f%d", i)
		c, err := commitment.Of("docs", &commitment.Frame{ID: id})
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, `{"id":"`+id+`"}`)
		entries = append(entries, fmt.Sprintf(`{"frame":{"provider_id":"docs","frame_id":%q},"attestation":{"signed_commitment":%q,"key_id":"k0","algorithm":"ed25519","attester_id":"a","signature":%q,"issued_at":"x"}}`,
			id, c, hex.EncodeToString(make([]byte, 64))))
	}
	text := []byte(`{"type":"frames","result":{"frames":[` + strings.Join(frames, ",") + `],"frame_attestations":[` + strings.Join(entries, ",") + `]}}`)
	var before []Diagnosis
	for range 3 {
		j := judgeText(t, text, ring)
		blocks, checks := j.diagnose(ring.atHand())
		if blocks != 0 || checks != maxDiagnosisChecks {
			t.Errorf("%d blocks and %d signatures, want none and %d", blocks, checks, maxDiagnosisChecks)
		}
		var list []Diagnosis
		for i := range j.out.Frames {
			list = append(list, *j.out.Frames[i].Evidence[0].Diagnosis)
		}
		if strings.Contains(list[0].Detail, "cut short") || !strings.Contains(list[9].Detail, "cut short") {
			t.Errorf("the first and the last: %+v, %+v", list[0], list[9])
		}
		for i := range before {
			if before[i] != list[i] {
				t.Errorf("frame %d: %+v, then %+v", i, before[i], list[i])
			}
		}
		before = list
	}
}

// The encoding with its parameters open is, with the right ones, the one that evidence is judged by.
func TestCanonicalIsCommitment(t *testing.T) {
	some := commitment.Some
	for _, f := range []commitment.Frame{
		{},
		{ID: "é𝄞", ContentDigest: some("")},
		{ID: "f", ContentDigest: some("sha256:0"), Provenance: []commitment.Link{
			{Type: "t"},
			{Type: "", URI: some("u"), Range: some(""), Digest: some("d"), Method: some("m"), By: some("é")},
		}},
	} {
		for _, provider := range []string{"", "docs", "𝄞"} {
			want, err := commitment.Of(provider, &f)
			if err != nil {
				t.Fatal(err)
			}
			d := &diagnosing{left: 1_000}
			id := f.Identity(provider)
			got, ok := d.commitWhole(canonical, &id, func(yield func(rawLink) bool) {
				for i := range f.Provenance {
					if !yield(rawLinkOf(&f.Provenance[i])) {
						return
					}
				}
			})
			if !ok || got != want {
				t.Errorf("commitWhole(canonical, %q, %+v) = %s, %t, want %s", provider, f, got, ok, want)
			}
		}
	}
}

// What the diagnoses of an answer cost that is made to exhaust them.
func BenchmarkDiagnosisAtItsBound(b *testing.B) {
	j := judgeText(b, hostileFrames(b, 10_000, 100, 10_000, `{"type":"file"}`), &Keyring{})
	for b.Loop() {
		j.diagnose(nil)
	}
}
