package keys

import (
	"bytes"
	"crypto/ed25519"
	"encoding/asn1"
)

// The two structures that RFC 8410 gives an Ed25519 key.
//
//	AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters: absent for Ed25519 }
//	PKIX   (RFC 5280 §4.1)  SEQUENCE { AlgorithmIdentifier, BIT STRING of the 32 bytes of the key }
//	PKCS#8 (RFC 5958 §2)    SEQUENCE { version INTEGER: 0, or 1 with a public key, AlgorithmIdentifier,
//	                                   OCTET STRING of OCTET STRING of the 32 bytes of the seed,
//	                                   attributes [0] OPTIONAL, public key [1] IMPLICIT BIT STRING OPTIONAL }
//
// encoding/asn1 passes over what follows the last member that a Go struct names. So each member is taken off the front on
// its own, and nothing may be left.

type algorithmIdentifier struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

// ed25519Identifier returns the algorithm identifier of RFC 8410 §3.
func ed25519Identifier() algorithmIdentifier {
	return algorithmIdentifier{Algorithm: asn1.ObjectIdentifier{1, 3, 101, 112}}
}

func (a algorithmIdentifier) checkEd25519() error {
	if !a.Algorithm.Equal(ed25519Identifier().Algorithm) {
		return unsupported("it is of the kind %.80s, want Ed25519", a)
	}
	if len(a.Parameters.FullBytes) != 0 {
		return malformed("an Ed25519 key with algorithm parameters")
	}
	return nil
}

// String names the algorithms of keys that people have in such files; any other is its object identifier.
func (a algorithmIdentifier) String() string {
	switch oid := a.Algorithm.String(); oid {
	case "1.2.840.113549.1.1.1":
		return "RSA"
	case "1.2.840.113549.1.1.10":
		return "RSA-PSS"
	case "1.2.840.10040.4.1":
		return "DSA"
	case "1.2.840.10045.2.1":
		return "ECDSA"
	case "1.3.101.110":
		return "X25519"
	case "1.3.101.111":
		return "X448"
	case "1.3.101.113":
		return "Ed448"
	case "2.16.840.1.101.3.4.3.17":
		return "ML-DSA-44"
	case "2.16.840.1.101.3.4.3.18":
		return "ML-DSA-65"
	case "2.16.840.1.101.3.4.3.19":
		return "ML-DSA-87"
	default:
		return oid
	}
}

// parsePKIX returns the bytes of an Ed25519 public key, of a length that the caller is to check.
func parsePKIX(der []byte) ([]byte, error) {
	var algorithm algorithmIdentifier
	rest, err := takeSequence(der, &algorithm)
	if err != nil {
		return nil, err
	}
	if err := algorithm.checkEd25519(); err != nil {
		return nil, err
	}
	var key asn1.BitString
	if rest, err = asn1.Unmarshal(rest, &key); err != nil || len(rest) != 0 || key.BitLength != 8*len(key.Bytes) {
		return nil, malformed("its ASN.1 is not that of a PKIX public key")
	}
	return key.Bytes, nil
}

func marshalPKIX(key []byte) ([]byte, error) {
	return asn1.Marshal(struct {
		Algorithm algorithmIdentifier
		Key       asn1.BitString
	}{
		ed25519Identifier(),
		asn1.BitString{Bytes: key, BitLength: 8 * len(key)},
	})
}

// parsePKCS8 returns the 32 bytes of an Ed25519 seed.
func parsePKCS8(der []byte) ([]byte, error) {
	var (
		version   int
		algorithm algorithmIdentifier
		private   []byte
	)
	rest, err := takeSequence(der, &version, &algorithm)
	if err != nil {
		return nil, err
	}
	if err := algorithm.checkEd25519(); err != nil {
		return nil, err
	}
	if rest, err = asn1.Unmarshal(rest, &private); err != nil {
		return nil, malformed("its ASN.1 is not that of a PKCS#8 private key")
	}
	seed, ok := bytes.CutPrefix(private, []byte{asn1.TagOctetString, ed25519.SeedSize})
	if !ok || len(seed) != ed25519.SeedSize {
		return nil, malformed("its private key is not an octet string of 32 bytes")
	}
	public, err := parsePKCS8Tail(rest)
	if err != nil {
		return nil, err
	}
	if version < 0 || version > 1 || public != nil && version != 1 {
		return nil, malformed("PKCS#8 version %d", version)
	}
	if public != nil && !bytes.Equal(public, ed25519.NewKeyFromSeed(seed)[ed25519.SeedSize:]) {
		return nil, malformed("its public key does not belong to its private key")
	}
	return seed, nil
}

// parsePKCS8Tail returns the public key among the two optional members at the end, nil where there is none.
func parsePKCS8Tail(rest []byte) (public []byte, err error) {
	attributes, rest := takeTagged(rest, 0)
	key, rest := takeTagged(rest, 1)
	if len(rest) != 0 {
		return nil, malformed("%d bytes of its ASN.1 after the private key have no place there", len(rest))
	}
	if attributes != nil && !attributes.IsCompound {
		return nil, malformed("its attributes are no set")
	}
	if key == nil {
		return nil, nil
	}
	// A bit string begins with the number of bits that its last byte does not use.
	if key.IsCompound || len(key.Bytes) != 1+ed25519.PublicKeySize || key.Bytes[0] != 0 {
		return nil, malformed("its public key is not a bit string of 32 bytes")
	}
	return key.Bytes[1:], nil
}

// takeTagged takes a member with a context-specific tag off the front, or returns nil and all of in.
func takeTagged(in []byte, tag int) (member *asn1.RawValue, rest []byte) {
	member = new(asn1.RawValue)
	rest, err := asn1.Unmarshal(in, member)
	if err != nil || member.Class != asn1.ClassContextSpecific || member.Tag != tag {
		return nil, in
	}
	return member, rest
}

func marshalPKCS8(seed []byte) ([]byte, error) {
	private, err := asn1.Marshal(seed)
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(struct {
		Version   int
		Algorithm algorithmIdentifier
		Private   []byte
	}{0, ed25519Identifier(), private})
}

// takeSequence takes the first members off a sequence that is all of der, and returns the bytes of the others.
func takeSequence(der []byte, members ...any) (rest []byte, err error) {
	var sequence asn1.RawValue
	if rest, err = asn1.Unmarshal(der, &sequence); err != nil {
		return nil, malformed("its ASN.1 is cut or broken")
	}
	if len(rest) != 0 {
		return nil, malformed("%d bytes after its ASN.1", len(rest))
	}
	if sequence.Class != asn1.ClassUniversal || sequence.Tag != asn1.TagSequence || !sequence.IsCompound {
		return nil, malformed("its ASN.1 is not that of a key")
	}
	rest = sequence.Bytes
	for _, member := range members {
		if rest, err = asn1.Unmarshal(rest, member); err != nil {
			return nil, malformed("its ASN.1 is not that of a key")
		}
	}
	return rest, nil
}
