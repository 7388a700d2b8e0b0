package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
)

func newTrustDiffCmd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:     "diff A B",
		Short:   "say how one trust file differs from another",
		Example: `  ` + program + ` trust diff old.json new.json`,
		Long: `Compares what the files say, not how they are written. One of them may be - for
standard input.

Exit code: 0 they say the same; 1 they differ; 2 usage, or a file is wrong.`,
		Args: between(2, 2, "a pair of files, A and B,"),
		RunE: func(cmd *cobra.Command, args []string) error { return trustDiff(cmd, env, args[0], args[1]) },
	}
}

func trustDiff(cmd *cobra.Command, env *environment, a, b string) error {
	_, old, err := env.readTrust(cmd.Context(), "A", a)
	if err != nil {
		return err
	}
	_, now, err := env.readTrust(cmd.Context(), "B", b)
	if err != nil {
		return err
	}
	list := keys.DiffStores(old, now)
	for _, d := range list {
		env.writeDifference(d)
	}
	if len(list) > 0 {
		return exit(archive.ExitNegative)
	}
	return nil
}

func (env *environment) writeDifference(d keys.Difference) {
	whole := func(k keys.TrustedKey) string {
		return fmt.Sprintf("%s, %s, in service %s", keys.Fingerprint(k.Key), k.Tier, windowText(k.Window))
	}
	keyID, text := d.New.KeyID, ""
	switch d.Change {
	case keys.ChangeAdded:
		text = whole(d.New)
	case keys.ChangeRemoved:
		keyID, text = d.Old.KeyID, whole(d.Old)
	case keys.ChangeBytes:
		text = fmt.Sprintf("%s became %s", keys.Fingerprint(d.Old.Key), keys.Fingerprint(d.New.Key))
	case keys.ChangeTier:
		text = fmt.Sprintf("%s became %s", d.Old.Tier, d.New.Tier)
	case keys.ChangeWindow:
		text = fmt.Sprintf("was in service %s, is now in service %s", windowText(d.Old.Window), windowText(d.New.Window))
	}
	env.writeLine(fmt.Sprintf("%s provider %s key_id %s: %s", d.Change, quote(d.LocalID), quote(keyID), text))
}
