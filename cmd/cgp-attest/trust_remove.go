package main

import (
	"os"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/keys"
)

func newTrustRemoveCmd(env *environment) *cobra.Command {
	f := &trustAddress{}
	cmd := &cobra.Command{
		Use:     "remove TRUST --provider ID --key-id ID",
		Short:   "trust a key no longer, for anything it ever signed",
		Example: `  ` + program + ` trust remove trust.json --provider docs --key-id docs-2026-08`,
		Long: `What was received while the key was good does not count either any more. To end
the trust at an instant, give the key a not_after: ` + program + ` trust add.

Exit code: 0 it was removed; 2 usage, no such key, or the file is wrong; 5
internal error, or the file could not be written.`,
		DisableFlagsInUseLine: true,
		Args:                  between(1, 1, "one TRUST"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return trustRemove(cmd, env, f, args[0]) },
	}
	f.addProvider(cmd)
	f.addKeyID(cmd, "`ID` of the key")
	return cmd
}

func trustRemove(cmd *cobra.Command, env *environment, f *trustAddress, path string) error {
	if err := f.check(cmd, "provider", "key-id"); err != nil {
		return err
	}
	if _, err := os.Stat(path); err != nil && path != standardInput {
		return missingTrust(misuse("TRUST: %w", err))
	}
	var removed keys.TrustedKey
	err := env.changeTrust(cmd.Context(), path, func(s *keys.Store) error {
		k, ok := s.Remove(f.provider, f.keyID)
		if !ok {
			return misuse("%.128q holds no key %.128q of provider %.128q", path, f.keyID, f.provider).
				hint("%s trust list %s shows what it holds", program, shellQuote(path))
		}
		removed = k
		return nil
	})
	if err != nil {
		return err
	}
	env.writeTrusted("removed", f.provider, removed)
	return nil
}
