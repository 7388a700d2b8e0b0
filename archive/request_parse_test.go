package archive_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// malformedRow is one change of a good text, and which member of it the error names.
type malformedRow struct {
	name, old, new string
	member         string
	cause          error // nil: any
	text           string
}

// runMalformed changes the first place where old stands, and reads.
func runMalformed(t *testing.T, good, format string, rows []malformedRow, parse func([]byte) error) {
	t.Helper()
	if err := parse([]byte(good)); err != nil {
		t.Fatalf("%v\n%s", err, good)
	}
	for _, row := range rows {
		text := strings.Replace(good, row.old, row.new, 1)
		if text == good {
			t.Errorf("%s: nothing was changed", row.name)
			continue
		}
		err := parse([]byte(text))
		var malformed *archive.MalformedError
		if !errors.As(err, &malformed) {
			t.Errorf("%s: %v, want a *MalformedError", row.name, err)
			continue
		}
		if malformed.Member != row.member || malformed.Format != format {
			t.Errorf("%s: %s of %s is named, want %q of %s: %v", row.name, malformed.Member, malformed.Format, row.member, format, err)
		}
		if row.cause != nil && !errors.Is(err, row.cause) || !strings.Contains(err.Error(), row.text) {
			t.Errorf("%s: %v, want %v with %q", row.name, err, row.cause, row.text)
		}
	}
}

func TestParseRequestMalformed(t *testing.T) {
	opt := options(t, archive.ShapeBoth)
	opt.Provider, opt.NoProofs = commitment.Some("docs"), true
	r := mustPrepare(t, answerOf(frameOf("a", "x")), opt).Request
	good := string(r.Marshal())
	root, frame := r.Items[0].Commitment, r.Items[1].Commitment
	key := hex.EncodeToString([]byte(r.Key.Bytes))
	input := hex.EncodeToString(r.Input[:])
	missing := func(old string) malformedRow {
		name, _, _ := strings.Cut(strings.TrimPrefix(old, `"`), `"`)
		return malformedRow{name: "no " + name, old: old + ",", new: "", member: name, cause: archive.ErrMissingMember}
	}
	rows := []malformedRow{
		{name: "nothing", old: good, new: " ", cause: strictjson.ErrSyntax},
		{name: "no object", old: good, new: "[]", text: "an array, want an object"},
		{name: "byte order mark", old: `{"format"`, new: "\ufeff" + `{"format"`, cause: strictjson.ErrByteOrderMark},
		{name: "two values", old: "]}\n", new: "]} {}", cause: strictjson.ErrTrailingBytes},
		{name: "cut", old: "]}\n", new: "", cause: strictjson.ErrCut},
		{name: "duplicate member", old: `"shape"`, new: `"shape":"root","sh\u0061pe"`, cause: strictjson.ErrDuplicateMember},
		{name: "lone surrogate", old: `"key-1"`, new: `"\ud800"`, cause: strictjson.ErrLoneSurrogate},
		{name: "invalid UTF-8", old: `"key-1"`, new: "\"\xff\"", cause: strictjson.ErrInvalidUTF8},
		{name: "nested too deep", old: `"items":[`, new: `"items":[` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `,`, cause: strictjson.ErrTooDeep},

		{name: "later version", old: "request/1", new: "request/2", member: "format", text: `"cgp-signing-request/2", want "cgp-signing-request/1"`},
		{name: "other format, and much else", old: `"format":"cgp-signing-request/1","input_sha256"`, new: `"x":7,"format":"cgp-signatures/1","y"`, member: "format"},
		{name: "format null", old: `"cgp-signing-request/1"`, new: "null", member: "format", text: "null, want a string"},
		{name: "name in another case", old: `"shape"`, new: `"Shape"`, member: `"Shape"`, cause: archive.ErrUnknownMember},
		{name: "unknown member", old: `"shape"`, new: `"context":"","shape"`, member: `"context"`, cause: archive.ErrUnknownMember},
		missing(`"format":"cgp-signing-request/1"`), missing(`"input_sha256":"` + input + `"`), missing(`"algorithm":"ed25519"`),
		missing(`"public_key":"` + key + `"`), missing(`"key_id":"key-1"`), missing(`"attester_id":"docs"`),
		missing(`"issued_at":"2026-08-29T12:00:00Z"`), missing(`"shape":"both"`),
		{name: "no items", old: `,"items":` + good[strings.Index(good, `"items":`)+len(`"items":`):], new: "}", member: "items", cause: archive.ErrMissingMember},

		{name: "digest with prefix", old: `"` + input, new: `"sha256:` + input, member: "input_sha256", text: "64 lowercase"},
		{name: "digest in uppercase", old: input, new: strings.ToUpper(input), member: "input_sha256"},
		{name: "digest cut", old: input, new: input[2:], member: "input_sha256"},
		{name: "other algorithm", old: `"ed25519"`, new: `"Ed25519"`, member: "algorithm", text: `"Ed25519", want "ed25519"`},
		{name: "key in uppercase", old: key, new: strings.ToUpper(key), member: "public_key", text: "lowercase"},
		{name: "key cut", old: key, new: key[2:], member: "public_key", cause: sign.ErrMalformedKey},
		{name: "weak key", old: key, new: "01" + strings.Repeat("0", 62), member: "public_key", cause: sign.ErrMalformedKey},
		{name: "empty key_id", old: `"key-1"`, new: `""`, member: "key_id", text: "empty"},
		{name: "key_id null", old: `"key-1"`, new: `null`, member: "key_id", text: "null, want a string"},
		{name: "empty attester_id", old: `"attester_id":"docs"`, new: `"attester_id":""`, member: "attester_id", text: "empty"},
		{name: "no instant", old: `12:00:00Z`, new: `12:00:00+00:00`, member: "issued_at", cause: commitment.ErrMalformedInstant},
		{name: "shape", old: `"both"`, new: `"Both"`, member: "shape", cause: archive.ErrUnknownShape},

		{name: "options null", old: `"options":{"provider":"docs","no_proofs":true}`, new: `"options":null`, member: "options", text: "null, want an object"},
		{name: "unknown option", old: `"no_proofs"`, new: `"proofs"`, member: `options."proofs"`, cause: archive.ErrUnknownMember},
		{name: "option of another type", old: `"no_proofs":true`, new: `"no_proofs":1`, member: "options.no_proofs", text: "a number, want true or false"},
		{name: "empty provider", old: `"provider":"docs"`, new: `"provider":""`, member: "options.provider", text: "empty"},
		{name: "provider null", old: `"provider":"docs"`, new: `"provider":null`, member: "options.provider", text: "null, want a string"},

		{name: "items null", old: good[strings.Index(good, "[\n"):], new: "null}", member: "items", text: "null, want an array"},
		{name: "item no object", old: "[\n{", new: "[7,\n{", member: "items[0]", text: "a number, want an object"},
		{name: "unknown member of an item", old: `"leaves":null`, new: `"leaves":null,"salt":""`, member: `items[1]."salt"`, cause: archive.ErrUnknownMember},
		{name: "no item", old: `"item":"2-`, new: `"item":null,"x":"2-`, member: "items[1].item", text: "null, want a string"},
		{name: "item a number", old: `"item":"` + r.Items[0].Item + `"`, new: `"item":1`, member: "items[0].item", text: "a number, want a string"},
		{name: "item empty", old: `"` + r.Items[0].Item + `"`, new: `""`, member: "items[0].item"},
		{name: "answer 0", old: `"answer":1`, new: `"answer":0`, member: "items[0].answer", text: "plain digits"},
		{name: "answer 1.0", old: `"answer":1`, new: `"answer":1.0`, member: "items[0].answer", text: "plain digits"},
		{name: "answer 2^64", old: `"answer":1`, new: `"answer":18446744073709551616`, member: "items[0].answer", text: "plain digits"},
		{name: "answer a string", old: `"answer":1`, new: `"answer":"1"`, member: "items[0].answer", text: "a string"},
		{name: "kind", old: `"kind":"frame"`, new: `"kind":"frames"`, member: "items[1].kind", text: `"frames", want root or frame`},
		{name: "root called frame", old: `"kind":"root"`, new: `"kind":"frame"`, member: "items[0].frame", text: "null"},
		{name: "frame called root", old: `"kind":"frame"`, new: `"kind":"root"`, member: "items[1].frame", text: "not null"},
		{name: "frame null", old: `"frame":{"provider_id":"docs","frame_id":"a","content_digest":"` + digestOf("x") + `"}`, new: `"frame":null`, member: "items[1].frame"},
		{name: "frame no object", old: `"frame":null`, new: `"frame":[]`, member: "items[0].frame", text: "an array, want an object"},
		{name: "frame without digest", old: `,"content_digest":"` + digestOf("x") + `"`, new: ``, member: "items[1].frame.content_digest", cause: archive.ErrMissingMember},
		{name: "digest of frame null", old: `"content_digest":"` + digestOf("x") + `"`, new: `"content_digest":null`, member: "items[1].frame.content_digest"},
		{name: "unknown member of a frame", old: `"frame_id"`, new: `"title":"t","frame_id"`, member: `items[1].frame."title"`, cause: archive.ErrUnknownMember},
		{name: "empty provider_id", old: `"provider_id":"docs"`, new: `"provider_id":""`, member: "items[1].frame.provider_id"},
		{name: "empty frame_id", old: `"frame_id":"a"`, new: `"frame_id":""`, member: "items[1].frame.frame_id"},
		{name: "commitment without prefix", old: `"commitment":"` + root.String(), new: `"commitment":"` + root.String()[7:], member: "items[0].commitment", cause: commitment.ErrMalformedDigest},
		{name: "message in uppercase", old: `"message":"` + hex.EncodeToString(root[:]), new: `"message":"` + strings.ToUpper(hex.EncodeToString(root[:])), member: "items[0].message", text: "lowercase"},
		{name: "message null", old: `"message":"` + hex.EncodeToString(root[:]) + `"`, new: `"message":null`, member: "items[0].message"},
		{name: "odd digits", old: `"preimage":"`, new: `"preimage":"0`, member: "items[1].preimage", text: "hexadecimal"},
		{name: "preimage of a root", old: `"preimage":null`, new: `"preimage":""`, member: "items[0].preimage", text: "not null"},
		{name: "leaves of a frame", old: `"leaves":null`, new: `"leaves":[]`, member: "items[1].leaves", text: "not null"},
		{name: "no leaves", old: `"leaves":["` + frame.String() + `"]`, new: `"leaves":null`, member: "items[0].leaves", text: "null"},
		{name: "leaf no digest", old: `"leaves":[`, new: `"leaves":["sha256:",`, member: "items[0].leaves[0]", cause: commitment.ErrMalformedDigest},
		{name: "second leaf a number", old: `"leaves":["` + frame.String() + `"`, new: `"leaves":["` + frame.String() + `",7`, member: "items[0].leaves[1]", text: "a number, want a string"},
		{name: "leaves no array", old: `"leaves":["` + frame.String() + `"]`, new: `"leaves":{}`, member: "items[0].leaves", text: "an object, want an array"},
	}
	runMalformed(t, good, "cgp-signing-request/1", rows, func(data []byte) error {
		r, err := archive.ParseRequest(data)
		if (r == nil) != (err != nil) {
			t.Errorf("ParseRequest(%s) = %v, %v", data, r, err)
		}
		return err
	})
}

// TestParseRequestOtherSpelling: members have no order, an option may say false, white space and escapes say nothing.
func TestParseRequestOtherSpelling(t *testing.T) {
	r := mustPrepare(t, ackOf("docs")+answerOf(frameOf("a", "x")), options(t, archive.ShapeRoot)).Request
	text := string(r.Marshal())
	items := text[strings.Index(text, `"items"`) : len(text)-2]
	other := " {" + items + `, "options" : {"replace":false},` + "\r\n" + strings.Replace(text[1:strings.Index(text, `,"items"`)], `"docs"`, `"\u0064ocs"`, 1) + "}"
	got, err := archive.ParseRequest([]byte(other))
	if err != nil || string(got.Marshal()) != text {
		t.Errorf("ParseRequest(%s) = %v, want the same as of\n%s", other, err, text)
	}
	if err == nil && got.Check() != nil {
		t.Errorf("Check: %v", got.Check())
	}
}

func TestParseSignaturesMalformed(t *testing.T) {
	signature := strings.Repeat("0a", 64)
	good := `{"format":"cgp-signatures/1","signatures":[{"item":"1-a","signature":"` + signature + `"},{"item":"2-a","signature":"` + signature + `"}]}`
	rows := []malformedRow{
		{name: "no JSON", old: good, new: "0a0a", cause: strictjson.ErrSyntax},
		{name: "two values", old: "]}", new: "]}{}", cause: strictjson.ErrTrailingBytes},
		{name: "duplicate member", old: `"item"`, new: `"item":"","item"`, cause: strictjson.ErrDuplicateMember},
		{name: "format", old: "signatures/1", new: "signatures/01", member: "format"},
		{name: "no format", old: `"format":"cgp-signatures/1",`, new: ``, member: "format", cause: archive.ErrMissingMember},
		{name: "no signatures", old: good, new: `{"format":"cgp-signatures/1"}`, member: "signatures", cause: archive.ErrMissingMember},
		{name: "unknown member", old: `"signatures"`, new: `"key_id":"k","signatures"`, member: `"key_id"`, cause: archive.ErrUnknownMember},
		{name: "signatures no array", old: good[strings.Index(good, "["):], new: `{}}`, member: "signatures", text: "an object, want an array"},
		{name: "element no object", old: `[{`, new: `["",{`, member: "signatures[0]", text: "a string, want an object"},
		{name: "unknown member of an element", old: `"item":"2-a"`, new: `"key":"","item":"2-a"`, member: `signatures[1]."key"`, cause: archive.ErrUnknownMember},
		{name: "no item", old: `"item":"2-a",`, new: ``, member: "signatures[1].item", cause: archive.ErrMissingMember},
		{name: "item a number", old: `"item":"1-a"`, new: `"item":1`, member: "signatures[0].item", text: "a number, want a string"},
		{name: "empty item", old: `"1-a"`, new: `""`, member: "signatures[0].item"},
		{name: "no signature", old: `,"signature":"` + signature + `"`, new: ``, member: "signatures[0].signature", cause: archive.ErrMissingMember},
		{name: "signature null", old: `"` + signature + `"`, new: `null`, member: "signatures[0].signature"},
		{name: "uppercase", old: "0a", new: "0A", member: "signatures[0].signature", text: "lowercase"},
		{name: "cut", old: "0a", new: "", member: "signatures[0].signature", text: "63 bytes, want 64"},
		{name: "too long", old: "0a", new: "0a0a", member: "signatures[0].signature", text: "65 bytes, want 64"},
		{name: "odd", old: "0a", new: "0", member: "signatures[0].signature"},
	}
	runMalformed(t, good, "cgp-signatures/1", rows, func(data []byte) error {
		s, err := archive.ParseSignatures(data)
		if (s == nil) != (err != nil) {
			t.Errorf("ParseSignatures(%s) = %v, %v", data, s, err)
		}
		return err
	})
	none, err := archive.ParseSignatures(archive.MarshalSignatures(nil))
	if err != nil || len(none) != 0 {
		t.Errorf("ParseSignatures of none = %v, %v", none, err)
	}
}

func TestParseSignature(t *testing.T) {
	raw := bytes.Repeat([]byte("\xc3\x28\n "), 16)
	digits := hex.EncodeToString(raw)
	for _, row := range []struct {
		name string
		data string
		good bool
	}{
		{"raw", string(raw), true},
		{"hex", digits, true},
		{"hex with a line end", digits + "\r\n", true},
		{"uppercase hex", strings.ToUpper(digits), true},
		{"empty", "", false},
		{"raw, cut", string(raw[:63]), false},
		{"raw with a line end", string(raw) + "\n", false},
		{"hex, cut", digits[:126], false},
		{"hex, odd", digits[:127], false},
		{"hex, too long", digits + "00", false},
		{"hex in two lines", digits[:64] + "\n" + digits[64:], false},
		{"hex with a prefix", "0x" + digits, false},
		{"base64", "wygKIMMoCiDDKAogwygKIMMoCiDDKAogwygKIMMoCiDDKAogwygKIMMoCiDDKAogwygKIMMoCiDDKAogwygKIA==", false},
	} {
		got, err := archive.ParseSignature([]byte(row.data))
		if row.good && (err != nil || !bytes.Equal(got, raw)) || !row.good && (!errors.Is(err, archive.ErrNoSignature) || got != nil) {
			t.Errorf("%s: ParseSignature = %x, %v", row.name, got, err)
		}
	}
}

// FuzzParseRequest: what is read is written again so that it reads the same, and what a key would sign in it is what its
// items claim to be.
func FuzzParseRequest(f *testing.F) {
	seeds := 0
	for _, shape := range shapes {
		opt := options(f, shape)
		opt.Provider, opt.SkipUnsignable = commitment.Some("docs"), true
		r := mustPrepare(f, answerOf(numberedFrames(2)...)+answerOf(frameOf("a", "x"))+answerOf(), opt).Request
		f.Add(r.Marshal())
		seeds += len(r.Items)
	}
	if seeds < 6 {
		f.Fatalf("%d items in the seeds", seeds)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := archive.ParseRequest(data)
		var malformed *archive.MalformedError
		if err != nil {
			if !errors.As(err, &malformed) || r != nil {
				t.Fatalf("ParseRequest = %v, %v", r, err)
			}
			return
		}
		text := r.Marshal()
		again, err := archive.ParseRequest(text)
		if err != nil || !bytes.Equal(again.Marshal(), text) {
			t.Fatalf("%v: written and read again it is another\n%s", err, text)
		}
		signatures, err := archive.SignRequest(r, signingKey(7))
		if err != nil {
			return
		}
		if r.Key != publicKey(signingKey(7)) || len(signatures) != len(r.Items) {
			t.Fatalf("%d signatures of another key over %d items", len(signatures), len(r.Items))
		}
		for i := range r.Items {
			it := &r.Items[i]
			if it.Frame != nil && !bytes.Contains(it.Preimage, []byte(it.Frame.FrameID)) {
				t.Errorf("item %d names frame %q and signs %q", i, it.Frame.FrameID, it.Preimage)
			}
		}
	})
}

func FuzzParseSignatures(f *testing.F) {
	r := mustPrepare(f, ackOf("docs")+answerOf(numberedFrames(2)...), options(f, archive.ShapeBoth)).Request
	seed := archive.MarshalSignatures(travel(f, r, signingKey(7)))
	if bytes.Count(seed, []byte(`"item"`)) != 3 {
		f.Fatalf("the seed is %s", seed)
	}
	f.Add(seed)
	f.Add(archive.MarshalSignatures(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		signatures, err := archive.ParseSignatures(data)
		var malformed *archive.MalformedError
		if err != nil {
			if !errors.As(err, &malformed) || signatures != nil {
				t.Fatalf("ParseSignatures = %v, %v", signatures, err)
			}
			return
		}
		text := archive.MarshalSignatures(signatures)
		again, err := archive.ParseSignatures(text)
		if err != nil || !bytes.Equal(archive.MarshalSignatures(again), text) {
			t.Fatalf("%v: written and read again they are others\n%s", err, text)
		}
	})
}
