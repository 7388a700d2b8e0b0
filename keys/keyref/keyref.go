// Package keyref opens signing keys where they really live: in a file, on standard input, in an environment variable, behind
// a file descriptor, in an ssh-agent, or in a program that signs for an HSM or a key management service.
//
// [Parse] reads a reference, [Open] opens the key that it names as a crypto.Signer. Unlike package keys this one asks the
// machine it runs on: it reads files and the environment, connects to the agent and starts programs.
//
// # Where to start
//
//   - [Parse]: from what a person writes to a [Reference]
//   - [Open]: the key behind it, to be closed
//   - [Read], [Unlock]: the same in two steps, for a reference that [Reference.HoldsText]
//
// A [Key] is safe for concurrent use. An error wraps a variable below, what keys.ParsePrivateKeyWithPassphrase says of the text, the
// error of the file, or that of the context where it ended.
//
// # Security
//
// That a key opens says that it is one which a strict verifier takes, of Ed25519 unless [Options] allow others. It does not say that what signs holds it:
// sign.Signer verifies every signature under the public key before anything is done with it, and so must whoever signs
// without that.
//
// No error and no way of printing a [Key] shows a secret, and what looks like a private key in the place of a reference is
// not repeated. An external signer gets no arguments and of the environment what [SignerEnvironment] lists.
package keyref

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Why a key cannot be opened or does not sign, beside the errors of keys.ParsePrivateKeyWithPassphrase.
var (
	ErrMalformedReference = errors.New("malformed key reference")
	ErrSecretGiven        = errors.New("this looks like a private key, want a reference to one")
	ErrExposed            = errors.New("private key open to others")
	ErrNotSet             = errors.New("environment variable not set")
	ErrEmpty              = errors.New("environment variable empty")
	ErrNoAgent            = errors.New("no ssh-agent")
	ErrNoSuchKey          = errors.New("no such key in the agent")
	ErrAmbiguousKey       = errors.New("more than one key in the agent")
	ErrAgentRefused       = errors.New("the agent does not sign")
	ErrSignerStart        = errors.New("external signer does not start")
	ErrSignerProtocol     = errors.New("external signer breaks the protocol")
	ErrSignerRefused      = errors.New("external signer refuses")
	ErrSignerEnded        = errors.New("external signer ended")
	ErrTimeout            = errors.New("time limit exceeded")
)

// Kind is where a key lives.
type Kind string

const (
	Path        Kind = "path"  // in a file of its owner's
	Stdin       Kind = "-"     // on standard input
	Environment Kind = "env"   // in an environment variable
	Descriptor  Kind = "fd"    // behind an open file descriptor
	Agent       Kind = "agent" // in an ssh-agent
	External    Kind = "exec"  // in a program that signs
)

// Reference names a key. It is no secret.
type Reference struct {
	Kind Kind
	Name string // the path, the variable, the number, the fingerprint or comment, the program; "" for Stdin
}

// Parse reads a reference: "-", or a kind, a colon and a name; any other text is a path, and so is one that begins with "./".
//
// The error wraps [ErrMalformedReference], or [ErrSecretGiven] for what looks like a private key itself. That is not read, and
// not repeated in the error: a command line can be seen by others.
func Parse(text string) (Reference, error) {
	if text == string(Stdin) {
		return Reference{Kind: Stdin}, nil
	}
	ref := Reference{Kind: Path, Name: text}
	for _, kind := range []Kind{Environment, Descriptor, Agent, External} {
		if name, ok := strings.CutPrefix(text, string(kind)+":"); ok {
			ref = Reference{Kind: kind, Name: name}
		}
	}
	if looksSecret(ref.Name) {
		return Reference{}, fmt.Errorf("keyref: %w", ErrSecretGiven)
	}
	if why := ref.fault(); why != "" {
		return Reference{}, fmt.Errorf("keyref: %w %.128q: %s", ErrMalformedReference, text, why)
	}
	return ref, nil
}

// looksSecret reports whether a name is 64 hexadecimal digits, as a seed is, or begins as PEM does.
func looksSecret(name string) bool {
	const digits = "0123456789abcdefABCDEF"
	return len(name) == 2*ed25519.SeedSize && strings.Trim(name, digits) == "" || strings.HasPrefix(name, "-----BEGIN")
}

// fault says what keeps a reference from being one, or nothing.
func (r Reference) fault() string {
	switch {
	case r.Name == "":
		return "the name is empty"
	case strings.ContainsRune(r.Name, 0):
		return "the name holds a zero byte"
	case r.Kind == Environment && strings.Contains(r.Name, "="):
		return "no variable has an equals sign in its name"
	case r.Kind == Descriptor:
		n, err := strconv.ParseUint(r.Name, 10, 31)
		if err != nil || strconv.FormatUint(n, 10) != r.Name {
			return "want the number of a file descriptor"
		}
		if n == 1 || n == 2 {
			return "descriptors 1 and 2 are outputs"
		}
	}
	return ""
}

// String returns the reference as [Parse] reads it.
func (r Reference) String() string {
	switch r.Kind {
	case Stdin:
		return string(Stdin)
	case Path:
		return r.Name
	}
	return string(r.Kind) + ":" + r.Name
}

// HoldsText reports whether a text is read that holds the key. Behind the other kinds something signs and keeps the key.
func (r Reference) HoldsText() bool {
	return r.Kind != Agent && r.Kind != External
}

// DefaultRequestTimeout is how long an agent or an external signer may take for one request.
const DefaultRequestTimeout = 60 * time.Second

// Options are what opening a key may need.
type Options struct {
	// Algorithms are what the key may be of. The zero value is Ed25519 alone; a sign.Scheme in it is one more.
	Algorithms sign.Algorithms
	// Stdin is read to its end for a key on standard input. Nil: there is none.
	Stdin io.Reader
	// Passphrase is called once, for a key that is protected by a passphrase. Nil: keys.ErrPassphraseMissing is returned.
	Passphrase func(ctx context.Context, ref Reference) ([]byte, error)
	// SignerSays is called with each line that an external signer writes to its standard error, without the line feed and
	// cut after some thousand bytes, from a goroutine that ends before [Key.Close] returns. Nil: the lines are dropped.
	SignerSays func(line string)
	// RequestTimeout is how long an agent or an external signer may take for one request, a person's confirmation included.
	// Zero: [DefaultRequestTimeout].
	RequestTimeout time.Duration
}

func (o *Options) parser() keys.Parser { return keys.Parser{Algorithms: o.Algorithms} }

// algorithms returns what a key may be of.
func (o *Options) algorithms() sign.Algorithms {
	if o.Algorithms.IsEmpty() {
		return sign.Ed25519Only()
	}
	return o.Algorithms
}

func (o *Options) requestTimeout() time.Duration {
	if o.RequestTimeout <= 0 {
		return DefaultRequestTimeout
	}
	return o.RequestTimeout
}

// Key is an opened signing key. It implements crypto.Signer, and every way of printing it gives the fingerprint of its public
// key. It is safe for concurrent use.
type Key struct {
	ref    Reference
	signer crypto.Signer
	public sign.PublicKey
	close  func() error // nil where nothing is to be closed
}

// Open opens the key that a reference names. The caller must close it. ctx ends the reading, the connection and the external
// signer, also after Open has returned: what was under way then gives the error of ctx.
func Open(ctx context.Context, ref Reference, opt Options) (*Key, error) {
	key, err := open(ctx, ref, &opt)
	if err != nil {
		return nil, fmt.Errorf("keyref: %.128q: %w", ref, err)
	}
	return key, nil
}

func open(ctx context.Context, ref Reference, opt *Options) (*Key, error) {
	switch ref.Kind {
	case Agent:
		return openAgent(ctx, ref, opt)
	case External:
		return openExternal(ctx, ref, opt)
	}
	text, err := read(ctx, ref, opt)
	if err != nil {
		return nil, err
	}
	if text.Exposed != nil {
		// What is no key to sign with, such as the .pub file beside one, may be open to others: that is not what is wrong with it.
		if _, err := opt.parser().ParsePrivateKey(text.Bytes); errors.Is(err, sign.ErrUnsupportedKey) {
			return nil, err
		}
		return nil, text.Exposed
	}
	return unlock(ctx, text, opt)
}

// Unlock returns the key that a text holds, and asks for the passphrase where it needs one. What is wrong with the place that
// the text comes from, Text.Exposed, is for the caller.
func Unlock(ctx context.Context, text *Text, opt Options) (*Key, error) {
	key, err := unlock(ctx, text, &opt)
	if err != nil {
		return nil, fmt.Errorf("keyref: %.128q: %w", text.Reference, err)
	}
	return key, nil
}

func unlock(ctx context.Context, text *Text, opt *Options) (*Key, error) {
	key, err := opt.parser().ParsePrivateKey(text.Bytes)
	if errors.Is(err, keys.ErrPassphraseMissing) && opt.Passphrase != nil {
		key, err = unlockWithPassphrase(ctx, text, opt)
	}
	if err != nil {
		return nil, err
	}
	return &Key{ref: text.Reference, signer: key, public: key.PublicKey()}, nil
}

func unlockWithPassphrase(ctx context.Context, text *Text, opt *Options) (*keys.PrivateKey, error) {
	passphrase, err := opt.Passphrase(ctx, text.Reference)
	if err != nil {
		return nil, err
	}
	// Deriving the key takes seconds where its owner asked for many rounds.
	return await(ctx, func() (*keys.PrivateKey, error) {
		return opt.parser().ParsePrivateKeyWithPassphrase(text.Bytes, passphrase)
	})
}

// newKey makes a Key of the public key that an agent or an external signer names.
func newKey(ref Reference, signer crypto.Signer, public sign.PublicKey, close func() error) *Key {
	return &Key{ref: ref, signer: signer, public: public, close: close}
}

// PublicKey returns the public key.
func (k *Key) PublicKey() sign.PublicKey { return k.public }

// Public implements crypto.Signer. It returns an ed25519.PublicKey, and for a key of another algorithm a sign.PublicKey.
func (k *Key) Public() crypto.PublicKey { return k.signer.Public() }

// Sign implements crypto.Signer for messages that are signed as they are: opts.HashFunc must be zero. An external signer wants
// the sign.Request that sign.Signer passes as opts. What was returned is not verified.
func (k *Key) Sign(rand io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	signature, err := k.signer.Sign(rand, message, opts)
	if err != nil {
		return nil, fmt.Errorf("keyref: %.128q: %w", k.ref, err)
	}
	return signature, nil
}

// Close ends the connection to an agent, or an external signer: its input ends, and it must then end by itself with status 0.
// What was signed is not to be used where Close fails. The second time it does nothing.
func (k *Key) Close() error {
	if k.close == nil {
		return nil
	}
	if err := k.close(); err != nil {
		return fmt.Errorf("keyref: %.128q: %w", k.ref, err)
	}
	return nil
}

// String returns the fingerprint of the public key.
func (k *Key) String() string { return keys.Fingerprint(k.public) }

// Format implements fmt.Formatter: every verb and flag prints String.
func (k *Key) Format(f fmt.State, _ rune) { io.WriteString(f, k.String()) }

// await returns what f does, or the error of ctx as soon as there is one: f is then left behind.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
