package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/keys"
)

func newTrustCmd(env *environment) *cobra.Command {
	group := newGroup(&cobra.Command{
		Use:   "trust",
		Short: "say whose keys you trust, and since when",
		Example: `  ` + program + ` trust add trust.json --provider docs --key-id docs-2026-08 \
      --key docs.pub --fingerprint sha256:HEX
  ` + program + ` verify --trust trust.json answers.ndjson`,
		Long: `A trust file (` + keys.FormatTrust + `) holds keys by the id under which you know
a provider and by key_id. There is no default file: every command takes one.`,
	})
	group.AddCommand(
		newTrustAddCmd(env), newTrustPinCmd(env), newTrustRemoveCmd(env), newTrustListCmd(env), newTrustLintCmd(env), newTrustDiffCmd(env),
	)
	return group
}

// A trustAddress is where a key stands in a trust file: the values of --provider and --key-id.
type trustAddress struct{ provider, keyID string }

func (a *trustAddress) addProvider(cmd *cobra.Command) {
	cmd.Flags().StringVar(&a.provider, "provider", "", "local `ID` under which you know the provider; it need not be its declared name")
}

func (a *trustAddress) addKeyID(cmd *cobra.Command, usage string) {
	cmd.Flags().StringVar(&a.keyID, "key-id", "", usage)
}

// check demands flags, and an id that a trust file can be used with.
func (a *trustAddress) check(cmd *cobra.Command, required ...string) error {
	for _, name := range required {
		if _, present, err := given(cmd, name); err != nil {
			return err
		} else if !present {
			return misuse("--%s is missing", name).usage(cmd)
		}
	}
	for _, id := range []struct{ flag, value string }{{"provider", a.provider}, {"key-id", a.keyID}} {
		if !utf8.ValidString(id.value) {
			return misuse("--%s: %.128q is not UTF-8", id.flag, id.value)
		}
	}
	if a.provider == archive.AnyProvider {
		return misuse("--provider: %w", archive.ErrReservedID).
			hint("trust the key for each provider by itself")
	}
	return nil
}

// readTrust reads a trust file that an argument or flag of this name names.
func (env *environment) readTrust(ctx context.Context, name, path string) (data []byte, store *keys.Store, err error) {
	if path == standardInput {
		if err := env.claimStdin(name); err != nil {
			return nil, nil, err
		}
	}
	if data, err = env.readTrustFile(ctx, path); err != nil {
		return nil, nil, missingTrust(misuse("%s: %w", name, err))
	}
	store, err = keys.ParseStore(data)
	return data, store, explainTrust(name, path, err)
}

// missingTrust says how a trust file that is not there comes about.
func missingTrust(f *failure) *failure {
	if errors.Is(f, fs.ErrNotExist) {
		f.hint("%s trust add TRUST --provider ID --key-id ID --key KEY makes a trust file", program)
	}
	return f
}

// readTrustFile reads as much of a file as shows whether it is too large.
func (env *environment) readTrustFile(ctx context.Context, path string) ([]byte, error) {
	in, err := env.open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return io.ReadAll(io.LimitReader(in, keys.MaxTrustFile+1))
}

// explainTrust turns what is wrong with a trust file into what ends the command: nothing was judged, and nothing written.
func explainTrust(name, path string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	f := misuse("%s: %.128q: %w", name, path, err)
	var fault *keys.TrustFault
	if errors.As(err, &fault) && path != standardInput {
		f.hint("%s trust lint %s names everything that is wrong with it", program, shellQuote(path))
	}
	if fault != nil && (fault.Rule == keys.RuleMalformedJSON || fault.Rule == keys.RuleUnsupportedFormat) {
		f.hint("if it is none: want a trust file (%s), as %s trust add makes it", keys.FormatTrust, program)
	}
	return f
}

// changeTrust lets change edit a trust file under its lock. What change returns ends the command.
func (env *environment) changeTrust(ctx context.Context, path string, change func(*keys.Store) error) error {
	if path == standardInput {
		return misuse("TRUST is the file that is changed, and - is none")
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return misuse("TRUST: %q is a directory, want a file", path)
	}
	if folder := filepath.Dir(path); !isThere(folder) {
		return misuse("TRUST: %q cannot be written: there is no folder %q", path, folder).hint("make the folder first")
	}
	changed := false
	err := keys.SaveChange(ctx, path, func(s *keys.Store) error {
		err := change(s)
		changed = err == nil
		return err
	})
	var told *failure
	switch {
	case errors.As(err, &told):
		return told
	case changed && err != nil:
		return fail(archive.ExitInternal, "writing %.128q: %w", path, err).hint("the file is as it was")
	}
	return explainTrust("TRUST", path, err)
}

// isThere reports whether something stands at a path, or may: where the question itself fails it does.
func isThere(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// writeTrusted says what became of a key.
func (env *environment) writeTrusted(outcome, localID string, k keys.TrustedKey) {
	env.writeLine(fmt.Sprintf("%s provider %s key_id %s %s", outcome, quote(localID), quote(k.KeyID), keys.Fingerprint(k.Key)))
}

// writeLine writes a line of data: whole where a program may read it, wrapped on a terminal. A fingerprint is never broken.
func (env *environment) writeLine(line string) {
	if env.columns == 0 {
		fmt.Fprintln(env.stdout, line)
		return
	}
	writeWrapped(env.stdout, line, env.columns)
}

// say writes a sentence to standard error that fits 80 columns, as help does.
func (env *environment) say(sentence string) { writeWrapped(env.stderr, sentence, defaultColumns) }

func writeWrapped(w io.Writer, sentence string, columns int) {
	w.Write(terminal.Wrap(nil, "", "    ", sentence, max(columns, terminal.DefaultWidth)))
}

// windowText says when a key is in service.
func windowText(w keys.Window) string {
	var ends []string
	if !w.NotBefore.IsZero() {
		ends = append(ends, "from "+escape(w.NotBefore.String()))
	}
	if !w.NotAfter.IsZero() {
		ends = append(ends, "until "+escape(w.NotAfter.String()))
	}
	if ends == nil {
		return "always"
	}
	return strings.Join(ends, " ")
}

// parseInstantFlag reads the instant that a flag gives, the zero Instant where it does not stand.
func parseInstantFlag(cmd *cobra.Command, name string) (at commitment.Instant, err error) {
	text, present, err := given(cmd, name)
	if err != nil || !present {
		return at, err
	}
	if at, err = commitment.ParseInstant(text); err != nil {
		return at, misuse("--%s: %w", name, err).hint("as in 2026-08-29T12:00:00Z")
	}
	return at, nil
}
