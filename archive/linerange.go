package archive

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A lineRange is the part of a resource that a link's range addresses: lines from first to last, both from 1 and both within, or
// all of it. Numbers that no machine integer holds are math.MaxUint64: no resource has that many lines.
type lineRange struct {
	whole       bool
	first, last uint64
}

// parseRange reads a range (CGP §6.2.1, F17): L, a line number, and perhaps - and another one. Absent is the whole resource.
// What it does not read has a reason and addresses nothing.
func parseRange(text commitment.Optional) (lineRange, LinkReason) {
	s, present := text.Text()
	if !present {
		return lineRange{whole: true}, ""
	}
	lines, found := strings.CutPrefix(s, "L")
	from, to, pair := strings.Cut(lines, "-")
	if !pair {
		to = from
	}
	switch {
	case !found || !isLineNumber(from) || !isLineNumber(to):
		return lineRange{}, LinkUnrecognised
	case cmp.Or(cmp.Compare(len(to), len(from)), strings.Compare(to, from)) < 0:
		return lineRange{}, LinkInverted
	}
	return lineRange{first: lineNumber(from), last: lineNumber(to)}, ""
}

// isLineNumber reports whether s is a decimal number from 1 on, of any size, without sign and leading zero.
func isLineNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

func lineNumber(s string) uint64 {
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil { // out of range, and nothing else: isLineNumber(s)
		return math.MaxUint64
	}
	return n
}

var errStartPastEnd = errors.New("the range starts past the last line")

// digest reads as much of a resource as the range needs, through buf, and hashes the bytes that the range addresses. Lines end
// with LF alone, which belongs to its line; a last one may lack it. An error is errStartPastEnd, ctx's or that of in.
func (r lineRange) digest(ctx context.Context, in io.Reader, buf []byte) (commitment.Digest, error) {
	hash := sha256.New()
	skip, take := uint64(0), uint64(math.MaxUint64) // lines
	if !r.whole {
		skip, take = r.first-1, r.last-(r.first-1)
	}
	found := r.whole
	for take > 0 {
		if err := ctx.Err(); err != nil {
			return commitment.Digest{}, err
		}
		n, err := in.Read(buf)
		chunk := buf[:n]
		chunk = chunk[linesEnd(chunk, &skip):]
		if skip == 0 && len(chunk) > 0 {
			found = true
			if !r.whole {
				chunk = chunk[:linesEnd(chunk, &take)]
			}
			hash.Write(chunk)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil && take > 0 {
			return commitment.Digest{}, err
		}
	}
	if !found {
		return commitment.Digest{}, errStartPastEnd
	}
	return commitment.Digest(hash.Sum(nil)), nil
}

// linesEnd returns where in b the first n lines end, and takes off n the ones that end there.
func linesEnd(b []byte, n *uint64) int {
	end := 0
	for *n > 0 {
		i := bytes.IndexByte(b[end:], '\n')
		if i < 0 {
			return len(b)
		}
		end += i + 1
		*n--
	}
	return end
}
