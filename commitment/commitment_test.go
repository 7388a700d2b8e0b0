package commitment_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestLiteralReading(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := anyString().Draw(t, "provider")
		frame := anyFrame().Draw(t, "frame")
		got, err := commitment.Of(provider, &frame)
		if err != nil {
			t.Fatal(err)
		}
		if want := literalCommitment(provider, frame); got != want {
			t.Fatalf("Of(%q, %+v) = %s, want %s", provider, frame, got, want)
		}
	})
}

func TestTrace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		provider := anyString().Draw(t, "provider")
		frame := anyFrame().Draw(t, "frame")
		steps, err := commitment.Trace(provider, &frame)
		if err != nil {
			t.Fatal(err)
		}

		// What the package computes elsewhere.
		of, err := commitment.Of(provider, &frame)
		if err != nil || steps.Commitment != of {
			t.Fatalf("Commitment = %s, want %s, %v from Of", steps.Commitment, of, err)
		}
		head, err := commitment.ChainHead(frame.Provenance)
		if err != nil || steps.ChainHead != head {
			t.Fatalf("ChainHead = %s, want %s, %v from ChainHead", steps.ChainHead, head, err)
		}

		// What the specification says.
		heads := literalHeads(frame.Provenance)
		if steps.Genesis != heads[0] {
			t.Fatalf("Genesis = %s, want %s", steps.Genesis, heads[0])
		}
		if len(steps.Links) != len(frame.Provenance) {
			t.Fatalf("%d link steps, want %d", len(steps.Links), len(frame.Provenance))
		}
		for i, step := range steps.Links {
			encoding := literalLink(frame.Provenance[i])
			want := commitment.LinkStep{
				Encoding: []byte(encoding),
				Preimage: []byte("contextgraph/attest/1/link" + string(heads[i][:]) + encoding),
				Head:     heads[i+1],
			}
			if diff := cmp.Diff(want, step); diff != "" {
				t.Fatalf("link step %d (-want +got):\n%s", i, diff)
			}
		}
		if literalHash(string(steps.FramePreimage)) != literalCommitment(provider, frame) {
			t.Fatalf("FramePreimage = %q does not hash to the commitment", steps.FramePreimage)
		}
	})
}

// An absent member, an empty one and one with text give three commitments, wherever they stand.
func TestAbsentEmptyPresent(t *testing.T) {
	fields := map[string]func(*commitment.Frame) *commitment.Optional{
		"content_digest": func(f *commitment.Frame) *commitment.Optional { return &f.ContentDigest },
		"uri":            func(f *commitment.Frame) *commitment.Optional { return &f.Provenance[0].URI },
		"range":          func(f *commitment.Frame) *commitment.Optional { return &f.Provenance[0].Range },
		"digest":         func(f *commitment.Frame) *commitment.Optional { return &f.Provenance[0].Digest },
		"method":         func(f *commitment.Frame) *commitment.Optional { return &f.Provenance[0].Method },
		"by":             func(f *commitment.Frame) *commitment.Optional { return &f.Provenance[0].By },
	}
	seen := map[commitment.Digest]string{}
	check := func(name string, frame commitment.Frame) {
		got, err := commitment.Of("p", &frame)
		if err != nil {
			t.Fatal(err)
		}
		if want := literalCommitment("p", frame); got != want {
			t.Errorf("%s: Of = %s, want %s", name, got, want)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%s: the commitment is that of %s", name, other)
		}
		seen[got] = name
	}
	newFrame := func() commitment.Frame {
		return commitment.Frame{ID: "f", Provenance: []commitment.Link{{Type: "file"}}}
	}
	check("all absent", newFrame())
	for name, field := range fields {
		for _, text := range []string{"", "\x00"} {
			frame := newFrame()
			*field(&frame) = commitment.Some(text)
			check(fmt.Sprintf("%s %q", name, text), frame)
		}
	}
}

// Frames that differ in what is covered differ in their commitment.
func TestCommitmentCoversEveryField(t *testing.T) {
	base := commitment.Frame{
		ID:            "retry",
		ContentDigest: commitment.Some("sha256:00"),
		Provenance:    []commitment.Link{fileLink, derivation},
	}
	edited := func(edit func(*commitment.Frame)) commitment.Frame {
		f := base
		f.Provenance = slices.Clone(base.Provenance)
		edit(&f)
		return f
	}
	type row struct {
		name     string
		provider string
		frame    commitment.Frame
	}
	rows := []row{
		{"as it is", "repo", base},
		{"provider", "repo2", base},
		{"provider in the id", "rep", edited(func(f *commitment.Frame) { f.ID = "oretry" })},
		{"id", "repo", edited(func(f *commitment.Frame) { f.ID = "retry2" })},
		{"empty id", "repo", edited(func(f *commitment.Frame) { f.ID = "" })},
		{"content_digest", "repo", edited(func(f *commitment.Frame) { f.ContentDigest = commitment.Some("sha256:01") })},
		{"content_digest gone", "repo", edited(func(f *commitment.Frame) { f.ContentDigest = commitment.Optional{} })},
		{"links swapped", "repo", edited(func(f *commitment.Frame) { slices.Reverse(f.Provenance) })},
		{"link dropped", "repo", edited(func(f *commitment.Frame) { f.Provenance = f.Provenance[:1] })},
		{"link doubled", "repo", edited(func(f *commitment.Frame) { f.Provenance = append(f.Provenance, derivation) })},
		{"links gone", "repo", edited(func(f *commitment.Frame) { f.Provenance = nil })},
		{"link type", "repo", edited(func(f *commitment.Frame) { f.Provenance[0].Type = "files" })},
		{"method moved to by", "repo", edited(func(f *commitment.Frame) {
			f.Provenance[1].By, f.Provenance[1].Method = f.Provenance[1].Method, f.Provenance[1].By
		})},
	}
	for _, field := range []string{"URI", "Range", "Digest", "Method", "By"} {
		rows = append(rows, row{field, "repo", edited(func(f *commitment.Frame) {
			reflect.ValueOf(&f.Provenance[0]).Elem().FieldByName(field).Set(reflect.ValueOf(commitment.Some("other")))
		})})
	}
	seen := map[commitment.Digest]string{}
	for _, tt := range rows {
		got, err := commitment.Of(tt.provider, &tt.frame)
		if err != nil {
			t.Fatal(err)
		}
		if other, ok := seen[got]; ok {
			t.Errorf("%q and %q have the commitment %s", tt.name, other, got)
		}
		seen[got] = tt.name
	}
}

// Two links with one encoding are the same link, whatever they hold.
func TestAppendLinkIsInjective(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyLink().Draw(t, "a"), anyLink().Draw(t, "b")
		first, err := commitment.AppendLink(nil, &a)
		if err != nil {
			t.Fatal(err)
		}
		second, err := commitment.AppendLink(nil, &b)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(first, second) != (a == b) {
			t.Fatalf("%+v and %+v are encoded as %x and %x", a, b, first, second)
		}
		// No encoding starts with another one, so a sequence of links reads in one way.
		if a != b && bytes.HasPrefix(first, second) {
			t.Fatalf("the encoding of %+v starts with that of %+v", a, b)
		}
	})
}

func TestAppendLinkKeepsWhatIsThere(t *testing.T) {
	got, err := commitment.AppendLink([]byte("before"), &asciiMinimal)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before" + literalLink(asciiMinimal); string(got) != want {
		t.Errorf("AppendLink(before, link) = %q, want %q", got, want)
	}
}

func TestOfDoesNotAllocate(t *testing.T) {
	frame := commitment.Frame{
		ID:            retryPolicy.ID,
		ContentDigest: retryPolicy.ContentDigest,
		Provenance:    slices.Repeat([]commitment.Link{fileLink, derivation}, 8),
	}
	if got := testing.AllocsPerRun(100, func() {
		if _, err := commitment.Of("repo-graph", &frame); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Of allocates %v times, want 0", got)
	}
}

func BenchmarkOf(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := commitment.Of("repo-graph", &retryPolicy); err != nil {
			b.Fatal(err)
		}
	}
}
