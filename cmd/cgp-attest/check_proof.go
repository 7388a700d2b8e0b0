package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// checkProof judges one inclusion proof.
func checkProof(cmd *cobra.Command, env *environment, f *checkFlags) error {
	if err := f.proofUsage(cmd); err != nil {
		return err
	}
	to := archive.ProofRoot{}
	var unusable error
	var err error
	if f.root != "" {
		if to.Root, err = commitment.ParseDigest(f.root); err != nil {
			return misuse("--root: %w", err)
		}
	} else if to.Key, unusable, err = env.readTestedKey(cmd.Context(), f.publicKey); err != nil {
		return err
	}
	leaf := sign.Subject{BindsContent: true}
	if f.commitment != "" {
		if leaf.Commitment, err = commitment.ParseDigest(f.commitment); err != nil {
			return misuse("--commitment: %w", err)
		}
	}
	for _, in := range []struct{ flag, path string }{{"--proof", f.proof}, {"--frame", f.frame}, {"--attestation", f.attestation}} {
		if in.path == standardInput {
			if err := env.claimStdin(in.flag); err != nil {
				return err
			}
		}
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	result, unread := env.checkProofFiles(cmd, f, leaf, to)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if unread != nil {
		result = archive.CheckResult{Detail: unread.Error()}
	}
	if result.Verdict == sign.MalformedKey && unusable != nil {
		result.Detail = unusable.Error()
	}
	return f.finish(out, &result, unread)
}

// proofUsage checks that a leaf and a root were given, each in one way.
func (f *checkFlags) proofUsage(cmd *cobra.Command) error {
	has := make(map[string]bool)
	for _, name := range []string{"commitment", "frame", "provider", "root", "attestation", "public-key"} {
		_, present, err := given(cmd, name)
		if err != nil {
			return err
		}
		has[name] = present
	}
	var wrong *failure
	switch {
	case has["commitment"] == has["frame"]:
		wrong = misuse("--proof wants the leaf: --commitment, or --frame with --provider")
	case has["frame"] != has["provider"]:
		wrong = misuse("--frame and --provider belong together: the provider's name is in the commitment")
	case has["root"] == has["attestation"]:
		wrong = misuse("--proof wants the root: --root, or --attestation with --public-key")
	case has["attestation"] != has["public-key"]:
		wrong = misuse("--attestation and --public-key belong together")
	default:
		return nil
	}
	return wrong.hint("usage: %s --proof FILE (--commitment DIGEST | --frame FILE --provider NAME) "+
		"(--root DIGEST | --attestation FILE --public-key KEY)", cmd.CommandPath())
}

// checkProofFiles reads what the flags name and judges it. The error says which file is not what it is to be.
func (env *environment) checkProofFiles(cmd *cobra.Command, f *checkFlags, leaf sign.Subject, to archive.ProofRoot) (archive.CheckResult, error) {
	proof, err := env.readLimited(cmd.Context(), f.proof)
	if err != nil {
		return archive.CheckResult{}, fmt.Errorf("--proof: %w", err)
	}
	if f.frame != "" {
		data, err := env.readAll(cmd.Context(), f.frame)
		if err == nil {
			leaf, err = archive.FrameSubject(data, f.provider)
		}
		if err != nil {
			return archive.CheckResult{}, fmt.Errorf("--frame: %w", err)
		}
	}
	if f.attestation != "" {
		if to.Attestation, err = env.readLimited(cmd.Context(), f.attestation); err != nil {
			return archive.CheckResult{}, fmt.Errorf("--attestation: %w", err)
		}
	}
	return archive.CheckProof(f.algorithms, proof, leaf, to)
}
