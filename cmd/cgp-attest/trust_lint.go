package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
)

func newTrustLintCmd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:     "lint TRUST...",
		Short:   "name every rule that a trust file breaks",
		Example: `  ` + program + ` trust lint trust.json`,
		Long: `Prints a line for every fault: the file, the line, the place, the rule and what
was found. A file with one is not loaded by any command. TRUST may be - for
standard input.

Exit code: 0 every file loads; 1 some file breaks a rule; 2 usage; 4 a file
could not be read.`,
		Args: between(1, -1, "a TRUST"),
		RunE: func(cmd *cobra.Command, args []string) error { return trustLint(cmd, env, args) },
	}
}

func trustLint(cmd *cobra.Command, env *environment, paths []string) error {
	faulty, unread := 0, 0
	for _, path := range paths {
		if path == standardInput {
			if err := env.claimStdin("TRUST"); err != nil {
				return err
			}
		}
		data, err := env.readTrustFile(cmd.Context(), path)
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		if err != nil {
			unread++
			complain(env.stderr, unreadable(path, err).Error())
			continue
		}
		faults := keys.LintStore(data)
		for _, fault := range faults {
			fmt.Fprintf(env.stdout, "%s: %s\n", quote(path), escape(fault.Error()))
		}
		if len(faults) > 0 {
			faulty++
			continue
		}
		store, err := keys.ParseStore(data)
		if err != nil {
			return fail(archive.ExitInternal, "%w", err)
		}
		fmt.Fprintf(env.stdout, "%s: ok, %s\n", quote(path), counted(store.Len(), "key"))
	}
	switch {
	case faulty > 0:
		return exit(archive.ExitNegative)
	case unread > 0:
		return exit(archive.ExitUnreadable)
	}
	return nil
}
