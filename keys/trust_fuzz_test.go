package keys

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzParseStore: what loads is written as what it was, and what does not load says why.
func FuzzParseStore(f *testing.F) {
	seeds := append(trustFiles(f, "*.json"), trustFiles(f, "good/*.json")...)
	if len(seeds) < 50 {
		f.Fatalf("%d seeds", len(seeds))
	}
	for _, name := range seeds {
		f.Add(readFile(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		faults := LintStore(data)
		s, err := ParseStore(data)
		var first *TrustFault
		if (err != nil) != (len(faults) > 0) || err != nil && (s != nil || !errors.As(err, &first) || first.Error() != faults[0].Error()) {
			t.Fatalf("ParseStore = %v, %v, LintStore = %v", s, err, faults)
		}
		if err != nil {
			return
		}
		for localID, k := range s.All() {
			if f := checkTrusted(localID, k); f != nil {
				t.Errorf("held is what breaks a rule: %v", f)
			}
		}
		written, err := s.Marshal()
		if err != nil {
			if errors.As(err, &first) && first.Rule == RuleTooLarge {
				return // indented it may be larger than it was
			}
			t.Fatal(err)
		}
		again, err := ParseStore(written)
		if err != nil {
			t.Fatal(err)
		}
		if d := DiffStores(s, again); len(d) > 0 {
			t.Errorf("read back it differs: %v", d)
		}
		if twice, err := again.Marshal(); err != nil || !bytes.Equal(twice, written) {
			t.Errorf("written twice:\n%s\n%s", written, twice)
		}
	})
}
