package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func newTrustPinCmd(env *environment) *cobra.Command {
	f := &trustAddress{}
	cmd := &cobra.Command{
		Use:   "pin TRUST --provider ID [--key-id ID] SESSION",
		Short: "trust the keys of a session because they are the first",
		Example: `  ` + program + ` trust pin trust.json --provider docs session.ndjson
  ` + program + ` verify --trust trust.json --require pinned later.ndjson`,
		Long: `Trust on first use: the keys that the handshake_ack in SESSION publishes are
pinned for the provider. Nobody has compared them with anything; what pinning is
worth is that a later session with other keys raises an alarm. Pinned is a tier
below configured, and verify takes it for good only with --require pinned.
SESSION may be - for standard input.

What became of each key is printed: pinned, already_pinned, already_configured,
or, as an alarm, key_changed or conflicts_with_configured (other bytes are held
under its key_id), or refused. With an alarm or a refusal nothing is written.

Exit code: 0 every key is held; 1 an alarm or a refusal; 2 usage, or the file is
wrong; 3 SESSION publishes no keys; 4 it could not be read; 5 internal error, or
the file could not be written.`,
		DisableFlagsInUseLine: true,
		Args:                  between(2, 2, "a TRUST with a SESSION"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return trustPin(cmd, env, f, args[0], args[1]) },
	}
	f.addProvider(cmd)
	f.addKeyID(cmd, "pin the key with this `ID` alone")
	return cmd
}

func trustPin(cmd *cobra.Command, env *environment, f *trustAddress, path, session string) error {
	if err := f.check(cmd, "provider"); err != nil {
		return err
	}
	if _, _, err := given(cmd, "key-id"); err != nil {
		return err
	}
	published, err := env.readPublished(cmd, f, session)
	if err != nil {
		return err
	}
	var pins []pin
	err = env.changeTrust(cmd.Context(), path, func(s *keys.Store) error {
		for _, k := range published {
			pins = append(pins, pinOne(s, f.provider, k))
		}
		if slices.ContainsFunc(pins, func(p pin) bool { return !p.outcome.Holds() }) {
			return alarm(env, f.provider, pins)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, p := range pins {
		env.writeTrusted(string(p.outcome), f.provider, keys.TrustedKey{KeyID: p.keyID, Key: p.key})
	}
	env.say("a pinned key is trusted because it was the first: compare its fingerprint with the provider's, and add it with trust add")
	return nil
}

// readPublished returns the keys that are to be pinned: those that the one provider of a session publishes.
func (env *environment) readPublished(cmd *cobra.Command, f *trustAddress, session string) ([]archive.InspectedKey, error) {
	if session == standardInput {
		if err := env.claimStdin("SESSION"); err != nil {
			return nil, err
		}
	}
	held, err := archive.Inspect(env.source(cmd.Context(), session), archive.Limits{},
		func(*archive.InspectedAnswer) error { return cmd.Context().Err() }, func(e *archive.RecordError) error { return explainRecord(e) })
	if err != nil {
		return nil, err
	}
	if err := cmd.Context().Err(); err != nil {
		return nil, err
	}
	var p *archive.InspectedProvider
	for i := range held.Providers {
		if len(held.Providers) == 1 || held.Providers[i].Name == f.provider {
			p = &held.Providers[i]
		}
	}
	switch {
	case len(held.Providers) == 0:
		return nil, fail(archive.ExitUnchecked, "%.128q holds no handshake_ack: there is nothing to pin", session)
	case p == nil:
		return nil, misuse("%.128q holds the handshake_acks of %d providers, and none declares %.128q", session, len(held.Providers), f.provider).
			hint("pin from a session of one provider alone")
	case f.keyID != "":
		i := slices.IndexFunc(p.Keys, func(k archive.InspectedKey) bool { return k.KeyID == f.keyID })
		if i < 0 {
			return nil, misuse("%.128q publishes no key %.128q that can be read", session, f.keyID).
				hint("it publishes %s; %s inspect shows them", publishedIDs(p.Keys), program)
		}
		return p.Keys[i : i+1], nil
	case p.Faults > 0:
		return nil, fail(archive.ExitNegative, "%s that %.128q publishes cannot be read: nothing was pinned",
			counted(int(p.Faults), "element"), session).
			hint("--key-id ID pins one key that can be read; %s verify says what is wrong with the others", program)
	case len(p.Keys) == 0:
		return nil, fail(archive.ExitUnchecked, "%.128q publishes no keys: there is nothing to pin", session).
			hint("a key that the provider gives in another way goes into TRUST with %s trust add", program)
	}
	return p.Keys, nil
}

// publishedIDs names the first few keys that a session publishes.
func publishedIDs(published []archive.InspectedKey) string {
	const most = 5
	var ids []string
	for _, k := range published[:min(len(published), most)] {
		ids = append(ids, fmt.Sprintf("%.128q", k.KeyID))
	}
	switch {
	case len(ids) == 0:
		return "none"
	case len(published) > most:
		return strings.Join(ids, ", ") + " and others"
	}
	return strings.Join(ids, ", ")
}

// A pin is what became of one published key.
type pin struct {
	keyID   string
	key     sign.PublicKey
	outcome keys.PinOutcome
	err     error // why it was refused
}

// pinOne pins a published key. One that a session publishes with different bytes is not the first of anything.
func pinOne(s *keys.Store, localID string, k archive.InspectedKey) pin {
	p := pin{keyID: k.KeyID, outcome: keys.Refused}
	raw, err := hex.DecodeString(k.PublicKey)
	switch {
	case k.Algorithm != sign.Ed25519:
		p.err = fmt.Errorf("its algorithm is %.80q, and the format contextgraph-trust/1 admits keys of %s alone: give it to each run with --public-key or --keys",
			k.Algorithm, sign.Ed25519)
	case k.Changed:
		p.err = errors.New("the session publishes it with different bytes")
	case k.Unusable != "":
		p.err = errors.New(k.Unusable)
	case err != nil:
		p.err = err
	default:
		p.key = sign.PublicKey{Algorithm: k.Algorithm, Bytes: string(raw)}
		p.outcome, p.err = s.Pin(localID, k.KeyID, p.key)
	}
	return p
}

// alarm tells of every key that is not held, and ends the command. What would have been pinned is not.
func alarm(env *environment, localID string, pins []pin) error {
	bad := 0
	for _, p := range pins {
		switch {
		case p.outcome == keys.Pinned:
			continue
		case p.err != nil:
			env.writeLine(fmt.Sprintf("%s provider %s key_id %s: %s", p.outcome, quote(localID), quote(p.keyID), escape(p.err.Error())))
		default:
			env.writeTrusted(string(p.outcome), localID, keys.TrustedKey{KeyID: p.keyID, Key: p.key})
		}
		if !p.outcome.Holds() {
			bad++
		}
	}
	return fail(archive.ExitNegative, "%s of %d cannot be pinned: nothing was written", counted(bad, "key"), len(pins)).
		hint("find out by another way than this session which bytes are the provider's").
		hint("a new key comes under a new key_id, never under one that was used")
}
