package sign

import (
	"crypto"
	"crypto/ed25519"
)

// A Scheme is an [Algorithm] that can do more than check: its keys can be made here, stand in files, and sign. What only
// verifies needs none of it. An implementation is safe for concurrent use.
type Scheme interface {
	Algorithm
	// Form says how the keys and signatures of the scheme look.
	Form() Form
	// NewKey returns the key of a seed of Form().SeedSize bytes, which it may not keep. The key signs a message as it is, reads
	// nothing from rand, and its Public method returns a [PublicKey]. The error says why the seed is none.
	NewKey(seed []byte) (crypto.Signer, error)
}

// A Form is how the keys and signatures of a [Scheme] look from outside. The sizes are numbers of bytes.
type Form struct {
	Title            string // as people write the name, such as ML-DSA-65
	ObjectIdentifier string // in PKIX and PKCS#8, where it has no parameters; in dotted decimal
	PublicKeySize    int
	SignatureSize    int
	SeedSize         int
	// SeedTag is the identifier octet of the seed where it stands in PKCS#8: 0x04, an octet string inside the octet string (RFC
	// 8410 §7), or 0x80, the choice seed [0] (RFC 9881 §6).
	SeedTag byte
}

// NotDefined is what is said wherever the name of an algorithm beside [Ed25519] is shown: such names are of this project.
const NotDefined = "not defined by contextgraph/1"

// Undefined returns those of the names that CGP §6.5.4 does not define, in their order.
func Undefined(names []string) []string {
	var undefined []string
	for _, name := range names {
		if name != Ed25519 {
			undefined = append(undefined, name)
		}
	}
	return undefined
}

// Form returns how the keys and signatures of the named algorithm look, where a tells it: for [Ed25519], and for every [Scheme].
func (a Algorithms) Form(name string) (form Form, known bool) {
	alg, _ := a.Lookup(name)
	switch alg := alg.(type) {
	case strictEd25519:
		return Form{
			Title: "Ed25519", ObjectIdentifier: "1.3.101.112", // RFC 8410 §3
			PublicKeySize: ed25519KeySize, SignatureSize: ed25519SignatureSize, SeedSize: ed25519.SeedSize, SeedTag: 0x04,
		}, true
	case Scheme:
		return alg.Form(), true
	}
	return Form{}, false
}

// Schemes returns those of a's algorithms that are a [Scheme], by name. The slice is the caller's.
func (a Algorithms) Schemes() []Scheme {
	var schemes []Scheme
	for _, alg := range a.sorted {
		if s, ok := alg.(Scheme); ok {
			schemes = append(schemes, s)
		}
	}
	return schemes
}
