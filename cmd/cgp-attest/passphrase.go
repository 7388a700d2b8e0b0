package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

const (
	passphraseFile     = "passphrase-file"
	passphraseFD       = "passphrase-fd"
	passphraseVariable = "CGP_ATTEST_PASSPHRASE"
)

// addPassphrase adds the flags that say where a passphrase comes from.
func addPassphrase(cmd *cobra.Command) {
	cmd.Flags().String(passphraseFile, "", "the passphrase of the key is the line in `FILE`, or - for standard input")
	cmd.Flags().String(passphraseFD, "", "the passphrase of the key is the line that file descriptor `N` gives")
}

// A passphrase is where the passphrase of a key comes from: a flag, the environment or a person, in this order.
type passphrase struct {
	env      *environment
	flag     string // "--passphrase-file", "--passphrase-fd" or "", which stands for neither
	source   keyref.Reference
	variable string // what CGP_ATTEST_PASSPHRASE held
	used     bool
}

// passphraseOf reads the flags of addPassphrase, and takes the variable out of the environment: nothing that is started later is to
// inherit it.
func (env *environment) passphraseOf(cmd *cobra.Command) (*passphrase, error) {
	p := &passphrase{env: env, variable: env.getenv(passphraseVariable)}
	if err := env.unsetenv(passphraseVariable); err != nil {
		return nil, misuse("%s: %w", passphraseVariable, err)
	}
	file, byFile, err := given(cmd, passphraseFile)
	if err != nil {
		return nil, err
	}
	number, byNumber, err := given(cmd, passphraseFD)
	if err != nil {
		return nil, err
	}
	switch {
	case byFile && byNumber:
		return nil, misuse("--%s and --%s are both given, want one", passphraseFile, passphraseFD)
	case byFile:
		p.flag, p.source = "--"+passphraseFile, keyref.Reference{Kind: keyref.Path, Name: file}
		if file == standardInput {
			p.source = keyref.Reference{Kind: keyref.Stdin}
		}
	case byNumber:
		p.flag = "--" + passphraseFD
		if p.source, err = keyref.Parse("fd:" + number); err != nil {
			return nil, misuse("%s: want the number of a file descriptor that is an input, found %.20q", p.flag, number)
		}
	}
	if p.source.Kind == keyref.Stdin || p.source.Kind == keyref.Descriptor && p.source.Name == "0" {
		return p, env.claimStdin(p.flag)
	}
	return p, nil
}

// of returns the passphrase of a key. It is what keyref.Options wants.
func (p *passphrase) of(ctx context.Context, ref keyref.Reference) ([]byte, error) {
	p.used = true
	if text, err := p.told(ctx); text != nil || err != nil {
		return text, err
	}
	if !p.env.canAsk() {
		return nil, keys.ErrPassphraseMissing
	}
	return p.env.ask(ctx, fmt.Sprintf("passphrase of the key %s: ", quote(ref.String())))
}

// ofNew returns the passphrase for a new key, which a person says twice.
func (p *passphrase) ofNew(ctx context.Context, path string) ([]byte, error) {
	if text, err := p.told(ctx); text != nil || err != nil {
		return text, err
	}
	if !p.env.canAsk() {
		return nil, misuse("there is no passphrase for the new key, and no terminal to ask for one").
			hint("give it with --%s, --%s or %s", passphraseFile, passphraseFD, passphraseVariable).
			hint("or say --no-passphrase, and keep the file where nobody else can read it")
	}
	first, err := p.env.ask(ctx, fmt.Sprintf("new passphrase for the key %s: ", quote(path)))
	if err != nil {
		return nil, err
	}
	second, err := p.env.ask(ctx, "the same again: ")
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(first, second) {
		return nil, misuse("the two passphrases are not the same").hint("nothing was written: try again")
	}
	return first, nil
}

// told returns the passphrase that a flag or the environment gives, nil where neither does.
func (p *passphrase) told(ctx context.Context) ([]byte, error) {
	if p.flag == "" {
		if p.variable == "" {
			return nil, nil
		}
		return []byte(p.variable), nil
	}
	text, err := keyref.Read(ctx, p.source, keyref.Options{Stdin: p.env.stdin})
	if err != nil {
		return nil, misuse("%s: %w", p.flag, err)
	}
	if text.Exposed != nil {
		fmt.Fprintf(p.env.stderr, "warning: %s: others may read %s\n", p.flag, quote(p.source.Name))
		advise(p.env.stderr, "chmod 600 "+shellQuote(p.source.Name))
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(text.Bytes, []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		return nil, misuse("%s: the passphrase is empty", p.flag)
	case bytes.ContainsAny(line, "\r\n"):
		return nil, misuse("%s: more than one line, want the passphrase alone", p.flag)
	}
	return line, nil
}

// canAsk reports whether a person can be asked for a passphrase.
func (env *environment) canAsk() bool { return env.stdinIsTerminal && env.stdinTakenFor == "" }

// ask asks for a passphrase at the terminal, which does not show it.
func (env *environment) ask(ctx context.Context, question string) ([]byte, error) {
	fmt.Fprint(env.stderr, question)
	answer, err := env.readPassword(ctx)
	fmt.Fprintln(env.stderr)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.Is(err, io.EOF):
		return nil, misuse("reading the passphrase: %w", err)
	case len(answer) == 0:
		return nil, misuse("no passphrase was given")
	}
	return answer, nil
}

// readPassword reads a line from the terminal that standard input is, without showing it. An interruption leaves the terminal as
// it was.
func readPassword(ctx context.Context) ([]byte, error) {
	terminal := int(os.Stdin.Fd())
	before, err := term.GetState(terminal)
	if err != nil {
		return nil, err
	}
	type result struct {
		line []byte
		err  error
	}
	read := make(chan result, 1)
	go func() {
		line, err := term.ReadPassword(terminal)
		read <- result{line, err}
	}()
	select {
	case r := <-read:
		return r.line, r.err
	case <-ctx.Done():
		return nil, errors.Join(ctx.Err(), term.Restore(terminal, before))
	}
}
