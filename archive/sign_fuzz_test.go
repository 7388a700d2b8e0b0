package archive_test

import (
	"bytes"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// FuzzSign signs whatever can be signed in any input: the output is signed already, and signing it again in its place changes
// nothing.
func FuzzSign(f *testing.F) {
	seeds := [][]byte{
		readFile(f, "testdata/sign/session.ndjson"),
		[]byte(spaced),
		[]byte(`[` + ackOf("p") + `,` + answerOf(frameOf("a", "x"), `{"id":"b","content":"","content_digest":null}`) + `]`),
		[]byte(`{"frame_attestations":[ ],"frames":[{"content":"x","id":"\u0000"}],"result_attestation":{}}`),
		[]byte(`{"format":"cgp-archive/1","envelope":` + answerOf(frameWith(compactMembers)) + `}`),
		[]byte(`{"result_attestation":[],"frames":[]}`),
	}
	for _, seed := range seeds {
		for k := range byte(32) {
			f.Add(seed, k)
		}
	}
	f.Fuzz(func(t *testing.T, input []byte, how byte) {
		opt := withProvider(options(t, shapes[how%3]), "p")
		opt.NoProofs, opt.Replace, opt.PublishKey = how&4 != 0, true, how&8 != 0
		opt.FillDigests, opt.SkipUnsignable, opt.AllowOpaqueDigest = true, true, true
		if how&16 != 0 {
			opt.Provider = commitment.Optional{}
		}
		before := bytes.Clone(input)
		first, err := archive.Sign(input, opt)
		if !bytes.Equal(input, before) {
			t.Fatal("Sign changed its input")
		}
		if err != nil {
			return
		}
		again, err := archive.Sign(first.Output, opt)
		if err != nil {
			t.Fatalf("what Sign wrote it cannot sign: %v\n%q", err, first.Output)
		}
		if !bytes.Equal(again.Output, first.Output) || again.Signed != first.Signed {
			t.Fatalf("signed %d\n%q, again %d\n%q", first.Signed, first.Output, again.Signed, again.Output)
		}
	})
}
