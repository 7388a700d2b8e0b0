package main

import (
	"github.com/spf13/cobra"
)

func newCompletionCmd(env *environment) *cobra.Command {
	shells := map[string]func(root *cobra.Command) error{
		"bash":       func(root *cobra.Command) error { return root.GenBashCompletionV2(env.stdout, true) },
		"zsh":        func(root *cobra.Command) error { return root.GenZshCompletion(env.stdout) },
		"fish":       func(root *cobra.Command) error { return root.GenFishCompletion(env.stdout, true) },
		"powershell": func(root *cobra.Command) error { return root.GenPowerShellCompletionWithDesc(env.stdout) },
	}
	names := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print the completion script of a shell",
		Example: `  source <(` + program + ` completion bash)
  ` + program + ` completion zsh >"${fpath[1]}/_` + program + `"
  ` + program + ` completion fish >~/.config/fish/completions/` + program + `.fish
  ` + program + ` completion powershell | Out-String | Invoke-Expression`,
		Long:      "SHELL is bash (with the package bash-completion), zsh, fish or powershell.",
		ValidArgs: names,
		Args:      between(1, 1, "a SHELL"),
		RunE: func(cmd *cobra.Command, args []string) error {
			script, ok := shells[args[0]]
			if !ok {
				return misuse("no completion for shell %.128q, want %s", args[0], either(names)).meant(args[0], names)
			}
			return script(cmd.Root())
		},
	}
}
