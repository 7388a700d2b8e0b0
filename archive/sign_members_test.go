package archive_test

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// TestFillDigests: the digest goes behind the last member of its frame, or in the place of null; a digest that is there stays.
func TestFillDigests(t *testing.T) {
	digest := `"content_digest":"` + digestOf("é") + `"`
	for _, row := range [][2]string{
		{`{"id":"a","content":"\u00e9" }`, `{"id":"a","content":"\u00e9",D }`},
		{`{"content_digest" : null , "id":"a","content":"é"}`, `{"content_digest" : "` + digestOf("é") + `" , "id":"a","content":"é"}`},
		{`{"id":"a","content":"é",D}`, `{"id":"a","content":"é",D}`},
		{`{"id":"a","content":"é",` + compactMembers + "\r\n}", `{"id":"a","content":"é",` + compactMembers + ",D\r\n}"},
	} {
		opt := withProvider(options(t, archive.ShapeFrames), "docs")
		opt.FillDigests = true
		input := `{"frames":[` + strings.ReplaceAll(row[0], "D", digest) + `]}`
		want := `{"frames":[` + strings.ReplaceAll(row[1], "D", digest) + `],"frame_attestations":[{"frame":{"provider_id":"docs","frame_id":"a",` + digest + `},`
		if got := string(mustSign(t, input, opt).Output); !strings.HasPrefix(got, want) {
			t.Errorf("%s gives %s, want it to start with %s", input, got, want)
		}
	}
	opt := withProvider(options(t, archive.ShapeFrames), "docs")
	opt.FillDigests, opt.SkipUnsignable = true, true
	skipped := `{"frames":[{"id":"a","content":"x"},{"id":"b"}]}`
	if got := string(mustSign(t, skipped, opt).Output); got != skipped {
		t.Errorf("an answer that is left as it was got a digest: %s", got)
	}
}

// TestPublishKey: the key goes behind the last one of every handshake_ack of the provider, once.
func TestPublishKey(t *testing.T) {
	ours := fmt.Sprintf(`{"key_id":"key-1","algorithm":"ed25519","public_key":"%s"}`, hex.EncodeToString([]byte(publicKey(signingKey(7)).Bytes)))
	other := `{"key_id":"other","algorithm":"ed448","public_key":"00"}`
	answer := answerOf(frameOf("a", "x"))
	for _, row := range [][2]string{
		{`{"type":"handshake_ack","provider":{"name":"docs"} }`, `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[K] }`},
		{`{"attester_keys" : null ,"type":"handshake_ack","provider":{"name":"docs"}}`, `{"attester_keys" : [K] ,"type":"handshake_ack","provider":{"name":"docs"}}`},
		{`{"attester_keys":[ ],"type":"handshake_ack","provider":{"name":"docs"}}`, `{"attester_keys":[K ],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{`{"attester_keys":[ O , {} ],"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"attester_keys":[ O , {},K ],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{`{"attester_keys":[K,O],"type":"handshake_ack","provider":{"name":"docs"}}`, `{"attester_keys":[K,O],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{`{"format":"cgp-archive/1","envelope":{"type":"handshake_ack","provider":{"name":"docs"}},"local_id":"d"}`,
			`{"format":"cgp-archive/1","envelope":{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[K]},"local_id":"d"}`},
	} {
		expand := strings.NewReplacer("K", ours, "O", other)
		opt := options(t, archive.ShapeRoot)
		opt.PublishKey = true
		session := func(ack string) string { return expand.Replace(ack) + "\n" + answer[:len(answer)-1] }
		out := string(mustSign(t, session(row[0])+"}\n"+expand.Replace(row[0]), opt).Output)
		if want := expand.Replace(row[1]); !strings.HasPrefix(out, want+"\n") || !strings.HasSuffix(out, "\n"+want) {
			t.Errorf("%s gives %s, want %s at both ends", row[0], out, want)
		}
		r := verify(t, &archive.Verifier{Policy: archive.Policy{Require: archive.RequireConstructed}}, []byte(out))
		if r.Answers[0].Class != archive.ClassGood {
			t.Errorf("%s: under the published key the answer is %s", row[0], r.Answers[0].Class)
		}
	}
}

// TestPublishKeyWithoutSignature: where every answer is skipped, no key is published for it.
func TestPublishKeyWithoutSignature(t *testing.T) {
	opt := options(t, archive.ShapeRoot)
	opt.PublishKey, opt.SkipUnsignable = true, true
	input := ackOf("docs") + answerOf(`{"id":"b"}`)
	if out := string(mustSign(t, input, opt).Output); out != input {
		t.Errorf("the output is %s, want the input", out)
	}
}

// TestSignOneOfSeveralProviders: with two declared providers the answers of the named one are signed; whose an answer is says the
// newest handshake_ack in front of it, and nothing that stands in its entries.
func TestSignOneOfSeveralProviders(t *testing.T) {
	docs, code := ackOf("docs"), ackOf("code")
	answer := answerOf(frameOf("a", "x"))
	claims := strings.Replace(answer, `"truncated"`, `"frame_attestations":[{"frame":{"provider_id":"docs","frame_id":"a","content_digest":"`+
		digestOf("x")+`"}}],"truncated"`, 1)
	input := strings.Join([]string{answer, docs, answer, code, claims, docs, answer}, "\n")
	opt := withProvider(options(t, archive.ShapeBoth), "docs")
	opt.PublishKey = true
	r := mustSign(t, input, opt)
	lines := strings.Split(string(r.Output), "\n")
	if r.Signed != 2 || r.Copied != 2 || r.Provider != "docs" {
		t.Errorf("signed %d, copied %d as %q, want 2 and 2 as docs", r.Signed, r.Copied, r.Provider)
	}
	for i, want := range []bool{false, true, true, false, false, true, true} {
		if changed := lines[i] != strings.Split(input, "\n")[i]; changed != want {
			t.Errorf("record %d: changed %t, want %t", i+1, changed, want)
		}
	}
}

// TestSignUnderAnotherName: an input that declares one provider can be signed under another name, and the result says so: whoever
// verifies it has to be told.
func TestSignUnderAnotherName(t *testing.T) {
	input := ackOf("docs") + answerOf(frameOf("a", "x")) + answerOf()
	r := mustSign(t, input, withProvider(options(t, archive.ShapeRoot), "Docs"))
	if r.Signed != 2 || r.Undeclared != 2 {
		t.Errorf("signed %d, undeclared %d, want 2 and 2", r.Signed, r.Undeclared)
	}
	same := mustSign(t, input, withProvider(options(t, archive.ShapeRoot), "docs"))
	if same.Undeclared != 0 {
		t.Errorf("undeclared %d, want 0", same.Undeclared)
	}
	if plain := mustSign(t, input, options(t, archive.ShapeRoot)); string(plain.Output) != string(same.Output) {
		t.Error("naming the provider that is declared makes a difference")
	}
	before := answerOf(frameOf("a", "x")) + input
	if r := mustSign(t, before, withProvider(options(t, archive.ShapeRoot), "docs")); r.Signed != 3 || r.Undeclared != 0 {
		t.Errorf("signed %d, undeclared %d, want 3 and 0", r.Signed, r.Undeclared)
	}
}

// TestSignKeepsIdentitiesApart: frames that share an id or a digest and not both are no twins.
func TestSignKeepsIdentitiesApart(t *testing.T) {
	r := mustSign(t, ackOf("docs")+answerOf(frameOf("a", "x"), frameOf("a", "y"), frameOf("b", "x")), options(t, archive.ShapeBoth))
	entries, _ := evidenceOf(t, r.Output[len(ackOf("docs")):])
	if n := strings.Count(entries, `{"frame":`); n != 3 {
		t.Errorf("%d entries, want 3: %s", n, entries)
	}
}

// TestSignShowsSignersWhatTheySign: a signer is told what a commitment stands for.
func TestSignShowsSignersWhatTheySign(t *testing.T) {
	recorder := &recordingSigner{PrivateKey: signingKey(7)}
	opt := withProvider(options(t, archive.ShapeBoth), "docs")
	opt.Key = recorder
	mustSign(t, `{"frames":[`+frameOf("b", "x")+","+frameOf("a", "y")+`]}`, opt)
	if len(recorder.asked) != 3 {
		t.Fatalf("asked for %d signatures, want 3", len(recorder.asked))
	}
	for i, want := range []*commitment.FrameID{
		nil,
		{ProviderID: "docs", FrameID: "b", ContentDigest: commitment.Some(digestOf("x"))},
		{ProviderID: "docs", FrameID: "a", ContentDigest: commitment.Some(digestOf("y"))},
	} {
		req := recorder.asked[i]
		if (req.Frame == nil) != (want == nil) || want != nil && *req.Frame != *want || req.Provider != "docs" || (req.Preimage == nil) != (want == nil) {
			t.Errorf("request %d is for %v with %d bytes of preimage, want %v", i, req.Frame, len(req.Preimage), want)
		}
	}
}
