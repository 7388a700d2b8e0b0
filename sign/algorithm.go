package sign

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// An Algorithm is a signature scheme that attestations may name. An implementation is safe for concurrent use.
type Algorithm interface {
	// Name is the exact spelling in an attestation's algorithm member.
	Name() string
	// NewVerifier returns a verifier for one raw public key, or an error that wraps [ErrMalformedKey] with the reason.
	// It may not keep the slice.
	NewVerifier(publicKey []byte) (Verifier, error)
}

// A Verifier checks signatures under one public key. An implementation is safe for concurrent use.
type Verifier interface {
	// Verify returns nil if signature is good for message, else an error that wraps [ErrMalformedSignature] (of no form
	// that the algorithm has, such as a wrong length) or [ErrBadSignature]. It may neither keep nor change the slices.
	Verify(message, signature []byte) error
}

// ErrUnsupportedKey is the error for a key of a kind that nothing here can use.
var ErrUnsupportedKey = errors.New("unsupported key")

// Algorithms is the set of algorithms that a verifier was told to check: an immutable value, safe for concurrent use. The
// zero value holds none, so that every attestation is [UnknownAlgorithm].
type Algorithms struct {
	sorted []Algorithm // by name; never changed once it is here
}

// Ed25519Only returns the set of CGP §6.5.4: strict Ed25519 and nothing else.
func Ed25519Only() Algorithms {
	return ed25519Only
}

// ed25519Only is never assigned again.
var ed25519Only = Algorithms{sorted: []Algorithm{strictEd25519{}}}

// With returns the set of strict Ed25519 and more.
func With(more ...Algorithm) Algorithms {
	return Ed25519Only().With(more...)
}

// With returns a copy of a with more added to it; a itself stays as it is. What stands under a name stays: a later
// algorithm of that name is passed over, so that nothing can take the place of strict Ed25519.
func (a Algorithms) With(more ...Algorithm) Algorithms {
	sorted := slices.Clone(a.sorted)
	for _, alg := range more {
		if i, held := find(sorted, alg.Name()); !held {
			sorted = slices.Insert(sorted, i, alg)
		}
	}
	return Algorithms{sorted: sorted}
}

// Lookup returns the algorithm of exactly this name.
func (a Algorithms) Lookup(name string) (Algorithm, bool) {
	i, held := find(a.sorted, name)
	if !held {
		return nil, false
	}
	return a.sorted[i], true
}

// Names returns the names of the algorithms, sorted. The slice is the caller's.
func (a Algorithms) Names() []string {
	names := make([]string, len(a.sorted))
	for i, alg := range a.sorted {
		names[i] = alg.Name()
	}
	return names
}

// IsEmpty reports whether a holds no algorithm.
func (a Algorithms) IsEmpty() bool { return len(a.sorted) == 0 }

// find returns where in sorted name stands, or where it would have to.
func find(sorted []Algorithm, name string) (at int, held bool) {
	return slices.BinarySearchFunc(sorted, name, func(alg Algorithm, name string) int {
		return cmp.Compare(alg.Name(), name)
	})
}

// Key is a public key made ready once for the one algorithm that it names: a verifier, or the reason why there is none.
// It is immutable and safe for concurrent use. The zero value is unusable.
type Key struct {
	public   PublicKey
	verifier Verifier // nil exactly if the key is unusable
	err      error
}

var (
	errNoKey          = fmt.Errorf("%w: there is none", ErrMalformedKey)
	errOtherAlgorithm = fmt.Errorf("%w: it belongs to another algorithm", ErrMalformedKey)
)

// Prepare makes k ready. It never returns nil: a key that cannot be used is a Key whose [Key.Err] says why.
func (a Algorithms) Prepare(k PublicKey) *Key {
	alg, ok := a.Lookup(k.Algorithm)
	if !ok {
		err := fmt.Errorf("%w: algorithm %.128q is not among those to check", ErrUnsupportedKey, k.Algorithm)
		return &Key{public: k, err: err}
	}
	verifier, err := alg.NewVerifier([]byte(k.Bytes))
	if err != nil {
		return &Key{public: k, err: err}
	}
	return &Key{public: k, verifier: verifier}
}

// PublicKey returns the key's name and bytes, usable or not.
func (k *Key) PublicKey() PublicKey {
	return k.public
}

// Err returns nil if the key can be used. Otherwise it wraps [ErrMalformedKey] or, where the algorithm is not among those
// to check, [ErrUnsupportedKey].
func (k *Key) Err() error {
	if k.verifier == nil && k.err == nil {
		return errNoKey
	}
	return k.err
}

// usableFor returns nil if k can check signatures of the named algorithm. k may be nil.
func (k *Key) usableFor(algorithm string) error {
	if k == nil {
		return errNoKey
	}
	if k.public.Algorithm != algorithm {
		return errOtherAlgorithm
	}
	return k.Err()
}

// PrepareHex makes ready a public key as it stands on the wire: lowercase hex. It never returns nil: a text that is not
// lowercase hex is a Key whose [Key.Err] wraps [ErrMalformedKey].
func (a Algorithms) PrepareHex(algorithm, text string) *Key {
	raw, err := parseHex(text)
	if err != nil {
		return &Key{public: PublicKey{Algorithm: algorithm}, err: fmt.Errorf("%w: %w", ErrMalformedKey, err)}
	}
	return a.Prepare(PublicKey{Algorithm: algorithm, Bytes: string(raw)})
}
