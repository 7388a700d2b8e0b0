package main

import "github.com/spf13/cobra"

func newKeyCmd(env *environment) *cobra.Command {
	group := newGroup(&cobra.Command{
		Use:   "key",
		Short: "make a signing key; show, convert or publish the public one",
		Example: `  ` + program + ` key generate -o docs.key
  ` + program + ` key show docs.key`,
	})
	group.AddCommand(newKeyGenerateCmd(env), newKeyShowCmd(env), newKeyConvertCmd(env), newKeyPublishCmd(env))
	return group
}
