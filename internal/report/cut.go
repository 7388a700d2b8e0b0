package report

import (
	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// maxText is how many characters of an identifier or a detail are kept of what is listed for programs.
const maxText = 1_024

// maxEvidence is how many pieces of evidence on one frame are kept of what is listed for programs.
const maxEvidence = 8

// cut is the first characters of s, and … where there are more.
func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := 0
	for i := range s {
		if n == maxText {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

func cutOptional(o commitment.Optional) commitment.Optional {
	if s, present := o.Text(); present {
		return commitment.Some(cut(s))
	}
	return o
}

func cutClaims(c *archive.Claims) *archive.Claims {
	if c == nil {
		return nil
	}
	return &archive.Claims{AttesterID: cut(c.AttesterID), IssuedAt: cut(c.IssuedAt)}
}

func cutDiagnosis(d *archive.Diagnosis) *archive.Diagnosis {
	if d == nil {
		return nil
	}
	return &archive.Diagnosis{Cause: d.Cause, Detail: cut(d.Detail)}
}

func cutEvidence(ev *archive.Evidence) archive.Evidence {
	short := *ev
	for _, s := range []*string{&short.Detail, &short.LeafCount, &short.KeyID, &short.TrustedFor, &short.Expected, &short.Signed} {
		*s = cut(*s)
	}
	short.Unverified, short.Diagnosis = cutClaims(ev.Unverified), cutDiagnosis(ev.Diagnosis)
	return short
}
