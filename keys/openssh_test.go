package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// The passphrase of the files in testdata that have one.
const sshPassphrase = "correct horse"

// publicLine returns the public key that ssh-keygen wrote beside a private one.
func publicLine(t testing.TB, name string) sign.PublicKey {
	t.Helper()
	fields := strings.Fields(string(testFile(t, name+".pub")))
	blob, err := base64.StdEncoding.DecodeString(fields[1])
	if err != nil || len(blob) != 4+11+4+32 {
		t.Fatalf("%s.pub holds %d bytes, %v", name, len(blob), err)
	}
	return sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(blob[4+11+4:])}
}

// TestParseOpenSSH: files that ssh-keygen made hold the key that it wrote beside them.
func TestParseOpenSSH(t *testing.T) {
	for _, row := range []struct {
		name       string
		passphrase string
	}{
		{"openssh-ed25519", ""}, {"openssh-ctr", sshPassphrase}, {"openssh-cbc", sshPassphrase},
	} {
		data := testFile(t, row.name)
		key, err := ParsePrivateKeyWithPassphrase(data, []byte(row.passphrase))
		if err != nil || key.PublicKey() != publicLine(t, row.name) {
			t.Errorf("%s: ParsePrivateKeyWithPassphrase = %v, %v, want the key of its .pub file", row.name, key, err)
			continue
		}
		again, err := ParsePrivateKey(key.MarshalSeed())
		if err != nil || again.PublicKey() != key.PublicKey() {
			t.Errorf("%s: its seed is that of %v, %v", row.name, again, err)
		}
		if got, err := ParsePublicKey(testFile(t, row.name+".pub")); err != nil || got != key.PublicKey() {
			t.Errorf("%s.pub: ParsePublicKey = %x, %v", row.name, got.Bytes, err)
		}
		if row.passphrase == "" {
			if key, err := ParsePrivateKey(data); err != nil || key.PublicKey() != publicLine(t, row.name) {
				t.Errorf("%s: ParsePrivateKey = %v, %v", row.name, key, err)
			}
			continue
		}
		if key, err := ParsePrivateKey(data); key != nil || !errors.Is(err, ErrPassphraseMissing) {
			t.Errorf("%s: ParsePrivateKey = %v, %v, want ErrPassphraseMissing", row.name, key, err)
		}
		for _, wrong := range []string{"", "correct horse\n"} {
			key, err := ParsePrivateKeyWithPassphrase(data, []byte(wrong))
			if key != nil || !errors.Is(err, ErrWrongPassphrase) {
				t.Errorf("%s: with the passphrase %q = %v, %v, want ErrWrongPassphrase", row.name, wrong, key, err)
			}
		}
	}
}

// A passphrase that is not wanted is not used.
func TestPassphraseUnused(t *testing.T) {
	for _, text := range []string{rfc8410Private, rfc8032Seed} {
		plain, err := ParsePrivateKey([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if key, err := ParsePrivateKeyWithPassphrase([]byte(text), []byte("x")); err != nil || key.PublicKey() != plain.PublicKey() {
			t.Errorf("with a passphrase = %v, %v, want %v", key, err, plain)
		}
	}
	if _, err := ParsePrivateKeyWithPassphrase(testFile(t, "encrypted-pkcs8.pem"), []byte("test")); !errors.Is(err, ErrEncrypted) {
		t.Errorf("encrypted PKCS#8 with its passphrase: %v, want ErrEncrypted", err)
	}
}

// opened returns what a file of testdata holds.
func opened(t testing.TB, name string) *openSSHFile {
	t.Helper()
	block, _ := pem.Decode(testFile(t, name))
	file, err := parseOpenSSHFile(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func openSSHText(file *openSSHFile) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: pemOpenSSH, Bytes: append([]byte(sshMagic), ssh.Marshal(file)...)})
}

// blobOf returns a public key on the wire.
func blobOf(kind string, members ...string) []byte {
	blob := ssh.Marshal(struct{ Type string }{kind})
	for _, member := range members {
		blob = append(blob, ssh.Marshal(struct{ Member string }{member})...)
	}
	return blob
}

func TestParseOpenSSHRefuses(t *testing.T) {
	change := func(name string, by func(*openSSHFile)) string {
		file := opened(t, name)
		by(file)
		return string(openSSHText(file))
	}
	options := func(salt string, rounds uint32) []byte {
		return ssh.Marshal(struct {
			Salt   string
			Rounds uint32
		}{salt, rounds})
	}
	const plain, encrypted = "openssh-ed25519", "openssh-ctr"
	other := opened(t, encrypted).Public
	public := func(blob []byte) func(*openSSHFile) { return func(f *openSSHFile) { f.Public = blob } }
	private := func(place string, by byte) func(*openSSHFile) {
		return func(f *openSSHFile) {
			raw := opened(t, plain).Public[4+11+4:]
			last := bytes.LastIndex(f.Private, raw) // the second half of the private key
			at := map[string]int{"check": 0, "type": 8 + 4, "public half": last, "seed": last - 32, "padding": len(f.Private) - 1}[place]
			f.Private[at] ^= by
		}
	}
	rows := []struct {
		name, text string
		want       error
		words      string
	}{
		{"gcm", string(testFile(t, "openssh-gcm")), sign.ErrUnsupportedKey, "ssh-keygen -p -Z aes256-ctr"},
		{"RSA, encrypted", string(testFile(t, "openssh-rsa")), sign.ErrUnsupportedKey, "RSA, want Ed25519"},
		{"ECDSA", string(testFile(t, "openssh-ecdsa")), sign.ErrUnsupportedKey, "ECDSA, want Ed25519"},
		{"DSA", change(plain, public(blobOf("ssh-dss"))), sign.ErrUnsupportedKey, "DSA, want Ed25519"},
		{"security key", change(plain, public(blobOf(sshSecurityKey, strings.Repeat("k", 32), "ssh:"))),
			sign.ErrUnsupportedKey, "security key, sk-ssh-ed25519@openssh.com, which signs no plain message"},
		{"ECDSA security key", change(plain, public(blobOf("sk-ecdsa-sha2-nistp256@openssh.com"))), sign.ErrUnsupportedKey, "security key"},
		{"certificate", change(plain, public(blobOf("ssh-ed25519-cert-v01@openssh.com"))), sign.ErrUnsupportedKey, "ssh-ed25519-cert-v01@openssh.com"},
		{"Ed25519 outside, ECDSA inside", change("openssh-ecdsa", public(other)), ErrMalformedFile, "of another kind"},

		{"other magic", strings.Replace(string(testFile(t, plain)), "b3BlbnNzaC1rZXktdjE", "b3BlbnNzaC1rZXktdjI", 1), ErrMalformedFile, "no OpenSSH private key"},
		{"two keys", change(plain, func(f *openSSHFile) { f.Keys = 2 }), ErrMalformedFile, "2 keys, want one"},
		{"no keys", change(plain, func(f *openSSHFile) { f.Keys = 0 }), ErrMalformedFile, "0 keys, want one"},
		{"bytes behind", change(plain, func(f *openSSHFile) { f.Rest = []byte{0} }), ErrMalformedFile, "1 bytes after"},
		{"bytes behind, encrypted", change(encrypted, func(f *openSSHFile) { f.Rest = []byte{0} }), ErrMalformedFile, "1 bytes after"},
		{"public key of another", change(plain, public(other)), ErrMalformedFile, "does not belong"},
		{"public key of another, encrypted", change(encrypted, public(opened(t, plain).Public)), ErrMalformedFile, "does not belong"},
		{"short public key", change(plain, public(blobOf(sshEd25519, "k"))), ErrMalformedFile, "does not hold 32 bytes"},
		{"long public key", change(plain, public(append(bytes.Clone(other), 0))), ErrMalformedFile, "does not hold 32 bytes"},
		{"empty public key", change(plain, public(nil)), ErrMalformedFile, "cut or broken"},
		{"other seed", change(plain, private("seed", 1)), ErrMalformedFile, "does not belong"},
		{"other public half", change(plain, private("public half", 1)), ErrMalformedFile, "does not belong"},
		{"other check", change(plain, private("check", 1)), ErrMalformedFile, "private part of the OpenSSH key is broken"},
		{"other type inside", change(plain, private("type", 1)), ErrMalformedFile, "of another kind"},
		{"other padding", change(plain, private("padding", 1)), ErrMalformedFile, "private part of the OpenSSH key is broken"},

		{"key derivation without a cipher", change(plain, func(f *openSSHFile) { f.KDF = sshBcrypt }), ErrMalformedFile, `key derivation "bcrypt"`},
		{"options without a cipher", change(plain, func(f *openSSHFile) { f.KDFOptions = []byte{0} }), ErrMalformedFile, `key derivation "none"`},
		{"cipher without key derivation", change(encrypted, func(f *openSSHFile) { f.KDF = sshNone }), sign.ErrUnsupportedKey, `"none", want bcrypt`},
		{"too many rounds", change(encrypted, func(f *openSSHFile) { f.KDFOptions = options("salt", 2049) }),
			sign.ErrUnsupportedKey, "2049 rounds of bcrypt, want at most 2048"},
		{"most rounds", change(encrypted, func(f *openSSHFile) { f.KDFOptions = options("salt", 1<<32-1) }), sign.ErrUnsupportedKey, "4294967295 rounds"},
		{"no rounds", change(encrypted, func(f *openSSHFile) { f.KDFOptions = options("salt", 0) }), ErrMalformedFile, "cut or broken"},
		{"no salt", change(encrypted, func(f *openSSHFile) { f.KDFOptions = options("", 16) }), ErrMalformedFile, "cut or broken"},
		{"options cut", change(encrypted, func(f *openSSHFile) { f.KDFOptions = options("salt", 16)[:7] }), ErrMalformedFile, "cut or broken"},
	}
	seed := hex.EncodeToString(seedOf(t, plain))
	for _, row := range rows {
		key, err := ParsePrivateKeyWithPassphrase([]byte(row.text), []byte(sshPassphrase))
		if key != nil || !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%s: %v, %v, want %v that says %q", row.name, key, err, row.want, row.words)
			continue
		}
		if text := err.Error(); strings.Contains(text, seed[:8]) || strings.Contains(text, sshPassphrase) || !strings.HasPrefix(text, "keys: private key: ") {
			t.Errorf("%s: error %q", row.name, text)
		}
		// What cannot be read is told without a passphrase, so that none is asked for in vain.
		if _, err := ParsePrivateKey([]byte(row.text)); errors.Is(row.want, sign.ErrUnsupportedKey) && !errors.Is(err, row.want) {
			t.Errorf("%s: without a passphrase: %v, want %v", row.name, err, row.want)
		}
	}
}

func seedOf(t testing.TB, name string) []byte {
	t.Helper()
	key, err := ParsePrivateKey(testFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return key.secret().seed
}

// TestOpenSSHTampered: whatever bit of a file changes, it is refused or holds the same key (in the comment and its length, and
// in the copy of the public key inside, which nothing reads). Cut anywhere, it is refused.
func TestOpenSSHTampered(t *testing.T) {
	block, _ := pem.Decode(testFile(t, "openssh-ed25519"))
	want := seedOf(t, "openssh-ed25519")
	parse := func(data []byte) ([]byte, error) { return parseOpenSSH(&pem.Block{Type: pemOpenSSH, Bytes: data}, nil) }
	same := 0
	for i := range block.Bytes {
		if got, err := parse(block.Bytes[:i]); err == nil {
			t.Errorf("cut after %d bytes it gives %x", i, got)
		}
		for bit := range 8 {
			changed := bytes.Clone(block.Bytes)
			changed[i] ^= 1 << bit
			got, err := parse(changed)
			if err != nil {
				continue
			}
			if same++; !bytes.Equal(got, want) {
				t.Errorf("with bit %d of byte %d flipped it gives %x", bit, i, got)
			}
		}
	}
	if most := 8 * (4 + len("test") + ed25519.PublicKeySize); same == 0 || same > most {
		t.Errorf("%d changes are not noticed, want at most the %d in the comment and the unread public key", same, most)
	}
}

// TestMarshalOpenSSH: what is written reads back, has the comment and gives no two files alike. That OpenSSH reads it is
// shown by the scripts of the command.
func TestMarshalOpenSSH(t *testing.T) {
	key, err := ParsePrivateKey([]byte(rfc8032Seed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := key.MarshalOpenSSH("docs@build")
	if err != nil {
		t.Fatal(err)
	}
	if again, err := ParsePrivateKey(plain); err != nil || again.PublicKey() != key.PublicKey() {
		t.Errorf("reads back as %v, %v", again, err)
	}
	block, _ := pem.Decode(plain)
	if !bytes.Contains(block.Bytes, []byte("\x00\x00\x00\x0adocs@build")) {
		t.Error("the comment is not in it")
	}
	protected, err := key.MarshalOpenSSHWithPassphrase("docs@build", []byte(sshPassphrase))
	if err != nil {
		t.Fatal(err)
	}
	block, _ = pem.Decode(protected)
	for _, clear := range [][]byte{unhex(t, rfc8032Seed), []byte("docs@build"), []byte(sshPassphrase)} {
		if bytes.Contains(block.Bytes, clear) {
			t.Errorf("%q stands in the protected file", clear)
		}
	}
	if _, err := ParsePrivateKey(protected); !errors.Is(err, ErrPassphraseMissing) {
		t.Errorf("without the passphrase: %v, want ErrPassphraseMissing", err)
	}
	if again, err := ParsePrivateKeyWithPassphrase(protected, []byte(sshPassphrase)); err != nil || again.PublicKey() != key.PublicKey() {
		t.Errorf("reads back as %v, %v", again, err)
	}
	if other, err := key.MarshalOpenSSHWithPassphrase("docs@build", []byte(sshPassphrase)); err != nil || bytes.Equal(other, protected) {
		t.Errorf("two files are alike, %v: the salt is not random", err)
	}
	for _, empty := range [][]byte{nil, {}} {
		if text, err := key.MarshalOpenSSHWithPassphrase("", empty); err == nil {
			t.Errorf("with an empty passphrase it gives %d bytes", len(text))
		}
	}
}

func TestParseOpenSSHLine(t *testing.T) {
	good := strings.TrimSpace(string(testFile(t, "openssh-ctr.pub")))
	want := publicLine(t, "openssh-ctr")
	text := strings.Fields(good)[1]
	for _, line := range []string{good, good + "\n", "\n\t " + good + "\r\n", "ssh-ed25519 " + text, "ssh-ed25519  " + text + "  a comment  of words"} {
		if got, err := ParsePublicKey([]byte(line)); err != nil || got != want {
			t.Errorf("ParsePublicKey(%q) = %x, %v", line, got.Bytes, err)
		}
	}
	line := func(blob []byte) string { return "ssh-ed25519 " + base64.StdEncoding.EncodeToString(blob) }
	weak := "\x01" + strings.Repeat("\x00", 31)
	for _, row := range []struct {
		name, text string
		want       error
		words      string
	}{
		{"no key", "ssh-ed25519 ", ErrMalformedFile, "cut or broken"},
		{"not base64", "ssh-ed25519 " + text[1:], ErrMalformedFile, "not base64"},
		{"base64 for URLs", "ssh-ed25519 " + base64.URLEncoding.EncodeToString(blobOf(sshEd25519, strings.Repeat("\xff", 32))), ErrMalformedFile, "not base64"},
		{"two lines", good + "\n" + good, ErrMalformedFile, "more than one line"},
		{"options in front", `command="x" ` + good, ErrMalformedFile, "neither PEM nor hexadecimal"},
		{"31 bytes", line(blobOf(sshEd25519, weak[1:])), ErrMalformedFile, "does not hold 32 bytes"},
		{"bytes behind", line(append(blobOf(sshEd25519, want.Bytes), 0)), ErrMalformedFile, "does not hold 32 bytes"},
		{"RSA inside", line(blobOf("ssh-rsa", "x")), sign.ErrUnsupportedKey, "RSA, want Ed25519"},
		{"weak key", line(blobOf(sshEd25519, weak)), sign.ErrMalformedKey, "small order"},
		{"certificate", "ssh-ed25519-cert-v01@openssh.com AAAA", sign.ErrUnsupportedKey, "ssh-ed25519-cert-v01@openssh.com"},
	} {
		got, err := ParsePublicKey([]byte(row.text))
		if got != (sign.PublicKey{}) || !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%s: ParsePublicKey = %x, %v, want %v that says %q", row.name, got.Bytes, err, row.want, row.words)
		}
	}
	if _, err := ParsePrivateKey([]byte(good)); !errors.Is(err, sign.ErrUnsupportedKey) {
		t.Errorf("as a private key: %v, want sign.ErrUnsupportedKey", err)
	}
}
