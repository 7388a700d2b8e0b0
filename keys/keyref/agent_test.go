//go:build unix

package keyref

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// A stubAgent is an agent of the library with a list of its own and signatures that a test makes. That a real ssh-agent does
// what is wanted is shown by the scripts of the command.
type stubAgent struct {
	agent.Agent
	list func() ([]*agent.Key, error)
	sign func(data []byte) (*ssh.Signature, error)
}

func (s *stubAgent) List() ([]*agent.Key, error) {
	if s.list != nil {
		return s.list()
	}
	return s.Agent.List()
}

func (s *stubAgent) Sign(key ssh.PublicKey, data []byte) (*ssh.Signature, error) {
	if s.sign != nil {
		return s.sign(data)
	}
	return s.Agent.Sign(key, data)
}

// serve has SSH_AUTH_SOCK name a socket that an agent answers on.
func serve(t *testing.T, a agent.Agent) {
	t.Helper()
	// t.TempDir is too long a path for a socket on some systems.
	dir, err := os.MkdirTemp("", "a")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		listener.Close()
		os.RemoveAll(dir)
	})
	t.Setenv("SSH_AUTH_SOCK", socket)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go agent.ServeAgent(a, conn)
		}
	}()
}

// keyring returns an agent with the key of signerKey under the comment "docs", and others.
func keyring(t *testing.T, others ...agent.AddedKey) agent.Agent {
	t.Helper()
	ring := agent.NewKeyring()
	for _, key := range append(others, agent.AddedKey{PrivateKey: signerKey(), Comment: "docs"}) {
		if err := ring.Add(key); err != nil {
			t.Fatal(err)
		}
	}
	return ring
}

func otherEd25519(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// docsFingerprint is what "ssh-keygen -l" of OpenSSH 9.2 shows for the public key of signerKey.
const docsFingerprint = "SHA256:z/fSv0Z0RZS+Lccbc6ZoOWwt/fbj1VFJGSBKQbo4icE"

func TestAgentSigns(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, keyring(t, agent.AddedKey{PrivateKey: otherEd25519(t), Comment: "other"}, agent.AddedKey{PrivateKey: ec, Comment: "docs"}))
	for _, name := range []string{"docs", docsFingerprint} {
		key, err := Open(t.Context(), Reference{Agent, name}, Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := key.Public().(ed25519.PublicKey); !got.Equal(signerKey().Public()) {
			t.Errorf("%s: public key %x", name, got)
		}
		if err := signAll(key); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		message := make([]byte, 32)
		if got, err := key.Sign(nil, message, sign.Request{}); err != nil || string(got) != string(ed25519.Sign(signerKey(), message)) {
			t.Errorf("%s: Sign = %x, %v, want what crypto/ed25519 signs", name, got, err)
		}
		if got, err := key.Sign(nil, make([]byte, 64), crypto.SHA512); err == nil {
			t.Errorf("%s: Sign of a hash = %x, want an error", name, got)
		}
		if err := key.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
		if _, err := key.Sign(nil, message, sign.Request{}); !errors.Is(err, ErrAgentRefused) {
			t.Errorf("%s: Sign after Close: %v, want ErrAgentRefused", name, err)
		}
	}
}

func TestAgentRefuses(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	member := func(s string) []byte { return ssh.Marshal(struct{ S string }{s}) }
	entry := func(format string, rest ...string) *agent.Key {
		blob := member(format)
		for _, s := range rest {
			blob = append(blob, member(s)...)
		}
		return &agent.Key{Format: format, Blob: blob, Comment: "docs"}
	}
	listing := func(keys ...*agent.Key) agent.Agent {
		return &stubAgent{Agent: agent.NewKeyring(), list: func() ([]*agent.Key, error) { return keys, nil }}
	}
	weak := "\x01" + strings.Repeat("\x00", 31)
	twins := keyring(t, agent.AddedKey{PrivateKey: otherEd25519(t), Comment: "docs"})
	locked := keyring(t)
	if err := locked.Lock([]byte("x")); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name  string
		agent agent.Agent
		key   string
		want  error
		words string
	}{
		{"empty", agent.NewKeyring(), "docs", ErrNoSuchKey, "holds none at all, or it is locked"},
		{"locked", locked, "docs", ErrNoSuchKey, "holds none at all, or it is locked"},
		{"no such comment", keyring(t), "doc", ErrNoSuchKey, "holds 1, and none has this comment"},
		{"no such fingerprint", keyring(t), docsFingerprint[:20], ErrNoSuchKey, "holds 1, and none has this fingerprint"},
		{"two of one comment", twins, "docs", ErrAmbiguousKey, "2 have this comment: SHA256:"},
		{"other kind", keyring(t, agent.AddedKey{PrivateKey: ec, Comment: "ec"}), "ec", sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"security key", listing(entry("sk-ssh-ed25519@openssh.com", weak, "ssh:")), "docs", sign.ErrUnsupportedKey, "security key, sk-ssh-ed25519"},
		{"certificate", listing(entry("ssh-ed25519-cert-v01@openssh.com", "x")), "docs", sign.ErrUnsupportedKey, "cert-v01"},
		{"weak key", listing(entry("ssh-ed25519", weak)), "docs", sign.ErrMalformedKey, "small order"},
		{"broken key", listing(entry("ssh-ed25519", "x")), "docs", nil, "does not hold 32 bytes"},
		{"no list", &stubAgent{Agent: agent.NewKeyring(), list: func() ([]*agent.Key, error) { return nil, errors.New("x") }}, "docs", ErrNoAgent, "listing"},
	} {
		t.Run(row.name, func(t *testing.T) {
			serve(t, row.agent)
			key, err := Open(t.Context(), Reference{Agent, row.key}, Options{})
			if key != nil || err == nil || row.want != nil && !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
				t.Errorf("Open = %v, %v, want %v that says %q", key, err, row.want, row.words)
			}
		})
	}
}

// TestAgentSignature: what the agent returns is looked at, and sign.Signer looks at it again.
func TestAgentSignature(t *testing.T) {
	good := func(data []byte) []byte { return ed25519.Sign(signerKey(), data) }
	for _, row := range []struct {
		name  string
		sign  func(data []byte) (*ssh.Signature, error)
		want  error
		words string
	}{
		{"refused", func([]byte) (*ssh.Signature, error) { return nil, errors.New("no") }, ErrAgentRefused, "reports a failure"},
		{"another type", func(d []byte) (*ssh.Signature, error) { return &ssh.Signature{Format: "ssh-rsa", Blob: good(d)}, nil }, ErrAgentRefused, `"ssh-rsa"`},
		{"short", func(d []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: "ssh-ed25519", Blob: good(d)[1:]}, nil
		}, ErrAgentRefused, "of 63 bytes"},
		{"with a rest", func(d []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: "ssh-ed25519", Blob: good(d), Rest: []byte{1}}, nil
		}, ErrAgentRefused, "ssh-ed25519"},
		{"over other bytes", func(d []byte) (*ssh.Signature, error) {
			return &ssh.Signature{Format: "ssh-ed25519", Blob: good(d[1:])}, nil
		}, sign.ErrSignerMismatch, "bad signature"},
	} {
		t.Run(row.name, func(t *testing.T) {
			serve(t, &stubAgent{Agent: keyring(t), sign: row.sign})
			key, err := Open(t.Context(), Reference{Agent, "docs"}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer key.Close()
			if err := signAll(key); !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
				t.Errorf("signing: %v, want %v that says %q", err, row.want, row.words)
			}
		})
	}
}

func TestAgentMissing(t *testing.T) {
	dir := t.TempDir()
	for _, socket := range []string{"", filepath.Join(dir, "missing"), dir} {
		t.Setenv("SSH_AUTH_SOCK", socket)
		key, err := Open(t.Context(), Reference{Agent, "docs"}, Options{})
		if key != nil || !errors.Is(err, ErrNoAgent) || !strings.Contains(err.Error(), "SSH_AUTH_SOCK") {
			t.Errorf("%q: Open = %v, %v, want ErrNoAgent", socket, key, err)
		}
	}
}

// TestAgentLate: an agent that asks a person who does not answer is waited for until the limit, or until the interruption.
func TestAgentLate(t *testing.T) {
	waiting := make(chan struct{})
	defer close(waiting)
	never := func() { <-waiting }
	listing := func() ([]*agent.Key, error) { never(); return nil, nil }
	signing := func([]byte) (*ssh.Signature, error) { never(); return nil, errors.New("no") }
	for _, row := range []struct {
		name string
		stub stubAgent
	}{{"listing", stubAgent{list: listing}}, {"signing", stubAgent{sign: signing}}} {
		for _, interrupted := range []bool{false, true} {
			stub := row.stub
			stub.Agent = keyring(t)
			serve(t, &stub)
			ctx, interrupt := context.WithCancel(t.Context())
			opt, want := Options{RequestTimeout: 150 * time.Millisecond}, ErrTimeout
			if interrupted {
				opt, want = Options{}, context.Canceled
				time.AfterFunc(100*time.Millisecond, interrupt)
			}
			key, err := Open(ctx, Reference{Agent, "docs"}, opt)
			if err == nil {
				err = signAll(key)
				key.Close()
			}
			interrupt()
			if !errors.Is(err, want) {
				t.Errorf("%s: %v, want %v", row.name, err, want)
			}
		}
	}
}
