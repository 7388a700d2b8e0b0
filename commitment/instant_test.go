package commitment_test

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"pgregory.net/rapid"
)

// instantTexts are the rows of TestParseInstant and the seeds of FuzzParseInstant. An empty reason stands for a good text.
var instantTexts = []struct {
	name   string
	text   string
	reason string
}{
	{"plain", "2026-08-27T00:00:00Z", ""},
	{"last of the day", "2026-08-27T23:59:59Z", ""},
	{"leap second", "2016-12-31T23:59:60Z", ""},
	{"leap second in another minute", "2026-08-27T12:34:60Z", ""},
	{"leap second with a fraction", "2016-12-31T23:59:60.999Z", ""},
	{"one fraction digit", "2026-08-27T00:00:00.5Z", ""},
	{"zero fraction", "2026-08-27T00:00:00.0Z", ""},
	{"thirty fraction digits", "2026-08-27T00:00:00.123456789012345678901234567890Z", ""},
	{"year 0000", "0000-01-01T00:00:00Z", ""},
	{"leap day of year 0000", "0000-02-29T00:00:00Z", ""},
	{"year 9999", "9999-12-31T23:59:60.9Z", ""},
	{"leap day", "2024-02-29T00:00:00Z", ""},
	{"leap day of 2000", "2000-02-29T00:00:00Z", ""},
	{"thirty days", "2026-04-30T00:00:00Z", ""},
	{"thirty-one days", "2026-12-31T00:00:00Z", ""},

	{"empty", "", `"": 0 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ`},
	{"no Z", "2026-08-27T00:00:00", `"2026-08-27T00:00:00": 19 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ`},
	{"date alone", "2026-08-27", "10 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ"},
	{"no seconds", "2026-08-27T00:00Z", "17 bytes, want at least the 20 of YYYY-MM-DDTHH:MM:SSZ"},
	{"lowercase t", "2026-08-27t00:00:00Z", `"t" at byte 10, want "T"`},
	{"lowercase z", "2026-08-27T00:00:00z", `want it to end with "Z"`},
	{"space for T", "2026-08-27 00:00:00Z", `" " at byte 10, want "T"`},
	{"offset", "2026-08-27T00:00:00+00:00", `want it to end with "Z"`},
	{"offset and Z", "2026-08-27T00:00:00+00:00Z", `"+" after the seconds, want a point or the final Z`},
	{"comma", "2026-08-27T00:00:00,5Z", `"," after the seconds, want a point or the final Z`},
	{"point alone", "2026-08-27T00:00:00.Z", "no digit after the point"},
	{"two points", "2026-08-27T00:00:00.5.5Z", `"." in the fraction, want a digit`},
	{"letter in the fraction", "2026-08-27T00:00:00.5aZ", `"a" in the fraction, want a digit`},
	{"letter after thirty fraction digits", "2026-08-27T00:00:00.123456789012345678901234567890aZ",
		`"a" in the fraction, want a digit`},
	{"minus in the fraction", "2026-08-27T00:00:00.-5Z", `"-" in the fraction, want a digit`},
	{"two Z", "2026-08-27T00:00:00ZZ", `"Z" after the seconds, want a point or the final Z`},
	{"newline", "2026-08-27T00:00:00Z\n", `want it to end with "Z"`},
	{"space in front", " 2026-08-27T00:00:00Z", `" " at byte 0, want a digit`},
	{"slashes", "2026/08/27T00:00:00Z", `"/" at byte 4, want "-"`},
	{"one-digit month", "2026-8-27T00:00:00.0Z", `"-" at byte 6, want a digit`},
	{"one-digit hour", "2026-08-27T0:00:00.0Z", `":" at byte 12, want a digit`},
	{"signed year", "+026-08-27T00:00:00Z", `"+" at byte 0, want a digit`},
	{"five-digit year", "12026-08-27T00:00:00Z", `"6" at byte 4, want "-"`},
	{"colon, the byte after 9", "202:-08-27T00:00:00Z", `":" at byte 3, want a digit`},
	{"slash, the byte before 0", "202/-08-27T00:00:00Z", `"/" at byte 3, want a digit`},
	{"Arabic digits", "٢٠٢٦-08-27T00:00:00Z", `"\xd9" at byte 0, want a digit`},
	{"NUL", "2026-08-27T00:00:00\x00Z", `"\x00" after the seconds, want a point or the final Z`},

	{"month 00", "2026-00-27T00:00:00Z", "month 0, want 1 to 12"},
	{"month 13", "2026-13-27T00:00:00Z", "month 13, want 1 to 12"},
	{"day 00", "2026-08-00T00:00:00Z", "day 0, want 1 to 31"},
	{"day 32", "2026-08-32T00:00:00Z", "day 32, want 1 to 31"},
	{"April 31", "2026-04-31T00:00:00Z", "day 31, want 1 to 30"},
	{"June 31", "2026-06-31T00:00:00Z", "day 31, want 1 to 30"},
	{"September 31", "2026-09-31T00:00:00Z", "day 31, want 1 to 30"},
	{"November 31", "2026-11-31T00:00:00Z", "day 31, want 1 to 30"},
	{"February 30 of a leap year", "2024-02-30T00:00:00Z", "day 30, want 1 to 29"},
	{"February 29 of 2026", "2026-02-29T00:00:00Z", "day 29, want 1 to 28"},
	{"February 29 of 1900", "1900-02-29T00:00:00Z", "day 29, want 1 to 28"},
	{"February 29 of 2100", "2100-02-29T00:00:00Z", "day 29, want 1 to 28"},
	{"hour 24", "2026-08-27T24:00:00Z", "hour 24, want at most 23"},
	{"minute 60", "2026-08-27T00:60:00Z", "minute 60, want at most 59"},
	{"second 61", "2026-08-27T00:00:61Z", "second 61, want at most 60"},
}

func TestParseInstant(t *testing.T) {
	for _, tt := range instantTexts {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitment.ParseInstant(tt.text)
			if tt.reason == "" {
				if err != nil || got.String() != tt.text || got.IsZero() {
					t.Errorf("ParseInstant(%q) = %q, %v, want it back", tt.text, got, err)
				}
				return
			}
			if !errors.Is(err, commitment.ErrMalformedInstant) {
				t.Fatalf("ParseInstant(%q) = %q, %v, want ErrMalformedInstant", tt.text, got, err)
			}
			if !got.IsZero() {
				t.Errorf("ParseInstant(%q) = %q beside an error, want zero", tt.text, got)
			}
			if !strings.HasPrefix(err.Error(), "commitment: malformed instant ") || !strings.HasSuffix(err.Error(), tt.reason) {
				t.Errorf("ParseInstant(%q) says %q, want commitment: malformed instant … %s", tt.text, err, tt.reason)
			}
		})
	}
}

func TestParseInstantCutsWhatItQuotes(t *testing.T) {
	_, err := commitment.ParseInstant("2026-08-27T00:00:00." + strings.Repeat("7", 1<<20))
	if err == nil || len(err.Error()) > 1000 {
		t.Errorf("the error has %d bytes, want at most 1000", len(err.Error()))
	}
}

func mustInstant(tb testing.TB, s string) commitment.Instant {
	tb.Helper()
	i, err := commitment.ParseInstant(s)
	if err != nil {
		tb.Fatal(err)
	}
	return i
}

func TestCompareInstants(t *testing.T) {
	// In the order of time; the texts of one row are one instant.
	rows := [][]string{
		{"0000-01-01T00:00:00Z", "0000-01-01T00:00:00.0Z"},
		{"0000-12-31T23:59:60Z"},
		{"0999-12-31T23:59:59Z"},
		{"1000-01-01T00:00:00Z"},
		{"2025-12-31T23:59:59Z"},
		{"2026-01-31T00:00:00Z"},
		{"2026-02-01T00:00:00Z"},
		{"2026-02-09T23:00:00Z"},
		{"2026-02-10T00:00:00Z"},
		{"2026-02-10T09:59:59Z"},
		{"2026-02-10T10:00:00Z", "2026-02-10T10:00:00.0Z", "2026-02-10T10:00:00." + strings.Repeat("0", 300) + "Z"},
		{"2026-02-10T10:00:00.000000000000000000000000000001Z"},
		{"2026-02-10T10:00:00.09Z", "2026-02-10T10:00:00.090Z"},
		{"2026-02-10T10:00:00.1Z", "2026-02-10T10:00:00.100Z"},
		{"2026-02-10T10:00:00.10001Z"},
		{"2026-02-10T10:00:00.11Z"},
		{"2026-02-10T10:00:00.5Z", "2026-02-10T10:00:00.50Z", "2026-02-10T10:00:00.5000000000000Z"},
		{"2026-02-10T10:00:00.500000000001Z"},
		{"2026-02-10T10:00:00.9999999999Z"},
		{"2026-02-10T10:00:01Z"},
		{"2026-02-10T10:00:59.999999999999Z"},
		{"2026-02-10T10:00:60Z", "2026-02-10T10:00:60.00Z"},
		{"2026-02-10T10:00:60.25Z"},
		{"2026-02-10T10:01:00Z"},
		{"9999-12-31T23:59:60.9Z"},
	}
	for i, left := range rows {
		for j, right := range rows {
			want := min(1, max(-1, i-j))
			for _, a := range left {
				for _, b := range right {
					if got := mustInstant(t, a).Compare(mustInstant(t, b)); got != want {
						t.Errorf("%.60s.Compare(%.60s) = %d, want %d", a, b, got, want)
					}
				}
			}
		}
	}
}

func TestCompareZeroInstant(t *testing.T) {
	set := mustInstant(t, "2026-08-27T00:00:00Z")
	for _, tt := range []struct {
		name string
		a, b commitment.Instant
	}{
		{"left", commitment.Instant{}, set},
		{"right", set, commitment.Instant{}},
		{"both", commitment.Instant{}, commitment.Instant{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				const want = "commitment: the zero Instant was compared"
				if got := recover(); got != want {
					t.Errorf("Compare of the zero Instant panics with %v, want %s", got, want)
				}
			}()
			tt.a.Compare(tt.b)
		})
	}
}

func TestInstantOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   time.Time
		want string
	}{
		{"seconds", time.Date(2026, 8, 27, 1, 2, 3, 0, time.UTC), "2026-08-27T01:02:03Z"},
		{"tenth", time.Date(2026, 8, 27, 1, 2, 3, 500_000_000, time.UTC), "2026-08-27T01:02:03.5Z"},
		{"nanosecond", time.Date(2026, 8, 27, 1, 2, 3, 1, time.UTC), "2026-08-27T01:02:03.000000001Z"},
		{"another zone", time.Date(2026, 1, 1, 0, 30, 0, 0, time.FixedZone("", 3600)), "2025-12-31T23:30:00Z"},
		{"zero time", time.Time{}, "0001-01-01T00:00:00Z"},
		{"year 0", time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC), "0000-01-01T00:00:00Z"},
		{"year 9999", time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC), "9999-12-31T23:59:59.999999999Z"},
		{"year -1", time.Date(-1, 12, 31, 23, 59, 59, 0, time.UTC), ""},
		{"year 10000", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), ""},
		{"year 10000 in UTC only", time.Date(9999, 12, 31, 23, 30, 0, 0, time.FixedZone("", -3600)), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := commitment.InstantOf(tt.at)
			if got.String() != tt.want || got.IsZero() != (tt.want == "") {
				t.Errorf("InstantOf(%v) = %q, want %q", tt.at, got, tt.want)
			}
		})
	}
}

// Where time.Time can hold an instant, the two agree.
func TestInstantsAgreeWithTime(t *testing.T) {
	anyTime := rapid.Custom(func(t *rapid.T) time.Time {
		year := rapid.SampledFrom([]int{0, 4, 1900, 2000, 2024, 2026, 9999}).Draw(t, "year")
		return time.Date(year, time.Month(rapid.IntRange(1, 12).Draw(t, "month")), rapid.IntRange(1, 28).Draw(t, "day"),
			rapid.IntRange(0, 23).Draw(t, "hour"), rapid.IntRange(0, 59).Draw(t, "minute"), rapid.IntRange(0, 59).Draw(t, "second"),
			rapid.SampledFrom([]int{0, 1, 10, 100_000_000, 500_000_000, 999_999_999}).Draw(t, "nanosecond"), time.UTC)
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyTime.Draw(t, "a"), anyTime.Draw(t, "b")
		x, y := commitment.InstantOf(a), commitment.InstantOf(b)
		if got, err := commitment.ParseInstant(x.String()); err != nil || got != x {
			t.Fatalf("ParseInstant(%q) = %q, %v, want it back", x, got, err)
		}
		if got, err := time.Parse(time.RFC3339Nano, x.String()); err != nil || !got.Equal(a) {
			t.Fatalf("time.Parse(%q) = %v, %v, want %v", x, got, err, a)
		}
		if got, want := x.Compare(y), a.Compare(b); got != want {
			t.Fatalf("%s.Compare(%s) = %d, want %d", x, y, got, want)
		}
	})
}

// literalInstant reads the grammar of CGP F4 as a pattern and the calendar by asking package time whether the date exists.
func literalInstant(s string) (value *big.Rat, ok bool) {
	m := instantGrammar.FindStringSubmatch(s)
	if m == nil {
		return nil, false
	}
	var n [6]int64
	for i := range n {
		n[i], _ = strconv.ParseInt(m[i+1], 10, 64)
	}
	date := time.Date(int(n[0]), time.Month(n[1]), int(n[2]), 0, 0, 0, 0, time.UTC)
	if date.Year() != int(n[0]) || date.Month() != time.Month(n[1]) || date.Day() != int(n[2]) {
		return nil, false
	}
	if n[3] > 23 || n[4] > 59 || n[5] > 60 {
		return nil, false
	}
	// Minutes of 61 seconds keep second 60 apart from the next minute.
	whole := ((date.Unix()/86400*24+n[3])*60+n[4])*61 + n[5]
	value, ok = new(big.Rat).SetString(strconv.FormatInt(whole, 10))
	if m[7] != "" {
		fraction, good := new(big.Rat).SetString("0" + m[7])
		value.Add(value, fraction)
		ok = ok && good
	}
	return value, ok
}

var instantGrammar = regexp.MustCompile(`\A([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?Z\z`)

// Every date of a leap year, of others and of no calendar at all.
func TestParseInstantCalendar(t *testing.T) {
	for _, year := range []string{"0000", "0001", "0004", "0100", "0400", "1900", "2000", "2023", "2024", "2100", "9999"} {
		for month := range 100 {
			for day := range 100 {
				s := year + "-" + twoDigits(month) + "-" + twoDigits(day) + "T00:00:00Z"
				_, want := literalInstant(s)
				if _, err := commitment.ParseInstant(s); (err == nil) != want {
					t.Errorf("ParseInstant(%q): %v, want good: %t", s, err, want)
				}
			}
		}
	}
}

func twoDigits(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// The rows that seed the fuzz target hold both outcomes, or it would show nothing.
func TestInstantSeeds(t *testing.T) {
	good, bad := 0, 0
	for _, tt := range instantTexts {
		_, ok := literalInstant(tt.text)
		if ok != (tt.reason == "") {
			t.Errorf("%s: the literal reading says good: %t", tt.name, ok)
		}
		if ok {
			good++
		} else {
			bad++
		}
	}
	if good < 10 || bad < 30 {
		t.Errorf("%d good seeds and %d bad ones, want at least 10 and 30", good, bad)
	}
}

func FuzzParseInstant(f *testing.F) {
	for i, tt := range instantTexts {
		f.Add(tt.text, instantTexts[(i+1)%len(instantTexts)].text)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 200 || len(b) > 200 {
			t.Skip("the literal reading is slow on long fractions")
		}
		left, leftOK := literalInstant(a)
		right, rightOK := literalInstant(b)
		x, err := commitment.ParseInstant(a)
		if (err == nil) != leftOK {
			t.Fatalf("ParseInstant(%q) = %q, %v, want good: %t", a, x, err, leftOK)
		}
		y, err := commitment.ParseInstant(b)
		if (err == nil) != rightOK {
			t.Fatalf("ParseInstant(%q) = %q, %v, want good: %t", b, y, err, rightOK)
		}
		if !leftOK || !rightOK {
			return
		}
		if x.String() != a {
			t.Fatalf("ParseInstant(%q).String() = %q, want it back", a, x)
		}
		if got, want := x.Compare(y), left.Cmp(right); got != want {
			t.Fatalf("%s.Compare(%s) = %d, want %d", a, b, got, want)
		}
	})
}
