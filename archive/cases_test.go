package archive_test

import (
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// ackWithKey is a handshake_ack that publishes a key under key-1.
func ackWithKey(provider string, key ed25519.PrivateKey) string {
	return fmt.Sprintf(`{"type":"handshake_ack","provider":{"name":%q},"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"%s"}]}`,
		provider, hex.EncodeToString(key.Public().(ed25519.PublicKey)))
}

// signedAnswers signs answers of a provider and returns each of them, without the handshake.
func signedAnswers(t *testing.T, provider string, key ed25519.PrivateKey, shape archive.Shape, answers ...string) []string {
	t.Helper()
	opt := options(t, shape)
	opt.Key = key
	signed := string(mustSign(t, strings.Join(append([]string{ackOf(provider)}, answers...), "\n"), opt).Output)
	return strings.Split(signed, "\n")[1:]
}

// What an auditor meets: each row is an input made by somebody who could rewrite the file, or by an honest provider whose
// answers look odd, with what must come of it. The key of the seed 32×07 is trusted as key-1 of docs.
func TestCases(t *testing.T) {
	honest, forger := signingKey(7), signingKey(9)
	frames := numberedFrames(3)
	ack := ackWithKey("docs", honest)
	signed := signedAnswers(t, "docs", honest, archive.ShapeBoth, answerOf(frames...), answerOf(frames[0]))
	roots := signedAnswers(t, "docs", honest, archive.ShapeRoot, answerOf(frames...), answerOf(frames[:2]...))
	forged := signedAnswers(t, "docs", forger, archive.ShapeBoth, answerOf(frameOf("f1", "forged")))[0]
	empty := signedAnswers(t, "docs", honest, archive.ShapeRoot, answerOf())[0]
	_, otherRoot := evidenceOf(t, []byte(roots[1]))
	entries, ownRoot := evidenceOf(t, []byte(roots[0]))
	bare := signedAnswers(t, "docs", honest, archive.ShapeFrames, answerOf(frames[0]))[0]
	entry := evidenceEntry(t, []byte(bare))
	web := signedAnswers(t, "web", honest, archive.ShapeBoth, answerOf(frames...))[0]
	reference := `{"id":"r","representation":"reference","content_ref":{"provider_id":"docs","uri":"x"},"canonical_content_hash":"sha256:00"}`
	compact := `{"id":"c","content":"short","content_digest":"` + digestOf("short") +
		`","representation":"compact","content_ref":{"provider_id":"docs","uri":"x"},"canonical_content_hash":"sha256:00","transform":{"method":"m","implementation":"i","version":"1"}}`
	upper := strings.Replace(frames[0], digestOf("content of 0"), strings.ToUpper(digestOf("content of 0")), 1)
	twin := frameOf("a", "x")

	for _, tc := range []struct {
		name, input string
		untrusted   bool // no key is given
		frames      []string
		exit        int
		states      []archive.State
		findings    []archive.FindingCode // each at least once
	}{
		{name: "all rewritten by a forger, no key given", input: ackWithKey("docs", forger) + forged, untrusted: true,
			exit: 3, states: []archive.State{archive.StateConstructed}},
		{name: "all rewritten by a forger, the real key trusted", input: ackWithKey("docs", forger) + forged,
			exit: 1, states: []archive.State{archive.StateInvalid},
			findings: []archive.FindingCode{archive.FindingInvalidEvidence, archive.FindingPublishedKeyConflict}},
		{name: "evidence stripped from one of two answers", input: ack + answerOf(frames...) + signed[1], exit: 3,
			states:   []archive.State{archive.StateUnattested, archive.StateUnattested, archive.StateUnattested, archive.StateAttested},
			findings: []archive.FindingCode{archive.FindingStrippedEvidence}},
		{name: "all frames removed", input: ack + `{"type":"frames","result":{"frames":[],"result_attestation":` + ownRoot + `}}`,
			exit: 1, findings: []archive.FindingCode{archive.FindingRootMismatch}},
		{name: "an honest empty answer alone", input: ack + empty, exit: 3},
		{name: "content removed from a frame with a digest", exit: 3,
			input:    ack + strings.Replace(signed[1], `"content":"content of 0",`, ``, 1),
			states:   []archive.State{archive.StateAttested},
			findings: []archive.FindingCode{archive.FindingUncomparedContent}},
		{name: "reference and compact frames, unsigned", input: ack + answerOf(reference, compact), exit: 3,
			states: []archive.State{archive.StateUnattested, archive.StateUnattested}},
		{name: "provider_id rewritten in all entries", exit: 0,
			input:    ack + strings.ReplaceAll(roots[0], `"provider_id":"docs"`, `"provider_id":"web"`),
			states:   slices.Repeat([]archive.State{archive.StateAttested}, 3),
			findings: []archive.FindingCode{archive.FindingOrphanEntry, archive.FindingProviderMismatch}},
		{name: "a root signature moved from another answer", exit: 1,
			input:    ack + strings.Replace(roots[0], ownRoot, otherRoot, 1),
			states:   slices.Repeat([]archive.State{archive.StateInvalid}, 3),
			findings: []archive.FindingCode{archive.FindingRootMismatch, archive.FindingInvalidEvidence}},
		{name: "trusted as docs, signs as web", input: ackOf("web") + web, exit: 3,
			states: slices.Repeat([]archive.State{archive.StateNoTrustedKey}, 3)},
		{name: "an orphan entry in front of a good one", exit: 0,
			input:    ack + strings.Replace(bare, entry, strings.Replace(entry, `"frame_id":"f3"`, `"frame_id":"gone"`, 1)+","+entry, 1),
			states:   []archive.State{archive.StateAttested},
			findings: []archive.FindingCode{archive.FindingOrphanEntry}},
		{name: "two identical frames", exit: 0,
			input:  ack + signedAnswers(t, "docs", honest, archive.ShapeBoth, answerOf(twin, twin))[0],
			states: []archive.State{archive.StateAttested, archive.StateAttested}},
		{name: "two frames of one triple with different provenance", exit: 3,
			input:    ack + answerOf(twin, strings.Replace(twin, `{`, `{"provenance":[{"type":"t"}],`, 1)),
			states:   []archive.State{archive.StateUnattested, archive.StateUnattested},
			findings: []archive.FindingCode{archive.FindingAmbiguousOrder}},
		{name: "uppercase content_digest", input: ack + answerOf(upper), exit: 3,
			states: []archive.State{archive.StateUnattested}, findings: []archive.FindingCode{archive.FindingOpaqueDigest}},
		{name: "one published key_id with two keys, the latest counts", untrusted: true, exit: 3,
			input:  ackWithKey("docs", forger) + ackWithKey("docs", honest) + signed[1],
			states: []archive.State{archive.StateConstructed}, findings: []archive.FindingCode{archive.FindingPublishedKeyConflict}},
		{name: "one published key_id with two keys, the other way round", untrusted: true, exit: 1,
			input:  ackWithKey("docs", honest) + ackWithKey("docs", forger) + signed[1],
			states: []archive.State{archive.StateInvalid}, findings: []archive.FindingCode{archive.FindingPublishedKeyConflict}},
		{name: "a frame is selected that is not there", input: ack + signed[0], frames: []string{"nobody"}, exit: 3},
		{name: "a good frame is selected beside a tampered one", frames: []string{"f1"}, exit: 0,
			input:  ack + strings.Replace(bareSigned(t, frames), "content of 0", "content of X", 1),
			states: []archive.State{archive.StateAttested}},
		{name: "only a shutdown", input: `{"type":"shutdown"}`, exit: 3},
		{name: "a 129-deep unknown member", exit: 4,
			input: ack + strings.Replace(signed[1], `"id":"q"`, `"id":"q","x":`+strings.Repeat("[", 128)+strings.Repeat("]", 128), 1)},
		{name: "members in another order", exit: 0,
			input: ack + `{"result":{"result_attestation":` + ownRoot + `,"frame_attestations":` + entries + `,"frames":[` +
				strings.Join(frames, ",") + `]},"type":"frames"}`,
			states: slices.Repeat([]archive.State{archive.StateAttested}, 3)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			v := &archive.Verifier{Keys: &archive.Keyring{}, Policy: archive.Policy{Frames: tc.frames}}
			if !tc.untrusted {
				key := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(honest.Public().(ed25519.PublicKey))}
				if err := v.Keys.Trust("docs", "key-1", key, "test"); err != nil {
					t.Fatal(err)
				}
			}
			r := verify(t, v, []byte(tc.input))
			var states []archive.State
			found := make(map[archive.FindingCode]bool)
			for _, a := range r.Answers {
				for _, f := range a.Frames {
					states = append(states, f.State)
				}
				for _, f := range a.Findings {
					found[f.Code] = true
				}
			}
			if !slices.Equal(states, tc.states) {
				t.Errorf("states %v, want %v", states, tc.states)
			}
			for _, code := range tc.findings {
				if !found[code] {
					t.Errorf("no finding %s among %v", code, found)
				}
			}
			if r.Summary.ExitCode != tc.exit {
				t.Errorf("exit code %d (%s), want %d", r.Summary.ExitCode, r.Summary.ExitReason, tc.exit)
			}
		})
	}
}

// bareSigned is an answer whose frames are signed one by one.
func bareSigned(t *testing.T, frames []string) string {
	t.Helper()
	return signedAnswers(t, "docs", signingKey(7), archive.ShapeFrames, answerOf(frames...))[0]
}
