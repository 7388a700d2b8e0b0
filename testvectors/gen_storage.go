package testvectors

import (
	"encoding/binary"
	"hash/crc32"
	"strings"
)

// What gzip and zstd themselves made of the message {"type":"ping"} and a line feed, and of 3,000 times the letter a.
const (
	gzipPing      = "1f8b0800000000000203ab562aa92c4855b2522ac8cc4b57aae50200cca527cb10000000"
	gzipLetters   = "1f8b0800000000000203edc13101000000c2a0aceb5fc21a1e40010000ef06c83cdc5eb80b0000"
	zstdPing      = "28b52ffd24108100007b2274797065223a2270696e67227d0a54fc3b95"
	zstdPingPlain = "28b52ffd20108100007b2274797065223a2270696e67227d0a"
)

// gzipMember is a member whose data is stored as it is (RFC 1951 §3.2.4, RFC 1952 §2.3).
func gzipMember(text string) string {
	b := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1}
	b = binary.LittleEndian.AppendUint16(b, uint16(len(text)))
	b = binary.LittleEndian.AppendUint16(b, ^uint16(len(text)))
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(text)))
	return hexOf(binary.LittleEndian.AppendUint32(b, uint32(len(text))))
}

// The blocks of zstd (RFC 8878 §3.1.1.2).
const (
	blockRaw  = 0
	blockRLE  = 1
	blockNone = 3 // reserved
)

// zstdBlock is the header of a block and what it holds.
func zstdBlock(last bool, kind, size int, content string) string {
	n := uint32(size<<3 | kind<<1)
	if last {
		n |= 1
	}
	return string(binary.LittleEndian.AppendUint32(nil, n)[:3]) + content
}

// zstdFrame is a frame without size and checksum; window is the byte that describes it (RFC 8878 §3.1.1.1.2).
func zstdFrame(window byte, blocks ...string) string {
	return hexOf([]byte("\x28\xb5\x2f\xfd\x00" + string([]byte{window}) + strings.Join(blocks, "")))
}

// zstdSkipped is a frame that decoders pass over (RFC 8878 §3.1.2).
func zstdSkipped(text string) string {
	return hexOf([]byte("\x50\x2a\x4d\x18" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(text)))) + text))
}

const window128K = 7 << 3 // the exponent stands in the upper five bits, above 2^10

func generateStorage(c *class) {
	c.rules, c.flags = []string{"§6.5"}, []string{"Compressed"}
	generateGzip(c)
	generateZstd(c)
	generateArchiveLines(c)
}

const whyCompressed = "What can be read in front of a fault is given, and then the fault."

func generateGzip(c *class) {
	const ping = "{\"type\":\"ping\"}\n"
	pass := func(slug, title, bytes string, opts ...option) {
		c.pass("gzip-"+slug, title, "Compression is told by the first bytes and not by a name.", "decompress", object("bytes", bytes), opts...)
	}
	fault := func(base, slug, title string, m Mutation) {
		n := c.twist("gzip-"+base, "gzip-"+slug, title, whyCompressed, m)
		c.faulty(n, corruptCompression)
	}
	pass("none", "what is not compressed", hexOf([]byte(ping)))
	pass("empty", "nothing", "")
	pass("half-magic", "the first byte of gzip alone", "1f")
	pass("ping", "a member that gzip made", gzipPing)
	pass("letters", "a member with long repetitions", gzipLetters)
	pass("stored", "a member whose data is stored", gzipMember(ping))
	pass("two", "two members", gzipMember(ping)+gzipPing)
	pass("nothing", "a member that holds nothing", gzipMember(""))
	n := len(gzipMember(ping)) / 2
	at := func(at, remove int, insert ...byte) Mutation {
		return Mutation{Path: inputPath + "/bytes", At: at, Delete: remove, Insert: insert}
	}
	fault("stored", "cut-header", "an input that ends inside a header", at(5, n-5))
	fault("stored", "cut-data", "an input that ends inside the data", at(20, n-20))
	fault("stored", "cut-trailer", "an input that ends inside the checksum", at(n-6, 6))
	fault("stored", "checksum", "another checksum", at(n-8, 1, 0))
	fault("stored", "length", "another length", at(n-4, 1, 0))
	fault("stored", "method", "another method", at(2, 1, 7))
	fault("stored", "block-type", "a block of a type that there is not", at(10, 1, 7))
	fault("stored", "block-length", "a length that is not the complement of the other", at(13, 1, 0))
	fault("stored", "behind", "bytes behind the member", at(n, 0, '{', '}'))
	fault("stored", "behind-half", "the first byte of gzip behind the member", at(n, 0, 0x1f))
	fault("two", "second", "a second member with another checksum", at(n+len(gzipPing)/2-8, 1, 0))
	fault("ping", "ping-cut", "an input that ends inside codes", at(20, len(gzipPing)/2-20))
	fault("letters", "letters-cut", "an input that ends inside codes that repeat", at(len(gzipLetters)/2-14, 14))
	fault("ping", "ping-data", "a bit of the data that is another", at(15, 1, 0xff))
}

// faulty demands that what comes out of a case ends with an error of this name.
func (c *class) faulty(n *Case, code string) {
	o, _ := n.Expect.Value.(Object)
	if found, _ := o.Find(memberError); found != code {
		c.fail("%s: the fault is %v, want %s", n.ID, found, code)
	}
	n.Policy = MustReject
}

func generateZstd(c *class) {
	pass := func(slug, title, bytes string) {
		c.pass("zstd-"+slug, title, "Compression is told by the first bytes and not by a name.", "decompress", object("bytes", bytes))
	}
	at := func(at, remove int, insert ...byte) Mutation {
		return Mutation{Path: inputPath + "/bytes", At: at, Delete: remove, Insert: insert}
	}
	fault := func(base, slug, title string, m Mutation, code string, opts ...option) {
		c.faulty(c.twist("zstd-"+base, "zstd-"+slug, title, whyCompressed, m, opts...), code)
	}
	pass("ping", "a frame with a checksum that zstd made", zstdPing)
	pass("plain", "a frame without a checksum that zstd made", zstdPingPlain)
	pass("two", "two frames", zstdPing+zstdPingPlain)
	pass("skipped", "a frame to be passed over in front", zstdSkipped("words")+zstdPing)
	pass("skipped-alone", "a frame to be passed over and no other", zstdSkipped("words"))
	raw := zstdFrame(window128K, zstdBlock(false, blockRaw, 3, "abc"), zstdBlock(true, blockRLE, 5, "d"))
	pass("blocks", "a block as it is, and one byte five times", raw)
	pass("window", "a window of 8 MiB", zstdFrame(13<<3, zstdBlock(true, blockRaw, 3, "abc")))
	size := len(zstdPing) / 2
	fault("ping", "checksum", "another checksum", at(size-1, 1, 0), corruptCompression)
	fault("ping", "cut-checksum", "an input that ends inside the checksum", at(size-2, 2), corruptCompression)
	fault("ping", "cut-header", "an input that ends inside a header", at(5, size-5), corruptCompression)
	fault("plain", "cut-block", "an input that ends inside a block", at(12, len(zstdPingPlain)/2-12), corruptCompression)
	fault("plain", "behind", "bytes behind the frame", at(len(zstdPingPlain)/2, 0, '{', '}', '\n', ' '), corruptCompression)
	fault("blocks", "block-reserved", "a block of a type that there is not", at(6, 1, blockNone<<1|3<<3), corruptCompression)
	fault("blocks", "no-last", "a frame without a last block", at(12, 1, blockRLE<<1|5<<3), corruptCompression)
	const reason = "how much memory a frame may demand is an implementation's own; a window of 8 MiB is this one's"
	n := c.twist("zstd-window", "zstd-window-more", "a window of 16 MiB", "What a frame may have its reader hold is limited.", at(5, 1, 14<<3),
		flagged("Limit", "Compressed"), mayDiffer(reason))
	c.faulty(n, expansionLimit)
	n.Policy = MayDiffer
	const bomb = "how far an input may expand is an implementation's own; this one stops at 1,000 bytes for each, over 64 MiB"
	block := hexOf([]byte(zstdBlock(false, blockRLE, 128<<10, " ")))
	head := "28b52ffd00" + hexOf([]byte{window128K})
	n = c.pass("zstd-expansion", "128 MiB of spaces out of four kilobytes", "What expands beyond measure is made to keep its reader busy.", "decompress",
		object("bytes", repeated(head, 1, repeated(block, 1024))), flagged("Limit", "Compressed"), mayDiffer(bomb))
	c.faulty(n, expansionLimit)
	n.Policy = MayDiffer
}

func generateArchiveLines(c *class) {
	c.flags = []string{"ArchiveLine"}
	const why = "A line of an archive holds a message as it arrived and can be read again."
	pass := func(slug, title string, input Object) { c.pass("line-"+slug, title, why, "archive_line", input) }
	pass("answer", "a frames message", object("message", wireAnswer))
	pass("receipt", "with an instant and a local id", object("message", wireAnswer, "received_at", "2026-08-29T12:00:00.50Z", "local_id", "docs \"one\"\n\u00e9"))
	pass("ack", "a handshake_ack", object("message", wireAck))
	pass("other", "a message of another type", object("message", wireQuery))
	pass("spaces", "white space between tokens, and in strings", object("message", " {\r\n\t\"type\" : \"x\" ,\n\"n\" : [ 1.0 , 1e400, -0 ] , \"s\":\" \\n\\u0020 \" }\n"))
	pass("member-format", "a message with a member format", object("message", `{"format":"cgp-archive/1","type":"x"}`))
	refused := func(base, slug, title, error string, m Mutation, flags ...string) {
		c.twist("line-"+base, "line-"+slug, title, "What is no message as it arrived is not written.", m, fails(error), flagged(append(flags, "ArchiveLine")...))
	}
	message := func(text any) Mutation { return replace("/message", text) }
	refused("answer", "bare", "a bare result", notAMessage, message(`{"frames":[],"truncated":false}`))
	refused("answer", "line", "a line of an archive", notAMessage, message(`{"format":"cgp-archive/1","envelope":`+wireAnswer+`}`))
	refused("answer", "evidence", "a retained subset", notAMessage, message(`{"format":"cgp-evidence/1","provider_id":"docs","result":{"frames":[],"truncated":false}}`))
	refused("answer", "format", "a format that nobody knows", unsupportedFormat, message(`{"format":"cgp-archive/2","envelope":{}}`))
	refused("answer", "array", "an array", notAMessage, message("["+wireAnswer+"]"))
	refused("answer", "object", "an object of no kind", notAMessage, message(`{}`))
	refused("answer", "no-frames", "a frames message without frames", malformedRecord, message(`{"type":"frames","result":{}}`))
	refused("answer", "no-name", "a handshake_ack without a provider's name", malformedHandshake, message(`{"type":"handshake_ack"}`))
	refused("answer", "comma", "a comma too many", syntax, message(`{"type":"x",}`))
	refused("answer", "cut", "a message that is cut", cut, message(`{"type":"x"`))
	refused("answer", "behind", "a second message behind it", trailingBytes, message(wireQuery+wireQuery), "Framing")
	refused("answer", "duplicate", "a member twice", duplicateMember, message(`{"type":"x","a":1,"a":2}`), "DuplicateMember")
	refused("answer", "surrogate", "half a surrogate pair", loneSurrogate, message(`{"type":"x","a":"\ud800"}`), "InvalidText")
	refused("receipt", "local-id", "an empty local id", malformedLocalID, replace("/local_id", ""))
	refused("receipt", "instant", "an instant with an offset", malformedInstant, replace("/received_at", "2026-08-29T12:00:00+00:00"), "Instant")
	deep := func(n int) Object {
		return repeated(`{"type":"x","x":`, 1, repeated("[", n-1, repeated("]", n-1, "}")))
	}
	const reason = "the depth at which an implementation stops is its own; 128 is this one's, with the line around the message"
	c.pass("line-depth-127", "127 brackets open", "What is written can be read again.", "archive_line", object("message", deep(127)), flagged("Limit", "ArchiveLine"), mayDiffer(reason))
	c.twist("line-answer", "line-depth-128", "128 brackets open, and one for the line", "What is written can be read again.", message(deep(128)), fails(tooDeep), flagged("Limit", "ArchiveLine"), mayDiffer(reason))
}
