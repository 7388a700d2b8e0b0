package bench_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// answerOf is what of a generated answer these tests look at.
type answerOf struct {
	Result struct {
		Frames []struct {
			ID      string
			Content string
		}
	}
}

// answersOf decodes the answers of a generated session, with their lines.
func answersOf(t *testing.T, text []byte) (answers []answerOf, lines [][]byte) {
	t.Helper()
	ack := true
	for line := range bytes.Lines(text) {
		if ack {
			ack = false
			continue
		}
		var a answerOf
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatal(err)
		}
		answers, lines = append(answers, a), append(lines, line)
	}
	return answers, lines
}

func TestArchiveIsWhatItsSpecSays(t *testing.T) {
	for _, spec := range []bench.Spec{
		{Shape: bench.ShapeRoot},
		{Answers: 1, Shape: bench.ShapeRoot},
		{Answers: 2, Frames: 1, Shape: bench.ShapeFrames},
		{Answers: 3, Frames: 7, ContentBytes: 1, Shape: bench.ShapeBoth},
		{Answers: 2, Frames: 9, ContentBytes: 997, Shape: bench.ShapeRoot},
	} {
		answers, _ := answersOf(t, session(t, spec))
		if len(answers) != spec.Answers {
			t.Errorf("%+v: %d answers", spec, len(answers))
		}
		for _, a := range answers {
			if len(a.Result.Frames) != spec.Frames {
				t.Errorf("%+v: %d frames", spec, len(a.Result.Frames))
			}
			for _, f := range a.Result.Frames {
				if len(f.Content) != spec.ContentBytes || !utf8.ValidString(f.Content) {
					t.Errorf("%+v: content of %d bytes: %q", spec, len(f.Content), f.Content)
				}
			}
		}
	}
}

func TestStandardAnswer(t *testing.T) {
	answers, lines := answersOf(t, session(t, bench.Standard(20)))
	for n, a := range answers {
		if size := len(lines[n]); size < 35_500 || size > 37_000 {
			t.Errorf("answer %d has %d bytes, want 36 KB", n, size)
		}
		var ids []string
		for _, f := range a.Result.Frames {
			ids = append(ids, f.ID)
		}
		if len(ids) != 10 || slices.IsSorted(ids) {
			t.Errorf("answer %d has the frames %q, want 10, not in canonical order", n, ids)
		}
	}
}

// Figures of two machines are of the same bytes. Whoever changes what is generated changes this value, and voids them.
func TestArchiveIsDeterministic(t *testing.T) {
	const want = "3bbccf7ac8f29d73733aa42cb6be81b52e1ad17a0c2ae3fe6085ff699c23482f"
	spec := bench.Spec{Seed: 7, Answers: 3, Frames: 5, ContentBytes: 300, Shape: bench.ShapeBoth}
	text := session(t, spec)
	if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
		t.Errorf("SHA-256 of the session = %s, want %s", got, want)
	}
	spec.Seed++
	if bytes.Equal(session(t, spec), text) {
		t.Error("another seed gives the same session")
	}
}

func TestArchiveRefusesOtherShapes(t *testing.T) {
	var b bytes.Buffer
	if err := bench.Archive(&b, bench.Spec{Answers: 1, Shape: "none"}); err == nil || b.Len() > 0 {
		t.Errorf("Archive of shape none: %v, %d bytes", err, b.Len())
	}
}

type brokenWriter struct{ lines int }

var errBroken = errors.New("broken")

func (w *brokenWriter) Write(b []byte) (int, error) {
	if w.lines == 0 {
		return 0, errBroken
	}
	w.lines--
	return len(b), nil
}

func TestArchiveReportsTheWriter(t *testing.T) {
	spec := bench.Spec{Answers: 1, Shape: bench.ShapeRoot}
	for lines := range 2 {
		if err := bench.Archive(&brokenWriter{lines}, spec); !errors.Is(err, errBroken) {
			t.Errorf("writer broken after %d lines: %v", lines, err)
		}
	}
}

// What is generated is what the wire's schema demands of authors.
func TestArchiveFitsTheSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(publicdata.Shared(t, "protocol/contextgraph-envelope.schema.json")))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("envelope.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("envelope.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range shapes {
		for line := range bytes.Lines(session(t, bench.Spec{Answers: 3, Frames: 5, ContentBytes: 100, Shape: shape})) {
			message, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(message); err != nil {
				t.Errorf("shape %s: %v\n%s", shape, err, line)
			}
		}
	}
}
