package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"fmt"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

const manyFrames = 12

// signedAnswer returns an answer of manyFrames frames, signed in shape both, and a ring with its key.
func signedAnswer(t *testing.T) ([]byte, *archive.Keyring) {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(`{"type":"frames","result":{"frames":[`)
	for i := range manyFrames {
		if i > 0 {
			b.WriteByte(',')
		}
		content := fmt.Sprintf("content of frame %d", i)
		fmt.Fprintf(&b, `{"id":"f%d","content":%q,"content_digest":%q,"provenance":[{"type":"file","uri":"u%d"}]}`,
			i, content, commitment.ContentDigest(content), i)
	}
	b.WriteString(`]}}`)
	at, err := commitment.ParseInstant(fixtureIssuedAt)
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	signed, err := archive.Sign(b.Bytes(), archive.SignOptions{
		Key: key, KeyID: "k", IssuedAt: at, Shape: archive.ShapeBoth, Provider: commitment.Some("library"),
	})
	if err != nil {
		t.Fatal(err)
	}
	ring := &archive.Keyring{}
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
	if err := ring.Trust("library", "k", public, "test"); err != nil {
		t.Fatal(err)
	}
	return signed.Output, ring
}

// places returns the places of all members and elements in the value at a place, at every depth.
func places(t *testing.T, data []byte, place string) []string {
	t.Helper()
	at, err := locate(data, place)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	v := data[at.value.start:at.value.end]
	for m := range strictjson.Members(v) {
		all = append(all, place+"/"+m.Name)
	}
	n := 0
	for range strictjson.Elements(v) {
		all = append(all, place+"/"+strconv.Itoa(n))
		n++
	}
	for _, p := range all {
		all = append(all, places(t, data, p)...)
	}
	return all
}

// One bad piece never spoils its neighbours: whatever becomes of a part of one entry, all that is said of the other eleven
// frames stays word for word, and the spoilt frame keeps what does not depend on that entry.
func TestEntrySpoilsNoOther(t *testing.T) {
	signed, ring := signedAnswer(t)
	judge := func(input []byte) *archive.Answer {
		v := &archive.Verifier{Keys: ring}
		r, err := v.VerifyReader(context.Background(), "input", bytes.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Answers) != 1 || len(r.Errors) != 0 {
			t.Fatalf("%d answers, %d errors, want 1, 0: %s", len(r.Answers), len(r.Errors), input)
		}
		return r.Answers[0]
	}
	whole := judge(signed)
	for i := range whole.Frames {
		f := &whole.Frames[i]
		if f.State != archive.StateAttested || f.Class != archive.ClassGood || len(f.Evidence) != 3 {
			t.Fatalf("frame %d is %s, %s, with %d pieces of evidence, want attested, good, 3", i, f.State, f.Class, len(f.Evidence))
		}
	}
	// Where an entry goes, those behind it move up: what is said of them stays, but for the number.
	words := cmpopts.IgnoreFields(archive.Evidence{}, "Entry")
	edits := 0
	for n := range manyFrames {
		entry := "1/result/frame_attestations/" + strconv.Itoa(n)
		for _, place := range append(places(t, signed, entry), entry) {
			for _, by := range []string{"null", "7", "[]", ""} {
				verb, args := "set", []string{place, by}
				if by == "" {
					verb, args = "drop", args[:1]
				}
				input, err := edit(signed, verb, args...)
				if err != nil {
					t.Fatal(err)
				}
				edits++
				got := judge(input)
				if *got.Root != *withClaims(whole.Root, got.Root) {
					t.Errorf("%s %q: the root is %+v, want %+v", verb, args, got.Root, whole.Root)
				}
				for i := range got.Frames {
					if i == n {
						continue
					}
					if diff := cmp.Diff(whole.Frames[i], got.Frames[i], words, cmp.AllowUnexported(commitment.Optional{})); diff != "" {
						t.Errorf("%s %q: frame %d (-want +got):\n%s", verb, args, i, diff)
					}
				}
				checkSpoilt(t, fmt.Sprintf("%s %q", verb, args), &got.Frames[n])
			}
		}
	}
	// By hand: an entry is 3 members, of 3, 6 and 3 members, and a path of 4 steps, which for leaves 8 to 11 of 12 are 3, of 2
	// members; and the entry itself.
	if want := 4 * (manyFrames*(1+3+3+6+3) + 8*4*3 + 4*3*3); edits != want {
		t.Errorf("%d edits, want %d", edits, want)
	}
}

// withClaims returns root with the claims of another, which are pointers, where they hold the same texts.
func withClaims(root, other *archive.Root) *archive.Root {
	same := *root
	if other.Unverified != nil && *root.Unverified == *other.Unverified {
		same.Unverified = other.Unverified
	}
	return &same
}

// checkSpoilt checks the frame whose entry was edited: the root covers it in any case, and nothing verifies that did not.
func checkSpoilt(t *testing.T, what string, f *archive.Frame) {
	t.Helper()
	last := f.Evidence[len(f.Evidence)-1]
	if last.Kind != archive.KindRoot || last.State != archive.StateAttested || f.State != archive.StateAttested {
		t.Errorf("%s: the frame is %s, its last evidence %s %s, want attested, root attested", what, f.State, last.Kind, last.State)
	}
	for _, e := range f.Evidence {
		if e.State == archive.StateInvalid && e.Verdict != "malformed_commitment" {
			t.Errorf("%s: %s is %s %s, want nothing judged that is missing a part", what, e.Kind, e.State, e.Verdict)
		}
	}
}
