package commitment_test

import (
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"pgregory.net/rapid"
)

func TestOptional(t *testing.T) {
	for _, tt := range []struct {
		name    string
		value   commitment.Optional
		text    string
		present bool
	}{
		{"zero", commitment.Optional{}, "", false},
		{"empty", commitment.Some(""), "", true},
		{"text", commitment.Some("a"), "a", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if text, present := tt.value.Text(); text != tt.text || present != tt.present {
				t.Errorf("Text() = %q, %t, want %q, %t", text, present, tt.text, tt.present)
			}
			if got := tt.value.Present(); got != tt.present {
				t.Errorf("Present() = %t, want %t", got, tt.present)
			}
			if got := tt.value.OrEmpty(); got != tt.text {
				t.Errorf("OrEmpty() = %q, want %q", got, tt.text)
			}
		})
	}
	if commitment.Some("") == (commitment.Optional{}) {
		t.Error("an empty string equals an absent one")
	}
	if a, b := commitment.Some("a"), commitment.Some(string([]byte{'a'})); a != b {
		t.Errorf("%v and %v of one text are not equal", a, b)
	}
}

func TestIdentity(t *testing.T) {
	frame := commitment.Frame{ID: "f", ContentDigest: commitment.Some("d"), Provenance: []commitment.Link{{Type: "file"}}}
	want := commitment.FrameID{ProviderID: "p", FrameID: "f", ContentDigest: commitment.Some("d")}
	if got := frame.Identity("p"); got != want {
		t.Errorf("Identity(p) = %+v, want %+v", got, want)
	}
	empty, absent := frame, frame
	empty.ContentDigest, absent.ContentDigest = commitment.Some(""), commitment.Optional{}
	if empty.Identity("p") == absent.Identity("p") {
		t.Error("an empty content_digest and an absent one give one identity")
	}
}

func TestCompareFrameIDs(t *testing.T) {
	id := func(provider, frame string, digest commitment.Optional) commitment.FrameID {
		return commitment.FrameID{ProviderID: provider, FrameID: frame, ContentDigest: digest}
	}
	absent, some := commitment.Optional{}, commitment.Some
	// In canonical order, none equal to another.
	ids := []commitment.FrameID{
		id("", "", absent),
		id("", "", some("")),
		id("", "a", absent),
		id("A", "z", some("z")), // bytes: uppercase before lowercase
		id("a", "", absent),
		id("a", "", some("")),
		id("a", "", some("\x00")),
		id("a", "B", some("z")),
		id("a", "a", absent),
		id("a", "a", some("sha256:0")),
		id("a", "a", some("sha256:00")),
		id("a", "aa", absent),
		id("a", "f10", absent), // no natural order of numbers
		id("a", "f9", absent),
		id("a", "z", absent),
		id("a", "é", absent),
		// UTF-16 puts the surrogates of U+10000 before U+E000 and U+FF61.
		id("a", "\ue000", absent),
		id("a", "\uff61", absent),
		id("a", "\U00010000", absent),
		id("a", "𝄞", absent),
		id("b", "", absent),
		id("\uff61", "", absent),
		id("𝄞", "", absent),
	}
	for i, a := range ids {
		for j, b := range ids {
			want := min(1, max(-1, i-j))
			if got := a.Compare(b); got != want {
				t.Errorf("%+v.Compare(%+v) = %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestCanonicalOrder(t *testing.T) {
	id := func(frame string) commitment.FrameID { return commitment.FrameID{ProviderID: "p", FrameID: frame} }
	for _, tt := range []struct {
		name string
		ids  []commitment.FrameID
		want []int
	}{
		{"nil", nil, []int{}},
		{"one", []commitment.FrameID{id("a")}, []int{0}},
		{"sorted", []commitment.FrameID{id("a"), id("b"), id("c")}, []int{0, 1, 2}},
		{"reversed", []commitment.FrameID{id("c"), id("b"), id("a")}, []int{2, 1, 0}},
		{"cycle", []commitment.FrameID{id("c"), id("a"), id("b")}, []int{1, 2, 0}},
		{"equal", []commitment.FrameID{id("a"), id("a"), id("a")}, []int{0, 1, 2}},
		{"equal among others", []commitment.FrameID{id("b"), id("a"), id("b"), id("a")}, []int{1, 3, 0, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.ids)
			if got := commitment.CanonicalOrder(tt.ids); !slices.Equal(got, tt.want) {
				t.Errorf("CanonicalOrder(%+v) = %v, want %v", tt.ids, got, tt.want)
			}
			if !slices.Equal(tt.ids, before) {
				t.Errorf("CanonicalOrder changed its argument to %+v", tt.ids)
			}
		})
	}
}

// literalLess reads CGP §6.3 word for word: byte after byte, absent before present.
func literalLess(a, b commitment.FrameID) bool {
	key := func(id commitment.FrameID) [3]string {
		digest, present := id.ContentDigest.Text()
		if present {
			digest = "+" + digest
		}
		return [3]string{id.ProviderID, id.FrameID, digest}
	}
	x, y := key(a), key(b)
	for part := range x {
		for i := range max(len(x[part]), len(y[part])) {
			switch {
			case i == len(x[part]):
				return true
			case i == len(y[part]):
				return false
			case x[part][i] != y[part][i]:
				return x[part][i] < y[part][i]
			}
		}
	}
	return false
}

// An insertion sort is stable to the eye.
func literalOrder(ids []commitment.FrameID) []int {
	order := []int{}
	for i := range ids {
		at := len(order)
		for at > 0 && literalLess(ids[i], ids[order[at-1]]) {
			at--
		}
		order = slices.Insert(order, at, i)
	}
	return order
}

func TestCanonicalOrderLiteralReading(t *testing.T) {
	anyID := rapid.Custom(func(t *rapid.T) commitment.FrameID {
		return commitment.FrameID{
			ProviderID:    rapid.SampledFrom([]string{"p", "q"}).Draw(t, "provider"),
			FrameID:       anyString().Draw(t, "frame"),
			ContentDigest: anyOptional().Draw(t, "digest"),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		// More than twelve elements, so that an unstable sort is one.
		ids := rapid.SliceOfN(anyID, 0, 60).Draw(t, "ids")
		if got, want := commitment.CanonicalOrder(ids), literalOrder(ids); !slices.Equal(got, want) {
			t.Fatalf("CanonicalOrder(%+v) = %v, want %v", ids, got, want)
		}
	})
}
