package main

import (
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

type signFlags struct {
	key      string
	request  string
	shape    *choice
	issuedAt string
	output   string
	options  archive.SignOptions
}

func newSignCmd(env *environment) *cobra.Command {
	f := &signFlags{}
	cmd := &cobra.Command{
		Use:   "sign --key REF (--key-id ID [flags] [IN] | --request REQUEST)",
		Short: "sign every answer of an input and write it again",
		Example: `  # Sign a saved session; the provider's name stands in its handshake_ack
  ` + program + ` sign --key docs.pem --key-id docs-2026-08 -o out.ndjson in.ndjson
  # In a build step: a bare result, the same bytes every time
  ` + program + ` sign --key docs.pem --key-id docs-2026-08 --provider docs \
      --issued-at 2026-08-29T12:00:00Z -o signed.json result.json
  # On the machine that has the key: between prepare and attach
  ` + program + ` sign --key docs.pem --request request.json -o signatures.json
  # The key from a CI secret, from ssh-agent, from a program that asks an HSM
  ` + program + ` sign --key env:SIGNING_KEY --key-id docs-2026-08 answer.json
  ` + program + ` sign --key agent:docs.key --key-id docs-2026-08 answer.json
  ` + program + ` sign --key exec:./pkcs11.py --key-id docs-2026-08 answer.json`,
		Long: `Every byte of the input outside of what is inserted stays as it was. IN is
standard input where it is missing. -o may name IN itself, which is then signed
in place, and no other file of the command line.

` + keyReferences + `
Use the key for nothing else: what it signs is a bare hash.

--request signs what ` + program + ` prepare asks for, and nothing else: every
commitment is computed again from what stands beside it, and what is signed is
listed on standard error before the key is used. It takes no IN, and no flag
that stands in the request.

Exit code: 0 signed; 1 refused, with the frame and the rule; 2 usage, or the key
cannot be reached or does not sign, or the output cannot be created; 3 nothing
was there to sign, or an answer was left out by --skip-unsignable; 4 the input
could not be read; 5 internal error, or the output could not be written whole.
Nothing is written but for 0, and for the 3 of --skip-unsignable.`,
		Args: between(0, 1, "one IN"),
		RunE: func(cmd *cobra.Command, args []string) error { return signInput(cmd, env, f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.key, "key", "", "`REF` to the private key: a path, -, env:NAME, fd:N, agent:KEY or exec:PATH")
	addPassphrase(cmd)
	flags.StringVar(&f.request, "request", "", "sign the items of `REQUEST`, a file that prepare wrote, or - for standard input")
	f.addOptions(cmd)
	addOutput(cmd, env, &f.output, inputArgument)
	return cmd
}

// addOptions adds the flags that say what is signed and how it is written.
func (f *signFlags) addOptions(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.options.KeyID, "key-id", "", "`ID` under which verifiers know the key")
	flags.StringVar(&f.options.AttesterID, "attester-id", "", "`ID` of the attester, a claim (default: the provider)")
	flags.String("provider", "", "declared `NAME` to sign under (default: the one in the input's handshake_ack)")
	f.shape = addChoice(cmd, "shape", "what is signed: root (and a proof for every frame), frames or both",
		string(archive.ShapeRoot), string(archive.ShapeFrames), string(archive.ShapeBoth))
	flags.BoolVar(&f.options.NoProofs, "no-proofs", false, "write no inclusion proofs")
	flags.StringVar(&f.issuedAt, "issued-at", "", "`INSTANT` to write, a claim (default: SOURCE_DATE_EPOCH, else the clock)")
	flags.BoolVar(&f.options.FillDigests, "fill-digests", false, "insert missing content_digest members")
	flags.BoolVar(&f.options.Replace, "replace", false, "replace the evidence that an answer already carries")
	flags.BoolVar(&f.options.SkipUnsignable, "skip-unsignable", false, "leave answers that are refused as they are; exit 3")
	flags.BoolVar(&f.options.PublishKey, "publish-key", false, "add the public key to the handshake_ack of the input")
	flags.BoolVar(&f.options.AllowOpaqueDigest, "allow-opaque-digest", false, "sign digests that cannot be compared with the content")
}

func signInput(cmd *cobra.Command, env *environment, f *signFlags, args []string) error {
	if _, present, err := given(cmd, "request"); err != nil {
		return err
	} else if present {
		return signRequest(cmd, env, f, args)
	}
	in, err := env.inputOf(args, f.key == standardInput)
	if err != nil {
		return err
	}
	if err := f.complete(cmd, env, "key", "key-id"); err != nil {
		return err
	}
	key, err := env.openKey(cmd, "--key", f.key)
	if err != nil {
		return err
	}
	defer key.Close()
	f.options.Key = key
	if in == standardInput {
		if err := env.claimStdin("IN"); err != nil {
			return err
		}
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	data, err := env.readRaw(cmd.Context(), in)
	if err != nil {
		return unreadable(in, err)
	}
	f.options.Source, f.options.Algorithms = in, env.algorithms()
	result, err := archive.Sign(data, f.options)
	if err != nil {
		return explainSigning(err)
	}
	if err := closeKey(key); err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	out.Write(result.Output)
	if err := out.commit(); err != nil {
		return err
	}
	env.warnUndefined(key.PublicKey().Algorithm)
	return summarize(env, f.options.KeyID, result)
}

// inputOf returns the input that the arguments name: standard input where they name none, unless nothing would come of it.
func (env *environment) inputOf(args []string, stdinTaken bool) (string, error) {
	switch {
	case len(args) > 0:
		return args[0], nil
	case env.stdinIsTerminal && !stdinTaken:
		return "", misuse("IN is missing, and standard input is a terminal").
			hint("name a file, or - to type the input")
	}
	return standardInput, nil
}

// complete checks that required flags are there, and reads what the others say.
func (f *signFlags) complete(cmd *cobra.Command, env *environment, required ...string) error {
	for _, name := range required {
		if _, present, err := given(cmd, name); err != nil {
			return err
		} else if !present {
			return misuse("--%s is missing", name).
				hint("%s key generate makes a key; its key_id is yours to choose, a new one for every key", program)
		}
	}
	if _, _, err := given(cmd, "attester-id"); err != nil {
		return err
	}
	provider, named, err := given(cmd, "provider")
	if err != nil {
		return err
	}
	if named {
		f.options.Provider = commitment.Some(provider)
	}
	f.options.Shape = archive.Shape(f.shape.value)
	f.options.IssuedAt, err = env.issuedAt(f.issuedAt)
	return err
}

// issuedAt returns the instant to write: what the command line says, else SOURCE_DATE_EPOCH
// (https://reproducible-builds.org/specs/source-date-epoch/), else the clock, in whole seconds.
func (env *environment) issuedAt(text string) (commitment.Instant, error) {
	if text != "" {
		at, err := commitment.ParseInstant(text)
		if err != nil {
			return at, misuse("--issued-at: %w", err).hint("as in 2026-08-29T12:00:00Z")
		}
		return at, nil
	}
	if epoch := env.getenv("SOURCE_DATE_EPOCH"); epoch != "" {
		seconds, err := strconv.ParseUint(epoch, 10, 63)
		if err != nil || seconds > lastSecond {
			return commitment.Instant{}, misuse("SOURCE_DATE_EPOCH is %.80q, want seconds since 1970, at most %d", epoch, uint64(lastSecond))
		}
		return commitment.InstantOf(time.Unix(int64(seconds), 0)), nil
	}
	return commitment.InstantOf(env.now().Truncate(time.Second)), nil
}

// lastSecond is 9999-12-31T23:59:59Z, after which there is no instant (CGP F4).
const lastSecond = 253402300799

// unreadable is the failure of an input that cannot be read.
func unreadable(path string, err error) error {
	return fail(archive.ExitUnreadable, "%q cannot be read: %w", path, err)
}

// explainSigning turns an error of archive.Sign into what ends the command.
func explainSigning(err error) error {
	var (
		refusal *archive.Refusal
		record  *archive.RecordError
	)
	switch {
	case errors.As(err, &refusal):
		f := fail(archive.ExitNegative, "%w", err)
		if help := refusal.Rule.Hint(); help != "" {
			f.hint("%s", help)
		}
		return f
	case errors.As(err, &record):
		return explainRecord(record)
	case errors.Is(err, archive.ErrNothingToSign):
		return fail(archive.ExitUnchecked, "%w", err).hint("%s inspect shows what an input holds", program)
	case errors.Is(err, archive.ErrNoProvider):
		return misuse("%w", err).hint("name the provider with --provider, exactly as its handshake_ack declares it")
	case errors.Is(err, archive.ErrNoHandshake):
		return misuse("%w", err).hint("leave --publish-key out, or sign a session that begins with the handshake_ack")
	case errors.Is(err, sign.ErrMalformedID):
		return misuse("%w", err)
	}
	if f := explainSigner(err); f != nil {
		return f
	}
	return fail(archive.ExitInternal, "%w", err)
}

func explainRecord(e *archive.RecordError) error {
	if e.Record == 0 {
		return fail(archive.ExitUnreadable, "%s: %s", e.Source, recordText(e))
	}
	return fail(archive.ExitUnreadable, "%s, %s", e.Source, recordText(e))
}

// recordText says which record cannot be read and where the fault is; of a source that cannot be read, how far it could be.
func recordText(e *archive.RecordError) string {
	switch {
	case e.Record == 0 && e.At == 0:
		return fmt.Sprintf("%s: %s", e.Code, e.Detail)
	case e.Record == 0:
		return fmt.Sprintf("%s at byte %d: %s", e.Code, e.At, e.Detail)
	case e.At == e.Offset:
		return fmt.Sprintf("record %d at byte %d: %s: %s", e.Record, e.Offset, e.Code, e.Detail)
	}
	return fmt.Sprintf("record %d at byte %d: %s at byte %d: %s", e.Record, e.Offset, e.Code, e.At, e.Detail)
}

// summarize says on standard error what was signed and what was not.
func summarize(env *environment, keyID string, r *archive.SignResult) error {
	say := func(format string, args ...any) { fmt.Fprintf(env.stderr, format+"\n", args...) }
	say("signed %s of provider %s under key_id %s", counted(r.Signed, "answer"), quote(r.Provider), quote(keyID))
	if r.Copied > 0 {
		say("copied %s of other providers", counted(r.Copied, "answer"))
	}
	if r.Undeclared > 0 {
		say("%s in a session that declares another provider: verify with --provider %s", counted(r.Undeclared, "answer"), quote(r.Provider))
	}
	return complainSkipped(env, r.Skipped)
}

// complainSkipped names the answers that were left out.
func complainSkipped(env *environment, skipped []archive.Refusal) error {
	if len(skipped) == 0 {
		return nil
	}
	for i := range skipped {
		complain(env.stderr, skipped[i].Error(), skipped[i].Rule.Hint())
	}
	return exit(archive.ExitUnchecked)
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
