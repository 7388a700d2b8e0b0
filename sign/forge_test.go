package sign

import (
	"bytes"
	"crypto/ed25519"
	cryptorand "crypto/rand"
	"crypto/sha512"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"filippo.io/edwards25519"
)

// forge makes test cases. Its arithmetic is that of filippo.io/edwards25519; nothing in it decides whether a case is good.
type forge struct {
	t       *testing.T
	rand    *rand.ChaCha8
	torsion []*edwards25519.Point // multiples 0..7 of a point of order 8
	cases   []wireCase
}

// newForge draws its seed anew for every run and logs it.
func newForge(t *testing.T) *forge {
	t.Helper()
	var seed [32]byte
	if _, err := cryptorand.Read(seed[:]); err != nil {
		t.Fatal(err)
	}
	t.Logf("seed %x", seed)
	return &forge{t: t, rand: rand.NewChaCha8(seed), torsion: torsionPoints(t)}
}

// torsionPoints computes the torsion subgroup: L·Q for the first Q, by y, whose L·Q has order 8, and its multiples.
func torsionPoints(t *testing.T) []*edwards25519.Point {
	t.Helper()
	minusOne := new(edwards25519.Scalar).Negate(one())
	for y := range byte(100) {
		q, err := new(edwards25519.Point).SetBytes(append([]byte{y}, make([]byte, 31)...))
		if err != nil {
			continue
		}
		// As integers L = (L−1) + 1, and the scalar −1 is L−1. A scalar cannot hold L itself.
		generator := new(edwards25519.Point).ScalarMult(minusOne, q)
		generator.Add(generator, q)
		multiples := []*edwards25519.Point{edwards25519.NewIdentityPoint()}
		for i := 1; i < 8; i++ {
			multiples = append(multiples, new(edwards25519.Point).Add(multiples[i-1], generator))
		}
		if multiples[4].Equal(multiples[0]) == 0 {
			if new(edwards25519.Point).Add(multiples[7], generator).Equal(multiples[0]) == 0 {
				t.Fatal("8·L·Q is not the identity")
			}
			return multiples
		}
	}
	t.Fatal("no point of order 8 found")
	return nil
}

// torsionEncodings tries every encoding of the torsion points: each y, and y + p where that has 255 bits, with either sign.
func torsionEncodings(t *testing.T) [][]byte {
	t.Helper()
	points := torsionPoints(t)
	found := map[string]bool{}
	for _, p := range points {
		y := littleEndian(p.Bytes())
		y.SetBit(y, 255, 0)
		for _, spelling := range []*big.Int{y, new(big.Int).Add(y, fieldPrime())} {
			for sign := range uint(2) {
				if spelling.BitLen() > 255 {
					continue
				}
				encoded := bytes32(new(big.Int).SetBit(spelling, 255, sign))
				decoded, err := new(edwards25519.Point).SetBytes(encoded)
				if err == nil && slices.ContainsFunc(points, func(p *edwards25519.Point) bool { return p.Equal(decoded) == 1 }) {
					found[string(encoded)] = true
				}
			}
		}
	}
	var all [][]byte
	for encoded := range found {
		all = append(all, []byte(encoded))
	}
	slices.SortFunc(all, bytes.Compare)
	return all
}

func one() *edwards25519.Scalar {
	s, err := new(edwards25519.Scalar).SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	if err != nil {
		panic(err)
	}
	return s
}

func zero() *edwards25519.Scalar { return edwards25519.NewScalar() }

// fieldPrime returns p = 2^255 − 19, groupOrder L = 2^252 + 27742317777372353535851937790883648493 (RFC 8032 §5.1).
func fieldPrime() *big.Int {
	return new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
}

func groupOrder() *big.Int {
	low, _ := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
	return low.Add(low, new(big.Int).Lsh(big.NewInt(1), 252))
}

func littleEndian(b []byte) *big.Int {
	b = slices.Clone(b)
	slices.Reverse(b)
	return new(big.Int).SetBytes(b)
}

func bytes32(n *big.Int) []byte {
	b := n.FillBytes(make([]byte, 32))
	slices.Reverse(b)
	return b
}

func (f *forge) bytes(n int) []byte {
	b := make([]byte, n)
	f.rand.Read(b)
	return b
}

func (f *forge) intn(n int) int { return int(f.rand.Uint64() % uint64(n)) }

func (f *forge) scalar() *edwards25519.Scalar {
	s, err := new(edwards25519.Scalar).SetUniformBytes(f.bytes(64))
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

func (f *forge) add(family string, key, message, signature []byte) {
	f.addText(family, key, message, hex.EncodeToString(signature))
}

func (f *forge) addText(family string, key, message []byte, signature string) {
	f.cases = append(f.cases, wireCase{family, slices.Clone(key), slices.Clone(message), signature})
}

// stdlibAccepts checks that a case is one where crypto/ed25519 alone accepts too much.
func (f *forge) stdlibAccepts(key, message, signature []byte) {
	f.t.Helper()
	if !ed25519.Verify(key, message, signature) {
		f.t.Errorf("crypto/ed25519 declines the key %x, message %x, signature %x: the case shows nothing", key, message, signature)
	}
}

// honest returns a key, a message and a signature that crypto/ed25519 made.
func (f *forge) honest() (key, message, signature []byte) {
	private := ed25519.NewKeyFromSeed(f.bytes(32))
	message = f.bytes(f.intn(3) * 32)
	return private.Public().(ed25519.PublicKey), message, ed25519.Sign(private, message)
}

// A secret is the key a·B + T under an encoding of it.
type secret struct {
	a       *edwards25519.Scalar
	t       *edwards25519.Point
	encoded []byte
}

func (f *forge) secret(t *edwards25519.Point) secret {
	a := f.scalar()
	p := new(edwards25519.Point).ScalarBaseMult(a)
	return secret{a, t, p.Add(p, t).Bytes()}
}

// grind signs with R = r·B + t, in the encoding given, and S = r + k·a, for ever new messages until the equation without
// cofactor holds, or does not, as wanted. It holds where k·T + t = O; with the cofactor it always does.
func (f *forge) grind(s secret, r *edwards25519.Scalar, t *edwards25519.Point, encodedR []byte, holds bool) (message, signature []byte) {
	for range 1000 {
		message = f.bytes(32)
		digest := sha512.Sum512(slices.Concat(encodedR, s.encoded, message))
		k, err := new(edwards25519.Scalar).SetUniformBytes(digest[:])
		if err != nil {
			f.t.Fatal(err)
		}
		rest := new(edwards25519.Point).ScalarMult(k, s.t)
		rest.Add(rest, t)
		if (rest.Equal(edwards25519.NewIdentityPoint()) == 1) == holds {
			return message, append(slices.Clone(encodedR), new(edwards25519.Scalar).MultiplyAdd(k, s.a, r).Bytes()...)
		}
	}
	f.t.Fatalf("no message found for the torsion parts %x and %x", s.t.Bytes(), t.Bytes())
	return nil, nil
}

// mixed returns a random r and the encoding of r·B + t.
func (f *forge) mixed(t *edwards25519.Point) (r *edwards25519.Scalar, encodedR []byte) {
	r = f.scalar()
	p := new(edwards25519.Point).ScalarBaseMult(r)
	return r, p.Add(p, t).Bytes()
}

// makeSmallOrder puts each of the fourteen encodings in the place of the key and of R, the equation holding wherever it can.
func (f *forge) makeSmallOrder() {
	for _, encoded := range torsionEncodings(f.t) {
		point, err := new(edwards25519.Point).SetBytes(encoded)
		if err != nil {
			f.t.Fatal(err)
		}
		// As key, T = 0·B + T.
		weak := secret{zero(), point, encoded}
		r, encodedR := f.mixed(f.torsion[0])
		message, signature := f.grind(weak, r, f.torsion[0], encodedR, true)
		f.add("small-order key", encoded, message, signature)
		f.stdlibAccepts(encoded, message, signature)
		mate := new(edwards25519.Point).Negate(point)
		r, encodedR = f.mixed(mate)
		message, signature = f.grind(weak, r, mate, encodedR, true)
		f.add("small-order key", encoded, message, signature)
		f.stdlibAccepts(encoded, message, signature)
		f.add("small-order key", encoded, f.bytes(32), f.bytes(64))
		f.add("small-order key", encoded, nil, append(slices.Clone(encoded), make([]byte, 32)...))

		// As R, with S = k·a: under an honest key the equation holds for the identity alone, under a key of mixed order
		// for every torsion point.
		honest := f.secret(f.torsion[0])
		message, signature = f.grind(honest, zero(), point, encoded, point.Equal(f.torsion[0]) == 1)
		f.add("small-order R", honest.encoded, message, signature)
		mixed := f.secret(f.torsion[1])
		message, signature = f.grind(mixed, zero(), point, encoded, true)
		f.add("small-order R", mixed.encoded, message, signature)
		if bytes.Equal(encoded, point.Bytes()) {
			f.stdlibAccepts(mixed.encoded, message, signature)
		}
	}
}

func (f *forge) makeMixedOrder() {
	for range 4 {
		for _, t := range f.torsion[1:] {
			mixed, honest := f.secret(t), f.secret(f.torsion[0])
			r, encodedR := f.mixed(f.torsion[0])
			message, signature := f.grind(mixed, r, f.torsion[0], encodedR, true)
			f.add("mixed-order key, holds", mixed.encoded, message, signature)
			message, signature = f.grind(mixed, r, f.torsion[0], encodedR, false)
			f.add("mixed-order key, cofactor", mixed.encoded, message, signature)
			r, encodedR = f.mixed(t)
			message, signature = f.grind(honest, r, t, encodedR, false)
			f.add("mixed-order R, cofactor", honest.encoded, message, signature)
			message, signature = f.grind(mixed, r, t, encodedR, true)
			f.add("mixed-order key and R, holds", mixed.encoded, message, signature)
		}
	}
}

// makeScalars replaces S by every S + j·L of 256 bits and by values around L.
func (f *forge) makeScalars() {
	order := groupOrder()
	for range 4 {
		key, message, signature := f.honest()
		f.add("honest", key, message, signature)
		s := littleEndian(signature[32:])
		for s.Add(s, order); s.BitLen() <= 256; s.Add(s, order) {
			f.add("S out of range", key, message, append(slices.Clone(signature[:32]), bytes32(s)...))
		}
		for _, near := range []int64{-1, 0, 1} {
			n := new(big.Int).Add(order, big.NewInt(near))
			family := "S out of range"
			if near < 0 {
				family = "S in range"
			}
			f.add(family, key, message, append(slices.Clone(signature[:32]), bytes32(n)...))
		}
		f.add("S in range", key, message, append(slices.Clone(signature[:32]), make([]byte, 32)...))
		f.add("S out of range", key, message, append(slices.Clone(signature[:32]), bytes.Repeat([]byte{0xff}, 32)...))
	}
}

// makeEncodings puts every y from p to 2^255−1 with either sign, and random strings, in the place of the key and of R.
func (f *forge) makeEncodings() {
	key, message, signature := f.honest()
	for i := range int64(19) {
		for sign := range uint(2) {
			y := new(big.Int).Add(fieldPrime(), big.NewInt(i))
			encoded := bytes32(y.SetBit(y, 255, sign))
			f.add("y of p and above as key", encoded, message, signature)
			f.add("y of p and above as R", key, message, append(slices.Clone(encoded), signature[32:]...))
		}
	}
	for range 40 {
		f.add("random key", f.bytes(32), message, signature)
		f.add("random R", key, message, append(f.bytes(32), signature[32:]...))
	}
	for range 10 {
		key, message, signature := f.honest()
		negative := slices.Clone(key)
		negative[31] ^= 0x80
		f.add("negated", negative, message, signature)
		negative = slices.Clone(signature)
		negative[31] ^= 0x80
		f.add("negated", key, message, negative)
		negative = append(slices.Clone(signature[:32]), bytes32(new(big.Int).Sub(groupOrder(), littleEndian(signature[32:])))...)
		f.add("negated", key, message, negative)
	}
}

// makeDamage changes honest cases by bits, lengths, texts and parts of one another.
func (f *forge) makeDamage() {
	flip := func(b []byte) []byte {
		b = slices.Clone(b)
		b[f.intn(len(b))] ^= 1 << f.intn(8)
		return b
	}
	for range 60 {
		key, _, _ := f.honest()
		private := ed25519.NewKeyFromSeed(f.bytes(32))
		own := []byte(private.Public().(ed25519.PublicKey))
		message := f.bytes(32)
		signature := ed25519.Sign(private, message)
		f.add("honest", own, message, signature)
		f.add("flipped bit of key", flip(own), message, signature)
		f.add("flipped bit of message", own, flip(message), signature)
		f.add("flipped bit of signature", own, message, flip(signature))
		f.add("another's", key, message, signature)
	}
	key, message, signature := f.honest()
	for _, n := range []int{0, 1, 31, 33, 64} {
		f.add("length of key", append(slices.Clone(key), f.bytes(32)...)[:n], message, signature)
	}
	text := hex.EncodeToString(signature)
	for _, wrong := range []string{
		"", text[:126], text[:127], text + "0", text + "00", text + text, "0x" + text[2:], " " + text[1:], text + "\n",
		strings.ToUpper(text), text[:127] + "A", text[:127] + "g", text[:126] + "é", text[:127] + "\x00", hex.EncodeToString([]byte(text)),
	} {
		f.addText("text of signature", key, message, wrong)
	}
}
