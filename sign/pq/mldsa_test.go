package pq

import (
	"bytes"
	"compress/gzip"
	"crypto/sha3"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"regexp"
	"strings"
	"testing"

	"filippo.io/mldsa"
	mldsax509 "filippo.io/mldsa/x509"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

const circlModule = "github.com/cloudflare/circl"

// other is the parameter set in filippo.io/mldsa, the second implementation.
func (m mlDSA) other(t *testing.T) mldsa.Parameters {
	t.Helper()
	for _, p := range []mldsa.Parameters{mldsa.MLDSA44(), mldsa.MLDSA65(), mldsa.MLDSA87()} {
		if p.String() == m.title {
			return p
		}
	}
	t.Fatalf("filippo.io/mldsa has no %s", m.title)
	return mldsa.Parameters{}
}

var mlDSAs = []mlDSA{mlDSA44, mlDSA65, mlDSA87}

// acvp reads one of NIST's ACVP files, as github.com/cloudflare/circl ships them.
func acvp(t *testing.T, name string, into any) {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(publicdata.ModuleFile(t, circlModule, "sign/mldsa/testdata/"+name+".json.gz")))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(zipped).Decode(into); err != nil {
		t.Fatal(err)
	}
}

type acvpFile struct {
	TestGroups []struct {
		ParameterSet string
		Pk           string
		Tests        []struct {
			TcID                                 int
			Seed, Pk, Message, Signature, TestID string
			TestPassed                           bool
		}
	}
}

// ML-DSA-keyGen-FIPS204 of ACVP: the public key of each seed.
func TestMLDSAKeyGenACVP(t *testing.T) {
	var prompts, results acvpFile
	acvp(t, "ML-DSA-keyGen-FIPS204/prompt", &prompts)
	acvp(t, "ML-DSA-keyGen-FIPS204/expectedResults", &results)
	want := make(map[int]string)
	for _, g := range results.TestGroups {
		for _, row := range g.Tests {
			want[row.TcID] = strings.ToLower(row.Pk)
		}
	}
	compared := make(map[string]int)
	for _, g := range prompts.TestGroups {
		s, ok := Lookup(strings.ToLower(g.ParameterSet))
		if !ok {
			t.Fatalf("no scheme for %s", g.ParameterSet)
		}
		for _, row := range g.Tests {
			key, err := s.NewKey(unhex(t, row.Seed))
			if err != nil {
				t.Fatal(err)
			}
			public := key.Public().(sign.PublicKey)
			if got := hex.EncodeToString([]byte(public.Bytes)); got != want[row.TcID] || public.Algorithm != s.Name() {
				t.Errorf("%s case %d: public key %s %.40s…, want %.40s…", g.ParameterSet, row.TcID, public.Algorithm, got, want[row.TcID])
			}
			compared[s.Name()]++
		}
	}
	for _, m := range mlDSAs {
		if compared[m.name] < 20 {
			t.Errorf("%d keys of %s were compared, want 20 at least", compared[m.name], m.name)
		}
	}
}

// ML-DSA-sigVer-FIPS204 of ACVP is about ML-DSA.Verify_internal, which no library offers: it shows that the implementation in
// Python, which the others are compared with below, is right.
func TestMLDSAOracleACVP(t *testing.T) {
	var prompts, results acvpFile
	acvp(t, "ML-DSA-sigVer-FIPS204/prompt", &prompts)
	acvp(t, "ML-DSA-sigVer-FIPS204/expectedResults", &results)
	want := make(map[int]bool)
	for _, g := range results.TestGroups {
		for _, row := range g.Tests {
			want[row.TcID] = row.TestPassed
		}
	}
	var questions []question
	var ids []int
	for _, g := range prompts.TestGroups {
		for _, row := range g.Tests {
			questions = append(questions, question{g.ParameterSet, strings.ToLower(g.ParameterSet), unhex(t, g.Pk), unhex(t, row.Message), unhex(t, row.Signature)})
			ids = append(ids, row.TcID)
		}
	}
	passed := 0
	for i, verdict := range ask(t, "internal", questions...) {
		if (verdict == "valid") != want[ids[i]] {
			t.Errorf("%s case %d: the oracle says %s, ACVP %t", questions[i].family, ids[i], verdict, want[ids[i]])
		}
		if want[ids[i]] {
			passed++
		}
	}
	if len(questions) < 45 || passed < 5 {
		t.Errorf("%d cases, %d of them good", len(questions), passed)
	}
}

// The hash over a hundred public keys and deterministic signatures over nothing, of seeds out of SHAKE128: the accumulated
// vectors of https://c2sp.org/CCTV/ML-DSA, as filippo.io/mldsa@v1.0.0 has them in mldsa_test.go.
func TestMLDSAAccumulated(t *testing.T) {
	want := map[string]string{
		MLDSA44: "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4",
		MLDSA65: "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199",
		MLDSA87: "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b",
	}
	for _, m := range mlDSAs {
		seeds, sum := sha3.NewSHAKE128(), sha3.NewSHAKE128()
		seed := make([]byte, 32)
		for range 100 {
			seeds.Read(seed)
			key, err := m.NewKey(seed)
			if err != nil {
				t.Fatal(err)
			}
			signature, err := key.Sign(nil, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			public := key.Public().(sign.PublicKey)
			sum.Write([]byte(public.Bytes))
			sum.Write(signature)
			if got, err := judge(t, question{"accumulated", m.name, []byte(public.Bytes), nil, signature}); got != sign.Valid {
				t.Errorf("%s: %s (%v)", m.name, got, err)
			}
		}
		out := make([]byte, 32)
		sum.Read(out)
		if got := hex.EncodeToString(out); got != want[m.name] {
			t.Errorf("%s: %s, want %s", m.name, got, want[m.name])
		}
	}
}

// hint is where the hint of a signature begins.
func (m mlDSA) hint(signature []byte) int { return len(signature) - m.omega - m.k }

// spoilt are questions with one thing wrong in each, beside the good one.
func (m mlDSA) spoilt(t *testing.T, n byte) []question {
	t.Helper()
	good := signed(t, m, n, bytes.Repeat([]byte{n}, 32))
	next := signed(t, m, n+100, good.message)
	all := append([]question{good}, good.lengths()...)
	add := func(family string, edit func(q *question)) { all = append(all, good.changed(family, edit)) }
	add("other key", func(q *question) { q.key = next.key })
	add("other message", func(q *question) { q.message[0] ^= 1 })
	add("other signature", func(q *question) { q.signature = next.signature })
	h := m.hint(good.signature)
	add("other hint", func(q *question) { copy(q.signature[h:], next.signature[h:]) })
	add("challenge", func(q *question) { q.signature[int(n)%16] ^= 1 << (n % 8) })
	add("key bit", func(q *question) { q.key[40+int(n)] ^= 1 })
	add("z bit", func(q *question) { q.signature[len(q.signature)/2] ^= 1 })
	// The first number of z becomes γ1, the largest there is, and the smallest but for one.
	start := map[string]int{MLDSA44: 32, MLDSA65: 48, MLDSA87: 64}[m.name] // the length of c̃
	add("z large", func(q *question) { copy(q.signature[start:], make([]byte, 9)) })
	add("z small", func(q *question) { copy(q.signature[start:], bytes.Repeat([]byte{0xff}, 9)) })

	ends := h + m.omega
	last := int(good.signature[len(good.signature)-1])
	add("hint end above ω", func(q *question) { q.signature[len(q.signature)-1] = byte(m.omega + 1) })
	add("hint end 255", func(q *question) { q.signature[len(q.signature)-1] = 255 })
	add("hint ends fall", func(q *question) { q.signature[ends], q.signature[ends+1] = q.signature[ends+1], q.signature[ends] })
	add("hint cut", func(q *question) { q.signature[len(q.signature)-1]-- })
	if last < m.omega {
		add("hint grown", func(q *question) { q.signature[len(q.signature)-1]++ })
		add("hint padding", func(q *question) { q.signature[ends-1] = 1 })
	}
	for i := 1; i < int(good.signature[ends]); i++ {
		add("hint exchanged", func(q *question) {
			q.signature[h+i-1], q.signature[h+i] = q.signature[h+i], q.signature[h+i-1]
		})
		add("hint doubled", func(q *question) { q.signature[h+i] = q.signature[h+i-1] })
	}
	add("hint empty", func(q *question) { clear(q.signature[h:]) })
	add("zero", func(q *question) { clear(q.signature) })
	return all
}

// Three implementations: this one, Python in big integers for the verdict, filippo.io/mldsa for whether it verifies.
func TestMLDSASpoilt(t *testing.T) {
	var questions []question
	for _, m := range mlDSAs {
		for n := byte(1); n <= 3; n++ {
			questions = append(questions, m.spoilt(t, n)...)
		}
	}
	for _, q := range questions {
		s, _ := Lookup(q.algorithm)
		key, err := mldsa.NewPublicKey(s.(mlDSA).other(t), q.key)
		if err == nil {
			err = mldsa.Verify(key, q.message, q.signature, nil)
		}
		if got, why := judge(t, q); (got == sign.Valid) != (err == nil) {
			t.Errorf("%s %s: %s (%v), filippo.io/mldsa says %v", q.algorithm, q.family, got, why, err)
		}
	}
	demand(t, compare(t, questions), map[string]int{
		"signed valid": 9, "key length malformed_key": 54, "signature length malformed_signature": 54,
		"other key bad_signature": 9, "other message bad_signature": 9, "other signature bad_signature": 9, "challenge bad_signature": 9,
		"key bit bad_signature": 9, "z bit bad_signature": 9, "z large bad_signature": 9, "z small bad_signature": 9, "other hint bad_signature": 9,
		"hint end above ω malformed_signature": 9, "hint end 255 malformed_signature": 9, "hint ends fall malformed_signature": 9,
		"hint cut malformed_signature": 9, "hint padding malformed_signature": 3, "hint exchanged malformed_signature": 9,
		"hint doubled malformed_signature": 9, "hint empty bad_signature": 9, "zero bad_signature": 9,
	})
}

// Both libraries sign the same, and each verifies what the other signed.
func TestMLDSASecond(t *testing.T) {
	for _, m := range mlDSAs {
		for n := range byte(8) {
			message := bytes.Repeat([]byte{n}, int(n)*11)
			q := signed(t, m, n, message)
			theirs, err := mldsa.NewPrivateKey(m.other(t), seedOf(m, n))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(theirs.PublicKey().Bytes(), q.key) {
				t.Errorf("%s seed %d: the public keys differ", m.name, n)
			}
			signature, err := theirs.SignDeterministic(message, nil)
			if err != nil || !bytes.Equal(signature, q.signature) {
				t.Errorf("%s seed %d: the signatures differ (%v)", m.name, n, err)
			}
			randomized, err := theirs.Sign(nil, message, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range []struct {
				name      string
				options   *mldsa.Options
				signature []byte
				want      sign.Verdict
			}{
				{"randomized", nil, randomized, sign.Valid},
				{"with a context", &mldsa.Options{Context: "c"}, nil, sign.BadSignature},
			} {
				if row.signature == nil {
					if row.signature, err = theirs.SignDeterministic(message, row.options); err != nil {
						t.Fatal(err)
					}
				}
				if got, err := judge(t, question{row.name, m.name, q.key, message, row.signature}); got != row.want {
					t.Errorf("%s seed %d, %s: %s (%v), want %s", m.name, n, row.name, got, err, row.want)
				}
			}
		}
	}
}

// The example keys of RFC 9881, appendix C.1, as filippo.io/mldsa ships them in x509/x509_test.go: the seed form and the public
// key, to the byte; and the forms that are not read.
func TestMLDSAFilesRFC9881(t *testing.T) {
	source := string(publicdata.ModuleFile(t, "filippo.io/mldsa", "x509/x509_test.go"))
	source = strings.ReplaceAll(source, "TESTING KEY", "PRIVATE KEY") // the label there keeps scanners for secrets quiet
	example := func(name string) []byte {
		t.Helper()
		found := regexp.MustCompile("var " + name + " = [^\n]*\n(?s:(-----BEGIN.*?-----END [A-Z ]+-----))").FindStringSubmatch(source)
		if found == nil {
			t.Fatalf("no example %s", name)
		}
		return []byte(found[1] + "\n")
	}
	for _, m := range mlDSAs {
		parser := keys.Parser{Algorithms: sign.With(m)}
		suffix := strings.ReplaceAll(m.title, "-", "")
		private, public := example("rfc9881ExamplePrivateKey"+suffix), example("rfc9881ExamplePublicKey"+suffix)
		key, err := parser.ParsePrivateKey(private)
		if err != nil {
			t.Fatalf("%s: %v", m.name, err)
		}
		if got := strings.TrimSpace(string(key.MarshalSeed())); got != "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" {
			t.Errorf("%s: seed %s", m.name, got)
		}
		read, err := parser.ParsePublicKey(public)
		if err != nil || read != key.PublicKey() {
			t.Errorf("%s: public key %v, %v, want %v", m.name, read, err, key)
		}
		for _, row := range []struct {
			name   string
			marsh  func() ([]byte, error)
			theirs []byte
		}{
			{"private", key.MarshalPKCS8, private},
			{"public", func() ([]byte, error) { return parser.MarshalPKIX(read) }, public},
		} {
			ours, err := row.marsh()
			if err != nil {
				t.Fatal(err)
			}
			a, _ := pem.Decode(ours)
			b, _ := pem.Decode(row.theirs)
			if a.Type != b.Type || !bytes.Equal(a.Bytes, b.Bytes) {
				t.Errorf("%s: the %s key is written as\n%s, RFC 9881 has\n%s", m.name, row.name, ours, row.theirs)
			}
		}
		theirs, err := mldsa.NewPrivateKey(m.other(t), seedOf(m, 9))
		if err != nil {
			t.Fatal(err)
		}
		der, err := mldsax509.MarshalPKCS8PrivateKey(theirs)
		if err != nil {
			t.Fatal(err)
		}
		if key, err := parser.ParsePrivateKey(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})); err != nil || key.PublicKey().Bytes != string(theirs.PublicKey().Bytes()) {
			t.Errorf("%s: a key file of filippo.io/mldsa: %v, %v", m.name, key, err)
		}
	}
}

// FIPS 204, algorithm 21, line by line: whether it returns a hint.
func hintBitUnpack(y []byte, omega, k int) bool {
	index := 0
	for i := range k {
		if int(y[omega+i]) < index || int(y[omega+i]) > omega {
			return false
		}
		first := index
		for index < int(y[omega+i]) {
			if index > first && y[index-1] >= y[index] {
				return false
			}
			index++
		}
	}
	for i := index; i <= omega-1; i++ {
		if y[i] != 0 {
			return false
		}
	}
	return true
}

// Every hint of three polynomials with at most four ones in it, whose positions are below three and whose ends are up to five.
func TestHints(t *testing.T) {
	const omega, k = 4, 3
	good := 0
	for n := range 3 * 3 * 3 * 3 * 6 * 6 * 6 {
		h, rest := make([]byte, omega+k), n
		for i := range h {
			base := 3
			if i >= omega {
				base = 6
			}
			h[i], rest = byte(rest%base), rest/base
		}
		want := hintBitUnpack(h, omega, k)
		if want {
			good++
		}
		if got := isHint(h, omega); got != want {
			t.Fatalf("isHint(%v, %d) = %t, want %t", h, omega, got, want)
		}
	}
	if good < 50 {
		t.Errorf("%d are hints", good)
	}
}
