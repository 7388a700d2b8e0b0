package testvectors

import "strings"

// filed is the answer that the cases about provenance are: one signed frame whose links name files.
func filed(links ...any) served {
	s := documents()
	s.signRoot = true
	s.frames = []Object{contentFrame("opening", "open until 18").with("provenance", List(links))}
	return s
}

// generateFileLinks are files that provenance names, read again.
func generateFileLinks(c *class) {
	c.rules, c.flags = []string{"F5", "F17"}, []string{"FileBytes"}
	const (
		text = "one\ntwo\nthree\n"
		uri  = "file:///opening.txt"
	)
	const why = "Nobody else compares the bytes of a file with the digest that a link declares."
	refused := func(n *Case) { n.Policy = MustReject }
	trusted := List{trustedKey(docs, docsKey, seeded(1))}
	link := func(digest string, more ...any) Object {
		return append(object("type", "file", "uri", uri, "digest", digest), object(more...)...)
	}
	files := object(uri, object("file", text))
	ask := func(s served) Object { return object("text", s.session(), "trusted", trusted, "files", files) }
	pass := func(slug, title string, s served) { c.pass("provenance-"+slug, title, why, "provenance", ask(s)) }
	pass("whole", "a whole file", filed(link(digestOf(text))))
	pass("lines", "the second line", filed(link(digestOf("two\n"), "range", "L2")))
	pass("clamped", "an end past the last line", filed(link(digestOf("two\nthree\n"), "range", "L2-9")))
	pass("to-end", "lines up to the last", filed(link(digestOf("three\n"), "range", "L3-3")))
	pass("not-file", "a link of another type", filed(object("type", "record", "uri", uri, "digest", digestOf("x"))))
	pass("no-links", "no links", filed())
	pass("several", "a link that matches beside one of another type", filed(link(digestOf(text)), object("type", "method"), link(digestOf("one\n"), "range", "L1")))
	wrong := func(slug, title string, s served, flags ...string) {
		c.twist("provenance-whole", "provenance-"+slug, title, why, replace("/text", s.session()), refused, flagged(append(flags, "FileBytes")...))
	}
	wrong("other-lines", "the digest of another line", filed(link(digestOf("one\n"), "range", "L2")))
	wrong("whole-for-range", "the digest of the whole file, and a range", filed(link(digestOf(text), "range", "L2")), "RangeForm")
	wrong("no-digest", "a link without a digest", filed(object("type", "file", "uri", uri)))
	wrong("null-digest", "a link whose digest is null", filed(link("").with("digest", nil)))
	wrong("opaque-digest", "a digest in uppercase", filed(link("sha256:"+strings.ToUpper(digestOf(text)[7:]))), "DigestForm")
	wrong("no-uri", "a link that names no file", filed(object("type", "file", "digest", digestOf(text))))
	wrong("not-there", "a file that is not there", filed(link(digestOf(text)).with("uri", "file:///closing.txt")))
	wrong("range-form", "a range in another spelling", filed(link(digestOf(text), "range", "L2-L3")), "RangeForm")
	wrong("range-empty", "an empty range", filed(link(digestOf(text), "range", "")), "RangeForm")
	wrong("range-inverted", "a range whose end is in front of its start", filed(link(digestOf(text), "range", "L3-2")), "RangeForm")
	wrong("range-past-end", "a range that starts past the last line", filed(link(digestOf(text), "range", "L4")), "RangeLines")
	wrong("first-reason", "a link with three faults", filed(object("type", "file", "range", "l1")))
	wrong("one-of-two", "a link that matches beside one that does not", filed(link(digestOf(text)), link(digestOf("x"))))

	c.twist("provenance-whole", "provenance-changed", "one byte of the file is another", why, replace("/files/file:~1~1~1opening.txt/file", "one\ntwo\nThree\n"), refused)
	c.twist("provenance-whole", "provenance-gone", "the file is not there any more", why, removed("/files/file:~1~1~1opening.txt"), refused)
	c.twist("provenance-whole", "provenance-unreadable", "the file cannot be read", why, replace("/files/file:~1~1~1opening.txt", nil), refused)
	c.twist("provenance-whole", "provenance-emptied", "the file is empty now", why, replace("/files/file:~1~1~1opening.txt/file", ""), refused)
	c.twist("provenance-lines", "provenance-lines-cr", "the lines end with CR and LF now", "CR is content.", replace("/files/file:~1~1~1opening.txt/file", "one\r\ntwo\r\nthree\r\n"), flagged("RangeLines", "FileBytes"), refused)
	c.twist("provenance-lines", "provenance-lines-other", "another line changed", "Only the bytes that a range addresses are compared.", replace("/files/file:~1~1~1opening.txt/file", "ONE\ntwo\nTHREE\n"), flagged("RangeLines", "FileBytes"))
	c.twist("provenance-lines", "provenance-lines-gone", "the file ends in front of the range", why, replace("/files/file:~1~1~1opening.txt/file", "one\n"), flagged("RangeLines", "FileBytes"), refused)
	c.twist("provenance-whole", "provenance-no-key", "a file that matches in an answer that nobody can check", "Whether anyone signed the link is the frame's state, not the link's.", removed("/trusted"), flagged("FileBytes", "Policy"))
	unsigned := documents()
	unsigned.frames = filed(link(digestOf("x"))).frames
	c.pass("provenance-unsigned", "a file that differs in an answer without evidence", "What differs is said, signed or not.", "provenance", ask(unsigned))
	broken := filed(link(digestOf(text)))
	broken.frames = append(broken.frames, object("id", "x", "provenance", List{Object{}}))
	c.pass("provenance-malformed-frame", "a file beside a frame that has no commitment", "Links of a frame that cannot be read are not looked at.", "provenance", object(
		"text", broken.ack()+"\n"+string(marshal(object("type", "frames", "result", object("frames", List{broken.frames[0], broken.frames[1]}))))+"\n",
		"trusted", trusted, "files", files), flagged("MalformedFrame", "FileBytes"))
}

// generateList are the commitments of whole inputs, judged by nobody: what a provider would sign.
func generateList(c *class) {
	c.rules, c.flags = []string{"§6.5.2", "§6.5.3"}, []string{"RootCover"}
	const why = "The commitments of an answer follow from its frames and its provider's name, whether anyone signed it or not."
	s := documents()
	c.pass("list-session", "an answer behind a handshake_ack", why, "list", object("text", s.session()))
	c.pass("list-provider", "a bare result, and a name that is given", why, "list", object("text", string(marshal(s.result())), "provider", docs))
	two := s
	two.provider = "books"
	c.pass("list-two", "answers of two providers", why, "list", object("text", s.session()+two.session()))
	c.pass("list-none", "no answer", why, "list", object("text", wireAck+"\n"+wireQuery+"\n"))
	empty := s
	empty.frames = nil
	c.pass("list-empty", "an answer without frames", why, "list", object("text", empty.session()), flagged("EmptyRoot"))
	c.pass("list-array", "messages in an array", why, "list", object("text", "["+s.ack()+","+s.message()+"]"))
	signed := s
	signed.signRoot = true
	c.pass("list-entries", "an answer whose entries name the provider", why, "list", object("text", signed.message()))
	part := string(marshal(object("format", "cgp-evidence/1", "provider_id", docs, "result", signed.result())))
	c.pass("list-evidence", "a retained subset, which has no root of its own", why, "list", object("text", part), flagged("Retained"))
	same := s
	same.frames = []Object{contentFrame("a", "x"), contentFrame("a", "x")}
	c.pass("list-ties", "two frames that are the same", why, "list", object("text", same.session()), flagged("StableTies"))
	c.twist("list-session", "list-malformed-frame", "a frame that has no commitment", "One frame without a commitment leaves the answer without a root, and nothing else.",
		c.edited("list-session", `"content":"open until 18"`, `"content":18`), flagged("MalformedFrame"))
	c.twist("list-session", "list-local", "the local id given as the provider", why, added("/provider", "local"), flagged("LocalID"))
	refused := func(base, slug, title, error string, m Mutation, flags ...string) {
		c.twist("list-"+base, "list-"+slug, title, "What would be signed is not guessed: the first record that cannot be read ends the list.", m, fails(error), flagged(flags...))
	}
	refused("provider", "no-provider", "a bare result of nobody", noProvider, removed("/provider"), "Identity")
	refused("session", "cut", "an answer that is cut", cut, c.edited("list-session", `"truncated":false}}`+"\n", `"truncated":false}`), "Framing")
	refused("session", "no-frames", "an answer without frames", malformedRecord, c.edited("list-session", `"frames":[`, `"frame":[`), "RecordKind")
	refused("session", "no-name", "a handshake_ack without a name", malformedHandshake, c.edited("list-session", `"name"`, `"title"`), "RecordKind")
	refused("session", "duplicate", "a member twice", duplicateMember, c.edited("list-session", `"truncated"`, `"frames":[],"truncated"`), "DuplicateMember")
	refused("session", "format", "a format that nobody knows", unsupportedFormat, c.edited("list-session", `"type":"handshake_ack"`, `"format":"x/1"`), "RecordKind")
}
