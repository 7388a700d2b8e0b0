package archive

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Claims are the members of an attestation that no signature covers: whoever relays an attestation can rewrite them.
type Claims struct {
	AttesterID string
	IssuedAt   string
}

// Evidence is the outcome of one piece of evidence. It is evaluated on its own: other evidence on the frame does not
// change it.
type Evidence struct {
	Kind       EvidenceKind
	State      State
	Verdict    sign.Verdict // "" where none was reached
	Reason     Reason       // why it is unusable or its key out of service, else ""
	Detail     string       // what exactly is wrong, in words; "" where nothing is
	Entry      int          // index in frame_attestations, -1 for root evidence
	LeafCount  string       // inclusion: the stated count, decimal; else ""
	KeyID      string       // as the attestation names it; "" on root evidence, whose key stands on the answer's root
	Tier       Tier         // "" where no key was used
	TrustedFor string       // the local id the key is held for, "*" for every provider
	Expected   string       // commitment_mismatch: the value recomputed from what is in hand
	Signed     string       // commitment_mismatch: the value that was signed
	Unverified *Claims      // signature evidence: claims that nothing covers
	Diagnosis  *Diagnosis   // a hint at what went wrong; nil where none was asked for or nothing is to be explained
}

// Root is what became of an answer's result attestation.
type Root struct {
	Recomputed string // "" in a retained answer, and where some frame has no commitment or the provider is not known
	Signed     string // signed_commitment as it stands in the answer
	State      State
	Verdict    sign.Verdict
	Reason     Reason
	Detail     string
	KeyID      string
	Tier       Tier
	TrustedFor string
	Unverified *Claims
	Diagnosis  *Diagnosis // as on Evidence
}

// Frame is what became of one frame of an answer.
type Frame struct {
	Position      int    // as carried, from 0
	LeafIndex     int    // in canonical order; of a retained frame as proven; -1 unproven, and where a frame of the answer has no commitment
	ProviderID    string // as resolved for the answer
	FrameID       string
	ContentDigest commitment.Optional
	State         State
	Tier          Tier // of the best verifying evidence, else ""
	Class         Class
	Commitment    string // "" where there is none
	Content       Content
	Reason        Reason // malformed_frame: what is wrong
	Detail        string
	Evidence      []Evidence
	Provenance    []CheckedLink // one for each link, in order; nil where no file was read again, as for a malformed frame
}

// Finding is something about an answer that an auditor must be told, whatever its frames came to.
type Finding struct {
	Code     FindingCode
	Severity Severity
	Detail   string
	Entry    int                 // index in frame_attestations, -1 for none
	Position int                 // of the frame, -1 for none
	FrameID  commitment.Optional // of the frame or the entry
}

// ReceivedAt is the instant that validity windows were compared with.
type ReceivedAt struct {
	Instant commitment.Instant // zero where none was needed or none was recorded
	Source  InstantSource
}

// Answer is the judgement on one frames message or bare result.
type Answer struct {
	Source         string
	Record         uint64 // from 1 within its source
	Offset         int64  // where the record starts, in decompressed bytes
	Line           int64  // on which the record starts, from 1; 0 where that is not known
	FramesAt       string // JSON pointer (RFC 6901) from the record to its frames; "" where that is not known
	ID             commitment.Optional
	ProviderID     commitment.Optional
	ProviderSource ProviderSource
	LocalID        commitment.Optional
	Retained       bool    // the frames carried may be fewer than were signed
	Proven         *Proven // what inclusion proofs of a retained answer prove; nil of a complete one
	ReceivedAt     ReceivedAt
	Recorded       commitment.Optional // the received_at that the record itself states, whatever windows were compared with
	Class          Class
	Root           *Root // nil without a result attestation
	Frames         []Frame
	Findings       []Finding
}

// Proven is what the inclusion proofs of a retained answer prove, whatever frames are selected.
type Proven struct {
	Leaves  uint64   // distinct leaf indexes with a proof that verifies
	Claimed []uint64 // the counts that these proofs state, ascending: claims of the provider, nothing signs them
}

// EmptyState is the state of an answer without frames: that of its root, unattested where nothing is signed. A retained
// answer without frames proves nothing, whatever its root's signature does.
func (a *Answer) EmptyState() State {
	if a.Root == nil || a.Retained && a.Root.State.Verifies() {
		return StateUnattested
	}
	return a.Root.State
}

// RecordError is a source or a record that could not be read. Nothing of it was judged.
type RecordError struct {
	Source string
	Record uint64 // from 1; 0 where the source itself could not be opened or read
	Offset int64  // where the record starts
	Line   int64  // on which it starts, from 1; 0 where that is not known
	At     int64  // where the fault is
	Code   ErrorCode
	Detail string
}

// Error says where the record stands and why it cannot be read.
func (e *RecordError) Error() string {
	if e.Record == 0 {
		return fmt.Sprintf("archive: %s: %s: %s", e.Source, e.Code, e.Detail)
	}
	return fmt.Sprintf("archive: %s: record %d at byte %d: %s at byte %d: %s", e.Source, e.Record, e.Offset, e.Code, e.At, e.Detail)
}

// KeySource names one place that keys were taken from, and what it held.
type KeySource struct {
	Name   string
	SHA256 string // lowercase hex: of the file, or over the keys that were given one by one; "" where neither is known
	Keys   int
}

// Header is what a run knows before it reads its first record.
type Header struct {
	Policy     Policy
	Algorithms []string
	Trusted    []KeySource
	Published  []KeySource
	ReceivedAt *ReceivedAt         // nil where each record's own instant counts
	Held       map[string][]string // the local ids that a trusted key is held for, ascending, by key_id; in no report
}

// NotCovered lists what no signature of the protocol covers (CGP §6.5). Every report carries it.
func NotCovered() []string {
	return []string{
		"query", "id", "frame_order", "truncated", "title", "score", "kind", "uri", "representation", "relations",
		"other_frame_members", "attester_id", "issued_at", "key_id", "algorithm", "archive_completeness", "time",
		"replay_under_another_id",
	}
}
