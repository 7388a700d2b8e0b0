package archive_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// hostileRecords are records of one size each, made to cost many times that in memory.
func hostileRecords(size int) map[string]string {
	fill := func(head, text, tail string) string {
		return head + strings.TrimSuffix(strings.Repeat(text, size/len(text)), ",") + tail
	}
	return map[string]string{
		"entries":       fill(`{"frames":[],"frame_attestations":[`, `0,`, `]}`),
		"entry objects": fill(`{"frames":[],"frame_attestations":[`, `{},`, `]}`),
		"keys":          fill(`{"type":"handshake_ack","provider":{"name":"p"},"attester_keys":[`, `0,`, `]}`),
		"key objects":   fill(`{"type":"handshake_ack","provider":{"name":"p"},"attester_keys":[`, `{},`, `]}`),
		"frames":        fill(`{"frames":[`, `0,`, `]}`),
		"steps":         fill(`{"frames":[],"frame_attestations":[{"inclusion_proof":{"path":[`, `0,`, `]}}]}`),
		"links":         fill(`{"frames":[`, `{"provenance":[`+strings.Repeat(`{},`, 9_999)+`{}]},`, `]}`),
		"nested":        nested(size),
	}
}

// nested is an object with as many members as one may have, the last of which is another such object, and so on.
func nested(size int) string {
	var b strings.Builder
	b.WriteString(`{"frames":[]`)
	depth := 1
	for n := 0; b.Len() < size && depth < 127; n++ {
		if fmt.Fprintf(&b, `,"%d":0`, n); n == 99_990 {
			b.WriteString(`,"d":{"":0`)
			depth++
			n = 0
		}
	}
	b.WriteString(strings.Repeat("}", depth))
	return b.String()
}

func BenchmarkHostileRecord(b *testing.B) {
	for name, record := range hostileRecords(16 << 20) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := (&archive.Verifier{}).VerifyReader(context.Background(), "hostile", strings.NewReader(record)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
