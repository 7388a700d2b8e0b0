package archive_test

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func mustPrepare(t fataler, input string, opt archive.SignOptions) *archive.PrepareResult {
	t.Helper()
	p, err := archive.Prepare([]byte(input), publicKey(signingKey(0x07)), opt)
	if err != nil {
		t.Fatalf("Prepare: %v\ninput: %s", err, input)
	}
	return p
}

// travel takes a request and the signatures over it through their files, as between two machines.
func travel(t fataler, r *archive.Request, key crypto.Signer) []archive.ItemSignature {
	t.Helper()
	there, err := archive.ParseRequest(r.Marshal())
	if err != nil {
		t.Fatalf("ParseRequest: %v\n%s", err, r.Marshal())
	}
	signatures, err := archive.SignRequest(there, key)
	if err != nil {
		t.Fatalf("SignRequest: %v", err)
	}
	back, err := archive.ParseSignatures(archive.MarshalSignatures(signatures))
	if err != nil {
		t.Fatalf("ParseSignatures: %v", err)
	}
	return back
}

// sameAsOneStep signs in one step and in two, and compares everything that comes out.
func sameAsOneStep(t fataler, input string, opt archive.SignOptions) {
	t.Helper()
	want := mustSign(t, input, opt)
	keyless := opt
	keyless.Key = nil
	p := mustPrepare(t, input, keyless)
	if p.Provider != want.Provider || p.Prepared != want.Signed || p.Copied != want.Copied || len(p.Skipped) != len(want.Skipped) {
		t.Fatalf("Prepare = %+v, Sign = %+v", p, want)
	}
	request, err := archive.ParseRequest(p.Request.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	got, err := archive.Attach([]byte(input), request, travel(t, p.Request, opt.Key), archive.AttachOptions{Source: opt.Source})
	if err != nil {
		t.Fatalf("Attach: %v\ninput: %s", err, input)
	}
	if diff := cmp.Diff(string(want.Output), string(got.Output)); diff != "" {
		t.Fatalf("in one step and in two (-one +two):\n%s", diff)
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("Attach = %+v, Sign = %+v", got, want)
	}
}

// TestTwoStepsAreOne: every shape and option gives the same bytes in two steps as in one.
func TestTwoStepsAreOne(t *testing.T) {
	twin := frameOf("twin", "same")
	hidden := `{"id":"a\u202e\udb40\udc01\u0000","content":"x","content_digest":"` + digestOf("x") + `"}`
	session := ackOf("docs") + "\n" + answerOf(numberedFrames(3)...) + "\r\n" + answerOf() + answerOf(twin, hidden, twin)
	bare := `{"frames":[{"id":"b","content":"x"},` + frameOf("c", "y") + `]}`
	for _, shape := range shapes {
		signed := string(mustSign(t, ackOf("docs")+answerOf(frameOf("a", "x")), options(t, archive.ShapeBoth)).Output)
		for _, row := range []struct {
			name, input string
			change      func(*archive.SignOptions)
		}{
			{"defaults", ackOf("docs") + answerOf(numberedFrames(5)...), nil},
			{"no proofs", ackOf("docs") + answerOf(numberedFrames(3)...), func(o *archive.SignOptions) { o.NoProofs = true }},
			{"attester", ackOf("docs") + answerOf(frameOf("a", "x")), func(o *archive.SignOptions) { o.AttesterID = "über\n" }},
			{"skip, publish", session, func(o *archive.SignOptions) { o.SkipUnsignable, o.PublishKey = true, true }},
			{"provider, fill", bare, func(o *archive.SignOptions) {
				o.FillDigests, o.Provider = true, commitment.Some("docs \u2028")
			}},
			{"replace", signed, func(o *archive.SignOptions) { o.Replace = true }},
			{"opaque", ackOf("docs") + answerOf(`{"id":"b","content":"x","content_digest":"md5:9f"}`),
				func(o *archive.SignOptions) { o.AllowOpaqueDigest = true }},
			{"two providers", ackOf("docs") + answerOf(frameOf("a", "x")) + ackOf("code") + answerOf(frameOf("a", "x")),
				func(o *archive.SignOptions) { o.Provider = commitment.Some("code") }},
			{"nothing fit", ackOf("docs") + answerOf(`{"id":"a"}`), func(o *archive.SignOptions) { o.SkipUnsignable = true }},
			{"archive line", ackOf("docs") + `{"format":"cgp-archive/1","envelope":` + answerOf(frameOf("a", "x")) + `}`, nil},
		} {
			t.Run(string(shape)+" "+row.name, func(t *testing.T) {
				opt := options(t, shape)
				if row.change != nil {
					row.change(&opt)
				}
				sameAsOneStep(t, row.input, opt)
			})
		}
	}
}

// TestTwoStepsAreOneAtRandom does the same with the random inputs that signing in one step is tested with.
func TestTwoStepsAreOneAtRandom(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		opt := options(t, rapid.SampledFrom(shapes).Draw(t, "shape"))
		opt.NoProofs = rapid.Bool().Draw(t, "no proofs")
		opt.FillDigests = rapid.Bool().Draw(t, "fill digests")
		opt.SkipUnsignable = true
		im := &imagination{Rand: random, fill: opt.FillDigests}
		opt.Provider = commitment.Some("p" + im.word())
		opt.KeyID, opt.AttesterID = "k"+im.word(), im.word()
		records := []vision{im.answer(), im.other(), im.answer()}
		layout := rapid.SampledFrom([]string{"lines", "pretty", "joined", "array"}).Draw(t, "layout")
		sameAsOneStep(t, spellAll(random, layout, records), opt)
	})
}

// TestRequestText is the format, to the byte. The commitments are those of the one-step tests' own oracle functions.
func TestRequestText(t *testing.T) {
	opt := options(t, archive.ShapeBoth)
	opt.Provider = commitment.Some("docs")
	input := answerOf(frameOf("a\u202e", "x"))
	id := commitment.FrameID{ProviderID: "docs", FrameID: "a\u202e", ContentDigest: commitment.Some(digestOf("x"))}
	preimage := "contextgraph/attest/1/frame\x00\x00\x00\x04docs\x00\x00\x00\x04a\u202e\x01\x00\x00\x00\x47" + digestOf("x")
	genesis := sha256.Sum256([]byte("contextgraph/attest/1/genesis"))
	preimage += string(genesis[:])
	frame := commitment.Digest(sha256.Sum256([]byte(preimage)))
	root := commitment.Digest(sha256.Sum256(append([]byte{0}, frame[:]...)))
	text := func(tag string) string {
		return fmt.Sprintf(`{"format":"cgp-signing-request/1","input_sha256":"%x","algorithm":"ed25519",`+
			`"public_key":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c","key_id":"key-1","attester_id":"docs",`+
			`"issued_at":"2026-08-29T12:00:00Z","shape":"both","options":{"provider":"docs"},"items":[
{"item":"1%[2]s","answer":1,"kind":"root","frame":null,"commitment":%[3]q,"message":"%[4]x","preimage":null,"leaves":[%[5]q]},
{"item":"2%[2]s","answer":1,"kind":"frame","frame":{"provider_id":"docs","frame_id":"a\u202e","content_digest":%[6]q},`+
			`"commitment":%[5]q,"message":"%[7]x","preimage":"%[8]x","leaves":null}
]}
`, sha256.Sum256([]byte(input)), tag, root, root[:], frame, digestOf("x"), frame[:], preimage)
	}
	sum := sha256.Sum256([]byte(text("")))
	want := text("-" + hex.EncodeToString(sum[:8]))
	r := mustPrepare(t, input, opt).Request
	if diff := cmp.Diff(want, string(r.Marshal())); diff != "" {
		t.Fatalf("Marshal (-want +got):\n%s", diff)
	}
	if got := *r.Items[1].Frame; got != id {
		t.Errorf("frame = %v, want %v", got, id)
	}
	signatures := travel(t, r, signingKey(7))
	wantSignatures := fmt.Sprintf(`{"format":"cgp-signatures/1","signatures":[
{"item":"1-%[1]x","signature":"%[2]x"},
{"item":"2-%[1]x","signature":"%[3]x"}
]}
`, sum[:8], ed25519.Sign(signingKey(7), root[:]), ed25519.Sign(signingKey(7), frame[:]))
	if diff := cmp.Diff(wantSignatures, string(archive.MarshalSignatures(signatures))); diff != "" {
		t.Errorf("MarshalSignatures (-want +got):\n%s", diff)
	}
}

// TestRequestWithoutOptions: where no option was set the member is not there.
func TestRequestWithoutOptions(t *testing.T) {
	r := mustPrepare(t, ackOf("docs")+answerOf(frameOf("a", "x")), options(t, archive.ShapeRoot)).Request
	var members map[string]json.RawMessage
	unmarshal(t, r.Marshal(), &members)
	for _, name := range strings.Fields("format input_sha256 algorithm public_key key_id attester_id issued_at shape items") {
		if _, there := members[name]; !there {
			t.Errorf("there is no %s", name)
		}
		delete(members, name)
	}
	if len(members) != 0 {
		t.Errorf("there are more members: %v", members)
	}
}

// TestRequestAsksForWhatIsSigned: the items are exactly what the key is asked for in one step, in that order.
func TestRequestAsksForWhatIsSigned(t *testing.T) {
	input := ackOf("docs") + answerOf(numberedFrames(3)...) + answerOf(frameOf("x", "y"))
	for _, shape := range shapes {
		opt := options(t, shape)
		recorder := &recordingSigner{PrivateKey: signingKey(7)}
		opt.Key = recorder
		mustSign(t, input, opt)
		items := mustPrepare(t, input, opt).Request.Items
		if len(items) != len(recorder.asked) || len(items) == 0 {
			t.Fatalf("shape %s: %d items, the key was asked %d times", shape, len(items), len(recorder.asked))
		}
		for i, asked := range recorder.asked {
			it := &items[i]
			if it.Commitment != asked.Commitment || !bytes.Equal(it.Message, asked.Commitment[:]) ||
				!bytes.Equal(it.Preimage, asked.Preimage) || !cmp.Equal(it.Frame, asked.Frame, cmp.AllowUnexported(commitment.Optional{})) {
				t.Errorf("shape %s: item %d is %+v, the key was asked for %+v", shape, i, it, asked)
			}
		}
	}
}

// TestSignRequestShows: the key sees each item as the options of its Sign method, as in one step; of a root no provider.
func TestSignRequestShows(t *testing.T) {
	input := ackOf("docs") + answerOf(numberedFrames(2)...)
	opt := options(t, archive.ShapeBoth)
	there := &recordingSigner{PrivateKey: signingKey(7)}
	travel(t, mustPrepare(t, input, opt).Request, there)
	here := &recordingSigner{PrivateKey: signingKey(7)}
	opt.Key = here
	mustSign(t, input, opt)
	here.asked[0].Provider = ""
	if diff := cmp.Diff(here.asked, there.asked, cmp.AllowUnexported(commitment.Optional{})); diff != "" {
		t.Errorf("the key saw (-one step, +two steps):\n%s", diff)
	}
}

// TestPrepareRefuses: by the same rules as Sign, with the same errors, whatever key is at hand.
func TestPrepareRefuses(t *testing.T) {
	for _, row := range refusalRows(t) {
		opt := options(t, archive.ShapeRoot)
		if row.change != nil {
			row.change(&opt)
		}
		_, want := archive.Sign([]byte(row.input), opt)
		p, err := archive.Prepare([]byte(row.input), keyOf(opt.Key), opt)
		switch row.rule {
		case archive.RuleSignerMismatch, archive.RuleOverLimit: // found out with the signatures at hand
			if err != nil {
				t.Errorf("%s: Prepare: %v", row.name, err)
			}
			continue
		}
		if p != nil || err == nil || err.Error() != want.Error() {
			t.Errorf("%s: Prepare = %v, %v, want %v", row.name, p, err, want)
		}
	}
	for _, key := range []sign.PublicKey{{}, {Algorithm: "ed448", Bytes: publicKey(signingKey(7)).Bytes}} {
		_, err := archive.Prepare([]byte(ackOf("docs")+answerOf()), key, options(t, archive.ShapeRoot))
		if !errors.Is(err, sign.ErrUnsupportedKey) {
			t.Errorf("Prepare with a key of algorithm %q: %v, want ErrUnsupportedKey", key.Algorithm, err)
		}
	}
}

func keyOf(key crypto.Signer) sign.PublicKey {
	return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
}

// TestSignRequestRefuses changes one thing in a request, to a valid value of its kind. Nothing is asked of the key.
func TestSignRequestRefuses(t *testing.T) {
	input := ackOf("docs") + answerOf(numberedFrames(3)...)
	other := mustPrepare(t, ackOf("docs")+answerOf(frameOf("else", "z")), options(t, archive.ShapeBoth)).Request
	for _, row := range requestChanges(t, other) {
		r := mustPrepare(t, input, options(t, archive.ShapeBoth)).Request
		row.change(r)
		signatures, err := archive.SignRequest(r, refusingSigner{t, row.name})
		if !errors.Is(err, row.want) || signatures != nil {
			t.Errorf("%s: SignRequest = %v, %v, want %v", row.name, signatures, err, row.want)
		}
		if row.renamed {
			continue
		}
		// With names that fit again the change is still found, by what it broke, or it is nothing that can be seen from here.
		rename(r)
		if _, err := archive.SignRequest(r, signingKey(7)); !errors.Is(err, row.renamedWant) {
			t.Errorf("%s, renamed: SignRequest = %v, want %v", row.name, err, row.renamedWant)
		}
	}
}

// refusingSigner must not be asked.
type refusingSigner struct {
	t    *testing.T
	name string
}

func (refusingSigner) Public() crypto.PublicKey { return signingKey(7).Public() }

func (s refusingSigner) Sign(io.Reader, []byte, crypto.SignerOpts) ([]byte, error) {
	s.t.Errorf("%s: the key was asked", s.name)
	return nil, errBroken
}

type requestChange struct {
	name        string
	change      func(*archive.Request)
	want        error
	renamed     bool  // the change is one of names alone
	renamedWant error // with names that fit the change
}

// requestChanges are one for each member of a request in shape both over three frames, from a sibling request.
func requestChanges(t *testing.T, other *archive.Request) []requestChange {
	mismatch := archive.ErrItemMismatch
	onItem := func(name string, i int, change func(it, sibling *archive.RequestItem), renamedWant error) requestChange {
		return requestChange{
			name: name, want: mismatch, renamedWant: renamedWant,
			change: func(r *archive.Request) { change(&r.Items[i], &other.Items[min(i, 1)]) },
		}
	}
	type item = archive.RequestItem
	return []requestChange{
		{name: "input_sha256", want: mismatch, change: func(r *archive.Request) { r.Input = other.Input }},
		{name: "public_key", want: mismatch, renamedWant: archive.ErrOtherKey, change: func(r *archive.Request) { r.Key = publicKey(signingKey(8)) }},
		{name: "key_id", want: mismatch, change: func(r *archive.Request) { r.KeyID = "key-2" }},
		{name: "attester_id", want: mismatch, change: func(r *archive.Request) { r.AttesterID = "code" }},
		{name: "issued_at", want: mismatch, change: func(r *archive.Request) { r.IssuedAt = instant(t, "2026-08-29T12:00:01Z") }},
		{name: "shape root", want: mismatch, renamedWant: mismatch, change: func(r *archive.Request) { r.Shape = archive.ShapeRoot }},
		{name: "shape frames", want: mismatch, renamedWant: mismatch, change: func(r *archive.Request) { r.Shape = archive.ShapeFrames }},
		{name: "provider", want: mismatch, change: func(r *archive.Request) { r.Options.Provider = commitment.Some("docs") }},
		{name: "no_proofs", want: mismatch, change: func(r *archive.Request) { r.Options.NoProofs = true }},
		{name: "fill_digests", want: mismatch, change: func(r *archive.Request) { r.Options.FillDigests = true }},
		{name: "replace", want: mismatch, change: func(r *archive.Request) { r.Options.Replace = true }},
		{name: "skip_unsignable", want: mismatch, change: func(r *archive.Request) { r.Options.SkipUnsignable = true }},
		{name: "publish_key", want: mismatch, change: func(r *archive.Request) { r.Options.PublishKey = true }},
		{name: "allow_opaque_digest", want: mismatch, change: func(r *archive.Request) { r.Options.AllowOpaqueDigest = true }},
		{name: "item missing", want: mismatch, change: func(r *archive.Request) { r.Items = r.Items[:3] }},
		{name: "root missing", want: mismatch, change: func(r *archive.Request) { r.Items = r.Items[1:] }},
		{name: "item twice", want: mismatch, change: func(r *archive.Request) { r.Items = append(r.Items, r.Items[3]) }},
		{name: "item of another request", want: mismatch, change: func(r *archive.Request) { r.Items = append(r.Items, other.Items[1]) }},
		{name: "items swapped", want: mismatch, change: func(r *archive.Request) { r.Items[2], r.Items[3] = r.Items[3], r.Items[2] }},
		{name: "names swapped", want: mismatch, renamed: true, change: func(r *archive.Request) {
			r.Items[2].Item, r.Items[3].Item = r.Items[3].Item, r.Items[2].Item
		}},
		{name: "name of another request", want: mismatch, renamed: true, change: func(r *archive.Request) { r.Items[2].Item = other.Items[1].Item }},
		onItem("answer", 2, func(it, _ *item) { it.Record++ }, nil),
		onItem("frame", 2, func(it, sibling *item) { it.Frame = sibling.Frame }, mismatch),
		onItem("provider_id", 2, func(it, _ *item) {
			it.Frame = &commitment.FrameID{ProviderID: "code", FrameID: it.Frame.FrameID, ContentDigest: it.Frame.ContentDigest}
		}, mismatch),
		onItem("content_digest", 2, func(it, sibling *item) {
			it.Frame = &commitment.FrameID{ProviderID: it.Frame.ProviderID, FrameID: it.Frame.FrameID, ContentDigest: sibling.Frame.ContentDigest}
		}, mismatch),
		onItem("last digit of content_digest", 2, func(it, _ *item) {
			digest := it.Frame.ContentDigest.OrEmpty()
			last := map[bool]string{true: "1", false: "0"}[strings.HasSuffix(digest, "0")]
			it.Frame = &commitment.FrameID{
				ProviderID: it.Frame.ProviderID, FrameID: it.Frame.FrameID,
				ContentDigest: commitment.Some(digest[:len(digest)-1] + last),
			}
		}, mismatch),
		onItem("frame without digest", 2, func(it, _ *item) {
			it.Frame = &commitment.FrameID{ProviderID: it.Frame.ProviderID, FrameID: it.Frame.FrameID}
		}, mismatch),
		onItem("commitment", 2, func(it, sibling *item) { it.Commitment = sibling.Commitment }, mismatch),
		onItem("message", 2, func(it, sibling *item) { it.Message = sibling.Message }, mismatch),
		onItem("message cut", 2, func(it, _ *item) { it.Message = it.Message[:31] }, mismatch),
		onItem("commitment and message", 2, func(it, sibling *item) { it.Commitment, it.Message = sibling.Commitment, sibling.Message }, mismatch),
		onItem("preimage", 2, func(it, sibling *item) { it.Preimage = sibling.Preimage }, mismatch),
		onItem("no preimage", 2, func(it, _ *item) { it.Preimage = nil }, mismatch),
		onItem("all but the frame", 2, func(it, sibling *item) {
			it.Commitment, it.Message, it.Preimage = sibling.Commitment, sibling.Message, sibling.Preimage
		}, mismatch),
		onItem("a preimage of other bytes", 2, func(it, _ *item) { shorten(it) }, mismatch),
		onItem("root's commitment", 0, func(it, sibling *item) { it.Commitment = sibling.Commitment }, mismatch),
		onItem("root's commitment and message", 0, func(it, sibling *item) { it.Commitment, it.Message = sibling.Commitment, sibling.Message }, mismatch),
		onItem("leaves", 0, func(it, sibling *item) { it.Leaves = sibling.Leaves }, mismatch),
		onItem("a leaf less", 0, func(it, _ *item) { it.Leaves = it.Leaves[1:] }, mismatch),
		onItem("leaves swapped", 0, func(it, _ *item) { it.Leaves[0], it.Leaves[1] = it.Leaves[1], it.Leaves[0] }, mismatch),
		onItem("no leaves", 0, func(it, _ *item) { it.Leaves = nil }, mismatch),
		onItem("another root", 0, func(it, sibling *item) {
			it.Commitment, it.Message, it.Leaves = sibling.Commitment, sibling.Message, sibling.Leaves
		}, nil),
		onItem("frame for root", 0, func(it, _ *item) {
			it.Frame, it.Leaves = &commitment.FrameID{ProviderID: "docs", FrameID: "f1", ContentDigest: commitment.Some(digestOf("x"))}, nil
		}, mismatch),
		onItem("root for frame", 2, func(it, _ *item) { it.Frame, it.Preimage = nil, nil }, mismatch),
	}
}

// shorten gives an item a commitment that its preimage hashes to, and a preimage that is no frame's.
func shorten(it *archive.RequestItem) {
	it.Preimage = it.Preimage[:len(it.Preimage)-1]
	it.Commitment = sha256.Sum256(it.Preimage)
	it.Message = bytes.Clone(it.Commitment[:])
}

// rename gives the items the names that fit the rest of the request, computed from the text as docs/formats.md says.
func rename(r *archive.Request) {
	for i := range r.Items {
		r.Items[i].Item = fmt.Sprint(i + 1)
	}
	sum := sha256.Sum256(r.Marshal())
	for i := range r.Items {
		r.Items[i].Item = fmt.Sprintf("%d-%x", i+1, sum[:8])
	}
}

// TestSignRequestWithOtherKey: a key signs no request that is for another one.
func TestSignRequestWithOtherKey(t *testing.T) {
	r := mustPrepare(t, ackOf("docs")+answerOf(frameOf("a", "x")), options(t, archive.ShapeRoot)).Request
	for _, row := range []struct {
		name string
		key  crypto.Signer
		want error
	}{
		{"another key", signingKey(8), archive.ErrOtherKey},
		{"no key", nil, sign.ErrUnsupportedKey},
		{"weak key", weakSigner{}, sign.ErrMalformedKey},
		{"broken key", brokenSigner{signingKey(7)}, errBroken},
		{"key that signs with another", wrongSigner{signingKey(8)}, sign.ErrSignerMismatch},
	} {
		signatures, err := archive.SignRequest(r, row.key)
		if !errors.Is(err, row.want) || signatures != nil {
			t.Errorf("%s: SignRequest = %v, %v, want %v", row.name, signatures, err, row.want)
		}
	}
}
