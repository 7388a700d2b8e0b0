package archive_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

type panicking struct{ archive.Report }

func (*panicking) Answer(*archive.Answer) error { panic("a fault") }

// A panic while a run is under way ends the run, not the program, and the summary says so.
func TestPanicIsReported(t *testing.T) {
	open := func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(ackOf("docs") + answerOf(numberedFrames(1)...))), nil
	}
	s, err := (&archive.Verifier{}).Verify(context.Background(), slices.Values([]archive.Source{{Name: "input", Open: open}}), &panicking{})
	if !errors.Is(err, archive.ErrInternal) || !strings.Contains(err.Error(), "a fault") {
		t.Errorf("Verify: %v, want ErrInternal with the panic", err)
	}
	if s.Finished || s.ExitCode != archive.ExitInternal {
		t.Errorf("finished %v, exit code %d, want false, 5", s.Finished, s.ExitCode)
	}
}
