package keyref

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/openssh"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// An agentKey is a key that an ssh-agent holds (draft-ietf-sshm-ssh-agent). For a key of the type ssh-ed25519 the agent signs
// the bytes that it is sent as they are (RFC 8709 §6), here the 32 of a commitment.
type agentKey struct {
	ctx     context.Context
	timeout time.Duration
	public  ed25519.PublicKey
	blob    []byte

	mu   sync.Mutex // of the connection: one request at a time
	conn net.Conn
	stop func() bool // stops watching ctx
}

// openAgent connects to the agent that SSH_AUTH_SOCK names and looks a key up in it.
func openAgent(ctx context.Context, ref Reference, opt *Options) (*Key, error) {
	socket := os.Getenv("SSH_AUTH_SOCK")
	if socket == "" {
		return nil, fmt.Errorf("%w: SSH_AUTH_SOCK is not set", ErrNoAgent)
	}
	dialer := net.Dialer{Timeout: opt.requestTimeout()}
	conn, err := dialer.DialContext(ctx, "unix", socket)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: SSH_AUTH_SOCK: %w", ErrNoAgent, err)
	}
	a := &agentKey{ctx: ctx, timeout: opt.requestTimeout(), conn: conn}
	a.stop = context.AfterFunc(ctx, func() { conn.Close() })
	if err := a.choose(ref.Name); err != nil {
		a.close()
		return nil, err
	}
	return newKey(ref, a, sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(a.public)}, a.close), nil
}

// choose finds the one Ed25519 key with a fingerprint or a comment.
func (a *agentKey) choose(name string) error {
	var all []openssh.AgentKey
	err := a.request(func() (err error) {
		all, err = openssh.ListKeys(a.conn)
		return err
	})
	if err != nil {
		return fmt.Errorf("%w: listing its keys: %w", ErrNoAgent, err)
	}
	key, err := find(all, name)
	if err != nil {
		return err
	}
	// Refuses other types by name, and weak keys.
	line := key.Type + " " + base64.StdEncoding.EncodeToString(key.Blob)
	public, err := keys.ParsePublicKey([]byte(line))
	if err != nil {
		return err
	}
	a.blob, a.public = key.Blob, ed25519.PublicKey(public.Bytes)
	return nil
}

// find returns the key with a fingerprint, as ssh-add -l shows it, or with a comment. Among several of one comment the only one
// of the type ssh-ed25519 is meant: it alone can sign.
func find(all []openssh.AgentKey, name string) (openssh.AgentKey, error) {
	what := "comment"
	named := func(k openssh.AgentKey) bool { return k.Comment == name }
	if strings.HasPrefix(name, "SHA256:") {
		what = "fingerprint"
		named = func(k openssh.AgentKey) bool { return k.Fingerprint() == name }
	}
	if len(all) == 0 {
		return openssh.AgentKey{}, fmt.Errorf("%w: it holds none at all, or it is locked", ErrNoSuchKey)
	}
	found := slices.DeleteFunc(slices.Clone(all), func(k openssh.AgentKey) bool { return !named(k) })
	if len(found) == 0 {
		return openssh.AgentKey{}, fmt.Errorf("%w: it holds %d, and none has this %s", ErrNoSuchKey, len(all), what)
	}
	usable := slices.DeleteFunc(slices.Clone(found), func(k openssh.AgentKey) bool { return k.Type != openssh.Ed25519 })
	if len(usable) == 0 {
		return found[0], nil // whose type is refused by its name
	}
	if len(usable) > 1 {
		var prints []string
		for _, k := range usable {
			prints = append(prints, k.Fingerprint())
		}
		return openssh.AgentKey{}, fmt.Errorf("%w: %d have this %s: %s", ErrAmbiguousKey, len(usable), what, strings.Join(prints, ", "))
	}
	return usable[0], nil
}

// Public implements crypto.Signer.
func (a *agentKey) Public() crypto.PublicKey { return a.public }

// Sign implements crypto.Signer.
func (a *agentKey) Sign(_ io.Reader, message []byte, opts crypto.SignerOpts) ([]byte, error) {
	if opts.HashFunc() != 0 {
		return nil, errHashed
	}
	var signature openssh.AgentSignature
	err := a.request(func() (err error) {
		signature, err = openssh.SignWithAgent(a.conn, a.blob, message)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrAgentRefused, err)
	}
	if signature.Type != openssh.Ed25519 || len(signature.Blob) != ed25519.SignatureSize || len(signature.Rest) != 0 {
		return nil, fmt.Errorf("%w: its signature is a %.80q of %d bytes, want %s of %d", ErrAgentRefused, signature.Type,
			len(signature.Blob), openssh.Ed25519, ed25519.SignatureSize)
	}
	return signature.Blob, nil
}

// errHashed: the message would have to be hashed first, which is another algorithm than plain Ed25519.
var errHashed = errors.New("want a message that is not hashed")

// request makes one request within the time limit. What the client returns tells neither a time limit nor an interruption.
func (a *agentKey) request(do func() error) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	begin := time.Now()
	if err := a.conn.SetDeadline(begin.Add(a.timeout)); err != nil && a.ctx.Err() == nil {
		return err
	}
	err := do()
	switch {
	case err == nil:
		return nil
	case a.ctx.Err() != nil:
		return a.ctx.Err()
	case time.Since(begin) >= a.timeout:
		return fmt.Errorf("%w: no answer within %s", ErrTimeout, a.timeout)
	}
	return err
}

func (a *agentKey) close() error {
	a.stop()
	a.conn.Close() // nothing was written that could be lost
	return nil
}
