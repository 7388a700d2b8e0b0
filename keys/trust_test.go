package keys

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func instant(t testing.TB, text string) (at commitment.Instant) {
	t.Helper()
	if text == "" {
		return at
	}
	at, err := commitment.ParseInstant(text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func windowOf(t testing.TB, from, until string) Window {
	t.Helper()
	return Window{instant(t, from), instant(t, until)}
}

// The public keys of the seeds 32×07 and 32×2a (published with CGP), and of RFC 8032 §7.1 TEST 1.
const (
	keySeed07 = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"
	keySeed2a = "197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"
)

func configure(t testing.TB, s *Store, localID, keyID, key string, w Window) {
	t.Helper()
	if _, err := s.Configure(localID, keyID, ed25519Key(t, key), w); err != nil {
		t.Fatal(err)
	}
}

// The file of a store, by hand from the text of the format.
const wantTrust = `{
  "format": "contextgraph-trust/1",
  "providers": {
    "Docs": [
      {
        "key_id": "é<&>",
        "algorithm": "ed25519",
        "public_key": "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c",
        "fingerprint": "sha256:fe812c12f3ab4ce6ac5db69ac352f906cb1b11ef43fb33e252ef7ff552263889",
        "not_before": "2026-08-01T00:00:00Z",
        "not_after": "2027-07-31T23:59:59.90Z"
      }
    ],
    "docs": [
      {
        "key_id": "a",
        "algorithm": "ed25519",
        "public_key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "fingerprint": "sha256:21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9",
        "tier": "pinned"
      },
      {
        "key_id": "a2",
        "algorithm": "ed25519",
        "public_key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "fingerprint": "sha256:21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9",
        "not_after": "2027-07-31T23:59:59Z"
      }
    ]
  }
}
`

func TestMarshalStore(t *testing.T) {
	s := &Store{}
	if got, err := s.Marshal(); err != nil || string(got) != "{\n  \"format\": \"contextgraph-trust/1\",\n  \"providers\": {}\n}\n" {
		t.Errorf("empty store: %q, %v", got, err)
	}
	configure(t, s, "docs", "a2", rfc8032Public, windowOf(t, "", "2027-07-31T23:59:59Z"))
	if o, err := s.Pin("docs", "a", ed25519Key(t, rfc8032Public)); o != Pinned || err != nil {
		t.Fatal(o, err)
	}
	configure(t, s, "Docs", "é<&>", keySeed07, windowOf(t, "2026-08-01T00:00:00Z", "2027-07-31T23:59:59.90Z"))
	got, err := s.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantTrust, string(got)); diff != "" {
		t.Errorf("Marshal (-want +got):\n%s", diff)
	}
}

// One test for what the tests of rules do not show of a good file: what comes out of it.
func TestParseStore(t *testing.T) {
	s, err := ParseStore(testFile(t, "trust/good/unsorted.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for localID, k := range s.All() {
		got = append(got, fmt.Sprintf("%s/%s %.4x %s", localID, k.KeyID, k.Key.Bytes, k.Tier))
	}
	want := []string{
		"Docs/k d75a9801 configured", "do/k d75a9801 configured", "docs/k10 197f6b23 configured", "docs/k9 d75a9801 configured",
	}
	if !slices.Equal(got, want) || s.Len() != 4 {
		t.Errorf("All() = %q, want %q", got, want)
	}
	for _, row := range []struct {
		localID, keyID string
		want           bool
	}{{"docs", "k9", true}, {"docs", "k", false}, {"doc", "k9", false}, {"", "", false}, {"docs", "", false}, {"docs", "z", false}} {
		if k, ok := s.Find(row.localID, row.keyID); ok != row.want || ok && k.KeyID != row.keyID {
			t.Errorf("Find(%q, %q) = %v, %v", row.localID, row.keyID, k, ok)
		}
	}
	upper, err := ParseStore(testFile(t, "trust/good/uppercase.json"))
	if err != nil {
		t.Fatal(err)
	}
	if k, _ := upper.Find("docs", "k"); k.Key != ed25519Key(t, rfc8032Public) {
		t.Errorf("uppercase digits are %v", k.Key)
	}
	if data, err := upper.Marshal(); err != nil || !bytes.Contains(data, []byte(rfc8032Public)) {
		t.Errorf("uppercase digits are not written lowercase: %s, %v", data, err)
	}
	// A file that has nulls, and one that has nothing, name the same store.
	for _, name := range []string{"empty", "null_providers", "no_keys"} {
		if s, err := ParseStore(testFile(t, "trust/good/"+name+".json")); err != nil || s.Len() != 0 || s.HasWindows() {
			t.Errorf("%s: %v, %v", name, s, err)
		}
	}
	if s, err := ParseStore(testFile(t, "trust/good/nulls.json")); err != nil || s.Len() != 1 || s.HasWindows() {
		t.Errorf("nulls: %v, %v", s, err)
	}
	if s, err := ParseStore(testFile(t, "trust/good/instants.json")); err != nil || !s.HasWindows() {
		t.Errorf("instants: %v, %v", s, err)
	}
}

// storeOf draws a store as a host could come to have it.
func storeOf(t *rapid.T, public []sign.PublicKey) *Store {
	s := &Store{}
	id := rapid.StringOfN(rapid.RuneFrom([]rune("abZ/\"\\\x00\u007f\u2028é<𝄞")), 1, 5, -1)
	ends := rapid.SampledFrom([]string{
		"", "2026-08-01T00:00:00Z", "2026-08-01T00:00:00.0Z", "2027-07-31T23:59:60.000000000000000000000000000001Z", "9999-12-31T23:59:59Z",
	})
	for range rapid.IntRange(0, 40).Draw(t, "keys") {
		localID, keyID := id.Draw(t, "provider"), id.Draw(t, "key_id")
		key := rapid.SampledFrom(public).Draw(t, "key")
		if rapid.Bool().Draw(t, "pin") {
			if _, err := s.Pin(localID, keyID, key); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var w Window
		for _, to := range []*commitment.Instant{&w.NotBefore, &w.NotAfter} {
			if text := ends.Draw(t, "end"); text != "" {
				*to, _ = commitment.ParseInstant(text)
			}
		}
		if _, err := s.Configure(localID, keyID, key, w); err != nil && !errors.Is(err, ErrKeyHeld) {
			var f *TrustFault
			if !errors.As(err, &f) || f.Rule != RuleInvertedWindow {
				t.Fatal(err)
			}
		}
	}
	return s
}

// What a host can come to hold reads back as what it was, byte for byte, here and in another language.
func TestStoreIsByteStable(t *testing.T) {
	public := []sign.PublicKey{ed25519Key(t, rfc8032Public), ed25519Key(t, keySeed07), ed25519Key(t, keySeed2a)}
	dir := t.TempDir()
	var files []string
	rapid.Check(t, func(t *rapid.T) {
		s := storeOf(t, public)
		data, err := s.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseStore(data)
		if err != nil {
			t.Fatal(err)
		}
		if d := DiffStores(s, again); len(d) > 0 || s.Len() != again.Len() {
			t.Errorf("read back it differs: %v", d)
		}
		if twice, err := again.Marshal(); err != nil || !bytes.Equal(twice, data) {
			t.Errorf("written again:\n%s\nwant:\n%s", twice, data)
		}
		name := filepath.Join(dir, fmt.Sprint(len(files)))
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	})
	for i, line := range strictReader(t, files...) {
		if line != "accept" {
			t.Errorf("the reader says %q of:\n%s", line, readFile(t, files[i]))
		}
	}
}

func TestConfigure(t *testing.T) {
	a, b := ed25519Key(t, rfc8032Public), ed25519Key(t, keySeed07)
	from, until, sooner := "2026-08-01T00:00:00Z", "2027-07-31T23:59:59Z", "2026-11-01T00:00:00Z"
	s := &Store{}
	if _, err := s.Pin("docs", "pinned", a); err != nil {
		t.Fatal(err)
	}
	steps := []struct {
		name, keyID string
		key         sign.PublicKey
		window      Window
		want        ConfigureOutcome
		held        Window
		err         error
	}{
		{"new", "k", a, Window{}, Configured, Window{}, nil},
		{"again", "k", a, Window{}, ConfiguredAlready, Window{}, nil},
		{"an end", "k", a, windowOf(t, "", until), Reconfigured, windowOf(t, "", until), nil},
		{"without the end: it stays", "k", a, Window{}, ConfiguredAlready, windowOf(t, "", until), nil},
		{"the same end in other words", "k", a, windowOf(t, "", "2027-07-31T23:59:59.00Z"), ConfiguredAlready, windowOf(t, "", until), nil},
		{"a beginning: the end stays", "k", a, windowOf(t, from, ""), Reconfigured, windowOf(t, from, until), nil},
		{"a sooner end", "k", a, windowOf(t, "", sooner), Reconfigured, windowOf(t, from, sooner), nil},
		{"other bytes", "k", b, Window{}, "", windowOf(t, from, sooner), ErrKeyHeld},
		{"a pinned key", "pinned", a, Window{}, Reconfigured, Window{}, nil},
		{"other bytes than pinned", "pinned", b, Window{}, "", Window{}, ErrKeyHeld},
	}
	for _, step := range steps {
		got, err := s.Configure("docs", step.keyID, step.key, step.window)
		if got != step.want || !errors.Is(err, step.err) {
			t.Errorf("%s: Configure = %q, %v, want %q, %v", step.name, got, err, step.want, step.err)
		}
		want := TrustedKey{step.keyID, a, step.held, TierConfigured}
		if held, ok := s.Find("docs", step.keyID); !ok || held != want {
			t.Errorf("%s: held is %v, want %v", step.name, held, want)
		}
	}
	if s.Len() != 2 {
		t.Errorf("%d keys are held, want 2", s.Len())
	}
}

// A rule is the same at the door as in a file, and nothing of what breaks one is held.
func TestDoor(t *testing.T) {
	good := ed25519Key(t, rfc8032Public)
	tests := []struct {
		name, localID, keyID string
		key                  sign.PublicKey
		window               Window
		want                 string
	}{
		{"no provider", "", "k", good, Window{}, "empty_provider_id: it is empty"},
		{"no key_id", "docs", "", good, Window{}, "empty_key_id: it is empty"},
		{"provider is not UTF-8", "d\xff", "k", good, Window{}, `invalid_utf8: "d\xff" is not UTF-8`},
		{"key_id is not UTF-8", "docs", "\xed\xa0\x80", good, Window{}, `invalid_utf8: "\xed\xa0\x80" is not UTF-8`},
		{"algorithm", "docs", "k", sign.PublicKey{Algorithm: "ed448", Bytes: good.Bytes}, Window{}, `unsupported_algorithm: "ed448", want "ed25519"`},
		{"short", "docs", "k", sign.PublicKey{Algorithm: "ed25519", Bytes: good.Bytes[1:]}, Window{}, "malformed_public_key: 31 bytes, want 32"},
		{"zero key", "docs", "k", sign.PublicKey{}, Window{}, `unsupported_algorithm: "", want "ed25519"`},
		{"inverted", "docs", "k", good, windowOf(t, "2027-01-01T00:00:00Z", "2026-12-31T23:59:60Z"),
			"inverted_window: not_after is 2026-12-31T23:59:60Z, earlier than not_before, 2027-01-01T00:00:00Z"},
	}
	for _, weak := range weakKeys {
		tests = append(tests, struct {
			name, localID, keyID string
			key                  sign.PublicKey
			window               Window
			want                 string
		}{weak.name, "docs", "k", ed25519Key(t, weak.text), Window{}, weak.reason})
	}
	for _, tt := range tests {
		s := &Store{}
		if o, err := s.Configure(tt.localID, tt.keyID, tt.key, tt.window); err == nil || o != "" || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Configure = %q, %v, want %s", tt.name, o, err, tt.want)
		}
		if tt.window.IsOpen() {
			if o, err := s.Pin(tt.localID, tt.keyID, tt.key); o != Refused || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: Pin = %q, %v, want refused, %s", tt.name, o, err, tt.want)
			}
		}
		if s.Len() != 0 {
			t.Errorf("%s: it is held", tt.name)
		}
	}
}

func TestPin(t *testing.T) {
	a, b := ed25519Key(t, rfc8032Public), ed25519Key(t, keySeed07)
	s := &Store{}
	configure(t, s, "docs", "configured", rfc8032Public, windowOf(t, "", "2020-01-01T00:00:00Z"))
	steps := []struct {
		name, localID, keyID string
		key                  sign.PublicKey
		want                 PinOutcome
	}{
		{"first", "docs", "k", a, Pinned},
		{"again", "docs", "k", a, AlreadyPinned},
		{"changed", "docs", "k", b, KeyChanged},
		{"changed, twice", "docs", "k", b, KeyChanged},
		{"as it was", "docs", "k", a, AlreadyPinned},
		{"held as configured, out of service", "docs", "configured", a, AlreadyConfigured},
		{"conflict", "docs", "configured", b, ConflictsWithConfigured},
		{"another key_id", "docs", "k2", b, Pinned},
		{"another provider", "wiki", "k", b, Pinned},
		{"weak", "docs", "weak", ed25519Key(t, weakKeys[0].text), Refused},
		{"weak under a key_id that is held", "docs", "k", ed25519Key(t, weakKeys[0].text), KeyChanged},
	}
	for _, step := range steps {
		before := s.append(nil)
		got, err := s.Pin(step.localID, step.keyID, step.key)
		if got != step.want || (err != nil) != (step.want == Refused) {
			t.Errorf("%s: Pin = %q, %v, want %q", step.name, got, err, step.want)
		}
		if changed := !bytes.Equal(before, s.append(nil)); changed != (step.want == Pinned) {
			t.Errorf("%s: the store changed: %v", step.name, changed)
		}
		if got.Holds() != (step.want != KeyChanged && step.want != ConflictsWithConfigured && step.want != Refused) {
			t.Errorf("%s: %q.Holds() = %v", step.name, got, got.Holds())
		}
	}
	if PinOutcome("").Holds() || PinOutcome("unheard_of").Holds() {
		t.Error("what is no outcome holds")
	}
}

func TestPinLimit(t *testing.T) {
	a := ed25519Key(t, rfc8032Public)
	s := &Store{}
	configure(t, s, "docs", "configured", rfc8032Public, Window{})
	for i := range MaxPinned {
		if o, err := s.Pin("docs", fmt.Sprint("k", i), a); o != Pinned {
			t.Fatalf("pin %d: %q, %v", i+1, o, err)
		}
	}
	o, err := s.Pin("docs", "k17", a)
	if want := "too_many_pinned: 16 keys of this provider are pinned, want at most 16"; o != Refused || err == nil || err.Error() != want {
		t.Errorf("the 17th: %q, %v, want refused: %s", o, err, want)
	}
	for _, held := range []string{"k0", "configured"} {
		if o, err := s.Pin("docs", held, a); !o.Holds() {
			t.Errorf("%s, held already: %q, %v", held, o, err)
		}
	}
	if o, err := s.Pin("wiki", "k17", a); o != Pinned {
		t.Errorf("of another provider: %q, %v", o, err)
	}
	// A pinned key that a person vouches for counts no more.
	configure(t, s, "docs", "k3", rfc8032Public, Window{})
	if o, err := s.Pin("docs", "k17", a); o != Pinned {
		t.Errorf("with one fewer: %q, %v", o, err)
	}
	if _, err := s.Marshal(); err != nil {
		t.Error(err)
	}
}

func TestRemove(t *testing.T) {
	s := &Store{}
	configure(t, s, "docs", "a", rfc8032Public, Window{})
	configure(t, s, "docs", "b", keySeed07, Window{})
	for _, row := range []struct {
		localID, keyID string
		want           bool
	}{{"docs", "c", false}, {"wiki", "a", false}, {"docs", "a", true}, {"docs", "a", false}, {"docs", "b", true}} {
		k, ok := s.Remove(row.localID, row.keyID)
		if ok != row.want || ok && k.KeyID != row.keyID {
			t.Errorf("Remove(%q, %q) = %v, %v, want %v", row.localID, row.keyID, k, ok, row.want)
		}
	}
	if data := s.append(nil); !bytes.Contains(data, []byte(`"providers": {}`)) {
		t.Errorf("with no key left: %s", data)
	}
}

// A store that outgrows the file is not written.
func TestMarshalTooLarge(t *testing.T) {
	s := &Store{}
	configure(t, s, strings.Repeat("x", MaxTrustFile), "k", rfc8032Public, Window{})
	var f *TrustFault
	if data, err := s.Marshal(); data != nil || !errors.As(err, &f) || f.Rule != RuleTooLarge {
		t.Errorf("Marshal = %d bytes, %v, want too_large", len(data), err)
	}
	name := filepath.Join(t.TempDir(), "trust.json")
	if err := SaveStore(name, s); !errors.As(err, &f) {
		t.Errorf("SaveStore = %v, want too_large", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file is there: %v", err)
	}
}

func TestDiffStores(t *testing.T) {
	a, b := &Store{}, &Store{}
	configure(t, a, "docs", "removed", rfc8032Public, Window{})
	configure(t, b, "docs", "added", rfc8032Public, Window{})
	configure(t, a, "docs", "bytes", rfc8032Public, Window{})
	configure(t, b, "docs", "bytes", keySeed07, Window{})
	configure(t, a, "docs", "same", rfc8032Public, windowOf(t, "", "2027-01-01T00:00:00Z"))
	configure(t, b, "docs", "same", rfc8032Public, windowOf(t, "", "2027-01-01T00:00:00.000Z"))
	configure(t, a, "docs", "window", rfc8032Public, Window{})
	configure(t, b, "docs", "window", rfc8032Public, windowOf(t, "", "2027-01-01T00:00:00Z"))
	configure(t, a, "wiki", "all", rfc8032Public, windowOf(t, "2027-01-01T00:00:00Z", ""))
	if _, err := b.Pin("wiki", "all", ed25519Key(t, keySeed07)); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range DiffStores(a, b) {
		got = append(got, fmt.Sprintf("%s %s/%s%s", d.Change, d.LocalID, d.Old.KeyID, d.New.KeyID))
	}
	want := []string{
		"added docs/added", "bytes docs/bytesbytes", "removed docs/removed", "window docs/windowwindow", "bytes wiki/allall",
		"tier wiki/allall", "window wiki/allall",
	}
	if !slices.Equal(got, want) {
		t.Errorf("DiffStores = %q, want %q", got, want)
	}
	if d := DiffStores(a, a); len(d) != 0 {
		t.Errorf("a store differs from itself: %v", d)
	}
}
