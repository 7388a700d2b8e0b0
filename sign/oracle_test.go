package sign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"filippo.io/edwards25519"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// requireOracles is the environment variable that turns a missing python3 from a skipped test into a failed one.
const requireOracles = "CGP_ATTEST_REQUIRE_ORACLES"

// oracle runs testdata/ed25519_oracle.py, the independent implementation in big integers, and returns the lines it prints.
func oracle(t *testing.T, mode string, stdin []byte) []string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv(requireOracles) == "1" {
			t.Fatalf("%s=1, but there is no python3: %v", requireOracles, err)
		}
		t.Skip("no python3 for the independent implementation")
	}
	cmd := exec.Command(python, "testdata/ed25519_oracle.py", mode)
	cmd.Stdin = bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle: %v\n%s", err, stderr.Bytes())
	}
	return strings.Fields(strings.ReplaceAll(string(out), " ", ":"))
}

// A wireCase is one question to both implementations.
type wireCase struct {
	family   string
	key, msg []byte
	sig      string
}

// compare asks both implementations about every case and returns how often each answer was given in each family.
func compare(t *testing.T, cases []wireCase) map[string]map[string]int {
	t.Helper()
	var stdin bytes.Buffer
	lines := json.NewEncoder(&stdin)
	for _, c := range cases {
		if err := lines.Encode(map[string]string{
			"pub": hex.EncodeToString(c.key), "msg": hex.EncodeToString(c.msg), "sig": c.sig,
		}); err != nil {
			t.Fatal(err)
		}
	}
	answers := oracle(t, "verify", stdin.Bytes())
	if len(answers) != len(cases) {
		t.Fatalf("the oracle gave %d answers to %d cases", len(answers), len(cases))
	}
	given := map[string]map[string]int{}
	for i, c := range cases {
		verdict, reason, _ := strings.Cut(answers[i], ":")
		want, ok := reasons[reason]
		if !ok {
			t.Fatalf("the oracle gives the unknown reason %q", reason)
		}
		err := verifyWire(c.key, c.msg, c.sig)
		if got := verdictOf(t, err); string(got) != verdict || !errors.Is(err, want) {
			t.Errorf("%s: got %s (%v), the oracle says %s (%s)\nkey %x\nmessage %x\nsignature %q",
				c.family, got, err, verdict, reason, c.key, c.msg, c.sig)
		}
		if raw, hexErr := hex.DecodeString(c.sig); hexErr == nil && err == nil && !ed25519.Verify(c.key, c.msg, raw) {
			t.Errorf("%s: crypto/ed25519 declines what the strict rule accepts\nkey %x\nmessage %x\nsignature %q",
				c.family, c.key, c.msg, c.sig)
		}
		if given[c.family] == nil {
			given[c.family] = map[string]int{}
		}
		given[c.family][reason]++
	}
	return given
}

// TestTorsionEncodings: both implementations derive the encodings of points of small order, and agree on the fourteen.
func TestTorsionEncodings(t *testing.T) {
	encodings := torsionEncodings(t)
	if len(encodings) != 14 {
		t.Errorf("there are %d encodings of small order, want 14", len(encodings))
	}
	accepted := 0
	for _, e := range encodings {
		if err := CheckEd25519Key(e); !errors.Is(err, ErrMalformedKey) {
			t.Errorf("CheckEd25519Key(%x) = %v, want ErrMalformedKey", e, err)
		}
		if _, err := new(edwards25519.Point).SetBytes(e); err == nil {
			accepted++
		}
	}
	if accepted != 14 {
		t.Errorf("%d of the encodings decode to a point, want all 14: the key rule is not what declines them", accepted)
	}
	var ours []string
	for _, e := range encodings {
		ours = append(ours, hex.EncodeToString(e))
	}
	if theirs := oracle(t, "torsion", nil); !slices.Equal(ours, theirs) {
		t.Errorf("encodings of small order:\n%s\nthe oracle has:\n%s", strings.Join(ours, "\n"), strings.Join(theirs, "\n"))
	}
}

// TestTorsionTable: the table has the encodings of small order that are those of their points, no others and none twice.
func TestTorsionTable(t *testing.T) {
	var want []string
	for _, p := range torsionPoints(t) {
		want = append(want, string(p.Bytes()))
	}
	for _, e := range torsionEncodings(t) {
		p, err := new(edwards25519.Point).SetBytes(e)
		if err != nil || new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) != 1 {
			t.Fatalf("%x is of no point of small order: %v", e, err)
		}
		if got, canonical := smallOrder(e), bytes.Equal(p.Bytes(), e); got != canonical {
			t.Errorf("smallOrder(%x) = %v, want %v", e, got, canonical)
		}
	}
	got := slices.Sorted(slices.Values(torsion[:]))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the table is %x, want %x", got, want)
	}
}

// TestEquation: the point is the same with the multiples of B and without, whatever the order of the key's point.
func TestEquation(t *testing.T) {
	f := newForge(t)
	scalars := []*edwards25519.Scalar{zero(), one(), new(edwards25519.Scalar).Negate(one())}
	for range 50 {
		s, _ := f.mixed(f.torsion[0])
		scalars = append(scalars, s)
	}
	for i, k := range scalars {
		for j, s := range scalars[:min(i+3, len(scalars))] {
			p := new(edwards25519.Point).ScalarBaseMult(scalars[(i+j)%len(scalars)])
			p.Add(p, f.torsion[(i+j)%8])
			with, without := withTable(k, p, s).Bytes(), withoutTable(k, p, s).Bytes()
			want := new(edwards25519.Point).ScalarMult(k, p)
			want.Add(want, new(edwards25519.Point).ScalarBaseMult(s))
			if !bytes.Equal(with, want.Bytes()) || !bytes.Equal(without, want.Bytes()) {
				t.Fatalf("%x·%x + %x·B = %x, with the multiples %x, without %x", k.Bytes(), p.Bytes(), s.Bytes(), want.Bytes(), with, without)
			}
		}
	}
}

// TestFreshCases asks both implementations about cases made for this run. For every family it says which answers must
// occur, so that none is declined for another reason than the one it was made for.
func TestFreshCases(t *testing.T) {
	f := newForge(t)
	f.makeSmallOrder()
	f.makeMixedOrder()
	f.makeScalars()
	f.makeEncodings()
	f.makeDamage()
	given := compare(t, f.cases)
	t.Logf("%d cases", len(f.cases))
	for family, want := range map[string][]string{
		"honest":                       {"ok"},
		"small-order key":              {"key_small_order", "key_non_canonical"},
		"small-order R":                {"r_small_order", "r_non_canonical"},
		"mixed-order key, holds":       {"ok"},
		"mixed-order key, cofactor":    {"equation"},
		"mixed-order R, cofactor":      {"equation"},
		"mixed-order key and R, holds": {"ok"},
		"S out of range":               {"s_out_of_range"},
		"S in range":                   {"equation"},
		"y of p and above as key":      {"key_non_canonical", "key_not_on_curve"},
		"y of p and above as R":        {"r_non_canonical", "r_not_on_curve"},
		"random key":                   {"equation", "key_not_on_curve"},
		"random R":                     {"equation", "r_not_on_curve"},
		"negated":                      {"equation"},
		"length of key":                {"key_length"},
		"text of signature":            {"sig_form"},
		"flipped bit of key":           {"equation", "key_not_on_curve"},
		"flipped bit of message":       {"equation"},
		"flipped bit of signature":     {"equation", "r_not_on_curve"},
		"another's":                    {"equation"},
	} {
		for _, reason := range want {
			if given[family][reason] == 0 {
				t.Errorf("%s: no case gives %s, only %v", family, reason, given[family])
			}
		}
		for reason := range given[family] {
			if !slices.Contains(want, reason) && !strings.HasPrefix(family, "flipped") && !strings.HasPrefix(family, "S ") {
				t.Errorf("%s: %d cases give %s, want %v alone", family, given[family][reason], reason, want)
			}
		}
		delete(given, family)
	}
	if len(given) != 0 {
		t.Errorf("families without a row: %v", given)
	}
}

// TestOracleOnPublishedCases holds the oracle itself to the published cases.
func TestOracleOnPublishedCases(t *testing.T) {
	var file struct {
		Cases []struct{ Pub, Msg, Sig, Expected, Reason string } `json:"cases"`
	}
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/ed25519-strict-public.json"), &file); err != nil {
		t.Fatal(err)
	}
	var stdin bytes.Buffer
	lines := json.NewEncoder(&stdin)
	for _, c := range file.Cases {
		if err := lines.Encode(map[string]string{"pub": c.Pub, "msg": c.Msg, "sig": c.Sig}); err != nil {
			t.Fatal(err)
		}
	}
	answers := oracle(t, "verify", stdin.Bytes())
	if len(answers) != len(file.Cases) || len(answers) == 0 {
		t.Fatalf("the oracle gave %d answers to %d cases", len(answers), len(file.Cases))
	}
	for i, c := range file.Cases {
		if want := c.Expected + ":" + c.Reason; answers[i] != want {
			t.Errorf("%s/%s/%s: the oracle says %s, want %s", c.Pub, c.Msg, c.Sig, answers[i], want)
		}
	}
}
