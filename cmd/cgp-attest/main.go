// Command cgp-attest signs the answers of Context Graph Protocol providers and judges saved answers offline (CGP §6.5).
//
// A command is flags, one call of the library and rendering. What is good, wrong or unchecked is decided by package archive
// alone, and so is the exit code of what was judged.
//
// # Security
//
// Private keys come from files, the environment, an agent or a program that signs, and never from the command line; none is
// printed, also not in an error. Data goes to standard output, words to standard error. Text from an input is quoted before a
// terminal sees it.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	cobra.MousetrapHelpText = "" // on Windows cobra would end the process itself
	// With SIGPIPE ignored a reader that goes away is an error of writing: temporary files go and the exit code tells.
	signal.Ignore(syscall.SIGPIPE)
	ctx, listen := interruptions()
	env := systemEnvironment()
	env.listen = listen
	os.Exit(run(ctx, env, os.Args[1:]))
}
