package sign

import (
	"slices"
	"testing"
)

// TestVerdicts: names and order are the table of CGP §6.5.4.
func TestVerdicts(t *testing.T) {
	rows := []struct {
		verdict            Verdict
		verifies, negative bool
	}{
		{"unknown_algorithm", false, false},
		{"malformed_commitment", false, true},
		{"commitment_mismatch", false, true},
		{"malformed_key", false, true},
		{"malformed_signature", false, true},
		{"bad_signature", false, true},
		{"valid_identity_only", true, false},
		{"valid", true, false},
	}
	var names []Verdict
	for _, row := range rows {
		names = append(names, row.verdict)
	}
	if got := Verdicts(); !slices.Equal(got, names) {
		t.Errorf("Verdicts() = %q, want %q", got, names)
	}
	for _, none := range []Verdict{"", "VALID", "valid ", "good"} {
		rows = append(rows, struct {
			verdict            Verdict
			verifies, negative bool
		}{none, false, false})
	}
	for _, row := range rows {
		if got := row.verdict.Verifies(); got != row.verifies {
			t.Errorf("Verdict(%q).Verifies() = %v, want %v", row.verdict, got, row.verifies)
		}
		if got := row.verdict.Negative(); got != row.negative {
			t.Errorf("Verdict(%q).Negative() = %v, want %v", row.verdict, got, row.negative)
		}
	}
	Verdicts()[0] = Valid
	if Verdicts()[0] != UnknownAlgorithm {
		t.Error("a change to the slice that Verdicts returned is seen by the next caller")
	}
}

// TestReasons reads the texts that carry numbers, and the prefix that stands once.
func TestReasons(t *testing.T) {
	key, signature := []byte(mustHex(t, publishedKey)), []byte(mustHex(t, publishedSignature))
	for _, row := range []struct {
		key, signature []byte
		want           string
	}{
		{append(key, 0), signature, "sign: malformed key: it is 33 bytes, want 32"},
		{nil, signature, "sign: malformed key: it is 0 bytes, want 32"},
		{key, signature[:63], "sign: malformed signature: it is 63 bytes, want 64"},
		{key, append(signature, 0), "sign: malformed signature: it is 65 bytes, want 64"},
		{make([]byte, 32), signature, "sign: malformed key: its point has small order"},
	} {
		err := VerifyEd25519(row.key, nil, row.signature)
		if err == nil || err.Error() != row.want {
			t.Errorf("VerifyEd25519(%x, nil, %x) = %v, want %s", row.key, row.signature, err, row.want)
		}
	}
}
