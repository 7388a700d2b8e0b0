package archive_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// A chooser returns a number from 0 to n−1.
type chooser func(n int) int

// randomScene is honest: one to six frames with up to four links, whose fields are often alike, absent or empty.
func randomScene(pick chooser) *scene {
	some := func(prefix string) *string {
		switch n := pick(6); n {
		case 0:
			return nil
		case 1:
			return new("")
		default:
			return new(fmt.Sprintf("%s %d é𝄞", prefix, n))
		}
	}
	var frames []bench.Frame
	for i := range 1 + pick(6) {
		f := sceneFrame(fmt.Sprintf("f%d", (5*i+3)%7), fmt.Sprintf("content %d", i))
		for range pick(5) {
			l := bench.Link{Type: new(fmt.Sprintf("type %d", pick(3))), URI: some("uri"), Range: some("range"), Method: some("method"), By: some("by")}
			if pick(2) == 0 {
				l.Digest = new(digestOf(fmt.Sprint(pick(4))))
			}
			f.Provenance = append(f.Provenance, l)
		}
		frames = append(frames, f)
	}
	return newScene(frames...)
}

// linkField gives access to a field of a link by its place.
func linkField(l *bench.Link, field int) **string {
	return []**string{&l.Type, &l.URI, &l.Range, &l.Digest, &l.Method, &l.By}[field]
}

// A fault is one change to a scene. make reports false where the scene has no room for it.
type fault struct {
	cause archive.Cause
	name  string
	make  func(s *scene, pick chooser) bool
}

// singleFaults are what is made at random. What they write is drawn from the texts that stand in the answer, but for "rewritten".
var singleFaults = []fault{
	{archive.CauseLinkDropped, "a link dropped that has one like it", func(s *scene, pick chooser) bool {
		f, all := &s.signed[pick(len(s.signed))], allLinks(s.signed)
		if len(all) == 0 {
			return false
		}
		f.Provenance = slices.Insert(slices.Clone(f.Provenance), pick(len(f.Provenance)+1), all[pick(len(all))])
		return true
	}},
	{archive.CauseLinkDropped, "a link dropped", func(s *scene, pick chooser) bool {
		f := &s.carried[pick(len(s.carried))]
		if len(f.Provenance) == 0 {
			return false
		}
		k := pick(len(f.Provenance))
		f.Provenance = slices.Delete(f.Provenance, k, k+1)
		return true
	}},
	{archive.CauseLinkAdded, "a link added", func(s *scene, pick chooser) bool {
		f := &s.carried[pick(len(s.carried))]
		f.Provenance = slices.Insert(f.Provenance, pick(len(f.Provenance)+1), sceneLink("added", "by a host"))
		return true
	}},
	{archive.CauseLinkReordered, "two links exchanged", func(s *scene, pick chooser) bool {
		l := s.carried[pick(len(s.carried))].Provenance
		if len(l) < 2 {
			return false
		}
		i, k := pick(len(l)), pick(len(l))
		l[i], l[k] = l[k], l[i]
		return true
	}},
	{archive.CauseLinkReordered, "a link moved", func(s *scene, pick chooser) bool {
		f := &s.carried[pick(len(s.carried))]
		if len(f.Provenance) < 2 {
			return false
		}
		i := pick(len(f.Provenance))
		l := f.Provenance[i]
		f.Provenance = slices.Delete(f.Provenance, i, i+1)
		f.Provenance = slices.Insert(f.Provenance, pick(len(f.Provenance)+1), l)
		return true
	}},
	{archive.CauseLinkEdited, "a field rewritten from a text of a neighbour", func(s *scene, pick chooser) bool {
		l := s.signed[pick(len(s.signed))].Provenance
		all := allLinks(s.carried)
		if len(l) == 0 || len(all) == 0 {
			return false
		}
		k, field := pick(len(l)), pick(6)
		*linkField(&l[k], field) = *linkField(&all[pick(len(all))], field)
		return true
	}},
	{archive.CauseLinkEdited, "a field rewritten", func(s *scene, pick chooser) bool {
		l := s.carried[pick(len(s.carried))].Provenance
		if len(l) == 0 {
			return false
		}
		*linkField(&l[pick(len(l))], pick(6)) = new("rewritten")
		return true
	}},
	{archive.CauseDigestOfContent, "content_digest rewritten", func(s *scene, pick chooser) bool {
		s.carried[pick(len(s.carried))].ContentDigest = new(digestOf("another text"))
		return true
	}},
	{archive.CauseDigestOfContent, "content and content_digest rewritten", func(s *scene, pick chooser) bool {
		f := &s.carried[pick(len(s.carried))]
		f.Content, f.ContentDigest = new("another text"), new(digestOf("another text"))
		return true
	}},
	{archive.CauseAbsentEmptyConfusion, "a member absent in place of empty, or the reverse", func(s *scene, pick chooser) bool {
		l := s.carried[pick(len(s.carried))].Provenance
		if len(l) == 0 {
			return false
		}
		at := linkField(&l[pick(len(l))], 1+pick(5))
		switch {
		case *at == nil:
			*at = new("")
		case **at == "":
			*at = nil
		default:
			return false
		}
		return true
	}},
	{archive.CauseAbsentEmptyConfusion, "signed with absent as empty", func(s *scene, _ chooser) bool {
		s.commit = miscount{length: bytesOf, absentIsEmpty: true}.commit
		return true
	}},
	{archive.CauseAbsentEmptyConfusion, "signed with empty as absent", func(s *scene, _ chooser) bool {
		s.commit = miscount{length: bytesOf, emptyIsAbsent: true}.commit
		return true
	}},
	{archive.CauseOtherProviderID, "signed under the local id", func(s *scene, _ chooser) bool {
		s.localID, s.commit = "ours", func(f *bench.Frame) bench.Hash { return bench.Commitment("ours", f) }
		return true
	}},
	{archive.CauseUTF16Lengths, "signed with UTF-16 lengths", func(s *scene, _ chooser) bool {
		s.commit = miscount{length: unitsOf}.commit
		return true
	}},
	{archive.CauseCodePointLengths, "signed with code point lengths", func(s *scene, _ chooser) bool {
		s.commit = miscount{length: codePointsOf}.commit
		return true
	}},
	{archive.CauseLittleEndian, "signed little endian", func(s *scene, _ chooser) bool {
		s.commit = miscount{length: bytesOf, little: true}.commit
		return true
	}},
	{archive.CauseAttestationOfAnotherFrame, "evidence of two frames exchanged", func(s *scene, pick chooser) bool {
		s.swap = [2]int{pick(len(s.signed)), pick(len(s.signed))}
		return s.swap[0] != s.swap[1]
	}},
	{archive.CauseFrameMissing, "a frame dropped", func(s *scene, pick chooser) bool {
		i := pick(len(s.carried))
		if pick(2) == 0 && s.signatures && s.entryOf[i] >= 0 {
			s.orphans = []int{s.entryOf[i]}
		}
		s.carried, s.entryOf = slices.Delete(s.carried, i, i+1), slices.Delete(s.entryOf, i, i+1)
		return true
	}},
	{archive.CauseFrameAdded, "a frame added", func(s *scene, pick chooser) bool {
		i := pick(len(s.carried) + 1)
		s.carried = slices.Insert(s.carried, i, sceneFrame("f1 added", "added"))
		s.entryOf = slices.Insert(s.entryOf, i, -1)
		return true
	}},
	{archive.CauseArrivalOrder, "signed in the order of arrival", func(s *scene, _ chooser) bool { s.before = nil; return true }},
	{archive.CauseDuplicateLastLeafTree, "signed over a tree with a duplicated leaf", func(s *scene, _ chooser) bool { s.tree = duplicating; return true }},
	{archive.CauseOtherKey, "signed with another key", func(s *scene, _ chooser) bool { s.signature = signedOther; return true }},
	{archive.CausePrehashed, "signed as Ed25519ph", func(s *scene, _ chooser) bool { s.signature = signedPh; return true }},
	{archive.CausePrehashed, "signed over a SHA-256", func(s *scene, _ chooser) bool { s.signature = signedSHA256; return true }},
	{archive.CauseHexTextSigned, "signed as hexadecimal", func(s *scene, _ chooser) bool { s.signature = signedHex; return true }},
}

func allLinks(frames []bench.Frame) (all []bench.Link) {
	for i := range frames {
		all = append(all, frames[i].Provenance...)
	}
	return all
}

// randomShape chooses what is signed: proofs and root, signatures, everything, or the root alone.
func (s *scene) randomShape(pick chooser) {
	shape := pick(4)
	s.root, s.proofs, s.signatures = shape != 1, shape == 0 || shape == 2, shape == 1 || shape == 2
}

// told returns the diagnoses of an answer: of each piece of evidence on a frame, and of the root with position -1.
func told(a *archive.Answer) (list []toldOf) {
	if a.Root != nil && a.Root.Diagnosis != nil {
		list = append(list, toldOf{-1, archive.KindRoot, a.Root.Signed, a.Root.Diagnosis})
	}
	for i := range a.Frames {
		for _, ev := range a.Frames[i].Evidence {
			if ev.Diagnosis != nil {
				list = append(list, toldOf{i, ev.Kind, ev.Signed, ev.Diagnosis})
			}
		}
	}
	return list
}

type toldOf struct {
	position  int
	kind      archive.EvidenceKind
	signed    string
	diagnosis *archive.Diagnosis
}

// What one fault leads to is named, or nothing is; what is named is the fault, or gives the signed value as the words for it say.
func TestDiagnosesAreSound(t *testing.T) {
	for _, faults := range []int{1, 2, 3} {
		t.Run(fmt.Sprintf("%d faults", faults), func(t *testing.T) {
			rapid.Check(t, func(rt *rapid.T) {
				pick := func(n int) int { return rapid.IntRange(0, n-1).Draw(rt, "pick") }
				s := randomScene(pick)
				s.randomShape(pick)
				var made []string
				for range faults {
					f := &singleFaults[pick(len(singleFaults))]
					if len(s.carried) == 0 || !f.make(s, pick) {
						return
					}
					made = append(made, f.name)
				}
				for _, d := range told(s.judge(t)) {
					if err := s.check(&d); err != nil {
						rt.Fatalf("%s on frame %d: %s: %s, which is not so: %v\nfaults made: %q\n%s",
							d.kind, d.position, d.diagnosis.Cause, d.diagnosis.Detail, err, made, describeScene(s))
					}
				}
			})
		})
	}
}

var (
	ofOneFrame = regexp.MustCompile(`^frame (\d+), id "[^"]*": (.*)$`)
	numbers    = regexp.MustCompile(`\d+`)
)

// check follows the words of a diagnosis and recomputes what they say was signed.
func (s *scene) check(d *toldOf) error {
	cause, detail := d.diagnosis.Cause, d.diagnosis.Detail
	switch cause {
	case archive.CauseNone:
		return nil
	case archive.CauseOtherKey, archive.CausePrehashed, archive.CauseHexTextSigned:
		return s.checkSignature(cause)
	}
	frames := cloneFrames(s.carried)
	declared := func(f *bench.Frame) bench.Hash { return bench.Commitment("docs", f) }
	if d.kind != archive.KindRoot {
		c, err := s.follow(cause, detail, frames, d.position)
		if err != nil {
			return err
		}
		if d.kind == archive.KindSignature && c.String() != d.signed {
			return fmt.Errorf("it gives %s, signed was %s", c, d.signed)
		}
		if d.kind == archive.KindInclusion && !s.isLeaf(c) {
			return fmt.Errorf("it gives %s, which is no leaf", c)
		}
		return nil
	}
	if m := ofOneFrame.FindStringSubmatch(detail); m != nil {
		position, err := strconv.Atoi(m[1])
		if err != nil {
			return err
		}
		c, err := s.follow(cause, m[2], frames, position)
		if err != nil {
			return err
		}
		return s.compareRoot(frames, func(i int) bench.Hash {
			if i == position {
				return c
			}
			return declared(&frames[i])
		}, d.signed)
	}
	commit := declared
	switch cause {
	case archive.CauseAttestationOfAnotherFrame:
		position := 0
		if _, err := fmt.Sscanf(detail, "frame %d", &position); err != nil {
			return err
		}
		if _, err := s.follow(cause, detail, frames, position); err != nil { // which renames the frame
			return err
		}
	case archive.CauseFrameMissing:
		leaves := s.leafSet()
		for i := range frames {
			if !leaves[declared(&frames[i])] {
				if !strings.HasPrefix(detail, "with the frame that entry") {
					return fmt.Errorf("frame %d is no leaf", i)
				}
			}
		}
		if len(s.signed) <= len(s.carried) {
			return fmt.Errorf("%d were signed, %d are carried", len(s.signed), len(s.carried))
		}
		return nil
	case archive.CauseFrameAdded:
		leaves, absent := s.leafSet(), 0
		for i := range frames {
			if !leaves[declared(&frames[i])] {
				absent++
			}
		}
		if absent == 0 && len(s.signed) >= len(s.carried) {
			return fmt.Errorf("every frame is a leaf")
		}
		return nil
	case archive.CauseArrivalOrder, archive.CauseUTF16Order, archive.CauseDuplicateLastLeafTree:
		var leaves []bench.Hash
		order := canonicalOrder(frames)
		if cause == archive.CauseArrivalOrder {
			slices.Sort(order)
		} else if cause == archive.CauseUTF16Order {
			slices.SortStableFunc(order, func(a, b int) int { return inUTF16(&frames[a], &frames[b]) })
		}
		for _, i := range order {
			leaves = append(leaves, declared(&frames[i]))
		}
		root := bench.Root(leaves)
		if cause == archive.CauseDuplicateLastLeafTree {
			root = duplicating(leaves)
		}
		if root.String() != d.signed {
			return fmt.Errorf("the root is %s, signed was %s", root, d.signed)
		}
		return nil
	case archive.CauseRFC6962EmptyRoot:
		if d.signed != "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" {
			return fmt.Errorf("signed was %s", d.signed)
		}
		return nil
	case archive.CauseOtherProviderID:
		name, err := strconv.Unquote(strings.TrimPrefix(detail, "the provider is called "))
		if err != nil {
			return err
		}
		commit = func(f *bench.Frame) bench.Hash { return bench.Commitment(name, f) }
	case archive.CauseDigestOfContent:
		for i := range frames {
			if frames[i].ContentDigest = nil; detail == "every content_digest is that of the content" {
				frames[i].ContentDigest = new(digestOf(*frames[i].Content))
			}
		}
	default:
		var ok bool
		if commit, ok = encodedBy(cause, detail); !ok {
			return fmt.Errorf("nothing is known of such a cause of a root")
		}
	}
	return s.compareRoot(frames, func(i int) bench.Hash { return commit(&frames[i]) }, d.signed)
}

// encodedBy is the encoding that a cause is about.
func encodedBy(cause archive.Cause, detail string) (func(*bench.Frame) bench.Hash, bool) {
	switch {
	case cause == archive.CauseUTF16Lengths:
		return miscount{length: unitsOf}.commit, true
	case cause == archive.CauseCodePointLengths:
		return miscount{length: codePointsOf}.commit, true
	case cause == archive.CauseLittleEndian:
		return miscount{length: bytesOf, little: true}.commit, true
	case detail == `every absent member is taken for ""`:
		return miscount{length: bytesOf, absentIsEmpty: true}.commit, true
	case detail == `every member that is "" is taken for absent`:
		return miscount{length: bytesOf, emptyIsAbsent: true}.commit, true
	}
	return nil, false
}

func canonicalOrder(frames []bench.Frame) []int {
	order := make([]int, len(frames))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return canonically(&frames[a], &frames[b]) })
	return order
}

func (s *scene) compareRoot(frames []bench.Frame, of func(int) bench.Hash, signed string) error {
	var leaves []bench.Hash
	for _, i := range canonicalOrder(frames) {
		leaves = append(leaves, of(i))
	}
	if root := bench.Root(leaves); root.String() != signed {
		return fmt.Errorf("the root is %s, signed was %s", root, signed)
	}
	return nil
}

func (s *scene) leafSet() map[bench.Hash]bool {
	leaves := make(map[bench.Hash]bool)
	for i := range s.signed {
		leaves[s.commit(&s.signed[i])] = true
	}
	return leaves
}

func (s *scene) isLeaf(c bench.Hash) bool { return s.leafSet()[c] }

// checkSignature compares the cause with how the scene signs.
func (s *scene) checkSignature(cause archive.Cause) error {
	h := bench.Hash{1}
	for _, of := range []struct {
		cause archive.Cause
		sign  func() []byte
	}{
		{archive.CauseOtherKey, func() []byte { return signedOther(sceneKey, h) }},
		{archive.CausePrehashed, func() []byte { return signedPh(sceneKey, h) }},
		{archive.CausePrehashed, func() []byte { return signedSHA256(sceneKey, h) }},
		{archive.CauseHexTextSigned, func() []byte { return signedHex(sceneKey, h) }},
	} {
		if of.cause == cause && slices.Equal(of.sign(), s.signature(sceneKey, h)) {
			return nil
		}
	}
	return fmt.Errorf("it is not how the signature was made")
}

// follow makes the change to one frame that a diagnosis tells, and returns its commitment.
func (s *scene) follow(cause archive.Cause, detail string, frames []bench.Frame, position int) (c bench.Hash, err error) {
	f := &frames[position]
	var n []int
	for _, text := range numbers.FindAllString(detail, -1) {
		i, err := strconv.Atoi(text)
		if err != nil {
			break
		}
		n = append(n, i)
	}
	links := func(l ...[]bench.Link) { f.Provenance = slices.Concat(l...) }
	own := f.Provenance
	// neighbour is the link that the last words name.
	neighbour := func() bench.Link {
		var link, frame int
		if i := strings.LastIndex(detail, "link "); strings.Contains(detail[i:], " of frame ") {
			fmt.Sscanf(detail[i:], "link %d of frame %d", &link, &frame)
			return s.carried[frame].Provenance[link]
		} else {
			fmt.Sscanf(detail[i:], "link %d", &link)
		}
		return own[link]
	}
	switch {
	case cause == archive.CauseLinkAdded:
		links(own[:n[0]], own[n[0]+1:])
	case cause == archive.CauseLinkDropped:
		links(own[:n[0]], []bench.Link{neighbour()}, own[n[0]:])
	case cause == archive.CauseLinkReordered && strings.Contains(detail, "reverse"):
		links(own)
		slices.Reverse(f.Provenance)
	case cause == archive.CauseLinkReordered && strings.Contains(detail, "exchanged"):
		links(own)
		f.Provenance[n[0]], f.Provenance[n[1]] = own[n[1]], own[n[0]]
	case cause == archive.CauseLinkReordered:
		rest := slices.Delete(slices.Clone(own), n[0], n[0]+1)
		links(rest[:n[1]], own[n[0]:n[0]+1], rest[n[1]:])
	case cause == archive.CauseLinkEdited && strings.Contains(detail, "is like"):
		links(own[:n[0]], []bench.Link{neighbour()}, own[n[0]+1:])
	case cause == archive.CauseLinkEdited || cause == archive.CauseAbsentEmptyConfusion && strings.Contains(detail, " of link "):
		links(own)
		name, rest, _ := strings.Cut(detail, " of link ")
		field := slices.Index([]string{"type", "uri", "range", "digest", "method", "by"}, name)
		_, value, _ := strings.Cut(rest, " is ")
		value = strings.SplitN(value, ", ", 2)[0]
		at := linkField(&f.Provenance[n[0]], field)
		if *at = nil; value != "absent" {
			text, err := strconv.Unquote(value)
			if err != nil {
				return c, fmt.Errorf("%q: %w", value, err)
			}
			*at = &text
		}
	case cause == archive.CauseAbsentEmptyConfusion && strings.HasPrefix(detail, "content_digest is"):
		if f.ContentDigest = nil; strings.Contains(detail, "not absent") {
			f.ContentDigest = new("")
		}
	case cause == archive.CauseDigestOfContent && strings.Contains(detail, "no content_digest"):
		f.ContentDigest = nil
	case cause == archive.CauseDigestOfContent:
		f.ContentDigest = new(digestOf(*f.Content))
	case cause == archive.CauseOtherProviderID:
		name, err := strconv.Unquote(strings.TrimPrefix(detail, "the provider is called "))
		return bench.Commitment(name, f), err
	case cause == archive.CauseAttestationOfAnotherFrame && strings.HasPrefix(detail, "it is that of frame"):
		f = &s.carried[n[0]]
	case cause == archive.CauseAttestationOfAnotherFrame:
		m := regexp.MustCompile(`provider ("[^"]*"), id ("[^"]*"), (without a digest|digest (.*))$`).FindStringSubmatch(detail)
		if m == nil {
			return c, fmt.Errorf("no identity is named")
		}
		id, err := strconv.Unquote(m[2])
		if err != nil {
			return c, err
		}
		if f.ID, f.ContentDigest = &id, nil; m[4] != "" {
			f.ContentDigest = new(strings.Trim(m[4], `"`))
		}
	default:
		commit, ok := encodedBy(cause, detail)
		if !ok {
			return c, fmt.Errorf("nothing is known of such a cause")
		}
		return commit(f), nil
	}
	return bench.Commitment("docs", f), nil
}

// How often one fault is named, in percent of the answers in which something is wrong: the numbers of docs/security.md.
func BenchmarkDiagnosisHits(b *testing.B) {
	for k := range singleFaults {
		f := &singleFaults[k]
		b.Run(strings.ReplaceAll(f.name, " ", "_"), func(b *testing.B) {
			random := rand.New(rand.NewPCG(uint64(k), 1))
			wrong, named, exact := 0, 0, 0
			for range b.N {
				s := randomScene(random.IntN)
				s.randomShape(random.IntN)
				if !f.make(s, random.IntN) {
					continue
				}
				list := told(s.judge(b))
				if len(list) == 0 {
					continue
				}
				wrong++
				causes := make(map[archive.Cause]bool)
				for _, d := range list {
					causes[d.diagnosis.Cause] = true
				}
				if causes[f.cause] {
					exact++
				}
				if delete(causes, archive.CauseNone); len(causes) > 0 {
					named++
				}
			}
			if wrong > 0 {
				b.ReportMetric(100*float64(named)/float64(wrong), "%explained")
				b.ReportMetric(100*float64(exact)/float64(wrong), "%by-its-name")
			}
		})
	}
}
