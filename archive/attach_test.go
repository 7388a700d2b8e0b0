package archive_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A ceremony is an input with its request and the signatures over it.
type ceremony struct {
	input      string
	request    *archive.Request
	signatures []archive.ItemSignature
}

func newCeremony(t fataler, input string, opt archive.SignOptions) ceremony {
	t.Helper()
	c := ceremony{input: input, request: mustPrepare(t, input, opt).Request}
	c.signatures = travel(t, c.request, signingKey(7))
	return c
}

func (c *ceremony) attach() (*archive.SignResult, error) {
	return archive.Attach([]byte(c.input), c.request, c.signatures, archive.AttachOptions{Source: "input"})
}

// clone copies what the tests change.
func (c ceremony) clone() *ceremony {
	r := *c.request
	r.Items = slices.Clone(r.Items)
	for i := range r.Items {
		r.Items[i].Leaves = slices.Clone(r.Items[i].Leaves)
	}
	c.request, c.signatures = &r, slices.Clone(c.signatures)
	return &c
}

// TestAttachRefusesRequests: no member of a request can be changed, neither alone nor together with the items' names.
func TestAttachRefusesRequests(t *testing.T) {
	good := newCeremony(t, ackOf("docs")+answerOf(numberedFrames(3)...), options(t, archive.ShapeBoth))
	other := newCeremony(t, ackOf("docs")+answerOf(frameOf("else", "z")), options(t, archive.ShapeBoth))
	if _, err := good.attach(); err != nil {
		t.Fatal(err)
	}
	// What is refused in other words than by the items. An option that nothing in this input needs leaves all as it is but the names.
	first := map[string]error{"input_sha256": archive.ErrInputChanged}
	for _, row := range requestChanges(t, other.request) {
		want := first[row.name]
		if want == nil {
			want = archive.ErrRequestMismatch
		}
		c := good.clone()
		row.change(c.request)
		if result, err := c.attach(); !errors.Is(err, want) || result != nil {
			t.Errorf("%s: Attach = %v, %v, want %v", row.name, result, err, want)
		}
		// The names of the items fit again, and then the signatures are for other items.
		rename(c.request)
		if result, err := c.attach(); err == nil && !row.renamed || result != nil && !row.renamed {
			t.Errorf("%s, renamed: Attach = %v, %v, want an error", row.name, result, err)
		}
	}
}

// TestAttachTakesClaimsFromRequest: who renames the items of signatures too has changed nothing that a signature covers. The
// result is what one step gives with what the request says.
func TestAttachTakesClaimsFromRequest(t *testing.T) {
	input := ackOf("docs") + answerOf(numberedFrames(2)...)
	c := newCeremony(t, input, options(t, archive.ShapeBoth)).clone()
	opt := options(t, archive.ShapeBoth)
	opt.KeyID, opt.AttesterID, opt.IssuedAt = "key-2", "code", instant(t, "2027-01-01T00:00:00Z")
	c.request.KeyID, c.request.AttesterID, c.request.IssuedAt = opt.KeyID, opt.AttesterID, opt.IssuedAt
	rename(c.request)
	for i := range c.signatures {
		c.signatures[i].Item = c.request.Items[i].Item
	}
	result, err := c.attach()
	if err != nil {
		t.Fatal(err)
	}
	if want := mustSign(t, input, opt).Output; !bytes.Equal(result.Output, want) {
		t.Errorf("Attach = %s, want %s", result.Output, want)
	}
}

// TestAttachRefusesSignatures: what is no signature of the key over the message of the item that it is for, one too many, one
// too few.
func TestAttachRefusesSignatures(t *testing.T) {
	input := ackOf("docs") + answerOf(numberedFrames(3)...)
	good := newCeremony(t, input, options(t, archive.ShapeBoth))
	later := options(t, archive.ShapeBoth)
	later.IssuedAt = instant(t, "2026-08-29T12:00:01Z")
	otherRequest := newCeremony(t, input, later)
	otherInput := newCeremony(t, input+"\n", options(t, archive.ShapeBoth))
	signedBy := func(key ed25519.PrivateKey, message []byte) []byte { return ed25519.Sign(key, message) }
	message := good.request.Items[2].Message
	for _, row := range []struct {
		name   string
		change func(c *ceremony)
		want   []error
	}{
		{"of another item", func(c *ceremony) { c.signatures[2].Signature = c.signatures[3].Signature }, []error{archive.ErrWrongSignature, sign.ErrBadSignature}},
		{"swapped", func(c *ceremony) {
			c.signatures[2].Signature, c.signatures[3].Signature = c.signatures[3].Signature, c.signatures[2].Signature
		}, []error{archive.ErrWrongSignature}},
		{"of another key", func(c *ceremony) { c.signatures[2].Signature = signedBy(signingKey(8), message) }, []error{archive.ErrWrongSignature, sign.ErrBadSignature}},
		{"of the message's text", func(c *ceremony) {
			c.signatures[2].Signature = signedBy(signingKey(7), []byte(hex.EncodeToString(message)))
		}, []error{archive.ErrWrongSignature}},
		{"cut", func(c *ceremony) { c.signatures[2].Signature = c.signatures[2].Signature[:63] }, []error{archive.ErrWrongSignature, sign.ErrMalformedSignature}},
		{"none", func(c *ceremony) { c.signatures[2].Signature = nil }, []error{archive.ErrWrongSignature, sign.ErrMalformedSignature}},
		{"of another request over the same input", func(c *ceremony) { c.signatures = otherRequest.signatures }, []error{archive.ErrUnknownItem}},
		{"one of another request", func(c *ceremony) { c.signatures[1] = otherRequest.signatures[1] }, []error{archive.ErrUnknownItem}},
		{"of another input with the same frames", func(c *ceremony) { c.signatures = otherInput.signatures }, []error{archive.ErrUnknownItem}},
		{"for an item without a name", func(c *ceremony) { c.signatures[2].Item = "" }, []error{archive.ErrUnknownItem}},
		{"for the number alone", func(c *ceremony) { c.signatures[2].Item = "3" }, []error{archive.ErrUnknownItem}},
		{"missing", func(c *ceremony) { c.signatures = slices.Delete(c.signatures, 1, 2) }, []error{archive.ErrMissingSignature}},
		{"the last missing", func(c *ceremony) { c.signatures = c.signatures[:3] }, []error{archive.ErrMissingSignature}},
		{"all missing", func(c *ceremony) { c.signatures = nil }, []error{archive.ErrMissingSignature}},
		{"twice", func(c *ceremony) { c.signatures = append(c.signatures, c.signatures[1]) }, []error{archive.ErrDuplicateSignature}},
		{"one for another", func(c *ceremony) { c.signatures[2] = c.signatures[1] }, []error{archive.ErrDuplicateSignature}},
	} {
		c := good.clone()
		row.change(c)
		result, err := c.attach()
		for _, want := range row.want {
			if !errors.Is(err, want) || result != nil {
				t.Errorf("%s: Attach = %v, %v, want %v", row.name, result, err, want)
			}
		}
	}
	c := good.clone()
	slices.Reverse(c.signatures)
	if _, err := c.attach(); err != nil {
		t.Errorf("in another order: Attach: %v", err)
	}
}

// TestAttachRefusesInputs: an input that was edited, wherever, and one for which the request's options do not do.
func TestAttachRefusesInputs(t *testing.T) {
	good := newCeremony(t, ackOf("docs")+"\n"+answerOf(numberedFrames(2)...), options(t, archive.ShapeRoot))
	for _, input := range []string{
		"", good.input + "\n", " " + good.input, strings.Replace(good.input, "content of 1", "content of 2", 1),
		strings.Replace(good.input, `"id":"q"`, `"id":"Q"`, 1), ackOf("docs") + "\n" + answerOf(numberedFrames(3)...),
	} {
		c := good.clone()
		c.input = input
		if result, err := c.attach(); !errors.Is(err, archive.ErrInputChanged) || result != nil {
			t.Errorf("Attach to %q = %v, %v, want ErrInputChanged", input, result, err)
		}
	}
	// The request is made to fit the edited input by its digest, and is found not to fit by what is in it.
	for _, row := range []struct{ name, old, new string }{
		{"id", `"id":"f1"`, `"id":"f9"`},
		{"provider", `"name":"docs"`, `"name":"code"`},
		{"a frame more", `"frames":[`, `"frames":[` + frameOf("more", "x") + `,`},
		{"an answer more", `{"type":"frames"`, answerOf() + `{"type":"frames"`},
		{"a record in front", `{"type":"frames"`, `{"type":"shutdown"}{"type":"frames"`},
	} {
		c := good.clone()
		c.input = strings.Replace(c.input, row.old, row.new, 1)
		if c.input == good.input {
			t.Fatalf("%s: nothing was changed", row.name)
		}
		c.request.Input = commitment.ContentDigest(c.input)
		rename(c.request)
		for i := range c.signatures {
			c.signatures[i].Item = c.request.Items[i].Item
		}
		if result, err := c.attach(); !errors.Is(err, archive.ErrRequestMismatch) || result != nil {
			t.Errorf("%s: Attach = %v, %v, want ErrRequestMismatch", row.name, result, err)
		}
	}
	// An option that the input needs is missing in the request: the rule of signing in one step speaks.
	opt := options(t, archive.ShapeRoot)
	opt.FillDigests = true
	c := newCeremony(t, ackOf("docs")+answerOf(`{"id":"a","content":"x"}`), opt).clone()
	c.request.Options.FillDigests = false
	var refusal *archive.Refusal
	if _, err := c.attach(); !errors.As(err, &refusal) || refusal.Rule != archive.RuleMissingDigest {
		t.Errorf("Attach without fill_digests: %v, want a refusal by missing_digest", err)
	}
	// With its evidence the record would be too large to be read.
	c = good.clone()
	_, err := archive.Attach([]byte(c.input), c.request, c.signatures, archive.AttachOptions{Limits: archive.Limits{Record: int64(len(c.input))}})
	if !errors.As(err, &refusal) || refusal.Rule != archive.RuleOverLimit {
		t.Errorf("Attach over the limit: %v, want a refusal by over_limit", err)
	}
	for _, key := range []sign.PublicKey{{}, {Algorithm: "ed448", Bytes: good.request.Key.Bytes}} {
		c = good.clone()
		c.request.Key = key
		if _, err := c.attach(); !errors.Is(err, sign.ErrUnsupportedKey) {
			t.Errorf("Attach with a key of algorithm %q: %v, want ErrUnsupportedKey", key.Algorithm, err)
		}
	}
}

// TestAnySingleChangeIsRefused flips a bit in one of the three files. What comes out, if anything, is what comes out of the
// files as they were.
func TestAnySingleChangeIsRefused(t *testing.T) {
	refused, total := 0, 0
	inputs := []string{
		ackOf("docs") + "\n" + answerOf(numberedFrames(3)...) + "\n",
		`{"frames":[{"id":"a","content":"x","provenance":[{"type":"file","uri":"u","digest":"` + digestOf("x") + `"}]}]}`,
	}
	rapid.Check(t, func(t *rapid.T) {
		opt := options(t, rapid.SampledFrom(shapes).Draw(t, "shape"))
		opt.Provider, opt.FillDigests = commitment.Some("docs"), true
		c := newCeremony(t, rapid.SampledFrom(inputs).Draw(t, "input"), opt)
		files := [][]byte{[]byte(c.input), c.request.Marshal(), archive.MarshalSignatures(c.signatures)}
		want := mustSign(t, c.input, opt).Output
		file := rapid.IntRange(0, 2).Draw(t, "file")
		at := rapid.IntRange(0, len(files[file])-1).Draw(t, "byte")
		files[file][at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		total++
		request, err := archive.ParseRequest(files[1])
		if err != nil {
			refused++
			return
		}
		signatures, err := archive.ParseSignatures(files[2])
		if err != nil {
			refused++
			return
		}
		result, err := archive.Attach(files[0], request, signatures, archive.AttachOptions{})
		if err != nil {
			refused++
			return
		}
		// White space and escapes of the two JSON files say nothing.
		if file == 0 || !bytes.Equal(result.Output, want) {
			t.Fatalf("with file %d changed at byte %d Attach gives\n%s\nwant an error", file, at, result.Output)
		}
	})
	if refused == 0 || refused < total*9/10 {
		t.Errorf("%d of %d changes were refused", refused, total)
	}
}
