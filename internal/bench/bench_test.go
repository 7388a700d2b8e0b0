package bench_test

import (
	"bytes"
	"context"
	"io"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// session returns the bytes that bench.Archive writes.
func session(tb testing.TB, spec bench.Spec) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := bench.Archive(&b, spec); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// A counter is the sink of a run whose figures are all that is wanted.
type counter struct{ constructed int }

func (c *counter) Answer(a *archive.Answer) error {
	for i := range a.Frames {
		if a.Frames[i].State == archive.StateConstructed && a.Frames[i].Content == archive.ContentMatch {
			c.constructed++
		}
	}
	return nil
}

func (c *counter) Error(e *archive.RecordError) error { return e }

// BenchmarkVerify has both readers verify the same bytes, everything on: all evidence and the content of every frame.
func BenchmarkVerify(b *testing.B) {
	for _, shape := range []bench.Shape{bench.ShapeRoot, bench.ShapeFrames, bench.ShapeBoth} {
		spec := bench.Standard(20)
		spec.Shape = shape
		text := session(b, spec)
		frames := spec.Answers * spec.Frames

		b.Run("shape="+string(shape)+"/reader=naive", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				answers, err := bench.VerifySession(text)
				if err != nil {
					b.Fatal(err)
				}
				good := 0
				for _, results := range answers {
					for _, r := range results {
						if r.Content == bench.Holds && (r.Signature == bench.Holds || r.Inclusion == bench.Holds && r.Root == bench.Holds) {
							good++
						}
					}
				}
				if good != frames {
					b.Fatalf("%d frames are good, want %d", good, frames)
				}
			}
		})

		b.Run("shape="+string(shape)+"/reader=archive", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var found counter
				source := archive.Source{Name: "session", Open: func() (io.ReadCloser, error) {
					return io.NopCloser(bytes.NewReader(text)), nil
				}}
				if _, err := new(archive.Verifier).Verify(context.Background(), slices.Values([]archive.Source{source}), &found); err != nil {
					b.Fatal(err)
				}
				if found.constructed != frames {
					b.Fatalf("%d frames are good, want %d", found.constructed, frames)
				}
			}
		})
	}
}
