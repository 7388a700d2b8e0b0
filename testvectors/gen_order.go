package testvectors

import (
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// identity is a FrameId; the digest is left out where it is nil.
func identity(provider, id string, digest any) Object {
	o := object("provider_id", provider, "frame_id", id)
	if digest != nil {
		o = append(o, Member{"content_digest", digest})
	}
	return o
}

// ids are frames of one provider without digests.
func ids(names ...string) List {
	out := List{}
	for _, n := range names {
		out = append(out, identity("p", n, nil))
	}
	return out
}

// nearOrders are what sorts with a bug make of frames.
func nearOrders(frames List) []option {
	var list []commitment.FrameID
	arrival := List{}
	for i, v := range frames {
		list = append(list, frameIDOf(v.(Object)))
		arrival = append(arrival, integer(i))
	}
	return []option{
		nearValue(causeUTF16Order, orderWith(list, compareUTF16)),
		nearValue(causeArrivalOrder, arrival),
	}
}

func generateOrder(c *class) {
	c.rules, c.flags = []string{"§6.3"}, []string{"OrderUnit"}
	const why = "Leaves are ordered by (provider_id, frame_id, content_digest), strings compared as UTF-8 bytes, absent in front of present, ties as they arrived."
	c.pass("order-none", "no frames", why, "order", object("frames", List{}))
	c.pass("order-two", "two frames in order", why, "order", object("frames", ids("a", "b")))
	frames := func(base, id, title string, index int, name string, all List, opts ...option) {
		c.twist(base, id, title, why, replace(fmt.Sprintf("/frames/%d/frame_id", index), name), append(append(nearOrders(all), flagged("OrderUnit")), opts...)...)
	}
	frames("order-two", "order-reversed", "two frames out of order", 0, "c", ids("c", "b"))
	frames("order-two", "order-equal", "two frames of one identity", 1, "a", ids("a", "a"), flagged("StableTies"))
	frames("order-two", "order-prefix", "an id that begins with another", 0, "ba", ids("ba", "b"))
	frames("order-two", "order-upper", "an uppercase id in front of a lowercase one", 1, "B", ids("a", "B"),
		nearValue(causeCaseFolded, List{Number("0"), Number("1")}), flagged("MemberCase"))
	frames("order-two", "order-digits", "10 in front of 9", 1, "10", ids("a", "10"))
	frames("order-two", "order-empty", "the empty id in front of all", 1, "", ids("a", ""))
	frames("order-two", "order-nul", "an id and the same with a NUL behind it", 1, "a\x00", ids("a", "a\x00"), flagged("Unchanged"))
	frames("order-two", "order-accent", "an accent behind all ASCII", 0, "\u00e9", ids("\u00e9", "b"), flagged("Unchanged"))

	// The characters from U+E000 to U+FFFF stand in front of U+10000 and above in UTF-8, and behind them in UTF-16.
	for _, p := range []struct{ slug, high, low string }{
		{"private", "\U0001d11e", "\ue000"}, {"fullwidth", "\U0001f600", "\uff21"}, {"last", "\U00010000", "\uffff"}, {"replacement", "\U0010ffff", "\ufffd"},
	} {
		all := ids(p.high, p.low)
		c.pass("order-"+p.slug+"-in-order", "characters on both sides of U+10000, in order", why, "order", object("frames", ids(p.low, "z\U0010ffff")),
			nearOrders(ids(p.low, "z\U0010ffff"))...)
		c.twist("order-two", "order-"+p.slug, "characters on both sides of U+10000", why+" In UTF-16 the order would be the other one.",
			replace("/frames", all), nearOrders(all)...)
		inside := ids("x"+p.high, "x"+p.low, "x")
		c.twist("order-two", "order-"+p.slug+"-inside", "the same behind a common beginning", why, replace("/frames", inside), nearOrders(inside)...)
		providers := List{identity(p.high, "a", nil), identity(p.low, "b", nil)}
		c.twist("order-two", "order-"+p.slug+"-provider", "the same in the provider's name", why, replace("/frames", providers), nearOrders(providers)...)
	}
	lists := []struct {
		slug, title string
		frames      List
		flag        string
	}{
		{"absent-first", "absent in front of present", List{identity("p", "a", "sha256:00"), identity("p", "a", nil)}, "AbsentFirst"},
		{"absent-before-empty", "absent in front of the empty digest", List{identity("p", "a", ""), identity("p", "a", nil)}, "AbsentFirst"},
		{"empty-before-text", "the empty digest in front of others", List{identity("p", "a", "sha256:00"), identity("p", "a", "")}, "AbsentFirst"},
		{"null-is-absent", "a digest that is null", List{identity("p", "a", ""), append(identity("p", "a", nil), Member{"content_digest", nil})}, "AbsentFirst"},
		{"digest-bytes", "digests of one frame", List{identity("p", "a", "sha256:ff"), identity("p", "a", "sha256:0a"), identity("p", "a", "SHA256:zz")}, "OrderUnit"},
		{"id-over-digest", "the id counts before the digest", List{identity("p", "b", nil), identity("p", "a", "z")}, "OrderUnit"},
		{"provider-over-id", "the provider counts before the id", List{identity("q", "a", nil), identity("p", "z", nil)}, "OrderUnit"},
		{"no-joining", "parts are not joined before they are compared", List{identity("ab", "a", nil), identity("a", "bz", nil)}, "FieldPlace"},
		{"ties-three", "equal identities among others", List{identity("p", "b", "x"), identity("p", "a", "x"), identity("p", "b", "x"), identity("p", "a", "x")}, "StableTies"},
	}
	for _, l := range lists {
		c.twist("order-two", "order-"+l.slug, l.title, why, replace("/frames", l.frames), append(nearOrders(l.frames), flagged(l.flag))...)
	}
	many := List{}
	for i := range 17 {
		many = append(many, identity("p", strings.Repeat("x", i*7%17), nil))
	}
	c.twist("order-two", "order-seventeen", "seventeen frames", why, replace("/frames", many), nearOrders(many)...)
	ties := List{}
	for i := range 20 {
		ties = append(ties, identity("p", fmt.Sprint(i%2), "x"))
	}
	c.twist("order-two", "order-many-ties", "twenty frames of two identities", why+" A sort that is stable for few elements need not be for many.",
		replace("/frames", ties), append(nearOrders(ties), flagged("StableTies"))...)
}
