package archive

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A MalformedError says what is wrong with a text that is to be a signing request or signatures.
type MalformedError struct {
	Format string // that the text is to be in
	Member string // as in items[3].frame.frame_id, elements counted from 0; "" for the whole
	Err    error
}

// Error names the format and the member.
func (e *MalformedError) Error() string {
	if e.Member == "" {
		return fmt.Sprintf("archive: malformed %s: %v", e.Format, e.Err)
	}
	return fmt.Sprintf("archive: malformed %s: %s: %v", e.Format, e.Member, e.Err)
}

// Unwrap returns the cause.
func (e *MalformedError) Unwrap() error { return e.Err }

// What may be wrong with a member beside its value.
var (
	ErrUnknownMember = errors.New("no such member is known")
	ErrMissingMember = errors.New("the member is missing")
)

// ParseRequest reads a cgp-signing-request/1: one JSON value of any size and nothing after it. Members that are not known are
// an error, since what they ask for would be signed unseen. Whether the items are what they claim to be is for [Request.Check].
//
// The error is a *[MalformedError]; it wraps [ErrUnknownMember], [ErrMissingMember], sign.ErrMalformedKey for a key that a
// strict verifier declines, or what the value's own parser says.
func ParseRequest(data []byte) (*Request, error) { return ParseRequestOf(sign.Algorithms{}, data) }

// ParseRequestOf is ParseRequest for a key of one of the given algorithms. The request keeps them.
func ParseRequestOf(algorithms sign.Algorithms, data []byte) (*Request, error) {
	r := &Request{Algorithms: algorithms}
	err := readFile(data, FormatRequest, []field{
		{name: "input_sha256", read: parsed(&r.Input, parseSHA256)},
		{name: "algorithm", read: parsed(&r.Key.Algorithm, r.parseAlgorithm)},
		{name: "public_key", read: parsed(&r.Key.Bytes, parseKeyHex)},
		{name: "key_id", read: parsed(&r.KeyID, parseName)},
		{name: "attester_id", read: parsed(&r.AttesterID, parseName)},
		{name: "issued_at", read: parsed(&r.IssuedAt, commitment.ParseInstant)},
		{name: "shape", read: parsed(&r.Shape, parseShape)},
		{name: "options", optional: true, read: r.Options.read},
		{name: "items", read: func(v jsontext.Value) error { return readElements(v, r.readItem) }},
	})
	if err != nil {
		return nil, err
	}
	// Here, as either of the two members may stand in front.
	if err := orEd25519(algorithms).Prepare(r.Key).Err(); err != nil {
		return nil, &MalformedError{Format: FormatRequest, Member: "public_key", Err: err}
	}
	return r, nil
}

func (o *RequestOptions) read(v jsontext.Value) error {
	var provider string
	fields := []field{{name: "provider", optional: true, read: parsed(&provider, parseName)}}
	for _, f := range o.flags() {
		fields = append(fields, field{name: f.name, optional: true, read: func(v jsontext.Value) (err error) {
			var ok bool
			if *f.set, ok = strictjson.Bool(v); !ok {
				err = wrongKind(v, "true or false")
			}
			return err
		}})
	}
	err := readFields(v, fields)
	if provider != "" {
		o.Provider = commitment.Some(provider)
	}
	return err
}

func (r *Request) readItem(v jsontext.Value) error {
	var (
		it   RequestItem
		kind string
	)
	err := readFields(v, []field{
		{name: "item", read: parsed(&it.Item, parseName)},
		{name: "answer", read: func(v jsontext.Value) (err error) { it.Record, err = readNumber(v); return err }},
		{name: "kind", read: parsed(&kind, parseKind)},
		{name: "frame", read: unlessNull(func(v jsontext.Value) (err error) { it.Frame, err = readFrame(v); return err })},
		{name: "commitment", read: parsed(&it.Commitment, commitment.ParseDigest)},
		{name: "message", read: parsed(&it.Message, parseLowerHex)},
		{name: "preimage", read: unlessNull(parsed(&it.Preimage, parseLowerHex))},
		{name: "leaves", read: unlessNull(func(v jsontext.Value) (err error) { it.Leaves, err = readLeaves(v); return err })},
	})
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name, of string
		there    bool
	}{
		{"frame", kindFrame, it.Frame != nil}, {"preimage", kindFrame, it.Preimage != nil}, {"leaves", kindRoot, it.Leaves != nil},
	} {
		switch {
		case part.there && part.of != kind:
			return &MalformedError{Member: part.name, Err: fmt.Errorf("it is not null, which an item of kind %s wants", kind)}
		case !part.there && part.of == kind:
			return &MalformedError{Member: part.name, Err: fmt.Errorf("it is null, and an item of kind %s has it", kind)}
		}
	}
	r.Items = append(r.Items, it)
	return nil
}

// readFrame reads the frame of an item. One without a content_digest may not be signed (CGP F14).
func readFrame(v jsontext.Value) (*commitment.FrameID, error) {
	var id commitment.FrameID
	var digest string
	err := readFields(v, []field{
		{name: "provider_id", read: parsed(&id.ProviderID, parseName)},
		{name: "frame_id", read: parsed(&id.FrameID, parseName)},
		{name: "content_digest", read: parsed(&digest, func(s string) (string, error) { return s, nil })},
	})
	id.ContentDigest = commitment.Some(digest)
	return &id, err
}

func readLeaves(v jsontext.Value) ([]commitment.Digest, error) {
	leaves := []commitment.Digest{} // not nil: an answer without frames has a root too
	err := readElements(v, func(v jsontext.Value) error {
		var leaf commitment.Digest
		err := parsed(&leaf, commitment.ParseDigest)(v)
		leaves = append(leaves, leaf)
		return err
	})
	return leaves, err
}

// A field is one member that an object may have, and how its value is read.
type field struct {
	name     string
	optional bool
	read     func(jsontext.Value) error
}

// readFile reads an object of a format. The format is judged before every other member.
func readFile(data []byte, format string, fields []field) error {
	// The text is in memory whole: a limit on its size is for whoever reads it.
	err := strictjson.Validate(data, strictjson.Limits{Bytes: math.MaxInt64})
	if err == nil {
		err = judgeFormat(data, format)
	}
	if err == nil {
		err = readFields(data, append(fields, field{name: "format", read: func(jsontext.Value) error { return nil }}))
	}
	if err == nil {
		return nil
	}
	malformed := inside("", err)
	malformed.Format = format
	return malformed
}

// judgeFormat reads the member format of an object. Where there is no object, the reader of the rest tells.
func judgeFormat(v jsontext.Value, want string) error {
	for m := range strictjson.Members(v) {
		if m.Name != "format" {
			continue
		}
		err := parsed(new(string), func(text string) (string, error) {
			if text != want {
				return "", fmt.Errorf("it is %.64q, want %q", text, want)
			}
			return text, nil
		})(m.Value)
		if err != nil {
			return inside(m.Name, err)
		}
		return nil
	}
	if strictjson.Kind(v) == '{' {
		return inside("format", ErrMissingMember)
	}
	return nil
}

// readFields reads an object that has every field that is not optional, and no other member.
func readFields(v jsontext.Value, fields []field) error {
	if strictjson.Kind(v) != '{' {
		return wrongKind(v, "an object")
	}
	seen := make([]bool, len(fields))
	for m := range strictjson.Members(v) {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == m.Name })
		if i < 0 {
			return &MalformedError{Member: fmt.Sprintf("%.64q", m.Name), Err: ErrUnknownMember}
		}
		seen[i] = true
		if err := fields[i].read(m.Value); err != nil {
			return inside(m.Name, err)
		}
	}
	for i, f := range fields {
		if !seen[i] && !f.optional {
			return &MalformedError{Member: f.name, Err: ErrMissingMember}
		}
	}
	return nil
}

func readElements(v jsontext.Value, read func(jsontext.Value) error) error {
	if strictjson.Kind(v) != '[' {
		return wrongKind(v, "an array")
	}
	i := 0
	for e := range strictjson.Elements(v) {
		if err := read(e.Value); err != nil {
			return inside(fmt.Sprintf("[%d]", i), err)
		}
		i++
	}
	return nil
}

// inside makes the error of a value one of what the value stands in, under a name of a member, an index in brackets or "".
func inside(name string, err error) *MalformedError {
	e, nested := err.(*MalformedError)
	switch {
	case !nested:
		return &MalformedError{Member: name, Err: err}
	case e.Member == "" || name == "" || e.Member[0] == '[':
		e.Member = name + e.Member
	default:
		e.Member = name + "." + e.Member
	}
	return e
}

func wrongKind(v jsontext.Value, want string) error {
	return fmt.Errorf("it is %s, want %s", strictjson.KindName(v), want)
}

// unlessNull leaves a value that is null unread.
func unlessNull(read func(jsontext.Value) error) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		if isNull(v) {
			return nil
		}
		return read(v)
	}
}

// parsed reads a string and stores what parse makes of it.
func parsed[T any](to *T, parse func(string) (T, error)) func(jsontext.Value) error {
	return func(v jsontext.Value) error {
		text, ok := strictjson.String(v)
		if !ok {
			return wrongKind(v, "a string")
		}
		value, err := parse(text)
		if err == nil {
			*to = value
		}
		return err
	}
}

func readNumber(v jsontext.Value) (uint64, error) {
	n, ok := strictjson.Uint64(v)
	if !ok || n == 0 {
		return 0, wrongKind(v, "an integer from 1 to 18446744073709551615 in plain digits")
	}
	return n, nil
}

func parseName(text string) (string, error) {
	if text == "" {
		return "", errors.New("it is empty")
	}
	return text, nil
}

func parseLowerHex(text string) ([]byte, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "ABCDEF") {
		return nil, errors.New("it is not lowercase hexadecimal")
	}
	return raw, nil
}

// parseSHA256 reads a SHA-256 as sha256sum prints it.
func parseSHA256(text string) (commitment.Digest, error) {
	d, err := commitment.ParseDigest(commitment.DigestPrefix + text)
	if err != nil {
		return d, errors.New("it is not 64 lowercase hexadecimal digits")
	}
	return d, nil
}

func (r *Request) parseAlgorithm(text string) (string, error) {
	if _, known := orEd25519(r.Algorithms).Lookup(text); !known {
		return "", fmt.Errorf(`it is %.64q, want "%s"`, text, strings.Join(orEd25519(r.Algorithms).Names(), `" or "`))
	}
	return text, nil
}

func parseKeyHex(text string) (string, error) {
	raw, err := parseLowerHex(text)
	return string(raw), err
}

func parseKind(text string) (string, error) {
	if text != kindRoot && text != kindFrame {
		return "", fmt.Errorf("it is %.64q, want %s or %s", text, kindRoot, kindFrame)
	}
	return text, nil
}
