package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Forms of a private key file.
const (
	formOpenSSH = "openssh"
	formPKCS8   = "pkcs8"
	formSeed    = "seed"
)

type generateFlags struct {
	output       string
	form         choice
	algorithm    choice
	noPassphrase bool
}

func newKeyGenerateCmd(env *environment) *cobra.Command {
	f := &generateFlags{
		form:      choice{of: []string{formOpenSSH, formPKCS8, formSeed}},
		algorithm: choice{value: sign.Ed25519, of: env.algorithms().Names()},
	}
	cmd := &cobra.Command{
		Use:   "generate -o FILE [flags]",
		Short: "make a new signing key",
		Example: `  # Asks for a passphrase
  ` + program + ` key generate -o docs.key
  # For a build system that keeps the file secret
  ` + program + ` key generate --no-passphrase -o docs.pem`,
		Long: `The private key goes to FILE, which only you may read and which must not exist
yet; the public key is printed.

Use the key for nothing else. What it signs is a bare 32-byte hash without a
word that says what it is for, so a signature made for another purpose could
pass for an attestation, and the reverse.

The passphrase is asked for at a terminal, twice, unless ` + passphraseVariable + `
or a flag gives it. A key with a passphrase is written as OpenSSH writes it,
with the name of FILE as its comment; ssh-keygen and ssh-add read it. Without a
passphrase, which must be said, whoever reads FILE can sign as you.

A key of another algorithm than ed25519 is written as pkcs8, the one form that
says which it is for, and so without a passphrase. The protocol does not know
it: verify must be told to check it with --allow-algorithm.`,
		Args: between(0, 0, ""),
	}
	cmd.Flags().Var(&f.form, "form", "openssh, pkcs8 (a PEM file) or seed (hexadecimal digits); only openssh can have a passphrase (default openssh with a passphrase, else pkcs8)")
	completeChoice(cmd, "form", &f.form)
	cmd.Flags().Var(&f.algorithm, "algorithm", fmt.Sprintf("%s; all but %s are %s", either(f.algorithm.of), sign.Ed25519, sign.NotDefined))
	completeChoice(cmd, "algorithm", &f.algorithm)
	cmd.Flags().BoolVar(&f.noPassphrase, "no-passphrase", false, "write the key unencrypted")
	addPassphrase(cmd)
	cmd.Flags().StringVarP(&f.output, "output", "o", "", "the new `FILE` for the private key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return generate(cmd, env, f) }
	return cmd
}

func generate(cmd *cobra.Command, env *environment, f *generateFlags) error {
	if _, present, err := given(cmd, "output"); err != nil {
		return err
	} else if !present || f.output == standardInput {
		return misuse("-o FILE is missing: a private key is written to a file of its own, never to standard output").
			hint("as in -o docs.pem")
	}
	phrase, err := f.passphrase(cmd, env)
	if err != nil {
		return err
	}
	key, err := env.parser().GeneratePrivateKey(f.algorithm.value, env.rand)
	if err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	secret, err := f.marshal(key, phrase)
	if err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	err = fileio.WriteNew(f.output, secret, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return f.exists()
	}
	if err != nil {
		return cannotCreate("-o", f.output, err)
	}
	public := key.PublicKey()
	fmt.Fprintf(env.stdout, "public_key\n%x\n\nfingerprint\n%s\n", public.Bytes, keys.Fingerprint(public))
	env.warnUndefined(public.Algorithm)
	fmt.Fprintf(env.stderr, "wrote the private key to %s\nuse it for nothing else: what it signs is a bare hash\n", quote(f.output))
	return nil
}

// passphrase returns the passphrase for the new key, nil for none.
func (f *generateFlags) passphrase(cmd *cobra.Command, env *environment) ([]byte, error) {
	source, err := env.passphraseOf(cmd)
	if err != nil {
		return nil, err
	}
	switch {
	case f.algorithm.value != sign.Ed25519 && f.form.value != "" && f.form.value != formPKCS8:
		return nil, misuse("a key of %s cannot be written as %s", f.algorithm.value, f.form.value).
			hint("leave --form out: %s is the one form that says which algorithm a key is for", formPKCS8)
	case f.algorithm.value != sign.Ed25519 && !f.noPassphrase:
		return nil, misuse("a key of %s cannot have a passphrase", f.algorithm.value).
			hint("say --no-passphrase and keep the file where nobody else can read it")
	case f.noPassphrase && source.flag != "":
		return nil, misuse("--no-passphrase and %s are both given, want one", source.flag)
	case f.noPassphrase:
		return nil, nil
	case f.form.value == formPKCS8 || f.form.value == formSeed:
		return nil, misuse("a key of the form %s cannot have a passphrase", f.form.value).
			hint("leave --form out, or say --no-passphrase and keep the file where nobody else can read it")
	}
	if _, err := os.Lstat(f.output); err == nil {
		return nil, f.exists() // before a person is asked in vain
	}
	return source.ofNew(cmd.Context(), f.output)
}

func (f *generateFlags) exists() error {
	return misuse("-o: %q exists already, and a private key is never written over something", f.output).
		hint("name a new file, or move the old one away")
}

func (f *generateFlags) marshal(key *keys.PrivateKey, passphrase []byte) ([]byte, error) {
	comment := filepath.Base(f.output)
	switch {
	case passphrase != nil:
		return key.MarshalOpenSSHWithPassphrase(comment, passphrase)
	case f.form.value == formOpenSSH:
		return key.MarshalOpenSSH(comment)
	case f.form.value == formSeed:
		return key.MarshalSeed(), nil
	}
	return key.MarshalPKCS8()
}
