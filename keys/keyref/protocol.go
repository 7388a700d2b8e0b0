package keyref

import (
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The lines between this process and an external signer. Each is one JSON object; members that are not known are passed over.
// Requests have their members in this order and no white space, hexadecimal digits are lowercase. algorithm is that of the key.
//
//	{"op":"public_key"}
//	{"algorithm":"ed25519","public_key":"<hex>"}
//
//	{"op":"sign","algorithm":"ed25519","message":"<hex of the bytes to sign>","provider_id":"…","frame_id":"…"|null,
//	 "commitment":"sha256:…","preimage":"<hex>"|null}
//	{"signature":"<hex>"}
//
// In the place of either answer may stand {"error":"…"}. frame_id is null for the root of an answer, and preimage, what SHA-256
// takes to the message, where it is not at hand.

var errNoRequest = errors.New("want a sign.Request as options, which says what is signed")

// Sign implements crypto.Signer. opts must be a sign.Request.
func (e *external) Sign(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts.HashFunc() != 0 {
		return nil, errHashed
	}
	request, ok := opts.(sign.Request)
	if !ok {
		return nil, errNoRequest
	}
	line, err := e.exchange(appendSignRequest(nil, e.public.Algorithm, message, &request))
	if err != nil {
		return nil, err
	}
	form, _ := e.algorithms.Form(e.public.Algorithm)
	signature, err := readAnswer(line, "signature", form.SignatureSize)
	return signature, e.noteAnswer(err)
}

func (e *external) askPublicKey() (sign.PublicKey, error) {
	line, err := e.exchange([]byte(`{"op":"public_key"}` + "\n"))
	if err != nil {
		return sign.PublicKey{}, err
	}
	key, err := readPublicKey(line, e.algorithms)
	return key, e.noteAnswer(err)
}

// noteAnswer ends the program for an answer that is none.
func (e *external) noteAnswer(fault error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.note(fault)
}

func appendSignRequest(dst []byte, algorithm string, message []byte, r *sign.Request) []byte {
	dst = appendQuote(append(dst, `{"op":"sign","algorithm":`...), algorithm)
	dst = append(dst, `,"message":"`...)
	dst = hex.AppendEncode(dst, message)
	dst = appendQuote(append(dst, `","provider_id":`...), r.Provider)
	dst = append(dst, `,"frame_id":`...)
	if r.Frame != nil {
		dst = appendQuote(dst, r.Frame.FrameID)
	} else {
		dst = append(dst, "null"...)
	}
	dst = appendQuote(append(dst, `,"commitment":`...), r.Commitment.String())
	dst = append(dst, `,"preimage":`...)
	if r.Preimage != nil {
		dst = append(hex.AppendEncode(append(dst, '"'), r.Preimage), '"')
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, "}\n"...)
}

// appendQuote appends a JSON string. What is not valid UTF-8 becomes U+FFFD; no such text is ever signed.
func appendQuote(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

func readPublicKey(line []byte, algorithms sign.Algorithms) (key sign.PublicKey, err error) {
	object, err := readObject(line)
	if err != nil {
		return key, err
	}
	if key.Algorithm, err = member(object, "algorithm"); err != nil {
		return key, err
	}
	if _, known := algorithms.Lookup(key.Algorithm); !known {
		return key, fmt.Errorf("external signer: %w: its algorithm is %.80q, want %s", sign.ErrUnsupportedKey, key.Algorithm,
			strings.Join(algorithms.Names(), " or "))
	}
	form, _ := algorithms.Form(key.Algorithm)
	raw, err := readAnswer(line, "public_key", form.PublicKeySize)
	if err != nil {
		return key, err
	}
	key.Bytes = string(raw)
	if err := algorithms.Prepare(key).Err(); err != nil {
		return key, fmt.Errorf("external signer: %w", err)
	}
	return key, nil
}

// readAnswer returns the bytes of a member in lowercase hexadecimal digits; a size of 0 is any.
func readAnswer(line []byte, name string, size int) ([]byte, error) {
	object, err := readObject(line)
	if err != nil {
		return nil, err
	}
	text, err := member(object, name)
	if err != nil {
		return nil, err
	}
	if size > 0 && len(text) != 2*size {
		return nil, fmt.Errorf("%w: its %s has %d characters, want %d", ErrSignerProtocol, name, len(text), 2*size)
	}
	raw, err := hex.DecodeString(text)
	if err != nil || strings.ContainsAny(text, "ABCDEF") {
		return nil, fmt.Errorf("%w: its %s is not lowercase hexadecimal digits", ErrSignerProtocol, name)
	}
	return raw, nil
}

// readObject reads a line strictly. What is not read is not repeated either: a program that was named by mistake may have
// printed a secret.
func readObject(line []byte) (jsontext.Value, error) {
	if err := strictjson.Validate(line, strictjson.DefaultLimits()); err != nil {
		var fault *strictjson.Fault
		if errors.As(err, &fault) {
			return nil, fmt.Errorf("%w: its answer is no JSON object: %w at byte %d", ErrSignerProtocol, fault.Err, fault.At)
		}
		return nil, fmt.Errorf("%w: its answer is no JSON object", ErrSignerProtocol)
	}
	object := jsontext.Value(line)
	if object.Kind() != '{' {
		return nil, fmt.Errorf("%w: its answer is no JSON object", ErrSignerProtocol)
	}
	return object, nil
}

// member returns a string member of an answer, or the error that the answer tells.
func member(object jsontext.Value, name string) (string, error) {
	var value, refusal jsontext.Value
	for m := range strictjson.Members(object) {
		switch m.Name {
		case name:
			value = m.Value
		case "error":
			refusal = m.Value
		}
	}
	if len(refusal) > 0 && refusal.Kind() != 'n' {
		why, ok := strictjson.String(refusal)
		if !ok {
			return "", fmt.Errorf("%w: its error is no string", ErrSignerProtocol)
		}
		return "", fmt.Errorf("%w: %.200q", ErrSignerRefused, why)
	}
	text, ok := strictjson.String(value)
	if !ok {
		return "", fmt.Errorf("%w: its answer has no string %s", ErrSignerProtocol, name)
	}
	return text, nil
}
