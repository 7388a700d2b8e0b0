package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// choice is a flag that takes one of a few words.
type choice struct {
	value string
	of    []string
}

func (c *choice) String() string { return c.value }

func (c *choice) Type() string { return "word" }

func (c *choice) Set(word string) error {
	if !slices.Contains(c.of, word) {
		return fmt.Errorf("want %s", either(c.of))
	}
	c.value = word
	return nil
}

// either joins words as in "a, b or c".
func either(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// addChoice adds a flag that takes one of the words, the first unless it says otherwise, and completes them.
func addChoice(cmd *cobra.Command, name, usage string, words ...string) *choice {
	c := &choice{value: words[0], of: words}
	cmd.Flags().Var(c, name, usage)
	completeChoice(cmd, name, c)
	return c
}

func completeChoice(cmd *cobra.Command, name string, c *choice) {
	err := cmd.RegisterFlagCompletionFunc(name, func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return c.of, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // no such flag, or registered twice
	}
}

// count is a flag that takes a whole number from 1 on. The zero value stands for a default that the flag's text names.
type count int64

var _ pflag.Value = (*count)(nil)

func (c *count) String() string {
	if *c == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*c), 10)
}

func (c *count) Type() string { return "n" }

func (c *count) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 {
		return fmt.Errorf("want a whole number from 1 on")
	}
	*c = count(n)
	return nil
}

// given returns the value of a string flag where it stands on the command line. An empty one is an error: most likely it is a
// variable that was never set.
func given(cmd *cobra.Command, name string) (value string, present bool, err error) {
	flag := cmd.Flags().Lookup(name)
	if !flag.Changed {
		return "", false, nil
	}
	if value = flag.Value.String(); value == "" {
		return "", false, misuse("--%s is empty", name).hint("give it a value; a variable in its place may never have been set")
	}
	return value, true, nil
}
