package keyref

import (
	"context"
	"crypto"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A heard is what a signer has said, and the log that it wrote.
type heard struct {
	lines []string
	log   string
}

// signer prepares the test binary to be a signer of a mode.
func signer(t *testing.T, mode string) (Reference, *heard, Options) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	h := &heard{log: filepath.Join(t.TempDir(), "log")}
	t.Setenv("CGP_SIGNER_MODE", mode)
	t.Setenv("CGP_SIGNER_LOG", h.log)
	opt := Options{SignerSays: func(line string) { h.lines = append(h.lines, line) }, RequestTimeout: 30 * time.Second}
	return Reference{Kind: External, Name: program}, h, opt
}

// requests are what a root and a frame ask for.
func requests() []sign.Request {
	preimage := []byte("preimage")
	return []sign.Request{
		{Commitment: commitment.Digest{1, 2, 3}, Provider: "docs"},
		{
			Commitment: sha256.Sum256(preimage), Provider: "a \"provider\"\n",
			Frame: &commitment.FrameID{ProviderID: "x", FrameID: "f\x00"}, Preimage: preimage,
		},
	}
}

// signAll makes an attestation of each request.
func signAll(key crypto.Signer) error {
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		return err
	}
	s, err := sign.NewSigner(key, "k", "a", at)
	if err != nil {
		return err
	}
	for _, r := range requests() {
		if _, err := s.Attest(r); err != nil {
			return err
		}
	}
	return nil
}

func TestExternalSigns(t *testing.T) {
	for _, mode := range []string{"good", "null error"} {
		ref, heard, opt := signer(t, mode)
		key, err := Open(t.Context(), ref, opt)
		if err != nil {
			t.Fatal(err)
		}
		if err := signAll(key); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
		if err := key.Close(); err != nil {
			t.Errorf("%s: Close = %v", mode, err)
		}
		if err := key.Close(); err != nil {
			t.Errorf("%s: the second Close = %v", mode, err)
		}
		if err := signAll(key); err == nil {
			t.Errorf("%s: signs after Close", mode)
		}
		if want := []string{"signer starts", "signer ends"}; !slices.Equal(heard.lines, want) {
			t.Errorf("%s: said %q, want %q", mode, heard.lines, want)
		}
		log, err := os.ReadFile(heard.log)
		if err != nil {
			t.Fatal(err)
		}
		// The lines are DESIGN's; the second hash is SHA-256 of "preimage", by sha256sum of coreutils.
		want := []string{
			"[]",
			`{"op":"public_key"}`,
			`{"op":"sign","algorithm":"ed25519","message":"010203` + strings.Repeat("00", 29) + `","provider_id":"docs","frame_id":null,` +
				`"commitment":"sha256:010203` + strings.Repeat("00", 29) + `","preimage":null}`,
			`{"op":"sign","algorithm":"ed25519","message":"` + preimageHash + `","provider_id":"a \"provider\"\n","frame_id":"f\u0000",` +
				`"commitment":"sha256:` + preimageHash + `","preimage":"707265696d616765"}`,
		}
		lines := strings.Split(strings.TrimSpace(string(log)), "\n")
		if got := slices.Delete(lines, 1, 2); !slices.Equal(got, want) {
			t.Errorf("%s: the signer saw %q, want %q", mode, got, want)
		}
	}
}

const preimageHash = "107661134f21fc7c02223d50ab9eb3600bc3ffc3712423a1e47bb1f9a9dbf55f"

// TestExternalEnvironment: a signer sees no more of the environment than the list says.
func TestExternalEnvironment(t *testing.T) {
	ref, heard, opt := signer(t, "good")
	t.Setenv("CGP_ATTEST_PASSPHRASE", "secret-1")
	t.Setenv("CGP_ATTEST_ANYTHING", "secret-2")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret-3")
	t.Setenv("xCGP_SIGNER_X", "secret-4")
	t.Setenv("CGP_SIGNER_PIN", "for-the-signer")
	t.Setenv("HOME", "/nowhere")
	t.Setenv("LC_ALL", "C")
	key, err := Open(t.Context(), ref, opt)
	if err != nil {
		t.Fatal(err)
	}
	if err := key.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(heard.log)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(log), "secret-") {
		t.Errorf("the signer saw %s", log)
	}
	for _, want := range []string{`"CGP_SIGNER_PIN=for-the-signer"`, `"HOME=/nowhere"`, `"LC_ALL=C"`} {
		if !strings.Contains(string(log), want) {
			t.Errorf("the signer saw %s, want %s in it", log, want)
		}
	}
	if !slices.IsSorted(SignerEnvironment()) {
		t.Errorf("SignerEnvironment() = %q, want it sorted", SignerEnvironment())
	}
}

// TestExternalFaults: every way in which a signer can fail has its error, in opening, signing or closing.
func TestExternalFaults(t *testing.T) {
	const (
		opening = iota
		signing
		closing
	)
	for _, row := range []struct {
		mode  string
		when  int
		want  error
		words string
	}{
		{"silent", opening, ErrSignerEnded, "before it answered"},
		{"exit at once", opening, ErrSignerEnded, "exit status 3"},
		{"garbage", opening, ErrSignerProtocol, "no JSON object: not JSON at byte 0"},
		{"empty line", opening, ErrSignerProtocol, "no JSON object"},
		{"array", opening, ErrSignerProtocol, "no JSON object"},
		{"two objects", opening, ErrSignerProtocol, "no JSON object: more bytes behind the value at byte 3"},
		{"duplicate", opening, ErrSignerProtocol, "duplicate member name"},
		{"no algorithm", opening, ErrSignerProtocol, "no string algorithm"},
		{"other algorithm", opening, sign.ErrUnsupportedKey, `"Ed25519", want ed25519`},
		{"no key", opening, ErrSignerProtocol, "no string public_key"},
		{"null key", opening, ErrSignerProtocol, "no string public_key"},
		{"short key", opening, ErrSignerProtocol, "public_key has 62 characters, want 64"},
		{"uppercase key", opening, ErrSignerProtocol, "public_key is not lowercase"},
		{"weak key", opening, sign.ErrMalformedKey, "small order"},
		{"key refused", opening, ErrSignerRefused, `"the token is\x1b[31m locked"`},
		{"odd error", opening, ErrSignerProtocol, "error is no string"},
		{"long line", opening, ErrSignerProtocol, "more than 65536 bytes"},
		{"exit before signing", signing, ErrSignerEnded, "exit status 3"},
		{"end before signing", signing, ErrSignerEnded, "before it answered"},
		{"signature refused", signing, ErrSignerRefused, `"not today"`},
		{"no signature", signing, ErrSignerProtocol, "no string signature"},
		{"short signature", signing, ErrSignerProtocol, "signature has 2 characters, want 128"},
		{"uppercase signature", signing, ErrSignerProtocol, "signature is not lowercase"},
		{"signature no hex", signing, ErrSignerProtocol, "signature is not lowercase"},
		{"wrong signature", signing, sign.ErrSignerMismatch, "bad signature"},
		{"no line feed", signing, ErrSignerEnded, "before it answered"}, // the second request
		{"exit at the end", closing, ErrSignerEnded, "exit status 3"},
		{"one word more", closing, ErrSignerProtocol, "more than it was asked for"},
	} {
		ref, _, opt := signer(t, row.mode)
		key, err := Open(t.Context(), ref, opt)
		if row.when > opening {
			if err != nil {
				t.Errorf("%s: Open: %v", row.mode, err)
				continue
			}
			err = signAll(key)
			if row.when > signing {
				if err != nil {
					t.Errorf("%s: signing: %v", row.mode, err)
				}
				err = key.Close()
			} else if again := signAll(key); err != nil && !errors.Is(again, row.want) {
				t.Errorf("%s: a second time: %v, want the same fault", row.mode, again)
			}
			key.Close()
		} else if key != nil {
			t.Errorf("%s: Open = %v beside %v", row.mode, key, err)
		}
		if !errors.Is(err, row.want) || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%s: %v, want %v that says %q", row.mode, err, row.want, row.words)
		}
	}
}

// TestExternalLate: a signer that does not answer, or does not end, is ended.
func TestExternalLate(t *testing.T) {
	for _, mode := range []string{"hang at once", "hang before signing", "hang at the end"} {
		ref, _, opt := signer(t, mode)
		opt.RequestTimeout = 700 * time.Millisecond
		begin := time.Now()
		key, err := Open(t.Context(), ref, opt)
		var process *os.Process
		if err == nil {
			process = key.signer.(*external).command.Process
			if err = signAll(key); err == nil {
				err = key.Close()
			}
			key.Close()
		}
		if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), "needs more than 700ms") {
			t.Errorf("%s: %v, want ErrTimeout", mode, err)
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%s: it took %s", mode, took)
		}
		if process != nil && process.Signal(os.Kill) == nil {
			t.Errorf("%s: the signer is still there", mode)
		}
	}
}

// TestExternalInterrupted: the end of the context is the end of the signer, and the error tells.
func TestExternalInterrupted(t *testing.T) {
	for _, mode := range []string{"hang at once", "hang before signing", "hang at the end", "good"} {
		ref, _, opt := signer(t, mode)
		ctx, interrupt := context.WithCancel(t.Context())
		if mode != "good" {
			time.AfterFunc(500*time.Millisecond, interrupt)
		}
		key, err := Open(ctx, ref, opt)
		if err == nil {
			process := key.signer.(*external).command.Process
			if err = signAll(key); err == nil {
				if mode == "good" {
					interrupt()
				}
				err = key.Close()
			}
			key.Close()
			if process.Signal(os.Kill) == nil {
				t.Errorf("%s: the signer is still there", mode)
			}
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want context.Canceled", mode, err)
		}
		interrupt()
	}
}

// A program that the signer has left behind with its standard error open holds nothing up for long.
func TestExternalLeavesChild(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal(err)
		}
		t.Skip("sleep is not there")
	}
	ref, _, opt := signer(t, "leaves a child behind")
	key, err := Open(t.Context(), ref, opt)
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if err := errors.Join(signAll(key), key.Close()); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > 15*time.Second {
		t.Errorf("it took %s", took)
	}
}

func TestExternalDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	script := filepath.Join(dir, "script")
	if err := errors.Join(os.WriteFile(text, []byte("x"), 0o600), os.WriteFile(script, []byte("x"), 0o700)); err != nil {
		t.Fatal(err)
	}
	rows := []struct{ name, path, words string }{{"missing", filepath.Join(dir, "missing"), ""}, {"directory", dir, ""}}
	if runtime.GOOS != "windows" {
		rows = append(rows, struct{ name, path, words string }{"not executable", text, "permission denied"},
			struct{ name, path, words string }{"no program", script, "exec format error"},
			// It is in PATH, where nobody looks.
			struct{ name, path, words string }{"a bare name", "sh", "no such file"})
	}
	for _, row := range rows {
		key, err := Open(t.Context(), Reference{External, row.path}, Options{})
		if key != nil || !errors.Is(err, ErrSignerStart) || !strings.Contains(err.Error(), row.words) {
			t.Errorf("%s: Open = %v, %v, want ErrSignerStart that says %q", row.name, key, err, row.words)
		}
	}
}

// What is signed must be known, and not hashed.
func TestExternalOptions(t *testing.T) {
	ref, _, opt := signer(t, "good")
	key, err := Open(t.Context(), ref, opt)
	if err != nil {
		t.Fatal(err)
	}
	defer key.Close()
	for _, opts := range []crypto.SignerOpts{crypto.Hash(0), crypto.SHA512} {
		if got, err := key.Sign(nil, make([]byte, 32), opts); err == nil {
			t.Errorf("Sign with %v = %x, want an error", opts, got)
		}
	}
	if err := signAll(key); err != nil {
		t.Errorf("and then: %v", err)
	}
}

func TestLineWriter(t *testing.T) {
	long := strings.Repeat("x", maxSaid)
	for _, row := range []struct {
		name   string
		writes []string
		want   []string
	}{
		{"nothing", nil, nil},
		{"lines", []string{"a\nb\n", "c\n"}, []string{"a", "b", "c"}},
		{"parts", []string{"a", "b\nc", "", "\n", "d"}, []string{"ab", "c", "d"}},
		{"empty lines", []string{"\n\na"}, []string{"", "", "a"}},
		{"at the limit", []string{long + "\n"}, []string{long, ""}[:1]},
		{"over the limit", []string{long + "y\n"}, []string{long, "y"}},
		{"over the limit in parts", []string{long[1:], "zyx", "w"}, []string{long[1:] + "z", "yxw"}},
	} {
		var got []string
		w := &lineWriter{say: func(line string) { got = append(got, line) }}
		for _, text := range row.writes {
			if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
				t.Errorf("%s: Write = %d, %v, want %d", row.name, n, err, len(text))
			}
		}
		w.flush()
		if !slices.Equal(got, row.want) {
			t.Errorf("%s: said %.80q, want %.80q", row.name, got, row.want)
		}
	}
	silent := &lineWriter{}
	silent.Write([]byte("a\nb"))
	silent.flush()
}
