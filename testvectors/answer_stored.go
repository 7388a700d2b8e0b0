package testvectors

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

func answerDecompress(in Object) Result {
	reader := archive.Decompress(bytes.NewReader(fromHex(asked[string](in, "bytes"))), archive.Limits{})
	defer reader.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, reader)
	var fault *archive.RecordError
	var code any
	switch {
	case errors.As(err, &fault):
		code = string(fault.Code)
	case err != nil:
		panic(err)
	}
	if code != nil && fault.At != size {
		panic("the fault does not stand where the readable part ends")
	}
	return Result{Value: object("size", integer(uint64(size)), "digest", commitment.Digest(sum.Sum(nil)).String(), memberError, code)}
}

func answerArchiveLine(in Object) Result {
	receipt := archive.Receipt{LocalID: optional(in, "local_id")}
	if text, given := optional(in, "received_at").Text(); given {
		var err error
		if receipt.At, err = commitment.ParseInstant(text); err != nil {
			return Result{Error: malformedInstant}
		}
	}
	var line bytes.Buffer
	err := archive.NewWriter(&line).Append([]byte(asked[string](in, "message")), receipt)
	var refused *archive.RecordError
	switch {
	case errors.As(err, &refused):
		return Result{Error: string(refused.Code)}
	case errors.Is(err, archive.ErrMalformedLocalID):
		return Result{Error: malformedLocalID}
	case err != nil:
		panic(err)
	}
	text, ends := strings.CutSuffix(line.String(), "\n")
	if !ends || strings.ContainsAny(text, "\r\n") {
		panic("it is no line")
	}
	written, err := parseValue([]byte(text))
	if err != nil {
		panic(err)
	}
	return Result{Value: written}
}

func answerList(in Object) Result {
	list := List{}
	options := archive.ListOptions{Provider: optional(in, "provider")}
	n, err := archive.List(source(inputBytes(in)), options, func(l *archive.Listing) error {
		frames := List{}
		for i := range l.Frames {
			f := &l.Frames[i]
			var value any
			if f.Fault == "" {
				value = f.Steps.Commitment.String()
			}
			frames = append(frames, object("leaf_index", fromZero(f.LeafIndex), "frame_id", f.ID, "commitment", value))
		}
		list = append(list, object("record", integer(l.Record), "provider_id", l.ProviderID, "frames", frames, "root", orNull(l.Root.OrEmpty())))
		return nil
	})
	var unreadable *archive.RecordError
	switch {
	case errors.As(err, &unreadable):
		return Result{Error: string(unreadable.Code)}
	case errors.Is(err, archive.ErrNoProvider):
		return Result{Error: noProvider}
	case err != nil || n != len(list):
		panic(err)
	}
	return Result{Value: list}
}

// givenFiles are files that stand in an input, by their uri: a text, bytes in hex, or null for one that cannot be read.
type givenFiles struct{ byURI Object }

var errNotReadable = errors.New("the case says that it cannot be read")

func (g givenFiles) Open(uri string) (io.ReadCloser, error) {
	v, ok := g.byURI.Find(uri)
	if !ok {
		return nil, fs.ErrNotExist
	}
	if v == nil {
		return nil, errNotReadable
	}
	return io.NopCloser(bytes.NewReader(fileOf(v.(Object), "file"))), nil
}

func answerProvenance(in Object) Result {
	v, err := verifierOf(in)
	if err != nil {
		panic(err)
	}
	v.Files = givenFiles{asked[Object](in, "files")}
	report, err := v.VerifyReader(context.Background(), "", bytes.NewReader(inputBytes(in)))
	if err != nil {
		panic(err)
	}
	answers := List{}
	for _, a := range report.Answers {
		frames, findings := List{}, []string{}
		for i := range a.Frames {
			f := &a.Frames[i]
			links := List{}
			for k := range f.Provenance {
				links = append(links, object("status", string(f.Provenance[k].Status), "reason", orNull(string(f.Provenance[k].Reason))))
			}
			frames = append(frames, object("state", string(f.State), "links", links))
		}
		for i := range a.Findings {
			findings = append(findings, string(a.Findings[i].Code))
		}
		slices.Sort(findings)
		answers = append(answers, object("class", string(a.Class), "frames", frames, "findings", texts(findings)))
	}
	return Result{Value: object("answers", answers, "exit_code", integer(report.Summary.ExitCode))}
}
