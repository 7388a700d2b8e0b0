package main

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/keys"
)

type trustListFlags struct {
	within period
	format *choice
}

func newTrustListCmd(env *environment) *cobra.Command {
	f := &trustListFlags{}
	cmd := &cobra.Command{
		Use:   "list TRUST [flags]",
		Short: "show the keys of a trust file, and which are in service",
		Example: `  ` + program + ` trust list trust.json
  # In a scheduled job: exit 1 where a key is about to end
  ` + program + ` trust list trust.json --expires-within 30d`,
		Long: `Shows every key with its fingerprint, its tier and its window, and how it stands
to the present instant, or to the one that --at names. The clock is not read
where no key has a window. TRUST may be - for standard input.

--expires-within lists the keys alone whose window ends in that time. One that
has ended is not about to: it is kept for what was received before.

Exit code: 0 listed; 1 with --expires-within, a key is about to end; 2 usage, or
the file is wrong.`,
		DisableFlagsInUseLine: true,
		Args:                  between(1, 1, "one TRUST"),
		RunE:                  func(cmd *cobra.Command, args []string) error { return trustList(cmd, env, f, args[0]) },
	}
	cmd.Flags().Var(&f.within, "expires-within", "list keys that end in this `TIME`, as in 30d or 12h; exit 1 if there are any")
	cmd.Flags().String("at", "", "look from this `INSTANT` instead of the present one")
	f.format = addChoice(cmd, "format", "text or json", formatText, formatJSON)
	return cmd
}

func trustList(cmd *cobra.Command, env *environment, f *trustListFlags, path string) error {
	at, err := parseInstantFlag(cmd, "at")
	if err != nil {
		return err
	}
	_, store, err := env.readTrust(cmd.Context(), "TRUST", path)
	if err != nil {
		return err
	}
	if at.IsZero() && store.HasWindows() {
		if at = commitment.InstantOf(env.now()); at.IsZero() {
			return misuse("the clock shows a year after 9999").hint("name an instant with --at")
		}
	}
	var list []listedKey
	for localID, k := range store.All() {
		if f.within == 0 || k.Window.EndsWithin(at, time.Duration(f.within)) {
			list = append(list, listedKey{localID, k, k.Window.Service(at)})
		}
	}
	if f.format.value == formatJSON {
		fmt.Fprintf(env.stdout, "%s\n", appendListed(nil, at, list))
	} else {
		writeListed(env, at, list)
	}
	if f.within > 0 && len(list) > 0 {
		return exit(archive.ExitNegative)
	}
	return nil
}

// A listedKey is a key and how it stands to the instant of the list.
type listedKey struct {
	localID string
	keys.TrustedKey
	service keys.Service
}

// writeListed writes the list for people, under the name of each provider.
func writeListed(env *environment, at commitment.Instant, list []listedKey) {
	for i, k := range list {
		if i == 0 || k.localID != list[i-1].localID {
			if i > 0 {
				fmt.Fprintln(env.stdout)
			}
			fmt.Fprintf(env.stdout, "provider %s\n", quote(k.localID))
		}
		fmt.Fprintf(env.stdout, "  key_id %s: %s, %s\n    %s\n    in service %s\n", quote(k.KeyID), k.Tier, k.service,
			keys.Fingerprint(k.Key), windowText(k.Window))
	}
	text := counted(len(list), "key")
	if !at.IsZero() {
		text += ", at " + escape(at.String())
	}
	fmt.Fprintln(env.stderr, text)
}

func appendListed(dst []byte, at commitment.Instant, list []listedKey) []byte {
	dst = appendTextOrNull(append(dst, `{"at":`...), at.String())
	dst = append(dst, `,"keys":[`...)
	for i, k := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = terminal.AppendJSON(append(dst, `{"provider":`...), k.localID)
		dst = terminal.AppendJSON(append(dst, `,"key_id":`...), k.KeyID)
		dst = terminal.AppendJSON(append(dst, `,"algorithm":`...), k.Key.Algorithm)
		dst = terminal.AppendJSON(append(dst, `,"public_key":`...), hex.EncodeToString([]byte(k.Key.Bytes)))
		dst = terminal.AppendJSON(append(dst, `,"fingerprint":`...), keys.Fingerprint(k.Key))
		dst = appendTextOrNull(append(dst, `,"not_before":`...), k.Window.NotBefore.String())
		dst = appendTextOrNull(append(dst, `,"not_after":`...), k.Window.NotAfter.String())
		dst = terminal.AppendJSON(append(dst, `,"tier":`...), string(k.Tier))
		dst = append(terminal.AppendJSON(append(dst, `,"service":`...), string(k.service)), '}')
	}
	return append(dst, "]}"...)
}

// period is a flag that takes a number of days or hours, from 1 on. The zero value stands for none.
type period time.Duration

func (p *period) String() string {
	if *p == 0 {
		return ""
	}
	return strconv.FormatInt(int64(time.Duration(*p)/time.Hour), 10) + "h"
}

func (p *period) Type() string { return "time" }

// maxDays is how many days a period has at most: a century, about.
const maxDays = 36_525

func (p *period) Set(text string) error {
	unit, most := time.Hour, int64(24*maxDays)
	digits, days := strings.CutSuffix(text, "d")
	if days {
		unit, most = 24*time.Hour, maxDays
	} else {
		digits = strings.TrimSuffix(text, "h")
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || digits == text || n < 1 || n > most {
		return fmt.Errorf("want a number of days or hours from 1 on, as in 30d or 12h")
	}
	*p = period(time.Duration(n) * unit)
	return nil
}
