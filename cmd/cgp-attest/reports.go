package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/report"
)

// reportFlag is the flag that asks for one more report of a run.
const reportFlag = "report"

// addReports adds the flag --report.
func addReports(cmd *cobra.Command, list *[]string) {
	cmd.Flags().StringArrayVar(list, reportFlag, nil,
		"write one more report, in the format F to FILE or, for -, to standard output: `F=FILE`; may be repeated; all are written whole or none is")
}

// A reportOutput is one report of a run and where it goes.
type reportOutput struct {
	render report.Renderer
	out    *output
	atOnce bool // it reaches a terminal while the run goes on
}

// reports are all reports of one run. Each is given the same, so that no two of them can disagree.
type reports []reportOutput

// startReports begins the report that --format and -o ask for, and those of --report.
func (env *environment) startReports(ctx context.Context, f *verifyFlags, h archive.Header) (_ reports, err error) {
	var list reports
	defer func() {
		if err != nil {
			list.discard()
		}
	}()
	start := func(flag, format, path string) error {
		out, err := env.createFor(ctx, flag, path)
		if err != nil {
			return err
		}
		render := report.New(format, out, h, tool(), report.TextOptions{
			Width: env.columnsOf(out), Color: env.useColor(out), Verbose: f.verbose, Limit: int(f.limit),
		})
		// What stands first in the other formats is known last.
		early := format == report.FormatJSON || format == report.FormatJSONL
		list = append(list, reportOutput{render, out, early && env.isTerminal(out, path)})
		return nil
	}
	if err := start("-o", f.format.value, f.output); err != nil {
		return nil, err
	}
	for _, text := range f.reports {
		format, path, found := strings.Cut(text, "=")
		if found && !slices.Contains(report.Formats(), format) {
			return nil, misuse("--report: there is no format %.64q, want %s", format, either(report.Formats())).meant(format, report.Formats()).
				hint("as in sarif=report.sarif")
		}
		if !found || path == "" {
			return nil, misuse("--report: %.128q is not of the form F=FILE", text).
				hint("F is %s, as in sarif=report.sarif", either(report.Formats()))
		}
		if err := start("--report", format, path); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// atOnce reports whether a report reaches a terminal while the run goes on.
func (r reports) atOnce() bool {
	return slices.ContainsFunc(r, func(o reportOutput) bool { return o.atOnce })
}

// Answer implements archive.Sink.
func (r reports) Answer(a *archive.Answer) error {
	return r.each(func(to report.Renderer) error { return to.Answer(a) })
}

// Error implements archive.Sink.
func (r reports) Error(e *archive.RecordError) error {
	return r.each(func(to report.Renderer) error { return to.Error(e) })
}

// finish ends every report and puts each in its place once all are whole.
func (r reports) finish(s *archive.Summary) error {
	if err := r.each(func(to report.Renderer) error { return to.Close(s) }); err != nil {
		return err
	}
	for i := range r {
		if err := r[i].out.finish(); err != nil {
			return err
		}
	}
	for i := range r {
		if err := r[i].out.commit(); err != nil {
			return err
		}
	}
	return nil
}

// each does the same with every report. Its error says which of them could not be written.
func (r reports) each(do func(report.Renderer) error) error {
	for i := range r {
		if err := do(r[i].render); err != nil {
			return cannotWrite(r[i].out.name, err)
		}
	}
	return nil
}

// discard drops what was not committed.
func (r reports) discard() {
	for i := range r {
		r[i].out.discard()
	}
}
