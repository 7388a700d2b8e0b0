package archive_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"unicode/utf16"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A model is a JSON value that is yet to be spelt. A raw one is spelt already.
type model interface{ spell(*speller) }

type (
	raw        string
	text       string
	list       []model
	dictionary []pair
	pair       struct {
		name  string
		value model
	}
)

// A speller writes models in odd ways: white space wherever it may stand, escapes that nobody needs.
type speller struct {
	*rand.Rand
	strings.Builder
	spaces []string
}

func (s *speller) space() { s.WriteString(s.spaces[s.IntN(len(s.spaces))]) }

func (v raw) spell(s *speller) { s.WriteString(string(v)) }

func (v text) spell(s *speller) {
	s.WriteByte('"')
	for _, r := range string(v) {
		must := r < ' ' || r == '"' || r == '\\'
		short := strings.IndexRune("\"\"\\\\//\bb\ff\nn\rr\tt", r)
		switch {
		case short >= 0 && short%2 == 0 && s.IntN(2) == 0:
			s.WriteString(`\` + "\"\"\\\\//\bb\ff\nn\rr\tt"[short+1:short+2])
		case must || s.IntN(4) == 0:
			for _, unit := range utf16.Encode([]rune{r}) {
				if s.IntN(2) == 0 {
					fmt.Fprintf(s, `\u%04x`, unit)
				} else {
					fmt.Fprintf(s, `\u%04X`, unit)
				}
			}
		default:
			s.WriteRune(r)
		}
	}
	s.WriteByte('"')
}

func (v list) spell(s *speller) {
	s.WriteByte('[')
	for i, e := range v {
		if i > 0 {
			s.WriteByte(',')
		}
		s.space()
		e.spell(s)
		s.space()
	}
	s.WriteByte(']')
}

func (v dictionary) spell(s *speller) {
	s.WriteByte('{')
	for i, p := range v {
		if i > 0 {
			s.WriteByte(',')
		}
		s.space()
		text(p.name).spell(s)
		s.space()
		s.WriteByte(':')
		s.space()
		p.value.spell(s)
		s.space()
	}
	s.WriteByte('}')
}

// An imagination makes random messages, and remembers what stood in the place of what signing is to insert.
type imagination struct {
	*rand.Rand
	fill bool // frames may lack digests
}

// A vision is one record: what kind it is, and the original texts of the members that signing fills; absent ones have none.
type vision struct {
	model
	kind    string // "answer", "bare", "ack" or ""
	archive bool   // in an archive line
	members map[string]string
	digests []digestVision
}

// A digestVision is the content_digest of one frame: given, or to be filled in the place of original, or where nothing was.
type digestVision struct {
	given    bool
	original string
}

func (im *imagination) one(of ...string) string { return of[im.IntN(len(of))] }

func (im *imagination) word() string {
	return im.one("", "a", "naïve", "日本語", "\U0001d11e", "\x00\x1f", "\"\\/", "</script>&", "\u2028", "line\r\nend", "\ufffd\x7f")
}

// anything makes an unknown value. Names that mean something elsewhere mean nothing here.
func (im *imagination) anything(depth int) model {
	switch k := im.IntN(8); {
	case depth > 3 || k < 3:
		return raw(im.one("1E0", "1e400", "-0", "0.920000", "7.0e-7", "18446744073709551616", "null", "true", "false", "[]", "{}"))
	case k < 5:
		return text(im.word())
	case k < 6:
		var l list
		for range im.IntN(4) {
			l = append(l, im.anything(depth+1))
		}
		return l
	}
	names := []string{"frames", "frame_attestations", "result_attestation", "content_digest", "id", "type", "x", "日本"}
	im.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var d dictionary
	for _, name := range names[:im.IntN(5)] {
		d = append(d, pair{name, im.anything(depth + 1)})
	}
	return d
}

// mixed adds unknown members and changes the order.
func (im *imagination) mixed(d dictionary) dictionary {
	for i := range im.IntN(3) {
		d = append(d, pair{im.one("x", "Frames", "ID", "\U0001d11e", "") + strconv.Itoa(i), im.anything(0)})
	}
	im.Shuffle(len(d), func(i, j int) { d[i], d[j] = d[j], d[i] })
	return d
}

func (im *imagination) frame(n int) (dictionary, digestVision) {
	content := im.word() + im.word()
	d := dictionary{{"id", text(fmt.Sprintf("%s%d", im.word(), n))}, {"content", text(content)}, {"score", raw(im.one("1E0", "0.920000", "1e400"))}}
	if im.IntN(2) == 0 {
		d = append(d, pair{"title", im.anything(2)})
	}
	switch im.IntN(4) {
	case 0:
		d = append(d, pair{"representation", raw(im.one(`"full"`, "null", `"fu\u006cl"`))})
	case 1:
		d = append(d, pair{"representation", text("compact")}, pair{"content_ref", im.required()}, pair{"transform", im.required()},
			pair{"canonical_content_hash", im.required()})
	}
	switch im.IntN(4) {
	case 0:
		d = append(d, pair{"provenance", raw("null")})
	case 1:
		link := dictionary{{"type", text(im.word())}, {"uri", raw("null")}, {"by", text(im.word())}, {"range", text("")}}
		d = append(d, pair{"provenance", list{im.mixed(link), dictionary{{"type", text("file")}}}})
	}
	digest := digestVision{given: true}
	switch k := im.IntN(3); {
	case k == 0 && im.fill:
		digest = digestVision{}
	case k == 1 && im.fill:
		d, digest = append(d, pair{"content_digest", raw("null")}), digestVision{original: "null"}
	default:
		d = append(d, pair{"content_digest", text(commitment.ContentDigest(content).String())})
	}
	return im.mixed(d), digest
}

// required makes a value of a member that must not be null.
func (im *imagination) required() model {
	return dictionary{{"v", im.anything(2)}}
}

// fillable adds a member that is absent, in one of the ways to be that.
func (im *imagination) fillable(v *vision, d dictionary, name string) dictionary {
	original := im.one("", "", "", "null", "[]", "[ \t]")
	if original == "" {
		return d
	}
	v.members[name] = original
	return append(d, pair{name, raw(original)})
}

func (im *imagination) answer() vision {
	v := vision{kind: im.one("answer", "bare"), members: map[string]string{}}
	frames := list{}
	for n := range im.IntN(5) {
		f, digest := im.frame(n)
		for range 1 + im.IntN(6)/5 { // now and then twice the same
			frames, v.digests = append(frames, f), append(v.digests, digest)
		}
	}
	result := dictionary{{"frames", frames}, {"truncated", raw(im.one("false", "true", "null", "7"))}}
	result = im.fillable(&v, result, "frame_attestations")
	result = im.fillable(&v, result, "result_attestation")
	result = im.mixed(result)
	if v.kind == "bare" {
		v.model = result
		return v
	}
	message := dictionary{{"type", text("frames")}, {"result", result}}
	if im.IntN(2) == 0 {
		message = append(message, pair{"id", text(im.word())}, pair{"attestations", im.anything(0)}, pair{"format", im.anything(0)})
	}
	v.model = im.mixed(message)
	im.shelve(&v)
	return v
}

func (im *imagination) ack(provider string) vision {
	v := vision{kind: "ack", members: map[string]string{}}
	d := dictionary{{"type", text("handshake_ack")}, {"provider", im.mixed(dictionary{{"name", text(provider)}})}}
	d = im.fillable(&v, d, "attester_keys")
	v.model = im.mixed(d)
	im.shelve(&v)
	return v
}

// shelve puts a message into an archive line, or leaves it.
func (im *imagination) shelve(v *vision) {
	if im.IntN(3) > 0 {
		return
	}
	line := dictionary{{"format", text("cgp-archive/1")}, {"envelope", v.model}}
	if im.IntN(2) == 0 {
		line = append(line, pair{"local_id", text(im.word())}, pair{"received_at", raw(`"2026-08-29T12:00:00Z"`)})
	}
	v.archive, v.model = true, im.mixed(line)
}

func (im *imagination) other() vision {
	d := dictionary{{"type", text(im.one("query", "shutdown", "frames ", "Frames"))}, {"result", im.anything(0)}, {"attester_keys", im.anything(0)}}
	return vision{model: im.mixed(d)}
}

// spellAll writes records in one of the layouts that an input may have.
func spellAll(r *rand.Rand, layout string, records []vision) string {
	s := &speller{Rand: r, spaces: []string{"", "", "", " ", "\t", "\n", "\r\n", " \n  "}}
	if strings.HasPrefix(layout, "line") {
		s.spaces = []string{"", "", " ", "\t"}
	}
	switch layout {
	case "array":
		l := list{}
		for _, v := range records {
			l = append(l, v.model)
		}
		s.space()
		l.spell(s)
		s.space()
	default:
		end := map[string]string{"lines": "\n", "lines with CRLF": "\r\n", "pretty": "\n", "joined": ""}[layout]
		for i, v := range records {
			v.spell(s)
			if i+1 < len(records) || s.IntN(2) == 0 {
				s.WriteString(end)
			}
		}
	}
	return s.String()
}
