package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// inRequest are the flags of sign whose values stand in a request.
var inRequest = []string{
	"key-id", "attester-id", "provider", "shape", "no-proofs", "issued-at", "fill-digests", "replace", "skip-unsignable", "publish-key",
	"allow-opaque-digest",
}

// signRequest signs the items of a request, which was made where the key is not. What is signed is shown before the key is
// opened: that may ask a person for a passphrase.
func signRequest(cmd *cobra.Command, env *environment, f *signFlags, args []string) error {
	if err := f.checkWithRequest(cmd, args); err != nil {
		return err
	}
	request, err := env.readRequest(cmd.Context(), f.request)
	if err != nil {
		return err
	}
	if err := request.Check(); err != nil {
		return explainTwoSteps(err)
	}
	if len(request.Items) == 0 {
		return fail(archive.ExitUnchecked, "--request: %q: %w: it has no items", f.request, archive.ErrNothingToSign)
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	env.showRequest(request)
	key, err := env.openKey(cmd, "--key", f.key)
	if err != nil {
		return err
	}
	defer key.Close()
	signatures, err := archive.SignRequest(request, key)
	if err != nil {
		return explainTwoSteps(err)
	}
	if err := closeKey(key); err != nil {
		return err
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	out.Write(archive.MarshalSignatures(signatures))
	if err := out.commit(); err != nil {
		return err
	}
	fmt.Fprintf(env.stderr, "signed %s\n", counted(len(signatures), "item"))
	return nil
}

func (f *signFlags) checkWithRequest(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return misuse("--request takes no IN, found %.128q", args[0]).
			hint("the signatures go into the input with %s attach", program)
	}
	for _, name := range inRequest {
		if cmd.Flags().Changed(name) {
			return misuse("--%s does not go with --request: its value stands in the request", name).
				hint("give it to %s prepare", program)
		}
	}
	if _, present, err := given(cmd, "key"); err != nil {
		return err
	} else if !present {
		return misuse("--key is missing").usage(cmd)
	}
	return nil
}

// readRequest reads the file of --request.
func (env *environment) readRequest(ctx context.Context, path string) (*archive.Request, error) {
	data, err := env.readInput(ctx, "--request", path)
	if err != nil {
		return nil, err
	}
	request, err := archive.ParseRequestOf(env.algorithms(), data)
	if err != nil {
		return nil, fail(archive.ExitUnreadable, "--request: %q: %w", path, err).hint("%s prepare writes requests", program)
	}
	return request, nil
}

// readInput reads all, as it stands, of the input that an argument or flag of this name asks for.
func (env *environment) readInput(ctx context.Context, name, path string) ([]byte, error) {
	if path == standardInput {
		if err := env.claimStdin(name); err != nil {
			return nil, err
		}
	}
	data, err := env.readRaw(ctx, path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	return data, nil
}

// showRequest says on standard error what is about to be signed, every item of it.
func (env *environment) showRequest(r *archive.Request) {
	say := func(format string, args ...any) { fmt.Fprintf(env.stderr, format+"\n", args...) }
	say("a request for %s, in the shape %s, under key_id %s and key %s", counted(len(r.Items), "signature"), r.Shape, quote(r.KeyID), r.Key)
	for i := range r.Items {
		it := &r.Items[i]
		if it.Frame == nil {
			say("item %s: root %s over %s, record %d", quote(it.Item), it.Commitment, counted(len(it.Leaves), "frame"), it.Record)
			continue
		}
		say("item %s: commitment %s to frame %s of provider %s with content_digest %s, record %d", quote(it.Item), it.Commitment,
			quote(it.Frame.FrameID), quote(it.Frame.ProviderID), quote(it.Frame.ContentDigest.OrEmpty()), it.Record)
	}
	say("claims that no signature covers: attester_id %s, issued_at %s", quote(r.AttesterID), quote(r.IssuedAt.String()))
	env.warnUndefined(r.Key.Algorithm)
}

// refusals are the errors of signing in two steps by which something is refused, and what to do about each.
var refusals = []struct {
	is   error
	hint string
}{
	{archive.ErrItemMismatch, "the request was changed after it was made: have it made again with " + program + " prepare"},
	{archive.ErrOtherKey, "sign with the key that the request was prepared for, or prepare one for this key"},
	{archive.ErrInputChanged, "attach to the very file that was given to prepare, or prepare a request for this one"},
	{archive.ErrRequestMismatch, "give attach the request that prepare wrote here, not a copy that was elsewhere"},
	{archive.ErrUnknownItem, "give attach the signatures that were made for this request, by the names of its items"},
	{archive.ErrDuplicateSignature, "give one signature for each item"},
	{archive.ErrMissingSignature, "give a signature for each item of the request"},
	{archive.ErrWrongSignature, "sign the 32 bytes of the item's message as plain Ed25519, or with whatever its key is for, with the request's key, as prepare --messages writes them"},
	{sign.ErrMalformedKey, archive.RuleWeakKey.Hint()},
	{sign.ErrSignerMismatch, archive.RuleSignerMismatch.Hint()},
}

// explainTwoSteps turns an error of archive.SignRequest or archive.Attach into what ends the command.
func explainTwoSteps(err error) error {
	var refusal *archive.Refusal
	if errors.As(err, &refusal) {
		return explainSigning(err)
	}
	for _, r := range refusals {
		if errors.Is(err, r.is) {
			return fail(archive.ExitNegative, "%w", err).hint("%s", r.hint)
		}
	}
	return explainSigning(err)
}
