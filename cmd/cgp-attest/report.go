package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

func newReportCmd(env *environment) *cobra.Command {
	group := newGroup(&cobra.Command{
		Use:   "report",
		Short: "join reports of verify, or write one in another format",
		Example: `  ` + program + ` report merge -o report.json shard1.jsonl shard2.jsonl
  ` + program + ` report convert --format text report.json`,
		Long: `Reads what verify wrote with --format json or --format jsonl. A report is signed
by nobody: whoever can write it can write anything into it that adds up.`,
	})
	group.AddCommand(newReportMergeCmd(env), newReportConvertCmd(env))
	return group
}

// tool is how this program names itself in a report.
func tool() report.Tool { return report.Tool{Name: program, Version: readBuild().version} }

// addReportFormat adds the flag --format of a command that writes a report. Without it the format is the one given here.
func addReportFormat(cmd *cobra.Command, format string) *choice {
	names := report.Formats()
	others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == format })
	return addChoice(cmd, "format", either(names), append([]string{format}, others...)...)
}

// limitUsage says what --limit is for. The other formats are complete.
const limitUsage = "text, sarif, junit, markdown, html: list at most `N` frames and N findings (default 1000)"

// reportFlags say how a report is written that was read.
type reportFlags struct {
	format  *choice
	verbose bool
	limit   count
	output  string
}

func (f *reportFlags) add(cmd *cobra.Command, env *environment) {
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "text: show every frame with all its evidence")
	cmd.Flags().Var(&f.limit, "limit", limitUsage)
	addOutput(cmd, env, &f.output)
}

// openReport opens a report and reads its header. The caller closes the input.
func (env *environment) openReport(ctx context.Context, path string) (*report.Reader, io.Closer, error) {
	in, err := env.open(ctx, path)
	if err != nil {
		return nil, nil, fail(archive.ExitUnreadable, "%w", err)
	}
	r, err := report.NewReader(in)
	if err != nil {
		in.Close()
		return nil, nil, cannotRead("%.128q: %w", path, err)
	}
	return r, in, nil
}

// cannotRead is a failure of a report that was to be read: nothing was written.
func cannotRead(format string, args ...any) *failure {
	f := fail(archive.ExitUnreadable, format, args...)
	switch {
	case errors.Is(f.err, report.ErrNotReport):
		return f.hint("want what %s verify writes with --format json or --format jsonl", program)
	case errors.Is(f.err, report.ErrUnsupported):
		return f.hint("use a version of %s that writes it, or judge the inputs again", program)
	case errors.Is(f.err, report.ErrDisagrees):
		return f.hint("it was changed after it was written, or by another program: judge the inputs again")
	}
	return f
}

// write writes a report in which copy puts everything, and returns its summary, which copy has concluded. Nothing of it reaches its
// place unless it is whole: for standard output it is kept until then.
func (f *reportFlags) write(ctx context.Context, env *environment, h archive.Header, by report.Tool, copy func(archive.Sink) (*archive.Summary, error)) error {
	out, err := env.create(ctx, f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	var kept fileio.Spool
	defer kept.Close()
	var to io.Writer = out
	if out.file == nil {
		to = &kept
	}
	render := &interruptibleSink{ctx: ctx, Renderer: report.New(f.format.value, to, h, by, report.TextOptions{
		Width: env.columnsOf(out), Color: env.useColor(out), Verbose: f.verbose, Limit: int(f.limit),
	})}
	summary, err := copy(render)
	switch {
	case render.err != nil:
		return cannotWrite(out.name, render.err)
	case err != nil:
		return err
	}
	if err := render.Close(summary); err != nil {
		return cannotWrite(out.name, err)
	}
	if _, err := kept.WriteTo(out); err != nil {
		return cannotWrite(out.name, err)
	}
	return out.commit()
}

// interruptibleSink ends a copy when the program is interrupted, and remembers an error of writing.
type interruptibleSink struct {
	report.Renderer
	ctx context.Context
	err error
}

// Answer implements archive.Sink.
func (s *interruptibleSink) Answer(a *archive.Answer) error {
	return s.check(func() error { return s.Renderer.Answer(a) })
}

// Error implements archive.Sink.
func (s *interruptibleSink) Error(e *archive.RecordError) error {
	return s.check(func() error { return s.Renderer.Error(e) })
}

func (s *interruptibleSink) check(write func() error) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	s.err = write()
	return s.err
}
