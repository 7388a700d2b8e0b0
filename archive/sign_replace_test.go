package archive_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A wanting is what one way of signing writes on an answer with frames.
type wanting struct {
	shape                      archive.Shape
	noProofs                   bool
	entries, root, sigs, proof bool
}

var wantings = []wanting{
	{archive.ShapeRoot, false, true, true, false, true},
	{archive.ShapeRoot, true, false, true, false, false},
	{archive.ShapeFrames, false, true, false, true, false},
	{archive.ShapeFrames, true, true, false, true, false},
	{archive.ShapeBoth, false, true, true, true, true},
	{archive.ShapeBoth, true, true, true, true, false},
}

// spaced is an answer with white space in every place.
var spaced = "{ \"type\" : \"frames\" ,\r\n \"result\" : { \"frames\" :\t[ " + frameOf("b", "x") + " , " + frameOf("a", "y") +
	" ] , \"truncated\" : false \r\n} , \"id\" : \"q\" }\r\n"

// stripped takes the evidence out of a signed answer in which it stands behind other members.
func stripped(t *testing.T, signed []byte) string {
	t.Helper()
	result := locate(t, signed)[0].member("result").value
	var cuts []cut
	for _, name := range []string{"frame_attestations", "result_attestation"} {
		if result.member(name) != nil {
			cuts = append(cuts, cutMember(t, result, name))
		}
	}
	return undo(signed, cuts)
}

// checkShape holds the evidence of a signed answer against what was to be written.
func checkShape(t *testing.T, name string, signed []byte, want wanting) {
	t.Helper()
	entries, root := evidenceOf(t, signed)
	got := wanting{
		want.shape, want.noProofs, entries != "", root != "", strings.Contains(entries, `"attestation"`), strings.Contains(entries, `"inclusion_proof"`),
	}
	if got != want {
		t.Errorf("%s: wrote %+v, want %+v: %s", name, got, want, signed)
	}
}

// TestReplaceEachShape replaces the evidence of each way of signing by that of each other: nothing of the old stays, no byte
// around it goes, and replacing the same by the same changes nothing.
func TestReplaceEachShape(t *testing.T) {
	for _, old := range wantings {
		opt := withProvider(options(t, old.shape), "docs")
		opt.NoProofs = old.noProofs
		before := mustSign(t, spaced, opt).Output
		checkShape(t, fmt.Sprintf("%+v", old), before, old)
		for _, with := range wantings {
			name := fmt.Sprintf("%+v by %+v", old, with)
			opt := withProvider(options(t, with.shape), "docs")
			opt.NoProofs, opt.Replace = with.noProofs, true
			opt.Key, opt.KeyID = signingKey(9), "key-2"
			after := mustSign(t, string(before), opt).Output
			checkShape(t, name, after, with)
			if strings.Contains(string(after), "key-1") {
				t.Errorf("%s: evidence under the old key is left: %s", name, after)
			}
			if got := stripped(t, after); got != spaced {
				t.Errorf("%s: without its evidence it is %q, want %q", name, got, spaced)
			}
			if again := mustSign(t, string(after), opt).Output; string(again) != string(after) {
				t.Errorf("%s: again gives %s, want %s", name, again, after)
			}
			opt.Replace = false
			var r *archive.Refusal
			if _, err := archive.Sign(before, opt); !errors.As(err, &r) || r.Rule != archive.RuleAlreadySigned {
				t.Errorf("%s: without leave to replace: %v, want already_signed", name, err)
			}
		}
	}
}

// TestReplacePlaces: evidence is replaced where it stands, or goes with one comma. E and R stand for what is written.
func TestReplacePlaces(t *testing.T) {
	frames := `"frames":[` + frameOf("a", "x") + `]`
	for _, row := range []struct{ name, before, root, rootAlone, shapeFrames string }{
		{"first and last", "{ \"result_attestation\" : {} , F , \"truncated\":false , \"frame_attestations\" : [ {} , 7 ] }",
			"{ \"result_attestation\" : R , F , \"truncated\":false , \"frame_attestations\" : [ E ] }",
			"{ \"result_attestation\" : R , F , \"truncated\":false }",
			"{ F , \"truncated\":false , \"frame_attestations\" : [ E ] }"},
		{"last and first", "{ \"frame_attestations\" : [ {} ]\t, F , \"result_attestation\" : 0 }",
			"{ \"frame_attestations\" : [ E ]\t, F , \"result_attestation\" : R }",
			"{ F , \"result_attestation\" : R }",
			"{ \"frame_attestations\" : [ E ]\t, F }"},
		{"side by side", "{F\n,\"frame_attestations\":{}\n,\"result_attestation\":\"\"\n,\"x\":1}",
			"{F\n,\"frame_attestations\":[E]\n,\"result_attestation\":R\n,\"x\":1}",
			"{F\n,\"result_attestation\":R\n,\"x\":1}",
			"{F\n,\"frame_attestations\":[E]\n,\"x\":1}"},
		{"one of them last", "{F , \"result_attestation\":1 }",
			"{F , \"result_attestation\":R,\"frame_attestations\":[E] }",
			"{F , \"result_attestation\":R }",
			"{F,\"frame_attestations\":[E] }"},
		{"the other one last", "{F , \"frame_attestations\":[1] }",
			"{F , \"frame_attestations\":[E],\"result_attestation\":R }",
			"{F,\"result_attestation\":R }",
			"{F , \"frame_attestations\":[E] }"},
		{"absent", "{\"frame_attestations\":null,F,\"result_attestation\":[ ] }",
			"{\"frame_attestations\":[E],F,\"result_attestation\":R }",
			"{\"frame_attestations\":null,F,\"result_attestation\":R }",
			"{\"frame_attestations\":[E],F,\"result_attestation\":[ ] }"},
		{"empty", "{F,\"frame_attestations\":[\n],\"result_attestation\":null}",
			"{F,\"frame_attestations\":[E\n],\"result_attestation\":R}",
			"{F,\"frame_attestations\":[\n],\"result_attestation\":R}",
			"{F,\"frame_attestations\":[E\n],\"result_attestation\":null}"},
		{"neither", "{F}",
			"{F,\"frame_attestations\":[E],\"result_attestation\":R}",
			"{F,\"result_attestation\":R}",
			"{F,\"frame_attestations\":[E]}"},
		{"names in escapes", "{F,\"frame\\u005fattestations\":[1],\"\\u0072esult_attestation\":2}",
			"{F,\"frame\\u005fattestations\":[E],\"\\u0072esult_attestation\":R}",
			"{F,\"\\u0072esult_attestation\":R}",
			"{F,\"frame\\u005fattestations\":[E]}"},
	} {
		for k, want := range []string{row.root, row.rootAlone, row.shapeFrames} {
			opt := withProvider(options(t, []archive.Shape{archive.ShapeRoot, archive.ShapeRoot, archive.ShapeFrames}[k]), "docs")
			opt.NoProofs, opt.Replace = k == 1, true
			input := strings.Replace(row.before, "F", frames, 1)
			// What E and R are is known from the same frames without white space.
			entries, root := evidenceOf(t, []byte(`{"result":`+string(mustSign(t, `{`+frames+`}`, opt).Output)+`}`))
			entries = strings.TrimSuffix(strings.TrimPrefix(entries, "["), "]")
			want = strings.NewReplacer("F", frames, "E", entries, "R", root).Replace(want)
			if got := string(mustSign(t, input, opt).Output); got != want {
				t.Errorf("%s, column %d: %s\nwant %s", row.name, k, got, want)
			}
		}
	}
}

// TestReplaceEmptyAnswer: the empty root has no entries, and old ones go.
func TestReplaceEmptyAnswer(t *testing.T) {
	opt := withProvider(options(t, archive.ShapeBoth), "docs")
	opt.Replace = true
	out := string(mustSign(t, `{"frames":[],"frame_attestations":[{}]}`, opt).Output)
	if !strings.HasPrefix(out, `{"frames":[],"result_attestation":{`) {
		t.Errorf("the output is %s", out)
	}
}
