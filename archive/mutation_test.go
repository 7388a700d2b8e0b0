package archive_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// mutationsPerShape is how many mutated sessions of each shape are judged.
const mutationsPerShape = 250

// mutationSession is two providers and their answers, one of them in an archive line. Each answer follows the
// acknowledgement of its provider. Records are one a line, so that record n of a report is line n-1.
func mutationSession() string {
	linked := func(id, content string) string {
		return fmt.Sprintf(`{"id":%q,"kind":"doc","content":%q,"content_digest":%q,"provenance":[`+
			`{"type":"file","uri":"a","range":"L1-2","digest":%[3]q},{"type":"derivation","by":null,"method":""}]}`,
			id, content, digestOf(content))
	}
	line := fmt.Sprintf(`{"format":"cgp-archive/1","local_id":"x","envelope":%s}`, answerOf(linked("b", "one"), frameOf("a", "one")))
	return strings.Join([]string{
		ackOf("docs"),
		answerOf(frameOf("d", "one"), linked("c", "one"), linked("b", "two"), frameOf("twin", "one"), frameOf("twin", "one")),
		line,
		ackOf("web"),
		answerOf(frameOf("b", "two"), linked("a", "one"), linked("d", "one")),
	}, "\n")
}

// signedSession signs the answers of both providers, each under its own key, and returns a verifier that trusts both keys.
func signedSession(t *testing.T, shape archive.Shape) ([]byte, *archive.Verifier) {
	t.Helper()
	session := []byte(mutationSession())
	keys := &archive.Keyring{}
	for provider, seed := range map[string]byte{"docs": 0x07, "web": 0x09} {
		opt := withProvider(options(t, shape), provider)
		opt.Key, opt.KeyID = signingKey(seed), "key-of-"+provider
		session = mustSign(t, string(session), opt).Output
		if err := keys.Trust(provider, opt.KeyID, publicKey(signingKey(seed)), "test"); err != nil {
			t.Fatal(err)
		}
	}
	return session, &archive.Verifier{Keys: keys}
}

// A mutationPath leads from the list of messages down to a node: names and indexes.
type mutationPath []any

// member names what stands at a path, wherever it does: the names on the way without the indexes.
func (p mutationPath) member() string {
	var names []string
	for _, step := range p {
		if name, is := step.(string); is {
			names = append(names, name)
		}
	}
	if _, is := p[len(p)-1].(int); is {
		names = append(names, "[]")
	}
	return strings.Join(names, ".")
}

// plant decodes a session into a tree: a list of messages, numbers as they are spelt.
func plant(t *testing.T, session []byte) []any {
	t.Helper()
	var tree []any
	for line := range bytes.Lines(session) {
		d := json.NewDecoder(bytes.NewReader(line))
		d.UseNumber()
		var message any
		if err := d.Decode(&message); err != nil {
			t.Fatal(err)
		}
		tree = append(tree, message)
	}
	return tree
}

// fell encodes a tree, a message a line.
func fell(t *testing.T, tree []any) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, message := range tree {
		if err := json.NewEncoder(&b).Encode(message); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// paths returns the path of every node inside a message, in a fixed order.
func paths(node any, here mutationPath) []mutationPath {
	var found []mutationPath
	if len(here) > 1 {
		found = append(found, slices.Clone(here))
	}
	switch v := node.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			found = append(found, paths(v[name], append(here, name))...)
		}
	case []any:
		for i := range v {
			found = append(found, paths(v[i], append(here, i))...)
		}
	}
	return found
}

// at returns the node at a path, nil where there is none.
func at(tree any, path mutationPath) any {
	for _, step := range path {
		switch v := tree.(type) {
		case map[string]any:
			name, _ := step.(string)
			tree = v[name]
		case []any:
			i, isIndex := step.(int)
			if !isIndex || i >= len(v) {
				return nil
			}
			tree = v[i]
		default:
			return nil
		}
	}
	return tree
}

// put replaces the node at a path.
func put(tree any, path mutationPath, value any) {
	last := path[len(path)-1]
	switch v := at(tree, path[:len(path)-1]).(type) {
	case map[string]any:
		v[last.(string)] = value
	case []any:
		v[last.(int)] = value
	}
}

// uproot deletes the node at a path.
func uproot(tree any, path mutationPath) {
	above, last := path[:len(path)-1], path[len(path)-1]
	switch v := at(tree, above).(type) {
	case map[string]any:
		delete(v, last.(string))
	case []any:
		put(tree, above, slices.Delete(slices.Clone(v), last.(int), last.(int)+1))
	}
}

// otherTypes are what takes the place of a node, of each JSON type and the odd numbers.
var otherTypes = []any{
	nil, json.Number("0"), json.Number("7.0"), json.Number("-0"), json.Number("18446744073709551616"), "", "docs", "web",
	"sha256:" + strings.Repeat("0", 64), true, false, []any{}, []any{nil}, map[string]any{}, map[string]any{"id": "b"},
}

// mutate makes one change to a tree and returns the places that it touched, and what it was in words.
func mutate(r *rand.Rand, tree []any) (touched []mutationPath, what string) {
	all := paths(tree, nil)
	// A member that stands in few places is as likely to be hit as one that stands in many.
	alike := make(map[string][]mutationPath)
	for _, p := range all {
		alike[p.member()] = append(alike[p.member()], p)
	}
	members := slices.Sorted(maps.Keys(alike))
	some := alike[members[r.IntN(len(members))]]
	path := some[r.IntN(len(some))]
	node := at(tree, path)
	// Places of the same name and depth under other parents: siblings of the same kind.
	var peers []mutationPath
	for _, p := range all {
		if len(p) == len(path) && p[len(p)-1] == path[len(path)-1] && !slices.Equal(p, path) {
			peers = append(peers, p)
		}
	}
	switch op := r.IntN(6); {
	case op == 0:
		uproot(tree, path)
		return []mutationPath{path}, "deleted"
	case op == 1:
		put(tree, path, nil)
		return []mutationPath{path}, "null"
	case op == 2 && len(peers) > 0:
		peer := peers[r.IntN(len(peers))]
		other := at(tree, peer)
		put(tree, path, other)
		put(tree, peer, node)
		return []mutationPath{path, peer}, fmt.Sprintf("swapped with %v", peer)
	case op == 3 && len(peers) > 0:
		peer := peers[r.IntN(len(peers))]
		put(tree, path, at(tree, peer))
		return []mutationPath{path}, fmt.Sprintf("copied from %v", peer)
	case op == 4:
		put(tree, path, nudge(r, node))
		return []mutationPath{path}, "nudged"
	default:
		value := otherTypes[r.IntN(len(otherTypes))]
		put(tree, path, value)
		return []mutationPath{path}, fmt.Sprintf("became %v", value)
	}
}

// nudge changes a value by the least: one up or down, or spelt otherwise; one character; one element more or fewer.
func nudge(r *rand.Rand, node any) any {
	switch v := node.(type) {
	case bool:
		return !v
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			return json.Number("1")
		}
		near := []string{fmt.Sprint(n + 1), fmt.Sprint(n - 1), fmt.Sprint(n, ".0"), fmt.Sprint(n, "e0"), fmt.Sprint("-", n)}
		return json.Number(near[r.IntN(len(near))])
	case string:
		if v == "" {
			return "x"
		}
		i := r.IntN(len(v))
		return v[:i] + []string{"", "0", "f", strings.ToUpper(v[i : i+1]), v[i:i+1] + v[i:i+1]}[r.IntN(5)] + v[i+1:]
	case []any:
		if len(v) == 0 {
			return []any{nil}
		}
		i := r.IntN(len(v))
		if r.IntN(2) == 0 {
			return slices.Insert(slices.Clone(v), r.IntN(len(v)+1), v[i])
		}
		return slices.Delete(slices.Clone(v), i, i+1)
	}
	return []any{node}
}

// framesOf returns the path of the frames of the message in a line, nil where it is no answer.
func framesOf(tree []any, line int) mutationPath {
	for _, path := range []mutationPath{{line, "result", "frames"}, {line, "envelope", "result", "frames"}, {line, "frames"}} {
		if _, is := at(tree, path).([]any); is {
			return path
		}
	}
	return nil
}

// covered is what a signature and the comparison of the content cover of the frame at a path, with its provider's name.
func covered(tree []any, provider string, path mutationPath) string {
	f, _ := at(tree, path).(map[string]any)
	return provider + " " + identity(f["id"], f["content"], f["content_digest"], f["provenance"])
}

// signedFrames returns what was signed, all frames of a session under the name of their provider, and every piece of evidence
// on each of them.
func signedFrames(tree []any) (frames, evidence map[string]bool) {
	frames, evidence = make(map[string]bool), make(map[string]bool)
	for line, provider := range map[int]string{1: "docs", 2: "docs", 4: "web"} {
		path := framesOf(tree, line)
		for i := range at(tree, path).([]any) {
			frames[covered(tree, provider, append(slices.Clone(path), i))] = true
			for _, byEntry := range pieces(tree, provider, line, i) {
				for _, text := range byEntry {
					evidence[text] = true
				}
			}
		}
	}
	return frames, evidence
}

// pieces returns, in words to compare, the evidence in a message of a provider that may verify for the frame at a position: by
// kind and by the place of its entry. What no signature covers of an attestation stands in it only as being there.
func pieces(tree []any, provider string, line, position int) map[archive.EvidenceKind]map[int]string {
	frames := framesOf(tree, line)
	result := frames[:len(frames)-1]
	f, _ := at(tree, append(slices.Clone(frames), position)).(map[string]any)
	frame := provider + " " + identity(f["id"], nil, f["content_digest"], f["provenance"])
	attested := func(node any) string {
		a, _ := node.(map[string]any)
		_, attester := a["attester_id"].(string)
		_, issued := a["issued_at"].(string)
		return fmt.Sprintf("%q %q %q %q %t %t", a["signed_commitment"], a["key_id"], a["algorithm"], a["signature"], attester, issued)
	}
	root := attested(at(tree, append(slices.Clone(result), "result_attestation")))
	found := map[archive.EvidenceKind]map[int]string{
		archive.KindSignature: {}, archive.KindInclusion: {}, archive.KindRoot: {-1: "root " + root},
	}
	entries, _ := at(tree, append(slices.Clone(result), "frame_attestations")).([]any)
	for n, e := range entries {
		entry, _ := e.(map[string]any)
		found[archive.KindSignature][n] = frame + attested(entry["attestation"])
		found[archive.KindInclusion][n] = fmt.Sprintf("%s %q under %s", frame, entry["inclusion_proof"], root)
	}
	return found
}

// A frameVerdict is what was said of one frame, without the root, in which all frames of an answer have a part, and without
// evidence that does not verify: a change elsewhere can name the frame and add some.
type frameVerdict struct {
	State   archive.State
	Class   archive.Class
	Content archive.Content
	Own     []archive.Evidence
}

// verdicts returns what was said of the frames of each record.
func verdicts(r *archive.Report) map[uint64][]frameVerdict {
	all := make(map[uint64][]frameVerdict)
	for _, a := range r.Answers {
		for i := range a.Frames {
			f := &a.Frames[i]
			v := frameVerdict{State: f.State, Class: f.Class, Content: f.Content}
			for _, ev := range f.Evidence {
				if ev.Kind == archive.KindRoot || !ev.State.Verifies() {
					continue
				}
				ev.Entry = 0 // places move, verdicts do not
				v.Own = append(v.Own, ev)
			}
			all[a.Record] = append(all[a.Record], v)
		}
	}
	return all
}

// unmoved returns, by record, the positions of the frames whose verdicts a change at the touched places cannot move: those
// of other records, and within the record, where the change is inside a frame or an entry, those of other identity. None at
// all where an acknowledgement was touched.
func unmoved(t *testing.T, base []any, shape archive.Shape, touched []mutationPath) map[uint64][]int {
	t.Helper()
	free := make(map[uint64][]int)
	for line := range base {
		frames := framesOf(base, line)
		if frames == nil {
			continue
		}
		names := make([]string, 0, 8)
		for i := range at(base, frames).([]any) {
			names = append(names, at(base, append(slices.Clone(frames), i, "id")).(string))
		}
		moves := make(map[string]bool)
		for _, path := range touched {
			if path[0] != line {
				continue
			}
			for _, name := range movedBy(base, shape, path, len(frames), names) {
				moves[name] = true
			}
		}
		for i, name := range names {
			if !moves[name] {
				free[uint64(line)+1] = append(free[uint64(line)+1], i)
			}
		}
	}
	for _, path := range touched {
		if path[0] == 0 || path[0] == 3 {
			return nil
		}
	}
	return free
}

// movedBy returns the ids of the frames that a change at a path of their message may move. depth is the length of the path of
// its frames.
func movedBy(base []any, shape archive.Shape, path mutationPath, depth int, names []string) []string {
	inside := len(path) > depth && (path[depth-1] == "frames" || path[depth-1] == "frame_attestations")
	if !inside || path[depth-2] != "result" {
		return names
	}
	i := path[depth].(int)
	gone := len(path) == depth+1 // deleted or replaced: what is carried, or how much, may change
	if path[depth-1] == "frames" {
		if gone && shape != archive.ShapeFrames {
			return names
		}
		if gone {
			return append([]string{names[i]}, names[i:]...) // those behind it change their places
		}
		return names[i : i+1]
	}
	named, _ := at(base, append(slices.Clone(path[:depth+1]), "frame", "frame_id")).(string)
	return []string{named}
}

// TestOneMutationIsNeverGood makes one structural change to a signed session and judges it. What is good stands there as
// somebody signed it, under the name of that provider. Evidence that verifies is one that was made for this frame, but for
// what nothing covers (CGP F18). The verdicts on what the change did not touch stay as they were.
func TestOneMutationIsNeverGood(t *testing.T) {
	for n, shape := range shapes {
		session, v := signedSession(t, shape)
		base := plant(t, session)
		signed, evidence := signedFrames(base)
		before := verify(t, v, fell(t, base))
		if before.Summary.ExitCode != archive.ExitGood || before.Summary.Frames != 10 || len(signed) != 9 {
			t.Fatalf("shape %s: the session exits %d with %d frames, %d of them different, want 0, 10 and 9", shape,
				before.Summary.ExitCode, before.Summary.Frames, len(signed))
		}
		want := verdicts(before)
		r := rand.New(rand.NewPCG(uint64(n), 2026))
		good, bad, held := 0, 0, 0
		mutations := mutationsPerShape
		if testing.Short() {
			mutations = 60
		}
		for range mutations {
			tree := plant(t, session)
			touched, what := mutate(r, tree)
			input := fell(t, tree)
			report := verify(t, v, input)
			complain := func(format string, args ...any) {
				t.Helper()
				t.Errorf("shape %s, %v %s: %s\n%s", shape, touched[0], what, fmt.Sprintf(format, args...), input)
			}
			if err := consistent(report); err != nil {
				complain("%v", err)
			}
			for _, a := range report.Answers {
				frames := framesOf(tree, int(a.Record)-1)
				for i := range a.Frames {
					f := &a.Frames[i]
					switch {
					case f.Class != archive.ClassGood:
						bad++
					case frames == nil, !signed[covered(tree, f.ProviderID, append(slices.Clone(frames), f.Position))]:
						complain("frame %d of record %d is good, and nobody signed it as it stands", f.Position, a.Record)
					default:
						good++
					}
					if f.Content == archive.ContentMismatch && f.State.Verifies() {
						complain("frame %d of record %d is %s, and its content is not what it declares", f.Position, a.Record, f.State)
					}
					if frames == nil {
						continue
					}
					here := pieces(tree, f.ProviderID, int(a.Record)-1, f.Position)
					for _, ev := range f.Evidence {
						if ev.State.Verifies() && !evidence[here[ev.Kind][ev.Entry]] {
							complain("the %s on frame %d of record %d verifies, and nobody made it", ev.Kind, f.Position, a.Record)
						}
					}
				}
			}
			got := verdicts(report)
			for record, positions := range unmoved(t, base, shape, touched) {
				for _, i := range positions {
					if i >= len(got[record]) || !reflect.DeepEqual(got[record][i], want[record][i]) {
						complain("the verdict on frame %d of record %d moved: %+v, was %+v", i, record, got[record], want[record][i])
					}
					held++
				}
			}
			if t.Failed() {
				return
			}
		}
		t.Logf("shape %s: %d frames good, %d not, %d verdicts stayed", shape, good, bad, held)
		if good == 0 || bad < mutations/8 || held == 0 {
			t.Errorf("shape %s: %d frames were good, %d were not, %d verdicts stayed: the mutations show nothing", shape, good, bad, held)
		}
	}
}
