package archive_test

import (
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/corpus"
)

// tampered are the cases of the corpus of which something comes out as a mismatch or a bad signature.
var tampered = []string{
	"tampered link", "tampered content and digest", "dropped frame", "added frame", "bad signature on a frame",
	"bad signature on the root", "lifted from a frame of the answer", "lifted from another answer", "tampered retained frame",
}

// How often a case of the corpus is explained, in percent of the answers in which something is to be explained.
func BenchmarkDiagnosisCorpus(b *testing.B) {
	for _, name := range tampered {
		b.Run(strings.ReplaceAll(name, " ", "_"), func(b *testing.B) {
			input := writeCorpus(b, corpus.Spec{Seed: 1, Bytes: 2 << 20, Cases: []string{name}, Every: 1}).text
			v := corpusVerifier(b, corpus.Limits{}, 0)
			v.Diagnose = true
			b.SetBytes(int64(len(input)))
			b.ResetTimer()
			var answers, explained int
			for range b.N {
				answers, explained = 0, 0
				for _, a := range run(b, v, input).Answers {
					list := told(a)
					if len(list) == 0 {
						continue
					}
					answers++
					for _, d := range list {
						if d.diagnosis.Cause != archive.CauseNone {
							explained++
							break
						}
					}
				}
			}
			b.ReportMetric(100*float64(explained)/float64(answers), "%explained")
		})
	}
}

// Diagnoses change nothing but themselves, and do not depend on the number of jobs.
func TestDiagnosesOfCorpus(t *testing.T) {
	input := writeCorpus(t, smallSpec(2, 6<<20)).text
	v := corpusVerifier(t, lowLimits, 0)
	plain := run(t, v, input)
	v.Diagnose = true
	v.Jobs = 1
	one := run(t, v, input)
	v.Jobs = 4
	four := run(t, v, input)
	if diff := diffOf(one.Answers, four.Answers); diff != "" {
		t.Errorf("with 1 job and with 4 (-1 +4):\n%s", diff)
	}
	causes := make(map[archive.Cause]int)
	for i, a := range one.Answers {
		for _, d := range told(a) {
			causes[d.diagnosis.Cause]++
		}
		one.Answers[i] = withoutDiagnoses(a)
	}
	if diff := diffOf(plain.Answers, one.Answers); diff != "" {
		t.Errorf("without diagnoses and with them (-without +with):\n%s", diff)
	}
	if diff := diffOf(plain.Summary, one.Summary); diff != "" {
		t.Errorf("the summary without diagnoses and with them (-without +with):\n%s", diff)
	}
	if len(causes) < 5 {
		t.Errorf("causes of the corpus: %v, want five at least", causes)
	}
	for _, a := range plain.Answers {
		if len(told(a)) > 0 {
			t.Errorf("record %d has a diagnosis that nobody asked for", a.Record)
		}
	}
}
