package testvectors

import (
	"encoding/base64"
	"encoding/binary"

	"crypto/ed25519"
)

// opensshKey is a public key as OpenSSH writes it (RFC 4253 §6.6, RFC 8709 §4).
func opensshKey(k ed25519.PrivateKey) string {
	const kind = "ssh-ed25519"
	blob := append(binary.BigEndian.AppendUint32(nil, uint32(len(kind))), kind...)
	blob = append(binary.BigEndian.AppendUint32(blob, ed25519.PublicKeySize), k.Public().(ed25519.PublicKey)...)
	return kind + " " + base64.StdEncoding.EncodeToString(blob)
}

func generateWindow(c *class) {
	c.rules, c.flags = []string{"F4"}, []string{"Instant"}
	const form = "YYYY-MM-DDTHH:MM:SS(.f+)?Z, uppercase, a real date; a second 60 may stand in any minute."
	instant := func(slug, title, text, want string) {
		c.twist("instant-plain", "instant-"+slug, title, form, replace("/a", text), verdict(want))
	}
	c.pass("instant-plain", "an instant", form, "instant", object("a", "2026-08-29T12:00:00Z"), verdict("well_formed"))
	instant("fraction", "a fraction", "2026-08-29T12:00:00.5Z", "well_formed")
	instant("long-fraction", "a fraction of forty digits", "2026-08-29T12:00:00.0000000000000000000000000000000000000001Z", "well_formed")
	instant("leap-second", "a leap second in any minute", "2026-08-29T12:34:60Z", "well_formed")
	instant("leap-day", "29 February 2028", "2028-02-29T00:00:00Z", "well_formed")
	instant("leap-day-400", "29 February 2000", "2000-02-29T00:00:00Z", "well_formed")
	instant("year-zero", "the year 0000", "0000-01-01T00:00:00Z", "well_formed")
	instant("year-last", "the year 9999", "9999-12-31T23:59:60.9Z", "well_formed")
	for _, m := range []struct{ slug, title, text string }{
		{"no-leap-day", "29 February 2026", "2026-02-29T00:00:00Z"}, {"no-leap-day-100", "29 February 1900", "1900-02-29T00:00:00Z"},
		{"day-31", "31 April", "2026-04-31T00:00:00Z"}, {"day-zero", "day 00", "2026-04-00T00:00:00Z"}, {"month-13", "month 13", "2026-13-01T00:00:00Z"},
		{"month-zero", "month 00", "2026-00-01T00:00:00Z"}, {"hour-24", "hour 24", "2026-08-29T24:00:00Z"}, {"minute-60", "minute 60", "2026-08-29T12:60:00Z"},
		{"second-61", "second 61", "2026-08-29T12:00:61Z"}, {"lower-t", "a lowercase t", "2026-08-29t12:00:00Z"}, {"lower-z", "a lowercase z", "2026-08-29T12:00:00z"},
		{"offset", "an offset", "2026-08-29T12:00:00+00:00"}, {"no-zone", "no zone", "2026-08-29T12:00:00"}, {"space", "a space for the T", "2026-08-29 12:00:00Z"},
		{"comma", "a comma in front of the fraction", "2026-08-29T12:00:00,5Z"}, {"empty-fraction", "a point and no fraction", "2026-08-29T12:00:00.Z"},
		{"short-hour", "an hour of one digit", "2026-08-29T1:00:00Z"}, {"no-seconds", "no seconds", "2026-08-29T12:00Z"}, {"long-year", "a year of five digits", "12026-08-29T12:00:00Z"},
		{"sign", "a sign", "+2026-08-29T12:00:00Z"}, {"trailing", "a space behind it", "2026-08-29T12:00:00Z "}, {"empty", "nothing", ""}, {"other-digits", "digits of another script", "\u0662026-08-29T12:00:00Z"},
		{"basic", "no hyphens and colons", "20260829T120000Z"},
	} {
		instant(m.slug, m.title, m.text, malformedInstant)
	}
	const order = "Instants are compared by value: numbers first, then the digits of the fraction without trailing zeros; second 60 is behind 59.9 and in front of the next minute."
	c.pass("instant-equal", "one instant twice", order, "instant", object("a", "2026-08-29T12:00:00Z", "b", "2026-08-29T12:00:00Z"), verdict("equal"))
	compare := func(slug, title, b, want string) {
		c.twist("instant-equal", "instant-"+slug, title, order, replace("/b", b), verdict(want))
	}
	compare("equal-fraction", "a fraction of zeros", "2026-08-29T12:00:00.000Z", "equal")
	compare("before-fraction", "a fraction later", "2026-08-29T12:00:00.5Z", "before")
	compare("before-last-digit", "later by the fortieth digit", "2026-08-29T12:00:00.0000000000000000000000000000000000000001Z", "before")
	compare("after-second", "a second earlier", "2026-08-29T11:59:59.999999999999Z", "after")
	compare("after-leap", "in the leap second of the minute before", "2026-08-29T11:59:60.999Z", "after")
	compare("compare-malformed", "one of two malformed", "2026-08-29", malformedInstant)
	c.pass("instant-leap-order", "59.9 and 60", order, "instant", object("a", "2026-08-29T11:59:59.9Z", "b", "2026-08-29T11:59:60Z"), verdict("before"))
	c.pass("instant-fraction-length", "fractions .5 and .45", order, "instant", object("a", "2026-08-29T12:00:00.5Z", "b", "2026-08-29T12:00:00.45Z"), verdict("after"))

	generateWindows(c)
}

func generateWindows(c *class) {
	const why = "Both ends are included; the instant is the one at which evidence was received. What cannot be evaluated is not in service."
	c.rules, c.flags = []string{"§6.5.4", "F18"}, []string{"WindowEnd"}
	c.pass("window-inside", "an instant inside", why, "window", object("not_before", "2026-08-01T00:00:00Z", "not_after", "2027-07-31T23:59:59Z", "at", "2026-12-24T18:00:00Z"), verdict(inService))
	at := func(slug, title, instant, want string) {
		c.twist("window-inside", "window-"+slug, title, why, replace("/at", instant), verdict(want), nearVerdict(causeWindowIgnored, inService))
	}
	at("first", "the first instant", "2026-08-01T00:00:00Z", inService)
	at("last", "the last instant", "2027-07-31T23:59:59Z", inService)
	at("last-zeros", "the last instant, with zeros behind it", "2027-07-31T23:59:59.000Z", inService)
	at("early", "a second too early", "2026-07-31T23:59:59Z", notYetValid)
	at("early-fraction", "a hair too early", "2026-07-31T23:59:59.999999999999999Z", notYetValid)
	at("early-leap", "in the leap second in front of it", "2026-07-31T23:59:60Z", notYetValid)
	at("late", "a second too late", "2027-08-01T00:00:00Z", expired)
	at("late-fraction", "a hair too late", "2027-07-31T23:59:59.000000000000001Z", expired)
	at("late-leap", "in the leap second behind it", "2027-07-31T23:59:60Z", expired)
	at("long-before", "years too early", "1999-01-01T00:00:00Z", notYetValid)
	at("long-after", "centuries too late", "9999-12-31T23:59:59Z", expired)
	at("at-offset", "an instant with an offset", "2026-12-24T18:00:00+00:00", malformedInstant)
	at("at-empty", "an empty instant", "", malformedInstant)
	ignored := nearVerdict(causeWindowIgnored, inService)
	c.twist("window-inside", "window-at-missing", "no instant", why, removed("/at"), verdict(malformedInstant), ignored)
	c.twist("window-inside", "window-at-null", "an instant that is null", why, replace("/at", nil), verdict(malformedInstant), ignored)
	c.pass("window-open", "no window", "Without a window no instant is asked for.", "window", Object{}, verdict(inService))
	c.twist("window-open", "window-open-malformed", "no window, and a malformed instant", "Without a window no instant is asked for.", added("/at", "yesterday"), verdict(inService))
	c.pass("window-from", "no end", why, "window", object("not_before", "2026-08-01T00:00:00Z", "at", "9999-01-01T00:00:00Z"), verdict(inService))
	c.twist("window-from", "window-from-early", "no end, too early", why, replace("/at", "2026-07-01T00:00:00Z"), verdict(notYetValid), ignored)
	c.pass("window-until", "no beginning", why, "window", object("not_after", "2026-08-01T00:00:00Z", "at", "0000-01-01T00:00:00Z"), verdict(inService))
	c.twist("window-until", "window-until-late", "no beginning, too late", why, replace("/at", "2026-08-02T00:00:00Z"), verdict(expired), ignored)
	c.twist("window-inside", "window-null-ends", "an end that is null", "null is absent.", replace("/not_after", nil), verdict(inService))
	c.twist("window-inside", "window-inverted", "an end before the beginning", why, replace("/not_after", "2026-07-31T23:59:59Z"), verdict(malformedWindow), ignored)
	c.twist("window-inside", "window-malformed-end", "a malformed end", why, replace("/not_after", "2027-07-31"), verdict(malformedWindow), ignored)
	c.twist("window-inside", "window-empty-beginning", "an empty beginning", why, replace("/not_before", ""), verdict(malformedWindow), ignored)
	c.twist("window-inverted", "window-inverted-no-instant", "an inverted window and no instant", "The window is judged first.", removed("/at"), verdict(malformedWindow), ignored, flagged("Precedence"))
	c.pass("window-one-instant", "a window of one instant", why, "window", object("not_before", "2026-08-01T00:00:00Z", "not_after", "2026-08-01T00:00:00.0Z", "at", "2026-08-01T00:00:00.00Z"), verdict(inService))
}

func generateRange(c *class) {
	c.rules, c.flags = []string{"§6.2.1", "F17"}, []string{"RangeLines"}
	const why = "Lines end with LF alone, which belongs to its line; a last LF opens no further line; CR is content."
	const file = "alpha\nbeta\ngamma\n"
	c.pass("range-none", "no range", "No range is the whole file.", "range", object("file", file))
	c.pass("range-line", "one line", why, "range", object("range", "L2", "file", file))
	part := func(slug, title, rng string) {
		c.twist("range-line", "range-"+slug, title, why, replace("/range", rng), flagged("RangeLines"))
	}
	part("first", "the first line", "L1")
	part("last", "the last line", "L3")
	part("pair", "two lines", "L2-3")
	part("one-of-one", "L2-2 is L2", "L2-2")
	part("all", "all lines", "L1-3")
	part("clamped", "an end past the last line", "L2-9")
	part("clamped-huge", "an end that no integer holds", "L1-340282366920938463463374607431768211456")
	for _, f := range []struct{ slug, title, rng, file string }{
		{"no-final", "a last line without LF", "L2", "one\ntwo"}, {"cr-kept", "CR is content", "L1-2", "one\r\ntwo\r\n"}, {"cr-only", "CR alone ends no line", "L1", "a\rb\rc"},
		{"blank", "blank lines", "L1-2", "\n\nx\n"}, {"unicode-separators", "other line separators end no line", "L1", "a\u2028b\u0085c\n"}, {"form-feed", "a form feed ends no line", "L1", "a\fb\n"},
		{"nul", "a NUL in a line", "L1", "a\x00b\n"}, {"tenth", "a line of two digits", "L10", "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n"},
	} {
		c.pass("range-"+f.slug, f.title, why, "range", object("range", f.rng, "file", f.file))
	}
	c.pass("range-bytes", "a file that is no UTF-8", "A file is bytes.", "range", object("range", "L2", "file_hex", hexOf([]byte("\xff\n\xfe\xfd\n"))))
	c.pass("range-empty-file", "an empty file without a range", "An empty file has no lines, and its digest is that of nothing.", "range", object("file", ""))
	whole := nearValue(causeWholeFile, object("bytes", hexOf([]byte(file)), "digest", digestOf(file)))
	const grammar = "L n or L n-m, decimal from 1, no sign, no leading zero, nothing around it. Every other spelling is unverifiable, never the whole file."
	for _, m := range []struct{ slug, title, rng, want string }{
		{"start-past", "a start past the last line", "L4", rangePastEnd}, {"start-past-huge", "a start that no integer holds", "L18446744073709551617", rangePastEnd},
		{"start-past-pair", "both past the last line", "L4-5", rangePastEnd}, {"inverted", "an end before the start", "L3-2", rangeInverted},
		{"inverted-huge", "an end before a start that no integer holds", "L18446744073709551617-18446744073709551616", rangeInverted}, {"inverted-past", "inverted, and past the end", "L9-8", rangeInverted},
		{"zero", "line 0", "L0", rangeUnrecognised}, {"leading-zero", "a leading zero", "L02", rangeUnrecognised}, {"leading-zero-end", "a leading zero of the end", "L1-02", rangeUnrecognised},
		{"zero-end", "an end of 0", "L1-0", rangeUnrecognised}, {"plus", "a sign", "L+2", rangeUnrecognised}, {"minus", "a minus in front", "L-2", rangeUnrecognised}, {"lower", "a lowercase l", "l2", rangeUnrecognised},
		{"bare", "no L", "2", rangeUnrecognised}, {"two-l", "L2-L3", "L2-L3", rangeUnrecognised}, {"open", "no end behind the hyphen", "L2-", rangeUnrecognised}, {"alone", "an L alone", "L", rangeUnrecognised},
		{"space", "a space", "L 2", rangeUnrecognised}, {"trailing", "a line feed behind it", "L2\n", rangeUnrecognised}, {"three", "three numbers", "L1-2-3", rangeUnrecognised}, {"comma", "a list", "L1,3", rangeUnrecognised},
		{"bytes-prefix", "bytes", "B0-5", rangeUnrecognised}, {"empty", "the empty string", "", rangeUnrecognised}, {"dash", "another dash", "L1\u20132", rangeUnrecognised}, {"fraction", "a fraction", "L1.0", rangeUnrecognised},
		{"other-digits", "digits of another script", "L\u0662", rangeUnrecognised}, {"hash", "as in a link", "#L2", rangeUnrecognised}, {"column", "with a column", "L2C3", rangeUnrecognised},
	} {
		c.twist("range-line", "range-"+m.slug, m.title, grammar, replace("/range", m.rng), fails(m.want), whole, flagged("RangeForm"))
	}
	nothing := nearValue(causeWholeFile, object("bytes", "", "digest", digestOf("")))
	c.twist("range-empty-file", "range-empty-file-line", "line 1 of an empty file", "An empty file has no lines.", added("/range", "L1"), fails(rangePastEnd), nothing)
	c.twist("range-cr-only", "range-cr-only-2", "line 2 of a file without LF", why, replace("/range", "L2"), fails(rangePastEnd),
		nearValue(causeWholeFile, object("bytes", hexOf([]byte("a\rb\rc")), "digest", digestOf("a\rb\rc"))))
}
