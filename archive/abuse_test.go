package archive_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A provider may call itself what stands for every provider. Its published keys are its own all the same.
func TestProviderNamedLikeEveryone(t *testing.T) {
	forger := signingKey(9)
	opt := options(t, archive.ShapeBoth)
	opt.Key = forger
	forged := mustSign(t, ackOf("docs")+"\n"+answerOf(numberedFrames(2)...)+"\n", opt).Output
	keys := &archive.Keyring{}
	published := fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":%q},"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"%s"}]}`,
		archive.AnyProvider, hex.EncodeToString(forger.Public().(ed25519.PublicKey)))
	if err := keys.Publish([]byte(published), "star.json"); err != nil {
		t.Fatal(err)
	}
	r := verify(t, &archive.Verifier{Keys: keys}, forged)
	if s := r.Summary; s.States[archive.StateNoTrustedKey] != 2 || s.ExitCode != archive.ExitUnchecked {
		t.Errorf("states %v, exit code %d, want 2 no_trusted_key, 3", s.States, s.ExitCode)
	}
}

// Evidence stripped from an answer shows whatever comes first: the stripped answer, the keys, or a signed answer.
func TestStrippedEvidenceInEveryOrder(t *testing.T) {
	ack := ackOf("docs")
	withKeys := `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"` +
		hex.EncodeToString(signingKey(7).Public().(ed25519.PublicKey)) + `"}]}`
	bare := answerOf(numberedFrames(1)...)
	signed := strings.TrimSpace(strings.TrimPrefix(
		string(mustSign(t, ack+"\n"+answerOf(numberedFrames(2)...), options(t, archive.ShapeRoot)).Output), ack))
	for _, tc := range []struct {
		name    string
		records []string
		want    bool
	}{
		{"bare alone", []string{ack, bare}, false},
		{"bare, signed", []string{ack, bare, signed}, true},
		{"signed, bare", []string{ack, signed, bare}, true},
		{"keys, bare", []string{withKeys, bare}, true},
		{"bare, keys", []string{ack, bare, withKeys}, true},
		{"bare, keys, signed", []string{ack, bare, withKeys, signed}, true},
	} {
		r := verify(t, &archive.Verifier{}, []byte(strings.Join(tc.records, "\n")))
		got := false
		for _, a := range r.Answers {
			for _, f := range a.Findings {
				got = got || f.Code == archive.FindingStrippedEvidence && len(a.Frames) == 1
			}
		}
		if got != tc.want {
			t.Errorf("%s: stripped_evidence on the bare answer: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// More bare answers than are held back: the finding stands on the signed answer and counts them.
func TestStrippedEvidencePastTheBound(t *testing.T) {
	const bare = 1500
	ack := ackOf("docs")
	signed := strings.TrimPrefix(string(mustSign(t, ack+answerOf(numberedFrames(2)...), options(t, archive.ShapeRoot)).Output), ack)
	r := verify(t, &archive.Verifier{}, []byte(ack+strings.Repeat(answerOf(numberedFrames(1)...), bare)+signed))
	if len(r.Answers) != bare+1 {
		t.Fatalf("%d answers, want %d", len(r.Answers), bare+1)
	}
	marked := 0
	for _, a := range r.Answers[:bare] {
		if len(a.Findings) > 0 {
			marked++
		}
	}
	last := r.Answers[bare].Findings
	if marked != 1024 || len(last) != 1 || !strings.HasPrefix(last[0].Detail, fmt.Sprint(bare-marked, " earlier answers")) {
		t.Errorf("%d of %d marked, findings of the signed answer %v, want 1024 marked and the rest counted", marked, bare, last)
	}
}

// More bare answers than are held back in front of keys, and no signed answer: a finding about the input counts those that are not
// marked.
func TestStrippedEvidenceInFrontOfKeys(t *testing.T) {
	for _, tc := range []struct{ answers, marked, inputs int }{{1_024, 1_024, 0}, {1_025, 1_024, 1}, {3_000, 1_024, 1}} {
		input := ackOf("docs") + "\n" + strings.Repeat(answerOf(numberedFrames(1)...)+"\n", tc.answers) + ackWithKey("docs", signingKey(7))
		s := verifyJobs(t, archive.Verifier{}, 2, input).Summary
		if len(s.Inputs) != tc.inputs || s.Findings[archive.SeverityWarning] != uint64(tc.marked+tc.inputs) {
			t.Errorf("%d answers: %d warnings, findings about the input %v, want %d marked and %d", tc.answers, s.Findings[archive.SeverityWarning],
				s.Inputs, tc.marked, tc.inputs)
			continue
		}
		if tc.inputs > 0 && !strings.HasPrefix(s.Inputs[0].Detail, fmt.Sprintf("%d answer", tc.answers-tc.marked)) {
			t.Errorf("%d answers: %s, want the %d that are not marked counted", tc.answers, s.Inputs[0].Detail, tc.answers-tc.marked)
		}
	}
}

// Frames of one identity and entries that name it, all of them different: each entry finds its own frame, in any order, and
// what is made to be slow is not.
func TestManyFramesOfOneIdentity(t *testing.T) {
	const n = 500
	frames := make([]string, n)
	leaves := make([]commitment.Digest, n)
	for i := range frames {
		frames[i] = fmt.Sprintf(`{"id":"a","content":"x","content_digest":"%s","provenance":[{"type":"step-%d"}]}`, digestOf("x"), i)
		f := commitment.Frame{
			ID: "a", ContentDigest: commitment.Some(digestOf("x")), Provenance: []commitment.Link{{Type: fmt.Sprintf("step-%d", i)}},
		}
		c, err := commitment.Of("docs", &f)
		if err != nil {
			t.Fatal(err)
		}
		leaves[i] = c
	}
	tree := merkle.NewTree(leaves)
	signer, err := sign.NewSigner(signingKey(7), "key-1", "docs", instant(t, "2026-08-29T12:00:00Z"))
	if err != nil {
		t.Fatal(err)
	}
	att, err := signer.Attest(sign.Request{Commitment: tree.Root(), Provider: "docs"})
	if err != nil {
		t.Fatal(err)
	}
	entries := make([]string, n)
	for i, p := range tree.ProveAll() {
		var path []string
		for _, s := range p.Path {
			path = append(path, fmt.Sprintf(`{"sibling":"%s","sibling_is_left":%v}`, s.Sibling, s.SiblingIsLeft))
		}
		entries[n-1-i] = fmt.Sprintf(`{"frame":{"provider_id":"docs","frame_id":"a","content_digest":"%s"},"inclusion_proof":{"leaf_index":%d,"leaf_count":%d,"path":[%s]}}`,
			digestOf("x"), p.LeafIndex, p.LeafCount, strings.Join(path, ","))
	}
	input := fmt.Sprintf(`{"frames":[%s],"frame_attestations":[%s],"result_attestation":{"signed_commitment":"%s","key_id":"key-1","algorithm":"ed25519","attester_id":"docs","signature":"%s","issued_at":"%s"}}`,
		strings.Join(frames, ","), strings.Join(entries, ","), tree.Root(), att.Signature, att.IssuedAt)
	keys := &archive.Keyring{}
	if err := keys.Trust("docs", "key-1", publicKey(signingKey(7)), "test"); err != nil {
		t.Fatal(err)
	}
	r := verify(t, &archive.Verifier{Keys: keys}, []byte(input))
	if s := r.Summary; s.Classes[archive.ClassGood] != n || s.Evidence[archive.StateAttested] != 2*n || s.ExitCode != archive.ExitGood {
		t.Errorf("classes %v, evidence %v, exit code %d, want %d good, %d attested, 0", s.Classes, s.Evidence, s.ExitCode, n, 2*n)
	}

	// Twins and as many entries, all alike but one whose signature is bad: the pairs stay few, and the bad one is told of.
	twins := 8000
	if testing.Short() {
		twins = 500
	}
	twin := frameOf("a", "x")
	good := evidenceEntry(t, mustSign(t, ackOf("docs")+answerOf(twin), options(t, archive.ShapeFrames)).Output)
	at := strings.Index(good, `"signature":"`) + len(`"signature":"`)
	bad := good[:at] + flip(good[at:at+1]) + good[at+1:]
	all := append(slices.Repeat([]string{good}, twins-1), bad)
	r = verify(t, &archive.Verifier{Keys: keys}, []byte(fmt.Sprintf(`{"frames":[%s],"frame_attestations":[%s]}`,
		strings.Join(slices.Repeat([]string{twin}, twins), ","), strings.Join(all, ","))))
	if s := r.Summary; s.States[archive.StateAttested] != uint64(twins-1) || s.States[archive.StateInvalid] != 1 || s.ExitCode != archive.ExitNegative {
		t.Errorf("states %v, exit code %d, want %d attested, 1 invalid, 1", s.States, s.ExitCode, twins-1)
	}
}

// evidenceEntry returns the one entry of a signed answer.
func evidenceEntry(t *testing.T, signed []byte) string {
	t.Helper()
	entries, _ := evidenceOf(t, signed[strings.Index(string(signed), `{"type":"frames"`):])
	return strings.TrimSuffix(strings.TrimPrefix(entries, "["), "]")
}

func flip(digit string) string {
	if digit == "0" {
		return "1"
	}
	return "0"
}

// A frame that is carried once takes every entry that names it: the good one counts, and a bad one beside it is told of.
func TestSecondEntryIsWeighed(t *testing.T) {
	signed := string(mustSign(t, ackOf("docs")+answerOf(frameOf("a", "x")), options(t, archive.ShapeFrames)).Output)
	good := evidenceEntry(t, []byte(signed))
	other := strings.Replace(good, `"signed_commitment":"sha256:`, `"signed_commitment":"sha256:00`, 1)
	other = strings.Replace(other, other[strings.Index(other, "sha256:00")+9:][:64], other[strings.Index(other, "sha256:00")+9:][:62], 1)
	keys := &archive.Keyring{}
	if err := keys.Trust("docs", "key-1", publicKey(signingKey(7)), "test"); err != nil {
		t.Fatal(err)
	}
	for _, entries := range []string{good + "," + other, other + "," + good} {
		r := verify(t, &archive.Verifier{Keys: keys}, []byte(strings.Replace(signed, good, entries, 1)))
		a := r.Answers[0]
		if a.Frames[0].State != archive.StateAttested || len(a.Frames[0].Evidence) != 2 || r.Summary.ExitCode != archive.ExitNegative {
			t.Errorf("%s, %d pieces of evidence, exit code %d, want attested, 2, 1", a.Frames[0].State, len(a.Frames[0].Evidence), r.Summary.ExitCode)
		}
		codes := []archive.FindingCode{a.Findings[0].Code, a.Findings[1].Code}
		if !slices.Equal(codes, []archive.FindingCode{archive.FindingDuplicateEntry, archive.FindingInvalidEvidence}) {
			t.Errorf("findings %v, want duplicate_entry, invalid_evidence", codes)
		}
	}
}
