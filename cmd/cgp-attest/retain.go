package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
)

type retainFlags struct {
	keep, drop []string
	keepFrom   string
	record     count
	form       *choice
	verify     verifyFlags // the keys and whom they are looked up for
}

func newRetainCmd(env *environment) *cobra.Command {
	f := &retainFlags{}
	cmd := &cobra.Command{
		Use: `retain (--keep ID[@DIGEST]... | --keep-from FILE | --drop ID...)
      [flags] [IN...]`,
		Short: "keep a few frames of an answer and still prove them",
		Example: `  ` + program + ` retain --keep opening -o kept.json answer.json
  ` + program + ` retain --drop sunday --record 4 answers.ndjson
  # Frames named in a file, from whole archives, a line a subset
  ` + program + ` retain --keep-from frames -o kept.ndjson may.ndjson june.ndjson`,
		Long: `Keeps the frames that are named, with what proves them: their own signatures,
and inclusion proofs under the signed root. Do it before the rest is dropped:
afterwards nothing can make the proofs.

The root over all frames has to be the signed one, for which no key is needed;
a key at hand under which a signature is bad refuses. What is written is judged
before it is written. verify reads it like any other answer.

With --keep-from every answer of every IN is looked through for the frames, and
one line is written for each that has some. FILE has a FrameId as JSON, or an
ID[@DIGEST], a line.

Exit code: 0 every kept frame verified under a key at hand, were it merely a
published one; 1 refused, nothing written; 2 usage, or no such frame; 3 written,
but not all verified: nobody here holds the key, or no answer was there; 4 IN
could not be read.`,
		DisableFlagsInUseLine: true,
		Args:                  between(0, -1, "IN"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return retain(cmd, env, f, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.keep, "keep", nil, "keep the frame `ID[@DIGEST]`; may be repeated")
	flags.StringVar(&f.keepFrom, "keep-from", "", "keep the frames named in `FILE`, in every answer; - for standard input")
	flags.StringArrayVar(&f.drop, "drop", nil, "keep all frames but `ID[@DIGEST]`; may be repeated")
	flags.Var(&f.record, "record", "the answer is record `N` of the input, from 1")
	f.form = addChoice(cmd, "format", "evidence (cgp-evidence/1), or envelope: a frames message, where every kept frame has its own signature",
		string(archive.RetainEvidence), string(archive.RetainEnvelope))
	flags.StringArrayVar(&f.verify.trustFiles, "trust", nil, "check with the keys of a trust file: `FILE`, or - for standard input; may be repeated")
	flags.StringArrayVar(&f.verify.publicKeys, "public-key", nil, "check with a key, `[LOCAL_ID:]KEY_ID=[ALG:]HEX`; may be repeated")
	flags.StringArrayVar(&f.verify.keyFiles, "keys", nil, "check with published keys from `FILE`, and carry those that the evidence names; may be repeated")
	addAllowAlgorithm(cmd, env, &f.verify.algorithms)
	flags.StringVar(&f.verify.provider, "provider", "", "the `NAME` that the provider declares, whatever the input says")
	flags.StringVar(&f.verify.localID, "local-id", "", "look keys up under `ID` instead of the declared name")
	flags.StringVar(&f.verify.receivedAt, "received-at", receivedNow, "compare windows of keys with this `INSTANT`; \"now\": with the present one; \"archive\": with each record's own received_at")
	addOutput(cmd, env, &f.verify.output)
	return cmd
}

func retain(cmd *cobra.Command, env *environment, f *retainFlags, args []string) error {
	if len(args) == 0 {
		in, err := env.inputOf(args, f.keepFrom == standardInput)
		if err != nil {
			return err
		}
		args = []string{in}
	}
	for _, in := range args {
		if in == standardInput {
			if err := env.claimStdin("IN"); err != nil {
				return err
			}
		}
	}
	opt, err := f.options(cmd, env)
	if err != nil {
		return err
	}
	if len(args) > 1 && !opt.Everywhere {
		return misuse("several inputs: --keep and --drop choose frames of one answer").
			hint("name the frames with --keep-from to look for them in every answer")
	}
	out, err := env.create(cmd.Context(), f.verify.output)
	if err != nil {
		return err
	}
	defer out.discard()
	subsets, err := env.retainAll(cmd.Context(), opt, args)
	if cut := cmd.Context().Err(); cut != nil {
		return cut
	}
	if err != nil {
		return err
	}
	for i := range subsets {
		out.Write(subsets[i].Output)
	}
	if err := out.commit(); err != nil {
		return err
	}
	return sayRetained(env, opt.Form, subsets)
}

// retainAll keeps the frames of every input. Each reference has to be found in one of them.
func (env *environment) retainAll(ctx context.Context, opt archive.RetainOptions, inputs []string) ([]archive.Subset, error) {
	sources := make([]archive.Source, len(inputs))
	for i, in := range inputs {
		sources[i] = env.source(ctx, in)
	}
	subsets, err := archive.RetainAll(sources, opt)
	if err != nil {
		return nil, explainRetaining(err)
	}
	return subsets, nil
}

// options reads the flags.
func (f *retainFlags) options(cmd *cobra.Command, env *environment) (opt archive.RetainOptions, err error) {
	f.verify.require = &choice{}
	v, err := f.verify.verifier(cmd, env)
	if err != nil {
		return opt, err
	}
	opt = archive.RetainOptions{
		Keys: v.Keys, Provider: v.Policy.Provider, LocalID: v.Policy.LocalID, ReceivedAt: v.Policy.ReceivedAt,
		Record: uint64(f.record), Form: archive.RetainForm(f.form.value),
	}
	for _, id := range f.keep {
		opt.Keep = append(opt.Keep, archive.RefText(id))
	}
	for _, id := range f.drop {
		opt.Drop = append(opt.Drop, archive.RefText(id))
	}
	path, named, err := given(cmd, "keep-from")
	if err != nil {
		return opt, err
	}
	if named {
		if path == standardInput {
			if err := env.claimStdin("--keep-from"); err != nil {
				return opt, err
			}
		}
		data, err := env.readAll(cmd.Context(), path)
		if err != nil {
			return opt, misuse("--keep-from: %w", err)
		}
		refs, err := archive.ParseRefs(string(data))
		if err != nil {
			return opt, misuse("--keep-from: %q: %w", path, err)
		}
		opt.Keep = append(opt.Keep, refs...)
		opt.Everywhere = opt.Record == 0
	}
	if (len(opt.Keep) > 0) == (len(opt.Drop) > 0) {
		if len(opt.Keep) > 0 {
			return opt, misuse("frames to keep and frames to drop were both given, want one of them").usage(cmd)
		}
		return opt, misuse("which frames to keep is missing: want --keep or --keep-from, or frames to drop with --drop").usage(cmd)
	}
	return opt, nil
}

// maxSaid is up to how many subsets are told about one by one.
const maxSaid = 20

// sayRetained says on standard error what a receiver can and cannot check.
func sayRetained(env *environment, form archive.RetainForm, subsets []archive.Subset) error {
	say := func(format string, args ...any) { fmt.Fprintf(env.stderr, format+"\n", args...) }
	unverified, proofs, dropped := 0, 0, 0
	for i := range subsets {
		s := &subsets[i]
		proofs, dropped = proofs+s.Proofs, dropped+s.Dropped
		if !s.Verified {
			unverified++
		}
		if i >= maxSaid {
			continue
		}
		say("record %d: kept %d of %d frames of provider %s: with a signature %d, with an inclusion proof %d",
			s.Record, s.Kept, s.Kept+s.Dropped, quote(s.ProviderID), s.Signatures, s.Proofs)
	}
	if n := len(subsets) - maxSaid; n > 0 {
		say("and %s more", counted(n, "subset"))
	}
	say("a receiver can check: that each kept frame is what was signed, by %s", checkedBy(form, proofs))
	say("a receiver cannot check: how many frames the answer had, which others were in it, nor what no signature covers")
	switch {
	case proofs > 0 && dropped > 0:
		say("of the frames that were dropped a receiver learns their number, as a claim, and hashes of parts of the tree; who can " +
			"guess such a frame whole can confirm the guess")
	case dropped > 0:
		say("of the frames that were dropped a receiver learns nothing")
	}
	if len(subsets) == 0 {
		return fail(archive.ExitUnchecked, "no answer was there")
	}
	if unverified > 0 {
		f := fail(archive.ExitUnchecked, "not verified here: %s", counted(unverified, "subset"))
		if outOfService(subsets) {
			return f.hint("a key is held and out of service at the instant compared with: --received-at names the one at which the evidence was received")
		}
		return f.hint("nobody here holds a key that its evidence names: ask the provider for it, and verify what was written with --trust or --public-key")
	}
	return nil
}

// outOfService reports whether some evidence was left unverified by the window of its key.
func outOfService(subsets []archive.Subset) bool {
	for i := range subsets {
		if subsets[i].Verified {
			continue
		}
		for _, f := range subsets[i].Answer.Frames {
			if f.State == archive.StateKeyNotInService {
				return true
			}
		}
	}
	return false
}

func checkedBy(form archive.RetainForm, proofs int) string {
	if form == archive.RetainEnvelope || proofs == 0 {
		return "its own signature"
	}
	return "its proof under the signed root, or its own signature"
}
