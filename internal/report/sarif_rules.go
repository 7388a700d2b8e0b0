package report

import (
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// The sets of archive.Catalog whose codes are rules: what a result can be about.
const (
	setFindings = "findings"
	setStates   = "frame_states"
	setErrors   = "errors"
)

// ruleID names a rule: codes of different sets may be spelt alike.
func ruleID(set, code string) string { return set + "/" + code }

// ruleEntries are the entries of archive.Catalog that are rules, in their order. The place of one is its ruleIndex.
func ruleEntries() []archive.Entry {
	var rules []archive.Entry
	for _, s := range archive.Catalog() {
		if slices.Contains([]string{setFindings, setStates, setErrors}, s.Name) {
			rules = append(rules, s.Entries...)
		}
	}
	return rules
}

// ruleLevel is the level of a rule where a result does not say another.
func ruleLevel(e *archive.Entry) string {
	switch {
	case e.Set == setErrors:
		return string(archive.SeverityError)
	case e.Severity != "":
		return string(e.Severity)
	}
	switch archive.State(e.Code) {
	case archive.StateInvalid, archive.StateContentMismatch, archive.StateMalformedFrame:
		return string(archive.SeverityError)
	}
	return string(archive.SeverityWarning)
}

// appendRule appends a reportingDescriptor.
func appendRule(b []byte, e *archive.Entry) []byte {
	b = terminal.AppendJSON(append(b, `{"id":`...), ruleID(e.Set, e.Code))
	b = terminal.AppendJSON(append(b, `,"shortDescription":{"text":`...), firstSentence(e.Proves))
	b = terminal.AppendJSON(append(b, `},"fullDescription":{"text":`...), e.Proves)
	b = terminal.AppendJSON(append(b, `},"help":{"text":`...), helpText(e))
	b = terminal.AppendJSON(append(b, `,"markdown":`...), helpMarkdown(e))
	b = terminal.AppendJSON(append(b, `},"defaultConfiguration":{"level":`...), ruleLevel(e))
	b = terminal.AppendJSON(append(b, `},"properties":{"tags":[`...), e.Set)
	return append(b, "]}}"...)
}

func firstSentence(s string) string {
	if end := strings.Index(s, ". "); end >= 0 {
		return s[:end+1]
	}
	return s
}

func helpText(e *archive.Entry) string {
	var b strings.Builder
	b.WriteString("What it shows: " + e.Proves + "\n\nWhat it does not: " + e.ProvesNot)
	if len(e.Causes) > 0 {
		b.WriteString("\n\nUsual causes:")
		for _, c := range e.Causes {
			b.WriteString("\n- " + c)
		}
	}
	b.WriteString("\n\nNext: " + e.Next + "\n" + e.Then + "\n\nRule: " + e.Rule)
	return b.String()
}

func helpMarkdown(e *archive.Entry) string {
	var b strings.Builder
	b.WriteString("**What it shows:** " + literalMarkdown(e.Proves) + "\n\n**What it does not:** " + literalMarkdown(e.ProvesNot))
	if len(e.Causes) > 0 {
		b.WriteString("\n\n**Usual causes:**\n")
		for _, c := range e.Causes {
			b.WriteString("\n- " + literalMarkdown(c))
		}
	}
	b.WriteString("\n\n**Next:**\n\n```\n" + e.Next + "\n```\n\n" + literalMarkdown(e.Then) + "\n\n**Rule:** " + literalMarkdown(e.Rule))
	return b.String()
}

// literalMarkdown escapes what Markdown reads as more than itself (CommonMark §2.4).
func literalMarkdown(s string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\`*_[]<>#|~", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
