package report

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// levelOf is the level of what is of a class.
func levelOf(c archive.Class) string {
	if c == archive.ClassUnchecked {
		return string(archive.SeverityWarning)
	}
	return string(archive.SeverityError)
}

// frameResult is the result about a frame that did not meet the policy.
func frameResult(a *archive.Answer, f *archive.Frame) sarifResult {
	r := resultIn(a, setStates, string(f.State))
	r.level = levelOf(f.Class)
	why := append([]string{"state " + beside(f.State) + ", class " + string(f.Class)}, whyUnmet(a, f)...)
	r.message = messageText(fmt.Sprintf("Record %d%s: %s.", a.Record, named(f), strings.Join(why, "; ")))
	r.pointer = pointerTo(a, framesMember, f.Position)
	r.identity = identify(a, r.set, r.code, f, commitment.Optional{})
	r.properties = appendFrameProperties(r.properties, a, f)
	return r
}

// emptyResult is the result about an answer without frames that did not meet the policy.
func emptyResult(a *archive.Answer) sarifResult {
	r := resultIn(a, setStates, string(a.EmptyState()))
	r.level = levelOf(a.Class)
	text := fmt.Sprintf("Record %d, an answer without frames: state %s, class %s", a.Record, beside(a.EmptyState()), a.Class)
	if a.Root != nil {
		text += "; " + rootText(a, false)
	}
	r.message = messageText(text + ".")
	r.identity = identify(a, r.set, r.code, nil, commitment.Optional{})
	r.properties = appendMember(r.properties, `,"class":`, string(a.Class))
	r.properties = appendMember(r.properties, `,"state":`, string(a.EmptyState()))
	r.properties = appendKeyProperties(r.properties, rootEvidence(a), a)
	return r
}

func findingResult(a *archive.Answer, f *archive.Finding) sarifResult {
	r := resultIn(a, setFindings, string(f.Code))
	r.level = string(f.Severity)
	hint := rootHint(a, f)
	r.message = messageText(strings.Join(append([]string{
		fmt.Sprintf("%s in record %d%s", f.Code, a.Record, placeOf(f)) + because(f.Detail),
	}, hint...), " "))
	switch {
	case f.Entry >= 0:
		r.pointer = pointerTo(a, entriesMember, f.Entry)
	case f.Position >= 0:
		r.pointer = pointerTo(a, framesMember, f.Position)
	}
	frame := frameAt(a, f.Position)
	r.identity = identify(a, r.set, r.code, frame, f.FrameID)
	p := appendMember(r.properties, `,"class":`, string(a.Class))
	p = appendIndex(append(p, `,"entry":`...), f.Entry)
	p = appendIndex(append(p, `,"position":`...), f.Position)
	p = appendOptional(append(p, `,"frame_id":`...), cutOptional(f.FrameID))
	r.properties = appendKeyProperties(p, evidenceOf(a, frame, f.Entry), a)
	if hint != nil {
		r.properties = appendDiagnosis(r.properties, cutDiagnosis(a.Root.Diagnosis))
	}
	return r
}

func errorResult(e *archive.RecordError) sarifResult {
	r := sarifResult{
		set: setErrors, code: string(e.Code), level: string(archive.SeverityError), source: e.Source, line: e.Line, offset: e.Offset,
	}
	text := fmt.Sprintf("Record %d cannot be read, %s at byte %d", e.Record, e.Code, e.At)
	if e.Record == 0 {
		text, r.offset = fmt.Sprintf("The source cannot be read, %s at byte %d", e.Code, e.At), -1
	}
	r.message = messageText(text + because(e.Detail))
	r.identity = hashed(r.set, r.code, e.Source)
	p := append(r.properties, `"record":`...)
	p = strconv.AppendUint(p, e.Record, 10)
	p = strconv.AppendInt(append(p, `,"offset":`...), e.Offset, 10)
	p = strconv.AppendInt(append(p, `,"at":`...), e.At, 10)
	r.properties = appendMember(p, `,"class":`, string(archive.ClassUnreadable))
	return r
}

func inputResult(f *archive.InputFinding) sarifResult {
	r := sarifResult{set: setFindings, code: string(f.Code), level: string(f.Severity), source: f.Source, offset: -1}
	r.message = messageText(string(f.Code) + because(f.Detail))
	r.identity = hashed(r.set, r.code, f.Source)
	return r
}

// resultIn starts a result about an answer, with the properties that say which it is.
func resultIn(a *archive.Answer, set, code string) sarifResult {
	p := strconv.AppendUint([]byte(`"record":`), a.Record, 10)
	p = strconv.AppendInt(append(p, `,"offset":`...), a.Offset, 10)
	p = appendOptional(append(p, `,"id":`...), cutOptional(a.ID))
	p = appendOptional(append(p, `,"provider_id":`...), cutOptional(a.ProviderID))
	p = appendOptional(append(p, `,"local_id":`...), cutOptional(a.LocalID))
	p = appendReceivedAt(append(p, `,"received_at":`...), &a.ReceivedAt)
	return sarifResult{set: set, code: code, source: a.Source, line: a.Line, offset: a.Offset, properties: p}
}

// appendFrameProperties appends what became of a frame.
func appendFrameProperties(b []byte, a *archive.Answer, f *archive.Frame) []byte {
	b = appendMember(b, `,"class":`, string(f.Class))
	b = appendMember(b, `,"state":`, string(f.State))
	b = strconv.AppendInt(append(b, `,"position":`...), int64(f.Position), 10)
	b = terminal.AppendJSON(append(b, `,"frame_id":`...), cut(f.FrameID))
	b = appendOptional(append(b, `,"content_digest":`...), cutOptional(f.ContentDigest))
	b = appendNonEmpty(append(b, `,"commitment":`...), f.Commitment)
	b = appendMember(b, `,"content":`, string(f.Content))
	b = appendKeyProperties(b, deciding(f), a)
	b = append(b, `,"evidence":[`...)
	for i := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		if i > 0 {
			b = append(b, ',')
		}
		ev := cutEvidence(&f.Evidence[i])
		b = appendEvidence(b, &ev)
	}
	return append(b, ']')
}

// appendKeyProperties appends the key that a piece of evidence names and used, and its claims under the name that says that
// nothing covers them (CGP F18).
func appendKeyProperties(b []byte, ev *archive.Evidence, a *archive.Answer) []byte {
	if ev == nil {
		return b
	}
	keyID, tier, trustedFor := keyOf(a, ev)
	claims := ev.Unverified
	if ev.Kind == archive.KindRoot && a.Root != nil {
		claims = a.Root.Unverified
	}
	b = appendKeyID(b, cut(keyID), claims != nil || tier != "")
	b = appendMember(b, `,"tier":`, string(tier))
	b = appendMember(b, `,"trusted_for":`, cut(trustedFor))
	return appendClaims(b, cutClaims(claims))
}

// rootEvidence is the result attestation of an answer as a piece of evidence, nil where there is none.
func rootEvidence(a *archive.Answer) *archive.Evidence {
	if a.Root == nil {
		return nil
	}
	return &archive.Evidence{Kind: archive.KindRoot, State: a.Root.State, Verdict: a.Root.Verdict, Entry: -1}
}

// evidenceOf is what a finding is about: the evidence of its entry, else that of its frame that decided, else the answer's root.
func evidenceOf(a *archive.Answer, f *archive.Frame, entry int) *archive.Evidence {
	if f == nil {
		if entry >= 0 {
			return nil // an entry that belongs to no frame was not judged
		}
		return rootEvidence(a)
	}
	for i := range f.Evidence {
		if entry >= 0 && f.Evidence[i].Entry == entry {
			return &f.Evidence[i]
		}
	}
	return deciding(f)
}

// frameAt is the frame of an answer that was carried at a position, nil where there is none.
func frameAt(a *archive.Answer, position int) *archive.Frame {
	i, found := slices.BinarySearchFunc(a.Frames, position, func(f archive.Frame, p int) int { return f.Position - p })
	if !found {
		return nil
	}
	return &a.Frames[i]
}

// The members of a result that pointers lead into.
const (
	framesMember  = "frames"
	entriesMember = "frame_attestations"
)

// pointerTo is the JSON pointer from a record to an element of its frames or entries, "" where it is not known.
func pointerTo(a *archive.Answer, member string, i int) string {
	result, known := strings.CutSuffix(a.FramesAt, framesMember)
	if !known {
		return ""
	}
	return result + member + "/" + strconv.Itoa(i)
}

// identify hashes what tells one result from another wherever it stands: neither the record's number nor a position is in it.
func identify(a *archive.Answer, set, code string, f *archive.Frame, frameID commitment.Optional) [sha256.Size]byte {
	parts := []string{set, code, a.Source}
	for _, o := range []commitment.Optional{a.ProviderID, a.ID, frameID} {
		parts = appendPresence(parts, o)
	}
	if f != nil {
		parts = append(appendPresence(parts, f.ContentDigest), f.FrameID, f.Commitment)
	} else if a.Root != nil {
		parts = append(parts, a.Root.Signed)
	}
	return hashed(parts...)
}

// appendPresence keeps an absent text apart from an empty one.
func appendPresence(parts []string, o commitment.Optional) []string {
	text, present := o.Text()
	return append(parts, strconv.FormatBool(present), text)
}

// hashed is SHA-256 over the parts, each behind its length.
func hashed(parts ...string) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, p := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(p)))
		h.Write(n[:])
		io.WriteString(h, p)
	}
	h.Sum(sum[:0])
	return sum
}

// messageText makes a sentence a message of SARIF: neither a link (§3.11.6) nor a placeholder (§3.11.5) can stand in it, for an
// input could have put it there.
func messageText(s string) string {
	s = strings.NewReplacer("](", `]\x28`, "{", `\x7b`, "}", `\x7d`).Replace(s)
	return terminal.Escape(s, maxMessage)
}

// because is a detail behind what it explains.
func because(detail string) string {
	if detail == "" {
		return "."
	}
	return ": " + terminal.Escape(detail, maxDetail) + "."
}
