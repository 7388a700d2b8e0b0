package keys

import (
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

func TestWindow(t *testing.T) {
	const from, until = "2026-08-01T00:00:00Z", "2027-07-31T23:59:59Z"
	zeros := strings.Repeat("0", 29)
	tests := []struct {
		name, from, until, at string
		want                  Service
	}{
		{"no window, no instant", "", "", "", InService},
		{"no window", "", "", "0000-01-01T00:00:00Z", InService},
		{"first instant", from, until, from, InService},
		{"last instant", from, until, until, InService},
		{"a millisecond before", from, until, "2026-07-31T23:59:59.999Z", NotYetValid},
		{"a millisecond after", from, until, "2027-07-31T23:59:59.001Z", Expired},
		{"a millisecond inside, first", from, until, "2026-08-01T00:00:00.001Z", InService},
		{"a millisecond inside, last", from, until, "2027-07-31T23:59:58.999Z", InService},
		{"no begin", "", until, "0000-01-01T00:00:00Z", InService},
		{"no end", from, "", "9999-12-31T23:59:60.9Z", InService},
		{"no end, before", from, "", "2026-07-31T23:59:59Z", NotYetValid},
		{"no begin, after", "", until, "2027-08-01T00:00:00Z", Expired},
		{"equal in other digits", from, "2027-07-31T23:59:59.5Z", "2027-07-31T23:59:59.500Z", InService},
		{"fractions of other lengths, inside", from, "2027-07-31T23:59:59.5Z", "2027-07-31T23:59:59.49999Z", InService},
		{"fractions of other lengths, after", from, "2027-07-31T23:59:59.5Z", "2027-07-31T23:59:59.50001Z", Expired},
		{"no fraction against one", from, until, "2027-07-31T23:59:59.0Z", InService},
		{"30 digits, at", "", "2027-07-31T23:59:59." + zeros + "1Z", "2027-07-31T23:59:59." + zeros + "1Z", InService},
		{"30 digits, after", "", "2027-07-31T23:59:59." + zeros + "1Z", "2027-07-31T23:59:59." + zeros + "2Z", Expired},
		{"30 digits, before", "2027-07-31T23:59:59." + zeros + "2Z", "", "2027-07-31T23:59:59." + zeros + "1Z", NotYetValid},
		{"second 60 after 59.9", "", "2026-12-31T23:59:59.9Z", "2026-12-31T23:59:60Z", Expired},
		{"second 60 in", "", "2026-12-31T23:59:60Z", "2026-12-31T23:59:60.0Z", InService},
		{"second 60 before the next minute", "2027-01-01T00:00:00Z", "", "2026-12-31T23:59:60.9Z", NotYetValid},
		{"one instant long", from, from, from, InService},
		{"inverted", until, from, "2027-01-01T00:00:00Z", MalformedWindow},
		{"inverted by a digit", "2027-01-01T00:00:00.01Z", "2027-01-01T00:00:00.009Z", "2027-01-01T00:00:00.01Z", MalformedWindow},
		{"inverted, no instant", until, from, "", MalformedWindow},
		{"no instant", from, until, "", MalformedInstant},
		{"no instant, no end", from, "", "", MalformedInstant},
		{"no instant, no begin", "", until, "", MalformedInstant},
	}
	for _, tt := range tests {
		if got := windowOf(t, tt.from, tt.until).Service(instant(t, tt.at)); got != tt.want {
			t.Errorf("%s: [%s, %s].Service(%s) = %s, want %s", tt.name, tt.from, tt.until, tt.at, got, tt.want)
		}
	}
}

func TestEndsWithin(t *testing.T) {
	const day = 24 * time.Hour
	tests := []struct {
		name, until, at string
		within          time.Duration
		want            bool
	}{
		{"no end", "", "2027-07-01T00:00:00Z", 30 * day, false},
		{"on the last day", "2027-07-31T00:00:00Z", "2027-07-01T00:00:00Z", 30 * day, true},
		{"a moment later", "2027-07-31T00:00:00.1Z", "2027-07-01T00:00:00Z", 30 * day, false},
		{"a moment later, fraction of at", "2027-07-31T00:00:00.1Z", "2027-07-01T00:00:00.10Z", 30 * day, true},
		{"now", "2027-07-31T00:00:00Z", "2027-07-31T00:00:00Z", day, true},
		{"ended before", "2027-07-30T23:59:59.9Z", "2027-07-31T00:00:00Z", 30 * day, false},
		{"over a leap day", "2028-03-01T00:00:00Z", "2028-02-28T00:00:00Z", 2 * day, true},
		{"over no leap day", "2027-03-02T00:00:01Z", "2027-02-28T00:00:00Z", 2 * day, false},
		{"from a leap second", "2027-01-02T00:00:00.5Z", "2026-12-31T23:59:60.5Z", day, true},
		{"from a leap second, later", "2027-01-02T00:00:00.6Z", "2026-12-31T23:59:60.5Z", day, false},
		{"after the last year", "9999-12-31T23:59:60Z", "9999-12-31T00:00:00Z", 30 * day, true},
		{"year 0", "0000-03-01T00:00:00Z", "0000-02-28T00:00:00Z", 2 * day, true},
		{"hours", "2027-07-01T12:00:00Z", "2027-07-01T00:00:00Z", 12 * time.Hour, true},
		{"hours, later", "2027-07-01T12:00:01Z", "2027-07-01T00:00:00Z", 12 * time.Hour, false},
	}
	for _, tt := range tests {
		if got := windowOf(t, "", tt.until).EndsWithin(instant(t, tt.at), tt.within); got != tt.want {
			t.Errorf("%s: EndsWithin(%s, %s) of %s = %v, want %v", tt.name, tt.at, tt.within, tt.until, got, tt.want)
		}
	}
}

func TestWindowEqual(t *testing.T) {
	const a, b = "2026-08-01T00:00:00Z", "2026-08-01T00:00:00.000Z"
	later := "2026-08-01T00:00:00.0001Z"
	tests := []struct {
		from, until, otherFrom, otherUntil string
		want                               bool
	}{
		{"", "", "", "", true}, {a, "", b, "", true}, {"", a, "", b, true}, {a, "", "", a, false}, {a, "", "", "", false},
		{"", "", "", a, false}, {a, later, a, later, true}, {a, later, a, a, false}, {later, "", a, "", false},
	}
	for _, tt := range tests {
		if got := windowOf(t, tt.from, tt.until).Equal(windowOf(t, tt.otherFrom, tt.otherUntil)); got != tt.want {
			t.Errorf("[%s, %s].Equal([%s, %s]) = %v, want %v", tt.from, tt.until, tt.otherFrom, tt.otherUntil, got, tt.want)
		}
	}
	if w := (Window{}); !w.IsOpen() || (Window{NotAfter: commitment.InstantOf(time.Unix(0, 0))}).IsOpen() {
		t.Error("IsOpen is wrong")
	}
}
