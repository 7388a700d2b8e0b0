package bench_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// The work of one answer, counted by hand from its parts.
func TestMeasure(t *testing.T) {
	spec := bench.Spec{Seed: 3, Answers: 2, Frames: 5, ContentBytes: 119, Shape: bench.ShapeBoth}
	w, err := bench.Measure(session(t, spec))
	if err != nil {
		t.Fatal(err)
	}
	if w.Answers != 2 || w.Frames != 10 || w.Signatures != 12 {
		t.Errorf("Measure = %+v, want 2 answers of 5 frames, 12 signatures", w)
	}
	// 119 bytes are two blocks. Each answer has a tree of 3·5 − 2; a frame's preimage of some 170 bytes is three blocks, one
	// link's of some 200 four or five, and a second link's two.
	low, high := uint64(2*13+10*(2+3+4)), uint64(2*13+10*(2+3+5+2))
	if w.Blocks < low || w.Blocks > high {
		t.Errorf("Measure counts %d blocks, want %d to %d", w.Blocks, low, high)
	}
}

// The parser sees every string that encoding/json sees.
func TestParser(t *testing.T) {
	text := session(t, bench.Standard(3))
	var p bench.Parser
	got, err := p.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	var count func(v any)
	count = func(v any) {
		switch v := v.(type) {
		case string:
			want += len(v)
		case []any:
			for _, e := range v {
				count(e)
			}
		case map[string]any:
			for _, e := range v {
				count(e)
			}
		}
	}
	for line := range bytes.Lines(text) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		count(v)
	}
	if got != want {
		t.Errorf("Parse = %d bytes of text, want %d", got, want)
	}
	if n := testing.AllocsPerRun(10, func() { p.Parse(text) }); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
	if _, err := p.Parse([]byte(`{"a":}`)); err == nil {
		t.Error("Parse takes what is no JSON")
	}
}
