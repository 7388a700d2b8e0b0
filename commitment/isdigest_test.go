package commitment

import (
	"strings"
	"testing"
)

// IsDigest is true exactly where ParseDigest has no error: for every byte at every place of a digest, and other lengths.
func TestIsDigest(t *testing.T) {
	good := ContentDigest("x").String()
	texts := []string{"", good, good + "0", good[:len(good)-1], strings.ToUpper(good), " " + good[1:]}
	for i := range good {
		for c := range 256 {
			texts = append(texts, good[:i]+string([]byte{byte(c)})+good[i+1:])
		}
	}
	for _, text := range texts {
		if _, err := ParseDigest(text); (err == nil) != IsDigest(text) {
			t.Errorf("IsDigest(%q) = %t, ParseDigest: %v", text, IsDigest(text), err)
		}
	}
}
