package archive_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// TestSignChangesNothingElse signs random inputs, takes what the options say that signing inserts out of the output again, at the
// places that encoding/json finds, and compares with the input byte for byte.
func TestSignChangesNothingElse(t *testing.T) {
	signed := 0
	rapid.Check(t, func(t *rapid.T) {
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		opt := options(t, rapid.SampledFrom(shapes).Draw(t, "shape"))
		opt.NoProofs = rapid.Bool().Draw(t, "no proofs")
		opt.FillDigests = rapid.Bool().Draw(t, "fill digests")
		opt.PublishKey = rapid.Bool().Draw(t, "publish key")
		opt.Replace = rapid.Bool().Draw(t, "replace")
		im := &imagination{Rand: random, fill: opt.FillDigests}
		provider := "p" + im.word()
		opt.Provider = commitment.Some(provider)
		opt.KeyID, opt.AttesterID = "k"+im.word(), im.word()
		var records []vision
		acks := 0
		for range rapid.IntRange(1, 4).Draw(t, "records") {
			switch im.IntN(4) {
			case 0:
				records = append(records, im.ack(provider))
				acks++
			case 1:
				records = append(records, im.other())
			default:
				records = append(records, im.answer())
			}
		}
		opt.PublishKey = opt.PublishKey && acks > 0
		records = append(records, im.answer())
		layout := rapid.SampledFrom([]string{"lines", "lines with CRLF", "pretty", "joined", "array"}).Draw(t, "layout")
		input := spellAll(random, layout, records)

		opt.SkipUnsignable = true // answers without frames, in the shape frames
		result, err := archive.Sign([]byte(input), opt)
		if err != nil {
			t.Fatalf("%v\ninput: %q", err, input)
		}
		skipped := make(map[uint64]bool)
		for _, r := range result.Skipped {
			if r.Rule != archive.RuleEmptyAnswer {
				t.Fatalf("%v\ninput: %q", &r, input)
			}
			skipped[r.Record] = true
		}
		signed += result.Signed
		out := locate(t, result.Output)
		if len(out) != len(records) {
			t.Fatalf("%d records, want %d", len(out), len(records))
		}
		var cuts []cut
		for i, v := range records {
			if !skipped[uint64(i+1)] {
				cuts = append(cuts, v.cuts(t, opt, out[i], result)...)
			}
		}
		if got := undo(result.Output, cuts); got != input {
			t.Fatalf("without what was inserted it is\n%q, want\n%q", got, input)
		}
	})
	if signed == 0 {
		t.Error("nothing was signed")
	}
}

// cuts returns what signing inserted into a record.
func (v *vision) cuts(t *rapid.T, opt archive.SignOptions, p *place, result *archive.SignResult) []cut {
	if v.archive {
		p = p.member("envelope").value
	}
	switch v.kind {
	case "ack":
		if opt.PublishKey && result.Signed > 0 {
			return []cut{v.cut(t, p, "attester_keys", result.Output)}
		}
		return nil
	case "answer":
		p = p.member("result").value
	case "bare":
	default:
		return nil
	}
	var all []cut
	frames := p.member("frames").value.elements
	for i, d := range v.digests {
		digest := vision{members: map[string]string{}}
		if d.original != "" {
			digest.members["content_digest"] = d.original
		}
		if !d.given {
			all = append(all, digest.cut(t, frames[i], "content_digest", result.Output))
		}
	}
	if len(frames) > 0 && (opt.Shape != archive.ShapeRoot || !opt.NoProofs) {
		all = append(all, v.cut(t, p, "frame_attestations", result.Output))
	}
	if opt.Shape != archive.ShapeFrames {
		all = append(all, v.cut(t, p, "result_attestation", result.Output))
	}
	return all
}

// cut returns what to put back for one member: nothing, or what it was before it was filled. An array keeps what stood between
// its brackets.
func (v *vision) cut(t *rapid.T, in *place, name string, output []byte) cut {
	m := in.member(name)
	if m == nil {
		t.Fatalf("no %s was written: %s", name, output[in.start:in.end])
	}
	original, filled := v.members[name]
	if !filled {
		return cutMember(t, in, name)
	}
	if now := string(output[m.value.start:m.value.end]); original[0] == '[' && now[0] == '[' && !strings.HasSuffix(now, original[1:]) {
		t.Fatalf("%s was filled to %s, want it to end with %q", name, now, original[1:])
	}
	return cut{m.value.start, m.value.end, original}
}
