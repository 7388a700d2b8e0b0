package main

import (
	"errors"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

func newReportConvertCmd(env *environment) *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:   "convert --format F [flags] R",
		Short: "write a report in another format",
		Example: `  ` + program + ` report convert --format text report.json
  ` + program + ` report convert --format json -o report.json report.jsonl`,
		Long: `What was judged is not judged again: states, counts and the exit code are those
of the report, and so is the program that it names. From json to jsonl and back
gives the same bytes. Text lacks what no report holds: hints about keys that are
held under another name.

Exit code: 0 it was converted, whatever the report came to; 2 usage; 4 the
report could not be read, is none or does not add up, and nothing is written;
130 it is cut: what stands in front of the cut was converted, as a partial
report.`,
		Args: between(1, 1, "a report R, or - for standard input,"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("format") {
				return misuse("--format is missing, want %s", either(report.Formats())).usage(cmd)
			}
			return convertReport(cmd, env, f, args[0])
		},
	}
	f.format = &choice{of: report.Formats()}
	cmd.Flags().Var(f.format, "format", either(report.Formats()))
	completeChoice(cmd, "format", f.format)
	f.add(cmd, env)
	return cmd
}

func convertReport(cmd *cobra.Command, env *environment, f *reportFlags, path string) error {
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
	var cut error
	err = f.write(cmd.Context(), env, r.Header(), r.Tool(), func(sink archive.Sink) (*archive.Summary, error) {
		s, err := r.Copy(sink)
		if errors.Is(err, report.ErrCut) {
			cut = err
			s.ExitReason += ": the report that this one was made of is cut"
			return s, nil
		}
		if err != nil {
			return nil, cannotRead("%.128q: %w", path, err)
		}
		return s, nil
	})
	if err == nil && cut != nil {
		return fail(archive.ExitInterrupted, "%.128q: %w: the output is whole in form and partial in content", path, cut)
	}
	return err
}
