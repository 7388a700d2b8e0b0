package main

import (
	"io"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
)

// inspectSchema names the JSON that inspect prints.
const inspectSchema = "cgp-attest/inspect/1"

type inspectFlags struct {
	format *choice
	window count
	output string
}

func newInspectCmd(env *environment) *cobra.Command {
	f := &inspectFlags{}
	cmd := &cobra.Command{
		Use:   "inspect [flags] PATH...",
		Short: "show what a file holds, without judging it",
		Example: `  ` + program + ` inspect answers.ndjson
  ` + program + ` inspect --format json answers.ndjson`,
		Long: `Counts messages, answers, frames, entries and provenance links, and shows which
providers, key ids and kinds of evidence a file names. Nothing is verified:
whatever stands there may be forged. To judge it, use verify. A PATH may be a
folder, as for verify.

Exit code: 0 read; 2 usage; 3 no answer was there; 4 something could not be
read.`,
		Args: between(1, -1, "a PATH, or - for standard input,"),
		RunE: func(cmd *cobra.Command, args []string) error { return inspect(cmd, env, f, args) },
	}
	f.format = addChoice(cmd, "format", "text or json", formatText, formatJSON)
	addWindow(cmd, &f.window)
	addOutput(cmd, env, &f.output)
	return cmd
}

// An inspection is what inspect prints of each source, in one format.
type inspection interface {
	start(source string) []byte
	answer(*archive.InspectedAnswer) []byte
	unreadable(io.Writer, *archive.RecordError) error
	end(io.Writer, *archive.Inspection) error
	close()
	finish(*inputs.Paths) []byte
}

func inspect(cmd *cobra.Command, env *environment, f *inspectFlags, paths []string) error {
	if err := env.claimStdinAmong(paths); err != nil {
		return err
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	var form inspection = newInspectText(env.columnsOf(out))
	if f.format.value == formatJSON {
		form = &inspectJSON{}
	}
	defer form.close()
	wrote := func(err error) error {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err != nil {
			return cannotWrite(out.name, err)
		}
		return nil
	}
	write := func(b []byte) error {
		_, err := out.Write(b)
		return wrote(err)
	}
	var answers, unreadable uint64
	in := &inputs.Paths{Args: paths, Open: func(name string) (io.ReadCloser, error) { return env.open(cmd.Context(), name) }}
	for source := range in.Sources(cmd.Context()) {
		if err := write(form.start(source.Name)); err != nil {
			return err
		}
		total, err := archive.Inspect(source, archive.Limits{Window: int64(f.window)},
			func(a *archive.InspectedAnswer) error { return write(form.answer(a)) },
			func(e *archive.RecordError) error { return wrote(form.unreadable(out, e)) })
		if err != nil {
			return err
		}
		answers, unreadable = answers+total.Answers, unreadable+total.Unreadable
		if err := wrote(form.end(out, total)); err != nil {
			return err
		}
	}
	if err := write(form.finish(in)); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	switch {
	case unreadable > 0:
		return exit(archive.ExitUnreadable)
	case answers == 0:
		return fail(archive.ExitUnchecked, "no frames message and no bare result was there")
	}
	return nil
}
