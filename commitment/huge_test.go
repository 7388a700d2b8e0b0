//go:build (linux || darwin) && (amd64 || arm64)

package commitment_test

import (
	"errors"
	"os"
	"syscall"
	"testing"
	"unsafe"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// hugeString returns a string one byte longer than a uint32 can count. It is address space without memory behind it: pages
// that nobody reads are never filled.
func hugeString(t *testing.T) string {
	t.Helper()
	pages, err := syscall.Mmap(-1, 0, 1<<32, syscall.PROT_READ, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
			t.Fatal(err)
		}
		t.Skipf("no 4 GiB of address space: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(pages); err != nil {
			t.Error(err)
		}
	})
	return unsafe.String(&pages[0], len(pages))
}

func TestFieldTooLong(t *testing.T) {
	huge := hugeString(t)
	some := commitment.Some(huge)
	small := commitment.Link{Type: "file"}

	links := []struct {
		name string
		link commitment.Link
	}{
		{"type", commitment.Link{Type: huge}},
		{"uri", commitment.Link{URI: some}},
		{"range", commitment.Link{Range: some}},
		{"digest", commitment.Link{Digest: some}},
		{"method", commitment.Link{Method: some}},
		{"by", commitment.Link{By: some}},
	}
	const reason = ": field too long: 4294967296 bytes, want at most 4294967295"
	for _, tt := range links {
		t.Run("link "+tt.name, func(t *testing.T) {
			dst, err := commitment.AppendLink([]byte("before"), &tt.link)
			checkTooLong(t, "AppendLink", err, "commitment: link: "+tt.name+reason)
			if string(dst) != "before" {
				t.Errorf("AppendLink changed dst to %q", dst)
			}
			chain := []commitment.Link{small, tt.link}
			_, err = commitment.ChainHead(chain)
			checkTooLong(t, "ChainHead", err, "commitment: provenance link 1: "+tt.name+reason)
			frame := commitment.Frame{Provenance: chain}
			_, err = commitment.Of("p", &frame)
			checkTooLong(t, "Of", err, "commitment: provenance link 1: "+tt.name+reason)
			_, err = commitment.Trace("p", &frame)
			checkTooLong(t, "Trace", err, "commitment: provenance link 1: "+tt.name+reason)
		})
	}

	for _, tt := range []struct {
		name     string
		provider string
		frame    commitment.Frame
	}{
		{"provider_id", huge, commitment.Frame{}},
		{"id", "p", commitment.Frame{ID: huge}},
		{"content_digest", "p", commitment.Frame{ContentDigest: some}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := commitment.Of(tt.provider, &tt.frame)
			checkTooLong(t, "Of", err, "commitment: "+tt.name+reason)
			_, err = commitment.Trace(tt.provider, &tt.frame)
			checkTooLong(t, "Trace", err, "commitment: "+tt.name+reason)
		})
	}
}

func checkTooLong(t *testing.T, call string, err error, want string) {
	t.Helper()
	if !errors.Is(err, commitment.ErrFieldTooLong) || err.Error() != want {
		t.Errorf("%s: %v, want %s", call, err, want)
	}
}
