package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
)

type attachFlags struct {
	request    string
	signatures string
	signature  []string
	output     string
}

func newAttachCmd(env *environment) *cobra.Command {
	f := &attachFlags{}
	cmd := &cobra.Command{
		Use:   "attach --request REQUEST --signatures SIGS [flags] [IN]",
		Short: "write signatures that were made elsewhere into the input",
		Example: `  ` + program + ` attach --request request.json --signatures signatures.json \
      -o out.ndjson in.ndjson
  # Signatures of another tool, one for each item
  ` + program + ` attach --request request.json --signature 1-8c2a…=root.sig \
      --signature 2-8c2a…=frame.sig -o out.ndjson in.ndjson`,
		Long: `Writes what sign would have written with the key, with the flags that prepare
was given: they stand in REQUEST. IN is the file that prepare was given, to the
byte; standard input where it is missing. What is to be signed is found out
again from IN and has to be what REQUEST says; every signature is verified
before anything is written.

Give it the REQUEST that prepare wrote here, not a copy that was elsewhere: the
key_id, the attester_id and the issued_at in it are covered by no signature.
-o may name IN itself, and no other file of the command line.

FILE of --signature holds raw bytes, for Ed25519 64, or twice as many
hexadecimal digits.

Exit code: 0 signed; 1 refused: another input, key, request or item, a signature
too many, too few or wrong; 2 usage, or the output cannot be created; 3 an
answer was left out by the --skip-unsignable of prepare; 4 a file could not be
read; 5 internal error, or the output could not be written whole. Nothing is
written but for 0 and 3.`,
		Args: between(0, 1, "one IN"),
		RunE: func(cmd *cobra.Command, args []string) error { return attach(cmd, env, f, args) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.request, "request", "", "the `REQUEST` that prepare wrote, or - for standard input")
	flags.StringVar(&f.signatures, "signatures", "", "`SIGS`, the file that sign --request wrote, or - for standard input")
	flags.StringArrayVar(&f.signature, "signature", nil, "`ITEM=FILE`: the signature for one item of the request; once for each")
	addOutput(cmd, env, &f.output, inputArgument)
	return cmd
}

func attach(cmd *cobra.Command, env *environment, f *attachFlags, args []string) error {
	in, err := env.inputOf(args, f.request == standardInput || f.signatures == standardInput)
	if err != nil {
		return err
	}
	if err := f.check(cmd); err != nil {
		return err
	}
	request, err := env.readRequest(cmd.Context(), f.request)
	if err != nil {
		return err
	}
	signatures, err := f.readSignatures(cmd.Context(), env, request)
	if err != nil {
		return err
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	data, err := env.readInput(cmd.Context(), "IN", in)
	if err != nil {
		return err
	}
	result, err := archive.Attach(data, request, signatures, archive.AttachOptions{Source: in})
	if err != nil {
		return explainTwoSteps(err)
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	out.Write(result.Output)
	if err := out.commit(); err != nil {
		return err
	}
	env.warnUndefined(request.Key.Algorithm)
	return summarize(env, request.KeyID, result)
}

func (f *attachFlags) check(cmd *cobra.Command) error {
	if _, present, err := given(cmd, "request"); err != nil {
		return err
	} else if !present {
		return misuse("--request is missing").hint("%s prepare writes requests", program)
	}
	_, file, err := given(cmd, "signatures")
	switch {
	case err != nil:
		return err
	case file && len(f.signature) > 0:
		return misuse("--signatures and --signature do not go together")
	case !file && len(f.signature) == 0:
		return misuse("the signatures are missing: want --signatures SIGS, or --signature ITEM=FILE for each item").
			hint("%s sign --request makes them", program)
	}
	return nil
}

func (f *attachFlags) readSignatures(ctx context.Context, env *environment, request *archive.Request) ([]archive.ItemSignature, error) {
	if len(f.signature) == 0 {
		data, err := env.readInput(ctx, "--signatures", f.signatures)
		if err != nil {
			return nil, err
		}
		signatures, err := request.ParseSignatures(data)
		if err != nil {
			return nil, fail(archive.ExitUnreadable, "--signatures: %q: %w", f.signatures, err).
				hint("a signature as another tool writes it is given with --signature ITEM=FILE")
		}
		return signatures, nil
	}
	var signatures []archive.ItemSignature
	for _, text := range f.signature {
		item, path, ok := strings.Cut(text, "=")
		if !ok || item == "" || path == "" {
			return nil, misuse("--signature: found %.128q, want ITEM=FILE", text).
				hint("the items of a request are named in it, as in 1-331e76ce414bd65b; %s sign --request shows them", program)
		}
		data, err := env.readInput(ctx, "--signature", path)
		if err != nil {
			return nil, err
		}
		signature, err := request.ParseSignature(data)
		if err != nil {
			return nil, fail(archive.ExitUnreadable, "--signature: %q: %w", path, err)
		}
		signatures = append(signatures, archive.ItemSignature{Item: item, Signature: signature})
	}
	return signatures, nil
}
