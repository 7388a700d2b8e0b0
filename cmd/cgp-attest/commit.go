package main

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

type commitFlags struct {
	steps  bool
	format *choice
	output string
}

func newCommitCmd(env *environment) *cobra.Command {
	f := &commitFlags{}
	cmd := &cobra.Command{
		Use:   "commit [flags] IN",
		Short: "print what a provider would sign, judging nothing",
		Example: `  ` + program + ` commit answer.json
  # Every byte string on the way, to compare with another implementation
  ` + program + ` commit --steps --provider docs result.json`,
		Long: `Prints the chain head and the commitment of every frame, its place in the
canonical order, and the root. IN may be - for standard input.

Exit code: 0 printed; 2 usage, or nothing says which provider answered; 3 no
answer was there; 4 the input could not be read, or a frame has no commitment.`,
		Args: between(1, 1, "one IN"),
		RunE: func(cmd *cobra.Command, args []string) error { return commit(cmd, env, f, args[0]) },
	}
	flags := cmd.Flags()
	flags.String("provider", "", "commit under the declared `NAME`, whatever the input says")
	flags.BoolVar(&f.steps, "steps", false, "print every encoding, preimage and intermediate hash")
	f.format = addChoice(cmd, "format", "text or json (an object for each answer, one a line)", formatText, formatJSON)
	addOutput(cmd, env, &f.output)
	return cmd
}

func commit(cmd *cobra.Command, env *environment, f *commitFlags, path string) error {
	var opt archive.ListOptions
	provider, named, err := given(cmd, "provider")
	if err != nil {
		return err
	}
	if named {
		opt.Provider = commitment.Some(provider)
	}
	out, err := env.create(cmd.Context(), f.output)
	if err != nil {
		return err
	}
	defer out.discard()
	malformed := 0
	answers, err := archive.List(env.source(cmd.Context(), path), opt, func(l *archive.Listing) error {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		for i := range l.Frames {
			if l.Frames[i].Fault != "" {
				malformed++
			}
		}
		if f.format.value == formatJSON {
			_, err = out.Write(append(appendListing(nil, l, f.steps), '\n'))
		} else {
			_, err = out.Write(appendListingText(nil, l, f.steps))
		}
		if err != nil {
			return cannotWrite(out.name, err)
		}
		return nil
	})
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	switch {
	case err != nil:
		return explainListing(err)
	case answers == 0:
		return fail(archive.ExitUnchecked, "%q holds no frames message and no bare result", path)
	}
	if err := out.commit(); err != nil {
		return err
	}
	if malformed > 0 {
		return fail(archive.ExitUnreadable, "%s without a commitment", counted(malformed, "frame"))
	}
	return nil
}

// explainListing turns an error of archive.List into what ends the command.
func explainListing(err error) error {
	var record *archive.RecordError
	switch {
	case errors.As(err, &record):
		return explainRecord(record)
	case errors.Is(err, archive.ErrNoProvider):
		return misuse("%w", err).hint("name the provider with --provider, exactly as its handshake_ack declares it")
	}
	return err
}

func appendListingText(dst []byte, l *archive.Listing, steps bool) []byte {
	dst = fmt.Appendf(dst, "%s, record %d", escape(l.Source), l.Record)
	if id, ok := l.ID.Text(); ok {
		dst = fmt.Appendf(dst, ", id %s", quote(id))
	}
	dst = fmt.Appendf(dst, ", provider %s, %s\n", quote(l.ProviderID), counted(len(l.Frames), "frame"))
	root, known := l.Root.Text()
	if !known {
		root = "none: the frames are a part of an answer, or one of them has no commitment"
	}
	dst = fmt.Appendf(dst, "root    %s\n", root)
	for i := range l.Frames {
		dst = appendListedFrameText(dst, &l.Frames[i], steps)
	}
	return append(dst, '\n')
}

// A line of text holds a digest and eight characters in front of it: 79 columns.
func appendListedFrameText(dst []byte, f *archive.ListedFrame, steps bool) []byte {
	if f.Fault != "" {
		return fmt.Appendf(dst, "\nframe %d, id %s has no commitment: %s\n", f.Position, quote(f.ID), escape(f.Fault))
	}
	leaf := "unknown"
	if f.LeafIndex >= 0 {
		leaf = strconv.Itoa(f.LeafIndex)
	}
	dst = fmt.Appendf(dst, "\nframe %d, leaf %s, id %s\n", f.Position, leaf, quote(f.ID))
	digest, declared := f.ContentDigest.Text()
	switch _, err := commitment.ParseDigest(digest); {
	case !declared:
		digest = "none"
	case err != nil:
		digest = quote(digest)
	}
	dst = fmt.Appendf(dst, "digest  %s\n", digest)
	if steps {
		dst = fmt.Appendf(dst, "genesis %s\n", f.Steps.Genesis)
		for i, s := range f.Steps.Links {
			dst = fmt.Appendf(dst, "link %d\n  encoding %x\n  preimage %x\n  head     %s\n", i, s.Encoding, s.Preimage, s.Head)
		}
	}
	dst = fmt.Appendf(dst, "head    %s\n", f.Steps.ChainHead)
	if steps {
		dst = fmt.Appendf(dst, "preimage %x\n", f.Steps.FramePreimage)
	}
	return fmt.Appendf(dst, "commits %s\n", f.Steps.Commitment)
}

func appendListing(dst []byte, l *archive.Listing, steps bool) []byte {
	dst = terminal.AppendJSON(append(dst, `{"source":`...), l.Source)
	dst = strconv.AppendUint(append(dst, `,"record":`...), l.Record, 10)
	dst = appendOptional(append(dst, `,"id":`...), l.ID)
	dst = terminal.AppendJSON(append(dst, `,"provider_id":`...), l.ProviderID)
	dst = append(dst, `,"frames":[`...)
	for i := range l.Frames {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendListedFrame(dst, &l.Frames[i], steps)
	}
	return append(appendOptional(append(dst, `],"root":`...), l.Root), '}')
}

func appendListedFrame(dst []byte, f *archive.ListedFrame, steps bool) []byte {
	dst = strconv.AppendInt(append(dst, `{"position":`...), int64(f.Position), 10)
	if f.Fault != "" {
		dst = terminal.AppendJSON(append(dst, `,"leaf_index":null,"frame_id":`...), f.ID)
		dst = appendOptional(append(dst, `,"content_digest":`...), f.ContentDigest)
		dst = append(dst, `,"chain_head":null,"commitment":null,"fault":`...)
		return append(terminal.AppendJSON(dst, f.Fault), '}')
	}
	dst = append(dst, `,"leaf_index":`...)
	if f.LeafIndex < 0 {
		dst = append(dst, "null"...)
	} else {
		dst = strconv.AppendInt(dst, int64(f.LeafIndex), 10)
	}
	dst = terminal.AppendJSON(append(dst, `,"frame_id":`...), f.ID)
	dst = appendOptional(append(dst, `,"content_digest":`...), f.ContentDigest)
	dst = fmt.Appendf(dst, `,"chain_head":"%s","commitment":"%s"`, f.Steps.ChainHead, f.Steps.Commitment)
	if steps {
		dst = appendSteps(append(dst, `,"steps":`...), &f.Steps)
	}
	return append(dst, '}')
}

func appendSteps(dst []byte, s *commitment.Steps) []byte {
	dst = fmt.Appendf(dst, `{"genesis":"%s","links":[`, s.Genesis)
	for i, link := range s.Links {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = hex.AppendEncode(append(dst, `{"encoding":"`...), link.Encoding)
		dst = hex.AppendEncode(append(dst, `","preimage":"`...), link.Preimage)
		dst = fmt.Appendf(dst, `","head":"%s"}`, link.Head)
	}
	dst = hex.AppendEncode(append(dst, `],"frame_preimage":"`...), s.FramePreimage)
	return append(dst, `"}`...)
}
