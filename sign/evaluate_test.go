package sign

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"sync"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// The signature of tests/vectors/attestation-vectors.json in the Context Graph Protocol repository: the key of the seed
// 32×07 over the commitment of the frame "retry-policy".
const (
	publishedKey        = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"
	publishedCommitment = "sha256:cba5cb083177e61ce370ab586dbf7096508e5224ad18d213c902e014796c88ea"
	publishedSignature  = "2f8af919196862e7f946a0117d65522da36592344cf46ffe00ab8e6ec0a6b5cd" +
		"b132800b71b5cd161609378d8ebd789a0adc971cdb8856cd195c9154fe2b2d04"
)

func publishedAttestation() Attestation {
	return Attestation{
		SignedCommitment: publishedCommitment,
		KeyID:            "key-1",
		Algorithm:        "ed25519",
		AttesterID:       "oxagen",
		Signature:        publishedSignature,
		IssuedAt:         "2026-08-27T00:00:00Z",
	}
}

func mustDigest(t testing.TB, text string) commitment.Digest {
	t.Helper()
	d, err := commitment.ParseDigest(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func mustHex(t testing.TB, text string) string {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A trial is everything that enters one evaluation.
type trial struct {
	set     Algorithms
	att     Attestation
	subject Subject
	key     *Key
}

func goodTrial(t testing.TB) trial {
	t.Helper()
	set := With(toy{name: "toy"})
	return trial{
		set:     set,
		att:     publishedAttestation(),
		subject: Subject{Commitment: mustDigest(t, publishedCommitment), BindsContent: true},
		key:     set.Prepare(PublicKey{Ed25519, mustHex(t, publishedKey)}),
	}
}

func (tr *trial) verify() Outcome { return tr.set.Verify(&tr.att, tr.subject, tr.key) }

// other is a commitment that is not the published one.
var other = commitment.ContentDigest("other")

// faults are changes to a good trial, each with the verdict that it leads to alone, in order of precedence. They touch
// different parts, or the same part in ways that add up, so that any two can be made at once.
var faults = []struct {
	name    string
	make    func(t *testing.T, tr *trial)
	verdict Verdict
	detail  error
}{
	{"algorithm unknown", func(_ *testing.T, tr *trial) { tr.att.Algorithm = "ed448" }, UnknownAlgorithm, errUnknownAlgorithm},
	{"commitment uppercase", func(_ *testing.T, tr *trial) {
		tr.att.SignedCommitment = "sha256:" + strings.ToUpper(strings.TrimPrefix(tr.att.SignedCommitment, "sha256:"))
	}, MalformedCommitment, commitment.ErrMalformedDigest},
	{"subject replaced", func(_ *testing.T, tr *trial) { tr.subject.Commitment = other }, CommitmentMismatch, errMismatch},
	{"key weak", func(_ *testing.T, tr *trial) {
		tr.key = tr.set.Prepare(PublicKey{Ed25519, "\x01" + strings.Repeat("\x00", 31)})
	}, MalformedKey, errKeySmallOrder},
	{"signature long", func(_ *testing.T, tr *trial) { tr.att.Signature += "00" }, MalformedSignature, ErrMalformedSignature},
	{"signature flipped", func(_ *testing.T, tr *trial) {
		tr.att.Signature = "3" + tr.att.Signature[1:]
	}, BadSignature, ErrBadSignature},
	{"identity only", func(_ *testing.T, tr *trial) { tr.subject.BindsContent = false }, ValidIdentityOnly, errIdentityOnly},
}

// TestPrecedence makes every fault alone and every two at once: the earlier one is the verdict.
func TestPrecedence(t *testing.T) {
	good := goodTrial(t)
	if out := good.verify(); out.Verdict != Valid || out.Detail != nil {
		t.Fatalf("without a fault the verdict is %s (%v), want valid", out.Verdict, out.Detail)
	}
	var order []Verdict
	for i, first := range faults {
		order = append(order, first.verdict)
		for _, second := range faults[i:] { // the first itself too
			for _, turn := range []string{"in order", "in reverse"} {
				tr := goodTrial(t)
				if turn == "in order" {
					first.make(t, &tr)
				}
				if second.name != first.name {
					second.make(t, &tr)
				}
				if turn == "in reverse" {
					first.make(t, &tr)
				}
				out := tr.verify()
				if out.Verdict != first.verdict || !errors.Is(out.Detail, first.detail) {
					t.Errorf("%s and %s, made %s: verdict %q (%v), want %q (%v)",
						first.name, second.name, turn, out.Verdict, out.Detail, first.verdict, first.detail)
				}
			}
		}
	}
	if want := Verdicts(); !reflect.DeepEqual(append(order, Valid), want) {
		t.Errorf("the faults stand for %q, want every verdict in order, %q", order, want)
	}
}

// TestEveryField makes every member of an attestation wrong alone, and every part of the subject and the key.
func TestEveryField(t *testing.T) {
	sibling := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x2a", 32)))
	siblingKey := PublicKey{Ed25519, string(sibling.Public().(ed25519.PublicKey))}
	signedByToy := PublicKey{"toy", mustHex(t, publishedKey)}
	rows := []struct {
		field, name string
		make        func(tr *trial)
		verdict     Verdict
	}{
		{"SignedCommitment", "of a sibling", func(tr *trial) { tr.att.SignedCommitment = other.String() }, CommitmentMismatch},
		{"SignedCommitment", "one digit changed", func(tr *trial) {
			tr.att.SignedCommitment = publishedCommitment[:70] + "b"
		}, CommitmentMismatch},
		{"SignedCommitment", "empty", func(tr *trial) { tr.att.SignedCommitment = "" }, MalformedCommitment},
		{"SignedCommitment", "without prefix", func(tr *trial) { tr.att.SignedCommitment = publishedCommitment[7:] }, MalformedCommitment},
		{"SignedCommitment", "short", func(tr *trial) { tr.att.SignedCommitment = publishedCommitment[:70] }, MalformedCommitment},
		{"SignedCommitment", "line feed behind", func(tr *trial) { tr.att.SignedCommitment += "\n" }, MalformedCommitment},

		{"Algorithm", "empty", func(tr *trial) { tr.att.Algorithm = "" }, UnknownAlgorithm},
		{"Algorithm", "in capitals", func(tr *trial) { tr.att.Algorithm = "Ed25519" }, UnknownAlgorithm},
		{"Algorithm", "space behind", func(tr *trial) { tr.att.Algorithm = "ed25519 " }, UnknownAlgorithm},
		{"Algorithm", "prehashed", func(tr *trial) { tr.att.Algorithm = "ed25519ph" }, UnknownAlgorithm},
		{"Algorithm", "of another key", func(tr *trial) { tr.att.Algorithm = "toy" }, MalformedKey},

		{"Signature", "empty", func(tr *trial) { tr.att.Signature = "" }, MalformedSignature},
		{"Signature", "uppercase", func(tr *trial) { tr.att.Signature = strings.ToUpper(publishedSignature) }, MalformedSignature},
		{"Signature", "one uppercase digit", func(tr *trial) { tr.att.Signature = "2F" + publishedSignature[2:] }, MalformedSignature},
		{"Signature", "one digit short", func(tr *trial) { tr.att.Signature = publishedSignature[:127] }, MalformedSignature},
		{"Signature", "one byte short", func(tr *trial) { tr.att.Signature = publishedSignature[:126] }, MalformedSignature},
		{"Signature", "one byte long", func(tr *trial) { tr.att.Signature += "00" }, MalformedSignature},
		{"Signature", "not hexadecimal", func(tr *trial) { tr.att.Signature = "zz" + publishedSignature[2:] }, MalformedSignature},
		{"Signature", "space in front", func(tr *trial) { tr.att.Signature = " " + publishedSignature[1:] }, MalformedSignature},
		{"Signature", "of a sibling", func(tr *trial) {
			tr.att.Signature = hex.EncodeToString(ed25519.Sign(sibling, tr.subject.Commitment[:]))
		}, BadSignature},
		{"Signature", "over another commitment", func(tr *trial) {
			seven := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", 32)))
			tr.att.Signature = hex.EncodeToString(ed25519.Sign(seven, other[:]))
		}, BadSignature},
		{"Signature", "over the text", func(tr *trial) {
			seven := ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", 32)))
			tr.att.Signature = hex.EncodeToString(ed25519.Sign(seven, []byte(publishedCommitment)))
		}, BadSignature},

		// No signature covers these.
		{"KeyID", "rewritten", func(tr *trial) { tr.att.KeyID = "key-2" }, Valid},
		{"AttesterID", "rewritten", func(tr *trial) { tr.att.AttesterID = "somebody else" }, Valid},
		{"IssuedAt", "rewritten", func(tr *trial) { tr.att.IssuedAt = "1999-12-31T23:59:60Z" }, Valid},
		{"IssuedAt", "malformed", func(tr *trial) { tr.att.IssuedAt = "yesterday" }, Valid},

		{"subject", "of a sibling", func(tr *trial) { tr.subject.Commitment = other }, CommitmentMismatch},
		{"subject", "zero", func(tr *trial) { tr.subject = Subject{} }, CommitmentMismatch},
		{"key", "nil", func(tr *trial) { tr.key = nil }, MalformedKey},
		{"key", "zero", func(tr *trial) { tr.key = new(Key) }, MalformedKey},
		{"key", "of a sibling", func(tr *trial) { tr.key = tr.set.Prepare(siblingKey) }, BadSignature},
		{"key", "same bytes, another algorithm", func(tr *trial) { tr.key = tr.set.Prepare(signedByToy) }, MalformedKey},
		{"key", "of no known algorithm", func(tr *trial) {
			tr.key = tr.set.Prepare(PublicKey{"", mustHex(t, publishedKey)})
		}, MalformedKey},
		{"key", "short", func(tr *trial) { tr.key = tr.set.Prepare(PublicKey{Ed25519, mustHex(t, publishedKey[2:])}) }, MalformedKey},
		{"key", "its hexadecimal text", func(tr *trial) { tr.key = tr.set.Prepare(PublicKey{Ed25519, publishedKey}) }, MalformedKey},
		{"set", "without algorithms", func(tr *trial) { tr.set = Algorithms{} }, UnknownAlgorithm},
	}
	wrong := map[string]bool{}
	for _, row := range rows {
		wrong[row.field] = true
		tr := goodTrial(t)
		row.make(&tr)
		if out := tr.verify(); out.Verdict != row.verdict {
			t.Errorf("%s %s: verdict %q (%v), want %q", row.field, row.name, out.Verdict, out.Detail, row.verdict)
		} else if (out.Detail == nil) != (row.verdict == Valid) {
			t.Errorf("%s %s: verdict %q with detail %v", row.field, row.name, out.Verdict, out.Detail)
		}
	}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Attestation]()) {
		if !wrong[field.Name] {
			t.Errorf("no row has %s wrong", field.Name)
		}
	}
}

func TestOutcomeValues(t *testing.T) {
	published := mustDigest(t, publishedCommitment)
	for _, row := range []struct {
		name string
		make func(tr *trial)
		want Outcome
	}{
		{"valid", func(*trial) {}, Outcome{Verdict: Valid, Expected: published, Signed: published}},
		{"mismatch", func(tr *trial) { tr.subject.Commitment = other },
			Outcome{Verdict: CommitmentMismatch, Expected: other, Signed: published}},
		{"malformed", func(tr *trial) { tr.att.SignedCommitment = "sha256:00" },
			Outcome{Verdict: MalformedCommitment, Expected: published}},
		{"unknown", func(tr *trial) { tr.att.Algorithm = "?" }, Outcome{Verdict: UnknownAlgorithm, Expected: published}},
		{"bad", func(tr *trial) { tr.att.Signature = strings.Repeat("0", 128) },
			Outcome{Verdict: BadSignature, Expected: published, Signed: published}},
	} {
		tr := goodTrial(t)
		row.make(&tr)
		got := tr.verify()
		got.Detail = nil
		if got != row.want {
			t.Errorf("%s: outcome %+v, want %+v", row.name, got, row.want)
		}
	}
}

// TestExamine: without a key the first three verdicts are reached, and a good attestation reaches none.
func TestExamine(t *testing.T) {
	for _, fault := range faults {
		tr := goodTrial(t)
		fault.make(t, &tr)
		got := tr.set.Examine(&tr.att, tr.subject.Commitment)
		want := Verdict("")
		switch fault.verdict {
		case UnknownAlgorithm, MalformedCommitment, CommitmentMismatch:
			want = fault.verdict
		}
		if got.Verdict != want {
			t.Errorf("%s: Examine gives %q (%v), want %q", fault.name, got.Verdict, got.Detail, want)
		}
		if want == "" && (got.Detail != nil || got.Expected != tr.subject.Commitment || got.Signed != tr.subject.Commitment) {
			t.Errorf("%s: Examine gives %+v without a verdict", fault.name, got)
		}
	}
}

// TestKeyIsConcurrent has the race detector watch one Key in many goroutines.
func TestKeyIsConcurrent(t *testing.T) {
	tr := goodTrial(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				mine := tr
				if out := mine.verify(); out.Verdict != Valid {
					t.Errorf("verdict %q (%v), want valid", out.Verdict, out.Detail)
				}
			}
		})
	}
	group.Wait()
}
