package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

func newExplainCmd(env *environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain [flags] [CODE]",
		Short: "say what a code of a report proves, and what it does not",
		Example: `  ` + program + ` explain commitment_mismatch
  ` + program + ` explain 3
  ` + program + ` explain limits
  ` + program + ` explain`,
		Long: `CODE is a verdict, a state, a finding, an error, an exit code, a limit, another
word of a report, or a rule by which a command refuses: what it proves, what
not, usual causes, the next command and the rule behind it. The name of a set
lists the codes of it; without CODE the sets are listed.

Exit code: 0 explained; 2 usage, or no such code.`,
		Args: between(0, 1, "one CODE"),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return explainable(archive.Catalog()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	format := addChoice(cmd, "format", "text or json", formatText, formatJSON)
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		text, err := explainText(args, format.value, cmp.Or(env.columns, defaultColumns))
		if err != nil {
			return err
		}
		_, err = env.stdout.Write(text)
		return err
	}
	return cmd
}

// explainText answers one question: about a code, a set, or with no argument the sets.
func explainText(args []string, format string, width int) ([]byte, error) {
	width = max(width, terminal.MinWidth)
	sets := archive.Catalog()
	if len(args) == 0 {
		if format == formatJSON {
			return appendSets(nil, sets), nil
		}
		return writeSets(sets, width), nil
	}
	name := args[0]
	whole := slices.IndexFunc(sets, func(s archive.Set) bool { return s.Name == name })
	entries := archive.Explain(name)
	if whole >= 0 {
		entries = sets[whole].Entries
	}
	switch {
	case len(entries) == 0:
		return nil, unknownCode(name, sets)
	case format == formatJSON:
		return appendEntries(nil, entries), nil
	case whole >= 0:
		return writeSet(&sets[whole], width), nil
	}
	return writeEntries(entries, width), nil
}

func writeSets(sets []archive.Set, width int) []byte {
	text := terminal.Wrap(nil, "", "", "The sets of codes; "+program+" explain SET lists the codes of one.", width)
	text = append(text, '\n')
	for i := range sets {
		text = terminal.Wrap(text, pad(sets[i].Name), strings.Repeat(" ", nameColumn), sets[i].Holds, width)
	}
	return text
}

// nameColumn is where texts start beside a name.
const nameColumn = 18

func pad(name string) string { return name + strings.Repeat(" ", nameColumn-len(name)) }

func writeSet(s *archive.Set, width int) []byte {
	text := terminal.Wrap(nil, "", "  ", s.Name+": "+s.Holds, width)
	for i := range s.Entries {
		e := &s.Entries[i]
		text = append(append(text, '\n'), e.Code...)
		switch {
		case e.Severity != "":
			text = append(append(text, ", "...), e.Severity...)
		case e.Unit != "":
			text = append(append(text, ": "...), bound(e)...)
		}
		text = append(text, '\n')
		text = terminal.Wrap(text, "  ", "  ", e.Proves, width)
	}
	return terminal.Wrap(append(text, '\n'), "", "", program+" explain CODE says more.", width)
}

// bound is a limit's default with its unit.
func bound(e *archive.Entry) string { return strconv.FormatUint(e.Limit, 10) + " " + e.Unit }

func writeEntries(entries []archive.Entry, width int) []byte {
	var text []byte
	for i := range entries {
		if i > 0 {
			text = append(text, '\n')
		}
		text = writeEntry(text, &entries[i], width)
	}
	return text
}

func writeEntry(text []byte, e *archive.Entry, width int) []byte {
	head := e.Code + ", of the set " + e.Set
	if e.Severity != "" {
		head += ", severity " + string(e.Severity)
	}
	if e.Unit != "" {
		head += ", " + bound(e)
	}
	text = terminal.Wrap(text, "", "  ", head, width)
	part := func(title string, lines ...string) {
		text = append(append(text, title...), '\n')
		for _, line := range lines {
			text = terminal.Wrap(text, "  ", "  ", line, width)
		}
	}
	if e.Unit != "" {
		part("Does", e.Proves)
		part("Does not say", e.ProvesNot)
	} else {
		part("Proves", e.Proves)
		part("Does not prove", e.ProvesNot)
	}
	if len(e.Causes) > 0 {
		text = append(text, "Usual causes\n"...)
		for _, c := range e.Causes {
			text = terminal.Wrap(text, "  - ", "    ", c, width)
		}
	}
	part("Next", e.Next, e.Then)
	part("Rule", e.Rule)
	return text
}

func appendSets(dst []byte, sets []archive.Set) []byte {
	dst = append(dst, `{"sets":[`...)
	for i := range sets {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = terminal.AppendJSON(append(dst, `{"name":`...), sets[i].Name)
		dst = terminal.AppendJSON(append(dst, `,"holds":`...), sets[i].Holds)
		var codes []string
		for _, e := range sets[i].Entries {
			codes = append(codes, e.Code)
		}
		dst = append(appendTexts(append(dst, `,"codes":`...), codes), '}')
	}
	return append(dst, "]}\n"...)
}

func appendEntries(dst []byte, entries []archive.Entry) []byte {
	dst = append(dst, `{"entries":[`...)
	for i := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendEntry(dst, &entries[i])
	}
	return append(dst, "]}\n"...)
}

func appendEntry(dst []byte, e *archive.Entry) []byte {
	dst = terminal.AppendJSON(append(dst, `{"set":`...), e.Set)
	dst = terminal.AppendJSON(append(dst, `,"code":`...), e.Code)
	if e.Severity != "" {
		dst = terminal.AppendJSON(append(dst, `,"severity":`...), string(e.Severity))
	}
	if e.Unit != "" {
		dst = strconv.AppendUint(append(dst, `,"limit":`...), e.Limit, 10)
		dst = terminal.AppendJSON(append(dst, `,"unit":`...), e.Unit)
	}
	dst = terminal.AppendJSON(append(dst, `,"proves":`...), e.Proves)
	dst = terminal.AppendJSON(append(dst, `,"proves_not":`...), e.ProvesNot)
	dst = appendTexts(append(dst, `,"causes":`...), e.Causes)
	dst = terminal.AppendJSON(append(dst, `,"next":`...), e.Next)
	dst = terminal.AppendJSON(append(dst, `,"then":`...), e.Then)
	return append(terminal.AppendJSON(append(dst, `,"rule":`...), e.Rule), '}')
}

func appendTexts(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = terminal.AppendJSON(dst, s)
	}
	return append(dst, ']')
}

// explainable returns every word that explain takes, each once.
func explainable(sets []archive.Set) []string {
	var all []string
	seen := make(map[string]bool)
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			all = append(all, word)
		}
	}
	for i := range sets {
		add(sets[i].Name)
		for _, e := range sets[i].Entries {
			add(e.Code)
		}
	}
	return all
}

func unknownCode(name string, sets []archive.Set) error {
	f := misuse("no code and no set of codes is called %.128q", name)
	if near := alike(name, explainable(sets)); len(near) > 0 {
		f.hint("did you mean %s?", either(near))
	}
	if elsewhere := explainedElsewhere(name); elsewhere != "" {
		return f.hint("%s", elsewhere)
	}
	return f.hint("%s explain lists the sets, %s explain SET their codes", program, program)
}

// explainedElsewhere says where a word stands that no report has as a code, "" for other words.
func explainedElsewhere(name string) string {
	switch name {
	case "passed_over":
		return "it counts the messages of other types, which hold no answer: docs/report.schema.json"
	case "ignored_files":
		return "it counts the files that were left out: docs/report.schema.json"
	}
	return ""
}

// maxAlike is how many suggestions are made at most.
const maxAlike = 3

// alike returns the words that a mistyped one most likely means, the nearest first. Case and the sign between words do not count,
// and a part of a word of at least four letters stands for it.
func alike(name string, known []string) []string {
	name = strings.NewReplacer("-", "_", " ", "_").Replace(strings.ToLower(name))
	type candidate struct {
		word     string
		distance int
	}
	var near []candidate
	for _, word := range known {
		d := typos(name, word)
		if len(name) >= 4 && strings.Contains(word, name) {
			d = min(d, 1)
		}
		if d <= maxTypos && d < len(word) {
			near = append(near, candidate{word, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int { return cmp.Compare(a.distance, b.distance) })
	var words []string
	for _, c := range near[:min(len(near), maxAlike)] {
		words = append(words, c.word)
	}
	return words
}
