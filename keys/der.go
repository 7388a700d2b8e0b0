package keys

import (
	"bytes"
	"encoding/asn1"
	"fmt"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// The two structures in which keys stand. RFC 8410 has them for Ed25519 and Ed448, RFC 9881 for ML-DSA.
//
//	AlgorithmIdentifier ::= SEQUENCE { algorithm OBJECT IDENTIFIER, parameters: absent for every kind that is read }
//	PKIX   (RFC 5280 §4.1)  SEQUENCE { AlgorithmIdentifier, BIT STRING of the bytes of the key }
//	PKCS#8 (RFC 5958 §2)    SEQUENCE { version INTEGER: 0, or 1 with a public key, AlgorithmIdentifier,
//	                                   OCTET STRING of the seed, below,
//	                                   attributes [0] OPTIONAL, public key [1] IMPLICIT BIT STRING OPTIONAL }
//	seed   (RFC 8410 §7)    OCTET STRING
//	       (RFC 9881 §6)    [0] IMPLICIT OCTET STRING, one of three choices; the others hold the expanded key, and are not read
//
// encoding/asn1 passes over what follows the last member that a Go struct names. So each member is taken off the front on
// its own, and nothing may be left.

type algorithmIdentifier struct {
	Algorithm  asn1.ObjectIdentifier
	Parameters asn1.RawValue `asn1:"optional"`
}

// checkIdentifier returns the kind that an algorithm identifier names.
func (p Parser) checkIdentifier(a algorithmIdentifier) (*kind, error) {
	k := p.identified(a.Algorithm.String())
	if k == nil {
		return nil, unsupported("it is of the kind %.80s, want Ed25519", a)
	}
	if len(a.Parameters.FullBytes) != 0 {
		return nil, malformed("an %s key with algorithm parameters", k.form.Title)
	}
	return k, nil
}

// identifier returns the algorithm identifier of the kind.
func (k *kind) identifier() (algorithmIdentifier, error) {
	var oid asn1.ObjectIdentifier
	for part := range strings.SplitSeq(k.form.ObjectIdentifier, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return algorithmIdentifier{}, fmt.Errorf("object identifier %.80q of %s: %w", k.form.ObjectIdentifier, k.algorithm, err)
		}
		oid = append(oid, n)
	}
	return algorithmIdentifier{Algorithm: oid}, nil
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

// parsePKIX returns a public key, of a length that the caller is to check.
func (p Parser) parsePKIX(der []byte) (sign.PublicKey, error) {
	var algorithm algorithmIdentifier
	rest, err := takeSequence(der, &algorithm)
	if err != nil {
		return sign.PublicKey{}, err
	}
	k, err := p.checkIdentifier(algorithm)
	if err != nil {
		return sign.PublicKey{}, err
	}
	var key asn1.BitString
	if rest, err = asn1.Unmarshal(rest, &key); err != nil || len(rest) != 0 || key.BitLength != 8*len(key.Bytes) {
		return sign.PublicKey{}, malformed("its ASN.1 is not that of a PKIX public key")
	}
	return sign.PublicKey{Algorithm: k.algorithm, Bytes: string(key.Bytes)}, nil
}

func (k *kind) marshalPKIX(key []byte) ([]byte, error) {
	algorithm, err := k.identifier()
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(struct {
		Algorithm algorithmIdentifier
		Key       asn1.BitString
	}{
		algorithm,
		asn1.BitString{Bytes: key, BitLength: 8 * len(key)},
	})
}

// parsePKCS8 returns a private key.
func (p Parser) parsePKCS8(der []byte) (*PrivateKey, error) {
	var (
		version   int
		algorithm algorithmIdentifier
		private   []byte
	)
	rest, err := takeSequence(der, &version, &algorithm)
	if err != nil {
		return nil, err
	}
	k, err := p.checkIdentifier(algorithm)
	if err != nil {
		return nil, err
	}
	if rest, err = asn1.Unmarshal(rest, &private); err != nil {
		return nil, malformed("its ASN.1 is not that of a PKCS#8 private key")
	}
	seed, err := k.parseSeed(private)
	if err != nil {
		return nil, err
	}
	public, err := k.parsePKCS8Tail(rest)
	if err != nil {
		return nil, err
	}
	if version < 0 || version > 1 || public != nil && version != 1 {
		return nil, malformed("PKCS#8 version %d", version)
	}
	key, err := k.fromSeed(seed)
	if err != nil {
		return nil, err
	}
	if public != nil && string(public) != key.PublicKey().Bytes {
		return nil, malformed("its public key does not belong to its private key")
	}
	return key, nil
}

// parseSeed returns the seed out of the octet string of a PKCS#8 private key.
func (k *kind) parseSeed(private []byte) ([]byte, error) {
	seed, ok := bytes.CutPrefix(private, []byte{k.form.SeedTag, byte(k.form.SeedSize)})
	switch {
	case ok && len(seed) == k.form.SeedSize:
		return seed, nil
	case k.form.SeedTag == asn1.TagOctetString:
		return nil, malformed("its private key is not an octet string of %d bytes", k.form.SeedSize)
	case len(private) > 0 && (private[0] == asn1.TagOctetString || private[0] == asn1.TagSequence|isCompound):
		return nil, unsupported(`it holds the expanded private key of %s, want the seed alone, as "openssl pkey -in FILE `+
			`-provparam ml-dsa.output_formats=seed-only" writes it`, k.form.Title)
	}
	return nil, malformed("its private key is not a seed of %d bytes", k.form.SeedSize)
}

// isCompound is the bit of an identifier octet that says that other values stand inside.
const isCompound = 0x20

// parsePKCS8Tail returns the public key among the two optional members at the end, nil where there is none.
func (k *kind) parsePKCS8Tail(rest []byte) (public []byte, err error) {
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
	if key.IsCompound || len(key.Bytes) != 1+k.form.PublicKeySize || key.Bytes[0] != 0 {
		return nil, malformed("its public key is not a bit string of %d bytes", k.form.PublicKeySize)
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

func (k *kind) marshalPKCS8(seed []byte) ([]byte, error) {
	algorithm, err := k.identifier()
	if err != nil {
		return nil, err
	}
	return asn1.Marshal(struct {
		Version   int
		Algorithm algorithmIdentifier
		Private   []byte
	}{0, algorithm, append([]byte{k.form.SeedTag, byte(len(seed))}, seed...)})
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
