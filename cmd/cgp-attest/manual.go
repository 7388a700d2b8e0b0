package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A manual is the help of one command in pieces, which the pages of the manual are set from.
type manual struct {
	command  string // as it is called
	short    string
	usage    string
	passages []passage
	examples []string // lines
	commands []*cobra.Command
	flags    []manualFlag
	parent   string // command that it is one of, "" for the program itself
}

// A passage is running text, or lines that stay as they are.
type passage struct {
	text  string
	fixed []string
}

type manualFlag struct {
	shorthand, name, value, does string
}

// manualOf takes the help of a command to pieces.
func manualOf(cmd *cobra.Command) *manual {
	cmd.InitDefaultHelpFlag() // else it has none before it runs
	m := &manual{
		command: cmd.CommandPath(), short: cmd.Short, usage: strings.Join(strings.Fields(usageLine(cmd)), " "),
		passages: passages(cmd.Long), examples: exampleLines(cmd.Example),
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			m.commands = append(m.commands, sub)
		}
	}
	if cmd.HasParent() {
		m.parent = cmd.Parent().CommandPath()
	}
	for _, set := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				value, does := flagTexts(f)
				m.flags = append(m.flags, manualFlag{f.Shorthand, f.Name, value, does})
			}
		})
	}
	return m
}

// passages splits a text at its empty lines. One with an indented line in it keeps its lines.
func passages(long string) []passage {
	var all []passage
	for block := range strings.SplitSeq(strings.Trim(long, "\n"), "\n\n") {
		lines := strings.Split(strings.Trim(block, "\n"), "\n")
		switch {
		case block == "":
		case strings.Contains("\n"+block, "\n "):
			all = append(all, passage{fixed: lines})
		default:
			all = append(all, passage{text: strings.Join(lines, " ")})
		}
	}
	return all
}

func exampleLines(example string) []string {
	var lines []string
	for line := range strings.SplitSeq(strings.Trim(example, "\n"), "\n") {
		lines = append(lines, strings.TrimPrefix(line, "  "))
	}
	return lines
}

// everyManual returns the pages of a command and of all below it.
func everyManual(cmd *cobra.Command) []*manual {
	all := []*manual{manualOf(cmd)}
	for _, sub := range all[0].commands {
		all = append(all, everyManual(sub)...)
	}
	return all
}

// page is the name of the command's page.
func (m *manual) page() string { return strings.ReplaceAll(m.command, " ", "-") }

// exitCodes returns the codes that a command can end with.
func exitCodes() []archive.Entry {
	for _, set := range archive.Catalog() {
		if set.Name == "exit_codes" {
			return set.Entries
		}
	}
	return nil
}
