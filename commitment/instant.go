package commitment

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"
)

// ErrMalformedInstant says that a text is not a timestamp in the form of CGP F4.
var ErrMalformedInstant = errors.New("malformed instant")

// An Instant is a timestamp of CGP F4, kept as its text. It knows leap seconds and fractions of any length, which a
// time.Time does not. The zero value is no instant. One instant has several texts (…:00Z, …:00.0Z): Compare tells whether two
// are equal, == whether their texts are.
type Instant struct{ text string }

// instantLayout is the part of an instant that is always there; a 0 stands for any digit.
const instantLayout = "0000-00-00T00:00:00"

// ParseInstant reads YYYY-MM-DDTHH:MM:SS(.f+)?Z with a date of the proleptic Gregorian calendar, years 0000 to 9999, hours
// to 23, minutes to 59, seconds to 60 (a leap second may stand in any minute) and any number of fraction digits (CGP F4).
// T and Z are uppercase. The error is ErrMalformedInstant.
func ParseInstant(s string) (Instant, error) {
	if err := checkInstant(s); err != nil {
		return Instant{}, fmt.Errorf("commitment: %w %.80q: %w", ErrMalformedInstant, s, err)
	}
	return Instant{text: s}, nil
}

// checkInstant returns what is wrong with s. The package time is of no use here: it refuses second 60, takes a comma and
// one-digit hours, and drops fraction digits.
func checkInstant(s string) error {
	if len(s) <= len(instantLayout) {
		return fmt.Errorf("%d bytes, want at least the %d of YYYY-MM-DDTHH:MM:SSZ", len(s), len(instantLayout)+1)
	}
	for i := range len(instantLayout) {
		want := instantLayout[i : i+1]
		if want == "0" && !isDigit(s[i]) {
			return fmt.Errorf("%q at byte %d, want a digit", s[i:i+1], i)
		}
		if want != "0" && s[i:i+1] != want {
			return fmt.Errorf("%q at byte %d, want %q", s[i:i+1], i, want)
		}
	}
	if s[len(s)-1] != 'Z' {
		return errors.New(`want it to end with "Z"`)
	}
	if err := checkFraction(s[len(instantLayout) : len(s)-1]); err != nil {
		return err
	}
	year, month, day := number(s[0:4]), number(s[5:7]), number(s[8:10])
	hour, minute, second := number(s[11:13]), number(s[14:16]), number(s[17:19])
	if month < 1 || month > 12 {
		return fmt.Errorf("month %d, want 1 to 12", month)
	}
	if last := daysIn(year, month); day < 1 || day > last {
		return fmt.Errorf("day %d, want 1 to %d", day, last)
	}
	if hour > 23 {
		return fmt.Errorf("hour %d, want at most 23", hour)
	}
	if minute > 59 {
		return fmt.Errorf("minute %d, want at most 59", minute)
	}
	if second > 60 {
		return fmt.Errorf("second %d, want at most 60", second)
	}
	return nil
}

// checkFraction returns what is wrong with the text between the seconds and the final Z. Nothing at all is right.
func checkFraction(s string) error {
	if s == "" {
		return nil
	}
	if s[0] != '.' {
		return fmt.Errorf("%q after the seconds, want a point or the final Z", s[:1])
	}
	if len(s) == 1 {
		return errors.New("no digit after the point")
	}
	for i := 1; i < len(s); i++ {
		if !isDigit(s[i]) {
			return fmt.Errorf("%q in the fraction, want a digit", s[i:i+1])
		}
	}
	return nil
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// number returns the value of at most four digits.
func number(digits string) int {
	n := 0
	for i := range len(digits) {
		n = 10*n + int(digits[i]-'0')
	}
	return n
}

// daysIn returns the number of days of a month, 1 to 12. The year 0 is a leap year.
func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// InstantOf returns t in UTC to the nanosecond, without trailing zeros in the fraction. A year outside 0000–9999 has no
// text: the result is then the zero Instant.
func InstantOf(t time.Time) Instant {
	t = t.UTC()
	if year := t.Year(); year < 0 || year > 9999 {
		return Instant{}
	}
	return Instant{text: t.Format(time.RFC3339Nano)}
}

// Compare returns -1, 0 or +1 as a is before, at or after b. Second 60 is after every fraction of second 59 and before the
// next minute. It panics on the zero Instant: any order would put an instant that was never set inside some key's window.
func (a Instant) Compare(b Instant) int {
	if a.IsZero() || b.IsZero() {
		panic("commitment: the zero Instant was compared")
	}
	// The digits stand at fixed places with the largest unit first, so bytes compare as the numbers do.
	n := len(instantLayout)
	return cmp.Or(strings.Compare(a.text[:n], b.text[:n]), strings.Compare(a.fraction(), b.fraction()))
}

// fraction returns the digits after the point without trailing zeros. As text they compare like the fractions they are.
func (a Instant) fraction() string {
	digits := strings.TrimPrefix(a.text[len(instantLayout):len(a.text)-1], ".")
	return strings.TrimRight(digits, "0")
}

// String returns the text that was parsed, byte for byte. The zero Instant gives "".
func (a Instant) String() string { return a.text }

// IsZero reports whether a is the zero value, which is no instant.
func (a Instant) IsZero() bool { return a.text == "" }
