package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

type trustAddFlags struct {
	trustAddress
	key, fingerprint string
	window           keys.Window
}

func newTrustAddCmd(env *environment) *cobra.Command {
	f := &trustAddFlags{}
	cmd := &cobra.Command{
		Use:   "add TRUST --provider ID --key-id ID --key KEY [flags]",
		Short: "trust a key that you vouch for",
		Example: `  ` + program + ` trust add trust.json --provider docs --key-id docs-2026-08 \
      --key docs.pub --fingerprint sha256:HEX
  # The key was replaced: what is received later does not count any more
  ` + program + ` trust add trust.json --provider docs --key-id docs-2026-08 \
      --key docs.pub --not-after 2027-07-31T23:59:59Z`,
		Long: `The key is configured, the higher tier. TRUST is created where it is not there.
The fingerprint is shown: compare it with the one that the provider tells by
another way than the key came, or let --fingerprint demand it.

A key that is held already gets the ends of its window that are given, and a
pinned one becomes configured; an end that is not given stays. Other bytes under
a key_id that is held are refused: rotation is a new key_id.

Exit code: 0 it is trusted; 1 the fingerprint is another one, or another key is
held under the key_id; 2 usage, or the key or the file is wrong; 5 internal
error, or the file could not be written.`,
		DisableFlagsInUseLine: true,
		Args:                  between(1, 1, "one TRUST"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return trustAdd(cmd, env, f, args[0]) },
	}
	f.addProvider(cmd)
	f.addKeyID(cmd, "`ID` under which the provider's attestations name the key")
	cmd.Flags().StringVar(&f.key, "key", "", "the public `KEY`: hexadecimal digits, or a file in any form that key show prints")
	cmd.Flags().StringVar(&f.fingerprint, "fingerprint", "", "demand this fingerprint: sha256: and 64 hexadecimal `DIGITS`")
	cmd.Flags().String("not-before", "", "first `INSTANT` of receipt at which the key is in service")
	cmd.Flags().String("not-after", "", "last `INSTANT` of receipt at which the key is in service")
	return cmd
}

func trustAdd(cmd *cobra.Command, env *environment, f *trustAddFlags, path string) error {
	if err := f.check(cmd, "provider", "key-id", "key"); err != nil {
		return err
	}
	key, err := f.readKey(cmd, env)
	if err != nil {
		return err
	}
	var outcome keys.ConfigureOutcome
	var held keys.TrustedKey
	err = env.changeTrust(cmd.Context(), path, func(s *keys.Store) (err error) {
		outcome, err = s.Configure(f.provider, f.keyID, key, f.window)
		held, _ = s.Find(f.provider, f.keyID)
		return explainConfigure(err)
	})
	if err != nil {
		return err
	}
	env.writeTrusted(string(outcome), f.provider, held)
	fmt.Fprintf(env.stderr, "in service %s\n", windowText(held.Window))
	if f.fingerprint == "" {
		env.say("compare the fingerprint with the one that the provider tells by another way than the key came")
	}
	return nil
}

// readKey reads the key, its window, and the fingerprint that it must have.
func (f *trustAddFlags) readKey(cmd *cobra.Command, env *environment) (key sign.PublicKey, err error) {
	if f.window.NotBefore, err = parseInstantFlag(cmd, "not-before"); err != nil {
		return key, err
	}
	if f.window.NotAfter, err = parseInstantFlag(cmd, "not-after"); err != nil {
		return key, err
	}
	text := []byte(f.key)
	if !isHex(f.key) {
		if _, err := commitment.ParseDigest(f.key); err == nil {
			return key, misuse("--key: %s is a fingerprint, and a fingerprint is no key", f.key).
				hint("give the key itself, and the fingerprint that it must have with --fingerprint")
		}
		if text, err = env.readSmall(cmd.Context(), "--key", f.key); err != nil {
			return key, err
		}
		digits := strings.TrimSpace(string(text))
		if digits == "" {
			return key, misuse("--key: %.128q: the file is empty", f.key)
		}
		if isHex(digits) && isKeptSecret(f.key) {
			return key, misuse("--key: %.128q holds hexadecimal digits that you alone may read: they may be a seed, which is secret", f.key).
				hint("give the digits themselves, if they are a public key; %s key show FILE shows the public key of a seed", program)
		}
	}
	if key, err = env.parser().ParsePublicKey(text); err != nil {
		return key, misuse("--key: %.128q: %w", f.key, err)
	}
	demanded, present, err := given(cmd, "fingerprint")
	if err != nil || !present {
		return key, err
	}
	if _, err := commitment.ParseDigest(demanded); err != nil {
		f := misuse("--fingerprint: %w", err).hint("want it as %s key show prints it: sha256: and 64 lowercase hexadecimal digits", program)
		if strings.HasPrefix(demanded, "SHA256:") {
			f.hint("SHA256: and base64 is what ssh-keygen prints of the same key, over other bytes")
		}
		return key, f
	}
	if got := keys.Fingerprint(key); got != demanded {
		return key, fail(archive.ExitNegative, "the key has the fingerprint %s, --fingerprint demands %s", got, demanded).
			hint("find out which of the two is the provider's before you trust either")
	}
	return key, nil
}

func isHex(text string) bool { return strings.Trim(text, "0123456789abcdefABCDEF") == "" }

// isKeptSecret reports whether a file is one that its owner alone may read, as a private key must be. What stands in a trust file
// everybody may read, and the digits of a seed look like those of a public key.
func isKeptSecret(path string) bool {
	info, err := os.Stat(path)
	return runtime.GOOS != "windows" && err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 == 0
}

// explainConfigure turns what keeps a key out of a trust file into what ends the command.
func explainConfigure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keys.ErrKeyHeld):
		return fail(archive.ExitNegative, "%w", err).
			hint("find out by another way than either came which is the provider's").
			hint("a new key comes under a new key_id, never under one that was used")
	}
	var broken *keys.TrustFault
	if errors.As(err, &broken) && broken.Rule == keys.RuleUnsupportedAlgorithm {
		return misuse("%w", err).
			hint("the format contextgraph-trust/1 admits keys of %s alone", sign.Ed25519).
			hint("give such a key to each run: verify --%s ALG --public-key KEY_ID=ALG:HEX, or --keys FILE where it was merely published", allowFlag)
	}
	return misuse("%w", err)
}
