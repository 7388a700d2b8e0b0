package main

import (
	"errors"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
)

type publishFlags struct {
	isPublic bool
	into     string
	output   string
}

func newKeyPublishCmd(env *environment) *cobra.Command {
	f := &publishFlags{}
	cmd := &cobra.Command{
		Use:   "publish --key-id ID [flags] REF",
		Short: "write the public key as a provider publishes it",
		Example: `  ` + program + ` key publish --key-id docs-2026-08 docs.key
  ` + program + ` key publish --key-id docs-2026-08 --into ack.json docs.key`,
		Long: `Prints an attester_keys array with the key. With --into it writes the
handshake_ack in ACK instead, with the key behind the keys that stand in it;
every other byte stays as it was; -o may name ACK itself. A key_id that is
published with other bytes is refused: rotation is a new key_id.

Exit code: 0 written; 1 refused; 2 usage, or the key is wrong, or there is no
handshake_ack, or the output cannot be created; 4 ACK could not be read; 5
internal error, or the output could not be written whole.

` + keyReferences,
		DisableFlagsInUseLine: true,
		Args:                  between(1, 1, "one REF"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return publishKey(cmd, env, f, args[0]) },
	}
	flags := cmd.Flags()
	flags.String("key-id", "", "`ID` under which verifiers are to know the key, a new one for every key")
	flags.StringVar(&f.into, "into", "", "write the handshake_ack in `ACK`, with the key in it; - for standard input")
	flags.BoolVar(&f.isPublic, "public", false, "REF holds a public key, also where it is hexadecimal digits")
	addPassphrase(cmd)
	addOutput(cmd, env, &f.output, "--into")
	return cmd
}

func publishKey(cmd *cobra.Command, env *environment, f *publishFlags, ref string) error {
	keyID, err := givenKeyID(cmd)
	if err != nil {
		return err
	}
	into, insert, err := given(cmd, "into")
	if err != nil {
		return err
	}
	if insert && into == standardInput {
		if err := env.claimStdin("--into"); err != nil {
			return err
		}
	}
	key, err := env.readShownKey(cmd, ref, f.isPublic)
	if err != nil {
		return err
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	text := append(keys.AppendPublished([]byte("["), keyID, key), "]\n"...)
	if insert {
		ack, err := env.readRaw(cmd.Context(), into)
		if err != nil {
			return unreadable(into, err)
		}
		if text, err = archive.PublishKeyOf(env.algorithms(), into, ack, keyID, key); err != nil {
			return explainPublishing(err)
		}
	}
	env.warnUndefined(key.Algorithm)
	out.Write(text)
	return out.commit()
}

// givenKeyID returns the value of --key-id, which must be there and is written into JSON.
func givenKeyID(cmd *cobra.Command) (string, error) {
	keyID, present, err := given(cmd, "key-id")
	switch {
	case err != nil:
		return "", err
	case !present:
		return "", misuse("--key-id is missing: verifiers know a key by it").usage(cmd)
	case !utf8.ValidString(keyID):
		return "", misuse("--key-id: %.128q is not UTF-8", keyID)
	}
	return keyID, nil
}

// explainPublishing turns an error of archive.PublishKey into what ends the command.
func explainPublishing(err error) error {
	var (
		refusal *archive.Refusal
		record  *archive.RecordError
	)
	switch {
	case errors.As(err, &refusal) && refusal.Record > 0:
		return fail(archive.ExitNegative, "%s, record %d at byte %d: refused to publish: %s: %s", refusal.Source, refusal.Record, refusal.Offset,
			refusal.Rule, refusal.Detail).hint("%s", refusal.Rule.Hint())
	case errors.As(err, &refusal):
		return fail(archive.ExitNegative, "%s: refused to publish: %s: %s", refusal.Source, refusal.Rule, refusal.Detail).
			hint("give the session of one provider alone")
	case errors.As(err, &record):
		return explainRecord(record)
	}
	return misuse("%w", err)
}
