package main

import (
	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

func newVectorsServeCmd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "serve",
		Short: "answer questions as an implementation under test does",
		Example: `  ` + program + ` vectors serve < questions.jsonl
  ` + program + ` vectors run -- ` + program + ` vectors serve`,
		Long: `Reads a question a line from standard input and writes what this program
answers, a line each, with all intermediate values: to compare with while an
implementation is written. docs/vectors.md has the lines. A line that is no
question is answered with an error and ends nothing.

Exit code: 0 at the end of the input; 130 interrupted.`,
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := env.open(cmd.Context(), standardInput)
			if err != nil {
				return err
			}
			defer in.Close()
			if err := testvectors.Serve(in, env.stdout, program, readBuild().version); err != nil {
				if ctx := cmd.Context().Err(); ctx != nil {
					return ctx
				}
				return fail(archive.ExitUnreadable, "%w", err)
			}
			return nil
		},
	}
}
