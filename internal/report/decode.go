package report

import (
	"math"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
	"github.com/go-json-experiment/json/jsontext"
)

// Each function here reads what the one of the same name writes, member by member in the same order.

var (
	toolShape   = shapeOf("name version")
	policyShape = shapeOf("require allow_identity_only allow_opaque_digest algorithms provider local_id retained frames trusted published source_roots? undefined_algorithms?")
	sourceShape = shapeOf("source sha256 keys")
	atShape     = shapeOf("instant source")
	answerShape = shapeOf("source record offset id provider_id provider_source local_id retained received_at class proven root frames findings")
	provenShape = shapeOf("leaves claimed")
	rootShape   = shapeOf("recomputed signed state verdict reason? key_id? tier? trusted_for? unverified_claims? detail? diagnosis?")
	claimsShape = shapeOf("attester_id issued_at")
	causeShape  = shapeOf("cause detail")
	frameShape  = shapeOf("position leaf_index provider_id frame_id content_digest state reason? tier? class commitment content evidence provenance? detail?")
	linkShape   = shapeOf("link uri status reason? detail?")
	pieceShape  = shapeOf("kind state verdict reason? leaf_count? key_id? tier? trusted_for? expected? signed? unverified_claims? detail? diagnosis?")
	findShape   = shapeOf("code severity detail entry position frame_id")
	errorShape  = shapeOf("source record offset at code detail")
	sumShape    = shapeOf("sources records answers empty_answers frames unreadable passed_over ignored_files ignored classes states " +
		"evidence content provenance? findings inputs finished exit_code exit_zero_applied exit_reason")
	inputShape = shapeOf("source code severity detail")
)

func (d *decoder) tool(v jsontext.Value) (t Tool) {
	m := d.object(v, toolShape)
	defer m.end()
	t.Name = m.text()
	t.Version = m.text()
	return t
}

func (d *decoder) policy(v jsontext.Value, h *archive.Header) {
	m := d.object(v, policyShape)
	defer m.end()
	p := &h.Policy
	p.Require = code[archive.Level](&m, "levels")
	p.AllowIdentityOnly = m.boolean()
	p.AllowOpaqueDigest = m.boolean()
	h.Algorithms = m.texts()
	p.Provider = m.optional()
	if p.LocalID = m.optional(); p.LocalID == localID(&archive.Policy{LocalIDFromArchive: true}) {
		p.LocalID, p.LocalIDFromArchive = commitment.Optional{}, true
	}
	p.Retained = m.boolean()
	p.Frames = m.texts()
	h.Trusted = d.keySources(m.take())
	h.Published = d.keySources(m.take())
	if v := m.take(); v != nil {
		d.elements(v, func(v jsontext.Value) { p.SourceRoots = append(p.SourceRoots, d.text(v)) })
	}
	var undefined []string // follows from algorithms
	if v := m.take(); v != nil {
		d.elements(v, func(v jsontext.Value) { undefined = append(undefined, d.text(v)) })
	}
	if d.err == nil && !slices.Equal(undefined, sign.Undefined(h.Algorithms)) {
		d.fail("policy.undefined_algorithms is %q, and of policy.algorithms these are: %q", undefined, sign.Undefined(h.Algorithms))
	}
}

func (d *decoder) keySources(v jsontext.Value) (list []archive.KeySource) {
	d.elements(v, func(v jsontext.Value) {
		m := d.object(v, sourceShape)
		defer m.end()
		list = append(list, archive.KeySource{Name: m.text(), SHA256: m.orNull(), Keys: int(m.count(math.MaxInt))})
	})
	return list
}

func (d *decoder) receivedAt(v jsontext.Value) (at archive.ReceivedAt) {
	m := d.object(v, atShape)
	defer m.end()
	if text, given := m.optional().Text(); given && d.err == nil {
		var err error
		if at.Instant, err = commitment.ParseInstant(text); err != nil {
			d.fail("%v", err)
		}
	}
	at.Source = code[archive.InstantSource](&m, "instant_sources")
	return at
}

func (d *decoder) answer(v jsontext.Value) *archive.Answer {
	m := d.object(v, answerShape)
	defer m.end()
	a := &archive.Answer{Source: m.text(), Record: m.count(math.MaxUint64)}
	if a.Record == 0 {
		d.fail("it is 0, and records count from 1")
	}
	a.Offset = m.offset()
	a.ID = m.optional()
	a.ProviderID = m.optional()
	a.ProviderSource = code[archive.ProviderSource](&m, "provider_sources")
	a.LocalID = m.optional()
	a.Retained = m.boolean()
	a.ReceivedAt = d.receivedAt(m.take())
	a.Class = code[archive.Class](&m, "classes")
	if v := m.take(); d.err == nil && !null(v) {
		a.Proven = d.proven(v)
	}
	if v := m.take(); d.err == nil && !null(v) {
		a.Root = d.root(v)
	}
	d.elements(m.take(), func(v jsontext.Value) { a.Frames = append(a.Frames, d.frame(v, a.ProviderID.Present())) })
	d.elements(m.take(), func(v jsontext.Value) { a.Findings = append(a.Findings, d.finding(v)) })
	return a
}

func (d *decoder) proven(v jsontext.Value) *archive.Proven {
	m := d.object(v, provenShape)
	defer m.end()
	return &archive.Proven{Leaves: m.count(math.MaxUint64), Claimed: d.uint64s(m.take())}
}

func (d *decoder) root(v jsontext.Value) *archive.Root {
	m := d.object(v, rootShape)
	defer m.end()
	r := &archive.Root{Recomputed: m.orNull()}
	signed := m.optional()
	r.Signed = signed.OrEmpty()
	r.State = code[archive.State](&m, "evidence_states")
	r.Verdict = d.verdict(m.text())
	r.Reason = mayCode[archive.Reason](&m, "reasons")
	r.KeyID = m.may()
	r.Tier = mayCode[archive.Tier](&m, "tiers")
	r.TrustedFor = m.may()
	r.Unverified = d.claims(m.take())
	if r.Unverified != nil && !signed.Present() {
		d.fail("it stands beside a signed that is null")
	}
	r.Detail = m.may()
	r.Diagnosis = d.diagnosis(m.take())
	return r
}

// verdict is one of the protocol's, or "" where none was reached.
func (d *decoder) verdict(text string) sign.Verdict {
	if text == "" {
		return ""
	}
	return sign.Verdict(d.code(text, "verdicts"))
}

// claims returns nil where there are none.
func (d *decoder) claims(v jsontext.Value) *archive.Claims {
	if v == nil {
		return nil
	}
	m := d.object(v, claimsShape)
	defer m.end()
	return &archive.Claims{AttesterID: m.text(), IssuedAt: m.text()}
}

// diagnosis returns nil where there is none.
func (d *decoder) diagnosis(v jsontext.Value) *archive.Diagnosis {
	if v == nil {
		return nil
	}
	m := d.object(v, causeShape)
	defer m.end()
	return &archive.Diagnosis{Cause: code[archive.Cause](&m, "causes"), Detail: m.text()}
}

// frame reads a frame of an answer whose provider is known, or not.
func (d *decoder) frame(v jsontext.Value, provider bool) (f archive.Frame) {
	m := d.object(v, frameShape)
	defer m.end()
	f.Position = int(m.count(math.MaxInt))
	f.LeafIndex = m.index()
	id := m.optional()
	if f.ProviderID = id.OrEmpty(); id.Present() != provider {
		d.fail("it is null here or in the answer, and not in both")
	}
	f.FrameID = m.text()
	f.ContentDigest = m.optional()
	f.State = code[archive.State](&m, "frame_states")
	f.Reason = mayCode[archive.Reason](&m, "reasons")
	f.Tier = mayCode[archive.Tier](&m, "tiers")
	f.Class = code[archive.Class](&m, "classes")
	f.Commitment = m.orNull()
	f.Content = code[archive.Content](&m, "content_states")
	d.elements(m.take(), func(v jsontext.Value) { f.Evidence = append(f.Evidence, d.evidence(v)) })
	if v := m.take(); v != nil {
		f.Provenance = []archive.CheckedLink{}
		d.elements(v, func(v jsontext.Value) { f.Provenance = append(f.Provenance, d.link(v)) })
	}
	f.Detail = m.may()
	return f
}

func (d *decoder) evidence(v jsontext.Value) (ev archive.Evidence) {
	m := d.object(v, pieceShape)
	defer m.end()
	ev.Kind = code[archive.EvidenceKind](&m, "evidence_kinds")
	ev.State = code[archive.State](&m, "evidence_states")
	ev.Verdict = d.verdict(m.text())
	ev.Reason = mayCode[archive.Reason](&m, "reasons")
	ev.Entry = -1 // in no report
	if v := m.take(); v != nil {
		ev.LeafCount = d.decimal(v)
	}
	ev.KeyID = m.may()
	ev.Tier = mayCode[archive.Tier](&m, "tiers")
	ev.TrustedFor = m.may()
	ev.Expected = m.may()
	ev.Signed = m.may()
	ev.Unverified = d.claims(m.take())
	ev.Detail = m.may()
	ev.Diagnosis = d.diagnosis(m.take())
	return ev
}

func (d *decoder) link(v jsontext.Value) (l archive.CheckedLink) {
	m := d.object(v, linkShape)
	defer m.end()
	l.Link = int(m.count(math.MaxInt))
	l.URI = m.optional()
	l.Status = code[archive.LinkStatus](&m, "link_statuses")
	l.Reason = mayCode[archive.LinkReason](&m, "link_reasons")
	l.Detail = m.may()
	return l
}

// severity reads how grave a finding of this code is, which the code settles.
func (m *members) severity(c archive.FindingCode) archive.Severity {
	s := code[archive.Severity](m, "severities")
	if want := m.d.codes["findings"][string(c)]; s != want {
		m.d.fail("it is %s, and %s is of severity %s", quote(string(s)), c, want)
	}
	return s
}

func (d *decoder) finding(v jsontext.Value) (f archive.Finding) {
	m := d.object(v, findShape)
	defer m.end()
	f.Code = code[archive.FindingCode](&m, "findings")
	f.Severity = m.severity(f.Code)
	f.Detail = m.text()
	f.Entry = m.index()
	f.Position = m.index()
	f.FrameID = m.optional()
	return f
}

func (d *decoder) inputFinding(v jsontext.Value) (f archive.InputFinding) {
	m := d.object(v, inputShape)
	defer m.end()
	f.Source = m.text()
	f.Code = code[archive.FindingCode](&m, "findings")
	f.Severity = m.severity(f.Code)
	f.Detail = m.text()
	return f
}

func (d *decoder) recordError(v jsontext.Value) *archive.RecordError {
	m := d.object(v, errorShape)
	defer m.end()
	return &archive.RecordError{
		Source: m.text(), Record: m.count(math.MaxUint64), Offset: m.offset(), At: m.offset(), Code: code[archive.ErrorCode](&m, "errors"),
		Detail: m.text(),
	}
}

// summary reads the summary of a run under this level.
func (d *decoder) summary(v jsontext.Value, require archive.Level) *archive.Summary {
	m := d.object(v, sumShape)
	defer m.end()
	s := archive.NewSummary(require)
	s.Sources = int(m.count(math.MaxInt))
	s.Records = m.count(math.MaxUint64)
	s.Answers = m.count(math.MaxUint64)
	counts(&m, archive.EmptyAnswerStates(), s.EmptyAnswers)
	s.Frames = m.count(math.MaxUint64)
	s.Unreadable = m.count(math.MaxUint64)
	s.PassedOver = m.count(math.MaxUint64)
	s.IgnoredFiles = m.count(math.MaxUint64)
	if s.Ignored = m.texts(); len(s.Ignored) > archive.MaxIgnoredNamed {
		d.fail("it names %d files, want at most %d", len(s.Ignored), archive.MaxIgnoredNamed)
	}
	counts(&m, archive.Classes(), s.Classes)
	counts(&m, archive.States(), s.States)
	counts(&m, archive.EvidenceStates(), s.Evidence)
	counts(&m, archive.Contents(), s.Content)
	if m.values[m.next] == nil {
		m.take()
	} else {
		s.Provenance = make(map[archive.LinkStatus]uint64)
		counts(&m, archive.LinkStatuses(), s.Provenance)
	}
	counts(&m, archive.Severities(), s.Findings)
	d.elements(m.take(), func(v jsontext.Value) { s.Inputs = append(s.Inputs, d.inputFinding(v)) })
	s.Finished = m.boolean()
	s.ExitCode = int(m.count(math.MaxUint8))
	s.ExitZeroApplied = m.boolean()
	s.ExitReason = m.text()
	return s
}

// counts reads the count under every key of a closed set. What was not counted is not kept.
func counts[K ~string](m *members, keys []K, into map[K]uint64) {
	var names []string
	for _, k := range keys {
		names = append(names, string(k))
	}
	inner := m.d.object(m.take(), shapeOf(strings.Join(names, " ")))
	defer inner.end()
	for _, k := range keys {
		if n := inner.count(math.MaxUint64); n > 0 {
			into[k] = n
		}
	}
}
