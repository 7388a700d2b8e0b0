package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// stateTable says, by hand, what may stand beside each state of evidence: its verdicts, the tiers of its key (- for none),
// and whether it gives a reason: always, never or either.
const stateTable = `
attested            valid,valid_identity_only  configured                     never
pinned              valid,valid_identity_only  pinned                         never
constructed         valid,valid_identity_only  published                      never
invalid             negative                   -,configured,pinned,published  never
uncheckable         unknown_algorithm          -                              never
no_trusted_key      -                          -                              never
key_not_in_service  -                          configured,pinned              always
unusable            -                          -                              always
`

// frameTable says the same of frames: their classes, the tiers of the evidence that verifies, whether there is evidence (1) or
// none (0), and whether there is a reason.
const frameTable = `
attested            good,unchecked  configured                    1  never
pinned              good,unchecked  pinned                        1  never
constructed         good,unchecked  published                     1  never
invalid             negative        -                             1  never
uncheckable         unchecked       -                             1  never
no_trusted_key      unchecked       -                             1  never
key_not_in_service  unchecked       -                             1  never
unusable            unchecked       -                             1  never
content_mismatch    negative        configured,pinned,published   1  never
identity_only       good,unchecked  configured,pinned,published   1  never
unattested          unchecked       -                             0  never
malformed_frame     unreadable      -                             0  always
`

func table(t *testing.T, text string, states []archive.State) map[archive.State][][]string {
	t.Helper()
	rows := make(map[archive.State][][]string)
	for line := range strings.Lines(strings.TrimSpace(text)) {
		fields := strings.Fields(line)
		var columns [][]string
		for _, f := range fields[1:] {
			columns = append(columns, strings.Split(f, ","))
		}
		rows[archive.State(fields[0])] = columns
	}
	for _, s := range states {
		if rows[s] == nil {
			t.Errorf("the table has no row for %s", s)
		}
	}
	return rows
}

func absent[S ~string](s S) string {
	if s == "" {
		return "-"
	}
	return string(s)
}

func reasonFits(column []string, given bool) bool {
	return column[0] == "either" || (column[0] == "always") == given
}

var tierOrNone = []archive.Tier{"", archive.TierConfigured, archive.TierPinned, archive.TierPublished}

// accepts checks one value against a definition.
func accepts(t *testing.T, schema *jsonschema.Schema, want bool, text string) {
	t.Helper()
	err := schema.Validate(decode(t, []byte(text)))
	if (err == nil) != want {
		t.Errorf("accepted %v, want %v: %s\n%v", err == nil, want, text, err)
	}
}

func optional[S ~string](name string, s S) string {
	if s == "" {
		return ""
	}
	return fmt.Sprintf(`,%q:%q`, name, s)
}

func TestSchemaEvidenceStates(t *testing.T) {
	rows := table(t, stateTable, archive.EvidenceStates())
	evidence, root := compiled(t, "#/$defs/evidence"), compiled(t, "#/$defs/root")
	digest := "sha256:" + strings.Repeat("0", 64)
	verdicts := append(sign.Verdicts(), "")
	negative := []string{"malformed_commitment", "commitment_mismatch", "malformed_key", "malformed_signature", "bad_signature"}
	rows[archive.StateInvalid][0] = negative
	for _, state := range archive.EvidenceStates() {
		row := rows[state]
		for _, verdict := range verdicts {
			for _, tier := range tierOrNone {
				for _, reason := range []archive.Reason{"", archive.ReasonMissingMember} {
					fits := slices.Contains(row[0], absent(verdict)) && slices.Contains(row[1], absent(tier)) &&
						reasonFits(row[2], reason != "")
					rest := fmt.Sprintf(`"state":%q,"verdict":%q,"key_id":"k","unverified_claims":{"attester_id":"a","issued_at":"i"}`,
						state, verdict) + optional("tier", tier) + optional("reason", reason)
					values := ""
					if verdict == sign.CommitmentMismatch {
						values = fmt.Sprintf(`,"expected":%q,"signed":%q`, digest, digest)
					}
					accepts(t, evidence, fits, `{"kind":"signature",`+rest+values+`}`)
					ofRoot := fits && verdict != sign.ValidIdentityOnly
					accepts(t, root, ofRoot, fmt.Sprintf(`{"recomputed":%q,"signed":%q,`, digest, digest)+rest+`}`)
				}
			}
		}
	}
	for _, state := range archive.EvidenceStates() {
		want := state == archive.StateUnusable
		accepts(t, evidence, want, fmt.Sprintf(`{"kind":"entry","state":%q,"verdict":%q%s}`, state, first(rows[state][0]),
			optional("reason", map[bool]archive.Reason{true: archive.ReasonEmptyEntry}[want])))
	}
	accepts(t, evidence, false, `{"kind":"entry","state":"unusable","verdict":"","reason":"missing_member"}`)
}

func first(column []string) string {
	if column[0] == "-" {
		return ""
	}
	return column[0]
}

// A frameText is a frame of a report; the fields that may be null are JSON.
type frameText struct {
	leafIndex, digest string
	state             archive.State
	class             archive.Class
	tier              archive.Tier
	commitment        string
	content           archive.Content
	evidence          string
	reason            archive.Reason
}

func (f frameText) String() string {
	return fmt.Sprintf(`{"position":0,"leaf_index":%s,"provider_id":"p","frame_id":"f","content_digest":%s,"state":%q,`+
		`"class":%q,"commitment":%s,"content":%q,"evidence":[%s]%s%s}`, f.leafIndex, f.digest, f.state, f.class,
		f.commitment, f.content, f.evidence, optional("tier", f.tier), optional("reason", f.reason))
}

func TestSchemaFrameStates(t *testing.T) {
	rows := table(t, frameTable, archive.States())
	schema := compiled(t, "#/$defs/frame")
	digest := `"sha256:` + strings.Repeat("0", 64) + `"`
	pieces := []string{"", `{"kind":"root","state":"no_trusted_key","verdict":""}`}
	reasons := []archive.Reason{"", archive.ReasonMissingMember}
	for _, state := range archive.States() {
		row := rows[state]
		f := frameText{state: state, leafIndex: "0", digest: digest, commitment: digest, content: archive.ContentMatch}
		switch state {
		case archive.StateIdentityOnly:
			f.digest, f.content = "null", archive.ContentNoDigest
		case archive.StateContentMismatch:
			f.content = archive.ContentMismatch
		case archive.StateMalformedFrame:
			f.commitment, f.leafIndex = "null", "null"
		}
		for _, f.class = range archive.Classes() {
			for _, f.tier = range tierOrNone {
				for n := range pieces {
					for _, f.reason = range reasons {
						f.evidence = pieces[n]
						fits := slices.Contains(row[0], string(f.class)) && slices.Contains(row[1], absent(f.tier)) &&
							row[2][0] == fmt.Sprint(n) && reasonFits(row[3], f.reason != "")
						accepts(t, schema, fits, f.String())
					}
				}
			}
		}
	}
}

// What else must stand beside a state: each row has one fault.
func TestSchemaFrameMembers(t *testing.T) {
	schema := compiled(t, "#/$defs/frame")
	digest := `"sha256:` + strings.Repeat("0", 64) + `"`
	proven := frameText{
		leafIndex: "0", digest: digest, class: archive.ClassUnchecked, commitment: digest, content: archive.ContentMatch,
		evidence: `{"kind":"root","state":"no_trusted_key","verdict":""}`,
	}
	tests := []struct {
		name  string
		state archive.State
		tier  archive.Tier
		fault func(*frameText)
	}{
		{"attested, no digest", archive.StateAttested, archive.TierConfigured, func(f *frameText) { f.digest = "null" }},
		{"pinned, no digest", archive.StatePinned, archive.TierPinned, func(f *frameText) { f.digest = "null" }},
		{"constructed, no digest", archive.StateConstructed, archive.TierPublished, func(f *frameText) { f.digest = "null" }},
		{"identity only, a digest", archive.StateIdentityOnly, archive.TierPinned, func(f *frameText) { f.digest = digest }},
		{"mismatch that matches", archive.StateContentMismatch, archive.TierPinned, func(f *frameText) { f.content = archive.ContentMatch }},
		{"malformed, a commitment", archive.StateMalformedFrame, "", func(f *frameText) { f.commitment = digest }},
		{"malformed, a leaf", archive.StateMalformedFrame, "", func(f *frameText) { f.leafIndex = "0" }},
	}
	for _, tt := range tests {
		f := proven
		f.state, f.tier = tt.state, tt.tier
		switch tt.state {
		case archive.StateIdentityOnly:
			f.digest, f.content = "null", archive.ContentNoDigest
		case archive.StateContentMismatch:
			f.class, f.content = archive.ClassNegative, archive.ContentMismatch
		case archive.StateMalformedFrame:
			f.class, f.commitment, f.leafIndex = archive.ClassUnreadable, "null", "null"
			f.evidence, f.reason = "", archive.ReasonMissingMember
		}
		accepts(t, schema, true, f.String())
		tt.fault(&f)
		if schema.Validate(decode(t, []byte(f.String()))) == nil {
			t.Errorf("%s: accepted: %s", tt.name, f)
		}
	}
}

func TestSchemaFindings(t *testing.T) {
	finding := compiled(t, "#/$defs/finding")
	n := 0
	for _, e := range archive.Catalog() {
		if e.Name != "findings" {
			continue
		}
		for _, f := range e.Entries {
			for _, severity := range archive.Severities() {
				n++
				accepts(t, finding, severity == f.Severity,
					fmt.Sprintf(`{"code":%q,"severity":%q,"detail":"","entry":null,"position":null,"frame_id":null}`, f.Code, severity))
			}
		}
	}
	if n < 60 {
		t.Errorf("%d pairs of code and severity were tried", n)
	}
}
