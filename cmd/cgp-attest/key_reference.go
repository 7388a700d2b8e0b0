package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

// keyReferences is what help says about REF.
const keyReferences = `REF says where the private key is: a path (OpenSSH, PKCS#8 PEM, or a seed of 32
bytes in hexadecimal digits), - for standard input, env:NAME, fd:N,
agent:SHA256:... or agent:COMMENT (a key in ssh-agent), exec:PATH (a program
that signs, for an HSM or a KMS). A key file that others may read is refused.
The passphrase of an OpenSSH key is asked for at a terminal, unless
` + passphraseVariable + ` or a flag gives it.`

// openKey opens the signing key that an argument or flag of this name refers to. The caller closes it, and uses nothing that it
// signed where that fails.
func (env *environment) openKey(cmd *cobra.Command, name, text string) (*keyref.Key, error) {
	ref, opt, err := env.keyReference(cmd, name, text)
	if err != nil {
		return nil, err
	}
	key, err := keyref.Open(cmd.Context(), ref, opt.Options)
	if err != nil {
		return nil, explainKey(name, ref, err)
	}
	opt.noteUnused(env)
	return key, nil
}

// keyReference reads a reference, gives it standard input where it wants that, and says how the key is opened.
func (env *environment) keyReference(cmd *cobra.Command, name, text string) (keyref.Reference, *keyOptions, error) {
	ref, err := keyref.Parse(text)
	if err != nil {
		return ref, nil, explainKey(name, ref, err)
	}
	if ref.Kind == keyref.Stdin || ref.Kind == keyref.Descriptor && ref.Name == "0" {
		if err := env.claimStdin(name); err != nil {
			return ref, nil, err
		}
	}
	passphrase, err := env.passphraseOf(cmd)
	if err != nil {
		return ref, nil, err
	}
	opt := &keyOptions{passphrase: passphrase}
	opt.Options = keyref.Options{
		Algorithms: env.algorithms(),
		Stdin:      env.stdin,
		Passphrase: opt.passphrase.of,
		SignerSays: func(line string) { fmt.Fprintf(env.stderr, "signer: %s\n", escape(line)) },
	}
	return ref, opt, nil
}

// keyOptions are how a key is opened, and where its passphrase comes from.
type keyOptions struct {
	keyref.Options
	passphrase *passphrase
}

// noteUnused tells whoever gave a passphrase that the key is not protected by one.
func (o *keyOptions) noteUnused(env *environment) {
	if o.passphrase.flag != "" && !o.passphrase.used {
		fmt.Fprintf(env.stderr, "%s was not needed: the key is not protected by a passphrase\n", o.passphrase.flag)
	}
}

// keyFaults are what can be wrong with a key, and what to do about each.
var keyFaults = []struct {
	is   error
	hint string
}{
	{keyref.ErrSecretGiven, "put the key into a file that only you may read, or name the variable that holds it, as env:NAME"},
	{keyref.ErrMalformedReference, "want a path, -, env:NAME, fd:N, agent:SHA256:..., agent:COMMENT or exec:PATH; a file of such a name is ./NAME"},
	{keyref.ErrNotSet, "export the variable to this process; its name is case-sensitive"},
	{keyref.ErrEmpty, "a CI system gives an empty secret to runs that may not read it"},
	{keyref.ErrNoAgent, "start one in this shell, and add the key: eval $(ssh-agent); ssh-add FILE"},
	{keyref.ErrNoSuchKey, "ssh-add -l lists the keys with fingerprint and comment; ssh-add -X unlocks an agent; ssh-add FILE adds a key"},
	{keyref.ErrAmbiguousKey, "name the key by its fingerprint, as agent:SHA256:..."},
	{keyref.ErrAgentRefused, "the agent may have been locked, or a person has not confirmed"},
	{keyref.ErrSignerStart, "want an executable file whose interpreter, if its first line names one, is there; it is not looked up in PATH"},
	{keyref.ErrSignerProtocol, "the program must print one JSON object on a line for every request, and nothing else: docs/keys.md"},
	{keyref.ErrSignerRefused, "what stands behind \"signer:\", if anything, comes from the program"},
	{keyref.ErrSignerEnded, "what stands behind \"signer:\", if anything, comes from the program"},
	{keyref.ErrTimeout, "what is to sign may wait for a person, for a touch or for a network"},
	{keys.ErrPassphraseMissing, "give it with --passphrase-file, --passphrase-fd or CGP_ATTEST_PASSPHRASE; it is asked for where standard input is a terminal"},
	{keys.ErrWrongPassphrase, "ssh-keygen -y -f FILE tells whether a passphrase is the right one"},
}

// explainKey turns an error of opening a key into what ends the command: nothing was judged, and nothing signed.
func explainKey(name string, ref keyref.Reference, err error) error {
	var told *failure
	if errors.As(err, &told) {
		return told // by what asked for the passphrase
	}
	f := misuse("%s: %w", name, err)
	if errors.Is(err, keyref.ErrExposed) {
		return f.hint("chmod 600 %s", shellQuote(ref.Name))
	}
	if hintKey(f); len(f.hints) > 0 {
		return f
	}
	switch {
	case ref.Kind == keyref.Path && errors.Is(err, fs.ErrNotExist):
		f.hint("want the file of a key, or where else it is: env:NAME, fd:N, agent:COMMENT, exec:PATH; %s key generate -o FILE makes one", program)
	case ref.Kind == keyref.Descriptor:
		f.hint("a shell opens it, as in: --key fd:3 3<FILE")
	}
	return f
}

// explainSigner returns what ends a command for an error of a key that was open, nil for other errors.
func explainSigner(err error) error {
	f := misuse("%w", err)
	if hintKey(f); len(f.hints) == 0 {
		return nil
	}
	return f
}

// hintKey says what to do about a fault of a key.
func hintKey(f *failure) *failure {
	for _, fault := range keyFaults {
		if errors.Is(f, fault.is) {
			return f.hint("%s", fault.hint)
		}
	}
	return f
}

// closeKey closes a key that has signed. It must have ended well for what it has signed to be used.
func closeKey(key *keyref.Key) error {
	err := key.Close()
	if err == nil {
		return nil
	}
	if f := explainSigner(err); f != nil {
		return f
	}
	return fail(archive.ExitInternal, "%w", err)
}
