package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var commandLine = regexp.MustCompile(`(?m)\bcgp-attest( .*)$`)

// Every flag of every command is given by a script. That the script would fail without it this cannot tell.
func TestEveryFlagIsGiven(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "script", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	root := newRootCmd(systemEnvironment())
	given := map[string]bool{}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range commandLine.FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(match[1])
			cmd, _, err := root.Find(words)
			if err != nil {
				continue // a script about a command that there is not
			}
			for _, word := range words {
				if flag := flagOf(cmd, word); flag != nil {
					given[cmd.CommandPath()+" --"+flag.Name] = true
				}
			}
		}
	}
	seen := 0
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		cmd.LocalNonPersistentFlags().VisitAll(func(flag *pflag.Flag) {
			seen++
			if name := cmd.CommandPath() + " --" + flag.Name; flag.Name != "help" && !given[name] {
				t.Errorf("no script of testdata/script has %s", name)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(root)
	if seen == 0 {
		t.Error("the commands have no flags")
	}
}

// flagOf returns the flag of cmd that the word of a command line gives, or nil.
func flagOf(cmd *cobra.Command, word string) *pflag.Flag {
	if long, ok := strings.CutPrefix(word, "--"); ok {
		name, _, _ := strings.Cut(long, "=")
		return cmd.Flags().Lookup(name)
	}
	if len(word) == 2 && word[0] == '-' {
		return cmd.Flags().ShorthandLookup(word[1:])
	}
	return nil
}
