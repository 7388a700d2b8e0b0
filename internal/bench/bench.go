// Package bench is the naive reference: a consumer of signed answers written straight from the text of the protocol
// (CGP §6.3, §6.5), as plainly as it can be said. Only tests and benchmarks import it. To them it is a second opinion, and
// the yardstick for speed.
//
// [VerifySession] judges what is saved of a session, [VerifyAnswer] one message of it. [Archive] writes sessions to judge.
//
// The package shares no code with commitment, merkle, sign and archive, and is not to be made fast: encoding/json fills
// structs, the tree is the recursion of RFC 6962 §2.1, every proof recurses anew, and the root's signature is checked for
// every frame.
//
// # Security
//
// It verifies honest input and detects tampering with it; it is no verifier for input from others. What encoding/json does
// stands: names match in any case, the last of two members wins, bad UTF-8 is replaced, and one value of another type than
// the struct has makes the whole answer an error. It knows no provider but the one it is told or that declared itself last, no
// limits, and no states between good and not good.
package bench

import (
	"crypto/sha256"
	"encoding/hex"
)

// A Hash is a SHA-256 value: a frame commitment, a root, or a hash within the tree.
type Hash [sha256.Size]byte

// String returns the form that the wire has: "sha256:" and 64 lowercase hexadecimal digits (CGP D1).
func (h Hash) String() string { return "sha256:" + hex.EncodeToString(h[:]) }
