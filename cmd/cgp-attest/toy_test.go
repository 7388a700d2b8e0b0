package main

import (
	"bytes"
	"context"
	"crypto"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/internal/corpus"
	"contextgraphprotocol.org/cgp-attest/sign"
	"contextgraphprotocol.org/cgp-attest/sign/pq"
)

// A toy is a scheme that nobody must use: its public key is its secret, and a signature an HMAC under it. It stands for the next
// algorithm: this file, and its place among the schemes of a program, are all there is of it.
type toy struct{}

func (toy) Name() string { return "toy-hmac" }

func (toy) Form() sign.Form {
	return sign.Form{Title: "Toy", ObjectIdentifier: "1.3.6.1.4.1.99999.7", PublicKeySize: 20, SignatureSize: 32, SeedSize: 20, SeedTag: 0x80}
}

func (toy) NewVerifier(publicKey []byte) (sign.Verifier, error) {
	if len(publicKey) != 20 || publicKey[0] == 0 {
		return nil, sign.ErrMalformedKey
	}
	return toyKey(publicKey), nil
}

func (toy) NewKey(seed []byte) (crypto.Signer, error) { return toyKey(seed), nil }

type toyKey string

func (k toyKey) mac(message []byte) []byte {
	h := hmac.New(sha256.New, []byte(k))
	h.Write(message)
	return h.Sum(nil)
}

func (k toyKey) Verify(message, signature []byte) error {
	if len(signature) != 32 {
		return sign.ErrMalformedSignature
	}
	if !hmac.Equal(k.mac(message), signature) {
		return sign.ErrBadSignature
	}
	return nil
}

func (k toyKey) Public() crypto.PublicKey {
	return sign.PublicKey{Algorithm: toy{}.Name(), Bytes: string(k)}
}

func (k toyKey) Sign(_ io.Reader, message []byte, _ crypto.SignerOpts) ([]byte, error) {
	return k.mac(message), nil
}

// A toyProgram is the program with a scheme more, in a folder.
type toyProgram struct {
	*testing.T
	dir     string
	schemes []sign.Scheme
}

func (p toyProgram) path(name string) string { return filepath.Join(p.dir, name) }

// run runs a command line, of which words that begin with a slash are files in the folder.
func (p toyProgram) run(want int, args ...string) (out, words string) {
	p.Helper()
	env, stdout, stderr := testEnvironment("")
	env.schemes = p.schemes
	env.now = func() time.Time { return time.Date(2026, 8, 29, 12, 0, 0, 0, time.UTC) }
	env.rand = strings.NewReader("twenty bytes of luck, and then some more of it, which nobody asked for")
	for i, arg := range args {
		if name, ok := strings.CutPrefix(arg, "/"); ok {
			args[i] = p.path(name)
		}
	}
	if code := run(context.Background(), env, args); code != want {
		p.Fatalf("%s: exit %d, want %d\n%s%s", strings.Join(args, " "), code, want, stdout, stderr)
	}
	return stdout.String(), stderr.String()
}

// A scheme that this program has never heard of goes through every command that knows algorithms, once it stands among the
// schemes: nothing else knows its name.
func TestToyScheme(t *testing.T) {
	p := toyProgram{t, t.TempDir(), append(pq.Schemes(), toy{})}
	session, err := os.ReadFile("testdata/fixture/session.ndjson")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"in.ndjson": session} {
		if err := os.WriteFile(p.path(name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := hex.EncodeToString([]byte("twenty bytes of luck"))

	out, words := p.run(0, "key", "generate", "--algorithm", "toy-hmac", "--no-passphrase", "-o", "/toy.pem")
	if !strings.Contains(out, want) || !strings.Contains(words, sign.NotDefined) {
		t.Errorf("key generate says\n%s%s", out, words)
	}
	out, _ = p.run(0, "key", "show", "--format", "json", "/toy.pem")
	var shown struct {
		Algorithm, Pem, Note string
		PublicKey            string `json:"public_key"`
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || shown.Algorithm != "toy-hmac" || shown.PublicKey != want || !strings.Contains(shown.Note, sign.NotDefined) {
		t.Errorf("key show: %v\n%s", err, out)
	}
	if err := os.WriteFile(p.path("toy.pub"), []byte(shown.Pem), 0o644); err != nil {
		t.Fatal(err)
	}
	keys, _ := p.run(0, "key", "publish", "--key-id", "k", "/toy.pub")
	if err := os.WriteFile(p.path("keys.json"), []byte(keys), 0o644); err != nil {
		t.Fatal(err)
	}

	_, words = p.run(0, "sign", "--key", "/toy.pem", "--key-id", "k", "--shape", "both", "-o", "/signed", "/in.ndjson")
	if !strings.Contains(words, `warning: algorithm "toy-hmac" is `+sign.NotDefined) {
		t.Errorf("sign says %s", words)
	}
	p.run(3, "verify", "--keys", "/keys.json", "/signed")
	p.run(2, "verify", "--public-key", "k=toy-hmac:"+want, "/signed")
	p.run(2, "verify", "--allow-algorithm", "toy", "--public-key", "k=toy-hmac:"+want, "/signed")
	p.run(2, "verify", "--allow-algorithm", "toy-hmac", "--public-key", "k=toy-hmac:00"+want[2:], "/signed") // its own key rule
	p.run(0, "verify", "--allow-algorithm", "toy-hmac", "--keys", "/keys.json", "/signed")
	out, _ = p.run(0, "verify", "--allow-algorithm", "toy-hmac", "--public-key", "k=toy-hmac:"+want, "--format", "json", "/signed")
	if !strings.Contains(out, `"algorithms":["ed25519","toy-hmac"]`) || !strings.Contains(out, `"undefined_algorithms":["toy-hmac"]`) {
		t.Errorf("the report has not both names: %.600s", out)
	}
	other := "ff" + want[2:]
	p.run(1, "verify", "--allow-algorithm", "toy-hmac", "--public-key", "k=toy-hmac:"+other, "/signed")

	p.run(0, "prepare", "--public-key", "/toy.pub", "--key-id", "k", "--shape", "both", "--messages", "/messages", "-o", "/request", "/in.ndjson")
	p.run(0, "sign", "--request", "/request", "--key", "/toy.pem", "-o", "/signatures")
	p.run(0, "attach", "--request", "/request", "--signatures", "/signatures", "-o", "/attached", "/in.ndjson")
	signed, err := os.ReadFile(p.path("signed"))
	if err != nil {
		t.Fatal(err)
	}
	attached, err := os.ReadFile(p.path("attached"))
	if err != nil || !bytes.Equal(signed, attached) {
		t.Errorf("in two steps it comes out as\n%s%v, want\n%s", attached, err, signed)
	}
	p.run(0, "retain", "--allow-algorithm", "toy-hmac", "--public-key", "k=toy-hmac:"+want, "--keep", "opening", "-o", "/kept", "/signed")
	p.run(0, "verify", "--allow-algorithm", "toy-hmac", "--public-key", "k=toy-hmac:"+want, "/kept")
	_, words = p.run(2, "trust", "add", "/trust.json", "--provider", "library", "--key-id", "k", "--key", "/toy.pub")
	if !strings.Contains(words, "contextgraph-trust/1 admits keys of ed25519 alone") || !strings.Contains(words, "--public-key") {
		t.Errorf("trust add says %s", words)
	}

	root := attestationIn(t, signed)
	if err := os.WriteFile(p.path("attestation"), root.text, 0o644); err != nil {
		t.Fatal(err)
	}
	p.run(3, "check", "--commitment", root.commitment, "--attestation", "/attestation", "--public-key", "/toy.pub")
	p.run(0, "check", "--allow-algorithm", "toy-hmac", "--commitment", root.commitment, "--attestation", "/attestation", "--public-key", "/toy.pub")
	p.run(0, "check", "--allow-algorithm", "toy-hmac", "--commitment", root.commitment, "--attestation", "/attestation", "--public-key", "toy-hmac:"+want)
	p.run(1, "check", "--allow-algorithm", "toy-hmac", "--commitment", root.commitment, "--attestation", "/attestation", "--public-key", "toy-hmac:"+other)
	p.run(1, "check", "--allow-algorithm", "toy-hmac", "--commitment", root.commitment, "--attestation", "/attestation", "--public-key", fixturePublicKey)

	for _, command := range []string{"verify", "check", "retain"} {
		if out, _ := p.run(0, command, "--help"); !strings.Contains(strings.Join(strings.Fields(out), " "), "or toy-hmac ("+sign.NotDefined+")") {
			t.Errorf("the help of %s does not name it", command)
		}
	}
	// Without its place it is as unknown as any other name.
	p.schemes = pq.Schemes()
	p.run(2, "verify", "--allow-algorithm", "toy-hmac", "/signed")
	p.run(2, "sign", "--key", "/toy.pem", "--key-id", "k", "/in.ndjson")
}

// rootAttestation is the result attestation of a signed session.
type rootAttestation struct {
	text       []byte
	commitment string
}

func attestationIn(t *testing.T, session []byte) rootAttestation {
	t.Helper()
	for line := range bytes.Lines(session) {
		var m struct {
			Result struct {
				Attestation json.RawMessage `json:"result_attestation"`
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.Result.Attestation != nil {
			var a struct {
				Signed string `json:"signed_commitment"`
			}
			if err := json.Unmarshal(m.Result.Attestation, &a); err != nil {
				t.Fatal(err)
			}
			return rootAttestation{m.Result.Attestation, a.Signed}
		}
	}
	t.Fatal("no answer has a result attestation")
	return rootAttestation{}
}

// A run that allows nothing says of every input what it said before there were schemes; one that allows them all says the same of
// every answer in which nothing is called by their names, and no other becomes good by it. The inputs are archives with each fault that the corpus knows.
func TestSchemesAreOffByDefault(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "in"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := corpus.Write(file, corpus.Spec{Seed: 5, Bytes: 4 << 20, Every: 2}); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "trust"), corpus.Trust(), 0o644); err != nil {
		t.Fatal(err)
	}
	minimal, err := filepath.Glob("../../archive/testdata/minimal/*.ndjson")
	if err != nil || len(minimal) < 30 {
		t.Fatalf("%d minimal inputs, %v", len(minimal), err)
	}
	all := append([]string{filepath.Join(dir, "in")}, minimal...)
	report := func(schemes []sign.Scheme, inputs []string, allow ...string) string {
		env, out, _ := testEnvironment("")
		env.schemes = schemes
		env.now = func() time.Time { return time.Date(2026, 8, 29, 12, 0, 0, 0, time.UTC) }
		args := append([]string{"verify", "--format", "jsonl", "--trust", filepath.Join(dir, "trust")}, inputs...)
		for _, name := range allow {
			args = append(args, "--"+allowFlag, name)
		}
		run(context.Background(), env, args)
		return out.String()
	}
	if report(nil, all) != report(pq.Schemes(), all) {
		t.Error("a run that allows nothing differs from one of a program without schemes")
	}
	lines := strings.Split(report(pq.Schemes(), all), "\n")
	allowed := strings.Split(report(pq.Schemes(), all, pq.Names()...), "\n")
	if len(lines) != len(allowed) || len(lines) < 200 {
		t.Fatalf("%d lines and %d, want the same number, 200 at least", len(lines), len(allowed))
	}
	named := 0
	for i := 1; i < len(lines)-2; i++ { // without the summary, whose counts follow
		if lines[i] == allowed[i] {
			continue
		}
		named++
		if !strings.Contains(lines[i], `"unknown_algorithm"`) || strings.Contains(allowed[i], `"class":"good"`) && !strings.Contains(lines[i], `"class":"good"`) {
			t.Errorf("where schemes are allowed\n%s\nbecomes\n%s", lines[i], allowed[i])
		}
	}
	if named == 0 {
		t.Error("no input names a scheme: nothing was shown of those that do")
	}
	header, allowedHeader := lines[0], allowed[0]
	names := `"` + strings.Join(pq.Names(), `","`) + `"`
	want := strings.Replace(strings.Replace(header, `"algorithms":["ed25519"]`, `"algorithms":["ed25519",`+names+`]`, 1), `}]},"received_at"`, `}],"undefined_algorithms":[`+names+`]},"received_at"`, 1)
	want = strings.Replace(want, `"published":[]}`, `"published":[],"undefined_algorithms":[`+names+`]}`, 1)
	if allowedHeader != want || !strings.Contains(header, `"algorithms":["ed25519"]`) {
		t.Errorf("the header is\n%s, want\n%s", allowedHeader, want)
	}
}
