package commitment

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// DigestPrefix begins every digest in text form.
const DigestPrefix = "sha256:"

// ErrMalformedDigest says that a text is not a digest in the form of CGP F5 and D1.
var ErrMalformedDigest = errors.New("malformed digest")

// A Digest is a SHA-256 value. Its text form is "sha256:" and 64 characters of 0-9a-f (CGP F5, D1). Digests are equal where
// == says so.
type Digest [sha256.Size]byte

// ParseDigest reads the text form of a digest and nothing else: an uppercase letter is malformed, not equal.
// The error is ErrMalformedDigest.
func ParseDigest(s string) (Digest, error) {
	digits, ok := strings.CutPrefix(s, DigestPrefix)
	if !ok {
		return Digest{}, fmt.Errorf("commitment: %w %.80q: want it to start with %q", ErrMalformedDigest, s, DigestPrefix)
	}
	var d Digest
	if len(digits) != 2*len(d) {
		return Digest{}, fmt.Errorf("commitment: %w %.80q: %d bytes after %q, want %d",
			ErrMalformedDigest, s, len(digits), DigestPrefix, 2*len(d))
	}
	for i := range d {
		high, low := nibble(digits[2*i]), nibble(digits[2*i+1])
		if high > 0xf || low > 0xf {
			return Digest{}, fmt.Errorf("commitment: %w %.80q: %q is not of 0-9a-f", ErrMalformedDigest, s, digits[2*i:2*i+2])
		}
		d[i] = high<<4 | low
	}
	return d, nil
}

// IsDigest reports whether s is the text form of a digest.
func IsDigest(s string) bool {
	if len(s) != len(DigestPrefix)+2*sha256.Size || s[:len(DigestPrefix)] != DigestPrefix {
		return false
	}
	for i := len(DigestPrefix); i < len(s); i++ {
		if nibble(s[i]) > 0xf {
			return false
		}
	}
	return true
}

// nibble returns the value of a lowercase hex digit, or 0xff. The decoder of encoding/hex takes uppercase as well.
func nibble(c byte) byte { return nibbles[c] }

// nibbles is never assigned again.
var nibbles = func() (table [256]byte) {
	for c := range table {
		table[c] = 0xff
	}
	for i, c := range []byte("0123456789abcdef") {
		table[c] = byte(i)
	}
	return table
}()

// String returns the text form, 71 characters.
func (d Digest) String() string {
	b, _ := d.AppendText(make([]byte, 0, len(DigestPrefix)+2*len(d)))
	return string(b)
}

// AppendText appends the text form to b. The error is always nil. It implements encoding.TextAppender.
func (d Digest) AppendText(b []byte) ([]byte, error) {
	return hex.AppendEncode(append(b, DigestPrefix...), d[:]), nil
}

// ContentDigest returns the SHA-256 of the bytes of a frame's inline content, which is what an honest content_digest states
// (CGP D1).
func ContentDigest(content string) Digest {
	return sha256.Sum256([]byte(content))
}
