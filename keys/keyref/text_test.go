package keyref

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// RFC 8032 §7.1, TEST 1.
const (
	rfcSeed   = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
	rfcPublic = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
)

func seedFile(t *testing.T, text string, mode fs.FileMode) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "seed")
	if err := errors.Join(os.WriteFile(path, []byte(text), 0o600), os.Chmod(path, mode)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A file that is open to others and holds no private key is refused for what it is.
func TestOpenPublicLine(t *testing.T) {
	line := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOpKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs docs"
	key, err := Open(t.Context(), Reference{Path, seedFile(t, line, 0o644)}, Options{})
	if key != nil || !errors.Is(err, sign.ErrUnsupportedKey) || errors.Is(err, ErrExposed) {
		t.Errorf("Open = %v, %v, want sign.ErrUnsupportedKey", key, err)
	}
}

// checkOpens fails unless a reference leads to the key of RFC 8032.
func checkOpens(t *testing.T, ref Reference, opt Options) {
	t.Helper()
	key, err := Open(t.Context(), ref, opt)
	if err != nil {
		t.Errorf("Open(%s): %v", ref, err)
		return
	}
	public, err := keys.ParsePublicKey([]byte(rfcPublic))
	if err != nil || key.PublicKey() != public {
		t.Errorf("Open(%s) = %v, want the key of RFC 8032", ref, key)
	}
	if err := signAll(key); err != nil {
		t.Errorf("Open(%s): %v", ref, err)
	}
}

func TestOpenPath(t *testing.T) {
	checkOpens(t, Reference{Path, seedFile(t, rfcSeed+"\n", 0o600)}, Options{})
	checkOpens(t, Reference{Path, seedFile(t, rfcSeed, 0o400)}, Options{})
	if runtime.GOOS == "windows" {
		return
	}
	for _, mode := range []fs.FileMode{0o604, 0o640, 0o610, 0o602, 0o660} {
		path := seedFile(t, rfcSeed, mode)
		key, err := Open(t.Context(), Reference{Path, path}, Options{})
		if key != nil || !errors.Is(err, ErrExposed) || !strings.Contains(err.Error(), "0"+strconv.FormatUint(uint64(mode), 8)) {
			t.Errorf("%o: Open = %v, %v, want ErrExposed", mode, key, err)
		}
		// What is no private key may be open to others: the text is there, and what is wrong with it.
		text, err := Read(t.Context(), Reference{Path, path}, Options{})
		if err != nil || string(text.Bytes) != rfcSeed || !errors.Is(text.Exposed, ErrExposed) {
			t.Errorf("%o: Read = %v, want the text, exposed", mode, err)
		}
	}
}

func TestOpenPathRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		name, path string
		want       error
	}{
		{"missing", filepath.Join(dir, "missing"), fs.ErrNotExist},
		{"directory", dir, nil},
		{"too large", seedFile(t, strings.Repeat("0", keys.MaxFile+1), 0o600), keys.ErrTooLarge},
		{"no key", seedFile(t, rfcSeed[1:], 0o600), keys.ErrMalformedFile},
	} {
		key, err := Open(t.Context(), Reference{Path, row.path}, Options{})
		if key != nil || err == nil || row.want != nil && !errors.Is(err, row.want) {
			t.Errorf("%s: Open = %v, %v, want %v", row.name, key, err, row.want)
		} else if strings.Contains(err.Error(), rfcSeed[8:16]) {
			t.Errorf("%s: the error shows the key: %v", row.name, err)
		}
	}
}

func TestOpenStdin(t *testing.T) {
	checkOpens(t, Reference{Kind: Stdin}, Options{Stdin: strings.NewReader(rfcSeed)})
	if key, err := Open(t.Context(), Reference{Kind: Stdin}, Options{}); err == nil {
		t.Errorf("without standard input: %v", key)
	}
	broken := errors.New("broken")
	failing := io.MultiReader(strings.NewReader(rfcSeed), readerFunc(func([]byte) (int, error) { return 0, broken }))
	if key, err := Open(t.Context(), Reference{Kind: Stdin}, Options{Stdin: failing}); !errors.Is(err, broken) {
		t.Errorf("with a broken one: %v, %v", key, err)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestOpenEnvironment(t *testing.T) {
	t.Setenv("CGP_TEST_KEY", rfcSeed)
	ref := Reference{Environment, "CGP_TEST_KEY"}
	checkOpens(t, ref, Options{})
	if _, present := os.LookupEnv("CGP_TEST_KEY"); present {
		t.Error("the variable is still there")
	}
	if key, err := Open(t.Context(), ref, Options{}); !errors.Is(err, ErrNotSet) {
		t.Errorf("a second time: %v, %v, want ErrNotSet", key, err)
	}
	t.Setenv("CGP_TEST_KEY", "")
	if key, err := Open(t.Context(), ref, Options{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty: %v, %v, want ErrEmpty", key, err)
	}
}

func TestOpenDescriptor(t *testing.T) {
	if runtime.GOOS == "windows" {
		key, err := Open(t.Context(), Reference{Descriptor, "3"}, Options{})
		if !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("Open = %v, %v, want errors.ErrUnsupported", key, err)
		}
		return
	}
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	in.WriteString(rfcSeed)
	in.Close()
	ref := Reference{Descriptor, strconv.FormatUint(uint64(out.Fd()), 10)}
	checkOpens(t, ref, Options{})
	if _, err := out.Stat(); err != nil {
		t.Errorf("the descriptor was closed: %v", err)
	}
	out.Close()
	if key, err := Open(t.Context(), Reference{Descriptor, "9999"}, Options{}); key != nil || err == nil || !strings.Contains(err.Error(), "descriptor 9999") {
		t.Errorf("a closed one: %v, %v", key, err)
	}
}

// TestReadingInterrupted: a text that does not come is not waited for.
func TestReadingInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, interrupt)
	out, in := io.Pipe()
	defer in.Close()
	if key, err := Open(ctx, Reference{Kind: Stdin}, Options{Stdin: out}); key != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("Open = %v, %v, want context.Canceled", key, err)
	}
}

func TestReadRefusesSigners(t *testing.T) {
	for _, kind := range []Kind{Agent, External} {
		if text, err := Read(t.Context(), Reference{kind, "x"}, Options{}); !errors.Is(err, ErrMalformedReference) {
			t.Errorf("Read of the kind %s = %v, %v", kind, text, err)
		}
	}
}

// TestUnlock: the passphrase is asked for where one is needed, once, and for nothing else.
func TestUnlock(t *testing.T) {
	plain, err := keys.ParsePrivateKey([]byte(rfcSeed))
	if err != nil {
		t.Fatal(err)
	}
	protected, err := plain.MarshalOpenSSHWithPassphrase("", []byte("correct horse"))
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("nobody is there")
	for _, row := range []struct {
		name       string
		text       []byte
		passphrase string
		fault      error
		asked      int
		want       error
	}{
		{"plain", []byte(rfcSeed), "unused", stop, 0, nil},
		{"protected", protected, "correct horse", nil, 1, nil},
		{"wrong", protected, "incorrect horse", nil, 1, keys.ErrWrongPassphrase},
		{"not told", protected, "", stop, 1, stop},
	} {
		asked := 0
		opt := Options{Passphrase: func(_ context.Context, ref Reference) ([]byte, error) {
			asked++
			if ref.Name != "docs" {
				t.Errorf("%s: asked for %q", row.name, ref)
			}
			return []byte(row.passphrase), row.fault
		}}
		key, err := Unlock(t.Context(), &Text{Reference: Reference{Path, "docs"}, Bytes: bytes.Clone(row.text)}, opt)
		if !errors.Is(err, row.want) || (err == nil) != (key != nil) || asked != row.asked {
			t.Errorf("%s: Unlock = %v, %v, want %v; asked %d times, want %d", row.name, key, err, row.want, asked, row.asked)
		}
		if err == nil && key.PublicKey() != plain.PublicKey() {
			t.Errorf("%s: Unlock = %v, want %v", row.name, key, plain)
		}
	}
	if _, err := Unlock(t.Context(), &Text{Bytes: protected}, Options{}); !errors.Is(err, keys.ErrPassphraseMissing) {
		t.Errorf("with nobody to ask: %v, want keys.ErrPassphraseMissing", err)
	}
}
