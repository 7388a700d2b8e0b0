package commitment

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// ErrFieldTooLong says that a field has more bytes than the length in front of it, a uint32, can count.
var ErrFieldTooLong = errors.New("field too long")

// AppendLink appends the canonical encoding of a link (CGP §6.5.1):
//
//	enc_str(type) ‖ enc_opt(uri) ‖ enc_opt(range) ‖ enc_opt(digest) ‖ enc_opt(method) ‖ enc_opt(by)
//
// The error is ErrFieldTooLong and names the field; dst is then returned as it was.
func AppendLink(dst []byte, l *Link) ([]byte, error) {
	if err := checkLink(l); err != nil {
		return dst, fmt.Errorf("commitment: link: %w", err)
	}
	return appendLink(dst, l), nil
}

// appendLink appends the encoding of a link that has been checked.
func appendLink(dst []byte, l *Link) []byte {
	dst = appendString(dst, l.Type)
	dst = appendOptional(dst, l.URI)
	dst = appendOptional(dst, l.Range)
	dst = appendOptional(dst, l.Digest)
	dst = appendOptional(dst, l.Method)
	return appendOptional(dst, l.By)
}

// appendLinkPreimage appends what is hashed for a link that has been checked (CGP §6.5.2):
//
//	"contextgraph/attest/1/link" (26 bytes) ‖ previous head (32 bytes) ‖ encode(link)
func appendLinkPreimage(dst []byte, previous Digest, l *Link) []byte {
	dst = append(dst, linkTag...)
	dst = append(dst, previous[:]...)
	return appendLink(dst, l)
}

// appendFramePreimage appends what is hashed for a frame that has been checked (CGP §6.5.2):
//
//	"contextgraph/attest/1/frame" (27 bytes) ‖ enc_str(provider_id) ‖ enc_str(frame.id) ‖ enc_opt(frame.content_digest)
//	‖ chain_head (32 bytes)
func appendFramePreimage(dst []byte, provider string, f *Frame, head Digest) []byte {
	dst = append(dst, frameTag...)
	dst = appendString(dst, provider)
	dst = appendString(dst, f.ID)
	dst = appendOptional(dst, f.ContentDigest)
	return append(dst, head[:]...)
}

// appendString appends a string that has been checked (CGP §6.5.1). The length counts bytes of UTF-8, neither characters
// nor UTF-16 units.
//
//	enc_str(s) = uint32be(length of s) (4 bytes) ‖ s
func appendString(dst []byte, s string) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(s)))
	return append(dst, s...)
}

// appendOptional appends a string that may be absent and has been checked (CGP §6.5.1).
//
//	enc_opt(absent) = 0x00          enc_opt(s) = 0x01 ‖ enc_str(s)
func appendOptional(dst []byte, o Optional) []byte {
	if !o.present {
		return append(dst, 0)
	}
	return appendString(append(dst, 1), o.text)
}

// checkFrame finds the first field of a frame that cannot be encoded.
func checkFrame(provider string, f *Frame) error {
	return cmp.Or(
		checkLength("provider_id", uint64(len(provider))),
		checkLength("id", uint64(len(f.ID))),
		checkLength("content_digest", uint64(len(f.ContentDigest.text))),
		checkLinks(f.Provenance),
	)
}

// checkLinks finds the first link that cannot be encoded.
func checkLinks(links []Link) error {
	for i := range links {
		if err := checkLink(&links[i]); err != nil {
			return fmt.Errorf("provenance link %d: %w", i, err)
		}
	}
	return nil
}

// checkLink finds the first field of a link that cannot be encoded.
func checkLink(l *Link) error {
	return cmp.Or(
		checkLength("type", uint64(len(l.Type))),
		checkLength("uri", uint64(len(l.URI.text))),
		checkLength("range", uint64(len(l.Range.text))),
		checkLength("digest", uint64(len(l.Digest.text))),
		checkLength("method", uint64(len(l.Method.text))),
		checkLength("by", uint64(len(l.By.text))),
	)
}

// checkLength refuses a field whose length in bytes would wrap in a uint32.
func checkLength(field string, length uint64) error {
	if length > math.MaxUint32 {
		return fmt.Errorf("%s: %w: %d bytes, want at most %d", field, ErrFieldTooLong, length, uint32(math.MaxUint32))
	}
	return nil
}
