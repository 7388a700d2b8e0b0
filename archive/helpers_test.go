package archive_test

import (
	"encoding/hex"
	"testing"
)

func mustHex(t *testing.T, text string) string {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
