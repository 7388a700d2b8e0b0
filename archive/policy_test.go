package archive

import (
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// contentCases are the outcomes of comparing content, each with the digest that leads to it.
var contentCases = map[string]struct {
	content Content
	digest  commitment.Optional
}{
	"match":              {ContentMatch, commitment.Some("sha256:" + strings.Repeat("ab", 32))},
	"mismatch":           {ContentMismatch, commitment.Some("sha256:" + strings.Repeat("ab", 32))},
	"opaque_digest":      {ContentOpaque, commitment.Some("sha256:9f2c3e7a1b")},
	"no_digest":          {ContentNoDigest, commitment.Optional{}},
	"no_content":         {ContentAbsent, commitment.Some("sha256:" + strings.Repeat("ab", 32))},
	"no_content, opaque": {ContentAbsent, commitment.Some("sha256:9f2c3e7a1b")},
	"no_content, none":   {ContentAbsent, commitment.Optional{}},
}

// policyTable says what becomes of a frame: a line for its best evidence and its content, a column for each policy. The
// columns are --require attested, pinned, constructed; in each, no allowance, --allow-identity-only, --allow-opaque-digest,
// both. g: good, u: unchecked, n: negative. An evidence state of "-" is a frame without evidence.
const policyTable = `
attested            attested          match               gggg gggg gggg
attested            content_mismatch  mismatch            nnnn nnnn nnnn
attested            attested          opaque_digest       uugg uugg uugg
attested            identity_only     no_digest           ugug ugug ugug
attested            attested          no_content          uuuu uuuu uuuu
attested            attested          no_content, opaque  uugg uugg uugg
attested            identity_only     no_content, none    ugug ugug ugug
pinned              pinned            match               uuuu gggg gggg
pinned              content_mismatch  mismatch            nnnn nnnn nnnn
pinned              pinned            opaque_digest       uuuu uugg uugg
pinned              identity_only     no_digest           uuuu ugug ugug
pinned              pinned            no_content          uuuu uuuu uuuu
pinned              pinned            no_content, opaque  uuuu uugg uugg
pinned              identity_only     no_content, none    uuuu ugug ugug
constructed         constructed       match               uuuu uuuu gggg
constructed         content_mismatch  mismatch            nnnn nnnn nnnn
constructed         constructed       opaque_digest       uuuu uuuu uugg
constructed         identity_only     no_digest           uuuu uuuu ugug
constructed         constructed       no_content          uuuu uuuu uuuu
constructed         constructed       no_content, opaque  uuuu uuuu uugg
constructed         identity_only     no_content, none    uuuu uuuu ugug
invalid             invalid           match               nnnn nnnn nnnn
invalid             invalid           mismatch            nnnn nnnn nnnn
invalid             invalid           opaque_digest       nnnn nnnn nnnn
invalid             invalid           no_digest           nnnn nnnn nnnn
invalid             invalid           no_content          nnnn nnnn nnnn
invalid             invalid           no_content, opaque  nnnn nnnn nnnn
invalid             invalid           no_content, none    nnnn nnnn nnnn
key_not_in_service  key_not_in_service  match               uuuu uuuu uuuu
key_not_in_service  key_not_in_service  mismatch            uuuu uuuu uuuu
key_not_in_service  key_not_in_service  opaque_digest       uuuu uuuu uuuu
key_not_in_service  key_not_in_service  no_digest           uuuu uuuu uuuu
key_not_in_service  key_not_in_service  no_content          uuuu uuuu uuuu
key_not_in_service  key_not_in_service  no_content, opaque  uuuu uuuu uuuu
key_not_in_service  key_not_in_service  no_content, none    uuuu uuuu uuuu
uncheckable         uncheckable       match               uuuu uuuu uuuu
uncheckable         uncheckable       mismatch            uuuu uuuu uuuu
uncheckable         uncheckable       opaque_digest       uuuu uuuu uuuu
uncheckable         uncheckable       no_digest           uuuu uuuu uuuu
uncheckable         uncheckable       no_content          uuuu uuuu uuuu
uncheckable         uncheckable       no_content, opaque  uuuu uuuu uuuu
uncheckable         uncheckable       no_content, none    uuuu uuuu uuuu
no_trusted_key      no_trusted_key    match               uuuu uuuu uuuu
no_trusted_key      no_trusted_key    mismatch            uuuu uuuu uuuu
no_trusted_key      no_trusted_key    opaque_digest       uuuu uuuu uuuu
no_trusted_key      no_trusted_key    no_digest           uuuu uuuu uuuu
no_trusted_key      no_trusted_key    no_content          uuuu uuuu uuuu
no_trusted_key      no_trusted_key    no_content, opaque  uuuu uuuu uuuu
no_trusted_key      no_trusted_key    no_content, none    uuuu uuuu uuuu
unusable            unusable          match               uuuu uuuu uuuu
unusable            unusable          mismatch            uuuu uuuu uuuu
unusable            unusable          opaque_digest       uuuu uuuu uuuu
unusable            unusable          no_digest           uuuu uuuu uuuu
unusable            unusable          no_content          uuuu uuuu uuuu
unusable            unusable          no_content, opaque  uuuu uuuu uuuu
unusable            unusable          no_content, none    uuuu uuuu uuuu
-                   unattested        match               uuuu uuuu uuuu
-                   unattested        mismatch            uuuu uuuu uuuu
-                   unattested        opaque_digest       uuuu uuuu uuuu
-                   unattested        no_digest           uuuu uuuu uuuu
-                   unattested        no_content          uuuu uuuu uuuu
-                   unattested        no_content, opaque  uuuu uuuu uuuu
-                   unattested        no_content, none    uuuu uuuu uuuu
`

// policyExits are the exit codes of a run over one frame of a class, without a finding and beside one of each severity.
var policyExits = map[byte]struct {
	class                     Class
	none, note, warning, fail int
}{
	'g': {ClassGood, 0, 0, 0, 1},
	'u': {ClassUnchecked, 3, 3, 3, 1},
	'n': {ClassNegative, 1, 1, 1, 1},
}

func TestPolicyTable(t *testing.T) {
	policies := make([]Policy, 0, 12)
	for _, require := range []Level{RequireAttested, RequirePinned, RequireConstructed} {
		for _, allow := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			policies = append(policies, Policy{Require: require, AllowIdentityOnly: allow[0], AllowOpaqueDigest: allow[1]})
		}
	}
	cells := 0
	for line := range strings.Lines(strings.TrimSpace(policyTable)) {
		fields := strings.Fields(line)
		n := len(fields) - 3
		content, want := strings.Join(fields[2:n], " "), strings.Join(fields[n:], "")
		for i, p := range policies {
			checkPolicyCell(t, p, State(fields[0]), State(fields[1]), content, want[i])
			cells++
		}
	}
	if want := 9 * len(contentCases) * len(policies); cells != want {
		t.Errorf("the table has %d cells, want %d", cells, want)
	}
}

func checkPolicyCell(t *testing.T, p Policy, evidence, state State, content string, want byte) {
	t.Helper()
	c, ok := contentCases[content]
	if !ok {
		t.Fatalf("no content case %q", content)
	}
	f := Frame{Content: c.content, ContentDigest: c.digest}
	if evidence != "-" {
		f.Evidence = []Evidence{{Kind: KindSignature, State: evidence}}
	}
	f.State, f.Tier = frameState(&f)
	f.Class = p.classOf(&f, best(f.Evidence))
	name := fmt.Sprintf("%s, %s, require %s, allow identity %v, opaque %v",
		evidence, content, p.Require, p.AllowIdentityOnly, p.AllowOpaqueDigest)
	if f.State != state {
		t.Errorf("%s: state %s, want %s", name, f.State, state)
	}
	cell := policyExits[want]
	if f.Class != cell.class {
		t.Errorf("%s: class %s, want %s", name, f.Class, cell.class)
	}
	for severity, code := range map[Severity]int{"": cell.none, SeverityNote: cell.note, SeverityWarning: cell.warning, SeverityError: cell.fail} {
		a := &Answer{Frames: []Frame{f}}
		if severity != "" {
			a.Findings = []Finding{{Severity: severity}}
		}
		s := NewSummary(p.Require)
		s.CountAnswer(a)
		s.Finished = true
		s.Conclude()
		if s.ExitCode != code {
			t.Errorf("%s, finding %q: exit code %d, want %d", name, severity, s.ExitCode, code)
		}
	}
}

// Several pieces of evidence on one frame: the best that verifies decides, whatever the others are; where none verifies, the
// first of this order does.
func TestFrameStateOfSeveral(t *testing.T) {
	for _, tc := range []struct {
		evidence []State
		want     State
	}{
		{[]State{StateInvalid, StateAttested}, StateAttested},
		{[]State{StateConstructed, StatePinned}, StatePinned},
		{[]State{StatePinned, StateAttested, StateConstructed}, StateAttested},
		{[]State{StateUncheckable, StateInvalid}, StateInvalid},
		{[]State{StateNoTrustedKey, StateUncheckable}, StateUncheckable},
		{[]State{StateUncheckable, StateKeyNotInService}, StateKeyNotInService},
		{[]State{StateUnusable, StateNoTrustedKey}, StateNoTrustedKey},
		{nil, StateUnattested},
	} {
		f := Frame{Content: ContentMatch, ContentDigest: commitment.Some("d")}
		for _, s := range tc.evidence {
			f.Evidence = append(f.Evidence, Evidence{State: s})
		}
		if got, _ := frameState(&f); got != tc.want {
			t.Errorf("frameState(%v) = %s, want %s", tc.evidence, got, tc.want)
		}
	}
}

// Runs over several answers: negative before unreadable before unchecked.
func TestExitCodeOfMixedRuns(t *testing.T) {
	frame := func(c Class) *Answer { return &Answer{Frames: []Frame{{Class: c}}} }
	empty := func(s State) *Answer {
		if s == StateUnattested {
			return &Answer{}
		}
		return &Answer{Root: &Root{State: s}}
	}
	for _, tc := range []struct {
		name    string
		answers []*Answer
		errors  uint64
		want    int
	}{
		{"nothing", nil, 0, 3},
		{"good", []*Answer{frame(ClassGood)}, 0, 0},
		{"good and unchecked", []*Answer{frame(ClassGood), frame(ClassUnchecked)}, 0, 3},
		{"good and malformed", []*Answer{frame(ClassGood), frame(ClassUnreadable)}, 0, 4},
		{"unchecked and unreadable", []*Answer{frame(ClassUnchecked)}, 1, 4},
		{"negative and unreadable", []*Answer{frame(ClassNegative)}, 1, 1},
		{"good and unreadable", []*Answer{frame(ClassGood)}, 1, 4},
		{"only an error", nil, 1, 4},
		{"only an empty attested answer", []*Answer{empty(StateAttested)}, 0, 3},
		{"good and an empty attested answer", []*Answer{frame(ClassGood), empty(StateAttested)}, 0, 0},
		{"good and an empty constructed answer", []*Answer{frame(ClassGood), empty(StateConstructed)}, 0, 3},
		{"good and an empty unsigned answer", []*Answer{frame(ClassGood), empty(StateUnattested)}, 0, 3},
		{"good and an empty invalid answer", []*Answer{frame(ClassGood), empty(StateInvalid)}, 0, 1},
	} {
		s := NewSummary(RequireAttested)
		for _, a := range tc.answers {
			s.CountAnswer(a)
		}
		for range tc.errors {
			s.CountError()
		}
		s.Finished = true
		s.Conclude()
		if s.ExitCode != tc.want {
			t.Errorf("%s: exit code %d (%s), want %d", tc.name, s.ExitCode, s.ExitReason, tc.want)
		}
	}
	for level, want := range map[Level]bool{RequireAttested: false, RequirePinned: false, RequireConstructed: true} {
		for _, class := range []Class{ClassGood, ClassUnchecked, ClassNegative, ClassUnreadable} {
			s := NewSummary(level)
			s.CountAnswer(frame(class))
			s.Finished = true
			s.Conclude()
			if strings.Contains(s.ExitReason, "who signed is not established") != want {
				t.Errorf("level %s: %q, says that who signed is not established: want %t", level, s.ExitReason, want)
			}
		}
	}
	s := NewSummary(RequireAttested)
	s.Conclude()
	if s.ExitCode != ExitInterrupted {
		t.Errorf("an unfinished run: exit code %d, want 130", s.ExitCode)
	}
}
