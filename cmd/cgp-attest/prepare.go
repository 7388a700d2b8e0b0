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
	"contextgraphprotocol.org/cgp-attest/sign"
)

func newPrepareCmd(env *environment) *cobra.Command {
	f := &signFlags{}
	var publicKey, messages string
	cmd := &cobra.Command{
		Use:   "prepare --public-key KEY --key-id ID [flags] [IN]",
		Short: "ask for the signatures of a key that is not here",
		Example: `  ` + program + ` prepare --public-key docs.pub.pem --key-id docs-2026-08 \
      -o request.json in.ndjson
  # On the machine that has the key
  ` + program + ` sign --key docs.pem --request request.json -o signatures.json
  # Here again
  ` + program + ` attach --request request.json --signatures signatures.json \
      -o out.ndjson in.ndjson
  # With another tool: a file for every message
  ` + program + ` prepare --public-key docs.pub.pem --key-id docs-2026-08 \
      --messages messages -o request.json in.ndjson
  for m in messages/*; do
      openssl pkeyutl -sign -rawin -inkey docs.pem -in $m -out $m.sig; done`,
		Long: `Judges every answer of an input as sign does, with sign's flags, and writes what
is to be signed: a request, in which each item is the root of an answer or a
frame. IN is standard input where it is missing. Keep the request and IN as they
are: attach takes signatures for this request alone, and IN to the byte.

--messages writes the bytes to sign, 32 for each item, to files that are named
like the items. DIR is made, or is empty. They are signed as they are: with
plain Ed25519, or whatever the key is for, without a context.

Exit code: 0 prepared; 1 refused, with the frame and the rule; 2 usage, or the
output cannot be created; 3 there is nothing to sign, or an answer was left out
by --skip-unsignable; 4 the input could not be read; 5 internal error, or the
output could not be written whole. Nothing is written but for 0, and for the 3
of --skip-unsignable.`,
		Args: between(0, 1, "one IN"),
	}
	flags := cmd.Flags()
	flags.StringVar(&publicKey, "public-key", "", "that is to sign: the `KEY` in hexadecimal digits, behind ALG: where it is not one of ed25519, or the path of a file with it")
	f.addOptions(cmd)
	flags.StringVar(&messages, "messages", "", "write each message to a file of its own in `DIR`")
	addOutput(cmd, env, &f.output)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, err := env.inputOf(args, publicKey == standardInput)
		if err != nil {
			return err
		}
		if err := f.complete(cmd, env, "public-key", "key-id"); err != nil {
			return err
		}
		key, unusable, err := env.readTestedKey(cmd.Context(), publicKey)
		if err != nil {
			return err
		}
		if unusable == nil {
			unusable = env.algorithms().Prepare(key).Err()
		}
		if unusable != nil {
			return misuse("--public-key: %w", unusable)
		}
		if _, _, err := given(cmd, "messages"); err != nil {
			return err
		}
		return prepare(cmd, env, f, in, key, messages)
	}
	return cmd
}

func prepare(cmd *cobra.Command, env *environment, f *signFlags, in string, key sign.PublicKey, messages string) error {
	folder, err := createFolder(messages)
	if err != nil {
		return err
	}
	defer folder.discard()
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	data, err := env.readInput(cmd.Context(), "IN", in)
	if err != nil {
		return err
	}
	f.options.Source, f.options.Algorithms = in, env.algorithms()
	result, err := archive.Prepare(data, key, f.options)
	if err != nil {
		return explainSigning(err)
	}
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	out.Write(result.Request.Marshal())
	if err := folder.write(result.Request); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	folder.keep()
	env.warnUndefined(key.Algorithm)
	fmt.Fprintf(env.stderr, "prepared %s over %s of provider %s, to be signed under key_id %s\n",
		counted(len(result.Request.Items), "item"), counted(result.Prepared, "answer"), quote(result.Provider), quote(f.options.KeyID))
	if result.Copied > 0 {
		fmt.Fprintf(env.stderr, "left out %s of other providers\n", counted(result.Copied, "answer"))
	}
	return complainSkipped(env, result.Skipped)
}

// A messageFolder is where --messages wants the messages. The zero value is none.
type messageFolder struct {
	dir   string
	files []string // that were written
	made  bool     // dir was not there
}

// createFolder begins the folder of the messages of one request. Nothing else may lie in it: whoever signs every file of the
// folder is to sign no more than these.
func createFolder(dir string) (*messageFolder, error) {
	m := &messageFolder{dir: dir}
	if dir == "" {
		return m, nil
	}
	err := os.Mkdir(dir, 0o777)
	if m.made = err == nil; m.made {
		return m, nil
	}
	if !errors.Is(err, fs.ErrExist) {
		return nil, misuse("--messages: %w", err)
	}
	found, err := os.ReadDir(dir)
	switch {
	case err != nil:
		return nil, misuse("--messages: %w", err)
	case len(found) > 0:
		return nil, misuse("--messages: the folder %q is not empty", dir).
			hint("name a new folder: whatever else lies in it would be signed with the messages")
	}
	return m, nil
}

func (m *messageFolder) write(r *archive.Request) error {
	if m.dir == "" {
		return nil
	}
	for i := range r.Items {
		name := filepath.Join(m.dir, r.Items[i].Item)
		if err := fileio.WriteNew(name, r.Items[i].Message, 0o666); err != nil {
			return cannotWrite(fmt.Sprintf("%q", m.dir), err)
		}
		m.files = append(m.files, name)
	}
	return nil
}

// keep makes discard do nothing.
func (m *messageFolder) keep() { *m = messageFolder{} }

// discard removes what was written.
func (m *messageFolder) discard() {
	for _, name := range m.files {
		os.Remove(name)
	}
	if m.made {
		os.Remove(m.dir)
	}
}
