package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

func newRecordCmd(env *environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "record [flags] [IN]",
		Short: "append messages to a log of answers as they arrived",
		Example: `  ` + program + ` record --local-id docs --received-at now -o docs.ndjson answer.json
  # Everything that a provider says, as it says it
  docs-provider | ` + program + ` record --received-at now -o docs.ndjson`,
		Long: `Appends each message of IN to LOG, as a line of cgp-archive/1 that verify reads
like any other input. IN is a message, a session, an array of messages, on one
line or on many; standard input where it is missing. Every type of message is
kept: a handshake_ack tells verify which provider answered.

Each message is in LOG, and on its disk, as soon as it was read. Several
processes may append to one LOG at once; LOG.lock, beside it, makes them wait
for each other. What is left of a line by a process that was killed stays alone
on its line. A compressed LOG is refused.

What --local-id and --received-at write is covered by no signature, and verify
reads it only with --local-id archive and --received-at archive.

Exit code: 0 every record of IN was appended; 2 usage, or LOG cannot be opened;
3 no message was there; 4 IN or a record of it could not be read or is no
message: the others were appended; 5 LOG could not be written: no part of a line
is left in it; 130 interrupted: what was read until then was appended.`,
		Args: between(0, 1, "one IN"),
		RunE: func(cmd *cobra.Command, args []string) error { return record(cmd, env, args) },
	}
	flags := cmd.Flags()
	flags.String("local-id", "", "write `ID`, by which this host knows the provider, into every line")
	flags.String("received-at", "", "write this `INSTANT` into every line; \"now\": the one at which each message was read; without the flag none is written")
	guard(cmd, env)
	flags.StringP("output", "o", "", "append to `LOG` instead of standard output, and create it where it is not there")
	return cmd
}

func record(cmd *cobra.Command, env *environment, args []string) error {
	path, err := env.inputOf(args, false)
	if err != nil {
		return err
	}
	receipt, err := env.receipt(cmd)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	in, err := env.openToEnd(ctx, path)
	if err != nil {
		return unreadable(path, err)
	}
	defer in.Close()
	log, err := env.openLog(cmd)
	if err != nil {
		return err
	}
	group := newGroupCommit(log.append, cancel)
	badly := &unrecorded{env: env, ctx: ctx}
	src := archive.Source{Name: path, Open: func() (io.ReadCloser, error) { return in, nil }}
	err = archive.NewWriter(group).AppendSource(src, receipt, badly.tell)
	appended, failed := group.close()
	failed = errors.Join(failed, log.close())
	fmt.Fprintf(env.stderr, "appended %s to %s\n", counted(appended, "message"), log.name)
	switch {
	case failed != nil:
		return log.failure(failed)
	case cmd.Context().Err() != nil:
		return cmd.Context().Err()
	case errors.Is(err, archive.ErrMalformedLocalID):
		return misuse("--local-id: %w", err)
	case err != nil:
		return fail(archive.ExitInternal, "%w", err)
	case badly.n > 0:
		return badly.failure()
	case appended == 0:
		return fail(archive.ExitUnchecked, "%q holds no message", path)
	}
	return nil
}

// receipt reads what is to be written beside each message.
func (env *environment) receipt(cmd *cobra.Command) (func() archive.Receipt, error) {
	var r archive.Receipt
	localID, named, err := given(cmd, "local-id")
	if err != nil {
		return nil, err
	}
	if named {
		r.LocalID = commitment.Some(localID)
	}
	text, named, err := given(cmd, "received-at")
	switch {
	case err != nil:
		return nil, err
	case text == receivedNow:
		return func() archive.Receipt {
			return archive.Receipt{At: commitment.InstantOf(env.now()), LocalID: r.LocalID}
		}, nil
	case named:
		if r.At, err = commitment.ParseInstant(text); err != nil {
			return nil, misuse("--received-at: %w", err).hint("as in 2026-08-29T12:00:00Z, or now")
		}
	}
	return func() archive.Receipt { return r }, nil
}

// A logOutput is where lines are appended.
type logOutput struct {
	name    string
	durable bool // no part of what was not appended stands in it
	append  func(lines []byte) error
	close   func() error
}

// failure is what ends a run in which the log could not be written.
func (l *logOutput) failure(err error) *failure {
	if !l.durable {
		return cannotWrite(l.name, err)
	}
	return fail(archive.ExitInternal, "writing %s: %w", l.name, err).
		hint("the messages that are counted above stand in it, and no part of any other")
}

// openLog opens the log that -o names; "" and - are standard output.
func (env *environment) openLog(cmd *cobra.Command) (*logOutput, error) {
	path := cmd.Flags().Lookup("output").Value.String()
	if path == "" || path == standardInput {
		write := func(lines []byte) error {
			_, err := env.stdout.Write(lines)
			return err
		}
		return &logOutput{name: "standard output", append: write, close: func() error { return nil }}, nil
	}
	log, err := fileio.OpenLog(cmd.Context(), path)
	switch {
	case errors.Is(err, fileio.ErrCompressed):
		return nil, misuse("-o: %w", err).hint("append to a plain file, and compress it when it is closed")
	case err != nil:
		return nil, cannotCreate("-o", path, err)
	}
	// An interruption must not keep what was read from the log. Whoever does not want to wait interrupts a second time.
	ctx := context.WithoutCancel(cmd.Context())
	write := func(lines []byte) error { return log.Append(ctx, lines) }
	return &logOutput{name: quote(path), durable: log.Durable(), append: write, close: log.Close}, nil
}

// unrecorded tells about the records that are not appended.
type unrecorded struct {
	env *environment
	ctx context.Context
	n   int
}

func (u *unrecorded) tell(e *archive.RecordError) error {
	if e.Record == 0 && u.ctx.Err() != nil {
		return nil // the input ended because the run did
	}
	if u.n++; u.n <= maxSaid {
		complain(u.env.stderr, fmt.Sprintf("%q, %s", e.Source, recordText(e)))
	}
	return nil
}

// failure ends a run in which records were left out.
func (u *unrecorded) failure() error {
	f := fail(archive.ExitUnreadable, "not appended: %s", counted(u.n, "record"))
	if u.n > maxSaid {
		return f.hint("the first %d are named above", maxSaid)
	}
	return f
}
