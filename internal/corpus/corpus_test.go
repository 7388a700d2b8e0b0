package corpus_test

import (
	"bytes"
	"go/parser"
	"go/token"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"contextgraphprotocol.org/cgp-attest/internal/corpus"
)

// An oracle shares no code with what it judges.
func TestSharesNoCode(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		read++
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range file.Imports {
			to, err := strconv.Unquote(spec.Path.Value)
			if err != nil || strings.HasPrefix(to, "contextgraphprotocol.org/") && !strings.HasSuffix(to, "/internal/bench") {
				t.Errorf("%s imports %s, %v", name, to, err)
			}
		}
	}
	if read == 0 {
		t.Error("no file was read")
	}
}

func TestWriteIsReproducible(t *testing.T) {
	write := func(seed uint64) (string, *corpus.Expected) {
		var b bytes.Buffer
		e, err := corpus.Write(&b, corpus.Spec{Seed: seed, Bytes: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		return b.String(), e
	}
	first, expected := write(7)
	again, expectedAgain := write(7)
	if first != again {
		t.Error("one Spec gives two texts")
	}
	if diff := cmp.Diff(expected, expectedAgain); diff != "" {
		t.Errorf("one Spec gives two expectations (-first +second):\n%s", diff)
	}
	if other, _ := write(8); other == first {
		t.Error("two seeds give one text")
	}
}

func TestWriteReachesItsSize(t *testing.T) {
	for _, size := range []int64{0, 1 << 10, 64 << 10, 1 << 20} {
		var written counter
		if _, err := corpus.Write(&written, corpus.Spec{Seed: 3, Bytes: size, Cases: []string{}}); err != nil {
			t.Fatal(err)
		}
		if n := int64(written); n < size || n > size+4<<20 {
			t.Errorf("%d bytes were asked for, %d written", size, n)
		}
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

func TestUnknownCase(t *testing.T) {
	if _, err := corpus.Write(io.Discard, corpus.Spec{Cases: []string{"no such case"}}); err == nil {
		t.Error("a case that does not exist was written")
	}
}

// Places come in order, one for each answer and each error.
func TestPlaces(t *testing.T) {
	last := corpus.Place{Offset: -1}
	var answers, errors uint64
	expected, err := corpus.Write(io.Discard, corpus.Spec{Seed: 5, Bytes: 300_000, Place: func(p corpus.Place) {
		if p.Record <= last.Record || p.Offset <= last.Offset {
			t.Errorf("place %+v follows %+v", p, last)
		}
		last = p
		if p.Error == "" {
			answers++
		} else {
			errors++
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if answers != expected.Answers || errors != expected.Unreadable || answers == 0 || errors == 0 {
		t.Errorf("places of %d answers and %d errors, want %d and %d, and some", answers, errors, expected.Answers, expected.Unreadable)
	}
}
