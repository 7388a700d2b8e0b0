package main

import "contextgraphprotocol.org/cgp-attest/archive"

func summarySchema() object {
	s := closed(
		need("sources", count()),
		need("records", count()),
		need("answers", count()),
		need("empty_answers", counts(archive.EmptyAnswerStates())),
		need("frames", count()),
		need("unreadable", count()),
		need("passed_over", count()),
		need("ignored_files", about("What stood in a folder and was no input: files of other names, symbolic links.", count())),
		need("ignored", about("The first of them.", atMost(archive.MaxIgnoredNamed, arrayOf(text())))),
		need("classes", counts(archive.Classes())),
		need("states", counts(archive.States())),
		need("evidence", counts(archive.EvidenceStates())),
		need("content", counts(archive.Contents())),
		may("provenance", about("Links, where the files of provenance were read again.", counts(archive.LinkStatuses()))),
		need("findings", about("Of the answers and of the inputs.", counts(archive.Severities()))),
		need("inputs", about("What was found about inputs as a whole.", arrayOf(ref("input_finding")))),
		need("finished", boolean()),
		need("exit_code", about("What the run came to, whatever --exit-zero made of it.", exitCodes())),
		need("exit_zero_applied", boolean()),
		need("exit_reason", text()),
	)
	return append(s, member{"allOf", summaryRules()})
}

// exitCodes are those that a report can state: a run that ends with 2 judged nothing and has no report.
func exitCodes() object {
	return object{{"enum", list{
		archive.ExitGood, archive.ExitNegative, archive.ExitUnchecked, archive.ExitUnreadable, archive.ExitInternal,
		archive.ExitInterrupted,
	}}}
}

func summaryRules() list {
	none := object{{"const", 0}}
	code := func(c int) object { return object{{"const", c}} }
	finished := member{"finished", object{{"const", true}}}
	return list{
		when(holds("finished", object{{"const", false}}),
			holds("exit_code", object{{"enum", list{archive.ExitInternal, archive.ExitInterrupted}}})),
		when(holds("exit_code", code(archive.ExitInterrupted)), holds("finished", object{{"const", false}})),
		when(object{{"properties", object{finished, {"classes", holds(string(archive.ClassNegative), atLeast(1))}}}},
			holds("exit_code", code(archive.ExitNegative))),
		when(object{{"properties", object{finished, {"findings", holds(string(archive.SeverityError), atLeast(1))}}}},
			holds("exit_code", code(archive.ExitNegative))),
		when(object{{"properties", object{finished, {"provenance", holds(string(archive.LinkMismatch), atLeast(1))}}}, {"required", list{"provenance"}}},
			holds("exit_code", code(archive.ExitNegative))),
		when(holds("exit_code", code(archive.ExitGood)), object{{"properties", object{
			{"unreadable", none},
			{"classes", object{{"properties", object{
				{string(archive.ClassGood), atLeast(1)},
				{string(archive.ClassUnchecked), none},
				{string(archive.ClassNegative), none},
				{string(archive.ClassUnreadable), none},
			}}}},
			{"provenance", object{{"properties", object{
				{string(archive.LinkMismatch), none},
				{string(archive.LinkUnverifiable), none},
				{string(archive.LinkMissing), none},
			}}}},
		}}}),
		when(holds("exit_zero_applied", object{{"const", true}}), holds("exit_code", object{
			{"enum", list{archive.ExitNegative, archive.ExitUnchecked, archive.ExitUnreadable}},
		})),
	}
}

// counts is an object with a count under every key of a closed set, also where nothing was counted.
func counts[K ~string](keys []K) object {
	var members []property
	for _, k := range keys {
		members = append(members, need(string(k), count()))
	}
	return closed(members...)
}
