// Package openssh reads and writes what OpenSSH keeps keys in (PROTOCOL.key of OpenSSH) and its structures on the wire (RFC 4251
// §5): as much of golang.org/x/crypto/ssh as Ed25519 keys need, which takes a program a millisecond to start. The tests hold it
// against that package.
//
// Read takes the fields of a structure one by one. Decrypt, ReadPrivate and MarshalPrivate are for the part of a key file that
// may be encrypted.
//
// # Security
//
// Nothing here says whose a key is, or that its halves belong together: the caller compares. The numbers of a file are checked
// before work is done for them, except for the rounds of bcrypt, which the caller bounds.
package openssh

import "encoding/binary"

// Fields are those of a structure that have not been read yet. Once one is missing, all that follow are empty.
type Fields struct {
	rest []byte
	cut  bool
}

// Read returns the fields of data, which what it reads are slices of.
func Read(data []byte) *Fields { return &Fields{rest: data} }

// Uint32 reads a number.
func (f *Fields) Uint32() uint32 {
	number := f.take(4)
	if f.cut {
		return 0
	}
	return binary.BigEndian.Uint32(number)
}

// String reads a text or a series of bytes: uint32 length ‖ bytes.
func (f *Fields) String() []byte { return f.take(uint64(f.Uint32())) }

// Rest reads everything that is left.
func (f *Fields) Rest() []byte { return f.take(uint64(len(f.rest))) }

// Cut reports that a field was missing, or shorter than its length says.
func (f *Fields) Cut() bool { return f.cut }

// Whole reports that every field was there, and nothing behind them.
func (f *Fields) Whole() bool { return !f.cut && len(f.rest) == 0 }

func (f *Fields) take(n uint64) []byte {
	if f.cut || n > uint64(len(f.rest)) {
		f.rest, f.cut = nil, true
		return nil
	}
	taken := f.rest[:n:n]
	f.rest = f.rest[n:]
	return taken
}

// AppendString appends a text or a series of bytes: uint32 length ‖ bytes. It must be shorter than 4 GiB.
func AppendString[T string | []byte](dst []byte, s T) []byte {
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(s))), s...)
}
