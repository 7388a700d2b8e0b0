package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

const formatRoff = "roff"

func newManCmd(env *environment) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man [flags] [COMMAND]...",
		Short: "print the manual page of a command",
		Example: `  ` + program + ` man verify | man -l -
  ` + program + ` man --output-dir ~/.local/share/man/man1
  ` + program + ` man --format markdown trust add`,
		Long: `The page of a command, without COMMAND the one of the program itself. With
--output-dir the pages of all commands are written into a folder, which is made
where it is not there.

Exit code: 0; 2 usage, or no such command, or the folder cannot be written to.`,
		ValidArgsFunction: completeCommand,
	}
	format := addChoice(cmd, "format", "roff (for man) or markdown", formatRoff, formatMarkdown)
	cmd.Flags().StringVar(&dir, "output-dir", "", "write the pages of all commands into the folder `DIR`")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		at, err := findCommand(cmd, args)
		if err != nil {
			return err
		}
		if _, present, err := given(cmd, "output-dir"); err != nil {
			return err
		} else if !present {
			_, text := manualPage(manualOf(at), format.value)
			_, err := env.stdout.Write(text)
			return err
		}
		if len(args) > 0 {
			return misuse("--output-dir writes the pages of all commands, found %.128q", args[0])
		}
		return writeManual(cmd.Context(), cmd.Root(), format.value, dir)
	}
	return cmd
}

// manualPage returns the file name and the text of a page.
func manualPage(m *manual, format string) (name string, text []byte) {
	if format == formatMarkdown {
		return m.page() + ".md", m.appendMarkdown(nil)
	}
	b := readBuild()
	day, _, _ := strings.Cut(b.time, "T")
	return m.page() + ".1", m.appendRoff(nil, program+" "+b.version, day)
}

// writeManual writes every page into a folder; in Markdown the one of the environment variables into the folder above it.
func writeManual(ctx context.Context, root *cobra.Command, format, dir string) error {
	pages := make(map[string][]byte)
	for _, m := range everyManual(root) {
		name, text := manualPage(m, format)
		pages[filepath.Join(dir, name)] = text
	}
	if format == formatMarkdown {
		pages[filepath.Join(dir, "..", "environment.md")] = appendVariables(nil)
	}
	for name, text := range pages {
		if err := writeWhole(ctx, name, text); err != nil {
			return misuse("--output-dir: %w", err)
		}
	}
	return nil
}
