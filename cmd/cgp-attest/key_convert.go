package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Forms of a public key beside formOpenSSH, which is one of both kinds.
const (
	formHex       = "hex"
	formPEM       = "pem"
	formJWK       = "jwk"
	formPublished = "attester_keys"
)

var (
	formsOfPublic  = []string{formHex, formPEM, formOpenSSH, formJWK, formPublished}
	formsOfPrivate = []string{formOpenSSH, formPKCS8, formSeed}
)

type convertFlags struct {
	to                choice
	private, isPublic bool
	output            string
}

func newKeyConvertCmd(env *environment) *cobra.Command {
	f := &convertFlags{to: choice{of: []string{formHex, formPEM, formOpenSSH, formJWK, formPublished, formPKCS8, formSeed}}}
	cmd := &cobra.Command{
		Use:   "convert --to FORM [flags] REF",
		Short: "write a key in another form",
		Example: `  ` + program + ` key convert --to pem docs.pub
  ` + program + ` key convert --to attester_keys --key-id docs-2026-08 docs.key
  ` + program + ` key convert --private --to pkcs8 -o docs.pem docs.key`,
		Long: `Writes the public key of REF: hex, pem (PKIX), openssh (the line of a .pub
file), jwk (a JSON Web Key) or attester_keys (an element of it, with --key-id).
With --private it is the private key that is written: openssh, pkcs8 or seed, to
a new FILE that only you may read. A key with a passphrase keeps it as openssh;
the other two forms have none.

` + keyReferences,
		DisableFlagsInUseLine: true,
		Args:                  between(1, 1, "one REF"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return convertKey(cmd, env, f, args[0]) },
	}
	flags := cmd.Flags()
	flags.Var(&f.to, "to", "the form: hex, pem, openssh, jwk or attester_keys; with --private openssh, pkcs8 or seed")
	completeChoice(cmd, "to", &f.to)
	flags.BoolVar(&f.private, "private", false, "write the private key; needs -o")
	flags.String("key-id", "", "key_id for attester_keys: `ID`")
	flags.BoolVar(&f.isPublic, "public", false, "REF holds a public key, also where it is hexadecimal digits")
	addPassphrase(cmd)
	addOutput(cmd, env, &f.output)
	return cmd
}

func convertKey(cmd *cobra.Command, env *environment, f *convertFlags, ref string) error {
	fit := formsOfPublic
	if f.private {
		fit = formsOfPrivate
	}
	switch {
	case f.to.value == "":
		return misuse("--to is missing").hint("want %s", either(fit))
	case !slices.Contains(fit, f.to.value) && f.private:
		return misuse("%s is no form of a private key", f.to.value).hint("want %s", either(fit))
	case !slices.Contains(fit, f.to.value):
		return misuse("%s is a form of private keys alone", f.to.value).
			hint("say --private and -o FILE to write the private key, or want %s", either(fit))
	case f.private:
		return convertPrivate(cmd, env, f, ref)
	}
	keyID := ""
	if f.to.value == formPublished {
		var err error
		if keyID, err = givenKeyID(cmd); err != nil {
			return err
		}
	}
	key, err := env.readShownKey(cmd, ref, f.isPublic)
	if err != nil {
		return err
	}
	shown, err := env.publicForms(keyID, key)
	if err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	text := map[string]string{
		formHex: shown.publicKey + "\n", formPEM: shown.pem, formOpenSSH: shown.openSSH + "\n", formJWK: string(shown.jwk) + "\n",
		formPublished: string(keys.AppendPublished(nil, keyID, key)) + "\n",
	}[f.to.value]
	if key.Algorithm != sign.Ed25519 && (f.to.value == formOpenSSH || f.to.value == formJWK) {
		return misuse("--to %s: no key of %s is written in this form", f.to.value, key.Algorithm).hint("want %s", either([]string{formHex, formPEM, formPublished}))
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	out.WriteString(text)
	return out.commit()
}

// convertPrivate writes a private key to a new file.
func convertPrivate(cmd *cobra.Command, env *environment, f *convertFlags, text string) error {
	if _, present, err := given(cmd, "output"); err != nil {
		return err
	} else if !present || f.output == standardInput {
		return misuse("-o FILE is missing: a private key is written to a file of its own, never to standard output").
			hint("as in -o docs.pem")
	}
	key, phrase, err := env.readPrivate(cmd, text)
	if err != nil {
		return err
	}
	if algorithm := key.PublicKey().Algorithm; algorithm != sign.Ed25519 && f.to.value != formPKCS8 {
		return misuse("--to %s: the private key of %s has no form but %s", f.to.value, algorithm, formPKCS8)
	}
	var secret []byte
	comment := filepath.Base(f.output)
	switch {
	case f.to.value == formOpenSSH && phrase != nil:
		secret, err = key.MarshalOpenSSHWithPassphrase(comment, phrase)
	case f.to.value == formOpenSSH:
		secret, err = key.MarshalOpenSSH(comment)
	case f.to.value == formSeed:
		secret = key.MarshalSeed()
	default:
		secret, err = key.MarshalPKCS8()
	}
	if err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	err = fileio.WriteNew(f.output, secret, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return misuse("-o: %q exists already, and a private key is never written over something", f.output).
			hint("name a new file, or move the old one away")
	}
	if err != nil {
		return cannotCreate("-o", f.output, err)
	}
	fmt.Fprintf(env.stderr, "wrote the private key to %s\n", quote(f.output))
	if phrase != nil && f.to.value != formOpenSSH {
		fmt.Fprintln(env.stderr, "it has no passphrase any more: whoever reads the file can sign as you")
	}
	return nil
}

// readPrivate returns the private key that a reference leads to and the passphrase that it was protected by, nil for none.
func (env *environment) readPrivate(cmd *cobra.Command, arg string) (key *keys.PrivateKey, phrase []byte, err error) {
	const name = "REF"
	ref, opt, err := env.keyReference(cmd, name, arg)
	if err != nil {
		return nil, nil, err
	}
	if !ref.HoldsText() {
		return nil, nil, misuse("%s: %.128q signs and keeps its key: there is no private key to write", name, ref)
	}
	text, err := keyref.Read(cmd.Context(), ref, opt.Options)
	if err == nil {
		err = text.Exposed
	}
	if err != nil {
		return nil, nil, explainKey(name, ref, err)
	}
	key, err = env.parser().ParsePrivateKey(text.Bytes)
	if errors.Is(err, keys.ErrPassphraseMissing) {
		if phrase, err = opt.Passphrase(cmd.Context(), ref); err == nil {
			key, err = env.parser().ParsePrivateKeyWithPassphrase(text.Bytes, phrase)
		}
	}
	if err != nil {
		return nil, nil, explainKey(name, ref, err)
	}
	opt.noteUnused(env)
	return key, phrase, nil
}
