package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"iter"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// The encoding of CGP §6.5.1 with its parameters open, for the ways in which implementations get it wrong. That the right
// parameters give what package commitment gives is a test's to say; evidence is never judged by this.
const (
	genesisTag = "contextgraph/attest/1/genesis"
	linkTag    = "contextgraph/attest/1/link"
	frameTag   = "contextgraph/attest/1/frame"
)

// An encoding says how the length in front of a string is counted and written.
type encoding struct {
	length       func(string) int
	littleEndian bool
}

var (
	canonical    = encoding{length: func(s string) int { return len(s) }}
	utf16Lengths = encoding{length: utf16Units}
	codePoints   = encoding{length: utf8.RuneCountInString}
	littleEndian = encoding{length: canonical.length, littleEndian: true}
)

// utf16Units is how many units of UTF-16 a string takes: two beyond the basic plane.
func utf16Units(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}

// The fields of a link in the order in which they are encoded.
const (
	fieldType = iota
	fieldURI
	fieldRange
	fieldDigest
	fieldMethod
	fieldBy
	linkFields
)

var fieldNames = [linkFields]string{"type", "uri", "range", "digest", "method", "by"}

// A rawLink is the fields of a link; its type is always present.
type rawLink [linkFields]commitment.Optional

func rawLinkOf(l *commitment.Link) rawLink {
	return rawLink{commitment.Some(l.Type), l.URI, l.Range, l.Digest, l.Method, l.By}
}

// size is about how many bytes the encoding of a link takes, at least.
func (l *rawLink) size() int {
	n := 0
	for i := range l {
		n += 5 + len(l[i].OrEmpty())
	}
	return n
}

func (e encoding) appendString(dst []byte, s string) []byte {
	n := uint32(e.length(s))
	if e.littleEndian {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	} else {
		dst = binary.BigEndian.AppendUint32(dst, n)
	}
	return append(dst, s...)
}

func (e encoding) appendOptional(dst []byte, o commitment.Optional) []byte {
	s, present := o.Text()
	if !present {
		return append(dst, 0)
	}
	return e.appendString(append(dst, 1), s)
}

func (e encoding) appendLink(dst []byte, l *rawLink) []byte {
	dst = e.appendString(dst, l[fieldType].OrEmpty())
	for i := fieldURI; i < linkFields; i++ {
		dst = e.appendOptional(dst, l[i])
	}
	return dst
}

// appendFrame appends what is hashed for a frame over the head of its chain.
func (e encoding) appendFrame(dst []byte, id *commitment.FrameID, head commitment.Digest) []byte {
	dst = append(dst, frameTag...)
	dst = e.appendString(dst, id.ProviderID)
	dst = e.appendString(dst, id.FrameID)
	dst = e.appendOptional(dst, id.ContentDigest)
	return append(dst, head[:]...)
}

// next is the head of a chain after one more link, whose encoding is given.
func (d *diagnosing) next(head commitment.Digest, link []byte) (commitment.Digest, bool) {
	if !d.spend(blocksOf(len(linkTag) + len(head) + len(link))) {
		return commitment.Digest{}, false
	}
	d.scratch = append(append(append(d.scratch[:0], linkTag...), head[:]...), link...)
	return sha256.Sum256(d.scratch), true
}

// commit is the commitment of a frame under an encoding, over the head of its chain.
func (d *diagnosing) commit(e encoding, id *commitment.FrameID, head commitment.Digest) (commitment.Digest, bool) {
	const lengths = 4 + 4 + 1 + 4
	size := len(frameTag) + lengths + len(id.ProviderID) + len(id.FrameID) + len(id.ContentDigest.OrEmpty()) + len(head)
	if !d.spend(blocksOf(size)) {
		return commitment.Digest{}, false
	}
	d.scratch = e.appendFrame(d.scratch[:0], id, head)
	return sha256.Sum256(d.scratch), true
}

// encode is the encoding of a link, which costs what its bytes do.
func (d *diagnosing) encode(e encoding, l *rawLink) ([]byte, bool) {
	if !d.spend(1 + l.size()/sha256.BlockSize) {
		return nil, false
	}
	return e.appendLink(make([]byte, 0, l.size()), l), true
}

// commitWhole is the commitment of a frame with these links under an encoding.
func (d *diagnosing) commitWhole(e encoding, id *commitment.FrameID, links iter.Seq[rawLink]) (commitment.Digest, bool) {
	head := genesis()
	for l := range links {
		encoded, ok := d.encode(e, &l)
		if ok {
			head, ok = d.next(head, encoded)
		}
		if !ok {
			return commitment.Digest{}, false
		}
	}
	return d.commit(e, id, head)
}

func genesis() commitment.Digest { return sha256.Sum256([]byte(genesisTag)) }
