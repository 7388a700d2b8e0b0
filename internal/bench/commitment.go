package bench

import (
	"crypto/sha256"
	"encoding/binary"
)

// Commitment returns the frame commitment under a provider's declared name (CGP §6.5.2). The frame must have an id, and
// each of its links a type; every string is shorter than 4 GiB.
//
//	frame_commitment = SHA256("contextgraph/attest/1/frame" ‖ enc_str(provider_id) ‖ enc_str(frame.id)
//	                          ‖ enc_opt(frame.content_digest) ‖ chain_head)
func Commitment(provider string, f *Frame) Hash {
	preimage := []byte("contextgraph/attest/1/frame")
	preimage = appendString(preimage, provider)
	preimage = appendString(preimage, *f.ID)
	preimage = appendOptional(preimage, f.ContentDigest)
	head := ChainHead(f.Provenance)
	preimage = append(preimage, head[:]...)
	return sha256.Sum256(preimage)
}

// ChainHead returns the head of the provenance chain, over the links in the order carried (CGP §6.5.2).
//
//	h₋₁ = SHA256("contextgraph/attest/1/genesis")
//	hᵢ  = SHA256("contextgraph/attest/1/link" ‖ hᵢ₋₁ ‖ encode(linkᵢ))
func ChainHead(links []Link) Hash {
	h := Hash(sha256.Sum256([]byte("contextgraph/attest/1/genesis")))
	for i := range links {
		preimage := []byte("contextgraph/attest/1/link")
		preimage = append(preimage, h[:]...)
		preimage = append(preimage, EncodeLink(&links[i])...)
		h = sha256.Sum256(preimage)
	}
	return h
}

// EncodeLink returns the canonical encoding of a link (CGP §6.5.1).
//
//	encode(link) = enc_str(type) ‖ enc_opt(uri) ‖ enc_opt(range) ‖ enc_opt(digest) ‖ enc_opt(method) ‖ enc_opt(by)
func EncodeLink(l *Link) []byte {
	b := appendString(nil, *l.Type)
	for _, field := range []*string{l.URI, l.Range, l.Digest, l.Method, l.By} {
		b = appendOptional(b, field)
	}
	return b
}

// appendString appends enc_str(s) = uint32be(number of UTF-8 bytes of s) ‖ UTF-8 bytes of s.
func appendString(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
}

// appendOptional appends enc_opt(absent) = 0x00, enc_opt(s) = 0x01 ‖ enc_str(s). Nil is absent.
func appendOptional(b []byte, s *string) []byte {
	if s == nil {
		return append(b, 0x00)
	}
	return appendString(append(b, 0x01), *s)
}
