package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

type mergeFlags struct {
	reportFlags
	exitZero bool
}

func newReportMergeCmd(env *environment) *cobra.Command {
	f := &mergeFlags{}
	cmd := &cobra.Command{
		Use:   "merge [flags] R...",
		Short: "join the reports of shards to one",
		Example: `  # Each machine judges a part
  ` + program + ` verify --trust trust.json --format jsonl -o shard1.jsonl part1/
  # One of them joins what they wrote
  ` + program + ` report merge -o report.json shard1.jsonl shard2.jsonl`,
		Long: `Writes the report that one run over all inputs would have written: answers and
errors in the order in which the reports are given, totals added up. All of them
must have been made under one policy, that is with the same flags and the same
trust files under the same names.

An input that stands in two reports is counted twice, and the finding
duplicate_input. A report that is cut or was interrupted makes the whole a
partial one, whose exit_reason names it.

Exit code: that of the merged report, as verify has it; 2 usage, or the policies
differ; 4 also where a report could not be read, is none or does not add up, and
then nothing is written; 130 a report is cut or was interrupted.`,
		Args: between(1, -1, "a report R, or - for standard input,"),
		RunE: func(cmd *cobra.Command, args []string) error { return mergeReports(cmd, env, f, args) },
	}
	f.format = addReportFormat(cmd, report.FormatJSON)
	f.add(cmd, env)
	cmd.Flags().BoolVar(&f.exitZero, "exit-zero", false, "exit 0 instead of 1, 3 or 4; the report says what it would have been")
	return cmd
}

func mergeReports(cmd *cobra.Command, env *environment, f *mergeFlags, paths []string) error {
	if err := distinct(paths); err != nil {
		return err
	}
	var shards []report.Shard
	for _, path := range paths {
		if path == standardInput {
			if err := env.claimStdin("R"); err != nil {
				return err
			}
		}
		r, in, err := env.openReport(cmd.Context(), path)
		if err != nil {
			return err
		}
		defer in.Close()
		shards = append(shards, report.Shard{Name: path, Report: r})
	}
	merger, err := report.NewMerger(shards)
	if err != nil {
		return misuse("%w", err).hint("judge all inputs with the same flags and the same trust files, under the same names")
	}
	code := archive.ExitGood
	err = f.write(cmd.Context(), env, merger.Header(), tool(), func(sink archive.Sink) (*archive.Summary, error) {
		s, err := merger.Copy(sink)
		if err != nil {
			return nil, cannotRead("%w", err)
		}
		if code = s.ExitCode; f.exitZero && archive.Excusable(code) {
			s.ExitZeroApplied, code = true, archive.ExitGood
		}
		return s, nil
	})
	if err != nil {
		return err
	}
	for _, words := range merger.Warnings() {
		fmt.Fprintf(env.stderr, "warning: %s\n", escape(words))
	}
	switch code {
	case archive.ExitInterrupted, archive.ExitInternal:
		return fail(code, "a report is not whole: the merged one is whole in form and partial in content, and its exit_reason says which")
	}
	return exit(code)
}

// distinct refuses a file that is named twice: everything in it would be counted twice.
func distinct(paths []string) error {
	var files []os.FileInfo
	var names []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if path == standardInput || err != nil || !info.Mode().IsRegular() {
			continue // what cannot be opened is told where it is
		}
		for i, other := range files {
			if os.SameFile(info, other) {
				return misuse("%.128q and %.128q are the same file: all in it would be counted twice", names[i], path).hint("name each report once")
			}
		}
		files, names = append(files, info), append(names, path)
	}
	return nil
}
