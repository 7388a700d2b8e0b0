package strictjson

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// The kinds of fault, matched with [errors.Is] against a *[Fault].
var (
	ErrByteOrderMark   = errors.New("byte order mark")             // at the very start of the input
	ErrInvalidUTF8     = errors.New("invalid UTF-8")               // the first byte that belongs to no character
	ErrSyntax          = errors.New("not JSON")                    // against the grammar of RFC 8259
	ErrCut             = errors.New("input ends inside a value")   // or inside a top-level array
	ErrDuplicateMember = errors.New("duplicate member name")       // compared after unescaping
	ErrLoneSurrogate   = errors.New("lone surrogate")              // a \u escape of half a character
	ErrTrailingBytes   = errors.New("more bytes behind the value") // where none may stand
	ErrTooDeep         = errors.New("nested too deep")             // Limits.Depth
	ErrTooLarge        = errors.New("value too large")             // Limits.Bytes
	ErrTooManyMembers  = errors.New("too many members")            // Limits.Members, of one object or of all that are open
)

// A Fault says why a value cannot be read. Its text has no package prefix: the reader of a file puts its own in front.
type Fault struct {
	Err    error  // one of this package's sentinels
	At     int64  // offset of the faulty byte in the data or stream; of the second name for a duplicate; the end for a cut
	Detail string // what was found and expected, untrusted text quoted and cut; may be empty
}

func (f *Fault) Error() string {
	text := f.Err.Error() + " at byte " + strconv.FormatInt(f.At, 10)
	if f.Detail != "" {
		text += ": " + f.Detail
	}
	return text
}

// Unwrap returns the sentinel.
func (f *Fault) Unwrap() error { return f.Err }

// maxQuoted is the number of bytes of untrusted text that a Detail shows.
const maxQuoted = 64

// quoteCut quotes text from the input, cut to maxQuoted bytes at the end of a character.
func quoteCut(text []byte) string {
	if len(text) <= maxQuoted {
		return strconv.Quote(string(text))
	}
	n := maxQuoted
	for n > maxQuoted-utf8.UTFMax && !utf8.RuneStart(text[n]) {
		n--
	}
	return strconv.Quote(string(text[:n])) + "…"
}

// foundByte names the character at the start of b, or its first byte where it is none.
func foundByte(b []byte) string {
	r, size := utf8.DecodeRune(b)
	if r == utf8.RuneError && size <= 1 {
		return fmt.Sprintf("found byte 0x%02X", b[0])
	}
	return "found " + strconv.QuoteRune(r)
}

// isUTF16 reports whether b begins with the byte order mark of UTF-16: what some systems write where nobody asks for UTF-8.
func isUTF16(b []byte) bool {
	return len(b) > 1 && (b[0] == 0xFF && b[1] == 0xFE || b[0] == 0xFE && b[1] == 0xFF)
}
