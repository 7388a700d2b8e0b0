package archive_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// setOf returns one set of the catalog.
func setOf(t *testing.T, name string) archive.Set {
	t.Helper()
	for _, s := range archive.Catalog() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("the catalog has no set %q", name)
	return archive.Set{}
}

func codesOf(t *testing.T, name string) []string {
	t.Helper()
	var codes []string
	for _, e := range setOf(t, name).Entries {
		codes = append(codes, e.Code)
	}
	return codes
}

// declared reads the string and integer constants of a file, in order: by the name of their type, "" for none.
func declared(t *testing.T, name string) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(publicdata.Root(t), filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string][]string)
	for _, decl := range file.Decls {
		d, ok := decl.(*ast.GenDecl)
		if !ok || d.Tok != token.CONST {
			continue
		}
		for _, spec := range d.Specs {
			v := spec.(*ast.ValueSpec)
			lit, ok := v.Values[0].(*ast.BasicLit)
			if !ok || len(v.Names) != 1 {
				t.Fatalf("%s: %s is no plain constant", name, v.Names[0])
			}
			typ := ""
			if v.Type != nil {
				typ = v.Type.(*ast.Ident).Name
			}
			text := lit.Value
			if lit.Kind == token.STRING {
				if text, err = strconv.Unquote(text); err != nil {
					t.Fatal(err)
				}
			}
			out[typ] = append(out[typ], text)
		}
	}
	return out
}

// Every constant of a closed set has one entry, every entry a constant. The constants are read from the source: a list of them
// could forget the same one.
func TestCatalogHoldsEveryConstant(t *testing.T) {
	sets := map[string]string{ // by the constants' type
		"Class": "classes", "State": "frame_states", "Tier": "tiers", "Level": "levels", "Content": "content_states",
		"LinkStatus": "link_statuses", "LinkReason": "link_reasons",
		"EvidenceKind": "evidence_kinds", "Reason": "reasons", "ProviderSource": "provider_sources",
		"InstantSource": "instant_sources", "Severity": "severities", "FindingCode": "findings", "ErrorCode": "errors", "Cause": "causes",
		"": "exit_codes", "Verdict": "verdicts",
		"Rule": "sign_rules", "RetainRule": "retain_rules", "keys.Rule": "trust_rules", "keys.PinOutcome": "pin_outcomes",
	}
	seen := make(map[string]bool)
	for _, file := range []string{
		"archive/codes.go", "archive/unsignable.go", "archive/withheld.go", "sign/verdict.go", "keys/trust_rules.go", "keys/trust_pin.go",
	} {
		constants := declared(t, file)
		if len(constants) == 0 {
			t.Errorf("%s declares no constant", file)
		}
		for typ, values := range constants {
			if path.Dir(file) == "keys" {
				typ = "keys." + typ
			}
			set, ok := sets[typ]
			if !ok {
				t.Errorf("%s: type %s has no set in the catalog", file, typ)
				continue
			}
			seen[set] = true
			codes := codesOf(t, set)
			slices.Sort(values)
			slices.Sort(codes)
			if diff := cmp.Diff(values, codes); diff != "" {
				t.Errorf("%s: type %q and set %s differ (-declared +catalog):\n%s", file, typ, set, diff)
			}
		}
	}
	for _, s := range archive.Catalog() {
		if !seen[s.Name] && s.Name != "evidence_states" && s.Name != "limits" {
			t.Errorf("set %s: no constants of it were read", s.Name)
		}
	}
}

// The order of the entries is the order of members in a report, and of verdicts that of precedence. By hand.
func TestCatalogOrder(t *testing.T) {
	const evidence = "attested pinned constructed invalid uncheckable no_trusted_key key_not_in_service unusable"
	for set, want := range map[string]string{
		"verdicts": "unknown_algorithm malformed_commitment commitment_mismatch malformed_key malformed_signature bad_signature " +
			"valid_identity_only valid",
		"evidence_states": evidence,
		"frame_states":    evidence + " content_mismatch identity_only unattested malformed_frame",
		"content_states":  "match mismatch opaque_digest no_digest no_content",
		"link_statuses":   "match mismatch unverifiable missing not_file",
		"classes":         "good unchecked negative unreadable",
		"severities":      "error warning note",
		"exit_codes":      "0 1 2 3 4 5 130",
	} {
		if got := strings.Join(codesOf(t, set), " "); got != want {
			t.Errorf("set %s = %s, want %s", set, got, want)
		}
	}
	if got, want := codesOf(t, "verdicts"), texts(sign.Verdicts()); !slices.Equal(got, want) {
		t.Errorf("verdicts = %q, sign.Verdicts() = %q", got, want)
	}
}

func texts[S ~string](list []S) []string {
	var out []string
	for _, s := range list {
		out = append(out, string(s))
	}
	return out
}

// Severities as the design has them, by hand.
func TestFindingSeverity(t *testing.T) {
	want := map[archive.FindingCode]archive.Severity{
		"root_mismatch": archive.SeverityError, "invalid_evidence": archive.SeverityError, "content_mismatch": archive.SeverityError,
		"contradicting_proofs": archive.SeverityError, "provenance_mismatch": archive.SeverityError,

		"orphan_entry": archive.SeverityWarning, "duplicate_entry": archive.SeverityWarning, "empty_entry": archive.SeverityWarning,
		"malformed_entry": archive.SeverityWarning, "unchecked_evidence": archive.SeverityWarning,
		"ambiguous_order": archive.SeverityWarning, "provider_unknown": archive.SeverityWarning,
		"provider_mismatch": archive.SeverityWarning, "attestation_inside_frame": archive.SeverityWarning,
		"published_key_conflict": archive.SeverityWarning, "malformed_published_key": archive.SeverityWarning,
		"opaque_digest": archive.SeverityWarning, "uncompared_content": archive.SeverityWarning,
		"malformed_issued_at": archive.SeverityWarning, "stripped_evidence": archive.SeverityWarning,
		"duplicate_input": archive.SeverityWarning, "provenance_unchecked": archive.SeverityWarning,

		"declared_name_differs": archive.SeverityNote, "envelope_attestations_ignored": archive.SeverityNote,
		"leaf_count_is_a_claim": archive.SeverityNote, "file_link_without_digest": archive.SeverityNote,
	}
	for code, severity := range want {
		if got := code.Severity(); got != severity {
			t.Errorf("%s.Severity() = %s, want %s", code, got, severity)
		}
	}
	for _, e := range setOf(t, "findings").Entries {
		if _, ok := want[archive.FindingCode(e.Code)]; !ok {
			t.Errorf("finding %s: its severity is not in this test's table", e.Code)
		}
	}
	for _, code := range []archive.FindingCode{"", "unheard_of", "Root_mismatch"} {
		if got := code.Severity(); got != archive.SeverityError {
			t.Errorf("FindingCode(%q).Severity() = %s, want error", code, got)
		}
	}
}

// Limits as the documents give them, by hand.
func TestCatalogLimits(t *testing.T) {
	want := map[string]uint64{
		"max_record": 67_108_864, "max_open_members": 400_000, "max_answer_links": 1_000_000, "max_window": 8 << 20, "max_expansion": 1_000,
		"max_members": 100_000, "max_depth": 128, "max_frames": 1_000_000, "max_links": 10_000,
		"max_path": 64, "max_names": 64, "max_proof_walks": 100_000, "max_session": 64 << 20, "max_providers": 100_000,
		"max_key_faults": 10_000, "max_held_answers": 1_024, "max_held_frames": 8_192, "max_held_bytes": 16 << 20,
		"max_key_file": 65_536, "max_trust_file": 1_048_576, "max_pinned": 16, "max_echoed": 128, "max_listed": 1_000,
		"max_diagnosis_blocks": 200_000, "max_diagnosis_piece": 50_000, "max_diagnosis_checks": 256, "max_diagnosis_others": 64,
	}
	got := make(map[string]uint64)
	for _, e := range setOf(t, "limits").Entries {
		got[e.Code] = e.Limit
		if e.Unit == "" {
			t.Errorf("limit %s has no unit", e.Code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("limits (-want +got):\n%s", diff)
	}
}

// each gives every entry of the catalog.
func each(t *testing.T, test func(t *testing.T, e archive.Entry)) {
	for _, s := range archive.Catalog() {
		for _, e := range s.Entries {
			t.Run(s.Name+"/"+e.Code, func(t *testing.T) { test(t, e) })
		}
	}
}

// sentences returns the texts of an entry that are whole sentences.
func sentences(e archive.Entry) []string { return []string{e.Proves, e.ProvesNot, e.Then} }

func allText(e archive.Entry) string {
	return strings.Join(slices.Concat(sentences(e), e.Causes, []string{e.Next, e.Rule}), "\n")
}

// Small vocabularies are no faults: nothing causes them.
var withoutCauses = []string{
	"classes", "tiers", "levels", "evidence_kinds", "provider_sources", "instant_sources", "severities",
	"pin_outcomes",
}

func TestCatalogIsWhole(t *testing.T) {
	codes := make(map[string]bool)
	for _, s := range archive.Catalog() {
		if s.Name == "" || s.Holds == "" || len(s.Entries) == 0 {
			t.Errorf("set %q is not whole: holds %q, %d entries", s.Name, s.Holds, len(s.Entries))
		}
		for _, e := range s.Entries {
			if codes[s.Name+"/"+e.Code] {
				t.Errorf("%s has two entries in %s", e.Code, s.Name)
			}
			codes[s.Name+"/"+e.Code] = true
		}
	}
	each(t, func(t *testing.T, e archive.Entry) {
		for _, s := range sentences(e) {
			if s == "" || !strings.HasSuffix(s, ".") || strings.HasSuffix(s, "..") || strings.Contains(s, "  ") {
				t.Errorf("%q is no sentence", s)
			}
		}
		if slices.Contains(withoutCauses, e.Set) != (e.Causes == nil) {
			t.Errorf("causes: %q", e.Causes)
		}
		for _, c := range e.Causes {
			if c == "" || strings.HasSuffix(c, ".") || strings.Contains(c, "  ") {
				t.Errorf("cause %q is no clause", c)
			}
		}
		if !strings.HasPrefix(e.Next, "cgp-attest ") {
			t.Errorf("next is no command line: %q", e.Next)
		}
		if e.Rule == "" {
			t.Error("no rule")
		}
		if (e.Severity != "") != (e.Set == "findings") || (e.Limit != 0 || e.Unit != "") != (e.Set == "limits") {
			t.Errorf("severity %q, limit %d %q", e.Severity, e.Limit, e.Unit)
		}
	})
}

// What is merely constructed never stands alone, and no text tells a reader to ask for less.
func TestCatalogNeverLoosensTrust(t *testing.T) {
	loosening := regexp.MustCompile(`(?i)--require (constructed|pinned)|--allow-|--exit-zero|--no-`)
	met := 0
	each(t, func(t *testing.T, e archive.Entry) {
		text := allText(e)
		if strings.Contains(text, string(archive.StateConstructed)) || e.Code == string(archive.StateConstructed) {
			met++
			if !strings.Contains(strings.ToLower(text), "who signed is not established") {
				t.Error("constructed stands without: who signed is not established")
			}
		}
		if bad := loosening.FindString(text); bad != "" {
			t.Errorf("the text advises %q", bad)
		}
	})
	if met < 4 {
		t.Errorf("%d entries speak of constructed evidence, want at least 4", met)
	}
}

// A text that names a code or a member names one that exists.
func TestCatalogNamesWhatExists(t *testing.T) {
	known := map[string]bool{}
	for _, s := range archive.Catalog() {
		for _, e := range s.Entries {
			known[e.Code] = true
		}
	}
	members := strings.Fields(`
		signed_commitment key_id attester_id issued_at leaf_count leaf_index content_digest provider_id frame_id frame_attestations
		result_attestation attester_keys public_key handshake_ack local_id received_at trusted_for unverified_claims not_covered
		exit_code exit_reason not_before not_after content_ref canonical_content_hash`)
	for _, m := range members {
		known[m] = true
	}
	word := regexp.MustCompile(`\b[a-z0-9]+(_[a-z0-9]+)+\b`)
	explained := regexp.MustCompile(`^cgp-attest explain ([a-z_]+)$`)
	used := make(map[string]bool)
	each(t, func(t *testing.T, e archive.Entry) {
		for _, w := range word.FindAllString(allText(e), -1) {
			used[w] = true
			if !known[w] {
				t.Errorf("%s is neither a code nor a known member", w)
			}
		}
		m := explained.FindStringSubmatch(e.Next)
		if m == nil {
			return
		}
		if m[1] == e.Code {
			t.Error("next leads back to the same text")
		}
		if len(archive.Explain(m[1])) == 0 {
			t.Errorf("next explains %q, which is no code", m[1])
		}
	})
	for _, m := range members {
		if !used[m] {
			t.Errorf("member %s is in this test's list and in no text", m)
		}
	}
}

func TestExplain(t *testing.T) {
	tests := []struct {
		code string
		want []string // sets
	}{
		{"commitment_mismatch", []string{"verdicts"}},
		{"constructed", []string{"evidence_states", "frame_states", "levels"}},
		{"malformed_frame", []string{"frame_states", "reasons", "sign_rules", "retain_rules"}},
		{"content_mismatch", []string{"frame_states", "findings", "sign_rules", "retain_rules"}},
		{"match", []string{"content_states", "link_statuses"}},
		{"opaque_digest", []string{"content_states", "link_reasons", "findings", "sign_rules"}},
		{"retained_subset", []string{"sign_rules", "retain_rules"}},
		{"duplicate_member", []string{"errors", "trust_rules"}},
		{"key_changed", []string{"pin_outcomes"}},
		{"error", []string{"severities"}},
		{"3", []string{"exit_codes"}},
		{"max_record", []string{"limits"}},
		{"", nil},
		{"Valid", nil},
		{"valid ", nil},
		{"verdicts", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, e := range archive.Explain(tt.code) {
			got = append(got, e.Set)
			if e.Code != tt.code {
				t.Errorf("Explain(%q) has an entry of %q", tt.code, e.Code)
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("Explain(%q) = entries of %q, want %q", tt.code, got, tt.want)
		}
	}
}

func TestCatalogIsTheCallersOwn(t *testing.T) {
	for _, s := range archive.Catalog() {
		for i := range s.Entries {
			if len(s.Entries[i].Causes) > 0 {
				s.Entries[i].Causes[0] = "spoilt"
			}
			s.Entries[i] = archive.Entry{}
		}
	}
	each(t, func(t *testing.T, e archive.Entry) {
		if e.Code == "" || e.Set == "" || slices.Contains(e.Causes, "spoilt") {
			t.Errorf("a caller's change shows: %+v", e)
		}
	})
	if got := archive.FindingCode("empty_entry").Severity(); got != archive.SeverityWarning {
		t.Errorf("severity of empty_entry is now %s", got)
	}
}

// A set is asked for by its name, a code by its own: none may be both.
func TestSetNamesAreNoCodes(t *testing.T) {
	names := make(map[string]bool)
	for _, s := range archive.Catalog() {
		if names[s.Name] {
			t.Errorf("two sets are called %s", s.Name)
		}
		names[s.Name] = true
	}
	for name := range maps.Keys(names) {
		if len(archive.Explain(name)) > 0 {
			t.Errorf("%s is a set and a code", name)
		}
	}
}
