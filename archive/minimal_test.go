package archive_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Each file of testdata/minimal yields exactly one finding, or one state and no finding. All are signed with the seed 32×07
// as key_id k1 by provider docs, identity_only with OpenSSL because sign refuses it.
func TestMinimalInputs(t *testing.T) {
	type want struct {
		name     string
		states   []archive.State
		findings []archive.FindingCode
		class    []archive.Class
		exit     int
	}
	attested, unattested := []archive.State{archive.StateAttested}, []archive.State{archive.StateUnattested}
	good, unchecked := []archive.Class{archive.ClassGood}, []archive.Class{archive.ClassUnchecked}
	negative := []archive.Class{archive.ClassNegative}
	only := func(c archive.FindingCode) []archive.FindingCode { return []archive.FindingCode{c} }
	rows := []want{
		{"attested", attested, nil, good, 0},
		{"constructed", []archive.State{archive.StateConstructed}, nil, unchecked, 3},
		{"pinned", []archive.State{archive.StatePinned}, nil, unchecked, 3},
		{"key_not_in_service", []archive.State{archive.StateKeyNotInService}, nil, unchecked, 3},
		{"content_mismatch", []archive.State{archive.StateContentMismatch}, only(archive.FindingContentMismatch), negative, 1},
		{"identity_only", []archive.State{archive.StateIdentityOnly}, nil, unchecked, 3},
		{"invalid_evidence", []archive.State{archive.StateInvalid}, only(archive.FindingInvalidEvidence), negative, 1},
		{"uncheckable", []archive.State{archive.StateUncheckable}, nil, unchecked, 3},
		{"no_trusted_key", []archive.State{archive.StateNoTrustedKey}, nil, unchecked, 3},
		{"unusable", []archive.State{archive.StateUnusable}, nil, unchecked, 3},
		{"unattested", unattested, nil, unchecked, 3},
		{"malformed_frame", []archive.State{archive.StateMalformedFrame}, nil, []archive.Class{archive.ClassUnreadable}, 4},
		{"root_mismatch", []archive.State{archive.StateInvalid}, only(archive.FindingRootMismatch), negative, 1},
		{"orphan_entry", attested, only(archive.FindingOrphanEntry), good, 0},
		{"duplicate_entry", attested, only(archive.FindingDuplicateEntry), good, 0},
		{"empty_entry", attested, only(archive.FindingEmptyEntry), good, 0},
		{"malformed_entry", attested, only(archive.FindingMalformedEntry), good, 0},
		{"unchecked_evidence", attested, only(archive.FindingUncheckedEvidence), good, 0},
		{"ambiguous_order", []archive.State{archive.StateUnattested, archive.StateUnattested},
			only(archive.FindingAmbiguousOrder), unchecked, 3},
		{"provider_unknown", unattested, only(archive.FindingProviderUnknown), unchecked, 3},
		{"provider_mismatch", []archive.State{archive.StateUnusable}, only(archive.FindingProviderMismatch), unchecked, 3},
		{"attestation_inside_frame", unattested, only(archive.FindingAttestationInsideFrame), unchecked, 3},
		{"published_key_conflict", []archive.State{archive.StateAttested}, only(archive.FindingPublishedKeyConflict), good, 0},
		{"malformed_published_key", attested, only(archive.FindingMalformedPublishedKey), good, 0},
		{"opaque_digest", unattested, only(archive.FindingOpaqueDigest), unchecked, 3},
		{"uncompared_content", attested, only(archive.FindingUncomparedContent), unchecked, 3},
		{"malformed_issued_at", attested, only(archive.FindingMalformedIssuedAt), good, 0},
		{"stripped_evidence", []archive.State{archive.StateUnattested, archive.StateAttested},
			only(archive.FindingStrippedEvidence), []archive.Class{archive.ClassUnchecked, archive.ClassGood}, 3},
		{"declared_name_differs", attested, only(archive.FindingDeclaredNameDiffers), good, 0},
		{"envelope_attestations_ignored", unattested, only(archive.FindingEnvelopeAttestationsIgnored), unchecked, 3},
		{"contradicting_proofs", []archive.State{archive.StateNoTrustedKey, archive.StateNoTrustedKey},
			only(archive.FindingContradictingProofs), negative, 1},
		{"provenance_mismatch", attested, only(archive.FindingProvenanceMismatch), negative, 1},
		{"provenance_unchecked", attested, only(archive.FindingProvenanceUnchecked), good, 3},
		{"leaf_count_is_a_claim", attested, only(archive.FindingLeafCountIsAClaim), good, 0},
		{"file_link_without_digest", unattested, only(archive.FindingFileLinkWithoutDigest), unchecked, 3},
	}
	files, err := filepath.Glob("testdata/minimal/*.ndjson")
	if err != nil || len(files) != len(rows) {
		t.Fatalf("%d files in testdata/minimal (%v), want one for each of %d rows", len(files), err, len(rows))
	}
	for _, w := range rows {
		t.Run(w.name, func(t *testing.T) {
			r := verify(t, minimalVerifier(t, w.name), readFile(t, "testdata/minimal/"+w.name+".ndjson"))
			var states []archive.State
			var findings []archive.FindingCode
			var classes []archive.Class
			for _, a := range r.Answers {
				classes = append(classes, a.Class)
				for _, f := range a.Frames {
					states = append(states, f.State)
				}
				for _, f := range a.Findings {
					findings = append(findings, f.Code)
				}
			}
			if diff := cmp.Diff(w.states, states); diff != "" {
				t.Errorf("states (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(w.findings, findings); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(w.class, classes); diff != "" {
				t.Errorf("classes (-want +got):\n%s", diff)
			}
			if r.Summary.ExitCode != w.exit {
				t.Errorf("exit code %d (%s), want %d", r.Summary.ExitCode, r.Summary.ExitReason, w.exit)
			}
			if err := consistent(r); err != nil {
				t.Error(err)
			}
		})
	}
}

// minimalVerifier trusts the key of the minimal inputs, except where the row is about an untrusted one, or about one that is
// trusted under another name, on first use or for a time.
func minimalVerifier(t *testing.T, name string) *archive.Verifier {
	t.Helper()
	v := &archive.Verifier{Keys: &archive.Keyring{}}
	// The public key of the seed 32×07, from ../shared/vectors/attestation-vectors.json.
	key := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: mustHex(t, "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c")}
	holder := "docs"
	switch name {
	case "constructed":
		return v
	case "provenance_mismatch", "provenance_unchecked":
		v.Files = sources{}
	case "declared_name_differs":
		holder = "our-docs"
		v.Policy.LocalID = commitment.Some(holder)
	}
	trusted := configured("k1", key, keys.Window{})
	switch name {
	case "pinned":
		trusted.Tier = keys.TierPinned
	case "key_not_in_service":
		trusted.Window = windowOf(t, "", "2026-07-31T23:59:59Z")
		v.Policy.ReceivedAt.Source = archive.InstantFromArchive
	}
	if err := v.Keys.TrustKey(holder, trusted, "test"); err != nil {
		t.Fatal(err)
	}
	return v
}

// Every finding of the catalog has a minimal input.
func TestEveryFindingHasAMinimalInput(t *testing.T) {
	checked := 0
	for _, set := range archive.Catalog() {
		for _, e := range set.Entries {
			if e.Severity == "" || e.Code == string(archive.FindingDuplicateInput) { // which no record yields
				continue
			}
			checked++
			if _, err := os.Stat("testdata/minimal/" + e.Code + ".ndjson"); err != nil {
				t.Errorf("no minimal input for %s: %v", e.Code, err)
			}
		}
	}
	if checked < 20 {
		t.Errorf("%d findings checked, want 20 at least", checked)
	}
}
