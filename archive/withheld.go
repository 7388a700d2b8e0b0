package archive

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// RetainRule names why frames of an answer may not be kept with a proof. The set is closed.
type RetainRule string

const (
	RetainUnsigned         RetainRule = "unsigned_answer"
	RetainSubset           RetainRule = "retained_subset"
	RetainProviderMismatch RetainRule = "provider_mismatch"
	RetainUnusableRoot     RetainRule = "unusable_root"
	RetainMalformedFrame   RetainRule = "malformed_frame"
	RetainRootMismatch     RetainRule = "root_mismatch"
	RetainInvalidEvidence  RetainRule = "invalid_evidence"
	RetainContentMismatch  RetainRule = "content_mismatch"
	RetainUnsignedFrame    RetainRule = "unsigned_frame"
	RetainOverLimit        RetainRule = "over_limit"
)

// retainRules is the table of these refusals: the rule of the protocol behind each, where there is one, and what to do.
var retainRules = map[RetainRule]struct{ cites, hint string }{
	RetainUnsigned: {"CGP §6.5",
		"keep the frames as they are: nothing is signed, so there is nothing to prove"},
	RetainSubset: {"CGP F13",
		"go back to the complete answer: proofs are made from all of its frames"},
	RetainProviderMismatch: {"CGP §6.5.2",
		"find out which name the provider declares, and name it with --provider"},
	RetainUnusableRoot: {"CGP §6.5.5",
		"ask the provider for the answer with a result_attestation that can be read"},
	RetainMalformedFrame: {"CGP §6.5.2",
		"ask the provider for the answer again: no root can be made over a frame that has no commitment"},
	RetainRootMismatch: {"CGP F12, F13",
		"go back to the answer as it arrived, with all of its frames and under the name that the provider declares; explain root_mismatch has the usual causes"},
	RetainInvalidEvidence: {"CGP §6.5.4",
		"verify the answer: what is wrong with its evidence would be wrong with what is kept of it"},
	RetainContentMismatch: {"CGP D1",
		"go back to the answer as it arrived: the content is not what the digest, which is signed, says"},
	RetainUnsignedFrame: {"CGP F13",
		"without a signature of its own a frame needs a signed root and its proof: --format evidence keeps them where the answer has a root"},
	RetainOverLimit: {"",
		"keep fewer frames, or keep them in several subsets: with its proofs this one would be unreadable"},
}

// RetainRules returns every rule.
func RetainRules() []RetainRule { return slices.Sorted(maps.Keys(retainRules)) }

// Hint says what helps against a refusal.
func (r RetainRule) Hint() string { return retainRules[r].hint }

// A RetainRefusal says which answer is not fit for frames to be kept from or proven, and by which rule.
type RetainRefusal struct {
	Rule     RetainRule
	Source   string
	Record   uint64 // from 1
	Offset   int64  // where the record starts
	Position int    // of the frame, from 0; -1 for none
	FrameID  commitment.Optional
	Detail   string // what was found

	act string // what was refused
}

// Error names the record and the frame, the rule and what was found.
func (r *RetainRefusal) Error() string {
	var b strings.Builder
	b.WriteString("archive: refused to " + cmp.Or(r.act, actKeep) + " frames of")
	if r.Source != "" {
		fmt.Fprintf(&b, " %s,", r.Source)
	}
	fmt.Fprintf(&b, " record %d at byte %d", r.Record, r.Offset)
	if r.Position >= 0 {
		fmt.Fprintf(&b, ", frame %d %.128q", r.Position, r.FrameID.OrEmpty())
	}
	fmt.Fprintf(&b, ": %s: %s", r.Rule, r.Detail)
	if cites := retainRules[r.Rule].cites; cites != "" {
		fmt.Fprintf(&b, " (%s)", cites)
	}
	return b.String()
}
