package testvectors

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// refusals are what the producing ops answer for errors that have no code of their own in package archive.
var refusals = []struct {
	err  error
	name string
}{
	{archive.ErrNoProvider, "no_provider"},
	{archive.ErrNothingToSign, "nothing_to_sign"},
	{archive.ErrNoHandshake, "no_handshake"},
	{archive.ErrUnknownShape, "unknown_shape"},
	{sign.ErrMalformedID, "malformed_id"},
	{commitment.ErrMalformedInstant, malformedInstant},
	{sign.ErrMalformedKey, malformedKey},
	{sign.ErrSignerMismatch, string(archive.RuleSignerMismatch)},

	{archive.ErrInputChanged, "input_changed"},
	{archive.ErrRequestMismatch, "request_mismatch"},
	{archive.ErrUnknownItem, "unknown_item"},
	{archive.ErrDuplicateSignature, "duplicate_signature"},
	{archive.ErrMissingSignature, "missing_signature"},
	{archive.ErrWrongSignature, "wrong_signature"},
	{archive.ErrItemMismatch, "item_mismatch"},
	{archive.ErrOtherKey, otherKey},
	{archive.ErrNoSignature, "no_signature"},

	{archive.ErrNoAnswer, "no_answer"},
	{archive.ErrSeveralAnswers, "several_answers"},
	{archive.ErrUnknownFrame, errorUnknownFrame},
	{archive.ErrAmbiguousFrame, "ambiguous_frame"},
	{archive.ErrMalformedRef, "malformed_reference"},
	{archive.ErrNothingKept, "nothing_kept"},
	{archive.ErrKeepAndDrop, "keep_and_drop"},
	{archive.ErrUnknownForm, "unknown_form"},
}

// refused is the answer for an error of signing, keeping or proving. An error that no input brings about panics.
func refused(err error) Result {
	var (
		unsigned   *archive.Refusal
		withheld   *archive.RetainRefusal
		unreadable *archive.RecordError
		malformed  *archive.MalformedError
	)
	switch {
	case errors.As(err, &unsigned):
		return Result{Error: string(unsigned.Rule)}
	case errors.As(err, &withheld) && withheld.Rule == archive.RetainUnsigned:
		return Result{Error: errorUnsigned}
	case errors.As(err, &withheld):
		return Result{Error: string(withheld.Rule)}
	case errors.As(err, &unreadable):
		return Result{Error: string(unreadable.Code)}
	case errors.As(err, &malformed) && malformed.Format == archive.FormatRequest:
		return Result{Error: "malformed_request"}
	case errors.As(err, &malformed):
		return Result{Error: "malformed_signatures"}
	}
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return Result{Error: r.name}
		}
	}
	panic(err)
}

// A statedKey is a key whose holder says that another is its public half.
type statedKey struct {
	ed25519.PrivateKey
	public ed25519.PublicKey
}

// Public implements crypto.Signer.
func (k statedKey) Public() crypto.PublicKey { return k.public }

func keyOf(in Object) crypto.Signer {
	key := ed25519.NewKeyFromSeed(fromHex(asked[string](in, "seed")))
	if text, stated := optional(in, "public_key").Text(); stated {
		return statedKey{key, fromHex(text)}
	}
	return key
}

// flag reads a member that is true or false, or missing.
func flag(in Object, name string) bool {
	v, _ := in.Find(name)
	b, _ := v.(bool)
	return b
}

// signOptions are the options of an input, without the key. A malformed issued_at is none: the zero Instant, which signing refuses.
func signOptions(in Object) archive.SignOptions {
	issuedAt, _ := commitment.ParseInstant(optional(in, "issued_at").OrEmpty())
	return archive.SignOptions{
		KeyID: asked[string](in, "key_id"), AttesterID: optional(in, "attester_id").OrEmpty(), IssuedAt: issuedAt,
		Shape: archive.Shape(optional(in, "shape").OrEmpty()), NoProofs: flag(in, "no_proofs"), Provider: optional(in, "provider"),
		FillDigests: flag(in, "fill_digests"), Replace: flag(in, "replace"), SkipUnsignable: flag(in, "skip_unsignable"),
		PublishKey: flag(in, "publish_key"), AllowOpaqueDigest: flag(in, "allow_opaque_digest"),
	}
}

func answerSign(in Object) Result {
	opt := signOptions(in)
	opt.Key = keyOf(in)
	input := inputBytes(in)
	return signedResult(archive.Sign(input, opt))
}

// signedResult tells what signing has written: evidence is read off the output, which holds it for the next reader.
func signedResult(r *archive.SignResult, err error) Result {
	if err != nil {
		return refused(err)
	}
	records := recordsOf(r.Output)
	answers, skipped := List{}, List{}
	for _, a := range r.Answers {
		result := resultOf(records[a.Record-1])
		answers = append(answers, object("record", integer(a.Record), "frame_attestations", written(result, "frame_attestations"),
			"result_attestation", written(result, "result_attestation")))
	}
	for i := range r.Skipped {
		skipped = append(skipped, object("record", integer(r.Skipped[i].Record), memberError, string(r.Skipped[i].Rule)))
	}
	return Result{Value: object("provider_id", r.Provider, "answers", answers, "skipped", skipped, "published", acknowledgedKeys(records))}
}

// written is a member that signing may write, null where it is missing or an empty array.
func written(result Object, name string) any {
	v, _ := result.Find(name)
	if list, ok := v.(List); ok && len(list) == 0 {
		return nil
	}
	return v
}

// recordsOf are the records of a text in which all can be read.
func recordsOf(text []byte) (records List) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		raw, err := decoder.ReadValue()
		if errors.Is(err, io.EOF) {
			return records
		}
		if err != nil {
			panic(err)
		}
		v := valueOf(raw)
		if list, ok := v.(List); ok {
			records = append(records, list...)
			continue
		}
		records = append(records, v)
	}
}

// messageOf is the message that a record is, or that an archived one holds.
func messageOf(record any) Object {
	o := record.(Object)
	if _, ok := o.Find("type"); ok {
		return o
	}
	if envelope, ok := o.Find("envelope"); ok {
		return envelope.(Object)
	}
	return o
}

// resultOf is the result in a message, or the bare one that a record is.
func resultOf(record any) Object {
	o := messageOf(record)
	if result, ok := o.Find("result"); ok {
		return result.(Object)
	}
	return o
}

// acknowledgedKeys are the keys that each handshake_ack carries.
func acknowledgedKeys(records List) List {
	acks := List{}
	for i := range records {
		o := messageOf(records[i])
		if typ, _ := o.Find("type"); typ == "handshake_ack" {
			held, _ := o.Find("attester_keys")
			acks = append(acks, object("record", integer(i+1), "attester_keys", held))
		}
	}
	return acks
}

func answerPublish(in Object) Result {
	key := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(fromHex(asked[string](in, "public_key")))}
	output, err := archive.PublishKey("", inputBytes(in), asked[string](in, "key_id"), key)
	if err != nil {
		return refused(err)
	}
	return Result{Value: object("published", acknowledgedKeys(recordsOf(output)))}
}
