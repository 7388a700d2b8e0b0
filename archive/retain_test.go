package archive_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// docsRing trusts the signing key of these tests for provider docs.
func docsRing(t fataler) *archive.Keyring {
	t.Helper()
	ring := &archive.Keyring{}
	if err := ring.Trust("docs", "key-1", publicKey(signingKey(7)), "test"); err != nil {
		t.Fatal(err)
	}
	return ring
}

func auditor(t fataler, policy archive.Policy) *archive.Verifier {
	return &archive.Verifier{Keys: docsRing(t), Policy: policy}
}

func judge(t fataler, v *archive.Verifier, input []byte) *archive.Report {
	t.Helper()
	r, err := v.VerifyReader(context.Background(), "input", bytes.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func signedDocs(t fataler, shape archive.Shape, frames ...string) string {
	opt := options(t, shape)
	opt.Provider = commitment.Some("docs")
	return string(mustSign(t, answerOf(frames...), opt).Output)
}

func mustRetain(t fataler, input string, opt archive.RetainOptions) archive.Subset {
	t.Helper()
	if !opt.Provider.Present() {
		opt.Provider = commitment.Some("docs")
	}
	subsets, err := archive.Retain(strings.NewReader(input), opt)
	if err != nil {
		t.Fatalf("Retain: %v\ninput: %s", err, input)
	}
	if len(subsets) != 1 {
		t.Fatalf("%d subsets, want 1", len(subsets))
	}
	return subsets[0]
}

func refs(ids ...string) (out []archive.FrameRef) {
	for _, id := range ids {
		out = append(out, archive.RefText(id))
	}
	return out
}

func findings(a *archive.Answer) (codes []archive.FindingCode) {
	for _, f := range a.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

// Frames with whatever sign refuses: without a digest, reference frames. The root is made with package merkle.
func signedByHand(t fataler, frames ...string) string {
	t.Helper()
	list := make([]commitment.Frame, len(frames))
	ids := make([]commitment.FrameID, len(frames))
	for i, text := range frames {
		var f struct {
			ID     string  `json:"id"`
			Digest *string `json:"content_digest"`
		}
		if err := json.Unmarshal([]byte(text), &f); err != nil {
			t.Fatal(err)
		}
		list[i].ID = f.ID
		if f.Digest != nil {
			list[i].ContentDigest = commitment.Some(*f.Digest)
		}
		ids[i] = list[i].Identity("docs")
	}
	var leaves []commitment.Digest
	for _, i := range commitment.CanonicalOrder(ids) {
		c, err := commitment.Of("docs", &list[i])
		if err != nil {
			t.Fatal(err)
		}
		leaves = append(leaves, c)
	}
	signer, err := sign.NewSigner(signingKey(7), "key-1", "docs", instant(t, "2026-08-29T12:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	att, err := signer.Attest(sign.Request{Commitment: merkle.Root(leaves), Provider: "docs"})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"type":"frames","result":{"frames":[%s],"result_attestation":{"signed_commitment":%q,"key_id":%q,`+
		`"algorithm":%q,"attester_id":%q,"signature":%q,"issued_at":%q}}}`, strings.Join(frames, ","),
		att.SignedCommitment, att.KeyID, att.Algorithm, att.AttesterID, att.Signature, att.IssuedAt)
}

// secretFrames are n frames that can be told apart in any text; names and contents share nothing.
func secretFrames(n int) (frames, ids []string) {
	for i := range n {
		id := fmt.Sprintf("name-%04d.", i)
		ids = append(ids, id)
		frames = append(frames, frameOf(id, fmt.Sprintf("secret-%04d.", i)))
	}
	return frames, ids
}

func TestRetainSizes(t *testing.T) {
	for _, n := range []int{1, 2, 3, 5, 8, 33, 1000} {
		frames, ids := secretFrames(n)
		for _, shape := range shapes {
			if n == 1000 && shape != archive.ShapeRoot {
				continue
			}
			input := signedDocs(t, shape, frames...)
			for name, keep := range map[string][]string{"one": ids[n/2 : n/2+1], "all": ids, "ends": {ids[0], ids[n-1]}} {
				t.Run(fmt.Sprint(n, shape, name), func(t *testing.T) {
					s := mustRetain(t, input, archive.RetainOptions{Keep: refs(keep...), Keys: docsRing(t)})
					kept := slices.Compact(slices.Sorted(slices.Values(keep)))
					checkKept(t, s, shape, frames, ids, kept)
				})
			}
		}
	}
}

func checkKept(t *testing.T, s archive.Subset, shape archive.Shape, frames, ids, kept []string) {
	t.Helper()
	if s.Kept != len(kept) || s.Dropped != len(ids)-len(kept) || !s.Verified {
		t.Errorf("kept %d, dropped %d, verified %t, want %d, %d, true", s.Kept, s.Dropped, s.Verified, len(kept), len(ids)-len(kept))
	}
	for i, id := range ids {
		if is, want := bytes.Contains(s.Output, []byte(frames[i])), slices.Contains(kept, id); is != want {
			t.Errorf("frame %q stands in the output: %t, want %t", id, is, want)
		}
		if !slices.Contains(kept, id) && bytes.Contains(s.Output, []byte(id)) {
			t.Errorf("the output names %q, which was dropped", id)
		}
	}
	r := judge(t, auditor(t, archive.Policy{}), s.Output)
	if r.Summary.ExitCode != 0 || len(r.Answers) != 1 || !r.Answers[0].Retained {
		t.Fatalf("exit %d: %s", r.Summary.ExitCode, r.Summary.ExitReason)
	}
	a := r.Answers[0]
	want := archive.Proven{Leaves: uint64(len(kept)), Claimed: []uint64{uint64(len(ids))}}
	codes := []archive.FindingCode{archive.FindingLeafCountIsAClaim}
	if shape == archive.ShapeFrames {
		want, codes = archive.Proven{}, nil
	}
	if a.Proven.Leaves != want.Leaves || !slices.Equal(a.Proven.Claimed, want.Claimed) {
		t.Errorf("proven %+v, want %+v", *a.Proven, want)
	}
	if got := findings(a); !slices.Equal(got, codes) {
		t.Errorf("findings %v, want %v", got, codes)
	}
	if a.ProviderSource != archive.ProviderFromRecord {
		t.Errorf("provider from %s, want record", a.ProviderSource)
	}
	for _, f := range a.Frames {
		var kinds []archive.EvidenceKind
		for _, ev := range f.Evidence {
			kinds = append(kinds, ev.Kind)
		}
		wantKinds := map[archive.Shape][]archive.EvidenceKind{
			archive.ShapeRoot:   {archive.KindInclusion},
			archive.ShapeFrames: {archive.KindSignature},
			archive.ShapeBoth:   {archive.KindSignature, archive.KindInclusion},
		}[shape]
		if !slices.Equal(kinds, wantKinds) {
			t.Errorf("frame %q has the evidence %v, want %v", f.FrameID, kinds, wantKinds)
		}
		if shape != archive.ShapeFrames && f.LeafIndex != slices.Index(ids, f.FrameID) {
			t.Errorf("frame %q is leaf %d, want %d", f.FrameID, f.LeafIndex, slices.Index(ids, f.FrameID))
		}
	}
}

// Frames that sign refuses may be signed by others.
func TestRetainOddFrames(t *testing.T) {
	noDigest, reference := `{"id":"bare","content":"x"}`, `{"id":"ref","representation":"reference","content_ref":"file:///a"}`
	// U+FF5E comes before U+1D11E by UTF-8 bytes, after it by UTF-16 units.
	input := signedByHand(t, frameOf("same", "one"), frameOf("same", "two"), noDigest, reference, frameOf("\U0001d11e", "x"), frameOf("\uff5e", "y"))
	two := "same@" + digestOf("two")
	s := mustRetain(t, input, archive.RetainOptions{Keep: refs(two, "bare", "ref", "\U0001d11e"), Keys: docsRing(t)})
	if !s.Verified || s.Proofs != 4 || bytes.Contains(s.Output, []byte(digestOf("one"))) {
		t.Errorf("verified %t, proofs %d: %s", s.Verified, s.Proofs, s.Output)
	}
	r := judge(t, auditor(t, archive.Policy{}), s.Output)
	want := []archive.State{archive.StateAttested, archive.StateIdentityOnly, archive.StateIdentityOnly, archive.StateAttested}
	var got []archive.State
	var leaves []int
	for _, f := range r.Answers[0].Frames {
		got = append(got, f.State)
		leaves = append(leaves, f.LeafIndex)
	}
	if !slices.Equal(got, want) || r.Summary.ExitCode != 3 {
		t.Errorf("states %v, exit %d, want %v, 3", got, r.Summary.ExitCode, want)
	}
	// In canonical order: bare, ref, the two named same by their digests, U+FF5E, U+1D11E.
	if same := leaves[0]; same != 2 && same != 3 || leaves[1] != 0 || leaves[2] != 1 || leaves[3] != 5 {
		t.Errorf("leaf indexes %v", leaves)
	}

	_, err := archive.Retain(strings.NewReader(input), archive.RetainOptions{Keep: refs("same"), Provider: commitment.Some("docs")})
	if !errors.Is(err, archive.ErrAmbiguousFrame) {
		t.Errorf("keep same: %v, want ErrAmbiguousFrame", err)
	}
	s = mustRetain(t, input, archive.RetainOptions{Drop: refs("bare@", two), Keys: docsRing(t)})
	if s.Kept != 4 || bytes.Contains(s.Output, []byte(`"bare"`)) {
		t.Errorf("dropped two: %s", s.Output)
	}
}

func TestRetainRefuses(t *testing.T) {
	a, b := frameOf("a", "x"), frameOf("b", "y")
	root, frames := signedDocs(t, archive.ShapeRoot, a, b), signedDocs(t, archive.ShapeFrames, a, b)
	edit := func(s, old, new string) string {
		if !strings.Contains(s, old) {
			t.Fatalf("no %q in %s", old, s)
		}
		return strings.Replace(s, old, new, 1)
	}
	signature := func(s string) string { return s[strings.LastIndex(s, `"signature":"`)+13:][:128] }
	kept := string(mustRetain(t, root, archive.RetainOptions{Keep: refs("a")}).Output)
	rows := []struct {
		name, input string
		form        archive.RetainForm
		rule        archive.RetainRule
	}{
		{"unsigned", answerOf(a, b), "", archive.RetainUnsigned},
		{"a subset", kept, "", archive.RetainSubset},
		{"name not declared", ackOf("other") + root, "", archive.RetainProviderMismatch},
		{"root without a signature", edit(root, `"signature":"`, `"signatur":"`), "", archive.RetainUnusableRoot},
		{"a malformed frame", edit(root, `"id":"b"`, `"id":7`), "", archive.RetainMalformedFrame},
		{"dropped before", edit(root, ","+b, ""), "", archive.RetainRootMismatch},
		{"edited before", edit(root, `"id":"b"`, `"id":"c"`), "", archive.RetainRootMismatch},
		{"bad signature of the root", edit(root, signature(root), signature(frames)), "", archive.RetainInvalidEvidence},
		{"signature of another frame", edit(frames, `"signed_commitment":"sha256:`, `"signed_commitment":"sha256:0`), "", archive.RetainInvalidEvidence},
		{"other content", edit(root, `"content":"x"`, `"content":"z"`), "", archive.RetainContentMismatch},
		{"no signature of its own", root, archive.RetainEnvelope, archive.RetainUnsignedFrame},
	}
	seen := map[archive.RetainRule]bool{archive.RetainOverLimit: true} // below
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			opt := archive.RetainOptions{Source: "in", Keys: docsRing(t), Keep: refs("a"), Form: row.form}
			if row.rule != archive.RetainProviderMismatch {
				opt.Provider = commitment.Some("docs")
			}
			subsets, err := archive.Retain(strings.NewReader(row.input), opt)
			var r *archive.RetainRefusal
			if !errors.As(err, &r) || r.Rule != row.rule || subsets != nil {
				t.Fatalf("Retain = %d subsets, %v, want the refusal %s", len(subsets), err, row.rule)
			}
			if r.Source != "in" || r.Record == 0 || r.Rule.Hint() == "" || !strings.Contains(r.Error(), string(row.rule)) {
				t.Errorf("refusal %+v", r)
			}
		})
		seen[row.rule] = true
	}
	for _, rule := range archive.RetainRules() {
		if !seen[rule] {
			t.Errorf("rule %s: no case", rule)
		}
	}
	opt := archive.RetainOptions{Keep: refs("a"), Provider: commitment.Some("docs"), Limits: archive.Limits{Record: int64(len(root))}}
	opt.Keep = refs("a", "b")
	small := signedByHand(t, a, b)
	opt.Limits.Record = int64(len(small))
	_, err := archive.Retain(strings.NewReader(small), opt)
	var r *archive.RetainRefusal
	if !errors.As(err, &r) || r.Rule != archive.RetainOverLimit {
		t.Errorf("Retain = %v, want the refusal over_limit", err)
	}
}

func TestRetainUsage(t *testing.T) {
	a := frameOf("a", "x")
	one := signedDocs(t, archive.ShapeRoot, a, frameOf("b", "y"))
	for _, row := range []struct {
		name, input string
		opt         archive.RetainOptions
		want        error
	}{
		{"nothing", one, archive.RetainOptions{}, archive.ErrNothingKept},
		{"all dropped", one, archive.RetainOptions{Drop: refs("a", "b")}, archive.ErrNothingKept},
		{"both", one, archive.RetainOptions{Keep: refs("a"), Drop: refs("b")}, archive.ErrKeepAndDrop},
		{"drop everywhere", one, archive.RetainOptions{Drop: refs("b"), Everywhere: true}, archive.ErrKeepAndDrop},
		{"form", one, archive.RetainOptions{Keep: refs("a"), Form: "zip"}, archive.ErrUnknownForm},
		{"no such frame", one, archive.RetainOptions{Keep: refs("c")}, archive.ErrUnknownFrame},
		{"no such frame anywhere", one, archive.RetainOptions{Keep: refs("a", "c"), Everywhere: true}, archive.ErrUnknownFrame},
		{"two answers", one + one, archive.RetainOptions{Keep: refs("a")}, archive.ErrSeveralAnswers},
		{"no answer", ackOf("docs"), archive.RetainOptions{Keep: refs("a")}, archive.ErrNoAnswer},
		{"record is no answer", ackOf("docs") + one, archive.RetainOptions{Keep: refs("a"), Record: 1}, archive.ErrNoAnswer},
		{"record beyond", one, archive.RetainOptions{Keep: refs("a"), Record: 9}, archive.ErrNoAnswer},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.opt.Provider = commitment.Some("docs")
			if _, err := archive.Retain(strings.NewReader(row.input), row.opt); !errors.Is(err, row.want) {
				t.Errorf("Retain = %v, want %v", err, row.want)
			}
		})
	}
	if _, err := archive.Retain(strings.NewReader(answerOf(a)), archive.RetainOptions{Keep: refs("a")}); !errors.Is(err, archive.ErrNoProvider) {
		t.Errorf("Retain = %v, want ErrNoProvider", err)
	}
}

// Everywhere finds frames in every answer of a session and carries what stands around them.
func TestRetainEverywhere(t *testing.T) {
	opt := options(t, archive.ShapeRoot)
	opt.PublishKey = true
	line := `{"format":"cgp-archive/1","received_at":"2026-09-01T00:00:00Z","local_id":"ours","envelope":` + answerOf(frameOf("c", "z"), frameOf("a", "w")) + `}`
	session := ackOf("docs") + "\n" + answerOf(frameOf("a", "x"), frameOf("b", "y")) + "\n" + line + "\n" + answerOf(frameOf("d", "v")) + "\n"
	signed := mustSign(t, session, opt).Output
	list, err := archive.ParseRefs("a\n\n" + `{"provider_id":"docs","frame_id":"c","content_digest":"` + digestOf("z") + `"}` + "\n")
	if err != nil {
		t.Fatal(err)
	}
	subsets, err := archive.Retain(bytes.NewReader(signed), archive.RetainOptions{Keep: list, Everywhere: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(subsets) != 2 || subsets[0].Record != 2 || subsets[1].Record != 3 || subsets[1].Kept != 2 {
		t.Fatalf("subsets %+v", subsets)
	}
	for _, want := range []string{`"received_at":"2026-09-01T00:00:00Z"`, `"local_id":"ours"`, `"id":"q"`, `"truncated":false`, `"attester_keys":[{"key_id":"key-1"`} {
		if !bytes.Contains(subsets[1].Output, []byte(want)) {
			t.Errorf("no %s in %s", want, subsets[1].Output)
		}
	}
	// Nobody here holds a key but the one published in the session: constructed, never good by itself.
	if !subsets[0].Verified || subsets[0].Answer.Frames[0].State != archive.StateConstructed {
		t.Errorf("the first subset is %s", subsets[0].Answer.Frames[0].State)
	}
	both := slices.Concat(subsets[0].Output, subsets[1].Output)
	if r := judge(t, &archive.Verifier{}, both); r.Summary.ExitCode != 3 || r.Summary.States[archive.StateConstructed] != 3 {
		t.Errorf("without a key: exit %d, states %v", r.Summary.ExitCode, r.Summary.States)
	}
	if r := judge(t, auditor(t, archive.Policy{}), both); r.Summary.ExitCode != 0 || r.Summary.Classes[archive.ClassGood] != 3 {
		t.Errorf("with the key: exit %d (%s)", r.Summary.ExitCode, r.Summary.ExitReason)
	}
	for _, bad := range []string{`{"frame_id":"a"}`, `{"provider_id":"docs"`, `{"provider_id":"docs","provider_id":"x","frame_id":"a"}`} {
		if _, err := archive.ParseRefs("ok\n" + bad); !errors.Is(err, archive.ErrMalformedRef) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("ParseRefs(%s) = %v, want ErrMalformedRef at line 2", bad, err)
		}
	}
}

// F13: where nobody holds the root's key the subset is written all the same.
func TestRetainWithoutAKey(t *testing.T) {
	frames, ids := secretFrames(2)
	s := mustRetain(t, signedDocs(t, archive.ShapeRoot, frames...), archive.RetainOptions{Keep: refs(ids[0])})
	if s.Verified || s.Answer.Frames[0].State != archive.StateNoTrustedKey {
		t.Errorf("verified %t, state %s", s.Verified, s.Answer.Frames[0].State)
	}
	s.Verified = true // under the key that the auditor has
	checkKept(t, s, archive.ShapeRoot, frames, ids, ids[:1])
}

// An envelope of which a host dropped frames, without and with --retained; and what one proof can claim.
func TestRetainedEnvelope(t *testing.T) {
	frames, _ := secretFrames(5)
	whole := signedDocs(t, archive.ShapeRoot, frames...)
	cut := []byte(strings.Replace(whole, strings.Join(frames[:3], ",")+",", "", 1))
	provider := commitment.Some("docs")
	r := judge(t, auditor(t, archive.Policy{Provider: provider}), cut)
	a := r.Answers[0]
	if r.Summary.ExitCode != 1 || a.Root.State != archive.StateInvalid || !slices.Contains(findings(a), archive.FindingRootMismatch) {
		t.Errorf("plain: exit %d, root %s, findings %v", r.Summary.ExitCode, a.Root.State, findings(a))
	}
	for _, ev := range a.Frames[0].Evidence {
		if ev.Kind == archive.KindInclusion && ev.Verdict != sign.MalformedCommitment {
			t.Errorf("plain: the proof is %s, want malformed_commitment", ev.Verdict)
		}
	}
	r = judge(t, auditor(t, archive.Policy{Retained: true, Provider: provider}), cut)
	a = r.Answers[0]
	if r.Summary.ExitCode != 0 || a.Proven.String() != "2 of 5 proven, 5 is the provider's claim: nothing signs it" || a.Root.Recomputed != "" {
		t.Errorf("retained: exit %d, %s, root %+v", r.Summary.ExitCode, a.Proven, a.Root)
	}

	kept := mustRetain(t, whole, archive.RetainOptions{Keep: refs("name-0003.")}).Output
	for count, verdict := range map[string]sign.Verdict{
		"4": sign.MalformedCommitment, "5": sign.Valid, "6": sign.Valid, "7": sign.Valid, "8": sign.Valid, "9": sign.MalformedCommitment,
		"0": sign.MalformedCommitment, "18446744073709551615": sign.MalformedCommitment,
	} {
		edited := bytes.Replace(kept, []byte(`"leaf_count":5`), []byte(`"leaf_count":`+count), 1)
		ev := judge(t, auditor(t, archive.Policy{}), edited).Answers[0].Frames[0].Evidence[0]
		if ev.Verdict != verdict {
			t.Errorf("leaf 3 of %s: %s (%s), want %s", count, ev.Verdict, ev.Detail, verdict)
		}
	}
	// Leaf 3 of 5 has the path of leaf 3 of 8, but where six frames are carried there were not five.
	eight, ids := secretFrames(8)
	six := mustRetain(t, signedDocs(t, archive.ShapeRoot, eight...), archive.RetainOptions{Keep: refs(ids[:6]...)}).Output
	fewer := bytes.Replace(six, []byte(`"leaf_index":3,"leaf_count":8`), []byte(`"leaf_index":3,"leaf_count":5`), 1)
	if ev := judge(t, auditor(t, archive.Policy{}), fewer).Answers[0].Frames[3].Evidence[0]; ev.Verdict != sign.MalformedCommitment ||
		ev.Detail != "leaf_count is 5, the answer carries 6 frames" {
		t.Errorf("a count below the frames carried: %s (%s)", ev.Verdict, ev.Detail)
	}
	// Of every frame taken away nothing is left to be good.
	none := string(kept)
	none = strings.Replace(none, frames[3], "", 1)
	if r := judge(t, auditor(t, archive.Policy{}), []byte(none)); r.Summary.ExitCode != 3 || r.Answers[0].Class != archive.ClassUnchecked {
		t.Errorf("no frame left: exit %d, class %s", r.Summary.ExitCode, r.Answers[0].Class)
	}
}

func TestContradictingProofs(t *testing.T) {
	frames, _ := secretFrames(8)
	whole := signedDocs(t, archive.ShapeBoth, frames...)
	other := signedDocs(t, archive.ShapeBoth, frames[:7]...)
	keep := archive.RetainOptions{Keep: refs("name-0003.", "name-0006.")}
	kept, foreign := string(mustRetain(t, whole, keep).Output), string(mustRetain(t, other, keep).Output)
	proofOf := func(s string, n int) string { return strings.SplitAfter(s, `"inclusion_proof":`)[n] }
	sibling := func(s string, n int) string { return strings.Split(s, `{"sibling":"sha256:`)[n+1][:64] }
	for _, row := range []struct{ name, text, detail string }{
		{"as made", kept, ""},
		{"another count", strings.Replace(kept, `"leaf_index":3,"leaf_count":8`, `"leaf_index":3,"leaf_count":7`, 1), "they state 7 and 8 leaves"},
		{"one index twice", strings.Replace(kept, proofOf(kept, 2)[:strings.Index(proofOf(kept, 2), "]}")],
			proofOf(kept, 1)[:strings.Index(proofOf(kept, 1), "]}")], 1), "they put different leaves at index 3"},
		{"another sibling", strings.Replace(kept, sibling(kept, 1), sibling(kept, 0), 1), "they put different hashes above leaves 0 to 3"},
		{"of another answer", strings.Replace(kept, proofOf(kept, 2)[:strings.Index(proofOf(kept, 2), "]}")],
			proofOf(foreign, 2)[:strings.Index(proofOf(foreign, 2), "]}")], 1), "they state 8 and 7 leaves"},
	} {
		t.Run(row.name, func(t *testing.T) {
			a := judge(t, auditor(t, archive.Policy{}), []byte(row.text)).Answers[0]
			var got []string
			for _, f := range a.Findings {
				if f.Code == archive.FindingContradictingProofs {
					got = append(got, f.Detail)
				}
			}
			switch {
			case row.detail == "" && (len(got) != 0 || a.Class != archive.ClassGood):
				t.Errorf("class %s, findings %q", a.Class, got)
			case row.detail != "" && (len(got) != 1 || !strings.HasSuffix(got[0], row.detail) || a.Class != archive.ClassNegative):
				t.Errorf("class %s, findings %q, want one that ends with %q", a.Class, got, row.detail)
			}
		})
	}
}

// A record's own keys come after those given and before those of the session.
func TestEvidenceKeys(t *testing.T) {
	opt := options(t, archive.ShapeRoot)
	opt.PublishKey = true
	signed := mustSign(t, ackOf("docs")+answerOf(frameOf("a", "x")), opt).Output
	kept := string(mustRetain(t, string(signed), archive.RetainOptions{Keep: refs("a"), Provider: commitment.Some("docs")}).Output)
	good := hex.EncodeToString([]byte(publicKey(signingKey(7)).Bytes))
	wrong := hex.EncodeToString([]byte(publicKey(signingKey(8)).Bytes))
	ack := func(key string) string {
		return `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"` + key + `"}]}`
	}
	swapped := strings.Replace(kept, good, wrong, 1)
	for _, row := range []struct {
		name, input, given string
		state              archive.State
		conflict           bool
	}{
		{"own", kept, "", archive.StateConstructed, false},
		{"own before session", ack(wrong) + kept, "", archive.StateConstructed, true},
		{"own is wrong", ack(good) + swapped, "", archive.StateInvalid, true},
		{"given before own", swapped, ack(good), archive.StateConstructed, true},
		{"given for every provider before own", swapped, `{"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"` + good + `"}]}`,
			archive.StateConstructed, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			v := &archive.Verifier{Keys: &archive.Keyring{}}
			if row.given != "" {
				if err := v.Keys.Publish([]byte(row.given), "keys"); err != nil {
					t.Fatal(err)
				}
			}
			a := judge(t, v, []byte(row.input)).Answers[0]
			if got := slices.Contains(findings(a), archive.FindingPublishedKeyConflict); a.Frames[0].State != row.state || got != row.conflict {
				t.Errorf("state %s, conflict %t, want %s, %t", a.Frames[0].State, got, row.state, row.conflict)
			}
		})
	}
	a := judge(t, auditor(t, archive.Policy{}), []byte(swapped)).Answers[0]
	if a.Class != archive.ClassGood || !slices.Contains(findings(a), archive.FindingPublishedKeyConflict) {
		t.Errorf("a trusted key: class %s, findings %v", a.Class, findings(a))
	}
	faulty := strings.Replace(kept, `"attester_keys":[`, `"attester_keys":[7,`, 1)
	if a := judge(t, auditor(t, archive.Policy{}), []byte(faulty)).Answers[0]; !slices.Contains(findings(a), archive.FindingMalformedPublishedKey) {
		t.Errorf("an ill-typed key: findings %v", findings(a))
	}
	// The record's received_at is the one that --received-at archive takes.
	v := &archive.Verifier{Keys: &archive.Keyring{}, Policy: archive.Policy{ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromArchive}}}
	if err := v.Keys.TrustKey("docs", configured("key-1", publicKey(signingKey(7)), windowOf(t, "", "2026-01-01T00:00:00Z")), "test"); err != nil {
		t.Fatal(err)
	}
	dated := strings.Replace(kept, `"provider_id":"docs"`, `"provider_id":"docs","received_at":"2025-12-31T00:00:00Z"`, 1)
	if r := judge(t, v, []byte(dated)); r.Summary.ExitCode != 0 {
		t.Errorf("in the window: exit %d", r.Summary.ExitCode)
	}
}

func TestMalformedEvidenceRecords(t *testing.T) {
	for _, row := range []struct {
		text string
		code archive.ErrorCode
	}{
		{`{"format":"cgp-evidence/1","result":{"frames":[]}}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/1","provider_id":7,"result":{"frames":[]}}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/1","provider_id":"docs"}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/1","provider_id":"docs","result":{}}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/1","provider_id":"docs","received_at":1,"result":{"frames":[]}}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/1","provider_id":"docs","local_id":[],"result":{"frames":[]}}`, archive.ErrorMalformedRecord},
		{`{"format":"cgp-evidence/2","provider_id":"docs","result":{"frames":[]}}`, archive.ErrorUnsupportedFormat},
	} {
		r := judge(t, &archive.Verifier{}, []byte(row.text))
		if len(r.Errors) != 1 || r.Errors[0].Code != row.code {
			t.Errorf("%s: errors %v, want one %s", row.text, r.Errors, row.code)
		}
	}
}

// TestRetainedEvidenceHolds: for random answers and subsets what is kept verifies, nothing of what was dropped is in it, and no
// change to what is covered comes out good.
func TestRetainedEvidenceHolds(t *testing.T) {
	ring := docsRing(t)
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "frames")
		frames, ids := secretFrames(n)
		keep := rapid.SliceOfNDistinct(rapid.SampledFrom(ids), 1, n, rapid.ID[string]).Draw(t, "keep")
		shape := rapid.SampledFrom(shapes).Draw(t, "shape")
		s := mustRetain(t, signedDocs(t, shape, rapid.Permutation(frames).Draw(t, "order")...), archive.RetainOptions{Keep: refs(keep...), Keys: ring})
		for i, id := range ids {
			if kept := slices.Contains(keep, id); bytes.Contains(s.Output, []byte(id)) != kept || bytes.Contains(s.Output, []byte(fmt.Sprintf("secret-%04d.", i))) != kept {
				t.Fatalf("frame %s, kept %t: %s", id, kept, s.Output)
			}
		}
		v := &archive.Verifier{Keys: ring}
		untouched := judge(t, v, s.Output)
		if r := untouched; r.Summary.ExitCode != 0 || r.Summary.Classes[archive.ClassGood] != uint64(len(keep)) {
			t.Fatalf("exit %d: %s", r.Summary.ExitCode, s.Output)
		}
		for range 5 {
			tree := parsed(t, s.Output)
			path := rapid.SampledFrom(bearing(tree)).Draw(t, "path")
			change := rapid.SampledFrom(changesOf(at(tree, path))).Draw(t, "change")
			checkChange(t, v, untouched, tree, path, change)
		}
	})
}

// TestEveryChangeToEvidenceShows makes every small change there is to subsets of one frame and of two.
func TestEveryChangeToEvidenceShows(t *testing.T) {
	frames, ids := secretFrames(5)
	frames[3] = `{"id":"name-0003.","content":"y","content_digest":"` + digestOf("y") + `","provenance":[{"type":"file","uri":"a","range":"L1-2",` +
		`"digest":"` + digestOf("z") + `"},{"type":"derivation","method":"m","by":null}]}`
	v := auditor(t, archive.Policy{})
	for _, shape := range shapes {
		for _, keep := range [][]string{ids[3:4], {ids[3], ids[0]}} {
			s := mustRetain(t, signedDocs(t, shape, frames...), archive.RetainOptions{Keep: refs(keep...)})
			untouched := judge(t, v, s.Output)
			changed := 0
			for _, path := range bearing(parsed(t, s.Output)) {
				for _, change := range changesOf(at(parsed(t, s.Output), path)) {
					checkChange(t, v, untouched, parsed(t, s.Output), path, change)
					changed++
				}
			}
			if changed < 100 {
				t.Errorf("%s: %d changes, want 100 at least", shape, changed)
			}
		}
	}
}

func parsed(t fataler, text []byte) (tree any) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

func bearing(tree any) []mutationPath {
	return slices.DeleteFunc(paths(tree, nil), func(p mutationPath) bool { return !bears(tree, p) })
}

// changesOf are other values for a place: of other types, and the ones next to it.
func changesOf(value any) []any {
	changes := []any{nil, "", json.Number("7"), true, []any{}, map[string]any{}}
	switch v := value.(type) {
	case string:
		for _, at := range []int{0, len(v) / 2, len(v) - 1} {
			other := "0"
			if v[at:at+1] == other {
				other = "1"
			}
			changes = append(changes, v[:at]+other+v[at+1:])
		}
		changes = append(changes, v+"0", v[1:])
	case json.Number:
		n, _ := v.Int64()
		changes = append(changes, json.Number(fmt.Sprint(n+1)), json.Number(fmt.Sprint(n-1)), json.Number(fmt.Sprint(n)+".0"))
	case bool:
		changes = append(changes, !v)
	}
	return slices.DeleteFunc(changes, func(c any) bool { return mustJSON(c) == mustJSON(value) })
}

// checkChange fails where a changed record comes out as the untouched one did. With two kinds of evidence on a frame one may be
// taken away: then less of it verifies. null for what is absent anyway is no change.
func checkChange(t fataler, v *archive.Verifier, untouched *archive.Report, tree any, path mutationPath, change any) {
	t.Helper()
	if last := path[len(path)-1]; last == "by" && change == nil {
		return
	}
	put(tree, path, change)
	edited := mustJSON(tree)
	r := judge(t, v, []byte(edited))
	if r.Summary.ExitCode == 0 && r.Summary.Findings[archive.SeverityWarning] == 0 &&
		r.Summary.Evidence[archive.StateAttested] >= untouched.Summary.Evidence[archive.StateAttested] {
		t.Fatalf("%v became %v: good\n%s", path, change, edited)
	}
}

func mustJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bears reports whether a place of a retained record bears on what is proven: it is covered, or part of the evidence. leaf_count
// alone is a claim, of which several may be right (TestRetainedEnvelope); the rest is what no signature covers.
func bears(tree any, p mutationPath) bool {
	switch p[len(p)-1] {
	case "leaf_count", "attester_id", "issued_at", "truncated":
		return false
	case "format", "provider_id", "result":
		return true
	}
	return len(p) > 1 && p[0] == "result"
}

// TestEvidenceOracle has an independent program verify what is written here.
func TestEvidenceOracle(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal(err)
		}
		t.Skip("python3 is not installed")
	}
	frames, ids := secretFrames(11)
	frames = append(frames, frameOf("\U0001d11e", "x"), frameOf("\uff5e", "y"), frameOf("twin", "1"), frameOf("twin", "1"))
	var input, want strings.Builder
	for _, shape := range shapes {
		for _, keep := range [][]string{{ids[0]}, {ids[10], ids[3]}, {"\U0001d11e", "twin"}, ids} {
			s := mustRetain(t, signedDocs(t, shape, frames...), archive.RetainOptions{Keep: refs(keep...)})
			input.Write(s.Output)
			var names []string
			for _, f := range s.Answer.Frames {
				names = append(names, f.FrameID)
			}
			fmt.Fprintf(&want, "proven %d\n", len(names))
			bad := bytes.Replace(s.Output, []byte(`"signature":"`), []byte(`"signature":"00`), 1)
			input.Write(slices.Delete(bad, bytes.Index(bad, []byte(`"signature":"00`))+15, bytes.Index(bad, []byte(`"signature":"00`))+17))
			fmt.Fprintln(&want, "false")
		}
	}
	cmd := exec.Command(python, "testdata/sign/evidence.py", hex.EncodeToString([]byte(publicKey(signingKey(7)).Bytes)))
	cmd.Stdin = strings.NewReader(input.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(out)) {
		list, proven := strings.CutPrefix(line, "proven ")
		if !proven {
			fmt.Fprintln(&got, "false")
			continue
		}
		var names []string
		if err := json.Unmarshal([]byte(list), &names); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "proven %d\n", len(names))
	}
	if got.String() != want.String() {
		t.Errorf("the oracle says\n%s\nwant\n%s\n%s", got.String(), want.String(), out)
	}
}
