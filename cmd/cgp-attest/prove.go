package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

type proveFlags struct {
	frames   []string
	all      bool
	provider string
	record   count
	output   string
}

func newProveCmd(env *environment) *cobra.Command {
	f := &proveFlags{}
	cmd := &cobra.Command{
		Use:   "prove (--frame ID[@DIGEST]... | --all) [flags] [IN]",
		Short: "print inclusion proofs for frames of an answer",
		Example: `  ` + program + ` prove --frame opening answer.json
  ` + program + ` prove --all --record 4 answers.ndjson`,
		Long: `Makes the inclusion proofs for frames of a complete answer and prints them as a
JSON array of {frame, inclusion_proof}. No key is needed: a proof says where a
frame stands in the tree, and verify says whether anybody signed its root. An
answer that states another root than the one over its frames is refused.

An ID is taken whole first; where no frame has it, it is split at the last @.
ID@ is the frame without a digest.

Exit code: 0 proven; 1 refused; 2 usage, or no such frame; 3 no answer was
there; 4 IN could not be read.`,
		DisableFlagsInUseLine: true,
		Args:                  between(0, 1, "one IN"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return prove(cmd, env, f, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.frames, "frame", nil, "prove the frame `ID[@DIGEST]`; may be repeated")
	flags.BoolVar(&f.all, "all", false, "prove every frame")
	flags.StringVar(&f.provider, "provider", "", "the `NAME` that the provider declares, whatever the input says")
	flags.Var(&f.record, "record", "the answer is record `N` of the input, from 1")
	addOutput(cmd, env, &f.output)
	return cmd
}

func prove(cmd *cobra.Command, env *environment, f *proveFlags, args []string) error {
	if f.all == (len(f.frames) > 0) {
		if f.all {
			return misuse("--frame and --all were both given, want one of them").usage(cmd)
		}
		return misuse("which frames to prove is missing: want --frame ID or --all").usage(cmd)
	}
	provider, named, err := given(cmd, "provider")
	if err != nil {
		return err
	}
	opt := archive.ProveOptions{Record: uint64(f.record)}
	if named {
		opt.Provider = commitment.Some(provider)
	}
	for _, id := range f.frames {
		opt.Frames = append(opt.Frames, archive.RefText(id))
	}
	in, err := env.inputOf(args, false)
	if err != nil {
		return err
	}
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
	reader, err := env.open(cmd.Context(), in)
	if err != nil {
		return unreadable(in, err)
	}
	defer reader.Close()
	opt.Source = in
	result, err := archive.Prove(reader, opt)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if err != nil {
		return explainRetaining(err)
	}
	fmt.Fprintf(out, "%s\n", result.AppendJSON(nil))
	if err := out.commit(); err != nil {
		return err
	}
	signed := "no root is signed"
	if result.Signed {
		signed = "the answer states it as the signed one; verify says whether it was signed"
	}
	fmt.Fprintf(env.stderr, "%s of provider %s under the root %s: %s\n",
		counted(len(result.Proofs), "proof"), quote(result.ProviderID), result.Root, signed)
	return nil
}

// explainRetaining turns an error of archive.Prove or archive.Retain into what ends the command.
func explainRetaining(err error) error {
	var (
		refusal *archive.RetainRefusal
		record  *archive.RecordError
	)
	switch {
	case errors.As(err, &refusal):
		return fail(archive.ExitNegative, "%w", err).hint("%s", refusal.Rule.Hint())
	case errors.As(err, &record):
		return explainRecord(record)
	case errors.Is(err, archive.ErrNoAnswer):
		return fail(archive.ExitUnchecked, "%w", err).hint("%s inspect shows what an input holds", program)
	case errors.Is(err, archive.ErrNothingKept):
		return misuse("%w", err).hint("drop fewer frames, or name those to keep with --keep")
	case errors.Is(err, archive.ErrNoProvider):
		return misuse("%w", err).hint("name the provider with --provider, exactly as its handshake_ack declares it")
	case errors.Is(err, archive.ErrSeveralAnswers):
		return misuse("%w", err).hint("choose one with --record N; records count from 1, as in the report of verify")
	case errors.Is(err, archive.ErrUnknownFrame):
		return misuse("%w", err).hint("%s commit lists the frames of an answer", program)
	case errors.Is(err, archive.ErrAmbiguousFrame):
		return misuse("%w", err).hint("name it as ID@DIGEST, or with a line of --keep-from as JSON")
	case errors.Is(err, archive.ErrUnverified):
		return fail(archive.ExitInternal, "%w", err)
	}
	return misuse("%w", err)
}
