package testvectors

import "strings"

// records is the answer to a wire question: a kind or an error for each record.
func records(words ...string) List {
	kinds := map[string]bool{kindAnswer: true, kindHandshake: true, kindPassedOver: true}
	out := List{}
	for i, w := range words {
		name := memberError
		if kinds[w] {
			name = "kind"
		}
		out = append(out, object("record", integer(i+1), name, w))
	}
	return out
}

const (
	wireAnswer = `{"type":"frames","id":"q1","result":{"frames":[{"id":"a","content":"x"}],"truncated":false}}`
	wireAck    = `{"type":"handshake_ack","protocol_version":"contextgraph/1.0","provider":{"name":"docs"}}`
	wireQuery  = `{"type":"query","query":{"goal":"x"}}`
)

func generateWire(c *class) {
	c.rules, c.flags = []string{"§6.5"}, []string{"RecordKind"}
	const why = "A record is a message, a record of a format of this project, or a bare result; everything else is unreadable, and named."
	pass := func(slug, title, text string, want ...string) {
		c.pass("wire-"+slug, title, why, "wire", object("text", text), value(records(want...)))
	}
	pass("answer", "a frames message", wireAnswer, kindAnswer)
	pass("session", "a session", wireAck+"\n"+wireQuery+"\n"+wireAnswer+"\n", kindHandshake, kindPassedOver, kindAnswer)
	pass("array", "an array of messages", "["+wireAck+","+wireAnswer+"]", kindHandshake, kindAnswer)
	pass("bare", "a bare result", `{"frames":[],"truncated":false}`, kindAnswer)
	pass("archive", "a line of an archive", `{"format":"cgp-archive/1","received_at":"2026-08-29T12:00:00Z","envelope":`+wireAnswer+`}`, kindAnswer)
	pass("evidence", "a retained subset", `{"format":"cgp-evidence/1","provider_id":"docs","result":{"frames":[],"truncated":false}}`, kindAnswer)
	pass("nothing", "an empty input", "")
	pass("white-space", "white space alone", " \r\n\t\n")
	generateWireKinds(c)
	generateWireFraming(c)
	generateWireText(c)
	generateWireShapes(c)
	generateWireLimits(c)
}

// fault adds a case whose first record is read as is otherwise, and what a lenient reader makes of it.
func (c *class) wireFault(base, slug, title, old, new string, want, lenient []string, cause string, flags ...string) {
	const why = "What cannot be read is an error with a name; the other records go on."
	opts := []option{value(records(want...)), flagged(flags...)}
	if cause != "" {
		opts = append(opts, nearValue(cause, records(lenient...)))
	}
	c.twist("wire-"+base, "wire-"+slug, title, why, c.edited("wire-"+base, old, new), opts...)
}

func generateWireKinds(c *class) {
	one := func(word string) []string { return []string{word} }
	for _, m := range []struct{ base, slug, title, old, new, want string }{
		{"answer", "type-last", "the type behind the result", wireAnswer, `{"result":{"frames":[]},"type":"frames"}`, kindAnswer},
		{"answer", "type-escaped", "a type with an escape", `"frames","id"`, `"fr\u0061mes","id"`, kindAnswer},
		{"answer", "name-escaped", "a member name with an escape", `"type"`, `"\u0074ype"`, kindAnswer},
		{"answer", "format-ignored", "a message with a format", `"id":"q1"`, `"format":"cgp-archive/9"`, kindAnswer},
		{"answer", "unknown-type", "a type that nobody knows", `"type":"frames"`, `"type":"framez"`, kindPassedOver},
		{"answer", "empty-type", "an empty type", `"type":"frames"`, `"type":""`, kindPassedOver},
		{"answer", "id-number", "an id of the envelope that is a number", `"id":"q1"`, `"id":7`, kindAnswer},
		{"answer", "truncated-text", "truncated that is a string", `"truncated":false`, `"truncated":"no"`, kindAnswer},
		{"answer", "truncated-missing", "no truncated", `,"truncated":false`, ``, kindAnswer},
		{"archive", "received-null", "received_at that is null", `"2026-08-29T12:00:00Z"`, `null`, kindAnswer},
		{"archive", "received-malformed", "received_at that is no instant", `"2026-08-29T12:00:00Z"`, `"yesterday"`, kindAnswer},
		{"archive", "envelope-query", "an archived query", wireAnswer, wireQuery, kindPassedOver},
		{"archive", "envelope-ack", "an archived handshake_ack", wireAnswer, wireAck, kindHandshake},
	} {
		c.wireFault(m.base, m.slug, m.title, m.old, m.new, one(m.want), nil, "", "RecordKind")
	}
	for _, m := range []struct{ base, slug, title, old, new, want string }{
		{"answer", "type-null", "a type that is null", `"type":"frames"`, `"type":null`, notAMessage},
		{"answer", "type-number", "a type that is a number", `"type":"frames"`, `"type":1`, notAMessage},
		{"answer", "type-case", "a member Type and no type", `"type"`, `"Type"`, notAMessage},
		{"bare", "frames-object", "frames that is an object in a bare object", `[]`, `{}`, notAMessage},
		{"bare", "frames-null", "frames that is null in a bare object", `[]`, `null`, notAMessage},
		{"bare", "number", "a number", `{"frames":[],"truncated":false}`, `7`, notAMessage},
		{"bare", "text", "a string", `{"frames":[],"truncated":false}`, `"frames"`, notAMessage},
		{"bare", "null", "null", `{"frames":[],"truncated":false}`, `null`, notAMessage},
		{"bare", "object", "an empty object", `{"frames":[],"truncated":false}`, `{}`, notAMessage},
		{"archive", "format-version", "another version of a format", `cgp-archive/1`, `cgp-archive/2`, unsupportedFormat},
		{"archive", "format-other", "a format that nobody knows", `cgp-archive/1`, `other/1`, unsupportedFormat},
		{"archive", "envelope-null", "an envelope that is null", wireAnswer, `null`, malformedRecord},
		{"archive", "envelope-array", "an envelope that is an array", wireAnswer, `[]`, malformedRecord},
		{"archive", "envelope-untyped", "an envelope without a type", `{"type":"frames",`, `{`, malformedRecord},
		{"archive", "received-number", "received_at that is a number", `"2026-08-29T12:00:00Z"`, `1788000000`, malformedRecord},
		{"evidence", "no-provider", "a retained subset without a provider", `"provider_id":"docs",`, ``, malformedRecord},
		{"evidence", "no-frames", "a retained subset without frames", `"frames":[],`, ``, malformedRecord},
		{"answer", "no-result", "no result", `"result"`, `"results"`, malformedRecord},
		{"answer", "result-null", "a result that is null", wireAnswer, `{"type":"frames","result":null}`, malformedRecord},
		{"answer", "result-array", "a result that is an array", wireAnswer, `{"type":"frames","result":[]}`, malformedRecord},
		{"answer", "no-frames-member", "no frames in the result", `"frames":[`, `"frame":[`, malformedRecord},
		{"answer", "frames-null-in-result", "frames that is null", wireAnswer, `{"type":"frames","result":{"frames":null}}`, malformedRecord},
		{"answer", "frames-object-in-result", "frames that is an object", wireAnswer, `{"type":"frames","result":{"frames":{}}}`, malformedRecord},
	} {
		c.wireFault(m.base, m.slug, m.title, m.old, m.new, one(m.want), one(kindPassedOver), causePassedOver, "RecordKind")
	}
	for _, m := range []struct{ slug, title, old, new string }{
		{"ack-no-provider", "a handshake_ack without a provider", `,"provider":{"name":"docs"}`, ``}, {"ack-name-null", "a name that is null", `"docs"`, `null`},
		{"ack-name-number", "a name that is a number", `"docs"`, `7`}, {"ack-provider-text", "a provider that is a string", `{"name":"docs"}`, `"docs"`},
		{"ack-name-case", "a member Name and no name", `"name"`, `"Name"`},
	} {
		c.wireFault("session", m.slug, m.title, m.old, m.new, []string{malformedHandshake, kindPassedOver, kindAnswer},
			[]string{kindPassedOver, kindPassedOver, kindAnswer}, causePassedOver, "RecordKind")
	}
}

func generateWireFraming(c *class) {
	three := []string{kindHandshake, kindPassedOver, kindAnswer}
	for _, m := range []struct{ slug, title, text string }{
		{"no-newline", "values in a row without white space", wireAck + wireQuery + wireAnswer}, {"crlf", "lines that end with CR and LF", wireAck + "\r\n" + wireQuery + "\r\n" + wireAnswer + "\r\n"},
		{"pretty", "a value over several lines", strings.ReplaceAll(wireAck, ",", ",\n  ") + "\n" + wireQuery + "\n" + wireAnswer}, {"blank-lines", "empty lines between", "\n\n" + wireAck + "\n\n\n" + wireQuery + "\n \n" + wireAnswer},
		{"two-arrays", "an array and a value", "[" + wireAck + ",\n" + wireQuery + "]\n" + wireAnswer},
	} {
		c.twist("wire-session", "wire-"+m.slug, m.title, "Values may stand with or without white space between them, and each is a record.", replace("/text", m.text), value(records(three...)), flagged("Framing"))
	}
	ended := func(words ...string) []string { return words }
	for _, m := range []struct {
		slug, title, old, new string
		want, lenient         []string
		cause                 string
	}{
		{"second-broken", "a broken line between two good ones", wireQuery, `{"type":"query","query":}`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, syntax), causeEnded},
		{"second-words", "words between two good lines", wireQuery, `not json`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, syntax), causeEnded},
		{"second-comma", "a comma behind the last member", `"x"}}`, `"x"},}`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causeRepaired},
		{"second-comment", "a comment", wireQuery, `/* x */`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindAnswer), causeRepaired},
		{"second-single", "single quotes", `"goal"`, `'goal'`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causeRepaired},
		{"second-nan", "NaN", `"x"`, `NaN`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causeRepaired},
		{"second-zero", "a number with a leading zero", `"x"`, `01`, ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causeRepaired},
		{"second-control", "a control character in a string", `"x"`, "\"\x01\"", ended(kindHandshake, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causeRepaired},
		{"second-trailing", "words behind a value", `{"goal":"x"}}`, `{"goal":"x"}} x`, ended(kindHandshake, trailingBytes, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, syntax, kindAnswer), causeTrailing},
		{"second-bracket", "a closing bracket too many", `{"goal":"x"}}`, `{"goal":"x"}}}`, ended(kindHandshake, trailingBytes, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, syntax, kindAnswer), causeTrailing},
		{"second-comma-behind", "a comma behind a value", `{"goal":"x"}}`, `{"goal":"x"}},`, ended(kindHandshake, trailingBytes, syntax, kindAnswer), ended(kindHandshake, kindPassedOver, syntax, kindAnswer), causeTrailing},
		{"second-number", "a number between two good lines", wireQuery, `7`, ended(kindHandshake, notAMessage, kindAnswer), ended(kindHandshake, kindPassedOver, kindAnswer), causePassedOver},
		{"second-array", "an array in a line", wireQuery, `[` + wireQuery + `]`, ended(kindHandshake, kindPassedOver, kindAnswer), nil, ""},
	} {
		c.wireFault("session", m.slug, m.title, m.old, m.new, m.want, m.lenient, m.cause, "Framing")
	}
	c.wireFault("answer", "cut", "an input that ends inside a value", `,"truncated":false}}`, ``, []string{cut}, []string{kindAnswer}, causeRepaired, "Framing")
	c.twist("wire-array", "wire-array-cut", "an array that is not closed", "Where the brackets of an element do not close, the rest of the array is one error.",
		c.editedLast("wire-array", `}}]`, ``), value(records(kindHandshake, cut)), nearValue(causeRepaired, records(kindHandshake, kindAnswer)), flagged("Framing"))
	c.wireFault("array", "array-element-broken", "an element that is broken, whose brackets close", wireAck, `{"type":}`, []string{syntax, kindAnswer}, []string{syntax}, causeEnded, "Framing")
	c.wireFault("array", "array-element-number", "an element that is a number", wireAck, `7`, []string{notAMessage, kindAnswer}, []string{kindPassedOver, kindAnswer}, causePassedOver, "Framing")
	c.wireFault("array", "array-nested", "an array in an array", wireAck, `[`+wireAck+`]`, []string{notAMessage, kindAnswer}, []string{kindHandshake, kindAnswer}, causeRepaired, "Framing")
	c.wireFault("array", "array-empty", "an array without elements", "["+wireAck+","+wireAnswer+"]", `[]`, nil, nil, "", "Framing")
}

func generateWireText(c *class) {
	for _, m := range []struct {
		slug, title, old, new, want string
		cause                       string
		flags                       []string
	}{
		{"duplicate-type", "type twice", `"type":"frames"`, `"type":"query","type":"frames"`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"duplicate-deep", "a member of a frame twice", `"id":"a"`, `"id":"b","id":"a"`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"duplicate-unknown", "a member that nobody reads twice", `"id":"a"`, `"id":"a","x":1,"x":1`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"duplicate-escaped", "a member twice, once with an escape", `"id":"a"`, `"\u0069d":"b","id":"a"`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"duplicate-equal", "a member twice with one value", `"id":"q1"`, `"id":"q1","id":"q1"`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"duplicate-empty-name", "the empty name twice", `"id":"q1"`, `"":1,"":2`, duplicateMember, causeLastDuplicate, []string{"DuplicateMember"}},
		{"surrogate-high", "half a character", `"content":"x"`, `"content":"\ud834"`, loneSurrogate, causeRepaired, []string{"InvalidText"}},
		{"surrogate-low", "the other half", `"content":"x"`, `"content":"\udd1e"`, loneSurrogate, causeRepaired, []string{"InvalidText"}},
		{"surrogate-order", "the halves in the other order", `"content":"x"`, `"content":"\udd1e\ud834"`, loneSurrogate, causeRepaired, []string{"InvalidText"}},
		{"surrogate-name", "half a character in a name", `"content":"x"`, `"\ud834":"x"`, loneSurrogate, causeRepaired, []string{"InvalidText"}},
		{"surrogate-pair", "both halves", `"content":"x"`, `"content":"\ud834\udd1e"`, kindAnswer, "", []string{"InvalidText"}},
		{"nul-escape", "a NUL as an escape", `"id":"a"`, `"id":"\u0000"`, kindAnswer, "", []string{"Unchanged"}},
		{"case-beside", "a member in another case beside the known one", `"id":"a"`, `"id":"a","ID":"b"`, kindAnswer, "", []string{"MemberCase"}},
		{"bad-escape", "an escape that JSON does not have", `"content":"x"`, `"content":"\x41"`, syntax, causeRepaired, []string{"InvalidText"}},
	} {
		c.wireFault("answer", m.slug, m.title, m.old, m.new, []string{m.want}, []string{kindAnswer}, m.cause, m.flags...)
	}
	raw := []byte(wireAck + "\n" + wireAnswer + "\n")
	const why = "Bytes that are no UTF-8, and a byte order mark in front, make the record unreadable; they are not repaired."
	c.pass("wire-bytes", "a session as bytes", why, "wire", object("bytes", hexOf(raw)), value(records(kindHandshake, kindAnswer)), flagged("InvalidText"))
	at := strings.Index(string(raw), `"x"`) + 1
	for _, m := range []struct {
		slug, title string
		bytes       string
	}{
		{"continuation", "a byte that begins no character", "\x80"}, {"ff", "a byte that is in no character", "\xff"}, {"overlong", "an overlong slash", "\xc0\xaf"},
		{"cut-character", "a character that is cut", "\xe6\x97"}, {"surrogate-bytes", "half a character as UTF-8", "\xed\xa0\xb4"}, {"above", "a character above U+10FFFF", "\xf4\x90\x80\x80"}, {"latin", "Latin-1", "\xe9"},
	} {
		c.twist("wire-bytes", "wire-bytes-"+m.slug, m.title, why, Mutation{Path: "/input/bytes", At: at, Delete: 1, Insert: []byte(m.bytes)},
			value(records(kindHandshake, invalidUTF8)), nearValue(causeRepaired, records(kindHandshake, kindAnswer)), flagged("InvalidText"))
	}
	c.twist("wire-bytes", "wire-bytes-mark", "a byte order mark in front", why, Mutation{Path: "/input/bytes", Insert: []byte("\xef\xbb\xbf")},
		value(records(byteOrderMark, kindAnswer)), nearValue(causeRepaired, records(kindHandshake, kindAnswer)), flagged("InvalidText"))
	c.twist("wire-bytes", "wire-bytes-first-invalid", "a bad byte in the first of two records", why, Mutation{Path: "/input/bytes", At: strings.Index(string(raw), "docs"), Delete: 1, Insert: []byte{0xff}},
		value(records(invalidUTF8, kindAnswer)), nearValue(causeEnded, records(invalidUTF8)), flagged("InvalidText"))
}

// generateWireShapes are messages that are answers, whatever is wrong with the frames in them.
func generateWireShapes(c *class) {
	for _, m := range []struct{ slug, title, old, new string }{
		{"frame-null", "a frame that is null", `{"id":"a","content":"x"}`, `null`}, {"frame-no-id", "a frame without an id", `"id":"a",`, ``},
		{"frame-evidence", "evidence inside a frame", `"id":"a"`, `"id":"a","attestation":{}`}, {"entries-object", "entries that are an object", `"truncated"`, `"frame_attestations":{},"truncated"`},
		{"entries-null", "entries that are null", `"truncated"`, `"frame_attestations":null,"truncated"`}, {"root-text", "a result_attestation that is a string", `"truncated"`, `"result_attestation":"x","truncated"`},
	} {
		c.wireFault("answer", m.slug, m.title, m.old, m.new, []string{kindAnswer}, nil, "", "MalformedFrame")
	}
	c.twist("wire-session", "wire-keys-object", "attester_keys that is an object", "A fault of published keys does not make the handshake_ack unreadable.", c.edited("wire-session", `{"name":"docs"}`, `{"name":"docs"},"attester_keys":{}`),
		value(records(kindHandshake, kindPassedOver, kindAnswer)), flagged("MalformedFrame"))
}

func generateWireLimits(c *class) {
	deep := func(n int) Object {
		return repeated(`{"type":"x","x":`, 1, repeated("[", n-1, repeated("]", n-1, "}")))
	}
	const reason = "the depth at which an implementation stops is its own; 128 is this one's"
	c.pass("wire-depth-128", "128 brackets open", "Depth is limited, members that nobody reads included.", "wire", object("text", deep(128)), value(records(kindPassedOver)), flagged("Limit"), mayDiffer(reason))
	c.pass("wire-depth-129", "129 brackets open", "Depth is limited, members that nobody reads included.", "wire", object("text", deep(129)), value(records(tooDeep)), flagged("Limit"), mayDiffer(reason))
}
