package archive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// wireSchema compiles the JSON Schema of the wire, which is strict: it takes no member that it does not know.
func wireSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(publicdata.SharedPath(t, "protocol/contextgraph-envelope.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// holdAgainst validates every record of a text.
func holdAgainst(schema *jsonschema.Schema, t fataler, input []byte) error {
	t.Helper()
	for n, p := range locate(t, input) {
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(input[p.start:p.end]))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(value); err != nil {
			return fmt.Errorf("record %d: %w", n+1, err)
		}
	}
	return nil
}

// TestSignKeepsToTheSchemaOfTheExample signs what can be signed in the published example; its answers are valid before.
func TestSignKeepsToTheSchemaOfTheExample(t *testing.T) {
	schema := wireSchema(t)
	var messages []json.RawMessage
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/reference-messages.json"), &messages); err != nil {
		t.Fatal(err)
	}
	session := string(messages[1]) + "\n" + string(messages[4]) + "\n" + string(messages[12])
	if err := holdAgainst(schema, t, []byte(session)); err != nil {
		t.Fatalf("before: %v", err)
	}
	for _, shape := range shapes {
		for _, noProofs := range []bool{false, true} {
			opt := options(t, shape)
			opt.NoProofs, opt.Replace, opt.AllowOpaqueDigest, opt.PublishKey = noProofs, true, true, true
			if err := holdAgainst(schema, t, mustSign(t, session, opt).Output); err != nil {
				t.Errorf("shape %s: %v", shape, err)
			}
		}
	}
}

// TestSignKeepsToTheSchema: where the schema takes the input, it takes what Sign makes of it.
func TestSignKeepsToTheSchema(t *testing.T) {
	schema := wireSchema(t)
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		im := &imagination{Rand: random, fill: rapid.Bool().Draw(t, "fill digests")}
		opt := options(t, rapid.SampledFrom(shapes).Draw(t, "shape"))
		opt.NoProofs = rapid.Bool().Draw(t, "no proofs")
		opt.FillDigests, opt.PublishKey, opt.SkipUnsignable = im.fill, true, true
		opt.KeyID = "k" + im.word()
		provider := "p" + im.word()
		records := []vision{im.conformingAck(provider), im.conformingAnswer(), im.conformingAnswer()}
		input := spellAll(random, "pretty", records)
		if err := holdAgainst(schema, t, []byte(input)); err != nil {
			t.Fatalf("before: %v\n%s", err, input)
		}
		signed := mustSign(t, input, opt)
		if err := holdAgainst(schema, t, signed.Output); err != nil {
			t.Fatalf("after: %v\n%s", err, signed.Output)
		}
		opt.Shape, opt.Replace = rapid.SampledFrom(shapes).Draw(t, "other shape"), true
		if err := holdAgainst(schema, t, mustSign(t, string(signed.Output), opt).Output); err != nil {
			t.Fatalf("replaced: %v\n%s", err, signed.Output)
		}
	})
}

// conformingAck and conformingAnswer make messages that the schema takes.
func (im *imagination) conformingAck(provider string) vision {
	d := dictionary{
		{"type", text("handshake_ack")}, {"protocol_version", text("contextgraph/1.0")},
		{"provider", raw(`{"name":` + quoted(provider) + `,"version":"1","data_flow":{"reads":true,"writes":false,"egress":false}}`)},
		{"capabilities", raw(`{"query":{"kinds":["doc"]}}`)},
	}
	if keys := im.one("", "[]", `[{"key_id":"other","algorithm":"ed448","public_key":"00"}]`); keys != "" {
		d = append(d, pair{"attester_keys", raw(keys)})
	}
	return vision{model: d}
}

func (im *imagination) conformingAnswer() vision {
	frames := list{}
	for n := range im.IntN(4) {
		frames = append(frames, im.conformingFrame(n))
	}
	result := dictionary{{"frames", frames}, {"truncated", raw("false")}}
	if im.IntN(3) == 0 {
		result = append(result, pair{"frame_attestations", raw("[]")})
	}
	return vision{model: dictionary{{"type", text("frames")}, {"result", result}, {"id", text("q")}}}
}

func (im *imagination) conformingFrame(n int) model {
	content := im.word()
	d := dictionary{
		{"id", text(fmt.Sprintf("%s%d", im.word(), n))}, {"kind", text("doc")}, {"title", text("t")}, {"content", text(content)},
		{"score", raw(im.one("1E0", "0.920000", "0"))}, {"token_cost", raw("3")},
	}
	full := im.IntN(2) == 0
	switch digest := quoted(commitment.ContentDigest(content).String()); {
	case im.fill && full: // the schema demands a digest of compact frames
		if im.IntN(2) == 0 {
			d = append(d, pair{"content_digest", raw("null")})
		}
	default:
		d = append(d, pair{"content_digest", raw(digest)})
	}
	if !full {
		d = append(d, pair{"representation", text("compact")}, pair{"canonical_content_hash", text("h")},
			pair{"transform", raw(`{"method":"m","implementation":"i","version":"1"}`)},
			pair{"content_ref", raw(`{"provider_id":"p","uri":"u"}`)})
	}
	if im.IntN(2) == 0 {
		d = append(d, pair{"provenance", raw(`[{"type":"file","uri":"u","range":null,"digest":"` + digestOf("x") + `"},{"type":"derivation","by":"b"}]`)})
	}
	return d
}

func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestWireSchemaBites: the schema that the tests above hold things against refuses what it is to refuse.
func TestWireSchemaBites(t *testing.T) {
	schema := wireSchema(t)
	im := &imagination{Rand: rand.New(rand.NewPCG(1, 2))}
	for _, bad := range []dictionary{
		{{"type", text("frames")}, {"result", raw(`{"frames":[],"truncated":false,"frame_attestations":null}`)}},
		{{"type", text("frames")}, {"result", raw(`{"frames":[],"truncated":false,"result_attestation":{}}`)}},
		{{"type", text("frames")}, {"result", raw(`{"frames":[],"truncated":false,"frame_attestations":[{"frame":{"provider_id":"p","frame_id":"f"}}]}`)}},
	} {
		if holdAgainst(schema, t, []byte(spellAll(im.Rand, "joined", []vision{{model: bad}}))) == nil {
			t.Errorf("the schema takes %v", bad)
		}
	}
}
