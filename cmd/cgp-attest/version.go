package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

// A build is what the Go linker noted about this binary.
type build struct {
	version  string // of the module; "(devel)" where the build does not know one
	revision string // commit, "" where none was noted
	time     string // of the commit
	modified bool   // the checkout differed from the commit
}

func readBuild() build {
	b := build{version: "(devel)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.revision = s.Value
		case "vcs.time":
			b.time = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

func newVersionCmd(env *environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version [flags]",
		Short: "print the version",
		Example: `  ` + program + ` version
  ` + program + ` version --format json`,
		Args: between(0, 0, ""),
	}
	format := addChoice(cmd, "format", "text or json", formatText, formatJSON)
	cmd.RunE = func(*cobra.Command, []string) error {
		if format.value == formatJSON {
			fmt.Fprintf(env.stdout, "%s\n", appendBuild(nil, readBuild()))
			return nil
		}
		fmt.Fprintln(env.stdout, readBuild())
		return nil
	}
	return cmd
}

func (b build) String() string {
	text := program + " " + b.version
	if b.revision != "" {
		text += ", commit " + b.revision
		if b.modified {
			text += " with changes"
		}
		text += " of " + b.time
	}
	return fmt.Sprintf("%s, %s %s/%s", text, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func appendBuild(dst []byte, b build) []byte {
	dst = terminal.AppendJSON(append(dst, `{"name":`...), program)
	dst = terminal.AppendJSON(append(dst, `,"version":`...), b.version)
	dst = appendTextOrNull(append(dst, `,"revision":`...), b.revision)
	dst = appendTextOrNull(append(dst, `,"time":`...), b.time)
	dst = fmt.Appendf(dst, `,"modified":%t,"go":`, b.modified)
	dst = terminal.AppendJSON(dst, runtime.Version())
	dst = terminal.AppendJSON(append(dst, `,"os":`...), runtime.GOOS)
	dst = terminal.AppendJSON(append(dst, `,"arch":`...), runtime.GOARCH)
	return append(dst, '}')
}
