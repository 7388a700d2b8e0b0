package archive_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// fuzzSeeds are signed sessions of the three shapes and subsets of them: what an attacker starts from.
func fuzzSeeds(tb testing.TB) []string {
	frames := numberedFrames(3)
	frames = append(frames,
		`{"id":"linked","kind":"doc","content":"a","content_digest":"`+digestOf("a")+`","provenance":[`+
			`{"type":"file","uri":"file:///a","range":"L1-2","digest":"`+digestOf("x")+`"},{"type":"derivation","by":"b","method":""}]}`,
		`{"id":"linked-too","content":"a","content_digest":"`+digestOf("a")+`","provenance":[`+
			`{"type":"file","uri":"file:///a","range":"L1-2","digest":"`+digestOf("x")+`"},{"type":"derivation","by":"b","method":""}]}`)
	var seeds []string
	for _, shape := range []archive.Shape{archive.ShapeRoot, archive.ShapeFrames, archive.ShapeBoth} {
		input := ackOf(fuzzProvider) + "\n" + answerOf(frames...) + "\n" + answerOf(frames[3]) + "\n"
		signed := string(mustSign(tb, input, options(tb, shape)).Output)
		kept := mustRetain(tb, signed, archive.RetainOptions{Record: 2, Keep: refs("linked", "f2")})
		seeds = append(seeds, signed, string(kept.Output))
	}
	return seeds
}

const fuzzProvider = "docs"

// identities reads every frame of an input as a lenient reader would: what a signature covers of it, and its content.
func identities(input []byte) map[string]bool {
	found := make(map[string]bool)
	d := json.NewDecoder(bytes.NewReader(input))
	for {
		var message struct {
			Result struct {
				Frames []map[string]any `json:"frames"`
			} `json:"result"`
		}
		if d.Decode(&message) != nil {
			return found
		}
		for _, f := range message.Result.Frames {
			found[identity(f["id"], f["content"], f["content_digest"], f["provenance"])] = true
		}
	}
}

func identity(id, content, digest, provenance any) string {
	links, _ := provenance.([]any)
	var covered []map[string]any
	for _, l := range links {
		m, _ := l.(map[string]any)
		kept := make(map[string]any)
		for _, name := range []string{"type", "uri", "range", "digest", "method", "by"} {
			if m[name] != nil {
				kept[name] = m[name]
			}
		}
		covered = append(covered, kept)
	}
	raw, err := json.Marshal([]any{id, content, digest, covered})
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// A mutated signed answer is never good unless only members that nothing covers were changed: every frame that comes out good
// stands in one of the signed inputs with the same id, content, digest and provenance, and a run that exits 0 has nothing
// else.
func FuzzVerify(f *testing.F) {
	signed := make(map[string]bool)
	seeds := fuzzSeeds(f)
	if len(seeds) != 6 {
		f.Fatalf("%d seeds, want 6", len(seeds))
	}
	for _, s := range seeds {
		f.Add([]byte(s))
		for id := range identities([]byte(s)) {
			signed[id] = true
		}
	}
	if len(signed) != 5 {
		f.Fatalf("%d signed frames, want 5", len(signed))
	}
	keys := &archive.Keyring{}
	opt := options(f, archive.ShapeRoot)
	if err := keys.Trust(fuzzProvider, opt.KeyID, publicKey(signingKey(7)), "fuzz"); err != nil {
		f.Fatal(err)
	}
	v := &archive.Verifier{Keys: keys}
	f.Fuzz(func(t *testing.T, input []byte) {
		r, err := v.VerifyReader(context.Background(), "fuzz", bytes.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		if err := consistent(r); err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Answers {
			for i := range a.Frames {
				if fr := &a.Frames[i]; fr.Class == archive.ClassGood && !carries(signed, input, fr) {
					t.Errorf("frame %q of record %d is good, but nobody signed it as it stands", fr.FrameID, a.Record)
				}
			}
		}
	})
}

// carries reports whether a good frame is one of the signed ones. The frame is looked for in the input by a lenient reader,
// which need not find it where the strict one does; then its digest and id must be signed ones.
func carries(signed map[string]bool, input []byte, f *archive.Frame) bool {
	for id := range identities(input) {
		if signed[id] && strings.HasPrefix(id, fmt.Sprintf("[%s,", quoteJSON(f.FrameID))) {
			return true
		}
	}
	for id := range signed {
		if strings.HasPrefix(id, "["+quoteJSON(f.FrameID)+",") && strings.Contains(id, quoteJSON(f.ContentDigest.OrEmpty())) {
			return f.Content == archive.ContentMatch
		}
	}
	return false
}

func quoteJSON(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// consistent checks what holds of every report: totals add up, classes follow the states, evidence that is wrong is told.
func consistent(r *archive.Report) error {
	s := r.Summary
	var states, classes, frames uint64
	for _, n := range s.States {
		states += n
	}
	for _, n := range s.Classes {
		classes += n
	}
	for _, a := range r.Answers {
		frames += uint64(len(a.Frames))
		for _, f := range a.Frames {
			for _, ev := range f.Evidence {
				if ev.State == "" || ev.State.Verifies() != ev.Verdict.Verifies() {
					return fmt.Errorf("evidence is %q with verdict %q", ev.State, ev.Verdict)
				}
				if ev.State == archive.StateInvalid && a.Class != archive.ClassNegative {
					return fmt.Errorf("invalid evidence in an answer of class %s", a.Class)
				}
			}
		}
	}
	if frames != s.Frames || states != frames || classes != frames {
		return fmt.Errorf("%d frames, summary says %d, states add up to %d, classes to %d", frames, s.Frames, states, classes)
	}
	if s.ExitCode == archive.ExitGood && (s.Classes[archive.ClassGood] != frames || frames == 0) {
		return fmt.Errorf("exit code 0 with %d of %d frames good", s.Classes[archive.ClassGood], frames)
	}
	return nil
}
