package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// algorithms returns everything that this program can check: what signs and what reads keys takes all of it. What verifies takes
// what allowed returns.
func (env *environment) algorithms() sign.Algorithms {
	all := sign.Ed25519Only()
	for _, s := range env.schemes {
		all = all.With(s)
	}
	return all
}

// parser reads keys of every algorithm of this program.
func (env *environment) parser() keys.Parser { return keys.Parser{Algorithms: env.algorithms()} }

// schemeNames are the names for --allow-algorithm.
func (env *environment) schemeNames() []string { return sign.Undefined(env.algorithms().Names()) }

const allowFlag = "allow-algorithm"

// addAllowAlgorithm adds the flag by which a person turns on what CGP does not define.
func addAllowAlgorithm(cmd *cobra.Command, env *environment, names *[]string) {
	known := env.schemeNames()
	if len(known) == 0 {
		known = []string{"none"}
	}
	cmd.Flags().StringArrayVar(names, allowFlag, nil, fmt.Sprintf("check attestations of the algorithm `NAME` too: %s (%s); may be repeated",
		either(known), sign.NotDefined))
	completeChoice(cmd, allowFlag, &choice{of: known})
}

// allowed returns Ed25519 and the algorithms that are named. Whatever else this program has is as unknown as any other name.
func (env *environment) allowed(names []string) (sign.Algorithms, error) {
	all, some := env.algorithms(), sign.Ed25519Only()
	for _, name := range names {
		alg, known := all.Lookup(name)
		if !known {
			f := misuse("--%s: %.128q is not an algorithm that %s has", allowFlag, name, program)
			if near := nearest(name, all.Names()); near != "" {
				f.hint("did you mean %s?", near)
			}
			return some, f.hint("want %s; names are compared exactly, and these are %s", either(env.schemeNames()), sign.NotDefined)
		}
		some = some.With(alg)
	}
	return some, nil
}

// warnUndefined says on standard error what a key of another algorithm than Ed25519 means for those who verify.
func (env *environment) warnUndefined(algorithm string) {
	if algorithm != sign.Ed25519 {
		env.warn("algorithm %s is %s: whoever verifies must allow it by name, and for everyone else what is signed is uncheckable",
			quote(algorithm), sign.NotDefined)
	}
}

// warn writes a warning to standard error.
func (env *environment) warn(format string, args ...any) {
	fmt.Fprintf(env.stderr, "warning: %s\n", escape(fmt.Sprintf(format, args...)))
}

// hintAlgorithm says of a key that was refused for its algorithm how that could be checked.
func (env *environment) hintAlgorithm(f *failure, algorithm string) *failure {
	if errors.Is(f, sign.ErrUnsupportedKey) && slices.Contains(env.schemeNames(), algorithm) {
		f.hint("%s is %s, and is checked only in a run that names it with --%s", algorithm, sign.NotDefined, allowFlag)
	}
	return f
}
