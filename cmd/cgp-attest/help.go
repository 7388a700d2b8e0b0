package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// printHelp writes the help of a command: what it is for, examples, then the rest. It fits 80 columns.
func printHelp(w io.Writer, cmd *cobra.Command) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", cmd.CommandPath(), cmd.Short)
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", title, text)
		}
	}
	section("Examples", cmd.Example)
	section("Usage", "  "+usageLine(cmd))
	if long := strings.TrimSpace(cmd.Long); long != "" {
		fmt.Fprintf(&b, "\n%s\n", long)
	}
	section("Commands", listCommands(cmd))
	section("Flags", listFlags(cmd.LocalFlags()))
	section("Flags of every command", listFlags(cmd.InheritedFlags()))
	io.WriteString(w, b.String())
}

// flagIndent stands in front of what a flag does.
const flagIndent = "      "

// listFlags writes each flag on a line and what it does below it.
func listFlags(flags *pflag.FlagSet) string {
	var b strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := flagTexts(f)
		head := "  --" + f.Name
		if f.Shorthand != "" {
			head = fmt.Sprintf("  -%s, --%s", f.Shorthand, f.Name)
		}
		if value != "" {
			head += " " + value
		}
		b.WriteString(head + "\n")
		b.Write(terminal.Wrap(nil, flagIndent, flagIndent, usage, defaultColumns))
	})
	return b.String()
}

// flagTexts returns what a flag takes, "" for nothing, and what it does.
func flagTexts(f *pflag.Flag) (value, does string) {
	value, does = pflag.UnquoteUsage(f)
	if c, ok := f.Value.(*choice); ok && c.value != "" {
		does += fmt.Sprintf(" (default %s)", c.value)
	}
	return value, does
}

func usageLine(cmd *cobra.Command) string {
	if cmd.HasAvailableSubCommands() {
		return cmd.CommandPath() + " COMMAND"
	}
	return cmd.UseLine()
}

func listCommands(cmd *cobra.Command) string {
	var b strings.Builder
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			fmt.Fprintf(&b, "  %-*s  %s\n", cmd.NamePadding(), sub.Name(), sub.Short)
		}
	}
	return b.String()
}

func newHelpCmd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:               "help [COMMAND]...",
		Short:             "print the help of a command",
		Example:           "  " + program + " help verify",
		ValidArgsFunction: completeCommand,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := findCommand(cmd, args)
			if err != nil {
				return err
			}
			at.InitDefaultHelpFlag() // else it has none before it runs
			printHelp(env.stdout, at)
			return nil
		},
	}
}

// findCommand returns the command of this program that the words name.
func findCommand(cmd *cobra.Command, words []string) (*cobra.Command, error) {
	at, rest, err := cmd.Root().Find(words)
	if err != nil {
		return nil, misuse("%w", err)
	}
	if len(rest) > 0 {
		return nil, unknownCommand(at, rest[0])
	}
	return at, nil
}

// completeCommand offers the commands that may follow the words of one.
func completeCommand(cmd *cobra.Command, words []string, _ string) ([]string, cobra.ShellCompDirective) {
	at, err := findCommand(cmd, words)
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return names(at), cobra.ShellCompDirectiveNoFileComp
}
