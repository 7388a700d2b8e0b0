package commitment_test

import (
	"encoding"
	"errors"
	"regexp"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"pgregory.net/rapid"
)

var _ encoding.TextAppender = commitment.Digest{}

// digestTexts are the rows of TestParseDigest and the seeds of FuzzParseDigest. An empty reason stands for a good text.
var digestTexts = []struct {
	name   string
	text   string
	reason string
}{
	{"digits", "sha256:" + strings.Repeat("01", 32), ""},
	{"letters", "sha256:" + strings.Repeat("af", 32), ""},
	{"all digits", "sha256:0123456789abcdef" + strings.Repeat("9", 48), ""},
	{"empty", "", `"": want it to start with "sha256:"`},
	{"no prefix", strings.Repeat("ab", 32), `want it to start with "sha256:"`},
	{"prefix alone", "sha256:", `"sha256:": 0 bytes after "sha256:", want 64`},
	{"uppercase prefix", "SHA256:" + strings.Repeat("ab", 32), `want it to start with "sha256:"`},
	{"other algorithm", "sha512:" + strings.Repeat("ab", 32), `want it to start with "sha256:"`},
	{"hyphen", "sha256-" + strings.Repeat("ab", 32), `want it to start with "sha256:"`},
	{"space in front", " sha256:" + strings.Repeat("ab", 32), `want it to start with "sha256:"`},
	{"short by one", "sha256:" + strings.Repeat("a", 63), `63 bytes after "sha256:", want 64`},
	{"long by one", "sha256:" + strings.Repeat("a", 65), `65 bytes after "sha256:", want 64`},
	{"ten digits", "sha256:9f2c3e7a1b", `"sha256:9f2c3e7a1b": 10 bytes after "sha256:", want 64`},
	{"newline", "sha256:" + strings.Repeat("ab", 32) + "\n", `65 bytes after "sha256:", want 64`},
	{"uppercase first", "sha256:A" + strings.Repeat("a", 63), `"Aa" is not of 0-9a-f`},
	{"uppercase last", "sha256:" + strings.Repeat("a", 63) + "F", `"aF" is not of 0-9a-f`},
	{"g", "sha256:" + strings.Repeat("0", 62) + "0g", `"0g" is not of 0-9a-f`},
	{"below 0", "sha256:" + strings.Repeat("0", 62) + "/0", `"/0" is not of 0-9a-f`},
	{"above 9", "sha256:" + strings.Repeat("0", 62) + ":0", `":0" is not of 0-9a-f`},
	{"below a", "sha256:" + strings.Repeat("0", 62) + "`0", "\"`0\" is not of 0-9a-f"},
	{"sixty-four bytes, no ASCII", "sha256:" + strings.Repeat("é", 32), `"é" is not of 0-9a-f`},
	{"NUL", "sha256:" + strings.Repeat("0", 63) + "\x00", `"0\x00" is not of 0-9a-f`},
}

func TestParseDigest(t *testing.T) {
	for _, tt := range digestTexts {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitment.ParseDigest(tt.text)
			if tt.reason == "" {
				if err != nil || got.String() != tt.text {
					t.Errorf("ParseDigest(%q) = %s, %v, want it back", tt.text, got, err)
				}
				return
			}
			if !errors.Is(err, commitment.ErrMalformedDigest) {
				t.Fatalf("ParseDigest(%q) = %s, %v, want ErrMalformedDigest", tt.text, got, err)
			}
			if got != (commitment.Digest{}) {
				t.Errorf("ParseDigest(%q) = %s beside an error, want zero", tt.text, got)
			}
			if !strings.HasPrefix(err.Error(), "commitment: malformed digest ") || !strings.HasSuffix(err.Error(), tt.reason) {
				t.Errorf("ParseDigest(%q) says %q, want commitment: malformed digest … %s", tt.text, err, tt.reason)
			}
		})
	}
}

func TestParseDigestCutsWhatItQuotes(t *testing.T) {
	_, err := commitment.ParseDigest(strings.Repeat("\u202e", 1<<20))
	if err == nil || len(err.Error()) > 1000 {
		t.Errorf("the error has %d bytes, want at most 1000", len(err.Error()))
	}
}

func TestDigestBytes(t *testing.T) {
	d := mustDigest(t, "sha256:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
	for i, b := range d {
		if int(b) != i {
			t.Errorf("byte %d = %d, want %d", i, b, i)
		}
	}
}

func TestDigestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := commitment.Digest(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "bytes"))
		if got, err := commitment.ParseDigest(d.String()); err != nil || got != d {
			t.Fatalf("ParseDigest(%s) = %s, %v, want it back", d, got, err)
		}
		got, err := d.AppendText([]byte("before"))
		if want := "before" + d.String(); err != nil || string(got) != want {
			t.Fatalf("AppendText(before) = %q, %v, want %q", got, err, want)
		}
	})
}

func TestContentDigest(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		// FIPS 180-4, the examples of NIST's Cryptographic Standards and Guidelines.
		{"empty", "", "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
		{"abc", "abc", "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"million", strings.Repeat("a", 1_000_000), "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
		// printf '\303\251' | sha256sum
		{"UTF-8", "é", "sha256:4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := commitment.ContentDigest(tt.content).String(); got != tt.want {
				t.Errorf("ContentDigest(%.10q) = %s, want %s", tt.content, got, tt.want)
			}
		})
	}
}

var digestGrammar = regexp.MustCompile(`\Asha256:[0-9a-f]{64}\z`)

// The rows that seed the fuzz target hold both outcomes, or it would show nothing.
func TestDigestSeeds(t *testing.T) {
	good, bad := 0, 0
	for _, tt := range digestTexts {
		if digestGrammar.MatchString(tt.text) {
			good++
		} else {
			bad++
		}
	}
	if good < 3 || bad < 10 {
		t.Errorf("%d good seeds and %d bad ones, want at least 3 and 10", good, bad)
	}
}

func FuzzParseDigest(f *testing.F) {
	for _, tt := range digestTexts {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := commitment.ParseDigest(s)
		if got, want := err == nil, digestGrammar.MatchString(s); got != want {
			t.Fatalf("ParseDigest(%q) = %s, %v, want good: %t", s, d, err, want)
		}
		if err == nil && d.String() != s {
			t.Fatalf("ParseDigest(%q).String() = %q, want it back", s, d)
		}
	})
}
