package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

// completes reports whether a shell asks what may stand on a command line.
func completes(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// addCompletions has every flag without words of its own complete what its help says that it takes: a file, a folder, an id of a
// trust file on the command line, or nothing that could be known.
func addCompletions(cmd *cobra.Command, env *environment) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, done := cmd.GetFlagCompletionFunc(f.Name); done {
			return
		}
		if complete := env.completionOf(cmd, f); complete != nil {
			if err := cmd.RegisterFlagCompletionFunc(f.Name, complete); err != nil {
				panic(err) // registered twice, or no such flag
			}
		}
	})
	switch {
	case cmd.ValidArgsFunction != nil || cmd.ValidArgs != nil:
	case strings.HasSuffix(cmd.Use, " DIR") || strings.HasSuffix(cmd.Use, "[DIR]"):
		cmd.ValidArgsFunction = folders
	case cmd.Use == strings.ToLower(cmd.Use): // no argument stands there
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range cmd.Commands() {
		addCompletions(sub, env)
	}
}

// completionOf returns what completes the values of a flag, nil for names of files.
func (env *environment) completionOf(cmd *cobra.Command, f *pflag.Flag) cobra.CompletionFunc {
	takes, _ := pflag.UnquoteUsage(f)
	trusted := takesTrust(cmd)
	switch {
	case trusted && f.Name == "key-id":
		return env.trustedWords(func(cmd *cobra.Command, localID, keyID string) string {
			if p := cmd.Flags().Lookup("provider").Value.String(); p != "" && p != localID {
				return ""
			}
			return keyID
		})
	case trusted && (f.Name == "local-id" || f.Name == "provider" && takes == "ID"):
		return env.trustedWords(func(_ *cobra.Command, localID, _ string) string { return localID })
	case f.Name == "received-at":
		return cobra.FixedCompletions([]string{receivedNow, "archive"}, cobra.ShellCompDirectiveNoFileComp)
	case takes == "F=FILE":
		var forms []string
		for _, name := range report.Formats() {
			forms = append(forms, name+"=")
		}
		return cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
	case takes == "FLAG|OP|ID":
		return cobra.FixedCompletions(selectable(), cobra.ShellCompDirectiveNoFileComp)
	case strings.HasSuffix(takes, "DIR"):
		return folders
	case slices.Contains([]string{"FILE", "KEY", "REF", "REQUEST", "SIGS", "ACK", "LOG"}, takes):
		return nil
	}
	return cobra.NoFileCompletions
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// selectable returns the words of vectors run --only, without the ids of the cases.
func selectable() []string {
	words := testvectors.Ops()
	for _, f := range testvectors.Flags() {
		words = append(words, f.Name)
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// takesTrust reports whether a command reads a trust file, as an argument or a flag.
func takesTrust(cmd *cobra.Command) bool {
	return strings.Contains(cmd.Use, " TRUST") || cmd.Flags().Lookup("trust") != nil
}

// fit matches what may be offered to a shell. Some of them expand what they are offered, and a trust file may come from others.
var fit = regexp.MustCompile(`^[A-Za-z0-9_@%+,./-][A-Za-z0-9_@%+,./:-]*$`)

// trustedWords offers a word for each key of the trust files that the command line names. What is wrong with one of them, the
// command itself will say.
func (env *environment) trustedWords(word func(cmd *cobra.Command, localID, keyID string) string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		var files []string
		if strings.Contains(cmd.Use, " TRUST") {
			files = args[:min(len(args), 1)]
		} else if f := cmd.Flags().Lookup("trust"); f != nil {
			files = f.Value.(pflag.SliceValue).GetSlice()
		}
		var words []string
		for _, path := range files {
			if path == standardInput {
				continue
			}
			_, store, err := env.readTrust(cmd.Context(), "--trust", path)
			if err != nil {
				continue
			}
			for localID, key := range store.All() {
				if w := word(cmd, localID, key.KeyID); fit.MatchString(w) && !slices.Contains(words, w) {
					words = append(words, w)
				}
			}
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}
