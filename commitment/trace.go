package commitment

import (
	"crypto/sha256"
	"fmt"
)

// Steps holds every value on the way from a frame to its commitment, for people who compare two implementations.
type Steps struct {
	Genesis       Digest     // the head of a chain without links
	Links         []LinkStep // one for each provenance link, in the order carried
	ChainHead     Digest     // the head after the last link; Genesis where there is none
	FramePreimage []byte     // what is hashed to give Commitment
	Commitment    Digest     // what Of returns
}

// A LinkStep holds the values of one provenance link.
type LinkStep struct {
	Encoding []byte // what AppendLink appends; the tail of Preimage and the same memory
	Preimage []byte // what is hashed to give Head
	Head     Digest // the head of the chain after this link
}

// Trace computes the commitment of a frame like Of and returns every intermediate value. The caller may keep and change the
// slices. The error is ErrFieldTooLong, as in Of.
func Trace(provider string, f *Frame) (Steps, error) {
	if err := checkFrame(provider, f); err != nil {
		return Steps{}, fmt.Errorf("commitment: %w", err)
	}
	s := Steps{Genesis: genesis, ChainHead: genesis}
	for i := range f.Provenance {
		preimage := appendLinkPreimage(nil, s.ChainHead, &f.Provenance[i])
		s.ChainHead = sha256.Sum256(preimage)
		s.Links = append(s.Links, LinkStep{
			Encoding: preimage[len(linkTag)+sha256.Size:],
			Preimage: preimage,
			Head:     s.ChainHead,
		})
	}
	s.FramePreimage = appendFramePreimage(nil, provider, f, s.ChainHead)
	s.Commitment = sha256.Sum256(s.FramePreimage)
	return s, nil
}
