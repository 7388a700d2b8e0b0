package archive_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func windowOf(t *testing.T, from, until string) (w keys.Window) {
	t.Helper()
	if from != "" {
		w.NotBefore = instant(t, from)
	}
	if until != "" {
		w.NotAfter = instant(t, until)
	}
	return w
}

// ringOf holds one key.
func ringOf(t *testing.T, localID string, k keys.TrustedKey) *archive.Keyring {
	t.Helper()
	ring := &archive.Keyring{}
	if err := ring.TrustKey(localID, k, "trust.json"); err != nil {
		t.Fatal(err)
	}
	return ring
}

func configured(keyID string, key sign.PublicKey, w keys.Window) keys.TrustedKey {
	return keys.TrustedKey{KeyID: keyID, Key: key, Window: w, Tier: keys.TierConfigured}
}

// lineOf wraps a message as a host stores it. received is the member received_at as JSON, "" for none.
func lineOf(message, received string) string {
	if received != "" {
		received = `"received_at":` + received + `,`
	}
	return `{"format":"cgp-archive/1",` + received + `"envelope":` + message + "}\n"
}

// signedBoth is an answer of two frames of provider docs, signed in shape both by key-1, 32×07.
func signedBoth(t *testing.T) string {
	t.Helper()
	return string(mustSign(t, answerOf(numberedFrames(2)...), withProvider(options(t, archive.ShapeBoth), "docs")).Output)
}

// all says what became of the root of an answer and of every piece of evidence in it; once, where it is the same of all.
func all(a *archive.Answer) string {
	outcomes := []string{fmt.Sprintf("%s %s %s %s %s", a.Root.State, a.Root.Verdict, a.Root.Reason, a.Root.Tier, a.Root.TrustedFor)}
	for _, f := range a.Frames {
		for _, ev := range f.Evidence {
			tier, holder := ev.Tier, ev.TrustedFor
			if ev.Kind == archive.KindRoot {
				tier, holder = a.Root.Tier, a.Root.TrustedFor
			}
			outcomes = append(outcomes, fmt.Sprintf("%s %s %s %s %s", ev.State, ev.Verdict, ev.Reason, tier, holder))
		}
	}
	outcomes = slices.Compact(outcomes)
	return strings.Join(strings.Fields(strings.Join(outcomes, " | ")), " ")
}

func TestWindowsAtReceipt(t *testing.T) {
	const from, until = "2026-08-01T00:00:00Z", "2027-07-31T23:59:59Z"
	clock := func(at string) archive.ReceivedAt {
		return archive.ReceivedAt{Instant: instant(t, at), Source: archive.InstantFromClock}
	}
	flag := func(at string) archive.ReceivedAt {
		return archive.ReceivedAt{Instant: instant(t, at), Source: archive.InstantFromFlag}
	}
	archived := archive.ReceivedAt{Source: archive.InstantFromArchive}
	signed := signedBoth(t)
	const in, early, late = "attested valid configured docs", "key_not_in_service not_yet_valid configured docs",
		"key_not_in_service expired configured docs"
	const nowhen = "key_not_in_service malformed_instant configured docs"
	tests := []struct {
		name, from, until string
		at                archive.ReceivedAt
		received          string // of the record, as JSON
		want              string
		detail            string
		reported          string
	}{
		{"flag, first instant", from, until, flag(from), "", in, "", from},
		{"flag, last instant", from, until, flag(until), "", in, "", until},
		{"flag, a millisecond early", from, until, flag("2026-07-31T23:59:59.999Z"), "", early,
			"received 2026-07-31T23:59:59.999Z, the key is in service from 2026-08-01T00:00:00Z on", "2026-07-31T23:59:59.999Z"},
		{"flag, a millisecond late", from, until, flag("2027-07-31T23:59:59.001Z"), "", late,
			"received 2027-07-31T23:59:59.001Z, the key was in service until 2027-07-31T23:59:59Z", "2027-07-31T23:59:59.001Z"},
		{"flag, second 60 late", from, until, flag("2027-07-31T23:59:60Z"), "", late,
			"received 2027-07-31T23:59:60Z, the key was in service until 2027-07-31T23:59:59Z", "2027-07-31T23:59:60Z"},
		{"flag, not what the record says", from, until, flag(from), `"2030-01-01T00:00:00Z"`, in, "", from},
		{"clock", from, until, clock(until), `"2030-01-01T00:00:00Z"`, in, "", until},
		{"clock, late", from, until, clock("2030-01-01T00:00:00Z"), `"2027-01-01T00:00:00Z"`, late,
			"compared with the present instant 2030-01-01T00:00:00Z, the key was in service until 2027-07-31T23:59:59Z", "2030-01-01T00:00:00Z"},
		{"archive", from, until, archived, `"2027-01-01T00:00:00Z"`, in, "", "2027-01-01T00:00:00Z"},
		{"archive, 30 digits late", from, until, archived, `"2027-07-31T23:59:59.000000000000000000000000000001Z"`, late,
			"received 2027-07-31T23:59:59.000000000000000000000000000001Z, the key was in service until 2027-07-31T23:59:59Z",
			"2027-07-31T23:59:59.000000000000000000000000000001Z"},
		{"archive, none recorded", from, until, archived, "", nowhen,
			"the record states no received_at to compare the key's window with", ""},
		{"archive, null", from, until, archived, "null", nowhen,
			"the record states no received_at to compare the key's window with", ""},
		{"archive, malformed", from, until, archived, `"2027-01-01 00:00:00Z"`, nowhen,
			`received_at of the record: commitment: malformed instant "2027-01-01 00:00:00Z": " " at byte 10, want "T"`, ""},
		{"archive, none recorded, no begin", "", until, archived, "", nowhen,
			"the record states no received_at to compare the key's window with", ""},
		{"archive, none recorded, no window", "", "", archived, "", in, "", ""},
		{"archive, malformed, no window", "", "", archived, `"soon"`, in, "", ""},
		{"nobody gave an instant", from, until, archive.ReceivedAt{}, `"2027-01-01T00:00:00Z"`, nowhen,
			"no instant of receipt was given to compare the key's window with", ""},
		{"nobody gave an instant, no window", "", "", archive.ReceivedAt{}, "", in, "", ""},
		{"archive, an instant in the policy is not used", from, until, archive.ReceivedAt{Source: archive.InstantFromArchive, Instant: instant(t, from)},
			"", nowhen, "the record states no received_at to compare the key's window with", ""},
		{"inverted", until, from, flag(from), "", "key_not_in_service malformed_window configured docs",
			"the key's window ends before it begins", from},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := windowOf(t, tt.from, tt.until)
			ring := ringOf(t, "docs", configured("key-1", publicKey(signingKey(7)), w))
			if ring.HasWindows() == w.IsOpen() {
				t.Errorf("HasWindows() = %v", ring.HasWindows())
			}
			v := &archive.Verifier{Keys: ring, Policy: archive.Policy{ReceivedAt: tt.at}}
			r := verify(t, v, []byte(lineOf(signed, tt.received)))
			a := r.Answers[0]
			if got := all(a); got != tt.want {
				t.Errorf("evidence is %s, want %s", got, tt.want)
			}
			if a.Root.Detail != tt.detail {
				t.Errorf("detail %q, want %q", a.Root.Detail, tt.detail)
			}
			source := tt.at.Source
			if source == "" {
				source = archive.InstantFromClock
			}
			if got := a.ReceivedAt; got.Instant.String() != tt.reported || got.Source != source {
				t.Errorf("received_at of the answer is %v, want %q from %s", got, tt.reported, source)
			}
			if top := r.Header.ReceivedAt; source == archive.InstantFromArchive && top != nil ||
				source != archive.InstantFromArchive && *top != a.ReceivedAt {
				t.Errorf("received_at of the report is %v", top)
			}
			state, exit := archive.StateAttested, archive.ExitGood
			if tt.want != in {
				state, exit = archive.StateKeyNotInService, archive.ExitUnchecked
			}
			for _, f := range a.Frames {
				if f.State != state || (f.Tier == "") != (tt.want != in) {
					t.Errorf("frame %d is %s, tier %q, want %s", f.Position, f.State, f.Tier, state)
				}
			}
			if len(a.Findings) != 0 || r.Summary.ExitCode != exit {
				t.Errorf("findings %v, exit code %d, want none, %d", a.Findings, r.Summary.ExitCode, exit)
			}
			if err := consistent(r); err != nil {
				t.Error(err)
			}
		})
	}
}

// issued_at is covered by nothing and read by nobody: whatever it says, a lapsed key stays lapsed.
func TestIssuedAtRevivesNoKey(t *testing.T) {
	ring := ringOf(t, "docs", configured("key-1", publicKey(signingKey(7)), windowOf(t, "", "2026-07-31T23:59:59Z")))
	v := &archive.Verifier{Keys: ring, Policy: archive.Policy{
		ReceivedAt: archive.ReceivedAt{Instant: instant(t, "2026-08-29T12:00:00Z"), Source: archive.InstantFromClock},
	}}
	const want = "key_not_in_service expired configured docs"
	for _, issued := range []string{"2026-08-29T12:00:00Z", "2026-07-01T00:00:00Z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"} {
		input := strings.ReplaceAll(signedBoth(t), `"issued_at":"2026-08-29T12:00:00Z"`, `"issued_at":"`+issued+`"`)
		if !strings.Contains(input, issued) {
			t.Fatal("the claim was not rewritten")
		}
		if got := all(verify(t, v, []byte(input)).Answers[0]); got != want {
			t.Errorf("issued_at %s: %s, want %s", issued, got, want)
		}
	}
}

// What is signed is compared before a key is looked up, its window before it is used.
func TestWindowComesBetween(t *testing.T) {
	lapsed := windowOf(t, "", "2020-01-01T00:00:00Z")
	at := archive.ReceivedAt{Instant: instant(t, "2026-08-29T12:00:00Z"), Source: archive.InstantFromFlag}
	signed := string(mustSign(t, answerOf(numberedFrames(2)...), withProvider(options(t, archive.ShapeFrames), "docs")).Output)
	tests := []struct {
		name, input string
		key         sign.PublicKey
		want        archive.State
		verdict     sign.Verdict
	}{
		{"an edited frame", strings.Replace(signed, `"frames":[{"id":"f2"`, `"frames":[{"provenance":[{"type":"x"}],"id":"f2"`, 1),
			publicKey(signingKey(7)), archive.StateInvalid, sign.CommitmentMismatch},
		{"an algorithm that is not known", strings.ReplaceAll(signed, `"ed25519"`, `"ed448"`), publicKey(signingKey(7)), archive.StateUncheckable, sign.UnknownAlgorithm},
		{"a signature by another key", signed, publicKey(signingKey(8)), archive.StateKeyNotInService, ""},
		{"a malformed signature", strings.ReplaceAll(signed, `"signature":"`, `"signature":"x`), publicKey(signingKey(7)), archive.StateKeyNotInService, ""},
	}
	for _, tt := range tests {
		v := &archive.Verifier{Keys: ringOf(t, "docs", configured("key-1", tt.key, lapsed)), Policy: archive.Policy{ReceivedAt: at}}
		f := verify(t, v, []byte(tt.input)).Answers[0].Frames[0]
		if f.State != tt.want || f.Evidence[0].State != tt.want || f.Evidence[0].Verdict != tt.verdict {
			t.Errorf("%s: %s, evidence %s %s, want %s %s", tt.name, f.State, f.Evidence[0].State, f.Evidence[0].Verdict, tt.want, tt.verdict)
		}
	}
}

// A trusted key hides every published one under its key_id, in service or not, and a key for another algorithm too.
func TestTrustedHidesPublished(t *testing.T) {
	opt := options(t, archive.ShapeBoth)
	opt.PublishKey = true
	input := mustSign(t, ackOf("docs")+"\n"+answerOf(numberedFrames(2)...)+"\n", opt).Output
	ours, other := publicKey(signingKey(7)), publicKey(signingKey(8))
	lapsed := windowOf(t, "", "2020-01-01T00:00:00Z")
	toy := sign.PublicKey{Algorithm: "toy", Bytes: "k"}
	tests := []struct {
		name    string
		localID string
		key     sign.PublicKey
		window  keys.Window
		want    string
		finding []archive.FindingCode
	}{
		{"no trusted key", "docs", sign.PublicKey{}, keys.Window{}, "constructed valid published docs", nil},
		{"the same key", "docs", ours, keys.Window{}, "attested valid configured docs", nil},
		{"the same key, lapsed", "docs", ours, lapsed, "key_not_in_service expired configured docs", nil},
		{"another key", "docs", other, keys.Window{}, "invalid bad_signature configured docs",
			[]archive.FindingCode{archive.FindingInvalidEvidence, archive.FindingPublishedKeyConflict}},
		{"another key, lapsed", "docs", other, lapsed, "key_not_in_service expired configured docs",
			[]archive.FindingCode{archive.FindingPublishedKeyConflict}},
		{"another key, for every provider", archive.AnyProvider, other, keys.Window{}, "invalid bad_signature configured *",
			[]archive.FindingCode{archive.FindingInvalidEvidence, archive.FindingPublishedKeyConflict}},
		{"another algorithm", "docs", toy, keys.Window{}, "no_trusted_key", []archive.FindingCode{archive.FindingPublishedKeyConflict}},
		{"of another provider", "wiki", ours, keys.Window{}, "constructed valid published docs", nil},
		{"of another provider, other bytes", "wiki", other, keys.Window{}, "constructed valid published docs", nil},
	}
	for _, tt := range tests {
		ring := &archive.Keyring{Algorithms: sign.With(toyAlgorithm{})}
		if tt.key.Bytes != "" {
			if err := ring.TrustKey(tt.localID, configured("key-1", tt.key, tt.window), "trust.json"); err != nil {
				t.Fatal(err)
			}
		}
		v := &archive.Verifier{Keys: ring, Policy: archive.Policy{ReceivedAt: archive.ReceivedAt{Instant: instant(t, "2026-08-29T12:00:00Z")}}}
		a := verify(t, v, input).Answers[0]
		if got := all(a); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		var found []archive.FindingCode
		for _, f := range a.Findings {
			found = append(found, f.Code)
		}
		slices.Sort(found)
		if found = slices.Compact(found); !slices.Equal(found, tt.finding) {
			t.Errorf("%s: findings %q, want %q", tt.name, found, tt.finding)
		}
	}
}

// toyAlgorithm is an algorithm under which no signature verifies.
type toyAlgorithm struct{}

func (toyAlgorithm) Name() string                                 { return "toy" }
func (toyAlgorithm) NewVerifier([]byte) (sign.Verifier, error)    { return toyAlgorithm{}, nil }
func (toyAlgorithm) Verify(message, signature []byte) (err error) { return sign.ErrBadSignature }

// A key is found by key_id and algorithm: one for the local id does not keep one for every provider from being found.
func TestKeyOfAnotherAlgorithm(t *testing.T) {
	ring := &archive.Keyring{Algorithms: sign.With(toyAlgorithm{})}
	for localID, key := range map[string]sign.PublicKey{
		"docs": {Algorithm: "toy", Bytes: "k"}, archive.AnyProvider: publicKey(signingKey(7)),
	} {
		if err := ring.Trust(localID, "key-1", key, "test"); err != nil {
			t.Fatal(err)
		}
	}
	a := verify(t, &archive.Verifier{Keys: ring}, []byte(signedBoth(t))).Answers[0]
	if got, want := all(a), "attested valid configured *"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestPinnedTier(t *testing.T) {
	store := &keys.Store{}
	if _, err := store.Pin("docs", "key-1", publicKey(signingKey(7))); err != nil {
		t.Fatal(err)
	}
	for require, exit := range map[archive.Level]int{
		"": archive.ExitUnchecked, archive.RequireAttested: archive.ExitUnchecked,
		archive.RequirePinned: archive.ExitGood, archive.RequireConstructed: archive.ExitGood,
	} {
		ring := &archive.Keyring{}
		if err := ring.TrustStore(store, archive.KeySource{Name: "trust.json", SHA256: "ab"}); err != nil {
			t.Fatal(err)
		}
		v := &archive.Verifier{Keys: ring, Policy: archive.Policy{Require: require}}
		r := verify(t, v, []byte(signedBoth(t)))
		if got, want := all(r.Answers[0]), "pinned valid pinned docs"; got != want {
			t.Errorf("require %q: %s, want %s", require, got, want)
		}
		if r.Summary.ExitCode != exit {
			t.Errorf("require %q: exit code %d, want %d", require, r.Summary.ExitCode, exit)
		}
		if diff := cmp.Diff([]archive.KeySource{{Name: "trust.json", SHA256: "ab", Keys: 1}}, r.Header.Trusted); diff != "" {
			t.Errorf("trusted (-want +got):\n%s", diff)
		}
	}
}

// Evidence under a lapsed key beside evidence under one in service: the better counts, the other is told.
func TestRotation(t *testing.T) {
	opt := withProvider(options(t, archive.ShapeFrames), "docs")
	frames := mustSign(t, answerOf(numberedFrames(2)...), opt).Output
	entries, _ := evidenceOf(t, frames)
	opt.Shape, opt.NoProofs, opt.Key, opt.KeyID = archive.ShapeRoot, true, signingKey(8), "key-2"
	_, root := evidenceOf(t, mustSign(t, answerOf(numberedFrames(2)...), opt).Output)
	input := strings.Replace(answerOf(numberedFrames(2)...), `"truncated":false`,
		`"truncated":false,"frame_attestations":`+entries+`,"result_attestation":`+root, 1)
	store := &keys.Store{}
	for keyID, k := range map[string]keys.TrustedKey{
		"key-1": {Key: publicKey(signingKey(7)), Window: windowOf(t, "", "2026-12-31T23:59:59Z")},
		"key-2": {Key: publicKey(signingKey(8)), Window: windowOf(t, "2026-12-01T00:00:00Z", "")},
	} {
		if _, err := store.Configure("docs", keyID, k.Key, k.Window); err != nil {
			t.Fatal(err)
		}
	}
	ring := &archive.Keyring{}
	if err := ring.TrustStore(store, archive.KeySource{Name: "trust.json"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		received, signature, root string
		unchecked                 int
	}{
		{"2026-11-30T23:59:59.9Z", "attested", "key_not_in_service not_yet_valid", 1},
		{"2026-12-01T00:00:00Z", "attested", "attested", 0},
		{"2026-12-31T23:59:59Z", "attested", "attested", 0},
		{"2027-01-01T00:00:00Z", "key_not_in_service expired", "attested", 2},
	} {
		v := &archive.Verifier{Keys: ring, Policy: archive.Policy{ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromArchive}}}
		r := verify(t, v, []byte(lineOf(input, `"`+tt.received+`"`)))
		a := r.Answers[0]
		unchecked := 0
		for _, f := range a.Findings {
			if f.Code == archive.FindingUncheckedEvidence {
				unchecked++
			}
		}
		for _, f := range a.Frames {
			signature := strings.TrimSpace(fmt.Sprint(f.Evidence[0].State, " ", f.Evidence[0].Reason))
			rootText := strings.TrimSpace(fmt.Sprint(f.Evidence[1].State, " ", f.Evidence[1].Reason))
			if f.State != archive.StateAttested || signature != tt.signature || rootText != tt.root {
				t.Errorf("received %s: frame is %s by %s and %s, want attested by %s and %s", tt.received, f.State, signature, rootText,
					tt.signature, tt.root)
			}
		}
		if unchecked != tt.unchecked || len(a.Findings) != unchecked || r.Summary.ExitCode != archive.ExitGood {
			t.Errorf("received %s: findings %v, exit code %d, want %d of unchecked_evidence, 0", tt.received, a.Findings, r.Summary.ExitCode, tt.unchecked)
		}
	}
}

// A key is trusted for the local id that it stands under, and for no other: not for the declared name, and not for an id that a
// record claims unless that was asked for.
func TestTrustIsPerProvider(t *testing.T) {
	store := &keys.Store{}
	if _, err := store.Configure("our-docs", "key-1", publicKey(signingKey(7)), keys.Window{}); err != nil {
		t.Fatal(err)
	}
	ring := &archive.Keyring{}
	if err := ring.TrustStore(store, archive.KeySource{Name: "trust.json"}); err != nil {
		t.Fatal(err)
	}
	line := strings.Replace(lineOf(signedBoth(t), ""), `"envelope"`, `"local_id":"our-docs","envelope"`, 1)
	for _, tt := range []struct {
		name   string
		policy archive.Policy
		want   string
		note   bool
	}{
		{"declared name", archive.Policy{}, "no_trusted_key", false},
		{"the local id", archive.Policy{LocalID: commitment.Some("our-docs")}, "attested valid configured our-docs", true},
		{"another local id", archive.Policy{LocalID: commitment.Some("wiki")}, "no_trusted_key", false},
		{"the record's own", archive.Policy{LocalIDFromArchive: true}, "attested valid configured our-docs", true},
		{"another than the record's own", archive.Policy{LocalID: commitment.Some("wiki"), LocalIDFromArchive: true}, "no_trusted_key", false},
	} {
		a := verify(t, &archive.Verifier{Keys: ring, Policy: tt.policy}, []byte(line)).Answers[0]
		if got := all(a); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
		if note := len(a.Findings) == 1 && a.Findings[0].Code == archive.FindingDeclaredNameDiffers; note != tt.note || len(a.Findings) > 1 {
			t.Errorf("%s: findings %v", tt.name, a.Findings)
		}
	}
}

// Two sources that disagree are for a person to settle: nothing of the second is held.
func TestTrustConflicts(t *testing.T) {
	ours, other := publicKey(signingKey(7)), publicKey(signingKey(8))
	until := windowOf(t, "", "2027-07-31T23:59:59Z")
	pinned := configured("k", ours, keys.Window{})
	pinned.Tier = keys.TierPinned
	tests := []struct {
		name          string
		first, second keys.TrustedKey
		want          string // "" for no conflict
	}{
		{"the same", configured("k", ours, until), configured("k", ours, until), ""},
		{"the same in other words", configured("k", ours, until), configured("k", ours, windowOf(t, "", "2027-07-31T23:59:59.0Z")), ""},
		{"bytes", configured("k", ours, until), configured("k", other, until), "keys"},
		{"tier", configured("k", ours, keys.Window{}), pinned, "tiers"},
		{"tier, the other way", pinned, configured("k", ours, keys.Window{}), "tiers"},
		{"window", configured("k", ours, until), configured("k", ours, windowOf(t, "", "2027-07-31T23:59:59.01Z")), "windows"},
		{"a window and none", configured("k", ours, until), configured("k", ours, keys.Window{}), "windows"},
		{"another key_id", configured("k", ours, until), configured("l", other, keys.Window{}), ""},
	}
	for _, tt := range tests {
		ring := ringOf(t, "docs", tt.first)
		err := ring.TrustKey("docs", tt.second, "other.json")
		want := `archive: two trusted sources disagree about one local id and key_id: local id "docs", key_id "k": ` +
			`"trust.json" and "other.json" give different ` + tt.want
		if (err != nil) != (tt.want != "") || err != nil && (!errors.Is(err, archive.ErrKeyConflict) || err.Error() != want) {
			t.Errorf("%s: %v, want %q", tt.name, err, want)
		}
		if err := ring.TrustKey("wiki", tt.second, "other.json"); err != nil {
			t.Errorf("%s: for another provider: %v", tt.name, err)
		}
	}
	store := &keys.Store{}
	for _, id := range []string{"aaa", "docs"} {
		if _, err := store.Configure(id, "k", other, keys.Window{}); err != nil {
			t.Fatal(err)
		}
	}
	ring := ringOf(t, "docs", configured("k", ours, until))
	if err := ring.TrustStore(store, archive.KeySource{Name: "other.json"}); !errors.Is(err, archive.ErrKeyConflict) {
		t.Errorf("TrustStore = %v, want a conflict", err)
	}
	v := &archive.Verifier{Keys: ring}
	if got := v.Header().Trusted; len(got) != 1 {
		t.Errorf("trusted sources are %v, want the first alone", got)
	}
	if err := ring.Trust("aaa", "k", ours, "third"); err != nil {
		t.Errorf("of the store that was refused a key is held: %v", err)
	}
	if err := ring.Trust(archive.AnyProvider, "k", other, "fourth"); err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{"k": {archive.AnyProvider, "aaa", "docs"}}
	if got := v.Header().Held; !reflect.DeepEqual(got, want) {
		t.Errorf("Held = %v, want %v", got, want)
	}
}

func TestTrustRefuses(t *testing.T) {
	store := &keys.Store{}
	if _, err := store.Configure(archive.AnyProvider, "k", publicKey(signingKey(7)), keys.Window{}); err != nil {
		t.Fatal(err)
	}
	ring := &archive.Keyring{}
	if err := ring.TrustStore(store, archive.KeySource{Name: "trust.json"}); !errors.Is(err, archive.ErrReservedID) {
		t.Errorf("a trust store for *: %v, want ErrReservedID", err)
	}
	weak := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(append([]byte{1}, bytes.Repeat([]byte{0}, 31)...))}
	for name, tt := range map[string]struct {
		localID string
		key     keys.TrustedKey
		want    string
	}{
		"no tier":      {"docs", keys.TrustedKey{KeyID: "k", Key: publicKey(signingKey(7))}, "configured or pinned"},
		"unknown tier": {"docs", keys.TrustedKey{KeyID: "k", Key: publicKey(signingKey(7)), Tier: "published"}, "configured or pinned"},
		"no key_id":    {"docs", configured("", publicKey(signingKey(7)), keys.Window{}), "key_id that is not empty"},
		"no local id":  {"", configured("k", publicKey(signingKey(7)), keys.Window{}), "local id that is not empty"},
		"weak":         {"docs", configured("k", weak, keys.Window{}), "small order"},
	} {
		if err := ring.TrustKey(tt.localID, tt.key, "test"); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if v := (&archive.Verifier{Keys: ring}); len(v.Header().Trusted) != 0 || ring.HasWindows() {
		t.Errorf("something is held: %v", v.Header().Trusted)
	}
}

// A trust store without keys was given all the same: published keys do not lower the level behind its back.
func TestEmptyStoreKeepsTheLevel(t *testing.T) {
	ring := &archive.Keyring{}
	if got := ring.DefaultLevel(); got != archive.RequireAttested {
		t.Errorf("with nothing: %s", got)
	}
	if err := ring.Publish([]byte(`[]`), "keys.json"); err != nil {
		t.Fatal(err)
	}
	if got := ring.DefaultLevel(); got != archive.RequireConstructed {
		t.Errorf("with published keys alone: %s", got)
	}
	if err := ring.TrustStore(&keys.Store{}, archive.KeySource{Name: "trust.json"}); err != nil {
		t.Fatal(err)
	}
	if got := ring.DefaultLevel(); got != archive.RequireAttested {
		t.Errorf("with an empty trust store: %s", got)
	}
}

// A file of published keys that cannot be read whole is none: no key of it is used.
func TestKeyringPublishRefuses(t *testing.T) {
	const good = `{"key_id":"k","algorithm":"ed25519","public_key":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}`
	if err := (&archive.Keyring{}).Publish([]byte("["+good+"]"), "keys.json"); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		text      string
		malformed bool // as a list of keys, and not as JSON
	}{
		"a member twice":                  {`{"attester_keys":[` + good + `],"attester_keys":[]}`, false},
		"a handshake of nobody":           {`{"type":"handshake_ack","provider":{"name":3},"attester_keys":[` + good + `]}`, true},
		"no array":                        {`{"attester_keys":` + good + `}`, true},
		"an element that is no key":       {`[` + good + `,3]`, true},
		"an element without a public key": {`[` + good + `,{"key_id":"k2","algorithm":"ed25519"}]`, true},
	} {
		ring := &archive.Keyring{}
		if err := ring.Publish([]byte(tt.text), "keys.json"); err == nil || errors.Is(err, archive.ErrMalformedKeys) != tt.malformed {
			t.Errorf("%s: %v, want it refused, as no list of keys: %t", name, err, tt.malformed)
		}
	}
}
