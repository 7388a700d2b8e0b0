package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

func newVectorsCmd(env *environment) *cobra.Command {
	group := newGroup(&cobra.Command{
		Use:   "vectors",
		Short: "test vectors for implementations in any language",
		Example: `  ` + program + ` vectors export vectors/
  ` + program + ` vectors check vectors/`,
		Long: `Test vectors in the format ` + testvectors.Format + `: cases with their
answers and every intermediate value, for implementations of the protocol in any
language. They are in this binary; export writes them out.`,
	})
	group.AddCommand(newVectorsGenerateCmd(env), newVectorsCheckCmd(env), newVectorsExportCmd(env), newVectorsRunCmd(env), newVectorsServeCmd(env))
	return group
}

func newVectorsGenerateCmd(env *environment) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "generate [flags]",
		Short:   "make the cases anew, beside those that are released",
		Example: `  ` + program + ` vectors generate -o testvectors/v1`,
		Long: `Makes every case anew and writes what is new into a folder. A case that is
released, in this binary or in the folder, stays as it is: where it would become
another, nothing is written. The same program writes the same bytes.

Exit code: 0; 1 a released case would change; 2 usage; 4 the folder holds files
that cannot be read as test vectors.`,
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := testvectors.GenerateOver(os.DirFS(dir))
			var changed *testvectors.ChangedError
			switch {
			case errors.As(err, &changed):
				return fail(archive.ExitNegative, "%w", err).hint("a case that was wrong stays; write another one beside it, with an id of its own")
			case errors.Is(err, testvectors.ErrFormat):
				return fail(archive.ExitUnreadable, "%.128q: %w", dir, err)
			case err != nil:
				return fail(archive.ExitInternal, "%w", err)
			}
			return writeVectors(cmd.Context(), env, dir, all)
		},
	}
	cmd.Flags().StringVarP(&dir, "output", "o", "testvectors/v1", "write into the folder `DIR`")
	return cmd
}

func newVectorsExportCmd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:     "export DIR",
		Short:   "write the test vectors of this binary into a folder",
		Example: `  ` + program + ` vectors export vectors/`,
		Long: `Writes the released test vectors, their schemas and their manifest into a
folder, which is made where it is not there. Files that are as they are to be
are not touched; others of the same names are written over.`,
		Args: between(1, 1, "the folder DIR to write into"),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := testvectors.Export()
			if err != nil {
				return fail(archive.ExitInternal, "%w", err)
			}
			return writeVectors(cmd.Context(), env, args[0], all)
		},
	}
}

// writeVectors writes the files of a folder that are not as they are to be. The manifest comes last, so that a folder that was
// left half written does not pass.
func writeVectors(ctx context.Context, env *environment, dir string, all map[string][]byte) error {
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	written := 0
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, all[name]) {
			continue
		}
		if err := writeWhole(ctx, path, all[name]); err != nil {
			return misuse("-o: %w", err)
		}
		written++
	}
	fmt.Fprintf(env.stderr, "%s: %s, %d of them written\n", quote(dir), counted(len(all), "file"), written)
	return nil
}

func rank(name string) int {
	if name == testvectors.ManifestName {
		return 1
	}
	return 0
}

func newVectorsCheckCmd(env *environment) *cobra.Command {
	var (
		oracle  string
		timeout time.Duration
	)
	cmd := &cobra.Command{
		Use:   "check [flags] [DIR]",
		Short: "recompute test vectors, by another program too",
		Example: `  ` + program + ` vectors check vectors/
  ` + program + ` vectors check --oracle "python3 oracle/python/oracle.py"`,
		Long: `Recomputes every case and every intermediate value of a folder, of this binary
where no DIR is given, and checks that each case to be refused is one change
away from the case that it names as its base, that counts, flags, causes and
sums are right, and that nothing stands in a file that the format does not have.

With --oracle another implementation answers every case too: a command that
reads a question a line from standard input and writes an answer a line, as
docs/vectors.md says. It is split at white space and started without a shell.

Prints a line for everything that is wrong. Exit code: 0 nothing; 1 something;
2 usage; 4 a file cannot be read, or the oracle does not answer.`,
		Args: between(0, 1, "a folder DIR"),
		RunE: func(cmd *cobra.Command, args []string) error { return checkVectors(cmd, env, args, oracle, timeout) },
	}
	cmd.Flags().StringVar(&oracle, "oracle", "", "ask another implementation too: `COMMAND` with its arguments, split at white space")
	cmd.Flags().DurationVar(&timeout, "timeout", testvectors.OracleTimeout, "how long one answer of the other implementation may take: `DURATION`, as in 90s (default 1m)")
	return cmd
}

func checkVectors(cmd *cobra.Command, env *environment, args []string, oracle string, timeout time.Duration) error {
	folder := testvectors.FS()
	if len(args) > 0 {
		folder = os.DirFS(args[0])
		if _, err := fs.Stat(folder, testvectors.ManifestName); err != nil {
			return fail(archive.ExitUnreadable, "%.128q: %w", args[0], err).hint("want a folder as %s vectors export writes it", program)
		}
	}
	if timeout <= 0 {
		return misuse("--timeout: want more than nothing")
	}
	var other testvectors.Oracle
	if cmd.Flags().Changed("oracle") {
		words := strings.Fields(oracle)
		if len(words) == 0 {
			return misuse("--oracle: there is no command")
		}
		p, err := testvectors.Start(cmd.Context(), words, env.stderr)
		if err != nil {
			return fail(archive.ExitUnreadable, "--oracle: %w", err).hint("want a command that speaks JSON lines as docs/vectors.md says")
		}
		defer p.Close()
		p.Timeout = timeout
		other = p
	}
	r, err := testvectors.Check(cmd.Context(), folder, other)
	if err != nil {
		if ctx := cmd.Context().Err(); ctx != nil {
			return ctx
		}
		return fail(archive.ExitUnreadable, "%w", err)
	}
	for _, fault := range r.Faults {
		fmt.Fprintln(env.stdout, escape(fault))
	}
	fmt.Fprintf(env.stderr, "%s, %d of them negative, %s not asked, %s\n", counted(r.Cases, "case"), r.Negative, counted(r.Skipped, "case"), counted(len(r.Faults), "fault"))
	if len(r.Faults) > 0 {
		return exit(archive.ExitNegative)
	}
	return nil
}
