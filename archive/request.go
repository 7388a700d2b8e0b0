package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// FormatRequest is the format of a [Request].
const FormatRequest = "cgp-signing-request/1"

// A Request says what is to be signed of one input, so that it can be signed where the input is not. [Prepare] makes it,
// [SignRequest] or any other tool that holds the key signs its items, [Attach] writes the signatures into the input.
//
// Of all this the signatures cover each item's commitment and nothing else: what Attach writes for key_id, attester_id and
// issued_at is what stands here. It is to be given the request that Prepare made, not one that has travelled.
type Request struct {
	Algorithms sign.Algorithms // that the key may be of; empty: Ed25519 alone. It stands in no text

	Input      commitment.Digest // SHA-256 of every byte of the input
	Key        sign.PublicKey    // under which the signatures have to verify
	KeyID      string
	AttesterID string
	IssuedAt   commitment.Instant
	Shape      Shape
	Options    RequestOptions
	Items      []RequestItem // in the order in which Sign signs them
}

// RequestOptions are the options of Prepare that decide, beside the members of a Request, what Attach writes.
type RequestOptions struct {
	Provider commitment.Optional // as given, not as found in the input

	NoProofs, FillDigests, Replace, SkipUnsignable, PublishKey, AllowOpaqueDigest bool
}

// A RequestItem is the root of an answer or a frame of one, to be signed.
type RequestItem struct {
	// Item names the item, and in its second half the request: the number of the item, counted from 1, a hyphen, and the first
	// 16 hexadecimal digits of the SHA-256 of the request's text without hyphens and second halves. A signature that was made
	// for the same message in another request has another name.
	Item       string
	Record     uint64              // the answer's record in the input, from 1
	Frame      *commitment.FrameID // nil: the root
	Commitment commitment.Digest
	Message    []byte              // what is signed: the 32 bytes of Commitment
	Preimage   []byte              // of a frame: what SHA-256 takes to Commitment; of a root nil
	Leaves     []commitment.Digest // of a root: the commitments of the answer's frames in canonical order; of a frame nil
}

const (
	kindRoot  = string(ShapeRoot)
	kindFrame = "frame"
)

// kind returns the item's kind as it is spelt in a request.
func (it *RequestItem) kind() string {
	if it.Frame == nil {
		return kindRoot
	}
	return kindFrame
}

// The ways in which a request and what is brought to it are refused, by SignRequest and Attach.
var (
	ErrItemMismatch = errors.New("the item is not what it claims to be")
	ErrOtherKey     = errors.New("the key is not the one that the request names")
)

// Check recomputes every commitment from what stands beside it: a frame's from its preimage, which must be that of the frame
// named, a root from its leaves; and every item's name from the whole request. The error wraps ErrItemMismatch.
//
// Whether the items belong to any answer cannot be seen from here. Of a root it is not known which frames it is over.
func (r *Request) Check() error {
	for i := range r.Items {
		if fault := r.Items[i].check(r.Shape); fault != "" {
			return fmt.Errorf("archive: item %d of the request: %w: %s", i+1, ErrItemMismatch, fault)
		}
	}
	// The names depend on everything: they are looked at last, when nothing else in the items is left to blame.
	for i, name := range r.names() {
		if r.Items[i].Item != name {
			return fmt.Errorf("archive: item %d of the request: %w: it is called %.64q, and by the rest of the request it is %q",
				i+1, ErrItemMismatch, r.Items[i].Item, name)
		}
	}
	return nil
}

// check says what does not fit in an item, "" where everything does.
func (it *RequestItem) check(shape Shape) string {
	switch {
	case it.Frame == nil && !shape.signsRoot(), it.Frame != nil && !shape.signsFrames():
		return fmt.Sprintf("its kind is %s, and the shape is %s", it.kind(), shape)
	case !bytes.Equal(it.Message, it.Commitment[:]):
		return fmt.Sprintf("its message is not the %d bytes of its commitment", len(it.Commitment))
	case it.Frame == nil:
		if root := merkle.Root(it.Leaves); root != it.Commitment {
			return fmt.Sprintf("its commitment is %s, the root over its %d leaves is %s", it.Commitment, len(it.Leaves), root)
		}
	case sha256.Sum256(it.Preimage) != it.Commitment:
		return fmt.Sprintf("its commitment is %s, the SHA-256 of its preimage is %s", it.Commitment,
			commitment.Digest(sha256.Sum256(it.Preimage)))
	case !isPreimageOf(it.Preimage, it.Frame):
		return fmt.Sprintf("its preimage is not that of frame %.128q of provider %.128q with its content_digest",
			it.Frame.FrameID, it.Frame.ProviderID)
	}
	return ""
}

// isPreimageOf reports whether a preimage is one of the frame's, whatever its provenance:
//
//	"contextgraph/attest/1/frame" ‖ enc_str(provider_id) ‖ enc_str(frame_id) ‖ enc_opt(content_digest) ‖ chain head, 32 bytes
func isPreimageOf(preimage []byte, id *commitment.FrameID) bool {
	steps, err := commitment.Trace(id.ProviderID, &commitment.Frame{ID: id.FrameID, ContentDigest: id.ContentDigest})
	if err != nil || len(preimage) != len(steps.FramePreimage) {
		return false
	}
	head := len(preimage) - len(steps.ChainHead)
	return bytes.Equal(preimage[:head], steps.FramePreimage[:head])
}

// names returns what the items have to be called.
func (r *Request) names() []string {
	text := sha256.New()
	r.write(text)
	tag := hex.EncodeToString(text.Sum(nil)[:8])
	names := make([]string, len(r.Items))
	for i := range names {
		names[i] = strconv.Itoa(i+1) + "-" + tag
	}
	return names
}

// write hashes the request's text, each item named by its number alone.
func (r *Request) write(text hash.Hash) {
	buffer := r.appendHead(nil)
	for i := range r.Items {
		text.Write(buffer)
		it := r.Items[i]
		it.Item = strconv.Itoa(i + 1)
		buffer = appendItem(buffer[:0], i, &it)
	}
	text.Write(append(buffer, tailOfItems...))
}

// Marshal returns the request as cgp-signing-request/1: one JSON object, a line an item, characters that may not show as
// themselves escaped, with a final newline.
func (r *Request) Marshal() []byte {
	dst := r.appendHead(nil)
	for i := range r.Items {
		dst = appendItem(dst, i, &r.Items[i])
	}
	return append(dst, tailOfItems...)
}

const tailOfItems = "\n]}\n"

func (r *Request) appendHead(dst []byte) []byte {
	dst = append(dst, `{"format":"`+FormatRequest+`","input_sha256":"`...)
	dst = hex.AppendEncode(dst, r.Input[:])
	dst = appendEscaped(append(dst, `","algorithm":`...), r.Key.Algorithm)
	dst = hex.AppendEncode(append(dst, `,"public_key":"`...), []byte(r.Key.Bytes))
	dst = appendEscaped(append(dst, `","key_id":`...), r.KeyID)
	dst = appendEscaped(append(dst, `,"attester_id":`...), r.AttesterID)
	dst = appendEscaped(append(dst, `,"issued_at":`...), r.IssuedAt.String())
	dst = appendEscaped(append(dst, `,"shape":`...), string(r.Shape))
	if r.Options != (RequestOptions{}) {
		dst = r.Options.append(append(dst, `,"options":`...))
	}
	return append(dst, `,"items":[`...)
}

// append writes the options that are set.
func (o *RequestOptions) append(dst []byte) []byte {
	before := byte('{')
	if provider, given := o.Provider.Text(); given {
		dst = appendEscaped(append(dst, `{"provider":`...), provider)
		before = ','
	}
	for _, f := range o.flags() {
		if *f.set {
			dst = append(append(append(dst, before, '"'), f.name...), `":true`...)
			before = ','
		}
	}
	return append(dst, '}')
}

// flags returns the options that are set or not, in the order in which they are written.
func (o *RequestOptions) flags() []optionFlag {
	return []optionFlag{
		{"no_proofs", &o.NoProofs}, {"fill_digests", &o.FillDigests}, {"replace", &o.Replace},
		{"skip_unsignable", &o.SkipUnsignable}, {"publish_key", &o.PublishKey}, {"allow_opaque_digest", &o.AllowOpaqueDigest},
	}
}

type optionFlag struct {
	name string
	set  *bool
}

func appendItem(dst []byte, i int, it *RequestItem) []byte {
	if i > 0 {
		dst = append(dst, ',')
	}
	dst = appendEscaped(append(dst, "\n"+`{"item":`...), it.Item)
	dst = strconv.AppendUint(append(dst, `,"answer":`...), it.Record, 10)
	dst = append(append(append(dst, `,"kind":"`...), it.kind()...), `","frame":`...)
	if it.Frame == nil {
		dst = append(dst, "null"...)
	} else {
		dst = appendEscaped(append(dst, `{"provider_id":`...), it.Frame.ProviderID)
		dst = appendEscaped(append(dst, `,"frame_id":`...), it.Frame.FrameID)
		dst = append(appendEscaped(append(dst, `,"content_digest":`...), it.Frame.ContentDigest.OrEmpty()), '}')
	}
	dst = appendEscaped(append(dst, `,"commitment":`...), it.Commitment.String())
	dst = hex.AppendEncode(append(dst, `,"message":"`...), it.Message)
	if it.Frame == nil {
		dst = append(dst, `","preimage":null,"leaves":[`...)
		for k, leaf := range it.Leaves {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst, _ = leaf.AppendText(append(dst, '"'))
			dst = append(dst, '"')
		}
		return append(dst, `]}`...)
	}
	dst = hex.AppendEncode(append(dst, `","preimage":"`...), it.Preimage)
	return append(dst, `","leaves":null}`...)
}

// appendEscaped appends a JSON string in which every character that does not print is a \u escape: people read a request
// before they sign it.
func appendEscaped(dst []byte, s string) []byte {
	for quoted := appendQuote(nil, s); len(quoted) > 0; {
		r, size := utf8.DecodeRune(quoted)
		if unicode.IsPrint(r) {
			dst = append(dst, quoted[:size]...)
		} else if high, low := utf16.EncodeRune(r); high == utf8.RuneError {
			dst = fmt.Appendf(dst, `\u%04x`, r)
		} else {
			dst = fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
		}
		quoted = quoted[size:]
	}
	return dst
}
