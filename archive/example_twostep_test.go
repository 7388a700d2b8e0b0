package archive_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A module stands for whatever holds a key and does not give it away: it shows what it signs.
type module struct{ key ed25519.PrivateKey }

func (m module) Public() crypto.PublicKey { return m.key.Public() }

func (m module) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	what, ok := opts.(sign.Request)
	if !ok {
		return nil, errors.New("this key signs commitments alone")
	}
	if what.Frame != nil {
		fmt.Printf("the module signs frame %s of %s\n", what.Frame.FrameID, what.Frame.ProviderID)
	} else {
		fmt.Println("the module signs the root of an answer")
	}
	return m.key.Sign(rand, message, opts)
}

// The key is in a hardware module on a machine that the answers never reach. Three steps, the second one there.
func ExamplePrepare() {
	secret := module{ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))}
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(secret.key.Public().(ed25519.PublicKey))}
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	session := []byte(`{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}
`)

	// Where the answers are: what is to be signed. The request travels as text.
	prepared, err := archive.Prepare(session, public, archive.SignOptions{
		Source: "session", KeyID: "docs-2026", IssuedAt: at, Shape: archive.ShapeBoth, FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	travels := prepared.Request.Marshal()

	// Where the key is: every commitment is recomputed before the key is used.
	request, err := archive.ParseRequest(travels)
	if err != nil {
		log.Fatal(err)
	}
	signatures, err := archive.SignRequest(request, secret)
	if err != nil {
		log.Fatal(err)
	}

	// Where the answers are again, with the request that was made here and not one that has travelled.
	result, err := archive.Attach(session, prepared.Request, signatures, archive.AttachOptions{Source: "session"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("signed", result.Signed, "as", result.Provider)
	// Output:
	// the module signs the root of an answer
	// the module signs frame hours of docs
	// signed 1 as docs
}

// The answers have changed since the request was made of them: nothing is written.
func ExampleAttach() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	served := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}`
	prepared, err := archive.Prepare([]byte(served), public, archive.SignOptions{
		Provider: commitment.Some("docs"), KeyID: "docs-2026", IssuedAt: at, FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	signatures, err := archive.SignRequest(prepared.Request, key)
	if err != nil {
		log.Fatal(err)
	}
	// Signatures are stored and sent as text too.
	if signatures, err = archive.ParseSignatures(archive.MarshalSignatures(signatures)); err != nil {
		log.Fatal(err)
	}

	edited := strings.Replace(served, "18", "22", 1)
	_, err = archive.Attach([]byte(edited), prepared.Request, signatures, archive.AttachOptions{Source: "served"})
	fmt.Println("changed since:", errors.Is(err, archive.ErrInputChanged))

	result, err := archive.Attach([]byte(served), prepared.Request, signatures, archive.AttachOptions{Source: "served"})
	if err != nil {
		log.Fatal(err)
	}
	keys := &archive.Keyring{}
	if err := keys.Trust("docs", "docs-2026", public, "example"); err != nil {
		log.Fatal(err)
	}
	host := archive.Verifier{Keys: keys, Policy: archive.Policy{Provider: commitment.Some("docs")}}
	report, err := host.VerifyReader(context.Background(), "served", bytes.NewReader(result.Output))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Answers[0].Frames[0].State)
	// Output:
	// changed since: true
	// attested
}

// Whoever holds the key looks at a request before signing it. A request that does not say what it signs is refused.
func ExampleParseRequest() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	public := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(key.Public().(ed25519.PublicKey))}
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	served := `{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}`
	prepared, err := archive.Prepare([]byte(served), public, archive.SignOptions{
		Provider: commitment.Some("docs"), KeyID: "docs-2026", IssuedAt: at, Shape: archive.ShapeFrames, FillDigests: true,
	})
	if err != nil {
		log.Fatal(err)
	}
	text := prepared.Request.Marshal()

	request, err := archive.ParseRequest(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := request.Check(); err != nil {
		log.Fatal(err)
	}
	for _, item := range request.Items {
		fmt.Println(item.Frame.ProviderID, item.Frame.FrameID, len(item.Message), "bytes")
	}

	// Another frame is named than the one whose commitment is to be signed.
	request, err = archive.ParseRequest(bytes.Replace(text, []byte(`"hours"`), []byte(`"loans"`), 1))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(request.Check(), archive.ErrItemMismatch))
	_, err = archive.ParseRequest([]byte(`{"format":"cgp-signing-request/2"}`))
	var malformed *archive.MalformedError
	fmt.Println(errors.As(err, &malformed), malformed.Member)
	// Output:
	// docs hours 32 bytes
	// true
	// true format
}

// A tool that knows nothing of CGP has signed the message of an item, and written 128 hexadecimal digits.
func ExampleParseSignature() {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	c := commitment.ContentDigest("any 32 bytes do here")
	raw, err := archive.ParseSignature(fmt.Appendf(nil, "%X\n", ed25519.Sign(key, c[:])))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(sign.VerifyEd25519(key.Public().(ed25519.PublicKey), c[:], raw))
	_, err = archive.ParseSignature([]byte("-----BEGIN SIGNATURE-----\n"))
	fmt.Println(errors.Is(err, archive.ErrNoSignature))
	// Output:
	// <nil>
	// true
}
