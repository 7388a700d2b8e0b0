package bench_test

import (
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

func TestNoAnswer(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		session    bool // is an error in a session too: what is no answer is passed over there
	}{
		{"no JSON", `{"type":"frames"`, true},
		{"no object", `[]`, true},
		{"no result", `{"type":"frames"}`, true},
		{"null result", `{"type":"frames","result":null}`, true},
		{"no frames", `{"type":"frames","result":{}}`, true},
		{"null frames", `{"type":"frames","result":{"frames":null}}`, true},
		{"ill-typed frames", `{"type":"frames","result":{"frames":{}}}`, true},
		{"signed count", `{"type":"frames","result":{"frames":[],"frame_attestations":[{"inclusion_proof":{"leaf_index":-0}}]}}`, true},
		{"handshake without a name", `{"type":"handshake_ack","provider":{}}`, true},
		{"other message", `{"type":"shutdown"}`, false},
		{"no type", `{"result":{"frames":[]}}`, false},
	} {
		if results, err := bench.VerifyAnswer("docs", []byte(tt.text), nil); err == nil || results != nil {
			t.Errorf("%s: VerifyAnswer = %v, %v, want an error", tt.name, results, err)
		}
		if answers, err := bench.VerifySession([]byte(tt.text)); (err != nil) != tt.session || answers != nil {
			t.Errorf("%s: VerifySession = %v, %v, want an error: %t", tt.name, answers, err, tt.session)
		}
	}
}
