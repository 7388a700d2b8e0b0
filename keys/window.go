package keys

import (
	"time"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A Window is the time in which a key is in service, both ends included. An end that is the zero Instant is open, and the
// zero Window is always.
type Window struct{ NotBefore, NotAfter commitment.Instant }

// Service says how a key stands to an instant. The set is closed, and the zero value is never good.
type Service string

const (
	InService        Service = "in_service"
	NotYetValid      Service = "not_yet_valid"
	Expired          Service = "expired"
	MalformedInstant Service = "malformed_instant" // there is no instant to compare with
	MalformedWindow  Service = "malformed_window"  // the window ends before it begins
)

// IsOpen reports whether both ends are open: then no instant is asked for.
func (w Window) IsOpen() bool { return w.NotBefore.IsZero() && w.NotAfter.IsZero() }

// Service compares the window with the instant at which evidence was received, never with issued_at, which nothing covers
// (CGP F18). What cannot be evaluated is not in service: an instant that is zero, a window that ends before it begins.
func (w Window) Service(at commitment.Instant) Service {
	switch {
	case w.IsOpen():
		return InService
	case w.isInverted():
		return MalformedWindow
	case at.IsZero():
		return MalformedInstant
	case !w.NotBefore.IsZero() && at.Compare(w.NotBefore) < 0:
		return NotYetValid
	case !w.NotAfter.IsZero() && at.Compare(w.NotAfter) > 0:
		return Expired
	}
	return InService
}

// Equal reports whether two windows have the same ends. One instant may be written in several ways.
func (w Window) Equal(other Window) bool {
	return equalEnds(w.NotBefore, other.NotBefore) && equalEnds(w.NotAfter, other.NotAfter)
}

func equalEnds(a, b commitment.Instant) bool {
	if a.IsZero() || b.IsZero() {
		return a.IsZero() && b.IsZero()
	}
	return a.Compare(b) == 0
}

// EndsWithin reports whether the window ends at the instant at or later, but no later than d after it. A window that ended
// before does not. d counts in whole seconds; at must not be zero.
func (w Window) EndsWithin(at commitment.Instant, d time.Duration) bool {
	if w.NotAfter.IsZero() || w.NotAfter.Compare(at) < 0 {
		return false
	}
	until := later(at, d)
	return until.IsZero() || w.NotAfter.Compare(until) <= 0
}

// later returns the instant d after at, with the fraction of at; the zero Instant after the year 9999. A leap second counts
// as the first second of the next minute.
func later(at commitment.Instant, d time.Duration) commitment.Instant {
	const layout = "2006-01-02T15:04:05"
	const minute = len("2006-01-02T15:04:")
	text := at.String()
	t, err := time.Parse(layout, text[:minute]+"00")
	if err != nil {
		return commitment.Instant{}
	}
	seconds := 10*time.Duration(text[minute]-'0') + time.Duration(text[minute+1]-'0')
	t = t.Add(seconds*time.Second + d.Truncate(time.Second))
	if t.Year() > 9999 {
		return commitment.Instant{}
	}
	until, err := commitment.ParseInstant(t.Format(layout) + text[len(layout):])
	if err != nil {
		return commitment.Instant{}
	}
	return until
}

func (w Window) isInverted() bool {
	return !w.NotBefore.IsZero() && !w.NotAfter.IsZero() && w.NotAfter.Compare(w.NotBefore) < 0
}
