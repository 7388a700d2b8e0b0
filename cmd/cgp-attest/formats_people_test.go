package main

import (
	"maps"
	"regexp"
	"strconv"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/report"
)

// countPlaces are where the formats for people have the counts of a summary and the exit code: what stands in front of a table,
// a row of it, and the code.
var countPlaces = map[string]struct{ table, row, exit string }{
	report.FormatMarkdown: {`\n\| %s \| number \|\n[^\n]*\n((?:\|[^\n]*\n)*)`, `(?m)^\| (\w+)(?: \([^)]*\))? \| (\d+) \|$`, `^## .*: exit code (\d+)\n`},
	report.FormatHTML: {
		`<caption>%s</caption>((?:[^<]|<[^/]|</[^t]|</t[^a])*)</table>`, `<th scope="row">(\w+)(?: \([^)]*\))?</th><td class="n">(\d+)</td>`,
		`<data id="exit-code" value="(\d+)">`,
	},
}

var countTitles = map[string]map[string]string{
	report.FormatMarkdown: {
		"Classes": "class of frames", "States": "state of frames", "Evidence": "state of evidence", "Content": "content of frames",
		"Findings": "findings", "Provenance": "provenance",
	},
	report.FormatHTML: {
		"Classes": "Classes of frames", "States": "States of frames", "Evidence": "Evidence", "Content": "Content",
		"Findings": "Findings by severity", "Provenance": "Provenance",
	},
}

// checkPeople fails where a format for people has other counts than want, without those that are 0, or another exit code.
func checkPeople(t *testing.T, args []string, want map[string]map[string]uint64, exit int) {
	t.Helper()
	for format, place := range countPlaces {
		out, code := runVerify(t, append([]string{"--format", format}, args...))
		said := regexp.MustCompile(place.exit).FindSubmatch(out)
		if said == nil || string(said[1]) != strconv.Itoa(exit) || code != exit {
			t.Errorf("%v: %s says exit code %q and the run exits %d, want %d", args, format, said, code, exit)
		}
		for title, counts := range want {
			table := regexp.MustCompile(regexp.MustCompile(`%s`).ReplaceAllString(place.table, countTitles[format][title])).FindSubmatch(out)
			got := make(map[string]uint64)
			if table != nil {
				for _, m := range regexp.MustCompile(place.row).FindAllSubmatch(table[1], -1) {
					n, err := strconv.ParseUint(string(m[2]), 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					if n > 0 {
						got[string(m[1])] = n
					}
				}
			}
			if !maps.Equal(got, counts) {
				t.Errorf("%v: %s are %v as %s, want %v", args, title, got, format, counts)
			}
		}
	}
}
