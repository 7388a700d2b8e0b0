package report

import (
	"fmt"
	"io"
	"strconv"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// flushAt is how many bytes a JSON report collects before it hands them to its writer.
const flushAt = 64 << 10

// JSON writes a run as one object of the schema cgp-attest/report/1: complete, one answer or error a line, members in a fixed
// order. Answers are written as they come; errors are kept, encoded, until the answers end; the summary is last.
type JSON struct {
	w      io.Writer
	buf    []byte
	errors []byte
	some   bool // an answer was written
	err    error
}

// NewJSON starts a report. Nothing reaches w before there is enough of it, at the latest in Close.
func NewJSON(w io.Writer, h archive.Header, tool Tool) *JSON {
	return &JSON{w: w, buf: appendHeader(nil, &h, tool)}
}

// Answer implements archive.Sink.
func (j *JSON) Answer(a *archive.Answer) error {
	if j.some {
		j.buf = append(j.buf, ',')
	}
	j.some = true
	j.buf = append(j.buf, '\n')
	j.buf = appendAnswerStart(j.buf, a)
	for i := range a.Frames {
		if i > 0 {
			j.buf = append(j.buf, ',')
		}
		j.buf = appendFrame(j.buf, a, &a.Frames[i])
		j.flush(flushAt)
	}
	j.buf = append(j.buf, `],"findings":[`...)
	for i := range a.Findings {
		if i > 0 {
			j.buf = append(j.buf, ',')
		}
		j.buf = appendFinding(j.buf, &a.Findings[i])
		j.flush(flushAt)
	}
	j.buf = append(j.buf, "]}"...)
	return j.flush(flushAt)
}

// Error implements archive.Sink.
func (j *JSON) Error(e *archive.RecordError) error {
	if len(j.errors) > 0 {
		j.errors = append(j.errors, ',')
	}
	j.errors = append(j.errors, '\n')
	j.errors = appendError(j.errors, e)
	return j.err
}

// Close ends the answers and writes the errors and the summary.
func (j *JSON) Close(s *archive.Summary) error {
	j.buf = append(j.buf, "\n],\n\"errors\":["...)
	j.buf = append(j.buf, j.errors...)
	j.buf = append(j.buf, "\n],\n\"summary\":"...)
	j.buf = appendSummary(j.buf, s)
	j.buf = append(j.buf, "}\n"...)
	return j.flush(0)
}

// flush hands on what is collected if it is at least so many bytes. After an error it is thrown away.
func (j *JSON) flush(atLeast int) error {
	if len(j.buf) < atLeast {
		return j.err
	}
	if j.err == nil {
		if _, err := j.w.Write(j.buf); err != nil {
			j.err = fmt.Errorf("report: %w", err)
		}
	}
	j.buf = j.buf[:0]
	return j.err
}

func appendHeader(b []byte, h *archive.Header, tool Tool) []byte {
	b = terminal.AppendJSON(append(b, `{"schema":`...), Schema)
	b = terminal.AppendJSON(append(b, ",\n\"tool\":{\"name\":"...), tool.Name)
	b = terminal.AppendJSON(append(b, `,"version":`...), tool.Version)
	b = append(b, "},\n\"policy\":"...)
	b = appendPolicy(b, h)
	b = append(b, ",\n\"received_at\":"...)
	if h.ReceivedAt == nil {
		b = append(b, "null"...)
	} else {
		b = appendReceivedAt(b, h.ReceivedAt)
	}
	b = appendStrings(append(b, ",\n\"not_covered\":"...), archive.NotCovered())
	return append(b, ",\n\"answers\":["...)
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

// appendAnswerStart appends an answer up to its first frame.
func appendAnswerStart(b []byte, a *archive.Answer) []byte {
	b = terminal.AppendJSON(append(b, `{"source":`...), a.Source)
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

func appendError(b []byte, e *archive.RecordError) []byte {
	b = terminal.AppendJSON(append(b, `{"source":`...), e.Source)
	b = strconv.AppendUint(append(b, `,"record":`...), e.Record, 10)
	b = strconv.AppendInt(append(b, `,"offset":`...), e.Offset, 10)
	b = strconv.AppendInt(append(b, `,"at":`...), e.At, 10)
	b = terminal.AppendJSON(append(b, `,"code":`...), string(e.Code))
	b = terminal.AppendJSON(append(b, `,"detail":`...), e.Detail)
	return append(b, '}')
}

func appendSummary(b []byte, s *archive.Summary) []byte {
	b = strconv.AppendInt(append(b, `{"sources":`...), int64(s.Sources), 10)
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
	b = terminal.AppendJSON(append(b, `,"exit_reason":`...), s.ExitReason)
	return append(b, '}')
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
