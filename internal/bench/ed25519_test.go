package bench_test

import (
	"bytes"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Every y that is not reduced, p to 2^255−1, and the same less p, each with both signs of x: points of small order,
// others, and no points.
func TestKeysAgree(t *testing.T) {
	taken, refused := 0, 0
	judge := func(key []byte) {
		err := sign.CheckEd25519Key(key)
		if got := bench.StrongKey(key); got != (err == nil) {
			t.Errorf("StrongKey(%x) = %t, CheckEd25519Key = %v", key, got, err)
		}
		if err == nil {
			taken++
		} else {
			refused++
		}
	}
	for y := range byte(19) {
		for _, sign := range []byte{0, 0x80} {
			reduced := append([]byte{y}, make([]byte, 31)...)
			reduced[31] |= sign
			judge(reduced)
			above := append([]byte{0xed + y}, bytes.Repeat([]byte{0xff}, 31)...)
			above[31] = 0x7f | sign
			judge(above)
		}
	}
	for n := range 34 {
		judge(make([]byte, n))
	}
	if taken == 0 || refused == 0 {
		t.Errorf("%d keys are taken, %d refused", taken, refused)
	}
}
