package report_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A run is what a Renderer is given, put together by hand.
type run struct {
	header  archive.Header
	answers []*archive.Answer
	errors  []*archive.RecordError
	summary *archive.Summary
}

func (r *run) render(t testing.TB, into report.Renderer) {
	t.Helper()
	for _, a := range r.answers {
		if err := into.Answer(a); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range r.errors {
		if err := into.Error(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := into.Close(r.summary); err != nil {
		t.Fatal(err)
	}
}

func (r *run) json(t testing.TB) []byte {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewJSON(&out, r.header, report.Tool{Name: "cgp-attest", Version: "v0.0.0"}))
	return out.Bytes()
}

func (r *run) text(t testing.TB, opt report.TextOptions) string {
	t.Helper()
	var out bytes.Buffer
	r.render(t, report.NewText(&out, r.header, opt))
	return out.String()
}

// count sums the run up anew.
func (r *run) count(exit int, reason string) {
	sources := make(map[string]bool)
	for _, a := range r.answers {
		sources[a.Source] = true
	}
	for _, e := range r.errors {
		sources[e.Source] = true
	}
	s := &archive.Summary{
		Sources: len(sources), Records: uint64(len(r.answers) + len(r.errors)), Unreadable: uint64(len(r.errors)), Finished: true,
		ExitCode: exit, ExitReason: reason,
		EmptyAnswers: map[archive.State]uint64{}, Classes: map[archive.Class]uint64{}, States: map[archive.State]uint64{},
		Evidence: map[archive.State]uint64{}, Content: map[archive.Content]uint64{}, Findings: map[archive.Severity]uint64{},
	}
	for _, a := range r.answers {
		s.Answers++
		if len(a.Frames) == 0 && a.Root == nil {
			s.EmptyAnswers[archive.StateUnattested]++
		} else if len(a.Frames) == 0 {
			s.EmptyAnswers[a.Root.State]++
		}
		for _, f := range a.Frames {
			s.Frames++
			s.Classes[f.Class]++
			s.States[f.State]++
			s.Content[f.Content]++
			for _, ev := range f.Evidence {
				s.Evidence[ev.State]++
			}
			for _, l := range f.Provenance {
				s.CountLink(l.Status)
			}
		}
		for _, f := range a.Findings {
			s.Findings[f.Severity]++
		}
	}
	r.summary = s
}

// constants returns the values of the constants of one type in archive's list of closed sets, read from its source.
func constants(t testing.TB, typeName string) []string {
	t.Helper()
	file := filepath.Join(publicdata.Root(t), "archive", "codes.go")
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var values []string
	ast.Inspect(tree, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); ok && name.Name == typeName {
			for _, v := range spec.Values {
				text, err := strconv.Unquote(v.(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				values = append(values, text)
			}
		}
		return true
	})
	if len(values) == 0 {
		t.Fatalf("%s has no constants of type %s", file, typeName)
	}
	return values
}

// everything is a run in which every state, class, content, severity and error code stands, with text in every text member
// that marks it: a prefix, then a number.
func everything(t testing.TB, mark string) *run {
	t.Helper()
	next := 0
	text := func() string { next++; return fmt.Sprintf("%s%d", mark, next) }
	some := func() commitment.Optional { return commitment.Some(text()) }
	instant, err := commitment.ParseInstant("2026-08-29T12:00:60.5Z")
	if err != nil {
		t.Fatal(err)
	}
	digest := commitment.ContentDigest("x").String()
	claims := func() *archive.Claims { return &archive.Claims{AttesterID: text(), IssuedAt: text()} }
	r := &run{header: archive.Header{
		Policy: archive.Policy{
			Require: archive.RequirePinned, AllowIdentityOnly: true, AllowOpaqueDigest: true, Provider: some(), LocalID: some(),
			Frames: []string{text(), text()}, SourceRoots: []string{text(), text()},
		},
		Algorithms: []string{text()},
		Trusted:    []archive.KeySource{{Name: text(), SHA256: text(), Keys: 2}, {Name: text(), Keys: 1}},
		Published:  []archive.KeySource{{Name: text(), SHA256: text(), Keys: 0}},
		ReceivedAt: &archive.ReceivedAt{Instant: instant, Source: archive.InstantFromFlag},
	}}
	answer := func() *archive.Answer {
		a := &archive.Answer{
			Source: text(), Record: uint64(len(r.answers) + 1), Offset: 1 << 40, ID: some(), ProviderID: some(),
			ProviderSource: archive.ProviderFromHandshake, LocalID: some(),
			ReceivedAt: archive.ReceivedAt{Source: archive.InstantFromClock}, Class: archive.ClassNegative,
		}
		r.answers = append(r.answers, a)
		return a
	}
	tiers := map[archive.State]archive.Tier{
		archive.StateAttested: archive.TierConfigured, archive.StatePinned: archive.TierPinned,
		archive.StateConstructed: archive.TierPublished,
	}
	a := answer()
	a.Root = &archive.Root{
		Recomputed: digest, Signed: text(), State: archive.StateInvalid, Verdict: sign.CommitmentMismatch, Detail: text(),
		KeyID: text(), Unverified: claims(), Diagnosis: &archive.Diagnosis{Cause: archive.CauseFrameMissing, Detail: text()},
	}
	classes, contents := constants(t, "Class"), constants(t, "Content")
	evidenceStates := []archive.State{
		"attested", "pinned", "constructed", "invalid", "uncheckable", "no_trusted_key", "key_not_in_service", "unusable",
	}
	for i, state := range constants(t, "State") {
		f := archive.Frame{
			Position: i, LeafIndex: i, ProviderID: text(), FrameID: text(), ContentDigest: some(), State: archive.State(state),
			Class: archive.Class(classes[i%len(classes)]), Content: archive.Content(contents[i%len(contents)]), Commitment: digest,
		}
		f.Tier = tiers[f.State]
		if f.State == archive.StateMalformedFrame {
			f.LeafIndex, f.Commitment, f.Reason, f.Detail = -1, "", archive.ReasonIllTyped, text()
		} else if f.State != archive.StateUnattested {
			for _, s := range evidenceStates {
				f.Evidence = append(f.Evidence, archive.Evidence{
					Kind: archive.KindSignature, State: s, Verdict: sign.Valid, Reason: archive.ReasonMissingMember, Detail: text(),
					Entry: i, KeyID: text(), Tier: tiers[s], TrustedFor: text(), Unverified: claims(),
				})
			}
			f.Evidence = append(f.Evidence,
				archive.Evidence{Kind: archive.KindInclusion, State: "invalid", Verdict: sign.CommitmentMismatch, LeafCount: "18446744073709551615",
					Expected: digest, Signed: text(), KeyID: text(), Diagnosis: &archive.Diagnosis{Cause: archive.CauseLinkAdded, Detail: text()}},
				archive.Evidence{Kind: archive.KindRoot, State: "invalid", Verdict: sign.CommitmentMismatch, Entry: -1},
				archive.Evidence{Kind: archive.KindEntry, State: "unusable", Reason: archive.ReasonEmptyEntry})
		}
		a.Frames = append(a.Frames, f)
	}
	for i, s := range constants(t, "LinkStatus") {
		a.Frames[0].Provenance = append(a.Frames[0].Provenance, archive.CheckedLink{
			Link: i, URI: some(), Status: archive.LinkStatus(s), Reason: archive.LinkForeignHost, Detail: text(),
		})
	}
	codes := map[string]archive.FindingCode{
		"error": archive.FindingContentMismatch, "warning": archive.FindingOrphanEntry, "note": archive.FindingDeclaredNameDiffers,
	}
	for i, s := range constants(t, "Severity") {
		a.Findings = append(a.Findings, archive.Finding{
			Code: codes[s], Severity: archive.Severity(s), Detail: text(), Entry: i - 1, Position: 1 - i, FrameID: some(),
		})
	}
	for _, s := range evidenceStates {
		a := answer()
		a.Root = &archive.Root{State: s, Verdict: sign.Valid, KeyID: text(), Tier: tiers[s], TrustedFor: text(), Unverified: claims()}
	}
	bare := answer()
	bare.ID, bare.ProviderID, bare.LocalID = commitment.Optional{}, commitment.Optional{}, commitment.Optional{}
	for _, code := range constants(t, "ErrorCode") {
		r.errors = append(r.errors, &archive.RecordError{
			Source: text(), Record: uint64(len(r.errors)), Offset: 7, At: 9, Code: archive.ErrorCode(code), Detail: text(),
		})
	}
	r.count(archive.ExitNegative, text())
	r.summary.IgnoredFiles, r.summary.Ignored = 12, []string{text(), text()}
	r.summary.FindInput(text(), archive.FindingDuplicateInput, text())
	return r
}

// hostile is text that tries to end a string, to start a line, to pose as one of the report's own and to drive a terminal.
const hostile = "\"},\\\"\nexit 0: 5 frames met the policy\x00\x1b[2J\x1b]0;x\a\u202egpj\u2066\u200b\u0085\u009b31m\u2028\u00ad\ufeff<&>日本\u0301"
