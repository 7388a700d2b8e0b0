package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	program    = "cgp-attest"
	verifyName = "verify"
)

// run runs one command line and returns the exit code of the process. It never panics.
func run(ctx context.Context, env *environment, args []string) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			code = crashed(env.stderr, fault)
		}
	}()
	if len(args) == 0 || args[0] != verifyName { // which may be too brief for it
		env.listenNow()
	}
	root := newRootCmd(env, args...)
	if completes(args) {
		addCompletions(root, env)
	}
	root.SetArgs(slices.Concat([]string{}, args)) // never nil: cobra would read os.Args
	err := root.ExecuteContext(ctx)
	if env.stdout.err != nil {
		err = cannotWrite("standard output", env.stdout.err)
	}
	return explain(env.stderr, err)
}

// newRootCmd makes the command with all those below it. Where the first argument names one of these, it is the only one, because
// the flags of all take longer than many a run; aboutOthers needs them.
func newRootCmd(env *environment, args ...string) *cobra.Command {
	env.color = choice{value: colorAuto, of: []string{colorAuto, colorAlways, colorNever}}
	root := newGroup(&cobra.Command{
		Use:   program,
		Short: "sign and judge Context Graph Protocol answers",
		Long: `Signs the answers of Context Graph Protocol providers and judges saved answers
offline: which frames are what their provider served, which were tampered with,
and what could not be checked.`,
		Example: `  ` + program + ` demo
  ` + program + ` verify --public-key docs:docs-2026-08=HEX answers.ndjson
  ` + program + ` sign --key docs.pem --key-id docs-2026-08 -o out.json in.json`,
		SilenceErrors: true, // run says what went wrong
		SilenceUsage:  true,
	})
	root.SetIn(env.stdin)
	root.SetOut(env.stdout)
	root.SetErr(env.stderr)
	root.SetFlagErrorFunc(explainFlag)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { printHelp(cmd.OutOrStdout(), cmd) })
	root.SetHelpCommand(newHelpCmd(env))
	root.CompletionOptions.DisableDefaultCmd = true
	root.PersistentFlags().Var(&env.color, "color", "colour text: auto, always or never; auto does on a terminal, unless NO_COLOR is set")
	completeChoice(root, "color", &env.color)
	commands := commands()
	if i := slices.IndexFunc(commands, func(c command) bool { return len(args) > 0 && c.name == args[0] }); i >= 0 && args[0] != aboutOthers {
		commands = commands[i : i+1]
	}
	for _, c := range commands {
		root.AddCommand(c.make(env))
	}
	return root
}

// A command of the program, by the name that its Use begins with.
type command struct {
	name string
	make func(*environment) *cobra.Command
}

// aboutOthers is the command that needs those beside it, to write of them.
const aboutOthers = "man"

func commands() []command {
	return []command{
		{"demo", newDemoCmd},
		{"sign", newSignCmd},
		{"prepare", newPrepareCmd},
		{"attach", newAttachCmd},
		{verifyName, newVerifyCmd},
		{"check", newCheckCmd},
		{"prove", newProveCmd},
		{"retain", newRetainCmd},
		{"record", newRecordCmd},
		{"commit", newCommitCmd},
		{"inspect", newInspectCmd},
		{"key", newKeyCmd},
		{"trust", newTrustCmd},
		{"report", newReportCmd},
		{"vectors", newVectorsCmd},
		{"explain", newExplainCmd},
		{"version", newVersionCmd},
		{aboutOthers, newManCmd},
		{"completion", newCompletionCmd},
	}
}

// newGroup makes a command that only holds others. Used without one of them it is an error: cobra alone would print help and
// call that good.
func newGroup(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return misuse("%s needs a command: %s", cmd.CommandPath(), strings.Join(names(cmd), ", ")).
				hint("%s --help says what each does", cmd.CommandPath())
		}
		return unknownCommand(cmd, args[0])
	}
	return cmd
}

func unknownCommand(group *cobra.Command, name string) error {
	f := misuse("unknown command %.128q for %q", name, group.CommandPath())
	if near := nearest(name, names(group)); near != "" {
		return f.hint("did you mean %s %s?", group.CommandPath(), near)
	}
	return f.hint("%s --help lists the commands", group.CommandPath())
}

// names returns the names of the commands below cmd that help shows.
func names(cmd *cobra.Command) []string {
	var all []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			all = append(all, sub.Name())
		}
	}
	return all
}

// explainFlag says what is wrong with a flag, and which one may have been meant.
func explainFlag(cmd *cobra.Command, err error) error {
	f := misuse("%w", err)
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		if c, ok := invalid.GetFlag().Value.(*choice); ok {
			f.meant(invalid.GetValue(), c.of)
		}
	}
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var flags []string
		cmd.Flags().VisitAll(func(flag *pflag.Flag) { flags = append(flags, flag.Name) })
		if near := nearest(unknown.GetSpecifiedName(), flags); near != "" {
			f.hint("did you mean --%s?", near)
		}
	}
	if unknown != nil && cmd == cmd.Root() && unknown.GetSpecifiedName() == "version" {
		return f.hint("%s version prints it", program)
	}
	return f.hint("%s --help lists the flags", cmd.CommandPath())
}

// between returns a check of the number of arguments; max < 0 is any number.
func between(min, max int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < min:
			return misuse("%s: %s is missing", cmd.CommandPath(), want).usage(cmd)
		case max == 0 && len(args) > 0:
			return misuse("%s takes no arguments, found %.128q", cmd.CommandPath(), args[0])
		case max >= 0 && len(args) > max:
			return misuse("%s: found %d arguments, want %s", cmd.CommandPath(), len(args), want).usage(cmd)
		}
		return nil
	}
}

// meant adds the hint that a mistyped word most likely means one of known.
func (f *failure) meant(word string, known []string) *failure {
	if near := nearest(strings.ToLower(word), known); near != "" {
		return f.hint("did you mean %s?", near)
	}
	return f
}

// maxTypos is how many letters may be wrong in a name for another one to be suggested.
const maxTypos = 2

// nearest returns the one of known that a mistyped name most likely means, or "".
func nearest(name string, known []string) string {
	best, distance := "", maxTypos+1
	for _, k := range known {
		d := typos(name, k)
		if strings.HasPrefix(k, name) && name != "" {
			d = min(d, 1)
		}
		if d < distance {
			best, distance = k, d
		}
	}
	return best
}

// typos counts the letters to insert, delete or replace to get from a to b (Levenshtein).
func typos(a, b string) int {
	if len(a) > len(b)+maxTypos || len(b) > len(a)+maxTypos {
		return maxTypos + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
