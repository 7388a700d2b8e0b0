package main

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func newKeyShowCmd(env *environment) *cobra.Command {
	var isPublic bool
	cmd := &cobra.Command{
		Use:   "show [flags] REF",
		Short: "show the public key of a key",
		Example: `  ` + program + ` key show docs.key
  ` + program + ` key show --key-id docs-2026-08 --format json docs.pub.pem
  ` + program + ` key show --public docs.pub.hex
  ` + program + ` key show exec:./signer`,
		Long: `Shows the public key of a private one, or a public key that REF leads to: PKIX
PEM, the line of an OpenSSH .pub file, a JSON Web Key, an element of
attester_keys, or hexadecimal digits. Digits are a seed, which is secret, unless
--public says that they are a public key: the two look alike.

` + keyReferences,
		Args: between(1, 1, "one REF"),
	}
	cmd.Flags().String("key-id", "", "key_id to show in the forms that have one: `ID`")
	cmd.Flags().BoolVar(&isPublic, "public", false, "REF holds a public key, also where it is hexadecimal digits")
	addPassphrase(cmd)
	format := addChoice(cmd, "format", "text or json", formatText, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		keyID, _, err := given(cmd, "key-id")
		if err != nil {
			return err
		}
		key, err := env.readShownKey(cmd, args[0], isPublic)
		if err != nil {
			return err
		}
		shown, err := env.publicForms(keyID, key)
		if err != nil {
			return fail(archive.ExitInternal, "%w", err)
		}
		if format.value == formatJSON {
			fmt.Fprintf(env.stdout, "%s\n", shown.appendJSON(nil))
		} else {
			fmt.Fprint(env.stdout, shown)
		}
		return nil
	}
	return cmd
}

// readShownKey returns the public key that a reference leads to. A text that may be secret is held to the rules for files of
// private keys.
func (env *environment) readShownKey(cmd *cobra.Command, arg string, isPublic bool) (sign.PublicKey, error) {
	const name = "REF"
	ref, opt, err := env.keyReference(cmd, name, arg)
	if isPublic && errors.Is(err, keyref.ErrSecretGiven) {
		return sign.PublicKey{}, misuse("%s: found the digits of a key, want a reference to a file that holds them", name).
			hint("put the hexadecimal digits into a file and name it, or give them on standard input as -")
	}
	if err != nil {
		return sign.PublicKey{}, err
	}
	if !ref.HoldsText() {
		key, err := keyref.Open(cmd.Context(), ref, opt.Options)
		if err != nil {
			return sign.PublicKey{}, explainKey(name, ref, err)
		}
		return key.PublicKey(), closeKey(key)
	}
	text, err := keyref.Read(cmd.Context(), ref, opt.Options)
	if err != nil {
		return sign.PublicKey{}, explainKey(name, ref, err)
	}
	if isPublic || env.isPublicText(text.Bytes) {
		key, err := env.parser().ParsePublicKey(text.Bytes)
		if err != nil {
			return key, misuse("%s: %.128q: %w", name, ref, err)
		}
		return key, nil
	}
	if text.Exposed != nil {
		return sign.PublicKey{}, misuse("%s: %.128q: %w", name, ref, text.Exposed).
			hint("chmod 600 %s", shellQuote(ref.Name)).
			hint("if it is a public key in hexadecimal digits, say --public")
	}
	key, err := keyref.Unlock(cmd.Context(), text, opt.Options)
	if err != nil {
		return sign.PublicKey{}, explainKey(name, ref, err)
	}
	opt.noteUnused(env)
	return key.PublicKey(), nil
}

// isPublicText reports whether a text is public beyond doubt. Hexadecimal digits alone are not: a seed looks like a public key.
func (env *environment) isPublicText(text []byte) bool {
	if bytes.Contains(text, []byte("-----BEGIN PUBLIC KEY-----")) {
		return true
	}
	text = bytes.TrimSpace(text)
	starts := []string{"ssh-ed25519 ", "{", "["}
	for _, name := range env.algorithms().Names() {
		starts = append(starts, name+":")
	}
	return slices.ContainsFunc(starts, func(start string) bool { return bytes.HasPrefix(text, []byte(start)) })
}

// A shownKey is a public key in every form that people ask for. openSSH and jwk are empty for another algorithm than Ed25519.
type shownKey struct {
	key                                                    sign.PublicKey
	keyID, algorithm, publicKey, fingerprint, openSSH, pem string
	jwk                                                    []byte
}

func (env *environment) publicForms(keyID string, key sign.PublicKey) (*shownKey, error) {
	pem, err := env.parser().MarshalPKIX(key)
	if err != nil {
		return nil, err
	}
	raw := []byte(key.Bytes)
	shown := &shownKey{
		key: key, keyID: keyID, algorithm: key.Algorithm, publicKey: hex.EncodeToString(raw), fingerprint: keys.Fingerprint(key), pem: string(pem),
	}
	if key.Algorithm != sign.Ed25519 {
		return shown, nil
	}
	shown.openSSH = openSSHLine(raw)
	shown.jwk, err = keys.MarshalJWK(key)
	return shown, err
}

// noForm is shown in the place of the forms that only a key of Ed25519 has here.
const noForm = "none: of the keys that are read here those of ed25519 alone have this form"

// openSSHLine returns a public key as it stands in authorized_keys (RFC 8709 §4: string "ssh-ed25519", string of 32 bytes).
func openSSHLine(raw []byte) string {
	const kind = "ssh-ed25519"
	var blob []byte
	for _, s := range []string{kind, string(raw)} {
		blob = append(binary.BigEndian.AppendUint32(blob, uint32(len(s))), s...)
	}
	return kind + " " + base64.StdEncoding.EncodeToString(blob)
}

// String puts every form on lines of its own, so that each can be copied whole.
func (k *shownKey) String() string {
	var b strings.Builder
	if k.keyID != "" {
		fmt.Fprintf(&b, "key_id\n%s\n\n", quote(k.keyID))
	}
	algorithm := k.algorithm
	if algorithm != sign.Ed25519 {
		algorithm += " (" + sign.NotDefined + ")"
	}
	for _, form := range []struct{ name, text string }{
		{"algorithm", algorithm}, {"public_key", k.publicKey}, {"fingerprint", k.fingerprint}, {"openssh", cmp.Or(k.openSSH, noForm)},
		{"jwk", cmp.Or(string(k.jwk), noForm)},
	} {
		fmt.Fprintf(&b, "%s\n%s\n\n", form.name, form.text)
	}
	if k.keyID != "" {
		fmt.Fprintf(&b, "attester_keys\n%s\n\n", escape(string(keys.AppendPublished(nil, k.keyID, k.key))))
	}
	return b.String() + "pem\n" + k.pem
}

func (k *shownKey) appendJSON(dst []byte) []byte {
	dst = appendTextOrNull(append(dst, `{"key_id":`...), k.keyID)
	dst = terminal.AppendJSON(append(dst, `,"algorithm":`...), k.algorithm)
	dst = terminal.AppendJSON(append(dst, `,"public_key":`...), k.publicKey)
	dst = terminal.AppendJSON(append(dst, `,"fingerprint":`...), k.fingerprint)
	dst = appendTextOrNull(append(dst, `,"openssh":`...), k.openSSH)
	dst = terminal.AppendJSON(append(dst, `,"pem":`...), k.pem)
	dst = append(append(dst, `,"jwk":`...), cmp.Or(string(k.jwk), "null")...)
	if k.algorithm != sign.Ed25519 {
		dst = terminal.AppendJSON(append(dst, `,"note":`...), "algorithm "+k.algorithm+" is "+sign.NotDefined)
	}
	return append(dst, '}')
}
