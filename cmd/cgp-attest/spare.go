package main

import (
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contextgraphprotocol.org/cgp-attest/internal/inputs"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

// guard makes a command refuse, before it reads or writes anything, an -o that names a file of the same run. inPlace names the
// inputs that may be written over because the output is the input with something more in it: a flag, or inputArgument.
func guard(cmd *cobra.Command, env *environment, inPlace ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		path := cmd.Flags().Lookup("output").Value.String()
		out, err := os.Stat(path)
		if path == standardInput || err != nil || !out.Mode().IsRegular() {
			return nil // nothing is there to be overwritten; what is wrong with the path is told later
		}
		for _, in := range inputsOf(cmd, args) {
			if slices.Contains(inPlace, in.name) {
				continue
			}
			info, err := in.stat(env)
			switch {
			case err != nil:
			case os.SameFile(info, out):
				return misuse("-o %.128q is also %s: it would be overwritten", path, in.name).hint("name another file")
			case readsFolders(cmd) && in.name == inputArgument && inputs.Holds(in.ref.Name, path):
				return misuse("-o %.128q is also an input, in the folder %.128q: it would be overwritten", path, in.ref.Name).
					hint("name a file elsewhere")
			}
		}
		return nil
	}
}

// readsFolders reports whether the arguments of a command may be folders.
func readsFolders(cmd *cobra.Command) bool { return strings.HasSuffix(cmd.Use, "PATH...") }

// inputArgument is the name of an input that an argument gives.
const inputArgument = "an input"

// A namedInput is a file that a command line names, and the flag that does.
type namedInput struct {
	name string
	ref  keyref.Reference
}

func (in *namedInput) stat(env *environment) (os.FileInfo, error) {
	switch in.ref.Kind {
	case keyref.Path, keyref.External:
		return os.Stat(in.ref.Name)
	case keyref.Descriptor:
		return os.Stat("/dev/fd/" + in.ref.Name)
	case keyref.Stdin:
		if file, ok := env.stdin.(*os.File); ok {
			return file.Stat()
		}
	}
	return nil, os.ErrNotExist
}

// inputsOf returns every file that a command line names to be read. What a flag takes is what its help says.
func inputsOf(cmd *cobra.Command, args []string) []namedInput {
	var inputs []namedInput
	add := func(name string, ref keyref.Reference) { inputs = append(inputs, namedInput{name, ref}) }
	cmd.Flags().Visit(func(f *pflag.Flag) {
		value, _ := pflag.UnquoteUsage(f)
		texts := []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			texts = list.GetSlice()
		}
		for _, text := range texts {
			name := "--" + f.Name
			switch {
			case f.Name == "output":
			case f.Name == passphraseFD:
				add(name, keyref.Reference{Kind: keyref.Descriptor, Name: text})
			case value == "FILE" || value == "REQUEST" || value == "SIGS" || value == "ACK" || value == "KEY":
				add(name, fileReference(text))
			case value == "ITEM=FILE":
				_, path, _ := strings.Cut(text, "=")
				add(name, fileReference(path))
			case value == "REF":
				if ref, err := keyref.Parse(text); err == nil {
					add(name, ref)
				}
			}
		}
	})
	for _, arg := range args {
		if !strings.HasSuffix(cmd.Use, " REF") {
			add(inputArgument, fileReference(arg))
		} else if ref, err := keyref.Parse(arg); err == nil {
			add("REF", ref)
		}
	}
	if len(args) == 0 && strings.Contains(cmd.Use, "[IN") {
		add(inputArgument, fileReference(standardInput))
	}
	return inputs
}

func fileReference(path string) keyref.Reference {
	if path == standardInput {
		return keyref.Reference{Kind: keyref.Stdin}
	}
	return keyref.Reference{Kind: keyref.Path, Name: path}
}
