package archive_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A frame with a digest that fits, and with more members.
func frameWith(more string) string {
	return fmt.Sprintf(`{"id":"b","content":"x","content_digest":%q,%s}`, digestOf("x"), more)
}

const compactMembers = `"representation":"compact","canonical_content_hash":"h","transform":{},"content_ref":{}`

// without takes a member out of a list of members.
func without(t *testing.T, members, name string) string {
	t.Helper()
	var kept []string
	for _, m := range strings.Split(members, ",") {
		if !strings.HasPrefix(m, `"`+name+`":`) {
			kept = append(kept, m)
		}
	}
	if n := strings.Count(members, ","); len(kept) != n {
		t.Fatalf("no member %s in %s", name, members)
	}
	return strings.Join(kept, ",")
}

type refusalRow struct {
	name     string
	input    string
	change   func(*archive.SignOptions)
	rule     archive.Rule
	record   uint64 // 0: the whole input, and no flag skips it
	position int    // -1: no frame
	detail   string // part of the text
}

func refusalRows(t *testing.T) []refusalRow {
	good := frameOf("a", "x")
	opaque := `{"id":"b","content":"x","content_digest":"sha256:9F"}`
	frames := func(o *archive.SignOptions) { o.Shape = archive.ShapeFrames }
	publish := func(o *archive.SignOptions) { o.PublishKey = true }
	ackWith := func(keys string) string {
		return `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":` + keys + `}`
	}
	ours := hex.EncodeToString([]byte(publicKey(signingKey(7)).Bytes))
	// A docs session whose second record is the answer.
	in := func(frames ...string) string { return ackOf("docs") + "\n" + answerOf(frames...) }
	rows := []refusalRow{
		{"no digest", in(good, `{"id":"b","content":"x"}`), nil, archive.RuleMissingDigest, 2, 1, "no content_digest"},
		{"null digest", in(good, `{"id":"b","content":"x","content_digest":null}`), nil, archive.RuleMissingDigest, 2, 1, "F14"},
		{"nothing to digest", in(good, `{"id":"b"}`), func(o *archive.SignOptions) { o.FillDigests = true }, archive.RuleMissingDigest, 2, 1, ""},
		{"other content", in(good, strings.Replace(frameOf("b", "x"), `"x"`, `"y"`, 1)), nil, archive.RuleContentMismatch, 2, 1, digestOf("y")},
		{"filling mends no digest", in(strings.Replace(frameOf("b", "x"), `"x"`, `"y"`, 1)),
			func(o *archive.SignOptions) { o.FillDigests = true }, archive.RuleContentMismatch, 2, 0, digestOf("x")},
		{"opaque digest", in(good, opaque), nil, archive.RuleOpaqueDigest, 2, 1, `"sha256:9F"`},
		{"uppercase digest", in(`{"id":"b","content":"x","content_digest":"sha256:` + strings.ToUpper(digestOf("x")[7:]) + `"}`), nil,
			archive.RuleOpaqueDigest, 2, 0, "lowercase"},
		{"no id", in(good, `{"content":"x"}`), nil, archive.RuleMalformedFrame, 2, 1, "id is missing"},
		{"empty digest", in(`{"id":"b","content":"x","content_digest":""}`), nil, archive.RuleOpaqueDigest, 2, 0, `""`},
		{"allowing opaque digests allows no other content", in(strings.Replace(frameOf("b", "x"), `"x"`, `"y"`, 1)),
			func(o *archive.SignOptions) { o.AllowOpaqueDigest = true }, archive.RuleContentMismatch, 2, 0, ""},
		{"reference", in(good, `{"id":"b","representation":"reference","content_ref":{},"canonical_content_hash":"h"}`), nil,
			archive.RuleReferenceFrame, 2, 1, "F14, P3"},
		{"reference with a digest", in(frameWith(`"representation":"reference"`)), nil, archive.RuleReferenceFrame, 2, 0, ""},
		{"reference filled", in(`{"id":"b","content":"x","representation":"reference"}`),
			func(o *archive.SignOptions) { o.FillDigests = true }, archive.RuleReferenceFrame, 2, 0, ""},
		{"full without content", in(`{"id":"b","content_digest":"` + digestOf("x") + `"}`), nil, archive.RuleFullFrame, 2, 0, "without content"},
		{"full without content, opaque", in(`{"id":"b","content_digest":"d"}`),
			func(o *archive.SignOptions) { o.AllowOpaqueDigest = true }, archive.RuleFullFrame, 2, 0, "without content"},
		{"full by name", in(frameWith(`"representation":"full","transform":{}`)), nil, archive.RuleFullFrame, 2, 0, "with transform"},
		{"full with content_ref", in(frameWith(`"content_ref":{}`)), nil, archive.RuleFullFrame, 2, 0, "with content_ref"},
		{"full with canonical_content_hash", in(frameWith(`"canonical_content_hash":"h"`)), nil, archive.RuleFullFrame, 2, 0,
			"with canonical_content_hash"},
		{"compact without content", in(`{"id":"b","content_digest":"` + digestOf("x") + `",` + compactMembers + `}`), nil,
			archive.RuleCompactFrame, 2, 0, "without content"},
		{"compact with null", in(frameWith(strings.Replace(compactMembers, `"transform":{}`, `"transform":null`, 1))), nil,
			archive.RuleCompactFrame, 2, 0, "without transform"},
		{"unknown representation", in(frameWith(`"representation":"Full"`)), nil, archive.RuleUnknownRepresentation, 2, 0, `"Full"`},
		{"empty representation", in(frameWith(`"representation":""`)), nil, archive.RuleUnknownRepresentation, 2, 0, `""`},
		{"no frame at all", in(good, `7`), nil, archive.RuleMalformedFrame, 2, 1, "a number"},
		{"link without type", in(frameWith(`"provenance":[{"uri":"u"}]`)), nil, archive.RuleMalformedFrame, 2, 0, "type of provenance link 0"},
		{"empty id", in(good, frameOf("", "x")), nil, archive.RuleEmptyFrameID, 2, 1, ""},
		{"equal identities", in(frameWith(`"provenance":[{"type":"a"}]`), good, frameWith(`"provenance":[{"type":"b"}]`)), nil,
			archive.RuleAmbiguousOrder, 2, 2, "frame 0"},
		{"empty answer", in(), frames, archive.RuleEmptyAnswer, 2, -1, "no frames"},
		{"retained subset", ackOf("docs") + `{"format":"cgp-evidence/1","provider_id":"docs","result":{"frames":[]}}`, nil,
			archive.RuleRetainedSubset, 2, -1, ""},
		{"two providers", ackOf("docs") + answerOf(good) + ackOf("code"), nil, archive.RuleTwoProviders, 0, -1, `"docs" and "code", and none was named`},
		{"two other providers", ackOf("docs") + answerOf(good) + ackOf("code"),
			func(o *archive.SignOptions) { o.Provider = commitment.Some("Docs") }, archive.RuleTwoProviders, 0, -1, `none is "Docs"`},
		{"key_id taken", ackWith(`[{"key_id":"key-1","algorithm":"ed25519","public_key":"`+strings.Repeat("ab", 32)+`"}]`) + answerOf(good), publish,
			archive.RuleKeyConflict, 0, -1, "record 1"},
		{"key_id taken by another algorithm", ackWith(`[{"key_id":"key-1","algorithm":"ed448","public_key":"`+ours+`"}]`) + answerOf(good), publish,
			archive.RuleKeyConflict, 0, -1, "ed448"},
		{"key_id taken later", ackOf("docs") + answerOf(good) + "\n" + ackWith(`[{"key_id":"key-1","algorithm":"ed25519","public_key":"00"}]`), publish,
			archive.RuleKeyConflict, 0, -1, "record 3"},
		{"keys that are no array", ackWith(`{}`) + answerOf(good), publish, archive.RuleMalformedKeys, 0, -1, "an object"},
		{"weak key", in(good), func(o *archive.SignOptions) { o.Key = weakSigner{} }, archive.RuleWeakKey, 0, -1, "small order"},
		{"another key signs", in(good), func(o *archive.SignOptions) { o.Key = wrongSigner{signingKey(1)} }, archive.RuleSignerMismatch, 0, -1, "record 2"},
		{"another key signs frames", in(good, frameOf("b", "y")),
			func(o *archive.SignOptions) { frames(o); o.Key = wrongSigner{signingKey(1)} }, archive.RuleSignerMismatch, 0, 0, "record 2"},
		{"over a limit", in(good), func(o *archive.SignOptions) { o.Limits.Record = int64(len(answerOf(good))) }, archive.RuleOverLimit, 0, -1, "too_large"},
	}
	for _, name := range []string{"canonical_content_hash", "transform", "content_ref"} {
		rows = append(rows, refusalRow{"compact without " + name, in(frameWith(without(t, compactMembers, name))), nil,
			archive.RuleCompactFrame, 2, 0, "without " + name})
	}
	for _, held := range []string{
		`"frame_attestations":[{}]`, `"frame_attestations":{}`, `"frame_attestations":""`, `"result_attestation":{}`, `"result_attestation":false`,
	} {
		rows = append(rows, refusalRow{"carries " + held, strings.Replace(in(good), `"truncated"`, held+`,"truncated"`, 1), nil,
			archive.RuleAlreadySigned, 2, -1, strings.Split(held, `"`)[1]})
	}
	return rows
}

// TestSignRefuses: each refusal has its rule, its place and its text, and comes without a result. What concerns one answer is
// left as it was where that was asked for, and named.
func TestSignRefuses(t *testing.T) {
	seen := map[archive.Rule]bool{}
	for _, row := range refusalRows(t) {
		opt := options(t, archive.ShapeRoot)
		if row.change != nil {
			row.change(&opt)
		}
		result, err := archive.Sign([]byte(row.input), opt)
		var r *archive.Refusal
		if !errors.As(err, &r) || result != nil {
			t.Errorf("%s: Sign = %v, %v, want a refusal by %s", row.name, result, err, row.rule)
			continue
		}
		seen[r.Rule] = true
		if r.Rule != row.rule || r.Position != row.position || !strings.Contains(err.Error(), row.detail) || r.Source != "input" {
			t.Errorf("%s: %v at frame %d, want %s at frame %d with %q", row.name, err, r.Position, row.rule, row.position, row.detail)
		}
		if row.record > 0 && (r.Record != row.record || r.Offset != int64(strings.Index(row.input, answerStart(row.input)))) {
			t.Errorf("%s: record %d at byte %d", row.name, r.Record, r.Offset)
		}
		if !strings.Contains(err.Error(), string(r.Rule)) || r.Rule.Hint() == "" {
			t.Errorf("%s: text %q, hint %q, want the rule's name and a hint", row.name, err, r.Rule.Hint())
		}
		cause := map[archive.Rule]error{archive.RuleWeakKey: sign.ErrMalformedKey, archive.RuleSignerMismatch: sign.ErrSignerMismatch}[r.Rule]
		if !errors.Is(r.Err, cause) || !errors.Is(err, cause) && cause != nil {
			t.Errorf("%s: the cause is %v, want %v", row.name, r.Err, cause)
		}
		opt.SkipUnsignable = true
		result, err = archive.Sign([]byte(row.input), opt)
		switch {
		case row.record == 0 && err == nil:
			t.Errorf("%s: skipped", row.name)
		case row.record > 0 && err != nil:
			t.Errorf("%s: Sign with skipping: %v", row.name, err)
		case row.record > 0:
			if string(result.Output) != row.input || result.Signed != 0 || len(result.Skipped) != 1 || result.Skipped[0] != *r {
				t.Errorf("%s: skipped %v, signed %d, output %s", row.name, result.Skipped, result.Signed, result.Output)
			}
		}
	}
	for _, rule := range archive.Rules() {
		if !seen[rule] {
			t.Errorf("no case is refused by %s", rule)
		}
	}
}

// answerStart is the text from the second record on.
func answerStart(input string) string {
	if i := strings.Index(input, "\n"); i >= 0 {
		return input[i+1:]
	}
	return strings.TrimPrefix(input, ackOf("docs"))
}

// weakSigner has the identity of the curve as public key.
type weakSigner struct{}

func (weakSigner) Public() crypto.PublicKey {
	return ed25519.PublicKey(append([]byte{1}, make([]byte, 31)...))
}

func (weakSigner) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	return nil, errors.New("a weak key was asked to sign")
}

// wrongSigner signs under another key than it names.
type wrongSigner struct{ ed25519.PrivateKey }

func (wrongSigner) Public() crypto.PublicKey { return signingKey(7).Public() }

// brokenSigner gives no signature.
type brokenSigner struct{ ed25519.PrivateKey }

var errBroken = errors.New("token removed")

func (brokenSigner) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) { return nil, errBroken }

// TestSignErrors: what is wrong with the options or the input as a whole is no refusal.
func TestSignErrors(t *testing.T) {
	good := answerOf(frameOf("a", "x"))
	session := ackOf("docs") + good
	for _, row := range []struct {
		name   string
		input  string
		change func(*archive.SignOptions)
		want   error
		text   string
	}{
		{"shape", session, func(o *archive.SignOptions) { o.Shape = "Root" }, archive.ErrUnknownShape, `"Root"`},
		{"no key", session, func(o *archive.SignOptions) { o.Key = nil }, sign.ErrUnsupportedKey, ""},
		{"no key_id", session, func(o *archive.SignOptions) { o.KeyID = "" }, sign.ErrMalformedID, "key_id"},
		{"attester_id", session, func(o *archive.SignOptions) { o.AttesterID = "\xff" }, sign.ErrMalformedID, "attester_id"},
		{"no instant", session, func(o *archive.SignOptions) { o.IssuedAt = commitment.Instant{} }, commitment.ErrMalformedInstant, ""},
		{"no provider", good, nil, archive.ErrNoProvider, "record 1 at byte 0"},
		{"no provider yet", good + "\n" + session, nil, archive.ErrNoProvider, "record 1 at byte 0"},
		{"empty provider", ackOf("") + good, nil, sign.ErrMalformedID, "provider"},
		{"provider named empty", good, func(o *archive.SignOptions) { o.Provider = commitment.Some("") }, sign.ErrMalformedID, "provider"},
		{"provider in no UTF-8", good, func(o *archive.SignOptions) { o.Provider = commitment.Some("\xff") }, sign.ErrMalformedID, "provider"},
		{"nothing", "", nil, archive.ErrNothingToSign, ""},
		{"no answer", ackOf("docs") + `{"type":"shutdown"}`, nil, archive.ErrNothingToSign, ""},
		{"no answer of the provider", ackOf("docs") + ackOf("code") + good,
			func(o *archive.SignOptions) { o.Provider = commitment.Some("docs") }, archive.ErrNothingToSign, `none of 1 answers is of provider "docs"`},
		{"no ack to publish in", good, func(o *archive.SignOptions) { o.PublishKey = true; o.Provider = commitment.Some("docs") },
			archive.ErrNoHandshake, `"docs"`},
		{"no ack of the provider to publish in", session, func(o *archive.SignOptions) { o.PublishKey = true; o.Provider = commitment.Some("code") },
			archive.ErrNoHandshake, `"code"`},
		{"broken signer", session, func(o *archive.SignOptions) { o.Key = brokenSigner{signingKey(7)} }, errBroken, "record 2"},
	} {
		opt := options(t, archive.ShapeRoot)
		if row.change != nil {
			row.change(&opt)
		}
		for _, opt.SkipUnsignable = range []bool{false, true} {
			result, err := archive.Sign([]byte(row.input), opt)
			if !errors.Is(err, row.want) || result != nil || !strings.Contains(err.Error(), row.text) {
				t.Errorf("%s: Sign = %v, %v, want %v with %q", row.name, result, err, row.want, row.text)
			}
			var r *archive.Refusal
			if errors.As(err, &r) {
				t.Errorf("%s: %v is a refusal", row.name, err)
			}
		}
	}
}

// TestSignUnreadable: one record that cannot be read, and nothing is signed, whatever else is wrong.
func TestSignUnreadable(t *testing.T) {
	session := ackOf("docs") + "\n" + answerOf(`{"id":"no digest"}`) + "\n"
	for _, row := range []struct {
		name, bad string
		code      archive.ErrorCode
	}{
		{"garbage", "garbage", archive.ErrorSyntax},
		{"duplicate member", `{"type":"shutdown","type":"shutdown"}`, archive.ErrorDuplicateMember},
		{"lone surrogate", `{"type":"\ud800"}`, archive.ErrorLoneSurrogate},
		{"cut", `{"type":"shutdown"`, archive.ErrorCut},
		{"no message", `[[]]`, archive.ErrorNotAMessage},
		{"other format", `{"format":"cgp-evidence/2"}`, archive.ErrorUnsupportedFormat},
		{"no result", `{"type":"frames"}`, archive.ErrorMalformedRecord},
		{"no name", `{"type":"handshake_ack"}`, archive.ErrorMalformedHandshake},
	} {
		opt := options(t, archive.ShapeRoot)
		opt.SkipUnsignable = true
		result, err := archive.Sign([]byte(session+row.bad), opt)
		var e *archive.RecordError
		if !errors.As(err, &e) || result != nil {
			t.Errorf("%s: Sign = %v, %v, want a *RecordError", row.name, result, err)
			continue
		}
		if e.Code != row.code || e.Record != 3 || e.Offset < int64(len(session)) || e.Source != "input" {
			t.Errorf("%s: %v, want %s in record 3", row.name, err, row.code)
		}
	}
}

// TestSignAsksNoKeyBeforeAllIsFit: a key that must not be used lightly is used for nothing that is thrown away.
func TestSignAsksNoKeyBeforeAllIsFit(t *testing.T) {
	opt := options(t, archive.ShapeBoth)
	opt.Key = brokenSigner{signingKey(7)}
	_, err := archive.Sign([]byte(ackOf("docs")+answerOf(frameOf("a", "x"))+answerOf(`{"id":"b"}`)), opt)
	var r *archive.Refusal
	if !errors.As(err, &r) || r.Record != 3 {
		t.Errorf("Sign = %v, want a refusal of record 3", err)
	}
}

// TestSignSkips: what is unfit stays byte for byte, the rest is signed.
func TestSignSkips(t *testing.T) {
	unfit, retained := answerOf(`{"id":"b"}`), `{"format":"cgp-evidence/1","provider_id":"docs","result":{"frames":[]}}`
	input := ackOf("docs") + "\n" + answerOf(frameOf("a", "x")) + "\n" + unfit + "\n" + retained + "\n" + answerOf(frameOf("c", "y"))
	opt := options(t, archive.ShapeRoot)
	opt.SkipUnsignable = true
	r := mustSign(t, input, opt)
	if r.Signed != 2 || len(r.Skipped) != 2 || r.Skipped[0].Rule != archive.RuleMissingDigest || r.Skipped[1].Rule != archive.RuleRetainedSubset {
		t.Errorf("signed %d, skipped %v, want 2 and two more", r.Signed, r.Skipped)
	}
	lines := bytes.Split(r.Output, []byte("\n"))
	if string(lines[2]) != unfit || string(lines[3]) != retained {
		t.Errorf("the skipped answers are %s and %s", lines[2], lines[3])
	}
}

// TestSignAllowsOpaqueDigest: with the allowance a digest in another form is signed as it is, and an auditor is told.
func TestSignAllowsOpaqueDigest(t *testing.T) {
	opt := options(t, archive.ShapeBoth)
	opt.AllowOpaqueDigest = true
	r := mustSign(t, ackOf("docs")+answerOf(`{"id":"b","content":"x","content_digest":"md5:9f"}`), opt)
	if f := r.Answers[0].Findings; len(f) != 1 || f[0].Code != archive.FindingOpaqueDigest {
		t.Errorf("findings %v, want one opaque_digest", f)
	}
}

// recordingSigner keeps what it was asked to sign.
type recordingSigner struct {
	ed25519.PrivateKey
	asked []sign.Request
}

func (s *recordingSigner) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	s.asked = append(s.asked, opts.(sign.Request))
	return s.PrivateKey.Sign(rand, message, opts)
}
