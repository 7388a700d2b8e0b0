package keys

import (
	"crypto"
	"crypto/ed25519"
	"slices"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// A Parser reads keys of other algorithms than Ed25519 too: of those among Algorithms that are a sign.Scheme. For these there
// is PKCS#8 and PKIX, the element of attester_keys, and the name of the algorithm, a colon and the hexadecimal digits of the
// public key; they have no OpenSSH form, no JSON Web Key and no bare seed, which would not say whose it is. The zero value
// reads Ed25519 alone, as the functions of this package do.
type Parser struct {
	Algorithms sign.Algorithms
}

// A kind is an algorithm whose keys are read and written, with the form that they have.
type kind struct {
	algorithm string
	form      sign.Form
	newKey    func(seed []byte) (crypto.Signer, error)
}

func ed25519Kind() *kind {
	form, _ := sign.Ed25519Only().Form(sign.Ed25519)
	newKey := func(seed []byte) (crypto.Signer, error) { return ed25519.NewKeyFromSeed(seed), nil }
	return &kind{algorithm: sign.Ed25519, form: form, newKey: newKey}
}

func kindOf(s sign.Scheme) *kind {
	return &kind{algorithm: s.Name(), form: s.Form(), newKey: s.NewKey}
}

// kinds returns the kinds that are read, Ed25519 first.
func (p Parser) kinds() []*kind {
	all := []*kind{ed25519Kind()}
	for _, s := range p.Algorithms.Schemes() {
		all = append(all, kindOf(s))
	}
	return all
}

// named returns the kind of an algorithm, nil for one that is not read.
func (p Parser) named(algorithm string) *kind {
	all := p.kinds()
	if i := slices.IndexFunc(all, func(k *kind) bool { return k.algorithm == algorithm }); i >= 0 {
		return all[i]
	}
	return nil
}

// identified returns the kind with an object identifier, nil for one that is not read.
func (p Parser) identified(oid string) *kind {
	all := p.kinds()
	if i := slices.IndexFunc(all, func(k *kind) bool { return k.form.ObjectIdentifier == oid }); i >= 0 {
		return all[i]
	}
	return nil
}

// others returns the schemes beside Ed25519.
func (p Parser) others() []sign.Algorithm {
	var all []sign.Algorithm
	for _, s := range p.Algorithms.Schemes() {
		all = append(all, s)
	}
	return all
}

// checkStrict returns why a strict verifier declines a key.
func (p Parser) checkStrict(k sign.PublicKey) error {
	return sign.Ed25519Only().With(p.others()...).Prepare(k).Err()
}
