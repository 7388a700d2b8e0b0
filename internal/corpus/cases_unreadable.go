package corpus

import (
	"fmt"
	"strings"
)

// unreadableCases are records that cannot be read. Each stands on a line that ends where it does.
var unreadableCases = []Case{
	textCase("duplicate member", duplicateMember,
		`{"type":"query","id":"a","\u0069d":"b"}`, `{"type":"frames","result":{"frames":[{"id":"a","content":"x","content":"y"}]}}`,
		`{"type":"query","x":[{"":1,"":2}]}`),
	textCase("lone surrogate", loneSurrogate,
		`{"type":"query","text":"\ud800"}`, `{"type":"query","\udc00":1}`, `{"type":"frames","result":{"frames":[{"id":"\ud83d\u0041"}]}}`),
	textCase("invalid UTF-8", invalidUTF8,
		"{\"type\":\"query\",\"text\":\"caf\xe9 \"}", "{\"type\":\"query\",\"text\":\"\xed\xa0\x80\"}", "{\"type\":\"query\",\"text\":\"\xc0\x80\"}",
		"{\"type\":\"query\",\"text\":\"\xff{\"}"),
	textCase("no JSON", syntax,
		"2026-08-29 12:00:00 INFO connected", `{"type":"query",}`, `{'type':'query'}`, `{"type":"query" "id":1}`, `{"type":"query","n":01}`,
		`{"type":"query","n":NaN}`, "{\"type\":\"query\",\"text\":\"a\tb\"}", `{"type":"query","text":"\x41"}`, `tru`, `]`, `{"type":"query"]}`),
	textCase("not a message", notAMessage,
		`17`, `null`, `"frames"`, `{}`, `{"type":17}`, `{"frames":{}}`, `{"result":{"frames":[]}}`, `{"Type":"frames"}`, `{"format":null}`),
	textCase("unsupported format", unsupportedFormat,
		`{"format":"cgp-archive/2","envelope":{}}`, `{"format":""}`, `{"format":"CGP-ARCHIVE/1","frames":[]}`, `{"format":"contextgraph-trust/1"}`),
	textCase("malformed record", malformedRecord,
		`{"type":"frames"}`, `{"type":"frames","result":null}`, `{"type":"frames","result":{"frames":{}}}`, `{"type":"frames","result":{}}`,
		`{"format":"cgp-archive/1"}`, `{"format":"cgp-archive/1","envelope":{"id":"a"}}`, `{"format":"cgp-evidence/1","result":{"frames":[]}}`,
		`{"format":"cgp-archive/1","received_at":17,"envelope":{"type":"query"}}`, `{"format":"cgp-evidence/1","provider_id":"docs","result":[]}`),
	textCase("malformed handshake", malformedHandshake,
		`{"type":"handshake_ack"}`, `{"type":"handshake_ack","provider":{"name":17}}`, `{"type":"handshake_ack","provider":"docs"}`,
		`{"format":"cgp-archive/1","envelope":{"type":"handshake_ack","provider":{"name":null}}}`),
	{Name: "trailing bytes", write: func(g *generator) {
		g.fault(trailingBytes, `{"type":"query"}`)
		g.put(" ")
		// What follows is no record's beginning, and is a record all the same.
		switch g.below(3) {
		case 0:
			g.fault(syntax, ",")
		case 1:
			g.fault(notAMessage, "17")
		default:
			g.fault(syntax, "}")
		}
		g.endLine()
	}},
	{Name: "cut record", write: func(g *generator) {
		whole := g.encode(g.signedAny().record())
		g.faultHere(syntax) // for it goes on with the record behind it
		g.put(whole[:strings.LastIndexByte(whole[:len(whole)-2], ',')+1])
		g.endLine()
		g.line(g.elementAny())
	}},
	{Name: "unreadable element", write: func(g *generator) {
		g.put("[")
		g.write(g.elementAny(), style{})
		g.put("," + g.eol)
		switch g.below(3) {
		case 0:
			g.fault(duplicateMember, `{"a":1,`+g.eol+`"a":2}`)
		case 1:
			g.fault(syntax, `{"a":[1 2]}`)
		default:
			g.fault(syntax, "") // an element is missing
		}
		g.put(", ")
		g.write(g.elementAny(), style{newline: g.eol})
		g.put("]")
		g.endLine()
	}},
}

// textCase is a case in which one of some texts is an unreadable record.
func textCase(name, code string, texts ...string) Case {
	return Case{Name: name, write: func(g *generator) {
		g.fault(code, texts[g.below(len(texts))])
		g.endLine()
	}}
}

// limitCases are records over a limit, and at times one that reaches it.
var limitCases = []Case{
	limitCase("too deep", tooDeep, func(l Limits) (int, bool) { return l.Depth, true }, func(g *generator, n int) {
		g.put(`{"type":"query","x":` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}")
	}),
	limitCase("too many members", tooManyMembers, func(l Limits) (int, bool) { return l.Members, true }, func(g *generator, n int) {
		g.put(`{"type":"query"`)
		for i := range n - 1 {
			g.put(fmt.Sprintf(`,"%x":0`, i))
		}
		g.put("}")
	}),
	limitCase("too many frames", tooManyFrames, func(l Limits) (int, bool) { return l.Frames, false }, func(g *generator, n int) {
		g.put(`{"type":"frames","result":{"frames":[0` + strings.Repeat(",0", n-1) + `]}}`)
	}),
	limitCase("too many links", tooManyLinks, func(l Limits) (int, bool) { return l.Links, false }, func(g *generator, n int) {
		g.put(`{"type":"frames","result":{"frames":[{"id":"a","provenance":[0` + strings.Repeat(",0", n-1) + `]}]}}`)
	}),
	limitCase("too large", tooLarge, func(l Limits) (int, bool) { return int(l.Record), true }, func(g *generator, n int) {
		const before, behind = `{"type":"query","text":"`, `"}`
		n -= len(before) + len(behind)
		g.put(before)
		for ; n > 0; n -= 16 { // nothing that compresses well: that would be over another limit
			g.put(fmt.Sprintf("%016x", g.random.Uint64())[:min(n, 16)])
		}
		g.put(behind)
	}),
}

// maxHeavy is how many records of a kind that takes up much of an input are written.
const maxHeavy = 3

// limitCase writes a record of one more than the limit, or, where that is a message to be passed over, one that just reaches
// it. A record that is large for the input is left out, unless the case was asked for by name.
func limitCase(name, code string, of func(Limits) (limit int, passes bool), write func(g *generator, n int)) Case {
	return Case{Name: name, write: func(g *generator) {
		n, passes := of(g.limits)
		if g.spec.Cases == nil && int64(n) > g.spec.Bytes/8 || n > 1<<16 && g.heavy[name] >= maxHeavy {
			return
		}
		g.heavy[name]++
		if passes && g.oneIn(3) {
			g.place(false, "")
			g.expected.PassedOver++
		} else {
			n++
			g.faultHere(code)
		}
		write(g, n)
		g.endLine()
	}}
}

// frontCases can stand in front of the first handshake_ack alone.
var frontCases = []Case{
	{Name: "byte order mark", place: atFront, write: func(g *generator) {
		if g.off > 0 {
			return
		}
		g.fault(byteOrderMark, "\xEF\xBB\xBF"+`{"type":"query"}`)
		g.endLine()
	}},
	{Name: "no handshake", place: atFront, write: func(g *generator) {
		g.line(g.signed(docs, g.anyShape(rootProofs, everyFrame, rootAndEach), g.count())) // named by its entries
	}},
	{Name: "provider unknown", place: atFront, write: func(g *generator) {
		a := g.unsigned(docs, g.below(4))
		if g.oneIn(2) {
			g.sign(a, rootAlone)
			a.allEvidence(stateUnusable)
		}
		a.findings = append(a.findings, providerUnknown)
		g.line(a)
	}},
}

// backCases are faults of an input's end.
var backCases = []Case{
	{Name: "cut at the end", place: atBack, write: func(g *generator) {
		whole := g.encode(g.signedAny().record())
		at := 1 + g.below(len(whole)-1)
		g.fault(cut, whole[:at])
	}},
	{Name: "cut array", place: atBack, write: func(g *generator) {
		g.put("[" + g.eol)
		g.write(g.elementAny(), style{})
		g.put([]string{"", ",", ",\n"}[g.below(3)])
		g.faultHere(cut)
	}},
}
