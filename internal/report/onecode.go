package report

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// maxAlike is how many findings of one code in one answer every format but the whole ones shows.
const maxAlike = 1_000

// oneCode is what is shown of findings of one code in one answer.
type oneCode struct{ cut bool } // maxAlike left something out

// each gives the findings of an answer to show, and those beyond maxAlike to skip, each with its rank.
func (o *oneCode) each(a *archive.Answer, show func(rank int, f *archive.Finding), skip func(rank int)) {
	met := make(map[archive.FindingCode]int)
	for i := range a.Findings {
		f := &a.Findings[i]
		if met[f.Code]++; met[f.Code] > maxAlike {
			o.cut = true
			skip(rankOf(f.Severity))
			continue
		}
		show(rankOf(f.Severity), f)
	}
}

// reason says why findings are left out whatever the limit is, "" where none is for that.
func (o *oneCode) reason() string {
	if !o.cut {
		return ""
	}
	return fmt.Sprintf("of one code at most %d are shown of an answer", maxAlike)
}
