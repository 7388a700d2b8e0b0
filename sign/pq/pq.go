// Package pq has signature schemes beside the one that CGP §6.5.4 defines: ML-DSA in its three sizes (FIPS 204) and Ed448
// (RFC 8032 §5.2), from github.com/cloudflare/circl. None is checked unless a verifier is told to by name:
//
//	algorithms := sign.With(pq.Schemes()...) // or one of pq.Lookup
//
// The names are of this project and not defined by contextgraph/1: another implementation may know none of them, or others. A
// provider that signs with one of these alone is uncheckable for everybody who follows the protocol to the letter.
//
// # Security
//
// Each scheme signs and verifies the 32 bytes of a commitment as they are, with the empty context. circl answers yes or no
// and takes keys that no one should, so the rules of a strict verifier are applied here, on top of it: each file says which.
// Verification handles nothing secret. Signing does what circl does against timing.
package pq

import (
	"slices"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// schemes is the registry: a line a scheme.
func schemes() []sign.Scheme {
	return []sign.Scheme{
		ed448Scheme{},
		mlDSA44,
		mlDSA65,
		mlDSA87,
	}
}

// Schemes returns every scheme, sorted by name. The slice is the caller's.
func Schemes() []sign.Scheme { return schemes() }

// Names returns the names of the schemes, sorted.
func Names() []string {
	var names []string
	for _, s := range schemes() {
		names = append(names, s.Name())
	}
	return names
}

// Lookup returns the scheme of exactly this name.
func Lookup(name string) (sign.Scheme, bool) {
	all := schemes()
	i := slices.IndexFunc(all, func(s sign.Scheme) bool { return s.Name() == name })
	if i < 0 {
		return nil, false
	}
	return all[i], true
}
