package openssh

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
	"pgregory.net/rapid"
)

func testKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

// What is written, golang.org/x/crypto/ssh reads as the same key, with a passphrase and without.
func TestMarshalPrivate(t *testing.T) {
	for _, passphrase := range []string{"", "x", "correct horse"} {
		for _, comment := range []string{"", "docs@build", "é"} {
			var secret []byte
			if passphrase != "" {
				secret = []byte(passphrase)
			}
			file, err := MarshalPrivate(testKey(), comment, secret)
			if err != nil {
				t.Fatal(err)
			}
			text := pem.EncodeToMemory(&pem.Block{Type: "OPENSSH PRIVATE KEY", Bytes: file})
			var got any
			if passphrase == "" {
				got, err = ssh.ParseRawPrivateKey(text)
			} else {
				got, err = ssh.ParseRawPrivateKeyWithPassphrase(text, secret)
			}
			key, ok := got.(*ed25519.PrivateKey)
			if err != nil || !ok || !key.Equal(testKey()) {
				t.Errorf("with the passphrase %q and the comment %q: %T, %v", passphrase, comment, got, err)
			}
		}
	}
	if _, err := MarshalPrivate(testKey(), "", []byte{}); err == nil {
		t.Error("an empty passphrase is taken")
	}
}

// The private part of what golang.org/x/crypto/ssh wrote reads back; no other passphrase opens it.
func TestReadPrivate(t *testing.T) {
	for _, passphrase := range []string{"", "x", "correct horse"} {
		var block *pem.Block
		var err error
		if passphrase == "" {
			block, err = ssh.MarshalPrivateKey(testKey(), "docs")
		} else {
			block, err = ssh.MarshalPrivateKeyWithPassphrase(testKey(), "docs", []byte(passphrase))
		}
		if err != nil {
			t.Fatal(err)
		}
		f := Read(block.Bytes[len(Magic):])
		p := Protection{Cipher: string(f.String())}
		f.String()
		options := Read(f.String())
		if p.Cipher != None {
			p.Salt, p.Rounds = options.String(), options.Uint32()
		}
		f.Uint32()
		f.String()
		private := f.String()
		if !f.Whole() || !options.Whole() {
			t.Fatal("the file is not whole")
		}
		clear, err := p.Decrypt(private, []byte(passphrase))
		if err != nil {
			t.Fatal(err)
		}
		if kind, key, err := ReadPrivate(clear); err != nil || kind != Ed25519 || !key.Equal(testKey()) {
			t.Errorf("with the passphrase %q: %q, %v", passphrase, kind, err)
		}
		if p.Cipher == None {
			continue
		}
		if _, err := p.Decrypt(private, []byte(passphrase+"x")); !errors.Is(err, ErrWrongPassphrase) {
			t.Errorf("with another passphrase: %v", err)
		}
		if _, err := (Protection{AES256CBC, p.Salt, p.Rounds}).Decrypt(private[1:], []byte(passphrase)); !errors.Is(err, ErrBroken) {
			t.Errorf("aes256-cbc of a part of a block: %v", err)
		}
		if _, err := (Protection{"aes128-ctr", p.Salt, p.Rounds}).Decrypt(private, []byte(passphrase)); err == nil {
			t.Error("another cipher is taken")
		}
	}
}

// The known answers of OpenBSD's bcrypt_pbkdf, as the tests of golang.org/x/crypto have them.
func TestBcryptPBKDF(t *testing.T) {
	for _, row := range []struct {
		rounds           uint32
		passphrase, salt string
		want             string
	}{
		{12, "password", "salt", "1ae42c05d487bc02f64921a4ebe4ea93bcacfe135fda99974c06b7b01fae149a"},
		{3, "passwordy\x00PASSWORD\x00", "salty\x00SALT\x00", "7f310bd3e78c3280c59ce4595211a2928e8d4ec744c1ed2efc9f764e3388e0ad"},
		{8, "секретное слово", "посолить немножко", "8df43fc6fe131fc47f0c9e39224bd94c70b6fcc8ee8135faddf61156e6cb2733ea765f315a3e1e4afc35bf86" +
			"87d189254c1e05a6fe80c0617f9183d67260d6a115c6c94e3603e2303fbb43a76a64523ffda686b1d4518543"},
	} {
		got, err := bcryptPBKDF([]byte(row.passphrase), []byte(row.salt), row.rounds, len(row.want)/2)
		if err != nil || hex.EncodeToString(got) != row.want {
			t.Errorf("%d rounds: %x, %v, want %s", row.rounds, got, err, row.want)
		}
	}
	for _, row := range []struct {
		passphrase, salt string
		rounds           uint32
	}{{"", "salt", 1}, {"x", "", 1}, {"x", "salt", 0}} {
		if key, err := bcryptPBKDF([]byte(row.passphrase), []byte(row.salt), row.rounds, 32); err == nil {
			t.Errorf("%+v gives %x", row, key)
		}
	}
}

// Whatever comes, reading gives the fields that golang.org/x/crypto/ssh gives, or is cut where that refuses.
func TestFields(t *testing.T) {
	type structure struct {
		A []byte
		N uint32
		B string
		R []byte `ssh:"rest"`
	}
	rapid.Check(t, func(t *rapid.T) {
		data := ssh.Marshal(structure{
			rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "a"), rapid.Uint32().Draw(t, "n"),
			string(rapid.SliceOfN(rapid.Byte(), 0, 6).Draw(t, "b")), rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "rest"),
		})
		data = data[:rapid.IntRange(0, len(data)).Draw(t, "cut")]
		if len(data) > 0 && rapid.Bool().Draw(t, "change") {
			data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "by")
		}
		var want structure
		err := ssh.Unmarshal(data, &want)
		f := Read(data)
		got := structure{A: f.String(), N: f.Uint32(), B: string(f.String()), R: f.Rest()}
		if f.Cut() != (err != nil) {
			t.Fatalf("%x: cut %v, want %v", data, f.Cut(), err)
		}
		if err == nil && !(bytes.Equal(got.A, want.A) && got.N == want.N && got.B == want.B && bytes.Equal(got.R, want.R)) {
			t.Fatalf("%x: %+v, want %+v", data, got, want)
		}
		if err == nil && !f.Whole() {
			t.Fatalf("%x: something is left", data)
		}
	})
}

// An agent of golang.org/x/crypto/ssh lists its keys and signs.
func TestAgent(t *testing.T) {
	ring := agent.NewKeyring()
	_, other, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for comment, key := range map[string]ed25519.PrivateKey{"docs": testKey(), "other": other} {
		if err := ring.Add(agent.AddedKey{PrivateKey: key, Comment: comment}); err != nil {
			t.Fatal(err)
		}
	}
	ours, theirs := net.Pipe()
	defer ours.Close()
	go agent.ServeAgent(ring, theirs)
	all, err := ListKeys(ours)
	if err != nil {
		t.Fatal(err)
	}
	want, err := ring.List()
	if err != nil || len(all) != len(want) || len(want) != 2 {
		t.Fatalf("%d keys, want %d: %v", len(all), len(want), err)
	}
	for i, key := range all {
		if key.Type != want[i].Format || key.Comment != want[i].Comment || !bytes.Equal(key.Blob, want[i].Blob) ||
			key.Fingerprint() != ssh.FingerprintSHA256(want[i]) {
			t.Errorf("key %d: %+v, want %+v", i, key, want[i])
		}
		s, err := SignWithAgent(ours, key.Blob, []byte("message"))
		if err != nil || want[i].Verify([]byte("message"), &ssh.Signature{Format: s.Type, Blob: s.Blob, Rest: s.Rest}) != nil {
			t.Errorf("key %d: signature %+v, %v", i, s, err)
		}
	}
	if _, err := SignWithAgent(ours, AppendString(nil, Ed25519), nil); !errors.Is(err, errAgentFailure) {
		t.Errorf("with a key that it does not hold: %v", err)
	}
}

// A broken answer is told as such, whatever it claims of its size.
func TestAgentBroken(t *testing.T) {
	for _, row := range []struct{ name, answer string }{
		{"nothing", ""},
		{"no kind", "\x00\x00\x00\x00"},
		{"cut", "\x00\x00\x00\x02\x0c"},
		{"another kind", "\x00\x00\x00\x01\x06"},
		{"too long", "\xff\xff\xff\xff\x0c"},
		{"no count", "\x00\x00\x00\x01\x0c"},
		{"no key", "\x00\x00\x00\x05\x0c\xff\xff\xff\xff"},
		{"no type", "\x00\x00\x00\x0d\x0c\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00"},
	} {
		if all, err := ListKeys(answering{strings.NewReader(row.answer)}); err == nil {
			t.Errorf("%s: %d keys", row.name, len(all))
		}
	}
}

// answering is an agent that has answered before it is asked.
type answering struct{ io.Reader }

func (answering) Write(p []byte) (int, error) { return len(p), nil }
