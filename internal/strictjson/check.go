package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A checker judges what the machine leaves open, with a jsontext decoder that is kept from value to value. The zero value
// is ready.
type checker struct {
	dec jsontext.Decoder
	src bytes.Buffer
}

// judge turns what the machine came to at offset n of b into nil or the first fault of the value at the start of b, with
// an offset in b. The bytes behind n are those that follow the value.
func (c *checker) judge(b []byte, n int, st status, m *machine) *Fault {
	switch st {
	case tooDeep:
		return &Fault{Err: ErrTooDeep, At: int64(n), Detail: "more than " + strconv.Itoa(m.lim.Depth) + " levels"}
	case tooManyMembers:
		return &Fault{Err: ErrTooManyMembers, At: int64(n), Detail: "more than " + strconv.Itoa(m.lim.Members) + " in one object"}
	case tooManyOpen:
		return &Fault{Err: ErrTooManyMembers, At: int64(n), Detail: "more than " + strconv.FormatInt(m.lim.openMembers(), 10) + " in the objects that are open at one place"}
	case tooLarge:
		return &Fault{Err: ErrTooLarge, At: int64(n), Detail: "more than " + strconv.FormatInt(m.lim.Bytes, 10) + " bytes"}
	}
	if st == badByte {
		if f := c.check(b[:n+1], false); f != nil && f.At < int64(n) {
			return f
		}
		return unexpected(b, n, m.expected())
	}
	f := c.check(b[:n], st == ended)
	switch {
	case f == nil || f.Err != ErrCut:
		return f
	case st == framed && n < len(b): // a number or literal that stops early, and the input goes on
		return unexpected(b, n, "inside a number or literal")
	}
	f.Detail = m.inside()
	return f
}

// unexpected is the fault of a byte that may not stand at b[at]: it belongs to no character, or to no JSON.
func unexpected(b []byte, at int, expected string) *Fault {
	if at == 0 && isUTF16(b) {
		return &Fault{Err: ErrInvalidUTF8, Detail: fmt.Sprintf("found %02X %02X, with which UTF-16 text begins", b[0], b[1])}
	}
	if r, size := utf8.DecodeRune(b[at:]); r == utf8.RuneError && size <= 1 {
		return &Fault{Err: ErrInvalidUTF8, At: int64(at), Detail: foundByte(b[at:])}
	}
	return &Fault{Err: ErrSyntax, At: int64(at), Detail: foundByte(b[at:]) + ", " + expected}
}

// check returns the first fault in b, which holds one value without white space around it or the beginning of one; for a
// mere beginning without another fault that is ErrCut at len(b). cut says that the input ends with b, so that a character
// of which only the beginning is there is not a fault.
func (c *checker) check(b []byte, cut bool) *Fault {
	c.src = *bytes.NewBuffer(b)
	c.dec.Reset(&c.src)
	value, err := c.dec.ReadValue()
	if err == nil && len(value) == len(b) {
		return nil
	}
	at := len(b)
	var syntax *jsontext.SyntacticError
	switch {
	case err == nil:
		at = len(value)
	case errors.As(err, &syntax):
		at = min(int(syntax.ByteOffset), len(b))
	}
	if bad := invalidUTF8(b, cut); bad <= at && bad < len(b) {
		return &Fault{Err: ErrInvalidUTF8, At: int64(bad), Detail: foundByte(b[bad:])}
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &Fault{Err: ErrDuplicateMember, At: int64(at), Detail: quoteCut(nameAt(b, at))}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), at == len(b):
		return &Fault{Err: ErrCut, At: int64(len(b))}
	case isSurrogate(b[at:]):
		return &Fault{Err: ErrLoneSurrogate, At: int64(at), Detail: quoteCut(b[at : at+escapeLen])}
	case b[at] == '\\':
		return &Fault{Err: ErrSyntax, At: int64(at), Detail: "no such escape sequence"}
	case bytes.HasPrefix(b, []byte(pemBegin)):
		return &Fault{Err: ErrSyntax, At: int64(at), Detail: "found a PEM block, as keys come in"}
	default:
		return &Fault{Err: ErrSyntax, At: int64(at), Detail: foundByte(b[at:]) + " in a number or literal"}
	}
}

// pemBegin begins a PEM block (RFC 7468 §2): a key, given where a message is wanted, is found out by it.
const pemBegin = "-----BEGIN"

// invalidUTF8 returns the offset of the first byte that belongs to no character, or len(b). With cut, the beginning of a
// character at the end of b is none.
func invalidUTF8(b []byte, cut bool) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			if cut && !utf8.FullRune(b[i:]) {
				return len(b)
			}
			return i
		}
		i += size
	}
	return len(b)
}

// nameAt returns the unescaped member name whose opening quote is b[at]; jsontext has read it without a fault.
func nameAt(b []byte, at int) []byte {
	name, _ := jsontext.AppendUnquote(nil, b[at:stringEnd(b, at)])
	return name
}

// escapeLen is the length of \uXXXX.
const escapeLen = 6

// isSurrogate reports whether b starts with the escape of a surrogate, \uD800 to \uDFFF.
func isSurrogate(b []byte) bool {
	if len(b) < escapeLen || b[0] != '\\' || b[1] != 'u' {
		return false
	}
	v, err := strconv.ParseUint(string(b[2:escapeLen]), 16, 16)
	return err == nil && v>>11 == 0xD800>>11
}
