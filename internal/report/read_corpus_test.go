package report_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// What a run writes of an archive with every fault in it is read back, whole and of selected frames.
func TestReadBackCorpus(t *testing.T) {
	var trusted struct {
		Providers map[string][]struct {
			KeyID     string `json:"key_id"`
			PublicKey string `json:"public_key"`
		}
	}
	if err := json.Unmarshal(corpus.Trust(), &trusted); err != nil || len(trusted.Providers) == 0 {
		t.Fatal(trusted, err)
	}
	var text bytes.Buffer
	if _, err := corpus.Write(&text, corpus.Spec{Seed: 5, Bytes: 600 << 10, Every: 1, Limits: corpus.Limits{Record: 1 << 20, Members: 300, Frames: 200, Links: 40}}); err != nil {
		t.Fatal(err)
	}
	policy := archive.Policy{LocalIDFromArchive: true, ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromArchive}}
	waived, some := policy, policy
	waived.Require, waived.AllowIdentityOnly, waived.AllowOpaqueDigest = archive.RequireConstructed, true, true
	retained := policy
	retained.Retained = true
	judge := func(p archive.Policy) *run {
		v := &archive.Verifier{Keys: &archive.Keyring{}, Policy: p, Limits: archive.Limits{Record: 1 << 20, Members: 300, Frames: 200, Links: 40}}
		for localID, list := range trusted.Providers {
			for _, k := range list {
				raw, err := hex.DecodeString(k.PublicKey)
				if err := errors.Join(err, v.Keys.Trust(localID, k.KeyID, sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(raw)}, "keys")); err != nil {
					t.Fatal(err)
				}
			}
		}
		source := archive.Source{Name: "in", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text.Bytes())), nil }}
		var parts archive.Report
		summary, err := v.Verify(context.Background(), slices.Values([]archive.Source{source}), &parts)
		if err != nil {
			t.Fatal(err)
		}
		return &run{header: v.Header(), answers: parts.Answers, errors: parts.Errors, summary: summary}
	}
	for _, a := range judge(policy).answers {
		if len(a.Frames) > 1 {
			some.Frames = append(some.Frames, a.Frames[1].FrameID)
		}
	}
	for name, p := range map[string]archive.Policy{"plain": policy, "waived": waived, "retained": retained, "selected": some} {
		t.Run(name, func(t *testing.T) {
			r := judge(p)
			checkRoundTrip(t, r)
			if r.summary.Answers == 0 || r.summary.ExitCode != archive.ExitNegative {
				t.Errorf("%+v", r.summary)
			}
			if got := convert(t, r.json(t), report.FormatText); len(got) == 0 {
				t.Error("the text is empty")
			}
		})
	}
}
