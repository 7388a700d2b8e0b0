package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

// guard makes a command refuse, before it reads or writes anything, an output that names a file of the same run, another output
// too. inPlace names the inputs that may be written over because the output is the input with something more in it: a flag, or
// inputArgument.
func guard(cmd *cobra.Command, env *environment, inPlace ...string) {
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		ins, outputs := inputsOf(cmd, args), outputsOf(cmd)
		for i, o := range outputs {
			for _, other := range outputs[:i] {
				if env.sameOutput(o.path, other.path) {
					return misuse("%s and %s name one file", other, o).hint("name another file for one of them")
				}
			}
			if err := env.spare(cmd, o, ins, inPlace); err != nil {
				return err
			}
		}
		return nil
	}
}

// readsFolders reports whether the arguments of a command may be folders.
func readsFolders(cmd *cobra.Command) bool { return strings.HasSuffix(cmd.Use, "PATH...") }

// spare refuses an output that is an input of the same run, or a file under a source root.
func (env *environment) spare(cmd *cobra.Command, o namedOutput, ins []namedInput, inPlace []string) error {
	out, err := os.Stat(o.path)
	if o.path == standardInput || err != nil || !out.Mode().IsRegular() {
		return nil // nothing is there to be overwritten; what is wrong with the path is told later
	}
	for _, in := range ins {
		if slices.Contains(inPlace, in.name) {
			continue
		}
		info, err := in.stat(env)
		switch {
		case err != nil:
		case os.SameFile(info, out):
			return misuse("%s is also %s: it would be overwritten", o, in.name).hint("name another file")
		case readsFolders(cmd) && in.name == inputArgument && inputs.Holds(in.ref.Name, o.path):
			return misuse("%s is also an input, in the folder %.128q: it would be overwritten", o, in.ref.Name).
				hint("name a file elsewhere")
		}
	}
	if f := cmd.Flags().Lookup(sourceRootFlag); f != nil {
		for _, text := range f.Value.(pflag.SliceValue).GetSlice() {
			if _, dir := splitSourceRoot(text); under(dir, o.path) {
				return misuse("%s is also a file under --%s %.128q: it would be overwritten", o, sourceRootFlag, text).
					hint("name a file elsewhere")
			}
		}
	}
	return nil
}

// under reports whether a file that is there stands in a folder or below it.
func under(folder, file string) bool {
	dir, err := os.Stat(folder)
	if err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err == nil {
		file, err = filepath.EvalSymlinks(file)
	}
	if err != nil {
		return false
	}
	for at := filepath.Dir(file); ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, dir) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// A namedOutput is a file that a command line names to be written, and the flag that does.
type namedOutput struct{ flag, path string }

func (o namedOutput) String() string {
	if o.path == standardInput && o.flag == "-o" {
		return "-o, which is standard output where nothing else is said,"
	}
	return fmt.Sprintf("%s %.128q", o.flag, o.path)
}

// outputsOf returns every file that a command line names to be written, standard output where it names none.
func outputsOf(cmd *cobra.Command) []namedOutput {
	path := cmd.Flags().Lookup("output").Value.String()
	if path == "" {
		path = standardInput
	}
	outputs := []namedOutput{{"-o", path}}
	if f := cmd.Flags().Lookup(reportFlag); f != nil {
		for _, text := range f.Value.(pflag.SliceValue).GetSlice() {
			if _, path, found := strings.Cut(text, "="); found {
				outputs = append(outputs, namedOutput{"--" + reportFlag, path})
			}
		}
	}
	return outputs
}

// sameOutput reports whether two outputs would end in one file. Where everything vanishes nothing is lost.
func (env *environment) sameOutput(a, b string) bool {
	if b == standardInput {
		a, b = b, a
	}
	if a != standardInput {
		return fileio.Same(a, b) && !fileio.Same(a, os.DevNull)
	}
	if b == standardInput {
		return true
	}
	file, ok := env.stdout.w.(*os.File)
	if !ok {
		return false
	}
	out, err := file.Stat()
	info, errB := os.Stat(b)
	return err == nil && errB == nil && os.SameFile(out, info) && !fileio.Same(b, os.DevNull)
}

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
