package report

import (
	"fmt"
	"io"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// JSON writes a run as one object of the schema cgp-attest/report/1: complete, one answer or error a line, members in a fixed
// order. Answers are written as they come; errors are kept, encoded, until the answers end, beyond the first of them in a
// temporary file; the summary is last.
type JSON struct {
	out    stream
	one    []byte // an error, encoded
	errors fileio.Spool
	some   bool // an answer was written
}

// NewJSON starts a report. Nothing reaches w before there is enough of it, at the latest in Close.
func NewJSON(w io.Writer, h archive.Header, tool Tool) *JSON {
	j := &JSON{out: stream{w: w}}
	b := append(j.out.buf, '{')
	b = appendHeader(b, &h, tool, ",\n")
	j.out.buf = append(b, ",\n\"answers\":["...)
	return j
}

// Answer implements archive.Sink.
func (j *JSON) Answer(a *archive.Answer) error {
	if j.some {
		j.out.buf = append(j.out.buf, ',')
	}
	j.some = true
	j.out.buf = append(j.out.buf, "\n{"...)
	return j.out.answer(a)
}

// Error implements archive.Sink. An error of the temporary file says what to do about it.
func (j *JSON) Error(e *archive.RecordError) error {
	if j.out.err != nil {
		return j.out.err
	}
	b := j.one[:0]
	if j.errors.Size() > 0 {
		b = append(b, ',')
	}
	j.one = append(appendError(append(b, "\n{"...), e), '}')
	if _, err := j.errors.Write(j.one); err != nil {
		j.out.err = fmt.Errorf("report: %w", err)
	}
	return j.out.err
}

// Close ends the answers and writes the errors and the summary.
func (j *JSON) Close(s *archive.Summary) error {
	defer j.errors.Close()
	j.out.buf = append(j.out.buf, "\n],\n\"errors\":["...)
	j.out.flush(0)
	j.out.copy(&j.errors)
	b := append(j.out.buf, "\n],\n\"summary\":{"...)
	j.out.buf = append(appendSummary(b, s), "}}\n"...)
	return j.out.flush(0)
}

// appendHeader appends the members that stand in front of the answers, with sep between them.
func appendHeader(b []byte, h *archive.Header, tool Tool, sep string) []byte {
	b = terminal.AppendJSON(append(b, `"schema":`...), Schema)
	b = append(append(b, sep...), `"tool":{"name":`...)
	b = terminal.AppendJSON(b, tool.Name)
	b = terminal.AppendJSON(append(b, `,"version":`...), tool.Version)
	b = append(append(append(b, '}'), sep...), `"policy":`...)
	b = appendPolicy(b, h)
	b = append(append(b, sep...), `"received_at":`...)
	if h.ReceivedAt == nil {
		b = append(b, "null"...)
	} else {
		b = appendReceivedAt(b, h.ReceivedAt)
	}
	b = append(append(b, sep...), `"not_covered":`...)
	return appendStrings(b, archive.NotCovered())
}

func appendPolicy(b []byte, h *archive.Header) []byte {
	p := &h.Policy
	b = terminal.AppendJSON(append(b, `{"require":`...), string(p.Require))
	b = strconv.AppendBool(append(b, `,"allow_identity_only":`...), p.AllowIdentityOnly)
	b = strconv.AppendBool(append(b, `,"allow_opaque_digest":`...), p.AllowOpaqueDigest)
	b = appendStrings(append(b, `,"algorithms":`...), h.Algorithms)
	b = appendOptional(append(b, `,"provider":`...), p.Provider)
	b = appendOptional(append(b, `,"local_id":`...), localID(p))
	b = strconv.AppendBool(append(b, `,"retained":`...), p.Retained)
	b = appendStrings(append(b, `,"frames":`...), p.Frames)
	b = appendKeySources(append(b, `,"trusted":`...), h.Trusted)
	b = appendKeySources(append(b, `,"published":`...), h.Published)
	if len(p.SourceRoots) > 0 {
		b = appendStrings(append(b, `,"source_roots":`...), p.SourceRoots)
	}
	if undefined := sign.Undefined(h.Algorithms); len(undefined) > 0 {
		b = appendStrings(append(b, `,"undefined_algorithms":`...), undefined)
	}
	return append(b, '}')
}

// localID is the policy's local id as the command line spells it.
func localID(p *archive.Policy) commitment.Optional {
	if !p.LocalID.Present() && p.LocalIDFromArchive {
		return commitment.Some("archive")
	}
	return p.LocalID
}

func appendKeySources(b []byte, sources []archive.KeySource) []byte {
	b = append(b, '[')
	for i := range sources {
		if i > 0 {
			b = append(b, ',')
		}
		b = terminal.AppendJSON(append(b, `{"source":`...), sources[i].Name)
		b = appendNonEmpty(append(b, `,"sha256":`...), sources[i].SHA256)
		b = strconv.AppendInt(append(b, `,"keys":`...), int64(sources[i].Keys), 10)
		b = append(b, '}')
	}
	return append(b, ']')
}

func appendReceivedAt(b []byte, at *archive.ReceivedAt) []byte {
	b = appendNonEmpty(append(b, `{"instant":`...), at.Instant.String())
	b = terminal.AppendJSON(append(b, `,"source":`...), string(at.Source))
	return append(b, '}')
}

// appendAnswerStart appends the members of an answer up to its first frame.
func appendAnswerStart(b []byte, a *archive.Answer) []byte {
	b = terminal.AppendJSON(append(b, `"source":`...), a.Source)
	b = strconv.AppendUint(append(b, `,"record":`...), a.Record, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), a.Offset, 10)
	b = appendOptional(append(b, `,"id":`...), a.ID)
	b = appendOptional(append(b, `,"provider_id":`...), a.ProviderID)
	b = terminal.AppendJSON(append(b, `,"provider_source":`...), string(a.ProviderSource))
	b = appendOptional(append(b, `,"local_id":`...), a.LocalID)
	b = strconv.AppendBool(append(b, `,"retained":`...), a.Retained)
	b = appendReceivedAt(append(b, `,"received_at":`...), &a.ReceivedAt)
	b = terminal.AppendJSON(append(b, `,"class":`...), string(a.Class))
	b = appendProven(append(b, `,"proven":`...), a.Proven)
	b = append(b, `,"root":`...)
	if a.Root == nil {
		b = append(b, "null"...)
	} else {
		b = appendRoot(b, a.Root)
	}
	return append(b, `,"frames":[`...)
}

// appendProven appends what the proofs of a retained answer prove, null of a complete one. The counts are texts: they go up to
// 2^64−1, which a JSON number does not hold everywhere.
func appendProven(b []byte, p *archive.Proven) []byte {
	if p == nil {
		return append(b, "null"...)
	}
	b = strconv.AppendUint(append(b, `{"leaves":`...), p.Leaves, 10)
	claimed := make([]string, len(p.Claimed))
	for i, n := range p.Claimed {
		claimed[i] = strconv.FormatUint(n, 10)
	}
	return append(appendStrings(append(b, `,"claimed":`...), claimed), '}')
}

func appendRoot(b []byte, r *archive.Root) []byte {
	b = appendNonEmpty(append(b, `{"recomputed":`...), r.Recomputed)
	b = append(b, `,"signed":`...)
	if r.Unverified == nil { // the attestation could not be read
		b = appendNonEmpty(b, r.Signed)
	} else {
		b = terminal.AppendJSON(b, r.Signed)
	}
	b = terminal.AppendJSON(append(b, `,"state":`...), string(r.State))
	b = terminal.AppendJSON(append(b, `,"verdict":`...), string(r.Verdict))
	b = appendMember(b, `,"reason":`, string(r.Reason))
	b = appendKeyID(b, r.KeyID, r.Unverified != nil)
	b = appendMember(b, `,"tier":`, string(r.Tier))
	b = appendMember(b, `,"trusted_for":`, r.TrustedFor)
	b = appendClaims(b, r.Unverified)
	b = appendMember(b, `,"detail":`, r.Detail)
	b = appendDiagnosis(b, r.Diagnosis)
	return append(b, '}')
}

func appendFrame(b []byte, a *archive.Answer, f *archive.Frame) []byte {
	b = strconv.AppendInt(append(b, `{"position":`...), int64(f.Position), 10)
	b = appendIndex(append(b, `,"leaf_index":`...), f.LeafIndex)
	b = append(b, `,"provider_id":`...)
	if a.ProviderID.Present() {
		b = terminal.AppendJSON(b, f.ProviderID)
	} else {
		b = append(b, "null"...)
	}
	b = terminal.AppendJSON(append(b, `,"frame_id":`...), f.FrameID)
	b = appendOptional(append(b, `,"content_digest":`...), f.ContentDigest)
	b = terminal.AppendJSON(append(b, `,"state":`...), string(f.State))
	b = appendMember(b, `,"reason":`, string(f.Reason))
	b = appendMember(b, `,"tier":`, string(f.Tier))
	b = terminal.AppendJSON(append(b, `,"class":`...), string(f.Class))
	b = appendNonEmpty(append(b, `,"commitment":`...), f.Commitment)
	b = terminal.AppendJSON(append(b, `,"content":`...), string(f.Content))
	b = append(b, `,"evidence":[`...)
	for i := range f.Evidence {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendEvidence(b, &f.Evidence[i])
	}
	b = append(b, ']')
	b = appendProvenance(b, f.Provenance)
	b = appendMember(b, `,"detail":`, f.Detail)
	return append(b, '}')
}

func appendEvidence(b []byte, ev *archive.Evidence) []byte {
	b = terminal.AppendJSON(append(b, `{"kind":`...), string(ev.Kind))
	b = terminal.AppendJSON(append(b, `,"state":`...), string(ev.State))
	b = terminal.AppendJSON(append(b, `,"verdict":`...), string(ev.Verdict))
	b = appendMember(b, `,"reason":`, string(ev.Reason))
	b = appendMember(b, `,"leaf_count":`, ev.LeafCount)
	b = appendKeyID(b, ev.KeyID, ev.Unverified != nil || ev.Tier != "")
	b = appendMember(b, `,"tier":`, string(ev.Tier))
	b = appendMember(b, `,"trusted_for":`, ev.TrustedFor)
	b = appendMember(b, `,"expected":`, ev.Expected)
	b = appendMember(b, `,"signed":`, ev.Signed)
	b = appendClaims(b, ev.Unverified)
	b = appendMember(b, `,"detail":`, ev.Detail)
	b = appendDiagnosis(b, ev.Diagnosis)
	return append(b, '}')
}

// appendDiagnosis appends a hint at what went wrong.
func appendDiagnosis(b []byte, d *archive.Diagnosis) []byte {
	if d == nil {
		return b
	}
	b = terminal.AppendJSON(append(b, `,"diagnosis":{"cause":`...), string(d.Cause))
	b = terminal.AppendJSON(append(b, `,"detail":`...), d.Detail)
	return append(b, '}')
}

// appendKeyID appends a key_id, an empty one too where it is known that the evidence names a key.
func appendKeyID(b []byte, keyID string, named bool) []byte {
	if keyID == "" && !named {
		return b
	}
	return terminal.AppendJSON(append(b, `,"key_id":`...), keyID)
}

// appendClaims appends the claims of an attestation under the name that says that nothing covers them (CGP F18).
func appendClaims(b []byte, c *archive.Claims) []byte {
	if c == nil {
		return b
	}
	b = terminal.AppendJSON(append(b, `,"unverified_claims":{"attester_id":`...), c.AttesterID)
	b = terminal.AppendJSON(append(b, `,"issued_at":`...), c.IssuedAt)
	return append(b, '}')
}

func appendFinding(b []byte, f *archive.Finding) []byte {
	b = terminal.AppendJSON(append(b, `{"code":`...), string(f.Code))
	b = terminal.AppendJSON(append(b, `,"severity":`...), string(f.Severity))
	b = terminal.AppendJSON(append(b, `,"detail":`...), f.Detail)
	b = appendIndex(append(b, `,"entry":`...), f.Entry)
	b = appendIndex(append(b, `,"position":`...), f.Position)
	b = appendOptional(append(b, `,"frame_id":`...), f.FrameID)
	return append(b, '}')
}

func appendInputFinding(b []byte, f *archive.InputFinding) []byte {
	b = terminal.AppendJSON(append(b, `{"source":`...), f.Source)
	b = terminal.AppendJSON(append(b, `,"code":`...), string(f.Code))
	b = terminal.AppendJSON(append(b, `,"severity":`...), string(f.Severity))
	b = terminal.AppendJSON(append(b, `,"detail":`...), f.Detail)
	return append(b, '}')
}

// appendError appends the members of an error, appendSummary those of the summary.
func appendError(b []byte, e *archive.RecordError) []byte {
	b = terminal.AppendJSON(append(b, `"source":`...), e.Source)
	b = strconv.AppendUint(append(b, `,"record":`...), e.Record, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), e.Offset, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), e.At, 10)
	b = terminal.AppendJSON(append(b, `,"code":`...), string(e.Code))
	return terminal.AppendJSON(append(b, `,"detail":`...), e.Detail)
}

func appendSummary(b []byte, s *archive.Summary) []byte {
	b = strconv.AppendInt(append(b, `"sources":`...), int64(s.Sources), 10)
	b = strconv.AppendUint(append(b, `,"records":`...), s.Records, 10)
	b = strconv.AppendUint(append(b, `,"answers":`...), s.Answers, 10)
	b = appendCounts(append(b, `,"empty_answers":`...), archive.EmptyAnswerStates(), s.EmptyAnswers)
	b = strconv.AppendUint(append(b, `,"frames":`...), s.Frames, 10)
	b = strconv.AppendUint(append(b, `,"unreadable":`...), s.Unreadable, 10)
	b = strconv.AppendUint(append(b, `,"passed_over":`...), s.PassedOver, 10)
	b = strconv.AppendUint(append(b, `,"ignored_files":`...), s.IgnoredFiles, 10)
	b = appendStrings(append(b, `,"ignored":`...), s.Ignored)
	b = appendCounts(append(b, `,"classes":`...), archive.Classes(), s.Classes)
	b = appendCounts(append(b, `,"states":`...), archive.States(), s.States)
	b = appendCounts(append(b, `,"evidence":`...), archive.EvidenceStates(), s.Evidence)
	b = appendCounts(append(b, `,"content":`...), archive.Contents(), s.Content)
	if s.Provenance != nil {
		b = appendCounts(append(b, `,"provenance":`...), archive.LinkStatuses(), s.Provenance)
	}
	b = appendCounts(append(b, `,"findings":`...), archive.Severities(), s.Findings)
	b = append(b, `,"inputs":[`...)
	for i := range s.Inputs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendInputFinding(b, &s.Inputs[i])
	}
	b = append(b, ']')
	b = strconv.AppendBool(append(b, `,"finished":`...), s.Finished)
	b = strconv.AppendInt(append(b, `,"exit_code":`...), int64(s.ExitCode), 10)
	b = strconv.AppendBool(append(b, `,"exit_zero_applied":`...), s.ExitZeroApplied)
	return terminal.AppendJSON(append(b, `,"exit_reason":`...), s.ExitReason)
}

// appendCounts appends the count under every key of a closed set, 0 where nothing was counted.
func appendCounts[K ~string](b []byte, keys []K, counts map[K]uint64) []byte {
	b = append(b, '{')
	for i, k := range keys {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(terminal.AppendJSON(b, string(k)), ':')
		b = strconv.AppendUint(b, counts[k], 10)
	}
	return append(b, '}')
}
