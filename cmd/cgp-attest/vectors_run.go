package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/testvectors"
)

const (
	formatJUnit    = "junit"
	formatMarkdown = "markdown"
)

// defaultShown is how many cases are shown in a report for people.
const defaultShown = 50

type vectorsRunFlags struct {
	folder, expected, output string
	only                     []string
	timeout                  time.Duration
	shuffle                  seed
	limit                    count
	format                   *choice
}

// seed is a flag that takes a number. Its zero value stands for none.
type seed struct{ value *uint64 }

func (s *seed) String() string {
	if s.value == nil {
		return ""
	}
	return strconv.FormatUint(*s.value, 10)
}

func (s *seed) Type() string { return "SEED" }

func (s *seed) Set(text string) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return errors.New("want a whole number from 0 on")
	}
	s.value = &n
	return nil
}

func newVectorsRunCmd(env *environment) *cobra.Command {
	f := &vectorsRunFlags{timeout: testvectors.DefaultTimeout}
	cmd := &cobra.Command{
		Use:   "run [flags] -- CMD...",
		Short: "ask another implementation every case",
		Example: `  ` + program + ` vectors run -- python3 driver.py
  ` + program + ` vectors run --only encode --only SmallOrder -- node driver.mjs
  ` + program + ` vectors run --expected-failures known.txt --format junit ./driver`,
		Long: `Starts CMD with its arguments, without a shell, and asks it the cases one by
one: a question a line on its standard input, an answer a line on its standard
output, as docs/vectors.md says. It is started once, and again where it crashed,
hung or said what is no answer; that case has failed, and the run goes on.

Of a wrong answer the bug is named that gives just this answer, where a case
knows one; else the first intermediate value that differs, where the answer has
steps; and the first place in which the answer differs.

Exit code: 0 everything that was answered is right; 1 something failed, or an
expected failure passed; 2 usage; 3 nothing was run, or CMD supports none of it;
4 CMD cannot be started or does not say hello; 130 interrupted.`,
		Args: between(1, -1, "the command CMD to run"),
	}
	guard(cmd, env)
	flags := cmd.Flags()
	flags.SetInterspersed(false) // what stands behind CMD is its own
	flags.StringVar(&f.folder, "vectors", "", "take the cases of the folder `DIR` instead of those of this binary")
	flags.StringArrayVar(&f.only, "only", nil, "run only the cases of a `FLAG|OP|ID`; may be repeated")
	flags.StringVar(&f.expected, "expected-failures", "", "the cases whose ids stand in `FILE`, one a line, are to fail; one that passes is an error")
	flags.DurationVar(&f.timeout, "timeout", f.timeout, "how long one answer may take: `DURATION`, as in 500ms (default 10s)")
	flags.Var(&f.shuffle, "shuffle", "run the cases in another order, the same for each `SEED`")
	flags.Var(&f.limit, "limit", "show at most `N` cases as text and as Markdown (default 50)")
	flags.StringVarP(&f.output, "output", "o", "", "write to `FILE` instead of standard output; whole or not at all")
	f.format = addChoice(cmd, "format", "text, json, junit or markdown", formatText, formatJSON, formatJUnit, formatMarkdown)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return runVectors(cmd, env, f, args) }
	return cmd
}

func runVectors(cmd *cobra.Command, env *environment, f *vectorsRunFlags, command []string) error {
	if f.timeout <= 0 {
		return misuse("--timeout: want more than nothing")
	}
	classes, err := loadVectors(f.folder)
	if err != nil {
		return err
	}
	opt := &testvectors.RunOptions{Command: command, Timeout: f.timeout, Shuffle: f.shuffle.value}
	if path, present, err := given(cmd, "expected-failures"); err != nil {
		return err
	} else if present {
		text, err := os.ReadFile(path)
		if err != nil {
			return misuse("--expected-failures: %w", err)
		}
		if opt.Expected, err = testvectors.ParseExpected(string(text), classes); err != nil {
			return misuse("--expected-failures: %.128q: %w", path, err)
		}
	}
	if classes, err = testvectors.Select(classes, f.only); err != nil {
		return misuse("--only: %w", err).hint("%s vectors export DIR writes the cases; docs/vectors.md lists ops and flags", program)
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	r, err := testvectors.Run(cmd.Context(), classes, opt)
	if err != nil {
		return fail(archive.ExitUnreadable, "%w", err).hint("want a program that reads a question a line and answers it at once: it must flush its output behind every line").
			hint("the first question is {\"op\":\"hello\"}; docs/vectors.md has drivers to start from")
	}
	run := &vectorsRun{RunReport: r, flags: f, command: command}
	text := run.render(env, out)
	if _, err := out.Write(text); err != nil {
		return cannotWrite(out.name, err)
	}
	if err := out.commit(); err != nil {
		return err
	}
	code, reason := r.Verdict()
	if code != archive.ExitGood && (f.format.value != formatText || f.output != "") {
		return fail(code, "%s", reason)
	}
	return exit(code)
}

// loadVectors reads the cases of a folder, of this binary where none is named.
func loadVectors(folder string) ([]*testvectors.File, error) {
	from := testvectors.FS()
	if folder != "" {
		from = os.DirFS(folder)
	}
	classes, err := testvectors.Load(from)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, misuse("--vectors: %.128q: %w", folder, err).hint("want a folder as %s vectors export writes it", program)
	case err != nil:
		return nil, misuse("--vectors: %.128q: %w", folder, err)
	}
	return classes, nil
}

// A vectorsRun is a run and what was asked for.
type vectorsRun struct {
	*testvectors.RunReport
	flags   *vectorsRunFlags
	command []string
}

func (r *vectorsRun) render(env *environment, out *output) []byte {
	switch r.flags.format.value {
	case formatJSON:
		return r.json()
	case formatJUnit:
		return r.junit()
	case formatMarkdown:
		return r.markdown()
	}
	return r.text(env, out)
}

// limit is how many cases are shown to people.
func (r *vectorsRun) limit() int {
	if r.flags.limit == 0 {
		return defaultShown
	}
	return int(r.flags.limit)
}

// failed returns the cases that make a run bad.
func (r *vectorsRun) failed() []*testvectors.RunCase {
	return r.with(testvectors.OutcomeFailed, testvectors.OutcomeUnexpectedPass)
}

func (r *vectorsRun) with(outcomes ...testvectors.Outcome) []*testvectors.RunCase {
	var list []*testvectors.RunCase
	for i := range r.Cases {
		for _, o := range outcomes {
			if r.Cases[i].Outcome == o {
				list = append(list, &r.Cases[i])
			}
		}
	}
	return list
}
