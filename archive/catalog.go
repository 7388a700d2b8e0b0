package archive

import "slices"

// A Set is one closed set of codes. Where a code of the set stands, in a report or in what a command says, no other value does.
type Set struct {
	Name    string // as explain and the reference pages spell it
	Holds   string // what its codes say, in one clause
	Entries []Entry
}

// An Entry says what a code means to someone who meets it: an auditor, a provider's author, a host's author.
type Entry struct {
	Set       string
	Code      string   // as a report or a message spells it; of an exit code the number, of a limit its name
	Severity  Severity // findings; else ""
	Limit     uint64   // limits: the default, reached and not yet exceeded; else 0
	Unit      string   // limits: what is counted
	Proves    string   // what is known where the code stands; limits: what it bounds, and what happens over it
	ProvesNot string   // what it must not be taken for
	Causes    []string // what usually leads to it, the most frequent first; nil where there is nothing to look for
	Next      string   // the command line that shows more
	Then      string   // what to look for in its output, or what to do about it
	Rule      string   // the rule of the protocol, or the RFC, that decides
}

// ownRule stands where no rule outside this project decides.
const ownRule = "cgp-attest's own: no rule of the protocol decides this"

// Catalog returns every closed set with its entries, in a fixed order. The slices are the caller's own.
func Catalog() []Set {
	sets := []Set{
		{Name: "verdicts", Holds: "the judgement on one attestation, in order of precedence", Entries: verdicts},
		{Name: "evidence_states", Holds: "what became of a piece of evidence, or of an answer's root", Entries: evidenceStates},
		{
			Name: "frame_states", Entries: frameStates,
			Holds: "what became of a frame; of an answer without frames one of those that a root has, or unattested",
		},
		{Name: "content_states", Holds: "what comparing a frame's content with its content_digest showed", Entries: contentStates},
		{Name: "link_statuses", Holds: "what reading the file of a provenance link again showed", Entries: linkStatuses},
		{Name: "link_reasons", Holds: "why a provenance link is unverifiable", Entries: linkReasons},
		{Name: "classes", Holds: "what a frame or an answer comes to under the policy of a run", Entries: classes},
		{Name: "tiers", Holds: "how a key came to be believed", Entries: tiers},
		{Name: "levels", Holds: "the lowest tier that a policy calls good, named by the state that it yields", Entries: levels},
		{Name: "evidence_kinds", Holds: "what a piece of evidence is", Entries: evidenceKinds},
		{Name: "reasons", Holds: "why evidence or a root is unusable, why a key is out of service, or what is wrong with a malformed frame", Entries: reasons},
		{Name: "provider_sources", Holds: "where the provider of an answer was found", Entries: providerSources},
		{Name: "instant_sources", Holds: "where the instant of receipt was found", Entries: instantSources},
		{Name: "severities", Holds: "how grave a finding is", Entries: severities},
		{Name: "findings", Holds: "what an auditor must be told about an answer, the gravest first", Entries: findings},
		{Name: "errors", Holds: "why a source or a record could not be read", Entries: readErrors},
		{Name: "causes", Holds: "what would explain that a value is not the one that was signed: a hint, never an acceptance", Entries: causes},
		{Name: "sign_rules", Holds: "why an answer, or a key, was refused by sign, prepare, attach or key publish", Entries: signEntries()},
		{Name: "retain_rules", Holds: "why frames of an answer may be neither kept nor proven", Entries: keepEntries()},
		{Name: "trust_rules", Holds: "what is wrong with a trust file, or with a key on its way into one", Entries: trustRules},
		{Name: "pin_outcomes", Holds: "what became of a key that trust pin was to pin", Entries: pinOutcomes},
		{Name: "exit_codes", Holds: "how a command ended", Entries: exitCodes},
		{Name: "limits", Holds: "bounds, and what happens over them", Entries: limits()},
	}
	for i := range sets {
		s := &sets[i]
		s.Entries = slices.Clone(s.Entries)
		for k := range s.Entries {
			e := &s.Entries[k]
			e.Set = s.Name
			e.Causes = slices.Clone(e.Causes)
		}
	}
	return sets
}

// Explain returns the entries of a code, one for each set that has it, in the order of Catalog. A text that is no code has none.
func Explain(code string) []Entry {
	var found []Entry
	for _, s := range Catalog() {
		for _, e := range s.Entries {
			if e.Code == code {
				found = append(found, e)
			}
		}
	}
	return found
}
