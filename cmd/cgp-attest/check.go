package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/sign"
)

type checkFlags struct {
	commitment, attestation, publicKey string
	proof, frame, provider, root       string
	allow                              []string
	algorithms                         sign.Algorithms // that allow comes to
	format                             *choice
	output                             string
}

func newCheckCmd(env *environment) *cobra.Command {
	f := &checkFlags{}
	cmd := &cobra.Command{
		Use:   "check --commitment DIGEST --attestation FILE --public-key KEY",
		Short: "check one attestation or proof over a given commitment",
		Example: `  ` + program + ` check --commitment sha256:HEX --attestation attestation.json \
      --public-key docs.pub.pem
  # The root of an answer, as commit prints it
  ` + program + ` commit --format json answer.json
  ` + program + ` prove --frame opening answer.json |
      ` + program + ` check --proof - --commitment sha256:HEX --root sha256:HEX`,
		Long: `Judges a single attestation, without the answer that it stands in: whoever
calls this has recomputed the commitment himself. FILE holds the attestation's
JSON and nothing else; it may be -. The key is the thing under test too: one
that a strict verifier declines is the verdict malformed_key.

With --proof the commitment is a leaf (or --frame FILE --provider NAME in its
place), and the root that the proof leads to has to be the one that the
attestation signs (or --root DIGEST in place of --attestation and --public-key).
FILE holds an inclusion_proof, an object that has one, or an array of one such
object, as prove prints it. A root that was merely given says nothing of who
signed it.

Exit code: 0 valid; 1 a negative verdict; 2 usage; 3 unknown_algorithm or
valid_identity_only; 4 FILE is no attestation, proof or frame: no JSON, or a
member is missing.`,
		DisableFlagsInUseLine: true,
		Args:                  between(0, 0, ""),
		RunE:                  func(cmd *cobra.Command, _ []string) error { return check(cmd, env, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.commitment, "commitment", "", "what must have been signed: `DIGEST`, sha256: and 64 lowercase hexadecimal digits")
	flags.StringVar(&f.attestation, "attestation", "", "the attestation's JSON: `FILE`, or - for standard input")
	flags.StringVar(&f.publicKey, "public-key", "", "the `KEY`: hexadecimal digits, behind ALG: where it is not one of ed25519, or the path of a file with a public key")
	flags.StringVar(&f.proof, "proof", "", "judge the inclusion proof in `FILE`, or - for standard input")
	flags.StringVar(&f.frame, "frame", "", "with --proof: the frame's JSON in `FILE` in place of its commitment, or - for standard input")
	flags.StringVar(&f.provider, "provider", "", "with --frame: the `NAME` that the provider declares")
	flags.StringVar(&f.root, "root", "", "with --proof: the root, `DIGEST`, that it has to lead to")
	addAllowAlgorithm(cmd, env, &f.allow)
	f.format = addChoice(cmd, "format", "text or json", formatText, formatJSON)
	addOutput(cmd, env, &f.output)
	return cmd
}

func check(cmd *cobra.Command, env *environment, f *checkFlags) (err error) {
	if f.algorithms, err = env.allowed(f.allow); err != nil {
		return err
	}
	if _, present, err := given(cmd, "proof"); err != nil {
		return err
	} else if present {
		return checkProof(cmd, env, f)
	}
	for _, name := range []string{"frame", "provider", "root"} {
		if cmd.Flags().Changed(name) {
			return misuse("--%s belongs to --proof", name).usage(cmd)
		}
	}
	for _, name := range []string{"commitment", "attestation", "public-key"} {
		if _, present, err := given(cmd, name); err != nil {
			return err
		} else if !present {
			return misuse("--%s is missing", name).usage(cmd)
		}
	}
	want, err := commitment.ParseDigest(f.commitment)
	if err != nil {
		return misuse("--commitment: %w", err)
	}
	key, unusable, err := env.readTestedKey(cmd.Context(), f.publicKey)
	if err != nil {
		return err
	}
	if f.attestation == standardInput {
		if err := env.claimStdin("--attestation"); err != nil {
			return err
		}
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	result, unread := env.checkFile(cmd.Context(), f, want, key)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if result.Verdict == sign.MalformedKey && unusable != nil {
		result.Detail = unusable.Error()
	}
	if unread != nil {
		unread = fmt.Errorf("--attestation: %w", unread)
	}
	return f.finish(out, &result, unread)
}

// finish writes a result and ends the command with the exit code of its verdict.
func (f *checkFlags) finish(out *output, result *archive.CheckResult, unread error) error {
	if f.format.value == formatJSON {
		fmt.Fprintf(out, "%s\n", appendCheck(nil, result))
	} else {
		writeCheck(out, result)
	}
	if err := out.commit(); err != nil {
		return err
	}
	if unread != nil {
		return fail(archive.ExitUnreadable, "%w", unread)
	}
	return exit(exitOf(result.Verdict))
}

// checkFile judges the attestation in a file. Where there is none the result has no verdict, and the error says why.
func (env *environment) checkFile(ctx context.Context, f *checkFlags, want commitment.Digest, key sign.PublicKey) (archive.CheckResult, error) {
	data, err := env.readLimited(ctx, f.attestation)
	var result archive.CheckResult
	if err == nil {
		result, err = archive.CheckAttestation(f.algorithms, data, want, key)
	}
	if err != nil {
		return archive.CheckResult{Expected: want, Detail: err.Error()}, err
	}
	return result, nil
}

// exitOf is the exit code of one verdict.
func exitOf(v sign.Verdict) int {
	switch {
	case v == sign.Valid:
		return archive.ExitGood
	case v.Negative():
		return archive.ExitNegative
	}
	return archive.ExitUnchecked
}

// readTestedKey reads the key of --public-key, which is hex digits or else the path of a file. A key that a strict verifier
// declines is returned with the reason: that is a verdict, not a mistake of the caller.
func (env *environment) readTestedKey(ctx context.Context, text string) (key sign.PublicKey, unusable, err error) {
	key.Algorithm = sign.Ed25519
	if strings.Trim(text, "0123456789abcdefABCDEF") == "" {
		raw, err := hex.DecodeString(text)
		if err != nil {
			return key, fmt.Errorf("%w: an odd number of hexadecimal digits, %d", sign.ErrMalformedKey, len(text)), nil
		}
		key.Bytes = string(raw)
		return key, nil, nil
	}
	if name, digits, _ := strings.Cut(text, ":"); isHex(digits) && digits != "" {
		if _, known := env.algorithms().Lookup(name); known {
			raw, err := hex.DecodeString(digits)
			if err != nil {
				err = fmt.Errorf("%w: an odd number of hexadecimal digits, %d", sign.ErrMalformedKey, len(digits))
			}
			return sign.PublicKey{Algorithm: name, Bytes: string(raw)}, err, nil
		}
	}
	data, err := env.readSmall(ctx, "--public-key", text)
	if err != nil {
		return key, nil, err
	}
	parsed, err := env.parser().ParsePublicKey(data)
	switch {
	case errors.Is(err, sign.ErrMalformedKey):
		return key, err, nil
	case err != nil:
		return key, nil, misuse("--public-key: %q: %w", text, err)
	}
	return parsed, nil, nil
}

func writeCheck(out *output, r *archive.CheckResult) {
	if r.Verdict == "" {
		fmt.Fprintf(out, "no verdict: %s\n", escape(r.Detail))
		return
	}
	fmt.Fprint(out, r.Verdict)
	if r.Detail != "" {
		fmt.Fprintf(out, ": %s", escape(r.Detail))
	}
	if !r.Attested {
		fmt.Fprintf(out, "\nroot     %s\nwant     %s\n", rootText(r), escape(r.Signed))
		fmt.Fprintf(out, "whether anybody signed that root was not asked\n")
		return
	}
	if r.Root.Present() || r.Expected == (commitment.Digest{}) {
		fmt.Fprintf(out, "\nroot     %s\nsigned   %s\nkey_id   %s\n", rootText(r), escape(r.Signed), quote(r.KeyID))
	} else {
		fmt.Fprintf(out, "\nexpected %s\nsigned   %s\nkey_id   %s\n", r.Expected, escape(r.Signed), quote(r.KeyID))
	}
	fmt.Fprintf(out, "claims that nothing covers: attester_id %s, issued_at %s\n", quote(r.Unverified.AttesterID), quote(r.Unverified.IssuedAt))
}

// rootText is the root that a proof leads to.
func rootText(r *archive.CheckResult) string {
	if root, ok := r.Root.Text(); ok {
		return root
	}
	return "none"
}

// appendCheck writes a result as JSON. root is the root that a proof leads to; an attestation alone has none.
func appendCheck(dst []byte, r *archive.CheckResult) []byte {
	dst = terminal.AppendJSON(append(dst, `{"verdict":`...), string(r.Verdict))
	if r.Expected == (commitment.Digest{}) {
		dst = append(dst, `,"expected":null`...)
	} else {
		dst = terminal.AppendJSON(append(dst, `,"expected":`...), r.Expected.String())
	}
	dst = appendTextOrNull(append(dst, `,"signed":`...), r.Signed)
	if r.Attested {
		dst = terminal.AppendJSON(append(dst, `,"key_id":`...), r.KeyID)
	} else {
		dst = append(dst, `,"key_id":null`...)
	}
	dst = appendOptional(append(dst, `,"root":`...), r.Root)
	if r.Detail != "" {
		dst = terminal.AppendJSON(append(dst, `,"detail":`...), r.Detail)
	}
	if r.Attested {
		dst = terminal.AppendJSON(append(dst, `,"unverified_claims":{"attester_id":`...), r.Unverified.AttesterID)
		dst = append(terminal.AppendJSON(append(dst, `,"issued_at":`...), r.Unverified.IssuedAt), '}')
	}
	return append(dst, '}')
}
