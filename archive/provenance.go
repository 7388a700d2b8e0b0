package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// Files opens what the file links of a frame's provenance name. It is asked by several goroutines at once.
type Files interface {
	// Open opens what a link's uri names, to be read once from its start and closed. An error that is fs.ErrNotExist says that
	// the uri names a file that is not there. A *FileError says why the uri names nothing that can be read; any other error is
	// one of LinkUnreadable.
	Open(uri string) (io.ReadCloser, error)
}

// A FileError says why a uri names nothing that can be read.
type FileError struct {
	Reason LinkReason
	Detail string
}

func (e *FileError) Error() string { return string(e.Reason) + because(e.Detail) }

// A CheckedLink is what became of one link of a frame's provenance when the file that it names was read again. Whether anyone
// signed the link is the frame's state, not the link's.
type CheckedLink struct {
	Link   int                 // index in provenance
	URI    commitment.Optional // as it stands in the link
	Status LinkStatus
	Reason LinkReason // unverifiable: why; else ""
	Detail string     // what exactly is so, in words; "" where nothing is to be said
}

// linkFile is the type of the links that carry the digest of a file's bytes (CGP F5).
const linkFile = "file"

// readBuffer is how many bytes of a file are read at once.
const readBuffer = 64 << 10

// checkProvenance reads the files again that the frames' provenance names, and adds what it finds. An error is ctx's.
func (j *judge) checkProvenance(ctx context.Context, files Files) error {
	c := linkCheck{ctx: ctx, files: files}
	for i := range j.out.Frames {
		in, f := &j.a.frames[i], &j.out.Frames[i]
		if f.State == StateMalformedFrame || j.policy.Frames != nil && !slices.Contains(j.policy.Frames, f.FrameID) {
			continue
		}
		f.Provenance = make([]CheckedLink, len(in.Provenance))
		for n := range in.Provenance {
			l := &f.Provenance[n]
			*l = c.check(n, &in.Provenance[n])
			if err := ctx.Err(); err != nil {
				return err
			}
			j.reportLink(j.at(i), l)
		}
	}
	j.classify()
	return nil
}

func (j *judge) reportLink(at place, l *CheckedLink) {
	named := fmt.Sprintf("provenance link %d", l.Link)
	if uri, ok := l.URI.Text(); ok {
		named += fmt.Sprintf(" (uri %.128q)", uri)
	}
	switch l.Status {
	case LinkMismatch:
		j.find(FindingProvenanceMismatch, at, "%s: %s", named, l.Detail)
	case LinkMissing:
		j.find(FindingProvenanceUnchecked, at, "%s is %s%s", named, l.Status, because(l.Detail))
	case LinkUnverifiable:
		j.find(FindingProvenanceUnchecked, at, "%s is %s, %s%s", named, l.Status, l.Reason, because(l.Detail))
	}
}

// A linkCheck reads files again.
type linkCheck struct {
	ctx   context.Context
	files Files
	buf   []byte // nil until a file is read
}

// check compares the bytes that a link addresses with the digest that it declares. What the link itself leaves open is found
// before any file is opened.
func (c *linkCheck) check(n int, l *commitment.Link) CheckedLink {
	out := CheckedLink{Link: n, URI: l.URI, Status: LinkUnverifiable}
	if l.Type != linkFile {
		out.Status = LinkNotFile
		return out
	}
	text, declared := l.Digest.Text()
	if !declared {
		out.Reason, out.Detail = LinkNoDigest, "the link declares no digest"
		return out
	}
	want, err := commitment.ParseDigest(text)
	if err != nil {
		out.Reason, out.Detail = LinkOpaqueDigest, fmt.Sprintf("digest %.128q", text)
		return out
	}
	lines, reason := parseRange(l.Range)
	if reason != "" {
		out.Reason, out.Detail = reason, fmt.Sprintf("range %.128q", l.Range.OrEmpty())
		return out
	}
	uri, named := l.URI.Text()
	if !named {
		out.Reason, out.Detail = LinkNoURI, "the link names no file"
		return out
	}
	found, err := c.digest(uri, lines)
	var refused *FileError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		out.Status, out.Detail = LinkMissing, err.Error()
	case errors.Is(err, errStartPastEnd):
		out.Reason, out.Detail = LinkStartPastEnd, fmt.Sprintf("range %.128q starts past the last line", l.Range.OrEmpty())
	case errors.As(err, &refused):
		out.Reason, out.Detail = refused.Reason, refused.Detail
	case err != nil:
		out.Reason, out.Detail = LinkUnreadable, err.Error()
	case found != want:
		out.Status, out.Detail = LinkMismatch, fmt.Sprintf("the digest of the bytes is %s, the link declares %s", found, want)
	default:
		out.Status = LinkMatch
	}
	return out
}

func (c *linkCheck) digest(uri string, lines lineRange) (commitment.Digest, error) {
	file, err := c.files.Open(uri)
	if err != nil {
		return commitment.Digest{}, err
	}
	defer file.Close()
	if c.buf == nil {
		c.buf = make([]byte, readBuffer)
	}
	return lines.digest(c.ctx, file, c.buf)
}
